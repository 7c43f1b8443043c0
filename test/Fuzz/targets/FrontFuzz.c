//===- FrontFuzz.c - sessions of an editor, through tile's own server -----===//
//
// As MessageFuzz, but with what stands before MLIR's server (lib/Editor): it keeps the texts, adds
// to answers, and starts the child again that a message ends, or that does not answer (an id that
// is no request's, say) for half a second. Each input takes a few processes.
//
// What is covered depends on how the output of these processes comes, in one piece or two, and on
// how long they take. With FUZZ_SAME=1 no changed input is kept for what it covers, so that those
// of a run are the same each time.
//
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "tile/Editor.h"
#include "tile/Tools.h"

enum { MAX_CHILDREN = 1024 };

static bool isSame, isChanged;

/// libFuzzer's own changes; not there in Replay.c.
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed) {
  (void)seed;
  isChanged = true;
  return LLVMFuzzerMutate(data, size, capacity);
}

/// The processes that this one has started and not waited for, as text. There may be one before a
/// session: the sanitizers look names up in a process of their own. Empty where the system does not
/// tell.
static void listChildren(char *list) {
  int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? 0 : read(file, list, MAX_CHILDREN - 1);
  list[size > 0 ? size : 0] = 0;
  if (file >= 0) close(file);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  const char *same = getenv("FUZZ_SAME");
  isSame = same && !strcmp(same, "1");
  silenceOutput();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char name[] = "tile-lsp-server", style[32], log[] = "--log=error", wait[] = "--patience=500";
  char before[MAX_CHILDREN], after[MAX_CHILDREN];
  snprintf(style, sizeof style, "%s", beginSession(data, size));
  char *arguments[] = {name, style, log, wait, NULL};
  tileLspBegin();
  listChildren(before);
  tileEditorMain(4, arguments, tileLspMain);
  listChildren(after);
  expect(!strcmp(before, after), "no process that is left over");
  return isSame && isChanged ? -1 : 0;
}
