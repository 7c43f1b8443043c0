//===- TritonDescriptors.c - boxes of tensor descriptors ------------------===//
//
// Before:  tt.func @k(%d: !tt.tensordesc<tensor<8x64xf16>>, ..)
// After:   tile.func @k(%base: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32, %n: i32,
//                       %pitch: i64 {tile.divisibility = 8 : i32}, ..) {
//            %d = tile.make_desc %base, [%m, %n], [%pitch] : ..
//
// An argument that is a descriptor is passed as what it describes, in this order. Triton makes sure
// on the host that arrays begin on 16 bytes, and rows are multiples of as many. {tt.padding = 2 :
// i32} on the argument is tile's own, as on tt.make_tensor_descriptor: Triton has it in the tensor
// map.
//===----------------------------------------------------------------------===//
#include "TritonToTile.h"
#include <stdlib.h>

/// Triton's padding option of out-of-bounds elements: 1 zeros, 2 NaNs.
enum { PAD_NAN = 2 };

enum { ALIGNMENT = 16 }; // bytes, of what the copy engine takes

/// Elements between rows that begin on such a boundary.
static int64_t pitchOf(MlirType box) {
  int bits = tileBitWidth(tileElementType(box));
  return bits < 8 * ALIGNMENT ? 8 * ALIGNMENT / bits : 1;
}

static MlirOperation buildMake(TileBuilder *b, MlirType desc, const MlirValue *operands,
                               bool padsNan) {
  int rank = (int)mlirShapedTypeGetRank(tileDescTypeGetBox(desc));
  int32_t sizes[3] = {1, rank, rank - 1};
  TileNamedAttr attrs[2] = {{"operandSegmentSizes", mlirDenseI32ArrayGet(b->context, 3, sizes)}};
  if (padsNan)
    attrs[1] = (TileNamedAttr){"padding", tileParseAttr(b->context, "#tile<padding nan>")};
  return tileBuildOp(b, "tile.make_desc", 2 * rank, operands, 1, &desc, padsNan ? 2 : 1, attrs, 0);
}

/// The strides of all dimensions but the last, which Triton gives as 1, are tile's.
MlirLogicalResult tritonConvertMakeDescriptor(MlirOperation op, TileBuilder *b) {
  MlirType type = tritonResultType(op);
  int rank = (int)mlirShapedTypeGetRank(tileDescTypeGetBox(type));
  if (mlirOperationGetNumOperands(op) != 1 + 2 * rank)
    return tritonRefuse(op, "an extent and a stride for each dimension of the box", "others");
  MlirValue operands[2 * TILE_MAX_RANK];
  for (int i = 0; i < 2 * rank; ++i) operands[i] = tileOperand(op, i);
  MlirBlock block = mlirOperationGetBlock(op);
  tritonPromiseDivisor(operands[0], ALIGNMENT, block);
  for (int i = 1; i < rank; ++i)
    tritonPromiseDivisor(operands[rank + i], pitchOf(tileDescTypeGetBox(type)), block);
  MlirOperation made = buildMake(b, type, operands, tileIntAttr(op, "padding", 1) == PAD_NAN);
  return tritonReplace(op, tileResult(made));
}

/// A tile may leave out the box's first dimensions of extent 1.
static MlirLogicalResult convertLoad(MlirOperation op, TileBuilder *b) {
  MlirType box = tileDescTypeGetBox(mlirValueGetType(tileOperand(op, 0)));
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > TILE_MAX_RANK) return tritonRefuse(op, "a position of each dimension", "more");
  MlirValue operands[TILE_MAX_RANK];
  for (intptr_t i = 0; i < count; ++i) operands[i] = tileOperand(op, i);
  tritonPromiseDivisor(operands[count - 1], pitchOf(box), mlirOperationGetBlock(op));
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

//===- arguments ----------------------------------------------------------===//

static MlirAttribute divisibleBy(MlirContext context, int64_t divisor) {
  MlirNamedAttribute named =
      mlirNamedAttributeGet(mlirIdentifierGet(context, tileString("tt.divisibility")),
                            mlirIntegerAttrGet(tileI32(context), divisor));
  return mlirDictionaryAttrGet(context, divisor > 1, &named);
}

static bool argumentPadsNan(MlirAttribute own) {
  MlirAttribute padding = mlirAttributeIsNull(own)
                              ? own
                              : mlirDictionaryAttrGetElementByName(own, tileString("tt.padding"));
  return !mlirAttributeIsNull(padding) && mlirAttributeIsAInteger(padding) &&
         mlirIntegerAttrGetValueInt(padding) == PAD_NAN;
}

/// Replaces argument `at`, whose attributes are `own`, by those that describe it; `attrs` gets
/// theirs. Returns how many.
static intptr_t expandArgument(MlirBlock body, intptr_t at, MlirAttribute own,
                               MlirAttribute *attrs) {
  MlirOperation first = mlirBlockGetFirstOperation(body);
  TileBuilder b = tileBuilderBefore(first);
  MlirValue argument = mlirBlockGetArgument(body, at);
  MlirType desc = mlirValueGetType(argument), box = tileDescTypeGetBox(desc);
  MlirType element = tileElementType(box), i32 = tileI32(b.context), i64 = tileI64(b.context);
  int rank = (int)mlirShapedTypeGetRank(box);
  int64_t pitch = pitchOf(box);
  MlirValue operands[2 * TILE_MAX_RANK];
  for (int i = 0; i < 2 * rank; ++i) {
    MlirType type = i == 0 ? tilePtrTypeGet(element) : i <= rank ? i32 : i64;
    operands[i] = mlirBlockInsertArgument(body, at + 1 + i, type, b.location);
    attrs[i] = divisibleBy(b.context, i == 0 ? ALIGNMENT : i <= rank ? 1 : pitch);
  }
  MlirOperation made = buildMake(&b, desc, operands, argumentPadsNan(own));
  mlirValueReplaceAllUsesOfWith(argument, tileResult(made));
  mlirBlockEraseArgument(body, (unsigned)at);
  return 2 * rank;
}

void tritonExpandArguments(MlirOperation func) {
  MlirBlock body = tileBody(func, 0);
  MlirContext context = mlirOperationGetContext(func);
  intptr_t count = mlirBlockGetNumArguments(body), made = 0;
  MlirAttribute old = tileAttr(func, "arg_attrs");
  size_t room = (size_t)count * 2 * TILE_MAX_RANK + 1;
  MlirAttribute *attrs = malloc(room * sizeof *attrs);
  if (!attrs) abort();
  for (intptr_t i = 0; i < count; ++i) {
    bool has = !mlirAttributeIsNull(old) && mlirArrayAttrGetNumElements(old) > i;
    MlirAttribute own =
        has ? mlirArrayAttrGetElement(old, i) : mlirDictionaryAttrGet(context, 0, NULL);
    if (tileTypeIsADesc(mlirValueGetType(mlirBlockGetArgument(body, made))))
      made += expandArgument(body, made, own, attrs + made);
    else
      attrs[made++] = own;
  }
  mlirOperationSetAttributeByName(func, tileString("arg_attrs"),
                                  mlirArrayAttrGet(context, made, attrs));
  free(attrs);
}

const TritonRule tritonDescriptorRules[] = {
    {"tt.make_tensor_descriptor", tritonConvertMakeDescriptor},
    {"tt.descriptor_load", convertLoad},
    {"tt.descriptor_store", convertStore},
    {NULL, NULL}};
