//===- ControlFlow.cpp - what MLIR has no C entry for, of reading TTIR ----===//
#include "Triton.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CFGToSCF.h"
#include "tile/Conversion/Triton.h"
using namespace mlir;

namespace {
/// Upstream's, but for where control never gets: there the function returns poison.
struct LiftTriton : ControlFlowToSCFTransformation {
  FailureOr<Operation *> createUnreachableTerminator(Location loc, OpBuilder &b,
                                                     Region &region) override {
    auto func = dyn_cast<tile::tt::FuncOp>(region.getParentOp());
    if (!func) return emitError(loc, "expected branches to end, found a loop that does not");
    SmallVector<Value> values;
    for (Type type : func.getResultTypes()) values.push_back(getUndefValue(loc, b, type));
    return tile::tt::ReturnOp::create(b, loc, values).getOperation();
  }
};
} // namespace

MlirLogicalResult tileTritonLiftControlFlow(MlirOperation func) {
  Operation *root = unwrap(func);
  DominanceInfo dominance(root);
  LiftTriton lift;
  WalkResult result = root->walk<WalkOrder::PostOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      if (failed(transformCFGToSCF(region, lift, dominance))) return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return wrap(failure(result.wasInterrupted()));
}

bool tileTypeIsATritonPtr(MlirType type) { return isa<tile::tt::PtrType>(unwrap(type)); }
MlirType tileTritonPtrTypeGetPointee(MlirType ptr) {
  return wrap(cast<tile::tt::PtrType>(unwrap(ptr)).getPointee());
}
bool tileTypeIsATritonDesc(MlirType type) { return isa<tile::tt::DescType>(unwrap(type)); }
MlirType tileTritonDescTypeGetBox(MlirType desc) {
  return wrap(Type(cast<tile::tt::DescType>(unwrap(desc)).getBox()));
}

static tile::tt::CachePolicyAttr policyOf(MlirOperation access) {
  return unwrap(access)->getAttrOfType<tile::tt::CachePolicyAttr>("cachePolicy");
}
MlirStringRef tileTritonAccessGetCache(MlirOperation access) {
  if (auto policy = policyOf(access)) return wrap(policy.getCache().getValue());
  auto word = unwrap(access)->getAttrOfType<StringAttr>("cache");
  return wrap(word ? word.getValue() : StringRef());
}
MlirStringRef tileTritonAccessGetEvict(MlirOperation access) {
  if (auto policy = policyOf(access)) return wrap(policy.getEvict().getValue());
  auto word = unwrap(access)->getAttrOfType<StringAttr>("evict");
  return wrap(word ? word.getValue() : StringRef());
}
