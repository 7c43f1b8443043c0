//===- Resources.h - what a kernel takes of a multiprocessor --------------===//
//
// Found without a GPU, from PTX and the tools that are installed:
//
//   PTX --> ptxas -v: registers, spills, shared memory, barriers --> occupancy and its limit
//       --> cubin --> nvdisasm or cuobjdump: SASS --> instruction mix
//
// Without a disassembler the mix is counted in the PTX.
//===----------------------------------------------------------------------===//
#ifndef TILE_RESOURCES_H
#define TILE_RESOURCES_H

#include "tile/Target/InstructionMix.h"
#include "tile/Target/Occupancy.h"
#include "tile/Target/Target.h"
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TileResources {
  /// The architecture's name, static.
  const char *arch;
  /// Whether ptxas was there: without it, all below but `mix`, `threads` and `sharedBytes` is 0.
  bool assembled;
  /// Whether the mix is the SASS's, or the PTX's.
  bool fromSass;
  int registers, spillStores, spillLoads, barriers;
  int threads, sharedBytes;
  TileOccupancy occupancy;
  int mix[TILE_MIX_KINDS];
} TileResources;

/// Finds the resources of the one kernel in `ptx` when it is launched with `threads` a block and
/// `sharedBytes` of dynamic shared memory.
MlirLogicalResult tileResourcesFind(MlirLocation loc, const TileBlob *ptx, const TileMachine *arch,
                                    int threads, int sharedBytes, TileResources *result);

/// Prints it, from behind the kernel's name on: three lines.
void tileResourcesPrint(FILE *file, const TileResources *resources);

#ifdef __cplusplus
}
#endif

#endif // TILE_RESOURCES_H
