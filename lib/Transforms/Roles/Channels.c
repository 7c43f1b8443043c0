//===- Channels.c - boxes on their way from the copy engine to a dot ------===//
#include "Channels.h"
#include "../Loops.h"
#include "Kernel.h"
#include "tile/Analysis/Affine.h"
#include "tile/Support/ValueSearch.h"

static bool isBoxCopy(MlirOperation op) {
  return tileOpIsADescCopy(op) || tileOpIsADescMulticast(op);
}

int tileBoxCopyGetRank(MlirOperation copy) {
  MlirType desc = mlirValueGetType(tileOperand(copy, 0));
  return (int)mlirShapedTypeGetRank(tileDescTypeGetBox(desc));
}

MlirValue tileBoxCopyGetBuffer(MlirOperation copy) {
  return tileOperand(copy, 1 + tileBoxCopyGetRank(copy));
}

//===- finding them -------------------------------------------------------===//

static int positionOf(MlirOperation op) {
  int position = 0;
  TILE_FOR_EACH_OP(other, mlirOperationGetBlock(op)) {
    if (mlirOperationEqual(other, op)) break;
    ++position;
  }
  return position;
}

/// Who reads a box, as ops of its block.
typedef struct {
  MlirOperation first, last;
  int from, to;   ///< their positions; `to` is -1 where nobody reads
  bool byThreads; ///< not only wgmma
} Readers;

static const char *addReaders(Readers *r, MlirOperation copy, MlirValue buffer) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, copy)) continue;
    if (tileOpIsABufferTrans(user)) {
      const char *reason = addReaders(r, copy, tileResult(user));
      if (reason) return reason;
      continue;
    }
    if (!tileOpIsADot(user) && !tileOpIsABufferLoad(user))
      return "expected boxes that are only read, found another use";
    r->byThreads |= !tileOpIsWgmma(user);
    MlirOperation reader = tileAncestorIn(mlirOperationGetBlock(copy), user);
    int position = positionOf(reader);
    if (r->to < 0 || position < r->from) {
      r->from = position;
      r->first = reader;
    }
    if (position > r->to) {
      r->to = position;
      r->last = reader;
    }
  }
  return NULL;
}

/// First and last reader of a copy's buffer.
static const char *findReaders(MlirOperation copy, Readers *r) {
  MlirValue buffer = tileBoxCopyGetBuffer(copy);
  MlirOperation alloc = tileBufferGetAlloc(buffer);
  if (mlirOperationIsNull(alloc) ||
      !mlirBlockEqual(mlirOperationGetBlock(alloc), mlirOperationGetBlock(copy)))
    return "expected boxes in buffers made beside them, found another buffer";
  *r = (Readers){.to = -1};
  const char *reason = addReaders(r, copy, buffer);
  if (reason) return reason;
  return r->to < 0 ? "expected boxes that are read, found an unused one" : NULL;
}

static const char *addCopy(TileChannels *channels, MlirOperation copy) {
  Readers r;
  const char *reason = findReaders(copy, &r);
  if (reason) return reason;
  MlirBlock block = mlirOperationGetBlock(copy);
  TileChannel *c = NULL;
  for (int i = 0; i < channels->count; ++i)
    if (mlirOperationEqual(channels->list[i].first, r.first) &&
        channels->list[i].numCopies < tileMaxBoxes)
      c = &channels->list[i];
  if (!c) {
    if (channels->count == tileMaxChannels) return "expected at most 16 channels, found more";
    c = &channels->list[channels->count++];
    *c = (TileChannel){.block = block, .first = r.first, .last = r.last};
    c->looped = !mlirBlockEqual(block, channels->program);
  }
  c->byThreads |= r.byThreads;
  if (r.to > positionOf(c->last)) c->last = r.last;
  c->copies[c->numCopies++] = copy;
  c->bytes += tileBufferBytes(mlirValueGetType(tileBoxCopyGetBuffer(copy)));
  return NULL;
}

static const char *collect(MlirBlock block, TileChannels *channels) {
  TILE_FOR_EACH_OP(op, block) {
    const char *reason = isBoxCopy(op) ? addCopy(channels, op) : NULL;
    if (reason) return reason;
    if (tileOpIsAReduce(op) || tileOpIsAScan(op)) continue;
    int before = channels->count;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      MlirBlock inner = tileBody(op, r);
      if (!mlirBlockIsNull(inner) && (reason = collect(inner, channels))) return reason;
    }
    if (channels->count > before && !tileOpIs(op, "scf.for"))
      return "expected boxes in loops (scf.for), found them in another region";
  }
  return NULL;
}

