// A kernel compiled ahead of time for the processor, in a program that links libtile-rt and nothing
// else:
//
//   tile-compile ../c/add.mlir --arch cpu --facts 0/16,1/16,2/16 -o add
//   cc cpu.c add.c add_cpu.s $(pkg-config --cflags --libs tile-rt) -o cpu && ./cpu
//
// With --arch sm_80,cpu the same files have both: add(stream, ..) on arrays of a device,
// add_cpu(..) on arrays of the host.
#include "add.h"
#include <stdio.h>

enum { N = 100003 };

int main(void) {
  static float x[N], y[N], out[N];
  for (int i = 0; i < N; ++i) {
    x[i] = (float)i;
    y[i] = .5f;
  }
  // Second elements are on other boundaries than first ones.
  for (int from = 0; from < 2; ++from) {
    for (int i = 0; i < N; ++i) out[i] = 0;
    if (add_cpu(x + from, y + from, out + from, N - from) != TILE_STATUS_OK) {
      fprintf(stderr, "%s\n", tile_rt_get_message());
      return 1;
    }
    for (int i = from; i < N; ++i)
      if (out[i] != (float)i + .5f) {
        fprintf(stderr, "expected %g at %d, found %g\n", (double)i + .5, i, (double)out[i]);
        return 1;
      }
  }
  printf("%d sums are right\n", N);
  return 0;
}
