//===- Shared.c - shared memory: buffers and asynchronous copies ----------===//
//
// A buffer is its byte offset. The address of what a thread holds is linear over
// F2 in register, lane and warp, so each access is the thread's part, computed
// once, xor a constant of the register; an addition where their bits are disjoint,
// which then folds into the instruction.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "tile/Scratch.h"
#include <stdio.h>
#include <stdlib.h>

LowerAddress lowerBufferAddress(Lowering *l, MlirValue buffer, const TileLayout *map, int bytes) {
  // The offset is the last output of a position map.
  LowerAddress a = {.map = *map, .dim = map->rank - 1, .bytes = bytes, .buffer = buffer};
  a.disjoint = lowerPartsAreDisjoint(map, a.dim);
  MlirValue elements = lowerThreadPart(l, map, a.dim);
  MlirValue scale = lowerI32(l, bytes);
  a.start = tileBuildBinary(&l->b, "arith.muli", elements, scale);
  return a;
}

MlirValue lowerBufferPointer(Lowering *l, const LowerAddress *a, int reg, MlirValue extra) {
  MlirValue at = a->start;
  int64_t part = lowerRegisterPart(&a->map, reg, a->dim) * a->bytes;
  if (!mlirValueIsNull(extra)) at = tileBuildBinary(&l->b, "arith.xori", at, extra);
  // ldmatrix rows add bits of their own: then only xor is right.
  bool add = a->disjoint && mlirValueIsNull(extra);
  if (part && !add) {
    MlirValue constant = lowerI32(l, part);
    at = tileBuildBinary(&l->b, "arith.xori", at, constant);
  }
  at = tileBuildBinary(&l->b, "arith.addi", at, a->buffer);
  if (part && add) {
    MlirValue constant = lowerI32(l, part);
    at = tileBuildBinary(&l->b, "arith.addi", at, constant);
  }
  return lowerSharedPointer(l, at);
}

MlirValue lowerMatrixRows(Lowering *l, const TileLdmatrix *plan, int elementBytes) {
  TileLayout rows = tileLayoutEmpty(1);
  rows.outBits[0] = TILE_MAX_BITS;
  rows.inBits[TILE_LANE] = TILE_LANE_BITS;
  for (int b = 0; b < TILE_LANE_BITS; ++b)
    rows.bases[TILE_LANE][b] = plan->laneOffset[b] * (uint32_t)elementBytes;
  return lowerThreadPart(l, &rows, 0);
}

LowerAddress lowerMatrixAddress(Lowering *l, MlirValue buffer, const TileLdmatrix *plan,
                                int elementBytes) {
  // Only registers and warps place a fragment.
  TileLayout map = plan->address;
  for (int b = 0; b < map.inBits[TILE_LANE]; ++b) map.bases[TILE_LANE][b] = 0;
  return lowerBufferAddress(l, buffer, &map, elementBytes);
}

MlirLogicalResult lowerAllocShared(Lowering *l, MlirOperation op) {
  if (mlirAttributeIsNull(tileAllocSharedGetOffsetAttr(op))) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a buffer with an offset (see tile-allocate-shared), found none");
    return mlirLogicalResultFailure();
  }
  lowerSet(l, tileResult(op), lowerI32(l, lowerSharedOffset(op)));
  return mlirLogicalResultSuccess();
}

/// %block = %ring + %stage * bytes
MlirLogicalResult lowerBufferStage(Lowering *l, MlirOperation op) {
  MlirValue bytes = lowerI32(l, tileBufferBytes(mlirValueGetType(tileResult(op))));
  MlirValue stage = lowerGet(l, tileBufferStageGetStage(op));
  MlirValue offset = tileBuildBinary(&l->b, "arith.muli", stage, bytes);
  MlirValue ring = lowerGet(l, tileBufferStageGetRing(op));
  lowerSet(l, tileResult(op), tileBuildBinary(&l->b, "arith.addi", ring, offset));
  return mlirLogicalResultSuccess();
}

