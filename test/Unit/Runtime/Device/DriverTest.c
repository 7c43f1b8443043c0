// RUN: %unit/DriverTest
//
// The driver layer against a fake driver (test/Support/FakeCudaDriver.c): what goes
// wrong when, what a launch passes on, and when data moves.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../FillArray.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "FakeFixture.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// cmocka 1.1 compares floats only.
#define assert_near(got, want, tolerance)                                                          \
  assert_true(fabs((double)(got) - (double)(want)) <= (tolerance))

static char fakePath[PATH_MAX], partialPath[PATH_MAX];

static void findFakes(void) {
  findBeside("FakeCudaDriver.so", fakePath);
  findBeside("FakeCudaDriverPartial.so", partialPath);
}

//===- Opening ------------------------------------------------------------===//

static void noLibraryIsOneClearLine(void **state) {
  (void)state;
  assert_null(tileDriverCreate("libno-such-cuda.so.1", &error));
  assert_message("expected a CUDA driver, found none: libno-such-cuda.so.1: cannot open shared "
                 "object file: No such file or directory");
}

static void aForeignLibraryIsRefused(void **state) {
  (void)state;
  assert_null(tileDriverCreate("libc.so.6", &error));
  assert_message(
      "expected the entry point cuDriverGetVersion in the CUDA driver, found none in 'libc.so.6'");
}

static void anOldDriverIsRefusedWithBothVersions(void **state) {
  (void)state;
  setenv("FAKE_CUDA_VERSION", "12040", 1);
  // The age is told even when entry points are missing too.
  assert_null(tileDriverCreate(partialPath, &error));
  assert_message("expected a CUDA driver for CUDA 12.7 or later (PTX ISA 8.6), found one for CUDA "
                 "12.4: update the NVIDIA driver");
  unsetenv("FAKE_CUDA_VERSION");
}

static void theOldestGoodDriverIsTaken(void **state) {
  (void)state;
  setenv("FAKE_CUDA_VERSION", "12070", 1);
  TileDriver *driver = tileDriverCreate(fakePath, &error);
  assert_non_null(driver);
  TileDevice *device = tileDeviceCreate(driver, 0, &error);
  assert_non_null(device);
  assert_int_equal(tileDeviceGetInfo(device)->driverVersion, 12070);
  tileDeviceDestroy(device);
  tileDriverDestroy(driver);
  unsetenv("FAKE_CUDA_VERSION");
}

static void aMissingSymbolIsNamed(void **state) {
  (void)state;
  assert_null(tileDriverCreate(partialPath, &error));
  assert_non_null(
      strstr(tileErrorGetMessage(&error),
             "expected the entry point cuLaunchKernelEx in the CUDA driver, found none"));
}

static void noDevicesIsAnError(void **state) {
  (void)state;
  setenv("FAKE_CUDA_DEVICES", "0", 1);
  assert_null(tileDriverCreate(fakePath, &error));
  assert_message("expected a CUDA device, found none (the driver counts 0)");
  unsetenv("FAKE_CUDA_DEVICES");
  setenv("FAKE_CUDA_INIT", "100", 1);
  assert_null(tileDriverCreate(fakePath, &error));
  assert_message("expected a CUDA device, found none (CUDA_ERROR_NO_DEVICE)");
  unsetenv("FAKE_CUDA_INIT");
}

static void theProcessDriverIsOpenedOnce(void **state) {
  (void)state;
  setenv("TILE_CUDA_DRIVER", fakePath, 1);
  TileDriver *driver = tileDriverOpen(&error);
  assert_non_null(driver);
  setenv("TILE_CUDA_DRIVER", "/nowhere", 1);
  assert_ptr_equal(tileDriverOpen(&error), driver);
  unsetenv("TILE_CUDA_DRIVER");
}

static void errorsMayBeDropped(void **state) {
  (void)state;
  assert_null(tileDriverCreate("libno-such-cuda.so.1", NULL));
}

//===- A device -----------------------------------------------------------===//

static int setUpDevice(void **state) {
  static Fixture fixture;
  *state = &fixture;
  return openFixture(&fixture, fakePath) ? 0 : -1;
}

