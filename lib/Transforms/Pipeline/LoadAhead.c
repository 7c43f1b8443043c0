//===- LoadAhead.c - loads beside dots start a step ahead -----------------===//
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
// dots reads beside them, as scales of rows and blocks are, would be waited for in each step. What
// is not copied as well (Feeds.c), for want of 4 bytes a thread, or beside boxes, is loaded a step
// ahead instead, into registers: a loop of dots has few of them for more. They
// are asked for behind the start of a dot that runs beside the threads (wgmma); where threads
// multiply themselves, as the step begins. So are, as the step begins, those that it reads in front
// of such a dot, as gates and scales of an operand are: behind the dot they would be waited for at
// once. Two steps ahead would be no more: the registers that a step hands on to the next one are
// waited for, and ptxas has that done where the step begins.
//
// In a loop without dots whose rows are copied ahead, what all warps read, and so none can copy for
// itself, would still be waited for in each step: it starts a step ahead, too.
//
// So are operands that threads load and store to shared memory themselves, because no copy can: of
// rows that begin anywhere, say, whose elements follow each other by twos at best. The next step's
// are asked for as soon as this step's are stored, in front of its dots; behind the start of one
// that runs beside the threads:
//
// Before:  scf.for .. { %a = tile.load %p            After:  %a0 = tile.load ..
//            tile_gpu.buffer_store %a, %s                    scf.for .. iter_args(.., %a = %a0) {
//            %d = tile.dot %s, .. }                            tile_gpu.buffer_store %a, %s
//                                                              %a1 = tile.load %next
//                                                              %d = tile.dot %s, .. }
//
// What addresses and masks follow from is computed for the next step, of the counter, of what the
// loop does not change, and of what it carries, where that follows from the same.
//
// Not so operands of one of many loops in a block, as of a filter's taps that its author wrote out:
// each has few steps, of which one more would be loaded for nothing, and what the first steps of
// all of them begin with is the same, and held over all.
//
// Declines, with a remark: more registers than tile/Machine.h says, addresses that follow from
// other loads, loops that write to global memory, but where tile-pipeline has found that this lies
// apart. Sums that a loop adds to another array, by
// threads or the copy engine, and whose old values nobody looks at, do not count: other programs
// add to them at any time, so none may read them yet by any name; where registers are few, as dots
// of a step hold them, these count, too. Where a warp of its own copies boxes ahead of all that the
// loop writes to other arguments, loads beside them start ahead of it as well.
//
// Requires: layouts assigned; roles and rings in place.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Layouts/Converted.h"
#include "../Loops.h"
#include "Flight.h"
#include "Hazards.h"
#include "StepAhead.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Support/ValueSearch.h"
#include <stdio.h>

/// Behind what loads start a step ahead: in a loop of dots a dot that runs beside the threads, or
/// where threads compute the dots the step's first op; in another one the wait for what a step has
/// copied ahead; null: there is neither.
static MlirOperation findPlace(MlirBlock body) {
  bool any = false;
  MlirOperation wait = {NULL};
  TILE_FOR_EACH_OP(op, body) {
    if (tileOpIsWgmma(op)) return op;
    any |= tileOpIsADot(op);
    if (tileOpIsAAsyncWait(op)) wait = op;
  }
  return any ? mlirBlockGetFirstOperation(body) : wait;
}

/// What a load reads, and whether a loop may write that.
typedef struct {
  MlirValue array;
  bool addsApart; ///< sums that go to another argument do not count
  bool apart;     ///< nor does anything else that does
} Written;

/// The array to which `op` adds without looking at it; null where it does something else.
static MlirValue addedTo(MlirOperation op) {
  MlirValue desc = {NULL};
  if (tileOpIsAAtomicRmw(op) && tileAtomicRmwGetKind(op) == TILE_RMW_KIND_FADD &&
      mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(op))))
    return tileArrayOf(tileAtomicRmwGetPtr(op));
  if (tileOpIsATmaStore(op) && tileTmaStoreGetAdd(op)) desc = tileTmaStoreGetDesc(op);
  if (tileOpIsADescWrite(op) && tileDescWriteGetAdd(op)) desc = tileDescWriteGetDesc(op);
  MlirOperation made = mlirValueIsNull(desc) ? (MlirOperation){NULL} : tileValueGetOp(desc);
  bool isMade = !mlirOperationIsNull(made) && tileOpIsAMakeDesc(made);
  return isMade ? tileArrayOf(tileMakeDescGetBase(made)) : (MlirValue){NULL};
}

static bool isAnother(MlirValue array, MlirValue read) {
  return !mlirValueIsNull(array) && !mlirValueIsNull(read) && !mlirValueEqual(array, read);
}

