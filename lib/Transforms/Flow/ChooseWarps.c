//===- ChooseWarps.c - warps for what loops hold --------------------------===//
//
// Before:  tile.func @f(..) attributes {tile.num_warps = 4 : i32} {
//            %s:2 = scf.for .. iter_args(%k = %zero, %v = %zero) {
//              %p = tile.dot ..                    : tensor<128x32xf32>
//              %w = tile.dot %p', %g, %v           : tensor<128x128xf32>  // 128 words a thread
//              %u = tile.dot %d', %x, %k           : tensor<128x128xf32>  // 128 more
// After:   tile.func @f(..) attributes {tile.num_warps = 8 : i32} {
//            .. as before ..
//
// What a program computes says nothing of how many warps hold it: that is the author's wish, and
// decides how many programs share a multiprocessor. Where a loop holds more than the registers of
// that many threads, each step writes a part of it to memory and reads it again. Twice the warps
// hold it, up to as many as have all registers of a multiprocessor.
//
// What is held is counted from where it is made to where it is read last: what loops carry, what
// they and dots compute, and what is computed of that for dots, reductions and loops. Other
// element-wise ops take registers for a few elements at a time; positions, masks and what is loaded
// for dots are made again or read from shared memory. What the rest of a kernel behind an early
// return reads at its beginning is not held to its end, and what a branch takes over, as a sum that
// it adds to, is not held twice. What is held outside of loops and branches is written and read
// once, under the work of another program: more than all registers may be. A tile that is loaded,
// or computed of such, and that the registers of all threads cannot hold alone would be refused
// (tile-assign-layouts) where something reads it as a whole, a dot or a scan: it has more warps,
// too.
//
// Declines, with a remark: the largest dots would leave wgmma, PTX of the kernel's own, which may
// ask for its threads, a limit of registers by the author.
//
// Requires: extents bound.  Preserves: all but the kernel's tile.num_warps.
//===----------------------------------------------------------------------===//
#include "tile/Analysis/DotForm.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Support/PointerTable.h"
#include "tile/Trace.h"
#include <stdlib.h>
#include <string.h>

//===- what is held -------------------------------------------------------===//

/// What a block's ops make of dots and of what loops carry.
typedef struct {
  MlirValue value;
  int64_t made, last; ///< numbers of ops in the block, from 1 on; it is held from one to the other
} Held;

typedef struct {
  MlirBlock block;
  TilePointerTable *held;  ///< value -> Held, of this block and those around
  TilePointerTable places; ///< op of the block -> its number there, from 1 on, an int64_t
  MlirOperation *ops;      ///< by number; none of number 0
  int64_t *inner;          ///< words that the regions of an op hold at a time
  int64_t count;           ///< of ops
} Scope;

static int64_t wordsIn(TilePointerTable *held, MlirBlock block, int64_t *inside);

/// 32-bit words of a tile of numbers, its padding among them, of all threads together; 0 of
/// anything else. Of bits, pointers and positions there may be any number.
static int64_t wordsOf(MlirValue value) {
  int64_t shape[TILE_MAX_RANK], elements = 1;
  MlirType type = mlirValueGetType(value);
  int rank = tileTypeIsTile(type) ? tileShape(type, shape) : 0;
  int bits = rank > 0 ? tileBitWidth(tileElementType(type)) : 0;
  for (int d = 0; d < rank; ++d) elements *= tilePadExtent(shape[d]);
  return bits < 8 || tileTypeIsAPtr(tileElementType(type)) ? 0 : elements * bits / 32;
}

static bool isHeld(const Scope *s, MlirValue value) {
  return tilePointerTableFind(*s->held, value.ptr) != NULL;
}

static void hold(const Scope *s, MlirValue value, int64_t made) {
  if (!wordsOf(value)) return;
  Held *h = tilePointerTableAdd(s->held, value.ptr, sizeof *h);
  *h = (Held){value, made, made};
}

