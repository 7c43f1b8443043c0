//===- Tensors.c - what a launch asks of a tensor, without Python ---------===//
#include "Tensors.h"
#include "DLPack.h"
#include <string.h>

enum { MOST_TYPES = 8 };

/// Guarded by Python's lock.
static struct {
  PyTypeObject *type;
  const DLPackExchange *exchange;
} known[MOST_TYPES];
static unsigned numKnown;

bool tensorsLearn(PyObject *type) {
  for (unsigned i = 0; i < numKnown; ++i)
    if ((PyObject *)known[i].type == type) return true;
  PyObject *capsule = PyObject_GetAttrString(type, "__dlpack_c_exchange_api__");
  const DLPackExchange *exchange =
      capsule ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api") : NULL;
  PyErr_Clear();
  Py_DecRef(capsule);
  while (exchange && exchange->version.major != 1) exchange = exchange->former;
  if (!exchange || !exchange->borrow) return true; // as ever, by its methods
  if (numKnown == MOST_TYPES) return false;
  known[numKnown].type = (PyTypeObject *)Py_NewRef(type);
  known[numKnown++].exchange = exchange;
  return true;
}

bool tensorsLook(PyObject *object, TensorFacts *facts) {
  unsigned i = 0;
  while (i < numKnown && known[i].type != Py_TYPE(object)) ++i;
  if (i == numKnown) return false;
  DLPackTensor tensor;
  if (known[i].exchange->borrow(object, &tensor)) {
    PyErr_Clear(); // what a method will say better
    return false;
  }
  facts->address = (uint64_t)(uintptr_t)tensor.data + tensor.byteOffset;
  memcpy(&facts->type, &tensor.type, sizeof facts->type);
  facts->memory = (uint32_t)tensor.deviceType;
  return true;
}

bool tensorsIsOnProcessor(TensorFacts facts) { return facts.memory == DLPACK_CPU; }
