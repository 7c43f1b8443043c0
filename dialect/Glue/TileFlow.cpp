//===- TileFlow.cpp - branches for loops and conditions -------------------===//
//
// Before:  %r = scf.if %c -> (f32) { scf.yield %a : f32 } else { scf.yield %b : f32 }
//          llvm.store %r, %p
// After:   cf.cond_br %c, ^then, ^else
//        ^then: cf.br ^behind(%a : f32)
//        ^else: cf.br ^behind(%b : f32)
//        ^behind(%r: f32): llvm.store %r, %p
//
// MLIR's own patterns (convert-scf-to-cf), the last op of a block first, and those around others
// before these. Each cuts its block in two, and moves all that is behind it: MLIR's pass, which
// begins with the first op, moves the whole rest of a kernel for each loop of it. Of 2000 scans
// that was nine tenths of the compilation. The blocks come out in the same order.
//
// C++, as the patterns have no entry in C.
//
// Requires: nothing.  Preserves: all else. What has no pattern stays.
//===----------------------------------------------------------------------===//
#include "mlir/CAPI/IR.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "tile/Passes.h"
using namespace mlir;

namespace {
bool isFlow(Operation *op) {
  return op->getNumRegions() && op->getName().getDialectNamespace() == "scf";
}

/// What is still to become branches: patterns make loops of other ops, and drop what was in them.
struct Pending : RewriterBase::Listener {
  DenseSet<Operation *> ops;        ///< of those that were collected
  SmallVector<Operation *, 4> made; ///< by the last pattern
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint previous) override {
    if (!previous.isSet() && isFlow(op)) made.push_back(op);
  }
  void notifyOperationErased(Operation *op) override {
    ops.erase(op);
    llvm::erase(made, op);
  }
};
} // namespace

/// The ops of scf in `root`, in the order in which they become branches.
static void collect(Operation *root, SmallVectorImpl<Operation *> &ops) {
  SmallVector<Operation *> rest{root};
  while (!rest.empty()) {
    Operation *op = rest.pop_back_val();
    if (isFlow(op)) ops.push_back(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          if (inner.getNumRegions()) rest.push_back(&inner);
  }
}

MlirLogicalResult tileRunLowerFlow(MlirOperation module) {
  Operation *root = unwrap(module);
  RewritePatternSet set(root->getContext());
  populateSCFToControlFlowConversionPatterns(set);
  FrozenRewritePatternSet patterns(std::move(set));
  PatternApplicator applicator(patterns);
  applicator.applyDefaultCostModel();
  Pending pending;
  PatternRewriter rewriter(root->getContext());
  rewriter.setListener(&pending);
  SmallVector<Operation *> ops;
  collect(root, ops);
  pending.ops.insert(ops.begin(), ops.end());
  for (Operation *next : ops) {
    if (pending.ops.contains(next)) pending.made.push_back(next);
    while (!pending.made.empty()) {
      Operation *op = pending.made.pop_back_val();
      rewriter.setInsertionPoint(op);
      (void)applicator.matchAndRewrite(op, rewriter);
    }
  }
  return mlirLogicalResultSuccess();
}
