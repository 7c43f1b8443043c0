//===- ExpandText.cpp - what text leaves out, made explicit ---------------===//
#include "ExpandText.h"
#include "Expression.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSwitch.h"
using namespace mlir;
using namespace tile;

Value tile::repeatTo(OpBuilder &b, Location loc, Value value, Type type) {
  Type wanted = withElement(type, getElementTypeOrSelf(value.getType()));
  if (value.getType() == wanted) return value;
  if (!isa<RankedTensorType>(value.getType())) return SplatOp::create(b, loc, wanted, value);
  return BroadcastOp::create(b, loc, wanted, value);
}

//===- expressions --------------------------------------------------------===//

namespace {
/// Makes the ops of one expression.
struct Maker {
  OpBuilder &b;
  Location loc;
  ValueRange operands;

  Value number(const Node &node);
  Value convert(Value from, Type element);
  Value compare(StringRef kind, Value lhs, Value rhs);
  Value negate(Value value);
  Value named(StringRef name, ValueRange values) {
    OperationState state(loc, name, values, {values[0].getType()});
    return b.create(state)->getResult(0);
  }
  Value elementwise(const Node &node);
  Value make(const Node &node);
};
} // namespace

/// A constant of `element`; null for an element that has none.
static TypedAttr constantOf(Attribute value, Type element) {
  auto real = dyn_cast<FloatAttr>(value);
  if (auto type = dyn_cast<FloatType>(element)) {
    APFloat number = real ? real.getValue() : APFloat(APFloat::IEEEdouble());
    if (!real)
      number.convertFromAPInt(cast<IntegerAttr>(value).getValue(), true,
                              APFloat::rmNearestTiesToEven);
    bool lost;
    number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
    return FloatAttr::get(type, number);
  }
  if (real || !element.isSignlessIntOrIndex()) return {};
  unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return IntegerAttr::get(element, cast<IntegerAttr>(value).getValue().sextOrTrunc(bits));
}

Value Maker::number(const Node &node) {
  Type element = getElementTypeOrSelf(node.type);
  if (node.kind == "meta") return MetaOp::create(b, loc, element, cast<StringAttr>(node.value));
  TypedAttr constant = constantOf(node.value, element);
  return constant ? Value(arith::ConstantOp::create(b, loc, constant)) : Value();
}

/// To another element type, signed but for i1.
Value Maker::convert(Value from, Type element) {
  Type source = getElementTypeOrSelf(from.getType()), to = withElement(from.getType(), element);
  if (source == element) return from;
  bool fromFloat = isa<FloatType>(source), toFloat = isa<FloatType>(element);
  StringRef name;
  if (source.isIndex() || element.isIndex()) {
    name = source.isInteger(1) ? "arith.index_castui" : "arith.index_cast";
  } else {
    unsigned bits = source.getIntOrFloatBitWidth(), wanted = element.getIntOrFloatBitWidth();
    bool isBit = source.isInteger(1);
    if (fromFloat && toFloat && bits == wanted)
      return convert(convert(from, b.getF32Type()), element);
    name = fromFloat && toFloat ? (bits < wanted ? "arith.extf" : "arith.truncf")
           : fromFloat          ? "arith.fptosi"
           : toFloat            ? (isBit ? "arith.uitofp" : "arith.sitofp")
           : bits > wanted      ? "arith.trunci"
           : isBit              ? "arith.extui"
                                : "arith.extsi";
  }
  OperationState state(loc, name, from, {to});
  return b.create(state)->getResult(0);
}

Value Maker::compare(StringRef kind, Value lhs, Value rhs) {
  using I = arith::CmpIPredicate;
  using F = arith::CmpFPredicate;
  std::pair<I, F> predicate = llvm::StringSwitch<std::pair<I, F>>(kind)
                                  .Case("<", {I::slt, F::OLT})
                                  .Case("<=", {I::sle, F::OLE})
                                  .Case(">", {I::sgt, F::OGT})
                                  .Case(">=", {I::sge, F::OGE})
                                  .Case("ne", {I::ne, F::UNE})
                                  .Case("ult", {I::ult, F::OLT})
                                  .Case("ule", {I::ule, F::OLE})
                                  .Case("ugt", {I::ugt, F::OGT})
                                  .Case("uge", {I::uge, F::OGE})
                                  .Default({I::eq, F::OEQ});
  if (isa<FloatType>(getElementTypeOrSelf(lhs.getType())))
    return arith::CmpFOp::create(b, loc, predicate.second, lhs, rhs);
  return arith::CmpIOp::create(b, loc, predicate.first, lhs, rhs);
}

