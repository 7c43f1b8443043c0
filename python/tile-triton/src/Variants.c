//===- Variants.c - code for launches whose sizes are multiples -----------===//
#include "Variants.h"
#include <stdio.h>
#include <stdlib.h>

enum {
  MOST_VALUES = 32,
  /// Sizes that change with each launch shall not have it compile with each launch.
  MOST_VARIANTS = 16,
  /// ",31/8" for each value.
  MOST_TEXT = MOST_VALUES * 5 + 1,
};

enum { OF_4 = 1, OF_8 = 2, BITS = 2 };

struct Variant {
  Variant *next;
  uint64_t key;
  tile_artifact *artifact;
};

void variantsDestroy(Variants *variants) {
  for (Variant *each = variants->first, *next; each; each = next) {
    next = each->next;
    tile_artifact_destroy(each->artifact);
    free(each);
  }
}

uint64_t variantsGetKey(const tile_value *values, size_t count) {
  uint64_t key = 0;
  for (size_t i = 0; i < count && i < MOST_VALUES; ++i) {
    if (values[i].kind != TILE_VALUE_INTEGER || values[i].as.integer % 4) continue;
    uint64_t code = values[i].as.integer % 8 ? OF_4 : OF_8;
    if (values[i].as.integer % 16) key |= code << BITS * i;
  }
  return key;
}

bool variantsFind(const Variants *variants, uint64_t key, tile_artifact **artifact) {
  *artifact = NULL;
  const Variant *each = variants->first;
  while (each && each->key != key) each = each->next;
  if (each) *artifact = each->artifact;
  return each || variants->count >= MOST_VARIANTS;
}

tile_artifact *variantsAdd(Variants *variants, uint64_t key, tile_artifact *artifact) {
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

tile_artifact *variantsCompile(tile_kernel *kernel, const tile_compile_options *options,
                               uint64_t key) {
  char facts[MOST_TEXT];
  size_t length = 0;
  for (unsigned i = 0; i < MOST_VALUES; ++i) {
    unsigned code = key >> BITS * i & (OF_4 | OF_8);
    if (!code) continue;
    length += (size_t)snprintf(facts + length, sizeof facts - length, "%s%u/%d", length ? "," : "",
                               i, code == OF_8 ? 8 : 4);
  }
  tile_compile_options told = *options;
  told.facts = facts;
  tile_artifact *artifact = NULL;
  return tile_kernel_compile(kernel, &told, &artifact) ? NULL : artifact;
}
