//===- Clusters.c - blocks that share copies of boxes ---------------------===//
#include "Clusters.h"
#include "ValueMap.h"
#include "tile/Analysis.h"

//===- what differs between programs --------------------------------------===//

static void spread(TileValueMap *varying, MlirValue value);

/// What `use` of a varying value makes vary in turn.
static void spreadUse(TileValueMap *varying, MlirOperation user, unsigned operand) {
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

static void spread(TileValueMap *varying, MlirValue value) {
  if (tileValueMapHas(*varying, value)) return;
  tileValueMapSet(varying, value, value);
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    spreadUse(varying, mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use));
}

static MlirWalkResult spreadProgram(MlirOperation op, void *data) {
  if (tileOpIsAProgramId(op)) spread(data, tileResult(op));
  return MlirWalkResultAdvance;
}

//===- whether ------------------------------------------------------------===//

/// The tile.make_desc of a descriptor; null where there is none.
static MlirOperation makerOf(MlirValue desc) {
  MlirOperation op = tileValueGetOp(desc);
  return !mlirOperationIsNull(op) && tileOpIsAMakeDesc(op) ? op : (MlirOperation){NULL};
}

/// Results may only leave as boxes: a program that runs twice then stores nothing the second time.
static MlirWalkResult findEffect(MlirOperation op, void *data) {
  bool *found = data;
  *found |= tileOpIsAStore(op) || tileOpIsAAtomicRmw(op) || tileOpIsAAtomicCas(op);
  *found |= tileOpIsADescWrite(op) && mlirOperationIsNull(makerOf(tileDescWriteGetDesc(op)));
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Is `value` scalar arithmetic of `body` over program ids and what stands in front of it?
static bool followsFromProgram(MlirValue value, MlirBlock body) {
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), body);
  MlirOperation op = tileValueGetOp(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), body)) return false;
  if (tileOpIsAProgramId(op) || tileOpIsANumPrograms(op)) return true;
  if (!tileOpIsOfDialect(op, "arith")) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!followsFromProgram(tileOperand(op, i), body)) return false;
  return true;
}

/// The box that one of `blocks` copies: the whole one, where it is enough copies; else a part of
/// its slowest dimension. A null type where it cannot be cut.
static MlirType cutBox(MlirType desc, int blocks) {
  TileMapBox box;
  if (!tileDescBox(desc, &box)) return (MlirType){NULL};
  if (box.copies % blocks == 0) return desc;
  MlirType type = tileDescTypeGetBox(desc);
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(type, shape), slowest = 0;
  while (slowest + 1 < rank && shape[slowest] == 1) ++slowest;
  // The swizzle's pattern repeats every 8 rows.
  if (box.copies != 1 || slowest + 1 == rank || shape[slowest] % (8 * (int64_t)blocks))
    return (MlirType){NULL};
  shape[slowest] /= blocks;
  MlirType part =
      mlirRankedTensorTypeGet(rank, shape, tileElementType(type), mlirAttributeGetNull());
  return tileDescTypeGet(part);
}

static bool canShare(TileValueMap varying, MlirOperation copy, MlirBlock body, int blocks) {
  if (mlirOperationIsNull(makerOf(tileDescCopyGetDesc(copy)))) return false;
  MlirType desc = mlirValueGetType(tileDescCopyGetDesc(copy));
  int rank = (int)mlirShapedTypeGetRank(tileDescTypeGetBox(desc));
  if (mlirTypeIsNull(cutBox(desc, blocks))) return false;
  for (int d = 0; d < rank; ++d) {
    MlirValue index = tileOperand(copy, 1 + d);
    if (tileValueMapHas(varying, index) && !followsFromProgram(index, body)) return false;
  }
  return true;
}

/// Do the loops around the channel take as many steps in every program?
static bool marchesInStep(TileValueMap varying, const TileChannel *c) {
  MlirOperation loop = mlirBlockGetParentOperation(c->block);
  for (; !tileOpIsAFunc(loop); loop = mlirOperationGetParentOperation(loop))
    for (intptr_t i = 0; i < 3; ++i)
      if (tileValueMapHas(varying, tileOperand(loop, i))) return false;
  return true;
}

