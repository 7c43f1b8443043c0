//===- Integers.c - constants and ranges of fixed-width integers ----------===//
//
// Bounds are computed in 64 bits with overflow checks; a result that leaves the
// type may have wrapped to anything, so its bounds are the type's.
//
//===----------------------------------------------------------------------===//
#include "Axis.h"

int64_t axisTypeMin(int width) { return width == 1 ? 0 : -(INT64_C(1) << (width - 2)) * 2; }
int64_t axisTypeMax(int width) { return width == 1 ? 1 : ~axisTypeMin(width); }

int64_t axisWrap(uint64_t value, int width) {
  if (width == 1) return (int64_t)(value & 1);
  if (width == 64) return (int64_t)value;
  uint64_t sign = UINT64_C(1) << (width - 1);
  uint64_t low = value & (sign * 2 - 1);
  return (int64_t)(low ^ sign) - (int64_t)sign;
}

/// `value` read without its sign.
static uint64_t bitsOf(int64_t value, int width) {
  return width == 64 ? (uint64_t)value : (uint64_t)value & ((UINT64_C(1) << width) - 1);
}

/// `value` of an i1 as signed ops see it: true is -1.
static int64_t signedOf(int64_t value, int width) { return width == 1 ? -value : value; }

static int64_t floorDiv(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
static int64_t ceilDiv(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) == (b < 0) ? q + 1 : q;
}

static bool foldDivision(AxisBinary op, int width, int64_t a, int64_t b, int64_t *result) {
  uint64_t ua = bitsOf(a, width), ub = bitsOf(b, width);
  if (ub == 0) return false;
  int64_t sa = signedOf(a, width), sb = signedOf(b, width);
  bool overflows = sb == -1 && sa == (width == 1 ? -1 : axisTypeMin(width));
  bool isSigned = op != AXIS_DIVU && op != AXIS_REMU && op != AXIS_CEILDIVU;
  if (isSigned && overflows) return false;
  uint64_t value = 0;
  if (op == AXIS_DIVU) value = ua / ub;
  if (op == AXIS_CEILDIVU) value = ua / ub + (ua % ub != 0);
  if (op == AXIS_REMU) value = ua % ub;
  if (op == AXIS_DIVS) value = (uint64_t)(sa / sb);
  if (op == AXIS_REMS) value = (uint64_t)(sa % sb);
  if (op == AXIS_FLOORDIVS) value = (uint64_t)floorDiv(sa, sb);
  if (op == AXIS_CEILDIVS) value = (uint64_t)ceilDiv(sa, sb);
  *result = axisWrap(value, width);
  return true;
}

static bool foldShift(AxisBinary op, int width, int64_t a, int64_t b, int64_t *result) {
  uint64_t by = bitsOf(b, width), ua = bitsOf(a, width);
  if (by >= (uint64_t)width) return false;
  if (op == AXIS_SHL) *result = axisWrap(ua << by, width);
  if (op == AXIS_SHRU) *result = axisWrap(ua >> by, width);
  if (op == AXIS_SHRS)
    *result =
        axisWrap((uint64_t)floorDiv(signedOf(a, width), INT64_C(1) << axisMin(by, 62)), width);
  return op != AXIS_SHRS || by <= 62;
}

bool axisFold(AxisBinary op, int width, int64_t a, int64_t b, int64_t *result) {
  uint64_t ua = bitsOf(a, width), ub = bitsOf(b, width);
  int64_t sa = signedOf(a, width), sb = signedOf(b, width);
  switch (op) {
  case AXIS_ADD:
    *result = axisWrap(ua + ub, width);
    return true;
  case AXIS_SUB:
    *result = axisWrap(ua - ub, width);
    return true;
  case AXIS_MUL:
    *result = axisWrap(ua * ub, width);
    return true;
  case AXIS_AND:
    *result = axisWrap(ua & ub, width);
    return true;
  case AXIS_OR:
    *result = axisWrap(ua | ub, width);
    return true;
  case AXIS_XOR:
    *result = axisWrap(ua ^ ub, width);
    return true;
  case AXIS_MINS:
    *result = sa < sb ? a : b;
    return true;
  case AXIS_MAXS:
    *result = sa > sb ? a : b;
    return true;
  case AXIS_MINU:
    *result = ua < ub ? a : b;
    return true;
  case AXIS_MAXU:
    *result = ua > ub ? a : b;
    return true;
  case AXIS_SHL:
  case AXIS_SHRS:
  case AXIS_SHRU:
    return foldShift(op, width, a, b, result);
  case AXIS_DIVS:
  case AXIS_DIVU:
  case AXIS_CEILDIVS:
  case AXIS_CEILDIVU:
  case AXIS_FLOORDIVS:
  case AXIS_REMS:
  case AXIS_REMU:
    return foldDivision(op, width, a, b, result);
  }
  return false;
}

