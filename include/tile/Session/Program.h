//===- Program.h - a .mlir file that compiles itself as it runs -----------===//
//
// A program is a module with kernels (tile.func) and, to run it, a host program (func.func @main).
//
//   module --> tileProgramCreate --+-- tileProgramRun ------> @main in this process
//                                  |     tile_host.launch: the kernel, specialized for what is
//                                  known of |     these arguments, compiled at its first use, then
//                                  cached
//                                  +-- tileProgramEmit -----> one stage of one kernel, as bytes
//                                  +-- tileProgramTime -----> each launch of the run again, timed
//
// What is known of a launch are its *facts* (tile/Facts.h): pointers on 16-byte boundaries, the
// largest of 2, 4, 8, 16 and 256 that divides an integer, integers that equal 1; and of a grid
// whether the GPU has a multiprocessor, or two, for each program. Launches with equal facts share
// code. Arrays live where they were last used: a chain of launches never moves data, and host code
// moves only what it touches.
//
// Failures are MLIR diagnostics at the op that asked: the tile_host.launch, the kernel,
// tile_host.read, and so on. The module is borrowed, stays as it is (but for numbers in
// `tile_host.site` attributes), and outlives the program. One thread at a time runs a program;
// several programs are independent.
//===----------------------------------------------------------------------===//
#ifndef TILE_PROGRAM_H
#define TILE_PROGRAM_H

#include "mlir-c/IR.h"
#include "tile/Facts.h"
#include "tile/Runtime.h"
#include "tile/Session/Assembled.h"
#include "tile/Session/Tune.h"
#include "tile/Support/Child.h"
#include "tile/Target/Resources.h"
#include "tile/Target/Target.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileProgramTarget {
  /// The GPU if there is one, else the CPU.
  TILE_PROGRAM_AUTO,
  TILE_PROGRAM_GPU,
  TILE_PROGRAM_CPU,
} TileProgramTarget;

typedef struct TileProgramOptions {
  TileProgramTarget target;
  /// What to compile for; NULL: the device there is, or, where there is none, the module's target
  /// (tile.target), or sm_90a. The device must be able to run it.
  const TileMachine *arch;
  /// "NAME=VALUE": meta-parameters over the kernels' defaults. Borrowed.
  const char *const *bind;
  size_t numBind;
  /// Where compiled code is kept between runs; NULL for nowhere. Borrowed.
  TileCache *cache;
  /// Of programs that compile the same kernels for other launches; NULL: it has none. Borrowed.
  TileAssembled *assembled;
  /// Run on the CPU, one program after the other, and test what programs do (tile/Runtime/Check.h).
  /// What is found is reported where it happens, as diagnostics, the first `checkLimit` (0: 10).
  bool check;
  unsigned checkLimit;
  /// Run on the CPU and print the values of program `traced` (x, y, z) of every launch to stdout.
  bool traces;
  int32_t traced[3];
  /// A folder (made if it is missing) for every stage of every kernel that is compiled, or NULL.
  const char *dumpDir;
  /// Where a kernel is left with its passes, for `tile-opt --run-reproducer`, if one of them fails
  /// or ends the process; NULL: nowhere. The file is not there after kernels that compile.
  const char *reproducer;
  /// Run the passes whatever the cache has: somebody listens to what they remark.
  bool runsPasses;
  /// "STAGE=FILE" or "KERNEL/STAGE=FILE": files to go on from in place of stages, which are called
  /// as their files in `dumpDir` are. Borrowed.
  const char *const *overrides;
  size_t numOverrides;
  /// Tune kernels as they are launched (tile/Session/Tune.h), or NULL. Borrowed.
  const TileTuneOptions *tune;
  /// Where kernels print to; NULL: stdout. Borrowed.
  FILE *console;
  /// Code is made in child processes with these limits, but for what is dumped or checked; NULL: in
  /// this one. Borrowed.
  const TileChildLimits *apart;
  /// Called when an automatic choice falls on the CPU, with the reason; NULL for nobody.
  void (*onCpu)(const char *reason);
} TileProgramOptions;

typedef struct TileProgram TileProgram;

/// Checks the options against the module and numbers its host ops; compiles nothing. NULL after a
/// diagnostic. `options` may be NULL; it and what it points at are borrowed until Destroy.
TileProgram *tileProgramCreate(MlirModule module, const TileProgramOptions *options);
/// Frees code, arrays and the device. NULL is allowed.
void tileProgramDestroy(TileProgram *program);

//===- running ------------------------------------------------------------===//