/// Numbers that a loop carries: of integers, positions among them, those that a dot adds to.
static bool isCarriedNumber(MlirValue argument) {
  if (tileTypeIsFloat(tileElementType(mlirValueGetType(argument)))) return true;
  MlirOpOperand use = mlirValueGetFirstUse(argument);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (tileOpIsADot(mlirOpOperandGetOwner(use))) return true;
  return false;
}

/// Does `op` compute its results of what is held, element by element or as another view? What
/// repeats elements takes no registers for them.
static bool followsHeld(const Scope *s, MlirOperation op) {
  bool isElementwise = tileOpIsElementwise(op);
  if (!isElementwise && !tileOpIsView(op) && !tileOpIsATrans(op)) return false;
  int64_t elements = tileNumElements(mlirValueGetType(tileResult(op)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (isHeld(s, tileOperand(op, i)))
      return tileNumElements(mlirValueGetType(tileOperand(op, i))) == elements;
  return false;
}

/// Holds the results of `op` that are what the end of its region `body`, if it has one, has held.
static void holdResults(const Scope *s, int64_t at, MlirBlock body) {
  MlirOperation op = s->ops[at], end = mlirBlockGetTerminator(body);
  if (mlirOperationIsNull(end)) return;
  intptr_t first = tileOpIs(end, "scf.condition"), results = mlirOperationGetNumResults(op);
  for (intptr_t i = first; i < mlirOperationGetNumOperands(end) && i - first < results; ++i)
    if (isHeld(s, tileOperand(end, i))) hold(s, mlirOperationGetResult(op, i - first), at);
}

/// What op number `at` makes, and what its regions hold.
static void visit(Scope *s, int64_t at) {
  MlirOperation op = s->ops[at];
  bool makes = tileOpIsADot(op) || followsHeld(s, op);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock body = tileBody(op, r);
    if (mlirBlockIsNull(body)) continue;
    int64_t words = wordsIn(s->held, body, NULL);
    if (words > s->inner[at]) s->inner[at] = words;
    holdResults(s, at, body);
  }
  for (intptr_t i = 0; makes && i < mlirOperationGetNumResults(op); ++i)
    hold(s, mlirOperationGetResult(op, i), at);
}

/// Is `value` computed a few elements at a time, as its readers want them? Element by element, and
/// by ops that are no others.
static bool isTransient(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !tileOpIsElementwise(op)) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool streams = tileOpIsElementwise(user) || tileOpIsAStore(user) || tileOpIsADescStore(user) ||
                   tileOpIsAAtomicRmw(user);
    if (!streams || !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(op)))
      return false;
  }
  return true;
}

/// Is `branch` one behind which nobody reads `value`, of the block that it is in: as the rest of a
/// kernel behind an early return, or a sum that a step adds to only where blocks are chosen? Then
/// that is held in the branch up to its last reader there, and not all of the time, nor beside what
/// the branch makes of it.
static bool endsIn(MlirOperation branch, MlirValue value) {
  MlirBlock block = mlirOperationGetBlock(branch);
  if (!tileOpIs(branch, "scf.if") || !mlirBlockEqual(tileValueGetBlock(value), block)) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation held = tileAncestorIn(block, mlirOpOperandGetOwner(use));
    if (!mlirOperationIsNull(held) && mlirOperationIsBeforeInBlock(branch, held)) return false;
  }
  return true;
}

