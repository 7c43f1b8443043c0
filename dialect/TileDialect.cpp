//===- TileDialect.cpp - types, attributes and the dialect itself ---------===//
#include "Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"
using namespace mlir;

namespace tile {

bool isKeyword(StringRef word) {
  auto isFirst = [](char c) { return llvm::isAlpha(c) || c == '_'; };
  auto isNext = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; };
  return !word.empty() && isFirst(word.front()) && llvm::all_of(word, isNext);
}

//===- #tile.dims ---------------------------------------------------------===//

static ParseResult parseDimNames(AsmParser &p, SmallVector<StringAttr> &names) {
  return p.parseCommaSeparatedList([&]() -> ParseResult {
    StringRef word;
    if (p.parseKeyword(&word)) return failure();
    names.push_back(p.getBuilder().getStringAttr(word));
    return success();
  });
}

static void printDimNames(AsmPrinter &p, ArrayRef<StringAttr> names) {
  llvm::interleaveComma(names, p, [&](StringAttr n) { p << n.getValue(); });
}

LogicalResult DimsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<StringAttr> names) {
  if (names.empty()) return emitError() << "expected at least one name, found none";
  for (StringAttr name : names)
    if (!isKeyword(name)) return emitError() << "expected names of extents, found " << name;
  return success();
}

LogicalResult DimsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                       function_ref<InFlightDiagnostic()> emitError) const {
  size_t dynamic = llvm::count(shape, ShapedType::kDynamic);
  if (dynamic == getNames().size()) return success();
  return emitError() << "expected one name for each '?' extent, found " << getNames().size()
                     << " for " << dynamic;
}

//===- #tile.layout -------------------------------------------------------===//

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
  SmallVector<int64_t> registers, lanes, warps, blocks;
  std::optional<int64_t> rank;
  if (p.parseLess() || parseBases(p, "register", rank, registers) || p.parseComma() ||
      parseBases(p, "lane", rank, lanes) || p.parseComma() || parseBases(p, "warp", rank, warps))
    return {};
  if (succeeded(p.parseOptionalComma()) && parseBases(p, "block", rank, blocks)) return {};
  if (p.parseGreater()) return {};
  auto emit = [&] { return p.emitError(p.getNameLoc()); };
  return LayoutAttr::getChecked(emit, p.getContext(), rank.value_or(0), registers, lanes, warps,
                                blocks);
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
  if (!getBlocks().empty()) {
    p << ", ";
    printBases(p, "block", getRank(), getBlocks());
  }
  p << ">";
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rank,
                                 ArrayRef<int64_t> registers, ArrayRef<int64_t> lanes,
                                 ArrayRef<int64_t> warps, ArrayRef<int64_t> blocks) {
  // Without bases the rank could not be read back: it is 0 then.
  bool empty = registers.empty() && lanes.empty() && warps.empty() && blocks.empty();
  if (empty ? rank != 0 : rank < 1 || rank > TILE_MAX_RANK)
    return emitError() << "expected a layout of rank " << (empty ? "0" : "1 to 6")
                       << ", found rank " << rank;
  for (ArrayRef<int64_t> flat : {registers, lanes, warps, blocks}) {
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
  size_t all = getRegisters().size() + getLanes().size() + getWarps().size() + getBlocks().size();
  if (all && rank != static_cast<int64_t>(shape.size()))
    return emitError() << "expected a layout of rank " << shape.size() << ", found rank " << rank;
  for (int64_t extent : shape) {
    if (ShapedType::isDynamic(extent)) return emitError() << "expected static extents, found '?'";
    if (extent < 1 || extent >> TILE_MAX_BITS)
      return emitError() << "expected extents from 1 to 2^" << TILE_MAX_BITS << " - 1, found "
                         << extent;
  }
  for (ArrayRef<int64_t> flat : {getRegisters(), getLanes(), getWarps(), getBlocks()}) {
    for (auto [i, coordinate] : llvm::enumerate(flat)) {
      int64_t extent = shape[i % rank];
      if (coordinate >= static_cast<int64_t>(llvm::PowerOf2Ceil(extent)))
        return emitError() << "expected coordinates below the extent " << extent << ", found "
                           << coordinate;
    }
  }
  return success();
}

//===- types --------------------------------------------------------------===//

bool isNumber(Type t) {
  if (auto i = dyn_cast<IntegerType>(t))
    return i.isSignless() && llvm::is_contained({1u, 8u, 16u, 32u, 64u}, i.getWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float8E4M3FNType, Float8E5M2Type>(
      t);
}

bool isTileShape(RankedTensorType type) {
  bool named = isa_and_nonnull<DimsAttr>(type.getEncoding());
  int64_t elements = 1;
  if (type.getRank() < 1 || type.getRank() > TILE_MAX_RANK) return false;
  for (int64_t extent : type.getShape()) {
    if (ShapedType::isDynamic(extent)) {
      if (!named) return false;
      continue;
    }
    if (extent < 1 || extent > (int64_t(1) << TILE_MAX_BITS) / elements) return false;
    elements *= extent;
  }
  return true;
}

StringAttr dimName(RankedTensorType type, int64_t dim) {
  auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding());
  if (!dims || !type.isDynamicDim(dim)) return {};
  size_t before = llvm::count(type.getShape().take_front(dim), ShapedType::kDynamic);
  return before < dims.getNames().size() ? dims.getNames()[before] : StringAttr();
}

bool sameExtent(RankedTensorType a, int64_t i, RankedTensorType b, int64_t j) {
  return a.getDimSize(i) == b.getDimSize(j) && dimName(a, i) == dimName(b, j);
}

bool sameExtents(RankedTensorType a, RankedTensorType b) {
  bool same = a.getRank() == b.getRank();
  for (int64_t i = 0; same && i < a.getRank(); ++i) same = sameExtent(a, i, b, i);
  return same;
}

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee) {
  if (isNumber(pointee) || isa<PtrType>(pointee)) return success();
  return emitError() << "expected a pointer to i1 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 "
                        "or a pointer, found "
                     << pointee;
}

