//===- Executor.h - a grid of programs on the CPU's cores -----------------===//
//
// A kernel compiled for the CPU is one function that does one program's work. The executor calls it
// once for each program of the grid, on a pool of threads that is made once:
//
//   caller ---- run(grid) ----+-- programs 0..k, 3k.. --+---- run returns
//   worker 1 ---- asleep -----+-- programs k..2k, ...  --+---- asleep
//   worker 2 ---- asleep -----+-- programs 2k..3k, ... --+---- asleep
//
// Threads take chunks of consecutive programs (x fastest, then y, then z) from a shared counter; a
// chunk shrinks as the work runs out, so tiny programs cost no contention and large ones balance.
// Kernels keep their tiles on the stack: each thread, and the caller while it works, runs them on a
// stack of 64 MiB whose pages are taken when touched, with a guard page below.
//
// Sleeping workers spin for a few microseconds first, so back-to-back launches cost no system call.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_EXECUTOR_H
#define TILE_RUNTIME_EXECUTOR_H

#include "tile/Runtime/Error.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One program. `args` points at the kernel's arguments, one 8-byte slot each (pointers as they
/// are, integers and floats in the slot's low bytes); (x, y, z) is the program's id and (nx, ny,
/// nz) the grid. It may run on any thread, beside other programs of the grid.
typedef void (*TileCpuKernel)(const void *args, int32_t x, int32_t y, int32_t z, int32_t nx,
                              int32_t ny, int32_t nz);

/// Work on the indices [begin, end) of a parallel loop.
typedef void (*TileLoopBody)(void *context, int64_t begin, int64_t end);

typedef struct TileExecutor TileExecutor;

typedef struct TileExecutorOptions {
  /// Threads that work, the caller included; 0 takes $TILE_NUM_THREADS, or else the CPUs that this
  /// process may use (sched_getaffinity).
  unsigned threads;
  /// Bytes of stack for each; 0 takes 64 MiB.
  size_t stackBytes;
} TileExecutorOptions;

/// Makes a pool; `options` may be NULL. Fails when $TILE_NUM_THREADS is no number in 1 .. 4096 or a
/// thread cannot be made.
TileExecutor *tileExecutorCreate(const TileExecutorOptions *options, TileError *error);

/// Ends the threads. No run may be under way.
void tileExecutorDestroy(TileExecutor *executor);

/// The process's own pool with default options, made at first use and ended at exit; borrowed.
/// Safe from any thread. A failure is remembered and reported again.
TileExecutor *tileExecutorGetDefault(TileError *error);

/// Number of threads that work on a run, the caller included.
unsigned tileExecutorGetThreads(const TileExecutor *executor);

/// Runs every program of the grid {nx, ny, nz} and returns when all are done; their writes are then
/// visible to the caller. Fails on an extent below 0 or 2^62 programs and more; an extent of 0 runs
/// nothing. Runs from several threads take turns; a run from inside a program or a loop's body
/// works on that thread alone.
bool tileExecutorRun(TileExecutor *executor, TileCpuKernel kernel, const void *args,
                     const int32_t grid[3], TileError *error);

/// Splits [0, count) into chunks of at least `grain` (1 or more) indices and calls `body` on each,
/// as Run does. `executor` may be NULL: then all of it runs here, on the caller's own stack.
void tileExecutorLoop(TileExecutor *executor, int64_t count, int64_t grain, TileLoopBody body,
                      void *context);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_EXECUTOR_H
