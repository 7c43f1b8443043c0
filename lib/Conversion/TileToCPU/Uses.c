//===- Uses.c - which tiles exist as a whole ------------------------------===//
//
// A tile stays inline where that costs nothing: what is cheap (indices, sums, selects) is
// recomputed by everyone who needs it; what is not (a load, exp, a division, a long row of what is
// cheap) stays inline for one consumer in the same block, which needs each element once.
//
// A load, moreover, must read what was in memory where it stands. It becomes a buffer if anything
// is written between it and its consumer, and if its consumer is a store that might write, in an
// earlier chunk, what a later chunk has yet to load: any store but one to the same offsets, or to
// another argument (Lanes/Distinct.c).
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"

bool cpuIsInline(MlirOperation op) {
  if (mlirOperationGetNumResults(op) == 0 || mlirOperationGetNumRegions(op)) return false;
  if (!tileTypeIsTile(mlirValueGetType(tileResult(op)))) return false;
  if (tileOpIsASlice(op)) {
    bool isBound = true;
    for (int d = 0; d < (int)mlirShapedTypeGetRank(mlirValueGetType(tileResult(op))); ++d)
      isBound &= tileSliceOffset(op, d) >= 0;
    return isBound;
  }
  return cpuIsElementwise(op) || tileOpIs(op, "arith.constant") || tileOpIsASplat(op) ||
         tileOpIsAArange(op) || tileOpIsALoad(op) || tileOpIsAAddPtr(op) || tileOpIsAPtrCast(op) ||
         tileOpIsAJoin(op) || tileOpIsASplit(op) || tileOpIsAGather(op) || tileOpIsAReshape(op) ||
         tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) || tileOpIsATrans(op);
}

/// Is repeating the op's own work to be avoided? Integer division is not among it: it stands in
/// offsets, where an expression says more than numbers in a buffer.
static bool isExpensive(MlirOperation op) {
  if (tileOpIsALoad(op) || tileOpIs(op, "arith.divf") || tileOpIs(op, "arith.remf")) return true;
  if (tileOpIs(op, "math.absf") || tileOpIs(op, "math.fma") || tileOpIs(op, "math.floor") ||
      tileOpIs(op, "math.ceil") || tileOpIs(op, "math.absi"))
    return false;
  if (tileOpIsOfDialect(op, "math")) return true;
  MlirType element = tileElementType(mlirValueGetType(tileResult(op)));
  // Rounding to these takes a dozen instructions.
  bool rounds =
      mlirTypeIsABF16(element) || (tileTypeIsFloat(element) && tileBitWidth(element) == 8);
  return rounds && tileOpIsOfDialect(op, "arith") && !tileOpIs(op, "arith.constant") &&
         !tileOpIs(op, "arith.select");
}

/// Does the op leave of integers nothing that an expression would say of them, as what grows from
/// lane to lane?
static bool mixes(MlirOperation op) {
  static const char *const names[] = {
      "arith.select", "arith.xori",    "arith.andi",  "arith.ori",  "arith.minsi",
      "arith.maxsi",  "arith.minui",   "arith.maxui", "arith.shli", "arith.shrsi",
      "arith.shrui",  "arith.bitcast", NULL};
  return tileOpIsOneOf(op, names);
}

/// Do an element's numbers follow from so many inline ops, one after the other, that nobody but one
/// reader should compute them? Positions stay: an expression says more than numbers in a buffer.
static bool isLong(CpuLowering *l, MlirOperation op) {
  const CpuSlot *slot = cpuFind(l, tileResult(op));
  if (slot->depth < CPU_SHARED_DEPTH) return false;
  MlirType element = tileElementType(mlirValueGetType(tileResult(op)));
  if (tileTypeIsFloat(element)) return true;
  return slot->isRead && mlirTypeIsAInteger(element) && tileBitWidth(element) > 1 && mixes(op);
}

//===- consumers ----------------------------------------------------------===//

/// The roots that an inline tile's elements end in.
typedef struct {
  MlirOperation op; ///< the one there is
  bool many;        ///< more than one
  bool repeated;    ///< one, but it needs elements more than once
  int budget;
} Consumers;

