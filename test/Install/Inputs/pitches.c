// Launches a table that is written by hand on arrays whose rows are so and so far apart, with the
// test driver; prints how many tensor maps were made of them and how many copies, and looks at
// these.
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tile-rt.h>

// As test/Support/FakeCudaDriver.h has them.
typedef struct Map {
  int type;
  unsigned rank;
  uint64_t shape[5], strides[5];
  uint32_t box[5];
  int swizzle, fill;
  void *base;
} Map;
typedef struct Launch {
  unsigned grid[3], block[3], cluster[3], shared;
  int maxDynamicShared, nonPortable;
  int count, copiesIn, copiesOut;
  int packs, eventsInGraphs, replays;
  Map map;
  int encoded;
} Launch;

enum { ROWS = 64, COLUMNS = 16 };

// The first argument is of 64 rows of 16 numbers, as far apart as the last one says.
static const char code[] = "// the test driver takes any text";
static const char *const plain[] = {"f32 %0 [64, 16] [%3:i32] box [8, 16]"};
static const char *const packed[] = {"f32 %0 [64, 16] [%3:i32] box [8, 16] packed"};
static const uint8_t types[] = {0, 0, 0, TILE_TYPE_I32}, aligned[] = {4, 4, 4, 4}, none[4];
static const tile_rt_step few[] = {{0, 32, 32, 0, 0, 0, 31}}, many[] = {{0, 32, 32, 0, 0, 0, 32}};

#define VARIANT(itsFacts, itsMaps, count, itsSteps, least)                                         \
  {.code = code,                                                                                   \
   .code_size = sizeof code - 1,                                                                   \
   .arch = "sm_90",                                                                                \
   .major = 9,                                                                                     \
   .is_ptx = 1,                                                                                    \
   .facts = itsFacts,                                                                              \
   .warps = 4,                                                                                     \
   .maps = itsMaps,                                                                                \
   .num_maps = count,                                                                              \
   .steps = itsSteps,                                                                              \
   .num_steps = 1,                                                                                 \
   .num_extents = 1,                                                                               \
   .packs = least}
#define VARIANTS(steps)                                                                            \
  {VARIANT(aligned, plain, 1, steps, 0), VARIANT(none, packed, 1, steps, 32),                      \
   VARIANT(none, NULL, 0, steps, 0)}
static const tile_rt_variant ofFew[] = VARIANTS(few), ofMany[] = VARIANTS(many);

static Launch *findLast(void) {
  void *driver = dlopen(getenv("TILE_CUDA_DRIVER"), RTLD_NOW);
  return driver ? dlsym(driver, "fakeLastLaunch") : NULL;
}

/// Has the map's array the rows of `x`, on boundaries that the engine takes?
static const char *lookAt(const Map *map, const float *x, int pitch) {
  if (map->strides[0] % 16 || (uintptr_t)map->base % 16) return "rows that are not aligned";
  for (int i = 0; i < ROWS; ++i)
    if (memcmp((char *)map->base + (size_t)i * map->strides[0], x + (size_t)i * (size_t)pitch,
               4 * COLUMNS))
      return "other rows";
  return "the rows of x";
}

static void launch(tile_rt_kernel *kernel, const char *name, const float *x, float *y, int pitch) {
  const Launch *last = findLast();
  const Launch before = *last;
  const uint64_t slots[] = {(uintptr_t)x, (uintptr_t)y, (uintptr_t)y, (uint32_t)pitch};
  if (tile_rt_launch(kernel, NULL, slots)) puts(tile_rt_get_message());
  printf("%s, %d apart, from %d: %d maps, %d copies", name, pitch, (int)((uintptr_t)x % 16 / 4),
         last->encoded - before.encoded, last->packs - before.packs);
  // The copy stays where it is, and its map with it.
  static Map ofCopy;
  int copies = last->packs > before.packs, maps = last->encoded > before.encoded;
  if (copies && maps) ofCopy = last->map;
  printf(copies || maps ? ", %s\n" : "\n", lookAt(copies ? &ofCopy : &last->map, x, pitch));
}

int main(void) {
  float *x = aligned_alloc(256, 1 << 16), *y = aligned_alloc(256, 1 << 16);
  for (int i = 0; i < 1 << 14; ++i) x[i] = (float)i, y[i] = 0;
  tile_rt_kernel fewer = {.size = sizeof fewer,
                          .name = "add",
                          .num_arguments = 4,
                          .types = types,
                          .variants = ofFew,
                          .num_variants = 3,
                          .variant_size = sizeof *ofFew};
  tile_rt_kernel more = fewer, former = fewer;
  more.variants = ofMany;
  // Parameters of the test driver's kernel beyond those four.
  setenv("FAKE_CUDA_MAPS", "1", 1);
  launch(&fewer, "31 programs", x, y, 32);
  launch(&more, "32 programs", x, y, 32);
  launch(&more, "32 programs", x, y, 33);
  launch(&more, "32 programs", x, y, 34);
  launch(&more, "32 programs", x, y, 16 + 4);
  launch(&more, "32 programs", x + 1, y, 32);
  launch(&more, "32 programs", x + 3, y, 35);
  launch(&more, "32 programs", x, y, 48);
  setenv("FAKE_CUDA_MAPS", "0", 1);
  launch(&fewer, "31 programs", x, y, 33);
  launch(&fewer, "31 programs", x + 1, y, 32);
  // A table that was written when code made no copies: it has none, whatever stands behind a
  // variant.
  static struct {
    char bytes[offsetof(tile_rt_variant, packs)];
  } formerVariant;
  memcpy(&formerVariant, &ofMany[2], sizeof formerVariant);
  former.variants = (const void *)&formerVariant;
  former.num_variants = 1;
  former.variant_size = sizeof formerVariant;
  launch(&former, "a former table", x, y, 33);
  free(x);
  free(y);
  return 0;
}
