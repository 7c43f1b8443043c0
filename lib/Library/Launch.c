//===- Launch.c - launches, by code that is right for them ----------------===//
//
// A launch is, as a rule, one like an earlier one: its facts, a byte an argument, are looked up in
// a table of the kernel's for the device, which holds the code. Readers take no lock: what is in a
// table stays, and a table that has become too small stays beside its successor.
//
//   values --> slots --> grid (the configuration's form) --> bytes of facts --> table --> launch
//                                                                      |
//                              not there: the module's mutex, compile, add
//===----------------------------------------------------------------------===//
#include "Library.h"
#include "tile/IR.h"
#include "tile/Runtime/FactCode.h"
#include "tile/Runtime/LaunchLog.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_ARGUMENTS = TILE_LIB_MAX_ARGUMENTS,
  FIRST_SLOTS = 16,
  CHOICE_LISTS = 64,
  MAX_CHOICES = 1024
};

/// Code for one set of facts.
typedef struct Variant {
  uint64_t hash;
  TileLaunchCode code;
  unsigned config;
  int wave;
  uint8_t facts[];
} Variant;

/// Open addressing; at most half full.
typedef struct Table {
  size_t mask, count;
  struct Table *former;
  _Atomic(Variant *) slots[];
} Table;

/// A configuration that launches had, and the grid that it gives.
typedef struct Config {
  char *text;
  unsigned number;
  bool hasForm; ///< else the grid is more than arithmetic, and launches have to bring theirs
  TileGridForm grid;
  struct Config *next;
} Config;

/// What tuning found for one key, in its `tuning`s time.
typedef struct Choice {
  unsigned tuning;
  const Config *config;
  struct Choice *next;
  uint64_t key[];
} Choice;

/// A kernel on one device, or the CPU.
struct TileLibSite {
  TileLibDevice *device; ///< NULL: the CPU
  TileProgram *program;
  TileLaunchRule rule;
  /// The context's number of tunings when it was last asked whether this is tuned.
  _Atomic unsigned tuning;
  _Atomic bool isTuned;
  /// A model may choose configurations where it is not.
  bool picks;
  /// By a hash of the key; they stay, those of former times too.
  _Atomic(Choice *) choices[CHOICE_LISTS];
  unsigned numChoices;
  _Atomic(Config *) configs;
  unsigned numConfigs;
  _Atomic(Table *) table;
  TileLibSite *next;
};

/// A launch on its way.
typedef struct Launch {
  const TileLibKernel *kernel;
  TileLibSite *site;
  const Config *config;
  void *stream;
  int32_t grid[3];
  int wave;
  bool cooperative;
  uint8_t facts[MAX_ARGUMENTS];
  uint64_t slots[MAX_ARGUMENTS];
} Launch;

void tileLibForgetSites(TileLibKernel *kernel) {
  TileLibSite *nextSite;
  for (TileLibSite *site = kernel->sites; site; site = nextSite) {
    nextSite = site->next;
    Config *nextConfig;
    for (Config *config = site->configs; config; config = nextConfig) {
      nextConfig = config->next;
      tileGridFormDestroy(&config->grid);
      free(config->text);
      free(config);
    }
    Choice *nextChoice;
    for (int i = 0; i < CHOICE_LISTS; ++i)
      for (Choice *choice = site->choices[i]; choice; choice = nextChoice) {
        nextChoice = choice->next;
        free(choice);
      }
    Table *newest = site->table, *former;
    for (size_t i = 0; newest && i <= newest->mask; ++i) free(newest->slots[i]);
    for (Table *table = newest; table; table = former) {
      former = table->former;
      free(table);
    }
    free(site);
  }
}

static tile_status refuseMemory(void) {
  return tileLibFail(TILE_STATUS_MEMORY, "expected memory for a launch, found none");
}

//===- sites and configurations -------------------------------------------===//

static TileLibSite *findSite(const TileLibKernel *kernel, const TileLibDevice *device) {
  TileLibSite *each = atomic_load_explicit(&kernel->sites, memory_order_acquire);
  while (each && each->device != device) each = each->next;
  return each;
}

