//===- Proxies.h - who reads and writes shared buffers ----------*- C -*-===//
//
// Products by wgmma, and boxes that leave, read shared memory by another proxy than threads' loads
// and stores: what threads stored goes through a fence before.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_PROXIES_H
#define TILE_TRANSFORMS_PROXIES_H

#include "tile/IR.h"

/// Does the op read buffers by other ways than threads' loads?
bool tileReadsByProxy(MlirOperation op);
/// Does the op write its operands that are shared buffers? The others read.
bool tileWritesBuffers(MlirOperation op);
/// Does `loop` read the buffer of `alloc` by such ways, and leave it as it is?
bool tileReadsByProxyAlone(MlirOperation loop, MlirOperation alloc);

/// Of a kernel: is something read so, and has the copy engine, or a role, a part in it? Where it
/// has, `reads` may be left out.
typedef struct {
  bool reads, engine;
} TileProxyUse;
TileProxyUse tileFindProxyUse(MlirOperation func);
/// Does a role alone copy boxes, products by wgmma alone read them, and threads store none?
bool tileBoxesAreOfProducts(MlirOperation func);

#endif