/// A kernel's own barrier: what others wrote in front of it may be read behind it.
static bool isWrite(MlirOperation op, void *data) {
  const Written *w = data;
  if (w->addsApart && isAnother(addedTo(op), w->array)) return false;
  bool writes = (tileOpGetEffects(op) & TILE_WRITES_GLOBAL) != 0;
  if (writes && w->apart && isAnother(tileArrayWrittenBy(op), w->array)) return false;
  return writes || tileOpIsABarrier(op);
}

static bool mayWrite(MlirOperation loop, MlirOperation load) {
  if (tilePassesWrites(load)) return false;
  Written w = {.array = tileArrayOf(tileLoadGetPtr(load)),
               .addsApart = tileHasRoomToFly(loop),
               .apart = tileIsInRole(loop)};
  return tileHoldsOp(loop, isWrite, &w);
}

//===- operands of dots ---------------------------------------------------===//

/// Does a dot of the body read the buffer?
static bool isOperand(MlirBlock body, MlirValue buffer) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpIsADot(user) && mlirBlockEqual(mlirOperationGetBlock(user), body)) return true;
  }
  return false;
}

/// The last op of the body that stores `value` for a dot, as it is or converted; null: none does.
static MlirOperation findStore(MlirBlock body, MlirValue value) {
  MlirOperation last = {NULL};
  TileValueSearch s = {0};
  tileValueSearchAdd(&s, value);
  while (s.count) {
    MlirOpOperand use = mlirValueGetFirstUse(s.stack[--s.count]);
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (!mlirBlockEqual(mlirOperationGetBlock(user), body)) continue;
      bool stores = tileOpIsABufferStore(user) && isOperand(body, tileBufferStoreGetBuffer(user));
      if (stores && (mlirOperationIsNull(last) || mlirOperationIsBeforeInBlock(last, user)))
        last = user;
      if (!stores && (tileOpConverts(user) || tileOpIsAConvertLayout(user) || tileOpIsATrans(user)))
        tileValueSearchAdd(&s, tileResult(user));
    }
  }
  tileValueSearchClear(&s);
  return last;
}

/// Where the next step's are asked for that `store` shares: right behind it; or where a dot reads
/// that by wgmma, behind the dot's start, as the fence in front of it waits for loads on their way.
static MlirOperation behindFence(MlirOperation store) {
  MlirOperation op = mlirOperationGetNextInBlock(store);
  while (!mlirOperationIsNull(op) && !tileOpIsADot(op)) op = mlirOperationGetNextInBlock(op);
  return !mlirOperationIsNull(op) && tileOpIsWgmma(op) ? op : store;
}

/// Registers of a thread: each element that comes alone has one, however narrow it is.
static int64_t registersOf(MlirType type) {
  TileLayout layout;
  int64_t words = tileTypeGetWords(type);
  if (!tileTypeIsTile(type) || !tileTypeGetLayout(type, &layout)) return words;
  int64_t elements = INT64_C(1) << layout.inBits[TILE_REGISTER];
  return words > elements ? words : elements;
}

/// The same of what a loop carries: of pointers those of accesses of 16 bytes, as copies have them.
static int64_t carriedRegistersOf(MlirType type) {
  MlirType element = tileElementType(type);
  int64_t registers = registersOf(type);
  if (!tileTypeIsTile(type) || !tileTypeIsAPtr(element)) return registers;
  int64_t vector = 128 / tileBitWidth(tilePtrTypeGetPointee(element));
  return registers > 2 * vector ? registers / vector : registers;
}

/// Registers of the largest operand that a step of the loop loads for itself, beside `load`.
static int64_t registersInStep(MlirBlock body, MlirOperation load) {
  int64_t most = 0;
  TILE_FOR_EACH_OP(op, body) {
    if (!tileOpIsALoad(op) || mlirOperationEqual(op, load)) continue;
    bool isForDot = !mlirOperationIsNull(findStore(body, tileResult(op)));
    int64_t registers = isForDot ? registersOf(mlirValueGetType(tileResult(op))) : 0;
    if (registers > most) most = registers;
  }
  return most;
}

/// Do registers hold what the loop carries and the load besides, also while another operand comes
/// in its own step?
static bool holds(MlirOperation loop, MlirOperation load) {
  const TileMachine *m = tileMachineOf(load);
  MlirBlock body = tileBody(loop, 0);
  MlirOperation func = tileFuncOf(load);
  int64_t threads = tileNumThreadsOf(func);
  int64_t most = m->registers / threads;
  if (most > m->threadRegisters) most = m->threadRegisters;
  int64_t taken = registersOf(mlirValueGetType(tileResult(load)));
  for (intptr_t i = 1; i < mlirBlockGetNumArguments(body); ++i)
    taken += carriedRegistersOf(mlirValueGetType(mlirBlockGetArgument(body, i)));
  int64_t all = taken + registersInStep(body, load);
  return taken * 100 <= most * tileMachineNumber(m, TILE_NUMBER_OPERAND_REGISTERS) &&
         all * 100 <= most * tileMachineNumber(m, TILE_NUMBER_OPERANDS_REGISTERS);
}

