//===- ProgramImpl.h - what the files of the program level share ----------===//
//
//   Program.c Call.c Grid.c LaunchCode.c Time.c
//              a file's kernels and where they run; launches: by an embedder, over which grid, by
//              the host program, again and timed
//   Compile/   a kernel with what is known of a launch, through the passes; its machine code, kept
//              between runs; its stages and what it takes of a GPU, for a reader
//   Host/      the host program, what it calls, and @main's arguments; names for profilers
//   Tune/      which meta-parameters a launch takes, and finding better ones
//   Check/     runs in which every access is tested
//
//===----------------------------------------------------------------------===//
#ifndef TILE_SESSION_IMPL_H
#define TILE_SESSION_IMPL_H

#include "mlir-c/Pass.h"
#include "tile/Conversion/HostToLLVM.h"
#include "tile/Facts.h"
#include "tile/IR.h"
#include "tile/Runtime/Cache.h"
#include "tile/Runtime/Check.h"
#include "tile/Runtime/LaunchLog.h"
#include "tile/Session/Kernels.h"
#include "tile/Session/Program.h"
#include "tile/Support/Hash.h"
#include "tile/Target/Registers.h"
#include <setjmp.h>

/// What one argument of a kernel is.
typedef struct TileParameter {
  /// An array; else an integer or float of `type`.
  bool isPointer, isInteger;
  TileElementType type;
} TileParameter;

typedef struct TileProgramKernel {
  MlirStringRef name;
  MlirOperation func;
  unsigned count;
  TileParameter *parameters;
  /// Arguments it may write through (bit i); all past the 64th.
  uint64_t written;
  /// With helpers that have dots: the kernel with these inlined, for the model; else NULL.
  struct TileWhole *whole;
  /// It has dots, or calls a helper in a module whose helpers have some.
  bool multiplies;
  /// It has none, but loops.
  bool streams;
  /// Of elements of 64 bits.
  bool isWide;
  /// Both operands of a dot have elements of 8 bits.
  bool multipliesBytes;
  /// The integer argument that a loop of its dots goes up to, by arithmetic with constants; -1:
  /// none.
  int length;
  /// Without dots, the integer argument that a loop over what its programs share goes up to; -1:
  /// none.
  int shared;
  /// Its grid follows from tile.key arguments alone.
  bool isKeyed;
  /// Compilations of it that --dump-dir wrote out.
  unsigned dumps;
  /// What tuning found for it, on this device.
  TileTunedList tuned;
  /// What the model chose, by key, and the configurations among it; NULL before the first choice.
  struct TilePick *picks, *picked;
  /// The choice for the last tileProgramCall; NULL before the first.
  struct TileLaunchSite *calls;
} TileProgramKernel;

/// What the numbers of a checked kernel's sites mean (Checker.c).
typedef struct TileProgramSites TileProgramSites;
typedef struct TileProgramChecker TileProgramChecker;

/// One kernel compiled for one set of facts.
typedef struct TileSpecialization {
  /// "kernel facts", by which it is found.
  char *key;
  TileProgramKernel *kernel;
  /// What it was compiled for, bindings of the command line and of the configuration among them.
  TileFacts facts;
  /// The configuration of the launch that it was compiled for.
  char *config;
  TileModule *module;
  TileKernel *gpu;
  TileLauncher *launcher;
  TileJit *jit;
  TileCpuKernel cpu;
  /// Not NULL for checked code; the program's checker owns it.
  TileProgramSites *sites;
  int threads, sharedBytes;
  /// It prints or asserts: a launch is followed by tileProgramFlush.
  bool speaks;
  TileModuleConsole *console; ///< on a device
  UT_hash_handle hh;
} TileSpecialization;

/// What one tile_host.launch needs each time, made at its first: launching again allocates nothing
/// and looks nothing up by name.
typedef struct TileLaunchSite {
  TileProgramKernel *kernel;
  /// The kernel's name, shortened if it is very long.
  char name[64];
  /// The code of the last launch, its grid and its facts.
  TileSpecialization *code;
  int32_t grid[3];
  TileFacts facts;
  /// Room for the facts and the arguments of this launch.
  TileFacts newFacts;
  uint64_t *placed;
  /// The arguments of the last launch as the host gave them, the array of each (NULL for integers
  /// and floats), and tileArrayGetGeneration() then; 0 before the first.
  uint64_t *slots;
  TileArray **arrays;
  uint64_t generation;
  /// The record of the last launch.
  size_t record;
  /// The configuration of this launch and that of `code`: "BM=64,num_warps=4", "" for the defaults.
  const char *config, *codeConfig;
  /// What the launch itself binds, by position, and as a text that goes before `config`; NULL where
  /// it binds nothing.
  int64_t *bound;
  char *boundConfig;
  /// The last answer of tileHostConfigure.
  bool again;
  /// Key arguments of the last choice, and whether there was one.
  int64_t *key;
  bool chosen;
} TileLaunchSite;

