//===- DeferStores.c - store a program's results under the next one's dots -===//
#include "DeferStores.h"
#include "../ValueMap.h"
#include "LastSteps.h"
#include <stdlib.h>

/// As many as 128 x 256 results of 16 bits are for two warp groups, whose accumulators take 128
/// registers of the 240.
enum { mostWords = 64 };

//===- whether ------------------------------------------------------------===//

/// Is the box of zeros alone when the loop's counter has passed its bound?
static bool endsWithLoop(MlirOperation copy, MlirOperation loop) {
  MlirOperation desc = tileValueGetOp(tileDescCopyGetDesc(copy));
  if (mlirOperationIsNull(desc) || !tileOpIsAMakeDesc(desc) || tileMakeDescGetPadding(desc) != 0)
    return false;
  MlirValue counter = mlirBlockGetArgument(tileBody(loop, 0), 0), bound = tileOperand(loop, 1);
  int rank = (int)mlirShapedTypeGetRank(tileDescTypeGetBox(mlirValueGetType(tileResult(desc))));
  for (int d = 0; d < rank; ++d)
    if (mlirValueEqual(tileOperand(copy, 1 + d), counter) &&
        mlirValueEqual(tileOperand(desc, 1 + d), bound))
      return true;
  return false;
}

static bool isPositive(MlirValue step) {
  int64_t value;
  return tileConstantInt(step, &value) && value > 0;
}

/// Null where this store can be deferred; adds what its results take of a thread's registers.
static const char *whyNotDeferStore(MlirOperation loop, const TileBoxStore *store, int64_t *words) {
  if (!mlirBlockEqual(mlirOperationGetBlock(loop), mlirOperationGetBlock(store->write)))
    return "expected a store behind the loop, found it elsewhere";
  MlirType value = mlirValueGetType(tileBufferStoreGetValue(store->store));
  if (tileBitWidth(tileElementType(value)) > 16)
    return "expected results of 16 bits or less, found wider ones";
  *words += tileTypeGetWords(value);
  return *words > mostWords ? "expected results of at most 64 words a thread, found more" : NULL;
}

const char *tileMayDefer(const TileChannels *channels, const TileBoxStore *stores, int count) {
  const TileChannel *c = tileAsyncChannel(channels);
  if (!c) return "expected dots in flight of one channel, found none or several";
  MlirOperation loop = mlirBlockGetParentOperation(c->block);
  if (!mlirAttributeIsNull(tileAttr(loop, "unsignedCmp")) || !isPositive(tileOperand(loop, 2)))
    return "expected a loop that counts up by a constant, found another";
  for (int k = 0; k < c->numCopies; ++k)
    if (!endsWithLoop(c->copies[k], loop))
      return "expected boxes that end where the loop does, found others";
  const char *reason = NULL;
  int64_t words = 0;
  for (int i = 0; i < count && !reason; ++i) reason = whyNotDeferStore(loop, &stores[i], &words);
  return reason;
}

static int countBoxes(const TileBoxStore *stores, int count) {
  int boxes = 0;
  for (int i = 0; i < count; ++i) boxes += stores[i].boxes;
  return boxes;
}

/// lower + n * step
static MlirValue afterSteps(TileBuilder *b, MlirOperation loop, int n) {
  MlirValue step = tileOperand(loop, 2);
  MlirValue count = tileBuildInt(b, mlirValueGetType(step), n);
  MlirValue distance = tileBuildBinary(b, "arith.muli", step, count);
  return tileBuildBinary(b, "arith.addi", tileOperand(loop, 0), distance);
}

void tileLengthenLoop(const TileChannels *channels, const TileBoxStore *stores, int count) {
  MlirOperation loop = mlirBlockGetParentOperation(tileAsyncChannel(channels)->block);
  TileBuilder b = tileBuilderBefore(loop);
  MlirValue least = afterSteps(&b, loop, countBoxes(stores, count));
  mlirOperationSetOperand(loop, 1, tileBuildBinary(&b, "arith.maxsi", tileOperand(loop, 1), least));
}

//===- peeling ------------------------------------------------------------===//