Value Maker::negate(Value value) {
  if (isa<FloatType>(getElementTypeOrSelf(value.getType()))) return named("arith.negf", value);
  Type element = getElementTypeOrSelf(value.getType());
  Value zero = arith::ConstantOp::create(b, loc, b.getIntegerAttr(element, 0));
  Value zeros = repeatTo(b, loc, zero, value.getType());
  return named("arith.subi", {zeros, value});
}

/// The op of arith that an operator is on floats or integers; empty where there is none.
static StringRef opOf(StringRef kind, bool isFloat) {
  auto either = [&](StringRef onFloats, StringRef onIntegers) {
    return isFloat ? onFloats : onIntegers;
  };
  return llvm::StringSwitch<StringRef>(kind)
      .Case("+", either("arith.addf", "arith.addi"))
      .Case("-", either("arith.subf", "arith.subi"))
      .Case("*", either("arith.mulf", "arith.muli"))
      .Case("/", either("arith.divf", ""))
      .Case("min", either("arith.minimumf", "arith.minsi"))
      .Case("max", either("arith.maximumf", "arith.maxsi"))
      .Case("div", either("", "arith.divsi"))
      .Case("rem", either("", "arith.remsi"))
      .Case("floordiv", either("", "arith.floordivsi"))
      .Case("ceildiv", either("", "arith.ceildivsi"))
      .Case("shl", either("", "arith.shli"))
      .Case("shr", either("", "arith.shrsi"))
      .Case("and", either("", "arith.andi"))
      .Case("or", either("", "arith.ori"))
      .Case("xor", either("", "arith.xori"))
      .Default(kind.contains('.') ? kind : "");
}

Value Maker::elementwise(const Node &node) {
  SmallVector<Value> values;
  Type shape; // what all operands fit
  for (const Node &child : node.children) {
    Value value = make(child);
    if (!value) return {};
    values.push_back(value);
    shape = shape ? joinShapes(shape, value.getType()) : value.getType();
    if (!shape) return {};
  }
  for (Value &value : values) value = repeatTo(b, loc, value, shape);
  StringRef kind = node.kind;
  Type element = getElementTypeOrSelf(values[0].getType());
  if (isa<PtrType>(element))
    return values.size() == 2 ? AddPtrOp::create(b, loc, values[0].getType(), values[0], values[1])
                              : Value();
  if (kind == "select") return arith::SelectOp::create(b, loc, values[0], values[1], values[2]);
  if (kind == "neg") return negate(values[0]);
  if (kind == "not") {
    Value ones = arith::ConstantOp::create(b, loc, b.getIntegerAttr(element, -1));
    return named("arith.xori", {values[0], repeatTo(b, loc, ones, values[0].getType())});
  }
  if (StringRef op = opOf(kind, isa<FloatType>(element)); !op.empty()) return named(op, values);
  return values.size() == 2 ? compare(kind, values[0], values[1]) : Value();
}

Value Maker::make(const Node &node) {
  if (node.kind == "operand") return operands[cast<IntegerAttr>(node.value).getInt()];
  if (node.kind == "number" || node.kind == "meta") return number(node);
  if (isPlace(node)) {
    auto axis = static_cast<Axis>(cast<IntegerAttr>(node.value).getInt());
    if (node.kind == "program_id") return ProgramIdOp::create(b, loc, axis);
    return NumProgramsOp::create(b, loc, axis);
  }
  if (node.kind == "arange") return ArangeOp::create(b, loc, node.type);
  if (node.kind == "to") {
    Value source = make(node.children[0]);
    return source ? convert(source, getElementTypeOrSelf(node.type)) : Value();
  }
  if (node.kind == "expand" || node.kind == "col" || node.kind == "row") {
    Value source = make(node.children[0]);
    auto axis = static_cast<uint32_t>(cast<IntegerAttr>(node.value).getInt());
    return source ? ExpandDimsOp::create(b, loc, node.type, source, axis) : Value();
  }
  return elementwise(node);
}

/// Are the operands that the tree names there, and the ops of upstream what the parser lets
/// through?
static bool isSound(const Node &node, size_t numOperands, MLIRContext *c) {
  if (node.kind == "operand") {
    int64_t index = cast<IntegerAttr>(node.value).getInt();
    return index >= 0 && static_cast<size_t>(index) < numOperands;
  }
  if (StringRef(node.kind).contains('.')) {
    auto op = RegisteredOperationName::lookup(node.kind, c);
    if (!op || !op->hasTrait<OpTrait::SameOperandsAndResultType>()) return false;
  }
  return llvm::all_of(node.children,
                      [&](const Node &child) { return isSound(child, numOperands, c); });
}

