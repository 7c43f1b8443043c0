//===- Loops.c - the loops of a kernel ------------------------------------===//
#include "Loops.h"
#include "Launch.h"
#include "tile/Analysis/Waiting.h"
#include "tile/MachineNumbers.h"
#include "tile/OpTraits.h"
#include "tile/Support/ValueSearch.h"

static bool isFor(MlirOperation op, void *data) {
  (void)data;
  return tileOpIs(op, "scf.for");
}

bool tileIsLoopOfDots(MlirOperation op) { return tileOpIs(op, "scf.for") && tileHoldsDot(op); }

bool tileIsOfBlock(MlirOperation op, MlirBlock block) {
  return !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), block);
}

bool tileIsInLoop(MlirOperation op) { return !mlirOperationIsNull(tileLoopAround(op)); }

static bool isLoopOfDots(MlirOperation op, void *data) {
  (void)data;
  return tileIsLoopOfDots(op);
}

bool tileHoldsLoopOfDots(MlirOperation op) { return tileHoldsOp(op, isLoopOfDots, NULL); }

bool tileIsOneOfManyLoops(MlirOperation loop) {
  int count = 0;
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(loop)) count += tileIsLoopOfDots(op);
  return count >= tileMachineNumber(tileMachineOf(loop), TILE_NUMBER_MANY_LOOPS);
}

void tileFindLoops(MlirOperation root, TileOpList *loops) {
  tileOpListCollect(loops, root, MlirWalkPostOrder, isFor, NULL);
}

void tileVisitLoops(MlirOperation root, void (*visit)(MlirOperation loop)) {
  TileOpList loops = {0};
  tileFindLoops(root, &loops);
  for (size_t i = 0; i < loops.count; ++i) visit(loops.ops[i]);
  tileOpListDestroy(&loops);
}

static bool isDot(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsADot(op);
}

void tileFindDots(MlirOperation root, TileOpList *dots) {
  tileOpListCollect(dots, root, MlirWalkPreOrder, isDot, NULL);
}

bool tileDotIsAddedTo(MlirOperation dot) {
  MlirOpOperand use = tileOnlyUse(tileResult(dot));
  return !mlirOpOperandIsNull(use) && tileOpIsADot(mlirOpOperandGetOwner(use)) &&
         mlirOpOperandGetOperandNumber(use) == 2;
}

bool tileIsThereAt(MlirValue value, MlirOperation op) {
  MlirOperation made = tileValueGetOp(value);
  if (mlirOperationIsNull(made)) return true;
  if (!mlirBlockEqual(mlirOperationGetBlock(made), mlirOperationGetBlock(op))) return true;
  return mlirOperationIsBeforeInBlock(made, op);
}

intptr_t tileCarriedNumber(MlirBlock body, MlirValue value) {
  bool isOfBody =
      mlirValueIsABlockArgument(value) && mlirBlockEqual(mlirBlockArgumentGetOwner(value), body);
  return isOfBody ? mlirBlockArgumentGetArgNumber(value) - 1 : -1;
}

MlirValue tileCarriedInit(MlirValue carried) {
  return tileForGetInit(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(carried)),
                        mlirBlockArgumentGetArgNumber(carried) - 1);
}

MlirValue tileCarriedNext(MlirValue carried) {
  MlirBlock body = mlirBlockArgumentGetOwner(carried);
  return tileOperand(mlirBlockGetTerminator(body), mlirBlockArgumentGetArgNumber(carried) - 1);
}

int64_t tileCountSteps(MlirOperation loop) {
  int64_t lower, upper, step;
  if (!tileConstantInt(tileForGetLower(loop), &lower) ||
      !tileConstantInt(tileForGetUpper(loop), &upper) ||
      !tileConstantInt(tileForGetStep(loop), &step) || step < 1 || upper <= lower)
    return 0;
  return (upper - lower + step - 1) / step;
}

