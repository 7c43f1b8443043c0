// RUN: %unit/MachineTest
//===- MachineTest.c - records of machines --------------------------------===//
#include "tile/MachineNumbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const TileMachine *find(const char *name) {
  const TileMachine *machine = tileMachineFind(name);
  assert_non_null(machine);
  return machine;
}

//===- records ------------------------------------------------------------===//

static void testNames(void **state) {
  (void)state;
  char names[512] = "";
  const TileMachine *m, *last = NULL;
  for (int i = 0; (m = tileMachineGet(i)); last = m, ++i) {
    strcat(strcat(names, i ? ", " : ""), m->name);
    assert_ptr_equal(tileMachineFind(m->name), m);
    // A name is the capability, and an `a` where code is for that one alone.
    char name[16];
    snprintf(name, sizeof name, "sm_%d%d%s", m->major, m->minor, m->exact ? "a" : "");
    assert_string_equal(m->name, name);
    if (last) assert_true(10 * last->major + last->minor <= 10 * m->major + m->minor);
  }
  assert_string_equal(names, tileMachineGetNames());
  assert_null(tileMachineGet(-1));
  assert_null(tileMachineFind("sm_90b"));
  assert_null(tileMachineFind("sm_9"));
  assert_null(tileMachineFind(""));
  assert_string_equal(tileMachineGetDefault()->name, "sm_90a");
}

static void testDevices(void **state) {
  (void)state;
  static const struct {
    int major, minor;
    const char *name;
  } devices[] = {{8, 0, "sm_80"},    {8, 6, "sm_86"},    {8, 7, "sm_87"},   {8, 9, "sm_89"},
                 {9, 0, "sm_90a"},   {10, 0, "sm_100a"}, {10, 1, "sm_100"}, {10, 3, "sm_103a"},
                 {11, 0, "sm_110a"}, {12, 0, "sm_120a"}, {12, 1, "sm_120"}, {13, 0, "sm_120"}};
  for (size_t i = 0; i < sizeof devices / sizeof *devices; ++i)
    assert_string_equal(tileMachineForDevice(devices[i].major, devices[i].minor)->name,
                        devices[i].name);
  assert_null(tileMachineForDevice(7, 5));
}

static void testLimits(void **state) {
  (void)state;
  const TileMachine *m;
  for (int i = 0; (m = tileMachineGet(i)); ++i) {
    // One block may have all but what the system takes of it.
    assert_int_equal(m->sharedBytes + m->systemSharedBytes, m->multiprocessorSharedBytes);
    assert_int_equal(m->multiprocessorSharedBytes % m->sharedGranule, 0);
    assert_int_equal(m->registers, 65536);
    assert_true(32 * m->warps >= m->threads);
    assert_true(m->multiprocessors > 0);
    bool engine = tileMachineHas(m, TILE_FEATURE_TENSOR_MAPS);
    assert_int_equal(engine, m->boxRank == 5);
    assert_int_equal(tileMachineHas(m, TILE_FEATURE_CLUSTERS), m->clusterBlocks == 8);
    assert_int_equal(tileMachineHas(m, TILE_FEATURE_SETMAXNREG), m->setmaxnregStep == 8);
    assert_true(m->rates[TILE_RATE_F32] > 0);
  }
  assert_int_equal(find("sm_80")->sharedBytes, 166912);
  assert_int_equal(find("sm_86")->sharedBytes, 101376);
  assert_int_equal(find("sm_90a")->sharedBytes, 232448);
  assert_int_equal(find("sm_120a")->sharedBytes, 101376);
}

/// Registers of threads: three of ten warps are on some quarter of a multiprocessor.
static void testRegisters(void **state) {
  (void)state;
  const TileMachine *m = find("sm_90a");
  assert_int_equal(tileMachineShareRegisters(m, 8, 1), 255);
  assert_int_equal(tileMachineShareRegisters(m, 16, 1), 128);
  assert_int_equal(tileMachineShareRegisters(m, 5, 2), 168);
  assert_int_equal(tileMachineShareShared(m, 1), 232448); // what a block may ask for
  assert_int_equal(tileMachineShareShared(m, 2), 115712); // half of 233472, less the system's 1024
  assert_int_equal(tileMachineShareShared(m, 3), 76800);
  // Two groups of consumers begin with 168 each, as the producers, who keep 40; of one nobody
  // wants more than 255.
  assert_int_equal(tileMachineConsumerRegisters(m, 2, 40), 232);
  assert_int_equal(tileMachineConsumerRegisters(m, 4, 24), 112);
  assert_int_equal(tileMachineConsumerRegisters(m, 1, 40), 0);
  assert_int_equal(tileMachineGetCarveout(m, 0), 0);
  assert_int_equal(tileMachineGetCarveout(m, 165 * 1024), 196 * 1024);
  assert_int_equal(tileMachineGetCarveout(m, 196 * 1024), 196 * 1024);
}

