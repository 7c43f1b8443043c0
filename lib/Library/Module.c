//===- Module.c - modules, and what their kernels are ---------------------===//
#include "Library.h"
#include "tile/Analysis/SharedLoops.h"
#include "tile/Conversion/HostToLLVM.h"
#include "tile/IR.h"
#include "tile/Session/Kernels.h"
#include "tile/Support/Names.h"
#include "tile/Support/Source.h"
#include "tile/Support/Suggest.h"
#include "tile/Text.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

//===- describing kernels -------------------------------------------------===//

static char *copyString(MlirStringRef text) { return strndup(text.data, text.length); }

static bool describeArgument(MlirOperation func, unsigned i, uint64_t written, uint64_t steering,
                             TileLibArgument *argument) {
  MlirValue value = mlirBlockGetArgument(tileBody(func, 0), i);
  MlirType type = mlirValueGetType(value);
  char name[256];
  if (tileNameFind(mlirValueGetLocation(value), 0, name, sizeof name)) {
    argument->name = strdup(name + (name[0] == '%'));
    if (!argument->name) return false;
  }
  argument->isPointer = tileTypeIsAPtr(type);
  argument->isInteger = mlirTypeIsAInteger(type);
  argument->isKey = tileKernelHasKey(func, i);
  argument->steers = i >= 64 || steering >> i & 1;
  argument->multiple = (uint32_t)tileKernelGetMultiple(func, i);
  int64_t step = argument->isInteger ? tileLeastStepTo(func, (int)i) : 0;
  argument->step = step > 0 && step <= INT32_MAX ? (uint32_t)step : 0;
  bool isStride;
  if (tileKernelFindMeasure(func, i, &isStride, &argument->array, &argument->dimension))
    argument->measure = isStride ? TILE_MEASURE_STRIDE : TILE_MEASURE_EXTENT;
  argument->isWritten = argument->isPointer && (i >= 64 || written >> i & 1);
  argument->hasType = tileProgramGetElementType(
      argument->isPointer ? tilePtrTypeGetPointee(type) : type, &argument->type);
  return true;
}

static bool describeMetas(MlirOperation func, TileLibKernel *kernel) {
  MlirAttribute metas = tileFuncGetMetaAttr(func);
  intptr_t count = mlirAttributeIsNull(metas) ? 0 : mlirDictionaryAttrGetNumElements(metas);
  kernel->metas = calloc((size_t)count + 1, sizeof *kernel->metas);
  if (!kernel->metas) return false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(metas, i);
    TileLibMeta *meta = &kernel->metas[kernel->numMetas++];
    meta->name = copyString(mlirIdentifierStr(entry.name));
    if (mlirAttributeIsAInteger(entry.attribute))
      meta->value = mlirIntegerAttrGetValueInt(entry.attribute);
    if (!meta->name) return false;
  }
  return true;
}

static bool describeConfigs(MlirOperation func, TileLibKernel *kernel) {
  intptr_t count = tileKernelGetNumConfigs(func);
  kernel->configs = calloc((size_t)count + 1, sizeof *kernel->configs);
  if (!kernel->configs) return false;
  for (intptr_t i = 0; i < count; ++i)
    kernel->configs[kernel->numConfigs++] = tileKernelPrintConfig(func, i);
  return true;
}

static bool isProgramId(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsAProgramId(op);
}

/// Do programs ask which one they are?
static bool readsProgramId(MlirOperation func) { return tileHoldsOp(func, isProgramId, NULL); }

static bool describeKernel(TileLibModule *module, MlirOperation func, TileLibKernel *kernel) {
  kernel->module = module;
  kernel->name = copyString(tileFuncGetSymName(func));
  kernel->handle = tileLibMakeHandle(TILE_LIB_KERNEL, kernel);
  TileSourcePlace place = {.line = 0};
  if (tileSourceFind(mlirOperationGetLocation(func), &place)) {
    kernel->file = copyString(place.file);
    kernel->line = (uint32_t)place.line;
    kernel->column = (uint32_t)place.column;
  }
  kernel->hasGrid = !mlirOperationIsNull(tileKernelGetGrid(func));
  kernel->wantsGrid = !kernel->hasGrid && readsProgramId(func);
  size_t count = (size_t)mlirBlockGetNumArguments(tileBody(func, 0));
  kernel->arguments = calloc(count + 1, sizeof *kernel->arguments);
  if (!kernel->name || !kernel->handle || !kernel->arguments) return false;
  uint64_t written = tileKernelGetWrittenArguments(func);
  uint64_t steering = tileKernelGetSteeringArguments(func);
  for (unsigned i = 0; i < count; ++i)
    if (!describeArgument(func, i, written, steering, &kernel->arguments[kernel->numArguments++]))
      return false;
  return describeMetas(func, kernel) && describeConfigs(func, kernel);
}

