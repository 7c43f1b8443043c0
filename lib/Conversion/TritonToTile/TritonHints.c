//===- TritonHints.c - what a kernel says of its numbers ------------------===//
//
//   tl.multiple_of, max_contiguous and max_constancy    tile.divisibility, tile.contiguity and
//   leave tt.divisibility, tt.contiguity, tt.constancy   tile.constancy on the op in tile; of
//                                                        neighbours those that a vector has
//   a descriptor of what the kernel has at hand          begins on 16 bytes, and its rows are
//                                                        multiples of as many: Triton demands it
//   where in a row a box is loaded, computed beside it   begins on 16 bytes: what begins elsewhere
//                                                        ends Triton's code
//   x // n and x % n of tiles, signed, of an x that      tile.nonnegative: Triton's compiler takes
//   places and numbers of the program make, without      them as if no x were below 0, where it
//   a difference of tiles, or of a program's place       asks how elements lie
//   and a number that all programs share
//   the same of x - n, where all that is placed by it    tile.nonnegative: what is left out is
//   leaves out where x is below n                        nobody's
//   tl.range(.., num_stages=n) of a loop without dots    tile.num_stages = n: its loads run n - 1
//                                                        steps ahead, as by Triton's compiler,
//                                                        whatever a model would say
//   sums and products that only >>, //, % and            tile.wraps: a hash may choose an element,
//   comparisons of uint32 read, or & of a mask           and TTIR has no types without a sign
//
// Axis analysis believes these, but the last, which the access checker asks for. A kernel that
// breaks one is computed wrongly by Triton, too: by what a vector of it has. Of rows that wrap
// around (% M) authors and torch.compile promise that all of a tile's follow each other, which
// those at the end do not.
//===----------------------------------------------------------------------===//
#include "TritonToTile.h"

static const struct {
  const char *from, *to;
} hints[] = {{"tt.divisibility", "tile.divisibility"},
             {"tt.contiguity", "tile.contiguity"},
             {"tt.constancy", "tile.constancy"}};

enum { DIVISIBILITY, CONTIGUITY, CONSTANCY, NUM_HINTS };

/// A number for each dimension of a value; none where `count` is 0.
typedef struct {
  intptr_t count;
  int64_t values[TILE_MAX_RANK];
} Hint;

/// None where the hint is of another kind.
static Hint readHint(MlirAttribute hint, int rank, bool isPower) {
  Hint read = {.count = rank > 0 ? rank : 1}, none = {0};
  if (mlirAttributeIsNull(hint) || !mlirAttributeIsADenseElements(hint)) return none;
  MlirType element = mlirShapedTypeGetElementType(mlirAttributeGetType(hint));
  if (mlirElementsAttrGetNumElements(hint) != read.count || tileBitWidth(element) != 32)
    return none;
  for (intptr_t i = 0; i < read.count; ++i) {
    read.values[i] = mlirDenseElementsAttrGetInt32Value(hint, i);
    if (read.values[i] < 1 || (isPower && read.values[i] & (read.values[i] - 1))) return none;
  }
  return read;
}

/// A tile's neighbours as far as vectors go, and never all of them; where runs of them begin is a
/// multiple of no more than their length then.
static void shorten(const int64_t *shape, int64_t bytes, Hint *contiguity, Hint *divisibility) {
  enum { VECTOR = 16 };
  for (intptr_t i = 0; i < contiguity->count; ++i) {
    int64_t most = shape[i] / 2 < VECTOR ? shape[i] / 2 : VECTOR, *run = &contiguity->values[i];
    if (most < 1) most = 1;
    if (*run <= most) continue;
    *run = most;
    if (divisibility->count && divisibility->values[i] > most * bytes)
      divisibility->values[i] = most * bytes;
  }
}

void tritonKeepHints(MlirOperation from, MlirOperation to) {
  Hint read[NUM_HINTS];
  int64_t shape[TILE_MAX_RANK];
  if (mlirOperationGetNumResults(to) != 1) return;
  MlirType type = mlirValueGetType(tileResult(to)), element = tileElementType(type);
  int rank = tileShape(type, shape);
  for (int i = 0; i < NUM_HINTS; ++i)
    read[i] = readHint(mlirOperationGetDiscardableAttributeByName(from, tileString(hints[i].from)),
                       rank, i == DIVISIBILITY);
  bool isPointer = tileTypeIsAPtr(element);
  int bytes = isPointer ? tileElementBytes(tilePtrTypeGetPointee(element)) : 1;
  if (rank > 0) shorten(shape, bytes, &read[CONTIGUITY], &read[DIVISIBILITY]);
  for (int i = 0; i < NUM_HINTS; ++i) {
    if (read[i].count)
      mlirOperationSetDiscardableAttributeByName(
          to, tileString(hints[i].to),
          mlirDenseI64ArrayGet(mlirOperationGetContext(to), read[i].count, read[i].values));
    if (mlirOperationEqual(from, to))
      mlirOperationRemoveDiscardableAttributeByName(to, tileString(hints[i].from));
  }
}

