//===- Kernel.c - tile.Kernel: called, compiled, checked ------------------===//
#include "Tile.h"
#include <stdlib.h>
#include <string.h>
#include <structmember.h>

//===- what it is ---------------------------------------------------------===//

static bool describe(State *state, KernelObject *self) {
  self->info.size = sizeof self->info;
  tile_status status = tile_kernel_get_info(self->kernel, &self->info);
  if (status) return raiseError(state, status);
  self->parameters = calloc(self->info.num_arguments + 1, sizeof *self->parameters);
  if (!self->parameters) {
    PyErr_NoMemory();
    return false;
  }
  for (size_t i = 0; i < self->info.num_arguments; ++i) {
    Parameter *parameter = &self->parameters[i];
    parameter->info.size = sizeof parameter->info;
    status = tile_kernel_get_argument(self->kernel, i, &parameter->info);
    if (status) return raiseError(state, status);
    if (!parameter->info.name) continue;
    parameter->name = PyUnicode_InternFromString(parameter->info.name);
    if (!parameter->name) return false;
  }
  return true;
}

static PyObject *callKernel(PyObject *object, PyObject *const *objects, size_t count,
                            PyObject *names);

PyObject *kernelObjectCreate(State *state, PyObject *owner, tile_kernel *kernel) {
  KernelObject *self = (KernelObject *)PyType_GenericAlloc(state->kernelType, 0);
  if (!self) return NULL;
  self->head.call = callKernel;
  self->owner = Py_NewRef(owner);
  self->kernel = kernel;
  if (describe(state, self)) return (PyObject *)self;
  Py_DECREF((PyObject *)self);
  return NULL;
}

static void kernelFree(PyObject *object) {
  KernelObject *self = (KernelObject *)object;
  PyTypeObject *type = Py_TYPE(object);
  for (size_t i = 0; self->parameters && i < self->info.num_arguments; ++i)
    Py_XDECREF(self->parameters[i].name);
  free(self->parameters);
  Py_XDECREF(self->owner);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF((PyObject *)type);
}

static PyObject *getName(PyObject *self, void *data) {
  (void)data;
  return PyUnicode_FromString(((KernelObject *)self)->info.name);
}

static PyObject *getModule(PyObject *self, void *data) {
  (void)data;
  return Py_NewRef(((KernelObject *)self)->owner);
}

static PyObject *getPlace(PyObject *self, void *data) {
  (void)data;
  const tile_kernel_info *info = &((KernelObject *)self)->info;
  return Py_BuildValue("(zII)", info->file, info->line, info->column);
}

static PyObject *makeArgument(const State *state, const Parameter *parameter) {
  static const char *const names[] = {"",    "i1",   "i8",  "i16", "i32",      "i64",
                                      "f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"};
  const tile_argument_info *info = &parameter->info;
  const char *type = (size_t)info->type < sizeof names / sizeof *names ? names[info->type] : "";
  PyObject *measure = Py_NewRef(Py_None);
  if (info->measure) {
    Py_DECREF(measure);
    measure = Py_BuildValue("(sII)", info->measure == TILE_MEASURE_EXTENT ? "extent" : "stride",
                            info->array, info->dimension);
  }
  return PyObject_CallFunction(state->argument, "zsNNNN", info->name, type,
                               PyBool_FromLong(info->is_pointer), PyBool_FromLong(info->is_key),
                               PyBool_FromLong(info->is_written), measure);
}

