//===- TuneImpl.h - what the files of tuning share ------------------------===//
#ifndef TILE_SESSION_TUNE_IMPL_H
#define TILE_SESSION_TUNE_IMPL_H

#include "../ProgramImpl.h"

/// Fills in the candidates of a new task; those not worth compiling are marked.
void tileTuneFillTask(TileProgram *p, const TileProgramKernel *kernel, TileTuneTask *task);

/// Compiles the task's new candidates for a launch with `slots`, and what that binds itself, into
/// the program's cache, on all cores; marks each as compiled or as having no code.
void tileTuneCompile(TileProgram *p, const TileProgramKernel *kernel, const uint64_t *slots,
                     const char *bound, TileTuneTask *task);

#endif // TILE_SESSION_TUNE_IMPL_H
