//===- TileUplift.cpp - loops that count are loops over a range -----------===//
//
// Before:  %last, %sum = scf.while (%k = %c0, %s = %zero) {
//            %more = arith.cmpi slt, %k, %n
//            scf.condition(%more) %k, %s
//          } do { ..  %next = arith.addi %k, %c32;  scf.yield %next, %t }
// After:   %sum = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) { ..  scf.yield %t }
//          %last = the first number behind %n, computed
//
// `while k < n` of a language without ranges for it, as a kernel of Triton's has it: what loads
// ahead, copies by the engine and shares work among warps knows loops over ranges alone.
//
// By MLIR's own pattern (scf::upliftWhileToForLoop), where the step is a number above 0. Of any
// other, MLIR takes for granted that it leads to the bound, which a loop that nobody has run does
// not promise.
//
// C++, as the pattern has no entry in C.
//
// Requires: kernels simplified, steps that are meta-parameters bound.  Preserves: numerics, order
// of effects.
//===----------------------------------------------------------------------===//
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "tile/Passes.h"
#include "tile/Tile.h"
using namespace mlir;

namespace {
/// A loop that counts up: what it carries at `number` grows by `step` while it is below `bound`.
struct Count {
  unsigned number;
  Value bound, step;
};
} // namespace

/// Of the two operands of a comparison that is true while one is less, that one and the other.
static std::pair<Value, Value> lessAndMore(arith::CmpIOp compare) {
  if (compare.getPredicate() == arith::CmpIPredicate::slt)
    return {compare.getLhs(), compare.getRhs()};
  if (compare.getPredicate() == arith::CmpIPredicate::sgt)
    return {compare.getRhs(), compare.getLhs()};
  return {};
}

/// How the loop counts; or, in `why`, what was expected of it.
static Count findCount(scf::WhileOp loop, const char *&why) {
  scf::ConditionOp condition = loop.getConditionOp();
  auto compare = dyn_cast<arith::CmpIOp>(loop.getBeforeBody()->front());
  why = "a comparison, and nothing else, to decide on the next step";
  if (!compare || compare->getNextNode() != condition ||
      condition.getCondition() != compare.getResult())
    return {};
  why = "a counter that is below a bound from in front of the loop";
  auto [less, bound] = lessAndMore(compare);
  auto counter = dyn_cast_or_null<BlockArgument>(less);
  if (!counter || counter.getOwner() != loop.getBeforeBody() ||
      loop->isAncestor(bound.getParentRegion()->getParentOp()))
    return {};
  unsigned number = counter.getArgNumber();
  if (!llvm::equal(condition.getArgs(), loop.getBeforeArguments())) return {};
  why = "a counter that grows by a number above 0 in each step";
  auto next = loop.getYieldOp()->getOperand(number).getDefiningOp<arith::AddIOp>();
  Value before = loop.getAfterArguments()[number];
  if (!next || (next.getLhs() != before && next.getRhs() != before)) return {};
  Value step = next.getLhs() == before ? next.getRhs() : next.getLhs();
  APInt size;
  if (!matchPattern(step, m_ConstantInt(&size)) || !size.isStrictlyPositive()) return {};
  why = nullptr;
  return {number, bound, step};
}

/// Where the counter ends: first < bound ? first + ((bound - first - 1) / step + 1) * step : first,
/// of numbers without a sign, which the difference is one of. (MLIR's pattern would take the last
/// number of a step in its place.)
static Value buildLast(OpBuilder &b, Location loc, Value first, const Count &count) {
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(first.getType(), value));
  };
  Value one = constant(1), step = count.step;
  Value apart = arith::SubIOp::create(b, loc, count.bound, first);
  Value within = arith::SubIOp::create(b, loc, apart, one);
  Value whole = arith::DivUIOp::create(b, loc, within, step);
  Value steps = arith::AddIOp::create(b, loc, whole, one);
  Value far = arith::MulIOp::create(b, loc, steps, step);
  Value last = arith::AddIOp::create(b, loc, first, far);
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, first, count.bound);
  return arith::SelectOp::create(b, loc, any, last, first);
}

static void uplift(RewriterBase &rewriter, scf::WhileOp loop) {
  const char *why;
  Count count = findCount(loop, why);
  MlirLocation location = wrap(loop.getLoc());
  if (!why && !loop.getResult(count.number).use_empty()) {
    rewriter.setInsertionPointAfter(loop);
    Operation *step = count.step.getDefiningOp();
    if (loop->isAncestor(step)) count.step = rewriter.clone(*step)->getResult(0);
    Value last = buildLast(rewriter, loop.getLoc(), loop.getInits()[count.number], count);
    rewriter.replaceAllUsesWith(loop.getResult(count.number), last);
  }
  rewriter.setInsertionPoint(loop);
  if (!why && failed(scf::upliftWhileToForLoop(rewriter, loop)))
    why = "one whose step is from in front of it";
  if (why) tileEmitRemark(location, "loop is not one over a range: expected %s", why);
}

MlirLogicalResult tileRunUpliftLoops(MlirOperation func) {
  SmallVector<scf::WhileOp> loops;
  unwrap(func)->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(unwrap(func)->getContext());
  for (scf::WhileOp loop : loops) uplift(rewriter, loop);
  return mlirLogicalResultSuccess();
}
