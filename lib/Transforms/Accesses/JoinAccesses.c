//===- JoinAccesses.c - neighbours in memory are accessed together --------===//
//
// Before:  %re = tile.load %p : tensor<512x!tile.ptr<f32>>           // x[2 i]
//          %q = tile.addptr %p, 1
//          %im = tile.load %q : tensor<512x!tile.ptr<f32>>           // x[2 i + 1]
// After:   %both = tile.load %p' : tensor<512x!tile.ptr<i64>>        // of i, in units of 8 bytes
//          %re = arith.bitcast (arith.trunci %both)
//          %im = arith.bitcast (arith.trunci (arith.shrui %both, 32))
//
// and stores likewise. Complex numbers, pairs that are rotated, gates beside what they gate,
// pixels: elements i of two tiles lie side by side in memory, and neither tile alone is contiguous.
// Each of the two is as many accesses as there are elements, of which each moves half of a sector.
// Joined, they are half as many, and contiguous where i is: then a thread moves 16 bytes at once.
// To take the halves apart costs nothing where they are registers, and a byte permutation where
// they are 16 bits. What was joined is joined again, up to 8 bytes an element: pixels of four
// bytes, say.
//
// Two accesses are joined that do the same under one mask, whose pointers differ by one element,
// the lower one being a multiple of both elements' bytes, and between which nothing is written (or,
// of stores, read). Offsets are divided by 2, which is exact where they are even; how they run
// along memory is said on the quotient (`tile.contiguity`), since a quotient of what wrapped around
// shows it no more: a run is claimed only where it cannot pass the ends of its type.
//
// Requires: loads and masks simplified, extents bound.  Preserves: numerics; which bytes are
// accessed.  Kernels with dots stay: what feeds these is copied as it lies.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "../ValueMap.h"
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Trace.h"
#include <stdlib.h>
#include <string.h>

enum {
  MOST_BYTES = 8,  // of the widest integer that a tile has
  MOST_TERMS = 8,  // of a pointer, that are told apart
  MOST_DEPTH = 16, // of the arithmetic that is looked at
  MOST_APART = 256 // accesses behind one that are compared with it
};

static const char *const hints[] = {"cache", "evict"};

/// Where an access points: values that are added up, and a number of elements.
typedef struct {
  MlirValue terms[MOST_TERMS];
  int numTerms;
  int64_t number;
} Place;

typedef struct {
  MlirOperation op;
  bool stores;
  Place place;
} Access;

static MlirValue ptrOf(const Access *a) { return tileOperand(a->op, 0); }

static MlirValue maskOf(const Access *a) {
  return a->stores ? tileStoreGetMask(a->op) : tileLoadGetMask(a->op);
}

/// What a load gives where its mask is off; null where it does not say.
static MlirValue otherOf(const Access *a) {
  return a->stores ? (MlirValue){NULL} : tileLoadGetOther(a->op);
}

//===- which belong together ----------------------------------------------===//

/// Adds up what `value` is the sum of; false where that are too many terms.
static bool addTerms(Place *place, MlirValue value, int depth) {
  int64_t number;
  MlirOperation op = tileValueGetOp(value);
  if (tileConstantInt(value, &number)) {
    place->number += number;
    return true;
  }
  bool sums = !mlirOperationIsNull(op) && (tileOpIsAAddPtr(op) || tileOpIs(op, "arith.addi"));
  if (sums && depth < MOST_DEPTH)
    return addTerms(place, tileOperand(op, 0), depth + 1) &&
           addTerms(place, tileOperand(op, 1), depth + 1);
  // The number of a step, and of the next one.
  if (!mlirOperationIsNull(op) && tileOpIsASplat(op) && depth < MOST_DEPTH)
    return addTerms(place, tileOperand(op, 0), depth + 1);
  if (place->numTerms == MOST_TERMS) return false;
  place->terms[place->numTerms++] = value;
  return true;
}

static int compareTerms(const void *a, const void *b) {
  const MlirValue *x = a, *y = b;
  return (x->ptr > y->ptr) - (x->ptr < y->ptr);
}

