//===- Clusters.c - which copies blocks of a cluster can share ------------===//
#include "Clusters.h"
#include "../../ValueMap.h"
#include "../Kernel.h"
#include "../Programs/StoreWhen.h"
#include "tile/Analysis/Analysis.h"
#include "tile/Support/ValueSearch.h"

//===- what differs between programs --------------------------------------===//

static void spread(TilePointerTable *varying, MlirValue value);

/// Is it the number of a cluster's first block, which all of its blocks have alike?
static bool isFirstOfCluster(MlirOperation op) {
  if (!tileOpIs(op, "arith.subi")) return false;
  MlirOperation block = tileValueGetOp(tileOperand(op, 0));
  MlirOperation rank = tileValueGetOp(tileOperand(op, 1));
  return !mlirOperationIsNull(block) && !mlirOperationIsNull(rank) && tileOpIsAProgramId(block) &&
         tileOpIsAClusterRank(rank);
}

/// What `use` of a varying value makes vary in turn.
static void spreadUse(TilePointerTable *varying, MlirOperation user, unsigned operand) {
  if (isFirstOfCluster(user)) return;
  if (tileOpIs(user, "scf.for") && operand >= TILE_FOR_INITS) {
    spread(varying, mlirBlockGetArgument(tileBody(user, 0), (intptr_t)operand - 2));
    spread(varying, mlirOperationGetResult(user, (intptr_t)operand - TILE_FOR_INITS));
    return;
  }
  MlirOperation parent = mlirOperationGetParentOperation(user);
  if (tileOpIs(user, "scf.yield") && tileOpIs(parent, "scf.for")) {
    spread(varying, mlirBlockGetArgument(tileBody(parent, 0), (intptr_t)operand + 1));
    spread(varying, mlirOperationGetResult(parent, (intptr_t)operand));
    return;
  }
  if (tileOpIsOfDialect(user, "scf") && mlirOperationGetNumResults(user) == 0 &&
      mlirOperationGetNumRegions(user) == 0)
    user = parent; // another terminator: whatever its op gives
  for (intptr_t r = 0; r < mlirOperationGetNumResults(user); ++r)
    spread(varying, mlirOperationGetResult(user, r));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(user); ++r) {
    MlirBlock body = tileBody(user, r);
    for (intptr_t i = 0; !mlirBlockIsNull(body) && i < mlirBlockGetNumArguments(body); ++i)
      spread(varying, mlirBlockGetArgument(body, i));
  }
}

static void spread(TilePointerTable *varying, MlirValue value) {
  if (!tilePointerTableInsert(varying, value.ptr)) return;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    spreadUse(varying, mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use));
}

static MlirWalkResult spreadProgram(MlirOperation op, void *data) {
  if (tileOpIsAProgramId(op) || tileOpIsAClusterRank(op)) spread(data, tileResult(op));
  return MlirWalkResultAdvance;
}

//===- whether ------------------------------------------------------------===//

/// Is `value` scalar arithmetic of `body` over program ids and what stands in front of it? All
/// blocks of a cluster have the same values outside of `body`.
static bool followsFromProgram(MlirValue value, MlirBlock body) {
  TileValueSearch s = {0};
  bool follows = true;
  tileValueSearchAdd(&s, value);
  while (s.count && follows) {
    MlirValue next = s.stack[--s.count];
    MlirBlock block = tileValueGetBlock(next);
    MlirOperation op = tileValueGetOp(next);
    bool isHere = mlirBlockEqual(block, body);
    follows = isHere ? mlirOperationIsNull(op) || tileOpIsScalarArithmetic(op)
                     : !tileBlockHolds(body, block);
    if (isHere && follows && !mlirOperationIsNull(op)) tileValueSearchAddOperands(&s, op);
  }
  tileValueSearchClear(&s);
  return follows;
}

bool tileSplitBox(MlirType desc, int blocks, int *splits, int *cuts) {
  TileMapBox box;
  *splits = *cuts = 0;
  if (!tileDescBox(desc, &box)) return false;
  int last = box.rank - 1, slowest = tileTensorMapSlowest(box.rank, box.shape);
  for (int d = 0; d < last; ++d)
    if (box.box[d] != box.shape[d]) return true; // copies follow each other along two dimensions
  int64_t copies = box.copies;
  // The swizzle's pattern repeats every 8 rows.
  int64_t rows = slowest < last ? box.box[slowest] / 8 : 1;
  for (; 2 << *splits <= blocks && (copies % 2 == 0 || rows % 2 == 0); ++*splits) {
    if (copies % 2 == 0) {
      copies /= 2;
      continue;
    }
    rows /= 2;
    ++*cuts;
  }
  return true;
}