/// The number of the op of the block that reads `value` last, through what is transient; one more
/// where it is held beside what that op makes: a dot reads A from registers as it runs, a loop
/// what is made in front of it.
static int64_t lastReader(const Scope *s, MlirValue value) {
  int64_t last = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use), op = tileAncestorIn(s->block, user);
    const int64_t *place = mlirOperationIsNull(op) ? NULL : tilePointerTableFind(s->places, op.ptr);
    int64_t at = place ? *place : 0;
    bool isDuring = place && (!mlirOperationEqual(user, op) ||
                              (tileOpIsADot(user) && mlirOpOperandGetOperandNumber(use) == 0));
    at += isDuring && !endsIn(op, value);
    for (intptr_t i = 0; place && i < mlirOperationGetNumResults(op); ++i) {
      const Held *h = tilePointerTableFind(*s->held, mlirOperationGetResult(op, i).ptr);
      if (h && isTransient(h->value) && h->last > at) at = h->last;
    }
    if (at > last) last = at;
  }
  return last;
}

static void holdArguments(const Scope *s) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(s->block); ++i) {
    MlirValue argument = mlirBlockGetArgument(s->block, i);
    if (isCarriedNumber(argument)) hold(s, argument, 0);
  }
}

/// Words that are held from an op on, and no longer behind it, by its number.
typedef struct {
  int64_t starts, ends;
} Change;

static void count(const Scope *s, MlirValue value, Change *changes) {
  Held *h = tilePointerTableFind(*s->held, value.ptr);
  if (!h) return;
  bool isOwn = mlirBlockEqual(tileValueGetBlock(value), s->block);
  int64_t made = isOwn ? h->made : 0;
  h->last = lastReader(s, value);
  if (h->last <= made || isTransient(value)) return;
  changes[made].starts += wordsOf(value);
  changes[h->last].ends += wordsOf(value);
}

/// Values from around the branch whose block this is, that nobody reads behind it.
typedef struct {
  const Scope *scope;
  Change *changes;
  TilePointerTable seen;
} Incoming;

static MlirWalkResult countIncoming(MlirOperation op, void *data) {
  Incoming *in = data;
  MlirOperation branch = mlirBlockGetParentOperation(in->scope->block);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = tileOperand(op, i);
    if (isHeld(in->scope, value) && endsIn(branch, value) &&
        tilePointerTableInsert(&in->seen, value.ptr))
      count(in->scope, value, in->changes);
  }
  return MlirWalkResultAdvance;
}

/// They are there from the beginning, wherever they were made.
static void countAllIncoming(const Scope *s, Change *changes) {
  Incoming in = {.scope = s, .changes = changes};
  for (int64_t at = 1; at <= s->count; ++at)
    mlirOperationWalk(s->ops[at], countIncoming, &in, MlirWalkPreOrder);
  tilePointerTableClear(&in.seen);
}

/// The most words that are held behind an op of the block, or by one beside what its regions hold;
/// `inside`: by the latter alone.
static int64_t mostWords(const Scope *s, bool inside) {
  // A dot that stands last may read A: one more than there are ops.
  Change *changes = calloc((size_t)s->count + 2, sizeof *changes);
  if (!changes) abort();
  int64_t most = 0, words = 0;
  for (int64_t at = s->count; at > 0; --at)
    for (intptr_t i = 0; i < mlirOperationGetNumResults(s->ops[at]); ++i)
      count(s, mlirOperationGetResult(s->ops[at], i), changes);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(s->block); ++i)
    count(s, mlirBlockGetArgument(s->block, i), changes);
  if (tileOpIs(mlirBlockGetParentOperation(s->block), "scf.if")) countAllIncoming(s, changes);
  for (int64_t at = 0; at <= s->count; ++at) {
    words -= changes[at].ends;
    bool counts = !inside || s->inner[at];
    if (counts && words + s->inner[at] > most) most = words + s->inner[at];
    words += changes[at].starts;
    if (!inside && words > most) most = words;
  }
  free(changes);
  return most;
}

