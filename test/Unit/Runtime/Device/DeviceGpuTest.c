// RUN: %unit/DeviceGpuTest
// REQUIRES: hardware
//
// The driver layer on a real GPU, with kernels written in PTX by hand: loading, launching, timing,
// and each way in which a launch can ask for too much.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "GpuFixture.h"

static const char ptx[] =
    ".version 8.0\n"
    ".target sm_80\n"
    ".address_size 64\n"
    ".visible .global .align 4 .u32 answer = 42;\n"
    ".extern .shared .align 16 .b8 dynamic[];\n"
    // out[i] = x[i] + y[i] for i < n
    ".visible .entry add(.param .u64 x, .param .u64 y, .param .u64 out, .param .u32 n) {\n"
    "  .reg .pred %p;\n"
    "  .reg .b32 %r<6>;\n"
    "  .reg .b64 %rd<8>;\n"
    "  .reg .f32 %f<4>;\n"
    "  ld.param.u64 %rd1, [x];\n"
    "  ld.param.u64 %rd2, [y];\n"
    "  ld.param.u64 %rd3, [out];\n"
    "  ld.param.u32 %r5, [n];\n"
    "  mov.u32 %r1, %ctaid.x;\n"
    "  mov.u32 %r2, %ntid.x;\n"
    "  mov.u32 %r3, %tid.x;\n"
    "  mad.lo.u32 %r4, %r1, %r2, %r3;\n"
    "  setp.ge.u32 %p, %r4, %r5;\n"
    "  @%p bra done;\n"
    "  mul.wide.u32 %rd4, %r4, 4;\n"
    "  add.s64 %rd5, %rd1, %rd4;\n"
    "  add.s64 %rd6, %rd2, %rd4;\n"
    "  add.s64 %rd7, %rd3, %rd4;\n"
    "  ld.global.f32 %f1, [%rd5];\n"
    "  ld.global.f32 %f2, [%rd6];\n"
    "  add.f32 %f3, %f1, %f2;\n"
    "  st.global.f32 [%rd7], %f3;\n"
    "done:\n"
    "  ret;\n"
    "}\n"
    // Writes 42 through the last word of its dynamic shared memory.
    ".visible .entry touch(.param .u64 out, .param .u32 bytes) {\n"
    "  .reg .b32 %r<6>;\n"
    "  .reg .b64 %rd<2>;\n"
    "  ld.param.u64 %rd1, [out];\n"
    "  ld.param.u32 %r1, [bytes];\n"
    "  mov.u32 %r2, dynamic;\n"
    "  add.u32 %r3, %r2, %r1;\n"
    "  mov.u32 %r4, 42;\n"
    "  st.volatile.shared.u32 [%r3+-4], %r4;\n"
    "  ld.volatile.shared.u32 %r5, [%r3+-4];\n"
    "  st.global.u32 [%rd1], %r5;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry limited() .maxntid 128, 1, 1 {\n"
    "  ret;\n"
    "}\n"
    ".visible .entry stop() {\n"
    "  trap;\n"
    "}\n";

/// out[block] = the block's rank in its cluster.
static const char clusterPtx[] = ".version 8.0\n"
                                 ".target sm_90\n"
                                 ".address_size 64\n"
                                 ".visible .entry rank(.param .u64 out) {\n"
                                 "  .reg .b32 %r<3>;\n"
                                 "  .reg .b64 %rd<4>;\n"
                                 "  ld.param.u64 %rd1, [out];\n"
                                 "  mov.u32 %r1, %cluster_ctarank;\n"
                                 "  mov.u32 %r2, %ctaid.x;\n"
                                 "  mul.wide.u32 %rd2, %r2, 4;\n"
                                 "  add.s64 %rd3, %rd1, %rd2;\n"
                                 "  st.global.u32 [%rd3], %r1;\n"
                                 "  ret;\n"
                                 "}\n";

