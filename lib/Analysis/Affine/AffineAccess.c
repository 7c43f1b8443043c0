//===- AffineAccess.c - the array and the box of an access ----------------===//
//
//   address   base + sum over tile dimensions d of stride_d * index_d + rest
//   mask      index_d < end_d,  for some d;  index_d >= -start_d;  scalars that are provably true
//
// and index_d < n where the tile has padding from n on (tile.extents). The array may end there;
// else a box may read what is there, if it is in the array, and whoever stores it leaves it out.
//
// So, with rest = sum of stride_d * origin_d, dimension d has extent end_d + origin_d. What
// depends on more than kernel arguments in end_d must be -origin_d, since extents do not depend on
// the program; that splits `rest` between the dimensions. What is left of it goes where a stride
// divides it, then to the contiguous dimension, or, as a batch offset b * stride_b, becomes a
// dimension of its own along which the box has extent 1. Where no mask sets an end, one that begins
// at a program's number ends with the grid, and one at a remainder with the divisor.
//
// Where the program reads in memory where an array begins and ends (sequences that lie behind one
// another), an extent can't say it. Then positions are counted from the end, which is at 2^30:
//
//   address   base + (first + index) * stride                 mask   index < length
//             first + length   rows to where it ends: a dimension of its own, of the same stride
//             2^30 - length + index   of 2^30 rows; what lies behind the end is out of bounds
//             2^26 * (2^38 - 16 * stride)  one more dimension, which takes that away again
//
// with strides in bytes, since addresses are taken modulo 2^64, and strides may have 40 bits and
// are multiples of 16. So positions that are not known to be >= 0 are moved away from 0, too. That
// is what Triton's ragged descriptors do (triton/tools/ragged_tma.py); positions and lengths are
// taken to be below 2^30.
//
//===----------------------------------------------------------------------===//
#include "Affine.h"
#include <stdio.h>
#include <string.h>

enum { MAX_CONDITIONS = 16, MAX_RANK = 5 };

typedef struct {
  TileAffine *a;
  int rank;                       // of the tile
  int64_t extents[TILE_MAX_RANK]; // of the tile
  int64_t inside[TILE_MAX_RANK];  // before its padding
  bool isOpen;                    // padding ends no array, not even where nothing else does
  bool isEnded;                   // by it
  TilePoly rest;
  TileAffineDim dims[TILE_MAX_RANK]; // of the tile
  TileAffineDim added[MAX_RANK];
  int numAdded, inner;
  int bytes;                           // of an element
  bool moves;                          // may positions be moved away from 0?
  int ragged;                          // the dimension whose end the program reads; -1: none
  TilePoly conditions[MAX_CONDITIONS]; // each >= 0 in the lanes that are on
  int numConditions;
  char *why;
} Match;

static bool refuse(Match *m, const char *text) {
  snprintf(m->why, TILE_AFFINE_TEXT, "%s", text);
  return false;
}

static bool refuseOp(Match *m, const char *expected, MlirOperation op) {
  MlirStringRef name = mlirOperationIsNull(op) ? tileString("a longer sum") : tileOpName(op);
  snprintf(m->why, TILE_AFFINE_TEXT, "expected %s, found %.*s", expected, (int)name.length,
           name.data);
  return false;
}

//===- masks --------------------------------------------------------------===//

static bool addCondition(Match *m, const TilePoly *poly, const int map[TILE_MAX_RANK]) {
  if (m->numConditions == MAX_CONDITIONS)
    return refuse(m, "expected a mask of a few comparisons, found more");
  TilePoly condition = affineRemap(poly, map);
  m->conditions[m->numConditions++] = condition;
  return condition.valid || refuseOp(m, "a mask of affine comparisons", condition.blame);
}

/// lhs < rhs and the like, as the polynomials that are >= 0 then.
static bool addComparison(Match *m, MlirOperation op, const int map[TILE_MAX_RANK]) {
  TilePoly left = affineOfComparison(m->a, op);
  if (!left.valid && mlirOperationEqual(left.blame, op))
    return refuse(m, "expected a mask of comparisons < and >=, found another predicate");
  int64_t predicate = tileIntAttr(op, "predicate", -1);
  if (predicate != TILE_ULT && predicate != TILE_ULE) return addCondition(m, &left, map);
  // Unsigned, below something not negative: not negative either.
  TilePoly x = affineOf(m->a, tileOperand(op, 0)), y = affineOf(m->a, tileOperand(op, 1));
  if (!tileAffineIsNonNegative(m->a, &y))
    return refuse(m, "expected an unsigned bound known not to be negative, found another");
  return addCondition(m, &left, map) && addCondition(m, &x, map);
}

