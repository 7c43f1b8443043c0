//===- Guess.c - how a program probably walks memory ----------------------===//
//
// Proofs end where numbers are divided or clamped: of x % n, which of its elements follow each
// other depends on n, and of x / n which are equal. Yet most neighbours do. A guess says so:
//
//     x, of a run of 128            guess: runs of 128
//     x % n, x < n ? x : 0          guess: runs of 128 still
//     x / n                         guess: 128 equal ones
//     table[x / 32], x < n          guess: 32 equal ones, the page of x
//
// It decides what neighbouring lanes read, never what an access covers.
//
//===----------------------------------------------------------------------===//
#include "Axis.h"
#include "AxisFacts.h"

/// How many ops with two operands a guess looks back: as many as there are from the address of a
/// voxel, a sum of five, to its number, of which a quotient of a quotient of a quotient is an
/// image.
enum { MAX_DEPTH = 12 };

static bool isClamp(MlirOperation op) {
  return tileOpIs(op, "arith.minsi") || tileOpIs(op, "arith.minui") ||
         tileOpIs(op, "arith.maxsi") || tileOpIs(op, "arith.maxui");
}

static bool isSum(MlirOperation op) {
  return tileOpIsAAddPtr(op) || tileOpIs(op, "arith.addi") || tileOpIs(op, "arith.subi");
}

/// What `op` takes its elements from unchanged, and along which dimension of that; null if it
/// computes them, or has the same one everywhere.
static MlirValue passedOn(MlirOperation op, int *dim) {
  if (tileOpIsAExpandDims(op)) {
    int axis = (int)tileExpandDimsGetAxis(op);
    if (*dim == axis) return (MlirValue){NULL};
    *dim -= *dim > axis;
    return tileOperand(op, 0);
  }
  bool passes = tileOpIsABroadcast(op) || tileOpIs(op, "arith.extsi") ||
                tileOpIs(op, "arith.extui") || tileOpIs(op, "arith.trunci");
  return passes ? tileOperand(op, 0) : (MlirValue){NULL};
}

/// Of the `dim`-th dimension, 1 where it is broadcast or unknown.
static int64_t extentOf(MlirValue value, int dim) {
  AxisType type = axisTypeOf(mlirValueGetType(value));
  return dim < type.rank ? type.extents[dim] : 1;
}

/// `run`, of what is divided by `divisor`: no more than that, where it is a constant.
static int64_t withinDivisor(const TileAxisInfo *divisor, int64_t run) {
  if (!divisor->hasConstant || divisor->constant <= 0) return run;
  while (run > divisor->constant) run /= 2;
  return run;
}

static int64_t guessRun(const TileAxisAnalysis *analysis, MlirValue value, int d, int depth);

/// Elements along `d` that are probably equal.
static int64_t likelySame(const TileAxisAnalysis *analysis, MlirValue value, int d, int depth) {
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, value);
  int64_t same = info->constancy[d];
  MlirOperation op = tileValueGetOp(value);
  if (depth == 0 || mlirOperationIsNull(op) || same >= extentOf(value, d)) return same;
  int dim = d;
  MlirValue from = passedOn(op, &dim);
  if (!mlirValueIsNull(from)) return axisMax(same, likelySame(analysis, from, dim, depth));
  if (tileOpIsALoad(op))
    return axisMax(same, likelySame(analysis, tileLoadGetPtr(op), d, depth - 1));
  if (isSum(op) || tileOpIs(op, "arith.muli") || tileOpIsRemainder(op)) {
    int64_t one = likelySame(analysis, tileOperand(op, 0), d, depth - 1);
    if (one <= same) return same;
    return axisMax(same, axisGcd(one, likelySame(analysis, tileOperand(op, 1), d, depth - 1)));
  }
  if (!tileOpIsQuotient(op)) return same;
  const TileAxisInfo *divisor = tileAxisAnalysisGet(analysis, tileOperand(op, 1));
  if (divisor->constancy[d] < extentOf(value, d)) return same;
  int64_t run = guessRun(analysis, tileOperand(op, 0), d, depth - 1);
  int64_t one = likelySame(analysis, tileOperand(op, 0), d, depth - 1);
  return axisMax(same, axisMax(one, withinDivisor(divisor, run)));
}

/// Of a sum: of one operand, where the other is the same.
static int64_t likelyRunOfSum(const TileAxisAnalysis *analysis, MlirOperation op, int d,
                              int depth) {
  int64_t run = 1;
  for (int i = 0; i < (tileOpIs(op, "arith.subi") ? 1 : 2); ++i) {
    int64_t one = guessRun(analysis, tileOperand(op, i), d, depth);
    if (one > run)
      run = axisMax(run, axisGcd(one, likelySame(analysis, tileOperand(op, 1 - i), d, depth)));
  }
  return run;
}

/// Elements along `d` that probably follow each other, `depth` sums back at most.
static int64_t guessRun(const TileAxisAnalysis *analysis, MlirValue value, int d, int depth) {
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, value);
  int64_t run = info->contiguity[d];
  MlirOperation op = tileValueGetOp(value);
  if (depth == 0 || run >= extentOf(value, d)) return run;
  if (mlirOperationIsNull(op)) { // what a loop carries looks as it does on the first trip
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    intptr_t i = mlirBlockArgumentGetArgNumber(value);
    if (i == 0 || !tileOpIs(loop, "scf.for")) return run;
    return axisMax(run, guessRun(analysis, tileOperand(loop, i + 2), d, depth - 1));
  }
  int dim = d;
  MlirValue from = passedOn(op, &dim);
  if (!mlirValueIsNull(from)) return axisMax(run, guessRun(analysis, from, dim, depth));
  if (isSum(op)) return axisMax(run, likelyRunOfSum(analysis, op, d, depth - 1));
  bool divides = tileOpIsRemainder(op), selects = tileOpIs(op, "arith.select");
  if (!divides && !selects && !isClamp(op)) return run;
  MlirValue taken = tileOperand(op, selects), bound = tileOperand(op, selects + 1);
  const TileAxisInfo *other = tileAxisAnalysisGet(analysis, bound);
  if (other->constancy[d] < extentOf(value, d)) return run;
  int64_t one = guessRun(analysis, taken, d, depth - 1);
  return axisMax(run, divides ? withinDivisor(other, one) : one);
}

int64_t axisGuessRun(const TileAxisAnalysis *analysis, MlirValue pointers, int dim) {
  return guessRun(analysis, pointers, dim, MAX_DEPTH);
}
