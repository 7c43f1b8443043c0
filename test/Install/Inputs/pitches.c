// Launches a product compiled ahead of time on arrays whose rows are so and so far apart, with the
// test driver, which runs no kernel but the one that copies rows; prints what it was asked for, and
// looks at the copies.
#include "matmul.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As test/Support/FakeCudaDriver.h has them.
typedef struct Map {
  int type;
  unsigned rank;
  uint64_t shape[5], strides[5];
  uint32_t box[5];
  int swizzle, fill;
  void *base;
} Map;
typedef struct Launch {
  unsigned grid[3], block[3], cluster[3], shared;
  int maxDynamicShared, nonPortable;
  int count, copiesIn, copiesOut;
  int packs, eventsInGraphs, replays;
  Map map;
  int encoded;
} Launch;

/// Has the last map the rows of `from`, `width` elements each, one every `pitch`?
static int isCopy(const Map *map, const unsigned short *from, int rows, int width, int pitch) {
  int same = map->shape[0] == (uint64_t)width && map->shape[1] == (uint64_t)rows;
  for (int i = 0; same && i < rows; ++i)
    same = !memcmp((char *)map->base + (size_t)i * map->strides[0], from + (size_t)i * pitch,
                   2u * width);
  return same;
}

int main(void) {
  enum { MOST = 2200 * 2200 };
  static const int sizes[][5] = {
      // rows of A, columns of B, the sum's length; how many elements more from row to row; where A
      // begins
      {2048, 2048, 512, 0, 0}, {2048, 2047, 509, 0, 0}, {2048, 2048, 512, 8, 0},
      {2048, 2048, 512, 1, 0}, {2048, 2048, 512, 0, 1}, {100, 101, 99, 0, 0},
      {96, 96, 96, 0, 0},      {1, 2047, 511, 0, 0},
  };
  unsigned short *a = malloc(2 * MOST), *b = malloc(2 * MOST), *c = malloc(2 * MOST);
  for (int i = 0; i < MOST; ++i) a[i] = (unsigned short)(i * 7), b[i] = (unsigned short)(i * 11);
  Launch *last = NULL;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    const int *s = sizes[i], m = s[0], n = s[1], k = s[2], more = s[3], first = s[4];
    int packs = last ? last->packs : 0, encoded = last ? last->encoded : 0;
    if (matmul(NULL, a + first, b, c, m, n, k, k + more, 1, n + more, 1, n + more, 1)) {
      puts(tile_rt_get_message());
      return 1;
    }
    void *driver = dlopen(getenv("TILE_CUDA_DRIVER"), RTLD_NOW | RTLD_NOLOAD);
    last = dlsym(driver, "fakeLastLaunch");
    packs = last->packs - packs;
    encoded = last->encoded - encoded;
    printf("%d x %d x %d, %d more, from %d: %d maps, %d copies%s\n", m, n, k, more, first, encoded,
           packs,
           packs == 2 && !isCopy(&last->map, a + first, m, k, k + more) &&
                   !isCopy(&last->map, b, k, n, n + more)
               ? ", of other rows"
               : "");
  }
  free(a);
  free(b);
  free(c);
  return 0;
}