static bool readMask(Match *m, MlirValue mask, const int map[TILE_MAX_RANK]) {
  MlirOperation op = tileValueGetOp(mask);
  int64_t constant;
  if (mlirOperationIsNull(op))
    return refuse(m, "expected a mask of comparisons, found one that is an argument");
  if (tileConstantInt(mask, &constant) && constant) return true;
  if (tileOpIs(op, "arith.cmpi")) return addComparison(m, op, map);
  if (tileOpIs(op, "arith.andi"))
    return readMask(m, tileOperand(op, 0), map) && readMask(m, tileOperand(op, 1), map);
  int inner[TILE_MAX_RANK], both[TILE_MAX_RANK];
  if (!affineShapeMap(op, inner)) return refuseOp(m, "a mask of comparisons", op);
  for (int d = 0; d < TILE_MAX_RANK; ++d) both[d] = inner[d] < 0 ? -1 : map[inner[d]];
  return readMask(m, tileOperand(op, 0), both);
}

/// The one dimension whose position `poly` contains: its number, -1 for none, -2 for several.
static int positionIn(const TilePoly *poly) {
  int found = -1;
  for (int i = 0; i < poly->count; ++i)
    for (int k = 0; k < poly->terms[i].degree; ++k) {
      int symbol = poly->terms[i].symbols[k];
      if (symbol >= AFFINE_FIRST_SCALAR || symbol == found) continue;
      if (found >= 0) return -2;
      found = symbol;
    }
  return found;
}

/// index < end, beside an end that is there already: the smaller one, if that is known.
static bool setEnd(Match *m, int d, const TilePoly *end) {
  TilePoly *extent = &m->dims[d].extent;
  TilePoly more = polySub(end, extent), less = polySub(extent, end);
  if (extent->valid && tileAffineIsNonNegative(m->a, &more)) return true;
  if (extent->valid && !tileAffineIsNonNegative(m->a, &less))
    return refuse(m, "expected one bound a dimension in the mask, found two");
  *extent = *end;
  return true;
}

/// Does the condition leave out padding, which is not the array's bound?
static bool isPadding(Match *m, int d, const TilePoly *end) {
  int64_t number;
  if (!polyIsConstant(end, &number) || number != m->inside[d] || number >= m->extents[d])
    return false;
  m->dims[d].inside = number;
  return true;
}

/// Where nothing else ends a dimension padding does: what a load would read there need not exist.
static void endAtPadding(Match *m) {
  for (int d = 0; d < m->rank; ++d) {
    TileAffineDim *dim = &m->dims[d];
    if (!dim->inside || dim->extent.valid || m->isOpen) continue;
    dim->extent = polyConstant(dim->inside);
    dim->inside = 0;
    m->isEnded = true;
  }
}

/// Ends, from conditions end - 1 - index >= 0. Those on positions' other side wait for origins.
static bool readEnds(Match *m) {
  for (int i = 0; i < m->numConditions; ++i) {
    TilePoly *c = &m->conditions[i];
    int d = positionIn(c);
    int64_t factor = 0;
    TilePoly coefficient = d >= 0 ? polyCoefficient(c, d) : polyConstant(0);
    if (d < 0 && tileAffineIsNonNegative(m->a, c)) continue; // a scalar that is always true
    if (d < 0 || !polyIsConstant(&coefficient, &factor) || (factor != 1 && factor != -1))
      return refuse(m, "expected a mask that bounds each dimension by itself, found another "
                       "condition");
    if (factor == 1) continue;
    TilePoly index = polySymbol(d), one = polyConstant(1);
    TilePoly rest = polyAdd(c, &index), end = polyAdd(&rest, &one);
    if (!isPadding(m, d, &end) && !setEnd(m, d, &end)) return false;
  }
  endAtPadding(m);
  return true;
}

