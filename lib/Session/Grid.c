//===- Grid.c - how many programs a launch has, without the host program --===//
//
// What a kernel's tile.grid yields. Its body is straight-line integer arithmetic, which is
// evaluated op by op, in the widths that it has.
//===----------------------------------------------------------------------===//
#include "ProgramImpl.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 1024 };

/// Values of the body so far.
typedef struct GridValues {
  const TileProgram *program;
  const TileProgramKernel *kernel;
  /// What tuning found; it goes before the kernel's own.
  const char *config;
  size_t count;
  struct {
    MlirValue value;
    int64_t number;
  } known[MAX_VALUES];
} GridValues;

static unsigned widthOf(MlirType type) {
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64;
}

/// `number` as a signed value of the type, i1 as 0 or 1.
static int64_t wrap(MlirType type, int64_t number) {
  unsigned width = widthOf(type), unused = 64 - width;
  if (width == 1) return number & 1;
  return (int64_t)((uint64_t)number << unused) >> unused;
}

static uint64_t asUnsigned(MlirType type, int64_t number) {
  unsigned width = widthOf(type);
  return width == 64 ? (uint64_t)number : (uint64_t)number & ((UINT64_C(1) << width) - 1);
}

static bool setValue(GridValues *g, MlirValue value, int64_t number) {
  if (g->count == MAX_VALUES) return false;
  g->known[g->count].value = value;
  g->known[g->count++].number = wrap(mlirValueGetType(value), number);
  return true;
}

static bool getValue(const GridValues *g, MlirValue value, int64_t *number) {
  for (size_t i = g->count; i-- > 0;)
    if (mlirValueEqual(g->known[i].value, value)) {
      *number = g->known[i].number;
      return true;
    }
  return false;
}

