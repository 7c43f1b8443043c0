//===- Artifact.c - tile.Artifact: code of one kernel ---------------------===//
#include "Tile.h"
#include <string.h>
#include <structmember.h>

typedef struct {
  Callable head;
  PyObject *kernel;
  tile_artifact *artifact;
  tile_artifact_info info;
} ArtifactObject;

static PyObject *callArtifact(PyObject *object, PyObject *const *objects, size_t count,
                              PyObject *names);

PyObject *artifactObjectCreate(State *state, PyObject *kernel, tile_artifact *artifact) {
  ArtifactObject *self = (ArtifactObject *)PyType_GenericAlloc(state->artifactType, 0);
  if (!self) {
    tile_artifact_destroy(artifact);
    return NULL;
  }
  self->head.call = callArtifact;
  self->kernel = Py_NewRef(kernel);
  self->artifact = artifact;
  self->info.size = sizeof self->info;
  tile_status status = tile_artifact_get_info(artifact, &self->info);
  if (!status) return (PyObject *)self;
  raiseError(state, status);
  Py_DECREF((PyObject *)self);
  return NULL;
}

static void artifactFree(PyObject *object) {
  ArtifactObject *self = (ArtifactObject *)object;
  PyTypeObject *type = Py_TYPE(object);
  tile_artifact_destroy(self->artifact);
  Py_XDECREF(self->kernel);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF((PyObject *)type);
}

/// `data` is the offset of a `const char *` in an ArtifactObject.
static PyObject *getText(PyObject *self, void *data) {
  const char *text;
  memcpy(&text, (char *)self + (size_t)(uintptr_t)data, sizeof text);
  return PyUnicode_FromString(text);
}

static PyObject *getNumber(PyObject *self, void *data) {
  uint32_t number;
  memcpy(&number, (char *)self + (size_t)(uintptr_t)data, sizeof number);
  return PyLong_FromUnsignedLong(number);
}

static PyObject *getTruth(PyObject *self, void *data) {
  return PyBool_FromLong(*((char *)self + (size_t)(uintptr_t)data));
}

static PyObject *getKernel(PyObject *self, void *data) {
  (void)data;
  return Py_NewRef(((ArtifactObject *)self)->kernel);
}

static PyObject *getCode(PyObject *self, void *data) {
  (void)data;
  const tile_artifact_info *info = &((ArtifactObject *)self)->info;
  return PyBytes_FromStringAndSize(info->code, (Py_ssize_t)info->code_size);
}

static PyObject *getCodeText(PyObject *self, void *data) {
  (void)data;
  const tile_artifact_info *info = &((ArtifactObject *)self)->info;
  if (info->format != TILE_FORMAT_CUBIN && info->format != TILE_FORMAT_OBJECT)
    return PyUnicode_FromStringAndSize(info->code, (Py_ssize_t)info->code_size);
  PyErr_SetString(PyExc_ValueError, "expected code in a format that is text, found machine code");
  return NULL;
}

static PyObject *getResources(PyObject *self, void *data) {
  (void)data;
  State *state = stateOf(self);
  tile_resources r = {.size = sizeof r};
  tile_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = tile_artifact_get_resources(((ArtifactObject *)self)->artifact, &r);
  Py_END_ALLOW_THREADS;
  if (status) return raiseError(state, status), NULL;
  return PyObject_CallFunction(state->resources, "IIII", r.registers, r.local_bytes, r.shared_bytes,
                               r.blocks);
}

static PyObject *callArtifact(PyObject *object, PyObject *const *objects, size_t count,
                              PyObject *names) {
  const ArtifactObject *self = (const ArtifactObject *)object;
  State *state = stateOf(object);
  if (launchesAreDry) return Py_NewRef(Py_None);
  PyObject *options[NUM_OPTIONS];
  Arguments a;
  Given given = givenMake(objects, count, names);
  givenTake(&given, state, 1 << OPTION_GRID | 1 << OPTION_STREAM, options);
  bool ok = argumentsOpen(&a, state, (const KernelObject *)self->kernel, &given);
  tile_launch how = {.size = sizeof how, .stream = a.stream, .device = (uint32_t)(a.device + 1)};
  ok = ok && readGrid(options[OPTION_GRID], how.grid) &&
       readStream(options[OPTION_STREAM], &how.stream);
  if (ok && a.hasArrays && a.isOnGpu == !strcmp(self->info.arch, "cpu")) {
    PyErr_Format(PyExc_ValueError,
                 "expected arrays of the device that the code is for, %s, found "
                 "others",
                 self->info.arch);
    ok = false;
  }
  if (ok) {
    tile_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = tile_artifact_launch(self->artifact, &how, a.values, a.count);
    Py_END_ALLOW_THREADS;
    ok = !status || raiseError(state, status);
  }
  argumentsClose(&a);
  return ok ? Py_NewRef(Py_None) : NULL;
}

static PyObject *represent(PyObject *object) {
  const tile_artifact_info *info = &((ArtifactObject *)object)->info;
  return PyUnicode_FromFormat("<tile.Artifact %s for %s, %zu bytes>", info->kernel, info->arch,
                              info->code_size);
}

#define FIELD(field) (void *)offsetof(ArtifactObject, info.field)
static PyGetSetDef attributes[] = {
    {"kernel", getKernel, NULL, "The tile.Kernel.", NULL},
    {"arch", getText, NULL, "'sm_90a', 'cpu'.", FIELD(arch)},
    {"config", getText, NULL, "The meta-parameters that it was compiled with.", FIELD(config)},
    {"facts", getText, NULL, "What its launches have to be.", FIELD(facts)},
    {"code", getCode, NULL, "The code, as bytes.", NULL},
    {"text", getCodeText, NULL, "The code, where it is text.", NULL},
    {"num_warps", getNumber, NULL, "Warps of a block that hold tiles.", FIELD(num_warps)},
    {"threads", getNumber, NULL, "Threads of a block.", FIELD(threads)},
    {"shared_bytes", getNumber, NULL, "Dynamic shared memory of a block.", FIELD(shared_bytes)},
    {"cluster", getNumber, NULL, "Blocks of a cluster.", FIELD(cluster)},
    {"is_persistent", getTruth, NULL, "Its blocks run through programs in a loop.",
     FIELD(is_persistent)},
    {"is_plain", getTruth, NULL,
     "Whoever launches cubins may launch it: a block of `threads` a program, the arguments alone.",
     FIELD(is_plain)},
    {"was_cached", getTruth, NULL, "It came from the cache.", FIELD(was_cached)},
    {"resources", getResources, NULL, "What it takes of a GPU: tile.Resources.", NULL},
    {0}};
static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Callable, call), READONLY, NULL}, {0}};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, artifactFree},
    {Py_tp_call, callByTuple},
    {Py_tp_members, members},
    {Py_tp_repr, represent},
    {Py_tp_getset, attributes},
    {Py_tp_doc, "artifact(*arguments, grid=None, stream=None)\n\nLaunches just this code; the "
                "caller answers for its facts."},
    {0, NULL}};
PyType_Spec artifactSpec = {
    "tile.Artifact", sizeof(ArtifactObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | HAVE_CALL_FUNCTION, slots};
