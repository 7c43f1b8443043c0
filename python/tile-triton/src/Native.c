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
#include "Plan.h"
#include "Variants.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What the module keeps.
typedef struct State {
  PyObject *error;
  PyTypeObject *kernel, *launcher;
  ProcessContext context;
} State;

static bool raise(const State *state) {
  PyErr_SetString(state->error, tile_get_message());
  return false;
}

//===- kernels ------------------------------------------------------------===//

enum { MOST_HEAD = 256 };

/// What code is compiled for.
typedef enum Knowledge {
  BY_SIGNATURE, ///< what Triton's text says
  BY_MULTIPLES, ///< that, and other multiples (Variants.h)
  BY_FACTS,     ///< all that is known of each launch
} Knowledge;

typedef struct {
  PyObject_HEAD PyObject *module, *binary;
  tile_module *source;
  tile_kernel *kernel;
  /// The common code; NULL where nobody asked for it.
  tile_artifact *common;
  /// What was compiled first, the common code or a launch's own, which `variants` owns, and what it
  /// is.
  tile_artifact *first;
  tile_artifact_info info;
  /// Looked for when they are asked for: without a context of the driver's that takes the
  /// assembler.
  tile_resources resources;
  bool onCpu;
  Knowledge knowledge;
  bool multiplies;
  /// It has loops, or tiles in parts: code depends on how many programs a multiprocessor has.
  bool counts;
  /// It has a loop that may wait for another program.
  bool waits;
  /// Of the first 64 values, those that do not steer the kernel, and integers of which its text
  /// does not say that they are multiples of 16.
  uint64_t silent, untold;
  /// Of a program, as the configuration has them.
  unsigned warps;
  Variants variants;
  /// The machine, a NUL, and the configuration, to which `config` points.
  char head[MOST_HEAD];
  const char *config;
} Kernel;

typedef struct {
  PyObject_HEAD Plan *plan;
  /// Of the device; 0: programs are not counted.
  unsigned multiprocessors;
  /// All programs of a launch run at the same time.
  int cooperative;
  /// Of the kernels that it launches; the module has it.
  PyTypeObject *kernel;
} Launcher;

static State *stateOf(const Kernel *self) { return PyModule_GetState(self->module); }

/// What kernels print goes where C programs print.
static void print(void *data, const char *text, size_t size) {
  (void)data;
  fwrite(text, 1, size, stdout);
  fflush(stdout);
}

/// What nothing else says: why there is no cache. Of kernels the caller is told.
static void warn(void *data, const tile_diagnostic *diagnostic) {
  (void)data;
  if (diagnostic->severity == TILE_SEVERITY_WARNING && !diagnostic->file)
    fprintf(stderr, "tile: %s\n", diagnostic->message);
}

/// With Python's lock held: one for all threads.
static tile_status openContext(State *state) {
  const tile_context_options options = {
      .size = sizeof options, .on_diagnostic = warn, .on_print = print};
  return processContextOpen(&state->context, &options);
}

/// What the kernel says of its arguments.
static tile_status readArguments(Kernel *self) {
  tile_kernel_info kernel = {.size = sizeof kernel};
  tile_status status = tile_kernel_get_info(self->kernel, &kernel);
  for (unsigned i = 0; !status && i < kernel.num_arguments && i < 64; ++i) {
    tile_argument_info info = {.size = sizeof info};
    status = tile_kernel_get_argument(self->kernel, i, &info);
    bool isNumber = info.type == TILE_TYPE_I32 || info.type == TILE_TYPE_I64;
    if (!info.steers) self->silent |= UINT64_C(1) << i;
    if (isNumber && (!info.multiple || info.multiple % 16)) self->untold |= UINT64_C(1) << i;
  }
  return status;
}

static tile_status parse(Kernel *self, const char *text, size_t size) {
  tile_status status = tile_module_create_from_text(stateOf(self)->context.context, text, size,
                                                    "<ttir>", &self->source);
  if (!status) status = tile_module_find_kernel(self->source, NULL, &self->kernel);
  return status ? status : readArguments(self);
}

