//===- LoadInStep.h - what authors load a step ahead ------------*- C -*-===//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_PARTS_LOOPS_LOADINSTEP_H
#define TILE_TRANSFORMS_PARTS_LOOPS_LOADINSTEP_H

#include "tile/IR.h"

/// Loads what `loop`, an scf.for, carries from one step to the next in the step that wants it, and
/// gives the loop a step more where what stands behind it is one. The loop stays, changed.
void tileLoadInStep(MlirOperation loop);

#endif
