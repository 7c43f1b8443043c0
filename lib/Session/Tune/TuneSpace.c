//===- TuneSpace.c - the candidates, and which are worth compiling --------===//
//
// Where nobody says which, candidates are the kernel's configurations, and those of them whose
// programs are few, with their loops divided among blocks (Pick.c).
//
// The cost model knows tiles only by their types. A candidate is pruned where
//
//   a dot's operands, twice for a pipeline's two stages, do not fit into shared memory (GPU)
//   a thread's part of the largest accumulator is over 255 registers (GPU)
//   a tile is over 2^20 elements (a block's registers hold 2^20 bytes), or on the CPU over 8 MiB
//
// Where more candidates are left than the budget allows, those with the best ratio of operations to
// data stay: for a dot M N / (M + N), and else elements a thread up to 16.
//
//===----------------------------------------------------------------------===//
#include "TuneImpl.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/Suggest.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REGISTERS = 255, MAX_ELEMENTS = 1 << 20, CPU_BYTES = 8 << 20 };

//===- the list -----------------------------------------------------------===//

static bool isLaunchParameter(MlirStringRef name) {
  return tileStringIs(name, "num_warps") || tileStringIs(name, "num_stages") ||
         tileStringIs(name, "num_ctas") || tileStringIs(name, "num_parts") ||
         tileStringIs(name, "num_splits") || tileStringIs(name, "num_last_splits") ||
         tileStringIs(name, "num_teams") || tileStringIs(name, "num_at_once") ||
         tileStringIs(name, "maxnreg");
}

static TileTrial *addTrial(TileTuneTask *task, const char *config) {
  for (int i = 0; i < task->numTrials; ++i)
    if (!strcmp(task->trials[i].config, config)) return NULL;
  if (task->numTrials == TILE_TUNE_TRIALS) return NULL;
  TileTrial *trial = &task->trials[task->numTrials++];
  snprintf(trial->config, sizeof trial->config, "%s", config);
  return trial;
}

/// What of the candidates may be divided among blocks: where a model knows the kernel, all that it
/// expects to be hardly slower than the best.
static void addDivided(TileProgram *p, const TileProgramKernel *kernel, const uint64_t *slots,
                       TileTuneTask *task) {
  TileDivided found[TILE_DIVISIONS];
  double best = 0, slower = tileMachineNumber(tileProgramGetArch(p), TILE_NUMBER_TRIED_SLOWER);
  int last = task->numTrials;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < last; ++i) {
      int count = tileProgramDivide(p, kernel, task->trials[i].config, slots, found);
      for (int d = 0; d < count; ++d) {
        double cycles = found[d].cycles;
        bool isSame = !d && !found[d].division.atOnce; // it is there already
        if (round == 0 && (best == 0 || cycles < best)) best = cycles;
        if (round == 0 || isSame || cycles > best * (1 + slower / 100)) continue;
        char *text = tileDivisionJoin(task->trials[i].config, found[d].division);
        if (strlen(text) < TILE_TUNE_TEXT) addTrial(task, text);
        free(text);
      }
    }
}

/// The entries of kernel's configs, as text, and what of them and the defaults may be divided.
static void addConfigs(TileProgram *p, const TileProgramKernel *kernel, const uint64_t *slots,
                       TileTuneTask *task) {
  for (intptr_t i = 0; i < tileKernelGetNumConfigs(kernel->func); ++i) {
    char *text = tileKernelPrintConfig(kernel->func, i);
    if (strlen(text) < TILE_TUNE_TEXT) addTrial(task, text);
    free(text);
  }
  addDivided(p, kernel, slots, task);
}

/// All combinations of spaces `next` and on, after `config`.
static void addCombinations(TileTuneTask *task, const TileTuneOptions *o, size_t next,
                            const char *config) {
  if (next == o->numSpaces) {
    addTrial(task, config);
    return;
  }
  const char *equals = strchr(o->spaces[next], '=');
  for (const char *value = equals + 1; *value;) {
    size_t length = strcspn(value, ",");
    char longer[TILE_TUNE_TEXT];
    int written = snprintf(longer, sizeof longer, "%s%s%.*s=%.*s", config, *config ? "," : "",
                           (int)(equals - o->spaces[next]), o->spaces[next], (int)length, value);
    if (written < (int)sizeof longer) addCombinations(task, o, next + 1, longer);
    value += length + (value[length] == ',');
  }
}

static MlirLogicalResult checkSpaces(const TileProgramKernel *kernel, const TileTuneOptions *o) {
  MlirAttribute meta = tileFuncGetMetaAttr(kernel->func);
  double combinations = 1;
  for (size_t i = 0; i < o->numSpaces; ++i) {
    const char *equals = strchr(o->spaces[i], '=');
    MlirStringRef name = mlirStringRefCreate(o->spaces[i], (size_t)(equals - o->spaces[i]));
    bool known = isLaunchParameter(name) ||
                 (!mlirAttributeIsNull(meta) &&
                  !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(meta, name)));
    size_t values = 1;
    for (const char *c = equals; *c; ++c) values += *c == ',';
    combinations *= (double)values;
    if (known) continue;
    tileEmitError(mlirOperationGetLocation(kernel->func),
                  "expected a meta-parameter of '%.*s' to tune over, found '%.*s'",
                  (int)kernel->name.length, kernel->name.data, (int)name.length, name.data);
    return mlirLogicalResultFailure();
  }
  if (combinations <= (double)TILE_TUNE_TRIALS) return mlirLogicalResultSuccess();
  tileEmitError(mlirOperationGetLocation(kernel->func),
                "expected at most %d combinations to tune over, found %.0f", TILE_TUNE_TRIALS,
                combinations);
  return mlirLogicalResultFailure();
}

