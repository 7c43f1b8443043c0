// RUN: %unit/FaultRuntimeTest
//
// The rest of the runtime with every call that can fail failing in turn (test/Support/Faults):
// threads, the driver (the fake one), launches, timing, what kernels print and assert.
#include "FillArray.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "../../Support/Faults/Faults.h"
#include "tile/Runtime.h"
#include "tile/Runtime/LaunchLog.h"
#include "tile/Runtime/Timing.h"
#include <cmocka.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

//===- programs on the CPU ------------------------------------------------===//

enum { PROGRAMS = 100 };

static void countProgram(const void *args, int32_t x, int32_t y, int32_t z, int32_t nx, int32_t ny,
                         int32_t nz) {
  (void)y, (void)z, (void)nx, (void)ny, (void)nz;
  _Atomic int *const *cells = args;
  atomic_fetch_add(&(*cells)[x], 1);
}

static bool runPrograms(TileError *error) {
  static _Atomic int cells[PROGRAMS];
  _Atomic int *slot = cells;
  TileExecutorOptions options = {.threads = 3, .stackBytes = 1 << 20};
  TileExecutor *executor = tileExecutorCreate(&options, error);
  if (!executor) return false;
  bool ok =
      tileExecutorRun(executor, countProgram, &slot, (const int32_t[]){PROGRAMS, 1, 1}, error);
  for (int i = 0; ok && i < PROGRAMS; ++i)
    if (cells[i] != 1) ok = faultsWrong("a program did not run once");
  tileExecutorDestroy(executor);
  return ok;
}

static void threads(void **state) {
  (void)state;
  faultsTry(&(FaultWork){"run programs", NULL, runPrograms, NULL}, 6);
}

//===- what kernels say ---------------------------------------------------===//

#define S "\x1f"
static const char printSite[] = "print" S "k.mlir" S "3" S "5" S "value" S "i32";
static const char assertSite[] = "assert" S "k.mlir" S "7" S "3" S "even" S "4xi1";

/// Prints its number; number 5 and those behind it fail at element 2.
static void sayProgram(const void *args, int32_t x, int32_t y, int32_t z, int32_t nx, int32_t ny,
                       int32_t nz) {
  (void)args, (void)nx, (void)ny, (void)nz;
  int32_t number = x;
  const int64_t values[] = {(int64_t)(intptr_t)&number, 1};
  tileConsolePrint(printSite, x, y, z, values);
  if (x >= 5) tileConsoleFail(assertSite, x, y, z, (const uint8_t[]){1, 1, 0, 1}, 4, 0);
}

/// The assert that fails is told, whatever else is not; done if it is, and all is printed.
static bool say(TileError *error) {
  TileConsole *console = tileConsoleCreate();
  TileConsoleCall call = {sayProgram, NULL, console};
  TileConsolePlace place = {0};
  char *text = NULL;
  size_t size = 0;
  for (int32_t x = 0; x < 8; ++x) tileConsoleRunProgram(&call, x, 0, 0, 8, 1, 1);
  faultsPause();
  FILE *file = open_memstream(&text, &size);
  faultsResume();
  bool passed = tileConsoleFlush(console, file, &place, error);
  faultsPause();
  bool failed = ferror(file);
  fclose(file);
  bool whole = text && strstr(text, "pid (4, 0, 0) value: 4\n") && strstr(text, "pid (7") &&
               !strncmp(text, "pid (0, 0, 0) value: 0\n", 23);
  bool admitted = failed || (text && strstr(text, "for which there was no memory"));
  bool told =
      strstr(tileErrorGetMessage(error), "\"even\" to hold, found it false in program (5, ");
  free(text);
  faultsResume();
  free(place.file);
  tileConsoleDestroy(console);
  if (!whole && !admitted) return faultsWrong("a print is lost without a word");
  if (passed) return faultsWrong("an assert that fails is lost");
  return told && whole;
}

static void consoles(void **state) {
  (void)state;
  faultsTry(&(FaultWork){"print and assert", NULL, say, NULL}, 10);
}

//===- devices ------------------------------------------------------------===//

