// RUN: %unit/LauncherTest
//===- LauncherTest.c - what a launch adds to a kernel's arguments --------===//
//
// Descriptions of tensor maps against values worked out by hand, and launches against the fake
// driver (test/Support/FakeCudaDriver.c), which keeps what it was given.
//
//===----------------------------------------------------------------------===//
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "FakeFixture.h"
#include <stdlib.h>

//===- descriptions -------------------------------------------------------===//

/// Evaluates `text`, which must be right.
static bool evaluate(const char *text, const uint64_t *slots, unsigned count,
                     TileTensorMapSpec *spec, bool *empty) {
  TileMapForm *form = tileMapFormCreate(text, &error);
  if (!form) fail_msg("%s", tileErrorGetMessage(&error));
  bool ok = tileMapFormEvaluate(form, slots, count, spec, empty, &error);
  tileMapFormDestroy(form);
  return ok;
}

static void aDescriptionIsEvaluated(void **state) {
  (void)state;
  // The upper half of an i32's slot is not its own.
  const uint64_t slots[] = {0x1000, 0xabcd000000000064, 511, 0xffffffff};
  TileTensorMapSpec spec;
  bool empty;
  assert_true(evaluate("bf16 %0 [%1:i32, (add:i32 %2:i32 %3:i32)] [(mul:i64 %1:i32 8)] "
                       "box [128, 64] swizzle 128 padding nan",
                       slots, 4, &spec, &empty));
  assert_false(empty);
  assert_int_equal(spec.type, TILE_ELEMENT_BF16);
  assert_int_equal(spec.rank, 2);
  assert_int_equal(spec.base, 0x1000);
  assert_int_equal(spec.shape[0], 100);
  assert_int_equal(spec.shape[1], 510);    // 511 + -1
  assert_int_equal(spec.strides[0], 1600); // 800 elements
  assert_int_equal(spec.box[0], 128);
  assert_int_equal(spec.box[1], 64);
  assert_int_equal(spec.swizzle, TILE_SWIZZLE_128B);
  assert_true(spec.nanFill);
}

static void operationsAreThoseOfArith(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t extent;
  } cases[] = {
      {"(sub:i32 10 3)", 7},
      {"(div:i32 17 5)", 3},
      {"(add:i32 10 (div:i32 -17 5))", 7}, // toward zero: -3
      {"(ceildiv:i32 17 5)", 4},
      {"(ceildiv:i32 15 5)", 3},
      {"(add:i32 10 (ceildiv:i32 -17 5))", 7}, // up: -3
      {"(ceildiv:i32 -17 -5)", 4},
      {"(min:i64 3 4)", 3},
      // The extent of an array without an end, which tells an argument's sign (Counts.h).
      {"(add:i32 (mul:i32 (add:i32 (max:i32 (min:i32 8 0) -1) 1) 2147483647) 0)", INT32_MAX},
      {"(add:i32 (mul:i32 (add:i32 (max:i32 (min:i32 -8 0) -1) 1) 2147483647) 2)", 2},
      {"(max:i64 -3 4)", 4},
      {"(fit:i8 127)", 127},
      {"(mul:i64 65536 32768)", 1u << 31},
      {"(mul:i32 (add:i32 %1:i8 3) (fit:i32 (min:i64 %2:i64 9)))", 18},
  };
  const uint64_t slots[] = {0x1000, 0xff, UINT64_C(1) << 40};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[128];
    TileTensorMapSpec spec;
    bool empty;
    snprintf(text, sizeof text, "f32 %%0 [%s] [] box [32]", cases[i].text);
    assert_true(evaluate(text, slots, 3, &spec, &empty));
    assert_int_equal(spec.shape[0], cases[i].extent);
    assert_int_equal(spec.swizzle, TILE_SWIZZLE_NONE);
  }
}

static void aBaseMayBeMoved(void **state) {
  (void)state;
  const uint64_t slots[] = {0x1000, 24};
  TileTensorMapSpec spec;
  bool empty;
  assert_true(evaluate("f32 %0 + (mul:i32 %1:i32 2) [4] [] box [4]", slots, 2, &spec, &empty));
  assert_int_equal(spec.base, 0x1000 + 48 * 4);
}

