//===- MapFuzz.c - texts that are almost descriptions of tensor maps ------===//
//
// A cubin from the cache brings such texts. What is taken is evaluated with arguments at their
// ends, twice, to the same.
//
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "tile/Runtime/Launcher.h"
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  return 0;
}

static void evaluate(const TileMapForm *form, const uint64_t *slots, unsigned count) {
  TileError error = TILE_ERROR_INIT;
  TileTensorMapSpec specs[2];
  bool taken[2], empty[2];
  memset(specs, 0, sizeof specs);
  for (int i = 0; i < 2; ++i)
    taken[i] = tileMapFormEvaluate(form, slots, count, &specs[i], &empty[i], &error);
  expect(taken[0] == taken[1], "the same twice");
  if (taken[0]) {
    expect(empty[0] == empty[1] && specs[0].base == specs[1].base, "the same twice");
    expect(specs[0].rank >= 1 && specs[0].rank <= TILE_TENSOR_MAP_MAX_RANK, "a rank of 1 to 5");
    for (unsigned d = 0; d < specs[0].rank; ++d)
      expect(specs[0].shape[d] == specs[1].shape[d], "the same twice");
  } else {
    expect(*tileErrorGetMessage(&error), "an error for a refusal");
  }
  tileErrorDestroy(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint64_t slots[][4] = {
      {0x1000, 64, 128, 1},
      {0x1000, 0, 0xFFFFFFFF, 0x80000000},
      {UINT64_MAX, INT64_MAX, (uint64_t)INT64_MIN, 0x7FFFFFFF},
  };
  TileError error = TILE_ERROR_INIT;
  char *text = malloc(size + 1);
  expect(text != NULL, "memory");
  memcpy(text, data, size);
  text[size] = 0;
  TileMapForm *form = tileMapFormCreate(text, &error);
  if (!form) expect(*tileErrorGetMessage(&error), "an error for a refusal");
  for (size_t i = 0; form && i < sizeof slots / sizeof *slots; ++i)
    for (unsigned count = 1; count <= 4; count += 3) evaluate(form, slots[i], count);
  tileMapFormDestroy(form);
  tileErrorDestroy(&error);
  free(text);
  return 0;
}
