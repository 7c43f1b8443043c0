//===- ExpandGelu.c - GELU by the complement of erf -----------------------===//
//
// Before:  %t = arith.mulf %h, 1.41421356 : tensor<128x256xf32>
//          %e = math.erf %t
//          %y = math.fma %h, %e, %h                   // h (1 + erf t), as GELU of x = 2 h is
//          arith.truncf %y : .. to tensor<128x256xf16>
// After:   %s = arith.minimumf |%h|, 6.75
//          %c = math.exp2 (%s p(%s)) fastmath<afn>    // 1 - erf |t|, p of degree 5
//          %y = math.fma -%s, %c, (%h + |%h|)
//
// h (1 + erf t) is 2 h - h erfc t where t is above 0, and -h erfc t below. In front of the rest
// stands 2 h or 0, exactly; nothing is computed for numbers near 0 apart, and no sign is put back:
// 11 instructions an element in place of 14. The logarithm of erfc is as good as a polynomial, and
// falls, so that numbers far out are 0 without being asked for. With s at most 6.75, where erfc is
// 2^-104, infinity becomes infinity, and no infinity meets a 0.
//
// The same of g (1 + erf t) as it is written elsewhere, where g and t are one value times
// constants of one sign:
//
//          x / 2 * (1 + erf(x / sqrt 2)),  x * (1 + erf ..) / 2,  h + h * erf ..
//
// The error is 2^-20.3 of y about 0 and above, and 2^-17.3 where y is below -0.1 times that, down
// to the numbers that f16 takes for subnormal. Before, of y = -2e-4, 2^-6 could be lost, since 1
// was added first. So that is right where y is rounded to 16 bits before anything but products
// sees it, or erf may be approximate (`afn`); others stay, as do f64 and 16 bits, and erf of
// another value than what it multiplies.
//
// Requires: nothing.  Preserves: control flow; numerics as above.
//===----------------------------------------------------------------------===//
#include "tile/Analysis/Rounded.h"
#include "tile/Passes.h"
#include "tile/Patterns.h"
#include "tile/Support/FastMath.h"
#include "tile/Tile.h"
#include <math.h>

/// x times a constant.
typedef struct {
  MlirValue x;
  double factor;
} Multiple;

static Multiple multipleOf(MlirValue value) {
  enum { mostFactors = 4 };
  Multiple m = {value, 1};
  for (int i = 0; i < mostFactors; ++i) {
    MlirOperation op = tileValueGetOp(m.x);
    double c;
    if (mlirOperationIsNull(op)) return m;
    bool isProduct = tileOpIs(op, "arith.mulf");
    if (!isProduct && !tileOpIs(op, "arith.divf")) return m;
    bool isSecond = tileConstantFloat(tileOperand(op, 1), &c);
    if (!isSecond && !(isProduct && tileConstantFloat(tileOperand(op, 0), &c))) return m;
    m.factor *= isProduct ? c : 1 / c;
    m.x = tileOperand(op, isSecond ? 0 : 1);
  }
  return m;
}

/// The operation named `name` where it defines `value`, which has one use; null otherwise.
static MlirOperation definedBy(MlirValue value, const char *name) {
  MlirOperation op = tileValueGetOp(value), none = {NULL};
  if (mlirOperationIsNull(op) || !tileOpIs(op, name)) return none;
  return mlirOpOperandIsNull(tileOnlyUse(value)) ? none : op;
}

static MlirOperation erfOf(MlirValue value) {
  bool isNarrow = mlirTypeIsAF32(tileElementType(mlirValueGetType(value)));
  return isNarrow ? definedBy(value, "math.erf") : (MlirOperation){NULL};
}

/// How many times what `erf` is of is what it multiplies, h in 2 h = x of GELU being 1; 0 if none.
static double widthOf(MlirOperation erf, MlirValue g) {
  Multiple inner = multipleOf(tileOperand(erf, 0)), outer = multipleOf(g);
  if (!mlirValueEqual(inner.x, outer.x)) return 0;
  double width = inner.factor / outer.factor / sqrt(2);
  // Coefficients are multiplied by its powers; others than GELU's, 1 and 1/2, are still numbers.
  return width >= 0x1p-6 && width <= 0x1p6 ? width : 0;
}

