//===- TextMutator.h - libFuzzer's inputs as texts of kernels ---*- C -*-===//
//
// The changes are Mutation.h's; which texts are kept, coverage decides. The files of the folders on
// the command line are where tokens and lines of other texts come from.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_FUZZ_TEXT_MUTATOR_H
#define TILE_FUZZ_TEXT_MUTATOR_H

#include "../Mutation.h"
#include "Target.h"
#include <ftw.h>

static Corpus corpus;
static Mutation mutation;

static int readEntry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)place;
  const char *end = strrchr(path, '.');
  if (kind == FTW_F && end && !strcmp(end, ".mlir")) readCorpusFile(&corpus, path);
  return 0;
}

/// Of each folder that libFuzzer is given.
static void readFolders(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) nftw(argv[i], readEntry, 16, FTW_PHYS);
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
