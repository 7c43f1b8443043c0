// RUN: %unit/ConversionsTest
// RUN: %if hardware %{ env TILE_TEST_TARGET=gpu %unit/ConversionsTest %}
//===- ConversionsTest.c - every conversion of every type, to the bit -----===//
//
// Each pair of types that an op of arith converts, as tiles, as scalars, and of numbers that the
// compiler knows. What each number becomes is computed here, exactly, by the rules of
// docs/dialect.md ("Numbers at their ends"):
//
//   float to integer   towards zero; beyond the ends, the ends; NaN 0
//   to a float         the nearest, of two the even one; beyond the largest, infinity (f8E4M3FN:
//   NaN) integers           the low bits; zeros or the sign above them
//
// Numbers are a long double, whose 64 bits hold each number of each type. From types of 8 and 16
// bits all are tried, from wider ones those next to every power of two, ties of every length among
// them, and some thousand more.
//===----------------------------------------------------------------------===//
#include "mlir-c/Diagnostics.h"
#include "tile/Session/Program.h"
#include "tile/Text.h"
#include "tile/Tile.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

_Static_assert(LDBL_MANT_DIG >= 64, "numbers are exact in a long double");

//===- types --------------------------------------------------------------===//

/// Bits of an integer; or of a float's exponent and fraction, too, and whether it has infinities.
typedef struct Type {
  const char *name;
  unsigned bits, exponent, fraction;
  bool hasInfinity;
} Type;

static const Type types[] = {
    {"i1", 1, 0, 0, false},    {"i8", 8, 0, 0, false},    {"i16", 16, 0, 0, false},
    {"i32", 32, 0, 0, false},  {"i64", 64, 0, 0, false},  {"f8E4M3FN", 8, 4, 3, false},
    {"f8E5M2", 8, 5, 2, true}, {"f16", 16, 5, 10, true},  {"bf16", 16, 8, 7, true},
    {"f32", 32, 8, 23, true},  {"f64", 64, 11, 52, true},
};
enum { TYPES = sizeof types / sizeof *types };

// The analyzer takes any number for a field of this table's.
// NOLINTBEGIN(clang-analyzer-core.BitwiseShift)
static size_t sizeOf(const Type *t) { return t->bits < 8 ? 1 : t->bits / 8; }
static uint64_t maskOf(unsigned bits) {
  return bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}
static int biasOf(const Type *t) { return (1 << (t->exponent - 1)) - 1; }

/// The code of infinity, or of the NaN that stands in its place.
static uint64_t endOf(const Type *t) {
  uint64_t ones = maskOf(t->exponent) << t->fraction;
  return t->hasInfinity ? ones : ones | maskOf(t->fraction);
}

static bool isNaN(const Type *t, uint64_t code) {
  uint64_t magnitude = code & maskOf(t->bits - 1);
  return t->exponent && (t->hasInfinity ? magnitude > endOf(t) : magnitude == endOf(t));
}

static long double decodeFloat(const Type *t, uint64_t code) {
  uint64_t magnitude = code & maskOf(t->bits - 1), fraction = code & maskOf(t->fraction);
  int field = (int)(magnitude >> t->fraction), least = 1 - biasOf(t) - (int)t->fraction;
  long double value =
      t->hasInfinity && magnitude == endOf(t) ? HUGE_VALL
      : field ? ldexpl((long double)(fraction | UINT64_C(1) << t->fraction), least + field - 1)
              : ldexpl((long double)fraction, least);
  return code >> (t->bits - 1) ? -value : value;
}

static uint64_t encodeFloat(const Type *t, long double value) {
  uint64_t sign = (uint64_t)(signbit(value) != 0) << (t->bits - 1);
  if (isinf(value)) return sign | endOf(t);
  int exponent, least = 1 - biasOf(t);
  frexpl(value, &exponent);
  int scale = exponent - 1 > least && value != 0 ? exponent - 1 : least;
  // In units of the last place; rintl takes the even one of two. What is rounded up may have a bit
  // more, which is 1 for the exponent.
  uint64_t units = (uint64_t)rintl(ldexpl(fabsl(value), (int)t->fraction - scale));
  uint64_t code = units + ((uint64_t)(scale - least) << t->fraction);
  return sign | (code < endOf(t) ? code : endOf(t));
}

static long double decodeInt(const Type *t, uint64_t code, bool isSigned) {
  if (isSigned && code >> (t->bits - 1) & 1) return -(long double)((~code & maskOf(t->bits)) + 1);
  return (long double)code;
}

