//===- Waiting.h - programs that wait for others ----------------*- C -*-===//
//
//   scf.while : () -> () {                          until another program has stored 1 there
//     %state = tile.atomic_cas .. %lock, ..
//     ..
//   }
//
// Such programs count on a launch that begins them in their order, and those that fit at a time. A
// block that had several of them, one behind the other, could wait for one of its own.
//===----------------------------------------------------------------------===//
#ifndef TILE_WAITING_H
#define TILE_WAITING_H

#include "tile/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The first loop of the kernel without a count that looks at memory; null where there is none.
MlirOperation tileFindWaiting(MlirOperation func);

#ifdef __cplusplus
}
#endif
#endif
