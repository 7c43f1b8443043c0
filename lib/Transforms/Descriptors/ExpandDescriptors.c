//===- ExpandDescriptors.c - boxes as tiles of pointers -------------------===//
//
// Before:  %d = tile.make_desc %p, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x32xf16>
//          %v = tile.desc_load %d[%i, %j] : !tile.desc<64x32xf16>
// After:   %corner = p + i * s + j                         one scalar, in 64 bits
//          %ptrs = splat(corner) + rows * s + columns      64 x 32 pointers
//          %in = 0 <= i + rows < m  and  0 <= j + columns < n
//          %v = tile.load %ptrs, %in                       , NaN  where that is the padding
//
// For targets without a copy engine: descriptor kernels run wherever pointer kernels do. On those
// that have one (option arch) it keeps what the engine is good for: boxes that a dot in a loop
// reads, stores of such kernels, and what these read behind their loops beside the sums, which then
// comes ahead and is read as the sums lie. A store of what the program reads again,
// or adds to, goes by threads. Base and strides have to be known to be multiples of 16
// bytes and the block to have whole warp groups; it says why not of the others that dots read.
//
// Out of bounds as the copy engine has it: positions are signed, elements before the first or from
// the extent on are padding to a load and dropped by a store. Where axis analysis knows that a
// position is not negative, the mask is columns < n - j alone, one comparison a dimension.
//
// Leading extents of 1, as a batch and a head have, are numbers: the tile has none of them, and who
// reads it without them reads what is loaded. A reshape between a load and a dot would keep the dot
// from reading the copy.
//
// Refuses a descriptor that is not the result of tile.make_desc: an argument, one that a branch or
// loop carries.
//
// Requires: meta-parameters bound.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "../Layouts/Converted.h"
#include "../Loops.h"
#include "Ahead.h"
#include "Engine.h"
#include "Feeds.h"
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Support/ValueSearch.h"
#include <math.h>

typedef struct {
  TileAxisAnalysis *axes;
  bool engine; // does the target have a copy engine, and the block warp groups?
  bool hasBarriers;
  bool keeps; // a load that feeds a dot stays as it is
  bool failed;
} Expander;

/// One access being expanded: the box, where it is, and the descriptor it is of.
typedef struct {
  const Expander *pass;
  TileBuilder b;
  MlirOperation desc;   // the tile.make_desc
  MlirOperation access; // the load or store
  int64_t box[TILE_MAX_RANK];
  int rank;
  int first; // dimension of the box that is the tile's first: those before it have one position
} Access;

static MlirValue indexOf(const Access *a, int d) {
  return tileOpIsADescLoad(a->access) ? tileDescLoadGetIndices(a->access, d)
                                      : tileDescStoreGetIndices(a->access, d);
}

static MlirType tileOf(const Access *a, MlirType element) {
  return mlirRankedTensorTypeGet(a->rank - a->first, a->box + a->first, element,
                                 mlirAttributeGetNull());
}

/// 0 .. box[d] - 1 along dimension d, of extent 1 along the others.
static MlirValue positions(Access *a, int d) {
  MlirType i32 = tileI32(a->b.context);
  int64_t shape[TILE_MAX_RANK] = {a->box[d]};
  MlirType type = mlirRankedTensorTypeGet(1, shape, i32, mlirAttributeGetNull());
  MlirValue tile = tileBuild(&a->b, "tile.arange", type, TILE_NONE);
  int place = d - a->first;
  for (int rank = 1; rank < a->rank - a->first; ++rank) {
    int axis = rank <= place ? 0 : rank;
    for (int k = 0; k <= rank; ++k) shape[k] = 1;
    shape[rank <= place ? rank : place] = a->box[d];
    type = mlirRankedTensorTypeGet(rank + 1, shape, i32, mlirAttributeGetNull());
    MlirAttribute attr = mlirIntegerAttrGet(i32, axis);
    tile = tileResult(tileBuildOp(&a->b, "tile.expand_dims", TILE_VALUES(tile), 1, &type,
                                  TILE_ATTRS({"axis", attr}), 0));
  }
  return tile;
}