static uint64_t toInt(const Type *t, long double value, bool isSigned) {
  long double most = isSigned ? ldexpl(1, (int)t->bits - 1) - 1 : ldexpl(1, (int)t->bits) - 1;
  long double least = isSigned ? -ldexpl(1, (int)t->bits - 1) : 0;
  value = truncl(value);
  value = value > most ? most : value < least ? least : value;
  return value < 0 ? (~(uint64_t)-value + 1) & maskOf(t->bits) : (uint64_t)value;
}

//===- conversions --------------------------------------------------------===//

typedef enum Op {
  FPTOSI,
  FPTOUI,
  SITOFP,
  UITOFP,
  EXTF,
  TRUNCF,
  EXTSI,
  EXTUI,
  TRUNCI,
  BITCAST,
  OPS
} Op;
static const char *const opNames[OPS] = {"fptosi", "fptoui", "sitofp", "uitofp", "extf",
                                         "truncf", "extsi",  "extui",  "trunci", "bitcast"};

/// Does the op take these types?
static bool isPair(Op op, const Type *from, const Type *to) {
  bool in = from->exponent, out = to->exponent;
  switch (op) {
  case FPTOSI:
  case FPTOUI:
    return in && !out;
  case SITOFP:
  case UITOFP:
    return !in && out;
  case EXTF:
    return in && out && from->bits < to->bits;
  case TRUNCF:
    return in && out && from->bits > to->bits;
  case EXTSI:
  case EXTUI:
    return !in && !out && from->bits < to->bits;
  case TRUNCI:
    return !in && !out && from->bits > to->bits;
  default:
    return in != out && from->bits == to->bits;
  }
}

/// What `code` becomes; of a NaN, one of them.
static uint64_t convert(Op op, const Type *from, const Type *to, uint64_t code) {
  uint64_t nan = endOf(to) | maskOf(to->fraction);
  switch (op) {
  case FPTOSI:
  case FPTOUI:
    return isNaN(from, code) ? 0 : toInt(to, decodeFloat(from, code), op == FPTOSI);
  case SITOFP:
  case UITOFP:
    return encodeFloat(to, decodeInt(from, code, op == SITOFP));
  case EXTF:
  case TRUNCF:
    return isNaN(from, code) ? nan : encodeFloat(to, decodeFloat(from, code));
  case EXTSI:
    return code >> (from->bits - 1) ? (code | ~maskOf(from->bits)) & maskOf(to->bits) : code;
  default:
    return code & maskOf(to->bits);
  }
}

//===- numbers ------------------------------------------------------------===//

typedef struct Numbers {
  size_t count, capacity;
  uint64_t *codes;
} Numbers;

static void add(Numbers *n, const Type *t, uint64_t code) {
  if (n->count == n->capacity) {
    n->capacity = n->capacity ? 2 * n->capacity : 4096;
    uint64_t *grown = realloc(n->codes, n->capacity * sizeof *n->codes);
    assert_non_null(grown);
    n->codes = grown;
  }
  n->codes[n->count++] = code & maskOf(t->bits);
}

/// Next to sums of two powers of two.
static void addInts(Numbers *n, const Type *t) {
  for (unsigned a = 0; a < t->bits; ++a)
    for (unsigned b = 0; b <= a; ++b)
      for (int d = -1; d <= 1; ++d) {
        uint64_t code = (UINT64_C(1) << a) + (a == b ? 0 : UINT64_C(1) << b) + (uint64_t)d;
        add(n, t, code);
        add(n, t, ~code + 1);
      }
}

/// With each exponent: fractions that are next to 1, 2 or 3 units of every length, so ties of every
/// length.
static void addFloats(Numbers *n, const Type *t) {
  const int bias = biasOf(t), last = (int)maskOf(t->exponent);
  for (int e = 0; e <= last; ++e) {
    // Of f64 what is about another type's end, and its own.
    if (t->bits == 64 && e > 2 && e < last - 2 && (e < bias - 155 || e > bias + 132)) continue;
    for (unsigned p = 0; p < t->fraction; ++p)
      for (uint64_t units = 1; units <= 3; ++units)
        for (int d = -1; d <= 1; ++d) {
          uint64_t fraction = ((units << p) + (uint64_t)d) & maskOf(t->fraction);
          uint64_t code = (uint64_t)e << t->fraction | fraction;
          add(n, t, code);
          add(n, t, code | UINT64_C(1) << (t->bits - 1));
        }
  }
}

