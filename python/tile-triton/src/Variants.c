//===- Variants.c - code for launches whose sizes are multiples -----------===//
#include "Variants.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_VALUES = 32,
  /// Sizes that change with each launch shall not have it compile with each launch.
  MOST_VARIANTS = 16,
  /// ",31/256+" for each value, ",programs:64" and ",wave:2".
  MOST_TEXT = MOST_VALUES * 8 + 24,
  /// Of one multiprocessor, on any chip.
  MOST_WARPS = 64,
};

/// What is told of a value: of those that are untold, multiples of 16 in the place of those of 4;
/// of those of 2, where nothing is told of those of 256.
enum { NOTHING, OF_4, OF_8, OF_256, OF_16 = OF_4, OF_2 = OF_256, BITS = 2, CODES = OF_256 };
static const char *getFact(VariantsRule rule, unsigned value, unsigned code) {
  if (code == OF_256) return rule.whole ? "256+" : "2";
  return code == OF_8 ? "8" : rule.untold >> value & 1 ? "16" : "4";
}

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
  if (whole && value > 0 && value % 256 == 0) return OF_256;
  if (value % 16 == 0) return isUntold ? OF_16 : NOTHING;
  if (value % 8 == 0) return OF_8;
  if (value % 4 == 0 && !isUntold) return OF_4;
  return value % 2 || whole ? NOTHING : OF_2;
}

uint64_t variantsGetValues(const tile_value *values, size_t count, VariantsRule rule) {
  uint64_t key = 0;
  for (size_t i = 0; i < count && i < MOST_VALUES; ++i)
    if (values[i].kind == TILE_VALUE_INTEGER && !(rule.silent >> i & 1))
      key |= getCode(values[i].as.integer, rule.untold >> i & 1, rule.whole) << BITS * i;
  return key;
}

uint32_t variantsGetPrograms(const uint32_t grid[3], uint32_t multiprocessors, uint32_t warps) {
  const uint64_t layer = (uint64_t)grid[0] * grid[1], most = (uint64_t)multiprocessors * MOST_WARPS;
  const uint64_t programs = layer < most ? layer * grid[2] : most;
  uint32_t each = 1;
  while (each < MOST_WARPS && (uint64_t)multiprocessors * 2 * each <= programs) each *= 2;
  return multiprocessors && each * warps < MOST_WARPS ? each : 0;
}

uint32_t variantsGetWave(const uint32_t grid[3], uint32_t multiprocessors) {
  const uint64_t layer = (uint64_t)grid[0] * grid[1];
  if (layer > multiprocessors || layer * grid[2] > multiprocessors) return 0;
  return 2 * layer * grid[2] > multiprocessors ? 1 : 2;
}

static bool isOf(const Variant *variant, VariantsKey key) {
  return variant->key.values == key.values && variant->key.programs == key.programs &&
         variant->key.wave == key.wave;
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

/// What is told of launches of `key`, as facts.
static void tell(VariantsRule rule, VariantsKey key, const char *common, char text[MOST_TEXT]) {
  size_t length = 0;
  const unsigned programs = key.programs;
  for (unsigned i = 0; i < MOST_VALUES; ++i) {
    unsigned code = key.values >> BITS * i & CODES;
    if (code)
      length +=
          (size_t)snprintf(text + length, MOST_TEXT - length, "%u/%s,", i, getFact(rule, i, code));
  }
  if (key.wave) length += (size_t)snprintf(text + length, MOST_TEXT - length, "wave:%u,", key.wave);
  // Of one program nothing is told.
  if (programs > 1)
    length += (size_t)snprintf(text + length, MOST_TEXT - length, "programs:%u,", programs);
  else if (!programs && common)
    length += (size_t)snprintf(text + length, MOST_TEXT - length, "%s,", common);
  text[length ? length - 1 : 0] = 0;
}

tile_artifact *variantsCompile(tile_kernel *kernel, const tile_compile_options *options,
                               VariantsRule rule, VariantsKey key) {
  char text[MOST_TEXT];
  tell(rule, key, options->facts, text);
  tile_compile_options told = *options;
  told.facts = text;
  tile_artifact *artifact = NULL;
  return tile_kernel_compile(kernel, &told, &artifact) ? NULL : artifact;
}

tile_future *variantsBegin(tile_kernel *kernel, const tile_compile_options *options,
                           VariantsRule rule, VariantsKey key) {
  char text[MOST_TEXT];
  tell(rule, key, options->facts, text);
  tile_compile_options told = *options;
  told.facts = text;
  tile_future *future = NULL;
  return tile_kernel_compile_async(kernel, &told, &future) ? NULL : future;
}

//===- what is used -------------------------------------------------------===//

static bool isInName(char c) { return isalnum((unsigned char)c) || strchr("_$.-", c); }

/// Whether the value `name`, of `length`, stands in `text`.
static bool isUsed(const char *text, const char *name, size_t length) {
  for (const char *at = text; (at = strchr(at, '%')); ++at)
    if (!strncmp(at, name, length) && !isInName(at[length])) return true;
  return false;
}

/// Values of a descriptor of "!tt.tensordesc<tensor<64x32xf16>>" or "!tt.tensordesc<64x32xf16>".
static unsigned countValues(const char *type) {
  unsigned rank = 0;
  const char *c = strpbrk(type, "0123456789>");
  for (; c && isdigit((unsigned char)*c); ++rank) {
    while (isdigit((unsigned char)*c)) ++c;
    if (*c++ != 'x') break;
  }
  return 2 * rank;
}

uint64_t variantsFindUnused(const char *text) {
  static const char descriptor[] = "!tt.tensordesc";
  const char *begin = strstr(text, "tt.func public"), *end = begin ? strchr(begin, '\n') : NULL;
  uint64_t unused = 0;
  unsigned value = 0;
  if (!end) return 0;
  for (const char *at = begin; (at = strchr(at, '%')) && at < end && value < 64;) {
    const char *name = at++;
    while (isInName(*at)) ++at;
    if (strncmp(at, ": ", 2)) return 0;
    if (!strncmp(at + 2, descriptor, sizeof descriptor - 1))
      value += countValues(at + 2 + sizeof descriptor - 1);
    else
      unused |= (uint64_t)!isUsed(end, name, (size_t)(at - name)) << value++;
  }
  return unused;
}
