//===- Extent.cpp - extents with arithmetic, as text ----------------------===//
#include "Extent.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
using namespace mlir;
using namespace tile;

namespace {
/// An expression of symbols, and what they are called.
struct Extent {
  AffineExpr expr;
  SmallVector<StringAttr> names;

  AffineExpr symbol(StringAttr name) {
    auto at = llvm::find(names, name);
    auto index = static_cast<unsigned>(at - names.begin());
    if (at == names.end()) names.push_back(name);
    return getAffineSymbolExpr(index, name.getContext());
  }
};
} // namespace

/// MLIR leaves quotients of quotients: (x floordiv 8) floordiv 2 is x floordiv 16.
static AffineExpr foldQuotients(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary) return expr;
  AffineExpr left = foldQuotients(binary.getLHS()), right = foldQuotients(binary.getRHS());
  AffineExprKind kind = expr.getKind();
  auto inner = dyn_cast<AffineBinaryOpExpr>(left);
  bool isQuotient = kind == AffineExprKind::FloorDiv || kind == AffineExprKind::CeilDiv;
  if (isQuotient && inner && inner.getKind() == kind) {
    auto a = dyn_cast<AffineConstantExpr>(inner.getRHS()), b = dyn_cast<AffineConstantExpr>(right);
    int64_t product;
    if (a && b && !llvm::MulOverflow(a.getValue(), b.getValue(), product)) {
      left = inner.getLHS();
      right = getAffineConstantExpr(product, expr.getContext());
    }
  }
  return getAffineBinaryOpExpr(kind, left, right);
}

/// The value where names have these; nothing where it has more than 64 bits, or divides by less
/// than 1.
static std::optional<int64_t> evaluate(AffineExpr expr, ArrayRef<int64_t> values) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) return number.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) return values[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<int64_t> a = evaluate(binary.getLHS(), values),
                         b = evaluate(binary.getRHS(), values);
  int64_t result;
  if (!a || !b) return std::nullopt;
  AffineExprKind kind = expr.getKind();
  if (kind == AffineExprKind::Add || kind == AffineExprKind::Mul) {
    bool lost = kind == AffineExprKind::Add ? llvm::AddOverflow(*a, *b, result)
                                            : llvm::MulOverflow(*a, *b, result);
    return lost ? std::nullopt : std::optional<int64_t>(result);
  }
  if (*b < 1) return std::nullopt;
  if (kind == AffineExprKind::Mod) return llvm::mod(*a, *b);
  return kind == AffineExprKind::FloorDiv ? llvm::divideFloorSigned(*a, *b)
                                          : llvm::divideCeilSigned(*a, *b);
}

/// The symbols in the order of their names, and no more of them than there are in it.
static void normalize(Extent &extent) {
  MLIRContext *c = extent.expr.getContext();
  SmallVector<StringAttr> sorted(extent.names);
  llvm::sort(sorted, [](StringAttr a, StringAttr b) { return a.getValue() < b.getValue(); });
  SmallVector<AffineExpr> symbols;
  for (StringAttr name : extent.names)
    symbols.push_back(
        getAffineSymbolExpr(static_cast<unsigned>(llvm::find(sorted, name) - sorted.begin()), c));
  extent.expr = foldQuotients(extent.expr.replaceSymbols(symbols));
  extent.expr = simplifyAffineExpr(extent.expr, 0, static_cast<unsigned>(sorted.size()));
  extent.names = std::move(sorted);
}

static std::string print(AffineExpr expr, ArrayRef<StringAttr> names, bool inner) {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) return names[symbol.getPosition()].str();
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) return std::to_string(number.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  StringRef op = expr.getKind() == AffineExprKind::Add        ? " + "
                 : expr.getKind() == AffineExprKind::Mul      ? " * "
                 : expr.getKind() == AffineExprKind::FloorDiv ? " floordiv "
                 : expr.getKind() == AffineExprKind::CeilDiv  ? " ceildiv "
                                                              : " mod ";
  std::string text =
      print(binary.getLHS(), names, true) + op.str() + print(binary.getRHS(), names, true);
  return inner ? "(" + text + ")" : text;
}

static StringAttr textOf(Extent &extent) {
  normalize(extent);
  if (isa<AffineConstantExpr>(extent.expr)) return {};
  return StringAttr::get(extent.expr.getContext(), print(extent.expr, extent.names, false));
}

namespace {
/// Reads sums of products of names, numbers and brackets.
struct TextReader {
  StringRef text;
  Extent &extent;

