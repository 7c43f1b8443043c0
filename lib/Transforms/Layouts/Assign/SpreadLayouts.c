//===- SpreadLayouts.c - choose the layouts of a kernel's values ----------===//
//
// From the anchors (loads, stores, dots) to all that is computed once; see the story
// in AssignLayouts.c. A round forward, and where that finds nothing new a round
// backward, until nothing changes. Then rows and columns that were repeated may decide;
// and a value that nobody decides gets the default layout, and it starts again.
//
//===----------------------------------------------------------------------===//
#include "../Converted.h"
#include "Assigner.h"
#include "tile/Analysis/Stored.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/ValueSearch.h"

/// Can the op make its result so? A join has both halves of an element in one thread, in two
/// registers.
static bool canMake(const TileAssigner *a, MlirValue value, MlirAttribute layout) {
  MlirOperation op = tileValueGetOp(value);
  return mlirOperationIsNull(op) || !tileOpIsAJoin(op) ||
         !mlirAttributeIsNull(tileLayoutBackward(&a->rules, op, 0, layout));
}

/// Sets it where it is not known yet.
static void suggest(TileAssigner *a, MlirValue value, MlirAttribute layout) {
  if (mlirAttributeIsNull(layout) || !tileValueIsTile(value) || !canMake(a, value, layout)) return;
  TileValueInfo *info = tileAssignerFind(a, value);
  if (!info || info->class == TILE_LAYOUT_FLEXIBLE || !mlirAttributeIsNull(info->layout)) return;
  info->layout = layout;
  a->changed = true;
  tileAssignerWakeReaders(a, value);
}

static bool isFlexible(const TileAssigner *a, MlirValue value) {
  return tileAssignerFind(a, value)->class == TILE_LAYOUT_FLEXIBLE;
}

/// May users decide the layout of `value`? Not where its op does: loads, dots, reductions. A box
/// can be read from shared memory in any, and so can what is gathered at indices that are had in
/// any.
static bool isFree(const TileAssigner *a, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (!mlirOperationIsNull(op) && tileOpIsAGather(op))
    return isFlexible(a, tileGatherGetIndices(op));
  return mlirOperationIsNull(op) || tileOpIsOfDialect(op, "scf") || tileOpIsElementwise(op) ||
         tileOpIsShapeChange(op) || tileOpIsAJoin(op) || tileOpIsADescLoad(op);
}

//===- carried values -----------------------------------------------------===//

static bool isDot(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  return !mlirOperationIsNull(op) && tileOpIsADot(op);
}

static int64_t weigh(const TileAssigner *a, MlirValue value);
static MlirAttribute accessLayout(const TileAssigner *a, MlirOperation op);

static bool isWhole(const TileAssigner *a, MlirValue value, int64_t elements) {
  return tileValueIsTile(value) && tileAssignerFind(a, value)->class != TILE_LAYOUT_FLEXIBLE &&
         weigh(a, value) >= elements;
}

enum { DEEPEST = 8 }; // ops that a value's layout is looked for behind

typedef struct {
  const TileAssigner *a;
  MlirBlock body;
  bool ofDots; ///< look for sums of dots alone
  bool rows;   ///< and for what is reduced of these
} Steps;

/// The layout in which `value` is computed in the body, element by element, from dots there, or
/// from loads and from what has one in front, a row also by reductions; null where none is found.
static MlirAttribute layoutInBody(const Steps *s, MlirValue value, int depth) {
  MlirOperation op = tileValueGetOp(value);
  MlirAttribute found = mlirAttributeGetNull();
  if (!tileBlockHolds(s->body, tileValueGetBlock(value)))
    return s->ofDots ? found : tileAssignerLayoutOf(s->a, value);
  if (mlirOperationIsNull(op) || depth == 0) return found;
  if (tileOpIsADot(op)) return tileAssignerLayoutOf(s->a, value);
  if (tileOpIsALoad(op) && !s->ofDots) return accessLayout(s->a, op);
  if (tileOpIsAReduce(op) && s->rows) {
    MlirAttribute whole = layoutInBody(s, tileOperand(op, 0), depth - 1);
    return mlirAttributeIsNull(whole) ? whole : tileLayoutForward(&s->a->rules, op, whole);
  }
  if (!tileOpIsElementwise(op)) return found;
  int64_t elements = tileNumElements(mlirValueGetType(value));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && mlirAttributeIsNull(found); ++i)
    if (isWhole(s->a, tileOperand(op, i), elements))
      found = layoutInBody(s, tileOperand(op, i), depth - 1);
  return found;
}

