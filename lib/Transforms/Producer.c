//===- Producer.c - the part of a program that fills channels -------------===//
#include "Producer.h"
#include "ValueMap.h"
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
  Entry *needed;                       // ops, and carried values (by their block argument)
  TileValueMap values;                 // original value -> clone
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
  if (!tileOpIsOfDialect(op, "arith") && !tileOpIsAProgramId(op) && !tileOpIsANumPrograms(op) &&
      !tileOpIsAGridExtent(op) && !tileOpIsAClusterRank(op))
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
      if (mlirValueIsNull(c->parts[k])) continue;
      need(p, c->parts[k]);
      need(p, c->blocks[k]);
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

//===- building -----------------------------------------------------------===//

/// Waits for an empty slot, and starts the copies of all boxes into it.
static void fill(TileProducer *p, TileBuilder *b, int number) {
  const TileChannel *c = &p->channels->list[number];
  TileCursor cursor = p->cursors[c->ring];
  MlirValue empty = tileBuildSlot(b, c->empty, cursor.stage);
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
  MlirValue parity = tileBuildBinary(b, "arith.xori", cursor.phase, one);
  tileBuildOp(b, "tile.barrier_wait", TILE_VALUES(empty, parity), TILE_NONE, TILE_NONE, 0);
  MlirValue full = tileBuildSlot(b, c->full, cursor.stage);
  MlirAttribute bytes = mlirIntegerAttrGet(tileI32(b->context), c->bytes);
  tileBuildOp(b, "tile.barrier_expect", TILE_VALUES(full), TILE_NONE, TILE_ATTRS({"bytes", bytes}),
              0);
  for (int k = 0; k < c->numCopies; ++k) {
    MlirValue operands[TILE_MAX_RANK + 5];
    intptr_t count = mlirOperationGetNumOperands(c->copies[k]) - 1;
    for (intptr_t i = 0; i < count; ++i)
      operands[i] = tileValueMapGet(p->values, tileOperand(c->copies[k], i));
    operands[count] = tileBuildSlot(b, c->rings[k], cursor.stage);
    operands[count + 1] = full;
    if (mlirValueIsNull(c->parts[k])) {
      tileBuildOp(b, "tile.tma_load", count + 2, operands, TILE_NONE, TILE_NONE, 0);
      continue;
    }
    operands[0] = c->desc[k];
    operands[count + 2] = tileValueMapGet(p->values, c->parts[k]);
    operands[count + 3] = tileValueMapGet(p->values, c->blocks[k]);
    tileBuildOp(b, "tile.tma_multicast", count + 4, operands, TILE_NONE, TILE_NONE, 0);
  }
  p->cursors[c->ring] = tileCursorNext(b, c, cursor);
}

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
  MlirOperation made = tileBuildFor(b, count, operands);
  tileCopyAttributes(loop, made);
  MlirBlock to = tileBody(made, 0);
  TileBuilder inside = tileBuilderAtEnd(to, b->location);
  tileValueMapSet(&p->values, mlirBlockGetArgument(body, 0), mlirBlockGetArgument(to, 0));
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
  free(numbers);
  free(operands);
}

static void cloneBlock(TileProducer *p, TileBuilder *b, MlirBlock from) {
  TILE_FOR_EACH_OP(op, from) {
    b->location = mlirOperationGetLocation(op);
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
}

void tileProducerBuild(TileProducer *producer, TileBuilder *b) {
  for (int i = 0; i < producer->channels->count; ++i) producer->cursors[i] = tileCursorStart(b);
  cloneBlock(producer, b, producer->block);
}
