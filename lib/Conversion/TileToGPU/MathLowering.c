//===- MathLowering.c - functions of numbers ------------------------------===//
//
//   instruction of the chip    fabs, floor, ceil, trunc, round, sqrt, fma, counts of bits:
//                              LLVM intrinsics on whole vectors
//   ex2.approx                 exp2, exp
//   rsqrt.approx               rsqrt
//   tanh.approx                tanh of f16 and bf16
//   polynomials and ex2        erf, tanh of f32
//   polynomials                the others of f32, and all of f64, shared with the CPU (../Math.h)
//
// Ops with fastmath<afn> (or <fast>) take the chip's approximation where there is one: ex2, lg2,
// sin, cos, sqrt, rsqrt and tanh.approx, with the errors that the PTX ISA gives for them (sin and
// cos want |x| < pi, tanh is right to 2^-11; roots take subnormal numbers for 0, which saves two
// multiplications and a choice); exp loses |x| 2^-23 besides; erf has an absolute error of 2^-20.
// Of f16 tanh and exp2 take two elements at a time, right to 2^-11 and 2^-9.9. A division of f32
// with afn or arcp is div.full, which is off by 2 ulp at most; a reciprocal of a number in range
// (TILE_DIVISOR_IN_RANGE) is rcp.approx, off by 1. Other quotients by numbers in range, and roots
// of them (TILE_RADICAND_IN_RANGE), are the chip's approximations and a correction, off by 1: what
// is rounded right has a branch, and a call behind it.
//
// Of 1 + erf x and of h + h erf x, which GELU is made of, nothing is left of how right erf is near
// 0. Where such a sum is multiplied and rounded to 16 bits at the latest, and seen by nobody else,
// erf has an absolute error of 2^-21.5 as well: 2^-21 of a sum of which 2^-11 or less is kept, in
// half the instructions. Where h is a multiple of x, as in GELU itself, tile-expand-gelu has been
// there before.
//
// Nothing becomes a call of libdevice, which only a CUDA toolkit brings. f16 and bf16
// are computed in f32 and rounded once. Relative errors on f32, subnormal results
// included: sqrt and fma are correctly rounded; exp2 2^-22, rsqrt 2^-22.9, tanh.approx
// 2^-11 (PTX ISA); exp 2^-21.4:
//
//   exp(x) = 2^n 2^f,  n + f = x log2 e as computed by two fma, of log2 e to 48 bits
//
// and where x is a difference from a maximum, or else 0 at most,
//
//   exp(x) = 2^h (1 + r),  h = fl(x log2 e),  r = x - h ln 2 as computed by two fma
//
// where ln 2 is given to 48 bits, so that h's rounding error comes back in r.
//
//===----------------------------------------------------------------------===//
#include "MathLowering.h"
#include "../Math/Math.h"
#include "tile/Analysis/Rounded.h"
#include "tile/Analysis/Sign.h"
#include "tile/Support/FastMath.h"
#include "tile/Support/Tf32Parts.h"
#include <stdlib.h>
#include <string.h>

typedef MlirValue V;

//===- building -----------------------------------------------------------===//

static V constant(Lowering *l, V like, double value) {
  return tileBuildFloat(&l->b, mlirValueGetType(like), value);
}

/// %r = llvm.call_intrinsic "llvm.fabs"(%x). The ops llvm.intr.fabs and some others are illegal to
/// convert-gpu-to-nvvm, which knows them as calls of libdevice alone.
V lowerIntrinsic(Lowering *l, const char *name, intptr_t count, const V *operands, MlirType type) {
  MlirContext c = l->b.context;
  int32_t segments[] = {(int32_t)count, 0};
  return tileResult(
      tileBuildOp(&l->b, "llvm.call_intrinsic", count, operands, 1, &type,
                  TILE_ATTRS({"intrin", tileStringAttr(c, name)},
                             {"op_bundle_sizes", mlirDenseI32ArrayGet(c, 0, NULL)},
                             {"operandSegmentSizes", mlirDenseI32ArrayGet(c, 2, segments)}),
                  0));
}

static V fma3(Lowering *l, V a, V b, V c) {
  return lowerIntrinsic(l, "llvm.fma", TILE_VALUES(a, b, c), mlirValueGetType(a));
}

V lowerAbsolute(Lowering *l, V x) {
  return lowerIntrinsic(l, "llvm.fabs", TILE_VALUES(x), mlirValueGetType(x));
}

