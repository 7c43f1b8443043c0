//===- Values.c - what both Python packages make of tile.h ----------------===//
#include "Values.h"
#include <unistd.h>

bool valuePackInteger(PyObject *argument, tile_value *value) {
  int overflow;
  if (PyLong_Check(argument)) {
    long long found = PyLong_AsLongLongAndOverflow(argument, &overflow);
    *value = tile_integer(found);
    if (!overflow) return found != -1 || !PyErr_Occurred();
  }
  PyObject *number = PyNumber_Index(argument);
  if (!number) return false;
  long long found = PyLong_AsLongLongAndOverflow(number, &overflow);
  *value = tile_integer(overflow ? (int64_t)PyLong_AsUnsignedLongLong(number) : found);
  Py_DecRef(number);
  return !PyErr_Occurred();
}

bool valuePackFloat(PyObject *argument, tile_value *value) {
  *value = tile_float(PyFloat_AsDouble(argument));
  return value->as.number != -1.0 || !PyErr_Occurred();
}

tile_status processContextOpen(ProcessContext *context, const tile_context_options *options) {
  if (context->context && context->process == getpid()) return TILE_STATUS_OK;
  context->process = getpid();
  return tile_context_create(options, &context->context);
}
