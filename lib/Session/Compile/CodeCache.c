//===- CodeCache.c - machine code of programs, kept between runs ----------===//
//
// The key of a piece of code is a hash of all that decides about it, known before any pass runs:
//
//   the module   as it goes into the passes, printed in MLIR's generic form with its locations, as
//                these end up in line information and messages
//   the passes   printed with all their options, the launch's facts and meta-parameters among them
//   the target   architecture and driver, or the processor and its features
//   the build    of tile, LLVM and MLIR
//
// What is kept under it:
//
//   | 8 bytes: length of the text | text: the dictionary TileCode.launch | machine code |
//
//===----------------------------------------------------------------------===//
#include "../ProgramImpl.h"
#include "tile/Text.h"
#include "tile/Trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===- what a launch has to know ------------------------------------------===//

typedef struct Collection {
  MlirNamedAttribute *entries;
  intptr_t count, capacity;
} Collection;

static bool startsWith(MlirStringRef name, const char *prefix) {
  size_t length = strlen(prefix);
  return name.length >= length && !memcmp(name.data, prefix, length);
}

static MlirWalkResult collectFrom(MlirOperation op, void *data) {
  Collection *c = data;
  // Functions and modules alone: there are few of them.
  if (mlirAttributeIsNull(tileAttr(op, "sym_name"))) return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute entry = mlirOperationGetAttribute(op, i);
    MlirStringRef name = mlirIdentifierStr(entry.name);
    bool known = !startsWith(name, "tile.") && !startsWith(name, "tile_gpu.");
    for (intptr_t k = 0; k < c->count; ++k)
      known |= mlirIdentifierEqual(c->entries[k].name, entry.name);
    if (known) continue;
    if (c->count == c->capacity) {
      c->capacity = 2 * c->capacity + 16;
      c->entries = realloc(c->entries, (size_t)c->capacity * sizeof *c->entries);
      if (!c->entries) abort();
    }
    c->entries[c->count++] = entry;
  }
  return MlirWalkResultAdvance;
}

MlirAttribute tileProgramCollectLaunch(MlirOperation op) {
  Collection c = {.count = 0};
  mlirOperationWalk(op, collectFrom, &c, MlirWalkPreOrder);
  MlirAttribute launch = mlirDictionaryAttrGet(mlirOperationGetContext(op), c.count, c.entries);
  free(c.entries);
  return launch;
}

int64_t tileProgramGetLaunchInt(const TileCode *code, const char *name, int64_t otherwise) {
  MlirAttribute value = mlirDictionaryAttrGetElementByName(code->launch, tileString(name));
  bool is = !mlirAttributeIsNull(value) && mlirAttributeIsAInteger(value);
  return is ? mlirIntegerAttrGetValueInt(value) : otherwise;
}

//===- keys ---------------------------------------------------------------===//

static void printModule(MlirModule module, TileText *text) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOpPrintingFlagsEnableDebugInfo(flags, /*enable=*/true, /*prettyForm=*/false);
  mlirOpPrintingFlagsAssumeVerified(flags);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags, tileTextCollect, text);
  mlirOpPrintingFlagsDestroy(flags);
}

/// The release of the driver ("580.95.05"), which brings the assembler; its CUDA version alone
/// stays the same over several. Some containers show the second file alone, whose first line has
/// it, too. "" where the system does not tell.
static void readDriverRelease(char *text, size_t size) {
  FILE *file = fopen("/sys/module/nvidia/version", "r");
  if (!file) file = fopen("/proc/driver/nvidia/version", "r");
  text[0] = 0;
  if (!file) return;
  if (!fgets(text, (int)size, file)) text[0] = 0;
  fclose(file);
}

/// What GPU code is made by where no device is open: the compiler alone, or ptxas as well, or the
/// driver of a device that is not asked for.
static const char *describeWithout(const TileProgram *p, TileEmit last, char *text, size_t size) {
  char assembler[256] = "";
  if (last != TILE_EMIT_PTX && !tileTargetDescribeAssembler(assembler, sizeof assembler))
    readDriverRelease(assembler, sizeof assembler);
  snprintf(text, size, "%s for %s %s", last == TILE_EMIT_PTX ? "PTX" : "cubin",
           tileProgramGetArch(p)->name, assembler);
  return text;
}