/// Where it is, without the name of its result: what leads to that has none.
static Location placeOf(Operation *op) {
  Location loc = op->getLoc();
  while (auto name = dyn_cast<NameLoc>(loc)) loc = name.getChildLoc();
  return loc;
}

static LogicalResult expandExpression(ExprOp op) {
  Node node;
  auto report = [&](llvm::SMLoc) { return op.emitOpError(); };
  if (!fromAttribute(op.getTree(), node) || !isSound(node, op.getInputs().size(), op.getContext()))
    return op.emitOpError("expected the tree of an expression, found another attribute");
  SmallVector<Type> types(op.getInputs().getTypes());
  if (!inferTypes(node, types, report) ||
      !settleNumbers(node, getElementTypeOrSelf(op.getType()), report))
    return failure();
  OpBuilder b(op);
  Location place = placeOf(op);
  Value made = Maker{b, place, op.getInputs()}.make(node);
  if (made && getElementTypeOrSelf(made.getType()) == getElementTypeOrSelf(op.getType()) &&
      fitsShape(made.getType(), op.getType())) {
    Value result = repeatTo(b, place, made, op.getType());
    if (!llvm::is_contained(op.getInputs(), result)) result.getDefiningOp()->setLoc(op.getLoc());
    op.getResult().replaceAllUsesWith(result);
    op.erase();
    return success();
  }
  auto diagnostic = op.emitOpError("expected an expression of ") << op.getType() << ", found ";
  if (made)
    diagnostic << "one of " << made.getType();
  else
    diagnostic << "one that its operands do not have";
  return diagnostic;
}

//===- operands -----------------------------------------------------------===//

/// Repeats an operand to `type`, if it fits; the verifier finds others.
static void fit(OpOperand &operand, Type type) {
  Value value = operand.get();
  if (!type || value.getType() == type || !fitsShape(value.getType(), type) ||
      getElementTypeOrSelf(value.getType()) != getElementTypeOrSelf(type))
    return;
  OpBuilder b(operand.getOwner());
  operand.set(repeatTo(b, placeOf(operand.getOwner()), value, type));
}
/// To the shape of `type`, whatever the elements.
static void fitShape(OpOperand &operand, Type type) {
  fit(operand, withElement(type, getElementTypeOrSelf(operand.get().getType())));
}

/// Nothing is verified yet: an op of the generic form may have any operands.
static bool hasShape(Operation *op, unsigned least, unsigned most, unsigned results) {
  return op->getNumOperands() >= least && op->getNumOperands() <= most &&
         op->getNumResults() == results;
}

/// The value and the mask of what touches memory through operand 0: operands from 1 on are of what
/// it points at, but for the last where there are more than `values`.
static void fitAccess(Operation *op, unsigned values) {
  Type pointers = op->getOperand(0).getType();
  for (unsigned i = 1; i < op->getNumOperands(); ++i)
    fit(op->getOpOperand(i), i <= values ? pointeeType(pointers) : maskType(pointers));
}

static void fitOperands(Operation *op) {
  auto operand = [&](unsigned i) -> OpOperand & { return op->getOpOperand(i); };
  if (isa<AddPtrOp>(op) && hasShape(op, 2, 2, 1)) {
    fitShape(operand(0), op->getResult(0).getType());
    fitShape(operand(1), op->getResult(0).getType());
  } else if (isa<LoadOp>(op) && hasShape(op, 2, 3, 1)) {
    fit(operand(1), maskType(op->getResult(0).getType()));
    if (op->getNumOperands() == 3) fit(operand(2), op->getResult(0).getType());
  } else if ((isa<StoreOp>(op) && hasShape(op, 2, 3, 0)) ||
             (isa<AtomicRmwOp>(op) && hasShape(op, 2, 3, 1))) {
    fitAccess(op, 1);
  } else if (isa<AtomicCasOp>(op) && hasShape(op, 3, 4, 1)) {
    fitAccess(op, 2);
  } else if (isa<DotOp>(op) && hasShape(op, 3, 4, 1)) {
    fit(operand(2), op->getResult(0).getType());
  } else if (isa<Swizzle2dOp>(op) && hasShape(op, 5, 5, 2)) {
    for (OpOperand &each : op->getOpOperands()) fitShape(each, op->getResult(0).getType());
  }
}

LogicalResult tile::expandText(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    if (auto expression = dyn_cast<ExprOp>(op))
      return failed(expandExpression(expression)) ? WalkResult::interrupt() : WalkResult::advance();
    if (op->getName().getDialectNamespace() == "tile") fitOperands(op);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
