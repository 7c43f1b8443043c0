//===- Expression.cpp - tile.expr as text ---------------------------------===//
//
//   expression  either  ('or' | 'xor' either)*
//   either      compare ('and' compare)*
//   compare     sum (('<' | '<=' | '>' | '>=' | '==' | 'ne' | 'ult' ..) sum)?
//   sum         term (('+' | '-') term)*
//   term        unary (('*' | '/' | 'div' | 'rem' | 'floordiv' | 'ceildiv' | 'shl' | 'shr') unary)*
//   unary       '-' unary | 'not' unary | '(' expression ')' | number | %value | META | f(..)
//
//===----------------------------------------------------------------------===//
#include "Expression.h"
#include "Extent.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
using namespace mlir;
using namespace tile;

//===- types of values ----------------------------------------------------===//

/// MLIR's parser says the type of a value where another was expected: so one is expected that no
/// value of a kernel has, and what it would report is kept to itself. A value that is not there
/// gets that type, and is reported when all of the function is read.
Type tile::typeOrNone(OpAsmParser &p, const OpAsmParser::UnresolvedOperand &operand) {
  Type probe = NoneType::get(p.getContext()), found;
  SmallVector<Value> values;
  {
    ScopedDiagnosticHandler quiet(p.getContext(), [&](Diagnostic &diagnostic) {
      for (const DiagnosticArgument &argument : diagnostic.getArguments())
        if (argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::Type)
          found = argument.getAsType();
      return success();
    });
    if (succeeded(p.resolveOperand(operand, probe, values))) found = probe;
  }
  // What it says by itself, as of a result that is not there.
  if (!found) (void)p.resolveOperand(operand, probe, values);
  return found;
}

Type tile::typeOf(OpAsmParser &p, const OpAsmParser::UnresolvedOperand &operand) {
  Type type = typeOrNone(p, operand);
  if (!isa_and_nonnull<NoneType>(type)) return type;
  p.emitError(operand.location, "use of undeclared SSA value name");
  return {};
}

//===- reading ------------------------------------------------------------===//

static constexpr StringRef eitherWords[] = {"or", "xor"};
static constexpr StringRef bothWords[] = {"and"};
static constexpr StringRef compareWords[] = {"ne", "ult", "ule", "ugt", "uge"};
static constexpr StringRef functionWords[] = {
    "arange", "col",          "expand",     "false", "inf",    "max", "min",
    "nan",    "num_programs", "program_id", "row",   "select", "to",  "true"};
static constexpr StringRef termWords[] = {"div", "rem", "floordiv", "ceildiv", "shl", "shr"};
static constexpr ArrayRef<StringRef> levels[] = {
    eitherWords, bothWords, compareWords, {}, termWords};
enum { CompareLevel = 2, SumLevel = 3, TermLevel = 4, UnaryLevel = 5 };

bool ExpressionParser::parseOperator(unsigned level, StringRef &op) {
  if (level == CompareLevel) {
    bool less = succeeded(p.parseOptionalLess());
    if (less || succeeded(p.parseOptionalGreater())) {
      bool equal = succeeded(p.parseOptionalEqual());
      op = less ? (equal ? "<=" : "<") : (equal ? ">=" : ">");
      return true;
    }
    // What is no operator after a single '=' is reported by whoever reads on.
    if (succeeded(p.parseOptionalEqual())) return op = "==", succeeded(p.parseEqual());
  }
  if (level == SumLevel) {
    if (succeeded(p.parseOptionalPlus())) return op = "+", true;
    if (succeeded(p.parseOptionalMinus())) return op = "-", true;
  }
  if (level == TermLevel) {
    if (succeeded(p.parseOptionalStar())) return op = "*", true;
    if (succeeded(p.parseOptionalSlash())) return op = "/", true;
  }
  return !levels[level].empty() && succeeded(p.parseOptionalKeyword(&op, levels[level]));
}

ParseResult ExpressionParser::parseLevel(Node &node, unsigned level) {
  if (level == UnaryLevel) return parseUnary(node);
  if (parseLevel(node, level + 1)) return failure();
  for (;;) {
    SMLoc loc = p.getCurrentLocation();
    StringRef op;
    if (!parseOperator(level, op)) return success();
    Node whole{op.str(), loc, {}, {}, {}};
    whole.children.push_back(std::move(node));
    whole.children.emplace_back();
    if (parseLevel(whole.children.back(), level + 1)) return failure();
    node = std::move(whole);
    if (level == CompareLevel) return success();
  }
}

