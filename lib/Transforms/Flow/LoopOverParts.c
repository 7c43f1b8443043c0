//===- LoopOverParts.c - tiles that registers do not hold -----------------===//
//
// Before:  %v = tile.load %p, %in : tensor<65536x!tile.ptr<f32>>          // 4 warps
//          %e = math.exp %v
//          %sum = tile.reduce add %e axis 0
//          %all = tile.splat %sum ; %y = arith.divf %e, %all
//          tile.store %q, %y, %in
// After:   %e0 = (exp of part 0)
//          %es = scf.for %i = 1 to 32 iter_args(%before = %e0) {
//            %v = tile.load %p', %in' : tensor<2048x!tile.ptr<f32>>       // part %i
//            %e = math.exp %v
//            %next = arith.addf %before, %e : tensor<2048xf32> ; scf.yield %next }
//          %sum = tile.reduce add %es axis 0
//          scf.for %i = 0 to 32 {
//            .. load, exp, divide ; tile.store %q', %y', %in' }
//
// Registers that are too few for what a program reads spill: each element is written to memory and
// read again, once for each reader. Instead each reader - a store, an atomic, a reduction - loops
// over equal parts, and reads what it wants of the arrays again, from the cache. Rows of any length
// work so, whatever the warps; one pass over an array stays one.
//
// A reader is divided along the dimension in which most reductions are divided with it, and then
// need no other pass; a reduction along its axis. What a reader still reads too much of is divided
// along another dimension then. What rows are reduced to (along their last dimension) is stored a
// few rows at a time: each is read whole, by neighbouring lanes, and no step carries anything.
//
// Declines, with a remark: another reader, as a scan, a dot or a loop around; addresses that follow
// from such; a barrier or a store to the array between a load and its reader (Parts.h).
//
// Warns where a load is read more than once for that.
//
// Sums are added in another order, as tile.reduce leaves it open.
//
// Requires: extents bound and powers of two.  Preserves: all else of numerics.
//===----------------------------------------------------------------------===//
#include "Parts.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Support/Slow.h"
#include "tile/Trace.h"
#include <stdlib.h>

enum { maxDepth = 128 };

typedef struct {
  int64_t lanes;     ///< of a program
  int64_t registers; ///< of a thread
  int64_t whole;     ///< words a thread that loads of one reader may take
  int64_t part;      ///< words a thread that those of a part have, at most
  MlirOperation odd; ///< the reader that cannot be divided
} Parts;

/// The readers of a block that are to be divided.
typedef struct {
  TileOpList list;         ///< in order; null: gone with another that was divided
  TilePointerTable places; ///< reader -> its place in the list, a size_t
  TileReach reach;
} Readers;

//===- what is read -------------------------------------------------------===//

/// Words of a thread that the result of a load takes, once it is computed with: narrow numbers take
/// one each. 0 of a load that is small.
static int64_t wordsOf(const Parts *p, MlirOperation load) {
  MlirType type = mlirValueGetType(tileResult(load));
  if (!tileTypeIsTile(type) || tileNumElements(type) < p->lanes) return 0;
  int64_t words = (tileBitWidth(tileElementType(type)) + 31) / 32;
  return tileNumElements(type) * words / p->lanes;
}

static bool isReader(MlirOperation op) {
  if (tileOpIsAReduce(op)) return true;
  bool isUsed =
      mlirOperationGetNumResults(op) && !mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(op)));
  return tileOpIsAStore(op) || (tileOpIsAAtomicRmw(op) && !isUsed);
}

/// Words of all loads that `op` reads, not those that are reduced on their way. Adds one for each
/// of these to `counts`, load -> int64_t, and notes the words of the largest, where these are not
/// null.
static int64_t wordsRead(const Parts *p, TilePointerTable *seen, TilePointerTable *counts,
                         int64_t *largest, MlirOperation op, int depth) {
  int64_t words = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation from = tileValueGetOp(tileOperand(op, i));
    if (mlirOperationIsNull(from) || depth == maxDepth || !tilePointerTableInsert(seen, from.ptr))
      continue;
    int64_t own = tileOpIsALoad(from) ? wordsOf(p, from) : 0;
    if (counts && own) ++*(int64_t *)tilePointerTableAdd(counts, from.ptr, sizeof(int64_t));
    words += own;
    if (largest && own > *largest) *largest = own;
    if (!tileOpIsAReduce(from)) words += wordsRead(p, seen, counts, largest, from, depth + 1);
  }
  return words;
}

