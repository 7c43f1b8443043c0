// RUN: %unit/ProgramCallTest
//===- ProgramCallTest.c - kernels launched by an embedder, on the CPU ----===//
//
// Each kernel writes what grid it was launched over; the extents are compared with those that a
// person works out.
//
//===----------------------------------------------------------------------===//
#include "mlir-c/Diagnostics.h"
#include "tile/Runtime/Cache.h"
#include "tile/Session/Program.h"
#include "tile/Session/Tune.h"
#include "tile/Tile.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define KERNEL(grid)                                                                               \
  "tile.func @seen(%out: !tile.ptr<i32>, %m: i32, %n: i64) meta {B = 32} {\n" grid                 \
  "  %one = arith.constant 1 : i32\n"                                                              \
  "  %two = arith.constant 2 : i32\n"                                                              \
  "  %x = tile.num_programs x\n"                                                                   \
  "  %y = tile.num_programs y\n"                                                                   \
  "  %z = tile.num_programs z\n"                                                                   \
  "  tile.store %out, %x : !tile.ptr<i32>\n"                                                       \
  "  %out1 = tile.addptr %out, %one : !tile.ptr<i32>, i32\n"                                       \
  "  tile.store %out1, %y : !tile.ptr<i32>\n"                                                      \
  "  %out2 = tile.addptr %out, %two : !tile.ptr<i32>, i32\n"                                       \
  "  tile.store %out2, %z : !tile.ptr<i32>\n"                                                      \
  "  tile.return\n"                                                                                \
  "}\n"

typedef struct Fixture {
  MlirDialectRegistry registry;
  MlirContext context;
  char message[512];
} Fixture;

static void keepText(MlirStringRef text, void *data) {
  Fixture *f = data;
  size_t used = strlen(f->message);
  snprintf(f->message + used, sizeof f->message - used, "%.*s", (int)text.length, text.data);
}

static MlirLogicalResult keepMessage(MlirDiagnostic diagnostic, void *data) {
  Fixture *f = data;
  f->message[0] = 0;
  mlirDiagnosticPrint(diagnostic, keepText, f);
  return mlirLogicalResultSuccess();
}

