//===- Compiled.c - launches of a kernel that is compiled ------------------===//
//
//   launch = bind_compiled(compiled, grid, own, knobs, driver, (device, quick))
//   launch(*arguments, stream=None)          as by CompiledKernel.__getitem__
//   make_metadata(CompiledKernel, own, knobs)    the method launch_metadata
//
// Triton's own asks for device, stream, hooks and metadata in Python at each launch, which takes
// longer than all else of it but the driver; torch.compile's launches ask for metadata, too, since
// Triton's chains of hooks are there always. `own`, the method itself, has the launches that
// somebody looks on at.
//===----------------------------------------------------------------------===//
#include "Current.h"

/// What a bound launch is made of, a tuple.
enum { COMPILED, GRID, OWN, KNOBS, DRIVER, DEVICE, RUN, KERNEL, PARTS };

static PyObject *get(PyObject *self, int part) { return PyTuple_GetItem(self, part); }

/// Calls `function` with what was given, behind `first` where there is one.
static PyObject *call(PyObject *function, PyObject *first, PyObject *const *given, Py_ssize_t count,
                      PyObject *named) {
  const Py_ssize_t before = first != NULL;
  PyObject *arguments = PyTuple_New(before + count), *options = PyDict_New();
  bool ok = arguments && options && !(first && PyTuple_SetItem(arguments, 0, Py_NewRef(first)));
  for (Py_ssize_t i = 0; ok && i < count; ++i)
    ok = !PyTuple_SetItem(arguments, before + i, Py_NewRef(given[i]));
  for (Py_ssize_t i = 0; ok && named && i < PyTuple_Size(named); ++i)
    ok = !PyDict_SetItem(options, PyTuple_GetItem(named, i), given[count + i]);
  PyObject *result = ok ? PyObject_Call(function, arguments, options) : NULL;
  Py_DecRef(options);
  Py_DecRef(arguments);
  return result;
}

static PyObject *runOwn(PyObject *self, PyObject *const *given, Py_ssize_t count,
                        PyObject *named) {
  PyObject *bound = PyObject_CallFunctionObjArgs(get(self, OWN), get(self, COMPILED),
                                                 get(self, GRID), NULL);
  PyObject *result = bound ? call(bound, NULL, given, count, named) : NULL;
  Py_DecRef(bound);
  return result;
}

/// Of any sequence that has three. False with an exception.
static bool readGrid(PyObject *given, uint32_t grid[3], bool *runs) {
  PyObject *extents[3] = {NULL};
  bool ok = true;
  for (Py_ssize_t i = 0; ok && i < 3; ++i) ok = (extents[i] = PySequence_GetItem(given, i)) != NULL;
  *runs = ok && launcherReadGrid(extents, grid);
  for (int i = 0; i < 3; ++i) Py_DecRef(extents[i]);
  return ok && !PyErr_Occurred();
}

/// Is it `stream=` alone that is named?
static bool isStream(PyObject *named) {
  PyObject *name = PyTuple_Size(named) == 1 ? PyTuple_GetItem(named, 0) : NULL;
  return name && !PyUnicode_CompareWithASCIIString(name, "stream");
}

/// The stream that is given, or current on the current device; a new reference, NULL with an
/// exception.
static PyObject *findStream(PyObject *self, PyObject *driver, PyObject *given) {
  if (given && given != Py_None) return Py_NewRef(given);
  PyObject *device = currentAskDevice(driver, get(self, DEVICE), true);
  PyObject *stream = device ? currentAskStream(driver, device) : NULL;
  Py_DecRef(device);
  return stream;
}

static bool launch(PyObject *self, PyObject *stream, PyObject *const *given, Py_ssize_t count) {
  const Launcher *launcher = launcherOf(get(self, RUN));
  uint32_t grid[3];
  bool runs;
  return readGrid(get(self, GRID), grid, &runs) &&
         launcherLaunch(launcher, (Kernel *)get(self, KERNEL), stream, runs ? grid : NULL, given,
                        count);
}

