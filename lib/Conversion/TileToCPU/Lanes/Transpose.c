//===- Transpose.c - squares of vectors, in registers ---------------------===//
//
// log2(W) rounds of W shuffles of two rows: in the round of distance d rows i and i + d, where bit
// d of i is 0, exchange the elements in which row and column differ in that bit (Eklundh, "A Fast
// Computer Method for Matrix Transposing", IEEE Transactions on Computers, 1972).
//
//        d = 1             d = 2
//   a0 a1 a2 a3      a0 b0 a2 b2      a0 b0 c0 d0
//   b0 b1 b2 b3  ->  a1 b1 a3 b3  ->  a1 b1 c1 d1
//   c0 c1 c2 c3      c0 d0 c2 d2      a2 b2 c2 d2
//   d0 d1 d2 d3      c1 d1 c3 d3      a3 b3 c3 d3
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"

enum { MAX_LANES = 64 };

static MlirValue shuffle(CpuLowering *l, MlirValue x, MlirValue y, int count,
                         const int64_t *order) {
  MlirType type = mlirValueGetType(x);
  MlirAttribute mask = mlirDenseI64ArrayGet(l->context, count, order);
  return tileResult(tileBuildOp(&l->at, "vector.shuffle", TILE_VALUES(x, y), 1, &type,
                                TILE_ATTRS({"mask", mask}), 0));
}

void cpuTranspose(CpuLowering *l, MlirValue *rows, int count) {
  for (int distance = 1; distance < count; distance *= 2)
    for (int i = 0; i < count; ++i) {
      if (i & distance) continue;
      int64_t low[MAX_LANES], high[MAX_LANES];
      for (int c = 0; c < count; ++c) {
        bool second = c & distance;
        low[c] = second ? count + c - distance : c;
        high[c] = second ? count + c : c + distance;
      }
      MlirValue x = rows[i], y = rows[i + distance];
      rows[i] = shuffle(l, x, y, count, low);
      rows[i + distance] = shuffle(l, x, y, count, high);
    }
}
