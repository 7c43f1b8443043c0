//===- Hints.h - what mends a mistake ---------------------------*- C -*-===//
//
// MLIR says what is wrong with a text, and rarely what would be right. Out of an error, its place
// and the text around it this finds a word that was meant, or an op that is missing:
//
//   use of undeclared SSA value name '%ofs'        did you mean '%offs'?
//   custom op 'tile.laod' is unknown               did you mean 'tile.load'?
//   undefined symbol alias id 'prts'               did you mean '!ptrs'?
//   .. to be one of: eq, ne, slt, ..               did you mean 'slt'?
//   expected the name of a kernel, found 'ad'      did you mean 'add'?
//   use of value '%n' expects different type       %n is a scalar: insert '%n_tile = tile.splat %n
//   than prior uses: 'tensor<4xi32>' vs 'i32'      : i32 -> tensor<4xi32>' above, and use '%n_tile'
//
// Both forms can be carried out as they are written: 'WORD' takes the place of the word at the
// error, and what is to be inserted is a line above (the language server's quick fixes do so).
//===----------------------------------------------------------------------===//
#ifndef TILE_HINTS_H
#define TILE_HINTS_H

#include "mlir-c/IR.h"
#include "tile/Text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Adds the hint to `hint`; false, and nothing is added, where there is none. `text` is the whole
/// file, `offset` the byte of it that the error is at. Loads dialects into the context.
bool tileHintFind(MlirContext context, MlirStringRef text, size_t offset, MlirStringRef message,
                  TileText *hint);

/// Emits an error at `loc`: that meta-parameter `name` has no value, of which names `meta`, the
/// kernel's dictionary (or null), has, and which of them may have been meant. `other`: where else
/// one might have come from, as "facts".
void tileHintUnboundMeta(MlirLocation loc, MlirAttribute meta, MlirStringRef name,
                         const char *other);

#ifdef __cplusplus
}
#endif
#endif // TILE_HINTS_H
