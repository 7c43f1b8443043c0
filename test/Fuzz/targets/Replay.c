//===- Replay.c - a target's inputs, once each, without libFuzzer ---------===//
//
//   NameFuzz FILE ...
//
// The status is 0 where none ends the process.
//
//===----------------------------------------------------------------------===//
#include "Target.h"
#include <sys/stat.h>

int main(int argc, char **argv) {
  LLVMFuzzerInitialize(&argc, &argv);
  for (int i = 1; i < argc; ++i) {
    FILE *file = fopen(argv[i], "rb");
    struct stat status;
    if (!file || fstat(fileno(file), &status)) {
      perror(argv[i]);
      return 2;
    }
    size_t size = (size_t)status.st_size;
    uint8_t *data = malloc(size + 1);
    if (!data || fread(data, 1, size, file) != size) {
      perror(argv[i]);
      return 2;
    }
    fclose(file);
    fprintf(stderr, "%s\n", argv[i]);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
  }
  printf("%d inputs\n", argc - 1);
  return 0;
}
