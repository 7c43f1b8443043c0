//===- Run.h - a benchmark under way --------------------------------------===//
#ifndef TILE_BENCH_RUN_H
#define TILE_BENCH_RUN_H

#include "Report.h"
#include <signal.h>

//===- the terminal -------------------------------------------------------===//

/// Nonzero once the user has pressed Ctrl-C (or the process was asked to end). A second one ends
/// the process at once.
extern volatile sig_atomic_t benchStopped;
void benchCatchInterrupts(void);
void benchReleaseInterrupts(void);

void benchPrintHeader(const BenchReport *report);
void benchPrintRow(const BenchReport *report, const BenchRow *row);
void benchPrintResources(const BenchReport *report);

//===- arguments and peaks ------------------------------------------------===//

/// The line's bindings at `point`, variables replaced by their values: texts in one piece, after a
/// list of `numBind` pointers.
char **benchMakeBindings(const TileBenchLine *line, const TileSpace *space, size_t point);

/// The most operations a second for the dots of a kernel (or its f32 arithmetic where there are
/// none); 0 when unknown.
double benchFindPeak(const TileDeviceInfo *info, double clockMHz, MlirModule module,
                     MlirStringRef kernel);

//===- providers ----------------------------------------------------------===//

typedef struct BenchProvider BenchProvider;

/// Is there a provider of that name for this target? Else an error that lists them.
bool benchProviderCheck(const char *name, bool onGpu, TileError *error);

/// Does it compute what the launch does, or only move as many bytes?
bool benchProviderComputes(const char *name);

/// Prepares `name` to do the work of a launch on that launch's arrays, and checks that its result
/// is the kernel's. NULL with an error when it cannot.
BenchProvider *benchProviderCreate(const char *name, TileProgram *program, size_t launch,
                                   TileError *error);
void benchProviderDestroy(BenchProvider *provider);
/// A TileTimedWork over the provider.
bool benchProviderRun(void *provider, TileError *error);

#endif // TILE_BENCH_RUN_H
