//===- Flight.c - dots that compute while others are started --------------===//
#include "Flight.h"
#include "../Loops.h"
#include "tile/Analysis/DotForm.h"
#include "tile/Analysis/Scratch.h"
#include "tile/MachineNumbers.h"
#include "tile/OpTraits.h"

enum { maxDots = 16, maxTold = 16 };

typedef struct {
  MlirOperation loop;
  MlirBlock body;
  MlirOperation dots[maxDots]; // in the order in which they start
  intptr_t carried[maxDots];   // as which of the loop's values, where it stays on its way, or -1
  bool handed[maxDots];        // is that computed with in the next step, rather than added to?
  bool waited[maxDots];
  int numDots;
  int started, over; // of this step
  // What tells others that readers are done waits for the dots that started in front of it.
  MlirOperation told[maxTold];
  int toldBehind[maxTold], numTold;
  bool older; // may dots of the step before still be on their way?
  bool inRole;
  int64_t mostWords; // of what the loop carries and two dots that start together
} Flight;

MlirOperation tileFindFlying(MlirBlock body) {
  TILE_FOR_EACH_OP(op, body) {
    if (tileOpIsWgmma(op)) return op;
  }
  return (MlirOperation){NULL};
}

static int collect(Flight *f) {
  f->numDots = 0;
  TILE_FOR_EACH_OP(op, f->body) {
    if (!tileOpIsWgmma(op)) continue;
    bool plain = !tileDotGetAsync(op) && mlirValueIsNull(tileDotGetWhen(op));
    if (!plain) return 0;
    if (f->numDots == maxDots) {
      tileEmitRemark(mlirOperationGetLocation(op),
                     "dots of this loop wait one by one: expected at most %d of them, found more",
                     (int)maxDots);
      return 0;
    }
    f->carried[f->numDots] = tileDotCarried(op);
    f->dots[f->numDots++] = op;
  }
  return f->numDots;
}

bool tileMayFly(MlirOperation loop) {
  Flight f = {.loop = loop, .body = tileBody(loop, 0)};
  return collect(&f) > 0;
}

/// Sums that the loop carries, the two largest results of its other dots, one as it comes and one
/// being computed with, and the largest A in registers.
static int64_t flightWords(MlirOperation loop) {
  int64_t words = 0, results[2] = {0}, operand = 0;
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (!tileOpIsWgmma(op)) continue;
    MlirType a = mlirValueGetType(tileDotGetA(op));
    int64_t own = tileTypeGetWords(mlirValueGetType(tileResult(op)));
    int64_t held = tileTypeIsTile(a) ? tileTypeGetWords(a) : 0;
    if (held > operand) operand = held;
    if (tileDotCarried(op) >= 0) {
      words += own;
    } else if (own > results[0]) {
      results[1] = results[0];
      results[0] = own;
    } else if (own > results[1]) {
      results[1] = own;
    }
  }
  return words + results[0] + results[1] + operand;
}

/// Does a step touch memory by as many pointers as take registers of their own?
static bool holdsPointers(MlirOperation loop) {
  int64_t few = tileMachineNumber(tileMachineOf(loop), TILE_NUMBER_HOISTED_WORDS);
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    bool touches = tileOpIsALoad(op) || tileOpIsAStore(op) || tileOpIsAAtomicRmw(op) ||
                   tileOpIsAAtomicCas(op) || tileOpIsAAsyncCopy(op);
    // A pointer has two words.
    if (touches && tileTypeGetWords(mlirValueGetType(tileOperand(op, 0))) > 2 * few) return true;
  }
  return false;
}

bool tileHasRoomToFly(MlirOperation loop) {
  TileNumber most =
      holdsPointers(loop) ? TILE_NUMBER_OVERLAP_REGISTERS : TILE_NUMBER_FLIGHT_REGISTERS;
  return flightWords(loop) <= tileMachineNumber(tileMachineOf(loop), most);
}