/// What a kernel prints on a GPU is looked at by tile_kernel_launch alone. A processor loads what
/// is not aligned as well as what is.
static Knowledge findKnowledge(const Kernel *self, const char *text) {
  static const char *const names[] = {"signature", "multiples", "facts"};
  const char *asked = getenv("TILE_TRITON_LAUNCH");
  if (!self->onCpu && strstr(text, "tt.print")) return BY_FACTS;
  for (int i = BY_SIGNATURE; asked && i <= BY_FACTS; ++i)
    if (!strcmp(asked, names[i])) return (Knowledge)i;
  return self->onCpu ? BY_SIGNATURE : BY_MULTIPLES;
}

/// Of the code for any launch.
static tile_compile_options commonOptions(const Kernel *self) {
  return (tile_compile_options){.size = sizeof(tile_compile_options),
                                .arch = self->head,
                                .config = self->config,
                                .facts = self->counts ? VARIANTS_MANY_PROGRAMS : NULL};
}

static tile_status compileCommon(const Kernel *self, tile_artifact **result) {
  const tile_compile_options options = commonOptions(self);
  return tile_kernel_compile(self->kernel, &options, result);
}

/// The common code; NULL with an exception where there can be none.
static tile_artifact *getCommon(Kernel *self) {
  if (self->common) return self->common;
  tile_artifact *made = NULL;
  tile_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = compileCommon(self, &made);
  Py_END_ALLOW_THREADS;
  if (status) raise(stateOf(self));
  if (self->common) // another thread was as far
    tile_artifact_destroy(made);
  else
    self->common = made;
  return self->common;
}

/// What is told of a launch of `kernel`.
static VariantsKey findKey(const Kernel *kernel, const Launcher *launcher, const uint32_t grid[3],
                           const tile_value *values) {
  VariantsRule rule = planGetRule(launcher->plan);
  rule.whole = kernel->multiplies;
  rule.silent |= kernel->silent;
  rule.untold |= kernel->untold;
  VariantsKey key = {0};
  variantsGetValues(values, planGetNumValues(launcher->plan), rule, &key);
  if (kernel->multiplies) key.wave = variantsGetWave(grid, launcher->multiprocessors);
  if (kernel->counts)
    key.programs = variantsGetPrograms(grid, launcher->multiprocessors, kernel->warps,
                                       kernel->multiplies ? VARIANTS_DOT_WARPS : VARIANTS_WARPS);
  return key;
}

/// Has it a tile of more elements than so many warps hold? It is read in parts, by loops.
static bool hasLargeTile(const char *text, unsigned warps) {
  enum { HELD = 318, LANES = 32 }; // of a thread: HELD_WORDS of tile-loop-over-parts
  const char *at = text;
  while ((at = strstr(at, "tensor<"))) {
    uint64_t elements = 1;
    for (at += strlen("tensor<"); *at >= '0' && *at <= '9';) {
      char *end;
      elements *= strtoul(at, &end, 10);
      at = end + (*end == 'x');
    }
    if (elements > (uint64_t)HELD * LANES * warps) return true;
  }
  return false;
}

/// What a kernel's text says of it.
static void readText(Kernel *self, const char *text) {
  self->onCpu = !strcmp(self->head, "cpu");
  self->knowledge = findKnowledge(self, text);
  self->multiplies = strstr(text, "tt.dot") != NULL;
  const char *warps = strstr(self->config, "num_warps=");
  self->warps = warps ? (unsigned)strtoul(warps + strlen("num_warps="), NULL, 10) : 4;
  self->counts =
      self->knowledge == BY_MULTIPLES && (strstr(text, "scf.for") || strstr(text, "scf.while") ||
                                          (!self->multiplies && hasLargeTile(text, self->warps)));
  self->waits = strstr(text, "scf.while") != NULL;
}

/// `launch` is (launcher, grid, arguments, whether that is certain). What is wrong with it, the
/// launch itself will say.
static VariantsKey lookAhead(const Kernel *self, PyObject *launch, int *isCertain) {
  enum { MOST_VALUES = 64 };
  VariantsKey key = {0};
  PyObject *given, *arguments;
  unsigned grid[3];
  if (launch == Py_None || self->knowledge != BY_MULTIPLES) return key;
  bool ok = PyArg_ParseTuple(launch, "O!(III)O!p", stateOf(self)->launcher, &given, &grid[0],
                             &grid[1], &grid[2], &PyTuple_Type, &arguments, isCertain);
  const Launcher *launcher = (const Launcher *)given;
  tile_value values[MOST_VALUES];
  if (ok && planGetNumValues(launcher->plan) <= MOST_VALUES &&
      planPackTuple(launcher->plan, arguments, values))
    key = findKey(self, launcher, grid, values);
  PyErr_Clear();
  return key;
}