/// The conditions index + start >= 0: start must be the origin.
static bool readStarts(Match *m) {
  for (int i = 0; i < m->numConditions; ++i) {
    TilePoly *c = &m->conditions[i];
    int d = positionIn(c);
    if (d < 0) continue;
    TilePoly index = polySymbol(d), start = polySub(c, &index);
    if (polyContains(&start, d)) continue; // an end
    if (polyEqual(&start, &m->dims[d].origin))
      m->dims[d].clipped = true;
    else if (!tileAffineIsNonNegative(m->a, &start))
      return refuse(m, "expected a lower bound of 0 in the mask, found another");
  }
  return true;
}

//===- addresses ----------------------------------------------------------===//

static bool hasOnlyArguments(const TileAffine *a, const TileTerm *term) {
  for (int i = 0; i < term->degree; ++i)
    if (!affineIsArgument(a, term->symbols[i])) return false;
  return true;
}

static bool isOfArguments(const TileAffine *a, const TilePoly *poly) {
  for (int i = 0; i < poly->count; ++i)
    if (!hasOnlyArguments(a, &poly->terms[i])) return false;
  return poly->valid;
}

/// Takes the base away from the address, and the strides of positions.
static bool readAddress(Match *m, MlirValue pointers, MlirValue *base) {
  TilePoly address = affineOf(m->a, pointers);
  if (!address.valid) return refuseOp(m, "offsets made of sums and products", address.blame);
  *base = (MlirValue){NULL};
  MlirBlock entry = tileBody(m->a->func, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    if (!tileTypeIsAPtr(mlirValueGetType(argument))) continue;
    TilePoly symbol = affineOf(m->a, argument);
    if (!polyContains(&address, symbol.terms[0].symbols[0])) continue;
    *base = argument;
    address = polySub(&address, &symbol);
  }
  if (mlirValueIsNull(*base))
    return refuse(m, "expected a pointer that starts from a kernel argument, found another");
  for (int d = 0; d < m->rank; ++d) {
    TileAffineDim *dim = &m->dims[d];
    dim->tileDim = d;
    dim->box = m->extents[d];
    dim->stride = polyCoefficient(&address, d);
    dim->origin = polyConstant(0);
    if (!isOfArguments(m->a, &dim->stride))
      return refuse(m, "expected strides made of kernel arguments, found others");
    TilePoly index = polySymbol(d), moved = polyMul(&dim->stride, &index);
    address = polySub(&address, &moved);
  }
  m->rest = address;
  return true;
}

/// The dimension of stride 1; every other one that has an extent must move.
static bool findInner(Match *m) {
  m->inner = -1;
  for (int d = 0; d < m->rank; ++d) {
    int64_t stride = 0;
    bool isConstant = polyIsConstant(&m->dims[d].stride, &stride);
    if (isConstant && stride == 1 && m->inner < 0) {
      m->inner = d;
      continue;
    }
    if (isConstant && stride <= 0 && m->extents[d] > 1)
      return refuse(m, "expected elements at increasing addresses along each dimension, found "
                       "some that are repeated or run backwards");
  }
  if (m->inner < 0)
    return refuse(m, "expected a dimension with a stride known to be 1, found none");
  return true;
}

/// Moves what is positions along dimension d, and no more, from `rest` to its origin.
static void moveTo(Match *m, TileAffineDim *dim, const TilePoly *positions) {
  TilePoly moved = polyMul(positions, &dim->stride);
  dim->origin = polyAdd(&dim->origin, positions);
  m->rest = polySub(&m->rest, &moved);
}

/// Is `term` of an end a number that the address is ahead by, too? Then it is minus the origin;
/// else a dimension whose constant stride divides it would take it, and leave an end below 0.
static bool isInRest(const Match *m, const TileAffineDim *dim, const TileTerm *term) {
  int64_t stride = 0, ahead = 0;
  if (term->degree || term->coefficient >= 0 || !polyIsConstant(&dim->stride, &stride))
    return false;
  for (int i = 0; i < m->rest.count; ++i)
    if (!m->rest.terms[i].degree) ahead = m->rest.terms[i].coefficient;
  return stride > 0 && -term->coefficient <= ahead / stride;
}

