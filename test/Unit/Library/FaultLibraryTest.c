// RUN: %unit/FaultLibraryTest
//
// libtile with every call that can fail failing in turn (test/Support/Faults): contexts, questions,
// launches of code that is there, refusals. Parsing and compiling are left out: LLVM, MLIR's C API
// and our passes end the process where memory is out, as docs/embedding.md says.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "../../Support/Faults/Faults.h"
#include "tile.h"
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "tile.func @fill(%out: !tile.ptr<i32>, %n: i32 {tile.key}) meta {N = 64} configs [{N = 32}] {\n"
    "  tile.grid(%n : i32) {\n"
    "    tile.yield %n : i32\n"
    "  }\n"
    "  %pid = tile.program_id x\n"
    "  %place = tile.addptr %out, %pid : !tile.ptr<i32>, i32\n"
    "  tile.store %place, %pid : !tile.ptr<i32>\n"
    "  tile.return\n"
    "}\n";

static tile_context *context;
static tile_kernel *kernel;
static tile_artifact *artifact;

/// The message of a call that failed becomes the work's.
static bool ok(tile_status status, TileError *error) {
  if (status == TILE_STATUS_OK) return true;
  const char *said = strstr(tile_get_message(), "expected ");
  if (!said) faultsWrong("a failure without a message");
  return tileErrorSet(error, "%s", said ? said : "");
}

/// A launch of the kernel, or of its artifact; right, or refused.
static bool launch(bool ofArtifact, int n, TileError *error) {
  int32_t out[4] = {-1, -1, -1, -1};
  const tile_launch how = {.size = sizeof how, .place = TILE_PLACE_CPU};
  const tile_value values[] = {tile_pointer(out), tile_integer(n)};
  tile_status status = ofArtifact ? tile_artifact_launch(artifact, &how, values, 2)
                                  : tile_kernel_launch(kernel, &how, values, 2);
  if (!ok(status, error)) return false;
  for (int i = 0; i < 4; ++i)
    if (out[i] != (i < n ? i : -1)) return faultsWrong("a launch that wrote something else");
  return true;
}

/// What a process has once, and what is compiled, before anything fails.
static bool begin(TileError *error) {
  tile_module *module;
  const tile_context_options options = {.size = sizeof options, .cache = ""};
  const tile_compile_options cpu = {.size = sizeof cpu, .arch = "cpu"};
  return ok(tile_context_create(&options, &context), error) &&
         ok(tile_module_create_from_text(context, text, strlen(text), NULL, &module), error) &&
         ok(tile_module_find_kernel(module, "fill", &kernel), error) &&
         ok(tile_kernel_compile(kernel, &cpu, &artifact), error) && launch(false, 4, error) &&
         launch(false, 3, error) && launch(true, 4, error) &&
         tile_kernel_launch(NULL, NULL, NULL, 0) == TILE_STATUS_HANDLE; // its message has its place
}

static bool runLaunches(TileError *error) {
  return launch(false, 4, error) && launch(false, 3, error) && launch(true, 2, error);
}

static bool runQuestions(TileError *error) {
  tile_kernel_info info = {.size = sizeof info};
  tile_argument_info argument = {.size = sizeof argument};
  tile_artifact_info code = {.size = sizeof code};
  const char *config = NULL;
  const tile_launch how = {.size = sizeof how, .place = TILE_PLACE_CPU};
  const tile_value values[] = {tile_pointer(&info), tile_integer(4)};
  bool done = ok(tile_kernel_get_info(kernel, &info), error) &&
              ok(tile_kernel_get_argument(kernel, 1, &argument), error) &&
              ok(tile_kernel_get_config(kernel, 0, &config), error) &&
              ok(tile_artifact_get_info(artifact, &code), error);
  if (done && (strcmp(info.name, "fill") != 0 || strcmp(argument.name, "n") != 0 ||
               strcmp(config, "N=32") != 0 || strcmp(code.arch, "cpu") != 0))
    return faultsWrong("an answer");
  done = done && ok(tile_kernel_find_config(kernel, &how, values, 2, &config), error);
  return done && (!*config || faultsWrong("a configuration"));
}

/// Refused for what is wrong with them, or for want of memory for the words: never let through.
static bool runRefusals(TileError *error) {
  const tile_launch how = {.size = sizeof how, .place = TILE_PLACE_CPU};
  const tile_value wrong[] = {tile_integer(1), tile_float(1)};
  if (tile_kernel_launch(kernel, &how, wrong, 2) != TILE_STATUS_ARGUMENT)
    return faultsWrong("a launch with wrong types");
  bool done = strstr(tile_get_message(), "expected a pointer for argument 0 %out of 'fill'");
  if (!done) ok(TILE_STATUS_ARGUMENT, error);
  tile_tune_options tune = {.size = sizeof tune, .seconds = -1};
  tile_tuning *tuning;
  tile_status status = tile_kernel_tune(kernel, &tune, wrong, 1, &tuning);
  if (tuning || (status != TILE_STATUS_ARGUMENT && status != TILE_STATUS_MEMORY))
    return faultsWrong("a tuning of nothing");
  return done;
}

static bool (*part)(TileError *error);

static bool act(TileError *error) {
  faultsPause();
  if (!begin(error)) return faultsWrong("the work as such");
  tile_context_destroy(NULL); // forgets the message
  faultsResume();
  bool done = part(error);
  tile_context_destroy(NULL);
  return done;
}

static void try_(const char *name, bool (*work)(TileError *error), uint64_t least) {
  part = work;
  faultsTry(&(FaultWork){name, NULL, act, NULL}, least);
}

static void launches(void **state) {
  (void)state;
  try_("launch", runLaunches, 0);
}

static void questions(void **state) {
  (void)state;
  try_("ask", runQuestions, 0);
}

static void refusals(void **state) {
  (void)state;
  try_("refuse", runRefusals, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(launches),
      cmocka_unit_test(questions),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
