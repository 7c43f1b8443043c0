//===- tile.h - kernels compiled and launched by a program ------*- C -*-===//
//
// The whole of libtile. From text to a launch:
//
//   tile_context *context;
//   tile_module *module;
//   tile_kernel *add;
//   tile_context_create(NULL, &context);
//   tile_module_create_from_file(context, "vector_add.mlir", &module);
//   tile_module_find_kernel(module, "add", &add);
//
//   tile_launch how = {.size = sizeof how, .stream = stream};
//   tile_value what[] = {tile_pointer(x), tile_pointer(y), tile_pointer(out), tile_integer(n)};
//   if (tile_kernel_launch(add, &how, what, 4) != TILE_STATUS_OK)
//     fprintf(stderr, "%s\n", tile_get_message());
//
// Conventions, the same everywhere:
//
//   names      functions and types are tile_x, values TILE_X. What is declared here stays: within
//              libtile.so.1, functions and fields are added and none is changed.
//   status     what can fail returns a tile_status, and leaves a message with this thread (below).
//              Results come through the last parameters; after a failure they are NULL or 0.
//   handles    are opaque, and no addresses: one that was destroyed, that is of another kind or
//              that never was one is refused with TILE_STATUS_HANDLE. Create gives a handle that
//              the caller destroys; get and find give borrowed ones, which go with their owner. To
//              destroy NULL does nothing.
//   structs    begin with their size, set by the caller: {.size = sizeof x}. A field that is 0
//              means the default. Those that are filled in need it set, too.
//   text       is UTF-8 and ends in NUL. Text that is given is borrowed during the call; text that
//              is returned belongs to its handle, and lives as long.
//   threads    any function may be called from any thread, and several at once, on one handle, too:
//              what compiles waits for its turn at the module (but for tuning, checks and futures,
//              which nobody waits for), a launch of what is compiled waits for nobody. A handle
//              may be destroyed when no other call uses it.
//   process    nothing here prints, exits, or changes locale, environment or streams. While a
//              thread parses text, signals of crashes have handlers of libtile's; the host's own
//              come back with its end. After fork(), the child must not use handles of its
//              parent's.
//   units      bytes, seconds, elements as said; grids count programs, x first.
//
// Machines are called as compilers do: "sm_80", "sm_90a", and "cpu" for the processor of this
// process. Meta-parameters are given as a configuration, "BM=128,num_warps=8", in which num_warps,
// num_stages, num_ctas, num_parts, num_splits, num_last_splits, num_teams, num_at_once and maxnreg
// are those of every kernel.
//
// What a launch is known to be lets code be better. These facts have a text form, too:
//
//   0/16     argument 0 is a multiple of 16 (an array: its address in bytes; a power of two)
//   3/256+   argument 3, an integer, is a multiple of 256 (or of 128: 3/128+), and above 0
//   7=1      argument 7, an integer, is 1
//   wave:2   the device has two multiprocessors for each program; wave:1: one
//   pack     there are programs enough to pay for copies of arrays whose rows are not aligned
//
// as "0/16,1/16,3/256+". tile_kernel_launch finds them by itself.
//
// The CUDA driver is opened when it is needed (libcuda.so.1, or $TILE_CUDA_DRIVER). On a GPU,
// everything happens in the context that is current on the calling thread, as in CUDA's driver API;
// where there is none, the primary context of device 0 becomes current. (Launches may name another
// device.)
//===----------------------------------------------------------------------===//
#ifndef TILE_H
#define TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TILE_API __attribute__((visibility("default")))
#else
#define TILE_API
#endif

//===- versions -----------------------------------------------------------===//

/// Of this header.
#define TILE_VERSION_MAJOR 0
#define TILE_VERSION_MINOR 1
#define TILE_VERSION_PATCH 0

/// Of the library that is loaded, and of the LLVM in it: "0.1.0 (LLVM 22.1.8)". Static.
TILE_API const char *tile_get_version(void);

//===- what went wrong ----------------------------------------------------===//

