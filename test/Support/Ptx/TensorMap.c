//===- TensorMap.c - tensor maps and their boxes --------------------------===//
//
// Sources: see TensorMap.h. A box lies in shared memory with its fastest dimension contiguous and
// without gaps. A swizzle of 32, 64 or 128 bytes exclusive-ors bits 4 and up of the shared address
// with 1, 2 or 3 bits from bit 7 up: PTX ISA, "Swizzling Modes".
//===----------------------------------------------------------------------===//
#include "TensorMap.h"
#include "Numbers.h"
#include <string.h>

enum { CHUNK = 16, MOST_BOX = 256, SHARED_ALIGNMENT = 128, INVALID_VALUE = 1, NOT_SUPPORTED = 801 };

/// CUtensorMapDataType, as far as it goes here.
typedef enum DataType {
  TYPE_U8,
  TYPE_U16,
  TYPE_U32,
  TYPE_S32,
  TYPE_U64,
  TYPE_S64,
  TYPE_F16,
  TYPE_F32,
  TYPE_F64,
  TYPE_BF16,
  TYPES,
} DataType;

static const struct {
  uint32_t bytes;
  PtxFormat format; ///< PTX_FORMATS for an integer
} types[TYPES] = {
    [TYPE_U8] = {1, PTX_FORMATS},  [TYPE_U16] = {2, PTX_FORMATS}, [TYPE_U32] = {4, PTX_FORMATS},
    [TYPE_S32] = {4, PTX_FORMATS}, [TYPE_U64] = {8, PTX_FORMATS}, [TYPE_S64] = {8, PTX_FORMATS},
    [TYPE_F16] = {2, PTX_F16},     [TYPE_F32] = {4, PTX_F32},     [TYPE_F64] = {8, PTX_F64},
    [TYPE_BF16] = {2, PTX_BF16},
};

/// What the 128 bytes are. Dimensions fastest first; strides of all but the first, in chunks.
typedef struct Map {
  char magic[8];
  uint64_t base;
  uint32_t mostIndex[PTX_MAP_RANK]; ///< an extent less 1
  uint16_t box[PTX_MAP_RANK];
  uint8_t type, rank, swizzle, fill;
  uint64_t strides[PTX_MAP_RANK - 1];
} Map;
_Static_assert(sizeof(Map) <= PTX_MAP_BYTES, "a map has 128 bytes");
static const char magic[8] = "PTXMAP1";

/// Bytes of a swizzle's span by CUtensorMapSwizzle.
static const uint32_t spans[] = {CHUNK, 32, 64, 128};

/// One dimension's extents and stride, by the reference's list.
static bool isDimension(uint64_t extent, uint32_t box, const uint64_t *stride) {
  return extent >= 1 && extent <= UINT64_C(1) << 32 && box >= 1 && box <= MOST_BOX &&
         (!stride || (*stride % CHUNK == 0 && *stride < UINT64_C(1) << 40));
}

int ptxMapEncode(void *map, int type, unsigned rank, void *base, const uint64_t *shape,
                 const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                 int interleave, int swizzle, int promotion, int fill) {
  const uint64_t address = (uint64_t)(uintptr_t)base;
  if ((uintptr_t)map % PTX_MAP_ALIGNMENT || rank < 1 || rank > PTX_MAP_RANK || address % CHUNK ||
      type < 0 || swizzle < 0 || promotion < 0 || promotion > 3 || fill < 0 || fill > 1)
    return INVALID_VALUE;
  if (type >= TYPES || interleave || swizzle > 3) return NOT_SUPPORTED;
  Map m = {.base = address,
           .type = (uint8_t)type,
           .rank = (uint8_t)rank,
           .swizzle = (uint8_t)swizzle,
           .fill = (uint8_t)fill};
  memcpy(m.magic, magic, sizeof magic);
  for (unsigned i = 0; i < rank; ++i) {
    if (!isDimension(shape[i], box[i], i ? &strides[i - 1] : NULL)) return INVALID_VALUE;
    if (steps[i] != 1) return steps[i] && steps[i] <= 8 ? NOT_SUPPORTED : INVALID_VALUE;
    m.mostIndex[i] = (uint32_t)(shape[i] - 1);
    m.box[i] = (uint16_t)box[i];
    if (i) m.strides[i - 1] = strides[i - 1];
  }
  const uint32_t row = box[0] * types[type].bytes;
  if (row % CHUNK || (swizzle && row > spans[swizzle]) ||
      (fill && types[type].format == PTX_FORMATS))
    return INVALID_VALUE;
  memset(map, 0, PTX_MAP_BYTES);
  memcpy(map, &m, sizeof m);
  return 0;
}

//===- Boxes --------------------------------------------------------------===//

static bool readMap(const void *map, int rank, Map *m, PtxFault *fault) {
  memcpy(m, map, sizeof *m);
  if (memcmp(m->magic, magic, sizeof magic) != 0)
    return ptxFaultSet(fault, 715, "expected a tensor map, found other bytes at %p", map);
  if (m->rank == rank) return true;
  return ptxFaultSet(fault, 715, "expected a tensor map of %d dimensions, found one of %d", rank,
                     m->rank);
}

