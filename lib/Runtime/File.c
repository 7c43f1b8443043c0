//===- File.c - files that are read and written whole ---------------------===//
//
// Writing: what is no regular file is written through, as a shell's > does. A regular one is
// replaced by a new one that is whole, with the mode and owner of the old; where that cannot be
// (another's file, another name of the same file, an access list, a folder that takes no new
// files), its bytes are, and a crash in between leaves a part of them. The new file has no name
// until it is whole, so that nothing is left of it even by kill -9; file systems that have no such
// files (NFS) give it one beside the old, noted in tile/Support/Process.h.
//
//===----------------------------------------------------------------------===//
#include "File.h"
#include "tile/Support/Process.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

bool tileFileFail(const char *what, const char *path, TileError *error) {
  int reason = errno;
  return tileErrorSet(error, "expected to %s '%s', found: %s", what, path,
                      reason ? strerror(reason) : "input error");
}

FILE *tileFileOpen(const char *path, uint64_t *bytes, TileError *error) {
  struct stat status;
  errno = 0;
  // Opening a pipe would wait for its writer, and a terminal would become this process's.
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0 || fstat(descriptor, &status)) {
    tileFileFail("read", path, error);
    if (descriptor >= 0) close(descriptor);
    return NULL;
  }
  if (!S_ISREG(status.st_mode)) {
    tileErrorSet(error, "expected a regular file, found '%s', which is none", path);
    close(descriptor);
    return NULL;
  }
  FILE *file = fdopen(descriptor, "rb");
  if (!file) {
    tileFileFail("read", path, error);
    close(descriptor);
    return NULL;
  }
  *bytes = (uint64_t)status.st_size;
  return file;
}

//===- what is there ------------------------------------------------------===//

/// The file that `path` means: behind symbolic links, the last of which may lead nowhere yet.
/// NULL with errno; the caller's to free.
static char *followLinks(const char *path) {
  enum { MOST = 40 };
  char *at = strdup(path);
  for (int i = 0; at && i < MOST; ++i) {
    char link[PATH_MAX];
    ssize_t length = readlink(at, link, sizeof link - 1);
    if (length < 0) return at; // not there, or no link
    link[length] = 0;
    const char *slash = strrchr(at, '/');
    size_t folder = link[0] == '/' || !slash ? 0 : (size_t)(slash - at) + 1;
    char *next = tileRuntimeAlloc(folder + (size_t)length + 1);
    memcpy(next, at, folder);
    memcpy(next + folder, link, (size_t)length);
    free(at);
    at = next;
  }
  free(at);
  errno = ELOOP;
  return NULL;
}

/// Is there more to the file than a new one could be given?
static bool isIrreplaceable(const char *path, const struct stat *status) {
  return !S_ISREG(status->st_mode) || status->st_nlink > 1 ||
         getxattr(path, "system.posix_acl_access", NULL, 0) > 0;
}