static V mulConstant(Lowering *l, V a, double value) {
  V factor = constant(l, a, value);
  return tileBuildBinary(&l->b, "arith.mulf", a, factor);
}

static int64_t sizeOf(MlirType type) {
  return mlirTypeIsAVector(type) ? mlirShapedTypeGetDimSize(type, 0) : 0;
}

/// `like` with another element type.
static MlirType withElement(MlirType like, MlirType element) {
  int64_t n = sizeOf(like);
  return n ? tileVectorType(n, element) : element;
}

/// `text` ("div.full.f32 $0, $1, $2;") on each element of one to three scalars or vectors. Free of
/// effects, so that it merges and moves.
static V instructOf(Lowering *l, const char *text, const char *constraints, intptr_t count,
                    const V *xs) {
  MlirContext c = l->b.context;
  MlirType element = tileElementType(mlirValueGetType(xs[0]));
  int64_t n = sizeOf(mlirValueGetType(xs[0]));
  V *results = malloc((size_t)(n ? n : 1) * sizeof *results);
  if (!results) abort();
  for (int64_t i = 0; i < (n ? n : 1); ++i) {
    V operands[3];
    for (intptr_t k = 0; k < count; ++k) operands[k] = n ? lowerExtract(l, xs[k], i) : xs[k];
    results[i] = tileResult(tileBuildOp(&l->b, "llvm.inline_asm", count, operands, 1, &element,
                                        TILE_ATTRS({"asm_string", tileStringAttr(c, text)},
                                                   {"constraints", tileStringAttr(c, constraints)}),
                                        0));
  }
  V result = n ? lowerFromElements(l, element, n, results) : results[0];
  free(results);
  return result;
}

static V instruct(Lowering *l, const char *text, const char *constraints, V x) {
  return instructOf(l, text, constraints, 1, &x);
}

static V approximate(Lowering *l, const char *text, V x) { return instruct(l, text, "=f,f", x); }

/// `text` ("tanh.approx.f16x2 $0, $1;") on each two of an even number of f16.
static V approximatePairs(Lowering *l, const char *text, V x) {
  MlirType type = mlirValueGetType(x);
  MlirType words = tileVectorType(sizeOf(type) / 2, tileI32(l->b.context));
  V word = tileBuildUnary(&l->b, "llvm.bitcast", words, x);
  return tileBuildUnary(&l->b, "llvm.bitcast", type, instruct(l, text, "=r,r", word));
}

//===- functions ----------------------------------------------------------===//

/// 2^x where a result below 2^-126 may be 0: one instruction.
static V buildSmallExp2(Lowering *l, V x) {
  return approximate(l, "ex2.approx.ftz.f32 $0, $1;", x);
}

static V buildExp2(Lowering *l, V x) {
  return lowerIntrinsic(l, "llvm.exp2", TILE_VALUES(x), mlirValueGetType(x));
}

/// h and x - h ln 2, for h about x log2 e.
static V buildExpRest(Lowering *l, V x, V h) {
  V high = constant(l, x, -0x1.62e43p-1);
  return fma3(l, h, high, x);
}

/// a b + c, and 0 below 0, 1 above 1, 0 for NaN: saturation costs nothing.
static V fmaSaturated(Lowering *l, V a, V b, V c) {
  return instructOf(l, "fma.rn.sat.f32 $0, $1, $2, $3;", "=f,f,f,f", 3, (V[]){a, b, c});
}

/// 2^n 2^f, f from 0 to 1 and a rounding: of ex2 no operand is below -126, where it would have to
/// be scaled, unless n is at its limit, and then 2^f is 0 of what is 0 in the end. n is cut short
/// from a number of 0 to 252, in the last bits of which n + 127 is left to be shifted into an
/// exponent. Limits by saturation, as a minimum and a maximum would be two instructions of half the
/// rate; f is what x is beyond them, NaN and infinities included.
static V buildExp(Lowering *l, V x) {
  V per = constant(l, x, 0x1.77313cp-8), half = constant(l, x, 0.5), span = constant(l, x, 252);
  V bits = constant(l, x, 0x1.800002p+23), least = constant(l, x, 0x1.8000fep+23);
  V high = constant(l, x, 0x1.715476p+0), low = constant(l, x, 0x1.4ae0cp-26);
  V part = fmaSaturated(l, x, per, half);
  V whole = instructOf(l, "fma.rm.f32 $0, $1, $2, $3;", "=f,f,f,f", 3, (V[]){part, span, bits});
  V minus = tileBuildBinary(&l->b, "arith.subf", least, whole);
  V f = fma3(l, x, low, fma3(l, x, high, minus));
  MlirType word = withElement(mlirValueGetType(x), tileI32(l->b.context));
  V exponent =
      tileBuildBinary(&l->b, "arith.shli", tileBuildUnary(&l->b, "llvm.bitcast", word, whole),
                      tileBuildInt(&l->b, word, 23));
  V power = tileBuildUnary(&l->b, "llvm.bitcast", mlirValueGetType(x), exponent);
  return tileBuildBinary(&l->b, "arith.mulf", buildSmallExp2(l, f), power);
}

