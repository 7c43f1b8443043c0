//===- Launcher.c - _native.Launcher ----------------------------------------===//
#include "Native.h"
#include <stdlib.h>
#include <string.h>

static PyObject *launcherNew(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  (void)keywords;
  PyObject *signature;
  unsigned multiprocessors = 0;
  int cooperative = 0;
  if (!PyArg_ParseTuple(arguments, "O|Ip:Launcher", &signature, &multiprocessors, &cooperative))
    return NULL;
  Launcher *self = (Launcher *)PyType_GenericAlloc(type, 0);
  if (!self) return NULL;
  self->multiprocessors = multiprocessors;
  self->cooperative = cooperative;
  self->kernel = ((State *)PyModule_GetState(PyType_GetModule(type)))->kernel;
  self->plan = planCreate(signature);
  if (self->plan) return (PyObject *)self;
  Py_DecRef((PyObject *)self);
  return NULL;
}

static void launcherFree(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  planDestroy(((Launcher *)object)->plan);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DecRef((PyObject *)type);
}

/// Triton's chains of hooks are there always, and mostly of none.
static bool callHook(PyObject *hook, PyObject *metadata) {
  if (hook == Py_None || launcherIsEmptyChain(hook)) return true;
  PyObject *result = PyObject_CallFunctionObjArgs(hook, metadata, NULL);
  Py_DecRef(result);
  return result != NULL;
}

bool launcherIsEmptyChain(PyObject *hook) {
  static PyObject *name;
  if (!name) name = PyUnicode_InternFromString("calls");
  PyObject *calls = name ? PyObject_GetAttr(hook, name) : NULL;
  if (!calls) PyErr_Clear();
  const bool isEmpty = calls && PyList_Check(calls) && !PyList_Size(calls);
  Py_DecRef(calls);
  return isEmpty;
}

bool launcherReadGrid(PyObject *const *extents, uint32_t grid[3]) {
  for (int i = 0; i < 3; ++i) {
    long extent = PyLong_AsLong(extents[i]);
    if (extent == -1 && PyErr_Occurred()) return false;
    if (extent > INT32_MAX)
      PyErr_Format(PyExc_OverflowError, "expected a grid below 2^31, found %ld", extent);
    if (extent <= 0 || extent > INT32_MAX) return false;
    grid[i] = (uint32_t)extent;
  }
  return true;
}

static bool run(Kernel *kernel, const Launcher *launcher, const tile_launch *how,
                const tile_value *values) {
  tile_status status;
  tile_artifact *code = kernel->common;
  size_t count = planGetNumValues(launcher->plan);
  if (kernel->knowledge == BY_MULTIPLES) {
    VariantsKey key = kernelFindKey(kernel, launcher, how->grid, values);
    code = kernelFindCode(kernel, key);
    if (!code) return false;
  }
  Py_BEGIN_ALLOW_THREADS;
  status = kernel->knowledge == BY_FACTS ? tile_kernel_launch(kernel->kernel, how, values, count)
                                         : tile_artifact_launch(code, how, values, count);
  Py_END_ALLOW_THREADS;
  return !status || kernelRaise(kernel);
}

/// The kernel of a launch, NULL with an exception where it is none: Triton hands on None where one
/// thread launches what another is loading.
static Kernel *getKernel(PyObject *launcher, PyObject *given) {
  if (PyObject_TypeCheck(given, ((Launcher *)launcher)->kernel)) return (Kernel *)given;
  PyErr_SetString(PyExc_TypeError, "expected a kernel that was loaded, found something else");
  return NULL;
}

/// A processor runs one program after the other, which is as well where none waits.
static bool isCooperative(const Launcher *launcher, const Kernel *kernel) {
  return launcher->cooperative && (!kernel->onCpu || kernel->waits);
}

enum { FIRST_ARGUMENT = 9, FEW_VALUES = 64 };

bool launcherLaunch(const Launcher *launcher, Kernel *kernel, PyObject *stream,
                    const uint32_t *grid, PyObject *const *arguments, Py_ssize_t count) {
  tile_launch how = {.size = sizeof how,
                     .place = kernel->onCpu ? TILE_PLACE_CPU : TILE_PLACE_GPU,
                     .config = kernel->config,
                     .flags = isCooperative(launcher, kernel) ? TILE_LAUNCH_COOPERATIVE : 0};
  how.stream = PyLong_AsVoidPtr(stream);
  if (PyErr_Occurred()) return false;
  if (grid) memcpy(how.grid, grid, sizeof how.grid);
  tile_value few[FEW_VALUES];
  size_t room = planGetNumValues(launcher->plan);
  tile_value *values = room <= FEW_VALUES ? few : malloc(room * sizeof *values);
  if (!values) return PyErr_NoMemory() != NULL;
  bool ok = planPack(launcher->plan, arguments, count, !kernel->onCpu, values, NULL) &&
            (!grid || run(kernel, launcher, &how, values));
  if (values != few) free(values);
  return ok;
}

