//===- StepAhead.c - a load that starts a step before it is wanted --------===//
#include "StepAhead.h"
#include "../Loops.h"
#include "../ValueMap.h"
#include "tile/Support/ValueSearch.h"
#include "tile/Trace.h"

enum { maxDepth = 32 };

typedef struct {
  MlirOperation loop;
  MlirBlock body;
  TileValueMap first, next; ///< what stands for values of a step in front of the loop, in the next
} Ahead;

static bool isOfBody(const Ahead *a, MlirValue value) {
  return mlirBlockEqual(tileValueGetBlock(value), a->body);
}

/// Values that are wanted in front of the loop, or a step ahead in it, each once.
typedef struct {
  TileValueSearch ahead[2]; ///< [1]: in front of the loop
} Wanted;

/// Can `value` be computed there, once what it adds to `more` can?
static bool follows(const Ahead *a, MlirValue value, bool first, Wanted *more) {
  if (!isOfBody(a, value)) return !tileBlockHolds(a->body, tileValueGetBlock(value));
  if (mlirValueIsABlockArgument(value)) {
    if (first || mlirBlockArgumentGetArgNumber(value) == 0) return true;
    // Of this step's values: the same question as in front of the loop, but for where it begins.
    tileValueSearchAdd(&more->ahead[true], tileCarriedNext(value));
    return true;
  }
  MlirOperation op = tileValueGetOp(value);
  if (!tileOpIsMovable(op) || mlirOperationGetNumRegions(op)) return false;
  tileValueSearchAddOperands(&more->ahead[first], op);
  return true;
}

static void clearWanted(Wanted *w) {
  for (int first = 0; first < 2; ++first) tileValueSearchClear(&w->ahead[first]);
}

/// The same of all values, each of which is `left` ops or fewer from what the load reads.
static bool allFollow(const Ahead *a, Wanted *w, int left) {
  Wanted more = {0};
  bool ok = true;
  for (int first = 0; first < 2; ++first)
    for (TileValueSearch *s = &w->ahead[first]; ok && s->count;) {
      MlirValue value = s->stack[--s->count];
      ok = (left || !isOfBody(a, value)) && follows(a, value, first, &more);
    }
  bool isDone = !more.ahead[0].count && !more.ahead[1].count;
  ok = ok && (isDone || allFollow(a, &more, left - 1));
  clearWanted(&more);
  return ok;
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
    MlirValue made = build(a, b, &same, tileCarriedNext(value));
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

void tileCloneLoadWhere(TileBuilder *b, TileValueMap *map, MlirOperation load, MlirValue exists) {
  MlirType type = mlirValueGetType(tileResult(load));
  MlirLocation outside = b->location;
  b->location = mlirOperationGetLocation(load); // what is said of the load is said there
  MlirValue other = tileLoadGetOther(load), mask = tileLoadGetMask(load);
  MlirValue operands[3] = {tileValueMapGet(*map, tileLoadGetPtr(load)), exists};
  if (tileTypeIsTile(type))
    operands[1] =
        tileBuildUnary(b, "tile.splat", tileWithElement(type, tileI1(b->context)), exists);
  if (!mlirValueIsNull(mask))
    operands[1] = tileBuildBinary(b, "arith.andi", tileValueMapGet(*map, mask), operands[1]);
  if (!mlirValueIsNull(other)) operands[2] = tileValueMapGet(*map, other);
  int32_t sizes[3] = {1, 1, !mlirValueIsNull(other)};
  MlirOperation made = tileBuildOp(b, "tile.load", 2 + sizes[2], operands, 1, &type, TILE_NONE, 0);
  tileCopyAttributes(load, made);
  mlirOperationSetAttributeByName(made, tileString("operandSegmentSizes"),
                                  mlirDenseI32ArrayGet(b->context, 3, sizes));
  tileValueMapSet(map, tileResult(load), tileResult(made));
  b->location = outside;
}

/// `load` of the step that `map` stands for, where `exists` (i1): else it reads nothing.
static MlirValue buildLoad(Ahead *a, TileBuilder *b, TileValueMap *map, MlirOperation load,
                           MlirValue exists) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(load); ++i)
    tileValueMapSet(map, tileOperand(load, i), build(a, b, map, tileOperand(load, i)));
  tileCloneLoadWhere(b, map, load, exists);
  return tileValueMapGet(*map, tileResult(load));
}

bool tileFollowsFromStep(MlirOperation loop, MlirOperation load) {
  Ahead a = {.loop = loop, .body = tileBody(loop, 0)};
  Wanted wanted = {0};
  for (int first = 0; first < 2; ++first) tileValueSearchAddOperands(&wanted.ahead[first], load);
  bool ok = allFollow(&a, &wanted, maxDepth);
  clearWanted(&wanted);
  return ok;
}

/// The values of the first step, in front of the loop.
static void setFirst(Ahead *a) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(a->body); ++i)
    tileValueMapSet(&a->first, mlirBlockGetArgument(a->body, i),
                    tileOperand(a->loop, i == 0 ? 0 : i + 2));
}

MlirOperation tileStartStepAhead(MlirOperation loop, MlirOperation load, MlirOperation behind) {
  Ahead a = {.loop = loop, .body = tileBody(loop, 0)};
  setFirst(&a);
  MlirValue lower = tileForGetLower(loop), upper = tileForGetUpper(loop);
  int less = mlirAttributeIsNull(tileAttr(loop, "unsignedCmp")) ? TILE_SLT : TILE_ULT;
  TileBuilder front = tileBuilderBefore(loop);
  MlirValue any = tileBuildCmpi(&front, less, lower, upper);
  MlirValue first = buildLoad(&a, &front, &a.first, load, any);
  TileBuilder b = tileBuilderAfter(behind);
  MlirValue iv = mlirBlockGetArgument(a.body, 0);
  MlirValue next = tileBuildBinary(&b, "arith.addi", iv, tileForGetStep(loop));
  tileValueMapSet(&a.next, iv, next);
  MlirValue more = tileBuildCmpi(&b, less, next, upper);
  MlirValue ahead = buildLoad(&a, &b, &a.next, load, more);
  loop = tileExtendFor(loop, 1, &first);
  MlirBlock body = tileBody(loop, 0);
  tileExtendYield(body, 1, &ahead);
  MlirValue carried = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  tileTrace(mlirOperationGetLocation(load), "load starts a step ahead");
  tileReplaceOp(load, TILE_VALUES(carried));
  tileValueMapClear(&a.first);
  tileValueMapClear(&a.next);
  return loop;
}
