//===- SplitPrecision.c - products of f32 as several narrower ones --------===//
//
// Before:  %d = tile.dot %a, %b, %c precision tf32x3
// After:   %x = tile.dot %a, %b, 0 precision tf32
//          %as = %a - (%a, its lower 13 bits cleared) + 2^-56 %a        %a where that is infinite
//          %y = tile.dot %as, %b, %x precision tf32
//          %bs = %b - (%b, its lower 13 bits cleared) + 2^-56 %b
//          %z = tile.dot %a, %bs, %y precision tf32
//          %d = %c + %z
//
// Tensor cores see the upper 19 bits of an f32: its large part, exactly. What that leaves of it,
// the small part, has 13 bits, 11 of which they see, so that all but some 2^-21 of each product is
// summed up; what is missing is about as much as f32 rounds off a sum. The large product comes
// first, since it needs nothing computed: the small parts are taken while it is on the tensor
// cores.
//
// A small part has the sign of its number and, if that is at least 2^-80 in size, is not 0: so all
// products of an infinity and a number are that infinity, as in f32, and none is 0 times it. What
// is added for this is less than what f32 rounds off each product, and of numbers that tf32 has
// whole it is lost beside the least sum that f32 has of their products exactly, 2^-24 of them.
//
// Tensor cores cut short what they add, always towards zero: 1,536 such additions, those of 4,096
// of K, lose 4e-5 of a sum. So each dot begins at zero, and its sum is added as f32 rounds.
//
// A product of few rows that reads rows wherever they begin stays one: of what mma.sync has read
// the parts are computed in registers (Mma.c), where tiles of them would be stored and read again.
//
// The split into parts is that of Ootomo and Yokota, "Recovering single precision accuracy from
// Tensor Cores while surpassing the FP32 theoretical peak performance" (2022); CUTLASS and Triton
// have it too. Theirs round the large part, which costs an instruction for each element; here what
// the tensor cores cut off is computed.
//
// Before:  %d = tile.dot %a, %b, %c precision bf16x3
// After:   %al = arith.truncf %a : f32 to bf16
//          %as = arith.truncf (%a - %al)
//          %bl, %bs of %b
//          %x = tile.dot %as, %bl, 0
//          %y = tile.dot %al, %bs, %x
//          %z = tile.dot %al, %bl, (%y where it is a number, else 0)
//          %d = %c + %z
//
// bf16x6 has a third term of each operand, what the second leaves, and six products, all whose
// terms' numbers add up to 2 at most, from 0 on; the smallest are added up first. What an infinity
// leaves is NaN, and so is any sum that it is in: beside the product of the large terms nothing is
// wanted of it. Triton has both (its F32DotTC.cpp says how).
//
// Those of bf16 are split before anything asks what loops hold and which loads feed products: then
// they are products like any others.
//
// And before dots change their shapes, where one operand is computed and the other one was bf16:
//
// Before:  %y = arith.extf %b : bf16 to f32
//          %d = tile.dot %a, %y, %c precision tf32
// After:   %large = %a, its lower 16 bits cleared
//          %small = fma(%a, 1 + 2^-23, -%large)              %a where that is infinite
//          %x = tile.dot bf16(%small), %b, %c
//          %d = tile.dot bf16(%large), %b, %x
//
// Two products of bf16 take the tensor cores as long as one of tf32, and see 16 bits of %a where
// that sees 11, if %a is at least 2^-117 in size; of what is smaller they miss 2^-134 at most, the
// half of bf16's least number; tf32 misses more of what is 2^-123 and more. The small part of %a
// has its sign, and is 0 only if that is (or below 2^-110): both products with an infinity are
// that infinity, and none is 0 times it. %b is read as it was copied, not extended by threads and
// stored again, nor is %a stored word by word, with K fastest. Taken are dots for wgmma, whose %a
// has twice as many elements as %b at most, and is not read from memory as it lies there.
//
// Requires: nothing.  Preserves: control flow. Rounds as each precision allows.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Patterns.h"
#include "tile/Support/Tf32Parts.h"
#include <math.h>