ParseResult ExpressionParser::parse(Node &node) { return parseLevel(node, 0); }

ParseResult ExpressionParser::parseUnary(Node &node) {
  node.loc = p.getCurrentLocation();
  bool minus = succeeded(p.parseOptionalMinus());
  if (!minus && failed(p.parseOptionalKeyword("not"))) return parsePrimary(node);
  Node child;
  if (parseUnary(child)) return failure();
  if (minus && child.kind == "number") {
    SMLoc loc = node.loc;
    node = child;
    node.loc = loc;
    if (auto real = dyn_cast<FloatAttr>(child.value))
      node.value = FloatAttr::get(real.getType(), -real.getValue());
    else
      node.value = IntegerAttr::get(cast<IntegerAttr>(child.value).getType(),
                                    -cast<IntegerAttr>(child.value).getValue());
    return success();
  }
  node.kind = minus ? "neg" : "not";
  node.children.push_back(std::move(child));
  return success();
}

/// An integer of any size, with room for a sign.
static Attribute integerAttr(MLIRContext *context, const APInt &number) {
  unsigned bits = std::max(number.getActiveBits() + 2, 66u);
  return IntegerAttr::get(IntegerType::get(context, bits), number.zextOrTrunc(bits));
}

/// `e-6` of 1e-6, which MLIR's lexer takes for a name and a difference: floats have a point there.
ParseResult ExpressionParser::parseExponent(Node &node) {
  const char *digits = node.loc.getPointer(), *behind = digits;
  while (llvm::isDigit(*behind)) ++behind;
  if ((*behind != 'e' && *behind != 'E') || p.getCurrentLocation().getPointer() != behind)
    return success();
  StringRef word;
  APInt power;
  if (p.parseKeyword(&word)) return failure();
  StringRef written(digits, static_cast<size_t>(behind - digits) + word.size());
  bool ok = word.size() > 1;
  if (!ok) {
    bool isSigned = succeeded(p.parseOptionalMinus()) || succeeded(p.parseOptionalPlus());
    const char *last = p.getCurrentLocation().getPointer();
    OptionalParseResult number =
        isSigned && llvm::isDigit(*last) ? p.parseOptionalInteger(power) : std::nullopt;
    ok = number.has_value() && succeeded(*number);
    while (ok && llvm::isDigit(*last)) ++last;
    if (ok) written = StringRef(digits, static_cast<size_t>(last - digits));
  }
  double real;
  if (!ok || written.getAsDouble(real))
    return p.emitError(node.loc, "expected a number as 1.0e-6, found '") << written << "'";
  node.value = p.getBuilder().getF64FloatAttr(real);
  return success();
}

ParseResult ExpressionParser::parsePrimary(Node &node) {
  node.loc = p.getCurrentLocation();
  char first = *node.loc.getPointer();
  if (first == '%') return parseOperandNode(node);
  if (succeeded(p.parseOptionalLParen())) return failure(parse(node) || p.parseRParen());
  if (llvm::isDigit(first)) {
    APInt integer;
    node.kind = "number";
    OptionalParseResult whole = p.parseOptionalInteger(integer);
    if (whole.has_value()) {
      if (failed(*whole)) return failure();
      node.value = integerAttr(p.getContext(), integer);
      return parseExponent(node);
    }
    double real;
    if (p.parseFloat(real)) return failure();
    node.value = p.getBuilder().getF64FloatAttr(real);
    return success();
  }
  // Where an editor asks what may stand here, it is offered the words; values, once a % stands
  // there.
  StringRef word;
  if (succeeded(p.parseOptionalKeyword(&word, functionWords)) ||
      succeeded(p.parseOptionalKeyword(&word)))
    return parseWord(node, word);
  return p.emitError(node.loc, "expected a value, a number, a meta-parameter, a function or '(' in "
                               "an expression");
}

