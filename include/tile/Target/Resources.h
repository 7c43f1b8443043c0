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

#include "tile/Target/Occupancy.h"
#include "tile/Target/Target.h"
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What instructions are for.
typedef enum TileMixKind {
  TILE_MIX_TENSOR_CORE,
  TILE_MIX_COPY_ENGINE,
  TILE_MIX_ASYNC_COPY,
  TILE_MIX_GLOBAL,
  TILE_MIX_SHARED,
  TILE_MIX_LOCAL,
  TILE_MIX_ATOMIC,
  TILE_MIX_BARRIER,
  TILE_MIX_SHUFFLE,
  TILE_MIX_FLOAT,
  TILE_MIX_SPECIAL,
  TILE_MIX_OTHER,
} TileMixKind;
enum { TILE_MIX_KINDS = TILE_MIX_OTHER + 1 };

/// "tensor core", "copy engine" and so on.
const char *tileMixGetName(TileMixKind instruction);

/// Counts the instructions of a listing, `mix` having room for TILE_MIX_KINDS.
void tileCountSass(const char *sass, int *mix);
void tileCountPtx(const char *ptx, int *mix);

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
