//===- Types.cpp - the types of expressions -------------------------------===//
#include "Expression.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSwitch.h"
using namespace mlir;
using namespace tile;

//===- shapes -------------------------------------------------------------===//

Type tile::joinShapes(Type a, Type b) {
  auto x = dyn_cast<RankedTensorType>(a), y = dyn_cast<RankedTensorType>(b);
  if (!x || !y) return x ? a : withElement(b, getElementTypeOrSelf(a));
  // Tiles that are equal keep what else their types say, as layouts.
  if (x.getShape() == y.getShape() && x.getEncoding() == y.getEncoding()) return a;
  if (x.getRank() != y.getRank()) return {};
  SmallVector<int64_t> shape;
  SmallVector<StringAttr> names;
  for (int64_t i = 0; i < x.getRank(); ++i) {
    RankedTensorType from = x.getDimSize(i) == 1 ? y : x;
    if (from == x && y.getDimSize(i) != 1 && !sameExtent(x, i, y, i)) return {};
    shape.push_back(from.getDimSize(i));
    if (StringAttr name = dimName(from, i)) names.push_back(name);
  }
  Attribute dims = names.empty() ? Attribute() : DimsAttr::get(a.getContext(), names);
  return RankedTensorType::get(shape, x.getElementType(), dims);
}

bool tile::fitsShape(Type from, Type to) {
  auto a = dyn_cast<RankedTensorType>(from), b = dyn_cast<RankedTensorType>(to);
  if (!a || !b) return !a;
  bool fits = a.getRank() == b.getRank();
  for (int64_t i = 0; fits && i < a.getRank(); ++i)
    fits = a.getDimSize(i) == 1 || sameExtent(a, i, b, i);
  return fits;
}

//===- nodes --------------------------------------------------------------===//

static bool isComparison(StringRef kind) {
  return llvm::StringSwitch<bool>(kind)
      .Cases({"<", "<=", ">", ">=", "==", "ne", "ult", "ule", "ugt", "uge"}, true)
      .Default(false);
}
static bool isIntegerOnly(StringRef kind) {
  return llvm::StringSwitch<bool>(kind)
      .Cases({"div", "rem", "floordiv", "ceildiv", "and", "or", "xor", "not", "shl", "shr"}, true)
      .Cases({"ult", "ule", "ugt", "uge"}, true)
      .Default(false);
}
static bool isPointer(Type type) { return isa<PtrType>(getElementTypeOrSelf(type)); }
/// What a helper calls T may be any number.
static bool isVariable(Type type) { return isa<VarType>(getElementTypeOrSelf(type)); }
static bool isInteger(Type type) {
  return isVariable(type) || getElementTypeOrSelf(type).isSignlessIntOrIndex();
}
static bool isFloat(Type type) {
  return isVariable(type) || isa<FloatType>(getElementTypeOrSelf(type));
}

/// The type of all `nodes`, elements and shape; null where none has one of its own.
static bool joinAll(MutableArrayRef<Node> nodes, const Node &at, Type &joined, Report report) {
  for (Node &node : nodes) {
    if (!node.type) continue;
    Type element = getElementTypeOrSelf(node.type);
    if (joined && isa<PtrType>(element) && at.kind == "+") {
      report(at.loc) << "expected the pointer in front of what moves it, found it behind";
      return false;
    }
    if (joined && getElementTypeOrSelf(joined) != element) {
      report(at.loc) << "expected operands of '" << at.kind << "' of one element type, found "
                     << getElementTypeOrSelf(joined) << " and " << element
                     << " (f32(..) and the like convert)";
      return false;
    }
    Type next = joined ? joinShapes(joined, node.type) : node.type;
    if (!next) {
      report(at.loc) << "expected operands of '" << at.kind
                     << "' of one shape, but for scalars and extents of 1, found " << joined
                     << " and " << node.type;
      return false;
    }
    joined = next;
  }
  return true;
}

/// &x[i]: pointers keep their type, and are repeated.
static bool inferAddress(Node &node, Report report) {
  Node &base = node.children[0], &offset = node.children[1];
  if (!offset.type && !settleNumbers(offset, IntegerType::get(base.type.getContext(), 32), report))
    return false;
  Type element = getElementTypeOrSelf(offset.type);
  node.type = joinShapes(base.type, offset.type);
  if (node.kind == "+" && (element.isInteger(32) || element.isInteger(64)) && node.type)
    return true;
  auto diagnostic = report(node.loc) << "expected a pointer and i32 or i64 offsets of a shape that "
                                        "fits it around '";
  diagnostic << node.kind << "', found " << base.type << " and " << offset.type;
  return false;
}

