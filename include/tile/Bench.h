//===- Bench.h - kernels measured over a space of sizes -------------------===//
//
//   sweeps  "n=256..8192:x2"  -->  TileSpace  --+
//   lines   files and bindings --> TileBenchLine --+--> tileBenchRun --> table on stdout, files
//   providers  "cublas", "copy", "openblas"  -----+
//
// At each point of the space @main of every line runs with the point's arguments, checks and all;
// then its launches, and the providers on the buffers of the first line's launch, are measured by
// turns as tile/Runtime/Timing.h says. A point that fails is marked and the rest goes on. Ctrl-C
// ends after the repetition under way, or at once in a host program's own code, with _exit(1); what
// was measured so far is written.
//
// The rates come from what each kernel's tile.cost declares. docs/benchmarking.md has the method.
//===----------------------------------------------------------------------===//
#ifndef TILE_BENCH_H
#define TILE_BENCH_H

#include "tile/Session/Program.h"

#ifdef __cplusplus
extern "C" {
#endif

//===- spaces -------------------------------------------------------------===//

/// The points of one or several sweeps, the last sweep's values varying fastest. Each sweep is
///
///   NAME[,NAME..]=ITEM[,ITEM..]    several names take the same value
///   ITEM: a number, FIRST..LAST:xFACTOR (2 or more) or FIRST..LAST:+STEP; 2^12 is a number
///
/// Values are in the order given.
typedef struct TileSpace TileSpace;

/// Fails on a text that is no sweep, a sweep without values, a name that two sweeps have, or more
/// than 100,000 points. No sweeps give one point without variables.
TileSpace *tileSpaceCreate(const char *const *sweeps, size_t count, TileError *error);
void tileSpaceDestroy(TileSpace *space);

size_t tileSpaceGetNumPoints(const TileSpace *space);
/// Variables are counted over all sweeps, in their order.
size_t tileSpaceGetNumVariables(const TileSpace *space);
const char *tileSpaceGetVariable(const TileSpace *space, size_t variable);
int64_t tileSpaceGetValue(const TileSpace *space, size_t point, size_t variable);

/// The first variable of the sweep with the most values: the horizontal axis of a plot.
size_t tileSpaceGetAxis(const TileSpace *space);
/// Whether variable `v` is in the sweep of variable `of`, and so equal to it everywhere.
bool tileSpaceIsJoint(const TileSpace *space, size_t v, size_t of);

//===- benchmarks ---------------------------------------------------------===//

/// A program to measure. All borrowed.
typedef struct TileBenchLine {
  /// What its launches are called, NULL for the kernels' own names.
  const char *name;
  MlirModule module;
  /// "NAME=VALUE" over the kernels' defaults. A value may be a variable of the space, "N=n", or the
  /// least power of two that is no less, "N=pow2(n)".
  const char *const *bind;
  size_t numBind;
} TileBenchLine;

typedef struct TileBenchOptions {
  TileProgramTarget target;
  const TileMachine *arch;
  /// Where compiled code is kept, or NULL.
  TileCache *cache;
  const TileBenchLine *lines;
  size_t numLines;
  /// "cublas", "copy", "openblas".
  const char *const *providers;
  size_t numProviders;
  const TileSpace *space;
  /// Values of @main's parameters where the space has none, as tileProgramRun takes them.
  const char *const *args;
  size_t numArgs;
  /// Samples a launch, 0: as Timing.h chooses.
  unsigned repeat;
  /// What the page and the plots are called.
  const char *title;
  /// The command that asked for this, for the reader of the files.
  const char *command;
  /// Files to write; NULL for none. Plots end in .svg or .png.
  const char *csv, *json, *html;
  const char *const *plots;
  size_t numPlots;
  /// What plots show, "ms", "GB/s", "TFLOP/s" or "ratio"; NULL: what suits the kernel.
  const char *metric;
  /// The line that ratios are to; NULL: the first provider, or else the first of several lines.
  const char *ratioTo;
  /// An earlier file of `json`'s form to compare with, or NULL, and by how many percent a median
  /// may be above its, negative for any.
  const char *baseline;
  double failAbove;
  /// The commit that this tile was built from, or NULL.
  const char *commit;
} TileBenchOptions;

/// Checks everything that can be checked first (parameters, providers, where files go), then
/// measures, prints and writes, from time to time and at the end. Fails when a point failed, a
/// median is further above the baseline's than `failAbove`, or the user interrupted, with all that
/// was measured written. Not to be called by two threads at a time: it handles the process's SIGINT
/// and SIGTERM meanwhile.
MlirLogicalResult tileBenchRun(const TileBenchOptions *options);

/// Texts of all of @main's arguments at `point`, for tileProgramRun; `*count` of them. Reads
/// `space` and `args` of the options. NULL after a diagnostic: a variable that names no argument,
/// an argument without a value. Freed in one piece.
char **tileBenchMakeArguments(const TileProgram *program, const TileBenchOptions *options,
                              size_t point, size_t *count);

//===- the terminal -------------------------------------------------------===//

/// Draws "[####......] 12/40 matmul n = 4096" in the last line of a terminal, on stderr, and
/// nothing anywhere else. Whatever else is printed calls Clear first.
void tileProgressDraw(size_t done, size_t all, const char *what);
void tileProgressClear(void);

/// Is it one of the metrics of `metric` above, in any case?
bool tileBenchKnowsMetric(const char *name);

/// Whether a program called `name` is on PATH.
bool tileBenchHasProgram(const char *name);

#ifdef __cplusplus
}
#endif

#endif // TILE_BENCH_H
