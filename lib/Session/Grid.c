//===- Grid.c - how many programs a launch has, without the host program --===//
//
// What a kernel's tile.grid yields. Its body is straight-line integer arithmetic, which becomes the
// steps of tile/Runtime/GridForm.h, once for each configuration.
//===----------------------------------------------------------------------===//
#include "ProgramImpl.h"
#include <stdlib.h>
#include <string.h>

/// A body on its way to a form: step i computes `values[i]`, and stands for `ops[i]`.
typedef struct GridBuilder {
  const TileProgram *program;
  const TileProgramKernel *kernel;
  /// What tuning found; it goes before the kernel's own.
  const char *config;
  /// The program whose numbers are asked for; NULL: any.
  const int32_t *numbers;
  TileGridStep *steps;
  unsigned count;
  MlirValue values[TILE_GRID_MAX_STEPS];
  MlirOperation ops[TILE_GRID_MAX_STEPS];
  /// It asks for an argument that is no tile.key.
  bool isUnkeyed;
} GridBuilder;

static uint8_t widthOf(MlirType type) {
  return mlirTypeIsAInteger(type) ? (uint8_t)mlirIntegerTypeGetWidth(type) : 64;
}

/// Adds a step for `value`, of 64 bits at most.
static bool addStep(GridBuilder *g, MlirOperation op, MlirValue value, TileGridStep step) {
  MlirType type = mlirValueGetType(value);
  bool fits =
      mlirTypeIsAIndex(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64);
  if (!fits || g->count == TILE_GRID_MAX_STEPS) return false;
  step.width = widthOf(type);
  if (!step.from) step.from = step.width;
  g->steps[g->count] = step;
  g->ops[g->count] = op;
  g->values[g->count++] = value;
  return true;
}

static bool findStep(const GridBuilder *g, MlirValue value, uint16_t *step) {
  for (unsigned i = g->count; i-- > 0;)
    if (mlirValueEqual(g->values[i], value)) {
      *step = (uint16_t)i;
      return true;
    }
  return false;
}

/// NAME=VALUE of the options or of the configuration, or the kernel's default.
static bool getMeta(const GridBuilder *g, MlirStringRef name, int64_t *value) {
  const TileProgramOptions *options = &g->program->options;
  for (size_t i = 0; i < options->numBind; ++i) {
    const char *text = options->bind[i], *equals = strchr(text, '=');
    if (!mlirStringRefEqual(mlirStringRefCreate(text, (size_t)(equals - text)), name)) continue;
    *value = strtoll(equals + 1, NULL, 10);
    return true;
  }
  if (tileConfigGet(g->config, name, value)) return true;
  MlirAttribute all = tileFuncGetMetaAttr(g->kernel->func);
  MlirAttribute own =
      mlirAttributeIsNull(all) ? all : mlirDictionaryAttrGetElementByName(all, name);
  if (mlirAttributeIsNull(own) || !mlirAttributeIsAInteger(own)) return false;
  *value = mlirIntegerAttrGetValueInt(own);
  return true;
}

/// The step of an op of two integers; false for other ops.
static bool findBinary(MlirOperation op, uint8_t *step) {
  static const struct {
    const char *name;
    TileGridOp op;
  } table[] = {
      {"arith.addi", TILE_GRID_ADD},
      {"arith.subi", TILE_GRID_SUB},
      {"arith.muli", TILE_GRID_MUL},
      {"arith.divsi", TILE_GRID_DIV},
      {"arith.remsi", TILE_GRID_REM},
      {"arith.ceildivsi", TILE_GRID_CEIL_DIV},
      {"arith.floordivsi", TILE_GRID_FLOOR_DIV},
      {"arith.divui", TILE_GRID_DIV_UNSIGNED},
      {"arith.remui", TILE_GRID_REM_UNSIGNED},
      {"arith.ceildivui", TILE_GRID_CEIL_DIV_UNSIGNED},
      {"arith.minsi", TILE_GRID_MIN},
      {"arith.maxsi", TILE_GRID_MAX},
      {"arith.minui", TILE_GRID_MIN_UNSIGNED},
      {"arith.maxui", TILE_GRID_MAX_UNSIGNED},
      {"arith.andi", TILE_GRID_AND},
      {"arith.ori", TILE_GRID_OR},
      {"arith.xori", TILE_GRID_XOR},
      {"arith.shli", TILE_GRID_SHIFT_LEFT},
      {"arith.shrsi", TILE_GRID_SHIFT_RIGHT},
      {"arith.shrui", TILE_GRID_SHIFT_RIGHT_UNSIGNED},
      {"arith.cmpi", TILE_GRID_COMPARE},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (!tileOpIs(op, table[i].name)) continue;
    *step = (uint8_t)table[i].op;
    return true;
  }
  return false;
}

