//===- Triton.cpp - parsers and printers of tt and ttg --------------------===//
#include "Triton.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
using namespace mlir;

//===- words: the enumerations of Triton ----------------------------------===//

static ParseResult parseWord(AsmParser &p, StringAttr &word) {
  std::string text;
  if (p.parseKeywordOrString(&text)) return failure();
  word = p.getBuilder().getStringAttr(text);
  return success();
}
static void printWord(AsmPrinter &p, StringAttr word) { p.printKeywordOrString(word.getValue()); }
static void printWord(OpAsmPrinter &p, Operation *, StringAttr word) {
  p.printKeywordOrString(word.getValue());
}

/// A number, or the name that LLVM's address space for NVIDIA has in Triton 3.9.
static ParseResult parseSpace(AsmParser &p, int64_t &space) {
  OptionalParseResult number = p.parseOptionalInteger(space);
  if (number.has_value()) return *number;
  static const struct {
    const char *name;
    int64_t space;
  } known[] = {{"descriptor", 0}, {"global", 1}, {"constant", 4}};
  SMLoc loc = p.getCurrentLocation();
  std::string name;
  if (p.parseString(&name)) return failure();
  for (const auto &k : known)
    if (name == k.name) return space = k.space, success();
  return p.emitError(loc,
                     "expected an address space global, constant, descriptor or a number, found '")
         << name << "'";
}

static void printSpace(AsmPrinter &p, int64_t space) { p << space; }

#include "TtDialect.cpp.inc"
#include "TtgDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "TtTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "TtAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "TtOps.cpp.inc"
#define GET_OP_CLASSES
#include "TtgOps.cpp.inc"

namespace tile::tt {

/// `type` with another element, a tile or not.
static Type withElement(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) return tensor.clone(element);
  return element;
}

Type pointeeType(Type pointers) {
  auto ptr = dyn_cast<PtrType>(getElementTypeOrSelf(pointers));
  bool tiles = ptr && (!isa<RankedTensorType>(pointers) ||
                       RankedTensorType::isValidElementType(ptr.getPointee()));
  return tiles ? withElement(pointers, ptr.getPointee()) : pointers;
}

Type maskType(Type type) { return withElement(type, IntegerType::get(type.getContext(), 1)); }

//===- types --------------------------------------------------------------===//

Type DescType::parse(AsmParser &p) {
  Type type;
  SMLoc loc = p.getCurrentLocation();
  if (p.parseLess()) return {};
  OptionalParseResult whole = p.parseOptionalType(type);
  if (whole.has_value()) {
    if (failed(*whole)) return {};
  } else {
    SmallVector<int64_t> shape;
    Type element;
    if (p.parseDimensionList(shape, /*allowDynamic=*/false) || p.parseType(element)) return {};
    auto emit = [&] { return p.emitError(loc); };
    type = RankedTensorType::getChecked(emit, shape, element);
  }
  auto box = dyn_cast_or_null<RankedTensorType>(type);
  if (!box) return p.emitError(loc, "expected the tensor type of a box"), Type();
  if (p.parseGreater()) return {};
  return DescType::get(p.getContext(), box);
}

void DescType::print(AsmPrinter &p) const { p << "<" << getBox() << ">"; }

//===- ops ----------------------------------------------------------------===//

ParseResult UnsplatOp::parse(OpAsmParser &p, OperationState &state) {
  OpAsmParser::UnresolvedOperand operand;
  Type type;
  if (p.parseOperand(operand) || p.parseOptionalAttrDict(state.attributes) ||
      p.parseColonType(type) || p.resolveOperand(operand, type, state.operands))
    return failure();
  state.addTypes(getElementTypeOrSelf(type));
  return success();
}

void UnsplatOp::print(OpAsmPrinter &p) {
  p << " " << getSrc();
  p.printOptionalAttrDict((*this)->getAttrs());
  p << " : " << getSrc().getType();
}

ParseResult FuncOp::parse(OpAsmParser &p, OperationState &state) {
  auto build = [](Builder &b, ArrayRef<Type> inputs, ArrayRef<Type> results,
                  function_interface_impl::VariadicFlag,
                  std::string &) { return b.getFunctionType(inputs, results); };
  return function_interface_impl::parseFunctionOp(
      p, state, /*allowVariadic=*/false, getFunctionTypeAttrName(state.name), build,
      getArgAttrsAttrName(state.name), getResAttrsAttrName(state.name));
}

void FuncOp::print(OpAsmPrinter &p) {
  function_interface_impl::printFunctionOp(p, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

/// What is not pure may read and write what it likes.
static void addEffects(bool isPure,
                       SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &all) {
  if (isPure) return;
  all.emplace_back(MemoryEffects::Read::get());
  all.emplace_back(MemoryEffects::Write::get());
}

void ExternElementwiseOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &all) {
  addEffects(getPure(), all);
}

void ElementwiseInlineAsmOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &all) {
  addEffects(getPure(), all);
}

void TtDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "TtTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TtAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "TtOps.cpp.inc"
      >();
}

} // namespace tile::tt

void tile::ttg::TtgDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "TtgOps.cpp.inc"
      >();
}
