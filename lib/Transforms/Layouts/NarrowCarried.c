//===- NarrowCarried.c - a loop carries a sum, not all of its terms' ------===//
//
// Before:  %all = scf.for .. iter_args(%sum = dense<0.0>) -> tensor<128x256xf32> {
//            %next = arith.addf %sum, %x : tensor<128x256xf32>
//            scf.yield %next
//          }
//          %r = tile.reduce add %all axis 0
// After:   %parts = scf.for .. iter_args(%part = dense<0.0>) -> tensor<256xf32> {
//            %own = tile.reduce add %x axis 0           // in a thread's registers
//            %next = arith.addf %part, %own : tensor<256xf32>
//            scf.yield %next
//          }
//          %r = %parts                                  // or what is left of it is reduced here
//
// Authors carry tiles through loops and reduce them behind, so that threads meet once. What a
// thread has of such a tile along the reduced axis it may combine in each step: it carries one
// number where it had a register for each element of a step, and the registers are for loads on
// their way, or for one block more of a multiprocessor. The mean over rows of 128 x 256 by 8 warps
// holds 128 sums a thread, beside 128 elements that are loaded, of 255 registers.
//
// Steps that leave elements as they are where a mask says so (`select %m, %sum + %x, %sum`, as
// torch.compile writes them) add what changes nothing there. Loops within each other that hand on
// what they carry are followed.
//
// Sums of floats are added in another order than the loop has it; each term is added to no more
// others than before, as tile-defer-reductions has it, of which this is the other half: there
// authors reduce in each step.
//
// `whole`: on a processor, where one thread has a program, all of the axis is combined in each
// step: of a row of 2048 a loop carries a number in a register, not 8 KB of memory to be read and
// written in each step.
//
// Requires: layouts assigned, but for `whole`.  Preserves: numerics but for the order of additions.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "OwnParts.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// How a loop makes what it carries as `number`: by `combine` of it and `term`, perhaps where
/// `mask` says so, or in a loop within it.
typedef struct {
  MlirOperation loop;
  intptr_t number;
  MlirOperation combine, select, inner;
  MlirValue term, mask;
  intptr_t innerNumber;
} Carried;

static bool isUsedTimes(MlirValue value, int times) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; times && !mlirOpOperandIsNull(use); --times) use = mlirOpOperandGetNextUse(use);
  return !times && mlirOpOperandIsNull(use);
}

/// Is `op` the reduction's own combination of `carried` and a term?
static bool isCombination(Carried *c, MlirOperation op, MlirValue carried, MlirOperation reduce) {
  MlirOperation only = tileCombineGetOnlyOp(reduce);
  if (mlirOperationGetNumOperands(op) != 2 ||
      !mlirIdentifierEqual(mlirOperationGetName(only), mlirOperationGetName(op)))
    return false;
  bool first = mlirValueEqual(tileOperand(op, 0), carried);
  if (!first && !mlirValueEqual(tileOperand(op, 1), carried)) return false;
  c->combine = op;
  c->term = tileOperand(op, first);
  return !mlirValueEqual(c->term, carried);
}

/// Fills in how the loop makes the value; false where it is another way, or somebody else looks at
/// what is carried.
static bool findCarried(Carried *c, MlirOperation reduce) {
  MlirBlock body = tileBody(c->loop, 0);
  MlirValue carried = mlirBlockGetArgument(body, c->number + 1);
  MlirValue next = tileOperand(mlirBlockGetTerminator(body), c->number);
  MlirOperation op = tileValueGetOp(next);
  if (!tileIsOfBlock(op, body) || !isUsedTimes(next, 1)) return false;
  if (tileOpIs(op, "scf.for")) {
    c->inner = op;
    c->innerNumber = mlirOpResultGetResultNumber(next);
    return isUsedTimes(carried, 1) && mlirValueEqual(tileForGetInit(op, c->innerNumber), carried);
  }
  if (!tileOpIs(op, "arith.select"))
    return isUsedTimes(carried, 1) && isCombination(c, op, carried, reduce);
  MlirValue yes = tileOperand(op, 1);
  c->select = op;
  c->mask = tileOperand(op, 0);
  return isUsedTimes(carried, 2) && isUsedTimes(yes, 1) &&
         mlirValueEqual(tileOperand(op, 2), carried) && tileIsOfBlock(tileValueGetOp(yes), body) &&
         tileTypeIsTile(mlirValueGetType(c->mask)) &&
         isCombination(c, tileValueGetOp(yes), carried, reduce);
}

