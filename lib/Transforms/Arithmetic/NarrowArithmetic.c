//===- NarrowArithmetic.c - f32 that 16 bits would do for ------------------===//
//
// Before:  %n = arith.sitofp %bits : tensor<128x64xi32> to tensor<128x64xf32>       // 0 .. 15
//          %z = arith.uitofp %zero : tensor<128x64xi8> to tensor<128x64xf32>
//          %d = arith.subf %n, %z
//          %s = arith.extf %scale : tensor<128x64xf16> to tensor<128x64xf32>
//          %y = arith.truncf (arith.mulf %d, %s) : tensor<128x64xf32> to tensor<128x64xf16>
// After:   %n = arith.sitofp %bits : tensor<128x64xi32> to tensor<128x64xf16>
//          %z = arith.uitofp %zero : tensor<128x64xi8> to tensor<128x64xf16>
//          %y = arith.mulf (arith.subf %n, %z), %scale : tensor<128x64xf16>
//
// A sum, a difference or a product of two numbers that f16 has, rounded to f32 and then to f16, is
// what f16 rounds it to at once: f32 has 24 bits, and twice the 11 of f16 and two more are enough
// for that; of bf16 and its 8, too. (Of a product in bf16 below 2^-126 the last bit may differ.) An
// instruction computes two of them, and threads have no I2F to wait for: of weights of 4 bits and
// their scales a step took 523 instructions, and half of that is left.
//
// Numbers that f16 has are those that were f16, or 8 bits, before they were widened; small
// integers, and what sums and products of these are as long as they are below 2^11 (2^8); and such
// constants. What is computed has no leave to be contracted with what follows, since it was
// rounded.
//
// Requires: nothing.  Preserves: control flow, numerics but for that last bit.
//===----------------------------------------------------------------------===//
#include "tile/Analysis/Analysis.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Patterns.h"
#include "tile/Trace.h"
#include "tile/Traits.h"
#include <math.h>

typedef MlirValue V;

enum { DEPTH = 8 };

typedef struct {
  TileAxisAnalysis *axis;
  MlirType to; ///< f16 or bf16
} Narrowing;

/// What is known of a value's elements as numbers of 16 bits.
typedef struct {
  bool isExact;   ///< f16, or bf16, has them
  double integer; ///< they are integers of at most this size; negative where that is not known
} Numbers;

static const Numbers others = {false, -1};

static double mostInteger(const Narrowing *n) { return mlirTypeIsAF16(n->to) ? 2048 : 256; }

static Numbers numbersOf(const Narrowing *n, V v, int depth);

static Numbers integers(const Narrowing *n, double most) {
  return most <= mostInteger(n) ? (Numbers){true, most} : others;
}

static Numbers ofIntegers(const Narrowing *n, MlirOperation op) {
  V from = tileOperand(op, 0);
  int width = tileBitWidth(tileElementType(mlirValueGetType(from)));
  if (width <= 8) return integers(n, ldexp(1, tileOpIs(op, "arith.sitofp") ? width - 1 : width));
  if (!tileTypeIsTile(mlirValueGetType(from))) return others;
  const TileAxisInfo *info = tileAxisAnalysisGet(n->axis, from);
  return integers(n, fmax(fabs((double)info->min), fabs((double)info->max)));
}

static Numbers ofWidened(const Narrowing *n, MlirOperation op) {
  MlirType from = tileElementType(mlirValueGetType(tileOperand(op, 0)));
  bool isByte = mlirTypeIsAFloat8E4M3FN(from) || mlirTypeIsAFloat8E5M2(from);
  return (Numbers){mlirTypeEqual(from, n->to) || isByte, -1};
}

static Numbers ofConstant(const Narrowing *n, double number) {
  int exponent;
  if (fabs(number) <= mostInteger(n) && number == trunc(number))
    return (Numbers){true, fabs(number)};
  return (Numbers){fabs(frexp(number, &exponent)) == .5 && exponent > -13 && exponent < 16, -1};
}

/// The name of `op` where it is a sum, a difference or a product; else null.
static const char *arithmeticOf(MlirOperation op) {
  static const char *const names[] = {"arith.addf", "arith.subf", "arith.mulf"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tileOpIs(op, names[i])) return names[i];
  return NULL;
}

