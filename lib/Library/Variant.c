//===- Variant.c - artifacts as data, for launches without a compiler -----===//
#include "Library.h"
#include "tile-rt.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Runtime/FactCode.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/// Programs of a launch that pays for copies of arrays (tile/Runtime/Launcher.h); 0 where the code
/// makes none.
static uint32_t leastToPack(const TileLibArtifact *artifact) {
  const TileLaunchFacts *launch = &artifact->compiled.launch;
  bool packs = false;
  for (unsigned i = 0; i < launch->numMaps; ++i) packs |= strstr(launch->maps[i], "packed") != NULL;
  return packs ? (uint32_t)tileMachineNumber(artifact->arch, TILE_NUMBER_PACK_PROGRAMS) : 0;
}

/// The artifact's facts, a byte an argument; their wave goes to `*wave`. NULL where memory is out.
static uint8_t *encodeFacts(const TileLibArtifact *artifact, uint8_t *wave) {
  size_t count = artifact->kernel->numArguments, length;
  uint8_t *codes = calloc(count + 1, 1);
  TileFacts facts = {0};
  const char *wrong;
  tileFactsParse(&facts, artifact->facts, strlen(artifact->facts), &wrong, &length);
  for (unsigned i = 0; codes && i < count; ++i) {
    TileArgumentFact fact = tileFactsGetArgument(&facts, i);
    unsigned shift = fact.divisor ? (unsigned)__builtin_ctz(fact.divisor) : 0;
    codes[i] = (uint8_t)(shift | (fact.positive ? TILE_FACT_POSITIVE : 0) |
                         (fact.one ? TILE_FACT_ONE : 0));
  }
  *wave = (uint8_t)facts.singleWave;
  tileFactsDestroy(&facts);
  return codes;
}

/// With the module's mutex.
static bool makeForm(TileLibArtifact *artifact) {
  TileProgram *program = tileLibGetProgram(artifact->module, NULL, artifact->arch);
  return program &&
         mlirLogicalResultIsSuccess(tileProgramMakeGridForm(
             program, tileString(artifact->kernel->name), artifact->config, &artifact->form));
}

const TileGridForm *tileLibGetForm(TileLibArtifact *artifact) {
  if (!atomic_load_explicit(&artifact->hasForm, memory_order_acquire)) {
    pthread_mutex_lock(&artifact->module->mutex);
    bool has = artifact->hasForm || makeForm(artifact);
    atomic_store_explicit(&artifact->hasForm, has, memory_order_release);
    pthread_mutex_unlock(&artifact->module->mutex);
    if (!has) return NULL;
  }
  return &artifact->form;
}

/// Encodes the facts anew; with the module's mutex.
static tile_status complete(TileLibArtifact *artifact, uint8_t *wave) {
  free(artifact->codes);
  artifact->codes = encodeFacts(artifact, wave);
  return artifact->codes
             ? TILE_STATUS_OK
             : tileLibFail(TILE_STATUS_MEMORY, "expected memory for a variant, found none");
}

tile_status tile_artifact_get_variant(tile_artifact *handle, tile_rt_variant *variant,
                                      size_t size) {
  tileLibBegin();
  TileLibArtifact *artifact = tileLibFind(handle, TILE_LIB_ARTIFACT);
  if (!artifact) return tileLibFailHandle("artifact", handle);
  if (!variant || !size)
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected a place for a variant, found none");
  if (size > TILE_LIB_MAX_STRUCT)
    return tileLibFail(TILE_STATUS_ARGUMENT,
                       "expected a tile_rt_variant whose size is 1 to %d, found %zu",
                       TILE_LIB_MAX_STRUCT, size);
  memset(variant, 0, size);
  bool isCpu = artifact->format == TILE_FORMAT_ASSEMBLY;
  if (artifact->format != TILE_FORMAT_PTX && artifact->format != TILE_FORMAT_CUBIN && !isCpu)
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected PTX, a cubin or assembly, found other code");
  if (isCpu && artifact->compiled.speaks)
    return tileLibFail(TILE_STATUS_UNSUPPORTED,
                       "expected a kernel that neither prints nor asserts, for the processor "
                       "without libtile, found '%s'",
                       artifact->kernel->name);
  uint8_t wave;
  if (!tileLibGetForm(artifact)) return TILE_STATUS_SOURCE;
  pthread_mutex_lock(&artifact->module->mutex);
  tile_status status = complete(artifact, &wave);
  pthread_mutex_unlock(&artifact->module->mutex);
  if (status) return status;
  const TileCompiled *c = &artifact->compiled;
  const TileGridForm *form = &artifact->form;
  const tile_rt_variant found = {
      .code = c->code.data,
      .code_size = c->code.size,
      .arch = isCpu ? "cpu" : artifact->arch->name,
      .major = isCpu ? 0 : (uint8_t)artifact->arch->major,
      .minor = isCpu ? 0 : (uint8_t)artifact->arch->minor,
      .is_exact = !isCpu && artifact->arch->exact,
      .is_ptx = artifact->format == TILE_FORMAT_PTX,
      .facts = artifact->codes,
      .wave = wave,
      .is_persistent = c->launch.persistent,
      .shares_last = c->launch.sharesLast,
      .one_program = c->launch.oneProgram,
      .warps = c->launch.warps,
      .shared_bytes = c->launch.sharedBytes,
      .cluster = c->launch.cluster,
      .maps = c->launch.maps,
      .num_maps = c->launch.numMaps,
      .num_steps = form->numSteps,
      .num_extents = form->numExtents,
      .extents = {form->extents[0], form->extents[1], form->extents[2]},
      .steps = (const tile_rt_step *)(const void *)form->steps,
      .packs = isCpu ? 0 : leastToPack(artifact),
  };
  memcpy(variant, &found, size < sizeof found ? size : sizeof found);
  return TILE_STATUS_OK;
}
