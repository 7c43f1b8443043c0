//===- Calls.c - what arguments of a launch say to Triton -------------------===//
#include "Calls.h"
#include "Tensors.h"
#include <stdlib.h>
#include <string.h>

typedef struct Parameter {
  PyObject *name, *standard;
  bool isConstant;
} Parameter;

struct Signature {
  PyObject *types, *descriptor;
  unsigned count;
  Parameter parameters[];
};

//===- signatures ---------------------------------------------------------===//

Signature *signatureCreate(PyObject *parameters, PyObject *types, PyObject *descriptor) {
  const Py_ssize_t count = PyTuple_Size(parameters);
  if (count > CALLS_MOST_PARAMETERS) return NULL;
  Signature *made = calloc(1, sizeof *made + (size_t)count * sizeof(Parameter));
  if (!made) {
    PyErr_NoMemory();
    return NULL;
  }
  made->types = Py_NewRef(types);
  made->descriptor = Py_NewRef(descriptor);
  for (Py_ssize_t i = 0; i < count; ++i) {
    Parameter *each = &made->parameters[made->count++];
    int isConstant;
    if (!PyArg_ParseTuple(PyTuple_GetItem(parameters, i), "Up|O", &each->name, &isConstant,
                          &each->standard)) {
      each->name = each->standard = NULL;
      signatureDestroy(made);
      return NULL;
    }
    each->isConstant = isConstant;
    Py_IncRef(each->name);
    Py_IncRef(each->standard);
    PyUnicode_InternInPlace(&each->name);
  }
  return made;
}

void signatureDestroy(Signature *signature) {
  if (!signature) return;
  for (unsigned i = 0; i < signature->count; ++i) {
    Py_DecRef(signature->parameters[i].name);
    Py_DecRef(signature->parameters[i].standard);
  }
  Py_DecRef(signature->types);
  Py_DecRef(signature->descriptor);
  free(signature);
}

unsigned signatureGetCount(const Signature *signature) { return signature->count; }

//===- what a value says --------------------------------------------------===//

/// In the low bits of a code.
enum {
  NONE = 1,
  TRUTH,
  NUMBER,
  FLOAT,
  TENSOR,
  DESCRIPTOR,
  CONSTANT,
  INTEGER,
  TEXT,
  REAL,
  FIXED,
  BITS = 4
};

/// Of a number that is an argument: whether Triton makes it a constant, how wide it takes it to be,
/// and whether it is a multiple of 16.
static bool readNumber(PyObject *value, uint64_t *code) {
  int overflow;
  const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (overflow) return false;
  const bool isNarrow = number >= INT32_MIN && number <= INT32_MAX;
  *code = (uint64_t)(NUMBER | (number == 1) << BITS | (number % 16 == 0) << (BITS + 1) |
                     isNarrow << (BITS + 2));
  return true;
}

static bool readTensor(PyObject *value, uint64_t *code) {
  TensorFacts facts;
  if (!tensorsLook(value, &facts) || facts.memory > UINT8_MAX) return false;
  *code =
      (uint64_t)facts.type << 32 | facts.memory << 8 | (facts.address % 16 == 0) << BITS | TENSOR;
  return true;
}

/// The extents of a box, powers of two, 0 where they are none that is known.
static uint64_t readBox(PyObject *extents) {
  enum { MOST_EXTENTS = 5, OF_EXTENT = 5 };
  const bool isList = extents && PyList_Check(extents);
  const Py_ssize_t rank = isList                              ? PyList_Size(extents)
                          : extents && PyTuple_Check(extents) ? PyTuple_Size(extents)
                                                              : 0;
  uint64_t box = (uint64_t)rank;
  for (Py_ssize_t i = 0; i < rank; ++i) {
    PyObject *each = isList ? PyList_GetItem(extents, i) : PyTuple_GetItem(extents, i);
    const long extent = Py_TYPE(each) == &PyLong_Type ? PyLong_AsLong(each) : 0;
    if (rank > MOST_EXTENTS || extent < 1 || extent > INT32_MAX || extent & (extent - 1)) return 0;
    box = box << OF_EXTENT | (uint64_t)__builtin_ctzl((unsigned long)extent);
  }
  return box;
}

