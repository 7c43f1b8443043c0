//===- ExpandPower.c - powers of integers as multiplications --------------===//
//
// Before:  %r = math.ipowi %x, %n : tensor<64xi32>
// After:   %r = 1;  for each bit i of %n but its sign:
//            %r = %r * select(bit i of %n, %x, 1)
//            %x = %x * %x
//          %r = select(%n < 0 and %x + 1 u> 2, 0, %r)
//
// Numbers wrap. A negative power of 1 and -1 is that of the same bits without the sign, as only
// their parity counts; of 0 it is undefined, of all others it rounds to 0. Of a power known now,
// the bits above its highest are left out.
//
//===----------------------------------------------------------------------===//
#include "Expand.h"

/// How many bits of the power may be set, its sign aside.
static int bitsOf(MlirValue n, int width) {
  int64_t known;
  if (!tileConstantInt(n, &known) || known < 0) return width - 1;
  int bits = 0;
  while (known >> bits) ++bits;
  return bits;
}

static MlirValue compareInt(TileBuilder *b, int predicate, MlirValue x, int64_t y) {
  MlirValue constant = tileBuildInt(b, mlirValueGetType(x), y);
  return tileBuildCmpi(b, predicate, x, constant);
}

bool tileExpandIPowI(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  MlirValue x = tileOperand(op, 0), n = tileOperand(op, 1), power = x;
  MlirType type = mlirValueGetType(x);
  int bits = bitsOf(n, tileBitWidth(tileElementType(type)));
  MlirValue one = tileBuildInt(b, type, 1), result = one;
  for (int i = 0; i < bits; ++i) {
    if (i) power = tileBuildBinary(b, "arith.muli", power, power);
    MlirValue bit = tileBuildWithInt(b, "arith.andi", n, INT64_C(1) << i);
    MlirValue isSet = compareInt(b, TILE_NE, bit, 0);
    MlirValue factor = tileBuildSelect(b, isSet, power, one);
    result = tileBuildBinary(b, "arith.muli", result, factor);
  }
  MlirValue isNegative = compareInt(b, TILE_SLT, n, 0);
  MlirValue above = tileBuildWithInt(b, "arith.addi", x, 1);
  MlirValue vanishes = compareInt(b, TILE_UGT, above, 2);
  vanishes = tileBuildBinary(b, "arith.andi", vanishes, isNegative);
  MlirValue zero = tileBuildInt(b, type, 0);
  results[0] = tileBuildSelect(b, vanishes, zero, result);
  return true;
}