static bool describe(MlirOperation op, Access *access) {
  bool loads = tileOpIsALoad(op), stores = tileOpIsAStore(op);
  if ((!loads && !stores) || !tileTypeIsTile(mlirValueGetType(tileOperand(op, 0)))) return false;
  *access = (Access){.op = op, .stores = stores};
  if (!addTerms(&access->place, ptrOf(access), 0)) return false;
  qsort(access->place.terms, (size_t)access->place.numTerms, sizeof(MlirValue), compareTerms);
  return true;
}

/// Does anything stand on it beside how it uses caches? What it is told of padding, say.
static bool isPlain(MlirOperation op) { return !mlirOperationGetNumDiscardableAttributes(op); }

static bool haveSameAttributes(MlirOperation a, MlirOperation b) {
  for (int i = 0; i < 2; ++i)
    if (!mlirAttributeEqual(tileAttr(a, hints[i]), tileAttr(b, hints[i]))) return false;
  return isPlain(a) && isPlain(b);
}

/// Do they lie side by side, under one mask?
static bool areNeighbours(const Access *a, const Access *b) {
  int64_t apart = b->place.number - a->place.number;
  return a->stores == b->stores && (apart == 1 || apart == -1) &&
         mlirTypeEqual(mlirValueGetType(ptrOf(a)), mlirValueGetType(ptrOf(b))) &&
         mlirValueEqual(maskOf(a), maskOf(b)) &&
         mlirValueIsNull(otherOf(a)) == mlirValueIsNull(otherOf(b)) &&
         haveSameAttributes(a->op, b->op) && a->place.numTerms == b->place.numTerms &&
         !memcmp(a->place.terms, b->place.terms, sizeof a->place.terms);
}

/// A divisor of the address of every element.
static int64_t divisorOf(const TileAxisAnalysis *axis, MlirValue value) {
  const TileAxisInfo *info = tileAxisAnalysisGet(axis, value);
  int64_t best = 1;
  for (int d = 0; d < info->rank; ++d)
    if (info->contiguity[d] == 1 && info->divisibility[d] > best) best = info->divisibility[d];
  return info->rank ? best : info->divisibility[0];
}

static int bytesOf(const Access *a) {
  MlirType pointer = tileElementType(mlirValueGetType(ptrOf(a)));
  return tileBitWidth(tilePtrTypeGetPointee(pointer)) / 8;
}

/// May the two be moved past what stands between them? Loads go up, past what does nothing but
/// read; stores go down, past what does nothing.
static bool canMeet(const Access *a, const Access *b) {
  uint32_t allowed = a->stores ? 0 : TILE_READS_GLOBAL;
  MlirOperation op = mlirOperationGetNextInBlock(a->op);
  for (; !mlirOperationEqual(op, b->op); op = mlirOperationGetNextInBlock(op))
    if (mlirOperationGetNumRegions(op) > 0 || (tileOpGetEffects(op) & ~allowed)) return false;
  return true;
}

/// The bits of a constant that is the same everywhere, of integers or floats; false for others.
static bool constantBits(MlirValue value, int64_t *bits) {
  MlirOperation op = tileValueGetOp(value);
  if (tileConstantInt(value, bits)) return true;
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.constant")) return false;
  MlirAttribute number = tileAttr(op, "value");
  if (!mlirAttributeIsADenseElements(number) || !mlirDenseElementsAttrIsSplat(number)) return false;
  int width = tileBitWidth(tileElementType(mlirValueGetType(value)));
  if (width > 8 * MOST_BYTES || width % 8) return false;
  *bits = 0;
  memcpy(bits, mlirDenseElementsAttrGetRawData(number), (size_t)width / 8);
  return true;
}

//===- how a quotient runs along memory -----------------------------------===//

/// Along a dimension, runs of `run` values step by `step`, and begin at multiples of `divisor`.
typedef struct {
  int64_t run, step, divisor;
} Steps;

