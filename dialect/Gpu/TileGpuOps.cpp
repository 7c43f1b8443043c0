//===- TileGpuOps.cpp - verifiers of TileGpuOps.td ------------------------===//
#include "../Text/Known.h"
#include "Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
using namespace mlir;
using namespace tile;

#define GET_OP_CLASSES
#include "TileGpuOps.cpp.inc"

LogicalResult ConvertLayoutOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType()),
       result = cast<RankedTensorType>(getType());
  if (sameExtents(source, result) && source.getElementType() == result.getElementType())
    return success();
  return emitOpError("expected one shape and element type, found ") << source << " to " << result;
}
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
  std::optional<ArrayRef<int32_t>> at = getAt();
  if (!at) return verifyBlock(*this, getResult().getType(), getBuffer().getType());
  auto t = cast<RankedTensorType>(getResult().getType());
  auto b = cast<BufferType>(getBuffer().getType());
  bool fits = b.getStages() == 1 && t.getElementType() == b.getElementType() &&
              t.hasStaticShape() && t.getRank() == static_cast<int64_t>(b.getShape().size()) &&
              at->size() == b.getShape().size();
  for (int64_t d = 0; fits && d < t.getRank(); ++d) {
    int64_t part = t.getDimSize(d), whole = b.getShape()[d], first = (*at)[d];
    fits = part > 0 && whole % part == 0 && first >= 0 && first % part == 0 && first < whole;
  }
  if (fits) return success();
  return emitOpError("expected a part of a buffer whose extents divide the buffer's, at a multiple "
                     "of them, found ")
         << t << " of " << b;
}
LogicalResult BufferGatherOp::verify() {
  auto t = cast<RankedTensorType>(getResult().getType()),
       i = cast<RankedTensorType>(getIndices().getType());
  auto b = cast<BufferType>(getBuffer().getType());
  int64_t rank = static_cast<int64_t>(b.getShape().size());
  bool fits = b.getStages() == 1 && b.getSwizzle() == 0 && getAxis() < rank &&
              t.getRank() == rank && t.getElementType() == b.getElementType() && sameExtents(t, i);
  for (int64_t d = 0; fits && d < rank; ++d)
    fits = d == static_cast<int64_t>(getAxis()) || t.getDimSize(d) == b.getShape()[d];
  if (fits) return success();
  return emitOpError("expected a buffer without a swizzle, of the result's extents but for axis ")
         << getAxis() << ", and indices of the result's, found " << b << ", " << i << " to " << t;
}
LogicalResult AsyncCopyOp::verify() {
  Type value = pointeeType(getPtr().getType());
  if (!isa<RankedTensorType>(value))
    return emitOpError("expected a tile of pointers, found ") << getPtr().getType();
  return verifyBlock(*this, value, getBuffer().getType());
}
LogicalResult BufferStageOp::verify() {
  auto ring = cast<BufferType>(getRing().getType()), block = cast<BufferType>(getType());
  auto wanted = BufferType::get(getContext(), ring.getShape(), ring.getElementType(),
                                ring.getSwizzle(), ring.getOrder(), 1, ring.getRagged());
  if (block == wanted) return success();
  return emitOpError("expected a result of ") << wanted << ", found " << block;
}

LogicalResult BufferTransOp::verify() {
  auto source = cast<BufferType>(getBuffer().getType());
  size_t rank = source.getShape().size();
  SmallVector<int64_t> shape(rank), order(rank), place(rank, -1);
  bool permutes = getOrder().size() == rank;
  for (size_t i = 0; permutes && i < rank; ++i) {
    int32_t from = getOrder()[i];
    permutes = from >= 0 && static_cast<size_t>(from) < rank && place[from] < 0;
    if (permutes) place[from] = static_cast<int64_t>(i);
  }
  if (!permutes)
    return emitOpError("expected an order of the buffer's ")
           << rank << " dimensions, found another";
  for (size_t i = 0; i < rank; ++i) {
    shape[i] = source.getShape()[getOrder()[i]];
    order[i] = place[source.getOrder()[i]];
  }
  auto wanted = BufferType::get(getContext(), shape, source.getElementType(), source.getSwizzle(),
                                order, source.getStages(), source.getRagged());
  if (getType() == wanted) return success();
  return emitOpError("expected a result of ") << wanted << ", found " << getType();
}

//===- clusters -----------------------------------------------------------===//