/// Compiles the code of launches of `key`; the common code where nothing is told of them, there is
/// no such code, or others may follow.
static bool compileFirst(Kernel *self, VariantsKey key, bool isCertain) {
  const tile_compile_options options = commonOptions(self);
  const bool isCommon = variantsIsCommon(key);
  tile_artifact *own = NULL, *common = NULL;
  tile_status status = TILE_STATUS_OK;
  Py_BEGIN_ALLOW_THREADS;
  if (!isCommon) own = variantsCompile(self->kernel, &options, key);
  if (!own || !isCertain) status = compileCommon(self, &common);
  if (!status) status = tile_artifact_get_info(own ? own : common, &self->info);
  Py_END_ALLOW_THREADS;
  self->common = common;
  if (!status && !isCommon) own = variantsAdd(&self->variants, key, own);
  self->first = own ? own : common;
  return !status || raise(stateOf(self));
}

/// "MACHINE CONFIGURATION\nTEXT".
static bool compileText(Kernel *self, const char *text, size_t length, PyObject *launch) {
  const char *end = memchr(text, '\n', length);
  size_t head = end ? (size_t)(end - text) : MOST_HEAD;
  if (head >= MOST_HEAD || !memchr(text, ' ', head)) {
    PyErr_SetString(PyExc_ValueError, "expected a machine, a configuration and a kernel's text");
    return false;
  }
  memcpy(self->head, text, head);
  char *blank = strchr(self->head, ' ');
  *blank = 0;
  self->config = blank + 1;
  readText(self, end);
  self->info.size = sizeof self->info;
  tile_status status = openContext(stateOf(self));
  if (status) return raise(stateOf(self));
  Py_BEGIN_ALLOW_THREADS;
  status = parse(self, end + 1, length - head - 1);
  Py_END_ALLOW_THREADS;
  if (status) return raise(stateOf(self));
  int isCertain = 0;
  const VariantsKey key = lookAhead(self, launch, &isCertain);
  return compileFirst(self, key, isCertain);
}

static PyObject *kernelNew(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  (void)keywords;
  PyObject *binary, *launch = Py_None;
  char *text;
  Py_ssize_t length;
  if (!PyArg_ParseTuple(arguments, "S|O:Kernel", &binary, &launch)) return NULL;
  if (PyBytes_AsStringAndSize(binary, &text, &length)) return NULL;
  Kernel *self = (Kernel *)PyType_GenericAlloc(type, 0);
  if (!self) return NULL;
  self->module = PyType_GetModule(type);
  Py_IncRef(self->module);
  self->binary = Py_NewRef(binary);
  if (compileText(self, text, (size_t)length, launch)) return (PyObject *)self;
  Py_DecRef((PyObject *)self);
  return NULL;
}

static void kernelFree(PyObject *object) {
  Kernel *self = (Kernel *)object;
  PyTypeObject *type = Py_TYPE(object);
  variantsDestroy(&self->variants);
  tile_artifact_destroy(self->common);
  tile_module_destroy(self->source);
  Py_DecRef(self->binary);
  Py_DecRef(self->module);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DecRef((PyObject *)type);
}

/// What was compiled first, in another form than that which is launched: compiled again, or taken
/// from the cache.
static PyObject *getText(PyObject *object, PyObject *name) {
  static const struct {
    const char *name;
    tile_format format;
  } forms[] = {{"ptx", TILE_FORMAT_PTX},
               {"cubin", TILE_FORMAT_CUBIN},
               {"llir", TILE_FORMAT_LLVM},
               {"tile", TILE_FORMAT_TILE}};
  const Kernel *self = (const Kernel *)object;
  tile_compile_options options = commonOptions(self);
  options.facts = self->info.facts;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i)
    if (!PyUnicode_CompareWithASCIIString(name, forms[i].name)) options.format = forms[i].format;
  if (!options.format)
    return PyErr_Format(PyExc_KeyError, "expected ptx, cubin, llir or tile, found '%U'", name);
  tile_artifact *artifact = NULL;
  tile_artifact_info info = {.size = sizeof info};
  tile_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = tile_kernel_compile(self->kernel, &options, &artifact);
  if (!status) status = tile_artifact_get_info(artifact, &info);
  Py_END_ALLOW_THREADS;
  PyObject *text = NULL;
  if (status)
    raise(stateOf(self));
  else
    text = PyBytes_FromStringAndSize(info.code, (Py_ssize_t)info.code_size);
  tile_artifact_destroy(artifact);
  return text;
}

