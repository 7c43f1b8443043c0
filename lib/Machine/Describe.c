//===- Describe.c - machines as text --------------------------------------===//
#include "tile/MachineNumbers.h"
#include <ctype.h>

//===- one machine --------------------------------------------------------===//

static void printFeatures(const TileMachine *machine, FILE *file) {
  const char *separator = "";
  for (int i = 0; i < TILE_FEATURES; ++i) {
    if (!tileMachineHas(machine, 1u << i)) continue;
    fprintf(file, "%s%s", separator, tileFeatureGetName((TileFeature)(1u << i)));
    separator = ", ";
  }
  if (!machine->features) fputs("none beyond those of all", file);
}

static void printTypes(unsigned types, FILE *file) {
  const char *separator = "";
  for (int i = 0; i < TILE_MATRIX_TYPES; ++i) {
    if (!(types & 1u << i)) continue;
    fprintf(file, "%s%s", separator, tileMatrixTypeGetName((TileMatrixType)(1u << i)));
    separator = "/";
  }
}

static const char *placeName(unsigned places) {
  if (places == TILE_PLACE_REGISTERS) return "registers";
  return places == TILE_PLACE_SHARED ? "shared" : "registers or shared";
}

static void printMatrix(const TileMatrix *m, FILE *file) {
  fprintf(file, "%s m%d n", tileMatrixFamilyGetName(m->family), m->m);
  if (m->leastN == m->mostN)
    fprintf(file, "%d", m->leastN);
  else
    fprintf(file, "%d..%d by %d", m->leastN, m->mostN, m->stepN);
  if (m->wideStepN != m->stepN) fprintf(file, " (by %d above 32)", m->wideStepN);
  fprintf(file, " k%d: ", m->k);
  printTypes(m->a, file);
  fputs(" x ", file);
  printTypes(m->b, file);
  fputs(" -> ", file);
  printTypes(m->acc, file);
  if (m->placesB & TILE_PLACE_SHARED)
    fprintf(file, "; A in %s, B in %s", placeName(m->placesA), placeName(m->placesB));
  if (m->majors)
    fprintf(file, "; %s", m->majors & TILE_MAJOR_MN ? "K or M, N fastest" : "K fastest");
}

/// RING_STAGES as ring-stages.
static void printName(const char *name, FILE *file) {
  for (; *name; ++name) fputc(*name == '_' ? '-' : tolower((unsigned char)*name), file);
}

static void printRates(const TileMachine *machine, FILE *file) {
  static const char *const names[] = {"f32",       "f64",       "f16 matrix", "tf32 matrix",
                                      "f8 matrix", "i8 matrix", "f64 matrix"};
  const char *separator = "";
  for (int i = 0; i < TILE_RATES; ++i) {
    if (!machine->rates[i]) continue;
    fprintf(file, "%s%s %d", separator, names[i], machine->rates[i]);
    separator = ", ";
  }
}

static void printLimits(const TileMachine *m, FILE *file) {
  fprintf(file, "  board: %s, %d multiprocessors\n", m->board, m->multiprocessors);
  fputs("  features: ", file);
  printFeatures(m, file);
  fprintf(file, "\n  roles: %s\n", tileMachineHasRoles(m) ? "yes" : "no");
  fprintf(file, "  shared memory: %d bytes a block, %d a multiprocessor\n", m->sharedBytes,
          m->multiprocessorSharedBytes);
  fprintf(file, "  shared memory is taken in units of %d bytes, %d a block by the system\n",
          m->sharedGranule, m->systemSharedBytes);
  fprintf(file, "  registers: %d a multiprocessor, %d a thread, in units of %d a warp\n",
          m->registers, m->threadRegisters, m->warpRegisterGranule);
  fprintf(file, "  threads: %d a block; %d warps, %d blocks a multiprocessor\n", m->threads,
          m->warps, m->blocks);
  fprintf(file, "  barriers: %d a block\n  clusters: of up to %d blocks\n", m->namedBarriers,
          m->clusterBlocks);
  fprintf(file, "  memory: lines of %d bytes, accesses of %d\n", m->lineBytes, m->accessBytes);
  fprintf(file, "  copies: cp.async of 4 to %d bytes", m->accessBytes);
  if (m->boxRank)
    fprintf(file,
            "; boxes of %d dimensions of up to %d, on multiples of %d bytes, swizzled in rows of "
            "up to %d bytes, by %d%s; stores of boxes",
            m->boxRank, m->boxExtent, m->boxAlignment, m->swizzleBytes, m->swizzleRows,
            tileMachineHas(m, TILE_FEATURE_MULTICAST) ? ", to several blocks" : "");
  fputs("\n  operations a clock and multiprocessor: ", file);
  printRates(m, file);
  fputc('\n', file);
}