//===- starting early -----------------------------------------------------===//

/// The ops behind `first` that `value` follows from, which can be moved in front of it: added to
/// `moved`. False where one cannot, or a dot is among them.
static bool findMoved(MlirValue value, MlirOperation first, TileOpList *moved) {
  MlirOperation op = tileValueGetOp(value);
  MlirBlock block = mlirOperationGetBlock(first);
  if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), block)) return true;
  if (mlirOperationEqual(op, first)) return false;
  if (mlirOperationIsBeforeInBlock(op, first)) return true;
  if (tileOpListHolds(moved, op)) return true;
  if (tileOpIsWgmma(op) || !tileOpIsMovable(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!findMoved(tileOperand(op, i), first, moved)) return false;
  tileOpListAdd(moved, op); // behind what it reads
  return true;
}

/// Registers that both dots' results and all that the loop carries take.
static bool fitsRegisters(const Flight *f, MlirOperation x, MlirOperation y) {
  int64_t words = tileTypeGetWords(mlirValueGetType(tileResult(x))) +
                  tileTypeGetWords(mlirValueGetType(tileResult(y)));
  return words + tileCarriedWords(f->loop) <= f->mostWords;
}

/// Is a block that the dot reads filled by threads of this step? Then it starts where it stands.
static bool readsFilled(const Flight *f, MlirOperation dot) {
  for (intptr_t i = 0; i < 2; ++i) {
    MlirValue value = tileOperand(dot, i);
    if (!tileTypeIsABuffer(mlirValueGetType(value))) continue;
    MlirOperation op = tileBufferGetSource(value);
    if (mlirOperationIsNull(op) || mlirBlockEqual(mlirOperationGetBlock(op), f->body)) return true;
  }
  return false;
}

/// Waits for slots between the two dots go along: the second may read what they wait for.
static bool findMovedWaits(MlirOperation from, MlirOperation to, TileOpList *moved) {
  MlirOperation op = mlirOperationGetNextInBlock(from);
  for (; !mlirOperationEqual(op, to); op = mlirOperationGetNextInBlock(op)) {
    if (!tileOpIsABarrierWait(op)) continue;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (!findMoved(tileOperand(op, i), from, moved)) return false;
    tileOpListAdd(moved, op);
  }
  return true;
}

/// Can dot `i` start right behind dot `j`? `moved`: what has to go with it.
static bool canStartBehind(const Flight *f, int i, int j, TileOpList *moved) {
  moved->count = 0;
  bool can = !readsFilled(f, f->dots[i]) && fitsRegisters(f, f->dots[j], f->dots[i]) &&
             findMovedWaits(f->dots[j], f->dots[i], moved);
  for (intptr_t k = 0; can && k < mlirOperationGetNumOperands(f->dots[i]); ++k)
    can = findMoved(tileOperand(f->dots[i], k), f->dots[j], moved);
  return can;
}

/// Dots start right behind the first that nothing they follow from stands behind.
static void startEarly(Flight *f) {
  TileOpList moved = {0};
  for (int i = 1; i < f->numDots; ++i) {
    MlirOperation dot = f->dots[i];
    int j = 0;
    while (j < i && !canStartBehind(f, i, j, &moved)) ++j;
    if (j == i) continue;
    MlirOperation place = mlirOperationGetNextInBlock(f->dots[j]);
    for (size_t k = 0; k < moved.count; ++k) {
      if (mlirOperationEqual(place, moved.ops[k]))
        place = mlirOperationGetNextInBlock(place);
      else
        mlirOperationMoveBefore(moved.ops[k], place);
    }
    if (!mlirOperationEqual(place, dot)) mlirOperationMoveBefore(dot, place);
    intptr_t carried = f->carried[i];
    for (int k = i; k > j + 1; --k) {
      f->dots[k] = f->dots[k - 1];
      f->carried[k] = f->carried[k - 1];
    }
    f->dots[j + 1] = dot;
    f->carried[j + 1] = carried;
  }
  tileOpListDestroy(&moved);
}

