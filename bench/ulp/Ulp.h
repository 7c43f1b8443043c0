//===- Ulp.h - functions, what they should give, and kernels of them ------===//
#ifndef TILE_BENCH_ULP_H
#define TILE_BENCH_ULP_H

#include "mlir-c/IR.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef long double Wide;

/// A function of one number or of two, as the C library or a series has it, of f32 in double.
typedef struct {
  /// "math.exp" or "arith.divf"; "nv.tgamma" is libdevice's __nv_tgamma, and __nv_tgammaf.
  const char *name;
  double (*narrow)(double);
  Wide (*wide)(Wide);
  double (*narrow2)(double, double);
  Wide (*wide2)(Wide, Wide);
  /// What --limits promises, in ULP: of f32 on CPU and GPU, of f64.
  double cpu, gpu, f64;
  /// What an ULP is one of at least, or null: where a function oscillates, how far it goes.
  double (*size)(double x, bool wide);
} UlpFunction;

extern const UlpFunction ulpFunctions[];
extern const size_t numUlpFunctions;

/// One function on one type, and how its inputs come from counting: bits = low + (h & mask) with
/// the sign of h, h = (first + i) * factor; another of h * 0x9e37..15 for the second number.
/// `batch` are the results of one launch.
typedef struct {
  size_t function;
  bool wide;
  uint64_t factor, low, mask, count, batch;
} Sweep;

/// How many results a launch has where `count` are wanted: whole programs.
uint64_t ulpBatch(uint64_t count);
/// Is it a function of libdevice?
bool ulpIsLibdevice(size_t function);
/// The kernel and host program of a sweep, without what libdevice's function is made of. The caller
/// frees it.
char *ulpModuleText(const Sweep *s);
/// That, parsed and complete; null after an error. The caller destroys it.
MlirModule ulpModule(MlirContext context, const Sweep *s);

#endif
