//===- LibdeviceRounding.c - what is rounded in a direction ---------------===//
//
// __nv_fadd_rz and its like: the result is rounded to the nearest first; the sign of what is left,
// which is exact, says whether it lies beyond the number that was asked for, and then its neighbour
// is taken. What is left of a sum is Knuth's two-sum, of an fma what Boldo and Muller ("Exact
// and Approximated Error of the FMA", 2011) show, of the others an fma. Where a quotient or a root
// underflows so far that its rest is no float, or only the product within an fma overflows, it is
// that of the nearest. Conversions from floats to integers end where PTX's cvt ends.
//===----------------------------------------------------------------------===//
#include "LibdeviceKit.h"
#include <math.h>

typedef MlirValue V;
typedef enum { DOWN, UP, TO_ZERO, NEAREST } Direction;

/// `v`, or its neighbour where it lies on the wrong side: `rest` has the sign of the number meant
/// less v. An infinity that came of finite operands, `overflows`, lies beyond any.
static V direct(const ExternCall *c, V v, V rest, V overflows, Direction direction) {
  bool wide = xIsDouble(v);
  MlirType element = tileElementType(mlirValueGetType(v));
  MlirType number = wide ? tileI64(c->b->context) : tileI32(c->b->context);
  V size = xMath(c, "math.absf", v), infinite = xIs(c, EXTERN_OEQ, size, INFINITY);
  V beyond = xOp(c, "arith.andi", infinite, overflows), back = xScale(c, v, -1);
  rest = xPick(c, beyond, back, rest);
  V isAbove = xIs(c, EXTERN_OLT, rest, 0), isBelow = xIs(c, EXTERN_OGT, rest, 0);
  V positive = xIs(c, EXTERN_OGT, v, 0), negative = xIs(c, EXTERN_OLT, v, 0);
  // Towards zero is down above it, and up below.
  V down = direction == DOWN ? isAbove : xOp(c, "arith.andi", isAbove, positive);
  V up = direction == UP ? isBelow : xOp(c, "arith.andi", isBelow, negative);
  V bits = xCast(c, "arith.bitcast", v, number), one = xInt(c, bits, 1), minus = xInt(c, bits, -1);
  V lower = tileBuildSelect(c->b, positive, minus, one);
  V higher = tileBuildSelect(c->b, negative, minus, one); // of zero the least number
  V zero = xInt(c, bits, 0), step = zero;
  if (direction != UP) step = tileBuildSelect(c->b, down, lower, step);
  if (direction != DOWN) step = tileBuildSelect(c->b, up, higher, step);
  V moved = xOp(c, "arith.addi", bits, step);
  return xCast(c, "arith.bitcast", moved, element);
}

static V isFinite(const ExternCall *c, V x) {
  V size = xMath(c, "math.absf", x);
  return xIs(c, EXTERN_OLT, size, INFINITY);
}
static V bothFinite(const ExternCall *c, V x, V y) {
  V first = isFinite(c, x), second = isFinite(c, y);
  return xOp(c, "arith.andi", first, second);
}

/// What `v`, the float nearest to the sum of x and y, is short of that sum.
static V restOfSum(const ExternCall *c, V v, V x, V y) {
  V part = xSub(c, v, x), other = xSub(c, v, part);
  V left = xSub(c, x, other), right = xSub(c, y, part);
  return xAdd(c, left, right);
}
/// Downwards what cancels is -0, as is a sum of zeros of which one is -0: the sign of the lesser.
static V sum(const ExternCall *c, V x, V y, Direction direction) {
  V v = xAdd(c, x, y), rest = restOfSum(c, v, x, y);
  if (direction == DOWN) {
    V least = xOp(c, "arith.minimumf", x, y), zero = xOp(c, "math.copysign", v, least);
    v = xPick(c, xIs(c, EXTERN_OEQ, v, 0), zero, v);
  }
  return direct(c, v, rest, bothFinite(c, x, y), direction);
}
static V difference(const ExternCall *c, Direction direction) {
  V negative = xScale(c, c->in[1], -1);
  return sum(c, c->in[0], negative, direction);
}
static V product(const ExternCall *c, Direction direction) {
  V x = c->in[0], y = c->in[1], v = xMul(c, x, y), back = xScale(c, v, -1);
  V rest = xFma(c, x, y, back);
  return direct(c, v, rest, bothFinite(c, x, y), direction);
}
static V quotient(const ExternCall *c, V x, V y, Direction direction) {
  V v = xDiv(c, x, y), back = xScale(c, v, -1), left = xFma(c, back, y, x);
  V below = xIs(c, EXTERN_OLT, y, 0), turned = xScale(c, left, -1);
  V rest = xPick(c, below, turned, left), finite = bothFinite(c, x, y);
  V divides = xIs(c, EXTERN_UNE, y, 0), overflows = xOp(c, "arith.andi", finite, divides);
  return direct(c, v, rest, overflows, direction);
}
static V reciprocal(const ExternCall *c, Direction direction) {
  V one = xNum(c, c->in[0], 1);
  return quotient(c, one, c->in[0], direction);
}
static V root(const ExternCall *c, Direction direction) {
  V x = c->in[0], v = xMath(c, "math.sqrt", x), back = xScale(c, v, -1);
  V rest = xFma(c, back, v, x);
  return direct(c, v, rest, isFinite(c, x), direction);
}

