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

/// Addresses.
typedef struct Range {
  uint64_t begin, end;
} Range;

typedef struct Check {
  TileLibKernel *kernel;
  const tile_check *options;
  /// Arguments that share memory have one.
  TileArray *arrays[MAX_ARGUMENTS];
  uint64_t slots[MAX_ARGUMENTS + 1];
  /// The caller's memory of each array, at the first of its arguments, which is the others' owner.
  Range theirs[MAX_ARGUMENTS];
  size_t owners[MAX_ARGUMENTS];
  int32_t grid[3];
  TileProgramFindings findings;
} Check;

/// May the array of argument `i` have `count` elements at `address`, and so many before it?
static tile_status checkArray(const TileLibKernel *kernel, size_t i, size_t count, size_t before,
                              uint64_t address) {
  if (count > INT64_MAX / 16 || before > address / 16)
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

/// The caller's memory of each array.
static tile_status findRanges(Check *c) {
  for (size_t i = 0; i < c->kernel->numArguments; ++i) {
    const TileLibArgument *argument = &c->kernel->arguments[i];
    c->owners[i] = i;
    if (!argument->isPointer) continue;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): begin has refused NULL
    size_t count = c->options->num_elements[i];
    size_t before = c->options->num_before ? c->options->num_before[i] : 0;
    tile_status status = checkArray(c->kernel, i, count, before, c->slots[i]);
    if (status) return status;
    size_t bytes = tileElementGetSize(argument->type);
    c->theirs[i] = (Range){c->slots[i] - before * bytes, c->slots[i] + count * bytes};
  }
  return TILE_STATUS_OK;
}

/// Makes arrays of two arguments one where they meet; true if they did.
static bool join(Check *c, size_t i, size_t k) {
  size_t to = c->owners[i], from = c->owners[k];
  Range *x = &c->theirs[to], *y = &c->theirs[from];
  if (to == from || x->begin >= y->end || y->begin >= x->end) return false;
  if (y->begin < x->begin) x->begin = y->begin;
  if (y->end > x->end) x->end = y->end;
  for (size_t each = 0; each < c->kernel->numArguments; ++each)
    if (c->owners[each] == from) c->owners[each] = to;
  return true;
}

static void joinRanges(Check *c) {
  bool any = true;
  while (any) {
    any = false;
    for (size_t i = 0; i < c->kernel->numArguments; ++i)
      for (size_t k = i + 1; k < c->kernel->numArguments; ++k) any |= join(c, i, k);
  }
}

/// Of the narrowest elements that its arguments have: what is known is known of each.
static TileArray *makeArray(const Check *c, size_t owner, TileError *error) {
  TileElementType type = c->kernel->arguments[owner].type;
  for (size_t i = owner; i < c->kernel->numArguments; ++i)
    if (c->owners[i] == owner && c->kernel->arguments[i].isPointer &&
        tileElementGetSize(c->kernel->arguments[i].type) < tileElementGetSize(type))
      type = c->kernel->arguments[i].type;
  const Range *theirs = &c->theirs[owner];
  const int64_t shape[1] = {(int64_t)((theirs->end - theirs->begin) / tileElementGetSize(type))};
  return tileArrayCreate(type, 1, shape, error);
}

static tile_status copyIn(Check *c) {
  tile_status status = findRanges(c);
  if (status) return status;
  joinRanges(c);
  for (size_t i = 0; i < c->kernel->numArguments; ++i) {
    size_t owner = c->owners[i];
    if (!c->kernel->arguments[i].isPointer) continue;
    TileError error = TILE_ERROR_INIT;
    c->arrays[i] = owner == i ? makeArray(c, i, &error) : c->arrays[owner];
    TileArray *array = c->arrays[i];
    if (!array) return tileLibFailWith(TILE_STATUS_MEMORY, &error);
    if (owner == i && array->bytes)
      memcpy(array->host, (const void *)(uintptr_t)c->theirs[i].begin, array->bytes);
    tileArrayMarkHostWritten(array);
    c->slots[i] = (uintptr_t)array->host + (c->slots[i] - c->theirs[owner].begin);
  }
  return TILE_STATUS_OK;
}

static void copyOut(Check *c, bool ran) {
  for (size_t i = 0; i < c->kernel->numArguments; ++i) {
    TileArray *array = c->arrays[i];
    if (!array || c->owners[i] != i) continue;
    bool isWritten = false;
    for (size_t k = i; k < c->kernel->numArguments; ++k)
      isWritten |= c->owners[k] == i && c->kernel->arguments[k].isWritten;
    if (ran && array->bytes && isWritten)
      memcpy((void *)(uintptr_t)c->theirs[i].begin, array->host, array->bytes);
    tileArrayDestroy(array);
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
  if (!tileLibTake(options, sizeof *options, offsetof(tile_check, num_before), given, "tile_check"))
    return TILE_STATUS_ARGUMENT;
  if (kernel->numArguments > MAX_ARGUMENTS)
    return tileLibFail(TILE_STATUS_UNSUPPORTED, "expected at most %d arguments, found %zu",
                       MAX_ARGUMENTS, kernel->numArguments);
  if (!options->num_elements)
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected the elements of arrays, found NULL");
  const uint32_t *grid = options->grid;
  if (kernel->wantsGrid && !grid[0] && !grid[1] && !grid[2]) return tileLibRefuseNoGrid(kernel);
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