static Numbers makeNumbers(const Type *t) {
  Numbers n = {0};
  if (t->bits <= 16)
    for (uint64_t code = 0; code <= maskOf(t->bits); ++code) add(&n, t, code);
  else if (t->exponent)
    addFloats(&n, t);
  else
    addInts(&n, t);
  uint64_t random = 0x9E3779B97F4A7C15;
  for (int i = 0; t->bits > 16 && i < 4000; ++i) {
    // xorshift64 (Marsaglia, "Xorshift RNGs")
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    add(&n, t, random);
  }
  return n;
}

// NOLINTEND(clang-analyzer-core.BitwiseShift)

//===- kernels ------------------------------------------------------------===//

enum { TILE = 512, KNOWN = 256, MOST = 48 };

/// All pairs with one source, each with an array of results.
typedef struct Job {
  const Type *from;
  Numbers numbers;
  size_t count; // of pairs
  Op op[MOST];
  const Type *to[MOST];
  unsigned char *results[MOST];
  unsigned char *values;
} Job;

static void startKernel(const Job *j, TileText *text, const char *name, size_t programs) {
  tileTextPrint(text, "tile.func @%s(%%x: !tile.ptr<%s>", name, j->from->name);
  for (size_t i = 0; i < j->count; ++i)
    tileTextPrint(text, ", %%o%zu: !tile.ptr<%s>", i, j->to[i]->name);
  tileTextPrint(
      text,
      ") {\n  tile.grid() {\n    %%n = arith.constant %zu : i32\n    tile.yield %%n : i32\n  }\n"
      "  %%pid = tile.program_id x\n",
      programs);
}

static void addScalars(const Job *j, TileText *text) {
  const char *from = j->from->name;
  startKernel(j, text, "scalars", j->numbers.count);
  tileTextPrint(text,
                "  %%p = tile.addptr %%x, %%pid : !tile.ptr<%s>, i32\n  %%v = tile.load %%p : "
                "!tile.ptr<%s>\n",
                from, from);
  for (size_t i = 0; i < j->count; ++i) {
    const char *to = j->to[i]->name;
    tileTextPrint(text,
                  "  %%c%zu = arith.%s %%v : %s to %s\n  %%p%zu = tile.addptr %%o%zu, %%pid : "
                  "!tile.ptr<%s>, i32\n"
                  "  tile.store %%p%zu, %%c%zu : !tile.ptr<%s>\n",
                  i, opNames[j->op[i]], from, to, i, i, to, i, i, to);
  }
  tileTextAdd(text, "  tile.return\n}\n");
}

/// A tile of numbers that are loaded, or known: the first, those of `count` elements.
static void addTiles(const Job *j, TileText *text, bool known) {
  const char *from = j->from->name;
  const unsigned tile = known ? KNOWN : TILE;
  startKernel(j, text, known ? "known" : "tiles", known ? 1 : (j->numbers.count + TILE - 1) / TILE);
  tileTextPrint(
      text,
      "  %%size = arith.constant %u : i32\n  %%end = arith.constant dense<%zu> : tensor<%uxi32>\n"
      "  %%first = arith.muli %%pid, %%size : i32\n"
      "  %%lane = tile.arange : tensor<%uxi32>\n  %%base = tile.splat %%first : i32 -> "
      "tensor<%uxi32>\n"
      "  %%offs = arith.addi %%base, %%lane : tensor<%uxi32>\n"
      "  %%in = arith.cmpi slt, %%offs, %%end : tensor<%uxi32>\n",
      tile, j->numbers.count, tile, tile, tile, tile, tile);
  if (known) {
    tileTextAdd(text, "  %v = arith.constant dense<\"0x");
    size_t size = sizeOf(j->from);
    for (size_t i = 0; i < KNOWN * size; ++i) {
      // Numbers from all over the list.
      size_t at = i / size * (j->numbers.count / KNOWN) * size + i % size;
      tileTextPrint(text, "%02X", j->values[at]);
    }
    tileTextPrint(text, "\"> : tensor<%ux%s>\n", tile, from);
  } else {
    tileTextPrint(text,
                  "  %%xs = tile.splat %%x : !tile.ptr<%s> -> tensor<%ux!tile.ptr<%s>>\n"
                  "  %%p = tile.addptr %%xs, %%offs : tensor<%ux!tile.ptr<%s>>, tensor<%uxi32>\n"
                  "  %%v = tile.load %%p, %%in : tensor<%ux!tile.ptr<%s>>\n",
                  from, tile, from, tile, from, tile, tile, from);
  }
  for (size_t i = 0; i < j->count; ++i) {
    const char *to = j->to[i]->name;
    tileTextPrint(
        text,
        "  %%c%zu = arith.%s %%v : tensor<%ux%s> to tensor<%ux%s>\n"
        "  %%s%zu = tile.splat %%o%zu : !tile.ptr<%s> -> tensor<%ux!tile.ptr<%s>>\n"
        "  %%p%zu = tile.addptr %%s%zu, %%offs : tensor<%ux!tile.ptr<%s>>, tensor<%uxi32>\n"
        "  tile.store %%p%zu, %%c%zu, %%in : tensor<%ux!tile.ptr<%s>>\n",
        i, opNames[j->op[i]], tile, from, tile, to, i, i, to, tile, to, i, i, tile, to, tile, i, i,
        tile, to);
  }
  tileTextAdd(text, "  tile.return\n}\n");
}

