//===- Stored.c - what is stored of a value -------------------------------===//
#include "tile/Analysis/Stored.h"

int64_t tileStoredAdd(TileValueSearch *s, MlirValue value, TileOpTest counts, void *data,
                      bool *isRead) {
  int64_t bits = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool stores = tileOpIsAStore(user) && mlirOpOperandGetOperandNumber(use) == 1;
    if (stores && (!counts || counts(user, data)))
      bits += tileBitWidth(tileElementType(mlirValueGetType(value)));
    *isRead |= !stores && !tileOpIsElementwise(user);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(user) && tileOpIsElementwise(user); ++i)
      tileValueSearchAdd(s, mlirOperationGetResult(user, i));
  }
  return bits;
}

int64_t tileStoredBits(MlirValue value, TileOpTest counts, void *data, bool *isRead) {
  enum { MOST_VALUES = 64 };
  TileValueSearch s = {0};
  int64_t bits = 0;
  bool ends = false, passed = false;
  tileValueSearchAdd(&s, value);
  for (int n = 0; s.count && !ends; ++n) {
    ends = n == MOST_VALUES;
    if (!ends)
      bits += tileStoredAdd(&s, s.stack[--s.count], counts, data, isRead ? &ends : &passed);
  }
  tileValueSearchClear(&s);
  if (isRead) *isRead = ends;
  return bits;
}