static V fused(const ExternCall *c, Direction direction) {
  V x = c->in[0], y = c->in[1], z = c->in[2], v = xFma(c, x, y, z);
  V high = xMul(c, x, y), back = xScale(c, high, -1), low = xFma(c, x, y, back);
  V more = xAdd(c, z, low), least = restOfSum(c, more, z, low);
  V most = xAdd(c, high, more), less = restOfSum(c, most, high, more);
  V apart = xSub(c, most, v), gap = xAdd(c, apart, less), rest = xAdd(c, gap, least);
  V finite = bothFinite(c, x, y), overflows = xOp(c, "arith.andi", finite, isFinite(c, z));
  return direct(c, v, rest, overflows, direction);
}

//===- conversions --------------------------------------------------------===//

/// 1 of v's type where the number meant is above, -1 where it is below, else 0.
static V side(const ExternCall *c, V v, V above, V below) {
  V one = xNum(c, v, 1), minus = xNum(c, v, -1), zero = xNum(c, v, 0);
  V otherwise = xPick(c, below, minus, zero);
  return xPick(c, above, one, otherwise);
}
/// f64 to f32.
static V narrowed(const ExternCall *c, Direction direction) {
  V x = c->in[0], v = tileBuildUnary(c->b, "arith.truncf", c->type, x);
  if (direction == NEAREST) return v;
  V wide = xCast(c, "arith.extf", v, mlirF64TypeGet(c->b->context));
  V above = xTest(c, EXTERN_OGT, x, wide), below = xTest(c, EXTERN_OLT, x, wide);
  V rest = side(c, v, above, below);
  return direct(c, v, rest, isFinite(c, x), direction);
}

/// Beyond what the integers hold it is the last of them; what is no number is 0, and of 64 bits the
/// integer whose highest bit alone is set.
static V toInteger(const ExternCall *c, bool isUnsigned, Direction direction) {
  static const char *const rounding[] = {"math.floor", "math.ceil", NULL, "math.roundeven"};
  V x = rounding[direction] ? xMath(c, rounding[direction], c->in[0]) : c->in[0];
  int bits = tileBitWidth(tileElementType(c->type));
  double end = ldexp(1, isUnsigned ? bits : bits - 1), start = isUnsigned ? 0 : -end;
  int64_t lowest = bits == 64 ? INT64_MIN : INT32_MIN;
  V n = tileBuildUnary(c->b, isUnsigned ? "arith.fptoui" : "arith.fptosi", c->type, x);
  V first = xInt(c, n, isUnsigned ? 0 : lowest), last = xInt(c, n, isUnsigned ? -1 : ~lowest);
  V none = xInt(c, n, bits == 64 ? lowest : 0);
  V below = xIs(c, EXTERN_OLT, x, start), beyond = xIs(c, EXTERN_OGE, x, end);
  V isNone = xTest(c, EXTERN_UNO, x, x);
  n = tileBuildSelect(c->b, below, first, n);
  n = tileBuildSelect(c->b, beyond, last, n);
  return tileBuildSelect(c->b, isNone, none, n);
}

