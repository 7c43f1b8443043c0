//===- ShareSums.c - each block goes on with a share of a divided sum ------===//
//
// Before:  %sum = tile_gpu.add_parts %s
//          %h = arith.truncf %sum
//          .. four boxes of %h, which block 0 stores ..
// After:   %sum = tile_gpu.add_parts %s {period = 64, shares = array<i64: 0, 16, 32, 48, 64>}
//          %h = arith.truncf %sum
//          .. four boxes of %h, one of which is each block's ..
//
// Else the blocks that added parts of a sum would hand their shares to block 0, which alone
// converts and stores all. A share is of registers of each thread that follow each other, as
// wgmma's sums have columns, or a transposed product's rows: those of the boxes that the block
// stores.
//
// Of blocks of no cluster, which add up in memory, too, if all of them run at a time:
//
// Before:  %sum, %last = tile_gpu.collect_parts %s
// After:   %sum, %goes, %all = tile_gpu.share_parts %s {period = 64, shares = array<i64: 0, 16,
// ..>}
//          .. its boxes, or all of them where %all ..
//
// else the last one would read so many parts of all the sum, as fast as one multiprocessor does. So
// it is with turns of a loop over programs that have a part each of one (tile_gpu.share_turns).
//
// It may be so where all that follows from the sums are stores that go box by box, and what is done
// to them element by element on the way: each block computes that of all its registers, of which
// those of its share alone hold anything.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "../Kernel.h"
#include "Sums.h"
#include "tile/Support/ValueSearch.h"
#include "tile/Trace.h"
#include <string.h>

static bool isStored(const TileBoxStores *stores, MlirOperation op) {
  for (int i = 0; i < stores->count; ++i) {
    const TileBoxStore *s = &stores->list[i];
    if (mlirOperationEqual(op, s->store) || mlirOperationEqual(op, s->write)) return true;
  }
  return false;
}

static bool isStoredTile(const TileBoxStores *stores, MlirValue value) {
  for (int i = 0; i < stores->count; ++i)
    if (mlirValueEqual(stores->list[i].value, value)) return true;
  return false;
}

/// Does `op` make of each register of `from` that of its result?
static bool keepsRegisters(MlirOperation op, MlirValue from) {
  TileLayout before, after;
  if (mlirOperationGetNumResults(op) != 1 || !tileTypeGetLayout(mlirValueGetType(from), &before) ||
      !tileTypeGetLayout(mlirValueGetType(tileResult(op)), &after))
    return false;
  if (tileOpIsElementwise(op)) return tileLayoutEqual(before, after);
  if (!tileOpIsATrans(op)) return false;
  MlirAttribute attr = tileAttr(op, "order");
  int order[TILE_MAX_RANK] = {0};
  for (int d = 0; d < before.rank; ++d) order[d] = mlirDenseI32ArrayGetElement(attr, d);
  return tileLayoutEqual(tileLayoutTranspose(before, order), after);
}

/// Looks at who reads what the sum became; null, or what is wrong.
static const char *checkReaders(TileValueSearch *search, MlirBlock program,
                                const TileBoxStores *stores) {
  while (search->count) {
    MlirValue value = search->stack[--search->count];
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (isStored(stores, user)) continue;
      if (tileOpIsACollectParts(user)) {
        tileValueSearchAdd(search,
                           mlirOperationGetResult(user, mlirOpOperandGetOperandNumber(use)));
        continue;
      }
      // The tile of two dimensions that is stored as one of more.
      if (tileOpIsAReshape(user) && isStoredTile(stores, value)) continue;
      if (!mlirBlockEqual(mlirOperationGetBlock(user), program) || !keepsRegisters(user, value))
        return "expected sums that pass ops of elements alone on their way to their boxes, found "
               "another op";
      tileValueSearchAdd(search, tileResult(user));
    }
  }
  return NULL;
}

enum { mostSums = 8 }; // that blocks of no cluster collect and have a share of, each
enum { ofTurns = 4 };  // operands of tile_gpu.collect_turns behind its sums

static bool isCollected(MlirOperation op) {
  return tileOpIsACollectParts(op) || tileOpIsACollectTurns(op);
}

static intptr_t countSums(MlirOperation collect) {
  return mlirOperationGetNumOperands(collect) - (tileOpIsACollectTurns(collect) ? ofTurns : 0);
}

static const char *check(MlirOperation func, const TileBoxStores *stores) {
  MlirBlock program = tileKernelGetProgram(func);
  TileValueSearch search = {0};
  bool behind = false, writes = false, isMany = false;
  TILE_FOR_EACH_OP(op, program) {
    bool adds = tileOpIsAAddParts(op), collects = isCollected(op);
    if (adds) tileValueSearchAdd(&search, tileResult(op));
    for (intptr_t i = 0; collects && i < countSums(op); ++i)
      tileValueSearchAdd(&search, mlirOperationGetResult(op, i));
    behind |= adds || collects;
    isMany |= collects && countSums(op) > mostSums;
    if (behind && !isStored(stores, op))
      writes |= tileHoldsEffects(op, TILE_WRITES_GLOBAL | TILE_WRITES_CONSOLE);
  }
  const char *reason = checkReaders(&search, program, stores);
  tileValueSearchClear(&search);
  return reason   ? reason
         : isMany ? "expected eight sums at most, found more"
         : writes ? "expected results that go box by box alone, found others"
                  : NULL;
}

/// Registers of the tile that is stored, `count` of them from `first` on in each `period`.
typedef struct {
  int64_t first, count, period;
} Registers;

