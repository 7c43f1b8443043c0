//===- Sort.c - tile.sort, tile.partial_sort and tile.histogram -----------===//
//
// Before:  %s, %v = tile.sort %k, %w axis 1 : tensor<4x64xf32>, tensor<4x64xi32>
// After:   %k and %w in buffers;  scf.for each line along the axis {
//            llvm.call @tileCpuSortOrder(%k + line, .., %order)
//            llvm.call @tileCpuSortMove(%k + line, %s + line, .., %order)   for each operand
//          }
// of a partial sort, whose results are shorter, so many elements as these have.
//
// Before:  %h = tile.histogram %x, %m : tensor<64xi32> -> tensor<10xi32>
// After:   a buffer of zeros;  scf.for each element {
//            scf.if (%x u< 10 and %m) { the buffer's element %x, and one more }
//          }
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "tile/Runtime/CpuSort.h"

//===- sort ---------------------------------------------------------------===//

enum { MAX_SORTED = 16 };

typedef struct {
  MlirOperation op;
  int count, axis;
  int64_t extent, kept; ///< elements of a line, and of a line of the results
  CpuBuffer sources[MAX_SORTED], results[MAX_SORTED];
  MlirValue order;
} Sort;

static void declare(CpuLowering *l, const char *name, const char *type) {
  MlirBlock module = mlirOperationGetBlock(l->kernel);
  TILE_FOR_EACH_OP(op, module) {
    MlirAttribute symbol = tileAttr(op, "sym_name");
    if (!mlirAttributeIsNull(symbol) && tileStringIs(mlirStringAttrGetValue(symbol), name)) return;
  }
  TileBuilder b = tileBuilderAtStart(module);
  tileBuildOp(&b, "llvm.func", TILE_NONE, TILE_NONE,
              TILE_ATTRS({"sym_name", tileStringAttr(l->context, name)},
                         {"function_type", tileParseAttr(l->context, type)}),
              1);
}

static void call(CpuLowering *l, const char *name, intptr_t count, const MlirValue *operands) {
  const int32_t segments[] = {(int32_t)count, 0};
  MlirAttribute symbol = mlirFlatSymbolRefAttrGet(l->context, tileString(name));
  tileBuildOp(&l->at, "llvm.call", count, operands, TILE_NONE,
              TILE_ATTRS({"callee", symbol},
                         {"operandSegmentSizes", mlirDenseI32ArrayGet(l->context, 2, segments)},
                         {"op_bundle_sizes", mlirDenseI32ArrayGet(l->context, 0, NULL)}),
              0);
}

/// Where the line at `index` begins.
static MlirValue lineOf(CpuLowering *l, const CpuBuffer *buffer, const CpuIndex *index, int axis) {
  MlirValue offset = cpuI64(l, 0);
  for (int d = 0, k = 0; d < buffer->rank; ++d) {
    if (d == axis) continue;
    MlirValue stride = cpuI64(l, buffer->strides[d]);
    MlirValue part = tileBuildBinary(&l->at, "arith.muli", index->base[k++], stride);
    offset = tileBuildBinary(&l->at, "arith.addi", offset, part);
  }
  return cpuOffset(l, buffer->pointer, buffer->element, offset);
}

static void sortLine(CpuChunk *chunk, const CpuIndex *index, void *data) {
  CpuLowering *l = chunk->l;
  Sort *s = data;
  const CpuBuffer *key = &s->sources[0];
  bool isFloat = tileTypeIsFloat(key->element);
  int kind = isFloat                           ? TILE_SORT_FLOAT
             : tileBitWidth(key->element) == 1 ? TILE_SORT_UNSIGNED
                                               : TILE_SORT_SIGNED;
  MlirValue count = cpuI64(l, s->extent), stride = cpuI64(l, key->strides[s->axis]);
  MlirValue infinity = cpuI64(l, isFloat ? tileFloatGetLargest(key->element) : 0);
  MlirValue bytes = cpuI64(l, tileElementBytes(key->element)), kindValue = cpuI64(l, kind);
  MlirValue descending = cpuI64(l, !mlirAttributeIsNull(tileAttr(s->op, "descending")));
  MlirValue line = lineOf(l, key, index, s->axis);
  call(l, TILE_CPU_SORT_ORDER,
       TILE_VALUES(line, bytes, kindValue, infinity, descending, count, stride, s->order));
  MlirValue kept = cpuI64(l, s->kept);
  for (int i = 0; i < s->count; ++i) {
    MlirValue from = lineOf(l, &s->sources[i], index, s->axis);
    MlirValue to = lineOf(l, &s->results[i], index, s->axis);
    bytes = cpuI64(l, tileElementBytes(s->sources[i].element));
    stride = cpuI64(l, s->sources[i].strides[s->axis]);
    call(l, TILE_CPU_SORT_MOVE, TILE_VALUES(from, to, bytes, kept, stride, s->order));
  }
}