/// The two parts of `x` that bf16 has, as f32: the small one first.
static void takeParts(TileBuilder *b, MlirValue x, MlirValue parts[2]) {
  MlirType type = mlirValueGetType(x);
  parts[1] = tileBuildLargePart(b, x, TILE_UPPER_OF_BF16);
  MlirValue above = tileBuildFloat(b, type, 1.0 + 0x1p-23);
  MlirValue minus = tileBuildUnary(b, "arith.negf", type, parts[1]);
  MlirValue rest = tileBuild(b, "math.fma", type, TILE_VALUES(x, above, minus));
  MlirValue size = tileBuildUnary(b, "math.absf", type, x);
  MlirValue isInfinite = tileBuildCmpf(b, TILE_CMPF_OEQ, size, tileBuildFloat(b, type, INFINITY));
  parts[0] = tileBuildSelect(b, isInfinite, x, rest);
}

/// `x` as bf16.
static MlirValue narrow(TileBuilder *b, MlirValue x) {
  MlirType type = tileWithElement(mlirValueGetType(x), mlirBF16TypeGet(b->context));
  return tileBuildUnary(b, "arith.truncf", type, x);
}

/// The product that `dot` is, of `precision`, of others.
static MlirValue product(TileBuilder *b, MlirOperation dot, const char *precision, MlirValue x,
                         MlirValue y, MlirValue acc) {
  MlirType type = mlirValueGetType(acc);
  const MlirValue operands[] = {x, y, acc};
  MlirOperation made = tileBuildLike(b, dot, 3, operands, &type);
  mlirOperationSetAttributeByName(made, tileString("precision"),
                                  tileParseAttr(b->context, precision));
  return tileResult(made);
}

static bool split(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  const TileAxisAnalysis *axis = data; // null: all are split
  if (tileDotGetPrecision(op) != TILE_PRECISION_TF32X3) return false;
  if (axis && tileIsRaggedDot(axis, op)) return false;
  MlirValue x = tileDotGetA(op), y = tileDotGetB(op);
  MlirValue before = tileDotGetAcc(op), zero = tileBuildZero(b, mlirValueGetType(before));
  static const char tf32[] = "#tile<precision tf32>";
  MlirValue sum = product(b, op, tf32, x, y, zero);
  MlirValue xs = tileBuildSmallPart(b, x);
  sum = product(b, op, tf32, xs, y, sum);
  MlirValue ys = tileBuildSmallPart(b, y);
  sum = product(b, op, tf32, x, ys, sum);
  results[0] = tileIsZero(before) ? sum : tileBuildBinary(b, "arith.addf", before, sum);
  return true;
}

//===- terms of bf16 ------------------------------------------------------===//

enum { MOST_TERMS = 3 };

static int countTerms(MlirOperation dot) {
  int64_t precision = tileDotGetPrecision(dot);
  return precision == TILE_PRECISION_BF16X3 ? 2 : precision == TILE_PRECISION_BF16X6 ? 3 : 0;
}

/// `x` as bf16, what that leaves of it, and so on.
static void takeTerms(TileBuilder *b, MlirValue x, int count, MlirValue *terms) {
  MlirType type = mlirValueGetType(x);
  for (int i = 0;; ++i) {
    terms[i] = narrow(b, x);
    if (i + 1 == count) return;
    x = tileBuildBinary(b, "arith.subf", x, tileBuildUnary(b, "arith.extf", type, terms[i]));
  }
}

static bool splitIntoTerms(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  int count = countTerms(op);
  if (!count) return false;
  MlirValue x[MOST_TERMS], y[MOST_TERMS], before = tileDotGetAcc(op);
  takeTerms(b, tileDotGetA(op), count, x);
  takeTerms(b, tileDotGetB(op), count, y);
  static const char whole[] = "#tile<precision ieee>";
  MlirValue zero = tileBuildZero(b, mlirValueGetType(before)), sum = zero;
  for (int both = count - 1; both > 0; --both)
    for (int i = both; i >= 0; --i) sum = product(b, op, whole, x[i], y[both - i], sum);
  MlirValue isNumber = tileBuildCmpf(b, TILE_CMPF_ORD, sum, sum);
  sum = tileBuildSelect(b, isNumber, sum, zero);
  sum = product(b, op, whole, x[0], y[0], sum);
  results[0] = tileIsZero(before) ? sum : tileBuildBinary(b, "arith.addf", before, sum);
  return true;
}

//===- beside bf16 --------------------------------------------------------===//

/// The bf16 that `value` is as f32, transposed or not; null where it is none.
static MlirValue extendedFrom(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (!mlirOperationIsNull(op) && tileOpIsATrans(op)) op = tileValueGetOp(tileOperand(op, 0));
  bool extends = !mlirOperationIsNull(op) && tileOpIs(op, "arith.extf") &&
                 mlirTypeIsABF16(tileElementType(mlirValueGetType(tileOperand(op, 0))));
  return extends ? tileOperand(op, 0) : (MlirValue){NULL};
}