static int setUp(void **state) {
  Fixture *f = calloc(1, sizeof *f);
  if (!f) return 1;
  f->registry = mlirDialectRegistryCreate();
  tileRegisterDialects(f->registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  f->context = mlirContextCreateWithRegistry(f->registry, false);
  mlirContextAttachDiagnosticHandler(f->context, keepMessage, f, NULL);
  *state = f;
  return 0;
}

static int tearDown(void **state) {
  Fixture *f = *state;
  mlirContextDestroy(f->context);
  mlirDialectRegistryDestroy(f->registry);
  free(f);
  return 0;
}

/// Launches @seen(out, m, n); what it wrote.
static bool call(Fixture *f, const char *text, const char *bind, int32_t m, int64_t n,
                 int32_t seen[3]) {
  MlirModule module = mlirModuleCreateParse(f->context, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  TileProgramOptions options = {.target = TILE_PROGRAM_CPU, .bind = &bind, .numBind = bind != NULL};
  TileProgram *p = tileProgramCreate(module, &options);
  assert_non_null(p);
  for (int i = 0; i < 3; ++i) seen[i] = -1;
  const uint64_t slots[] = {(uint64_t)(uintptr_t)seen, (uint32_t)m, (uint64_t)n};
  MlirStringRef name = mlirStringRefCreateFromCString("seen");
  bool ok = mlirLogicalResultIsSuccess(tileProgramCall(p, name, slots, 3, NULL));
  assert_null(tileProgramGetDevice(p));
  tileProgramDestroy(p);
  mlirModuleDestroy(module);
  return ok;
}

static void expectGrid(const int32_t seen[3], int32_t x, int32_t y, int32_t z) {
  assert_int_equal(seen[0], x);
  assert_int_equal(seen[1], y);
  assert_int_equal(seen[2], z);
}

static void noGridIsOneProgram(void **state) {
  int32_t seen[3];
  assert_true(call(*state, KERNEL(""), NULL, 5, 7, seen));
  expectGrid(seen, 1, 1, 1);
}

static const char blocks[] = KERNEL("  tile.grid(%m : i32, %n : i64) {\n"
                                    "    %b = tile.meta B : i32\n"
                                    "    %x = arith.ceildivsi %m, %b : i32\n"
                                    "    %b64 = arith.extsi %b : i32 to i64\n"
                                    "    %q = arith.divsi %n, %b64 : i64\n"
                                    "    %y = arith.trunci %q : i64 to i32\n"
                                    "    tile.yield %x, %y : i32, i32\n"
                                    "  }\n");

static void aGridOfBlocks(void **state) {
  int32_t seen[3];
  assert_true(call(*state, blocks, NULL, 65, 100, seen)); // 65 / 32 up, 100 / 32 down
  expectGrid(seen, 3, 3, 1);
  assert_true(call(*state, blocks, "B=10", 65, 100, seen));
  expectGrid(seen, 7, 10, 1);
}

static void arithmeticInItsWidth(void **state) {
  static const char text[] = KERNEL("  tile.grid(%m : i32) {\n"
                                    "    %c0 = arith.constant 0 : i32\n"
                                    "    %c7 = arith.constant 7 : i32\n"
                                    "    %c28 = arith.constant 28 : i32\n"
                                    "    %max = arith.constant 2147483647 : i32\n"
                                    "    %min = arith.addi %max, %m : i32\n"
                                    "    %below = arith.cmpi slt, %min, %c0 : i32\n"
                                    "    %bit = arith.extui %below : i1 to i32\n"
                                    "    %all = arith.extsi %below : i1 to i32\n"
                                    "    %x = arith.subi %c7, %all : i32\n"
                                    "    %u = arith.shrui %all, %c28 : i32\n"
                                    "    %r = arith.remsi %min, %c7 : i32\n"
                                    "    %y = arith.select %below, %u, %c7 : i32\n"
                                    "    %p = arith.subi %bit, %r : i32\n"
                                    "    %z = arith.maxsi %p, %bit : i32\n"
                                    "    tile.yield %x, %y, %z : i32, i32, i32\n"
                                    "  }\n");
  int32_t seen[3];
  // -2^31 is below 0: 7 - -1, 0xf, and 1 - (-2^31 rem 7 = -2).
  assert_true(call(*state, text, NULL, 1, 0, seen));
  expectGrid(seen, 8, 15, 3);
}

static void anEmptyGridRunsNothing(void **state) {
  int32_t seen[3];
  assert_true(call(*state, blocks, NULL, 0, 100, seen));
  expectGrid(seen, -1, -1, -1);
}

static void gridsThatHaveNoValue(void **state) {
  Fixture *f = *state;
  int32_t seen[3];
  static const char division[] = KERNEL("  tile.grid(%m : i32) {\n"
                                        "    %c7 = arith.constant 7 : i32\n"
                                        "    %x = arith.divsi %c7, %m : i32\n"
                                        "    tile.yield %x : i32\n"
                                        "  }\n");
  assert_false(call(f, division, NULL, 0, 0, seen));
  assert_string_equal(f->message, "expected a grid of integer arithmetic whose extents are not "
                                  "negative, found another with 'arith.divsi'");
  static const char negative[] = KERNEL("  tile.grid(%m : i32) {\n"
                                        "    tile.yield %m : i32\n"
                                        "  }\n");
  assert_false(call(f, negative, NULL, -1, 0, seen));
  assert_string_equal(f->message, "expected a grid of integer arithmetic whose extents are not "
                                  "negative, found another with 'tile.yield'");
  expectGrid(seen, -1, -1, -1);
}

static void callsOfNoKernel(void **state) {
  Fixture *f = *state;
  MlirModule module = mlirModuleCreateParse(f->context, mlirStringRefCreateFromCString(KERNEL("")));
  TileProgramOptions options = {.target = TILE_PROGRAM_CPU};
  TileProgram *p = tileProgramCreate(module, &options);
  const uint64_t slots[3] = {0};
  MlirStringRef seen = mlirStringRefCreateFromCString("seen"),
                sight = mlirStringRefCreateFromCString("sight");
  assert_true(mlirLogicalResultIsFailure(tileProgramCall(p, seen, slots, 2, NULL)));
  assert_string_equal(f->message,
                      "expected a kernel 'seen' with 2 arguments, found another number");
  assert_true(mlirLogicalResultIsFailure(tileProgramCall(p, sight, slots, 3, NULL)));
  assert_string_equal(f->message, "expected a kernel 'sight' with 3 arguments, found none");
  tileProgramDestroy(p);
  mlirModuleDestroy(module);
}

/// Keeps `config` as what tuning found for @seen(out, 65, 100), under the names that tuning it
/// gives.
static TileCache *remember(const char *folder, MlirModule module, const char *config) {
  TileError error = TILE_ERROR_INIT;
  TileCache *cache = tileCacheOpen(&(TileCacheOptions){.directory = folder}, &error);
  assert_non_null(cache);
  TileTuneState *state = calloc(1, sizeof *state);
  assert_non_null(state);
  const char *const space = "B=32", *const arguments[] = {"65", "100"};
  TileTuneOptions tune = {.state = state, .spaces = &space, .numSpaces = 1};
  TileProgramOptions options = {.target = TILE_PROGRAM_CPU, .cache = cache, .tune = &tune};
  TileProgram *p = tileProgramCreate(module, &options);
  assert_non_null(p);
  assert_true(mlirLogicalResultIsSuccess(tileProgramRun(p, arguments, 2)));
  tileProgramDestroy(p);
  const TileTuneTask *task = &state->tasks[0];
  TileTuned result = {task->kernel,       task->code, task->key, task->types, task->device,
                      TILE_TUNED_VERSION, config,     1e-6,      1,           0};
  assert_true(tileTunedPut(cache, &result, 1, &error));
  free(state);
  return cache;
}

static void callsTakeWhatTuningFound(void **state) {
  Fixture *f = *state;
  static const char main[] = "func.func @main(%m: i32, %n: i64) {\n"
                             "  %x = tile_host.alloc() : () -> memref<3xi32>\n"
                             "  tile_host.launch @seen(%x, %m, %n) : memref<3xi32>, i32, i64\n"
                             "  return\n"
                             "}\n";
  char folder[] = "/tmp/tile-call-XXXXXX", text[4096];
  assert_non_null(mkdtemp(folder));
  snprintf(text, sizeof text, "%s%s", blocks, main);
  MlirModule module = mlirModuleCreateParse(f->context, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  TileCache *cache = remember(folder, module, "B=16");
  TileProgramOptions options = {.target = TILE_PROGRAM_CPU, .cache = cache};
  TileProgram *p = tileProgramCreate(module, &options);
  assert_non_null(p);
  for (int times = 0; times < 2; ++times) {
    int32_t seen[3] = {-1, -1, -1};
    const uint64_t slots[] = {(uint64_t)(uintptr_t)seen, 65, 100};
    MlirStringRef name = mlirStringRefCreateFromCString("seen");
    assert_true(mlirLogicalResultIsSuccess(tileProgramCall(p, name, slots, 3, NULL)));
    expectGrid(seen, 5, 6, 1); // 65 / 16 up, 100 / 16 down
  }
  tileProgramDestroy(p);
  mlirModuleDestroy(module);
  tileCacheClose(cache);
  static const char *const files[] = {"cache-v1.db", "cache-v1.db-wal", "cache-v1.db-shm",
                                      "cache.lock"};
  for (int i = 0; i < 4; ++i) {
    snprintf(text, sizeof text, "%s/%s", folder, files[i]);
    unlink(text);
  }
  rmdir(folder);
}

#define CALL_TEST(name) cmocka_unit_test_setup_teardown(name, setUp, tearDown)

int main(void) {
  const struct CMUnitTest tests[] = {
      CALL_TEST(noGridIsOneProgram),       CALL_TEST(aGridOfBlocks),
      CALL_TEST(arithmeticInItsWidth),     CALL_TEST(anEmptyGridRunsNothing),
      CALL_TEST(gridsThatHaveNoValue),     CALL_TEST(callsOfNoKernel),
      CALL_TEST(callsTakeWhatTuningFound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
