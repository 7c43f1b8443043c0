//===- AccessGroups.c - accesses that share a layout ----------------------===//
//
// Before:  load of f32, 4 elements a thread; load of bf16, 8 elements; their sum
// After:   8 elements a thread of both: no conversion between them
//
// Accesses whose elements meet in element-wise ops, or in what a loop carries, take the
// same number of neighbouring elements a thread, where they run along memory in the same
// order: that of the one with the most, as far as a thread's part of the widest elements
// stays within a sector of the caches (ACCESS_GROUP_BYTES). Wide elements then come in two
// parts of 16 bytes, the second from the sector that the first one has fetched.
//
// The idea is that of Triton's coalescing pass, which asks it of the accesses of a slice;
// here a group is what would have to be converted otherwise.
//
//===----------------------------------------------------------------------===//
#include "Assigner.h"
#include "tile/Machine.h"

static TileValueInfo *endOf(TileValueInfo *info) {
  while (info->group != info) {
    TileValueInfo *next = info->group;
    info->group = next->group;
    info = next;
  }
  return info;
}

/// What is known of a value that is computed once; null for others.
static TileValueInfo *findFixed(const TileAssigner *a, MlirValue value) {
  TileValueInfo *info =
      !mlirValueIsNull(value) && tileValueIsTile(value) ? tileAssignerFind(a, value) : NULL;
  return info && info->class == TILE_LAYOUT_FIXED ? info : NULL;
}

static void join(TileAssigner *a, MlirValue one, MlirValue other) {
  TileValueInfo *x = findFixed(a, one), *y = findFixed(a, other);
  if (x && y) endOf(x)->group = endOf(y);
}

static void joinTies(TileAssigner *a, const TileTied *ties, int n) {
  for (int i = 1; i < n; ++i) join(a, ties[0].value, ties[i].value);
}

static bool passesLayoutsOn(MlirOperation op) {
  return tileOpIsElementwise(op) || tileOpKeepsLayout(op);
}

/// The tile that an access reads or writes.
static MlirValue dataOf(MlirOperation access) {
  if (tileOpIsAStore(access)) return tileStoreGetValue(access);
  return mlirOperationGetNumResults(access) > 0 ? tileResult(access) : (MlirValue){NULL};
}

static bool isTileAccess(MlirOperation op) {
  return tileOpIsAccess(op) && tileTypeIsTile(mlirValueGetType(tileOperand(op, 0)));
}

static int fastestDim(const TileAssigner *a, MlirOperation access) {
  int order[TILE_MAX_RANK];
  tileAxisAccessOrder(a->rules.axis, tileOperand(access, 0), order);
  return order[0];
}

/// Notes at the end of the group what one of its accesses could do alone.
static void note(TileAssigner *a, MlirOperation access) {
  TileValueInfo *data = findFixed(a, dataOf(access));
  if (!data || !mlirShapedTypeGetRank(mlirValueGetType(data->value))) return;
  TileValueInfo *group = endOf(data);
  int dim = fastestDim(a, access), vector = tileAxisAccessVector(a->rules.axis, access, dim);
  int bytes = tileBitWidth(tileElementType(mlirValueGetType(data->value))) / 8;
  if (vector > group->vector[dim]) group->vector[dim] = vector;
  if (bytes > group->bytes) group->bytes = bytes;
}

void tileAssignerGroupAccesses(TileAssigner *a) {
  for (size_t i = 0; i < a->numOps; ++i) {
    MlirOperation op = a->ops[i];
    tileAssignerVisitTies(a, op, joinTies);
    if (!passesLayoutsOn(op) && !isTileAccess(op)) continue;
    // Pointers that were loaded meet what is found there; two results of one op meet each other.
    MlirValue first = isTileAccess(op) ? dataOf(op) : tileResult(op);
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
      join(a, first, tileOperand(op, k));
    for (intptr_t k = 1; k < mlirOperationGetNumResults(op); ++k)
      join(a, first, mlirOperationGetResult(op, k));
  }
  for (size_t i = 0; i < a->numOps; ++i)
    if (isTileAccess(a->ops[i])) note(a, a->ops[i]);
}

int tileAssignerVectorOf(const TileAssigner *a, MlirOperation access) {
  if (!isTileAccess(access)) return 1;
  int dim = fastestDim(a, access), own = tileAxisAccessVector(a->rules.axis, access, dim);
  TileValueInfo *data = findFixed(a, dataOf(access));
  if (!data) return own;
  TileValueInfo *group = endOf(data);
  int bytes = tileMachineNumber(tileMachineOf(access), TILE_NUMBER_ACCESS_GROUP_BYTES);
  int most = bytes / (group->bytes > 0 ? group->bytes : 1);
  return group->vector[dim] < most ? group->vector[dim] : most;
}
