//===- TuneCompile.c - candidates compiled on all cores -------------------===//
//
// A context of MLIR is one thread's. So each thread reads the module again, into a context and a
// program of its own, and compiles the candidates that nobody has taken yet; the code travels
// through the cache, which all share.
//
//===----------------------------------------------------------------------===//
#include "TuneImpl.h"
#include "tile/Text.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_THREADS = 64 };

/// What the threads share.
typedef struct Shop {
  const TileProgram *program;
  const TileProgramKernel *kernel;
  const uint64_t *slots;
  const int32_t *grid;
  const char *bound;
  TileTuneTask *task;
  TileText module;
  atomic_int next;
} Shop;

MlirLogicalResult tileTuneKeepMessage(MlirDiagnostic diagnostic, void *data) {
  char *message = *(char **)data;
  if (!message || *message || mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
    return mlirLogicalResultSuccess();
  TileText text = {0};
  mlirDiagnosticPrint(diagnostic, tileTextCollect, &text);
  snprintf(message, TILE_TUNE_TEXT, "%.*s", (int)strcspn(text.data ? text.data : "", "\n"),
           text.data ? text.data : "");
  free(text.data);
  return mlirLogicalResultSuccess();
}

/// Compiles a candidate for the facts of its own grid: another number of programs may all run at a
/// time. Nothing is said of a grid that is more than arithmetic: the host program works it out.
static bool compileOne(const Shop *shop, TileProgram *p, TileProgramKernel *kernel,
                       const TileTrial *trial) {
  char *config = tileConfigJoin(trial->config, shop->bound);
  TileFacts facts = {0};
  int32_t own[3];
  MlirOperation at;
  const int32_t *grid = shop->grid;
  if (!grid && tileProgramEvaluateGrid(p, kernel, config, shop->slots, own, &at)) grid = own;
  tileProgramFindFacts(p, kernel, shop->slots, grid, &facts);
  bool ok = tileProgramGetCode(p, kernel, &facts, config);
  tileFactsDestroy(&facts);
  free(config);
  return ok;
}

static void compileAll(Shop *shop, TileProgram *p, char **message) {
  TileProgramKernel *kernel = tileProgramFindKernel(p, shop->kernel->name);
  for (;;) {
    int i = atomic_fetch_add(&shop->next, 1);
    if (i >= shop->task->numTrials) return;
    TileTrial *trial = &shop->task->trials[i];
    if (trial->state != TILE_TRIAL_NEW) continue;
    *message = trial->message;
    bool ok = kernel && compileOne(shop, p, kernel, trial);
    *message = NULL;
    trial->state = ok ? TILE_TRIAL_COMPILED : TILE_TRIAL_NO_CODE;
  }
}

static MlirLogicalResult openLike(const TileProgram *model, TileProgram *p) {
  return model->deviceIsLent ? tileProgramOpenOn(p, model->device) : tileProgramOpen(p, NULL);
}

static void *work(void *data) {
  Shop *shop = data;
  char *message = NULL;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, tileTuneKeepMessage, &message, NULL);
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreate(shop->module.data, shop->module.size));
  if (!mlirModuleIsNull(module)) {
    TileProgramOptions options = shop->program->options;
    options.tune = NULL;
    options.target = shop->program->device ? TILE_PROGRAM_GPU : TILE_PROGRAM_CPU;
    TileProgram *p = tileProgramCreate(module, &options);
    if (p && mlirLogicalResultIsSuccess(openLike(shop->program, p))) compileAll(shop, p, &message);
    tileProgramDestroy(p);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  return NULL;
}

void tileTuneCompile(TileProgram *p, const TileProgramKernel *kernel, const uint64_t *slots,
                     const int32_t *grid, const char *bound, TileTuneTask *task) {
  Shop shop = {
      .program = p, .kernel = kernel, .slots = slots, .grid = grid, .bound = bound, .task = task};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  // The generic form has the locations of all blocks' arguments: what is read again must be the
  // same module for the cache, or the code is compiled a second time where it is launched.
  mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOpPrintingFlagsEnableDebugInfo(flags, /*enable=*/true, /*prettyForm=*/false);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(p->module), flags, tileTextCollect,
                              &shop.module);
  mlirOpPrintingFlagsDestroy(flags);
  int wanted = 0;
  for (int i = 0; i < task->numTrials; ++i) wanted += task->trials[i].state == TILE_TRIAL_NEW;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int count = cores < 1 ? 1 : cores > MAX_THREADS ? MAX_THREADS : (int)cores;
  if (count > wanted) count = wanted;
  pthread_t threads[MAX_THREADS];
  int started = 0;
  while (started < count && pthread_create(&threads[started], NULL, work, &shop) == 0) ++started;
  if (wanted && !started) work(&shop);
  for (int i = 0; i < started; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < task->numTrials; ++i)
    if (task->trials[i].state == TILE_TRIAL_NEW) task->trials[i].state = TILE_TRIAL_NO_CODE;
  free(shop.module.data);
}
