//===- Arguments.c - what a call gives as the values of a launch ----------===//
#include "Tile.h"
#include <stdio.h>
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
  if (!launchesAreDry && !tensorGetData(tensor) && tensorGetSpan(tensor))
    return refuse(PyExc_ValueError, "expected an array with memory for %U of '%s', found %s",
                  kernel, i, "one that has none (a fake tensor?)");
  if (tensor->isReadOnly && info->is_written)
    return refuse(PyExc_ValueError,
                  "expected an array that may be written for %U of '%s', found %s", kernel, i,
                  "one that is read-only");
  if (a->hasArrays && a->isOnGpu != tensorIsOnGpu(tensor))
    return refuse(PyExc_ValueError, "expected all arrays on one device, found %U of '%s' on the %s",
                  kernel, i, a->isOnGpu ? "CPU" : "GPU");
  int32_t device = tensorGetDevice(tensor);
  if (a->device < 0 || device < 0 || a->device == device) return true;
  char found[64];
  snprintf(found, sizeof found, "GPU %d, others on %d", (int)device, (int)a->device);
  return refuse(PyExc_ValueError, "expected all arrays on one device, found %U of '%s' on %s",
                kernel, i, found);
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
  if (a->device < 0) a->device = tensorGetDevice(tensor);
  if (!a->isOnGpu || a->hasStream) return true;
  if (!tensorAskStream(tensor)) return false;
  if (tensor->hasStream) {
    a->hasStream = true;
    a->stream = tensor->stream;
  }
  return true;
}

static bool packNumber(Arguments *a, const KernelObject *kernel, size_t i, PyObject *object) {
  bool isFloat = kernel->parameters[i].info.type >= TILE_TYPE_F16;
  if (isFloat ? valuePackFloat(object, &a->values[i]) : valuePackInteger(object, &a->values[i]))
    return true;
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) return false;
  PyErr_Clear();
  PyObject *name = nameOf(kernel, i);
  if (name)
    PyErr_Format(PyExc_TypeError, "expected %s for %U of '%s', found %R",
                 isFloat ? "a number" : "an integer", name, kernel->info.name, Py_TYPE(object));
  Py_XDECREF(name);
  return false;
}

static bool packArgument(Arguments *a, State *state, const KernelObject *kernel, size_t i,
                         PyObject *object) {
  return kernel->parameters[i].info.is_pointer ? packPointer(a, state, kernel, i, object)
                                               : packNumber(a, kernel, i, object);
}

