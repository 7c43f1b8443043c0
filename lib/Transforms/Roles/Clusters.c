//===- Clusters.c - blocks that share copies of boxes ---------------------===//
#include "Clusters.h"
#include "../ValueMap.h"
#include "Kernel.h"
#include "Programs/StoreWhen.h"
#include "tile/Analysis/Analysis.h"

//===- what differs between programs --------------------------------------===//

static void spread(TilePointerTable *varying, MlirValue value);

/// What `use` of a varying value makes vary in turn.
static void spreadUse(TilePointerTable *varying, MlirOperation user, unsigned operand) {
  if (tileOpIs(user, "scf.for") && operand >= 3) {
    spread(varying, mlirBlockGetArgument(tileBody(user, 0), (intptr_t)operand - 2));
    spread(varying, mlirOperationGetResult(user, (intptr_t)operand - 3));
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
  if (tileOpIsAProgramId(op)) spread(data, tileResult(op));
  return MlirWalkResultAdvance;
}

//===- whether ------------------------------------------------------------===//

/// Is `value` scalar arithmetic of `body` over program ids and what stands in front of it? All
/// blocks of a cluster have the same values outside of `body`.
static bool followsFromProgram(MlirValue value, MlirBlock body) {
  MlirBlock block = tileValueGetBlock(value);
  if (!mlirBlockEqual(block, body)) return !tileBlockHolds(body, block);
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return true;
  if (!tileOpIsScalarArithmetic(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!followsFromProgram(tileOperand(op, i), body)) return false;
  return true;
}

/// How often a box can be halved, for up to `blocks` blocks: between its copies first, and then
/// `cuts` times each of those. False where the copy engine cannot copy it in parts.
static bool splitBox(MlirType desc, int blocks, int *splits, int *cuts) {
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
  if (!splitBox(desc, blocks, &splits, &cuts)) return false;
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

static const char *shareChannels(TilePointerTable varying, TileChannels *channels, int blocks) {
  MlirBlock program = channels->program;
  bool any = false;
  for (int i = 0; i < channels->count; ++i) {
    TileChannel *c = &channels->list[i];
    if (!marchesInStep(varying, program, c))
      return "expected loops that take as many steps in every program, found another";
    for (int k = 0; k < c->numCopies; ++k) {
      c->shared[k] = c->looped && canShare(varying, c->copies[k], program, blocks);
      if (c->shared[k]) channels->list[c->ring].cluster = blocks;
      any |= c->shared[k];
    }
  }
  for (int i = 0; i < channels->count; ++i) {
    TileChannel *c = &channels->list[i];
    c->cluster = channels->list[c->ring].cluster;
  }
  return any ? NULL : "expected boxes at positions that follow from the program, found others";
}

const char *tileShareCopies(MlirOperation func, TileChannels *channels, int blocks) {
  if (blocks != 2 && blocks != 4 && blocks != tileMaxCluster)
    return "expected 2, 4 or 8 blocks, found another number";
  const char *reason = tileWhyNotTwice(func);
  if (reason) return reason;
  TilePointerTable varying = {0};
  mlirOperationWalk(func, spreadProgram, &varying, MlirWalkPreOrder);
  reason = shareChannels(varying, channels, blocks);
  tilePointerTableClear(&varying);
  if (!reason) return NULL;
  for (int i = 0; i < channels->count; ++i) {
    channels->list[i].cluster = 0;
    for (int k = 0; k < tileMaxBoxes; ++k) channels->list[i].shared[k] = false;
  }
  return reason;
}

//===- who shares ---------------------------------------------------------===//

/// Values of another block's program, as far as they differ from this one's: what follows from its
/// number in the cluster.
typedef struct {
  MlirBlock body;
  TileValueMap others;
  int blocks;
  MlirValue rank;
} Neighbour;

static MlirValue inNeighbour(Neighbour *n, TileBuilder *b, MlirValue value) {
  if (tileValueMapHas(n->others, value)) return tileValueMapGet(n->others, value);
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), n->body)) return value;
  intptr_t count = mlirOperationGetNumOperands(op);
  bool differs = false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = tileOperand(op, i);
    differs |= !mlirValueEqual(inNeighbour(n, b, operand), operand);
  }
  MlirValue other = value;
  if (differs) {
    MlirOperation copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < count; ++i)
      mlirOperationSetOperand(copy, i, inNeighbour(n, b, tileOperand(op, i)));
    mlirBlockInsertOwnedOperationBefore(b->block, b->before, copy);
    other = mlirOperationGetResult(copy, mlirOpResultGetResultNumber(value));
  }
  tileValueMapSet(&n->others, value, other);
  return other;
}

