//===- Plan.c - Python values as a kernel's arguments ---------------------===//
#include "Plan.h"
#include "Tensors.h"
#include <stdlib.h>
#include <string.h>

typedef enum StepKind {
  STEP_SKIP,
  STEP_TUPLE,
  STEP_POINTER,
  STEP_INTEGER,
  STEP_TRUTH,
  STEP_FLOAT,
  STEP_DESCRIPTOR,
} StepKind;

/// One parameter; those of a tuple follow it.
typedef struct Step {
  StepKind kind;
  /// Parameters of a tuple, the rank of a descriptor.
  unsigned size;
} Step;

/// Of what each launch asks its tensors, made once.
typedef struct Names {
  PyObject *dataPtr, *isCpu;
} Names;

struct Plan {
  Step *steps;
  size_t numSteps, room, numValues;
  Py_ssize_t numArguments;
  VariantsRule rule;
  Names names;
};

//===- the plan -----------------------------------------------------------===//

static bool add(Plan *plan, StepKind kind, unsigned size, size_t values) {
  if (plan->numSteps == plan->room) {
    size_t room = plan->room ? 2 * plan->room : 16;
    Step *grown = realloc(plan->steps, room * sizeof *grown);
    if (!grown) {
      PyErr_NoMemory();
      return false;
    }
    plan->steps = grown;
    plan->room = room;
  }
  plan->steps[plan->numSteps++] = (Step){kind, size};
  plan->numValues += values;
  return true;
}

/// "tensordesc<fp16[64, 64]>": as many extents as there are strides.
static bool addDescriptor(Plan *plan, const char *type) {
  unsigned rank = 1;
  for (const char *c = strchr(type, '['); c && *c && *c != ']'; ++c) rank += *c == ',';
  size_t end = plan->numValues + 4 * (size_t)rank;
  for (size_t i = plan->numValues; i < end && i < 64; ++i) plan->rule.silent |= UINT64_C(1) << i;
  // The last extent, and the strides behind it: where boxes that are stored end, and rows begin.
  for (size_t i = plan->numValues + rank; i < plan->numValues + 2 * rank && i < 64; ++i) {
    plan->rule.silent &= ~(UINT64_C(1) << i);
    plan->rule.untold |= UINT64_C(1) << i;
  }
  return add(plan, STEP_DESCRIPTOR, rank, 4 * (size_t)rank);
}

static bool addType(Plan *plan, PyObject *type) {
  if (PyTuple_Check(type)) {
    Py_ssize_t count = PyTuple_Size(type);
    bool ok = add(plan, STEP_TUPLE, (unsigned)count, 0);
    for (Py_ssize_t i = 0; ok && i < count; ++i) ok = addType(plan, PyTuple_GetItem(type, i));
    return ok;
  }
  const char *text = PyUnicode_AsUTF8AndSize(type, NULL);
  if (!text) return false;
  if (!strcmp(text, "constexpr")) return add(plan, STEP_SKIP, 0, 0);
  if (*text == '*') return add(plan, STEP_POINTER, 0, 1);
  if (!strncmp(text, "tensordesc", 10)) return addDescriptor(plan, text);
  if (!strcmp(text, "i1") || !strcmp(text, "u1")) return add(plan, STEP_TRUTH, 0, 1);
  if (*text == 'i' || *text == 'u') return add(plan, STEP_INTEGER, 0, 1);
  if (*text == 'f' || *text == 'b') return add(plan, STEP_FLOAT, 0, 1);
  PyErr_Format(PyExc_TypeError, "expected a type of Triton's, found '%s'", text);
  return false;
}

Plan *planCreate(PyObject *signature) {
  Plan *plan = calloc(1, sizeof *plan);
  if (!plan) {
    PyErr_NoMemory();
    return NULL;
  }
  plan->numArguments = PyTuple_Size(signature);
  plan->names.dataPtr = PyUnicode_InternFromString("data_ptr");
  plan->names.isCpu = PyUnicode_InternFromString("is_cpu");
  bool ok = plan->numArguments >= 0 && plan->names.dataPtr && plan->names.isCpu;
  for (Py_ssize_t i = 0; ok && i < plan->numArguments; ++i)
    ok = addType(plan, PyTuple_GetItem(signature, i));
  if (ok) return plan;
  planDestroy(plan);
  return NULL;
}

void planDestroy(Plan *plan) {
  if (!plan) return;
  Py_DecRef(plan->names.dataPtr);
  Py_DecRef(plan->names.isCpu);
  free(plan->steps);
  free(plan);
}

size_t planGetNumValues(const Plan *plan) { return plan->numValues; }

VariantsRule planGetRule(const Plan *plan) { return plan->rule; }

