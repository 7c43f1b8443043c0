// The greatest three of each row, beside a search of our own.
#include "top_k.h"
#include <stdio.h>

enum { ROWS = 5, COLUMNS = 200, K = 3 };

int main(void) {
  static float x[ROWS * COLUMNS], values[ROWS * K];
  static int32_t columns[ROWS * K];
  unsigned seed = 1;
  for (int i = 0; i < ROWS * COLUMNS; ++i) {
    seed = seed * 1664525 + 1013904223;
    x[i] = (float)(seed >> 8);
  }
  if (top_k_cpu(x, values, columns, ROWS, COLUMNS, K) != TILE_STATUS_OK) {
    puts(tile_rt_get_message());
    return 1;
  }
  for (int r = 0; r < ROWS; ++r)
    for (int k = 0; k < K; ++k) {
      int greater = 0;
      float got = values[r * K + k];
      for (int c = 0; c < COLUMNS; ++c) greater += x[r * COLUMNS + c] > got;
      if (greater != k || x[r * COLUMNS + columns[r * K + k]] != got) {
        printf("row %d: expected %d greater than number %d, found %d\n", r, k, k, greater);
        return 1;
      }
    }
  printf("%d rows are right\n", ROWS);
  return 0;
}