/// Where the registers of `tile` (its type) lie in `buffer`.
static bool planAccess(Lowering *l, MlirOperation op, MlirType tile, MlirValue buffer,
                       TileLayout *layout, TileLayout *shared, LowerAddress *address) {
  MlirLocation loc = mlirOperationGetLocation(op);
  TileLayout map;
  if (!lowerLayoutOf(loc, tile, layout)) return false;
  *shared = tileBufferLayout(mlirValueGetType(buffer));
  if (!tileLayoutIsValid(*shared) || !tileLayoutSharedAddress(*layout, *shared, &map)) {
    tileEmitError(loc,
                  "expected a buffer whose rows are as long as its swizzle, found shorter ones");
    return false;
  }
  *address =
      lowerBufferAddress(l, lowerGet(l, buffer), &map, lowerElementBytes(tileElementType(tile)));
  return true;
}

/// i1 tiles are bytes in shared memory.
static MlirType storedElement(MlirType element) {
  return tileBitWidth(element) == 1 ? tileI8(mlirTypeGetContext(element)) : element;
}

/// nvvm.stmatrix %p, %words: fragments of matrix instructions, 16 bytes a row of 8.
static void storeMatrices(Lowering *l, const TileLdmatrix *plan, MlirValue buffer, int registers,
                          MlirValue value) {
  MlirContext c = l->b.context;
  LowerAddress address = lowerMatrixAddress(l, buffer, plan, 2);
  MlirValue rows = lowerMatrixRows(l, plan, 2);
  MlirValue words = lowerBitcast(l, value, tileVectorType(registers / 2, tileI32(c)));
  MlirAttribute layout =
      tileParseAttr(c, plan->transposed ? "#nvvm.mma_layout<col>" : "#nvvm.mma_layout<row>");
  MlirAttribute shape = tileParseAttr(c, "#nvvm.ld_st_matrix_shape<m = 8, n = 8>");
  MlirAttribute element = tileParseAttr(c, "#nvvm.ld_st_matrix_elt_type<b16>");
  for (int w = 0; w < registers / 2; w += plan->count) {
    MlirValue operands[5];
    operands[0] = lowerBufferPointer(l, &address, 2 * w, rows);
    for (int i = 0; i < plan->count; ++i) operands[1 + i] = lowerExtract(l, words, w + i);
    tileBuildOp(&l->b, "nvvm.stmatrix", 1 + plan->count, operands, TILE_NONE,
                TILE_ATTRS({"layout", layout}, {"shape", shape}, {"eltType", element}), 0);
  }
}

MlirLogicalResult lowerBufferStore(Lowering *l, MlirOperation op) {
  TileLayout layout, shared;
  LowerAddress address;
  MlirType type = mlirValueGetType(tileBufferStoreGetValue(op)),
           element = lowerElementType(tileElementType(type));
  if (!planAccess(l, op, type, tileBufferStoreGetBuffer(op), &layout, &shared, &address))
    return mlirLogicalResultFailure();
  int vector = tileLayoutSharedVector(layout, shared, address.bytes);
  MlirValue value = lowerGet(l, tileBufferStoreGetValue(op));
  if (!mlirTypeEqual(element, storedElement(element)))
    value =
        tileBuildUnary(&l->b, "arith.extui",
                       tileVectorType(lowerNumRegisters(&layout), storedElement(element)), value);
  uint32_t copies = tileLayoutFreeBits(layout, TILE_REGISTER);
  TileLdmatrix plan;
  if (l->arch >= 90 && address.bytes == 2 && vector < 8 && !copies &&
      tileLayoutSupportsLdmatrix(layout, shared, 2, &plan)) {
    storeMatrices(l, &plan, lowerGet(l, tileBufferStoreGetBuffer(op)), lowerNumRegisters(&layout),
                  value);
    return mlirLogicalResultSuccess();
  }
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), vector * address.bytes);
  for (int r = 0; r < lowerNumRegisters(&layout); r += vector) {
    if ((uint32_t)r & copies) continue;
    // Threads that hold one element write the same value to the same place.
    MlirValue part = lowerExtractSlice(l, value, r, vector);
    MlirValue pointer = lowerBufferPointer(l, &address, r, (MlirValue){NULL});
    tileBuildOp(&l->b, "llvm.store", TILE_VALUES(part, pointer), TILE_NONE,
                TILE_ATTRS({"alignment", alignment}), 0);
  }
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerBufferLoad(Lowering *l, MlirOperation op) {
  TileLayout layout, shared;
  LowerAddress address;
  MlirType type = mlirValueGetType(tileResult(op)),
           element = lowerElementType(tileElementType(type));
  if (!planAccess(l, op, type, tileBufferLoadGetBuffer(op), &layout, &shared, &address))
    return mlirLogicalResultFailure();
  int vector = tileLayoutSharedVector(layout, shared, address.bytes),
      n = lowerNumRegisters(&layout);
  MlirType part = tileVectorType(vector, storedElement(element));
  MlirValue whole = tileBuildZero(&l->b, tileVectorType(n, storedElement(element)));
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), vector * address.bytes);
  for (int r = 0; r < n; r += vector) {
    MlirValue pointer = lowerBufferPointer(l, &address, r, (MlirValue){NULL});
    MlirValue loaded = tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &part,
                                              TILE_ATTRS({"alignment", alignment}), 0));
    whole = lowerInsertSlice(l, loaded, whole, r);
  }
  if (!mlirTypeEqual(element, storedElement(element))) {
    MlirValue zero = tileBuildInt(&l->b, mlirValueGetType(whole), 0);
    whole = tileBuildCmpi(&l->b, TILE_NE, whole, zero);
  }
  lowerSet(l, tileResult(op), whole);
  return mlirLogicalResultSuccess();
}

