//===- tile-lsp-server.c - completion, hover and diagnostics in editors ---===//
#include "tile/Support/Process.h"
#include "tile/Tools.h"

int main(int argc, char **argv) {
  tileProcessBegin("tile-lsp-server");
  return tileLspMain(argc, argv);
}
