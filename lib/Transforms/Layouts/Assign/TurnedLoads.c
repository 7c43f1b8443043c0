//===- TurnedLoads.c - words that are stored along their other dimension --===//
//
// Before:  %b = tile.load : tensor<16x256xf32, 4 of N a thread, 128 of N a warp>
// After:   %b = tile.load : tensor<16x256xf32, 1 a thread, 8 of N by 4 of K a warp>
//
// wgmma wants operands of 32 bits with K fastest. Of one that lies along N in memory each word is
// stored, or copied, by itself: lanes along N would write rows of the buffer, of 64 or 128 bytes,
// that all begin in the same banks. Eight of N are a sector of memory, and by four of K they are
// 16 bytes of eight rows, which the buffer's swizzle puts into 32 banks.
//===----------------------------------------------------------------------===//
#include "Assigner.h"

enum { LANES_ALONG = 3, LANES_ACROSS = 2 }; ///< bits

/// The dimension of the load's tile that is K of the wgmma that alone reads it; -1: none does.
static int depthOf(const TileAssigner *a, MlirOperation load) {
  MlirOpOperand use = tileOnlyUse(tileResult(load));
  bool turned = false;
  if (!mlirOpOperandIsNull(use) && tileOpIsATrans(mlirOpOperandGetOwner(use))) {
    turned = true;
    use = tileOnlyUse(tileResult(mlirOpOperandGetOwner(use)));
  }
  if (mlirOpOperandIsNull(use) || !tileOpIsWgmma(mlirOpOperandGetOwner(use))) return -1;
  unsigned operand = mlirOpOperandGetOperandNumber(use);
  if (operand > 1 || tileDotLoadsAcross(&a->rules, mlirOpOperandGetOwner(use), (int)operand))
    return -1;
  int depth = operand == 0 ? 1 : 0;
  return turned ? 1 - depth : depth;
}

/// Gives `dim` the next bit of each dimension in turn until it has `count`.
static void take(TileLayout *layout, TileInDim in, int dim, int count, int *taken) {
  for (; count && taken[dim] < layout->outBits[dim]; --count) {
    int64_t coordinates[TILE_MAX_RANK] = {0};
    coordinates[dim] = (int64_t)1 << taken[dim]++;
    layout->bases[in][layout->inBits[in]++] = tileLayoutPack(*layout, coordinates);
  }
}

MlirAttribute tileAssignerOfTurned(const TileAssigner *a, MlirOperation load, int along) {
  enum { WORD = 32, ALL = 64 };
  MlirType type = mlirValueGetType(tileResult(load));
  int64_t shape[TILE_MAX_RANK];
  if (tileShape(type, shape) != 2 || tileBitWidth(tileElementType(type)) != WORD)
    return mlirAttributeGetNull();
  int across = depthOf(a, load), warpBits = __builtin_ctz((unsigned)a->rules.numWarps);
  if (across < 0 || across == along) return mlirAttributeGetNull();
  TileLayout layout = tileLayoutEmpty(2);
  int taken[TILE_MAX_RANK] = {0};
  for (int d = 0; d < 2; ++d) layout.outBits[d] = __builtin_ctzll((unsigned long long)shape[d]);
  if (layout.outBits[along] < LANES_ALONG || layout.outBits[across] < LANES_ACROSS ||
      layout.outBits[0] + layout.outBits[1] < TILE_LANE_BITS + warpBits)
    return mlirAttributeGetNull();
  take(&layout, TILE_LANE, along, LANES_ALONG, taken);
  take(&layout, TILE_LANE, across, LANES_ACROSS, taken);
  take(&layout, TILE_WARP, along, warpBits, taken);
  take(&layout, TILE_WARP, across, warpBits - layout.inBits[TILE_WARP], taken);
  take(&layout, TILE_REGISTER, along, ALL, taken);
  take(&layout, TILE_REGISTER, across, ALL, taken);
  return tileLayoutToAttr(a->rules.context, &layout);
}
