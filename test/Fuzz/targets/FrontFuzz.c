//===- FrontFuzz.c - sessions of an editor, through tile's own server -----===//
//
// As MessageFuzz, but with what stands before MLIR's server (lib/Editor): it keeps the texts, adds
// to answers, and starts the child again that a message ends, or that does not answer (an id that
// is no request's, say) for half a second. Each input takes a few processes.
//
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "tile/Editor.h"
#include "tile/Tools.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  int nowhere = open("/dev/null", O_WRONLY);
  expect(nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0, "/dev/null");
  close(nowhere);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int input = memfd_create("session", MFD_CLOEXEC);
  expect(input >= 0 && write(input, data, size) == (ssize_t)size, "room for the input");
  lseek(input, 0, SEEK_SET);
  dup2(input, STDIN_FILENO);
  close(input);
  bool framed = size > 8 && !memcmp(data, "Content-", 8);
  char name[] = "tile-lsp-server", style[32], log[] = "--log=error", wait[] = "--patience=500";
  snprintf(style, sizeof style, "--input-style=%s", framed ? "standard" : "delimited");
  char *arguments[] = {name, style, log, wait, NULL};
  tileLspBegin();
  tileEditorMain(4, arguments, tileLspMain);
  expect(waitpid(-1, NULL, WNOHANG) < 0, "no process that is left over");
  return 0;
}
