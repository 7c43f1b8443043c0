//===- TileShapeOps.cpp - verifiers of shape and memory ops ---------------===//
#include "Text/Extent.h"
#include "Text/Operands.h"
#include "Tile.h"
using namespace mlir;
using namespace tile;

static RankedTensorType tileType(Value v) { return cast<RankedTensorType>(v.getType()); }

static LogicalResult verifySameElement(Operation *op, RankedTensorType a, RankedTensorType b) {
  if (a.getElementType() == b.getElementType()) return success();
  return op->emitOpError("expected a result of ")
         << a.getElementType() << ", found " << b.getElementType();
}

static LogicalResult verifyAxis(Operation *op, int32_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank) return success();
  return op->emitOpError("expected an axis from 0 to ") << rank - 1 << ", found " << axis;
}

LogicalResult ArangeOp::verify() {
  if (getType().getRank() == 1) return success();
  return emitOpError("expected a tile of rank 1, found rank ") << getType().getRank();
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

Type tile::rearranged(RankedTensorType source, ArrayRef<int64_t> pick) {
  SmallVector<int64_t> shape;
  SmallVector<StringAttr> names;
  auto dims = dyn_cast_or_null<DimsAttr>(source.getEncoding());
  for (int64_t d : pick) {
    shape.push_back(d < 0 ? 1 : source.getDimSize(d));
    if (dims && d >= 0 && source.isDynamicDim(d))
      names.push_back(
          dims.getNames()[llvm::count(source.getShape().take_front(d), ShapedType::kDynamic)]);
  }
  Attribute encoding = names.empty() ? Attribute() : DimsAttr::get(source.getContext(), names);
  return RankedTensorType::get(shape, source.getElementType(), encoding);
}

/// The dimensions of a tile, in order, to be rearranged; none where `operands` are no tiles.
static SmallVector<int64_t> dimensions(ValueRange operands) {
  auto source = operands.empty() ? RankedTensorType()
                                 : dyn_cast<RankedTensorType>(operands.front().getType());
  return source ? llvm::to_vector(llvm::seq<int64_t>(0, source.getRank())) : SmallVector<int64_t>();
}

LogicalResult ExpandDimsOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                             ValueRange operands, DictionaryAttr attributes,
                                             OpaqueProperties properties, RegionRange regions,
                                             SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> pick = dimensions(operands);
  int64_t axis = Adaptor(operands, attributes, properties, regions).getAxis();
  if (pick.empty() || axis > static_cast<int64_t>(pick.size()))
    return emitOptionalError(loc, "expected a tile, and an axis of the result");
  pick.insert(pick.begin() + axis, -1);
  types.push_back(rearranged(cast<RankedTensorType>(operands.front().getType()), pick));
  return success();
}

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

LogicalResult ReshapeOp::verify() {
  auto source = tileType(getSource()), result = tileType(getResult());
  if (failed(verifySameElement(*this, source, result))) return failure();
  if (!source.hasStaticShape() || !result.hasStaticShape()) return success(); // checked once bound
  if (source.getNumElements() == result.getNumElements()) return success();
  return emitOpError("expected a result of ")
         << source.getNumElements() << " elements, found " << result.getNumElements();
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

LogicalResult TransOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                        ValueRange operands, DictionaryAttr attributes,
                                        OpaqueProperties properties, RegionRange regions,
                                        SmallVectorImpl<Type> &types) {
  ArrayRef<int32_t> order = Adaptor(operands, attributes, properties, regions).getOrder();
  SmallVector<int64_t> pick(order), all = dimensions(operands);
  if (!std::is_permutation(pick.begin(), pick.end(), all.begin(), all.end()))
    return emitOptionalError(loc, "expected a tile, and an order that lists its dimensions once");
  types.push_back(rearranged(cast<RankedTensorType>(operands.front().getType()), pick));
  return success();
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
LogicalResult JoinOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                       ValueRange operands, DictionaryAttr, OpaqueProperties,
                                       RegionRange, SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> pick = dimensions(operands);
  if (pick.empty()) return emitOptionalError(loc, "expected tiles");
  pick.push_back(-1);
  auto wide =
      cast<RankedTensorType>(rearranged(cast<RankedTensorType>(operands.front().getType()), pick));
  SmallVector<int64_t> shape(wide.getShape());
  shape.back() = 2;
  types.push_back(RankedTensorType::get(shape, wide.getElementType(), wide.getEncoding()));
  return success();
}
LogicalResult SplitOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                        ValueRange operands, DictionaryAttr, OpaqueProperties,
                                        RegionRange, SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> pick = dimensions(operands);
  if (pick.size() < 2) return emitOptionalError(loc, "expected a tile of rank 2 or more");
  pick.pop_back();
  types.assign(2, rearranged(cast<RankedTensorType>(operands.front().getType()), pick));
  return success();
}
LogicalResult JoinOp::verify() {
  return verifyPair(*this, tileType(getLhs()), tileType(getResult()));
}
LogicalResult SplitOp::verify() {
  return verifyPair(*this, tileType(getLhs()), tileType(getSource()));
}

/// Is each a number that is not negative, or an extent as text?
static bool areOffsets(ArrayAttr offsets) {
  return llvm::all_of(offsets, [](Attribute offset) {
    auto number = dyn_cast<IntegerAttr>(offset);
    auto text = dyn_cast<StringAttr>(offset);
    return (number && number.getType().isInteger(64) && number.getInt() >= 0) ||
           (text && isExtentText(text));
  });
}

