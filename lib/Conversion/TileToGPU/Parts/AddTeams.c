//===- AddTeams.c - sums over the teams of a block -------------------------===//
//
// Each thread holds as many elements of the tile in every team. With 16 bytes of them a chunk:
//
//   1  teams other than 0 write all chunks to their scratch, chunk j of thread t at
//      (j * threads + t) * 16
//   2  all threads that hold tiles meet
//   3  team 0 adds to its own what the others wrote, in the order of the teams
//   4  where another sum follows, all meet again: it may be written where the others' chunks are
//
// What teams other than 0 read in step 3 is no value, but it is there.
//
//===----------------------------------------------------------------------===//
#include "../Exchange/Exchange.h"

typedef struct {
  Lowering *l;
  int chunks, words; ///< of a thread; registers of a chunk
  MlirType chunk;    ///< vector<4xf32>
  int64_t bytes;     ///< of a chunk
  MlirValue own;     ///< !llvm.ptr<3>: chunk 0 of this thread
  MlirValue first;   ///< where it would be in team 0
  int64_t stride;    ///< bytes between chunks of a thread
  int64_t team;      ///< bytes between the shared memory of teams
} TeamSum;

static void storeChunks(const TeamSum *s, MlirValue value) {
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(s->l->b.context), s->bytes);
  for (int64_t j = 0; j < s->chunks; ++j) {
    MlirValue chunk = lowerExtractSlice(s->l, value, j * s->words, s->words);
    MlirValue at = lowerConstantOffset(s->l, s->own, j * s->stride);
    tileBuildOp(&s->l->b, "llvm.store", TILE_VALUES(chunk, at), TILE_NONE,
                TILE_ATTRS({"alignment", alignment}), 0);
  }
}

/// What all teams have, in team 0.
static MlirValue addChunks(const TeamSum *s, MlirValue value) {
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(s->l->b.context), s->bytes);
  const char *add = mlirTypeIsAFloat(tileElementType(s->chunk)) ? "arith.addf" : "arith.addi";
  MlirValue *sums = lowerNewSlices(s->chunks);
  for (int64_t j = 0; j < s->chunks; ++j)
    sums[j] = lowerExtractSlice(s->l, value, j * s->words, s->words);
  for (int team = 1; team < s->l->teams; ++team) {
    for (int64_t j = 0; j < s->chunks; ++j) {
      MlirValue at = lowerConstantOffset(s->l, s->first, team * s->team + j * s->stride);
      MlirValue part = tileResult(tileBuildOp(&s->l->b, "llvm.load", TILE_VALUES(at), 1, &s->chunk,
                                              TILE_ATTRS({"alignment", alignment}), 0));
      sums[j] = tileBuildBinary(&s->l->b, add, sums[j], part);
    }
  }
  return lowerJoinSlices(s->l, s->chunks, sums);
}

/// Does another sum follow, of teams or of blocks?
static bool isFollowed(MlirOperation op) {
  while (!mlirOperationIsNull(op = mlirOperationGetNextInBlock(op)))
    if (tileOpIsAAddParts(op)) return true;
  return false;
}

static TeamSum describe(Lowering *l, MlirOperation op, MlirValue value, int registers) {
  MlirType element = tileElementType(mlirValueGetType(value));
  int each = tileBitWidth(element) / 8;
  int words = registers < LOWER_CHUNK_BYTES / each ? registers : LOWER_CHUNK_BYTES / each;
  MlirValue five = lowerI32(l, 5), size = lowerI32(l, (int64_t)each * words);
  MlirValue warps = tileBuildBinary(&l->b, "arith.shli", l->warp, five);
  MlirValue thread = tileBuildBinary(&l->b, "arith.ori", warps, l->lane);
  MlirValue at = tileBuildBinary(&l->b, "arith.muli", thread, size);
  MlirValue own = lowerConstantOffset(l, lowerSharedPointer(l, at), lowerSharedOffset(op));
  MlirValue before = lowerI32(l, -lowerTeamBytes(l));
  before = tileBuildBinary(&l->b, "arith.muli", l->team, before);
  return (TeamSum){.l = l,
                   .chunks = registers / words,
                   .words = words,
                   .chunk = tileVectorType(words, element),
                   .bytes = (int64_t)each * words,
                   .own = own,
                   .first = lowerOffset(l, own, before),
                   .stride = (int64_t)32 * l->numWarps * each * words,
                   .team = lowerTeamBytes(l)};
}

MlirLogicalResult lowerAddTeams(Lowering *l, MlirOperation op) {
  MlirValue value = lowerGet(l, tileOperand(op, 0));
  TileLayout layout;
  if (!lowerLayoutOf(mlirOperationGetLocation(op), mlirValueGetType(tileResult(op)), &layout))
    return mlirLogicalResultFailure();
  if (l->teams <= 1) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected two teams of a block or more around a sum of their parts, found %d",
                  l->teams);
    return mlirLogicalResultFailure();
  }
  TeamSum s = describe(l, op, value, lowerNumRegisters(&layout));
  MlirValue zero = lowerI32(l, 0);
  MlirValue others = tileBuildCmpi(&l->b, TILE_NE, l->team, zero);
  TileBuilder outside = lowerBeginIf(l, others);
  storeChunks(&s, value);
  lowerEndIf(l, outside);
  lowerTeamsBarrier(l);
  lowerSet(l, tileResult(op), addChunks(&s, value));
  if (isFollowed(op)) lowerTeamsBarrier(l);
  return mlirLogicalResultSuccess();
}
