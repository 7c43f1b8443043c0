//===- TileGpuDialect.cpp - tile_gpu: layouts, buffers and hooks ----------===//
#include "Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
using namespace mlir;

namespace tile {

//===- #tile_gpu.layout ---------------------------------------------------===//

/// `name = [[0, 1], [8, 0]]`: appends the bases to `flat`; all have one rank.
static ParseResult parseBases(AsmParser &p, StringRef name, std::optional<int64_t> &rank,
                              SmallVector<int64_t> &flat) {
  if (p.parseKeyword(name) || p.parseEqual()) return failure();
  return p.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    SMLoc loc = p.getCurrentLocation();
    int64_t count = 0;
    if (p.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          ++count;
          return p.parseInteger(flat.emplace_back());
        }))
      return failure();
    if (!rank) rank = count;
    if (count == 0 || count > TILE_MAX_RANK)
      return p.emitError(loc) << "expected bases of 1 to " << TILE_MAX_RANK
                              << " coordinates, found " << count;
    if (*rank == count) return success();
    return p.emitError(loc) << "expected bases of " << *rank << " coordinates, found " << count;
  });
}

Attribute LayoutAttr::parse(AsmParser &p, Type) {
  SmallVector<int64_t> registers, lanes, warps;
  std::optional<int64_t> rank;
  if (p.parseLess() || parseBases(p, "register", rank, registers) || p.parseComma() ||
      parseBases(p, "lane", rank, lanes) || p.parseComma() || parseBases(p, "warp", rank, warps))
    return {};
  if (p.parseGreater()) return {};
  auto emit = [&] { return p.emitError(p.getNameLoc()); };
  return LayoutAttr::getChecked(emit, p.getContext(), rank.value_or(0), registers, lanes, warps);
}

static void printBases(AsmPrinter &p, StringRef name, int64_t rank, ArrayRef<int64_t> flat) {
  p << name << " = [";
  for (size_t i = 0; i < flat.size(); i += rank) {
    p << (i ? ", [" : "[");
    llvm::interleaveComma(flat.slice(i, rank), p);
    p << "]";
  }
  p << "]";
}

void LayoutAttr::print(AsmPrinter &p) const {
  p << "<";
  printBases(p, "register", getRank(), getRegisters());
  p << ", ";
  printBases(p, "lane", getRank(), getLanes());
  p << ", ";
  printBases(p, "warp", getRank(), getWarps());
  p << ">";
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rank,
                                 ArrayRef<int64_t> registers, ArrayRef<int64_t> lanes,
                                 ArrayRef<int64_t> warps) {
  // Without bases the rank could not be read back: it is 0 then.
  bool empty = registers.empty() && lanes.empty() && warps.empty();
  if (empty ? rank != 0 : rank < 1 || rank > TILE_MAX_RANK)
    return emitError() << "expected a layout of rank " << (empty ? "0" : "1 to 16")
                       << ", found rank " << rank;
  for (ArrayRef<int64_t> flat : {registers, lanes, warps}) {
    if (empty) break;
    if (flat.size() % rank || flat.size() / rank > TILE_MAX_BITS)
      return emitError() << "expected at most " << TILE_MAX_BITS << " bases of " << rank
                         << " coordinates an input, found " << flat.size() << " coordinates";
    for (int64_t coordinate : flat)
      if (coordinate < 0 || coordinate >> TILE_MAX_BITS)
        return emitError() << "expected coordinates from 0 to 2^" << TILE_MAX_BITS << " - 1, found "
                           << coordinate;
  }
  return success();
}

/// Each coordinate of a basis lies inside the tile (padded to powers of two).
LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  int64_t rank = getRank();
  size_t all = getRegisters().size() + getLanes().size() + getWarps().size();
  if (all && rank != static_cast<int64_t>(shape.size()))
    return emitError() << "expected a layout of rank " << shape.size() << ", found rank " << rank;
  for (int64_t extent : shape) {
    if (ShapedType::isDynamic(extent)) return emitError() << "expected static extents, found '?'";
    if (extent < 1 || extent >> TILE_MAX_BITS)
      return emitError() << "expected extents from 1 to 2^" << TILE_MAX_BITS << " - 1, found "
                         << extent;
  }
  for (ArrayRef<int64_t> flat : {getRegisters(), getLanes(), getWarps()}) {
    for (auto [i, coordinate] : llvm::enumerate(flat)) {
      int64_t extent = shape[i % rank];
      if (coordinate >= static_cast<int64_t>(llvm::PowerOf2Ceil(extent)))
        return emitError() << "expected coordinates below the extent " << extent << ", found "
                           << coordinate;
    }
  }
  return success();
}

//===- !tile_gpu.buffer ---------------------------------------------------===//

