//===- TileTools.cpp - mains and registration over MLIR's own -------------===//
#include "Tile.h"
#include "mlir/CAPI/IR.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tile/Tile.h"
#include "tile/Tools.h"
using namespace mlir;

void tileRegisterDialects(MlirDialectRegistry registry) {
  // Registering is cheap: a dialect is loaded when first used.
  DialectRegistry &r = *unwrap(registry);
  registerAllDialects(r);
  registerAllExtensions(r);
  r.insert<tile::TileDialect>();
  registerBuiltinDialectTranslation(r);
  registerGPUDialectTranslation(r);
  registerLLVMDialectTranslation(r);
  registerNVVMDialectTranslation(r);
}

void tileRegisterUpstreamPasses(void) {
  static bool once = (registerAllPasses(), true);
  (void)once;
}

int tileOptMain(int argc, char **argv) {
  DialectRegistry registry;
  tileRegisterDialects(wrap(&registry));
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  // A file of kernels is small: threads cost more to start than they save, unless asked for.
  constexpr StringRef threading = "--mlir-disable-threading";
  SmallVector<char *> args(argv, argv + argc);
  std::string off = threading.str();
  if (llvm::none_of(args, [&](char *a) {
        return StringRef(a).ltrim('-').starts_with(threading.drop_front(2));
      }))
    args.insert(args.begin() + (argc > 0), off.data());
  int count = static_cast<int>(args.size());
  args.push_back(nullptr);
  return asMainReturnCode(MlirOptMain(count, args.data(), "tile optimizer\n", registry));
}

int tileLspMain(int argc, char **argv) {
  DialectRegistry registry;
  tileRegisterDialects(wrap(&registry));
  return asMainReturnCode(MlirLspServerMain(argc, argv, registry));
}