/// The most words that a block holds at a time, of all threads together; of the kernel's own also,
/// in `*inside`, those that it holds in loops and branches.
static int64_t wordsIn(TilePointerTable *held, MlirBlock block, int64_t *inside) {
  Scope s = {.block = block, .held = held};
  TILE_FOR_EACH_OP(counted, block) {
    int64_t *at = tilePointerTableAdd(&s.places, counted.ptr, sizeof *at);
    *at = ++s.count;
  }
  s.ops = calloc((size_t)s.count + 1, sizeof *s.ops);
  s.inner = calloc((size_t)s.count + 1, sizeof *s.inner);
  int64_t at = 0;
  if (!tileOpIsAFunc(mlirBlockGetParentOperation(block))) holdArguments(&s);
  TILE_FOR_EACH_OP(op, block) s.ops[++at] = op;
  for (at = 1; at <= s.count; ++at) visit(&s, at);
  int64_t words = mostWords(&s, false);
  if (inside) *inside = mostWords(&s, true);
  free(s.ops);
  free(s.inner);
  tilePointerTableClear(&s.places);
  return words;
}

//===- tiles that are too large alone -------------------------------------===//

typedef struct {
  TilePointerTable fixed; ///< what is loaded or multiplied, and what is computed of it
  int64_t words;          ///< of the largest
} Largest;

/// Does some op read `value` that no loop over parts of it can have (tile-loop-over-parts)?
static bool isReadWhole(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tileOpIsElementwise(user) && !tileOpIsAReduce(user) && !tileOpIsAStore(user) &&
        !tileOpIsADescStore(user) && !tileOpIsAAtomicRmw(user))
      return true;
  }
  return false;
}

static MlirWalkResult findLargest(MlirOperation op, void *data) {
  Largest *l = data;
  bool isFixed = tileOpIsALoad(op) || tileOpIsADescLoad(op) || tileOpIsADot(op);
  for (intptr_t i = 0; !isFixed && tileOpIsElementwise(op) && i < mlirOperationGetNumOperands(op);
       ++i)
    isFixed |= tilePointerTableFind(l->fixed, tileOperand(op, i).ptr) != NULL;
  for (intptr_t i = 0; isFixed && i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    tilePointerTableInsert(&l->fixed, result.ptr);
    int64_t words = isReadWhole(result) ? wordsOf(result) : 0;
    if (words > l->words) l->words = words;
  }
  return MlirWalkResultAdvance;
}

/// Words of the largest tile that threads have to hold as a whole.
static int64_t largestTile(MlirOperation func) {
  Largest l = {.words = 0};
  mlirOperationWalk(func, findLargest, &l, MlirWalkPreOrder);
  tilePointerTableClear(&l.fixed);
  return l.words;
}

//===- whether more warps may have it -------------------------------------===//

typedef struct {
  int64_t warps; ///< that are to be
  int64_t most;  ///< elements that a dot computes
  const char *reason;
} Refusal;

/// Would so many warps leave a dot to mma.sync that half of them compute by wgmma? Smaller ones
/// than those that are held may: what is written and read again in each step costs more.
static bool leavesWgmma(const Refusal *r, MlirOperation dot) {
  const TileMachine *machine = tileMachineOf(dot);
  int64_t shape[TILE_MAX_RANK];
  TileDotForm form;
  if (r->warps < 8 || !tileDotGetForm(dot, &form)) return false;
  const TileMatrix *wgmma = tileDotFormMatrix(&form, machine, TILE_MATRIX_WGMMA);
  MlirType type = mlirValueGetType(tileResult(dot));
  if (!wgmma || tileShape(type, shape) != 2 || tileNumElements(type) < r->most) return false;
  bool turns = shape[0] % wgmma->m != 0; // tile-transpose-dots
  int64_t rows = shape[turns], columns = shape[!turns], groups = r->warps / 4;
  int64_t alongM = rows / wgmma->m < groups ? rows / wgmma->m : groups;
  int64_t least = tileMachineNumber(machine, TILE_NUMBER_GROUP_COLUMNS_LEAST);
  return alongM > 0 && alongM < groups && columns < least * (groups / alongM);
}

