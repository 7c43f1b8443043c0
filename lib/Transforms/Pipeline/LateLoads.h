//===- LateLoads.h - loads of dots that do not run ahead --------*- C -*-===//
#ifndef TILE_TRANSFORMS_LATELOADS_H
#define TILE_TRANSFORMS_LATELOADS_H

#include "tile/IR.h"

/// Warns of the loads of `func` that dots wait for where no loop can let them run ahead: those in a
/// branch of a step or for one, those that more is made of than elements, and those of loops that
/// run until a condition.
void tileWarnOfLateLoads(MlirOperation func);

#endif