//===- starting ahead -----------------------------------------------------===//

/// Does the step read what `load` brings in front of `place`, behind which the next step's is asked
/// for? Then that would be waited for at once: it is asked for as the step begins, where registers
/// are left. Consumers of boxes wait for their barriers meanwhile.
static bool isReadAtOnce(MlirOperation loop, MlirOperation load, MlirOperation place) {
  MlirBlock body = mlirOperationGetBlock(load);
  if (!tileOpIsWgmma(place) || !tileHasRoomToFly(loop) || tileIsInRole(loop)) return false;
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(load));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = tileAncestorIn(body, mlirOpOperandGetOwner(use));
    if (!mlirOperationIsNull(reader) && mlirOperationIsBeforeInBlock(reader, place)) return true;
  }
  return false;
}

static bool isOrFollows(TileValueSearch *s, MlirValue value, const void *data) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return false;
  if (mlirOperationEqual(op, *(const MlirOperation *)data)) return true;
  if (!mlirOperationGetNumRegions(op)) tileValueSearchAddOperands(s, op);
  return false;
}

/// Does it say where the step loads something else?
static bool leads(MlirOperation load) {
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(load)) {
    if (tileOpIsALoad(op) && !mlirOperationEqual(op, load) &&
        tileValueSearchFinds(tileLoadGetPtr(op), isOrFollows, &load))
      return true;
  }
  return false;
}

/// The load whose result the loop hands to its next step as the last of its values.
static MlirOperation lastCarriedLoad(MlirOperation loop) {
  MlirOperation yield = mlirBlockGetTerminator(tileBody(loop, 0));
  return tileValueGetOp(tileOperand(yield, mlirOperationGetNumOperands(yield) - 1));
}

static const char *whyNot(MlirOperation loop, MlirOperation load, MlirOperation place, bool forDot,
                          char text[80]) {
  bool streams = tileOpIsAAsyncWait(place);
  int most = tileMachineNumber(tileMachineOf(load), streams ? TILE_NUMBER_STREAM_AHEAD_WORDS
                                                            : TILE_NUMBER_HOISTED_WORDS);
  snprintf(text, 80, "expected at most %d words a thread, found more", most);
  if (!forDot && tileTypeGetWords(mlirValueGetType(tileResult(load))) > most) return text;
  if (forDot && !holds(loop, load)) return "expected registers for the next step's, found too few";
  if (forDot && tileIsOneOfManyLoops(loop))
    return "expected fewer loops beside its own, found many";
  bool follows = tileFollowsFromStep(loop, load);
  return follows ? NULL : "expected an address that follows from the step, found another";
}

/// Lets `load` start a step ahead where it can, and `*loop` be the loop that it is in then. Else
/// says why not, if `says`.
static bool startAhead(MlirOperation *loop, MlirOperation load, bool says) {
  char text[80];
  MlirBlock body = tileBody(*loop, 0);
  MlirOperation place = findStore(body, tileResult(load));
  bool forDot = !mlirOperationIsNull(place);
  place = forDot ? behindFence(place) : findPlace(body);
  if (mlirOperationIsNull(place)) return false;
  const char *reason = mayWrite(*loop, load)
                           ? "expected a loop that writes nothing to memory, found another"
                           : whyNot(*loop, load, place, forDot, text);
  bool atOnce = !reason && !forDot && isReadAtOnce(*loop, load, place);
  int64_t most = tileMachineNumber(tileMachineOf(load), TILE_NUMBER_TWO_STEP_WORDS);
  bool twice = atOnce && registersOf(mlirValueGetType(tileResult(load))) <= most && leads(load);
  if (atOnce && !twice) place = mlirBlockGetFirstOperation(body);
  if (!reason) *loop = tileStartStepAhead(*loop, load, place);
  if (twice) {
    load = lastCarriedLoad(*loop);
    *loop = tileStartStepAhead(*loop, load, load);
  }
  if (reason && says)
    tileEmitRemark(mlirOperationGetLocation(load), "load does not start a step ahead: %s", reason);
  return !reason;
}

static void runLoop(MlirOperation loop) {
  TileOpList loads = {0};
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (tileOpIsALoad(op)) tileOpListAdd(&loads, op);
  }
  // What one load brings a step ahead others may begin with, as the blocks of a list do.
  for (size_t before = loads.count + 1; loads.count && loads.count < before;) {
    before = loads.count;
    loads.count = 0;
    for (size_t i = 0; i < before; ++i)
      if (!startAhead(&loop, loads.ops[i], false)) loads.ops[loads.count++] = loads.ops[i];
  }
  for (size_t i = 0; i < loads.count; ++i) startAhead(&loop, loads.ops[i], true);
  tileOpListDestroy(&loads);
}

MlirLogicalResult tileRunLoadAhead(MlirOperation func) {
  tileVisitLoops(func, runLoop);
  return mlirLogicalResultSuccess();
}