static uint32_t getRowBytes(const Map *m) { return m->box[0] * types[m->type].bytes; }

static uint32_t countRows(const Map *m) {
  uint32_t rows = 1;
  for (int i = 1; i < m->rank; ++i) rows *= m->box[i];
  return rows;
}

bool ptxMapCheck(const void *map, int rank, uint32_t *bytes, PtxFault *fault) {
  Map m;
  if (!readMap(map, rank, &m, fault)) return false;
  *bytes = countRows(&m) * getRowBytes(&m);
  return true;
}

/// A row of a box, along the fastest dimension.
typedef struct Row {
  uint64_t global;      ///< where its first element inside of the array is
  uint32_t first, last; ///< bytes of the row that are inside of the array; none where they agree
} Row;

/// Row number `index` of the box at coords.
static Row findRow(const Map *m, const int32_t *coords, uint32_t index) {
  const int64_t bytes = types[m->type].bytes, extent = (int64_t)m->mostIndex[0] + 1;
  int64_t first = coords[0] < 0 ? -(int64_t)coords[0] : 0, last = extent - coords[0];
  if (last > m->box[0]) last = m->box[0];
  bool isInside = first < last;
  Row row = {.global = m->base + (uint64_t)((coords[0] + first) * bytes)};
  for (int i = 1; i < m->rank; ++i) {
    const int64_t at = coords[i] + (int64_t)(index % m->box[i]);
    index /= m->box[i];
    isInside = isInside && at >= 0 && at <= (int64_t)m->mostIndex[i];
    row.global += (uint64_t)at * m->strides[i - 1];
  }
  if (isInside) row.first = (uint32_t)(first * bytes), row.last = (uint32_t)(last * bytes);
  return row;
}

/// The address of a byte of shared memory that a box has at this address without its swizzle.
static uint32_t swizzle(const Map *m, uint32_t address) {
  return address ^ (address >> 3 & (spans[m->swizzle] - CHUNK));
}

static bool isAllocated(uint64_t address, uint32_t bytes, PtxSpan *span, PtxFault *fault) {
  if (address < span->first || address >= span->last) *span = ptxMemoryFind(address);
  if (span->first != span->last && bytes <= span->last - address) return true;
  return ptxFaultSet(fault, 700,
                     "expected a tensor map's bytes in device memory, found 0x%llx of %u bytes",
                     (unsigned long long)address, bytes);
}

/// Checks a box's place in shared memory.
static bool checkPlace(const Map *m, const PtxShared *shared, uint32_t address, bool isRead,
                       PtxFault *fault) {
  const uint32_t bytes = countRows(m) * getRowBytes(m);
  if (address % SHARED_ALIGNMENT)
    return ptxFaultSet(fault, 716, "expected a box on 128 bytes of shared memory, found 0x%x",
                       address);
  // A swizzle moves bytes within a span of 8 rows, which a box may end inside of.
  const uint32_t pattern = m->swizzle ? 8 * spans[m->swizzle] : CHUNK;
  if (m->swizzle && (address % pattern || bytes % pattern)) {
    for (uint32_t at = address; at < address + bytes; at += CHUNK)
      if (!(isRead ? ptxSharedCheckRead(shared, swizzle(m, at), CHUNK, fault)
                   : ptxSharedCheckWrite(shared, swizzle(m, at), CHUNK, fault)))
        return false;
    return true;
  }
  return isRead ? ptxSharedCheckRead(shared, address, bytes, fault)
                : ptxSharedCheckWrite(shared, address, bytes, fault);
}

/// Fills a row's bytes before `first` and from `last` on: with zero, or a NaN where asked.
static void fillRow(const Map *m, uint8_t *row, uint32_t first, uint32_t last, uint32_t bytes) {
  memset(row, 0, first);
  memset(row + last, 0, bytes - last);
  if (!m->fill) return;
  const uint32_t each = types[m->type].bytes;
  const uint64_t nan = ptxEncode(types[m->type].format, 0.0 / 0.0, PTX_RN, false);
  for (uint32_t at = 0; at < bytes; at += each)
    if (at < first || at >= last) memcpy(row + at, &nan, each);
}

bool ptxBoxLoad(const void *map, int rank, const int32_t *coords, const PtxShared *shared,
                uint32_t address, PtxFault *fault) {
  Map m;
  PtxSpan span = {0, 0};
  uint8_t bytes[MOST_BOX * sizeof(uint64_t)];
  if (!readMap(map, rank, &m, fault) || !checkPlace(&m, shared, address, false, fault))
    return false;
  const uint32_t rows = countRows(&m), size = getRowBytes(&m);
  for (uint32_t i = 0; i < rows; ++i, address += size) {
    const Row row = findRow(&m, coords, i);
    const uint32_t count = row.last - row.first;
    if (count) {
      if (!isAllocated(row.global, count, &span, fault)) return false;
      memcpy(bytes + row.first, (const void *)(uintptr_t)row.global, count);
    }
    fillRow(&m, bytes, row.first, row.last, size);
    for (uint32_t at = 0; at < size; at += CHUNK)
      memcpy(shared->bytes + swizzle(&m, address + at), bytes + at, CHUNK);
  }
  return true;
}

