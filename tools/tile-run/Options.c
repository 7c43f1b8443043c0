//===- Options.c - the command line of tile-run ---------------------------===//
#include "TileRun.h"
#include "tile/Support/Suggest.h"
#include "tile/Support/Version.h"
#include <argp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  ARGS = 256,
  TARGET,
  ARCH,
  KERNEL,
  ARG,
  GRID,
  EMIT,
  REPEAT,
  DEVICE_INFO,
  CACHE_STAT,
  CACHE_CLEAR,
  CHECK,
  CHECK_LIMIT,
  BREAK,
  DUMP_DIR,
  TUNE,
  SPACE,
  BUDGET,
  TUNE_TIMEOUT,
  TUNE_SHOW,
  TUNE_EXPORT,
  TUNE_IMPORT,
  OVERRIDE,
  REPRODUCER,
  NO_HOST,
  ALLOW_EXTERN
};

/// In groups, in the order of their numbers; those of benchmarks are BenchMain.c's, number 3.
static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Running:", 1},
    {"args", ARGS, "A,B,...", 0, "Arguments of @main; one value stands for all parameters", 1},
    {"target", TARGET, "auto|gpu|cpu", 0, "Where to run (auto: the GPU if there is one)", 1},
    {NULL, 'D', "NAME=VALUE", 0, "Bind a meta-parameter", 1},
    {"kernel", KERNEL, "NAME", 0, "Run or emit this kernel", 1},
    {"arg", ARG, "SPEC", 0,
     "An argument of the kernel: random:f16[512x512], zeros:f32[98432], in.npy, in.ppm, 98432, "
     "2^20, 1e-6, inf, 0x10, null (no array); arrays may end in :out=FILE.npy (or .ppm, .pgm)",
     1},
    {"grid", GRID, "X[,Y[,Z]]", 0,
     "How many programs to launch of a kernel that does not say (Triton's do not)", 1},
    {"repeat", REPEAT, "N", 0, "Time each launch N times (by default, as many as a moment allows)",
     1},
    {"no-host", NO_HOST, NULL, 0,
     "Take the file's kernels alone: its host program is not run (docs/security.md)", 1},
    {"allow-extern", ALLOW_EXTERN, NULL, 0,
     "Let the host program call functions of this process and its libraries", 1},
    {"verbose", 'v', NULL, 0, "Say what each launch uses and what the cache had", 1},
    {"device-info", DEVICE_INFO, NULL, 0, "Describe the GPU and stop", 1},
    {NULL, 'h', NULL, OPTION_HIDDEN, "As --help", 1},

    {NULL, 0, NULL, 0, "Debugging:", 2},
    {"check", CHECK, NULL, 0,
     "Run on the CPU and test every access, index and assert; see docs/checking.md", 2},
    {"check-limit", CHECK_LIMIT, "N", 0, "Print the first N findings of --check (10), count all",
     2},
    {"break", BREAK, "pid=X[,Y[,Z]]", 0,
     "Run on the CPU and print every value of this program, op by op", 2},

    {NULL, 0, NULL, 0, "Tuning, which later runs use without being asked:", 4},
    {"tune", TUNE, NULL, 0,
     "Find the fastest configuration of each kernel at its launches, among its configs or in "
     "--space, and keep it; with --bench, at each of its points",
     4},
    {"space", SPACE, "NAME=A,B,...", 0, "Values of a meta-parameter to tune over; once for each",
     4},
    {"budget", BUDGET, "N", 0, "Compile at most N configurations of a kernel (64)", 4},
    {"tune-timeout", TUNE_TIMEOUT, "SECONDS", 0, "What takes longer hangs (10)", 4},
    {"tune-show", TUNE_SHOW, NULL, 0, "List what tuning found and stop", 4},
    {"tune-export", TUNE_EXPORT, "FILE", 0,
     "Write what tuning found to a file (-: stdout) and stop", 4},
    {"tune-import", TUNE_IMPORT, "FILE", 0, "Read such a file (-: stdin) and stop", 4},

    {NULL, 0, NULL, 0, "Looking at stages:", 5},
    {"emit", EMIT, "STAGE", 0,
     "Print a stage and stop: tile, layouts, nvvm, llvm, ptx, cubin, sass, asm (the CPU's)", 5},
    {NULL, 'o', "FILE", 0, "Where --emit writes", 5},
    {"arch", ARCH, "SM", 0, "GPU architecture to compile for, as sm_90a", 5},
    {"dump-dir", DUMP_DIR, "DIR", 0, "Write every stage of every kernel into DIR/KERNEL/", 5},
    {NULL, 'W', "no-slow", 0, "Leave out warnings about slower roads than a kernel could take", 5},
    {"remarks", 'R', "PASS,...", OPTION_ARG_OPTIONAL,
     "Print what passes remark, all or these (as pipeline): what they refuse, and why", 5},
    {"reproducer", REPRODUCER, "FILE", 0,
     "Where a pass fails or crashes, leave the kernel and the passes in FILE, for tile-opt "
     "--run-reproducer",
     5},
    {"override", OVERRIDE, "STAGE=FILE", 0,
     "Go on from FILE in place of a stage, which is called as --dump-dir calls it (KERNEL/STAGE "
     "where there are several kernels)",
     5},

    {NULL, 0, NULL, 0, "The cache of compiled code and tuning results:", 6},
    {"cache-stat", CACHE_STAT, NULL, 0, "Say what it holds and stop", 6},
    {"cache-clear", CACHE_CLEAR, NULL, 0, "Empty it, tuning results too, and stop", 6},
    {0},
};

