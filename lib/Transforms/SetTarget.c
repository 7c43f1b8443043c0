//===- SetTarget.c - what a module is compiled for ------------------------===//
//
// Before:  module {
// After:   module attributes {tile.target = #nvvm.target<chip = "sm_90a">} {
//
// Passes ask the machine of the module (tileMachineOf): which instructions there are, how much
// shared memory, what pays. The attribute is upstream's target of GPU modules. Without a chip
// (option arch) a module keeps the target it has, and becomes one for sm_90a where it has none.
//
// Requires: nothing.  Preserves: everything else.
//===----------------------------------------------------------------------===//
#include "tile/IR.h"
#include "tile/Passes.h"

MlirLogicalResult tileRunSetTarget(MlirOperation module, const TileSetTargetOptions *options) {
  const TileMachine *machine =
      options->arch.length ? tileMachineFindChip(options->arch) : tileMachineOf(module);
  if (!machine) {
    tileEmitError(mlirOperationGetLocation(module), "expected arch to be one of %s, found '%.*s'",
                  tileMachineGetNames(), (int)options->arch.length, options->arch.data);
    return mlirLogicalResultFailure();
  }
  mlirOperationSetDiscardableAttributeByName(
      module, tileString("tile.target"), tileTargetAttr(mlirOperationGetContext(module), machine));
  return mlirLogicalResultSuccess();
}
