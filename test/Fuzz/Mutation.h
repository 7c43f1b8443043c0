//===- Mutation.h - texts that are almost programs --------------*- C -*-===//
//
// Takes one of the given files and changes a few of its bytes and tokens. What comes out depends on
// the files and a seed alone:
//
//   %v = tile.load %p, %m : tensor<64x!tile.ptr<f32>>
//   %v = tile.load %p, %p : tensor<64x!tile.ptr<f32>>       a name for another
//   %v = tile.load %p, %m : tensor<1000x!tile.ptr<f32>>     a number, here or everywhere
//   %v = tile.load %p %m : tensor<64x!tile.ptr<f32>>        a token less
//
// Most texts are refused by the parser or a verifier. Changes made everywhere in a text (64 to
// 1000, f16 to f64) keep it well typed and reach the passes.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_MUTATION_H
#define TILE_TEST_MUTATION_H

#include "../Support/SplitMix64.h"
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 1024, MAX_TEXT = 1 << 17, MAX_TOKENS = 1 << 15, MAX_LINES = 1 << 12 };

/// Part of a text.
typedef struct {
  size_t at, length;
} Span;

typedef struct {
  char text[MAX_TEXT];
  size_t length;
} Text;

/// The files to begin with, without comments, which nothing reads.
typedef struct {
  Text files[MAX_FILES];
  size_t count;
} Corpus;

typedef struct {
  const Corpus *corpus;
  uint64_t random;
  Text now, before;
  Span tokens[MAX_TOKENS], lines[MAX_LINES];
  size_t numTokens, numLines;
} Mutation;

//===- randomness ---------------------------------------------------------===//

static inline uint64_t nextRandom(Mutation *m) { return splitMix64(&m->random); }

/// Less than `count`; 0 where that is 0.
static inline size_t pick(Mutation *m, size_t count) {
  uint64_t r = nextRandom(m);
  return count ? (size_t)(r % count) : 0;
}

//===- texts --------------------------------------------------------------===//

static inline void appendText(Text *t, const char *data, size_t length) {
  if (length > MAX_TEXT - t->length) length = MAX_TEXT - t->length;
  memcpy(t->text + t->length, data, length);
  t->length += length;
}

/// Reads a file, but for lines of comment. False where it cannot.
static inline bool readCorpusFile(Corpus *c, const char *path) {
  FILE *file = c->count < MAX_FILES ? fopen(path, "r") : NULL;
  if (!file) return false;
  Text *t = &c->files[c->count++];
  char *line = NULL;
  size_t capacity = 0;
  for (ssize_t length; (length = getline(&line, &capacity, file)) > 0;)
    if (strncmp(line + strspn(line, " "), "//", 2)) appendText(t, line, (size_t)length);
  free(line);
  fclose(file);
  return true;
}