/// Where each block of a cluster has a share of a sum's registers.
static LogicalResult verifyShares(Operation *op, std::optional<ArrayRef<int64_t>> shares,
                                  std::optional<int64_t> period) {
  if (!shares && !period) return success();
  bool ascends = shares && period && shares->size() >= 3 && shares->front() == 0;
  for (size_t i = 1; ascends && i < shares->size(); ++i) ascends = (*shares)[i - 1] <= (*shares)[i];
  if (ascends && shares->back() > 0 && shares->back() <= *period) return success();
  return op->emitOpError("expected where each of two or more blocks' shares of a period begins, "
                         "from 0 on, and the last one's end in it, found ")
         << op->getAttrDictionary();
}

LogicalResult AddPartsOp::verify() { return verifyShares(*this, getShares(), getPeriod()); }

LogicalResult CollectPartsOp::verify() {
  if (!getSources().empty() && getSources().getTypes() == getResults().getTypes())
    return verifyShares(*this, getShares(), getPeriod());
  return emitOpError("expected one sum or more, each of its part's type, found parts of ")
         << getSources().getTypes() << " and sums of " << getResults().getTypes();
}

LogicalResult CollectTurnsOp::verify() {
  if (getParts() < 2 || getParts() > 32)
    return emitOpError("expected 2 to 32 parts, found ") << getParts();
  if (!getSources().empty() && getSources().getTypes() == getResults().getTypes()) return success();
  return emitOpError("expected one sum or more, each of its part's type, found parts of ")
         << getSources().getTypes() << " and sums of " << getResults().getTypes();
}

LogicalResult ShareTurnsOp::verify() {
  if (!getSources().empty() && getSources().getTypes() == getResults().getTypes())
    return verifyShares(*this, getShares(), getPeriod());
  return emitOpError("expected one sum or more, each of its part's type, found parts of ")
         << getSources().getTypes() << " and sums of " << getResults().getTypes();
}

LogicalResult SharePartsOp::verify() {
  if (!getSources().empty() && getSources().getTypes() == getResults().getTypes())
    return verifyShares(*this, getShares(), getPeriod());
  return emitOpError("expected one sum or more, each of its part's type, found parts of ")
         << getSources().getTypes() << " and sums of " << getResults().getTypes();
}

//===- boxes and barriers -------------------------------------------------===//

/// Extents from the fastest dimension on, those of 1 left out.
static SmallVector<int64_t> fastestFirst(RankedTensorType box) {
  SmallVector<int64_t> extents;
  for (int64_t extent : llvm::reverse(box.getShape()))
    if (extent != 1) extents.push_back(extent);
  return extents;
}
static SmallVector<int64_t> fastestFirst(BufferType buffer) {
  SmallVector<int64_t> extents;
  for (int64_t dim : buffer.getOrder())
    if (buffer.getShape()[dim] != 1) extents.push_back(buffer.getShape()[dim]);
  return extents;
}

/// The parts common to every op that moves boxes between a descriptor and a shared buffer.
template <typename Op> static LogicalResult verifyBox(Op op) {
  RankedTensorType box = cast<DescType>(op.getDesc().getType()).getBox();
  auto buffer = cast<BufferType>(op.getBuffer().getType());
  if (static_cast<int64_t>(op.getIndices().size()) != box.getRank())
    return op.emitOpError("expected ")
           << box.getRank() << " indices, found " << op.getIndices().size();
  if (buffer.getStages() != 1)
    return op.emitOpError("expected one block of a ring, found ")
           << buffer.getStages() << " stages";
  if (buffer.getElementType() != box.getElementType())
    return op.emitOpError("expected a buffer of ") << box.getElementType() << ", found " << buffer;
  return success();
}

static LogicalResult verifySameBox(Operation *op, Type desc, Type buffer) {
  RankedTensorType box = cast<DescType>(desc).getBox();
  if (fastestFirst(box) == fastestFirst(cast<BufferType>(buffer))) return success();
  return op->emitOpError("expected a buffer of the box's extents, found ")
         << box << " and " << buffer;
}

LogicalResult DescCopyOp::verify() {
  if (failed(verifyBox(*this))) return failure();
  return verifySameBox(*this, getDesc().getType(), getBuffer().getType());
}

LogicalResult DescWriteOp::verify() {
  if (failed(verifyBox(*this))) return failure();
  if (failed(verifyPart(*this, getDesc().getType(), getExtents()))) return failure();
  if (failed(verifyAdds(*this, getDesc().getType(), getAdd()))) return failure();
  return verifySameBox(*this, getDesc().getType(), getBuffer().getType());
}

