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
#include "Axis.h"
#include <stdlib.h>
#include <uthash.h>

/// Rounds of a loop with exact ranges, and rounds after which a value that changes is given up.
enum { EXACT_ROUNDS = 2, PATIENT_ROUNDS = 8 };

typedef struct {
  const void *key; // MlirValue.ptr
  TileAxisInfo info;
  UT_hash_handle hh;
} Fact;

typedef struct {
  const void *key; // MlirValue.ptr
  AxisPromise promise;
  UT_hash_handle hh;
} Promise;

typedef struct {
  const void *key; // the characters of an op's name, unique in a context
  int transfer;
  UT_hash_handle hh;
} Name;

struct TileAxisAnalysis {
  Fact *facts;
  Promise *promises;
  Name *names;
  int64_t grid[3]; // most programs along x, y, z, by tile.grid; 0 where unknown
};

static void *allocate(size_t size) {
  void *memory = calloc(1, size);
  if (!memory) abort();
  return memory;
}

//===- facts by value -----------------------------------------------------===//

static const TileAxisInfo *find(const TileAxisAnalysis *a, MlirValue value) {
  Fact *fact;
  HASH_FIND_PTR(a->facts, &value.ptr, fact);
  return fact ? &fact->info : NULL;
}

static AxisType typeOf(MlirValue value) { return axisTypeOf(mlirValueGetType(value)); }

/// What is known so far; nothing, of a value not reached yet.
static TileAxisInfo get(const TileAxisAnalysis *a, MlirValue value) {
  const TileAxisInfo *info = find(a, value);
  return info ? *info : axisUnknown(typeOf(value));
}

static void set(TileAxisAnalysis *a, MlirValue value, TileAxisInfo info) {
  Promise *promise;
  HASH_FIND_PTR(a->promises, &value.ptr, promise);
  if (promise) info = axisRefine(info, typeOf(value), promise->promise);
  Fact *fact;
  HASH_FIND_PTR(a->facts, &value.ptr, fact);
  if (!fact) {
    fact = allocate(sizeof *fact);
    fact->key = value.ptr;
    HASH_ADD_PTR(a->facts, key, fact);
  }
  fact->info = info;
}

static void setUnknown(TileAxisAnalysis *a, MlirValue value) {
  set(a, value, axisUnknown(typeOf(value)));
}

static void setArguments(TileAxisAnalysis *a, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    setUnknown(a, mlirBlockGetArgument(block, i));
}

//===- ops without regions ------------------------------------------------===//

typedef enum {
  FORGET, ///< nothing is known of the results
  BINARY,
  COMPARE,
  SELECT,
  CAST_SIGNED,
  CAST_UNSIGNED,
  CONSTANT,
  PROGRAM_ID,
  NUM_PROGRAMS,
  ARANGE,
  SPLAT,
  EXPAND_DIMS,
  BROADCAST,
  RESHAPE,
  TRANS,
  JOIN,
  SPLIT,
  CAT,
  ADDPTR,
  COPY,
  FOR,
  IF,
  WHILE,
  HOST_REGION
} Transfer;

static const struct {
  const char *name;
  Transfer transfer;
  AxisBinary binary;
} transfers[] = {
    {"", FORGET, 0}, // what stands nowhere below
    {"arith.addi", BINARY, AXIS_ADD},
    {"arith.subi", BINARY, AXIS_SUB},
    {"arith.muli", BINARY, AXIS_MUL},
    {"arith.divsi", BINARY, AXIS_DIVS},
    {"arith.divui", BINARY, AXIS_DIVU},
    {"arith.ceildivsi", BINARY, AXIS_CEILDIVS},
    {"arith.ceildivui", BINARY, AXIS_CEILDIVU},
    {"arith.floordivsi", BINARY, AXIS_FLOORDIVS},
    {"arith.remsi", BINARY, AXIS_REMS},
    {"arith.remui", BINARY, AXIS_REMU},
    {"arith.shli", BINARY, AXIS_SHL},
    {"arith.shrsi", BINARY, AXIS_SHRS},
    {"arith.shrui", BINARY, AXIS_SHRU},
    {"arith.andi", BINARY, AXIS_AND},
    {"arith.ori", BINARY, AXIS_OR},
    {"arith.xori", BINARY, AXIS_XOR},
    {"arith.minsi", BINARY, AXIS_MINS},
    {"arith.maxsi", BINARY, AXIS_MAXS},
    {"arith.minui", BINARY, AXIS_MINU},
    {"arith.maxui", BINARY, AXIS_MAXU},
    {"arith.cmpi", COMPARE, 0},
    {"arith.select", SELECT, 0},
    {"arith.extsi", CAST_SIGNED, 0},
    {"arith.trunci", CAST_SIGNED, 0},
    {"arith.index_cast", CAST_SIGNED, 0},
    {"arith.extui", CAST_UNSIGNED, 0},
    {"arith.index_castui", CAST_UNSIGNED, 0},
    {"arith.constant", CONSTANT, 0},
    {"tile.program_id", PROGRAM_ID, 0},
    {"tile.num_programs", NUM_PROGRAMS, 0},
    {"tile.arange", ARANGE, 0},
    {"tile.splat", SPLAT, 0},
    {"tile.expand_dims", EXPAND_DIMS, 0},
    {"tile.broadcast", BROADCAST, 0},
    {"tile.reshape", RESHAPE, 0},
    {"tile.trans", TRANS, 0},
    {"tile.join", JOIN, 0},
    {"tile.split", SPLIT, 0},
    {"tile.cat", CAT, 0},
    {"tile.addptr", ADDPTR, 0},
    {"tile.convert_layout", COPY, 0},
    {"scf.for", FOR, 0},
    {"scf.if", IF, 0},
    {"scf.while", WHILE, 0},
    {"tile.grid", HOST_REGION, 0},
    {"tile.cost", HOST_REGION, 0},
};

