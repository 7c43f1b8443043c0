//===- Analysis.c - axis analysis: the walk over a kernel -----------------===//
//
// Blocks are evaluated in order. A loop starts from the optimistic guess that
// what it carries looks on every trip as it does on the first, evaluates its
// body, joins what comes back, and repeats until nothing changes: run lengths
// only shrink to divisors, divisibility only halves, ranges are widened from
// the third round on, and what still moves in the eighth is given up. The
// facts of the last round are the result, so they hold on every trip.
//
//===----------------------------------------------------------------------===//
#include "AxisFacts.h"
#include "tile/MachineNumbers.h"
#include <stdlib.h>

/// Rounds of a loop with exact ranges, and rounds after which a value that changes is given up.
enum { EXACT_ROUNDS = 2, PATIENT_ROUNDS = 8 };

static void setArguments(TileAxisAnalysis *a, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    axisSetUnknown(a, mlirBlockGetArgument(block, i));
}

//===- control flow -------------------------------------------------------===//

static void evaluateBlock(TileAxisAnalysis *a, MlirBlock block);

/// Joins what comes back into `value`, as round `round` of a loop; true where that changed it.
static bool feedBack(TileAxisAnalysis *a, MlirValue value, MlirValue back, int round) {
  AxisType type = axisTypeOfValue(value);
  TileAxisInfo now = axisGetFact(a, value), next = axisGetFact(a, back);
  next = axisJoin(&now, &next, type);
  if (round >= EXACT_ROUNDS) next = axisNormal(axisWiden(&now, next, type), type);
  if (axisEqual(&now, &next)) return false;
  axisSetFact(a, value, round < PATIENT_ROUNDS ? next : axisUnknown(type));
  return true;
}

/// The induction variable: lower + k * step, below upper.
static TileAxisInfo induction(const TileAxisAnalysis *a, MlirOperation op, AxisType type) {
  TileAxisInfo lower = axisGetFact(a, tileOperand(op, 0)),
               upper = axisGetFact(a, tileOperand(op, 1));
  TileAxisInfo step = axisGetFact(a, tileOperand(op, 2));
  TileAxisInfo info = axisUnknown(type);
  info.divisibility[0] = axisMin(lower.divisibility[0], step.divisibility[0]);
  bool isSigned = mlirAttributeIsNull(tileAttr(op, "unsignedCmp"));
  if (isSigned || (lower.min >= 0 && upper.min >= 0)) {
    info.min = lower.min;
    // Where the bounds leave no trip, there is nothing to be wrong about.
    int64_t last = upper.max == axisTypeMin(type.width) ? upper.max : upper.max - 1;
    info.max = axisMax(last, lower.min);
  }
  return axisNormal(info, type);
}

static void evaluateFor(TileAxisAnalysis *a, MlirOperation op) {
  MlirBlock body = tileBody(op, 0);
  MlirValue variable = mlirBlockGetArgument(body, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  intptr_t carried = mlirOperationGetNumResults(op);
  axisSetFact(a, variable, induction(a, op, axisTypeOfValue(variable)));
  for (intptr_t i = 0; i < carried; ++i)
    axisSetFact(a, mlirBlockGetArgument(body, i + 1), axisGetFact(a, tileForGetInit(op, i)));
  bool changed = true;
  for (int round = 0; changed; ++round) {
    changed = false;
    evaluateBlock(a, body);
    for (intptr_t i = 0; i < carried; ++i)
      changed |= feedBack(a, mlirBlockGetArgument(body, i + 1), tileOperand(yield, i), round);
  }
  // What is true of all that the loop may carry is true of what it ends with.
  for (intptr_t i = 0; i < carried; ++i)
    axisSetFact(a, mlirOperationGetResult(op, i),
                axisGetFact(a, mlirBlockGetArgument(body, i + 1)));
}

static void evaluateIf(TileAxisAnalysis *a, MlirOperation op) {
  MlirBlock yes = tileBody(op, 0), no = tileBody(op, 1);
  evaluateBlock(a, yes);
  if (!mlirBlockIsNull(no)) evaluateBlock(a, no);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    TileAxisInfo first = axisGetFact(a, tileOperand(mlirBlockGetTerminator(yes), i));
    TileAxisInfo second = axisGetFact(a, tileOperand(mlirBlockGetTerminator(no), i));
    axisSetFact(a, result, axisJoin(&first, &second, axisTypeOfValue(result)));
  }
}

