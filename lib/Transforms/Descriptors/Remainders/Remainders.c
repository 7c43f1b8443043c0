//===- Remainders.c - rows that wrap around as a whole --------------------===//
#include "Remainders.h"
#include "tile/Analysis/Analysis.h"
#include "tile/Support/Grow.h"
#include "tile/Trace.h"
#include <stdlib.h>

typedef struct {
  MlirOperation op, sum; // what is divided: of a splat, its operand `first`, and positions
  intptr_t first;
} Remainder;

typedef struct {
  const TileAxisAnalysis *axes;
  Remainder *found;
  size_t count, capacity;
} Finder;

/// The scalar that all of `value`'s elements are; null: there is none.
static MlirValue splatOf(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  bool isSplat = !mlirOperationIsNull(op) && tileOpIsASplat(op);
  return isSplat ? tileOperand(op, 0) : (MlirValue){NULL};
}

bool tileIsUniform(MlirValue tile) {
  int64_t number;
  return !mlirValueIsNull(splatOf(tile)) || tileConstantInt(tile, &number);
}

MlirValue tileBuildUniform(TileBuilder *b, MlirValue tile) {
  int64_t number;
  if (!tileConstantInt(tile, &number)) return splatOf(tile);
  return tileBuildInt(b, tileElementType(mlirValueGetType(tile)), number);
}

/// Is what is divided known to be no less than 0?
static bool isNonnegative(const Finder *f, MlirOperation op) {
  return !mlirAttributeIsNull(tileAttr(op, "tile.nonnegative")) ||
         tileAxisAnalysisGet(f->axes, tileOperand(op, 0))->min >= 0;
}

/// Do all elements wrap around together?
static bool wrapsAsWhole(const Finder *f, const Remainder *r) {
  MlirValue scalar = splatOf(tileOperand(r->sum, r->first)), by = tileOperand(r->op, 1);
  if (mlirValueIsNull(scalar) || !tileIsUniform(by)) return false;
  const TileAxisInfo *positions = tileAxisAnalysisGet(f->axes, tileOperand(r->sum, 1 - r->first));
  int64_t first = tileAxisAnalysisGet(f->axes, scalar)->divisibility[0];
  int64_t divisor = tileAxisAnalysisGet(f->axes, by)->divisibility[0];
  int64_t step = first < divisor ? first : divisor; // powers of two
  return positions->min >= 0 && positions->max < step;
}

static MlirWalkResult find(MlirOperation op, void *data) {
  Finder *f = data;
  if (!tileOpIs(op, "arith.remsi") || !tileTypeIsTile(mlirValueGetType(tileResult(op))))
    return MlirWalkResultAdvance;
  Remainder r = {.op = op, .sum = tileValueGetOp(tileOperand(op, 0))};
  if (mlirOperationIsNull(r.sum) || !tileOpIs(r.sum, "arith.addi") || !isNonnegative(f, op))
    return MlirWalkResultAdvance;
  for (r.first = 0; r.first < 2; ++r.first) {
    if (!wrapsAsWhole(f, &r)) continue;
    f->found = tileGrow(f->found, f->count, &f->capacity, sizeof *f->found);
    f->found[f->count++] = r;
    break;
  }
  return MlirWalkResultAdvance;
}

static void split(const Remainder *r) {
  TileBuilder b = tileBuilderBefore(r->op);
  MlirValue scalar = splatOf(tileOperand(r->sum, r->first));
  MlirValue by = tileBuildUniform(&b, tileOperand(r->op, 1));
  MlirValue positions = tileOperand(r->sum, 1 - r->first);
  MlirType number = mlirValueGetType(scalar);
  TileNamedAttr promise = {"tile.nonnegative", mlirUnitAttrGet(b.context)};
  MlirValue first = tileResult(
      tileBuildOp(&b, "arith.remsi", TILE_VALUES(scalar, by), 1, &number, 1, &promise, 0));
  MlirType tile = mlirValueGetType(positions);
  MlirValue firsts = tileBuildUnary(&b, "tile.splat", tile, first);
  MlirValue all = tileBuildBinary(&b, "arith.addi", firsts, positions);
  tileTrace(b.location, "a remainder is one number and positions");
  tileReplaceOp(r->op, TILE_VALUES(all));
}

void tileSplitRemainders(MlirOperation func) {
  TileAxisAnalysis *axes = tileAxisAnalysisCreate(func);
  Finder f = {.axes = axes};
  mlirOperationWalk(func, find, &f, MlirWalkPreOrder);
  tileAxisAnalysisDestroy(axes);
  for (size_t i = 0; i < f.count; ++i) split(&f.found[i]);
  free(f.found);
}