/// exp x where x is 0 at most, as in a softmax. h is rounded down, from a product by what is above
/// log2 e: so r is 0 at least, and saturation makes 0 of the NaN of -infinity. 2^h is 1 at most, so
/// that 2^h + r 2^h is no infinity times 0.
static V buildExpOfFall(Lowering *l, V x) {
  V above = constant(l, x, 0x1.715478p+0);
  V h = instructOf(l, "mul.rm.f32 $0, $1, $2;", "=f,f,f", 2, (V[]){x, above});
  V rest = buildExpRest(l, x, h);
  V low = constant(l, x, 0x1.05c61p-29);
  V r = fmaSaturated(l, h, low, rest);
  V power = buildExp2(l, h);
  return fma3(l, power, r, power);
}

/// c[0] x^(n-1) + .. + c[n-1].
static V polynomial(Lowering *l, V x, int n, const double *c) {
  V sum = constant(l, x, c[0]);
  for (int i = 1; i < n; ++i) {
    V next = constant(l, x, c[i]);
    sum = fma3(l, sum, x, next);
  }
  return sum;
}

/// The magnitude of x under the sign of another.
static V copySign(Lowering *l, V x, V sign) {
  return lowerIntrinsic(l, "llvm.copysign", TILE_VALUES(x, sign), mlirValueGetType(x));
}

/// sign(x) (1 - 2^(s q(s))), s = min(|x|, 4): what is subtracted hides the error of ex2 from .9 on.
static V buildErfBeyond(Lowering *l, V x, int n, const double *c) {
  V most = constant(l, x, 4), size = lowerAbsolute(l, x);
  size = lowerIntrinsic(l, "llvm.minimum", TILE_VALUES(size, most), mlirValueGetType(x));
  V q = polynomial(l, size, n, c);
  V power = buildSmallExp2(l, tileBuildBinary(&l->b, "arith.mulf", q, size));
  V one = constant(l, x, 1);
  return copySign(l, tileBuildBinary(&l->b, "arith.subf", one, power), x);
}

/// x < limit, false for NaN.
static V isBelow(Lowering *l, V x, double limit) {
  return tileBuildCmpf(&l->b, TILE_CMPF_OLT, x, constant(l, x, limit));
}

static V isNotANumber(Lowering *l, V x) { return tileBuildCmpf(&l->b, TILE_CMPF_UNO, x, x); }

static V buildErf(Lowering *l, V x) {
  static const double nearZero[] = {-0x1.3f1956p-11, 0x1.486a5ap-8,  -0x1.b6bce8p-6,
                                    0x1.ce1db2p-4,   -0x1.8126f8p-2, 0x1.06eba6p-3},
                      beyond[] = {3.0899615376256406e-4, -4.640667233616114e-3,
                                  3.303167223930359e-2,  -1.5187478065490723e-1,
                                  -9.171363115310669e-1, -1.628105640411377};
  V far = buildErfBeyond(l, x, 6, beyond);
  V square = tileBuildBinary(&l->b, "arith.mulf", x, x);
  V p = polynomial(l, square, 6, nearZero);
  V near = fma3(l, p, x, x);
  return tileBuildSelect(&l->b, isBelow(l, lowerAbsolute(l, x), 0.9), near, far);
}

/// Right to 2^-21.5 of 1, for sums with 1: what is fitted is the whole of what is subtracted.
static V buildErfOfSum(Lowering *l, V x) {
  static const double all[] = {0x1.9d7fcp-14,  -0x1.d50224p-12, -0x1.3353f8p-9, 0x1.e37378p-6,
                               -0x1.3123cap-3, -0x1.d62e8cp-1,  -0x1.a0beeap+0};
  return buildErfBeyond(l, x, 7, all);
}