//===- runs ---------------------------------------------------------------===//

static uint64_t readCode(const unsigned char *data, const Type *t, size_t i) {
  uint64_t code = 0;
  memcpy(&code, data + i * sizeOf(t), sizeOf(t));
  return code;
}

/// Compares `count` results with what the rules give for the numbers `step` apart; how many differ.
static size_t compare(const Job *j, const char *kernel, size_t count, size_t step) {
  size_t wrong = 0;
  for (size_t i = 0; i < j->count; ++i)
    for (size_t k = 0, shown = 0; k < count; ++k) {
      uint64_t code = j->numbers.codes[k * step], got = readCode(j->results[i], j->to[i], k);
      uint64_t want = convert(j->op[i], j->from, j->to[i], code);
      bool same = got == want || (isNaN(j->to[i], want) && isNaN(j->to[i], got));
      wrong += !same;
      if (!same && shown++ < 4)
        print_error("%s: %s %s to %s of %llx: expected %llx, found %llx\n", kernel,
                    opNames[j->op[i]], j->from->name, j->to[i]->name, (unsigned long long)code,
                    (unsigned long long)want, (unsigned long long)got);
    }
  return wrong;
}

static TileProgramTarget getTarget(void) {
  const char *target = getenv("TILE_TEST_TARGET");
  return target && !strcmp(target, "gpu") ? TILE_PROGRAM_GPU : TILE_PROGRAM_CPU;
}

/// Runs a kernel of the program over arrays that go to the device if there is one.
static void call(TileProgram *p, Job *j, const char *kernel) {
  TileError error = TILE_ERROR_INIT;
  TileArray *arrays[MOST + 1];
  uint64_t slots[MOST + 1];
  assert_true(mlirLogicalResultIsSuccess(tileProgramOpen(p, NULL)));
  TileDevice *device = tileProgramGetDevice(p);
  for (size_t i = 0; i <= j->count; ++i) {
    const Type *t = i ? j->to[i - 1] : j->from;
    TileElementType type;
    assert_true(tileElementParse(t->name, strlen(t->name), &type));
    const int64_t shape[] = {(int64_t)j->numbers.count};
    arrays[i] = tileArrayCreate(type, 1, shape, &error);
    assert_non_null(arrays[i]);
    if (!i) {
      memcpy(arrays[i]->host, j->values, arrays[i]->bytes);
      tileArrayMarkHostWritten(arrays[i]); // else a device takes it for new, which is zeros
    }
    if (device) assert_true(tileArrayToDevice(arrays[i], device, &error));
    slots[i] = device ? arrays[i]->devicePtr : (uint64_t)(uintptr_t)arrays[i]->host;
  }
  MlirStringRef name = mlirStringRefCreateFromCString(kernel);
  assert_true(mlirLogicalResultIsSuccess(tileProgramCall(p, name, slots, j->count + 1, NULL)));
  for (size_t i = 0; i < j->count; ++i) {
    if (device) tileArrayMarkDeviceWritten(arrays[i + 1]);
    assert_true(tileArrayToHost(arrays[i + 1], &error));
    memcpy(j->results[i], arrays[i + 1]->host, arrays[i + 1]->bytes);
  }
  for (size_t i = 0; i <= j->count; ++i) tileArrayDestroy(arrays[i]);
}

