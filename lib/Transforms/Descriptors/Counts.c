//===- Counts.c - arguments that count something --------------------------===//
#include "Counts.h"

typedef struct {
  const TileAxisAnalysis *axes;
  bool *found;
  int count;
} Search;

/// The kernel's argument that `value` is, whatever its width; -1: none.
static intptr_t argumentOf(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (!mlirOperationIsNull(op) && tileOpIs(op, "arith.extsi")) value = tileOperand(op, 0);
  if (!mlirValueIsABlockArgument(value) || !mlirTypeIsAInteger(mlirValueGetType(value))) return -1;
  MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return tileOpIsAFunc(owner) ? mlirBlockArgumentGetArgNumber(value) : -1;
}

static bool divides(MlirOperation op) {
  return tileOpIs(op, "arith.divsi") || tileOpIs(op, "arith.remsi") ||
         tileOpIs(op, "arith.floordivsi") || tileOpIs(op, "arith.ceildivsi");
}

/// Notes `value` where it is an argument whose sign is not known, or the arguments that a number of
/// things that divides is itself divided or multiplied from: heads / groups, of which each is a
/// count.
static void addCount(Search *s, MlirValue value, int depth) {
  if (tileAxisAnalysisGet(s->axes, value)->min >= 0) return;
  intptr_t argument = argumentOf(value);
  if (argument >= 0) {
    s->count += !s->found[argument];
    s->found[argument] = true;
    return;
  }
  MlirOperation op = tileValueGetOp(value);
  bool passes = !mlirOperationIsNull(op) && (divides(op) || tileOpIs(op, "arith.muli"));
  if (!passes || tileOpIs(op, "arith.remsi") || depth == 0) return;
  for (intptr_t i = 0; i < 2; ++i) addCount(s, tileOperand(op, i), depth - 1);
}

static MlirWalkResult findCount(MlirOperation op, void *data) {
  // Operand 1 is the divisor, and the bound.
  if (divides(op) || tileOpIs(op, "scf.for")) addCount(data, tileOperand(op, 1), 4 * divides(op));
  return MlirWalkResultAdvance;
}

bool tileFindCounts(MlirOperation func, const TileAxisAnalysis *axes, bool *found) {
  Search s = {.axes = axes, .found = found};
  mlirOperationWalk(func, findCount, &s, MlirWalkPreOrder);
  return s.count > 0 && s.count <= tileMaxCounts;
}

MlirValue tileBuildWatchedExtent(TileBuilder *b, MlirOperation func, const bool *watched) {
  MlirBlock entry = tileBody(func, 0);
  MlirType i32 = tileI32(b->context);
  MlirValue sign = tileBuildInt(b, i32, 0); // -1 where one is negative
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    if (!watched[i]) continue;
    MlirValue argument = mlirBlockGetArgument(entry, i);
    MlirType type = mlirValueGetType(argument);
    MlirValue zero = tileBuildInt(b, type, 0), minusOne = tileBuildInt(b, type, -1);
    MlirValue below = tileBuildBinary(b, "arith.minsi", argument, zero);
    MlirValue of = tileBuildBinary(b, "arith.maxsi", below, minusOne);
    int bits = tileBitWidth(type);
    if (bits != 32) of = tileBuildUnary(b, bits > 32 ? "arith.trunci" : "arith.extsi", i32, of);
    sign = tileBuildBinary(b, "arith.minsi", sign, of);
  }
  MlirValue one = tileBuildInt(b, i32, 1), far = tileBuildInt(b, i32, INT32_MAX);
  MlirValue holds = tileBuildBinary(b, "arith.addi", sign, one);
  MlirValue extent = tileBuildBinary(b, "arith.muli", holds, far);
  return tileBuildBinary(b, "arith.addi", extent, sign);
}