static bool addOp(GridBuilder *g, MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1) return false;
  TileGridStep step = {.op = TILE_GRID_NUMBER};
  MlirValue result = tileResult(op);
  if (tileOpIsAMeta(op))
    return getMeta(g, tileMetaGetName(op), &step.value) && addStep(g, op, result, step);
  if (tileOpIsAProgramId(op) && g->numbers) {
    step.value = g->numbers[tileProgramIdGetAxis(op)];
    return addStep(g, op, result, step);
  }
  if (tileOpIs(op, "arith.constant"))
    return tileConstantInt(result, &step.value) && addStep(g, op, result, step);
  uint16_t *const operands[] = {&step.a, &step.b, &step.c};
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (i == 3 || !findStep(g, tileOperand(op, i), operands[i])) return false;
  if (count) step.from = widthOf(mlirValueGetType(tileOperand(op, 0)));
  if (tileOpIs(op, "arith.extsi") || tileOpIs(op, "arith.trunci") ||
      tileOpIs(op, "arith.index_cast"))
    step.op = TILE_GRID_SIGNED;
  else if (tileOpIs(op, "arith.extui") || tileOpIs(op, "arith.index_castui"))
    step.op = TILE_GRID_UNSIGNED;
  else if (tileOpIs(op, "arith.select"))
    step.op = TILE_GRID_SELECT;
  else if (count != 2 || !findBinary(op, &step.op))
    return false;
  if (step.op == TILE_GRID_COMPARE) step.value = tileIntAttr(op, "predicate", 0);
  return addStep(g, op, result, step);
}

/// What the grid, or the cost, captures are arguments of the kernel.
static bool addCaptures(GridBuilder *g, MlirOperation grid) {
  MlirBlock body = tileBody(grid, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(grid); ++i) {
    MlirValue capture = tileOperand(grid, i);
    if (!mlirValueIsABlockArgument(capture)) return false;
    TileGridStep step = {.op = TILE_GRID_ARGUMENT, .value = mlirBlockArgumentGetArgNumber(capture)};
    if (!addStep(g, grid, mlirBlockGetArgument(body, i), step)) return false;
  }
  return true;
}

/// The whole body; false at `*at`.
static bool addBody(GridBuilder *g, TileGridForm *form, MlirOperation *at) {
  MlirBlock body = tileBody(*at, 0);
  if (!addCaptures(g, *at)) return false;
  TILE_FOR_EACH_OP(op, body) {
    *at = op;
    if (tileOpIsAYield(op)) break;
    if (!addOp(g, op)) return false;
  }
  intptr_t count = mlirOperationGetNumOperands(*at);
  for (intptr_t i = 0; i < count; ++i)
    if (i == 3 || !findStep(g, tileOperand(*at, i), &form->extents[i])) return false;
  form->numExtents = (uint16_t)count;
  form->numSteps = (uint16_t)g->count;
  return true;
}

void tileGridFormDestroy(TileGridForm *form) {
  free((void *)(uintptr_t)form->steps);
  *form = (TileGridForm){0};
}

/// The form, whose steps are the caller's to destroy; where `ops` is not NULL, the op of each step.
static bool buildForm(const TileProgram *p, const TileProgramKernel *kernel, const char *config,
                      TileGridForm *form, MlirOperation *ops, MlirOperation *at) {
  *form = (TileGridForm){0};
  *at = tileKernelGetGrid(kernel->func);
  if (mlirOperationIsNull(*at)) return true;
  GridBuilder *g = tileRuntimeAlloc(sizeof *g);
  *g = (GridBuilder){.program = p, .kernel = kernel, .config = config};
  g->steps = tileRuntimeAlloc(TILE_GRID_MAX_STEPS * sizeof *g->steps);
  form->steps = g->steps;
  bool ok = addBody(g, form, at);
  if (ops) memcpy(ops, g->ops, g->count * sizeof *ops);
  free(g);
  if (!ok) tileGridFormDestroy(form);
  return ok;
}

/// One extent at least, each i32; those not yielded are 1.
bool tileProgramEvaluateGrid(const TileProgram *p, const TileProgramKernel *kernel,
                             const char *config, const uint64_t *slots, int32_t grid[3],
                             MlirOperation *at) {
  TileGridForm form;
  MlirOperation ops[TILE_GRID_MAX_STEPS];
  if (!buildForm(p, kernel, config, &form, ops, at)) return false;
  unsigned step;
  bool ok = tileGridFormEvaluate(&form, slots, grid, &step);
  // An extent that is wrong is the yield's, which is where the body ended.
  if (!ok && step < form.numSteps) *at = ops[step];
  tileGridFormDestroy(&form);
  return ok;
}

//===- a grid that leaves a rest -----------------------------------------===//

