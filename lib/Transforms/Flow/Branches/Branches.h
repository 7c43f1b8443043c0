//===- Branches.h - loops out of branches -----------------------*- C -*-===//
#ifndef TILE_TRANSFORMS_BRANCHES_H
#define TILE_TRANSFORMS_BRANCHES_H

#include "tile/IR.h"

/// Why boxes of `op` could not be copied ahead for its being in a branch; null where it is in none,
/// but for those that tileLeaveBranches takes its loops out of.
const char *tileWhyInBranch(MlirOperation op);

/// Takes the loops around `op`, of which tileWhyInBranch has nothing to say, out of all branches.
void tileLeaveBranches(MlirOperation op);

#endif
