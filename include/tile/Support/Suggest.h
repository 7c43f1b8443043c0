//===- Suggest.h - "did you mean" -------------------------------*- C -*-===//
//
//   TileSuggestion s = tileSuggestionFor("BLOK", 4);
//   for (..) tileSuggestionOffer(&s, name, length);
//   if (tileSuggestionGet(&s)) ... "; did you mean 'BLOCK'?" ...
//
// The closest of some words, by the number of letters that were left out, added, changed, or
// swapped with their neighbour (the restricted distance of Damerau and Levenshtein), in whatever
// case they are. A third of a word's letters may be wrong, as rustc has it. Of words that are as
// close as each other the first offered is taken. Plain C, without MLIR.
//===----------------------------------------------------------------------===//
#ifndef TILE_SUGGEST_H
#define TILE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Words longer than this are neither corrected nor suggested.
enum { TILE_SUGGEST_MAX = 120 };

typedef struct TileSuggestion {
  const char *found; ///< borrowed
  size_t length;
  /// What the best so far costs, in half mistakes; what costs more is not wanted.
  size_t cost;
  char best[TILE_SUGGEST_MAX + 1];
} TileSuggestion;

/// For a word that is none of those that will be offered.
TileSuggestion tileSuggestionFor(const char *found, size_t length);
void tileSuggestionOffer(TileSuggestion *suggestion, const char *word, size_t length);
/// The closest word, as long as `suggestion` lives; NULL where none is close.
const char *tileSuggestionGet(const TileSuggestion *suggestion);

/// "; did you mean 'BLOCK'?", or "" where nothing is close: the end of a message. As long as the
/// suggestion lives and is not asked again.
typedef struct TileSuggestionText {
  char text[TILE_SUGGEST_MAX + 32];
} TileSuggestionText;
TileSuggestionText tileSuggestionSay(const TileSuggestion *suggestion);

/// How far two words are from each other, in half mistakes; SIZE_MAX where one is too long.
size_t tileSuggestDistance(const char *a, size_t lengthA, const char *b, size_t lengthB);

struct argp;
/// The first word of a command line that looks like a long option ("--hlep") and neither is one of
/// the parser's (its children's, argp's own), nor begins one; NULL where there is none. The closest
/// of those that are is offered to `suggestion`.
const char *tileSuggestOption(const struct argp *parser, int argc, char *const *argv,
                              TileSuggestion *suggestion);
/// Says on stderr, as argp does, that `program` has no such option, and which was meant. False,
/// without a word, where all are known or none is close: argp's own message has only the first.
bool tileSuggestTellOption(const char *program, const struct argp *parser, int argc,
                           char *const *argv);

#ifdef __cplusplus
}
#endif
#endif // TILE_SUGGEST_H