LogicalResult SliceOp::verify() {
  auto source = tileType(getSource()), result = tileType(getResult());
  if (failed(verifySameElement(*this, source, result))) return failure();
  int64_t rank = source.getRank();
  if (!areOffsets(getOffsets()))
    return emitOpError("expected offsets that are 0 or more, or arithmetic on meta-parameters, "
                       "found ")
           << getOffsets();
  if (result.getRank() != rank || static_cast<int64_t>(getOffsets().size()) != rank)
    return emitOpError("expected an offset and an extent for each of the ")
           << rank << " dimensions, found " << getOffsets().size() << " offsets and " << result;
  for (int64_t d = 0; d < rank; ++d) {
    auto offset = dyn_cast<IntegerAttr>(getOffsets()[d]);
    bool whole = sameExtent(source, d, result, d);
    bool known = !source.isDynamicDim(d) && !result.isDynamicDim(d);
    // What is named is compared once it is bound.
    if (!offset || (!whole && !known)) continue;
    int64_t extent = whole ? 0 : result.getDimSize(d), most = whole ? 0 : source.getDimSize(d);
    if (offset.getInt() <= most - extent) continue;
    return emitOpError("expected a part of ") << source << ", found " << result << " from "
                                              << offset.getInt() << " on along dimension " << d;
  }
  return success();
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

//===- memory -------------------------------------------------------------===//

LogicalResult PtrCastOp::verify() {
  Type from = getSource().getType(), to = getResult().getType();
  auto a = dyn_cast<RankedTensorType>(from), b = dyn_cast<RankedTensorType>(to);
  if (bool(a) != bool(b) || (a && !sameExtents(a, b)))
    return emitOpError() << "expected one shape on both sides, found " << from << " and " << to;
  if (!isa<PtrType>(getElementTypeOrSelf(from)) && !isa<PtrType>(getElementTypeOrSelf(to)))
    return emitOpError() << "expected pointers on one side, found " << from << " and " << to;
  return success();
}

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

/// A load that is read again each time is neither moved nor left out.
void LoadOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), Global::get());
  if (getCache() == CacheUse::CV) effects.emplace_back(MemoryEffects::Write::get(), Global::get());
}

LogicalResult LoadOp::verify() {
  if (!getMask() && getOther())
    return emitOpError("expected a mask for 'other' to stand in for, found none");
  if (getCache() == CacheUse::WB || getCache() == CacheUse::WT)
    return emitOpError("expected ca, cg, cs or cv, which caches of a load can be, found ")
           << stringifyCacheUse(*getCache());
  return success();
}

LogicalResult StoreOp::verify() {
  if (getCache() != CacheUse::CA && getCache() != CacheUse::CV) return success();
  return emitOpError("expected wb, cg, cs or wt, which caches of a store can be, found ")
         << stringifyCacheUse(*getCache());
}

LogicalResult AtomicRmwOp::verify() {
  Type element = getElementTypeOrSelf(getValue().getType());
  bool isFloat = isa<FloatType>(element), isPointer = isa<PtrType>(element);
  bool ok = true;
  StringRef expected = "i32 or i64";
  switch (getKind()) {
  case RmwKind::FAdd:
    expected = "f16, bf16, f32 or f64";
    ok = isFloat && element.getIntOrFloatBitWidth() >= 16;
    break;
  case RmwKind::FMin:
  case RmwKind::FMax:
    expected = "f16 or bf16";
    ok = element.isF16() || element.isBF16();
    break;
  case RmwKind::Xchg:
    expected = "a number of 32 or 64 bits";
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
  return emitOpError("expected ") << expected << " for " << stringifyRmwKind(getKind())
                                  << ", found " << element;
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

LogicalResult tile::verifyPart(Operation *op, Type desc, std::optional<ArrayRef<int64_t>> extents) {
  RankedTensorType box = cast<DescType>(desc).getBox();
  if (!extents) return success();
  bool inside = static_cast<int64_t>(extents->size()) == box.getRank();
  for (int64_t d = 0; inside && d < box.getRank(); ++d)
    inside = (*extents)[d] > 0 && (*extents)[d] <= box.getDimSize(d);
  if (inside) return success();
  return op->emitOpError("expected extents from 1 to those of the box, found others than ") << box;
}

LogicalResult tile::verifyAdds(Operation *op, Type desc, bool add) {
  Type element = cast<DescType>(desc).getBox().getElementType();
  if (!add || element.isF32()) return success();
  return op->emitOpError("expected a box of f32 to add, found one of ") << element;
}

template <typename Op> static LogicalResult verifyIndices(Op op) {
  int64_t rank = cast<DescType>(op.getDesc().getType()).getBox().getRank();
  if (static_cast<int64_t>(op.getIndices().size()) == rank) return success();
  return op.emitOpError("expected ") << rank << " indices, found " << op.getIndices().size();
}
LogicalResult DescLoadOp::verify() { return verifyIndices(*this); }
LogicalResult DescStoreOp::verify() {
  if (failed(verifyIndices(*this))) return failure();
  if (failed(verifyAdds(*this, getDesc().getType(), getAdd()))) return failure();
  return verifyPart(*this, getDesc().getType(), getExtents());
}