static PyObject *getBinary(PyObject *self, void *data) {
  (void)data;
  return Py_NewRef(((Kernel *)self)->binary);
}

static PyObject *getName(PyObject *self, void *data) {
  (void)data;
  return PyUnicode_FromString(((Kernel *)self)->info.kernel);
}

/// `data` is the offset of an uint32_t in a Kernel.
static PyObject *getNumber(PyObject *self, void *data) {
  uint32_t number;
  memcpy(&number, (char *)self + (size_t)(uintptr_t)data, sizeof number);
  return PyLong_FromUnsignedLong(number);
}

/// The same of what the code takes. Without a GPU and without ptxas that is not known: 0.
static PyObject *getResource(PyObject *object, void *data) {
  Kernel *self = (Kernel *)object;
  tile_resources found = {.size = sizeof found};
  if (!self->onCpu && !self->resources.size) {
    Py_BEGIN_ALLOW_THREADS;
    tile_artifact_get_resources(self->first, &found);
    Py_END_ALLOW_THREADS;
    self->resources = found;
  }
  return getNumber(object, data);
}

/// Whether the code that `text("cubin")` gives, the common code, is launched as Triton's own is.
static PyObject *getIsPlain(PyObject *object, void *data) {
  Kernel *self = (Kernel *)object;
  (void)data;
  if (!getCommon(self)) return NULL;
  self->first = self->common;
  if (tile_artifact_get_info(self->first, &self->info)) return raise(stateOf(self)), NULL;
  return PyBool_FromLong(self->info.is_plain);
}

static PyObject *getHasCommon(PyObject *self, void *data) {
  (void)data;
  return PyBool_FromLong(((Kernel *)self)->common != NULL);
}

#define NUMBER(field) (void *)offsetof(Kernel, field)
static PyGetSetDef kernelAttributes[] = {
    {"binary", getBinary, NULL, "What it was made of.", NULL},
    {"name", getName, NULL, "The function's name in TTIR.", NULL},
    {"registers", getResource, NULL, "Of a thread; 0 on the CPU.", NUMBER(resources.registers)},
    {"spills", getResource, NULL, "Bytes of local memory of a thread.",
     NUMBER(resources.local_bytes)},
    {"shared", getNumber, NULL, "Bytes of shared memory of a block.", NUMBER(info.shared_bytes)},
    {"threads", getNumber, NULL, "Threads of a block.", NUMBER(info.threads)},
    {"is_plain", getIsPlain, NULL,
     "Whoever launches cubins may launch it, on the arguments alone. Its other numbers are then "
     "the "
     "common code's.",
     NULL},
    {"has_common", getHasCommon, NULL, "Whether the common code was asked for.", NULL},
    {"variants", getNumber, NULL, "Sets of multiples that launches had code for.",
     NUMBER(variants.count)},
    {0}};

static PyMethodDef kernelMethods[] = {
    {"text", getText, METH_O,
     "text(form): bytes of its PTX, cubin, LLVM IR (llir) or tiles (tile)"},
    {0}};
static PyType_Slot kernelSlots[] = {{Py_tp_new, kernelNew},
                                    {Py_tp_dealloc, kernelFree},
                                    {Py_tp_getset, kernelAttributes},
                                    {Py_tp_methods, kernelMethods},
                                    {Py_tp_doc, "A kernel of Triton's, compiled by tile."},
                                    {0, NULL}};
static PyType_Spec kernelSpec = {"tile_triton._native.Kernel", sizeof(Kernel), 0,
                                 Py_TPFLAGS_DEFAULT, kernelSlots};

//===- launchers ----------------------------------------------------------===//