static bool isDot(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsADot(op) || tileOpIs(op, "tt.dot") || tileOpIs(op, "tt.dot_scaled");
}

void tritonKeepStages(MlirOperation op) {
  enum { MOST_STAGES = 16 };
  int64_t stages = tileOpIs(op, "scf.for") ? tileIntAttr(op, "tt.num_stages", 0) : 0;
  if (stages < 2 || stages > MOST_STAGES) return;
  TileOpList dots = {0};
  tileOpListCollect(&dots, op, MlirWalkPreOrder, isDot, NULL);
  if (!dots.count) {
    MlirAttribute number = mlirIntegerAttrGet(tileI32(mlirOperationGetContext(op)), stages);
    mlirOperationSetDiscardableAttributeByName(op, tileString("tile.num_stages"), number);
  }
  tileOpListDestroy(&dots);
}

/// Is a number another one in each program or step: made of its number, a loop's, or what was read?
static bool isOfTheProgram(MlirValue value, int depth, int *budget) {
  static const char *const sources[] = {
      "tt.get_program_id", "tile.program_id", "tt.load", "tile.load",
      "scf.for",           "scf.while",       "scf.if",  NULL};
  if (depth == 0 || --*budget < 0) return true;
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    return !tileOpIsAFunc(mlirBlockGetParentOperation(block)) &&
           !tileOpIs(mlirBlockGetParentOperation(block), "tt.func");
  }
  MlirOperation op = tileValueGetOp(value);
  if (tileOpIsOneOf(op, sources)) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (isOfTheProgram(tileOperand(op, i), depth - 1, budget)) return true;
  return false;
}

static bool isCounted(MlirValue value, int depth, int *budget);

/// Is a program's own number taken for one that counts? Which program computes what is often a
/// difference: of what programs and steps there are, or of their numbers (count - 1 - id,
/// id - first). A place less what is the same in all of them (id * stride - padding) may be below
/// 0. A quotient is a count, whatever it is made of.
static bool isCountedNumber(MlirValue value, int depth, int *budget) {
  static const char *const keeps[] = {"arith.addi",  "arith.muli",   "arith.shli",
                                      "arith.extsi", "arith.trunci", NULL};
  int64_t number;
  if (depth == 0 || --*budget < 0 || mlirValueIsABlockArgument(value)) return true;
  if (tileConstantInt(value, &number)) return number >= 0;
  MlirOperation op = tileValueGetOp(value);
  if (tileOpIs(op, "arith.subi")) {
    MlirValue from = tileOperand(op, 0), by = tileOperand(op, 1);
    bool moves = isOfTheProgram(from, depth, budget);
    return isOfTheProgram(by, depth, budget) || (!moves && tileConstantInt(by, &number));
  }
  if (!tileOpIsOneOf(op, keeps)) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!isCountedNumber(tileOperand(op, i), depth - 1, budget)) return false;
  return true;
}

/// Is the tile that a loop carries from step to step made so?
static bool isCountedInLoop(MlirValue argument, int depth, int *budget) {
  MlirBlock block = mlirBlockArgumentGetOwner(argument);
  MlirOperation owner = mlirBlockGetParentOperation(block);
  intptr_t i = mlirBlockArgumentGetArgNumber(argument);
  return tileOpIs(owner, "scf.for") && i > 0 &&
         isCounted(tileForGetInit(owner, i - 1), depth, budget) &&
         isCounted(tileOperand(mlirBlockGetTerminator(block), i - 1), depth, budget);
}