static MlirValue fma3(TileBuilder *b, MlirValue x, MlirValue y, MlirValue z) {
  return tileBuild(b, "math.fma", mlirValueGetType(x), TILE_VALUES(x, y, z));
}

/// g + |g| - s 2^(s p(s)), s = min(|g|, limit).
static MlirValue build(TileBuilder *b, MlirValue g, double width) {
  // log2(erfc(sqrt 2 s)) / s, fitted to s from 0 to 2.8 with weights as the error is promised.
  static const double fitted[] = {0x1.16b33p-9,   -0x1.8e4148p-6, 0x1.06425p-3,
                                  -0x1.b3e4c2p-2, -0x1.d5ff0cp+0, -0x1.26b012p+1};
  enum { count = sizeof fitted / sizeof *fitted };
  MlirType type = mlirValueGetType(g);
  MlirValue size = tileBuildUnary(b, "math.absf", type, g);
  MlirValue limit = tileBuildFloat(b, type, 6.75 / width);
  MlirValue s = tileBuildBinary(b, "arith.minimumf", size, limit);
  MlirValue p = {NULL};
  for (int i = 0; i < count; ++i) {
    MlirValue c = tileBuildFloat(b, type, fitted[i] * pow(width, count - i));
    p = i ? fma3(b, p, s, c) : c;
  }
  MlirValue power = tileBuildBinary(b, "arith.mulf", p, s);
  MlirValue rest = tileBuildUnary(b, "math.exp2", type, power);
  MlirAttribute afn =
      mlirAttributeParseGet(b->context, mlirStringRefCreateFromCString("#arith.fastmath<afn>"));
  mlirOperationSetAttributeByName(tileValueGetOp(rest), tileString("fastmath"), afn);
  MlirValue twice = tileBuildBinary(b, "arith.addf", g, size);
  MlirValue minus = tileBuildUnary(b, "arith.negf", type, s);
  return fma3(b, minus, rest, twice);
}

/// `op` is g (1 + erf t).
static bool expand(TileBuilder *b, MlirOperation op, MlirOperation erf, MlirValue g,
                   MlirValue *results) {
  if (mlirOperationIsNull(erf)) return false;
  double width = widthOf(erf, g);
  if (width <= 0) return false;
  if (!tileOpHasFastMath(erf, "afn") && !tileIsRoundedTo16(tileResult(op))) {
    tileEmitRemark(mlirOperationGetLocation(erf),
                   "erf is computed as it is: its sum is not rounded to 16 bits, nor may it be "
                   "approximate");
    return false;
  }
  results[0] = build(b, g, width);
  return true;
}

/// g erf + g.
static bool expandFma(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  for (int i = 0; i < 2; ++i)
    if (mlirValueEqual(tileOperand(op, 1 - i), tileOperand(op, 2)))
      if (expand(b, op, erfOf(tileOperand(op, i)), tileOperand(op, 2), results)) return true;
  return false;
}

/// g + g * erf.
static bool expandSum(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  for (int i = 0; i < 2; ++i) {
    MlirOperation product = definedBy(tileOperand(op, i), "arith.mulf");
    MlirValue g = tileOperand(op, 1 - i);
    if (mlirOperationIsNull(product)) continue;
    for (int k = 0; k < 2; ++k)
      if (mlirValueEqual(tileOperand(product, 1 - k), g) &&
          expand(b, op, erfOf(tileOperand(product, k)), g, results))
        return true;
  }
  return false;
}

/// g * (1 + erf).
static bool expandProduct(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  for (int i = 0; i < 2; ++i) {
    MlirOperation sum = definedBy(tileOperand(op, i), "arith.addf");
    if (mlirOperationIsNull(sum)) continue;
    for (int k = 0; k < 2; ++k) {
      double one;
      if (tileConstantFloat(tileOperand(sum, 1 - k), &one) && one == 1 &&
          expand(b, op, erfOf(tileOperand(sum, k)), tileOperand(op, 1 - i), results))
        return true;
    }
  }
  return false;
}

MlirLogicalResult tileRunExpandGelu(MlirOperation func) {
  static const TilePattern patterns[] = {
      {"math.fma", expandFma}, {"arith.addf", expandSum}, {"arith.mulf", expandProduct}};
  tileApplyPatterns(func, TILE_PATTERNS(patterns), NULL);
  return mlirLogicalResultSuccess();
}