static TileKernel *getKernel(const char *name) {
  TileKernel *kernel = tileModuleGetKernel(module, name, &error);
  assert_ok(kernel);
  return kernel;
}

static TileArray *makeOnDevice(TileElementType type, int64_t count) {
  TileArray *array = tileArrayCreate(type, 1, &count, &error);
  assert_ok(array);
  assert_ok(tileArrayToDevice(array, device, &error));
  return array;
}

//===- Device and module --------------------------------------------------===//

static void theDeviceTellsItsProperties(void **state) {
  (void)state;
  const TileDeviceInfo *info = tileDeviceGetInfo(device);
  print_message(
      "%s, sm_%d%d, %d multiprocessors, %d KiB shared a block, %d MiB L2, %zu MiB memory, "
      "driver %d.%d\n",
      info->name, info->major, info->minor, info->multiprocessors, info->sharedPerBlockOptin >> 10,
      info->l2Bytes >> 20, info->memoryBytes >> 20, info->driverVersion / 1000,
      info->driverVersion % 1000 / 10);
  assert_true(info->major >= 8);
  assert_int_equal(info->warpSize, 32);
  assert_true(info->sharedPerBlockOptin > info->sharedPerBlock);
  assert_true(info->memoryBytes > 0);
}

static void kernelsTellTheirResources(void **state) {
  (void)state;
  const TileKernelInfo *info = tileKernelGetInfo(getKernel("add"));
  assert_in_range(info->registers, 4, 40);
  assert_int_equal(info->localBytes, 0);
  assert_int_equal(info->staticSharedBytes, 0);
  assert_int_equal(info->maxThreadsPerBlock, 1024);
  assert_int_equal(info->parameters, 4);
  assert_int_equal(tileKernelGetParameterBytes(getKernel("add"), 2), 8);
  assert_int_equal(tileKernelGetParameterBytes(getKernel("add"), 3), 4);
  assert_int_equal(tileKernelGetInfo(getKernel("stop"))->parameters, 0);
  assert_int_equal(tileKernelGetInfo(getKernel("limited"))->maxThreadsPerBlock, 128);
}

static void globalsAreFound(void **state) {
  (void)state;
  TileDevicePtr pointer;
  size_t bytes;
  uint32_t value = 0;
  assert_ok(tileModuleGetGlobal(module, "answer", &pointer, &bytes, &error));
  assert_int_equal(bytes, 4);
  assert_ok(tileDeviceCopyOut(device, &value, pointer, 4, &error));
  assert_int_equal(value, 42);
  assert_false(tileModuleGetGlobal(module, "question", &pointer, &bytes, &error));
  assert_null(tileModuleGetKernel(module, "sub", &error));
  assert_string_equal(tileErrorGetMessage(&error),
                      "expected a kernel 'sub' in the module, found none");
}

