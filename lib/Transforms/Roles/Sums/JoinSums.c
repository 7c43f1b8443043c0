//===- JoinSums.c - one block does what follows from a divided sum --------===//
//
// Before:  %sum = tile_gpu.add_parts %s
//          .. what is made of %sum, and its stores ..
// After:   %sum = tile_gpu.add_parts %s
//          %rank = tile_gpu.cluster_rank
//          %first = arith.cmpi eq, %rank, 0
//          scf.if %first { .. what is made of %sum, and its stores .. }
//
// Where clusters have added up in memory, it is the last of them:
//
// Before:  %sum, %last = tile_gpu.collect_parts %s
// After:   scf.if %last { .. }
//
// Where each block has a share of what they wrote, unless one gave up waiting, it is all of them:
//
// Before:  %sum, %goes, %all = tile_gpu.share_parts %s
// After:   scf.if %goes { .. }
//
// Of turns of a loop over programs that have a part each of one, it is the last turn:
//
// Before:  scf.for %t = .. { .. %sum, %last = tile_gpu.collect_turns %s
//            .. what is made of %sum, and its stores .. }
// After:   scf.for %t = .. { .. scf.if %last { .. } }
//
// or, where each has a share (tile_gpu.share_turns), all that go on.
//
// Of teams of a block it is the first team of the first block: the number is tile_gpu.part.
//
// It comes when warps have their roles and results their way out: so none of the passes that look
// for stores behind a loop need know of the condition. Where blocks have a share of the sum each
// (`shares`), all of them go on.
//
// Requires: tile-split-sums or tile-split-last-round, and all passes of a schedule.  Preserves:
// numerics.
//===----------------------------------------------------------------------===//
#include "../Kernel.h"
#include "tile/Passes.h"

/// Moves what stands behind `branch`, but for the end of the block, into it.
static void moveRest(MlirOperation branch) {
  TileBuilder b = tileBuilderAtEnd(tileBody(branch, 0), mlirOperationGetLocation(branch));
  MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(branch));
  tileMoveOps(&b, mlirOperationGetNextInBlock(branch), end, NULL);
  tileBuildOp(&b, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// Does the block's end want what is made behind `op`, as where a loop carries it?
static bool isYielded(MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation end = mlirBlockGetTerminator(block);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i) {
    MlirOperation def = tileValueGetOp(tileOperand(end, i));
    if (!mlirOperationIsNull(def) && mlirBlockEqual(mlirOperationGetBlock(def), block) &&
        mlirOperationIsBeforeInBlock(op, def))
      return true;
  }
  return false;
}

/// What follows from sums of turns.
static MlirLogicalResult joinTurns(MlirOperation turns) {
  MlirValue last =
      tileOpIsAShareTurns(turns) ? tileShareTurnsGetGoes(turns) : tileCollectTurnsGetLast(turns);
  if (!mlirOpOperandIsNull(mlirValueGetFirstUse(last))) return mlirLogicalResultSuccess();
  if (isYielded(turns)) {
    tileEmitError(mlirOperationGetLocation(turns),
                  "expected nothing behind a sum of turns that the next program wants, found some");
    return mlirLogicalResultFailure();
  }
  TileBuilder b = tileBuilderAfter(turns);
  moveRest(tileBuildIf(&b, last, TILE_NONE, false));
  return mlirLogicalResultSuccess();
}

/// Is this block 0 of its cluster, and the first team of it where blocks have several?
static MlirValue isFirst(TileBuilder *b, bool hasTeams) {
  MlirType i32 = tileI32(b->context);
  const char *number = hasTeams ? "tile_gpu.part" : "tile_gpu.cluster_rank";
  MlirValue rank = tileBuild(b, number, i32, TILE_NONE);
  return tileBuildCmpi(b, TILE_EQ, rank, tileBuildInt(b, i32, 0));
}

MlirLogicalResult tileRunJoinSums(MlirOperation func) {
  MlirOperation last = {NULL};
  bool clusters = false;
  TILE_FOR_EACH_OP(op, tileKernelGetProgram(func)) {
    if (tileOpIsACollectTurns(op) || tileOpIsAShareTurns(op)) return joinTurns(op);
    bool adds = tileOpIsAAddParts(op);
    bool collects = tileOpIsACollectParts(op) || tileOpIsAShareParts(op);
    if (adds || collects) last = op;
    clusters |= adds && mlirAttributeIsNull(tileAddPartsGetSharesAttr(op));
  }
  MlirOperation next = mlirOperationIsNull(last) ? last : mlirOperationGetNextInBlock(last);
  bool shares = !mlirOperationIsNull(last) && tileOpIsAShareParts(last);
  bool collects = shares || (!mlirOperationIsNull(last) && tileOpIsACollectParts(last));
  bool joined = mlirOperationIsNull(next) || tileOpIsAReturn(next) || tileOpIsAClusterRank(next) ||
                tileOpIsAPart(next) || (!collects && !clusters);
  MlirValue takes = {NULL};
  if (!joined && collects) {
    takes = shares ? tileSharePartsGetGoes(last) : tileCollectPartsGetLast(last);
    joined = !mlirOpOperandIsNull(mlirValueGetFirstUse(takes));
  }
  if (joined) return mlirLogicalResultSuccess();
  TileBuilder b = tileBuilderAfter(last);
  bool hasTeams = tileIntAttr(func, "tile_gpu.teams", 1) > 1;
  MlirValue first = clusters ? isFirst(&b, hasTeams) : takes;
  if (clusters && collects) first = tileBuildBinary(&b, "arith.andi", first, takes);
  moveRest(tileBuildIf(&b, first, TILE_NONE, false));
  return mlirLogicalResultSuccess();
}
