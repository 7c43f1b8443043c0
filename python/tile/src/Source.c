//===- Source.c - tile.Module: the kernels of one text --------------------===//
#include "Tile.h"

typedef struct {
  PyObject_HEAD tile_module *module;
} ModuleObject;

PyObject *moduleObjectCreate(State *state, tile_module *module) {
  ModuleObject *self = (ModuleObject *)PyType_GenericAlloc(state->moduleType, 0);
  if (self)
    self->module = module;
  else
    tile_module_destroy(module);
  return (PyObject *)self;
}

static void moduleFree(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  tile_module_destroy(((ModuleObject *)self)->module);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF((PyObject *)type);
}

static size_t countKernels(PyObject *self) {
  size_t count = 0;
  tile_module_get_num_kernels(((ModuleObject *)self)->module, &count);
  return count;
}

static Py_ssize_t getLength(PyObject *self) { return (Py_ssize_t)countKernels(self); }

/// The names, a tuple.
static PyObject *getNames(PyObject *self, void *data) {
  (void)data;
  size_t count = countKernels(self);
  PyObject *names = PyTuple_New((Py_ssize_t)count);
  for (size_t i = 0; names && i < count; ++i) {
    tile_kernel *kernel;
    tile_kernel_info info = {.size = sizeof info};
    tile_status status = tile_module_get_kernel(((ModuleObject *)self)->module, i, &kernel);
    if (!status) status = tile_kernel_get_info(kernel, &info);
    if (status) raiseError(stateOf(self), status);
    PyObject *name = status ? NULL : PyUnicode_FromString(info.name);
    if (!name || PyTuple_SetItem(names, (Py_ssize_t)i, name)) Py_CLEAR(names);
  }
  return names;
}

static PyObject *iterate(PyObject *self) {
  PyObject *names = getNames(self, NULL);
  PyObject *iterator = names ? PyObject_GetIter(names) : NULL;
  Py_XDECREF(names);
  return iterator;
}

static int contains(PyObject *self, PyObject *name) {
  PyObject *names = getNames(self, NULL);
  int found = names ? PySequence_Contains(names, name) : -1;
  Py_XDECREF(names);
  return found;
}

/// By name; by number for who counts.
static PyObject *getItem(PyObject *self, PyObject *key) {
  tile_module *module = ((ModuleObject *)self)->module;
  tile_kernel *kernel;
  tile_status status;
  if (PyUnicode_Check(key)) {
    const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
    if (!name) return NULL;
    status = tile_module_find_kernel(module, name, &kernel);
  } else {
    Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (index == -1 && PyErr_Occurred()) return NULL;
    if (index < 0) index += getLength(self);
    status = tile_module_get_kernel(module, (size_t)index, &kernel);
  }
  if (!status) return kernelObjectCreate(stateOf(self), self, kernel);
  raiseError(stateOf(self), status);
  return NULL;
}

static PyGetSetDef attributes[] = {{"kernels", getNames, NULL, "The names of its kernels.", NULL},
                                   {0}};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, moduleFree},
    {Py_tp_iter, iterate},
    {Py_tp_getset, attributes},
    {Py_mp_subscript, getItem},
    {Py_mp_length, getLength},
    {Py_sq_contains, contains},
    {Py_tp_doc, "The kernels of one text: module['name'], or module[0]. tile.load makes it."},
    {0, NULL}};
PyType_Spec moduleSpec = {"tile.Module", sizeof(ModuleObject), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
