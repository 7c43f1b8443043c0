//===- OpTraits.cpp - what an op is, for passes in C ----------------------===//
//
// The C API has no entry for an op's traits and effects. These work for ops of any dialect.
//
//===----------------------------------------------------------------------===//
#include "tile/OpTraits.h"
#include "Tile.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
using namespace mlir;

#include "TileTraits.cpp.inc"

bool tileOpIsElementwise(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::Elementwise>() || tileOpIsElementwiseByVerifier(op);
}

bool tileOpIsIsolated(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::IsIsolatedFromAbove>();
}

bool tileOpIsMovable(MlirOperation op) {
  Operation *o = unwrap(op);
  bool seesOperandsOnly = o->getNumRegions() == 0 || tileOpIsIsolated(op);
  return seesOperandsOnly && !o->hasTrait<OpTrait::IsTerminator>() && isMemoryEffectFree(o);
}

uint32_t tileOpGetEffects(MlirOperation op) {
  if (isa<FunctionOpInterface>(unwrap(op))) return 0; // it says what to do, and does nothing
  // Upstream's says nothing. The compiler alone makes it, where a block's threads share buffers.
  if (isa<gpu::BarrierOp>(unwrap(op)))
    return TILE_READS_SHARED | TILE_WRITES_SHARED | TILE_WRITES_CONTROL;
  auto interface = dyn_cast<MemoryEffectOpInterface>(unwrap(op));
  if (!interface)
    return unwrap(op)->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ? 0 : TILE_EFFECTS_ALL;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  constexpr uint32_t reads = TILE_EFFECTS_ALL / 3; // every other bit
  uint32_t all = 0;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    int number = numberOf(effect.getResource());
    uint32_t places = number < 0 ? reads : 1U << 2 * number;
    all |= isa<MemoryEffects::Read>(effect.getEffect()) ? places : places << 1;
  }
  return all;
}