int64_t tileMostSteps(MlirOperation loop) {
  int64_t steps = tileCountSteps(loop);
  return steps ? steps : tileIntAttr(loop, "tile.most_steps", 0);
}

static bool hasEffects(MlirOperation op, void *data) {
  return (tileOpGetEffects(op) & *(uint32_t *)data) != 0;
}

bool tileHasFewWarps(MlirOperation loop) {
  MlirOperation func = tileFuncOf(loop);
  const TileMachine *m = tileMachineOf(func);
  int64_t programs = tileHoldsDot(func) ? 0 : tileLaunchGetPrograms(func);
  int64_t warps = programs * tileNumWarpsOf(func);
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (tileOpIsALoad(op) && !tileTypeIsTile(mlirValueGetType(tileResult(op)))) return false;
  }
  return warps && 100 * warps < m->warps * tileMachineNumber(m, TILE_NUMBER_STREAM_WORD_WARPS);
}

int64_t tileCarriedWords(MlirOperation loop) {
  int64_t words = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(loop, i));
    if (tileTypeIsTile(type)) words += tileTypeGetWords(type);
  }
  return words;
}

/// What a loop reads and what was there before it.
typedef struct {
  MlirOperation loop;
  TileOpList seen;
  int64_t words;
} Held;

static bool standsIn(MlirOperation op, MlirOperation loop) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, loop))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

/// A value that is broadcast is held once.
static void addHeld(Held *held, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!tileTypeIsTile(type) || !tileTypeIsFloat(tileElementType(type))) return;
  if (!mlirValueIsAOpResult(value)) return;
  MlirOperation source = tileValueGetOp(value);
  if (standsIn(source, held->loop) || tileOpListHolds(&held->seen, source)) return;
  tileOpListAdd(&held->seen, source);
  if (tileOpIsABroadcast(source))
    addHeld(held, tileOperand(source, 0));
  else if (!tileOpIs(source, "arith.constant") && !tileOpIsASplat(source))
    held->words += tileTypeGetWords(type);
}

static MlirWalkResult addOperands(MlirOperation op, void *data) {
  Held *held = data;
  bool isLoop = mlirOperationEqual(op, held->loop);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !isLoop; ++i)
    addHeld(held, tileOperand(op, i));
  return MlirWalkResultAdvance;
}

int64_t tileHeldWords(MlirOperation loop) {
  Held held = {.loop = loop};
  mlirOperationWalk(loop, addOperands, &held, MlirWalkPreOrder);
  tileOpListDestroy(&held.seen);
  return held.words;
}

/// Is `value`, which was there before `loop`, an op of a block around it, wanted by another op that
/// runs behind: after the op of that block which `at` is, or in its next step?
static bool isWantedBehind(MlirValue value, MlirOperation at, MlirOperation loop) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirOperation reader = tileAncestorIn(mlirOperationGetBlock(at), user);
    if (mlirOperationIsNull(reader) || standsIn(user, loop)) continue;
    bool isInside = mlirOperationEqual(reader, at);
    if (isInside ? tileOpIs(at, "scf.for") && !mlirOperationEqual(user, at)
                 : mlirOperationIsBeforeInBlock(at, reader))
      return true;
  }
  return false;
}

/// Registers of `value`, where it is a tile of floats that is no mere repetition of a number.
static int64_t wordsOf(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!tileTypeIsTile(type) || !tileTypeIsFloat(tileElementType(type))) return 0;
  MlirOperation op = tileValueGetOp(value);
  bool isMade = !mlirOperationIsNull(op) &&
                (tileOpIs(op, "arith.constant") || tileOpIsASplat(op) || tileOpIsABroadcast(op));
  return isMade ? 0 : tileTypeGetWords(type);
}