/// The folder of a path, for the caller to free.
static char *folderOf(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return strdup(".");
  return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/// Does the path lead to an open file whose name is another, or none: /dev/stdout that is a pipe, a
/// file that was deleted? What readlink gives of it is no path then.
static bool isOpenElsewhere(const char *path, const char *target) {
  struct stat through, named;
  return stat(path, &through) == 0 &&
         (stat(target, &named) != 0 || through.st_dev != named.st_dev ||
          through.st_ino != named.st_ino);
}

bool tileFileCheckWritable(const char *path, TileError *error) {
  struct stat status;
  char *target = followLinks(path);
  if (!target) return tileFileFail("write", path, error);
  if (isOpenElsewhere(path, target)) {
    free(target);
    return access(path, W_OK) == 0 || tileFileFail("write", path, error);
  }
  bool exists = stat(target, &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    exists = false;
  } else if (!exists) {
    char *folder = folderOf(target);
    exists = folder && access(folder, W_OK | X_OK) == 0;
    free(folder);
  } else {
    exists = access(target, W_OK) == 0;
  }
  int reason = errno;
  free(target);
  errno = reason;
  return exists || tileFileFail("write", path, error);
}

//===- writing ------------------------------------------------------------===//

/// A file that is to take the place of another, or of none.
typedef struct Replacement {
  const char *target;
  /// Of what is there; NULL where nothing is.
  const struct stat *old;
  int descriptor;
  /// Its name beside the target; NULL while it has none.
  char *name;
  int slot;
} Replacement;

/// Finds a name beside the target that nobody has, and has `take` take it.
static bool takeName(Replacement *r, bool (*take)(Replacement *r)) {
  size_t size = strlen(r->target) + 48;
  r->name = tileRuntimeAlloc(size);
  for (unsigned attempt = 0; attempt < 1000; ++attempt) {
    snprintf(r->name, size, "%s.tmp-%ld-%u", r->target, (long)getpid(), attempt);
    r->slot = tileTemporaryNote(r->name);
    if (take(r)) return true;
    int reason = errno;
    tileTemporaryForget(r->slot);
    errno = reason;
    if (reason != EEXIST) break;
  }
  free(r->name);
  r->name = NULL;
  return false;
}

static bool createNamed(Replacement *r) {
  r->descriptor = open(r->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  return r->descriptor >= 0;
}

/// Gives the open file a name.
static bool linkTo(const Replacement *r, const char *name) {
  char self[40];
  snprintf(self, sizeof self, "/proc/self/fd/%d", r->descriptor);
  return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

static bool linkNamed(Replacement *r) { return linkTo(r, r->name); }

/// Opens the new file: without a name where the file system can, and /proc can give it one later.
static bool openReplacement(Replacement *r) {
  char *folder = folderOf(r->target);
  bool canLink = access("/proc/self/fd", X_OK) == 0;
  r->descriptor = canLink && folder ? open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666) : -1;
  free(folder);
  return r->descriptor >= 0 || takeName(r, createNamed);
}

/// Gives the new file what the old one has beside its contents; false where that is not allowed.
static bool takeAfter(const Replacement *r) {
  struct stat own;
  if (!r->old) return true;
  if (fstat(r->descriptor, &own)) return false;
  bool same = own.st_uid == r->old->st_uid && own.st_gid == r->old->st_gid;
  return (same || fchown(r->descriptor, r->old->st_uid, r->old->st_gid) == 0) &&
         fchmod(r->descriptor, r->old->st_mode & 07777) == 0;
}

/// The new file takes the target's name.
static bool publish(Replacement *r) {
  if (!r->name && !r->old && linkTo(r, r->target)) return true;
  if (!r->name && !takeName(r, linkNamed)) return false;
  if (rename(r->name, r->target)) return false;
  tileTemporaryForget(r->slot);
  free(r->name);
  r->name = NULL;
  return true;
}

/// Writes into an open descriptor, which it closes; then calls `then`, while errors of writing can
/// still be told. False with errno.
static bool writeTo(int descriptor, bool (*write)(FILE *file, const void *data), const void *data,
                    Replacement *r) {
  FILE *file = fdopen(descriptor, "wb");
  if (!file) {
    close(descriptor);
    return false;
  }
  bool ok = write(file, data) && !fflush(file) && (!r || publish(r));
  int reason = errno;
  if (fclose(file) && ok) return false;
  errno = reason;
  return ok;
}

static void abandon(Replacement *r) {
  int reason = errno;
  if (r->name) {
    unlink(r->name);
    tileTemporaryForget(r->slot);
    free(r->name);
    r->name = NULL;
  }
  errno = reason;
}

static bool writeInPlace(const char *target, bool (*write)(FILE *file, const void *data),
                         const void *data) {
  int descriptor = open(target, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
  return descriptor >= 0 && writeTo(descriptor, write, data, NULL);
}

static bool replace(const char *target, bool (*write)(FILE *file, const void *data),
                    const void *data) {
  struct stat old;
  bool exists = stat(target, &old) == 0;
  // What cannot be looked at would lose its mode and owner.
  if (!exists && errno != ENOENT) return false;
  if (exists && isIrreplaceable(target, &old)) return writeInPlace(target, write, data);
  // The name alone would not keep a file that is not to be written from being replaced.
  if (exists && access(target, W_OK) != 0) return false;
  Replacement r = {.target = target, .old = exists ? &old : NULL, .descriptor = -1};
  if (!openReplacement(&r)) return exists && writeInPlace(target, write, data);
  if (!takeAfter(&r)) {
    close(r.descriptor);
    abandon(&r);
    return writeInPlace(target, write, data);
  }
  bool ok = writeTo(r.descriptor, write, data, &r);
  if (!ok) abandon(&r);
  return ok;
}

bool tileFileReplace(const char *path, bool (*write)(FILE *file, const void *data),
                     const void *data, TileError *error) {
  char *target = followLinks(path);
  bool ok = target && (isOpenElsewhere(path, target) ? writeInPlace(path, write, data)
                                                     : replace(target, write, data));
  int reason = errno;
  free(target);
  errno = reason;
  return ok || tileFileFail("write", path, error);
}