static int64_t powerIn(int64_t x) { return x & -x; }
static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/// More than any run has, and with room for factors.
#define MOST_DIVISOR (INT64_C(1) << 20)

static Steps stepsOf(const TileAxisAnalysis *axis, MlirValue value, int d, int depth);

/// Of a sum one of whose parts stays the same along runs.
static Steps stepsOfSum(const TileAxisAnalysis *axis, MlirOperation op, int d, int depth) {
  for (intptr_t i = 0; i < 2; ++i) {
    Steps steps = stepsOf(axis, tileOperand(op, i), d, depth + 1);
    const TileAxisInfo *other = tileAxisAnalysisGet(axis, tileOperand(op, 1 - i));
    int64_t same = powerIn(other->constancy[d]);
    if (steps.run == 1 || same == 1) continue;
    // A shorter run begins inside of a longer one.
    if (same < steps.run) {
      steps.run = same;
      steps.divisor = least(steps.divisor, powerIn(steps.step * same));
    }
    steps.divisor = least(steps.divisor, divisorOf(axis, tileOperand(op, 1 - i)));
    return steps;
  }
  return (Steps){1, 1, 1};
}

static Steps stepsOf(const TileAxisAnalysis *axis, MlirValue value, int d, int depth) {
  const TileAxisInfo *info = tileAxisAnalysisGet(axis, value);
  MlirOperation op = tileValueGetOp(value);
  int64_t factor, run = powerIn(info->contiguity[d]);
  Steps steps = {run, 1, least(info->divisibility[d], MOST_DIVISOR)};
  if (run < info->contiguity[d]) steps.divisor = least(steps.divisor, run);
  if (run > 1 || depth == MOST_DEPTH || mlirOperationIsNull(op)) return steps;
  Steps none = {1, 1, 1};
  if (tileOpIs(op, "arith.muli") && tileConstantInt(tileOperand(op, 1), &factor) && factor > 0 &&
      factor <= MOST_BYTES) {
    steps = stepsOf(axis, tileOperand(op, 0), d, depth + 1);
    return (Steps){steps.run, steps.step * factor, steps.divisor * powerIn(factor)};
  }
  if (tileOpIs(op, "arith.shli") && tileConstantInt(tileOperand(op, 1), &factor) && factor >= 0 &&
      factor < MOST_BYTES && 1 << factor <= MOST_BYTES) {
    steps = stepsOf(axis, tileOperand(op, 0), d, depth + 1);
    return (Steps){steps.run, steps.step << factor, steps.divisor << factor};
  }
  // What an earlier join divided.
  if (tileOpIs(op, "arith.shrsi") && tileConstantInt(tileOperand(op, 1), &factor) && factor == 1) {
    steps = stepsOf(axis, tileOperand(op, 0), d, depth + 1);
    return steps.step % 2 ? none : (Steps){steps.run, steps.step / 2, steps.divisor / 2};
  }
  if (tileOpIs(op, "arith.addi")) return stepsOfSum(axis, op, d, depth);
  if (tileOpIsABroadcast(op)) return stepsOf(axis, tileOperand(op, 0), d, depth + 1);
  int64_t inserted = tileOpIsAExpandDims(op) ? tileExpandDimsGetAxis(op) : -1;
  if (inserted < 0 || inserted == d) return none;
  return stepsOf(axis, tileOperand(op, 0), d - (d > inserted), depth + 1);
}

