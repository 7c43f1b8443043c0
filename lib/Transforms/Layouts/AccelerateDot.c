//===- AccelerateDot.c - choose the instruction of each dot ---------------===//
//
// Before:  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
// After:   %d = tile.dot %a, %b, %c by mma_sync : ...
//
// What tensor cores multiply (tile/Analysis/DotForm.h) goes to them: by wgmma, where the machine
// has it for such operands, and whole warp groups have at least 64 rows or enough columns each,
// else by mma.sync where there is at least 32 bytes of K: of fewer than 16 rows, or 8 columns, the
// instruction's other ones are zeros and repetitions. The rest is computed by FMA. Remarks say why
// not the better one. Products of a short step of a recurrence, which multiplies what the step
// before computed, go to mma.sync, too: each is waited for.
//
// wgmma reads operands of other than 16 bits with K fastest alone. Where A is a box with M fastest,
// threads read it into the registers that wgmma takes A from (tile-assign-layouts), numbers of 32
// bits one by one, bytes by ldmatrix; a box for B that has N fastest they turn round in shared
// memory. What threads write there in any case, they write as it is wanted.
//
// What one wgmma has computed, narrowed to bytes, is A of another one as it lies in registers if K
// is gone through in another order, which B can have where threads turn it round:
//
//          %q = reshape(trans(reshape(%p)))                // moves nothing
//          %w = reshape(trans(reshape(%v)))
//          %d = tile.dot %q, %w, %sum by wgmma
//
// 8-bit floats are extended to f16, which is exact, where there is no instruction for them.
//
// Requires: meta-parameters bound.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "Layouts.h"
#include "tile/Analysis/DotForm.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Support/Slow.h"
#include "tile/Support/ValueSearch.h"
#include "tile/Trace.h"

typedef struct {
  TileLayoutRules rules; // context, warps and axes
  const TileMachine *machine;
} Chooser;

/// Does operand `i` come from memory, as it lies there?
static bool isFromMemory(const Chooser *c, MlirOperation dot, int i) {
  return tileDotRunsAlongK(&c->rules, dot, i) || tileDotRunsAcrossK(&c->rules, dot, i);
}

/// Columns that each warp group has at least where there are too few rows: fewer where B has K
/// fastest, and where nothing but copies stands in front of the product.
static int columnsLeast(const Chooser *c, MlirOperation dot, const TileDotForm *form) {
  bool few = tileDotRunsAlongK(&c->rules, dot, 1) ||
             (form->bits == 16 && isFromMemory(c, dot, 0) && isFromMemory(c, dot, 1));
  return tileMachineNumber(c->machine, few ? TILE_NUMBER_GROUP_COLUMNS_ALONG_K
                                           : TILE_NUMBER_GROUP_COLUMNS_LEAST);
}

/// Why the dot cannot go to mma.sync; null when it can. `form` is null where there is none.
static const char *whyNotMma(const Chooser *c, MlirOperation dot, const TileDotForm *form) {
  if (!form)
    return "expected operands that tensor cores multiply (precision tf32, or tf32x3 with an error "
           "like that of f32), found f32 of all its bits";
  if (!tileDotFormMatrix(form, c->machine, TILE_MATRIX_MMA_SYNC))
    return "expected operands that the target's mma.sync multiplies, found others";
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(tileDotGetA(dot)), shape);
  if (shape[rank - 1] >= tileDotFormDepth(form)) return NULL;
  return form->bits == 64   ? "expected 4 or more of K for mma.sync"
         : form->bits == 32 ? "expected 8 or more of K for mma.sync"
         : form->bits == 16 ? "expected 16 or more of K for mma.sync"
                            : "expected 32 or more of K for mma.sync";
}

static MlirWalkResult addCycles(MlirOperation op, void *data) {
  if (tileOpIsADot(op)) *(double *)data += tileDotGetCycles(op);
  return MlirWalkResultAdvance;
}

