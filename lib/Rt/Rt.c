//===- Rt.c - launching what was compiled ahead of time -------------------===//
//
// A part of the runtime, without cache, arrays and the CPU: tile-compile has written down what the
// compiler would have said. Code is loaded at its first launch in a context of the driver's, and
// stays: the list of what is loaded only grows, and is read without a lock.
//===----------------------------------------------------------------------===//
#include "tile-rt.h"
#include "tile/Runtime/CpuSort.h"
#include "tile/Runtime/ElementType.h"
#include "tile/Runtime/Executor.h"
#include "tile/Runtime/FactCode.h"
#include "tile/Runtime/GridForm.h"
#include "tile/Runtime/Launcher.h"
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(tile_rt_step) == sizeof(TileGridStep) &&
                   offsetof(tile_rt_step, a) == offsetof(TileGridStep, a) &&
                   offsetof(tile_rt_step, value) == offsetof(TileGridStep, value),
               "a step that is written down is one of the runtime's");

enum { MAX_ARGUMENTS = 512 };

/// A variant in a context.
typedef struct Loaded {
  uint64_t context;
  const tile_rt_variant *variant;
  TileDevice *device; ///< of its own, or of another variant in the context
  TileLauncher *launcher;
  struct Loaded *next;
} Loaded;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local char message[1024];

const char *tile_rt_get_message(void) { return message; }

__attribute__((format(printf, 2, 3))) static tile_status fail(tile_status status,
                                                              const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return status;
}

static tile_status failWith(TileError *error) {
  tile_status status = error->outOfMemory ? TILE_STATUS_MEMORY : TILE_STATUS_DEVICE;
  fail(status, "%s", tileErrorGetMessage(error));
  tileErrorDestroy(error);
  return status;
}

//===- arguments ----------------------------------------------------------===//

static bool findType(uint8_t type, TileElementType *result) {
  static const TileElementType types[] = {
      [TILE_TYPE_I1] = TILE_ELEMENT_I1,         [TILE_TYPE_I8] = TILE_ELEMENT_I8,
      [TILE_TYPE_I16] = TILE_ELEMENT_I16,       [TILE_TYPE_I32] = TILE_ELEMENT_I32,
      [TILE_TYPE_I64] = TILE_ELEMENT_I64,       [TILE_TYPE_F16] = TILE_ELEMENT_F16,
      [TILE_TYPE_BF16] = TILE_ELEMENT_BF16,     [TILE_TYPE_F32] = TILE_ELEMENT_F32,
      [TILE_TYPE_F64] = TILE_ELEMENT_F64,       [TILE_TYPE_F8E4M3] = TILE_ELEMENT_F8E4M3FN,
      [TILE_TYPE_F8E5M2] = TILE_ELEMENT_F8E5M2,
  };
  if (!type || type >= sizeof types / sizeof *types) return false;
  *result = types[type];
  return true;
}

uint64_t tile_rt_pack(tile_type type, double value) {
  TileElementType element;
  uint64_t slot = 0;
  if (findType((uint8_t)type, &element)) tileElementFromDouble(element, value, &slot);
  return slot;
}

/// All that is so of a number; of zero, that everything divides it.
static uint8_t describe(int64_t value) {
  unsigned shift = value ? (unsigned)__builtin_ctzll((uint64_t)value) : TILE_FACT_DIVISOR;
  if (shift > TILE_FACT_DIVISOR) shift = TILE_FACT_DIVISOR;
  return (uint8_t)(shift | (value > 0 ? TILE_FACT_POSITIVE : 0) | (value == 1 ? TILE_FACT_ONE : 0));
}

static void findFacts(const tile_rt_kernel *kernel, const uint64_t *slots, uint8_t *facts) {
  for (size_t i = 0; i < kernel->num_arguments; ++i) {
    TileElementType type;
    if (!findType(kernel->types[i], &type))
      facts[i] = describe((int64_t)slots[i]);
    else
      facts[i] = tileElementIsInteger(type) ? describe(tileElementToInteger(type, &slots[i])) : 0;
  }
}

