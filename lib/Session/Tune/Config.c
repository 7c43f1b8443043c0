//===- Config.c - which configuration a launch takes ----------------------===//
//
// Meta-parameters that neither the command line nor the launch itself binds have, at each launch,
// the values that tuning found for the launch's key; failing that, those of the nearest key that is
// known, or of what a model of the machine expects to be faster than these (Pick.c); failing that,
// what the model expects to be fastest, or the kernel's defaults.
//
// Nearest: the sum over the key's arguments of |log2((|a| + 1) / (|b| + 1))| is least; of two, the
// one that was tuned first. So 1000 is nearer to 1024 than to 512, and sizes count by their ratio.
//
//===----------------------------------------------------------------------===//
#include "../ProgramImpl.h"
#include "tile/Text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

//===- what a result holds for --------------------------------------------===//

/// A hash of the kernel and the helpers, without locations: a comment changes nothing.
static void hashKernel(const TileProgram *p, const TileProgramKernel *kernel, char text[40]) {
  TileText code = {0};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOpPrintingFlagsAssumeVerified(flags);
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(p->module)) {
    bool helper = tileOpIsAFunc(op) && !mlirAttributeIsNull(tileAttr(op, "sym_visibility"));
    if (helper || mlirOperationEqual(op, kernel->func))
      mlirOperationPrintWithFlags(op, flags, tileTextCollect, &code);
  }
  mlirOpPrintingFlagsDestroy(flags);
  TileCacheKey key = tileCacheHash(&(TileCacheField){code.data, code.size}, 1);
  for (int i = 0; i < 16; ++i) snprintf(text + 2 * (size_t)i, 3, "%02x", key.bytes[i]);
  free(code.data);
}

void tileProgramIdentify(TileProgram *p, const TileProgramKernel *kernel,
                         TileTunedIdentity *identity) {
  snprintf(identity->kernel, sizeof identity->kernel, "%.*s", (int)kernel->name.length,
           kernel->name.data);
  hashKernel(p, kernel, identity->code);
  TileText types = {0};
  MlirBlock body = tileBody(kernel->func, 0);
  tileTextAdd(&types, "");
  for (unsigned i = 0; i < kernel->count; ++i) {
    if (i) tileTextAdd(&types, ", ");
    mlirTypePrint(mlirValueGetType(mlirBlockGetArgument(body, i)), tileTextCollect, &types);
  }
  snprintf(identity->types, sizeof identity->types, "%s", types.data);
  free(types.data);
  if (p->device) {
    snprintf(identity->device, sizeof identity->device, "%s", p->deviceName);
    return;
  }
  // "x86_64-pc-linux-gnu CPU FEATURES"
  char *host = tileTargetDescribeHost();
  const char *space = strchr(host, ' ');
  const char *cpu = space ? space + 1 : host;
  int used = snprintf(identity->device, sizeof identity->device, "%.*s, %s", (int)strcspn(cpu, " "),
                      cpu, p->deviceName);
  if (used < 0) identity->device[0] = 0;
  free(host);
}

//===- keys ---------------------------------------------------------------===//

/// The distance of two keys as text; infinite where they have another number of arguments.
static double measureDistance(const char *a, const char *b) {
  double sum = 0;
  while (*a && *b) {
    char *aEnd, *bEnd;
    double x = fabs((double)strtoll(a, &aEnd, 10)), y = fabs((double)strtoll(b, &bEnd, 10));
    if (aEnd == a || bEnd == b) return INFINITY;
    sum += fabs(log2((x + 1) / (y + 1)));
    a = aEnd + strspn(aEnd, ", ");
    b = bEnd + strspn(bEnd, ", ");
  }
  return *a || *b ? INFINITY : sum;
}

//===- choosing -----------------------------------------------------------===//

