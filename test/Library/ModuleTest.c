// RUN: %unit/ModuleTest
//===- ModuleTest.c - what libtile tells of kernels, and compiles ---------===//
#include "Support.h"

static void kernelsAreDescribed(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  size_t count = 0;
  assert_ok(tile_module_get_num_kernels(f.module, &count));
  assert_int_equal(count, 1);
  tile_kernel_info info = {.size = sizeof info};
  assert_ok(tile_kernel_get_info(f.kernel, &info));
  assert_string_equal(info.name, "add");
  assert_string_equal(info.file, "add.mlir");
  assert_int_equal(info.line, 3);
  assert_int_equal(info.num_arguments, 4);
  assert_int_equal(info.num_metas, 1);
  assert_int_equal(info.num_configs, 2);
  assert_true(info.has_grid);
  static const char *const names[] = {"x", "y", "out", "n"};
  for (size_t i = 0; i < 4; ++i) {
    tile_argument_info argument = {.size = sizeof argument};
    assert_ok(tile_kernel_get_argument(f.kernel, i, &argument));
    assert_string_equal(argument.name, names[i]);
    assert_int_equal(argument.is_pointer, i < 3);
    assert_int_equal(argument.type, i < 3 ? TILE_TYPE_F32 : TILE_TYPE_I32);
    assert_int_equal(argument.is_written, i == 2);
    assert_int_equal(argument.is_key, i == 3);
    assert_true(argument.steers);
  }
  tile_meta_info meta = {.size = sizeof meta};
  assert_ok(tile_kernel_get_meta(f.kernel, 0, &meta));
  assert_string_equal(meta.name, "BLOCK");
  assert_int_equal(meta.value, 1024);
  const char *config = NULL;
  assert_ok(tile_kernel_get_config(f.kernel, 0, &config));
  assert_string_equal(config, "BLOCK=256,num_warps=2");
  assert_fails(TILE_STATUS_NOT_FOUND, tile_kernel_get_config(f.kernel, 2, &config));
  assert_null(config);
  assert_ok(tile_context_destroy(f.context));
}

/// What Triton prints becomes a module, too; its kernels have no grid.
static void tritonIsRead(void **state) {
  (void)state;
  static const char text[] = "module {\n"
                             "  tt.func public @one(%p: !tt.ptr<f32>) {\n"
                             "    %c = arith.constant 1.0 : f32\n"
                             "    tt.store %p, %c : !tt.ptr<f32>\n"
                             "    tt.return\n"
                             "  }\n"
                             "}\n";
  Fixture f = makeFixture(text);
  tile_kernel_info info = {.size = sizeof info};
  assert_ok(tile_kernel_get_info(f.kernel, &info));
  assert_string_equal(info.name, "one");
  assert_false(info.has_grid);
  float number = 0;
  const tile_launch launch = {.size = sizeof launch, .place = TILE_PLACE_CPU, .grid = {1, 1, 1}};
  const tile_value values[] = {tile_pointer(&number)};
  assert_ok(tile_kernel_launch(f.kernel, &launch, values, 1));
  assert_true(number == 1);
  assert_ok(tile_context_destroy(f.context));
}

/// Code differs by what is known of a number that an address, a mask or the end of a loop has.
static void steeringIsFound(void **state) {
  (void)state;
  static const char text[] =
      "module {\n"
      "  tt.func public @k(%p: !tt.ptr<i32>, %at: i32 {tt.divisibility = 8 : i32}, %end: i32,\n"
      "                    %place: i32, %mask: i32, %seed: i32, %unused: i32) {\n"
      "    %c0 = arith.constant 0 : i32\n"
      "    %c1 = arith.constant 1 : i32\n"
      "    %l = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
      "    %m = tt.splat %mask : i32 -> tensor<32xi32>\n"
      "    %in = arith.cmpi slt, %l, %m : tensor<32xi32>\n"
      "    %s = tt.splat %seed : i32 -> tensor<32xi32>\n"
      "    %b = tt.splat %p : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>\n"
      "    %r = scf.for %i = %c0 to %end step %c1 iter_args(%o = %at) -> (i32) : i32 {\n"
      "      %q = tt.splat %o : i32 -> tensor<32xi32>\n"
      "      %a = tt.addptr %b, %q : tensor<32x!tt.ptr<i32>>, tensor<32xi32>\n"
      "      %e = tt.addptr %a, %l : tensor<32x!tt.ptr<i32>>, tensor<32xi32>\n"
      "      %v = tt.load %e, %in : tensor<32x!tt.ptr<i32>>\n"
      "      %x = arith.xori %v, %s : tensor<32xi32>\n"
      "      tt.store %e, %x, %in : tensor<32x!tt.ptr<i32>>\n"
      "      %n = arith.addi %o, %place : i32\n"
      "      scf.yield %n : i32\n"
      "    }\n"
      "    tt.return\n"
      "  }\n"
      "}\n";
  Fixture f = makeFixture(text);
  for (size_t i = 0; i < 7; ++i) {
    tile_argument_info argument = {.size = sizeof argument};
    assert_ok(tile_kernel_get_argument(f.kernel, i, &argument));
    assert_int_equal(argument.steers, i < 5);
    assert_int_equal(argument.multiple, i == 1 ? 8 : 0);
  }
  // A program of an older header has room for less.
  tile_argument_info older = {.size = offsetof(tile_argument_info, steers)};
  assert_ok(tile_kernel_get_argument(f.kernel, 1, &older));
  assert_string_equal(older.name, "at");
  assert_false(older.steers);
  assert_ok(tile_context_destroy(f.context));
}

