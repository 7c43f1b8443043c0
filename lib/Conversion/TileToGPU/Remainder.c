//===- Remainder.c - arith.remf, exactly ----------------------------------===//
//
// Before:  %r = arith.remf %x, %y : f32
// After:   in f64, with r = |x|, t = |y| 2^240 and s = 1 / t, seven times:
//            r = fma(-roundeven(r s), t, r);  r = r < 0 ? r + t : r;  t = t 2^-40;  s = s 2^40
//          %r = |x| < |y| ? x : copysign(r, x)
//
// A step leaves r < t, so the next quotient is below 2^41: a whole number that f64 holds, wrong by
// at most one half and a little. What fma then rounds is a multiple of t's last bit (an f32's) and
// no larger than t, so it is exact; and 2^280 is more than the quotient of any two f32. Zeros,
// infinities and NaN give what they should without a test, but an infinite y. f16 and bf16
// take the same way; their remainders are numbers of theirs.
//
// The idea, to divide in pieces whose products are exact, is that of fmod in many C libraries.
//
//===----------------------------------------------------------------------===//
#include "Math.h"

typedef MlirValue V;

enum { STEPS = 7, BITS = 40, OLT = 4 /* arith.cmpf */ };

static V less(Lowering *l, V a, V b) {
  MlirType i1 = tileI1(l->b.context), type = mlirValueGetType(a);
  if (mlirTypeIsAVector(type)) i1 = tileVectorType(mlirShapedTypeGetDimSize(type, 0), i1);
  MlirAttribute predicate = mlirIntegerAttrGet(tileI64(l->b.context), OLT);
  return tileResult(tileBuildOp(&l->b, "arith.cmpf", TILE_VALUES(a, b), 1, &i1,
                                TILE_ATTRS({"predicate", predicate}), 0));
}

static V scaled(Lowering *l, V x, double factor) {
  V constant = tileBuildFloat(&l->b, mlirValueGetType(x), factor);
  return tileBuildBinary(&l->b, "arith.mulf", x, constant);
}

/// |x| mod |y| of positive f64 that f32 can hold.
static V divideInSteps(Lowering *l, V x, V y) {
  MlirType type = mlirValueGetType(x);
  const double down = 1.0 / (INT64_C(1) << BITS), up = (double)(INT64_C(1) << BITS);
  V zero = tileBuildFloat(&l->b, type, 0), one = tileBuildFloat(&l->b, type, 1);
  V modulus = scaled(l, y, 0x1p240);
  V inverse = tileBuildBinary(&l->b, "arith.divf", one, modulus);
  for (int step = 0; step < STEPS; ++step) {
    if (step) {
      modulus = scaled(l, modulus, down);
      inverse = scaled(l, inverse, up);
    }
    V quotient = tileBuildBinary(&l->b, "arith.mulf", x, inverse);
    quotient = lowerIntrinsic(l, "llvm.roundeven", TILE_VALUES(quotient), type);
    quotient = tileBuildUnary(&l->b, "arith.negf", type, quotient);
    x = lowerIntrinsic(l, "llvm.fma", TILE_VALUES(quotient, modulus, x), type);
    V raised = tileBuildBinary(&l->b, "arith.addf", x, modulus);
    x = tileBuildSelect(&l->b, less(l, x, zero), raised, x);
  }
  return x;
}

V lowerRemainderOf(Lowering *l, MlirOperation op, const V *operands) {
  MlirType type = mlirValueGetType(operands[0]), f64 = mlirF64TypeGet(l->b.context);
  if (tileBitWidth(tileElementType(type)) > 32) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a remainder of floats of at most 32 bits on a GPU, found 64");
    return (V){NULL};
  }
  MlirType wide =
      mlirTypeIsAVector(type) ? tileVectorType(mlirShapedTypeGetDimSize(type, 0), f64) : f64;
  V x = tileBuildUnary(&l->b, "arith.extf", wide, operands[0]);
  V y = tileBuildUnary(&l->b, "arith.extf", wide, operands[1]);
  V size = lowerAbsolute(l, x), modulus = lowerAbsolute(l, y);
  V rest = divideInSteps(l, size, modulus);
  rest = lowerIntrinsic(l, "llvm.copysign", TILE_VALUES(rest, x), wide);
  rest = tileBuildUnary(&l->b, "arith.truncf", type, rest);
  return tileBuildSelect(&l->b, less(l, size, modulus), operands[0], rest);
}

MlirLogicalResult lowerRemainder(Lowering *l, MlirOperation op) {
  V operands[2];
  for (int i = 0; i < 2; ++i) operands[i] = lowerGet(l, tileOperand(op, i));
  V result = lowerRemainderOf(l, op, operands);
  if (mlirValueIsNull(result)) return mlirLogicalResultFailure();
  lowerSet(l, tileResult(op), result);
  return mlirLogicalResultSuccess();
}
