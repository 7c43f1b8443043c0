//===- AssignLayouts.c - give every tile a distribution -------------------===//
//
// Before:  %v = tile.load %p, %m : tensor<1024x!tile.ptr<f32>>
// After:   %v = tile.load %p, %m : tensor<1024x!tile.ptr<f32>, #tile_gpu.layout<..>>
//
// Loads, stores and dots are anchors. From them layouts spread to what is computed
// once (fixed values): forward through arithmetic, round loops, and backward where
// nothing else decides. Indices, constants and masks (flexible values) have no
// layout of their own: they are recomputed in each layout somebody asks for, which
// costs a few integer operations and saves a conversion. What takes more than RECOMPUTED_LENGTH of
// these, as random numbers do, is computed once. Changes of shape follow their source. Tiles of
// rows and columns that only reductions look at lie as these like it (ReducedTiles.c). What dots'
// sums become behind their loops lies as memory does where more bits are loaded and stored for it
// than the sums have. Accesses whose elements meet are given the same layout (AccessGroups.c), and
// warps divide the sums of mma.sync last along what is reduced as often as they are computed: rows
// of a triangular system, scores. What is loaded along rows and along columns is computed as most
// of it is loaded and stored (MeetingLayouts.c). Where layouts still meet, tile_gpu.convert_layout
// stands between them: in front of a scan, and not behind it, where as it is stored each of its
// lines lies in one warp.
//
// A tile is refused where the registers of all threads do not hold it, so that who asked may take
// more warps; where these would have no more registers, dots' sums and what is computed of them may
// be four times as many, and the assembler keeps what is left in local memory.
//
// Operands of dots go through shared buffers: alloc_shared and buffer_store. What one dot has
// computed, narrowed to 16 bits, is A of another one as it lies in registers, by mma.sync where
// each warp has rows of its own. Bytes that lie in memory as an instruction does not read them come
// in fragments whose rows are interleaved (tileLayoutInterleave), and so do the sums: wgmma's A in
// registers, B turned round on its way.
//
// Requires: meta-parameters bound, instructions chosen (tile-accelerate-dot).
// Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "Assigner.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Support/Grow.h"
#include "tile/Support/OpLength.h"
#include "tile/Support/ValueSearch.h"
#include <stdlib.h>

//===- tables -------------------------------------------------------------===//

static TileValueInfo *add(TileAssigner *a, MlirValue value, TileLayoutClass class) {
  TileValueInfo *info = tilePointerTableAdd(&a->values, value.ptr, sizeof *info);
  *info = (TileValueInfo){.value = value, .class = class, .group = info};
  return info;
}

//===- classes ------------------------------------------------------------===//

/// Bits that the threads' registers hold of a tile that is computed once.
static int64_t bitsOfRegisters(const TileAssigner *a) {
  return (int64_t)255 * 32 * 32 * a->rules.numWarps;
}

/// Arithmetic on tiles of so many elements, and how much more of it would be cheap.
typedef struct {
  int64_t elements, left;
} Arithmetic;

/// Is there more arithmetic than that, now that this value is seen? Rows and columns that are
/// repeated later are few elements of a thread.
static bool runsOut(TileValueSearch *s, MlirValue value, const void *data) {
  Arithmetic *arithmetic = *(Arithmetic *const *)data;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !tileValueIsTile(value) || tileOpIsSource(op) ||
      !tileOpIsElementwise(op) || tileNumElements(mlirValueGetType(value)) < arithmetic->elements)
    return false;
  arithmetic->left -= tileOpLength(op);
  tileValueSearchAddOperands(s, op);
  return arithmetic->left < 0;
}

/// Would it take long to compute again what `op` makes of indices and constants? What registers do
/// not hold at a time is computed where it is wanted all the same.
static bool takesLong(const TileAssigner *a, MlirOperation op) {
  MlirType type = mlirValueGetType(tileResult(op));
  int64_t elements = tileNumElements(type);
  if (tileTypeIsAPtr(tileElementType(type)) ||
      elements * tileBitWidth(tileElementType(type)) > bitsOfRegisters(a))
    return false;
  Arithmetic arithmetic = {elements,
                           tileMachineNumber(tileMachineOf(op), TILE_NUMBER_RECOMPUTED_LENGTH)};
  const Arithmetic *data = &arithmetic;
  return tileValueSearchFinds(tileResult(op), runsOut, &data);
}

/// The class of an op's results, from those of its operands.
static TileLayoutClass classify(const TileAssigner *a, MlirOperation op) {
  if (tileOpIsSource(op)) return TILE_LAYOUT_FLEXIBLE;
  bool shape = tileOpIsShapeChange(op);
  if (!shape && !tileOpIsElementwise(op)) return TILE_LAYOUT_FIXED;
  // PTX that is not pure runs once, whoever looks at what comes of it.
  if (tileOpGetEffects(op)) return TILE_LAYOUT_FIXED;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (tileValueIsTile(operand) && tileAssignerFind(a, operand)->class != TILE_LAYOUT_FLEXIBLE)
      return shape ? TILE_LAYOUT_MOVABLE : TILE_LAYOUT_FIXED;
  }
  return !shape && takesLong(a, op) ? TILE_LAYOUT_FIXED : TILE_LAYOUT_FLEXIBLE;
}