/// The layout of what a loop's steps add to the set, where that has one of its own: what comes in,
/// the sum of a dot in front say or a tile or row from memory, is converted once, and not what each
/// step adds. Of a loop with dots theirs counts alone, and what is reduced of these.
static MlirAttribute layoutOfSteps(const TileAssigner *a, const TileTied *ties, int n) {
  if (n != 4 || mlirOperationIsNull(ties[2].op) || !tileOpIs(ties[2].op, "scf.for"))
    return mlirAttributeGetNull();
  bool ofDots = tileHoldsDot(ties[2].op);
  Steps steps = {.a = a, .body = tileBody(ties[2].op, 0), .ofDots = ofDots, .rows = ofDots};
  return layoutInBody(&steps, ties[1].value, DEEPEST);
}

/// The first layout that is known of those defined here holds for all of these.
static void spreadDefined(TileAssigner *a, const TileTied *ties, int n) {
  MlirAttribute layout = mlirAttributeGetNull();
  for (int i = 0; i < n && mlirAttributeIsNull(layout); ++i)
    if (mlirOperationIsNull(ties[i].op)) layout = tileAssignerLayoutOf(a, ties[i].value);
  for (int i = 0; i < n; ++i)
    if (mlirOperationIsNull(ties[i].op)) suggest(a, ties[i].value, layout);
}

/// The loop or branch that a value is carried by; null for others.
static MlirOperation findCarrier(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) op = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return tileOpIsOfDialect(op, "scf") ? op : (MlirOperation){NULL};
}

/// Suggests it for all names that a loop or branch has for `value`, before a user of another one
/// asks for another layout.
static void suggestCarried(TileAssigner *a, MlirValue value, MlirAttribute layout) {
  suggest(a, value, layout);
  MlirOperation carrier = findCarrier(value);
  if (!mlirOperationIsNull(carrier)) tileAssignerVisitTies(a, carrier, spreadDefined);
}

/// The layout of a loop's steps, else of a dot, else the first that is known in a
/// set, holds for all that are defined here: a conversion in front of a loop is cheaper than one in
/// it. One of these that has a layout, from a loop around this one or behind it, has decided.
static void spreadTies(TileAssigner *a, const TileTied *ties, int n) {
  MlirAttribute layout = mlirAttributeGetNull();
  for (int i = 0; i < n && mlirAttributeIsNull(layout); ++i)
    if (mlirOperationIsNull(ties[i].op)) layout = tileAssignerLayoutOf(a, ties[i].value);
  if (mlirAttributeIsNull(layout)) layout = layoutOfSteps(a, ties, n);
  for (int i = 0; i < n && mlirAttributeIsNull(layout); ++i)
    if (isDot(ties[i].value)) layout = tileAssignerLayoutOf(a, ties[i].value);
  for (int i = 0; i < n && mlirAttributeIsNull(layout); ++i)
    layout = tileAssignerLayoutOf(a, ties[i].value);
  for (int i = 0; i < n; ++i)
    if (isFree(a, ties[i].value)) suggestCarried(a, ties[i].value, layout);
}

//===- accesses that come as their values lie -----------------------------===//

/// Do neighbouring lanes of `layout` hold whole sectors of what `access` points at?
static bool fillsSectors(const TileAssigner *a, MlirOperation access, MlirType type,
                         MlirAttribute layout) {
  int order[TILE_MAX_RANK];
  TileLayout own = tileLayoutOn(layout, type);
  if (!tileLayoutIsValid(own) || own.rank < 1) return false;
  tileAxisAccessOrder(a->rules.axis, tileOperand(access, 0), order);
  int64_t bytes = tileLayoutRun(own, order[0]) * tileBitWidth(tileElementType(type)) / 8;
  return bytes >= tileMachineNumber(tileMachineOf(access), TILE_NUMBER_SECTOR_BYTES);
}

