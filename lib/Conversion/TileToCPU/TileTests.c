//===- TileTests.c - tests that hold for a whole tile ---------------------===//
//
// Most programs of a grid lie inside the arrays: their masks are all true. One scalar test before a
// nest finds that out, and the nest is emitted twice:
//
//   %all = arith.cmpi slt, first + 1023, n
//   scf.if %all { loop without masks } else { loop with masks }
//
// A mask is testable where it compares tiles whose least and greatest elements are known: sums and
// constant multiples of arange, splats and scalars. All bounds are i64, so they do not wrap; that
// the tile's own sums do not, is part of the test, where sums of tiles are:
//
//   %x = %offsets + %n      %all = %least + %n >= -2^31 and %greatest + %n < %limit
//
// Rows of 1111 lie in tiles of 2048, so that no tile's masks are all true. There the test is up to
// where in a row they are, and chunks before that have none:
//
//   scf.for %j = 0 to 1104 step 8 { body without masks }
//   scf.for %j = 1104 to 2048 step 8 { body with masks }
//
// The remainder of an offset, as in (pid * 64 + arange) % N, hides that lanes lie together. Where
// 0 <= x < N for all of the tile it is x, and that is tested alongside; but not where each chunk
// tests it (Lanes/Straight.c): masks are all true in more tiles.
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include <math.h>

static const MlirValue none = {NULL};

//===- least and greatest elements ----------------------------------------===//

static MlirValue asI64(CpuLowering *l, MlirValue scalar) {
  MlirType type = mlirValueGetType(scalar), i64 = tileI64(l->context);
  if (mlirTypeEqual(type, i64)) return scalar;
  if (mlirTypeIsAIndex(type)) return tileBuildUnary(&l->at, "arith.index_cast", i64, scalar);
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) == 1) return none;
  return tileBuildUnary(&l->at, "arith.extsi", i64, scalar);
}

/// What was found of a tile, all for one condition: its least element, its greatest, and whether
/// every lane is on; null where that is not known. Terms that are shared are looked at once.
typedef struct {
  bool isKnown[3];
  MlirValue found[3];
} Tested;
enum { ALL_ON = 2 };

/// The greatest element of a tile of integers, or the least; null when that is not known. It is
/// that of numbers without an end, which the tile has where what `requireFit` has asked for holds.
static MlirValue bound(CpuLowering *l, MlirValue tile, bool greatest);

/// Ops that move a tile's elements, and leave none out but by slices.
static bool isMove(MlirOperation op) {
  return tileOpIsASplat(op) || tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) ||
         tileOpIsATrans(op) || tileOpIsAReshape(op) || tileOpIsASlice(op);
}

static double farthest(CpuLowering *l, MlirValue tile, bool greatest, int depth);

static double farthestOp(CpuLowering *l, MlirOperation op, bool greatest, int depth) {
  enum { MAX_DEPTH = 8 };
  bool isSub = tileOpIs(op, "arith.subi"), isProduct = tileOpIs(op, "arith.muli");
  if (depth == MAX_DEPTH || (!isSub && !isProduct && !tileOpIs(op, "arith.addi")))
    return greatest ? INFINITY : -INFINITY;
  double ends[2][2];
  for (int i = 0; i < 4; ++i)
    ends[i >> 1][i & 1] = farthest(l, tileOperand(op, i >> 1), i & 1, depth + 1);
  if (isSub) return ends[0][greatest] - ends[1][!greatest];
  if (!isProduct) return ends[0][greatest] + ends[1][greatest];
  double most = ends[0][0] * ends[1][0];
  for (int i = 1; i < 4; ++i) {
    double product = ends[0][i & 1] * ends[1][i >> 1];
    most = greatest ? fmax(most, product) : fmin(most, product);
  }
  return most;
}

/// The greatest number of a type, or the least.
static double endOfType(MlirType element, bool greatest) {
  double half = ldexp(1, tileBitWidth(element) - 1);
  return greatest ? half - 1 : -half;
}