/// The results of all devices and codes for the kernel's name, into `list`; false where there are
/// none.
static bool findByName(TileProgram *p, const TileProgramKernel *kernel, TileTunedList *list) {
  *list = (TileTunedList){0};
  // What the command line binds, and what is being tuned, is not looked up.
  if (p->options.numBind || p->options.tune || !p->options.cache) return false;
  char name[128];
  snprintf(name, sizeof name, "%.*s", (int)kernel->name.length, kernel->name.data);
  TileTuned like = {.kernel = name, .version = TILE_TUNED_VERSION};
  return tileTunedFind(p->options.cache, &like, list) && list->count;
}

bool tileProgramMayBeTuned(TileProgram *p) {
  bool any = false;
  for (size_t i = 0; i < p->numKernels && !any; ++i) {
    TileTunedList list;
    any = findByName(p, &p->kernels[i], &list);
    tileTunedListDestroy(&list);
  }
  return any;
}

bool tileProgramMayChoose(const TileProgram *p) {
  bool any = false;
  for (size_t i = 0; i < p->numKernels; ++i) any |= tileProgramMayPick(p, &p->kernels[i]);
  return any;
}

void tileProgramLoadTuned(TileProgram *p) {
  if (p->knowsTuned) return;
  p->knowsTuned = true;
  for (size_t i = 0; i < p->numKernels; ++i) {
    TileProgramKernel *kernel = &p->kernels[i];
    TileTunedList all;
    // Most kernels have none, and the rest is more work to say.
    bool any = findByName(p, kernel, &all);
    tileTunedListDestroy(&all);
    if (!any) continue;
    TileTunedIdentity identity;
    tileProgramIdentify(p, kernel, &identity);
    TileTuned like = {.kernel = identity.kernel,
                      .code = identity.code,
                      .types = identity.types,
                      .device = identity.device,
                      .version = TILE_TUNED_VERSION};
    tileTunedFind(p->options.cache, &like, &all);
    for (size_t k = 0; k < all.count; ++k) tileTunedListPut(&kernel->tuned, &all.items[k]);
    tileTunedListDestroy(&all);
  }
}

void tileProgramListTuned(TileProgram *p, MlirStringRef name, TileTunedList *list) {
  const TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  TileTunedIdentity identity;
  *list = (TileTunedList){0};
  if (!kernel) return;
  tileProgramIdentify(p, kernel, &identity);
  const TileTuned like = {.kernel = identity.kernel,
                          .code = identity.code,
                          .types = identity.types,
                          .version = TILE_TUNED_VERSION};
  tileTunedFind(p->options.cache, &like, list);
}

/// The last choice may be another one from here on.
static void forgetChoice(const TileProgramKernel *kernel) {
  if (kernel->calls) kernel->calls->chosen = false;
}

void tileProgramRefreshTuned(TileProgram *p) {
  p->knowsTuned = false;
  tileProgramLoadTuned(p);
  for (size_t i = 0; i < p->numKernels; ++i) forgetChoice(&p->kernels[i]);
}

TileTuned tileTuneTaskGetWinner(const TileTuneTask *task) {
  const TileTrial *best = &task->trials[task->winner];
  return (TileTuned){.kernel = task->kernel,
                     .code = task->code,
                     .key = task->key,
                     .types = task->types,
                     .device = task->device,
                     .version = TILE_TUNED_VERSION,
                     .config = best->config,
                     .seconds = best->seconds,
                     .tried = task->numTrials};
}

bool tileProgramKeepTuned(TileProgram *p, const TileTuneTask *task, TileError *error) {
  TileProgramKernel *kernel = tileProgramFindKernel(p, tileString(task->kernel));
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  TileTuned result = tileTuneTaskGetWinner(task);
  result.made = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
  tileProgramLoadTuned(p);
  if (kernel) {
    tileTunedListPut(&kernel->tuned, &result);
    forgetChoice(kernel);
  }
  return !p->options.cache || tileTunedPut(p->options.cache, &result, 1, error);
}