static void findConsumers(MlirValue tile, Consumers *found);

static void addConsumer(Consumers *found, MlirOperation op) {
  if (mlirOperationIsNull(found->op))
    found->op = op;
  else if (!mlirOperationEqual(found->op, op))
    found->many = true;
}

static void followUser(MlirOperation user, Consumers *found) {
  if (!cpuIsInline(user)) {
    addConsumer(found, user);
    return;
  }
  // Both need their source as a buffer, and as such read it.
  if (tileOpIsAGather(user) || tileOpIsAReshape(user)) {
    addConsumer(found, user);
    return;
  }
  Consumers after = {.budget = found->budget - 1};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(user); ++i)
    findConsumers(mlirOperationGetResult(user, i), &after);
  found->budget = after.budget;
  if (mlirOperationIsNull(after.op)) return;
  if (isExpensive(user) && (after.many || after.repeated)) {
    addConsumer(found, user);
    return;
  }
  addConsumer(found, after.op);
  found->many |= after.many;
  found->repeated |= after.repeated || tileOpIsABroadcast(user);
}

static void findConsumers(MlirValue tile, Consumers *found) {
  MlirOpOperand use = mlirValueGetFirstUse(tile);
  for (; !mlirOpOperandIsNull(use) && !found->many; use = mlirOpOperandGetNextUse(use)) {
    if (found->budget <= 0) found->many = true;
    followUser(mlirOpOperandGetOwner(use), found);
  }
}

//===- effects ------------------------------------------------------------===//

static MlirWalkResult visitWrite(MlirOperation op, void *data) {
  if (!(tileOpGetEffects(op) & TILE_WRITES_GLOBAL)) return MlirWalkResultAdvance;
  *(bool *)data = true;
  return MlirWalkResultInterrupt;
}

static bool writes(MlirOperation op) {
  bool found = false;
  mlirOperationWalk(op, visitWrite, &found, MlirWalkPreOrder);
  return found;
}

static bool writtenBetween(MlirOperation from, MlirOperation to) {
  MlirOperation op = mlirOperationGetNextInBlock(from);
  for (; !mlirOperationIsNull(op) && !mlirOperationEqual(op, to);
       op = mlirOperationGetNextInBlock(op))
    if (writes(op)) return true;
  return false;
}

static MlirValue rootOf(MlirValue pointer) {
  MlirOperation op = tileValueGetOp(pointer);
  while (!mlirOperationIsNull(op) && (tileOpIsAAddPtr(op) || tileOpIsAPtrCast(op)) &&
         tileTypeIsAPtr(mlirValueGetType(tileOperand(op, 0)))) {
    pointer = tileOperand(op, 0);
    op = tileValueGetOp(pointer);
  }
  return pointer;
}

/// Is the pointer made of a number? It may reach anything.
static bool isMade(MlirValue root) {
  MlirOperation op = tileValueGetOp(root);
  return !mlirOperationIsNull(op) && tileOpIsAPtrCast(op);
}

bool cpuIsSamePlaces(MlirValue a, MlirValue b) {
  if (mlirValueEqual(a, b)) return true;
  if (!tileTypeIsTile(mlirValueGetType(a))) {
    MlirValue first = rootOf(a), second = rootOf(b);
    return !isMade(first) && !isMade(second) && !mlirValueEqual(first, second);
  }
  MlirOperation x = tileValueGetOp(a), y = tileValueGetOp(b);
  if (mlirOperationIsNull(x) || mlirOperationIsNull(y)) return false;
  if (!mlirIdentifierEqual(mlirOperationGetName(x), mlirOperationGetName(y))) return false;
  if (tileOpIsAAddPtr(x))
    return mlirValueEqual(tileAddPtrGetOffset(x), tileAddPtrGetOffset(y)) &&
           cpuIsSamePlaces(tileAddPtrGetPtr(x), tileAddPtrGetPtr(y));
  if (tileOpIsASplat(x) || tileOpIsABroadcast(x))
    return cpuIsSamePlaces(tileOperand(x, 0), tileOperand(y, 0));
  if (tileOpIsAExpandDims(x))
    return tileExpandDimsGetAxis(x) == tileExpandDimsGetAxis(y) &&
           cpuIsSamePlaces(tileOperand(x, 0), tileOperand(y, 0));
  return false;
}