static bool isInBox(const TileBoxStore *s, int64_t number, int64_t column) {
  uint64_t at = 0;
  for (int b = 0; b < s->layout.inBits[TILE_REGISTER]; ++b)
    if (number >> b & 1) at ^= s->layout.bases[TILE_REGISTER][b];
  int64_t distance = tileLayoutCoordinate(s->layout, at, 1) - column;
  return distance >= 0 && distance < s->columns;
}

/// Those of a box; false where they lie otherwise.
static bool findRegisters(const TileBoxStore *s, int box, Registers *r) {
  int64_t column = tileBoxStoreColumn(s, box), all = (int64_t)1 << s->layout.inBits[TILE_REGISTER];
  *r = (Registers){.period = all};
  while (r->first < all && !isInBox(s, r->first, column)) ++r->first;
  int64_t end = r->first;
  while (end < all && isInBox(s, end, column)) ++end;
  r->count = end - r->first;
  while (end < all && !isInBox(s, end, column)) ++end;
  if (end < all) r->period = end - r->first;
  bool fits = r->count > 0 && all % r->period == 0 && r->first + r->count <= r->period;
  for (int64_t i = 0; fits && i < all; ++i) {
    int64_t place = i % r->period - r->first;
    fits = isInBox(s, i, column) == (place >= 0 && place < r->count);
  }
  return fits;
}

/// Shares of a sum: where each block's registers begin in each period, and the last one's end.
typedef struct {
  int64_t begins[tileMaxParts + 1], period;
} Shares;

static bool findShares(const TileBoxStore *s, int parts, Shares *shares) {
  enum { mostWords = 4 }; // of 32 bits, the narrowest, that the exchange moves at once (AddParts.c)
  int64_t registers = (int64_t)1 << s->layout.inBits[TILE_REGISTER], end = 0;
  int64_t words = registers < mostWords ? registers : mostWords;
  if (s->numParts != 1 || s->end % s->columns) return false;
  *shares = (Shares){0};
  int block = 0;
  for (int box = 0; box < s->boxes; ++box) {
    Registers r;
    bool fits = findRegisters(s, box, &r) && r.first == end && r.first % words == 0 &&
                r.period % words == 0 && (!box || r.period == shares->period);
    if (!fits) return false;
    while (tileBoxStoreFirst(s, block, parts) <= box) shares->begins[block++] = r.first;
    shares->period = r.period;
    end = r.first + r.count;
  }
  while (block <= parts) shares->begins[block++] = end;
  return end % words == 0;
}

/// Sums that blocks of no cluster collect: each has its share, where all run at a time.
static void shareCollected(MlirOperation collect, MlirAttribute begins, MlirAttribute period,
                           TileBoxStores *stores) {
  bool isTurn = tileOpIsACollectTurns(collect);
  intptr_t count = countSums(collect), all = mlirOperationGetNumOperands(collect);
  MlirValue operands[mostSums + ofTurns];
  MlirType types[mostSums + 2];
  TileBuilder b = tileBuilderBefore(collect);
  for (intptr_t i = 0; i < all; ++i) {
    operands[i] = tileOperand(collect, i);
    if (i < count) types[i] = mlirValueGetType(operands[i]);
  }
  types[count] = types[count + 1] = tileI1(b.context);
  MlirOperation share =
      tileBuildOp(&b, isTurn ? "tile_gpu.share_turns" : "tile_gpu.share_parts", all, operands,
                  count + 2, types, TILE_ATTRS({"shares", begins}, {"period", period}), 0);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue old = mlirOperationGetResult(collect, i), sum = mlirOperationGetResult(share, i);
    for (int j = 0; j < stores->count; ++j)
      if (mlirValueEqual(stores->list[j].value, old)) stores->list[j].value = sum;
    mlirValueReplaceAllUsesOfWith(old, sum);
  }
  mlirOperationDestroy(collect);
  for (int i = 0; i < stores->count; ++i) {
    stores->list[i].all = mlirOperationGetResult(share, count + 1);
    if (isTurn) stores->list[i].part = operands[count];
  }
}

bool tileShareSums(MlirOperation func, int parts, TileBoxStores *stores) {
  Shares shares = {0}, others;
  TileBoxStores cut = *stores;
  const char *reason = check(func, stores);
  for (int i = 0; i < stores->count && !reason; ++i) {
    TileBoxStore *s = &cut.list[i];
    MlirOperation write = s->write;
    bool fits = tileFindBoxStore(write, tileKernelGetWarpGroups(func), parts, s) &&
                findShares(s, parts, &others);
    if (fits && !i) shares = others;
    if (!fits || memcmp(&shares, &others, sizeof shares) != 0)
      reason = "expected boxes of registers that follow each other, of all results alike, found "
               "others";
    s->blocks = parts;
  }
  if (reason) {
    tileEmitRemark(mlirOperationGetLocation(func), "one block stores what all add up: %s", reason);
    return false;
  }
  *stores = cut;
  MlirContext c = mlirOperationGetContext(func);
  MlirAttribute begins = mlirDenseI64ArrayGet(c, parts + 1, shares.begins);
  MlirAttribute period = mlirIntegerAttrGet(tileI64(c), shares.period);
  bool clusters = false;
  TILE_FOR_EACH_OP(op, tileKernelGetProgram(func)) {
    bool adds = tileOpIsAAddParts(op), collects = isCollected(op);
    clusters |= adds;
    if (!adds && !collects) continue;
    mlirOperationSetAttributeByName(op, tileString("shares"), begins);
    mlirOperationSetAttributeByName(op, tileString("period"), period);
    if (collects && !clusters) shareCollected(op, begins, period, stores);
  }
  tileTrace(mlirOperationGetLocation(func), "each of %d blocks stores a share of the sum", parts);
  return true;
}
