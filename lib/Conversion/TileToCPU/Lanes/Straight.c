//===- Straight.c - chunks in which no quotient changes -------------------===//
//
// Positions are taken apart by division: at // n is the channel of an element, at % n where it is
// in there. Processors divide one number at a time, and nothing grows by a constant from lane to
// lane behind a division. But most chunks lie within one channel: for x that grows by s from lane
// to lane, W lanes have one quotient, and remainders that grow by s, where
//
//   r + (W - 1) * s < n,    q = x / n, r = x % n of the first lane, 0 <= x and 0 < n
//
// The body of a nest is emitted with lanes that are such, and as it is otherwise:
//
//   %q = arith.divsi %first, %n   %r = ..
//   scf.if %r + 15 < %n { load; store } else { divisions of vectors; gather; scatter }
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"

/// Of these, numbers without a sign have the same quotients.
static bool isQuotient(MlirOperation op) {
  return tileOpIs(op, "arith.divsi") || tileOpIs(op, "arith.divui") ||
         tileOpIs(op, "arith.floordivsi");
}

bool cpuUnwrap(CpuChunk *chunk, MlirOperation op, const CpuLanes operands[2], CpuLanes *result) {
  CpuLowering *l = chunk->l;
  CpuLanes x = operands[0], n = operands[1];
  if (!tileOpIsRemainder(op) && !isQuotient(op)) return false;
  if (mlirValueIsNull(x.scalar) || x.stride <= 0) return false;
  if (mlirValueIsNull(n.scalar) || n.stride) return false;
  MlirType type = mlirValueGetType(x.scalar);
  int bits = tileBitWidth(type);
  int64_t grown = (chunk->width - 1) * x.stride, divisor = 0;
  bool isConstant = tileConstantInt(n.scalar, &divisor);
  if (bits < 32 || (isConstant && divisor <= grown)) return false;
  MlirValue one = cpuInt(l, type, 1), y = n.scalar;
  if (!isConstant) y = tileBuildBinary(&l->at, "arith.maxsi", y, one);
  MlirValue quotient = tileBuildBinary(&l->at, "arith.divsi", x.scalar, y);
  MlirValue whole = tileBuildBinary(&l->at, "arith.muli", quotient, y);
  MlirValue rest = tileBuildBinary(&l->at, "arith.subi", x.scalar, whole);
  // Without a sign: not below 0, and so that the last lane does not overflow.
  MlirValue most = cpuInt(l, type, (bits == 32 ? INT32_MAX : INT64_MAX) - grown);
  MlirValue grows = tileBuildCmpi(&l->at, TILE_ULE, x.scalar, most);
  MlirValue limit = tileBuildBinary(&l->at, "arith.subi", y, cpuInt(l, type, grown));
  MlirValue stays = tileBuildCmpi(&l->at, TILE_SLT, rest, limit);
  if (!isConstant) grows = cpuBoth(l, grows, tileBuildCmpi(&l->at, TILE_SGE, n.scalar, one));
  chunk->unwrapped = cpuBoth(l, chunk->unwrapped, cpuBoth(l, grows, stays));
  *result = tileOpIsRemainder(op) ? (CpuLanes){.scalar = rest, .stride = x.stride}
                                  : (CpuLanes){.scalar = quotient};
  return true;
}

//===- which nests ---------------------------------------------------------===//

static bool findDivision(CpuLowering *l, MlirValue tile, int *budget) {
  CpuSlot *slot = cpuFind(l, tile);
  if (!slot || slot->form == CPU_SCALAR || slot->form == CPU_BUFFER || --*budget < 0) return false;
  if (slot->form == CPU_INDUCTION) return findDivision(l, slot->start, budget);
  MlirOperation op = tileValueGetOp(tile);
  if (tileOpIsRemainder(op) || isQuotient(op)) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (findDivision(l, tileOperand(op, i), budget)) return true;
  return false;
}

bool cpuDivides(CpuLowering *l, MlirValue tile) {
  int budget = 500;
  return findDivision(l, tile, &budget);
}

//===- both versions -------------------------------------------------------===//

static bool isIn(MlirOperation op, MlirBlock block) {
  return !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), block);
}

/// Is what the value follows from within the block arithmetic alone?
static bool mayMove(MlirValue value, MlirBlock block, int *budget) {
  MlirOperation op = tileValueGetOp(value);
  if (!isIn(op, block)) return true;
  if (--*budget < 0 || !tileOpIsOfDialect(op, "arith")) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!mayMove(tileOperand(op, i), block, budget)) return false;
  return true;
}

/// Moves that to where `at` builds.
static void moveOut(const TileBuilder *at, MlirValue value, MlirBlock block) {
  MlirOperation op = tileValueGetOp(value);
  if (!isIn(op, block)) return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    moveOut(at, tileOperand(op, i), block);
  tileMoveOps(at, op, mlirOperationGetNextInBlock(op), NULL);
}

static void endBranch(CpuLowering *l, MlirBlock block) {
  l->at = tileBuilderAtEnd(block, l->at.location);
  tileBuildOp(&l->at, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

void cpuEmitSplit(CpuChunk *chunk, const CpuIndex *index,
                  void (*body)(CpuChunk *, const CpuIndex *, void *), void *data) {
  CpuLowering *l = chunk->l;
  TileBuilder outside = l->at;
  MlirBlock aside = mlirBlockCreate(0, NULL, NULL);
  l->at = tileBuilderAtEnd(aside, outside.location);
  CpuChunk straight = *chunk, wrapped = *chunk;
  straight.unwraps = true;
  body(&straight, index, data);
  l->at = outside;
  int budget = 2000;
  if (mlirValueIsNull(straight.unwrapped) || !mayMove(straight.unwrapped, aside, &budget)) {
    mlirBlockDestroy(aside);
    body(chunk, index, data);
    return;
  }
  moveOut(&l->at, straight.unwrapped, aside);
  MlirOperation made = tileBuildIf(&l->at, straight.unwrapped, TILE_NONE, true);
  TileBuilder first = tileBuilderAtEnd(tileBody(made, 0), outside.location);
  MlirOperation rest = mlirBlockGetFirstOperation(aside);
  if (!mlirOperationIsNull(rest)) tileMoveOps(&first, rest, (MlirOperation){NULL}, NULL);
  mlirBlockDestroy(aside);
  endBranch(l, tileBody(made, 0));
  wrapped.wraps = true;
  l->at = tileBuilderAtEnd(tileBody(made, 1), outside.location);
  body(&wrapped, index, data);
  endBranch(l, tileBody(made, 1));
  l->at = outside;
}
