//===- NarrowDots.c - dots multiply no zeros of their operands' ends ------===//
//
// Before:  %q = tile.make_desc %p, [%n, %c80], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
//          %a = tile.desc_load %q[%i, %c0] : !tile.desc<128x128xf16>
//          %k = tile.desc_load %r[%j, %c0] : !tile.desc<64x128xf16>      80 columns, too
//          %b = tile.trans %k order [1, 0]
//          %s = tile.dot %a, %b, %zeros : tensor<128x128xf16>, tensor<128x64xf16> -> ..
// After:   %s = tile.dot %a, %b, %zeros {tile.depth = 80} : ..
//
// A tile is a power of two wide, whether the program says so (heads of 80 elements behind a mask of
// 128) or tile-pad-extents does. Where both operands are boxes that end, by an extent that is a
// constant, within the tile, the products of what lies beyond are 0: tensor cores leave out whole
// steps of K from tile.depth on, and tile-narrow-boxes copies none of it.
//
// Columns of a dot are B's. Where B ends within the tile and nobody looks at the sums beyond (they
// are computed with element by element, carried by loops, added to by dots of which the same holds,
// and stored to an array that ends there), the dot is told so, as tile-pad-extents tells it:
//
//          %d = tile.dot %p, %v, %acc {tile.extents = array<i64: 128, 80>} : ..
//
// An operand that is 0 where the other may be anything is no zero of the product: infinite times 0
// is NaN. Both have to end; and sums that nobody looks at may be anything.
//
// Zeros that are multiplied all the same, as one operand alone ends or somebody looks at the sums,
// are told of in a remark.
//
// Requires: boxes (tile-raise-descriptors), constants folded.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "PadExtents.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

enum { mostValues = 64 }; ///< that are followed from one dot's result on

/// The dimension of a reshape's operand that is dimension d of its result, where it adds or drops
/// leading dimensions of 1 alone; -1 elsewhere.
static int dimThroughReshape(MlirType from, MlirType to, int d) {
  int64_t before[TILE_MAX_RANK], after[TILE_MAX_RANK];
  int m = tileShape(from, before), n = tileShape(to, after), i = d - n + m;
  if (m < 1 || n < 1) return -1;
  for (int a = m, b = n; a-- > 0 || b > 0;) {
    int64_t mine = a < 0 ? 1 : before[a], other = --b < 0 ? 1 : after[b];
    if (mine != other) return -1;
  }
  return i;
}

/// Where the box of `access` ends along its dimension d; 0 where that is no constant, or lies in
/// front of the box.
static int64_t endOfBox(MlirValue desc, MlirValue index, int d) {
  MlirOperation made = tileValueGetOp(desc);
  int64_t extent, first;
  if (mlirOperationIsNull(made) || !tileOpIsAMakeDesc(made) ||
      !tileConstantInt(tileMakeDescGetShape(made, d), &extent) || !tileConstantInt(index, &first))
    return 0;
  return first >= 0 && extent > first ? extent - first : 0;
}

/// From where on the tile is 0 along dimension d: its extent, where nothing else is known.
static int64_t findEnd(MlirValue tile, int d) {
  int64_t shape[TILE_MAX_RANK];
  int64_t all = d < tileShape(mlirValueGetType(tile), shape) ? shape[d] : 0;
  for (MlirOperation op = tileValueGetOp(tile); !mlirOperationIsNull(op) && d >= 0;
       op = tileValueGetOp(tile)) {
    if (tileOpIsADescLoad(op)) {
      MlirOperation made = tileValueGetOp(tileDescLoadGetDesc(op));
      bool zeros =
          !mlirOperationIsNull(made) && tileOpIsAMakeDesc(made) && !tileMakeDescGetPadding(made);
      int64_t end = zeros ? endOfBox(tileDescLoadGetDesc(op), tileDescLoadGetIndices(op, d), d) : 0;
      return end && end < all ? end : all;
    }
    MlirValue source = mlirOperationGetNumOperands(op) == 1 ? tileOperand(op, 0) : tile;
    if (tileOpIsATrans(op))
      d = mlirDenseI32ArrayGetElement(tileTransGetOrderAttr(op), d);
    else if (tileOpIsAReshape(op))
      d = dimThroughReshape(mlirValueGetType(source), mlirValueGetType(tile), d);
    else if (!padKeepsZeros(op))
      return all;
    tile = source;
  }
  return all;
}

//===- who looks at a sum -------------------------------------------------===//

/// Values of which positions from `end` on along dimension `dim` are to be looked at by nobody.
typedef struct {
  MlirValue values[mostValues];
  int dims[mostValues], count;
  int64_t end;
} Follow;

