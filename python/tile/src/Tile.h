//===- Tile.h - what the files of tile._native share ------------*- C -*-===//
#ifndef TILE_PYTHON_TILE_H
#define TILE_PYTHON_TILE_H

#include "DLPack.h"
#include "Values.h"

enum { KNOWN_TYPES = 4, MOST_DIMENSIONS = 16 };

/// What the module keeps.
typedef struct State {
  PyObject *error;
  /// Of tile._records.
  PyObject *diagnostic, *resources, *argument, *tuning, *trial;
  ProcessContext context;
  PyTypeObject *moduleType, *kernelType, *artifactType;
  /// Types of arrays that were met, with how they are read in C; NULL where they cannot be.
  PyTypeObject *types[KNOWN_TYPES];
  const DLPackExchange *exchanges[KNOWN_TYPES];
  unsigned nextType;
} State;

/// Of an object whose type is one of this module's.
static inline State *stateOf(PyObject *object) { return PyType_GetModuleState(Py_TYPE(object)); }

//===- Errors.c -----------------------------------------------------------===//

/// Raises tile.Error with what this thread's last call had to say. False.
bool raiseError(const State *state, tile_status status);
/// This thread's diagnostics, a list of tile.Diagnostic. NULL with an exception.
PyObject *listDiagnostics(const State *state);
/// Tells warnings of a call that succeeded to Python's warnings. False with an exception.
bool tellWarnings(const State *state);

//===- Tensor.c -----------------------------------------------------------===//

/// An array of torch, NumPy, CuPy, JAX or another library, in their memory.
typedef struct Tensor {
  DLPackTensor dl;
  /// Of a stride, in bytes; 0: strides count elements.
  int64_t strideUnit;
  bool isReadOnly;
  /// The stream on which the array is ready, where the array says so; else its library may
  /// (tensorAskStream).
  bool hasStream;
  void *stream;
  const DLPackExchange *exchange;
  /// What keeps it: one of them.
  bool hasBuffer;
  Py_buffer buffer;
  PyObject *capsule;
  int64_t room[2 * MOST_DIMENSIONS];
} Tensor;

/// Looks at `object`, which must not change until tensorClose. False with an exception.
bool tensorOpen(State *state, PyObject *object, Tensor *tensor);
void tensorClose(Tensor *tensor);

/// Asks for the stream of an array on a GPU, which `hasStream` then tells of. False with an
/// exception.
bool tensorAskStream(Tensor *tensor);

void *tensorGetData(const Tensor *tensor);
/// In elements. `dimension` is below the rank.
int64_t tensorGetStride(const Tensor *tensor, int dimension);
/// From the first element to the last, and itself.
int64_t tensorGetSpan(const Tensor *tensor);
bool tensorIsOnGpu(const Tensor *tensor);
/// Whether its elements are what a kernel calls `type`; bits without a type of the same size serve
/// for types that NumPy lacks.
bool tensorHasType(const Tensor *tensor, tile_type type);
/// "f32", for messages.
const char *tensorGetTypeName(const Tensor *tensor);

//===- Source.c, Kernel.c, Artifact.c -------------------------------------===//

/// Takes the module. NULL with an exception.
PyObject *moduleObjectCreate(State *state, tile_module *module);
/// Keeps the object of its module.
PyObject *kernelObjectCreate(State *state, PyObject *owner, tile_kernel *kernel);
/// Takes the artifact, keeps the object of its kernel.
PyObject *artifactObjectCreate(State *state, PyObject *kernel, tile_artifact *artifact);

extern PyType_Spec moduleSpec, kernelSpec, artifactSpec;

//===- Configuration.c ----------------------------------------------------===//

/// A configuration as text: None (NULL), a string, or a dictionary. `*keeper` is to be released
/// when the text is no longer used. False with an exception.
bool readConfig(PyObject *object, const char **text, PyObject **keeper);
/// None, an integer or a sequence of one to three. False with an exception.
bool readGrid(PyObject *object, uint32_t grid[3]);
/// An integer, or what torch, CuPy and cuda.core call a stream. False with an exception.
bool readStream(PyObject *object, void **stream);

/// What a function takes by name: `count` values, in the order of `names`, which NULL ends. Leaves
/// the others of `keywords` (NULL: none) to `*rest` where it is not NULL. False with an exception.
bool readKeywords(PyObject *keywords, const char *const *names, PyObject **values,
                  Py_ssize_t *rest);

/// "cpu", "cuda"; None and NULL: where the arrays are.
typedef struct Arguments Arguments;
bool readPlace(PyObject *object, const Arguments *a, tile_place *place);

//===- Arguments.c --------------------------------------------------------===//

/// What a call gives: `count` objects, one behind the other or in a tuple, and a dictionary of
/// `numNamed` more that are to be looked at, which may be NULL.
typedef struct Given {
  PyObject *const *objects;
  PyObject *tuple;
  size_t count;
  PyObject *named;
  Py_ssize_t numNamed;
} Given;

/// Python's protocol of calls without a tuple, PEP 590, which the limited API has from 3.12 on;
/// what it consists of is the same since 3.8.
typedef PyObject *(*CallFunction)(PyObject *self, PyObject *const *objects, size_t count,
                                  PyObject *names);
enum { HAVE_CALL_FUNCTION = 1 << 11 };
/// As the callee of that protocol is given it. `*made` is to be released. False with an exception.
bool givenOpen(Given *given, PyObject *const *objects, size_t count, PyObject *names,
               PyObject **made);

/// Whether launches of this thread do nothing, not even look at their arguments: while torch asks
/// for shapes.
extern _Thread_local bool launchesAreDry;

typedef struct Parameter {
  /// NULL where the text has none.
  PyObject *name;
  tile_argument_info info;
} Parameter;

typedef struct KernelObject {
  PyObject_HEAD CallFunction call;
  PyObject *owner;
  tile_kernel *kernel;
  tile_kernel_info info;
  Parameter *parameters;
} KernelObject;

enum { FEW_ARGUMENTS = 24 };

/// The arguments of one launch.
struct Arguments {
  size_t count;
  tile_value *values;
  /// Of pointers; those of others are not looked at.
  Tensor *tensors;
  bool *hasTensor;
  /// Whether there is an array, and where they all are.
  bool hasArrays, isOnGpu;
  bool hasStream;
  void *stream;
  tile_value fewValues[FEW_ARGUMENTS];
  Tensor fewTensors[FEW_ARGUMENTS];
  bool fewHasTensor[FEW_ARGUMENTS];
};

/// Reads what a call gives, what is named by the names of parameters. False with an exception;
/// argumentsClose in any case.
bool argumentsOpen(Arguments *a, State *state, const KernelObject *kernel, const Given *given);
void argumentsClose(Arguments *a);

//===- Tune.c -------------------------------------------------------------===//

PyObject *kernelTune(PyObject *object, PyObject *arguments, PyObject *keywords);

#endif