/// False where memory is out.
static bool describeKernels(TileLibModule *module) {
  MlirBlock body = mlirModuleGetBody(module->module);
  size_t count = 0;
  TILE_FOR_EACH_OP(op, body) { count += tileOpIsAKernel(op); }
  module->kernels = calloc(count + 1, sizeof *module->kernels);
  if (!module->kernels) return false;
  TILE_FOR_EACH_OP(op, body) {
    if (tileOpIsAKernel(op) && !describeKernel(module, op, &module->kernels[module->numKernels++]))
      return false;
  }
  return true;
}

static void forgetKernels(TileLibModule *module) {
  for (size_t i = 0; i < module->numKernels; ++i) {
    TileLibKernel *kernel = &module->kernels[i];
    tileLibDropHandle(kernel->handle);
    tileLibForgetSites(kernel);
    for (size_t k = 0; k < kernel->numArguments; ++k) free(kernel->arguments[k].name);
    for (size_t k = 0; k < kernel->numMetas; ++k) free(kernel->metas[k].name);
    for (size_t k = 0; k < kernel->numConfigs; ++k) free(kernel->configs[k]);
    free(kernel->arguments);
    free(kernel->metas);
    free(kernel->configs);
    free(kernel->name);
    free(kernel->file);
  }
  free(module->kernels);
}

//===- modules ------------------------------------------------------------===//

static TileLibModule *makeModule(TileLibContext *context) {
  TileLibModule *module = calloc(1, sizeof *module);
  if (!module) return NULL;
  module->context = context;
  module->references = 1;
  pthread_mutex_init(&module->mutex, NULL);
  module->mlir = mlirContextCreateWithRegistry(context->registry, /*threadingEnabled=*/false);
  mlirContextAttachDiagnosticHandler(module->mlir, tileLibOnDiagnostic, context, NULL);
  pthread_mutex_lock(&context->mutex);
  ++context->references;
  pthread_mutex_unlock(&context->mutex);
  return module;
}

void tileLibReleaseModule(TileLibModule *module) {
  TileLibContext *context = module->context;
  pthread_mutex_lock(&context->mutex);
  size_t left = --module->references;
  pthread_mutex_unlock(&context->mutex);
  if (left) return;
  TileLibCurrent saved = tileLibSaveCurrent(context);
  TileLibTarget *next;
  for (TileLibTarget *each = module->targets; each; each = next) {
    next = each->next;
    tileProgramDestroy(each->program);
    free(each);
  }
  tileLibRestoreCurrent(&saved);
  forgetKernels(module);
  free(module->text);
  if (!mlirModuleIsNull(module->module)) mlirModuleDestroy(module->module);
  mlirContextDestroy(module->mlir);
  pthread_mutex_destroy(&module->mutex);
  free(module);
  tileLibReleaseContext(context);
}

/// What was parsed becomes a module with a handle, or goes.
static tile_status finishModule(TileLibModule *module, tile_module **result) {
  TileLibContext *context = module->context;
  tile_status status = TILE_STATUS_SOURCE;
  if (!mlirModuleIsNull(module->module) &&
      mlirLogicalResultIsSuccess(tileKernelsTake(module->module, TILE_HOST_TRUST_NONE))) {
    if (describeKernels(module)) module->handle = tileLibMakeHandle(TILE_LIB_MODULE, module);
    status = module->handle
                 ? TILE_STATUS_OK
                 : tileLibFail(TILE_STATUS_MEMORY, "expected memory for a module, found none");
  }
  if (status) {
    tileLibReleaseModule(module);
    return status;
  }
  pthread_mutex_lock(&context->mutex);
  module->next = context->modules;
  context->modules = module;
  pthread_mutex_unlock(&context->mutex);
  *result = module->handle;
  return status;
}