static int tearDownDevice(void **state) {
  closeFixture(*state);
  return 0;
}

static void propertiesAreRead(void **state) {
  Fixture *fixture = *state;
  const TileDeviceInfo *info = tileDeviceGetInfo(fixture->device);
  assert_string_equal(info->name, "Fake GPU");
  assert_int_equal(info->major * 10 + info->minor, 90);
  assert_int_equal(info->multiprocessors, 132);
  assert_int_equal(info->sharedPerBlockOptin, 232448);
  assert_int_equal(info->maxBlockExtent[2], 64);
  assert_int_equal(info->memoryClockKHz, 0);
  assert_true(info->clusters);
}

static void aMissingDeviceIsRefused(void **state) {
  Fixture *fixture = *state;
  assert_null(tileDeviceCreate(fixture->driver, 1, &error));
  assert_message("expected a device number in 0 .. 0, found 1");
}

static void memoryIsCopiedAndSet(void **state) {
  Fixture *fixture = *state;
  TileDevicePtr a, b;
  char text[6] = "hello", back[6] = "";
  assert_true(tileDeviceAlloc(fixture->device, 6, &a, &error));
  assert_true(tileDeviceAlloc(fixture->device, 6, &b, &error));
  assert_true(tileDeviceCopyIn(fixture->device, a, text, 6, &error));
  assert_true(tileDeviceCopy(fixture->device, b, a, 6, NULL, &error));
  assert_true(tileDeviceSet(fixture->device, b, 'y', 1, NULL, &error));
  assert_true(tileDeviceCopyOut(fixture->device, back, b, 6, &error));
  assert_string_equal(back, "yello");
  assert_true(tileDeviceFlushL2(fixture->device, NULL, &error));
  tileDeviceFree(fixture->device, a);
  tileDeviceFree(fixture->device, b);
}

static void tooMuchMemoryIsToldWithBothSizes(void **state) {
  Fixture *fixture = *state;
  TileDevicePtr pointer;
  setenv("FAKE_CUDA_MEMORY", "1000", 1);
  assert_false(tileDeviceAlloc(fixture->device, 4096, &pointer, &error));
  assert_message(
      "expected at most 1000 bytes, which are free on device 0, found a request for 4096");
  unsetenv("FAKE_CUDA_MEMORY");
}

static void streamsAndEventsWork(void **state) {
  Fixture *fixture = *state;
  TileEvent *from = tileEventCreate(fixture->device, &error);
  TileEvent *to = tileEventCreate(fixture->device, &error);
  double milliseconds;
  assert_true(tileEventRecord(from, NULL, &error));
  assert_true(tileEventRecord(to, NULL, &error));
  assert_true(tileEventGetElapsed(from, to, &milliseconds, &error));
  assert_near(milliseconds, 1.5, 0);
  assert_true(tileStreamSynchronize(fixture->device, NULL, &error));
  assert_true(tileDeviceSynchronize(fixture->device, &error));
  tileEventDestroy(from);
  tileEventDestroy(to);
}

//===- Modules ------------------------------------------------------------===//

static void theAssemblersLogIsInTheError(void **state) {
  Fixture *fixture = *state;
  assert_null(tileModuleCreate(fixture->device, "wrong", 5, NULL, &error));
  assert_message("expected assembling and loading the PTX to succeed, found CUDA_ERROR_INVALID_PTX "
                 "(some text):\nptxas application ptx input, line 1; error : Unknown word");
  void *cubin;
  size_t size;
  assert_false(tileDeviceAssemble(fixture->device, "wrong", 5, NULL, &cubin, &size, &error));
  assert_message("expected assembling the PTX to succeed, found CUDA_ERROR_INVALID_PTX (some "
                 "text):\nptxas application ptx input, line 1; error : Unknown word");
}

static void textNeedsNoTerminator(void **state) {
  Fixture *fixture = *state;
  // Only the first five bytes are the program.
  TileModule *module = tileModuleCreate(fixture->device, "right wrong", 5, NULL, &error);
  assert_non_null(module);
  tileModuleDestroy(module);
}

