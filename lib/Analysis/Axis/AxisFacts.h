//===- AxisFacts.h - what the walk of axis analysis keeps -----------------===//
//
// A fact a value, what is promised of some values, and the rows of ops' names. Keys are addresses
// that MLIR keeps unique: of a value, and of an op's name in its context. Tables only grow, until
// tileAxisAnalysisDestroy.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_LIB_ANALYSIS_AXIS_FACTS_H
#define TILE_LIB_ANALYSIS_AXIS_FACTS_H

#include "Axis.h"
#include "tile/Support/PointerTable.h"

struct TileAxisAnalysis {
  TilePointerTable facts;    ///< value -> TileAxisInfo
  TilePointerTable promises; ///< value -> AxisPromise
  TilePointerTable names;    ///< the characters of an op's name, unique in a context -> int, a row
  int accessBytes;           ///< that one access moves at most
  int lineBytes;             ///< of a line of the L2 cache
  int sectorBytes;           ///< and of a sector
  bool knowsOnes;            ///< tile.knows_ones: integers that are arguments still are not 1
  int64_t grid[3];           ///< most programs along x, y, z, by tile.grid; 0 where unknown
};

static inline AxisType axisTypeOfValue(MlirValue value) {
  return axisTypeOf(mlirValueGetType(value));
}

//===- Facts.c ------------------------------------------------------------===//

/// What is known so far; nothing, of a value not reached yet.
TileAxisInfo axisGetFact(const TileAxisAnalysis *a, MlirValue value);
/// Replaces what was known of the value; what is promised of it is added.
void axisSetFact(TileAxisAnalysis *a, MlirValue value, TileAxisInfo info);
void axisSetUnknown(TileAxisAnalysis *a, MlirValue value);
/// Adds to what is promised of the value. To be called before its fact is set.
void axisAddPromise(TileAxisAnalysis *a, MlirValue value, AxisPromise promise);

//===- Transfer.c ---------------------------------------------------------===//

/// How the walk treats an op.
typedef enum AxisOpKind {
  AXIS_OP_OTHER,   ///< no row stands for it
  AXIS_OP_RESULTS, ///< axisEvaluate says what its results are
  AXIS_OP_FOR,
  AXIS_OP_IF,
  AXIS_OP_WHILE,
  AXIS_OP_HOST_REGION
} AxisOpKind;

/// The kind of `op`, and the row that axisEvaluate takes.
AxisOpKind axisFindRow(TileAxisAnalysis *a, MlirOperation op, int *row);
/// What is known of each result of an op of kind AXIS_OP_RESULTS.
TileAxisInfo axisEvaluate(const TileAxisAnalysis *a, MlirOperation op, int row);

#endif