static void push(const char ***list, size_t *count, const char *text) {
  const char **grown = realloc(*list, (*count + 1) * sizeof **list);
  if (!grown) abort();
  *list = grown;
  grown[(*count)++] = text;
}

/// Splits at commas; the options own a copy of the text. Nothing between two is a value, too, which
/// no type has.
static void splitArgs(RunOptions *o, const char *text) {
  free(o->argsText);
  o->numArgs = 0;
  o->argsText = strdup(text);
  if (!o->argsText) abort();
  char *rest = o->argsText;
  for (char *part; (part = strsep(&rest, ","));) push(&o->args, &o->numArgs, part);
}

/// One of the names; -1, and the one that was meant, where it is none.
static int choose(const char *text, const char *const *names, int count,
                  TileSuggestionText *meant) {
  TileSuggestion suggestion = tileSuggestionFor(text, strlen(text));
  for (int i = 0; i < count; ++i) {
    if (!strcmp(text, names[i])) return i;
    tileSuggestionOffer(&suggestion, names[i], strlen(names[i]));
  }
  *meant = tileSuggestionSay(&suggestion);
  return -1;
}

static void parseTarget(RunOptions *o, const char *text, struct argp_state *state) {
  static const char *const names[] = {"auto", "gpu", "cpu"};
  TileSuggestionText meant;
  int found = choose(text, names, 3, &meant);
  if (found < 0)
    argp_error(state, "expected --target=auto, gpu or cpu, found '%s'%s", text, meant.text);
  else
    o->target = (TileProgramTarget)found;
}

static void parseEmit(RunOptions *o, const char *text, struct argp_state *state) {
  static const char *const names[] = {"tile", "layouts", "nvvm", "llvm",
                                      "ptx",  "cubin",   "sass", "asm"};
  TileSuggestionText meant;
  int found = choose(text, names, 8, &meant);
  if (found < 0)
    argp_error(state,
               "expected --emit=tile, layouts, nvvm, llvm, ptx, cubin, sass or asm, found '%s'%s",
               text, meant.text);
  else
    o->emit = (TileEmit)found;
  o->emits = true;
}

