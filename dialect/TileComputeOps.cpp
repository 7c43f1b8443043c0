//===- TileComputeOps.cpp - dot, reduce, scan, histogram, sort ------------===//
#include "Text/Expression.h"
#include "Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
using namespace mlir;
using namespace tile;

//===- tile.dot -----------------------------------------------------------===//

namespace {
/// Shape and element of an operand, a tile or a shared buffer.
struct DotOperand {
  SmallVector<int64_t> shape;
  SmallVector<StringAttr> names; // of the `?` extents
  Type element;
  /// A number, or a name where the number is `?`.
  std::pair<int64_t, StringAttr> extent(size_t dim) const {
    size_t before = llvm::count(ArrayRef(shape).take_front(dim), ShapedType::kDynamic);
    bool named = ShapedType::isDynamic(shape[dim]) && before < names.size();
    return {shape[dim], named ? names[before] : StringAttr()};
  }
  explicit DotOperand(Type type) {
    if (auto buffer = dyn_cast<BufferType>(type)) {
      shape.assign(buffer.getShape().begin(), buffer.getShape().end());
      element = buffer.getElementType();
    } else {
      auto tensor = cast<RankedTensorType>(type);
      shape.assign(tensor.getShape().begin(), tensor.getShape().end());
      if (auto dims = dyn_cast_or_null<DimsAttr>(tensor.getEncoding()))
        names.assign(dims.getNames().begin(), dims.getNames().end());
      element = tensor.getElementType();
    }
  }
};
} // namespace

Type tile::accumulatorOf(Type a, Type b) {
  MLIRContext *c = a.getContext();
  bool f8 = isa<Float8E4M3FNType, Float8E5M2Type>(a) && isa<Float8E4M3FNType, Float8E5M2Type>(b);
  if (f8) return Float32Type::get(c);
  if (a != b) return {};
  if (isa<Float16Type, BFloat16Type, Float32Type>(a)) return Float32Type::get(c);
  if (a.isInteger(8)) return IntegerType::get(c, 32);
  return isa<Float64Type>(a) ? a : Type();
}

LogicalResult DotOp::verify() {
  DotOperand a(getA().getType()), b(getB().getType()), acc(getAcc().getType());
  size_t rank = a.shape.size();
  if ((rank != 2 && rank != 3) || b.shape.size() != rank || acc.shape.size() != rank)
    return emitOpError("expected operands of rank 2, or 3 with a batch, found ranks ")
           << rank << ", " << b.shape.size() << " and " << acc.shape.size();
  Type wanted = accumulatorOf(a.element, b.element);
  if (!wanted)
    return emitOpError("expected operands of one type of f16 bf16 f32 f64 i8, or of f8, found ")
           << a.element << " and " << b.element;
  if (acc.element != wanted)
    return emitOpError("expected an accumulator of ") << wanted << ", found " << acc.element;
  if (getPrecision() != Precision::Ieee && !a.element.isF32())
    return emitOpError("expected f32 operands for precision ")
           << stringifyPrecision(getPrecision()) << ", found " << a.element;
  if (getWhen() && getInstruction() != Instruction::Wgmma)
    return emitOpError("expected a dot by wgmma for a condition, found another");
  size_t m = rank - 2, n = rank - 1;
  // Columns of padding need not be in B's buffer.
  bool narrow = rank == 2 && isa<BufferType>(getB().getType()) &&
                getInstruction() == Instruction::Wgmma && b.shape[n] < acc.shape[n] &&
                b.shape[n] >= 16 && b.shape[n] % 8 == 0;
  // Nor need what is 0 along K be in a buffer.
  auto depth = (*this)->getAttrOfType<IntegerAttr>("tile.depth");
  bool shallow = rank == 2 && depth && getInstruction() == Instruction::Wgmma &&
                 std::min(a.shape[n], b.shape[m]) >= depth.getInt();
  bool batch = rank == 2 || (a.extent(0) == b.extent(0) && a.extent(0) == acc.extent(0));
  if (batch && (a.extent(n) == b.extent(m) || shallow) && a.extent(m) == acc.extent(m) &&
      (b.extent(n) == acc.extent(n) || narrow))
    return success();
  return emitOpError("expected shapes (M x K), (K x N) and (M x N), found ")
         << getA().getType() << ", " << getB().getType() << " and " << getType();
}

