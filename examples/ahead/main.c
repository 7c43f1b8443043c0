// A kernel compiled ahead of time, in a program that links libtile-rt and nothing else:
//
//   tile-compile ../c/add.mlir --arch sm_80,sm_90 --facts 0/16,1/16,2/16 -o add
//   cc main.c add.c $(pkg-config --cflags --libs tile-rt) -ldl -o main && ./main
//
// Arrays are CUDA's, of whichever of its libraries the program uses; here, of the driver itself.
#include "add.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 100003 };

static void *driver;

/// A function of the driver's; the program ends where there is none.
static void find(const char *name, void *function) {
  void *address = driver ? dlsym(driver, name) : NULL;
  if (!address) {
    fprintf(stderr, "expected a CUDA driver with %s, found none\n", name);
    exit(1);
  }
  memcpy(function, &address, sizeof address);
}

static void check(int status, const char *what) {
  if (!status) return;
  fprintf(stderr, "expected %s to succeed, found %d: %s\n", what, status, tile_rt_get_message());
  exit(1);
}

int main(void) {
  static float x[N], y[N], out[N];
  float *onDevice[3];
  void *context;
  int (*init)(unsigned), (*retain)(void **, int), (*enter)(void *);
  int (*alloc)(float **, size_t), (*copyIn)(float *, const void *, size_t, void *);
  int (*copyOut)(void *, const float *, size_t, void *);
  const char *path = getenv("TILE_CUDA_DRIVER");
  driver = dlopen(path ? path : "libcuda.so.1", RTLD_NOW);
  find("cuInit", &init);
  find("cuDevicePrimaryCtxRetain", &retain);
  find("cuCtxSetCurrent", &enter);
  find("cuMemAlloc_v2", &alloc);
  find("cuMemcpyHtoDAsync_v2", &copyIn);
  find("cuMemcpyDtoHAsync_v2", &copyOut);
  check(init(0), "cuInit");
  check(retain(&context, 0), "cuDevicePrimaryCtxRetain");
  check(enter(context), "cuCtxSetCurrent");
  for (int i = 0; i < N; ++i) {
    x[i] = (float)i;
    y[i] = .5f;
  }
  for (int k = 0; k < 3; ++k) check(alloc(&onDevice[k], sizeof x), "cuMemAlloc");
  check(copyIn(onDevice[0], x, sizeof x, NULL), "the copy of x");
  check(copyIn(onDevice[1], y, sizeof y, NULL), "the copy of y");
  // Whole arrays begin on boundaries of 256 bytes; their second elements do not.
  for (int from = 0; from < 2; ++from) {
    check((int)add(NULL, onDevice[0] + from, onDevice[1] + from, onDevice[2] + from, N - from),
          "the launch");
    check(copyOut(out, onDevice[2], sizeof out, NULL), "the copy of the sums");
    for (int i = from; i < N; ++i)
      if (out[i] != (float)i + .5f) {
        fprintf(stderr, "expected %g at %d, found %g\n", (double)i + .5, i, (double)out[i]);
        return 1;
      }
  }
  printf("%d sums are right\n", N);
  return 0;
}