/// The greatest number, or the least, that an element could be if numbers had no end, whatever the
/// tile's scalars are.
static double farthest(CpuLowering *l, MlirValue tile, bool greatest, int depth) {
  CpuSlot *slot = cpuFind(l, tile);
  if (!slot || slot->form == CPU_BUFFER) return greatest ? INFINITY : -INFINITY;
  if (slot->form == CPU_SCALAR) return endOfType(mlirValueGetType(slot->scalar), greatest);
  if (slot->form == CPU_INDUCTION)
    return farthest(l, slot->start, greatest, depth) +
           endOfType(mlirValueGetType(slot->scalar), greatest);
  MlirOperation op = tileValueGetOp(tile);
  int64_t value;
  if (tileOpIsAArange(op))
    return greatest ? (double)(tileNumElements(mlirValueGetType(tile)) - 1) : 0;
  if (tileConstantInt(tile, &value)) return (double)value;
  if (isMove(op) || tileOpIs(op, "arith.extsi"))
    return farthest(l, tileOperand(op, 0), greatest, depth);
  return farthestOp(l, op, greatest, depth);
}

/// Has the condition say that the tile's greatest element, or its least, is one of its type.
static void requireFit(CpuLowering *l, MlirValue tile, bool greatest) {
  MlirType element = tileElementType(mlirValueGetType(tile));
  int bits = tileBitWidth(element);
  if (!mlirTypeIsAInteger(element) || bits >= 64) return;
  int64_t limit = (greatest ? INT64_MAX : INT64_MIN) >> (64 - bits);
  double most = farthest(l, tile, greatest, 0);
  if (greatest ? most <= (double)limit : most >= (double)limit) return;
  MlirValue end = bound(l, tile, greatest);
  if (mlirValueIsNull(end)) return;
  int predicate = greatest ? TILE_SLE : TILE_SGE;
  l->fits = cpuBoth(l, l->fits, tileBuildCmpi(&l->at, predicate, end, cpuI64(l, limit)));
}

static MlirValue productBound(CpuLowering *l, MlirOperation op, bool greatest) {
  MlirValue factors[2][2];
  for (int i = 0; i < 2; ++i)
    for (int end = 0; end < 2; ++end) {
      factors[i][end] = bound(l, tileOperand(op, i), end);
      if (mlirValueIsNull(factors[i][end])) return none;
    }
  MlirValue result = none;
  for (int i = 0; i < 4; ++i) {
    MlirValue product =
        tileBuildBinary(&l->at, "arith.muli", factors[0][i & 1], factors[1][i >> 1]);
    const char *pick = greatest ? "arith.maxsi" : "arith.minsi";
    result = i ? tileBuildBinary(&l->at, pick, result, product) : product;
  }
  return result;
}

static MlirValue arithmeticBound(CpuLowering *l, MlirOperation op, bool greatest) {
  int64_t value;
  if (tileConstantInt(tileResult(op), &value)) return cpuI64(l, value);
  if (tileOpIs(op, "arith.extsi")) {
    requireFit(l, tileOperand(op, 0), false);
    requireFit(l, tileOperand(op, 0), true);
    return bound(l, tileOperand(op, 0), greatest);
  }
  if (tileOpIs(op, "arith.muli")) return productBound(l, op, greatest);
  bool isSub = tileOpIs(op, "arith.subi");
  if (!isSub && !tileOpIs(op, "arith.addi")) return none;
  MlirValue lhs = bound(l, tileOperand(op, 0), greatest);
  MlirValue rhs = bound(l, tileOperand(op, 1), isSub ? !greatest : greatest);
  if (mlirValueIsNull(lhs) || mlirValueIsNull(rhs)) return none;
  return tileBuildBinary(&l->at, isSub ? "arith.subi" : "arith.addi", lhs, rhs);
}