/// What ends have beside kernel arguments is minus the origin.
static void originsFromEnds(Match *m) {
  for (int d = 0; d < m->rank; ++d) {
    const TilePoly end = m->dims[d].extent;
    if (!end.valid) continue;
    TilePoly origin = polyConstant(0);
    for (int i = 0; i < end.count; ++i) {
      bool isEnd = hasOnlyArguments(m->a, &end.terms[i]);
      if (d != m->ragged && isEnd && !isInRest(m, &m->dims[d], &end.terms[i])) continue;
      TilePoly term = polyOfTerm(&end.terms[i]);
      origin = polySub(&origin, &term);
    }
    moveTo(m, &m->dims[d], &origin);
  }
}

/// Terms of `rest` that the stride of a dimension divides. `symbolic`: strides that are arguments,
/// else constants above 1. Where a mask ends the dimension, that told what of its origin depends on
/// the program: the rest of it, as a batch offset, is another dimension's.
static void originsFromStride(Match *m, int d, bool symbolic) {
  TileAffineDim *dim = &m->dims[d];
  int64_t constant = 0;
  bool isConstant = polyIsConstant(&dim->stride, &constant);
  if (isConstant == symbolic || dim->stride.count != 1 || d == m->inner) return;
  const TilePoly rest = m->rest;
  for (int i = 0; i < rest.count; ++i) {
    TileTerm quotient;
    if (!termDivide(&rest.terms[i], &dim->stride.terms[0], &quotient)) continue;
    if (dim->extent.valid && !hasOnlyArguments(m->a, &quotient)) continue;
    TilePoly positions = polyOfTerm(&quotient);
    moveTo(m, dim, &positions);
  }
}

static int64_t constantStride(const TileAffineDim *dim) {
  int64_t stride = 0;
  return polyIsConstant(&dim->stride, &stride) ? stride : 0;
}

/// Constants: the largest stride first, as the digits of a number are found.
static void originsFromStrides(Match *m) {
  for (int d = 0; d < m->rank; ++d) originsFromStride(m, d, true);
  bool done[TILE_MAX_RANK] = {false};
  for (int n = 0; n < m->rank; ++n) {
    int next = -1;
    for (int d = 0; d < m->rank; ++d)
      if (!done[d] && (next < 0 || constantStride(&m->dims[d]) > constantStride(&m->dims[next])))
        next = d;
    done[next] = true;
    originsFromStride(m, next, false);
  }
}

/// The part of `term` that is numbers and kernel arguments, and the rest.
static void splitTerm(const TileAffine *a, const TileTerm *term, TileTerm *stride,
                      TileTerm *position) {
  bool isNegative = term->coefficient < 0;
  *stride = (TileTerm){.coefficient = isNegative ? -term->coefficient : term->coefficient};
  *position = (TileTerm){.coefficient = isNegative ? -1 : 1};
  for (int i = 0; i < term->degree; ++i) {
    TileTerm *to = affineIsArgument(a, term->symbols[i]) ? stride : position;
    to->symbols[to->degree++] = term->symbols[i];
  }
}

/// A dimension of its own for `term`, or one that has its stride already.
static bool addDimension(Match *m, const TileTerm *term) {
  TileTerm stride, position;
  splitTerm(m->a, term, &stride, &position);
  TilePoly by = polyOfTerm(&stride), at = polyOfTerm(&position);
  int i = 0;
  while (i < m->numAdded && !polyEqual(&m->added[i].stride, &by)) ++i;
  if (i == MAX_RANK) return refuse(m, "expected at most 5 dimensions, found more");
  if (i == m->numAdded)
    m->added[m->numAdded++] =
        (TileAffineDim){.stride = by, .origin = polyConstant(0), .tileDim = -1, .box = 1};
  moveTo(m, &m->added[i], &at);
  return true;
}

