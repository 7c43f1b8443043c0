//===- MachineNumbers.h - the numbers that decide what pays -----*- C -*-===//
//
// A pass asks for a number by its name:
//
//   int slots = tileMachineNumber(machine, TILE_NUMBER_RING_STAGES);
//
// Each is a line of tile/MachineNumbers.def, with its value, its unit, who asks for it and how it
// was found; docs/compiler/machine.md shows them as a table. The names alone come here: where a
// value or an origin changes, lib/Machine/Numbers.c is compiled again and nothing else.
//
// Everything here is constant, for any thread, and needs no MLIR.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_MACHINENUMBERS_H
#define TILE_MACHINENUMBERS_H

#include "tile/Machine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileNumber {
#include "tile/MachineNumberNames.inc" // of the .def, made by CMakeLists.txt
  TILE_NUMBERS,                        ///< how many there are
} TileNumber;

typedef struct TileNumberInfo {
  const char *name; ///< as "RING_STAGES"
  int value;        ///< where a record does not say otherwise
  const char *unit, *pass, *what, *origin;
} TileNumberInfo;

/// What is told of a number. Static.
const TileNumberInfo *tileNumberGetInfo(TileNumber number);

/// Where a chip differs from what all others have.
typedef struct TileNumberChange {
  TileNumber number;
  int value;
  const char *origin;
} TileNumberChange;

/// A number as `machine` has it.
int tileMachineNumber(const TileMachine *machine, TileNumber number);
/// How it was found: the change's origin where the machine has one.
const char *tileMachineNumberOrigin(const TileMachine *machine, TileNumber number);

#ifdef __cplusplus
}
#endif

#endif // TILE_MACHINENUMBERS_H
