//===- Library.h - what the files of libtile share ------------------------===//
//
//   Handles.c    handles of strangers, and what they stand for
//   Messages.c   what a thread's last call has to say
//   Context.c    contexts: the cache, devices
//   Module.c     modules, and what their kernels are
//   Artifact.c   kernels compiled
//   Pool.c       threads in the background; Future.c: what they compile
//   Values.c     arguments as slots
//   Launch.c     launches, by the code that is right for them; LaunchArtifact.c: of an artifact
//   Tuning.c     which configuration is fastest for a launch
//   Check.c      launches in which every access is tested
//   Variant.c    artifacts as data, for launches without a compiler
//
// Each function of tile.h begins with tileLibBegin and ends with a status. Objects stay as long as
// somebody holds them: a module while it has a handle, or artifacts.
//
// A module has one context of MLIR's, which is one thread's at a time: its mutex is held by what
// compiles for a launch. What takes longer (tuning, checks, compilations in the background) has a
// copy of the module. What a launch of compiled code reads is never changed, but added to.
//===----------------------------------------------------------------------===//
#ifndef TILE_LIB_LIBRARY_H
#define TILE_LIB_LIBRARY_H

#include "mlir-c/Diagnostics.h"
#include "tile.h"
#include "tile/Runtime/LaunchLog.h"
#include "tile/Session/Program.h"
#include <pthread.h>

//===- handles ------------------------------------------------------------===//

typedef enum TileLibKind {
  TILE_LIB_NONE,
  TILE_LIB_CONTEXT,
  TILE_LIB_MODULE,
  TILE_LIB_KERNEL,
  TILE_LIB_ARTIFACT,
  TILE_LIB_TUNING,
  TILE_LIB_FUTURE,
} TileLibKind;

/// A handle for `object`; NULL when there is no room.
void *tileLibMakeHandle(TileLibKind kind, void *object);
/// What the handle stands for; NULL where it is none of this kind, or has been dropped.
void *tileLibFind(const void *handle, TileLibKind kind);
/// The handle stands for nothing from here on. NULL is allowed.
void tileLibDropHandle(const void *handle);

//===- messages -----------------------------------------------------------===//

