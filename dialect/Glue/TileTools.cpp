//===- TileTools.cpp - mains and registration over MLIR's own -------------===//
#include "Tile.h"
#include "TileParse.h"
#include "TileRecover.h"
#include "Triton/Triton.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/CAPI/Diagnostics.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "tile/Machine.h"
#include "tile/Support/Format.h"
#include "tile/Support/Render.h"
#include "tile/Support/Source.h"
#include "tile/Support/Version.h"
#include "tile/Tile.h"
#include "tile/Tools.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include <cstdio>
using namespace mlir;

MlirModule tileParse(MlirContext context, MlirStringRef text, MlirStringRef name) {
  // The lexer wants a NUL at the end.
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(unwrap(text), unwrap(name));
  return wrap(tile::parseAll(std::move(buffer), unwrap(context)).release());
}

/// Reads a file, a pipe or, as "-", standard input: as much of it as can be a program, so that a
/// device that never ends does not take all memory.
static std::unique_ptr<llvm::MemoryBuffer> readInput(StringRef path, std::string *problem) {
  constexpr size_t limit = TILE_MAX_SOURCE;
  std::unique_ptr<FILE, int (*)(FILE *)> opened(nullptr, fclose);
  FILE *file = stdin;
  if (path != "-") {
    opened.reset(fopen(path.str().c_str(), "rb"));
    file = opened.get();
  }
  SmallVector<char, 0> text;
  size_t got = 1;
  while (file && got && text.size() <= limit) {
    constexpr size_t chunk = 1 << 20;
    size_t used = text.size();
    text.resize_for_overwrite(used + chunk);
    got = fread(text.data() + used, 1, chunk, file);
    text.truncate(used + got);
  }
  if (file && !ferror(file) && text.size() <= limit)
    return llvm::MemoryBuffer::getMemBufferCopy(StringRef(text.data(), text.size()), path);
  llvm::raw_string_ostream os(*problem);
  if (file && !ferror(file))
    os << "expected at most " << limit << " bytes in '" << path << "', found more";
  else
    os << "expected to read '" << path << "', found: " << strerror(errno);
  return nullptr;
}

MlirModule tileParseFile(MlirContext context, MlirStringRef path) {
  MLIRContext *c = unwrap(context);
  std::string problem;
  auto file = readInput(unwrap(path), &problem);
  if (!file) {
    emitError(UnknownLoc::get(c), problem);
    return {nullptr};
  }
  return wrap(tile::parseAll(std::move(file), c).release());
}

void tileRegisterDialects(MlirDialectRegistry registry) {
  // Registering is cheap: a dialect is loaded when first used.
  DialectRegistry &r = *unwrap(registry);
  registerAllDialects(r);
  registerAllExtensions(r);
  r.insert<tile::TileDialect, tile::TileGpuDialect, tile::TileHostDialect, tile::tt::TtDialect,
           tile::ttg::TtgDialect>();
  registerBuiltinDialectTranslation(r);
  registerGPUDialectTranslation(r);
  registerLLVMDialectTranslation(r);
  registerNVVMDialectTranslation(r);
}

/// In the place of a pass that writes a file or runs a program. Passes are named by a file, too: in
/// its reproducer's pipeline, or by transform.apply_registered_pass.
class RefusedPass : public Pass {
public:
  explicit RefusedPass(const Pass &like)
      : Pass(like.getTypeID()), argument(like.getArgument().str()) {}
  StringRef getName() const override { return "RefusedPass"; }
  StringRef getArgument() const override { return argument; }
  StringRef getDescription() const override { return "Not here: it writes files or runs programs"; }
  bool canScheduleOn(RegisteredOperationName) const override { return true; }
  std::unique_ptr<Pass> clonePass() const override { return std::make_unique<RefusedPass>(*this); }
  LogicalResult initializeOptions(StringRef,
                                  function_ref<LogicalResult(const Twine &)> fail) override {
    return fail("expected passes that write no files and run no programs, found '" + argument +
                "'");
  }
  void runOnOperation() override { signalPassFailure(); }

private:
  std::string argument;
};

/// The first that is registered by a name is what the name means.
static void refusePass(std::unique_ptr<Pass> (*create)()) {
  registerPass([create] { return std::make_unique<RefusedPass>(*create()); });
}

