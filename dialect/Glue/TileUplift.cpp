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
// By MLIR's own pattern (scf::upliftWhileToForLoop), where the step is a number above 0, or an
// argument that a launch knows to be. Of any other, MLIR takes for granted that it leads to the
// bound, which a loop that nobody has run does not promise.
//
// Groups of rows that blocks divide among them ask for two things, of which the first stays true:
//
// Before:  scf.while (%t = %first) {               the tiles of one group that are this block's
//            %from = arith.cmpi sge, %t, %before
//            %end = arith.addi %before, %tiles
//            %to = arith.cmpi slt, %t, %end
//            %both = arith.andi %from, %to
//            scf.condition(%both) %t
//          } do { ..  %next = arith.addi %t, %blocks;  scf.yield %next }
// After:   %end = arith.addi %before, %tiles
//          %any = arith.cmpi sge, %first, %before
//          %own = arith.subi %end, %before         the tiles count from the group's first
//          %bound = arith.select %any, %own, %c0
//          %ahead = arith.subi %first, %before
//          %from = arith.maxsi %ahead, %c0
//          scf.for %i = %from to %bound step %blocks { %t = arith.addi %i, %before .. }
//
// Which tile of a group a block has is then known not to be below 0. Of blocks that may be fewer
// than none, as far as anybody knows, such a loop leaves at its other end, or never:
//
// After:   %runs = ..first and second comparison of %first
//          %steps = ..by the end that %blocks leads to; of no blocks, as many as there are numbers
//          scf.for %k = %c0 to %steps step %c1 { %t = %first + %k * %blocks .. }
//
// A loop whose steps its first numbers decide, all of them known, is one over so many steps, or
// these steps behind each other where they are few:
//
// Before:  %low, %r = scf.while (%l = %zero, %range = %c258) {
//            %more = arith.cmpi sgt, %range, %c1
//            scf.condition(%more) %l, %range
//          } do { ..  %up = arith.addi %range, %c1;  %half = arith.divsi %up, %c2;  scf.yield %m,
//          %half }
// After:   %low, %r = scf.for %k = %c0 to %c9 step %c1 iter_args(%l = %zero, %range = %c258) { .. }
//
// Searches of torch.compile in a row of known length halve it so. Of what counts up to a bound by
// itself later passes know what its steps take, and unroll it where that pays.
//
// C++, as the pattern has no entry in C, nor have folders of ops.
//
// Requires: kernels simplified, steps that are meta-parameters bound.  Preserves: numerics, order
// of effects; but what lies between the first of two such numbers and the second may not wrap.
//===----------------------------------------------------------------------===//
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tile/Passes.h"
#include "tile/Tile.h"
using namespace mlir;

namespace {
/// A loop that counts up: what it carries at `number` grows by `step` while it is below `bound`;
/// and only if `reached` holds, of the first number and so of all, where there is one: then it has
/// come to `from`.
struct Count {
  unsigned number;
  Value bound, step, from;
  arith::CmpIOp reached;
  bool anyStep; // that may be 0 or less, too
};
} // namespace

using Predicate = arith::CmpIPredicate;

/// Of the two operands of a comparison that is true while one is less, that one and the other.
static std::pair<Value, Value> lessAndMore(arith::CmpIOp compare) {
  if (compare.getPredicate() == Predicate::slt) return {compare.getLhs(), compare.getRhs()};
  if (compare.getPredicate() == Predicate::sgt) return {compare.getRhs(), compare.getLhs()};
  return {};
}

static bool isInFront(scf::WhileOp loop, Value value) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp());
}

/// What decides on the next step and is the same for all stands in front of the loop.
static void hoist(RewriterBase &rewriter, scf::WhileOp loop) {
  for (Operation &op : llvm::make_early_inc_range(loop.getBeforeBody()->without_terminator())) {
    bool same = llvm::all_of(op.getOperands(), [&](Value v) { return isInFront(loop, v); });
    if (same && isPure(&op)) rewriter.moveOpBefore(&op, loop);
  }
}

/// What is compared with `counter` by a comparison that is true of all numbers behind one that it
/// is true of; null where it is another one.
static Value findFrom(scf::WhileOp loop, arith::CmpIOp compare, Value counter) {
  Predicate predicate = compare.getPredicate();
  bool above = predicate == Predicate::sge || predicate == Predicate::sgt;
  bool below = predicate == Predicate::sle || predicate == Predicate::slt;
  Value from;
  if (above && compare.getLhs() == counter) from = compare.getRhs();
  if (below && compare.getRhs() == counter) from = compare.getLhs();
  return from && isInFront(loop, from) ? from : Value();
}