/// Finds the device (or settles for the CPU), which tileProgramRun otherwise does when something
/// needs it. `*reason`, where not NULL, is set to why an automatic choice fell on the CPU,
/// borrowed, or NULL.
MlirLogicalResult tileProgramOpen(TileProgram *program, const char **reason);

/// The same with a device of the caller's, which outlives the program. Fails where the device
/// cannot run what the options say.
MlirLogicalResult tileProgramOpenOn(TileProgram *program, TileDevice *device);

/// Where launches run: the device's name, or "cpu (N threads)". Borrowed. After Open or Run.
const char *tileProgramGetDeviceName(const TileProgram *program);

/// Compiles and runs @main; the device is opened at its first launch, so that what stands in front
/// of that can run beside a driver that another thread initialises. `arguments` are as text; one
/// value stands for all parameters, and parameters with a `tile_host.default` may be left out at
/// the end. Fails where the program does: a check, a missing file, a kernel that asks for too much,
/// or a result of @main other than 0.
MlirLogicalResult tileProgramRun(TileProgram *program, const char *const *arguments, size_t count);

/// @main, or a null op when there is none.
MlirOperation tileProgramGetMain(const TileProgram *program);

/// The device that launches go to, borrowed; NULL for the CPU. After Open or Run.
TileDevice *tileProgramGetDevice(const TileProgram *program);

/// Did the last run, or the last measurement, fail because memory ran out?
bool tileProgramRanOutOfMemory(const TileProgram *program);

/// Forgets the arrays, the launches and the checks of the runs so far; compiled code stays.
void tileProgramReset(TileProgram *program);

/// The largest differences that the run's tile_host.expect_close saw, all within their bounds.
typedef struct TileProgramChecks {
  size_t count;
  double maxAbsError, frobeniusError;
} TileProgramChecks;
TileProgramChecks tileProgramGetChecks(const TileProgram *program);

/// What a checked run found; an element that is never written is a warning.
typedef struct TileProgramFindings {
  uint64_t errors, warnings;
} TileProgramFindings;

/// After the run, failed or not: reports what only its end shows and prints a summary to `stream`.
TileProgramFindings tileProgramFinishCheck(TileProgram *program, FILE *stream);

//===- calls --------------------------------------------------------------===//

/// Launches `kernel` once over its tile.grid, on data of the caller's: one 8-byte slot an argument,
/// integers and floats in the low bytes, pointers as addresses on the device (or in this process,
/// where launches run on the CPU). Waits only for a kernel that prints or asserts; `stream` NULL is
/// the device's own. Opens the program if it is not. The grid's body must be integer arithmetic
/// without control flow.
MlirLogicalResult tileProgramCall(TileProgram *program, MlirStringRef kernel, const uint64_t *slots,
                                  size_t count, TileStream *stream);

//===- launches that look nothing up --------------------------------------===//
//
// A caller that launches often finds facts and grid by itself (tile/Runtime/FactCode.h,
// GridForm.h), and keeps the code that it has for them.

/// What a kernel's facts depend on, where the program is open.
typedef struct TileLaunchRule {
  uint32_t whole, sector;  ///< as tileFactOfInteger has them
  int64_t room, many;      ///< as tileFactOfGrid has them
  int64_t least;           ///< as tileFactOfLength has it
  int64_t multiprocessors; ///< as tileFactOfPrograms has them
  int32_t length;          ///< the argument, an integer, that it has the value of; -1: none
  int32_t shared;          ///< the one that tileFactOfShared is asked of; -1: none
} TileLaunchRule;
TileLaunchRule tileProgramGetLaunchRule(TileProgram *program, MlirStringRef kernel);

/// Code that a launch runs; the program's.
typedef struct TileLaunchCode {
  TileLauncher *launcher; ///< on a device
  TileCpuKernel cpu;      ///< on the CPU
  /// It prints or asserts: a launch is one of tileProgramLaunchLoudly.
  bool speaks;
  const void *code;
} TileLaunchCode;

/// Code for launches with these facts, a byte an argument and what tileFactOfGrid says, and this
/// configuration ("" for none): what the program has, or the cache, or compiled now. The program is
/// open. Fails after a diagnostic.
MlirLogicalResult tileProgramSpecialize(TileProgram *program, MlirStringRef kernel,
                                        const uint8_t *codes, int wave, const char *config,
                                        TileLaunchCode *result);

