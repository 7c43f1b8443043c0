//===- File.c - files that are read and written whole ---------------------===//
#include "File.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool tileFileFail(const char *what, const char *path, TileError *error) {
  int reason = errno;
  return tileErrorSet(error, "expected to %s '%s', found: %s", what, path,
                      reason ? strerror(reason) : "input error");
}

FILE *tileFileOpen(const char *path, uint64_t *bytes, TileError *error) {
  struct stat status;
  errno = 0;
  // Looked at before it is opened: opening a pipe would wait for its writer.
  if (stat(path, &status)) {
    tileFileFail("read", path, error);
    return NULL;
  }
  if (!S_ISREG(status.st_mode)) {
    tileErrorSet(error, "expected a regular file, found '%s', which is none", path);
    return NULL;
  }
  FILE *file = fopen(path, "rb");
  if (!file || fstat(fileno(file), &status)) {
    tileFileFail("read", path, error);
    if (file) fclose(file);
    return NULL;
  }
  *bytes = (uint64_t)status.st_size;
  return file;
}

/// Creates a file beside `path` under a name that nobody has; `name` is the caller's to free.
static int openTemporary(const char *path, char **name) {
  size_t length = strlen(path) + 48;
  *name = tileRuntimeAlloc(length);
  int descriptor = -1;
  for (unsigned attempt = 0; attempt < 1000; ++attempt) {
    snprintf(*name, length, "%s.tmp-%ld-%u", path, (long)getpid(), attempt);
    descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) break;
  }
  return descriptor;
}

bool tileFileReplace(const char *path, bool (*write)(FILE *file, const void *data),
                     const void *data, TileError *error) {
  char *temporary;
  int descriptor = openTemporary(path, &temporary);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
  bool ok = file && write(file, data) && !fflush(file);
  int reason = errno;
  if (file) {
    if (fclose(file) && ok) {
      ok = false;
      reason = errno;
    }
  } else if (descriptor >= 0) {
    close(descriptor);
  }
  if (ok && rename(temporary, path)) {
    ok = false;
    reason = errno;
  }
  if (!ok) {
    if (descriptor >= 0) unlink(temporary);
    tileErrorSet(error, "expected to write '%s', found: %s", path, strerror(reason));
  }
  free(temporary);
  return ok;
}
