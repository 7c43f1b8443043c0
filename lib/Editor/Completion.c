//===- Completion.c - what users write, where they write it ------------------===//
//
// MLIR's server offers what its parser expects at a place: ops, values, types, keywords. Here its
// answer loses the dialects that nobody writes in kernels, and gets what the parser does not tell
// of: symbols behind '@', meta-parameters where numbers stand. Each offer says which text it stands
// for: editors differ in what they take for a word ("tile.l", or "l").
//===----------------------------------------------------------------------===//
#include "Editor.h"
#include "tile/Support/Source.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The protocol's kinds of offers.
enum { KIND_FUNCTION = 3, KIND_CONSTANT = 21 };

static bool isOneOf(const char *word, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!strcmp(word, words[i])) return true;
  return false;
}

/// A dialect that kernels and host programs are not written in.
static bool isOthers(const json_t *item, const char *label) {
  static const char *const written[] = {"affine", "arith",  "builtin",   "cf",     "func",
                                        "index",  "linalg", "math",      "memref", "scf",
                                        "tensor", "tile",   "tile_host", "vector"};
  const char *detail = json_string_value(json_object_get(item, "detail"));
  if (!detail || strcmp(detail, "dialect") != 0) return false;
  return !isOneOf(label + strspn(label, "!#"), written, sizeof written / sizeof *written);
}

static int compareLabels(const void *left, const void *right) {
  const json_t *a = *(json_t *const *)left, *b = *(json_t *const *)right;
  const char *x = json_string_value(json_object_get(a, "label"));
  const char *y = json_string_value(json_object_get(b, "label"));
  return strcmp(x ? x : "", y ? y : "");
}

//===- what the parser does not tell of ---------------------------------------===//

static void offer(json_t *items, const char *name, size_t length, int kind, const char *detail) {
  json_array_append_new(items, json_pack("{s:s%,s:i,s:s,s:i}", "label", name, length, "kind", kind,
                                         "detail", detail, "insertTextFormat", 1));
}

static size_t measureWord(const char *word) {
  size_t length = 0;
  while (isalnum((unsigned char)word[length]) || (word[length] && strchr("_$", word[length])))
    ++length;
  return length;
}

/// Kernels and functions of the file.
static void offerSymbols(json_t *items, const char *text, size_t begin) {
  static const char word[] = "func ";
  for (const char *at = text; (at = strstr(at, word)); ++at) {
    const char *name = at + strlen(word);
    name += strncmp(name, "private ", 8) ? 0 : 8;
    size_t length = *name == '@' ? measureWord(name + 1) : 0;
    // But for the one that is being typed.
    if (length && name + 1 != text + begin) offer(items, name, length + 1, KIND_FUNCTION, "symbol");
  }
}

/// Adds those of one kernel, whose text is from `at` to `end`, to an object.
static void addMetas(json_t *metas, const char *at, const char *end) {
  static const char word[] = " meta {";
  at = memmem(at, (size_t)(end - at), word, strlen(word));
  if (!at) return;
  for (at += strlen(word); at < end && *at != '}';) {
    at += strspn(at, " \t\n,");
    size_t length = measureWord(at);
    if (length) json_object_setn_new(metas, at, length, json_true());
    at += length;
    while (at < end && *at != ',' && *at != '}') ++at;
  }
}

/// The meta-parameters of the kernel around `offset`, in a text whose brackets need not fit; for
/// the definition of an alias those of all kernels.
static void offerMetas(json_t *items, const char *text, size_t offset) {
  static const char word[] = "tile.func ";
  size_t line = offset;
  while (line && text[line - 1] != '\n') --line;
  bool isAlias = text[line] == '!' || text[line] == '#';
  json_t *metas = json_object(), *value;
  const char *name, *end = isAlias ? text + strlen(text) : text + offset;
  for (const char *at = strstr(text, word), *next; at && at < end; at = next) {
    next = strstr(at + 1, word);
    // Of another kernel than the one around it, nothing.
    if (!isAlias && next && next < end) continue;
    addMetas(metas, at, next && next < end ? next : end);
  }
  json_object_foreach(metas, name, value) {
    offer(items, name, strlen(name), KIND_CONSTANT, "meta-parameter");
  }
  json_decref(metas);
}