/// Launches code that speaks, waits for it, and prints what it said to the options' console; fails
/// where an assert did, after a diagnostic at that. On `stream`, as tileLauncherRunOn has it.
MlirLogicalResult tileProgramLaunchLoudly(TileProgram *program, const TileLaunchCode *code,
                                          const uint64_t *slots, const int32_t grid[3],
                                          void *stream);

/// Runs a launch of a program that checks (its options say so), and reports what it finds: `arrays`
/// has one for each pointer, `isEmpty` says which of them hold nothing yet, and `slots`, with room
/// for one more, have their addresses on the host. Fails where it cannot be run.
MlirLogicalResult tileProgramCheckLaunch(TileProgram *program, MlirStringRef kernel,
                                         const char *config, TileArray *const *arrays,
                                         const bool *isEmpty, uint64_t *slots,
                                         const int32_t grid[3], TileProgramFindings *findings);

/// The configuration that tuning found for a launch with these arguments, or the nearest one; where
/// it found none for the kernel, what a model of the machine chooses, or "". Borrowed from the
/// program until it is told of more. And whether it found any, or the model may choose.
const char *tileProgramFindTuned(TileProgram *program, MlirStringRef kernel, const uint64_t *slots);
bool tileProgramIsTuned(TileProgram *program, MlirStringRef kernel);
bool tileProgramPicks(TileProgram *program, MlirStringRef kernel);

//===- tuning in this process ---------------------------------------------===//

/// A launch to be tuned.
typedef struct TileTuneCall {
  MlirStringRef kernel;
  /// As of tileProgramCall.
  const uint64_t *slots;
  /// NULL: the kernel's own, for each candidate.
  const int32_t *grid;
  /// Of the array behind each argument, a multiple of its elements'; NULL: not known, and what
  /// candidates write is neither compared nor taken back. 0 stands for this, too.
  const size_t *bytes;
  /// Candidates or spaces, and the budget; without any, the kernel's configs.
  const TileTuneOptions *options;
  /// After so many no candidate begins, but for the first; 0: no limit.
  double seconds;
} TileTuneCall;

/// Finds the fastest configuration into `task`, which is all zero before. Memory is afterwards as
/// it was. Fails after a diagnostic where no candidate works, or one has cost the device's context;
/// the trials are there all the same.
MlirLogicalResult tileProgramTune(TileProgram *program, const TileTuneCall *call,
                                  TileTuneTask *task);
/// What a task found, as the cache keeps it, but for when it was made; its texts are the task's.
TileTuned tileTuneTaskGetWinner(const TileTuneTask *task);
/// Lets later launches have what a task found, those of this program and, by the cache, of others.
/// False with a message where the cache takes nothing: this program knows it all the same.
bool tileProgramKeepTuned(TileProgram *program, const TileTuneTask *task, TileError *error);
/// What the cache has of this kernel, on any device; the caller destroys the list.
void tileProgramListTuned(TileProgram *program, MlirStringRef kernel, TileTunedList *list);
/// Reads again what the cache has; programs do once by themselves.
void tileProgramRefreshTuned(TileProgram *program);

//===- launches and their times -------------------------------------------===//

/// One launch that the run made; equal ones are counted once, and beyond 64 that differ, as a
/// remark tells, none.
typedef struct TileProgramLaunch {
  /// The kernel's name, borrowed.
  MlirStringRef kernel;
  /// Its integer and float arguments, as "512, 512, 1"; borrowed.
  const char *arguments;
  /// What the launch binds and tuning found: "BM=64,num_warps=4", or ""; borrowed.
  const char *config;
  /// What its code was compiled for, that configuration and the command line's bindings included;
  /// borrowed.
  const TileFacts *facts;
  int32_t grid[3];
  /// What tile.cost says of it, or 0.
  int64_t operations, bytes;
  size_t times;
  /// On a GPU, of a thread and a block; else 0.
  int registers, localBytes, sharedBytes, threads, blocksPerMultiprocessor;
} TileProgramLaunch;

size_t tileProgramGetNumLaunches(const TileProgram *program);
TileProgramLaunch tileProgramGetLaunch(const TileProgram *program, size_t index);

/// The array that a launch got for pointer argument `argument`, borrowed until Reset; NULL for any
/// other argument and past the last.
TileArray *tileProgramGetLaunchArray(const TileProgram *program, size_t index, unsigned argument);
/// Whether the kernel of a launch may write through argument `argument`.
bool tileProgramLaunchWrites(const TileProgram *program, size_t index, unsigned argument);

/// Runs launch `index` again and again with the data that the run left, and measures it as
/// tile/Runtime/Timing.h says. `options` may be NULL; samples are appended to `timing`, which the
/// caller destroys.
MlirLogicalResult tileProgramMeasure(TileProgram *program, size_t index,
                                     const TileTimingOptions *options, TileTiming *timing);