static char driverPath[PATH_MAX];

typedef struct Device {
  TileDriver *driver;
  TileDevice *device;
  TileModule *module;
  TileKernel *kernel;
} Device;

static bool openDevice(Device *d, TileError *error) {
  d->driver = tileDriverCreate(driverPath, error);
  d->device = d->driver ? tileDeviceCreate(d->driver, 0, error) : NULL;
  d->module = d->device ? tileModuleCreate(d->device, ".version 8.6", 12, NULL, error) : NULL;
  d->kernel = d->module ? tileModuleGetKernel(d->module, "add", error) : NULL;
  return d->kernel;
}

static void closeDevice(Device *d) {
  tileModuleDestroy(d->module);
  tileDeviceDestroy(d->device);
  tileDriverDestroy(d->driver);
}

static const char *const maps[] = {"f32 %0 [%3:i32] [] box [4]",
                                   "f32 %1 [%3:i32, 8] [8] box [4, 8] swizzle 32"};
enum { N = 4 };

/// out = x + y on arrays of the device, by a launch with tensor maps.
static bool add(Device *d, TileError *error) {
  const int64_t shape[] = {8 * N};
  TileArray *arrays[3] = {0};
  TileLaunchFacts facts = {
      .arguments = 4, .warps = 4, .persistent = true, .maps = maps, .numMaps = 2};
  TileLauncher *launcher = tileLauncherCreate(d->kernel, &facts, error);
  uint64_t slots[4] = {[3] = N};
  bool ok = launcher != NULL;
  for (int i = 0; ok && i < 3; ++i) {
    arrays[i] = tileArrayCreate(TILE_ELEMENT_F32, 1, shape, error);
    if (arrays[i]) fillArray(arrays[i], i + 1);
    ok = arrays[i] && tileArrayToDevice(arrays[i], d->device, error);
    slots[i] = ok ? arrays[i]->devicePtr : 0;
  }
  ok = ok && tileLauncherRun(launcher, slots, (const int32_t[]){1, 1, 1}, NULL, error);
  if (ok) tileArrayMarkDeviceWritten(arrays[2]);
  ok = ok && tileArrayToHost(arrays[2], error);
  for (int i = 0; ok && i < N; ++i)
    if (tileArrayGetElement(arrays[2], i) < 2.5) ok = faultsWrong("the sum is not 3");
  for (int i = 0; i < 3; ++i) tileArrayDestroy(arrays[i]);
  tileLauncherDestroy(launcher);
  return ok;
}

static bool launch(TileError *error) {
  Device d = {0};
  bool ok = openDevice(&d, error) && add(&d, error);
  closeDevice(&d);
  return ok;
}

static bool nothing(void *context, TileError *error) {
  (void)context, (void)error;
  return true;
}

static bool measure(TileError *error) {
  Device d = {0};
  TileTiming timing = {0};
  TileTimingOptions options = {.repeat = 3, .warmupSeconds = 1e-9};
  bool ok =
      openDevice(&d, error) && tileTimingMeasure(d.device, nothing, NULL, &options, &timing, error);
  if (ok && timing.count != 3) ok = faultsWrong("not three times");
  tileTimingDestroy(&timing);
  closeDevice(&d);
  return ok;
}

static void devices(void **state) {
  (void)state;
  ssize_t length = readlink("/proc/self/exe", driverPath, sizeof driverPath - 32);
  driverPath[length < 0 ? 0 : length] = 0;
  snprintf(strrchr(driverPath, '/'), 32, "/FakeCudaDriver.so");
  setenv("FAKE_CUDA_GRID", "1", 1);
  setenv("FAKE_CUDA_MAPS", "2", 1);
  faultsTry(&(FaultWork){"launch", NULL, launch, NULL}, 15);
  setenv("FAKE_CUDA_GRID", "0", 1);
  setenv("FAKE_CUDA_MAPS", "0", 1);
  faultsTry(&(FaultWork){"measure", NULL, measure, NULL}, 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads),
      cmocka_unit_test(consoles),
      cmocka_unit_test(devices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
