//===- Dot.c - tile.dot as a register-tiled micro-kernel ------------------===//
//
//   copy A and B (Pack.c)
//   scf.for each panel of B { scf.for each R rows of A { the micro-kernel (Kernel.c) } }
//
// R x V accumulators, V vectors of B and one of A fill the registers: 6 x 2 of 16, 14 x 2 of 32.
// Rows that R does not divide are spread evenly (128 = 8 * 13 + 2 * 12), so that no pass has few
// accumulators, which would wait for each other. The accumulator tile is updated in place where the
// value before it is dead.
//
// Rows and columns of the result that no store looks at are left out (Seen.c): at a matrix's
// border, that is most of a tile. What is left there of rows, or of a panel, is a pass of half as
// many rows, or of one vector, where that is enough.
//
// The shape of the loops is that of Goto and van de Geijn, "Anatomy of High-Performance Matrix
// Multiplication" (2008).
//===----------------------------------------------------------------------===//
#include "Dot.h"

//===- loops over rows and panels -----------------------------------------===//

typedef struct {
  Dot *d;
  MlirValue a, b, c; ///< A, a panel, and C at the panel's columns
  int rows, vectors;
  MlirValue row; ///< of a pass
  MlirValue panel, numPanels;
} Pass;

/// A is fetched in one of the panels, the number of the pass by theirs, or in as many as the next
/// steps are longer.
static DotFetch fetchA(const Pass *p, MlirValue number) {
  Dot *d = p->d;
  CpuLowering *l = d->l;
  MlirValue own = tileBuildBinary(&l->at, "arith.remui", number, p->numPanels);
  MlirValue block = dotPlus(d, p->panel, p->numPanels);
  block = tileBuildBinary(&l->at, "arith.subi", block, own);
  block = tileBuildBinary(&l->at, "arith.remui", block, p->numPanels);
  MlirValue isTurn = tileBuildCmpi(&l->at, TILE_ULT, block, l->steps.blocks);
  return dotBeginAhead(d, &d->ahead[0], p->row, isTurn, block, cpuI64(l, 0));
}

/// B is fetched in the first passes: in each a line of all rows of the panel, or one of the rows
/// that are a unit of K.
static DotFetch fetchB(const Pass *p, MlirValue number) {
  Dot *d = p->d;
  CpuLowering *l = d->l;
  int64_t bits = tileBitWidth(tileElementType(mlirValueGetType(tileDotGetB(d->op))));
  int64_t bytes = d->vectors * d->width * bits / 8;
  int64_t lines = d->b.across ? 1 : (bytes + DOT_LINE_BYTES - 1) / DOT_LINE_BYTES;
  int64_t units = d->b.across ? 1 : d->unit;
  MlirValue unit = tileBuildBinary(&l->at, "arith.remui", number, cpuI64(l, units));
  MlirValue line = tileBuildBinary(&l->at, "arith.divui", number, cpuI64(l, units));
  MlirValue block = tileBuildBinary(&l->at, "arith.divui", line, cpuI64(l, lines));
  line = tileBuildBinary(&l->at, "arith.remui", line, cpuI64(l, lines));
  MlirValue offset = tileBuildBinary(&l->at, "arith.muli", unit, d->ahead[1].alongK);
  offset = dotPlus(d, offset, dotTimes(d, line, DOT_LINE_BYTES));
  MlirValue isTurn = tileBuildCmpi(&l->at, TILE_ULT, block, l->steps.blocks);
  MlirValue column = dotTimes(d, p->panel, d->vectors * d->width);
  return dotBeginAhead(d, &d->ahead[1], column, isTurn, block, offset);
}

static void emitPass(CpuLowering *l, bool yes, void *data) {
  (void)yes;
  Pass *p = data;
  Dot *d = p->d;
  MlirValue a = dotAdvance(d, p->a, d->a.element, p->row, d->a.row);
  MlirValue c = dotAdvance(d, p->c, d->element, p->row, d->cRow);
  DotFetch fetch[2] = {{.of = NULL}, {.of = NULL}};
  // The number of the pass, nearly: rows are spread evenly.
  MlirValue number = tileBuildBinary(&l->at, "arith.divui", p->row, cpuI64(l, p->rows));
  if (!mlirOperationIsNull(d->ahead[0].load)) fetch[0] = fetchA(p, number);
  if (!mlirOperationIsNull(d->ahead[1].load)) fetch[1] = fetchB(p, number);
  dotKernel(d, a, p->b, c, p->rows, p->vectors, fetch);
}

