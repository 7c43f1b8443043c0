//===- OrderPrograms.h - programs by their length ---------------*- C -*-===//
#ifndef TILE_TRANSFORMS_ORDER_PROGRAMS_H
#define TILE_TRANSFORMS_ORDER_PROGRAMS_H

#include "tile/IR.h"

/// Where program `turn` of a grid lies: in groups of `size` rows along the other two axes, the
/// number along `axis` counts last. `extent`: of the grid; all are i32.
void tileBuildOrderedPosition(TileBuilder *b, MlirValue turn, const MlirValue extent[3], int axis,
                              MlirValue size, MlirValue position[3]);

/// i1: has the grid few columns (`grid-few-columns`), fewer than rows, so that programs of a row
/// had better follow each other?
MlirValue tileBuildHasFewColumns(TileBuilder *b, MlirOperation func, MlirValue rows,
                                 MlirValue columns);

#endif
