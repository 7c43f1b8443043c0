//===- Dot.c - tile.dot as a register-tiled micro-kernel ------------------===//
//
// Operands are first converted, once an element, to the type of the accumulator: A to rows, B to
// panels of as many columns as the micro-kernel has, which it then reads without a gap:
//
//        B                       panels of 16 columns, one after the other
//     +----+----+----+          +----+
//     | p0 | p1 | p2 |   K  ->  | p0 |  K rows of 16
//     +----+----+----+          +----+
//                               | p1 |  ..
//
//   scf.for each panel { scf.for each R rows {
//     acc[R][V] = C
//     scf.for %k { b[V] = panel row; for r: acc[r][v] = fma(A[r][k], b[v], acc[r][v]) }
//     C = acc
//   } }
//
// R x V accumulators, V vectors of B and one of A fill the registers: 6 x 2 of 16, 8 x 2 of 32.
// Rows that R does not divide are spread evenly (128 = 18 * 6 + 4 * 5), so that no pass has few
// accumulators, which would wait for each other. The accumulator tile is updated in place where the
// value before it is dead. Rows and columns of the result that no store looks at are left out
// (Seen.c): at a matrix's border, that is most of a tile.
//
// The shape of the loops is that of Goto and van de Geijn, "Anatomy of High-Performance Matrix
// Multiplication" (2008).
//===----------------------------------------------------------------------===//
#include "Lowering.h"

enum { MAX_ROWS = 16, MAX_VECTORS = 2 };

typedef struct {
  CpuLowering *l;
  MlirOperation op;
  MlirType element; ///< of the accumulator
  int64_t batch, m, n, k, width;
  int vectors; ///< V
  MlirValue a, b, c;
  int64_t aRow, bRow, cRow;       ///< elements from a row to the next
  int64_t aBatch, bBatch, cBatch; ///< and from a batch to the next
  int64_t bPanel;                 ///< and from a panel to the next
  bool fromZero;                  ///< C starts as 0 and need not be read
  MlirValue seen[2];              ///< rows and columns that are; null: all
} Dot;

static MlirValue times(CpuLowering *l, MlirValue x, int64_t factor) {
  if (factor == 1) return x;
  MlirValue constant = cpuI64(l, factor);
  return tileBuildBinary(&l->at, "arith.muli", x, constant);
}

static MlirValue plus(CpuLowering *l, MlirValue x, MlirValue y) {
  return tileBuildBinary(&l->at, "arith.addi", x, y);
}

static MlirValue advance(Dot *d, MlirValue pointer, MlirValue steps, int64_t stride) {
  return cpuOffset(d->l, pointer, d->element, times(d->l, steps, stride));
}

static MlirValue advanceBy(Dot *d, MlirValue pointer, int64_t elements) {
  if (!elements) return pointer;
  return cpuOffset(d->l, pointer, d->element, cpuI64(d->l, elements));
}

//===- the micro-kernel ---------------------------------------------------===//

static MlirValue multiplyAdd(Dot *d, MlirValue a, MlirValue b, MlirValue c) {
  CpuLowering *l = d->l;
  MlirType type = mlirValueGetType(b);
  MlirValue all = tileBuildUnary(&l->at, "vector.broadcast", type, a);
  if (tileTypeIsFloat(d->element))
    return tileBuild(&l->at, "vector.fma", type, TILE_VALUES(all, b, c));
  MlirValue product = tileBuildBinary(&l->at, "arith.muli", all, b);
  return tileBuildBinary(&l->at, "arith.addi", c, product);
}

/// `rows` x `vectors` at the given pointers to A's first row, the panel, and C's first row.
static void microKernel(Dot *d, MlirValue a, MlirValue b, MlirValue c, int rows, int vectors) {
  CpuLowering *l = d->l;
  MlirValue acc[MAX_ROWS * MAX_VECTORS], aRows[MAX_ROWS], cRows[MAX_ROWS], null = {NULL};
  MlirType type = tileVectorType(d->width, d->element);
  for (int r = 0; r < rows; ++r) {
    aRows[r] = advanceBy(d, a, r * d->aRow);
    cRows[r] = advanceBy(d, c, r * d->cRow);
    for (int v = 0; v < vectors; ++v) {
      MlirValue zero = tileTypeIsFloat(d->element) ? cpuFloat(l, type, 0) : cpuInt(l, type, 0);
      MlirValue at = d->fromZero ? zero : advanceBy(d, cRows[r], v * d->width);
      acc[r * vectors + v] = d->fromZero ? at : cpuLoad(l, at, d->element, d->width, null, null);
    }
  }
  CpuLoop loop;
  MlirValue zero = cpuI64(l, 0), to = cpuI64(l, d->k), one = cpuI64(l, 1);
  MlirValue k = cpuBeginLoop(l, &loop, zero, to, one, rows * vectors, acc);
  MlirValue bRow = advance(d, b, k, d->bRow), bs[MAX_VECTORS];
  for (int v = 0; v < vectors; ++v) {
    MlirValue at = advanceBy(d, bRow, v * d->width);
    bs[v] = cpuLoad(l, at, d->element, d->width, null, null);
  }
  for (int r = 0; r < rows; ++r) {
    MlirValue at = cpuOffset(l, aRows[r], d->element, k);
    MlirValue x = cpuLoad(l, at, d->element, 0, null, null);
    for (int v = 0; v < vectors; ++v)
      acc[r * vectors + v] = multiplyAdd(d, x, bs[v], acc[r * vectors + v]);
  }
  cpuEndLoop(l, &loop, rows * vectors, acc);
  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < vectors; ++v) {
      MlirValue at = advanceBy(d, cRows[r], v * d->width);
      cpuStore(l, at, d->element, acc[r * vectors + v], null);
    }
}

