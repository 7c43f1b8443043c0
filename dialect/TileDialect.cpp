//===- TileDialect.cpp - types, attributes and the dialect itself ---------===//
#include "Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"
using namespace mlir;

namespace tile {

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
  return LayoutAttr::get(p.getContext(), rank.value_or(0), registers, lanes, warps, blocks);
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

/// Each coordinate of a basis lies inside the tile (padded to powers of two).
LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  int64_t rank = getRank();
  size_t all = getRegisters().size() + getLanes().size() + getWarps().size() + getBlocks().size();
  if (all && rank != static_cast<int64_t>(shape.size()))
    return emitError() << "expected a layout of rank " << shape.size() << ", found rank " << rank;
  for (ArrayRef<int64_t> flat : {getRegisters(), getLanes(), getWarps(), getBlocks()}) {
    if (flat.size() > static_cast<size_t>(rank) * 16)
      return emitError() << "expected at most 16 bases an input, found " << flat.size() / rank;
    for (auto [i, coordinate] : llvm::enumerate(flat)) {
      int64_t extent = shape[i % rank];
      if (ShapedType::isDynamic(extent)) return emitError() << "expected static extents, found '?'";
      if (coordinate < 0 || coordinate >= static_cast<int64_t>(llvm::PowerOf2Ceil(extent)))
        return emitError() << "expected coordinates below the extent " << extent << ", found "
                           << coordinate;
    }
  }
  return success();
}

//===- types --------------------------------------------------------------===//

static bool isNumber(Type t) {
  if (auto i = dyn_cast<IntegerType>(t))
    return i.isSignless() && llvm::is_contained({1u, 8u, 16u, 32u, 64u}, i.getWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float8E4M3FNType, Float8E5M2Type>(
      t);
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
  while (succeeded(p.parseOptionalComma())) {
    StringRef key;
    if (p.parseKeyword(&key) || p.parseEqual()) return {};
    ParseResult parsed = success();
    if (key == "swizzle")
      parsed = p.parseInteger(swizzle);
    else if (key == "stages")
      parsed = p.parseInteger(stages);
    else if (key == "order")
      parsed = p.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                         [&] { return p.parseInteger(order.emplace_back()); });
    else
      parsed = p.emitError(loc) << "expected swizzle, order or stages, found '" << key << "'";
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
  for (int64_t extent : shape)
    if (extent <= 0 || !llvm::isPowerOf2_64(extent))
      return emitError() << "expected power of two extents, found " << extent;
  if (!llvm::is_contained({0, 32, 64, 128}, swizzle))
    return emitError() << "expected a swizzle of 0, 32, 64 or 128 bytes, found " << swizzle;
  if (stages < 1) return emitError() << "expected at least 1 stage, found " << stages;
  llvm::SmallBitVector seen(shape.size());
  for (int64_t d : order)
    if (d >= 0 && d < static_cast<int64_t>(shape.size())) seen.set(d);
  if (order.size() != shape.size() || !seen.all())
    return emitError() << "expected order to list each of the " << shape.size()
                       << " dimensions once";
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

/// Argument attributes: tile.divisibility = a power of two; tile.key.
LogicalResult tile::TileDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned arg,
                                                          NamedAttribute attr) {
  if (attr.getName() == "tile.divisibility") {
    auto value = dyn_cast<IntegerAttr>(attr.getValue());
    if (value && value.getInt() > 0 && llvm::isPowerOf2_64(value.getInt())) return success();
    return op->emitError() << "expected tile.divisibility to be a power of two, found "
                           << attr.getValue() << " on argument " << arg;
  }
  if (attr.getName() == "tile.key") {
    if (isa<UnitAttr>(attr.getValue())) return success();
    return op->emitError() << "expected tile.key to be a unit attribute, found " << attr.getValue();
  }
  // What tile-run gives an argument of @main that the command line leaves out.
  if (attr.getName() == "tile.default") {
    auto function = dyn_cast<FunctionOpInterface>(op);
    auto value = dyn_cast<TypedAttr>(attr.getValue());
    if (function && value && value.getType() == function.getArgumentTypes()[arg]) return success();
    return op->emitError() << "expected tile.default to have the type of argument " << arg
                           << ", found " << attr.getValue();
  }
  return op->emitError() << "expected tile.divisibility, tile.key or tile.default, found '"
                         << attr.getName().getValue() << "' on argument " << arg;
}
