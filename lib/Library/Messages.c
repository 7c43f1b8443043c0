//===- Messages.c - what a thread's last call has to say ------------------===//
//
// Each thread has its own list, made with its first message. Where memory is out even for that,
// there is a fixed text.
//===----------------------------------------------------------------------===//
#include "Library.h"
#include "tile/IR.h"
#include "tile/Support/Render.h"
#include "tile/Support/Source.h"
#include "tile/Text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Message {
  tile_severity severity;
  uint32_t line, column;
  char *file, *text;
} Message;

struct TileLibMessages {
  Message *items;
  size_t count, capacity;
  /// All errors as one text; made when asked for.
  char *whole;
  /// Memory was out for one.
  bool lost;
};
typedef TileLibMessages Messages;

static const char outOfMemory[] = "error: expected memory, found none";

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void clear(Messages *m) {
  for (size_t i = 0; i < m->count; ++i) {
    free(m->items[i].file);
    free(m->items[i].text);
  }
  free(m->whole);
  m->whole = NULL;
  m->count = 0;
  m->lost = false;
}

static void destroy(void *data) {
  Messages *m = data;
  clear(m);
  free(m->items);
  free(m);
}

static void makeKey(void) { pthread_key_create(&key, destroy); }

/// This thread's, or NULL before its first message.
static Messages *getOwn(void) {
  pthread_once(&once, makeKey);
  return pthread_getspecific(key);
}

void tileLibBegin(void) {
  Messages *m = getOwn();
  if (m && (m->count || m->lost)) clear(m);
}

static Messages *makeOwn(void) {
  Messages *m = getOwn();
  if (m) return m;
  m = calloc(1, sizeof *m);
  if (m && pthread_setspecific(key, m) != 0) {
    free(m);
    m = NULL;
  }
  return m;
}

/// Adds a message, whose texts become its own; it is lost where there is no room.
static void add(Message message) {
  Messages *m = makeOwn();
  if (m && m->count == m->capacity) {
    size_t capacity = 2 * m->capacity + 8;
    Message *grown = realloc(m->items, capacity * sizeof *grown);
    if (grown) {
      m->items = grown;
      m->capacity = capacity;
    }
  }
  if (m && message.text && m->count < m->capacity) {
    m->items[m->count++] = message;
    return;
  }
  if (m) m->lost = true;
  free(message.file);
  free(message.text);
}

tile_status tileLibFail(tile_status status, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  add((Message){.severity = TILE_SEVERITY_ERROR, .text = text});
  return status;
}

tile_status tileLibFailWith(tile_status status, TileError *error) {
  if (error->outOfMemory) status = TILE_STATUS_MEMORY;
  tileLibFail(status, "%s", tileErrorGetMessage(error));
  tileErrorDestroy(error);
  return status;
}

tile_status tileLibFailAt(tile_status status, TileError *error, const TileConsolePlace *place) {
  add((Message){.severity = TILE_SEVERITY_ERROR,
                .file = place->file,
                .line = place->line,
                .column = place->column,
                .text = strdup(tileErrorGetMessage(error))});
  tileErrorDestroy(error);
  return status;
}

tile_status tileLibFailHandle(const char *name, const void *handle) {
  return tileLibFail(TILE_STATUS_HANDLE, "expected %s %s, found %s",
                     strchr("aeiou", *name) ? "an" : "a", name,
                     handle ? "a handle that is none, or was destroyed" : "NULL");
}

//===- from one thread to others ------------------------------------------===//

TileLibMessages *tileLibMessagesTake(void) {
  Messages *m = getOwn();
  if (m) pthread_setspecific(key, NULL);
  return m;
}

void tileLibMessagesRepeat(const TileLibMessages *m) {
  for (size_t i = 0; m && i < m->count; ++i) {
    Message copy = m->items[i];
    copy.text = strdup(copy.text);
    if (copy.file) copy.file = strdup(copy.file);
    add(copy);
  }
  Messages *own = m && m->lost ? makeOwn() : NULL;
  if (own) own->lost = true;
}

void tileLibMessagesDestroy(TileLibMessages *m) {
  if (m) destroy(m);
}

//===- of MLIR ------------------------------------------------------------===//

