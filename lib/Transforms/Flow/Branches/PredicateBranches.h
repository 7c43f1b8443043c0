//===- PredicateBranches.h - straight code for branches ---------*- C -*-===//
//
// Before:  scf.if %c {                               an early return, where it is false
//            %q = tile.load %ptrs, %mask
//            %n = tile.load %ptr
//            %sum = scf.for %k = %lower to %upper .. { tile.dot .. }
//            tile.store %out, %sum, %seen
//          }
// After:   %q = tile.load %ptrs, %mask               %mask is off where %c is
//          %n = tile.load %ptr, %c
//          %end = arith.select %c, %upper, %lower
//          %sum = scf.for %k = %lower to %end .. { tile.dot .. }
//          tile.store %out, %sum, (%seen and %c)
//
// (if-conversion, or predication), where the loop follows from what the branch loads, so that it
// cannot leave by itself (Branches.h). Then the loop is one of all programs, as those are that a
// warp copies ahead for; a program that would have returned takes no step of it and stores nothing.
// Each access outside of loops gets the condition for a mask, but where its own is off without it.
// What is divided by stays, where the launch alone decides on it, and is 1 without the condition
// elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_PREDICATE_BRANCHES_H
#define TILE_TRANSFORMS_PREDICATE_BRANCHES_H

#include "tile/IR.h"

/// Makes straight code of the branches of `func`, outside of loops and without results, that hold
/// loops of dots; false, and nothing has changed, where there is none, or one of them holds what
/// cannot be masked, or writes in front of such a loop.
bool tilePredicateBranches(MlirOperation func);

/// Says of `enters`, without which `block` is not reached, that the program does nothing without it
/// (LeaveEarly.c), where that is so: all others around and beside it read and compute alone.
void tileMarkEntry(MlirBlock block, MlirValue enters);
/// The contrary of `condition`, an i1.
MlirValue tileBuildContrary(TileBuilder *b, MlirValue condition);
/// Has `op`, if it divides, divide by 1 where `condition` is false: nothing is divided by what only
/// the condition says is not 0.
void tileGuardDivision(MlirOperation op, MlirValue condition);

#endif