/// What an op in front of a reader holds, once it is computed of loads, up to its last user.
typedef struct {
  int64_t words;
  int last;
} Held;

static Held *heldOf(TilePointerTable table, MlirOperation op, intptr_t operand) {
  MlirOperation from = tileValueGetOp(tileOperand(op, operand));
  return mlirOperationIsNull(from) ? NULL : tilePointerTableFind(table, from.ptr);
}

/// Notes what `op` holds, and what it is not the last user of any more.
static void noteHeld(const Parts *p, TilePointerTable *table, MlirOperation op, int place) {
  bool isComputed = tileOpIsALoad(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    Held *held = heldOf(*table, op, i);
    isComputed |= held != NULL;
    if (held) held->last = place;
  }
  if (!isComputed || mlirOperationGetNumResults(op) != 1) return;
  MlirType type = mlirValueGetType(tileResult(op));
  int bits = tileTypeIsTile(type) ? tileBitWidth(tileElementType(type)) : 0;
  Held *own = tilePointerTableAdd(table, op.ptr, sizeof *own);
  *own = (Held){.last = place};
  if (bits > 1) own->words = tileNumElements(type) * ((bits + 31) / 32) / p->lanes;
}

/// The most words that ops of `seen` hold at a time as they stand in front of `reader`: of taps
/// that are added up one after the other no more than two. -1: they do not all stand in its block.
static int64_t mostHeld(const Parts *p, TilePointerTable seen, MlirOperation reader) {
  TilePointerTable table = {0};
  int64_t held = 0, most = 0;
  size_t outside = 0;
  int place = 0;
  void *each = tilePointerTableFirst(seen);
  for (; each; each = tilePointerTableNext(each)) ++outside;
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(reader)) {
    bool isIt = mlirOperationEqual(op, reader);
    if (isIt || tilePointerTableFind(seen, op.ptr)) noteHeld(p, &table, op, place);
    outside -= !isIt && tilePointerTableFind(seen, op.ptr);
    ++place;
    if (isIt) break;
  }
  place = 0;
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(reader)) {
    if (mlirOperationEqual(op, reader)) break;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      Held *ended = heldOf(table, op, i);
      if (!ended || ended->last != place) continue;
      held -= ended->words;
      ended->words = 0;
    }
    Held *own = tilePointerTableFind(table, op.ptr);
    held += own ? own->words : 0;
    if (held > most) most = held;
    ++place;
  }
  tilePointerTableClear(&table);
  return outside ? -1 : most;
}

/// Words of all loads that `reader` reads, where that is more than it may; 0 where it is not. A
/// load that registers do not hold by itself is more, however few they are.
static int64_t wordsBeyond(const Parts *p, MlirOperation reader) {
  TilePointerTable seen = {0};
  int64_t largest = 0, words = wordsRead(p, &seen, NULL, &largest, reader, 0);
  int64_t most = words > p->whole ? mostHeld(p, seen, reader) : -1;
  tilePointerTableClear(&seen);
  int64_t share = tileMachineNumber(tileMachineOf(reader), TILE_NUMBER_PART_HELD);
  if (most >= 0 && 100 * most <= share * p->whole) words = most;
  return words > p->whole || largest > p->registers ? words : 0;
}

/// Reductions that read more than registers hold.
typedef struct {
  int64_t words; ///< of their loads, a thread
  int count;
  bool areRows; ///< each is along its last dimension, in which neighbours mostly lie
} Reductions;