static PyObject *launcherNew(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  (void)keywords;
  PyObject *signature;
  unsigned multiprocessors = 0;
  int cooperative = 0;
  if (!PyArg_ParseTuple(arguments, "O|Ip:Launcher", &signature, &multiprocessors, &cooperative))
    return NULL;
  Launcher *self = (Launcher *)PyType_GenericAlloc(type, 0);
  if (!self) return NULL;
  self->multiprocessors = multiprocessors;
  self->cooperative = cooperative;
  self->kernel = ((State *)PyModule_GetState(PyType_GetModule(type)))->kernel;
  self->plan = planCreate(signature);
  if (self->plan) return (PyObject *)self;
  Py_DecRef((PyObject *)self);
  return NULL;
}

static void launcherFree(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  planDestroy(((Launcher *)object)->plan);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DecRef((PyObject *)type);
}

static bool callHook(PyObject *hook, PyObject *metadata) {
  if (hook == Py_None) return true;
  PyObject *result = PyObject_CallFunctionObjArgs(hook, metadata, NULL);
  Py_DecRef(result);
  return result != NULL;
}

/// False without an exception where there is nothing to run.
static bool readGrid(PyObject *const *extents, uint32_t grid[3]) {
  for (int i = 0; i < 3; ++i) {
    long extent = PyLong_AsLong(extents[i]);
    if (extent == -1 && PyErr_Occurred()) return false;
    if (extent > INT32_MAX)
      PyErr_Format(PyExc_OverflowError, "expected a grid below 2^31, found %ld", extent);
    if (extent <= 0 || extent > INT32_MAX) return false;
    grid[i] = (uint32_t)extent;
  }
  return true;
}

/// The code for a launch of `key`; NULL with an exception where there is none.
static tile_artifact *findCode(Kernel *kernel, VariantsKey key) {
  tile_artifact *found, *again;
  if (variantsIsCommon(key)) return getCommon(kernel);
  if (!variantsFind(&kernel->variants, key, &found)) {
    const tile_compile_options options = commonOptions(kernel);
    Py_BEGIN_ALLOW_THREADS;
    found = variantsCompile(kernel->kernel, &options, key);
    Py_END_ALLOW_THREADS;
    // Another thread may have been as far.
    if (!variantsFind(&kernel->variants, key, &again)) {
      found = variantsAdd(&kernel->variants, key, found);
    } else {
      tile_artifact_destroy(found);
      found = again;
    }
  }
  return found ? found : getCommon(kernel);
}

static bool run(Kernel *kernel, const Launcher *launcher, const tile_launch *how,
                const tile_value *values) {
  tile_status status;
  tile_artifact *code = kernel->common;
  size_t count = planGetNumValues(launcher->plan);
  if (kernel->knowledge == BY_MULTIPLES) {
    VariantsKey key = findKey(kernel, launcher, how->grid, values);
    code = findCode(kernel, key);
    if (!code) return false;
  }
  Py_BEGIN_ALLOW_THREADS;
  status = kernel->knowledge == BY_FACTS ? tile_kernel_launch(kernel->kernel, how, values, count)
                                         : tile_artifact_launch(code, how, values, count);
  Py_END_ALLOW_THREADS;
  return !status || raise(stateOf(kernel));
}

/// The kernel of a launch, NULL with an exception where it is none: Triton hands on None where one
/// thread launches what another is loading.
static Kernel *getKernel(PyObject *launcher, PyObject *given) {
  if (PyObject_TypeCheck(given, ((Launcher *)launcher)->kernel)) return (Kernel *)given;
  PyErr_SetString(PyExc_TypeError, "expected a kernel that was loaded, found something else");
  return NULL;
}

/// A processor runs one program after the other, which is as well where none waits.
static bool isCooperative(const Launcher *launcher, const Kernel *kernel) {
  return launcher->cooperative && (!kernel->onCpu || kernel->waits);
}

enum { FIRST_ARGUMENT = 9, FEW_VALUES = 64 };

