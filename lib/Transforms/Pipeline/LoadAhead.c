//===- LoadAhead.c - small loads beside dots start a step ahead -----------===//
//
// Before:  scf.for %k = %from to %to step %c1 iter_args(%sum = ..) {
//            %p = tile.addptr %scales, %k
//            %s = tile.load %p
//            tile_gpu.barrier_wait ..
//            %d = tile.dot %a, %b, %zero by wgmma
//            %e = arith.mulf %d, %s .. }
// After:   %p0 = tile.addptr %scales, %from
//          %s0 = tile.load %p0, %from < %to
//          scf.for %k = %from to %to step %c1 iter_args(%sum = .., %s = %s0) {
//            tile_gpu.barrier_wait ..
//            %d = tile.dot %a, %b, %zero by wgmma
//            %next = %k + 1
//            %p = tile.addptr %scales, %next
//            %s1 = tile.load %p, %next < %to
//            %e = arith.mulf %d, %s .. }
//
// Boxes and rings of copies arrive ahead of what reads them. A few words a thread that a loop of
// dots reads beside them, as scales of rows and blocks are, would be waited for in each step. They
// are loaded a step ahead instead, into registers: a loop of dots has few of them for more.
//
// What addresses and masks follow from is computed for the next step, of the counter, of what the
// loop does not change, and of what it carries, where that follows from the same.
//
// Declines, with a remark: more words than tile/Machine.h says, addresses that follow from other
// loads, loops that write to global memory. Sums that a loop adds to another array, and whose old
// values nobody looks at, do not count: other programs add to them at any time, so none may read
// them yet by any name; where registers are few, as dots of a step hold them, these count, too.
//
// Requires: layouts assigned; roles and rings in place.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "../ValueMap.h"
#include "Flight.h"
#include "tile/IR.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Trace.h"
#include <stdio.h>

enum { maxDepth = 32 };

typedef struct {
  MlirOperation loop, dot;
  MlirBlock body;
  TileValueMap first, next; ///< what stands for values of a step in front of the loop, in the next
} Ahead;

/// Is it a dot that runs beside the threads?
static MlirOperation findDot(MlirBlock body) {
  TILE_FOR_EACH_OP(op, body) {
    if (tileOpIsWgmma(op)) return op;
  }
  return (MlirOperation){NULL};
}

/// The kernel's argument that pointers are made of; null where that is not known.
static MlirValue arrayOf(MlirValue pointers) {
  for (;;) {
    MlirOperation op = tileValueGetOp(pointers);
    if (mlirOperationIsNull(op)) {
      MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(pointers));
      intptr_t i = mlirBlockArgumentGetArgNumber(pointers);
      if (tileOpIsAFunc(owner)) return pointers;
      if (!tileOpIs(owner, "scf.for") || i == 0) return (MlirValue){NULL};
      pointers = tileOperand(owner, 2 + i);
    } else if (tileOpIsAAddPtr(op) || tileOpIsASplat(op) || tileOpMovesElements(op)) {
      pointers = tileOperand(op, 0);
    } else {
      return (MlirValue){NULL};
    }
  }
}

/// What a load reads, and whether a loop may write that.
typedef struct {
  MlirValue array;
  bool writes;
} Written;

/// Adds to sums that programs share in another array, and does not look at them.
static bool addsElsewhere(MlirOperation op, MlirValue array) {
  if (!tileOpIsAAtomicRmw(op) || tileAtomicRmwGetKind(op) != TILE_RMW_KIND_FADD ||
      !mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(op))))
    return false;
  MlirValue sums = arrayOf(tileAtomicRmwGetPtr(op));
  return !mlirValueIsNull(sums) && !mlirValueIsNull(array) && !mlirValueEqual(sums, array);
}

