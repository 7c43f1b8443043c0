//===- Producer.c - the part of a program that fills channels -------------===//
#include "Producer.h"
#include "../Loops.h"
#include "../ValueMap.h"
#include "Copies/Clusters.h"
#include "Kernel.h"
#include <stdlib.h>

struct TileProducer {
  MlirBlock block;
  const TileChannels *channels;
  const char *reason;
  TilePointerTable needed; // a set of ops, and of carried values (by their block argument)
  TileValueMap values;     // original value -> clone
  MlirValue elected;       // i1: of one thread; null where no other is here
  // Where blocks share copies:
  MlirBlock programs;                  // body of the original's loop over programs
  MlirValue first, turn;               // the clone's first and this one ..
  MlirValue step, end;                 // .. and the distance of programs, and their end
  MlirValue number;                    // of two producers that take turns; null: there is one
  TileCursor cursors[tileMaxChannels]; // by ring
};

//===- what is needed -----------------------------------------------------===//

static void need(TileProducer *p, MlirValue value);

/// Number `i` of what a loop carries.
static void needCarried(TileProducer *p, MlirOperation loop, intptr_t i) {
  MlirBlock body = tileBody(loop, 0);
  const void *key = mlirBlockGetArgument(body, 1 + i).ptr;
  if (!tilePointerTableInsert(&p->needed, key)) return;
  need(p, tileForGetInit(loop, i));
  need(p, tileOperand(mlirBlockGetTerminator(body), i));
}

static void needLoop(TileProducer *p, MlirOperation loop) {
  if (!tilePointerTableInsert(&p->needed, loop.ptr)) return;
  for (intptr_t i = 0; i < 3; ++i) need(p, tileOperand(loop, i));
}

static void need(TileProducer *p, MlirValue value) {
  if (p->reason) return;
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock owner = mlirBlockArgumentGetOwner(value);
    if (!tileBlockHolds(p->block, owner) || mlirBlockEqual(owner, p->block)) return;
    MlirOperation loop = mlirBlockGetParentOperation(owner);
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    if (!tileOpIs(loop, "scf.for"))
      p->reason = "expected positions of boxes that follow from loops of scf.for, found another";
    else if (number > 0)
      needCarried(p, loop, number - 1);
    return;
  }
  MlirOperation op = tileValueGetOp(value);
  if (!tileBlockHolds(p->block, mlirOperationGetBlock(op))) return;
  if (tileOpIs(op, "scf.for")) {
    needLoop(p, op);
    needCarried(p, op, mlirOpResultGetResultNumber(value));
    return;
  }
  if (!tileOpIsScalarArithmetic(op) && !tileLoadsSteadyNumber(op)) {
    p->reason = "expected positions of boxes that follow from scalar arithmetic and from numbers "
                "that are only read, found more";
    return;
  }
  if (!tilePointerTableInsert(&p->needed, op.ptr)) return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) need(p, tileOperand(op, i));
}

TileProducer *tileProducerCreate(MlirBlock block, const TileChannels *channels,
                                 const char **reason) {
  TileProducer *p = calloc(1, sizeof *p);
  if (!p) abort();
  p->block = block;
  p->channels = channels;
  for (int i = 0; i < channels->count; ++i) {
    const TileChannel *c = &channels->list[i];
    for (int k = 0; k < c->numCopies; ++k) {
      int rank = tileBoxCopyGetRank(c->copies[k]);
      for (intptr_t n = 1; n <= rank; ++n) need(p, tileOperand(c->copies[k], n));
      for (intptr_t n = rank + 2; n < mlirOperationGetNumOperands(c->copies[k]); ++n)
        need(p, tileOperand(c->copies[k], n));
    }
    for (MlirBlock b = c->block; !mlirBlockEqual(b, block);) {
      MlirOperation loop = mlirBlockGetParentOperation(b);
      needLoop(p, loop);
      b = mlirOperationGetBlock(loop);
    }
  }
  if (!p->reason) return p;
  *reason = p->reason;
  tileProducerDestroy(p);
  return NULL;
}

void tileProducerDestroy(TileProducer *producer) {
  tilePointerTableClear(&producer->needed);
  tileValueMapClear(&producer->values);
  free(producer);
}

//===- whether ------------------------------------------------------------===//

static bool isAssert(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsAAssert(op) && !tileAssertGetFatal(op);
}