/// Behind extensions and truncations.
static const TileGridStep *behindCasts(const TileGridForm *form, uint16_t number) {
  const TileGridStep *step = &form->steps[number];
  while (step->op == TILE_GRID_SIGNED || step->op == TILE_GRID_UNSIGNED)
    step = &form->steps[step->a];
  return step;
}

/// Does step `i` divide, rounding down, and leave a rest?
static bool leavesRest(const TileGridForm *form, unsigned i, const uint64_t *slots, int32_t *number,
                       int32_t *by) {
  const TileGridStep *step = &form->steps[i];
  bool divides = step->op == TILE_GRID_DIV || step->op == TILE_GRID_DIV_UNSIGNED ||
                 step->op == TILE_GRID_FLOOR_DIV || step->op == TILE_GRID_SHIFT_RIGHT ||
                 step->op == TILE_GRID_SHIFT_RIGHT_UNSIGNED;
  if (!divides) return false;
  uint8_t of = behindCasts(form, step->a)->op;
  if (of == TILE_GRID_ADD || of == TILE_GRID_SUB) return false;
  TileGridForm operands = *form;
  operands.numExtents = 2;
  operands.extents[0] = step->a;
  operands.extents[1] = step->b;
  int32_t values[3];
  unsigned wrong;
  if (!tileGridFormEvaluate(&operands, slots, values, &wrong)) return false;
  bool shifts = step->op == TILE_GRID_SHIFT_RIGHT || step->op == TILE_GRID_SHIFT_RIGHT_UNSIGNED;
  if (shifts && values[1] > 30) return false;
  *number = values[0];
  *by = shifts ? 1 << values[1] : values[1];
  return *by > 0 && *number % *by;
}

bool tileProgramFindRounding(const TileProgram *p, const TileProgramKernel *kernel,
                             const char *config, const uint64_t *slots, MlirOperation *division,
                             int32_t *number, int32_t *by) {
  TileGridForm form;
  MlirOperation ops[TILE_GRID_MAX_STEPS], at;
  if (!buildForm(p, kernel, config, &form, ops, &at)) return false;
  bool found = false;
  for (unsigned i = 0; !found && i < form.numSteps; ++i) {
    found = leavesRest(&form, i, slots, number, by);
    *division = ops[i];
  }
  tileGridFormDestroy(&form);
  return found;
}

static MlirLogicalResult refuseGrid(MlirOperation at) {
  MlirStringRef name = tileOpName(at);
  tileEmitError(mlirOperationGetLocation(at),
                "expected a grid of integer arithmetic whose extents are not negative, found "
                "another with '%.*s'",
                (int)name.length, name.data);
  return mlirLogicalResultFailure();
}

MlirLogicalResult tileProgramFindGrid(const TileProgram *p, const TileProgramKernel *kernel,
                                      const char *config, const uint64_t *slots, int32_t grid[3]) {
  MlirOperation at;
  bool ok = tileProgramEvaluateGrid(p, kernel, config, slots, grid, &at);
  return ok ? mlirLogicalResultSuccess() : refuseGrid(at);
}

MlirLogicalResult tileProgramMakeGridForm(TileProgram *p, MlirStringRef name, const char *config,
                                          TileGridForm *form) {
  MlirOperation at = mlirModuleGetOperation(p->module);
  const TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  if (kernel && buildForm(p, kernel, config, form, NULL, &at)) return mlirLogicalResultSuccess();
  *form = (TileGridForm){0};
  return refuseGrid(at);
}

//===- other numbers of a kernel ------------------------------------------===//

/// A step of two others, both of the result's width, whose number is returned.
static uint16_t addPart(GridBuilder *g, MlirOperation op, TileGridOp what, uint16_t a, uint16_t b) {
  uint8_t width = widthOf(mlirValueGetType(mlirOperationGetResult(op, 0)));
  TileGridStep step = {.op = (uint8_t)what, .width = width, .from = width, .a = a, .b = b};
  g->steps[g->count] = step;
  g->ops[g->count] = op;
  g->values[g->count] = (MlirValue){NULL};
  return (uint16_t)g->count++;
}

