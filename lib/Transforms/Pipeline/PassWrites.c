//===- PassWrites.c - loops with dots, and with writes --------------------===//
//
//   for .. { dot of load %x ; store %y }  ->  if %x and %y lie apart { the loop, marked }
//                                             else { the loop, of one stage }
//
// as recurrences over chunks have that store each chunk's result. In the marked one copies of what
// dots read run ahead as if it wrote nothing, and so do their loads that are no copies, and those
// of a few words beside them, as gates of rows are, whose places can be told (tile-load-ahead). A
// barrier in front of both stands for those of the loop, which copies then pass.
// Where a loop stays as it is its loads tell of it (Feeds.c).
//===----------------------------------------------------------------------===//
#include "PassWrites.h"
#include "../Loops.h"
#include "tile/MachineNumbers.h"
#include "tile/Trace.h"
#include <stdlib.h>

/// Puts `op` into `block`, which then yields its results.
static void putInto(MlirBlock block, MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  MlirValue *results = calloc((size_t)count + 1, sizeof *results);
  if (!results) abort();
  for (intptr_t i = 0; i < count; ++i) results[i] = mlirOperationGetResult(op, i);
  mlirBlockAppendOwnedOperation(block, op);
  TileBuilder b = tileBuilderAtEnd(block, mlirOperationGetLocation(op));
  tileBuildOp(&b, "scf.yield", count, results, TILE_NONE, TILE_NONE, 0);
  free(results);
}

/// The loop, and `apart` of its loads, are marked.
static void divide(MlirOperation loop, MlirValue condition, const TileOpList *apart) {
  MlirContext context = mlirOperationGetContext(loop);
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirType *types = calloc((size_t)count + 1, sizeof *types);
  if (!types) abort();
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirValueGetType(mlirOperationGetResult(loop, i));
  TileBuilder b = tileBuilderBefore(loop);
  if (tileHoldsBarrier(loop)) tileBuildOp(&b, "tile.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  MlirOperation branch = tileBuildIf(&b, condition, count, types, true);
  for (intptr_t i = 0; i < count; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i),
                                  mlirOperationGetResult(branch, i));
  free(types);
  MlirOperation other = mlirOperationClone(loop);
  mlirOperationSetAttributeByName(other, tileString("tile.num_stages"),
                                  mlirIntegerAttrGet(tileI32(context), 1));
  tileSetPassesWrites(loop);
  for (size_t i = 0; i < apart->count; ++i) tileSetPassesWrites(apart->ops[i]);
  mlirOperationRemoveFromParent(loop);
  putInto(tileBody(branch, 0), loop);
  putInto(tileBody(branch, 1), other);
}

/// Where values lie, of a function: made when the first loop asks, and anew behind a loop that was
/// divided.
typedef struct {
  MlirOperation func;
  TileAxisAnalysis *axis;
  TileAffine *affine;
} Places;

static void forget(Places *places) {
  if (!places->affine) return;
  tileAffineDestroy(places->affine);
  tileAxisAnalysisDestroy(places->axis);
  places->affine = NULL;
}

static TileAffine *look(Places *places) {
  if (!places->affine) {
    places->axis = tileAxisAnalysisCreate(places->func);
    places->affine = tileAffineCreate(places->func, places->axis, NULL);
  }
  return places->affine;
}

/// Adds to `apart` the loads that may start early: those of dots, of which some are no copies, and
/// those beside them that are worth it, and are taken to `f->hazards`.
static void addEarly(TileFeeds *f, TileOpList *apart) {
  int most = tileMachineNumber(tileMachineOf(f->loop), TILE_NUMBER_HOISTED_WORDS);
  TILE_FOR_EACH_OP(op, f->body) {
    if (!tileOpIsALoad(op) || tileLoadGetCache(op) == TILE_CACHE_USE_CV) continue;
    bool forDot = tileFeedsHasForDot(f, op);
    bool isSmall = tileTypeGetWords(mlirValueGetType(tileResult(op))) <= most;
    if (forDot || (isSmall && !tileFeedsPassWrite(f, op))) tileOpListAdd(apart, op);
  }
}

static void runLoop(Places *places, MlirOperation loop) {
  TileFeeds *f = malloc(sizeof *f);
  if (!f) abort();
  *f = (TileFeeds){.loop = loop, .body = tileBody(loop, 0)};
  if (tileFeedsMeetWrites(f)) {
    f->hazards = (TileHazards){.loop = loop, .affine = look(places), .apartAlone = true};
    const char *why = tileFeedsPassWrites(f);
    if (why)
      tileEmitRemark(mlirOperationGetLocation(loop), "copies do not pass the loop's writes: %s",
                     why);
    else {
      TileOpList apart = {0};
      addEarly(f, &apart);
      divide(loop, tileHazardsBuild(&f->hazards), &apart);
      tileOpListDestroy(&apart);
      forget(places);
    }
  }
  free(f);
}

void tileLetPassWrites(MlirOperation func, int64_t wish) {
  TileOpList loops = {0};
  Places places = {.func = func};
  tileFindLoops(func, &loops);
  for (size_t i = 0; i < loops.count; ++i)
    if (tileIntAttr(loops.ops[i], "tile.num_stages", wish) != 1) runLoop(&places, loops.ops[i]);
  forget(&places);
  tileOpListDestroy(&loops);
}
