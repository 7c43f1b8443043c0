//===- PadExtents.c - extents become powers of two ------------------------===//
//
// Before:  %v = tile.load %p : tensor<48x!tile.ptr<f32>>
//          %s = tile.reduce add %v axis 0 : tensor<48xf32> -> f32
// After:   %l = tile.arange : tensor<64xi32>
//          %in = arith.cmpi ult, %l, dense<48>
//          %v = tile.load %p, %in : tensor<64x!tile.ptr<f32>>
//          %w = arith.select %in, %v, dense<-0.0>
//          %s = tile.reduce add %w axis 0 : tensor<64xf32> -> f32
//
// Layouts are linear over bits, so tiles have to be. What lies beyond the extents is padding: it
// may hold anything, and no program can see it. Most ops compute an element from the elements at
// its own position and are only retyped. The others:
//
//   load, store, atomics     touch no memory for padding
//   division                 divides padding by 1
//   reduce, reverse scan     see a value that changes nothing, or carry along which elements count
//   dot                      has zeros along K
//   reshape, cat             pick each element by its index, where padding would come in between
//   gather                   keeps indices within the extent
//   histogram, assert        leave padding out
//   sort                     puts it last
//   print                    is told the extents: tile.extents
//
// Loads, stores and dots are told them, too: what lies beyond tile.extents is padding that nobody
// looks at. A load from which zeros are wanted there (along K of a dot) has the padded extent in
// that dimension.
//
// Refuses a tile that padding makes too large, and descriptor accesses (tile-expand-descriptors).
//
// Requires: meta-parameters bound, no descriptors of padded boxes.  Preserves: control flow,
// numerics.
//===----------------------------------------------------------------------===//
#include "PadExtents.h"
#include "tile/Passes.h"
#include "tile/Support/Grow.h"
#include <stdlib.h>
#include <string.h>

/// What the dialect admits in one tile; see isTileShape.
enum { MAX_ELEMENTS = 1 << 24 };

typedef struct {
  MlirOperation *ops; // in program order
  size_t count, capacity;
  bool any, failed;
} Padder;

/// %v = load %p, ..  ->  %v = load %p, .. {tile.extents = array<i64: 64, 240>}
static void tag(MlirOperation op, MlirType type) {
  if (padDims(type)) padSetExtents(op, padExtentsOf(op, type));
}

//===- memory -------------------------------------------------------------===//

/// Operands of an access to have its mask: `op` without one has `unmasked` of them.
static void setMask(MlirOperation op, MlirValue ptr, MlirValue mask, intptr_t unmasked) {
  MlirType type = mlirValueGetType(ptr);
  unsigned dims = padDims(type);
  if (!dims) return;
  TileBuilder b = tileBuilderBefore(op);
  MlirValue inside = padInside(&b, padShapeOf(type), dims);
  if (!mlirValueIsNull(mask)) inside = tileBuildBinary(&b, "arith.andi", inside, mask);
  MlirValue operands[5];
  for (intptr_t i = 0; i < unmasked; ++i) operands[i] = tileOperand(op, i);
  operands[unmasked] = inside;
  intptr_t count = unmasked + 1;
  // Of a load: what masked-out lanes yield.
  if (mlirOperationGetNumOperands(op) > count) {
    operands[count] = tileOperand(op, count);
    ++count;
  }
  mlirOperationSetOperands(op, count, operands);
}

static void padLoad(MlirOperation op) {
  MlirValue ptr = tileLoadGetPtr(op), mask = tileLoadGetMask(op);
  bool hasOther = !mlirValueIsNull(tileLoadGetOther(op));
  if (!padDims(mlirValueGetType(ptr))) return;
  tag(op, mlirValueGetType(ptr));
  const int32_t sizes[3] = {1, 1, hasOther};
  setMask(op, ptr, mask, 1);
  mlirOperationSetAttributeByName(op, tileString("operandSegmentSizes"),
                                  mlirDenseI32ArrayGet(mlirOperationGetContext(op), 3, sizes));
}

static void padStore(MlirOperation op) {
  tag(op, mlirValueGetType(tileStoreGetPtr(op)));
  setMask(op, tileStoreGetPtr(op), tileStoreGetMask(op), 2);
}
static void padAtomicRmw(MlirOperation op) {
  setMask(op, tileAtomicRmwGetPtr(op), tileAtomicRmwGetMask(op), 2);
}
static void padAtomicCas(MlirOperation op) {
  setMask(op, tileAtomicCasGetPtr(op), tileAtomicCasGetMask(op), 3);
}
static void padHistogram(MlirOperation op) {
  setMask(op, tileHistogramGetSource(op), tileHistogramGetMask(op), 1);
}

//===- the rest of the ops ------------------------------------------------===//

/// assert %c  ->  assert %c or not %in
static void padAssert(MlirOperation op) {
  MlirValue condition = tileAssertGetCondition(op);
  MlirType type = mlirValueGetType(condition);
  if (!padDims(type)) return;
  TileBuilder b = tileBuilderBefore(op);
  MlirValue inside = padInside(&b, padShapeOf(type), padDims(type));
  MlirAttribute yes = mlirIntegerAttrGet(tileI1(b.context), 1);
  mlirOperationSetOperand(op, 0, padReplace(&b, condition, inside, yes));
}