//===- ranges -------------------------------------------------------------===//

typedef struct {
  int64_t min, max;
  bool overflowed;
} Range;

static void include(Range *r, int64_t value) {
  r->min = axisMin(r->min, value);
  r->max = axisMax(r->max, value);
}

static Range sumRange(const TileAxisInfo *a, const TileAxisInfo *b) {
  Range r = {0};
  r.overflowed = __builtin_add_overflow(a->min, b->min, &r.min);
  r.overflowed |= __builtin_add_overflow(a->max, b->max, &r.max);
  return r;
}

static Range differenceRange(const TileAxisInfo *a, const TileAxisInfo *b) {
  Range r = {0};
  r.overflowed = __builtin_sub_overflow(a->min, b->max, &r.min);
  r.overflowed |= __builtin_sub_overflow(a->max, b->min, &r.max);
  return r;
}

/// A product is largest and smallest at corners.
static Range productRange(const TileAxisInfo *a, const TileAxisInfo *b) {
  Range r = {.min = INT64_MAX, .max = INT64_MIN};
  const int64_t as[] = {a->min, a->max}, bs[] = {b->min, b->max};
  for (int i = 0; i < 4; ++i) {
    int64_t corner = 0;
    r.overflowed |= __builtin_mul_overflow(as[i / 2], bs[i % 2], &corner);
    include(&r, corner);
  }
  return r;
}

/// A quotient by divisors of one sign is largest and smallest at corners.
static Range quotientRange(AxisBinary op, const TileAxisInfo *a, const TileAxisInfo *b) {
  Range r = {.min = INT64_MAX, .max = INT64_MIN};
  bool oneSign = (b->min > 0 && b->max > 0) || (b->min < 0 && b->max < 0);
  if (!oneSign && op == AXIS_DIVS && a->min > INT64_MIN) { // at least it is no farther from 0
    int64_t far = axisMax(a->max, -a->min);
    return (Range){-axisMax(far, 0), axisMax(far, 0), false};
  }
  bool overflows = b->max < 0 && a->min == INT64_MIN;
  bool isSigned = op != AXIS_DIVU && op != AXIS_CEILDIVU;
  r.overflowed = !oneSign || overflows || (!isSigned && (a->min < 0 || b->min < 0));
  if (r.overflowed) return r;
  const int64_t as[] = {a->min, a->max}, bs[] = {b->min, b->max};
  for (int i = 0; i < 4; ++i) {
    int64_t x = as[i / 2], y = bs[i % 2];
    bool up = op == AXIS_CEILDIVS || op == AXIS_CEILDIVU;
    include(&r, op == AXIS_FLOORDIVS ? floorDiv(x, y) : up ? ceilDiv(x, y) : x / y);
  }
  return r;
}

/// |a rem b| is below |b| and not above |a|; its sign is a's.
static Range remainderRange(AxisBinary op, const TileAxisInfo *a, const TileAxisInfo *b) {
  Range r = {0};
  if (op == AXIS_REMU && b->min < 0) {
    r.overflowed = a->min < 0;
    r.max = a->max;
    return r;
  }
  // The largest |b|, less one; a divisor of 0 is undefined, so the largest is 1 at least.
  int64_t below = axisMax(b->max, b->min == INT64_MIN ? INT64_MAX : -b->min);
  if (b->min != INT64_MIN) below -= 1;
  below = axisMax(below, 0);
  if (op == AXIS_REMU && a->min < 0) return (Range){0, below, false};
  r.min = a->min < 0 ? axisMax(a->min, -below) : 0;
  r.max = a->max > 0 ? axisMin(a->max, below) : 0;
  return r;
}

static Range shiftRange(AxisBinary op, const TileAxisInfo *a, const TileAxisInfo *b) {
  Range r = {.min = INT64_MAX, .max = INT64_MIN};
  r.overflowed = b->min < 0 || b->max > 62 || (op == AXIS_SHRU && a->min < 0);
  if (r.overflowed) return r;
  const int64_t as[] = {a->min, a->max}, bs[] = {b->min, b->max};
  for (int i = 0; i < 4; ++i) {
    int64_t by = INT64_C(1) << bs[i % 2], corner = 0;
    if (op == AXIS_SHL)
      r.overflowed |= __builtin_mul_overflow(as[i / 2], by, &corner);
    else
      corner = floorDiv(as[i / 2], by);
    include(&r, corner);
  }
  return r;
}