/// Adds those that `op` reads, and what those read.
static void findReductions(const Parts *p, TilePointerTable *seen, MlirOperation op, int depth,
                           Reductions *found) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation from = tileValueGetOp(tileOperand(op, i));
    if (mlirOperationIsNull(from) || depth == maxDepth || !tilePointerTableInsert(seen, from.ptr))
      continue;
    int64_t words = tileOpIsAReduce(from) ? wordsBeyond(p, from) : 0;
    if (words) {
      int64_t shape[TILE_MAX_RANK];
      int rank = tileShape(mlirValueGetType(tileOperand(from, 0)), shape);
      found->words += words;
      found->areRows &= tileReduceGetAxis(from) == rank - 1;
      ++found->count;
    }
    findReductions(p, seen, from, depth + 1, found);
  }
}

static Reductions reductionsOf(const Parts *p, MlirOperation reader) {
  Reductions found = {.areRows = true};
  TilePointerTable seen = {0};
  if (!tileOpIsAReduce(reader)) findReductions(p, &seen, reader, 0, &found);
  tilePointerTableClear(&seen);
  return found;
}

/// Is all that is computed of `value` read by readers of its block?
static bool isReadHere(Parts *p, TilePointerTable *seen, MlirValue value, int depth) {
  MlirBlock block = tileValueGetBlock(value);
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tilePointerTableInsert(seen, user.ptr) || isReader(user)) continue;
    bool passes = (tileOpIsElementwise(user) || tileOpIsView(user) || tileOpIsATrans(user) ||
                   tileOpIsALoad(user)) &&
                  depth < maxDepth && mlirBlockEqual(mlirOperationGetBlock(user), block);
    p->odd = passes ? p->odd : user;
    for (intptr_t i = 0; passes && i < mlirOperationGetNumResults(user); ++i)
      passes = isReadHere(p, seen, mlirOperationGetResult(user, i), depth + 1);
    if (!passes) return false;
  }
  return true;
}

//===- how a reader is divided --------------------------------------------===//

/// Of how many parts each is small enough; no more than there are elements along the dimension, nor
/// so many that threads have nothing of a part of `elements`.
static int64_t countParts(const Parts *p, int64_t words, int64_t extent, int64_t elements) {
  int64_t count = 2;
  while (words > p->part * count && count * 2 <= extent && count * 2 * p->lanes <= elements)
    count *= 2;
  return count;
}

static bool canDivide(TileDivision *d, int dim) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(d->reader); ++i)
    if (!tilePartsCan(d, tileOperand(d->reader, i), dim, 0)) return false;
  return true;
}

/// May what combines two elements combine two tiles of them?
static bool combinesTiles(MlirOperation reduce) {
  MlirOperation last = mlirBlockGetTerminator(tileBody(reduce, 0));
  TILE_FOR_EACH_OP(op, tileBody(reduce, 0)) {
    bool isFree = mlirOperationEqual(op, last) || tileOpIs(op, "arith.constant");
    if (!isFree && !(tileOpIsElementwise(op) && tileOpIsMovable(op))) return false;
  }
  return true;
}

/// The dimension along which `reader` is divided, -1 where there is none; `d` says how then.
static int divide(const Parts *p, TileReach *reach, MlirOperation reader, TileDivision *d) {
  int64_t shape[TILE_MAX_RANK], words = wordsBeyond(p, reader);
  bool isItself = words > 0;
  if (!isItself) words = reductionsOf(p, reader).words;
  MlirType type = mlirValueGetType(tileOperand(reader, 0));
  int64_t elements = isItself && tileTypeIsTile(type) ? tileNumElements(type) : INT64_MAX;
  int rank = tileShape(type, shape), best = -1, most = -1;
  for (int dim = 0; dim < rank; ++dim) {
    if (tileOpIsAReduce(reader) && dim != tileReduceGetAxis(reader)) continue;
    TileDivision one = {
        .reader = reader, .reach = reach, .count = countParts(p, words, shape[dim], elements)};
    bool can = shape[dim] > 1 && canDivide(&one, dim) &&
               (!tileOpIsAReduce(reader) || combinesTiles(reader));
    if (can && one.reduces > most) {
      tilePointerTableClear(&d->dims);
      *d = one;
      best = dim, most = one.reduces;
    } else {
      tilePointerTableClear(&one.dims);
    }
  }
  return best;
}

//===- rewriting ----------------------------------------------------------===//

