//===- Arch.c - the GPU architectures code is emitted for -----------------===//
#include "tile/Target.h"
#include <string.h>

// Upwards by capability, the more general of two with the same one first. Multiprocessors: of A100,
// RTX 3090, RTX 4090, H100 SXM and H200, B200, by NVIDIA's papers on their architectures.
static const TileArch arches[] = {
    {.name = "sm_80", .major = 8, .minor = 0, .sharedBytes = 163 * 1024, .multiprocessors = 108},
    {.name = "sm_86", .major = 8, .minor = 6, .sharedBytes = 99 * 1024, .multiprocessors = 82},
    {.name = "sm_89", .major = 8, .minor = 9, .sharedBytes = 99 * 1024, .multiprocessors = 128},
    {.name = "sm_90", .major = 9, .minor = 0, .sharedBytes = 227 * 1024, .multiprocessors = 132},
    {.name = "sm_90a",
     .major = 9,
     .minor = 0,
     .exact = true,
     .sharedBytes = 227 * 1024,
     .multiprocessors = 132},
    {.name = "sm_100a",
     .major = 10,
     .minor = 0,
     .exact = true,
     .sharedBytes = 227 * 1024,
     .multiprocessors = 148},
};
enum { ARCH_COUNT = sizeof arches / sizeof arches[0] };

const TileArch *tileArchFind(MlirStringRef name) {
  for (int i = 0; i < ARCH_COUNT; ++i)
    if (strlen(arches[i].name) == name.length && !memcmp(arches[i].name, name.data, name.length))
      return &arches[i];
  return NULL;
}

const TileArch *tileArchForDevice(int major, int minor) {
  const TileArch *best = NULL;
  for (int i = 0; i < ARCH_COUNT; ++i) {
    const TileArch *arch = &arches[i];
    bool same = arch->major == major && arch->minor == minor;
    bool older = arch->major < major || (arch->major == major && arch->minor < minor);
    if (same || (older && !arch->exact)) best = arch;
  }
  return best;
}

const char *tileArchGetNames(void) { return "sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100a"; }
