//===- Context.c - contexts: the cache, and the devices that are used -----===//
#include "Library.h"
#include "tile/Support/Version.h"
#include "tile/Tile.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tile_get_version(void) { return tileVersionGet(); }

//===- structs ------------------------------------------------------------===//

bool tileLibTake(void *to, size_t size, size_t least, const void *from, const char *name) {
  size_t given;
  memcpy(&given, from, sizeof given);
  if (given < least || given > TILE_LIB_MAX_STRUCT) {
    tileLibFail(TILE_STATUS_ARGUMENT, "expected a %s whose size is %zu to %d, found %zu", name,
                least, TILE_LIB_MAX_STRUCT, given);
    return false;
  }
  memset(to, 0, size);
  memcpy(to, from, given < size ? given : size);
  return true;
}

void tileLibGive(void *to, const void *from, size_t size) {
  size_t given;
  memcpy(&given, to, sizeof given);
  memset((char *)to + sizeof given, 0, given - sizeof given);
  size_t shared = given < size ? given : size;
  memcpy((char *)to + sizeof given, (const char *)from + sizeof given, shared - sizeof given);
}

//===- contexts -----------------------------------------------------------===//

static void registerPasses(void) {
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
}

/// The cache's warnings are heard by who hears all, and stop nobody.
static void warn(const char *text, void *data) {
  const TileLibContext *context = data;
  const tile_diagnostic told = {
      .size = sizeof told, .severity = TILE_SEVERITY_WARNING, .message = text};
  if (context->onDiagnostic) context->onDiagnostic(context->data, &told);
}

/// Text of kernels on its way to the caller.
static ssize_t writeConsole(void *data, const char *text, size_t size) {
  const TileLibContext *context = data;
  if (context->onPrint) context->onPrint(context->data, text, size);
  return (ssize_t)size;
}

static tile_status openConsole(TileLibContext *context) {
  context->console = fopencookie(context, "w", (cookie_io_functions_t){.write = writeConsole});
  return context->console
             ? TILE_STATUS_OK
             : tileLibFail(TILE_STATUS_MEMORY, "expected memory for a context, found none");
}

static tile_status openCache(TileLibContext *context, const char *folder) {
  if (folder && !*folder) return TILE_STATUS_OK;
  TileCacheOptions options = {.directory = folder, .warn = warn, .data = context};
  TileError error = TILE_ERROR_INIT;
  context->cache = tileCacheOpen(&options, &error);
  if (!context->cache && error.message) return tileLibFailWith(TILE_STATUS_SYSTEM, &error);
  return TILE_STATUS_OK;
}

tile_status tile_context_create(const tile_context_options *given, tile_context **result) {
  tileLibBegin();
  tile_context_options options = {0};
  if (!result)
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected a place for a context, found NULL");
  *result = NULL;
  if (given && !tileLibTake(&options, sizeof options, offsetof(tile_context_options, num_threads),
                            given, "tile_context_options"))
    return TILE_STATUS_ARGUMENT;
  if (!(options.max_seconds >= 0))
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected seconds of 0 or more, found %g",
                       options.max_seconds);
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, registerPasses);
  TileLibContext *context = calloc(1, sizeof *context);
  if (!context) return tileLibFail(TILE_STATUS_MEMORY, "expected memory for a context, found none");
  pthread_mutex_init(&context->mutex, NULL);
  pthread_mutex_init(&context->timing, NULL);
  tileLibPoolCreate(&context->pool, options.num_threads);
  context->references = 1;
  context->onDiagnostic = options.on_diagnostic;
  context->onPrint = options.on_print;
  context->data = options.data;
  context->limits = (TileChildLimits){options.max_memory, options.max_seconds};
  context->isolates = options.isolates;
  context->assembled = tileAssembledCreate();
  context->registry = mlirDialectRegistryCreate();
  tileRegisterDialects(context->registry);
  tile_status status = openConsole(context);
  if (!status) status = openCache(context, options.cache);
  if (!status) context->handle = tileLibMakeHandle(TILE_LIB_CONTEXT, context);
  if (!status && !context->handle)
    status = tileLibFail(TILE_STATUS_MEMORY, "expected memory for a handle, found none");
  if (status) {
    tileLibPoolDestroy(&context->pool);
    tileLibReleaseContext(context);
    return status;
  }
  *result = context->handle;
  return status;
}