typedef enum tile_status {
  TILE_STATUS_OK = 0,
  TILE_STATUS_HANDLE = 1,      ///< no handle, one of another kind, or one that was destroyed
  TILE_STATUS_ARGUMENT = 2,    ///< a parameter that makes no sense: NULL, a count, a type, a range
  TILE_STATUS_NOT_FOUND = 3,   ///< no kernel, argument or file of that name or number
  TILE_STATUS_SOURCE = 4,      ///< a module that cannot be parsed, verified or compiled
  TILE_STATUS_DEVICE = 5,      ///< no driver, no device, one that does not fit, or its failure
  TILE_STATUS_MEMORY = 6,      ///< memory ran out, the host's or the device's
  TILE_STATUS_SYSTEM = 7,      ///< a file that cannot be read or written, and the like
  TILE_STATUS_UNSUPPORTED = 8, ///< this build, or this machine, cannot do it
  TILE_STATUS_KERNEL = 9,      ///< an assert of the kernel's own failed
  TILE_STATUS_FINDINGS = 10,   ///< a check found errors
  TILE_STATUS_TIMEOUT = 11,    ///< it goes on; of a child process: it was ended
  TILE_STATUS_CANCELLED = 12,  ///< somebody did not want it any more
} tile_status;

/// "TILE_STATUS_OK" and so on; "unknown" for another number. Static.
TILE_API const char *tile_status_get_name(tile_status status);

typedef enum tile_severity {
  TILE_SEVERITY_ERROR = 0,
  TILE_SEVERITY_WARNING = 1,
  TILE_SEVERITY_NOTE = 2,   ///< belongs to what stands before it; "help: .." tells what mends that
  TILE_SEVERITY_REMARK = 3, ///< what the compiler chose, or declined to do
} tile_severity;

/// One message. `file` is NULL, and line and column 0, where it has no place in a text; both count
/// from 1. Messages read "expected ..., found ...".
typedef struct tile_diagnostic {
  size_t size;
  tile_severity severity;
  const char *file;
  uint32_t line, column;
  const char *message;
} tile_diagnostic;

/// What the last call of this thread that failed had to say, as compilers print it, one message a
/// line: "add.mlir:12:3: error: expected ..". Never NULL. It belongs to the thread, as errno does:
/// handles are shared, and what fails to be made is no handle. Borrowed until the next call.
TILE_API const char *tile_get_message(void);

/// The same as data. Those of a call that succeeded, warnings and remarks, are there as well.
TILE_API size_t tile_get_num_diagnostics(void);
TILE_API tile_status tile_get_diagnostic(size_t index, tile_diagnostic *diagnostic);

//===- contexts -----------------------------------------------------------===//

/// What modules share: where code is kept, and who hears of it.
typedef struct tile_context tile_context;

typedef struct tile_context_options {
  size_t size;
  /// The folder of the cache: NULL as tile-run has it ($TILE_CACHE, else ~/.cache/tile), "" for
  /// none.
  const char *cache;
  /// Called with every diagnostic as it is made, by the thread whose call makes it, or one that
  /// compiles in the background; may be NULL. It must not call back.
  void (*on_diagnostic)(void *data, const tile_diagnostic *diagnostic);
  /// Called with what kernels print (tile.print), `size` bytes of text, by the thread that
  /// launched; NULL drops it. Launches of such kernels, and of those that assert, wait for their
  /// end.
  void (*on_print)(void *data, const char *text, size_t size);
  void *data;
  /// Threads that compile in the background, at most; 0: one for each processor.
  uint32_t num_threads;
  /// What a child process may take (below): bytes of address space beyond what this process has,
  /// malloc's reserves included (64 MiB a thread), and seconds; 0: no limit.
  size_t max_memory;
  double max_seconds;
  /// Texts are parsed in a child process first, and kernels compiled in one (fork): where memory
  /// runs out, the compiler crashes or its time is up, that ends the child, and the call fails with
  /// TILE_STATUS_MEMORY, TILE_STATUS_SOURCE or TILE_STATUS_TIMEOUT. A compilation costs some
  /// milliseconds more. Hosts hear of children by SIGCHLD.
  bool isolates;
} tile_context_options;

/// `options` may be NULL. Fails where a cache was asked for that cannot be one.
TILE_API tile_status tile_context_create(const tile_context_options *options,
                                         tile_context **context);
/// Its modules go with it, and compilations in the background that have not begun; those that have
/// are waited for.
TILE_API tile_status tile_context_destroy(tile_context *context);

//===- modules ------------------------------------------------------------===//

/// The kernels of one text.
typedef struct tile_module tile_module;
typedef struct tile_kernel tile_kernel;

