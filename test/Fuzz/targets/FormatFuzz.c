//===- FormatFuzz.c - texts of any kind, put in shape ---------------------===//
//
// What is in shape stays as it is, byte for byte; and a text that can be parsed is the same module
// in shape.
//
//===----------------------------------------------------------------------===//
#include "TextMutator.h"
#include "mlir-c/Diagnostics.h"
#include "tile/IR.h"
#include "tile/Support/Format.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  beginTexts(*argc, *argv);
  return 0;
}

static MlirLogicalResult passOver(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic, (void)data;
  return mlirLogicalResultSuccess();
}

/// The module as the generic form prints it, without places; none where the text has mistakes.
static bool print(const char *text, size_t size, TileText *printed) {
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirContextAttachDiagnosticHandler(context, passOver, NULL, NULL);
  MlirModule module = tileParse(context, mlirStringRefCreate(text, size), tileString("-"));
  bool isRight = !mlirModuleIsNull(module);
  if (isRight) {
    MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
    mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags, tileTextCollect, printed);
    mlirOpPrintingFlagsDestroy(flags);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  return isRight;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  TileText once = {0}, twice = {0}, before = {0}, after = {0};
  int line = 0;
  tileTextAdd(&once, "");
  tileTextAdd(&twice, "");
  if (tileFormat(text, size, &once, &line)) {
    expect(tileFormat(once.data, once.size, &twice, &line), "a text in shape to be taken");
    expect(once.size == twice.size && !memcmp(once.data, twice.data, once.size),
           "a text in shape to stay as it is");
    if (print(text, size, &before)) {
      expect(print(once.data, once.size, &after), "a text in shape to be parsed");
      expect(before.size == after.size && !memcmp(before.data, after.data, before.size),
             "the same module in shape");
    }
  } else {
    expect(line > 0 && !once.size, "the line where brackets do not fit, and no text");
  }
  free(once.data);
  free(twice.data);
  free(before.data);
  free(after.data);
  return 0;
}
