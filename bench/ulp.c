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

/// Results of one launch.
enum { BATCH = 1 << 22, MAX_THREADS = 64 };

typedef long double Wide;

static Wide rsqrtWide(Wide x) { return 1 / sqrtl(x); }
static double rsqrtNarrow(double x) { return 1 / sqrt(x); }

static Wide sigmoidWide(Wide x) { return 1 / (1 + expl(-x)); }
static double sigmoidNarrow(double x) { return 1 / (1 + exp(-x)); }

// The third number: another one, or what leaves nothing of the product but its rounding error,
// which only a fused operation has.
static Wide fmaWide(Wide x, Wide y) {
  double p = (double)x, q = (double)y;
  return fmal(x, y, p < 0 ? q : -(p * q));
}
static double fmaNarrow(double x, double y) { return fma(x, y, x < 0 ? y : -(float)(x * y)); }

static Wide maximumWide(Wide x, Wide y) { return isunordered(x, y) ? (Wide)NAN : fmaxl(x, y); }
static Wide minimumWide(Wide x, Wide y) { return isunordered(x, y) ? (Wide)NAN : fminl(x, y); }
static double maximumNarrow(double x, double y) { return isunordered(x, y) ? NAN : fmax(x, y); }
static double minimumNarrow(double x, double y) { return isunordered(x, y) ? NAN : fmin(x, y); }

static const struct {
  const char *name;
  double (*narrow)(double);
  Wide (*wide)(Wide);
  double (*narrow2)(double, double);
  Wide (*wide2)(Wide, Wide);
  /// What --limits promises, in ULP: of f32 on CPU and GPU, of f64.
  double cpu, gpu, f64;
} functions[] = {
#define ONE(name, ...) {"math." #name, name, name##l, NULL, NULL, __VA_ARGS__}
    ONE(exp, 1.5, 3.5, 1.5),
    ONE(exp2, 1.5, 2.5, 1.5),
    ONE(expm1, 2, 2, 2),
    ONE(log, 1.5, 1.5, 1.5),
    ONE(log2, 1.5, 1.5, 1.5),
    ONE(log10, 2, 2, 1),
    ONE(log1p, 2, 2, 2),
    ONE(sin, 2, 2, 2),
    ONE(cos, 2, 2, 2),
    ONE(tan, 3.5, 4, 3.5),
    ONE(tanh, 3, 3, 3),
    ONE(sinh, 4, 4, 4),
    ONE(cosh, 4, 4, 4),
    ONE(asinh, 4, 4, 4),
    ONE(acosh, 4, 4, 4),
    ONE(atanh, 4, 4, 4),
    ONE(atan, 2, 2, 2),
    ONE(asin, 2, 2, 2),
    ONE(acos, 2, 2, 2),
    ONE(cbrt, 1, 1, 1),
    ONE(erf, 2, 2, 2),
    ONE(erfc, 4.5, 4.5, 5),
    ONE(sqrt, 0.5001, 0.5001, 0.501),
    ONE(floor, 0, 0, 0),
    ONE(ceil, 0, 0, 0),
    ONE(round, 0, 0, 0),
    ONE(trunc, 0, 0, 0),
#undef ONE
    {"math.roundeven", rint, rintl, NULL, NULL, 0, 0, 0},
    {"math.absf", fabs, fabsl, NULL, NULL, 0, 0, 0},
    {"math.rsqrt", rsqrtNarrow, rsqrtWide, NULL, NULL, 1.5, 2, 1.5},
    // No op of its own: as kernels write it, see `sigmoid`.
    {"math.sigmoid", sigmoidNarrow, sigmoidWide, NULL, NULL, 2.5, 5, 2.5},
    // As kernels write it, with the third number of `fused`.
    {"math.fma", NULL, NULL, fmaNarrow, fmaWide, 0.5001, 0.5001, 0.501},
    // NaN wins in the first two, and loses in the others.
    {"arith.maximumf", NULL, NULL, maximumNarrow, maximumWide, 0, 0, 0},
    {"arith.minimumf", NULL, NULL, minimumNarrow, minimumWide, 0, 0, 0},
    {"arith.maxnumf", NULL, NULL, fmax, fmaxl, 0, 0, 0},
    {"arith.minnumf", NULL, NULL, fmin, fminl, 0, 0, 0},
    {"math.powf", NULL, NULL, pow, powl, 1.5, 1.5, 1.5},
    {"math.atan2", NULL, NULL, atan2, atan2l, 2.5, 2.5, 2.5},
    {"arith.divf", NULL, NULL, NULL, NULL, 0.5001, 0.5001, 0.501},
};

/// Both sides of a comparison may be wanted at once: computing what is exact takes longest.
enum { CPU, GPU, TARGETS };