/// What the reader reads of part `number`, where `b` builds.
static void buildOperands(const TileDivision *d, TileBuilder *b, MlirValue number,
                          MlirValue *operands) {
  TileValueMap map = {0};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(d->reader); ++i)
    operands[i] = tilePartsBuild(d, b, &map, tileOperand(d->reader, i), number);
  tileValueMapClear(&map);
  b->location = mlirOperationGetLocation(d->reader);
}

/// The reader with other operands, where `b` builds.
static MlirOperation buildReader(const TileDivision *d, TileBuilder *b, const MlirValue *operands) {
  TileValueMap map = {0};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(d->reader); ++i)
    tileValueMapSet(&map, tileOperand(d->reader, i), operands[i]);
  MlirOperation made = tileCloneMapped(b, &map, d->reader);
  tileValueMapClear(&map);
  // Where padding begins is counted from the whole tile's first element.
  mlirOperationRemoveAttributeByName(made, tileString("tile.extents"));
  // Nobody reads what was there before an atomic.
  if (tileOpIsAAtomicRmw(made))
    mlirValueSetType(tileResult(made), mlirValueGetType(tileAtomicRmwGetValue(made)));
  return made;
}

/// What the region of a reduction makes of the tiles `left` and `right`, element by element.
static void combine(TileBuilder *b, MlirOperation reduce, const MlirValue *left,
                    const MlirValue *right, MlirValue *results) {
  TileValueMap map = {0};
  MlirBlock body = tileBody(reduce, 0);
  MlirOperation last = mlirBlockGetTerminator(body);
  MlirType shaped = mlirValueGetType(left[0]);
  intptr_t count = mlirOperationGetNumResults(reduce);
  for (intptr_t i = 0; i < count; ++i) {
    tileValueMapSet(&map, mlirBlockGetArgument(body, i), left[i]);
    tileValueMapSet(&map, mlirBlockGetArgument(body, count + i), right[i]);
  }
  TILE_FOR_EACH_OP(op, body) {
    if (mlirOperationEqual(op, last)) break;
    MlirOperation made = tileCloneMapped(b, &map, op);
    MlirType type = tileWithElement(shaped, mlirValueGetType(tileResult(made)));
    if (tileOpIs(op, "arith.constant"))
      tileValueMapSet(&map, tileResult(op),
                      tileBuildUnary(b, "tile.splat", type, tileResult(made)));
    else
      mlirValueSetType(tileResult(made), type);
  }
  for (intptr_t i = 0; i < count; ++i) results[i] = tileValueMapGet(map, tileOperand(last, i));
  tileValueMapClear(&map);
}

/// The loop over the parts of a reader, in its place. One that reduces carries, of each element of
/// a part, what was made of those at its place in the parts before: threads meet once, behind it.
static MlirBlock loopOver(const TileDivision *d) {
  TileBuilder b = tileBuilderBefore(d->reader);
  intptr_t count = mlirOperationGetNumOperands(d->reader);
  bool reduces = tileOpIsAReduce(d->reader);
  MlirValue *values = calloc(3 * ((size_t)count + 1), sizeof *values);
  if (!values) abort();
  MlirValue *parts = values + 3 + count, *next = parts + count;
  values[0] = tileBuildInt(&b, tileI32(b.context), reduces);
  values[1] = tileBuildInt(&b, tileI32(b.context), d->count);
  values[2] = tileBuildInt(&b, tileI32(b.context), 1);
  MlirValue first = tileBuildInt(&b, tileI32(b.context), 0);
  if (reduces) buildOperands(d, &b, first, values + 3);
  MlirOperation loop = tileBuildFor(&b, reduces ? count + 3 : 3, values);
  MlirBlock body = tileBody(loop, 0);
  TileBuilder in = tileBuilderAtEnd(body, b.location);
  buildOperands(d, &in, mlirBlockGetArgument(body, 0), parts);
  for (intptr_t i = 0; reduces && i < count; ++i) values[i] = mlirBlockGetArgument(body, i + 1);
  if (reduces)
    combine(&in, d->reader, values, parts, next);
  else
    buildReader(d, &in, parts);
  tileBuildOp(&in, "scf.yield", reduces ? count : 0, next, 0, NULL, 0, NULL, 0);
  for (intptr_t i = 0; reduces && i < count; ++i) values[i] = mlirOperationGetResult(loop, i);
  MlirOperation reduced = reduces ? buildReader(d, &b, values) : loop;
  for (intptr_t i = 0; reduces && i < count; ++i) values[i] = mlirOperationGetResult(reduced, i);
  tileReplaceOp(d->reader, reduces ? count : 0, values);
  free(values);
  return body;
}

