//===- Loops.c - the loops of a kernel ------------------------------------===//
#include "Loops.h"

static MlirWalkResult add(MlirOperation op, void *data) {
  TileLoops *loops = data;
  if (tileOpIs(op, "scf.for") && loops->count < tileMaxLoops) loops->list[loops->count++] = op;
  return MlirWalkResultAdvance;
}

void tileFindLoops(MlirOperation root, TileLoops *loops) {
  mlirOperationWalk(root, add, loops, MlirWalkPostOrder);
}
