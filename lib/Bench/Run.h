//===- Run.h - a benchmark under way --------------------------------------===//
#ifndef TILE_BENCH_RUN_H
#define TILE_BENCH_RUN_H

#include "Report/Report.h"
#include <signal.h>

//===- Ctrl-C -------------------------------------------------------------===//

/// Nonzero once the user has pressed Ctrl-C (or the process was asked to end). A second one ends
/// the process at once, or when files under way are written.
extern volatile sig_atomic_t benchStopped;
/// From here to Release, signals stop the benchmark, and `report` may be read by another thread
/// whenever the benchmark lets go of it.
void benchCatchInterrupts(const BenchReport *report);
void benchReleaseInterrupts(void);
/// Lets go of the report, of which the first `numRows` rows are complete, during a long wait at
/// `point`. A signal writes them to the files; in host code, which does not look at benchStopped,
/// it ends the process with status 1.
void benchLetGo(bool inHostCode, size_t numRows, size_t point);
void benchTakeBack(void);
/// Writes the files as they are so far, without PNG, unless that has just been done.
void benchKeepRows(const BenchReport *report);
/// Writes all files, at the end. False after messages on stderr.
bool benchFinishFiles(const BenchReport *report);

//===- the terminal -------------------------------------------------------===//

/// tileProgressClear for a signal handler.
void benchClearAtSignal(void);
/// Says on stderr at which point, counted from 1, the benchmark was interrupted.
void benchPrintInterrupted(const BenchReport *report, size_t point);
void benchPrintHeader(const BenchReport *report);
void benchPrintRow(const BenchReport *report, const BenchRow *row);
/// Explains the mark of rows whose times have moved, where there are any.
void benchPrintUnsettled(const BenchReport *report);
void benchPrintResources(const BenchReport *report);

//===- arguments and peaks ------------------------------------------------===//

/// The line's bindings at `point`, variables replaced by their values: texts in one piece, after a
/// list of `numBind` pointers.
char **benchMakeBindings(const TileBenchLine *line, const TileSpace *space, size_t point);

/// The most operations a second for the dots of a kernel (or its f32 arithmetic where there are
/// none); 0 when unknown.
double benchFindPeak(const TileDeviceInfo *info, double clockMHz, MlirModule module,
                     MlirStringRef kernel);

/// Does the kernel, or a helper beside it, have a product?
bool benchHasDot(MlirModule module, MlirStringRef kernel);

/// Fills in the machine that launches and its processor.
void benchDescribeHost(BenchReport *report);

//===- an earlier run -----------------------------------------------------===//

typedef struct BenchBaseline BenchBaseline;

/// Reads what --json wrote. NULL with an error where the file is none of those.
BenchBaseline *benchBaselineRead(const char *path, TileError *error);
void benchBaselineDestroy(BenchBaseline *baseline);
/// Prints each row's change against the row of the same line and values. False, with a message on
/// stderr, where a median is further above than the options allow, or no row is in both.
bool benchBaselineCompare(const BenchBaseline *baseline, const BenchReport *report);

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