static void anArrayWithoutElements(void **state) {
  (void)state;
  const uint64_t slots[] = {0x1000, 0};
  TileTensorMapSpec spec;
  bool empty;
  assert_true(
      evaluate("f16 %0 [8, %1:i32] [%1:i32] box [8, 64] swizzle 128", slots, 2, &spec, &empty));
  assert_true(empty);
  assert_int_equal(spec.shape[0], 1);
  assert_int_equal(spec.shape[1], 1);
  // Nor has one that ends in front of its beginning.
  assert_true(evaluate("f32 %0 [(sub:i32 %1:i32 4)] [] box [32]", slots, 2, &spec, &empty));
  assert_true(empty);
  assert_int_equal(spec.shape[0], 1);
  // No step is taken along one row, so its stride need not be one that the engine can do.
  assert_true(evaluate("f16 %0 [1, 9] [9] box [8, 64]", slots, 2, &spec, &empty));
  assert_false(empty);
  assert_int_equal(spec.strides[0], 32); // 18 bytes, up
}

static void valuesThatDoNotFit(void **state) {
  (void)state;
  static const struct {
    const char *extents, *message;
  } cases[] = {
      {"[(mul:i32 %1:i32 65536)]", "expected a value of 32 bits, found 4294967296"},
      {"[(fit:i32 %2:i64)]", "expected a value of 32 bits, found 1099511627776"},
      {"[(mul:i64 %2:i64 %2:i64)]",
       "expected sizes below 2^63, found an overflow or a division by 0"},
      {"[(div:i32 1 0)]", "expected sizes below 2^63, found an overflow or a division by 0"},
      {"[%3:i32]", "expected at least 4 arguments, found 3"},
  };
  const uint64_t slots[] = {0x1000, 65536, UINT64_C(1) << 40};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[128];
    TileTensorMapSpec spec;
    bool empty;
    snprintf(text, sizeof text, "f32 %%0 %s [] box [32]", cases[i].extents);
    assert_false(evaluate(text, slots, 3, &spec, &empty));
    assert_message(cases[i].message);
  }
  TileTensorMapSpec spec;
  bool empty;
  assert_false(evaluate("f32 %4 [1] [] box [4]", slots, 3, &spec, &empty));
  assert_message("expected at least 5 arguments, found 3");
  assert_false(evaluate("f32 %0 [2, 8] [(sub:i64 0 8)] box [4, 4]", slots, 3, &spec, &empty));
  assert_message("expected strides of 0 and more, found another in dimension 0");
}

static void textThatIsNoDescription(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"f12 %0", "expected an element type at character 0 of a tensor map, found 'f12 %0'"},
      {"f16 0", "expected '%' at character 4 of a tensor map, found '0'"},
      {"f16 %0 [] [] box []", "expected 1 extent or more at character 9 of a tensor map, found "
                              "' [] box []'"},
      {"f16 %0 [1] [2] box [8]", "expected a stride for each extent but the last at character 14 "
                                 "of a tensor map, found ' box [8]'"},
      {"f16 %0 [1, 2, 3, 4, 5, 6] []",
       "expected at most 5 dimensions at character 22 of a tensor map, found ' 6] []'"},
      {"f16 %0 [(pow:i32 1 2)] [] box [8]",
       "expected an operation at character 9 of a tensor map, found 'pow:i32 1 2)] []'"},
      {"f16 %0 [%1:i31] [] box [8]", "expected a width of 8, 16, 32 or 64 at character 14 of a "
                                     "tensor map, found '] [] box [8]'"},
      {"f16 %0 [(add:i32 1)] [] box [8]",
       "expected a number at character 18 of a tensor map, found ')] [] box [8]'"},
      {"f16 %0 [1] [] box [8] swizzle 48",
       "expected a swizzle of 32, 64 or 128 at character 32 of a tensor map, found ''"},
      {"f16 %0 [1] [] box [8] padding one",
       "expected 'nan' at character 30 of a tensor map, found 'one'"},
      {"f16 %0 [1] [] box [8] more", "expected the end at character 22 of a tensor map, found "
                                     "'more'"},
      {"f16 %70000 [1]",
       "expected a smaller number at character 5 of a tensor map, found '70000 [1]'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    assert_null(tileMapFormCreate(cases[i].text, &error));
    assert_message(cases[i].message);
  }
  // Deeper than the stack, and longer than the code.
  char text[2048];
  int used = snprintf(text, sizeof text, "f16 %%0 [");
  for (int i = 0; i < 70; ++i) used += snprintf(text + used, 16, "(add:i32 1 ");
  assert_null(tileMapFormCreate(text, &error));
  assert_non_null(strstr(tileErrorGetMessage(&error), "expected a simpler expression"));
  used = snprintf(text, sizeof text, "f16 %%0 [");
  for (int i = 0; i < 60; ++i) used += snprintf(text + used, 32, "(add:i32 (add:i32 1 2) ");
  used += snprintf(text + used, 8, "1");
  for (int i = 0; i < 60; ++i) used += snprintf(text + used, 2, ")");
  snprintf(text + used, 32, ", %s] [] box [1]", "1");
  assert_null(tileMapFormCreate(text, &error));
}