static bool refuseElement(const Node &node, Type type, StringRef wanted, Report report) {
  bool isMeta = node.kind == "meta";
  StringRef name = isMeta ? cast<StringAttr>(node.value).getValue() : StringRef(node.kind);
  InFlightDiagnostic error = report(node.loc);
  error << "expected " << wanted << " for '" << name << "', found " << getElementTypeOrSelf(type);
  std::string element;
  llvm::raw_string_ostream(element) << getElementTypeOrSelf(type);
  if (isMeta) error << " (" << element << "(" << name << ") converts)";
  return false;
}

static bool inferSelect(Node &node, Report report) {
  Node &condition = node.children[0];
  Type arms;
  if (!condition.type || !getElementTypeOrSelf(condition.type).isInteger(1)) {
    auto diagnostic = report(condition.loc) << "expected a condition of i1, found ";
    if (condition.type)
      diagnostic << getElementTypeOrSelf(condition.type);
    else
      diagnostic << "a number";
    return false;
  }
  if (!joinAll(MutableArrayRef(node.children).drop_front(), node, arms, report)) return false;
  if (!arms) {
    bool isReal = node.children[1].isFloat || node.children[2].isFloat;
    MLIRContext *c = condition.type.getContext();
    arms = isReal ? Type(Float32Type::get(c)) : Type(IntegerType::get(c, 32));
  }
  for (Node &arm : MutableArrayRef(node.children).drop_front())
    if (!settleNumbers(arm, getElementTypeOrSelf(arms), report)) return false;
  node.type = joinShapes(arms, condition.type);
  if (node.type) return true;
  report(node.loc) << "expected a condition that fits the arms, found " << condition.type << " and "
                   << arms;
  return false;
}

/// expand(x, axis), col(x), row(x): with a dimension of extent 1.
static bool inferExpand(Node &node, Report report) {
  auto tile = dyn_cast_or_null<RankedTensorType>(node.children[0].type);
  int64_t axis = cast<IntegerAttr>(node.value).getInt();
  if (!tile || axis < 0 || axis > tile.getRank() ||
      (node.kind != "expand" && tile.getRank() != 1)) {
    auto diagnostic = report(node.loc);
    diagnostic << "expected a tile" << (node.kind == "expand" ? "" : " of one dimension")
               << " for '" << node.kind << "'";
    if (node.kind == "expand") diagnostic << " with a place for axis " << axis;
    if (node.children[0].type)
      diagnostic << ", found " << node.children[0].type;
    else
      diagnostic << ", found a number";
    return false;
  }
  SmallVector<int64_t> shape(tile.getShape());
  shape.insert(shape.begin() + axis, 1);
  node.type = RankedTensorType::get(shape, tile.getElementType(), tile.getEncoding());
  return true;
}

static bool inferArange(Node &node) {
  MLIRContext *c = node.value.getContext();
  auto i32 = IntegerType::get(c, 32);
  if (auto extent = dyn_cast<IntegerAttr>(node.value))
    node.type = RankedTensorType::get({extent.getInt()}, i32);
  else
    node.type = RankedTensorType::get({ShapedType::kDynamic}, i32,
                                      DimsAttr::get(c, {cast<StringAttr>(node.value)}));
  return true;
}

static bool inferConversion(Node &node, Report report) {
  Type element = cast<TypeAttr>(node.value).getValue();
  Node &source = node.children[0];
  if (!source.type) {
    if (!settleNumbers(source, element, report)) return false;
  } else if (isPointer(source.type)) {
    return refuseElement(node, source.type, "a number", report);
  }
  node.type = withElement(source.type, element);
  return true;
}

/// Operators and functions whose operands have one type.
static bool inferElementwise(Node &node, Report report) {
  Type joined;
  if (!joinAll(node.children, node, joined, report)) return false;
  bool real = llvm::any_of(node.children, [](Node &n) { return n.isFloat; });
  if (!joined && !isComparison(node.kind)) {
    node.isFloat = real || node.kind == "/";
    return true;
  }
  if (!joined) {
    report(node.loc) << "expected a value in a comparison, found numbers alone";
    return false;
  }
  if (isIntegerOnly(node.kind) && !isInteger(joined))
    return refuseElement(node, joined, "integers", report);
  if (node.kind == "/" && !isFloat(joined))
    return refuseElement(node, joined, "floats (integers have div, rem, floordiv and ceildiv)",
                         report);
  if (isPointer(joined)) return refuseElement(node, joined, "numbers", report);
  for (Node &child : node.children)
    if (!settleNumbers(child, getElementTypeOrSelf(joined), report)) return false;
  node.type = isComparison(node.kind) ? maskType(joined) : joined;
  return true;
}