/// Is `value` made of places and numbers of the program, by ops that leave nothing below 0 of what
/// is not? A difference of tiles may be, and what is loaded.
static bool isCounted(MlirValue value, int depth, int *budget) {
  static const char *const keeps[] = {
      "arith.addi",   "arith.muli",   "arith.divsi", "arith.divui",    "arith.remsi",
      "arith.remui",  "arith.minsi",  "arith.minui", "arith.maxsi",    "arith.maxui",
      "arith.andi",   "arith.shrsi",  "arith.shrui", "arith.extsi",    "arith.extui",
      "arith.trunci", "arith.shli",   "tt.splat",    "tt.broadcast",   "tt.expand_dims",
      "tt.trans",     "tt.reshape",   "tile.splat",  "tile.broadcast", "tile.expand_dims",
      "tile.trans",   "tile.reshape", NULL};
  static const char *const quotients[] = {"arith.divsi", "arith.divui", "arith.remsi",
                                          "arith.remui", NULL};
  int64_t number;
  if (depth == 0 || --*budget < 0) return true; // a loop's own tile, or one of many
  if (tileConstantInt(value, &number)) return number >= 0;
  if (!tileTypeIsTile(mlirValueGetType(value))) return isCountedNumber(value, depth, budget);
  if (mlirValueIsABlockArgument(value)) return isCountedInLoop(value, depth - 1, budget);
  MlirOperation op = tileValueGetOp(value);
  if (tileOpIs(op, "tt.make_range") || tileOpIs(op, "tile.arange")) return true;
  bool chooses = tileOpIs(op, "arith.select");
  if (!chooses && !tileOpIsOneOf(op, keeps)) return false;
  // What a divisor is says nothing: it is above 0, or the quotient means nothing.
  intptr_t end = tileOpIsOneOf(op, quotients) ? 1 : mlirOperationGetNumOperands(op);
  for (intptr_t i = chooses; i < end; ++i)
    if (!isCounted(tileOperand(op, i), depth - 1, budget)) return false;
  return true;
}

//===- what masks leave out -----------------------------------------------===//

/// Where a walk ends that has found nothing.
enum { MOST_DEPTH = 16, MOST_VALUES = 256 };

/// `value` in front of what widens it or repeats it, which keeps its elements' places.
static MlirValue narrowest(MlirValue value) {
  static const char *const names[] = {"arith.extsi", "tt.splat",       "tt.broadcast",
                                      "tile.splat",  "tile.broadcast", NULL};
  MlirOperation op = tileValueGetOp(value);
  while (!mlirOperationIsNull(op) && tileOpIsOneOf(op, names)) {
    value = tileOperand(op, 0);
    op = tileValueGetOp(value);
  }
  return value;
}

/// Does `mask` leave out where `number` is below `least`?
static bool leavesOutBelow(MlirValue mask, MlirValue number, int64_t least, int depth) {
  int64_t bound;
  MlirOperation op = tileValueGetOp(narrowest(mask));
  if (mlirOperationIsNull(op) || depth == 0) return false;
  if (tileOpIs(op, "arith.andi"))
    return leavesOutBelow(tileOperand(op, 0), number, least, depth - 1) ||
           leavesOutBelow(tileOperand(op, 1), number, least, depth - 1);
  if (!tileOpIs(op, "arith.cmpi") || !mlirValueEqual(narrowest(tileOperand(op, 0)), number) ||
      !tileConstantInt(tileOperand(op, 1), &bound))
    return false;
  int64_t predicate = tileIntAttr(op, "predicate", -1);
  return bound >= least - (predicate == TILE_SGT) &&
         (predicate == TILE_SGE || predicate == TILE_SGT);
}

/// Does all that reads `value` place accesses with it, which leave that out?
static bool placesAbove(MlirValue value, MlirValue number, int64_t least, int *budget) {
  static const char *const keeps[] = {"arith.addi",  "arith.muli",   "arith.divsi", "arith.remsi",
                                      "arith.extsi", "tt.broadcast", "tt.addptr",   NULL};
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool loads = tileOpIs(op, "tt.load"), stores = tileOpIs(op, "tt.store");
    intptr_t mask = loads ? 1 : 2;
    if (--*budget < 0) return false;
    bool good =
        loads || stores
            ? mlirOpOperandGetOperandNumber(use) == 0 && mlirOperationGetNumOperands(op) > mask &&
                  leavesOutBelow(tileOperand(op, mask), number, least, MOST_DEPTH)
            : tileOpIsOneOf(op, keeps) && placesAbove(tileResult(op), number, least, budget);
    if (!good) return false;
  }
  return true;
}

static bool isSignedQuotient(MlirOperation op) {
  return tileOpIs(op, "arith.divsi") || tileOpIs(op, "arith.remsi");
}