static bool isMove(MlirOperation op) {
  return tileOpMovesElements(op) || tileOpIsABroadcast(op) || tileOpIsASplat(op);
}

static Numbers ofArithmetic(const Narrowing *n, MlirOperation op, int depth) {
  Numbers a = numbersOf(n, tileOperand(op, 0), depth), b = numbersOf(n, tileOperand(op, 1), depth);
  if (!a.isExact || !b.isExact || a.integer < 0 || b.integer < 0) return others;
  return integers(n, tileOpIs(op, "arith.mulf") ? a.integer * b.integer : a.integer + b.integer);
}

static Numbers numbersOf(const Narrowing *n, V v, int depth) {
  double constant;
  if (tileConstantFloat(v, &constant)) return ofConstant(n, constant);
  MlirOperation op = tileValueGetOp(v);
  if (mlirOperationIsNull(op) || depth <= 0) return others;
  if (tileOpIs(op, "arith.sitofp") || tileOpIs(op, "arith.uitofp")) return ofIntegers(n, op);
  if (tileOpIs(op, "arith.extf")) return ofWidened(n, op);
  if (isMove(op)) return numbersOf(n, tileOperand(op, 0), depth - 1);
  return arithmeticOf(op) ? ofArithmetic(n, op, depth - 1) : others;
}

/// `v` in 16 bits.
static V build(TileBuilder *b, const Narrowing *n, V v) {
  double constant;
  MlirType type = tileWithElement(mlirValueGetType(v), n->to);
  if (tileConstantFloat(v, &constant)) return tileBuildFloat(b, type, constant);
  MlirOperation op = tileValueGetOp(v);
  if (arithmeticOf(op)) {
    V lhs = build(b, n, tileOperand(op, 0)), rhs = build(b, n, tileOperand(op, 1));
    return tileBuildBinary(b, arithmeticOf(op), lhs, rhs);
  }
  V from = tileOperand(op, 0);
  if (isMove(op))
    from = build(b, n, from);
  else if (mlirTypeEqual(mlirValueGetType(from), type))
    return from;
  return tileResult(tileBuildLike(b, op, 1, &from, &type));
}

/// Is all that reads `v` narrowed?
static bool isNarrowedAlone(V v) {
  MlirOpOperand use = mlirValueGetFirstUse(v);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!tileOpIs(mlirOpOperandGetOwner(use), "arith.truncf")) return false;
  return true;
}

static bool narrow(TileBuilder *b, MlirOperation op, void *data, V *results) {
  Narrowing *n = data;
  V wide = tileOperand(op, 0);
  MlirType type = mlirValueGetType(tileResult(op));
  n->to = tileElementType(type);
  if (!tileTypeIsTile(type) || !mlirTypeIsAF32(tileElementType(mlirValueGetType(wide))) ||
      (!mlirTypeIsAF16(n->to) && !mlirTypeIsABF16(n->to)) ||
      !mlirAttributeIsNull(tileAttr(op, "roundingmode")))
    return false;
  MlirOperation made = tileValueGetOp(wide);
  if (mlirOperationIsNull(made) || !arithmeticOf(made) || !isNarrowedAlone(wide)) return false;
  if (!numbersOf(n, tileOperand(made, 0), DEPTH).isExact ||
      !numbersOf(n, tileOperand(made, 1), DEPTH).isExact) {
    tileEmitRemark(mlirOperationGetLocation(made),
                   "arithmetic stays f32: expected operands that %s has, found others",
                   mlirTypeIsAF16(n->to) ? "f16" : "bf16");
    return false;
  }
  results[0] = build(b, n, wide);
  return true;
}

MlirLogicalResult tileRunNarrowArithmetic(MlirOperation func) {
  static const TilePattern patterns[] = {{"arith.truncf", narrow}};
  Narrowing n = {.axis = tileAxisAnalysisCreate(func)};
  tileApplyPatterns(func, TILE_PATTERNS(patterns), &n);
  tileAxisAnalysisDestroy(n.axis);
  return mlirLogicalResultSuccess();
}
