//===- tile-run.c - run the kernels of a file -----------------------------===//
//
//   tile-run matmul.mlir --args 512            runs @main(512, 512, 512), checks, times
//   tile-run add.mlir --kernel add --arg ...   runs one kernel on described arguments
//   tile-run matmul.mlir --args 512 --emit=ptx prints the code that such a run would use
//
//===----------------------------------------------------------------------===//
#include "../start/Programs.h"
#include "TileRun.h"
#include "tile/Support/Process.h"

/// Everything but tuning.
static bool runCommand(const RunOptions *o) {
  if (o->deviceInfo) return printDeviceInfo();
  TileCache *cache = NULL;
  if (!openCache(&cache)) return false;
  bool ok = o->cacheStat    ? printCacheStat(cache)
            : o->cacheClear ? clearCache(cache)
            : o->tuneShow   ? showTuned(cache)
            : o->tuneExport ? exportTuned(cache, o->tuneExport)
            : o->tuneImport ? importTuned(cache, o->tuneImport)
                            : runFile(o, cache, NULL);
  tileCacheClose(cache);
  return ok;
}

/// What is left of main when the start has done its part (start/RunStart.c).
int tileRunMain(int argc, char **argv) {
  tileProcessBegin("tile-run");
  RunOptions o = runOptionsParse(argc, argv);
  bool ok = !o.tune || tune(&o);
  // With what was found: the result of a run is what a user wants to see last.
  if (ok) ok = runCommand(&o);
  runOptionsDestroy(&o);
  return ok ? 0 : 1;
}
