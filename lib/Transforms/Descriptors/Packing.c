//===- Packing.c - arrays that a launch copies to where they are aligned ---===//
#include "Packing.h"
#include "../Loops.h"

bool tileKernelPacks(MlirOperation func) {
  return !mlirAttributeIsNull(tileAttr(func, "tile_gpu.packs"));
}

typedef struct {
  MlirOperation load;
  bool writes;
} Search;

/// Up to the load, in the order of the text.
static MlirWalkResult searchInFront(MlirOperation op, void *data) {
  Search *s = data;
  if (mlirOperationEqual(op, s->load)) return MlirWalkResultInterrupt;
  s->writes |= (tileOpGetEffects(op) & TILE_WRITES_GLOBAL) != 0;
  return s->writes ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

const char *tileWhyNotPacked(MlirOperation load) {
  Search s = {.load = load};
  MlirOperation op = load;
  while (!tileOpIsAFunc(op) && !s.writes) {
    op = mlirOperationGetParentOperation(op);
    // What stands behind the load in a loop runs in front of it the next time.
    if (tileOpIsLoop(op)) s.writes |= tileHoldsEffects(op, TILE_WRITES_GLOBAL);
  }
  if (!s.writes) mlirOperationWalk(op, searchInFront, &s, MlirWalkPreOrder);
  return s.writes ? "expected no write of memory before the load, found one" : NULL;
}
