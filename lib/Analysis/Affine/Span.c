//===- Span.c - the memory that an access touches as a loop runs ----------===//
//
// The address of an access is
//
//   base + each * iv + sum over tile dimensions d of stride_d * index_d + rest
//
// and linear in iv and in each index. So the least and the greatest of its bytes follow from the
// ends of those, whose products may each be below 0 or above. So it is where `rest` has a multiple
// of min(x, y) or max(x, y), linear in iv: that is never less than min or max of the least of both,
// nor more than that of the greatest. The same is so of a quotient by a number above 0.
//
//===----------------------------------------------------------------------===//
#include "Affine.h"

static MlirValue inductionOf(MlirOperation loop) {
  return mlirBlockGetArgument(tileBody(loop, 0), 0);
}

static bool isKnownSymbol(const TileAffine *a, int symbol, MlirOperation loop) {
  if (symbol < AFFINE_FIRST_SCALAR) return true;
  TileBuilder b = tileBuilderBefore(loop);
  const AffineSymbol *s = affineSymbol(a, symbol);
  bool found = mlirValueEqual(s->values[0], inductionOf(loop));
  for (int v = 0; v < s->numValues; ++v) found |= affineIsAvailable(&b, s->values[v]);
  return found;
}

/// Is `poly` a scalar that is known in front of `loop`, but for a multiple of the induction
/// variable?
static bool isLinear(TileAffine *a, const TilePoly *poly, MlirOperation loop) {
  TilePoly iv = affineOf(a, inductionOf(loop));
  TilePoly each = polyCoefficient(poly, iv.terms[0].symbols[0]);
  bool linear = poly->valid && each.valid && !polyContains(&each, iv.terms[0].symbols[0]);
  for (int i = 0; i < poly->count && linear; ++i)
    for (int k = 0; k < poly->terms[i].degree; ++k) {
      int symbol = poly->terms[i].symbols[k];
      linear &= symbol >= AFFINE_FIRST_SCALAR && isKnownSymbol(a, symbol, loop);
    }
  return linear;
}

static bool isQuotient(const AffineSymbol *s) {
  int64_t by;
  return (s->kind == AFFINE_DIV || s->kind == AFFINE_CEILDIV) &&
         polyIsConstant(&s->operands[1], &by) && by > 0;
}

/// Is `symbol` the lesser or greater of two numbers that are linear in the induction variable, or a
/// quotient of one?
static bool isEnd(TileAffine *a, int symbol, MlirOperation loop) {
  AffineSymbol s = *affineSymbol(a, symbol);
  bool isMost = s.kind == AFFINE_MIN || s.kind == AFFINE_MAX;
  return (isMost || isQuotient(&s)) && isLinear(a, &s.operands[0], loop) &&
         isLinear(a, &s.operands[1], loop);
}

/// Are the scalars of the address, but for the induction variable, known in front of `loop`? Those
/// that are not may be ends.
static bool isKnown(TileAffine *a, TileAffineAddress *address, MlirOperation loop) {
  const TilePoly *poly = &address->offset;
  for (int i = 0; i < poly->count; ++i)
    for (int k = 0; k < poly->terms[i].degree; ++k) {
      int symbol = poly->terms[i].symbols[k];
      bool found = isKnownSymbol(a, symbol, loop);
      for (int e = 0; e < address->numEnds; ++e) found |= address->ends[e] == symbol;
      if (found) continue;
      if (address->numEnds == TILE_AFFINE_ENDS || !isEnd(a, symbol, loop)) return false;
      address->ends[address->numEnds++] = symbol;
    }
  return true;
}

/// Does each term have one end at most, and neither an index nor the induction variable beside it?
static bool areEndsAlone(const TileAffineAddress *address, int iv) {
  for (int e = 0; e < address->numEnds; ++e) {
    TilePoly factor = polyCoefficient(&address->offset, address->ends[e]);
    bool alone = factor.valid && !polyContains(&factor, iv);
    for (int d = 0; d < address->rank && alone; ++d) alone = !polyContains(&factor, d);
    for (int o = 0; o < address->numEnds && alone; ++o)
      alone = !polyContains(&factor, address->ends[o]);
    if (!alone) return false;
  }
  return true;
}

