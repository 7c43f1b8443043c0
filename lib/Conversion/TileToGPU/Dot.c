//===- Dot.c - matrix products: mma.sync and FMA --------------------------===//
//
// mma.sync m16n8k16: k steps outermost; a step's fragments are loaded by ldmatrix
// right before their first use, so that few are alive, then
//
//   for m, for n:  acc[m][n] = nvvm.mma.sync A[m][k] B[k][n] acc[m][n]
//
// FMA: a loop over k; a step loads the thread's rows of A and columns of B, and
// updates every accumulator it holds.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "tile/Scratch.h"
#include <stdlib.h>

//===- mma.sync -----------------------------------------------------------===//

/// An operand as a list of 32-bit fragment words: [batch][m16 or n8][k][word].
typedef struct {
  int words; // of a fragment: 4 for A, 2 for B
  int numWords;
  MlirValue *word; // i32, null until loaded
  // from shared memory
  bool shared;
  LowerMatrices matrices;
} Operand;

static bool prepareOperand(Lowering *l, MlirOperation op, MlirValue value, const TileLayout *layout,
                           int words, Operand *o) {
  int registers = lowerNumRegisters(layout);
  *o = (Operand){.words = words,
                 .numWords = registers / 2,
                 .shared = tileTypeIsABuffer(mlirValueGetType(value))};
  o->word = calloc((size_t)o->numWords, sizeof *o->word);
  if (!o->word) abort();
  if (o->shared) {
    TileLayout shared = tileBufferLayout(mlirValueGetType(value));
    TileLdmatrix plan;
    if (!tileLayoutIsValid(shared) || !tileLayoutSupportsLdmatrix(*layout, shared, 2, &plan)) {
      tileEmitError(mlirOperationGetLocation(op),
                    "expected a shared buffer that ldmatrix can read, found another layout");
      return false;
    }
    o->matrices = lowerMatrices(l, lowerGet(l, value), &plan);
    return true;
  }
  MlirType words32 = tileVectorType(o->numWords, tileI32(l->b.context));
  MlirValue all = lowerBitcast(l, lowerGet(l, value), words32);
  for (int i = 0; i < o->numWords; ++i) o->word[i] = lowerExtract(l, all, i);
  return true;
}

static const MlirValue *fragment(Lowering *l, Operand *o, int index) {
  for (int w = index * o->words; w < (index + 1) * o->words; ++w) {
    if (!mlirValueIsNull(o->word[w])) continue;
    int first = w - w % o->matrices.plan.count;
    lowerLoadMatrices(l, &o->matrices, first, o->word + first);
  }
  return o->word + index * o->words;
}

typedef struct {
  MlirType operand; // vector<2xf16>, or i32 for bf16
  MlirType result;  // !llvm.struct<(f32, f32, f32, f32)>
  MlirAttribute shape, row, col, type, segments;
} MmaForm;

static MmaForm mmaForm(Lowering *l, MlirType element) {
  MlirContext c = l->b.context;
  bool bf16 = mlirTypeIsABF16(element);
  int32_t segments[] = {4, 2, 4};
  return (MmaForm){
      .operand = bf16 ? tileI32(c) : tileVectorType(2, element),
      .result = mlirTypeParseGet(c, tileString("!llvm.struct<(f32, f32, f32, f32)>")),
      .shape = tileParseAttr(c, "#nvvm.shape<m = 16, n = 8, k = 16>"),
      .row = tileParseAttr(c, "#nvvm.mma_layout<row>"),
      .col = tileParseAttr(c, "#nvvm.mma_layout<col>"),
      .type = tileParseAttr(c, bf16 ? "#nvvm.mma_type<bf16>" : "#nvvm.mma_type<f16>"),
      .segments = mlirDenseI32ArrayGet(c, 3, segments),
  };
}

/// acc[0..3] += A fragment x B fragment
static void emitMma(Lowering *l, const MmaForm *form, const MlirValue a[4], const MlirValue b[2],
                    MlirValue acc[4]) {
  MlirValue operands[10];
  for (int i = 0; i < 4; ++i) operands[i] = lowerBitcast(l, a[i], form->operand);
  for (int i = 0; i < 2; ++i) operands[4 + i] = lowerBitcast(l, b[i], form->operand);
  for (int i = 0; i < 4; ++i) operands[6 + i] = acc[i];
  MlirOperation mma = tileBuildOp(
      &l->b, "nvvm.mma.sync", 10, operands, 1, &form->result,
      TILE_ATTRS({"shape", form->shape}, {"layoutA", form->row}, {"layoutB", form->col},
                 {"multiplicandAPtxType", form->type}, {"multiplicandBPtxType", form->type},
                 {"operandSegmentSizes", form->segments}),
      0);
  for (int i = 0; i < 4; ++i)
    acc[i] = lowerStructElement(l, tileResult(mma), tileF32(l->b.context), i);
}