/// A dot reads its shared buffers; one of tiles alone is pure.
void DotOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand *operand : {&getAMutable(), &getBMutable()})
    if (isa<BufferType>(operand->get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), operand, Shared::get());
  // What has been started is counted by the waits behind it: two that are equal are not one.
  if (getAsync()) effects.emplace_back(MemoryEffects::Write::get(), Control::get());
}

//===- tile.inline_ptx ----------------------------------------------------===//

LogicalResult InlinePtxOp::verify() {
  Type result = getResult().getType();
  auto tile = dyn_cast<RankedTensorType>(result);
  for (Type type : getInputs().getTypes()) {
    auto other = dyn_cast<RankedTensorType>(type);
    if (bool(tile) != bool(other) || (tile && !sameExtents(tile, other)))
      return emitOpError() << "expected operands of the result's shape, found " << type << " and "
                           << result;
  }
  if (getPack() < 1 || getPack() > 16)
    return emitOpError() << "expected 1 to 16 packed elements, found " << getPack();
  std::optional<ArrayAttr> outputs = getOutputs();
  if (!outputs) return success();
  if (!getPure()) return emitOpError("expected a pure text for several outputs, found another");
  if (getIndex() >= outputs->size())
    return emitOpError() << "expected one of " << outputs->size() << " outputs, found output "
                         << getIndex();
  Type found = getElementTypeOrSelf(result),
       wanted = outputs->getAsValueRange<TypeAttr>().begin()[getIndex()];
  if (found != wanted)
    return emitOpError() << "expected elements of the output's type " << wanted << ", found "
                         << found;
  return success();
}

void InlinePtxOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getPure()) return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

//===- tile.reduce, tile.scan: assembly -----------------------------------===//
//
// Named form: `add %x axis 1`; it stands for a region of one op, and a region of
// just that op prints so. General form: operands, then a region.

/// The op that a named form stands for on elements of `type`; empty if none.
static StringRef combiner(StringRef kind, Type type) {
  bool isFloat = isa<FloatType>(type);
  return llvm::StringSwitch<StringRef>(kind)
      .Case("add", isFloat ? "arith.addf" : "arith.addi")
      .Case("mul", isFloat ? "arith.mulf" : "arith.muli")
      .Case("max", isFloat ? "arith.maximumf" : "arith.maxsi")
      .Case("min", isFloat ? "arith.minimumf" : "arith.minsi")
      .Case("maxnum", isFloat ? "arith.maxnumf" : "")
      .Case("minnum", isFloat ? "arith.minnumf" : "")
      .Case("umax", isFloat ? "" : "arith.maxui")
      .Case("umin", isFloat ? "" : "arith.minui")
      .Case("and", isFloat ? "" : "arith.andi")
      .Case("or", isFloat ? "" : "arith.ori")
      .Case("xor", isFloat ? "" : "arith.xori")
      .Default("");
}

/// What a named form is in a formula, of elements that a helper leaves open; empty if none.
static StringRef openCombiner(StringRef kind) {
  return llvm::StringSwitch<StringRef>(kind)
      .Case("add", "+")
      .Case("mul", "*")
      .Cases({"max", "min"}, kind)
      .Default("");
}

static Value buildOpenBody(OpBuilder &b, Location loc, StringRef kind, Block *block) {
  Node whole{openCombiner(kind).str(), {}, {}, {}, {}};
  for (int64_t i = 0; i < 2; ++i)
    whole.children.push_back({"operand", {}, {}, b.getI64IntegerAttr(i), {}});
  return ExprOp::create(b, loc, block->getArgument(0).getType(), block->getArguments(),
                        toAttribute(whole, b.getContext()));
}