static bool isDead(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, i)))) return false;
  return tileOpIsALoad(op) || tileOpIsAReduce(op) || tileOpIsMovable(op);
}

/// Adds what makes the op's operands in its block.
static void addMakers(TileOpList *list, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation from = tileValueGetOp(tileOperand(op, i));
    bool isHere = !mlirOperationIsNull(from) &&
                  mlirBlockEqual(mlirOperationGetBlock(from), mlirOperationGetBlock(op));
    if (isHere) tileOpListAdd(list, from);
  }
}

/// Erases those of `list` that nobody reads, and what only these have read. Of the readers of
/// `left` those that went become null.
static void eraseDead(TileOpList *list, Readers *left) {
  TilePointerTable gone = {0};
  while (list->count) {
    MlirOperation op = list->ops[--list->count];
    if (tilePointerTableFind(gone, op.ptr) || !isDead(op)) continue;
    const size_t *place = tilePointerTableFind(left->places, op.ptr);
    if (place) left->list.ops[*place].ptr = NULL;
    addMakers(list, op);
    tilePointerTableInsert(&gone, op.ptr);
    mlirOperationDestroy(op);
  }
  tilePointerTableClear(&gone);
  tileOpListDestroy(list);
}

//===- a block ------------------------------------------------------------===//

/// Does it write what rows are reduced to, of which it can take a few at a time? Each is read as a
/// whole then, and where it is reduced nothing is carried.
static bool writesRows(const Parts *p, TileReach *reach, MlirOperation op) {
  Reductions rows = isReader(op) ? reductionsOf(p, op) : (Reductions){0};
  if (!rows.count || !rows.areRows) return false;
  TileDivision d = {0};
  bool can = divide(p, reach, op, &d) >= 0 && d.reduces >= rows.count;
  tilePointerTableClear(&d.dims);
  return can;
}

/// Those that read more than registers hold.
static void findReaders(const Parts *p, MlirBlock block, Readers *readers) {
  int64_t place = 0;
  TILE_FOR_EACH_OP(op, block) {
    *(int64_t *)tilePointerTableAdd(&readers->reach.places, op.ptr, sizeof place) = place;
    tileOpListAdd(&readers->reach.ops, op);
    ++place;
  }
  TILE_FOR_EACH_OP(op, block) {
    bool reads = isReader(op) && wordsBeyond(p, op);
    if (!reads && !writesRows(p, &readers->reach, op)) continue;
    *(size_t *)tilePointerTableAdd(&readers->places, op.ptr, sizeof(size_t)) = readers->list.count;
    tileOpListAdd(&readers->list, op);
  }
}

static void forgetReaders(Readers *readers) {
  tileOpListDestroy(&readers->list);
  tilePointerTableClear(&readers->places);
  tileOpListDestroy(&readers->reach.ops);
  tilePointerTableClear(&readers->reach.places);
  tilePointerTableClear(&readers->reach.clear);
}

/// Does nobody else read what they read, and can all be divided?
static bool canDivideAll(Parts *p, Readers *readers) {
  bool ok = true;
  TilePointerTable seen = {0};
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(readers->list.ops[0])) {
    if (ok && tileOpIsALoad(op) && wordsOf(p, op)) ok = isReadHere(p, &seen, tileResult(op), 0);
  }
  tilePointerTableClear(&seen);
  for (size_t i = 0; ok && i < readers->list.count; ++i) {
    TileDivision d = {0};
    p->odd = readers->list.ops[i];
    ok = divide(p, &readers->reach, p->odd, &d) >= 0;
    tilePointerTableClear(&d.dims);
  }
  return ok;
}