/// As mathTanh of the CPU, but what is far out, 1 - 2 / (e^2|x| + 1), by ex2.approx and rcp.approx:
/// an error of e^2|x| reaches the result divided by three and more, since |x| is .625 there at
/// least.
static V buildTanhByExp2(Lowering *l, V x) {
  static const double nearZero[] = {-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2,
                                    1.33314422036e-1, -3.33332819422e-1};
  V size = lowerAbsolute(l, x), one = constant(l, x, 1);
  V power = buildSmallExp2(l, mulConstant(l, size, 0x1.715476p+1));
  V part = approximate(l, "rcp.approx.ftz.f32 $0, $1;",
                       tileBuildBinary(&l->b, "arith.addf", power, one));
  V minusTwo = constant(l, x, -2);
  V far = fma3(l, part, minusTwo, one);
  V square = tileBuildBinary(&l->b, "arith.mulf", x, x);
  V p = tileBuildBinary(&l->b, "arith.mulf", polynomial(l, square, 5, nearZero), square);
  V near = fma3(l, p, x, x); // of -0 it is 0
  return copySign(l, tileBuildSelect(&l->b, isBelow(l, size, 0.625), near, far), x);
}

/// 1 / sqrt x of f64 by the chip's, right to 2^-20, and a step of third order. What it makes of 0
/// and infinity stands; subnormal numbers are scaled, as it takes them for 0.
static V buildWideRsqrt(Lowering *l, V x) {
  V isTiny = isBelow(l, x, 0x1p-1022), one = constant(l, x, 1);
  x = tileBuildBinary(&l->b, "arith.mulf", x,
                      tileBuildSelect(&l->b, isTiny, constant(l, x, 0x1p108), one));
  V guess = instruct(l, "rsqrt.approx.ftz.f64 $0, $1;", "=d,d", x);
  V less = tileBuildUnary(&l->b, "arith.negf", mlirValueGetType(x),
                          tileBuildBinary(&l->b, "arith.mulf", x, guess));
  V e = fma3(l, less, guess, one);
  V step = fma3(l, constant(l, x, 0.375), e, constant(l, x, 0.5));
  V root = fma3(l, step, tileBuildBinary(&l->b, "arith.mulf", guess, e), guess);
  root = tileBuildSelect(&l->b, isNotANumber(l, e), guess, root);
  return tileBuildBinary(&l->b, "arith.mulf", root,
                         tileBuildSelect(&l->b, isTiny, constant(l, x, 0x1p54), one));
}

static V buildRsqrt(Lowering *l, V x) { return approximate(l, "rsqrt.approx.f32 $0, $1;", x); }
static V buildTanh(Lowering *l, V x) { return approximate(l, "tanh.approx.f32 $0, $1;", x); }

//===- with fastmath<afn> -------------------------------------------------===//

static V buildFastExp(Lowering *l, V x) {
  return buildSmallExp2(l, mulConstant(l, x, 0x1.715476p+0));
}
static V buildFastLog2(Lowering *l, V x) { return approximate(l, "lg2.approx.f32 $0, $1;", x); }
static V buildFastLog(Lowering *l, V x) {
  return mulConstant(l, buildFastLog2(l, x), 0x1.62e43p-1);
}
static V buildFastSin(Lowering *l, V x) { return approximate(l, "sin.approx.f32 $0, $1;", x); }
static V buildFastCos(Lowering *l, V x) { return approximate(l, "cos.approx.f32 $0, $1;", x); }
static V buildFastSqrt(Lowering *l, V x) {
  return approximate(l, "sqrt.approx.ftz.f32 $0, $1;", x);
}
static V buildFastRsqrt(Lowering *l, V x) {
  return approximate(l, "rsqrt.approx.ftz.f32 $0, $1;", x);
}
static V buildFastErf(Lowering *l, V x) {
  static const double all[] = {-2.944109981749036e-3, 2.9589886390303688e-2, -1.4866546425009014e-1,
                               -9.185094290056397e-1, -1.627888998893788};
  return buildErfBeyond(l, x, 5, all);
}

static const struct {
  const char *name;
  V (*build)(Lowering *l, V x);
} approximations[] = {
    {"math.exp", buildFastExp},     {"math.exp2", buildSmallExp2}, {"math.tanh", buildTanh},
    {"math.log2", buildFastLog2},   {"math.log", buildFastLog},    {"math.sin", buildFastSin},
    {"math.cos", buildFastCos},     {"math.erf", buildFastErf},    {"math.sqrt", buildFastSqrt},
    {"math.rsqrt", buildFastRsqrt},
};

