//===- PadCombine.c - reductions, scans and dots of padded tiles ----------===//
//
// A region of one op that has an identity:
//
//   %w = arith.select %in, %v, dense<identity>
//   %s = tile.reduce add %w axis 0
//
// Any other region gets one more operand, which says what counts, and leaves alone what does not:
//
//   %s.., %any = tile.reduce %v.., %in axis 0 {
//   ^bb0(%a.., %ina: i1, %b.., %inb: i1):
//     %a' = arith.select %ina, %a, %b      so that the region never sees padding and an element
//     %b' = arith.select %inb, %b, %a
//     %r = region(%a'.., %b'..)
//     %both = arith.andi %ina, %inb
//     %s = arith.select %both, %r, %a'
//     %any = arith.ori %ina, %inb
//     tile.yield %s.., %any
//   }
//
//===----------------------------------------------------------------------===//
#include "PadExtents.h"
#include "tile/Analysis/Laws.h"
#include <stdlib.h>

//===- any other region ---------------------------------------------------===//

/// Makes the body that takes `count` operands one that takes what counts besides.
static void guardBody(MlirBlock body, intptr_t count) {
  MlirOperation yield = mlirBlockGetTerminator(body), first = mlirBlockGetFirstOperation(body);
  MlirLocation loc = mlirOperationGetLocation(yield);
  MlirType i1 = tileI1(mlirLocationGetContext(loc));
  MlirValue inA = mlirBlockInsertArgument(body, count, i1, loc);
  MlirValue inB = mlirBlockAddArgument(body, i1, loc);
  TileBuilder top = tileBuilderBefore(first), end = tileBuilderBefore(yield);
  MlirValue *operands = calloc((size_t)count + 1, sizeof *operands);
  if (!operands) abort();
  MlirValue both = tileBuildBinary(&end, "arith.andi", inA, inB);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue a = mlirBlockGetArgument(body, i), b = mlirBlockGetArgument(body, count + 1 + i);
    MlirValue safeA = tileBuildSelect(&top, inA, a, b);
    MlirValue safeB = tileBuildSelect(&top, inB, b, a);
    MlirOperation selects[2] = {tileValueGetOp(safeA), tileValueGetOp(safeB)};
    mlirValueReplaceAllUsesExcept(a, safeA, 2, selects);
    mlirValueReplaceAllUsesExcept(b, safeB, 2, selects);
    operands[i] = tileBuildSelect(&end, both, tileOperand(yield, i), safeA);
  }
  operands[count] = tileBuildBinary(&end, "arith.ori", inA, inB);
  mlirOperationSetOperands(yield, count + 1, operands);
  free(operands);
}

/// The op with one more operand, and a result for it that nobody uses.
static void guard(MlirOperation op, MlirValue inside) {
  TileBuilder b = tileBuilderBefore(op);
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *values = calloc((size_t)count + 1, sizeof *values);
  MlirType *types = calloc((size_t)count + 1, sizeof *types);
  if (!values || !types) abort();
  for (intptr_t i = 0; i < count; ++i) {
    values[i] = tileOperand(op, i);
    types[i] = padType(mlirValueGetType(mlirOperationGetResult(op, i)));
  }
  values[count] = inside;
  types[count] = tileWithElement(types[0], tileI1(b.context));
  MlirAttribute axis = tileAttr(op, "axis"), reverse = tileAttr(op, "reverse");
  intptr_t attrs = mlirAttributeIsNull(reverse) ? 1 : 2;
  MlirOperation wide = tileBuildTaking(&b, tileOpIsAScan(op) ? "tile.scan" : "tile.reduce", op,
                                       count + 1, values, count + 1, types, attrs,
                                       (TileNamedAttr[]){{"axis", axis}, {"reverse", reverse}});
  guardBody(tileBody(wide, 0), count);
  for (intptr_t i = 0; i < count; ++i) values[i] = mlirOperationGetResult(wide, i);
  tileReplaceOp(op, count, values);
  free(values);
  free(types);
}

