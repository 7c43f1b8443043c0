//===- Version.h - which tile this is ---------------------------*- C -*-===//
#ifndef TILE_SUPPORT_VERSION_H
#define TILE_SUPPORT_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

/// tile's own version with that of the LLVM that is loaded beside it: "0.1.0 (LLVM 22.1.8)".
/// Static.
const char *tileVersionGet(void);

#ifdef __cplusplus
}
#endif

#endif // TILE_SUPPORT_VERSION_H
