//===- TileCompile.h - what the files of tile-compile share ---------------===//
#ifndef TILE_TOOLS_TILE_COMPILE_H
#define TILE_TOOLS_TILE_COMPILE_H

#include <stdio.h>
#include <tile-rt.h>

enum { MAX_LIST = 64 };

/// What the command line asked for; strings are argv's, or live as long.
typedef struct CompileOptions {
  const char *file, *kernel, *output;
  const char *archs[MAX_LIST];
  int numArchs;
  /// "BM=128,num_warps=8", of all -D.
  char config[1024];
  /// Texts of facts, each a variant; after them comes one that knows nothing, unless `strict`.
  const char *facts[MAX_LIST];
  int numFacts;
  bool strict, ptx;
} CompileOptions;

/// Parses the command line; ends the process with 2 on bad usage, with 0 after --help.
CompileOptions compileOptionsParse(int argc, char **argv);

/// What is written: a kernel and its variants, the better ones first.
typedef struct Bundle {
  tile_kernel *kernel;
  tile_kernel_info info;
  tile_artifact *artifacts[4 * MAX_LIST];
  tile_rt_variant variants[4 * MAX_LIST];
  int numVariants;
} Bundle;

/// Writes `prefix`.h and `prefix`.c; false after an error.
bool writeBundle(const Bundle *bundle, const char *prefix);

#endif // TILE_TOOLS_TILE_COMPILE_H
