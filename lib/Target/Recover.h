//===- Recover.h - going on after an LLVM fatal error ---------------------===//
//
// LLVM ends the process on what its backends cannot select or encode. Here such an error becomes a
// message: the work runs under a mark on this thread's stack, and the installed handler returns
// there instead of to LLVM (as LLVM's own CrashRecoveryContext does). What the interrupted frames
// owned is lost; nothing they were building may be used again.
//===----------------------------------------------------------------------===//
#ifndef TILE_TARGET_RECOVER_H
#define TILE_TARGET_RECOVER_H

#include "mlir-c/IR.h"
#include "llvm-c/Error.h"
#include "llvm-c/Types.h"

/// Runs `work(context)`. An LLVM fatal error in it is reported at `loc`, makes the result failure
/// and sets `*lost`: what the work had made is in no state to be destroyed.
MlirLogicalResult tileTargetRun(MlirLocation loc, MlirLogicalResult (*work)(void *context),
                                void *context, bool *lost);

/// Where the diagnostics of an LLVM context go.
typedef struct TileLLVMErrors {
  MlirLocation loc;
  bool failed;
} TileLLVMErrors;

/// Reports errors of `llvm` through `errors`, which must live as long as the context. Without a
/// handler LLVM would print them and exit.
void tileTargetCaptureErrors(LLVMContextRef llvm, TileLLVMErrors *errors);

/// Reports `error` at `loc` and consumes it; success when there is none.
MlirLogicalResult tileTargetCheck(MlirLocation loc, LLVMErrorRef error);

/// Reports `expected <what>, found <text>` at `loc`; always failure.
MlirLogicalResult tileTargetFail(MlirLocation loc, const char *what, const char *text);

#endif // TILE_TARGET_RECOVER_H
