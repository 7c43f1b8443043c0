//===- InvertDivisors.c - one reciprocal for all that it divides ----------===//
//
// Before:  %all = tile.broadcast %sum : tensor<128x1xf32> -> tensor<128x64xf32>
//          %y = arith.divf %x, %all fastmath<arcp> : tensor<128x64xf32>
// After:   %scale = |%sum| > 2^126 ? 2^-64 : |%sum| < 2^-126 ? 2^64 : 1
//          %inverse = 1 / (%sum * %scale) {tile_gpu.divisor_in_range}
//          %y = (%x * broadcast %scale) * broadcast %inverse
//
// and the same where a scalar divides (tile.splat). A division takes a special function and some
// instructions around it, of which a kernel that divides each row by its sum (softmax, attention,
// norms) has one an element; two multiplications are left of them. The scale keeps the reciprocal
// from over- and underflow, so that what y is makes no difference: 0, infinite and NaN divide as
// they do in a division. So it is said of the reciprocal (TILE_DIVISOR_IN_RANGE), which a GPU then
// takes from its special function as it is, as such a division does: right to 1 ulp, and x s is
// exact where it matters, so that the result is right to the 2 ulp that `arcp` and `afn` promise.
// Without that it was rounded correctly, in six instructions and a call for the numbers out of
// range.
//
// Divisions without those flags are exact, and stay, as do those by a number of each element.
//
// Requires: nothing.  Preserves: control flow, numerics to the accuracy that the flags promise.
//===----------------------------------------------------------------------===//
#include "tile/Passes.h"
#include "tile/Patterns.h"
#include "tile/Support/FastMath.h"
#include <math.h>

/// |y| compared with 2^exponent.
static MlirValue compare(TileBuilder *b, int predicate, MlirValue y, int exponent) {
  MlirValue bound = tileBuildFloat(b, mlirValueGetType(y), ldexp(1, exponent));
  return tileBuildCmpf(b, predicate, y, bound);
}

/// A power of two for which y times it has a reciprocal.
static MlirValue buildScale(TileBuilder *b, MlirValue y) {
  enum { limit = 126, way = 64 };
  MlirType type = mlirValueGetType(y);
  MlirValue size = tileBuildUnary(b, "math.absf", type, y);
  MlirValue large = compare(b, TILE_CMPF_OGT, size, limit);
  MlirValue small = compare(b, TILE_CMPF_OLT, size, -limit);
  MlirValue one = tileBuildFloat(b, type, 1), up = tileBuildFloat(b, type, ldexp(1, way));
  MlirValue down = tileBuildFloat(b, type, ldexp(1, -way));
  MlirValue raised = tileBuildSelect(b, small, up, one);
  return tileBuildSelect(b, large, down, raised);
}

static bool invert(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  MlirType type = mlirValueGetType(tileResult(op));
  if (!tileTypeIsTile(type) || !mlirTypeIsAF32(tileElementType(type))) return false;
  MlirOperation spread = tileValueGetOp(tileOperand(op, 1));
  if (mlirOperationIsNull(spread) || (!tileOpIsABroadcast(spread) && !tileOpIsASplat(spread)))
    return false;
  if (!tileOpHasFastMath(op, "arcp") && !tileOpHasFastMath(op, "afn")) {
    tileEmitRemark(mlirOperationGetLocation(op),
                   "each element is divided: expected fastmath<arcp> or <afn>");
    return false;
  }
  MlirValue y = tileOperand(spread, 0);
  MlirValue scale = buildScale(b, y), one = tileBuildFloat(b, mlirValueGetType(y), 1);
  MlirValue scaled = tileBuildBinary(b, "arith.mulf", y, scale);
  MlirValue inverse = tileBuildBinary(b, "arith.divf", one, scaled);
  mlirOperationSetAttributeByName(tileValueGetOp(inverse), tileString(TILE_DIVISOR_IN_RANGE),
                                  mlirUnitAttrGet(b->context));
  MlirValue scales = tileResult(tileBuildLike(b, spread, 1, &scale, &type));
  MlirValue inverses = tileResult(tileBuildLike(b, spread, 1, &inverse, &type));
  MlirValue x = tileBuildBinary(b, "arith.mulf", tileOperand(op, 0), scales);
  results[0] = tileBuildBinary(b, "arith.mulf", x, inverses);
  return true;
}

MlirLogicalResult tileRunInvertDivisors(MlirOperation func) {
  static const TilePattern patterns[] = {{"arith.divf", invert}};
  tileApplyPatterns(func, TILE_PATTERNS(patterns), NULL);
  return mlirLogicalResultSuccess();
}