static MlirType operandElement(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return tileTypeIsABuffer(type) ? tileBufferTypeGetElement(type) : tileElementType(type);
}

static void operandShape(MlirValue value, int64_t shape[TILE_MAX_RANK]) {
  MlirType type = mlirValueGetType(value);
  if (!tileTypeIsABuffer(type)) {
    tileShape(type, shape);
    return;
  }
  for (int d = 0; d < tileBufferTypeGetRank(type); ++d) shape[d] = tileBufferTypeGetDim(type, d);
}

static MlirLogicalResult lowerMma(Lowering *l, MlirOperation op, const TileLayout *acc) {
  MlirValue aTile = tileDotGetA(op), bTile = tileDotGetB(op);
  int64_t shapeA[TILE_MAX_RANK], shapeB[TILE_MAX_RANK];
  int warps[TILE_MAX_RANK], rank = acc->rank;
  operandShape(aTile, shapeA);
  operandShape(bTile, shapeB);
  tileLayoutWarps(*acc, warps);
  TileLayout layoutA = tileLayoutMmaOperand(rank, shapeA, warps, TILE_DOT_A, 16);
  TileLayout layoutB = tileLayoutMmaOperand(rank, shapeB, warps, TILE_DOT_B, 16);
  Operand a = {0}, b = {0};
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (!prepareOperand(l, op, aTile, &layoutA, 4, &a) ||
      !prepareOperand(l, op, bTile, &layoutB, 2, &b))
    goto cleanup;

  int k16 = (int)(shapeA[rank - 1] / 16), numAcc = lowerNumRegisters(acc);
  int batches = 1, m16 = a.numWords / 4 / k16, n8 = b.numWords / 2 / k16;
  if (rank == 3) {
    batches = (int)(shapeA[0] / warps[0]);
    m16 /= batches;
    n8 /= batches;
  }
  MlirValue *values = malloc((size_t)numAcc * sizeof *values);
  if (!values) abort();
  MlirValue start = lowerGet(l, tileDotGetAcc(op));
  for (int i = 0; i < numAcc; ++i) values[i] = lowerExtract(l, start, i);
  MmaForm form = mmaForm(l, operandElement(aTile));
  for (int batch = 0; batch < batches; ++batch)
    for (int k = 0; k < k16; ++k)
      for (int m = 0; m < m16; ++m)
        for (int n = 0; n < n8; ++n) {
          const MlirValue *fa = fragment(l, &a, (batch * m16 + m) * k16 + k);
          const MlirValue *fb = fragment(l, &b, (batch * n8 + n) * k16 + k);
          emitMma(l, &form, fa, fb, values + ((batch * m16 + m) * n8 + n) * 4);
        }
  lowerSet(l, tileResult(op), lowerFromElements(l, tileF32(l->b.context), numAcc, values));
  free(values);
  result = mlirLogicalResultSuccess();
cleanup:
  free(a.word);
  free(b.word);
  return result;
}

//===- FMA ----------------------------------------------------------------===//

/// One operand of the FMA form: element (row or column, k) at pointer(register) + k * pitch.
typedef struct {
  MlirType element;
  MlirValue base; // i32: bytes, buffer and thread part
  TileLayout map; // position of the accumulator -> offset at k = 0, in elements
  int64_t pitch;  // bytes from one k to the next
  int bytes;
} FmaOperand;

/// Offset at k = 0 of what each accumulator register needs: the accumulator's layout with the other
/// dimension erased, in the operand's (unswizzled, k slowest) order.
static FmaOperand fmaOperand(Lowering *l, MlirValue value, const TileLayout *acc, int dim) {
  FmaOperand o = {.element = operandElement(value)};
  int64_t shape[TILE_MAX_RANK];
  operandShape(value, shape);
  int rank = acc->rank, other = dim == rank - 2 ? rank - 1 : rank - 2;
  int64_t extent = tileLayoutExtent(*acc, dim), depth = shape[other];
  o.bytes = lowerElementBytes(o.element);
  o.pitch = extent * o.bytes;
  o.map = tileLayoutEmpty(1);
  o.map.outBits[0] = TILE_MAX_BITS;
  for (int in = 0; in < TILE_BLOCK; ++in) {
    o.map.inBits[in] = acc->inBits[in];
    for (int b = 0; b < acc->inBits[in]; ++b) {
      uint64_t at = (uint64_t)tileLayoutCoordinate(*acc, acc->bases[in][b], dim);
      if (rank == 3)
        at += (uint64_t)(tileLayoutCoordinate(*acc, acc->bases[in][b], 0) * extent * depth);
      o.map.bases[in][b] = at;
    }
  }
  LowerAddress address = lowerBufferAddress(l, lowerGet(l, value), &o.map, o.bytes);
  o.base = tileBuildBinary(&l->b, "arith.addi", address.start, address.buffer);
  return o;
}