static bool canShare(TilePointerTable varying, MlirOperation copy, MlirBlock body, int blocks) {
  if (mlirOperationIsNull(tileDescGetMaker(tileDescCopyGetDesc(copy)))) return false;
  MlirType desc = mlirValueGetType(tileDescCopyGetDesc(copy));
  int rank = (int)mlirShapedTypeGetRank(tileDescTypeGetBox(desc));
  int splits, cuts;
  if (!tileSplitBox(desc, blocks, &splits, &cuts)) return false;
  for (int d = 0; d < rank; ++d) {
    MlirValue index = tileOperand(copy, 1 + d);
    if (tilePointerTableFind(varying, index.ptr) && !followsFromProgram(index, body)) return false;
  }
  return true;
}

/// Do the loops of a program around the channel take as many steps in every program?
static bool marchesInStep(TilePointerTable varying, MlirBlock program, const TileChannel *c) {
  for (MlirBlock block = c->block; !mlirBlockEqual(block, program);) {
    MlirOperation loop = mlirBlockGetParentOperation(block);
    for (intptr_t i = 0; i < 3; ++i)
      if (tilePointerTableFind(varying, tileOperand(loop, i).ptr)) return false;
    block = mlirOperationGetBlock(loop);
  }
  return true;
}

static const char *findShared(TilePointerTable varying, const TileChannels *channels, int blocks,
                              TileSharedCopies *shared) {
  MlirBlock program = channels->program;
  bool any = false;
  for (int i = 0; i < channels->count; ++i) {
    const TileChannel *c = &channels->list[i];
    if (!marchesInStep(varying, program, c))
      return "expected loops that take as many steps in every program, found another";
    for (int k = 0; k < c->numCopies; ++k) {
      bool may = c->looped && canShare(varying, c->copies[k], program, blocks);
      if (may) shared->list[shared->count++] = c->copies[k];
      any |= may;
    }
  }
  return any ? NULL : "expected boxes at positions that follow from the program, found others";
}

const char *tileFindSharedCopies(MlirOperation func, const TileChannels *channels, int blocks,
                                 TileSharedCopies *shared) {
  shared->count = 0;
  if (blocks != 2 && blocks != 4 && blocks != tileMaxCluster)
    return "expected 2, 4 or 8 blocks, found another number";
  const char *reason = tileWhyNotTwice(func);
  if (reason) return reason;
  TilePointerTable varying = {0};
  mlirOperationWalk(func, spreadProgram, &varying, MlirWalkPreOrder);
  reason = findShared(varying, channels, blocks, shared);
  tilePointerTableClear(&varying);
  return reason;
}

//===- which blocks -------------------------------------------------------===//

/// What follows from one axis of the grid.
typedef struct {
  TilePointerTable values;
  uint32_t axis;
} Along;

static MlirWalkResult spreadAxis(MlirOperation op, void *data) {
  Along *along = data;
  if (tileOpIsAProgramId(op) && tileProgramIdGetAxis(op) == along->axis)
    spread(&along->values, tileResult(op));
  return MlirWalkResultAdvance;
}

static bool isPlacedAlong(const Along *along, MlirOperation copy) {
  MlirType desc = mlirValueGetType(tileDescCopyGetDesc(copy));
  int rank = (int)mlirShapedTypeGetRank(tileDescTypeGetBox(desc));
  bool found = false;
  for (int d = 0; d < rank; ++d)
    found |= tilePointerTableFind(along->values, tileOperand(copy, 1 + d).ptr) != NULL;
  return found;
}

bool tileSharesAcross(MlirOperation func, const TileSharedCopies *shared) {
  Along x = {.axis = 0}, y = {.axis = 1};
  mlirOperationWalk(func, spreadAxis, &x, MlirWalkPreOrder);
  mlirOperationWalk(func, spreadAxis, &y, MlirWalkPreOrder);
  bool byX = false, byY = false;
  for (int i = 0; i < shared->count; ++i) {
    bool alongX = isPlacedAlong(&x, shared->list[i]), alongY = isPlacedAlong(&y, shared->list[i]);
    byX |= alongX && !alongY;
    byY |= alongY && !alongX;
  }
  tilePointerTableClear(&x.values);
  tilePointerTableClear(&y.values);
  return byX && byY;
}

static MlirWalkResult findLooped(MlirOperation op, void *data) {
  TileSharedCopies *looped = data;
  enum { most = sizeof looped->list / sizeof *looped->list };
  if (tileOpIsADescCopy(op) && looped->count < most &&
      tileOpIs(mlirOperationGetParentOperation(op), "scf.for"))
    looped->list[looped->count++] = op;
  return MlirWalkResultAdvance;
}

bool tileLoopsShareAcross(MlirOperation func) {
  TileSharedCopies looped = {.count = 0};
  mlirOperationWalk(func, findLooped, &looped, MlirWalkPreOrder);
  return tileSharesAcross(func, &looped);
}
