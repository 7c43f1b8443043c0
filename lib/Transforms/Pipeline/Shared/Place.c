//===- Place.c - lives and places of blocks of shared memory --------------===//
//
// Every buffer, and the scratch of every op that exchanges data for itself (see
// tile/Analysis/Scratch.h), is alive over an interval of the kernel's ops; a buffer used in a
// loop that does not contain it, over the whole loop. What a dot reads that only starts
// (`async`) is alive until a dot or a wait behind it ends all of them: barriers do not. Blocks
// are placed first fit, largest first, at offsets where nothing alive at the same time lies.
// Where a block has one program, what is behind its last box has the place of the rings: parts of
// sums, results. Those that share a place get one of their own then, as far as no block of threads
// less fits a multiprocessor, and the L1 cache, which shares its memory, has as much: a place that
// is written again, as by the second of two reductions, takes a barrier.
//
//===----------------------------------------------------------------------===//
#include "Allocation.h"
#include "tile/Analysis/Scratch.h"
#include "tile/IR.h"
#include "tile/Support/Grow.h"
#include <stdlib.h>

//===- liveness -----------------------------------------------------------===//

TileSharedBlock *tileAllocationFind(const TileAllocation *a, MlirOperation op) {
  for (intptr_t i = 0; i < a->numBlocks; ++i)
    if (mlirOperationEqual(a->blocks[i].op, op)) return &a->blocks[i];
  return NULL;
}

static void addBlock(TileAllocation *a, MlirOperation op, int64_t bytes, int64_t first,
                     int64_t last) {
  bool guarded =
      tileOpIsAAllocShared(op) && (tileAllocSharedGetGuarded(op) ||
                                   tileBufferTypeGetStages(mlirValueGetType(tileResult(op))) > 1);
  a->blocks = tileGrow(a->blocks, (size_t)a->numBlocks, &a->capacity, sizeof *a->blocks);
  a->blocks[a->numBlocks++] =
      (TileSharedBlock){.op = op, .bytes = bytes, .first = first, .last = last, .guarded = guarded};
}

/// What dots that were started read is alive at `at`, where `ends` says that they are done.
static void keepFlying(TileAllocation *a, int64_t at, bool ends) {
  for (intptr_t i = 0; i < a->numBlocks; ++i) {
    TileSharedBlock *block = &a->blocks[i];
    if (!block->flying) continue;
    if (block->last < at) block->last = at;
    block->flying = !ends;
  }
}

/// Is the op behind all dots that were started before it?
static bool waitsForDots(MlirOperation op) {
  return tileOpIsWgmma(op) ? !tileDotGetAsync(op)
                           : tileOpIsADotWait(op) && tileDotWaitGetPending(op) == 0;
}

/// The blocks that `op`, at `at`, reads or writes.
static void use(TileAllocation *a, MlirOperation op, int64_t at) {
  bool starts = tileOpIsWgmma(op) && tileDotGetAsync(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (!tileTypeIsABuffer(mlirValueGetType(operand))) continue;
    TileSharedBlock *used = tileAllocationFind(a, tileBufferGetSource(operand));
    if (!used) continue;
    if (at < used->first) used->first = at;
    used->last = at;
    used->flying |= starts;
    used->leaves |= tileOpIsATmaStore(op);
  }
  if (waitsForDots(op)) keepFlying(a, at, true);
}

/// Those from `start` to `end`, the last op, in a loop or a branch at `at`: what lives outside and
/// is used inside is alive all round it, and so is what a dot still reads at its end; what the op
/// behind it takes may lie there.
static void surround(TileAllocation *a, intptr_t outside, int64_t at, int64_t start, int64_t end) {
  for (intptr_t i = 0; i < a->numBlocks; ++i) {
    TileSharedBlock *block = &a->blocks[i];
    if (i < outside ? block->last < start : !block->flying) continue;
    if (block->first > at) block->first = at;
    block->last = end;
  }
}

/// Those in front of roles, in what consumers do up to `end`. Producers fill nothing that these do
/// not read: behind their last reader rings are free, unless a loop over programs is around that.
/// Barriers stay, and results on their way.
static void outlive(TileAllocation *a, intptr_t outside, int64_t end) {
  for (TileSharedBlock *b = a->blocks; b < a->blocks + outside; ++b) {
    if (!b->guarded) continue;
    MlirType type = mlirValueGetType(tileResult(b->op));
    if (b->leaves || tileBufferTypeGetRank(type) == 1) b->last = end;
  }
}

/// Numbers the ops of `block` from `number` on, and extends what they use. Returns the next number.
static int64_t number(TileAllocation *a, MlirBlock block, int64_t number_) {
  TILE_FOR_EACH_OP(op, block) {
    int64_t at = number_++;
    if (tileOpIsAAllocShared(op))
      addBlock(a, op, tileBufferBytes(mlirValueGetType(tileResult(op))), INT64_MAX, at);
    int64_t scratch = tileOpScratchBytes(op);
    if (scratch) addBlock(a, op, scratch, at, at);
    use(a, op, at);
    if (tileOpIsAReduce(op) || tileOpIsAScan(op)) continue;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      MlirBlock inner = tileBody(op, r);
      if (mlirBlockIsNull(inner)) continue;
      intptr_t before = a->numBlocks;
      int64_t start = number_;
      number_ = number(a, inner, number_);
      if (tileOpIsAWarpSpecialize(op) && r == 1)
        outlive(a, before, number_ - 1);
      else
        surround(a, before, at, start, number_ - 1);
    }
  }
  return number_;
}