static MlirValue findBound(CpuLowering *l, MlirValue tile, bool greatest) {
  CpuSlot *slot = cpuFind(l, tile);
  if (!slot || slot->form == CPU_BUFFER) return none;
  if (slot->form == CPU_SCALAR) return asI64(l, slot->scalar);
  if (slot->form == CPU_INDUCTION) {
    MlirValue added = asI64(l, slot->scalar), start = bound(l, slot->start, greatest);
    if (mlirValueIsNull(start) || mlirValueIsNull(added)) return none;
    return tileBuildBinary(&l->at, "arith.addi", start, added);
  }
  MlirOperation op = tileValueGetOp(tile);
  if (tileOpIsAArange(op))
    return cpuI64(l, greatest ? tileNumElements(mlirValueGetType(tile)) - 1 : 0);
  if (isMove(op)) return bound(l, tileOperand(op, 0), greatest);
  if (!cpuIsElementwise(op) && !tileOpIs(op, "arith.constant")) return none;
  return arithmeticBound(l, op, greatest);
}

static MlirValue bound(CpuLowering *l, MlirValue tile, bool greatest) {
  Tested *tested = tilePointerTableAdd(&l->tested, tile.ptr, sizeof *tested);
  if (!tested->isKnown[greatest]) tested->found[greatest] = findBound(l, tile, greatest);
  tested->isKnown[greatest] = true;
  return tested->found[greatest];
}

//===- tests --------------------------------------------------------------===//

static MlirValue comparisonHolds(CpuLowering *l, MlirOperation op) {
  int64_t predicate = tileIntAttr(op, "predicate", -1);
  bool isLess = predicate == TILE_SLT || predicate == TILE_SLE;
  if (!isLess && predicate != TILE_SGT && predicate != TILE_SGE) return none;
  MlirValue lhs = bound(l, tileOperand(op, 0), isLess);
  MlirValue rhs = bound(l, tileOperand(op, 1), !isLess);
  if (mlirValueIsNull(lhs) || mlirValueIsNull(rhs)) return none;
  // The ends that are compared fit where these do.
  requireFit(l, tileOperand(op, 0), !isLess);
  requireFit(l, tileOperand(op, 1), isLess);
  return tileBuildCmpi(&l->at, (int)predicate, lhs, rhs);
}

/// Whether every lane of the mask is on; null when there is no test for that.
static MlirValue allTrue(CpuLowering *l, MlirValue mask);

static MlirValue findAllTrue(CpuLowering *l, MlirValue mask) {
  CpuSlot *slot = cpuFind(l, mask);
  if (!slot) return none;
  if (slot->form == CPU_SCALAR) return slot->scalar;
  if (slot->form != CPU_INLINE) return none;
  MlirOperation op = tileValueGetOp(mask);
  if (tileOpIsASplat(op) || tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) ||
      tileOpIsATrans(op) || tileOpIsASlice(op))
    return allTrue(l, tileOperand(op, 0));
  int64_t value;
  if (tileConstantInt(mask, &value)) return cpuInt(l, tileI1(l->context), value != 0);
  if (tileOpIs(op, "arith.cmpi")) return comparisonHolds(l, op);
  if (!tileOpIs(op, "arith.andi")) return none;
  MlirValue lhs = allTrue(l, tileOperand(op, 0));
  MlirValue rhs = allTrue(l, tileOperand(op, 1));
  if (mlirValueIsNull(lhs) || mlirValueIsNull(rhs)) return none;
  return cpuBoth(l, lhs, rhs);
}

static MlirValue allTrue(CpuLowering *l, MlirValue mask) {
  Tested *tested = tilePointerTableAdd(&l->tested, mask.ptr, sizeof *tested);
  if (!tested->isKnown[ALL_ON]) tested->found[ALL_ON] = findAllTrue(l, mask);
  tested->isKnown[ALL_ON] = true;
  return tested->found[ALL_ON];
}

/// Whether x % n is x for the whole tile.
static MlirValue isIdentity(CpuLowering *l, MlirOperation remainder) {
  MlirValue least = bound(l, tileOperand(remainder, 0), false);
  MlirValue most = bound(l, tileOperand(remainder, 0), true);
  MlirValue limit = bound(l, tileOperand(remainder, 1), false);
  if (mlirValueIsNull(least) || mlirValueIsNull(most) || mlirValueIsNull(limit)) return none;
  requireFit(l, tileOperand(remainder, 1), true);
  MlirValue zero = cpuI64(l, 0);
  MlirValue above = tileBuildCmpi(&l->at, TILE_SGE, least, zero);
  MlirValue below = tileBuildCmpi(&l->at, TILE_SLT, most, limit);
  return cpuBoth(l, above, below);
}