/// The comparison that ends the loop; beside it in `count` the one that stays true, if there is
/// one. Null where more than these, or others, decide.
static arith::CmpIOp findCompare(scf::WhileOp loop, Count &count) {
  Value condition = loop.getConditionOp().getCondition();
  size_t deciding = llvm::range_size(loop.getBeforeBody()->without_terminator());
  if (auto compare = condition.getDefiningOp<arith::CmpIOp>())
    return deciding == 1 ? compare : arith::CmpIOp();
  auto both = condition.getDefiningOp<arith::AndIOp>();
  if (!both || deciding != 3) return {};
  for (int i = 0; i < 2; ++i) {
    auto ends = both->getOperand(i).getDefiningOp<arith::CmpIOp>();
    auto stays = both->getOperand(1 - i).getDefiningOp<arith::CmpIOp>();
    if (!ends || !stays || ends->getBlock() != both->getBlock()) continue;
    Value counter = lessAndMore(ends).first;
    count.from = counter ? findFrom(loop, stays, counter) : Value();
    if (!count.from) continue;
    count.reached = stays;
    return ends;
  }
  return {};
}

/// Is `value` above 0 at every launch?
static bool isPositive(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) return number.isStrictlyPositive();
  auto argument = dyn_cast<BlockArgument>(value);
  auto func =
      argument ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp()) : nullptr;
  return func && func.getArgAttr(argument.getArgNumber(), "tile.positive");
}

/// How the loop counts; or, in `why`, what was expected of it.
static Count findCount(scf::WhileOp loop, const char *&why) {
  Count count = {};
  scf::ConditionOp condition = loop.getConditionOp();
  arith::CmpIOp compare = findCompare(loop, count);
  why = "a comparison, and nothing else, to decide on the next step";
  if (!compare) return {};
  why = "a counter that is below a bound from in front of the loop";
  auto [less, bound] = lessAndMore(compare);
  auto counter = dyn_cast_or_null<BlockArgument>(less);
  if (!counter || counter.getOwner() != loop.getBeforeBody() || !isInFront(loop, bound)) return {};
  count.number = counter.getArgNumber();
  count.bound = bound;
  if (!llvm::equal(condition.getArgs(), loop.getBeforeArguments())) return {};
  why = "a counter that grows by a number above 0 in each step";
  auto next = loop.getYieldOp()->getOperand(count.number).getDefiningOp<arith::AddIOp>();
  Value before = loop.getAfterArguments()[count.number];
  if (!next || (next.getLhs() != before && next.getRhs() != before)) return {};
  count.step = next.getLhs() == before ? next.getRhs() : next.getLhs();
  count.anyStep = !isPositive(count.step);
  bool atLeast = count.reached && (count.reached.getPredicate() == Predicate::sge ||
                                   count.reached.getPredicate() == Predicate::sle);
  if (count.anyStep && (!atLeast || !isInFront(loop, count.step))) return {};
  why = nullptr;
  return count;
}

/// Has the bound alone end the loop: it is the first number where that is not yet reached. Returns
/// whether it is.
static Value askOnce(RewriterBase &rewriter, scf::WhileOp loop, Count &count) {
  Location loc = loop.getLoc();
  Value counter = loop.getBeforeArguments()[count.number], first = loop.getInits()[count.number];
  rewriter.setInsertionPoint(loop);
  Operation *any = rewriter.clone(*count.reached);
  any->replaceUsesOfWith(counter, first);
  count.bound = arith::SelectOp::create(rewriter, loc, any->getResult(0), count.bound, first);
  rewriter.setInsertionPoint(loop.getConditionOp());
  Value more = arith::CmpIOp::create(rewriter, loc, Predicate::slt, counter, count.bound);
  Operation *both = loop.getConditionOp().getCondition().getDefiningOp();
  Operation *compares[] = {both->getOperand(0).getDefiningOp(),
                           both->getOperand(1).getDefiningOp()};
  rewriter.modifyOpInPlace(loop.getConditionOp(),
                           [&] { loop.getConditionOp().getConditionMutable().assign(more); });
  rewriter.eraseOp(both);
  for (Operation *compare : compares) rewriter.eraseOp(compare);
  return any->getResult(0);
}

/// Counts from `from` on, where `any` says that the loop has a step.
static void countFrom(RewriterBase &rewriter, scf::ForOp loop, Value from, Value any) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(from.getType(), 0));
  Value end = arith::SubIOp::create(rewriter, loc, loop.getUpperBound(), from);
  Value bound = arith::SelectOp::create(rewriter, loc, any, end, zero);
  Value ahead = arith::SubIOp::create(rewriter, loc, loop.getLowerBound(), from);
  Value first = arith::MaxSIOp::create(rewriter, loc, ahead, zero);
  rewriter.modifyOpInPlace(loop, [&] {
    loop.setUpperBound(bound);
    loop.setLowerBound(first);
  });
  rewriter.setInsertionPointToStart(loop.getBody());
  Value counter = loop.getInductionVar();
  auto number = arith::AddIOp::create(rewriter, loc, counter, from);
  rewriter.replaceAllUsesExcept(counter, number, number);
}