/// One launch, to be run again for timing.
typedef struct TileProgramRecord {
  TileSpecialization *code;
  uint64_t *slots;
  /// The array of each argument, NULL for integers and floats.
  TileArray **arrays;
  char *arguments;
  int32_t grid[3];
  int64_t operations, bytes;
  size_t times;
  MlirLocation loc;
} TileProgramRecord;

/// A host loop may launch a million times with other numbers: so many of them are told apart.
enum { TILE_PROGRAM_MAX_RECORDS = 64 };

struct TileProgram {
  MlirModule module;
  MlirContext context;
  MlirLocation loc;
  TileProgramOptions options;
  TileChildEnd childEnd; ///< of the code that was made last
  /// What code that was assembled last takes of a thread, and bytes that are spilled, if these are
  /// to be spoken of.
  TileRegisterUse use;
  int spilled;
  bool mayLowerAgain; ///< who assembles does not speak of them

  TileProgramKernel *kernels;
  size_t numKernels;
  /// The host ops by number.
  MlirOperation *sites;
  int64_t numSites;
  /// As many; those of tile_host.launch are used.
  TileLaunchSite *launches;

  bool opened;
  /// The program's own, unless it was lent.
  TileDevice *device;
  bool deviceIsLent;
  const TileMachine *arch;
  TileExecutor *executor;
  /// Not NULL when the run is checked or traced; the executor is then the program's own.
  TileProgramChecker *checker;
  char deviceName[160];
  char *cpuReason;

  TileSpecialization *code;
  /// What code is compiled for, for the cache's keys; made at the first use.
  char *cpuTarget, *gpuTarget;
  TileConsole *console;
  TileArray **arrays;
  size_t numArrays, capacityArrays;
  TileProgramRecord records[TILE_PROGRAM_MAX_RECORDS];
  size_t numRecords;
  /// There were more.
  bool hasMoreRecords;
  TileProgramChecks checks;
  bool outOfMemory;
  /// A test of its host code has failed, and was reported.
  bool failedCheck;
  /// What the lowerings left on the kernel that was last emitted, as TileCode.launch.
  MlirAttribute emitted;
  /// The host program, compiled at its first full run.
  TileJit *host;

  /// Where a host function that fails goes back to, and the op it is in.
  jmp_buf escape;
  MlirLocation place;
  /// Host code asks for configurations: there are some, or they are to be found.
  bool configures;
  /// What they ask for may be what tuning found.
  bool mayBeTuned;
  /// What tuning found has been read.
  bool knowsTuned;
  /// The tuning of the launch under way.
  struct TileTuning *tuning;
  /// Not null while a run only looks for the facts of this kernel's first launch.
  const TileProgramKernel *wanted;
  /// Which are to be those of a launch on the CPU.
  bool wantedForCpu;
  /// The last run ended with an error.
  bool failed;
  /// There was such a launch: what is known of it, and its configuration.
  bool observed;
  TileFacts facts;
  char *config;
};

//===- the module: Program.c, Arguments.c ---------------------------------===//

/// The kernel called `name`; NULL when there is none.
TileProgramKernel *tileProgramFindKernel(TileProgram *p, MlirStringRef name);
/// A func.func of the module by name; null when there is none.
MlirOperation tileProgramFindFunction(const TileProgram *p, const char *name);
/// Text of @main's arguments as slots of 8 bytes, the caller's to free.
MlirLogicalResult tileProgramParseArguments(TileProgram *p, const char *const *arguments,
                                            size_t count, uint64_t **slots);
/// Reports the error at `loc` and empties it; always failure.
MlirLogicalResult tileProgramReport(MlirLocation loc, TileError *error);

//===- kernels: Grid.c, LaunchFacts.c, CompileKernel.c, KernelCode.c, EmitStage.c -------------===//

