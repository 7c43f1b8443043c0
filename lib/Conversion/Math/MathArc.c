//===- MathArc.c - inverse trigonometric functions and the cube root ------===//
//
//   atan x = base + atan t     t = (x - 1) / (x + 1) from tan(pi/8) on, -1 / x from tan(3 pi/8) on
//   asin x = x + x^3 p(x^2)    up to 1/2; pi/2 - 2 asin(sqrt((1 - x) / 2)) beyond
//
//===----------------------------------------------------------------------===//
#include "MathKit.h"
#include <math.h>

static const double halfPi = 1.5707963267948966;

/// What halfPi lacks, in the type at hand.
static double halfPiRest(const Math *m) { return pick(m, -0x1.777a5cp-25, 0x1.1a62633145c07p-54); }

/// t + t^3 p(t^2), |t| <= tan(pi/8), but t itself.
static V atanTail(Math *m, V t) {
  V z = mul(m, t, t);
  V p = m->wide ? POLYNOMIAL(m, z, -1.7907438234571584e-2, 3.8065045627508523e-2,
                             -5.0393346078363984e-2, 5.8478982876208885e-2, -6.663105588703541e-2,
                             7.6920603746566768e-2, -9.0908977678940305e-2, 1.1111110783847406e-1,
                             -1.428571428020482e-1, 1.9999999999953673e-1, -3.3333333333333198e-1)
                : POLYNOMIAL(m, z, -6.0811642990022534e-2, 1.0595143920747094e-1,
                             -1.4243739515879896e-1, 1.9998484054317554e-1, -3.3333315424853808e-1);
  return mul(m, mul(m, z, t), p);
}

/// atan(y / x), both at least 0; `inRange` as mathQuotient wants divisors.
static V atanOfRatio(Math *m, V y, V x, bool inRange) {
  V zero = number(m, 0);
  V isSteep = mathCompare(m, OGT, y, mulNumber(m, x, 2.414213562373095));
  V isMiddle = mathCompare(m, OGT, y, mulNumber(m, x, 0.41421356237309503));
  V above = select(m, isMiddle, sub(m, y, x), y), below = select(m, isMiddle, add(m, y, x), x);
  above = select(m, isSteep, negate(m, x), above);
  below = select(m, isSteep, y, below);
  V t = inRange ? mathQuotient(m, above, below) : divide(m, above, below);
  V base = selectNumber(m, isMiddle, halfPi / 2, zero);
  base = selectNumber(m, isSteep, halfPi, base);
  V low = selectNumber(m, isMiddle, halfPiRest(m) / 2, zero);
  low = selectNumber(m, isSteep, halfPiRest(m), low);
  return add(m, base, add(m, t, add(m, atanTail(m, t), low)));
}

V mathAtan(Math *m, V x) {
  V one = number(m, 1), size = absolute(m, x);
  V isInfinite = compareNumber(m, OEQ, size, INFINITY);
  V result = selectNumber(m, isInfinite, halfPi, atanOfRatio(m, size, one, true));
  return mathCopySign(m, result, x);
}

/// The angle of (x, y), by quadrant; of (0, 0) and of infinities as C's atan2 has it.
V mathAtan2(Math *m, V y, V x) {
  V height = absolute(m, y), width = absolute(m, x), zero = number(m, 0), one = number(m, 1);
  V isFlat = mathCompare(m, OEQ, height, zero);
  V bothInfinite = compareNumber(m, OEQ, height, INFINITY);
  bothInfinite = both(m, bothInfinite, compareNumber(m, OEQ, width, INFINITY));
  // Where both are infinite they are as good as 1, and 0 over 0 is 0. Large or small ones are
  // scaled, so that their sums neither overflow nor lose what a subnormal has.
  V big = compareNumber(m, OGT, height, pick(m, 0x1p126, 0x1p1022));
  big = either(m, big, compareNumber(m, OGT, width, pick(m, 0x1p126, 0x1p1022)));
  V above = select(m, big, mulNumber(m, height, 0.25), height);
  V below = select(m, big, mulNumber(m, width, 0.25), width);
  above = select(m, bothInfinite, one, above);
  below = select(m, bothInfinite, one, below);
  V steepest = compareNumber(m, OEQ, above, INFINITY);
  V widest = compareNumber(m, OEQ, below, INFINITY);
  V angle = atanOfRatio(m, above, below, false);
  angle = selectNumber(m, steepest, halfPi, angle);
  angle = select(m, either(m, isFlat, widest), zero, angle);
  V isLeft = compareNumber(m, OLT, mathCopySign(m, one, x), 0);
  V rest = addNumber(m, angle, -2 * halfPiRest(m));
  V pi = number(m, 2 * halfPi);
  angle = select(m, isLeft, sub(m, pi, rest), angle);
  V isNan = mathCompare(m, UNO, x, y);
  return select(m, isNan, add(m, x, y), mathCopySign(m, angle, y));
}