//===- asynchronous copies ------------------------------------------------===//

/// cp.async.cg.shared.global [%dst], [%src], 16, %n;  with n = 0 where the mask is off: zeros
MlirLogicalResult lowerAsyncCopy(Lowering *l, MlirOperation op) {
  TileLayout layout, shared;
  LowerAddress address;
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType type = mlirValueGetType(tileAsyncCopyGetPtr(op));
  MlirType pointee = tilePtrTypeGetPointee(tileElementType(type));
  MlirType tile = tileWithElement(type, pointee);
  if (!planAccess(l, op, tile, tileAsyncCopyGetBuffer(op), &layout, &shared, &address))
    return mlirLogicalResultFailure();
  int vector = tileLayoutSharedVector(layout, shared, address.bytes);
  int run = tileAxisAccessVectorIn(l->axis, op, layout);
  if (run < vector) vector = run;
  int bytes = vector * address.bytes;
  if (bytes != 4 && bytes != 8 && bytes != 16) {
    tileEmitError(loc, "expected runs of 4, 8 or 16 bytes for an asynchronous copy, found %d",
                  bytes);
    return mlirLogicalResultFailure();
  }
  MlirValue pointers = lowerGet(l, tileAsyncCopyGetPtr(op)), maskTile = tileAsyncCopyGetMask(op);
  char text[96];
  snprintf(text, sizeof text, "cp.async.%s.shared.global [$0], [$1], %d, $2;",
           bytes == 16 ? "cg" : "ca", bytes);
  uint32_t copies = tileLayoutFreeBits(layout, TILE_REGISTER);
  MlirValue full = lowerI32(l, bytes), none = lowerI32(l, 0);
  for (int r = 0; r < lowerNumRegisters(&layout); r += vector) {
    if ((uint32_t)r & copies) continue;
    MlirValue source = lowerExtract(l, pointers, r), size = full;
    MlirValue target = lowerBufferPointer(l, &address, r, (MlirValue){NULL});
    target = tileBuildUnary(&l->b, "llvm.ptrtoint", tileI32(l->b.context), target);
    if (!mlirValueIsNull(maskTile)) {
      MlirValue on = lowerExtract(l, lowerGet(l, maskTile), r);
      size = tileBuildSelect(&l->b, on, full, none);
    }
    lowerInlineAsm(l, text, "r,l,r", (MlirType){NULL}, TILE_VALUES(target, source, size));
  }
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerAsyncCommit(Lowering *l, MlirOperation op) {
  (void)op;
  tileBuildOp(&l->b, "nvvm.cp.async.commit.group", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerAsyncWait(Lowering *l, MlirOperation op) {
  MlirAttribute pending = mlirIntegerAttrGet(tileI32(l->b.context), tileAsyncWaitGetPending(op));
  tileBuildOp(&l->b, "nvvm.cp.async.wait.group", TILE_NONE, TILE_NONE, TILE_ATTRS({"n", pending}),
              0);
  return mlirLogicalResultSuccess();
}