/// Says on `half` how it runs, if `offset`, twice of it, runs in steps of 2 that nowhere wrap: a
/// run that begins at a multiple of its length passes no multiple of it.
static void sayRuns(const TileAxisAnalysis *axis, MlirValue offset, MlirValue half) {
  int64_t shape[TILE_MAX_RANK] = {1}, runs[TILE_MAX_RANK], divisors[TILE_MAX_RANK];
  bool isTile = tileTypeIsTile(mlirValueGetType(offset)), any = false;
  int rank = isTile ? tileShape(mlirValueGetType(offset), shape) : 0, dims = rank > 0 ? rank : 1;
  for (int d = 0; d < dims; ++d) {
    Steps steps = shape[d] > 1 ? stepsOf(axis, offset, d, 0) : (Steps){1, 1, 1};
    while (steps.run > 1 && steps.divisor < 2 * steps.run) steps.run /= 2;
    bool runsBy2 = steps.run > 1 && steps.step == 2 && shape[d] % steps.run == 0;
    runs[d] = runsBy2 ? steps.run : 1;
    divisors[d] = runsBy2 ? steps.divisor / 2 : 1;
    any |= runsBy2;
  }
  // Elsewhere of every number.
  for (int d = 0; d < dims && !any; ++d)
    divisors[d] = least(divisorOf(axis, offset), MOST_DIVISOR) / 2;
  MlirOperation op = tileValueGetOp(half);
  MlirContext c = mlirOperationGetContext(op);
  if (any)
    mlirOperationSetAttributeByName(op, tileString("tile.contiguity"),
                                    mlirDenseI64ArrayGet(c, dims, runs));
  mlirOperationSetAttributeByName(op, tileString("tile.divisibility"),
                                  mlirDenseI64ArrayGet(c, dims, divisors));
}

//===- building -----------------------------------------------------------===//

typedef struct {
  TileBuilder b;
  const TileAxisAnalysis *axis;
  MlirType wide;      ///< the integer that holds both
  TileValueMap *made; ///< what was made of pointers and offsets, each once
} Joiner;

/// Is each of the numbers even?
static bool isEven(const Joiner *j, MlirValue offset) {
  const TileAxisInfo *info = tileAxisAnalysisGet(j->axis, offset);
  return info->hasConstant ? info->constant % 2 == 0 : divisorOf(j->axis, offset) % 2 == 0;
}

/// Half of an offset, all of whose numbers are even.
static MlirValue halve(const Joiner *j, MlirValue offset) {
  if (tileValueMapHas(*j->made, offset)) return tileValueMapGet(*j->made, offset);
  TileBuilder b = tileBuilderBehind(offset);
  MlirType type = mlirValueGetType(offset);
  int64_t number;
  if (tileConstantInt(offset, &number)) return tileBuildInt(&b, type, number / 2);
  MlirValue one = tileBuildInt(&b, type, 1);
  MlirValue half = tileBuildBinary(&b, "arith.shrsi", offset, one);
  sayRuns(j->axis, offset, half);
  // What is loaded may itself be joined, and then is another value.
  MlirOperation op = tileValueGetOp(offset);
  if (mlirOperationIsNull(op) || !tileOpIsALoad(op)) tileValueMapSet(j->made, offset, half);
  return half;
}

/// `value` as pointers to what is twice as wide.
static MlirValue widen(const Joiner *j, MlirValue value) {
  if (tileValueMapHas(*j->made, value)) return tileValueMapGet(*j->made, value);
  MlirOperation op = tileValueGetOp(value);
  MlirType type = mlirValueGetType(value), wide = tilePtrTypeGet(j->wide), to = wide;
  if (tileTypeIsTile(type)) to = tileWithElement(type, wide);
  bool made = !mlirOperationIsNull(op);
  bool adds = made && tileOpIsAAddPtr(op) && isEven(j, tileOperand(op, 1));
  bool spreads = made && (tileOpIsABroadcast(op) || tileOpIsASplat(op));
  MlirValue base = adds || spreads ? widen(j, tileOperand(op, 0)) : value;
  MlirValue half = adds ? halve(j, tileOperand(op, 1)) : value;
  TileBuilder b = tileBuilderBehind(value);
  MlirValue result = adds      ? tileBuild(&b, "tile.addptr", to, TILE_VALUES(base, half))
                     : spreads ? tileResult(tileBuildLike(&b, op, 1, &base, &to))
                               : tileBuildUnary(&b, "tile.ptr_cast", to, value);
  tileValueMapSet(j->made, value, result);
  return result;
}

static MlirType withElement(MlirType type, MlirType element) {
  return tileTypeIsTile(type) ? tileWithElement(type, element) : element;
}

