//===- tile-lsp-server.c - completion, hover and diagnostics in editors ---===//
#include "tile/Tools.h"

int main(int argc, char **argv) { return tileLspMain(argc, argv); }