/// The row of `op` in the table, remembered by the name's address.
static int transferOf(TileAxisAnalysis *a, MlirOperation op) {
  MlirStringRef text = tileOpName(op);
  const void *key = text.data;
  Name *name;
  HASH_FIND_PTR(a->names, &key, name);
  if (name) return name->transfer;
  name = allocate(sizeof *name);
  name->key = key;
  for (int i = 1; i < (int)(sizeof transfers / sizeof *transfers); ++i)
    if (tileStringIs(text, transfers[i].name)) name->transfer = i;
  HASH_ADD_PTR(a->names, key, name);
  return name->transfer;
}

/// A launch has at most so many programs along x; and y, z.
enum { MAX_GRID_X = 2147483647, MAX_GRID_YZ = 65535 };

/// The grid stands in the kernel, so its bounds are bounds of the programs: there is one at least.
static TileAxisInfo gridIndex(const TileAxisAnalysis *a, MlirOperation op, AxisType type,
                              bool isCount) {
  int64_t axis = isCount ? tileNumProgramsGetAxis(op) : tileProgramIdGetAxis(op);
  int64_t most = axis == TILE_AXIS_X ? MAX_GRID_X : MAX_GRID_YZ;
  if (axis >= 0 && axis < 3 && a->grid[axis] > 0) most = axisMin(most, a->grid[axis]);
  TileAxisInfo info = axisUnknown(type);
  info.min = isCount ? 1 : 0;
  info.max = isCount ? most : most - 1;
  return info;
}

static TileAxisInfo transpose(MlirOperation op, AxisType type, const TileAxisInfo *a) {
  int order[TILE_MAX_RANK];
  MlirAttribute attr = tileTransGetOrderAttr(op);
  for (int d = 0; d < type.rank; ++d) order[d] = mlirDenseI32ArrayGetElement(attr, d);
  return axisTrans(type, a, order);
}

/// Results of one type, from up to three operands.
static TileAxisInfo evaluate(const TileAxisAnalysis *a, MlirOperation op, int row) {
  AxisType type = typeOf(tileResult(op)), types[3] = {{0}};
  TileAxisInfo in[3] = {{0}};
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count && i < 3; ++i) {
    MlirValue operand = tileOperand(op, i);
    types[i] = typeOf(operand);
    in[i] = get(a, operand);
  }
  switch (transfers[row].transfer) {
  case BINARY:
    return axisBinary(transfers[row].binary, type, &in[0], &in[1]);
  case COMPARE: {
    int predicate = (int)tileIntAttr(op, "predicate", -1);
    return axisCompare(predicate, type, types[0], &in[0], &in[1]);
  }
  case SELECT:
    return axisSelect(type, types[0], &in[0], &in[1], &in[2]);
  case CAST_SIGNED:
  case CAST_UNSIGNED:
    return axisCast(type, types[0], transfers[row].transfer == CAST_SIGNED, &in[0]);
  case CONSTANT:
    return axisConstantOp(type, tileAttr(op, "value"));
  case PROGRAM_ID:
  case NUM_PROGRAMS:
    return gridIndex(a, op, type, transfers[row].transfer == NUM_PROGRAMS);
  case ARANGE:
    return axisArange(type);
  case SPLAT:
    return axisSplat(type, &in[0]);
  case EXPAND_DIMS:
    return axisExpandDims(type, &in[0], (int)tileExpandDimsGetAxis(op));
  case BROADCAST:
    return axisBroadcast(type, types[0], &in[0]);
  case RESHAPE:
    return axisReshape(type, types[0], &in[0]);
  case TRANS:
    return transpose(op, type, &in[0]);
  case JOIN:
    return axisJoinTiles(type, types[0], &in[0], &in[1]);
  case SPLIT:
    return axisSplitTile(type, &in[0]);
  case CAT:
    return axisCat(type, types[0], &in[0], types[1], &in[1], (int)tileCatGetAxis(op));
  case ADDPTR:
    return axisAddPtr(type, types[1], &in[0], &in[1]);
  case COPY:
    return in[0];
  case FORGET:
  case FOR:
  case IF:
  case WHILE:
  case HOST_REGION:
    break;
  }
  return axisUnknown(type);
}