/// A kernel's own barrier: what others wrote in front of it may be read behind it.
static MlirWalkResult findWrite(MlirOperation op, void *data) {
  Written *w = data;
  if (addsElsewhere(op, w->array)) return MlirWalkResultAdvance;
  w->writes |= (tileOpGetEffects(op) & TILE_WRITES_GLOBAL) != 0 || tileOpIsABarrier(op);
  return w->writes ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool mayWrite(MlirOperation loop, MlirOperation load) {
  Written w = {.array = tileHasRoomToFly(loop) ? arrayOf(tileLoadGetPtr(load)) : (MlirValue){NULL}};
  mlirOperationWalk(loop, findWrite, &w, MlirWalkPreOrder);
  return w.writes;
}

static bool isOfBody(const Ahead *a, MlirValue value) {
  return mlirBlockEqual(tileValueGetBlock(value), a->body);
}

/// What a value that the loop carries is in the next step.
static MlirValue nextOf(const Ahead *a, MlirValue carried) {
  return tileOperand(mlirBlockGetTerminator(a->body), mlirBlockArgumentGetArgNumber(carried) - 1);
}

/// Can `value` be computed a step ahead? `first`: in front of the loop.
static bool follows(const Ahead *a, MlirValue value, bool first, int depth) {
  if (!isOfBody(a, value)) return !tileBlockHolds(a->body, tileValueGetBlock(value));
  if (depth == maxDepth) return false;
  if (mlirValueIsABlockArgument(value)) {
    if (first || mlirBlockArgumentGetArgNumber(value) == 0) return true;
    // Of this step's values: the same question as in front of the loop, but for where it begins.
    return follows(a, nextOf(a, value), true, depth + 1);
  }
  MlirOperation op = tileValueGetOp(value);
  if (!tileOpIsMovable(op) || mlirOperationGetNumRegions(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!follows(a, tileOperand(op, i), first, depth + 1)) return false;
  return true;
}

/// `value` of the step that `map` stands for, built at `b`.
static MlirValue build(Ahead *a, TileBuilder *b, TileValueMap *map, MlirValue value) {
  if (tileValueMapHas(*map, value)) return tileValueMapGet(*map, value);
  if (!isOfBody(a, value)) return value;
  if (mlirValueIsABlockArgument(value)) { // of `next`: made again of this step's values
    TileValueMap same = {0};
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(a->body); ++i) {
      MlirValue argument = mlirBlockGetArgument(a->body, i);
      tileValueMapSet(&same, argument, argument);
    }
    MlirValue made = build(a, b, &same, nextOf(a, value));
    tileValueMapClear(&same);
    tileValueMapSet(map, value, made);
    return made;
  }
  MlirOperation op = tileValueGetOp(value);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    tileValueMapSet(map, tileOperand(op, i), build(a, b, map, tileOperand(op, i)));
  tileCloneMapped(b, map, op);
  return tileValueMapGet(*map, value);
}

/// `load` of the step that `map` stands for, where `exists` (i1): else it reads nothing.
static MlirValue buildLoad(Ahead *a, TileBuilder *b, TileValueMap *map, MlirOperation load,
                           MlirValue exists) {
  MlirType type = mlirValueGetType(tileResult(load));
  MlirValue other = tileLoadGetOther(load), mask = tileLoadGetMask(load);
  MlirValue operands[3] = {build(a, b, map, tileLoadGetPtr(load))}, all = exists;
  if (tileTypeIsTile(type))
    all = tileBuildUnary(b, "tile.splat", tileWithElement(type, tileI1(b->context)), exists);
  if (!mlirValueIsNull(mask)) {
    MlirValue asked = build(a, b, map, mask);
    all = tileBuildBinary(b, "arith.andi", asked, all);
  }
  operands[1] = all;
  if (!mlirValueIsNull(other)) operands[2] = build(a, b, map, other);
  int32_t sizes[3] = {1, 1, !mlirValueIsNull(other)};
  MlirOperation made = tileBuildOp(b, "tile.load", 2 + sizes[2], operands, 1, &type, TILE_NONE, 0);
  tileCopyAttributes(load, made);
  mlirOperationSetAttributeByName(made, tileString("operandSegmentSizes"),
                                  mlirDenseI32ArrayGet(b->context, 3, sizes));
  return tileResult(made);
}

static const char *whyNot(const Ahead *a, MlirOperation load, char text[80]) {
  int most = tileMachineNumber(tileMachineOf(load), TILE_NUMBER_HOISTED_WORDS);
  snprintf(text, 80, "expected at most %d words a thread, found more", most);
  if (tileTypeGetWords(mlirValueGetType(tileResult(load))) > most) return text;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(load); ++i)
    if (!follows(a, tileOperand(load, i), true, 0) || !follows(a, tileOperand(load, i), false, 0))
      return "expected an address that follows from the step, found another";
  return NULL;
}

