//===- ulp.c - the largest error of every math function -------------------===//
//
//   ulp [--target=cpu|gpu|both] [--only=exp,sin] [--type=f32|f64] [--stride=N] [--samples=N]
//       [--limits] [--kernels]
//
// Compiles each function as users do, runs it, and compares with the C library in a wider type:
// double for f32, long double (64 bits of mantissa) for f64. Those are within one unit of their own
// last place, 2^-29 and 2^-11 of ours, so the error is measured, not rounded: an exact result has
// up to 0.5 ULP. An ULP is the distance of floats around the exact result; that of subnormal
// numbers below the normal range. Infinity counts as the next power of two; NaN where a number
// belongs, and the reverse, as infinitely wrong.
//
// Inputs of f32: all 2^32, or every N-th of them (--stride). Of f64, and of functions of two
// numbers: --samples numbers of either sign whose exponents and mantissas are uniform, over
// 2^-32 .. 2^32 and over all bit patterns by turns.
//
// Prints a table, or with --kernels what it would compile; with --limits, fails where an error
// exceeds what the table in this file promises.
//===----------------------------------------------------------------------===//
#include "Ulp.h"
#include "mlir-c/IR.h"
#include "mlir-c/RegisterEverything.h"
#include "tile/Session/Program.h"
#include "tile/Tile.h"
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_THREADS = 64 };

/// Both sides of a comparison may be wanted at once: computing what is exact takes longest.
enum { CPU, GPU, TARGETS };

typedef struct {
  const char *only;
  bool targets[TARGETS];
  bool limits, kernels, f32, f64;
  uint64_t stride, samples;
} Options;

/// What all functions are measured with; `device` is null where nothing runs on a GPU.
typedef struct {
  const Options *options;
  MlirContext context;
  TileDevice *device;
} Run;

typedef struct {
  double error, x, y, found;
} Worst;

//===- inputs -------------------------------------------------------------===//

static const uint64_t odd = 0x9e3779b97f4a7c15;

static uint64_t bitsAt(const Sweep *s, uint64_t i, bool second) {
  uint64_t h = i * s->factor;
  if (second) h = (h ^ h >> 29) * odd;
  if (s->wide) return (s->low + (h & s->mask)) | (h >> 63 << 63);
  return (uint32_t)((s->low + (h & s->mask)) | (h & 0x80000000));
}

static double numberAt(const Sweep *s, uint64_t i, bool second) {
  uint64_t bits = bitsAt(s, i, second);
  if (s->wide) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
  }
  uint32_t half = (uint32_t)bits;
  float x;
  memcpy(&x, &half, sizeof x);
  return x;
}

//===- errors -------------------------------------------------------------===//

static double errorOf(size_t function, double x, Wide found, Wide exact, bool wide) {
  int least = wide ? -1022 : -126, most = wide ? 1024 : 128, mantissa = wide ? 52 : 23;
  if (isnan(exact) || isnan(found)) return isnan(exact) && isnan(found) ? 0 : (double)INFINITY;
  Wide limit = ldexpl(1, most);
  if (isinf(exact) || fabsl(exact) > limit) exact = copysignl(limit, exact);
  if (isinf(found)) found = copysignl(limit, found);
  int exponent = exact == 0 ? least : ilogbl(exact);
  double size = ulpFunctions[function].size ? ulpFunctions[function].size(x, wide) : 0;
  if (size > 0 && ilogb(size) > exponent) exponent = ilogb(size);
  if (exponent < least) exponent = least;
  if (exponent >= most) exponent = most - 1;
  return (double)(fabsl(found - exact) / ldexpl(1, exponent - mantissa));
}

static Wide exactOf(const Sweep *s, double x, double y) {
  size_t f = s->function;
  if (ulpFunctions[f].wide2)
    return s->wide ? ulpFunctions[f].wide2(x, y) : (Wide)ulpFunctions[f].narrow2(x, y);
  if (!ulpFunctions[f].wide) return (Wide)x / y;
  return s->wide || !ulpFunctions[f].narrow ? ulpFunctions[f].wide(x)
                                            : (Wide)ulpFunctions[f].narrow(x);
}

typedef struct {
  const Sweep *sweep;
  const void *results[TARGETS]; // null: not wanted
  uint64_t first, from, to;
  Worst worst[TARGETS];
} Slice;

/// Is a result of f32 off by `worst` at most, as far as a quick look tells? Nearly all are.
static inline bool isNoWorse(double found, double exact, double worst) {
  uint64_t bits;
  memcpy(&bits, &exact, sizeof bits);
  uint64_t exponent = bits >> 52 & 0x7ff;
  if (exponent >= 1023 + 128)
    return isnan(exact) ? isnan(found) : isinf(found) && signbit(found) == signbit(exact);
  // 2^-23 times the exact result's power of two, 2^-149 at least.
  if (exponent < 1023 - 126) exponent = 1023 - 126;
  uint64_t unit = (exponent - 23) << 52;
  double ulp;
  memcpy(&ulp, &unit, sizeof ulp);
  return fabs(found - exact) <= worst * ulp;
}

