//===- Extents.h - putting extents in the place of names --------*- C -*-===//
//
// Types name extents that are not known yet, `tensor<?xf32, #tile.dims<[B]>>`, and ops
// ask for them, `tile.meta B`. Two passes bind such names: tile-instantiate those of a
// helper's signature, to numbers or to names of its caller; tile-specialize those of a
// kernel, to numbers. What both share is here.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_EXTENTS_H
#define TILE_TRANSFORMS_EXTENTS_H

#include "tile/IR.h"

/// What stands for a name: a number, or (`size` < 0) another name.
typedef struct {
  int64_t size;
  MlirStringRef name;
} TileExtent;

/// What binds names. `lookUp` gives the extent for `name`, or returns false after reporting at
/// `loc` that there is none.
typedef struct TileExtentBinder {
  bool (*lookUp)(struct TileExtentBinder *binder, MlirLocation loc, MlirStringRef name,
                 TileExtent *extent);
} TileExtentBinder;

/// Binds the names in everything under `root`: types of results and block arguments, constants,
/// offsets of slices, and tile.meta, which becomes a constant where its name becomes a number.
/// False after an error.
bool tileBindExtentsIn(TileExtentBinder *binder, MlirOperation root);

#endif