const char *tileFindRoles(MlirOperation func, TileChannels *channels) {
  // All threads of a block vote on an assert, and leave where it fails; a producer's would wait for
  // consumers that wait for its vote, or are gone. Nobody outlives a fatal one.
  if (tileHoldsOp(func, isAssert, NULL)) return "expected no tile.assert, found one";
  int64_t warps = tileNumWarpsOf(func);
  if (warps != 4 && warps != 8 && warps != 16)
    return "expected 4, 8 or 16 warps, found another number";
  const char *reason = tileFindChannels(func, channels);
  if (reason) return reason;
  for (int i = 0; i < channels->count; ++i)
    for (int k = 0; k < channels->list[i].numCopies; ++k)
      if (!tileValueIsInFront(func, tileOperand(channels->list[i].copies[k], 0)))
        return "expected descriptors made of the kernel's arguments, found another";
  TileProducer *producer = tileProducerCreate(channels->program, channels, &reason);
  if (producer) tileProducerDestroy(producer);
  return reason;
}

//===- building -----------------------------------------------------------===//

/// Into an scf.if; the caller ends it with a yield.
static TileBuilder beginIf(TileBuilder *b, MlirValue condition) {
  MlirOperation branch = tileBuildIf(b, condition, TILE_NONE, false);
  return tileBuilderAtEnd(tileBody(branch, 0), b->location);
}

/// `copy` into `slot`, whose bytes arrive at `full`.
static void buildCopy(TileProducer *p, TileBuilder *b, MlirOperation copy, MlirValue slot,
                      MlirValue full) {
  int rank = tileBoxCopyGetRank(copy);
  intptr_t count = mlirOperationGetNumOperands(copy), n = 0;
  MlirValue operands[TILE_MAX_RANK + 6 + tileMaxCuts];
  for (; n <= rank; ++n) operands[n] = tileValueMapGet(p->values, tileOperand(copy, n));
  operands[n++] = slot;
  operands[n++] = full;
  for (; n <= count; ++n) operands[n] = tileValueMapGet(p->values, tileOperand(copy, n - 1));
  if (tileOpIsADescCopy(copy)) {
    tileBuildOp(b, "tile_gpu.tma_load", n, operands, TILE_NONE, TILE_NONE, 0);
    return;
  }
  int cuts = (int)tileDescMulticastGetNumCuts(copy);
  const int32_t segments[] = {1, rank, 1, 1, 1, 1, 1, cuts};
  MlirAttribute sizes = mlirDenseI32ArrayGet(b->context, 8, segments);
  tileBuildOp(b, "tile_gpu.tma_multicast", n, operands, TILE_NONE,
              TILE_ATTRS({"operandSegmentSizes", sizes}), 0);
}