/// The dot whose sum begins with what `load` reads, and nobody else looks at; null: there is none.
static MlirOperation onlyStarts(MlirOperation load) {
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(load));
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return (MlirOperation){NULL};
  MlirOperation user = mlirOpOperandGetOwner(use);
  bool starts = tileOpIsADot(user) && mlirOpOperandGetOperandNumber(use) == 2;
  return starts ? user : (MlirOperation){NULL};
}

/// Is it added to memory, at places that cost nothing in another layout? Pointers that have one, as
/// those that follow from what was loaded, are wider than what is added: that is converted.
static bool isAdded(const TileAssigner *a, MlirOperation op) {
  return tileOpIsAAtomicRmw(op) && tileValueIsTile(tileAtomicRmwGetValue(op)) &&
         isFlexible(a, tileAtomicRmwGetPtr(op)) &&
         mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(op)));
}

/// The layout of an access. Sums of dots that are read, or added to memory, as they lie go without
/// a conversion there, where lanes still share whole sectors. What is looked up lies as the
/// pointers do. Null where it is not known yet.
static MlirAttribute accessLayout(const TileAssigner *a, MlirOperation op) {
  MlirAttribute own = mlirAttributeGetNull();
  if (tileAssignerLooksUp(a, op)) own = tileAssignerLayoutOf(a, tileLoadGetPtr(op));
  if (!mlirAttributeIsNull(own)) return own;
  MlirOperation dot = tileOpIsALoad(op) ? onlyStarts(op) : (MlirOperation){NULL};
  if (!mlirOperationIsNull(dot)) own = tileAssignerLayoutOf(a, tileResult(dot));
  bool adds = isAdded(a, op);
  if (adds) own = tileAssignerLayoutOf(a, tileAtomicRmwGetValue(op));
  if (!fillsSectors(a, op, mlirValueGetType(tileResult(op)), own))
    own = tileAssignerOfAccess(a, op);
  return adds ? tileAssignerAddedSideBySide(a, op, own) : own;
}

//===- spreading ----------------------------------------------------------===//

/// The elements that a conversion of `value` would have to move: of what changes of shape were made
/// of, before they repeated anything.
static int64_t weigh(const TileAssigner *a, MlirValue value) {
  int64_t elements = tileNumElements(mlirValueGetType(value));
  while (tileAssignerFind(a, value)->class == TILE_LAYOUT_MOVABLE) {
    value = tileOperand(tileValueGetOp(value), 0);
    int64_t before = tileNumElements(mlirValueGetType(value));
    if (before < elements) elements = before;
  }
  return elements;
}

bool tileAssignerFollows(const TileAssigner *a, MlirOperation op, MlirValue operand) {
  int64_t own = weigh(a, operand);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue other = tileOperand(op, i);
    if (tileValueIsTile(other) && !isFlexible(a, other) && weigh(a, other) > own) return true;
  }
  return false;
}

/// Bits of an element that are stored of `value`; 0 where anything else looks at it.
static int64_t storedBits(MlirValue value) {
  bool isRead;
  int64_t bits = tileStoredBits(value, NULL, NULL, &isRead);
  return isRead ? 0 : bits;
}

/// A tile from memory that `value` is computed from, element by element; null: there is none, or
/// what is made of it and of dots is not for stores alone.
static MlirOperation findLoaded(const Steps *ofDots, MlirValue value, int depth) {
  MlirOperation op = tileValueGetOp(value), found = {NULL};
  if (mlirOperationIsNull(op) || depth == 0) return found;
  if (tileOpIsALoad(op)) return op;
  bool hasDots = !mlirAttributeIsNull(layoutInBody(ofDots, value, DEEPEST));
  if (!tileOpIsElementwise(op) || (hasDots && !storedBits(value))) return found;
  int64_t elements = tileNumElements(mlirValueGetType(value));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && mlirOperationIsNull(found); ++i)
    if (isWhole(ofDots->a, tileOperand(op, i), elements))
      found = findLoaded(ofDots, tileOperand(op, i), depth - 1);
  return found;
}

