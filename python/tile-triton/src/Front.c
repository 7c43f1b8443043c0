//===- Front.c - Triton's own way to a launch, remembered -------------------===//
//
//   front = Front(own, parameters, knobs, driver, types, descriptor, (device, quick))
//   front.bind(function, grid)(*arguments, **named)   as function[grid](..)
//   front.run(function, grid, arguments, named, warm) as function.run(.., grid=grid, warmup=warm)
//
// JITFunction.run binds a launch's arguments, finds what each is specialized for, makes a key of
// that and finds the kernel that it compiled for the key. Here that is done once for arguments of a
// kind: `own`, JITFunction.run itself, has the first such launch, and the key that it found for it
// is that of all others whose arguments say the same to every Triton that there is. What is
// said here is no coarser than what Triton looks at:
//
//   a tensor      its element type, whether its address is a multiple of 16, which memory
//   a descriptor  that of its array, its box, and that it reads zeros
//   an integer    whether it is 1, whether it is a multiple of 16, its width
//   a constant    its value
//   an option     its name and value
//
// Each launch looks again at all that can change Triton's mind: the driver, the device, the kernel
// that its cache has for the key, hooks, knobs, and globals that the kernel uses. Whatever is not
// known here, tuples among it, goes to `own` each time.
//===----------------------------------------------------------------------===//
#include "Calls.h"
#include "Current.h"
#include <stdlib.h>
#include <string.h>

/// A kind of arguments, and what Triton launched for it. Nothing in it leads back to the function.
typedef struct Entry Entry;
struct Entry {
  Entry *next;
  Kind *kind;
  /// Of Triton's cache of kernels.
  PyObject *device, *key;
  PyObject *launcher, *kernel;
};

typedef struct {
  PyObject_HEAD PyObject *own, *knobs, *driver;
  /// (a function that says which device is current, what it ends in).
  PyObject *device;
  Signature *signature;
  Entry *entries;
  unsigned numEntries, numMissed;
} Front;

/// Where each launch is new, nothing is remembered.
enum { MOST_ENTRIES = 64, MOST_MISSED = 256 };

static struct {
  PyObject *run, *grid, *warmup, *runtime, *compilation, *debug, *mode, *inspect, *hooks, *globals,
      *caches, *function, *zeros;
} names;

static bool makeNames(void) {
  static const char *const texts[] = {"_run",
                                      "grid",
                                      "warmup",
                                      "runtime",
                                      "compilation",
                                      "debug",
                                      "instrumentation_mode",
                                      "add_stages_inspection_hook",
                                      "pre_run_hooks",
                                      "used_global_vals",
                                      "device_caches",
                                      "function",
                                      "launch_of_zeros"};
  PyObject **at = (PyObject **)&names;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    if (!at[i] && !(at[i] = PyUnicode_InternFromString(texts[i]))) return false;
  return true;
}

//===- what may change from launch to launch ------------------------------===//

/// Is the attribute there, and false?
static bool isFalse(PyObject *object, PyObject *name) {
  PyObject *value = object ? PyObject_GetAttr(object, name) : NULL;
  const bool isFalse = value && (value == Py_False || PyObject_IsTrue(value) == 0);
  Py_DecRef(value);
  return isFalse;
}

/// Whether nothing looks on at launches or asks for other code.
static bool isQuiet(const Front *self, PyObject *function) {
  PyObject *runtime = PyDict_GetItemWithError(self->knobs, names.runtime);
  PyObject *compilation = PyDict_GetItemWithError(self->knobs, names.compilation);
  PyObject *hooks = PyDict_GetItemWithError(function, names.hooks);
  return runtime && compilation && hooks && PyList_Check(hooks) && !PyList_Size(hooks) &&
         isFalse(runtime, names.debug) && isFalse(compilation, names.mode) &&
         isFalse(runtime, names.inspect) && currentHasNoHooks(self->knobs) &&
         PyDict_GetItemWithError(function, names.debug) != Py_True;
}

/// Whether the globals that the kernel uses are what they were when it was compiled.
static bool hasSameGlobals(PyObject *function) {
  PyObject *used = PyDict_GetItemWithError(function, names.globals), *name, *kept;
  Py_ssize_t at = 0;
  if (!used || !PyDict_Check(used)) return false;
  while (PyDict_Next(used, &at, &name, &kept)) {
    PyObject *was = PyTuple_GetItem(kept, 0), *globals = PyTuple_GetItem(kept, 1);
    PyObject *text = PyTuple_GetItem(name, 0);
    if (!was || !text || !globals || !PyDict_Check(globals)) return false;
    PyObject *is = PyDict_GetItemWithError(globals, text);
    if (is != was && (!is || PyObject_RichCompareBool(is, was, Py_EQ) != 1)) return false;
  }
  return true;
}