/// In the type of a tile, behind its elements: the names of extents (the parser does not tell).
static void offerDims(json_t *items, const char *text, size_t begin) {
  static const char dims[] = "#tile.dims";
  for (size_t length = 1; length <= 6; length += 5) { // "#", "#tile."
    bool isIt = begin >= length + 2 && !strncmp(text + begin - length, dims, length) &&
                !strncmp(text + begin - length - 2, ", ", 2);
    const char *name = length == 1 ? dims : "dims";
    if (isIt) offer(items, name, strlen(name), KIND_CONSTANT, "names of extents");
  }
}

/// Do numbers and names of extents stand where a word begins: behind an op, and not behind what
/// wants something else?
static bool wantsNumber(const char *text, size_t begin) {
  size_t line = begin, last = begin;
  while (line && text[line - 1] != '\n') --line;
  while (last > line && strchr(" \t", text[last - 1])) --last;
  if (last == line || strchr(":.@!#%^\"", text[begin - 1]) || text[last - 1] == ':') return false;
  if (text[last - 1] != '=') return true;
  size_t blanks = strspn(text + line, " \t");
  return !strncmp(text + line + blanks, "tile.grid", strlen("tile.grid"));
}

//===- the answer -------------------------------------------------------------===//

/// Says which text the offer stands for: the word that was begun, with the sign of its kind where
/// both have it.
static void setEdit(json_t *item, const char *text, size_t begin, size_t offset) {
  const char *label = json_string_value(json_object_get(item, "label"));
  const char *inserted = json_string_value(json_object_get(item, "insertText"));
  bool signs = strchr("%^@!#", *label) != NULL;
  size_t from = begin && signs && text[begin - 1] == *label ? begin - 1 : begin;
  json_object_set_new(item, "textEdit",
                      editorMakeEdit(text, from, offset, signs || !inserted ? label : inserted));
}

void editorComplete(Editor *e, const json_t *request, json_t *answer) {
  const json_t *params = json_object_get(request, "params");
  const char *uri =
      json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
  const char *text = editorGetText(e, uri), *op = NULL;
  json_t *result = json_object_get(answer, "result");
  json_t *items = json_is_array(result) ? result : json_object_get(result, "items");
  if (!text || !json_is_array(items)) return;
  size_t offset = editorFindOffset(text, json_object_get(params, "position"));
  size_t begin = tileWordFind(text, offset), prefix = editorFindOp(text, begin, &op);
  while (prefix && op[prefix - 1] != '.') --prefix;
  if (begin && text[begin - 1] == '@') {
    json_array_clear(items);
    offerSymbols(items, text, begin);
  }
  if (!json_array_size(items)) offerDims(items, text, begin);
  if (wantsNumber(text, begin)) offerMetas(items, text, begin);
  size_t count = json_array_size(items), kept = 0;
  json_t **sorted = calloc(count + 1, sizeof(json_t *));
  if (!sorted) abort();
  for (size_t i = 0; i < count; ++i) {
    json_t *item = json_array_get(items, i);
    const char *label = json_string_value(json_object_get(item, "label"));
    if (!label || isOthers(item, label)) continue;
    char name[160];
    snprintf(name, sizeof name, "%.*s%s", (int)prefix, op, label);
    const char *summary = editorGetSummary(name, strlen(name));
    if (summary) json_object_set_new(item, "documentation", json_string(summary));
    setEdit(item, text, begin, offset);
    sorted[kept++] = json_incref(item);
  }
  qsort(sorted, kept, sizeof *sorted, compareLabels);
  json_array_clear(items);
  for (size_t i = 0; i < kept; ++i) json_array_append_new(items, sorted[i]);
  free(sorted);
}
