//===- Programs.h - the mains of the tools, by name -----------------------===//
//
// A tool is a function of one of these names. Its program (RestMain.c; of tile-run, RunStart.c)
// loads one of two libraries, and calls it there:
//
//   ../lib/tile-static.so   holds MLIR and LLVM; where tile is built, and nowhere else
//   tile-run.so             asks for their shared libraries, whose names take 20 ms to look up; in
//                           Debian packages it holds them
//===----------------------------------------------------------------------===//
#ifndef TILE_TOOLS_PROGRAMS_H
#define TILE_TOOLS_PROGRAMS_H

typedef int TileProgramMain(int argc, char **argv);

TileProgramMain tileOptProgram, tileLspProgram, tileRunMain;

/// The function `name` of that library; NULL after a message.
TileProgramMain *tileRestFind(const char *name);

#endif // TILE_TOOLS_PROGRAMS_H
