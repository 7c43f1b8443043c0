//===- Pack.c - copies of operands that a micro-kernel reads --------------===//
//
// Operands are converted, once an element, to the type of the accumulator (bytes stay bytes where
// there is vpdpbusd): A to rows, or to columns if that is how its loads lie; B to panels of as many
// columns as the micro-kernel has, which it then reads without a gap:
//
//        B                       panels of 32 columns, one after the other
//     +----+----+----+          +----+
//     | p0 | p1 | p2 |   K  ->  | p0 |  K rows of 32
//     +----+----+----+          +----+
//                               | p1 |  ..
//
// A B whose loads lie along K is read along K, W columns at a time, and transposed in registers.
// Of bytes, a row of a panel has four of K for each column, side by side.
//
// Several steps of the loop around (Steps.c) lie behind each other along K.
//
//===----------------------------------------------------------------------===//
#include "Dot.h"

static int64_t roundUp(int64_t x, int64_t unit) { return (x + unit - 1) / unit * unit; }

/// Where this step begins along K, in elements.
static MlirValue stepOffset(Dot *d, int64_t stride) {
  return mlirValueIsNull(d->step) ? cpuI64(d->l, 0) : dotTimes(d, d->step, d->k * stride);
}

static bool isBufferOf(CpuLowering *l, MlirValue tile, MlirType element) {
  CpuSlot *slot = cpuFind(l, tile);
  return slot->form == CPU_BUFFER && mlirTypeEqual(slot->buffer.element, element);
}

/// A chunk as the micro-kernel has its elements.
static MlirValue evalOperand(Dot *d, CpuChunk *chunk, MlirValue tile, const CpuIndex *index) {
  MlirValue value = cpuEvalVector(chunk, tile, index);
  if (d->bytes) return value;
  MlirType from = tileElementType(mlirValueGetType(tile));
  return cpuConvertFloat(chunk->l, value, from, d->element);
}

//===- A ------------------------------------------------------------------===//

static void packRows(CpuChunk *chunk, const CpuIndex *index, void *data) {
  Dot *d = data;
  CpuLowering *l = chunk->l;
  MlirValue null = {NULL}, value = evalOperand(d, chunk, tileDotGetA(d->op), index);
  // 128 more, without a sign: see Kernel.c.
  if (d->bytes)
    value = tileBuildBinary(&l->at, "arith.xori", value, cpuInt(l, mlirValueGetType(value), -128));
  int row = index->rank - 2;
  int64_t pitch = d->bytes ? d->a.k / d->unit : d->a.k;
  MlirValue offset =
      dotPlus(d, dotTimes(d, index->base[row], d->a.row), dotTimes(d, index->base[row + 1], pitch));
  if (index->rank == 3) offset = dotPlus(d, offset, dotTimes(d, index->base[0], d->a.batch));
  offset = dotPlus(d, offset, stepOffset(d, pitch));
  cpuStore(l, cpuOffset(l, d->a.pointer, d->a.element, offset), d->a.element, value, null);
}