static void testRoles(void **state) {
  (void)state;
  static const char *const with[] = {"sm_90a", "sm_100a", "sm_103a", "sm_110a"};
  const TileMachine *m;
  size_t found = 0;
  for (int i = 0; (m = tileMachineGet(i)); ++i) {
    if (!tileMachineHasRoles(m)) continue;
    assert_true(found < sizeof with / sizeof *with);
    assert_string_equal(m->name, with[found++]);
  }
  assert_int_equal(found, sizeof with / sizeof *with);
}

static void testTeams(void **state) {
  (void)state;
  const TileMachine *m = tileMachineFind("sm_90a");
  const TileRate narrow[] = {TILE_RATE_F16_MATRIX, TILE_RATE_TF32_MATRIX, TILE_RATE_F8_MATRIX,
                             TILE_RATE_I8_MATRIX};
  const TileRate others[] = {TILE_RATE_F32, TILE_RATE_F64, TILE_RATE_F64_MATRIX};
  int64_t most = tileMachineNumber(m, TILE_NUMBER_TEAM_WORDS);
  for (size_t i = 0; i < sizeof narrow / sizeof *narrow; ++i) {
    assert_true(tileMachineHasTeams(m, narrow[i], most));
    assert_false(tileMachineHasTeams(m, narrow[i], most + 1));
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    assert_false(tileMachineHasTeams(m, others[i], 1));
}

//===- numbers ------------------------------------------------------------===//

static void testNumbers(void **state) {
  (void)state;
  for (int i = 0; i < TILE_NUMBERS; ++i) {
    const TileNumberInfo *info = tileNumberGetInfo((TileNumber)i);
    assert_true(strlen(info->name) && strlen(info->unit) && strlen(info->what));
    assert_true(strlen(info->origin) > 8);
    // A pass, or what comes behind all of them.
    assert_true(strstr(info->pass, "tile-") || !strcmp(info->pass, "assembly"));
    assert_int_equal(tileMachineNumber(find("sm_90a"), (TileNumber)i), info->value);
  }
  assert_string_equal(tileNumberGetInfo(TILE_NUMBER_LAST_STEPS)->name, "LAST_STEPS");
  const TileNumberChange changes[] = {{TILE_NUMBER_LAST_STEPS, 5, "here"}};
  TileMachine own = *find("sm_90a");
  own.changes = changes;
  own.numChanges = 1;
  assert_int_equal(tileMachineNumber(&own, TILE_NUMBER_LAST_STEPS), 5);
  assert_string_equal(tileMachineNumberOrigin(&own, TILE_NUMBER_LAST_STEPS), "here");
  assert_int_equal(tileMachineNumber(&own, TILE_NUMBER_WARM_STEPS),
                   tileNumberGetInfo(TILE_NUMBER_WARM_STEPS)->value);
}

//===- matrix instructions ------------------------------------------------===//

typedef struct {
  const char *machine;
  TileMatrixFamily family;
  TileMatrixType a, b, acc;
  int m, k; // 0: there is none
} Question;

static void testMatrices(void **state) {
  (void)state;
  static const Question questions[] = {
      {"sm_90a", TILE_MATRIX_WGMMA, TILE_MATRIX_F16, TILE_MATRIX_F16, TILE_MATRIX_F32, 64, 16},
      {"sm_90a", TILE_MATRIX_WGMMA, TILE_MATRIX_BF16, TILE_MATRIX_BF16, TILE_MATRIX_F32, 64, 16},
      {"sm_90a", TILE_MATRIX_WGMMA, TILE_MATRIX_TF32, TILE_MATRIX_TF32, TILE_MATRIX_F32, 64, 8},
      {"sm_90a", TILE_MATRIX_WGMMA, TILE_MATRIX_E4M3, TILE_MATRIX_E5M2, TILE_MATRIX_F32, 64, 32},
      {"sm_90a", TILE_MATRIX_WGMMA, TILE_MATRIX_S8, TILE_MATRIX_U8, TILE_MATRIX_S32, 64, 32},
      {"sm_90a", TILE_MATRIX_WGMMA, TILE_MATRIX_F64, TILE_MATRIX_F64, TILE_MATRIX_F64, 0, 0},
      {"sm_90a", TILE_MATRIX_WGMMA, TILE_MATRIX_F16, TILE_MATRIX_BF16, TILE_MATRIX_F32, 0, 0},
      {"sm_90a", TILE_MATRIX_WGMMA, TILE_MATRIX_BF16, TILE_MATRIX_BF16, TILE_MATRIX_F16, 0, 0},
      {"sm_90", TILE_MATRIX_WGMMA, TILE_MATRIX_F16, TILE_MATRIX_F16, TILE_MATRIX_F32, 0, 0},
      {"sm_100a", TILE_MATRIX_WGMMA, TILE_MATRIX_F16, TILE_MATRIX_F16, TILE_MATRIX_F32, 0, 0},
      {"sm_80", TILE_MATRIX_MMA_SYNC, TILE_MATRIX_F16, TILE_MATRIX_F16, TILE_MATRIX_F32, 16, 16},
      {"sm_80", TILE_MATRIX_MMA_SYNC, TILE_MATRIX_TF32, TILE_MATRIX_TF32, TILE_MATRIX_F32, 16, 8},
      {"sm_80", TILE_MATRIX_MMA_SYNC, TILE_MATRIX_U8, TILE_MATRIX_S8, TILE_MATRIX_S32, 16, 32},
      {"sm_80", TILE_MATRIX_MMA_SYNC, TILE_MATRIX_E4M3, TILE_MATRIX_E4M3, TILE_MATRIX_F32, 0, 0},
      {"sm_89", TILE_MATRIX_MMA_SYNC, TILE_MATRIX_E4M3, TILE_MATRIX_E4M3, TILE_MATRIX_F32, 16, 32},
      {"sm_80", TILE_MATRIX_MMA_SYNC, TILE_MATRIX_F64, TILE_MATRIX_F64, TILE_MATRIX_F64, 8, 4},
      {"sm_90", TILE_MATRIX_MMA_SYNC, TILE_MATRIX_F64, TILE_MATRIX_F64, TILE_MATRIX_F64, 16, 16},
      {"sm_120a", TILE_MATRIX_MMA_SYNC, TILE_MATRIX_E5M2, TILE_MATRIX_E4M3, TILE_MATRIX_F32, 16,
       32},
      {"sm_80", TILE_MATRIX_MMA_SYNC, TILE_MATRIX_F32, TILE_MATRIX_F32, TILE_MATRIX_F32, 0, 0},
  };
  for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i) {
    const Question *q = &questions[i];
    const TileMatrix *m = tileMachineFindMatrix(find(q->machine), q->family, q->a, q->b, q->acc);
    assert_int_equal(m ? m->m : 0, q->m);
    assert_int_equal(m ? m->k : 0, q->k);
  }
}

