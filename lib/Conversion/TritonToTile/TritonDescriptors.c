//===- TritonDescriptors.c - boxes of tensor descriptors ------------------===//
#include "TritonToTile.h"

/// Triton's padding option of out-of-bounds elements: 1 zeros, 2 NaNs.
enum { PAD_NAN = 2 };

/// The strides of all dimensions but the last, which Triton gives as 1, are tile's.
static MlirLogicalResult convertMake(MlirOperation op, TileBuilder *b) {
  MlirType type = tritonResultType(op);
  int rank = (int)mlirShapedTypeGetRank(tileDescTypeGetBox(type));
  if (mlirOperationGetNumOperands(op) != 1 + 2 * rank)
    return tritonRefuse(op, "an extent and a stride for each dimension of the box", "others");
  MlirValue operands[2 * TILE_MAX_RANK];
  for (int i = 0; i < 2 * rank; ++i) operands[i] = tileOperand(op, i);
  int32_t sizes[3] = {1, rank, rank - 1};
  MlirAttribute segments = mlirDenseI32ArrayGet(b->context, 3, sizes);
  bool nan = tileIntAttr(op, "padding", 1) == PAD_NAN;
  TileNamedAttr attrs[2] = {{"operandSegmentSizes", segments}};
  if (nan) attrs[1] = (TileNamedAttr){"padding", tileParseAttr(b->context, "#tile<padding nan>")};
  MlirOperation made =
      tileBuildOp(b, "tile.make_desc", 2 * rank, operands, 1, &type, nan ? 2 : 1, attrs, 0);
  return tritonReplace(op, tileResult(made));
}

/// A tile may leave out the box's first dimensions of extent 1.
static MlirLogicalResult convertLoad(MlirOperation op, TileBuilder *b) {
  MlirType box = tileDescTypeGetBox(mlirValueGetType(tileOperand(op, 0)));
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > TILE_MAX_RANK) return tritonRefuse(op, "a position of each dimension", "more");
  MlirValue operands[TILE_MAX_RANK];
  for (intptr_t i = 0; i < count; ++i) operands[i] = tileOperand(op, i);
  MlirValue loaded = tileBuild(b, "tile.desc_load", box, count, operands);
  MlirValue made = tritonReshape(b, loaded, tritonResultType(op));
  return tritonReplace(op, made);
}

static MlirLogicalResult convertStore(MlirOperation op, TileBuilder *b) {
  MlirType box = tileDescTypeGetBox(mlirValueGetType(tileOperand(op, 0)));
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > TILE_MAX_RANK + 1) return tritonRefuse(op, "a position of each dimension", "more");
  MlirValue operands[TILE_MAX_RANK + 1] = {tileOperand(op, 0)};
  for (intptr_t i = 2; i < count; ++i) operands[i - 1] = tileOperand(op, i);
  operands[count - 1] = tritonReshape(b, tileOperand(op, 1), box);
  tileBuildOp(b, "tile.desc_store", count, operands, TILE_NONE, TILE_NONE, 0);
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

const TritonRule tritonDescriptorRules[] = {{"tt.make_tensor_descriptor", convertMake},
                                            {"tt.descriptor_load", convertLoad},
                                            {"tt.descriptor_store", convertStore},
                                            {NULL, NULL}};