/// NAME=VALUE of the options or of the configuration, or the kernel's default.
static bool getMeta(const GridValues *g, MlirStringRef name, int64_t *value) {
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

/// Division by 0, and of the least number by -1, have no value.
static bool divides(int64_t a, int64_t b) { return b && !(a == INT64_MIN && b == -1); }

static bool compare(int64_t predicate, int64_t a, int64_t b, uint64_t ua, uint64_t ub) {
  switch (predicate) {
  case TILE_EQ:
    return a == b;
  case TILE_NE:
    return a != b;
  case TILE_SLT:
    return a < b;
  case TILE_SLE:
    return a <= b;
  case TILE_SGT:
    return a > b;
  case TILE_SGE:
    return a >= b;
  case TILE_ULT:
    return ua < ub;
  case TILE_ULE:
    return ua <= ub;
  case TILE_UGT:
    return ua > ub;
  default:
    return ua >= ub;
  }
}

typedef struct Operands {
  int64_t a, b, c;
  uint64_t ua, ub;
} Operands;

/// Ops of two integers; false for other ops and for what has no value.
static bool evaluateBinary(MlirOperation op, const Operands *o, int64_t *result) {
  int64_t a = o->a, b = o->b;
  uint64_t ua = o->ua, ub = o->ub;
  bool up = (a < 0) == (b < 0), ok = divides(a, b);
  const struct {
    const char *name;
    bool ok;
    int64_t value;
  } table[] = {
      {"arith.addi", true, (int64_t)((uint64_t)a + (uint64_t)b)},
      {"arith.subi", true, (int64_t)((uint64_t)a - (uint64_t)b)},
      {"arith.muli", true, (int64_t)((uint64_t)a * (uint64_t)b)},
      {"arith.divsi", ok, ok ? a / b : 0},
      {"arith.remsi", ok, ok ? a % b : 0},
      {"arith.ceildivsi", ok, ok ? a / b + (a % b && up) : 0},
      {"arith.floordivsi", ok, ok ? a / b - (a % b && !up) : 0},
      {"arith.divui", ub, ub ? (int64_t)(ua / ub) : 0},
      {"arith.remui", ub, ub ? (int64_t)(ua % ub) : 0},
      {"arith.ceildivui", ub, ub ? (int64_t)(ua / ub + (ua % ub != 0)) : 0},
      {"arith.minsi", true, a < b ? a : b},
      {"arith.maxsi", true, a > b ? a : b},
      {"arith.minui", true, ua < ub ? a : b},
      {"arith.maxui", true, ua > ub ? a : b},
      {"arith.andi", true, a & b},
      {"arith.ori", true, a | b},
      {"arith.xori", true, a ^ b},
      {"arith.shli", ub < 64, ub < 64 ? (int64_t)((uint64_t)a << ub) : 0},
      {"arith.shrsi", ub < 64, ub < 64 ? a >> ub : 0},
      {"arith.shrui", ub < 64, ub < 64 ? (int64_t)(ua >> ub) : 0},
      {"arith.cmpi", true, compare(tileIntAttr(op, "predicate", 0), a, b, ua, ub)},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (!tileOpIs(op, table[i].name)) continue;
    *result = table[i].value;
    return table[i].ok;
  }
  return false;
}

static bool evaluateOp(GridValues *g, MlirOperation op, int64_t *result) {
  Operands o = {0};
  intptr_t count = mlirOperationGetNumOperands(op);
  if (tileOpIsAMeta(op)) return getMeta(g, tileMetaGetName(op), result);
  if (tileOpIs(op, "arith.constant")) return tileConstantInt(tileResult(op), result);
  if ((count > 0 && !getValue(g, tileOperand(op, 0), &o.a)) ||
      (count > 1 && !getValue(g, tileOperand(op, 1), &o.b)) ||
      (count > 2 && !getValue(g, tileOperand(op, 2), &o.c)))
    return false;
  if (count > 0) o.ua = asUnsigned(mlirValueGetType(tileOperand(op, 0)), o.a);
  if (count > 1) o.ub = asUnsigned(mlirValueGetType(tileOperand(op, 1)), o.b);
  bool plain = tileOpIs(op, "arith.extsi") || tileOpIs(op, "arith.trunci") ||
               tileOpIs(op, "arith.index_cast");
  bool isSigned = !tileOpIs(op, "arith.extui") && !tileOpIs(op, "arith.index_castui");
  if (plain || !isSigned) {
    // A sign-extended i1 is 0 or -1.
    bool bit = widthOf(mlirValueGetType(tileOperand(op, 0))) == 1;
    *result = !isSigned ? (int64_t)o.ua : bit ? -o.a : o.a;
    return true;
  }
  if (tileOpIs(op, "arith.select")) {
    *result = o.a ? o.b : o.c;
    return true;
  }
  return count == 2 && evaluateBinary(op, &o, result);
}

static MlirOperation findGrid(const TileProgramKernel *kernel) {
  TILE_FOR_EACH_OP(op, tileBody(kernel->func, 0)) {
    if (tileOpIsAGrid(op)) return op;
  }
  return (MlirOperation){NULL};
}

/// What the grid captures are arguments of the kernel.
static bool setCaptures(GridValues *g, MlirOperation grid, const uint64_t *slots) {
  MlirBlock body = tileBody(grid, 0);
  for (intptr_t i = 0; i < tileGridGetNumCaptures(grid); ++i) {
    MlirValue capture = tileGridGetCaptures(grid, i);
    if (!mlirValueIsABlockArgument(capture)) return false;
    intptr_t number = mlirBlockArgumentGetArgNumber(capture);
    if (!setValue(g, mlirBlockGetArgument(body, i), (int64_t)slots[number])) return false;
  }
  return true;
}

/// One extent at least, each i32; those not yielded are 1.
bool tileProgramEvaluateGrid(const TileProgram *p, const TileProgramKernel *kernel,
                             const char *config, const uint64_t *slots, int32_t grid[3],
                             MlirOperation *at) {
  for (int i = 0; i < 3; ++i) grid[i] = 1;
  *at = findGrid(kernel);
  if (mlirOperationIsNull(*at)) return true;
  GridValues *g = tileRuntimeAlloc(sizeof *g);
  g->program = p;
  g->kernel = kernel;
  g->config = config;
  MlirBlock body = tileBody(*at, 0);
  bool ok = setCaptures(g, *at, slots);
  TILE_FOR_EACH_OP(op, body) {
    int64_t value;
    *at = op;
    if (!ok || tileOpIsAYield(op)) break;
    ok = evaluateOp(g, op, &value) && setValue(g, tileResult(op), value);
    if (!ok) break;
  }
  for (intptr_t i = 0; ok && i < mlirOperationGetNumOperands(*at); ++i) {
    int64_t value = 0;
    ok = getValue(g, tileOperand(*at, i), &value) && value >= 0;
    grid[i] = (int32_t)value;
  }
  free(g);
  return ok;
}