/// Does a dot take what `op` gives from registers?
static bool makesOperand(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, r));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      MlirValue value = tileOperand(user, mlirOpOperandGetOperandNumber(use));
      if (tileOpIsWgmma(user) && tileTypeIsTile(mlirValueGetType(value)) && !tileIsZero(value))
        return true;
    }
  }
  return false;
}

//===- starting late ------------------------------------------------------===//

/// Is the barrier one of those around what a warp group stages for the copy engine?
static bool isOfStaging(MlirOperation barrier) {
  MlirOperation op = mlirOperationGetNextInBlock(barrier);
  while (!mlirOperationIsNull(op) && !tileOpIsABarrierArrive(op) && !tileOpIsATmaStore(op))
    op = mlirOperationGetNextInBlock(op);
  return !mlirOperationIsNull(op) && tileOpIsATmaStore(op);
}

bool tileOpTellsOthers(MlirOperation op) {
  return tileOpIsABarrierArrive(op) || (tileOpIsAGroupBarrier(op) && !isOfStaging(op));
}

/// Puts `dot`, which gives a sum that the loop only carries, behind `place`; and what tells others
/// of it, behind it.
static void moveBehind(MlirOperation dot, MlirOperation place) {
  TileOpList moved = {0};
  tileOpListAdd(&moved, dot);
  for (MlirOperation op = mlirOperationGetNextInBlock(dot); !mlirOperationEqual(op, place);
       op = mlirOperationGetNextInBlock(op))
    if (tileOpTellsOthers(op)) tileOpListAdd(&moved, op);
  for (size_t i = 0; i < moved.count; ++i) {
    mlirOperationMoveAfter(moved.ops[i], place);
    place = moved.ops[i];
  }
  tileOpListDestroy(&moved);
}

/// The first op behind dot `i` that makes an operand in registers; null where a dot whose result
/// others read comes first, or what the dot may not pass.
static MlirOperation findMaker(const Flight *f, int i) {
  MlirOperation op = mlirOperationGetNextInBlock(f->dots[i]);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    bool stops = (tileOpIsWgmma(op) && tileDotCarried(op) < 0) || tileOpIsABarrierWait(op);
    if (stops || (mlirOperationGetNumRegions(op) && !tileOpIsAReduce(op))) break;
    if (makesOperand(op)) return op;
  }
  return (MlirOperation){NULL};
}

/// The dot behind dot `i`, whose result others read; null where it is a sum, too, or what stands
/// between them waits for dots.
static MlirOperation findWanted(const Flight *f, int i) {
  if (i + 1 >= f->numDots || tileDotCarried(f->dots[i + 1]) >= 0) return (MlirOperation){NULL};
  MlirOperation wanted = f->dots[i + 1], op = f->dots[i];
  while (!mlirOperationEqual(op, wanted)) {
    op = mlirOperationGetNextInBlock(op);
    if (makesOperand(op) || tileOpIsABarrierWait(op)) return (MlirOperation){NULL};
  }
  return wanted;
}

/// Dot `i` gives a sum that the loop only carries, of what stays as it is for the step.
static bool mayWait(const Flight *f, int i) {
  return tileDotCarried(f->dots[i]) >= 0 && !readsFilled(f, f->dots[i]);
}

/// Sums that a step only carries start behind what would wait for them: what makes operands; and of
/// two, the second behind a dot whose result is read, which is there the sooner.
static void startLate(Flight *f) {
  for (int i = 0; i < f->numDots; ++i) {
    MlirOperation maker = mayWait(f, i) ? findMaker(f, i) : (MlirOperation){NULL};
    if (!mlirOperationIsNull(maker)) moveBehind(f->dots[i], maker);
  }
  collect(f);
  for (int i = 1; i < f->numDots; ++i) {
    bool isSecond = mayWait(f, i) && tileDotCarried(f->dots[i - 1]) >= 0;
    MlirOperation wanted = isSecond ? findWanted(f, i) : (MlirOperation){NULL};
    if (!mlirOperationIsNull(wanted)) moveBehind(f->dots[i++], wanted);
  }
  collect(f);
}