bool tileAffineAddressOf(TileAffine *affine, MlirValue pointers, MlirOperation loop,
                         TileAffineAddress *address) {
  *address = (TileAffineAddress){.offset = affineOf(affine, pointers)};
  if (!address->offset.valid || !isKnown(affine, address, loop)) return false;
  MlirType pointee = tilePtrTypeGetPointee(tileElementType(mlirValueGetType(pointers)));
  address->bytes = tileTypeIsAPtr(pointee) ? 8 : tileBitWidth(pointee) / 8;
  if (!address->bytes) address->bytes = 1;
  address->rank = tileShape(mlirValueGetType(pointers), address->extents);
  MlirBlock entry = tileBody(affine->func, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    if (!tileTypeIsAPtr(mlirValueGetType(argument))) continue;
    TilePoly symbol = affineOf(affine, argument);
    if (!polyContains(&address->offset, symbol.terms[0].symbols[0])) continue;
    if (!mlirValueIsNull(address->base)) return false;
    address->base = argument;
    address->offset = polySub(&address->offset, &symbol);
    if (polyContains(&address->offset, symbol.terms[0].symbols[0])) return false;
  }
  TilePoly iv = affineOf(affine, inductionOf(loop));
  address->each = polyCoefficient(&address->offset, iv.terms[0].symbols[0]);
  bool linear = address->each.valid && !polyContains(&address->each, iv.terms[0].symbols[0]) &&
                areEndsAlone(address, iv.terms[0].symbols[0]);
  for (int d = 0; d < address->rank && linear; ++d) {
    TilePoly stride = polyCoefficient(&address->offset, d);
    linear = stride.valid && !polyContains(&address->each, d);
    for (int e = 0; e < address->rank && linear; ++e) linear = !polyContains(&stride, e);
  }
  return linear && !mlirValueIsNull(address->base);
}

bool tileAffineSamePlaces(const TileAffineAddress *x, const TileAffineAddress *y) {
  for (int d = 0; d < x->rank && d < y->rank; ++d)
    if (x->extents[d] != y->extents[d]) return false;
  return x->bytes == y->bytes && x->rank == y->rank && polyEqual(&x->offset, &y->offset);
}

bool tileAffineMoveAlike(const TileAffineAddress *x, const TileAffineAddress *y) {
  return mlirValueEqual(x->base, y->base) && x->bytes == y->bytes && x->each.count > 0 &&
         polyEqual(&x->each, &y->each);
}

/// Do the other dimensions of the tile, as far as their strides are known, stay between neighbours
/// along `dim`, `by` apart, or lie as far from each other as a step goes, as rows?
static bool areBetween(const TileAffineAddress *address, int dim, int64_t by, int64_t far) {
  int64_t covered = 0, stride;
  for (int d = 0; d < address->rank; ++d) {
    TilePoly each = polyCoefficient(&address->offset, d);
    if (d == dim || !polyIsConstant(&each, &stride)) continue;
    if (stride >= far || stride <= -far) continue;
    int64_t ways = address->extents[d] - 1, way;
    if (__builtin_mul_overflow(stride < 0 ? -stride : stride, ways, &way) ||
        __builtin_add_overflow(covered, way, &covered))
      return false;
  }
  return covered < by;
}

bool tileAffineStepsApart(const TileAffineAddress *address, int64_t step) {
  int64_t each, by, far, covered;
  if (address->numEnds || !address->each.count) return false;
  if (address->rank == 0) return polyIsConstant(&address->each, &each); // another may be 0
  for (int d = 0; d < address->rank; ++d) {
    TilePoly stride = polyCoefficient(&address->offset, d);
    if (!stride.valid) continue;
    bool isConstant = polyIsConstant(&stride, &by);
    if (!isConstant && polyEqual(&stride, &address->each) && step >= address->extents[d])
      return true;
    if (!isConstant || !by || by == INT64_MIN || !polyIsConstant(&address->each, &each)) continue;
    bool falls = by < 0;
    if (falls) by = -by;
    bool known = !__builtin_mul_overflow(each, falls ? -step : step, &far) &&
                 !__builtin_mul_overflow(by, address->extents[d], &covered);
    if (known && far >= covered && areBetween(address, d, by, far)) return true;
  }
  return false;
}