static void testOperands(void **state) {
  (void)state;
  const TileMachine *m = find("sm_90a");
  const TileMatrix *f16 = tileMachineFindMatrix(m, TILE_MATRIX_WGMMA, TILE_MATRIX_F16,
                                                TILE_MATRIX_F16, TILE_MATRIX_F32);
  const TileMatrix *s8 =
      tileMachineFindMatrix(m, TILE_MATRIX_WGMMA, TILE_MATRIX_S8, TILE_MATRIX_S8, TILE_MATRIX_S32);
  const TileMatrix *mma = tileMachineFindMatrix(m, TILE_MATRIX_MMA_SYNC, TILE_MATRIX_F16,
                                                TILE_MATRIX_F16, TILE_MATRIX_F32);
  assert_true(tileMatrixTakesMajor(f16, TILE_MAJOR_MN) && tileMatrixTakesMajor(f16, TILE_MAJOR_K));
  assert_false(tileMatrixTakesMajor(s8, TILE_MAJOR_MN));
  assert_true(tileMatrixTakesMajor(s8, TILE_MAJOR_K));
  assert_int_equal(f16->placesA, TILE_PLACE_REGISTERS | TILE_PLACE_SHARED);
  assert_int_equal(f16->placesB, TILE_PLACE_SHARED);
  assert_int_equal(mma->placesA | mma->placesB, TILE_PLACE_REGISTERS);
  static const struct {
    int n;
    bool f16, s8, mma;
  } columns[] = {{0, false, false, false},  {4, false, false, false},  {8, true, true, true},
                 {24, true, true, false},   {40, true, false, false},  {48, true, true, false},
                 {240, true, true, false},  {248, true, false, false}, {256, true, true, false},
                 {264, false, false, false}};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i) {
    assert_int_equal(tileMatrixTakesColumns(f16, columns[i].n), columns[i].f16);
    assert_int_equal(tileMatrixTakesColumns(s8, columns[i].n), columns[i].s8);
    assert_int_equal(tileMatrixTakesColumns(mma, columns[i].n), columns[i].mma);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testNames),    cmocka_unit_test(testDevices),
      cmocka_unit_test(testLimits),   cmocka_unit_test(testRegisters),
      cmocka_unit_test(testRoles),    cmocka_unit_test(testTeams),
      cmocka_unit_test(testNumbers),  cmocka_unit_test(testMatrices),
      cmocka_unit_test(testOperands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
