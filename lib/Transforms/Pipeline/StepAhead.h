//===- StepAhead.h - a load that starts a step before it is wanted -*- C -*-===//
//
// Before:  scf.for %k = %from to %to step %c1 {
//            %p = tile.addptr %table, %k
//            %s = tile.load %p
//            ..%s.. }
// After:   %p0 = tile.addptr %table, %from
//          %s0 = tile.load %p0, %from < %to
//          scf.for %k = %from to %to step %c1 iter_args(%s = %s0) {
//            %next = %k + 1
//            %p = tile.addptr %table, %next
//            %s1 = tile.load %p, %next < %to
//            ..%s..
//            scf.yield %s1 }
//
// What its operands follow from is computed for the next step: of the counter, of what the loop
// does not change, and of what it carries, where that follows from the same.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_STEPAHEAD_H
#define TILE_TRANSFORMS_STEPAHEAD_H

#include "../ValueMap.h"
#include "tile/IR.h"
#include "tile/OpTraits.h"

/// Do the operands of `load`, in the body of the scf.for `loop`, follow from its step alone?
bool tileFollowsFromStep(MlirOperation loop, MlirOperation load);
/// Lets `load`, whose operands follow from the step, start a step ahead, behind `behind` in the
/// body. The caller sees to it that nothing in the loop writes what is read. Returns the loop that
/// takes the place of `loop`; `load` is gone.
MlirOperation tileStartStepAhead(MlirOperation loop, MlirOperation load, MlirOperation behind);
/// Clones `load` over mapped values, and maps its result; where `exists` (i1) is false it reads
/// nothing.
void tileCloneLoadWhere(TileBuilder *b, TileValueMap *map, MlirOperation load, MlirValue exists);

#endif