int64_t tileLiveWords(MlirOperation loop) {
  int64_t words = 0;
  for (MlirOperation at = loop; !tileOpIsIsolated(at); at = mlirOperationGetParentOperation(at)) {
    MlirBlock block = mlirOperationGetBlock(at);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
      MlirValue carried = mlirBlockGetArgument(block, i);
      int64_t own = wordsOf(carried);
      if (own && isWantedBehind(carried, at, loop)) words += own;
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationEqual(op, at);
         op = mlirOperationGetNextInBlock(op))
      for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
        MlirValue result = mlirOperationGetResult(op, i);
        int64_t own = wordsOf(result);
        if (own && isWantedBehind(result, at, loop)) words += own;
      }
  }
  return words;
}

bool tileHoldsEffects(MlirOperation op, uint32_t effects) {
  return tileHoldsOp(op, hasEffects, &effects);
}

MlirValue tileArrayOf(MlirValue pointers) {
  for (;;) {
    MlirOperation op = tileValueGetOp(pointers);
    if (mlirOperationIsNull(op)) {
      MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(pointers));
      intptr_t i = mlirBlockArgumentGetArgNumber(pointers);
      if (tileOpIsAFunc(owner)) return pointers;
      if (!tileOpIs(owner, "scf.for") || i == 0) return (MlirValue){NULL};
      pointers = tileForGetInit(owner, i - 1);
    } else if (tileOpIsAAddPtr(op) || tileOpIsASplat(op) || tileOpIsABroadcast(op) ||
               tileOpIsAConvertLayout(op) || tileOpMovesElements(op)) {
      pointers = tileOperand(op, 0);
    } else {
      return (MlirValue){NULL};
    }
  }
}

MlirOperation tileFirstReader(MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation first = {NULL};
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(op));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = tileAncestorIn(block, mlirOpOperandGetOwner(use));
    if (mlirOperationIsNull(first) || mlirOperationIsBeforeInBlock(user, first)) first = user;
  }
  return first;
}

MlirValue tileArrayWrittenBy(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    MlirType type = mlirValueGetType(operand);
    if (tileTypeIsAPtr(tileElementType(type))) return tileArrayOf(operand);
    if (!tileTypeIsADesc(type)) continue;
    MlirOperation made = tileValueGetOp(operand);
    bool isMade = !mlirOperationIsNull(made) && tileOpIsAMakeDesc(made);
    return isMade ? tileArrayOf(tileMakeDescGetBase(made)) : (MlirValue){NULL};
  }
  return (MlirValue){NULL};
}

/// May `op` write to the array `data`, or let others be seen that do?
static bool mayWrite(MlirOperation op, void *data) {
  const MlirValue *array = data;
  if (tileOpIsABarrier(op)) return true;
  bool isLeaf = mlirOperationGetNumRegions(op) == 0;
  if (!isLeaf || !(tileOpGetEffects(op) & TILE_WRITES_GLOBAL)) return false;
  MlirValue written = tileArrayWrittenBy(op);
  return mlirValueIsNull(written) || mlirValueEqual(written, *array);
}

bool tileLoadsSteadyNumber(MlirOperation load) {
  if (!tileOpIsALoad(load) || tileTypeIsTile(mlirValueGetType(tileResult(load))) ||
      tileLoadGetCache(load) == TILE_CACHE_USE_CV)
    return false;
  MlirOperation func = tileFuncOf(load);
  MlirValue array = tileArrayOf(tileLoadGetPtr(load));
  if (mlirValueIsNull(array) || !mlirOperationIsNull(tileFindWaiting(func))) return false;
  return !tileHoldsOp(func, mayWrite, &array);
}

typedef struct {
  bool (*passes)(MlirOperation op);
} Way;

static bool isMultiplied(TileValueSearch *s, MlirValue value, const void *data) {
  const Way *way = data;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileUseFeedsDot(use)) return true;
    if (way->passes(user)) tileValueSearchAdd(s, tileResult(user));
  }
  return false;
}

bool tileReachesDot(MlirValue value, bool (*passes)(MlirOperation op)) {
  const Way way = {passes};
  return tileValueSearchFinds(value, isMultiplied, &way);
}