/// Two elements an instruction, where f16 is all that is asked for.
static const struct {
  const char *name, *text;
} pairs[] = {
    {"math.tanh", "tanh.approx.f16x2 $0, $1;"},
    {"math.exp2", "ex2.approx.f16x2 $0, $1;"},
};

/// Does the op allow approximate functions?
static bool allowsApproximation(MlirOperation op) { return tileOpHasFastMath(op, "afn"); }

/// Is it 1 / y, of which the chip has an approximation that is right for y?
static bool isReciprocal(MlirOperation op) {
  double one;
  return !mlirAttributeIsNull(tileAttr(op, TILE_DIVISOR_IN_RANGE)) &&
         tileConstantFloat(tileOperand(op, 0), &one) && one == 1;
}

/// A division that needs to be right to one ulp, by a number in range?
static bool isQuotient(MlirOperation op) {
  if (!tileOpIs(op, "arith.divf") || mlirAttributeIsNull(tileAttr(op, TILE_DIVISOR_IN_RANGE)))
    return false;
  MlirType element = tileElementType(mlirValueGetType(tileResult(op)));
  return mlirTypeIsAF64(element) || (mlirTypeIsAF32(element) && !isReciprocal(op));
}

/// x / y without the branch and the call of a division that is rounded right: what is left of
/// x / y by the chip's reciprocal is added. In f64 that is right to 2^-20, by 1 + e + e^2 to the
/// last bits.
static V buildQuotient(Lowering *l, V x, V y) {
  if (mlirTypeIsAF32(tileElementType(mlirValueGetType(x)))) {
    V inverse = approximate(l, "rcp.approx.ftz.f32 $0, $1;", y);
    V quotient = tileBuildBinary(&l->b, "arith.mulf", x, inverse);
    V minus = tileBuildUnary(&l->b, "arith.negf", mlirValueGetType(y), y);
    return fma3(l, fma3(l, minus, quotient, x), inverse, quotient);
  }
  V guess = instruct(l, "rcp.approx.ftz.f64 $0, $1;", "=d,d", y);
  V less = tileBuildUnary(&l->b, "arith.negf", mlirValueGetType(y), y);
  V e = fma3(l, less, guess, constant(l, y, 1));
  V inverse = fma3(l, fma3(l, e, e, e), guess, guess);
  V quotient = tileBuildBinary(&l->b, "arith.mulf", x, inverse);
  V rest = fma3(l, less, quotient, x);
  return fma3(l, rest, inverse, quotient);
}

/// The root by the chip's of 1 / x, right to 2^-22 (2^-20 in f64, which takes a step of
/// Goldschmidt's first), with what is left of x by its square.
static V buildRoot(Lowering *l, V x) {
  bool wide = mlirTypeIsAF64(tileElementType(mlirValueGetType(x)));
  V inverse = wide ? instruct(l, "rsqrt.approx.ftz.f64 $0, $1;", "=d,d", x)
                   : approximate(l, "rsqrt.approx.ftz.f32 $0, $1;", x);
  V root = tileBuildBinary(&l->b, "arith.mulf", x, inverse), half = mulConstant(l, inverse, 0.5);
  MlirType type = mlirValueGetType(x);
  if (wide) {
    V less = tileBuildUnary(&l->b, "arith.negf", type, half);
    V e = fma3(l, less, root, constant(l, x, 0.5));
    root = fma3(l, root, e, root);
    half = fma3(l, half, e, half);
  }
  V minus = tileBuildUnary(&l->b, "arith.negf", type, root);
  return fma3(l, fma3(l, minus, root, x), half, root);
}

bool lowerIsFastDivision(MlirOperation op) {
  if (isQuotient(op)) return true;
  return tileOpIs(op, "arith.divf") &&
         mlirTypeIsAF32(tileElementType(mlirValueGetType(tileResult(op)))) &&
         (tileOpHasFastMath(op, "arcp") || allowsApproximation(op) || isReciprocal(op));
}

V lowerFastDivision(Lowering *l, MlirOperation op, const V *operands) {
  if (isQuotient(op)) return buildQuotient(l, operands[0], operands[1]);
  if (isReciprocal(op)) return approximate(l, "rcp.approx.ftz.f32 $0, $1;", operands[1]);
  return instructOf(l, "div.full.f32 $0, $1, $2;", "=f,f,f", 2, operands);
}