//===- waiting late -------------------------------------------------------===//

/// %w = tile_gpu.dot_wait %value pending n in front of `op`, which reads it from there on, as all
/// do that stand behind.
static void emitWait(Flight *f, MlirValue value, int pending, bool tied, MlirOperation op) {
  TileBuilder b = tileBuilderBefore(op);
  MlirOperation wait = tileValueGetOp(tileBuildDotWait(&b, value, pending, tied));
  MlirOperation earlier[maxDots + 1] = {wait};
  intptr_t count = 1;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use), at = tileAncestorIn(f->body, user);
    bool isEarlier = !mlirOperationIsNull(at) && mlirOperationIsBeforeInBlock(at, wait);
    if (isEarlier && count <= maxDots) earlier[count++] = user;
  }
  mlirValueReplaceAllUsesExcept(value, tileResult(wait), count, earlier);
}

/// In front of `op`, whatever had to wait for dots that are over.
static void tellOthers(Flight *f, MlirOperation op) {
  int left = 0;
  for (int i = 0; i < f->numTold; ++i)
    if (f->toldBehind[i] <= f->over) {
      mlirOperationMoveBefore(f->told[i], op);
    } else {
      f->told[left] = f->told[i];
      f->toldBehind[left++] = f->toldBehind[i];
    }
  f->numTold = left;
}

/// Goes the sum of dot `k` to another one alone, which has started? It is over when that one is. A
/// wait of its own would read registers that the other one is adding to, for which ptxas has each
/// dot wait for the one before (C7514).
static bool isTakenOn(const Flight *f, int k) {
  MlirOpOperand use = tileOnlyUse(tileResult(f->dots[k]));
  if (mlirOpOperandIsNull(use) || mlirOpOperandGetOperandNumber(use) != 2) return false;
  for (int j = k + 1; j < f->started; ++j)
    if (mlirOperationEqual(mlirOpOperandGetOwner(use), f->dots[j])) return true;
  return false;
}

/// In front of `op`, for what dots of the step before have handed on: at most `pending` dots of
/// this step may be on their way behind them.
static void waitForHanded(Flight *f, int pending, MlirOperation op) {
  for (int i = 0; f->older && i < f->numDots; ++i)
    if (f->handed[i])
      emitWait(f, mlirBlockGetArgument(f->body, 1 + f->carried[i]), pending, true, op);
  f->older = false;
}

static void waitFor(Flight *f, int i, MlirOperation op) {
  if (f->waited[i]) return;
  // Those before it are over, too; ptxas wants to see a wait for each in front of what comes next.
  for (int k = f->over; k < i; ++k)
    if (f->carried[k] < 0 && !isTakenOn(f, k)) waitFor(f, k, op);
  emitWait(f, tileResult(f->dots[i]), f->started - 1 - i, true, op);
  f->waited[i] = true;
  if (f->over <= i) f->over = i + 1;
  waitForHanded(f, f->started - 1 - i, op);
  tellOthers(f, op);
}

static void waitForAll(Flight *f, MlirOperation op) {
  if (f->over < f->started) waitFor(f, f->started - 1, op);
  if (!f->older) return;
  for (int i = 0; i < f->numDots; ++i)
    if (f->carried[i] >= 0)
      emitWait(f, mlirBlockGetArgument(f->body, 1 + f->carried[i]), 0, true, op);
  f->older = false;
}

/// Has a dot of the step before handed `value` on, which may still be on its way?
static bool isHanded(const Flight *f, MlirValue value) {
  for (int i = 0; f->older && i < f->numDots; ++i)
    if (f->handed[i] && mlirValueEqual(mlirBlockGetArgument(f->body, 1 + f->carried[i]), value))
      return true;
  return false;
}