void tileRegisterUpstreamPasses(void) {
  static bool once = (refusePass(createLocationSnapshot), refusePass(createGpuModuleToBinaryPass),
                      registerAllPasses(), true);
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

static LogicalResult renderDiagnostic(Diagnostic &diagnostic) {
  tileDiagnosticRender(stderr, wrap(diagnostic), nullptr);
  return success();
}

/// Can the file be parsed? All errors are printed, where mlir-opt has one, and says less. Texts
/// that it treats in a way of its own (split, annotated, in a dialect that a file defines) are its
/// part.
static bool parses(const llvm::MemoryBuffer &file, const MlirOptMainConfig &config,
                   DialectRegistry &registry) {
  bool own = config.shouldVerifyDiagnostics() || !config.inputSplitMarker().empty() ||
             !config.getIrdlFile().empty() || config.shouldUseExplicitModule() ||
             config.shouldRunReproducer() || isBytecode(file);
  if (own) return true;
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  tile::CaughtDiagnostics caught(&context);
  bool ok = bool(tile::parseAll(
      llvm::MemoryBuffer::getMemBufferCopy(file.getBuffer(), file.getBufferIdentifier()),
      &context));
  // What is right is parsed again by mlir-opt, and warned of then.
  for (Diagnostic &each : caught.all)
    if (!ok) (void)renderDiagnostic(each);
  return ok;
}

/// --format: the text as it is laid out, whether it can be parsed or not.
static bool format(StringRef input, StringRef output, TileWriter write) {
  std::string problem;
  auto file = readInput(input, &problem);
  if (!file) {
    llvm::errs() << "error: " << problem << "\n";
    return false;
  }
  int line = 0;
  TileText text = {};
  bool fits =
      !isBytecode(*file) && tileFormat(file->getBufferStart(), file->getBufferSize(), &text, &line);
  if (!fits)
    llvm::errs() << input << ':' << line
                 << ":1: error: expected text whose brackets fit, found one that does not close\n";
  bool ok = fits && write(output.str().c_str(), text.size ? text.data : "", text.size);
  free(text.data);
  return ok;
}

/// A file of mlir-opt's own: where it cannot be written, that fails without a word, or is passed
/// over.
static bool canWrite(StringRef path) {
  if (path.empty() || path == "-") return true;
  std::error_code reason;
  llvm::raw_fd_ostream file(path, reason, llvm::sys::fs::OF_Append);
  if (reason)
    llvm::errs() << "error: expected to write '" << path << "', found: " << reason.message()
                 << '\n';
  return !reason;
}

/// What mlir-opt does with its files, by our own rules of reading, writing and reporting.
static bool optimize(StringRef input, StringRef output, DialectRegistry &registry,
                     TileWriter write) {
  std::string problem;
  auto file = readInput(input, &problem);
  int line = 1, column = 1;
  if (!file) {
    llvm::errs() << "error: " << problem << "\n";
    return false;
  }
  const char *excess =
      isBytecode(*file)
          ? nullptr
          : tileSourceFindExcess(file->getBufferStart(), file->getBufferSize(), &line, &column);
  if (excess) {
    llvm::errs() << input << ':' << line << ':' << column << ": error: " << excess << '\n';
    return false;
  }
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (!canWrite(config.getRemarksOutputFile()) || !canWrite(config.getReproducerFilename()))
    return false;
  if (!parses(*file, config, registry)) return false;
  if (!config.shouldVerifyDiagnostics())
    config.setPassPipelineSetupFn([asked = config](PassManager &passes) {
      // The last handler is asked first: before the one of mlir-opt.
      passes.getContext()->getDiagEngine().registerHandler(renderDiagnostic);
      return asked.setupPassPipeline(passes);
    });
  std::string text;
  llvm::raw_string_ostream os(text);
  return succeeded(MlirOptMain(os, std::move(file), registry, config)) &&
         write(output.str().c_str(), text.data(), text.size());
}

int tileOptMain(int argc, char **argv, TileWriter write) {
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
  char **words = args.data();
  // Prints where it crashed; the handlers of tile/Support/Process.h then end it.
  llvm::InitLLVM stackTraces(count, words);
  static llvm::cl::opt<std::string> machine(
      "tile-describe-machine", llvm::cl::value_desc("chip"),
      llvm::cl::desc(
          "Print what is known of a chip, as sm_90a, or of all (page: docs/compiler/machine.md)"));
  static llvm::cl::opt<bool> formats(
      "format", llvm::cl::desc("Print the text in shape: blanks and line ends alone are changed"));
  llvm::cl::SetVersionPrinter(
      [](raw_ostream &os) { os << "tile-opt " << tileVersionGet() << '\n'; });
  auto [input, output] = registerAndParseCLIOptions(count, words, "tile optimizer\n", registry);
  int status = 1;
  if (describeMachine(machine, &status)) return status;
  if (formats) return format(input, output, write) ? 0 : 1;
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(count, words, input, output, registry));
  return optimize(input, output, registry, write) ? 0 : 1;
}
