//===- Blas.c - cuBLAS and OpenBLAS, opened when asked for ----------------===//
//
// Names, signatures and numbers are those of the cuBLAS reference and of the CBLAS interface.
//===----------------------------------------------------------------------===//
#include "Providers.h"
#include <limits.h>
#include <stdlib.h>

//===- cuBLAS -------------------------------------------------------------===//
//
// cuBLAS takes column-major matrices, which row-major ones are when read as transposed: C' = B' A'.

enum { CUBLAS_N = 0, CUBLAS_T = 1, CUBLAS_DEFAULT_ALGORITHM = -1 };

typedef int CublasGemmEx(void *handle, int opA, int opB, int m, int n, int k, const void *alpha,
                         const void *a, int typeA, int lda, const void *b, int typeB, int ldb,
                         const void *beta, void *c, int typeC, int ldc, int compute, int algorithm);

typedef struct Cublas {
  void *handle;
  int (*create)(void **);
  int (*destroy)(void *);
  int (*setStream)(void *, void *);
  CublasGemmEx *gemm;
  /// cudaDataType of A and B, of C; cublasComputeType.
  int input, output, compute;
} Cublas;

/// cudaDataType, -1 for what there is none.
static int cudaType(TileElementType type) {
  switch (type) {
  case TILE_ELEMENT_F32:
    return 0;
  case TILE_ELEMENT_F64:
    return 1;
  case TILE_ELEMENT_F16:
    return 2;
  case TILE_ELEMENT_I8:
    return 3;
  case TILE_ELEMENT_I32:
    return 10;
  case TILE_ELEMENT_BF16:
    return 14;
  case TILE_ELEMENT_I1:
  case TILE_ELEMENT_I16:
  case TILE_ELEMENT_I64:
  case TILE_ELEMENT_F8E4M3FN:
  case TILE_ELEMENT_F8E5M2:
    return -1;
  }
  return -1;
}

static int chooseCompute(const BenchProduct *product) {
  enum { COMPUTE_32F = 68, COMPUTE_64F = 70, COMPUTE_32I = 72, COMPUTE_32F_FAST_TF32 = 77 };
  if (product->a->type == TILE_ELEMENT_F64) return COMPUTE_64F;
  if (product->a->type == TILE_ELEMENT_I8) return COMPUTE_32I;
  return product->a->type == TILE_ELEMENT_F32 && product->tf32 ? COMPUTE_32F_FAST_TF32
                                                               : COMPUTE_32F;
}

static const void *address(TileDevicePtr pointer) {
  return (const void *)(uintptr_t)pointer; // NOLINT(performance-no-int-to-ptr)
}

static bool runCublas(BenchProvider *provider, TileError *error) {
  const Cublas *c = provider->state;
  const BenchProduct *p = &provider->product;
  static const float one = 1, zero = 0;
  static const double one64 = 1, zero64 = 0;
  static const int32_t one32 = 1, zero32 = 0;
  bool isF64 = p->a->type == TILE_ELEMENT_F64, isI8 = p->a->type == TILE_ELEMENT_I8;
  const void *alpha = isF64 ? (const void *)&one64 : isI8 ? (const void *)&one32 : &one;
  const void *beta = isF64 ? (const void *)&zero64 : isI8 ? (const void *)&zero32 : &zero;
  int m = (int)p->m, n = (int)p->n, k = (int)p->k;
  int status =
      c->gemm(c->handle, p->transposedB ? CUBLAS_T : CUBLAS_N, CUBLAS_N, n, m, k, alpha,
              address(p->b->devicePtr), c->input, p->transposedB ? k : n, address(p->a->devicePtr),
              c->input, k, beta, (void *)(uintptr_t)p->c->devicePtr, c->output, n, // NOLINT
              c->compute, CUBLAS_DEFAULT_ALGORITHM);
  return status == 0 ||
         tileErrorSet(error, "expected cublasGemmEx to succeed, found status %d", status);
}

static void closeCublas(BenchProvider *provider) {
  Cublas *c = provider->state;
  if (c->handle) c->destroy(c->handle);
  free(c);
}

