//===- Native.h - what the parts of tile_triton._native share ---*- C -*-===//
//
//   Kernel.c    _native.Kernel: a kernel is read, compiled, and asked for its code
//   Launcher.c  _native.Launcher: from Triton's arguments to a launch, or a checked one
//   Front.c     _native.Front: Triton's own way to a launch, remembered
//   Compiled.c  bind_compiled: launches of a kernel that is compiled
//   Native.c    the module
//===----------------------------------------------------------------------===//
#ifndef TILE_TRITON_NATIVE_H
#define TILE_TRITON_NATIVE_H

#include "Plan.h"
#include "Variants.h"

/// What the module keeps.
typedef struct State {
  PyObject *error;
  PyTypeObject *kernel, *launcher;
  ProcessContext context;
} State;

enum { MOST_HEAD = 256 };

/// What code is compiled for.
typedef enum Knowledge {
  BY_SIGNATURE, ///< what Triton's text says
  BY_MULTIPLES, ///< that, and other multiples (Variants.h)
  BY_FACTS,     ///< all that is known of each launch
} Knowledge;

typedef struct {
  PyObject_HEAD PyObject *module, *binary;
  tile_module *source;
  tile_kernel *kernel;
  /// The common code; NULL where nobody asked for it.
  tile_artifact *common;
  /// What was compiled first, the common code or a launch's own, which `variants` owns, and what it
  /// is.
  tile_artifact *first;
  tile_artifact_info info;
  /// Looked for when they are asked for: without a context of the driver's that takes the
  /// assembler.
  tile_resources resources;
  bool onCpu;
  Knowledge knowledge;
  bool multiplies;
  /// It has loops, or tiles in parts: code depends on how many programs a multiprocessor has.
  bool counts;
  /// It has a loop that may wait for another program.
  bool waits;
  /// Of the first 64 values, those that do not steer the kernel, and integers of which its text
  /// does not say that they are multiples of 16.
  uint64_t silent, untold;
  /// And the least step of loops up to each.
  uint32_t steps[64];
  /// Of a program, as the configuration has them.
  unsigned warps;
  Variants variants;
  /// The machine, a NUL, and the configuration, to which `config` points.
  char head[MOST_HEAD];
  const char *config;
} Kernel;

typedef struct {
  PyObject_HEAD Plan *plan;
  /// Of the device; 0: programs are not counted.
  unsigned multiprocessors;
  /// All programs of a launch run at the same time.
  int cooperative;
  /// Of the kernels that it launches; the module has it.
  PyTypeObject *kernel;
} Launcher;

State *kernelGetState(const Kernel *self);

/// Raises what tile.h says was wrong; false.
bool kernelRaise(const Kernel *self);

/// The common code; NULL with an exception where there can be none.
tile_artifact *kernelGetCommon(Kernel *self);

/// The code for a launch of `key`; NULL with an exception where there is none.
tile_artifact *kernelFindCode(Kernel *kernel, VariantsKey key);

/// What is told of a launch of `kernel`.
VariantsKey kernelFindKey(const Kernel *kernel, const Launcher *launcher, const uint32_t grid[3],
                          const tile_value *values);

/// The launcher, borrowed, whose method `launch` a function is; NULL without an exception where it
/// is something else.
Launcher *launcherOf(PyObject *function);

/// Launches. `grid` NULL: there is nothing to run, but what is wrong with the arguments is said.
/// False with an exception.
bool launcherLaunch(const Launcher *launcher, Kernel *kernel, PyObject *stream,
                    const uint32_t *grid, PyObject *const *arguments, Py_ssize_t count);

/// Reads three extents. False without an exception where there is nothing to run.
bool launcherReadGrid(PyObject *const *extents, uint32_t grid[3]);

/// Is it a chain of hooks, as Triton keeps them, that has none?
bool launcherIsEmptyChain(PyObject *hook);

/// What launches a compiled kernel on a grid; Compiled.c has its arguments.
PyObject *compiledBind(PyObject *module, PyObject *const *given, Py_ssize_t count);

/// A method launch_metadata of a type; Compiled.c has its arguments.
PyObject *compiledMakeMetadata(PyObject *module, PyObject *const *given, Py_ssize_t count);

extern PyType_Spec kernelSpec, launcherSpec, frontSpec;

#endif
