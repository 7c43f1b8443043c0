// Compiles a kernel, says what it becomes on two GPUs, and runs it on this processor.
//
//   cc add.c $(pkg-config --cflags --libs tile) -o add && ./add add.mlir
//
// or with CMake, by the CMakeLists.txt beside it. A program with arrays on a GPU gives their
// addresses, its stream, and leaves .place out.
#include <stdio.h>
#include <stdlib.h>
#include <tile.h>

static void check(tile_status status) {
  if (status == TILE_STATUS_OK) return;
  fprintf(stderr, "%s\n", tile_get_message());
  exit(1);
}

static void describe(tile_kernel *add, const char *arch) {
  tile_artifact *artifact;
  const tile_compile_options options = {
      .size = sizeof options, .arch = arch, .format = TILE_FORMAT_PTX, .facts = "0/16,1/16,2/16"};
  check(tile_kernel_compile(add, &options, &artifact));
  tile_artifact_info info = {.size = sizeof info};
  check(tile_artifact_get_info(artifact, &info));
  printf("%s for %s: %zu bytes of PTX, %u threads a block\n", info.kernel, info.arch,
         info.code_size, info.threads);
  check(tile_artifact_destroy(artifact));
}

int main(int argc, char **argv) {
  enum { N = 100003 };
  static float x[N], y[N], out[N];
  for (int i = 0; i < N; ++i) {
    x[i] = (float)i;
    y[i] = .5f;
  }
  tile_context *context;
  tile_module *module;
  tile_kernel *add;
  check(tile_context_create(NULL, &context));
  check(tile_module_create_from_file(context, argc > 1 ? argv[1] : "add.mlir", &module));
  check(tile_module_find_kernel(module, "add", &add));
  describe(add, "sm_80");
  describe(add, "sm_90a");

  const tile_launch launch = {.size = sizeof launch, .place = TILE_PLACE_CPU};
  const tile_value values[] = {tile_pointer(x), tile_pointer(y), tile_pointer(out),
                               tile_integer(N)};
  check(tile_kernel_launch(add, &launch, values, 4));
  for (int i = 0; i < N; ++i)
    if (out[i] != (float)i + .5f) {
      fprintf(stderr, "expected %g at %d, found %g\n", (double)i + .5, i, (double)out[i]);
      return 1;
    }
  printf("%d sums are right, by libtile %s\n", N, tile_get_version());
  check(tile_context_destroy(context));
  return 0;
}