static void buildNamedBody(OpAsmParser &p, OperationState &state, StringRef name, Type element) {
  OpBuilder b(p.getContext());
  Block *block = new Block;
  state.addRegion()->push_back(block);
  Location loc = p.getEncodedSourceLoc(p.getNameLoc());
  block->addArguments({element, element}, {loc, loc});
  b.setInsertionPointToStart(block);
  OperationState combine(loc, name, block->getArguments(), {element});
  Value result =
      isa<VarType>(element) ? buildOpenBody(b, loc, name, block) : b.create(combine)->getResult(0);
  YieldOp::create(b, loc, ValueRange(result));
}

static Type withoutAxis(RankedTensorType source, int64_t axis);

/// `: sources -> results`, or those that the operands determine.
static ParseResult parseCombinedTypes(OpAsmParser &p, OperationState &state,
                                      ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                                      int32_t axis, SmallVector<Type> &sources,
                                      SmallVector<Type> &results) {
  if (succeeded(p.parseOptionalColon()))
    return failure(p.parseTypeList(sources) || p.parseArrow() || p.parseTypeList(results));
  SMLoc loc = p.getCurrentLocation();
  if (succeeded(p.parseOptionalArrow()))
    return p.emitError(
        loc,
        "expected no types, or those of the operands as well (': types -> types'), found '->'");
  for (const auto &operand : operands) {
    Type type = typeOf(p, operand);
    auto source = dyn_cast_or_null<RankedTensorType>(type);
    if (!type) return failure();
    if (!source) return p.emitError(operand.location, "expected a tile, found ") << type;
    if (axis < 0 || axis >= source.getRank())
      return p.emitError(operand.location, "expected an axis from 0 to ")
             << source.getRank() - 1 << ", found " << axis;
    sources.push_back(type);
    results.push_back(state.name.getStringRef() == "tile.scan" ? type : withoutAxis(source, axis));
  }
  return success();
}

static ParseResult parseCombine(OpAsmParser &p, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> sourceTypes, resultTypes;
  StringRef kind;
  int32_t axis;
  SMLoc loc = p.getCurrentLocation();
  bool named = succeeded(p.parseOptionalKeyword(&kind));
  if (p.parseOperandList(operands) || p.parseKeyword("axis") || p.parseInteger(axis) ||
      // A brace begins a region, where there is one.
      (named ? p.parseOptionalAttrDict(state.attributes)
             : p.parseOptionalAttrDictWithKeyword(state.attributes)) ||
      parseCombinedTypes(p, state, operands, axis, sourceTypes, resultTypes) ||
      p.resolveOperands(operands, sourceTypes, loc, state.operands))
    return failure();
  state.addAttribute("axis", p.getBuilder().getI32IntegerAttr(axis));
  state.addTypes(resultTypes);
  if (!named) return p.parseRegion(*state.addRegion());
  Type element = operands.size() == 1 ? getElementTypeOrSelf(sourceTypes[0]) : Type();
  StringRef name = element ? combiner(kind, element) : "";
  if (isa_and_nonnull<VarType>(element)) name = openCombiner(kind).empty() ? "" : kind;
  if (name.empty()) {
    auto diagnostic =
        p.emitError(loc, "expected add, mul, max, min, maxnum, minnum, umax, umin, and, or "
                         "or xor of one operand that has it, found '");
    return diagnostic << kind << "' of (" << sourceTypes << ")";
  }
  buildNamedBody(p, state, name, element);
  return success();
}

/// Flags change what an op means, and a named form has no place for them.
static bool hasFlags(Operation *op) {
  auto math = dyn_cast<arith::ArithFastMathInterface>(op);
  auto overflow = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return (math && math.getFastMathFlagsAttr() &&
          math.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none) ||
         (overflow && overflow.getOverflowAttr() &&
          overflow.getOverflowAttr().getValue() != arith::IntegerOverflowFlags::none) ||
         !op->getDiscardableAttrs().empty();
}

/// The named form `body` has, or an empty string.
static StringRef namedForm(Block &body, Type element) {
  if (body.getNumArguments() != 2 || std::distance(body.begin(), body.end()) != 2) return "";
  Operation &op = body.front();
  if (op.getOperands() != ValueRange(body.getArguments()) ||
      body.back().getOperands() != op.getResults() || hasFlags(&op) ||
      !body.back().getAttrs().empty())
    return "";
  for (StringRef kind :
       {"add", "mul", "max", "min", "maxnum", "minnum", "umax", "umin", "and", "or", "xor"})
    if (combiner(kind, element) == op.getName().getStringRef()) return kind;
  return "";
}

