//===- MeetingLayouts.c - which of two layouts an op computes in ----------===//
//
// Before:  %t = tile.trans %x                 // as the threads that loaded rows have columns
//          %w = tile.load ..                  // as memory has rows
//          %y = arith.addf %t, %w             // as %t lies: %w is converted, and %y for the store
//          tile.store .., %y
// After:   %y as %w and the store have it: %t alone is converted
//
// Operands of one size meet in one layout, and the others are converted. What is stored of the
// result counts with them: bits of an element of all that lie in a layout are bits that need no
// conversion there. Beside dots their sums decide (SpreadLayouts.c).
//===----------------------------------------------------------------------===//
#include "Assigner.h"
#include "tile/Analysis/Stored.h"

/// Stores in one layout.
typedef struct {
  const TileAssigner *a;
  MlirAttribute layout;
} Stores;

static bool liesSo(MlirOperation store, void *data) {
  const Stores *stores = data;
  return mlirAttributeEqual(tileAssignerOfStore(stores->a, store), stores->layout);
}

/// Bits of an element of operands of `op` that lie so, and of what is stored so of its result.
static int64_t bitsIn(const TileAssigner *a, MlirOperation op, MlirAttribute layout) {
  Stores stores = {a, layout};
  int64_t bits = tileStoredBits(tileResult(op), liesSo, &stores, NULL);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (mlirAttributeEqual(tileAssignerLayoutOf(a, operand), layout))
      bits += tileBitWidth(tileElementType(mlirValueGetType(operand)));
  }
  return bits;
}

bool tileAssignerPrefers(const TileAssigner *a, MlirOperation op, MlirAttribute layout,
                         MlirAttribute other) {
  if (a->hasDots || mlirAttributeIsNull(other) || mlirAttributeEqual(layout, other)) return false;
  return bitsIn(a, op, layout) > bitsIn(a, op, other);
}
