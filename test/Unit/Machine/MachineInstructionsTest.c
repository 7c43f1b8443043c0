// REQUIRES: ptxas-13
// RUN: %unit/MachineInstructionsTest %t %ptxas
//===- MachineInstructionsTest.c - ptxas agrees with the records ----------===//
//
// For each chip all instructions that its record has are assembled, and each one that it lacks is
// refused. What ptxas takes is NVIDIA's word on it, not ours.
//
//===----------------------------------------------------------------------===//
#include "tile/Machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// Of an element in memory: 32 for tf32.
static int getBits(TileMatrixType type) {
  switch (type) {
  case TILE_MATRIX_F16:
  case TILE_MATRIX_BF16:
    return 16;
  case TILE_MATRIX_TF32:
  case TILE_MATRIX_F32:
  case TILE_MATRIX_S32:
    return 32;
  case TILE_MATRIX_F64:
    return 64;
  default:
    return 8;
  }
}

static const char *folder, *ptxas;

//===- assembling ---------------------------------------------------------===//

static FILE *begin(const TileMachine *machine) {
  char path[4096];
  snprintf(path, sizeof path, "%s.ptx", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file,
          ".version 9.0\n.target %s\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
          ".reg .b32 r<128>; .reg .b64 d<8>; .reg .f32 f<132>; .reg .f64 g<16>; .reg .pred q;\n",
          machine->name);
  return file;
}

static bool assemble(FILE *file, const TileMachine *machine) {
  char command[8192];
  fputs("ret;\n}\n", file);
  assert_int_equal(fclose(file), 0);
  snprintf(command, sizeof command, "%s -arch=%s %s.ptx -o %s.cubin >%s.log 2>&1", ptxas,
           machine->name, folder, folder, folder);
  return system(command) == 0;
}

//===- matrix instructions ------------------------------------------------===//

/// {r0,r1,..}: `count` registers.
static void printRegisters(FILE *file, const char *prefix, int count) {
  for (int i = 0; i < count; ++i) fprintf(file, "%s%s%d", i ? "," : "{", prefix, i);
  fputs("}", file);
}

static const char *prefixOf(TileMatrixType type) {
  return type == TILE_MATRIX_F64 ? "g" : type == TILE_MATRIX_F32 ? "f" : "r";
}

/// Registers of one of `threads` for so many elements.
static int countRegisters(TileMatrixType type, int elements, int threads) {
  int bits = getBits(type), width = bits == 64 ? 64 : 32;
  return elements * bits / threads / width;
}

static void printMma(FILE *file, const TileMatrix *m, TileMatrixType a, TileMatrixType b,
                     TileMatrixType acc) {
  const char *sum = tileMatrixTypeGetName(acc);
  fprintf(file, "mma.sync.aligned.m%dn%dk%d.row.col.%s.%s.%s.%s ", m->m, m->leastN, m->k, sum,
          tileMatrixTypeGetName(a), tileMatrixTypeGetName(b), sum);
  printRegisters(file, prefixOf(acc), countRegisters(acc, m->m * m->leastN, 32));
  fputs(", ", file);
  printRegisters(file, prefixOf(a), countRegisters(a, m->m * m->k, 32));
  fputs(", ", file);
  printRegisters(file, prefixOf(b), countRegisters(b, m->leastN * m->k, 32));
  fputs(", ", file);
  printRegisters(file, prefixOf(acc), countRegisters(acc, m->m * m->leastN, 32));
  fputs(";\n", file);
}

typedef struct {
  int n;
  bool registers, turned; // A, both
} Form;

static void printWgmma(FILE *file, const TileMatrix *m, TileMatrixType a, TileMatrixType b,
                       TileMatrixType acc, Form form) {
  fprintf(file, "wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s ", form.n, m->k,
          tileMatrixTypeGetName(acc), tileMatrixTypeGetName(a), tileMatrixTypeGetName(b));
  printRegisters(file, prefixOf(acc), countRegisters(acc, m->m * form.n, 128));
  fputs(", ", file);
  if (form.registers)
    printRegisters(file, "r", countRegisters(a, m->m * m->k, 128));
  else
    fputs("d0", file);
  fputs(", d1, q", file);
  if (acc != TILE_MATRIX_S32) fputs(", 1, 1", file);
  bool half = getBits(a) == 16;
  if ((half || form.turned) && !form.registers) fprintf(file, ", %d", form.turned);
  if (half || form.turned) fprintf(file, ", %d", form.turned);
  fputs(";\n", file);
}

/// All forms of a row of the table for one choice of types.
static void printForms(FILE *file, const TileMatrix *m, TileMatrixType a, TileMatrixType b,
                       TileMatrixType acc) {
  if (m->family == TILE_MATRIX_MMA_SYNC) {
    printMma(file, m, a, b, acc);
    return;
  }
  for (int n = m->leastN; n <= m->mostN; n += m->stepN) {
    if (!tileMatrixTakesColumns(m, n)) continue;
    printWgmma(file, m, a, b, acc, (Form){.n = n});
    if (m->placesA & TILE_PLACE_REGISTERS)
      printWgmma(file, m, a, b, acc, (Form){.n = n, .registers = true});
    if (tileMatrixTakesMajor(m, TILE_MAJOR_MN))
      printWgmma(file, m, a, b, acc, (Form){.n = n, .turned = true});
  }
}

