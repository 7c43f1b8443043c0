//===- ArrayFuzz.c - bytes that are almost .npy files and pictures --------===//
//
// Each input is read as both. What is taken has to come back the same from a file written of it.
//
//===----------------------------------------------------------------------===//
#include "Scratch.h"
#include "Target.h"
#include "tile/Runtime/Npy.h"
#include "tile/Runtime/Pnm.h"
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  return 0;
}

static void expectSame(const TileArray *a, TileArray *b, TileError *error) {
  if (!b) fprintf(stderr, "%s\n", tileErrorGetMessage(error));
  expect(b != NULL, "a file of ours to be read");
  bool same = a->type == b->type && a->rank == b->rank && a->bytes == b->bytes &&
              !memcmp(a->shape, b->shape, a->rank * sizeof *a->shape) &&
              !memcmp(a->host, b->host, a->bytes);
  expect(same, "an array that comes back as it was");
  tileArrayDestroy(b);
}

static void readNpy(const char *path, const TileElementType *type) {
  TileError error = TILE_ERROR_INIT;
  TileArray *array = tileNpyRead(path, type, &error);
  if (array) {
    char copy[64];
    scratchName(copy, sizeof copy, "copy.npy");
    expect(tileNpyWrite(copy, array, &error), "room for a copy");
    expectSame(array, tileNpyRead(copy, &array->type, &error), &error);
  } else {
    expect(*tileErrorGetMessage(&error), "an error for a refusal");
  }
  tileArrayDestroy(array);
  tileErrorDestroy(&error);
}

static void readPicture(const char *path) {
  TileError error = TILE_ERROR_INIT;
  TileArray *array = tilePnmRead(path, TILE_ELEMENT_I8, &error);
  if (array) {
    char copy[64];
    scratchName(copy, sizeof copy, array->rank == 2 ? "copy.pgm" : "copy.ppm");
    expect(tilePnmWrite(copy, array, &error), "room for a copy");
    expectSame(array, tilePnmRead(copy, TILE_ELEMENT_I8, &error), &error);
  } else {
    expect(*tileErrorGetMessage(&error), "an error for a refusal");
  }
  tileArrayDestroy(array);
  tileErrorDestroy(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  scratchFile(path, sizeof path, data, size);
  readNpy(path, NULL);
  const TileElementType types[] = {TILE_ELEMENT_BF16, TILE_ELEMENT_F8E5M2};
  readNpy(path, &types[size % 2]);
  readPicture(path);
  return 0;
}