/// A module about to be made; NULL after a message.
static TileLibModule *beginModule(tile_context *handle, const void *source, tile_module **result,
                                  tile_status *status) {
  tileLibBegin();
  if (result) *result = NULL;
  TileLibContext *context = tileLibFind(handle, TILE_LIB_CONTEXT);
  TileLibModule *module = NULL;
  *status = TILE_STATUS_OK;
  if (!context)
    *status = tileLibFailHandle("context", handle);
  else if (!source || !result)
    *status = tileLibFail(TILE_STATUS_ARGUMENT, "expected %s, found NULL",
                          source ? "a place for a module" : "a text or a path");
  else
    module = makeModule(context);
  if (!*status && !module)
    *status = tileLibFail(TILE_STATUS_MEMORY, "expected memory for a module, found none");
  return module;
}

//===- parsing ------------------------------------------------------------===//

/// A text, or where that is NULL a file.
typedef struct Source {
  TileLibModule *module;
  MlirStringRef text, name;
} Source;

static MlirModule parse(const Source *s) {
  MlirContext mlir = s->module->mlir;
  return s->text.data ? tileParse(mlir, s->text, s->name) : tileParseFile(mlir, s->name);
}

/// In a child: what there is to be said is said by the parse that counts; but a crash that the
/// parser has survived ends it.
static MlirLogicalResult drop(MlirDiagnostic diagnostic, void *data) {
  TileText text = {0};
  (void)data;
  mlirDiagnosticPrint(diagnostic, tileTextCollect, &text);
  if (text.data && strstr(text.data, TILE_SOURCE_CRASHES)) abort();
  free(text.data);
  return mlirLogicalResultSuccess();
}

static void parseThere(void *data, FILE *out) {
  const Source *s = data;
  (void)out;
  mlirContextAttachDiagnosticHandler(s->module->mlir, drop, NULL, NULL);
  MlirModule parsed = parse(s);
  if (!mlirModuleIsNull(parsed)) tileKernelsTake(parsed, TILE_HOST_TRUST_NONE);
}

static tile_status tryThere(Source *s) {
  const TileLibContext *context = s->module->context;
  if (!context->isolates) return TILE_STATUS_OK;
  char *nothing;
  size_t size;
  TileChildEnd end = tileChildRun(&context->limits, parseThere, s, &nothing, &size);
  free(nothing);
  if (end == TILE_CHILD_DONE) return TILE_STATUS_OK;
  return tileLibFail(tileLibChildStatus(end, TILE_STATUS_SOURCE),
                     "expected to parse '%.*s' in a child process, %s", (int)s->name.length,
                     s->name.data, tileChildDescribe(end));
}

/// Parses, and makes a handle of it.
static tile_status finishSource(Source *s, tile_module **result) {
  tile_status status = tryThere(s);
  if (status) {
    tileLibReleaseModule(s->module);
    return status;
  }
  tileChildHoldForks();
  s->module->module = parse(s);
  tileChildAllowForks();
  return finishModule(s->module, result);
}

tile_status tile_module_create_from_text(tile_context *context, const char *text, size_t size,
                                         const char *name, tile_module **result) {
  tile_status status;
  TileLibModule *module = beginModule(context, text, result, &status);
  if (!module) return status;
  if (!name) name = "<text>";
  if (size > TILE_MAX_SOURCE) {
    tileLibReleaseModule(module);
    return tileLibFail(TILE_STATUS_SOURCE, "expected at most %d bytes in '%s', found %zu",
                       TILE_MAX_SOURCE, name, size);
  }
  Source source = {module, mlirStringRefCreate(text, size), tileString(name)};
  return finishSource(&source, result);
}

tile_status tile_module_create_from_file(tile_context *context, const char *path,
                                         tile_module **result) {
  tile_status status;
  TileLibModule *module = beginModule(context, path, result, &status);
  if (!module) return status;
  if (access(path, R_OK) != 0) {
    status = errno == ENOENT ? TILE_STATUS_NOT_FOUND : TILE_STATUS_SYSTEM;
    tileLibFail(status, "expected to read '%s', found: %s", path, strerror(errno));
    tileLibReleaseModule(module);
    return status;
  }
  // What is called "-" is a file, and not this process's input.
  Source source = {.module = module, .name = tileString(strcmp(path, "-") ? path : "./-")};
  return finishSource(&source, result);
}

