//===- HostLaunches.c - launches of compiled host programs ----------------===//
#include "HostImpl.h"
#include "Ranges.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The integers and floats among the arguments, as "512, 1, 0.5".
static char *describeArguments(const TileProgramKernel *kernel, const uint64_t *slots) {
  size_t size = 32 * (size_t)kernel->count + 1, used = 0;
  char *text = tileRuntimeAlloc(size);
  for (unsigned i = 0; i < kernel->count; ++i) {
    const TileParameter *parameter = &kernel->parameters[i];
    if (parameter->isPointer) continue;
    const char *separator = used ? ", " : "";
    int length = tileElementIsInteger(parameter->type)
                     ? snprintf(text + used, size - used, "%s%lld", separator,
                                (long long)tileElementToInteger(parameter->type, &slots[i]))
                     : snprintf(text + used, size - used, "%s%g", separator,
                                tileElementToDouble(parameter->type, &slots[i]));
    used += (size_t)length;
  }
  return text;
}

static bool isRecord(const TileProgramRecord *r, const TileSpecialization *code,
                     const uint64_t *placed, const int32_t grid[3], size_t size) {
  return r->code == code && !memcmp(r->grid, grid, sizeof r->grid) &&
         !memcmp(r->slots, placed, size);
}

/// Remembers a launch for timing, once for equal ones: as a rule, it is equal to the site's last.
static void record(TileProgram *p, TileLaunchSite *here, const int32_t grid[3], int64_t operations,
                   int64_t bytes) {
  TileSpecialization *code = here->code;
  const uint64_t *slots = here->slots, *placed = here->placed;
  size_t size = (code->kernel->count + 1) * sizeof *slots;
  if (here->record >= p->numRecords ||
      !isRecord(&p->records[here->record], code, placed, grid, size))
    for (here->record = 0; here->record < p->numRecords; ++here->record)
      if (isRecord(&p->records[here->record], code, placed, grid, size)) break;
  if (here->record < p->numRecords) {
    ++p->records[here->record].times;
    return;
  }
  if (p->numRecords == TILE_PROGRAM_MAX_RECORDS) {
    if (!p->hasMoreRecords)
      tileEmitRemark(p->place, "launches beyond %d that differ are not timed",
                     (int)TILE_PROGRAM_MAX_RECORDS);
    p->hasMoreRecords = true;
    return;
  }
  TileProgramRecord *r = &p->records[p->numRecords++];
  *r = (TileProgramRecord){.code = code,
                           .slots = tileRuntimeAlloc(size),
                           .arrays = tileRuntimeAlloc(size),
                           .arguments = describeArguments(code->kernel, slots),
                           .grid = {grid[0], grid[1], grid[2]},
                           .operations = operations,
                           .bytes = bytes,
                           .times = 1,
                           .loc = p->place};
  memcpy(r->slots, placed, size);
  memcpy(r->arrays, here->arrays, code->kernel->count * sizeof *r->arrays);
}

static TileLaunchSite *findLaunchSite(TileProgram *p, int64_t site, MlirOperation op) {
  TileLaunchSite *here = &p->launches[site];
  if (here->kernel) return here;
  here->kernel = tileProgramFindKernel(p, tileLaunchGetKernel(op));
  size_t count = here->kernel->count + (size_t)1;
  here->placed = tileRuntimeAlloc(count * sizeof *here->placed);
  here->slots = tileRuntimeAlloc(count * sizeof *here->slots);
  here->arrays = tileRuntimeAlloc(count * sizeof *here->arrays);
  here->key = tileRuntimeAlloc(count * sizeof *here->key);
  here->config = "";
  snprintf(here->name, sizeof here->name, "%.*s", (int)here->kernel->name.length,
           here->kernel->name.data);
  return here;
}

/// The code for a launch with `slots`: that of the last one, as a rule. Does not return where it
/// does not compile.
static TileSpecialization *findCode(TileProgram *p, TileLaunchSite *here, const uint64_t *slots,
                                    const int32_t grid[3]) {
  TileProgramKernel *kernel = here->kernel;
  tileProgramFindFacts(p, kernel, slots, grid, &here->newFacts);
  bool same = here->code && here->config == here->codeConfig;
  if (same && tileFactsAreEqual(&here->facts, &here->newFacts)) return here->code;
  char *config = tileConfigJoin(here->config, here->boundConfig);
  here->code = tileProgramGetCode(p, kernel, &here->newFacts, config);
  free(config);
  if (!here->code) {
    tileEmitError(p->place, "expected kernel '%.*s' to compile for this launch, found errors",
                  (int)kernel->name.length, kernel->name.data);
    hostEscape();
  }
  tileFactsCopy(&here->facts, &here->newFacts);
  here->codeConfig = here->config;
  return here->code;
}