/// `128x64xf16[, swizzle = 128][, order = [0, 1]][, stages = 3][, ragged]`.
Type BufferType::parse(AsmParser &p) {
  SmallVector<int64_t> shape, order;
  Type element;
  int64_t swizzle = 0, stages = 1;
  bool ragged = false;
  SMLoc loc = p.getCurrentLocation();
  if (p.parseLess() || p.parseDimensionList(shape, /*allowDynamic=*/false) || p.parseType(element))
    return {};
  SmallVector<StringRef> seen;
  while (succeeded(p.parseOptionalComma())) {
    StringRef key;
    SMLoc keyLoc = p.getCurrentLocation();
    if (p.parseKeyword(&key)) return {};
    if (key != "ragged" && p.parseEqual()) return {};
    ParseResult parsed = success();
    if (llvm::is_contained(seen, key))
      return p.emitError(keyLoc) << "expected each key once, found '" << key << "' again", Type();
    seen.push_back(key);
    if (key == "ragged")
      ragged = true;
    else if (key == "swizzle")
      parsed = p.parseInteger(swizzle);
    else if (key == "stages")
      parsed = p.parseInteger(stages);
    else if (key == "order")
      parsed = p.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                         [&] { return p.parseInteger(order.emplace_back()); });
    else
      parsed = p.emitError(keyLoc)
               << "expected swizzle, order, stages or ragged, found '" << key << "'";
    if (failed(parsed)) return {};
  }
  if (p.parseGreater()) return {};
  if (order.empty())
    for (size_t i = shape.size(); i-- > 0;) order.push_back(i);
  auto emit = [&] { return p.emitError(loc); };
  return BufferType::getChecked(emit, p.getContext(), shape, element, swizzle, order, stages,
                                ragged);
}

void BufferType::print(AsmPrinter &p) const {
  p << "<";
  p.printDimensionList(getShape());
  p << "x" << getElementType();
  if (getSwizzle()) p << ", swizzle = " << getSwizzle();
  bool rowMajor = true;
  for (auto [i, d] : llvm::enumerate(getOrder()))
    rowMajor &= d == static_cast<int64_t>(getOrder().size() - 1 - i);
  if (!rowMajor) {
    p << ", order = [";
    llvm::interleaveComma(getOrder(), p);
    p << "]";
  }
  if (getStages() != 1) p << ", stages = " << getStages();
  if (getRagged()) p << ", ragged";
  p << ">";
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type element, int64_t swizzle,
                                 ArrayRef<int64_t> order, int64_t stages, bool ragged) {
  if (shape.empty() || shape.size() > 5)
    return emitError() << "expected a buffer of rank 1 to 5, found rank " << shape.size();
  if (!isNumber(element)) return emitError() << "expected a buffer of numbers, found " << element;
  int64_t elements = 1;
  for (int64_t extent : shape) {
    // What only the copy engine and the tensor cores touch is whole patterns of the swizzle.
    if (extent <= 0 || !(llvm::isPowerOf2_64(extent) || (swizzle && extent % 8 == 0)))
      return emitError() << "expected power of two extents, or multiples of 8 and a swizzle, found "
                         << extent;
    if (extent > (int64_t(1) << TILE_MAX_BITS) / elements)
      return emitError() << "expected at most 2^" << TILE_MAX_BITS << " elements, found " << shape;
    elements *= extent;
  }
  if (!llvm::is_contained({0, 32, 64, 128, 256}, swizzle))
    return emitError() << "expected a swizzle of 0, 32, 64 or 128 bytes, or 256, found " << swizzle;
  if (stages < 1 || stages > 1024)
    return emitError() << "expected 1 to 1024 stages, found " << stages;
  llvm::SmallBitVector seen(shape.size());
  for (int64_t d : order)
    if (d >= 0 && d < static_cast<int64_t>(shape.size())) seen.set(d);
  if (order.size() != shape.size() || !seen.all())
    return emitError() << "expected order to list each of the " << shape.size()
                       << " dimensions once, found [" << order << "]";
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  if (ragged && (shape.size() != 2 || swizzle || bits < 8 || shape[order[0]] * bits % 128))
    return emitError()
           << "expected ragged rows of two dimensions, without a swizzle, of a multiple "
              "of 16 bytes, found others";
  return success();
}

} // namespace tile

//===- the dialect --------------------------------------------------------===//

#include "TileGpuDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "TileGpuAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "TileGpuTypes.cpp.inc"

void tile::TileGpuDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "TileGpuOps.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "TileGpuTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TileGpuAttrs.cpp.inc"
      >();
  addInlining(*this);
}

Operation *tile::TileGpuDialect::materializeConstant(OpBuilder &b, Attribute value, Type type,
                                                     Location loc) {
  return arith::ConstantOp::materialize(b, value, type, loc);
}
