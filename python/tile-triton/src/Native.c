//===- Native.c - the Python module tile_triton._native -------------------===//
//
//   kernel = Kernel(b"cpu num_warps=4,num_ctas=1\n" + ttir)
//   launcher = Launcher(("*fp32", "i32", "constexpr"), 132, False)
//   launcher.launch(gridX, gridY, gridZ, stream, kernel, packed, metadata, enter, exit, *arguments)
//
// A Kernel is read and compiled, or it is an Error. Told of the launch that follows, it has that
// one's code compiled: Kernel(binary, (launcher, (x, y, z), arguments, certain)). The common code
// is then made where a launch or somebody else asks for it, which few do, but at once where the
// launch is a guess.
//
// Triton's own order of arguments: what JITFunction.run and torch.compile's wrappers call. The
// first line of what a Kernel is made of has the machine ("cpu", "sm_90a") and the configuration;
// with the text it is all that Triton's cache keeps for a kernel.
//===----------------------------------------------------------------------===//
#include "Native.h"
#include "Tensors.h"
#include "Tuning.h"

/// The type is the module's for as long as that lives.
static PyTypeObject *addType(PyObject *module, PyType_Spec *spec, const char *name) {
  PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
  int result = type ? PyModule_AddObjectRef(module, name, type) : -1;
  Py_DecRef(type);
  return result ? NULL : (PyTypeObject *)type;
}

static int fill(PyObject *module) {
  State *state = PyModule_GetState(module);
  state->error = PyErr_NewException("tile_triton._native.Error", PyExc_RuntimeError, NULL);
  if (!state->error || PyModule_AddObjectRef(module, "Error", state->error)) return -1;
  if (PyModule_AddStringConstant(module, "version", tile_get_version())) return -1;
  state->kernel = addType(module, &kernelSpec, "Kernel");
  state->launcher = addType(module, &launcherSpec, "Launcher");
  PyTypeObject *front = addType(module, &frontSpec, "Front");
  return state->kernel && state->launcher && front ? 0 : -1;
}

static PyObject *learnTensors(PyObject *module, PyObject *type) {
  (void)module;
  return PyBool_FromLong(tensorsLearn(type));
}

static PyMethodDef moduleMethods[] = {
    {"make_key", tuningMakeKey, METH_VARARGS, "make_key(arguments, named, names, places, texts)"},
    {"bind_compiled", (PyCFunction)(void (*)(void))compiledBind, METH_FASTCALL,
     "bind_compiled(compiled, grid, own, knobs, driver, device): what launches it"},
    {"make_metadata", (PyCFunction)(void (*)(void))compiledMakeMetadata, METH_FASTCALL,
     "make_metadata(type, own, knobs): the method launch_metadata of a type"},
    {"learn_tensors", learnTensors, METH_O,
     "learn_tensors(type): arguments of this type are looked at by its C functions"},
    {0}};
static PyModuleDef_Slot moduleSlots[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        "_native",
                                        "Kernels of Triton through tile.",
                                        sizeof(State),
                                        moduleMethods,
                                        moduleSlots,
                                        NULL,
                                        NULL,
                                        NULL};

PyMODINIT_FUNC PyInit__native(void);
PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