static void collectBlock(TileAssigner *a, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue arg = mlirBlockGetArgument(block, i);
    if (tileValueIsTile(arg)) add(a, arg, TILE_LAYOUT_FIXED);
  }
  TILE_FOR_EACH_OP(op, block) {
    a->ops = tileGrow(a->ops, a->numOps, &a->capacity, sizeof *a->ops);
    a->ops[a->numOps++] = op;
    a->hasDots |= tileOpIsADot(op);
    for (intptr_t r = 0; !tileOpIsIsolated(op) && r < mlirOperationGetNumRegions(op); ++r) {
      MlirBlock inner = tileBody(op, r);
      if (!mlirBlockIsNull(inner)) collectBlock(a, inner);
    }
    TileLayoutClass class = tileHasTileResult(op) ? classify(a, op) : TILE_LAYOUT_FIXED;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirValue result = mlirOperationGetResult(op, i);
      if (tileValueIsTile(result)) add(a, result, class);
    }
  }
}

//===- the pass -----------------------------------------------------------===//

/// Is `value` made element by element, for one op of arithmetic or one reduction, perhaps in
/// another shape? That takes it as it comes: no thread holds all of its elements at a time.
static bool isTransient(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !tileOpIsElementwise(op)) return false;
  MlirOpOperand use = tileOnlyUse(value);
  while (!mlirOpOperandIsNull(use) && tileOpIsShapeChange(mlirOpOperandGetOwner(use)))
    use = tileOnlyUse(tileResult(mlirOpOperandGetOwner(use)));
  if (mlirOpOperandIsNull(use)) return false;
  MlirOperation user = mlirOpOperandGetOwner(use);
  return tileOpIsElementwise(user) || tileOpIsAReduce(user);
}

/// Is `value` what an atomic leaves, as a volatile load does, or computed of that element by
/// element? It is there once, not to be had in parts, and may wait in local memory.
static bool isLeft(MlirValue value, int depth) {
  enum { MAX_DEPTH = 4 };
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || depth == MAX_DEPTH) return false;
  if (tileOpIsAAtomicRmw(op) || tileOpIsAAtomicCas(op)) return true;
  for (intptr_t i = 0; tileOpIsElementwise(op) && i < mlirOperationGetNumOperands(op); ++i)
    if (isLeft(tileOperand(op, i), depth + 1)) return true;
  return false;
}

/// The dot that computes `value`, a sum that a loop carries perhaps; null where none does.
static MlirOperation findDot(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || tileOpIsADot(op) || !tileOpIs(op, "scf.for"))
    return mlirOperationIsNull(op) || tileOpIsADot(op) ? op : (MlirOperation){NULL};
  MlirOperation yield = mlirBlockGetTerminator(tileBody(op, 0));
  MlirOperation last = tileValueGetOp(tileOperand(yield, mlirOpResultGetResultNumber(value)));
  return mlirOperationIsNull(last) || tileOpIsADot(last) ? last : (MlirOperation){NULL};
}

/// Columns of the tile that a wgmma computes, where the others are padding, which takes no
/// registers; else all.
static int64_t countColumns(MlirValue value, const int64_t shape[], int rank) {
  int64_t extents[TILE_MAX_RANK];
  MlirOperation dot = findDot(value);
  if (rank < 1 || mlirOperationIsNull(dot) || !tileOpGetExtents(dot, rank, extents))
    return rank < 1 ? 1 : shape[rank - 1];
  return tileOpIsWgmma(dot) ? (extents[rank - 1] + 7) / 8 * 8 : shape[rank - 1];
}

/// Is there a dot whose sums are more than the threads' registers, of so many threads that more of
/// them would have fewer registers each? The assembler keeps parts of it in local memory. By more
/// warps it would have to do so as well, and an instruction's sums alone may be too many for it.
static bool spillsSums(const TileAssigner *a, MlirOperation func) {
  const TileMachine *m = tileMachineOf(func);
  if (tileMachineShareRegisters(m, 2 * a->rules.numWarps, 1) >= m->threadRegisters) return false;
  for (size_t n = 0; n < a->numOps; ++n) {
    if (!tileOpIsADot(a->ops[n])) continue;
    MlirType sums = mlirValueGetType(tileResult(a->ops[n]));
    if (tileNumElements(sums) * tileBitWidth(tileElementType(sums)) > bitsOfRegisters(a))
      return true;
  }
  return false;
}