/// Triton's kernels of a device by their keys, borrowed; NULL where there are none.
static PyObject *getCache(PyObject *function, PyObject *device) {
  PyObject *caches = PyDict_GetItemWithError(function, names.caches);
  PyObject *of = caches && PyDict_Check(caches) ? PyDict_GetItemWithError(caches, device) : NULL;
  PyObject *cache = of && PyTuple_Check(of) ? PyTuple_GetItem(of, 0) : NULL;
  return cache && PyDict_Check(cache) ? cache : NULL;
}

//===- entries ------------------------------------------------------------===//

/// The entry whose kernel Triton would launch, and that kernel of Triton's, borrowed.
static const Entry *find(const Front *self, PyObject *function, PyObject *device, const Call *call,
                         PyObject **compiled) {
  const Entry *each = self->entries;
  while (each && !(kindIsOf(each->kind, call) &&
                   PyObject_RichCompareBool(each->device, device, Py_EQ) == 1))
    each = each->next;
  PyObject *cache = each ? getCache(function, device) : NULL;
  *compiled = cache ? PyDict_GetItemWithError(cache, each->key) : NULL;
  if (!*compiled) return NULL;
  PyObject *kernel = PyObject_GetAttr(*compiled, names.function);
  const bool isSame = kernel == each->kernel;
  Py_DecRef(kernel);
  return isSame && hasSameGlobals(function) ? each : NULL;
}

static PyObject *findKey(PyObject *cache, PyObject *compiled) {
  PyObject *key, *value;
  Py_ssize_t at = 0;
  while (cache && PyDict_Next(cache, &at, &key, &value))
    if (value == compiled) return key;
  return NULL;
}

/// Remembers what Triton launched for a call.
static void add(Front *self, PyObject *function, PyObject *device, const Call *call,
                PyObject *compiled) {
  PyObject *key = findKey(getCache(function, device), compiled);
  PyObject *run = key ? PyObject_GetAttr(compiled, names.run) : NULL;
  PyObject *kernel = run ? PyObject_GetAttr(compiled, names.function) : NULL;
  PyObject *inner = run ? PyObject_GetAttr(run, names.zeros) : NULL;
  PyErr_Clear();
  PyObject *launcher = run ? (PyObject *)launcherOf(inner ? inner : run) : NULL;
  const bool isOurs =
      launcher && kernel && PyObject_TypeCheck(kernel, ((Launcher *)launcher)->kernel);
  Entry *made = isOurs ? calloc(1, sizeof *made) : NULL;
  if (made && (made->kind = kindCreate(call))) {
    made->device = Py_NewRef(device);
    made->key = Py_NewRef(key);
    made->launcher = Py_NewRef(launcher);
    made->kernel = Py_NewRef(kernel);
    made->next = self->entries;
    self->entries = made;
    ++self->numEntries;
  } else {
    free(made);
  }
  Py_DecRef(inner);
  Py_DecRef(kernel);
  Py_DecRef(run);
  PyErr_Clear();
}

static void destroy(Entry *entry) {
  while (entry) {
    Entry *next = entry->next;
    kindDestroy(entry->kind);
    Py_DecRef(entry->device);
    Py_DecRef(entry->key);
    Py_DecRef(entry->launcher);
    Py_DecRef(entry->kernel);
    free(entry);
    entry = next;
  }
}

//===- a launch -----------------------------------------------------------===//

/// The grid's extents as Triton hands them on: of a sequence, or of what a function of the
/// arguments gives. Whether there is something to run. False with an exception.
static bool readGrid(const Front *self, const Call *call, PyObject *given, uint32_t grid[3],
                     bool *runs) {
  PyObject *bound = PyCallable_Check(given) ? callBind(self->signature, call) : NULL;
  if (PyErr_Occurred()) return false;
  PyObject *found = bound ? PyObject_CallFunctionObjArgs(given, bound, NULL) : Py_NewRef(given);
  const Py_ssize_t count = found ? PySequence_Size(found) : -1;
  PyObject *extents[3] = {NULL};
  bool ok = count >= 0;
  for (Py_ssize_t i = 0; ok && i < 3; ++i)
    ok = (extents[i] = i < count || !i ? PySequence_GetItem(found, i) : PyLong_FromLong(1)) != NULL;
  *runs = ok && launcherReadGrid(extents, grid);
  for (int i = 0; i < 3; ++i) Py_DecRef(extents[i]);
  Py_DecRef(found);
  Py_DecRef(bound);
  return ok && !PyErr_Occurred();
}

