//===- Suggest.c - the closest of some words ------------------------------===//
#include "tile/Support/Suggest.h"
#include <argp.h>
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MISTAKE = 2, OTHER_CASE = 1 };

static size_t changeCost(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b) ? 0 : MISTAKE;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t tileSuggestDistance(const char *a, size_t lengthA, const char *b, size_t lengthB) {
  if (lengthA > TILE_SUGGEST_MAX || lengthB > TILE_SUGGEST_MAX) return SIZE_MAX;
  // Of the table of all beginnings of both words, the row of i, and those of i - 1 and i - 2.
  size_t rows[3][TILE_SUGGEST_MAX + 1];
  for (size_t j = 0; j <= lengthB; ++j) rows[0][j] = j * MISTAKE;
  for (size_t i = 1; i <= lengthA; ++i) {
    size_t *now = rows[i % 3], *before = rows[(i - 1) % 3];
    const size_t *twoBefore = rows[(i + 1) % 3];
    now[0] = i * MISTAKE;
    for (size_t j = 1; j <= lengthB; ++j) {
      now[j] = least(before[j - 1] + changeCost(a[i - 1], b[j - 1]),
                     least(before[j], now[j - 1]) + MISTAKE);
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = least(now[j], twoBefore[j - 2] + MISTAKE);
    }
  }
  size_t cost = rows[lengthA % 3][lengthB];
  bool sameLetters = !cost && memcmp(a, b, lengthA) != 0;
  return sameLetters ? OTHER_CASE : cost;
}

TileSuggestion tileSuggestionFor(const char *found, size_t length) {
  size_t mistakes = length < 3 ? 1 : length / 3;
  return (TileSuggestion){.found = found, .length = length, .cost = mistakes * MISTAKE};
}

void tileSuggestionOffer(TileSuggestion *s, const char *word, size_t length) {
  size_t cost = tileSuggestDistance(s->found, s->length, word, length);
  bool isBetter = s->best[0] ? cost < s->cost : cost <= s->cost;
  // A word of one letter is no mistake for another one; x is for X.
  if (!isBetter || !cost || !length || !s->length || (s->length == 1 && cost >= MISTAKE)) return;
  s->cost = cost;
  memcpy(s->best, word, length);
  s->best[length] = 0;
}

const char *tileSuggestionGet(const TileSuggestion *s) { return s->best[0] ? s->best : NULL; }

TileSuggestionText tileSuggestionSay(const TileSuggestion *s) {
  TileSuggestionText result = {""};
  if (s->best[0]) snprintf(result.text, sizeof result.text, "; did you mean '%s'?", s->best);
  return result;
}

//===- options ------------------------------------------------------------===//

/// Does `word` begin an option of the parser? All of them are offered.
static bool offerOptions(const struct argp *parser, const char *word, size_t length,
                         TileSuggestion *s) {
  bool known = false;
  for (const struct argp_option *o = parser->options; o && (o->name || o->key || o->doc); ++o) {
    if (!o->name) continue;
    known |= !strncmp(o->name, word, length);
    tileSuggestionOffer(s, o->name, strlen(o->name));
  }
  for (const struct argp_child *c = parser->children; c && c->argp; ++c)
    known |= offerOptions(c->argp, word, length, s);
  return known;
}

const char *tileSuggestOption(const struct argp *parser, int argc, char *const *argv,
                              TileSuggestion *s) {
  static const struct argp_option own[] = {{"help", '?', NULL, 0, "", 0},
                                           {"usage", 1, NULL, 0, "", 0},
                                           {"version", 'V', NULL, 0, "", 0},
                                           {0}};
  const struct argp argps = {.options = own};
  for (int i = 1; i < argc && strcmp(argv[i], "--"); ++i) {
    if (strncmp(argv[i], "--", 2)) continue;
    const char *word = argv[i] + 2;
    size_t length = strcspn(word, "=");
    *s = tileSuggestionFor(word, length);
    bool known = offerOptions(parser, word, length, s);
    known |= offerOptions(&argps, word, length, s);
    if (!known) return argv[i];
  }
  return NULL;
}

bool tileSuggestTellOption(const char *program, const struct argp *parser, int argc,
                           char *const *argv) {
  TileSuggestion suggestion;
  const char *option = tileSuggestOption(parser, argc, argv, &suggestion);
  if (!option || !tileSuggestionGet(&suggestion)) return false;
  fprintf(stderr, "%s: unrecognized option '%s'; did you mean '--%s'?\n", program, option,
          tileSuggestionGet(&suggestion));
  fprintf(stderr, "Try `%s --help' or `%s --usage' for more information.\n", program, program);
  return true;
}
