//===- FastMath.h - what arithmetic may be ----------------------*- C -*-===//
#ifndef TILE_FASTMATH_H
#define TILE_FASTMATH_H

#include "tile/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Has the op fastmath<NAME> ("afn", "arcp", ..), or <fast>, which includes all?
bool tileOpHasFastMath(MlirOperation op, const char *name);

#ifdef __cplusplus
}
#endif
#endif