/// With the module's mutex.
static tile_status makeSite(TileLibKernel *kernel, TileLibDevice *device) {
  // Who else has it open may hand us its memory (tileLibCheckHost).
  if (!device) tileDriverFind();
  TileProgram *program = tileLibGetProgram(kernel->module, device, NULL);
  if (!program) return device ? TILE_STATUS_DEVICE : TILE_STATUS_SYSTEM;
  TileLibSite *site = calloc(1, sizeof *site);
  Table *table = calloc(1, sizeof *table + FIRST_SLOTS * sizeof table->slots[0]);
  if (!site || !table) {
    free(site);
    free(table);
    return refuseMemory();
  }
  table->mask = FIRST_SLOTS - 1;
  site->device = device;
  site->program = program;
  site->rule = tileProgramGetLaunchRule(program, tileString(kernel->name));
  site->tuning = kernel->module->context->tunings;
  site->isTuned = tileProgramIsTuned(program, tileString(kernel->name));
  site->picks = tileProgramPicks(program, tileString(kernel->name));
  site->table = table;
  site->next = kernel->sites;
  atomic_store_explicit(&kernel->sites, site, memory_order_release);
  return TILE_STATUS_OK;
}

/// `wanted` and `former` as tileLibEnterDevice has them.
static tile_status getSite(TileLibKernel *kernel, tile_place place, uint32_t wanted,
                           TileLibSite **site, TileLibCurrent *former) {
  TileLibDevice *device = NULL;
  *former = (TileLibCurrent){NULL, NULL};
  if (place != TILE_PLACE_GPU && place != TILE_PLACE_CPU)
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected a tile_place, found %d", (int)place);
  if (place == TILE_PLACE_GPU) device = tileLibEnterDevice(kernel->module->context, wanted, former);
  if (place == TILE_PLACE_GPU && !device) return TILE_STATUS_DEVICE;
  *site = findSite(kernel, device);
  if (*site) return TILE_STATUS_OK;
  TileLibModule *module = kernel->module;
  pthread_mutex_lock(&module->mutex);
  tile_status status = findSite(kernel, device) ? TILE_STATUS_OK : makeSite(kernel, device);
  pthread_mutex_unlock(&module->mutex);
  if (!status) *site = findSite(kernel, device);
  return status;
}

tile_status tileLibFindPlace(TileLibKernel *kernel, tile_place place, uint32_t wanted,
                             TileProgram **program, TileLibDevice **device,
                             TileLibCurrent *former) {
  TileLibSite *site = NULL;
  tile_status status = getSite(kernel, place, wanted, &site, former);
  if (status) return status;
  *program = site->program;
  *device = site->device;
  return status;
}

static const Config *findConfig(const TileLibSite *site, const char *text) {
  const Config *each = atomic_load_explicit(&site->configs, memory_order_acquire);
  while (each && strcmp(each->text, text) != 0) each = each->next;
  return each;
}

/// With the module's mutex.
static tile_status makeConfig(const TileLibKernel *kernel, TileLibSite *site, const char *text,
                              bool needsGrid) {
  MlirStringRef name = tileString(kernel->name);
  if (mlirLogicalResultIsFailure(tileProgramCheckConfig(site->program, name, text)))
    return TILE_STATUS_ARGUMENT;
  Config *config = calloc(1, sizeof *config);
  if (config) config->text = strdup(text);
  if (!config || !config->text) {
    free(config);
    return refuseMemory();
  }
  config->hasForm =
      mlirLogicalResultIsSuccess(tileProgramMakeGridForm(site->program, name, text, &config->grid));
  if (!config->hasForm && needsGrid) {
    free(config->text);
    free(config);
    return TILE_STATUS_SOURCE;
  }
  if (!config->hasForm) tileLibBegin();
  config->number = site->numConfigs++;
  config->next = site->configs;
  atomic_store_explicit(&site->configs, config, memory_order_release);
  return TILE_STATUS_OK;
}