//===- control flow -------------------------------------------------------===//

static void evaluateBlock(TileAxisAnalysis *a, MlirBlock block);

/// Joins what comes back into `value`, as round `round` of a loop; true where that changed it.
static bool feedBack(TileAxisAnalysis *a, MlirValue value, MlirValue back, int round) {
  AxisType type = typeOf(value);
  TileAxisInfo now = get(a, value), next = get(a, back);
  next = axisJoin(&now, &next, type);
  if (round >= EXACT_ROUNDS) next = axisNormal(axisWiden(&now, next, type), type);
  if (axisEqual(&now, &next)) return false;
  set(a, value, round < PATIENT_ROUNDS ? next : axisUnknown(type));
  return true;
}

/// The induction variable: lower + k * step, below upper.
static TileAxisInfo induction(const TileAxisAnalysis *a, MlirOperation op, AxisType type) {
  TileAxisInfo lower = get(a, tileOperand(op, 0)), upper = get(a, tileOperand(op, 1));
  TileAxisInfo step = get(a, tileOperand(op, 2));
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
  set(a, variable, induction(a, op, typeOf(variable)));
  for (intptr_t i = 0; i < carried; ++i)
    set(a, mlirBlockGetArgument(body, i + 1), get(a, tileOperand(op, i + 3)));
  bool changed = true;
  for (int round = 0; changed; ++round) {
    changed = false;
    evaluateBlock(a, body);
    for (intptr_t i = 0; i < carried; ++i)
      changed |= feedBack(a, mlirBlockGetArgument(body, i + 1), tileOperand(yield, i), round);
  }
  // What is true of all that the loop may carry is true of what it ends with.
  for (intptr_t i = 0; i < carried; ++i)
    set(a, mlirOperationGetResult(op, i), get(a, mlirBlockGetArgument(body, i + 1)));
}

static void evaluateIf(TileAxisAnalysis *a, MlirOperation op) {
  MlirBlock yes = tileBody(op, 0), no = tileBody(op, 1);
  evaluateBlock(a, yes);
  if (!mlirBlockIsNull(no)) evaluateBlock(a, no);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    TileAxisInfo first = get(a, tileOperand(mlirBlockGetTerminator(yes), i));
    TileAxisInfo second = get(a, tileOperand(mlirBlockGetTerminator(no), i));
    set(a, result, axisJoin(&first, &second, typeOf(result)));
  }
}

static void evaluateWhile(TileAxisAnalysis *a, MlirOperation op) {
  MlirBlock before = tileBody(op, 0), after = tileBody(op, 1);
  MlirOperation condition = mlirBlockGetTerminator(before), yield = mlirBlockGetTerminator(after);
  intptr_t passed = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(before); ++i)
    set(a, mlirBlockGetArgument(before, i), get(a, tileOperand(op, i)));
  bool changed = true;
  for (int round = 0; changed; ++round) {
    changed = false;
    evaluateBlock(a, before);
    // Operand 0 of scf.condition is the truth value.
    for (intptr_t i = 0; i < passed; ++i)
      set(a, mlirBlockGetArgument(after, i), get(a, tileOperand(condition, i + 1)));
    evaluateBlock(a, after);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(before); ++i)
      changed |= feedBack(a, mlirBlockGetArgument(before, i), tileOperand(yield, i), round);
  }
  for (intptr_t i = 0; i < passed; ++i)
    set(a, mlirOperationGetResult(op, i), get(a, tileOperand(condition, i + 1)));
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
    setUnknown(a, mlirOperationGetResult(op, i));
}