tile_status tile_module_destroy(tile_module *handle) {
  tileLibBegin();
  if (!handle) return TILE_STATUS_OK;
  TileLibModule *module = tileLibFind(handle, TILE_LIB_MODULE);
  if (!module) return tileLibFailHandle("module", handle);
  tileLibDropHandle(handle);
  for (size_t i = 0; i < module->numKernels; ++i) {
    tileLibDropHandle(module->kernels[i].handle);
    module->kernels[i].handle = NULL;
  }
  TileLibContext *context = module->context;
  pthread_mutex_lock(&context->mutex);
  TileLibModule **at = &context->modules;
  while (*at != module) at = &(*at)->next;
  *at = module->next;
  pthread_mutex_unlock(&context->mutex);
  tileLibReleaseModule(module);
  return TILE_STATUS_OK;
}

tile_status tile_module_get_num_kernels(tile_module *handle, size_t *count) {
  tileLibBegin();
  if (!count) return tileLibFail(TILE_STATUS_ARGUMENT, "expected a place for a number, found NULL");
  *count = 0;
  const TileLibModule *module = tileLibFind(handle, TILE_LIB_MODULE);
  if (!module) return tileLibFailHandle("module", handle);
  *count = module->numKernels;
  return TILE_STATUS_OK;
}

/// For the place of a result and the module; what stands for it is NULL before.
static tile_status checkFind(const void *module, const void *handle, tile_kernel **kernel) {
  if (!kernel)
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected a place for a kernel, found NULL");
  *kernel = NULL;
  return module ? TILE_STATUS_OK : tileLibFailHandle("module", handle);
}

tile_status tile_module_get_kernel(tile_module *handle, size_t index, tile_kernel **kernel) {
  tileLibBegin();
  const TileLibModule *module = tileLibFind(handle, TILE_LIB_MODULE);
  tile_status status = checkFind(module, handle, kernel);
  if (status) return status;
  if (index >= module->numKernels)
    return tileLibFail(TILE_STATUS_NOT_FOUND, "expected a kernel below %zu, found %zu",
                       module->numKernels, index);
  *kernel = module->kernels[index].handle;
  return TILE_STATUS_OK;
}

/// No name was given, and there is not one kernel: says which there are.
static tile_status failNameless(const TileLibModule *module) {
  if (!module->numKernels)
    return tileLibFail(TILE_STATUS_NOT_FOUND,
                       "expected a kernel (tile.func, or Triton's public tt.func), found none");
  TileText known = {0};
  for (size_t i = 0; i < module->numKernels; ++i) {
    tileTextAdd(&known, i ? ", " : "");
    tileTextAdd(&known, module->kernels[i].name);
  }
  tile_status status = tileLibFail(TILE_STATUS_NOT_FOUND,
                                   "expected the name of a kernel (%s), found none", known.data);
  free(known.data);
  return status;
}

tile_status tile_module_find_kernel(tile_module *handle, const char *name, tile_kernel **kernel) {
  tileLibBegin();
  const TileLibModule *module = tileLibFind(handle, TILE_LIB_MODULE);
  tile_status status = checkFind(module, handle, kernel);
  if (status) return status;
  if (!name && module->numKernels != 1) return failNameless(module);
  for (size_t i = 0; i < module->numKernels; ++i)
    if (!name || !strcmp(module->kernels[i].name, name)) {
      *kernel = module->kernels[i].handle;
      return TILE_STATUS_OK;
    }
  TileSuggestion suggestion = tileSuggestionFor(name, strlen(name));
  for (size_t i = 0; i < module->numKernels; ++i)
    tileSuggestionOffer(&suggestion, module->kernels[i].name, strlen(module->kernels[i].name));
  return tileLibFail(TILE_STATUS_NOT_FOUND, "expected a kernel '%s', found none%s", name,
                     tileSuggestionSay(&suggestion).text);
}

//===- what is told of kernels --------------------------------------------===//

/// The kernel of a call that fills a struct in; NULL after a message.
static const TileLibKernel *beginInfo(tile_kernel *handle, const void *info, size_t least,
                                      const char *name, tile_status *status) {
  tileLibBegin();
  size_t size = 0;
  if (info) memcpy(&size, info, sizeof size);
  const TileLibKernel *kernel = tileLibFind(handle, TILE_LIB_KERNEL);
  if (!kernel)
    *status = tileLibFailHandle("kernel", handle);
  else if (size < least || size > TILE_LIB_MAX_STRUCT)
    *status = tileLibFail(TILE_STATUS_ARGUMENT, "expected a %s whose size is %zu to %d, found %zu",
                          name, least, TILE_LIB_MAX_STRUCT, size);
  return kernel && size >= least && size <= TILE_LIB_MAX_STRUCT ? kernel : NULL;
}

