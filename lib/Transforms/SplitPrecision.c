//===- SplitPrecision.c - products of f32 as three of tf32 ----------------===//
//
// Before:  %d = tile.dot %a, %b, %c precision tf32x3
// After:   %x = tile.dot %a, %b, 0 precision tf32
//          %as = %a - (%a, its lower 13 bits cleared)        0 where %a is infinite or no number
//          %y = tile.dot %as, %b, %x precision tf32
//          %bs = %b - (%b, its lower 13 bits cleared)
//          %z = tile.dot %a, %bs, %y precision tf32
//          %d = %c + %z
//
// Tensor cores see the upper 19 bits of an f32: its large part, exactly. What that leaves of it,
// the small part, has 13 bits, 11 of which they see, so that all but some 2^-21 of each product is
// summed up; what is missing is about as much as f32 rounds off a sum. The large product comes
// first, since it needs nothing computed: the small parts are taken while it is on the tensor
// cores.
//
// Tensor cores cut short what they add, always towards zero: 1,536 such additions, those of 4,096
// of K, lose 4e-5 of a sum. So each dot begins at zero, and its sum is added as f32 rounds.
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
  // Of an infinity, infinity - infinity: no number, and unequal to itself.
  enum { oeq = 1 };
  MlirType truths = tileWithElement(type, mlirIntegerTypeGet(b->context, 1));
  MlirAttribute predicate = mlirIntegerAttrGet(mlirIntegerTypeGet(b->context, 64), oeq);
  MlirValue isNumber = tileResult(tileBuildOp(b, "arith.cmpf", TILE_VALUES(rest, rest), 1, &truths,
                                              TILE_ATTRS({"predicate", predicate}), 0));
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
  MlirValue before = tileDotGetAcc(op), zero = tileBuildZero(b, mlirValueGetType(before));
  MlirValue sum = product(b, op, x, y, zero);
  MlirValue xs = smallPart(b, x);
  sum = product(b, op, xs, y, sum);
  MlirValue ys = smallPart(b, y);
  sum = product(b, op, x, ys, sum);
  results[0] = tileIsZero(before) ? sum : tileBuildBinary(b, "arith.addf", before, sum);
  return true;
}

MlirLogicalResult tileRunSplitPrecision(MlirOperation func) {
  static const TilePattern patterns[] = {{"tile.dot", split}};
  tileApplyPatterns(func, TILE_PATTERNS(patterns), NULL);
  return mlirLogicalResultSuccess();
}
