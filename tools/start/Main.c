//===- Main.c - the main of a tool that is a program of its own -----------===//
#include "Programs.h"

int main(int argc, char **argv) { return TILE_MAIN(argc, argv); }