static PyObject *launch(PyObject *object, PyObject *const *given, Py_ssize_t count) {
  const Launcher *launcher = (const Launcher *)object;
  const Plan *plan = launcher->plan;
  if (count < FIRST_ARGUMENT) {
    PyErr_SetString(PyExc_TypeError, "expected a grid, a stream, a kernel, metadata and hooks");
    return NULL;
  }
  Kernel *kernel = getKernel(object, given[4]);
  if (!kernel) return NULL;
  tile_launch how = {.size = sizeof how,
                     .place = kernel->onCpu ? TILE_PLACE_CPU : TILE_PLACE_GPU,
                     .config = kernel->config,
                     .flags = isCooperative(launcher, kernel) ? TILE_LAUNCH_COOPERATIVE : 0};
  how.stream = PyLong_AsVoidPtr(given[3]);
  if (PyErr_Occurred()) return NULL;
  bool runs = readGrid(given, how.grid);
  if (PyErr_Occurred() || !callHook(given[7], given[6])) return NULL;
  tile_value few[FEW_VALUES];
  size_t room = planGetNumValues(plan);
  tile_value *values = room <= FEW_VALUES ? few : malloc(room * sizeof *values);
  if (!values) return PyErr_NoMemory();
  bool ok = planPack(plan, given + FIRST_ARGUMENT, count - FIRST_ARGUMENT, !kernel->onCpu, values,
                     NULL) &&
            (!runs || run(kernel, launcher, &how, values)) && callHook(given[8], given[6]);
  if (values != few) free(values);
  return ok ? Py_NewRef(Py_None) : NULL;
}

enum { CHECK_FIRST = 4 };

/// Runs the launch on the CPU, with every access tested. What the kernel writes is written.
static bool check(const Kernel *kernel, tile_check *how, const tile_value *values, size_t count) {
  tile_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = tile_kernel_check(kernel->kernel, how, values, count);
  Py_END_ALLOW_THREADS;
  return !status || raise(stateOf(kernel));
}

static PyObject *checkLaunch(PyObject *object, PyObject *const *given, Py_ssize_t count) {
  const Plan *plan = ((Launcher *)object)->plan;
  if (count < CHECK_FIRST) {
    PyErr_SetString(PyExc_TypeError, "expected a grid and a kernel");
    return NULL;
  }
  const Kernel *kernel = getKernel(object, given[3]);
  if (!kernel) return NULL;
  tile_check how = {.size = sizeof how, .config = kernel->config};
  bool runs = readGrid(given, how.grid);
  if (PyErr_Occurred()) return NULL;
  size_t room = planGetNumValues(plan);
  tile_value *values = calloc(room + 1, sizeof *values);
  PlanElements *elements = calloc(room + 1, sizeof *elements);
  size_t *counts = calloc(2 * room + 1, sizeof *counts);
  how.num_elements = counts;
  how.num_before = counts + room;
  bool ok = values && elements && counts;
  if (!ok) PyErr_NoMemory();
  ok = ok && planPack(plan, given + CHECK_FIRST, count - CHECK_FIRST, false, values, elements);
  for (size_t i = 0; ok && i < room; ++i) {
    counts[i] = elements[i].count;
    counts[room + i] = elements[i].before;
  }
  ok = ok && (!runs || check(kernel, &how, values, room));
  free(values);
  free(elements);
  free(counts);
  return ok ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef launcherMethods[] = {
    {"check", (PyCFunction)(void (*)(void))checkLaunch, METH_FASTCALL,
     "check(gridX, gridY, gridZ, kernel, *arguments): on the CPU, on tensors of the CPU; Error "
     "with "
     "what was found"},
    {"launch", (PyCFunction)(void (*)(void))launch, METH_FASTCALL,
     "launch(gridX, gridY, gridZ, stream, kernel, packed, metadata, enter, exit, *arguments)"},
    {0}};
static PyType_Slot launcherSlots[] = {{Py_tp_new, launcherNew},
                                      {Py_tp_dealloc, launcherFree},
                                      {Py_tp_methods, launcherMethods},
                                      {Py_tp_doc, "Takes a signature's arguments to a kernel."},
                                      {0, NULL}};
static PyType_Spec launcherSpec = {"tile_triton._native.Launcher", sizeof(Launcher), 0,
                                   Py_TPFLAGS_DEFAULT, launcherSlots};

//===- the module ---------------------------------------------------------===//

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
  return state->kernel && state->launcher ? 0 : -1;
}

static PyModuleDef_Slot moduleSlots[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        "_native",
                                        "Kernels of Triton through tile.",
                                        sizeof(State),
                                        NULL,
                                        moduleSlots,
                                        NULL,
                                        NULL,
                                        NULL};

PyMODINIT_FUNC PyInit__native(void);
PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