/// `128x64xf16` and, if there, `, #tile.dims<..>`.
Type DescType::parse(AsmParser &p) {
  SmallVector<int64_t> shape;
  Type element;
  Attribute dims;
  SMLoc loc = p.getCurrentLocation();
  if (p.parseLess() || p.parseDimensionList(shape) || p.parseType(element)) return {};
  if (succeeded(p.parseOptionalComma()) && p.parseAttribute(dims)) return {};
  if (p.parseGreater()) return {};
  auto emit = [&] { return p.emitError(loc); };
  auto box = RankedTensorType::getChecked(emit, shape, element, dims);
  return box ? DescType::getChecked(emit, p.getContext(), box) : Type();
}

void DescType::print(AsmPrinter &p) const {
  p << "<";
  p.printDimensionList(getBox().getShape());
  p << "x" << getBox().getElementType();
  if (getBox().getEncoding()) p << ", " << getBox().getEncoding();
  p << ">";
}

LogicalResult DescType::verify(function_ref<InFlightDiagnostic()> emitError, RankedTensorType box) {
  if (box.getRank() < 1 || box.getRank() > 5)
    return emitError() << "expected a box of rank 1 to 5, found rank " << box.getRank();
  if (!isNumber(box.getElementType()))
    return emitError() << "expected a box of numbers, found " << box.getElementType();
  if (box.getEncoding() && !isa<DimsAttr>(box.getEncoding()))
    return emitError() << "expected names of extents, found " << box.getEncoding();
  if (!isTileShape(box))
    return emitError() << "expected extents that are positive or named, and at most 2^24 elements, "
                          "found "
                       << box;
  return success();
}

/// `128x64xf16[, swizzle = 128][, order = [0, 1]][, stages = 3]`.
Type BufferType::parse(AsmParser &p) {
  SmallVector<int64_t> shape, order;
  Type element;
  int64_t swizzle = 0, stages = 1;
  SMLoc loc = p.getCurrentLocation();
  if (p.parseLess() || p.parseDimensionList(shape, /*allowDynamic=*/false) || p.parseType(element))
    return {};
  SmallVector<StringRef> seen;
  while (succeeded(p.parseOptionalComma())) {
    StringRef key;
    SMLoc keyLoc = p.getCurrentLocation();
    if (p.parseKeyword(&key) || p.parseEqual()) return {};
    ParseResult parsed = success();
    if (llvm::is_contained(seen, key))
      return p.emitError(keyLoc) << "expected each key once, found '" << key << "' again", Type();
    seen.push_back(key);
    if (key == "swizzle")
      parsed = p.parseInteger(swizzle);
    else if (key == "stages")
      parsed = p.parseInteger(stages);
    else if (key == "order")
      parsed = p.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                         [&] { return p.parseInteger(order.emplace_back()); });
    else
      parsed = p.emitError(keyLoc) << "expected swizzle, order or stages, found '" << key << "'";
    if (failed(parsed)) return {};
  }
  if (p.parseGreater()) return {};
  if (order.empty())
    for (size_t i = shape.size(); i-- > 0;) order.push_back(i);
  auto emit = [&] { return p.emitError(loc); };
  return BufferType::getChecked(emit, p.getContext(), shape, element, swizzle, order, stages);
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
  p << ">";
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type element, int64_t swizzle,
                                 ArrayRef<int64_t> order, int64_t stages) {
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
  if (!llvm::is_contained({0, 32, 64, 128}, swizzle))
    return emitError() << "expected a swizzle of 0, 32, 64 or 128 bytes, found " << swizzle;
  if (stages < 1 || stages > 1024)
    return emitError() << "expected 1 to 1024 stages, found " << stages;
  llvm::SmallBitVector seen(shape.size());
  for (int64_t d : order)
    if (d >= 0 && d < static_cast<int64_t>(shape.size())) seen.set(d);
  if (order.size() != shape.size() || !seen.all())
    return emitError() << "expected order to list each of the " << shape.size()
                       << " dimensions once, found [" << order << "]";
  return success();
}

