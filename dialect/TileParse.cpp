//===- TileParse.cpp - calling MLIR's parsers on text of strangers --------===//
#include "TileParse.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "tile/Source.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <csignal>
#include <vector>
using namespace mlir;

/// The handlers of a CrashRecoveryContext run on the stack of what crashed, which may be what is
/// used up: gives them one of their own.
class HandlerStack {
public:
  HandlerStack() {
    stack_t own = {};
    own.ss_sp = memory.data();
    own.ss_size = memory.size();
    sigaltstack(&own, &former);
    for (int number : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE}) {
      struct sigaction action;
      if (sigaction(number, nullptr, &action)) continue;
      action.sa_flags |= SA_ONSTACK;
      sigaction(number, &action, nullptr);
    }
  }
  ~HandlerStack() { sigaltstack(&former, nullptr); }

private:
  std::vector<char> memory = std::vector<char>(256 << 10);
  stack_t former;
};

/// Some parsers of MLIR's own dialects go on after their errors, with what is not there (22.1:
/// linalg.transpose whose permutation is no list of integers). False where `work` ended that way.
static bool survive(llvm::function_ref<void()> work) {
  llvm::CrashRecoveryContext::Enable();
  bool ok;
  {
    HandlerStack stack;
    llvm::CrashRecoveryContext recovery;
    ok = recovery.RunSafely(work);
  }
  llvm::CrashRecoveryContext::Disable();
  return ok;
}

bool tile::parseSafely(MLIRContext *context, StringRef text, StringRef name,
                       llvm::function_ref<void()> parser) {
  // Bytecode has no brackets.
  int line = 1, column = 1;
  if (!isBytecode(llvm::MemoryBufferRef(text, name)) &&
      tileSourceIsTooDeep(text.data(), text.size(), &line, &column)) {
    emitError(FileLineColLoc::get(context, name, line, column), "expected at most ")
        << static_cast<int>(TILE_MAX_NESTING) << " brackets within each other, found more";
    return false;
  }
  if (survive(parser)) return true;
  emitError(FileLineColLoc::get(context, name, 1, 1),
            "expected text that MLIR's parsers take, found some at which one of them crashes");
  return false;
}