static PyObject *getArguments(PyObject *object, void *data) {
  (void)data;
  const KernelObject *self = (const KernelObject *)object;
  PyObject *tuple = PyTuple_New((Py_ssize_t)self->info.num_arguments);
  for (size_t i = 0; tuple && i < self->info.num_arguments; ++i) {
    PyObject *item = makeArgument(stateOf(object), &self->parameters[i]);
    if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item)) Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject *getMetas(PyObject *object, void *data) {
  (void)data;
  const KernelObject *self = (const KernelObject *)object;
  PyObject *dict = PyDict_New();
  for (size_t i = 0; dict && i < self->info.num_metas; ++i) {
    tile_meta_info info = {.size = sizeof info};
    tile_status status = tile_kernel_get_meta(self->kernel, i, &info);
    PyObject *value = status ? NULL : PyLong_FromLongLong(info.value);
    if (status) raiseError(stateOf(object), status);
    if (!value || PyDict_SetItemString(dict, info.name, value)) Py_CLEAR(dict);
    Py_XDECREF(value);
  }
  return dict;
}

static PyObject *getConfigs(PyObject *object, void *data) {
  (void)data;
  const KernelObject *self = (const KernelObject *)object;
  PyObject *tuple = PyTuple_New((Py_ssize_t)self->info.num_configs);
  for (size_t i = 0; tuple && i < self->info.num_configs; ++i) {
    const char *config;
    tile_status status = tile_kernel_get_config(self->kernel, i, &config);
    PyObject *item = status ? NULL : PyUnicode_FromString(config);
    if (status) raiseError(stateOf(object), status);
    if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item)) Py_CLEAR(tuple);
  }
  return tuple;
}

//===- launches -----------------------------------------------------------===//

static bool launch(State *state, const KernelObject *self, PyObject *const *options,
                   const Arguments *a) {
  tile_launch how = {.size = sizeof how, .stream = a->stream, .device = (uint32_t)(a->device + 1)};
  PyObject *keeper = NULL;
  bool ok = readPlace(options[OPTION_DEVICE], a, &how.place) &&
            readGrid(options[OPTION_GRID], how.grid) &&
            readStream(options[OPTION_STREAM], &how.stream) &&
            readConfig(options[OPTION_CONFIG], &how.config, &keeper);
  if (ok) {
    tile_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = tile_kernel_launch(self->kernel, &how, a->values, a->count);
    Py_END_ALLOW_THREADS;
    ok = !status || raiseError(state, status);
  }
  Py_XDECREF(keeper);
  return ok;
}

static PyObject *callKernel(PyObject *object, PyObject *const *objects, size_t count,
                            PyObject *names) {
  State *state = stateOf(object);
  const KernelObject *self = (const KernelObject *)object;
  if (launchesAreDry) return Py_NewRef(Py_None);
  PyObject *options[NUM_OPTIONS];
  Arguments a;
  Given given = givenMake(objects, count, names);
  givenTake(&given, state,
            1 << OPTION_GRID | 1 << OPTION_STREAM | 1 << OPTION_CONFIG | 1 << OPTION_DEVICE,
            options);
  bool ok = argumentsOpen(&a, state, self, &given) && launch(state, self, options, &a);
  argumentsClose(&a);
  return ok ? Py_NewRef(Py_None) : NULL;
}

//===- compiling ----------------------------------------------------------===//

static bool readFormat(PyObject *object, tile_format *format) {
  static const char *const names[] = {"default",  "ptx",  "cubin", "object",
                                      "assembly", "llvm", "tile"};
  *format = TILE_FORMAT_DEFAULT;
  if (!object) return true;
  for (int i = 0; PyUnicode_Check(object) && i < 7; ++i) {
    *format = (tile_format)i;
    if (!PyUnicode_CompareWithASCIIString(object, names[i])) return true;
  }
  PyErr_Format(PyExc_ValueError,
               "expected a format of ptx, cubin, object, assembly, llvm and tile, found %R",
               object);
  return false;
}

static PyObject *compileWith(PyObject *object, const tile_compile_options *options) {
  State *state = stateOf(object);
  tile_artifact *artifact = NULL;
  tile_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = tile_kernel_compile(((KernelObject *)object)->kernel, options, &artifact);
  Py_END_ALLOW_THREADS;
  if (status) return raiseError(state, status), NULL;
  PyObject *result = artifactObjectCreate(state, object, artifact);
  if (result && !tellWarnings(state)) Py_CLEAR(result);
  return result;
}

