//===- tile-rt.h - kernels that were compiled ahead of time ------*- C -*-===//
//
// What tile-compile writes, and libtile-rt launches: code for several GPUs and several sets of
// facts, with all that a launch needs, as constant data. A program calls the function that
// tile-compile wrote (in matmul.h, say), and reads a message here where that fails:
//
//   if (matmul(stream, a, b, c, m, n, k) != TILE_STATUS_OK) puts(tile_rt_get_message());
//
// Compiled for the processor (--arch cpu), there is matmul_cpu(a, b, c, m, n, k) on arrays of the
// host, too; it looks for no driver.
//
// The rest of this header is for what tile-compile writes. libtile-rt needs the C library, and of
// CUDA the driver, which it opens at the first launch (libcuda.so.1, or $TILE_CUDA_DRIVER).
// Launches go to the context that is current on the thread (where there is none, the primary one of
// device 0 becomes current), and wait for nothing; any thread may launch, several at once. A first
// launch in a context loads the code. Nothing is printed.
//===----------------------------------------------------------------------===//
#ifndef TILE_RT_H
#define TILE_RT_H

#include <tile.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What the last call of this thread that failed had to say. Never NULL; borrowed until the next.
TILE_API const char *tile_rt_get_message(void);

//===- what tile-compile writes -------------------------------------------===//

/// A step of a grid: `op` of steps a, b and c (tile/Runtime/GridForm.h in tile's sources).
typedef struct tile_rt_step {
  uint8_t op, width, from;
  uint16_t a, b, c;
  int64_t value;
} tile_rt_step;

/// Code for the processor: runs one program of a launch, on the arguments' slots.
typedef void tile_rt_code(const void *slots, int32_t x, int32_t y, int32_t z, int32_t nx,
                          int32_t ny, int32_t nz);

/// Code for one architecture, one set of facts and one configuration. What is for the processor has
/// `cpu` and no code, and of the rest its facts and its grid.
typedef struct tile_rt_variant {
  const void *code;
  size_t code_size;
  const char *arch; ///< "sm_90a"
  /// Compute capability that it is for; `is_exact`: that one alone; `is_ptx`: any from there on,
  /// and else those of the same major number.
  uint8_t major, minor, is_exact, is_ptx;
  /// What the code was told, a byte an argument: in the low five bits the power of two that divides
  /// it, 0x40 where it is above 0, 0x80 where it is 1. And multiprocessors for each program.
  const uint8_t *facts;
  uint8_t wave;
  uint8_t is_persistent, shares_last, one_program;
  uint32_t warps, shared_bytes, cluster;
  const char *const *maps;
  uint32_t num_maps;
  uint16_t num_steps, num_extents, extents[3];
  const tile_rt_step *steps;
  tile_rt_code *cpu;
  /// Its configuration's number, where there are several.
  uint32_t config;
  /// Where an array's rows are no multiples of 16 bytes apart, they are copied to where they are in
  /// front of the kernel, which pays in launches of so many programs; 0: it copies nothing.
  uint32_t packs;
} tile_rt_variant;

/// Which configuration variants for `arch` have to have in launches whose key arguments are nearest
/// to these: of all choices, where the sum of |log2((|a| + 1) / (|b| + 1))| is least.
typedef struct tile_rt_choice {
  const char *arch;
  const int64_t *key; ///< a number for each key argument
  uint32_t config;
} tile_rt_choice;

typedef struct tile_rt_kernel {
  size_t size; ///< of this struct
  const char *name;
  size_t num_arguments;
  /// Of each argument its tile_type, 0 for a pointer.
  const uint8_t *types;
  /// The better ones first. All have `variant_size` bytes.
  const tile_rt_variant *variants;
  size_t num_variants, variant_size;
  void *state; ///< the runtime's own; NULL to begin with
  /// Which arguments are its key, and what was tuned; an architecture without choices has variants
  /// of one configuration. All choices have `choice_size` bytes.
  const uint16_t *keys;
  size_t num_keys;
  const tile_rt_choice *choices;
  size_t num_choices, choice_size;
} tile_rt_kernel;

/// Launches the first variant that is right for the device and for the arguments, which lie in
/// slots of 8 bytes: addresses, integers in the low bits, floats as tile_rt_pack makes them.
TILE_API tile_status tile_rt_launch(tile_rt_kernel *kernel, void *stream, const uint64_t *slots);

/// Runs the first variant for the processor that is right for the arguments, whose addresses are
/// the host's, on all cores ($TILE_NUM_THREADS: on so many), and returns when all is done.
/// `is_able`: the processor has what the code was compiled for; TILE_STATUS_UNSUPPORTED where it
/// has not.
TILE_API tile_status tile_rt_launch_cpu(tile_rt_kernel *kernel, const uint64_t *slots, int is_able);

/// A float in a slot, rounded to `type`.
TILE_API uint64_t tile_rt_pack(tile_type type, double value);

/// What code for the processor calls to sort (tile/Runtime/CpuSort.h in tile's sources).
TILE_API void tile_rt_sort_order(const void *keys, int64_t bytes, int64_t kind, int64_t infinity,
                                 int64_t descending, int64_t count, int64_t stride,
                                 uint64_t *order);
TILE_API void tile_rt_sort_move(const void *from, void *to, int64_t bytes, int64_t count,
                                int64_t stride, const uint64_t *order);

#ifdef __cplusplus
}
#endif

#endif // TILE_RT_H
