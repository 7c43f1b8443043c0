//===- TileTools.cpp - mains and registration over MLIR's own -------------===//
#include "Tile.h"
#include "Triton/Triton.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tile/Machine.h"
#include "tile/Tile.h"
#include "tile/Tools.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
using namespace mlir;

/// Some parsers of MLIR's own dialects go on after their errors, with what is not there (22.1:
/// linalg.transpose whose permutation is no list of integers). False where `work` ended that way.
static bool survive(llvm::function_ref<void()> work, bool dumpsStack) {
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  recovery.DumpStackAndCleanupOnFailure = dumpsStack;
  bool ok = recovery.RunSafely(work);
  llvm::CrashRecoveryContext::Disable();
  return ok;
}

static MlirModule parse(MLIRContext *context, StringRef name,
                        llvm::function_ref<OwningOpRef<ModuleOp>()> parser) {
  MlirModule module = {nullptr};
  auto work = [&] { module = wrap(parser().release()); };
  if (survive(work, /*dumpsStack=*/false)) return module;
  emitError(FileLineColLoc::get(context, name, 1, 1),
            "expected text that MLIR's parsers take, found some at which one of them crashes");
  return {nullptr};
}

MlirModule tileParse(MlirContext context, MlirStringRef text) {
  MLIRContext *c = unwrap(context);
  return parse(c, "-", [&] { return parseSourceString<ModuleOp>(unwrap(text), c); });
}

MlirModule tileParseFile(MlirContext context, MlirStringRef path) {
  MLIRContext *c = unwrap(context);
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(unwrap(path));
  if (std::error_code reason = file.getError()) {
    emitError(UnknownLoc::get(c), "expected to read '")
        << unwrap(path) << "', found: " << reason.message();
    return {nullptr};
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  return parse(c, unwrap(path), [&] { return parseSourceFile<ModuleOp>(sources, c); });
}

void tileRegisterDialects(MlirDialectRegistry registry) {
  // Registering is cheap: a dialect is loaded when first used.
  DialectRegistry &r = *unwrap(registry);
  registerAllDialects(r);
  registerAllExtensions(r);
  r.insert<tile::TileDialect, tile::tt::TtDialect, tile::ttg::TtgDialect>();
  registerBuiltinDialectTranslation(r);
  registerGPUDialectTranslation(r);
  registerLLVMDialectTranslation(r);
  registerNVVMDialectTranslation(r);
}

void tileRegisterUpstreamPasses(void) {
  static bool once = (registerAllPasses(), true);
  (void)once;
}

/// Prints what --tile-describe-machine asks for; false where nobody asks.
static bool describeMachine(StringRef name, int *status) {
  if (name.empty()) return false;
  *status = 0;
  if (name == "page") {
    tileMachineWritePage(stdout);
  } else if (const TileMachine *machine = tileMachineFind(name.str().c_str())) {
    tileMachineDescribe(machine, stdout);
  } else {
    *status = 2;
    llvm::errs() << "error: expected --tile-describe-machine to be " << tileMachineGetNames()
                 << " or page, found '" << name << "'\n";
  }
  return true;
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
  int status = 1;
  auto run = [&] {
    static llvm::cl::opt<std::string> machine(
        "tile-describe-machine", llvm::cl::value_desc("chip"),
        llvm::cl::desc(
            "Print what is known of a chip, as sm_90a, or of all (page: docs/machine.md)"));
    auto [input, output] =
        registerAndParseCLIOptions(count, args.data(), "tile optimizer\n", registry);
    if (describeMachine(machine, &status)) return;
    status = asMainReturnCode(MlirOptMain(count, args.data(), input, output, registry));
  };
  if (!survive(run, /*dumpsStack=*/true))
    llvm::errs()
        << "error: expected input that MLIR takes, found some at which it crashes, as above\n";
  return status;
}

int tileLspMain(int argc, char **argv) {
  DialectRegistry registry;
  tileRegisterDialects(wrap(&registry));
  return asMainReturnCode(MlirLspServerMain(argc, argv, registry));
}
