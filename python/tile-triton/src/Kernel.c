//===- Kernel.c - _native.Kernel --------------------------------------------===//
#include "Native.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

State *kernelGetState(const Kernel *self) { return PyModule_GetState(self->module); }

bool kernelRaise(const Kernel *self) {
  PyErr_SetString(kernelGetState(self)->error, tile_get_message());
  return false;
}

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
    self->steps[i] = info.step;
    if (isNumber && (!info.multiple || info.multiple % 16)) self->untold |= UINT64_C(1) << i;
  }
  return status;
}

static tile_status parse(Kernel *self, const char *text, size_t size) {
  tile_status status = tile_module_create_from_text(kernelGetState(self)->context.context, text,
                                                    size, "<ttir>", &self->source);
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

tile_artifact *kernelGetCommon(Kernel *self) {
  if (self->common) return self->common;
  tile_artifact *made = NULL;
  tile_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = compileCommon(self, &made);
  Py_END_ALLOW_THREADS;
  if (status) kernelRaise(self);
  if (self->common) // another thread was as far
    tile_artifact_destroy(made);
  else
    self->common = made;
  return self->common;
}

tile_artifact *kernelFindCode(Kernel *kernel, VariantsKey key) {
  tile_artifact *found, *again;
  if (variantsIsCommon(key)) return kernelGetCommon(kernel);
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
  return found ? found : kernelGetCommon(kernel);
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

VariantsKey kernelFindKey(const Kernel *kernel, const Launcher *launcher, const uint32_t grid[3],
                          const tile_value *values) {
  VariantsRule rule = planGetRule(launcher->plan);
  rule.whole = kernel->multiplies;
  rule.silent |= kernel->silent;
  rule.untold |= kernel->untold;
  rule.steps = kernel->steps;
  VariantsKey key = {0};
  variantsGetValues(values, planGetNumValues(launcher->plan), rule, &key);
  if (kernel->multiplies) key.wave = variantsGetWave(grid, launcher->multiprocessors);
  if (kernel->counts)
    key.programs = variantsGetPrograms(grid, launcher->multiprocessors, kernel->warps,
                                       kernel->multiplies ? VARIANTS_DOT_WARPS : VARIANTS_WARPS);
  return key;
}

/// `launch` is (launcher, grid, arguments, whether that is certain). What is wrong with it, the
/// launch itself will say.
static VariantsKey lookAhead(const Kernel *self, PyObject *launch, int *isCertain) {
  enum { MOST_VALUES = 64 };
  VariantsKey key = {0};
  PyObject *given, *arguments;
  unsigned grid[3];
  if (launch == Py_None || self->knowledge != BY_MULTIPLES) return key;
  bool ok = PyArg_ParseTuple(launch, "O!(III)O!p", kernelGetState(self)->launcher, &given, &grid[0],
                             &grid[1], &grid[2], &PyTuple_Type, &arguments, isCertain);
  const Launcher *launcher = (const Launcher *)given;
  tile_value values[MOST_VALUES];
  if (ok && planGetNumValues(launcher->plan) <= MOST_VALUES &&
      planPackTuple(launcher->plan, arguments, values))
    key = kernelFindKey(self, launcher, grid, values);
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
  return !status || kernelRaise(self);
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
  tile_status status = openContext(kernelGetState(self));
  if (status) return kernelRaise(self);
  Py_BEGIN_ALLOW_THREADS;
  status = parse(self, end + 1, length - head - 1);
  Py_END_ALLOW_THREADS;
  if (status) return kernelRaise(self);
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
    kernelRaise(self);
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
  if (!kernelGetCommon(self)) return NULL;
  self->first = self->common;
  if (tile_artifact_get_info(self->first, &self->info)) return kernelRaise(self), NULL;
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
PyType_Spec kernelSpec = {"tile_triton._native.Kernel", sizeof(Kernel), 0, Py_TPFLAGS_DEFAULT,
                          kernelSlots};
