//===- TileTests.c - tests that hold for a whole tile ---------------------===//
//
// Most programs of a grid lie inside the arrays: their masks are all true. One scalar test before a
// nest finds that out, and the nest is emitted twice:
//
//   %all = arith.cmpi slt, first + 1023, n
//   scf.if %all { loop without masks } else { loop with masks }
//
// A mask is testable where it compares tiles whose least and greatest elements are known: sums and
// constant multiples of arange, splats and scalars. All bounds are i64, so they do not wrap.
//
// The remainder of an offset, as in (pid * 64 + arange) % N, hides that lanes lie together. Where
// 0 <= x < N for all of the tile it is x, and that is tested alongside; but not where each chunk
// tests it (Lanes/Straight.c): masks are all true in more tiles.
//===----------------------------------------------------------------------===//
#include "Lowering.h"

bool cpuIsAssumed(const CpuChunk *chunk, MlirValue value) {
  if (!chunk->fast) return false;
  for (int i = 0; i < chunk->l->numAssumed; ++i)
    if (mlirValueEqual(chunk->l->assumed[i], value)) return true;
  return false;
}

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

/// The greatest element of a tile of integers, or the least; null when that is not known.
static MlirValue bound(CpuLowering *l, MlirValue tile, bool greatest);

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
  if (tileOpIs(op, "arith.extsi")) return bound(l, tileOperand(op, 0), greatest);
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
  if (tileOpIsASplat(op) || tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) ||
      tileOpIsATrans(op) || tileOpIsAReshape(op) || tileOpIsASlice(op))
    return bound(l, tileOperand(op, 0), greatest);
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
  MlirValue zero = cpuI64(l, 0);
  MlirValue above = tileBuildCmpi(&l->at, TILE_SGE, least, zero);
  MlirValue below = tileBuildCmpi(&l->at, TILE_SLT, most, limit);
  return cpuBoth(l, above, below);
}

//===- collecting them ----------------------------------------------------===//

typedef struct {
  CpuLowering *l;
  bool remainders;
  MlirValue condition;
  MlirValue seen[128];
  int numSeen;
} Search;

static void assume(Search *s, MlirValue what, MlirValue test) {
  CpuLowering *l = s->l;
  if (mlirValueIsNull(test)) return;
  l->assumed[l->numAssumed++] = what;
  s->condition = cpuBoth(l, s->condition, test);
}

/// True the first time, and while there is room to remember.
static bool enter(Search *s, MlirValue value) {
  if (s->numSeen == 128 || s->l->numAssumed >= 31) return false;
  for (int i = 0; i < s->numSeen; ++i)
    if (mlirValueEqual(s->seen[i], value)) return false;
  s->seen[s->numSeen++] = value;
  return true;
}

static void search(Search *s, MlirValue tile, bool inPointer) {
  CpuSlot *slot = cpuFind(s->l, tile);
  if (!slot || slot->form == CPU_SCALAR || slot->form == CPU_BUFFER || !enter(s, tile)) return;
  if (slot->form == CPU_INDUCTION) {
    search(s, slot->start, inPointer);
    return;
  }
  MlirOperation op = tileValueGetOp(tile);
  if (tileOpIsALoad(op)) {
    search(s, tileLoadGetPtr(op), true);
    MlirValue mask = tileLoadGetMask(op);
    if (!mlirValueIsNull(mask) && enter(s, mask)) assume(s, mask, allTrue(s->l, mask));
    return;
  }
  if (inPointer && s->remainders && tileOpIs(op, "arith.remsi"))
    assume(s, tile, isIdentity(s->l, op));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    search(s, tileOperand(op, i), inPointer);
}

MlirValue cpuFastCondition(CpuLowering *l, intptr_t numRoots, const MlirValue *roots,
                           MlirValue mask, bool remainders) {
  Search s = {.l = l, .remainders = remainders};
  l->numAssumed = 0;
  if (!mlirValueIsNull(mask) && enter(&s, mask)) assume(&s, mask, allTrue(l, mask));
  for (intptr_t i = 0; i < numRoots; ++i)
    search(&s, roots[i], tileTypeIsAPtr(tileElementType(mlirValueGetType(roots[i]))));
  tilePointerTableClear(&l->tested);
  return s.condition;
}