/// The configuration of this text, made where it is new.
static tile_status takeConfig(Launch *l, const char *text, bool needsGrid) {
  l->config = findConfig(l->site, text);
  if (l->config) return TILE_STATUS_OK;
  TileLibModule *module = l->kernel->module;
  pthread_mutex_lock(&module->mutex);
  tile_status status =
      findConfig(l->site, text) ? TILE_STATUS_OK : makeConfig(l->kernel, l->site, text, needsGrid);
  pthread_mutex_unlock(&module->mutex);
  if (!status) l->config = findConfig(l->site, text);
  return status;
}

//===- what tuning found --------------------------------------------------===//

static bool isKey(const TileLibArgument *argument) {
  return argument->isKey && argument->isInteger;
}

static uint64_t hashKey(const Launch *l) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < l->kernel->numArguments; ++i)
    if (isKey(&l->kernel->arguments[i])) hash = (hash ^ l->slots[i]) * UINT64_C(0x100000001b3);
  return (hash ^ hash >> 32) % CHOICE_LISTS;
}

static bool isChoice(const Choice *choice, const Launch *l, unsigned tuning) {
  size_t next = 0;
  bool is = choice->tuning == tuning;
  for (size_t i = 0; is && i < l->kernel->numArguments; ++i)
    if (isKey(&l->kernel->arguments[i])) is = choice->key[next++] == l->slots[i];
  return is;
}

/// Keeps what was found; where there is no room, it is found again the next time. With the module's
/// mutex.
static void keepChoice(const Launch *l, unsigned tuning, uint64_t hash) {
  TileLibSite *site = l->site;
  size_t count = 0;
  for (size_t i = 0; i < l->kernel->numArguments; ++i) count += isKey(&l->kernel->arguments[i]);
  if (site->numChoices == MAX_CHOICES) return;
  Choice *choice = calloc(1, sizeof *choice + count * sizeof choice->key[0]);
  if (!choice) return;
  ++site->numChoices;
  choice->tuning = tuning;
  choice->config = l->config;
  count = 0;
  for (size_t i = 0; i < l->kernel->numArguments; ++i)
    if (isKey(&l->kernel->arguments[i])) choice->key[count++] = l->slots[i];
  choice->next = site->choices[hash];
  atomic_store_explicit(&site->choices[hash], choice, memory_order_release);
}

/// Something was tuned since this was last asked. With the module's mutex.
static void refresh(const TileLibKernel *kernel, TileLibSite *site, unsigned tuning) {
  if (atomic_load(&site->tuning) == tuning) return;
  tileProgramRefreshTuned(site->program);
  atomic_store(&site->isTuned, tileProgramIsTuned(site->program, tileString(kernel->name)));
  atomic_store(&site->tuning, tuning);
}

/// The configuration that tuning found for these arguments; or, of a launch over the kernel's own
/// grid, that a model chooses: whoever brings a grid has one configuration in mind, the default.
static tile_status chooseConfig(Launch *l, bool isOwnGrid, bool needsGrid) {
  TileLibModule *module = l->kernel->module;
  TileLibSite *site = l->site;
  unsigned tuning = atomic_load(&module->context->tunings);
  if (atomic_load(&site->tuning) != tuning) {
    pthread_mutex_lock(&module->mutex);
    refresh(l->kernel, site, tuning);
    pthread_mutex_unlock(&module->mutex);
  }
  if (!atomic_load(&site->isTuned) && !(site->picks && isOwnGrid))
    return takeConfig(l, "", needsGrid);
  uint64_t hash = hashKey(l);
  const Choice *choice = atomic_load_explicit(&site->choices[hash], memory_order_acquire);
  while (choice && !isChoice(choice, l, tuning)) choice = choice->next;
  if (choice) {
    l->config = choice->config;
    return TILE_STATUS_OK;
  }
  pthread_mutex_lock(&module->mutex);
  const char *text = tileProgramFindTuned(site->program, tileString(l->kernel->name), l->slots);
  tile_status status =
      findConfig(site, text) ? TILE_STATUS_OK : makeConfig(l->kernel, site, text, needsGrid);
  l->config = status ? NULL : findConfig(site, text);
  if (!status) keepChoice(l, tuning, hash);
  pthread_mutex_unlock(&module->mutex);
  return status;
}

