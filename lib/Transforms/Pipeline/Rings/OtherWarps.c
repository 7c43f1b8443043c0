//===- OtherWarps.c - warps that hide each other's loads ------------------===//
#include "OtherWarps.h"
#include "../../Loops.h"
#include "tile/MachineNumbers.h"

/// Is what a step reads copied word by word? Then each word takes two more instructions.
static bool copiesWords(const TileFeeds *f) {
  int64_t words = 0, copied = 0;
  for (int i = 0; i < f->numFeeds; ++i) {
    MlirType type = mlirValueGetType(tileResult(f->feeds[i].load));
    TileLayout layout;
    if (!tileTypeGetLayout(type, &layout)) return false;
    int vector = tileAxisAccessVectorIn(f->axis, f->feeds[i].load, layout);
    int64_t own = tileTypeGetWords(type);
    words += own;
    if (tileBitWidth(tileElementType(type)) * vector <= 32) copied += own;
  }
  return 2 * copied > words;
}

int64_t tileFeedsOtherWarps(const TileFeeds *f, int64_t numWarps) {
  const TileMachine *m = tileMachineOf(f->loop);
  int64_t words = 0, registers = tileMachineNumber(m, TILE_NUMBER_STREAM_LEAST_REGISTERS);
  registers += tileCarriedWords(f->loop) + tileHeldWords(f->loop);
  for (int i = 0; i < f->numFeeds; ++i)
    words += tileTypeGetWords(mlirValueGetType(tileResult(f->feeds[i].load)));
  int64_t warps = f->programs * numWarps;
  int64_t fit = m->registers / (32 * (registers + words));
  if (warps > fit) warps = fit;
  if (warps > m->warps) warps = m->warps;
  TileNumber share = copiesWords(f) ? TILE_NUMBER_STREAM_WORD_WARPS : TILE_NUMBER_STREAM_WARPS;
  int64_t flight = 4 * words * 32 * warps;
  bool enough = 100 * warps >= m->warps * tileMachineNumber(m, share) &&
                flight >= tileMachineNumber(m, TILE_NUMBER_STREAM_FLIGHT_OF_WARPS);
  return enough || flight >= tileMachineNumber(m, TILE_NUMBER_STREAM_FLIGHT) ? warps : 0;
}

/// Does an operand of `op`, in the loop of `f`, come from a step of `around`?
static bool readsStepOf(const TileFeeds *f, MlirOperation op, MlirOperation around) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirBlock block = tileValueGetBlock(tileOperand(op, i));
    if (tileBlockHolds(f->body, block)) continue;
    for (intptr_t k = 0; k < mlirOperationGetNumRegions(around); ++k)
      if (tileBlockHolds(tileBody(around, k), block)) return true;
  }
  return false;
}

bool tileFeedsComeAgain(const TileFeeds *f) {
  MlirOperation around = tileLoopAround(f->loop);
  if (mlirOperationIsNull(around) || !copiesWords(f)) return false;
  for (int i = 0; i < f->numSlice; ++i)
    if (readsStepOf(f, f->slice[i], around)) return false;
  for (int i = 0; i < f->numFeeds; ++i)
    if (readsStepOf(f, f->feeds[i].load, around)) return false;
  for (int i = -1; i < f->numCarried; ++i) {
    MlirValue first = tileOperand(f->loop, i < 0 ? TILE_FOR_LOWER : TILE_FOR_INITS + f->carried[i]);
    for (intptr_t k = 0; k < mlirOperationGetNumRegions(around); ++k)
      if (tileBlockHolds(tileBody(around, k), tileValueGetBlock(first))) return false;
  }
  return true;
}
