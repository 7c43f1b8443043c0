//===- Current.c - what a launch asks Triton's driver and knobs -------------===//
#include "Current.h"
#include <pthread.h>

static struct {
  PyObject *runtime, *enter, *leave, *active, *getDevice, *getStream;
} names;

static bool isForked;
static void onFork(void) { isForked = true; }

bool currentStart(void) {
  static const char *const texts[] = {"runtime", "launch_enter_hook",  "launch_exit_hook",
                                      "_active", "get_current_device", "get_current_stream"};
  PyObject **at = (PyObject **)&names;
  if (!*at) pthread_atfork(NULL, NULL, onFork);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    if (!at[i] && !(at[i] = PyUnicode_InternFromString(texts[i]))) return false;
  return true;
}

PyObject *currentGetDriver(PyObject *config) {
  PyObject *driver = PyObject_GetAttr(config, names.active);
  if (driver && driver != Py_None) return driver;
  PyErr_Clear();
  Py_DecRef(driver);
  return NULL;
}

PyObject *currentAskDevice(PyObject *driver, PyObject *known, bool hasLaunched) {
  PyObject *method = PyObject_GetAttr(driver, names.getDevice);
  const bool isTorch = method && !isForked && PyTuple_GetItem(known, 0) == method;
  PyObject *asked = isTorch && hasLaunched ? PyTuple_GetItem(known, 1) : method;
  PyObject *answer = asked ? PyObject_CallFunctionObjArgs(asked, NULL) : NULL;
  Py_DecRef(method);
  return answer;
}

PyObject *currentAskStream(PyObject *driver, PyObject *device) {
  PyObject *method = PyObject_GetAttr(driver, names.getStream);
  PyObject *answer = method ? PyObject_CallFunctionObjArgs(method, device, NULL) : NULL;
  Py_DecRef(method);
  return answer;
}

static bool isNone(PyObject *runtime, PyObject *name) {
  PyObject *hook = PyObject_GetAttr(runtime, name);
  const bool none = hook && (hook == Py_None || launcherIsEmptyChain(hook));
  Py_DecRef(hook);
  return none;
}

bool currentHasNoHooks(PyObject *knobs) {
  PyObject *runtime = PyDict_GetItemWithError(knobs, names.runtime);
  return runtime && isNone(runtime, names.enter) && isNone(runtime, names.leave);
}