/// `value`, of extent 1 along some dimensions, over the whole box.
static MlirValue overBox(Access *a, MlirValue value) {
  MlirType type = tileOf(a, tileElementType(mlirValueGetType(value)));
  if (mlirTypeEqual(type, mlirValueGetType(value))) return value;
  return tileBuildUnary(&a->b, "tile.broadcast", type, value);
}

/// `scalar` as a tile of the shape of `like`.
static MlirValue splatLike(Access *a, MlirValue scalar, MlirValue like) {
  MlirType type = tileWithElement(mlirValueGetType(like), mlirValueGetType(scalar));
  return tileBuildUnary(&a->b, "tile.splat", type, scalar);
}

/// &base[index 0, index 1, ..].
static MlirValue corner(Access *a) {
  MlirType i64 = tileI64(a->b.context);
  MlirValue offset = {NULL};
  for (int d = 0; d < a->rank; ++d) {
    MlirValue step = tileBuildUnary(&a->b, "arith.extsi", i64, indexOf(a, d));
    if (d + 1 < a->rank)
      step = tileBuildBinary(&a->b, "arith.muli", step, tileMakeDescGetStrides(a->desc, d));
    offset = mlirValueIsNull(offset) ? step : tileBuildBinary(&a->b, "arith.addi", offset, step);
  }
  return tileBuildBinary(&a->b, "tile.addptr", tileMakeDescGetBase(a->desc), offset);
}

static MlirValue pointers(Access *a, const MlirValue at[]) {
  MlirValue first = corner(a);
  MlirType type = tileOf(a, mlirValueGetType(first)), i64 = tileI64(a->b.context);
  MlirValue tile = tileBuildUnary(&a->b, "tile.splat", type, first);
  for (int d = a->first; d < a->rank; ++d) {
    MlirValue step = at[d];
    if (d + 1 < a->rank) {
      step =
          tileBuildUnary(&a->b, "arith.extsi", tileWithElement(mlirValueGetType(step), i64), step);
      MlirValue stride = splatLike(a, tileMakeDescGetStrides(a->desc, d), step);
      step = tileBuildBinary(&a->b, "arith.muli", step, stride);
    }
    step = overBox(a, step);
    tile = tileBuildBinary(&a->b, "tile.addptr", tile, step);
  }
  return tile;
}

/// Which positions along dimension d exist.
static MlirValue inside(Access *a, int d, MlirValue at) {
  MlirValue index = indexOf(a, d), extent = tileMakeDescGetShape(a->desc, d);
  if (tileAxisAnalysisGet(a->pass->axes, index)->min >= 0) {
    // Neither number is negative, so their difference does not wrap, as index + position may.
    MlirValue left = tileBuildBinary(&a->b, "arith.subi", extent, index);
    MlirValue end = splatLike(a, left, at);
    return tileBuildCmpi(&a->b, TILE_SLT, at, end);
  }
  MlirValue first = splatLike(a, index, at);
  MlirValue position = tileBuildBinary(&a->b, "arith.addi", first, at);
  MlirValue zero = tileBuildZero(&a->b, mlirValueGetType(at));
  MlirValue fromStart = tileBuildCmpi(&a->b, TILE_SGE, position, zero);
  MlirValue end = splatLike(a, extent, at);
  MlirValue toEnd = tileBuildCmpi(&a->b, TILE_SLT, position, end);
  return tileBuildBinary(&a->b, "arith.andi", fromStart, toEnd);
}

/// Whether the only position along dimension d exists, for the whole tile.
static MlirValue exists(Access *a, int d) {
  MlirValue in = tileBuildCmpi(&a->b, TILE_ULT, indexOf(a, d), tileMakeDescGetShape(a->desc, d));
  return tileBuildUnary(&a->b, "tile.splat", tileOf(a, tileI1(a->b.context)), in);
}

/// `all`, or what is no mask yet, and what holds of positions along a dimension.
static MlirValue both(Access *a, MlirValue all, MlirValue in) {
  in = overBox(a, in);
  return mlirValueIsNull(all) ? in : tileBuildBinary(&a->b, "arith.andi", all, in);
}

