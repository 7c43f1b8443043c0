//===- Assigner.h - one run of tile-assign-layouts --------------*- C -*-===//
//
// What the pass knows of a kernel's values, and its two halves: SpreadLayouts.c
// chooses a layout for each value that needs one, RewriteLayouts.c writes them into
// the kernel.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_ASSIGNER_H
#define TILE_TRANSFORMS_ASSIGNER_H

#include "Layouts.h"
#include <uthash.h>

/// What is known of a tile value.
typedef struct {
  const void *key;
  MlirValue value;
  TileLayoutClass class;
  MlirAttribute layout; ///< of fixed and movable values
  UT_hash_handle hh;
} TileValueInfo;

typedef struct {
  TileLayoutRules rules;
  MlirOperation *ops; ///< of the kernel, in program order
  size_t numOps, capacity;
  TileValueInfo *values;
  bool changed; ///< a layout was chosen since this was cleared
} TileAssigner;

bool tileValueIsTile(MlirValue value);
/// Is the op's first result a tile?
bool tileHasTileResult(MlirOperation op);

/// What is known of `value`; null for what is no tile, and for what the pass has made.
TileValueInfo *tileAssignerFind(const TileAssigner *a, MlirValue value);
/// The layout of a fixed or movable value, null when not known or flexible.
MlirAttribute tileAssignerLayoutOf(const TileAssigner *a, MlirValue value);
/// The layout in which the op wants operand `i`; null when any will do.
MlirAttribute tileAssignerWanted(const TileAssigner *a, MlirOperation op, intptr_t i);

/// Chooses the layout of every fixed and movable value.
void tileAssignerSpread(TileAssigner *a);
/// Gives the values their layouts, and what uses them the layouts it wants.
void tileAssignerRewrite(TileAssigner *a);

#endif