//===- placement ----------------------------------------------------------===//

static bool overlapInTime(const TileSharedBlock *x, const TileSharedBlock *y) {
  return x->first <= y->last && y->first <= x->last;
}

static int byBytes(const void *x, const void *y) {
  const TileSharedBlock *const *a = x, *const *b = y;
  if ((*a)->bytes != (*b)->bytes) return (*a)->bytes < (*b)->bytes ? 1 : -1;
  if ((*a)->first < (*b)->first) return -1;
  return (*a)->first > (*b)->first;
}

/// A multiple of the swizzle patterns (256, 512, 1024 bytes) that fit in the block; 128 for smaller
/// ones.
static int64_t alignmentOf(const TileSharedBlock *block) {
  int64_t alignment = 1024;
  while (alignment > 128 && alignment > block->bytes) alignment /= 2;
  return alignment;
}

/// The lowest offset that is free.
static int64_t firstFit(TileSharedBlock *const *placed, intptr_t count,
                        const TileSharedBlock *block) {
  int64_t alignment = alignmentOf(block), offset = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (intptr_t i = 0; i < count; ++i) {
      const TileSharedBlock *other = placed[i];
      if (!overlapInTime(other, block)) continue;
      if (offset >= other->offset + other->bytes || other->offset >= offset + block->bytes)
        continue;
      offset = (other->offset + other->bytes + alignment - 1) / alignment * alignment;
      moved = true;
    }
  }
  return offset;
}

/// How many blocks of threads a multiprocessor has room for, and in `*all` what they take of it.
static int64_t countResident(MlirOperation func, int64_t bytes, int64_t *all) {
  const TileMachine *m = tileMachineOf(func);
  int64_t each = tileMachineGetBlockShared(m, bytes);
  int64_t fit = m->multiprocessorSharedBytes / each;
  int64_t most = m->warps / tileNumWarpsOf(func);
  *all = (fit < most ? fit : most) * each;
  return *all / each;
}

static bool sharesPlace(const TileAllocation *a, const TileSharedBlock *block) {
  for (intptr_t i = 0; i < a->numBlocks; ++i) {
    const TileSharedBlock *other = &a->blocks[i];
    if (other != block && block->offset < other->offset + other->bytes &&
        other->offset < block->offset + block->bytes)
      return true;
  }
  return false;
}

/// Gives those that share a place one of their own, the smallest first, while as many blocks of
/// threads fit, and what they leave to the cache stays: where a place is written again the threads
/// wait for each other, if they are more than a warp.
static void spread(TileAllocation *a, TileSharedBlock *const *order, MlirOperation func) {
  if (tileNumWarpsOf(func) == 1) return;
  const TileMachine *m = tileMachineOf(func);
  int64_t all, resident = countResident(func, a->total, &all), most = tileTeamSharedBytes(func);
  int64_t carveout = tileMachineGetCarveout(m, all);
  for (intptr_t i = a->numBlocks; i-- > 0;) {
    TileSharedBlock *block = order[i];
    int64_t alignment = alignmentOf(block);
    int64_t offset = (a->total + alignment - 1) / alignment * alignment;
    int64_t total = offset + block->bytes;
    if (total > most || countResident(func, total, &all) < resident || all > carveout) return;
    if (!sharesPlace(a, block)) continue;
    block->offset = offset;
    a->total = total;
  }
}

static void place(TileAllocation *a, MlirOperation func) {
  TileSharedBlock **order = malloc(((size_t)a->numBlocks + 1) * sizeof(TileSharedBlock *));
  if (!order) abort();
  for (intptr_t i = 0; i < a->numBlocks; ++i) order[i] = &a->blocks[i];
  qsort(order, (size_t)a->numBlocks, sizeof *order, byBytes);
  for (intptr_t i = 0; i < a->numBlocks; ++i) {
    order[i]->offset = firstFit(order, i, order[i]);
    if (order[i]->offset + order[i]->bytes > a->total)
      a->total = order[i]->offset + order[i]->bytes;
  }
  spread(a, order, func);
  for (intptr_t i = 0; i < a->numBlocks; ++i) {
    MlirContext c = mlirOperationGetContext(order[i]->op);
    mlirOperationSetAttributeByName(order[i]->op, tileString("offset"),
                                    mlirIntegerAttrGet(tileI32(c), order[i]->offset));
  }
  free(order);
}

TileAllocation tileAllocationCreate(MlirOperation func) {
  TileAllocation a = {0};
  number(&a, tileBody(func, 0), 0);
  place(&a, func);
  return a;
}

void tileAllocationDestroy(TileAllocation *a) {
  free(a->blocks);
  *a = (TileAllocation){0};
}