static unsigned parseCount(const char *option, const char *text, struct argp_state *state) {
  char *end;
  unsigned long count = strtoul(text, &end, 10);
  if (end == text || *end || *text == '-' || !count || count > 1000000)
    argp_error(state, "expected --%s from 1 to 1000000, found '%s'", option, text);
  return (unsigned)count;
}

/// "pid=1,2": what is left out is 0.
static void parseBreak(RunOptions *o, const char *text, struct argp_state *state) {
  const char *at = strncmp(text, "pid=", 4) ? text : text + 4;
  bool ok = at != text;
  for (int i = 0; ok && i < 3; ++i) {
    char *end;
    long id = strtol(at, &end, 10);
    ok = end != at && id >= 0 && id <= INT_MAX && *at >= '0' && *at <= '9';
    o->traced[i] = (int32_t)id;
    at = end;
    if (!*at) break;
    ok = ok && *at++ == ',' && i < 2;
  }
  if (!ok) argp_error(state, "expected --break pid=X[,Y[,Z]], found '%s'", text);
  o->traces = true;
}

/// "132,8": one to three extents from 1 on; what is left out is 1.
static void parseGrid(RunOptions *o, const char *text, struct argp_state *state) {
  const char *at = text;
  bool ok = true;
  for (int i = 0; i < 3; ++i) o->grid[i] = 1;
  for (o->numGrid = 0; ok; ++at) {
    char *end;
    long extent = strtol(at, &end, 10);
    ok = o->numGrid < 3 && *at >= '0' && *at <= '9' && extent > 0 && extent <= INT_MAX &&
         (!*end || *end == ',');
    if (ok) o->grid[o->numGrid++] = (int32_t)extent;
    at = end;
    if (!*at) break;
  }
  if (!ok) argp_error(state, "expected --grid X[,Y[,Z]] of positive numbers, found '%s'", text);
}

/// NAME=A,B,...: a name, and at least one positive number below 2^31.
static void checkSpace(const char *text, struct argp_state *state) {
  const char *value = strchr(text, '=');
  bool ok = value && value > text;
  while (ok && *value) {
    char *end;
    long number = strtol(value + 1, &end, 10);
    ok = end > value + 1 && number > 0 && number <= INT_MAX && (!*end || *end == ',');
    value = end;
  }
  if (!ok)
    argp_error(state, "expected --space NAME=A,B,... with positive values, found '%s'", text);
}

static double parseNumber(const char *option, const char *text, double least, double most,
                          struct argp_state *state) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end || !(value >= least && value <= most))
    argp_error(state, "expected --%s from %g to %g, found '%s'", option, least, most, text);
  return value;
}

/// Options that say what to do: one of them, and none of those that would then do nothing.
static void checkTask(const RunOptions *o, struct argp_state *state) {
  const struct {
    const char *name;
    bool is;
  } tasks[] = {
      {"--device-info", o->deviceInfo},
      {"--cache-stat", o->cacheStat},
      {"--cache-clear", o->cacheClear},
      {"--tune-show", o->tuneShow},
      {"--tune-export", o->tuneExport},
      {"--tune-import", o->tuneImport},
      {"--emit", o->emits},
      {"--resources", o->bench.resources},
      {"--check", o->check},
      {"--break", o->traces},
      {"--bench", o->bench.wanted},
      {"--tune", o->tune && !o->bench.wanted},
  };
  const char *task = NULL;
  for (size_t i = 0; i < sizeof tasks / sizeof *tasks; ++i) {
    if (!tasks[i].is) continue;
    // What is checked can be looked into, too.
    bool both = task && !(o->check && o->traces);
    if (both) argp_error(state, "expected %s or %s, found both", task, tasks[i].name);
    task = tasks[i].name;
  }
  const char *stage = o->dumpDir        ? "--dump-dir"
                      : o->numOverrides ? "--override"
                      : o->reproducer   ? "--reproducer"
                                        : NULL;
  if (stage && (o->bench.wanted || o->tune || o->bench.resources))
    argp_error(state, "expected %s or %s, found both", task, stage);
}