static void assemblingGivesACubin(void **state) {
  Fixture *fixture = *state;
  void *cubin;
  size_t size;
  assert_true(tileDeviceAssemble(fixture->device, "ptx", 3, NULL, &cubin, &size, &error));
  assert_memory_equal(cubin,
                      "\x7f"
                      "ELF",
                      4);
  free(cubin);
}

static void aKernelIsFoundOnceByName(void **state) {
  Fixture *fixture = *state;
  assert_ptr_equal(tileModuleGetKernel(fixture->module, "add", &error), fixture->kernel);
  assert_null(tileModuleGetKernel(fixture->module, "mul", &error));
  assert_message("expected a kernel 'mul' in the module, found none");
  const TileKernelInfo *info = tileKernelGetInfo(fixture->kernel);
  assert_int_equal(info->registers, 32);
  assert_int_equal(info->localBytes, 16);
  assert_int_equal(info->staticSharedBytes, 1024);
  assert_int_equal(info->parameters, 4);
  assert_int_equal(tileKernelGetParameterBytes(fixture->kernel, 3), 4);
  assert_int_equal(tileKernelGetParameterBytes(fixture->kernel, 4), 0);
}

static void aMissingGlobalIsNamed(void **state) {
  Fixture *fixture = *state;
  TileDevicePtr pointer;
  size_t bytes;
  assert_false(tileModuleGetGlobal(fixture->module, "table", &pointer, &bytes, &error));
  assert_message("expected a global 'table' in the module, found none");
}

//===- Launches -----------------------------------------------------------===//

static void aLaunchPassesSlotsAndShape(void **state) {
  Fixture *fixture = *state;
  float x[3] = {1, 2, 3}, y[3] = {10, 20, 30}, out[3] = {0};
  uint64_t slots[] = {(uintptr_t)x, (uintptr_t)y, (uintptr_t)out, 3};
  TileLaunch launch = {.grid = {4, 2, 1}, .block = {64, 1, 1}, .sharedBytes = 100};
  assert_true(tileKernelLaunchSlots(fixture->kernel, &launch, slots, 4, NULL, &error));
  assert_near(out[2], 33, 0);
  assert_int_equal(fixture->fake->grid[1], 2);
  assert_int_equal(fixture->fake->block[0], 64);
  assert_int_equal(fixture->fake->shared, 100);
  assert_int_equal(fixture->fake->cluster[0], 0);
  assert_int_equal(fixture->fake->maxDynamicShared, 0);
}

static void aLargeLaunchRaisesTheLimits(void **state) {
  Fixture *fixture = *state;
  uint64_t slots[] = {0, 0, 0, 0};
  TileLaunch launch = {
      .grid = {32, 1, 1}, .block = {64, 1, 1}, .cluster = {16}, .sharedBytes = 200000};
  assert_true(tileKernelLaunchSlots(fixture->kernel, &launch, slots, 4, NULL, &error));
  assert_int_equal(fixture->fake->maxDynamicShared, 200000);
  assert_int_equal(fixture->fake->nonPortable, 1);
  assert_int_equal(fixture->fake->cluster[0], 16);
  assert_int_equal(fixture->fake->cluster[1], 1);
}

static void staticSharedMemoryCountsAgainstTheDefault(void **state) {
  Fixture *fixture = *state;
  uint64_t slots[] = {0, 0, 0, 0};
  // 1024 static bytes leave 48128 of the 48 KiB that need no asking.
  TileLaunch launch = {.grid = {1, 1, 1}, .block = {64, 1, 1}, .sharedBytes = 48128};
  assert_true(tileKernelLaunchSlots(fixture->kernel, &launch, slots, 4, NULL, &error));
  assert_int_equal(fixture->fake->maxDynamicShared, 0);
  launch.sharedBytes = 48129;
  assert_true(tileKernelLaunchSlots(fixture->kernel, &launch, slots, 4, NULL, &error));
  assert_int_equal(fixture->fake->maxDynamicShared, 48129);
}

