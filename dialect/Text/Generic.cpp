//===- Generic.cpp - helpers for any element types ------------------------===//
#include "Generic.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/MapVector.h"
using namespace mlir;
using namespace tile;

static bool hasVariable(Type type) {
  return type.walk([](VarType) { return WalkResult::interrupt(); }).wasInterrupted();
}

namespace {
/// What a call makes of the names in a helper's signature.
struct TypeBindings {
  CallOp call;
  llvm::MapVector<StringAttr, Type> bound;

  LogicalResult match(Type wanted, Type found) {
    if (auto variable = dyn_cast<VarType>(wanted)) return bind(variable.getName(), found);
    if (auto pointer = dyn_cast<PtrType>(wanted)) {
      auto other = dyn_cast<PtrType>(found);
      return other ? match(pointer.getPointee(), other.getPointee()) : LogicalResult(success());
    }
    // What does not fit otherwise is for the verifier of calls.
    auto tile = dyn_cast<RankedTensorType>(wanted), other = dyn_cast<RankedTensorType>(found);
    return tile && other ? match(tile.getElementType(), other.getElementType())
                         : LogicalResult(success());
  }
  LogicalResult bind(StringAttr name, Type found) {
    if (!isNumber(found))
      return call.emitOpError("expected a type of numbers for ")
             << name.getValue() << " of '" << call.getCallee() << "', found " << found;
    auto [at, isNew] = bound.insert({name, found});
    if (isNew || at->second == found) return success();
    return call.emitOpError("expected one type for ")
           << name.getValue() << " of '" << call.getCallee() << "', found " << at->second << " and "
           << found;
  }
};

/// Copies helpers as calls want them.
struct Instances {
  ModuleOp module;
  SymbolTable symbols;
  llvm::StringMap<FuncOp> made;
  SmallVector<FuncOp> pending;

  explicit Instances(ModuleOp module) : module(module), symbols(module) {}
  LogicalResult visit(CallOp call);
  FuncOp copy(FuncOp helper, const TypeBindings &types);
};
} // namespace

/// Does a signature leave element types open? Nothing is verified yet.
static bool isOpen(FuncOp func) {
  auto type = func->getAttrOfType<TypeAttr>("function_type");
  return type && hasVariable(type.getValue());
}

FuncOp Instances::copy(FuncOp helper, const TypeBindings &types) {
  std::string name = helper.getSymName().str();
  for (auto &[variable, type] : types.bound) {
    llvm::raw_string_ostream os(name);
    os << '_' << type;
  }
  FuncOp &instance = made[name];
  if (instance) return instance;
  instance = helper.clone();
  instance.setSymName(name);
  symbols.insert(instance, Block::iterator(helper));
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](VarType variable) -> std::optional<Type> {
    auto at = types.bound.find(variable.getName());
    return at == types.bound.end() ? std::optional<Type>() : at->second;
  });
  replacer.recursivelyReplaceElementsIn(instance, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  pending.push_back(instance);
  return instance;
}

LogicalResult Instances::visit(CallOp call) {
  constexpr size_t most = 1024;
  auto name = call->getAttrOfType<FlatSymbolRefAttr>("callee");
  auto helper = name ? symbols.lookup<FuncOp>(name.getValue()) : FuncOp();
  if (!helper || !isOpen(helper)) return success();
  auto type = dyn_cast<FunctionType>(helper->getAttrOfType<TypeAttr>("function_type").getValue());
  TypeBindings types{call, {}};
  if (!type || type.getNumInputs() != call->getNumOperands() ||
      type.getNumResults() != call->getNumResults())
    return call.emitOpError("expected the helper's type ")
           << helper->getAttr("function_type") << ", found (" << call->getOperandTypes() << ") -> ("
           << call->getResultTypes() << ")";
  for (auto [wanted, found] : llvm::zip(type.getInputs(), call->getOperandTypes()))
    if (failed(types.match(wanted, found))) return failure();
  for (auto [wanted, found] : llvm::zip(type.getResults(), call->getResultTypes()))
    if (failed(types.match(wanted, found))) return failure();
  call.setCallee(copy(helper, types).getSymName());
  if (made.size() <= most) return success();
  return call.emitOpError("expected at most ")
         << most << " helpers for each of their element types, found more";
}

LogicalResult tile::instantiateTypes(ModuleOp module) {
  SmallVector<FuncOp> open;
  for (FuncOp func : module.getOps<FuncOp>())
    if (isOpen(func)) open.push_back(func);
  if (open.empty()) return success();
  for (FuncOp func : open)
    if (!func->hasAttr("sym_visibility"))
      return func.emitOpError("expected a private helper to have !tile.any in its signature, found "
                              "a kernel");
  Instances instances(module);
  for (FuncOp func : module.getOps<FuncOp>())
    if (!isOpen(func)) instances.pending.push_back(func);
  while (!instances.pending.empty()) {
    WalkResult result = instances.pending.pop_back_val()->walk([&](CallOp call) {
      return failed(instances.visit(call)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted()) return failure();
  }
  for (FuncOp func : open) instances.symbols.erase(func);
  return success();
}