//===- up to where in a row -----------------------------------------------===//

/// By how much a tile of integers grows from one place of `axis` to the next; -1: not known. Its
/// bounds are, so that it is arithmetic alone.
static int64_t growthAlong(CpuLowering *l, MlirValue tile, int axis) {
  int64_t shape[CPU_MAX_RANK];
  CpuChunk chunk = {.l = l, .width = l->vectorBits / 32};
  CpuIndex index = {.rank = tileShape(mlirValueGetType(tile), shape), .lane = axis};
  for (int d = 0; d < index.rank; ++d) index.base[d] = cpuI64(l, 0);
  CpuLanes lanes = cpuEval(&chunk, tile, &index);
  return mlirValueIsNull(lanes.scalar) ? -1 : lanes.stride;
}

/// Of `x < y` with x[j] = x[0] + j along `axis`, and y the same everywhere along it: up to which of
/// `extent` places it holds, at the greatest x[0] and the least y; null for another.
static MlirValue comparisonReach(CpuLowering *l, MlirOperation op, int axis, int64_t extent) {
  int64_t predicate = tileIntAttr(op, "predicate", -1);
  bool isLess = predicate == TILE_SLT || predicate == TILE_SLE;
  if (!isLess && predicate != TILE_SGT && predicate != TILE_SGE) return none;
  MlirValue x = tileOperand(op, !isLess), y = tileOperand(op, isLess);
  MlirValue most = bound(l, x, true), limit = bound(l, y, false);
  if (mlirValueIsNull(most) || mlirValueIsNull(limit)) return none;
  if (growthAlong(l, x, axis) != 1 || growthAlong(l, y, axis) != 0) return none;
  // The greatest x fits where y does, and what is compared holds.
  requireFit(l, x, false);
  requireFit(l, y, true);
  bool orEqual = predicate == TILE_SLE || predicate == TILE_SGE;
  MlirValue reach = tileBuildBinary(&l->at, "arith.subi", limit, most);
  reach = tileBuildBinary(&l->at, "arith.addi", reach, cpuI64(l, extent - 1 + orEqual));
  reach = tileBuildBinary(&l->at, "arith.maxsi", reach, cpuI64(l, 0));
  return tileBuildBinary(&l->at, "arith.minsi", reach, cpuI64(l, extent));
}

/// The axis of an operand that `axis` of the result of an op of shape is; -1: it has none.
static int axisBefore(MlirOperation op, int axis) {
  int64_t shape[CPU_MAX_RANK];
  if (axis < 0) return -1;
  if (tileOpIsAExpandDims(op)) {
    int added = (int)tileExpandDimsGetAxis(op);
    return added == axis ? -1 : axis - (added < axis);
  }
  if (tileOpIsABroadcast(op)) {
    tileShape(mlirValueGetType(tileOperand(op, 0)), shape);
    return shape[axis] == 1 ? -1 : axis;
  }
  if (tileOpIsATrans(op)) return mlirDenseI32ArrayGetElement(tileTransGetOrderAttr(op), axis);
  bool isOther = tileOpIsASlice(op) || tileOpIsAReshape(op) || tileOpIsAJoin(op);
  return isOther ? -1 : axis;
}

typedef struct {
  CpuLowering *l;
  int64_t extent; ///< of the axis
  bool isPlace;   ///< Is it a question of where on it?
} Row;

