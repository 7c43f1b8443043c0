//===- Render.c - messages as compilers print them ------------------------===//
#include "tile/Support/Render.h"
#include "tile/Support/Source.h"
#include "tile/Text.h"
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Opens a file that a location names: any text can name one, so nothing that waits or never ends.
static FILE *openRegular(const char *path) {
  struct stat status;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  FILE *file = NULL;
  if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
    file = fdopen(descriptor, "r");
  if (!file && descriptor >= 0) close(descriptor);
  return file;
}

/// Where a line begins that this thread has read: messages come in the order of a file's lines, by
/// thousands, and each begins to read where the one before has.
typedef struct {
  dev_t device;
  ino_t inode;
  off_t size;
  struct timespec changed;
  int line; ///< counted from 1; 0: none has been read
  off_t begin;
} LineRead;
static _Thread_local LineRead lastRead;

static bool isSameFile(const struct stat *status) {
  return lastRead.line && lastRead.device == status->st_dev && lastRead.inode == status->st_ino &&
         lastRead.size == status->st_size && lastRead.changed.tv_sec == status->st_mtim.tv_sec &&
         lastRead.changed.tv_nsec == status->st_mtim.tv_nsec;
}

char *tileSourceCopyLine(const TileSourcePlace *place) {
  char path[4096];
  snprintf(path, sizeof path, "%.*s", (int)place->file.length, place->file.data);
  FILE *file = place->line > 0 ? openRegular(path) : NULL;
  if (!file) return NULL;
  struct stat status;
  LineRead at = {.line = 1};
  bool isRead = fstat(fileno(file), &status) == 0, isKnown = isRead && isSameFile(&status);
  if (isKnown && lastRead.line <= place->line && !fseeko(file, lastRead.begin, SEEK_SET))
    at = lastRead;
  char *text = NULL;
  size_t capacity = 0;
  ssize_t length = getline(&text, &capacity, file);
  for (; length >= 0 && at.line < place->line; ++at.line) {
    at.begin += length;
    length = getline(&text, &capacity, file);
  }
  fclose(file);
  if (length > 0) {
    if (isRead)
      lastRead = (LineRead){status.st_dev,  status.st_ino, status.st_size,
                            status.st_mtim, at.line,       at.begin};
    if (text[length - 1] == '\n') text[length - 1] = 0;
    return text;
  }
  free(text);
  return NULL;
}

/// Selections of a terminal, as clang has them.
#define BOLD "\033[1m"
#define RED "\033[1;31m"
#define MAGENTA "\033[1;35m"
#define CYAN "\033[1;36m"
#define GREEN "\033[1;32m"
#define PLAIN "\033[0m"

bool tileRenderHasColours(FILE *stream) {
  const char *never = getenv("NO_COLOR"), *terminal = getenv("TERM");
  if ((never && *never) || !terminal || !strcmp(terminal, "dumb")) return false;
  return isatty(fileno(stream)) == 1;
}

static const char *colourOf(const char *severity) {
  return !strcmp(severity, "error")     ? RED
         : !strcmp(severity, "warning") ? MAGENTA
         : !strcmp(severity, "help")    ? GREEN
                                        : CYAN;
}

static bool isWordChar(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || c == '-' || c == '#';
}

size_t tileRenderMeasureWord(const char *at) {
  static const char *const pairs[] = {"!=", "&&", "||"};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
    if (!strncmp(at, pairs[i], 2)) return 2;
  size_t length = *at && strchr("%@!#^", *at) ? 1 : 0;
  while (isWordChar(at[length])) {
    if (!strncmp(at + length, "->", 2)) break;
    ++length;
  }
  // A name does not end in what separates it from the next.
  while (length > 1 && strchr(".-#", at[length - 1])) --length;
  return length ? length : 1;
}

/// The place's line, and what stands there underlined, if it can be read.
static void printLine(FILE *stream, const TileMessage *m, bool colours) {
  const TileSourcePlace place = {mlirStringRefCreate(m->file, strlen(m->file)), m->line, m->column};
  char *text = tileSourceCopyLine(&place);
  if (!text) return;
  tileTextPrintEscaped(stream, text, strlen(text), /*lines=*/true);
  fputc('\n', stream);
  int length = (int)strlen(text);
  int column = m->column < 1 ? 1 : m->column;
  for (int i = 1; i < column && i <= length; ++i) fputc(text[i - 1] == '\t' ? '\t' : ' ', stream);
  if (colours) fputs(GREEN, stream);
  fputc('^', stream);
  size_t word = column <= length ? tileRenderMeasureWord(text + column - 1) : 1;
  for (size_t i = 1; i < word; ++i) fputc('~', stream);
  fputs(colours ? PLAIN "\n" : "\n", stream);
  free(text);
}

void tileRenderMessage(FILE *stream, const TileMessage *m) {
  bool colours = tileRenderHasColours(stream);
  const char *text = m->text, *severity = m->severity;
  bool isHelp = !strcmp(severity, "note") && !strncmp(text, TILE_HELP, strlen(TILE_HELP));
  if (isHelp) {
    severity = "help";
    text += strlen(TILE_HELP);
  }
  if (m->file && !(isHelp && m->isSamePlace)) {
    if (colours) fputs(BOLD, stream);
    tileTextPrintEscaped(stream, m->file, strlen(m->file), /*lines=*/false);
    fputc(':', stream);
    if (m->line) fprintf(stream, "%d:%d:", m->line, m->column);
    fputs(colours ? PLAIN " " : " ", stream);
  }
  if (colours) fputs(colourOf(severity), stream);
  fprintf(stream, "%s: ", severity);
  if (colours) fputs(!strcmp(severity, "error") ? PLAIN BOLD : PLAIN, stream);
  if (m->pass) fprintf(stream, "[%s] ", m->pass);
  tileTextPrintEscaped(stream, text, strlen(text), /*lines=*/true);
  fputs(colours ? PLAIN "\n" : "\n", stream);
  if (m->file && m->line && !m->isSamePlace) printLine(stream, m, colours);
}