static void checkTogether(const RunOptions *o, struct argp_state *state) {
  checkTask(o, state);
  if (!o->file && !o->deviceInfo && !o->cacheStat && !o->cacheClear && !o->tuneShow &&
      !o->tuneExport && !o->tuneImport)
    argp_error(state, "expected a file of kernels, found none");
  if ((o->check || o->traces) && o->target == TILE_PROGRAM_GPU)
    argp_error(state, "expected --target=cpu beside --%s, found gpu: it runs on the CPU",
               o->check ? "check" : "break");
  const char *tuning = o->numSpaces         ? "--space"
                       : o->budget          ? "--budget"
                       : o->tuneTimeout > 0 ? "--tune-timeout"
                                            : NULL;
  if (tuning && !o->tune) argp_error(state, "expected --tune beside %s, found none", tuning);
  if (o->tune && o->numBind && !o->bench.wanted)
    argp_error(state, "expected --tune without -D, which is what it looks for, found both");
  if (o->output && !o->emits) argp_error(state, "expected --emit beside -o, found none");
  if (o->noHost && o->allowExtern)
    argp_error(state, "expected --no-host or --allow-extern, found both");
  if (o->args && o->numSpecs) argp_error(state, "expected --args or --arg, found both");
}

/// Options that only turn something on, or only keep their text: where they do.
static bool keepOption(RunOptions *o, int key, char *text) {
  const struct {
    int key;
    bool *flag;
  } flags[] = {
      {CHECK, &o->check},          {DEVICE_INFO, &o->deviceInfo}, {TUNE, &o->tune},
      {TUNE_SHOW, &o->tuneShow},   {NO_HOST, &o->noHost},         {ALLOW_EXTERN, &o->allowExtern},
      {CACHE_STAT, &o->cacheStat}, {CACHE_CLEAR, &o->cacheClear}, {'v', &o->verbose},
  };
  const struct {
    int key;
    const char **text;
  } texts[] = {
      {KERNEL, &o->kernel},          {'o', &o->output},       {TUNE_EXPORT, &o->tuneExport},
      {TUNE_IMPORT, &o->tuneImport}, {DUMP_DIR, &o->dumpDir}, {REPRODUCER, &o->reproducer},
  };
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
    if (flags[i].key == key) return *flags[i].flag = true;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    if (texts[i].key == key) return (*texts[i].text = text) != NULL;
  return false;
}

/// Options that may be given several times.
static bool addOption(RunOptions *o, int key, char *text, struct argp_state *state) {
  switch (key) {
  case 'D':
    push(&o->bind, &o->numBind, text);
    return true;
  case ARG:
    push(&o->specs, &o->numSpecs, text);
    return true;
  case SPACE:
    checkSpace(text, state);
    push(&o->spaces, &o->numSpaces, text);
    return true;
  case OVERRIDE:
    push(&o->overrides, &o->numOverrides, text);
    return true;
  default:
    return false;
  }
}