/// Launches what an entry has; Triton's kernel, NULL with an exception.
static PyObject *launch(const Front *self, const Entry *entry, PyObject *compiled, const Call *call,
                        PyObject *grid, PyObject *driver) {
  uint32_t extents[3];
  bool runs;
  Py_IncRef(compiled);
  PyObject *stream = currentAskStream(driver, entry->device);
  const bool ok = stream && readGrid(self, call, grid, extents, &runs) &&
                  launcherLaunch((const Launcher *)entry->launcher, (Kernel *)entry->kernel, stream,
                                 runs ? extents : NULL, call->values,
                                 (Py_ssize_t)signatureGetCount(self->signature));
  Py_DecRef(stream);
  if (ok) return compiled;
  Py_DecRef(compiled);
  return NULL;
}

/// JITFunction.run.
static PyObject *runOwn(const Front *self, PyObject *function, PyObject *grid, bool warm,
                        const Given *given) {
  PyObject *arguments = PyTuple_New(given->count + 1), *named = PyDict_New();
  bool ok = arguments && named && !PyDict_SetItem(named, names.grid, grid) &&
            !PyDict_SetItem(named, names.warmup, warm ? Py_True : Py_False) &&
            !PyTuple_SetItem(arguments, 0, Py_NewRef(function));
  for (Py_ssize_t i = 0; ok && i < given->count; ++i)
    ok = !PyTuple_SetItem(arguments, i + 1, Py_NewRef(given->arguments[i]));
  for (Py_ssize_t i = 0; ok && i < given->numNamed; ++i)
    ok = !PyDict_SetItem(named, given->names[i], given->arguments[given->count + i]);
  PyObject *result = ok ? PyObject_Call(self->own, arguments, named) : NULL;
  Py_DecRef(arguments);
  Py_DecRef(named);
  return result;
}

static bool remembers(const Front *self) {
  return self->signature && (self->numEntries || self->numMissed < MOST_MISSED);
}

/// `warm`: the kernel is wanted, and no launch.
static PyObject *run(Front *self, PyObject *function, PyObject *grid, bool warm,
                     const Given *given) {
  Call call;
  PyObject *dict = remembers(self) ? PyObject_GenericGetDict(function, NULL) : NULL;
  PyObject *driver = dict ? currentGetDriver(self->driver) : NULL, *device = NULL;
  PyObject *compiled = NULL, *result = NULL;
  const Entry *entry = NULL;
  if (driver && isQuiet(self, dict) && callRead(self->signature, given, &call) &&
      (device = currentAskDevice(driver, self->device, self->numEntries > 0)))
    entry = find(self, dict, device, &call, &compiled);
  PyErr_Clear();
  if (entry) {
    result = warm ? Py_NewRef(compiled) : launch(self, entry, compiled, &call, grid, driver);
  } else {
    self->numMissed += !warm;
    result = runOwn(self, function, grid, warm, given);
    if (!warm && result && result != Py_None && device && self->numEntries < MOST_ENTRIES)
      add(self, dict, device, &call, result);
  }
  Py_DecRef(device);
  Py_DecRef(driver);
  Py_DecRef(dict);
  return result;
}

//===- the type -----------------------------------------------------------===//

/// `self` is (front, function, grid).
static PyObject *callBound(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                           PyObject *named) {
  Given given = {.arguments = arguments, .count = count};
  PyObject *texts[CALLS_MOST_GIVEN];
  const Py_ssize_t many = named ? PyTuple_Size(named) : 0;
  if (count + many > CALLS_MOST_GIVEN)
    return PyErr_Format(PyExc_TypeError, "expected at most %d arguments", CALLS_MOST_GIVEN);
  for (; given.numNamed < many; ++given.numNamed)
    texts[given.numNamed] = PyTuple_GetItem(named, given.numNamed);
  given.names = texts;
  return run((Front *)PyTuple_GetItem(self, 0), PyTuple_GetItem(self, 1), PyTuple_GetItem(self, 2),
             false, &given);
}

