//===- OpTraits.h - what an op is -------------------------------*- C -*-===//
//
// What a pass has to know of ops that it does not know: it asks here instead of naming the ops that
// there are today, so that one added tomorrow takes part. The answers are those of the op's
// definition: its traits and effects in ODS (dialect/TileTraits.td says which ours are), or those
// of its dialect upstream.
//
// None keeps a handle; any thread may ask about an op that nobody changes meanwhile.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_OP_TRAITS_H
#define TILE_OP_TRAITS_H

#include "mlir-c/IR.h"
#include "tile/Traits.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Is element i of each result computed from the elements i of the operands, numbers standing for
/// tiles of them? Constants are not.
bool tileOpIsElementwise(MlirOperation op);

/// Do its regions see nothing from outside?
bool tileOpIsIsolated(MlirOperation op);

/// Does it depend on its operands alone, and do nothing but give results? Such an op may be moved,
/// cloned and made again wherever its operands are, and dropped where nobody reads it. Where it
/// would not have run, a division by 0 gives any number: no target of ours traps.
bool tileOpIsMovable(MlirOperation op);

/// Is it movable, and computes numbers or pointers from such, no tiles, buffers or descriptors? All
/// threads of a program get the same, but of what tells them apart.
bool tileOpIsScalarArithmetic(MlirOperation op);

/// Is it movable, and makes a tile of no other, which it could in any layout? Constants, splats,
/// indices.
bool tileOpIsSource(MlirOperation op);

/// What the op itself reads and writes, TileEffects or'ed; its regions' ops not counted. Making
/// room counts as writing. An op that says nothing may do anything.
uint32_t tileOpGetEffects(MlirOperation op);

#ifdef __cplusplus
}
#endif
#endif