/// asin t - t for |t| <= 1/2, z = t^2.
static V asinTail(Math *m, V t, V z) {
  V p = m->wide
            ? POLYNOMIAL(m, z, 3.2004398697068496e-2, -1.6359279465539222e-2, 1.9614746082586929e-2,
                         6.4962024209509434e-3, 1.2176600721372125e-2, 1.3884103259921868e-2,
                         1.7359820091343887e-2, 2.2371750357512175e-2, 3.0381959459513849e-2,
                         4.4642856820474101e-2, 7.5000000003465481e-2, 1.6666666666665369e-1)
            : POLYNOMIAL(m, z, 4.2242521557041486e-2, 2.4134384166088222e-2, 4.5479584739855086e-2,
                         7.4952236000723396e-2, 1.6666754333355334e-1);
  return mul(m, mul(m, z, t), p);
}

typedef struct {
  V isFar;   ///< |x| above 1/2
  V t, tLow; ///< |x|, or the root, of f64 as a pair
  V tail;    ///< asin t - t
} Arc;

static Arc arcOf(Math *m, V x) {
  V size = absolute(m, x), half = number(m, 0.5), zero = number(m, 0);
  Arc a = {.isFar = compareNumber(m, OGT, size, 0.5)};
  V less = fma3(m, size, number(m, -0.5), half); // (1 - |x|) / 2, exactly
  V z = select(m, a.isFar, less, mul(m, size, size));
  V isZero = compareNumber(m, OEQ, less, 0);
  V r = select(m, isZero, zero, mathRoot(m, less));
  a.t = select(m, a.isFar, r, size);
  a.tail = asinTail(m, a.t, z);
  a.tLow = zero;
  // Of f32 half a unit of the last place, which it may be off by.
  if (!m->wide) return a;
  V lost = negate(m, fms(m, r, r, less));
  V low = select(m, isZero, zero, mathQuotient(m, lost, add(m, r, r)));
  a.tLow = select(m, a.isFar, low, zero);
  return a;
}

V mathAsin(Math *m, V x) {
  Arc a = arcOf(m, x);
  V near = add(m, a.t, a.tail);
  // pi/2 - 2 (t + tail)
  V small = add(m, a.tail, a.tLow);
  V rest = fmaNumber(m, small, -2, number(m, halfPiRest(m)));
  V big = fmaNumber(m, a.t, -2, number(m, halfPi));
  V bigLost = fmaNumber(m, a.t, -2, sub(m, number(m, halfPi), big));
  V far = add(m, big, add(m, rest, bigLost));
  return mathCopySign(m, select(m, a.isFar, far, near), x);
}

V mathAcos(Math *m, V x) {
  Arc a = arcOf(m, x);
  V isLeft = compareNumber(m, OLT, x, 0);
  V small = add(m, a.tail, a.tLow), quarter = number(m, halfPi), half = number(m, 2 * halfPi);
  // Near 0: pi/2 - x - tail.
  V signedT = mathCopySign(m, a.t, x), signedTail = mathCopySign(m, a.tail, x);
  signedTail = select(m, isLeft, negate(m, absolute(m, a.tail)), signedTail);
  V big = sub(m, quarter, signedT);
  V bigLost = sub(m, sub(m, quarter, big), signedT);
  V near = add(m, big, add(m, bigLost, sub(m, number(m, halfPiRest(m)), signedTail)));
  // Right: 2 (t + tail); left: pi minus that.
  V twice = mulNumber(m, add(m, a.t, small), 2);
  V rest = fmaNumber(m, small, -2, number(m, 2 * halfPiRest(m)));
  V leftBig = fmaNumber(m, a.t, -2, half);
  V leftLost = fmaNumber(m, a.t, -2, sub(m, half, leftBig));
  V left = add(m, leftBig, add(m, rest, leftLost));
  V far = select(m, isLeft, left, twice);
  return select(m, a.isFar, far, near);
}

/// r about a^(-1/3), by a third of the exponent and steps that cube the error h = 1 - a r^3:
/// (1 - h)^(-1/3) = 1 + h/3 + 2/9 h^2 + ..; then a r^2, and what its cube lacks. No division.
V mathCbrt(Math *m, V x) {
  V size = absolute(m, x), one = number(m, 1);
  // Where the cube's rounding error would be subnormal.
  V isSmall = compareNumber(m, OLT, size, pick(m, 0x1p-100, 0x1p-900));
  V scaled = mulNumber(m, size, pick(m, 0x1p54, 0x1p216));
  V a = select(m, isSmall, scaled, size), less = negate(m, a);
  V third = iop(m, "arith.divui", bits(m, a), 3);
  V r = floats(m, isub(m, integer(m, m->wide ? 0x553ee8ff289dd796 : 0x54a20000), third));
  for (int i = 0; i < (m->wide ? 3 : 2); ++i) {
    V h = fma3(m, mul(m, less, r), mul(m, r, r), one);
    V more = fmaNumber(m, h, 2. / 9, number(m, 1. / 3));
    r = fma3(m, mul(m, r, h), more, r);
  }
  V square = mul(m, r, r), y = mul(m, a, square);
  V residue = fms(m, mul(m, y, y), y, a); // y^3 - a, and 3 y^2 is 3 / r^2
  y = fma3(m, mul(m, residue, square), number(m, -1. / 3), y);
  y = select(m, isSmall, mulNumber(m, y, pick(m, 0x1p-18, 0x1p-72)), y);
  V same = compareNumber(m, OEQ, size, 0);
  same = either(m, same, mathNot(m, compareNumber(m, OLT, size, INFINITY)));
  return select(m, same, x, mathCopySign(m, y, x));
}
