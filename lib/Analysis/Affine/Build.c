//===- Build.c - values of polynomials ------------------------------------===//
#include "Affine.h"

bool affineIsAvailable(const TileBuilder *b, MlirValue value) {
  MlirBlock block = tileValueGetBlock(value), at = b->block;
  MlirOperation before = b->before;
  while (!mlirBlockEqual(block, at)) {
    MlirOperation parent = mlirBlockGetParentOperation(at);
    // Kernels, and regions like those of tile.grid, see nothing from outside.
    if (mlirOperationIsNull(parent) || tileOpIsAFunc(parent)) return false;
    before = parent;
    at = mlirOperationGetBlock(parent);
    if (mlirBlockIsNull(at)) return false;
  }
  if (mlirValueIsABlockArgument(value) || mlirOperationIsNull(before)) return true;
  return mlirOperationIsBeforeInBlock(tileValueGetOp(value), before);
}

static int width(MlirType type) {
  return mlirTypeIsAIndex(type) ? 64 : (int)mlirIntegerTypeGetWidth(type);
}

static MlirValue convert(TileBuilder *b, MlirValue value, MlirType type) {
  MlirType from = mlirValueGetType(value);
  if (mlirTypeEqual(from, type)) return value;
  const char *op = width(from) < width(type) ? "arith.extsi" : "arith.trunci";
  if (mlirTypeIsAIndex(from)) op = "arith.index_cast";
  return tileBuildUnary(b, op, type, value);
}

static MlirWalkResult readScalar(MlirOperation op, void *data) {
  bool isInteger = mlirOperationGetNumResults(op) == 1 &&
                   mlirTypeIsAInteger(mlirValueGetType(tileResult(op))) &&
                   tileBitWidth(mlirValueGetType(tileResult(op))) > 1;
  if (isInteger && mlirOperationGetNumRegions(op) == 0) affineOf(data, tileResult(op));
  return tileOpIsAGrid(op) || tileOpIsACost(op) ? MlirWalkResultSkip : MlirWalkResultAdvance;
}

/// A value of `type` that is `poly` already.
static MlirValue find(TileAffine *a, const TileBuilder *b, const TilePoly *poly, MlirType type) {
  if (!a->isComplete) mlirOperationWalk(a->func, readScalar, a, MlirWalkPreOrder);
  a->isComplete = true;
  const AffineFact *fact = tilePointerTableFirst(a->facts);
  for (; fact; fact = tilePointerTableNext(fact)) {
    if (!polyEqual(&fact->poly, poly) || !mlirTypeEqual(mlirValueGetType(fact->value), type))
      continue;
    if (affineIsAvailable(b, fact->value)) return fact->value;
  }
  return (MlirValue){NULL};
}

static MlirValue buildSymbol(const TileAffine *a, TileBuilder *b, int symbol, MlirType type) {
  const AffineSymbol *s = affineSymbol(a, symbol);
  MlirValue value = s->values[0];
  for (int i = 0; i < s->numValues; ++i)
    if (affineIsAvailable(b, s->values[i])) {
      value = s->values[i];
      break;
    }
  return convert(b, value, type);
}

static MlirValue buildTerm(const TileAffine *a, TileBuilder *b, const TileTerm *term,
                           MlirType type) {
  MlirValue product = {NULL};
  for (int i = 0; i < term->degree; ++i) {
    MlirValue factor = buildSymbol(a, b, term->symbols[i], type);
    product = mlirValueIsNull(product) ? factor : tileBuildBinary(b, "arith.muli", product, factor);
  }
  if (!mlirValueIsNull(product) && term->coefficient == 1) return product;
  MlirValue coefficient = tileBuildInt(b, type, term->coefficient);
  if (mlirValueIsNull(product)) return coefficient;
  return tileBuildBinary(b, "arith.muli", product, coefficient);
}

MlirValue tileAffineBuild(TileAffine *affine, TileBuilder *b, const TilePoly *poly, MlirType type) {
  MlirValue sum = find(affine, b, poly, type);
  if (!mlirValueIsNull(sum)) return sum;
  for (int i = 0; i < poly->count; ++i) {
    MlirValue term = buildTerm(affine, b, &poly->terms[i], type);
    sum = mlirValueIsNull(sum) ? term : tileBuildBinary(b, "arith.addi", sum, term);
  }
  return mlirValueIsNull(sum) ? tileBuildZero(b, type) : sum;
}
