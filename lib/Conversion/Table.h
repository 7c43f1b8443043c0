//===- Table.h - constant tiles with a value for each element ---*- C -*-===//
//
// Their elements become a constant array of the module, which kernels of both targets
// read:
//
//   arith.constant dense<[3, 1, 2, 0]> : tensor<4xi32>
//   llvm.mlir.global internal constant @__tile_table_0(dense<[3, 1, 2, 0]> : tensor<4xi32>)
//
//===----------------------------------------------------------------------===//
#ifndef TILE_CONVERSION_TABLE_H
#define TILE_CONVERSION_TABLE_H

#include "tile/IR.h"
#include "tile/Support/PointerTable.h"

/// The elements of a constant, as they lie in memory: i1 a byte, floats their bits.
typedef struct {
  char *bytes; ///< row by row
  int size;    ///< of an element, in bytes
  int64_t count;
} TileTable;

/// Is the op a constant tile whose elements differ?
bool tileIsTable(MlirOperation op);

/// Those of a constant for which tileIsTable; `row`: rows of the last dimension are made that long,
/// with zeros, 0 leaves them. The caller frees `bytes`.
TileTable tileTableOf(MlirOperation op, int64_t row);

/// The arrays that a lowering has made in a module; `made` starts as zero.
typedef struct {
  MlirBlock module;      ///< of a module or gpu.module
  int space;             ///< of the arrays, as !llvm.ptr<space>
  int next;              ///< the number in the name of the next one
  TilePointerTable made; ///< elements, an attribute -> int, the number of their array
} TileTables;

/// !llvm.ptr<space>, at `b`, to an array of these elements in the module; made unless it is there.
MlirValue tileTablesAddress(TileTables *tables, TileBuilder *b, const TileTable *table);

/// Forgets what was made, which stays.
void tileTablesClear(TileTables *tables);

#endif
