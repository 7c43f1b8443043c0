//===- Fixes.c - hints, carried out -----------------------------------------===//
//
// A hint (tile/Support/Hints.h) is a note of its error, which MLIR's server hands on as related
// information. What it says can be done as it stands:
//
//   did you mean 'tile.load'?                            'tile.load' in place of the word
//   'BJ' is no meta-parameter ..; did you mean 'BK'?      'BK' in place of the last 'BJ'
//   .. insert 'STATEMENT' above, and use '%n_tile'       a line above, and the word in its place
//===----------------------------------------------------------------------===//
#include "Editor.h"
#include "tile/Support/Render.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What stands between quotes behind `after`, to be freed; NULL.
static char *copyQuoted(const char *text, const char *after) {
  const char *at = strstr(text, after), *begin = at ? strchr(at + strlen(after) - 1, '\'') : NULL;
  const char *end = begin ? strchr(begin + 1, '\'') : NULL;
  return end ? strndup(begin + 1, (size_t)(end - begin - 1)) : NULL;
}

static bool isWordChar(char c) { return isalnum((unsigned char)c) || (c && strchr("_.$", c)); }

/// The last place in `text` of a word that begins before `end`, or the first one from there on.
static size_t findWhole(const char *text, size_t end, const char *name, size_t *length) {
  size_t size = strlen(name), at = end;
  *length = 0;
  for (const char *found = text; size && (found = strstr(found, name)); ++found) {
    size_t place = (size_t)(found - text);
    if ((place && isWordChar(found[-1]) && isWordChar(*name)) || isWordChar(found[size])) continue;
    if (place >= end && *length) break;
    at = place;
    *length = size;
    if (place >= end) break;
  }
  return at;
}

/// The word that an error is about: at its place, or where its message or the hint says: an alias
/// is in front of its place; a kernel's name, and what else was found, behind it; a meta-parameter
/// before.
static size_t findWord(const char *text, size_t offset, const char *message, const char *hint,
                       size_t *length) {
  char *alias = copyQuoted(message, "undefined symbol alias id '");
  char *found = copyQuoted(message, ", found '");
  char *meta =
      *hint == '\'' && strstr(hint, "' is no meta-parameter") ? copyQuoted(hint, "'") : NULL;
  size_t at = offset;
  *length = tileRenderMeasureWord(text + offset);
  if (meta) {
    at = findWhole(text, offset + strcspn(text + offset, "\n"), meta, length);
  } else if (alias) {
    // The parser looks at what follows by then.
    *length = strlen(alias);
    if (at) --at;
    while (at && text[at] != '\n' && strncmp(text + at, alias, *length) != 0) --at;
    if (strncmp(text + at, alias, *length) != 0) *length = 0;
  } else if (found && strncmp(text + offset, found, strlen(found)) != 0 && !strchr(found, ' ')) {
    size_t behind = findWhole(text + offset, 0, found, length);
    at += behind;
  }
  free(alias);
  free(found);
  free(meta);
  return at;
}

/// The edits that a hint asks for; NULL where it asks for none.
static json_t *makeEdits(const char *text, size_t offset, const char *message, const char *hint) {
  char *meant = copyQuoted(hint, "did you mean '");
  char *line = copyQuoted(hint, "insert '"), *name = copyQuoted(hint, "and use '");
  // One that says to do more than that is for people.
  bool inserts = line && name && strstr(hint, "' above, and use '");
  json_t *edits = NULL;
  size_t length = 0, word = findWord(text, offset, message, hint, &length);
  const char *with = meant ? meant : name;
  if (meant && strchr("!#", *meant) && word && text[word - 1] == *meant) with = meant + 1;
  if (length && (meant || inserts))
    edits = json_pack("[o]", editorMakeEdit(text, word, word + length, with));
  if (edits && inserts) {
    size_t begin = offset, blanks = 0;
    while (begin && text[begin - 1] != '\n') --begin;
    while (text[begin + blanks] == ' ' || text[begin + blanks] == '\t') ++blanks;
    TileText above = {0};
    tileTextPrint(&above, "%.*s%s\n", (int)blanks, text + begin, line);
    json_array_append_new(edits, editorMakeEdit(text, begin, begin, above.data));
    free(above.data);
  }
  free(meant);
  free(line);
  free(name);
  return edits;
}

static json_int_t lineOf(const json_t *range, const char *end) {
  return json_integer_value(json_object_get(json_object_get(range, end), "line"));
}

static void addFix(json_t *fixes, const char *uri, const char *text, json_t *diagnostic,
                   const char *hint) {
  const json_t *range = json_object_get(diagnostic, "range");
  const char *message = json_string_value(json_object_get(diagnostic, "message"));
  size_t offset = editorFindOffset(text, json_object_get(range, "start"));
  json_t *edits = makeEdits(text, offset, message ? message : "", hint);
  if (!edits) return;
  json_array_append_new(fixes, json_pack("{s:s,s:s,s:b,s:[O],s:{s:{s:o}}}", "title", hint, "kind",
                                         "quickfix", "isPreferred", 1, "diagnostics", diagnostic,
                                         "edit", "changes", uri, edits));
}

json_t *editorFindFixes(const Editor *editor, const char *uri, const json_t *range) {
  json_t *fixes = json_array(), *diagnostic, *note;
  const char *text = editorGetText(editor, uri);
  size_t i, k;
  if (!text) return fixes;
  json_array_foreach(json_object_get(editor->diagnostics, uri), i, diagnostic) {
    const json_t *own = json_object_get(diagnostic, "range");
    if (lineOf(own, "end") < lineOf(range, "start") || lineOf(own, "start") > lineOf(range, "end"))
      continue;
    json_array_foreach(json_object_get(diagnostic, "relatedInformation"), k, note) {
      const char *hint = json_string_value(json_object_get(note, "message"));
      if (hint && !strncmp(hint, TILE_HELP, strlen(TILE_HELP)))
        addFix(fixes, uri, text, diagnostic, hint + strlen(TILE_HELP));
    }
  }
  return fixes;
}
