//===- OwnParts.c - what a thread reduces by itself -----------------------===//
#include "OwnParts.h"

static uint64_t axisBits(const TileOwnPart *part) {
  return ((uint64_t)1 << (unsigned)part->layout.outBits[part->axis]) - 1;
}

/// The axis in runs of bits, the highest first: those of a thread's own, and the others.
typedef struct {
  int count;
  int64_t extents[TILE_MAX_BITS];
  bool own[TILE_MAX_BITS];
} Runs;

static Runs cut(const TileOwnPart *part) {
  Runs runs = {0};
  for (int bit = part->layout.outBits[part->axis]; bit-- > 0;) {
    bool own = part->own >> bit & 1;
    if (!runs.count || runs.own[runs.count - 1] != own) {
      runs.own[runs.count] = own;
      runs.extents[runs.count++] = 1;
    }
    runs.extents[runs.count - 1] *= 2;
  }
  return runs;
}

const char *tilePlanOwnPart(TileOwnPart *part) {
  TileCombinePlan plan;
  part->axis = (int)tileReduceGetAxis(part->reduce);
  if (part->isAll) return NULL;
  if (!tileTypeGetLayout(mlirValueGetType(tileOperand(part->reduce, 0)), &part->layout))
    return "expected a layout, found none";
  const char *reason = tilePlanCombine(part->layout, part->axis, &plan);
  if (reason) return reason;
  int shift = tileLayoutShift(part->layout, part->axis);
  for (int bit = 0; bit < part->layout.inBits[TILE_REGISTER]; ++bit) {
    uint64_t basis = part->layout.bases[TILE_REGISTER][bit];
    if (plan.along[TILE_REGISTER] >> bit & 1 && !(basis & (basis - 1))) part->own |= basis >> shift;
  }
  // A bit that lanes or warps have, too, is not a thread's own.
  for (int dim = TILE_LANE; dim <= TILE_WARP; ++dim)
    for (int bit = 0; bit < part->layout.inBits[dim]; ++bit)
      part->own &= ~(part->layout.bases[dim][bit] >> shift);
  for (int bit = 0; bit < part->layout.inBits[TILE_REGISTER]; ++bit) {
    uint64_t basis = part->layout.bases[TILE_REGISTER][bit];
    if (basis & (basis - 1)) part->own &= ~(basis >> shift);
  }
  return part->layout.rank - 1 + cut(part).count > TILE_MAX_RANK
             ? "expected fewer dimensions of what threads have along the axis, found more"
             : NULL;
}

bool tileOwnPartIsWhole(const TileOwnPart *part) {
  return part->isAll || (part->own & axisBits(part)) == axisBits(part);
}

int64_t tileOwnPartWords(const TileOwnPart *part) {
  int own = __builtin_popcountll(part->own & axisBits(part));
  int64_t words = tileTypeGetWords(mlirValueGetType(tileOperand(part->reduce, 0))) >> (unsigned)own;
  return words ? words : 1;
}

static MlirType typeOf(MlirType like, TileLayout layout) {
  MlirContext context = mlirTypeGetContext(like);
  int64_t shape[TILE_MAX_RANK];
  for (int d = 0; d < layout.rank; ++d) shape[d] = tileLayoutExtent(layout, d);
  return mlirRankedTensorTypeGet(layout.rank, shape, tileElementType(like),
                                 tileLayoutToAttr(context, &layout));
}

static MlirValue reshape(TileBuilder *b, MlirValue value, TileLayout layout, int rank,
                         const int64_t *shape, TileLayout *result) {
  *result = tileLayoutReshape(layout, rank, shape);
  if (rank == layout.rank) return value;
  return tileBuildUnary(b, "tile.reshape", typeOf(mlirValueGetType(value), *result), value);
}

/// The reduction once more, of another tile along another axis; a number where nothing is left.
static MlirValue reduce(TileBuilder *b, const TileOwnPart *part, MlirValue value, int axis,
                        MlirType type) {
  MlirOperation copy = mlirOperationClone(part->reduce);
  mlirOperationSetOperand(copy, 0, value);
  mlirOperationSetAttributeByName(copy, tileString("axis"),
                                  mlirIntegerAttrGet(tileI32(b->context), axis));
  mlirValueSetType(tileResult(copy), type);
  mlirBlockInsertOwnedOperationBefore(b->block, b->before, copy);
  return tileResult(copy);
}

MlirValue tileReduceOwn(TileBuilder *b, const TileOwnPart *part, MlirValue value) {
  if (tileOwnPartIsWhole(part))
    return reduce(b, part, value, part->axis, mlirValueGetType(tileResult(part->reduce)));
  if (!(part->own & axisBits(part))) return value;
  Runs runs = cut(part);
  TileLayout layout;
  int64_t shape[TILE_MAX_RANK + TILE_MAX_BITS], left = 1;
  int rank = 0;
  for (int d = 0; d < part->layout.rank; ++d) {
    if (d != part->axis) shape[rank++] = tileLayoutExtent(part->layout, d);
    for (int r = 0; d == part->axis && r < runs.count; ++r) shape[rank++] = runs.extents[r];
  }
  value = reshape(b, value, part->layout, rank, shape, &layout);
  for (int r = runs.count; r-- > 0;) {
    if (!runs.own[r]) {
      left *= runs.extents[r];
      continue;
    }
    layout = tileLayoutSliceCompact(layout, part->axis + r);
    value = reduce(b, part, value, part->axis + r, typeOf(mlirValueGetType(value), layout));
  }
  rank = 0;
  for (int d = 0; d < part->layout.rank; ++d)
    shape[rank++] = d == part->axis ? left : tileLayoutExtent(part->layout, d);
  return reshape(b, value, layout, rank, shape, &layout);
}

MlirValue tileReduceRest(TileBuilder *b, const TileOwnPart *part, MlirValue parts) {
  MlirType type = mlirValueGetType(tileResult(part->reduce));
  if (tileOwnPartIsWhole(part)) return parts;
  MlirType partsType = mlirValueGetType(parts), whole = type;
  TileLayout layout, wanted;
  if (tileTypeIsTile(type) && tileTypeGetLayout(partsType, &layout)) {
    layout = tileLayoutSliceCompact(layout, part->axis);
    whole = typeOf(partsType, layout);
    if (tileTypeGetLayout(type, &wanted) && tileLayoutEqual(layout, wanted)) whole = type;
  }
  MlirValue value = reduce(b, part, parts, part->axis, whole);
  return mlirTypeEqual(whole, type) ? value
                                    : tileBuildUnary(b, "tile_gpu.convert_layout", type, value);
}
