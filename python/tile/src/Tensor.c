//===- Tensor.c - arrays of other libraries, without a copy ---------------===//
//
// Tried in this order, the quickest first:
//
//   __dlpack_c_exchange_api__     torch from 2.10 on: no Python runs, and the stream is told
//   the buffer protocol           NumPy, array.array, memoryview, ctypes
//   __cuda_array_interface__      CuPy, Numba, older torch on a GPU
//   __dlpack__                    JAX, older torch, what numpy has no letter for
//   __array_interface__           NumPy's arrays of ml_dtypes (bfloat16, float8)
//===----------------------------------------------------------------------===//
#include "Tile.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===- what is asked of a tensor ------------------------------------------===//

void *tensorGetData(const Tensor *tensor) {
  return tensor->dl.data ? (char *)tensor->dl.data + tensor->dl.byteOffset : NULL;
}

int64_t tensorGetStride(const Tensor *tensor, int dimension) {
  const DLPackTensor *dl = &tensor->dl;
  if (dl->strides)
    return tensor->strideUnit ? dl->strides[dimension] / tensor->strideUnit
                              : dl->strides[dimension];
  int64_t stride = 1;
  for (int i = dl->rank - 1; i > dimension; --i) stride *= dl->shape[i];
  return stride;
}

int64_t tensorGetSpan(const Tensor *tensor) {
  int64_t span = 1;
  for (int i = 0; i < tensor->dl.rank; ++i) {
    if (!tensor->dl.shape[i]) return 0;
    int64_t stride = tensorGetStride(tensor, i);
    if (stride > 0) span += (tensor->dl.shape[i] - 1) * stride;
  }
  return span;
}

bool tensorIsOnGpu(const Tensor *tensor) {
  return tensor->dl.deviceType == DLPACK_CUDA || tensor->dl.deviceType == DLPACK_CUDA_MANAGED;
}

int32_t tensorGetDevice(const Tensor *tensor) {
  return tensor->dl.deviceType == DLPACK_CUDA ? tensor->dl.deviceId : -1;
}

bool tensorHasType(const Tensor *tensor, tile_type type) {
  static const uint8_t bits[] = {0, 8, 8, 16, 32, 64, 16, 16, 32, 64, 8, 8};
  DLPackType has = tensor->dl.type;
  if (type == TILE_TYPE_NONE || (size_t)type >= sizeof bits) return true;
  if (has.lanes != 1 || has.bits != bits[type]) return false;
  bool isInteger = has.code == DLPACK_INT || has.code == DLPACK_UINT;
  switch (type) {
  case TILE_TYPE_F16:
  case TILE_TYPE_F32:
  case TILE_TYPE_F64:
    return has.code == DLPACK_FLOAT;
  case TILE_TYPE_BF16:
    return has.code == DLPACK_BFLOAT || has.code == DLPACK_UINT;
  case TILE_TYPE_F8E4M3:
    return has.code == DLPACK_F8E4M3 || has.code == DLPACK_UINT;
  case TILE_TYPE_F8E5M2:
    return has.code == DLPACK_F8E5M2 || has.code == DLPACK_UINT;
  case TILE_TYPE_I1:
  case TILE_TYPE_I8:
    return isInteger || has.code == DLPACK_BOOL;
  default:
    return isInteger;
  }
}