/// A module of `size` bytes: MLIR's text or bytecode, of the tile dialect or of Triton's (tt),
/// whose kernels become tile's. Messages call the text `name` (NULL: "<text>"). Host programs in it
/// (func.func) are left out: nothing of the text is run but by launches.
TILE_API tile_status tile_module_create_from_text(tile_context *context, const char *text,
                                                  size_t size, const char *name,
                                                  tile_module **module);
TILE_API tile_status tile_module_create_from_file(tile_context *context, const char *path,
                                                  tile_module **module);
/// Its kernels go with it; artifacts stay. Work that was launched must have ended.
TILE_API tile_status tile_module_destroy(tile_module *module);

TILE_API tile_status tile_module_get_num_kernels(tile_module *module, size_t *count);
/// In the order of the text.
TILE_API tile_status tile_module_get_kernel(tile_module *module, size_t index,
                                            tile_kernel **kernel);
/// `name` NULL: the only one there is.
TILE_API tile_status tile_module_find_kernel(tile_module *module, const char *name,
                                             tile_kernel **kernel);

//===- what a kernel is ---------------------------------------------------===//

/// Types of numbers, and of what pointers point at.
typedef enum tile_type {
  TILE_TYPE_NONE = 0, ///< no number
  TILE_TYPE_I1 = 1,
  TILE_TYPE_I8 = 2,
  TILE_TYPE_I16 = 3,
  TILE_TYPE_I32 = 4,
  TILE_TYPE_I64 = 5,
  TILE_TYPE_F16 = 6,
  TILE_TYPE_BF16 = 7,
  TILE_TYPE_F32 = 8,
  TILE_TYPE_F64 = 9,
  TILE_TYPE_F8E4M3 = 10,
  TILE_TYPE_F8E5M2 = 11,
} tile_type;

typedef struct tile_kernel_info {
  size_t size;
  const char *name;
  size_t num_arguments, num_metas, num_configs;
  /// It says itself how many programs a launch has (tile.grid).
  bool has_grid;
  const char *file;
  uint32_t line, column;
} tile_kernel_info;
TILE_API tile_status tile_kernel_get_info(tile_kernel *kernel, tile_kernel_info *info);

/// What the text says that a number is.
typedef enum tile_measure {
  TILE_MEASURE_NONE = 0,
  TILE_MEASURE_EXTENT = 1, ///< tile.extent: how many elements a dimension of an array has
  TILE_MEASURE_STRIDE = 2, ///< tile.stride: elements from one of a dimension to the next
} tile_measure;

typedef struct tile_argument_info {
  size_t size;
  /// Without its '%'; NULL where the text has none.
  const char *name;
  bool is_pointer;
  /// Of the number, or of what the pointer points at.
  tile_type type;
  /// Tuning tells launches apart by it (tile.key).
  bool is_key;
  /// The kernel may write through it.
  bool is_written;
  /// Callers that know the shapes of arrays need not ask for numbers that are measures of them: of
  /// argument `array`, its dimension `dimension`, 0 being the outermost.
  tile_measure measure;
  uint32_t array, dimension;
  /// An address, a mask or the end of a loop depends on it: what is known of it makes other code.
  bool steers;
  /// The text says that it is a multiple of this; 0: nothing.
  uint32_t multiple;
  /// Loops from 0 up to it have one step where it is from 1 to this, which facts can say; 0: there
  /// is no such loop.
  uint32_t step;
} tile_argument_info;
TILE_API tile_status tile_kernel_get_argument(tile_kernel *kernel, size_t index,
                                              tile_argument_info *info);

typedef struct tile_meta_info {
  size_t size;
  const char *name;
  int64_t value; ///< its default
} tile_meta_info;
TILE_API tile_status tile_kernel_get_meta(tile_kernel *kernel, size_t index, tile_meta_info *info);

/// A configuration that the text proposes for tuning, "BM=128,BN=64".
TILE_API tile_status tile_kernel_get_config(tile_kernel *kernel, size_t index, const char **config);

//===- values -------------------------------------------------------------===//

typedef enum tile_value_kind {
  TILE_VALUE_POINTER = 1,
  TILE_VALUE_INTEGER = 2,
  TILE_VALUE_FLOAT = 3,
} tile_value_kind;

/// One argument of a launch. Integers must fit into the kernel's type, signed or unsigned; floats
/// are rounded to it.
typedef struct tile_value {
  uint64_t kind; ///< a tile_value_kind
  union {
    uint64_t pointer;
    int64_t integer;
    double number;
  } as;
} tile_value;

