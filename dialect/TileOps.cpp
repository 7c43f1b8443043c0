//===- TileOps.cpp - assembly and verifiers of structural ops -------------===//
#include "Text/Expression.h"
#include "Text/Extent.h"
#include "Text/Known.h"
#include "Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringExtras.h"
using namespace mlir;

namespace tile {

Type withElement(Type shape, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(shape);
  return tensor ? RankedTensorType::get(tensor.getShape(), element, tensor.getEncoding()) : element;
}
Type pointeeType(Type pointers) {
  auto ptr = dyn_cast<PtrType>(getElementTypeOrSelf(pointers));
  return ptr ? withElement(pointers, ptr.getPointee()) : Type();
}
Type maskType(Type type) { return withElement(type, IntegerType::get(type.getContext(), 1)); }
Type f32Like(Type type) { return withElement(type, Float32Type::get(type.getContext())); }
Type boxType(Type desc) {
  auto d = dyn_cast<DescType>(desc);
  return d ? Type(d.getBox()) : Type();
}

static ParseResult parseKeyword(AsmParser &p, StringAttr &name) { return parseExtentText(p, name); }
static void printKeyword(AsmPrinter &p, Operation *, StringAttr name) { p << name.getValue(); }

/// Do the results of another op begin here, as `%a, %b:2 =`? Text ends in a NUL.
static bool beginsOp(const char *at) {
  auto skipSpace = [&] {
    while (llvm::isSpace(*at)) ++at;
  };
  while (*at == '%') {
    for (++at; llvm::isAlnum(*at) || (*at && StringRef("$._-").contains(*at));) ++at;
    skipSpace();
    if (at[0] == ':' && llvm::isDigit(at[1]))
      for (++at; llvm::isDigit(*at);) ++at;
    skipSpace();
    if (*at != ',') return *at == '=';
    ++at;
    skipSpace();
  }
  return false;
}

/// The values of a print, if it has any: without a mark before them, the names of the next op's
/// results would be taken for them.
static OptionalParseResult parsePrinted(OpAsmParser &p,
                                        SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values) {
  const char *at = p.getCurrentLocation().getPointer();
  if (*at != '%' || beginsOp(at)) return std::nullopt;
  return p.parseOperandList(values);
}
static void printPrinted(OpAsmPrinter &p, Operation *, OperandRange values) { p << values; }

} // namespace tile

#define GET_OP_CLASSES
#include "TileOps.cpp.inc"

using namespace tile;

//===- tile.func ----------------------------------------------------------===//

ParseResult FuncOp::parse(OpAsmParser &p, OperationState &state) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> args;
  SmallVector<DictionaryAttr> resultAttrs;
  SmallVector<Type> resultTypes, argTypes;
  bool variadic = false;
  Builder &b = p.getBuilder();
  (void)mlir::impl::parseOptionalVisibilityKeyword(p, state.attributes);
  if (p.parseSymbolName(name, getSymNameAttrName(state.name), state.attributes) ||
      function_interface_impl::parseFunctionSignatureWithArguments(
          p, /*allowVariadic=*/false, args, variadic, resultTypes, resultAttrs))
    return failure();
  for (auto &a : args) argTypes.push_back(a.type);
  state.addAttribute(getFunctionTypeAttrName(state.name),
                     TypeAttr::get(b.getFunctionType(argTypes, resultTypes)));
  call_interface_impl::addArgAndResultAttrs(b, state, args, resultAttrs,
                                            getArgAttrsAttrName(state.name),
                                            getResAttrsAttrName(state.name));
  DictionaryAttr meta;
  ArrayAttr configs;
  if (succeeded(p.parseOptionalKeyword("meta")) &&
      p.parseAttribute(meta, getMetaAttrName(state.name), state.attributes))
    return failure();
  if (succeeded(p.parseOptionalKeyword("configs")) &&
      p.parseAttribute(configs, getConfigsAttrName(state.name), state.attributes))
    return failure();
  if (p.parseOptionalAttrDictWithKeyword(state.attributes)) return failure();
  return p.parseRegion(*state.addRegion(), args);
}