void dotPackA(Dot *d) {
  CpuLowering *l = d->l;
  MlirValue tile = tileDotGetA(d->op), null = {NULL};
  if (d->steps == 1 && !d->bytes && isBufferOf(l, tile, d->element)) {
    CpuBuffer buffer = cpuFind(l, tile)->buffer;
    int64_t pitch = buffer.strides[buffer.rank - 2],
            batch = buffer.rank == 3 ? buffer.strides[0] : 0;
    d->a = (DotOperand){buffer.pointer, d->element, .row = pitch, .k = 1, .batch = batch};
    return;
  }
  CpuNest nest = cpuNestOf(l, mlirValueGetType(tile));
  int row = nest.rank - 2;
  nest.width = d->width * d->unit;
  nest.unroll = 4;
  bool across = !d->bytes && cpuLiesAcross(l, tile, row + 1, row);
  d->a = (DotOperand){.element = d->bytes ? tileI8(l->context) : d->element};
  d->a.across = across;
  if (across) {
    nest.lane = row;
    d->a.row = 1;
    d->a.k = roundUp(d->m, d->width);
    d->a.batch = d->a.k * d->k * d->steps;
  } else {
    // The last chunk of a step is written as a whole.
    int64_t pitch = (d->steps - 1) * d->k + roundUp(d->k, nest.width);
    d->a.row = roundUp(pitch, nest.width);
    d->a.k = d->unit;
    // Rows that lie a multiple of a page's part from each other would meet in few sets of a cache.
    if (d->a.row * tileElementBytes(d->a.element) % 1024 == 0) d->a.row += nest.width;
    d->a.batch = d->a.row * d->m;
  }
  d->a.pointer = cpuAllocateStack(l, d->a.element, d->a.batch * d->batch);
  // A pass takes all its rows, seen or not.
  if (!mlirValueIsNull(d->seen[0]))
    nest.ends[0] =
        dotPlus(d, d->seen[0], cpuI64(l, across ? DOT_MAX_ROWS + d->width : DOT_MAX_ROWS));
  cpuVersionedNest(l, &nest, 1, &tile, null, packRows, d);
}

//===- B ------------------------------------------------------------------===//

/// Where the unit of K at `k` and the columns from `column` on are in the panels.
static MlirValue panelAddress(Dot *d, const CpuIndex *index, MlirValue k, MlirValue column) {
  CpuLowering *l = d->l;
  MlirValue width = cpuI64(l, d->vectors * d->width);
  MlirValue number = tileBuildBinary(&l->at, "arith.divui", column, width);
  MlirValue inside = tileBuildBinary(&l->at, "arith.remui", column, width);
  MlirValue offset = dotPlus(d, dotTimes(d, number, d->b.panel), dotTimes(d, inside, d->unit));
  offset = dotPlus(d, offset, dotTimes(d, k, d->b.row));
  if (!mlirValueIsNull(d->step))
    offset = dotPlus(d, offset, dotTimes(d, d->step, d->k / d->unit * d->b.row));
  if (index->rank == 3) offset = dotPlus(d, offset, dotTimes(d, index->base[0], d->b.batch));
  return cpuOffset(l, d->b.pointer, d->b.element, offset);
}

/// A panel's columns lie together, and chunks that are emitted behind each other begin at a panel's
/// first where they are a multiple of it.
static MlirValue chunkAddress(Dot *d, const CpuChunk *chunk, const CpuIndex *index) {
  int column = index->rank - 1;
  int64_t panel = d->vectors * d->width;
  MlirValue k = index->base[column - 1];
  if (mlirValueIsNull(chunk->first)) return panelAddress(d, index, k, index->base[column]);
  MlirValue first = panelAddress(d, index, k, chunk->first);
  int64_t behind = chunk->behind / panel * d->b.panel + chunk->behind % panel * d->unit;
  return dotAdvanceBy(d, first, d->b.element, behind);
}

static void packColumns(CpuChunk *chunk, const CpuIndex *index, void *data) {
  Dot *d = data;
  MlirValue value = evalOperand(d, chunk, tileDotGetB(d->op), index), null = {NULL};
  cpuStore(d->l, chunkAddress(d, chunk, index), d->b.element, value, null);
}

/// The four vectors of bytes as one: four bytes of each lane side by side.
static MlirValue interleave(CpuLowering *l, const MlirValue rows[4], int64_t width) {
  MlirValue halves[2];
  int64_t order[64];
  for (int64_t i = 0; i < 2 * width; ++i) order[i] = i;
  for (int h = 0; h < 2; ++h) {
    MlirType type = tileVectorType(2 * width, tileI8(l->context));
    MlirAttribute mask = mlirDenseI64ArrayGet(l->context, 2 * width, order);
    halves[h] =
        tileResult(tileBuildOp(&l->at, "vector.shuffle", TILE_VALUES(rows[2 * h], rows[2 * h + 1]),
                               1, &type, TILE_ATTRS({"mask", mask}), 0));
  }
  for (int64_t i = 0; i < 4 * width; ++i) order[i] = i % 4 * width + i / 4;
  MlirType type = tileVectorType(4 * width, tileI8(l->context));
  MlirAttribute mask = mlirDenseI64ArrayGet(l->context, 4 * width, order);
  return tileResult(tileBuildOp(&l->at, "vector.shuffle", TILE_VALUES(halves[0], halves[1]), 1,
                                &type, TILE_ATTRS({"mask", mask}), 0));
}