/// An address: of the host for a launch on the CPU, of the device (a CUdeviceptr, what cudaMalloc
/// gave) for one on a GPU.
static inline tile_value tile_pointer(const volatile void *pointer) {
  tile_value value;
  value.kind = TILE_VALUE_POINTER;
  value.as.pointer = (uint64_t)(uintptr_t)pointer;
  return value;
}
static inline tile_value tile_integer(int64_t integer) {
  tile_value value;
  value.kind = TILE_VALUE_INTEGER;
  value.as.integer = integer;
  return value;
}
static inline tile_value tile_float(double number) {
  tile_value value;
  value.kind = TILE_VALUE_FLOAT;
  value.as.number = number;
  return value;
}

//===- compiling ----------------------------------------------------------===//

typedef enum tile_format {
  TILE_FORMAT_DEFAULT = 0,  ///< what is launched: a cubin, or an object for the CPU
  TILE_FORMAT_PTX = 1,      ///< needs neither driver nor ptxas
  TILE_FORMAT_CUBIN = 2,    ///< by ptxas; without one PTX, which the driver assembles
  TILE_FORMAT_OBJECT = 3,   ///< ELF, for this process's processor
  TILE_FORMAT_ASSEMBLY = 4, ///< of the CPU, as text
  TILE_FORMAT_LLVM = 5,     ///< LLVM IR, as text
  TILE_FORMAT_TILE = 6,     ///< tiles, with all that is known of the launch; as text
} tile_format;

typedef struct tile_compile_options {
  size_t size;
  /// "sm_90a", "cpu"; NULL: the device of the current context.
  const char *arch;
  /// NULL: the kernel's defaults.
  const char *config;
  /// What launches of the code will be; NULL: nothing is known. Code for facts that a launch does
  /// not have may do anything.
  const char *facts;
  tile_format format;
} tile_compile_options;

/// Code of one kernel, for one machine, one configuration and one set of facts.
typedef struct tile_artifact tile_artifact;

/// Compiles on this thread, or takes what the cache has. `options` may be NULL.
TILE_API tile_status tile_kernel_compile(tile_kernel *kernel, const tile_compile_options *options,
                                         tile_artifact **artifact);
TILE_API tile_status tile_artifact_destroy(tile_artifact *artifact);

/// A compilation in the background.
typedef struct tile_future tile_future;

/// Compiles on a thread of the context's, beside all else that is done with the module. What is
/// wrong with `options` themselves is told at once. The caller destroys the future.
TILE_API tile_status tile_kernel_compile_async(tile_kernel *kernel,
                                               const tile_compile_options *options,
                                               tile_future **future);

/// Waits for its end, `seconds` at most (0: only asks; below 0: as long as it takes), and gives its
/// status and its messages, each time anew: TILE_STATUS_TIMEOUT where it is under way, or
/// TILE_STATUS_CANCELLED. The artifact is for the first who asks (`artifact` is not NULL), and then
/// no longer the future's.
TILE_API tile_status tile_future_wait(tile_future *future, double seconds,
                                      tile_artifact **artifact);
/// Nobody waits for it any longer. One that has not begun never does; one that has goes on unheard.
/// Where it has ended, nothing happens.
TILE_API tile_status tile_future_cancel(tile_future *future);
/// Cancels it as well, and does not wait.
TILE_API tile_status tile_future_destroy(tile_future *future);

typedef struct tile_artifact_info {
  size_t size;
  /// The kernel's name, by which the code has it as well.
  const char *kernel;
  /// "sm_90a", "cpu".
  const char *arch;
  /// The bindings it was compiled with, and the facts, in their text forms; "" for none.
  const char *config, *facts;
  tile_format format;
  /// The code, `code_size` bytes; a NUL follows. Borrowed.
  const void *code;
  size_t code_size;
  size_t num_arguments;
  /// Of a block: warps that hold tiles, threads in all, dynamic shared memory in bytes, blocks of a
  /// cluster (1: none). 0 on the CPU.
  uint32_t num_warps, threads, shared_bytes, cluster;
  /// Tensor maps, which a launch needs beyond the kernel's arguments.
  uint32_t num_tensor_maps;
  /// Its blocks run through programs in a loop: it is launched with other grids than it is given.
  bool is_persistent;
  /// It came from the cache.
  bool was_cached;
  /// Whoever launches cubins may launch it: a block of `threads` and `shared_bytes` for each
  /// program, the kernel's arguments as its parameters, and nothing beside them. Of PTX and cubins.
  bool is_plain;
} tile_artifact_info;
TILE_API tile_status tile_artifact_get_info(tile_artifact *artifact, tile_artifact_info *info);