/// Waits for an empty slot, and starts the copies of all boxes into it.
static void fill(TileProducer *p, TileBuilder *b, int number) {
  const TileChannel *c = &p->channels->list[number];
  TileCursor cursor = p->cursors[c->ring];
  TileBuilder outside = *b;
  if (!mlirValueIsNull(p->elected)) *b = beginIf(b, p->elected);
  MlirValue empty = tileBuildSlot(b, c->empty, cursor.stage);
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
  MlirValue parity = tileBuildBinary(b, "arith.xori", cursor.phase, one);
  tileBuildOp(b, "tile_gpu.barrier_wait", TILE_VALUES(empty, parity), TILE_NONE, TILE_NONE, 0);
  MlirValue full = tileBuildSlot(b, c->full, cursor.stage);
  MlirAttribute bytes = mlirIntegerAttrGet(tileI32(b->context), c->bytes);
  tileBuildOp(b, "tile_gpu.barrier_expect", TILE_VALUES(full), TILE_NONE,
              TILE_ATTRS({"bytes", bytes}), 0);
  for (int k = 0; k < c->numCopies; ++k)
    buildCopy(p, b, c->copies[k], tileBuildSlot(b, c->rings[k], cursor.stage), full);
  if (!mlirValueIsNull(p->elected)) tileBuildOp(b, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  *b = outside;
  p->cursors[c->ring] = tileCursorNext(b, c, cursor);
}

//===- two producers ------------------------------------------------------===//

// What a program's boxes follow from takes a while to compute, and rings are no deeper than copies
// take to arrive. So where all programs fill as many slots two warps have every other program each:
//
//   first:   positions of 0 | fills | positions of 2 .......... | fills | ..
//   second:  positions of 1 ......... | fills | positions of 3 ......... | ..

/// i32: how often a loop runs.
static MlirValue tripsOf(TileProducer *p, TileBuilder *b, MlirOperation loop) {
  MlirValue first = tileValueMapGet(p->values, tileForGetLower(loop));
  MlirValue end = tileValueMapGet(p->values, tileForGetUpper(loop));
  MlirValue step = tileValueMapGet(p->values, tileForGetStep(loop));
  MlirValue distance = tileBuildBinary(b, "arith.subi", end, first);
  MlirValue trips = tileBuildBinary(b, "arith.ceildivsi", distance, step);
  MlirValue zero = tileBuildInt(b, tileI32(b->context), 0);
  return tileBuildBinary(b, "arith.maxsi", trips, zero);
}

/// The loop of the program that fills the channel; null where it is filled outside of loops.
static MlirOperation loopOf(const TileChannels *channels, const TileChannel *c) {
  MlirOperation none = {NULL};
  return mlirBlockEqual(c->block, channels->program) ? none : mlirBlockGetParentOperation(c->block);
}

/// Goes on behind what another producer fills for `programs` programs, an i32.
static void skipPrograms(TileProducer *p, TileBuilder *b, MlirValue programs) {
  for (int r = 0; r < p->channels->count; ++r) {
    if (p->channels->list[r].ring != r) continue;
    MlirValue fills = tileBuildInt(b, tileI32(b->context), 0);
    for (int i = 0; i < p->channels->count; ++i) {
      const TileChannel *c = &p->channels->list[i];
      if (c->ring != r) continue;
      MlirOperation loop = loopOf(p->channels, c);
      MlirValue more =
          mlirOperationIsNull(loop) ? tileBuildInt(b, tileI32(b->context), 1) : tripsOf(p, b, loop);
      fills = tileBuildBinary(b, "arith.addi", fills, more);
    }
    fills = tileBuildBinary(b, "arith.muli", fills, programs);
    p->cursors[r] = tileCursorSkip(b, &p->channels->list[r], p->cursors[r], fills);
  }
}

/// The first op of the program that fills anything.
static MlirOperation firstFill(const TileChannels *channels) {
  MlirOperation first = tileAncestorIn(channels->program, channels->list[0].copies[0]);
  for (int i = 1; i < channels->count; ++i) {
    MlirOperation op = tileAncestorIn(channels->program, channels->list[i].copies[0]);
    if (mlirOperationIsBeforeInBlock(op, first)) first = op;
  }
  return first;
}

/// Is `bound`, of a loop that fills, an i32 that is known before `first`, the first op that does?
static bool isKnownBefore(MlirValue bound, MlirBlock program, MlirOperation first) {
  MlirType type = mlirValueGetType(bound);
  if (!mlirTypeEqual(type, tileI32(mlirTypeGetContext(type)))) return false;
  MlirOperation def = tileValueGetOp(bound);
  return mlirOperationIsNull(def) || !mlirBlockEqual(mlirOperationGetBlock(def), program) ||
         mlirOperationIsBeforeInBlock(def, first);
}

bool tileCanTakeTurns(const TileChannels *channels, bool lengthened) {
  MlirOperation first = firstFill(channels);
  for (int i = 0; i < channels->count; ++i) {
    const TileChannel *c = &channels->list[i];
    MlirOperation loop = loopOf(channels, c);
    if (mlirOperationIsNull(loop)) continue;
    if (!mlirBlockEqual(mlirOperationGetBlock(loop), channels->program)) return false;
    // Its new bound stands right before it.
    if (lengthened && c->async && !mlirOperationEqual(loop, first)) return false;
    for (intptr_t k = 0; k < 3; ++k)
      if (!isKnownBefore(tileOperand(loop, k), channels->program, first)) return false;
  }
  return true;
}

static void buildWhen(TileBuilder *b, MlirValue condition, const char *name) {
  TileBuilder in = beginIf(b, condition);
  tileBuildOp(&in, name, TILE_NONE, TILE_NONE, TILE_NONE, 0);
  tileBuildOp(&in, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// In front of the first fill of a program: of the first one, waits until the other blocks have
/// their barriers, so that positions are computed meanwhile.
static void beginTurn(TileProducer *p, TileBuilder *b) {
  if (!mlirValueIsNull(p->number)) skipPrograms(p, b, p->number);
  buildWhen(b, tileBuildCmpi(b, TILE_EQ, p->turn, p->first), "tile_gpu.cluster_wait");
  if (!mlirValueIsNull(p->number))
    tileBuildOp(b, "tile_gpu.turn_wait", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// Behind the last program waits until nobody reads any slot: then all blocks have arrived at this
/// one's barriers for the last time, and it may end.
static void awaitReaders(TileProducer *p, TileBuilder *b) {
  MlirValue next = tileBuildBinary(b, "arith.addi", p->turn, p->step);
  MlirValue isLast = tileBuildCmpi(b, TILE_SGE, next, p->end);
  MlirValue waits = tileBuildBinary(b, "arith.andi", isLast, p->elected);
  TileBuilder in = beginIf(b, waits);
  MlirValue one = tileBuildInt(&in, tileI32(in.context), 1);
  for (int r = 0; r < p->channels->count; ++r) {
    const TileChannel *c = &p->channels->list[r];
    TileCursor cursor = p->cursors[r];
    for (int s = 0; c->ring == r && c->cluster && s < c->stages; ++s) {
      MlirValue empty = tileBuildSlot(&in, c->empty, cursor.stage);
      MlirValue parity = tileBuildBinary(&in, "arith.xori", cursor.phase, one);
      tileBuildOp(&in, "tile_gpu.barrier_wait", TILE_VALUES(empty, parity), TILE_NONE, TILE_NONE,
                  0);
      cursor = tileCursorNext(&in, c, cursor);
    }
  }
  tileBuildOp(&in, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// Behind the last fill of a program.
static void endTurn(TileProducer *p, TileBuilder *b) {
  awaitReaders(p, b);
  if (mlirValueIsNull(p->number)) return;
  tileBuildOp(b, "tile_gpu.turn_pass", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
  skipPrograms(p, b, tileBuildBinary(b, "arith.subi", one, p->number));
}

//===- loops --------------------------------------------------------------===//

static void cloneBlock(TileProducer *p, TileBuilder *b, MlirBlock from);

/// What the producer's copy of a loop carries: of the loop's values those that are needed, and then
/// the cursors of the rings that it fills. The arrays are the holder's to free.
typedef struct {
  MlirOperation loop;
  intptr_t *numbers, kept; ///< which of the loop's values
  int rings[tileMaxChannels], numRings;
  MlirValue *operands; ///< room for the bounds, the step, the values and the cursors
} Carried;

static Carried carriedBy(TileProducer *p, MlirOperation loop) {
  intptr_t count = mlirOperationGetNumResults(loop);
  Carried c = {.loop = loop};
  c.operands = malloc((size_t)(3 + count + 2 * tileMaxChannels) * sizeof *c.operands);
  c.numbers = malloc((size_t)(count + 1) * sizeof *c.numbers);
  if (!c.operands || !c.numbers) abort();
  for (intptr_t i = 0; i < count; ++i)
    if (tilePointerTableFind(p->needed, mlirBlockGetArgument(tileBody(loop, 0), 1 + i).ptr))
      c.numbers[c.kept++] = i;
  for (int i = 0; i < p->channels->count; ++i)
    if (tileHoldsRing(loop, p->channels, i)) c.rings[c.numRings++] = i;
  return c;
}

/// The copies of operands `first` and on of `op` that are carried, and the cursors, into
/// `operands`; how many.
static intptr_t readCarried(TileProducer *p, const Carried *c, MlirOperation op, intptr_t first,
                            MlirValue *operands) {
  intptr_t count = 0;
  for (intptr_t i = 0; i < c->kept; ++i)
    operands[count++] = tileValueMapGet(p->values, tileOperand(op, first + c->numbers[i]));
  for (int i = 0; i < c->numRings; ++i) {
    operands[count++] = p->cursors[c->rings[i]].stage;
    operands[count++] = p->cursors[c->rings[i]].phase;
  }
  return count;
}

/// Within the copy of a loop, what it carries are the arguments of its body behind the counter.
static void enterLoop(TileProducer *p, const Carried *c, MlirBlock body, MlirBlock to) {
  tileValueMapSet(&p->values, mlirBlockGetArgument(body, 0), mlirBlockGetArgument(to, 0));
  for (intptr_t i = 0; i < c->kept; ++i)
    tileValueMapSet(&p->values, mlirBlockGetArgument(body, 1 + c->numbers[i]),
                    mlirBlockGetArgument(to, 1 + i));
  for (int i = 0; i < c->numRings; ++i)
    p->cursors[c->rings[i]] = (TileCursor){mlirBlockGetArgument(to, 1 + c->kept + 2 * i),
                                           mlirBlockGetArgument(to, 2 + c->kept + 2 * i)};
}

/// Behind it, its results.
static void leaveLoop(TileProducer *p, const Carried *c, MlirOperation made) {
  for (intptr_t i = 0; i < c->kept; ++i)
    tileValueMapSet(&p->values, mlirOperationGetResult(c->loop, c->numbers[i]),
                    mlirOperationGetResult(made, i));
  for (int i = 0; i < c->numRings; ++i)
    p->cursors[c->rings[i]] = (TileCursor){mlirOperationGetResult(made, c->kept + 2 * i),
                                           mlirOperationGetResult(made, c->kept + 2 * i + 1)};
}

static void cloneLoop(TileProducer *p, TileBuilder *b, MlirOperation loop) {
  MlirBlock body = tileBody(loop, 0);
  Carried c = carriedBy(p, loop);
  for (intptr_t i = 0; i < 3; ++i) c.operands[i] = tileValueMapGet(p->values, tileOperand(loop, i));
  intptr_t count = 3 + readCarried(p, &c, loop, 3, c.operands + 3);
  bool programs = !mlirBlockIsNull(p->programs) && mlirBlockEqual(body, p->programs);
  if (programs) p->step = c.operands[2];
  if (programs && !mlirValueIsNull(p->number)) {
    MlirValue skipped = tileBuildBinary(b, "arith.muli", p->number, c.operands[2]);
    c.operands[0] = tileBuildBinary(b, "arith.addi", c.operands[0], skipped);
    c.operands[2] = tileBuildBinary(b, "arith.addi", c.operands[2], c.operands[2]);
  }
  MlirOperation made = tileBuildFor(b, count, c.operands);
  tileCopyAttributes(loop, made);
  MlirBlock to = tileBody(made, 0);
  TileBuilder inside = tileBuilderAtEnd(to, b->location);
  if (programs) {
    p->first = c.operands[0];
    p->end = c.operands[1];
    p->turn = mlirBlockGetArgument(to, 0);
  }
  enterLoop(p, &c, body, to);
  cloneBlock(p, &inside, body);
  count = readCarried(p, &c, mlirBlockGetTerminator(body), 0, c.operands);
  tileBuildOp(&inside, "scf.yield", count, c.operands, TILE_NONE, TILE_NONE, 0);
  leaveLoop(p, &c, made);
  if (programs) { // Whoever has no program waits here.
    MlirValue none = tileBuildCmpi(b, TILE_SGE, p->first, tileOperand(made, 1));
    buildWhen(b, none, "tile_gpu.cluster_wait");
  }
  free(c.numbers);
  free(c.operands);
}

static void cloneBlock(TileProducer *p, TileBuilder *b, MlirBlock from) {
  bool programs = !mlirBlockIsNull(p->programs) && mlirBlockEqual(from, p->programs);
  MlirOperation first = programs ? firstFill(p->channels) : (MlirOperation){NULL};
  TILE_FOR_EACH_OP(op, from) {
    b->location = mlirOperationGetLocation(op);
    if (programs && mlirOperationEqual(op, first)) beginTurn(p, b);
    if (tilePointerTableFind(p->needed, op.ptr)) {
      if (tileOpIs(op, "scf.for"))
        cloneLoop(p, b, op);
      else
        tileCloneMapped(b, &p->values, op);
    }
    // All positions are known where the last box is copied.
    for (int i = 0; i < p->channels->count; ++i) {
      const TileChannel *c = &p->channels->list[i];
      if (mlirOperationEqual(op, c->copies[c->numCopies - 1])) fill(p, b, i);
    }
  }
  if (programs) endTurn(p, b);
}

/// One thread runs it all. Where blocks share copies whole warps vote on them and follow.
void tileProducerBuild(TileProducer *producer, TileBuilder *b, bool pair) {
  bool shares = false;
  for (int i = 0; i < producer->channels->count; ++i) {
    shares |= producer->channels->list[i].cluster > 0;
    producer->cursors[i] = tileCursorStart(b);
  }
  MlirValue elected = tileBuild(b, "tile_gpu.elect", tileI1(b->context), TILE_NONE);
  if (!shares) {
    TileBuilder in = beginIf(b, elected);
    cloneBlock(producer, &in, producer->block);
    tileBuildOp(&in, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
    return;
  }
  producer->elected = elected;
  producer->programs = producer->channels->program;
  if (pair) producer->number = tileBuild(b, "tile_gpu.producer", tileI32(b->context), TILE_NONE);
  cloneBlock(producer, b, producer->block);
}
