//===- RunOptions.h - what both fuzzers are told, and how -------*- C -*-===//
//
// Seeds, numbers and times of the command line: an argp child of mutate.c's and differential.c's.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_FUZZ_RUN_OPTIONS_H
#define TILE_TEST_FUZZ_RUN_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct RunOptions {
  /// The first input, and how many; 0: as many as `seconds` allow.
  uint64_t seed, count;
  /// How many where neither is given.
  uint64_t usualCount;
  /// None begins after so many; 0: no limit.
  double seconds;
  /// The folder for inputs that fail; NULL: none.
  const char *save;
  bool prints;
} RunOptions;

static inline error_t parseRunOption(int key, char *text, struct argp_state *state) {
  RunOptions *run = state->input;
  char *rest = NULL;
  switch (key) {
  case 's':
    run->seed = strtoull(text, &rest, 10);
    break;
  case 'n':
    run->count = strtoull(text, &rest, 10);
    break;
  case 't':
    run->seconds = strtod(text, &rest);
    break;
  case 'd':
    run->save = text;
    break;
  case 'p':
    run->prints = true;
    break;
  case ARGP_KEY_END:
    if (!run->count && !(run->seconds > 0)) run->count = run->usualCount;
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  if (rest && (*rest || rest == text)) argp_error(state, "expected a number, found '%s'", text);
  return 0;
}

static const struct argp_option runOptionList[] = {
    {"seed", 's', "N", 0, "The first input (1)", 0},
    {"count", 'n', "N", 0, "How many", 0},
    {"time", 't', "S", 0, "Begin none after S seconds", 0},
    {"save", 'd', "FOLDER", 0, "Where inputs that fail go", 0},
    {"print", 'p', 0, 0, "Print the first input and stop", 0},
    {0}};

static const struct argp runOptionParser = {runOptionList, parseRunOption, 0, 0, 0, 0, 0};

/// For the `children` of a parser, which hands its RunOptions on at ARGP_KEY_INIT:
///   state->child_inputs[0] = &options.run;
static const struct argp_child runOptionChildren[] = {{&runOptionParser, 0, NULL, 0}, {0}};

#endif