/// One wide number of two, the lower address first.
static MlirValue pack(Joiner *j, MlirValue low, MlirValue high) {
  MlirValue parts[2] = {low, high};
  MlirType type = mlirValueGetType(low);
  int bits = tileBitWidth(tileTypeIsTile(type) ? tileElementType(type) : type);
  MlirType whole = withElement(type, j->wide);
  MlirType narrow = withElement(type, mlirIntegerTypeGet(j->b.context, (unsigned)bits));
  for (int i = 0; i < 2; ++i) {
    if (!mlirTypeEqual(type, narrow))
      parts[i] = tileBuildUnary(&j->b, "arith.bitcast", narrow, parts[i]);
    parts[i] = tileBuildUnary(&j->b, "arith.extui", whole, parts[i]);
  }
  MlirValue by = tileBuildInt(&j->b, whole, bits);
  parts[1] = tileBuildBinary(&j->b, "arith.shli", parts[1], by);
  return tileBuildBinary(&j->b, "arith.ori", parts[0], parts[1]);
}

/// One half of it, as a tile of `type`.
static MlirValue unpack(Joiner *j, MlirValue whole, bool high, MlirType type) {
  int bits = tileBitWidth(tileElementType(type));
  MlirType narrow = tileWithElement(type, mlirIntegerTypeGet(j->b.context, (unsigned)bits));
  if (high) {
    MlirValue by = tileBuildInt(&j->b, mlirValueGetType(whole), bits);
    whole = tileBuildBinary(&j->b, "arith.shrui", whole, by);
  }
  whole = tileBuildUnary(&j->b, "arith.trunci", narrow, whole);
  return mlirTypeEqual(narrow, type) ? whole : tileBuildUnary(&j->b, "arith.bitcast", type, whole);
}

/// The op in the place of both: as `like`, with other pointers, and with another number that is
/// stored, or that stands for what is masked out; null for none.
static MlirOperation buildAccess(Joiner *j, const Access *like, MlirValue ptr, MlirValue number) {
  MlirValue operands[3] = {ptr};
  intptr_t n = mlirOperationGetNumOperands(like->op);
  for (intptr_t i = 1; i < n; ++i) operands[i] = tileOperand(like->op, i);
  if (!mlirValueIsNull(number)) operands[like->stores ? 1 : n - 1] = number;
  MlirType result = tileWithElement(mlirValueGetType(ptr), j->wide);
  return tileBuildLike(&j->b, like->op, n, operands, &result);
}

static void joinStores(Joiner *j, const Access *low, const Access *high) {
  MlirValue whole = pack(j, tileStoreGetValue(low->op), tileStoreGetValue(high->op));
  buildAccess(j, low, widen(j, ptrOf(low)), whole);
  mlirOperationDestroy(low->op);
  mlirOperationDestroy(high->op);
}

/// The same of numbers that stand for what is masked out: constants are one again, wherever the two
/// were.
static MlirValue packOthers(Joiner *j, MlirValue low, MlirValue high) {
  MlirType type = mlirValueGetType(low), whole = withElement(type, j->wide);
  int bits = tileBitWidth(tileTypeIsTile(type) ? tileElementType(type) : type);
  int64_t first, second;
  if (!constantBits(low, &first) || !constantBits(high, &second)) return pack(j, low, high);
  uint64_t mask = (UINT64_C(1) << bits) - 1;
  return tileBuildInt(&j->b, whole,
                      (int64_t)(((uint64_t)first & mask) | ((uint64_t)second & mask) << bits));
}

static void joinLoads(Joiner *j, const Access *low, const Access *high) {
  MlirValue other = otherOf(low);
  if (!mlirValueIsNull(other)) other = packOthers(j, other, otherOf(high));
  MlirType type = mlirValueGetType(tileResult(low->op));
  MlirValue whole = tileResult(buildAccess(j, low, widen(j, ptrOf(low)), other));
  MlirValue first = unpack(j, whole, false, type), second = unpack(j, whole, true, type);
  tileReplaceOp(low->op, 1, &first);
  tileReplaceOp(high->op, 1, &second);
}

