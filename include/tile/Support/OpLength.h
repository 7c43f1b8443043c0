//===- OpLength.h - how much code an op is ----------------------*- C -*-===//
//
// One number for whoever asks whether an op may stand there again: unrolled, in both arms of a
// branch, in another layout, in registers beside others of its kind.
//
// Needs no handle; any thread may ask.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_OPLENGTH_H
#define TILE_OPLENGTH_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Machine instructions that stand in the code for one element of what `op` computes, loads or
/// stores, about: 1 of most ops, 0 of constants, splats and other views of what is there, 82 of a
/// sine in f32 and 185 in f64. What is called, as the end of a division that is rounded right,
/// stands there once and does not count.
int tileOpLength(MlirOperation op);

#ifdef __cplusplus
}
#endif
#endif