/// Does the channel fill `buffer`, or what it is a view of?
static bool fills(const TileChannel *c, MlirValue buffer) {
  MlirOperation alloc = tileBufferGetSource(buffer);
  if (mlirOperationIsNull(alloc) || !tileOpIsAAllocShared(alloc)) return false;
  buffer = tileResult(alloc);
  for (int k = 0; k < c->numCopies; ++k)
    if (mlirValueEqual(tileBoxCopyGetBuffer(c->copies[k]), buffer)) return true;
  return false;
}

/// Is `dot` a wgmma that adds to what the channel's loop carries, nothing looks at the sum before
/// the loop ends, and the channel fills both operands?
static bool mayStayInFlight(const TileChannel *c, MlirOperation dot) {
  if (!tileOpIsWgmma(dot)) return false;
  // A buffer that something else fills could be filled again while the dot still reads it.
  if (!fills(c, tileDotGetA(dot)) || !fills(c, tileDotGetB(dot))) return false;
  return mlirBlockEqual(mlirOperationGetBlock(dot), c->block) && tileDotCarried(dot) >= 0;
}

static int countDots(MlirBlock block) {
  int dots = 0;
  TILE_FOR_EACH_OP(op, block) {
    dots += tileOpIsADot(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(tileBody(op, r))) dots += countDots(tileBody(op, r));
  }
  return dots;
}

/// Are the dots between the channel's first and last reader all dots of its loop, and may each stay
/// in flight? wgmma counts unfinished groups, of all dots of a thread: of others in the loop one
/// number could not tell. Threads may read the boxes, too: what they read in one step they have
/// read when the next one's last dot frees the slot.
static bool allMayStayInFlight(const TileChannel *c) {
  int dots = 0;
  if (!c->looped) return false;
  for (MlirOperation op = c->first;; op = mlirOperationGetNextInBlock(op)) {
    if (tileOpIsADot(op)) {
      if (!mayStayInFlight(c, op)) return false;
      ++dots;
    }
    if (mlirOperationEqual(op, c->last)) return dots > 0 && dots == countDots(c->block);
  }
}

static MlirOperation findLastDot(const TileChannel *c) {
  MlirOperation dot = c->first;
  for (MlirOperation op = c->first;; op = mlirOperationGetNextInBlock(op)) {
    if (tileOpIsADot(op)) dot = op;
    if (mlirOperationEqual(op, c->last)) return dot;
  }
}

/// Both as one channel, whose slot has what the readers of both wait for.
static TileChannel join(const TileChannel *a, const TileChannel *b) {
  TileChannel both = *a;
  for (int k = 0; k < b->numCopies; ++k) {
    int at = both.numCopies++;
    for (; at > 0 && positionOf(both.copies[at - 1]) > positionOf(b->copies[k]); --at)
      both.copies[at] = both.copies[at - 1];
    both.copies[at] = b->copies[k];
  }
  if (positionOf(b->first) < positionOf(a->first)) both.first = b->first;
  if (positionOf(b->last) > positionOf(a->last)) both.last = b->last;
  both.byThreads |= b->byThreads;
  both.bytes += b->bytes;
  return both;
}

/// Dots one behind the other, of the same A say, that may stay in flight together take their boxes
/// from one channel.
static void joinDots(TileChannels *channels) {
  for (int i = 0; i < channels->count; ++i) {
    TileChannel all = channels->list[i];
    int left = i + 1, of = 1;
    for (int k = i + 1; k < channels->count; ++k) {
      const TileChannel *c = &channels->list[k];
      if (!mlirBlockEqual(c->block, all.block)) continue;
      if (all.numCopies + c->numCopies > tileMaxBoxes) return;
      all = join(&all, c);
      ++of;
    }
    if (of == 1 || !allMayStayInFlight(&all)) continue;
    for (int k = i + 1; k < channels->count; ++k)
      if (!mlirBlockEqual(channels->list[k].block, all.block))
        channels->list[left++] = channels->list[k];
    channels->list[i] = all;
    channels->count = left;
  }
}

/// Are buffers of these types the same bytes, the same way round or not?
static bool areAlike(MlirType a, MlirType b) {
  MlirType turned = tileBufferTurned(a);
  return mlirTypeEqual(a, b) || (!mlirTypeIsNull(turned) && mlirTypeEqual(turned, b));
}