/// Does `dot` belong to a short step of a recurrence? Each of its products is waited for, which
/// takes longer by wgmma than by mma.sync: fences, operands in shared memory, the wait itself.
static bool isInShortStep(MlirOperation dot, const TileDotForm *form) {
  MlirOperation step = {NULL}, op = mlirOperationGetParentOperation(dot);
  double cycles = 0;
  if (form->bits != 16) return false; // others were not measured
  for (; !tileOpIsIsolated(op); op = mlirOperationGetParentOperation(op)) {
    if (!tileOpIs(op, "scf.for")) continue;
    if (mlirOperationIsNull(step)) {
      step = op;
      mlirOperationWalk(step, addCycles, &cycles, MlirWalkPreOrder);
      if (cycles >= tileMachineNumber(tileMachineOf(dot), TILE_NUMBER_STEP_DOT_CYCLES))
        return false;
    }
    if (tileIsRecurrence(op)) return true;
  }
  return false;
}

/// Why a dot that could go to mma.sync cannot go to wgmma; null when it can.
static const char *whyNotWgmma(const Chooser *c, MlirOperation dot, const TileDotForm *form) {
  int64_t shape[TILE_MAX_RANK], numWarps = c->rules.numWarps;
  int rank = tileShape(mlirValueGetType(tileResult(dot)), shape);
  const TileMatrix *wgmma = tileDotFormMatrix(form, c->machine, TILE_MATRIX_WGMMA);
  if (!wgmma) return "expected operands that wgmma multiplies, found others";
  if (rank != 2) return "expected a product without batch for wgmma";
  if (tileDotGetPrecision(dot) == TILE_PRECISION_TF32X3)
    return "expected one product of tf32 for wgmma, found three of parts in registers";
  if (numWarps < 4) return "expected at least 4 warps for wgmma";
  int rows = wgmma->m, least = tileMachineNumber(c->machine, TILE_NUMBER_DOT_COLUMNS_LEAST);
  if (shape[0] < rows || shape[1] < least)
    return "expected a product of at least 64 x 16 for wgmma";
  int64_t groups = numWarps / 4, alongM = shape[0] / rows < groups ? shape[0] / rows : groups;
  if (alongM < groups && shape[1] < columnsLeast(c, dot, form) * (groups / alongM))
    return "expected 64 rows, or as many columns as pay, of the product for each warp group "
           "for wgmma";
  int tiles = tileMachineNumber(c->machine, TILE_NUMBER_GROUP_TILES);
  // Warp groups divide the rows first, and then the columns.
  if (shape[0] / 64 * shape[1] / 64 / groups > tiles || shape[1] > wgmma->mostN * (groups / alongM))
    return "expected accumulators that fit the registers for wgmma";
  if (isInShortStep(dot, form))
    return "expected products that take longer, in a step that multiplies what the one before "
           "computed, for wgmma";
  return NULL;
}

/// f16 has every number of both 8-bit formats, and a product of two is exact in f32 either way.
static void widenFloat8(MlirOperation dot, bool warns) {
  TileBuilder b = tileBuilderBefore(dot);
  MlirType f16 = mlirF16TypeGet(b.context);
  for (intptr_t i = 0; i < 2; ++i) {
    MlirValue operand = tileOperand(dot, i);
    MlirType type = mlirValueGetType(operand), element = tileElementType(type);
    if (tileBitWidth(element) != 8 || !mlirTypeIsAFloat(element)) continue;
    if (i == 0 && warns)
      tileEmitSlow(b.location, "8-bit floats are multiplied as f16: expected a target with an "
                               "instruction for them (sm_89 and later), found another");
    MlirValue wide = tileBuildUnary(&b, "arith.extf", tileWithElement(type, f16), operand);
    mlirOperationSetOperand(dot, i, wide);
  }
}

/// The best instruction for the dot, and why there is none better.
static int choose(const Chooser *c, MlirOperation dot) {
  MlirLocation loc = mlirOperationGetLocation(dot);
  TileDotForm form;
  const char *reason = whyNotMma(c, dot, tileDotGetForm(dot, &form) ? &form : NULL);
  if (reason) {
    tileEmitSlow(loc, "dot is computed by fma: %s", reason);
    return TILE_INSTRUCTION_FMA;
  }
  if (tileMachineHas(c->machine, TILE_FEATURE_WGMMA)) {
    reason = whyNotWgmma(c, dot, &form);
    if (reason) tileEmitRemark(loc, "dot is computed by mma.sync: %s", reason);
    if (reason) return TILE_INSTRUCTION_MMA_SYNC;
    tileTrace(loc, "dot is computed by wgmma");
    return TILE_INSTRUCTION_WGMMA;
  }
  tileTrace(loc, "dot is computed by mma.sync");
  return TILE_INSTRUCTION_MMA_SYNC;
}