/// Up to where along `axis` (-1: nowhere, unless everywhere) all lanes of the mask are on, wherever
/// they are of other dimensions; null when there is no test for that.
static MlirValue trueUpTo(Row *row, MlirValue mask, int axis) {
  CpuLowering *l = row->l;
  const CpuSlot *slot = cpuFind(l, mask);
  MlirOperation op = tileValueGetOp(mask);
  if (axis >= 0 && slot && slot->form == CPU_INLINE) {
    if (tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) || tileOpIsATrans(op))
      return trueUpTo(row, tileOperand(op, 0), axisBefore(op, axis));
    if (tileOpIs(op, "arith.andi")) {
      MlirValue lhs = trueUpTo(row, tileOperand(op, 0), axis);
      MlirValue rhs = trueUpTo(row, tileOperand(op, 1), axis);
      if (mlirValueIsNull(lhs) || mlirValueIsNull(rhs)) return none;
      return tileBuildBinary(&l->at, "arith.minsi", lhs, rhs);
    }
    MlirValue reach = none;
    if (tileOpIs(op, "arith.cmpi")) reach = comparisonReach(l, op, axis, row->extent);
    row->isPlace |= !mlirValueIsNull(reach);
    if (!mlirValueIsNull(reach)) return reach;
  }
  MlirValue all = allTrue(l, mask);
  if (mlirValueIsNull(all)) return none;
  return tileBuildSelect(&l->at, all, cpuI64(l, row->extent), cpuI64(l, 0));
}

//===- collecting them ----------------------------------------------------===//

/// Which dimensions of a tile the row's axis and the lanes are; -1: none.
typedef struct {
  int axis, lane;
} Where;

/// What was looked at: as a mask, or on the way to masks.
typedef struct {
  MlirValue tile;
  Where where;
  bool isMask;
} Seen;

typedef struct {
  CpuLowering *l;
  bool remainders;
  bool isRow;          ///< Is it asked up to where in a row?
  Row row;             ///< if so
  MlirValue condition; ///< i1, or of a row i64
  Seen seen[128];
  int numSeen;
} Search;

/// A value may be a tile of columns and of rows: what holds up to a place along a row holds of the
/// one whose lanes, if any, run as there.
static void add(Search *s, MlirValue value, Where where) {
  CpuLowering *l = s->l;
  if (l->numAssumed == CPU_MAX_ASSUMED) return;
  bool isPlace = s->isRow && where.axis >= 0;
  l->assumed[l->numAssumed++] = (CpuAssumed){value, isPlace ? where.lane : CPU_ANY_LANE};
}

static Where whereBefore(MlirOperation op, Where where) {
  return (Where){axisBefore(op, where.axis), axisBefore(op, where.lane)};
}

/// Of a mask that is all true so is each term, which others may be made of.
static void addTerms(Search *s, MlirValue mask, Where where) {
  const CpuSlot *slot = cpuFind(s->l, mask);
  MlirOperation op = tileValueGetOp(mask);
  add(s, mask, where);
  if (!slot || slot->form != CPU_INLINE || mlirOperationIsNull(op)) return;
  int count = tileOpIs(op, "arith.andi") ? 2 : tileOpIsAExpandDims(op) || tileOpIsABroadcast(op);
  for (int i = 0; i < count; ++i) addTerms(s, tileOperand(op, i), whereBefore(op, where));
}

static void assume(Search *s, MlirValue test) {
  bool isFirst = mlirValueIsNull(s->condition);
  if (!s->isRow)
    s->condition = cpuBoth(s->l, s->condition, test);
  else
    s->condition = isFirst ? test : tileBuildBinary(&s->l->at, "arith.minsi", s->condition, test);
}

/// True the first time, and while there is room to remember.
static bool enter(Search *s, MlirValue value, Where where, bool isMask) {
  if (s->numSeen == 128 || s->l->numAssumed == CPU_MAX_ASSUMED) return false;
  for (int i = 0; i < s->numSeen; ++i)
    if (mlirValueEqual(s->seen[i].tile, value) && s->seen[i].isMask == isMask &&
        s->seen[i].where.axis == where.axis && s->seen[i].where.lane == where.lane)
      return false;
  s->seen[s->numSeen++] = (Seen){value, where, isMask};
  return true;
}

static void assumeMask(Search *s, MlirValue mask, Where where) {
  if (mlirValueIsNull(mask) || !enter(s, mask, where, true)) return;
  MlirValue test = s->isRow ? trueUpTo(&s->row, mask, where.axis) : allTrue(s->l, mask);
  if (mlirValueIsNull(test)) return;
  addTerms(s, mask, where);
  assume(s, test);
}

