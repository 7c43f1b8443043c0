//===- gpu.c - the examples beside a device copy, in one run --------------===//
//
//   build/bin/bench/gpu test/Examples
//
// In one process, by turns, so that all see the same clocks and temperatures:
//
//   - a device-to-device copy of 1 GiB: what memory can do (bytes read and written);
//   - vector add of 2^28 f32, as a share of that rate;
//   - matmul f16 of several sizes.
//
// Each program checks its own result against its reference before it is timed. A
// figure is the median of the rounds' medians, each with a cold L2.
//
//===----------------------------------------------------------------------===//
#include "mlir-c/IR.h"
#include "tile/Runtime.h"
#include "tile/Session/Program.h"
#include "tile/Tile.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rounds = 5, copiesARound = 10 };

/// One line of the table: a program that has run and been checked.
typedef struct {
  const char *file, *arguments;
  TileProgram *program;
  MlirModule module;
  double seconds[rounds];
} Row;

static char *readFile(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *text = NULL;
  if (!fseek(file, 0, SEEK_END)) {
    long size = ftell(file);
    rewind(file);
    text = size >= 0 ? calloc((size_t)size + 1, 1) : NULL;
    if (text && fread(text, 1, (size_t)size, file) != (size_t)size) {
      free(text);
      text = NULL;
    }
  }
  fclose(file);
  return text;
}

static bool openRow(MlirContext context, const char *folder, Row *row) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.mlir", folder, row->file);
  char *text = readFile(path);
  if (!text) {
    fprintf(stderr, "error: expected a file at %s, found none that can be read\n", path);
    return false;
  }
  row->module = tileParse(context, mlirStringRefCreateFromCString(text),
                          mlirStringRefCreateFromCString("<text>"));
  free(text);
  if (mlirModuleIsNull(row->module)) return false;
  TileProgramOptions options = {.target = TILE_PROGRAM_GPU};
  row->program = tileProgramCreate(row->module, &options);
  return row->program &&
         mlirLogicalResultIsSuccess(tileProgramRun(row->program, &row->arguments, 1));
}

typedef struct {
  TileDevice *device;
  TileDevicePtr to, from;
  size_t bytes;
} Copy;

static bool runCopy(void *context, TileError *error) {
  const Copy *copy = context;
  return tileDeviceCopy(copy->device, copy->to, copy->from, copy->bytes, NULL, error);
}

/// Seconds that one copy takes: the median of several, each with a cold L2.
static bool timeCopy(Copy *copy, double *seconds, TileError *error) {
  TileTimingOptions options = {.repeat = copiesARound};
  TileTiming timing = {0};
  bool ok = tileTimingMeasure(copy->device, runCopy, copy, &options, &timing, error);
  *seconds = tileStatisticsCompute(timing.seconds, timing.count).median;
  tileTimingDestroy(&timing);
  return ok;
}

static bool measure(TileDevice *device, Row *rows, size_t numRows, double copy[rounds],
                    size_t bytes, TileError *error) {
  Copy work = {.device = device, .bytes = bytes};
  bool ok = tileDeviceAlloc(device, bytes, &work.from, error) &&
            tileDeviceAlloc(device, bytes, &work.to, error) &&
            tileDeviceSet(device, work.from, 0x3c, bytes, NULL, error);
  for (int r = 0; ok && r < rounds; ++r) {
    ok = timeCopy(&work, &copy[r], error);
    for (size_t i = 0; ok && i < numRows; ++i) {
      TileStatistics statistics;
      ok = mlirLogicalResultIsSuccess(tileProgramTime(rows[i].program, 0, 0, &statistics));
      rows[i].seconds[r] = statistics.median;
    }
  }
  tileDeviceFree(device, work.from);
  tileDeviceFree(device, work.to);
  return ok;
}

static void print(const Row *row, double copyRate) {
  double seconds[rounds];
  memcpy(seconds, row->seconds, sizeof seconds);
  double median = tileStatisticsCompute(seconds, rounds).median;
  TileProgramLaunch launch = tileProgramGetLaunch(row->program, 0);
  TileProgramChecks checks = tileProgramGetChecks(row->program);
  double rate = (double)launch.bytes / median;
  printf("%-12s %-12s %10.4f ms %9.1f TFLOP/s %9.0f GB/s %6.1f %% of the copy   error %.2g\n",
         row->file, row->arguments, median * 1e3, (double)launch.operations / median * 1e-12,
         rate * 1e-9, 100 * rate / copyRate, checks.frobeniusError);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s FOLDER-OF-EXAMPLES\n", argv[0]);
    return 2;
  }
  Row rows[] = {{.file = "Basics/vector_add", .arguments = "268435456"},
                {.file = "Matmul/matmul", .arguments = "512"},
                {.file = "Matmul/matmul", .arguments = "1024"},
                {.file = "Matmul/matmul", .arguments = "2048"},
                {.file = "Matmul/matmul", .arguments = "4096"},
                {.file = "Matmul/matmul", .arguments = "8192"}};
  size_t numRows = sizeof rows / sizeof *rows, bytes = (size_t)1 << 30;
  TileError error = TILE_ERROR_INIT;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  TileDriver *driver = tileDriverOpen(&error);
  TileDevice *device = driver ? tileDeviceCreate(driver, 0, &error) : NULL;
  double copy[rounds] = {0};
  bool ok = device != NULL;
  for (size_t i = 0; ok && i < numRows; ++i) ok = openRow(context, argv[1], &rows[i]);
  ok = ok && measure(device, rows, numRows, copy, bytes, &error);
  if (ok) {
    double rate = 2.0 * (double)bytes / tileStatisticsCompute(copy, rounds).median;
    printf("%s: medians of %d rounds\n", tileDeviceGetInfo(device)->name, rounds);
    printf("%-12s %-12s %10.4f ms %9s %17.0f GB/s\n", "copy", "1 GiB",
           2.0 * (double)bytes / rate * 1e3, "", rate * 1e-9);
    for (size_t i = 0; i < numRows; ++i) print(&rows[i], rate);
  } else if (tileErrorGetMessage(&error)[0]) {
    fprintf(stderr, "error: %s\n", tileErrorGetMessage(&error));
  }
  for (size_t i = 0; i < numRows; ++i) {
    tileProgramDestroy(rows[i].program);
    if (rows[i].module.ptr) mlirModuleDestroy(rows[i].module);
  }
  tileDeviceDestroy(device);
  tileErrorDestroy(&error);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return ok ? 0 : 1;
}