/// An attribute, borrowed from its object; NULL without an exception.
static PyObject *borrow(PyObject *object, const char *name) {
  PyObject *found = PyObject_GetAttrString(object, name);
  if (!found) PyErr_Clear();
  Py_DecRef(found);
  return found;
}

/// A descriptor that reads zeros outside of its array, and rounds nothing.
static bool readDescriptor(PyObject *value, uint64_t *code, uint64_t *box) {
  PyObject *base = borrow(value, "base"), *padding = borrow(value, "padding");
  PyObject *rounds = borrow(value, "round_f32_to_tf32");
  *box = readBox(borrow(value, "block_shape"));
  const bool isKnown = *box && base && (!rounds || rounds == Py_False) && padding &&
                       PyUnicode_Check(padding) &&
                       !PyUnicode_CompareWithASCIIString(padding, "zero");
  if (!isKnown || !readTensor(base, code)) return false;
  *code += DESCRIPTOR - TENSOR;
  return true;
}

/// An argument that is no constant.
static bool readArgument(const Signature *signature, PyObject *value, uint64_t *code,
                         uint64_t *box) {
  if (Py_TYPE(value) == &PyLong_Type) return readNumber(value, code);
  if (readTensor(value, code)) return true;
  if ((PyObject *)Py_TYPE(value) == signature->descriptor) return readDescriptor(value, code, box);
  const unsigned kind = value == Py_None                  ? NONE
                        : Py_TYPE(value) == &PyFloat_Type ? FLOAT
                        : Py_TYPE(value) == &PyBool_Type  ? TRUTH
                                                          : 0;
  *code = kind;
  return kind;
}

/// A constant, which its value stands for; `kept` is the object that has it, NULL where the code
/// does.
static bool readConstant(const Signature *signature, PyObject *value, uint64_t *code,
                         PyObject **kept) {
  PyTypeObject *type = Py_TYPE(value);
  *code = NONE;
  if (value == Py_None) return true;
  if (type == &PyLong_Type || type == &PyBool_Type) {
    int overflow;
    const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    *code = (uint64_t)number << BITS | (type == &PyLong_Type ? INTEGER : CONSTANT);
    return !overflow && number < INT64_MAX >> BITS && number > INT64_MIN >> BITS;
  }
  *kept = value;
  *code = type == &PyUnicode_Type ? TEXT : type == &PyFloat_Type ? REAL : FIXED;
  if (*code != FIXED) return true;
  for (Py_ssize_t i = 0; i < PyTuple_Size(signature->types); ++i)
    if (PyTuple_GetItem(signature->types, i) == (PyObject *)type) return true;
  return false;
}

static bool isSameConstant(uint64_t code, PyObject *a, PyObject *b) {
  if (a == b) return true;
  if (!a || !b) return false;
  if (code == TEXT) return PyUnicode_Compare(a, b) == 0;
  const double x = code == REAL ? PyFloat_AsDouble(a) : 0,
               y = code == REAL ? PyFloat_AsDouble(b) : 1;
  return !memcmp(&x, &y, sizeof x);
}

//===- calls --------------------------------------------------------------===//

/// The parameter of a name, from `first` on and around: names mostly follow each other. The count
/// where there is none.
static unsigned findParameter(const Signature *signature, PyObject *name, unsigned first) {
  for (unsigned i = 0; i < signature->count; ++i) {
    unsigned at = first + i < signature->count ? first + i : first + i - signature->count;
    if (signature->parameters[at].name == name) return at;
  }
  return signature->count;
}

