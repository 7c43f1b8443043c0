//===- Programs.h - the mains of the tools, by name -----------------------===//
//
// A tool is a function of one of these names. Its program calls it at once (Main.c), or loads
// tile-run.so, which lies beside it, and calls it there: so does tile-run (RunStart.c), and so do
// all in packages, where that library holds MLIR and LLVM once for all of them (RestMain.c).
//===----------------------------------------------------------------------===//
#ifndef TILE_TOOLS_PROGRAMS_H
#define TILE_TOOLS_PROGRAMS_H

typedef int TileProgramMain(int argc, char **argv);

TileProgramMain tileOptProgram, tileLspProgram, tileRunMain;

/// The function `name` of tile-run.so beside this program; NULL after a message.
TileProgramMain *tileRestFind(const char *name);

#endif // TILE_TOOLS_PROGRAMS_H
