//===- TileShapeOps.cpp - verifiers and folders of shape and memory ops ---===//
#include "Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
using namespace mlir;
using namespace tile;

static RankedTensorType tileType(Value v) { return cast<RankedTensorType>(v.getType()); }

/// The name of `?` extent `dim`, null for a static one.
static StringAttr dimName(RankedTensorType type, int64_t dim) {
  auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding());
  if (!dims || !type.isDynamicDim(dim)) return {};
  size_t before = llvm::count(type.getShape().take_front(dim), ShapedType::kDynamic);
  return before < dims.getNames().size() ? dims.getNames()[before] : StringAttr();
}

/// One extent of `a` and one of `b`: the same number or the same name.
static bool sameExtent(RankedTensorType a, int64_t i, RankedTensorType b, int64_t j) {
  return a.getDimSize(i) == b.getDimSize(j) && dimName(a, i) == dimName(b, j);
}

static LogicalResult verifySameElement(Operation *op, RankedTensorType a, RankedTensorType b) {
  if (a.getElementType() == b.getElementType()) return success();
  return op->emitOpError("expected a result of ")
         << a.getElementType() << ", found " << b.getElementType();
}

static LogicalResult verifyAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank) return success();
  return op->emitOpError("expected an axis from 0 to ") << rank - 1 << ", found " << axis;
}

LogicalResult ArangeOp::verify() {
  if (getType().getRank() == 1) return success();
  return emitOpError("expected a tile of rank 1, found rank ") << getType().getRank();
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  // A splat constant needs a static shape: meta-parameters are bound first.
  if (!getType().hasStaticShape() || isa<PtrType>(getType().getElementType())) return {};
  if (isa_and_nonnull<IntegerAttr, FloatAttr>(adaptor.getValue()))
    return DenseElementsAttr::get(getType(), adaptor.getValue());
  return {};
}

LogicalResult ExpandDimsOp::verify() {
  auto source = tileType(getSource()), result = tileType(getResult());
  if (failed(verifyAxis(*this, getAxis(), source.getRank() + 1))) return failure();
  if (failed(verifySameElement(*this, source, result))) return failure();
  bool ok = result.getRank() == source.getRank() + 1 && result.getDimSize(getAxis()) == 1;
  for (int64_t i = 0; ok && i < source.getRank(); ++i)
    ok = sameExtent(source, i, result, i < getAxis() ? i : i + 1);
  if (ok) return success();
  return emitOpError("expected the source's extents with 1 inserted at axis ")
         << getAxis() << ", found " << source << " to " << result;
}

/// A splat constant keeps its value under a change of shape.
static OpFoldResult foldSplat(Attribute source, Type result) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(source);
  auto type = cast<RankedTensorType>(result);
  return splat && type.hasStaticShape() ? splat.resizeSplat(type) : OpFoldResult();
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor a) { return foldSplat(a.getSource(), getType()); }

LogicalResult BroadcastOp::verify() {
  auto source = tileType(getSource()), result = tileType(getResult());
  if (failed(verifySameElement(*this, source, result))) return failure();
  bool ok = source.getRank() == result.getRank();
  for (int64_t i = 0; ok && i < source.getRank(); ++i)
    ok = source.getDimSize(i) == 1 || sameExtent(source, i, result, i);
  if (ok) return success();
  return emitOpError("expected extents that are equal or 1 in the source, found ")
         << source << " to " << result;
}

OpFoldResult BroadcastOp::fold(FoldAdaptor a) {
  if (getSource().getType() == getType()) return getSource();
  return foldSplat(a.getSource(), getType());
}

LogicalResult ReshapeOp::verify() {
  auto source = tileType(getSource()), result = tileType(getResult());
  if (failed(verifySameElement(*this, source, result))) return failure();
  if (!source.hasStaticShape() || !result.hasStaticShape()) return success(); // checked once bound
  if (source.getNumElements() == result.getNumElements()) return success();
  return emitOpError("expected a result of ")
         << source.getNumElements() << " elements, found " << result.getNumElements();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor a) {
  if (getSource().getType() == getType()) return getSource();
  return foldSplat(a.getSource(), getType());
}

