//===- NarrowDepth.c - dots load no elements that masks leave out ---------===//
//
// Before:  %ks = tile.arange : tensor<32xi32>
//          %in = arith.cmpi slt, %ks, dense<1>                  one channel of 32
//          %a = tile.load %p, (%rows and %in) : 64 x 32         0 elsewhere
//          %b = tile.load %q, (%in and %columns) : 32 x 32
//          %d = tile.dot %a, %b, %c
// After:   %a = tile.load .. : 64 x 1                           the first part of 32
//          %b = tile.load .. : 1 x 32
//          %d = math.fma(broadcast %a, broadcast %b, %c)
//
// A tile is as wide as a dot or a layout wants it, whatever the program has for it: a depthwise
// convolution has one channel, a first layer three. Where the masks of both operands compare
// positions along K with constants, and leave out all from some power of two on, the product is
// that of the first parts (Parts.h): at least as deep as tensor cores multiply at once, or a single
// row and column, whose product is computed element by element.
//
// Declines, with a remark, operands of which there is no first part: pointers that a loop carries,
// and what is overwritten in front of the dot.
//
// Requires: padded extents, constants folded.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "../Flow/Parts.h"
#include "../Loops.h"
#include "PadExtents.h"
#include "tile/Analysis/DotForm.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

enum { mostOps = 32 }; ///< that are looked at for one mask

/// The first element of `value` along dimension `d`, where the others are the numbers behind it.
static bool findFirst(MlirValue value, int d, int64_t *first) {
  *first = 0;
  for (int left = mostOps; left-- > 0;) {
    MlirOperation op = tileValueGetOp(value);
    int64_t more;
    if (mlirOperationIsNull(op)) return false;
    if (tileOpIsAArange(op)) return d == 0;
    if (tileOpIs(op, "arith.addi") && tileConstantInt(tileOperand(op, 1), &more))
      *first += more;
    else if (tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) || tileOpIsATrans(op))
      d = tileDimBefore(op, d);
    else
      return false;
    if (d < 0) return false;
    value = tileOperand(op, 0);
  }
  return false;
}

/// From where on along dimension `d` the mask holds nowhere: `all`, where nothing is known.
static int64_t endOfMask(MlirValue mask, int d, int64_t all, int left) {
  MlirOperation op = tileValueGetOp(mask);
  int64_t first, end;
  if (mlirOperationIsNull(op) || left == 0 || d < 0) return all;
  if (tileOpIs(op, "arith.andi")) {
    int64_t one = endOfMask(tileOperand(op, 0), d, all, left - 1);
    int64_t other = endOfMask(tileOperand(op, 1), d, all, left - 1);
    return one < other ? one : other;
  }
  if (tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) || tileOpIsATrans(op))
    return endOfMask(tileOperand(op, 0), tileDimBefore(op, d), all, left - 1);
  if (!tileOpIs(op, "arith.cmpi") || !tileConstantInt(tileOperand(op, 1), &end)) return all;
  int64_t predicate = tileIntAttr(op, "predicate", -1);
  bool isLess = predicate == TILE_SLT || predicate == TILE_ULT;
  if (end < 0 && predicate >= TILE_ULT) return all; // a large number without a sign
  if ((!isLess && predicate != TILE_SLE && predicate != TILE_ULE) ||
      !findFirst(tileOperand(op, 0), d, &first) || first < 0)
    return all;
  end += !isLess - first;
  return end < 0 ? 0 : end < all ? end : all;
}

/// From where on along dimension `d` an operand is 0: its extent, where nothing is known.
static int64_t endOfOperand(MlirValue tile, int d) {
  int64_t shape[TILE_MAX_RANK];
  tileShape(mlirValueGetType(tile), shape);
  int64_t all = shape[d];
  for (MlirOperation op = tileValueGetOp(tile); !mlirOperationIsNull(op);
       op = tileValueGetOp(tile)) {
    if (tileOpIsALoad(op)) {
      MlirValue mask = tileLoadGetMask(op), other = tileLoadGetOther(op);
      bool zeros = mlirValueIsNull(other) || tileIsZero(other);
      return zeros && !mlirValueIsNull(mask) ? endOfMask(mask, d, all, mostOps) : all;
    }
    if (tileOpIsATrans(op))
      d = tileDimBefore(op, d);
    else if (mlirOperationGetNumOperands(op) != 1 || !padKeepsZeros(op))
      return all;
    tile = tileOperand(op, 0);
  }
  return all;
}

