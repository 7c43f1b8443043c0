//===- ChoosePacking.c - launches that need no packed arrays --------------===//
//
// Before:  tile.func @thin(..) attributes {tile_gpu.packs}     // its dots: 16 x 64
// After:   tile.func @thin(..)
//
// Packing (Packing.h) reads and writes an array once more than the products do. Of few rows, or few
// columns, that takes longer than all else: the other array is read by few programs, or one. Rows
// that begin anywhere are then left where they lie, and copied chunk by chunk beside products by
// mma.sync (ragged buffers), whose threads read them from shared memory element by element. That
// takes a multiprocessor longer than reading matrices, as long as memory's bytes take, and is what
// packing gains where many programs read each element.
//
// What a kernel's tiles are is all that is known of how many programs that are: nobody multiplies
// many rows by tiles of few.
//
// Requires: meta-parameters bound.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "tile/Analysis/DotForm.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

typedef struct {
  const TileMachine *machine;
  const TileAxisAnalysis *axis;
  const char *why;
  bool any;
} PackingChooser;

/// Can threads copy what the operand is read from, wherever its rows begin?
static bool isCopied(const PackingChooser *c, MlirOperation dot, MlirValue operand) {
  enum { WORD = 4 };
  if (tileIsRaggedOperand(c->axis, dot, operand)) return true;
  MlirOperation op = tileValueGetOp(operand);
  if (!mlirOperationIsNull(op) && tileOpIsATrans(op)) op = tileValueGetOp(tileOperand(op, 0));
  if (mlirOperationIsNull(op) || !tileOpIsALoad(op)) return false;
  int order[TILE_MAX_RANK], bits = tileBitWidth(tileElementType(mlirValueGetType(operand)));
  tileAxisAccessOrder(c->axis, tileLoadGetPtr(op), order);
  return tileAxisAccessVector(c->axis, op, order[0]) * bits / 8 >= WORD;
}

/// Why the launch has to pack for `dot`; null where it need not.
static const char *whyPacked(const PackingChooser *c, MlirOperation dot) {
  int64_t shape[TILE_MAX_RANK];
  TileDotForm form;
  int rank = tileShape(mlirValueGetType(tileResult(dot)), shape);
  int most = tileMachineNumber(c->machine, TILE_NUMBER_PACK_ROWS);
  if (rank != 2 || (shape[0] > most && shape[1] > most))
    return "expected products of fewer rows or columns";
  if (!tileDotGetForm(dot, &form) || !tileDotFormMatrix(&form, c->machine, TILE_MATRIX_MMA_SYNC))
    return "expected products by mma.sync";
  MlirValue a = tileDotGetA(dot), b = tileDotGetB(dot);
  if (!isCopied(c, dot, a) || !isCopied(c, dot, b))
    return "expected operands from memory whose rows have no gaps, and end";
  if (!tileIsRaggedOperand(c->axis, dot, a) && !tileIsRaggedOperand(c->axis, dot, b))
    return "expected rows that mma.sync reads as they lie";
  return NULL;
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  PackingChooser *c = data;
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  c->any = true;
  c->why = whyPacked(c, op);
  return c->why ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

MlirLogicalResult tileRunChoosePacking(MlirOperation func) {
  MlirStringRef packs = tileString("tile_gpu.packs");
  if (mlirAttributeIsNull(tileAttr(func, "tile_gpu.packs"))) return mlirLogicalResultSuccess();
  const TileMachine *machine = tileMachineOf(func);
  TileAxisAnalysis *axis = tileAxisAnalysisCreate(func);
  PackingChooser c = {.machine = machine, .axis = axis};
  mlirOperationWalk(func, visit, &c, MlirWalkPreOrder);
  tileAxisAnalysisDestroy(axis);
  if (c.why) tileEmitRemark(mlirOperationGetLocation(func), "arrays may be packed: %s", c.why);
  if (c.any && !c.why) {
    tileTrace(mlirOperationGetLocation(func), "arrays are read where they lie, and not packed");
    mlirOperationRemoveAttributeByName(func, packs);
  }
  return mlirLogicalResultSuccess();
}