typedef struct {
  const char *only;
  bool targets[TARGETS];
  bool limits, kernels, f32, f64;
  uint64_t stride, samples;
} Options;

/// One function on one type, and how its inputs come from counting: bits = low + (h & mask) with
/// the sign of h, h = (first + i) * factor; another of h * 0x9e37..15 for the second number.
typedef struct {
  size_t function;
  bool wide;
  uint64_t factor, low, mask, count;
} Sweep;

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

static double errorOf(Wide found, Wide exact, bool wide) {
  int least = wide ? -1022 : -126, most = wide ? 1024 : 128, mantissa = wide ? 52 : 23;
  if (isnan(exact) || isnan(found)) return isnan(exact) && isnan(found) ? 0 : (double)INFINITY;
  Wide limit = ldexpl(1, most);
  if (isinf(exact) || fabsl(exact) > limit) exact = copysignl(limit, exact);
  if (isinf(found)) found = copysignl(limit, found);
  int exponent = exact == 0 ? least : ilogbl(exact);
  if (exponent < least) exponent = least;
  if (exponent >= most) exponent = most - 1;
  return (double)(fabsl(found - exact) / ldexpl(1, exponent - mantissa));
}

static Wide exactOf(const Sweep *s, double x, double y) {
  size_t f = s->function;
  if (functions[f].wide2)
    return s->wide ? functions[f].wide2(x, y) : (Wide)functions[f].narrow2(x, y);
  if (!functions[f].wide) return (Wide)x / y;
  return s->wide || !functions[f].narrow ? functions[f].wide(x) : (Wide)functions[f].narrow(x);
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
__attribute__((noinline)) static void look(Worst *worst, double x, double found, double exact) {
  double error = errorOf(found, exact, false);
  if (error > worst->error) *worst = (Worst){error, x, 0, found};
}

static void *compareNarrow(Slice *p) {
  double (*one)(double) = functions[p->sweep->function].narrow;
  for (uint64_t i = p->from; i < p->to; ++i) {
    double x = numberAt(p->sweep, p->first + i, false), exact = one(x);
    for (int t = 0; t < TARGETS; ++t) {
      if (!p->results[t]) continue;
      double found = ((const float *)p->results[t])[i];
      if (!isNoWorse(found, exact, p->worst[t].error)) look(&p->worst[t], x, found, exact);
    }
  }
  return NULL;
}

static void *compare(void *data) {
  Slice *p = data;
  const Sweep *s = p->sweep;
  if (!s->wide && functions[s->function].narrow) return compareNarrow(p);
  for (uint64_t i = p->from; i < p->to; ++i) {
    double x = numberAt(s, p->first + i, false), y = numberAt(s, p->first + i, true);
    Wide exact = exactOf(s, x, y);
    for (int t = 0; t < TARGETS; ++t) {
      const void *results = p->results[t];
      if (!results) continue;
      double found = s->wide ? ((const double *)results)[i] : (double)((const float *)results)[i];
      double error = errorOf(found, exact, s->wide);
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
  uint64_t count = s->count - first < BATCH ? s->count - first : BATCH;
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

static const char text[] =
    "!n = tensor<1024xi64>\n!b = tensor<1024xINT>\n!f = tensor<1024xFLOAT>\n"
    "!p = tensor<1024x!tile.ptr<FLOAT>>\n"
    "tile.func @f(%out: !tile.ptr<FLOAT>, %first: i64, %factor: i64, %low: i64, %mask: i64) {\n"
    "  tile.grid() {\n    %g = arith.constant 4096 : i32\n    tile.yield %g : i32\n  }\n"
    "  %pid = tile.program_id x\n  %size = arith.constant 1024 : i32\n"
    "  %start = arith.muli %pid, %size : i32\n  %lane = tile.arange : tensor<1024xi32>\n"
    "  %starts = tile.splat %start : i32 -> tensor<1024xi32>\n"
    "  %at = arith.addi %starts, %lane : tensor<1024xi32>\n"
    "  %wide = arith.extui %at : tensor<1024xi32> to !n\n"
    "  %firsts = tile.splat %first : i64 -> !n\n  %i = arith.addi %firsts, %wide : !n\n"
    "  %factors = tile.splat %factor : i64 -> !n\n  %lows = tile.splat %low : i64 -> !n\n"
    "  %masks = tile.splat %mask : i64 -> !n\n  %h = arith.muli %i, %factors : !n\n"
    "  %c29 = arith.constant dense<29> : !n\n  %odd = arith.constant dense<-7046029254386353131> : "
    "!n\n"
    "  %sign = arith.constant dense<SIGN> : !n\n"
    "  %xm = arith.andi %h, %masks : !n\n  %xl = arith.addi %xm, %lows : !n\n"
    "  %xs = arith.andi %h, %sign : !n\n  %xb = arith.ori %xl, %xs : !n\n"
    "  %h1 = arith.shrui %h, %c29 : !n\n  %h2 = arith.xori %h, %h1 : !n\n"
    "  %k = arith.muli %h2, %odd : !n\n"
    "  %ym = arith.andi %k, %masks : !n\n  %yl = arith.addi %ym, %lows : !n\n"
    "  %ys = arith.andi %k, %sign : !n\n  %yb = arith.ori %yl, %ys : !n\n"
    "CONVERT  %y = FUNCTION : !f\n"
    "  %os = tile.splat %out : !tile.ptr<FLOAT> -> !p\n"
    "  %op = tile.addptr %os, %at : !p, tensor<1024xi32>\n  tile.store %op, %y : !p\n"
    "  tile.return\n}\n"
    "func.func @main(%first: i64, %factor: i64, %low: i64, %mask: i64) {\n"
    "  %out = tile_host.alloc() : () -> memref<4194304xFLOAT>\n"
    "  tile_host.launch @f(%out, %first, %factor, %low, %mask) : memref<4194304xFLOAT>, i64, i64, "
    "i64, "
    "i64\n  return\n}\n";

/// 1 / (1 + e) or e / (1 + e) with e = exp(-|x|), which is small: neither overflows, nor loses bits
/// where the result is small.
static const char sigmoid[] =
    "  %away = math.absf %x0 : !f\n  %minus = arith.negf %away : !f\n  %e = math.exp %minus : !f\n"
    "  %one = arith.constant dense<1.0> : !f\n  %none = arith.constant dense<0.0> : !f\n"
    "  %sum = arith.addf %one, %e : !f\n  %below = arith.cmpf olt, %x0, %none : !f\n"
    "  %top = arith.select %below, %e, %one : tensor<1024xi1>, !f\n";

/// The third number of math.fma, see fmaWide.
static const char fused[] =
    "  %none = arith.constant dense<0.0> : !f\n  %below = arith.cmpf olt, %x0, %none : !f\n"
    "  %product = arith.mulf %x0, %x1 : !f\n  %minus = arith.negf %product : !f\n"
    "  %third = arith.select %below, %x1, %minus : tensor<1024xi1>, !f\n";

/// `text` with the words for one function and type put in.
static char *moduleText(const Sweep *s) {
  bool two = functions[s->function].wide2 || !functions[s->function].wide;
  bool isSigmoid = !strcmp(functions[s->function].name, "math.sigmoid");
  bool isFused = !strcmp(functions[s->function].name, "math.fma");
  char call[64], convert[1024];
  snprintf(call, sizeof call, "%s %%x0%s%s", functions[s->function].name, two ? ", %x1" : "",
           isFused ? ", %third" : "");
  if (isSigmoid) snprintf(call, sizeof call, "arith.divf %%top, %%sum");
  const char *inputs =
      s->wide ? "  %x0 = arith.bitcast %xb : !n to !f\n  %x1 = arith.bitcast %yb : !n to !f\n"
              : "  %x2 = arith.trunci %xb : !n to !b\n  %x0 = arith.bitcast %x2 : !b to !f\n"
                "  %x3 = arith.trunci %yb : !n to !b\n  %x1 = arith.bitcast %x3 : !b to !f\n";
  snprintf(convert, sizeof convert, "%s%s", inputs, isSigmoid ? sigmoid : isFused ? fused : "");
  const char *words[][2] = {{"FUNCTION", call},
                            {"CONVERT", convert},
                            {"FLOAT", s->wide ? "f64" : "f32"},
                            {"INT", s->wide ? "i64" : "i32"},
                            {"SIGN", s->wide ? "-9223372036854775808" : "2147483648"}};
  char *result = calloc(sizeof text + 2048, 1);
  if (!result) abort();
  size_t used = 0;
  for (const char *at = text; *at;) {
    size_t w = 0, count = sizeof words / sizeof *words;
    while (w < count && strncmp(at, words[w][0], strlen(words[w][0])) != 0) ++w;
    if (w == count) {
      result[used++] = *at++;
      continue;
    }
    at += strlen(words[w][0]);
    strcpy(result + used, words[w][1]);
    used += strlen(words[w][1]);
  }
  return result;
}

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

static bool sweepBatches(const Sweep *s, TileProgram *const *programs, Worst *worst) {
  char numbers[4][24];
  const char *arguments[4] = {numbers[0], numbers[1], numbers[2], numbers[3]};
  snprintf(numbers[1], sizeof numbers[1], "%" PRId64, (int64_t)s->factor);
  snprintf(numbers[2], sizeof numbers[2], "%" PRId64, (int64_t)s->low);
  snprintf(numbers[3], sizeof numbers[3], "%" PRId64, (int64_t)s->mask);
  for (uint64_t first = 0; first < s->count; first += BATCH) {
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
/// longer.
static TileProgram *openProgram(MlirModule module, int target) {
  TileProgramOptions options = {.target = target == GPU ? TILE_PROGRAM_GPU : TILE_PROGRAM_CPU};
  TileProgram *program = tileProgramCreate(module, &options);
  if (!program || mlirLogicalResultIsSuccess(tileProgramOpen(program, NULL))) return program;
  tileProgramDestroy(program);
  return NULL;
}

static bool sweep(MlirContext context, const Options *o, const Sweep *s, Worst *worst) {
  char *source = moduleText(s);
  MlirModule modules[TARGETS] = {{NULL}};
  TileProgram *programs[TARGETS] = {NULL};
  bool done = true;
  for (int t = 0; t < TARGETS && done; ++t) {
    if (!o->targets[t]) continue;
    modules[t] = tileParse(context, mlirStringRefCreateFromCString(source),
                           mlirStringRefCreateFromCString("<text>"));
    programs[t] = mlirModuleIsNull(modules[t]) ? NULL : openProgram(modules[t], t);
    done = programs[t];
  }
  free(source);
  done = done && sweepBatches(s, programs, worst);
  for (int t = 0; t < TARGETS; ++t) {
    if (programs[t]) tileProgramDestroy(programs[t]);
    if (!mlirModuleIsNull(modules[t])) mlirModuleDestroy(modules[t]);
  }
  return done;
}

/// All sweeps of one function and type.
static bool measure(MlirContext context, const Options *o, size_t function, bool wide,
                    Worst *worst) {
  Sweep s = {.function = function, .wide = wide};
  if (!wide && functions[function].wide && !functions[function].wide2) {
    s.factor = o->stride;
    s.mask = 0x7fffffff;
    s.count = (UINT64_C(1) << 32) / o->stride;
    return sweep(context, o, &s, worst);
  }
  s.factor = odd;
  s.count = o->samples;
  s.low = wide ? (uint64_t)(1023 - 32) << 52 : (uint64_t)(127 - 32) << 23;
  s.mask = wide ? (UINT64_C(1) << 58) - 1 : (1 << 29) - 1;
  if (!sweep(context, o, &s, worst)) return false;
  s.low = 0;
  s.mask = wide ? INT64_MAX : 0x7fffffff;
  return sweep(context, o, &s, worst);
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
  size_t count = sizeof functions / sizeof *functions;
  for (const char *at = only, *end; at; at = *end ? end + 1 : NULL) {
    end = at + strcspn(at, ",");
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)(end - at), at);
    size_t f = 0;
    while (f < count && strcmp(strchr(functions[f].name, '.') + 1, name) != 0) ++f;
    if (f < count) continue;
    fprintf(stderr, "ulp: expected functions of the table (");
    for (f = 0; f < count; ++f)
      fprintf(stderr, "%s%s", f ? ", " : "", strchr(functions[f].name, '.') + 1);
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
  double limit = wide ? functions[f].f64 : target == GPU ? functions[f].gpu : functions[f].cpu;
  if (w->error <= limit) return true;
  fprintf(stderr, "ulp: expected %s of %s within %g ULP, found %g (%.17g) at %.17g, %.17g\n",
          functions[f].name, wide ? "f64" : "f32", limit, w->error, w->found, w->x, w->y);
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

static int run(MlirContext context, const Options *o) {
  int failures = 0;
  printHeader(o);
  for (size_t f = 0; f < sizeof functions / sizeof *functions; ++f) {
    if (!isWanted(o->only, functions[f].name)) continue;
    printf("| %s |", strchr(functions[f].name, '.') + 1);
    for (int wide = 0; wide < 2; ++wide) {
      if (!(wide ? o->f64 : o->f32)) continue;
      Worst worst[TARGETS] = {{0}};
      if (!measure(context, o, f, wide, worst)) return 1;
      for (int t = 0; t < TARGETS; ++t) {
        if (!o->targets[t]) continue;
        printWorst(&worst[t], functions[f].wide2 || !functions[f].wide, wide);
        failures += o->limits && !checkLimit(f, t, wide, &worst[t]);
      }
    }
    printf("\n");
    fflush(stdout);
  }
  return failures != 0;
}

static void printKernels(const Options *o) {
  for (size_t f = 0; f < sizeof functions / sizeof *functions; ++f)
    for (int wide = 0; wide < 2; ++wide) {
      if (!isWanted(o->only, functions[f].name) || !(wide ? o->f64 : o->f32)) continue;
      Sweep s = {.function = f, .wide = wide};
      char *source = moduleText(&s);
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
  int status = run(context, &options);
  mlirContextDestroy(context);
  return status;
}
