//===- SelectBranch.h - both branches, and a choice -------------*- C -*-===//
//
// Before:  %x = scf.if %c { %a = .. ; scf.yield %a } else { %b = .. ; scf.yield %b }
// After:   %a = .. ; %b = .. ; %x = arith.select %c, %a, %b
//
// tile-select-choices does so for tiles all over a kernel. On a processor a branch's tile goes
// through memory, as does what its steps carry, each by a loop of its own; as selections all that a
// step carries is one loop (torch.compile's means and variances begin in a branch of the first
// step).
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_SELECT_BRANCH_H
#define TILE_TRANSFORMS_SELECT_BRANCH_H

#include "tile/IR.h"

/// Loads a number, which a condition can be added to?
bool tileLoadsNumber(MlirOperation op);
/// Makes straight code of `op`, an scf.if with results that holds arithmetic and loads of numbers
/// alone. What is loaded is loaded under its branch's condition; what only that says is not 0 is 1
/// without it where it divides.
void tileSelectBranch(MlirOperation op);

/// Is `op` an scf.if that yields tiles, whose branches do arithmetic alone, CHOICE_OPS ops at most
/// for an element of what they yield?
bool tileIsChoice(MlirOperation op);
/// Makes straight code of such branches in `body`; false where it holds none.
bool tileSelectChoices(MlirBlock body);

#endif
