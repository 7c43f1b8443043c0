//===- TritonDescriptorRows.c - rows of a descriptor, and sums into a box -===//
//
// Before:  %v = tt.descriptor_gather %d[%rows, %y]
//              : (!tt.tensordesc<tensor<1x32xf32>>, tensor<8xi32>, i32) -> tensor<8x32xf32>
// After:   %p = tile.addptr (base of %d), %rows * pitch + %y + 0 .. 31
//          %v = tile.load %p, (rows in [0, m), columns in [0, n)), 0
//
// and likewise a tt.descriptor_scatter as a tile.store, and a tt.descriptor_reduce as a
// tile.atomic_rmw, whose result nobody reads. What lies outside of the array is the padding, and is
// not written. The copy engine has such boxes too (rows from sm_100 on); elements mean the same.
//===----------------------------------------------------------------------===//
#include "TritonToTile.h"
#include <math.h>
#include <stdio.h>

enum { MAX_RANK = 5 };

/// Pointers to the elements of a box, and which of them are in the array, on the way.
typedef struct {
  TileBuilder *b;
  MlirOperation desc;
  int rank;
  int64_t shape[MAX_RANK];
  MlirValue offset, in;
} Elements;

/// The tile.make_desc of the op's first operand.
static bool findDesc(MlirOperation op, TileBuilder *b, Elements *made) {
  MlirOperation desc = tileValueGetOp(tileOperand(op, 0));
  if (mlirOperationIsNull(desc) || !tileOpIs(desc, "tile.make_desc")) return false;
  int rank = (int)mlirShapedTypeGetRank(tileDescTypeGetBox(tritonResultType(desc)));
  *made = (Elements){.b = b, .desc = desc, .rank = rank};
  return rank <= MAX_RANK;
}

/// `x`, one number for each place along `axis`, for all places.
static MlirValue along(const Elements *made, MlirValue x, int axis) {
  MlirType element = tileElementType(mlirValueGetType(x));
  int64_t line[MAX_RANK];
  for (int i = 0; i < made->rank; ++i) line[i] = i == axis ? made->shape[i] : 1;
  MlirAttribute none = mlirAttributeGetNull();
  x = tritonReshape(made->b, x, mlirRankedTensorTypeGet(made->rank, line, element, none));
  MlirType all = mlirRankedTensorTypeGet(made->rank, made->shape, element, none);
  bool same = mlirTypeEqual(mlirValueGetType(x), all);
  return same ? x : tileBuildUnary(made->b, "tile.broadcast", all, x);
}

/// Adds dimension `axis`, whose elements stand at `indices`, tensor<..xi32>.
static void addAxis(Elements *made, int axis, MlirValue indices) {
  TileBuilder *b = made->b;
  MlirValue extent = tileOperand(made->desc, 1 + axis);
  MlirType type = mlirValueGetType(indices);
  // Positions below 0 are beyond any extent, too.
  extent = tileBuildUnary(b, "tile.splat", type, extent);
  MlirValue in = along(made, tileBuildCmpi(b, TILE_ULT, indices, extent), axis);
  MlirValue offset = tritonCast(b, "arith.extsi", indices, tileI64(b->context));
  if (axis + 1 < made->rank) {
    MlirValue stride = tileOperand(made->desc, 1 + made->rank + axis);
    stride = tileBuildUnary(b, "tile.splat", mlirValueGetType(offset), stride);
    offset = tileBuildBinary(b, "arith.muli", offset, stride);
  }
  offset = along(made, offset, axis);
  made->in = axis ? tileBuildBinary(b, "arith.andi", made->in, in) : in;
  made->offset = axis ? tileBuildBinary(b, "arith.addi", made->offset, offset) : offset;
}

/// The next places behind `first`, an i32: what a box has along `axis`.
static MlirValue placesFrom(const Elements *made, MlirValue first, int axis) {
  TileBuilder *b = made->b;
  MlirType type =
      mlirRankedTensorTypeGet(1, &made->shape[axis], tileI32(b->context), mlirAttributeGetNull());
  first = tileBuildUnary(b, "tile.splat", type, first);
  return tileBuildBinary(b, "arith.addi", tileBuild(b, "tile.arange", type, TILE_NONE), first);
}

static MlirValue pointers(const Elements *made) {
  MlirValue base = tileOperand(made->desc, 0);
  MlirType type = tileWithElement(mlirValueGetType(made->offset), mlirValueGetType(base));
  base = tileBuildUnary(made->b, "tile.splat", type, base);
  return tileBuild(made->b, "tile.addptr", type, TILE_VALUES(base, made->offset));
}

