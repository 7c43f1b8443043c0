//===- HeadGroups.h - heads whose programs run at a time --------*- C -*-===//
#ifndef TILE_TRANSFORMS_HEAD_GROUPS_H
#define TILE_TRANSFORMS_HEAD_GROUPS_H

#include "tile/IR.h"

/// What is known of a grid whose programs get shorter along `axis`; all are i32.
typedef struct {
  int axis;
  MlirValue extent[3]; ///< of the launch's own grid
  MlirValue blocks;    ///< that run at a time
} TileHeads;

/// How many heads (rows along the other two axes) have programs that run at a time, built at `b`,
/// in front of the loop over programs; those of `func` stand in front of it, too, with the ids of
/// the grid.
MlirValue tileBuildHeadGroup(TileBuilder *b, MlirOperation func, const TileHeads *heads);

#endif
