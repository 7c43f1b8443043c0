//===- Run.h - compiling and launching a kernel's text ----------*- C -*-===//
//
// The one part of the fuzzer that knows the compiler, through its C API.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_FUZZ_RUN_H
#define TILE_FUZZ_RUN_H

#include "Evaluate/Evaluate.h"

typedef enum {
  TARGET_CPU,
  TARGET_GPU,
  TARGET_PTX,   ///< compiled for a GPU, and not run
  TARGET_FRONT, ///< compiled for a GPU up to where tiles get layouts, and that run on the CPU
} Target;

typedef struct Runner Runner;

/// A compiler in this process. Opens a GPU when `wantsGpu`; exits where the driver is broken.
Runner *createRunner(bool wantsGpu);
void destroyRunner(Runner *r);
bool hasGpu(const Runner *r);

/// Is there a GPU to run on? Asked in a process of its own, as CUDA does not survive a fork.
bool findGpu(void);

/// Compiles and runs `text` on arrays filled from `before`, and compares what they hold after with
/// `want`. True, or false with a message. `*isBroken`: the GPU has failed, and so will all that
/// follows in this process.
bool runKernel(Runner *r, const Kernel *k, const char *text, Target target, const Memory *before,
               const Memory *want, char *message, size_t size, bool *isBroken);

#endif
