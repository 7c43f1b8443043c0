//===- BenchMain.c - tile-run --bench and --resources ---------------------===//
#include "TileRun.h"
#include "tile/Bench.h"
#include "tile/IR.h"
#include "tile/commit.h" // Made by cmake/Commit.cmake: TILE_COMMIT.
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  BENCH = 512,
  SWEEP,
  COMPARE,
  NAME,
  TITLE,
  CSV,
  JSON,
  HTML,
  PLOT,
  SAVE,
  METRIC,
  RATIO_TO,
  BASELINE,
  FAIL_ABOVE,
  RESOURCES
};

static const struct argp_option benchOptions[] = {
    {NULL, 0, NULL, 0, "Benchmarks:", 3},
    {"bench", BENCH, NULL, 0, "Measure each launch, with everything around it", 3},
    {"sweep", SWEEP, "NAME=VALUES", 0,
     "Values of an argument of @main (or of several: m,n,k=...): 256..8192:x2, 0..100:+10, "
     "512,1000; several sweeps multiply",
     3},
    {"compare", COMPARE, "NAME=FILE[,D=V..]|PROVIDER", 0,
     "Another line: a file with meta-parameters, or cublas, copy, openblas", 3},
    {"name", NAME, "NAME", 0, "What the file's own line is called (by default, as its kernel)", 3},
    {"title", TITLE, "TEXT", 0, "The title of plots and page", 3},
    {"csv", CSV, "FILE", 0, "Write all figures as CSV", 3},
    {"json", JSON, "FILE", 0, "Write all figures and samples as JSON", 3},
    {"html", HTML, "FILE", 0, "Write a page with table and plots", 3},
    {"plot", PLOT, "FILE", 0,
     "Write a plot, in .svg, or in .png where librsvg's rsvg-convert is installed", 3},
    {"save", SAVE, "PREFIX", 0, "PREFIX.csv, .json, .html, .svg, and .png where possible", 3},
    {"metric", METRIC, "NAME", 0,
     "What plots show: ms, GB/s, TFLOP/s or ratio (by default, what the kernel is bound by)", 3},
    {"ratio-to", RATIO_TO, "LINE", 0,
     "The line that ratios are to (by default, the first provider, or else the first of several)",
     3},
    {"baseline", BASELINE, "FILE", 0,
     "Say how many times faster each line ran than in an earlier file of --json", 3},
    {"fail-above", FAIL_ABOVE, "PERCENT", 0,
     "Fail where a median is more than that above the baseline's", 3},
    {"resources", RESOURCES, NULL, 0,
     "Say what each kernel takes of a GPU, occupancy and instructions, and stop", 3},
    {0},
};

static void push(const char ***list, size_t *count, const char *text) {
  const char **grown = realloc(*list, (*count + 1) * sizeof **list);
  if (!grown) abort();
  *list = grown;
  grown[(*count)++] = text;
}

static char *join(const char *prefix, const char *suffix) {
  size_t size = strlen(prefix) + strlen(suffix) + 1;
  char *text = malloc(size);
  if (!text) abort();
  snprintf(text, size, "%s%s", prefix, suffix);
  return text;
}

static void save(BenchSettings *b, const char *prefix) {
  static const char *const suffixes[] = {".csv", ".json", ".html", ".svg", ".png"};
  for (int i = 0; i < 5; ++i) b->saved[i] = join(prefix, suffixes[i]);
  b->csv = b->saved[0];
  b->json = b->saved[1];
  b->html = b->saved[2];
  push(&b->plots, &b->numPlots, b->saved[3]);
  if (tileBenchHasProgram("rsvg-convert")) push(&b->plots, &b->numPlots, b->saved[4]);
}

static void checkSweeps(BenchSettings *b, struct argp_state *state) {
  TileError error = TILE_ERROR_INIT;
  b->space = tileSpaceCreate(b->sweeps, b->numSweeps, &error);
  if (!b->space) argp_error(state, "%s", tileErrorGetMessage(&error));
  tileErrorDestroy(&error);
}