/// Is `quotient` one of what counts less a constant, and looked at where that is not below 0? Of
/// what torch.cat joins, the second part is (x - 768) // 192 for x >= 768.
static bool isCountedWhereRead(MlirOperation quotient, int *budget) {
  MlirOperation op = tileValueGetOp(tileOperand(quotient, 0));
  while (!mlirOperationIsNull(op) && isSignedQuotient(op)) op = tileValueGetOp(tileOperand(op, 0));
  bool adds = !mlirOperationIsNull(op) && tileOpIs(op, "arith.addi");
  if (!adds && (mlirOperationIsNull(op) || !tileOpIs(op, "arith.subi"))) return false;
  for (intptr_t i = 0; i < 2; ++i) {
    int64_t number;
    MlirValue counts = tileOperand(op, 1 - i);
    if (!tileConstantInt(tileOperand(op, i), &number) || (!adds && i == 0)) continue;
    const int64_t least = adds ? -number : number;
    return least > 0 && isCounted(counts, MOST_DEPTH, budget) &&
           placesAbove(tileResult(quotient), narrowest(counts), least, budget);
  }
  return false;
}

void tritonTakeAsNonnegative(MlirOperation op) {
  int budget = MOST_VALUES;
  if (!isSignedQuotient(op) || !tileTypeIsTile(mlirValueGetType(tileResult(op)))) return;
  if (!isCounted(tileOperand(op, 0), MOST_DEPTH, &budget) && !isCountedWhereRead(op, &budget))
    return;
  MlirAttribute unit = mlirUnitAttrGet(mlirOperationGetContext(op));
  mlirOperationSetDiscardableAttributeByName(op, tileString("tile.nonnegative"), unit);
}

/// A product with a number that is one: nothing has to be said of it, and what says nothing is the
/// same op as its twins.
static bool isMultiple(MlirOperation op, int64_t divisor) {
  int64_t number;
  for (intptr_t i = 0; i < 2 && tileOpIs(op, "arith.muli"); ++i)
    if (tileConstantInt(tileOperand(op, i), &number) && number % divisor == 0) return true;
  return false;
}

void tritonPromiseDivisor(MlirValue value, int64_t divisor, MlirBlock block) {
  if (divisor < 2 || mlirValueIsABlockArgument(value)) return;
  // What stands beside the op that demands it is computed only where that op is reached.
  MlirOperation op = tileValueGetOp(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), block) || mlirOperationGetNumResults(op) != 1 ||
      tileOpIs(op, "arith.constant") || isMultiple(op, divisor))
    return;
  MlirAttribute attr = mlirDenseI64ArrayGet(mlirOperationGetContext(op), 1, &divisor);
  mlirOperationSetDiscardableAttributeByName(op, tileString("tile.divisibility"), attr);
}

//===- numbers without a sign ---------------------------------------------===//

/// Functions of a module by name, and what calls them.
typedef struct {
  MlirSymbolTable functions;
  TileOpList all;
} Calls;

/// Who reads a value, and what is made of it.
typedef struct {
  const Calls *calls;
  TilePointerTable seen;
  int budget;
  bool isOffset; ///< somebody reads it with a sign, or where a wrong number is an error
  bool isHash;   ///< somebody reads it without
} Readers;

static bool isLogic(MlirOperation op) {
  static const char *const names[] = {"arith.shrui",  "arith.divui",          "arith.remui",
                                      "arith.minui",  "arith.maxui",          "arith.extui",
                                      "arith.uitofp", "arith.mului_extended", NULL};
  return tileOpIsOneOf(op, names) ||
         (tileOpIs(op, "arith.cmpi") && tileIntAttr(op, "predicate", 0) >= TILE_ULT);
}

/// `x & mask`, a mask that is not negative, or one for all elements, which no author makes so: its
/// lowest bits are those of an x that had all bits.
static bool isCut(MlirOperation op, intptr_t operand) {
  int64_t mask;
  MlirValue other = tileOperand(op, 1 - operand);
  MlirOperation by = tileValueGetOp(other);
  if (tileConstantInt(other, &mask)) return mask >= 0;
  return !tileTypeIsTile(mlirValueGetType(other)) ||
         (!mlirOperationIsNull(by) && tileOpIsASplat(by));
}

/// Ops whose results have a sign where their operands have one.
static bool handsOn(MlirOperation op) {
  static const char *const names[] = {
      "arith.addi",     "arith.subi",       "arith.muli",   "arith.shli",   "arith.andi",
      "arith.ori",      "arith.xori",       "arith.select", "arith.trunci", "tile.splat",
      "tile.broadcast", "tile.expand_dims", "tile.trans",   "tile.reshape", NULL};
  return tileOpIsOneOf(op, names);
}