/// The layout of memory for what brings a tile there up to date, as a sum that a dot's is added to:
/// the dot's is then converted, and not what is loaded and what is stored. Null where the dot's has
/// more bits than both.
static MlirAttribute layoutOfUpdate(const Steps *ofDots, MlirOperation op) {
  MlirOperation load = findLoaded(ofDots, tileResult(op), DEEPEST);
  if (mlirOperationIsNull(load)) return mlirAttributeGetNull();
  int64_t bits = tileBitWidth(tileElementType(mlirValueGetType(tileResult(load))));
  bits += storedBits(tileResult(op));
  bool pays = bits >= tileBitWidth(tileElementType(mlirValueGetType(tileResult(op))));
  return pays ? accessLayout(ofDots->a, load) : mlirAttributeGetNull();
}

/// The layout of dots of the step that an element-wise op of a loop computes with, beside tiles
/// from memory; null where there are none. Converted would be sums of 32 bits that the rest of the
/// step waits for; what is loaded is often narrower, and may come out of shared memory as it is
/// wanted.
static MlirAttribute layoutOfStepsDots(const TileAssigner *a, MlirOperation op) {
  MlirOperation loop = mlirOperationGetParentOperation(op);
  if (!tileOpIs(loop, "scf.for")) return mlirAttributeGetNull();
  Steps steps = {.a = a, .body = tileBody(loop, 0), .ofDots = true};
  MlirAttribute ofDots = layoutInBody(&steps, tileResult(op), DEEPEST);
  if (mlirAttributeIsNull(ofDots)) return ofDots;
  MlirAttribute update = layoutOfUpdate(&steps, op);
  return mlirAttributeIsNull(update) ? ofDots : update;
}

//===- what is made of sums behind loops ----------------------------------===//

/// Element-wise ops that read one another, dots' sums and memory, and are for stores alone.
typedef struct {
  const TileAssigner *a;
  int64_t elements, memoryBits, dotBits; ///< bits of an element of all that is loaded and stored
  MlirOperation load;                    ///< one of those
  int left;                              ///< values that are looked at still
} Epilogue;

/// Values of what is made of sums that are looked at, for each of its ops: more are nobody's
/// epilogue.
enum { MOST_VALUES = 256 };

/// Is `value` the sum of a dot, as a loop may hand it on?
static bool isSum(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return false;
  return tileOpIs(op, "scf.for") ? isDot(tileOperand(mlirBlockGetTerminator(tileBody(op, 0)),
                                                     mlirOpResultGetResultNumber(value)))
                                 : tileOpIsADot(op);
}

/// Adds up what `value` is; true where something else than stores looks at it, or there are too
/// many.
static bool addToEpilogue(TileValueSearch *s, MlirValue value, const void *data) {
  Epilogue *e = *(Epilogue *const *)data;
  if (!e->left--) return true;
  MlirOperation op = tileValueGetOp(value);
  int64_t bits = tileBitWidth(tileElementType(mlirValueGetType(value)));
  bool isLoad = !mlirOperationIsNull(op) && tileOpIsALoad(op);
  if (isLoad) e->load = op;
  if (isLoad) e->memoryBits += bits;
  if (isSum(value)) e->dotBits += bits;
  if (mlirOperationIsNull(op) || !tileOpIsElementwise(op) || isLoad) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (isWhole(e->a, tileOperand(op, i), e->elements)) tileValueSearchAdd(s, tileOperand(op, i));
  bool isRead = false;
  e->memoryBits += tileStoredAdd(s, value, NULL, NULL, &isRead);
  return isRead;
}

/// The layout of memory for what dots' sums become behind their loops where more bits are loaded
/// and stored than the sums have: these are then converted, and not each of those.
static MlirAttribute layoutOfEpilogue(const TileAssigner *a, MlirOperation op) {
  MlirValue result = tileResult(op);
  Epilogue found = {.a = a, .elements = tileNumElements(mlirValueGetType(result))}, *e = &found;
  bool isLarge = a->hasDots && tileValueIsTile(result) && isWhole(a, result, e->elements);
  e->left = MOST_VALUES;
  if (!isLarge || tileOpIs(mlirOperationGetParentOperation(op), "scf.for") ||
      tileValueSearchFinds(result, addToEpilogue, &e) || !found.dotBits ||
      mlirOperationIsNull(found.load) || found.memoryBits <= found.dotBits)
    return mlirAttributeGetNull();
  return accessLayout(a, found.load);
}