static tile_artifact_info compile(const Fixture *f, const tile_compile_options *options,
                                  tile_artifact **artifact) {
  tile_artifact_info info = {.size = sizeof info};
  assert_ok(tile_kernel_compile(f->kernel, options, artifact));
  assert_ok(tile_artifact_get_info(*artifact, &info));
  return info;
}

static void machinesAndFactsDecide(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  tile_artifact *known, *unknown, *older;
  tile_compile_options options = {.size = sizeof options,
                                  .arch = "sm_90a",
                                  .format = TILE_FORMAT_PTX,
                                  .config = "BLOCK=512,num_warps=2",
                                  .facts = "0/16,1/16,2/16,3/256+"};
  tile_artifact_info a = compile(&f, &options, &known);
  assert_string_equal(a.kernel, "add");
  assert_string_equal(a.arch, "sm_90a");
  assert_string_equal(a.config, "BLOCK=512,num_warps=2");
  assert_string_equal(a.facts, "0/16,1/16,2/16,3/256+");
  assert_int_equal(a.num_warps, 2);
  assert_int_equal(a.threads, 64);
  assert_int_equal(a.num_arguments, 4);
  assert_non_null(strstr(a.code, ".target sm_90a"));
  assert_non_null(strstr(a.code, ".entry add("));
  assert_int_equal(strlen(a.code), a.code_size);
  // Only addresses that are known to be multiples of 16 bytes are read by so many.
  assert_non_null(strstr(a.code, "ld.global.v4"));
  options.facts = NULL;
  tile_artifact_info b = compile(&f, &options, &unknown);
  assert_null(strstr(b.code, "ld.global.v4"));
  options.arch = "sm_80";
  tile_artifact_info c = compile(&f, &options, &older);
  assert_non_null(strstr(c.code, ".target sm_80"));
  // Artifacts outlive what they were made of.
  assert_ok(tile_context_destroy(f.context));
  assert_ok(tile_artifact_get_info(known, &a));
  assert_non_null(strstr(a.code, ".entry add("));
  assert_ok(tile_artifact_destroy(known));
  assert_ok(tile_artifact_destroy(unknown));
  assert_ok(tile_artifact_destroy(older));
}

static void stagesAreShown(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  static const struct {
    const char *arch;
    tile_format format;
    const char *wanted;
  } stages[] = {
      {"sm_90a", TILE_FORMAT_TILE, "tile.load"},
      {"sm_90a", TILE_FORMAT_LLVM, "nvptx64"},
      {"cpu", TILE_FORMAT_LLVM, "define void @add"},
      {"cpu", TILE_FORMAT_ASSEMBLY, "add:"},
      {"cpu", TILE_FORMAT_OBJECT, "ELF"},
  };
  for (size_t i = 0; i < sizeof stages / sizeof *stages; ++i) {
    tile_artifact *artifact;
    const tile_compile_options options = {
        .size = sizeof options, .arch = stages[i].arch, .format = stages[i].format};
    tile_artifact_info info = compile(&f, &options, &artifact);
    if (!memmem(info.code, info.code_size, stages[i].wanted, strlen(stages[i].wanted)))
      fail_msg("stage %zu has no %s:\n%.400s", i, stages[i].wanted, (const char *)info.code);
    assert_ok(tile_artifact_destroy(artifact));
  }
  assert_ok(tile_context_destroy(f.context));
}

