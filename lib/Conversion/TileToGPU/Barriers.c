//===- Barriers.c - threads that wait for each other ----------------------===//
#include "Lowering.h"

void lowerProxyFence(Lowering *l) {
  MlirContext c = l->b.context;
  tileBuildOp(&l->b, "nvvm.fence.proxy", TILE_NONE, TILE_NONE,
              TILE_ATTRS({"kind", tileParseAttr(c, "#nvvm.proxy_kind<async.shared>")},
                         {"space", tileParseAttr(c, "#nvvm.shared_space<cta>")}),
              0);
}

void lowerNamedBarrier(Lowering *l, MlirValue number, int64_t threads) {
  int32_t segments[] = {1, 1, 0};
  MlirValue count = lowerI32(l, threads);
  tileBuildOp(&l->b, "nvvm.barrier", TILE_VALUES(number, count), TILE_NONE,
              TILE_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(l->b.context, 3, segments)}),
              0);
}

void lowerBarrier(Lowering *l) {
  if (l->usesAsyncProxy && !l->unfenced) lowerProxyFence(l);
  lowerUnfencedBarrier(l);
}

/// Of a block of one warp its lanes meet: that orders their memory as a barrier of the block does,
/// and is one instruction for a wait of some twenty cycles.
void lowerUnfencedBarrier(Lowering *l) {
  if (l->consumes) {
    lowerNamedBarrier(l, lowerI32(l, lowerConsumersBarrier), 32 * l->numWarps);
  } else if (l->numWarps == 1) {
    MlirValue all = tileBuildInt(&l->b, tileI32(l->b.context), -1);
    tileBuildOp(&l->b, "nvvm.bar.warp.sync", TILE_VALUES(all), TILE_NONE, TILE_NONE, 0);
  } else {
    tileBuildOp(&l->b, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  }
}

MlirValue lowerGroup(Lowering *l) {
  MlirValue two = lowerI32(l, 2);
  return tileBuildBinary(&l->b, "arith.shrui", l->warp, two);
}

void lowerUnfencedGroupBarrier(Lowering *l) {
  MlirValue first = lowerI32(l, lowerGroupsBarriers), group = lowerGroup(l);
  lowerNamedBarrier(l, tileBuildBinary(&l->b, "arith.addi", group, first),
                    l->numWarps < 4 ? 32 * l->numWarps : 128);
}

MlirLogicalResult lowerGroupBarrier(Lowering *l, MlirOperation op) {
  (void)op;
  // Where a slot is given back, too, though threads have only read it: loads may be on their way
  // when the barrier opens, and the copy engine overtakes them (docs/results/notebook/hopper.md: A
  // fence behind reads).
  lowerProxyFence(l);
  lowerUnfencedGroupBarrier(l);
  return mlirLogicalResultSuccess();
}
