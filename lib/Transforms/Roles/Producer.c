//===- Producer.c - the part of a program that fills channels -------------===//
#include "Producer.h"
#include "../ValueMap.h"
#include "Kernel.h"
#include <stdlib.h>
#include <uthash.h>

/// An op of the original, or an argument of a loop's body, that the producer needs.
typedef struct {
  const void *key; // of the op, or of the value
  UT_hash_handle hh;
} Entry;

struct TileProducer {
  MlirBlock block;
  const TileChannels *channels;
  const char *reason;
  Entry *needed;       // ops, and carried values (by their block argument)
  TileValueMap values; // original value -> clone
  MlirValue elected;   // i1: of one thread; null where no other is here
  // Where blocks share copies:
  MlirBlock programs;                  // body of the original's loop over programs
  MlirValue first, turn;               // the clone's first and this one ..
  MlirValue step, end;                 // .. and the distance of programs, and their end
  MlirValue number;                    // of two producers that take turns; null: there is one
  TileCursor cursors[tileMaxChannels]; // by ring
};

static Entry *findEntry(Entry *table, const void *key) {
  Entry *entry;
  HASH_FIND_PTR(table, &key, entry);
  return entry;
}

static Entry *addEntry(Entry **table, const void *key) {
  Entry *entry = findEntry(*table, key);
  if (entry) return entry;
  entry = calloc(1, sizeof *entry);
  if (!entry) abort();
  entry->key = key;
  HASH_ADD_PTR(*table, key, entry);
  return entry;
}

static void freeTable(Entry *table) {
  Entry *entry, *next;
  HASH_ITER(hh, table, entry, next) {
    HASH_DEL(table, entry);
    free(entry);
  }
}

//===- what is needed -----------------------------------------------------===//

static bool isInside(MlirBlock outer, MlirBlock block) {
  while (!mlirBlockEqual(block, outer)) {
    MlirOperation parent = mlirBlockGetParentOperation(block);
    if (mlirOperationIsNull(parent) || tileOpIsAFunc(parent)) return false;
    block = mlirOperationGetBlock(parent);
  }
  return true;
}

static void need(TileProducer *p, MlirValue value);

/// Number `i` of what a loop carries.
static void needCarried(TileProducer *p, MlirOperation loop, intptr_t i) {
  MlirBlock body = tileBody(loop, 0);
  const void *key = mlirBlockGetArgument(body, 1 + i).ptr;
  if (findEntry(p->needed, key)) return;
  addEntry(&p->needed, key);
  need(p, tileOperand(loop, 3 + i));
  need(p, tileOperand(mlirBlockGetTerminator(body), i));
}

static void needLoop(TileProducer *p, MlirOperation loop) {
  if (findEntry(p->needed, loop.ptr)) return;
  addEntry(&p->needed, loop.ptr);
  for (intptr_t i = 0; i < 3; ++i) need(p, tileOperand(loop, i));
}