/// Sets what is known of a launch with `slots` over `grid` (NULL: not known), but for bindings. A
/// record that was used for the kernel before has room.
void tileProgramFindFacts(const TileProgram *p, const TileProgramKernel *kernel,
                          const uint64_t *slots, const int32_t grid[3], TileFacts *facts);
/// Sets what is assumed of a launch that nobody makes: arrays are aligned.
void tileProgramAssumeFacts(const TileProgramKernel *kernel, TileFacts *facts);
/// Adds what the command line binds, and then this configuration ("" for none).
MlirLogicalResult tileProgramBindFacts(const TileProgram *p, const char *config, TileFacts *facts);
/// Those of the device, or of the GPU that facts are wanted for; 0 on the CPU.
int tileProgramGetMultiprocessors(const TileProgram *p);
/// What the kernel's tile.grid yields with `slots` and this configuration ("" for none). False
/// where it is more than integer arithmetic, or less than 0, and `*at` is the op.
bool tileProgramEvaluateGrid(const TileProgram *p, const TileProgramKernel *kernel,
                             const char *config, const uint64_t *slots, int32_t grid[3],
                             MlirOperation *at);
/// The first division in a kernel's grid that is rounded down at this launch: of `*number`, which
/// is no sum (n + block - 1 rounds up), by `*by`. False where there is none.
bool tileProgramFindRounding(const TileProgram *p, const TileProgramKernel *kernel,
                             const char *config, const uint64_t *slots, MlirOperation *division,
                             int32_t *number, int32_t *by);
/// The same; fails after a diagnostic.
MlirLogicalResult tileProgramFindGrid(const TileProgram *p, const TileProgramKernel *kernel,
                                      const char *config, const uint64_t *slots, int32_t grid[3]);
/// The values of three numbers of a kernel, each from 0 to 2^31 - 1, that follow from its tile.key
/// arguments, its meta-parameters and the numbers of one program by integer arithmetic; false where
/// one does not.
bool tileProgramEvaluate(const TileProgram *p, const TileProgramKernel *kernel, const char *config,
                         const uint64_t *slots, const int32_t program[3], const MlirValue values[3],
                         int32_t results[3]);
/// Bytes of all arrays, as the kernel's tile.cost has them; 0 where it says nothing, or no number
/// below 2^31.
double tileProgramFindBytes(const TileProgram *p, const TileProgramKernel *kernel,
                            const char *config, const uint64_t *slots);
/// Does the kernel's grid follow from tile.key arguments alone?
bool tileProgramGridIsKeyed(const TileProgramKernel *kernel);
/// What GPU code is compiled for: --arch, or the device's architecture, or the module's target, or
/// sm_90a.
const TileMachine *tileProgramGetArch(const TileProgram *p);
/// Adds passes to a module's manager, as text; an error names them all.
MlirLogicalResult tileProgramAddPasses(const TileProgram *p, MlirOpPassManager pm,
                                       const char *passes);
/// Leaves verification to tile's own passes, each of what it made (dialect/Glue/TilePasses.cpp),
/// and to the caller, once at the end: after every pass, as tile-opt does it, it is a fifth of a
/// compilation.
void tileProgramVerifyOnce(MlirPassManager passes);
/// The code for these facts and this configuration ("" for none), compiled now if it is new. NULL
/// after a diagnostic.
TileSpecialization *tileProgramGetCode(TileProgram *p, TileProgramKernel *kernel,
                                       const TileFacts *facts, const char *config);
void tileSpecializationDestroy(TileSpecialization *s);

/// Emits `stage` of the kernel for these facts and this configuration.
MlirLogicalResult tileProgramEmitKernel(TileProgram *p, const TileProgramKernel *kernel,
                                        const TileFacts *facts, const char *config, TileEmit stage,
                                        TileBlob *blob);

//===- machine code and the cache: CodeCache.c ----------------------------===//

/// Machine code and what else a launch has to know of it.
typedef struct TileCode {
  TileCacheKind kind;
  /// Of GPU code that is compiled without a device: PTX or CUBIN; else 0.
  TileEmit without;
  /// For TILE_CACHE_OBJECT: how LLVM was run.
  TileHostPasses effort;
  TileCacheKey key;
  /// The `tile.` and `tile_gpu.` attributes that the lowerings left on the kernel, a dictionary.
  MlirAttribute launch;
  TileBlob binary;
} TileCode;