/// Is the mask `place < number` alone, along any dimension, or several of them?
static bool endsRows(CpuLowering *l, MlirValue mask) {
  const CpuSlot *slot = cpuFind(l, mask);
  MlirOperation op = tileValueGetOp(mask);
  if (!slot || slot->form != CPU_INLINE || mlirOperationIsNull(op)) return false;
  if (tileOpIsASplat(op)) return true;
  if (tileOpIsAExpandDims(op) || tileOpIsABroadcast(op)) return endsRows(l, tileOperand(op, 0));
  if (tileOpIs(op, "arith.andi"))
    return endsRows(l, tileOperand(op, 0)) && endsRows(l, tileOperand(op, 1));
  MlirOperation limit = {NULL};
  if (tileOpIs(op, "arith.cmpi")) limit = tileValueGetOp(tileOperand(op, 1));
  if (mlirOperationIsNull(limit)) return false;
  return tileOpIsASplat(limit) || (tileOpIs(limit, "arith.constant") && !tileIsTable(limit));
}

static void assumeIdentity(Search *s, MlirValue remainder) {
  CpuLowering *l = s->l;
  MlirValue test = isIdentity(l, tileValueGetOp(remainder));
  if (mlirValueIsNull(test)) return;
  if (s->isRow) test = tileBuildSelect(&l->at, test, cpuI64(l, s->row.extent), cpuI64(l, 0));
  add(s, remainder, (Where){-1, -1});
  assume(s, test);
}

static void search(Search *s, MlirValue tile, bool inPointer, Where where) {
  CpuSlot *slot = cpuFind(s->l, tile);
  if (!slot || slot->form == CPU_SCALAR || slot->form == CPU_BUFFER ||
      !enter(s, tile, where, false))
    return;
  if (slot->form == CPU_INDUCTION) {
    search(s, slot->start, inPointer, where);
    return;
  }
  MlirOperation op = tileValueGetOp(tile);
  if (tileOpIsALoad(op)) {
    search(s, tileLoadGetPtr(op), true, where);
    assumeMask(s, tileLoadGetMask(op), where);
    return;
  }
  if (inPointer && s->remainders && tileOpIs(op, "arith.remsi")) assumeIdentity(s, tile);
  // What is read from a buffer may have been loaded under a mask.
  if (s->isRow && tileOpIs(op, "arith.select") && endsRows(s->l, tileOperand(op, 0)))
    assumeMask(s, tileOperand(op, 0), where);
  Where before = whereBefore(op, where);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    search(s, tileOperand(op, i), inPointer, before);
}

static void searchAll(Search *s, intptr_t numRoots, const MlirValue *roots, MlirValue mask,
                      Where where) {
  s->l->numAssumed = 0;
  s->l->fits = none;
  assumeMask(s, mask, where);
  for (intptr_t i = 0; i < numRoots; ++i)
    search(s, roots[i], tileTypeIsAPtr(tileElementType(mlirValueGetType(roots[i]))), where);
  tilePointerTableClear(&s->l->tested);
}

MlirValue cpuFastCondition(CpuLowering *l, intptr_t numRoots, const MlirValue *roots,
                           MlirValue mask, bool remainders) {
  Search s = {.l = l, .remainders = remainders};
  searchAll(&s, numRoots, roots, mask, (Where){-1, -1});
  return mlirValueIsNull(s.condition) ? none : cpuBoth(l, s.condition, l->fits);
}

MlirValue cpuFastReach(CpuLowering *l, intptr_t numRoots, const MlirValue *roots, MlirValue mask,
                       bool remainders, int axis, int lane) {
  int64_t shape[CPU_MAX_RANK];
  tileShape(mlirValueGetType(roots[0]), shape);
  Search s = {.l = l, .remainders = remainders, .isRow = true};
  s.row = (Row){.l = l, .extent = shape[axis]};
  searchAll(&s, numRoots, roots, mask, (Where){axis, lane});
  if (!s.row.isPlace || mlirValueIsNull(s.condition)) return none;
  return mlirValueIsNull(l->fits) ? s.condition
                                  : tileBuildSelect(&l->at, l->fits, s.condition, cpuI64(l, 0));
}
