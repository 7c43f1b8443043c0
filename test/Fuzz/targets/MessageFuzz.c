//===- MessageFuzz.c - messages that are almost an editor's ---------------===//
//
// Each input is a session of tile-lsp-server: its standard input, messages either with their
// lengths before them, or (as tests have them) lines of dashes between.
//
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "tile/Tools.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  // What the server answers is of no interest; libFuzzer speaks on stderr.
  int nowhere = open("/dev/null", O_WRONLY);
  expect(nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0, "/dev/null");
  close(nowhere);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int input = memfd_create("session", 0);
  expect(input >= 0 && write(input, data, size) == (ssize_t)size, "room for the input");
  lseek(input, 0, SEEK_SET);
  dup2(input, STDIN_FILENO);
  close(input);
  rewind(stdin);
  bool framed = size > 8 && !memcmp(data, "Content-", 8);
  char name[] = "tile-lsp-server", style[32], log[] = "--log=error";
  snprintf(style, sizeof style, "--input-style=%s", framed ? "standard" : "delimited");
  char *arguments[] = {name, style, log, NULL};
  // The status says whether the session was ended as the protocol wants it.
  tileLspMain(3, arguments);
  return 0;
}
