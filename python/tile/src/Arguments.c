//===- Arguments.c - what a call gives as the values of a launch ----------===//
#include "Tile.h"
#include <stdlib.h>
#include <string.h>

_Thread_local bool launchesAreDry;

/// "argument 2, %out" for messages.
static PyObject *nameOf(const KernelObject *kernel, size_t i) {
  PyObject *name = kernel->parameters[i].name;
  return name ? PyUnicode_FromFormat("%%%U", name) : PyUnicode_FromFormat("argument %zu", i);
}

/// Raises `format`, which has %U for the parameter and %s for `found`.
static bool refuse(PyObject *type, const char *format, const KernelObject *kernel, size_t i,
                   const char *found) {
  PyObject *name = nameOf(kernel, i);
  if (name) PyErr_Format(type, format, name, kernel->info.name, found);
  Py_XDECREF(name);
  return false;
}

static bool checkTensor(Arguments *a, const KernelObject *kernel, size_t i) {
  const Tensor *tensor = &a->tensors[i];
  const tile_argument_info *info = &kernel->parameters[i].info;
  static const char *const names[] = {"any", "i1",   "i8",  "i16", "i32",      "i64",
                                      "f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"};
  if (!tensorHasType(tensor, info->type)) {
    PyObject *name = nameOf(kernel, i);
    if (name)
      PyErr_Format(PyExc_TypeError, "expected an array of %s for %U of '%s', found one of %s",
                   names[info->type], name, kernel->info.name, tensorGetTypeName(tensor));
    Py_XDECREF(name);
    return false;
  }
  if (tensor->isReadOnly && info->is_written)
    return refuse(PyExc_ValueError,
                  "expected an array that may be written for %U of '%s', found %s", kernel, i,
                  "one that is read-only");
  if (a->hasArrays && a->isOnGpu != tensorIsOnGpu(tensor))
    return refuse(PyExc_ValueError, "expected all arrays on one device, found %U of '%s' on the %s",
                  kernel, i, a->isOnGpu ? "CPU" : "GPU");
  return true;
}

/// An array, None, or an address.
static bool packPointer(Arguments *a, State *state, const KernelObject *kernel, size_t i,
                        PyObject *object) {
  if (object == Py_None || PyLong_Check(object)) {
    a->values[i] = tile_pointer(NULL);
    if (object != Py_None) a->values[i].as.pointer = PyLong_AsUnsignedLongLong(object);
    return !PyErr_Occurred();
  }
  Tensor *tensor = &a->tensors[i];
  a->hasTensor[i] = true;
  if (!tensorOpen(state, object, tensor) || !checkTensor(a, kernel, i)) return false;
  a->values[i] = tile_pointer(tensorGetData(tensor));
  a->hasArrays = true;
  a->isOnGpu = tensorIsOnGpu(tensor);
  if (!a->isOnGpu || a->hasStream) return true;
  if (!tensorAskStream(tensor)) return false;
  if (tensor->hasStream) {
    a->hasStream = true;
    a->stream = tensor->stream;
  }
  return true;
}

static bool packArgument(Arguments *a, State *state, const KernelObject *kernel, size_t i,
                         PyObject *object) {
  const tile_argument_info *info = &kernel->parameters[i].info;
  if (info->is_pointer) return packPointer(a, state, kernel, i, object);
  if (info->type >= TILE_TYPE_F16) return valuePackFloat(object, &a->values[i]);
  return valuePackInteger(object, &a->values[i]);
}

static bool makeRoom(Arguments *a, const KernelObject *kernel) {
  size_t count = kernel->info.num_arguments;
  a->hasArrays = a->isOnGpu = a->hasStream = false;
  a->stream = NULL;
  a->count = count;
  a->values = a->fewValues;
  a->hasTensor = a->fewHasTensor;
  a->tensors = a->fewTensors;
  if (count > FEW_ARGUMENTS) {
    a->values = malloc(count * sizeof *a->values);
    a->hasTensor = malloc(count * sizeof *a->hasTensor);
    a->tensors = malloc(count * sizeof *a->tensors);
  }
  if (!a->values || !a->hasTensor || !a->tensors) {
    a->count = 0;
    PyErr_NoMemory();
    return false;
  }
  memset(a->hasTensor, 0, count * sizeof *a->hasTensor);
  return true;
}

