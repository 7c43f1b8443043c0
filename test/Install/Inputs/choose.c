// Launches a table that is written by hand, and prints which of its configurations ran.
#include <stddef.h>
#include <stdio.h>
#include <tile-rt.h>

static int ran;

#define CODE(number)                                                                               \
  static void code##number(const void *slots, int32_t x, int32_t y, int32_t z, int32_t nx,         \
                           int32_t ny, int32_t nz) {                                               \
    (void)slots, (void)x, (void)y, (void)z, (void)nx, (void)ny, (void)nz;                          \
    ran = number;                                                                                  \
  }
CODE(0)
CODE(1)
CODE(2)
CODE(3)

static const uint8_t types[] = {TILE_TYPE_I32, TILE_TYPE_I64, 0};
static const uint8_t none[2] = {0, 0}, by16[2] = {4, 0};
static const tile_rt_variant variants[] = {
    {.arch = "cpu", .facts = by16, .config = 0, .cpu = code0},
    {.arch = "cpu", .facts = none, .config = 0, .cpu = code1},
    {.arch = "cpu", .facts = by16, .config = 1, .cpu = code2},
    {.arch = "cpu", .facts = none, .config = 1, .cpu = code3},
};
static const uint16_t keys[] = {0, 1};
static const int64_t small[] = {64, 64}, large[] = {4096, 64};
static const tile_rt_choice choices[] = {
    {.arch = "sm_90", .key = small, .config = 7},
    {.arch = "cpu", .key = small, .config = 0},
    {.arch = "cpu", .key = large, .config = 1},
};

int main(void) {
  static tile_rt_kernel kernel = {.size = sizeof kernel,
                                  .name = "choose",
                                  .num_arguments = 2,
                                  .types = types,
                                  .variants = variants,
                                  .num_variants = 4,
                                  .variant_size = sizeof *variants,
                                  .keys = keys,
                                  .num_keys = 2,
                                  .choices = choices,
                                  .num_choices = 3,
                                  .choice_size = sizeof *choices};
  // 512 is as far from 64 as from 4096, nearly: a little nearer to the larger.
  static const int64_t launches[][2] = {{64, 64},  {65, 64},   {4096, 64},     {4095, 1},
                                        {-64, 64}, {400, 64},  {600, 64},      {0, 0},
                                        {1, 1},    {1000, 64}, {1 << 30, 4096}};
  for (size_t i = 0; i < sizeof launches / sizeof *launches; ++i) {
    const uint64_t slots[] = {(uint32_t)launches[i][0], (uint64_t)launches[i][1]};
    ran = -1;
    if (tile_rt_launch_cpu(&kernel, slots, 1)) puts(tile_rt_get_message());
    printf("%d ", ran);
  }
  // Written for a header that had no choices yet: all of it is of one configuration.
  kernel.size = offsetof(tile_rt_kernel, keys);
  const uint64_t slots[] = {4096, 64};
  if (tile_rt_launch_cpu(&kernel, slots, 1)) puts(tile_rt_get_message());
  printf("%d\n", ran);
  return 0;
}
