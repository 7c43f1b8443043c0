//===- TileFolds.cpp - folders and canonicalization -----------------------===//
//
// What upstream's canonicalize may assume of tile ops: one value everywhere stays
// one under every change of shape, changes of shape compose, masks that are known
// vanish. Layouts are respected: a fold never changes the type of a value.
//
//===----------------------------------------------------------------------===//
#include "Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
using namespace mlir;
using namespace tile;

//===- one value everywhere -----------------------------------------------===//

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  // A splat constant needs a static shape: meta-parameters are bound first.
  if (!getType().hasStaticShape() || isa<PtrType>(getType().getElementType())) return {};
  if (isa_and_nonnull<IntegerAttr, FloatAttr>(adaptor.getValue()))
    return DenseElementsAttr::get(getType(), adaptor.getValue());
  return {};
}

/// A splat constant keeps its value under a change of shape.
static OpFoldResult foldSplat(Attribute source, Type result) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(source);
  auto type = cast<RankedTensorType>(result);
  return splat && type.hasStaticShape() ? splat.resizeSplat(type) : OpFoldResult();
}

namespace {
/// expand_dims(splat v) -> splat v, and so for every change of shape.
template <typename Op> struct ShapeOfSplat : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto splat = op.getSource().template getDefiningOp<SplatOp>();
    if (!splat) return failure();
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getValue());
    return success();
  }
};
} // namespace

#define TILE_SHAPE_OF_SPLAT(OP)                                                                    \
  void OP::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {        \
    patterns.add<ShapeOfSplat<OP>>(context);                                                       \
  }
TILE_SHAPE_OF_SPLAT(ExpandDimsOp)
TILE_SHAPE_OF_SPLAT(BroadcastOp)
TILE_SHAPE_OF_SPLAT(ReshapeOp)
TILE_SHAPE_OF_SPLAT(TransOp)
TILE_SHAPE_OF_SPLAT(SliceOp)
TILE_SHAPE_OF_SPLAT(ConvertLayoutOp)

//===- changes of shape ---------------------------------------------------===//

OpFoldResult ExpandDimsOp::fold(FoldAdaptor a) { return foldSplat(a.getSource(), getType()); }

/// op(op(x)) -> op(x), or x where that has the type already; for ops that depend on types alone.
template <typename Op> static OpFoldResult foldTwice(Op op) {
  if (op.getSource().getType() == op.getType()) return op.getSource();
  auto inner = op.getSource().template getDefiningOp<Op>();
  if (!inner) return {};
  if (inner.getSource().getType() == op.getType()) return inner.getSource();
  op.getSourceMutable().assign(inner.getSource());
  return op.getResult();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor a) {
  OpFoldResult constant = foldSplat(a.getSource(), getType());
  return constant ? constant : foldTwice(*this);
}
OpFoldResult ReshapeOp::fold(FoldAdaptor a) {
  OpFoldResult constant = foldSplat(a.getSource(), getType());
  return constant ? constant : foldTwice(*this);
}
OpFoldResult ConvertLayoutOp::fold(FoldAdaptor a) {
  if (OpFoldResult constant = foldSplat(a.getSource(), getType())) return constant;
  // Once scratch memory has been given out, each conversion stays what it was measured for.
  auto inner = getSource().getDefiningOp<ConvertLayoutOp>();
  bool placed = getOffset() || (inner && inner.getOffset());
  if (placed) return getSource().getType() == getType() ? OpFoldResult(getSource()) : nullptr;
  return foldTwice(*this);
}

OpFoldResult TransOp::fold(FoldAdaptor a) {
  if (OpFoldResult constant = foldSplat(a.getSource(), getType())) return constant;
  auto isIdentity = [](ArrayRef<int32_t> order) {
    return llvm::equal(order, llvm::seq<int32_t>(0, order.size()));
  };
  if (isIdentity(getOrder()) && getSource().getType() == getType()) return getSource();
  auto inner = getSource().getDefiningOp<TransOp>();
  if (!inner) return {};
  SmallVector<int32_t> order;
  for (int32_t d : getOrder()) order.push_back(inner.getOrder()[d]);
  if (isIdentity(order) && inner.getSource().getType() == getType()) return inner.getSource();
  setOrder(order);
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

/// slice(slice(x)) -> slice(x), or x where that has the type already.
OpFoldResult SliceOp::fold(FoldAdaptor a) {
  if (OpFoldResult constant = foldSplat(a.getSource(), getType())) return constant;
  auto number = [](Attribute offset) { return dyn_cast<IntegerAttr>(offset); };
  if (!llvm::all_of(getOffsets(), number)) return {};
  if (getSource().getType() == getType()) return getSource();
  auto inner = getSource().getDefiningOp<SliceOp>();
  if (!inner || !llvm::all_of(inner.getOffsets(), number)) return {};
  SmallVector<int64_t> offsets;
  for (auto [mine, its] : llvm::zip_equal(getOffsets(), inner.getOffsets()))
    offsets.push_back(number(mine).getInt() + number(its).getInt());
  setOffsetsAttr(Builder(getContext()).getI64ArrayAttr(offsets));
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

OpFoldResult JoinOp::fold(FoldAdaptor) {
  auto split = getLhs().getDefiningOp<SplitOp>();
  bool undone = split && getLhs() == split.getLhs() && getRhs() == split.getRhs();
  return undone && split.getSource().getType() == getType() ? OpFoldResult(split.getSource())
                                                            : nullptr;
}

LogicalResult SplitOp::fold(FoldAdaptor a, SmallVectorImpl<OpFoldResult> &results) {
  if (OpFoldResult constant = foldSplat(a.getSource(), getLhs().getType())) {
    results.assign(2, constant);
    return success();
  }
  auto join = getSource().getDefiningOp<JoinOp>();
  if (!join || join.getLhs().getType() != getLhs().getType()) return failure();
  results.assign({join.getLhs(), join.getRhs()});
  return success();
}

OpFoldResult PtrCastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType()) return getSource();
  // There and back again.
  auto before = getSource().getDefiningOp<PtrCastOp>();
  if (before && before.getSource().getType() == getType()) return before.getSource();
  return {};
}

