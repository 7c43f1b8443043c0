//===- Variants.c - code for launches whose sizes are multiples -----------===//
#include "Variants.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_VALUES = VARIANTS_WORDS * VARIANTS_IN_WORD,
  /// Sizes that change with each launch shall not have it compile with each launch.
  MOST_VARIANTS = 16,
  /// ",31/256+" for each value, ",programs:64" and ",wave:2".
  MOST_TEXT = MOST_VALUES * 20 + 24,
};

/// What is told of a value, in so many bits of the key.
enum {
  NOTHING,
  OF_2,
  OF_4,
  OF_8,
  OF_16,
  OF_256,
  NEGATIVE,
  ONE_STEP = 8, // besides: one step of loops up to it, two at most, or four
  TWO_STEPS = 16,
  FOUR_STEPS = 24,
  BITS = 64 / VARIANTS_IN_WORD,
  CODES = (1 << BITS) - 1
};
static const char *const facts[] = {"1", "2", "4", "8", "16", "256+", "1-"};

struct Variant {
  Variant *next;
  VariantsKey key;
  tile_artifact *artifact;
};

void variantsDestroy(Variants *variants) {
  for (Variant *each = variants->first, *next; each; each = next) {
    next = each->next;
    tile_artifact_destroy(each->artifact);
    free(each);
  }
}

static uint64_t getCode(int64_t value, bool isUntold, bool whole) {
  // (What Triton tells of it, it tells besides.)
  if (value < 0) return NEGATIVE;
  if (whole && value > 0 && value % 256 == 0) return OF_256;
  if (value % 16 == 0) return isUntold ? OF_16 : NOTHING;
  if (value % 8 == 0) return OF_8;
  if (value % 4 == 0) return OF_4;
  return value % 2 ? NOTHING : OF_2;
}

static uint64_t getStepCode(int64_t value, uint32_t step, bool multiplies) {
  if (value <= 0 || value > INT64_C(4) * step) return 0;
  if (value <= step) return ONE_STEP;
  if (!multiplies || step > UINT32_C(1) << 28) return 0;
  return value <= INT64_C(2) * step ? TWO_STEPS : FOUR_STEPS;
}

void variantsGetValues(const tile_value *values, size_t count, VariantsRule rule,
                       VariantsKey *key) {
  for (size_t i = 0; i < count && i < MOST_VALUES; ++i)
    if (values[i].kind == TILE_VALUE_INTEGER && !(rule.silent >> i & 1))
      key->values[i / VARIANTS_IN_WORD] |=
          (getCode(values[i].as.integer, rule.untold >> i & 1, rule.whole) |
           getStepCode(values[i].as.integer, rule.steps ? rule.steps[i] : 0, rule.whole))
          << BITS * (i % VARIANTS_IN_WORD);
}

bool variantsIsCommon(VariantsKey key) {
  uint64_t any = 0;
  for (int i = 0; i < VARIANTS_WORDS; ++i) any |= key.values[i];
  return !any && !key.programs && !key.wave;
}

uint32_t variantsGetPrograms(const uint32_t grid[3], uint32_t multiprocessors, uint32_t warps,
                             uint32_t most) {
  const uint64_t layer = (uint64_t)grid[0] * grid[1], all = (uint64_t)multiprocessors * most;
  const uint64_t programs = layer < all ? layer * grid[2] : all;
  uint32_t each = 1;
  while (each < most && (uint64_t)multiprocessors * 2 * each <= programs) each *= 2;
  return multiprocessors && each * warps < most ? each : 0;
}

uint32_t variantsGetWave(const uint32_t grid[3], uint32_t multiprocessors) {
  const uint64_t layer = (uint64_t)grid[0] * grid[1];
  if (layer > multiprocessors || layer * grid[2] > multiprocessors) return 0;
  return 2 * layer * grid[2] > multiprocessors ? 1 : 2;
}

static bool isOf(const Variant *variant, VariantsKey key) {
  return !memcmp(variant->key.values, key.values, sizeof key.values) &&
         variant->key.programs == key.programs && variant->key.wave == key.wave;
}

bool variantsFind(const Variants *variants, VariantsKey key, tile_artifact **artifact) {
  *artifact = NULL;
  const Variant *each = variants->first;
  while (each && !isOf(each, key)) each = each->next;
  if (each) *artifact = each->artifact;
  return each || variants->count >= MOST_VARIANTS;
}

tile_artifact *variantsAdd(Variants *variants, VariantsKey key, tile_artifact *artifact) {
  Variant *made = malloc(sizeof *made);
  if (!made) {
    tile_artifact_destroy(artifact);
    return NULL;
  }
  *made = (Variant){variants->first, key, artifact};
  variants->first = made;
  ++variants->count;
  return artifact;
}

/// The least step of loops up to an argument.
static uint32_t getStep(tile_kernel *kernel, size_t argument) {
  tile_argument_info info = {.size = sizeof info};
  return tile_kernel_get_argument(kernel, argument, &info) ? 0 : info.step;
}

/// The options with what is told of launches of `key`, as facts, which stand in `text`.
static tile_compile_options tell(tile_kernel *kernel, const tile_compile_options *options,
                                 VariantsKey key, char text[MOST_TEXT]) {
  tile_compile_options told = *options;
  const char *common = options->facts;
  size_t length = 0;
  const unsigned programs = key.programs;
  for (unsigned i = 0; i < MOST_VALUES; ++i) {
    unsigned code = key.values[i / VARIANTS_IN_WORD] >> BITS * (i % VARIANTS_IN_WORD) & CODES;
    if (!code) continue;
    length +=
        (size_t)snprintf(text + length, MOST_TEXT - length, "%u/%s", i, facts[code % ONE_STEP]);
    const unsigned steps = code / ONE_STEP;
    if (steps)
      length += (size_t)snprintf(text + length, MOST_TEXT - length, "<%" PRIu64,
                                 (uint64_t)getStep(kernel, i) << (steps - 1));
    length += (size_t)snprintf(text + length, MOST_TEXT - length, ",");
  }
  if (key.wave) length += (size_t)snprintf(text + length, MOST_TEXT - length, "wave:%u,", key.wave);
  if (programs)
    length += (size_t)snprintf(text + length, MOST_TEXT - length, "programs:%u,", programs);
  else if (common)
    length += (size_t)snprintf(text + length, MOST_TEXT - length, "%s,", common);
  text[length ? length - 1 : 0] = 0;
  told.facts = text;
  return told;
}

tile_artifact *variantsCompile(tile_kernel *kernel, const tile_compile_options *options,
                               VariantsKey key) {
  char text[MOST_TEXT];
  const tile_compile_options told = tell(kernel, options, key, text);
  tile_artifact *artifact = NULL;
  return tile_kernel_compile(kernel, &told, &artifact) ? NULL : artifact;
}