/// Does loop `b`, or one around it, run behind loop `a`, or one around that? Neither is around the
/// other.
static bool isOneBehind(MlirOperation a, MlirOperation b) {
  for (; !tileOpIsAFunc(a); a = mlirOperationGetParentOperation(a)) {
    MlirOperation other = tileAncestorIn(mlirOperationGetBlock(a), b);
    if (!mlirOperationIsNull(other)) return !mlirOperationEqual(a, other);
  }
  return false;
}

/// Are boxes of `b`, which no loop reads, copied behind the last reader of `a`'s?
static bool isCopiedBehind(const TileChannel *a, const TileChannel *b) {
  for (int k = 0; k < b->numCopies; ++k)
    if (!mlirOperationIsBeforeInBlock(a->last, b->copies[k])) return false;
  return true;
}

/// Can two channels take turns with a ring: of loops one behind the other, or of none, and of the
/// same boxes?
static bool takeTurns(const TileChannel *a, const TileChannel *b) {
  if (a->looped != b->looped) return false;
  if (a->looped ? !isOneBehind(mlirBlockGetParentOperation(a->block),
                               mlirBlockGetParentOperation(b->block))
                : !isCopiedBehind(a, b))
    return false;
  if (a->numCopies != b->numCopies) return false;
  for (int k = 0; k < a->numCopies; ++k)
    if (!areAlike(mlirValueGetType(tileBoxCopyGetBuffer(a->copies[k])),
                  mlirValueGetType(tileBoxCopyGetBuffer(b->copies[k]))))
      return false;
  return true;
}

/// All channels of `block` as one; of no copies where they have too many for it.
static TileChannel joinAll(const TileChannels *channels, MlirBlock block) {
  TileChannel all = {.numCopies = 0};
  for (int i = 0; i < channels->count; ++i) {
    const TileChannel *c = &channels->list[i];
    if (!mlirBlockEqual(c->block, block)) continue;
    if (all.numCopies + c->numCopies > tileMaxBoxes) return (TileChannel){.numCopies = 0};
    all = all.numCopies ? join(&all, c) : *c;
  }
  return all;
}

/// Takes the channels of `all`'s block out of the list, all but number `at`, which is `all` then.
static void putJoined(TileChannels *channels, int at, const TileChannel *all) {
  int left = at + 1;
  channels->list[at] = *all;
  for (int i = at + 1; i < channels->count; ++i)
    if (!mlirBlockEqual(channels->list[i].block, all->block))
      channels->list[left++] = channels->list[i];
  channels->count = left;
}

/// A loop whose dots stay in flight has one channel. Another one behind it with the same boxes, as
/// the steps of a mask have (tile-split-masks), whose threads read some of them, waits for all of
/// them at once as well: then both take turns with one ring, of twice the slots.
static void joinAsBefore(TileChannels *channels) {
  for (int i = 0; i < channels->count; ++i) {
    if (!allMayStayInFlight(&channels->list[i])) continue;
    for (int k = i + 1; k < channels->count; ++k) {
      TileChannel all = joinAll(channels, channels->list[k].block);
      if (all.numCopies > channels->list[k].numCopies && takeTurns(&channels->list[i], &all))
        putJoined(channels, k, &all);
    }
  }
}

/// Number `i` uses the ring of an earlier channel where it takes turns with all that use it.
static void chooseRing(TileChannels *channels, int i) {
  TileChannel *c = &channels->list[i];
  c->ring = i;
  for (int owner = 0; owner < i && c->ring == i; ++owner) {
    bool agree = channels->list[owner].ring == owner;
    for (int k = owner; k < i && agree; ++k)
      agree = channels->list[k].ring != owner || takeTurns(&channels->list[k], c);
    if (agree) c->ring = owner;
  }
}

const char *tileFindChannels(MlirOperation func, TileChannels *channels) {
  channels->count = 0;
  channels->program = tileKernelGetProgram(func);
  const char *reason = collect(channels->program, channels);
  if (reason) return reason;
  bool looped = false;
  joinDots(channels);
  joinAsBefore(channels);
  for (int i = 0; i < channels->count; ++i) {
    TileChannel *c = &channels->list[i];
    looped |= c->looped;
    c->async = allMayStayInFlight(c);
    if (c->async) c->last = findLastDot(c);
    chooseRing(channels, i);
  }
  return looped ? NULL : "expected boxes of descriptors that a loop reads, found none";
}

//===- freed behind a dot -------------------------------------------------===//