/// The least 2^k - 1 that is not below x >= 0.
static int64_t allBitsOf(int64_t x) {
  int64_t mask = 0;
  while (mask < x) mask = mask * 2 + 1;
  return mask;
}

static Range bitsRange(AxisBinary op, const TileAxisInfo *a, const TileAxisInfo *b) {
  if (op == AXIS_AND && (a->min >= 0 || b->min >= 0)) {
    int64_t max = INT64_MAX;
    if (a->min >= 0) max = axisMin(max, a->max);
    if (b->min >= 0) max = axisMin(max, b->max);
    return (Range){0, max, false};
  }
  if (a->min < 0 || b->min < 0) return (Range){.overflowed = true};
  return (Range){op == AXIS_OR ? axisMax(a->min, b->min) : 0, allBitsOf(axisMax(a->max, b->max)),
                 false};
}

static Range extremeRange(AxisBinary op, const TileAxisInfo *a, const TileAxisInfo *b) {
  bool isUnsigned = op == AXIS_MINU || op == AXIS_MAXU;
  if (isUnsigned && (a->min < 0 || b->min < 0))
    return (Range){axisMin(a->min, b->min), axisMax(a->max, b->max), false};
  if (op == AXIS_MINS || op == AXIS_MINU)
    return (Range){axisMin(a->min, b->min), axisMin(a->max, b->max), false};
  return (Range){axisMax(a->min, b->min), axisMax(a->max, b->max), false};
}

static Range rangeOf(AxisBinary op, const TileAxisInfo *a, const TileAxisInfo *b) {
  switch (op) {
  case AXIS_ADD:
    return sumRange(a, b);
  case AXIS_SUB:
    return differenceRange(a, b);
  case AXIS_MUL:
    return productRange(a, b);
  case AXIS_DIVS:
  case AXIS_DIVU:
  case AXIS_CEILDIVS:
  case AXIS_CEILDIVU:
  case AXIS_FLOORDIVS:
    return quotientRange(op, a, b);
  case AXIS_REMS:
  case AXIS_REMU:
    return remainderRange(op, a, b);
  case AXIS_SHL:
  case AXIS_SHRS:
  case AXIS_SHRU:
    return shiftRange(op, a, b);
  case AXIS_AND:
  case AXIS_OR:
  case AXIS_XOR:
    return bitsRange(op, a, b);
  case AXIS_MINS:
  case AXIS_MAXS:
  case AXIS_MINU:
  case AXIS_MAXU:
    return extremeRange(op, a, b);
  }
  return (Range){.overflowed = true};
}

void axisFoldRange(AxisBinary op, int width, const TileAxisInfo *a, const TileAxisInfo *b,
                   int64_t *min, int64_t *max) {
  *min = axisTypeMin(width);
  *max = axisTypeMax(width);
  if (width == 1) return; // 0 and 1 here, 0 and -1 to signed ops
  Range r = rangeOf(op, a, b);
  // Of numbers that may be below 0 what is left of all bits.
  if (op == AXIS_SHRU && a->min < 0 && b->min > 0 && b->max < width)
    r = (Range){0, (int64_t)(UINT64_MAX >> (64 - width) >> b->min), false};
  if (r.overflowed || r.min < *min || r.max > *max || r.min > r.max) return;
  *min = r.min;
  *max = r.max;
}

/// 1 where a < b surely, 0 where a >= b surely, else -1.
static int below(const TileAxisInfo *a, const TileAxisInfo *b) {
  if (a->max < b->min) return 1;
  return a->min >= b->max ? 0 : -1;
}

static int negate(int known) { return known < 0 ? known : !known; }

int axisCompareRanges(int predicate, const TileAxisInfo *a, const TileAxisInfo *b) {
  bool isUnsigned = predicate >= TILE_ULT && predicate <= TILE_UGE;
  if (isUnsigned && (a->min < 0 || b->min < 0)) return -1;
  switch (predicate) {
  case TILE_EQ:
  case TILE_NE: {
    int equal = -1;
    if (a->hasConstant && b->hasConstant && a->constant == b->constant) equal = 1;
    if (a->max < b->min || b->max < a->min) equal = 0;
    return predicate == TILE_EQ ? equal : negate(equal);
  }
  case TILE_SLT:
  case TILE_ULT:
    return below(a, b);
  case TILE_SGE:
  case TILE_UGE:
    return negate(below(a, b));
  case TILE_SGT:
  case TILE_UGT:
    return below(b, a);
  case TILE_SLE:
  case TILE_ULE:
    return negate(below(b, a));
  }
  return -1;
}