const char *tensorGetTypeName(const Tensor *tensor) {
  static const struct {
    uint8_t code, bits;
    const char *name;
  } names[] = {
      {DLPACK_INT, 8, "i8"},     {DLPACK_INT, 16, "i16"},        {DLPACK_INT, 32, "i32"},
      {DLPACK_INT, 64, "i64"},   {DLPACK_UINT, 8, "u8"},         {DLPACK_UINT, 16, "u16"},
      {DLPACK_UINT, 32, "u32"},  {DLPACK_UINT, 64, "u64"},       {DLPACK_FLOAT, 16, "f16"},
      {DLPACK_FLOAT, 32, "f32"}, {DLPACK_FLOAT, 64, "f64"},      {DLPACK_BFLOAT, 16, "bf16"},
      {DLPACK_BOOL, 8, "bool"},  {DLPACK_F8E4M3, 8, "f8E4M3FN"}, {DLPACK_F8E5M2, 8, "f8E5M2"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (names[i].code == tensor->dl.type.code && names[i].bits == tensor->dl.type.bits)
      return names[i].name;
  return "another type";
}

//===- by C functions -----------------------------------------------------===//

/// The attribute of the type, NULL where there is none or it is of another major version.
static const DLPackExchange *askType(PyTypeObject *type) {
  PyObject *capsule = PyObject_GetAttrString((PyObject *)type, "__dlpack_c_exchange_api__");
  const DLPackExchange *exchange =
      capsule ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api") : NULL;
  PyErr_Clear();
  Py_XDECREF(capsule);
  while (exchange && exchange->version.major != 1) exchange = exchange->former;
  return exchange && exchange->borrow ? exchange : NULL;
}

static const DLPackExchange *findExchange(State *state, PyTypeObject *type) {
  for (int i = 0; i < KNOWN_TYPES; ++i)
    if (state->types[i] == type) return state->exchanges[i];
  unsigned i = state->nextType++ % KNOWN_TYPES;
  PyTypeObject *former = state->types[i];
  state->exchanges[i] = askType(type);
  state->types[i] = type;
  Py_INCREF((PyObject *)type);
  Py_XDECREF((PyObject *)former);
  return state->exchanges[i];
}

/// Of torch's errors of tensors that DLPack cannot describe the first line: the rest is a stack of
/// C++.
static void refuseInALine(void) {
  PyObject *type, *value, *trace;
  if (!PyErr_ExceptionMatches(PyExc_RuntimeError)) return;
  PyErr_Fetch(&type, &value, &trace);
  PyObject *text = value ? PyObject_Str(value) : NULL;
  PyObject *lines = text ? PyUnicode_Splitlines(text, 0) : NULL;
  PyObject *first = lines ? PyList_GetItem(lines, 0) : NULL;
  PyErr_Clear();
  if (first)
    PyErr_Format(PyExc_ValueError, "expected an array in the memory of a CPU or GPU, found: %U",
                 first);
  else
    PyErr_Restore(type, value, trace);
  Py_XDECREF(lines);
  Py_XDECREF(text);
  if (!first) return;
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
}

static bool openByExchange(const DLPackExchange *exchange, PyObject *object, Tensor *tensor) {
  tensor->exchange = exchange;
  if (!exchange->borrow(object, &tensor->dl)) return true;
  refuseInALine();
  return false;
}

//===- by the buffer protocol ---------------------------------------------===//

/// The letter of a struct format, in the native order of bytes.
static bool readFormat(const char *format, int64_t size, DLPackType *type) {
  if (!format) format = "B";
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  if (!*format || format[1]) return false;
  *type = (DLPackType){.bits = (uint8_t)(8 * size), .lanes = 1};
  if (strchr("efd", *format))
    type->code = DLPACK_FLOAT;
  else if (strchr("bhilqn", *format))
    type->code = DLPACK_INT;
  else if (strchr("BHILQNc", *format))
    type->code = DLPACK_UINT;
  else if (*format == '?')
    type->code = DLPACK_BOOL;
  else
    return false;
  return true;
}

/// False, without an exception, where there is no buffer of numbers.
static bool openByBuffer(PyObject *object, Tensor *tensor) {
  _Static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "extents of 64 bits");
  if (!PyObject_CheckBuffer(object)) return false;
  if (PyObject_GetBuffer(object, &tensor->buffer, PyBUF_STRIDES | PyBUF_FORMAT)) {
    PyErr_Clear(); // a type that the protocol has no letter for
    return false;
  }
  const Py_buffer *b = &tensor->buffer;
  if (!readFormat(b->format, b->itemsize, &tensor->dl.type)) {
    PyBuffer_Release(&tensor->buffer);
    return false;
  }
  tensor->hasBuffer = true;
  tensor->isReadOnly = b->readonly;
  tensor->dl.data = b->buf;
  tensor->dl.deviceType = DLPACK_CPU;
  tensor->dl.rank = b->ndim;
  tensor->dl.shape = (int64_t *)b->shape;
  tensor->dl.strides = (int64_t *)b->strides;
  tensor->strideUnit = b->itemsize;
  return true;
}

//===- by the array interfaces --------------------------------------------===//

/// "<f4"; V2 and V1 are bits.
static bool readTypestr(PyObject *object, DLPackType *type, int64_t *size) {
  const char *text = object ? PyUnicode_AsUTF8AndSize(object, NULL) : NULL;
  char order, code;
  int bytes;
  if (!text || sscanf(text, "%c%c%d", &order, &code, &bytes) != 3 || order == '>') return false;
  const char *at = strchr("ifubVc", code);
  static const uint8_t codes[] = {DLPACK_INT,  DLPACK_FLOAT, DLPACK_UINT,
                                  DLPACK_BOOL, DLPACK_UINT,  DLPACK_COMPLEX};
  if (!at || bytes < 1 || bytes > 16) return false;
  *type = (DLPackType){codes[at - "ifubVc"], (uint8_t)(8 * bytes), 1};
  *size = bytes;
  return true;
}

/// A tuple of integers to `numbers`; -1 where it is none.
static int readNumbers(PyObject *tuple, int64_t *numbers) {
  if (!tuple || !PyTuple_Check(tuple) || PyTuple_Size(tuple) > MOST_DIMENSIONS) return -1;
  int count = (int)PyTuple_Size(tuple);
  for (int i = 0; i < count; ++i) {
    numbers[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
    if (PyErr_Occurred()) return -1;
  }
  return count;
}

static bool readInterface(PyObject *dict, Tensor *tensor) {
  if (!dict || !PyDict_Check(dict)) return false;
  DLPackTensor *dl = &tensor->dl;
  PyObject *data = PyDict_GetItemString(dict, "data");
  PyObject *strides = PyDict_GetItemString(dict, "strides");
  dl->shape = tensor->room;
  dl->rank = readNumbers(PyDict_GetItemString(dict, "shape"), dl->shape);
  if (dl->rank < 0 || !data || !PyTuple_Check(data) || PyTuple_Size(data) != 2 ||
      !readTypestr(PyDict_GetItemString(dict, "typestr"), &dl->type, &tensor->strideUnit))
    return false;
  dl->data = (void *)(uintptr_t)PyLong_AsUnsignedLongLongMask(PyTuple_GetItem(data, 0));
  tensor->isReadOnly = PyObject_IsTrue(PyTuple_GetItem(data, 1)) == 1;
  if (strides && strides != Py_None) {
    dl->strides = tensor->room + MOST_DIMENSIONS;
    if (readNumbers(strides, dl->strides) != dl->rank) return false;
  }
  PyObject *stream = PyDict_GetItemString(dict, "stream");
  if (stream && stream != Py_None) {
    tensor->hasStream = true;
    tensor->stream = (void *)(uintptr_t)PyLong_AsUnsignedLongLongMask(stream);
  }
  return !PyErr_Occurred();
}

static bool openByInterface(PyObject *object, const char *attribute, int32_t device,
                            Tensor *tensor) {
  PyObject *dict = PyObject_GetAttrString(object, attribute);
  bool ok = readInterface(dict, tensor);
  tensor->dl.deviceType = device;
  tensor->dl.deviceId = -1; // it does not say
  Py_XDECREF(dict);
  PyErr_Clear();
  return ok;
}

//===- by DLPack's capsules -----------------------------------------------===//

/// With a version that may say that it is read-only, else as libraries before DLPack 1.0 want it.
static PyObject *callDlpack(PyObject *object) {
  PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
  PyObject *none = PyTuple_New(0), *keywords = Py_BuildValue("{s(ii)}", "max_version", 1, 0);
  PyObject *capsule = method && none && keywords ? PyObject_Call(method, none, keywords) : NULL;
  if (!capsule && method && PyErr_ExceptionMatches(PyExc_TypeError)) {
    PyErr_Clear();
    capsule = PyObject_CallObject(method, NULL);
  }
  Py_XDECREF(method);
  Py_XDECREF(none);
  Py_XDECREF(keywords);
  return capsule;
}

/// False with an exception where `__dlpack__` has one.
static bool openByCapsule(PyObject *object, Tensor *tensor) {
  tensor->capsule = callDlpack(object);
  if (!tensor->capsule) return false;
  if (PyCapsule_IsValid(tensor->capsule, "dltensor_versioned")) {
    const DLPackVersioned *v = PyCapsule_GetPointer(tensor->capsule, "dltensor_versioned");
    tensor->dl = v->tensor;
    tensor->isReadOnly = v->flags & DLPACK_READ_ONLY;
    return v->version.major == 1;
  }
  const DLPackManaged *managed = PyCapsule_GetPointer(tensor->capsule, "dltensor");
  if (managed) tensor->dl = managed->tensor;
  return managed != NULL;
}

//===- all of them --------------------------------------------------------===//

bool tensorOpen(State *state, PyObject *object, Tensor *tensor) {
  memset(tensor, 0, offsetof(Tensor, buffer));
  const DLPackExchange *exchange = findExchange(state, Py_TYPE(object));
  if (exchange) return openByExchange(exchange, object, tensor);
  if (openByBuffer(object, tensor) ||
      openByInterface(object, "__cuda_array_interface__", DLPACK_CUDA, tensor))
    return true;
  memset(tensor, 0, offsetof(Tensor, buffer));
  if (PyObject_HasAttrString(object, "__dlpack__")) {
    if (openByCapsule(object, tensor)) return true;
    if (!PyObject_HasAttrString(object, "__array_interface__")) return false;
    PyErr_Clear();
    tensorClose(tensor);
    memset(tensor, 0, offsetof(Tensor, buffer));
  }
  if (openByInterface(object, "__array_interface__", DLPACK_CPU, tensor)) return true;
  PyErr_Format(PyExc_TypeError, "expected an array, found %R", Py_TYPE(object));
  return false;
}

bool tensorAskStream(Tensor *tensor) {
  const DLPackExchange *exchange = tensor->exchange;
  if (tensor->hasStream || !exchange || !exchange->getStream) return true;
  tensor->hasStream = true;
  return !exchange->getStream(tensor->dl.deviceType, tensor->dl.deviceId, &tensor->stream);
}

void tensorClose(Tensor *tensor) {
  if (tensor->hasBuffer) PyBuffer_Release(&tensor->buffer);
  Py_CLEAR(tensor->capsule);
  tensor->hasBuffer = false;
}