bool ptxBoxStore(const void *map, int rank, const int32_t *coords, const PtxShared *shared,
                 uint32_t address, PtxFault *fault) {
  Map m;
  PtxSpan span = {0, 0};
  uint8_t bytes[MOST_BOX * sizeof(uint64_t)];
  if (!readMap(map, rank, &m, fault) || !checkPlace(&m, shared, address, true, fault)) return false;
  const uint32_t rows = countRows(&m), size = getRowBytes(&m);
  for (uint32_t i = 0; i < rows; ++i, address += size) {
    const Row row = findRow(&m, coords, i);
    const uint32_t count = row.last - row.first;
    if (!count) continue;
    if (!isAllocated(row.global, count, &span, fault)) return false;
    for (uint32_t at = 0; at < size; at += CHUNK)
      memcpy(bytes + at, shared->bytes + swizzle(&m, address + at), CHUNK);
    memcpy((void *)(uintptr_t)row.global, bytes + row.first, count);
  }
  return true;
}

//===- Reductions ---------------------------------------------------------===//

static double chooseReal(PtxReduction operation, double a, double b) {
  if (a != a || b != b) return a != a ? b : a;
  return (operation == PTX_REDUCE_MIN) == (a < b) ? a : b;
}

static bool isLess(DataType type, uint64_t a, uint64_t b) {
  switch (type) {
  case TYPE_S32:
    return (int32_t)a < (int32_t)b;
  case TYPE_S64:
    return (int64_t)a < (int64_t)b;
  default:
    return a < b;
  }
}

/// The bits that an element becomes. False for what has no such reduction.
static bool reduce(DataType type, PtxReduction operation, uint64_t a, uint64_t b,
                   uint64_t *result) {
  const PtxFormat format = types[type].format;
  if (format != PTX_FORMATS) {
    if (operation > PTX_REDUCE_MAX) return false;
    const double x = ptxDecode(format, a), y = ptxDecode(format, b);
    double value = operation != PTX_REDUCE_ADD ? chooseReal(operation, x, y)
                   : format == PTX_F64         ? x + y
                                               : ptxAddOdd(x, y);
    *result = ptxEncode(format, value, PTX_RN, false);
    return true;
  }
  const uint64_t results[] = {
      [PTX_REDUCE_ADD] = a + b,
      [PTX_REDUCE_MIN] = isLess(type, a, b) ? a : b,
      [PTX_REDUCE_MAX] = isLess(type, a, b) ? b : a,
      [PTX_REDUCE_INC] = a >= b ? 0 : a + 1,
      [PTX_REDUCE_DEC] = a == 0 || a > b ? b : a - 1,
      [PTX_REDUCE_AND] = a & b,
      [PTX_REDUCE_OR] = a | b,
      [PTX_REDUCE_XOR] = a ^ b,
  };
  *result = results[operation];
  return types[type].bytes >= 4;
}

/// By compare and swap, as other blocks may be at the same element.
static bool reduceElement(DataType type, PtxReduction operation, void *at, uint64_t value) {
  uint64_t result;
  switch (types[type].bytes) {
#define REDUCE(bytes, Unsigned)                                                                    \
  case bytes: {                                                                                    \
    Unsigned *element = at, old = __atomic_load_n(element, __ATOMIC_RELAXED);                      \
    do                                                                                             \
      if (!reduce(type, operation, old, value, &result)) return false;                             \
    while (!__atomic_compare_exchange_n(element, &old, (Unsigned)result, false, __ATOMIC_RELAXED,  \
                                        __ATOMIC_RELAXED));                                        \
    return true;                                                                                   \
  }
    REDUCE(2, uint16_t)
    REDUCE(4, uint32_t)
    REDUCE(8, uint64_t)
#undef REDUCE
  default:
    return false;
  }
}

bool ptxBoxReduce(const void *map, int rank, PtxReduction operation, const int32_t *coords,
                  const PtxShared *shared, uint32_t address, PtxFault *fault) {
  Map m;
  PtxSpan span = {0, 0};
  if (!readMap(map, rank, &m, fault) || !checkPlace(&m, shared, address, true, fault)) return false;
  const uint32_t rows = countRows(&m), size = getRowBytes(&m), each = types[m.type].bytes;
  for (uint32_t i = 0; i < rows; ++i, address += size) {
    const Row row = findRow(&m, coords, i);
    const uint32_t count = row.last - row.first;
    if (count && !isAllocated(row.global, count, &span, fault)) return false;
    for (uint32_t at = row.first; at < row.last; at += each) {
      uint64_t value = 0;
      memcpy(&value, shared->bytes + swizzle(&m, address + at), each);
      if (!reduceElement((DataType)m.type, operation,
                         (void *)(uintptr_t)(row.global + at - row.first), value))
        return ptxFaultSet(fault, 715, "expected a reduction of the map's type, found number %d",
                           (int)operation);
    }
  }
  return true;
}
