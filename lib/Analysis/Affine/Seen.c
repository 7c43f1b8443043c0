//===- Seen.c - what holds of a program of which something is seen --------===//
//
// What is written has conditions: masks, and those of the scf.if around it. If all that a kernel
// writes has the condition p >= 0 in some lane, a program with p < 0 writes nothing, and nobody
// sees what it loads. In a loop that holds of each step by itself, if nothing that is loaded in one
// reaches the next.
//
//===----------------------------------------------------------------------===//
#include "Affine.h"
#include "tile/OpTraits.h"
#include "tile/Support/ValueSearch.h"
#include <stdlib.h>
#include <string.h>

/// The conditions of what is written.
typedef struct {
  TileAffine *a;
  int64_t extents[TILE_MAX_RANK]; // of the tile written
  AffinePromise *found;           // of the op at hand
  size_t count, capacity;
  bool isFirst; // is no op behind us?
} Reader;

//===- conditions ---------------------------------------------------------===//

/// The most that `condition` is in a tile; not valid where positions are more than added to it.
static TilePoly mostOf(const Reader *r, const TilePoly *condition) {
  TilePoly most = *condition;
  for (int i = 0; i < condition->count; ++i) {
    const TileTerm *term = &condition->terms[i];
    int position = -1;
    for (int k = 0; k < term->degree; ++k)
      if (term->symbols[k] < AFFINE_FIRST_SCALAR) position = term->symbols[k];
    if (position < 0) continue;
    if (term->degree > 1) return polyInvalid((MlirOperation){NULL});
    TilePoly moving = polyOfTerm(term);
    int64_t last = r->extents[position] - 1, factor = term->coefficient;
    TilePoly end = polyConstant(last), far = polyScale(&end, factor > 0 ? factor : 0);
    most = polySub(&most, &moving);
    most = polyAdd(&most, &far);
  }
  return most;
}

/// The innermost body of a loop that `poly` changes in; the kernel's, where it is none.
static MlirBlock blockOf(const TileAffine *a, const TilePoly *poly) {
  MlirBlock inner = tileBody(a->func, 0);
  for (int i = 0; i < poly->count; ++i)
    for (int k = 0; k < poly->terms[i].degree; ++k) {
      MlirBlock block = tileValueGetBlock(affineSymbol(a, poly->terms[i].symbols[k])->values[0]);
      if (tileBlockHolds(inner, block)) inner = block;
    }
  return inner;
}

static void addCondition(Reader *r, const TilePoly *condition, const int map[TILE_MAX_RANK]) {
  TilePoly here = affineRemap(condition, map), most = mostOf(r, &here);
  if (!here.valid || !most.valid) return;
  r->found = tileGrow(r->found, r->count, &r->capacity, sizeof *r->found);
  r->found[r->count++] = (AffinePromise){most, blockOf(r->a, &most)};
}

static bool isUnsigned(MlirOperation comparison) {
  int64_t predicate = tileIntAttr(comparison, "predicate", -1);
  return predicate == TILE_ULT || predicate == TILE_ULE;
}

/// Those of `truth`, or, `fails`, of its contrary. What cannot be read is left out.
static void readTruth(Reader *r, MlirValue truth, bool fails, const int map[TILE_MAX_RANK]) {
  MlirOperation op = tileValueGetOp(truth);
  int inner[TILE_MAX_RANK], both[TILE_MAX_RANK];
  if (mlirOperationIsNull(op)) return;
  if (tileOpIs(op, fails ? "arith.ori" : "arith.andi")) {
    readTruth(r, tileOperand(op, 0), fails, map);
    readTruth(r, tileOperand(op, 1), fails, map);
  } else if (tileOpIs(op, "arith.cmpi") && !isUnsigned(op)) {
    TilePoly holds = affineOfComparison(r->a, op), one = polyConstant(1);
    TilePoly negative = polyScale(&holds, -1), contrary = polySub(&negative, &one);
    addCondition(r, fails ? &contrary : &holds, map);
  } else if (affineShapeMap(op, inner)) {
    for (int d = 0; d < TILE_MAX_RANK; ++d) both[d] = inner[d] < 0 ? -1 : map[inner[d]];
    readTruth(r, tileOperand(op, 0), fails, both);
  }
}

//===- what is written ----------------------------------------------------===//

static MlirValue maskOf(MlirOperation op) {
  if (tileOpIsAStore(op)) return tileStoreGetMask(op);
  return tileOpIsAAtomicRmw(op) ? tileAtomicRmwGetMask(op) : (MlirValue){NULL};
}

/// The conditions under which `op` does anything.
static void readOp(Reader *r, MlirOperation op) {
  static const int same[TILE_MAX_RANK] = {0, 1, 2, 3, 4, 5};
  MlirValue mask = maskOf(op);
  r->count = 0;
  if (!mlirValueIsNull(mask)) {
    tileShape(mlirValueGetType(mask), r->extents);
    readTruth(r, mask, false, same);
  }
  MlirBlock block = mlirOperationGetBlock(op);
  for (MlirOperation at = mlirBlockGetParentOperation(block); !tileOpIsAFunc(at);
       at = mlirBlockGetParentOperation(block)) {
    bool isElse = !mlirBlockEqual(block, tileBody(at, 0));
    if (tileOpIs(at, "scf.if")) readTruth(r, tileOperand(at, 0), isElse, same);
    block = mlirOperationGetBlock(at);
  }
}

static bool holds(const Reader *r, const AffinePromise *promise) {
  for (size_t i = 0; i < r->count; ++i)
    if (polyEqual(&r->found[i].poly, &promise->poly)) return true;
  return false;
}