/// Padding along the axis comes to change nothing.
static void padCombine(MlirOperation op, int axis) {
  MlirValue source = tileOperand(op, 0);
  MlirType type = mlirValueGetType(source);
  unsigned dims = padDims(type) & 1U << axis;
  if (!dims) return;
  TileBuilder b = tileBuilderBefore(op);
  MlirValue inside = padInside(&b, padShapeOf(type), dims);
  MlirAttribute identity = tileCombineGetIdentity(op);
  if (mlirAttributeIsNull(identity))
    guard(op, inside);
  else
    mlirOperationSetOperand(op, 0, padReplace(&b, source, inside, identity));
}

void padReduce(MlirOperation op) { padCombine(op, (int)tileReduceGetAxis(op)); }

/// A forward scan comes to the padding last.
void padScan(MlirOperation op) {
  if (tileScanGetReverse(op)) padCombine(op, (int)tileScanGetAxis(op));
}

//===- dot ----------------------------------------------------------------===//

/// The dimension of the operand of `op` that is dimension d of its result.
static int dimOfOperand(MlirOperation op, int d) {
  return tileOpIsATrans(op) ? mlirDenseI32ArrayGetElement(tileAttr(op, "order"), d) : d;
}

/// Is padding of `tile` along dimension d 0 already? That of a load is, and what moves or widens it
/// keeps it so. The load learns that it is to stay so.
static bool isZeroPadded(MlirValue tile, int d) {
  MlirOperation op = tileValueGetOp(tile);
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIsALoad(op)) {
    if (!mlirValueIsNull(tileLoadGetOther(op))) return false;
    PadShape extents = padExtentsOf(op, mlirValueGetType(tile));
    extents.extent[d] = tilePadExtent(extents.extent[d]);
    padSetExtents(op, extents);
    return true;
  }
  return (padKeepsZeros(op) || tileOpIsATrans(op)) &&
         isZeroPadded(tileOperand(op, 0), dimOfOperand(op, d));
}

/// Is `tile` what a load brings, as it is or moved?
static bool isLoaded(MlirValue tile) {
  MlirOperation op = tileValueGetOp(tile);
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIsALoad(op)) return mlirValueIsNull(tileLoadGetOther(op));
  return (padKeepsZeros(op) || tileOpIsATrans(op)) && isLoaded(tileOperand(op, 0));
}

/// Where the extent along K ends with whole steps of tensor cores, and one operand is computed and
/// the other loaded, as weights and values of attention are, the dot takes no steps behind it: what
/// is loaded there may be anything.
static bool leavesOutDepth(MlirOperation op) {
  enum { stepBits = 256 };
  MlirValue a = tileDotGetA(op), b = tileDotGetB(op);
  MlirType type = mlirValueGetType(a);
  PadShape shape = padShapeOf(type);
  int bits = tileBitWidth(tileElementType(type));
  if (shape.rank != 2 || bits > 16 || !(padDims(type) & 2U) || isLoaded(a) || !isLoaded(b) ||
      shape.extent[1] * bits % stepBits)
    return false;
  mlirOperationSetAttributeByName(
      op, tileString("tile.depth"),
      mlirIntegerAttrGet(tileI64(mlirOperationGetContext(op)), shape.extent[1]));
  return true;
}

void padDot(MlirOperation op) {
  MlirType result = mlirValueGetType(tileResult(op));
  if (padDims(result)) padSetExtents(op, padShapeOf(result));
  bool ends = leavesOutDepth(op);
  for (int i = 0; i < 2; ++i) {
    MlirValue tile = tileOperand(op, i);
    MlirType type = mlirValueGetType(tile);
    PadShape shape = padShapeOf(type);
    int dim = i == 0 ? shape.rank - 1 : shape.rank - 2;
    unsigned k = padDims(type) & 1U << dim;
    if (!k || (ends && i == 1) || isZeroPadded(tile, dim)) continue;
    TileBuilder b = tileBuilderBefore(op);
    MlirType element = tileElementType(type);
    MlirAttribute zero = tileTypeIsFloat(element) ? mlirFloatAttrDoubleGet(b.context, element, 0)
                                                  : mlirIntegerAttrGet(element, 0);
    MlirValue inside = padInside(&b, shape, k);
    mlirOperationSetOperand(op, i, padReplace(&b, tile, inside, zero));
  }
}
