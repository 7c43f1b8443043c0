//===- RenewMasks.c - masks are computed again behind a branch ------------===//
//
// Before:  setp.lt %p0, %c0, %n .. setp.lt %p15, %c15, %n
//          @%p0 ld .. @%p15 ld; the branch of tile-issue-loads
//          @%p0 st .. @%p15 st
// After:   .. the branch; selp %m, 0, %n, %never
//          setp.lt %q0, %c0, %m; @%q0 st .. setp.lt %q15, %c15, %m; @%q15 st
//
// A thread has seven predicates. More of them that are wanted on both sides of a branch ptxas packs
// into registers, bit by bit, and takes out again: three instructions each, where comparing again
// is one. It does not do so by itself, since to LLVM and to it the two comparisons are one; so the
// second takes its limit through a choice that no program makes, as the branch is one. Parts of a
// tile that lie behind a number in all threads stay left out.
//
// The limit may be a tile from outside of the block; behind the block it is what it was.
//
// What is compared follows from positions alone; masks of loaded numbers stay, and so do those of
// rows and columns, which are fewer comparisons than accesses.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/Opaque.h"
#include <stdlib.h>

enum { MOST_LIMITS = 8 };

typedef struct {
  Lowering *l;
  MlirOperation load;
  TileOpList done;
  MlirValue limits[MOST_LIMITS], moved[MOST_LIMITS];
  int count;
} Renewal;

/// Is it computed in front of the branch, in its block?
static bool isInFront(const Renewal *r, MlirOperation op) {
  return !mlirOperationIsNull(op) &&
         mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(r->load)) &&
         mlirOperationIsBeforeInBlock(op, r->load);
}

/// Does `value` follow from positions and scalars, by a few ops? `depth`: one behind the other.
static bool followsFromPositions(MlirValue value, int depth) {
  static const char *const names[] = {"arith.addi", "arith.subi", "arith.muli",
                                      "arith.ori",  "arith.xori", "arith.extsi"};
  if (!tileTypeIsTile(mlirValueGetType(value))) return true;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !depth) return false;
  if (tileOpIsAArange(op) || tileOpIsASplat(op) || tileOpIs(op, "arith.constant")) return true;
  bool known = tileOpIsView(op);
  for (size_t i = 0; i < sizeof names / sizeof *names && !known; ++i)
    known = tileOpIs(op, names[i]);
  for (intptr_t i = 0; known && i < mlirOperationGetNumOperands(op); ++i)
    known = followsFromPositions(tileOperand(op, i), depth - 1);
  return known;
}

/// The scalar that all elements of `value` are; null where there is none, or none of 32 bits.
static MlirValue limitOf(Renewal *r, MlirValue value) {
  int64_t number;
  MlirOperation op = tileValueGetOp(value);
  MlirType i32 = tileI32(r->l->b.context);
  if (!mlirTypeEqual(tileElementType(mlirValueGetType(value)), i32)) return (MlirValue){NULL};
  if (tileConstantInt(value, &number)) return lowerI32(r->l, number);
  bool isSplat = !mlirOperationIsNull(op) && tileOpIsASplat(op);
  return isSplat ? lowerGet(r->l, tileSplatGetValue(op)) : (MlirValue){NULL};
}

/// The scalar, of which nobody knows that it is the same.
static MlirValue movedLimit(Renewal *r, MlirValue limit) {
  for (int i = 0; i < r->count; ++i)
    if (mlirValueEqual(r->limits[i], limit)) return r->moved[i];
  MlirType i32 = tileI32(r->l->b.context);
  MlirValue moved = tileResult(lowerInlineAsm(r->l, TILE_OPAQUE_WORD, "=r,r", i32, 1, &limit));
  if (r->count < MOST_LIMITS) {
    r->limits[r->count] = limit;
    r->moved[r->count++] = moved;
  }
  return moved;
}

/// True where it was: what it is computed of is there as a whole.
static bool lowerAgain(Renewal *r, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!lowerIsWhole(r->l, tileOperand(op, i))) return false;
  lowerElementwise(r->l, op);
  tileOpListAdd(&r->done, op);
  return true;
}

/// Has the registers of `tile` be `limits`, for accesses compute each register's truth of what is
/// compared themselves (Memory.c). False where there are too many.
static bool setLimit(Renewal *r, MlirValue tile, MlirValue limits) {
  Lowering *l = r->l;
  if (l->numRenewed == lowerMaxRenewed) return false;
  l->renewed[l->numRenewed].tile = tile;
  l->renewed[l->numRenewed++].thread = lowerGet(l, tile);
  lowerSet(l, tile, limits);
  return true;
}