//===- a launch -----------------------------------------------------------===//

/// The number that attribute `name` of `object` is, or gives when it is called; -1 with an
/// exception.
static Py_ssize_t getNumber(PyObject *object, const char *name) {
  PyObject *found = PyObject_GetAttrString(object, name);
  PyObject *number =
      found && PyCallable_Check(found) ? PyObject_CallNoArgs(found) : Py_XNewRef(found);
  Py_ssize_t value = number ? PyNumber_AsSsize_t(number, PyExc_OverflowError) : -1;
  Py_DecRef(number);
  Py_DecRef(found);
  return value;
}

/// An address that a method of `object` gives; false with an exception.
static bool getAddress(PyObject *object, PyObject *method, uint64_t *address) {
  PyObject *found = PyObject_CallMethodObjArgs(object, method, NULL);
  *address = found ? PyLong_AsUnsignedLongLongMask(found) : 0;
  Py_DecRef(found);
  return found && !PyErr_Occurred();
}

/// How many elements of a tensor's memory lie at its address and behind it, and before it: a view
/// may use more than it shows, and go backwards. Whatever has an address, a memory and a size of
/// its elements is one: libraries have tensors of their own.
static bool countElements(const Names *names, PyObject *argument, PlanElements *count) {
  *count = (PlanElements){0};
  if (argument == Py_None) return true;
  if (PyLong_Check(argument)) {
    PyErr_SetString(PyExc_TypeError, "expected tensors to check, found an address: how much memory "
                                     "lies there is not known");
    return false;
  }
  // A triton.TensorWrapper is a tensor by another type.
  PyObject *base = PyObject_GetAttrString(argument, "base"), *storage = NULL;
  if (!base) PyErr_Clear();
  storage = PyObject_CallMethod(base && base != Py_None ? base : argument, "untyped_storage", NULL);
  uint64_t address = 0, first = 0;
  Py_ssize_t bytes = storage ? getNumber(storage, "nbytes") : -1;
  Py_ssize_t size = bytes < 0 ? -1 : getNumber(argument, "element_size");
  bool known = size > 0 && getAddress(argument, names->dataPtr, &address) &&
               getAddress(storage, names->dataPtr, &first);
  if (known && address >= first && (uint64_t)bytes > address - first)
    *count = (PlanElements){(size_t)(((uint64_t)bytes - (address - first)) / (uint64_t)size),
                            (size_t)((address - first) / (uint64_t)size)};
  Py_DecRef(storage);
  Py_DecRef(base);
  return known;
}

/// Does `argument` say that its memory is the processor's? A library's own tensor may have but the
/// device that it is on.
static bool isOnProcessor(const Names *names, PyObject *argument) {
  PyObject *isCpu = PyObject_GetAttr(argument, names->isCpu), *device = NULL, *type = NULL;
  if (isCpu == Py_False) {
    Py_DecRef(isCpu);
    return false;
  }
  if (!isCpu) device = PyObject_GetAttrString(argument, "device");
  if (device) type = PyObject_GetAttrString(device, "type");
  PyErr_Clear();
  bool found =
      isCpu ? PyObject_IsTrue(isCpu) == 1
            : type && PyUnicode_Check(type) && PyUnicode_CompareWithASCIIString(type, "cpu") == 0;
  Py_DecRef(type);
  Py_DecRef(device);
  Py_DecRef(isCpu);
  return found;
}

/// Can a GPU reach the memory of `argument`, which is not empty? False with Triton's exception for
/// a tensor of the processor's memory that is not pinned; what is no tensor is the caller's
/// business.
static bool isReachable(const Names *names, PyObject *argument) {
  if (!isOnProcessor(names, argument)) return true;
  PyObject *isPinned = PyObject_CallMethod(argument, "is_pinned", NULL);
  PyErr_Clear();
  bool reachable = isPinned && PyObject_IsTrue(isPinned) == 1;
  Py_DecRef(isPinned);
  if (!reachable)
    PyErr_SetString(PyExc_ValueError, "expected a pointer argument that the GPU can access, found "
                                      "a tensor of the processor's memory (cpu tensor?)");
  return reachable;
}

/// Has `argument` memory, as far as it says? False with an exception for a tensor with elements and
/// no address: the processor would end the program there, and a GPU the context.
static bool hasMemory(PyObject *argument) {
  PyObject *count = PyObject_CallMethod(argument, "numel", NULL);
  const bool has = !count || PyObject_IsTrue(count) != 1;
  PyErr_Clear();
  Py_DecRef(count);
  if (!has)
    PyErr_SetString(PyExc_ValueError, "expected a pointer argument with memory, found a tensor "
                                      "that has none (of torch's meta device, or a fake one?)");
  return has;
}