template <typename Op> static void printCombine(Op op, OpAsmPrinter &p) {
  Type element = getElementTypeOrSelf(op.getSources().front().getType());
  StringRef kind = namedForm(op.getBody().front(), element);
  p << ' ';
  if (!kind.empty()) p << kind << ' ';
  p << op.getSources() << " axis " << op.getAxis();
  if (kind.empty())
    p.printOptionalAttrDictWithKeyword(op->getAttrs(), {"axis"});
  else
    p.printOptionalAttrDict(op->getAttrs(), {"axis"});
  p << " : " << op.getSources().getTypes() << " -> ";
  llvm::interleaveComma(op.getResultTypes(), p);
  if (!kind.empty()) return;
  p << ' ';
  p.printRegion(op.getBody());
}

/// Operands of one shape; a region from pairs of elements to elements.
template <typename Op> static LogicalResult verifyCombine(Op op) {
  if (op.getSources().empty()) return op.emitOpError("expected at least one operand, found none");
  auto first = cast<RankedTensorType>(op.getSources().front().getType());
  SmallVector<Type> elements;
  for (Type type : op.getSources().getTypes()) {
    auto t = cast<RankedTensorType>(type);
    if (t.getShape() != first.getShape() || t.getEncoding() != first.getEncoding())
      return op.emitOpError("expected operands of one shape, found ") << first << " and " << t;
    elements.push_back(t.getElementType());
  }
  if (op.getAxis() >= static_cast<uint32_t>(first.getRank()))
    return op.emitOpError("expected an axis from 0 to ")
           << first.getRank() - 1 << ", found " << static_cast<int32_t>(op.getAxis());
  Block &body = op.getBody().front();
  SmallVector<Type> pairs(elements);
  pairs.append(elements);
  if (!llvm::equal(body.getArgumentTypes(), pairs))
    return op.emitOpError("expected a region of (")
           << pairs << "), found (" << body.getArgumentTypes() << ")";
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  if (!yield)
    return op.emitOpError("expected a region that ends in tile.yield, found ")
           << (body.empty() ? "an empty one" : body.back().getName().getStringRef());
  if (!llvm::equal(yield.getValues().getTypes(), elements))
    return op.emitOpError("expected the region to yield (")
           << elements << "), found (" << yield.getValues().getTypes() << ")";
  for (Operation &inner : body)
    if (!isMemoryEffectFree(&inner) && !isa<CallOp>(inner)) // a call is inlined, and then verified
      return op.emitOpError("expected a region without side effects, found ") << inner.getName();
  if (op.getNumResults() != elements.size())
    return op.emitOpError("expected ")
           << elements.size() << " results, found " << op.getNumResults();
  return success();
}

/// A source without its axis; who holds what of the result is for a layout pass to say.
static Type withoutAxis(RankedTensorType source, int64_t axis) {
  if (source.getRank() <= 1 || axis >= source.getRank()) return source.getElementType();
  SmallVector<int64_t> shape(source.getShape());
  Attribute encoding;
  if (auto dims = dyn_cast_or_null<DimsAttr>(source.getEncoding())) {
    SmallVector<StringAttr> names(dims.getNames());
    if (source.isDynamicDim(axis))
      names.erase(names.begin() +
                  llvm::count(ArrayRef(shape).take_front(axis), ShapedType::kDynamic));
    if (!names.empty()) encoding = DimsAttr::get(source.getContext(), names);
  }
  shape.erase(shape.begin() + axis);
  return RankedTensorType::get(shape, source.getElementType(), encoding);
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                         ValueRange operands, DictionaryAttr attributes,
                                         OpaqueProperties properties, RegionRange regions,
                                         SmallVectorImpl<Type> &types) {
  Adaptor op(operands, attributes, properties, regions);
  for (Type type : operands.getTypes()) {
    auto tile = dyn_cast<RankedTensorType>(type);
    types.push_back(tile ? withoutAxis(tile, op.getAxis()) : type);
  }
  return success();
}