/// The operand's values for every accumulator register at one k: loads of up to 16 bytes.
static MlirValue loadFma(Lowering *l, const FmaOperand *o, int registers, MlirValue kBytes,
                         MlirType type) {
  MlirValue *values = malloc((size_t)registers * sizeof *values);
  int64_t *offsets = malloc((size_t)registers * sizeof *offsets);
  if (!values || !offsets) abort();
  MlirValue base = tileBuildBinary(&l->b, "arith.addi", o->base, kBytes);
  for (int r = 0; r < registers; ++r) {
    offsets[r] = lowerRegisterPart(&o->map, r, 0);
    values[r] = (MlirValue){NULL};
    for (int s = 0; s < r && mlirValueIsNull(values[r]); ++s)
      if (offsets[s] == offsets[r]) values[r] = values[s];
    if (!mlirValueIsNull(values[r])) continue;
    MlirValue part = lowerI32(l, offsets[r] * o->bytes);
    MlirValue at = tileBuildBinary(&l->b, "arith.addi", base, part);
    MlirValue pointer = lowerSharedPointer(l, at);
    MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), o->bytes);
    values[r] = tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &o->element,
                                       TILE_ATTRS({"alignment", alignment}), 0));
  }
  MlirValue vector = lowerFromElements(l, o->element, registers, values);
  free(values);
  free(offsets);
  MlirType to = tileVectorType(registers, type);
  if (mlirTypeEqual(o->element, type)) return vector;
  return tileBuildUnary(&l->b, mlirTypeIsAInteger(type) ? "arith.extsi" : "arith.extf", to, vector);
}

/// %acc' = scf.for %k iter_args(%acc) { fma(%a, %b, %acc) }
static MlirLogicalResult lowerFma(Lowering *l, MlirOperation op, const TileLayout *acc) {
  MlirValue aTile = tileDotGetA(op), bTile = tileDotGetB(op);
  if (!tileTypeIsABuffer(mlirValueGetType(aTile)) || !tileTypeIsABuffer(mlirValueGetType(bTile))) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected operands in shared buffers (see tile-assign-layouts), found tiles");
    return mlirLogicalResultFailure();
  }
  int64_t shape[TILE_MAX_RANK];
  int rank = acc->rank, registers = lowerNumRegisters(acc);
  operandShape(aTile, shape);
  FmaOperand a = fmaOperand(l, aTile, acc, rank - 2), b = fmaOperand(l, bTile, acc, rank - 1);
  MlirContext c = l->b.context;
  MlirValue start = lowerGet(l, tileDotGetAcc(op));
  MlirType type = mlirValueGetType(start), element = mlirShapedTypeGetElementType(type),
           i32 = tileI32(c);
  MlirValue zero = lowerI32(l, 0), depth = lowerI32(l, shape[rank - 1]), one = lowerI32(l, 1);
  MlirOperation loop =
      tileBuildOp(&l->b, "scf.for", TILE_VALUES(zero, depth, one, start), 1, &type, TILE_NONE, 1);
  MlirLocation loc = l->b.location;
  MlirType argTypes[] = {i32, type};
  MlirLocation argLocs[] = {loc, loc};
  MlirBlock body = mlirBlockCreate(2, argTypes, argLocs);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0), body);
  TileBuilder outside = l->b;
  l->b.block = body;
  MlirValue k = mlirBlockGetArgument(body, 0), sum = mlirBlockGetArgument(body, 1);
  MlirValue pitchA = lowerI32(l, a.pitch), pitchB = lowerI32(l, b.pitch);
  MlirValue atA = tileBuildBinary(&l->b, "arith.muli", k, pitchA);
  MlirValue atB = tileBuildBinary(&l->b, "arith.muli", k, pitchB);
  MlirValue va = loadFma(l, &a, registers, atA, element);
  MlirValue vb = loadFma(l, &b, registers, atB, element);
  if (mlirTypeIsAInteger(element)) {
    MlirValue product = tileBuildBinary(&l->b, "arith.muli", va, vb);
    sum = tileBuildBinary(&l->b, "arith.addi", product, sum);
  } else {
    sum = tileBuild(&l->b, "llvm.intr.fma", type, TILE_VALUES(va, vb, sum));
  }
  tileBuildOp(&l->b, "scf.yield", TILE_VALUES(sum), TILE_NONE, TILE_NONE, 0);
  l->b = outside;
  lowerSet(l, tileResult(op), tileResult(loop));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerDot(Lowering *l, MlirOperation op) {
  TileLayout acc;
  if (!lowerLayoutOf(mlirOperationGetLocation(op), mlirValueGetType(tileResult(op)), &acc))
    return mlirLogicalResultFailure();
  if (tileDotGetInstruction(op) == TILE_INSTRUCTION_WGMMA) return lowerWgmma(l, op, &acc);
  if (tileDotGetInstruction(op) == TILE_INSTRUCTION_MMA_SYNC) return lowerMma(l, op, &acc);
  return lowerFma(l, op, &acc);
}