static MlirValue mask(Access *a, const MlirValue at[]) {
  MlirValue all = {NULL};
  MlirAttribute extents = tileAttr(a->access, "extents"); // of a store that leaves padding out
  for (int d = 0; d < a->first; ++d) all = both(a, all, exists(a, d));
  for (int d = a->first; d < a->rank; ++d) {
    all = both(a, all, inside(a, d, at[d]));
    int64_t stored =
        mlirAttributeIsNull(extents) ? a->box[d] : mlirDenseI64ArrayGetElement(extents, d);
    if (stored >= a->box[d]) continue;
    MlirValue end = tileBuildInt(&a->b, mlirValueGetType(at[d]), stored);
    all = both(a, all, tileBuildCmpi(&a->b, TILE_ULT, at[d], end));
  }
  return all;
}

/// Hands what is loaded to those who read the box: to who reads it without the box's first
/// dimensions as it is.
static void replaceBox(Access *a, MlirValue loaded) {
  MlirValue box = tileResult(a->access);
  MlirOpOperand use = a->first ? mlirValueGetFirstUse(box) : (MlirOpOperand){NULL};
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpIsAReshape(user) &&
        mlirTypeEqual(mlirValueGetType(tileResult(user)), mlirValueGetType(loaded)))
      mlirValueReplaceAllUsesOfWith(tileResult(user), loaded);
  }
  if (a->first) loaded = tileBuildUnary(&a->b, "tile.reshape", mlirValueGetType(box), loaded);
  tileReplaceOp(a->access, TILE_VALUES(loaded));
}

static void buildLoad(Access *a, MlirValue ptrs, MlirValue in) {
  MlirType type = tileOf(a, tileElementType(mlirValueGetType(tileResult(a->access))));
  bool isNaN = tileMakeDescGetPadding(a->desc) == TILE_PADDING_NAN;
  MlirValue operands[3] = {ptrs, in};
  if (isNaN) operands[2] = tileBuildFloat(&a->b, type, NAN);
  const int32_t sizes[3] = {1, 1, isNaN};
  MlirAttribute segments = mlirDenseI32ArrayGet(a->b.context, 3, sizes);
  MlirOperation load = tileBuildOp(&a->b, "tile.load", isNaN ? 3 : 2, operands, 1, &type,
                                   TILE_ATTRS({"operandSegmentSizes", segments}), 0);
  replaceBox(a, tileResult(load));
}

static void buildStore(Access *a, MlirValue ptrs, MlirValue in) {
  MlirValue value = tileDescStoreGetValue(a->access);
  MlirContext c = a->b.context;
  MlirType type = tileOf(a, tileElementType(mlirValueGetType(value)));
  if (a->first) value = tileBuildUnary(&a->b, "tile.reshape", type, value);
  if (tileDescStoreGetAdd(a->access))
    tileBuildOp(&a->b, "tile.atomic_rmw", TILE_VALUES(ptrs, value, in), 1, &type,
                TILE_ATTRS({"kind", tileParseAttr(c, "#tile<rmw_kind fadd>")},
                           {"order", tileParseAttr(c, "#tile<order relaxed>")},
                           {"scope", tileParseAttr(c, "#tile<scope gpu>")}),
                0);
  else
    tileBuildOp(&a->b, "tile.store", TILE_VALUES(ptrs, value, in), TILE_NONE, TILE_NONE, 0);
  mlirOperationDestroy(a->access);
}

//===- what the copy engine takes -----------------------------------------===//