static void theAssemblerSaysWhatIsWrong(void **state) {
  (void)state;
  static const char wrong[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                              ".visible .entry broken() {\n  frobnicate.u32 %r1;\n  ret;\n}\n";
  assert_null(tileModuleCreate(device, wrong, strlen(wrong), NULL, &error));
  assert_non_null(strstr(tileErrorGetMessage(&error), "expected assembling and loading the PTX"));
  assert_non_null(strstr(tileErrorGetMessage(&error), "frobnicate"));
  static const char huge[] =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry huge(.param .u64 out) {\n  .shared .align 4 .b8 room[1000000];\n"
      "  .reg .b32 %r<3>;\n  .reg .b64 %rd<2>;\n  ld.param.u64 %rd1, [out];\n"
      "  mov.u32 %r1, room;\n  ld.volatile.shared.u32 %r2, [%r1+999996];\n"
      "  st.global.u32 [%rd1], %r2;\n  ret;\n}\n";
  assert_null(tileModuleCreate(device, huge, strlen(huge), NULL, &error));
  assert_non_null(strstr(tileErrorGetMessage(&error), "shared"));
}

//===- Launches -----------------------------------------------------------===//

static void launchAdd(TileKernel *kernel, TileArray *x, TileArray *y, TileArray *out) {
  uint64_t slots[] = {x->devicePtr, y->devicePtr, out->devicePtr, (uint64_t)x->count};
  TileLaunch launch = {.grid = {(uint32_t)((x->count + 255) / 256), 1, 1}, .block = {256, 1, 1}};
  assert_ok(tileKernelLaunchSlots(kernel, &launch, slots, 4, NULL, &error));
  tileArrayMarkDeviceWritten(out);
}

/// Runs add from a module on 98,432 elements and compares with the host.
static void checkAdd(TileKernel *kernel) {
  const int64_t count = 98432;
  TileArray *x = tileArrayCreate(TILE_ELEMENT_F32, 1, &count, &error);
  TileArray *y = tileArrayCreate(TILE_ELEMENT_F32, 1, &count, &error);
  TileArray *want = tileArrayCreate(TILE_ELEMENT_F32, 1, &count, &error);
  tileArrayFillRandom(x, 1);
  tileArrayFillRandom(y, 2);
  for (int64_t i = 0; i < count; ++i)
    ((float *)want->host)[i] = ((float *)x->host)[i] + ((float *)y->host)[i];
  assert_ok(tileArrayToDevice(x, device, &error));
  assert_ok(tileArrayToDevice(y, device, &error));
  TileArray *out = makeOnDevice(TILE_ELEMENT_F32, count);
  launchAdd(kernel, x, y, out);
  TileComparison result;
  assert_ok(tileArrayCompare(out, want, 0, 0, &result, &error));
  assert_ok(tileComparisonCheck(&result, &error));
  tileArrayDestroy(x);
  tileArrayDestroy(y);
  tileArrayDestroy(out);
  tileArrayDestroy(want);
}

static void aKernelComputes(void **state) {
  (void)state;
  checkAdd(getKernel("add"));
}

static void anAssembledCubinComputesToo(void **state) {
  (void)state;
  void *cubin;
  size_t size;
  TileModuleOptions options = {.lineInfo = true};
  assert_ok(tileDeviceAssemble(device, ptx, strlen(ptx), &options, &cubin, &size, &error));
  assert_memory_equal(cubin,
                      "\x7f"
                      "ELF",
                      4);
  TileModule *loaded = tileModuleCreate(device, cubin, size, NULL, &error);
  assert_ok(loaded);
  free(cubin);
  TileKernel *kernel = tileModuleGetKernel(loaded, "add", &error);
  assert_ok(kernel);
  checkAdd(kernel);
  tileModuleDestroy(loaded);
}

static void allSharedMemoryCanBeUsed(void **state) {
  (void)state;
  uint32_t bytes = (uint32_t)tileDeviceGetInfo(device)->sharedPerBlockOptin;
  const uint32_t sizes[] = {1024, 49152, bytes};
  TileArray *out = makeOnDevice(TILE_ELEMENT_I32, 1);
  for (int i = 0; i < 3; ++i) {
    uint64_t slots[] = {out->devicePtr, sizes[i]};
    TileLaunch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .sharedBytes = sizes[i]};
    assert_ok(tileDeviceSet(device, out->devicePtr, 0, 4, NULL, &error));
    assert_ok(tileKernelLaunchSlots(getKernel("touch"), &launch, slots, 2, NULL, &error));
    tileArrayMarkDeviceWritten(out);
    assert_ok(tileArrayToHost(out, &error));
    assert_true(tileArrayGetElement(out, 0) == 42);
  }
  tileArrayDestroy(out);
}

static void tooMuchIsRefusedBeforeTheLaunch(void **state) {
  (void)state;
  char wanted[256];
  uint32_t limit = (uint32_t)tileDeviceGetInfo(device)->sharedPerBlockOptin;
  uint64_t slots[] = {0, 0, 0, 0};
  TileLaunch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .sharedBytes = limit + 16};
  assert_false(tileKernelLaunchSlots(getKernel("touch"), &launch, slots, 2, NULL, &error));
  snprintf(wanted, sizeof wanted,
           "expected at most %u bytes of shared memory in a block of 'touch', found %u (0 static, "
           "%u dynamic)",
           limit, limit + 16, limit + 16);
  assert_string_equal(tileErrorGetMessage(&error), wanted);
  TileLaunch wide = {.grid = {1, 1, 1}, .block = {1024, 2, 1}};
  assert_false(tileKernelLaunchSlots(getKernel("add"), &wide, slots, 4, NULL, &error));
  assert_string_equal(tileErrorGetMessage(&error),
                      "expected at most 1024 threads in a block of 'add', found 2048");
  TileLaunch over = {.grid = {1, 1, 1}, .block = {256, 1, 1}};
  assert_false(tileKernelLaunchSlots(getKernel("limited"), &over, slots, 0, NULL, &error));
  assert_string_equal(tileErrorGetMessage(&error),
                      "expected at most 128 threads in a block of 'limited', for which it was "
                      "compiled, found 256");
  // The device is none the worse for it.
  assert_ok(tileDeviceSynchronize(device, &error));
}

