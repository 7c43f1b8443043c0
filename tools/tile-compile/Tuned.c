//===- Tuned.c - configurations that tuning found, as tables --------------===//
//
// Results of a GPU are for all GPUs that code is compiled for, those of this processor for "cpu".
// At a launch the key decides: the nearest one that was tuned, as libtile itself has it.
//
//===----------------------------------------------------------------------===//
#include "TileCompile.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// The listing on its way.
typedef struct Listing {
  Bundle *bundle;
  const CompileOptions *options;
  const char *arch;
  /// Of the first result that was taken; another one is refused.
  char device[256];
  bool failed;
} Listing;

static bool refuse(Listing *l, const char *expected, const char *found) {
  if (!l->failed) fprintf(stderr, "error: expected %s, found %s\n", expected, found);
  l->failed = true;
  return false;
}

/// Is the result of a device that this architecture's code is tuned by?
static bool isMeant(Listing *l, const char *device) {
  bool ofCpu = strstr(device, ", cpu (") != NULL, forCpu = !strcmp(l->arch, "cpu");
  if (ofCpu != forCpu) return false;
  if (!forCpu && l->options->device) return !strcmp(device, l->options->device);
  if (!l->device[0]) snprintf(l->device, sizeof l->device, "%s", device);
  if (!strcmp(l->device, device)) return true;
  char found[600];
  snprintf(found, sizeof found, "'%s' and '%s'", l->device, device);
  return refuse(l, "results of one device (--tuned=DEVICE)", found);
}

/// The configuration's number, a new one where it is new; -1 where there is no room.
static int findConfig(Bundle *b, const char *config) {
  for (int i = 0; i < b->numConfigs; ++i)
    if (!strcmp(b->configs[i], config)) return i;
  if (b->numConfigs == MAX_LIST || !(b->configs[b->numConfigs] = strdup(config))) return -1;
  return b->numConfigs++;
}

/// "512, 64" as numbers, to be freed; NULL where they are others than the kernel's.
static int64_t *parseKey(const Bundle *b, const char *text) {
  int64_t *key = calloc((size_t)b->numKeys + 1, sizeof *key);
  for (int i = 0; key && i < b->numKeys; ++i) {
    char *end;
    key[i] = strtoll(text, &end, 10);
    if (end == text) {
      free(key);
      return NULL;
    }
    text = end + strspn(end, ", ");
  }
  return key;
}

static void addResult(void *data, const tile_tuned *result) {
  Listing *l = data;
  Bundle *b = l->bundle;
  if (l->failed || !isMeant(l, result->device)) return;
  int config = findConfig(b, result->config);
  int64_t *key = parseKey(b, result->key);
  if (config < 0 || !key || b->numChoices == MAX_LIST) {
    free(key);
    refuse(l, "at most 64 results with keys of the kernel's", "others");
    return;
  }
  b->choices[b->numChoices++] = (tile_rt_choice){l->arch, key, (uint32_t)config};
}

static bool findKeys(Bundle *b) {
  for (size_t i = 0; i < b->info.num_arguments; ++i) {
    tile_argument_info info = {.size = sizeof info};
    tile_kernel_get_argument(b->kernel, i, &info);
    bool isInteger = !info.is_pointer && info.type >= TILE_TYPE_I1 && info.type <= TILE_TYPE_I64;
    if (!info.is_key || !isInteger) continue;
    if (b->numKeys == MAX_LIST) {
      fprintf(stderr, "error: expected at most %d key arguments, found more\n", MAX_LIST);
      return false;
    }
    b->keys[b->numKeys++] = i;
  }
  return true;
}

bool findTuned(Bundle *b, const CompileOptions *o) {
  if (!findKeys(b)) return false;
  for (int i = 0; i < o->numArchs; ++i) {
    Listing listing = {.bundle = b, .options = o, .arch = o->archs[i]};
    if (tile_kernel_list_tuned(b->kernel, addResult, &listing) != TILE_STATUS_OK) {
      fprintf(stderr, "%s\n", tile_get_message());
      return false;
    }
    if (listing.failed) return false;
  }
  if (b->numChoices) return true;
  fprintf(
      stderr,
      "error: expected results of tuning '%s' in the cache (tile-run --tune, tile_kernel_tune), "
      "found none%s%s\n",
      b->info.name, o->device ? " of " : "", o->device ? o->device : "");
  return false;
}

void forgetTuned(Bundle *b) {
  for (int i = 0; i < b->numConfigs; ++i) free(b->configs[i]);
  for (int i = 0; i < b->numChoices; ++i) free((void *)(uintptr_t)b->choices[i].key);
}

bool isChosen(const Bundle *b, const char *arch, int config) {
  for (int i = 0; i < b->numChoices; ++i)
    if (b->choices[i].config == (uint32_t)config && !strcmp(b->choices[i].arch, arch)) return true;
  return false;
}

void writeChoices(FILE *file, const Bundle *b) {
  if (!b->numChoices) return;
  fputs("static const uint16_t keys[] = {", file);
  for (int i = 0; i < b->numKeys; ++i) fprintf(file, "%zu, ", b->keys[i]);
  fputs("0};\n", file);
  for (int i = 0; i < b->numChoices; ++i) {
    fprintf(file, "static const int64_t key%d[] = {", i);
    for (int k = 0; k < b->numKeys; ++k)
      fprintf(file, "INT64_C(%" PRId64 "), ", b->choices[i].key[k]);
    fputs("0};\n", file);
  }
  fputs("static const tile_rt_choice choices[] = {\n", file);
  for (int i = 0; i < b->numChoices; ++i) {
    fputs("{.arch = ", file);
    writeString(file, b->choices[i].arch);
    fprintf(file, ", .key = key%d, .config = %u}, // ", i, b->choices[i].config);
    fprintf(file, "%s\n", b->configs[b->choices[i].config]);
  }
  fputs("};\n", file);
}