static const char *getTarget(TileProgram *p, TileCacheKind kind) {
  if (kind == TILE_CACHE_OBJECT) {
    if (!p->cpuTarget) p->cpuTarget = tileTargetDescribeHost();
    return p->cpuTarget;
  }
  if (!p->gpuTarget) {
    const TileDeviceInfo *info = tileDeviceGetInfo(p->device);
    enum { RELEASE = 192, ASSEMBLER = 256, TARGET = RELEASE + ASSEMBLER + 96 };
    char release[RELEASE], assembler[ASSEMBLER];
    readDriverRelease(release, sizeof release);
    if (!tileTargetDescribeAssembler(assembler, sizeof assembler)) assembler[0] = 0;
    p->gpuTarget = tileRuntimeAlloc(TARGET);
    snprintf(p->gpuTarget, TARGET, "%s on %d.%d, CUDA %d, driver %s, %s", p->arch->name,
             info->major, info->minor, info->driverVersion, release, assembler);
  }
  return p->gpuTarget;
}

TileCacheKey tileProgramHashPtx(TileProgram *p, const TileDevice *device, const TileBlob *ptx,
                                int sharedBytes) {
  char without[384];
  const char *target = device ? getTarget(p, TILE_CACHE_CUBIN)
                              : describeWithout(p, TILE_EMIT_CUBIN, without, sizeof without);
  const TileCacheField fields[] = {
      {target, strlen(target)}, {&sharedBytes, sizeof sharedBytes}, {ptx->data, ptx->size}};
  return tileCacheHash(fields, sizeof fields / sizeof *fields);
}

static TileCacheKey hashCode(TileProgram *p, MlirModule module, MlirPassManager passes,
                             const TileCode *code) {
  TileText text = {0}, pipeline = {0};
  printModule(module, &text);
  mlirPrintPassPipeline(mlirPassManagerGetAsOpPassManager(passes), tileTextCollect, &pipeline);
  const char *build = tileCacheGetBuild();
  char without[384];
  const char *target = code->without ? describeWithout(p, code->without, without, sizeof without)
                                     : getTarget(p, code->kind);
  const int32_t effort = (int32_t)code->effort;
  const TileCacheField fields[] = {{build, strlen(build)},
                                   {target, strlen(target)},
                                   {&effort, sizeof effort},
                                   {pipeline.data, pipeline.size},
                                   {text.data, text.size}};
  TileCacheKey key = tileCacheHash(fields, sizeof fields / sizeof *fields);
  free(text.data);
  free(pipeline.data);
  return key;
}

//===- in and out ---------------------------------------------------------===//

/// Takes an entry apart; false when it is none of ours.
static bool unpack(MlirContext context, const char *data, size_t size, TileCode *code) {
  uint64_t length;
  if (size < sizeof length) return false;
  memcpy(&length, data, sizeof length);
  if (length > size - sizeof length) return false;
  const char *text = data + sizeof length;
  code->launch = mlirAttributeParseGet(context, mlirStringRefCreate(text, length));
  if (mlirAttributeIsNull(code->launch) || !mlirAttributeIsADictionary(code->launch)) return false;
  size_t rest = size - sizeof length - length;
  code->binary = (TileBlob){.data = tileRuntimeAlloc(rest + 1), .size = rest};
  memcpy(code->binary.data, text + length, rest);
  return true;
}

bool tileProgramFindCode(TileProgram *p, MlirModule module, MlirPassManager passes,
                         TileCode *code) {
  TileCache *cache = p->options.cache;
  if (!cache) return false;
  code->key = hashCode(p, module, passes, code);
  // A pass that does not run decides nothing that could be shown.
  if (tileTraceIsAnyOn() || tileStagesAreWanted(p) || p->options.runsPasses ||
      p->options.reproducer)
    return false;
  void *data;
  size_t size;
  if (!tileCacheGet(cache, code->kind, code->key, &data, &size)) return false;
  bool ok = unpack(p->context, data, size, code);
  free(data);
  return ok;
}

void tileProgramKeepCode(TileProgram *p, const TileCode *code) {
  if (!p->options.cache || p->options.numOverrides) return;
  TileText entry = {0}, text = {0};
  mlirAttributePrint(code->launch, tileTextCollect, &text);
  uint64_t length = text.size;
  tileTextAddBytes(&entry, &length, sizeof length);
  tileTextAddBytes(&entry, text.data, text.size);
  tileTextAddBytes(&entry, code->binary.data, code->binary.size);
  tileCachePut(p->options.cache, code->kind, code->key, entry.data, entry.size);
  free(text.data);
  free(entry.data);
}