/// The extents that layouts can express, and tiles that registers can hold; `spills`: or that lie
/// in local memory in part.
static bool checkTile(TileAssigner *a, MlirOperation op, MlirValue value, TileLayoutClass class,
                      bool spills) {
  enum { MOST_TIMES = 4 }; // the registers: longer code than that is nobody's tile
  MlirType type = mlirValueGetType(value);
  MlirLocation loc = mlirOperationGetLocation(op);
  int64_t shape[TILE_MAX_RANK], elements = 1;
  int rank = tileShape(type, shape);
  if (rank < 0) {
    tileEmitError(loc, "expected a tile of rank %d at most, found rank %d", TILE_MAX_RANK,
                  (int)mlirShapedTypeGetRank(type));
    return false;
  }
  for (int d = 0; d < rank; ++d) {
    if (shape[d] <= 0 || (shape[d] & (shape[d] - 1))) {
      tileEmitError(loc, "expected extents that are powers of two on this target, found %lld%s",
                    (long long)shape[d],
                    shape[d] < 0 ? " (bind meta-parameters first: tile-specialize)" : "");
      return false;
    }
    elements *= d + 1 < rank ? shape[d] : countColumns(value, shape, rank);
    // A value that is computed once may take all of a thread's 255 registers, no more. Pointers do
    // not count: accesses need one for each run of elements, not each element.
    if (tileTypeIsAPtr(tileElementType(type)) || class != TILE_LAYOUT_FIXED) continue;
    int64_t times = spills || isTransient(value) || isLeft(value, 0) ? MOST_TIMES : 1;
    int64_t limit = times * bitsOfRegisters(a),
            bits = elements * tileBitWidth(tileElementType(type));
    if (elements >= 1 << TILE_MAX_BITS || bits > limit) {
      tileEmitError(loc,
                    "expected a tile that fits the registers of %d warps (%lld bytes), found %lld "
                    "bytes or more",
                    a->rules.numWarps, (long long)limit / 8, (long long)bits / 8);
      return false;
    }
  }
  return true;
}

static bool checkTiles(TileAssigner *a, MlirOperation func) {
  bool spills = spillsSums(a, func);
  for (size_t n = 0; n < a->numOps; ++n)
    for (intptr_t i = 0; i < mlirOperationGetNumResults(a->ops[n]); ++i) {
      MlirValue result = mlirOperationGetResult(a->ops[n], i);
      if (!tileValueIsTile(result)) continue;
      if (!checkTile(a, a->ops[n], result, tileAssignerFind(a, result)->class, spills))
        return false;
    }
  return true;
}

/// --num-warps, or the kernel's own, or 4; a power of two up to 32.
static bool chooseWarps(MlirOperation func, const TileAssignLayoutsOptions *options,
                        int *numWarps) {
  int64_t wish = options->numWarps ? options->numWarps : tileNumWarpsOf(func);
  if (wish >= 1 && wish <= 32 && !(wish & (wish - 1))) {
    *numWarps = (int)wish;
    return true;
  }
  tileEmitError(mlirOperationGetLocation(func), "expected 1, 2, 4, 8, 16 or 32 warps, found %lld",
                (long long)wish);
  return false;
}

//===- transposes in branches ---------------------------------------------===//

static MlirWalkResult findInner(MlirOperation op, void *data) {
  MlirOperation source =
      tileOpIsATrans(op) ? tileValueGetOp(tileOperand(op, 0)) : (MlirOperation){NULL};
  if (!mlirOperationIsNull(source) &&
      !mlirBlockEqual(mlirOperationGetBlock(source), mlirOperationGetBlock(op)))
    tileOpListAdd(data, op);
  return MlirWalkResultAdvance;
}

/// A transpose costs nothing where it stands, and moves to what it is of: in a branch of a loop's
/// step, where loop-invariant-code-motion leaves it, it would be an operand that each step stores.
static void leaveBranches(MlirOperation func) {
  TileOpList inner = {0};
  mlirOperationWalk(func, findInner, &inner, MlirWalkPreOrder);
  for (size_t i = 0; i < inner.count; ++i)
    mlirOperationMoveAfter(inner.ops[i], tileValueGetOp(tileOperand(inner.ops[i], 0)));
  tileOpListDestroy(&inner);
}

static void freeTables(TileAssigner *a) {
  tilePointerTableClear(&a->values);
  free(a->ops);
}

MlirLogicalResult tileRunAssignLayouts(MlirOperation func,
                                       const TileAssignLayoutsOptions *options) {
  TileAssigner a = {.rules = {.context = mlirOperationGetContext(func)}};
  if (!chooseWarps(func, options, &a.rules.numWarps)) return mlirLogicalResultFailure();
  leaveBranches(func);
  collectBlock(&a, tileBody(func, 0));
  bool ok = checkTiles(&a, func);
  if (ok) {
    TileAxisAnalysis *axis = tileAxisAnalysisCreate(func);
    a.rules.axis = axis;
    tileAssignerGroupAccesses(&a);
    tileAssignerSpread(&a);
    tileAssignerRewrite(&a);
    tileTraceLayouts(func);
    tileAxisAnalysisDestroy(axis);
    mlirOperationSetAttributeByName(func, tileString("tile.num_warps"),
                                    mlirIntegerAttrGet(tileI32(a.rules.context), a.rules.numWarps));
  }
  freeTables(&a);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
