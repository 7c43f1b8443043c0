//===- Names.h - what values are called in the text -------------*- C -*-===//
//
// MLIR forgets the names of values when it has parsed them. tileParse and tileParseFile keep them
// in locations, which passes hand on, and which MLIR's printer can name values by:
//
//   %x of a block's arguments    loc("x"("copy.mlir":3:17))
//   %v = tile.load ..            loc("v"("copy.mlir":4:8))
//   %a:2, %b = scf.for ..        loc("a"("0:2=a"("2:1=b"("copy.mlir":9:16))))
//
// So stages print them, and what a pass makes at the place of an op is called as its results are.
// One location says no more than one name to the printer, that of the first result; those of the
// others, each with its first result and how many have it, stand inside.
//===----------------------------------------------------------------------===//
#ifndef TILE_NAMES_H
#define TILE_NAMES_H

#include "mlir-c/IR.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The name, with its '%', of result `i` of an op, or of a block's argument (0), at the location;
/// `%a#1` where one name stands for several results. Cut to `size`; false where there is none.
bool tileNameFind(MlirLocation location, int i, char *name, size_t size);

/// Prints `op` with the names that its values have by their locations.
void tileNamePrint(MlirOperation op, MlirStringCallback callback, void *data);

#ifdef __cplusplus
}
#endif

#endif // TILE_NAMES_H