/// What a closer look gives. Kept out of the loop, whose registers are not those of the wide
/// numbers.
__attribute__((noinline)) static void look(size_t function, Worst *worst, double x, double found,
                                           double exact) {
  double error = errorOf(function, x, found, exact, false);
  if (error > worst->error) *worst = (Worst){error, x, 0, found};
}

static void *compareNarrow(Slice *p) {
  double (*one)(double) = ulpFunctions[p->sweep->function].narrow;
  for (uint64_t i = p->from; i < p->to; ++i) {
    double x = numberAt(p->sweep, p->first + i, false), exact = one(x);
    for (int t = 0; t < TARGETS; ++t) {
      if (!p->results[t]) continue;
      double found = ((const float *)p->results[t])[i];
      if (!isNoWorse(found, exact, p->worst[t].error))
        look(p->sweep->function, &p->worst[t], x, found, exact);
    }
  }
  return NULL;
}

static void *compare(void *data) {
  Slice *p = data;
  const Sweep *s = p->sweep;
  if (!s->wide && ulpFunctions[s->function].narrow) return compareNarrow(p);
  for (uint64_t i = p->from; i < p->to; ++i) {
    double x = numberAt(s, p->first + i, false), y = numberAt(s, p->first + i, true);
    Wide exact = exactOf(s, x, y);
    for (int t = 0; t < TARGETS; ++t) {
      const void *results = p->results[t];
      if (!results) continue;
      double found = s->wide ? ((const double *)results)[i] : (double)((const float *)results)[i];
      double error = errorOf(s->function, x, found, exact, s->wide);
      if (error > p->worst[t].error) p->worst[t] = (Worst){error, x, y, found};
    }
  }
  return NULL;
}

static void compareAll(const Sweep *s, const void *const *results, uint64_t first, Worst *worst) {
  long threads = sysconf(_SC_NPROCESSORS_ONLN);
  if (threads > MAX_THREADS) threads = MAX_THREADS;
  pthread_t ids[MAX_THREADS];
  Slice slices[MAX_THREADS];
  uint64_t count = s->count - first < s->batch ? s->count - first : s->batch;
  bool started[MAX_THREADS] = {false};
  for (long t = 0; t < threads; ++t) {
    slices[t] = (Slice){.sweep = s,
                        .results = {results[CPU], results[GPU]},
                        .worst = {worst[CPU], worst[GPU]},
                        .first = first,
                        .from = count * t / threads,
                        .to = count * (t + 1) / threads};
    started[t] = !pthread_create(&ids[t], NULL, compare, &slices[t]);
    if (!started[t]) compare(&slices[t]);
  }
  for (long t = 0; t < threads; ++t) {
    if (started[t]) pthread_join(ids[t], NULL);
    for (int k = 0; k < TARGETS; ++k)
      if (slices[t].worst[k].error > worst[k].error) worst[k] = slices[t].worst[k];
  }
}

//===- running ------------------------------------------------------------===//

/// The results of a batch, which live until the program is reset; null after an error.
static const void *runBatch(TileProgram *program, const char *const *arguments) {
  if (mlirLogicalResultIsFailure(tileProgramRun(program, arguments, 4))) return NULL;
  TileArray *array = tileProgramGetLaunchArray(program, 0, 0);
  TileError error = TILE_ERROR_INIT;
  if (array && tileArrayToHost(array, &error)) return array->host;
  fprintf(stderr, "ulp: %s\n", array ? tileErrorGetMessage(&error) : "no results");
  tileErrorDestroy(&error);
  return NULL;
}

static bool sweep(const Sweep *s, TileProgram *const *programs, Worst *worst) {
  char numbers[4][24];
  const char *arguments[4] = {numbers[0], numbers[1], numbers[2], numbers[3]};
  snprintf(numbers[1], sizeof numbers[1], "%" PRId64, (int64_t)s->factor);
  snprintf(numbers[2], sizeof numbers[2], "%" PRId64, (int64_t)s->low);
  snprintf(numbers[3], sizeof numbers[3], "%" PRId64, (int64_t)s->mask);
  for (uint64_t first = 0; first < s->count; first += s->batch) {
    snprintf(numbers[0], sizeof numbers[0], "%" PRId64, (int64_t)first);
    const void *results[TARGETS] = {NULL};
    for (int t = 0; t < TARGETS; ++t)
      if (programs[t] && !(results[t] = runBatch(programs[t], arguments))) return false;
    compareAll(s, results, first, worst);
    for (int t = 0; t < TARGETS; ++t)
      if (programs[t]) tileProgramReset(programs[t]);
  }
  return true;
}