struct tile_rt_variant;
/// The code with all that a launch of it needs, as tile-rt.h has it, for who writes it down: a copy
/// of `size` bytes at most, whose pointers are borrowed. Of PTX, cubins and, for a function that
/// the writer names, assembly.
TILE_API tile_status tile_artifact_get_variant(tile_artifact *artifact,
                                               struct tile_rt_variant *variant, size_t size);

/// What the code takes of a GPU.
typedef struct tile_resources {
  size_t size;
  /// Registers of a thread; bytes that it keeps in local memory, as spills or arrays; bytes of
  /// shared memory of a block, dynamic and static.
  uint32_t registers, local_bytes, shared_bytes;
  /// Blocks that a multiprocessor holds at a time.
  uint32_t blocks;
} tile_resources;

/// Of a cubin whose device is that of the current context, by the driver; of any other code for a
/// GPU by ptxas. TILE_STATUS_UNSUPPORTED where there is neither.
TILE_API tile_status tile_artifact_get_resources(tile_artifact *artifact,
                                                 tile_resources *resources);

//===- launching ----------------------------------------------------------===//

typedef enum tile_place {
  TILE_PLACE_GPU = 0,
  TILE_PLACE_CPU = 1,
} tile_place;

enum {
  /// All programs run at the same time, and may wait for each other; where the device cannot hold
  /// them that is an error, and so it is of several on the CPU.
  TILE_LAUNCH_COOPERATIVE = 1,
};

typedef struct tile_launch {
  size_t size;
  tile_place place;
  /// Programs, x first; an extent of 0 beside others launches nothing. All 0: what the kernel's
  /// tile.grid says (without one: 1, or an error where programs ask which one they are).
  uint32_t grid[3];
  /// On a GPU: a CUstream or cudaStream_t of the current context; NULL is the legacy default
  /// stream.
  void *stream;
  /// NULL: what tuning found for such a launch; else what a model of the GPU expects to be fastest,
  /// or, with a grid, the kernel's defaults.
  const char *config;
  /// On a GPU: 0: that of the current context; else 1 + a device's number, as cuDeviceGet counts:
  /// where the current context is of another, its primary context is current during the call.
  uint32_t device;
  /// TILE_LAUNCH_* together.
  uint64_t flags;
} tile_launch;

/// Launches the kernel on `count` values, one an argument, by code that is right for them: compiled
/// (or taken from the cache) at the first such launch, and kept with the kernel. On a GPU it waits
/// for nothing, and may be captured into a CUDA graph once its code is there; a fault in the kernel
/// comes back with whatever next waits for the stream. On the CPU it returns when all is done.
TILE_API tile_status tile_kernel_launch(tile_kernel *kernel, const tile_launch *launch,
                                        const tile_value *values, size_t count);

/// Launches just this code, which has a format that can be: PTX, a cubin or an object. `place` and
/// `config` are not looked at. The caller answers for the facts.
TILE_API tile_status tile_artifact_launch(tile_artifact *artifact, const tile_launch *launch,
                                          const tile_value *values, size_t count);

/// The configuration that such a launch takes: the launch's, or what tuning found for it or for the
/// nearest sizes; "" for the kernel's defaults. It lives as long as the kernel.
TILE_API tile_status tile_kernel_find_config(tile_kernel *kernel, const tile_launch *launch,
                                             const tile_value *values, size_t count,
                                             const char **config);

//===- tuning -------------------------------------------------------------===//

/// What tuning found, for a launch and those of the same key (arguments with tile.key).
typedef struct tile_tuning tile_tuning;

typedef struct tile_tune_options {
  size_t size;
  /// As of a tile_launch. With no grid each candidate has the kernel's own for it.
  tile_place place;
  uint32_t grid[3];
  /// What was given to it is done before arrays are used.
  void *stream;
  /// What is tried beside the kernel's defaults: these configurations, and all combinations of
  /// these values, "BM=64,128" each. With neither, the configurations that the text proposes.
  const char *const *candidates;
  size_t num_candidates;
  const char *const *spaces;
  size_t num_spaces;
  /// How many elements the array of each argument has; those of numbers are not looked at. NULL:
  /// not known, so that nothing is compared, and arrays are left as the candidates leave them.
  const size_t *num_elements;
  /// Candidates that are compiled at most, the best by a cost model; 0: 64.
  uint32_t budget;
  /// After so many seconds no candidate is begun, but for the defaults; 0: no limit.
  double seconds;
  /// As of a tile_launch.
  uint32_t device;
} tile_tune_options;

