//===- Hash.h - uthash, as tile takes it ------------------------*- C -*-===//
//
// uthash ends a process that has no memory by exit(-1), without a word. Here it ends as it does
// everywhere in tile: with a line, by abort(), which the tools turn into status 1
// (tile/Support/Process.h).
//
//===----------------------------------------------------------------------===//
#ifndef TILE_HASH_H
#define TILE_HASH_H

#include <stdio.h>
#include <stdlib.h>

#define uthash_fatal(message) (fputs("tile: " message " for a table\n", stderr), abort())
#include <uthash.h>

#endif // TILE_HASH_H
