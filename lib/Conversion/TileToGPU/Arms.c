//===- Arms.c - choices of which one side takes long ----------------------===//
//
// Before:  %low = .. %x ..          After:  %low = scf.if (%is of any register) { .. %x .. }
//          %high = .. %x ..                 %high = scf.if (not %is of any) { .. %x .. }
//          %y = select %is, %low, %high     %y = select %is, %low, %high
//
// A function that is another one on each side of a number, as the logarithm of gamma or a Bessel
// function, is written as a choice between both. What only one side of a choice reads, and takes
// long, stands in a branch that threads skip which want none of it: mostly the numbers of a warp
// are alike.
//
//===----------------------------------------------------------------------===//
#include "Arms.h"
#include "tile/Support/OpLength.h"
#include "tile/Support/PointerTable.h"
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

/// Where ops stand in the list.
typedef struct {
  TilePointerTable places;
  const LowerArms *arms;
} Places;

/// Are all uses of `op` in ops of `mine`, or operand `operand` of ops[choice]?
static bool isOnlyFor(const Places *p, MlirOperation op, int choice, int operand,
                      const bool *mine) {
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(op));
  if (mlirOpOperandIsNull(use)) return false;
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, p->arms->ops[choice])) {
      if ((int)mlirOpOperandGetOperandNumber(use) != operand) return false;
      continue;
    }
    const int *place = tilePointerTableFind(p->places, user.ptr);
    if (!place || !mine[*place]) return false;
  }
  return true;
}

/// Marks ops that are there for one side of ops[choice] alone. Their length.
static int64_t collectArm(const Places *p, int choice, int side, bool *mine) {
  int64_t length = 0;
  memset(mine, 0, (size_t)p->arms->count);
  for (int k = choice - 1; k >= 0; --k) {
    int own = tileOpLength(p->arms->ops[k]);
    if (!own || !isOnlyFor(p, p->arms->ops[k], choice, side + 1, mine)) continue;
    mine[k] = true;
    length += own;
  }
  return length;
}

void lowerFindArms(LowerArms *a, int64_t least) {
  Places p = {.arms = a};
  bool *mine = malloc((size_t)a->count + 1);
  if (!mine) abort();
  for (int k = 0; k < a->count; ++k) {
    *(int *)tilePointerTableAdd(&p.places, a->ops[k].ptr, sizeof k) = k;
    a->arms[k] = NONE;
  }
  // The last one first: arms of a choice within an arm are parts of it.
  for (int k = a->count - 1; k >= 0; --k) {
    MlirOperation op = a->ops[k];
    if (!tileOpIs(op, "arith.select") || !tileTypeIsTile(mlirValueGetType(tileOperand(op, 0))))
      continue;
    for (int side = 0; side < 2; ++side) {
      if (collectArm(&p, k, side, mine) < least) continue;
      for (int i = 0; i < k; ++i)
        if (mine[i]) a->arms[i] = 2 * k + side;
    }
  }
  free(mine);
  tilePointerTableClear(&p.places);
}

static MlirLogicalResult lowerArm(Lowering *l, const LowerArms *a, int arm, int end);

/// %any = vector.reduction <or>, %is
static MlirOperation buildAny(Lowering *l, MlirValue is) {
  MlirType i1 = tileI1(l->b.context);
  MlirAttribute kind = tileParseAttr(l->b.context, "#vector.kind<or>");
  return tileBuildOp(&l->b, "vector.reduction", TILE_VALUES(is), 1, &i1, TILE_ATTRS({"kind", kind}),
                     0);
}

/// One side of a choice, in a branch.
static MlirLogicalResult lowerSide(Lowering *l, const LowerArms *a, int choice, int side,
                                   MlirValue is) {
  MlirValue value = tileOperand(a->ops[choice], side + 1);
  if (side) {
    MlirValue yes = tileBuildInt(&l->b, mlirValueGetType(is), 1);
    is = tileBuildBinary(&l->b, "arith.xori", is, yes);
  }
  MlirOperation any = buildAny(l, is);
  LowerAngle angle = l->angle;
  TILE_TRY(lowerArm(l, a, 2 * choice + side, choice));
  l->angle = angle; // an angle's functions made here are out of reach behind the branch
  MlirValue computed = lowerGet(l, value);
  MlirType type = mlirValueGetType(computed);
  MlirOperation branch = tileBuildIf(&l->b, tileResult(any), 1, &type, true);
  TileBuilder then = tileBuilderAtEnd(tileBody(branch, 0), l->b.location);
  TileBuilder other = tileBuilderAtEnd(tileBody(branch, 1), l->b.location);
  MlirOperation yield =
      tileBuildOp(&then, "scf.yield", TILE_VALUES(computed), TILE_NONE, TILE_NONE, 0);
  TileBuilder inside = tileBuilderBefore(yield);
  tileMoveOps(&inside, mlirOperationGetNextInBlock(any), branch, NULL);
  MlirValue nothing = tileBuild(&other, "llvm.mlir.poison", type, TILE_NONE);
  tileBuildOp(&other, "scf.yield", TILE_VALUES(nothing), TILE_NONE, TILE_NONE, 0);
  lowerSet(l, value, tileResult(branch));
  return mlirLogicalResultSuccess();
}

static bool hasArm(const LowerArms *a, int choice, int side) {
  for (int k = 0; k < choice; ++k)
    if (a->arms[k] == 2 * choice + side) return true;
  return false;
}

/// Lowers the ops of an arm, or those in none, in front of ops[end].
static MlirLogicalResult lowerArm(Lowering *l, const LowerArms *a, int arm, int end) {
  for (int k = 0; k < end; ++k) {
    MlirOperation op = a->ops[k];
    if (a->arms[k] != arm) continue;
    l->b.location = mlirOperationGetLocation(op);
    for (int side = 0; side < 2 && tileOpIs(op, "arith.select"); ++side)
      if (hasArm(a, k, side)) TILE_TRY(lowerSide(l, a, k, side, lowerGet(l, tileOperand(op, 0))));
    l->b.location = mlirOperationGetLocation(op);
    TILE_TRY(a->find(op)(l, op));
  }
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerInArms(Lowering *l, const LowerArms *a) {
  return lowerArm(l, a, NONE, a->count);
}
