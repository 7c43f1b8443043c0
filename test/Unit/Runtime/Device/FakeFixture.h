//===- FakeFixture.h - a device of the fake driver, for its tests ---------===//
//
// Included behind cmocka.h, and with _GNU_SOURCE. The fake is test/Support/FakeCudaDriver.c.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_FAKE_FIXTURE_H
#define TILE_TEST_FAKE_FIXTURE_H

#include "../../../Support/FakeCudaDriver.h"
#include "tile/Runtime.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static TileError error;

#define assert_message(text) assert_string_equal(tileErrorGetMessage(&error), text)

typedef struct Fixture {
  TileDriver *driver;
  TileDevice *device;
  TileModule *module;
  TileKernel *kernel;
  FakeLaunch *fake;
} Fixture;

/// The file `name` beside the program of this test.
static inline void findBeside(const char *name, char path[PATH_MAX]) {
  char here[PATH_MAX - 64];
  ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
  here[length < 0 ? 0 : length] = 0;
  char *slash = strrchr(here, '/');
  if (slash) *slash = 0;
  snprintf(path, PATH_MAX, "%s/%s", here, name);
}

/// What the driver at `path`, which is open, was told last; NULL where it is no fake.
static inline FakeLaunch *findFakeLaunch(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  FakeLaunch *fake = library ? dlsym(library, "fakeLastLaunch") : NULL;
  if (library) dlclose(library); // the driver under test holds it open
  return fake;
}

/// The driver at `path`, its device, and its kernel "add" of (x, y, out, n); false where any is
/// missing. To be closed in either case.
static inline bool openFixture(Fixture *f, const char *path) {
  *f = (Fixture){0};
  f->driver = tileDriverCreate(path, &error);
  if (f->driver) f->device = tileDeviceCreate(f->driver, 0, &error);
  if (f->device) f->module = tileModuleCreate(f->device, ".version 8.6", 12, NULL, &error);
  if (f->module) f->kernel = tileModuleGetKernel(f->module, "add", &error);
  if (f->driver) f->fake = findFakeLaunch(path);
  if (f->fake) memset(f->fake, 0, sizeof *f->fake);
  return f->kernel && f->fake;
}

static inline void closeFixture(Fixture *f) {
  tileModuleDestroy(f->module);
  tileDeviceDestroy(f->device);
  tileDriverDestroy(f->driver);
}

#endif