/// How often a loop goes on from `first` between `from` and the bound, whatever its step.
static Value buildSteps(OpBuilder &b, Location loc, Value first, const Count &count, Value any) {
  auto constant = [&](const APInt &value) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(first.getType(), value));
  };
  unsigned width = first.getType().getIntOrFloatBitWidth();
  Value zero = constant(APInt(width, 0)), one = constant(APInt(width, 1));
  Value most = constant(APInt::getSignedMaxValue(width)), step = count.step;
  Value below = arith::CmpIOp::create(b, loc, Predicate::slt, first, count.bound);
  Value runs = arith::AndIOp::create(b, loc, any, below);
  Value apart = arith::SubIOp::create(b, loc, count.bound, first);
  Value up = arith::SubIOp::create(b, loc, apart, one);
  Value down = arith::SubIOp::create(b, loc, first, count.from);
  Value grows = arith::CmpIOp::create(b, loc, Predicate::sgt, step, zero);
  Value far = arith::SelectOp::create(b, loc, grows, up, down);
  Value back = arith::SubIOp::create(b, loc, zero, step);
  Value signless = arith::SelectOp::create(b, loc, grows, step, back);
  Value size = arith::MaxUIOp::create(b, loc, signless, one);
  Value whole = arith::DivUIOp::create(b, loc, far, size);
  Value ending = arith::AddIOp::create(b, loc, whole, one);
  Value stands = arith::CmpIOp::create(b, loc, Predicate::eq, step, zero);
  Value steps = arith::SelectOp::create(b, loc, stands, most, ending);
  return arith::SelectOp::create(b, loc, runs, steps, zero);
}

/// Makes a loop over its steps of one whose step may have any sign.
static void countSteps(RewriterBase &rewriter, scf::WhileOp loop, const Count &count) {
  Location loc = loop.getLoc();
  Value first = loop.getInits()[count.number];
  rewriter.setInsertionPoint(loop);
  Operation *any = rewriter.clone(*count.reached);
  any->replaceUsesOfWith(loop.getBeforeArguments()[count.number], first);
  Value steps = buildSteps(rewriter, loc, first, count, any->getResult(0));
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(first.getType(), 0));
  Value one = arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(first.getType(), 1));
  Value ahead = arith::SubIOp::create(rewriter, loc, first, count.from);
  SmallVector<Value> inits(loop.getInits());
  inits.erase(inits.begin() + count.number);
  auto made = scf::ForOp::create(rewriter, loc, zero, steps, one, inits);
  rewriter.setInsertionPointToStart(made.getBody());
  Value moved = arith::MulIOp::create(rewriter, loc, made.getInductionVar(), count.step);
  Value place = arith::AddIOp::create(rewriter, loc, ahead, moved);
  Value own = arith::MaxSIOp::create(rewriter, loc, place, zero);
  SmallVector<Value> values(made.getRegionIterArgs());
  values.insert(values.begin() + count.number,
                arith::AddIOp::create(rewriter, loc, own, count.from));
  if (made.getBody()->mightHaveTerminator()) rewriter.eraseOp(made.getBody()->getTerminator());
  Operation *yield = loop.getYieldOp();
  rewriter.mergeBlocks(loop.getAfterBody(), made.getBody(), values);
  rewriter.modifyOpInPlace(yield, [&] { yield->eraseOperand(count.number); });
  rewriter.setInsertionPointAfter(loop);
  Value all = arith::MulIOp::create(rewriter, loc, steps, count.step);
  SmallVector<Value> results(made.getResults());
  results.insert(results.begin() + count.number, arith::AddIOp::create(rewriter, loc, first, all));
  rewriter.replaceOp(loop, results);
}

using Known = llvm::DenseMap<Value, Attribute>;

/// Notes what the whole numbers of `block` are that follow from those that are known.
static void follow(Block &block, Known &known) {
  for (Operation &op : block.without_terminator()) {
    bool isPlain = isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp,
                       arith::RemSIOp, arith::RemUIOp, arith::ShLIOp, arith::ShRSIOp,
                       arith::ShRUIOp, arith::CmpIOp, arith::ExtSIOp, arith::TruncIOp>(op);
    if (!isPlain || !op.getResult(0).getType().isSignlessInteger()) continue;
    SmallVector<Attribute> operands;
    for (Value operand : op.getOperands()) {
      Attribute value = known.lookup(operand);
      if (!value) matchPattern(operand, m_Constant(&value));
      operands.push_back(value);
    }
    SmallVector<OpFoldResult> results;
    if (llvm::is_contained(operands, Attribute()) || failed(op.fold(operands, results))) continue;
    if (results.size() == 1 && isa<Attribute>(results[0]))
      known[op.getResult(0)] = cast<Attribute>(results[0]);
  }
}

