//===- TritonTypes.c - Triton's types become tile's, in place -------------===//
#include "TritonToTile.h"
#include "tile/Text.h"
#include <stdlib.h>

/// i1 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2: what tile computes with.
static bool isNumber(MlirType type) {
  if (mlirTypeIsAInteger(type)) {
    unsigned width = mlirIntegerTypeGetWidth(type);
    return mlirIntegerTypeIsSignless(type) &&
           (width == 1 || width == 8 || width == 16 || width == 32 || width == 64);
  }
  return mlirTypeIsAF16(type) || mlirTypeIsABF16(type) || mlirTypeIsAF32(type) ||
         mlirTypeIsAF64(type) || mlirTypeIsAFloat8E4M3FN(type) || mlirTypeIsAFloat8E5M2(type);
}

/// Null where tile has none.
static MlirType convertElement(MlirType type) {
  if (tileTypeIsATritonPtr(type)) {
    MlirType pointee = tileTritonPtrTypeGetPointee(type);
    if (mlirTypeIsAInteger(pointee) && mlirIntegerTypeGetWidth(pointee) == 1)
      pointee = tileI8(mlirTypeGetContext(type));
    pointee = convertElement(pointee);
    return mlirTypeIsNull(pointee) ? pointee : tilePtrTypeGet(pointee);
  }
  return isNumber(type) || tileTypeIsAPtr(type) ? type : (MlirType){NULL};
}

/// Boxes may hold unsigned numbers, of which tile knows the width alone.
static MlirType convertBox(MlirType box) {
  MlirType element = tileElementType(box);
  if (mlirTypeIsAInteger(element))
    element = mlirIntegerTypeGet(mlirTypeGetContext(box), mlirIntegerTypeGetWidth(element));
  return isNumber(element) && mlirShapedTypeGetRank(box) <= 5 ? tileWithElement(box, element)
                                                              : (MlirType){NULL};
}

static MlirType convertType(MlirType type) {
  if (tileTypeIsATritonDesc(type)) {
    MlirType box = convertBox(tileTritonDescTypeGetBox(type));
    return mlirTypeIsNull(box) ? box : tileDescTypeGet(box);
  }
  if (tileTypeIsTile(type)) {
    intptr_t rank = mlirShapedTypeGetRank(type);
    MlirType element = convertElement(tileElementType(type));
    if (rank < 1 || rank > TILE_MAX_RANK || mlirTypeIsNull(element)) return (MlirType){NULL};
    return tileWithElement(type, element);
  }
  return mlirTypeIsAIndex(type) ? type : convertElement(type);
}

static MlirLogicalResult convertValue(MlirValue value, MlirLocation location) {
  MlirType old = mlirValueGetType(value), type = convertType(old);
  if (!mlirTypeIsNull(type)) {
    if (!mlirTypeEqual(old, type)) mlirValueSetType(value, type);
    return mlirLogicalResultSuccess();
  }
  TileText text = {0};
  mlirTypePrint(old, tileTextCollect, &text);
  tileEmitError(location,
                "expected i1 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2, pointers to these, "
                "tiles of rank 1 to %d of both, or descriptors, found %s",
                TILE_MAX_RANK, text.data);
  free(text.data);
  return mlirLogicalResultFailure();
}

typedef struct {
  bool failed;
} TypeWalk;

/// A type of tile's says the width of a descriptor's integers, and not how they are compared.
static MlirWalkResult keepSign(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIs(op, "tt.descriptor_reduce")) return MlirWalkResultAdvance;
  MlirType element =
      tileElementType(tileTritonDescTypeGetBox(mlirValueGetType(tileOperand(op, 0))));
  if (mlirTypeIsAInteger(element) && mlirIntegerTypeIsUnsigned(element))
    mlirOperationSetAttributeByName(op, tileString(TRITON_UNSIGNED),
                                    mlirUnitAttrGet(mlirOperationGetContext(op)));
  return MlirWalkResultAdvance;
}

static MlirWalkResult convertOf(MlirOperation op, void *data) {
  TypeWalk *walk = data;
  MlirLocation location = mlirOperationGetLocation(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    walk->failed |=
        mlirLogicalResultIsFailure(convertValue(mlirOperationGetResult(op, i), location));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
        MlirValue argument = mlirBlockGetArgument(block, i);
        walk->failed |= mlirLogicalResultIsFailure(convertValue(argument, location));
      }
  }
  return walk->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

MlirLogicalResult tritonConvertTypes(MlirOperation func) {
  TypeWalk walk = {false};
  mlirOperationWalk(func, keepSign, NULL, MlirWalkPreOrder);
  mlirOperationWalk(func, convertOf, &walk, MlirWalkPreOrder);
  return walk.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}