/// The layout that an element-wise op takes from its operands: that of one that would be dear to
/// convert, whatever their order; of several that are as dear what others are stored in as well
/// (MeetingLayouts.c). A row or column that was made as large as the others decides only
/// when nothing else does (`a->late`).
static MlirAttribute inferElementwise(const TileAssigner *a, MlirOperation op) {
  MlirAttribute best = a->late ? mlirAttributeGetNull() : layoutOfStepsDots(a, op);
  if (mlirAttributeIsNull(best)) best = tileAssignerOfReducedRow(a, op);
  if (!mlirAttributeIsNull(best)) return best;
  int64_t most = a->late ? 0 : tileNumElements(mlirValueGetType(tileResult(op))) - 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    MlirAttribute layout = tileAssignerLayoutOf(a, operand);
    int64_t own = mlirAttributeIsNull(layout) ? 0 : weigh(a, operand);
    if (own < most || !own || (own == most && !tileAssignerPrefers(a, op, layout, best))) continue;
    most = own;
    best = layout;
  }
  bool repeated = a->late && most < tileNumElements(mlirValueGetType(tileResult(op)));
  return mlirAttributeIsNull(best) || !repeated ? best
                                                : tileAssignerOfReduced(a, tileResult(op), best);
}

/// Do its operands come in any layout that it likes?
static bool hasFlexibleOperands(const TileAssigner *a, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (tileValueIsTile(operand) && !isFlexible(a, operand)) return false;
  }
  return true;
}

/// Will a later round tell what lies where?
static bool isOpen(const TileAssigner *a, MlirOperation access) {
  bool isLookup = tileAssignerLooksUp(a, access);
  if (!isLookup && !isAdded(a, access)) return false;
  MlirValue decides = isLookup ? tileLoadGetPtr(access) : tileAtomicRmwGetValue(access);
  TileValueInfo *info = tileAssignerFind(a, decides);
  return info && info->class != TILE_LAYOUT_FLEXIBLE && mlirAttributeIsNull(info->layout);
}

/// What the op's result gets from its operands, or from itself when it is an anchor.
static MlirAttribute inferForward(const TileAssigner *a, MlirOperation op) {
  if (tileOpIsAccess(op)) return isOpen(a, op) ? mlirAttributeGetNull() : accessLayout(a, op);
  if (tileOpIsADot(op)) return tileLayoutOfDot(&a->rules, op, tileAssignerUndivided(a, op));
  // What is gathered lies as its indices do, wherever the source lies.
  if (tileOpIsAGather(op)) return tileAssignerLayoutOf(a, tileGatherGetIndices(op));
  if (tileOpIsElementwise(op)) {
    MlirAttribute best = layoutOfEpilogue(a, op);
    if (mlirAttributeIsNull(best)) best = inferElementwise(a, op);
    // What takes long to compute of indices lies as its readers like it, an effect as it comes.
    return mlirAttributeIsNull(best) && hasFlexibleOperands(a, op) && tileOpGetEffects(op)
               ? tileLayoutDefault(&a->rules, mlirValueGetType(tileResult(op)))
               : tileAssignerOfScanned(a, op, best);
  }
  bool open = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (!tileValueIsTile(operand) || tileAssignerFollows(a, op, operand)) continue;
    MlirAttribute layout = tileAssignerLayoutOf(a, operand);
    if (!mlirAttributeIsNull(layout))
      return tileAssignerOfScanned(a, op, tileLayoutForward(&a->rules, op, layout));
    open |= tileAssignerFind(a, operand)->class != TILE_LAYOUT_FLEXIBLE;
    // All operands of a reduction will have the first one's layout: its results wait for that.
    if (open && tileOpIsAReduce(op)) break;
  }
  // Nothing but flexible operands: they come in the default layout.
  if (open || mlirOperationGetNumOperands(op) == 0 || !tileValueIsTile(tileOperand(op, 0)))
    return mlirAttributeGetNull();
  return tileLayoutForward(&a->rules, op,
                           tileLayoutDefault(&a->rules, mlirValueGetType(tileOperand(op, 0))));
}

