//===- Packing.h - arrays that a launch copies to where they are aligned -*- C -*-===//
//
// The copy engine asks for arrays and rows that begin at multiples of 16 bytes. Where a launch can
// pack (tile_gpu.packs), it copies an array that does not lie so in front of the kernel, rows apart
// by whole lines of the L2 cache, and describes the copy to the engine: two passes over an operand
// that each program reads many times. The copy has what was in the array when the kernel began.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_DESCRIPTORS_PACKING_H
#define TILE_TRANSFORMS_DESCRIPTORS_PACKING_H

#include "tile/IR.h"

/// May whoever launches `func` pack arrays?
bool tileKernelPacks(MlirOperation func);

/// Null where `load` reads what was in memory when the kernel began, whatever pointers are the
/// same; else what was expected. (Programs do not read what others write: nothing orders the two.)
const char *tileWhyNotPacked(MlirOperation load);

#endif
