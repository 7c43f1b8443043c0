//===- MessageFuzz.c - messages that are almost an editor's ---------------===//
//
// Each input is a session of MLIR's language server with tile's dialects, as the front starts it.
//
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "tile/Tools.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  silenceOutput();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char name[] = "tile-lsp-server", style[32], log[] = "--log=error";
  snprintf(style, sizeof style, "%s", beginSession(data, size));
  rewind(stdin);
  char *arguments[] = {name, style, log, NULL};
  // The status says whether the session was ended as the protocol wants it.
  tileLspMain(3, arguments);
  return 0;
}