ParseResult ExpressionParser::parseOperandNode(Node &node) {
  OpAsmParser::UnresolvedOperand operand;
  if (p.parseOperand(operand)) return failure();
  size_t index = 0;
  while (index < operands.size() &&
         (operands[index].name != operand.name || operands[index].number != operand.number))
    ++index;
  if (index == operands.size()) {
    Type type = typeOf(p, operand);
    if (!type) return failure();
    operands.push_back(operand);
    types.push_back(type);
  }
  Node leaf{
      "operand", node.loc, {}, p.getBuilder().getI64IntegerAttr(static_cast<int64_t>(index)), {}};
  Type element = getElementTypeOrSelf(types[index]);
  if (wide && element.isIntOrIndex() && !element.isInteger(64)) {
    node.kind = "to";
    node.value = TypeAttr::get(p.getBuilder().getI64Type());
    node.children.push_back(std::move(leaf));
  } else {
    node = std::move(leaf);
  }
  return success();
}

ParseResult ExpressionParser::parseWord(Node &node, StringRef word) {
  if (succeeded(p.parseOptionalLParen())) return parseCall(node, word);
  auto f64 = p.getBuilder().getF64Type();
  const auto &form = f64.getFloatSemantics();
  node.kind = "number";
  if (word == "inf") node.value = FloatAttr::get(f64, APFloat::getInf(form));
  if (word == "nan") node.value = FloatAttr::get(f64, APFloat::getQNaN(form));
  if (word == "true" || word == "false") {
    node.kind = "to";
    node.value = TypeAttr::get(p.getBuilder().getI1Type());
    Node bit{"number", node.loc, {}, integerAttr(p.getContext(), APInt(2, word == "true")), {}};
    node.children.push_back(std::move(bit));
  }
  if (node.value) return success();
  if (word.contains('.'))
    return p.emitError(node.loc, "expected a value, a number, a meta-parameter or a function in an "
                                 "expression, found '")
           << word << "'";
  node.kind = "meta";
  node.value = p.getBuilder().getStringAttr(word);
  return success();
}

/// N of arange(N): a number, or meta-parameters as #tile.dims has them.
ParseResult ExpressionParser::parseExtent(Node &node) {
  StringAttr text;
  APInt extent;
  OptionalParseResult number = p.parseOptionalInteger(extent);
  if (!number.has_value()) {
    if (parseExtentText(p, text)) return failure();
    node.value = text;
    return success();
  }
  if (failed(*number)) return failure();
  if (extent.isStrictlyPositive() && extent.getActiveBits() <= TILE_MAX_BITS) {
    node.value = p.getBuilder().getI64IntegerAttr(extent.getSExtValue());
    return success();
  }
  return p.emitError(node.loc, "expected an extent from 1 to 2^24 for 'arange'");
}

/// x, y or z, of program_id(x).
ParseResult ExpressionParser::parseAxis(Node &node) {
  SMLoc loc = p.getCurrentLocation();
  StringRef word;
  if (succeeded(p.parseOptionalKeyword(&word)))
    if (std::optional<Axis> axis = symbolizeAxis(word)) {
      node.value = p.getBuilder().getI64IntegerAttr(static_cast<int64_t>(*axis));
      return p.parseRParen();
    }
  return p.emitError(loc, "expected x, y or z for '") << node.kind << "'";
}

/// The element type that a function of this name converts to; null where it converts to none.
static Type conversionOf(StringRef name, Builder b) {
  return llvm::StringSwitch<Type>(name)
      .Case("i1", b.getI1Type())
      .Case("i8", b.getI8Type())
      .Case("i16", b.getI16Type())
      .Case("i32", b.getI32Type())
      .Case("i64", b.getI64Type())
      .Case("index", b.getIndexType())
      .Case("f16", b.getF16Type())
      .Case("bf16", b.getBF16Type())
      .Case("f32", b.getF32Type())
      .Case("f64", b.getF64Type())
      .Case("f8E4M3FN", Float8E4M3FNType::get(b.getContext()))
      .Case("f8E5M2", Float8E5M2Type::get(b.getContext()))
      .Default(Type());
}

