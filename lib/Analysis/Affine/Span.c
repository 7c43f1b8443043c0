//===- Span.c - the memory that an access touches as a loop runs ----------===//
//
// The address of an access is
//
//   base + each * iv + sum over tile dimensions d of stride_d * index_d + rest
//
// and linear in iv and in each index. So the least and the greatest of its bytes follow from the
// ends of those, whose products may each be below 0 or above.
//
//===----------------------------------------------------------------------===//
#include "Affine.h"

static MlirValue inductionOf(MlirOperation loop) {
  return mlirBlockGetArgument(tileBody(loop, 0), 0);
}

/// Are the scalars of `poly`, but for the induction variable, known in front of `loop`?
static bool isKnown(const TileAffine *a, const TilePoly *poly, MlirOperation loop) {
  TileBuilder b = tileBuilderBefore(loop);
  for (int i = 0; i < poly->count; ++i)
    for (int k = 0; k < poly->terms[i].degree; ++k) {
      if (poly->terms[i].symbols[k] < AFFINE_FIRST_SCALAR) continue;
      const AffineSymbol *s = affineSymbol(a, poly->terms[i].symbols[k]);
      bool found = mlirValueEqual(s->values[0], inductionOf(loop));
      for (int v = 0; v < s->numValues; ++v) found |= affineIsAvailable(&b, s->values[v]);
      if (!found) return false;
    }
  return true;
}

bool tileAffineAddressOf(TileAffine *affine, MlirValue pointers, MlirOperation loop,
                         TileAffineAddress *address) {
  *address = (TileAffineAddress){.offset = affineOf(affine, pointers)};
  if (!address->offset.valid || !isKnown(affine, &address->offset, loop)) return false;
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
  bool linear = address->each.valid && !polyContains(&address->each, iv.terms[0].symbols[0]);
  for (int d = 0; d < address->rank && linear; ++d) {
    TilePoly stride = polyCoefficient(&address->offset, d);
    linear = stride.valid && !polyContains(&address->each, d);
    for (int e = 0; e < address->rank && linear; ++e) linear = !polyContains(&stride, e);
  }
  return linear && !mlirValueIsNull(address->base);
}

bool tileAffineSamePlaces(const TileAffineAddress *x, const TileAffineAddress *y) {
  return x->bytes == y->bytes && x->rank == y->rank && polyEqual(&x->offset, &y->offset);
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

void tileAffineBuildSpan(TileAffine *affine, TileBuilder *b, const TileAffineAddress *address,
                         MlirOperation loop, MlirValue span[2]) {
  MlirType i64 = tileI64(b->context);
  TilePoly rest = address->offset, iv = affineOf(affine, inductionOf(loop));
  TilePoly steps = polyMul(&address->each, &iv);
  rest = polySub(&rest, &steps);
  for (int d = 0; d < address->rank; ++d) {
    TilePoly stride = polyCoefficient(&rest, d), index = polySymbol(d);
    TilePoly part = polyMul(&stride, &index);
    rest = polySub(&rest, &part);
  }
  MlirValue lower = toI64(b, tileOperand(loop, 0)), upper = toI64(b, tileOperand(loop, 1));
  MlirValue one = tileBuildInt(b, i64, 1), each = tileAffineBuild(affine, b, &address->each, i64);
  MlirValue start = tileBuildBinary(b, "arith.muli", each, lower);
  span[0] = tileBuildBinary(b, "arith.addi", tileAffineBuild(affine, b, &rest, i64), start);
  span[1] = span[0];
  MlirValue way = tileBuildBinary(b, "arith.subi", upper, lower);
  widen(b, span, each, tileBuildBinary(b, "arith.subi", way, one));
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
