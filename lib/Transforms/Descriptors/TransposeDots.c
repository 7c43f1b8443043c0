//===- TransposeDots.c - products that wgmma has the other way round -------===//
//
// Before:  %c = scf.for .. iter_args(%s = %zero) {
//            %d = tile.dot %a, %b, %s : tensor<72x64xf16>, tensor<64x128xf16> -> tensor<72x128xf32>
//            scf.yield %d }
// After:   %t = scf.for .. iter_args(%s = %zero') {
//            %bt = tile.trans %b order [1, 0]
//            %at = tile.trans %a order [1, 0]
//            %d = tile.dot %bt, %at, %s : tensor<128x64xf16>, tensor<64x72xf16> ->
//            tensor<128x72xf32> scf.yield %d }
//          %c = tile.trans %t order [1, 0]
//
// wgmma computes 64 rows by any multiple of 8 columns, so that 72 rows cost as much as 128, and
// 16 cannot be had at all. (A B)^T is B^T A^T: where that asks for fewer products, rows and columns
// change roles. The transpositions cost nothing: tensor cores read operands either way, and of a
// product only the distribution over registers is another one.
//
// Nor does wgmma read operands of 8 and 32 bits from shared memory but with K fastest. Where B lies
// with N fastest, and A with K, the transposed product has B's elements in A's registers, which
// threads fill in any order (tile-accelerate-dot). And so it has what threads compute of a box for
// B.
//
// Taken are dots of boxes and pointers' tiles, that nothing else reads, summed up in a loop. Of
// others, a transposed product would have to be turned round for those that read it, or an operand
// that is computed would; unless it is what they want. Scores of few queries, that gradients of
// keys and values read transposed as A, have these in registers then:
//
//          %s = tile.dot %q, %kt          : 32 x 128        %t = tile.dot %k, %qt      : 128 x 32
//          %p = math.exp2 %s                          ->    %s = tile.trans %t
//          %pt = tile.trans %p                              %p = math.exp2 %s
//          %v = tile.dot %pt, %g, %sum                      %pt = tile.trans %p
//                                                           %v = tile.dot %pt, %g, %sum
//
// Beside gathered rows there are no boxes: threads would turn each word of B by itself. Of fewer
// rows than wgmma has mma.sync then reads B as it lies.
//
// cuBLAS computes row-major products this way round, as column-major ones.
//
// Requires: meta-parameters bound, no padding yet.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "../Layouts/Converted.h"
#include "../Loops.h"
#include "Packing.h"
#include "tile/Analysis/Analysis.h"
#include "tile/Analysis/DotForm.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Support/ValueSearch.h"
#include "tile/Trace.h"

typedef struct {
  const TileMachine *machine;
  const TileAxisAnalysis *axis;
  const TileMatrix *wgmma; // NULL: there is none
  int leastColumns;
  int64_t warpGroups;
  bool packs; ///< may a launch copy arrays to where they are aligned?
} Transposer;

/// What wgmma computes of m rows and n columns, by `groups` warp groups that have rows of their
/// own: elements; INT64_MAX where it cannot.
static int64_t elementsOf(const Transposer *t, int64_t m, int64_t n, int64_t groups) {
  if (tilePadExtent(m) < t->wgmma->m * groups || tilePadExtent(n) < t->leastColumns)
    return INT64_MAX;
  int step = t->wgmma->stepN;
  return tilePadExtent(m) * ((n + step - 1) / step * step);
}

/// A tile from memory that only this dot reads.
static bool isLoaded(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || mlirOpOperandIsNull(tileOnlyUse(value))) return false;
  if (tileOpIsATrans(op)) return isLoaded(tileOperand(op, 0));
  return tileOpIsALoad(op) || tileOpIsADescLoad(op);
}

/// Is `value` computed from a box for this dot alone? Then threads read the box as A's registers
/// want it; what comes through pointers they have as it was loaded, and store it for the dot, for
/// which mma.sync with few rows is faster than wgmma with few columns.
static bool isConverted(MlirValue value) {
  return !mlirOpOperandIsNull(tileOnlyUse(value)) && tileIsConvertedBox(value);
}

