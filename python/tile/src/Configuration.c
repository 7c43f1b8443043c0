//===- Configuration.c - what a call takes beside a kernel's arguments ----===//
#include "Tile.h"
#include <string.h>

/// {"BM": 128, "num_warps": 8} as "BM=128,num_warps=8".
static PyObject *joinDict(PyObject *dict) {
  PyObject *key, *value, *text = PyUnicode_FromString("");
  for (Py_ssize_t at = 0; text && PyDict_Next(dict, &at, &key, &value);) {
    PyObject *joined =
        PyUnicode_FromFormat("%U%s%S=%S", text, PyUnicode_GetLength(text) ? "," : "", key, value);
    Py_DECREF(text);
    text = joined;
  }
  return text;
}

bool readConfig(PyObject *object, const char **text, PyObject **keeper) {
  *text = NULL;
  *keeper = NULL;
  if (!object || object == Py_None) return true;
  if (PyDict_Check(object))
    *keeper = joinDict(object);
  else if (PyUnicode_Check(object))
    *keeper = Py_NewRef(object);
  else
    PyErr_Format(PyExc_TypeError, "expected a configuration, found %R", object);
  if (*keeper) *text = PyUnicode_AsUTF8AndSize(*keeper, NULL);
  return *text != NULL;
}

static bool readExtent(PyObject *object, uint32_t *extent) {
  tile_value value;
  if (!valuePackInteger(object, &value)) return false;
  if (value.as.integer >= 0 && value.as.integer <= INT32_MAX) {
    *extent = (uint32_t)value.as.integer;
    return true;
  }
  PyErr_Format(PyExc_ValueError, "expected a grid from 0 to 2^31 - 1, found %S", object);
  return false;
}

bool readGrid(PyObject *object, uint32_t grid[3]) {
  if (!object || object == Py_None) return true;
  grid[1] = grid[2] = 1;
  if (PyIndex_Check(object)) return readExtent(object, &grid[0]);
  Py_ssize_t count = PySequence_Check(object) ? PySequence_Size(object) : 0;
  if (count < 1 || count > 3) {
    if (!PyErr_Occurred())
      PyErr_Format(PyExc_TypeError, "expected a grid of one to three integers, found %R", object);
    return false;
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *item = PySequence_GetItem(object, i);
    bool ok = item && readExtent(item, &grid[i]);
    Py_XDECREF(item);
    if (!ok) return false;
  }
  return true;
}

/// What cuda.core's protocol gives: (version, handle).
static PyObject *askStream(PyObject *object) {
  PyObject *pair = PyObject_CallMethod(object, "__cuda_stream__", NULL);
  PyObject *handle = pair ? PySequence_GetItem(pair, 1) : NULL;
  Py_XDECREF(pair);
  return handle;
}

bool readStream(PyObject *object, void **stream) {
  static const char *const names[] = {"cuda_stream", "ptr"}; // torch's, CuPy's
  if (!object || object == Py_None) return true;
  PyObject *handle = PyIndex_Check(object) ? Py_NewRef(object) : NULL;
  for (int i = 0; !handle && i < 2; ++i)
    if (PyObject_HasAttrString(object, names[i])) handle = PyObject_GetAttrString(object, names[i]);
  if (!handle && PyObject_HasAttrString(object, "__cuda_stream__")) handle = askStream(object);
  if (!handle && !PyErr_Occurred())
    PyErr_Format(PyExc_TypeError, "expected a CUDA stream, found %R", object);
  if (!handle) return false;
  tile_value value;
  bool ok = valuePackInteger(handle, &value);
  Py_DECREF(handle);
  if (ok) *stream = (void *)(uintptr_t)value.as.integer;
  return ok;
}

bool readPlace(PyObject *object, const Arguments *a, tile_place *place) {
  *place = a->hasArrays && !a->isOnGpu ? TILE_PLACE_CPU : TILE_PLACE_GPU;
  if (!object || object == Py_None) return true;
  bool isCpu = PyUnicode_Check(object) && !PyUnicode_CompareWithASCIIString(object, "cpu");
  bool isGpu = PyUnicode_Check(object) && !PyUnicode_CompareWithASCIIString(object, "cuda");
  if (!isCpu && !isGpu) {
    PyErr_Format(PyExc_ValueError, "expected the device 'cpu' or 'cuda', found %R", object);
    return false;
  }
  if (a->hasArrays && a->isOnGpu != isGpu) {
    PyErr_Format(PyExc_ValueError, "expected arrays on the device %R, found others", object);
    return false;
  }
  *place = isCpu ? TILE_PLACE_CPU : TILE_PLACE_GPU;
  return true;
}