static void anEmptyGridLaunchesNothing(void **state) {
  Fixture *fixture = *state;
  uint64_t slots[] = {0, 0, 0, 0};
  TileLaunch launch = {.grid = {0, 1, 1}, .block = {64, 1, 1}};
  assert_true(tileKernelLaunchSlots(fixture->kernel, &launch, slots, 4, NULL, &error));
  assert_int_equal(fixture->fake->count, 0);
}

static void asksOverTheLimitsAreRefusedBeforeTheLaunch(void **state) {
  Fixture *fixture = *state;
  const struct {
    TileLaunch launch;
    const char *message;
  } cases[] = {
      {{.grid = {1, 1, 1}, .block = {2048, 1, 1}},
       "expected a block extent in 1 .. 1024 in dimension x, found 2048"},
      {{.grid = {1, 1, 1}, .block = {1, 0, 1}},
       "expected a block extent in 1 .. 1024 in dimension y, found 0"},
      {{.grid = {1, 1, 1}, .block = {512, 4, 1}},
       "expected at most 1024 threads in a block of 'add', found 2048"},
      {{.grid = {1, 1, 1}, .block = {64, 1, 1}, .sharedBytes = 231425},
       "expected at most 232448 bytes of shared memory in a block of 'add', found 232449 (1024 "
       "static, 231425 dynamic)"},
      {{.grid = {1, 65536, 1}, .block = {64, 1, 1}},
       "expected a grid extent of at most 65535 in dimension y, found 65536"},
      {{.grid = {32, 1, 1}, .block = {64, 1, 1}, .cluster = {32, 1, 1}},
       "expected at most 16 blocks in a cluster, found 32 x 1 x 1"},
      {{.grid = {31, 1, 1}, .block = {64, 1, 1}, .cluster = {2, 1, 1}},
       "expected a grid extent that is a multiple of the cluster's 2 in dimension x, found 31"},
  };
  uint64_t slots[] = {0, 0, 0, 0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    assert_false(tileKernelLaunchSlots(fixture->kernel, &cases[i].launch, slots, 4, NULL, &error));
    assert_message(cases[i].message);
  }
  assert_int_equal(fixture->fake->count, 0);
}

static void tooManyRegistersAreRefused(void **state) {
  Fixture *fixture = *state;
  setenv("FAKE_CUDA_REGISTERS", "161", 1);
  TileModule *module = tileModuleCreate(fixture->device, "ptx", 3, NULL, &error);
  TileKernel *kernel = tileModuleGetKernel(module, "add", &error);
  TileLaunch launch = {.grid = {1, 1, 1}, .block = {416, 1, 1}};
  assert_false(tileKernelCheckLaunch(kernel, &launch, &error));
  assert_message(
      "expected at most 65536 registers in a block of 'add', found 69888: 416 threads of "
      "168");
  launch.block[0] = 384;
  assert_true(tileKernelCheckLaunch(kernel, &launch, &error));
  tileModuleDestroy(module);
  unsetenv("FAKE_CUDA_REGISTERS");
}

static void theWrongNumberOfArgumentsIsRefused(void **state) {
  Fixture *fixture = *state;
  uint64_t slots[] = {0, 0, 0};
  TileLaunch launch = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
  assert_false(tileKernelLaunchSlots(fixture->kernel, &launch, slots, 3, NULL, &error));
  assert_message("expected 4 arguments for 'add', found 3");
}

static void aFailedLaunchIsReported(void **state) {
  Fixture *fixture = *state;
  uint64_t slots[] = {0, 0, 0, 0};
  TileLaunch launch = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
  setenv("FAKE_CUDA_LAUNCH", "719", 1);
  assert_false(tileKernelLaunchSlots(fixture->kernel, &launch, slots, 4, NULL, &error));
  assert_message("expected the launch to succeed, found CUDA_ERROR_LAUNCH_FAILED (unspecified "
                 "launch failure): the context is lost, and CUDA for this process");
  setenv("FAKE_CUDA_LAUNCH", "9999", 1);
  assert_false(tileKernelLaunchSlots(fixture->kernel, &launch, slots, 4, NULL, &error));
  assert_message("expected the launch to succeed, found an unknown CUDA error (some text)");
  unsetenv("FAKE_CUDA_LAUNCH");
}