static int halfOf(int rows) { return (rows + 1) / 2; }

/// `count` passes of `rows` rows, from row `first` on, as far as rows are seen; gives the row
/// behind them. The last pass is left out where half as many rows are enough.
static MlirValue rowLoop(Pass *p, int64_t first, int64_t count, int rows, int half) {
  Dot *d = p->d;
  CpuLowering *l = d->l;
  MlirValue from = cpuI64(l, first), to = cpuI64(l, first + count * rows), behind = to;
  if (!count) return from;
  if (!mlirValueIsNull(d->seen[0])) {
    MlirValue seen = d->seen[0];
    if (half) seen = tileBuildBinary(&l->at, "arith.subi", seen, cpuI64(l, half));
    to = tileBuildBinary(&l->at, "arith.minsi", to, seen);
    // from + passes * rows
    MlirValue left = tileBuildBinary(&l->at, "arith.subi", to, from);
    left = tileBuildBinary(&l->at, "arith.maxsi", left, cpuI64(l, 0));
    MlirValue passes = tileBuildBinary(&l->at, "arith.ceildivsi", left, cpuI64(l, rows));
    behind = dotPlus(d, from, dotTimes(d, passes, rows));
  }
  CpuLoop loop;
  p->rows = rows;
  p->row = cpuBeginLoop(l, &loop, from, to, cpuI64(l, rows), 0, NULL);
  emitPass(l, true, p);
  cpuEndLoop(l, &loop, 0, NULL);
  return behind;
}

static void allRows(Pass p) {
  Dot *d = p.d;
  CpuLowering *l = d->l;
  int64_t passes = (d->m + d->rows - 1) / d->rows;
  int64_t fewer = d->m / passes, longer = d->m - passes * fewer, split = longer * (fewer + 1);
  bool partly = !mlirValueIsNull(d->seen[0]);
  int half = partly ? halfOf((int)fewer) : 0;
  MlirValue first = rowLoop(&p, 0, longer, (int)fewer + 1, half);
  MlirValue second = rowLoop(&p, split, passes - longer, (int)fewer, half);
  if (!partly) return;
  MlirValue row = second;
  if (longer) {
    MlirValue early = tileBuildCmpi(&l->at, TILE_SLT, first, cpuI64(l, split));
    row = tileBuildSelect(&l->at, early, first, second);
  }
  p.row = row;
  p.rows = half;
  MlirValue rest = tileBuildCmpi(&l->at, TILE_SLT, row, d->seen[0]);
  cpuIf(l, rest, false, emitPass, &p);
}

typedef struct {
  Dot *d;
  MlirValue a, b, c, panel, numPanels;
  int vectors;
} Panel;

static void emitPanel(CpuLowering *l, bool yes, void *data) {
  (void)l, (void)yes;
  Panel *p = data;
  Dot *d = p->d;
  MlirValue b = dotAdvance(d, p->b, d->b.element, p->panel, d->b.panel);
  MlirValue c = dotAdvance(d, p->c, d->element, p->panel, d->vectors * d->width);
  allRows((Pass){.d = d,
                 .a = p->a,
                 .b = b,
                 .c = c,
                 .vectors = p->vectors,
                 .panel = p->panel,
                 .numPanels = p->numPanels});
}

/// All panels of whole vectors, and one of the vector that is left.
static void allPanels(Dot *d, MlirValue a, MlirValue b, MlirValue c) {
  CpuLowering *l = d->l;
  int64_t columns = (d->n + d->width - 1) / d->width;
  MlirValue vectors = cpuI64(l, columns), one = cpuI64(l, 1), zero = cpuI64(l, 0);
  bool partly = !mlirValueIsNull(d->seen[1]);
  if (partly) vectors = tileBuildBinary(&l->at, "arith.ceildivsi", d->seen[1], cpuI64(l, d->width));
  MlirValue whole = cpuI64(l, columns / d->vectors);
  if (partly) whole = tileBuildBinary(&l->at, "arith.divsi", vectors, cpuI64(l, d->vectors));
  Panel p = {d, a, b, c, whole, tileBuildBinary(&l->at, "arith.maxsi", whole, one), d->vectors};
  if (columns >= d->vectors) {
    CpuLoop loop;
    p.panel = cpuBeginLoop(l, &loop, zero, whole, one, 0, NULL);
    emitPanel(l, true, &p);
    cpuEndLoop(l, &loop, 0, NULL);
  }
  if (d->vectors == 1 || (!partly && columns % d->vectors == 0)) return;
  p.panel = whole;
  p.vectors = 1;
  if (!partly) {
    emitPanel(l, true, &p);
    return;
  }
  MlirValue done = dotTimes(d, whole, d->vectors);
  cpuIf(l, tileBuildCmpi(&l->at, TILE_SLT, done, vectors), false, emitPanel, &p);
}