//===- erf in a sum with 1 ------------------------------------------------===//

static bool isOne(V value) {
  double known;
  return tileConstantFloat(value, &known) && known == 1;
}

/// Of an op with two operands, the one that is not `value`.
static V besides(MlirOperation op, V value) {
  return tileOperand(op, mlirValueEqual(tileOperand(op, 0), value) ? 1 : 0);
}

/// The sum of the use of `erf` that is 1 + erf, h + h * erf or their fma; null of any other.
static MlirOperation sumWithOne(MlirOperation user, V erf) {
  MlirOperation none = {NULL};
  if (tileOpIs(user, "arith.addf")) return isOne(besides(user, erf)) ? user : none;
  if (tileOpIs(user, "math.fma"))
    return mlirValueEqual(besides(user, erf), tileOperand(user, 2)) ? user : none;
  if (!tileOpIs(user, "arith.mulf")) return none;
  MlirOpOperand only = tileOnlyUse(tileResult(user));
  if (mlirOpOperandIsNull(only)) return none;
  MlirOperation sum = mlirOpOperandGetOwner(only);
  bool both = tileOpIs(sum, "arith.addf") &&
              mlirValueEqual(besides(sum, tileResult(user)), besides(user, erf));
  return both ? sum : none;
}

/// Is it erf, of which nothing is used but 1 + erf, rounded?
static bool isOfRoundedSum(MlirOperation op) {
  if (!tileOpIs(op, "math.erf")) return false;
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(op));
  if (mlirOpOperandIsNull(use)) return false;
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation sum = sumWithOne(mlirOpOperandGetOwner(use), tileResult(op));
    if (mlirOperationIsNull(sum) || !tileIsRoundedTo16(tileResult(sum))) return false;
  }
  return true;
}

//===- tables -------------------------------------------------------------===//

static const struct {
  const char *name;
  V (*build)(Lowering *l, V x);
  bool narrow; ///< accurate enough for f16 and bf16 alone
} functions[] = {
    {"math.exp", buildExp, false},  {"math.exp2", buildExp2, false},
    {"math.erf", buildErf, false},  {"math.rsqrt", buildRsqrt, false},
    {"math.tanh", buildTanh, true}, {"math.tanh", buildTanhByExp2, false},
};

static const struct {
  const char *name, *intrinsic;
  bool flag; ///< wants an i1 that allows poison: false
} intrinsics[] = {
    {"math.absf", "llvm.fabs", false},
    {"math.floor", "llvm.floor", false},
    {"math.ceil", "llvm.ceil", false},
    {"math.trunc", "llvm.trunc", false},
    {"math.roundeven", "llvm.roundeven", false},
    {"math.sqrt", "llvm.sqrt", false},
    {"math.fma", "llvm.fma", false},
    {"math.copysign", "llvm.copysign", false},
    {"math.absi", "llvm.abs", true},
    {"math.ctlz", "llvm.ctlz", true},
    {"math.cttz", "llvm.cttz", true},
    {"math.ctpop", "llvm.ctpop", false},
};

static V buildIntrinsic(Lowering *l, size_t i, intptr_t count, const V *operands, MlirType type) {
  V all[4];
  for (intptr_t k = 0; k < count; ++k) all[k] = operands[k];
  if (intrinsics[i].flag) all[count++] = tileBuildInt(&l->b, tileI1(l->b.context), 0);
  return lowerIntrinsic(l, intrinsics[i].intrinsic, count, all, type);
}

//===- the op -------------------------------------------------------------===//

/// Halves go away from 0: half is added, the sum rounded towards 0 and its fraction dropped. What
/// lies just below a half stays below 1 so, and from 2^23 on (2^52) the half is lost. LLVM's own
/// has a second FRND, of which a multiprocessor does 16 a cycle, for the first and a choice for
/// either.
static V buildRound(Lowering *l, V x, MlirType type) {
  bool isDouble = tileBitWidth(tileElementType(type)) == 64;
  V half = lowerIntrinsic(l, "llvm.copysign", 2, (V[]){constant(l, x, 0.5), x}, type);
  V sum = isDouble ? instructOf(l, "add.rz.f64 $0, $1, $2;", "=d,d,d", 2, (V[]){x, half})
                   : instructOf(l, "add.rz.f32 $0, $1, $2;", "=f,f,f", 2, (V[]){x, half});
  return lowerIntrinsic(l, "llvm.trunc", 1, &sum, type);
}

