//===- SplitParts.c - memory of split programs ----------------------------===//
#include "SplitParts.h"
#include "Cuda.h"
#include <stdio.h>
#include <string.h>

enum { WORD_BYTES = 8, NUMBER_BYTES = 4, LINE_BYTES = 128, MOST_BLOCKS = 256 };

bool tileSplitPartsCreate(TileKernel *kernel, TileSplitParts *parts, TileError *error) {
  TileDevice *device = kernel->module->device;
  char name[TILE_PARTS_NAME];
  uint64_t words[TILE_PARTS_WORDS];
  size_t bytes;
  TileError none = TILE_ERROR_INIT;
  *parts = (TileSplitParts){.blocks = 1};
  snprintf(name, sizeof name, TILE_PARTS_GLOBAL "%s", kernel->name);
  bool has = tileModuleGetGlobal(kernel->module, name, &parts->global, &bytes, &none);
  tileErrorDestroy(&none);
  if (!has) return true;
  if (bytes != sizeof words)
    return tileErrorSet(error, "expected '%s' to have %zu bytes, found %zu", name, sizeof words,
                        bytes);
  if (!tileDeviceCopyOut(device, words, parts->global, sizeof words, error)) return false;
  if (words[TILE_PARTS_BLOCKS] < 2 || words[TILE_PARTS_BLOCKS] > MOST_BLOCKS)
    return tileErrorSet(error, "expected 2 to %d blocks of a program in '%s', found %llu",
                        MOST_BLOCKS, name, (unsigned long long)words[TILE_PARTS_BLOCKS]);
  parts->kernel = kernel;
  parts->bytes = words[TILE_PARTS_BYTES];
  parts->blocks = (uint32_t)words[TILE_PARTS_BLOCKS];
  return true;
}

/// Memory for so many programs, their numbers 0, which the module is told of.
static bool makeRoom(TileSplitParts *parts, uint64_t programs, TileError *error) {
  TileDevice *device = parts->kernel->module->device;
  uint64_t numbers = 0, all;
  bool fits = !__builtin_mul_overflow(programs, parts->blocks * NUMBER_BYTES, &numbers) &&
              !__builtin_add_overflow(numbers, LINE_BYTES - 1, &numbers);
  numbers = numbers / LINE_BYTES * LINE_BYTES;
  if (!fits || __builtin_mul_overflow(programs, parts->bytes, &all) ||
      __builtin_add_overflow(all, numbers, &all))
    return tileErrorSet(error, "expected fewer than 2^64 bytes of parts, found more");
  if (!tileDeviceSynchronize(device, error)) return false;
  tileDeviceFree(device, parts->memory);
  parts->memory = 0;
  parts->programs = 0;
  if (!tileDeviceAlloc(device, all, &parts->memory, error)) return false;
  const uint64_t words[2] = {parts->memory, parts->memory + numbers};
  if (!tileDeviceSet(device, parts->memory, 0, numbers, NULL, error) ||
      !tileDeviceCopyIn(device, parts->global, words, sizeof words, error) ||
      !tileDeviceSynchronize(device, error))
    return false;
  parts->programs = programs;
  return true;
}

bool tileSplitPartsPrepare(TileSplitParts *parts, uint64_t programs, TileStream *stream,
                           TileError *error) {
  if (!parts->kernel) return true;
  TileDevice *device = parts->kernel->module->device;
  if (parts->programs < programs && !makeRoom(parts, programs, error)) return false;
  void *handle = tileCudaGetStream(device, stream);
  if (parts->hasStream && parts->stream != handle && !tileDeviceSynchronize(device, error))
    return false;
  parts->stream = handle;
  parts->hasStream = true;
  return true;
}

void tileSplitPartsDestroy(TileSplitParts *parts) {
  if (parts->kernel) tileDeviceFree(parts->kernel->module->device, parts->memory);
}