static tile_status getConfig(Launch *l, const char *text, bool isOwnGrid, bool needsGrid) {
  return text ? takeConfig(l, text, needsGrid) : chooseConfig(l, isOwnGrid, needsGrid);
}

//===- the grid -----------------------------------------------------------===//

static bool hasGrid(const tile_launch *launch) {
  return launch->grid[0] || launch->grid[1] || launch->grid[2];
}

tile_status tileLibTakeGrid(const uint32_t given[3], int32_t grid[3], bool *isGiven) {
  *isGiven = given[0] || given[1] || given[2];
  for (int i = 0; i < 3; ++i) {
    if (given[i] > INT32_MAX)
      return tileLibFail(TILE_STATUS_ARGUMENT, "expected a grid below 2^31, found %u", given[i]);
    grid[i] = (int32_t)given[i];
  }
  return TILE_STATUS_OK;
}

tile_status tileLibRefuseNoGrid(const TileLibKernel *kernel) {
  return tileLibFail(TILE_STATUS_ARGUMENT,
                     "expected kernel '%s' to have a tile.grid, or the launch to give one, found "
                     "neither",
                     kernel->name);
}

tile_status tileLibEvaluateGrid(const TileLibKernel *kernel, const TileGridForm *form,
                                const uint64_t *slots, int32_t grid[3]) {
  unsigned step;
  if (kernel->wantsGrid) return tileLibRefuseNoGrid(kernel);
  if (tileGridFormEvaluate(form, slots, grid, &step)) return TILE_STATUS_OK;
  return tileLibFail(TILE_STATUS_ARGUMENT,
                     "expected arguments for which the tile.grid of '%s' has a value from 0 to "
                     "2^31 - 1, found others",
                     kernel->name);
}

static tile_status findGrid(const TileLibKernel *kernel, const Config *config,
                            const tile_launch *launch, const uint64_t *slots, int32_t grid[3]) {
  bool isGiven;
  tile_status status = tileLibTakeGrid(launch->grid, grid, &isGiven);
  if (status || isGiven) return status;
  if (config->hasForm) return tileLibEvaluateGrid(kernel, &config->grid, slots, grid);
  return tileLibFail(TILE_STATUS_SOURCE,
                     "expected a launch with its grid, that of '%s' being more than integer "
                     "arithmetic, found one without",
                     kernel->name);
}

//===- variants -----------------------------------------------------------===//

static int64_t valueOf(const Launch *l, int32_t argument) {
  uint64_t slot = l->slots[argument];
  return tileElementToInteger(l->kernel->arguments[argument].type, &slot);
}

static void findFacts(Launch *l) {
  const TileLibKernel *kernel = l->kernel;
  uint32_t whole = l->site->rule.whole, sector = l->site->rule.sector;
  for (size_t i = 0; i < kernel->numArguments; ++i) {
    const TileLibArgument *argument = &kernel->arguments[i];
    uint64_t slot = l->slots[i];
    l->facts[i] = argument->isPointer ? tileFactOfPointer(slot)
                  : argument->isInteger
                      ? tileFactOfInteger(tileElementToInteger(argument->type, &slot),
                                          argument->type == TILE_ELEMENT_I1, whole, sector)
                      : 0;
  }
  const TileLaunchRule *rule = &l->site->rule;
  l->wave = tileFactOfGrid(rule->room, rule->many, l->grid);
  l->wave = tileFactOfPrograms(l->wave, rule->multiprocessors, l->grid);
  if (rule->least) l->wave = tileFactOfLength(l->wave, valueOf(l, rule->length), rule->least);
  if (rule->shared >= 0) l->wave = tileFactOfShared(l->wave, valueOf(l, rule->shared), l->grid);
}

/// FNV-1a (Fowler, Noll, Vo).
static uint64_t hashLaunch(const Launch *l) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ l->config->number ^ (uint64_t)l->wave << 32;
  for (size_t i = 0; i < l->kernel->numArguments; ++i)
    hash = (hash ^ l->facts[i]) * UINT64_C(0x100000001b3);
  return hash ^ hash >> 32;
}