static V lowerNarrow(Lowering *l, MlirOperation op, const V *operands, MlirType type);

/// The polynomials are written with math ops that are single instructions, and divisions that need
/// not be rounded right: those emitted after `last` become what they are here.
static bool lowerExpanded(Lowering *l, MlirOperation last, V *result) {
  MlirOperation next = mlirOperationIsNull(last) ? mlirBlockGetFirstOperation(l->b.block)
                                                 : mlirOperationGetNextInBlock(last);
  TileBuilder outside = l->b;
  while (!mlirOperationIsNull(next)) {
    MlirOperation op = next;
    next = mlirOperationGetNextInBlock(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      l->b = tileBuilderAtEnd(tileBody(op, r), outside.location);
      bool done = lowerExpanded(l, (MlirOperation){NULL}, result);
      l->b = outside;
      if (!done) return false;
    }
    bool quick = lowerIsFastDivision(op);
    if (!quick && !tileOpIsOfDialect(op, "math")) continue;
    V operands[3];
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && i < 3; ++i)
      operands[i] = tileOperand(op, i);
    l->b = tileBuilderBefore(op);
    V lowered = quick ? lowerFastDivision(l, op, operands)
                      : lowerMathOf(l, op, operands, mlirValueGetType(tileResult(op)));
    l->b = outside;
    if (mlirValueIsNull(lowered)) return false;
    if (mlirValueEqual(*result, tileResult(op))) *result = lowered;
    tileReplaceOp(op, 1, &lowered);
  }
  return true;
}

static MlirOperation lastOp(MlirBlock block) {
  MlirOperation last = mlirBlockGetFirstOperation(block), next = last;
  while (!mlirOperationIsNull(next)) {
    last = next;
    next = mlirOperationGetNextInBlock(next);
  }
  return last;
}

V lowerSmallPart(Lowering *l, V x) {
  MlirOperation last = lastOp(l->b.block);
  V part = tileBuildSmallPart(&l->b, x);
  return lowerExpanded(l, last, &part) ? part : (V){NULL};
}

static V refuse(MlirOperation op, MlirType type) {
  MlirStringRef name = tileOpName(op);
  tileEmitError(mlirOperationGetLocation(op),
                "expected a function that a GPU computes for its type, found '%.*s' of %s%d bits",
                (int)name.length, name.data, tileTypeIsFloat(type) ? "a float of " : "",
                tileBitWidth(tileElementType(type)));
  return (V){NULL};
}

/// Are sine and cosine of its operand both asked for, in its block?
static bool isSinAndCos(MlirOperation op) {
  bool isSin = tileOpIs(op, "math.sin");
  if (!isSin && !tileOpIs(op, "math.cos")) return false;
  MlirOpOperand use = mlirValueGetFirstUse(tileOperand(op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpIs(user, isSin ? "math.cos" : "math.sin") &&
        mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(op)))
      return true;
  }
  return false;
}

/// The one that `op` is; the other one is kept for the op that asks for it. Null where `op` is
/// neither, or asked for alone.
static V buildSinAndCos(Lowering *l, MlirOperation op, V x) {
  if (!isSinAndCos(op)) return (V){NULL};
  bool isKnown = mlirBlockEqual(l->b.block, l->angle.block) && !mlirValueIsNull(l->angle.x) &&
                 mlirValueEqual(x, l->angle.x);
  MlirOperation last = lastOp(l->b.block);
  V none = {NULL};
  if (!isKnown) {
    if (!tileExpandSinCos(&l->b, op, x, l->angle.results)) return none;
    if (!lowerExpanded(l, last, &none)) return (V){NULL};
    l->angle.x = x;
    l->angle.block = l->b.block;
  }
  return l->angle.results[tileOpIs(op, "math.cos")];
}