static tile_status refuseIndex(const char *what, size_t count, size_t index) {
  return tileLibFail(TILE_STATUS_NOT_FOUND, "expected %s below %zu, found %zu", what, count, index);
}

tile_status tile_kernel_get_info(tile_kernel *handle, tile_kernel_info *info) {
  tile_status status;
  const TileLibKernel *kernel = beginInfo(handle, info, sizeof *info, "tile_kernel_info", &status);
  if (!kernel) return status;
  const tile_kernel_info found = {.name = kernel->name,
                                  .num_arguments = kernel->numArguments,
                                  .num_metas = kernel->numMetas,
                                  .num_configs = kernel->numConfigs,
                                  .has_grid = kernel->hasGrid,
                                  .file = kernel->file,
                                  .line = kernel->line,
                                  .column = kernel->column};
  tileLibGive(info, &found, sizeof found);
  return TILE_STATUS_OK;
}

static tile_type typeOf(TileElementType type) {
  static const tile_type types[] = {
      [TILE_ELEMENT_I1] = TILE_TYPE_I1,         [TILE_ELEMENT_I8] = TILE_TYPE_I8,
      [TILE_ELEMENT_I16] = TILE_TYPE_I16,       [TILE_ELEMENT_I32] = TILE_TYPE_I32,
      [TILE_ELEMENT_I64] = TILE_TYPE_I64,       [TILE_ELEMENT_F16] = TILE_TYPE_F16,
      [TILE_ELEMENT_BF16] = TILE_TYPE_BF16,     [TILE_ELEMENT_F32] = TILE_TYPE_F32,
      [TILE_ELEMENT_F64] = TILE_TYPE_F64,       [TILE_ELEMENT_F8E4M3FN] = TILE_TYPE_F8E4M3,
      [TILE_ELEMENT_F8E5M2] = TILE_TYPE_F8E5M2,
  };
  return types[type];
}

tile_status tile_kernel_get_argument(tile_kernel *handle, size_t index, tile_argument_info *info) {
  tile_status status;
  const TileLibKernel *kernel =
      beginInfo(handle, info, offsetof(tile_argument_info, steers), "tile_argument_info", &status);
  if (!kernel) return status;
  if (index >= kernel->numArguments) return refuseIndex("an argument", kernel->numArguments, index);
  const TileLibArgument *argument = &kernel->arguments[index];
  tile_argument_info found = {.name = argument->name,
                              .is_pointer = argument->isPointer,
                              .is_key = argument->isKey,
                              .is_written = argument->isWritten,
                              .measure = argument->measure,
                              .array = argument->array,
                              .dimension = argument->dimension,
                              .steers = argument->steers,
                              .multiple = argument->multiple,
                              .step = argument->step};
  if (argument->hasType) found.type = typeOf(argument->type);
  tileLibGive(info, &found, sizeof found);
  return TILE_STATUS_OK;
}

tile_status tile_kernel_get_meta(tile_kernel *handle, size_t index, tile_meta_info *info) {
  tile_status status;
  const TileLibKernel *kernel = beginInfo(handle, info, sizeof *info, "tile_meta_info", &status);
  if (!kernel) return status;
  if (index >= kernel->numMetas) return refuseIndex("a meta-parameter", kernel->numMetas, index);
  const tile_meta_info found = {.name = kernel->metas[index].name,
                                .value = kernel->metas[index].value};
  tileLibGive(info, &found, sizeof found);
  return TILE_STATUS_OK;
}

tile_status tile_kernel_get_config(tile_kernel *handle, size_t index, const char **config) {
  tileLibBegin();
  if (!config) return tileLibFail(TILE_STATUS_ARGUMENT, "expected a place for a text, found NULL");
  *config = NULL;
  const TileLibKernel *kernel = tileLibFind(handle, TILE_LIB_KERNEL);
  if (!kernel) return tileLibFailHandle("kernel", handle);
  if (index >= kernel->numConfigs) return refuseIndex("a configuration", kernel->numConfigs, index);
  *config = kernel->configs[index];
  return TILE_STATUS_OK;
}