static void occupancyIsAsked(void **state) {
  Fixture *fixture = *state;
  TileLaunch launch = {.grid = {1, 1, 1}, .block = {256, 2, 1}};
  int blocks;
  assert_true(tileKernelGetOccupancy(fixture->kernel, &launch, &blocks, &error));
  assert_int_equal(blocks, 4);
}

//===- Tensor maps --------------------------------------------------------===//

static const TileTensorMapSpec goodSpec = {
    .type = TILE_ELEMENT_F16,
    .rank = 3,
    .base = 0x1000,
    .shape = {7, 100, 511},
    .strides = {102400, 1024, 0},
    .box = {1, 128, 64},
    .swizzle = TILE_SWIZZLE_128B,
    .nanFill = true,
};

static void aTensorMapTurnsDimensionsAround(void **state) {
  Fixture *fixture = *state;
  TileTensorMap map;
  assert_true(tileDeviceEncodeTensorMap(fixture->device, &goodSpec, &map, &error));
  const FakeTensorMap *seen = &fixture->fake->map;
  assert_int_equal(seen->type, 6); // CU_TENSOR_MAP_DATA_TYPE_FLOAT16
  assert_int_equal(seen->rank, 3);
  assert_int_equal(seen->shape[0], 511);
  assert_int_equal(seen->shape[2], 7);
  assert_int_equal(seen->strides[0], 1024);
  assert_int_equal(seen->strides[1], 102400);
  assert_int_equal(seen->box[0], 64);
  assert_int_equal(seen->box[2], 1);
  assert_int_equal(seen->swizzle, 3);
  assert_int_equal(seen->fill, 1);
  assert_int_equal(map.bytes[127], 0x5a);
}

static void badTensorMapsAreRefused(void **state) {
  Fixture *fixture = *state;
  TileTensorMap map;
  TileTensorMapSpec spec = goodSpec;
  spec.rank = 6;
  assert_false(tileDeviceEncodeTensorMap(fixture->device, &spec, &map, &error));
  assert_message("expected a tensor map of rank 1 .. 5, found 6");
  spec = goodSpec, spec.base = 0x1008;
  assert_false(tileDeviceEncodeTensorMap(fixture->device, &spec, &map, &error));
  assert_message("expected a base on a 16-byte boundary, found 0x1008");
  spec = goodSpec, spec.strides[1] = 1022;
  assert_false(tileDeviceEncodeTensorMap(fixture->device, &spec, &map, &error));
  assert_message("expected strides that are multiples of 16 bytes below 2^40, found 1022 in "
                 "dimension 1");
  spec = goodSpec, spec.box[1] = 257;
  assert_false(tileDeviceEncodeTensorMap(fixture->device, &spec, &map, &error));
  assert_message("expected box extents in 1 .. 256, found 257 in dimension 1");
  spec = goodSpec, spec.box[2] = 128;
  assert_false(tileDeviceEncodeTensorMap(fixture->device, &spec, &map, &error));
  assert_message("expected a box whose rows are a multiple of 16 bytes, at most 128, found 256");
  spec = goodSpec, spec.type = TILE_ELEMENT_I16;
  assert_false(tileDeviceEncodeTensorMap(fixture->device, &spec, &map, &error));
  assert_message("expected f16, bf16, f32 or f64 for a NaN fill, found i16");
}

//===- Arrays on the device -----------------------------------------------===//