static void evaluateWhile(TileAxisAnalysis *a, MlirOperation op) {
  MlirBlock before = tileBody(op, 0), after = tileBody(op, 1);
  MlirOperation condition = mlirBlockGetTerminator(before), yield = mlirBlockGetTerminator(after);
  intptr_t passed = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(before); ++i)
    axisSetFact(a, mlirBlockGetArgument(before, i), axisGetFact(a, tileOperand(op, i)));
  bool changed = true;
  for (int round = 0; changed; ++round) {
    changed = false;
    evaluateBlock(a, before);
    // Operand 0 of scf.condition is the truth value.
    for (intptr_t i = 0; i < passed; ++i)
      axisSetFact(a, mlirBlockGetArgument(after, i), axisGetFact(a, tileOperand(condition, i + 1)));
    evaluateBlock(a, after);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(before); ++i)
      changed |= feedBack(a, mlirBlockGetArgument(before, i), tileOperand(yield, i), round);
  }
  for (intptr_t i = 0; i < passed; ++i)
    axisSetFact(a, mlirOperationGetResult(op, i), axisGetFact(a, tileOperand(condition, i + 1)));
}

/// Regions of an op nothing is known about: neither are their arguments nor its results.
static void evaluateRegions(TileAxisAnalysis *a, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = tileBody(op, r); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block)) {
      setArguments(a, block);
      evaluateBlock(a, block);
    }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    axisSetUnknown(a, mlirOperationGetResult(op, i));
}

/// tile.grid, tile.cost: the block's arguments are the captured values.
static void evaluateHostRegion(TileAxisAnalysis *a, MlirOperation op) {
  MlirBlock block = tileBody(op, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    axisSetFact(a, mlirBlockGetArgument(block, i), axisGetFact(a, tileOperand(op, i)));
  evaluateBlock(a, block);
}

/// A tile.grid of the entry block, before what it bounds.
static void evaluateGrid(TileAxisAnalysis *a, MlirBlock entry) {
  TILE_FOR_EACH_OP(op, entry) {
    if (!tileOpIsAGrid(op)) continue;
    evaluateHostRegion(a, op);
    MlirOperation yield = mlirBlockGetTerminator(tileBody(op, 0));
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield) && i < 3; ++i)
      a->grid[i] = axisMax(axisGetFact(a, tileOperand(yield, i)).max, 1);
    return;
  }
}

/// Element-wise ops map equal elements to equal elements.
static void evaluateElementwise(TileAxisAnalysis *a, MlirOperation op) {
  MlirValue result = tileResult(op);
  AxisType type = axisTypeOfValue(result);
  TileAxisInfo info = axisUnknown(type);
  for (int d = 0; d < type.rank; ++d) info.constancy[d] = type.extents[d];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    TileAxisInfo operand = axisGetFact(a, tileOperand(op, i));
    for (int d = 0; d < type.rank && operand.rank == type.rank; ++d)
      info.constancy[d] = axisGcd(info.constancy[d], operand.constancy[d]);
  }
  axisSetFact(a, result, axisNormal(info, type));
}

static void evaluateOther(TileAxisAnalysis *a, MlirOperation op) {
  if (tileOpIsElementwise(op) && mlirOperationGetNumResults(op) == 1)
    evaluateElementwise(a, op);
  else
    evaluateRegions(a, op);
}

/// What the op itself says of its result, over what follows from its operands.
static void takeHints(TileAxisAnalysis *a, MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1) return;
  MlirValue result = tileResult(op);
  axisSetFact(a, result, axisHint(axisGetFact(a, result), axisTypeOfValue(result), op));
}

