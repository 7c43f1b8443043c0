//===- Consumer.c - the part of a program that reads channels -------------===//
#include "Consumer.h"

typedef struct {
  TileChannels *channels;
  TileCursor cursors[tileMaxChannels]; // by ring
  MlirValue previous[tileMaxChannels]; // of async channels: the slot of the dot before
} Consumer;

/// Views of a slot stand behind it, where readers in the same block have them.
static void moveViews(MlirValue buffer, MlirOperation first) {
  MlirBlock block = mlirOperationGetBlock(first);
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use);
    if (tileOpIsBufferView(view) && mlirBlockEqual(mlirOperationGetBlock(view), block) &&
        mlirOperationIsBeforeInBlock(view, first))
      mlirOperationMoveBefore(view, first);
  }
}

/// `slot` under the names of `type`: a ring may have its boxes the other way round.
static MlirValue seeAs(TileBuilder *b, MlirValue slot, MlirType type) {
  const int32_t order[] = {1, 0};
  if (mlirTypeEqual(mlirValueGetType(slot), type)) return slot;
  MlirAttribute attr = mlirDenseI32ArrayGet(b->context, 2, order);
  return tileResult(tileBuildOp(b, "tile_gpu.buffer_trans", TILE_VALUES(slot), 1, &type,
                                TILE_ATTRS({"order", attr}), 0));
}

/// The channel's slot is there: its buffers become slots of the rings.
static void receive(Consumer *s, int number) {
  TileChannel *c = &s->channels->list[number];
  TileBuilder b = tileBuilderBefore(c->first);
  TileCursor cursor = s->cursors[c->ring];
  MlirValue full = tileBuildSlot(&b, c->full, cursor.stage);
  tileBuildOp(&b, "tile_gpu.barrier_wait", TILE_VALUES(full, cursor.phase), TILE_NONE, TILE_NONE,
              0);
  for (int k = 0; k < c->numCopies; ++k) {
    MlirValue slot = tileBuildSlot(&b, c->rings[k], cursor.stage);
    MlirOperation alloc = tileValueGetOp(tileBoxCopyGetBuffer(c->copies[k]));
    slot = seeAs(&b, slot, mlirValueGetType(tileResult(alloc)));
    mlirOperationDestroy(c->copies[k]);
    mlirValueReplaceAllUsesOfWith(tileResult(alloc), slot);
    moveViews(slot, c->first);
    mlirOperationDestroy(alloc);
  }
}

