//===- Ranges.h - names for profilers -------------------------------------===//
//
// While a profiler watches (it sets NVTX_INJECTION64_PATH), launches stand in ranges of NVTX called
// as the kernel: opened with dlopen from libnvToolsExt.so.1, or the library that TILE_NVTX names.
// Otherwise these do nothing.
//===----------------------------------------------------------------------===//
#ifndef TILE_SESSION_RANGES_H
#define TILE_SESSION_RANGES_H

void tileRangeBegin(const char *name);
void tileRangeEnd(void);

#endif // TILE_SESSION_RANGES_H