tile_status tileLibChildStatus(TileChildEnd end, tile_status otherwise) {
  return end == TILE_CHILD_NO_MEMORY ? TILE_STATUS_MEMORY
         : end == TILE_CHILD_NO_TIME ? TILE_STATUS_TIMEOUT
         : end == TILE_CHILD_NONE    ? TILE_STATUS_SYSTEM
                                     : otherwise;
}

TileLibCurrent tileLibSaveCurrent(const TileLibContext *context) {
  TileLibCurrent saved = {NULL, NULL};
  if (!atomic_load(&context->devices)) return saved;
  saved.driver = tileDriverOpen(NULL);
  saved.current = tileDriverGetCurrent(saved.driver);
  return saved;
}

void tileLibRestoreCurrent(const TileLibCurrent *saved) {
  if (saved->driver) tileDriverSetCurrent(saved->driver, saved->current);
}

void tileLibReleaseContext(TileLibContext *context) {
  pthread_mutex_lock(&context->mutex);
  size_t left = --context->references;
  pthread_mutex_unlock(&context->mutex);
  if (left) return;
  TileLibCurrent saved = tileLibSaveCurrent(context);
  TileLibDevice *next;
  for (TileLibDevice *each = context->devices; each; each = next) {
    next = each->next;
    tileDeviceDestroy(each->device);
    free(each);
  }
  tileLibRestoreCurrent(&saved);
  tileAssembledDestroy(context->assembled);
  tileCacheClose(context->cache);
  if (context->console) fclose(context->console);
  mlirDialectRegistryDestroy(context->registry);
  pthread_mutex_destroy(&context->timing);
  pthread_mutex_destroy(&context->mutex);
  free(context);
}

tile_status tile_context_destroy(tile_context *handle) {
  tileLibBegin();
  if (!handle) return TILE_STATUS_OK;
  TileLibContext *context = tileLibFind(handle, TILE_LIB_CONTEXT);
  if (!context) return tileLibFailHandle("context", handle);
  tileLibDropHandle(handle);
  // Artifacts may hold modules, and these their context, for some time.
  while (context->modules) tile_module_destroy(context->modules->handle);
  tileLibPoolDestroy(&context->pool);
  tileLibReleaseContext(context);
  return TILE_STATUS_OK;
}

//===- devices ------------------------------------------------------------===//

static TileLibDevice *findDevice(TileLibContext *context, uint64_t id) {
  TileLibDevice *each = atomic_load_explicit(&context->devices, memory_order_acquire);
  while (each && each->id != id) each = each->next;
  return each;
}

static TileLibDevice *addDevice(TileLibContext *context, TileDriver *driver, uint64_t id,
                                TileError *error) {
  TileLibDevice *made = calloc(1, sizeof *made);
  if (!made) {
    tileErrorSetOutOfMemory(error, "expected memory for a device, found none");
    return NULL;
  }
  made->id = id;
  made->device = tileDeviceBorrow(driver, error);
  if (!made->device) {
    free(made);
    return NULL;
  }
  made->next = context->devices;
  atomic_store_explicit(&context->devices, made, memory_order_release);
  return made;
}

TileLibDevice *tileLibGetDevice(TileLibContext *context) {
  TileError error = TILE_ERROR_INIT;
  uint64_t id;
  TileDriver *driver = tileDriverOpen(&error);
  if (!driver || !tileDriverEnterCurrent(driver, &id, &error)) {
    tileLibFailWith(TILE_STATUS_DEVICE, &error);
    return NULL;
  }
  TileLibDevice *found = findDevice(context, id);
  if (found) return found;
  pthread_mutex_lock(&context->mutex);
  found = findDevice(context, id);
  if (!found) found = addDevice(context, driver, id, &error);
  pthread_mutex_unlock(&context->mutex);
  if (!found) tileLibFailWith(TILE_STATUS_DEVICE, &error);
  return found;
}

TileLibDevice *tileLibEnterDevice(TileLibContext *context, uint32_t wanted,
                                  TileLibCurrent *former) {
  *former = (TileLibCurrent){NULL, NULL};
  TileLibDevice *found = tileLibGetDevice(context);
  if (!wanted || !found || (uint32_t)tileDeviceGetInfo(found->device)->ordinal == wanted - 1)
    return found;
  TileError error = TILE_ERROR_INIT;
  TileDriver *driver = tileDriverOpen(NULL);
  *former = (TileLibCurrent){driver, tileDriverGetCurrent(driver)};
  if (tileDriverEnterPrimary(driver, wanted - 1, &error)) return tileLibGetDevice(context);
  tileLibFailWith(TILE_STATUS_DEVICE, &error);
  return NULL;
}