static bool isVariant(const Variant *v, const Launch *l, uint64_t hash) {
  return v->hash == hash && v->config == l->config->number && v->wave == l->wave &&
         !memcmp(v->facts, l->facts, l->kernel->numArguments);
}

static const Variant *findVariant(const Launch *l, uint64_t hash) {
  const Table *table = atomic_load_explicit(&l->site->table, memory_order_acquire);
  for (size_t i = hash;; ++i) {
    const Variant *v = atomic_load_explicit(&table->slots[i & table->mask], memory_order_acquire);
    if (!v || isVariant(v, l, hash)) return v;
  }
}

static void insert(Table *table, Variant *variant) {
  size_t i = variant->hash;
  while (atomic_load_explicit(&table->slots[i & table->mask], memory_order_relaxed)) ++i;
  atomic_store_explicit(&table->slots[i & table->mask], variant, memory_order_release);
  ++table->count;
}

/// A table with room for one more; with the module's mutex.
static Table *growTable(TileLibSite *site) {
  Table *table = site->table;
  if (2 * (table->count + 1) <= table->mask + 1) return table;
  size_t size = 2 * (table->mask + 1);
  Table *grown = calloc(1, sizeof *grown + size * sizeof grown->slots[0]);
  if (!grown) return NULL;
  grown->mask = size - 1;
  grown->former = table;
  for (size_t i = 0; i <= table->mask; ++i)
    if (table->slots[i]) insert(grown, table->slots[i]);
  atomic_store_explicit(&site->table, grown, memory_order_release);
  return grown;
}

/// Compiles; with the module's mutex.
static tile_status makeVariant(const Launch *l, uint64_t hash) {
  size_t count = l->kernel->numArguments;
  Table *table = growTable(l->site);
  Variant *v = table ? calloc(1, sizeof *v + count) : NULL;
  if (!v) return refuseMemory();
  v->hash = hash;
  v->config = l->config->number;
  v->wave = l->wave;
  memcpy(v->facts, l->facts, count);
  if (mlirLogicalResultIsFailure(tileProgramSpecialize(l->site->program,
                                                       tileString(l->kernel->name), l->facts,
                                                       l->wave, l->config->text, &v->code))) {
    free(v);
    return tileLibChildStatus(tileProgramGetChildEnd(l->site->program), TILE_STATUS_SOURCE);
  }
  insert(table, v);
  return TILE_STATUS_OK;
}

static tile_status getVariant(const Launch *l, const Variant **variant) {
  uint64_t hash = hashLaunch(l);
  *variant = findVariant(l, hash);
  if (*variant) return TILE_STATUS_OK;
  TileLibModule *module = l->kernel->module;
  pthread_mutex_lock(&module->mutex);
  tile_status status = findVariant(l, hash) ? TILE_STATUS_OK : makeVariant(l, hash);
  pthread_mutex_unlock(&module->mutex);
  if (!status) *variant = findVariant(l, hash);
  return status;
}

//===- launches -----------------------------------------------------------===//

/// What the kernel prints goes to the context's console; with the module's mutex.
static tile_status runLoudly(const Launch *l, const TileLaunchCode *code) {
  TileLibModule *module = l->kernel->module;
  pthread_mutex_lock(&module->mutex);
  MlirLogicalResult result =
      tileProgramLaunchLoudly(l->site->program, code, l->slots, l->grid, l->stream);
  fflush(module->context->console);
  pthread_mutex_unlock(&module->mutex);
  return mlirLogicalResultIsSuccess(result) ? TILE_STATUS_OK : TILE_STATUS_KERNEL;
}