static void runJob(MlirContext context, Job *j) {
  // The text of tiles of i1 is not bytes.
  bool known = j->from->bits > 1;
  TileText text = {0};
  addScalars(j, &text);
  addTiles(j, &text, false);
  if (known) addTiles(j, &text, true);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text.data));
  assert_false(mlirModuleIsNull(module));
  TileProgramOptions options = {.target = getTarget()};
  TileProgram *p = tileProgramCreate(module, &options);
  assert_non_null(p);
  call(p, j, "scalars");
  size_t wrong = compare(j, "scalars", j->numbers.count, 1);
  call(p, j, "tiles");
  wrong += compare(j, "tiles", j->numbers.count, 1);
  if (known) {
    call(p, j, "known");
    wrong += compare(j, "known", KNOWN, j->numbers.count / KNOWN);
  }
  tileProgramDestroy(p);
  mlirModuleDestroy(module);
  free(text.data);
  assert_int_equal(wrong, 0);
}

/// All that can be converted from a type.
static void convertsFrom(void **state) {
  Job j = {.from = *state};
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  j.numbers = makeNumbers(j.from);
  size_t size = sizeOf(j.from);
  j.values = calloc(j.numbers.count, size);
  assert_non_null(j.values);
  for (size_t i = 0; i < j.numbers.count; ++i)
    memcpy(j.values + i * size, &j.numbers.codes[i], size);
  for (Op op = 0; op < OPS; ++op)
    for (size_t t = 0; t < TYPES; ++t) {
      if (!isPair(op, j.from, &types[t])) continue;
      assert_in_range(j.count, 0, MOST - 1);
      j.op[j.count] = op;
      j.to[j.count] = &types[t];
      j.results[j.count] = calloc(j.numbers.count, sizeOf(&types[t]));
      assert_non_null(j.results[j.count++]);
    }
  runJob(context, &j);
  for (size_t i = 0; i < j.count; ++i) free(j.results[i]);
  free(j.values);
  free(j.numbers.codes);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
}

/// The reference itself, on numbers that a person looked up.
static void knowsNumbers(void **state) {
  (void)state;
  const Type *e4m3 = &types[5], *e5m2 = &types[6], *f16 = &types[7], *bf16 = &types[8],
             *f32 = &types[9];
  // OCP 8-bit Floating Point Specification, table 1; IEEE 754 and bfloat16 by hand.
  assert_true(decodeFloat(e4m3, 0x7E) == 448 && decodeFloat(e4m3, 0x01) == 0x1p-9L &&
              isNaN(e4m3, 0xFF));
  assert_true(decodeFloat(e5m2, 0x7B) == 57344 && decodeFloat(e5m2, 0x01) == 0x1p-16L &&
              isNaN(e5m2, 0x7D));
  assert_true(isinf(decodeFloat(e5m2, 0xFC)) && !isNaN(e5m2, 0xFC) &&
              decodeFloat(f16, 0x3555) == 0x1.554p-2L);
  assert_int_equal(encodeFloat(f32, 1.0L / 3), 0x3EAAAAAB);
  assert_int_equal(encodeFloat(f16, 65519), 0x7BFF);
  assert_int_equal(encodeFloat(f16, 65520), 0x7C00);
  assert_int_equal(encodeFloat(f16, 0x1p-25L), 0);
  assert_int_equal(encodeFloat(f16, 0x1.8p-24L), 2);
  assert_int_equal(encodeFloat(bf16, 257), 0x4380);
  assert_int_equal(encodeFloat(bf16, 259), 0x4382);
  assert_int_equal(encodeFloat(e4m3, 464), 0x7E);
  assert_int_equal(encodeFloat(e4m3, 465), 0x7F);
  assert_int_equal(encodeFloat(f32, -0.0L), 0x80000000);
  assert_int_equal(toInt(&types[1], 127.9L, true), 127);
  assert_int_equal(toInt(&types[1], -300, true), 0x80);
  assert_int_equal(toInt(&types[4], 0x1p64L, false), UINT64_MAX);
  assert_int_equal(toInt(&types[0], -1, true), 1);
  assert_true(decodeInt(&types[4], UINT64_C(1) << 63, true) == -0x1p63L);
}

int main(void) {
  struct CMUnitTest tests[TYPES + 1] = {cmocka_unit_test(knowsNumbers)};
  for (size_t i = 0; i < TYPES; ++i)
    tests[i + 1] = (struct CMUnitTest){.name = types[i].name,
                                       .test_func = convertsFrom,
                                       .initial_state = (void *)(uintptr_t)&types[i]};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