/// The dimension of `value` that runs fastest in memory; -1 where that is not known.
static int fastestDim(const Transposer *t, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  int64_t shape[TILE_MAX_RANK];
  int order[TILE_MAX_RANK];
  if (mlirOperationIsNull(op) || tileShape(mlirValueGetType(value), shape) != 2) return -1;
  if (tileOpIsADescLoad(op)) return 1;
  if (tileOpIsALoad(op)) {
    tileAxisAccessOrder(t->axis, tileLoadGetPtr(op), order);
    return order[0];
  }
  int dim = tileOpIsATrans(op) ? fastestDim(t, tileOperand(op, 0)) : -1;
  return dim < 0 ? -1 : 1 - dim;
}

/// Does wgmma read B, and it alone, otherwise than it lies, so that it would have to go through
/// registers?
static bool liesAcross(const Transposer *t, MlirOperation dot, TileDotForm *form) {
  const TileMatrix *wgmma = tileDotFormMatrix(form, t->machine, TILE_MATRIX_WGMMA);
  return wgmma && !tileMatrixTakesMajor(wgmma, TILE_MAJOR_MN) &&
         fastestDim(t, tileDotGetA(dot)) == 1 && fastestDim(t, tileDotGetB(dot)) == 1;
}

/// Is it a load, or what it follows from one?
static bool isLoadOrFollows(TileValueSearch *s, MlirValue value, const void *data) {
  (void)data;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIsALoad(op)) return true;
  if (!mlirOperationGetNumRegions(op)) tileValueSearchAddOperands(s, op);
  return false;
}

/// Do loaded numbers say where the operand's rows lie, so that no box brings it?
static bool isGathered(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  while (!mlirOperationIsNull(op) && tileOpIsATrans(op)) op = tileValueGetOp(tileOperand(op, 0));
  return !mlirOperationIsNull(op) && tileOpIsALoad(op) &&
         tileValueSearchFinds(tileLoadGetPtr(op), isLoadOrFollows, NULL);
}

/// Why rows and columns keep their roles; null where they change. Empty: there is nothing to gain.
static const char *whyNot(const Transposer *t, MlirOperation dot) {
  int64_t shape[TILE_MAX_RANK];
  if (!t->wgmma || !t->warpGroups || tileShape(mlirValueGetType(tileResult(dot)), shape) != 2)
    return "";
  if (shape[0] > t->wgmma->mostN) return "";
  // As it stands, warp groups may lie along the columns, too.
  int64_t turned = elementsOf(t, shape[1], shape[0], t->warpGroups);
  TileDotForm form;
  if (!tileDotGetForm(dot, &form)) return "";
  // What is computed goes into A's registers without a way through shared memory.
  MlirValue a = tileDotGetA(dot), b = tileDotGetB(dot);
  bool converts = isConverted(b) && isLoaded(a) && turned < INT64_MAX;
  // Warp groups beside each other read the same of A.
  bool across = elementsOf(t, shape[1], shape[0], 1) < INT64_MAX && liesAcross(t, dot, &form);
  int64_t straight = elementsOf(t, shape[0], shape[1], 1);
  if (!converts && !across && turned >= straight) return "";
  if (straight == INT64_MAX && across && (isGathered(a) || isGathered(b)))
    return "expected operands that boxes bring, found gathered rows, beside which words are turned "
           "round one by one: mma.sync reads them as they lie";
  if (!t->packs && tileIsRaggedDot(t->axis, dot))
    return "expected rows that begin at multiples of 16 bytes, which mma.sync does without";
  if (!isLoaded(a) || (!isLoaded(b) && !converts))
    return "expected operands from memory that nothing else reads, found others";
  if (!tileOpIs(mlirOperationGetParentOperation(dot), "scf.for") || tileDotCarried(dot) < 0)
    return "expected a sum that its loop carries and nothing else reads, found another";
  return NULL;
}

//===- products that are read transposed ----------------------------------===//

/// A box of 16-bit numbers, which wgmma reads either way, whoever else reads it.
static bool isBox(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  while (!mlirOperationIsNull(op) && (tileOpIsATrans(op) || tileOpIsAReshape(op)))
    op = tileValueGetOp(tileOperand(op, 0));
  return !mlirOperationIsNull(op) && tileOpIsADescLoad(op) &&
         tileBitWidth(tileElementType(mlirValueGetType(value))) == 16;
}