/// "NAME=A,B,..", each value a number above 0.
static bool isSpace(const char *text) {
  size_t name = strcspn(text, "=");
  if (!name || !text[name]) return false;
  for (const char *at = text + name + 1;; ++at) {
    size_t digits = strspn(at, "0123456789");
    if (!digits || digits > 10 || strtoll(at, NULL, 10) < 1 || strtoll(at, NULL, 10) > INT32_MAX)
      return false;
    at += digits;
    if (!*at) return true;
    if (*at != ',') return false;
  }
}

MlirLogicalResult tileTuneCheckOptions(TileProgram *p, const TileProgramKernel *kernel,
                                       const TileTuneOptions *o) {
  MlirLocation loc = mlirOperationGetLocation(kernel->func);
  for (size_t i = 0; i < o->numCandidates; ++i) {
    TILE_TRY(tileProgramCheckConfig(p, kernel->name, o->candidates[i]));
    if (strlen(o->candidates[i]) < TILE_TUNE_TEXT) continue;
    tileEmitError(loc, "expected a configuration of less than %d bytes, found %zu", TILE_TUNE_TEXT,
                  strlen(o->candidates[i]));
    return mlirLogicalResultFailure();
  }
  for (size_t i = 0; i < o->numSpaces; ++i) {
    if (isSpace(o->spaces[i])) continue;
    tileEmitError(loc, "expected a space as NAME=A,B,... with positive values, found '%s'",
                  o->spaces[i]);
    return mlirLogicalResultFailure();
  }
  TILE_TRY(checkSpaces(kernel, o));
  if (o->numSpaces || o->numCandidates || tileKernelGetNumConfigs(kernel->func))
    return mlirLogicalResultSuccess();
  tileEmitError(loc, "expected candidates, or configs of '%.*s', found none",
                (int)kernel->name.length, kernel->name.data);
  return mlirLogicalResultFailure();
}

MlirLogicalResult tileTuneCheck(TileProgram *p) {
  const TileTuneOptions *o = p->options.tune;
  TileProgramKernel *kernel = p->numKernels == 1 ? &p->kernels[0] : NULL;
  if (o->kernel) kernel = tileProgramFindKernel(p, tileString(o->kernel));
  if (o->kernel && !kernel) {
    TileSuggestion suggestion = tileSuggestionFor(o->kernel, strlen(o->kernel));
    for (size_t i = 0; i < p->numKernels; ++i)
      tileSuggestionOffer(&suggestion, p->kernels[i].name.data, p->kernels[i].name.length);
    tileEmitError(p->loc, "expected the name of a kernel to tune, found '%s'%s", o->kernel,
                  tileSuggestionSay(&suggestion).text);
    return mlirLogicalResultFailure();
  }
  if (!o->numSpaces) return mlirLogicalResultSuccess();
  if (kernel) return checkSpaces(kernel, o);
  tileEmitError(p->loc, "expected --kernel beside --space where there are %zu kernels, found none",
                p->numKernels);
  return mlirLogicalResultFailure();
}

//===- the cost model -----------------------------------------------------===//

typedef struct Cost {
  TileView view;
  int64_t largest, largestBytes, accumulator, stage;
  double score;
} Cost;

static MlirWalkResult addCost(MlirOperation op, void *data) {
  Cost *c = data;
  int64_t shape[TILE_MAX_RANK];
  TileProduct dot;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    int64_t count = tileViewCountElements(&c->view, type, shape);
    int64_t bytes = count ? count * tileBitWidth(tileElementType(type)) / 8 : 0;
    if (count > c->largest) c->largest = count;
    if (bytes > c->largestBytes) c->largestBytes = bytes;
  }
  if (!tileOpIsADot(op) || !tileViewFindProduct(&c->view, op, &dot)) return MlirWalkResultAdvance;
  c->stage += dot.aBytes + dot.bBytes;
  if (dot.m * dot.n > c->accumulator) c->accumulator = dot.m * dot.n;
  c->score += (double)dot.m * (double)dot.n / (double)(dot.m + dot.n + 1);
  return MlirWalkResultAdvance;
}