static void spreadForward(TileAssigner *a) {
  TileWorklist *waiting = &a->waiting[a->late ? TILE_ROUND_LATE : TILE_ROUND_FORWARD];
  size_t i = tileWorklistNext(waiting, 0);
  for (; i != TILE_WORKLIST_END; i = tileWorklistNext(waiting, i + 1)) {
    MlirOperation op = a->ops[i];
    tileAssignerVisitTies(a, op, spreadTies);
    if (!tileHasTileResult(op) || tileOpIsOfDialect(op, "scf")) continue;
    MlirAttribute layout = inferForward(a, op);
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
      suggest(a, mlirOperationGetResult(op, r), layout);
  }
}

static void spreadBackward(TileAssigner *a) {
  TileWorklist *waiting = &a->waiting[TILE_ROUND_BACKWARD];
  size_t n = tileWorklistPrevious(waiting, a->numOps);
  for (; n != TILE_WORKLIST_END; n = tileWorklistPrevious(waiting, n)) {
    MlirOperation op = a->ops[n];
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = tileOperand(op, i);
      if (tileValueIsTile(operand) && isFree(a, operand))
        suggestCarried(a, operand, tileAssignerWanted(a, op, i));
    }
  }
}

/// The layout of a value that nobody asks anything of: a box's elements are read from shared memory
/// in accesses that are as wide as there are.
static MlirAttribute settledLayout(const TileAssigner *a, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  bool isBox = !mlirOperationIsNull(op) && tileOpIsADescLoad(op);
  return (isBox ? tileLayoutOfBox : tileLayoutDefault)(&a->rules, mlirValueGetType(value));
}

/// Sets the first fixed value that still has no layout to the default; false when there is none.
static bool settleOne(TileAssigner *a) {
  for (; a->settled < a->numOps; ++a->settled) {
    MlirOperation op = a->ops[a->settled];
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = tileOperand(op, i);
      TileValueInfo *info = tileValueIsTile(operand) ? tileAssignerFind(a, operand) : NULL;
      if (!info || info->class == TILE_LAYOUT_FLEXIBLE || !mlirAttributeIsNull(info->layout))
        continue;
      suggest(a, operand, settledLayout(a, operand));
      return a->changed;
    }
  }
  if (!a->unread) a->unread = tilePointerTableFirst(a->values);
  for (TileValueInfo *info = a->unread; info; info = tilePointerTableNext(info)) {
    a->unread = info;
    if (info->class != TILE_LAYOUT_FLEXIBLE && mlirAttributeIsNull(info->layout)) {
      suggest(a, info->value, settledLayout(a, info->value));
      return a->changed;
    }
  }
  return false;
}

/// Is `value`, or what follows from it element by element, B of a dot by wgmma? `data`: whether it
/// may follow by ops that move elements alone.
static bool reachesB(TileValueSearch *s, MlirValue value, const void *data) {
  bool moves = *(const bool *)data;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpIsWgmma(user) && mlirOpOperandGetOperandNumber(use) == 1) return true;
    if (tileOpIsADot(user) || !tileOpConverts(user)) continue;
    if (!moves || tileOpMovesElements(user)) tileValueSearchAdd(s, tileResult(user));
  }
  return false;
}

/// Do threads compute B of a dot by wgmma of the box, and store it for the dot? A box that is B as
/// it is, or turned round, is read as that wants.
static bool isComputedForB(MlirValue box) {
  bool moves = true, computes = false;
  return tileValueSearchFinds(box, reachesB, &computes) &&
         !tileValueSearchFinds(box, reachesB, &moves);
}

/// Has the program more threads than the box has rows? A column of scales, one for each row, would
/// leave the others of them single elements of a row.
static bool hasFewRows(const TileAssigner *a, MlirOperation load) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(tileResult(load)), shape);
  return rank == 2 && shape[0] < 32 * a->rules.numWarps;
}