static void checkPlot(const char *path, struct argp_state *state) {
  size_t length = strlen(path);
  const char *end = length > 4 ? path + length - 4 : "";
  if (strcmp(end, ".svg") != 0 && strcmp(end, ".png") != 0)
    argp_error(state, "expected --plot FILE.svg or FILE.png, found '%s'", path);
}

static double parsePercent(const char *text, struct argp_state *state) {
  char *end;
  double percent = strtod(text, &end);
  if (end != text && *end == '%') ++end;
  if (end == text || *end || !(percent >= 0) || percent > 1e6)
    argp_error(state, "expected --fail-above PERCENT, such as 5%%, found '%s'", text);
  return percent;
}

/// Options about what is compared with what.
static bool parseComparison(BenchSettings *b, int key, char *text, struct argp_state *state) {
  switch (key) {
  case METRIC:
    if (!tileBenchKnowsMetric(text))
      argp_error(state, "expected --metric ms, GB/s, TFLOP/s or ratio, found '%s'", text);
    b->metric = text;
    return true;
  case RATIO_TO:
    b->ratioTo = text;
    return true;
  case BASELINE:
    b->baseline = text;
    return true;
  case FAIL_ABOVE:
    b->failAbove = parsePercent(text, state);
    b->fails = true;
    return true;
  default:
    return false;
  }
}

static void checkBench(BenchSettings *b, struct argp_state *state) {
  if (b->needsBench && !b->wanted)
    argp_error(state, "expected --bench beside the options of benchmarks, found none");
  if (b->fails && !b->baseline)
    argp_error(state, "expected --baseline FILE beside --fail-above, found none");
  if (b->metric && !strcasecmp(b->metric, "ratio") && !b->numCompare && !b->ratioTo)
    argp_error(state, "expected --compare beside --metric=ratio, found one line alone");
  checkSweeps(b, state);
}