static error_t parseOption(int key, char *text, struct argp_state *state) {
  RunOptions *o = state->input;
  if (keepOption(o, key, text) || addOption(o, key, text, state)) return 0;
  switch (key) {
  case 'h':
    argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    break;
  case ARGS:
    splitArgs(o, text);
    break;
  case TARGET:
    parseTarget(o, text, state);
    break;
  case ARCH:
    o->arch = tileMachineFind(text);
    if (!o->arch) argp_error(state, "expected --arch %s, found '%s'", tileMachineGetNames(), text);
    break;
  case GRID:
    parseGrid(o, text, state);
    break;
  case EMIT:
    parseEmit(o, text, state);
    break;
  case REPEAT:
    o->repeat = parseCount("repeat", text, state);
    break;
  case CHECK_LIMIT:
    o->checkLimit = parseCount("check-limit", text, state);
    break;
  case BREAK:
    parseBreak(o, text, state);
    break;
  case BUDGET:
    o->budget = (int)parseNumber("budget", text, 1, 512, state);
    break;
  case TUNE_TIMEOUT:
    o->tuneTimeout = parseNumber("tune-timeout", text, 0.1, 3600, state);
    break;
  case 'R':
    o->remarks = text ? text : "all";
    break;
  case 'W':
    if (strcmp(text, "no-slow")) argp_error(state, "expected -Wno-slow, found '-W%s'", text);
    o->noSlow = true;
    break;
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->bench;
    break;
  case ARGP_KEY_ARG:
    if (o->file) argp_error(state, "expected one file, found '%s' and '%s'", o->file, text);
    o->file = text;
    break;
  case ARGP_KEY_END:
    checkTogether(o, state);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

/// Adds a word as a shell reads it: as it is, or between single quotes. At most four characters
/// for each of its own, and two.
static char *addWord(char *end, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "-_=+.,:/@%^";
  bool quoted = !*word || word[strspn(word, plain)];
  if (quoted) *end++ = '\'';
  for (; *word; ++word) {
    if (*word == '\'') end = stpcpy(end, "'\\'");
    *end++ = *word;
  }
  if (quoted) *end++ = '\'';
  return end;
}

/// The command as it could be typed again.
static char *joinCommand(int argc, char **argv) {
  size_t size = sizeof "tile-run";
  for (int i = 1; i < argc; ++i) size += 4 * strlen(argv[i]) + 3;
  char *text = calloc(1, size);
  if (!text) abort();
  char *end = stpcpy(text, "tile-run");
  for (int i = 1; i < argc; ++i) {
    *end++ = ' ';
    end = addWord(end, argv[i]);
  }
  return text;
}

static void printVersion(FILE *stream, struct argp_state *state) {
  (void)state;
  fprintf(stream, "tile-run %s\n", tileVersionGet());
}

RunOptions runOptionsParse(int argc, char **argv) {
  static const struct argp_child children[] = {{&benchArgp, 0, NULL, 0}, {0}};
  static const struct argp argp = {
      .options = options,
      .parser = parseOption,
      .children = children,
      .args_doc = "FILE.mlir|FILE.ttir",
      .doc = "Compiles the tile kernels of a file, runs its host program @main (or one kernel "
             "alone), and times each launch.\v"
             "Examples:\n"
             "  tile-run matmul.mlir --args 512\n"
             "  tile-run matmul.mlir --args 512 --tune\n"
             "  tile-run matmul.mlir --bench --sweep m,n,k=256..8192:x2 --compare cublas \\\n"
             "      --save results/matmul\n"
             "  tile-run matmul.mlir --args 512 --emit=ptx\n"
             "  tile-run add.ttir --grid 4 --arg random:f32[4096] --arg random:f32[4096] \\\n"
             "      --arg zeros:f32[4096]:out=sum.npy --arg 4096\n\n"
             "Environment:\n"
             "  TILE_CACHE=FOLDER|off   where the cache is, by default in ~/.cache/tile\n"
             "  TILE_CACHE_SIZE=512M    the size that it keeps to\n"
             "  TILE_TRACE=PASS,..|all  prints what passes decide, as assign-layouts\n\n"
             "Exit status: 0 success, 1 bad input or a failed check, 2 bad usage.",
  };
  RunOptions result = {.bench.command = joinCommand(argc, argv)};
  argp_err_exit_status = 2;
  argp_program_version_hook = printVersion;
  if (tileSuggestTellOption("tile-run", &argp, argc, argv)) exit(2);
  argp_parse(&argp, argc, argv, 0, NULL, &result);
  return result;
}

void runOptionsDestroy(RunOptions *o) {
  benchSettingsDestroy(&o->bench);
  free(o->args);
  free(o->argsText);
  free(o->bind);
  free(o->overrides);
  free(o->spaces);
  free(o->specs);
}