//===- launches -----------------------------------------------------------===//

/// The kernel "add" of (x, y, out, n) of the fake driver, with more parameters.
static int setUp(void **state, const char *grid, const char *maps) {
  static Fixture fixture;
  char path[PATH_MAX];
  findBeside("FakeCudaDriver.so", path);
  setenv("FAKE_CUDA_GRID", grid, 1);
  setenv("FAKE_CUDA_MAPS", maps, 1);
  *state = &fixture;
  return openFixture(&fixture, path) ? 0 : 1;
}

static int setUpPlain(void **state) { return setUp(state, "0", "0"); }
static int setUpGrid(void **state) { return setUp(state, "1", "0"); }
static int setUpAll(void **state) { return setUp(state, "1", "2"); }

static int tearDown(void **state) {
  closeFixture(*state);
  tileErrorDestroy(&error);
  return 0;
}

enum { N = 4 };
static float x[N], y[N], out[N];

static void fillSlots(uint64_t slots[4]) {
  slots[0] = (uint64_t)(uintptr_t)x;
  slots[1] = (uint64_t)(uintptr_t)y;
  slots[2] = (uint64_t)(uintptr_t)out;
  slots[3] = N;
}

/// A launcher of the kernel, and the values of a launch.
static TileLauncher *makeLauncher(Fixture *f, const TileLaunchFacts *facts, uint64_t slots[4]) {
  TileLauncher *l = tileLauncherCreate(f->kernel, facts, &error);
  assert_non_null(l);
  fillSlots(slots);
  return l;
}

static void aPlainLaunch(void **state) {
  Fixture *f = *state;
  TileLaunchFacts facts = {.arguments = 4, .warps = 12, .sharedBytes = 1000};
  uint64_t slots[4];
  TileLauncher *l = makeLauncher(f, &facts, slots);
  for (int i = 0; i < N; ++i) x[i] = (float)i, y[i] = 10;
  assert_true(tileLauncherRun(l, slots, (const int32_t[]){3, 5, 7}, NULL, &error));
  assert_int_equal(f->fake->grid[0], 3);
  assert_int_equal(f->fake->grid[1], 5);
  assert_int_equal(f->fake->grid[2], 7);
  assert_int_equal(f->fake->block[0], 384);
  assert_int_equal(f->fake->shared, 1000);
  assert_true(out[3] > 12.5f && out[3] < 13.5f);
  tileLauncherDestroy(l);
}

static void aPersistentGridFitsTheDevice(void **state) {
  Fixture *f = *state;
  TileLaunchFacts facts = {.arguments = 4, .warps = 12, .persistent = true};
  uint64_t slots[4];
  TileLauncher *l = makeLauncher(f, &facts, slots);
  // 132 multiprocessors of 2048 threads: 5 blocks of 384 each.
  assert_true(tileLauncherRun(l, slots, (const int32_t[]){64, 32, 2}, NULL, &error));
  assert_int_equal(f->fake->grid[0], 660);
  assert_int_equal(f->fake->grid[1], 1);
  assert_int_equal(f->fake->grid[2], 1);
  assert_int_equal(f->fake->extents[0], 64);
  assert_int_equal(f->fake->extents[1], 32);
  assert_int_equal(f->fake->extents[2], 2);
  // Fewer programs than that: no more blocks than programs.
  assert_true(tileLauncherRun(l, slots, (const int32_t[]){4, 5, 1}, NULL, &error));
  assert_int_equal(f->fake->grid[0], 20);
  assert_int_equal(f->fake->extents[1], 5);
  assert_false(tileLauncherRun(l, slots, (const int32_t[]){1 << 20, 1 << 20, 2}, NULL, &error));
  assert_message("expected at most 2^31 - 1 programs of persistent 'add', found 1048576 x 1048576 "
                 "x 2");
  tileLauncherDestroy(l);
}

