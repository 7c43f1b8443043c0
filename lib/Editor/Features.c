//===- Features.c - what tile adds to the answers of MLIR's server ---------===//
#include "Editor.h"
#include "tile.h"
#include "tile/Support/Format.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// How long parsing, and compiling up to layouts, may take, in seconds.
enum { PARSE_SECONDS = 10, COMPILE_SECONDS = 20 };

//===- one answer each ------------------------------------------------------===//

static const json_t *paramsOf(const json_t *request) { return json_object_get(request, "params"); }

static const char *textOf(const Editor *e, const json_t *request) {
  const json_t *file = json_object_get(paramsOf(request), "textDocument");
  return editorGetText(e, json_string_value(json_object_get(file, "uri")));
}

/// The server is tile's, and can more.
static void onInitialize(Editor *e, const json_t *request, json_t *answer) {
  (void)e;
  (void)request;
  json_t *result = json_object_get(answer, "result");
  json_t *capabilities = json_object_get(result, "capabilities");
  if (!capabilities) return;
  json_object_set_new(capabilities, "documentFormattingProvider", json_true());
  json_object_set_new(capabilities, "inlayHintProvider", json_true());
  json_object_set_new(capabilities, "codeActionProvider",
                      json_pack("{s:[s]}", "codeActionKinds", "quickfix"));
  json_object_set_new(
      result, "serverInfo",
      json_pack("{s:s,s:s}", "name", "tile-lsp-server", "version", tile_get_version()));
}

/// Of a place within the name of a value, where its '%' is; else the place itself.
static size_t findSign(const char *text, size_t offset) {
  size_t begin = offset;
  while (begin && text[begin] &&
         (isalnum((unsigned char)text[begin]) || strchr("_$.-", text[begin])))
    --begin;
  return text[begin] == '%' ? begin : offset;
}

/// What the op does, and the layout of its result, in front of what MLIR's server says.
static void onHover(Editor *e, const json_t *request, json_t *answer) {
  const char *text = textOf(e, request), *op = NULL;
  if (!text) return;
  size_t offset = editorFindOffset(text, json_object_get(paramsOf(request), "position"));
  offset = findSign(text, offset);
  size_t length = editorFindOp(text, offset, &op);
  const char *summary = length ? editorGetSummary(op, length) : NULL;
  json_t *layout = text[offset] == '%' || summary
                       ? editorDoApart(editorFindLayout, text, offset, COMPILE_SECONDS)
                       : NULL;
  json_t *result = json_object_get(answer, "result");
  const char *said =
      json_string_value(json_object_get(json_object_get(result, "contents"), "value"));
  TileText all = {0};
  tileTextAdd(&all, "");
  if (summary) tileTextPrint(&all, "`%.*s`: %s\n\n", (int)length, op, summary);
  if (layout) tileTextPrint(&all, "%s\n\n", json_string_value(layout));
  if (all.size) {
    if (said) tileTextPrint(&all, "***\n\n%s", said);
    json_t *hover = json_is_object(result) ? json_incref(result) : json_object();
    json_object_set_new(hover, "contents",
                        json_pack("{s:s,s:s}", "kind", "markdown", "value", all.data));
    json_object_set_new(answer, "result", hover);
  }
  json_decref(layout);
  free(all.data);
}

static void give(json_t *answer, json_t *result) {
  json_object_del(answer, "error");
  json_object_set_new(answer, "result", result);
}

/// The whole text anew, or nothing where it is in shape already, or its brackets do not fit.
static void onFormatting(Editor *e, const json_t *request, json_t *answer) {
  const char *text = textOf(e, request);
  json_t *edits = json_array();
  TileText shaped = {0};
  int line;
  tileTextAdd(&shaped, "");
  bool changes =
      text && tileFormat(text, strlen(text), &shaped, &line) && strcmp(shaped.data, text);
  if (changes) json_array_append_new(edits, editorMakeEdit(text, 0, strlen(text), shaped.data));
  free(shaped.data);
  give(answer, edits);
}

/// Of a text that is being typed, and not right, those found last.
static void onInlayHint(Editor *e, const json_t *request, json_t *answer) {
  const json_t *file = json_object_get(paramsOf(request), "textDocument");
  const char *uri = json_string_value(json_object_get(file, "uri"));
  const char *text = editorGetText(e, uri);
  json_t *hints = text ? editorDoApart(editorFindHints, text, 0, PARSE_SECONDS) : NULL;
  if (hints) json_object_set_new(e->hints, uri, hints);
  hints = uri ? json_object_get(e->hints, uri) : NULL;
  give(answer, hints ? json_incref(hints) : json_array());
}

static void onCodeAction(Editor *e, const json_t *request, json_t *answer) {
  const json_t *params = paramsOf(request), *file = json_object_get(params, "textDocument");
  const char *uri = json_string_value(json_object_get(file, "uri"));
  json_t *fixes = editorFindFixes(e, uri, json_object_get(params, "range"));
  json_t *own = json_object_get(answer, "result");
  if (json_is_array(own)) json_array_extend(fixes, own);
  give(answer, fixes);
}

void editorAnswer(Editor *e, const json_t *request, json_t *answer) {
  static const struct {
    const char *method;
    void (*change)(Editor *, const json_t *, json_t *);
  } changes[] = {
      {"initialize", onInitialize},
      {"textDocument/hover", onHover},
      {"textDocument/completion", editorComplete},
      {"textDocument/formatting", onFormatting},
      {"textDocument/inlayHint", onInlayHint},
      {"textDocument/codeAction", onCodeAction},
  };
  const char *method = json_string_value(json_object_get(request, "method"));
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i)
    if (!strcmp(method, changes[i].method)) changes[i].change(e, request, answer);
}
