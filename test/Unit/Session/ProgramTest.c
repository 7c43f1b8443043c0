// RUN: %unit/ProgramTest
//
// Where a program's data goes and what its launches share, against a fake driver whose one kernel,
// `add`, adds vectors (test/Support/FakeCudaDriver.c).
#include "tile/Session/Program.h"
#include "../../Support/FakeCudaDriver.h"
#include "tile/Tile.h"
#include <dlfcn.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char kernel[] =
    "!r = tensor<64xi32>\n"
    "!p = tensor<64x!tile.ptr<f32>>\n"
    "tile.func @add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {\n"
    "  tile.grid(%n : i32) {\n"
    "    %one = arith.constant 1 : i32\n"
    "    tile.yield %one : i32\n"
    "  }\n"
    "  %i = tile.arange : !r\n"
    "  %xs = tile.splat %x : !tile.ptr<f32> -> !p\n"
    "  %xp = tile.addptr %xs, %i : !p, !r\n"
    "  %xv = tile.load %xp : !p\n"
    "  %ys = tile.splat %y : !tile.ptr<f32> -> !p\n"
    "  %yp = tile.addptr %ys, %i : !p, !r\n"
    "  %yv = tile.load %yp : !p\n"
    "  %v = arith.addf %xv, %yv : tensor<64xf32>\n"
    "  %os = tile.splat %out : !tile.ptr<f32> -> !p\n"
    "  %op = tile.addptr %os, %i : !p, !r\n"
    "  tile.store %op, %v : !p\n"
    "  tile.return\n"
    "}\n";

typedef struct Fixture {
  MlirContext context;
  FakeLaunch *fake;
} Fixture;

static int setUp(void **state) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 32);
  assert_true(length > 0);
  path[length] = 0;
  strcpy(strrchr(path, '/') + 1, "FakeCudaDriver.so");
  setenv("TILE_CUDA_DRIVER", path, 1);
  Fixture *f = calloc(1, sizeof *f);
  void *library = dlopen(path, RTLD_NOW);
  assert_non_null(library);
  f->fake = dlsym(library, "fakeLastLaunch");
  memset(f->fake, 0, sizeof *f->fake);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  f->context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  *state = f;
  return 0;
}

static int tearDown(void **state) {
  Fixture *f = *state;
  mlirContextDestroy(f->context);
  free(f);
  return 0;
}

