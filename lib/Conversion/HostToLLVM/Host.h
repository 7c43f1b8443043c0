//===- Host.h - what the files of convert-tile-host share -----------------===//
#ifndef TILE_CONVERSION_HOST_H
#define TILE_CONVERSION_HOST_H

#include "tile/Conversion/HostToLLVM.h"
#include "tile/IR.h"
#include "tile/Passes.h"

/// One run of the pass.
typedef struct Host {
  MlirContext context;
  MlirOperation module;
  const TileConvertTileHostOptions *options;
  MlirType index, i32, i64;
  /// The launch being lowered, and whether the runtime chooses a configuration for it.
  MlirOperation launch;
  bool chooses;
} Host;

/// Replaces one tile op by calls of the runtime.
MlirLogicalResult tileHostLowerArrayOp(Host *h, MlirOperation op);
MlirLogicalResult tileHostLowerLaunch(Host *h, MlirOperation op);

/// Inserts tileHostTouch in front of host code in the body of `func`, where launches still stand.
void tileHostInsertTouches(Host *h, MlirOperation func);

/// Calls @name, declared at the first use, and returns its result, or a null value for a function
/// without one (`result` is then a null type).
MlirValue tileHostCall(Host *h, TileBuilder *b, const char *name, MlirType result, intptr_t count,
                       const MlirValue *arguments);

/// The number of a host op as an i64 constant.
MlirValue tileHostSite(Host *h, TileBuilder *b, MlirOperation op);

/// The address of a memref's first element, as an i64.
MlirValue tileHostAddress(Host *h, TileBuilder *b, MlirValue memref);

/// A buffer of `count` i64 (1 at least) in the frame of the function around `op`.
MlirValue tileHostBuffer(Host *h, MlirOperation op, int64_t count);
/// buffer[i] = value, an i64.
void tileHostStore(Host *h, TileBuilder *b, MlirValue buffer, int64_t i, MlirValue value);
/// buffer[i]
MlirValue tileHostLoad(Host *h, TileBuilder *b, MlirValue buffer, int64_t i);

/// An integer, index or float of 64 bits or less as the low bits of an i64, and back. A null value
/// for another type.
MlirValue tileHostToBits(Host *h, TileBuilder *b, MlirValue value);
MlirValue tileHostFromBits(Host *h, TileBuilder *b, MlirValue bits, MlirType type);

/// `value`, an index, i32 or i64, as an i64.
MlirValue tileHostToI64(Host *h, TileBuilder *b, MlirValue value);

#endif // TILE_CONVERSION_HOST_H