/// Loads that several of the readers want will be read once for each of them: warnings at their
/// lines.
static void warnOfRereads(const Parts *p, const Readers *readers) {
  TilePointerTable counts = {0}; // load -> its readers, an int64_t
  for (size_t i = 0; i < readers->list.count; ++i) {
    TilePointerTable seen = {0};
    wordsRead(p, &seen, &counts, NULL, readers->list.ops[i], 0);
    tilePointerTableClear(&seen);
  }
  for (size_t k = 0; k < readers->reach.ops.count; ++k) {
    MlirOperation op = readers->reach.ops.ops[k];
    const int64_t *count = tilePointerTableFind(counts, op.ptr);
    if (count && *count > 1)
      tileEmitSlow(mlirOperationGetLocation(op),
                   "tile is read %lld times, in parts: expected %lld words a thread at most (more "
                   "warps, or a smaller tile), found %lld",
                   (long long)*count, (long long)p->whole, (long long)wordsOf(p, op));
  }
  tilePointerTableClear(&counts);
}

static void divideBlock(Parts *p, MlirBlock block);

static bool divideReader(Parts *p, Readers *readers, MlirOperation reader) {
  TileDivision d = {0};
  if (divide(p, &readers->reach, reader, &d) < 0) return false;
  tileTrace(mlirOperationGetLocation(reader), "of %lld words a thread a loop reads %lld parts",
            (long long)wordsBeyond(p, reader), (long long)d.count);
  TileOpList makers = {0};
  addMakers(&makers, reader);
  MlirBlock body = loopOver(&d);
  tilePointerTableClear(&d.dims);
  readers->reach.ops.count = 0;
  eraseDead(&makers, readers);
  divideBlock(p, body);
  return true;
}

static void divideBlock(Parts *p, MlirBlock block) {
  Readers readers = {0};
  findReaders(p, block, &readers);
  size_t left = readers.list.count;
  if (left && !canDivideAll(p, &readers)) {
    tileEmitRemark(mlirOperationGetLocation(p->odd),
                   "tile is not divided: expected a store, an atomic or a reduction of what is "
                   "computed lane by lane of loads that nothing overwrites, found '%.*s'",
                   (int)tileOpName(p->odd).length, tileOpName(p->odd).data);
    left = 0;
  }
  if (left) warnOfRereads(p, &readers);
  // The last one first: a reduction that was divided with its reader is gone with it.
  while (left--) {
    MlirOperation reader = readers.list.ops[left];
    if (!mlirOperationIsNull(reader) && !divideReader(p, &readers, reader)) break;
  }
  forgetReaders(&readers);
}

/// Is it the last op of a block that loads what is not small? It stays, whatever becomes of others.
static bool endsBlock(MlirOperation op, void *data) {
  bool loads = false;
  if (!mlirOperationIsNull(mlirOperationGetNextInBlock(op))) return false;
  TILE_FOR_EACH_OP(other, mlirOperationGetBlock(op)) {
    loads |= tileOpIsALoad(other) && wordsOf(data, other);
  }
  return loads;
}

MlirLogicalResult tileRunLoopOverParts(MlirOperation func,
                                       const TileLoopOverPartsOptions *options) {
  int64_t warps = options->numWarps ? options->numWarps : tileNumWarpsOf(func);
  const TileMachine *machine = tileMachineOf(func);
  int64_t lanes = 32 * (warps < 1 ? 1 : warps), registers = machine->registers / lanes;
  if (registers > machine->threadRegisters) registers = machine->threadRegisters;
  Parts p = {.lanes = lanes,
             .registers = registers,
             .whole = registers * tileMachineNumber(machine, TILE_NUMBER_HELD_WORDS) / 100,
             .part = tileMachineNumber(machine, TILE_NUMBER_PART_WORDS)};
  TileOpList ends = {0};
  tileOpListCollect(&ends, func, MlirWalkPreOrder, endsBlock, &p);
  for (size_t i = 0; i < ends.count; ++i) divideBlock(&p, mlirOperationGetBlock(ends.ops[i]));
  tileOpListDestroy(&ends);
  return mlirLogicalResultSuccess();
}