/// What else than the arguments a launch has to give is said: here memory for what is printed.
static void plainCodeIsSaid(void **state) {
  (void)state;
  static const char *const texts[] = {
      addText, "tile.func @show(%x: i32) { tile.print \"x\" %x : i32 tile.return }"};
  for (int i = 0; i < 2; ++i) {
    Fixture f = makeFixture(texts[i]);
    static const tile_format formats[] = {TILE_FORMAT_PTX, TILE_FORMAT_LLVM};
    for (int k = 0; k < 2; ++k) {
      tile_artifact *artifact;
      const tile_compile_options how = {.size = sizeof how, .arch = "sm_90a", .format = formats[k]};
      assert_int_equal(compile(&f, &how, &artifact).is_plain, !i && !k);
      assert_ok(tile_artifact_destroy(artifact));
    }
    assert_ok(tile_context_destroy(f.context));
  }
}

static void theCacheKeepsCode(void **state) {
  (void)state;
  char folder[] = "/tmp/tile-library-XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  for (int times = 0; times < 2; ++times) {
    const tile_context_options options = {.size = sizeof options, .cache = folder};
    Fixture f = {NULL, NULL, NULL};
    assert_ok(tile_context_create(&options, &f.context));
    assert_ok(tile_module_create_from_text(f.context, addText, strlen(addText), NULL, &f.module));
    assert_ok(tile_module_find_kernel(f.module, "add", &f.kernel));
    static const char *const archs[] = {"sm_90a", "sm_80", "cpu"};
    for (int i = 0; i < 3; ++i) {
      tile_artifact *artifact;
      const tile_compile_options how = {.size = sizeof how,
                                        .arch = archs[i],
                                        .format = i < 2 ? TILE_FORMAT_PTX : TILE_FORMAT_OBJECT};
      tile_artifact_info info = compile(&f, &how, &artifact);
      assert_int_equal(info.was_cached, times);
      assert_int_equal(info.num_warps, i < 2 ? 4 : 0);
      if (i < 2) assert_non_null(strstr(info.code, archs[i]));
      assert_ok(tile_artifact_destroy(artifact));
    }
    assert_ok(tile_context_destroy(f.context));
  }
  static const char *const files[] = {"cache-v1.db", "cache-v1.db-wal", "cache-v1.db-shm",
                                      "cache.lock"};
  for (int i = 0; i < 4; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    unlink(path);
  }
  assert_int_equal(rmdir(folder), 0);
}

/// Messages have places, and are heard.
static void heard(void *data, const tile_diagnostic *diagnostic) {
  if (diagnostic->severity == TILE_SEVERITY_ERROR) ++*(int *)data;
}

static void errorsHavePlaces(void **state) {
  (void)state;
  int count = 0;
  tile_context *context;
  tile_module *module = (tile_module *)&count;
  const tile_context_options options = {
      .size = sizeof options, .cache = "", .on_diagnostic = heard, .data = &count};
  assert_ok(tile_context_create(&options, &context));
  static const char bad[] = "tile.func @f(%p: !tile.ptr<f32>) {\n  tile.lod %p\n}\n";
  assert_fails(TILE_STATUS_SOURCE,
               tile_module_create_from_text(context, bad, strlen(bad), "bad.mlir", &module));
  assert_null(module);
  assert_int_equal(count, 1);
  tile_diagnostic first = {.size = sizeof first};
  assert_ok(tile_get_diagnostic(0, &first));
  assert_int_equal(first.severity, TILE_SEVERITY_ERROR);
  assert_string_equal(first.file, "bad.mlir");
  assert_int_equal(first.line, 2);
  assert_int_equal(first.column, 3);
  assert_int_equal(strncmp(tile_get_message(), "bad.mlir:2:3: error: ", 21), 0);
  assert_fails(TILE_STATUS_NOT_FOUND, tile_get_diagnostic(100, &first));
  // A text need not end in NUL, and bytecode is none.
  assert_fails(TILE_STATUS_SOURCE, tile_module_create_from_text(context, bad, 5, NULL, &module));
  assert_fails(TILE_STATUS_NOT_FOUND,
               tile_module_create_from_file(context, "/nowhere/x.mlir", &module));
  assert_string_equal(tile_get_message(), "error: expected to read '/nowhere/x.mlir', found: No "
                                          "such file or directory");
  assert_ok(tile_context_destroy(context));
  assert_string_equal(tile_get_message(), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernelsAreDescribed), cmocka_unit_test(tritonIsRead),
      cmocka_unit_test(steeringIsFound),     cmocka_unit_test(machinesAndFactsDecide),
      cmocka_unit_test(stagesAreShown),      cmocka_unit_test(plainCodeIsSaid),
      cmocka_unit_test(theCacheKeepsCode),   cmocka_unit_test(errorsHavePlaces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
