//===- MathKit.h - what the expansions of math functions are written in -*- C -*-===//
//
// One source for f32 and f64, scalars and vectors: a Math says which, and the arithmetic below is
// emitted in it. Coefficients are given for both types; `pick` chooses.
//
//     V p = POLYNOMIAL(m, r, 0x1.2p-3, 1, 1);     0.140625 r^2 + r + 1
//
//===----------------------------------------------------------------------===//
#ifndef TILE_CONVERSION_MATHKIT_H
#define TILE_CONVERSION_MATHKIT_H

#include "tile/IR.h"

typedef MlirValue V;

typedef struct {
  TileBuilder *b;
  MlirType type;  ///< f32 or f64, or a vector of it
  MlirType ints;  ///< integers of the same size
  MlirType masks; ///< i1 likewise
  bool wide;      ///< f64
  bool isReduced; ///< TILE_ANGLE_IN_RANGE
  double least;   ///< the smallest normal number of the op's own type
  int mantissa;   ///< bits stored of it: 23, 52
  int bias;       ///< of the exponent: 127, 1023
} Math;

static inline double pick(const Math *m, double narrow, double wide) {
  return m->wide ? wide : narrow;
}
static inline V number(Math *m, double value) { return tileBuildFloat(m->b, m->type, value); }
static inline V integer(Math *m, int64_t value) { return tileBuildInt(m->b, m->ints, value); }
static inline V add(Math *m, V x, V y) { return tileBuildBinary(m->b, "arith.addf", x, y); }
static inline V sub(Math *m, V x, V y) { return tileBuildBinary(m->b, "arith.subf", x, y); }
static inline V mul(Math *m, V x, V y) { return tileBuildBinary(m->b, "arith.mulf", x, y); }
static inline V divide(Math *m, V x, V y) { return tileBuildBinary(m->b, "arith.divf", x, y); }
static inline V negate(Math *m, V x) { return tileBuildUnary(m->b, "arith.negf", m->type, x); }
static inline V fma3(Math *m, V x, V y, V z) {
  return tileBuild(m->b, "math.fma", m->type, TILE_VALUES(x, y, z));
}
/// x y - z, rounded once.
static inline V fms(Math *m, V x, V y, V z) { return fma3(m, x, y, negate(m, z)); }
static inline V addNumber(Math *m, V x, double y) {
  V constant = number(m, y);
  return add(m, x, constant);
}
static inline V mulNumber(Math *m, V x, double y) {
  V constant = number(m, y);
  return mul(m, x, constant);
}
/// x * y + z.
static inline V fmaNumber(Math *m, V x, double y, V z) {
  V constant = number(m, y);
  return fma3(m, x, constant, z);
}
static inline V iadd(Math *m, V x, V y) { return tileBuildBinary(m->b, "arith.addi", x, y); }
static inline V isub(Math *m, V x, V y) { return tileBuildBinary(m->b, "arith.subi", x, y); }
static inline V iop(Math *m, const char *name, V x, int64_t y) {
  V constant = integer(m, y);
  return tileBuildBinary(m->b, name, x, constant);
}
static inline V bits(Math *m, V x) { return tileBuildUnary(m->b, "arith.bitcast", m->ints, x); }
static inline V floats(Math *m, V x) { return tileBuildUnary(m->b, "arith.bitcast", m->type, x); }
static inline V toFloat(Math *m, V x) { return tileBuildUnary(m->b, "arith.sitofp", m->type, x); }
static inline V select(Math *m, V c, V x, V y) { return tileBuildSelect(m->b, c, x, y); }
static inline V selectNumber(Math *m, V c, double x, V y) {
  V constant = number(m, x);
  return select(m, c, constant, y);
}
static inline V absolute(Math *m, V x) { return tileBuildUnary(m->b, "math.absf", m->type, x); }
static inline V root(Math *m, V x) { return tileBuildUnary(m->b, "math.sqrt", m->type, x); }
static inline V truncated(Math *m, V x) { return tileBuildUnary(m->b, "math.trunc", m->type, x); }
static inline V both(Math *m, V x, V y) { return tileBuildBinary(m->b, "arith.andi", x, y); }
static inline V either(Math *m, V x, V y) { return tileBuildBinary(m->b, "arith.ori", x, y); }

