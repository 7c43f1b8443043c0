//===- Distinct.c - loads that wait for a store of another array ----------===//
//
// A load must read what memory held where it stands. Where its one reader stores to the places that
// were loaded, it is emitted with the store. Where that stores elsewhere, to another argument, the
// load waits for it too, and one test finds out whether the arguments are one array, or begin as
// near each other as parts of one often do:
//
//   %other = arith.cmpi ugt, %x - %y + 4095, 8190          // as numbers
//   scf.if %other { for each chunk: load %x, store %y } else { load all of %x; store all to %y }
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include <string.h>

/// In bytes.
enum { NEAR = 4096 };

typedef struct {
  CpuLowering *l;
  MlirValue to;
  MlirValue *loads; ///< each behind those that it follows from
  int numLoads, roomLoads;
  TilePointerTable seen; ///< a set of tiles
  CpuEmit emit;
  void *data;
} Waiting;

static void append(Waiting *w, MlirValue load) {
  if (w->numLoads == w->roomLoads) {
    w->roomLoads = w->roomLoads ? 2 * w->roomLoads : 8;
    MlirValue *loads = cpuAllocate(w->l, (size_t)w->roomLoads * sizeof *loads);
    if (w->numLoads) memcpy(loads, w->loads, (size_t)w->numLoads * sizeof *loads);
    w->loads = loads;
  }
  w->loads[w->numLoads++] = load;
}

/// Finds the loads that wait for the one that stores to `to`.
static void find(Waiting *w, MlirValue tile) {
  CpuSlot *slot = cpuFind(w->l, tile);
  if (!slot || slot->form == CPU_SCALAR || slot->form == CPU_BUFFER) return;
  if (slot->form == CPU_INDUCTION) {
    find(w, slot->start);
    return;
  }
  bool *seen = tilePointerTableAdd(&w->seen, tile.ptr, sizeof *seen);
  if (*seen) return;
  *seen = true;
  MlirOperation op = tileValueGetOp(tile);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) find(w, tileOperand(op, i));
  if (!tileOpIsALoad(op) || cpuIsSamePlaces(tileLoadGetPtr(op), w->to)) return;
  append(w, tile);
}

/// i1: is the store's argument none of those that are loaded from?
static MlirValue isOther(Waiting *w) {
  CpuLowering *l = w->l;
  MlirType i64 = tileI64(l->context);
  MlirValue all = {NULL};
  MlirValue *seen = cpuAllocate(l, (size_t)w->numLoads * sizeof *seen);
  MlirValue to = cpuScalar(l, cpuArgumentOf(l, w->to));
  to = tileBuildUnary(&l->at, "llvm.ptrtoint", i64, to);
  for (int i = 0; i < w->numLoads; ++i) {
    seen[i] = cpuArgumentOf(l, tileLoadGetPtr(tileValueGetOp(w->loads[i])));
    bool isNew = true;
    for (int k = 0; k < i; ++k) isNew &= !mlirValueEqual(seen[i], seen[k]);
    if (!isNew) continue;
    MlirValue from = tileBuildUnary(&l->at, "llvm.ptrtoint", i64, cpuScalar(l, seen[i]));
    MlirValue away = tileBuildBinary(&l->at, "arith.subi", from, to);
    away = tileBuildBinary(&l->at, "arith.addi", away, cpuI64(l, NEAR - 1));
    all = cpuBoth(l, all, tileBuildCmpi(&l->at, TILE_UGT, away, cpuI64(l, 2 * NEAR - 2)));
  }
  return all;
}

static void emitBoth(CpuLowering *l, bool other, void *data) {
  Waiting *w = data;
  if (other) {
    w->emit(l, true, w->data);
    return;
  }
  CpuSlot *before = cpuAllocate(l, (size_t)w->numLoads * sizeof *before);
  for (int i = 0; i < w->numLoads; ++i) {
    before[i] = *cpuFind(l, w->loads[i]);
    cpuMaterialize(l, w->loads[i]);
  }
  w->emit(l, false, w->data);
  for (int i = 0; i < w->numLoads; ++i) *cpuSet(l, w->loads[i], before[i].form) = before[i];
}

void cpuEmitWaiting(CpuLowering *l, MlirValue to, intptr_t numRoots, const MlirValue *roots,
                    CpuEmit emit, void *data) {
  Waiting w = {.l = l, .to = to, .emit = emit, .data = data};
  for (intptr_t i = 0; i < numRoots; ++i)
    if (!mlirValueIsNull(roots[i])) find(&w, roots[i]);
  tilePointerTableClear(&w.seen);
  if (!w.numLoads) {
    emit(l, true, data);
    return;
  }
  bool before = l->isPlain;
  MlirOperation made = tileBuildIf(&l->at, isOther(&w), TILE_NONE, true);
  TileBuilder outside = l->at;
  for (int i = 0; i < 2; ++i) {
    l->at = tileBuilderAtEnd(tileBody(made, i), outside.location);
    l->isPlain = before || i == 1;
    emitBoth(l, i == 0, &w);
    tileBuildOp(&l->at, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  }
  l->isPlain = before;
  l->at = outside;
}
