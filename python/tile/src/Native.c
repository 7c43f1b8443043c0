//===- Native.c - the Python module tile._native --------------------------===//
//
// tile.h for Python: what is here turns Python's objects to what tile.h takes, and its results to
// objects. What a kernel is made of, and what a launch needs, libtile knows.
//===----------------------------------------------------------------------===//
#include "Tile.h"

static int fill(PyObject *module);
static int visitState(PyObject *module, visitproc visit, void *arg);
static int clear(PyObject *module);

static PyObject *load(PyObject *module, PyObject *arguments);
static PyObject *parse(PyObject *module, PyObject *arguments);
static PyObject *setDry(PyObject *module, PyObject *value);

static PyMethodDef functions[] = {
    {"load", load, METH_VARARGS, "load(path) -> tile.Module"},
    {"parse", parse, METH_VARARGS, "parse(text, name) -> tile.Module"},
    {"set_dry", setDry, METH_O, "Whether launches of this thread do nothing; gives what it was."},
    {0}};
static PyModuleDef_Slot moduleSlots[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        "_native",
                                        "tile.h for Python.",
                                        sizeof(State),
                                        functions,
                                        moduleSlots,
                                        visitState,
                                        clear,
                                        NULL};

//===- reading texts ------------------------------------------------------===//

/// What kernels print goes where Python prints, by the thread that launched.
static void print(void *data, const char *text, size_t size) {
  (void)data;
  PyGILState_STATE gil = PyGILState_Ensure();
  PyObject *module = PyImport_ImportModule("sys");
  PyObject *stream = module ? PyObject_GetAttrString(module, "stdout") : NULL;
  PyObject *result =
      stream ? PyObject_CallMethod(stream, "write", "s#", text, (Py_ssize_t)size) : NULL;
  if (!result) PyErr_WriteUnraisable(stream);
  Py_XDECREF(result);
  Py_XDECREF(stream);
  Py_XDECREF(module);
  PyGILState_Release(gil);
}

static PyObject *finish(State *state, tile_status status, tile_module *source) {
  if (status) return raiseError(state, status), NULL;
  PyObject *result = moduleObjectCreate(state, source);
  if (result && !tellWarnings(state)) Py_CLEAR(result);
  return result;
}

static tile_status openContext(State *state) {
  const tile_context_options options = {.size = sizeof options, .on_print = print};
  return processContextOpen(&state->context, &options);
}

static PyObject *load(PyObject *module, PyObject *arguments) {
  State *state = PyModule_GetState(module);
  PyObject *path;
  tile_module *source = NULL;
  if (!PyArg_ParseTuple(arguments, "O&:load", PyUnicode_FSConverter, &path)) return NULL;
  const char *text = PyBytes_AsString(path);
  tile_status status = openContext(state);
  Py_BEGIN_ALLOW_THREADS;
  if (!status) status = tile_module_create_from_file(state->context.context, text, &source);
  Py_END_ALLOW_THREADS;
  Py_DECREF(path);
  return finish(state, status, source);
}

static PyObject *parse(PyObject *module, PyObject *arguments) {
  State *state = PyModule_GetState(module);
  const char *text, *name;
  Py_ssize_t size;
  tile_module *source = NULL;
  if (!PyArg_ParseTuple(arguments, "s#z:parse", &text, &size, &name)) return NULL;
  tile_status status = openContext(state);
  Py_BEGIN_ALLOW_THREADS;
  if (!status)
    status =
        tile_module_create_from_text(state->context.context, text, (size_t)size, name, &source);
  Py_END_ALLOW_THREADS;
  return finish(state, status, source);
}

static PyObject *setDry(PyObject *module, PyObject *value) {
  (void)module;
  int truth = PyObject_IsTrue(value);
  if (truth < 0) return NULL;
  bool former = launchesAreDry;
  launchesAreDry = truth;
  return PyBool_FromLong(former);
}

//===- the module ---------------------------------------------------------===//

static PyTypeObject *addType(PyObject *module, PyType_Spec *spec, const char *name) {
  PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
  if (type && PyModule_AddObjectRef(module, name, type)) Py_CLEAR(type);
  return (PyTypeObject *)type;
}

/// By Option.
static bool nameOptions(State *state) {
  static const char *const names[NUM_OPTIONS] = {"grid",       "stream", "config", "device",
                                                 "candidates", "spaces", "budget", "seconds",
                                                 "empty",      "limit"};
  for (int i = 0; i < NUM_OPTIONS; ++i) {
    state->optionNames[i] = PyUnicode_InternFromString(names[i]);
    if (!state->optionNames[i]) return false;
  }
  return true;
}

static int fill(PyObject *module) {
  State *state = PyModule_GetState(module);
  PyObject *records = PyImport_ImportModule("tile._records");
  if (!records || !nameOptions(state)) return -1;
  state->error = PyObject_GetAttrString(records, "Error");
  state->diagnostic = PyObject_GetAttrString(records, "Diagnostic");
  state->resources = PyObject_GetAttrString(records, "Resources");
  state->argument = PyObject_GetAttrString(records, "Argument");
  state->tuning = PyObject_GetAttrString(records, "Tuning");
  state->trial = PyObject_GetAttrString(records, "Trial");
  Py_DECREF(records);
  state->moduleType = addType(module, &moduleSpec, "Module");
  state->kernelType = addType(module, &kernelSpec, "Kernel");
  state->artifactType = addType(module, &artifactSpec, "Artifact");
  bool ok = state->error && state->diagnostic && state->resources && state->argument &&
            state->tuning && state->trial && state->moduleType && state->kernelType &&
            state->artifactType;
  return ok ? PyModule_AddStringConstant(module, "version", tile_get_version()) : -1;
}

static int visitState(PyObject *module, visitproc visit, void *arg) {
  State *state = PyModule_GetState(module);
  if (!state) return 0;
  Py_VISIT(state->error);
  Py_VISIT(state->diagnostic);
  Py_VISIT(state->resources);
  Py_VISIT(state->argument);
  Py_VISIT(state->tuning);
  Py_VISIT(state->trial);
  for (int i = 0; i < KNOWN_TYPES; ++i) Py_VISIT(state->types[i]);
  return 0;
}

static int clear(PyObject *module) {
  State *state = PyModule_GetState(module);
  if (!state) return 0;
  Py_CLEAR(state->error);
  Py_CLEAR(state->diagnostic);
  Py_CLEAR(state->resources);
  Py_CLEAR(state->argument);
  Py_CLEAR(state->tuning);
  Py_CLEAR(state->trial);
  for (int i = 0; i < KNOWN_TYPES; ++i) Py_CLEAR(state->types[i]);
  for (int i = 0; i < NUM_OPTIONS; ++i) Py_CLEAR(state->optionNames[i]);
  return 0;
}

PyMODINIT_FUNC PyInit__native(void);
PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