/// The program of a sweep on a target, ready to run; null after an error. `module` must live
/// longer. Nobody opens a device for one function: that takes longer than all the rest.
static TileProgram *openProgram(MlirModule module, int target, TileDevice *device) {
  TileProgramOptions options = {.target = target == GPU ? TILE_PROGRAM_GPU : TILE_PROGRAM_CPU};
  TileProgram *program = tileProgramCreate(module, &options);
  if (!program) return NULL;
  MlirLogicalResult opened =
      target == GPU ? tileProgramOpenOn(program, device) : tileProgramOpen(program, NULL);
  if (mlirLogicalResultIsSuccess(opened)) return program;
  tileProgramDestroy(program);
  return NULL;
}

/// Sweeps of one function and type, whose kernels are the same.
static bool sweepAll(const Run *run, const Sweep *sweeps, size_t count, Worst *worst) {
  MlirModule modules[TARGETS] = {{NULL}};
  TileProgram *programs[TARGETS] = {NULL};
  bool done = true;
  for (int t = 0; t < TARGETS && done; ++t) {
    if (!run->options->targets[t]) continue;
    modules[t] = ulpModule(run->context, &sweeps[0]);
    programs[t] = mlirModuleIsNull(modules[t]) ? NULL : openProgram(modules[t], t, run->device);
    done = programs[t];
  }
  for (size_t i = 0; i < count && done; ++i) done = sweep(&sweeps[i], programs, worst);
  for (int t = 0; t < TARGETS; ++t) {
    if (programs[t]) tileProgramDestroy(programs[t]);
    if (!mlirModuleIsNull(modules[t])) mlirModuleDestroy(modules[t]);
  }
  return done;
}

/// All sweeps of one function and type.
static bool measure(const Run *run, size_t function, bool wide, Worst *worst) {
  Sweep s = {.function = function, .wide = wide};
  if (!wide && ulpFunctions[function].wide && !ulpFunctions[function].wide2) {
    s.factor = run->options->stride;
    s.mask = 0x7fffffff;
    s.count = (UINT64_C(1) << 32) / run->options->stride;
    s.batch = ulpBatch(s.count);
    return sweepAll(run, &s, 1, worst);
  }
  s.factor = odd;
  s.count = run->options->samples;
  s.batch = ulpBatch(s.count);
  Sweep both[2] = {s, s};
  both[0].low = wide ? (uint64_t)(1023 - 32) << 52 : (uint64_t)(127 - 32) << 23;
  both[0].mask = wide ? (UINT64_C(1) << 58) - 1 : (1 << 29) - 1;
  both[1].mask = wide ? INT64_MAX : 0x7fffffff;
  return sweepAll(run, both, 2, worst);
}

//===- the table ----------------------------------------------------------===//

static bool isWanted(const char *only, const char *name) {
  name = strchr(name, '.') + 1;
  size_t length = strlen(name);
  for (const char *at = only; at && (at = strstr(at, name)); at += length) {
    bool starts = at == only || at[-1] == ',', ends = !at[length] || at[length] == ',';
    if (starts && ends) return true;
  }
  return !only;
}

/// Is each name of --only that of a function?
static bool checkOnly(const char *only) {
  size_t count = numUlpFunctions;
  for (const char *at = only, *end; at; at = *end ? end + 1 : NULL) {
    end = at + strcspn(at, ",");
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)(end - at), at);
    size_t f = 0;
    while (f < count && strcmp(strchr(ulpFunctions[f].name, '.') + 1, name) != 0) ++f;
    if (f < count) continue;
    fprintf(stderr, "ulp: expected functions of the table (");
    for (f = 0; f < count; ++f)
      fprintf(stderr, "%s%s", f ? ", " : "", strchr(ulpFunctions[f].name, '.') + 1);
    fprintf(stderr, "), found '%s'\n", name);
    return false;
  }
  return true;
}

static void printWorst(const Worst *w, bool two, bool wide) {
  int digits = wide ? 17 : 9;
  if (w->error == 0)
    printf(" 0 | |");
  else if (two)
    printf(" %.3f | %.*g, %.*g |", w->error, digits, w->x, digits, w->y);
  else
    printf(" %.3f | %.*g |", w->error, digits, w->x);
}

/// Does an error stay within what is promised? Says so where it does not.
static bool checkLimit(size_t f, int target, bool wide, const Worst *w) {
  double limit = wide            ? ulpFunctions[f].f64
                 : target == GPU ? ulpFunctions[f].gpu
                                 : ulpFunctions[f].cpu;
  if (w->error <= limit) return true;
  fprintf(stderr, "ulp: expected %s of %s within %g ULP, found %g (%.17g) at %.17g, %.17g\n",
          ulpFunctions[f].name, wide ? "f64" : "f32", limit, w->error, w->found, w->x, w->y);
  return false;
}