/// How deep the product has to be: a power of two that tensor cores multiply, or 1 where its sums
/// are f32; `all` where that is no less.
static int64_t depthOf(MlirOperation dot, int64_t end, int64_t all) {
  TileDotForm form;
  MlirType sum = tileElementType(mlirValueGetType(tileResult(dot)));
  int64_t depth = 1, least = tileDotGetForm(dot, &form) ? tileDotFormDepth(&form) : 1;
  while (depth < end) depth *= 2;
  bool isRow = depth == 1 && mlirTypeIsAF32(sum) &&
               mlirTypeIsAFloat(tileElementType(mlirValueGetType(tileDotGetA(dot))));
  if (!isRow && depth < least) depth = least;
  return depth < all && all % depth == 0 && (isRow || depth > 1) ? depth : all;
}

/// The first part of both operands, `count` of which the operand is; false where there is none.
static bool buildParts(MlirOperation dot, TileReach *reach, int64_t count, MlirValue parts[2]) {
  TileBuilder b = tileBuilderBefore(dot);
  TileDivision divisions[2];
  bool can = true;
  for (int i = 0; i < 2; ++i) {
    divisions[i] = (TileDivision){.reader = dot, .reach = reach, .count = count};
    can = can && tilePartsCan(&divisions[i], tileOperand(dot, i), 1 - i, 0);
  }
  MlirValue number = can ? tileBuildInt(&b, tileI32(b.context), 0) : (MlirValue){NULL};
  for (int i = 0; i < 2; ++i) {
    TileValueMap map = {0};
    if (can) parts[i] = tilePartsBuild(&divisions[i], &b, &map, tileOperand(dot, i), number);
    tileValueMapClear(&map);
    tilePointerTableClear(&divisions[i].dims);
  }
  return can;
}

/// The sum and the product of a column and a row.
static MlirValue buildRow(MlirOperation dot, const MlirValue parts[2]) {
  TileBuilder b = tileBuilderBefore(dot);
  MlirType type = mlirValueGetType(tileResult(dot));
  MlirValue factors[2];
  for (int i = 0; i < 2; ++i) {
    MlirType own = mlirValueGetType(parts[i]), wide = tileWithElement(own, tileElementType(type));
    factors[i] = parts[i];
    if (!mlirTypeEqual(own, wide)) factors[i] = tileBuildUnary(&b, "arith.extf", wide, parts[i]);
    factors[i] = tileBuildUnary(&b, "tile.broadcast", type, factors[i]);
  }
  MlirValue operands[] = {factors[0], factors[1], tileDotGetAcc(dot)};
  return tileBuild(&b, "math.fma", type, 3, operands);
}

static void narrow(MlirOperation dot, TileReach *reach) {
  int64_t shape[TILE_MAX_RANK];
  if (tileShape(mlirValueGetType(tileDotGetA(dot)), shape) != 2) return;
  int64_t all = shape[1], a = endOfOperand(tileDotGetA(dot), 1);
  int64_t b = endOfOperand(tileDotGetB(dot), 0), depth = depthOf(dot, a > b ? a : b, all);
  MlirLocation loc = mlirOperationGetLocation(dot);
  MlirValue parts[2];
  if (depth == all) return;
  if (!buildParts(dot, reach, all / depth, parts)) {
    tileEmitRemark(loc, "zeros of the operands are multiplied: expected operands that are computed "
                        "and loaded beside the dot, found others");
    return;
  }
  tileTrace(loc, "of %lld of K %lld are multiplied", (long long)all, (long long)depth);
  if (depth == 1) {
    MlirValue sum = buildRow(dot, parts);
    tileReplaceOp(dot, 1, &sum);
    return;
  }
  for (int i = 0; i < 2; ++i) mlirOperationSetOperand(dot, i, parts[i]);
}

MlirLogicalResult tileRunNarrowDepth(MlirOperation func) {
  TileOpList dots = {0};
  tileFindDots(func, &dots);
  for (size_t i = 0; i < dots.count; ++i) {
    TileReach reach = {0};
    int64_t place = 0;
    TILE_FOR_EACH_OP(op, mlirOperationGetBlock(dots.ops[i])) {
      *(int64_t *)tilePointerTableAdd(&reach.places, op.ptr, sizeof place) = place;
      tileOpListAdd(&reach.ops, op);
      ++place;
    }
    narrow(dots.ops[i], &reach);
    tileOpListDestroy(&reach.ops);
    tilePointerTableClear(&reach.places);
    tilePointerTableClear(&reach.clear);
  }
  tileOpListDestroy(&dots);
  return mlirLogicalResultSuccess();
}