static void tooMuchMemoryIsRefused(void **state) {
  (void)state;
  TileDevicePtr pointer;
  assert_false(tileDeviceAlloc(device, (size_t)1 << 46, &pointer, &error));
  assert_non_null(strstr(tileErrorGetMessage(&error), "found a request for 70368744177664"));
}

static void clustersFormInOrder(void **state) {
  (void)state;
  if (!tileDeviceGetInfo(device)->clusters) skip();
  TileModule *clusters = tileModuleCreate(device, clusterPtx, strlen(clusterPtx), NULL, &error);
  assert_ok(clusters);
  TileKernel *kernel = tileModuleGetKernel(clusters, "rank", &error);
  assert_ok(kernel);
  const uint32_t sizes[] = {1, 2, 8, 16};
  for (int s = 0; s < 4; ++s) {
    TileArray *out = makeOnDevice(TILE_ELEMENT_I32, 64);
    uint64_t slots[] = {out->devicePtr};
    TileLaunch launch = {.grid = {64, 1, 1}, .block = {32, 1, 1}, .cluster = {sizes[s], 1, 1}};
    assert_ok(tileKernelLaunchSlots(kernel, &launch, slots, 1, NULL, &error));
    tileArrayMarkDeviceWritten(out);
    assert_ok(tileArrayToHost(out, &error));
    for (uint32_t i = 0; i < 64; ++i) assert_true(tileArrayGetElement(out, i) == i % sizes[s]);
    tileArrayDestroy(out);
  }
  tileModuleDestroy(clusters);
}

static void occupancyIsWhatTheThreadsAllow(void **state) {
  (void)state;
  int blocks;
  TileLaunch launch = {.grid = {1, 1, 1}, .block = {1024, 1, 1}};
  assert_ok(tileKernelGetOccupancy(getKernel("add"), &launch, &blocks, &error));
  assert_int_equal(blocks, tileDeviceGetInfo(device)->maxThreadsPerMultiprocessor / 1024);
}

static void tensorMapsAreEncoded(void **state) {
  (void)state;
  if (tileDeviceGetInfo(device)->major < 9) skip();
  const int64_t shape[] = {256, 512};
  TileArray *array = tileArrayCreate(TILE_ELEMENT_F16, 2, shape, &error);
  assert_ok(tileArrayToDevice(array, device, &error));
  TileTensorMapSpec spec = {.type = TILE_ELEMENT_F16,
                            .rank = 2,
                            .base = array->devicePtr,
                            .shape = {256, 512},
                            .strides = {1024},
                            .box = {128, 64},
                            .swizzle = TILE_SWIZZLE_128B,
                            .nanFill = true};
  TileTensorMap map = {{0}}, empty = {{0}};
  assert_ok(tileDeviceEncodeTensorMap(device, &spec, &map, &error));
  assert_memory_not_equal(map.bytes, empty.bytes, sizeof map.bytes);
  tileArrayDestroy(array);
}