static bool factsHold(const tile_rt_kernel *kernel, const tile_rt_variant *v,
                      const uint8_t *facts) {
  for (size_t i = 0; i < kernel->num_arguments; ++i)
    if (!tileFactImplies(facts[i], v->facts[i])) return false;
  return true;
}

//===- variants -----------------------------------------------------------===//

static bool runsOn(const tile_rt_variant *v, int major, int minor) {
  if (!v->code) return false; // for the processor
  if (v->is_exact) return major == v->major && minor == v->minor;
  if (v->is_ptx) return major > v->major || (major == v->major && minor >= v->minor);
  return major == v->major && minor >= v->minor;
}

static const tile_rt_variant *variantOf(const tile_rt_kernel *kernel, size_t i) {
  return (const void *)((const char *)kernel->variants + i * kernel->variant_size);
}

//===- configurations -----------------------------------------------------===//

static bool hasChoices(const tile_rt_kernel *kernel) {
  return kernel->size >= sizeof *kernel && kernel->choice_size >= sizeof *kernel->choices;
}

/// How far a choice's key is from a launch's (as lib/Session/Tune/Config.c has it).
static double measure(const tile_rt_kernel *kernel, const tile_rt_choice *choice,
                      const uint64_t *slots) {
  double sum = 0;
  for (size_t i = 0; i < kernel->num_keys; ++i) {
    TileElementType type;
    uint16_t argument = kernel->keys[i];
    if (argument >= kernel->num_arguments || !findType(kernel->types[argument], &type)) continue;
    double x = fabs((double)tileElementToInteger(type, &slots[argument]));
    sum += fabs(log2((x + 1) / (fabs((double)choice->key[i]) + 1)));
  }
  return sum;
}

/// The configuration for a launch, by architecture: found once for those that follow each other.
typedef struct Wanted {
  const char *arch;
  uint32_t config;
  bool isAny;
} Wanted;

static void want(const tile_rt_kernel *kernel, const char *arch, const uint64_t *slots,
                 Wanted *wanted) {
  double least = INFINITY;
  *wanted = (Wanted){.arch = arch, .isAny = true};
  for (size_t i = 0; i < kernel->num_choices; ++i) {
    const tile_rt_choice *choice =
        (const void *)((const char *)kernel->choices + i * kernel->choice_size);
    double distance = strcmp(choice->arch, arch) ? INFINITY : measure(kernel, choice, slots);
    if (!(distance < least)) continue;
    least = distance;
    wanted->config = choice->config;
    wanted->isAny = false;
  }
}

/// Has the variant the configuration that is best for these arguments?
static bool isWanted(const tile_rt_kernel *kernel, const tile_rt_variant *v, const uint64_t *slots,
                     Wanted *wanted) {
  if (!hasChoices(kernel) || !kernel->num_choices) return true;
  if (kernel->variant_size < offsetof(tile_rt_variant, packs)) return true;
  if (!wanted->arch || strcmp(wanted->arch, v->arch) != 0) want(kernel, v->arch, slots, wanted);
  return wanted->isAny || wanted->config == v->config;
}

//===- code in contexts ---------------------------------------------------===//

static Loaded *findLoaded(const tile_rt_kernel *kernel, uint64_t context,
                          const tile_rt_variant *variant) {
  Loaded *each =
      atomic_load_explicit((_Atomic(Loaded *) *)(void *)&kernel->state, memory_order_acquire);
  while (each && (each->context != context || (variant && each->variant != variant)))
    each = each->next;
  return each;
}

static TileGridForm formOf(const tile_rt_variant *v) {
  return (TileGridForm){.steps = (const TileGridStep *)(const void *)v->steps,
                        .numSteps = v->num_steps,
                        .numExtents = v->num_extents,
                        .extents = {v->extents[0], v->extents[1], v->extents[2]}};
}

/// Programs of a launch that pays for the copies that the variant makes; 0: it makes none.
static int64_t leastToPack(const tile_rt_kernel *kernel, const tile_rt_variant *v) {
  return kernel->variant_size >= sizeof *v ? v->packs : 0;
}

