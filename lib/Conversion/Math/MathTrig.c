//===- MathTrig.c - sine, cosine, tangent ---------------------------------===//
//
// x = q pi/2 + r, |r| <= pi/4, exact enough for every x:
//
//   |x| < 2^17 (2^30)   q pi/2 is subtracted in three parts by fma (Cody and Waite): the first
//                       difference is exact, and what the third leaves out is below 2^-57 (2^-134)
//   beyond              the fraction of x 2/pi is computed in integers (Payne and Hanek, "Radian
//                       reduction for trigonometric functions", 1983): those words of 2/pi that
//                       the exponent of x selects times the mantissa of x, a product of which the
//                       two bits in front of the point are q modulo 4
//
// The second way takes some forty operations and stands in a branch that threads or vectors with no
// such x skip.
//===----------------------------------------------------------------------===//
#include "MathKit.h"
#include <math.h>

//===- words of 2/pi ------------------------------------------------------===//

/// 2/pi as a binary fraction, with a word of zeros in front; as words of 32 bits for f32, whose
/// exponents end at 127, of 64 for f64.
static const uint32_t narrowWords[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                       0xf534ddc0, 0xdb629599, 0x3c439041};
static const uint64_t wideWords[] = {0,
                                     0xa2f9836e4e441529,
                                     0xfc2757d1f534ddc0,
                                     0xdb6295993c439041,
                                     0xfe5163abdebbc561,
                                     0xb7246e3a424dd2e0,
                                     0x06492eea09d1921c,
                                     0xfe1deb1cb129a73e,
                                     0xe88235f52ebb4484,
                                     0xe99c7026b45f7e41,
                                     0x3991d639835339f4,
                                     0x9c845f8bbdf9283b,
                                     0x1ff897ffde05980f,
                                     0xef2f118b5a0a6d1f,
                                     0x6d367ecf27cb09b7,
                                     0x4f463f669e5fea2d,
                                     0x7527bac7ebe5f17b,
                                     0x3d0739f78a5292ea,
                                     0x6bfb5fb11f8d5d08};

/// words[index .. index + 3], by halving the table bit by bit of the index.
static void chooseWords(Math *m, V index, V chosen[4]) {
  int indexBits = m->wide ? 4 : 2, count = 3 + (1 << indexBits);
  V words[19];
  for (int i = 0; i < count; ++i)
    words[i] = integer(m, m->wide ? (int64_t)wideWords[i] : (int64_t)narrowWords[i]);
  V zero = integer(m, 0);
  for (int bit = indexBits; bit-- > 0;) {
    int step = 1 << bit;
    count -= step;
    V part = iop(m, "arith.andi", index, step);
    V isSet = tileBuildCmpi(m->b, TILE_NE, part, zero);
    for (int i = 0; i < count; ++i) words[i] = select(m, isSet, words[i + step], words[i]);
  }
  for (int i = 0; i < 4; ++i) chosen[i] = words[i];
}

/// The upper word of high:low << shift, 0 <= shift < the bits of a word.
static V shiftIn(Math *m, V high, V low, V shift) {
  V up = tileBuildBinary(m->b, "arith.shli", high, shift);
  V all = integer(m, m->wide ? 63 : 31);
  V rest = isub(m, all, shift);
  V half = iop(m, "arith.shrui", low, 1);
  V down = tileBuildBinary(m->b, "arith.shrui", half, rest);
  return tileBuildBinary(m->b, "arith.ori", up, down);
}

typedef struct {
  V low, high;
} Product;

static Product multiply(Math *m, V x, V y) {
  MlirType types[2] = {m->ints, m->ints};
  MlirOperation op =
      tileBuildOp(m->b, "arith.mului_extended", TILE_VALUES(x, y), 2, types, TILE_NONE, 0);
  return (Product){mlirOperationGetResult(op, 0), mlirOperationGetResult(op, 1)};
}

/// The words from the bit on that the exponent of x makes 2 (weights of 4 and more are whole turns)
/// times the mantissa: two bits, the point, and a fraction of the rest of high and low.
static Product turns(Math *m, V magnitude) {
  int word = m->wide ? 64 : 32;
  V exponent = iop(m, "arith.shrui", magnitude, m->mantissa);
  V offset = iop(m, "arith.subi", exponent, m->bias + 1);
  V index = iop(m, "arith.shrui", offset, m->wide ? 6 : 5);
  V shift = iop(m, "arith.andi", offset, word - 1);
  V w[4];
  chooseWords(m, index, w);
  for (int i = 0; i < 3; ++i) w[i] = shiftIn(m, w[i], w[i + 1], shift);
  V mantissa = iop(m, "arith.andi", magnitude, ((int64_t)1 << m->mantissa) - 1);
  mantissa = iop(m, "arith.ori", mantissa, (int64_t)1 << m->mantissa);
  mantissa = iop(m, "arith.shli", mantissa, word - 1 - m->mantissa);
  Product last = multiply(m, mantissa, w[2]), middle = multiply(m, mantissa, w[1]);
  V first = tileBuildBinary(m->b, "arith.muli", mantissa, w[0]);
  V low = iadd(m, middle.low, last.high);
  V carries = tileBuildCmpi(m->b, TILE_ULT, low, last.high);
  V carry = tileBuildUnary(m->b, "arith.extui", m->ints, carries);
  V high = iadd(m, first, middle.high);
  return (Product){low, iadd(m, high, carry)};
}