static void clustersAreWhole(void **state) {
  Fixture *f = *state;
  TileLaunchFacts facts = {.arguments = 4, .warps = 12, .persistent = true, .cluster = 4};
  uint64_t slots[4];
  TileLauncher *l = makeLauncher(f, &facts, slots);
  // The device holds fewer clusters than its multiprocessors have room for.
  assert_true(tileLauncherRun(l, slots, (const int32_t[]){64, 32, 2}, NULL, &error));
  assert_int_equal(f->fake->grid[0], 120);
  assert_int_equal(f->fake->cluster[0], 4);
  assert_int_equal(f->fake->extents[0], 64);
  // Blocks beyond the last program fill its cluster.
  assert_true(tileLauncherRun(l, slots, (const int32_t[]){3, 3, 1}, NULL, &error));
  assert_int_equal(f->fake->grid[0], 12);
  tileLauncherDestroy(l);
}

/// All blocks at once, in one launch or in none.
static void programsWaitForEachOther(void **state) {
  Fixture *f = *state;
  TileLaunchFacts facts = {.arguments = 4, .warps = 12, .persistent = true, .cluster = 4};
  uint64_t slots[4];
  TileLauncher *l = makeLauncher(f, &facts, slots);
  assert_true(tileLauncherRunOn(l, slots, (const int32_t[]){30, 4, 1}, NULL, true, &error));
  assert_int_equal(f->fake->grid[0], 120);
  assert_int_equal(f->fake->cluster[0], 4);
  assert_int_equal(f->fake->cooperative, 1);
  assert_false(tileLauncherRunOn(l, slots, (const int32_t[]){121, 1, 1}, NULL, true, &error));
  assert_message("expected at most 120 programs of a cooperative launch of 'add', found 121");
  assert_true(tileLauncherRunOn(l, slots, (const int32_t[]){121, 1, 1}, NULL, false, &error));
  assert_int_equal(f->fake->cooperative, 0);
  tileLauncherDestroy(l);
}

static void programsAreShared(void **state) {
  Fixture *f = *state;
  TileLaunchFacts facts = {
      .arguments = 4, .warps = 12, .persistent = true, .sharesLast = true, .cluster = 4};
  uint64_t slots[4];
  TileLauncher *l = makeLauncher(f, &facts, slots);
  // Two blocks for each program, in whole clusters, as long as the device holds them all.
  assert_true(tileLauncherRun(l, slots, (const int32_t[]){9, 1, 1}, NULL, &error));
  assert_int_equal(f->fake->grid[0], 20);
  assert_int_equal(f->fake->extents[0], 9);
  assert_true(tileLauncherRun(l, slots, (const int32_t[]){60, 1, 1}, NULL, &error));
  assert_int_equal(f->fake->grid[0], 120);
  // Else a block each, of which the last round shares what it can.
  assert_true(tileLauncherRun(l, slots, (const int32_t[]){61, 1, 1}, NULL, &error));
  assert_int_equal(f->fake->grid[0], 64);
  assert_true(tileLauncherRun(l, slots, (const int32_t[]){180, 1, 1}, NULL, &error));
  assert_int_equal(f->fake->grid[0], 120);
  tileLauncherDestroy(l);
}

