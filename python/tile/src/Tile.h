//===- Tile.h - what the files of tile._native share ------------*- C -*-===//
#ifndef TILE_PYTHON_TILE_H
#define TILE_PYTHON_TILE_H

#include "DLPack.h"
#include "Values.h"

enum { KNOWN_TYPES = 4, MOST_DIMENSIONS = 16, NUM_OPTIONS = 10 };

/// What the module keeps.
typedef struct State {
  PyObject *error;
  /// Of tile._records.
  PyObject *diagnostic, *resources, *argument, *tuning, *trial;
  ProcessContext context;
  PyTypeObject *moduleType, *kernelType, *artifactType;
  /// Interned, by Option.
  PyObject *optionNames[NUM_OPTIONS];
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
  PyObject *capsule;
  bool hasBuffer;
  /// Behind it nothing is cleared.
  Py_buffer buffer;
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
/// The number of the GPU that it is on; -1: none, or not known.
int32_t tensorGetDevice(const Tensor *tensor);
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
/// None and NULL (then it stays), an integer, or what torch, CuPy and cuda.core call a stream.
/// False with an exception.
bool readStream(PyObject *object, void **stream);

/// "cpu", "cuda"; None and NULL: where the arrays are.
typedef struct Arguments Arguments;
bool readPlace(PyObject *object, const Arguments *a, tile_place *place);

//===- Arguments.c --------------------------------------------------------===//

/// What calls take by name beside a kernel's arguments.
typedef enum Option {
  OPTION_GRID,
  OPTION_STREAM,
  OPTION_CONFIG,
  OPTION_DEVICE,
  OPTION_CANDIDATES,
  OPTION_SPACES,
  OPTION_BUDGET,
  OPTION_SECONDS,
  OPTION_EMPTY,
  OPTION_LIMIT,
} Option;

/// What a call gives, as PEP 590 has it: `count` objects by place, then one for each of `names`, a
/// tuple or NULL. Options are taken out of it (`left` names remain).
typedef struct Given {
  PyObject *const *objects;
  PyObject *names;
  size_t count, numNames, left;
  uint64_t taken; ///< the names that were options', of the first 64
} Given;

/// As a callee of that protocol is given it.
Given givenMake(PyObject *const *objects, size_t count, PyObject *names);
/// Takes what is named as one of `wanted`, 1 << Option each; the others of `options` become NULL.
void givenTake(Given *given, const State *state, unsigned wanted, PyObject *options[NUM_OPTIONS]);

/// Python's protocol of calls without a tuple, PEP 590, which the limited API has from 3.12 on;
/// what it consists of is the same since 3.8.
typedef PyObject *(*CallFunction)(PyObject *self, PyObject *const *objects, size_t count,
                                  PyObject *names);
enum { HAVE_CALL_FUNCTION = 1 << 11 };
/// How objects begin that are called so.
typedef struct Callable {
  PyObject_HEAD CallFunction call;
} Callable;
/// Calls a Callable as tp_call has it.
PyObject *callByTuple(PyObject *object, PyObject *arguments, PyObject *keywords);

/// Whether launches of this thread do nothing, not even look at their arguments: while torch asks
/// for shapes.
extern _Thread_local bool launchesAreDry;

typedef struct Parameter {
  /// NULL where the text has none.
  PyObject *name;
  tile_argument_info info;
} Parameter;

typedef struct KernelObject {
  Callable head;
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
  /// Whether there is an array, and where they all are; `device` is -1 where none of them tells.
  bool hasArrays, isOnGpu;
  int32_t device;
  bool hasStream;
  void *stream;
  tile_value fewValues[FEW_ARGUMENTS];
  Tensor fewTensors[FEW_ARGUMENTS];
  bool fewHasTensor[FEW_ARGUMENTS];
};

/// Reads what a call gives, what is named by the names of parameters, but for options. False with
/// an exception; argumentsClose in any case.
bool argumentsOpen(Arguments *a, State *state, const KernelObject *kernel, const Given *given);
void argumentsClose(Arguments *a);

//===- Tune.c -------------------------------------------------------------===//

PyObject *kernelTune(PyObject *object, PyObject *const *objects, Py_ssize_t count, PyObject *names);

#endif