static void start(Ahead *a, MlirOperation load) {
  MlirValue lower = tileOperand(a->loop, 0), upper = tileOperand(a->loop, 1);
  int less = mlirAttributeIsNull(tileAttr(a->loop, "unsignedCmp")) ? TILE_SLT : TILE_ULT;
  TileBuilder front = tileBuilderBefore(a->loop);
  MlirValue any = tileBuildCmpi(&front, less, lower, upper);
  MlirValue first = buildLoad(a, &front, &a->first, load, any);
  TileBuilder b = tileBuilderAfter(a->dot);
  MlirValue iv = mlirBlockGetArgument(a->body, 0);
  MlirValue next = tileBuildBinary(&b, "arith.addi", iv, tileOperand(a->loop, 2));
  tileValueMapSet(&a->next, iv, next);
  MlirValue more = tileBuildCmpi(&b, less, next, upper);
  MlirValue ahead = buildLoad(a, &b, &a->next, load, more);
  a->loop = tileExtendFor(a->loop, 1, &first);
  a->body = tileBody(a->loop, 0);
  tileExtendYield(a->body, 1, &ahead);
  MlirValue carried = mlirBlockGetArgument(a->body, mlirBlockGetNumArguments(a->body) - 1);
  tileTrace(mlirOperationGetLocation(load), "load starts a step ahead");
  tileReplaceOp(load, TILE_VALUES(carried));
}

/// The values of the first step, in front of the loop.
static void setFirst(Ahead *a) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(a->body); ++i)
    tileValueMapSet(&a->first, mlirBlockGetArgument(a->body, i),
                    tileOperand(a->loop, i == 0 ? 0 : i + 2));
}

static void runLoop(MlirOperation loop) {
  Ahead a = {.loop = loop, .body = tileBody(loop, 0)};
  a.dot = findDot(a.body);
  if (mlirOperationIsNull(a.dot)) return;
  TileOpList loads = {0};
  TILE_FOR_EACH_OP(op, a.body) {
    if (tileOpIsALoad(op)) tileOpListAdd(&loads, op);
  }
  for (size_t i = 0; i < loads.count; ++i) {
    char text[80];
    const char *reason = mayWrite(a.loop, loads.ops[i])
                             ? "expected a loop that writes nothing to memory, found another"
                             : whyNot(&a, loads.ops[i], text);
    if (reason) {
      tileEmitRemark(mlirOperationGetLocation(loads.ops[i]), "load does not start a step ahead: %s",
                     reason);
      continue;
    }
    tileValueMapClear(&a.first);
    tileValueMapClear(&a.next);
    setFirst(&a);
    start(&a, loads.ops[i]);
  }
  tileValueMapClear(&a.first);
  tileValueMapClear(&a.next);
  tileOpListDestroy(&loads);
}

MlirLogicalResult tileRunLoadAhead(MlirOperation func) {
  TileOpList loops = {0};
  tileFindLoops(func, &loops);
  for (size_t i = 0; i < loops.count; ++i) runLoop(loops.ops[i]);
  tileOpListDestroy(&loops);
  return mlirLogicalResultSuccess();
}