static void arrive(TileBuilder *b, const TileChannels *channels, const TileChannel *c,
                   MlirValue stage) {
  // One thread speaks for its warp group: the others have to be done, too.
  if ((c->byThreads || c->mayPass) && !channels->byWarps)
    tileBuildOp(b, "tile_gpu.group_barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  MlirValue empty = tileBuildSlot(b, c->empty, stage);
  // Whoever copies into this block's slots has to know, too.
  TileNamedAttr attrs[2];
  int count = 0;
  if (c->cluster) attrs[count++] = (TileNamedAttr){"cluster", mlirUnitAttrGet(b->context)};
  if (channels->byWarps)
    attrs[count++] = (TileNamedAttr){"tile_gpu.each_warp", mlirUnitAttrGet(b->context)};
  tileBuildOp(b, "tile_gpu.barrier_arrive", TILE_VALUES(empty), TILE_NONE, count, attrs, 0);
}

/// %w = tile_gpu.dot_wait %sum pending n, and whoever read %sum reads %w.
static void waitForDot(TileBuilder *b, MlirValue sum, int pending) {
  MlirOperation wait = tileValueGetOp(tileBuildDotWait(b, sum, pending, false));
  mlirValueReplaceAllUsesExcept(sum, tileResult(wait), 1, &wait);
}

/// Lets the channel's dots stay in flight; how many there are.
static int startDots(const TileChannel *c) {
  int dots = 0;
  MlirAttribute unit = mlirUnitAttrGet(mlirOperationGetContext(c->first));
  for (MlirOperation op = c->first;; op = mlirOperationGetNextInBlock(op)) {
    if (tileOpIsADot(op)) {
      mlirOperationSetAttributeByName(op, tileString("async"), unit);
      ++dots;
    }
    if (mlirOperationEqual(op, c->last)) return dots;
  }
}

/// The channel's last reader is done, or the dot before it if that stays in flight.
static void release(Consumer *s, int number) {
  TileChannel *c = &s->channels->list[number];
  TileBuilder b = tileBuilderAfter(c->last);
  MlirValue stage = s->cursors[c->ring].stage;
  if (c->async) {
    waitForDot(&b, tileResult(c->last), startDots(c));
    arrive(&b, s->channels, c, s->previous[number]);
    s->previous[number] = stage;
  } else {
    arrive(&b, s->channels, c, stage);
  }
  s->cursors[c->ring] = tileCursorNext(&b, c, s->cursors[c->ring]);
}

//===- loops --------------------------------------------------------------===//

/// The same loop carrying more, for channels that are read in it or read by it.
static MlirOperation extendLoop(Consumer *s, MlirOperation loop, int more, const MlirValue *inits) {
  MlirOperation made = tileExtendFor(loop, more, inits);
  for (int i = 0; i < s->channels->count; ++i) {
    TileChannel *c = &s->channels->list[i];
    if (mlirOperationEqual(c->first, loop)) c->first = made;
    if (mlirOperationEqual(c->last, loop)) c->last = made;
  }
  return made;
}

static void consumeBlock(Consumer *s, MlirBlock block);

enum { maxMore = 3 * tileMaxChannels };

/// What the loop carries for its channels: values in the order of `visit`, stored to or loaded
/// from the consumer.
static int cursorsOf(Consumer *s, MlirOperation loop, MlirBlock body, MlirValue values[maxMore],
                     bool load) {
  int n = 0;
  for (int i = 0; i < s->channels->count; ++i) {
    const TileChannel *c = &s->channels->list[i];
    MlirValue *fields[] = {&s->cursors[i].stage, &s->cursors[i].phase, &s->previous[i]};
    int from = tileHoldsRing(loop, s->channels, i) ? 0 : 2,
        to = c->async && mlirBlockEqual(c->block, body) ? 3 : 2;
    for (int f = from; f < to; ++f, ++n)
      if (load)
        *fields[f] = values[n];
      else
        values[n] = *fields[f];
  }
  return n;
}

/// Dots that may still be in flight when their loop is left.
static void finishDots(Consumer *s, MlirOperation loop) {
  TileBuilder b = tileBuilderAfter(loop);
  for (int i = 0; i < s->channels->count; ++i) {
    TileChannel *c = &s->channels->list[i];
    if (!c->async || !mlirBlockEqual(c->block, tileBody(loop, 0))) continue;
    for (MlirOperation op = c->first, past = mlirOperationGetNextInBlock(c->last);
         !mlirOperationEqual(op, past); op = mlirOperationGetNextInBlock(op)) {
      if (!tileOpIsADot(op)) continue;
      intptr_t carried = mlirBlockArgumentGetArgNumber(tileDotGetAcc(op)) - 1;
      waitForDot(&b, mlirOperationGetResult(loop, carried), 0);
    }
    arrive(&b, s->channels, c, s->previous[i]);
  }
}

static MlirOperation consumeLoop(Consumer *s, MlirOperation loop) {
  MlirValue values[maxMore];
  MlirBlock body = tileBody(loop, 0);
  TileBuilder b = tileBuilderBefore(loop);
  for (int i = 0; i < s->channels->count; ++i) {
    const TileChannel *c = &s->channels->list[i];
    if (c->async && mlirBlockEqual(c->block, body))
      s->previous[i] = tileBuildInt(&b, tileI32(b.context), c->stages);
  }
  int more = cursorsOf(s, loop, body, values, false);
  intptr_t carried = mlirOperationGetNumResults(loop);
  loop = extendLoop(s, loop, more, values);
  for (int i = 0; i < more; ++i) values[i] = mlirBlockGetArgument(body, 1 + carried + i);
  cursorsOf(s, loop, body, values, true);
  consumeBlock(s, body);
  cursorsOf(s, loop, body, values, false);
  tileExtendYield(body, more, values);
  for (int i = 0; i < more; ++i) values[i] = mlirOperationGetResult(loop, carried + i);
  cursorsOf(s, loop, body, values, true);
  finishDots(s, loop);
  return loop;
}

static bool holdsAny(const Consumer *s, MlirOperation op) {
  for (int i = 0; i < s->channels->count; ++i)
    if (tileHoldsChannel(op, &s->channels->list[i])) return true;
  return false;
}

static void consumeBlock(Consumer *s, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);) {
    for (int i = 0; i < s->channels->count; ++i)
      if (mlirOperationEqual(s->channels->list[i].first, op)) receive(s, i);
    if (tileOpIs(op, "scf.for") && holdsAny(s, op)) op = consumeLoop(s, op);
    MlirOperation next = mlirOperationGetNextInBlock(op);
    for (int i = 0; i < s->channels->count; ++i)
      if (mlirOperationEqual(s->channels->list[i].last, op)) release(s, i);
    op = next;
  }
}

void tileBuildConsumer(MlirBlock block, TileChannels *channels) {
  Consumer s = {.channels = channels};
  TileBuilder b = tileBuilderAtStart(block);
  for (int i = 0; i < channels->count; ++i) s.cursors[i] = tileCursorStart(&b);
  consumeBlock(&s, block);
}
