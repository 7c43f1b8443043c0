//===- RestMain.c - the main of a tool that is in tile-run.so -------------===//
#include "Programs.h"

int main(int argc, char **argv) {
  TileProgramMain *run = tileRestFind(TILE_MAIN_NAME);
  return run ? run(argc, argv) : 1;
}
