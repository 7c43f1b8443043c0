//===- Tuning.c - the key of an autotuner's launch --------------------------===//
#include "Tuning.h"

/// Numbers, texts and None have no element type.
static bool isPlain(PyObject *value) {
  const PyTypeObject *type = Py_TYPE(value);
  return value == Py_None || type == &PyLong_Type || type == &PyFloat_Type ||
         type == &PyBool_Type || type == &PyUnicode_Type;
}

/// Appends how `texts` names the element type of a value that has one. False where it does not.
static bool addType(PyObject *key, PyObject *value, PyObject *texts) {
  static PyObject *name;
  if (isPlain(value)) return true;
  if (!name && !(name = PyUnicode_InternFromString("dtype"))) return false;
  PyObject *type = PyObject_GetAttr(value, name);
  if (!type) {
    const bool hasNone = PyErr_ExceptionMatches(PyExc_AttributeError);
    if (hasNone) PyErr_Clear();
    return hasNone;
  }
  PyObject *text = PyDict_GetItemWithError(texts, type);
  Py_DecRef(type);
  return text && !PyList_Append(key, text);
}

/// Appends the arguments that `names` has, of those that are given.
static bool addNamed(PyObject *key, PyObject *names, PyObject *places, PyObject *arguments,
                     PyObject *named) {
  for (Py_ssize_t i = 0; i < PyList_Size(names); ++i) {
    PyObject *name = PyList_GetItem(names, i), *at = PyDict_GetItemWithError(places, name);
    const Py_ssize_t place = at ? PyLong_AsSsize_t(at) : -1;
    PyObject *value = place >= 0 && place < PyTuple_Size(arguments)
                          ? PyTuple_GetItem(arguments, place)
                      : at ? PyDict_GetItemWithError(named, name)
                           : NULL;
    if (PyErr_Occurred() || (value && PyList_Append(key, value))) return false;
  }
  return true;
}

static bool addTypes(PyObject *key, PyObject *places, PyObject *arguments, PyObject *named,
                     PyObject *texts) {
  PyObject *name, *value;
  Py_ssize_t at = 0;
  for (Py_ssize_t i = 0; i < PyTuple_Size(arguments); ++i)
    if (!addType(key, PyTuple_GetItem(arguments, i), texts)) return false;
  while (PyDict_Next(named, &at, &name, &value))
    if (PyDict_Contains(places, name) == 1 && !addType(key, value, texts)) return false;
  return true;
}

PyObject *tuningMakeKey(PyObject *module, PyObject *given) {
  (void)module;
  PyObject *arguments, *named, *names, *places, *texts, *result = NULL;
  if (!PyArg_ParseTuple(given, "O!O!O!O!O!:make_key", &PyTuple_Type, &arguments, &PyDict_Type,
                        &named, &PyList_Type, &names, &PyDict_Type, &places, &PyDict_Type, &texts))
    return NULL;
  PyObject *key = PyList_New(0);
  const bool isKnown = key && PyTuple_Size(arguments) <= PyDict_Size(places) &&
                       addNamed(key, names, places, arguments, named) &&
                       addTypes(key, places, arguments, named, texts);
  PyErr_Clear(); // whatever it is, Triton meets it, too
  result = isKnown ? PyList_AsTuple(key) : Py_NewRef(Py_None);
  Py_DecRef(key);
  return result;
}