/// The first variant that the device and the arguments allow; and the grid.
static tile_status choose(const tile_rt_kernel *kernel, TileDevice *device, const uint64_t *slots,
                          const tile_rt_variant **variant, int32_t grid[3]) {
  const TileDeviceInfo *info = tileDeviceGetInfo(device);
  uint8_t facts[MAX_ARGUMENTS];
  bool fits = false, hasGrid = false;
  Wanted wanted = {NULL, 0, false};
  findFacts(kernel, slots, facts);
  for (size_t i = 0; i < kernel->num_variants; ++i) {
    const tile_rt_variant *v = variantOf(kernel, i);
    unsigned step;
    if (!runsOn(v, info->major, info->minor)) continue;
    fits = true;
    if (!factsHold(kernel, v, facts) || !isWanted(kernel, v, slots, &wanted)) continue;
    TileGridForm form = formOf(v);
    if (!tileGridFormEvaluate(&form, slots, grid, &step)) continue;
    hasGrid = true;
    int64_t many = leastToPack(kernel, v);
    int wave = tileFactOfGrid(info->multiprocessors, many ? many : INT64_MAX, grid);
    if (v->wave > (wave & TILE_FACT_WAVE) || (many && !(wave & TILE_FACT_MANY))) continue;
    *variant = v;
    return TILE_STATUS_OK;
  }
  if (!fits)
    return fail(TILE_STATUS_DEVICE,
                "expected a device for which '%s' was compiled, found %s (%d.%d)", kernel->name,
                info->name, info->major, info->minor);
  return fail(TILE_STATUS_ARGUMENT,
              "expected arguments for which '%s' was compiled, found others%s", kernel->name,
              hasGrid ? "" : ", or such that give no grid");
}

//===- loading ------------------------------------------------------------===//

/// With the mutex.
static Loaded *addLoaded(tile_rt_kernel *kernel, uint64_t context, TileDevice *device,
                         const tile_rt_variant *v, TileError *error) {
  Loaded *made = calloc(1, sizeof *made);
  if (!made) {
    tileErrorSetOutOfMemory(error, "expected memory for code, found none");
    return NULL;
  }
  *made = (Loaded){.context = context, .variant = v, .device = device};
  if (v) {
    TileModule *module = tileModuleCreate(device, v->code, v->code_size, NULL, error);
    TileKernel *code = module ? tileModuleGetKernel(module, kernel->name, error) : NULL;
    const TileLaunchFacts facts = {.arguments = (unsigned)kernel->num_arguments,
                                   .warps = v->warps,
                                   .sharedBytes = v->shared_bytes,
                                   .persistent = v->is_persistent,
                                   .sharesLast = v->shares_last,
                                   .oneProgram = v->one_program,
                                   .cluster = v->cluster,
                                   .maps = v->maps,
                                   .numMaps = v->num_maps};
    made->launcher = code ? tileLauncherCreate(code, &facts, error) : NULL;
    if (!made->launcher) {
      tileModuleDestroy(module);
      free(made);
      return NULL;
    }
  }
  made->next = kernel->state;
  atomic_store_explicit((_Atomic(Loaded *) *)(void *)&kernel->state, made, memory_order_release);
  return made;
}

/// The entry of a context without a variant: it holds the device.
static Loaded *enterContext(tile_rt_kernel *kernel, TileDriver *driver, uint64_t context,
                            TileError *error) {
  Loaded *found = findLoaded(kernel, context, NULL);
  if (found) return found;
  pthread_mutex_lock(&mutex);
  found = findLoaded(kernel, context, NULL);
  TileDevice *device = found ? NULL : tileDeviceBorrow(driver, error);
  if (device) found = addLoaded(kernel, context, device, NULL, error);
  if (!found) tileDeviceDestroy(device);
  pthread_mutex_unlock(&mutex);
  return found;
}

static Loaded *getLoaded(tile_rt_kernel *kernel, uint64_t context, TileDevice *device,
                         const tile_rt_variant *variant, TileError *error) {
  Loaded *found = findLoaded(kernel, context, variant);
  if (found) return found;
  pthread_mutex_lock(&mutex);
  found = findLoaded(kernel, context, variant);
  if (!found) found = addLoaded(kernel, context, device, variant, error);
  pthread_mutex_unlock(&mutex);
  return found;
}