static LogicalResult verifyBarrier(Operation *op, Type type, bool ring = false) {
  auto barrier = cast<BufferType>(type);
  if (barrier.getElementType().isInteger(64) && barrier.getShape() == ArrayRef<int64_t>{1} &&
      (ring || barrier.getStages() == 1))
    return success();
  return op->emitOpError("expected ") << (ring ? "a ring of barriers" : "one barrier")
                                      << " (!tile_gpu.buffer<1xi64>), found " << barrier;
}

LogicalResult TmaLoadOp::verify() {
  if (failed(verifyBox(*this))) return failure();
  if (failed(verifyBarrier(*this, getBarrier().getType()))) return failure();
  return verifySameBox(*this, getDesc().getType(), getBuffer().getType());
}

static LogicalResult verifyColumn(Operation *op, Type desc, Type type) {
  RankedTensorType box = cast<DescType>(desc).getBox();
  auto buffer = cast<BufferType>(type);
  SmallVector<int64_t> one = fastestFirst(box), all = fastestFirst(buffer);
  bool column = one.size() == all.size() && !one.empty() && all.back() % one.back() == 0;
  for (size_t i = 0; column && i + 1 < one.size(); ++i) column = one[i] == all[i];
  if (column) return success();
  return op->emitOpError("expected a buffer of whole boxes, found ") << box << " and " << buffer;
}

/// Each of `cuts` is a descriptor of half of the rows of the one before.
template <typename Op> static LogicalResult verifyCuts(Op op) {
  RankedTensorType whole = cast<DescType>(op.getDesc().getType()).getBox();
  SmallVector<int64_t> half(whole.getShape());
  auto slowest = llvm::find_if(half, [](int64_t extent) { return extent != 1; });
  for (Value cut : op.getCuts()) {
    if (slowest != half.end()) *slowest /= 2;
    auto expected = RankedTensorType::get(half, whole.getElementType());
    RankedTensorType box = cast<DescType>(cut.getType()).getBox();
    if (box != expected)
      return op.emitOpError("expected a box of half of the rows, ")
             << expected << ", found " << box;
  }
  return success();
}

LogicalResult DescMulticastOp::verify() {
  if (failed(verifyBox(*this))) return failure();
  if (failed(verifySameBox(*this, getDesc().getType(), getBuffer().getType()))) return failure();
  return verifyCuts(*this);
}

LogicalResult TmaMulticastOp::verify() {
  if (failed(verifyBox(*this))) return failure();
  if (failed(verifyBarrier(*this, getBarrier().getType()))) return failure();
  if (failed(verifySameBox(*this, getDesc().getType(), getBuffer().getType()))) return failure();
  return verifyCuts(*this);
}

LogicalResult TmaStoreOp::verify() {
  if (failed(verifyBox(*this))) return failure();
  if (failed(verifyAdds(*this, getDesc().getType(), getAdd()))) return failure();
  return verifyColumn(*this, getDesc().getType(), getBuffer().getType());
}

LogicalResult PrefetchArrayOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (!isa<FuncOp>(parent))
    return emitOpError("expected all threads of the grid, as tile.func has them, found those of ")
           << parent->getName();
  auto box = cast<RankedTensorType>(cast<DescType>(getDesc().getType()).getBox());
  if (box.getRank() == 2) return success();
  return emitOpError("expected an array of rank 2, found ") << box.getRank();
}

LogicalResult BarrierInitOp::verify() { return verifyBarrier(*this, getBarrier().getType(), true); }
LogicalResult BarrierExpectOp::verify() { return verifyBarrier(*this, getBarrier().getType()); }
LogicalResult BarrierArriveOp::verify() { return verifyBarrier(*this, getBarrier().getType()); }
LogicalResult BarrierWaitOp::verify() { return verifyBarrier(*this, getBarrier().getType()); }

LogicalResult ExtractTileOp::verify() {
  auto from = cast<RankedTensorType>(getSource().getType()),
       part = cast<RankedTensorType>(getType());
  if (from.getElementType() != part.getElementType() || from.getRank() != part.getRank())
    return emitOpError("expected a part of the tile's type and rank, found ")
           << from << " and " << part;
  if (static_cast<int64_t>(getOffsets().size()) != from.getRank())
    return emitOpError("expected ") << from.getRank() << " offsets, found " << getOffsets().size();
  for (int64_t d = 0; d < from.getRank(); ++d) {
    int64_t offset = getOffsets()[d], extent = part.getDimSize(d), all = from.getDimSize(d);
    if (offset < 0 || all < 0 || extent < 0 || offset + extent > all)
      return emitOpError("expected a part inside the tile, found ")
             << extent << " at " << offset << " of " << all << " along dimension " << d;
  }
  return success();
}
