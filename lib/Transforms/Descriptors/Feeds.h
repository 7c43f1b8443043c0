//===- Feeds.h - what loads lead to, and stores come from -------*- C -*-===//
#ifndef TILE_TRANSFORMS_FEEDS_H
#define TILE_TRANSFORMS_FEEDS_H

#include "../Loops.h"

/// Is a dot of `func` in a loop? Of a kernel without, no step is copied ahead.
bool tileMultipliesInLoop(MlirOperation func);
/// Does `value` reach an operand of a dot: moved or reinterpreted at most, or, where it
/// is a tile that `converts`, computed element by element, too? A dot counts that reads boxes where
/// the program has so many `warps`: with 0 those for wgmma alone.
bool tileFeedsDot(MlirValue value, bool converts, int64_t warps);
/// Is `op` a load, by pointers or of a box, whose tile a dot reads as it comes?
bool tileIsDotOperand(MlirOperation op);
/// Is it one that threads compute with, and store for a dot's B?
bool tileIsStoredForB(MlirOperation op);
/// Is `value` computed from a dot, element by element?
bool tileComesFromDot(MlirValue value);
/// Is `value` a transposed product, element by element? See tile-transpose-dots.
bool tileIsTransposedProduct(MlirValue value);

#endif
