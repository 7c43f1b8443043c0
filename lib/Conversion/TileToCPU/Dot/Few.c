//===- Few.c - products of few rows, whose B is read where it lies --------===//
//
// A copy of B is read once for every pass over the rows. Where one pass of few rows is all there
// is, B is multiplied as it is loaded (and converted), without a copy:
//
//   scf.for each V vectors of columns {
//     acc[R][V] = C
//     scf.for %k { b[V] = B[%k][..]; for r: acc[r][v] = fma(A[r][%k], b[v], acc[r][v]) }
//     C = acc
//   }
//
// with R of 1 or 4, as few as are seen, and as many vectors as registers are left for: the fewer
// rows there are, the longer is what is read of each row of B. Rows of B further along K are
// fetched ahead, as each lies on a page of its own.
//
//===----------------------------------------------------------------------===//
#include "Dot.h"
#include "tile/MachineNumbers.h"

enum { MAX_VECTORS = 8, FEW = 4 };

/// Vectors of columns beside so many rows; 0: registers do not hold them.
static int vectorsBeside(const Dot *d, int rows) {
  int registers = d->l->vectorBits == 512 ? 32 : 16, fit = (registers - 4) / (rows + 1), count = 0;
  for (int v = 1; v <= fit && v <= MAX_VECTORS; v *= 2) count = v;
  return count;
}

bool dotMayHaveFewRows(Dot *d) {
  MlirValue b = tileDotGetB(d->op);
  return !d->bytes && d->batch == 1 && (d->m <= FEW || !mlirValueIsNull(d->seen[0])) &&
         cpuFind(d->l, b)->form == CPU_INLINE && cpuLiesTogether(d->l, b, 1);
}

MlirValue dotHasFewRows(Dot *d) {
  CpuLowering *l = d->l;
  if (d->m <= FEW) return (MlirValue){NULL};
  return tileBuildCmpi(&l->at, TILE_SLE, d->seen[0], cpuI64(l, FEW));
}

typedef struct {
  Dot *d;
  int rows, vectors;
  bool fast;
  MlirValue a;    ///< where this step's A is
  MlirValue tail; ///< of the last columns, or null
} Few;

/// Fetches the lines of the row of B that is some rows behind `k`.
static void fetchRow(Few *f, MlirValue base, MlirValue k) {
  Dot *d = f->d;
  CpuLowering *l = d->l;
  const DotAhead *b = &d->ahead[1];
  int64_t rows = tileNumberGetInfo(TILE_NUMBER_CPU_FETCH_ROWS)->value;
  MlirType element =
      tilePtrTypeGetPointee(tileElementType(mlirValueGetType(tileLoadGetPtr(b->load))));
  int64_t bytes = f->vectors * d->width * tileElementBytes(element);
  MlirValue row = dotPlus(d, k, cpuI64(l, rows));
  MlirValue at = dotPlus(d, base, tileBuildBinary(&l->at, "arith.muli", row, b->alongK));
  for (int64_t line = 0; line < bytes; line += DOT_LINE_BYTES)
    dotFetch(l, dotPlus(d, at, cpuI64(l, line)), true);
}

static void multiplyRow(Few *f, MlirValue column, MlirValue k, MlirValue *sums) {
  Dot *d = f->d;
  CpuLowering *l = d->l;
  MlirValue tile = tileDotGetB(d->op), null = {NULL}, bs[MAX_VECTORS];
  MlirType from = tileElementType(mlirValueGetType(tile));
  for (int v = 0; v < f->vectors; ++v) {
    CpuChunk chunk = {.l = l, .width = d->width, .fast = f->fast, .tail = f->tail};
    CpuIndex index = {.rank = 2, .lane = 1, .base = {k, column}};
    if (v) index.base[1] = dotPlus(d, column, cpuI64(l, v * d->width));
    bs[v] = cpuConvertFloat(l, cpuEvalVector(&chunk, tile, &index), from, d->element);
  }
  MlirValue a = dotAdvance(d, f->a, d->a.element, k, d->a.k);
  for (int r = 0; r < f->rows; ++r) {
    MlirValue at = dotAdvanceBy(d, a, d->a.element, r * d->a.row);
    MlirValue x = cpuLoad(l, at, d->a.element, 0, null, null);
    x = tileBuildUnary(&l->at, "vector.broadcast", mlirValueGetType(bs[0]), x);
    for (int v = 0; v < f->vectors; ++v)
      sums[r * f->vectors + v] = dotMultiplyAdd(d, x, bs[v], sums[r * f->vectors + v]);
  }
}