/// The ops of a loop's body once more, in front of it.
typedef struct {
  MlirOperation loop;
  int spare; // stage of the barrier that stands for the dot before the first
  TileValueMap values;
} Peeler;

/// Does `op` free the slot of the dot before the first? Nobody waits for that, and without it ptxas
/// can tell that all threads of a warp walk through the step together.
static bool freesNothing(const Peeler *p, MlirOperation op) {
  if (!tileOpIsABarrierArrive(op)) return false;
  MlirOperation slot = tileValueGetOp(tileBarrierArriveGetBarrier(op));
  int64_t stage;
  return !mlirOperationIsNull(slot) && tileOpIsABufferStage(slot) &&
         tileConstantInt(tileValueMapGet(p->values, tileBufferStageGetStage(slot)), &stage) &&
         stage == p->spare;
}

/// One step with counter `counter`; `carried` goes in and comes out.
static void peelStep(Peeler *p, MlirValue counter, MlirValue *carried) {
  MlirBlock body = tileBody(p->loop, 0);
  intptr_t n = mlirOperationGetNumResults(p->loop);
  TileBuilder b = tileBuilderBefore(p->loop);
  tileValueMapClear(&p->values);
  tileValueMapSet(&p->values, mlirBlockGetArgument(body, 0), counter);
  for (intptr_t i = 0; i < n; ++i)
    tileValueMapSet(&p->values, mlirBlockGetArgument(body, 1 + i), carried[i]);
  TILE_FOR_EACH_OP(op, body) {
    if (tileOpIs(op, "scf.yield")) {
      for (intptr_t i = 0; i < n; ++i) carried[i] = tileValueMapGet(p->values, tileOperand(op, i));
      return;
    }
    if (!freesNothing(p, op)) tileCloneMapped(&b, &p->values, op);
  }
}

/// The counter's distance from one stored box to the next, so that they are spread over the loop:
/// stores of all blocks at once keep copies waiting. The last steps are left as they are.
static MlirValue buildDistance(TileBuilder *b, MlirOperation loop, int boxes) {
  MlirValue lower = tileOperand(loop, 0), step = tileOperand(loop, 2);
  MlirType type = mlirValueGetType(lower);
  MlirValue one = tileBuildInt(b, type, 1), others = tileBuildInt(b, type, boxes - 1);
  MlirValue ends = tileBuildInt(b, type, 1 + tileLastSteps);
  MlirValue way = tileBuildBinary(b, "arith.subi", tileOperand(loop, 1), lower);
  MlirValue steps = tileBuildBinary(b, "arith.ceildivsi", way, step);
  MlirValue middle = tileBuildBinary(b, "arith.subi", steps, ends);
  MlirValue each = tileBuildBinary(b, "arith.divsi", middle, others);
  MlirValue least = tileBuildBinary(b, "arith.maxsi", each, one);
  return tileBuildBinary(b, "arith.muli", least, step);
}

/// Steps from counter `from` to `to`.
static void buildSteps(MlirOperation loop, MlirValue from, MlirValue to, MlirValue *carried) {
  MlirOperation some = mlirOperationClone(loop);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(loop), loop, some);
  mlirOperationSetOperand(some, 0, from);
  mlirOperationSetOperand(some, 1, to);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    mlirOperationSetOperand(some, 3 + i, carried[i]);
    carried[i] = mlirOperationGetResult(some, i);
  }
}

//===- the transformation -------------------------------------------------===//

/// What the loop over programs carries: the last one's results and where they go.
typedef struct {
  MlirValue value, row, column;
} Last;

