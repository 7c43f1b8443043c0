//===- ConsoleSites.h - the sites of prints and asserts -----------*- C -*-===//
#ifndef TILE_CONVERSION_CONSOLESITES_H
#define TILE_CONVERSION_CONSOLESITES_H

#include "tile/Console.h"
#include "tile/IR.h"

/// The description of a tile.print or tile.assert (see tile/Console.h). The caller frees it.
char *tileConsoleDescribe(MlirOperation op);

/// Rank and extents of what a print's value `i` shows: of a tile that tile-pad-extents made larger,
/// those it had. Rank 0 for a value that is no tile.
int tileConsoleShape(MlirOperation print, intptr_t i, int64_t shape[TILE_MAX_RANK]);

#endif