static inline bool isNameByte(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/// The length of the token at `at`: a number, a name with its sigil, a string, or one byte. The `x`
/// between extents is a token of its own.
static inline size_t measureToken(const Text *t, size_t at, bool afterNumber) {
  size_t end = at + 1;
  char c = t->text[at];
  if (isdigit((unsigned char)c)) {
    while (end < t->length && isdigit((unsigned char)t->text[end])) ++end;
  } else if (c == '"') {
    while (end < t->length && t->text[end] != '"' && t->text[end] != '\n') ++end;
    end += end < t->length;
  } else if ((isNameByte(c) && !(afterNumber && c == 'x')) || strchr("%@!#^", c)) {
    while (end < t->length && isNameByte(t->text[end])) ++end;
  }
  return end - at;
}

/// Finds the tokens and the lines of `t`.
static inline void scan(Mutation *m, const Text *t) {
  m->numTokens = m->numLines = 0;
  size_t line = 0;
  for (size_t at = 0, numberEnd = SIZE_MAX; at < t->length;) {
    char c = t->text[at];
    if (c == '\n' && m->numLines < MAX_LINES) {
      m->lines[m->numLines++] = (Span){line, at + 1 - line};
      line = at + 1;
    }
    size_t length = isspace((unsigned char)c) ? 1 : measureToken(t, at, numberEnd == at);
    if (!isspace((unsigned char)c) && m->numTokens < MAX_TOKENS)
      m->tokens[m->numTokens++] = (Span){at, length};
    at += length;
    if (isdigit((unsigned char)c)) numberEnd = at;
  }
}

/// Puts `length` bytes of `data` (not of m->now) in the place of a span.
static inline void replace(Mutation *m, Span span, const char *data, size_t length) {
  memcpy(m->before.text, m->now.text, m->now.length);
  m->before.length = m->now.length;
  m->now.length = span.at;
  appendText(&m->now, data, length);
  size_t rest = span.at + span.length;
  appendText(&m->now, m->before.text + rest, m->before.length - rest);
}

//===- choosing tokens ----------------------------------------------------===//

typedef enum { ANY, NUMBER, TYPE, NAME, WORD } Kind;

static inline bool isType(const char *text, size_t length) {
  char c = length > 1 ? text[0] : 0;
  if (c == 'b' && length > 2 && text[1] == 'f') return true;
  return (c == 'i' || c == 'f') && isdigit((unsigned char)text[1]);
}

static inline bool isOfKind(const char *text, size_t length, Kind kind) {
  switch (kind) {
  case ANY:
    return true;
  case NUMBER:
    return isdigit((unsigned char)text[0]);
  case TYPE:
    return isType(text, length);
  case NAME:
    return text[0] == '%' && length > 1;
  case WORD:
    return isalpha((unsigned char)text[0]) && length > 1;
  }
  return false;
}

/// A random token of the kind in the text that was scanned last; false where there is none.
static inline bool pickToken(Mutation *m, const Text *t, Kind kind, Span *token) {
  size_t start = pick(m, m->numTokens);
  for (size_t i = 0; i < m->numTokens; ++i) {
    *token = m->tokens[(start + i) % m->numTokens];
    if (isOfKind(t->text + token->at, token->length, kind)) return true;
  }
  return false;
}

static const char *const edgeNumbers[] = {"0",
                                          "1",
                                          "2",
                                          "3",
                                          "4",
                                          "5",
                                          "7",
                                          "8",
                                          "15",
                                          "16",
                                          "24",
                                          "31",
                                          "32",
                                          "33",
                                          "48",
                                          "64",
                                          "96",
                                          "100",
                                          "127",
                                          "128",
                                          "255",
                                          "256",
                                          "1000",
                                          "1024",
                                          "4096",
                                          "65535",
                                          "65536",
                                          "1048576",
                                          "2147483647",
                                          "2147483648",
                                          "-1",
                                          "4294967295",
                                          "4294967296",
                                          "-2147483648",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "9223372036854775808",
                                          "18446744073709551616",
                                          "0.5",
                                          "1.0e400",
                                          "0x7F800000",
                                          "0xFFFFFFFFFFFFFFFF",
                                          "-0.0",
                                          "?",
                                          "*"};

static const char *const otherTypes[] = {"i1",
                                         "i8",
                                         "i16",
                                         "i32",
                                         "i64",
                                         "f16",
                                         "bf16",
                                         "f32",
                                         "f64",
                                         "f8E4M3FN",
                                         "f8E5M2",
                                         "i32",
                                         "i128",
                                         "i7",
                                         "si32",
                                         "f8E8M0FNU",
                                         "f4E2M1FN",
                                         "tf32",
                                         "f128",
                                         "index",
                                         "none",
                                         "complex<f32>",
                                         "!tile.ptr<f32>",
                                         "!tile.ptr<i1>",
                                         "!tile.ptr<!tile.ptr<f32>>",
                                         "tensor<f32>",
                                         "tensor<1xf32>",
                                         "tensor<?xf32>",
                                         "tensor<64x64xf16>",
                                         "tensor<1x1x1x1x1x1xi32>",
                                         "vector<4xf32>",
                                         "memref<?xf32>",
                                         "tuple<>",
                                         "!llvm.ptr",
                                         "(i32) -> i32"};

static inline const char *pickString(Mutation *m, const char *const *list, size_t count) {
  return list[pick(m, count)];
}

/// Of each list the first are what kernels have.
enum { USUAL_NUMBERS = 25, USUAL_TYPES = 12 };

static inline const char *pickInstead(Mutation *m, Kind kind, bool isUsual) {
  if (isUsual)
    return kind == NUMBER ? pickString(m, edgeNumbers, USUAL_NUMBERS)
                          : pickString(m, otherTypes, USUAL_TYPES);
  if (kind == NUMBER) return pickString(m, edgeNumbers, sizeof edgeNumbers / sizeof *edgeNumbers);
  return pickString(m, otherTypes, sizeof otherTypes / sizeof *otherTypes);
}

//===- changes ------------------------------------------------------------===//

static inline void deleteToken(Mutation *m) {
  Span token;
  if (pickToken(m, &m->now, ANY, &token)) replace(m, token, "", 0);
}

static inline void duplicateToken(Mutation *m) {
  Span token;
  if (!pickToken(m, &m->now, ANY, &token)) return;
  char copy[512];
  size_t length = token.length < sizeof copy ? token.length : sizeof copy;
  memcpy(copy, m->now.text + token.at, length);
  replace(m, (Span){token.at, 0}, copy, length);
}

/// One token gets the text of another of the same kind, of this file or of another one.
static inline void copyToken(Mutation *m, Kind kind, bool foreign) {
  Span from, to;
  const Text *source = foreign ? &m->corpus->files[pick(m, m->corpus->count)] : &m->now;
  scan(m, source);
  if (!pickToken(m, source, kind, &from)) return;
  char copy[512];
  size_t length = from.length < sizeof copy ? from.length : sizeof copy;
  memcpy(copy, source->text + from.at, length);
  scan(m, &m->now);
  if (pickToken(m, &m->now, kind, &to)) replace(m, to, copy, length);
}

static inline void swapTokens(Mutation *m) {
  if (m->numTokens < 2) return;
  size_t first = pick(m, m->numTokens - 1), second = first + 1 + pick(m, 4);
  if (second >= m->numTokens) second = m->numTokens - 1;
  Span a = m->tokens[first], b = m->tokens[second];
  if (a.length + b.length > 256) return;
  char copy[512];
  memcpy(copy, m->now.text + a.at, a.length);
  memcpy(copy + 256, m->now.text + b.at, b.length);
  replace(m, b, copy, a.length);
  replace(m, a, copy + 256, b.length);
}

/// A number or type becomes another one, here or in all places.
static inline void changeToken(Mutation *m, Kind kind, bool everywhere, bool isUsual) {
  Span token;
  if (!pickToken(m, &m->now, kind, &token)) return;
  const char *instead = pickInstead(m, kind, isUsual);
  char old[64];
  if (token.length > sizeof old) return;
  memcpy(old, m->now.text + token.at, token.length);
  if (!everywhere) {
    replace(m, token, instead, strlen(instead));
    return;
  }
  for (size_t i = m->numTokens; i-- > 0;) {
    Span t = m->tokens[i];
    if (t.length == token.length && !memcmp(m->now.text + t.at, old, t.length))
      replace(m, t, instead, strlen(instead));
  }
}

static inline void changeLine(Mutation *m, bool remove, bool foreign) {
  if (!m->numLines) return;
  if (remove) {
    replace(m, m->lines[pick(m, m->numLines)], "", 0);
    return;
  }
  const Text *source = foreign ? &m->corpus->files[pick(m, m->corpus->count)] : &m->now;
  scan(m, source);
  if (!m->numLines) return;
  Span line = m->lines[pick(m, m->numLines)];
  char copy[1024];
  size_t length = line.length < sizeof copy ? line.length : sizeof copy;
  memcpy(copy, source->text + line.at, length);
  scan(m, &m->now);
  replace(m, (Span){m->lines[pick(m, m->numLines)].at, 0}, copy, length);
}

static inline void changeByte(Mutation *m) {
  if (!m->now.length) return;
  size_t at = pick(m, m->now.length), how = pick(m, 4);
  char byte = (char)pick(m, 256), flipped = (char)(m->now.text[at] ^ (1 << pick(m, 8)));
  if (how == 0) replace(m, (Span){at, 1}, "", 0);
  if (how == 1) replace(m, (Span){at, 0}, &byte, 1);
  if (how == 2) replace(m, (Span){at, 1}, &byte, 1);
  if (how == 3) replace(m, (Span){at, 1}, &flipped, 1);
}

static inline void change(Mutation *m) {
  scan(m, &m->now);
  switch (pick(m, 24)) {
  case 0:
    deleteToken(m);
    return;
  case 1:
    duplicateToken(m);
    return;
  case 2:
    swapTokens(m);
    return;
  case 3:
    changeByte(m);
    return;
  case 4:
    m->now.length = pick(m, m->now.length + 1);
    return;
  case 5:
    changeLine(m, true, false);
    return;
  case 6:
    changeLine(m, false, false);
    return;
  case 7:
    changeLine(m, false, true);
    return;
  case 8:
    copyToken(m, WORD, false);
    return;
  case 9:
    copyToken(m, WORD, true);
    return;
  case 10:
  case 11:
  case 12:
    copyToken(m, NAME, false);
    return;
  case 13:
    changeToken(m, TYPE, false, false);
    return;
  case 14:
  case 15:
  case 16:
    changeToken(m, TYPE, true, false);
    return;
  case 17:
  case 18:
  case 19:
    changeToken(m, NUMBER, true, false);
    return;
  default:
    changeToken(m, NUMBER, false, false);
    return;
  }
}

/// Changes that mostly leave a text well formed.
static inline void changeGently(Mutation *m) {
  scan(m, &m->now);
  size_t how = pick(m, 8);
  if (how < 4)
    changeToken(m, NUMBER, false, true);
  else if (how < 5)
    changeToken(m, NUMBER, true, true);
  else if (how < 7)
    changeToken(m, TYPE, true, true);
  else
    copyToken(m, NAME, false);
}

/// The text of this seed, in m->now.
static inline void mutate(Mutation *m, const Corpus *corpus, uint64_t seed) {
  m->corpus = corpus;
  m->random = seed;
  m->now = corpus->files[pick(m, corpus->count)];
  bool isGentle = pick(m, 2);
  // One change more often than two, and so on.
  do {
    if (isGentle)
      changeGently(m);
    else
      change(m);
  } while (pick(m, 2) && m->now.length);
}

#endif // TILE_TEST_MUTATION_H
