//===- Feeds.c - the loads of a loop that can be copied ahead -------------===//
#include "Feeds.h"
#include "../Layouts/Converted.h"
#include "../Loops.h"
#include "FeedReaders.h"
#include "StepAhead.h"
#include "tile/Analysis/Scratch.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/Slow.h"
#include "tile/Support/ValueSearch.h"

//===- what can be copied ahead -------------------------------------------===//

/// Is the load's mask false in every step? That of a step ahead is not known to be, and so not how
/// many elements it lets through alike.
static bool loadsNothing(const TileFeeds *f, MlirOperation load) {
  MlirValue mask = tileLoadGetMask(load);
  return !mlirValueIsNull(mask) && tileAxisAnalysisGet(f->axis, mask)->max == 0;
}

/// Why a load cannot be copied asynchronously to a `block`; null when it can.
static const char *whyNot(const TileFeeds *f, MlirOperation load, MlirType block, bool forDot) {
  MlirValue other = tileLoadGetOther(load);
  if (forDot && !mlirValueIsNull(other) && !tileIsZero(other))
    return "expected masked-out lanes to read 0";
  MlirType type = mlirValueGetType(tileLoadGetPtr(load));
  int bytes = tileBitWidth(tileElementType(mlirValueGetType(tileResult(load)))) / 8;
  TileLayout layout;
  if (!tileTypeGetLayout(type, &layout) || mlirTypeIsNull(block)) return "expected a layout";
  if (loadsNothing(f, load)) return "expected a mask that lets some step load, found none";
  if (f->numFeeds == tileMaxFeeds) return "expected at most 16 loads in a loop";
  if (tileBufferTypeIsRagged(block)) return NULL;
  if (tileAxisAccessVectorIn(f->axis, load, layout) * bytes < tileCopiedRunBytes)
    return "expected runs of 4 bytes or more in memory";
  TileLayout shared = tileBufferLayout(block);
  if (!tileLayoutIsValid(shared) ||
      tileLayoutSharedVector(layout, shared, bytes) * bytes < tileCopiedRunBytes)
    return "expected runs of 4 bytes or more in shared memory";
  return NULL;
}

static bool isInSlice(const TileFeeds *f, MlirOperation op) {
  for (int i = 0; i < f->numSlice; ++i)
    if (mlirOperationEqual(f->slice[i], op)) return true;
  return false;
}

/// Does something else than the slice read `value`, or what the slice makes of it?
static bool leavesSlice(TileValueSearch *s, MlirValue value, const void *data) {
  const TileFeeds *f = data;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool isFeed = false;
    for (int i = 0; i < f->numFeeds; ++i) isFeed |= mlirOperationEqual(f->feeds[i].load, user);
    if (isFeed) continue;
    if (mlirOperationEqual(user, mlirBlockGetTerminator(f->body))) {
      intptr_t number = mlirOpOperandGetOperandNumber(use);
      MlirValue result = mlirOperationGetResult(f->loop, number);
      if (!mlirOpOperandIsNull(mlirValueGetFirstUse(result))) return true;
      tileValueSearchAdd(s, mlirBlockGetArgument(f->body, 1 + number));
      continue;
    }
    if (!isInSlice(f, user)) return true;
    for (intptr_t r = 0; r < mlirOperationGetNumResults(user); ++r)
      tileValueSearchAdd(s, mlirOperationGetResult(user, r));
  }
  return false;
}

bool tileFeedsAloneRead(const TileFeeds *f, int arg) {
  MlirValue result = mlirOperationGetResult(f->loop, arg);
  return mlirOpOperandIsNull(mlirValueGetFirstUse(result)) &&
         !tileValueSearchFinds(mlirBlockGetArgument(f->body, 1 + arg), leavesSlice, f);
}