/// One unit of K of bytes: `index` is of units.
static void packBytes(CpuChunk *chunk, const CpuIndex *index, void *data) {
  Dot *d = data;
  CpuLowering *l = d->l;
  int column = index->rank - 1;
  MlirValue rows[4], null = {NULL}, first = dotTimes(d, index->base[column - 1], d->unit);
  for (int i = 0; i < 4; ++i) {
    CpuIndex row = *index;
    row.base[column - 1] = dotPlus(d, first, cpuI64(l, i));
    rows[i] = cpuEvalVector(chunk, tileDotGetB(d->op), &row);
  }
  MlirValue at = chunkAddress(d, chunk, index);
  cpuStore(l, at, d->b.element, interleave(l, rows, chunk->width), null);
}

/// What a square of B is read into before it is transposed: W columns along K.
typedef struct {
  Dot *d;
  MlirValue columns; ///< pointer to W lines of `pitch` elements
  int64_t pitch;
  MlirValue first; ///< column of the first line
} Across;

/// A chunk along K of one column; `index` is of the line and K.
static void readColumn(Across *a, CpuChunk *chunk, const CpuIndex *index, MlirValue line) {
  Dot *d = a->d;
  CpuLowering *l = d->l;
  MlirValue value = evalOperand(d, chunk, tileDotGetB(d->op), index), null = {NULL};
  MlirValue offset = dotPlus(d, dotTimes(d, line, a->pitch), index->base[index->lane]);
  cpuStore(l, cpuOffset(l, a->columns, d->b.element, offset), d->b.element, value, null);
}

/// Lines of `columns` from unit `k` on, as rows of the panel. `count` of them are there.
static void writeSquare(Across *a, const CpuIndex *index, MlirValue k, int64_t count) {
  Dot *d = a->d;
  CpuLowering *l = d->l;
  MlirValue rows[64], null = {NULL};
  MlirType word = d->bytes ? tileI32(l->context) : d->element;
  for (int64_t i = 0; i < d->width; ++i) {
    MlirValue at = dotAdvance(d, a->columns, d->b.element, k, d->unit);
    at = dotAdvanceBy(d, at, d->b.element, i * a->pitch);
    rows[i] = cpuLoad(l, at, word, d->width, null, null);
  }
  cpuTranspose(l, rows, (int)d->width);
  MlirValue to = panelAddress(d, index, k, a->first);
  for (int64_t i = 0; i < count; ++i)
    cpuStore(l, dotAdvanceBy(d, to, d->b.element, i * d->b.row), word, rows[i], null);
}

