//===- TilePasses.cpp - passes and pipelines, registered ------------------===//
//
// The pass classes are generated (passes.jq); each calls its C body.
//
//===----------------------------------------------------------------------===//
#include "PassDialects.h"
#include "Tile.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "tile/Conversion/Pipelines.h"
#include "tile/Passes.h"
#include "tile/Tile.h"
#include "tile/Trace.h"
using namespace mlir;

namespace tile {
namespace {
/// Says which pass runs on this thread, while it does; and, where that pass is traced, whether it
/// changed what it ran on.
class TraceScope {
public:
  TraceScope(const char *pass, Operation *op) : op(op), outer(tileTraceSetPass(pass)) {
    if (!tileTraceIsOn()) return;
    before.emplace(op);
    opsBefore = countOps();
  }
  ~TraceScope() { tileTraceSetPass(outer); }
  /// To be called behind the pass.
  void report() const {
    if (!before) return;
    std::string name = "the module";
    if (auto symbol = dyn_cast<SymbolOpInterface>(op))
      if (StringAttr text = symbol.getNameAttr()) name = "@" + text.str();
    if (*before == OperationFingerPrint(op))
      tileTrace(wrap(op->getLoc()), "pass leaves %s as it is", name.c_str());
    else
      tileTrace(wrap(op->getLoc()), "pass changes %s: %d ops become %d", name.c_str(), opsBefore,
                countOps());
  }

private:
  int countOps() const {
    int count = 0;
    op->walk([&](Operation *) { ++count; });
    return count;
  }
  Operation *op;
  const char *outer;
  std::optional<OperationFingerPrint> before;
  int opsBefore = 0;
};
/// Wrong code that a pass of ours made is an error there, with its place, also in a manager that
/// does not verify: this takes a tenth of a millisecond for a kernel of tiles.
bool isValid(Operation *op, const char *pass) {
  if (succeeded(verify(op))) return true;
  op->emitError("expected ") << pass << " to make valid code, found the error above";
  return false;
}
} // namespace
#include "PassGlue.inc"

namespace {
struct ToNVVM : PassPipelineOptions<ToNVVM> {
  Option<std::string> arch{*this, "arch",
                           llvm::cl::desc("chip, as sm_90a; none: the module's own, or sm_90a"),
                           llvm::cl::init("")};
  Option<int64_t> numWarps{*this, "num-warps",
                           llvm::cl::desc("warps a program; 0: the kernel's own, or 4"),
                           llvm::cl::init(0)};
  Option<int64_t> numStages{*this, "num-stages",
                            llvm::cl::desc("pipelining depth; 0: by shared memory"),
                            llvm::cl::init(0)};
};
struct ToCPU : PassPipelineOptions<ToCPU> {
  Option<int64_t> vectorBits{
      *this, "vector-bits", llvm::cl::desc("width of vectors; 0: ask the host"), llvm::cl::init(0)};
  Option<bool> check{*this, "check", llvm::cl::desc("test accesses at run time"),
                     llvm::cl::init(false)};
  Option<bool> trace{*this, "trace", llvm::cl::desc("print one program's values"),
                     llvm::cl::init(false)};
};

void registerPipelines() {
  PassPipelineRegistration<ToNVVM>("tile-to-nvvm",
                                   "Lower tile kernels to the llvm and nvvm dialects",
                                   [](OpPassManager &pm, const ToNVVM &o) {
                                     TileToNVVMOptions options = {};
                                     options.arch = wrap(StringRef(o.arch));
                                     options.numWarps = o.numWarps;
                                     options.numStages = o.numStages;
                                     options.stage = TILE_STAGE_NVVM;
                                     (void)unwrap(tileBuildToNVVM(wrap(&pm), &options));
                                   });
  PassPipelineRegistration<ToCPU>("tile-to-cpu",
                                  "Lower tile kernels to the llvm dialect for the host",
                                  [](OpPassManager &pm, const ToCPU &o) {
                                    TileToCPUOptions options = {};
                                    options.vectorBits = o.vectorBits;
                                    options.check = o.check;
                                    options.trace = o.trace;
                                    options.stage = TILE_STAGE_NVVM;
                                    (void)unwrap(tileBuildToCPU(wrap(&pm), &options));
                                  });
}
} // namespace
} // namespace tile

void tileRegisterPasses(void) {
  static bool once = (tile::registerTilePasses(), tile::registerPipelines(), true);
  (void)once;
}
