//===- Texts.c - open files, and places in them ----------------------------===//
#include "Editor.h"
#include <ctype.h>
#include <string.h>

const char *editorGetText(const Editor *editor, const char *uri) {
  return uri ? json_string_value(json_object_get(editor->texts, uri)) : NULL;
}

/// The UTF-16 units of a UTF-8 character that begins with `c`; 0 within one.
static int unitsOf(char c) {
  unsigned char byte = (unsigned char)c;
  return (byte & 0xc0) == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
}

size_t editorFindOffset(const char *text, const json_t *position) {
  json_int_t line = json_integer_value(json_object_get(position, "line"));
  json_int_t column = json_integer_value(json_object_get(position, "character"));
  const char *at = text;
  for (; line > 0 && *at; ++at) line -= *at == '\n';
  for (; *at && *at != '\n'; ++at) {
    int units = unitsOf(*at);
    if (units && column <= 0) break;
    column -= units;
  }
  return (size_t)(at - text);
}

json_t *editorMakePosition(const char *text, size_t offset) {
  int line = 0, column = 0;
  for (size_t i = 0; i < offset && text[i]; ++i) {
    column = text[i] == '\n' ? 0 : column + unitsOf(text[i]);
    line += text[i] == '\n';
  }
  return json_pack("{s:i,s:i}", "line", line, "character", column);
}

json_t *editorMakeEdit(const char *text, size_t begin, size_t end, const char *with) {
  return json_pack("{s:{s:o,s:o},s:s}", "range", "start", editorMakePosition(text, begin), "end",
                   editorMakePosition(text, end), "newText", with);
}

static bool isOpChar(char c) { return isalnum((unsigned char)c) || strchr("_.$", c) != NULL; }

size_t editorFindOp(const char *text, size_t offset, const char **name) {
  size_t begin = offset, end = offset;
  while (begin && text[begin - 1] && isOpChar(text[begin - 1])) --begin;
  while (text[end] && isOpChar(text[end])) ++end;
  bool isName = begin && strchr("%!#@", text[begin - 1]);
  *name = text + begin;
  return isName || !memchr(*name, '.', end - begin) ? 0 : end - begin;
}

const char *editorGetSummary(const char *op, size_t length) {
#define TILE_SUMMARY(NAME, TEXT) {NAME, TEXT},
  static const struct {
    const char *name, *text;
  } summaries[] = {
#include "tile/Summaries.def"
  };
  for (size_t i = 0; i < sizeof summaries / sizeof *summaries; ++i)
    if (strlen(summaries[i].name) == length && !memcmp(summaries[i].name, op, length))
      return summaries[i].text;
  return NULL;
}
