//===- HostOps.c - arrays of host programs --------------------------------===//
#include "Host.h"
#include <stdio.h>

/// Fails where the array's elements are not one after the other from its first.
static MlirLogicalResult expectContiguous(MlirValue array, MlirLocation loc) {
  MlirType type = mlirValueGetType(array);
  MlirAffineMap map = mlirMemRefTypeGetAffineMap(type);
  if (mlirAffineMapIsIdentity(map)) return mlirLogicalResultSuccess();
  tileEmitError(loc,
                "expected an array whose elements are contiguous, found a memref with strides");
  return mlirLogicalResultFailure();
}

/// A buffer with the extents of `array`; its address.
static MlirValue storeExtents(Host *h, TileBuilder *b, MlirOperation op, MlirValue array) {
  MlirType type = mlirValueGetType(array);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirValue buffer = tileHostBuffer(h, op, rank);
  for (intptr_t i = 0; i < rank; ++i) {
    // %d = memref.dim %array, %i
    MlirValue axis = tileBuildInt(b, h->index, i);
    MlirValue extent = tileBuild(b, "memref.dim", h->index, TILE_VALUES(array, axis));
    MlirValue wide = tileHostToI64(h, b, extent);
    tileHostStore(h, b, buffer, i, wide);
  }
  return tileHostAddress(h, b, buffer);
}

/// The memref of `type` at `address`, row-major, with `extents` (i64). Its descriptor is made in
/// the llvm dialect, since no upstream op makes a memref from an address.
static MlirValue buildMemref(Host *h, TileBuilder *b, MlirType type, MlirValue address,
                             const MlirValue *extents) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  char text[128];
  if (rank)
    snprintf(text, sizeof text, "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>",
             (int)rank, (int)rank);
  else
    snprintf(text, sizeof text, "!llvm.struct<(ptr, ptr, i64)>");
  MlirType descriptorType = mlirTypeParseGet(h->context, tileString(text));
  MlirType pointerType = mlirTypeParseGet(h->context, tileString("!llvm.ptr"));
  MlirValue pointer = tileBuildUnary(b, "llvm.inttoptr", pointerType, address);
  MlirValue zero = tileBuildInt(b, h->i64, 0);
  MlirValue strides[16];
  if (rank) strides[rank - 1] = tileBuildInt(b, h->i64, 1);
  if (rank > 1) strides[rank - 2] = extents[rank - 1];
  for (intptr_t i = rank - 2; i-- > 0;)
    strides[i] = tileBuildBinary(b, "arith.muli", strides[i + 1], extents[i + 1]);
  MlirValue descriptor = tileBuild(b, "llvm.mlir.poison", descriptorType, TILE_NONE);
  for (intptr_t i = 0; i < 3 + 2 * rank; ++i) {
    // llvm.insertvalue %part, %descriptor[field, element]
    MlirValue part = i < 2          ? pointer
                     : i == 2       ? zero
                     : i < 3 + rank ? extents[i - 3]
                                    : strides[i - 3 - rank];
    int64_t position[2] = {i < 3 ? i : i < 3 + rank ? 3 : 4, i < 3 + rank ? i - 3 : i - 3 - rank};
    MlirAttribute where = mlirDenseI64ArrayGet(h->context, i < 3 ? 1 : 2, position);
    descriptor = tileResult(tileBuildOp(b, "llvm.insertvalue", TILE_VALUES(descriptor, part), 1,
                                        &descriptorType, TILE_ATTRS({"position", where}), 0));
  }
  return tileBuildUnary(b, "builtin.unrealized_conversion_cast", type, descriptor);
}