V lowerMathOf(Lowering *l, MlirOperation op, const V *operands, MlirType type) {
  MlirType element = tileElementType(type);
  int bits = tileBitWidth(element);
  bool isFloat = mlirTypeIsAFloat(element);
  intptr_t count = mlirOperationGetNumOperands(op);
  if (isFloat && bits < 16) return refuse(op, type);
  for (size_t i = 0; i < sizeof approximations / sizeof *approximations; ++i)
    if (mlirTypeIsAF32(element) && tileOpIs(op, approximations[i].name) && allowsApproximation(op))
      return approximations[i].build(l, operands[0]);
  if (bits == 64 && tileOpIs(op, "math.rsqrt")) return buildWideRsqrt(l, operands[0]);
  if (bits >= 32 && tileOpIs(op, "math.sqrt") &&
      !mlirAttributeIsNull(tileAttr(op, TILE_RADICAND_IN_RANGE)))
    return buildRoot(l, operands[0]);
  for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; ++i) {
    if (!tileOpIs(op, intrinsics[i].name)) continue;
    bool native = !isFloat || bits >= 32 || tileOpIs(op, "math.absf") || tileOpIs(op, "math.fma");
    return native ? buildIntrinsic(l, i, count, operands, type)
                  : lowerNarrow(l, op, operands, type);
  }
  if (tileOpIs(op, "math.round") && bits >= 32) return buildRound(l, operands[0], type);
  bool predicate = tileOpIs(op, "math.isnan") || tileOpIs(op, "math.isinf") ||
                   tileOpIs(op, "math.isfinite") || tileOpIs(op, "math.isnormal");
  MlirType operand = mlirValueGetType(operands[0]);
  if (predicate && tileBitWidth(tileElementType(operand)) == 16) {
    V wide = tileBuildUnary(&l->b, "arith.extf", withElement(operand, tileF32(l->b.context)),
                            operands[0]);
    return lowerMathOf(l, op, &wide, type);
  }
  bool paired = mlirTypeIsAF16(element) && sizeOf(type) && sizeOf(type) % 2 == 0;
  for (size_t i = 0; paired && i < sizeof pairs / sizeof *pairs; ++i)
    if (tileOpIs(op, pairs[i].name) && allowsApproximation(op))
      return approximatePairs(l, pairs[i].text, operands[0]);
  if (!predicate && isFloat && bits == 16) return lowerNarrow(l, op, operands, type);
  if (mlirTypeIsAF32(element) && isOfRoundedSum(op)) return buildErfOfSum(l, operands[0]);
  if (mlirTypeIsAF32(element) && tileOpIs(op, "math.exp") && tileIsAtMostZero(tileOperand(op, 0)))
    return buildExpOfFall(l, operands[0]);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (mlirTypeIsAF32(element) && tileOpIs(op, functions[i].name) && !functions[i].narrow)
      return functions[i].build(l, operands[0]);
  V result = buildSinAndCos(l, op, operands[0]);
  if (!mlirValueIsNull(result)) return result;
  MlirOperation last = lastOp(l->b.block);
  result = tileExpandMath(&l->b, op, operands);
  if (mlirValueIsNull(result)) return refuse(op, operand);
  return lowerExpanded(l, last, &result) ? result : (V){NULL};
}

/// f16 and bf16: in f32, rounded at the end.
static V lowerNarrow(Lowering *l, MlirOperation op, const V *operands, MlirType type) {
  V wide[3];
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirType wideType = withElement(type, tileF32(l->b.context));
  for (intptr_t i = 0; i < count && i < 3; ++i)
    wide[i] = tileTypeIsFloat(mlirValueGetType(operands[i]))
                  ? tileBuildUnary(&l->b, "arith.extf", wideType, operands[i])
                  : operands[i];
  V result = {NULL};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (tileOpIs(op, functions[i].name) && functions[i].narrow)
      result = functions[i].build(l, wide[0]);
  if (mlirValueIsNull(result)) result = lowerMathOf(l, op, wide, wideType);
  if (mlirValueIsNull(result)) return result;
  return tileBuildUnary(&l->b, "arith.truncf", type, result);
}

MlirLogicalResult lowerMath(Lowering *l, MlirOperation op) {
  MlirType type = lowerType(l, mlirOperationGetLocation(op), mlirValueGetType(tileResult(op)));
  if (mlirTypeIsNull(type)) return mlirLogicalResultFailure();
  V operands[3];
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > 3 || mlirOperationGetNumResults(op) != 1) {
    refuse(op, type);
    return mlirLogicalResultFailure();
  }
  for (intptr_t i = 0; i < count; ++i) operands[i] = lowerGet(l, tileOperand(op, i));
  V result = lowerMathOf(l, op, operands, type);
  if (mlirValueIsNull(result)) return mlirLogicalResultFailure();
  lowerSet(l, tileResult(op), result);
  return mlirLogicalResultSuccess();
}