void FuncOp::print(OpAsmPrinter &p) {
  p << ' ';
  if (auto visibility = getSymVisibility()) p << *visibility << ' ';
  p.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(p, *this, getArgumentTypes(),
                                                  /*isVariadic=*/false, getResultTypes());
  if (getMeta()) p << " meta " << *getMeta();
  if (getConfigs()) p << " configs " << *getConfigs();
  p.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getFunctionTypeAttrName(), getSymVisibilityAttrName(),
       getArgAttrsAttrName(), getResAttrsAttrName(), getMetaAttrName(), getConfigsAttrName()});
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// A value that a meta-parameter or a configuration key can have.
static bool isParameter(Attribute a) {
  auto i = dyn_cast<IntegerAttr>(a);
  return i && i.getType().isSignlessIntOrIndex() && i.getValue().isStrictlyPositive() &&
         i.getValue().getActiveBits() <= 31;
}

static LogicalResult verifyMeta(FuncOp func) {
  if (auto meta = func.getMetaAttr())
    for (NamedAttribute m : meta) {
      if (!isKeyword(m.getName()))
        return func.emitOpError("expected a name for a meta-parameter, found ") << m.getName();
      if (!isParameter(m.getValue()))
        return func.emitOpError("expected a positive integer below 2^31 for meta-parameter '")
               << m.getName().getValue() << "', found " << m.getValue();
    }
  return success();
}

bool tile::isBindable(FuncOp func, StringRef name) {
  return llvm::is_contained({"num_warps", "num_stages", "num_ctas", "num_parts", "num_splits",
                             "num_last_splits", "num_teams", "num_at_once", "maxnreg"},
                            name) ||
         (func.getMetaAttr() && func.getMetaAttr().contains(name));
}

static LogicalResult verifyConfig(FuncOp func, Attribute config) {
  auto dict = dyn_cast<DictionaryAttr>(config);
  if (!dict) return func.emitOpError("expected configs to be dictionaries, found ") << config;
  for (NamedAttribute m : dict) {
    StringRef name = m.getName().getValue();
    if (!isBindable(func, name))
      return func.emitOpError("expected configs to bind a meta-parameter, num_warps, num_stages, "
                              "num_ctas, num_parts, num_splits, num_last_splits, num_teams, "
                              "num_at_once or maxnreg, found '")
             << name << "'";
    if (!isParameter(m.getValue()))
      return func.emitOpError("expected a positive integer below 2^31 for '")
             << name << "', found " << m.getValue();
  }
  return success();
}

/// What a launch can hand over: 32,764 bytes (CUDA C++ Programming Guide, "Function Parameters"),
/// eight an argument.
static constexpr unsigned maxArguments = 32764 / 8;

/// Does PTX take the name (PTX ISA, "Identifiers"), and so CUDA, C and the options of passes?
static bool isKernelName(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; });
}

LogicalResult FuncOp::verify() {
  if (!isPrivate() && !isKernelName(getSymName()))
    return emitOpError("expected a kernel's name of letters, digits, '_' and '$' that begins with "
                       "no digit, found '")
           << getSymName() << "'";
  if (getNumArguments() > maxArguments)
    return emitOpError("expected at most ")
           << maxArguments << " arguments, found " << getNumArguments();
  if (failed(verifyMeta(*this))) return failure();
  if (getConfigsAttr())
    for (Attribute config : getConfigsAttr())
      if (failed(verifyConfig(*this, config))) return failure();
  if (!llvm::hasSingleElement(getBody()))
    return emitOpError("expected one block (control flow is that of scf), found ")
           << getBody().getBlocks().size();
  if (!isPrivate())
    return getResultTypes().empty() ? success()
                                    : emitOpError("expected a kernel without results, found ")
                                          << getResultTypes().size();
  // A helper is a part of the kernels that call it, and takes their parameters.
  if (getMetaAttr() || getConfigsAttr())
    return emitOpError("expected a private helper without meta and configs, found ")
           << (getMetaAttr() ? "meta" : "configs");
  return success();
}