/// A load of a few words a thread that a step may make for another one.
static bool mayLead(const TileFeeds *f, MlirOperation op) {
  if (f->streams || !tileIsOfBlock(op, f->body) || !tileOpIsALoad(op)) return false;
  int most = tileMachineNumber(tileMachineOf(op), TILE_NUMBER_HOISTED_WORDS);
  return tileLoadGetCache(op) != TILE_CACHE_USE_CV &&
         tileTypeGetWords(mlirValueGetType(tileResult(op))) <= most;
}

static bool addToSlice(TileFeeds *f, MlirValue value);

static bool addOp(TileFeeds *f, MlirOperation op) {
  if (f->numSlice == tileMaxSlice) return false;
  f->slice[f->numSlice++] = op;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!addToSlice(f, tileOperand(op, i))) return false;
  return true;
}

/// Adds what `value` follows from inside the body. False where that touches memory, but for what a
/// step loads for the next one, or has regions.
static bool addToSlice(TileFeeds *f, MlirValue value) {
  if (mlirValueIsNull(value)) return true;
  if (mlirValueIsABlockArgument(value)) {
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    if (!mlirBlockEqual(mlirBlockArgumentGetOwner(value), f->body) || number == 0) return true;
    int arg = (int)number - 1;
    for (int i = 0; i < f->numCarried; ++i)
      if (f->carried[i] == arg) return true;
    if (f->numCarried == tileMaxCarried) return false;
    f->carried[f->numCarried++] = arg;
    MlirValue next = tileOperand(mlirBlockGetTerminator(f->body), arg);
    MlirOperation load = tileValueGetOp(next);
    if (mayLead(f, load) && !isInSlice(f, load)) return addOp(f, load);
    return addToSlice(f, next);
  }
  MlirOperation op = tileValueGetOp(value);
  if (!tileIsOfBlock(op, f->body) || isInSlice(f, op)) return true;
  if (f->leads && mayLead(f, op) && tileFollowsFromStep(f->loop, op)) {
    if (!tileOpListHolds(f->leads, op)) tileOpListAdd(f->leads, op);
    return true;
  }
  return tileOpIsMovable(op) && addOp(f, op);
}

/// Program order, so that clones find their operands.
static void sortSlice(TileFeeds *f) {
  int next = 0;
  TILE_FOR_EACH_OP(op, f->body) {
    for (int i = next; i < f->numSlice; ++i)
      if (mlirOperationEqual(f->slice[i], op)) {
        MlirOperation other = f->slice[next];
        f->slice[next++] = op;
        f->slice[i] = other;
        break;
      }
  }
}

/// Elements of an access, if they may follow from the loop's bounds: `k / 4` is 0 in each of 4
/// steps, and 1 a step ahead of the last, where nothing is loaded. Else 0.
static int runOfSteps(const TileFeeds *f, MlirOperation load) {
  static const char *const shifts[] = {"arith.shrsi", "arith.shrui", NULL};
  TileLayout layout;
  bool divides = false;
  for (int i = 0; i < f->numSlice && !divides; ++i)
    divides = tileOpDividesIntegers(f->slice[i]) || tileOpIsOneOf(f->slice[i], shifts);
  if (!divides || !tileTypeGetLayout(mlirValueGetType(tileLoadGetPtr(load)), &layout)) return 0;
  return tileAxisAccessVectorIn(f->axis, load, layout);
}

/// Is the tile so small that a step's copy of it takes no thread more than one instruction?
static bool isSmall(MlirOperation load) {
  return tileTypeGetWords(mlirValueGetType(tileResult(load))) <= 4;
}

/// Do elements of the tile lie side by side in memory, or in one place, as far as is known? Copies
/// of single words, each from a sector of its own, or from a list that is read again and again,
/// take several times as long as loads of these.
static bool isCoherent(const TileFeeds *f, MlirOperation load) {
  MlirValue pointers = tileLoadGetPtr(load);
  const TileAxisInfo *info = tileAxisAnalysisGet(f->axis, pointers);
  int order[TILE_MAX_RANK];
  tileAxisAccessOrder(f->axis, pointers, order);
  return info->constancy[order[0]] > 1 || tileAxisSteadyRun(f->axis, pointers, order[0]) > 1;
}