/// What an operand is computed of, element by element, and turned round, lies as the dot takes it
/// from registers.
static void suggestComputed(TileAssigner *a, MlirValue value, MlirAttribute layout) {
  MlirOperation op = tileValueGetOp(value);
  if (!tileValueIsTile(value) || mlirOperationIsNull(op) || mlirAttributeIsNull(layout) ||
      isFlexible(a, value) || !mlirAttributeIsNull(tileAssignerLayoutOf(a, value)))
    return;
  if (tileOpIsATrans(op)) {
    suggest(a, value, layout);
    suggestComputed(a, tileOperand(op, 0), tileLayoutBackward(&a->rules, op, 0, layout));
  }
  if (!tileOpIsElementwise(op)) return;
  suggest(a, value, layout);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    suggestComputed(a, tileOperand(op, i), layout);
}

/// Before anything else decides: products, what is computed of copies for them, and boxes that
/// threads compute B of, where what scales want would divide rows too finely: they are read and
/// stored again in accesses as wide as there are, and scales are little to convert.
static void beginSpread(TileAssigner *a) {
  for (size_t i = 0; i < a->numOps; ++i) {
    MlirOperation op = a->ops[i];
    if (tileOpIsADot(op)) suggest(a, tileResult(op), inferForward(a, op));
    for (int k = 0; k < 2 && tileOpIsADot(op); ++k)
      if (tileIsComputedOfCopies(&a->rules, tileOperand(op, k), op))
        suggestComputed(
            a, tileOperand(op, k),
            tileLayoutOfFragments(&a->rules, op, k, tileAssignerLayoutOf(a, tileResult(op))));
    if (!tileOpIsADescLoad(op) || !isComputedForB(tileResult(op))) continue;
    MlirType type = mlirValueGetType(tileResult(op));
    suggest(a, tileResult(op),
            (hasFewRows(a, op) ? tileLayoutOfBox : tileLayoutOfWholeRows)(&a->rules, type));
  }
}

void tileAssignerSpread(TileAssigner *a) {
  tileAssignerBeginRounds(a);
  beginSpread(a);
  do {
    do {
      a->changed = a->late = false;
      spreadForward(a);
      if (!a->changed) spreadBackward(a);
      if (a->changed) continue;
      a->late = true;
      spreadForward(a);
    } while (a->changed);
  } while (settleOne(a));
  tileAssignerEndRounds(a);
}

//===- demands ------------------------------------------------------------===//

static MlirAttribute tieLayout(const TileAssigner *a, MlirOperation user, intptr_t i) {
  MlirOperation parent = mlirOperationGetParentOperation(user);
  if (tileOpIs(user, "scf.for"))
    return tileAssignerLayoutOf(a, mlirOperationGetResult(user, i - 3));
  if (tileOpIs(user, "scf.while"))
    return tileAssignerLayoutOf(a, mlirBlockGetArgument(tileBody(user, 0), i));
  if (tileOpIs(user, "scf.condition"))
    return tileAssignerLayoutOf(a, mlirOperationGetResult(parent, i - 1));
  if (tileOpIs(parent, "scf.while"))
    return tileAssignerLayoutOf(a, mlirBlockGetArgument(tileBody(parent, 0), i));
  return tileAssignerLayoutOf(a, mlirOperationGetResult(parent, i));
}

MlirAttribute tileAssignerWanted(const TileAssigner *a, MlirOperation op, intptr_t i) {
  if (tileOpIsAStore(op)) return tileAssignerOfStore(a, op);
  if (tileOpIsADescStore(op))
    return tileLayoutOfPaddedBox(&a->rules, op, tileAssignerLayoutOf(a, tileDescStoreGetValue(op)));
  if (tileOpIsAccess(op)) return accessLayout(a, op);
  if (tileOpIsADot(op))
    return i == 2   ? tileAssignerLayoutOf(a, tileResult(op))
           : i == 0 ? tileLayoutOfConvertedA(&a->rules, op)
                    : tileLayoutOfTurnedB(&a->rules, op);
  if (tileOpIsOfDialect(op, "scf")) return tieLayout(a, op, i);
  if (!tileHasTileResult(op)) return mlirAttributeGetNull();
  return tileLayoutBackward(&a->rules, op, i, tileAssignerLayoutOf(a, tileResult(op)));
}