/// i1: does the neighbour want the box of `copy`, too? Null where it always does.
static MlirValue wantsToo(Neighbour *n, TileBuilder *b, MlirOperation copy) {
  MlirValue both = {NULL};
  for (intptr_t i = 1; i + 1 < mlirOperationGetNumOperands(copy); ++i) {
    MlirValue mine = tileOperand(copy, i), theirs = inNeighbour(n, b, mine);
    if (mlirValueEqual(mine, theirs)) continue;
    MlirValue equal = tileBuildCmpi(b, TILE_EQ, mine, theirs);
    both = mlirValueIsNull(both) ? equal : tileBuildBinary(b, "arith.andi", both, equal);
  }
  return both;
}

static MlirValue countBits(TileBuilder *b, MlirValue mask) {
  return tileBuildUnary(b, "math.ctpop", tileI32(b->context), mask);
}

/// min(most, log2 count), rounded down.
static MlirValue logarithm(TileBuilder *b, MlirValue count, int most) {
  MlirType i32 = tileI32(b->context);
  MlirValue sum = tileBuildInt(b, i32, 0);
  for (int i = 1; i <= most; ++i) {
    MlirValue power = tileBuildInt(b, i32, (int64_t)1 << i);
    MlirValue reached = tileBuildCmpi(b, TILE_UGE, count, power);
    MlirValue one = tileBuildUnary(b, "arith.extui", i32, reached);
    sum = tileBuildBinary(b, "arith.addi", sum, one);
  }
  return sum;
}

/// Descriptors of a half, a quarter, .. of the box's rows.
static void makeCuts(TileChannelShare *share, MlirValue whole) {
  MlirType type = tileDescTypeGetBox(mlirValueGetType(whole));
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(type, shape), slowest = tileTensorMapSlowest(rank, shape);
  MlirOperation desc = tileDescGetMaker(whole);
  for (int i = 0; i < share->numCuts; ++i) {
    shape[slowest] /= 2;
    MlirType half =
        mlirRankedTensorTypeGet(rank, shape, tileElementType(type), mlirAttributeGetNull());
    MlirOperation made = mlirOperationClone(desc);
    mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(desc), desc, made);
    mlirValueSetType(tileResult(made), tileDescTypeGet(half));
    share->cuts[i] = tileResult(made);
    desc = made;
  }
}

static TileChannelShare shareCopy(TileBuilder *b, Neighbour *n, MlirOperation copy) {
  TileChannelShare share = {0};
  MlirType i32 = tileI32(b->context);
  int splits;
  splitBox(mlirValueGetType(tileDescCopyGetDesc(copy)), n->blocks, &splits, &share.numCuts);
  makeCuts(&share, tileDescCopyGetDesc(copy));
  MlirValue wants = wantsToo(n, b, copy);
  share.blocks = mlirValueIsNull(wants)
                     ? tileBuildInt(b, i32, (1 << n->blocks) - 1)
                     : tileBuild(b, "tile_gpu.cluster_vote", i32, TILE_VALUES(wants));
  MlirValue one = tileBuildInt(b, i32, 1);
  MlirValue bit = tileBuildBinary(b, "arith.shli", one, n->rank);
  MlirValue below = tileBuildBinary(b, "arith.subi", bit, one);
  MlirValue before = tileBuildBinary(b, "arith.andi", share.blocks, below);
  share.part = countBits(b, before);
  share.splits = logarithm(b, countBits(b, share.blocks), splits);
  return share;
}

static void shareChannel(TileChannel *c, MlirBlock body, MlirValue rank) {
  TileBuilder b = tileBuilderBefore(tileAncestorIn(body, c->copies[0]));
  MlirValue lane = tileBuild(&b, "tile_gpu.cluster_lane", tileI32(b.context), TILE_NONE);
  Neighbour n = {.body = body, .blocks = c->cluster, .rank = rank};
  tileValueMapSet(&n.others, rank, lane);
  for (int k = 0; k < c->numCopies; ++k)
    if (c->shared[k]) c->shares[k] = shareCopy(&b, &n, c->copies[k]);
  tileValueMapClear(&n.others);
}

void tileBuildSharing(MlirValue rank, TileChannels *channels) {
  for (int i = 0; i < channels->count; ++i)
    if (channels->list[i].cluster) shareChannel(&channels->list[i], channels->program, rank);
}