/// Box number `box` of the last program's results; with `branch`, nothing where there are none.
static void buildLastBox(TileBuilder *b, const TileBoxStore *store, const Last *last, int box,
                         bool branch) {
  if (!branch) {
    tileBuildStoreBox(b, store, last->value, last->row, last->column, box);
    return;
  }
  MlirValue isThere = tileBuildCmpi(b, TILE_SLT, last->row, tileOperand(store->desc, 1));
  MlirOperation only = tileBuildIf(b, isThere, TILE_NONE, false);
  TileBuilder in = tileBuilderAtEnd(tileBody(only, 0), b->location);
  tileBuildStoreBox(&in, store, last->value, last->row, last->column, box);
  tileBuildOp(&in, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

static void peel(MlirOperation loop, const TileChannel *c, const TileBoxStore *stores, int count,
                 const Last *last) {
  Peeler p = {.loop = loop, .spare = c->stages};
  intptr_t n = mlirOperationGetNumResults(loop);
  MlirValue *carried = malloc((size_t)(n + 1) * sizeof *carried);
  if (!carried) abort();
  for (intptr_t i = 0; i < n; ++i) carried[i] = tileOperand(loop, 3 + i);
  TileBuilder b = tileBuilderBefore(loop);
  int boxes = countBoxes(stores, count), number = 0;
  bool apart = c->cluster && boxes > 1;
  MlirValue distance = apart ? buildDistance(&b, loop, boxes) : tileOperand(loop, 2);
  MlirValue counter = tileOperand(loop, 0);
  for (int i = 0; i < count; ++i)
    for (int box = 0; box < stores[i].boxes; ++box, ++number) {
      b = tileBuilderBefore(loop);
      bool one = number == 0 || !apart;
      MlirValue next = one ? afterSteps(&b, loop, number + 1)
                           : tileBuildBinary(&b, "arith.addi", counter, distance);
      if (one)
        peelStep(&p, counter, carried);
      else
        buildSteps(loop, counter, next, carried);
      b = tileBuilderBefore(loop);
      buildLastBox(&b, &stores[i], &last[i], box, apart);
      counter = next;
    }
  mlirOperationSetOperand(loop, 0, counter);
  for (intptr_t i = 0; i < n; ++i) mlirOperationSetOperand(loop, 3 + i, carried[i]);
  free(carried);
  tileValueMapClear(&p.values);
}

void tileDeferStores(const TileChannels *channels, MlirOperation programs, TileBoxStore *stores,
                     int count) {
  MlirValue inits[3 * tileMaxStores], yields[3 * tileMaxStores];
  TileBuilder b = tileBuilderBefore(programs);
  for (int i = 0; i < count; ++i) {
    MlirValue value = tileBufferStoreGetValue(stores[i].store);
    inits[3 * i] = tileBuildZero(&b, mlirValueGetType(value));
    // At row = extent nothing is written.
    inits[3 * i + 1] = tileOperand(stores[i].desc, 1);
    inits[3 * i + 2] = tileBuildInt(&b, tileI32(b.context), 0);
    yields[3 * i] = value;
    yields[3 * i + 1] = tileOperand(stores[i].write, 1);
    yields[3 * i + 2] = tileOperand(stores[i].write, 2);
  }
  intptr_t n = mlirOperationGetNumResults(programs);
  programs = tileExtendFor(programs, 3 * count, inits);
  MlirBlock body = tileBody(programs, 0);
  tileExtendYield(body, 3 * count, yields);
  const TileChannel *c = tileAsyncChannel(channels);
  Last inside[tileMaxStores], behind[tileMaxStores];
  for (int i = 0; i < count; ++i) {
    intptr_t k = n + 3 * i;
    inside[i] = (Last){mlirBlockGetArgument(body, 1 + k), mlirBlockGetArgument(body, 2 + k),
                       mlirBlockGetArgument(body, 3 + k)};
    behind[i] = (Last){mlirOperationGetResult(programs, k), mlirOperationGetResult(programs, k + 1),
                       mlirOperationGetResult(programs, k + 2)};
  }
  peel(mlirBlockGetParentOperation(c->block), c, stores, count, inside);
  TileBuilder after = tileBuilderBefore(programs);
  after.before = mlirOperationGetNextInBlock(programs);
  for (int i = 0; i < count; ++i) {
    for (int box = 0; box < stores[i].boxes; ++box)
      tileBuildStoreBox(&after, &stores[i], behind[i].value, behind[i].row, behind[i].column, box);
    mlirOperationDestroy(stores[i].write);
    mlirOperationDestroy(stores[i].store);
    mlirOperationDestroy(stores[i].alloc);
  }
}
