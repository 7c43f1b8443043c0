// REQUIRES: hardware
// RUN: %unit/LibraryGpuTest
//===- LibraryGpuTest.c - libtile with CUDA's driver and a GPU ------------===//
//
// What the fake driver of the other tests cannot show: that children compile beside an open driver,
// that CUDA's graphs capture launches, that a context is told from another, and that a kernel which
// faults takes the context along and not the process. That comes last.
//===----------------------------------------------------------------------===//
#include "Support.h"
#include <dlfcn.h>
#include <pthread.h>

enum { COUNT = 3000 };

/// CUDA's driver, with the primary context of device 0 and three arrays in it.
typedef struct Cuda {
  int (*getCurrent)(void **);
  int (*setCurrent)(void *);
  int (*create)(void **, unsigned, int);
  int (*destroy)(void *);
  int (*synchronize)(void);
  int (*alloc)(uint64_t *, size_t);
  int (*copyIn)(uint64_t, const void *, size_t);
  int (*copyOut)(void *, uint64_t, size_t);
  int (*streamCreate)(void **, unsigned);
  int (*beginCapture)(void *, int);
  int (*endCapture)(void *, void **);
  int (*instantiate)(void **, void *, unsigned long long);
  int (*launchGraph)(void *, void *);
  uint64_t arrays[3];
  float host[3][COUNT];
} Cuda;

static void openCuda(Cuda *c) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  int (*init)(unsigned), (*retain)(void **, int);
  void *context;
  const struct {
    void *function;
    const char *name;
  } names[] = {
      {&init, "cuInit"},
      {&retain, "cuDevicePrimaryCtxRetain"},
      {&c->getCurrent, "cuCtxGetCurrent"},
      {&c->setCurrent, "cuCtxSetCurrent"},
      {&c->create, "cuCtxCreate_v2"},
      {&c->destroy, "cuCtxDestroy_v2"},
      {&c->synchronize, "cuCtxSynchronize"},
      {&c->alloc, "cuMemAlloc_v2"},
      {&c->copyIn, "cuMemcpyHtoD_v2"},
      {&c->copyOut, "cuMemcpyDtoH_v2"},
      {&c->streamCreate, "cuStreamCreate"},
      {&c->beginCapture, "cuStreamBeginCapture_v2"},
      {&c->endCapture, "cuStreamEndCapture"},
      {&c->instantiate, "cuGraphInstantiateWithFlags"},
      {&c->launchGraph, "cuGraphLaunch"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    void *address = library ? dlsym(library, names[i].name) : NULL;
    if (!address) fail_msg("CUDA's driver lacks %s", names[i].name);
    memcpy(names[i].function, &address, sizeof address);
  }
  assert_int_equal(init(0), 0);
  assert_int_equal(retain(&context, 0), 0);
  assert_int_equal(c->setCurrent(context), 0);
}

/// New numbers, into arrays of the current context.
static void fill(Cuda *c, int seed) {
  for (int i = 0; i < COUNT; ++i) {
    c->host[0][i] = (float)(i % 977 + seed);
    c->host[1][i] = (float)(3 * i % 1009);
    c->host[2][i] = -1;
  }
  for (int k = 0; k < 3; ++k)
    assert_int_equal(c->copyIn(c->arrays[k], c->host[k], sizeof c->host[k]), 0);
}

static void expectRight(Cuda *c, int count) {
  assert_int_equal(c->synchronize(), 0);
  assert_int_equal(c->copyOut(c->host[2], c->arrays[2], sizeof c->host[2]), 0);
  for (int i = 0; i < COUNT; ++i)
    if (c->host[2][i] != (i < count ? c->host[0][i] + c->host[1][i] : -1.0f))
      fail_msg("element %d of %d is %g", i, count, (double)c->host[2][i]);
}

static tile_status launch(tile_kernel *kernel, const Cuda *c, void *stream, uint32_t device,
                          int count) {
  const tile_launch how = {.size = sizeof how, .stream = stream, .device = device};
  const tile_value values[] = {tile_pointer((void *)(uintptr_t)c->arrays[0]),
                               tile_pointer((void *)(uintptr_t)c->arrays[1]),
                               tile_pointer((void *)(uintptr_t)c->arrays[2]), tile_integer(count)};
  return tile_kernel_launch(kernel, &how, values, 4);
}

static void makeArraysIn(Cuda *c) {
  for (int k = 0; k < 3; ++k) assert_int_equal(c->alloc(&c->arrays[k], sizeof c->host[k]), 0);
}

static tile_kernel *makeKernel(const tile_context_options *options, tile_context **context) {
  tile_module *module;
  tile_kernel *kernel;
  assert_ok(tile_context_create(options, context));
  assert_ok(tile_module_create_from_text(*context, addText, strlen(addText), "add.mlir", &module));
  assert_ok(tile_module_find_kernel(module, NULL, &kernel));
  return kernel;
}

