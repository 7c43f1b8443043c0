//===- Ahead.c - what the next steps of a loop will copy ------------------===//
//
// While the steps of a loop that were copied are multiplied (Steps.c), nothing is read from memory;
// and the next copies wait for it. So the micro-kernel fetches, a line of A and one of B in each
// step along K, what the next steps will read: where an operand is a load, converted or transposed
// at most, that is taken to lie behind this step's along K.
//
//   A, at row i of a pass:    &A[i + k % 16][BK + k / 16 * 16]     where K lies together
//                             &A[i][BK + k]                        where rows do
//   B, at column j of a panel: &B[BK + k][j], and &B[BK + k / 32 * 32][j + k % 32]
//
// A is fetched in one panel of all, B in the first passes over a panel. Elsewhere, and behind the
// last step, the address is one of the stack. An address where nothing is does no harm.
//
//===----------------------------------------------------------------------===//
#include "Dot.h"

/// The load that the operand is, converted or with its dimensions exchanged; null for others.
static MlirOperation loadOf(CpuLowering *l, MlirValue tile, bool *exchanged) {
  MlirOperation none = {NULL};
  *exchanged = false;
  for (int depth = 0; depth < 8; ++depth) {
    MlirOperation op = tileValueGetOp(tile);
    if (mlirOperationIsNull(op)) return none;
    if (tileOpIsALoad(op)) {
      const CpuSlot *slot = cpuFind(l, tileLoadGetPtr(op));
      return slot && !slot->isRead && slot->form != CPU_BUFFER ? op : none;
    }
    bool isTrans = tileOpIsATrans(op);
    if (!isTrans && !(cpuIsElementwise(op) && mlirOperationGetNumOperands(op) == 1)) return none;
    if (isTrans) *exchanged ^= mlirDenseI32ArrayGetElement(tileTransGetOrderAttr(op), 0) == 1;
    tile = tileOperand(op, 0);
  }
  return none;
}

MlirValue dotAddressOf(CpuLowering *l, const DotAhead *a, MlirValue row, MlirValue column) {
  CpuChunk chunk = {.l = l};
  CpuIndex index = {.rank = 2, .lane = -1};
  index.base[a->exchanged] = row;
  index.base[!a->exchanged] = column;
  MlirValue pointer = cpuEval(&chunk, tileLoadGetPtr(a->load), &index).scalar;
  return tileBuildUnary(&l->at, "llvm.ptrtoint", tileI64(l->context), pointer);
}

/// Describes what is fetched of `tile`, whose dimension `k` is K. Its elements lie together along
/// the other one: `across`.
static void find(Dot *d, DotAhead *a, MlirValue tile, int k, bool across, int lines) {
  CpuLowering *l = d->l;
  *a = (DotAhead){.k = k};
  a->load = loadOf(l, tile, &a->exchanged);
  if (mlirOperationIsNull(a->load)) return;
  MlirValue zero = cpuI64(l, 0), one = cpuI64(l, 1);
  MlirValue first = dotAddressOf(l, a, zero, zero);
  MlirValue alongK = dotAddressOf(l, a, k == 0 ? one : zero, k == 1 ? one : zero);
  a->alongK = tileBuildBinary(&l->at, "arith.subi", alongK, first);
  MlirValue other = dotAddressOf(l, a, k == 1 ? one : zero, k == 0 ? one : zero);
  a->alongOther = tileBuildBinary(&l->at, "arith.subi", other, first);
  a->lines = across ? 1 : lines;
}

void dotFindAhead(Dot *d) {
  MlirValue a = tileDotGetA(d->op), b = tileDotGetB(d->op);
  find(d, &d->ahead[0], a, 1, d->a.across, 16);
  find(d, &d->ahead[1], b, 0, !d->b.across, d->vectors * (int)d->width);
}

DotFetch dotBeginAhead(Dot *d, const DotAhead *a, MlirValue place, MlirValue isTurn,
                       MlirValue block, MlirValue offset) {
  CpuLowering *l = d->l;
  MlirValue zero = cpuI64(l, 0);
  isTurn = tileBuildBinary(&l->at, "arith.andi", isTurn, l->steps.goesOn);
  MlirValue at = dotAddressOf(l, a, a->k == 0 ? zero : place, a->k == 0 ? place : zero);
  // Behind this step, and so many blocks of what is multiplied now.
  MlirValue first = tileBuildBinary(&l->at, "arith.muli", block, dotTimes(d, d->depth, d->unit));
  first = dotPlus(d, first, cpuI64(l, d->k));
  first = tileBuildBinary(&l->at, "arith.muli", first, a->alongK);
  at = dotPlus(d, dotPlus(d, at, first), offset);
  MlirValue stack = tileBuildUnary(&l->at, "llvm.ptrtoint", tileI64(l->context), d->a.pointer);
  return (DotFetch){
      .of = a,
      .base = tileBuildSelect(&l->at, isTurn, at, stack),
      .alongK = tileBuildSelect(&l->at, isTurn, dotTimes(d, a->alongK, d->unit), zero),
      .alongOther = tileBuildSelect(&l->at, isTurn, a->alongOther, zero),
  };
}

void dotFetch(CpuLowering *l, MlirValue address, bool near) {
  MlirValue pointer = tileBuildUnary(&l->at, "llvm.inttoptr", cpuPointerType(l), address);
  MlirType i32 = tileI32(l->context);
  tileBuildOp(&l->at, "llvm.intr.prefetch", TILE_VALUES(pointer), TILE_NONE,
              TILE_ATTRS({"rw", mlirIntegerAttrGet(i32, 0)},
                         {"hint", mlirIntegerAttrGet(i32, near ? 3 : 2)},
                         {"cache", mlirIntegerAttrGet(i32, 1)}),
              0);
}

void dotFetchAhead(Dot *d, const DotFetch *fetch, MlirValue k) {
  CpuLowering *l = d->l;
  MlirValue along = k, at = fetch->base;
  int lines = fetch->of->lines;
  if (lines > 1) {
    MlirValue line = tileBuildBinary(&l->at, "arith.andi", k, cpuI64(l, lines - 1));
    along = tileBuildBinary(&l->at, "arith.andi", k, cpuI64(l, -lines));
    at = dotPlus(d, at, tileBuildBinary(&l->at, "arith.muli", line, fetch->alongOther));
  }
  at = dotPlus(d, at, tileBuildBinary(&l->at, "arith.muli", along, fetch->alongK));
  // The first cache holds a panel of B.
  dotFetch(l, at, false);
}
