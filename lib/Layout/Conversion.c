//===- Conversion.c - how a tile changes its layout -----------------------===//
//
// The position map says which source position holds what each destination
// position needs. What it leaves alone, from warps down to registers, decides
// the mechanism.
//
//===----------------------------------------------------------------------===//
#include "Conversion.h"
#include "Span.h"

enum { DEFAULT_SCRATCH_BYTES = 48 * 1024 };

/// The position map with only its register output: registers to registers.
static TileLayout registerPart(const TileLayout *map) {
  return tileLayoutSublayout(*map, 1u << TILE_REGISTER, 1u << TILE_REGISTER);
}

/// Whether some destination bit takes its element from another position along `dim`.
static bool movesAlong(const TileLayout *map, TileInDim dim) {
  for (int in = 0; in < TILE_NUM_IN_DIMS; ++in)
    for (int bit = 0; bit < map->inBits[in]; ++bit) {
      int64_t stay = in == (int)dim ? (int64_t)1 << bit : 0;
      if (tileLayoutCoordinate(*map, map->bases[in][bit], (int)dim) != stay) return true;
    }
  return false;
}

/// Whether the source register depends on more than the destination register.
static bool selectsRegisters(const TileLayout *map) {
  for (int in = TILE_LANE; in < TILE_NUM_IN_DIMS; ++in)
    for (int bit = 0; bit < map->inBits[in]; ++bit)
      if (tileLayoutCoordinate(*map, map->bases[in][bit], TILE_REGISTER)) return true;
  return false;
}

/// No plan through scratch costs less: every element once in and once out.
static int leastScratchCost(const TileLayout *src, const TileLayout *dst, int elementBytes) {
  int registers = (int)tileLayoutSize(*src, TILE_REGISTER) >>
                  __builtin_popcount(tileLayoutFreeBits(*src, TILE_REGISTER));
  registers += (int)tileLayoutSize(*dst, TILE_REGISTER) >>
               __builtin_popcount(tileLayoutFreeBits(*dst, TILE_REGISTER));
  return COST_BARRIER + COST_WAVEFRONT * registers * elementBytes / 4;
}

TileConversion tileLayoutPlanConversionWithin(TileLayout src, TileLayout dst, int elementBytes,
                                              int64_t maxScratchBytes) {
  TileConversion plan = {.kind = TILE_CONVERSION_IMPOSSIBLE};
  unsigned own = 1u << TILE_REGISTER | 1u << TILE_LANE | 1u << TILE_WARP;
  if (elementBytes != 1 && elementBytes != 2 && elementBytes != 4 && elementBytes != 8) return plan;
  if (src.inBits[TILE_OFFSET] || dst.inBits[TILE_OFFSET]) return plan;
  if (!layoutSolve(&dst, &src, own, &plan.map)) return plan;

  bool warps = movesAlong(&plan.map, TILE_WARP);
  bool lanes = warps || movesAlong(&plan.map, TILE_LANE) || selectsRegisters(&plan.map);
  if (!lanes) {
    bool stays = src.inBits[TILE_REGISTER] == dst.inBits[TILE_REGISTER] &&
                 !movesAlong(&plan.map, TILE_REGISTER);
    plan.kind = stays ? TILE_CONVERSION_NONE : TILE_CONVERSION_REGISTERS;
    plan.registers = registerPart(&plan.map);
    return plan;
  }
  if (!warps && layoutPlanShuffles(&src, &dst, &plan.map, elementBytes, &plan.shuffles)) {
    plan.kind = TILE_CONVERSION_SHUFFLES;
    plan.cost = layoutShufflesCost(&plan.shuffles, elementBytes);
    if (plan.cost <= leastScratchCost(&src, &dst, elementBytes)) return plan;
  }
  int cost = layoutPlanScratch(&src, &dst, elementBytes, maxScratchBytes, &plan.scratch);
  if (plan.kind == TILE_CONVERSION_SHUFFLES && plan.cost <= cost) return plan;
  plan.kind = TILE_CONVERSION_SHARED;
  plan.cost = cost;
  plan.waits = plan.scratch.passes * COST_BARRIER;
  return plan;
}

TileConversion tileLayoutPlanConversion(TileLayout src, TileLayout dst, int elementBytes) {
  return tileLayoutPlanConversionWithin(src, dst, elementBytes, DEFAULT_SCRATCH_BYTES);
}

int tileLayoutReductionCost(TileLayout layout, int dim, int elementBytes) {
  enum { COMBINE = 1 }; // an ALU instruction
  int counts[TILE_NUM_IN_DIMS] = {0}, kept = 0;
  for (int in = TILE_REGISTER; in <= TILE_WARP; ++in)
    for (int bit = 0; bit < layout.inBits[in]; ++bit) {
      bool along = tileLayoutCoordinate(layout, layout.bases[in][bit], dim) != 0;
      counts[in] += along;
      kept += in == TILE_REGISTER && !along;
    }
  int words = elementBytes > 4 ? elementBytes / 4 : 1, results = 1 << kept;
  int cost = results * ((1 << counts[TILE_REGISTER]) - 1) * COMBINE;
  cost += results * counts[TILE_LANE] * (COST_WAVEFRONT * words + COMBINE);
  if (counts[TILE_WARP])
    cost += COST_BARRIER + results * words * COST_WAVEFRONT +
            results * (1 << counts[TILE_WARP]) * (COST_WAVEFRONT * words + COMBINE);
  return cost;
}