static bool isScalarArithmetic(MlirOperation op) {
  if (!tileOpIsOfDialect(op, "arith") && !tileOpIs(op, "math.ctpop") && !tileOpIsAProgramId(op) &&
      !tileOpIsANumPrograms(op) && !tileOpIsAGridExtent(op) && !tileOpIsAClusterRank(op) &&
      !tileOpIsAClusterLane(op) && !tileOpIsAClusterVote(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (tileTypeIsTile(mlirValueGetType(mlirOperationGetResult(op, i)))) return false;
  return true;
}

static void need(TileProducer *p, MlirValue value) {
  if (p->reason) return;
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock owner = mlirBlockArgumentGetOwner(value);
    if (!isInside(p->block, owner) || mlirBlockEqual(owner, p->block)) return;
    MlirOperation loop = mlirBlockGetParentOperation(owner);
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    if (!tileOpIs(loop, "scf.for"))
      p->reason = "expected positions of boxes that follow from loops of scf.for, found another";
    else if (number > 0)
      needCarried(p, loop, number - 1);
    return;
  }
  MlirOperation op = tileValueGetOp(value);
  if (!isInside(p->block, mlirOperationGetBlock(op))) return;
  if (tileOpIs(op, "scf.for")) {
    needLoop(p, op);
    needCarried(p, op, mlirOpResultGetResultNumber(value));
    return;
  }
  if (!isScalarArithmetic(op)) {
    p->reason = "expected positions of boxes that follow from scalar arithmetic, found more";
    return;
  }
  if (findEntry(p->needed, op.ptr)) return;
  addEntry(&p->needed, op.ptr);
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
      for (intptr_t n = 1; n + 1 < mlirOperationGetNumOperands(c->copies[k]); ++n)
        need(p, tileOperand(c->copies[k], n));
      if (mlirValueIsNull(c->shares[k].part)) continue;
      need(p, c->shares[k].part);
      need(p, c->shares[k].splits);
      need(p, c->shares[k].blocks);
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
  freeTable(producer->needed);
  tileValueMapClear(&producer->values);
  free(producer);
}

//===- whether ------------------------------------------------------------===//

static MlirWalkResult findAssert(MlirOperation op, void *data) {
  bool *found = data;
  *found |= tileOpIsAAssert(op);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

const char *tileFindRoles(MlirOperation func, TileChannels *channels) {
  // All threads of a block vote on an assert, and leave where it fails; a producer's would wait for
  // consumers that wait for its vote, or are gone.
  bool asserts = false;
  mlirOperationWalk(func, findAssert, &asserts, MlirWalkPreOrder);
  if (asserts) return "expected no tile.assert, found one";
  int64_t warps = tileIntAttr(func, "tile.num_warps", 4);
  if (warps != 4 && warps != 8 && warps != 16)
    return "expected 4, 8 or 16 warps, found another number";
  const char *reason = tileFindChannels(func, channels);
  if (reason) return reason;
  for (int i = 0; i < channels->count; ++i)
    for (int k = 0; k < channels->list[i].numCopies; ++k)
      if (!tileValueIsInFront(func, tileDescCopyGetDesc(channels->list[i].copies[k])))
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

/// The copy of box number `k` of a channel, whose operands up to the barrier are `operands`.
static void buildCopy(TileProducer *p, TileBuilder *b, const TileChannel *c, int k,
                      MlirValue *operands, intptr_t count) {
  const TileChannelShare *share = &c->shares[k];
  if (mlirValueIsNull(share->part)) {
    tileBuildOp(b, "tile_gpu.tma_load", count, operands, TILE_NONE, TILE_NONE, 0);
    return;
  }
  const int32_t segments[] = {1, (int32_t)count - 3, 1, 1, 1, 1, 1, share->numCuts};
  operands[count++] = tileValueMapGet(p->values, share->part);
  operands[count++] = tileValueMapGet(p->values, share->splits);
  operands[count++] = tileValueMapGet(p->values, share->blocks);
  for (int i = 0; i < share->numCuts; ++i) operands[count++] = share->cuts[i];
  MlirAttribute sizes = mlirDenseI32ArrayGet(b->context, 8, segments);
  tileBuildOp(b, "tile_gpu.tma_multicast", count, operands, TILE_NONE,
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
  for (int k = 0; k < c->numCopies; ++k) {
    MlirValue operands[TILE_MAX_RANK + 6 + tileMaxCuts];
    intptr_t count = mlirOperationGetNumOperands(c->copies[k]) - 1;
    for (intptr_t i = 0; i < count; ++i)
      operands[i] = tileValueMapGet(p->values, tileOperand(c->copies[k], i));
    operands[count] = tileBuildSlot(b, c->rings[k], cursor.stage);
    operands[count + 1] = full;
    buildCopy(p, b, c, k, operands, count + 2);
  }
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
  MlirValue first = tileValueMapGet(p->values, tileOperand(loop, 0));
  MlirValue end = tileValueMapGet(p->values, tileOperand(loop, 1));
  MlirValue step = tileValueMapGet(p->values, tileOperand(loop, 2));
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

/// A loop that carries what is needed, and the cursors of the channels that it fills.
static void cloneLoop(TileProducer *p, TileBuilder *b, MlirOperation loop) {
  MlirBlock body = tileBody(loop, 0);
  intptr_t carried = mlirOperationGetNumResults(loop), count = 3;
  MlirValue *operands = malloc((size_t)(3 + carried + 2 * tileMaxChannels) * sizeof *operands);
  intptr_t *numbers = malloc((size_t)(carried + 1) * sizeof *numbers), kept = 0;
  if (!operands || !numbers) abort();
  for (intptr_t i = 0; i < 3; ++i) operands[i] = tileValueMapGet(p->values, tileOperand(loop, i));
  for (intptr_t i = 0; i < carried; ++i)
    if (findEntry(p->needed, mlirBlockGetArgument(body, 1 + i).ptr)) {
      operands[count++] = tileValueMapGet(p->values, tileOperand(loop, 3 + i));
      numbers[kept++] = i;
    }
  int held[tileMaxChannels], numHeld = 0;
  for (int i = 0; i < p->channels->count; ++i)
    if (tileHoldsRing(loop, p->channels, i)) {
      held[numHeld++] = i;
      operands[count++] = p->cursors[i].stage;
      operands[count++] = p->cursors[i].phase;
    }
  bool programs = !mlirBlockIsNull(p->programs) && mlirBlockEqual(body, p->programs);
  if (programs) p->step = operands[2];
  if (programs && !mlirValueIsNull(p->number)) {
    MlirValue skipped = tileBuildBinary(b, "arith.muli", p->number, operands[2]);
    operands[0] = tileBuildBinary(b, "arith.addi", operands[0], skipped);
    operands[2] = tileBuildBinary(b, "arith.addi", operands[2], operands[2]);
  }
  MlirOperation made = tileBuildFor(b, count, operands);
  tileCopyAttributes(loop, made);
  MlirBlock to = tileBody(made, 0);
  TileBuilder inside = tileBuilderAtEnd(to, b->location);
  tileValueMapSet(&p->values, mlirBlockGetArgument(body, 0), mlirBlockGetArgument(to, 0));
  if (programs) {
    p->first = operands[0];
    p->end = operands[1];
    p->turn = mlirBlockGetArgument(to, 0);
  }
  for (intptr_t i = 0; i < kept; ++i)
    tileValueMapSet(&p->values, mlirBlockGetArgument(body, 1 + numbers[i]),
                    mlirBlockGetArgument(to, 1 + i));
  for (int i = 0; i < numHeld; ++i)
    p->cursors[held[i]] = (TileCursor){mlirBlockGetArgument(to, 1 + kept + 2 * i),
                                       mlirBlockGetArgument(to, 2 + kept + 2 * i)};
  cloneBlock(p, &inside, body);
  MlirOperation yield = mlirBlockGetTerminator(body);
  count = 0;
  for (intptr_t i = 0; i < kept; ++i)
    operands[count++] = tileValueMapGet(p->values, tileOperand(yield, numbers[i]));
  for (int i = 0; i < numHeld; ++i) {
    operands[count++] = p->cursors[held[i]].stage;
    operands[count++] = p->cursors[held[i]].phase;
  }
  tileBuildOp(&inside, "scf.yield", count, operands, TILE_NONE, TILE_NONE, 0);
  for (intptr_t i = 0; i < kept; ++i)
    tileValueMapSet(&p->values, mlirOperationGetResult(loop, numbers[i]),
                    mlirOperationGetResult(made, i));
  for (int i = 0; i < numHeld; ++i)
    p->cursors[held[i]] = (TileCursor){mlirOperationGetResult(made, kept + 2 * i),
                                       mlirOperationGetResult(made, kept + 2 * i + 1)};
  if (programs) { // Whoever has no program waits here.
    MlirValue none = tileBuildCmpi(b, TILE_SGE, p->first, tileOperand(made, 1));
    buildWhen(b, none, "tile_gpu.cluster_wait");
  }
  free(numbers);
  free(operands);
}

static void cloneBlock(TileProducer *p, TileBuilder *b, MlirBlock from) {
  bool programs = !mlirBlockIsNull(p->programs) && mlirBlockEqual(from, p->programs);
  MlirOperation first = programs ? firstFill(p->channels) : (MlirOperation){NULL};
  TILE_FOR_EACH_OP(op, from) {
    b->location = mlirOperationGetLocation(op);
    if (programs && mlirOperationEqual(op, first)) beginTurn(p, b);
    if (findEntry(p->needed, op.ptr)) {
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