/// The number of the dot that gives `value`; -1: none.
static int dotOf(const Flight *f, MlirValue value) {
  for (int i = 0; i < f->numDots; ++i)
    if (mlirValueEqual(tileResult(f->dots[i]), value)) return i;
  return -1;
}

/// Does a dot on its way read a buffer of this step? Whatever the step writes to shared memory may
/// lie where that did; slots of rings are nobody else's.
static bool readsOwnBuffer(const Flight *f) {
  for (int i = f->over; i < f->started; ++i)
    if (readsFilled(f, f->dots[i])) return true;
  return f->older;
}

/// The same, under other names of its elements: a transposed tile is in the registers that its
/// source was read into, which dots on their way may still read. In roles those are kept apart by
/// what the loop carries.
static bool makesTurned(const Flight *f, MlirOperation op) {
  if (f->inRole || mlirOperationGetNumResults(op) != 1) return false;
  MlirOpOperand use = tileOnlyUse(tileResult(op));
  MlirOperation user =
      mlirOpOperandIsNull(use) ? (MlirOperation){NULL} : mlirOpOperandGetOwner(use);
  return !mlirOperationIsNull(user) && tileOpIsATrans(user) && makesOperand(user);
}

/// Must all dots be over before `op`?
static bool needsAll(const Flight *f, MlirOperation op) {
  bool combines = tileOpIsAReduce(op) || tileOpIsAScan(op);
  if (mlirOperationGetNumRegions(op) && !combines) return true;
  if (tileOpIsADescCopy(op) || tileOpIsADescWrite(op)) return true;
  if (makesOperand(op) || makesTurned(f, op)) return true;
  return (tileOpIsABufferStore(op) || tileOpScratchBytes(op) > 0) && readsOwnBuffer(f);
}

/// Is `op` told later, as dots are on their way that it speaks of?
static bool waitsToTell(Flight *f, MlirOperation op) {
  if (!tileOpTellsOthers(op)) return false;
  if (f->numTold == maxTold) waitForAll(f, op);
  if (f->over == f->started) return false;
  f->told[f->numTold] = op;
  f->toldBehind[f->numTold++] = f->started;
  return true;
}

static void visit(Flight *f, MlirOperation op) {
  if (f->started < f->numDots && mlirOperationEqual(op, f->dots[f->started])) {
    MlirAttribute unit = mlirUnitAttrGet(mlirOperationGetContext(op));
    MlirValue a = tileDotGetA(op);
    int from = dotOf(f, a);
    if (from >= 0) waitFor(f, from, op);
    mlirOperationSetAttributeByName(op, tileString("async"), unit);
    ++f->started;
    return;
  }
  if (waitsToTell(f, op)) return;
  // What is stored was a dot's: those behind it may go on, if that leaves none that must be over.
  if (!tileOpIsABufferStore(op) && needsAll(f, op)) waitForAll(f, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    int from = dotOf(f, tileOperand(op, i));
    if (from >= 0) waitFor(f, from, op);
    if (isHanded(f, tileOperand(op, i))) waitForHanded(f, f->started, op);
  }
  if (needsAll(f, op)) waitForAll(f, op);
}

/// At the end of a step sums stay on their way, and nothing else, nor anything of the step before.
static void visitEnd(Flight *f, MlirOperation yield) {
  bool flies = false;
  for (int i = 0; i < f->numDots; ++i) {
    f->waited[i] |= isTakenOn(f, i);
    if (f->carried[i] < 0) waitFor(f, i, yield);
    flies |= !f->waited[i];
  }
  if (!f->older || !flies) return;
  int last = f->numDots - 1;
  while (f->waited[last]) --last;
  emitWait(f, tileResult(f->dots[last]), f->started, false, yield);
}

