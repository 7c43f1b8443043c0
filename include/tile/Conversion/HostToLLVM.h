//===- HostToLLVM.h - host programs as code that calls the runtime --------===//
//
// A host program is the func.funcs of a file: upstream ops, and tile ops that make arrays, launch
// kernels and check results. `convert-tile-host` turns the tile ops into calls of the functions
// below; upstream passes do the rest, and the JIT links the result with whoever provides these
// functions (tile/Session/Program.h does).
//
// All of them take `site`, the number of the tile op in the file, by which the provider finds its
// attributes, types and location. Addresses travel as int64_t.
//
//   int64_t tileHostAlloc(int64_t site, int64_t extents)
//   int64_t tileHostRandom(int64_t site, int64_t extents)
//   int64_t tileHostRead(int64_t site, int64_t extents)
//       The data of a new array. `extents` points at one int64_t a dimension: read, or by
//       tileHostRead written.
//   void tileHostWrite(int64_t site, int64_t data, int64_t extents)
//   void tileHostDump(int64_t site, int64_t data, int64_t extents)
//   void tileHostExpectClose(int64_t site, int64_t got, int64_t gotExtents,
//                            int64_t want, int64_t wantExtents)
//   void tileHostLaunch(int64_t site, int64_t slots, int32_t x, int32_t y, int32_t z,
//                       int64_t operations, int64_t bytes)
//       `slots` points at one 8-byte slot an argument: integers and floats in the low bytes, arrays
//       as host addresses. (x, y, z) is the grid; the rest is what tile.cost yields, or 0.
//   void tileHostCheckDivision(int64_t site, int64_t dividend, int64_t divisor, int64_t width)
//       Called before an integer division in the tile.grid or tile.cost of the kernel that `site`
//       launches: a divisor of 0 is an error, and so is the least number of `width` bits (0: an
//       unsigned division) divided by -1.
//   int32_t tileHostMultiprocessors(int64_t site)
//       Of the GPU; on the CPU, the threads that run programs.
//   void tileHostBind(int64_t site, int64_t position, int64_t value)
//       Called before tileHostLaunch for each entry of the launch's meta {..}, by its position, but
//       for those that the pass's option `bind` has.
//   int32_t tileHostConfigure(int64_t site, int64_t slots)
//   int64_t tileHostMeta(int64_t site, int64_t number)
//       With `configure`, for kernels with meta-parameters: whether to launch (once more) with
//       these arguments, 1 or 0, asked before each launch and after it; and, of the configuration
//       that the last answer stands for, the meta-parameter at this position of the kernel's
//       dictionary.
//   void tileHostTouch(int64_t data, int32_t writes)
//       Host code is about to read (and if `writes`, write) the array at `data`. Called before each
//       stretch of host code that no launch interrupts, so a loop without launches has it in front.
//       An address that belongs to no array is memory of the host program's own.
//   int32_t tileHostMain(int64_t slots)
//       Defined by the conversion: calls @main with arguments from 8-byte slots and returns its i32
//       result, or 0.
//
// A provider that fails does not return.
//===----------------------------------------------------------------------===//
#ifndef TILE_HOST_TO_LLVM_H
#define TILE_HOST_TO_LLVM_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Is it an op of host programs, of tile_host?
bool tileOpIsHost(MlirOperation op);

/// Numbers the host ops of `module` in the order of the file, in the attribute `tile_host.site`,
/// and returns how many there are. Clones keep the numbers.
int64_t tileNumberHostOps(MlirOperation module);

/// The pointer arguments of kernel `func` that it may write through, as a bit set by argument
/// number; an argument past the 64th counts as written wherever it stands (its bit does not exist).
uint64_t tileKernelGetWrittenArguments(MlirOperation func);

/// Appends the passes that take a module after convert-tile-host to the llvm dialect.
MlirLogicalResult tileBuildHostToLLVM(MlirOpPassManager pm);

#ifdef __cplusplus
}
#endif

#endif // TILE_HOST_TO_LLVM_H