static bool follow(Follow *f, MlirValue value, int dim) {
  for (int i = 0; i < f->count; ++i)
    if (mlirValueEqual(f->values[i], value)) return f->dims[i] == dim;
  if (dim < 0 || f->count == mostValues) return false;
  f->values[f->count] = value;
  f->dims[f->count++] = dim;
  return true;
}

static bool storesNoneFrom(MlirOperation store, int dim, int64_t end) {
  int64_t last = endOfBox(tileDescStoreGetDesc(store), tileDescStoreGetIndices(store, dim), dim);
  return last && last <= end;
}

/// Is `use` one that hands positions on to where they were, or leaves those from the end on out?
static bool followUse(Follow *f, MlirOpOperand use, int dim) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  int number = (int)mlirOpOperandGetOperandNumber(use);
  MlirValue value = tileOperand(user, number);
  if (tileOpIsADescStore(user))
    return mlirValueEqual(value, tileDescStoreGetValue(user)) && storesNoneFrom(user, dim, f->end);
  if (tileOpIsADot(user))
    return mlirValueEqual(value, tileDotGetAcc(user)) && follow(f, tileResult(user), dim);
  if (tileOpIsAReshape(user)) {
    MlirValue to = tileResult(user);
    return follow(f, to, dimThroughReshape(mlirValueGetType(to), mlirValueGetType(value), dim));
  }
  if (tileOpIs(user, "scf.for")) {
    int carried = number - 3;
    return carried >= 0 && follow(f, mlirBlockGetArgument(tileBody(user, 0), carried + 1), dim) &&
           follow(f, mlirOperationGetResult(user, carried), dim);
  }
  if (tileOpIs(user, "scf.yield")) {
    MlirOperation around = mlirOperationGetParentOperation(user);
    bool loops = tileOpIs(around, "scf.for");
    return (loops || tileOpIs(around, "scf.if")) &&
           follow(f, mlirOperationGetResult(around, number), dim) &&
           (!loops || follow(f, mlirBlockGetArgument(tileBody(around, 0), number + 1), dim));
  }
  return tileOpIsElementwise(user) && tileOpIsMovable(user) &&
         mlirOperationGetNumResults(user) == 1 && follow(f, tileResult(user), dim);
}

/// Does nobody look at the columns of `dot` from `end` on?
static bool isUnseen(MlirOperation dot, int dim, int64_t end) {
  Follow f = {.end = end};
  follow(&f, tileResult(dot), dim);
  for (int i = 0; i < f.count; ++i) {
    MlirOpOperand use = mlirValueGetFirstUse(f.values[i]);
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (!followUse(&f, use, f.dims[i])) return false;
  }
  return true;
}

//===- the dots -----------------------------------------------------------===//

static MlirWalkResult visit(MlirOperation op, void *data) {
  (void)data;
  int64_t shape[TILE_MAX_RANK], inner[TILE_MAX_RANK], told[TILE_MAX_RANK];
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  MlirValue a = tileDotGetA(op), b = tileDotGetB(op);
  int rank = tileShape(mlirValueGetType(tileResult(op)), shape);
  if (rank != 2 || tileShape(mlirValueGetType(a), inner) != rank) return MlirWalkResultAdvance;
  MlirContext context = mlirOperationGetContext(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  int64_t endA = findEnd(a, 1), endB = findEnd(b, 0), depth = endA > endB ? endA : endB;
  if (depth < inner[1]) {
    mlirOperationSetAttributeByName(op, tileString("tile.depth"),
                                    mlirIntegerAttrGet(tileI64(context), depth));
    tileTrace(loc, "of %lld elements of K the first %lld are multiplied: the others are 0",
              (long long)inner[1], (long long)depth);
  }
  if (depth == inner[1] && (endA < depth || endB < depth))
    tileEmitRemark(loc,
                   "zeros of K are multiplied: expected both operands to end, found one that ends "
                   "at %lld of %lld",
                   (long long)(endA < endB ? endA : endB), (long long)depth);
  int64_t columns = findEnd(b, 1);
  if (columns == shape[1] || tileOpGetExtents(op, rank, told)) return MlirWalkResultAdvance;
  if (!isUnseen(op, 1, columns)) {
    tileEmitRemark(loc,
                   "columns from %lld on are computed: expected sums that nobody looks at there, "
                   "found a reader",
                   (long long)columns);
  } else {
    const int64_t extents[] = {shape[0], columns};
    mlirOperationSetAttributeByName(op, tileString("tile.extents"),
                                    mlirDenseI64ArrayGet(context, rank, extents));
    tileTrace(loc, "of %lld columns the first %lld are computed: nobody looks at the others",
              (long long)shape[1], (long long)columns);
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunNarrowDots(MlirOperation func) {
  mlirOperationWalk(func, visit, NULL, MlirWalkPreOrder);
  return mlirLogicalResultSuccess();
}