static PyObject *compile(PyObject *object, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"arch", "config", "facts", "format", NULL};
  tile_compile_options options = {.size = sizeof options};
  PyObject *config = NULL, *format = NULL, *keeper = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|z$OzO:compile", names, &options.arch,
                                   &config, &options.facts, &format) ||
      !readFormat(format, &options.format) || !readConfig(config, &options.config, &keeper))
    return Py_XDECREF(keeper), NULL;
  PyObject *result = compileWith(object, &options);
  Py_XDECREF(keeper);
  return result;
}

static PyObject *getOf(PyObject *object, tile_format format, const char *attribute) {
  const tile_compile_options options = {.size = sizeof options, .format = format};
  PyObject *artifact = compileWith(object, &options);
  PyObject *result = artifact ? PyObject_GetAttrString(artifact, attribute) : NULL;
  Py_XDECREF(artifact);
  return result;
}

static PyObject *getPtx(PyObject *self, void *data) {
  (void)data;
  return getOf(self, TILE_FORMAT_PTX, "text");
}

static PyObject *getResources(PyObject *self, void *data) {
  (void)data;
  return getOf(self, TILE_FORMAT_DEFAULT, "resources");
}

//===- checks -------------------------------------------------------------===//

/// Whether argument `i` is among `names`, names and numbers, which are counted; -1 after an error.
static int isAmong(const KernelObject *self, size_t i, PyObject *names, size_t *count) {
  PyObject *name = self->parameters[i].name, *number = PyLong_FromSize_t(i);
  int byNumber = number ? PySequence_Contains(names, number) : -1;
  int byName = name && byNumber >= 0 ? PySequence_Contains(names, name) : 0;
  Py_XDECREF(number);
  if (byNumber < 0 || byName < 0) return -1;
  *count += (size_t)(byNumber + byName);
  return byNumber || byName;
}

/// The sizes of arrays, for which `a` must have them, and which of them are empty: by name or
/// number.
static bool readArrays(const KernelObject *self, const Arguments *a, PyObject *empty, size_t *sizes,
                       bool *isEmpty) {
  size_t known = 0;
  if (empty && (PyUnicode_Check(empty) || PySequence_Size(empty) < 0)) {
    PyErr_Format(PyExc_TypeError, "expected a list of arguments that nobody has written, found %R",
                 empty);
    return false;
  }
  for (size_t i = 0; i < a->count; ++i) {
    sizes[i] = a->hasTensor[i] ? (size_t)tensorGetSpan(&a->tensors[i]) : 0;
    isEmpty[i] = false;
    if (self->parameters[i].info.is_pointer && !a->hasTensor[i] && a->values[i].as.pointer) {
      PyErr_Format(PyExc_TypeError, "expected an array for argument %zu, found an address", i);
      return false;
    }
    if (!empty) continue;
    int found = isAmong(self, i, empty, &known);
    if (found < 0) return false;
    isEmpty[i] = found;
  }
  if (empty && known < (size_t)PySequence_Size(empty)) {
    PyErr_Format(PyExc_ValueError, "expected names or numbers of arguments of '%s', found %R",
                 self->info.name, empty);
    return false;
  }
  if (!a->isOnGpu) return true;
  PyErr_SetString(PyExc_ValueError, "expected arrays of the host to check, found some of a GPU");
  return false;
}

static PyObject *runCheck(State *state, const KernelObject *self, tile_check *check,
                          const Arguments *a) {
  tile_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = tile_kernel_check(self->kernel, check, a->values, a->count);
  Py_END_ALLOW_THREADS;
  if (!status || status == TILE_STATUS_FINDINGS) return listDiagnostics(state);
  raiseError(state, status);
  return NULL;
}

