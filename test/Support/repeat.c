//===- repeat.c - a program run twice: the same bits? ---------------------===//
//
//   repeat cpu|gpu FILE.mlir [ARGUMENT,...]
//
// Runs @main twice, each time with a program of its own, compiled anew. Whatever arrays its
// launches may write have to be equal to the bit; prints how many arrays and bytes that were.
//
//===----------------------------------------------------------------------===//
#include "mlir-c/Pass.h"
#include "tile/Session/Program.h"
#include "tile/Tile.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARRAYS = 256, MOST_ARGUMENTS = 32 };

/// What a run wrote: copies.
typedef struct Written {
  size_t count;
  size_t bytes[MOST_ARRAYS];
  void *data[MOST_ARRAYS];
} Written;

static bool isNew(TileArray *const *seen, size_t count, const TileArray *array) {
  for (size_t i = 0; i < count; ++i)
    if (seen[i] == array) return false;
  return count < MOST_ARRAYS;
}

/// Copies the arrays that the launches of a run wrote, in the order of the launches.
static bool collect(const TileProgram *program, Written *written) {
  TileArray *seen[MOST_ARRAYS];
  TileError error = TILE_ERROR_INIT;
  enum { MOST_PARAMETERS = 256 };
  for (size_t i = 0; i < tileProgramGetNumLaunches(program); ++i)
    for (unsigned a = 0; a < MOST_PARAMETERS; ++a) {
      TileArray *array = tileProgramGetLaunchArray(program, i, a);
      if (!array || !tileProgramLaunchWrites(program, i, a) || !isNew(seen, written->count, array))
        continue;
      if (!tileArrayToHost(array, &error)) {
        fprintf(stderr, "error: %s\n", tileErrorGetMessage(&error));
        tileErrorDestroy(&error);
        return false;
      }
      void *copy = malloc(array->bytes + 1);
      if (!copy) return false;
      memcpy(copy, array->host, array->bytes);
      seen[written->count] = array;
      written->bytes[written->count] = array->bytes;
      written->data[written->count++] = copy;
    }
  return true;
}

static bool run(MlirModule module, TileProgramTarget target, const char *const *arguments,
                size_t count, Written *written) {
  TileProgramOptions options = {.target = target};
  TileProgram *program = tileProgramCreate(module, &options);
  bool ok = program && mlirLogicalResultIsSuccess(tileProgramRun(program, arguments, count)) &&
            collect(program, written);
  tileProgramDestroy(program);
  return ok;
}

static bool same(const char *name, const Written *first, const Written *second) {
  size_t bytes = 0;
  bool equal = first->count == second->count;
  for (size_t i = 0; equal && i < first->count; ++i) {
    bytes += first->bytes[i];
    equal = first->bytes[i] == second->bytes[i] &&
            !memcmp(first->data[i], second->data[i], first->bytes[i]);
    if (!equal) printf("%s: expected the same bits twice, found others in array %zu\n", name, i);
  }
  if (equal) printf("%s: %zu arrays, %zu bytes, the same twice\n", name, first->count, bytes);
  return equal;
}

static void drop(Written *written) {
  for (size_t i = 0; i < written->count; ++i) free(written->data[i]);
}

int main(int argc, char **argv) {
  if (argc < 3 || argc > 4) {
    fprintf(stderr, "usage: repeat cpu|gpu FILE.mlir [ARGUMENT,...]\n");
    return 2;
  }
  const char *arguments[MOST_ARGUMENTS];
  size_t count = 0;
  for (char *rest = argc > 3 ? argv[3] : NULL; rest && count < MOST_ARGUMENTS;)
    arguments[count++] = strsep(&rest, ",");
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  MlirModule module = tileParseFile(context, mlirStringRefCreateFromCString(argv[2]));
  TileProgramTarget target = strcmp(argv[1], "gpu") ? TILE_PROGRAM_CPU : TILE_PROGRAM_GPU;
  Written first = {0}, second = {0};
  bool ok = !mlirModuleIsNull(module) && run(module, target, arguments, count, &first) &&
            run(module, target, arguments, count, &second);
  ok = ok && same(argv[2], &first, &second);
  drop(&first);
  drop(&second);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return ok ? 0 : 1;
}