/// Puts what was given in the places of its parameters, and the others' defaults.
static bool bindAll(const Signature *signature, const Given *given, Call *call) {
  const unsigned count = signature->count;
  if (given->count > count) return false;
  for (unsigned i = 0; i < count; ++i)
    call->values[i] = (Py_ssize_t)i < given->count ? given->arguments[i] : NULL;
  unsigned next = (unsigned)given->count;
  for (Py_ssize_t i = 0; i < given->numNamed; ++i) {
    PyObject *name = Py_NewRef(given->names[i]), *value = given->arguments[given->count + i];
    PyUnicode_InternInPlace(&name);
    Py_DecRef(name);
    const unsigned at = findParameter(signature, name, next < count ? next : 0);
    if (at < count && call->values[at]) return false;
    // A name that is another object than the one that all have in common is nobody's any more.
    if (at == count && (name != given->names[i] || call->numOptions == CALLS_MOST_OPTIONS))
      return false;
    if (at < count) {
      call->values[at] = value;
      next = at + 1;
    } else {
      call->options[call->numOptions] = name;
      call->values[count + call->numOptions++] = value;
    }
  }
  for (unsigned i = 0; i < count; ++i)
    if (!call->values[i] && !(call->values[i] = signature->parameters[i].standard)) return false;
  return true;
}

bool callRead(const Signature *signature, const Given *given, Call *call) {
  call->numOptions = 0;
  if (!bindAll(signature, given, call)) return false;
  call->count = signature->count + call->numOptions;
  for (unsigned i = 0; i < call->count; ++i) {
    call->constants[i] = NULL;
    call->boxes[i] = 0;
    const bool isConstant = i >= signature->count || signature->parameters[i].isConstant;
    if (!(isConstant
              ? readConstant(signature, call->values[i], &call->codes[i], &call->constants[i])
              : readArgument(signature, call->values[i], &call->codes[i], &call->boxes[i])))
      return false;
  }
  return true;
}

PyObject *callBind(const Signature *signature, const Call *call) {
  PyObject *bound = PyDict_New();
  for (unsigned i = 0; bound && i < signature->count; ++i)
    if (PyDict_SetItem(bound, signature->parameters[i].name, call->values[i])) {
      Py_DecRef(bound);
      bound = NULL;
    }
  return bound;
}

//===- kinds --------------------------------------------------------------===//

struct Kind {
  unsigned count, numOptions;
  PyObject *options[CALLS_MOST_OPTIONS];
  struct {
    uint64_t code, box;
    PyObject *constant;
  } values[];
};

Kind *kindCreate(const Call *call) {
  Kind *made = calloc(1, sizeof *made + call->count * sizeof made->values[0]);
  if (!made) return NULL;
  made->count = call->count;
  made->numOptions = call->numOptions;
  for (unsigned i = 0; i < call->numOptions; ++i) made->options[i] = Py_NewRef(call->options[i]);
  for (unsigned i = 0; i < call->count; ++i) {
    made->values[i].code = call->codes[i];
    made->values[i].box = call->boxes[i];
    made->values[i].constant = Py_XNewRef(call->constants[i]);
  }
  return made;
}

void kindDestroy(Kind *kind) {
  for (unsigned i = 0; i < kind->numOptions; ++i) Py_DecRef(kind->options[i]);
  for (unsigned i = 0; i < kind->count; ++i) Py_DecRef(kind->values[i].constant);
  free(kind);
}

bool kindIsOf(const Kind *kind, const Call *call) {
  if (kind->count != call->count || kind->numOptions != call->numOptions) return false;
  for (unsigned i = 0; i < call->numOptions; ++i)
    if (kind->options[i] != call->options[i]) return false;
  for (unsigned i = 0; i < call->count; ++i)
    if (kind->values[i].code != call->codes[i] || kind->values[i].box != call->boxes[i])
      return false;
  for (unsigned i = 0; i < call->count; ++i)
    if (!isSameConstant(kind->values[i].code, kind->values[i].constant, call->constants[i]))
      return false;
  return true;
}