/// Takes `load` among the feeds, or gives the reason why not.
static const char *addFeed(TileFeeds *f, MlirOperation load) {
  bool forDot = true;
  MlirType block = tileFeedGetRaggedBlock(f, load);
  if (mlirTypeIsNull(block)) block = tileFeedGetBlock(f, load, &forDot);
  const char *reason = whyNot(f, load, block, forDot);
  if (!reason && !forDot && !isSmall(load) && !isCoherent(f, load))
    reason = "expected elements that lie side by side in memory";
  if (reason) return reason;
  int numSlice = f->numSlice, numCarried = f->numCarried;
  if (!addToSlice(f, tileLoadGetPtr(load)) || !addToSlice(f, tileLoadGetMask(load))) {
    f->numSlice = numSlice;
    f->numCarried = numCarried;
    return "expected addresses that follow from arithmetic, or from a load whose own do";
  }
  f->feeds[f->numFeeds++] = (TileFeed){.load = load, .block = block, .run = runOfSteps(f, load)};
  return NULL;
}

/// Is all that a step multiplies beside the threads copied, or in registers? Small loads start a
/// step ahead there, into registers (tile-load-ahead): a copy of 4 bytes a thread takes longer than
/// a product. Behind an operand that threads store the fence waits for loads on their way, though.
static bool storesNothing(const TileFeeds *f) {
  bool hasWgmma = false;
  TILE_FOR_EACH_OP(op, f->body) {
    hasWgmma |= tileOpIsWgmma(op);
    if (!tileOpIsABufferStore(op)) continue;
    MlirOperation made = tileValueGetOp(tileBufferStoreGetValue(op));
    while (tileIsOfBlock(made, f->body) && (tileOpIsAConvertLayout(made) || tileOpIsView(made)))
      made = tileValueGetOp(tileOperand(made, 0));
    if (tileIsOfBlock(made, f->body) && !tileOpIsALoad(made)) return false;
  }
  return hasWgmma;
}

/// A copy that runs ahead must not pass a write to what it reads.
static const char *whyNever(const TileFeeds *f) {
  bool isUnsigned = !mlirAttributeIsNull(tileAttr(f->loop, "unsignedCmp"));
  bool writes = !tilePassesWrites(f->loop) && tileHoldsEffects(f->loop, TILE_WRITES_GLOBAL);
  return writes       ? "expected a loop without writes of global memory or barriers"
         : isUnsigned ? "expected a loop over signed numbers"
                      : NULL;
}

bool tileFeedsHasForDot(const TileFeeds *f, MlirOperation op) {
  return tileOpIsALoad(op) && tileTypeIsTile(mlirValueGetType(tileResult(op))) &&
         tileFeedReachesDot(f, op);
}

bool tileFeedsMeetWrites(const TileFeeds *f) {
  bool writes = tileHoldsEffects(f->loop, TILE_WRITES_GLOBAL), found = false;
  TILE_FOR_EACH_OP(op, f->body) found |= writes && tileFeedsHasForDot(f, op);
  return found;
}

const char *tileFeedsPassWrite(TileFeeds *f, MlirOperation load) {
  TileHazards *h = &f->hazards;
  const char *why = tileHazardsAdd(h, load);
  for (int w = 0; w < h->numWrites && !why; ++w)
    if (mlirValueEqual(h->reads[h->numReads - 1].base, h->writes[w].base)) {
      --h->numReads;
      why = "expected reads of other arrays than the loop writes";
    }
  return why;
}