/// Rows of a list, from one column on: operands 1 and 2 of `op`. `tile` is what they hold.
static bool findRows(MlirOperation op, TileBuilder *b, MlirType tile, Elements *made) {
  if (!findDesc(op, b, made) || made->rank != 2 || mlirShapedTypeGetRank(tile) != 2) return false;
  MlirValue rows = tileOperand(op, 1);
  MlirType from = mlirValueGetType(rows);
  if (!tileTypeIsTile(from) || mlirShapedTypeGetRank(from) != 1) return false;
  for (int i = 0; i < 2; ++i) made->shape[i] = mlirShapedTypeGetDimSize(tile, i);
  if (tileNumElements(from) != made->shape[0]) return false;
  if (tileBitWidth(tileElementType(from)) < 32)
    rows = tritonCast(b, "arith.extui", rows, tileI32(b->context));
  addAxis(made, 0, rows);
  addAxis(made, 1, placesFrom(made, tileOperand(op, 2), 1));
  return true;
}

static const char known[] = "a descriptor that is made in the function or an argument of it, and "
                            "as many rows as the tile has";

static MlirLogicalResult convertGather(MlirOperation op, TileBuilder *b) {
  Elements made;
  MlirType type = tritonResultType(op);
  if (!findRows(op, b, type, &made)) return tritonRefuse(op, known, "another");
  MlirAttribute nans = tileParseAttr(b->context, "#tile<padding nan>");
  bool nan = mlirAttributeEqual(tileAttr(made.desc, "padding"), nans);
  MlirValue padding = nan ? tileBuildFloat(b, type, (double)NAN) : tileBuildZero(b, type);
  MlirValue ptr = pointers(&made);
  MlirAttribute segments = mlirDenseI32ArrayGet(b->context, 3, (const int32_t[]){1, 1, 1});
  MlirOperation load = tileBuildOp(b, "tile.load", TILE_VALUES(ptr, made.in, padding), 1, &type,
                                   TILE_ATTRS({"operandSegmentSizes", segments}), 0);
  return tritonReplace(op, tileResult(load));
}

static MlirLogicalResult convertScatter(MlirOperation op, TileBuilder *b) {
  Elements made;
  MlirValue value = tileOperand(op, 3);
  if (!findRows(op, b, mlirValueGetType(value), &made)) return tritonRefuse(op, known, "another");
  MlirValue ptr = pointers(&made);
  tileBuildOp(b, "tile.store", TILE_VALUES(ptr, value, made.in), TILE_NONE, TILE_NONE, 0);
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

//===- sums into a box ----------------------------------------------------===//

/// tile's word for what is computed of numbers of type `element`; NULL where it has none.
static const char *kindOf(MlirOperation op, MlirType element) {
  bool isFloat = tileTypeIsFloat(element);
  if (tritonWordIs(op, "kind", "add")) return isFloat ? "fadd" : "add";
  bool isNarrow = isFloat && tileBitWidth(element) == 16;
  if (tritonWordIs(op, "kind", "min") && isFloat) return isNarrow ? "fmin" : NULL;
  if (tritonWordIs(op, "kind", "max") && isFloat) return isNarrow ? "fmax" : NULL;
  if (isFloat) return NULL;
  bool isUnsigned = !mlirAttributeIsNull(tileAttr(op, TRITON_UNSIGNED));
  if (tritonWordIs(op, "kind", "min")) return isUnsigned ? "umin" : "min";
  if (tritonWordIs(op, "kind", "max")) return isUnsigned ? "umax" : "max";
  if (tritonWordIs(op, "kind", "and")) return "and";
  if (tritonWordIs(op, "kind", "or")) return "or";
  return tritonWordIs(op, "kind", "xor") ? "xor" : NULL;
}

static MlirLogicalResult convertReduce(MlirOperation op, TileBuilder *b) {
  Elements made;
  intptr_t count = mlirOperationGetNumOperands(op);
  if (!findDesc(op, b, &made) || count != 2 + made.rank)
    return tritonRefuse(op, "a descriptor that is made in the function or an argument of it",
                        "another");
  MlirType box = tileDescTypeGetBox(mlirValueGetType(tileOperand(op, 0)));
  const char *kind = kindOf(op, tileElementType(box));
  if (!kind)
    return tritonRefuse(
        op, "add, min or max of f16, bf16 and integers, or and, or, xor of integers", "another");
  for (int i = 0; i < made.rank; ++i) made.shape[i] = mlirShapedTypeGetDimSize(box, i);
  for (int i = 0; i < made.rank; ++i)
    addAxis(&made, i, placesFrom(&made, tileOperand(op, 2 + i), i));
  MlirValue value = tritonReshape(b, tileOperand(op, 1), box);
  char text[64];
  snprintf(text, sizeof text, "#tile<rmw_kind %s>", kind);
  TileNamedAttr attrs[3] = {{"kind", tileParseAttr(b->context, text)},
                            {"order", tileParseAttr(b->context, "#tile<order relaxed>")},
                            {"scope", tileParseAttr(b->context, "#tile<scope gpu>")}};
  MlirValue ptr = pointers(&made);
  tileBuildOp(b, "tile.atomic_rmw", TILE_VALUES(ptr, value, made.in), 1, &box, 3, attrs, 0);
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

const TritonRule tritonDescriptorRowRules[] = {{"tt.descriptor_gather", convertGather},
                                               {"tt.descriptor_scatter", convertScatter},
                                               {"tt.descriptor_reduce", convertReduce},
                                               {NULL, NULL}};
