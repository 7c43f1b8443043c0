//===- AddedSums.c - how what is added to memory lies among lanes ----------===//
//
// Sums that threads add to memory, whose old values nobody wants, are added instruction by
// instruction: up to 16 bytes of floats of 32 bits and fewer, other numbers one by one. No cache
// puts together what several instructions add to one sector, as it does for stores: the L2 cache
// takes up each half of a sector as it takes up a whole one. So a thread keeps as many neighbours
// as one instruction adds, of rows that begin anywhere one, and gives the next ones to other lanes,
// for what these have farthest away. By an exchange of one bit half of the registers are shuffled:
// of eight f32 a thread, loaded as bf16, of which lane 0 had 0 to 7 and lane 1 had 8 to 15, lane 0
// then adds 0 to 3 and lane 16 adds 4 to 7.
//
// A dot's sums lie the other way round: of eight columns four lanes have two each. Where one
// instruction adds four, lanes exchange theirs for others' of sixteen columns:
//
// Before:  register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], ..]
// After:   register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 8], [0, 4], ..]
//===----------------------------------------------------------------------===//
#include "Assigner.h"
#include "tile/MachineNumbers.h"

/// The elements side by side along `dim` that one instruction of `op`, whose result nobody reads,
/// adds: of rows that begin anywhere one.
static int64_t addedAtOnce(const TileAssigner *a, MlirOperation op, int dim) {
  int64_t whole = tileAxisAccessVector(a->rules.axis, op, dim);
  int64_t most = tileMostUpdatedAtOnce(tileMachineOf(op), op);
  return whole < most ? whole : most;
}

/// The bit of `in` that moves by `step` elements along `dim` alone; that which moves the farthest
/// where `step` is 0. -1: there is none.
static int bitAlong(const TileLayout *layout, TileInDim in, int dim, int64_t step) {
  int found = -1;
  int64_t most = 0;
  for (int b = 0; b < layout->inBits[in]; ++b) {
    int64_t coordinates[TILE_MAX_RANK] = {0};
    coordinates[dim] = tileLayoutCoordinate(*layout, layout->bases[in][b], dim);
    if (layout->bases[in][b] != tileLayoutPack(*layout, coordinates)) continue;
    if (step ? coordinates[dim] != step : coordinates[dim] <= most) continue;
    most = coordinates[dim];
    found = b;
  }
  return found;
}

/// Gives a thread neighbours of other lanes, up to `most` elements along `dim` that one instruction
/// adds, for some that lie `apart` elements or more away: those lanes still share whole sectors.
static void gatherNeighbours(TileLayout *layout, int dim, int64_t most, int64_t apart) {
  for (int64_t held = tileLayoutContiguous(*layout, dim); held < most; held *= 2) {
    int lane = bitAlong(layout, TILE_LANE, dim, held), inThread = -1;
    int64_t extent = (int64_t)1 << layout->outBits[dim];
    for (int64_t step = apart; step < extent && inThread < 0; step *= 2)
      inThread = bitAlong(layout, TILE_REGISTER, dim, step);
    if (lane < 0 || inThread < 0) return;
    uint64_t near = layout->bases[TILE_LANE][lane], *own = layout->bases[TILE_REGISTER];
    layout->bases[TILE_LANE][lane] = own[inThread];
    int first = 0; // behind the neighbours that it has
    while ((int64_t)1 << first < held) ++first;
    for (int bit = inThread; bit > first; --bit) own[bit] = own[bit - 1];
    own[first] = near;
  }
}

MlirAttribute tileAssignerAddedSideBySide(const TileAssigner *a, MlirOperation op,
                                          MlirAttribute attr) {
  MlirType type = mlirValueGetType(tileResult(op));
  int order[TILE_MAX_RANK];
  TileLayout layout = tileLayoutOn(attr, type);
  if (!tileLayoutIsValid(layout) || layout.rank < 1) return attr;
  tileAxisAccessOrder(a->rules.axis, tileOperand(op, 0), order);
  int64_t run = tileAxisLikelyRun(a->rules.axis, tileOperand(op, 0), order[0]);
  int64_t sector = tileMachineNumber(tileMachineOf(op), TILE_NUMBER_SECTOR_BYTES);
  int bits = tileBitWidth(tileElementType(type));
  gatherNeighbours(&layout, order[0], addedAtOnce(a, op, order[0]), 8 * sector / bits);
  for (int64_t step = addedAtOnce(a, op, order[0]); step < run; step *= 2) {
    int inThread = bitAlong(&layout, TILE_REGISTER, order[0], step);
    int lane = bitAlong(&layout, TILE_LANE, order[0], 0);
    if (inThread < 0 || lane < 0) break;
    uint64_t *one = &layout.bases[TILE_REGISTER][inThread], *other = &layout.bases[TILE_LANE][lane];
    int64_t away = tileLayoutCoordinate(layout, *other, order[0]);
    if (away <= step || away * bits < 8 * sector) break;
    uint64_t far = *other;
    *other = *one;
    *one = far;
  }
  return tileLayoutToAttr(a->rules.context, &layout);
}