LogicalResult TransOp::verify() {
  auto source = tileType(getSource()), result = tileType(getResult());
  if (failed(verifySameElement(*this, source, result))) return failure();
  int64_t rank = source.getRank();
  llvm::SmallBitVector seen(rank);
  for (int32_t d : getOrder())
    if (d >= 0 && d < rank) seen.set(d);
  if (static_cast<int64_t>(getOrder().size()) != rank || !seen.all())
    return emitOpError("expected order to list each of the ")
           << rank << " dimensions once, found [" << getOrder() << "]";
  bool ok = result.getRank() == rank;
  for (int64_t i = 0; ok && i < rank; ++i) ok = sameExtent(result, i, source, getOrder()[i]);
  if (ok) return success();
  return emitOpError("expected the source's extents in order [")
         << getOrder() << "], found " << source << " to " << result;
}

OpFoldResult TransOp::fold(FoldAdaptor a) {
  bool identity = true;
  for (auto [i, d] : llvm::enumerate(getOrder())) identity &= d == static_cast<int32_t>(i);
  if (identity && getSource().getType() == getType()) return getSource();
  return foldSplat(a.getSource(), getType());
}

/// `wide` is `half` with a last dimension of 2 appended.
static LogicalResult verifyPair(Operation *op, RankedTensorType half, RankedTensorType wide) {
  if (failed(verifySameElement(op, half, wide))) return failure();
  bool ok = wide.getRank() == half.getRank() + 1 && wide.getShape().back() == 2;
  for (int64_t i = 0; ok && i < half.getRank(); ++i) ok = sameExtent(half, i, wide, i);
  if (ok) return success();
  return op->emitOpError("expected ")
         << half << " with a last extent of 2 appended, found " << wide;
}
LogicalResult JoinOp::verify() {
  return verifyPair(*this, tileType(getLhs()), tileType(getResult()));
}
LogicalResult SplitOp::verify() {
  return verifyPair(*this, tileType(getLhs()), tileType(getSource()));
}

LogicalResult CatOp::verify() {
  auto lhs = tileType(getLhs()), rhs = tileType(getRhs()), result = tileType(getResult());
  if (failed(verifyAxis(*this, getAxis(), lhs.getRank()))) return failure();
  if (failed(verifySameElement(*this, lhs, rhs)) || failed(verifySameElement(*this, lhs, result)))
    return failure();
  bool ok = lhs.getRank() == rhs.getRank() && lhs.getRank() == result.getRank();
  for (int64_t i = 0; ok && i < lhs.getRank(); ++i) {
    if (i != getAxis())
      ok = sameExtent(lhs, i, rhs, i) && sameExtent(lhs, i, result, i);
    else if (!lhs.isDynamicDim(i) && !rhs.isDynamicDim(i) && !result.isDynamicDim(i))
      ok = lhs.getDimSize(i) + rhs.getDimSize(i) == result.getDimSize(i);
  }
  if (ok) return success();
  return emitOpError("expected extents that add up along axis ")
         << getAxis() << " and agree elsewhere, found " << lhs << " and " << rhs << " to "
         << result;
}

LogicalResult GatherOp::verify() {
  auto source = tileType(getSource()), indices = tileType(getIndices()),
       result = tileType(getResult());
  if (failed(verifyAxis(*this, getAxis(), source.getRank()))) return failure();
  if (failed(verifySameElement(*this, source, result))) return failure();
  bool ok = source.getRank() == indices.getRank() && indices.getRank() == result.getRank();
  for (int64_t i = 0; ok && i < source.getRank(); ++i)
    ok = sameExtent(indices, i, result, i) && (i == getAxis() || sameExtent(source, i, indices, i));
  if (ok) return success();
  return emitOpError("expected indices of the result's shape, and of the source's but for axis ")
         << getAxis() << ", found " << source << ", " << indices << " to " << result;
}

LogicalResult ConvertLayoutOp::verify() {
  auto source = tileType(getSource()), result = tileType(getResult());
  if (source.getShape() == result.getShape() && source.getElementType() == result.getElementType())
    return success();
  return emitOpError("expected one shape and element type, found ") << source << " to " << result;
}
OpFoldResult ConvertLayoutOp::fold(FoldAdaptor a) {
  if (getSource().getType() == getType()) return getSource();
  return foldSplat(a.getSource(), getType());
}

//===- memory -------------------------------------------------------------===//

LogicalResult AddPtrOp::verify() {
  auto pointers = dyn_cast<RankedTensorType>(getPtr().getType());
  auto offsets = dyn_cast<RankedTensorType>(getOffset().getType());
  bool ok = !pointers == !offsets;
  if (ok && pointers)
    ok = pointers.getShape() == offsets.getShape() &&
         pointers.getEncoding() == offsets.getEncoding();
  if (ok) return success();
  return emitOpError("expected offsets of the pointers' shape, found ")
         << getPtr().getType() << " and " << getOffset().getType();
}