/// Is it an op of upstream whose operands and result have one type, element for element?
static bool isElementwise(StringRef name, MLIRContext *context) {
  if (!context->getOrLoadDialect(name.split('.').first)) return false;
  auto op = RegisteredOperationName::lookup(name, context);
  return op && op->hasTrait<OpTrait::Elementwise>() &&
         op->hasTrait<OpTrait::SameOperandsAndResultType>();
}

ParseResult ExpressionParser::parseCall(Node &node, StringRef name) {
  Builder &b = p.getBuilder();
  node.kind = name.str();
  size_t wanted =
      llvm::StringSwitch<size_t>(name).Case("select", 3).Cases({"min", "max"}, 2).Default(1);
  if (name == "arange") return failure(parseExtent(node) || p.parseRParen());
  if (name == "program_id" || name == "num_programs") return parseAxis(node);
  Type conversion = conversionOf(name, b);
  if (conversion || name == "to") node.kind = "to";
  if (conversion) node.value = TypeAttr::get(conversion);
  if (name == "col" || name == "row") node.value = b.getI64IntegerAttr(name == "col");
  bool isOp = name.contains('.') && isElementwise(name, p.getContext());
  if (!isOp && !conversion &&
      !llvm::is_contained({"select", "min", "max", "to", "col", "row", "expand"}, name))
    return p.emitError(node.loc,
                       "expected arange, program_id, num_programs, col, row, expand, min, "
                       "max, select, to, a type, or an element-wise op of arith or math "
                       "as a function, found '")
           << name << "'";
  do {
    node.children.emplace_back();
    if (parse(node.children.back())) return failure();
  } while (node.children.size() < (isOp ? 3 : wanted) && succeeded(p.parseOptionalComma()));
  if (name == "to") {
    Type type;
    if (p.parseComma() || p.parseType(type)) return failure();
    node.value = TypeAttr::get(getElementTypeOrSelf(type));
  }
  if (name == "expand") {
    int64_t axis;
    if (p.parseComma() || p.parseInteger(axis)) return failure();
    node.value = b.getI64IntegerAttr(axis);
  }
  if (!isOp && node.children.size() != wanted)
    return p.emitError(node.loc, "expected ")
           << wanted << " operands of '" << name << "', found " << node.children.size();
  return p.parseRParen();
}

ParseResult ExpressionParser::settle(Node &node, Type type, SMLoc loc) {
  auto report = [&](SMLoc at) { return p.emitError(at.isValid() ? at : loc); };
  if (!inferTypes(node, types, report)) return failure();
  Type element = type ? getElementTypeOrSelf(type) : defaultElement(node, p.getContext());
  if (wide && !type) element = p.getBuilder().getI64Type();
  if (!settleNumbers(node, element, report)) return failure();
  if (!type) return success();
  if (getElementTypeOrSelf(node.type) == element && fitsShape(node.type, type)) return success();
  return p.emitError(loc, "expected an expression that fits ") << type << ", found " << node.type;
}

/// A comment of nothing but numbers, values and operators, as in `%n // 2`, was meant to divide.
void ExpressionParser::warnOfQuotient(SMLoc begin) {
  const char *end = p.getCurrentLocation().getPointer();
  StringRef text(begin.getPointer(), static_cast<size_t>(end - begin.getPointer()));
  size_t at = text.find("//");
  if (at == StringRef::npos) return;
  StringRef comment = text.drop_front(at).take_until([](char c) { return c == '\n'; });
  StringRef behind = comment.drop_front(2).trim();
  bool hasOperand = behind.contains('%') || llvm::any_of(behind, llvm::isDigit);
  for (StringRef rest = behind; !rest.empty();) {
    size_t size =
        rest.take_while([](char c) { return c == '%' || c == '_' || llvm::isAlnum(c); }).size();
    bool isName = size && llvm::isAlpha(rest.front());
    if (isName || (!size && !StringRef(" +-*/()<>,.").contains(rest.front()))) return;
    rest = rest.drop_front(std::max<size_t>(size, 1));
  }
  if (!hasOperand) return;
  SMLoc loc = SMLoc::getFromPointer(text.data() + at);
  emitWarning(p.getEncodedSourceLoc(loc), "'//' begins a comment; integers are divided by div, "
                                          "floordiv and ceildiv, found '")
      << comment.rtrim() << "'";
}