bool tileOpComputesTile(MlirOperation op) {
  return tileOpIsElementwise(op) || tileOpMovesElements(op);
}

/// Is it a matrix? A row of numbers, as of the greatest scores, is no operand.
static bool isMatrix(MlirValue value) {
  int64_t shape[TILE_MAX_RANK], longer = 0;
  MlirType type = mlirValueGetType(value);
  if (!tileTypeIsTile(type) || !tileTypeIsFloat(tileElementType(type))) return false;
  for (int d = tileShape(type, shape); d-- > 0;) longer += shape[d] > 1;
  return longer > 1;
}

bool tileIsRecurrence(MlirOperation loop) {
  MlirBlock body = tileBody(loop, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue carried = mlirBlockGetArgument(body, i);
    if (isMatrix(carried) && tileReachesDot(carried, tileOpComputesTile)) return true;
  }
  return false;
}

/// Is `value` used by nothing but ops without effects that lead to operand `i` of `yield`?
static bool onlyFeeds(MlirValue value, MlirOperation yield, intptr_t i, int depth) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, yield) && mlirOpOperandGetOperandNumber(use) == (unsigned)i)
      continue;
    if (depth == 0 || !tileOpIsMovable(user)) return false;
    for (intptr_t r = 0; r < mlirOperationGetNumResults(user); ++r)
      if (!onlyFeeds(mlirOperationGetResult(user, r), yield, i, depth - 1)) return false;
  }
  return true;
}

static MlirWalkResult stopIdle(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIs(op, "scf.for")) return MlirWalkResultAdvance;
  MlirBlock body = tileBody(op, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue carried = mlirBlockGetArgument(body, i + 1);
    bool isUsed = !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, i)));
    if (!isUsed && onlyFeeds(carried, yield, i, 8)) mlirOperationSetOperand(yield, i, carried);
  }
  return MlirWalkResultAdvance;
}

void tileStopIdleCarries(MlirOperation root) {
  mlirOperationWalk(root, stopIdle, NULL, MlirWalkPostOrder);
}

intptr_t tileDotCarried(MlirOperation dot) {
  MlirValue acc = tileDotGetAcc(dot);
  MlirOpOperand use = tileOnlyUse(tileResult(dot));
  if (mlirOpOperandIsNull(use) || !tileOpIs(mlirOpOperandGetOwner(use), "scf.yield")) return -1;
  if (!mlirValueIsABlockArgument(acc) || mlirOpOperandIsNull(tileOnlyUse(acc)) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(acc), mlirOperationGetBlock(dot)))
    return -1;
  intptr_t number = mlirBlockArgumentGetArgNumber(acc) - 1;
  return number == (intptr_t)mlirOpOperandGetOperandNumber(use) ? number : -1;
}

bool tileIsInRole(MlirOperation op) {
  for (; !mlirOperationIsNull(op) && !tileOpIsAFunc(op); op = mlirOperationGetParentOperation(op))
    if (tileOpIsAWarpSpecialize(op)) return true;
  return false;
}

/// Does nothing but `store` touch the buffer that it fills in front of `loop`?
static bool isFirstReadBy(MlirOperation loop, MlirOperation store) {
  MlirBlock block = mlirOperationGetBlock(loop);
  MlirOperation alloc = tileValueGetOp(tileBufferStoreGetBuffer(store));
  if (mlirOperationIsNull(alloc) || !tileOpIsAAllocShared(alloc) ||
      !mlirBlockEqual(mlirOperationGetBlock(alloc), block))
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(alloc));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = tileAncestorIn(block, mlirOpOperandGetOwner(use));
    if (mlirOperationIsNull(user)) return false;
    if (mlirOperationEqual(user, store)) continue;
    if (mlirOperationIsBeforeInBlock(user, loop)) return false;
  }
  return true;
}