static void readersOf(Readers *r, MlirValue value);

/// Of a function's results, who calls it.
static void readersOfResult(Readers *r, MlirOperation func, intptr_t result) {
  MlirAttribute name = tileAttr(func, "sym_name");
  for (size_t i = 0; i < r->calls->all.count; ++i) {
    MlirOperation call = r->calls->all.ops[i];
    bool isIt = mlirStringRefEqual(tileCallGetCallee(call), mlirStringAttrGetValue(name));
    if (isIt && result < mlirOperationGetNumResults(call))
      readersOf(r, mlirOperationGetResult(call, result));
  }
}

static void addReader(Readers *r, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  intptr_t i = mlirOpOperandGetOperandNumber(use);
  MlirOperation around = mlirOperationGetParentOperation(op);
  enum { STORED = 1 };
  if (tileOpIsAStore(op) && i == STORED) return;
  if (isLogic(op) || (tileOpIs(op, "arith.andi") && isCut(op, i))) {
    r->isHash = true;
  } else if (handsOn(op)) {
    readersOf(r, tileResult(op));
  } else if (tileOpIs(op, "scf.for") && i >= TILE_FOR_INITS) {
    readersOf(r, mlirBlockGetArgument(tileBody(op, 0), i - TILE_FOR_INITS + 1));
    readersOf(r, mlirOperationGetResult(op, i - TILE_FOR_INITS));
  } else if (tileOpIs(op, "scf.yield") && tileOpIs(around, "scf.for")) {
    readersOf(r, mlirBlockGetArgument(tileBody(around, 0), i + 1));
    readersOf(r, mlirOperationGetResult(around, i));
  } else if (tileOpIs(op, "scf.yield") && tileOpIs(around, "scf.if")) {
    readersOf(r, mlirOperationGetResult(around, i));
  } else if (tileOpIsACall(op)) {
    MlirOperation callee = mlirSymbolTableLookup(r->calls->functions, tileCallGetCallee(op));
    bool isFunc = !mlirOperationIsNull(callee) && tileOpIsAFunc(callee) &&
                  i < mlirBlockGetNumArguments(tileBody(callee, 0));
    if (isFunc) readersOf(r, mlirBlockGetArgument(tileBody(callee, 0), i));
    r->isOffset |= !isFunc; // no call that verifies
  } else if (tileOpIsAReturn(op)) {
    readersOfResult(r, around, i);
  } else {
    r->isOffset = true;
  }
}

static void readersOf(Readers *r, MlirValue value) {
  if (r->isOffset || !tilePointerTableInsert(&r->seen, value.ptr)) return;
  if (--r->budget < 0) r->isOffset = true;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use) && !r->isOffset; use = mlirOpOperandGetNextUse(use))
    addReader(r, use);
}

static MlirWalkResult markWraps(MlirOperation op, void *calls) {
  enum { MOST_READERS = 64, WIDE = 64 };
  if (!tileOpIsModular(op)) return MlirWalkResultAdvance;
  MlirType element = tileElementType(mlirValueGetType(tileResult(op)));
  int bits = tileBitWidth(element);
  if (!mlirTypeIsAInteger(element) || bits < 2 || bits >= WIDE) return MlirWalkResultAdvance;
  Readers r = {.calls = calls, .budget = MOST_READERS};
  readersOf(&r, tileResult(op));
  tilePointerTableClear(&r.seen);
  if (r.isOffset || !r.isHash) return MlirWalkResultAdvance;
  MlirAttribute unit = mlirUnitAttrGet(mlirOperationGetContext(op));
  mlirOperationSetDiscardableAttributeByName(op, tileString("tile.wraps"), unit);
  return MlirWalkResultAdvance;
}

static bool isCall(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsACall(op);
}

void tritonMarkWraps(MlirOperation module, const TilePointerTable *others) {
  Calls calls = {.functions = mlirSymbolTableCreate(module)};
  tileOpListCollect(&calls.all, module, MlirWalkPreOrder, isCall, NULL);
  TILE_FOR_EACH_OP(op, tileBody(module, 0)) {
    if (!tilePointerTableFind(*others, op.ptr))
      mlirOperationWalk(op, markWraps, &calls, MlirWalkPreOrder);
  }
  tileOpListDestroy(&calls.all);
  mlirSymbolTableDestroy(calls.functions);
}