LogicalResult ReturnOp::verify() {
  auto wanted = cast<FuncOp>((*this)->getParentOp()).getResultTypes();
  if (llvm::equal(wanted, getOperandTypes())) return success();
  return emitOpError("expected results of types (")
         << wanted << "), found (" << getOperandTypes() << ")";
}

/// Calls `visit` with each call of a function beside `from`, and that function, until it says so.
static void walkCalls(FuncOp from, SymbolTableCollection &symbols,
                      llvm::function_ref<WalkResult(CallOp, FuncOp)> visit) {
  from.getBody().walk([&](CallOp call) {
    auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(call, call.getCalleeAttr());
    bool isBeside = callee && callee->getBlock() == from->getBlock();
    return isBeside ? visit(call, callee) : WalkResult::advance();
  });
}

/// Does inlining end? Functions are taken away that call none of those left, as often as there is
/// one (Kahn's algorithm: a step for each function and call). What stays calls in a circle, or
/// somebody who does.
static LogicalResult verifyCallsEnd(Block &block, SymbolTableCollection &symbols) {
  llvm::DenseMap<Operation *, size_t> left; // calls of functions that may not end
  llvm::DenseMap<Operation *, SmallVector<FuncOp>> callers;
  SmallVector<Operation *> ended;
  for (FuncOp func : block.getOps<FuncOp>()) {
    size_t count = 0;
    walkCalls(func, symbols, [&](CallOp, FuncOp callee) {
      callers[callee].push_back(func);
      ++count;
      return WalkResult::advance();
    });
    left[func] = count;
    if (!count) ended.push_back(func);
  }
  while (!ended.empty())
    for (FuncOp caller : callers.lookup(ended.pop_back_val()))
      if (!--left[caller]) ended.push_back(caller);
  auto functions = block.getOps<FuncOp>();
  auto stuck = llvm::find_if(functions, [&](FuncOp func) { return left[func]; });
  if (stuck == functions.end()) return success();
  llvm::DenseSet<Operation *> seen;
  CallOp last;
  for (FuncOp at = *stuck; seen.insert(at).second;
       at = cast<FuncOp>(symbols.lookupNearestSymbolFrom(last, last.getCalleeAttr())))
    walkCalls(at, symbols, [&](CallOp call, FuncOp callee) {
      if (!left[callee]) return WalkResult::advance();
      last = call;
      return WalkResult::interrupt();
    });
  return last.emitOpError("expected a helper that does not call itself, found '")
         << last.getCallee() << "', which leads back to '"
         << last->getParentOfType<FuncOp>().getSymName() << "'";
}

/// The first function of its block looks for all of them.
LogicalResult FuncOp::verifySymbolUses(SymbolTableCollection &symbols) {
  for (Operation *op = (*this)->getPrevNode(); op; op = op->getPrevNode())
    if (isa<FuncOp>(op)) return success();
  return verifyCallsEnd(*(*this)->getBlock(), symbols);
}

namespace {
/// What a call makes of the extents that a helper's signature names: each one number, or one name.
struct ExtentBindings {
  llvm::SmallDenseMap<StringAttr, std::pair<int64_t, StringAttr>> bound;
  /// Arithmetic of names, and what a call has for it: compared when all names are bound.
  SmallVector<std::pair<StringAttr, std::pair<int64_t, StringAttr>>> arithmetic;