static PyObject *launch(PyObject *object, PyObject *const *given, Py_ssize_t count) {
  if (count < FIRST_ARGUMENT) {
    PyErr_SetString(PyExc_TypeError, "expected a grid, a stream, a kernel, metadata and hooks");
    return NULL;
  }
  Kernel *kernel = getKernel(object, given[4]);
  if (!kernel) return NULL;
  uint32_t grid[3];
  bool runs = launcherReadGrid(given, grid);
  bool ok = !PyErr_Occurred() && callHook(given[7], given[6]) &&
            launcherLaunch((const Launcher *)object, kernel, given[3], runs ? grid : NULL,
                           given + FIRST_ARGUMENT, count - FIRST_ARGUMENT) &&
            callHook(given[8], given[6]);
  return ok ? Py_NewRef(Py_None) : NULL;
}

Launcher *launcherOf(PyObject *function) {
  if (Py_TYPE(function) != &PyCFunction_Type) return NULL;
  return PyCFunction_GetFunction(function) == (PyCFunction)(void (*)(void))launch
             ? (Launcher *)PyCFunction_GetSelf(function)
             : NULL;
}

enum { CHECK_FIRST = 4 };

/// Runs the launch on the CPU, with every access tested. What the kernel writes is written.
static bool check(const Kernel *kernel, tile_check *how, const tile_value *values, size_t count) {
  tile_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = tile_kernel_check(kernel->kernel, how, values, count);
  Py_END_ALLOW_THREADS;
  return !status || kernelRaise(kernel);
}

static PyObject *checkLaunch(PyObject *object, PyObject *const *given, Py_ssize_t count) {
  const Plan *plan = ((Launcher *)object)->plan;
  if (count < CHECK_FIRST) {
    PyErr_SetString(PyExc_TypeError, "expected a grid and a kernel");
    return NULL;
  }
  const Kernel *kernel = getKernel(object, given[3]);
  if (!kernel) return NULL;
  tile_check how = {.size = sizeof how, .config = kernel->config};
  bool runs = launcherReadGrid(given, how.grid);
  if (PyErr_Occurred()) return NULL;
  size_t room = planGetNumValues(plan);
  tile_value *values = calloc(room + 1, sizeof *values);
  PlanElements *elements = calloc(room + 1, sizeof *elements);
  size_t *counts = calloc(2 * room + 1, sizeof *counts);
  how.num_elements = counts;
  how.num_before = counts + room;
  bool ok = values && elements && counts;
  if (!ok) PyErr_NoMemory();
  ok = ok && planPack(plan, given + CHECK_FIRST, count - CHECK_FIRST, false, values, elements);
  for (size_t i = 0; ok && i < room; ++i) {
    counts[i] = elements[i].count;
    counts[room + i] = elements[i].before;
  }
  ok = ok && (!runs || check(kernel, &how, values, room));
  free(values);
  free(elements);
  free(counts);
  return ok ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef launcherMethods[] = {
    {"check", (PyCFunction)(void (*)(void))checkLaunch, METH_FASTCALL,
     "check(gridX, gridY, gridZ, kernel, *arguments): on the CPU, on tensors of the CPU; Error "
     "with "
     "what was found"},
    {"launch", (PyCFunction)(void (*)(void))launch, METH_FASTCALL,
     "launch(gridX, gridY, gridZ, stream, kernel, packed, metadata, enter, exit, *arguments)"},
    {0}};
static PyType_Slot launcherSlots[] = {{Py_tp_new, launcherNew},
                                      {Py_tp_dealloc, launcherFree},
                                      {Py_tp_methods, launcherMethods},
                                      {Py_tp_doc, "Takes a signature's arguments to a kernel."},
                                      {0, NULL}};
PyType_Spec launcherSpec = {"tile_triton._native.Launcher", sizeof(Launcher), 0, Py_TPFLAGS_DEFAULT,
                            launcherSlots};