bool tileAffineStepsJoin(const TileAffineAddress *address, int64_t step) {
  int64_t each, by, far;
  if (!polyIsConstant(&address->each, &each) || __builtin_mul_overflow(each, step, &far))
    return false;
  for (int d = 0; d < address->rank; ++d) {
    TilePoly stride = polyCoefficient(&address->offset, d);
    if (stride.valid && polyIsConstant(&stride, &by) && by == 1 && far == address->extents[d])
      return true;
  }
  return false;
}

/// Is the term no more than `stride`, of which it may be a multiple, times an extent?
static bool isWithin(const TileTerm *term, const TilePoly *stride, int64_t extent) {
  for (int i = 0; i < stride->count; ++i) {
    const TileTerm *own = &stride->terms[i];
    bool same = own->degree == term->degree;
    for (int k = 0; k < own->degree && same; ++k) same = own->symbols[k] == term->symbols[k];
    int64_t most, far = term->coefficient < 0 ? -term->coefficient : term->coefficient;
    int64_t each = own->coefficient < 0 ? -own->coefficient : own->coefficient;
    if (same && !__builtin_mul_overflow(each, extent, &most) && far < most) return true;
  }
  return false;
}

bool tileAffineAreShifted(TileAffine *affine, MlirValue x, MlirValue y) {
  TilePoly at = affineOf(affine, x), other = affineOf(affine, y);
  TilePoly by = polySub(&at, &other);
  int64_t extents[TILE_MAX_RANK], others[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(x), extents);
  if (!at.valid || !other.valid || !by.valid) return false;
  if (tileShape(mlirValueGetType(y), others) != rank) return false;
  for (int d = 0; d < rank; ++d)
    if (extents[d] != others[d]) return false;
  for (int i = 0; i < by.count; ++i) {
    bool found = false;
    for (int d = 0; d < rank && !found; ++d) {
      TilePoly stride = polyCoefficient(&at, d);
      found = stride.valid && isWithin(&by.terms[i], &stride, extents[d]);
    }
    if (!found) return false;
  }
  return true;
}

/// Adds stride * (count - 1) to the end of the span that it moves, and what stands for 0 to the
/// other.
static void widen(TileBuilder *b, MlirValue span[2], MlirValue stride, MlirValue last) {
  MlirValue zero = tileBuildInt(b, mlirValueGetType(stride), 0);
  MlirValue way = tileBuildBinary(b, "arith.muli", stride, last);
  MlirValue down = tileBuildBinary(b, "arith.minsi", way, zero);
  MlirValue up = tileBuildBinary(b, "arith.maxsi", way, zero);
  span[0] = tileBuildBinary(b, "arith.addi", span[0], down);
  span[1] = tileBuildBinary(b, "arith.addi", span[1], up);
}

static MlirValue toI64(TileBuilder *b, MlirValue value) {
  MlirType i64 = tileI64(b->context), type = mlirValueGetType(value);
  if (mlirTypeEqual(type, i64)) return value;
  return tileBuildUnary(b, mlirTypeIsAIndex(type) ? "arith.index_cast" : "arith.extsi", i64, value);
}