static const char *const threadWords[] = {"%tid", "%ntid",    "%warpid", "%nwarpid",
                                          "bar.", "barrier.", "elect.",  "setmaxnreg"};

/// Does PTX of the kernel's own ask which thread, or of how many, it is?
static bool asksForThreads(MlirOperation op) {
  if (!tileOpIsAInlinePtx(op)) return false;
  MlirStringRef text = tileInlinePtxGetText(op);
  for (size_t i = 0; i < sizeof threadWords / sizeof *threadWords; ++i)
    if (memmem(text.data, text.length, threadWords[i], strlen(threadWords[i]))) return true;
  return false;
}

static MlirWalkResult findMost(MlirOperation op, void *data) {
  Refusal *found = data;
  int64_t elements = tileOpIsADot(op) ? tileNumElements(mlirValueGetType(tileResult(op))) : 0;
  if (elements > found->most) found->most = elements;
  return MlirWalkResultAdvance;
}

static MlirWalkResult findRefusal(MlirOperation op, void *data) {
  Refusal *found = data;
  if (tileOpIsADot(op) && leavesWgmma(found, op))
    found->reason = "expected 64 rows, or as many columns as pay, of each product for each warp "
                    "group, found fewer";
  else if (asksForThreads(op))
    found->reason = "expected no PTX that asks for its thread, found some";
  return found->reason ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Why the kernel may not have so many warps; null where it may.
static const char *whyNot(MlirOperation func, int64_t warps) {
  Refusal found = {.warps = warps};
  if (tileIntAttr(func, "tile.maxnreg", 0))
    return "expected registers that the author does not limit, found maxnreg";
  mlirOperationWalk(func, findMost, &found, MlirWalkPreOrder);
  mlirOperationWalk(func, findRefusal, &found, MlirWalkPreOrder);
  return found.reason;
}

MlirLogicalResult tileRunChooseWarps(MlirOperation func, const TileChooseWarpsOptions *options) {
  if (options->numWarps) return mlirLogicalResultSuccess();
  const TileMachine *machine = tileMachineOf(func);
  MlirLocation loc = mlirOperationGetLocation(func);
  int64_t registers = machine->threadRegisters, most = machine->registers / (32 * registers);
  int64_t asked = tileNumWarpsOf(func), warps = asked;
  TilePointerTable held = {0};
  int64_t inside = 0, words = wordsIn(&held, tileBody(func, 0), &inside);
  tilePointerTableClear(&held);
  tileTrace(loc, "words that a thread of %d warps holds: %lld", (int)asked,
            (long long)(words / (32 * asked)));
  const char *reason = NULL;
  int64_t largest = largestTile(func);
  if (largest > 32 * most * registers) largest = 0; // no number of warps holds it
  int64_t besides = tileMachineNumber(machine, TILE_NUMBER_HELD_REGISTERS), group = 4;
  while (2 * warps <= most) {
    int64_t fit = 32 * warps * (registers - besides);
    int64_t once = warps < group ? fit : 32 * warps * (registers + besides);
    if (inside <= fit && words <= once && largest <= 32 * warps * registers) break;
    if ((reason = whyNot(func, 2 * warps))) break;
    warps *= 2;
  }
  if (largest > words) words = largest;
  if (reason)
    tileEmitRemark(loc,
                   "kernel has no more than %d warps for the %lld words that a thread holds: %s",
                   (int)warps, (long long)(words / (32 * warps)), reason);
  if (warps == asked) return mlirLogicalResultSuccess();
  tileEmitRemark(loc, "kernel has %d warps for %d: a thread of %d would hold %lld words",
                 (int)warps, (int)asked, (int)asked, (long long)(words / (32 * asked)));
  MlirType i32 = tileI32(mlirOperationGetContext(func));
  mlirOperationSetAttributeByName(func, tileString("tile.num_warps"),
                                  mlirIntegerAttrGet(i32, warps));
  return mlirLogicalResultSuccess();
}