void tileMachineDescribe(const TileMachine *machine, FILE *file) {
  fprintf(file, "machine %s: compute capability %d.%d%s, PTX %d.%d\n", machine->name,
          machine->major, machine->minor, machine->exact ? " alone" : " and later",
          machine->ptx / 10, machine->ptx % 10);
  printLimits(machine, file);
  const TileMatrix *m = NULL;
  while ((m = tileMachineNextMatrix(machine, m))) {
    fputs("  matrix: ", file);
    printMatrix(m, file);
    fputc('\n', file);
  }
  for (int i = 0; i < TILE_NUMBERS; ++i) {
    const TileNumberInfo *info = tileNumberGetInfo((TileNumber)i);
    fputs("  number: ", file);
    printName(info->name, file);
    fprintf(file, " = %d %s (%s: %s): %s\n", tileMachineNumber(machine, (TileNumber)i), info->unit,
            info->pass, info->what, tileMachineNumberOrigin(machine, (TileNumber)i));
  }
}

//===- the page -----------------------------------------------------------===//

static void writeMachines(FILE *file) {
  fputs("| chip | board | multiprocessors | shared memory of a block | warps | features | roles |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n",
        file);
  const TileMachine *m;
  for (int i = 0; (m = tileMachineGet(i)); ++i) {
    fprintf(file, "| `%s` | %s | %d | %d | %d | ", m->name, m->board, m->multiprocessors,
            m->sharedBytes, m->warps);
    printFeatures(m, file);
    fprintf(file, " | %s |\n", tileMachineHasRoles(m) ? "yes" : "no");
  }
}

/// Rows of the table that chips have, each with the first chip that has it.
static void writeMatrices(FILE *file) {
  fputs("| instruction | on |\n| --- | --- |\n", file);
  const TileMachine *m, *other;
  for (int i = 0; (m = tileMachineGet(i)); ++i) {
    const TileMatrix *row = NULL;
    while ((row = tileMachineNextMatrix(m, row))) {
      bool isNew = true;
      for (int k = 0; k < i; ++k) isNew &= !tileMachineHas(tileMachineGet(k), row->needs);
      if (!isNew) continue;
      fputs("| ", file);
      printMatrix(row, file);
      fputs(" |", file);
      for (int k = i; (other = tileMachineGet(k)); ++k)
        if (tileMachineHas(other, row->needs)) fprintf(file, " `%s`", other->name);
      fputs(" |\n", file);
    }
  }
}

static void writeNumbers(FILE *file) {
  fputs("| number | value | unit | pass | what it is | how it was found |\n"
        "| --- | --- | --- | --- | --- | --- |\n",
        file);
  for (int i = 0; i < TILE_NUMBERS; ++i) {
    const TileNumberInfo *info = tileNumberGetInfo((TileNumber)i);
    fputs("| `", file);
    printName(info->name, file);
    fprintf(file, "` | %d | %s | `%s` | %s | %s |\n", info->value, info->unit, info->pass,
            info->what, info->origin);
  }
}

static void writeChanges(FILE *file) {
  fputs("| chip | number | value | how it was found |\n| --- | --- | --- | --- |\n", file);
  const TileMachine *m;
  for (int i = 0; (m = tileMachineGet(i)); ++i)
    for (int k = 0; k < m->numChanges; ++k) {
      fprintf(file, "| `%s` | `", m->name);
      printName(tileNumberGetInfo(m->changes[k].number)->name, file);
      fprintf(file, "` | %d | %s |\n", m->changes[k].value, m->changes[k].origin);
    }
}

void tileMachineWritePage(FILE *file) {
  fputs("# Machines\n\nMade by `make machine-docs` from lib/Machine and "
        "include/tile/MachineNumbers.def; what one chip has says\n"
        "`tile-opt --tile-describe-machine=sm_90a`. A new chip is a record in "
        "lib/Machine/Machine.c.\n\n## Chips\n\n",
        file);
  writeMachines(file);
  fputs("\nRoles: boxes that dots read are copied by warps of their own "
        "([hopper.md](hopper.md)).\n\n## Matrix instructions\n\n",
        file);
  writeMatrices(file);
  fputs("\n## Numbers that decide profit\n\nAll chips have these numbers, but for those below. "
        "They were found on an H200, with products in f16,\nwhere their origin does not say "
        "otherwise.\n\n",
        file);
  writeNumbers(file);
  fputs("\n## Where a chip differs\n\n", file);
  writeChanges(file);
}
