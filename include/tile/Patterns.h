//===- Patterns.h - rewrites of one op by others ----------------*- C -*-===//
//
//   // %y = tile.double %x  ->  %y = arith.addf %x, %x
//   static bool expandDouble(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
//     results[0] = tileBuildBinary(b, "arith.addf", tileOperand(op, 0), tileOperand(op, 0));
//     return true;
//   }
//   static const TilePattern patterns[] = {{"tile.double", expandDouble}};
//   tileApplyPatterns(func, TILE_PATTERNS(patterns), NULL);
//
// For what follows from an op and its operands alone. MLIR's driver finds the ops and replaces them
// (mlirOpRewritePatternCreate, mlirWalkAndApplyPatterns), so that a pass is a table of names and
// functions, and --debug-only=pattern-application, actions and --debug-counter work on it.
//===----------------------------------------------------------------------===//
#ifndef TILE_PATTERNS_H
#define TILE_PATTERNS_H

#include "tile/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  /// The ops' name.
  const char *root;
  /// Builds at `b`, in front of `op`, what stands for its results, and fills `results`, one for
  /// each; or builds nothing and returns false. It may change neither `op` nor other ops.
  bool (*rewrite)(TileBuilder *b, MlirOperation op, void *data, MlirValue *results);
} TilePattern;

/// Of an array: how many, and where.
#define TILE_PATTERNS(patterns) (intptr_t)(sizeof(patterns) / sizeof *(patterns)), (patterns)

/// Tries the patterns on each op below `root`, once, those inside of an op before it; what they
/// build is not visited. `data` is handed to them.
void tileApplyPatterns(MlirOperation root, intptr_t count, const TilePattern *patterns, void *data);

#ifdef __cplusplus
}
#endif
#endif
