// RUN: %unit/LauncherGpuTest
// REQUIRES: gpu
//===- LauncherGpuTest.c - tensor maps that a GPU copies by ---------------===//
//
// A kernel in PTX by hand copies one box into shared memory, and the shared memory as it lies there
// to an array. Where each element comes to lie must be what tile/TensorMap.h and tileLayoutShared
// say; elements out of bounds must be padding.
//
//===----------------------------------------------------------------------===//
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "GpuFixture.h"
#include "tile/Layout.h"
#include "tile/TensorMap.h"

static TileDriver *driver;

/// copy(x, out, bytes, row, column, rows, columns; map of x): the box at (row, column) to out.
static const char ptx[] =
    ".version 8.6\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    ".extern .shared .align 1024 .b8 box[];\n"
    ".visible .entry copy(.param .u64 x, .param .u64 out, .param .u32 bytes, .param .u32 row,\n"
    "    .param .u32 column, .param .u32 rows, .param .u32 columns,\n"
    "    .param .align 64 .b8 map[128]) {\n"
    "  .shared .align 8 .b64 full;\n"
    "  .reg .pred %p;\n"
    "  .reg .b32 %r<12>;\n"
    "  .reg .b64 %rd<8>;\n"
    "  ld.param.u64 %rd1, [out];\n"
    "  ld.param.u32 %r1, [bytes];\n"
    "  ld.param.u32 %r2, [row];\n"
    "  ld.param.u32 %r3, [column];\n"
    "  mov.u32 %r4, %tid.x;\n"
    "  mov.u32 %r5, full;\n"
    "  mov.u32 %r6, box;\n"
    "  mov.b64 %rd2, map;\n"
    "  cvta.param.u64 %rd2, %rd2;\n"
    "  setp.ne.u32 %p, %r4, 0;\n"
    "  @%p bra begun;\n"
    "  mbarrier.init.shared.b64 [%r5], 1;\n"
    "  fence.mbarrier_init.release.cluster;\n"
    "  mbarrier.arrive.expect_tx.shared.b64 %rd3, [%r5], %r1;\n"
    "  cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes\n"
    "    [%r6], [%rd2, {%r3, %r2}], [%r5];\n"
    "begun:\n"
    "  bar.sync 0;\n"
    "wait:\n"
    "  mbarrier.try_wait.parity.shared.b64 %p, [%r5], 0;\n"
    "  @!%p bra wait;\n"
    "  shl.b32 %r7, %r4, 2;\n"
    "copying:\n"
    "  setp.ge.u32 %p, %r7, %r1;\n"
    "  @%p bra done;\n"
    "  add.u32 %r8, %r6, %r7;\n"
    "  ld.shared.b32 %r9, [%r8];\n"
    "  cvt.u64.u32 %rd4, %r7;\n"
    "  add.u64 %rd5, %rd1, %rd4;\n"
    "  st.global.b32 [%rd5], %r9;\n"
    "  mov.u32 %r10, %ntid.x;\n"
    "  shl.b32 %r10, %r10, 2;\n"
    "  add.u32 %r7, %r7, %r10;\n"
    "  bra copying;\n"
    "done:\n"
    "  ret;\n"
    "}\n";

static int setUp(void **state) {
  (void)state;
  driver = tileDriverOpen(&error);
  device = driver ? tileDeviceCreate(driver, 0, &error) : NULL;
  if (device && tileDeviceGetInfo(device)->major == 9)
    module = tileModuleCreate(device, ptx, sizeof ptx - 1, NULL, &error);
  if (!device || tileErrorGetMessage(&error)[0])
    fprintf(stderr, "%s\n", tileErrorGetMessage(&error));
  return device && !tileErrorGetMessage(&error)[0] ? 0 : 1;
}

static int tearDown(void **state) {
  (void)state;
  tileModuleDestroy(module);
  tileDeviceDestroy(device);
  tileErrorDestroy(&error);
  return 0;
}

/// One tile of an array with `rows` x `columns` of i16, and copy `i` of it at (row, column).
typedef struct Case {
  int64_t tile[2], rows, columns, row, column;
} Case;

static TileLauncher *makeLauncher(const TileMapBox *box) {
  char text[256];
  int used = snprintf(text, sizeof text, "i16 %%0 [%%5:i32, %%6:i32] [%%6:i32] box [%d, %d]",
                      (int)box->box[0], (int)box->box[1]);
  if (box->swizzle) snprintf(text + used, sizeof text - (size_t)used, " swizzle %d", box->swizzle);
  const char *const maps[] = {text};
  TileLaunchFacts facts = {
      .arguments = 7, .warps = 4, .sharedBytes = (uint32_t)box->bytes, .maps = maps, .numMaps = 1};
  TileKernel *kernel = tileModuleGetKernel(module, "copy", &error);
  return kernel ? tileLauncherCreate(kernel, &facts, &error) : NULL;
}

