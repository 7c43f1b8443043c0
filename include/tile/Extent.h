//===- tile/Extent.h - extents with arithmetic ------------------*- C -*-===//
//
// #tile.dims<[BK floordiv 8, BN]>: a `?` extent of a tile is a name, or an affine expression of
// names. tileDimsGetName of tile/Tile.h gives it as text.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_EXTENT_H
#define TILE_EXTENT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Gives what stands for a name: a number (`*size` > 0), or (`*size` < 0) another extent. False
/// where there is none.
typedef bool (*TileExtentLookUp)(void *data, MlirStringRef name, int64_t *size,
                                 MlirStringRef *text);
/// `extent` of #tile.dims with what `lookUp` gives for its names: a number in `*size`, which may be
/// any, or (`*size` = INT64_MIN) an extent in `*text`, which the context owns. False where `lookUp`
/// is, or where the arithmetic has no result.
bool tileExtentBind(MlirContext context, MlirStringRef extent, TileExtentLookUp lookUp, void *data,
                    int64_t *size, MlirStringRef *text);

#ifdef __cplusplus
}
#endif

#endif