/// Finds the code and the arrays for a launch. Those of the site's last launch are right where its
/// arguments, its grid, the configuration and the arrays that exist are the same.
static TileSpecialization *settleLaunch(TileProgram *p, TileLaunchSite *here, const uint64_t *slots,
                                        const int32_t grid[3]) {
  size_t size = here->kernel->count * sizeof *slots;
  uint64_t generation = tileArrayGetGeneration();
  if (here->code && here->generation == generation && here->config == here->codeConfig &&
      !memcmp(here->slots, slots, size) && !memcmp(here->grid, grid, sizeof here->grid))
    return here->code;
  TileError error = TILE_ERROR_INIT;
  here->generation = 0;
  TileSpecialization *code = findCode(p, here, slots, grid);
  if (!tileProgramFindArrays(here->kernel, slots, here->arrays, &error)) hostFail(&error);
  memcpy(here->slots, slots, size);
  memcpy(here->grid, grid, sizeof here->grid);
  here->generation = generation;
  return code;
}

int32_t hostConfigure(int64_t site, int64_t slotsAddress) {
  TileProgram *p = hostProgram();
  MlirOperation op = hostEnter(site);
  TileLaunchSite *here = findLaunchSite(p, site, op);
  const uint64_t *slots = hostPointer(slotsAddress);
  if (p->options.tune && !p->wanted) {
    int choice = tileTuningChoose(p, here, slots);
    if (choice < 0) hostEscape();
    return choice;
  }
  here->again = !here->again;
  // Which configuration is right depends on where launches run.
  if (here->again && !p->wanted) hostOpen();
  if (here->again) here->config = tileProgramChooseConfig(p, here, slots);
  return here->again;
}

int32_t hostMultiprocessors(int64_t site) {
  (void)site;
  TileProgram *p = hostProgram();
  // A run for the facts of a launch need not have either.
  if (!p->wanted) hostOpen();
  int count = tileProgramGetMultiprocessors(p);
  if (count) return count;
  return p->executor ? (int32_t)tileExecutorGetThreads(p->executor) : 1;
}

void hostBind(int64_t site, int64_t position, int64_t value) {
  TileProgram *p = hostProgram();
  MlirOperation op = hostEnter(site);
  TileError error = TILE_ERROR_INIT;
  if (!tileProgramBind(findLaunchSite(p, site, op), op, position, value, &error)) hostFail(&error);
}

int64_t hostMeta(int64_t site, int64_t number) {
  return tileProgramGetMeta(&hostProgram()->launches[site], number);
}

void hostCheckDivision(int64_t site, int64_t dividend, int64_t divisor, int64_t width) {
  bool least = width && dividend == INT64_MIN >> (64 - width);
  if (divisor && !(least && divisor == -1)) return;
  MlirStringRef kernel = tileLaunchGetKernel(hostEnter(site));
  TileError error = TILE_ERROR_INIT;
  tileErrorSet(&error,
               "expected divisors other than %s in the tile.grid and tile.cost of '%.*s', found "
               "%lld / %lld",
               divisor ? "-1 for the least number" : "0", (int)kernel.length, kernel.data,
               (long long)dividend, (long long)divisor);
  hostFail(&error);
}

void hostLaunch(int64_t site, int64_t slotsAddress, int32_t x, int32_t y, int32_t z,
                int64_t operations, int64_t bytes) {
  TileProgram *p = hostProgram();
  MlirOperation op = hostEnter(site);
  TileLaunchSite *here = findLaunchSite(p, site, op);
  TileProgramKernel *kernel = here->kernel;
  const uint64_t *slots = hostPointer(slotsAddress);
  const int32_t grid[3] = {x, y, z};
  TileError error = TILE_ERROR_INIT;
  if (x < 0 || y < 0 || z < 0) {
    tileErrorSet(&error, "expected a grid with no extent below 0, found %d x %d x %d", x, y, z);
    hostFail(&error);
  }
  if (p->wanted && kernel != p->wanted) return;
  if (p->wanted) {
    tileProgramFindFacts(p, kernel, slots, grid, &p->facts);
    p->observed = true;
    free(p->config);
    p->config = tileConfigJoin(here->config, here->boundConfig);
    hostEscape();
  }
  hostOpen();
  if (p->tuning && tileTuningTry(p, here, slots, grid, operations, bytes)) return;
  if (!x || !y || !z) return;
  TileSpecialization *code = settleLaunch(p, here, slots, grid);
  memcpy(here->placed, slots, kernel->count * sizeof *slots);
  if (!tileProgramPlaceArguments(p, kernel, here->arrays, here->placed, &error)) hostFail(&error);
  if (code->sites) {
    char *config = tileConfigJoin(here->config, here->boundConfig);
    here->placed[kernel->count] =
        tileProgramBeginCheckedLaunch(p, code->sites, config, here->placed, grid);
    free(config);
  }
  tileRangeBegin(here->name);
  bool launched = tileProgramLaunchCode(p, code, here->placed, grid, &error);
  tileRangeEnd();
  if (!launched) hostFail(&error);
  tileProgramMarkArguments(p, kernel, here->arrays);
  record(p, here, grid, operations, bytes);
  if (code->speaks && mlirLogicalResultIsFailure(tileProgramFlush(p, code, grid))) hostEscape();
}