static bool makeRoom(Arguments *a, const KernelObject *kernel) {
  size_t count = kernel->info.num_arguments;
  a->hasArrays = a->isOnGpu = a->hasStream = false;
  a->device = -1;
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

/// A stride in elements. By that of one row, or of one matrix, no element is found: torch says 1 of
/// a column's transpose. Where it is no multiple of 16, which kernels make use of, it is made one.
static int64_t strideOf(const Tensor *tensor, int dimension) {
  enum { multiple = 16 };
  const DLPackTensor *dl = &tensor->dl;
  int64_t stride = tensorGetStride(tensor, dimension), behind = 1;
  bool isFree = dimension + 1 < dl->rank && dl->shape[dimension] == 1;
  if (!isFree || (stride > 0 && stride % multiple == 0)) return stride;
  for (int i = dimension + 1; i < dl->rank; ++i) behind *= dl->shape[i] > 0 ? dl->shape[i] : 1;
  return (behind + multiple - 1) / multiple * multiple;
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
  a->values[i] = tile_integer(info->measure == TILE_MEASURE_EXTENT ? tensor->dl.shape[dimension]
                                                                   : strideOf(tensor, dimension));
  return true;
}

//===- what a call gives --------------------------------------------------===//

Given givenMake(PyObject *const *objects, size_t count, PyObject *names) {
  size_t numNames = names ? (size_t)PyTuple_Size(names) : 0;
  // The highest bit says that the caller lends the place in front.
  return (Given){.objects = objects,
                 .names = names,
                 .count = count & (SIZE_MAX >> 1),
                 .numNames = numNames,
                 .left = numNames};
}

/// Names of a call's text are interned, those of a dictionary may not be.
static bool isName(PyObject *a, PyObject *b) { return a == b || !PyUnicode_Compare(a, b); }

/// Which of `wanted` it is; NUM_OPTIONS: none.
static int findOption(const State *state, unsigned wanted, PyObject *name) {
  for (int i = 0; i < NUM_OPTIONS; ++i)
    if (wanted >> i & 1 && name == state->optionNames[i]) return i;
  int i = 0;
  while (i < NUM_OPTIONS && !(wanted >> i & 1 && isName(name, state->optionNames[i]))) ++i;
  return i;
}

void givenTake(Given *given, const State *state, unsigned wanted, PyObject *options[NUM_OPTIONS]) {
  memset(options, 0, NUM_OPTIONS * sizeof *options);
  for (size_t k = 0; k < given->numNames; ++k) {
    int option = findOption(state, wanted, PyTuple_GetItem(given->names, (Py_ssize_t)k));
    if (option == NUM_OPTIONS) continue;
    options[option] = given->objects[given->count + k];
    --given->left;
    if (k < 64) given->taken |= UINT64_C(1) << k;
  }
}

/// What is given by that name, borrowed, or NULL.
static PyObject *findNamed(const Given *given, PyObject *name) {
  for (size_t k = 0; k < given->numNames; ++k) {
    bool isTaken = k < 64 && given->taken >> k & 1;
    if (!isTaken && isName(PyTuple_GetItem(given->names, (Py_ssize_t)k), name))
      return given->objects[given->count + k];
  }
  return NULL;
}

/// Says which name is no argument's, or that of one given by place.
static void refuseName(const Given *given, const KernelObject *kernel, size_t count) {
  for (size_t k = 0; k < given->numNames; ++k) {
    PyObject *name = PyTuple_GetItem(given->names, (Py_ssize_t)k);
    bool isKnown = k < 64 && given->taken >> k & 1;
    for (size_t i = given->count; i < count && !isKnown; ++i)
      isKnown = kernel->parameters[i].name && isName(name, kernel->parameters[i].name);
    if (isKnown) continue;
    PyErr_Format(PyExc_TypeError,
                 "expected names of arguments that '%s' has and that are not given by place, or "
                 "options, found %R",
                 kernel->info.name, name);
    return;
  }
}

PyObject *callByTuple(PyObject *object, PyObject *arguments, PyObject *keywords) {
  Py_ssize_t count = PyTuple_Size(arguments), named = keywords ? PyDict_Size(keywords) : 0;
  PyObject **objects = malloc(((size_t)(count + named) + 1) * sizeof(PyObject *));
  PyObject *names = PyTuple_New(named), *name, *value, *result = NULL;
  for (Py_ssize_t i = 0; objects && i < count; ++i) objects[i] = PyTuple_GetItem(arguments, i);
  bool ok = objects && names;
  for (Py_ssize_t at = 0, k = 0; ok && named && PyDict_Next(keywords, &at, &name, &value); ++k) {
    objects[count + k] = value;
    ok = !PyTuple_SetItem(names, k, Py_NewRef(name));
  }
  if (ok)
    result = ((Callable *)object)->call(object, objects, (size_t)count, names);
  else if (!PyErr_Occurred())
    PyErr_NoMemory();
  free(objects);
  Py_XDECREF(names);
  return result;
}

//===- all arguments ------------------------------------------------------===//

bool argumentsOpen(Arguments *a, State *state, const KernelObject *kernel, const Given *given) {
  if (!makeRoom(a, kernel)) return false;
  size_t left = given->left;
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
      object = given->objects[i];
    } else if (left && name) {
      object = findNamed(given, name);
      left -= object != NULL;
    }
    bool isMissing = !object || (object == Py_None && !kernel->parameters[i].info.is_pointer);
    missing += isMissing;
    a->values[i].kind = 0;
    if (!isMissing && !packArgument(a, state, kernel, i, object)) return false;
  }
  for (size_t i = 0; missing && i < a->count; ++i)
    if (!a->values[i].kind && !measure(a, kernel, i)) return false;
  if (!left) return true;
  refuseName(given, kernel, a->count);
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
