//===- launch.c - what a launch costs on the host, by libtile --------------===//
//
// One kernel of ten arguments, launched on a stream of ours: by cuLaunchKernel, by libtile's
// artifacts and by its kernels, which look the code up. Batches take turns; a batch is timed up to
// its last launch, and waits for the device outside of that. Before and after, results are compared
// with what the host computes. Then first calls, graphs, and a second context.
//
//   build/bin/bench/launch
//===----------------------------------------------------------------------===//
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tile.h>
#include <time.h>

enum { COUNT = 4096, BATCH = 200, ROUNDS = 101, WAYS = 3 };

static const char text[] =
    "!index = tensor<256xi32>\n!ptrs = tensor<256x!tile.ptr<f32>>\n"
    "tile.func @axpby(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32,\n"
    "    %a: f32, %b: f32, %sx: i32, %sy: i32, %so: i32, %first: i32) {\n"
    "  tile.grid(%n : i32) {\n"
    "    %c256 = arith.constant 256 : i32\n"
    "    %p = arith.ceildivsi %n, %c256 : i32\n"
    "    tile.yield %p : i32\n  }\n"
    "  %c256 = arith.constant 256 : i32\n"
    "  %pid = tile.program_id x\n"
    "  %at = arith.muli %pid, %c256 : i32\n"
    "  %from = arith.addi %at, %first : i32\n"
    "  %lane = tile.arange : !index\n"
    "  %base = tile.splat %from : i32 -> !index\n"
    "  %i = arith.addi %base, %lane : !index\n"
    "  %end = tile.splat %n : i32 -> !index\n"
    "  %in = arith.cmpi slt, %i, %end : !index\n"
    "  %sxs = tile.splat %sx : i32 -> !index\n  %xi = arith.muli %i, %sxs : !index\n"
    "  %sys = tile.splat %sy : i32 -> !index\n  %yi = arith.muli %i, %sys : !index\n"
    "  %sos = tile.splat %so : i32 -> !index\n  %oi = arith.muli %i, %sos : !index\n"
    "  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs\n"
    "  %xp = tile.addptr %xs, %xi : !ptrs, !index\n  %xv = tile.load %xp, %in : !ptrs\n"
    "  %ys = tile.splat %y : !tile.ptr<f32> -> !ptrs\n"
    "  %yp = tile.addptr %ys, %yi : !ptrs, !index\n  %yv = tile.load %yp, %in : !ptrs\n"
    "  %as = tile.splat %a : f32 -> tensor<256xf32>\n"
    "  %bs = tile.splat %b : f32 -> tensor<256xf32>\n"
    "  %ax = arith.mulf %as, %xv : tensor<256xf32>\n"
    "  %by = arith.mulf %bs, %yv : tensor<256xf32>\n"
    "  %sum = arith.addf %ax, %by : tensor<256xf32>\n"
    "  %os = tile.splat %out : !tile.ptr<f32> -> !ptrs\n"
    "  %op = tile.addptr %os, %oi : !ptrs, !index\n  tile.store %op, %sum, %in : !ptrs\n"
    "  tile.return\n}\n";

typedef struct Driver {
  int (*init)(unsigned);
  int (*deviceGet)(int *, int);
  int (*retain)(void **, int);
  int (*create)(void **, unsigned, int);
  int (*setCurrent)(void *);
  int (*streamCreate)(void **, unsigned);
  int (*synchronize)(void *);
  int (*alloc)(uint64_t *, size_t);
  int (*copyIn)(uint64_t, const void *, size_t);
  int (*copyOut)(void *, uint64_t, size_t);
  int (*load)(void **, const void *);
  int (*getFunction)(void **, void *, const char *);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                void *, void **, void **);
  int (*beginCapture)(void *, int);
  int (*endCapture)(void *, void **);
  int (*instantiate)(void **, void *, unsigned long long);
  int (*launchGraph)(void *, void *);
} Driver;

static void check(int result, const char *what) {
  if (!result) return;
  fprintf(stderr, "error: expected %s to succeed, found %d\n", what, result);
  exit(1);
}

static void need(tile_status status, const char *what) {
  if (!status) return;
  fprintf(stderr, "%s: %s: %s\n", what, tile_status_get_name(status), tile_get_message());
  exit(1);
}

