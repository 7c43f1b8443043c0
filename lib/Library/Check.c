//===- Check.c - launches in which every access is tested -----------------===//
//
// The caller's arrays are copied into the runtime's, which the checker knows, and what the kernel
// wrote is copied back. The program is one of a copy of the module's: checked code is never
// used again, and a checked run takes its time.
//===----------------------------------------------------------------------===//
#include "Library.h"
#include "tile/IR.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 512, DEFAULT_LIMIT = 100 };

typedef struct Check {
  TileLibKernel *kernel;
  const tile_check *options;
  TileArray *arrays[MAX_ARGUMENTS];
  uint64_t slots[MAX_ARGUMENTS + 1], theirs[MAX_ARGUMENTS];
  int32_t grid[3];
  TileProgramFindings findings;
} Check;

/// May the array of argument `i` have `count` elements at `address`?
static tile_status checkArray(const TileLibKernel *kernel, size_t i, size_t count,
                              uint64_t address) {
  if (count > INT64_MAX / 8)
    return tileLibFail(TILE_STATUS_ARGUMENT,
                       "expected an array that fits into memory for argument %zu of '%s', found "
                       "%zu elements",
                       i, kernel->name, count);
  if (count && !address)
    return tileLibFail(TILE_STATUS_ARGUMENT,
                       "expected an array for argument %zu of '%s', found NULL of %zu elements", i,
                       kernel->name, count);
  if (!kernel->arguments[i].hasType)
    return tileLibFail(TILE_STATUS_ARGUMENT,
                       "expected an array of numbers for argument %zu of '%s', found another", i,
                       kernel->name);
  return TILE_STATUS_OK;
}

static tile_status copyIn(Check *c) {
  for (size_t i = 0; i < c->kernel->numArguments; ++i) {
    const TileLibArgument *argument = &c->kernel->arguments[i];
    c->theirs[i] = c->slots[i];
    if (!argument->isPointer) continue;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): begin has refused NULL
    size_t count = c->options->num_elements[i];
    tile_status status = checkArray(c->kernel, i, count, c->slots[i]);
    if (status) return status;
    TileError error = TILE_ERROR_INIT;
    const int64_t shape[1] = {(int64_t)count};
    c->arrays[i] = tileArrayCreate(argument->type, 1, shape, &error);
    if (!c->arrays[i]) return tileLibFailWith(TILE_STATUS_MEMORY, &error);
    if (count)
      memcpy(c->arrays[i]->host, (const void *)(uintptr_t)c->slots[i], c->arrays[i]->bytes);
    tileArrayMarkHostWritten(c->arrays[i]);
    c->slots[i] = (uintptr_t)c->arrays[i]->host;
  }
  return TILE_STATUS_OK;
}

static void copyOut(Check *c, bool ran) {
  for (size_t i = 0; i < c->kernel->numArguments; ++i) {
    if (!c->arrays[i]) continue;
    if (ran && c->arrays[i]->bytes && c->kernel->arguments[i].isWritten)
      memcpy((void *)(uintptr_t)c->theirs[i], c->arrays[i]->host, c->arrays[i]->bytes);
    tileArrayDestroy(c->arrays[i]);
  }
}

static MlirLogicalResult findGrid(Check *c, TileProgram *program, const char *config) {
  const uint32_t *given = c->options->grid;
  if (given[0] || given[1] || given[2]) {
    for (int i = 0; i < 3; ++i) c->grid[i] = (int32_t)given[i];
    bool fits = c->grid[0] >= 0 && c->grid[1] >= 0 && c->grid[2] >= 0;
    if (!fits) tileLibFail(TILE_STATUS_ARGUMENT, "expected a grid below 2^31, found another");
    return fits ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
  }
  TileGridForm form = {0};
  unsigned step;
  TILE_TRY(tileProgramMakeGridForm(program, tileString(c->kernel->name), config, &form));
  bool ok = tileGridFormEvaluate(&form, c->slots, c->grid, &step);
  tileGridFormDestroy(&form);
  if (!ok) tileLibFail(TILE_STATUS_ARGUMENT, "expected arguments that give a grid, found others");
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static bool run(Check *c) {
  TileLibModule *module = c->kernel->module;
  const TileProgramOptions options = {.target = TILE_PROGRAM_CPU,
                                      .check = true,
                                      .checkLimit =
                                          c->options->limit ? c->options->limit : DEFAULT_LIMIT,
                                      .console = module->context->console};
  const char *config = c->options->config ? c->options->config : "";
  MlirStringRef name = tileString(c->kernel->name);
  TileLibCopy copy;
  TileProgram *program = tileLibOpenCopy(module, &options, NULL, &copy);
  bool ok =
      program && mlirLogicalResultIsSuccess(tileProgramCheckConfig(program, name, config)) &&
      mlirLogicalResultIsSuccess(findGrid(c, program, config)) &&
      mlirLogicalResultIsSuccess(tileProgramCheckLaunch(
          program, name, config, c->arrays, c->options->is_empty, c->slots, c->grid, &c->findings));
  tileLibCloseCopy(&copy);
  fflush(module->context->console);
  return ok;
}

/// Reads what is given; the struct's results are 0 from here on.
static tile_status begin(TileLibKernel *kernel, const tile_check *given, const tile_value *values,
                         size_t count, tile_check *options, Check *c) {
  if (!given) return tileLibFail(TILE_STATUS_ARGUMENT, "expected a tile_check, found NULL");
  if (!tileLibTake(options, sizeof *options, sizeof *options, given, "tile_check"))
    return TILE_STATUS_ARGUMENT;
  if (kernel->numArguments > MAX_ARGUMENTS)
    return tileLibFail(TILE_STATUS_UNSUPPORTED, "expected at most %d arguments, found %zu",
                       MAX_ARGUMENTS, kernel->numArguments);
  if (!options->num_elements)
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected the elements of arrays, found NULL");
  return tileLibReadValues(kernel, values, count, c->slots);
}

tile_status tile_kernel_check(tile_kernel *handle, tile_check *check, const tile_value *values,
                              size_t count) {
  tileLibBegin();
  TileLibKernel *kernel = tileLibFind(handle, TILE_LIB_KERNEL);
  if (!kernel) return tileLibFailHandle("kernel", handle);
  Check *c = calloc(1, sizeof *c);
  if (!c) return tileLibFail(TILE_STATUS_MEMORY, "expected memory for a check, found none");
  tile_check options = {0};
  tile_status status = begin(kernel, check, values, count, &options, c);
  c->kernel = kernel;
  c->options = &options;
  if (!status && tileDriverFind()) status = tileLibCheckHost(kernel, c->slots);
  if (!status) status = copyIn(c);
  bool ran = false;
  if (!status) {
    ran = run(c);
    status = !ran ? TILE_STATUS_SOURCE : c->findings.errors ? TILE_STATUS_FINDINGS : TILE_STATUS_OK;
  }
  copyOut(c, ran);
  if (ran) {
    options.num_errors = c->findings.errors;
    options.num_warnings = c->findings.warnings;
    tileLibGive(check, &options, sizeof options);
  }
  free(c);
  return status;
}