ParseResult ExpressionParser::parseTyped(Node &node, Type type) {
  SMLoc loc = p.getCurrentLocation();
  if (parse(node)) return failure();
  warnOfQuotient(loc);
  return settle(node, type, loc);
}

//===- tile.expr ----------------------------------------------------------===//

ParseResult ExprOp::parse(OpAsmParser &p, OperationState &state) {
  ExpressionParser reader(p);
  Node node;
  SMLoc loc = p.getCurrentLocation();
  Type type;
  if (reader.parse(node) || p.parseOptionalAttrDict(state.attributes)) return failure();
  reader.warnOfQuotient(loc);
  if (succeeded(p.parseOptionalColon()) && p.parseType(type)) return failure();
  if (reader.settle(node, type, loc) ||
      p.resolveOperands(reader.operands, reader.types, loc, state.operands))
    return failure();
  state.addAttribute(getTreeAttrName(state.name), toAttribute(node, p.getContext()));
  state.addTypes(type ? type : node.type);
  return success();
}

static void printNumber(const Node &node, OpAsmPrinter &p) {
  auto real = dyn_cast<FloatAttr>(node.value);
  SmallString<32> text;
  if (!real)
    cast<IntegerAttr>(node.value).getValue().toStringSigned(text);
  else if (real.getValue().isInfinity())
    text = real.getValue().isNegative() ? "-inf" : "inf";
  else if (real.getValue().isNaN())
    text = "nan";
  else
    real.getValue().toString(text);
  p << text;
}

void tile::printNode(const Node &node, OperandRange operands, OpAsmPrinter &p, bool inner) {
  auto list = [&](StringRef end) {
    p << node.kind << "(";
    llvm::interleaveComma(node.children, p,
                          [&](const Node &child) { printNode(child, operands, p, false); });
    p << end << ")";
  };
  if (node.kind == "operand") {
    auto index = static_cast<size_t>(cast<IntegerAttr>(node.value).getInt());
    if (index < operands.size()) p << operands[index];
  } else if (isPlace(node)) {
    auto axis = static_cast<Axis>(cast<IntegerAttr>(node.value).getInt());
    p << node.kind << "(" << stringifyAxis(axis) << ")";
  } else if (node.kind == "number") {
    printNumber(node, p);
  } else if (node.kind == "meta") {
    p << cast<StringAttr>(node.value).getValue();
  } else if (node.kind == "arange") {
    p << "arange(";
    if (auto name = dyn_cast<StringAttr>(node.value))
      p << name.getValue();
    else
      p << cast<IntegerAttr>(node.value).getInt();
    p << ")";
  } else if (node.kind == "to" || node.kind == "expand") {
    p << node.kind << "(";
    printNode(node.children[0], operands, p, false);
    p << ", ";
    if (auto type = dyn_cast<TypeAttr>(node.value))
      p << type.getValue();
    else
      p << cast<IntegerAttr>(node.value).getInt();
    p << ")";
  } else if (llvm::isAlpha(node.kind[0]) && node.kind != "neg" && node.kind != "not" &&
             !llvm::is_contained(termWords, StringRef(node.kind)) &&
             !llvm::is_contained(compareWords, StringRef(node.kind)) &&
             !llvm::is_contained({"and", "or", "xor"}, StringRef(node.kind))) {
    list("");
  } else {
    if (inner) p << "(";
    if (node.children.size() == 2) printNode(node.children[0], operands, p, true);
    p << (node.children.size() == 2 ? " " : "") << (node.kind == "neg" ? "-" : node.kind)
      << (node.kind == "neg" ? "" : " ");
    printNode(node.children.back(), operands, p, true);
    if (inner) p << ")";
  }
}

void ExprOp::print(OpAsmPrinter &p) {
  Node node;
  p << ' ';
  if (fromAttribute(getTree(), node)) printNode(node, getInputs(), p, false);
  p.printOptionalAttrDict((*this)->getAttrs(), {getTreeAttrName()});
  p << " : " << getType();
}

LogicalResult ExprOp::verify() {
  return emitOpError(
      "expected a file that tile's own parser has read, which leaves none, found one");
}

LogicalResult IncludeOp::verify() {
  return emitOpError("expected it at the top of a file that tile's own parser has read, found it "
                     "elsewhere");
}