/// Can the loop, and those within it that make the value, carry parts?
static bool isCarried(MlirOperation loop, intptr_t number, MlirOperation reduce) {
  Carried c = {.loop = loop, .number = number};
  return findCarried(&c, reduce) &&
         (mlirOperationIsNull(c.inner) || isCarried(c.inner, c.innerNumber, reduce));
}

/// The term, or where the mask leaves it out what changes nothing.
static MlirValue termOf(TileBuilder *b, const Carried *c, const TileOwnPart *part) {
  if (mlirOperationIsNull(c->select)) return c->term;
  MlirAttribute identity = tileCombineGetIdentity(part->reduce);
  MlirType type = mlirValueGetType(c->term);
  MlirValue none = tileBuildConstant(b, mlirDenseElementsAttrSplatGet(type, identity));
  return tileBuildSelect(b, c->mask, c->term, none);
}

/// What was carried is no longer wanted: canonicalize drops it.
static void keepUnread(const Carried *c) {
  TileBuilder before = tileBuilderBefore(c->loop);
  MlirBlock body = tileBody(c->loop, 0);
  MlirValue carried = mlirBlockGetArgument(body, c->number + 1);
  mlirOperationSetOperand(c->loop, TILE_FOR_INITS + c->number,
                          tileBuildZero(&before, mlirValueGetType(carried)));
  mlirOperationSetOperand(mlirBlockGetTerminator(body), c->number, carried);
}

/// Has the loop carry parts, from `*parts` on, which become those behind it.
static void narrow(MlirOperation loop, intptr_t number, const TileOwnPart *part, MlirValue *parts) {
  Carried c = {.loop = tileExtendFor(loop, 1, parts), .number = number};
  findCarried(&c, part->reduce);
  MlirBlock body = tileBody(c.loop, 0);
  MlirValue next = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  if (!mlirOperationIsNull(c.inner)) {
    narrow(c.inner, c.innerNumber, part, &next);
  } else {
    bool isMasked = !mlirOperationIsNull(c.select); // the mask may stand behind the combination
    TileBuilder b = tileBuilderBefore(isMasked ? c.select : c.combine);
    MlirType type = mlirValueGetType(next);
    MlirValue both[] = {next, tileReduceOwn(&b, part, termOf(&b, &c, part))};
    next = tileResult(tileBuildLike(&b, c.combine, 2, both, &type));
  }
  tileExtendYield(body, 1, &next);
  keepUnread(&c);
  if (!mlirOperationIsNull(c.select)) mlirOperationDestroy(c.select);
  if (!mlirOperationIsNull(c.combine)) mlirOperationDestroy(c.combine);
  *parts = mlirOperationGetResult(c.loop, mlirOperationGetNumResults(c.loop) - 1);
}

/// Words of a thread that a loop no longer carries.
static int64_t wordsSaved(const TileOwnPart *part) {
  return tileTypeGetWords(mlirValueGetType(tileOperand(part->reduce, 0))) - tileOwnPartWords(part);
}

/// Does the loop carry so many fewer that a step may wait for its own sums? Where warps are few
/// nobody else computes meanwhile, and there are registers enough.
static bool savesEnough(MlirOperation loop, const TileOwnPart *part) {
  TileNumber least =
      tileHasFewWarps(loop) ? TILE_NUMBER_FEW_CARRIED_SAVED : TILE_NUMBER_CARRIED_SAVED;
  return wordsSaved(part) >= tileMachineNumber(tileMachineOf(loop), least);
}

