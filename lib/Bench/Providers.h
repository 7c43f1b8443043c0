//===- Providers.h - what others make of the same work --------------------===//
#ifndef TILE_BENCH_PROVIDERS_H
#define TILE_BENCH_PROVIDERS_H

#include "Run.h"

/// A product C = A * B of row-major matrices, found in a launch by its arrays.
typedef struct BenchProduct {
  TileArray *a, *b, *c;
  int64_t m, n, k;
  /// B is stored N x K.
  bool transposedB;
  /// f32 operands may be rounded to tf32, as the kernel's dot says.
  bool tf32;
} BenchProduct;

struct BenchProvider {
  TileDevice *device;
  BenchProduct product;
  bool (*run)(BenchProvider *provider, TileError *error);
  void (*close)(BenchProvider *provider);
  /// Of the provider's own.
  void *state;
};

/// Recognizes a product: three matrices, the written one M x N, the others M x K and K x N (or
/// N x K).
bool benchFindProduct(TileProgram *program, size_t launch, BenchProduct *product, TileError *error);

/// Runs the provider and compares its C with the kernel's; where they differ and shapes allow,
/// tries with B transposed.
bool benchCheckProduct(BenchProvider *provider, TileError *error);

bool benchOpenCublas(BenchProvider *provider, TileProgram *program, size_t launch,
                     TileError *error);
bool benchOpenOpenblas(BenchProvider *provider, TileProgram *program, size_t launch,
                       TileError *error);
bool benchOpenCopy(BenchProvider *provider, TileProgram *program, size_t launch, TileError *error);

/// Opens a library for good: the variable's value if set, else the first of `names` (NULL at the
/// end) that there is.
void *benchOpenLibrary(const char *variable, const char *const *names, TileError *error);
/// Looks `symbol` up into the function pointer at `function`.
bool benchFindSymbol(void *library, const char *symbol, void *function, TileError *error);

#endif // TILE_BENCH_PROVIDERS_H