/// tile.grid, tile.cost: the block's arguments are the captured values.
static void evaluateHostRegion(TileAxisAnalysis *a, MlirOperation op) {
  MlirBlock block = tileBody(op, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    set(a, mlirBlockGetArgument(block, i), get(a, tileOperand(op, i)));
  evaluateBlock(a, block);
}

/// A tile.grid of the entry block, before what it bounds.
static void evaluateGrid(TileAxisAnalysis *a, MlirBlock entry) {
  TILE_FOR_EACH_OP(op, entry) {
    if (!tileOpIsAGrid(op)) continue;
    evaluateHostRegion(a, op);
    MlirOperation yield = mlirBlockGetTerminator(tileBody(op, 0));
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield) && i < 3; ++i)
      a->grid[i] = axisMax(get(a, tileOperand(yield, i)).max, 1);
    return;
  }
}

/// Element-wise ops of arith and math map equal elements to equal elements.
static void evaluateElementwise(TileAxisAnalysis *a, MlirOperation op) {
  MlirValue result = tileResult(op);
  AxisType type = typeOf(result);
  TileAxisInfo info = axisUnknown(type);
  for (int d = 0; d < type.rank; ++d) info.constancy[d] = type.extents[d];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    TileAxisInfo operand = get(a, tileOperand(op, i));
    for (int d = 0; d < type.rank && operand.rank == type.rank; ++d)
      info.constancy[d] = axisGcd(info.constancy[d], operand.constancy[d]);
  }
  set(a, result, axisNormal(info, type));
}

static void evaluateOp(TileAxisAnalysis *a, MlirOperation op) {
  int row = transferOf(a, op);
  intptr_t results = mlirOperationGetNumResults(op);
  switch (transfers[row].transfer) {
  case FOR:
    evaluateFor(a, op);
    return;
  case IF:
    evaluateIf(a, op);
    return;
  case WHILE:
    evaluateWhile(a, op);
    return;
  case HOST_REGION:
    evaluateHostRegion(a, op);
    return;
  case FORGET: {
    bool isElementwise = tileOpIsOfDialect(op, "arith") || tileOpIsOfDialect(op, "math");
    if (isElementwise && results == 1)
      evaluateElementwise(a, op);
    else
      evaluateRegions(a, op);
    return;
  }
  default:
    break;
  }
  for (intptr_t i = 0; i < results; ++i)
    set(a, mlirOperationGetResult(op, i), evaluate(a, op, row));
}

static void evaluateBlock(TileAxisAnalysis *a, MlirBlock block) {
  TILE_FOR_EACH_OP(op, block) evaluateOp(a, op);
}

//===- the function -------------------------------------------------------===//

static void addPromise(void *data, MlirValue value, AxisPromise promise) {
  TileAxisAnalysis *a = data;
  Promise *entry;
  HASH_FIND_PTR(a->promises, &value.ptr, entry);
  if (!entry) {
    entry = allocate(sizeof *entry);
    entry->key = value.ptr;
    entry->promise = promise;
    HASH_ADD_PTR(a->promises, key, entry);
    return;
  }
  AxisPromise *known = &entry->promise;
  known->divisibility = axisMax(known->divisibility, promise.divisibility);
  known->min = axisMax(known->min, promise.min);
  known->max = axisMin(known->max, promise.max);
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
    AxisType type = typeOf(value);
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
    set(a, value, axisNormal(info, type));
  }
}

TileAxisAnalysis *tileAxisAnalysisCreate(MlirOperation func) {
  TileAxisAnalysis *a = allocate(sizeof *a);
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

void tileAxisAnalysisDestroy(TileAxisAnalysis *a) {
  if (!a) return;
  // NOLINTBEGIN(clang-analyzer-unix.Malloc): the analyzer loses uthash's list
  Fact *fact, *nextFact;
  HASH_ITER(hh, a->facts, fact, nextFact) {
    HASH_DEL(a->facts, fact);
    free(fact);
  }
  Promise *promise, *nextPromise;
  HASH_ITER(hh, a->promises, promise, nextPromise) {
    HASH_DEL(a->promises, promise);
    free(promise);
  }
  Name *name, *nextName;
  HASH_ITER(hh, a->names, name, nextName) {
    HASH_DEL(a->names, name);
    free(name);
  }
  // NOLINTEND(clang-analyzer-unix.Malloc)
  free(a);
}

const TileAxisInfo *tileAxisAnalysisGet(const TileAxisAnalysis *a, MlirValue value) {
  static const TileAxisInfo nothing = {
      .contiguity = {1, 1, 1, 1, 1, 1},
      .divisibility = {1, 1, 1, 1, 1, 1},
      .constancy = {1, 1, 1, 1, 1, 1},
      .min = INT64_MIN,
      .max = INT64_MAX,
  };
  _Static_assert(TILE_MAX_RANK == 6, "an entry for each dimension");
  const TileAxisInfo *info = find(a, value);
  return info ? info : &nothing;
}