static PyMethodDef boundMethod = {"launch", (PyCFunction)(void (*)(void))callBound,
                                  METH_FASTCALL | METH_KEYWORDS, "Launches a kernel."};

static PyObject *bind(PyObject *self, PyObject *const *given, Py_ssize_t count) {
  if (count != 2) return PyErr_Format(PyExc_TypeError, "expected a function and a grid");
  PyObject *bound = PyTuple_Pack(3, self, given[0], given[1]);
  PyObject *method = bound ? PyCFunction_New(&boundMethod, bound) : NULL;
  Py_DecRef(bound);
  return method;
}

static PyObject *runGiven(PyObject *self, PyObject *const *given, Py_ssize_t count) {
  PyObject *values[CALLS_MOST_GIVEN], *texts[CALLS_MOST_GIVEN], *name, *value;
  if (count != 5 || !PyTuple_Check(given[2]) || !PyDict_Check(given[3]))
    return PyErr_Format(PyExc_TypeError,
                        "expected a function, a grid, a tuple, a dictionary and a truth");
  Given call = {.arguments = values, .count = PyTuple_Size(given[2]), .names = texts};
  if (call.count + PyDict_Size(given[3]) > CALLS_MOST_GIVEN)
    return PyErr_Format(PyExc_TypeError, "expected at most %d arguments", CALLS_MOST_GIVEN);
  for (Py_ssize_t i = 0; i < call.count; ++i) values[i] = PyTuple_GetItem(given[2], i);
  for (Py_ssize_t at = 0; PyDict_Next(given[3], &at, &name, &value); ++call.numNamed) {
    texts[call.numNamed] = name;
    values[call.count + call.numNamed] = value;
  }
  return run((Front *)self, given[0], given[1], PyObject_IsTrue(given[4]) == 1, &call);
}

static PyObject *frontNew(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  (void)keywords;
  PyObject *own, *parameters, *knobs, *driver, *types, *descriptor, *device;
  if (!PyArg_ParseTuple(arguments, "OO!O!OO!OO!:Front", &own, &PyTuple_Type, &parameters,
                        &PyDict_Type, &knobs, &driver, &PyTuple_Type, &types, &descriptor,
                        &PyTuple_Type, &device) ||
      !makeNames() || !currentStart())
    return NULL;
  Front *self = (Front *)PyType_GenericAlloc(type, 0);
  if (!self) return NULL;
  self->own = Py_NewRef(own);
  self->knobs = Py_NewRef(knobs);
  self->driver = Py_NewRef(driver);
  self->device = Py_NewRef(device);
  self->signature = signatureCreate(parameters, types, descriptor);
  if (self->signature || !PyErr_Occurred()) return (PyObject *)self;
  Py_DecRef((PyObject *)self);
  return NULL;
}

static void frontFree(PyObject *object) {
  Front *self = (Front *)object;
  PyTypeObject *type = Py_TYPE(object);
  destroy(self->entries);
  signatureDestroy(self->signature);
  Py_DecRef(self->own);
  Py_DecRef(self->knobs);
  Py_DecRef(self->driver);
  Py_DecRef(self->device);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DecRef((PyObject *)type);
}

static PyObject *getEntries(PyObject *self, void *data) {
  (void)data;
  return PyLong_FromUnsignedLong(((Front *)self)->numEntries);
}

static PyGetSetDef frontAttributes[] = {
    {"entries", getEntries, NULL, "Kinds of arguments that are remembered.", NULL}, {0}};
static PyMethodDef frontMethods[] = {{"bind", (PyCFunction)(void (*)(void))bind, METH_FASTCALL,
                                      "bind(function, grid): what launches it"},
                                     {"run", (PyCFunction)(void (*)(void))runGiven, METH_FASTCALL,
                                      "run(function, grid, arguments, named, warm): launches it, or gives its kernel alone"},
                                     {0}};
static PyType_Slot frontSlots[] = {{Py_tp_new, frontNew},
                                   {Py_tp_dealloc, frontFree},
                                   {Py_tp_getset, frontAttributes},
                                   {Py_tp_methods, frontMethods},
                                   {Py_tp_doc, "Triton's own way to a launch, remembered."},
                                   {0, NULL}};
PyType_Spec frontSpec = {"tile_triton._native.Front", sizeof(Front), 0, Py_TPFLAGS_DEFAULT,
                         frontSlots};