/// The `tile.` and `tile_gpu.` attributes of functions and modules in `op`, as one dictionary.
MlirAttribute tileProgramCollectLaunch(MlirOperation op);
/// An integer of them, or `otherwise`.
int64_t tileProgramGetLaunchInt(const TileCode *code, const char *name, int64_t otherwise);

/// Looks in the cache for what `passes`, and code generation for `code->kind` after them, make of
/// `module`. Sets the key in any case; true when there is such code. The module is the caller's
/// still, and unchanged.
bool tileProgramFindCode(TileProgram *p, MlirModule module, MlirPassManager passes, TileCode *code);
/// Stores what tileProgramFindCode did not find.
void tileProgramKeepCode(TileProgram *p, const TileCode *code);
/// Of all that decides what becomes of PTX: for `device`, which is the program's, or for a reader.
TileCacheKey tileProgramHashPtx(TileProgram *p, const TileDevice *device, const TileBlob *ptx,
                                int sharedBytes);

//===- dumps and edited stages: Stages.c ----------------------------------===//

/// The compilation of one kernel, stage by stage.
typedef struct TileStages TileStages;

/// Whether stages are to be written out or replaced: then code is compiled whatever the cache has,
/// and not kept.
bool tileStagesAreWanted(const TileProgram *p);
/// NULL into `*stages` where none are wanted; the functions below then do nothing.
MlirLogicalResult tileStagesCreate(TileProgram *p, const TileProgramKernel *kernel,
                                   TileStages **stages);
/// Runs the passes one at a time. `*module` is replaced where a stage is. `stages` is not NULL.
MlirLogicalResult tileStagesRunPasses(TileStages *stages, MlirModule *module,
                                      MlirPassManager passes);
/// Writes a stage out, or puts the edited one in its place.
MlirLogicalResult tileStagesVisit(TileStages *stages, const char *name, const char *extension,
                                  TileBlob *blob);
/// Writes out what nothing follows from.
MlirLogicalResult tileStagesShow(TileStages *stages, const char *name, const char *extension,
                                 const TileBlob *blob);
/// Frees it; the result, or failure where an override has found no stage.
MlirLogicalResult tileStagesFinish(TileStages *stages, MlirLogicalResult result);

//===- launches: LaunchCode.c, RunHost.c ----------------------------------===//

/// The array of each argument; NULL for integers and floats.
bool tileProgramFindArrays(const TileProgramKernel *kernel, const uint64_t *slots,
                           TileArray **arrays, TileError *error);
/// Host addresses in `slots` to what the kernel takes, with the data brought to where it runs; and
/// after the launch: that the kernel has written.
bool tileProgramPlaceArguments(TileProgram *p, const TileProgramKernel *kernel,
                               TileArray *const *arrays, uint64_t *slots, TileError *error);
void tileProgramMarkArguments(TileProgram *p, const TileProgramKernel *kernel,
                              TileArray *const *arrays);

/// What the lowerings said, as a launcher wants it; to be freed by tileLaunchFactsDestroy.
TileLaunchFacts tileCodeReadLaunch(const TileCode *code, unsigned arguments);
void tileLaunchFactsDestroy(TileLaunchFacts *facts);

/// Sets s->launcher, threads and sharedBytes from what the lowerings said of s->gpu.
bool tileProgramMakeLauncher(TileSpecialization *s, const TileCode *code, TileError *error);

/// Runs code over a grid with slots as the host packed them, and waits for nothing. False with a
/// message.
bool tileProgramLaunchCode(TileProgram *p, const TileSpecialization *code, const uint64_t *slots,
                           const int32_t grid[3], TileError *error);

/// After a launch of code that speaks: waits for it, prints what it printed, and reports the assert
/// that failed in it, if one did.
MlirLogicalResult tileProgramFlush(TileProgram *p, const TileSpecialization *code,
                                   const int32_t grid[3]);

/// Compiles the host program and calls @main with these slots. `light`: little optimization, for
/// a run that stops early.
MlirLogicalResult tileProgramRunHost(TileProgram *p, const uint64_t *slots, bool light);

//===- configurations: Config.c, Tune.c -----------------------------------===//

/// The value that "A=1,B=2" gives to `name`; false where it gives none.
bool tileConfigGet(const char *config, MlirStringRef name, int64_t *value);
/// "A=3,B=2" of "A=1,B=2" and the launch's own "A=3" (NULL: none), to be freed.
char *tileConfigJoin(const char *config, const char *bound);

