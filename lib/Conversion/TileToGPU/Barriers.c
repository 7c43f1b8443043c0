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
    MlirValue none = {NULL};
    lowerNamedBarrier(l, lowerBarrierNumber(l, lowerConsumersBarrier, none), 32 * l->numWarps);
  } else if (l->numWarps == 1) {
    MlirValue all = tileBuildInt(&l->b, tileI32(l->b.context), -1);
    tileBuildOp(&l->b, "nvvm.bar.warp.sync", TILE_VALUES(all), TILE_NONE, TILE_NONE, 0);
  } else if (l->teams > 1) {
    MlirValue one = lowerI32(l, 1);
    lowerNamedBarrier(l, tileBuildBinary(&l->b, "arith.addi", l->team, one), 32 * l->blockWarps);
  } else {
    tileBuildOp(&l->b, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  }
}

/// Of one team numbers are `first` and on. Of several:
///
///   1 + team                                  all of its threads
///   1 + teams + team                          its consumers
///   1 + 2 teams + team * groups + group       a warp group; 1 + teams + .. where there are no
///   roles 1 + (2 + groups) teams + ..               a warp group's turn, of two groups and more
///
/// So there are enough: with roles teams have four warp groups in all, without eight.
MlirValue lowerBarrierNumber(Lowering *l, int first, MlirValue group) {
  bool ofAll = mlirValueIsNull(group);
  if (l->teams == 1)
    return ofAll ? lowerI32(l, first)
                 : tileBuildBinary(&l->b, "arith.addi", group, lowerI32(l, first));
  int groups = l->numWarps < 4 ? 1 : l->numWarps / 4;
  int skipped = 1;
  if (first == lowerGroupsBarriers) skipped = l->consumes ? 2 : 1;
  if (first != lowerGroupsBarriers && first != lowerConsumersBarrier) skipped = 2 + groups;
  MlirValue number = l->team;
  if (!ofAll) {
    MlirValue each = lowerI32(l, groups);
    number = tileBuildBinary(&l->b, "arith.muli", number, each);
    number = tileBuildBinary(&l->b, "arith.addi", number, group);
  }
  MlirValue start = lowerI32(l, 1 + skipped * l->teams);
  return tileBuildBinary(&l->b, "arith.addi", number, start);
}

void lowerTeamsBarrier(Lowering *l) {
  lowerNamedBarrier(l, lowerI32(l, 0), (int64_t)32 * l->numWarps * l->teams);
}

MlirValue lowerGroup(Lowering *l) {
  MlirValue two = lowerI32(l, 2);
  return tileBuildBinary(&l->b, "arith.shrui", l->warp, two);
}

void lowerUnfencedGroupBarrier(Lowering *l) {
  lowerNamedBarrier(l, lowerBarrierNumber(l, lowerGroupsBarriers, lowerGroup(l)),
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