typedef struct {
  bool turned; ///< does a dot read it, transposed, as A?
  bool stays;  ///< are rows of it reduced, or does it meet memory as it is, like a bias?
  int left;    ///< readers that may still be looked at
} Readers;

/// Is a whole tile from memory among the operands of `op`, as it is or converted?
static bool meetsLoaded(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation from = tileValueGetOp(tileOperand(op, i));
    while (!mlirOperationIsNull(from) &&
           (tileOpIsAReshape(from) ||
            (tileOpIsElementwise(from) && mlirOperationGetNumOperands(from) == 1)))
      from = tileValueGetOp(tileOperand(from, 0));
    if (!mlirOperationIsNull(from) && (tileOpIsALoad(from) || tileOpIsADescLoad(from))) return true;
  }
  return false;
}

/// Who reads `value`, which is transposed by now or not, as it is or element by element.
static void findReaders(MlirValue value, bool isTransposed, Readers *r) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use) && r->left-- > 0;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool isElementwise = tileOpIsElementwise(op);
    r->stays |= tileOpIsAReduce(op) || tileOpIsAScan(op) || tileOpIsAReshape(op) ||
                tileOpGetEffects(op) || (isElementwise && meetsLoaded(op));
    if (tileOpIsADot(op)) r->turned |= isTransposed && mlirOpOperandGetOperandNumber(use) == 0;
    if (tileOpIsATrans(op) || isElementwise ||
        (tileOpIsADot(op) && mlirOpOperandGetOperandNumber(use) == 2))
      findReaders(tileResult(op), isTransposed != tileOpIsATrans(op), r);
  }
}

/// Is the product one of boxes whose rows are too few for all warp groups, and whose columns are
/// not, and do its readers want it the other way round, too?
static bool isReadTransposed(const Transposer *t, MlirOperation dot) {
  enum { mostReaders = 64 };
  int64_t shape[TILE_MAX_RANK];
  Readers readers = {.left = mostReaders};
  if (!t->wgmma || !t->warpGroups || tileShape(mlirValueGetType(tileResult(dot)), shape) != 2 ||
      shape[0] > t->wgmma->mostN || tileDotCarried(dot) >= 0 || !isBox(tileDotGetA(dot)) ||
      !isBox(tileDotGetB(dot)))
    return false;
  if (elementsOf(t, shape[0], shape[1], t->warpGroups) < INT64_MAX ||
      elementsOf(t, shape[1], shape[0], t->warpGroups) == INT64_MAX)
    return false;
  findReaders(tileResult(dot), false, &readers);
  return readers.turned && !readers.stays && readers.left > 0;
}

//===- the transformation -------------------------------------------------===//

static MlirType turnedType(MlirType type) {
  int64_t shape[TILE_MAX_RANK];
  tileShape(type, shape);
  const int64_t turned[] = {shape[1], shape[0]};
  return mlirRankedTensorTypeGet(2, turned, tileElementType(type), mlirAttributeGetNull());
}

static MlirValue transpose(TileBuilder *b, MlirValue value) {
  MlirType type = turnedType(mlirValueGetType(value));
  const int32_t order[] = {1, 0};
  MlirAttribute attr = mlirDenseI32ArrayGet(b->context, 2, order);
  MlirOperation op = tileValueGetOp(value);
  if (!mlirOperationIsNull(op) && tileOpIsATrans(op) &&
      mlirAttributeEqual(tileAttr(op, "order"), attr))
    return tileOperand(op, 0);
  if (tileIsZero(value)) return tileBuildZero(b, type);
  return tileResult(
      tileBuildOp(b, "tile.trans", TILE_VALUES(value), 1, &type, TILE_ATTRS({"order", attr}), 0));
}