/// Why the engine cannot move the boxes of a descriptor; null when it can.
static const char *whyNotEngine(const Expander *pass, MlirOperation desc) {
  TileMapBox box;
  if (!tileDescBox(mlirValueGetType(tileResult(desc)), &box))
    return "expected rows of 16 bytes or more";
  // Others get padding as pointers, and may become boxes again (tile-raise-descriptors).
  for (int d = 0; d < box.rank; ++d) {
    int64_t extent =
        mlirShapedTypeGetDimSize(tileDescTypeGetBox(mlirValueGetType(tileResult(desc))), d);
    if (extent & (extent - 1)) return "expected extents that are powers of two";
  }
  if (!tileDescIsKnown(desc)) return "expected a descriptor made of kernel arguments";
  if (tileAxisAnalysisGet(pass->axes, tileMakeDescGetBase(desc))->divisibility[0] % 16)
    return "expected a base that is a multiple of 16 bytes";
  for (int d = 0; d + 1 < box.rank; ++d) {
    MlirValue stride = tileMakeDescGetStrides(desc, d);
    if (tileAxisAnalysisGet(pass->axes, stride)->divisibility[0] % 16 * box.elementBytes % 16)
      return "expected strides that are multiples of 16 bytes";
  }
  return NULL;
}

/// Does nobody read `value`, or something that is no dot? What it is transposed, reshaped or
/// computed to is looked at next. `looped` is set where a loop is around a dot.
static bool feedsOthers(TileValueSearch *s, MlirValue value, const void *looped) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use)) return true;
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool isDot = tileOpIsADot(user);
    if (isDot ? mlirOpOperandGetOperandNumber(use) == 2 : !tileOpConverts(user)) return true;
    if (isDot)
      *(bool *)looped |= tileOpIs(mlirOperationGetParentOperation(user), "scf.for");
    else
      tileValueSearchAdd(s, tileResult(user));
  }
  return false;
}

/// Does the box begin at a multiple of 16 bytes in its rows, and end at one if it is stored? The
/// engine of an H200 ends boxes that begin within 16 bytes by an illegal instruction, and writes
/// past the end of an array that ends within them.
static bool isWhole(const Expander *pass, MlirOperation access, MlirOperation desc) {
  bool isLoad = tileOpIsADescLoad(access);
  MlirType box = tileDescTypeGetBox(mlirValueGetType(tileResult(desc)));
  int bytes = tileBitWidth(tileElementType(box)) / 8;
  intptr_t last = mlirShapedTypeGetRank(box) - 1;
  MlirValue position =
      isLoad ? tileDescLoadGetIndices(access, last) : tileDescStoreGetIndices(access, last);
  MlirValue numbers[] = {position, tileMakeDescGetShape(desc, last)};
  for (int i = 0; i < (isLoad ? 1 : 2); ++i)
    if (tileAxisAnalysisGet(pass->axes, numbers[i])->divisibility[0] % 16 * bytes % 16)
      return false;
  return bytes > 0;
}

/// Is `value` computed with, element by element, beside what dots have added up?
static bool meetsSum(TileValueSearch *s, MlirValue value, const void *data) {
  (void)data;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tileOpIsElementwise(user) && !tileOpMovesElements(user)) continue;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(user); ++i) {
      MlirValue other = tileOperand(user, i);
      if (tileTypeIsTile(mlirValueGetType(other)) && !mlirValueEqual(other, value) &&
          tileComesFromDot(other))
        return true;
    }
    tileValueSearchAdd(s, tileResult(user));
  }
  return false;
}

/// Is it read behind loops of dots, beside their sums, and small enough that steps of those still
/// have slots?
static bool isBesideSums(const Expander *pass, MlirOperation op) {
  MlirOperation around = mlirOperationGetParentOperation(op);
  if (!pass->keeps || (!tileOpIsAFunc(around) && !tileOpIs(around, "scf.for")) ||
      tileIsLoopOfDots(around))
    return false;
  MlirType type = mlirValueGetType(tileResult(op));
  const TileMachine *machine = tileMachineOf(op);
  int64_t bytes = tileNumElements(type) * tileBitWidth(tileElementType(type)) / 8;
  return 100 * bytes <=
             machine->sharedBytes * tileMachineNumber(machine, TILE_NUMBER_BESIDE_SUMS) &&
         tileValueSearchFinds(tileResult(op), meetsSum, NULL);
}