const char *tileFeedsPassWrites(TileFeeds *f) {
  const char *why = tileHazardsFind(&f->hazards);
  TILE_FOR_EACH_OP(op, f->body) {
    if (!why && tileFeedsHasForDot(f, op)) why = tileFeedsPassWrite(f, op);
  }
  return why;
}

MlirOperation tileFeedsLead(TileFeeds *f) {
  TileOpList leads = {0};
  // Of a loop that writes only what dots read is known to lie apart, not what says where that is.
  if (whyNever(f) || tilePassesWrites(f->loop)) return f->loop;
  f->leads = &leads;
  TILE_FOR_EACH_OP(op, f->body) {
    if (!tileFeedsHasForDot(f, op)) continue;
    addToSlice(f, tileLoadGetPtr(op));
    addToSlice(f, tileLoadGetMask(op));
  }
  for (size_t i = 0; i < leads.count; ++i)
    f->loop = tileStartStepAhead(f->loop, leads.ops[i], leads.ops[i]);
  tileOpListDestroy(&leads);
  return f->loop;
}

/// The loads that dots read, then the small ones beside them.
static void findForDots(TileFeeds *f) {
  const char *never = whyNever(f);
  for (int round = 0; round < 2; ++round) {
    // A copy for its own sake gains little; of a loop that writes only what dots read lies apart.
    if (round == 1 && (!f->numFeeds || storesNothing(f) || tilePassesWrites(f->loop))) break;
    TILE_FOR_EACH_OP(op, f->body) {
      if (!tileOpIsALoad(op) || !tileTypeIsTile(mlirValueGetType(tileResult(op))) ||
          tileFeedReachesDot(f, op) != (round == 0) ||
          (round == 1 && (!isSmall(op) || isInSlice(f, op))))
        continue;
      const char *reason = never ? never : addFeed(f, op);
      if (reason && round == 0)
        tileEmitSlow(mlirOperationGetLocation(op), "load is not pipelined: %s", reason);
    }
  }
}

//===- loops without dots -------------------------------------------------===//

static bool isDotOrLoop(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsADot(op) || tileOpIsLoop(op);
}

/// Is each element of the tile in one thread? Else threads would copy over what others still read.
static bool isOwned(MlirType tile) {
  TileLayout layout;
  return tileTypeGetLayout(tile, &layout) && !tileLayoutFreeBits(layout, TILE_LANE) &&
         !tileLayoutFreeBits(layout, TILE_WARP);
}

/// Are its places others in each step? Else it finds them in a cache.
static bool movesOn(const TileFeeds *f, MlirOperation load) {
  MlirValue pointers = tileLoadGetPtr(load);
  return mlirBlockEqual(tileValueGetBlock(pointers), f->body);
}

static const char *addStream(TileFeeds *f, MlirOperation load) {
  if (!isOwned(mlirValueGetType(tileResult(load)))) return "expected a tile that threads divide";
  if (!isCoherent(f, load)) return "expected elements that lie side by side in memory";
  const char *reason = tileHazardsAdd(&f->hazards, load);
  return reason ? reason : addFeed(f, load);
}

/// The axis of the grid whose number of programs `value` is, or a multiple of; -1: none.
static int64_t programsIn(MlirValue value) {
  TileValueSearch s = {0};
  int64_t axis = -1;
  tileValueSearchAdd(&s, value);
  while (s.count && axis < 0) {
    MlirOperation op = tileValueGetOp(s.stack[--s.count]);
    if (mlirOperationIsNull(op)) continue;
    if (tileOpIsANumPrograms(op)) axis = tileNumProgramsGetAxis(op);
    if (tileOpConverts(op) || tileOpIs(op, "arith.muli")) tileValueSearchAddOperands(&s, op);
  }
  tileValueSearchClear(&s);
  return axis;
}