/// tile.swizzle2d, as tile-expand-ops has it.
static bool addSwizzle(GridBuilder *g, MlirOperation op) {
  enum { parts = 11 };
  uint16_t i, j, sizeI, sizeJ, group;
  bool found = findStep(g, tileSwizzle2dGetI(op), &i) && findStep(g, tileSwizzle2dGetJ(op), &j) &&
               findStep(g, tileSwizzle2dGetSizeI(op), &sizeI) &&
               findStep(g, tileSwizzle2dGetSizeJ(op), &sizeJ) &&
               findStep(g, tileSwizzle2dGetGroup(op), &group);
  if (!found || g->count + parts > TILE_GRID_MAX_STEPS) return false;
  uint16_t above = addPart(g, op, TILE_GRID_MUL, i, sizeJ);
  uint16_t position = addPart(g, op, TILE_GRID_ADD, above, j);
  uint16_t perGroup = addPart(g, op, TILE_GRID_MUL, group, sizeJ);
  uint16_t number = addPart(g, op, TILE_GRID_DIV, position, perGroup);
  uint16_t first = addPart(g, op, TILE_GRID_MUL, number, group);
  uint16_t left = addPart(g, op, TILE_GRID_SUB, sizeI, first);
  uint16_t rows = addPart(g, op, TILE_GRID_MIN, left, group);
  uint16_t inGroup = addPart(g, op, TILE_GRID_REM, position, perGroup);
  uint16_t row = addPart(g, op, TILE_GRID_REM, inGroup, rows);
  g->values[addPart(g, op, TILE_GRID_ADD, first, row)] = mlirOperationGetResult(op, 0);
  g->values[addPart(g, op, TILE_GRID_DIV, inGroup, rows)] = mlirOperationGetResult(op, 1);
  return true;
}

/// Adds what `value` is computed of, as deep as arithmetic reaches.
static bool addValue(GridBuilder *g, MlirValue value, int depth) {
  uint16_t step;
  if (findStep(g, value, &step)) return true;
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    if (!mlirBlockEqual(block, tileBody(g->kernel->func, 0))) return false;
    unsigned number = (unsigned)mlirBlockArgumentGetArgNumber(value);
    g->isUnkeyed |= !tileKernelHasKey(g->kernel->func, number);
    TileGridStep argument = {.op = TILE_GRID_ARGUMENT, .value = number};
    return addStep(g, g->kernel->func, value, argument);
  }
  MlirOperation op = tileValueGetOp(value);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!depth || !addValue(g, tileOperand(op, i), depth - 1)) return false;
  return tileOpIsASwizzle2d(op) ? addSwizzle(g, op) : addOp(g, op);
}

bool tileProgramEvaluate(const TileProgram *p, const TileProgramKernel *kernel, const char *config,
                         const uint64_t *slots, const int32_t program[3], const MlirValue values[3],
                         int32_t results[3]) {
  enum { depth = 64 };
  TileGridForm form = {.numExtents = 3};
  GridBuilder *g = tileRuntimeAlloc(sizeof *g);
  *g = (GridBuilder){.program = p, .kernel = kernel, .config = config, .numbers = program};
  g->steps = tileRuntimeAlloc(TILE_GRID_MAX_STEPS * sizeof *g->steps);
  unsigned wrong;
  bool ok = true;
  for (int i = 0; ok && i < 3; ++i)
    ok = addValue(g, values[i], depth) && findStep(g, values[i], &form.extents[i]);
  form.steps = g->steps;
  form.numSteps = (uint16_t)g->count;
  ok = ok && !g->isUnkeyed && tileGridFormEvaluate(&form, slots, results, &wrong);
  free(g->steps);
  free(g);
  return ok;
}

double tileProgramFindBytes(const TileProgram *p, const TileProgramKernel *kernel,
                            const char *config, const uint64_t *slots) {
  MlirOperation cost = {NULL};
  TILE_FOR_EACH_OP(op, tileBody(kernel->func, 0)) {
    if (tileOpIsACost(op)) cost = op;
  }
  if (mlirOperationIsNull(cost)) return 0;
  TileGridForm form = {0};
  GridBuilder *g = tileRuntimeAlloc(sizeof *g);
  *g = (GridBuilder){.program = p, .kernel = kernel, .config = config};
  g->steps = tileRuntimeAlloc(TILE_GRID_MAX_STEPS * sizeof *g->steps);
  form.steps = g->steps;
  int32_t bytes[3];
  unsigned wrong;
  bool ok = addBody(g, &form, &cost) && form.numExtents == 2;
  form.extents[0] = form.extents[1]; // operations, and then bytes
  form.numExtents = 1;
  ok = ok && tileGridFormEvaluate(&form, slots, bytes, &wrong);
  free(g->steps);
  free(g);
  return ok ? bytes[0] : 0;
}

bool tileProgramGridIsKeyed(const TileProgramKernel *kernel) {
  MlirOperation grid = tileKernelGetGrid(kernel->func);
  if (mlirOperationIsNull(grid)) return false;
  for (intptr_t i = 0; i < tileGridGetNumCaptures(grid); ++i) {
    MlirValue capture = tileGridGetCaptures(grid, i);
    if (!mlirValueIsABlockArgument(capture)) return false;
    unsigned number = (unsigned)mlirBlockArgumentGetArgNumber(capture);
    if (!tileKernelHasKey(kernel->func, number)) return false;
  }
  return true;
}
