//===- LoneLoop.c - a loop of dots whose operands threads load ------------===//
//
// Blocks may divide it as they divide one that reads boxes. It may carry pointers and offsets
// besides its sums, if each step moves them by as much as any other: a block's begin where its
// steps do.
//
//   %s, %e = scf.for %k = %from to %till step %n iter_args(%acc = 0, %p = %start) {
//     .. %next = tile.addptr %p, %by ..                  becomes
//
//   %way = arith.muli %by, %before                       steps of the blocks in front of this one
//   %mine = tile.addptr %start, %way
//   %s, %e = scf.for .. iter_args(%acc = 0, %p = %mine)
//
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "../Kernel.h"
#include "Sums.h"
#include "tile/Analysis/Waiting.h"

typedef struct {
  bool multiplies, prints;
} Contents;

static MlirWalkResult look(MlirOperation op, void *data) {
  Contents *found = data;
  found->multiplies |= tileOpIsADot(op);
  found->prints |= tileOpIsAPrint(op);
  return MlirWalkResultAdvance;
}

static Contents lookInto(MlirOperation op) {
  Contents found = {0};
  mlirOperationWalk(op, look, &found, MlirWalkPreOrder);
  return found;
}

/// What each step adds to what the loop carries as number `i`, pointers or offsets; null where it
/// does something else.
static MlirValue movedBy(MlirOperation loop, intptr_t i) {
  MlirBlock body = tileBody(loop, 0);
  MlirValue carried = mlirBlockGetArgument(body, 1 + i), none = {NULL};
  MlirOperation next = tileValueGetOp(tileOperand(mlirBlockGetTerminator(body), i));
  bool moves = !mlirOperationIsNull(next) &&
               (tileOpIsAAddPtr(next) || tileOpIs(next, "arith.addi")) &&
               mlirValueEqual(tileOperand(next, 0), carried);
  if (!moves) return none;
  MlirValue by = tileOperand(next, 1);
  return tileBlockHolds(body, tileValueGetBlock(by)) ? none : by;
}

bool tileIsMoved(MlirOperation loop, intptr_t i) {
  // Behind the loop each block has another end of its part.
  bool isSeen = !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(loop, i)));
  return !isSeen && !mlirValueIsNull(movedBy(loop, i));
}

const char *tileFindLoneLoop(MlirOperation func, MlirOperation *loop) {
  *loop = (MlirOperation){NULL};
  int loops = 0;
  bool prints = false, elsewhere = false;
  TILE_FOR_EACH_OP(op, tileKernelGetProgram(func)) {
    Contents has = lookInto(op);
    prints |= has.prints;
    bool isLoop = has.multiplies && tileOpIs(op, "scf.for");
    elsewhere |= has.multiplies && !isLoop;
    loops += isLoop;
    if (isLoop) *loop = op;
  }
  if (prints) return "expected no print, which names the program of a block, found one";
  if (!mlirOperationIsNull(tileFindWaiting(func)))
    return "expected no loop that may wait for another program, found scf.while around an access";
  return loops == 1 && !elsewhere ? NULL : "expected one loop of dots, in no other, found others";
}

/// `value`, an integer, as i64.
static MlirValue widen(TileBuilder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value), i64 = tileI64(b->context);
  if (tileBitWidth(tileElementType(type)) == 64) return value;
  if (mlirTypeIsAIndex(type)) return tileBuildUnary(b, "arith.index_cast", i64, value);
  return tileBuildUnary(b, "arith.extsi", tileTypeIsTile(type) ? tileWithElement(type, i64) : i64,
                        value);
}

/// `start` moved on by `by`, `steps` times.
static MlirValue moveOn(TileBuilder *b, MlirValue start, MlirValue by, MlirValue steps) {
  MlirType type = mlirValueGetType(start), unit = mlirValueGetType(by);
  bool points = tileTypeIsAPtr(tileElementType(type));
  MlirValue far = points ? widen(b, by) : by, times = widen(b, steps);
  MlirType wide = points ? mlirValueGetType(far) : unit, element = tileElementType(wide);
  if (mlirTypeIsAIndex(element))
    times = tileBuildUnary(b, "arith.index_cast", element, times);
  else if (tileBitWidth(element) < 64)
    times = tileBuildUnary(b, "arith.trunci", element, times);
  if (tileTypeIsTile(wide)) times = tileBuildUnary(b, "tile.splat", wide, times);
  MlirValue way = tileBuildBinary(b, "arith.muli", far, times);
  const MlirValue operands[] = {start, way};
  return tileBuild(b, points ? "tile.addptr" : "arith.addi", type, 2, operands);
}

void tileMoveOn(TileBuilder *b, MlirOperation loop, MlirValue steps) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    MlirValue by = movedBy(loop, i), start = tileForGetInit(loop, i);
    if (!mlirValueIsNull(by) && tileIsMoved(loop, i))
      mlirOperationSetOperand(loop, TILE_FOR_INITS + i, moveOn(b, start, by, steps));
  }
}
