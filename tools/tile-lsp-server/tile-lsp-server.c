//===- tile-lsp-server.c - completion, hover and diagnostics in editors ---===//
#include "../start/Programs.h"
#include "tile/Editor.h"
#include "tile/Support/Process.h"
#include "tile/Tools.h"

int tileLspProgram(int argc, char **argv) {
  tileProcessBegin("tile-lsp-server");
  tileProcessRunNoPrograms();
  tileLspBegin();
  return tileEditorMain(argc, argv, tileLspMain);
}
