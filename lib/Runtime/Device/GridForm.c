//===- GridForm.c - grids, computed ---------------------------------------===//
#include "tile/Runtime/GridForm.h"

/// `number` as a signed value of `width` bits, one bit as 0 or 1.
static int64_t wrap(unsigned width, int64_t number) {
  unsigned unused = 64 - width;
  if (width == 1) return number & 1;
  return (int64_t)((uint64_t)number << unused) >> unused;
}

static uint64_t asUnsigned(unsigned width, int64_t number) {
  return width == 64 ? (uint64_t)number : (uint64_t)number & ((UINT64_C(1) << width) - 1);
}

/// Predicates in the order of arith.cmpi.
static bool compare(int64_t predicate, int64_t a, int64_t b, uint64_t ua, uint64_t ub) {
  switch (predicate) {
  case 0:
    return a == b;
  case 1:
    return a != b;
  case 2:
    return a < b;
  case 3:
    return a <= b;
  case 4:
    return a > b;
  case 5:
    return a >= b;
  case 6:
    return ua < ub;
  case 7:
    return ua <= ub;
  case 8:
    return ua > ub;
  default:
    return ua >= ub;
  }
}

/// Signed division, rounded as asked: toward 0, up, down; or its remainder. False where it has no
/// value: by 0, and of the least number by -1.
static bool divide(TileGridOp op, int64_t a, int64_t b, int64_t *result) {
  if (!b || (a == INT64_MIN && b == -1)) return false;
  bool up = (a < 0) == (b < 0), exact = a % b == 0;
  *result = op == TILE_GRID_REM ? a % b : a / b;
  if (op == TILE_GRID_CEIL_DIV && !exact && up) ++*result;
  if (op == TILE_GRID_FLOOR_DIV && !exact && !up) --*result;
  return true;
}

static bool divideUnsigned(TileGridOp op, uint64_t a, uint64_t b, int64_t *result) {
  if (!b) return false;
  uint64_t value = op == TILE_GRID_REM_UNSIGNED ? a % b : a / b;
  if (op == TILE_GRID_CEIL_DIV_UNSIGNED && a % b) ++value;
  *result = (int64_t)value;
  return true;
}

static bool shift(TileGridOp op, int64_t a, uint64_t ua, uint64_t by, int64_t *result) {
  if (by >= 64) return false;
  *result = op == TILE_GRID_SHIFT_LEFT    ? (int64_t)(ua << by)
            : op == TILE_GRID_SHIFT_RIGHT ? a >> by
                                          : (int64_t)(ua >> by);
  return true;
}

/// Of two operands; false where there is no value.
static bool computeBinary(const TileGridStep *s, int64_t a, int64_t b, int64_t *result) {
  uint64_t ua = asUnsigned(s->from, a), ub = asUnsigned(s->from, b);
  TileGridOp op = (TileGridOp)s->op;
  switch (op) {
  case TILE_GRID_ADD:
    *result = (int64_t)((uint64_t)a + (uint64_t)b);
    return true;
  case TILE_GRID_SUB:
    *result = (int64_t)((uint64_t)a - (uint64_t)b);
    return true;
  case TILE_GRID_MUL:
    *result = (int64_t)((uint64_t)a * (uint64_t)b);
    return true;
  case TILE_GRID_DIV:
  case TILE_GRID_REM:
  case TILE_GRID_CEIL_DIV:
  case TILE_GRID_FLOOR_DIV:
    return divide(op, a, b, result);
  case TILE_GRID_DIV_UNSIGNED:
  case TILE_GRID_REM_UNSIGNED:
  case TILE_GRID_CEIL_DIV_UNSIGNED:
    return divideUnsigned(op, ua, ub, result);
  case TILE_GRID_MIN:
    *result = a < b ? a : b;
    return true;
  case TILE_GRID_MAX:
    *result = a > b ? a : b;
    return true;
  case TILE_GRID_MIN_UNSIGNED:
    *result = ua < ub ? a : b;
    return true;
  case TILE_GRID_MAX_UNSIGNED:
    *result = ua > ub ? a : b;
    return true;
  case TILE_GRID_AND:
    *result = a & b;
    return true;
  case TILE_GRID_OR:
    *result = a | b;
    return true;
  case TILE_GRID_XOR:
    *result = a ^ b;
    return true;
  case TILE_GRID_SHIFT_LEFT:
  case TILE_GRID_SHIFT_RIGHT:
  case TILE_GRID_SHIFT_RIGHT_UNSIGNED:
    return shift(op, a, ua, ub, result);
  default:
    *result = compare(s->value, a, b, ua, ub);
    return true;
  }
}

static bool compute(const TileGridStep *s, const int64_t *values, const uint64_t *slots,
                    int64_t *result) {
  switch ((TileGridOp)s->op) {
  case TILE_GRID_NUMBER:
    *result = s->value;
    return true;
  case TILE_GRID_ARGUMENT:
    *result = (int64_t)slots[s->value];
    return true;
  case TILE_GRID_SIGNED:
    // A sign-extended bit is 0 or -1.
    *result = s->from == 1 ? -values[s->a] : values[s->a];
    return true;
  case TILE_GRID_UNSIGNED:
    *result = (int64_t)asUnsigned(s->from, values[s->a]);
    return true;
  case TILE_GRID_SELECT:
    *result = values[s->a] ? values[s->b] : values[s->c];
    return true;
  default:
    return computeBinary(s, values[s->a], values[s->b], result);
  }
}

bool tileGridFormEvaluate(const TileGridForm *form, const uint64_t *slots, int32_t grid[3],
                          unsigned *at) {
  int64_t values[TILE_GRID_MAX_STEPS];
  for (int i = 0; i < 3; ++i) grid[i] = 1;
  for (*at = 0; *at < form->numSteps; ++*at) {
    int64_t value;
    if (!compute(&form->steps[*at], values, slots, &value)) return false;
    values[*at] = wrap(form->steps[*at].width, value);
  }
  for (unsigned i = 0; i < form->numExtents; ++i) {
    int64_t extent = values[form->extents[i]];
    if (extent < 0 || extent > INT32_MAX) return false;
    grid[i] = (int32_t)extent;
  }
  return true;
}