//===- the dialect --------------------------------------------------------===//

namespace {
/// Helpers are inlined; a kernel is never called.
struct TileInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *callable, bool) const final {
    auto func = dyn_cast<FuncOp>(callable);
    return func && func.isPrivate();
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
  void handleTerminator(Operation *op, ValueRange results) const final {
    for (auto [from, to] : llvm::zip(results, op->getOperands())) from.replaceAllUsesWith(to);
  }
};
} // namespace
} // namespace tile

#include "TileDialect.cpp.inc"
#include "TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "TileAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "TileTypes.cpp.inc"

void tile::TileDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "TileOps.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "TileTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TileAttrs.cpp.inc"
      >();
  addInterfaces<TileInliner>();
}

Operation *tile::TileDialect::materializeConstant(OpBuilder &b, Attribute value, Type type,
                                                  Location loc) {
  return arith::ConstantOp::materialize(b, value, type, loc);
}

/// Argument attributes: tile.divisibility = a power of two, on integers and pointers; tile.key and
/// tile.positive, on integers.
LogicalResult tile::TileDialect::verifyRegionArgAttribute(Operation *op, unsigned region,
                                                          unsigned arg, NamedAttribute attr) {
  Type type;
  if (region < op->getNumRegions() && !op->getRegion(region).empty() &&
      arg < op->getRegion(region).getNumArguments())
    type = op->getRegion(region).getArgument(arg).getType();
  if (attr.getName() == "tile.divisibility") {
    auto value = dyn_cast<IntegerAttr>(attr.getValue());
    if (!value || !value.getType().isSignlessInteger() || !value.getValue().isPowerOf2() ||
        value.getValue().getActiveBits() > 31)
      return op->emitError() << "expected tile.divisibility to be a power of two below 2^31, found "
                             << attr.getValue() << " on argument " << arg;
    if (isa_and_nonnull<IntegerType, IndexType, PtrType>(type)) return success();
    return op->emitError() << "expected tile.divisibility on an integer or pointer, found " << type
                           << " for argument " << arg;
  }
  if (attr.getName() == "tile.key" || attr.getName() == "tile.positive") {
    StringRef name = attr.getName().getValue();
    if (!isa<UnitAttr>(attr.getValue()))
      return op->emitError() << "expected " << name << " to be a unit attribute, found "
                             << attr.getValue();
    if (isa_and_nonnull<IntegerType>(type)) return success();
    return op->emitError() << "expected " << name << " on an integer, found " << type
                           << " for argument " << arg;
  }
  // What tile-run gives an argument of @main that the command line leaves out.
  if (attr.getName() == "tile.default") {
    auto function = dyn_cast<FunctionOpInterface>(op);
    auto value = dyn_cast<TypedAttr>(attr.getValue());
    if (function && value && value.getType() == function.getArgumentTypes()[arg]) return success();
    return op->emitError() << "expected tile.default to have the type of argument " << arg
                           << ", found " << attr.getValue();
  }
  return op->emitError()
         << "expected tile.divisibility, tile.positive, tile.key or tile.default, found '"
         << attr.getName().getValue() << "' on argument " << arg;
}

LogicalResult tile::TileDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                             unsigned result, NamedAttribute attr) {
  return op->emitError() << "expected no tile attribute on a result, found '"
                         << attr.getName().getValue() << "' on result " << result;
}
