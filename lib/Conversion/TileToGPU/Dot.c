//===- Dot.c - matrix products: FMA, and who computes the others ----------===//
//
// FMA: a loop over k; a step loads the thread's rows of A and columns of B, and
// updates every accumulator it holds. mma.sync: Mma.c; wgmma: Wgmma.c.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "tile/Analysis/DotForm.h"
#include "tile/Analysis/Scratch.h"
#include <stdlib.h>

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
  FmaOperand o = {.element = tileDotOperandElement(value)};
  int64_t shape[TILE_MAX_RANK];
  lowerDotShape(value, shape);
  int rank = acc->rank, other = dim == rank - 2 ? rank - 1 : rank - 2;
  int64_t extent = tileLayoutExtent(*acc, dim), depth = shape[other];
  o.bytes = lowerElementBytes(o.element);
  o.pitch = extent * o.bytes;
  o.map = tileLayoutEmpty(1);
  o.map.outBits[0] = TILE_MAX_BITS;
  for (int in = 0; in <= TILE_WARP; ++in) {
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
  lowerDotShape(aTile, shape);
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