/// All rows of `vectors` vectors of columns.
static void multiplyColumns(Few *f, MlirValue column) {
  Dot *d = f->d;
  CpuLowering *l = d->l;
  MlirValue sums[FEW * MAX_VECTORS], at[FEW * MAX_VECTORS], base = {NULL};
  int count = f->rows * f->vectors;
  MlirValue first = cpuOffset(l, d->c, d->element, column);
  for (int i = 0; i < count; ++i) {
    int64_t offset = i / f->vectors * d->cRow + i % f->vectors * d->width;
    at[i] = dotAdvanceBy(d, first, d->element, offset);
    sums[i] = dotLoadSum(d, at[i]);
  }
  MlirValue zero = cpuI64(l, 0), one = cpuI64(l, 1), null = {NULL};
  bool fetches = !mlirOperationIsNull(d->ahead[1].load);
  if (fetches) base = dotAddressOf(l, &d->ahead[1], zero, column);
  CpuLoop loop;
  MlirValue k = cpuBeginLoop(l, &loop, zero, d->depth, one, count, sums);
  if (fetches) fetchRow(f, base, k);
  multiplyRow(f, column, k, sums);
  cpuEndLoop(l, &loop, count, sums);
  for (int i = 0; i < count; ++i) cpuStore(l, at[i], d->element, sums[i], null);
}

/// Columns from `first` on, `step` of them at a time, as far as they are seen.
static void columnLoop(Few *f, int64_t first, int64_t last, int64_t step) {
  Dot *d = f->d;
  CpuLowering *l = d->l;
  if (first >= last) return;
  CpuLoop loop;
  MlirValue to = cpuI64(l, last);
  if (!mlirValueIsNull(d->seen[1])) to = tileBuildBinary(&l->at, "arith.minsi", to, d->seen[1]);
  MlirValue column = cpuBeginLoop(l, &loop, cpuI64(l, first), to, cpuI64(l, step), 0, NULL);
  multiplyColumns(f, column);
  cpuEndLoop(l, &loop, 0, NULL);
}

static void emitVersion(CpuLowering *l, bool fast, void *data) {
  Few f = *(Few *)data;
  Dot *d = f.d;
  int64_t whole = d->n / d->width * d->width, step = f.vectors * d->width;
  int64_t most = d->n / step * step;
  f.fast = fast;
  columnLoop(&f, 0, most, step);
  f.vectors = 1;
  columnLoop(&f, most, whole, d->width);
  if (whole == d->n) return;
  f.tail = cpuFirstLanes(l, d->width, d->n - whole);
  multiplyColumns(&f, cpuI64(l, whole));
}

static void emitRows(Dot *d, int rows) {
  CpuLowering *l = d->l;
  Few f = {.d = d, .rows = rows, .vectors = vectorsBeside(d, rows), .a = d->a.pointer};
  if (!mlirValueIsNull(d->step)) f.a = dotAdvance(d, f.a, d->a.element, d->step, d->k * d->a.k);
  MlirValue tile = tileDotGetB(d->op), null = {NULL};
  MlirValue condition = cpuFastCondition(l, 1, &tile, null, true);
  if (mlirValueIsNull(condition))
    emitVersion(l, false, &f);
  else
    cpuIf(l, condition, true, emitVersion, &f);
}

static void emitEither(CpuLowering *l, bool isOne, void *data) {
  (void)l;
  Dot *d = data;
  emitRows(d, isOne ? 1 : d->m < FEW ? (int)d->m : FEW);
}

void dotMultiplyFew(Dot *d) {
  CpuLowering *l = d->l;
  dotFindAhead(d);
  if (mlirValueIsNull(d->seen[0])) {
    emitRows(d, (int)d->m);
    return;
  }
  MlirValue isOne = tileBuildCmpi(&l->at, TILE_SLE, d->seen[0], cpuI64(l, 1));
  cpuIf(l, isOne, true, emitEither, d);
}