/// r from the fraction: a multiple of 2^-62 (2^-126) that is summed up as a pair of floats.
static V fractionToAngle(Math *m, V high, V low) {
  double word = pick(m, 0x1p32, 0x1p64), unit = pick(m, 0x1p-62, 0x1p-126);
  V top = toFloat(m, high);
  V back = tileBuildUnary(m->b, "arith.fptosi", m->ints, top);
  V rest = toFloat(m, isub(m, high, back));
  V below = tileBuildUnary(m->b, "arith.uitofp", m->type, low);
  below = fmaNumber(m, rest, word, below);
  V large = mulNumber(m, top, word);
  V sum = add(m, large, below);
  V lost = add(m, sub(m, large, sum), below);
  V factor = number(m, pick(m, 0x1.921fb6p+0, 0x1.921fb54442d18p+0) * unit);
  V r = mul(m, sum, factor);
  V small = fms(m, sum, factor, r);
  small = fmaNumber(m, sum, pick(m, -0x1.777a5cp-25, 0x1.1a62633145c07p-54) * unit, small);
  small = fma3(m, lost, factor, small);
  return add(m, r, small);
}

typedef struct {
  V r;
  V quadrant; ///< modulo 4
} Reduced;

static Reduced reduceLarge(Math *m, V x) {
  int point = m->wide ? 62 : 30;
  V size = absolute(m, x);
  Product t = turns(m, bits(m, size));
  V rounded = iop(m, "arith.addi", t.high, (int64_t)1 << (point - 1));
  V q = iop(m, "arith.shrui", rounded, point);
  V fraction = isub(m, t.high, iop(m, "arith.shli", q, point));
  V r = fractionToAngle(m, fraction, t.low);
  V zero = integer(m, 0);
  V below = compareNumber(m, OLT, x, 0);
  V mirrored = isub(m, zero, q);
  V isFinite = compareNumber(m, OLT, size, INFINITY), nan = number(m, NAN);
  r = select(m, isFinite, r, nan);
  r = select(m, below, negate(m, r), r);
  return (Reduced){r, select(m, below, mirrored, q)};
}

static Reduced reduceSmall(Math *m, V x) {
  Reduced result;
  V n = mathNearest(m, x, 0.63661977236758134308, &result.quadrant);
  V r = fmaNumber(m, n, pick(m, -0x1.921fb6p+0, -0x1.921fb54442d18p+0), x);
  r = fmaNumber(m, n, pick(m, 0x1.777a5cp-25, -0x1.1a62633145c07p-54), r);
  result.r = fmaNumber(m, n, pick(m, 0x1.ee59dap-50, 0x1.f1976b7ed8fbcp-110), r);
  return result;
}

//===- the branch ---------------------------------------------------------===//

static Reduced reduce(Math *m, V x) {
  Reduced small = reduceSmall(m, x);
  V usual = compareNumber(m, OLT, absolute(m, x), pick(m, 0x1p17, 0x1p30));
  V isLarge = mathNot(m, usual);
  V branch = mathAny(m, isLarge);
  // %r, %q = scf.if %branch { .. } else { what is there }
  MlirType types[2] = {m->type, m->ints};
  MlirOperation op = tileBuildIf(m->b, branch, 2, types, true);
  TileBuilder outside = *m->b;
  for (int i = 0; i < 2; ++i) {
    *m->b = tileBuilderAtEnd(tileBody(op, i), outside.location);
    Reduced result = small;
    if (i == 0) {
      Reduced large = reduceLarge(m, x);
      result.r = select(m, isLarge, large.r, small.r);
      result.quadrant = select(m, isLarge, large.quadrant, small.quadrant);
    }
    tileBuildOp(m->b, "scf.yield", TILE_VALUES(result.r, result.quadrant), TILE_NONE, TILE_NONE, 0);
  }
  *m->b = outside;
  return (Reduced){mlirOperationGetResult(op, 0), mlirOperationGetResult(op, 1)};
}

//===- functions ----------------------------------------------------------===//

/// r + r^3 p(r^2).
static V sinOf(Math *m, V r, V z) {
  V p = m->wide
            ? POLYNOMIAL(m, z, 1.5896666598267167e-10, -2.5050755962910718e-8, 2.755731367867422e-6,
                         -1.9841269829771185e-4, 8.33333333332237e-3, -1.6666666666666632e-1)
            : POLYNOMIAL(m, z, -1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1);
  return fma3(m, p, mul(m, z, r), r);
}