static void programsOfTheirOwnAreAllThere(void **state) {
  Fixture *f = *state;
  TileLaunchFacts facts = {
      .arguments = 4, .warps = 12, .persistent = true, .oneProgram = true, .cluster = 4};
  uint64_t slots[4];
  TileLauncher *l = makeLauncher(f, &facts, slots);
  // A block each, in whole clusters.
  assert_true(tileLauncherRun(l, slots, (const int32_t[]){9, 3, 1}, NULL, &error));
  assert_int_equal(f->fake->grid[0], 28);
  assert_int_equal(f->fake->cluster[0], 4);
  assert_int_equal(f->fake->extents[0], 9);
  assert_int_equal(f->fake->extents[1], 3);
  // The device holds 120 of them at a time: no block works through two programs.
  assert_true(tileLauncherRun(l, slots, (const int32_t[]){11, 13, 1}, NULL, &error));
  assert_int_equal(f->fake->grid[0], 144);
  assert_int_equal(f->fake->grid[1], 1);
  tileLauncherDestroy(l);
}

static void programsAreClusters(void **state) {
  Fixture *f = *state;
  TileLaunchFacts facts = {.arguments = 4, .warps = 12, .cluster = 4};
  uint64_t slots[4];
  TileLauncher *l = makeLauncher(f, &facts, slots);
  // A cluster for each program, whatever the device holds at a time.
  assert_true(tileLauncherRun(l, slots, (const int32_t[]){9, 300, 1}, NULL, &error));
  assert_int_equal(f->fake->grid[0], 36);
  assert_int_equal(f->fake->grid[1], 300);
  assert_int_equal(f->fake->cluster[0], 4);
  // More blocks than a grid can have.
  assert_false(tileLauncherRun(l, slots, (const int32_t[]){1 << 30, 1, 1}, NULL, &error));
  assert_string_equal(tileErrorGetMessage(&error),
                      "expected at most 2^31 - 1 blocks of 'add' along x, found more");
  tileErrorDestroy(&error);
  tileLauncherDestroy(l);
}

static const char *const twoMaps[] = {"f32 %0 [%3:i32] [] box [4]",
                                      "f32 %1 [%3:i32, 8] [8] box [4, 8] swizzle 32"};

static void mapsAreEncodedOnce(void **state) {
  Fixture *f = *state;
  TileLaunchFacts facts = {
      .arguments = 4, .warps = 4, .persistent = true, .maps = twoMaps, .numMaps = 2};
  uint64_t slots[4];
  TileLauncher *l = makeLauncher(f, &facts, slots);
  slots[0] = slots[0] / 16 * 16, slots[1] = slots[1] / 16 * 16;
  const int32_t grid[] = {1, 1, 1};
  for (int repeat = 0; repeat < 3; ++repeat) {
    assert_true(tileLauncherRun(l, slots, grid, NULL, &error));
    assert_int_equal(f->fake->encoded, 2);
    assert_int_equal(f->fake->maps[0], 1);
    assert_int_equal(f->fake->maps[1], 2);
  }
  assert_ptr_equal(f->fake->map.base, (void *)(uintptr_t)slots[1]);
  assert_int_equal(f->fake->map.rank, 2);
  // Other sizes are other maps, and the earlier ones stay.
  slots[3] = 2;
  assert_true(tileLauncherRun(l, slots, grid, NULL, &error));
  assert_int_equal(f->fake->encoded, 4);
  slots[3] = N;
  assert_true(tileLauncherRun(l, slots, grid, NULL, &error));
  assert_int_equal(f->fake->encoded, 4);
  assert_int_equal(f->fake->maps[0], 1);
  tileLauncherDestroy(l);
}

static void anArrayWithoutElementsIsOneZero(void **state) {
  Fixture *f = *state;
  TileLaunchFacts facts = {
      .arguments = 4, .warps = 4, .persistent = true, .maps = twoMaps, .numMaps = 2};
  uint64_t slots[4];
  TileLauncher *l = makeLauncher(f, &facts, slots);
  slots[3] = 0;
  assert_true(tileLauncherRun(l, slots, (const int32_t[]){1, 1, 1}, NULL, &error));
  assert_int_equal(f->fake->map.shape[0], 1);
  assert_int_equal(f->fake->map.shape[1], 1);
  float value;
  memcpy(&value, f->fake->map.base, sizeof value);
  assert_true(value >= 0 && value <= 0);
  tileLauncherDestroy(l);
}

