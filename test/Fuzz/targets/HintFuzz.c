//===- HintFuzz.c - hints for mistakes in texts ---------------------------===//
//
// Each error of a text is looked up, with the place that it has; and each kind of message that has
// hints, at a place that follows from the text, as if MLIR had said it there.
//
//===----------------------------------------------------------------------===//
#include "TextMutator.h"
#include "mlir-c/Diagnostics.h"
#include "tile/IR.h"
#include "tile/Support/Hints.h"
#include "tile/Support/Source.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  beginTexts(*argc, *argv);
  return 0;
}

typedef struct {
  MlirContext context;
  MlirStringRef text;
} Input;

static void look(const Input *input, size_t offset, const char *message) {
  TileText hint = {0};
  bool found = tileHintFind(input->context, input->text, offset, tileString(message), &hint);
  expect(found == (hint.size > 0), "a hint where one is found, and else none");
  free(hint.data);
}

/// The byte of a place; the end of the text, and what is behind it, for one that is not there.
static size_t offsetOf(MlirStringRef text, int line, int column) {
  size_t at = 0;
  for (; line > 1 && at < text.length; --line) {
    while (at < text.length && text.data[at] != '\n') ++at;
    ++at;
  }
  return at + (column > 0 ? (size_t)column - 1 : 0);
}

static MlirLogicalResult lookUp(MlirDiagnostic diagnostic, void *data) {
  const Input *input = data;
  TileSourcePlace place;
  TileText message = {0};
  tileTextAdd(&message, "");
  mlirDiagnosticPrint(diagnostic, tileTextCollect, &message);
  if (tileSourceFind(mlirDiagnosticGetLocation(diagnostic), &place))
    look(input, offsetOf(input->text, place.line, place.column), message.data);
  free(message.data);
  return mlirLogicalResultSuccess();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const messages[] = {
      "use of undeclared SSA value name",
      "custom op 'tile.laod' is unknown",
      "undefined symbol alias id 'prts'",
      "expected ::mlir::arith::CmpIPredicate to be one of: eq, ne, slt",
      "expected the name of a kernel, found 'ad'",
      "use of value '%n' expects different type than prior uses: 'tensor<4xi32>' vs 'i32'",
  };
  Input input = {mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false),
                 mlirStringRefCreate((const char *)data, size)};
  mlirContextAttachDiagnosticHandler(input.context, lookUp, &input, NULL);
  MlirModule module = tileParse(input.context, input.text, tileString("-"));
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  unsigned sum = 0;
  for (size_t i = 0; i < size; ++i) sum = 31 * sum + data[i];
  for (size_t i = 0; i < sizeof messages / sizeof *messages; ++i)
    look(&input, size ? (sum + 7919 * i) % (size + 1) : 0, messages[i]);
  mlirContextDestroy(input.context);
  return 0;
}