static void printHeader(const Options *o) {
  static const char *const names[TARGETS] = {"CPU", "GPU"}, *const types[] = {"f32", "f64"};
  printf("| function |");
  for (int i = 0; i < 2 * TARGETS; ++i)
    if (o->targets[i % 2] && (i / 2 ? o->f64 : o->f32))
      printf(" %s, %s: ULP | at |", names[i % 2], types[i / 2]);
  printf("\n| --- |");
  for (int i = 0; i < 2 * TARGETS; ++i)
    if (o->targets[i % 2] && (i / 2 ? o->f64 : o->f32)) printf(" --- | --- |");
  printf("\n");
}

static int runAll(const Run *run) {
  const Options *o = run->options;
  int failures = 0;
  printHeader(o);
  for (size_t f = 0; f < numUlpFunctions; ++f) {
    if (!isWanted(o->only, ulpFunctions[f].name)) continue;
    printf("| %s |", strchr(ulpFunctions[f].name, '.') + 1);
    for (int wide = 0; wide < 2; ++wide) {
      if (!(wide ? o->f64 : o->f32)) continue;
      Worst worst[TARGETS] = {{0}};
      if (!measure(run, f, wide, worst)) return 1;
      for (int t = 0; t < TARGETS; ++t) {
        if (!o->targets[t]) continue;
        printWorst(&worst[t], ulpFunctions[f].wide2 || !ulpFunctions[f].wide, wide);
        failures += o->limits && !checkLimit(f, t, wide, &worst[t]);
      }
    }
    printf("\n");
    fflush(stdout);
  }
  return failures != 0;
}

/// The first GPU, for as long as this runs.
static int runOnDevice(MlirContext context, const Options *o) {
  Run run = {o, context, NULL};
  if (!o->targets[GPU]) return runAll(&run);
  TileError error = TILE_ERROR_INIT;
  TileDriver *driver = tileDriverOpen(&error);
  run.device = driver ? tileDeviceCreate(driver, 0, &error) : NULL;
  int status = 1;
  if (run.device)
    status = runAll(&run);
  else
    fprintf(stderr, "ulp: %s\n", tileErrorGetMessage(&error));
  tileErrorDestroy(&error);
  if (run.device) tileDeviceDestroy(run.device);
  return status;
}

static void printKernels(const Options *o) {
  for (size_t f = 0; f < numUlpFunctions; ++f)
    for (int wide = 0; wide < 2; ++wide) {
      if (!isWanted(o->only, ulpFunctions[f].name) || !(wide ? o->f64 : o->f32)) continue;
      if (ulpIsLibdevice(f)) continue;
      Sweep s = {.function = f, .wide = wide, .batch = ulpBatch(o->samples)};
      char *source = ulpModuleText(&s);
      printf("%s// -----\n", source);
      free(source);
    }
}

static bool parse(int argc, char **argv, Options *o) {
  for (int i = 1; i < argc; ++i) {
    const char *a = argv[i];
    if (!strncmp(a, "--only=", 7)) {
      o->only = a + 7;
    } else if (!strcmp(a, "--target=gpu") || !strcmp(a, "--target=cpu") ||
               !strcmp(a, "--target=both")) {
      o->targets[CPU] = a[9] != 'g';
      o->targets[GPU] = a[9] != 'c';
    } else if (!strcmp(a, "--type=f32") || !strcmp(a, "--type=f64")) {
      o->f32 = a[8] == '3';
      o->f64 = !o->f32;
    } else if (!strncmp(a, "--stride=", 9)) {
      o->stride = strtoull(a + 9, NULL, 10);
    } else if (!strncmp(a, "--samples=", 10)) {
      o->samples = strtoull(a + 10, NULL, 10);
    } else if (!strcmp(a, "--limits")) {
      o->limits = true;
    } else if (!strcmp(a, "--kernels")) {
      o->kernels = true;
    } else {
      return false;
    }
  }
  return o->stride > 0;
}

int main(int argc, char **argv) {
  Options options = {
      .targets = {true, false}, .f32 = true, .f64 = true, .stride = 1, .samples = 1 << 24};
  if (!parse(argc, argv, &options)) {
    fprintf(stderr,
            "usage: ulp [--target=cpu|gpu|both] [--only=NAME,..] [--type=f32|f64] [--stride=N] "
            "[--samples=N] [--limits] [--kernels]\n");
    return 2;
  }
  if (!checkOnly(options.only)) return 1;
  if (options.kernels) {
    printKernels(&options);
    return 0;
  }
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  int status = runOnDevice(context, &options);
  mlirContextDestroy(context);
  return status;
}