/// The dot of operands that have changed their roles. What of it is no padding changes sides, too.
static MlirOperation buildTurned(TileBuilder *b, MlirOperation dot, const MlirValue operands[3],
                                 MlirType type) {
  MlirOperation made = tileBuildLike(b, dot, 3, operands, &type);
  MlirAttribute extents = tileAttr(dot, "tile.extents");
  if (mlirAttributeIsNull(extents)) return made;
  const int64_t turned[] = {mlirDenseI64ArrayGetElement(extents, 1),
                            mlirDenseI64ArrayGetElement(extents, 0)};
  mlirOperationSetAttributeByName(made, tileString("tile.extents"),
                                  mlirDenseI64ArrayGet(b->context, 2, turned));
  return made;
}

/// Loop and dot compute the transposed sum; behind the loop it is turned back.
static void turn(MlirOperation loop, MlirOperation dot) {
  intptr_t number = tileDotCarried(dot);
  MlirValue sum = mlirOperationGetResult(loop, number);
  MlirType type = turnedType(mlirValueGetType(sum));
  TileBuilder b = tileBuilderBefore(loop);
  mlirOperationSetOperand(loop, TILE_FOR_INITS + number,
                          transpose(&b, tileForGetInit(loop, number)));
  mlirValueSetType(mlirBlockGetArgument(tileBody(loop, 0), 1 + number), type);

  b = tileBuilderBefore(dot);
  MlirValue a = transpose(&b, tileDotGetB(dot));
  MlirValue operands[] = {a, transpose(&b, tileDotGetA(dot)), tileDotGetAcc(dot)};
  MlirOperation made = buildTurned(&b, dot, operands, type);
  MlirValue next = tileResult(made);
  tileReplaceOp(dot, 1, &next);

  mlirValueSetType(sum, type);
  b = tileBuilderBefore(mlirOperationGetNextInBlock(loop));
  MlirValue back = transpose(&b, sum);
  MlirOperation backOp = tileValueGetOp(back);
  mlirValueReplaceAllUsesExcept(sum, back, 1, &backOp);
}

/// The transposed product in the dot's place, and behind it the product for its readers.
static void turnStep(MlirOperation dot) {
  TileBuilder b = tileBuilderBefore(dot);
  MlirType type = turnedType(mlirValueGetType(tileResult(dot)));
  MlirValue a = transpose(&b, tileDotGetB(dot)), other = transpose(&b, tileDotGetA(dot));
  MlirValue operands[] = {a, other, transpose(&b, tileDotGetAcc(dot))};
  MlirValue turned = tileResult(buildTurned(&b, dot, operands, type));
  MlirValue back = transpose(&b, turned);
  tileReplaceOp(dot, 1, &back);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  const Transposer *t = data;
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  if (isReadTransposed(t, op)) {
    tileTrace(mlirOperationGetLocation(op), "dot is computed as its readers want it, transposed");
    turnStep(op);
    return MlirWalkResultSkip; // it is gone
  }
  const char *reason = whyNot(t, op);
  MlirLocation loc = mlirOperationGetLocation(op);
  if (!reason) {
    tileTrace(loc, "dot is computed transposed");
    turn(mlirOperationGetParentOperation(op), op);
    return MlirWalkResultSkip; // it is gone
  }
  if (*reason) tileEmitRemark(loc, "dot is not transposed: %s", reason);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunTransposeDots(MlirOperation func,
                                       const TileTransposeDotsOptions *options) {
  int64_t warps = options->numWarps ? options->numWarps : tileNumWarpsOf(func);
  const TileMachine *machine = tileMachineOf(func);
  // Rows and steps of columns are those of all its types.
  TileAxisAnalysis *axis = tileAxisAnalysisCreate(func);
  Transposer t = {.machine = machine,
                  .axis = axis,
                  .wgmma = tileMachineFindMatrix(machine, TILE_MATRIX_WGMMA, TILE_MATRIX_F16,
                                                 TILE_MATRIX_F16, TILE_MATRIX_F32),
                  .leastColumns = tileMachineNumber(machine, TILE_NUMBER_DOT_COLUMNS_LEAST),
                  .warpGroups = warps / 4,
                  .packs = tileKernelPacks(func)};
  mlirOperationWalk(func, visit, &t, MlirWalkPostOrder);
  tileAxisAnalysisDestroy(axis);
  return mlirLogicalResultSuccess();
}