typedef struct Packing {
  const Step *step;
  tile_value *value;
  /// For each value how many elements lie at it, or NULL.
  PlanElements *elements;
  const tile_value *first;
  const Names *names;
  bool forGpu;
} Packing;

static bool packPointer(const Packing *p, PyObject *argument, tile_value *value) {
  *value = tile_pointer(NULL);
  if (argument == Py_None) return true;
  if (PyLong_Check(argument)) {
    value->as.pointer = PyLong_AsUnsignedLongLongMask(argument);
    return !PyErr_Occurred();
  }
  TensorFacts facts;
  if (tensorsLook(argument, &facts)) {
    value->as.pointer = facts.address;
    if (p->forGpu && facts.address && !tensorsIsOnProcessor(facts)) return true;
  } else if (!getAddress(argument, p->names->dataPtr, &value->as.pointer)) {
    return false;
  }
  if (!value->as.pointer) return hasMemory(argument);
  return !p->forGpu || isReachable(p->names, argument);
}

/// The numbers of an attribute of `object`, a sequence of `count` or more.
static bool packNumbers(PyObject *object, const char *name, unsigned count, tile_value *values) {
  PyObject *sequence = PyObject_GetAttrString(object, name);
  bool ok = sequence != NULL;
  for (unsigned i = 0; ok && i < count; ++i) {
    PyObject *item = PySequence_GetItem(sequence, i);
    ok = item && valuePackInteger(item, &values[i]);
    Py_DecRef(item);
  }
  Py_DecRef(sequence);
  return ok;
}

static bool pack(Packing *p, PyObject *argument);

static bool packArray(const Packing *p, PyObject *argument, tile_value *value) {
  if (!packPointer(p, argument, value)) return false;
  return !p->elements || countElements(p->names, argument, &p->elements[value - p->first]);
}

static bool packDescriptor(const Packing *p, PyObject *descriptor, unsigned rank,
                           tile_value *values) {
  PyObject *base = PyObject_GetAttrString(descriptor, "base");
  bool ok = base && packArray(p, base, values);
  Py_DecRef(base);
  tile_value *strides = values + 1 + rank, *again = strides + rank - 1;
  if (!ok || !packNumbers(descriptor, "shape", rank, values + 1) ||
      !packNumbers(descriptor, "strides", rank - 1, strides))
    return false;
  memcpy(again, values + 1, rank * sizeof *again);
  return packNumbers(descriptor, "strides", rank, again + rank);
}

static bool packTuple(Packing *p, unsigned count, PyObject *tuple) {
  for (unsigned i = 0; i < count; ++i) {
    PyObject *item = PySequence_GetItem(tuple, i);
    bool ok = item && pack(p, item);
    Py_DecRef(item);
    if (!ok) return false;
  }
  return true;
}

static bool pack(Packing *p, PyObject *argument) {
  const Step *step = p->step++;
  tile_value *value = p->value;
  switch (step->kind) {
  case STEP_SKIP:
    return true;
  case STEP_TUPLE:
    return packTuple(p, step->size, argument);
  case STEP_DESCRIPTOR:
    p->value += 4 * step->size;
    return packDescriptor(p, argument, step->size, value);
  case STEP_POINTER:
    ++p->value;
    return packArray(p, argument, value);
  case STEP_INTEGER:
    ++p->value;
    return valuePackInteger(argument, value);
  case STEP_TRUTH:
    ++p->value;
    if (!valuePackInteger(argument, value)) return false;
    // The low bit counts, as on the GPU.
    value->as.integer &= 1;
    return true;
  case STEP_FLOAT:
    ++p->value;
    return valuePackFloat(argument, value);
  }
  return false;
}

bool planPack(const Plan *plan, PyObject *const *arguments, Py_ssize_t count, bool forGpu,
              tile_value *values, PlanElements *elements) {
  if (count != plan->numArguments) {
    PyErr_Format(PyExc_TypeError, "expected %zd arguments, found %zd", plan->numArguments, count);
    return false;
  }
  Packing p = {plan->steps, values, elements, values, &plan->names, forGpu};
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!pack(&p, arguments[i])) return false;
  return true;
}

bool planPackTuple(const Plan *plan, PyObject *arguments, tile_value *values) {
  if (PyTuple_Size(arguments) != plan->numArguments) return false;
  Packing p = {plan->steps, values, NULL, values, &plan->names, false};
  for (Py_ssize_t i = 0; i < plan->numArguments; ++i)
    if (!pack(&p, PyTuple_GetItem(arguments, i))) return false;
  return true;
}