/// Is it read as it lies in memory, transposed or not? Then no thread need touch it.
static bool isLoaded(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (!mlirOperationIsNull(op) && tileOpIsATrans(op)) op = tileValueGetOp(tileOperand(op, 0));
  return !mlirOperationIsNull(op) && (tileOpIsALoad(op) || tileOpIsADescLoad(op));
}

/// bf16(`value`), of which `from` is known to be it, maybe transposed.
static MlirValue narrowed(TileBuilder *b, MlirValue value, MlirValue from) {
  MlirOperation op = tileValueGetOp(value);
  if (!tileOpIsATrans(op)) return from;
  MlirType type = tileWithElement(mlirValueGetType(value), mlirBF16TypeGet(b->context));
  return tileResult(tileBuildLike(b, op, 1, &from, &type));
}

/// Would wgmma compute `dot`, of bf16? As tf32 it reads B with K fastest alone, and A from
/// registers as threads hold no results.
static bool isForWgmma(MlirOperation dot, int64_t warps) {
  enum { groupWarps = 4, leastDepth = 16 };
  const TileMachine *machine = tileMachineOf(dot);
  const TileMatrix *wgmma = tileMachineFindMatrix(machine, TILE_MATRIX_WGMMA, TILE_MATRIX_BF16,
                                                  TILE_MATRIX_BF16, TILE_MATRIX_F32);
  int64_t a[TILE_MAX_RANK], b[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(tileDotGetA(dot)), a);
  tileShape(mlirValueGetType(tileDotGetB(dot)), b);
  return wgmma && warps % groupWarps == 0 && rank == 2 && a[0] >= wgmma->m && a[1] >= leastDepth &&
         b[1] >= tileMachineNumber(machine, TILE_NUMBER_DOT_COLUMNS_LEAST);
}

static bool splitBeside(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  const int64_t *warps = data;
  if (tileDotGetPrecision(op) != TILE_PRECISION_TF32 || !isForWgmma(op, *warps)) return false;
  MlirValue sides[2] = {tileDotGetA(op), tileDotGetB(op)}, acc = tileDotGetAcc(op);
  MlirValue from[2] = {extendedFrom(sides[0]), extendedFrom(sides[1])};
  int wide = mlirValueIsNull(from[1]);
  if (mlirValueIsNull(from[0]) == mlirValueIsNull(from[1]) || isLoaded(sides[wide])) return false;
  // Two numbers of each element are more work than one extended and stored.
  int64_t elements[2] = {tileNumElements(mlirValueGetType(sides[0])),
                         tileNumElements(mlirValueGetType(sides[1]))};
  int64_t most = tileMachineNumber(tileMachineOf(op), TILE_NUMBER_SPLIT_OPERAND_TIMES);
  if (elements[wide] > most * elements[!wide]) return false;
  MlirValue bf16 = narrowed(b, sides[!wide], from[!wide]);
  MlirValue parts[2];
  takeParts(b, sides[wide], parts);
  for (int i = 0; i < 2; ++i) parts[i] = narrow(b, parts[i]);
  for (int i = 0; i < 2; ++i)
    acc = product(b, op, "#tile<precision ieee>", wide ? bf16 : parts[i], wide ? parts[i] : bf16,
                  acc);
  results[0] = acc;
  return true;
}

MlirLogicalResult tileRunSplitOperands(MlirOperation func) {
  static const TilePattern patterns[] = {{"tile.dot", splitBeside}};
  int64_t warps = tileNumWarpsOf(func);
  tileApplyPatterns(func, TILE_PATTERNS(patterns), &warps);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult tileRunSplitPrecision(MlirOperation func,
                                        const TileSplitPrecisionOptions *options) {
  static const TilePattern terms[] = {{"tile.dot", splitIntoTerms}};
  tileApplyPatterns(func, TILE_PATTERNS(terms), NULL);
  if (options->bf16) return mlirLogicalResultSuccess();
  static const TilePattern patterns[] = {{"tile.dot", split}};
  bool packs = !mlirAttributeIsNull(tileAttr(func, "tile_gpu.packs"));
  TileAxisAnalysis *axis = packs ? NULL : tileAxisAnalysisCreate(func);
  tileApplyPatterns(func, TILE_PATTERNS(patterns), axis);
  if (axis) tileAxisAnalysisDestroy(axis);
  return mlirLogicalResultSuccess();
}