/// What is written down has as much as the header had that it was made for, `least` at least.
static tile_status check(const tile_rt_kernel *kernel, const uint64_t *slots, size_t least) {
  if (kernel && kernel->size >= offsetof(tile_rt_kernel, keys) && kernel->variant_size >= least &&
      kernel->num_arguments <= MAX_ARGUMENTS && (slots || !kernel->num_arguments))
    return TILE_STATUS_OK;
  return fail(TILE_STATUS_ARGUMENT, "expected a kernel of tile-compile's and its arguments, found "
                                    "something else");
}

tile_status tile_rt_launch(tile_rt_kernel *kernel, void *stream, const uint64_t *slots) {
  tile_status bad = check(kernel, slots, offsetof(tile_rt_variant, cpu));
  if (bad) return bad;
  TileError error = TILE_ERROR_INIT;
  uint64_t context;
  int32_t grid[3] = {0};
  const tile_rt_variant *variant = NULL;
  TileDriver *driver = tileDriverOpen(&error);
  if (!driver || !tileDriverEnterCurrent(driver, &context, &error)) return failWith(&error);
  const Loaded *entry = enterContext(kernel, driver, context, &error);
  if (!entry) return failWith(&error);
  tile_status status = choose(kernel, entry->device, slots, &variant, grid);
  if (status) return status;
  if (!grid[0] || !grid[1] || !grid[2]) return TILE_STATUS_OK;
  const Loaded *loaded = getLoaded(kernel, context, entry->device, variant, &error);
  if (loaded && tileLauncherRunOn(loaded->launcher, slots, grid, stream, false, &error))
    return TILE_STATUS_OK;
  return failWith(&error);
}

//===- on the processor ---------------------------------------------------===//

/// The first variant that the arguments allow; and the grid. NULL where there is none.
static const tile_rt_variant *chooseCpu(const tile_rt_kernel *kernel, const uint64_t *slots,
                                        int32_t grid[3]) {
  uint8_t facts[MAX_ARGUMENTS];
  unsigned step;
  Wanted wanted = {NULL, 0, false};
  findFacts(kernel, slots, facts);
  for (size_t i = 0; i < kernel->num_variants; ++i) {
    const tile_rt_variant *v = variantOf(kernel, i);
    if (!v->cpu || !factsHold(kernel, v, facts) || !isWanted(kernel, v, slots, &wanted)) continue;
    TileGridForm form = formOf(v);
    if (tileGridFormEvaluate(&form, slots, grid, &step)) return v;
  }
  return NULL;
}

tile_status tile_rt_launch_cpu(tile_rt_kernel *kernel, const uint64_t *slots, int is_able) {
  tile_status status = check(kernel, slots, offsetof(tile_rt_variant, config));
  if (status) return status;
  if (!is_able)
    return fail(TILE_STATUS_UNSUPPORTED,
                "expected a processor with the instructions of that for which '%s' was compiled, "
                "found another",
                kernel->name);
  int32_t grid[3] = {0};
  TileError error = TILE_ERROR_INIT;
  const tile_rt_variant *v = chooseCpu(kernel, slots, grid);
  if (!v)
    return fail(TILE_STATUS_ARGUMENT,
                "expected arguments for which '%s' was compiled, found others", kernel->name);
  if (!grid[0] || !grid[1] || !grid[2]) return TILE_STATUS_OK;
  TileExecutor *executor = tileExecutorGetDefault(&error);
  if (executor && tileExecutorRun(executor, v->cpu, slots, grid, &error)) return TILE_STATUS_OK;
  fail(TILE_STATUS_SYSTEM, "%s", tileErrorGetMessage(&error));
  tileErrorDestroy(&error);
  return TILE_STATUS_SYSTEM;
}

void tile_rt_sort_order(const void *keys, int64_t bytes, int64_t kind, int64_t infinity,
                        int64_t descending, int64_t count, int64_t stride, uint64_t *order) {
  tileCpuSortOrder(keys, bytes, kind, infinity, descending, count, stride, order);
}

void tile_rt_sort_move(const void *from, void *to, int64_t bytes, int64_t count, int64_t stride,
                       const uint64_t *order) {
  tileCpuSortMove(from, to, bytes, count, stride, order);
}