static MlirWalkResult readWrite(MlirOperation op, void *data) {
  enum { seen = TILE_WRITES_GLOBAL | TILE_WRITES_CONSOLE | TILE_WRITES_LAUNCH };
  Reader *r = data;
  TileAffine *a = r->a;
  if (tileOpIsAGrid(op) || tileOpIsACost(op)) return MlirWalkResultSkip;
  if (!(tileOpGetEffects(op) & seen) || tileOpIsAFunc(op)) return MlirWalkResultAdvance;
  readOp(r, op);
  if (r->isFirst) {
    r->isFirst = false;
    for (size_t i = 0; i < r->count; ++i) {
      a->seen = tileGrow(a->seen, a->numSeen, &a->seenCapacity, sizeof *a->seen);
      a->seen[a->numSeen++] = r->found[i];
    }
  }
  size_t left = 0;
  for (size_t i = 0; i < a->numSeen; ++i)
    if (holds(r, &a->seen[i])) a->seen[left++] = a->seen[i];
  a->numSeen = left;
  return left ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

//===- steps of loops -----------------------------------------------------===//

/// What `op` yields in its regions, and reads; false where that is more than arithmetic.
static bool lookBehind(TileValueSearch *s, MlirOperation op) {
  if (tileOpGetEffects(op) & TILE_READS_GLOBAL) return false;
  tileValueSearchAddOperands(s, op);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    if (mlirBlockIsNull(body)) continue;
    MlirOperation end = mlirBlockGetTerminator(body);
    tileValueSearchAddOperands(s, end);
  }
  return true;
}

/// Does `loop` hand on nothing that was loaded?
static bool forgets(MlirOperation loop) {
  TileValueSearch s = {0};
  MlirOperation yield = mlirBlockGetTerminator(tileBody(loop, 0));
  bool forgets = tileOpIs(loop, "scf.for");
  if (forgets) tileValueSearchAddOperands(&s, yield);
  while (s.count && forgets) {
    MlirValue at = s.stack[--s.count];
    MlirOperation op = mlirValueIsABlockArgument(at)
                           ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(at))
                           : tileValueGetOp(at);
    forgets = tileOpIsAFunc(op) || lookBehind(&s, op);
  }
  tileValueSearchClear(&s);
  return forgets;
}

/// Does what is loaded where the promise holds stay there?
static bool isOfStep(const TileAffine *a, const AffinePromise *promise) {
  MlirBlock block = promise->block;
  while (!mlirBlockEqual(block, tileBody(a->func, 0))) {
    MlirOperation parent = mlirBlockGetParentOperation(block);
    if (!tileOpIs(parent, "scf.if") && !forgets(parent)) return false;
    block = mlirOperationGetBlock(parent);
  }
  return true;
}

//===- questions ----------------------------------------------------------===//

static void readSeen(TileAffine *a) {
  Reader r = {.a = a, .isFirst = true};
  mlirOperationWalk(a->func, readWrite, &r, MlirWalkPreOrder);
  free(r.found);
  size_t left = 0;
  for (size_t i = 0; i < a->numSeen; ++i)
    if (isOfStep(a, &a->seen[i])) a->seen[left++] = a->seen[i];
  a->numSeen = left;
  a->readSeen = true;
}

bool affineIsSeenNonNegative(TileAffine *a, const TilePoly *poly) {
  if (!a->readSeen) readSeen(a);
  a->asSeen = a->rounds = a->numSeen > 0;
  bool holds = a->asSeen && tileAffineIsNonNegative(a, poly);
  a->asSeen = a->rounds = false;
  return holds;
}

//===- masks --------------------------------------------------------------===//

/// Is one of the comparisons that `mask` is made of known to fail where `holds` is below 0?
static bool failsWith(TileAffine *a, MlirValue mask, const TilePoly *holds,
                      const int map[TILE_MAX_RANK]) {
  MlirOperation op = tileValueGetOp(mask);
  int inner[TILE_MAX_RANK], both[TILE_MAX_RANK];
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIs(op, "arith.andi"))
    return failsWith(a, tileOperand(op, 0), holds, map) ||
           failsWith(a, tileOperand(op, 1), holds, map);
  if (tileOpIs(op, "arith.cmpi")) {
    TilePoly lane = affineOfComparison(a, op), here = affineRemap(&lane, map);
    TilePoly room = polySub(holds, &here);
    return !isUnsigned(op) && room.valid && tileAffineIsNonNegative(a, &room);
  }
  if (!affineShapeMap(op, inner)) return false;
  for (int d = 0; d < TILE_MAX_RANK; ++d) both[d] = inner[d] < 0 ? -1 : map[inner[d]];
  return failsWith(a, tileOperand(op, 0), holds, both);
}

bool tileAffineIsOffWithout(TileAffine *affine, MlirValue mask, MlirValue condition) {
  static const int same[TILE_MAX_RANK] = {0, 1, 2, 3, 4, 5};
  MlirOperation op = tileValueGetOp(condition);
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIs(op, "arith.andi"))
    return tileAffineIsOffWithout(affine, mask, tileOperand(op, 0)) &&
           tileAffineIsOffWithout(affine, mask, tileOperand(op, 1));
  if (!tileOpIs(op, "arith.cmpi") || isUnsigned(op)) return false;
  TilePoly holds = affineOfComparison(affine, op);
  tileShape(mlirValueGetType(mask), affine->extents);
  return holds.valid && failsWith(affine, mask, &holds, same);
}