/// The tile in a buffer, made on this path of the program if it has none.
static CpuBuffer bufferOf(CpuLowering *l, MlirValue tile) {
  CpuSlot *slot = cpuFind(l, tile);
  if (slot->form == CPU_BUFFER) return slot->buffer;
  CpuBuffer buffer = cpuAllocateBuffer(l, mlirValueGetType(tile), (MlirType){NULL});
  cpuWrite(l, tile, &buffer);
  return buffer;
}

void cpuLowerSort(CpuLowering *l, MlirOperation op) {
  Sort s = {.op = op,
            .count = (int)mlirOperationGetNumOperands(op),
            .axis = (int)tileIntAttr(op, "axis", 0)};
  if (s.count > MAX_SORTED) {
    cpuFail(l, op, "at most sixteen operands");
    return;
  }
  declare(l, TILE_CPU_SORT_ORDER, "!llvm.func<void (ptr, i64, i64, i64, i64, i64, i64, ptr)>");
  declare(l, TILE_CPU_SORT_MOVE, "!llvm.func<void (ptr, ptr, i64, i64, i64, ptr)>");
  int64_t shape[CPU_MAX_RANK];
  CpuNest lines = {.lane = -1};
  int rank = tileShape(mlirValueGetType(tileOperand(op, 0)), shape);
  for (int d = 0; d < rank; ++d)
    if (d != s.axis) lines.shape[lines.rank++] = shape[d];
  s.extent = shape[s.axis];
  tileShape(mlirValueGetType(mlirOperationGetResult(op, 0)), shape);
  s.kept = shape[s.axis];
  s.order = cpuAllocateStack(l, tileI64(l->context), 2 * s.extent);
  for (int i = 0; i < s.count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    s.sources[i] = bufferOf(l, tileOperand(op, i));
    s.results[i] = cpuAllocateBuffer(l, type, (MlirType){NULL});
  }
  cpuNest(l, &lines, false, sortLine, &s);
  for (int i = 0; i < s.count; ++i)
    cpuSetBuffer(l, mlirOperationGetResult(op, i), s.results[i], true);
}

//===- histogram ----------------------------------------------------------===//

typedef struct {
  MlirOperation op;
  CpuBuffer counts;
  MlirValue value;
} Histogram;

static void clearCounts(CpuChunk *chunk, const CpuIndex *index, void *data) {
  Histogram *h = data;
  MlirValue zero = cpuInt(chunk->l, tileVectorType(chunk->width, tileI32(chunk->l->context)), 0);
  cpuWriteBuffer(chunk->l, &h->counts, index, zero, chunk->tail);
}

static void addOne(CpuLowering *l, bool yes, void *data) {
  (void)yes;
  Histogram *h = data;
  MlirType i32 = tileI32(l->context);
  MlirValue null = {NULL},
            at = tileBuildUnary(&l->at, "arith.extui", tileI64(l->context), h->value);
  MlirValue pointer = cpuOffset(l, h->counts.pointer, i32, at), one = cpuInt(l, i32, 1);
  MlirValue count = cpuLoad(l, pointer, i32, 0, null, null);
  count = tileBuildBinary(&l->at, "arith.addi", count, one);
  cpuStore(l, pointer, i32, count, null);
}

static void countElement(CpuChunk *chunk, const CpuIndex *index, void *data) {
  CpuLowering *l = chunk->l;
  Histogram *h = data;
  MlirValue mask = tileHistogramGetMask(h->op);
  h->value = cpuEvalVector(chunk, tileHistogramGetSource(h->op), index);
  MlirValue end = cpuInt(l, tileI32(l->context), h->counts.shape[0]);
  MlirValue counts = tileBuildCmpi(&l->at, TILE_ULT, h->value, end);
  if (!mlirValueIsNull(mask)) {
    mask = cpuEvalVector(chunk, mask, index);
    counts = tileBuildBinary(&l->at, "arith.andi", counts, mask);
  }
  cpuIf(l, counts, false, addOne, h);
}

void cpuLowerHistogram(CpuLowering *l, MlirOperation op) {
  MlirType type = mlirValueGetType(tileResult(op));
  Histogram h = {.op = op, .counts = cpuAllocateBuffer(l, type, (MlirType){NULL})};
  CpuNest all = cpuNestOf(l, type);
  cpuNest(l, &all, false, clearCounts, &h);
  CpuNest elements = {.lane = -1};
  elements.rank = tileShape(mlirValueGetType(tileHistogramGetSource(op)), elements.shape);
  cpuNest(l, &elements, false, countElement, &h);
  cpuSetBuffer(l, tileResult(op), h.counts, true);
}