/// `self` has PARTS.
static PyObject *callBound(PyObject *self, PyObject *const *given, Py_ssize_t count,
                           PyObject *named) {
  PyObject *driver = currentGetDriver(get(self, DRIVER));
  if (!driver || (named && !isStream(named)) || !currentHasNoHooks(get(self, KNOBS))) {
    Py_DecRef(driver);
    PyErr_Clear();
    return runOwn(self, given, count, named);
  }
  PyObject *stream = findStream(self, driver, named ? given[count] : NULL);
  const bool ok = stream && launch(self, stream, given, count);
  Py_DecRef(stream);
  Py_DecRef(driver);
  return ok ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef boundMethod = {"launch", (PyCFunction)(void (*)(void))callBound,
                                  METH_FASTCALL | METH_KEYWORDS, "Launches a kernel."};

/// Of what `compiled` is once it is loaded. Null with an exception.
static PyObject *makeParts(PyObject *const *given, PyObject *run, PyObject *kernel) {
  PyObject *parts = PyTuple_New(PARTS);
  for (Py_ssize_t i = 0; parts && i < PARTS; ++i) {
    PyObject *part = i == RUN ? run : i == KERNEL ? kernel : given[i];
    if (PyTuple_SetItem(parts, i, Py_NewRef(part))) return Py_DecRef(parts), NULL;
  }
  return parts;
}

PyObject *compiledBind(PyObject *module, PyObject *const *given, Py_ssize_t count) {
  if (count != RUN || !PyDict_Check(given[KNOBS]) || !PyTuple_Check(given[DEVICE]))
    return PyErr_Format(PyExc_TypeError, "expected a kernel, a grid, what binds it else, knobs, a "
                                         "driver and who knows the device");
  if (!currentStart()) return NULL;
  PyObject *run = PyObject_GetAttrString(given[COMPILED], "run");
  PyObject *kernel = run ? PyObject_GetAttrString(given[COMPILED], "function") : NULL;
  const Launcher *launcher = kernel ? launcherOf(run) : NULL;
  PyObject *bound = NULL, *parts = NULL;
  if (launcher && PyObject_TypeCheck(kernel, launcher->kernel))
    parts = makeParts(given, run, kernel);
  else if (kernel) // another's, or one that looks at its arguments first
    bound = PyObject_CallFunctionObjArgs(given[OWN], given[COMPILED], given[GRID], NULL);
  if (parts) bound = PyCFunction_New(&boundMethod, parts);
  Py_DecRef(parts);
  Py_DecRef(kernel);
  Py_DecRef(run);
  (void)module;
  return bound;
}

//===- metadata -----------------------------------------------------------===//

/// Triton's own method, and its knobs: the process's.
static struct {
  PyObject *own, *knobs;
} metadata;

static PyObject *getMetadata(PyObject *self, PyObject *const *given, Py_ssize_t count,
                             PyObject *named) {
  if (currentHasNoHooks(metadata.knobs)) return Py_NewRef(Py_None);
  PyErr_Clear();
  return call(metadata.own, self, given, count, named);
}

static PyMethodDef metadataMethod = {"launch_metadata", (PyCFunction)(void (*)(void))getMetadata,
                                     METH_FASTCALL | METH_KEYWORDS,
                                     "What hooks of a launch are told; None where there are none."};

PyObject *compiledMakeMetadata(PyObject *module, PyObject *const *given, Py_ssize_t count) {
  (void)module;
  if (count != 3 || !PyType_Check(given[0]) || !PyDict_Check(given[2]))
    return PyErr_Format(PyExc_TypeError, "expected a type, its method and knobs");
  if (!currentStart()) return NULL;
  metadata.own = Py_NewRef(given[1]);
  metadata.knobs = Py_NewRef(given[2]);
  return PyDescr_NewMethod((PyTypeObject *)given[0], &metadataMethod);
}