static PyObject *checkWith(State *state, const KernelObject *self, PyObject *const *options,
                           const Arguments *a) {
  tile_check check = {.size = sizeof check};
  PyObject *keeper = NULL, *result = NULL;
  size_t *sizes = malloc((a->count + 1) * sizeof *sizes);
  bool *isEmpty = malloc(a->count + 1);
  long limit = options[OPTION_LIMIT] ? PyLong_AsLong(options[OPTION_LIMIT]) : 0;
  check.num_elements = sizes;
  check.is_empty = isEmpty;
  check.limit = (uint32_t)limit;
  if (!sizes || !isEmpty)
    PyErr_NoMemory();
  else if (!PyErr_Occurred() && readGrid(options[OPTION_GRID], check.grid) &&
           readConfig(options[OPTION_CONFIG], &check.config, &keeper) &&
           readArrays(self, a, options[OPTION_EMPTY], sizes, isEmpty))
    result = runCheck(state, self, &check, a);
  free(sizes);
  free(isEmpty);
  Py_XDECREF(keeper);
  return result;
}

static PyObject *check(PyObject *object, PyObject *const *objects, Py_ssize_t count,
                       PyObject *names) {
  State *state = stateOf(object);
  const KernelObject *self = (const KernelObject *)object;
  PyObject *options[NUM_OPTIONS];
  Arguments a;
  Given given = givenMake(objects, (size_t)count, names);
  givenTake(&given, state,
            1 << OPTION_GRID | 1 << OPTION_CONFIG | 1 << OPTION_EMPTY | 1 << OPTION_LIMIT, options);
  PyObject *result =
      argumentsOpen(&a, state, self, &given) ? checkWith(state, self, options, &a) : NULL;
  argumentsClose(&a);
  return result;
}

static PyObject *represent(PyObject *object) {
  const tile_kernel_info *info = &((KernelObject *)object)->info;
  return PyUnicode_FromFormat("<tile.Kernel %s of %s:%u>", info->name,
                              info->file ? info->file : "<text>", info->line);
}

static PyMethodDef methods[] = {
    {"compile", (PyCFunction)(void (*)(void))compile, METH_VARARGS | METH_KEYWORDS,
     "compile(arch=None, *, config=None, facts=None, format='default') -> tile.Artifact"},
    {"tune", (PyCFunction)(void (*)(void))kernelTune, METH_FASTCALL | METH_KEYWORDS,
     "tune(*arguments, grid=None, stream=None, device=None, candidates=None, spaces=None, "
     "budget=64, "
     "seconds=0) -> tile.Tuning"},
    {"check", (PyCFunction)(void (*)(void))check, METH_FASTCALL | METH_KEYWORDS,
     "check(*arguments, grid=None, config=None, empty=(), limit=100) -> list of tile.Diagnostic"},
    {0}};
static PyGetSetDef attributes[] = {
    {"name", getName, NULL, "Its name in the text.", NULL},
    {"module", getModule, NULL, "The tile.Module that has it.", NULL},
    {"place", getPlace, NULL, "(file, line, column) of the text.", NULL},
    {"arguments", getArguments, NULL, "What it takes: a tuple of tile.Argument.", NULL},
    {"metas", getMetas, NULL, "Meta-parameters with their defaults.", NULL},
    {"configs", getConfigs, NULL, "Configurations that the text proposes for tuning.", NULL},
    {"ptx", getPtx, NULL, "PTX for the current device, of launches of which nothing is known.",
     NULL},
    {"resources", getResources, NULL, "What that code takes of the device.", NULL},
    {0}};
static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Callable, call), READONLY, NULL}, {0}};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, kernelFree},
    {Py_tp_call, callByTuple},
    {Py_tp_members, members},
    {Py_tp_repr, represent},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {Py_tp_doc, "kernel(*arguments, grid=None, stream=None, config=None, device=None)\n\n"
                "Launches on the arrays' device: on a GPU without waiting, on the CPU until it is "
                "done."},
    {0, NULL}};
PyType_Spec kernelSpec = {
    "tile.Kernel", sizeof(KernelObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | HAVE_CALL_FUNCTION, slots};
