//===- Steps.c - several steps of a loop, multiplied at once --------------===//
//
//   scf.for %k iter_args(%s) { %a = .. %b = .. %d = tile.dot %a, %b, %s   scf.yield %d }
//
// Where nobody else looks at the sum while the loop runs, the dot only copies its operands, behind
// those of the steps before, and multiplies once in a number of steps, and in the last one:
//
//   scf.for %k iter_args(%step) {
//     pack A, B at %step * BK
//     if %step == most - 1 or it is the first or the last { C += A * B of (%step + 1) * BK }
//     next step: 0 if that was done, else %step + 1
//   }
//
// The first one is multiplied by itself, so that what the next ones read is fetched meanwhile
// (Ahead.c).
//
// So the sum goes through memory less often, and a pass of the micro-kernel is longer. Products are
// added in the same order.
//
//===----------------------------------------------------------------------===//
#include "Dot.h"
#include "tile/MachineNumbers.h"

static int number(TileNumber name) { return tileNumberGetInfo(name)->value; }

bool dotReadsBytes(MlirOperation dot) {
  MlirType a = mlirValueGetType(tileDotGetA(dot)), b = mlirValueGetType(tileDotGetB(dot));
  MlirType c = tileElementType(mlirValueGetType(tileResult(dot)));
  int64_t shape[CPU_MAX_RANK];
  int rank = tileShape(a, shape);
  return mlirTypeIsAInteger(c) && tileBitWidth(c) == 32 && tileBitWidth(tileElementType(a)) == 8 &&
         tileBitWidth(tileElementType(b)) == 8 && shape[rank - 1] % 4 == 0;
}

/// Is the sum the loop's alone until it ends?
static bool accumulatesAlone(MlirOperation loop, MlirOperation dot) {
  MlirValue acc = tileDotGetAcc(dot), result = tileResult(dot);
  MlirOpOperand into = tileOnlyUse(acc), out = tileOnlyUse(result);
  if (mlirOpOperandIsNull(into) || mlirOpOperandIsNull(out)) return false;
  if (!mlirValueIsABlockArgument(acc)) return false;
  MlirBlock body = tileBody(loop, 0);
  MlirOperation yield = mlirOpOperandGetOwner(out);
  intptr_t place = mlirBlockArgumentGetArgNumber(acc) - 1;
  return mlirBlockEqual(mlirBlockArgumentGetOwner(acc), body) && place >= 0 &&
         mlirOperationEqual(yield, mlirBlockGetTerminator(body)) &&
         mlirOpOperandGetOperandNumber(out) == place &&
         mlirShapedTypeGetRank(mlirValueGetType(result)) == 2;
}

/// Steps that are as long together as a copy of a row should be.
static int64_t stepsOf(MlirOperation dot) {
  int64_t shape[CPU_MAX_RANK];
  MlirType a = mlirValueGetType(tileDotGetA(dot)), c = mlirValueGetType(tileResult(dot));
  tileShape(a, shape);
  int bits = tileBitWidth(dotReadsBytes(dot) ? tileElementType(a) : tileElementType(c));
  int64_t steps = number(TILE_NUMBER_CPU_STEP_BYTES) * 8 / (shape[1] * bits);
  return steps < 1 ? 1 : steps;
}

int64_t cpuCountSteps(CpuLowering *l, MlirOperation loop) {
  int64_t steps = 0;
  // Whatever a checked or traced program computes may be looked at.
  if (l->checks) return 1;
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (!tileOpIsADot(op) || !accumulatesAlone(loop, op)) continue;
    int64_t own = stepsOf(op);
    if (!steps || own < steps) steps = own;
  }
  return steps ? steps : 1;
}

bool cpuStartsByDot(CpuLowering *l, MlirOperation loop, intptr_t i) {
  MlirOpOperand use = tileOnlyUse(mlirBlockGetArgument(tileBody(loop, 0), 1 + i));
  if (mlirOpOperandIsNull(use) || l->checks) return false;
  MlirOperation dot = mlirOpOperandGetOwner(use);
  return tileOpIsADot(dot) && mlirBlockEqual(mlirOperationGetBlock(dot), tileBody(loop, 0)) &&
         accumulatesAlone(loop, dot) && tileIsZero(tileForGetInit(loop, i));
}

static MlirValue asI64(CpuLowering *l, MlirValue x) {
  MlirType i64 = tileI64(l->context), type = mlirValueGetType(x);
  if (mlirTypeEqual(type, i64)) return x;
  return tileBuildUnary(&l->at, mlirTypeIsAIndex(type) ? "arith.index_cast" : "arith.extsi", i64,
                        x);
}

CpuSteps cpuBeginSteps(CpuLowering *l, MlirOperation loop, int64_t count, MlirValue number,
                       const MlirValue range[4]) {
  CpuSteps steps = {.loop = loop, .count = count, .number = number};
  // What is left of the range is more than 0, but may need 64 bits.
  MlirValue left = tileBuildBinary(&l->at, "arith.subi", asI64(l, range[2]), asI64(l, range[0]));
  MlirValue by = asI64(l, range[3]);
  MlirValue isLast = tileBuildCmpi(&l->at, TILE_ULE, left, by);
  steps.goesOn = tileBuildCmpi(&l->at, TILE_UGT, left, by);
  MlirValue isFull = tileBuildCmpi(&l->at, TILE_EQ, number, cpuI64(l, count - 1));
  MlirValue isFirst = tileBuildCmpi(&l->at, TILE_EQ, range[0], range[1]);
  steps.begins = isFirst;
  steps.ends = tileBuildBinary(&l->at, "arith.ori", isLast, isFull);
  steps.ends = tileBuildBinary(&l->at, "arith.ori", steps.ends, isFirst);
  steps.blocks = tileBuildSelect(&l->at, isFirst, cpuI64(l, count), cpuI64(l, 1));
  return steps;
}

MlirValue cpuNextStep(CpuLowering *l) {
  MlirValue next = tileBuildBinary(&l->at, "arith.addi", l->steps.number, cpuI64(l, 1));
  return tileBuildSelect(&l->at, l->steps.ends, cpuI64(l, 0), next);
}

bool dotIsGathered(CpuLowering *l, MlirOperation dot) {
  MlirOperation loop = l->steps.loop;
  return l->steps.count > 1 && mlirBlockEqual(mlirOperationGetBlock(dot), tileBody(loop, 0)) &&
         accumulatesAlone(loop, dot);
}
