//===- Recover.c - going on after an LLVM fatal error ---------------------===//
#include "Recover.h"
#include "mlir-c/Diagnostics.h"
#include "llvm-c/Core.h"
#include "llvm-c/Error.h"
#include "llvm-c/ErrorHandling.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/// One call of tileTargetRun on this thread's stack.
typedef struct Mark {
  jmp_buf place;
  struct Mark *outer;
  char message[512];
} Mark;

static _Thread_local Mark *innermost;

/// Returning from here lets LLVM end the process: only where none of our calls is under way.
static void onFatalError(const char *reason) {
  Mark *mark = innermost;
  if (!mark) return;
  snprintf(mark->message, sizeof mark->message, "%s", reason);
  longjmp(mark->place, 1);
}

static void installHandler(void) { LLVMInstallFatalErrorHandler(onFatalError); }

MlirLogicalResult tileTargetRun(MlirLocation loc, MlirLogicalResult (*work)(void *context),
                                void *context, bool *lost) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, installHandler);
  Mark mark = {.outer = innermost};
  *lost = false;
  if (setjmp(mark.place)) {
    innermost = mark.outer;
    *lost = true;
    return tileTargetFail(loc, "code that LLVM can compile for this target", mark.message);
  }
  innermost = &mark;
  MlirLogicalResult result = work(context);
  innermost = mark.outer;
  return result;
}

static void onDiagnostic(LLVMDiagnosticInfoRef info, void *context) {
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
  TileLLVMErrors *errors = context;
  errors->failed = true;
  char *text = LLVMGetDiagInfoDescription(info);
  tileTargetFail(errors->loc, "code that LLVM can compile for this target", text);
  LLVMDisposeMessage(text);
}

void tileTargetCaptureErrors(LLVMContextRef llvm, TileLLVMErrors *errors) {
  LLVMContextSetDiagnosticHandler(llvm, onDiagnostic, errors);
}

MlirLogicalResult tileTargetCheck(MlirLocation loc, LLVMErrorRef error) {
  if (!error) return mlirLogicalResultSuccess();
  char *text = LLVMGetErrorMessage(error);
  tileTargetFail(loc, "LLVM to accept this module", text);
  LLVMDisposeErrorMessage(text);
  return mlirLogicalResultFailure();
}

MlirLogicalResult tileTargetFail(MlirLocation loc, const char *what, const char *text) {
  char message[1024];
  snprintf(message, sizeof message, "expected %s, found: %s", what, text);
  mlirEmitError(loc, message);
  return mlirLogicalResultFailure();
}