static error_t parseOption(int key, char *text, struct argp_state *state) {
  BenchSettings *b = state->input;
  // All but these two ask for --bench.
  if (key >= SWEEP && key < RESOURCES) b->needsBench = true;
  switch (key) {
  case BENCH:
    b->wanted = true;
    break;
  case SWEEP:
    push(&b->sweeps, &b->numSweeps, text);
    break;
  case COMPARE:
    push(&b->compare, &b->numCompare, text);
    break;
  case NAME:
    b->name = text;
    break;
  case TITLE:
    b->title = text;
    break;
  case CSV:
    b->csv = text;
    break;
  case JSON:
    b->json = text;
    break;
  case HTML:
    b->html = text;
    break;
  case PLOT:
    checkPlot(text, state);
    push(&b->plots, &b->numPlots, text);
    break;
  case SAVE:
    if (b->saved[0]) argp_error(state, "expected --save once, found it twice");
    save(b, text);
    break;
  case RESOURCES:
    b->resources = true;
    break;
  case ARGP_KEY_END:
    checkBench(b, state);
    break;
  default:
    return parseComparison(b, key, text, state) ? 0 : ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp benchArgp = {.options = benchOptions, .parser = parseOption};

void benchSettingsDestroy(BenchSettings *b) {
  for (int i = 0; i < 5; ++i) free(b->saved[i]);
  free(b->sweeps);
  free(b->compare);
  free(b->plots);
  free(b->command);
  tileSpaceDestroy(b->space);
}

//===- lines --------------------------------------------------------------===//

/// What --compare NAME=FILE[,D=V..] comes to.
typedef struct OtherLine {
  char *text;
  const char **bind;
  size_t numBind;
  MlirModule module;
} OtherLine;

typedef struct Lines {
  TileBenchLine *lines;
  OtherLine *others;
  const char **providers;
  size_t numLines, numOthers, numProviders;
} Lines;

static bool addOther(Lines *l, MlirContext context, const char *text, const RunOptions *o) {
  OtherLine *other = &l->others[l->numOthers++];
  other->text = strdup(text);
  if (!other->text) abort();
  char *file = strchr(other->text, '='), *state = NULL;
  *file++ = 0;
  file = strtok_r(file, ",", &state);
  for (char *part = strtok_r(NULL, ",", &state); part; part = strtok_r(NULL, ",", &state))
    push(&other->bind, &other->numBind, part);
  if (!file || !*other->text) {
    fprintf(stderr, "error: expected --compare NAME=FILE, found '%s'\n", text);
    return false;
  }
  for (size_t i = 0; i < l->numLines; ++i)
    if (l->lines[i].name && !strcmp(l->lines[i].name, other->text)) {
      fprintf(stderr, "error: expected lines of different names, found two called '%s'\n",
              other->text);
      return false;
    }
  other->module = readKernels(context, file, o);
  l->lines[l->numLines++] = (TileBenchLine){
      .name = other->text, .module = other->module, .bind = other->bind, .numBind = other->numBind};
  return !mlirModuleIsNull(other->module);
}

static void destroyLines(Lines *l) {
  for (size_t i = 0; i < l->numOthers; ++i) {
    if (!mlirModuleIsNull(l->others[i].module)) mlirModuleDestroy(l->others[i].module);
    free(l->others[i].bind);
    free(l->others[i].text);
  }
  free(l->lines);
  free(l->others);
  free(l->providers);
}

/// "matmul" for test/Examples/Matmul/matmul.mlir.
static const char *nameFile(const char *path, char *name, size_t size) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  snprintf(name, size, "%.*s", (int)strcspn(base, "."), base);
  return name;
}

bool runBench(MlirModule module, const RunOptions *o, TileCache *cache) {
  const BenchSettings *b = &o->bench;
  Lines l = {.lines = calloc(b->numCompare + 1, sizeof *l.lines),
             .others = calloc(b->numCompare + 1, sizeof *l.others)};
  if (!l.lines || !l.others) abort();
  l.lines[l.numLines++] =
      (TileBenchLine){.name = b->name, .module = module, .bind = o->bind, .numBind = o->numBind};
  bool ok = true;
  for (size_t i = 0; ok && i < b->numCompare; ++i) {
    if (strchr(b->compare[i], '='))
      ok = addOther(&l, mlirModuleGetContext(module), b->compare[i], o);
    else
      push(&l.providers, &l.numProviders, b->compare[i]);
  }
  char name[256];
  TileBenchOptions options = {.target = o->target,
                              .arch = o->arch,
                              .cache = cache,
                              .lines = l.lines,
                              .numLines = l.numLines,
                              .providers = l.providers,
                              .numProviders = l.numProviders,
                              .space = b->space,
                              .args = o->args,
                              .numArgs = o->numArgs,
                              .repeat = o->repeat,
                              .title = b->title ? b->title : nameFile(o->file, name, sizeof name),
                              .command = b->command,
                              .csv = b->csv,
                              .json = b->json,
                              .html = b->html,
                              .plots = b->plots,
                              .numPlots = b->numPlots,
                              .metric = b->metric,
                              .ratioTo = b->ratioTo,
                              .baseline = b->baseline,
                              .failAbove = b->fails ? b->failAbove : -1,
                              .commit = *TILE_COMMIT ? TILE_COMMIT : NULL};
  ok = ok && mlirLogicalResultIsSuccess(tileBenchRun(&options));
  destroyLines(&l);
  return ok;
}

bool printResources(TileProgram *program, const RunOptions *o) {
  static const char *const none[] = {NULL};
  const char *const *arguments = o->numSpecs ? none : o->args;
  bool any = false;
  for (size_t i = 0; i < tileProgramGetNumKernels(program); ++i) {
    MlirStringRef kernel = tileProgramGetKernelName(program, i);
    if (o->kernel && !mlirStringRefEqual(kernel, tileString(o->kernel))) continue;
    TileResources resources;
    if (mlirLogicalResultIsFailure(
            tileProgramFindResources(program, kernel, arguments, o->numArgs, &resources)))
      return false;
    printf("@%.*s", (int)kernel.length, kernel.data);
    tileResourcesPrint(stdout, &resources);
    any = true;
  }
  if (!any) fputs("error: expected a kernel to describe, found none\n", stderr);
  return any;
}