OpFoldResult AddPtrOp::fold(FoldAdaptor) {
  return matchPattern(getOffset(), m_Zero()) ? OpFoldResult(getPtr()) : OpFoldResult();
}

//===- products of what was extended --------------------------------------===//

/// The f16 or bf16 that `value` is as f32, transposed or not; null where it is none.
static Value extendedFrom(Value value) {
  if (auto trans = value.getDefiningOp<TransOp>()) value = trans.getSource();
  auto extend = value.getDefiningOp<arith::ExtFOp>();
  if (!extend) return {};
  Type from = getElementTypeOrSelf(extend.getIn().getType());
  return from.isF16() || from.isBF16() ? extend.getIn() : Value();
}

static Value transposeAs(Value value, Value narrow, PatternRewriter &rewriter) {
  auto trans = value.getDefiningOp<TransOp>();
  if (!trans) return narrow;
  auto type = cast<RankedTensorType>(trans.getType());
  Type as = type.clone(getElementTypeOrSelf(narrow.getType()));
  return TransOp::create(rewriter, trans.getLoc(), as, narrow, trans.getOrder());
}

/// tf32 has all bits of f16 and of bf16, and their products are exact in f32: tensor cores get the
/// same from what the operands were before, in half the bytes and twice as fast.
LogicalResult DotOp::canonicalize(DotOp op, PatternRewriter &rewriter) {
  enum { leastDepth = 16 }; // of an instruction of 16 bits
  if (op.getPrecision() != Precision::Tf32 || op.getInstruction()) return failure();
  auto shape = dyn_cast<RankedTensorType>(op.getA().getType());
  if (!shape || shape.getShape().back() < leastDepth) return failure();
  Value a = extendedFrom(op.getA()), b = extendedFrom(op.getB());
  if (!a || !b || getElementTypeOrSelf(a.getType()) != getElementTypeOrSelf(b.getType()))
    return failure();
  a = transposeAs(op.getA(), a, rewriter);
  b = transposeAs(op.getB(), b, rewriter);
  rewriter.modifyOpInPlace(op, [&] {
    op.getAMutable().assign(a);
    op.getBMutable().assign(b);
    op.setPrecision(Precision::Ieee);
  });
  return success();
}

//===- conditions that are known ------------------------------------------===//

static bool isTrue(Value condition) { return condition && matchPattern(condition, m_One()); }
static bool isFalse(Value condition) { return condition && matchPattern(condition, m_Zero()); }

LogicalResult LoadOp::canonicalize(LoadOp op, PatternRewriter &rewriter) {
  if (isTrue(op.getMask())) {
    rewriter.modifyOpInPlace(op, [&] {
      op.getOtherMutable().clear();
      op.getMaskMutable().clear();
    });
    return success();
  }
  if (!isFalse(op.getMask())) return failure();
  if (op.getOther()) {
    rewriter.replaceOp(op, op.getOther());
    return success();
  }
  auto tile = dyn_cast<RankedTensorType>(op.getType());
  if ((tile && !tile.hasStaticShape()) || !isNumber(getElementTypeOrSelf(op.getType())))
    return failure();
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getZeroAttr(op.getType()));
  return success();
}

LogicalResult StoreOp::canonicalize(StoreOp op, PatternRewriter &rewriter) {
  if (isFalse(op.getMask())) {
    rewriter.eraseOp(op);
    return success();
  }
  if (!isTrue(op.getMask())) return failure();
  rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
  return success();
}

LogicalResult PrintOp::canonicalize(PrintOp op, PatternRewriter &rewriter) {
  if (isFalse(op.getCondition())) {
    rewriter.eraseOp(op);
    return success();
  }
  if (!isTrue(op.getCondition())) return failure();
  rewriter.modifyOpInPlace(op, [&] { op.getConditionMutable().clear(); });
  return success();
}

LogicalResult AssertOp::canonicalize(AssertOp op, PatternRewriter &rewriter) {
  if (!isTrue(op.getCondition())) return failure();
  rewriter.eraseOp(op);
  return success();
}

LogicalResult AssumeOp::canonicalize(AssumeOp op, PatternRewriter &rewriter) {
  if (!isTrue(op.getCondition())) return failure();
  rewriter.eraseOp(op);
  return success();
}