static tile_severity severityOf(MlirDiagnosticSeverity severity) {
  switch (severity) {
  case MlirDiagnosticWarning:
    return TILE_SEVERITY_WARNING;
  case MlirDiagnosticNote:
    return TILE_SEVERITY_NOTE;
  case MlirDiagnosticRemark:
    return TILE_SEVERITY_REMARK;
  case MlirDiagnosticError:
    break;
  }
  return TILE_SEVERITY_ERROR;
}

MlirLogicalResult tileLibOnDiagnostic(MlirDiagnostic diagnostic, void *data) {
  const TileLibContext *context = data;
  TileText text = {0};
  if (tileDiagnosticIsNoise(diagnostic)) return mlirLogicalResultSuccess();
  mlirDiagnosticPrint(diagnostic, tileTextCollect, &text);
  Message message = {.severity = severityOf(mlirDiagnosticGetSeverity(diagnostic))};
  TileSourcePlace place = {.line = 0};
  if (tileSourceFind(mlirDiagnosticGetLocation(diagnostic), &place)) {
    message.line = (uint32_t)place.line;
    message.column = place.line ? (uint32_t)place.column : 0;
    message.file = strndup(place.file.data, place.file.length);
  }
  message.text = text.data ? text.data : strdup("");
  if (context->onDiagnostic) {
    const tile_diagnostic told = {sizeof told,  message.severity, message.file,
                                  message.line, message.column,   message.text};
    context->onDiagnostic(context->data, &told);
  }
  add(message);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i)
    tileLibOnDiagnostic(mlirDiagnosticGetNote(diagnostic, i), data);
  return mlirLogicalResultSuccess();
}

//===- for the caller -----------------------------------------------------===//

static const char *nameOf(tile_severity severity) {
  return severity == TILE_SEVERITY_NOTE ? "note" : "error";
}

/// Errors and their notes as text, to be freed; NULL where memory is out.
static char *join(const Messages *m) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return NULL;
  bool wanted = false;
  const char *separator = "";
  for (size_t i = 0; i < m->count; ++i) {
    const Message *each = &m->items[i];
    if (each->severity != TILE_SEVERITY_NOTE) wanted = each->severity == TILE_SEVERITY_ERROR;
    if (!wanted) continue;
    fputs(separator, stream);
    if (each->file) fprintf(stream, "%s:", each->file);
    if (each->line) fprintf(stream, "%u:%u:", each->line, each->column);
    fprintf(stream, "%s%s: %s", each->file ? " " : "", nameOf(each->severity), each->text);
    separator = "\n";
  }
  if (fclose(stream) == 0) return text;
  free(text);
  return NULL;
}

const char *tile_get_message(void) {
  Messages *m = getOwn();
  if (!m) return "";
  if (m->lost) return outOfMemory;
  if (!m->whole) m->whole = join(m);
  return m->whole ? m->whole : outOfMemory;
}

size_t tile_get_num_diagnostics(void) {
  const Messages *m = getOwn();
  return m ? m->count : 0;
}

/// These two leave what they tell of as it is.
tile_status tile_get_diagnostic(size_t index, tile_diagnostic *diagnostic) {
  const Messages *m = getOwn();
  if (!diagnostic || diagnostic->size < sizeof *diagnostic ||
      diagnostic->size > TILE_LIB_MAX_STRUCT)
    return TILE_STATUS_ARGUMENT;
  bool is = m && index < m->count;
  tile_diagnostic found = {0};
  if (is) {
    const Message *each = &m->items[index];
    found = (tile_diagnostic){.severity = each->severity,
                              .file = each->file,
                              .line = each->line,
                              .column = each->column,
                              .message = each->text};
  }
  tileLibGive(diagnostic, &found, sizeof found);
  return is ? TILE_STATUS_OK : TILE_STATUS_NOT_FOUND;
}

const char *tile_status_get_name(tile_status status) {
  static const char *const names[] = {
      "TILE_STATUS_OK",        "TILE_STATUS_HANDLE",   "TILE_STATUS_ARGUMENT",
      "TILE_STATUS_NOT_FOUND", "TILE_STATUS_SOURCE",   "TILE_STATUS_DEVICE",
      "TILE_STATUS_MEMORY",    "TILE_STATUS_SYSTEM",   "TILE_STATUS_UNSUPPORTED",
      "TILE_STATUS_KERNEL",    "TILE_STATUS_FINDINGS", "TILE_STATUS_TIMEOUT",
      "TILE_STATUS_CANCELLED",
  };
  return (size_t)status < sizeof names / sizeof *names ? names[status] : "unknown";
}