/// Does the loop stride over programs of which there may be more than a device holds at a time?
/// Then most have one step.
static bool hasOneStep(const TileFeeds *f) {
  int64_t axis = programsIn(tileForGetStep(f->loop));
  if (axis < 0) return false;
  MlirOperation func = tileFuncOf(f->loop);
  const TileMachine *m = tileMachineOf(func);
  TILE_FOR_EACH_OP(op, tileBody(func, 0)) {
    if (!tileOpIsAGrid(op)) continue;
    MlirOperation yield = mlirBlockGetTerminator(tileBody(op, 0));
    if (axis >= mlirOperationGetNumOperands(yield)) return true;
    const TileAxisInfo *count = tileAxisAnalysisGet(f->axis, tileOperand(yield, axis));
    return count->max > (int64_t)m->multiprocessors * m->blocks;
  }
  return false;
}

/// Does a loaded number say how many steps the loop has? Then these may be few, and most are one.
static bool hasLoadedSteps(const TileFeeds *f) {
  for (intptr_t i = 0; i < 2; ++i) {
    MlirOperation op = tileValueGetOp(tileOperand(f->loop, i));
    while (!mlirOperationIsNull(op) && tileOpConverts(op) && mlirOperationGetNumOperands(op) == 1)
      op = tileValueGetOp(tileOperand(op, 0));
    if (!mlirOperationIsNull(op) && tileOpIsALoad(op)) return true;
  }
  return false;
}

/// Adds the loads of `least` words a thread and more, but those that cannot run ahead; where `all`
/// must, false as soon as one cannot.
static bool addStreams(TileFeeds *f, int least, const char *never, bool all) {
  TILE_FOR_EACH_OP(op, f->body) {
    if (!tileOpIsALoad(op) || !tileTypeIsTile(mlirValueGetType(tileResult(op))) ||
        tileTypeGetWords(mlirValueGetType(tileResult(op))) < least || !movesOn(f, op))
      continue;
    const char *reason = never ? never : addStream(f, op);
    if (reason && all) return false;
    if (reason) tileEmitRemark(mlirOperationGetLocation(op), "load does not run ahead: %s", reason);
  }
  return true;
}

/// The loads of a loop without dots and loops. Nobody else moves a load over a write, so in a loop
/// that writes small ones run ahead, too, if all can: one that stays makes each step wait. So they
/// do where warps are few, which do not hide each other's loads, however small: ptxas has four
/// steps' on their way at a time, and waits for them before it begins the next ones.
static void findStreams(TileFeeds *f) {
  bool isUnsigned = !mlirAttributeIsNull(tileAttr(f->loop, "unsignedCmp"));
  TILE_FOR_EACH_OP(op, f->body) if (tileHoldsOp(op, isDotOrLoop, NULL)) return;
  f->streams = true;
  const char *never = isUnsigned      ? "expected a loop over signed numbers"
                      : hasOneStep(f) ? "expected fewer programs, which have several steps each"
                                      : NULL;
  if (!never) never = tileHazardsFind(&f->hazards);
  if (!never && !f->hazards.numWrites && hasLoadedSteps(f))
    never = "expected a number of steps that is not loaded";
  if (!never && (f->hazards.numWrites || tileHasFewWarps(f->loop))) {
    TileFeeds before = *f;
    if (addStreams(f, 1, NULL, true)) return;
    *f = before;
  }
  int least = tileMachineNumber(tileMachineOf(f->loop), TILE_NUMBER_STREAM_WORDS);
  addStreams(f, least, never, false);
}

void tileFeedsFind(TileFeeds *f) {
  findForDots(f);
  if (!f->numFeeds) findStreams(f);
  sortSlice(f);
}

MlirOperation tileOpInFrontOf(MlirOperation loop) {
  MlirOperation front = {NULL}, op = mlirBlockGetFirstOperation(mlirOperationGetBlock(loop));
  for (; !mlirOperationEqual(op, loop); op = mlirOperationGetNextInBlock(op))
    if (!tileOpIsAAllocShared(op) && !tileOpIsABufferStore(op)) front = op;
  return front;
}