static Driver openDriver(void) {
  Driver d;
  const char *path = getenv("TILE_CUDA_DRIVER");
  void *library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW);
  const struct {
    void *function;
    const char *name;
  } names[] = {
      {&d.init, "cuInit"},
      {&d.deviceGet, "cuDeviceGet"},
      {&d.retain, "cuDevicePrimaryCtxRetain"},
      {&d.create, "cuCtxCreate_v2"},
      {&d.setCurrent, "cuCtxSetCurrent"},
      {&d.streamCreate, "cuStreamCreate"},
      {&d.synchronize, "cuStreamSynchronize"},
      {&d.alloc, "cuMemAlloc_v2"},
      {&d.copyIn, "cuMemcpyHtoD_v2"},
      {&d.copyOut, "cuMemcpyDtoH_v2"},
      {&d.load, "cuModuleLoadData"},
      {&d.getFunction, "cuModuleGetFunction"},
      {&d.launch, "cuLaunchKernel"},
      {&d.beginCapture, "cuStreamBeginCapture_v2"},
      {&d.endCapture, "cuStreamEndCapture"},
      {&d.instantiate, "cuGraphInstantiateWithFlags"},
      {&d.launchGraph, "cuGraphLaunch"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    void *address = library ? dlsym(library, names[i].name) : NULL;
    if (!address) {
      fprintf(stderr, "error: expected a CUDA driver with %s, found none\n", names[i].name);
      exit(1);
    }
    memcpy(names[i].function, &address, sizeof address);
  }
  return d;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

/// What all ways launch.
typedef struct Work {
  Driver d;
  void *stream, *function;
  unsigned threads;
  tile_kernel *kernel;
  tile_artifact *artifact;
  uint64_t arrays[3];
  float host[3][COUNT];
  int n;
  float a, b;
} Work;

static void launchByDriver(Work *w) {
  int one = 1, zero = 0;
  void *parameters[] = {&w->arrays[0], &w->arrays[1], &w->arrays[2], &w->n, &w->a,
                        &w->b,         &one,          &one,          &one,  &zero};
  check(w->d.launch(w->function, (unsigned)(w->n + 255) / 256, 1, 1, w->threads, 1, 1, 0, w->stream,
                    parameters, NULL),
        "cuLaunchKernel");
}

static void launchByTile(Work *w, int artifact) {
  const tile_launch how = {
      .size = sizeof how, .grid = {(unsigned)(w->n + 255) / 256, 1, 1}, .stream = w->stream};
  const tile_launch own = {.size = sizeof own, .stream = w->stream};
  const tile_value values[] = {
      tile_pointer((void *)(uintptr_t)w->arrays[0]),
      tile_pointer((void *)(uintptr_t)w->arrays[1]),
      tile_pointer((void *)(uintptr_t)w->arrays[2]),
      tile_integer(w->n),
      tile_float((double)w->a),
      tile_float((double)w->b),
      tile_integer(1),
      tile_integer(1),
      tile_integer(1),
      tile_integer(0),
  };
  tile_status status = artifact ? tile_artifact_launch(w->artifact, &how, values, 10)
                                : tile_kernel_launch(w->kernel, &own, values, 10);
  need(status, "launch");
}

static void launch(Work *w, int way) {
  if (way)
    launchByTile(w, way == 1);
  else
    launchByDriver(w);
}

/// Results of one launch beside the host's; the largest error.
static double checkResults(Work *w, const char *what, void (*run)(Work *, int), int way) {
  w->a = (float)(rand() % 1000) / 256;
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < COUNT; ++i) w->host[k][i] = (float)rand() / (float)RAND_MAX - .5f;
  memset(w->host[2], 0, sizeof w->host[2]);
  for (int k = 0; k < 3; ++k)
    check(w->d.copyIn(w->arrays[k], w->host[k], sizeof w->host[k]), "copy");
  run(w, way);
  check(w->d.synchronize(w->stream), what);
  check(w->d.copyOut(w->host[2], w->arrays[2], sizeof w->host[2]), "copy");
  double worst = 0;
  for (int i = 0; i < COUNT; ++i) {
    double want =
        i < w->n ? (double)w->a * (double)w->host[0][i] + (double)w->b * (double)w->host[1][i] : 0;
    double error = fabs((double)w->host[2][i] - want);
    if (error > worst) worst = error;
  }
  if (worst > 1e-5) {
    fprintf(stderr, "error: expected the sums by %s, found one that is %g off\n", what, worst);
    exit(1);
  }
  return worst;
}

static void makeArrays(Work *w) {
  for (int k = 0; k < 3; ++k) check(w->d.alloc(&w->arrays[k], sizeof w->host[k]), "cuMemAlloc");
}

