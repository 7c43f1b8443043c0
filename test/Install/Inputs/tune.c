// tune FILE N BLOCK: tunes @add of the file on the processor for arrays of N elements, with BLOCK
// as the only candidate beside the defaults.
#include <stdio.h>
#include <stdlib.h>
#include <tile.h>

int main(int argc, char **argv) {
  static float x[10000], y[10000], out[10000];
  tile_context *context;
  tile_module *module;
  tile_kernel *add;
  char config[64];
  const char *candidates[] = {config};
  const tile_tune_options how = {
      .size = sizeof how, .place = TILE_PLACE_CPU, .candidates = candidates, .num_candidates = 1};
  if (argc != 4 || atoi(argv[2]) > 10000) return 2;
  snprintf(config, sizeof config, "BLOCK=%s", argv[3]);
  const tile_value values[] = {tile_pointer(x), tile_pointer(y), tile_pointer(out),
                               tile_integer(atoi(argv[2]))};
  if (tile_context_create(NULL, &context) ||
      tile_module_create_from_file(context, argv[1], &module) ||
      tile_module_find_kernel(module, "add", &add) ||
      tile_kernel_tune(add, &how, values, 4, NULL)) {
    fprintf(stderr, "%s\n", tile_get_message());
    return 1;
  }
  return tile_context_destroy(context) ? 1 : 0;
}
