//===- Proxies.c - who reads and writes shared buffers ---------------------===//
#include "Proxies.h"

bool tileReadsByProxy(MlirOperation op) { return tileOpIsWgmma(op) || tileOpIsADescWrite(op); }

bool tileWritesBuffers(MlirOperation op) {
  return tileOpIsABufferStore(op) || tileOpIsAAsyncCopy(op) || tileOpIsADescCopy(op);
}

typedef struct {
  MlirOperation alloc;
  bool reads, writes; // by another proxy, and by threads
} BufferUse;

static MlirWalkResult findBufferUse(MlirOperation op, void *data) {
  BufferUse *use = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    bool isIt = tileTypeIsABuffer(mlirValueGetType(operand)) &&
                mlirOperationEqual(tileBufferGetSource(operand), use->alloc);
    use->reads |= isIt && tileReadsByProxy(op);
    use->writes |= isIt && tileWritesBuffers(op);
  }
  return MlirWalkResultAdvance;
}

bool tileReadsByProxyAlone(MlirOperation loop, MlirOperation alloc) {
  BufferUse use = {.alloc = alloc};
  mlirOperationWalk(loop, findBufferUse, &use, MlirWalkPreOrder);
  return use.reads && !use.writes;
}

static MlirWalkResult findProxyUse(MlirOperation op, void *data) {
  TileProxyUse *use = data;
  use->reads |= tileReadsByProxy(op);
  use->engine |= tileOpIsADescCopy(op) || tileOpIsATmaStore(op) || tileOpIsAWarpSpecialize(op);
  return use->engine ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

TileProxyUse tileFindProxyUse(MlirOperation func) {
  TileProxyUse use = {0};
  mlirOperationWalk(func, findProxyUse, &use, MlirWalkPreOrder);
  return use;
}

typedef struct {
  bool copies, others; ///< by a role, and by others; or read by others than products
} BoxUse;

/// Is it what the copy engine fills and no barrier?
static bool isBoxRing(MlirValue buffer) {
  MlirOperation alloc = tileBufferGetSource(buffer);
  return !mlirOperationIsNull(alloc) && !mlirAttributeIsNull(tileAttr(alloc, "guarded")) &&
         tileBufferTypeGetRank(mlirValueGetType(tileResult(alloc))) > 1;
}

static MlirWalkResult findBoxUse(MlirOperation op, void *data) {
  BoxUse *use = data;
  use->copies |= tileOpIsAWarpSpecialize(op);
  use->others |= tileOpIsADescCopy(op) || tileOpIsATmaStore(op);
  bool reads = tileOpIsABufferLoad(op) || tileOpIsAConvertLayout(op) ||
               (tileOpIsADot(op) && !tileOpIsWgmma(op)) || tileOpIsABufferStore(op) ||
               tileOpIsAAsyncCopy(op);
  for (intptr_t i = 0; reads && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    use->others |= tileTypeIsABuffer(mlirValueGetType(operand)) && isBoxRing(operand);
  }
  return use->others ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool tileBoxesAreOfProducts(MlirOperation func) {
  BoxUse use = {0};
  mlirOperationWalk(func, findBoxUse, &use, MlirWalkPreOrder);
  return use.copies && !use.others;
}
