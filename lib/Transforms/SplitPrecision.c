//===- SplitPrecision.c - products of f32 as three of tf32 ----------------===//
//
// Before:  %d = tile.dot %a, %b, %c precision tf32x3
// After:   %as = %a - (%a, its lower 13 bits cleared)        0 where %a is infinite or no number
//          %bs = %b - (%b, its lower 13 bits cleared)
//          %x = tile.dot %as, %b, %c precision tf32
//          %y = tile.dot %a, %bs, %x precision tf32
//          %d = tile.dot %a, %b, %y precision tf32
//
// Tensor cores see the upper 19 bits of an f32: its large part, exactly. What that leaves of it,
// the small part, has 13 bits, 11 of which they see, so that all but some 2^-21 of each product is
// summed up; what is missing is about as much as f32 rounds off a sum. The small products come
// first, while the sum of a step has most bits for them.
//
// The split into parts is that of Ootomo and Yokota, "Recovering single precision accuracy from
// Tensor Cores while surpassing the FP32 theoretical peak performance" (2022); CUTLASS and Triton
// have it too. Theirs round the large part, which costs an instruction for each element; here what
// the tensor cores cut off is computed.
//
// Requires: nothing.  Preserves: control flow. Rounds as `precision tf32x3` allows.
//===----------------------------------------------------------------------===//
#include "tile/Passes.h"
#include "tile/Patterns.h"

/// What tensor cores do not see of `x`.
static MlirValue smallPart(TileBuilder *b, MlirValue x) {
  MlirType type = mlirValueGetType(x), bits = tileWithElement(type, tileI32(b->context));
  MlirValue all = tileBuildUnary(b, "arith.bitcast", bits, x);
  MlirValue seen = tileBuildInt(b, bits, (int32_t)0xffffe000);
  MlirValue top = tileBuildBinary(b, "arith.andi", all, seen);
  MlirValue large = tileBuildUnary(b, "arith.bitcast", type, top);
  MlirValue rest = tileBuildBinary(b, "arith.subf", x, large);
  MlirValue exponents = tileBuildInt(b, bits, 0x7f800000);
  MlirValue exponent = tileBuildBinary(b, "arith.andi", all, exponents);
  MlirValue isNumber = tileBuildCmpi(b, TILE_NE, exponent, exponents);
  MlirValue zero = tileBuildZero(b, type);
  return tileBuildSelect(b, isNumber, rest, zero);
}

static MlirValue product(TileBuilder *b, MlirOperation dot, MlirValue x, MlirValue y,
                         MlirValue acc) {
  MlirType type = mlirValueGetType(acc);
  const MlirValue operands[] = {x, y, acc};
  MlirOperation made = tileBuildLike(b, dot, 3, operands, &type);
  mlirOperationSetAttributeByName(made, tileString("precision"),
                                  tileParseAttr(b->context, "#tile<precision tf32>"));
  return tileResult(made);
}

static bool split(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  if (tileDotGetPrecision(op) != TILE_PRECISION_TF32X3) return false;
  MlirValue x = tileDotGetA(op), y = tileDotGetB(op);
  MlirValue xs = smallPart(b, x);
  MlirValue ys = smallPart(b, y);
  MlirValue sum = product(b, op, xs, y, tileDotGetAcc(op));
  sum = product(b, op, x, ys, sum);
  results[0] = product(b, op, x, y, sum);
  return true;
}

MlirLogicalResult tileRunSplitPrecision(MlirOperation func) {
  static const TilePattern patterns[] = {{"tile.dot", split}};
  tileApplyPatterns(func, TILE_PATTERNS(patterns), NULL);
  return mlirLogicalResultSuccess();
}