  void skip() { text = text.ltrim(); }
  bool take(StringRef word) {
    skip();
    return text.consume_front(word);
  }
  bool factor() {
    skip();
    if (text.consume_front("(")) return sum() && take(")");
    int64_t number;
    size_t digits = text.take_while([](char c) { return llvm::isDigit(c); }).size();
    if (text.starts_with("-")) digits = 1 + text.drop_front().take_while(llvm::isDigit).size();
    if (digits) {
      if (text.take_front(digits).getAsInteger(10, number)) return false;
      text = text.drop_front(digits);
      return extent.expr = getAffineConstantExpr(number, context), true;
    }
    StringRef word =
        text.take_while([](char c) { return llvm::isAlnum(c) || StringRef("_$.").contains(c); });
    if (!isKeyword(word)) return false;
    text = text.drop_front(word.size());
    return extent.expr = extent.symbol(StringAttr::get(context, word)), true;
  }
  bool product() {
    if (!factor()) return false;
    for (;;) {
      AffineExpr left = extent.expr;
      char op = take("*")           ? '*'
                : take("floordiv ") ? '/'
                : take("ceildiv ")  ? '^'
                : take("mod ")      ? '%'
                                    : 0;
      if (!op) return true;
      if (!factor()) return false;
      auto number = dyn_cast<AffineConstantExpr>(extent.expr);
      if (op != '*' && number && number.getValue() <= 0) return false;
      extent.expr = op == '*'   ? left * extent.expr
                    : op == '/' ? left.floorDiv(extent.expr)
                    : op == '^' ? left.ceilDiv(extent.expr)
                                : left % extent.expr;
    }
  }
  bool sum() {
    if (!product()) return false;
    for (;;) {
      AffineExpr left = extent.expr;
      bool minus = take("-");
      if (!minus && !take("+")) return true;
      if (!product()) return false;
      extent.expr = minus ? left - extent.expr : left + extent.expr;
    }
  }
  MLIRContext *context;
};
} // namespace

static bool readText(StringRef text, Extent &extent, MLIRContext *context) {
  // A text of brackets alone would go as deep as they do.
  if (text.size() > 4096) return false;
  TextReader reader{text, extent, context};
  if (!reader.sum()) return false;
  reader.skip();
  return reader.text.empty();
}

bool tile::isExtentText(StringAttr text) {
  Extent extent;
  return isKeyword(text.getValue()) ||
         (readText(text, extent, text.getContext()) && textOf(extent) == text);
}

/// What may be an extent is passed over token by token, and then read as a whole.
ParseResult tile::parseExtentText(AsmParser &p, StringAttr &text) {
  SMLoc loc = p.getCurrentLocation();
  StringRef word;
  APInt number;
  bool isBehindValue = false; // an operator or the end may follow
  auto more = [&](int &depth) {
    if (isBehindValue) {
      if (depth > 0 && succeeded(p.parseOptionalRParen())) return --depth, true;
      isBehindValue = false;
      return succeeded(p.parseOptionalStar()) || succeeded(p.parseOptionalPlus()) ||
             succeeded(p.parseOptionalMinus()) ||
             succeeded(p.parseOptionalKeyword(&word, {"floordiv", "ceildiv", "mod"}));
    }
    if (succeeded(p.parseOptionalLParen())) return ++depth, true;
    isBehindValue = true;
    return succeeded(p.parseOptionalKeyword(&word)) ||
           (llvm::isDigit(*p.getCurrentLocation().getPointer()) &&
            p.parseOptionalInteger(number).has_value());
  };
  for (int depth = 0; more(depth);) {
  }
  const char *begin = loc.getPointer();
  StringRef found(begin, static_cast<size_t>(p.getCurrentLocation().getPointer() - begin));
  found = found.rtrim();
  Extent extent;
  bool isRead = readText(found, extent, p.getContext());
  if (isRead) text = textOf(extent);
  if (isRead && text) return success();
  return p.emitError(loc,
                     "expected an extent of names, numbers, +, -, *, floordiv, ceildiv, mod and "
                     "brackets, with a name that counts, found '")
         << found << "'";
}

std::optional<BoundExtent>
tile::bindExtent(StringAttr text,
                 llvm::function_ref<std::optional<BoundExtent>(StringAttr)> lookUp) {
  if (isKeyword(text.getValue())) return lookUp(text);
  Extent extent, result;
  if (!readText(text, extent, text.getContext())) return std::nullopt;
  SmallVector<AffineExpr> symbols;
  SmallVector<int64_t> values;
  for (StringAttr name : extent.names) {
    std::optional<BoundExtent> bound = lookUp(name);
    if (!bound) return std::nullopt;
    if (!bound->text) values.push_back(bound->size);
    if (!bound->text) {
      symbols.push_back(getAffineConstantExpr(bound->size, text.getContext()));
    } else {
      // Its names are numbered as those of the result.
      if (!readText(bound->text, result, text.getContext())) return std::nullopt;
      symbols.push_back(result.expr);
    }
  }
  if (values.size() == extent.names.size()) {
    std::optional<int64_t> value = evaluate(extent.expr, values);
    return value ? std::optional(BoundExtent{*value, {}}) : std::nullopt;
  }
  result.expr = extent.expr.replaceSymbols(symbols);
  StringAttr left = textOf(result);
  // Of numbers alone, a text is arithmetic that has no result.
  if (left && result.names.empty()) return std::nullopt;
  if (left) return BoundExtent{-1, left};
  return BoundExtent{cast<AffineConstantExpr>(result.expr).getValue(), {}};
}

BoundExtent tile::addExtents(const BoundExtent &a, const BoundExtent &b, MLIRContext *context) {
  if (!a.text && !b.text) {
    int64_t sum;
    return {llvm::AddOverflow(a.size, b.size, sum) ? INT64_MAX : sum, {}};
  }
  Extent extent;
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (const BoundExtent *part : {&a, &b}) {
    if (!part->text)
      extent.expr = getAffineConstantExpr(part->size, context);
    else if (!readText(part->text, extent, context))
      return *part;
    sum = sum + extent.expr;
  }
  extent.expr = sum;
  StringAttr text = textOf(extent);
  return text ? BoundExtent{-1, text}
              : BoundExtent{cast<AffineConstantExpr>(extent.expr).getValue(), {}};
}