//===- loops over rows and panels -----------------------------------------===//

/// `count` passes of `rows` rows, from row `first` on.
static void rowLoop(Dot *d, MlirValue a, MlirValue b, MlirValue c, int64_t first, int64_t count,
                    int rows, int vectors) {
  CpuLowering *l = d->l;
  if (!count) return;
  CpuLoop loop;
  MlirValue from = cpuI64(l, first), to = cpuI64(l, first + count * rows);
  if (!mlirValueIsNull(d->seen[0])) to = tileBuildBinary(&l->at, "arith.minsi", to, d->seen[0]);
  MlirValue i = cpuBeginLoop(l, &loop, from, to, cpuI64(l, rows), 0, NULL);
  MlirValue aRow = advance(d, a, i, d->aRow);
  MlirValue cRow = advance(d, c, i, d->cRow);
  microKernel(d, aRow, b, cRow, rows, vectors);
  cpuEndLoop(l, &loop, 0, NULL);
}

static void allRows(Dot *d, MlirValue a, MlirValue b, MlirValue c, int vectors) {
  int registers = d->l->vectorBits == 512 ? 32 : 16;
  int most = registers == 32 ? 16 / vectors : 12 / vectors;
  int64_t passes = (d->m + most - 1) / most;
  int64_t fewer = d->m / passes, longer = d->m - passes * fewer;
  rowLoop(d, a, b, c, 0, longer, (int)fewer + 1, vectors);
  rowLoop(d, a, b, c, longer * (fewer + 1), passes - longer, (int)fewer, vectors);
}

static void allPanels(Dot *d, MlirValue a, MlirValue b, MlirValue c) {
  CpuLowering *l = d->l;
  int64_t columns = (d->n + d->width - 1) / d->width;
  int64_t whole = columns / d->vectors, panel = d->vectors * d->width;
  if (whole) {
    CpuLoop loop;
    MlirValue zero = cpuI64(l, 0), to = cpuI64(l, whole), one = cpuI64(l, 1);
    if (!mlirValueIsNull(d->seen[1])) {
      MlirValue panels = tileBuildBinary(&l->at, "arith.ceildivsi", d->seen[1], cpuI64(l, panel));
      to = tileBuildBinary(&l->at, "arith.minsi", to, panels);
    }
    MlirValue p = cpuBeginLoop(l, &loop, zero, to, one, 0, NULL);
    MlirValue bPanel = advance(d, b, p, d->bPanel);
    MlirValue cPanel = advance(d, c, p, panel);
    allRows(d, a, bPanel, cPanel, d->vectors);
    cpuEndLoop(l, &loop, 0, NULL);
  }
  int rest = (int)(columns % d->vectors);
  if (!rest) return;
  MlirValue bPanel = advanceBy(d, b, whole * d->bPanel);
  MlirValue cPanel = advanceBy(d, c, whole * panel);
  allRows(d, a, bPanel, cPanel, rest);
}

//===- operands -----------------------------------------------------------===//

static bool isBufferOf(CpuLowering *l, MlirValue tile, MlirType element) {
  CpuSlot *slot = cpuFind(l, tile);
  return slot->form == CPU_BUFFER && mlirTypeEqual(slot->buffer.element, element);
}

/// A, row by row, in the accumulator's type.
static void prepareA(Dot *d) {
  CpuLowering *l = d->l;
  MlirValue tile = tileDotGetA(d->op);
  CpuBuffer buffer;
  if (isBufferOf(l, tile, d->element)) {
    buffer = cpuFind(l, tile)->buffer;
  } else {
    buffer = cpuAllocateBuffer(l, mlirValueGetType(tile), d->element);
    MlirValue ends[2] = {d->seen[0], {NULL}};
    // A pass takes all its rows, seen or not.
    if (!mlirValueIsNull(ends[0])) ends[0] = plus(l, ends[0], cpuI64(l, MAX_ROWS));
    cpuWriteUpTo(l, tile, &buffer, ends);
  }
  d->a = buffer.pointer;
  d->aRow = buffer.strides[buffer.rank - 2];
  d->aBatch = buffer.rank == 3 ? buffer.strides[0] : 0;
}