static const char *planChannels(TileValueMap varying, MlirBlock body, TileChannels *channels,
                                int blocks) {
  bool any = false;
  for (int i = 0; i < channels->count; ++i) {
    TileChannel *c = &channels->list[i];
    if (!marchesInStep(varying, c))
      return "expected loops that take as many steps in every program, found another";
    for (int k = 0; k < c->numCopies; ++k) {
      c->shared[k] = c->looped && canShare(varying, c->copies[k], body, blocks);
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

bool tileStoresThroughPointers(MlirOperation func) {
  bool found = false;
  mlirOperationWalk(func, findEffect, &found, MlirWalkPreOrder);
  return found;
}

const char *tilePlanCluster(MlirOperation func, TileChannels *channels, int blocks) {
  if (blocks != 2 && blocks != 4 && blocks != tileMaxCluster)
    return "expected 2, 4 or 8 blocks, found another number";
  if (tileStoresThroughPointers(func))
    return "expected results that leave as boxes, found a store through pointers";
  TileValueMap varying = NULL;
  mlirOperationWalk(func, spreadProgram, &varying, MlirWalkPreOrder);
  const char *reason = planChannels(varying, tileBody(func, 0), channels, blocks);
  tileValueMapClear(&varying);
  if (!reason) return NULL;
  for (int i = 0; i < channels->count; ++i) {
    channels->list[i].cluster = 0;
    for (int k = 0; k < tileMaxBoxes; ++k) channels->list[i].shared[k] = false;
  }
  return reason;
}

enum { lineBytes = 128, knownBytes = 16 };

bool tileHasStraddlingRows(MlirOperation func, const TileChannels *channels) {
  TileAxisAnalysis *axes = tileAxisAnalysisCreate(func);
  bool found = false;
  for (int i = 0; i < channels->count; ++i)
    for (int k = 0; channels->list[i].looped && k < channels->list[i].numCopies; ++k) {
      MlirOperation desc = makerOf(tileDescCopyGetDesc(channels->list[i].copies[k]));
      if (mlirOperationIsNull(desc)) continue;
      MlirType type = tileDescTypeGetBox(mlirValueGetType(tileResult(desc)));
      int rank = (int)mlirShapedTypeGetRank(type);
      for (int d = 0; d + 1 < rank; ++d) {
        const TileAxisInfo *info = tileAxisAnalysisGet(axes, tileMakeDescGetStrides(desc, d));
        int64_t bytes = info->divisibility[0] * tileBitWidth(tileElementType(type)) / 8;
        found |= bytes == knownBytes && !info->hasConstant;
        found |= info->hasConstant && bytes < lineBytes;
      }
    }
  tileAxisAnalysisDestroy(axes);
  return found;
}

//===- programs -----------------------------------------------------------===//

/// Which may lie past the end.
static MlirValue wishOf(TileBuilder *b, const TileClusterProgram *p, MlirValue rank) {
  MlirValue turn = tileBuildBinary(b, "arith.addi", p->base, rank);
  return p->rounds ? tileBuildProgramOfTurn(b, p->rounds, turn) : turn;
}

/// The last program in place of one past the end.
static MlirValue clamp(TileBuilder *b, const TileClusterProgram *p, MlirValue wish) {
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
  MlirValue last = tileBuildBinary(b, "arith.subi", p->total, one);
  return tileBuildBinary(b, "arith.minsi", wish, last);
}

void tileBuildClusterProgram(TileBuilder *b, TileClusterProgram *p) {
  MlirValue wish = wishOf(b, p, p->rank);
  p->program = clamp(b, p, wish);
  p->real = tileBuildCmpi(b, TILE_SLT, wish, p->total);
}

/// In front of the loops between a value of the block and `op`, so that what it is selected by
/// need not be kept; behind `real` in any case.
static TileBuilder builderBehind(MlirValue value, MlirValue real, MlirOperation op) {
  MlirOperation def = tileValueGetOp(value), other = tileValueGetOp(real);
  MlirBlock block = mlirOperationGetBlock(op);
  if (mlirOperationIsNull(def) || !mlirBlockEqual(mlirOperationGetBlock(def), block) ||
      !mlirBlockEqual(mlirOperationGetBlock(other), block))
    return tileBuilderBefore(op);
  if (mlirOperationIsBeforeInBlock(def, other)) def = other;
  return tileBuilderBefore(mlirOperationGetNextInBlock(def));
}

/// Past the first extent there is nothing to write.
static MlirWalkResult storeOnce(MlirOperation op, void *data) {
  const TileClusterProgram *p = data;
  if (!tileOpIsADescWrite(op)) return MlirWalkResultAdvance;
  TileBuilder b = builderBehind(tileOperand(op, 1), p->real, op);
  MlirValue outside = tileOperand(makerOf(tileDescWriteGetDesc(op)), 1);
  mlirOperationSetOperand(op, 1, tileBuildSelect(&b, p->real, tileOperand(op, 1), outside));
  return MlirWalkResultAdvance;
}

void tileStoreOnce(MlirBlock body, TileClusterProgram *program) {
  mlirOperationWalk(mlirBlockGetParentOperation(body), storeOnce, program, MlirWalkPreOrder);
}

//===- who shares ---------------------------------------------------------===//

/// Values of another block's program, as far as they differ from this one's.
typedef struct {
  MlirBlock body;
  TileValueMap others;
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

/// 1 where the neighbour wants the box of `copy`, too, else 0.
static MlirValue wantsToo(Neighbour *n, TileBuilder *b, MlirOperation copy) {
  MlirType i32 = tileI32(b->context);
  MlirValue both = {NULL};
  for (intptr_t i = 1; i + 1 < mlirOperationGetNumOperands(copy); ++i) {
    MlirValue mine = tileOperand(copy, i), theirs = inNeighbour(n, b, mine);
    if (mlirValueEqual(mine, theirs)) continue;
    MlirValue equal = tileBuildCmpi(b, TILE_EQ, mine, theirs);
    both = mlirValueIsNull(both) ? equal : tileBuildBinary(b, "arith.andi", both, equal);
  }
  return mlirValueIsNull(both) ? tileBuildInt(b, i32, 1)
                               : tileBuildUnary(b, "arith.extui", i32, both);
}

/// Sums over the blocks that share a box.
typedef struct {
  MlirValue blocks; ///< their bits
  MlirValue count;  ///< their number
  MlirValue before; ///< how many of them come before this block
} Sharers;

static void addSharer(TileBuilder *b, Sharers *s, const TileClusterProgram *p, MlirValue rank,
                      MlirValue wants) {
  MlirValue bit = tileBuildBinary(b, "arith.shli", wants, rank);
  MlirValue first = tileBuildCmpi(b, TILE_ULT, rank, p->rank);
  MlirValue zero = tileBuildInt(b, tileI32(b->context), 0);
  MlirValue counts = tileBuildSelect(b, first, wants, zero);
  s->blocks = tileBuildBinary(b, "arith.ori", s->blocks, bit);
  s->count = tileBuildBinary(b, "arith.addi", s->count, wants);
  s->before = tileBuildBinary(b, "arith.addi", s->before, counts);
}

/// Part p is copied by the sharer number p * count / blocks, a bit for each.
static MlirValue buildParts(TileBuilder *b, const Sharers *s, int blocks) {
  MlirType i32 = tileI32(b->context);
  MlirValue parts = tileBuildInt(b, i32, 0);
  int shift = blocks == 2 ? 1 : blocks == 4 ? 2 : 3;
  for (int p = 0; p < blocks; ++p) {
    MlirValue number = tileBuildInt(b, i32, p), places = tileBuildInt(b, i32, shift);
    MlirValue product = tileBuildBinary(b, "arith.muli", s->count, number);
    MlirValue sharer = tileBuildBinary(b, "arith.shrui", product, places);
    MlirValue mine = tileBuildCmpi(b, TILE_EQ, sharer, s->before);
    MlirValue one = tileBuildUnary(b, "arith.extui", i32, mine);
    MlirValue bit = tileBuildBinary(b, "arith.shli", one, number);
    parts = tileBuildBinary(b, "arith.ori", parts, bit);
  }
  return parts;
}

static Sharers startSharers(TileBuilder *b, const TileClusterProgram *p) {
  MlirType i32 = tileI32(b->context);
  MlirValue one = tileBuildInt(b, i32, 1), zero = tileBuildInt(b, i32, 0);
  return (Sharers){tileBuildBinary(b, "arith.shli", one, p->rank), one, zero};
}

/// The op of `body` that holds `op`.
static MlirOperation ancestorIn(MlirBlock body, MlirOperation op) {
  while (!mlirBlockEqual(mlirOperationGetBlock(op), body)) op = mlirOperationGetParentOperation(op);
  return op;
}

static MlirValue descOfParts(MlirOperation copy, int blocks) {
  MlirValue whole = tileDescCopyGetDesc(copy);
  MlirType type = cutBox(mlirValueGetType(whole), blocks);
  if (mlirTypeEqual(type, mlirValueGetType(whole))) return whole;
  MlirOperation desc = makerOf(whole), made = mlirOperationClone(desc);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(desc), desc, made);
  mlirValueSetType(tileResult(made), type);
  return tileResult(made);
}

static void shareChannel(TileChannel *c, MlirBlock body, const TileClusterProgram *p) {
  TileBuilder b = tileBuilderBefore(ancestorIn(body, c->copies[0]));
  Sharers sharers[tileMaxBoxes];
  for (int k = 0; k < c->numCopies; ++k) sharers[k] = startSharers(&b, p);
  for (int q = 1; q < p->blocks; ++q) {
    MlirValue distance = tileBuildInt(&b, tileI32(b.context), q);
    MlirValue rank = tileBuildBinary(&b, "arith.xori", p->rank, distance);
    Neighbour n = {.body = body};
    tileValueMapSet(&n.others, p->program, clamp(&b, p, wishOf(&b, p, rank)));
    for (int k = 0; k < c->numCopies; ++k)
      if (c->shared[k]) {
        MlirValue wants = wantsToo(&n, &b, c->copies[k]);
        addSharer(&b, &sharers[k], p, rank, wants);
      }
    tileValueMapClear(&n.others);
  }
  for (int k = 0; k < c->numCopies; ++k) {
    if (!c->shared[k]) continue;
    c->blocks[k] = sharers[k].blocks;
    c->parts[k] = buildParts(&b, &sharers[k], p->blocks);
    c->desc[k] = descOfParts(c->copies[k], p->blocks);
  }
}

void tileBuildSharing(MlirBlock body, const TileClusterProgram *program, TileChannels *channels) {
  for (int i = 0; i < channels->count; ++i)
    if (channels->list[i].cluster) shareChannel(&channels->list[i], body, program);
}
