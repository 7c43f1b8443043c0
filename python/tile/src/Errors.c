//===- Errors.c - tile's diagnostics as Python's exceptions and warnings --===//
#include "Tile.h"

static PyObject *makeDiagnostic(const State *state, const tile_diagnostic *d) {
  static const char *const names[] = {"error", "warning", "note", "remark"};
  const char *severity = (unsigned)d->severity < 4 ? names[d->severity] : "error";
  return PyObject_CallFunction(state->diagnostic, "szIIs", severity, d->file, d->line, d->column,
                               d->message);
}

PyObject *listDiagnostics(const State *state) {
  PyObject *list = PyList_New(0);
  size_t count = tile_get_num_diagnostics();
  for (size_t i = 0; list && i < count; ++i) {
    tile_diagnostic d = {.size = sizeof d};
    if (tile_get_diagnostic(i, &d)) break;
    PyObject *item = makeDiagnostic(state, &d);
    if (!item || PyList_Append(list, item)) Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

static bool setAttribute(PyObject *object, const char *name, PyObject *value) {
  bool ok = value && !PyObject_SetAttrString(object, name, value);
  Py_XDECREF(value);
  return ok;
}

bool raiseError(const State *state, tile_status status) {
  PyObject *error = PyObject_CallFunction(state->error, "s", tile_get_message());
  if (error && setAttribute(error, "status", PyUnicode_FromString(tile_status_get_name(status))) &&
      setAttribute(error, "diagnostics", listDiagnostics(state)))
    PyErr_SetObject(state->error, error);
  Py_XDECREF(error);
  return false;
}

bool tellWarnings(const State *state) {
  if (!tile_get_num_diagnostics()) return true;
  PyObject *list = listDiagnostics(state);
  bool ok = list != NULL;
  for (Py_ssize_t i = 0; ok && i < PyList_Size(list); ++i) {
    PyObject *diagnostic = PyList_GetItem(list, i);
    PyObject *severity = PyObject_GetAttrString(diagnostic, "severity");
    PyObject *text = PyObject_Str(diagnostic);
    ok = severity && text;
    if (ok && !PyUnicode_CompareWithASCIIString(severity, "warning"))
      ok = !PyErr_WarnEx(NULL, PyUnicode_AsUTF8AndSize(text, NULL), 1);
    Py_XDECREF(severity);
    Py_XDECREF(text);
  }
  Py_XDECREF(list);
  return ok;
}