/// The same in one: `repeat` times (0: as Timing.h chooses), and the statistics of the seconds each
/// took on the device.
MlirLogicalResult tileProgramTime(TileProgram *program, size_t index, unsigned repeat,
                                  TileStatistics *seconds);

//===- looking at stages --------------------------------------------------===//

typedef enum TileEmit {
  /// Specialized, still tiles.
  TILE_EMIT_TILE,
  /// With layouts and shared memory.
  TILE_EMIT_LAYOUTS,
  /// The llvm and nvvm dialects.
  TILE_EMIT_NVVM,
  TILE_EMIT_LLVM,
  TILE_EMIT_PTX,
  TILE_EMIT_CUBIN,
  /// The GPU's own instructions, as nvdisasm or cuobjdump lists them.
  TILE_EMIT_SASS,
  /// The CPU's assembly, and an object file for it.
  TILE_EMIT_ASM,
  TILE_EMIT_OBJECT,
} TileEmit;

/// Emits one stage of `kernel` (an empty name: the only one there is). Its facts are those of its
/// first launch in a run of @main with `arguments` (that run stops there), on a GPU as it comes
/// with the architecture (TileMachine.multiprocessors) where none was opened, or, with `arguments`
/// NULL, that pointers are aligned as arrays are and nothing else. TILE_EMIT_TILE and
/// TILE_EMIT_LLVM follow the options' target: of device code unless that is the CPU. A module
/// without kernels is taken as lowered already, to the llvm and nvvm dialects, for the stages from
/// TILE_EMIT_LLVM on.
MlirLogicalResult tileProgramEmit(TileProgram *program, MlirStringRef kernel, TileEmit stage,
                                  const char *const *arguments, size_t count, TileBlob *blob);

/// Code of one kernel to be taken elsewhere, with what a launch has to know of it.
typedef struct TileCompiled {
  TileBlob code;
  /// Warps that hold tiles.
  unsigned numWarps;
  /// What tile/Runtime/Launcher.h wants; the texts of maps are its own.
  TileLaunchFacts launch;
  /// It prints or asserts.
  bool speaks;
  bool wasCached;
} TileCompiled;

void tileCompiledDestroy(TileCompiled *compiled);

/// Checks that all of a configuration, "BM=64,num_warps=4", is of this kernel's.
MlirLogicalResult tileProgramCheckConfig(TileProgram *program, MlirStringRef kernel,
                                         const char *config);

/// Compiles `kernel` for launches of these facts, which have no bindings, and this configuration
/// ("" for none), to `stage`; PTX, cubins and objects for the CPU are kept in the cache. For the
/// CPU where the stage is of the CPU or the options' target is. Nothing is opened.
MlirLogicalResult tileProgramCompile(TileProgram *program, MlirStringRef kernel,
                                     const TileFacts *facts, const char *config, TileEmit stage,
                                     TileCompiled *compiled);

/// What GPU code is compiled for: the options' machine, or the device's, or the module's.
const TileMachine *tileProgramGetMachine(const TileProgram *program);

/// Loads an object that tileProgramCompile made of `kernel` on a machine like this one; NULL after
/// a diagnostic.
TileJit *tileProgramLoadObject(TileProgram *program, MlirStringRef kernel, const TileBlob *object);

/// What the kernel's tile.grid computes with this configuration ("" for none), to be evaluated with
/// arguments as of tileProgramCall; without a tile.grid, one program. The caller destroys it. Fails
/// after a diagnostic.
MlirLogicalResult tileProgramMakeGridForm(TileProgram *program, MlirStringRef kernel,
                                          const char *config, TileGridForm *form);
void tileGridFormDestroy(TileGridForm *form);

/// How the child ended that made the last code; TILE_CHILD_DONE where there was none.
TileChildEnd tileProgramGetChildEnd(const TileProgram *program);

/// The kernels of the module, in its order; names are borrowed.
size_t tileProgramGetNumKernels(const TileProgram *program);
MlirStringRef tileProgramGetKernelName(const TileProgram *program, size_t index);

/// What `kernel`, compiled as tileProgramEmit does it, takes of a GPU; none has to be there.
MlirLogicalResult tileProgramFindResources(TileProgram *program, MlirStringRef kernel,
                                           const char *const *arguments, size_t count,
                                           TileResources *resources);

#ifdef __cplusplus
}
#endif

#endif // TILE_PROGRAM_H