static void evaluateOp(TileAxisAnalysis *a, MlirOperation op) {
  int row;
  switch (axisFindRow(a, op, &row)) {
  case AXIS_OP_FOR:
    evaluateFor(a, op);
    return;
  case AXIS_OP_IF:
    evaluateIf(a, op);
    return;
  case AXIS_OP_WHILE:
    evaluateWhile(a, op);
    return;
  case AXIS_OP_HOST_REGION:
    evaluateHostRegion(a, op);
    return;
  case AXIS_OP_OTHER:
    evaluateOther(a, op);
    takeHints(a, op);
    return;
  case AXIS_OP_RESULTS:
    break;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    axisSetFact(a, mlirOperationGetResult(op, i), axisEvaluate(a, op, row));
  takeHints(a, op);
}

static void evaluateBlock(TileAxisAnalysis *a, MlirBlock block) {
  TILE_FOR_EACH_OP(op, block) evaluateOp(a, op);
}

//===- the function -------------------------------------------------------===//

static void addPromise(void *data, MlirValue value, AxisPromise promise) {
  axisAddPromise(data, value, promise);
}

/// Assumptions at the top of the body, before anything that may end or keep the program, are
/// reached by every run: they hold of their values everywhere.
static void collectPromises(TileAxisAnalysis *a, MlirBlock entry) {
  TILE_FOR_EACH_OP(op, entry) {
    bool isHost = tileOpIsAGrid(op) || tileOpIsACost(op);
    if (tileOpIsAAssert(op) || (mlirOperationGetNumRegions(op) > 0 && !isHost)) return;
    if (tileOpIsAAssume(op)) axisPromisesOf(tileAssumeGetCondition(op), addPromise, a);
  }
}

/// Arguments: a pointer is aligned to what it points at, or as its attribute says; integers have
/// the divisor and the sign that theirs say.
static void seedArguments(TileAxisAnalysis *a, MlirOperation func, MlirBlock entry) {
  MlirAttribute sets = tileAttr(func, "arg_attrs");
  bool hasSets = !mlirAttributeIsNull(sets) && mlirAttributeIsAArray(sets);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue value = mlirBlockGetArgument(entry, i);
    AxisType type = axisTypeOfValue(value);
    TileAxisInfo info = axisUnknown(type);
    if (type.rank == 0 && type.kind == AXIS_POINTER) info.divisibility[0] = type.unit;
    MlirAttribute divisor = {NULL}, positive = {NULL};
    if (hasSets && i < mlirArrayAttrGetNumElements(sets)) {
      MlirAttribute attrs = mlirArrayAttrGetElement(sets, i);
      divisor = mlirDictionaryAttrGetElementByName(attrs, tileString("tile.divisibility"));
      positive = mlirDictionaryAttrGetElementByName(attrs, tileString("tile.positive"));
    }
    if (!mlirAttributeIsNull(positive)) info.min = 1;
    if (!mlirAttributeIsNull(divisor) && type.rank == 0)
      info.divisibility[0] =
          axisMax(info.divisibility[0], axisPowerOfTwoIn(mlirIntegerAttrGetValueInt(divisor)));
    axisSetFact(a, value, axisNormal(info, type));
  }
}

TileAxisAnalysis *tileAxisAnalysisCreate(MlirOperation func) {
  TileAxisAnalysis *a = calloc(1, sizeof *a);
  if (!a) abort();
  const TileMachine *machine = tileMachineOf(func);
  a->accessBytes = machine->accessBytes;
  a->lineBytes = machine->lineBytes;
  a->sectorBytes = tileMachineNumber(machine, TILE_NUMBER_SECTOR_BYTES);
  a->knowsOnes = !mlirAttributeIsNull(tileAttr(func, "tile.knows_ones"));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(func); ++r) {
    MlirBlock entry = tileBody(func, r);
    if (mlirBlockIsNull(entry)) continue;
    collectPromises(a, entry);
    seedArguments(a, func, entry);
    evaluateGrid(a, entry);
    evaluateBlock(a, entry);
    for (MlirBlock block = mlirBlockGetNextInRegion(entry); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block)) {
      setArguments(a, block);
      evaluateBlock(a, block);
    }
  }
  return a;
}

void tileAxisAnalysisUpdate(TileAxisAnalysis *a, MlirBlock block, MlirOperation front,
                            MlirOperation behind) {
  MlirOperation op = mlirOperationIsNull(front) ? mlirBlockGetFirstOperation(block)
                                                : mlirOperationGetNextInBlock(front);
  for (; !mlirOperationIsNull(op) && !mlirOperationEqual(op, behind);
       op = mlirOperationGetNextInBlock(op))
    evaluateOp(a, op);
}

void tileAxisAnalysisDestroy(TileAxisAnalysis *a) {
  if (!a) return;
  tilePointerTableClear(&a->facts);
  tilePointerTableClear(&a->promises);
  tilePointerTableClear(&a->names);
  free(a);
}