static void dataMovesOnlyWhenTheSideChanges(void **state) {
  Fixture *fixture = *state;
  FakeLaunch *fake = fixture->fake;
  const int64_t shape[] = {3};
  TileArray *array = tileArrayCreate(TILE_ELEMENT_F32, 1, shape, &error);
  fillArray(array, 2);
  for (int i = 0; i < 3; ++i) assert_true(tileArrayToDevice(array, fixture->device, &error));
  assert_int_equal(fake->copiesIn, 1);
  // A chain of launches stays on the device.
  uint64_t slots[] = {array->devicePtr, array->devicePtr, array->devicePtr, 3};
  TileLaunch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
  for (int i = 0; i < 3; ++i) {
    assert_true(tileArrayToDevice(array, fixture->device, &error));
    assert_true(tileKernelLaunchSlots(fixture->kernel, &launch, slots, 4, NULL, &error));
    tileArrayMarkDeviceWritten(array);
  }
  assert_int_equal(fake->copiesIn + fake->copiesOut, 1);
  for (int i = 0; i < 3; ++i) assert_true(tileArrayToHost(array, &error));
  assert_int_equal(fake->copiesOut, 1);
  assert_near(tileArrayGetElement(array, 1), 16, 0);
  // Reading on the host keeps the device's copy; writing there does not.
  assert_true(tileArrayToDevice(array, fixture->device, &error));
  assert_int_equal(fake->copiesIn, 1);
  tileArrayMarkHostWritten(array);
  assert_true(tileArrayToDevice(array, fixture->device, &error));
  assert_int_equal(fake->copiesIn, 2);
  tileArrayDestroy(array);
}

static void freshArraysAreClearedOnTheDevice(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {2, 5};
  TileArray *array = tileArrayCreate(TILE_ELEMENT_F16, 2, shape, &error);
  assert_true(tileArrayToDevice(array, fixture->device, &error));
  assert_int_equal(fixture->fake->copiesIn, 0);
  unsigned char bytes[20], zeros[20] = {0};
  assert_true(tileDeviceCopyOut(fixture->device, bytes, array->devicePtr, 20, &error));
  assert_memory_equal(bytes, zeros, 20);
  tileArrayDestroy(array);
}

#define DEVICE_TEST(name) cmocka_unit_test_setup_teardown(name, setUpDevice, tearDownDevice)

int main(void) {
  findFakes();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(noLibraryIsOneClearLine),
      cmocka_unit_test(aForeignLibraryIsRefused),
      cmocka_unit_test(anOldDriverIsRefusedWithBothVersions),
      cmocka_unit_test(theOldestGoodDriverIsTaken),
      cmocka_unit_test(aMissingSymbolIsNamed),
      cmocka_unit_test(noDevicesIsAnError),
      cmocka_unit_test(theProcessDriverIsOpenedOnce),
      cmocka_unit_test(errorsMayBeDropped),
      DEVICE_TEST(propertiesAreRead),
      DEVICE_TEST(aMissingDeviceIsRefused),
      DEVICE_TEST(memoryIsCopiedAndSet),
      DEVICE_TEST(tooMuchMemoryIsToldWithBothSizes),
      DEVICE_TEST(streamsAndEventsWork),
      DEVICE_TEST(theAssemblersLogIsInTheError),
      DEVICE_TEST(textNeedsNoTerminator),
      DEVICE_TEST(assemblingGivesACubin),
      DEVICE_TEST(aKernelIsFoundOnceByName),
      DEVICE_TEST(aMissingGlobalIsNamed),
      DEVICE_TEST(aLaunchPassesSlotsAndShape),
      DEVICE_TEST(aLargeLaunchRaisesTheLimits),
      DEVICE_TEST(staticSharedMemoryCountsAgainstTheDefault),
      DEVICE_TEST(anEmptyGridLaunchesNothing),
      DEVICE_TEST(asksOverTheLimitsAreRefusedBeforeTheLaunch),
      DEVICE_TEST(tooManyRegistersAreRefused),
      DEVICE_TEST(theWrongNumberOfArgumentsIsRefused),
      DEVICE_TEST(aFailedLaunchIsReported),
      DEVICE_TEST(occupancyIsAsked),
      DEVICE_TEST(aTensorMapTurnsDimensionsAround),
      DEVICE_TEST(badTensorMapsAreRefused),
      DEVICE_TEST(dataMovesOnlyWhenTheSideChanges),
      DEVICE_TEST(freshArraysAreClearedOnTheDevice),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  tileErrorDestroy(&error);
  return failed;
}
