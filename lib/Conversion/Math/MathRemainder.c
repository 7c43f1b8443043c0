//===- MathRemainder.c - arith.remf, exactly ------------------------------===//
//
// Of quotients that are not large it is x less the nearest multiple of y, and y once more where
// that is below 0. Others stand in a branch that threads or vectors without any skip. With x = a
// 2^i and y = b 2^j, 1 <= a, b < 2, what remains of x is r 2^j where r is a 2^(i-j) modulo b. The i
// - j factors of 2 are put in some at a time, and whole multiples of b taken out:
//
//   r = a < b ? a : a - b
//   as long as there are factors left: k of them, 16 (f32) or 40 (f64) at most
//     r = r 2^k;  r = fma(-nearest(r / b), b, r);  r = r < 0 ? r + b : r
//
// Both r and b are multiples of b's last bit, and so is what fma rounds, which is no larger than
// b: so it is exact. A step has a quotient of few enough bits that its error is far below one half.
// Nearly always there is no step or one; the loop runs as often as the lane that needs most.
//
// The idea, to divide in pieces whose products are exact, is that of fmod in many C libraries.
//===----------------------------------------------------------------------===//
#include "MathKit.h"
#include <math.h>

typedef struct {
  V mantissa; ///< in [1, 2)
  V exponent;
} Split;

/// Of a positive number; subnormal ones are made normal first.
static Split split(Math *m, V size) {
  int shift = m->mantissa + 2;
  V subnormal = compareNumber(m, OLT, size, pick(m, 0x1p-126, 0x1p-1022));
  V raised = mulNumber(m, size, pick(m, 0x1p25, 0x1p54));
  V all = bits(m, select(m, subnormal, raised, size));
  V exponent = iop(m, "arith.shrui", all, m->mantissa);
  V unbiased = iop(m, "arith.subi", exponent, m->bias);
  V lowered = iop(m, "arith.subi", unbiased, shift);
  V fraction = iop(m, "arith.andi", all, ((int64_t)1 << m->mantissa) - 1);
  V one = iop(m, "arith.ori", fraction, (int64_t)m->bias << m->mantissa);
  return (Split){floats(m, one), select(m, subnormal, lowered, unbiased)};
}

/// The largest of a vector of integers.
static V largest(Math *m, V lanes) {
  MlirType type = tileElementType(m->ints);
  if (!mlirTypeIsAVector(m->ints)) return lanes;
  MlirAttribute kind = tileParseAttr(m->b->context, "#vector.kind<maxsi>");
  return tileResult(tileBuildOp(m->b, "vector.reduction", TILE_VALUES(lanes), 1, &type,
                                TILE_ATTRS({"kind", kind}), 0));
}

typedef struct {
  V rest, factors;
} State;

static State step(Math *m, State s, V modulus, V inverse, int most) {
  V k = iop(m, "arith.minsi", s.factors, most);
  k = iop(m, "arith.maxsi", k, 0);
  V power = iop(m, "arith.addi", k, m->bias);
  V scale = floats(m, iop(m, "arith.shli", power, m->mantissa));
  V x = mul(m, s.rest, scale);
  // Adding 1.5 * 2^23 (2^52) leaves no fraction.
  V magic = number(m, pick(m, 0x1.8p23, 0x1.8p52));
  V shifted = fma3(m, x, inverse, magic);
  V quotient = negate(m, sub(m, shifted, magic));
  x = fma3(m, quotient, modulus, x);
  V below = compareNumber(m, OLT, x, 0);
  V raised = add(m, x, modulus);
  return (State){select(m, below, raised, x), isub(m, s.factors, k)};
}

/// %r, %n = scf.for 0 to the steps of the lane that needs most
static V takeOut(Math *m, State s, V modulus) {
  int most = m->wide ? 40 : 16;
  V one = number(m, 1), inverse = divide(m, one, modulus);
  V count = largest(m, s.factors);
  MlirType type = mlirValueGetType(count);
  V up = tileBuildInt(m->b, type, most - 1), by = tileBuildInt(m->b, type, most);
  V steps = tileBuildBinary(m->b, "arith.addi", count, up);
  steps = tileBuildBinary(m->b, "arith.divsi", steps, by);
  V zero = tileBuildInt(m->b, type, 0), unit = tileBuildInt(m->b, type, 1);
  MlirType types[] = {type, m->type, m->ints};
  MlirLocation locations[] = {m->b->location, m->b->location, m->b->location};
  MlirOperation loop =
      tileBuildOp(m->b, "scf.for", TILE_VALUES(zero, steps, unit, s.rest, s.factors), 2, types + 1,
                  TILE_NONE, 1);
  MlirBlock body = mlirBlockCreate(3, types, locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0), body);
  TileBuilder outside = *m->b;
  *m->b = tileBuilderAtEnd(body, outside.location);
  State next = {mlirBlockGetArgument(body, 1), mlirBlockGetArgument(body, 2)};
  next = step(m, next, modulus, inverse, most);
  tileBuildOp(m->b, "scf.yield", TILE_VALUES(next.rest, next.factors), TILE_NONE, TILE_NONE, 0);
  *m->b = outside;
  return tileResult(loop);
}

/// |x| mod |y| where the quotient is below 2^20 (2^40) and |y| is in the middle of the range. The
/// nearest whole number to a quotient that is off by 2 ulp is .75 away at most: so what is left is
/// no larger than |y| either.
static V quickRest(Math *m, V size, V modulus) {
  V quotient, magic = number(m, pick(m, 0x1.8p23, 0x1.8p52));
  quotient = add(m, mathQuotient(m, size, modulus), magic);
  V whole = sub(m, quotient, magic);
  V rest = fma3(m, negate(m, whole), modulus, size);
  V below = compareNumber(m, OLT, rest, 0);
  return select(m, below, add(m, rest, modulus), rest);
}

/// The same of any two.
static V anyRest(Math *m, V size, V modulus) {
  Split a = split(m, size), b = split(m, modulus);
  V reduced = sub(m, a.mantissa, b.mantissa);
  V below = compareNumber(m, OLT, reduced, 0);
  State s = {select(m, below, a.mantissa, reduced), isub(m, a.exponent, b.exponent)};
  V rest = mathScale(m, takeOut(m, s, b.mantissa), b.exponent);
  V isFinite = compareNumber(m, OLT, size, INFINITY), isDivisor = compareNumber(m, OGT, modulus, 0);
  V nan = number(m, NAN);
  return select(m, both(m, isFinite, isDivisor), rest, nan);
}

V mathRemainder(Math *m, V x, V y) {
  V size = absolute(m, x), modulus = absolute(m, y);
  V reach = mulNumber(m, modulus, pick(m, 0x1p20, 0x1p40));
  V isLarge = compareNumber(m, OGT, modulus, pick(m, 0x1p-100, 0x1p-900));
  V isSmall = compareNumber(m, OLT, modulus, pick(m, 0x1p100, 0x1p900));
  V usual = both(m, both(m, isLarge, isSmall), mathCompare(m, OLT, size, reach));
  V rest = mathUnless(m, usual, quickRest(m, size, modulus), anyRest, size, modulus);
  V result = mathCopySign(m, rest, x);
  V smaller = mathCompare(m, OLT, size, modulus);
  return select(m, smaller, x, result);
}