static void multiply(CpuLowering *l, bool yes, void *data) {
  (void)yes;
  Dot *d = data;
  if (d->steps > 1) dotFindAhead(d);
  if (d->batch == 1) {
    allPanels(d, d->a.pointer, d->b.pointer, d->c);
    return;
  }
  CpuLoop loop;
  MlirValue zero = cpuI64(l, 0), to = cpuI64(l, d->batch), one = cpuI64(l, 1);
  MlirValue i = cpuBeginLoop(l, &loop, zero, to, one, 0, NULL);
  MlirValue a = dotAdvance(d, d->a.pointer, d->a.element, i, d->a.batch);
  MlirValue b = dotAdvance(d, d->b.pointer, d->b.element, i, d->b.batch);
  allPanels(d, a, b, dotAdvance(d, d->c, d->element, i, d->cBatch));
  cpuEndLoop(l, &loop, 0, NULL);
}

//===- all of it ----------------------------------------------------------===//

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

static Dot describe(CpuLowering *l, MlirOperation op) {
  int64_t a[CPU_MAX_RANK], c[CPU_MAX_RANK];
  MlirType type = mlirValueGetType(tileResult(op));
  int rank = tileShape(type, c);
  tileShape(mlirValueGetType(tileDotGetA(op)), a);
  Dot d = {.l = l, .op = op, .element = tileElementType(type), .batch = rank == 3 ? c[0] : 1};
  d.m = c[rank - 2];
  d.n = c[rank - 1];
  d.k = a[rank - 1];
  d.width = cpuLanes(l, d.element);
  d.vectors = d.n > d.width ? DOT_MAX_VECTORS : 1;
  d.bytes = l->hasByteDots && dotReadsBytes(op);
  d.unit = d.bytes ? 4 : 1;
  // Beside the sums: a panel's row and an element of A; of bytes, a row of sums more.
  int registers = l->vectorBits == 512 ? 32 : 16;
  d.rows = (registers - DOT_MAX_VECTORS - 1) / DOT_MAX_VECTORS - d.bytes;
  d.steps = 1;
  if (dotIsGathered(l, op)) {
    d.steps = l->steps.count;
    d.step = l->steps.number;
    intptr_t place = mlirBlockArgumentGetArgNumber(tileDotGetAcc(op)) - 1;
    if (cpuStartsByDot(l, l->steps.loop, place)) d.fresh = l->steps.begins;
  }
  return d;
}

static void emitFewOrMany(CpuLowering *l, bool few, void *data) {
  Dot d = *(Dot *)data;
  if (few) {
    dotMultiplyFew(&d);
    return;
  }
  dotPackB(&d);
  if (d.steps == 1) {
    multiply(l, true, &d);
  } else {
    d.depth = dotPlus(&d, d.depth, dotTimes(&d, d.step, d.k / d.unit));
    cpuIf(l, l->steps.ends, false, multiply, &d);
  }
}

void cpuLowerDot(CpuLowering *l, MlirOperation op) {
  if (!tileTypeIsTile(mlirValueGetType(tileDotGetA(op))) ||
      !tileTypeIsTile(mlirValueGetType(tileDotGetB(op)))) {
    cpuFail(l, op, "a dot of tiles, not of shared buffers");
    return;
  }
  Dot d = describe(l, op);
  cpuFindSeen(l, op, d.seen);
  dotPackA(&d);
  CpuBuffer result = prepareC(&d);
  d.depth = cpuFindDepth(l, op);
  if (mlirValueIsNull(d.depth))
    d.depth = cpuI64(l, d.k / d.unit);
  else if (d.unit > 1)
    d.depth = tileBuildBinary(&l->at, "arith.ceildivsi", d.depth, cpuI64(l, d.unit));
  const bool may = dotMayHaveFewRows(&d);
  MlirValue few = {NULL};
  if (may) few = dotHasFewRows(&d);
  if (mlirValueIsNull(few))
    emitFewOrMany(l, may, &d);
  else
    cpuIf(l, few, true, emitFewOrMany, &d);
  cpuSetBuffer(l, tileResult(op), result, true);
}
