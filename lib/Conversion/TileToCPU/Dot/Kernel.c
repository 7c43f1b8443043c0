//===- Kernel.c - products of a few rows and vectors in registers ---------===//
//
//   acc[R][V] = C
//   scf.for %k { b[V] = panel row; for r: acc[r][v] = fma(A[r][k], b[v], acc[r][v]) }
//   C = acc
//
// Bytes are multiplied by vpdpbusd, which adds four products of a byte without a sign and one with
// a sign to each i32. A's bytes are stored with 128 added (Pack.c), and that is taken back:
//
//   sum a * b  =  sum (a + 128) * b  -  sum 128 * b
//
// where the last sum is one more row of A, of bytes of 128, the same for all rows of C.
//
//===----------------------------------------------------------------------===//
#include "Dot.h"
#include <stdio.h>

static MlirValue broadcast(Dot *d, MlirValue x) {
  MlirType type = tileVectorType(d->width, mlirValueGetType(x));
  return tileBuildUnary(&d->l->at, "vector.broadcast", type, x);
}

/// c + the sums of four products of bytes of `a`, without signs, and `b`.
static MlirValue addBytes(Dot *d, MlirValue a, MlirValue b, MlirValue c) {
  CpuLowering *l = d->l;
  char name[48];
  snprintf(name, sizeof name, "llvm.x86.avx512.vpdpbusd.%d", (int)l->vectorBits);
  MlirType type = mlirValueGetType(c), bytes = mlirValueGetType(b);
  a = tileBuildUnary(&l->at, "llvm.bitcast", bytes, a);
  int32_t segments[] = {3, 0};
  return tileResult(tileBuildOp(
      &l->at, "llvm.call_intrinsic", TILE_VALUES(c, a, b), 1, &type,
      TILE_ATTRS({"intrin", tileStringAttr(l->context, name)},
                 {"op_bundle_sizes", mlirDenseI32ArrayGet(l->context, 0, NULL)},
                 {"operandSegmentSizes", mlirDenseI32ArrayGet(l->context, 2, segments)}),
      0));
}

MlirValue dotMultiplyAdd(Dot *d, MlirValue a, MlirValue b, MlirValue c) {
  CpuLowering *l = d->l;
  if (d->bytes) return addBytes(d, a, b, c);
  MlirType type = mlirValueGetType(b);
  if (tileTypeIsFloat(d->element))
    return tileBuild(&l->at, "vector.fma", type, TILE_VALUES(a, b, c));
  MlirValue product = tileBuildBinary(&l->at, "arith.muli", a, b);
  return tileBuildBinary(&l->at, "arith.addi", c, product);
}

typedef struct {
  Dot *d;
  int rows, vectors;
  MlirValue a[DOT_MAX_ROWS], c[DOT_MAX_ROWS]; ///< pointers
  /// rows x vectors; of bytes, behind them what 128 added.
  MlirValue sums[(DOT_MAX_ROWS + 1) * DOT_MAX_VECTORS];
  int numSums;
} Kernel;

MlirValue dotLoadSum(Dot *d, MlirValue at) {
  CpuLowering *l = d->l;
  MlirType type = tileVectorType(d->width, d->element);
  MlirValue zero = tileTypeIsFloat(d->element) ? cpuFloat(l, type, 0) : cpuInt(l, type, 0);
  MlirValue mask = {NULL};
  if (d->fromZero) return zero;
  if (!mlirValueIsNull(d->fresh)) {
    MlirValue is = tileBuildInt(&l->at, tileI1(l->context), 1);
    mask = broadcast(d, tileBuildBinary(&l->at, "arith.xori", d->fresh, is));
  }
  return cpuLoad(l, at, d->element, d->width, mask, zero);
}

static void begin(Kernel *kernel, MlirValue a, MlirValue c) {
  Dot *d = kernel->d;
  for (int r = 0; r < kernel->rows; ++r) {
    kernel->a[r] = dotAdvanceBy(d, a, d->a.element, r * d->a.row);
    kernel->c[r] = dotAdvanceBy(d, c, d->element, r * d->cRow);
    for (int v = 0; v < kernel->vectors; ++v)
      kernel->sums[kernel->numSums++] =
          dotLoadSum(d, dotAdvanceBy(d, kernel->c[r], d->element, v * d->width));
  }
  MlirType type = tileVectorType(d->width, d->element);
  for (int v = 0; d->bytes && v < kernel->vectors; ++v)
    kernel->sums[kernel->numSums++] = cpuInt(d->l, type, 0);
}

/// One unit of K.
static void multiply(Kernel *kernel, MlirValue b, MlirValue k) {
  Dot *d = kernel->d;
  CpuLowering *l = d->l;
  MlirValue row = dotAdvance(d, b, d->b.element, k, d->b.row), bs[DOT_MAX_VECTORS], null = {NULL};
  int64_t width = d->width * d->unit;
  for (int v = 0; v < kernel->vectors; ++v)
    bs[v] =
        cpuLoad(l, dotAdvanceBy(d, row, d->b.element, v * width), d->b.element, width, null, null);
  // Four bytes of A are one number.
  MlirType whole = d->bytes ? tileI32(l->context) : d->a.element;
  for (int r = 0; r < kernel->rows; ++r) {
    MlirValue at = dotAdvance(d, kernel->a[r], d->a.element, k, d->a.k);
    MlirValue x = broadcast(d, cpuLoad(l, at, whole, 0, null, null));
    for (int v = 0; v < kernel->vectors; ++v) {
      MlirValue *sum = &kernel->sums[r * kernel->vectors + v];
      *sum = dotMultiplyAdd(d, x, bs[v], *sum);
    }
  }
  for (int v = 0; d->bytes && v < kernel->vectors; ++v) {
    MlirValue *sum = &kernel->sums[kernel->rows * kernel->vectors + v];
    *sum = dotMultiplyAdd(d, cpuInt(l, mlirValueGetType(*sum), INT32_C(-0x7f7f7f80)), bs[v], *sum);
  }
}

static void end(Kernel *kernel) {
  Dot *d = kernel->d;
  CpuLowering *l = d->l;
  MlirValue null = {NULL}, *added = &kernel->sums[kernel->rows * kernel->vectors];
  for (int r = 0; r < kernel->rows; ++r)
    for (int v = 0; v < kernel->vectors; ++v) {
      MlirValue sum = kernel->sums[r * kernel->vectors + v];
      if (d->bytes) sum = tileBuildBinary(&l->at, "arith.subi", sum, added[v]);
      MlirValue at = dotAdvanceBy(d, kernel->c[r], d->element, v * d->width);
      cpuStore(l, at, d->element, sum, null);
    }
}

void dotKernel(Dot *d, MlirValue a, MlirValue b, MlirValue c, int rows, int vectors,
               const DotFetch fetch[2]) {
  CpuLowering *l = d->l;
  Kernel kernel = {.d = d, .rows = rows, .vectors = vectors};
  begin(&kernel, a, c);
  CpuLoop loop;
  MlirValue zero = cpuI64(l, 0), one = cpuI64(l, 1);
  MlirValue k = cpuBeginLoop(l, &loop, zero, d->depth, one, kernel.numSums, kernel.sums);
  for (int i = 0; i < 2; ++i)
    if (fetch[i].of) dotFetchAhead(d, &fetch[i], k);
  multiply(&kernel, b, k);
  cpuEndLoop(l, &loop, kernel.numSums, kernel.sums);
  end(&kernel);
}