void lowerForgetRenewed(Lowering *l, int count) {
  while (l->numRenewed > count) {
    --l->numRenewed;
    lowerSet(l, l->renewed[l->numRenewed].tile, l->renewed[l->numRenewed].thread);
  }
}

/// The dimension along which `positions` are 0, 1 and so on; -1 where there is none.
static int countsAlong(const Renewal *r, MlirValue positions) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(positions), shape);
  const TileAxisInfo *info = tileAxisAnalysisGet(r->l->axis, positions);
  for (int d = 0; d < rank; ++d)
    if (shape[d] > 1 && info->contiguity[d] == shape[d] && info->min == 0 &&
        info->max == shape[d] - 1)
      return d;
  return -1;
}

/// What each register of `positions` is compared with, to be below it: the moved limit, but 0,
/// which none is below, in parts of the tile that lie behind the number `limit` in all threads.
static MlirValue buildLimits(Renewal *r, MlirOperation op, MlirType type, MlirValue limit) {
  int64_t number;
  TileLayout layout;
  MlirValue positions = tileOperand(op, 0), moved = movedLimit(r, limit);
  int dim = countsAlong(r, positions);
  bool isLess = tileIntAttr(op, "predicate", -1) == TILE_SLT;
  if (!isLess || dim < 0 || !tileConstantInt(tileOperand(op, 1), &number) ||
      !tileTypeGetLayout(mlirValueGetType(positions), &layout))
    return tileBuildUnary(&r->l->b, "vector.broadcast", type, moved);
  int n = lowerNumRegisters(&layout);
  MlirValue *limits = malloc((size_t)n * sizeof *limits), zero = lowerI32(r->l, 0);
  if (!limits) abort();
  for (int k = 0; k < n; ++k)
    limits[k] = lowerRegisterPart(&layout, k, dim) < number ? moved : zero;
  MlirValue all = lowerFromElements(r->l, tileI32(r->l->b.context), n, limits);
  free(limits);
  return all;
}

/// Compares positions again. False where it compares something else.
static bool compareAgain(Renewal *r, MlirOperation op) {
  enum { DEPTH = 8 };
  for (int side = 1; side >= 0; --side) {
    MlirValue operand = tileOperand(op, side), limit = limitOf(r, operand);
    if (mlirValueIsNull(limit) || !followsFromPositions(tileOperand(op, 1 - side), DEPTH)) continue;
    // Of a run of strips the limit has one strip's registers, and positions that nobody reads may.
    TileLayout layout;
    if (!lowerIsWhole(r->l, tileOperand(op, 1 - side)) ||
        !tileTypeGetLayout(mlirValueGetType(operand), &layout))
      continue;
    MlirType type = tileVectorType(lowerNumRegisters(&layout), tileI32(r->l->b.context));
    MlirValue again =
        side ? buildLimits(r, op, type, limit)
             : tileBuildUnary(&r->l->b, "vector.broadcast", type, movedLimit(r, limit));
    return setLimit(r, operand, again) && lowerAgain(r, op);
  }
  return false;
}

/// Computes a mask again, as far as it compares positions; true where some of it was.
static bool renew(Renewal *r, MlirValue mask) {
  MlirOperation op = tileValueGetOp(mask);
  if (!tileTypeIsTile(mlirValueGetType(mask)) || !isInFront(r, op)) return false;
  if (tileOpListHolds(&r->done, op)) return true;
  if (tileBitWidth(tileElementType(mlirValueGetType(mask))) != 1) return false;
  if (tileOpIs(op, "arith.cmpi")) return compareAgain(r, op);
  bool combines = tileOpIs(op, "arith.andi") || tileOpIs(op, "arith.ori");
  bool some = false;
  if (!combines) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    some |= renew(r, tileOperand(op, i));
  return some && lowerAgain(r, op);
}

void lowerRenewMasks(Lowering *l, MlirOperation load, int vector) {
  Renewal r = {.l = l, .load = load};
  int64_t least = tileMachineNumber(l->machine, TILE_NUMBER_RENEWED_MASKS);
  MlirOperation op = mlirOperationGetNextInBlock(load);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!tileOpIsAStore(op)) continue;
    MlirValue mask = tileStoreGetMask(op);
    TileLayout layout;
    if (!mlirValueIsNull(mask) && tileTypeGetLayout(mlirValueGetType(mask), &layout) &&
        lowerNumRegisters(&layout) / vector >= least)
      renew(&r, mask);
  }
  tileOpListDestroy(&r.done);
}