/// The nearest float is converted back, which is exact, and compared: of integers of 32 bits as one
/// of 64.
static V fromInteger(const ExternCall *c, bool isUnsigned, Direction direction) {
  MlirType i64 = tileI64(c->b->context);
  V x = c->in[0];
  V v = tileBuildUnary(c->b, isUnsigned ? "arith.uitofp" : "arith.sitofp", c->type, x);
  if (direction == NEAREST) return v;
  if (tileBitWidth(tileElementType(mlirValueGetType(x))) == 32)
    x = xCast(c, isUnsigned ? "arith.extui" : "arith.extsi", x, i64);
  V back = xCast(c, isUnsigned ? "arith.fptoui" : "arith.fptosi", v, i64);
  V isBeyond = xIs(c, EXTERN_OGE, v, ldexp(1, isUnsigned ? 64 : 63)); // no integer is v
  V isBelow = tileBuildCmpi(c->b, isUnsigned ? TILE_ULT : TILE_SLT, x, back);
  V isAbove = tileBuildCmpi(c->b, isUnsigned ? TILE_ULT : TILE_SLT, back, x);
  V rest = side(c, v, isAbove, isBelow), below = xNum(c, v, -1);
  rest = xPick(c, isBeyond, below, rest);
  return direct(c, v, rest, isBeyond, direction);
}

#define DIRECTED(NAME, CALL)                                                                       \
  static V NAME##Down(const ExternCall *c) {                                                       \
    const Direction d = DOWN;                                                                      \
    return CALL;                                                                                   \
  }                                                                                                \
  static V NAME##Up(const ExternCall *c) {                                                         \
    const Direction d = UP;                                                                        \
    return CALL;                                                                                   \
  }                                                                                                \
  static V NAME##Zero(const ExternCall *c) {                                                       \
    const Direction d = TO_ZERO;                                                                   \
    return CALL;                                                                                   \
  }
#define CONVERTED(NAME, CALL)                                                                      \
  DIRECTED(NAME, CALL)                                                                             \
  static V NAME##Nearest(const ExternCall *c) {                                                    \
    const Direction d = NEAREST;                                                                   \
    return CALL;                                                                                   \
  }
DIRECTED(add, sum(c, c->in[0], c->in[1], d))
DIRECTED(sub, difference(c, d))
DIRECTED(mul, product(c, d))
DIRECTED(div, quotient(c, c->in[0], c->in[1], d))
DIRECTED(rcp, reciprocal(c, d))
DIRECTED(sqrt, root(c, d))
DIRECTED(fma, fused(c, d))
CONVERTED(narrow, narrowed(c, d))
CONVERTED(toSigned, toInteger(c, false, d))
CONVERTED(toUnsigned, toInteger(c, true, d))
CONVERTED(fromSigned, fromInteger(c, false, d))
CONVERTED(fromUnsigned, fromInteger(c, true, d))

#define ENDINGS(SYMBOL, OPERANDS, NAME)                                                            \
  {SYMBOL "_rd", OPERANDS, NAME##Down}, {SYMBOL "_ru", OPERANDS, NAME##Up}, {                      \
    SYMBOL "_rz", OPERANDS, NAME##Zero                                                             \
  }
#define RULES(NAME, OPERANDS) ENDINGS("f" #NAME, OPERANDS, NAME), ENDINGS("d" #NAME, OPERANDS, NAME)
#define CONVERSION(SYMBOL, NAME)                                                                   \
  ENDINGS(SYMBOL, 1, NAME), { SYMBOL "_rn", 1, NAME##Nearest }
#define INTEGERS(FLOAT)                                                                            \
  CONVERSION(FLOAT "2int", toSigned), CONVERSION(FLOAT "2ll", toSigned),                           \
      CONVERSION(FLOAT "2uint", toUnsigned), CONVERSION(FLOAT "2ull", toUnsigned),                 \
      CONVERSION("int2" FLOAT, fromSigned), CONVERSION("ll2" FLOAT, fromSigned),                   \
      CONVERSION("uint2" FLOAT, fromUnsigned), CONVERSION("ull2" FLOAT, fromUnsigned)

const ExternRule externRounding[] = {
    RULES(add, 2),          RULES(sub, 2),           RULES(mul, 2),
    RULES(div, 2),          RULES(rcp, 1),           RULES(sqrt, 1),
    ENDINGS("fma", 3, fma), ENDINGS("fmaf", 3, fma), CONVERSION("double2float", narrow),
    INTEGERS("float"),      INTEGERS("double"),      {NULL, 0, NULL}};
