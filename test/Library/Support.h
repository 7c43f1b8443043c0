//===- Support.h - what the tests of libtile share ------------------------===//
//
// They see tile.h and link libtile.so.1, as a stranger's program does, and nothing else of tile.
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_LIBRARY_SUPPORT_H
#define TILE_TEST_LIBRARY_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tile.h>
#include <unistd.h>

/// out[i] = x[i] + y[i] for i < n.
static const char addText[] =
    "!index = tensor<?xi32, #tile.dims<[BLOCK]>>\n"
    "!ptrs = tensor<?x!tile.ptr<f32>, #tile.dims<[BLOCK]>>\n"
    "tile.func @add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>,\n"
    "               %n: i32 {tile.key}) meta {BLOCK = 1024}\n"
    "    configs [{BLOCK = 256, num_warps = 2}, {BLOCK = 512}] {\n"
    "  tile.grid(%n : i32) {\n"
    "    %block = tile.meta BLOCK : i32\n"
    "    %programs = arith.ceildivsi %n, %block : i32\n"
    "    tile.yield %programs : i32\n"
    "  }\n"
    "  %block = tile.meta BLOCK : i32\n"
    "  %pid = tile.program_id x\n"
    "  %first = arith.muli %pid, %block : i32\n"
    "  %lane = tile.arange : !index\n"
    "  %base = tile.splat %first : i32 -> !index\n"
    "  %offs = arith.addi %base, %lane : !index\n"
    "  %end = tile.splat %n : i32 -> !index\n"
    "  %in = arith.cmpi slt, %offs, %end : !index\n"
    "  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs\n"
    "  %xp = tile.addptr %xs, %offs : !ptrs, !index\n"
    "  %xv = tile.load %xp, %in : !ptrs\n"
    "  %ys = tile.splat %y : !tile.ptr<f32> -> !ptrs\n"
    "  %yp = tile.addptr %ys, %offs : !ptrs, !index\n"
    "  %yv = tile.load %yp, %in : !ptrs\n"
    "  %sum = arith.addf %xv, %yv : tensor<?xf32, #tile.dims<[BLOCK]>>\n"
    "  %outs = tile.splat %out : !tile.ptr<f32> -> !ptrs\n"
    "  %outp = tile.addptr %outs, %offs : !ptrs, !index\n"
    "  tile.store %outp, %sum, %in : !ptrs\n"
    "  tile.return\n"
    "}\n"
    "func.func @main() {\n  return\n}\n";

#define assert_ok(call)                                                                            \
  do {                                                                                             \
    tile_status got_ = (call);                                                                     \
    if (got_ != TILE_STATUS_OK)                                                                    \
      fail_msg("%s: %s: %s", #call, tile_status_get_name(got_), tile_get_message());               \
  } while (0)

#define assert_fails(status, call) assert_int_equal(call, status)

/// Both have the same code, for the same launches.
static inline void expectSameCode(tile_artifact *got, tile_artifact *want) {
  tile_artifact_info a = {.size = sizeof a}, b = {.size = sizeof b};
  assert_ok(tile_artifact_get_info(got, &a));
  assert_ok(tile_artifact_get_info(want, &b));
  assert_int_equal(a.code_size, b.code_size);
  assert_memory_equal(a.code, b.code, a.code_size);
  assert_string_equal(a.arch, b.arch);
  assert_string_equal(a.config, b.config);
  assert_string_equal(a.facts, b.facts);
  assert_int_equal(a.threads, b.threads);
  assert_int_equal(a.num_warps, b.num_warps);
  assert_int_equal(a.shared_bytes, b.shared_bytes);
}

/// The test driver in place of CUDA's (test/Support/FakeCudaDriver.c), for a process that has not
/// opened one.
static inline void useFakeDriver(void) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  assert_true(length > 0);
  path[length] = 0;
  char *slash = strrchr(path, '/');
  snprintf(slash + 1, sizeof path - (size_t)(slash + 1 - path), "FakeCudaDriver.so");
  setenv("TILE_CUDA_DRIVER", path, 1);
}

/// A context without a cache, a module of this text, and its only kernel.
typedef struct Fixture {
  tile_context *context;
  tile_module *module;
  tile_kernel *kernel;
} Fixture;

static inline Fixture makeFixture(const char *text) {
  Fixture f = {NULL, NULL, NULL};
  const tile_context_options options = {.size = sizeof options, .cache = ""};
  assert_ok(tile_context_create(&options, &f.context));
  assert_ok(tile_module_create_from_text(f.context, text, strlen(text), "add.mlir", &f.module));
  assert_ok(tile_module_find_kernel(f.module, NULL, &f.kernel));
  return f;
}

/// Arrays of `count` floats from `offset` elements behind a 256-byte boundary on.
typedef struct Arrays {
  float *memory[3], *x, *y, *out;
  int count;
} Arrays;

static inline Arrays makeArrays(int count, int offset) {
  Arrays a = {.count = count};
  size_t bytes = ((size_t)(count + offset) * sizeof(float) + 511) / 256 * 256;
  for (int i = 0; i < 3; ++i) {
    a.memory[i] = aligned_alloc(256, bytes);
    assert_non_null(a.memory[i]);
  }
  a.x = a.memory[0] + offset;
  a.y = a.memory[1] + offset;
  a.out = a.memory[2] + offset;
  for (int i = 0; i < count; ++i) {
    a.x[i] = (float)i;
    a.y[i] = (float)(3 * i + 1);
    a.out[i] = -1;
  }
  return a;
}

static inline void expectSums(const Arrays *a, int count) {
  for (int i = 0; i < a->count; ++i)
    if (a->out[i] != (i < count ? (float)(4 * i + 1) : -1.0f))
      fail_msg("element %d of %d is %g", i, count, (double)a->out[i]);
}

static inline void freeArrays(Arrays *a) {
  for (int i = 0; i < 3; ++i) free(a->memory[i]);
}

#endif // TILE_TEST_LIBRARY_SUPPORT_H
