//===- Allocation.h - where shared memory is, and when ----------*- C -*-===//
//
// What tile-allocate-shared hands from its first part, which places blocks, to its second one,
// which puts barriers between the ops that touch them. Ops are borrowed, and stay as they are
// meanwhile but for barriers. One thread at a time.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_PIPELINE_SHARED_ALLOCATION_H
#define TILE_TRANSFORMS_PIPELINE_SHARED_ALLOCATION_H

#include "mlir-c/IR.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A piece of shared memory.
typedef struct {
  MlirOperation op; ///< tile_gpu.alloc_shared, or the op whose scratch it is
  int64_t bytes, offset;
  int64_t first, last; ///< op numbers between which it is alive
  bool guarded;        ///< ordered by waits and barriers of its own, as rings of several stages are
  bool flying;         ///< a dot that reads it was started, and not waited for
  bool leaves;         ///< the copy engine reads it, up to the end
} TileSharedBlock;

/// All of a kernel.
typedef struct {
  TileSharedBlock *blocks;
  intptr_t numBlocks;
  size_t capacity;
  int64_t total; ///< bytes, from offset 0 on
} TileAllocation;

/// Finds the blocks of `func`, a place for each, and writes that down as its op's `offset`. `total`
/// may be more than the machine has. To be given to tileAllocationDestroy.
TileAllocation tileAllocationCreate(MlirOperation func);
void tileAllocationDestroy(TileAllocation *a);

/// The block that `op` makes, or has for itself; NULL where there is none.
TileSharedBlock *tileAllocationFind(const TileAllocation *a, MlirOperation op);

/// Puts barriers between the ops of `func` that touch the same bytes, and fences where they must
/// be.
void tileInsertBarriers(MlirOperation func, const TileAllocation *a);

#endif