static void aMapThatTheEngineCannotDo(void **state) {
  Fixture *f = *state;
  static const char *const maps[] = {"f32 %0 [%3:i32] [] box [4]", "f32 %1 [4, 7] [7] box [4, 4]"};
  TileLaunchFacts facts = {
      .arguments = 4, .warps = 4, .persistent = true, .maps = maps, .numMaps = 2};
  uint64_t slots[4];
  TileLauncher *l = makeLauncher(f, &facts, slots);
  slots[0] = slots[0] / 16 * 16, slots[1] = slots[1] / 16 * 16;
  assert_false(tileLauncherRun(l, slots, (const int32_t[]){1, 1, 1}, NULL, &error));
  assert_message("descriptor 1 of 'add', of argument 1: expected strides that are multiples of 16 "
                 "bytes below 2^40, found 28 in dimension 0");
  assert_int_equal(f->fake->count, 0);
  tileLauncherDestroy(l);
}

/// Rows of 7 halves, 2 x 3 of them, of which a box is taken, and another of the same array.
static const char *const packedMaps[] = {
    "f16 %0 [2, 3, %3:i32] [(mul:i64 %3:i32 3), %3:i32] box [1, 2, 8] packed",
    "f16 %0 [2, 3, %3:i32] [(mul:i64 %3:i32 3), %3:i32] box [1, 1, 8] padding nan packed"};

static void expectCopy(const FakeTensorMap *map, const uint16_t *from, size_t width) {
  assert_int_equal(map->strides[0], 128);
  assert_int_equal(map->strides[1], 384);
  for (size_t row = 0; row < 6; ++row)
    for (size_t i = 0; i < 64; ++i)
      assert_int_equal(((uint16_t *)map->base)[64 * row + i],
                       i < width ? from[width * row + i] : 0);
}

static void arraysArePacked(void **state) {
  Fixture *f = *state;
  TileLaunchFacts facts = {
      .arguments = 4, .warps = 4, .persistent = true, .maps = packedMaps, .numMaps = 2};
  TileLauncher *l = tileLauncherCreate(f->kernel, &facts, &error);
  assert_non_null(l);
  _Alignas(16) uint16_t array[6 * 8 + 1];
  for (size_t i = 0; i < sizeof array / sizeof *array; ++i) array[i] = (uint16_t)(i + 1);
  float sums[8];
  uint64_t slots[4] = {(uint64_t)(uintptr_t)array, (uint64_t)(uintptr_t)array,
                       (uint64_t)(uintptr_t)sums, 7};
  const int32_t grid[] = {1, 1, 1};
  assert_true(tileLauncherRun(l, slots, grid, NULL, &error));
  assert_int_equal(f->fake->packs, 1); // one copy, though there are two boxes
  assert_int_equal(f->fake->encoded, 2);
  expectCopy(&f->fake->map, array, 7);
  // What has changed in between is copied anew, to the same place.
  void *place = f->fake->map.base;
  array[20] = 1000;
  assert_true(tileLauncherRun(l, slots, grid, NULL, &error));
  assert_int_equal(f->fake->packs, 2);
  assert_int_equal(f->fake->encoded, 2);
  expectCopy(&f->fake->map, array, 7);
  assert_ptr_equal(f->fake->map.base, place);
  // Rows of 8 are aligned, and stay where they are, unless the array begins within 16 bytes.
  slots[3] = 8;
  assert_true(tileLauncherRun(l, slots, grid, NULL, &error));
  assert_int_equal(f->fake->packs, 2);
  assert_ptr_equal(f->fake->map.base, array);
  slots[0] += 2;
  assert_true(tileLauncherRun(l, slots, grid, NULL, &error));
  assert_int_equal(f->fake->packs, 3);
  expectCopy(&f->fake->map, array + 1, 8);
  tileLauncherDestroy(l);
}