MlirValue cpuArgumentOf(CpuLowering *l, MlirValue pointers) {
  MlirOperation op = tileValueGetOp(pointers);
  while (!mlirOperationIsNull(op) &&
         (tileOpIsAAddPtr(op) || tileOpIsASplat(op) || tileOpIsABroadcast(op) ||
          tileOpIsAExpandDims(op) || tileOpIsATrans(op))) {
    pointers = tileOperand(op, 0);
    op = tileValueGetOp(pointers);
  }
  MlirValue none = {NULL};
  if (!mlirValueIsABlockArgument(pointers)) return none;
  return mlirBlockEqual(mlirBlockArgumentGetOwner(pointers), tileBody(l->kernel, 0)) ? pointers
                                                                                     : none;
}

/// May a load be emitted with a store through `pointers`, its only reader (Lanes/Distinct.c)?
static bool mayWait(CpuLowering *l, MlirOperation load, MlirValue pointers) {
  MlirValue from = cpuArgumentOf(l, tileLoadGetPtr(load)), to = cpuArgumentOf(l, pointers);
  return !mlirValueIsNull(from) && !mlirValueIsNull(to) && !mlirValueEqual(from, to);
}

//===- the decision -------------------------------------------------------===//

bool cpuShouldMaterialize(CpuLowering *l, MlirOperation op) {
  // Tested or printed, a load runs once, where it stands.
  if (l->checks && tileOpIsALoad(op)) return true;
  if (!isExpensive(op) && !isLong(l, op)) return false;
  Consumers found = {.budget = 200};
  findConsumers(tileResult(op), &found);
  if (mlirOperationIsNull(found.op)) return false;
  if (found.many || found.repeated) return true;
  MlirOperation here = tileAncestorIn(mlirOperationGetBlock(op), found.op);
  if (!mlirOperationEqual(here, found.op)) return true;
  if (!tileOpIsALoad(op)) return false;
  if (writtenBetween(op, found.op)) return true;
  bool isAtomic = tileOpIsAAtomicRmw(found.op) || tileOpIsAAtomicCas(found.op);
  if (!isAtomic && !tileOpIsAStore(found.op)) return false;
  MlirValue to = tileOperand(found.op, 0);
  if (!isAtomic && cpuIsSamePlaces(tileLoadGetPtr(op), to)) return false;
  return !mayWait(l, op, to);
}

bool cpuDiesAt(MlirValue value, MlirOperation user) {
  MlirOpOperand use = tileOnlyUse(value);
  if (mlirOpOperandIsNull(use) || !mlirOperationEqual(mlirOpOperandGetOwner(use), user))
    return false;
  return mlirBlockEqual(tileValueGetBlock(value), mlirOperationGetBlock(user));
}

//===- which buffers an expression reads ----------------------------------===//

typedef struct {
  CpuLowering *l;
  MlirValue pointer;
  bool reads, elsewhere;
  int budget;
} Reading;

static void followReads(Reading *r, MlirValue tile, bool moved) {
  CpuSlot *slot = cpuFind(r->l, tile);
  if (!slot || slot->form == CPU_SCALAR) return;
  if (--r->budget < 0) {
    r->reads = r->elsewhere = true;
    return;
  }
  if (slot->form == CPU_INDUCTION) {
    followReads(r, slot->start, moved);
    return;
  }
  if (slot->form == CPU_BUFFER) {
    if (!mlirValueEqual(slot->buffer.pointer, r->pointer)) return;
    r->reads = true;
    r->elsewhere |= moved;
    return;
  }
  MlirOperation op = tileValueGetOp(tile);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    followReads(r, tileOperand(op, i), moved || !cpuIsElementwise(op));
}

bool cpuReads(CpuLowering *l, MlirValue tile, MlirValue pointer, bool *elsewhere) {
  Reading r = {.l = l, .pointer = pointer, .budget = 500};
  followReads(&r, tile, false);
  *elsewhere = r.elsewhere;
  return r.reads;
}
