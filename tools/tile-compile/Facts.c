//===- Facts.c - what most launches are like ------------------------------===//
#include "TileCompile.h"
#include <string.h>

/// What a set of facts holds of a kernel's arguments. Arrays are multiples of 16 bytes, as
/// allocators make them, in all sets but that of copies.
typedef struct FactSet {
  /// Strides of innermost dimensions are 1.
  bool isDense;
  /// All other numbers are multiples of 16.
  bool isEven;
  /// Where rows are not aligned, copies of arrays pay.
  bool packs;
} FactSet;

/// The better ones first: arrays without odd sizes; dense ones with any; views of any.
static const FactSet sets[] = {
    {.isDense = true, .isEven = true}, {.isDense = true, .packs = true}, {.isDense = true}, {0}};
enum { NUM_SETS = sizeof sets / sizeof *sets };

static tile_argument_info argumentOf(const Bundle *bundle, size_t index) {
  tile_argument_info info = {.size = sizeof info};
  tile_kernel_get_argument(bundle->kernel, index, &info);
  return info;
}

/// Is it the stride of its array's last dimension, of those that have one?
static bool isInnermost(const Bundle *bundle, const tile_argument_info *stride) {
  if (stride->measure != TILE_MEASURE_STRIDE) return false;
  for (size_t i = 0; i < bundle->info.num_arguments; ++i) {
    const tile_argument_info other = argumentOf(bundle, i);
    if (other.measure == TILE_MEASURE_STRIDE && other.array == stride->array &&
        other.dimension > stride->dimension)
      return false;
  }
  return stride->dimension > 0;
}

/// "=1", "/16", or NULL where nothing is known.
static const char *factOf(const Bundle *bundle, size_t index, FactSet set) {
  const tile_argument_info info = argumentOf(bundle, index);
  if (info.is_pointer) return set.packs ? NULL : "/16"; // a copy begins where it should
  if (info.type <= TILE_TYPE_I1 || info.type > TILE_TYPE_I64) return NULL;
  if (set.isDense && isInnermost(bundle, &info)) return "=1";
  return set.isEven ? "/16" : NULL;
}

/// "0/16,1/16,3=1".
static void printFacts(const Bundle *bundle, FactSet set, char *text, size_t size) {
  size_t used = 0;
  bool hasOnes = false;
  *text = 0;
  for (size_t i = 0; i < bundle->info.num_arguments && used + 16 < size; ++i) {
    const char *fact = factOf(bundle, i, set);
    hasOnes |= fact && *fact == '=';
    if (fact)
      used += (size_t)snprintf(text + used, size - used, "%s%zu%s", used ? "," : "", i, fact);
  }
  // Rows that are known to be none are never copied.
  if (set.packs && hasOnes) snprintf(text + used, size - used, ",pack");
}

/// Puts `texts` in the place of the facts at `at`.
static bool insertFacts(CompileOptions *options, int at, const char *const *texts, int numTexts) {
  if (options->numFacts + numTexts - 1 > MAX_LIST) {
    fprintf(stderr, "error: expected at most %d --facts, found more\n", MAX_LIST);
    return false;
  }
  memmove(&options->facts[at + numTexts], &options->facts[at + 1],
          (size_t)(options->numFacts - at - 1) * sizeof *options->facts);
  memcpy(&options->facts[at], texts, (size_t)numTexts * sizeof *texts);
  options->numFacts += numTexts - 1;
  return true;
}

bool expandFacts(const Bundle *bundle, CompileOptions *options) {
  static char storage[NUM_SETS][8192];
  const char *texts[NUM_SETS];
  int numTexts = 0;
  for (int i = 0; i < NUM_SETS; ++i) {
    printFacts(bundle, sets[i], storage[i], sizeof storage[i]);
    bool isNew = *storage[i] && (!numTexts || strcmp(texts[numTexts - 1], storage[i]) != 0);
    if (isNew) texts[numTexts++] = storage[i];
  }
  for (int i = options->numFacts - 1; i >= 0; --i)
    if (!strcmp(options->facts[i], "auto") && !insertFacts(options, i, texts, numTexts))
      return false;
  return true;
}
