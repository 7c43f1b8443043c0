//===- SharedLoops.h - loops over what programs share -----------*- C -*-===//
#ifndef TILE_ANALYSIS_SHARED_LOOPS_H
#define TILE_ANALYSIS_SHARED_LOOPS_H

#include "tile/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The number of the argument of `func`, an integer, that `op`, if it is an scf.for, goes up to
/// from the program's own number along x by the number of programs along x; -1: none.
int tileArgumentOfPrograms(MlirOperation func, MlirOperation op);

/// By how much the scf.for `op` goes up from 0 to an argument of `func`, or in so many parts of it
/// as that has; 0: it is another loop. `*argument` is its number.
int64_t tileStepToArgument(MlirOperation func, MlirOperation op, int *argument);

/// The least of these of all loops up to argument `number`; 0: there is none.
int64_t tileLeastStepTo(MlirOperation func, int number);

/// Puts the body of `loop`, an scf.for that has one step, in its place.
void tileTakeOneStep(MlirOperation loop);

#ifdef __cplusplus
}
#endif

#endif // TILE_ANALYSIS_SHARED_LOOPS_H