/// Does a reader of `value` do something else than arithmetic of the dot's block, or than being
/// that dot, with `value` for A?
static bool leadsElsewhere(TileValueSearch *s, MlirValue value, const void *data) {
  const MlirOperation *dot = data;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, *dot)) {
      if (mlirOpOperandGetOperandNumber(use) != 0) return true;
      continue;
    }
    if (!tileOpIsMovable(user) || mlirOperationGetNumRegions(user) ||
        !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(*dot)))
      return true;
    for (intptr_t r = 0; r < mlirOperationGetNumResults(user); ++r)
      tileValueSearchAdd(s, mlirOperationGetResult(user, r));
  }
  return false;
}

/// Is all that threads read of `buffer` for A of `dot`, in its block?
static bool isOnlyForA(MlirValue buffer, MlirOperation copy, MlirOperation dot) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, copy)) continue;
    if (tileOpIsABufferTrans(user)
            ? !isOnlyForA(tileResult(user), copy, dot)
            : !tileOpIsABufferLoad(user) ||
                  !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(dot)) ||
                  tileValueSearchFinds(tileResult(user), leadsElsewhere, &dot))
      return false;
  }
  return true;
}

void tileFreeBehindDots(TileChannels *channels) {
  for (int i = 0; i < channels->count; ++i) {
    TileChannel *c = &channels->list[i];
    // With two slots the copy engine would wait for the dot; with three it is a step ahead.
    if (!c->looped || !c->byThreads || c->async || c->stages < 3) continue;
    TILE_FOR_EACH_OP(dot, c->block) {
      bool all = tileOpIsWgmma(dot);
      for (int k = 0; k < c->numCopies && all; ++k)
        all = isOnlyForA(tileBoxCopyGetBuffer(c->copies[k]), c->copies[k], dot);
      if (!all) continue;
      c->last = dot;
      c->byThreads = false;
      break;
    }
  }
}

//===- passed by ----------------------------------------------------------===//

/// Is there a wgmma in `op` that runs whenever the op does? `affine` knows which loops have a step.
static bool multiplies(MlirOperation op, TileAffine *affine);

static bool holdsProduct(MlirBlock block, TileAffine *affine) {
  if (mlirBlockIsNull(block)) return false;
  TILE_FOR_EACH_OP(op, block) {
    if (multiplies(op, affine)) return true;
  }
  return false;
}

static bool multiplies(MlirOperation op, TileAffine *affine) {
  if (tileOpIsWgmma(op)) return true;
  if (tileOpIs(op, "scf.if"))
    return holdsProduct(tileBody(op, 0), affine) && holdsProduct(tileBody(op, 1), affine);
  return tileOpIs(op, "scf.for") && holdsProduct(tileBody(op, 0), affine) &&
         (tileCountSteps(op) > 0 || tileAffineHasStep(affine, op));
}

/// Can the program pass all readers of the channel by, as branches that are not taken, and loops
/// without steps? Then no product waits for all warps of a group, of which some may still wait for
/// the boxes.
static bool mayPassReaders(const TileChannel *c, TileAffine *affine) {
  for (MlirOperation op = c->first;; op = mlirOperationGetNextInBlock(op)) {
    if (multiplies(op, affine)) return false;
    if (mlirOperationEqual(op, c->last)) return true;
  }
}

void tileFindPassed(MlirOperation func, TileChannels *channels) {
  TileAxisAnalysis *axes = tileAxisAnalysisCreate(func);
  TileAffine *affine = tileAffineCreate(func, axes, NULL);
  for (int i = 0; i < channels->count; ++i) {
    TileChannel *c = &channels->list[i];
    c->mayPass = mayPassReaders(c, affine);
  }
  tileAffineDestroy(affine);
  tileAxisAnalysisDestroy(axes);
}

bool tileHoldsChannel(MlirOperation op, const TileChannel *channel) {
  return tileOpHolds(op, mlirBlockGetParentOperation(channel->block));
}

const TileChannel *tileAsyncChannel(const TileChannels *channels) {
  const TileChannel *found = NULL;
  for (int i = 0; i < channels->count; ++i)
    if (channels->list[i].async) {
      if (found) return NULL;
      found = &channels->list[i];
    }
  return found;
}

bool tileHoldsRing(MlirOperation op, const TileChannels *channels, int ring) {
  for (int i = 0; i < channels->count; ++i)
    if (channels->list[i].ring == ring && tileHoldsChannel(op, &channels->list[i])) return true;
  return false;
}

//===- rings --------------------------------------------------------------===//