  /// Is `found` the helper's `wanted` with its names bound? Binds those not seen before.
  bool match(Type wanted, Type found) {
    if (auto desc = dyn_cast<DescType>(wanted)) {
      auto other = dyn_cast<DescType>(found);
      return other && match(desc.getBox(), other.getBox());
    }
    auto a = dyn_cast<RankedTensorType>(wanted), b = dyn_cast<RankedTensorType>(found);
    if (!a || !b || !isa_and_nonnull<DimsAttr>(a.getEncoding())) return wanted == found;
    if (a.getRank() != b.getRank() || a.getElementType() != b.getElementType()) return false;
    if (b.getEncoding() && !isa<DimsAttr>(b.getEncoding())) return false;
    for (int64_t i = 0; i < a.getRank(); ++i) {
      StringAttr name = dimName(a, i);
      std::pair<int64_t, StringAttr> extent(b.getDimSize(i), dimName(b, i));
      if (!name && (extent.second || extent.first != a.getDimSize(i))) return false;
      if (name && !isKeyword(name.getValue()))
        arithmetic.push_back({name, extent});
      else if (name && bound.try_emplace(name, extent).first->second != extent)
        return false;
    }
    return true;
  }
  bool matchArithmetic() const {
    return llvm::all_of(arithmetic, [&](auto &pair) {
      auto result = bindExtent(pair.first, [&](StringAttr name) -> std::optional<BoundExtent> {
        auto at = bound.find(name);
        if (at == bound.end()) return BoundExtent{-1, name};
        return BoundExtent{at->second.first, at->second.second};
      });
      return result && result->text == pair.second.second &&
             (result->text || result->size == pair.second.first);
    });
  }
};
} // namespace

/// Do the types of `call` fit the signature of `func`, whose names of extents a call may choose?
static bool fitsSignature(CallOp call, FuncOp func) {
  auto wanted = func.getFunctionType();
  if (wanted.getNumInputs() != call.getInputs().size() ||
      wanted.getNumResults() != call.getNumResults())
    return false;
  ExtentBindings extents;
  for (auto [want, input] : llvm::zip(wanted.getInputs(), call.getInputs()))
    if (!extents.match(want, input.getType())) return false;
  for (auto [want, found] : llvm::zip(wanted.getResults(), call.getResultTypes()))
    if (!extents.match(want, found)) return false;
  return extents.matchArithmetic();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!(*this)->getParentOfType<FuncOp>())
    return emitOpError("expected a tile.func around it, found none");
  auto func = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!func) return emitOpError("expected the name of a tile.func, found '") << getCallee() << "'";
  if (!func.isPrivate())
    return emitOpError("expected a private helper, found kernel '") << getCallee() << "'";
  if (!fitsSignature(*this, func))
    return emitOpError("expected the helper's type ")
           << func.getFunctionType() << ", found (" << getInputs().getTypes() << ") -> ("
           << getResultTypes() << ")";
  return success();
}

LogicalResult MetaOp::verify() {
  if (isExtentText(getNameAttr())) return success();
  return emitOpError("expected the name of a meta-parameter, found ") << getNameAttr();
}

//===- tile.grid, tile.cost -----------------------------------------------===//
// tile.grid(%n : i32, ...) { ... }: inside, a capture has the name it has outside. For formulas,
// tile.grid = %n ceildiv BLOCK, %heads.

/// A region that yields the values of formulas, each of `type`; what they name is captured.
static ParseResult parseFormulas(OpAsmParser &p, OperationState &state, Type type) {
  ExpressionParser reader(p, /*wide=*/type.isInteger(64));
  std::vector<Node> nodes;
  std::vector<SMLoc> places;
  do {
    places.push_back(p.getCurrentLocation());
    nodes.emplace_back();
    if (reader.parseTyped(nodes.back(), type)) return failure();
  } while (succeeded(p.parseOptionalComma()));
  auto *block = new Block;
  state.addRegion()->push_back(block);
  for (auto [operand, operandType] : llvm::zip(reader.operands, reader.types)) {
    if (p.resolveOperand(operand, operandType, state.operands)) return failure();
    block->addArgument(operandType, p.getEncodedSourceLoc(operand.location));
  }
  OpBuilder b(p.getContext());
  b.setInsertionPointToStart(block);
  SmallVector<Value> values;
  for (auto [node, place] : llvm::zip(nodes, places))
    values.push_back(ExprOp::create(b, p.getEncodedSourceLoc(place), type, block->getArguments(),
                                    toAttribute(node, p.getContext())));
  YieldOp::create(b, p.getEncodedSourceLoc(places.front()), values);
  return p.parseOptionalAttrDict(state.attributes);
}

