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
#include "tile/Support/ValueSearch.h"

/// What is stored in a layout of those values that are looked at.
typedef struct {
  const TileAssigner *a;
  MlirAttribute layout;
  int64_t bits; ///< of an element, of all stores
  int left;     ///< values that are looked at still
} Stores;

/// Adds up what is stored of `value`, and goes on to what is computed of it element by element.
static bool addStores(TileValueSearch *s, MlirValue value, const void *data) {
  Stores *stores = *(Stores *const *)data;
  if (!stores->left--) return true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool isStored = tileOpIsAStore(user) && mlirOpOperandGetOperandNumber(use) == 1;
    if (isStored && mlirAttributeEqual(tileAssignerOfStore(stores->a, user), stores->layout))
      stores->bits += tileBitWidth(tileElementType(mlirValueGetType(value)));
    if (tileOpIsElementwise(user) && tileHasTileResult(user))
      tileValueSearchAdd(s, tileResult(user));
  }
  return false;
}

/// Bits of an element of operands of `op` that lie so, and of what is stored so of its result.
static int64_t bitsIn(const TileAssigner *a, MlirOperation op, MlirAttribute layout) {
  enum { MOST_VALUES = 64 };
  Stores stores = {.a = a, .layout = layout, .left = MOST_VALUES}, *data = &stores;
  tileValueSearchFinds(tileResult(op), addStores, &data);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (mlirAttributeEqual(tileAssignerLayoutOf(a, operand), layout))
      stores.bits += tileBitWidth(tileElementType(mlirValueGetType(operand)));
  }
  return stores.bits;
}

bool tileAssignerPrefers(const TileAssigner *a, MlirOperation op, MlirAttribute layout,
                         MlirAttribute other) {
  if (a->hasDots || mlirAttributeIsNull(other) || mlirAttributeEqual(layout, other)) return false;
  return bitsIn(a, op, layout) > bitsIn(a, op, other);
}
