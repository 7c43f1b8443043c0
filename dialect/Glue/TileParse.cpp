//===- TileParse.cpp - calling MLIR's parsers on text of strangers --------===//
#include "TileParse.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "tile/Support/Source.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <csignal>
#include <mutex>
#include <vector>
using namespace mlir;

/// LLVM's handlers of crashes, which the process has while at least one thread parses, and not a
/// moment longer: they are the host's signals. A crash in a thread that does not parse goes on to
/// the handlers that were there before.
class CrashHandlers {
public:
  CrashHandlers() {
    std::lock_guard<std::mutex> lock(mutex());
    if (users()++ == 0) install();
  }
  ~CrashHandlers() {
    std::lock_guard<std::mutex> lock(mutex());
    if (--users() == 0) llvm::CrashRecoveryContext::Disable();
  }

private:
  static std::mutex &mutex() {
    static std::mutex one;
    return one;
  }
  static int &users() {
    static int count = 0;
    return count;
  }
  /// They run on the stack of what crashed, which may be what is used up: so they ask for another.
  static void install() {
    llvm::CrashRecoveryContext::Enable();
    for (int number : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE}) {
      struct sigaction action;
      if (sigaction(number, nullptr, &action)) continue;
      action.sa_flags |= SA_ONSTACK;
      sigaction(number, &action, nullptr);
    }
  }
};

/// A stack of this thread's for handlers.
class HandlerStack {
public:
  HandlerStack() {
    stack_t own = {};
    own.ss_sp = memory.data();
    own.ss_size = memory.size();
    sigaltstack(&own, &former);
  }
  ~HandlerStack() { sigaltstack(&former, nullptr); }

private:
  std::vector<char> memory = std::vector<char>(256 << 10);
  stack_t former;
};

/// Some parsers of MLIR's own dialects go on after their errors, with what is not there (22.1:
/// linalg.transpose whose permutation is no list of integers). False where `work` ended that way.
static bool survive(llvm::function_ref<void()> work) {
  HandlerStack stack;
  CrashHandlers handlers;
  llvm::CrashRecoveryContext recovery;
  return recovery.RunSafely(work);
}

bool tile::parseSafely(MLIRContext *context, StringRef text, StringRef name,
                       llvm::function_ref<void()> parser) {
  // Bytecode has neither brackets nor digits.
  int line = 1, column = 1;
  const char *excess = isBytecode(llvm::MemoryBufferRef(text, name))
                           ? nullptr
                           : tileSourceFindExcess(text.data(), text.size(), &line, &column);
  if (excess) {
    emitError(FileLineColLoc::get(context, name, line, column), excess);
    return false;
  }
  if (survive(parser)) return true;
  emitError(FileLineColLoc::get(context, name, 1, 1),
            "expected text that MLIR's parsers take, found some at which one of them crashes");
  return false;
}