/// Division by 0 is undefined for every element together, padding included.
static void padDivision(MlirOperation op) {
  MlirValue divisor = tileOperand(op, 1);
  MlirType type = mlirValueGetType(divisor);
  int64_t known;
  MlirOperation from = tileValueGetOp(divisor);
  if (!padDims(type) || tileConstantInt(divisor, &known) || tileOpIsASplat(from)) return;
  TileBuilder b = tileBuilderBefore(op);
  MlirValue inside = padInside(&b, padShapeOf(type), padDims(type));
  MlirAttribute one = mlirIntegerAttrGet(tileElementType(type), 1);
  mlirOperationSetOperand(op, 1, padReplace(&b, divisor, inside, one));
}

/// The greatest key in the order of the sort; equal keys keep their order, so padding stays last.
static MlirAttribute lastKey(MlirOperation op, MlirType element) {
  bool descending = !mlirAttributeIsNull(tileAttr(op, "descending"));
  if (tileBitWidth(element) == 1) return mlirIntegerAttrGet(element, !descending);
  if (mlirTypeIsAFloat8E4M3FN(element) && descending) // it has no infinity
    return mlirFloatAttrDoubleGet(mlirTypeGetContext(element), element, -448);
  if (tileTypeIsFloat(element))
    return mlirFloatAttrDoubleGet(mlirTypeGetContext(element), element,
                                  descending ? -__builtin_inf() : __builtin_nan(""));
  int64_t least = (int64_t)((uint64_t)1 << (tileBitWidth(element) - 1));
  return mlirIntegerAttrGet(element, descending ? least : ~least);
}

/// Of sorts whole and partial.
static void padSort(MlirOperation op) {
  MlirValue keys = tileOperand(op, 0);
  MlirType type = mlirValueGetType(keys);
  unsigned axis = 1U << tileIntAttr(op, "axis", 0);
  if (!(padDims(type) & axis)) return;
  TileBuilder b = tileBuilderBefore(op);
  MlirValue inside = padInside(&b, padShapeOf(type), axis);
  mlirOperationSetOperand(op, 0, padReplace(&b, keys, inside, lastKey(op, tileElementType(type))));
}

/// print %x  ->  print %x {tile.extents = [array<i64: 3, 10>]}, one array a value
static void padPrint(MlirOperation op) {
  MlirContext c = mlirOperationGetContext(op);
  intptr_t count = tilePrintGetNumValues(op);
  unsigned any = 0;
  MlirAttribute *extents = calloc((size_t)count + 1, sizeof *extents);
  if (!extents) abort();
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(tilePrintGetValues(op, i));
    PadShape shape = padShapeOf(type);
    extents[i] = mlirDenseI64ArrayGet(c, shape.rank, shape.extent);
    any |= padDims(type);
  }
  if (any)
    mlirOperationSetAttributeByName(op, tileString("tile.extents"),
                                    mlirArrayAttrGet(c, count, extents));
  free(extents);
}

//===- constants ----------------------------------------------------------===//

/// Where element i of a tile of `shape` lies among the elements of the padded tile.
static int64_t paddedPosition(PadShape shape, int64_t i) {
  int64_t at = 0, stride = 1;
  for (int d = shape.rank; d-- > 0; i /= shape.extent[d]) {
    at += i % shape.extent[d] * stride;
    stride *= tilePadExtent(shape.extent[d]);
  }
  return at;
}

/// `value` with elements 0 beyond the extents.
static MlirAttribute padElements(MlirAttribute value, PadShape shape, MlirType padded) {
  int64_t count = tileNumElements(padded), given = tileNumElements(mlirAttributeGetType(value));
  int bits = tileBitWidth(tileElementType(padded));
  MlirAttribute result;
  if (bits == 1) {
    int *truths = calloc((size_t)count, sizeof *truths);
    if (!truths) abort();
    for (int64_t i = 0; i < given; ++i)
      truths[paddedPosition(shape, i)] = mlirDenseElementsAttrGetBoolValue(value, i);
    result = mlirDenseElementsAttrBoolGet(padded, count, truths);
    free(truths);
    return result;
  }
  size_t bytes = (size_t)bits / 8;
  const char *from = mlirDenseElementsAttrGetRawData(value);
  char *to = calloc((size_t)count, bytes);
  if (!to) abort();
  for (int64_t i = 0; i < given; ++i)
    memcpy(to + (size_t)paddedPosition(shape, i) * bytes, from + (size_t)i * bytes, bytes);
  result = mlirDenseElementsAttrRawBufferGet(padded, (size_t)count * bytes, to);
  free(to);
  return result;
}

static void retypeConstant(MlirOperation op) {
  MlirAttribute value = tileAttr(op, "value");
  if (!mlirAttributeIsADenseElements(value)) return;
  MlirType type = mlirAttributeGetType(value), padded = padType(type);
  if (mlirTypeEqual(type, padded)) return;
  MlirAttribute wide =
      mlirDenseElementsAttrIsSplat(value)
          ? mlirDenseElementsAttrSplatGet(padded, mlirDenseElementsAttrGetSplatValue(value))
          : padElements(value, padShapeOf(type), padded);
  mlirOperationSetAttributeByName(op, tileString("value"), wide);
}

