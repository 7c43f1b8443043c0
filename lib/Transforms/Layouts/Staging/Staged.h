//===- Staged.h - operands that threads store to shared memory --*- C -*-===//
#ifndef TILE_TRANSFORMS_STAGED_H
#define TILE_TRANSFORMS_STAGED_H

#include "tile/IR.h"

/// Is `store`, a tile_gpu.buffer_store, the one that fills a buffer of its block, which others only
/// read?
bool tileFillsAlone(MlirOperation store);

/// Does the buffer that `other` fills hold what `store` stores: the same tile in the same way, or
/// transposed under the names of its own transpose, which is the same bytes?
bool tileIsStagedBy(MlirOperation store, MlirOperation other);

/// The first store in front of `store`, in its block, whose buffer, which others only read, holds
/// what it stores; null: there is none.
MlirOperation tileFindStaged(MlirOperation store);

/// Has readers of what `store` fills read what `other` does; `store` and its buffer are gone then.
void tileReadStaged(MlirOperation store, MlirOperation other);

/// The store of what `conversion` converts, as an operand, in its block, where the conversion goes
/// through shared memory and can as well read what is stored; else null.
MlirOperation tileFindStoreToRead(MlirOperation conversion);

#endif