/// A module with the kernel and a host program.
static MlirModule parse(const Fixture *f, const char *host) {
  char text[8192];
  snprintf(text, sizeof text, "%s%s", kernel, host);
  MlirModule module = mlirModuleCreateParse(f->context, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  return module;
}

/// Runs the host program on the fake device and returns its launches.
static size_t run(const Fixture *f, const char *host, const char *const *arguments, size_t count) {
  MlirModule module = parse(f, host);
  TileProgramOptions options = {.target = TILE_PROGRAM_GPU};
  TileProgram *program = tileProgramCreate(module, &options);
  assert_non_null(program);
  assert_true(mlirLogicalResultIsSuccess(tileProgramRun(program, arguments, count)));
  size_t launches = tileProgramGetNumLaunches(program);
  tileProgramDestroy(program);
  mlirModuleDestroy(module);
  return launches;
}

#define ARRAYS                                                                                     \
  "  %n = arith.constant 64 : i32\n"                                                               \
  "  %c0 = arith.constant 0 : index\n"                                                             \
  "  %x = tile_host.random() seed 1 : () -> memref<64xf32>\n"                                      \
  "  %y = tile_host.random() seed 2 : () -> memref<64xf32>\n"                                      \
  "  %out = tile_host.alloc() : () -> memref<64xf32>\n"
#define LAUNCH(x, y, out)                                                                          \
  "  tile_host.launch @add(" x ", " y ", " out ", %n)"                                             \
  " : memref<64xf32>, memref<64xf32>, memref<64xf32>, i32\n"

static void chain_stays_on_device(void **state) {
  const Fixture *f = *state;
  size_t launches = run(f,
                        "func.func @main() {\n" ARRAYS LAUNCH("%x", "%y", "%out")
                            LAUNCH("%out", "%y", "%x") LAUNCH("%x", "%out", "%y") "  return\n}\n",
                        NULL, 0);
  assert_int_equal(launches, 3);
  assert_int_equal(f->fake->count, 3);
  // x and y go there; out is cleared in place; nothing comes back.
  assert_int_equal(f->fake->copiesIn, 2);
  assert_int_equal(f->fake->copiesOut, 0);
}

static void host_reads_what_it_needs_once(void **state) {
  const Fixture *f = *state;
  run(f,
      "func.func @main() {\n" ARRAYS LAUNCH("%x", "%y", "%out")
      // x was only read by the kernel: it is current on both sides.
      "  %a = memref.load %out[%c0] : memref<64xf32>\n"
      "  %b = memref.load %out[%c0] : memref<64xf32>\n"
      "  %c = memref.load %x[%c0] : memref<64xf32>\n"
      "  %ab = arith.addf %a, %b : f32\n"
      "  %abc = arith.addf %ab, %c : f32\n"
      "  %used = tile_host.alloc() : () -> memref<64xf32>\n"
      "  memref.store %abc, %used[%c0] : memref<64xf32>\n"
      "  return\n}\n",
      NULL, 0);
  assert_int_equal(f->fake->copiesIn, 2);
  assert_int_equal(f->fake->copiesOut, 1);
}

static void host_writes_reach_the_next_launch(void **state) {
  const Fixture *f = *state;
  run(f,
      "func.func @main() {\n" ARRAYS LAUNCH(
          "%x", "%y",
          "%out") "  %one = arith.constant 1.0 : f32\n"
                  "  %c64 = arith.constant 64 : index\n"
                  "  %c1 = arith.constant 1 : index\n"
                  "  scf.for %i = %c0 to %c64 step %c1 {\n"
                  "    memref.store %one, %x[%i] : memref<64xf32>\n"
                  "    memref.store %one, %y[%i] : memref<64xf32>\n"
                  "  }\n" LAUNCH(
                      "%x", "%y",
                      "%out") "  %want = tile_host.alloc() : () -> memref<64xf32>\n"
                              "  %two = arith.constant 2.0 : f32\n"
                              "  linalg.fill ins(%two : f32) outs(%want : memref<64xf32>)\n"
                              "  tile_host.expect_close %out, %want : memref<64xf32>, "
                              "memref<64xf32>\n"
                              "  return\n}\n",
      NULL, 0);
  assert_int_equal(f->fake->copiesIn, 4);
}

static void equal_launches_are_one(void **state) {
  const Fixture *f = *state;
  const char *const arguments[] = {"5"};
  size_t launches = run(
      f,
      "func.func @main(%times: index) {\n" ARRAYS "  %c1 = arith.constant 1 : index\n"
      "  scf.for %i = %c0 to %times step %c1 {\n" LAUNCH("%x", "%y", "%out") "  }\n  return\n}\n",
      arguments, 1);
  assert_int_equal(launches, 1);
  assert_int_equal(f->fake->count, 5);
}

/// Emitting looks at a launch's arguments without launching.
static void emit_launches_nothing(void **state) {
  const Fixture *f = *state;
  MlirModule module =
      parse(f, "func.func @main() {\n" ARRAYS LAUNCH("%x", "%y", "%out") "  return\n}\n");
  TileProgram *program = tileProgramCreate(module, NULL);
  static const char *const none[] = {NULL};
  TileBlob blob;
  MlirLogicalResult result = tileProgramEmit(program, mlirStringRefCreateFromCString("add"),
                                             TILE_EMIT_TILE, none, 0, &blob);
  assert_true(mlirLogicalResultIsSuccess(result));
  assert_non_null(strstr(blob.data, "%arg3: i32 {tile.divisibility = 16 : i32}"));
  assert_int_equal(f->fake->count, 0);
  tileBlobDestroy(&blob);
  // The same program runs afterwards.
  assert_true(mlirLogicalResultIsSuccess(tileProgramRun(program, NULL, 0)));
  assert_int_equal(tileProgramGetNumLaunches(program), 1);
  tileProgramDestroy(program);
  mlirModuleDestroy(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(chain_stays_on_device, setUp, tearDown),
      cmocka_unit_test_setup_teardown(host_reads_what_it_needs_once, setUp, tearDown),
      cmocka_unit_test_setup_teardown(host_writes_reach_the_next_launch, setUp, tearDown),
      cmocka_unit_test_setup_teardown(equal_launches_are_one, setUp, tearDown),
      cmocka_unit_test_setup_teardown(emit_launches_nothing, setUp, tearDown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