/// One chunk of columns, at the last dimension of `index`.
static void packAcross(CpuChunk *chunk, const CpuIndex *index, void *data) {
  Across *a = data;
  Dot *d = a->d;
  CpuLowering *l = d->l;
  int column = index->rank - 1, k = column - 1;
  MlirValue zero = cpuI64(l, 0), one = cpuI64(l, 1), step = cpuI64(l, d->width * d->unit);
  a->first = index->base[column];
  // Each column that there is.
  CpuLoop lines;
  MlirValue left = tileBuildBinary(&l->at, "arith.subi", cpuI64(l, d->n), a->first);
  left = tileBuildBinary(&l->at, "arith.minsi", left, cpuI64(l, d->width));
  CpuNest nest = {.rank = 1, .shape = {d->k}, .width = d->width * d->unit};
  MlirValue line = cpuBeginLoop(l, &lines, zero, left, one, 0, NULL);
  int64_t whole = d->k / nest.width * nest.width;
  CpuIndex at = *index;
  at.lane = k;
  at.base[column] = dotPlus(d, a->first, line);
  if (whole) {
    CpuLoop chunks;
    at.base[k] = cpuBeginLoop(l, &chunks, zero, cpuI64(l, whole), step, 0, NULL);
    CpuChunk part = {.l = l, .width = nest.width, .fast = chunk->fast};
    readColumn(a, &part, &at, line);
    cpuEndLoop(l, &chunks, 0, NULL);
  }
  if (whole < d->k) {
    MlirValue tail = cpuFirstLanes(l, nest.width, d->k - whole);
    CpuChunk part = {.l = l, .width = nest.width, .fast = chunk->fast, .tail = tail};
    at.base[k] = cpuI64(l, whole);
    readColumn(a, &part, &at, line);
  }
  cpuEndLoop(l, &lines, 0, NULL);
  int64_t units = roundUp(d->k, d->unit) / d->unit, squares = units / d->width * d->width;
  if (squares) {
    CpuLoop loop;
    MlirValue from = cpuBeginLoop(l, &loop, zero, cpuI64(l, squares), cpuI64(l, d->width), 0, NULL);
    writeSquare(a, index, from, d->width);
    cpuEndLoop(l, &loop, 0, NULL);
  }
  if (squares < units) writeSquare(a, index, cpuI64(l, squares), units - squares);
}

static void emitPanels(Dot *d) {
  CpuLowering *l = d->l;
  MlirValue tile = tileDotGetB(d->op), null = {NULL};
  CpuNest nest = cpuNestOf(l, mlirValueGetType(tile));
  int column = nest.rank - 1;
  nest.width = d->width;
  int64_t panel = d->vectors * d->width;
  // Whole panels: see chunkAddress.
  nest.unroll = d->n % (2 * panel) == 0 ? 2 * d->vectors : d->n % panel == 0 ? d->vectors : 1;
  if (!mlirValueIsNull(d->seen[1])) nest.ends[1] = dotPlus(d, d->seen[1], cpuI64(l, panel));
  bool across = cpuLiesAcross(l, tile, column, column - 1);
  d->b.across = across;
  Across a = {.d = d, .pitch = roundUp(d->k, d->width * d->unit) + d->width * d->unit};
  if (across) {
    nest.unroll = 1;
    nest.shape[column - 1] = 1;
    a.columns = cpuAllocateStack(l, d->b.element, d->width * a.pitch);
    cpuVersionedNest(l, &nest, 1, &tile, null, packAcross, &a);
  } else if (d->bytes) {
    nest.shape[column - 1] = d->k / d->unit;
    cpuVersionedNest(l, &nest, 1, &tile, null, packBytes, d);
  } else {
    cpuVersionedNest(l, &nest, 1, &tile, null, packColumns, d);
  }
}

void dotPackB(Dot *d) {
  CpuLowering *l = d->l;
  MlirValue tile = tileDotGetB(d->op);
  int64_t panel = d->vectors * d->width;
  if (d->steps == 1 && !d->bytes && isBufferOf(l, tile, d->element)) {
    CpuBuffer buffer = cpuFind(l, tile)->buffer;
    int64_t pitch = buffer.strides[buffer.rank - 2],
            batch = buffer.rank == 3 ? buffer.strides[0] : 0;
    d->b = (DotOperand){buffer.pointer, d->element, .row = pitch, .panel = panel, .batch = batch};
    return;
  }
  int64_t panels = roundUp(d->n, panel) / panel;
  d->b = (DotOperand){.element = d->bytes ? tileI8(l->context) : d->element};
  d->b.row = panel * d->unit;
  d->b.panel = d->steps * d->k * panel;
  d->b.batch = panels * d->b.panel;
  d->b.pointer = cpuAllocateStack(l, d->b.element, d->batch * d->b.batch);
  emitPanels(d);
}