/// Where the rows end that the program reads of: of their stride, a dimension of its own.
static bool endsFromRest(Match *m) {
  const TileAffineDim *dim = &m->dims[m->ragged];
  const TilePoly rest = m->rest;
  TilePoly at = polyConstant(0);
  if (dim->stride.count != 1) return refuse(m, "expected rows with one stride, found a sum");
  for (int i = 0; i < rest.count; ++i) {
    TileTerm quotient;
    if (!termDivide(&rest.terms[i], &dim->stride.terms[0], &quotient)) continue;
    TilePoly position = polyOfTerm(&quotient);
    at = polyAdd(&at, &position);
  }
  if (polyIsZero(&at)) return true;
  m->added[m->numAdded++] =
      (TileAffineDim){.stride = dim->stride, .origin = polyConstant(0), .tileDim = -1, .box = 1};
  moveTo(m, &m->added[0], &at);
  return true;
}

/// May a position be too far for one that is moved? As a stride its factor takes it where it is.
static bool isFar(const Match *m, const TileTerm *term) {
  TilePoly position = polyOfTerm(term);
  AffineInterval range = affineInterval(m->a, &position);
  bool fits = range.min > -(INT64_C(1) << 30) && range.max < INT64_C(1) << 30;
  return m->moves && !fits && term->coefficient * m->bytes % 16 == 0;
}

/// What is left: positions along the contiguous dimension, or dimensions that the tile has not.
static bool originsFromRest(Match *m) {
  TileAffineDim *inner = &m->dims[m->inner];
  const TilePoly rest = m->rest;
  for (int i = 0; i < rest.count; ++i) {
    const TileTerm *term = &rest.terms[i];
    bool isPosition = hasOnlyArguments(m->a, term) ? term->degree <= 1 : !inner->extent.valid;
    for (int k = 0; k < term->degree && !hasOnlyArguments(m->a, term); ++k)
      isPosition &= !affineIsArgument(m->a, term->symbols[k]);
    TilePoly positions = polyOfTerm(term);
    if (isPosition && !isFar(m, term))
      moveTo(m, inner, &positions);
    else if (!addDimension(m, term))
      return false;
  }
  return m->rest.valid || refuseOp(m, "an address of few terms", m->rest.blame);
}

/// A dimension that programs are spread along ends where the grid does.
static void endAtGrid(Match *m, TileAffineDim *dim) {
  if (dim->origin.count != 1 || dim->origin.terms[0].degree != 1) return;
  const TileTerm *term = &dim->origin.terms[0];
  if (term->coefficient != 1 || term->symbols[0] < AFFINE_FIRST_SCALAR) return;
  const AffineSymbol *s = affineSymbol(m->a, term->symbols[0]);
  if (s->kind != AFFINE_PROGRAM_ID || s->number < 0 || s->number > 2) return;
  if (isOfArguments(m->a, &m->a->grid[s->number])) dim->extent = m->a->grid[s->number];
}

/// A box at a remainder ends where the divisor does, where both are multiples of the box.
static bool endAtDivisor(Match *m, TileAffineDim *dim) {
  if (dim->origin.count != 1 || dim->origin.terms[0].degree != 1) return false;
  const TileTerm *term = &dim->origin.terms[0];
  if (term->coefficient != 1 || term->symbols[0] < AFFINE_FIRST_SCALAR) return false;
  const AffineSymbol *s = affineSymbol(m->a, term->symbols[0]);
  const TilePoly *divisor = &s->operands[1];
  if (s->kind != AFFINE_REM || !isOfArguments(m->a, divisor)) return false;
  if (tileAffineDivisor(m->a, &dim->origin) % dim->box ||
      tileAffineDivisor(m->a, divisor) % dim->box)
    return false;
  dim->extent = *divisor;
  return true;
}

//===- the access ---------------------------------------------------------===//

/// Extents, from ends and origins.
static bool setExtents(Match *m) {
  for (int i = 0; i < m->numAdded; ++i) endAtGrid(m, &m->added[i]);
  for (int d = 0; d < m->rank; ++d) {
    TileAffineDim *dim = &m->dims[d];
    if (!dim->origin.valid) return refuseOp(m, "positions of few terms", dim->origin.blame);
    if (!dim->extent.valid && endAtDivisor(m, dim)) continue;
    if (!dim->extent.valid) continue;
    dim->extent = polyAdd(&dim->extent, &dim->origin);
    if (!isOfArguments(m->a, &dim->extent))
      return refuse(m,
                    "expected a mask that ends where the array does, found one whose bound is not "
                    "made of kernel arguments");
    int64_t number = 0;
    if (polyIsConstant(&dim->extent, &number) && number < 0)
      return refuse(m, "expected extents of 0 and more, found a mask that is always false");
  }
  return true;
}