//===- A of bytes that a dot has computed ---------------------------------===//

static bool isDot(TileValueSearch *s, MlirValue value, const void *data) {
  (void)data;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIsElementwise(op)) tileValueSearchAddOperands(s, op);
  return tileOpIsWgmma(op);
}

/// `value` with dimension `dim`, K, in another order: of each 16, the two pairs that a thread has
/// of 8 columns each of a sum lie side by side, k = 8 h + 2 i + l at 4 i + 2 h + l.
static MlirValue joinPairs(TileBuilder *b, MlirValue value, int dim) {
  MlirType type = mlirValueGetType(value), element = tileElementType(type);
  int64_t shape[TILE_MAX_RANK], parts[5];
  int32_t order[5] = {0, 1, 2, 3, 4};
  tileShape(type, shape);
  const int64_t depth[] = {shape[dim] / 16, 2, 4, 2};
  int first = dim == 0 ? 0 : 1;
  parts[dim == 0 ? 4 : 0] = shape[1 - dim];
  for (int i = 0; i < 4; ++i) parts[first + i] = depth[i];
  MlirType apart = mlirRankedTensorTypeGet(5, parts, element, mlirAttributeGetNull());
  value = tileBuildUnary(b, "tile.reshape", apart, value);
  order[first + 1] = first + 2;
  order[first + 2] = first + 1;
  parts[first + 1] = 4;
  parts[first + 2] = 2;
  MlirType moved = mlirRankedTensorTypeGet(5, parts, element, mlirAttributeGetNull());
  MlirAttribute attr = mlirDenseI32ArrayGet(b->context, 5, order);
  value = tileResult(
      tileBuildOp(b, "tile.trans", TILE_VALUES(value), 1, &moved, TILE_ATTRS({"order", attr}), 0));
  return tileBuildUnary(b, "tile.reshape", type, value);
}

/// Where A is bytes that another wgmma computed, and B is turned round in any case, K gets the
/// order in which the registers of that one's sums are those of A.
static void matchDepth(const Chooser *c, MlirOperation dot) {
  MlirValue a = tileDotGetA(dot), b = tileDotGetB(dot);
  if (tileBitWidth(tileElementType(mlirValueGetType(a))) != 8 ||
      mlirAttributeIsNull(tileLayoutOfTurnedB(&c->rules, dot)) ||
      !tileValueSearchFinds(a, isDot, NULL))
    return;
  TileBuilder builder = tileBuilderBefore(dot);
  mlirOperationSetOperand(dot, 0, joinPairs(&builder, a, 1));
  mlirOperationSetOperand(dot, 1, joinPairs(&builder, b, 0));
}

//===- the pass -----------------------------------------------------------===//

static MlirWalkResult visit(MlirOperation op, void *data) {
  const Chooser *c = data;
  if (!tileOpIsADot(op) || tileDotGetInstruction(op) >= 0) return MlirWalkResultAdvance;
  if (!tileMachineHas(c->machine, TILE_FEATURE_MMA_F8)) widenFloat8(op, true);
  int instruction = choose(c, op);
  // FMA has no 8-bit operands either, and has been warned of.
  if (instruction == TILE_INSTRUCTION_FMA) widenFloat8(op, false);
  mlirOperationSetAttributeByName(op, tileString("instruction"),
                                  tileInstructionAttrGet(mlirOperationGetContext(op), instruction));
  // Known of the load while pointers are what the user computed.
  bool isWords = tileBitWidth(tileElementType(mlirValueGetType(tileDotGetA(op)))) == 32;
  if (isWords && tileDotLoadsAcross(&c->rules, op, 0))
    mlirOperationSetAttributeByName(op, tileString("across"),
                                    mlirUnitAttrGet(mlirOperationGetContext(op)));
  matchDepth(c, op);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunAccelerateDot(MlirOperation func,
                                       const TileAccelerateDotOptions *options) {
  Chooser c = {.rules = {.context = mlirOperationGetContext(func)}, .machine = tileMachineOf(func)};
  c.rules.numWarps = (int)(options->numWarps ? options->numWarps : tileNumWarpsOf(func));
  TileAxisAnalysis *axis = tileAxisAnalysisCreate(func);
  c.rules.axis = axis;
  mlirOperationWalk(func, visit, &c, MlirWalkPreOrder);
  tileAxisAnalysisDestroy(axis);
  return mlirLogicalResultSuccess();
}