static void waitBehind(const Flight *f) {
  TileBuilder b = tileBuilderAfter(f->loop);
  for (int i = 0; i < f->numDots; ++i) {
    if (f->waited[i]) continue;
    MlirValue sum = mlirOperationGetResult(f->loop, f->carried[i]);
    MlirOperation wait = tileValueGetOp(tileBuildDotWait(&b, sum, 0, true));
    mlirValueReplaceAllUsesExcept(sum, tileResult(wait), 1, &wait);
  }
}

/// Is the last dot of a step the only one behind another, or behind several that add to one sum? Of
/// more on their way, ptxas would have each wait for the one before (C7514).
static bool isBehindOne(const Flight *f) {
  for (int i = 0; i + 2 < f->numDots; ++i) {
    MlirOpOperand use = tileOnlyUse(tileResult(f->dots[i]));
    if (mlirOpOperandIsNull(use) || mlirOpOperandGetOperandNumber(use) != 2 ||
        !mlirOperationEqual(mlirOpOperandGetOwner(use), f->dots[i + 1]))
      return false;
  }
  return f->numDots > 1;
}

/// As which of the loop's values a step hands on the result of dot `i`, which the next one reads
/// behind the start of another dot, as attention scales its sums once it has the next scores; -1:
/// it does not, or the dot is short, or reads what is written anew in each step.
static intptr_t findHanded(const Flight *f, int i) {
  int least = tileMachineNumber(tileMachineOf(f->loop), TILE_NUMBER_HANDED_DOT_CYCLES);
  if (f->carried[0] >= 0 || tileDotGetCycles(f->dots[i]) < least) return -1;
  MlirOpOperand given = tileOnlyUse(tileResult(f->dots[i]));
  if (mlirOpOperandIsNull(given) || readsFilled(f, f->dots[i]) ||
      !mlirOperationEqual(mlirOpOperandGetOwner(given), mlirBlockGetTerminator(f->body)))
    return -1;
  intptr_t number = mlirOpOperandGetOperandNumber(given);
  MlirOpOperand use = mlirValueGetFirstUse(mlirBlockGetArgument(f->body, 1 + number));
  if (mlirOpOperandIsNull(use)) return -1;
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool isPlain = mlirBlockEqual(mlirOperationGetBlock(user), f->body) && !tileOpIsADot(user) &&
                   !tileOpIs(user, "scf.yield");
    if (!isPlain || mlirOperationIsBeforeInBlock(user, f->dots[0])) return -1;
  }
  return number;
}

/// Finds the dots that stay on their way across steps.
static void findFlying(Flight *f, bool across) {
  bool mayHand = across && !f->inRole && isBehindOne(f) && tileHasRoomToFly(f->loop);
  for (int i = 0; i < f->numDots; ++i) {
    intptr_t number = mayHand && i == f->numDots - 1 && f->carried[i] < 0 ? findHanded(f, i) : -1;
    f->handed[i] = number >= 0;
    if (!across || number >= 0) f->carried[i] = number;
    f->older |= f->carried[i] >= 0;
  }
}

void tileLetFly(MlirOperation loop, bool across, bool inRole) {
  TileNumber most = inRole ? TILE_NUMBER_OVERLAP_REGISTERS : TILE_NUMBER_EARLY_REGISTERS;
  Flight f = {.loop = loop,
              .body = tileBody(loop, 0),
              .inRole = inRole,
              .mostWords = tileMachineNumber(tileMachineOf(loop), most)};
  if (!collect(&f)) return;
  startEarly(&f);
  if (inRole) startLate(&f);
  findFlying(&f, across);
  MlirOperation yield = mlirBlockGetTerminator(f.body);
  TILE_FOR_EACH_OP(op, f.body) {
    if (!mlirOperationEqual(op, yield)) visit(&f, op);
  }
  visitEnd(&f, yield);
  waitBehind(&f);
}
