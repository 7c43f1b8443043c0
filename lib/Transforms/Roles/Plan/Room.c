//===- Room.c - slots that shared memory has room for ---------------------===//
#include "../TurnAhead.h"
#include "Plan.h"
#include "tile/Analysis/Scratch.h"
#include "tile/MachineNumbers.h"
#include "tile/Trace.h"

/// What a value is computed from.
typedef struct {
  bool loads, boxes, dots;
  int left; ///< ops that may still be looked at
} Origin;

static void findOrigin(MlirValue value, Origin *o) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || o->left <= 0) return;
  if (--o->left == 0) o->loads = true; // it may
  o->boxes |= tileOpIsABufferLoad(op);
  if (tileOpIsABufferLoad(op)) return;
  o->loads |= tileOpIsALoad(op);
  o->dots |= tileHoldsDot(op);
  if (tileOpIsALoad(op) || o->dots) return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) findOrigin(tileOperand(op, i), o);
}

/// Is it a buffer of a loop that threads fill from memory? tile-pipeline will make a ring of it; of
/// what a dot of the same step has computed, or what is in a box, it cannot.
static bool willBePipelined(MlirOperation alloc) {
  enum { mostOps = 256 };
  if (!tileOpIs(mlirBlockGetParentOperation(mlirOperationGetBlock(alloc)), "scf.for")) return false;
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(alloc));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    Origin origin = {.left = mostOps};
    if (!tileOpIsABufferStore(user)) continue;
    findOrigin(tileBufferStoreGetValue(user), &origin);
    if (origin.loads && !origin.boxes && !origin.dots) return true;
  }
  return false;
}

/// Sizes of what lies in shared memory at a time, from the largest on. Of more than there are
/// places for the smallest ones are one.
enum { mostSizes = 64 };
typedef struct {
  int64_t bytes[mostSizes];
  int count;
} Sizes;

static void addSize(Sizes *s, int64_t bytes) {
  if (bytes == 0) return;
  int at = s->count;
  if (at == mostSizes) {
    bytes += s->bytes[--at];
  } else {
    ++s->count;
  }
  for (; at > 0 && s->bytes[at - 1] < bytes; --at) s->bytes[at] = s->bytes[at - 1];
  s->bytes[at] = bytes;
}

/// One has it or the other, never both at a time: largest for largest, as tile-allocate-shared
/// places them.
static void takeLarger(Sizes *s, const Sizes *other) {
  for (int i = 0; i < other->count; ++i)
    if (i == s->count)
      s->bytes[s->count++] = other->bytes[i];
    else if (other->bytes[i] > s->bytes[i])
      s->bytes[i] = other->bytes[i];
}

/// Does it hold a box? Rings, and what results are staged in, take the place of such buffers.
static bool holdsBox(const TilePlan *p, MlirOperation alloc) {
  for (int i = 0; i < p->stores.count; ++i)
    if (mlirOperationEqual(p->stores.list[i].alloc, alloc)) return true;
  for (int i = 0; i < p->sums.count; ++i)
    if (mlirOperationEqual(p->sums.list[i].alloc, alloc)) return true;
  for (int i = 0; i < p->channels.count; ++i)
    for (int k = 0; k < p->channels.list[i].numCopies; ++k)
      if (mlirValueEqual(tileBoxCopyGetBuffer(p->channels.list[i].copies[k]), tileResult(alloc)))
        return true;
  return false;
}

/// The op of `block` behind which nobody reads or writes a buffer, or what is seen of it: of a dot
/// outside of loops the block's end, since it may be waited for that late.
static MlirOperation findLastUse(MlirBlock block, MlirValue buffer, MlirOperation last) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use), held = tileAncestorIn(block, user);
    if (mlirOperationIsNull(held)) continue;
    if (tileOpIsADot(held)) held = mlirBlockGetTerminator(block);
    if (mlirOperationIsBeforeInBlock(last, held)) last = held;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(user); ++i)
      if (tileTypeIsABuffer(mlirValueGetType(mlirOperationGetResult(user, i))))
        last = findLastUse(block, mlirOperationGetResult(user, i), last);
  }
  return last;
}

/// Buffers of a block that are alive, and the op behind which each is not.
typedef struct {
  struct {
    int64_t bytes;
    MlirOperation last;
  } buffers[mostSizes];
  int count;
} Living;

/// Of more than there are places for the last ones are one.
static void addLiving(Living *l, int64_t bytes, MlirOperation last) {
  if (l->count == mostSizes) {
    bytes += l->buffers[--l->count].bytes;
    if (mlirOperationIsBeforeInBlock(last, l->buffers[l->count].last))
      last = l->buffers[l->count].last;
  }
  l->buffers[l->count].bytes = bytes;
  l->buffers[l->count++].last = last;
}