/// Why a candidate is not worth compiling, into `message`; "" where it may be. Its score.
static double judge(TileProgram *p, const TileProgramKernel *kernel, TileTrial *trial) {
  Cost c = {.view = {kernel, trial->config}};
  mlirOperationWalk(kernel->func, addCost, &c, MlirWalkPreOrder);
  int64_t warps = tileViewGetValue(&c.view, tileString("num_warps"), 4);
  int64_t stages = tileViewGetValue(&c.view, tileString("num_stages"), 2);
  int64_t threads = 32 * (warps > 0 ? warps : 1);
  size_t size = sizeof trial->message;
  if (c.largest > MAX_ELEMENTS)
    snprintf(trial->message, size, "expected tiles of at most %d elements, found %lld",
             MAX_ELEMENTS, (long long)c.largest);
  else if (!p->device && c.largestBytes > CPU_BYTES)
    snprintf(trial->message, size, "expected tiles of at most %d bytes, found %lld", CPU_BYTES,
             (long long)c.largestBytes);
  else if (p->device && c.accumulator / threads > MAX_REGISTERS)
    snprintf(trial->message, size, "expected accumulators of at most %d registers, found %lld",
             MAX_REGISTERS, (long long)(c.accumulator / threads));
  else if (p->device && c.stage * stages > p->arch->sharedBytes)
    snprintf(trial->message, size, "expected operands in at most %d bytes, found %lld",
             p->arch->sharedBytes, (long long)(c.stage * stages));
  if (c.score > 0) return c.score;
  double perThread = (double)c.largest / (double)threads;
  return perThread > 16 ? 256 / perThread : perThread;
}

//===- the same on the CPU -----------------------------------------------===//

/// Have two candidates the same meta-parameters, but for those of GPUs alone?
static bool isSameCode(const TileProgramKernel *kernel, const char *a, const char *b) {
  const TileView one = {kernel, a}, other = {kernel, b};
  MlirAttribute meta = tileFuncGetMetaAttr(kernel->func);
  intptr_t count = mlirAttributeIsNull(meta) ? 0 : mlirDictionaryAttrGetNumElements(meta);
  for (intptr_t i = 0; i < count; ++i) {
    MlirStringRef name = mlirIdentifierStr(mlirDictionaryAttrGetElement(meta, i).name);
    if (isLaunchParameter(name)) continue;
    if (tileViewGetValue(&one, name, 0) != tileViewGetValue(&other, name, 0)) return false;
  }
  return true;
}

static bool hasLaunchParameter(const char *config) {
  for (const char *at = config; *at;) {
    size_t name = strcspn(at, "="), value = strcspn(at, ",");
    if (isLaunchParameter(mlirStringRefCreate(at, name))) return true;
    at += value + (at[value] == ',');
  }
  return false;
}

/// Leaves out what is another candidate once more where there are neither warps nor stages.
static void pruneSame(const TileProgramKernel *kernel, TileTuneTask *task, int number) {
  TileTrial *trial = &task->trials[number];
  // What only says the defaults once more was asked for by its author.
  if (!hasLaunchParameter(trial->config)) return;
  for (int i = 0; i < number && !trial->message[0]; ++i) {
    const TileTrial *before = &task->trials[i];
    if (before->state != TILE_TRIAL_NEW || !isSameCode(kernel, before->config, trial->config))
      continue;
    snprintf(trial->message, sizeof trial->message,
             "expected another kernel than that of %.80s, found the same: a CPU has no warps",
             before->config[0] ? before->config : "(default)");
  }
}

void tileTuneFillTask(TileProgram *p, const TileProgramKernel *kernel, const char *key,
                      const uint64_t *slots, const TileTuneOptions *o, TileTuneTask *task) {
  TileTunedIdentity identity;
  tileProgramIdentify(p, kernel, &identity);
  memcpy(task->kernel, identity.kernel, sizeof task->kernel);
  memcpy(task->code, identity.code, sizeof task->code);
  memcpy(task->types, identity.types, sizeof task->types);
  memcpy(task->device, identity.device, sizeof task->device);
  snprintf(task->key, sizeof task->key, "%s", key);
  // The first is the reference: what runs without tuning.
  addTrial(task, "");
  for (size_t i = 0; i < o->numCandidates; ++i) addTrial(task, o->candidates[i]);
  if (o->numSpaces) addCombinations(task, o, 0, "");
  if (!o->numSpaces && !o->numCandidates) addConfigs(p, kernel, slots, task);
  double *scores = tileRuntimeAlloc((size_t)task->numTrials * sizeof *scores);
  int left = 0, budget = o->budget ? o->budget : 64;
  for (int i = 0; i < task->numTrials; ++i) {
    TileTrial *trial = &task->trials[i];
    scores[i] = judge(p, kernel, trial);
    if (!p->device) pruneSame(kernel, task, i);
    if (trial->message[0] && i)
      trial->state = TILE_TRIAL_PRUNED;
    else
      ++left;
  }
  for (; left > budget; --left) {
    int worst = -1;
    for (int i = 1; i < task->numTrials; ++i)
      if (task->trials[i].state == TILE_TRIAL_NEW && (worst < 0 || scores[i] < scores[worst]))
        worst = i;
    if (worst < 0) break;
    task->trials[worst].state = TILE_TRIAL_PRUNED;
    snprintf(task->trials[worst].message, TILE_TUNE_TEXT,
             "expected one of the best %d by the cost model, found a score of %.3g", budget,
             scores[worst]);
  }
  free(scores);
}