static void replay(Work *w, int way) {
  void *graph, *executable;
  check(w->d.beginCapture(w->stream, 0), "begin of capture");
  launch(w, way);
  check(w->d.endCapture(w->stream, &graph), "end of capture");
  check(w->d.instantiate(&executable, graph, 0), "graph");
  check(w->d.launchGraph(executable, w->stream), "launch of a graph");
}

static void prepare(Work *w, tile_context *context) {
  tile_module *module;
  need(tile_module_create_from_text(context, text, sizeof text - 1, "axpby.mlir", &module), "text");
  need(tile_module_find_kernel(module, NULL, &w->kernel), "kernel");
}

static void prepareArtifact(Work *w) {
  const tile_compile_options options = {.size = sizeof options,
                                        .facts = "0/16,1/16,2/16,6=1,7=1,8=1,9/16"};
  need(tile_kernel_compile(w->kernel, &options, &w->artifact), "compile");
  tile_artifact_info info = {.size = sizeof info};
  tile_resources resources = {.size = sizeof resources};
  need(tile_artifact_get_info(w->artifact, &info), "info");
  need(tile_artifact_get_resources(w->artifact, &resources), "resources");
  printf("%s for %s: %zu bytes, %u registers, %u blocks a multiprocessor\n", info.kernel, info.arch,
         info.code_size, resources.registers, resources.blocks);
  w->threads = info.threads;
  void *module;
  check(w->d.load(&module, info.code), "cuModuleLoadData");
  check(w->d.getFunction(&w->function, module, info.kernel), "cuModuleGetFunction");
}

static void measure(Work *w) {
  static const char *const names[WAYS] = {"cuLaunchKernel", "tile_artifact_launch",
                                          "tile_kernel_launch"};
  static double times[WAYS][ROUNDS];
  for (int round = -5; round < ROUNDS; ++round)
    for (int k = 0; k < WAYS; ++k) {
      int way = (k + round + 5) % WAYS;
      double start = now();
      for (int i = 0; i < BATCH; ++i) launch(w, way);
      if (round >= 0) times[way][round] = (now() - start) / (double)BATCH;
      check(w->d.synchronize(w->stream), "batch");
    }
  double driver = median(times[0], ROUNDS);
  for (int way = 0; way < WAYS; ++way)
    printf("%-22s %.3f us a launch, %+.3f us\n", names[way], median(times[way], ROUNDS) * 1e6,
           (median(times[way], ROUNDS) - driver) * 1e6);
}

int main(void) {
  static Work w = {.n = COUNT - 3, .b = .75f};
  srand((unsigned)time(NULL));
  w.d = openDriver();
  int device;
  void *primary, *second;
  check(w.d.init(0), "cuInit");
  check(w.d.deviceGet(&device, 0), "cuDeviceGet");
  check(w.d.retain(&primary, device), "cuDevicePrimaryCtxRetain");
  check(w.d.setCurrent(primary), "cuCtxSetCurrent");
  check(w.d.streamCreate(&w.stream, 1), "cuStreamCreate");
  makeArrays(&w);
  for (int times = 0; times < 2; ++times) {
    tile_context *context;
    double start = now();
    need(tile_context_create(NULL, &context), "context");
    double made = now();
    prepare(&w, context);
    double read = now();
    launchByTile(&w, 0);
    double launched = now();
    check(w.d.synchronize(w.stream), "first launch");
    printf("%s: context %.2f ms, module %.2f ms, first launch %.2f ms\n", times ? "cached" : "new",
           (made - start) * 1e3, (read - made) * 1e3, (launched - read) * 1e3);
    if (times) break;
    need(tile_context_destroy(context), "destroy");
  }
  prepareArtifact(&w);
  for (int way = 0; way < WAYS; ++way) checkResults(&w, "a launch", launch, way);
  measure(&w);
  for (int way = 0; way < WAYS; ++way) checkResults(&w, "a launch", launch, way);
  for (int way = 1; way < WAYS; ++way) checkResults(&w, "a graph", replay, way);
  check(w.d.create(&second, 0, device), "cuCtxCreate");
  check(w.d.streamCreate(&w.stream, 1), "cuStreamCreate");
  makeArrays(&w);
  for (int way = 1; way < WAYS; ++way) checkResults(&w, "another context", launch, way);
  check(w.d.setCurrent(primary), "cuCtxSetCurrent");
  puts("results are right, in graphs and in another context too");
  return 0;
}