/// Rings that tile-pipeline will make of buffers in `block`: they are alive in all of it.
static void addRings(const TilePlan *p, MlirBlock block, int64_t stages, Living *living) {
  TILE_FOR_EACH_OP(op, block) {
    if (!tileOpIsAAllocShared(op) || holdsBox(p, op) || !willBePipelined(op)) continue;
    addLiving(living, stages * tileBufferBytes(mlirValueGetType(tileResult(op))),
              mlirBlockGetTerminator(block));
  }
}

/// Shared memory that a block of ops takes besides boxes at a time: buffers that are alive, and
/// what an op takes itself, as scratch or in one of its regions. Up to op `end`, or of all of them
/// where that is null.
static Sizes sizesOf(const TilePlan *p, MlirBlock block, MlirOperation end) {
  Sizes most = {.count = 0};
  Living living = {.count = 0};
  addRings(p, block, p->threadStages, &living);
  TILE_FOR_EACH_OP(op, block) {
    Sizes one = {.count = 0}, inner = {.count = 0};
    if (!tileOpIsAAllocShared(op))
      addSize(&one, tileOpScratchBytes(op));
    else if (!holdsBox(p, op) && !willBePipelined(op) && !tileIsTurned(op))
      addLiving(&living, tileBufferBytes(mlirValueGetType(tileResult(op))),
                findLastUse(block, tileResult(op), op));
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      if (mlirBlockIsNull(tileBody(op, r))) continue;
      Sizes region = sizesOf(p, tileBody(op, r), (MlirOperation){NULL});
      takeLarger(&inner, &region);
    }
    for (int i = 0; i < inner.count; ++i) addSize(&one, inner.bytes[i]);
    int left = 0;
    for (int i = 0; i < living.count; ++i) {
      addSize(&one, living.buffers[i].bytes);
      if (!mlirOperationEqual(living.buffers[i].last, op))
        living.buffers[left++] = living.buffers[i];
    }
    living.count = left;
    takeLarger(&most, &one);
    if (mlirOperationEqual(op, end)) break;
  }
  return most;
}

static MlirWalkResult addTurned(MlirOperation op, void *data) {
  int64_t *bytes = data;
  if (tileOpIsAAllocShared(op) && tileIsTurned(op))
    *bytes += tileTurnSlots * tileBufferBytes(mlirValueGetType(tileResult(op)));
  return MlirWalkResultAdvance;
}

/// The op of the program behind which nobody reads a box.
static MlirOperation lastReader(const TilePlan *p) {
  MlirOperation last = {NULL};
  for (int i = 0; i < p->channels.count; ++i) {
    MlirOperation op = tileAncestorIn(p->channels.program, p->channels.list[i].last);
    if (mlirOperationIsNull(last) || mlirOperationIsBeforeInBlock(last, op)) last = op;
  }
  return last;
}

/// Shared memory that the program takes besides rings of boxes, up to op `end` or in all. Rings of
/// operands that threads turn round stand in front of the program: those of all loops are alive in
/// all of it.
static int64_t otherBytes(const TilePlan *p, MlirOperation end) {
  Sizes sizes = sizesOf(p, p->channels.program, end);
  int64_t bytes = 0;
  mlirOperationWalk(p->func, addTurned, &bytes, MlirWalkPreOrder);
  for (int i = 0; i < sizes.count; ++i) bytes += sizes.bytes[i];
  for (int i = 0; i < p->sums.count; ++i) bytes += tileBoxStoreBytes(&p->sums.list[i]);
  // What has been staged in front of `end` is on its way.
  for (int i = 0; i < p->stores.count; ++i)
    if (mlirOperationIsNull(end) || mlirOperationIsBeforeInBlock(p->stores.list[i].write, end))
      bytes += tileBoxStoreBytes(&p->stores.list[i]);
  return bytes;
}

/// What is kept for barriers. Of several blocks each keeps what its rings have: two buffers each,
/// of no more barriers than a line holds.
static int64_t barrierBytes(const TilePlan *p, int64_t blocks) {
  int64_t line = tileMachineOf(p->func)->lineBytes, bytes = 0;
  int64_t most = tileKernelGetNumber(p->func, TILE_NUMBER_RING_BARRIER_BYTES);
  for (int i = 0; i < p->channels.count; ++i) bytes += p->channels.list[i].ring == i ? 2 * line : 0;
  return blocks > 1 && bytes < most ? bytes : most;
}