/// The least and the greatest of `poly`, linear in the induction variable of `loop`.
static void buildRange(TileAffine *affine, TileBuilder *b, const TilePoly *poly, MlirOperation loop,
                       MlirValue range[2]) {
  MlirType i64 = tileI64(b->context);
  TilePoly iv = affineOf(affine, inductionOf(loop));
  TilePoly each = polyCoefficient(poly, iv.terms[0].symbols[0]), steps = polyMul(&each, &iv);
  TilePoly rest = polySub(poly, &steps);
  MlirValue lower = toI64(b, tileForGetLower(loop)), upper = toI64(b, tileForGetUpper(loop));
  MlirValue one = tileBuildInt(b, i64, 1), factor = tileAffineBuild(affine, b, &each, i64);
  MlirValue start = tileBuildBinary(b, "arith.muli", factor, lower);
  range[0] = tileBuildBinary(b, "arith.addi", tileAffineBuild(affine, b, &rest, i64), start);
  range[1] = range[0];
  MlirValue way = tileBuildBinary(b, "arith.subi", upper, lower);
  widen(b, range, factor, tileBuildBinary(b, "arith.subi", way, one));
}

/// Adds what `symbol`, an end, adds, and takes it from `rest`.
static void addEnd(TileAffine *affine, TileBuilder *b, int symbol, MlirOperation loop,
                   TilePoly *rest, MlirValue span[2]) {
  AffineSymbol s = *affineSymbol(affine, symbol);
  // However a quotient is rounded, it lies between these.
  const char *ops[2] = {"arith.floordivsi", "arith.ceildivsi"};
  if (!isQuotient(&s)) ops[0] = ops[1] = s.kind == AFFINE_MIN ? "arith.minsi" : "arith.maxsi";
  MlirValue x[2], y[2], ways[2];
  buildRange(affine, b, &s.operands[0], loop, x);
  buildRange(affine, b, &s.operands[1], loop, y);
  TilePoly factor = polyCoefficient(rest, symbol), all = polySymbol(symbol);
  TilePoly part = polyMul(&factor, &all);
  *rest = polySub(rest, &part);
  MlirValue times = tileAffineBuild(affine, b, &factor, tileI64(b->context));
  for (int i = 0; i < 2; ++i)
    ways[i] = tileBuildBinary(b, "arith.muli", times, tileBuildBinary(b, ops[i], x[i], y[i]));
  span[0] = tileBuildBinary(b, "arith.minsi", ways[0], ways[1]);
  span[1] = tileBuildBinary(b, "arith.maxsi", ways[0], ways[1]);
}

void tileAffineBuildSpan(TileAffine *affine, TileBuilder *b, const TileAffineAddress *address,
                         MlirOperation loop, MlirValue span[2]) {
  MlirType i64 = tileI64(b->context);
  TilePoly rest = address->offset;
  MlirValue ends[TILE_AFFINE_ENDS][2];
  for (int e = 0; e < address->numEnds; ++e)
    addEnd(affine, b, address->ends[e], loop, &rest, ends[e]);
  for (int d = 0; d < address->rank; ++d) {
    TilePoly stride = polyCoefficient(&rest, d), index = polySymbol(d);
    TilePoly part = polyMul(&stride, &index);
    rest = polySub(&rest, &part);
  }
  buildRange(affine, b, &rest, loop, span);
  for (int e = 0; e < address->numEnds; ++e)
    for (int i = 0; i < 2; ++i) span[i] = tileBuildBinary(b, "arith.addi", span[i], ends[e][i]);
  MlirValue one = tileBuildInt(b, i64, 1);
  for (int d = 0; d < address->rank; ++d) {
    TilePoly stride = polyCoefficient(&address->offset, d);
    if (polyIsZero(&stride)) continue;
    widen(b, span, tileAffineBuild(affine, b, &stride, i64),
          tileBuildInt(b, i64, address->extents[d] - 1));
  }
  span[1] = tileBuildBinary(b, "arith.addi", span[1], one);
  MlirValue base = tileBuildUnary(b, "tile.ptr_cast", i64, address->base);
  MlirValue bytes = tileBuildInt(b, i64, address->bytes);
  for (int i = 0; i < 2; ++i) {
    span[i] = tileBuildBinary(b, "arith.muli", span[i], bytes);
    span[i] = tileBuildBinary(b, "arith.addi", span[i], base);
  }
}
