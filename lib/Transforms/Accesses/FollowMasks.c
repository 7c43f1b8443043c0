//===- FollowMasks.c - no place is chosen where nothing is accessed -------===//
//
// Before:  %safe = arith.select %seen, %place, dense<0> : tensor<64xi1>, tensor<64xi32>
//          %p = tile.addptr %x, %safe
//          %v = tile.load %p, (arith.andi %seen, %more), %other
// After:   %p = tile.addptr %x, %place
//          %v = tile.load %p, (arith.andi %seen, %more), %other
//
// Authors have places that a mask leaves out point at the first element. The mask is what keeps
// them from being accessed; the choice only hides from everybody that %place runs from lane to
// lane: which lanes read what, how many elements an access takes, whether a box holds them.
//
// A choice goes where all that becomes of it are places of accesses whose masks imply what it asks.
// One that an access needs stays. A remark says so where the kernel reads what the choice asks: of
// masks that hold for all but the last program's lanes, as those of most kernels' ends, there is
// nothing to tell.
//
// Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "tile/IR.h"
#include "tile/Passes.h"
#include "tile/Support/ValueSearch.h"
#include "tile/Trace.h"

enum { MOST_SHAPES = 6, MOST_DEPTH = 12 };

/// A choice, and the changes of shape on the way to where its value is looked at.
typedef struct {
  MlirValue truth; ///< what it asks
  const char *why; ///< an access needs it; null where none does
  MlirOperation shapes[MOST_SHAPES];
  int count;
} Way;

static bool isAnd(MlirOperation op) {
  return !mlirOperationIsNull(op) && tileOpIs(op, "arith.andi");
}

/// Does `mask` say that what `truth` says holds, in the first `count` shapes of the way?
static bool implies(const Way *way, MlirValue mask, MlirValue truth, int count, int depth) {
  if (!count && mlirValueEqual(mask, truth)) return true;
  if (depth == MOST_DEPTH) return false;
  MlirOperation op = tileValueGetOp(mask), asked = tileValueGetOp(truth);
  if (isAnd(asked) && implies(way, mask, tileOperand(asked, 0), count, depth + 1) &&
      implies(way, mask, tileOperand(asked, 1), count, depth + 1))
    return true;
  if (isAnd(op))
    return implies(way, tileOperand(op, 0), truth, count, depth + 1) ||
           implies(way, tileOperand(op, 1), truth, count, depth + 1);
  if (!count || mlirOperationIsNull(op)) return false;
  MlirOperation shape = way->shapes[count - 1];
  int64_t own[TILE_MAX_RANK], wanted[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(mask), own);
  if (!mlirIdentifierEqual(mlirOperationGetName(op), mlirOperationGetName(shape)) ||
      rank != tileShape(mlirValueGetType(tileResult(shape)), wanted))
    return false;
  for (int d = 0; d < rank; ++d)
    if (own[d] != wanted[d]) return false;
  if (tileOpIsAExpandDims(op) && tileExpandDimsGetAxis(op) != tileExpandDimsGetAxis(shape))
    return false;
  return implies(way, tileOperand(op, 0), truth, count - 1, depth + 1);
}

/// The mask of an access that may have one; false where `op` is no such access.
static bool findMask(MlirOperation op, MlirValue *mask) {
  if (tileOpIsALoad(op))
    *mask = tileLoadGetMask(op);
  else if (tileOpIsAStore(op))
    *mask = tileStoreGetMask(op);
  else if (tileOpIsAAtomicRmw(op))
    *mask = tileAtomicRmwGetMask(op);
  else
    return false;
  return true;
}

/// Does nobody see what the access does where the choice says something else? `use` is its operand.
static bool isMaskedAlike(Way *way, MlirOpOperand use, MlirValue mask) {
  if (mlirOpOperandGetOperandNumber(use) != 0) return false; // a number that is stored
  if (mlirValueIsNull(mask))
    way->why = "expected accesses with masks that say what it asks, found one without";
  else if (!implies(way, mask, way->truth, way->count, 0))
    way->why = "expected accesses with masks that say what it asks, found another mask";
  return !way->why;
}

static bool isHidden(Way *way, MlirValue value, int depth);

/// Does nobody see what `use` makes of an element that the mask leaves out?
static bool isUseHidden(Way *way, MlirOpOperand use, int depth) {
  static const char *const others[] = {"arith.extsi", "arith.extui", "tile.addptr", NULL};
  MlirOperation op = mlirOpOperandGetOwner(use);
  MlirValue mask;
  if (findMask(op, &mask)) return isMaskedAlike(way, use, mask);
  if (tileOpIsModular(op) || tileOpIsOneOf(op, others))
    return isHidden(way, tileResult(op), depth + 1);
  if (!tileOpIsAExpandDims(op) && !tileOpIsABroadcast(op)) return false;
  if (way->count == MOST_SHAPES) return false;
  way->shapes[way->count++] = op;
  bool hidden = isHidden(way, tileResult(op), depth + 1);
  --way->count;
  return hidden;
}

static bool isHidden(Way *way, MlirValue value, int depth) {
  if (depth == MOST_DEPTH) return false;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!isUseHidden(way, use, depth)) return false;
  return true;
}

/// Is `value` read from memory, an element for each lane?
static bool isRead(TileValueSearch *s, MlirValue value, const void *data) {
  (void)data;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIsALoad(op)) return tileTypeIsTile(mlirValueGetType(value));
  if (!tileOpIsMovable(op)) return false;
  tileValueSearchAddOperands(s, op);
  return false;
}

static void sayWhy(MlirOperation choice, const Way *way) {
  MlirLocation location = mlirOperationGetLocation(choice);
  if (tileValueSearchFinds(way->truth, isRead, NULL))
    tileEmitRemark(location, "place stays a choice: %s", way->why);
  else
    tileTrace(location, "place stays a choice: %s", way->why);
}

static MlirWalkResult follow(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIs(op, "arith.select")) return MlirWalkResultAdvance;
  MlirType type = mlirValueGetType(tileResult(op)), element = tileElementType(type);
  Way way = {.truth = tileOperand(op, 0)};
  bool isPlace = tileTypeIsTile(type) && tileTypeIsTile(mlirValueGetType(way.truth)) &&
                 (mlirTypeIsAInteger(element) || tileTypeIsAPtr(element));
  if (!isPlace) return MlirWalkResultAdvance;
  if (isHidden(&way, tileResult(op), 0))
    mlirValueReplaceAllUsesOfWith(tileResult(op), tileOperand(op, 1));
  else if (way.why)
    sayWhy(op, &way);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunFollowMasks(MlirOperation func) {
  mlirOperationWalk(func, follow, NULL, MlirWalkPostOrder);
  return mlirLogicalResultSuccess();
}
