//===- Values.h - what both Python packages make of tile.h ------*- C -*-===//
//
// Python's numbers as values of launches, and the context that a process has.
//===----------------------------------------------------------------------===//
#ifndef TILE_PYTHON_VALUES_H
#define TILE_PYTHON_VALUES_H

#define PY_SSIZE_T_CLEAN
#include "tile.h"
#include <Python.h>
#include <sys/types.h>

/// What has __index__, as an integer of 64 bits; from 2^63 on, numbers are unsigned. False with an
/// exception.
bool valuePackInteger(PyObject *argument, tile_value *value);

/// What has __float__ or __index__. False with an exception.
bool valuePackFloat(PyObject *argument, tile_value *value);

/// Made when it is needed, and anew in a child of fork(), which must not use that of its parent.
typedef struct ProcessContext {
  tile_context *context;
  pid_t process;
} ProcessContext;

/// `options` may be NULL.
tile_status processContextOpen(ProcessContext *context, const tile_context_options *options);

#endif