/// Times a launch with each candidate, and keeps the fastest: launches without a configuration take
/// it from then on, in this module, and by the cache in others and other processes. Candidates have
/// to write what the kernel's defaults write, to rounding; then arrays are as they were before. A
/// candidate that faults on a GPU loses the context, and one that hangs is waited for. Other
/// launches disturb the times. `options` may be NULL, and `tuning`, too, who wants no details.
TILE_API tile_status tile_kernel_tune(tile_kernel *kernel, const tile_tune_options *options,
                                      const tile_value *values, size_t count, tile_tuning **tuning);
TILE_API tile_status tile_tuning_destroy(tile_tuning *tuning);

typedef struct tile_tuning_info {
  size_t size;
  /// The kernel's name, the device, and the key's arguments as "512, 64".
  const char *kernel, *device, *key;
  /// What won, "" for the defaults; its number, and of how many.
  const char *config;
  size_t winner, num_trials;
  /// Of one launch; of one with the defaults, 0 where these do not work.
  double seconds, default_seconds;
  /// The cache has it. (A context without one keeps it for its module.)
  bool was_kept;
} tile_tuning_info;
TILE_API tile_status tile_tuning_get_info(tile_tuning *tuning, tile_tuning_info *info);

typedef enum tile_outcome {
  TILE_OUTCOME_BEST = 0,
  TILE_OUTCOME_SLOWER = 1,
  TILE_OUTCOME_REFUSED = 2, ///< not worth compiling, does not compile, or asks for too much
  TILE_OUTCOME_WRONG = 3,   ///< it wrote something else, or asserted
  TILE_OUTCOME_FAULT = 4,
  TILE_OUTCOME_NO_TIME = 5,
} tile_outcome;

/// One candidate; the first has the kernel's defaults.
typedef struct tile_trial {
  size_t size;
  const char *config;
  tile_outcome outcome;
  /// Of one launch, the median of the last round that it was in; 0 where it was not timed.
  double seconds;
  /// Why it is out; "" for those that were timed.
  const char *message;
} tile_trial;
TILE_API tile_status tile_tuning_get_trial(tile_tuning *tuning, size_t index, tile_trial *trial);

/// What tuning found for a kernel on one device, for one key.
typedef struct tile_tuned {
  size_t size;
  const char *device, *key, *config;
  double seconds;
} tile_tuned;

/// Calls `on_result` with each that the context's cache has of just this kernel, on any device: for
/// who compiles ahead of time. It must not call back; texts are borrowed meanwhile.
TILE_API tile_status tile_kernel_list_tuned(tile_kernel *kernel,
                                            void (*on_result)(void *data, const tile_tuned *result),
                                            void *data);

//===- checking -----------------------------------------------------------===//

typedef struct tile_check {
  size_t size;
  /// How many elements the array of each argument has; those of numbers are not looked at.
  const size_t *num_elements;
  /// Which arrays have nothing in them that may be read before the kernel has written it; NULL:
  /// none.
  const bool *is_empty;
  /// As of a tile_launch.
  uint32_t grid[3];
  const char *config;
  /// Findings that are told, at most; 0: 100.
  uint32_t limit;
  /// How many there were: filled in.
  uint64_t num_errors, num_warnings;
  /// How many more elements each array has in front of its address, as where a view goes backwards;
  /// NULL: none. Arrays that share memory are one to the checker.
  const size_t *num_before;
} tile_check;

/// Runs a launch on the CPU, one program after the other, on host arrays, and tests what programs
/// do: accesses outside of their arrays, reads of what nobody wrote, stores and loads of several
/// programs that conflict, numbers that wrap, asserts. What is found are this thread's diagnostics,
/// each at its op in the text, the same each time; with errors the status is TILE_STATUS_FINDINGS.
/// Accesses that are wrong are left out, so the host's memory is safe.
TILE_API tile_status tile_kernel_check(tile_kernel *kernel, tile_check *check,
                                       const tile_value *values, size_t count);

#ifdef __cplusplus
}
#endif

#endif // TILE_H