static tile_status run(const Launch *l, const TileLaunchCode *code) {
  TileError error = TILE_ERROR_INIT;
  if (!l->grid[0] || !l->grid[1] || !l->grid[2]) return TILE_STATUS_OK;
  if (!l->site->device) {
    tile_status status = tileLibCheckHost(l->kernel, l->slots);
    if (status) return status;
  }
  if (code->speaks) return runLoudly(l, code);
  if (l->site->device) {
    if (tileLauncherRunOn(code->launcher, l->slots, l->grid, l->stream, l->cooperative, &error))
      return TILE_STATUS_OK;
    return tileLibFailWith(TILE_STATUS_DEVICE, &error);
  }
  TileExecutor *executor = tileExecutorGetDefault(&error);
  if (executor && tileExecutorRun(executor, code->cpu, l->slots, l->grid, &error))
    return TILE_STATUS_OK;
  return tileLibFailWith(TILE_STATUS_SYSTEM, &error);
}

tile_status tileLibBeginLaunch(const TileLibKernel *kernel, const tile_launch *given,
                               tile_launch *launch) {
  *launch = (tile_launch){0};
  if (given &&
      !tileLibTake(launch, sizeof *launch, offsetof(tile_launch, device), given, "tile_launch"))
    return TILE_STATUS_ARGUMENT;
  if (kernel->numArguments <= MAX_ARGUMENTS) return TILE_STATUS_OK;
  return tileLibFail(TILE_STATUS_UNSUPPORTED, "expected at most %d arguments, found %zu",
                     MAX_ARGUMENTS, kernel->numArguments);
}

tile_status tileLibCheckCooperation(const tile_launch *launch, const int32_t grid[3]) {
  bool isAlone = grid[0] <= 1 && grid[1] <= 1 && grid[2] <= 1;
  if (!(launch->flags & TILE_LAUNCH_COOPERATIVE) || isAlone) return TILE_STATUS_OK;
  return tileLibFail(TILE_STATUS_UNSUPPORTED,
                     "expected a GPU for a cooperative launch, found a processor, which runs one "
                     "program after the other");
}

/// With its values and its site.
static tile_status launchAt(Launch *l, const tile_launch *launch) {
  const Variant *variant = NULL;
  tile_status status = getConfig(l, launch->config, !hasGrid(launch), !hasGrid(launch));
  if (!status) status = findGrid(l->kernel, l->config, launch, l->slots, l->grid);
  if (status) return status;
  l->cooperative = launch->flags & TILE_LAUNCH_COOPERATIVE;
  if (!l->site->device) status = tileLibCheckCooperation(launch, l->grid);
  if (status) return status;
  findFacts(l);
  status = getVariant(l, &variant);
  return status ? status : run(l, &variant->code);
}

tile_status tile_kernel_launch(tile_kernel *handle, const tile_launch *given,
                               const tile_value *values, size_t count) {
  tileLibBegin();
  TileLibKernel *kernel = tileLibFind(handle, TILE_LIB_KERNEL);
  if (!kernel) return tileLibFailHandle("kernel", handle);
  tile_launch launch;
  Launch l;
  TileLibCurrent former;
  l.kernel = kernel;
  tile_status status = tileLibBeginLaunch(kernel, given, &launch);
  l.stream = launch.stream;
  if (!status) status = tileLibReadValues(kernel, values, count, l.slots);
  if (status) return status;
  status = getSite(kernel, launch.place, launch.device, &l.site, &former);
  if (!status) status = launchAt(&l, &launch);
  tileLibRestoreCurrent(&former);
  return status;
}

tile_status tile_kernel_find_config(tile_kernel *handle, const tile_launch *given,
                                    const tile_value *values, size_t count, const char **config) {
  tileLibBegin();
  if (!config)
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected a place for a configuration, found NULL");
  *config = NULL;
  TileLibKernel *kernel = tileLibFind(handle, TILE_LIB_KERNEL);
  if (!kernel) return tileLibFailHandle("kernel", handle);
  tile_launch launch;
  Launch l;
  TileLibCurrent former;
  l.kernel = kernel;
  tile_status status = tileLibBeginLaunch(kernel, given, &launch);
  if (!status) status = tileLibReadValues(kernel, values, count, l.slots);
  if (status) return status;
  status = getSite(kernel, launch.place, launch.device, &l.site, &former);
  if (!status) status = getConfig(&l, launch.config, !hasGrid(&launch), false);
  if (!status) *config = l.config->text;
  tileLibRestoreCurrent(&former);
  return status;
}
