//===- Profit.c - what pays -----------------------------------------------===//
#include "Plan.h"
#include "tile/Analysis/Analysis.h"
#include "tile/MachineNumbers.h"

//===- rows off the lines -------------------------------------------------===//

bool tileHasStraddlingRows(MlirOperation func, const TileChannels *channels) {
  enum { mostKnown = 16 };
  TileAxisAnalysis *axes = tileAxisAnalysisCreate(func);
  int64_t lineBytes = tileMachineOf(func)->lineBytes;
  int64_t knownBytes = tileKernelGetNumber(func, TILE_NUMBER_STRADDLE_BYTES);
  bool found = false;
  for (int i = 0; i < channels->count; ++i)
    for (int k = 0; channels->list[i].looped && k < channels->list[i].numCopies; ++k) {
      MlirOperation desc = tileDescGetMaker(tileDescCopyGetDesc(channels->list[i].copies[k]));
      if (mlirOperationIsNull(desc) || tileDescIsPacked(desc)) continue; // its copy lies well
      MlirType type = tileDescTypeGetBox(mlirValueGetType(tileResult(desc)));
      int rank = (int)mlirShapedTypeGetRank(type);
      for (int d = 0; d + 1 < rank; ++d) {
        const TileAxisInfo *info = tileAxisAnalysisGet(axes, tileMakeDescGetStrides(desc, d));
        int64_t known = info->divisibility[0] < lineBytes ? info->divisibility[0] : lineBytes;
        int64_t bytes = known * tileBitWidth(tileElementType(type)) / 8;
        // What a launch tells of a number is a divisor up to 16: one below it is all there is.
        bool isExact = info->divisibility[0] < mostKnown && bytes > knownBytes;
        found |= !info->hasConstant && (bytes == knownBytes || (isExact && bytes < lineBytes));
        found |= info->hasConstant && bytes < lineBytes;
      }
    }
  tileAxisAnalysisDestroy(axes);
  return found;
}

//===- deferral -----------------------------------------------------------===//

const char *tileShouldDefer(MlirOperation func, const TileChannels *channels,
                            const TileBoxStores *stores) {
  int64_t mostBits = tileKernelGetNumber(func, TILE_NUMBER_DEFERRED_BITS);
  int64_t mostWords = tileKernelGetNumber(func, TILE_NUMBER_DEFERRED_WORDS);
  const char *reason = tileMayDefer(channels, stores);
  int64_t words = 0;
  for (int i = 0; i < stores->count && !reason; ++i) {
    MlirType value = mlirValueGetType(stores->list[i].value);
    words += tileTypeGetWords(value);
    if (tileBitWidth(tileElementType(value)) > mostBits)
      reason = "expected results of 16 bits or less, found wider ones";
    else if (words > mostWords)
      reason = "expected results of at most 64 words a thread, found more";
  }
  return reason;
}

bool tileWorksBehind(const TileChannels *channels) {
  MlirOperation loop = mlirBlockGetParentOperation(tileAsyncChannel(channels)->block);
  int64_t elements = tileNumElements(mlirValueGetType(tileResult(loop)));
  MlirOperation op = mlirOperationGetNextInBlock(loop);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!tileOpIsElementwise(op) || tileOpIs(op, "arith.truncf")) continue;
    MlirType type = mlirValueGetType(tileResult(op));
    if (tileTypeIsTile(type) && tileNumElements(type) == elements) return true;
  }
  return false;
}