enum {
  OEQ = TILE_CMPF_OEQ,
  OGT = TILE_CMPF_OGT,
  OLT = TILE_CMPF_OLT,
  UNE = TILE_CMPF_UNE,
  UNO = TILE_CMPF_UNO
};
static inline V mathCompare(Math *m, int predicate, V x, V y) {
  return tileBuildCmpf(m->b, predicate, x, y);
}
static inline V compareNumber(Math *m, int predicate, V x, double y) {
  V constant = number(m, y);
  return mathCompare(m, predicate, x, constant);
}
/// x / y, in f32 right to two ulp alone where the chip is faster then.
V mathRatio(Math *m, V x, V y);
/// x / y for |y| from 2^-126 to 2^126 (2^-1000 to 2^1000), where neither the last bit nor what
/// other divisors give matters.
V mathQuotient(Math *m, V x, V y);
/// The root of x from 2^-100 (2^-900) on, NaN below 0; neither the last bit nor what others give
/// matters.
V mathRoot(Math *m, V x);
/// Not of an i1.
/// i1: is it true of any lane?
V mathAny(Math *m, V lanes);
/// `quick` where `usual`, else what `rare` makes of x and y, in a branch that threads or vectors
/// skip all of which is usual.
V mathUnless(Math *m, V usual, V quick, V (*rare)(Math *m, V x, V y), V x, V y);
V mathNot(Math *m, V x);
/// The magnitude of x under the sign of another.
V mathCopySign(Math *m, V x, V sign);

/// c[0] x^(n-1) + .. + c[n-1].
V mathPolynomial(Math *m, V x, int n, const double *c);
#define POLYNOMIAL(m, x, ...)                                                                      \
  mathPolynomial(m, x, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)),                    \
                 (double[]){__VA_ARGS__})

/// The nearest integer to x * scale, as a float and as an integer; |x * scale| < 2^22, 2^51.
V mathNearest(Math *m, V x, double scale, V *asInt);
/// x * 2^n in two steps, so that neither factor over- or underflows; |n| up to twice the bias.
V mathScale(Math *m, V x, V n);
/// x, but within [low, high]; NaN stays.
V mathClamp(Math *m, V x, double low, double high);

//===- functions, one file a family ---------------------------------------===//

// MathExp.c
V mathExp(Math *m, V x);
/// 1 - e^x from -40 to -ln 2, which loses nothing but what e^x does.
V mathOneMinusExp(Math *m, V x);
V mathExp2(Math *m, V x);
V mathExpm1(Math *m, V x);
V mathTanh(Math *m, V x);
V mathSinh(Math *m, V x);
V mathCosh(Math *m, V x);
/// e^(high + low) in f32, |low| far below |high|.
V mathExpPair(Math *m, V high, V low);
/// 2^(high + low) in f64, |low| far below |high|.
V mathExp2Pair(Math *m, V high, V low);
// MathLog.c
V mathLog(Math *m, V x);
V mathLog2(Math *m, V x);
V mathLog10(Math *m, V x);
V mathLog1p(Math *m, V x);
V mathPow(Math *m, V x, V y);
V mathAsinh(Math *m, V x);
V mathAcosh(Math *m, V x);
V mathAtanh(Math *m, V x);
// MathTrig.c
V mathSin(Math *m, V x);
V mathCos(Math *m, V x);
V mathTan(Math *m, V x);
/// sin x and cos x of f32, by one reduction and both polynomials.
void mathSinCos(Math *m, V x, V results[2]);
// MathArc.c
V mathAtan(Math *m, V x);
V mathAtan2(Math *m, V y, V x);
V mathAsin(Math *m, V x);
V mathAcos(Math *m, V x);
V mathCbrt(Math *m, V x);
// MathRemainder.c
V mathRemainder(Math *m, V x, V y);
// MathErf.c
V mathErf(Math *m, V x);
V mathErfc(Math *m, V x);

#endif
