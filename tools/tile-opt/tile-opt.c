//===- tile-opt.c - run passes over tile programs -------------------------===//
//
// All that mlir-opt has, plus the tile dialect and its passes.
//
//===----------------------------------------------------------------------===//
#include "tile/Tools.h"

int main(int argc, char **argv) { return tileOptMain(argc, argv); }