/// Makes room for positions below 0, as those counted from an end are.
static void moveAway(TileAffineDim *dim, TilePoly *strides) {
  TilePoly far = polyConstant(INT64_C(1) << 30);
  dim->origin = polyAdd(&dim->origin, &far);
  if (dim->extent.valid) dim->extent = polyAdd(&dim->extent, &far);
  *strides = polyAdd(strides, &dim->stride);
}

/// An argument that the launch has below 0 (`tile.negative`)?
static bool isNegativeArgument(const TileAffine *a, int symbol) {
  if (!affineIsArgument(a, symbol)) return false;
  int number = affineSymbol(a, symbol)->number;
  MlirAttribute all = tileAttr(a->func, "arg_attrs");
  if (mlirAttributeIsNull(all) || number >= mlirArrayAttrGetNumElements(all)) return false;
  MlirAttribute own = mlirArrayAttrGetElement(all, number);
  return !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(own, tileString("tile.negative")));
}

/// May launches bring a number for `stride` that the engine can do? What numbers of the text add to
/// it is from 0 to 2^40 bytes; no argument is known to be below 0, and what those do of which
/// nothing is known is seen where the array is described.
static bool isStride(const Match *m, const TilePoly *stride) {
  for (int i = 0; i < stride->count; ++i) {
    int64_t number = stride->terms[i].coefficient;
    if (!stride->terms[i].degree && (number < 0 || number >= (INT64_C(1) << 40) / m->bytes))
      return false;
    for (int k = 0; k < stride->terms[i].degree; ++k)
      if (isNegativeArgument(m->a, stride->terms[i].symbols[k])) return false;
  }
  return true;
}

/// The dimension that takes away by how much others were moved, which have these `strides` in all.
static bool moveBack(Match *m, TileAffineAccess *access, const TilePoly *strides) {
  if (access->rank == MAX_RANK) return refuse(m, "expected at most 5 dimensions, found more");
  memmove(access->dims + 1, access->dims, sizeof *access->dims * (size_t)access->rank++);
  TilePoly whole = polyConstant((INT64_C(1) << 38) / m->bytes), by = polyScale(strides, 16);
  access->dims[0] = (TileAffineDim){.stride = polySub(&whole, &by),
                                    .origin = polyConstant(INT64_C(1) << 26),
                                    .tileDim = -1,
                                    .box = 1};
  access->isMoved = true;
  return access->dims[0].stride.valid || refuse(m, "expected strides of few terms, found more");
}

/// A position below 0 is an address to a load, and out of bounds to a box.
static bool checkOrigins(Match *m, TileAffineAccess *access) {
  TilePoly strides = polyConstant(0);
  for (int i = 0; i < access->rank; ++i) {
    TileAffineDim *dim = &access->dims[i];
    bool isRagged = dim->tileDim >= 0 && dim->tileDim == m->ragged;
    if (!isRagged && (dim->clipped || tileAffineIsNonNegative(m->a, &dim->origin))) continue;
    dim->asSeen = !isRagged && affineIsSeenNonNegative(m->a, &dim->origin);
    if (dim->asSeen) continue;
    if (m->moves) {
      moveAway(dim, &strides);
      continue;
    }
    access->isBelow = true;
    if (dim->tileDim < 0) return refuse(m, "expected a batch offset proved >= 0, found another");
    snprintf(m->why, TILE_AFFINE_TEXT,
             "expected positions proved >= 0 along dimension %d, found others", dim->tileDim);
    return false;
  }
  return polyIsZero(&strides) || moveBack(m, access, &strides);
}

static bool checkStrides(Match *m, const TileAffineAccess *access) {
  for (int i = 0; i + 1 < access->rank; ++i)
    if (!isStride(m, &access->dims[i].stride))
      return refuse(m, "expected strides from 0 to 2^40 bytes, found another");
  return true;
}

