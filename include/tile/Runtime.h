//===- Runtime.h - arrays, devices and executors for compiled kernels -----===//
//
// What a compiled kernel needs at run time and nothing of how it was compiled: no MLIR, no CUDA
// toolkit, plain C11 on Linux. The parts, each usable alone:
//
//   Runtime/Error.h        the one error convention
//   Runtime/ElementType.h  the dialect's element types, exact conversions
//   Runtime/Array.h        arrays that live on the host, on the device, or both
//   Runtime/Npy.h          .npy files in and out
//   Runtime/Pnm.h          pictures (.ppm, .pgm) in and out
//   Runtime/Output.h       files that appear whole or not at all
//   Runtime/Driver.h       the CUDA driver (opened with dlopen), devices, kernels, launches
//   Runtime/GridForm.h     how many programs a launch has, computed of its arguments
//   Runtime/Launcher.h     launches with tensor maps and persistent grids
//   Runtime/Executor.h     a thread pool that runs a grid of programs on the CPU
//   Runtime/Clock.h        a monotonic clock and order statistics for timing
//   Runtime/Steady.h       when times of repeated work are to be trusted
//   Runtime/Timing.h       how long work takes: warm-up, cold caches, repetitions, graph replay
//   Runtime/Sensors.h      clocks and temperatures
//   Runtime/Cache.h        compiled code and tuning results, kept between runs
//
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_H
#define TILE_RUNTIME_H

#include "tile/Runtime/Array.h"
#include "tile/Runtime/Cache.h"
#include "tile/Runtime/Clock.h"
#include "tile/Runtime/Driver.h"
#include "tile/Runtime/ElementType.h"
#include "tile/Runtime/Error.h"
#include "tile/Runtime/Executor.h"
#include "tile/Runtime/GridForm.h"
#include "tile/Runtime/Launcher.h"
#include "tile/Runtime/Npy.h"
#include "tile/Runtime/Output.h"
#include "tile/Runtime/Pnm.h"
#include "tile/Runtime/Sensors.h"
#include "tile/Runtime/Steady.h"
#include "tile/Runtime/Timing.h"

#endif // TILE_RUNTIME_H
