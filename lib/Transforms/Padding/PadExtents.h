//===- PadExtents.h - what the rewrites of tile-pad-extents share -*- C -*-===//
//
// A padded tile holds its elements where they were and anything at all beyond them. PadExtents.c
// finds what could make that visible and retypes everything else; PadCombine.c and PadShape.c
// rewrite the ops in which an element reaches other positions than its own.
//
// Ops are visited from the last to the first, and values keep their types until all have been
// visited: so whoever looks at an operand sees the extents that the program gave it. New ops are
// made with padded types.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_PADEXTENTS_H
#define TILE_TRANSFORMS_PADEXTENTS_H

#include "tile/IR.h"

/// A tile type as the program has it: rank and extents.
typedef struct {
  int rank;
  int64_t extent[TILE_MAX_RANK];
} PadShape;

static inline bool padIsPowerOfTwo(int64_t x) { return x > 0 && !(x & (x - 1)); }
static inline PadShape padShapeOf(MlirType type) {
  PadShape shape;
  shape.rank = tileShape(type, shape.extent);
  return shape;
}
/// Bit d: dimension d of a tile of this type gets padding. 0 for what is no tile.
unsigned padDims(MlirType type);
/// `type` with padded extents; itself where it has none to pad.
MlirType padType(MlirType type);

/// i1 of `shape`, padded: is a position within the extents of `dims` (bit by dimension)? Extents
/// of dimensions that are not in `dims` may be those of another tile. `dims` is not 0.
MlirValue padInside(TileBuilder *b, PadShape shape, unsigned dims);
/// i32 of `shape`: the coordinate along dimension d.
MlirValue padCoordinate(TileBuilder *b, PadShape shape, int d);
/// What tile.extents says of `op`, a load, store or dot of `type`; where it says nothing yet, the
/// extents of `type`.
PadShape padExtentsOf(MlirOperation op, MlirType type);
void padSetExtents(MlirOperation op, PadShape shape);
/// Is it a conversion of each element that leaves 0 as it is?
bool padKeepsZeros(MlirOperation op);
/// %v = select inside, value, otherwise;  `otherwise` a scalar attribute of the element type.
MlirValue padReplace(TileBuilder *b, MlirValue value, MlirValue inside, MlirAttribute otherwise);

// PadCombine.c
void padReduce(MlirOperation op);
void padScan(MlirOperation op);
void padDot(MlirOperation op);
// PadShape.c
void padReshape(MlirOperation op);
void padCat(MlirOperation op);
void padGather(MlirOperation op);

#endif