/// Is a tile of one number reduced to that number? Null where not, or where it is not known.
static MlirAttribute reducedSplat(const TileOwnPart *part, MlirValue tile) {
  MlirAttribute none = {NULL};
  MlirOperation op = tileValueGetOp(tile);
  if (!part->isAll || mlirOperationIsNull(op) || !tileOpIs(op, "arith.constant")) return none;
  MlirAttribute all = tileAttr(op, "value");
  if (!mlirAttributeIsADenseElements(all) || !mlirDenseElementsAttrIsSplat(all)) return none;
  MlirAttribute number = mlirDenseElementsAttrGetSplatValue(all);
  MlirOperation only = tileCombineGetOnlyOp(part->reduce);
  bool isSum = tileOpIs(only, "arith.addf") || tileOpIs(only, "arith.addi");
  bool isKept = tileOpGetLaws(only) & TILE_IDEMPOTENT || (isSum && tileIsZero(tile));
  return isKept ? number : none;
}

/// What the loop begins with, as parts.
static MlirValue beginParts(TileBuilder *b, const TileOwnPart *part, MlirValue init) {
  MlirAttribute number = reducedSplat(part, init);
  if (mlirAttributeIsNull(number)) return tileReduceOwn(b, part, init);
  MlirType type = mlirValueGetType(tileResult(part->reduce));
  bool isTile = tileTypeIsTile(type);
  return tileBuildConstant(b, isTile ? mlirDenseElementsAttrSplatGet(type, number) : number);
}

static void visit(MlirOperation reduce, bool isAll) {
  MlirValue all = tileOperand(reduce, 0);
  MlirOperation loop = tileValueGetOp(all);
  if (mlirOperationGetNumOperands(reduce) != 1 || mlirOperationIsNull(loop) ||
      !tileOpIs(loop, "scf.for") || !isUsedTimes(all, 1) ||
      mlirOperationIsNull(tileCombineGetOnlyOp(reduce)) ||
      mlirAttributeIsNull(tileCombineGetIdentity(reduce)))
    return;
  intptr_t number = mlirOpResultGetResultNumber(all);
  if (!isCarried(loop, number, reduce)) return;
  TileOwnPart part = {.reduce = reduce, .isAll = isAll};
  const char *reason = tilePlanOwnPart(&part);
  if (!reason && !isAll && !savesEnough(loop, &part)) return;
  if (reason) {
    tileEmitRemark(mlirOperationGetLocation(reduce),
                   "a loop carries all that is reduced behind it: %s", reason);
    return;
  }
  TileBuilder before = tileBuilderBefore(loop), behind = tileBuilderBefore(reduce);
  before.location = behind.location; // what the loop begins with is none of its results
  MlirValue parts = beginParts(&before, &part, tileForGetInit(loop, number));
  if (!isAll)
    tileTrace(mlirOperationGetLocation(reduce), "a loop carries %d words a thread less",
              (int)wordsSaved(&part));
  narrow(loop, number, &part, &parts);
  mlirValueReplaceAllUsesOfWith(tileResult(reduce), tileReduceRest(&behind, &part, parts));
  mlirOperationDestroy(reduce);
}

static bool isReduction(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsAReduce(op);
}

MlirLogicalResult tileRunNarrowCarried(MlirOperation func,
                                       const TileNarrowCarriedOptions *options) {
  TileOpList reductions = {0};
  tileOpListCollect(&reductions, func, MlirWalkPostOrder, isReduction, NULL);
  for (size_t i = 0; i < reductions.count; ++i) visit(reductions.ops[i], options->whole);
  tileOpListDestroy(&reductions);
  return mlirLogicalResultSuccess();
}