/// What was tuned for the key, or for the nearest one; NULL where nothing was.
static const TileTuned *findNearest(const TileProgramKernel *kernel, const char *key) {
  const TileTuned *nearest = NULL;
  double least = INFINITY;
  for (size_t i = 0; i < kernel->tuned.count; ++i) {
    const TileTuned *known = &kernel->tuned.items[i];
    double distance = measureDistance(key, known->key);
    if (distance < least || (distance == least && nearest && known->made < nearest->made)) {
      nearest = known;
      least = distance;
    }
  }
  return nearest;
}

static const char *findConfig(TileProgram *p, TileLaunchSite *here, const uint64_t *slots) {
  TileProgramKernel *kernel = here->kernel;
  char key[TILE_TUNE_TEXT];
  tileProgramPrintKey(kernel, slots, key, sizeof key);
  const TileTuned *known = findNearest(kernel, key);
  if (known && !strcmp(known->key, key)) return known->config;
  bool picks = tileProgramMayPick(p, kernel);
  const char *config = picks   ? tileProgramPick(p, kernel, slots, here->boundConfig, known)
                       : known ? known->config
                               : "";
  if (!known) return config;
  if (!strcmp(config, known->config))
    tileEmitRemark(p->place,
                   "kernel '%.*s' was not tuned for (%s): taken is %s, the configuration for (%s), "
                   "which is nearest",
                   (int)kernel->name.length, kernel->name.data, key,
                   *config ? config : "the default", known->key);
  else
    tileEmitRemark(p->place,
                   "kernel '%.*s' was not tuned for (%s): taken is %s, which a model expects to be "
                   "faster than %s, the configuration for (%s), which is nearest",
                   (int)kernel->name.length, kernel->name.data, key,
                   *config ? config : "the default", *known->config ? known->config : "the default",
                   known->key);
  return config;
}

const char *tileProgramChooseConfig(TileProgram *p, TileLaunchSite *here, const uint64_t *slots) {
  TileProgramKernel *kernel = here->kernel;
  if (!kernel->tuned.count && !tileProgramMayPick(p, kernel)) return "";
  bool same = here->chosen;
  for (unsigned i = 0; i < kernel->count; ++i) {
    if (kernel->parameters[i].isPointer) continue;
    same &= here->key[i] == (int64_t)slots[i];
    here->key[i] = (int64_t)slots[i];
  }
  here->chosen = true;
  return same ? here->config : findConfig(p, here, slots);
}

/// "N=1024,num_warps=8", of the positions that have a value.
static char *printBound(const TileLaunchSite *here, MlirAttribute names) {
  TileText text = {0};
  tileTextAdd(&text, "");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); ++i) {
    if (!here->bound[i]) continue;
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i));
    tileTextPrint(&text, text.size ? ",%.*s=%lld" : "%.*s=%lld", (int)name.length, name.data,
                  (long long)here->bound[i]);
  }
  return text.data;
}

bool tileProgramBind(TileLaunchSite *here, MlirOperation launch, int64_t position, int64_t value,
                     TileError *error) {
  MlirAttribute names = tileLaunchGetNamesAttr(launch);
  MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(names, position));
  if (value < 1 || value > INT32_MAX)
    return tileErrorSet(
        error, "expected a positive value below 2^31 for meta-parameter '%.*s', found %lld",
        (int)name.length, name.data, (long long)value);
  size_t count = (size_t)mlirArrayAttrGetNumElements(names);
  if (!here->bound) here->bound = tileRuntimeAlloc(count * sizeof *here->bound);
  if (here->bound[position] == value) return true;
  here->bound[position] = value;
  free(here->boundConfig);
  here->boundConfig = printBound(here, names);
  // The code of the last launch had other values.
  here->code = NULL;
  return true;
}

int64_t tileProgramGetMeta(const TileLaunchSite *here, int64_t number) {
  MlirAttribute meta = tileFuncGetMetaAttr(here->kernel->func);
  MlirNamedAttribute entry = mlirDictionaryAttrGetElement(meta, number);
  int64_t value;
  if (here->config && tileConfigGet(here->config, mlirIdentifierStr(entry.name), &value))
    return value;
  return mlirAttributeIsAInteger(entry.attribute) ? mlirIntegerAttrGetValueInt(entry.attribute) : 0;
}
