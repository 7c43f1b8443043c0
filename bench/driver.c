//===- driver.c - what opening a GPU costs a process, whatever runs there --===//
//
// Opens the CUDA driver, makes the first device's primary context and a stream, gives them back and
// ends: the least that any program of a GPU takes, beside which bench/start times tile-run.
//
//   build/bin/bench/driver
//===----------------------------------------------------------------------===//
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int (*init)(unsigned), (*deviceGet)(int *, int), (*retain)(void **, int);
  int (*setCurrent)(void *), (*streamCreate)(void **, unsigned), (*release)(int);
  const struct {
    void *function;
    const char *name;
  } names[] = {{&init, "cuInit"},
               {&deviceGet, "cuDeviceGet"},
               {&retain, "cuDevicePrimaryCtxRetain"},
               {&setCurrent, "cuCtxSetCurrent"},
               {&streamCreate, "cuStreamCreate"},
               {&release, "cuDevicePrimaryCtxRelease_v2"}};
  const char *path = getenv("TILE_CUDA_DRIVER");
  void *library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    void *address = library ? dlsym(library, names[i].name) : NULL;
    if (!address) {
      fprintf(stderr, "error: expected a CUDA driver with %s, found none\n", names[i].name);
      return 1;
    }
    memcpy(names[i].function, &address, sizeof address);
  }
  int device;
  void *context, *stream;
  int result = init(0);
  if (!result) result = deviceGet(&device, 0);
  if (!result) result = retain(&context, device);
  if (!result) result = setCurrent(context);
  if (!result) result = streamCreate(&stream, 1);
  if (!result) result = release(device);
  if (result)
    fprintf(stderr, "error: expected a context on a GPU, found CUDA's error %d\n", result);
  return result != 0;
}