bool benchOpenCublas(BenchProvider *provider, TileProgram *program, size_t launch,
                     TileError *error) {
  static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so", NULL};
  BenchProduct *p = &provider->product;
  if (!benchFindProduct(program, launch, p, error)) return false;
  Cublas *c = tileRuntimeAlloc(sizeof *c);
  provider->state = c;
  provider->run = runCublas;
  provider->close = closeCublas;
  c->input = cudaType(p->a->type);
  c->output = cudaType(p->c->type);
  c->compute = chooseCompute(p);
  if (c->input < 0 || c->output < 0 || p->m > INT_MAX || p->n > INT_MAX || p->k > INT_MAX)
    return tileErrorSet(error, "expected types that cublasGemmEx takes, found %s into %s",
                        tileElementGetName(p->a->type), tileElementGetName(p->c->type));
  void *library = benchOpenLibrary("TILE_CUBLAS", names, error);
  if (!library || !benchFindSymbol(library, "cublasCreate_v2", (void *)&c->create, error) ||
      !benchFindSymbol(library, "cublasDestroy_v2", (void *)&c->destroy, error) ||
      !benchFindSymbol(library, "cublasSetStream_v2", (void *)&c->setStream, error) ||
      !benchFindSymbol(library, "cublasGemmEx", (void *)&c->gemm, error))
    return false;
  void *stream = tileDeviceEnterForeign(provider->device, error);
  if (!stream) return false;
  int status = c->create(&c->handle);
  if (status == 0) status = c->setStream(c->handle, stream);
  if (status != 0) return tileErrorSet(error, "expected cuBLAS to start, found status %d", status);
  return benchCheckProduct(provider, error);
}

//===- OpenBLAS -----------------------------------------------------------===//

enum { CBLAS_ROW_MAJOR = 101, CBLAS_NO_TRANSPOSE = 111, CBLAS_TRANSPOSE = 112 };

typedef struct Openblas {
  void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int, float,
                float *, int);
  void (*dgemm)(int, int, int, int, int, int, double, const double *, int, const double *, int,
                double, double *, int);
  void (*setThreads)(int);
} Openblas;

static bool runOpenblas(BenchProvider *provider, TileError *error) {
  (void)error;
  const Openblas *o = provider->state;
  const BenchProduct *p = &provider->product;
  int m = (int)p->m, n = (int)p->n, k = (int)p->k;
  int transpose = p->transposedB ? CBLAS_TRANSPOSE : CBLAS_NO_TRANSPOSE;
  int pitch = p->transposedB ? k : n;
  if (p->a->type == TILE_ELEMENT_F64)
    o->dgemm(CBLAS_ROW_MAJOR, CBLAS_NO_TRANSPOSE, transpose, m, n, k, 1, p->a->host, k, p->b->host,
             pitch, 0, p->c->host, n);
  else
    o->sgemm(CBLAS_ROW_MAJOR, CBLAS_NO_TRANSPOSE, transpose, m, n, k, 1, p->a->host, k, p->b->host,
             pitch, 0, p->c->host, n);
  return true;
}

static void closeOpenblas(BenchProvider *provider) { free(provider->state); }

bool benchOpenOpenblas(BenchProvider *provider, TileProgram *program, size_t launch,
                       TileError *error) {
  static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", NULL};
  BenchProduct *p = &provider->product;
  if (!benchFindProduct(program, launch, p, error)) return false;
  Openblas *o = tileRuntimeAlloc(sizeof *o);
  provider->state = o;
  provider->run = runOpenblas;
  provider->close = closeOpenblas;
  bool isFloat = p->a->type == TILE_ELEMENT_F32 || p->a->type == TILE_ELEMENT_F64;
  if (!isFloat || p->c->type != p->a->type || p->m > INT_MAX || p->n > INT_MAX || p->k > INT_MAX)
    return tileErrorSet(error, "expected a product of f32 or f64 for OpenBLAS, found %s into %s",
                        tileElementGetName(p->a->type), tileElementGetName(p->c->type));
  void *library = benchOpenLibrary("TILE_OPENBLAS", names, error);
  if (!library || !benchFindSymbol(library, "cblas_sgemm", (void *)&o->sgemm, error) ||
      !benchFindSymbol(library, "cblas_dgemm", (void *)&o->dgemm, error) ||
      !benchFindSymbol(library, "openblas_set_num_threads", (void *)&o->setThreads, error))
    return false;
  TileExecutor *executor = tileExecutorGetDefault(error);
  if (!executor) return false;
  // As many threads as the kernels have.
  o->setThreads((int)tileExecutorGetThreads(executor));
  return benchCheckProduct(provider, error);
}