//===- Timing -------------------------------------------------------------===//

static void bandwidthIsThatOfACopy(void **state) {
  (void)state;
  enum { RUNS = 20 };
  const int64_t count = 1 << 26;
  TileArray *x = makeOnDevice(TILE_ELEMENT_F32, count), *y = makeOnDevice(TILE_ELEMENT_F32, count),
            *out = makeOnDevice(TILE_ELEMENT_F32, count);
  TileEvent *from = tileEventCreate(device, &error), *to = tileEventCreate(device, &error);
  double add[RUNS], copy[RUNS];
  for (int i = 0; i < RUNS; ++i) {
    assert_ok(tileDeviceFlushL2(device, NULL, &error));
    assert_ok(tileEventRecord(from, NULL, &error));
    launchAdd(getKernel("add"), x, y, out);
    assert_ok(tileEventRecord(to, NULL, &error));
    assert_ok(tileEventGetElapsed(from, to, &add[i], &error));
    assert_ok(tileEventRecord(from, NULL, &error));
    assert_ok(tileDeviceCopy(device, out->devicePtr, x->devicePtr, x->bytes, NULL, &error));
    assert_ok(tileEventRecord(to, NULL, &error));
    assert_ok(tileEventGetElapsed(from, to, &copy[i], &error));
  }
  double addRate = 3e-6 * (double)x->bytes / tileStatisticsCompute(add, RUNS).median;
  double copyRate = 2e-6 * (double)x->bytes / tileStatisticsCompute(copy, RUNS).median;
  print_message("add %.0f GB/s, copy %.0f GB/s\n", addRate, copyRate);
  // A scalar kernel need not reach the copy's rate, but both are rates of the same memory.
  assert_true(addRate > 0.4 * copyRate && addRate < 2 * copyRate);
  tileEventDestroy(from);
  tileEventDestroy(to);
  tileArrayDestroy(x);
  tileArrayDestroy(y);
  tileArrayDestroy(out);
}

static void aLaunchCostsMicroseconds(void **state) {
  (void)state;
  enum { RUNS = 20 };
  const int launches = 200;
  TileKernel *kernel = getKernel("limited");
  TileLaunch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
  double samples[RUNS];
  for (int i = 0; i < RUNS; ++i) {
    double start = tileClockGetSeconds();
    for (int j = 0; j < launches; ++j)
      assert_ok(tileKernelLaunchSlots(kernel, &launch, NULL, 0, NULL, &error));
    samples[i] = 1e6 * (tileClockGetSeconds() - start) / launches;
    assert_ok(tileDeviceSynchronize(device, &error));
  }
  double median = tileStatisticsCompute(samples, RUNS).median;
  print_message("%.2f us of host time a launch\n", median);
  assert_true(median < 50);
}

typedef struct Add {
  TileArray *x, *y, *out;
} Add;

static bool giveAdd(void *context, TileError *failure) {
  (void)failure;
  const Add *add = context;
  launchAdd(getKernel("add"), add->x, add->y, add->out);
  return true;
}

