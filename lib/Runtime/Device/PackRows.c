//===- PackRows.c - copies of arrays that are aligned ---------------------===//
//
// An array of rank r has r - 1 dimensions of rows. The kernel takes four of them: where there are
// fewer, the slowest have one row.
//===----------------------------------------------------------------------===//
#include "Cuda.h"
#include "Pack.h"
#include <string.h>

enum {
  CHUNK_BYTES = 16,
  LINE_BYTES = 128,  ///< Rows that begin within a line cost a request more.
  LEAST_THREADS = 8, ///< Of a row: a line of the copy.
  ROW_DIMS = TILE_TENSOR_MAP_MAX_RANK - 1,
};

bool tilePackIsNeeded(const TileTensorMapSpec *spec) {
  bool needed = spec->base % CHUNK_BYTES != 0;
  for (unsigned i = 0; i + 1 < spec->rank; ++i) needed |= spec->strides[i] % CHUNK_BYTES != 0;
  return needed;
}

static bool isSameArray(const TileTensorMapSpec *a, const TileTensorMapSpec *b) {
  size_t extents = a->rank * sizeof *a->shape, strides = (a->rank - 1) * sizeof *a->strides;
  return a->base == b->base && a->rank == b->rank && !memcmp(a->shape, b->shape, extents) &&
         !memcmp(a->strides, b->strides, strides) &&
         tileElementGetSize(a->type) == tileElementGetSize(b->type);
}

/// The copy's strides; its bytes, or 0 where they are too many.
static size_t placeRows(const TileTensorMapSpec *from, TileTensorMapSpec *to) {
  uint64_t row = from->shape[from->rank - 1] * tileElementGetSize(from->type);
  size_t bytes = (row + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  for (unsigned i = from->rank - 1; i-- > 0;) {
    to->strides[i] = bytes;
    if (__builtin_mul_overflow(bytes, from->shape[i], &bytes)) return 0;
  }
  return bytes;
}

static bool makeRoom(const TilePacker *packer, TilePacked *array, size_t bytes, TileError *error) {
  if (array->bytes >= bytes) return true;
  TileDevice *device = packer->kernel->module->device;
  tileDeviceFree(device, array->memory);
  array->memory = 0;
  array->bytes = 0;
  if (!tileDeviceAlloc(device, bytes, &array->memory, error)) return false;
  array->bytes = bytes;
  return true;
}

bool tilePackAdd(TilePacker *packer, TileTensorMapSpec *spec, TileError *error) {
  unsigned i = 0;
  while (i < packer->count && !isSameArray(&packer->arrays[i].from, spec)) ++i;
  if (i == TILE_MAX_PACKED)
    return tileErrorSet(error, "expected at most %d arrays to pack, found more", TILE_MAX_PACKED);
  TilePacked *array = &packer->arrays[i];
  TileTensorMapSpec to = *spec;
  size_t bytes = placeRows(spec, &to);
  if (!bytes) return tileErrorSet(error, "expected an array below 2^64 bytes to pack, found more");
  if (i == packer->count) {
    if (!makeRoom(packer, array, bytes, error)) return false;
    array->from = *spec;
    ++packer->count;
  }
  to.base = array->memory;
  array->to = to;
  *spec = to;
  return true;
}

/// A block is as wide as a row has threads' work for.
static void chooseShape(uint64_t rows, uint64_t chunks, TileLaunch *launch) {
  uint32_t x = TILE_PACK_THREADS;
  while (x > LEAST_THREADS && (uint64_t)x / 2 * TILE_PACK_CHUNKS >= chunks) x /= 2;
  uint32_t y = TILE_PACK_THREADS / x, each = x * TILE_PACK_CHUNKS;
  *launch = (TileLaunch){
      .grid = {(uint32_t)((rows + y - 1) / y), (uint32_t)((chunks + each - 1) / each), 1},
      .block = {x, y, 1}};
}

static bool packOne(const TilePacker *packer, const TilePacked *array, TileStream *stream,
                    TileError *error) {
  const TileTensorMapSpec *from = &array->from;
  uint64_t extents[ROW_DIMS], strides[ROW_DIMS], rows = 1;
  uint64_t row = from->shape[from->rank - 1] * tileElementGetSize(from->type);
  uint64_t end = from->base + row;
  for (unsigned i = 0, first = ROW_DIMS - (from->rank - 1); i < ROW_DIMS; ++i) {
    extents[i] = i < first ? 1 : from->shape[i - first];
    strides[i] = i < first ? 0 : from->strides[i - first];
    rows *= extents[i]; // the copy has its bytes
    end += (extents[i] - 1) * strides[i];
  }
  if (rows > INT32_MAX)
    return tileErrorSet(error, "expected fewer than 2^31 rows to pack, found %llu",
                        (unsigned long long)rows);
  uint64_t pitch = (row + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  const uint64_t slots[TILE_PACK_PARAMETERS] = {
      from->base, array->memory, row,        pitch,      rows,       extents[1], extents[2],
      extents[3], strides[0],    strides[1], strides[2], strides[3], end};
  TileLaunch launch;
  chooseShape(rows, pitch / TILE_PACK_BYTES, &launch);
  return tileKernelLaunchSlots(packer->kernel, &launch, slots, TILE_PACK_PARAMETERS, stream, error);
}

bool tilePackRun(TilePacker *packer, TileStream *stream, TileError *error) {
  if (!packer->count) return true;
  TileDevice *device = packer->kernel->module->device;
  void *handle = tileCudaGetStream(device, stream);
  // On one stream, a launch's copies follow the launch before, which reads the same memory.
  if (packer->hasStream && packer->stream != handle && !tileDeviceSynchronize(device, error))
    return false;
  packer->stream = handle;
  packer->hasStream = true;
  for (unsigned i = 0; i < packer->count; ++i)
    if (!packOne(packer, &packer->arrays[i], stream, error)) return false;
  return true;
}

void tilePackDestroy(TilePacker *packer) {
  if (!packer->kernel) return;
  for (unsigned i = 0; i < TILE_MAX_PACKED; ++i)
    tileDeviceFree(packer->kernel->module->device, packer->arrays[i].memory);
}