/// 1 - z/2 + z^2 p(z), with what rounding 1 - z/2 loses.
static V cosOf(Math *m, V z) {
  V p =
      m->wide
          ? POLYNOMIAL(m, z, -1.1359560373494828e-11, 2.0875721645558528e-9, -2.7557314340835232e-7,
                       2.4801587289444155e-5, -1.3888888888874066e-3, 4.1666666666666599e-2)
          : POLYNOMIAL(m, z, 2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2);
  V one = number(m, 1), half = mulNumber(m, z, 0.5);
  V most = sub(m, one, half);
  V lost = sub(m, sub(m, one, most), half);
  return add(m, most, fma3(m, mul(m, z, z), p, lost));
}

/// The value with its sign flipped where bit 1 of the quadrant is set.
static V signed2(Math *m, V value, V quadrant) {
  V sign = iop(m, "arith.andi", quadrant, 2);
  sign = iop(m, "arith.shli", sign, m->wide ? 62 : 30);
  return floats(m, tileBuildBinary(m->b, "arith.xori", bits(m, value), sign));
}

static V isOdd(Math *m, V quadrant) {
  V zero = integer(m, 0);
  return tileBuildCmpi(m->b, TILE_NE, iop(m, "arith.andi", quadrant, 1), zero);
}

/// Of f32: b + z b p(z) is sin r where b is r, and cos r where it is 1.
static const double ofSin[] = {2.7183114939898219e-6, -1.9839334836096632e-4, 8.3333293858894632e-3,
                               -1.6666666641626524e-1};
static const double ofCos[] = {2.4390448796277409e-5, -1.3886763774609929e-3, 4.1666623323739063e-2,
                               -4.9999999725103100e-1};

/// sin r, or cos r where `odd`, of f32, by coefficients that are chosen, one selection for each. Of
/// f64, whose numbers are two registers, both polynomials cost less.
static V sinOrCos(Math *m, V r, V odd) {
  V z = mul(m, r, r), p = {NULL};
  for (int i = 0; i < 4; ++i) {
    V k = select(m, odd, number(m, ofCos[i]), number(m, ofSin[i]));
    p = i ? fma3(m, p, z, k) : k;
  }
  V base = select(m, odd, number(m, 1), r);
  return fma3(m, mul(m, z, base), p, base);
}

void mathSinCos(Math *m, V x, V results[2]) {
  Reduced a = reduce(m, x);
  V z = mul(m, a.r, a.r), one = number(m, 1), odd = isOdd(m, a.quadrant);
  V s = fma3(m, mul(m, z, a.r), mathPolynomial(m, z, 4, ofSin), a.r);
  V c = fma3(m, z, mathPolynomial(m, z, 4, ofCos), one);
  V next = iop(m, "arith.addi", a.quadrant, 1);
  V sine = signed2(m, select(m, odd, c, s), a.quadrant);
  V isZero = compareNumber(m, OEQ, x, 0); // -0 stays
  results[0] = select(m, isZero, x, sine);
  results[1] = signed2(m, select(m, odd, s, c), next);
}

/// sin for `ahead` 0; cos is sin a quadrant ahead.
static V sinAhead(Math *m, V x, int ahead) {
  Reduced a = reduce(m, x);
  V quadrant = ahead ? iop(m, "arith.addi", a.quadrant, ahead) : a.quadrant;
  V odd = isOdd(m, quadrant);
  if (!m->wide) return signed2(m, sinOrCos(m, a.r, odd), quadrant);
  V z = mul(m, a.r, a.r);
  V s = sinOf(m, a.r, z);
  V c = cosOf(m, z);
  return signed2(m, select(m, odd, c, s), quadrant);
}

V mathSin(Math *m, V x) {
  V result = m->isReduced ? sinOf(m, x, mul(m, x, x)) : sinAhead(m, x, 0);
  V isZero = compareNumber(m, OEQ, x, 0); // -0 stays
  return select(m, isZero, x, result);
}
V mathCos(Math *m, V x) { return m->isReduced ? cosOf(m, mul(m, x, x)) : sinAhead(m, x, 1); }

/// s / c, or -c / s in odd quadrants.
V mathTan(Math *m, V x) {
  Reduced a = reduce(m, x);
  V z = mul(m, a.r, a.r);
  V s = sinOf(m, a.r, z);
  V c = cosOf(m, z);
  V odd = isOdd(m, a.quadrant);
  V above = select(m, odd, negate(m, c), s);
  V below = select(m, odd, s, c);
  V result = mathQuotient(m, above, below), isZero = compareNumber(m, OEQ, x, 0);
  return select(m, isZero, x, result);
}