/// Bytes of a slot of all rings, and of what else is there once: what is read outside of loops, and
/// rings that have so many slots in any case (`waited`).
static void slotBytes(const TilePlan *p, int64_t *looped, int64_t *outside) {
  int64_t waited = p->schedule.waited;
  *looped = *outside = 0;
  for (int i = 0; i < p->channels.count; ++i) {
    const TileChannel *c = &p->channels.list[i];
    if (c->ring != i) continue;
    if (!c->looped)
      *outside += c->bytes;
    else if (waited && !tileRingFlies(&p->channels, i))
      *outside += waited * c->bytes;
    else
      *looped += c->bytes;
  }
}

/// Does a step that reads a ring add what it computes to memory? What a loop around it adds, as one
/// over programs, takes no registers beside its products.
static bool addsInStep(const TilePlan *p) {
  for (int i = 0; i < p->sums.count; ++i)
    for (int c = 0; c < p->channels.count; ++c)
      if (p->channels.list[c].looped &&
          mlirBlockEqual(mlirOperationGetBlock(p->sums.list[i].write), p->channels.list[c].block))
        return true;
  return false;
}

bool tileChooseStages(TilePlan *p, int64_t wish, int64_t blocks) {
  int64_t each, outside;
  slotBytes(p, &each, &outside);
  int64_t all = tileMachineShareShared(tileMachineOf(p->func), blocks) - barrierBytes(p, blocks);
  // Where a block has one program what lies behind the last box has the place of the rings
  // (tile-allocate-shared).
  bool follows = p->schedule.programs == TILE_PROGRAMS_GRID;
  int64_t other = otherBytes(p, follows ? lastReader(p) : (MlirOperation){NULL});
  p->room = all - other - outside;
  tileTrace(
      mlirOperationGetLocation(p->func),
      "boxes of a step: %lld bytes, of which there are so many: %lld, all else: %lld, for %lld "
      "blocks",
      (long long)each, (long long)outside, (long long)other, (long long)blocks);
  if (follows && otherBytes(p, (MlirOperation){NULL}) > all) return false;
  int64_t least = tileKernelGetNumber(p->func, TILE_NUMBER_RING_STAGES_LEAST);
  int64_t stages = p->room < 0 ? 0 : each ? p->room / each : p->schedule.waited ? least : 0;
  int64_t most = tileKernelGetNumber(p->func, TILE_NUMBER_RING_STAGES);
  if (addsInStep(p)) most = tileKernelGetNumber(p->func, TILE_NUMBER_SUM_STAGES);
  if (stages > most) stages = most;
  if (wish && wish < stages) stages = wish;
  p->schedule.stages = stages;
  return stages >= least;
}

bool tilePlanIsShort(const TilePlan *p) { return tileIntAttr(p->func, "tile.num_at_once", 0) > 0; }

bool tileStageTogether(TilePlan *p, int64_t wish) {
  int64_t each, outside, more = 0;
  slotBytes(p, &each, &outside);
  for (int i = 0; i < p->stores.count; ++i) more += tileBoxStoreMoreBytes(&p->stores.list[i]);
  TileNumber keep =
      tilePlanIsShort(p) ? TILE_NUMBER_TOGETHER_SHORT_STAGES : TILE_NUMBER_TOGETHER_STAGES;
  int64_t least = wish ? p->schedule.stages : tileKernelGetNumber(p->func, keep);
  int64_t left = p->room - (p->schedule.ahead - 1) * outside - more;
  int64_t stages = !each ? p->schedule.stages : left < 0 ? 0 : left / each;
  if (stages > p->schedule.stages) stages = p->schedule.stages;
  if (left < 0 || stages < (least < p->schedule.stages ? least : p->schedule.stages)) return false;
  p->schedule.stages = stages;
  return true;
}

bool tileHasShortSlots(const TilePlan *p) {
  int64_t each, outside;
  slotBytes(p, &each, &outside);
  return each <= tileKernelGetNumber(p->func, TILE_NUMBER_SHORT_STEP_BYTES);
}

void tileShortenLead(TilePlan *p) {
  int64_t most = tileKernelGetNumber(p->func, TILE_NUMBER_SHORT_STEP_STAGES);
  if (tileHasShortSlots(p) && p->schedule.stages > most) p->schedule.stages = most;
}

void tileChooseAhead(TilePlan *p) {
  int64_t each, outside, stages = p->schedule.stages;
  int64_t least = tileKernelGetNumber(p->func, TILE_NUMBER_AHEAD_STAGES);
  slotBytes(p, &each, &outside);
  if (!outside) return;
  int64_t fit = p->room > outside ? (p->room - outside) / each : 0;
  if (fit < (stages < least ? stages : least)) {
    tileEmitRemark(
        mlirOperationGetLocation(p->func),
        "boxes outside of loops are not copied ahead: expected room for %lld bytes more, "
        "found less",
        (long long)outside);
    return;
  }
  p->schedule.ahead = 2;
  if (fit < stages) p->schedule.stages = fit;
}