OpFoldResult AddPtrOp::fold(FoldAdaptor) {
  return matchPattern(getOffset(), m_Zero()) ? OpFoldResult(getPtr()) : OpFoldResult();
}

LogicalResult AtomicRmwOp::verify() {
  Type element = getElementTypeOrSelf(getValue().getType());
  bool isFloat = isa<FloatType>(element), isPointer = isa<PtrType>(element);
  bool ok = true;
  switch (getKind()) {
  case RmwKind::FAdd:
    ok = isFloat && element.getIntOrFloatBitWidth() >= 16;
    break;
  case RmwKind::Xchg:
    ok = !isPointer && element.getIntOrFloatBitWidth() >= 32;
    break;
  case RmwKind::Add:
  case RmwKind::And:
  case RmwKind::Or:
  case RmwKind::Xor:
  case RmwKind::Min:
  case RmwKind::Max:
  case RmwKind::UMin:
  case RmwKind::UMax:
    ok = element.isInteger(32) || element.isInteger(64);
    break;
  }
  if (ok) return success();
  return emitOpError("expected ") << (getKind() == RmwKind::FAdd   ? "f16, bf16, f32 or f64"
                                      : getKind() == RmwKind::Xchg ? "a number of 32 or 64 bits"
                                                                   : "i32 or i64")
                                  << " for " << stringifyRmwKind(getKind()) << ", found "
                                  << element;
}

LogicalResult AtomicCasOp::verify() {
  Type element = getElementTypeOrSelf(getValue().getType());
  if (!isa<PtrType>(element) &&
      llvm::is_contained({16u, 32u, 64u}, element.getIntOrFloatBitWidth()))
    return success();
  return emitOpError("expected a number of 16, 32 or 64 bits, found ") << element;
}

LogicalResult MakeDescOp::verify() {
  auto box = cast<DescType>(getType()).getBox();
  if (cast<PtrType>(getBase().getType()).getPointee() != box.getElementType())
    return emitOpError("expected a base that points at ")
           << box.getElementType() << ", found " << getBase().getType();
  if (static_cast<int64_t>(getShape().size()) != box.getRank())
    return emitOpError("expected ") << box.getRank() << " extents, found " << getShape().size();
  if (static_cast<int64_t>(getStrides().size()) != box.getRank() - 1)
    return emitOpError("expected ")
           << box.getRank() - 1 << " strides (the last dimension is contiguous), found "
           << getStrides().size();
  if (getPadding() == Padding::NaN && !isa<FloatType>(box.getElementType()))
    return emitOpError("expected floating point elements for NaN padding, found ")
           << box.getElementType();
  return success();
}

template <typename Op> static LogicalResult verifyIndices(Op op) {
  int64_t rank = cast<DescType>(op.getDesc().getType()).getBox().getRank();
  if (static_cast<int64_t>(op.getIndices().size()) == rank) return success();
  return op.emitOpError("expected ") << rank << " indices, found " << op.getIndices().size();
}
LogicalResult DescLoadOp::verify() { return verifyIndices(*this); }
LogicalResult DescStoreOp::verify() { return verifyIndices(*this); }

//===- shared memory ------------------------------------------------------===//

static LogicalResult verifyBlock(Operation *op, Type tile, Type buffer) {
  auto t = cast<RankedTensorType>(tile);
  auto b = cast<BufferType>(buffer);
  if (b.getStages() != 1)
    return op->emitOpError("expected one block of a ring, found ") << b.getStages() << " stages";
  if (t.getShape() == b.getShape() && t.getElementType() == b.getElementType()) return success();
  return op->emitOpError("expected a buffer of the tile's shape and type, found ")
         << t << " and " << b;
}
LogicalResult BufferStoreOp::verify() {
  return verifyBlock(*this, getValue().getType(), getBuffer().getType());
}
LogicalResult BufferLoadOp::verify() {
  return verifyBlock(*this, getResult().getType(), getBuffer().getType());
}
LogicalResult AsyncCopyOp::verify() {
  Type value = pointeeType(getPtr().getType());
  if (!isa<RankedTensorType>(value)) return emitOpError("expected a tile of pointers");
  return verifyBlock(*this, value, getBuffer().getType());
}
LogicalResult BufferStageOp::verify() {
  auto ring = cast<BufferType>(getRing().getType()), block = cast<BufferType>(getType());
  auto wanted = BufferType::get(getContext(), ring.getShape(), ring.getElementType(),
                                ring.getSwizzle(), ring.getOrder(), 1);
  if (block == wanted) return success();
  return emitOpError("expected a result of ") << wanted << ", found " << block;
}