/// An extent or a stride of an array that was given before or behind it.
static bool measure(Arguments *a, const KernelObject *kernel, size_t i) {
  const tile_argument_info *info = &kernel->parameters[i].info;
  if (info->measure == TILE_MEASURE_NONE || !a->hasTensor[info->array])
    return refuse(PyExc_TypeError, "expected %U of '%s', found %s", kernel, i, "no value for it");
  const Tensor *tensor = &a->tensors[info->array];
  int dimension = (int)info->dimension;
  if (dimension >= tensor->dl.rank) {
    PyObject *name = nameOf(kernel, info->array);
    if (name)
      PyErr_Format(PyExc_ValueError,
                   "expected an array of more than %d dimensions for %U of '%s', "
                   "found one of %d",
                   dimension, name, kernel->info.name, (int)tensor->dl.rank);
    Py_XDECREF(name);
    return false;
  }
  a->values[i] =
      tile_integer(info->measure == TILE_MEASURE_EXTENT ? tensor->dl.shape[dimension]
                                                        : tensorGetStride(tensor, dimension));
  return true;
}

bool givenOpen(Given *given, PyObject *const *objects, size_t count, PyObject *names,
               PyObject **made) {
  // The highest bit says that the caller lends the place in front.
  *given = (Given){.objects = objects, .count = count & (SIZE_MAX >> 1)};
  *made = NULL;
  if (!names) return true;
  given->named = *made = PyDict_New();
  Py_ssize_t num = *made ? PyTuple_Size(names) : 0;
  for (Py_ssize_t i = 0; i < num; ++i)
    if (PyDict_SetItem(*made, PyTuple_GetItem(names, i), objects[given->count + (size_t)i]))
      return false;
  return *made != NULL;
}

bool argumentsOpen(Arguments *a, State *state, const KernelObject *kernel, const Given *given) {
  if (!makeRoom(a, kernel)) return false;
  Py_ssize_t numNamed = given->numNamed;
  size_t missing = 0;
  if (given->count > a->count) {
    PyErr_Format(PyExc_TypeError, "expected %zu arguments for '%s', found %zu", a->count,
                 kernel->info.name, given->count);
    return false;
  }
  for (size_t i = 0; i < a->count; ++i) {
    PyObject *object = NULL;
    PyObject *name = kernel->parameters[i].name;
    if (i < given->count) {
      object = given->objects ? given->objects[i] : PyTuple_GetItem(given->tuple, (Py_ssize_t)i);
    } else if (numNamed && name) {
      object = PyDict_GetItemWithError(given->named, name);
      numNamed -= object != NULL;
      if (!object && PyErr_Occurred()) return false;
    }
    bool isMissing = !object || (object == Py_None && !kernel->parameters[i].info.is_pointer);
    missing += isMissing;
    a->values[i].kind = 0;
    if (!isMissing && !packArgument(a, state, kernel, i, object)) return false;
  }
  for (size_t i = 0; missing && i < a->count; ++i)
    if (!a->values[i].kind && !measure(a, kernel, i)) return false;
  if (!numNamed) return true;
  PyErr_Format(PyExc_TypeError,
               "expected names of arguments that '%s' has and that are not given "
               "by place, found others",
               kernel->info.name);
  return false;
}

void argumentsClose(Arguments *a) {
  for (size_t i = 0; i < a->count; ++i)
    if (a->hasTensor[i]) tensorClose(&a->tensors[i]);
  if (a->values == a->fewValues) return;
  free(a->values);
  free(a->hasTensor);
  free(a->tensors);
}