/// All forms for each choice of types; with `only`, for the first.
static void printRow(FILE *file, const TileMatrix *m, bool only) {
  for (unsigned a = 1; a < 1u << TILE_MATRIX_TYPES; a *= 2)
    for (unsigned b = 1; b < 1u << TILE_MATRIX_TYPES; b *= 2)
      for (unsigned acc = 1; acc < 1u << TILE_MATRIX_TYPES; acc *= 2) {
        if (!(m->a & a) || !(m->b & b) || !(m->acc & acc)) continue;
        printForms(file, m, (TileMatrixType)a, (TileMatrixType)b, (TileMatrixType)acc);
        if (only) return;
      }
}

/// The machine with every feature: all rows of the table.
static TileMachine everything(void) {
  TileMachine all = *tileMachineGetDefault();
  all.features = (1u << TILE_FEATURES) - 1;
  return all;
}

static void testMatrices(void **state) {
  (void)state;
  TileMachine all = everything();
  const TileMachine *machine;
  for (int i = 0; (machine = tileMachineGet(i)); ++i) {
    FILE *file = begin(machine);
    const TileMatrix *m = NULL;
    while ((m = tileMachineNextMatrix(machine, m))) printRow(file, m, false);
    if (!assemble(file, machine)) fail_msg("expected %s to have all its rows", machine->name);
    m = NULL;
    while ((m = tileMachineNextMatrix(&all, m))) {
      if (tileMachineHas(machine, m->needs)) continue;
      file = begin(machine);
      printRow(file, m, true);
      if (assemble(file, machine))
        fail_msg("expected %s not to have %s k%d", machine->name,
                 tileMatrixFamilyGetName(m->family), m->k);
    }
  }
}

/// What the rows of wgmma say no chip takes.
static void testRefused(void **state) {
  (void)state;
  const TileMachine *machine = tileMachineFind("sm_90a");
  const TileMatrix *m = NULL;
  while ((m = tileMachineNextMatrix(machine, m))) {
    if (m->family != TILE_MATRIX_WGMMA) continue;
    TileMatrixType a = (TileMatrixType)(m->a & (~m->a + 1)),
                   b = (TileMatrixType)(m->b & (~m->b + 1)),
                   acc = (TileMatrixType)(m->acc & (~m->acc + 1));
    for (int n = 1; n <= 264; ++n) {
      // Each number that is no multiple of 8 would take long.
      if (tileMatrixTakesColumns(m, n) || (n % 8 && n > 16)) continue;
      FILE *file = begin(machine);
      printWgmma(file, m, a, b, acc, (Form){.n = n});
      if (assemble(file, machine)) fail_msg("expected no %d columns", n);
    }
    if (tileMatrixTakesMajor(m, TILE_MAJOR_MN)) continue;
    FILE *file = begin(machine);
    printWgmma(file, m, a, b, acc, (Form){.n = 64, .turned = true});
    assert_false(assemble(file, machine));
  }
}

//===- features -----------------------------------------------------------===//

/// An instruction that stands for a feature. Multicast is left out: chips without it take it, and
/// copy one by one.
static const struct {
  TileFeature feature;
  const char *code;
} probes[] = {
    {TILE_FEATURE_BF16_ATOMICS, "add.rn.bf16x2 r0, r1, r2;\n"},
    {TILE_FEATURE_STMATRIX, "stmatrix.sync.aligned.m8n8.x1.shared.b16 [r0], {r1};\n"},
    {TILE_FEATURE_TENSOR_MAPS,
     "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
     "[r0], [d0, {r1, r2}], [r3];\n"
     "cp.async.bulk.tensor.5d.global.shared::cta.bulk_group [d0, {r1, r2, r3, r4, r5}], [r0];\n"},
    {TILE_FEATURE_CLUSTERS, "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"},
    {TILE_FEATURE_SETMAXNREG, "setmaxnreg.dec.sync.aligned.u32 24;\n"},
    {TILE_FEATURE_WGMMA, "wgmma.fence.sync.aligned;\n"},
    {TILE_FEATURE_TENSOR_MEMORY, "tcgen05.alloc.cta_group::1.sync.aligned.b32 [d0], 32;\n"},
};

static void testFeatures(void **state) {
  (void)state;
  const TileMachine *machine;
  for (int i = 0; (machine = tileMachineGet(i)); ++i)
    for (size_t k = 0; k < sizeof probes / sizeof *probes; ++k) {
      FILE *file = begin(machine);
      fputs(probes[k].code, file);
      bool has = tileMachineHas(machine, probes[k].feature);
      if (assemble(file, machine) != has)
        fail_msg("expected %s %s %s", machine->name, has ? "to have" : "not to have",
                 tileFeatureGetName(probes[k].feature));
    }
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  folder = argv[1];
  ptxas = argv[2];
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testMatrices),
      cmocka_unit_test(testRefused),
      cmocka_unit_test(testFeatures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