static void packedRowsOfManyLengths(void **state) {
  Fixture *f = *state;
  static const char *const maps[] = {"i8 %2 [16] [] box [16]",
                                     "i8 %0 [3, %3:i32] [%3:i32] box [2, 16] packed"};
  TileLaunchFacts facts = {
      .arguments = 4, .warps = 4, .persistent = true, .maps = maps, .numMaps = 2};
  TileLauncher *l = tileLauncherCreate(f->kernel, &facts, &error);
  assert_non_null(l);
  enum { MOST = 20000 };
  uint8_t *array = aligned_alloc(16, 4 * MOST);
  float *sums = aligned_alloc(16, 4 * MOST);
  assert_true(array && sums);
  static const int widths[] = {1, 15, 17, 127, 129, 511, 513, 2049, 4097, MOST - 1};
  for (size_t w = 0; w < sizeof widths / sizeof *widths; ++w) {
    for (size_t i = 0; i < 4 * MOST; ++i) array[i] = (uint8_t)((i + w) % 251);
    size_t width = (size_t)widths[w], pitch = (width + 127) / 128 * 128;
    // The fake kernel adds floats: an odd address keeps it from that.
    uint64_t slots[4] = {(uint64_t)(uintptr_t)array + 1, (uint64_t)(uintptr_t)array,
                         (uint64_t)(uintptr_t)sums, width};
    assert_true(tileLauncherRun(l, slots, (const int32_t[]){1, 1, 1}, NULL, &error));
    const uint8_t *copy = f->fake->map.base;
    assert_int_equal(f->fake->map.strides[0], pitch);
    for (size_t row = 0; row < 3; ++row)
      for (size_t i = 0; i < pitch; ++i)
        assert_int_equal(copy[row * pitch + i], i < width ? array[1 + row * width + i] : 0);
  }
  free(array);
  free(sums);
  tileLauncherDestroy(l);
}

static void factsThatAreNotTheKernels(void **state) {
  Fixture *f = *state;
  TileLaunchFacts facts = {.arguments = 4, .warps = 4, .persistent = true};
  assert_null(tileLauncherCreate(f->kernel, &facts, &error));
  assert_message("expected 7 parameters of 'add', found 9");
  facts.arguments = 6;
  assert_null(tileLauncherCreate(f->kernel, &facts, &error));
  facts = (TileLaunchFacts){.arguments = 5, .warps = 4, .persistent = true};
  facts.numMaps = 1;
  facts.maps = twoMaps;
  assert_null(tileLauncherCreate(f->kernel, &facts, &error));
  assert_message("expected parameter 7 of 'add' to have at most 8 bytes, found 128");
  static const char *const wrong[] = {"f32 %0 [1] [] box [4]", "f32"};
  facts = (TileLaunchFacts){
      .arguments = 4, .warps = 4, .persistent = true, .maps = wrong, .numMaps = 2};
  assert_null(tileLauncherCreate(f->kernel, &facts, &error));
  assert_message("expected '%' at character 3 of a tensor map, found ''");
}

#define LAUNCH_TEST(name, up) cmocka_unit_test_setup_teardown(name, up, tearDown)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(aDescriptionIsEvaluated),
      cmocka_unit_test(operationsAreThoseOfArith),
      cmocka_unit_test(aBaseMayBeMoved),
      cmocka_unit_test(anArrayWithoutElements),
      cmocka_unit_test(valuesThatDoNotFit),
      cmocka_unit_test(textThatIsNoDescription),
      LAUNCH_TEST(aPlainLaunch, setUpPlain),
      LAUNCH_TEST(aPersistentGridFitsTheDevice, setUpGrid),
      LAUNCH_TEST(clustersAreWhole, setUpGrid),
      LAUNCH_TEST(programsOfTheirOwnAreAllThere, setUpGrid),
      LAUNCH_TEST(programsAreClusters, setUpPlain),
      LAUNCH_TEST(programsAreShared, setUpGrid),
      LAUNCH_TEST(programsWaitForEachOther, setUpGrid),
      LAUNCH_TEST(mapsAreEncodedOnce, setUpAll),
      LAUNCH_TEST(anArrayWithoutElementsIsOneZero, setUpAll),
      LAUNCH_TEST(aMapThatTheEngineCannotDo, setUpAll),
      LAUNCH_TEST(arraysArePacked, setUpAll),
      LAUNCH_TEST(packedRowsOfManyLengths, setUpAll),
      LAUNCH_TEST(factsThatAreNotTheKernels, setUpAll),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  tileErrorDestroy(&error);
  return failed;
}
