//===- LowerAgain.c - what spills with roles, once more with less ---------===//
//
// Before:  attention's gradients of keys, 8 warps and 4 that copy: 240 registers of a thread hold
//          sums, weights, slots and phases; 344 bytes a thread are spilled, in each step
// After:   the same kernel through pointers, 8 warps of 255 registers: 72 bytes, .67 of the time
//
// Before:  all gradients of attention, blocks that work through programs: what the next program
//          wants is held as well, 952 bytes are spilled, and wgmma waits for each other (C7512)
// After:   a block for each program: 80 bytes, and products run together
//
// Warps that copy ahead and loops over programs cost those that multiply registers, of which nobody
// knows what a step will take before ptxas has said so. Where that spills, a copy of the kernel as
// it was before its passes goes through them once more: as one whose accesses stay pointers
// (`tile.no_boxes`), and, where it still spills beside roles, with a block for each program
// (`tile.no_rounds`). What spills least stands.
//
// Kernels without roles, those that spill little, and products alone, whose sums nobody waits for,
// are lowered once, as before; those that add to memory, as gradients of queries are, which the
// copy engine does better, keep their boxes. Those whose stages somebody dumps or edits are lowered
// once, and so is text: --emit=ptx shows the first.
//===----------------------------------------------------------------------===//
#include "CompileKernel.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/Slow.h"
#include <stdlib.h>

static bool isKernel(MlirOperation op, void *data) {
  (void)data;
  return !mlirAttributeIsNull(tileAttr(op, "nvvm.kernel")) || tileOpIsAKernel(op);
}

static MlirOperation kernelOf(MlirModule module) {
  return tileFindOp(mlirModuleGetOperation(module), isKernel, NULL);
}

void tileLoweringWarnOfSpills(const TileProgram *p, MlirModule module) {
  if (!p->spilled) return;
  MlirOperation kernel = kernelOf(module);
  tileEmitSlow(mlirOperationIsNull(kernel) ? p->loc : mlirOperationGetLocation(kernel),
               "kernel spills: expected what a thread holds in %d registers (more warps, or "
               "smaller tiles), found %d bytes more",
               p->use.registers, p->spilled);
}

/// Has the code warps that copy, and spills more than those may cost the others?
static bool spillsWithRoles(const TileProgram *p, const TileCode *code) {
  int64_t warps = tileProgramGetLaunchInt(code, "tile.num_warps", TILE_USUAL_WARPS);
  if (tileProgramGetLaunchInt(code, "tile_gpu.block_warps", warps) == warps) return false;
  const TileMachine *machine = tileProgramGetArch(p);
  TileNumber most = warps > 4 ? TILE_NUMBER_ROLE_SPILLS : TILE_NUMBER_ROLE_SPILLS_OF_ONE;
  return p->use.frameBytes > tileMachineNumber(machine, most);
}

static bool isMarked(const TileCode *code, const char *mark) {
  return !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(code->launch, tileString(mark)));
}

/// What is said of code that may not stand.
static MlirLogicalResult hear(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic, (void)data;
  return mlirLogicalResultSuccess();
}

/// Where the kernel is lowered again.
typedef struct {
  TileProgram *program;
  TileLowering *lowering;
  MlirModule module; // as it was before its passes
  TileEmit stage;
  TileMakeCode make;
} Again;

/// Code of the kernel with `mark`, in the place of `code` where it spills less.
static void makeWithout(const Again *a, const char *mark, const char *what, TileCode *code) {
  TileProgram *p = a->program;
  TileLowering *l = a->lowering;
  TileRegisterUse first = p->use;
  int spilled = p->spilled;
  MlirModule lowered = l->module;
  MlirModule copy = mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(a->module)));
  TileCode second = *code;
  second.binary = (TileBlob){0};
  mlirOperationSetAttributeByName(kernelOf(copy), tileString(mark), mlirUnitAttrGet(p->context));
  l->module = copy;
  MlirDiagnosticHandlerID id = mlirContextAttachDiagnosticHandler(p->context, hear, NULL, NULL);
  bool made = mlirLogicalResultIsSuccess(a->make(p, l, a->stage, &second));
  mlirContextDetachDiagnosticHandler(p->context, id);
  l->module = lowered;
  mlirModuleDestroy(copy);
  bool better = made && p->use.registers && p->use.frameBytes < first.frameBytes;
  if (p->options.runsPasses)
    tileEmitRemark(p->loc, "%s without %s: %d bytes of a thread's stack for %d",
                   better ? "lowered again" : "no better", what, p->use.frameBytes,
                   first.frameBytes);
  if (better) {
    TileCode worse = *code;
    *code = second;
    second = worse;
  } else {
    p->use = first;
    p->spilled = spilled;
  }
  tileBlobDestroy(&second.binary);
}

MlirLogicalResult tileLoweringMakeBest(TileProgram *p, TileLowering *l, TileEmit stage,
                                       TileMakeCode make, TileCode *code) {
  const TileMachine *machine = tileProgramGetArch(p);
  if (stage < TILE_EMIT_CUBIN || l->stages || !tileMachineHasRoles(machine))
    return make(p, l, stage, code);
  MlirModule copy = mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(l->module)));
  Again again = {.program = p, .lowering = l, .module = copy, .stage = stage, .make = make};
  p->mayLowerAgain = true;
  MlirLogicalResult result = make(p, l, stage, code);
  bool made = mlirLogicalResultIsSuccess(result);
  if (made && spillsWithRoles(p, code) && isMarked(code, "tile_gpu.boxes_may_cost"))
    makeWithout(&again, "tile.no_boxes", "boxes", code);
  if (made && spillsWithRoles(p, code) && isMarked(code, "tile_gpu.persistent") &&
      isMarked(code, "tile_gpu.rounds_may_cost"))
    makeWithout(&again, "tile.no_rounds", "rounds", code);
  p->mayLowerAgain = false;
  if (made) tileLoweringWarnOfSpills(p, l->module);
  mlirModuleDestroy(copy);
  return result;
}
