//===- TileRun.h - what the files of tile-run share -----------------------===//
#ifndef TILE_TOOLS_TILE_RUN_H
#define TILE_TOOLS_TILE_RUN_H

#include "tile/Bench.h"
#include "tile/Session/Program.h"
#include <argp.h>

/// What the options of benchmarks asked for.
typedef struct BenchSettings {
  bool wanted, needsBench, resources;
  const char **sweeps, **compare, **plots;
  size_t numSweeps, numCompare, numPlots;
  const char *name, *title, *csv, *json, *html, *metric, *ratioTo, *baseline;
  /// --fail-above, where `fails`.
  bool fails;
  double failAbove;
  /// The whole command, for the reader of the files.
  char *command;
  char *saved[5];
  TileSpace *space;
} BenchSettings;

/// What the command line asked for. Strings are argv's; lists are freed with runOptionsDestroy.
typedef struct RunOptions {
  const char *file;
  TileProgramTarget target;
  const TileMachine *arch;
  /// --args split at commas, in `argsText`; NULL when not given.
  const char **args;
  size_t numArgs;
  char *argsText;
  const char **bind;
  size_t numBind;
  const char *kernel;
  const char **specs;
  size_t numSpecs;
  /// --grid: extents given, and all three; 0 of them when it is not there.
  int numGrid;
  int32_t grid[3];
  bool emits;
  TileEmit emit;
  const char *output;
  unsigned repeat;
  bool deviceInfo, verbose;
  bool noHost, allowExtern;
  bool cacheStat, cacheClear;
  bool check, traces;
  unsigned checkLimit;
  int32_t traced[3];
  const char *dumpDir, *reproducer;
  /// The passes whose remarks are printed, between commas, or "all"; NULL: none.
  const char *remarks;
  bool noSlow; ///< leaves out warnings about slow roads (tile/Support/Slow.h)
  const char **overrides;
  size_t numOverrides;
  BenchSettings bench;
  bool tune, tuneShow;
  const char **spaces;
  size_t numSpaces;
  int budget;
  double tuneTimeout;
  /// The point of the benchmark's space to tune at.
  size_t tunePoint;
  const char *tuneExport, *tuneImport;
} RunOptions;

/// Parses the command line; ends the process with 2 on bad usage, with 0 after --help.
RunOptions runOptionsParse(int argc, char **argv);
void runOptionsDestroy(RunOptions *options);

/// Prints diagnostics as compilers do: FILE:LINE:COLUMN: error: TEXT, the line, a caret. Remarks of
/// passes where --remarks or TILE_TRACE names them; warnings about slow roads but where
/// `options` (borrowed as long as the context lives) leave them out, or tune: candidates may be
/// slow.
void attachDiagnostics(MlirContext context, const RunOptions *options);

/// A module of kernels from its file, of tile's text or of Triton's, which becomes tile's; null
/// after a diagnostic.
MlirModule readKernels(MlirContext context, const char *path, const RunOptions *options);

/// Gives the module a @main that makes the arguments the specs describe, launches `kernel`, and
/// writes results; an @main that is there is replaced. Specs, one an argument:
///
///   random:f16[512x512]   random numbers (the argument's position is the seed)
///   zeros:f32[98432]      zeros
///   in.npy                a file
///   98432, 0.5            an integer or float, of the kernel's own type
///
/// and each array may end in `:out=y.npy`, written after the launch.
MlirLogicalResult addKernelMain(MlirModule module, MlirOperation kernel, const char *const *specs,
                                size_t count);

/// The options of benchmarks; its input is a BenchSettings.
extern const struct argp benchArgp;
void benchSettingsDestroy(BenchSettings *settings);

/// --bench and --resources: true for success.
bool runBench(MlirModule module, const RunOptions *options, TileCache *cache);
bool printResources(TileProgram *program, const RunOptions *options);

/// Prints what is to be known of the device; false after an error.
bool printDeviceInfo(void);

/// Opens the cache that the environment names into `*cache` (NULL: caching is off); false after an
/// error.
bool openCache(TileCache **cache);
/// Whether the cache can be read, or written; an error says so where not.
bool expectCache(TileCache *cache, bool writable);

/// Runs the file, or tunes it as a worker where `tune` is not NULL; true for success.
bool runFile(const RunOptions *options, TileCache *cache, const TileTuneOptions *tune);

/// --tune (with --bench: at each of its points, before they are measured), --tune-show,
/// --tune-export, --tune-import: true for success.
bool tune(const RunOptions *options);
bool showTuned(TileCache *cache);
bool exportTuned(TileCache *cache, const char *path);
bool importTuned(TileCache *cache, const char *path);

/// --cache-stat and --cache-clear: true for success.
bool printCacheStat(TileCache *cache);
bool clearCache(TileCache *cache);

/// Writes a blob to a file, whole or not at all, or to stdout (`path` NULL or "-"); false after an
/// error.
bool writeOutput(const char *path, const TileBlob *blob);

#endif // TILE_TOOLS_TILE_RUN_H