bool tile::inferTypes(Node &node, ArrayRef<Type> operandTypes, Report report) {
  for (Node &child : node.children)
    if (!inferTypes(child, operandTypes, report)) return false;
  if (node.kind == "operand") {
    auto index = static_cast<size_t>(cast<IntegerAttr>(node.value).getInt());
    node.type = operandTypes[index];
    return true;
  }
  if (node.kind == "number") {
    node.isFloat = isa<FloatAttr>(node.value);
    return true;
  }
  if (node.kind == "meta") return true;
  if (isPlace(node)) {
    node.type = IntegerType::get(node.value.getContext(), 32);
    return true;
  }
  if (node.kind == "arange") return inferArange(node);
  if (node.kind == "to") return inferConversion(node, report);
  if (node.kind == "select") return inferSelect(node, report);
  if (node.kind == "expand" || node.kind == "col" || node.kind == "row")
    return inferExpand(node, report);
  bool isBinary = node.children.size() == 2;
  if (isBinary && node.children[0].type && isPointer(node.children[0].type))
    return inferAddress(node, report);
  return inferElementwise(node, report);
}

Type tile::defaultElement(const Node &node, MLIRContext *context) {
  return node.isFloat ? Type(Float32Type::get(context)) : Type(IntegerType::get(context, 32));
}

/// Does an integer, as it is written, have `bits` bits, signed or not?
static bool fitsBits(const APInt &number, unsigned bits) {
  return number.isSignedIntN(bits) || number.isIntN(bits);
}

bool tile::settleNumbers(Node &node, Type element, Report report) {
  if (node.type) return true;
  if (node.kind == "number") {
    auto integer = dyn_cast<IntegerAttr>(node.value);
    unsigned bits = element.isIndex()     ? 64
                    : element.isInteger() ? element.getIntOrFloatBitWidth()
                                          : 0;
    bool ok = isVariable(element) || isa<FloatType>(element) ||
              (integer && bits && fitsBits(integer.getValue(), bits));
    if (!ok) {
      report(node.loc) << "expected a number that " << element << " has, found " << node.value;
      return false;
    }
  } else if (node.kind == "meta" ? !isInteger(element)
                                 : isIntegerOnly(node.kind) && !isInteger(element)) {
    return refuseElement(node, element, "an integer", report);
  } else if (node.kind == "/" && !isFloat(element)) {
    return refuseElement(node, element, "floats", report);
  }
  node.type = element;
  for (Node &child : node.children)
    if (!settleNumbers(child, element, report)) return false;
  return true;
}

//===- as attributes ------------------------------------------------------===//

Attribute tile::toAttribute(const Node &node, MLIRContext *context) {
  SmallVector<Attribute> parts{StringAttr::get(context, node.kind),
                               node.value ? node.value : UnitAttr::get(context)};
  for (const Node &child : node.children) parts.push_back(toAttribute(child, context));
  return ArrayAttr::get(context, parts);
}

/// Is it what the parser makes: as many operands, and the value that its kind has?
static bool isWellFormed(const Node &node) {
  size_t count = node.children.size();
  if (node.kind == "operand") return count == 0 && isa_and_nonnull<IntegerAttr>(node.value);
  if (node.kind == "number")
    return count == 0 && isa_and_nonnull<IntegerAttr, FloatAttr>(node.value);
  if (node.kind == "meta") return count == 0 && isa_and_nonnull<StringAttr>(node.value);
  if (node.kind == "arange")
    return count == 0 && isa_and_nonnull<IntegerAttr, StringAttr>(node.value);
  if (isPlace(node)) {
    auto axis = dyn_cast_or_null<IntegerAttr>(node.value);
    return count == 0 && axis && axis.getType().isInteger(64) && axis.getInt() >= 0 &&
           axis.getInt() < 3;
  }
  if (node.kind == "to") return count == 1 && isa_and_nonnull<TypeAttr>(node.value);
  if (node.kind == "expand" || node.kind == "col" || node.kind == "row")
    return count == 1 && isa_and_nonnull<IntegerAttr>(node.value);
  if (node.kind == "not" || node.kind == "neg") return count == 1;
  if (node.kind == "select") return count == 3;
  if (StringRef(node.kind).contains('.')) return count >= 1 && count <= 3;
  return count == 2;
}

bool tile::fromAttribute(Attribute attr, Node &node) {
  auto parts = dyn_cast_or_null<ArrayAttr>(attr);
  if (!parts || parts.size() < 2 || !isa<StringAttr>(parts[0])) return false;
  node.kind = cast<StringAttr>(parts[0]).str();
  if (!isa<UnitAttr>(parts[1])) node.value = parts[1];
  for (Attribute part : parts.getValue().drop_front(2)) {
    node.children.emplace_back();
    if (!fromAttribute(part, node.children.back())) return false;
  }
  return isWellFormed(node);
}