/// Has tuning, on whatever device, found something for one of the program's kernels? Bindings of
/// the command line go before it.
bool tileProgramMayBeTuned(TileProgram *p);
/// May a model choose a configuration for one of the kernels?
bool tileProgramMayChoose(const TileProgram *p);
/// Reads what it found on this device, once. Where code was made before, it asks for configurations
/// only if there were some to be found.
void tileProgramLoadTuned(TileProgram *p);
/// The texts by which results of this kernel are found.
typedef struct TileTunedIdentity {
  char kernel[128], code[40], types[1024], device[160];
} TileTunedIdentity;
void tileProgramIdentify(TileProgram *p, const TileProgramKernel *kernel,
                         TileTunedIdentity *identity);
/// The kernel's tile.key arguments as "512, 64"; "" where it has none.
void tileProgramPrintKey(const TileProgramKernel *kernel, const uint64_t *slots, char *text,
                         size_t size);
/// The configuration for a launch: that of its key, or of the nearest one, or what a model expects
/// to be faster, or "".
const char *tileProgramChooseConfig(TileProgram *p, TileLaunchSite *here, const uint64_t *slots);
/// May a model choose configurations for launches of the kernel on a GPU, for whose keys nothing
/// was tuned? Where the command line binds what configurations differ in, and in runs that tune or
/// check, it does not.
bool tileProgramMayPick(const TileProgram *p, const TileProgramKernel *kernel);
/// The configuration that the model expects to be fastest for a launch, on what the program runs on
/// or compiles for; "" for the kernel's defaults. `bound` is what the launch binds itself, or NULL;
/// `known` what was tuned for the nearest key, or NULL. The kernel's until tileProgramForgetPicks.
const char *tileProgramPick(TileProgram *p, TileProgramKernel *kernel, const uint64_t *slots,
                            const char *bound, const TileTuned *known);
void tileProgramForgetPicks(TileProgramKernel *kernel);
/// Room for a kernel with its helpers inlined, which the model makes when it looks at it first.
struct TileWhole *tileWholeCreate(void);
/// NULL is allowed.
void tileWholeDestroy(struct TileWhole *whole);
/// The launch binds the entry at this position of its meta {..}; false with a message.
bool tileProgramBind(TileLaunchSite *here, MlirOperation launch, int64_t position, int64_t value,
                     TileError *error);
/// The value of meta-parameter `number` in the site's configuration.
int64_t tileProgramGetMeta(const TileLaunchSite *here, int64_t number);

/// Checks the tuning options against the kernels.
MlirLogicalResult tileTuneCheck(TileProgram *p);
/// tileHostConfigure of a program that is tuned: 1 for the next candidate or the winner, 0 for no
/// more, -1 after a diagnostic.
int tileTuningChoose(TileProgram *p, TileLaunchSite *here, const uint64_t *slots);
/// Tries the candidate that was chosen, with its grid; false where this launch is no trial.
/// `operations` and `bytes` are what tile.cost says.
bool tileTuningTry(TileProgram *p, TileLaunchSite *here, const uint64_t *slots,
                   const int32_t grid[3], int64_t operations, int64_t bytes);
void tileTuningDestroy(TileProgram *p);

//===- checked runs: Checker.c --------------------------------------------===//

/// Makes the checker if the options ask for one.
void tileProgramCreateChecker(TileProgram *p);
void tileProgramDestroyChecker(TileProgram *p);
/// What `lowered` says of its sites, kept until the checker is destroyed; NULL without a checker.
TileProgramSites *tileProgramReadSites(TileProgram *p, TileProgramKernel *kernel,
                                       MlirModule lowered);
/// The host has written the array.
void tileProgramMarkWritten(TileProgram *p, TileArray *array);
/// The host program's op `site` uses `view`, elements of an array, as results: its first operand,
/// or `operand`.
void tileProgramCheckHostRead(TileProgram *p, int64_t site, int operand, const TileArray *view);
/// All arrays are about to be destroyed.
void tileProgramForgetArrays(TileProgram *p);
/// A launch of checked code begins; what goes into the slot after the arguments.
/// `config` is the launch's.
uint64_t tileProgramBeginCheckedLaunch(TileProgram *p, TileProgramSites *sites, const char *config,
                                       const uint64_t *slots, const int32_t grid[3]);
/// What checked code calls; static.
const TileJitSymbol *tileProgramGetCheckSymbols(size_t *count);

#endif // TILE_SESSION_IMPL_H