/// tile_host.alloc, tile_host.random and tile_host.read: a call that returns the data of a new
/// array.
static MlirLogicalResult lowerSource(Host *h, MlirOperation op, const char *function) {
  TileBuilder b = tileBuilderBefore(op);
  MlirValue result = tileResult(op);
  MlirType type = mlirValueGetType(result);
  TILE_TRY(expectContiguous(result, b.location));
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank > 16) {
    tileEmitError(b.location, "expected an array of rank 16 at most, found rank %d", (int)rank);
    return mlirLogicalResultFailure();
  }
  bool reads = tileOpIsARead(op);
  MlirValue buffer = tileHostBuffer(h, op, rank);
  MlirValue extents[16];
  for (intptr_t i = 0, next = 0; i < rank; ++i) {
    if (!mlirShapedTypeIsDynamicDim(type, i))
      extents[i] = tileBuildInt(&b, h->i64, mlirShapedTypeGetDimSize(type, i));
    else if (!reads)
      extents[i] = tileHostToI64(h, &b, mlirOperationGetOperand(op, next++));
    if (!reads) tileHostStore(h, &b, buffer, i, extents[i]);
  }
  MlirValue site = tileHostSite(h, &b, op);
  MlirValue bufferAddress = tileHostAddress(h, &b, buffer);
  MlirValue address = tileHostCall(h, &b, function, h->i64, TILE_VALUES(site, bufferAddress));
  for (intptr_t i = 0; reads && i < rank; ++i)
    if (mlirShapedTypeIsDynamicDim(type, i)) extents[i] = tileHostLoad(h, &b, buffer, i);
  MlirValue memref = buildMemref(h, &b, type, address, extents);
  tileReplaceOp(op, TILE_VALUES(memref));
  return mlirLogicalResultSuccess();
}

/// tile_host.write and tile_host.dump.
static MlirLogicalResult lowerSink(Host *h, MlirOperation op, const char *function) {
  TileBuilder b = tileBuilderBefore(op);
  MlirValue array = tileOperand(op, 0);
  TILE_TRY(expectContiguous(array, b.location));
  MlirValue site = tileHostSite(h, &b, op);
  MlirValue address = tileHostAddress(h, &b, array);
  MlirValue extents = storeExtents(h, &b, op, array);
  tileHostCall(h, &b, function, (MlirType){NULL}, TILE_VALUES(site, address, extents));
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult lowerMultiprocessors(Host *h, MlirOperation op) {
  TileBuilder b = tileBuilderBefore(op);
  MlirValue site = tileHostSite(h, &b, op);
  MlirValue count = tileHostCall(h, &b, "tileHostMultiprocessors", h->i32, TILE_VALUES(site));
  tileReplaceOp(op, TILE_VALUES(count));
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult lowerExpectClose(Host *h, MlirOperation op) {
  TileBuilder b = tileBuilderBefore(op);
  MlirValue got = tileExpectCloseGetGot(op);
  MlirValue want = tileExpectCloseGetWant(op);
  TILE_TRY(expectContiguous(got, b.location));
  TILE_TRY(expectContiguous(want, b.location));
  MlirValue site = tileHostSite(h, &b, op);
  MlirValue gotAddress = tileHostAddress(h, &b, got);
  MlirValue gotExtents = storeExtents(h, &b, op, got);
  MlirValue wantAddress = tileHostAddress(h, &b, want);
  MlirValue wantExtents = storeExtents(h, &b, op, want);
  tileHostCall(h, &b, "tileHostExpectClose", (MlirType){NULL},
               TILE_VALUES(site, gotAddress, gotExtents, wantAddress, wantExtents));
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult tileHostLowerArrayOp(Host *h, MlirOperation op) {
  if (tileOpIsAAlloc(op)) return lowerSource(h, op, "tileHostAlloc");
  if (tileOpIsARandom(op)) return lowerSource(h, op, "tileHostRandom");
  if (tileOpIsARead(op)) return lowerSource(h, op, "tileHostRead");
  if (tileOpIsAWrite(op)) return lowerSink(h, op, "tileHostWrite");
  if (tileOpIsADump(op)) return lowerSink(h, op, "tileHostDump");
  if (tileOpIsAMultiprocessors(op)) return lowerMultiprocessors(h, op);
  return lowerExpectClose(h, op);
}