/// The number of steps, where what the loop carries is known to begin with and decides alone on
/// the next step; -1 where it does not, or where there are many.
static int64_t countKnown(scf::WhileOp loop) {
  constexpr int64_t mostSteps = 64;
  scf::ConditionOp condition = loop.getConditionOp();
  if (!llvm::equal(condition.getArgs(), loop.getBeforeArguments())) return -1;
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    if (!isPure(&op)) return -1;
  SmallVector<Attribute> carried(loop.getNumOperands());
  for (auto [value, init] : llvm::zip(carried, loop.getInits()))
    matchPattern(init, m_Constant(&value));
  for (int64_t steps = 0; steps <= mostSteps; ++steps) {
    Known known;
    for (auto [before, after, value] :
         llvm::zip(loop.getBeforeArguments(), loop.getAfterArguments(), carried))
      if (value) known[before] = known[after] = value;
    follow(*loop.getBeforeBody(), known);
    auto goesOn = dyn_cast_or_null<IntegerAttr>(known.lookup(condition.getCondition()));
    if (!goesOn) return -1;
    if (goesOn.getValue().isZero()) return steps;
    follow(*loop.getAfterBody(), known);
    for (auto [value, next] : llvm::zip(carried, loop.getYieldOp().getResults())) {
      value = known.lookup(next);
      if (!value) matchPattern(next, m_Constant(&value));
    }
  }
  return -1;
}

/// Few steps of few ops, as those of a search, stand one behind the other: what the range of each
/// number says of masks is known only so.
static bool isShort(scf::WhileOp loop, int64_t steps) {
  constexpr int64_t mostOps = 320;
  int64_t ops = 0;
  for (Operation &op : loop.getAfterBody()->without_terminator()) {
    if (op.getNumRegions()) return false;
    ++ops;
  }
  return ops * steps <= mostOps;
}

static void repeat(RewriterBase &rewriter, scf::WhileOp loop, int64_t steps) {
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> carried(loop.getInits());
  for (int64_t s = 0; s < steps; ++s) {
    IRMapping map;
    map.map(loop.getAfterArguments(), carried);
    for (Operation &op : loop.getAfterBody()->without_terminator()) rewriter.clone(op, map);
    for (auto [value, next] : llvm::zip(carried, loop.getYieldOp().getResults()))
      value = map.lookupOrDefault(next);
  }
  rewriter.replaceOp(loop, carried);
}

/// Makes a loop over `steps` steps.
static void countTo(RewriterBase &rewriter, scf::WhileOp loop, int64_t steps) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  auto constant = [&](int32_t value) {
    return arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(value));
  };
  auto made = scf::ForOp::create(rewriter, loc, constant(0), constant((int32_t)steps), constant(1),
                                 loop.getInits());
  if (made.getBody()->mightHaveTerminator()) rewriter.eraseOp(made.getBody()->getTerminator());
  rewriter.mergeBlocks(loop.getAfterBody(), made.getBody(), made.getRegionIterArgs());
  rewriter.replaceOp(loop, made.getResults());
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
  hoist(rewriter, loop);
  Count count = findCount(loop, why);
  bool isRange = !why && !count.anyStep;
  if (int64_t steps = isRange ? -1 : countKnown(loop); steps >= 0)
    return isShort(loop, steps) ? repeat(rewriter, loop, steps) : countTo(rewriter, loop, steps);
  MlirLocation location = wrap(loop.getLoc());
  if (!why && count.anyStep) return countSteps(rewriter, loop, count);
  Value any;
  if (!why && count.reached) any = askOnce(rewriter, loop, count);
  if (!why && !loop.getResult(count.number).use_empty()) {
    rewriter.setInsertionPointAfter(loop);
    Operation *step = count.step.getDefiningOp();
    if (step && loop->isAncestor(step)) count.step = rewriter.clone(*step)->getResult(0);
    Value last = buildLast(rewriter, loop.getLoc(), loop.getInits()[count.number], count);
    rewriter.replaceAllUsesWith(loop.getResult(count.number), last);
  }
  rewriter.setInsertionPoint(loop);
  if (!why) {
    FailureOr<scf::ForOp> made = scf::upliftWhileToForLoop(rewriter, loop);
    if (failed(made))
      why = "one whose step is from in front of it";
    else if (any)
      countFrom(rewriter, *made, count.from, any);
  }
  if (why) tileEmitRemark(location, "loop is not one over a range: expected %s", why);
}

MlirLogicalResult tileRunUpliftLoops(MlirOperation func) {
  SmallVector<scf::WhileOp> loops;
  unwrap(func)->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(unwrap(func)->getContext());
  for (scf::WhileOp loop : loops) uplift(rewriter, loop);
  return mlirLogicalResultSuccess();
}
