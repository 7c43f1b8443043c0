//===- TextMutator.h - libFuzzer's inputs as texts of kernels ---*- C -*-===//
//
// The changes are Mutation.h's; which texts are kept, coverage decides. The files of the folders on
// the command line, and of --texts=FOLDER, are where tokens and lines of other texts come from.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_FUZZ_TEXT_MUTATOR_H
#define TILE_FUZZ_TEXT_MUTATOR_H

#include "../Mutation.h"
#include "Target.h"
#include "mlir-c/IR.h"
#include "tile/Tile.h"
#include <fts.h>

static Corpus corpus;
static Mutation mutation;
/// What texts are parsed with.
static MlirDialectRegistry registry;

static int byName(const FTSENT **a, const FTSENT **b) {
  return strcmp((*a)->fts_name, (*b)->fts_name);
}

/// In the order of their names: that of the folder is each file system's own.
static void readFolder(char *folder) {
  char *folders[] = {folder, NULL};
  FTS *tree = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, byName);
  for (FTSENT *entry; tree && (entry = fts_read(tree));) {
    const char *end = strrchr(entry->fts_name, '.');
    if (entry->fts_info == FTS_F && end && !strcmp(end, ".mlir"))
      readCorpusFile(&corpus, entry->fts_path);
  }
  if (tree) fts_close(tree);
}

/// To be called first, with what libFuzzer is given.
static void beginTexts(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) readFolder(argv[i] + (strncmp(argv[i], "--texts=", 8) ? 0 : 8));
  registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed) {
  if (size > MAX_TEXT) size = MAX_TEXT;
  mutation.corpus = &corpus;
  mutation.random = seed;
  mutation.now.length = 0;
  appendText(&mutation.now, (const char *)data, size);
  // With nothing to begin with, a file that is there.
  if (size < 2 && corpus.count) mutation.now = corpus.files[pick(&mutation, corpus.count)];
  bool isGentle = pick(&mutation, 2);
  do {
    if (isGentle || !corpus.count)
      changeGently(&mutation);
    else
      change(&mutation);
  } while (pick(&mutation, 2) && mutation.now.length);
  size = mutation.now.length < capacity ? mutation.now.length : capacity;
  memcpy(data, mutation.now.text, size);
  return size;
}

#endif // TILE_FUZZ_TEXT_MUTATOR_H