//===- the pass -----------------------------------------------------------===//

/// Why the neighbours stay two accesses; NULL where they are joined.
static const char *findReason(const TileAxisAnalysis *axis, const Access *a, const Access *b) {
  const Access *low = a->place.number < b->place.number ? a : b;
  MlirOperation at = a->stores ? b->op : a->op;
  if (divisorOf(axis, ptrOf(low)) % (2 * bytesOf(low)))
    return "the first of the two is not known to begin at a multiple of both";
  if (!canMeet(a, b)) return "memory is accessed between the two";
  int64_t bits;
  MlirValue other = otherOf(b);
  bool there = tileIsThereAt(ptrOf(low), at) &&
               (mlirValueIsNull(other) || constantBits(other, &bits) || tileIsThereAt(other, at));
  return there ? NULL : "pointers of the first are made behind the second";
}

static void joinTwo(const TileAxisAnalysis *axis, TileValueMap *made, const Access *a,
                    const Access *b) {
  bool inOrder = a->place.number < b->place.number;
  const Access *low = inOrder ? a : b, *high = inOrder ? b : a;
  Joiner j = {.b = tileBuilderBefore(a->stores ? b->op : a->op), .axis = axis, .made = made};
  j.wide = mlirIntegerTypeGet(j.b.context, (unsigned)(16 * bytesOf(a)));
  tileTrace(mlirOperationGetLocation(a->op), "two accesses of neighbours become one");
  (a->stores ? joinStores : joinLoads)(&j, low, high);
}

static bool isNarrow(const Access *a) {
  MlirType element = tilePtrTypeGetPointee(tileElementType(mlirValueGetType(ptrOf(a))));
  bool number = mlirTypeIsAInteger(element) || tileTypeIsFloat(element);
  int bits = number ? tileBitWidth(element) : 0;
  return bits >= 8 && bits % 8 == 0 && 2 * bits <= 8 * MOST_BYTES;
}

static bool isAccess(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsAccess(op);
}

/// Joins what can be joined of the function's accesses as they are; how many.
static int joinAll(MlirOperation func, bool remarks) {
  TileOpList loads = {0};
  tileOpListCollect(&loads, func, MlirWalkPreOrder, isAccess, NULL);
  Access *all = calloc(loads.count + 1, sizeof *all);
  size_t n = 0;
  for (size_t i = 0; all && i < loads.count; ++i)
    if (describe(loads.ops[i], &all[n]) && isNarrow(&all[n])) ++n;
  TileAxisAnalysis *axis = n ? tileAxisAnalysisCreate(func) : NULL;
  TileValueMap made = {0};
  int joined = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t k = i + 1; all[i].op.ptr && k < n && k < i + MOST_APART; ++k) {
      MlirBlock block = mlirOperationGetBlock(all[i].op);
      bool here = all[k].op.ptr && mlirBlockEqual(mlirOperationGetBlock(all[k].op), block);
      if (!here || !areNeighbours(&all[i], &all[k])) continue;
      const char *reason = findReason(axis, &all[i], &all[k]);
      if (reason && remarks)
        tileEmitRemark(mlirOperationGetLocation(all[k].op),
                       "access of neighbours is not joined: %s", reason);
      if (reason) continue;
      joinTwo(axis, &made, &all[i], &all[k]);
      all[i].op = all[k].op = (MlirOperation){NULL};
      ++joined;
    }
  tileValueMapClear(&made);
  if (axis) tileAxisAnalysisDestroy(axis);
  free(all);
  tileOpListDestroy(&loads);
  return joined;
}

MlirLogicalResult tileRunJoinAccesses(MlirOperation func) {
  if (tileHoldsDot(func)) return mlirLogicalResultSuccess();
  // Each round doubles the bytes of what it joins.
  for (bool first = true; joinAll(func, first) > 0;) first = false;
  return mlirLogicalResultSuccess();
}
