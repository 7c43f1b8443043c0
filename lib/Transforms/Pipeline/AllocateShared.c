//===- AllocateShared.c - place shared memory, insert barriers ------------===//
//
// Before:  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x32xf16>
//          tile_gpu.buffer_store %v, %b : ..
//          %d = tile.dot %b, ..
// After:   %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x32xf16>
//          tile_gpu.buffer_store %v, %b : ..
//          gpu.barrier
//          %d = tile.dot %b, ..
//
// Blocks are placed where nothing lies that is alive at the same time (Shared/Place.c), and
// barriers stand between the ops that touch the same bytes (Shared/Barriers.c). A buffer used in a
// loop is alive all around it.
//
// Requires: layouts assigned.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "Shared/Allocation.h"
#include "tile/Analysis/Scratch.h"
#include "tile/IR.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

MlirLogicalResult tileRunAllocateShared(MlirOperation func) {
  int limit = (int)tileTeamSharedBytes(func);
  MlirLocation loc = mlirOperationGetLocation(func);
  TileAllocation allocation = tileAllocationCreate(func);
  tileInsertBarriers(func, &allocation);
  int64_t total = allocation.total;
  tileAllocationDestroy(&allocation);
  tileTrace(loc, "kernel has %lld bytes of shared memory", (long long)total);
  mlirOperationSetAttributeByName(
      func, tileString("tile_gpu.shared_bytes"),
      mlirIntegerAttrGet(tileI32(mlirOperationGetContext(func)), total));
  if (total <= limit) return mlirLogicalResultSuccess();
  tileEmitError(
      loc,
      "expected at most %d bytes of shared memory, found tiles that need %lld: use smaller ones",
      limit, (long long)total);
  return mlirLogicalResultFailure();
}
