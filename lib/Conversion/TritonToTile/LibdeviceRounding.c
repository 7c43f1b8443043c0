//===- LibdeviceRounding.c - sums, products, .. rounded in a direction ----===//
//
// __nv_fadd_rz and its like: the result is rounded to the nearest first; the sign of what is left,
// which is exact, says whether it lies beyond the number that was asked for, and then its neighbour
// is taken. What is left of a sum is Knuth's two-sum, of the others an fma. Where a quotient or a
// root underflows so far that its rest is no float, it is that of the nearest.
//===----------------------------------------------------------------------===//
#include "LibdeviceKit.h"
#include <math.h>

typedef MlirValue V;
typedef enum { DOWN, UP, TO_ZERO } Direction;

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
  V higher = tileBuildSelect(c->b, positive, one, minus);
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

static V sum(const ExternCall *c, V x, V y, Direction direction) {
  V v = xAdd(c, x, y), part = xSub(c, v, x), other = xSub(c, v, part);
  V left = xSub(c, x, other), right = xSub(c, y, part), rest = xAdd(c, left, right);
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
DIRECTED(add, sum(c, c->in[0], c->in[1], d))
DIRECTED(sub, difference(c, d))
DIRECTED(mul, product(c, d))
DIRECTED(div, quotient(c, c->in[0], c->in[1], d))
DIRECTED(rcp, reciprocal(c, d))
DIRECTED(sqrt, root(c, d))

#define RULES(NAME, OPERANDS)                                                                      \
  {"f" #NAME "_rd", OPERANDS, NAME##Down}, {"d" #NAME "_rd", OPERANDS, NAME##Down},                \
      {"f" #NAME "_ru", OPERANDS, NAME##Up}, {"d" #NAME "_ru", OPERANDS, NAME##Up},                \
      {"f" #NAME "_rz", OPERANDS, NAME##Zero}, {"d" #NAME "_rz", OPERANDS, NAME##Zero},

const ExternRule externRounding[] = {RULES(add, 2) RULES(sub, 2) RULES(mul, 2) RULES(div, 2)
                                         RULES(rcp, 1) RULES(sqrt, 1){NULL, 0, NULL}};