/// x[i] = i + 1, cut to 16 bits; 0 out of bounds.
static int16_t elementAt(const Case *c, int64_t row, int64_t column) {
  if (row >= c->rows || column >= c->columns) return 0;
  return (int16_t)(row * c->columns + column + 1);
}

/// What lies where the layout says, against the array.
static void checkBox(const Case *c, const TileMapBox *box, int64_t i, const int16_t *got) {
  TileLayout layout = tileLayoutShared(2, c->tile, 2, NULL, box->swizzle);
  int64_t position[TILE_MAP_MAX_RANK];
  int64_t first = tileTensorMapCopy(box, i, position) / 2;
  for (int64_t e = 0; e < box->bytes / 2; ++e) {
    uint64_t packed = tileLayoutApplyOffset(layout, (uint32_t)(first + e));
    int64_t row = (int64_t)packed / c->tile[1], column = (int64_t)packed % c->tile[1];
    int16_t want = elementAt(c, c->row + row, c->column + column);
    if (got[e] != want)
      fail_msg("expected %d for element (%d, %d) of copy %d of a %d x %d tile at (%d, %d) of %d x "
               "%d, found %d in place %d",
               want, (int)row, (int)column, (int)i, (int)c->tile[0], (int)c->tile[1], (int)c->row,
               (int)c->column, (int)c->rows, (int)c->columns, got[e], (int)e);
  }
}

static void checkCase(const Case *c) {
  TileMapBox box;
  assert_true(tileTensorMapBox(2, c->tile, 2, &box));
  const int64_t shape[] = {c->rows, c->columns}, size[] = {box.bytes / 2};
  TileArray *x = tileArrayCreate(TILE_ELEMENT_I16, 2, shape, &error);
  TileArray *out = tileArrayCreate(TILE_ELEMENT_I16, 1, size, &error);
  assert_ok(x && out);
  for (int64_t i = 0; i < x->count; ++i) ((int16_t *)x->host)[i] = (int16_t)(i + 1);
  tileArrayMarkHostWritten(x);
  TileLauncher *l = makeLauncher(&box);
  assert_ok(l);
  for (int64_t i = 0; i < box.copies; ++i) {
    assert_ok(tileArrayToDevice(x, device, &error) && tileArrayToDevice(out, device, &error));
    int64_t position[TILE_MAP_MAX_RANK];
    tileTensorMapCopy(&box, i, position);
    const uint64_t slots[] = {x->devicePtr,
                              out->devicePtr,
                              (uint64_t)box.bytes,
                              (uint64_t)(c->row + position[0]),
                              (uint64_t)(c->column + position[1]),
                              (uint64_t)c->rows,
                              (uint64_t)c->columns};
    assert_ok(tileLauncherRun(l, slots, (const int32_t[]){1, 1, 1}, NULL, &error));
    assert_ok(tileDeviceSynchronize(device, &error));
    tileArrayMarkDeviceWritten(out);
    assert_ok(tileArrayToHost(out, &error));
    checkBox(c, &box, i, out->host);
  }
  tileLauncherDestroy(l);
  tileArrayDestroy(x);
  tileArrayDestroy(out);
}

static void boxesLieAsTheirLayoutsSay(void **state) {
  (void)state;
  if (!module) skip();
  static const Case cases[] = {
      {.tile = {128, 64}, .rows = 300, .columns = 200, .row = 64, .column = 64},
      {.tile = {64, 256}, .rows = 128, .columns = 512, .row = 64, .column = 0},
      {.tile = {64, 32}, .rows = 64, .columns = 64, .row = 0, .column = 32},
      {.tile = {32, 16}, .rows = 64, .columns = 64, .row = 16, .column = 16},
      {.tile = {16, 8}, .rows = 64, .columns = 64, .row = 16, .column = 8},
      {.tile = {4, 128}, .rows = 8, .columns = 256, .row = 4, .column = 128},
      // Over both edges.
      {.tile = {128, 64}, .rows = 100, .columns = 72, .row = 64, .column = 64},
      // Nothing to read at all.
      {.tile = {64, 64}, .rows = 64, .columns = 0, .row = 0, .column = 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) checkCase(&cases[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boxesLieAsTheirLayoutsSay)};
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