static bool arrange(Match *m, TileAffineAccess *access) {
  access->rank = 0;
  access->isMoved = access->isBelow = false;
  for (int i = 0; i < m->numAdded + m->rank; ++i) {
    int d = i - m->numAdded;
    const TileAffineDim *dim = d < 0 ? &m->added[i] : &m->dims[d];
    bool isStill = d >= 0 && m->extents[d] == 1 && polyIsZero(&dim->stride);
    if (d == m->inner || isStill) continue;
    if (access->rank == MAX_RANK - 1) return refuse(m, "expected at most 5 dimensions, found more");
    access->dims[access->rank++] = *dim;
  }
  access->dims[access->rank++] = m->dims[m->inner];
  return true;
}

static bool match(Match *m, MlirValue pointers, MlirValue mask, TileAffineAccess *access) {
  static const int same[TILE_MAX_RANK] = {0, 1, 2, 3, 4, 5};
  if (!readAddress(m, pointers, &access->base) || !findInner(m)) return false;
  if (!mlirValueIsNull(mask) && !readMask(m, mask, same)) return false;
  if (!readEnds(m)) return false;
  if (m->ragged >= 0 && (m->ragged == m->inner || !m->dims[m->ragged].extent.valid))
    return refuse(m, "expected rows with an end, found others");
  originsFromEnds(m);
  originsFromStrides(m);
  if (m->ragged >= 0 && !endsFromRest(m)) return false;
  return originsFromRest(m) && readStarts(m) && setExtents(m) && arrange(m, access) &&
         checkOrigins(m, access) && checkStrides(m, access);
}

/// As the mask and the address say.
static bool matchPlain(const Match *fresh, MlirValue pointers, MlirValue mask, bool isLoad,
                       TileAffineAccess *result) {
  Match m = *fresh, open = *fresh;
  open.isOpen = true;
  bool matches = match(&m, pointers, mask, result);
  if (!m.isEnded || isLoad || (matches && !m.numAdded)) return matches;
  // Programs beside each other are a dimension of their own then. Better none, if it can be left
  // out.
  TileAffineAccess wide;
  if (match(&open, pointers, mask, &wide) && (!matches || wide.rank < result->rank))
    *result = wide;
  else if (!matches)
    return false;
  m.why[0] = 0;
  return true;
}

/// With positions moved away from 0, and with rows whose end the program reads.
static bool matchMoved(const Match *fresh, MlirValue pointers, MlirValue mask,
                       TileAffineAccess *result) {
  for (int ragged = fresh->rank - 1; ragged >= -1; --ragged) {
    Match m = *fresh;
    char why[TILE_AFFINE_TEXT];
    m.why = why;
    m.moves = true;
    m.ragged = ragged;
    if (!match(&m, pointers, mask, result)) continue;
    fresh->why[0] = 0;
    return true;
  }
  return false;
}

static bool accessOf(TileAffine *affine, MlirOperation access, TileAffineAccess *result,
                     char *why) {
  bool isLoad = tileOpIsALoad(access), adds = tileOpIsAAtomicRmw(access);
  MlirValue pointers = isLoad ? tileLoadGetPtr(access)
                       : adds ? tileAtomicRmwGetPtr(access)
                              : tileStoreGetPtr(access);
  MlirValue mask = isLoad ? tileLoadGetMask(access)
                   : adds ? tileAtomicRmwGetMask(access)
                          : tileStoreGetMask(access);
  Match m = {.a = affine, .why = why, .ragged = -1};
  m.rank = tileShape(mlirValueGetType(pointers), m.extents);
  if (m.rank < 1) return refuse(&m, "expected a tile of pointers, found one pointer");
  memcpy(affine->extents, m.extents, sizeof m.extents);
  memcpy(m.inside, m.extents, sizeof m.extents);
  tileOpGetExtents(access, m.rank, m.inside);
  m.bytes = tileElementBytes(tilePtrTypeGetPointee(tileElementType(mlirValueGetType(pointers))));
  return matchPlain(&m, pointers, mask, isLoad, result) ||
         (affine->moves && matchMoved(&m, pointers, mask, result));
}

void tileAffineMovePositions(TileAffine *affine, bool moves) { affine->moves = moves; }

bool tileAffineAccessOf(TileAffine *affine, MlirOperation access, TileAffineAccess *result,
                        char why[TILE_AFFINE_TEXT]) {
  affine->access = access;
  bool matches = accessOf(affine, access, result, why);
  affine->access = (MlirOperation){NULL};
  return matches;
}
