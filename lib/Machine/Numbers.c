//===- Numbers.c - numbers that decide profit -----------------------------===//
#include "tile/MachineNumbers.h"

static const TileNumberInfo numbers[] = {
#define TILE_NUMBER(name, value, unit, pass, what, origin) {#name, value, unit, pass, what, origin},
#include "tile/MachineNumbers.def"
#undef TILE_NUMBER
};

const TileNumberInfo *tileNumberGetInfo(TileNumber number) { return &numbers[number]; }

static const TileNumberChange *changeOf(const TileMachine *machine, TileNumber number) {
  for (int i = 0; i < machine->numChanges; ++i)
    if (machine->changes[i].number == number) return &machine->changes[i];
  return NULL;
}

int tileMachineNumber(const TileMachine *machine, TileNumber number) {
  const TileNumberChange *change = changeOf(machine, number);
  return change ? change->value : numbers[number].value;
}

const char *tileMachineNumberOrigin(const TileMachine *machine, TileNumber number) {
  const TileNumberChange *change = changeOf(machine, number);
  return change ? change->origin : numbers[number].origin;
}