ParseResult ReduceOp::parse(OpAsmParser &p, OperationState &state) {
  return parseCombine(p, state);
}
void ReduceOp::print(OpAsmPrinter &p) { printCombine(*this, p); }
LogicalResult ReduceOp::verify() {
  if (failed(verifyCombine(*this))) return failure();
  for (auto [source, result] : llvm::zip(getSources().getTypes(), getResultTypes())) {
    auto s = cast<RankedTensorType>(source);
    auto r = dyn_cast<RankedTensorType>(result);
    int64_t rank = s.getRank();
    bool ok = getElementTypeOrSelf(result) == s.getElementType() &&
              (r ? r.getRank() == rank - 1 && rank > 1 : rank == 1);
    for (int64_t i = 0; ok && i + 1 < rank; ++i)
      ok = sameExtent(r, i, s, i < getAxis() ? i : i + 1);
    if (!ok)
      return emitOpError("expected a result without axis ")
             << getAxis() << " of " << s << ", found " << result;
  }
  return success();
}

LogicalResult ScanOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange operands,
                                       DictionaryAttr, OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

ParseResult ScanOp::parse(OpAsmParser &p, OperationState &state) { return parseCombine(p, state); }
void ScanOp::print(OpAsmPrinter &p) { printCombine(*this, p); }
LogicalResult ScanOp::verify() {
  if (failed(verifyCombine(*this))) return failure();
  if (llvm::equal(getSources().getTypes(), getResultTypes())) return success();
  return emitOpError("expected results of the operands' types, found ") << getResultTypes();
}

//===- histogram, sort ----------------------------------------------------===//

LogicalResult HistogramOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType()),
       result = cast<RankedTensorType>(getType());
  if (source.getRank() != 1 || result.getRank() != 1)
    return emitOpError("expected tiles of rank 1, found ") << source << " to " << result;
  return success();
}

LogicalResult SortOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange operands,
                                       DictionaryAttr, OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

/// What sort and partial_sort ask of their operands.
static LogicalResult verifySorted(Operation *op, TypeRange sources, uint32_t axis) {
  if (sources.empty()) return op->emitOpError("expected at least one operand, found none");
  auto first = cast<RankedTensorType>(sources.front());
  if (axis >= static_cast<uint32_t>(first.getRank()))
    return op->emitOpError("expected an axis from 0 to ")
           << first.getRank() - 1 << ", found " << static_cast<int32_t>(axis);
  for (Type type : sources) {
    auto t = cast<RankedTensorType>(type);
    if (t.getShape() != first.getShape() || t.getEncoding() != first.getEncoding())
      return op->emitOpError("expected operands of one shape, found ") << first << " and " << t;
  }
  return success();
}

LogicalResult SortOp::verify() { return verifySorted(*this, getSources().getTypes(), getAxis()); }

LogicalResult PartialSortOp::verify() {
  if (failed(verifySorted(*this, getSources().getTypes(), getAxis()))) return failure();
  if (getNumResults() != getSources().size())
    return emitOpError("expected ") << getSources().size() << " results, found " << getNumResults();
  auto axis = static_cast<int64_t>(getAxis());
  auto first = cast<RankedTensorType>(getResult(0).getType());
  for (auto [from, to] : llvm::zip(getSources().getTypes(), getResultTypes())) {
    auto source = cast<RankedTensorType>(from), result = cast<RankedTensorType>(to);
    bool fits = source.getRank() == result.getRank() &&
                source.getElementType() == result.getElementType() && sameExtents(result, first);
    for (int64_t d = 0; fits && d < source.getRank(); ++d)
      fits = d == axis ? source.isDynamicDim(d) || result.isDynamicDim(d) ||
                             result.getDimSize(d) <= source.getDimSize(d)
                       : sameExtent(source, d, result, d);
    if (!fits)
      return emitOpError("expected results of the operands' types, no longer along axis ")
             << axis << ", found " << from << " to " << to;
  }
  return success();
}
