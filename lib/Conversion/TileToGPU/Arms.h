//===- Arms.h - choices of which one side takes long ------------*- C -*-===//
#ifndef TILE_TILETOGPU_ARMS_H
#define TILE_TILETOGPU_ARMS_H

#include "Lowering.h"

/// Ops that follow each other, and for each the arm that it stands in: 2 k + side for side 0 or 1
/// of the choice `ops[k]`, -1 for none.
typedef struct {
  const MlirOperation *ops;
  int count;
  int *arms;
  LowerFn (*find)(MlirOperation op); ///< what lowers an op
} LowerArms;

/// Finds arms of `least` instructions an element and more.
void lowerFindArms(LowerArms *a, int64_t least);

/// Lowers the ops for a strip, each in its arm.
MlirLogicalResult lowerInArms(Lowering *l, const LowerArms *a);

#endif