void tileSinkStores(MlirOperation loop) {
  TileOpList stores = {0};
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(loop)) {
    if (mlirOperationEqual(op, loop)) break;
    if (tileOpIsABufferStore(op) && isFirstReadBy(loop, op)) tileOpListAdd(&stores, op);
  }
  for (size_t i = 0; i < stores.count; ++i) mlirOperationMoveBefore(stores.ops[i], loop);
  tileOpListDestroy(&stores);
}

//===- rows that begin anywhere -------------------------------------------===//

/// Have all dots of the block that multiply `value`, as it is or transposed, few rows or columns?
/// False in `*multiplies` where something else reads it.
static bool isReadByThin(MlirValue value, MlirBlock block, bool *multiplies) {
  bool thin = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use) && *multiplies;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool isOperand = tileUseFeedsDot(use);
    *multiplies &=
        mlirBlockEqual(mlirOperationGetBlock(user), block) && (isOperand || tileOpIsATrans(user));
    if (*multiplies)
      thin &= isOperand ? tileIsThinDot(user) : isReadByThin(tileResult(user), block, multiplies);
  }
  return thin;
}

bool tileIsThinDot(MlirOperation dot) {
  int64_t shape[TILE_MAX_RANK];
  int most = tileMachineNumber(tileMachineOf(dot), TILE_NUMBER_RAGGED_ROWS);
  return tileShape(mlirValueGetType(tileResult(dot)), shape) == 2 &&
         (shape[0] <= most || shape[1] <= most);
}

/// Do rows along `dim`, which begin within a chunk, take few more chunks than rows that begin with
/// one? Else threads load their elements one by one, unless the launch would pack them instead.
static bool isWorthChunks(MlirOperation load, int dim) {
  MlirType type = mlirValueGetType(tileResult(load));
  int64_t bits = mlirShapedTypeGetDimSize(type, dim) * tileBitWidth(tileElementType(type));
  bool packs = !mlirAttributeIsNull(tileAttr(tileFuncOf(load), "tile_gpu.packs"));
  int least = tileMachineNumber(tileMachineOf(load), TILE_NUMBER_RAGGED_BYTES);
  return packs || bits >= 8 * least;
}

bool tileIsRaggedLoad(const TileAxisAnalysis *axis, MlirOperation load) {
  if (!tileOpIsALoad(load) || !tileTypeIsTile(mlirValueGetType(tileResult(load)))) return false;
  MlirOperation loop = mlirOperationGetParentOperation(load);
  MlirValue other = tileLoadGetOther(load);
  bool isZero = mlirValueIsNull(other) || tileIsZero(other);
  if (!isZero || !tileOpIs(loop, "scf.for") ||
      !mlirAttributeIsNull(tileAttr(loop, "unsignedCmp")) ||
      tileHoldsEffects(loop, TILE_WRITES_GLOBAL))
    return false;
  bool multiplies = !mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(load)));
  bool thin = isReadByThin(tileResult(load), mlirOperationGetBlock(load), &multiplies);
  int dim = multiplies ? tileAxisRaggedDim(axis, load, thin) : -1;
  return dim >= 0 && isWorthChunks(load, dim);
}

bool tileIsRaggedOperand(const TileAxisAnalysis *axis, MlirOperation dot, MlirValue operand) {
  MlirOperation op = tileValueGetOp(operand);
  if (!mlirOperationIsNull(op) && tileOpIsATrans(op)) op = tileValueGetOp(tileOperand(op, 0));
  return !mlirOperationIsNull(op) &&
         mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(dot)) &&
         tileIsRaggedLoad(axis, op);
}

bool tileIsRaggedDot(const TileAxisAnalysis *axis, MlirOperation dot) {
  return tileIsThinDot(dot) && (tileIsRaggedOperand(axis, dot, tileDotGetA(dot)) ||
                                tileIsRaggedOperand(axis, dot, tileDotGetB(dot)));
}