/// 200 MB at some TB/s: far above what events and graphs add.
static void replayedOrNotTheTimeIsTheSame(void **state) {
  (void)state;
  const int64_t count = 1 << 24;
  Add add = {makeOnDevice(TILE_ELEMENT_F32, count), makeOnDevice(TILE_ELEMENT_F32, count),
             makeOnDevice(TILE_ELEMENT_F32, count)};
  double median[2];
  for (int replay = 0; replay < 2; ++replay) {
    TileTiming timing = {0};
    TileTimingOptions options = {.replay = replay ? TILE_REPLAY_ALWAYS : TILE_REPLAY_NEVER};
    assert_ok(tileTimingMeasure(device, giveAdd, &add, &options, &timing, &error));
    assert_int_equal(timing.replayed, replay);
    median[replay] = tileStatisticsCompute(timing.seconds, timing.count).median;
    tileTimingDestroy(&timing);
  }
  print_message("add of 2^24 f32: %.1f us, replayed %.1f us\n", median[0] * 1e6, median[1] * 1e6);
  assert_true(median[1] > 0.8 * median[0] && median[1] < 1.25 * median[0]);
  tileArrayDestroy(add.x);
  tileArrayDestroy(add.y);
  tileArrayDestroy(add.out);
}

static void streamsRunBesideTheDevicesOwn(void **state) {
  (void)state;
  void *perThread = (void *)2; // CU_STREAM_PER_THREAD
  TileStream *stream = tileStreamBorrow(device, perThread);
  TileDevicePtr pointer;
  unsigned char bytes[64], wanted[64];
  assert_ok(tileDeviceAlloc(device, 64, &pointer, &error));
  assert_ok(tileDeviceSet(device, pointer, 7, 64, stream, &error));
  assert_ok(tileStreamSynchronize(device, stream, &error));
  assert_ok(tileDeviceCopyOut(device, bytes, pointer, 64, &error));
  memset(wanted, 7, 64);
  assert_memory_equal(bytes, wanted, 64);
  tileDeviceFree(device, pointer);
  tileStreamDestroy(stream);
}

/// The last test: a trap leaves the context unusable.
static void aLateFailureIsReported(void **state) {
  (void)state;
  TileLaunch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
  assert_ok(tileKernelLaunchSlots(getKernel("stop"), &launch, NULL, 0, NULL, &error));
  assert_false(tileDeviceSynchronize(device, &error));
  assert_non_null(strstr(tileErrorGetMessage(&error),
                         "expected the work on the device to succeed, found CUDA_ERROR_"));
}

static int setUp(void **state) {
  (void)state;
  TileDriver *driver = tileDriverOpen(&error);
  if (driver) device = tileDeviceCreate(driver, 0, &error);
  if (device) module = tileModuleCreate(device, ptx, strlen(ptx), NULL, &error);
  if (module) return 0;
  print_error("%s\n", tileErrorGetMessage(&error));
  return -1;
}

static int tearDown(void **state) {
  (void)state;
  tileModuleDestroy(module);
  tileDeviceDestroy(device);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(theDeviceTellsItsProperties),
      cmocka_unit_test(kernelsTellTheirResources),
      cmocka_unit_test(globalsAreFound),
      cmocka_unit_test(theAssemblerSaysWhatIsWrong),
      cmocka_unit_test(aKernelComputes),
      cmocka_unit_test(anAssembledCubinComputesToo),
      cmocka_unit_test(allSharedMemoryCanBeUsed),
      cmocka_unit_test(tooMuchIsRefusedBeforeTheLaunch),
      cmocka_unit_test(tooMuchMemoryIsRefused),
      cmocka_unit_test(clustersFormInOrder),
      cmocka_unit_test(occupancyIsWhatTheThreadsAllow),
      cmocka_unit_test(tensorMapsAreEncoded),
      cmocka_unit_test(bandwidthIsThatOfACopy),
      cmocka_unit_test(aLaunchCostsMicroseconds),
      cmocka_unit_test(replayedOrNotTheTimeIsTheSame),
      cmocka_unit_test(streamsRunBesideTheDevicesOwn),
      cmocka_unit_test(aLateFailureIsReported),
  };
  int failed = cmocka_run_group_tests(tests, setUp, tearDown);
  tileErrorDestroy(&error);
  return failed;
}
