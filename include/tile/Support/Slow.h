//===- Slow.h - warnings about slow roads -----------------------*- C -*-===//
//
// Whoever leaves a kernel on a road that is slower than another one that it could take says so, at
// the kernel's line: what was expected for the faster road, which is also what mends it. These are
// warnings, since a user who asks nothing is to hear them; their text ends in a name, as compilers'
// do, by which they are silenced (tile-run -Wno-slow).
//
//   tileEmitSlow(location, "dot is computed by fma: expected 16 or more of K");
//   x.mlir:12:8: warning: dot is computed by fma: expected 16 or more of K [-Wslow]
//
//===----------------------------------------------------------------------===//
#ifndef TILE_SLOW_H
#define TILE_SLOW_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the text of such a warning ends in.
#define TILE_SLOW_MARK " [-Wslow]"

/// Emits the warning, but for rare code. The text follows "..: expected .., found ..".
void tileEmitSlow(MlirLocation location, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// `location` as that of code of which a faster version is there for nearly all numbers: a slow
/// road in it is nobody's concern. Diagnostics name the same place as before.
MlirLocation tileLocationMarkRare(MlirLocation location);
bool tileLocationIsRare(MlirLocation location);

#ifdef __cplusplus
}
#endif
#endif // TILE_SLOW_H