static void packChunk(CpuChunk *chunk, const CpuIndex *index, void *data) {
  Dot *d = data;
  CpuLowering *l = chunk->l;
  MlirValue tile = tileDotGetB(d->op), null = {NULL};
  MlirValue value = cpuEvalVector(chunk, tile, index);
  MlirType from = tileElementType(mlirValueGetType(tile));
  value = cpuConvertFloat(l, value, from, d->element);
  // column / panel width * panel + k * panel width + column % panel width
  int last = index->rank - 1;
  int64_t panel = d->vectors * d->width;
  MlirValue width = cpuI64(l, panel), column = index->base[last];
  MlirValue number = tileBuildBinary(&l->at, "arith.divui", column, width);
  MlirValue inside = tileBuildBinary(&l->at, "arith.remui", column, width);
  MlirValue offset = plus(l, times(l, number, d->bPanel), inside);
  offset = plus(l, offset, times(l, index->base[last - 1], panel));
  if (index->rank == 3) offset = plus(l, offset, times(l, index->base[0], d->bBatch));
  MlirValue at = cpuOffset(l, d->b, d->element, offset);
  cpuStore(l, at, d->element, value, null);
}

/// B as panels, or as it lies if it is a buffer of the right type already.
static void prepareB(Dot *d) {
  CpuLowering *l = d->l;
  MlirValue tile = tileDotGetB(d->op), null = {NULL};
  if (isBufferOf(l, tile, d->element)) {
    CpuBuffer buffer = cpuFind(l, tile)->buffer;
    d->b = buffer.pointer;
    d->bRow = buffer.strides[buffer.rank - 2];
    d->bPanel = d->vectors * d->width;
    d->bBatch = buffer.rank == 3 ? buffer.strides[0] : 0;
    return;
  }
  int64_t panel = d->vectors * d->width, panels = (d->n + panel - 1) / panel;
  d->bRow = panel;
  d->bPanel = d->k * panel;
  d->bBatch = panels * d->bPanel;
  d->b = cpuAllocateStack(l, d->element, d->batch * d->bBatch);
  CpuNest nest = cpuNestOf(l, mlirValueGetType(tile));
  nest.width = d->width;
  if (!mlirValueIsNull(d->seen[1])) nest.ends[1] = plus(l, d->seen[1], cpuI64(l, panel));
  cpuVersionedNest(l, &nest, 1, &tile, null, packChunk, d);
}

/// The buffer that the dot accumulates in.
static CpuBuffer prepareC(Dot *d) {
  CpuLowering *l = d->l;
  MlirValue acc = tileDotGetAcc(d->op);
  CpuSlot *slot = cpuFind(l, acc);
  CpuBuffer buffer;
  if (slot->form == CPU_BUFFER && slot->owned && cpuDiesAt(acc, d->op)) {
    buffer = slot->buffer;
  } else {
    buffer = cpuAllocateBuffer(l, mlirValueGetType(acc), (MlirType){NULL});
    d->fromZero = tileIsZero(acc);
    if (!d->fromZero) cpuWrite(l, acc, &buffer);
  }
  d->c = buffer.pointer;
  d->cRow = buffer.strides[buffer.rank - 2];
  d->cBatch = buffer.rank == 3 ? buffer.strides[0] : 0;
  return buffer;
}

void cpuLowerDot(CpuLowering *l, MlirOperation op) {
  if (!tileTypeIsTile(mlirValueGetType(tileDotGetA(op))) ||
      !tileTypeIsTile(mlirValueGetType(tileDotGetB(op)))) {
    cpuFail(l, op, "a dot of tiles, not of shared buffers");
    return;
  }
  int64_t a[CPU_MAX_RANK], c[CPU_MAX_RANK];
  MlirType type = mlirValueGetType(tileResult(op));
  int rank = tileShape(type, c);
  tileShape(mlirValueGetType(tileDotGetA(op)), a);
  Dot d = {.l = l, .op = op, .element = tileElementType(type), .batch = rank == 3 ? c[0] : 1};
  d.m = c[rank - 2];
  d.n = c[rank - 1];
  d.k = a[rank - 1];
  d.width = cpuLanes(l, d.element);
  d.vectors = MAX_VECTORS;
  cpuFindSeen(l, op, d.seen);
  prepareA(&d);
  prepareB(&d);
  CpuBuffer result = prepareC(&d);
  if (d.batch == 1) {
    allPanels(&d, d.a, d.b, d.c);
  } else {
    CpuLoop loop;
    MlirValue zero = cpuI64(l, 0), to = cpuI64(l, d.batch), one = cpuI64(l, 1);
    MlirValue i = cpuBeginLoop(l, &loop, zero, to, one, 0, NULL);
    MlirValue aBatch = advance(&d, d.a, i, d.aBatch);
    MlirValue bBatch = advance(&d, d.b, i, d.bBatch);
    MlirValue cBatch = advance(&d, d.c, i, d.cBatch);
    allPanels(&d, aBatch, bBatch, cBatch);
    cpuEndLoop(l, &loop, 0, NULL);
  }
  cpuSetBuffer(l, tileResult(op), result, true);
}