static ParseResult parseHostRegion(OpAsmParser &p, OperationState &state, Type formula) {
  if (succeeded(p.parseOptionalEqual())) return parseFormulas(p, state, formula);
  SmallVector<OpAsmParser::Argument> args;
  if (p.parseArgumentList(args, OpAsmParser::Delimiter::Paren, /*allowType=*/true))
    return failure();
  for (auto &a : args)
    if (p.resolveOperand(a.ssaName, a.type, state.operands)) return failure();
  return failure(p.parseRegion(*state.addRegion(), args, /*enableNameShadowing=*/true) ||
                 p.parseOptionalAttrDict(state.attributes));
}

template <typename Op> static void printHostRegion(Op op, OpAsmPrinter &p) {
  p << '(';
  llvm::interleaveComma(op.getCaptures(), p, [&](Value v) { p << v << " : " << v.getType(); });
  p << ") ";
  p.shadowRegionArgs(op.getBody(), op.getCaptures());
  p.printRegion(op.getBody(), /*printEntryBlockArgs=*/false);
  p.printOptionalAttrDict(op->getAttrs());
}

/// The host knows the kernel's arguments and nothing else of it.
template <typename Op> static LogicalResult verifyHostRegion(Op op) {
  auto func = cast<FuncOp>(op->getParentOp());
  Block &body = op.getBody().front();
  if (func.isPrivate())
    return op.emitOpError("expected a kernel around it, found private helper '")
           << func.getSymName() << "'";
  for (Op other : func.getBody().template getOps<Op>())
    if (other != op && other->isBeforeInBlock(op))
      return op.emitOpError("expected one in a kernel, found another");
  if (!llvm::equal(body.getArgumentTypes(), op.getCaptures().getTypes()))
    return op.emitOpError("expected region arguments (")
           << op.getCaptures().getTypes() << ") as captured, found (" << body.getArgumentTypes()
           << ")";
  for (Value v : op.getCaptures())
    if (v.getParentRegion() != &func.getBody() || !isa<BlockArgument>(v))
      return op.emitOpError("expected captures to be kernel arguments, found ") << v;
  if (body.empty() || !isa<YieldOp>(body.back()))
    return op.emitOpError("expected a region that ends in tile.yield, found ")
           << (body.empty() ? "an empty one" : body.back().getName().getStringRef());
  Operation *device = nullptr;
  body.walk([&](Operation *inner) {
    auto meta = dyn_cast<MetaOp>(inner);
    bool isHost = isa<YieldOp>(inner) || (meta && isKeyword(meta.getName()));
    if (!device && isTileDialect(inner->getDialect()) && !isHost) device = inner;
  });
  if (!device) return success();
  auto diagnostic = op.emitOpError("expected ops that the host can evaluate, found ")
                    << device->getName();
  diagnostic.attachNote(device->getLoc()) << "here";
  return diagnostic;
}

ParseResult GridOp::parse(OpAsmParser &p, OperationState &state) {
  return parseHostRegion(p, state, p.getBuilder().getI32Type());
}
void GridOp::print(OpAsmPrinter &p) { printHostRegion(*this, p); }
LogicalResult GridOp::verify() {
  if (failed(verifyHostRegion(*this))) return failure();
  auto yielded = cast<YieldOp>(getBody().front().back()).getValues().getTypes();
  if (yielded.empty() || yielded.size() > 3 ||
      !llvm::all_of(yielded, [](Type t) { return t.isInteger(32); }))
    return emitOpError("expected to yield one to three i32, found (") << yielded << ")";
  return success();
}

ParseResult CostOp::parse(OpAsmParser &p, OperationState &state) {
  return parseHostRegion(p, state, p.getBuilder().getI64Type());
}
void CostOp::print(OpAsmPrinter &p) { printHostRegion(*this, p); }
LogicalResult CostOp::verify() {
  if (failed(verifyHostRegion(*this))) return failure();
  auto yielded = cast<YieldOp>(getBody().front().back()).getValues().getTypes();
  if (yielded.size() != 2 || !llvm::all_of(yielded, [](Type t) { return t.isInteger(64); }))
    return emitOpError("expected to yield operations and bytes as two i64, found (")
           << yielded << ")";
  return success();
}