//===- the walk -----------------------------------------------------------===//

static void inspect(Padder *p, MlirLocation loc, MlirType type) {
  if (tileTypeIsADesc(type) && padDims(tileDescTypeGetBox(type))) {
    tileEmitError(loc,
                  "expected descriptors of boxes whose extents are powers of two, found others "
                  "(see tile-expand-descriptors)");
    p->failed = true;
  }
  if (!padDims(type)) return;
  p->any = true;
  PadShape shape = padShapeOf(type);
  int64_t elements = 1;
  for (int d = 0; d < shape.rank; ++d) {
    if (shape.extent[d] < 0) {
      tileEmitError(loc, "expected extents that are bound (see tile-specialize), found a name");
      p->failed = true;
      return;
    }
    elements *= tilePadExtent(shape.extent[d]);
  }
  if (elements <= MAX_ELEMENTS) return;
  tileEmitError(loc,
                "expected a tile of at most 2^24 elements with its extents rounded up to powers of "
                "two, found %lld",
                (long long)elements);
  p->failed = true;
}

static void inspectArguments(Padder *p, MlirOperation op, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block) && !p->failed; ++i)
    inspect(p, mlirOperationGetLocation(op), mlirValueGetType(mlirBlockGetArgument(block, i)));
}

static MlirWalkResult collect(MlirOperation op, void *data) {
  Padder *p = data;
  p->ops = tileGrow(p->ops, p->count, &p->capacity, sizeof *p->ops);
  p->ops[p->count++] = op;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && !p->failed; ++i)
    inspect(p, mlirOperationGetLocation(op), mlirValueGetType(mlirOperationGetResult(op, i)));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(tileBody(op, r))) inspectArguments(p, op, tileBody(op, r));
  return p->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static const struct {
  const char *name;
  void (*pad)(MlirOperation);
} rewrites[] = {
    {"tile.load", padLoad},
    {"tile.store", padStore},
    {"tile.atomic_rmw", padAtomicRmw},
    {"tile.atomic_cas", padAtomicCas},
    {"tile.reduce", padReduce},
    {"tile.scan", padScan},
    {"tile.dot", padDot},
    {"tile.reshape", padReshape},
    {"tile.cat", padCat},
    {"tile.gather", padGather},
    {"tile.histogram", padHistogram},
    {"tile.sort", padSort},
    {"tile.partial_sort", padSort},
    {"tile.assert", padAssert},
    {"tile.print", padPrint},
    {"arith.divsi", padDivision},
    {"arith.divui", padDivision},
    {"arith.remsi", padDivision},
    {"arith.remui", padDivision},
    {"arith.ceildivsi", padDivision},
    {"arith.ceildivui", padDivision},
    {"arith.floordivsi", padDivision},
};

static void rewrite(MlirOperation op) {
  for (size_t i = 0; i < sizeof rewrites / sizeof *rewrites; ++i)
    if (tileOpIs(op, rewrites[i].name)) {
      rewrites[i].pad(op);
      return;
    }
}

static void retype(MlirValue value) {
  MlirType type = mlirValueGetType(value), padded = padType(type);
  if (!mlirTypeEqual(type, padded)) mlirValueSetType(value, padded);
}

/// The signature of a helper that has not been inlined.
static void retypeSignature(MlirOperation func) {
  MlirType type = mlirTypeAttrGetValue(tileAttr(func, "function_type"));
  intptr_t numInputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t numResults = mlirFunctionTypeGetNumResults(type);
  MlirType *types = calloc((size_t)(numInputs + numResults) + 1, sizeof *types);
  if (!types) abort();
  for (intptr_t i = 0; i < numInputs; ++i) types[i] = padType(mlirFunctionTypeGetInput(type, i));
  for (intptr_t i = 0; i < numResults; ++i)
    types[numInputs + i] = padType(mlirFunctionTypeGetResult(type, i));
  type = mlirFunctionTypeGet(mlirTypeGetContext(type), numInputs, types, numResults,
                             types + numInputs);
  mlirOperationSetAttributeByName(func, tileString("function_type"), mlirTypeAttrGet(type));
  free(types);
}

static MlirWalkResult retypeAll(MlirOperation op, void *data) {
  (void)data;
  if (tileOpIsAFunc(op)) retypeSignature(op);
  if (tileOpIs(op, "arith.constant")) retypeConstant(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    retype(mlirOperationGetResult(op, i));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        retype(mlirBlockGetArgument(block, i));
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunPadExtents(MlirOperation func) {
  Padder p = {0};
  mlirOperationWalk(func, collect, &p, MlirWalkPreOrder);
  if (p.any && !p.failed) {
    for (size_t i = p.count; i-- > 0;) rewrite(p.ops[i]);
    mlirOperationWalk(func, retypeAll, NULL, MlirWalkPreOrder);
  }
  free(p.ops);
  return p.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}