bool tileSetCluster(TileChannels *channels, int blocks) {
  bool any = false;
  for (int i = 0; i < channels->count; ++i)
    for (int k = 0; k < channels->list[i].numCopies; ++k) {
      if (!tileOpIsADescMulticast(channels->list[i].copies[k])) continue;
      channels->list[channels->list[i].ring].cluster = blocks;
      any = true;
    }
  for (int i = 0; i < channels->count; ++i)
    channels->list[i].cluster = channels->list[channels->list[i].ring].cluster;
  return any;
}

bool tileRingFlies(const TileChannels *channels, int ring) {
  for (int i = 0; i < channels->count; ++i)
    if (channels->list[i].ring == ring && channels->list[i].async) return true;
  return false;
}

void tileSetStages(TileChannels *channels, const TileSchedule *s) {
  for (int i = 0; i < channels->count; ++i) {
    TileChannel *c = &channels->list[i];
    bool waits = s->waited && !tileRingFlies(channels, c->ring);
    c->stages = (int)(!c->looped ? s->ahead : waits ? s->waited : s->stages);
  }
}

static MlirValue guardedRing(TileBuilder *b, MlirType type) {
  return tileResult(tileBuildOp(b, "tile_gpu.alloc_shared", TILE_NONE, 1, &type,
                                TILE_ATTRS({"guarded", mlirUnitAttrGet(b->context)}), 0));
}

static MlirValue barrierRing(TileBuilder *b, int stages, int count) {
  int64_t one = 1, order = 0;
  MlirValue ring = guardedRing(
      b, tileBufferTypeGet(b->context, 1, &one, tileI64(b->context), 0, &order, stages));
  MlirAttribute attr = mlirIntegerAttrGet(tileI32(b->context), count);
  tileBuildOp(b, "tile_gpu.barrier_init", TILE_VALUES(ring), TILE_NONE, TILE_ATTRS({"count", attr}),
              0);
  return ring;
}

void tileBuildRings(TileBuilder *b, TileChannels *channels, int warpGroups) {
  for (int i = 0; i < channels->count; ++i) {
    TileChannel *c = &channels->list[i];
    const TileChannel *owner = &channels->list[c->ring];
    for (int k = 0; k < c->numCopies && c->ring != i; ++k) c->rings[k] = owner->rings[k];
    c->full = owner->full;
    c->empty = owner->empty;
    if (c->ring != i) continue;
    for (int k = 0; k < c->numCopies; ++k) {
      MlirType buffer = mlirValueGetType(tileBoxCopyGetBuffer(c->copies[k]));
      c->rings[k] = guardedRing(b, tileBufferWithStages(buffer, c->stages));
    }
    c->full = barrierRing(b, c->stages, 1);
    // A loop with a dot in flight frees the slot before; before its first there is none, which
    // stands for one more barrier that nobody waits for.
    int arrivals = warpGroups * (channels->byWarps ? 4 : 1);
    c->empty = barrierRing(b, c->stages + tileRingFlies(channels, i),
                           arrivals * (c->cluster ? c->cluster : 1));
  }
}

TileCursor tileCursorStart(TileBuilder *b) {
  MlirValue zero = tileBuildInt(b, tileI32(b->context), 0);
  return (TileCursor){zero, zero};
}

TileCursor tileCursorNext(TileBuilder *b, const TileChannel *channel, TileCursor cursor) {
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1), wraps;
  MlirValue other = tileBuildBinary(b, "arith.xori", cursor.phase, one);
  if (channel->stages == 1) return (TileCursor){cursor.stage, other};
  MlirValue stage = tileBuildNextStage(b, cursor.stage, channel->stages, &wraps);
  MlirValue phase = tileBuildSelect(b, wraps, other, cursor.phase);
  return (TileCursor){stage, phase};
}

TileCursor tileCursorSkip(TileBuilder *b, const TileChannel *channel, TileCursor cursor,
                          MlirValue count) {
  MlirType i32 = tileI32(b->context);
  MlirValue stages = tileBuildInt(b, i32, channel->stages), one = tileBuildInt(b, i32, 1);
  MlirValue slots = tileBuildBinary(b, "arith.addi", cursor.stage, count);
  MlirValue stage = tileBuildBinary(b, "arith.remui", slots, stages);
  MlirValue rounds = tileBuildBinary(b, "arith.divui", slots, stages);
  MlirValue odd = tileBuildBinary(b, "arith.andi", rounds, one);
  return (TileCursor){stage, tileBuildBinary(b, "arith.xori", cursor.phase, odd)};
}
