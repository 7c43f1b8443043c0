//===- TileDialect.cpp - tile: its types, attributes and hooks ------------===//
#include "Text/Extent.h"
#include "Tile.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "tile/Machine.h"
#include "tile/Tile.h"
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
  return p.parseCommaSeparatedList(
      [&]() -> ParseResult { return parseExtentText(p, names.emplace_back()); });
}

static ParseResult parseVarName(AsmParser &p, StringAttr &name) {
  StringRef word;
  if (p.parseKeyword(&word)) return failure();
  name = p.getBuilder().getStringAttr(word);
  return success();
}
static void printVarName(AsmPrinter &p, StringAttr name) { p << name.getValue(); }

static void printDimNames(AsmPrinter &p, ArrayRef<StringAttr> names) {
  llvm::interleaveComma(names, p, [&](StringAttr n) { p << n.getValue(); });
}

LogicalResult DimsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<StringAttr> names) {
  if (names.empty()) return emitError() << "expected at least one name, found none";
  for (StringAttr name : names)
    if (!isExtentText(name)) return emitError() << "expected names of extents, found " << name;
  return success();
}

LogicalResult DimsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                       function_ref<InFlightDiagnostic()> emitError) const {
  size_t dynamic = llvm::count(shape, ShapedType::kDynamic);
  if (dynamic == getNames().size()) return success();
  return emitError() << "expected one name for each '?' extent, found " << getNames().size()
                     << " for " << dynamic;
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
  if (isNumber(pointee) || isa<PtrType, VarType>(pointee)) return success();
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

//===- the dialect --------------------------------------------------------===//

namespace {
/// Helpers are inlined; a kernel is never called.
struct Inliner : DialectInlinerInterface {
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

void addInlining(Dialect &dialect) { dialect.addInterfaces<Inliner>(); }
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
  addInlining(*this);
}

Operation *tile::TileDialect::materializeConstant(OpBuilder &b, Attribute value, Type type,
                                                  Location loc) {
  return arith::ConstantOp::materialize(b, value, type, loc);
}

/// What the op `tile.name` is called in one of the dialects beside tile; empty where none has it.
static std::string nameBeside(MLIRContext *context, StringRef name) {
  for (StringRef other : {"tile_host", "tile_gpu"}) {
    std::string renamed = (other + "." + name.split('.').second).str();
    if (context->getOrLoadDialect(other) && RegisteredOperationName::lookup(renamed, context))
      return renamed;
  }
  return {};
}

/// All ops were in tile once, and a reader may not know which of the three has one.
static ParseResult refuseToParse(OpAsmParser &p, OperationState &state) {
  StringRef name = state.name.getStringRef();
  return p.emitError(p.getNameLoc())
         << "expected " << nameBeside(p.getContext(), name) << ", found " << name;
}

std::optional<Dialect::ParseOpHook> tile::TileDialect::getParseOperationHook(StringRef name) const {
  if (nameBeside(getContext(), name).empty()) return std::nullopt;
  return refuseToParse;
}

/// On ops, of their result: tile.divisibility, tile.contiguity and tile.constancy, a number for
/// each dimension, powers of two where they divide.
static LogicalResult verifyHint(Operation *op, NamedAttribute attr) {
  auto numbers = dyn_cast<DenseI64ArrayAttr>(attr.getValue());
  auto tile = op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                                       : RankedTensorType();
  int64_t dims = tile ? std::max<int64_t>(tile.getRank(), 1) : 1;
  bool divides = attr.getName() == "tile.divisibility";
  if (numbers && numbers.size() == dims && op->getNumResults() == 1 &&
      llvm::all_of(numbers.asArrayRef(), [&](int64_t n) {
        return n > 0 && (!divides || llvm::isPowerOf2_64(static_cast<uint64_t>(n)));
      }))
    return success();
  return op->emitError() << "expected " << attr.getName().getValue() << " to be an array<i64> of a "
                         << (divides ? "power of two" : "positive number")
                         << " for each dimension of the one result, found " << attr.getValue();
}

/// On integer arithmetic: tile.wraps, where wrapping is meant, as in a hash.
static LogicalResult verifyWraps(Operation *op, NamedAttribute attr) {
  // MLIR's lowerings hand it on.
  if (op->getName().getDialectNamespace() == "llvm") return success();
  bool mayWrap =
      isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp, arith::TruncIOp>(op);
  if (!mayWrap || !isa<UnitAttr>(attr.getValue()))
    return op->emitError() << "expected tile.wraps, without a value, on arith.addi, subi, muli, "
                              "shli or trunci, found "
                           << (mayWrap ? "a value" : "it on '")
                           << (mayWrap ? "" : op->getName().getStringRef()) << (mayWrap ? "" : "'");
  auto flags = cast<arith::ArithIntegerOverflowFlagsInterface>(op).getOverflowAttr();
  if (!flags || flags.getValue() == arith::IntegerOverflowFlags::none) return success();
  return op->emitError() << "expected tile.wraps or an overflow flag, found both";
}

/// Argument attributes: tile.divisibility = a power of two, on integers and pointers; tile.key and
/// tile.positive, on integers.
LogicalResult tile::TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  StringRef name = attr.getName().getValue();
  if (name == "tile.divisibility" || name == "tile.contiguity" || name == "tile.constancy")
    return verifyHint(op, attr);
  if (name == "tile.wraps") return verifyWraps(op, attr);
  if (attr.getName() != "tile.target") return success();
  StringRef chip = unwrap(tileTargetAttrGetChip(wrap(attr.getValue())));
  if (chip.empty())
    return op->emitError() << "expected tile.target to be a #nvvm.target, found "
                           << attr.getValue();
  if (tileMachineFind(chip.str().c_str())) return success();
  return op->emitError() << "expected tile.target to be one of " << tileMachineGetNames()
                         << ", found '" << chip << "'";
}

/// `attr` says that argument `arg` of the region is an extent or a stride: [array, dimension].
static LogicalResult verifyMeasure(Operation *op, Region *region, Type type, unsigned arg,
                                   NamedAttribute attr) {
  auto pair = dyn_cast<ArrayAttr>(attr.getValue());
  auto number = [&](unsigned i) { return dyn_cast<IntegerAttr>(pair[i]); };
  auto isNumber = [&](unsigned i) { return number(i) && number(i).getValue().isSignedIntN(31); };
  if (!pair || pair.size() != 2 || !isNumber(0) || !isNumber(1) || number(0).getInt() < 0 ||
      number(1).getInt() < 0)
    return op->emitError() << "expected " << attr.getName().getValue()
                           << " to be [argument, dimension], found " << attr.getValue()
                           << " on argument " << arg;
  if (!isa_and_nonnull<IntegerType>(type))
    return op->emitError() << "expected " << attr.getName().getValue() << " on an integer, found "
                           << type << " for argument " << arg;
  uint64_t array = number(0).getInt();
  if (region && array < region->getNumArguments() &&
      isa<tile::PtrType>(region->getArgument(array).getType()))
    return success();
  return op->emitError() << "expected " << attr.getName().getValue()
                         << " to name an argument that is a pointer, found " << array
                         << " on argument " << arg;
}

LogicalResult tile::TileDialect::verifyRegionArgAttribute(Operation *op, unsigned region,
                                                          unsigned arg, NamedAttribute attr) {
  Type type;
  if (region < op->getNumRegions() && !op->getRegion(region).empty() &&
      arg < op->getRegion(region).getNumArguments())
    type = op->getRegion(region).getArgument(arg).getType();
  if (attr.getName() == "tile.extent" || attr.getName() == "tile.stride")
    return verifyMeasure(op, type ? &op->getRegion(region) : nullptr, type, arg, attr);
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
  if (attr.getName() == "tile.key" || attr.getName() == "tile.positive" ||
      attr.getName() == "tile.negative") {
    StringRef name = attr.getName().getValue();
    if (!isa<UnitAttr>(attr.getValue()))
      return op->emitError() << "expected " << name << " to be a unit attribute, found "
                             << attr.getValue();
    if (isa_and_nonnull<IntegerType>(type)) return success();
    return op->emitError() << "expected " << name << " on an integer, found " << type
                           << " for argument " << arg;
  }
  return op->emitError()
         << "expected tile.divisibility, tile.positive, tile.negative, tile.key, tile.extent, "
            "tile.stride or tile_host.default, found '"
         << attr.getName().getValue() << "' on argument " << arg;
}

LogicalResult tile::TileDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                             unsigned result, NamedAttribute attr) {
  return op->emitError() << "expected no tile attribute on a result, found '"
                         << attr.getName().getValue() << "' on result " << result;
}