/// The driver is open when the process forks; what children make is assembled, loaded and launched
/// here. One whose time is up is an error of that call, and the next one is right.
static void childrenBesideTheDriver(void **state) {
  Cuda *c = *state;
  const tile_context_options limits[] = {
      {.size = sizeof *limits, .cache = ""},
      {.size = sizeof *limits, .cache = "", .isolates = true},
      {.size = sizeof *limits,
       .cache = "",
       .isolates = true,
       .max_memory = (size_t)2 << 30,
       .max_seconds = 600},
  };
  for (int i = 0; i < 3; ++i) {
    tile_context *context;
    tile_kernel *kernel = makeKernel(&limits[i], &context);
    for (int count = COUNT; count > COUNT - 3; --count) { // three sets of facts
      fill(c, i);
      assert_ok(launch(kernel, c, NULL, 0, count));
      expectRight(c, count);
    }
    assert_ok(tile_context_destroy(context));
  }
  const tile_context_options none = {
      .size = sizeof none, .cache = "", .isolates = true, .max_seconds = 1e-6};
  tile_context *context;
  tile_module *module;
  assert_ok(tile_context_create(&none, &context));
  assert_fails(TILE_STATUS_TIMEOUT,
               tile_module_create_from_text(context, addText, strlen(addText), NULL, &module));
  assert_ok(tile_context_destroy(context));
  tile_kernel *kernel = makeKernel(&limits[1], &context);
  fill(c, 9);
  assert_ok(launch(kernel, c, NULL, 0, 17));
  expectRight(c, 17);
  assert_ok(tile_context_destroy(context));
}

static void graphsCapture(void **state) {
  Cuda *c = *state;
  const tile_context_options options = {.size = sizeof options, .cache = ""};
  tile_context *context;
  tile_kernel *kernel = makeKernel(&options, &context);
  void *stream, *graph, *executable;
  assert_int_equal(c->streamCreate(&stream, 1), 0);
  fill(c, 1);
  assert_ok(launch(kernel, c, stream, 0, COUNT)); // so that its code is there
  assert_int_equal(c->synchronize(), 0);
  assert_int_equal(c->beginCapture(stream, 1), 0);
  assert_ok(launch(kernel, c, stream, 0, COUNT));
  assert_int_equal(c->endCapture(stream, &graph), 0);
  assert_int_equal(c->instantiate(&executable, graph, 0), 0);
  for (int seed = 2; seed < 4; ++seed) {
    fill(c, seed);
    assert_int_equal(c->launchGraph(executable, stream), 0);
    expectRight(c, COUNT);
  }
  assert_ok(tile_context_destroy(context));
}

static void *launchNowhere(void *data) {
  tile_kernel *kernel = ((void **)data)[0];
  Cuda *c = ((void **)data)[1];
  void *current = c;
  tile_status status = c->getCurrent(&current) || current ? TILE_STATUS_SYSTEM : TILE_STATUS_OK;
  if (!status) status = launch(kernel, c, NULL, 1, COUNT);
  if (!status) status = launch(kernel, c, NULL, 1000, COUNT) != TILE_STATUS_DEVICE;
  return (void *)(uintptr_t)status;
}

/// A context of the caller's own has code of its own; a device's number takes a launch to the
/// primary one, and back; a thread without a context gets that.
static void contextsAndDevices(void **state) {
  Cuda *c = *state;
  const tile_context_options options = {.size = sizeof options, .cache = ""};
  tile_context *context;
  tile_kernel *kernel = makeKernel(&options, &context);
  void *own, *current;
  assert_ok(launch(kernel, c, NULL, 0, COUNT));
  void *primary;
  assert_int_equal(c->getCurrent(&primary), 0);
  assert_int_equal(c->create(&own, 0, 0), 0); // becomes current
  Cuda there = *c;
  makeArraysIn(&there);
  fill(&there, 5);
  assert_ok(launch(kernel, &there, NULL, 0, COUNT));
  assert_ok(launch(kernel, &there, NULL, 1, COUNT)); // of device 0, which this context is of
  expectRight(&there, COUNT);
  assert_int_equal(c->getCurrent(&current), 0);
  assert_ptr_equal(current, own);
  assert_int_equal(c->setCurrent(primary), 0);
  fill(c, 6);
  void *both[] = {kernel, c};
  pthread_t thread;
  void *status;
  assert_int_equal(pthread_create(&thread, NULL, launchNowhere, both), 0);
  pthread_join(thread, &status);
  assert_int_equal((uintptr_t)status, TILE_STATUS_OK);
  expectRight(c, COUNT);
  assert_ok(tile_context_destroy(context));
  assert_int_equal(c->destroy(own), 0);
}

/// The kernel writes where no memory is. What waits for it is told; launches then say that the
/// context is lost; the process lives, and its processor launches.
static void faultsOfKernels(void **state) {
  Cuda *c = *state;
  const tile_context_options options = {.size = sizeof options, .cache = ""};
  tile_context *context;
  tile_kernel *kernel = makeKernel(&options, &context);
  fill(c, 7);
  assert_ok(launch(kernel, c, NULL, 0, COUNT));
  expectRight(c, COUNT);
  Cuda wild = *c;
  wild.arrays[2] = UINT64_C(1) << 52;
  assert_ok(launch(kernel, &wild, NULL, 0, COUNT));
  assert_int_not_equal(c->synchronize(), 0);
  for (int i = 0; i < 2; ++i) {
    assert_fails(TILE_STATUS_DEVICE, launch(kernel, c, NULL, 0, COUNT));
    assert_non_null(strstr(tile_get_message(), "the context is lost"));
  }
  Arrays a = makeArrays(100, 0);
  const tile_launch cpu = {.size = sizeof cpu, .place = TILE_PLACE_CPU};
  const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                               tile_integer(100)};
  assert_ok(tile_kernel_launch(kernel, &cpu, values, 4));
  expectSums(&a, 100);
  freeArrays(&a);
  assert_ok(tile_context_destroy(context));
}

int main(void) {
  static Cuda cuda;
  openCuda(&cuda);
  makeArraysIn(&cuda);
  void *state = &cuda;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(childrenBesideTheDriver, state),
      cmocka_unit_test_prestate(graphsCapture, state),
      cmocka_unit_test_prestate(contextsAndDevices, state),
      cmocka_unit_test_prestate(faultsOfKernels, state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
