//===- TileHostOps.cpp - tile_host: its assembly and verifiers ------------===//
#include "../Text/Known.h"
#include "Tile.h"
#include "mlir/IR/Builders.h"
using namespace mlir;

namespace tile {

LogicalResult verifyOutsideKernel(Operation *op) {
  auto kernel = op->getParentOfType<FuncOp>();
  if (!kernel) return success();
  return op->emitOpError("expected a host function around it, found tile.func @")
         << kernel.getSymName();
}

/// {N = 64, M = %m}: numbers, and operands where `numbers` has kDynamic.
static ParseResult parseBindings(OpAsmParser &p, ArrayAttr &names, DenseI64ArrayAttr &numbers,
                                 SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values) {
  SmallVector<Attribute> words;
  SmallVector<int64_t> all;
  auto entry = [&]() -> ParseResult {
    StringRef name;
    OpAsmParser::UnresolvedOperand value;
    int64_t number = ShapedType::kDynamic;
    if (p.parseKeyword(&name) || p.parseEqual()) return failure();
    OptionalParseResult operand = p.parseOptionalOperand(value);
    if (operand.has_value() ? failed(*operand) : failed(p.parseInteger(number))) return failure();
    if (operand.has_value()) values.push_back(value);
    words.push_back(p.getBuilder().getStringAttr(name));
    all.push_back(number);
    return success();
  };
  if (p.parseCommaSeparatedList(OpAsmParser::Delimiter::Braces, entry)) return failure();
  names = p.getBuilder().getArrayAttr(words);
  numbers = p.getBuilder().getDenseI64ArrayAttr(all);
  return success();
}

static void printBindings(OpAsmPrinter &p, Operation *, ArrayAttr names, DenseI64ArrayAttr numbers,
                          OperandRange values) {
  auto value = values.begin();
  p << '{';
  llvm::interleaveComma(llvm::zip_equal(names, numbers.asArrayRef()), p, [&](auto entry) {
    auto [name, number] = entry;
    p << cast<StringAttr>(name).getValue() << " = ";
    if (ShapedType::isDynamic(number))
      p << *value++;
    else
      p << number;
  });
  p << '}';
}

} // namespace tile

#include "TileHostDialect.cpp.inc"
#define GET_OP_CLASSES
#include "TileHostOps.cpp.inc"
using namespace tile;

void TileHostDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "TileHostOps.cpp.inc"
      >();
  addInlining(*this);
}

/// Argument attributes: tile_host.default, what tile-run gives an argument of @main that the
/// command line leaves out.
LogicalResult TileHostDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned arg,
                                                        NamedAttribute attr) {
  if (attr.getName() != "tile_host.default")
    return op->emitError() << "expected tile_host.default, found '" << attr.getName().getValue()
                           << "' on argument " << arg;
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto value = dyn_cast<TypedAttr>(attr.getValue());
  if (function && value && value.getType() == function.getArgumentTypes()[arg]) return success();
  return op->emitError() << "expected tile_host.default to have the type of argument " << arg
                         << ", found " << attr.getValue();
}

LogicalResult TileHostDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned result,
                                                           NamedAttribute attr) {
  return op->emitError() << "expected no tile_host attribute on a result, found '"
                         << attr.getName().getValue() << "' on result " << result;
}

/// Can `value` be passed for a kernel's `argument`? Arrays go as pointers.
static bool matchesArgument(Type value, Type argument) {
  if (value == argument) return true;
  auto array = dyn_cast<MemRefType>(value);
  auto ptr = dyn_cast<PtrType>(argument);
  return array && ptr && array.getElementType() == ptr.getPointee();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto func = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getKernelAttr());
  if (!func) return emitOpError("expected the name of a kernel, found '") << getKernel() << "'";
  if (func.isPrivate())
    return emitOpError("expected a kernel, found private helper '") << getKernel() << "'";
  auto wanted = func.getArgumentTypes();
  if (wanted.size() != getInputs().size())
    return emitOpError("expected ") << wanted.size() << " arguments for kernel '" << getKernel()
                                    << "', found " << getInputs().size();
  for (auto [i, argument] : llvm::enumerate(wanted))
    if (!matchesArgument(getInputs()[i].getType(), argument))
      return emitOpError("expected argument ")
             << i << " of kernel '" << getKernel() << "' to be " << argument << ", found "
             << getInputs()[i].getType();
  if (auto names = getNamesAttr())
    for (auto name : names.getAsValueRange<StringAttr>())
      if (!isBindable(func, name))
        return emitOpError("expected a meta-parameter of kernel '")
               << getKernel()
               << "', num_warps, num_stages, num_ctas, num_parts, num_splits, num_last_splits, "
                  "num_teams, num_at_once or maxnreg, found '"
               << name << "'";
  return success();
}

LogicalResult LaunchOp::verify() {
  if (getGrid().size() > 3)
    return emitOpError("expected a grid of 1 to 3 dimensions, found ") << getGrid().size();
  size_t names = getNamesAttr() ? getNamesAttr().size() : 0;
  ArrayRef<int64_t> numbers;
  if (getNumbersAttr()) numbers = getNumbersAttr().asArrayRef();
  size_t values = llvm::count_if(numbers, ShapedType::isDynamic);
  if (names != numbers.size() || values != getValues().size() || (getNamesAttr() && !names))
    return emitOpError("expected a value for each name in meta, found ")
           << names << " names, " << numbers.size() - values << " numbers and "
           << getValues().size() << " values";
  llvm::SmallDenseSet<Attribute> seen;
  for (size_t i = 0; i < names; ++i) {
    Attribute name = getNamesAttr()[i];
    if (!seen.insert(name).second)
      return emitOpError("expected each meta-parameter once, found ") << name << " again";
    if (!ShapedType::isDynamic(numbers[i]) && (numbers[i] < 1 || numbers[i] > INT32_MAX))
      return emitOpError("expected a positive integer below 2^31 for ")
             << name << ", found " << numbers[i];
  }
  return success();
}

template <typename Op> static LogicalResult verifyExtents(Op op) {
  int64_t dynamic = op.getType().getNumDynamicDims(), found = op.getExtents().size();
  if (dynamic == found) return success();
  return op.emitOpError("expected one extent for each '?' of the array, found ")
         << found << " for " << dynamic;
}
LogicalResult AllocOp::verify() { return verifyExtents(*this); }
LogicalResult RandomOp::verify() { return verifyExtents(*this); }

LogicalResult ExpectCloseOp::verify() {
  auto got = cast<MemRefType>(getGot().getType()), want = cast<MemRefType>(getWant().getType());
  if (failed(verifyCompatibleShape(got, want)))
    return emitOpError("expected two arrays of one shape, found ") << got << " and " << want;
  for (FloatAttr tolerance : {getAtolAttr(), getRtolAttr()})
    if (tolerance.getValue().isNegative() || !tolerance.getValue().isFinite())
      return emitOpError("expected tolerances of 0 or more, found ") << tolerance;
  return success();
}