/// Does the access stay as it is? Of a load that dots read, says why not.
static bool staysBox(Expander *pass, MlirOperation op, MlirOperation desc) {
  if (!pass->engine || (pass->hasBarriers && tileWhyOrdered(op))) return false;
  if (tileOpIsADescStore(op))
    return pass->keeps && mlirAttributeIsNull(tileDescStoreGetExtentsAttr(op)) &&
           !whyNotEngine(pass, desc) && isWhole(pass, op, desc) &&
           (tileDescStoreGetAdd(op) || !tileIsReadAgain(op));
  bool looped = false;
  if (isBesideSums(pass, op)) return !whyNotEngine(pass, desc) && isWhole(pass, op, desc);
  if (tileValueSearchFinds(tileResult(op), feedsOthers, &looped) || !looped) return false;
  const char *reason = whyNotEngine(pass, desc);
  if (!reason && !isWhole(pass, op, desc))
    reason = "expected rows that begin at multiples of 16 bytes, found no such fact";
  if (reason)
    tileEmitRemark(mlirOperationGetLocation(op), "box is read through pointers: %s", reason);
  return !reason;
}

static void expandAccess(const Expander *pass, MlirOperation op, MlirOperation desc) {
  Access a = {.pass = pass, .b = tileBuilderBefore(op), .desc = desc, .access = op};
  a.rank = tileShape(tileDescTypeGetBox(mlirValueGetType(tileResult(desc))), a.box);
  while (a.first + 2 < a.rank && a.box[a.first] == 1) ++a.first;
  MlirValue at[TILE_MAX_RANK];
  for (int d = a.first; d < a.rank; ++d) at[d] = positions(&a, d);
  MlirValue ptrs = pointers(&a, at);
  MlirValue in = mask(&a, at);
  if (tileOpIsADescLoad(op))
    buildLoad(&a, ptrs, in);
  else
    buildStore(&a, ptrs, in);
}

static MlirWalkResult expand(MlirOperation op, void *data) {
  Expander *pass = data;
  bool isLoad = tileOpIsADescLoad(op);
  if (!isLoad && !tileOpIsADescStore(op)) return MlirWalkResultAdvance;
  MlirValue source = isLoad ? tileDescLoadGetDesc(op) : tileDescStoreGetDesc(op);
  MlirOperation desc = tileValueGetOp(source);
  if (mlirOperationIsNull(desc) || !tileOpIsAMakeDesc(desc)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a descriptor made by tile.make_desc in this kernel, found %s",
                  mlirOperationIsNull(desc) ? "an argument of a block" : "one chosen as it runs");
    pass->failed = true;
    return MlirWalkResultInterrupt;
  }
  if (staysBox(pass, op, desc)) {
    pass->keeps = true;
    return MlirWalkResultSkip;
  }
  expandAccess(pass, op, desc);
  return MlirWalkResultSkip;
}

static MlirWalkResult eraseUnused(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIsAMakeDesc(op)) return MlirWalkResultAdvance;
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(op)))) mlirOperationDestroy(op);
  return MlirWalkResultSkip;
}

void tileExpandBox(MlirOperation load, TileAxisAnalysis *axes) {
  Expander pass = {.axes = axes};
  MlirOperation desc = tileValueGetOp(tileDescLoadGetDesc(load));
  expandAccess(&pass, load, desc);
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(desc)))) mlirOperationDestroy(desc);
}

MlirLogicalResult tileRunExpandDescriptors(MlirOperation func,
                                           const TileExpandDescriptorsOptions *options) {
  int64_t warps = options->numWarps ? options->numWarps : tileNumWarpsOf(func);
  Expander pass = {.axes = tileAxisAnalysisCreate(func)};
  pass.engine = !options->all && tileEngineTakesBoxes(func, warps) && !tileWaitsAtBarriers(func);
  pass.hasBarriers = pass.engine && tileHoldsBarrier(func);
  mlirOperationWalk(func, expand, &pass, MlirWalkPostOrder);
  tileAxisAnalysisDestroy(pass.axes);
  if (pass.failed) return mlirLogicalResultFailure();
  mlirOperationWalk(func, eraseUnused, NULL, MlirWalkPostOrder);
  return mlirLogicalResultSuccess();
}
