//===- Protocol.c - the protocol's frames ---------------------------------===//
#include "Editor.h"
#include "tile/Support/Source.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/// No message is longer.
enum { MAX_MESSAGE = 256 << 20 };

void editorInboxFill(Inbox *inbox) {
  char buffer[1 << 16];
  ssize_t got = read(inbox->descriptor, buffer, sizeof buffer);
  if (got < 0 && errno == EINTR) return;
  if (got <= 0)
    inbox->ended = true;
  else
    tileTextAddBytes(&inbox->text, buffer, (size_t)got);
}

static void drop(Inbox *inbox, size_t size) {
  inbox->text.size -= size;
  memmove(inbox->text.data, inbox->text.data + size, inbox->text.size + 1);
}

static json_t *parse(const char *text, size_t size) {
  int line = 1, column = 1;
  const char *excess = tileSourceFindExcess(text, size, &line, &column);
  if (excess) {
    fprintf(stderr, "JSON parse error: %s\n", excess);
    return NULL;
  }
  json_error_t error;
  json_t *message = json_loadb(text, size, JSON_ALLOW_NUL, &error);
  if (!message) fprintf(stderr, "JSON parse error: %s\n", error.text);
  return message;
}

/// Up to a line "// -----"; other comments are left out.
static bool takeDelimited(Inbox *inbox, json_t **message) {
  static const char separator[] = "// -----";
  const char *text = inbox->text.data, *end = text;
  while ((end = strstr(end, separator)) && end > text && end[-1] != '\n') ++end;
  if (!end && !inbox->ended) return false;
  size_t size = end ? (size_t)(end - text) : inbox->text.size;
  TileText body = {0};
  tileTextAdd(&body, "");
  for (const char *at = text; at < text + size;) {
    const char *next = memchr(at, '\n', (size_t)(text + size - at));
    next = next ? next + 1 : text + size;
    if (strncmp(at, "//", 2) != 0) tileTextAddBytes(&body, at, (size_t)(next - at));
    at = next;
  }
  bool isEmpty = body.data[strspn(body.data, " \t\r\n")] == 0;
  *message = isEmpty ? NULL : parse(body.data, body.size);
  free(body.data);
  drop(inbox, end ? size + strlen(separator) : size);
  return end || size;
}

/// "Content-Length: 12", an empty line, and 12 bytes.
static bool takeFramed(Inbox *inbox, json_t **message) {
  const char *text = inbox->text.data, *body = strstr(text, "\r\n\r\n");
  if (!body) return false;
  long long length = -1;
  for (const char *at = text; at < body; at = strstr(at, "\r\n") + 2)
    if (!strncasecmp(at, "Content-Length:", 15)) length = strtoll(at + 15, NULL, 10);
  body += 4;
  size_t header = (size_t)(body - text);
  if (length < 0 || length > MAX_MESSAGE) {
    fputs("expected a Content-Length, found none that can be\n", stderr);
    drop(inbox, header);
    return true;
  }
  if (inbox->text.size - header < (size_t)length) return false;
  *message = parse(body, (size_t)length);
  drop(inbox, header + (size_t)length);
  return true;
}

json_t *editorInboxTake(Inbox *inbox) {
  json_t *message = NULL;
  while (inbox->text.size) {
    bool took = inbox->delimited ? takeDelimited(inbox, &message) : takeFramed(inbox, &message);
    if (!took) return NULL;
    if (json_is_object(message)) return message;
    // An empty part of a session in a test is nobody's message.
    if (message || !inbox->delimited) ++inbox->refused;
    json_decref(message);
    message = NULL;
  }
  return NULL;
}

static bool writeAll(int descriptor, const char *data, size_t size) {
  while (size) {
    ssize_t wrote = write(descriptor, data, size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    data += wrote;
    size -= (size_t)wrote;
  }
  return true;
}

void editorAddFrame(TileText *text, const json_t *message, bool pretty) {
  char *body = json_dumps(message, pretty ? JSON_INDENT(2) : JSON_COMPACT);
  if (!body) return;
  tileTextPrint(text, "Content-Length: %zu\r\n\r\n", strlen(body));
  tileTextAdd(text, body);
  if (pretty) tileTextAdd(text, "\n");
  free(body);
}

bool editorSend(int descriptor, const json_t *message, bool pretty) {
  TileText text = {0};
  editorAddFrame(&text, message, pretty);
  bool ok = writeAll(descriptor, text.data, text.size);
  free(text.data);
  return ok;
}