/// A call begins: what this thread said is forgotten.
void tileLibBegin(void);
/// Adds an error without a place; `status`, to be returned.
tile_status tileLibFail(tile_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Adds the error and empties it; TILE_STATUS_MEMORY where it is for want of memory, else `status`.
tile_status tileLibFailWith(tile_status status, TileError *error);
/// The same with a place in the source, whose file becomes the message's.
tile_status tileLibFailAt(tile_status status, TileError *error, const TileConsolePlace *place);
/// "expected a NAME, found ..": always TILE_STATUS_HANDLE.
tile_status tileLibFailHandle(const char *name, const void *handle);
/// MLIR's diagnostics, with a TileLibContext as data.
MlirLogicalResult tileLibOnDiagnostic(MlirDiagnostic diagnostic, void *context);

/// What a thread has said, for others to say.
typedef struct TileLibMessages TileLibMessages;
/// This thread's, which has none then; NULL where there are none.
TileLibMessages *tileLibMessagesTake(void);
/// Adds copies of them to this thread's. NULL is allowed.
void tileLibMessagesRepeat(const TileLibMessages *messages);
void tileLibMessagesDestroy(TileLibMessages *messages);

//===- structs that may grow ----------------------------------------------===//
//
// Each begins with its size by the caller's header, which may be older than this (its struct ends
// earlier) or younger (with fields that are not known here).

/// A larger struct is of no header, but of a size that was never set.
enum { TILE_LIB_MAX_STRUCT = 4096 };

/// Copies the caller's struct to `to`, of `size` bytes, zeros where it has less. False, with a
/// message, where it is smaller than the first header's, of `least` bytes.
bool tileLibTake(void *to, size_t size, size_t least, const void *from, const char *name);
/// Copies a result of `size` bytes to the caller's struct, as much as that takes.
void tileLibGive(void *to, const void *from, size_t size);

//===- in the background --------------------------------------------------===//

enum { TILE_LIB_MAX_THREADS = 64 };

/// Something to do, its first member.
typedef struct TileLibJob {
  void (*run)(struct TileLibJob *job);
  /// Instead of running it: there are no threads any more.
  void (*drop)(struct TileLibJob *job);
  struct TileLibJob *next;
} TileLibJob;

typedef struct TileLibPool {
  pthread_mutex_t mutex; ///< of what follows
  pthread_cond_t changed;
  TileLibJob *first, *last;
  unsigned waiting, idle, numThreads, limit;
  bool stops;
  pthread_t threads[TILE_LIB_MAX_THREADS];
} TileLibPool;

/// Starts nothing yet. `threads` 0: one for each processor.
void tileLibPoolCreate(TileLibPool *pool, unsigned threads);
/// False where there is no thread to do it.
bool tileLibPoolAdd(TileLibPool *pool, TileLibJob *job);
/// Drops what was not begun, and waits for what was.
void tileLibPoolDestroy(TileLibPool *pool);

//===- contexts -----------------------------------------------------------===//

/// A device, by the driver's context that was current. Never removed while its owner lives.
typedef struct TileLibDevice {
  uint64_t id;
  TileDevice *device;
  struct TileLibDevice *next;
} TileLibDevice;

typedef struct TileLibModule TileLibModule;

typedef struct TileLibContext {
  void *handle;
  TileCache *cache;
  TileAssembled *assembled;
  MlirDialectRegistry registry;
  void (*onDiagnostic)(void *data, const tile_diagnostic *diagnostic);
  void (*onPrint)(void *data, const char *text, size_t size);
  void *data;
  FILE *console; ///< gives kernels' prints to onPrint; with a module's mutex or the console's own
  pthread_mutex_t mutex; ///< of what follows
  _Atomic(TileLibDevice *) devices;
  /// How often something was tuned: launches ask again then.
  _Atomic unsigned tunings;
  TileLibPool pool;
  pthread_mutex_t timing; ///< held by who times launches; taken before a module's
  /// Of child processes; `isolates`: it has some.
  TileChildLimits limits;
  bool isolates;
  /// Modules with a handle, a list; and how many there are, with and without.
  TileLibModule *modules;
  size_t references;
} TileLibContext;

void tileLibReleaseContext(TileLibContext *context);

/// A status for what a child process did not live to say.
tile_status tileLibChildStatus(TileChildEnd end, tile_status otherwise);

/// What is done in other contexts of the driver's leaves the caller's current. `driver` NULL: there
/// is nothing to restore.
typedef struct TileLibCurrent {
  TileDriver *driver;
  void *current;
} TileLibCurrent;
TileLibCurrent tileLibSaveCurrent(const TileLibContext *context);
void tileLibRestoreCurrent(const TileLibCurrent *current);

/// The device of the driver's current context, or where there is none, the first device, whose
/// primary context becomes current. NULL after a message.
TileLibDevice *tileLibGetDevice(TileLibContext *context);
/// The same where `wanted` is 0, or names it; else the primary context of device `wanted` - 1
/// becomes current until tileLibRestoreCurrent, which `*former` is for, whatever this returns.
TileLibDevice *tileLibEnterDevice(TileLibContext *context, uint32_t wanted, TileLibCurrent *former);

//===- modules and kernels ------------------------------------------------===//

/// What one machine's code is compiled and kept by.
typedef struct TileLibTarget {
  /// NULL: without a device.
  TileLibDevice *device;
  const TileMachine *arch; ///< NULL: the CPU
  TileProgram *program;
  struct TileLibTarget *next;
} TileLibTarget;

typedef struct TileLibArgument {
  char *name;
  bool isPointer, isInteger, isKey, isWritten, hasType, steers;
  uint32_t step;
  TileElementType type;
  tile_measure measure;
  uint32_t array, dimension, multiple;
} TileLibArgument;

typedef struct TileLibMeta {
  char *name;
  int64_t value;
} TileLibMeta;

typedef struct TileLibSite TileLibSite;

typedef struct TileLibKernel {
  TileLibModule *module;
  void *handle;
  char *name, *file;
  uint32_t line, column;
  bool hasGrid;
  /// It has none, and its programs ask which one they are.
  bool wantsGrid;
  TileLibArgument *arguments;
  TileLibMeta *metas;
  char **configs;
  size_t numArguments, numMetas, numConfigs;
  /// Where it was launched, a list that only grows, with the module's mutex.
  _Atomic(TileLibSite *) sites;
} TileLibKernel;

struct TileLibModule {
  TileLibContext *context;
  void *handle;
  size_t references; ///< guarded by the context's mutex
  TileLibModule *next;
  MlirContext mlir;
  MlirModule module;
  TileLibKernel *kernels;
  size_t numKernels;
  pthread_mutex_t mutex; ///< of MLIR's context, and of what follows
  TileLibTarget *targets;
  /// The kernels as text, for contexts of others; made when asked for, once, and then read by all.
  _Atomic(char *) text;
  size_t textSize;
};

void tileLibReleaseModule(TileLibModule *module);

/// The program for `device`, else for `arch`, else for the CPU; with the module's mutex. NULL after
/// a message.
TileProgram *tileLibGetProgram(TileLibModule *module, TileLibDevice *device,
                               const TileMachine *arch);
/// What programs of the context are made with, for `device`, else for `arch`, else for the CPU.
TileProgramOptions tileLibChooseOptions(const TileLibContext *context, const TileLibDevice *device,
                                        const TileMachine *arch);

/// Has what copies are made of ready, unless the module compiles: copies then wait for that.
void tileLibPrepareCopy(TileLibModule *module);

/// A module once more, in a context of MLIR's to itself: for what takes long, so that nobody waits
/// for it at the module.
typedef struct TileLibCopy {
  MlirContext mlir;
  MlirModule module;
  TileProgram *program;
} TileLibCopy;
/// Without the module's mutex. The copy's program; NULL after a message. To be closed in any case.
TileProgram *tileLibOpenCopy(TileLibModule *module, const TileProgramOptions *options,
                             TileLibDevice *device, TileLibCopy *copy);
void tileLibCloseCopy(TileLibCopy *copy);

//===- artifacts ----------------------------------------------------------===//

/// Code in a device's context.
typedef struct TileLibLoaded {
  TileLibDevice *device;
  TileModule *module;
  TileLauncher *launcher;
  TileKernel *kernel;
  TileModuleConsole *console; ///< NULL: it says nothing
  struct TileLibLoaded *next;
} TileLibLoaded;

typedef struct TileLibArtifact {
  void *handle;
  TileLibModule *module; ///< held
  const TileLibKernel *kernel;
  const TileMachine *arch; ///< NULL: the CPU
  tile_format format;
  char *config, *facts;
  TileCompiled compiled;
  pthread_mutex_t mutex; ///< of what follows
  _Atomic(TileLibLoaded *) loaded;
  TileJit *jit;
  _Atomic(TileCpuKernel) cpu;
  /// The grid that the kernel gives; made when asked for, with the module's mutex.
  _Atomic bool hasForm;
  TileGridForm form;
  uint8_t *codes; ///< for who writes it down
} TileLibArtifact;

/// A compilation on its way to an artifact.
typedef struct TileLibCompilation {
  TileLibArtifact *artifact;
  TileLibDevice *device;
  TileEmit stage;
  TileFacts facts;
} TileLibCompilation;

/// Checks what is asked for. To be ended even where it fails.
tile_status tileLibBeginCompilation(TileLibKernel *kernel, const tile_compile_options *options,
                                    TileLibCompilation *c);
/// Compiles, with a context of MLIR's to itself.
tile_status tileLibRunCompilation(TileLibCompilation *c);
/// The artifact becomes the caller's, once.
tile_status tileLibTakeArtifact(TileLibCompilation *c, tile_artifact **result);
void tileLibEndCompilation(TileLibCompilation *c);

/// The grid that launches without one have; NULL after a message.
const TileGridForm *tileLibGetForm(TileLibArtifact *artifact);
/// The code in a device, whose context is current; NULL after a message.
TileLibLoaded *tileLibLoadArtifact(TileLibArtifact *artifact, TileLibDevice *device);
/// The code in this process; NULL after a message.
TileCpuKernel tileLibLoadCpu(TileLibArtifact *artifact);

//===- values -------------------------------------------------------------===//

/// Arguments as the runtime takes them, 8 bytes each.
tile_status tileLibReadValues(const TileLibKernel *kernel, const tile_value *values, size_t count,
                              uint64_t *slots);
/// Refuses addresses of a device's memory, for a launch on the CPU; where CUDA's driver is open,
/// and else all are taken for the host's.
tile_status tileLibCheckHost(const TileLibKernel *kernel, const uint64_t *slots);

//===- launches -----------------------------------------------------------===//

void tileLibForgetSites(TileLibKernel *kernel);

enum { TILE_LIB_MAX_ARGUMENTS = 512 };

/// What all launches are given: copies it, as much as there is.
tile_status tileLibBeginLaunch(const TileLibKernel *kernel, const tile_launch *given,
                               tile_launch *launch);
/// Fails where programs that may wait for each other would run one after the other.
tile_status tileLibCheckCooperation(const tile_launch *launch, const int32_t grid[3]);
/// A launch gives no grid, and `kernel` has none.
tile_status tileLibRefuseNoGrid(const TileLibKernel *kernel);
/// The grid that a kernel's form gives.
tile_status tileLibEvaluateGrid(const TileLibKernel *kernel, const TileGridForm *form,
                                const uint64_t *slots, int32_t grid[3]);
/// The program and, on a GPU, the device that launches of the kernel go to at `place`; `wanted` and
/// `former` as tileLibEnterDevice has them.
tile_status tileLibFindPlace(TileLibKernel *kernel, tile_place place, uint32_t wanted,
                             TileProgram **program, TileLibDevice **device, TileLibCurrent *former);
/// The caller's grid; `*isGiven` where it is not all 0.
tile_status tileLibTakeGrid(const uint32_t given[3], int32_t grid[3], bool *isGiven);

#endif // TILE_LIB_LIBRARY_H
