//===- File.c - files that are read and written whole ---------------------===//
//
// Writing: what is no regular file is written through, as a shell's > does. A regular one is
// replaced by a new one that is whole, with the mode and owner of the old; where that cannot be
// (another's file, another name of the same file, an access list, a folder that takes no new
// files), its bytes are, and a crash in between leaves a part of them. The new file has no name
// until it is whole, so that nothing is left of it even by kill -9; file systems that have no such
// files (NFS) give it one beside the old, noted in tile/Support/Process.h. Of several files all are
// whole before the first takes its name, so that they appear together or not at all.
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

/// What becomes of one output: a new file that is to take the place of another, or of none, or
/// what is there, written in place.
typedef struct Replacement {
  char *target;
  bool isInPlace;
  /// Is something there, and what?
  bool exists;
  struct stat old;
  /// The new file.
  int descriptor;
  FILE *file;
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
  if (!r->exists) return true;
  if (fstat(r->descriptor, &own)) return false;
  bool same = own.st_uid == r->old.st_uid && own.st_gid == r->old.st_gid;
  return (same || fchown(r->descriptor, r->old.st_uid, r->old.st_gid) == 0) &&
         fchmod(r->descriptor, r->old.st_mode & 07777) == 0;
}

/// Drops the new file, where it has not become the old one.
static void abandon(Replacement *r) {
  int reason = errno;
  if (r->file)
    fclose(r->file);
  else if (r->descriptor >= 0)
    close(r->descriptor);
  if (r->name) {
    unlink(r->name);
    tileTemporaryForget(r->slot);
    free(r->name);
  }
  r->file = NULL;
  r->descriptor = -1;
  r->name = NULL;
  errno = reason;
}

//===- the steps of it, each false with errno -----------------------------===//

/// Opens the new file, or says that there is to be none.
static bool prepare(Replacement *r, const TileFileOutput *output) {
  r->target = followLinks(output->path);
  if (!r->target) return false;
  if (isOpenElsewhere(output->path, r->target)) {
    free(r->target);
    r->target = tileRuntimeCopy(output->path, strlen(output->path));
    return r->isInPlace = true;
  }
  r->exists = stat(r->target, &r->old) == 0;
  // What cannot be looked at would lose its mode and owner.
  if (!r->exists && errno != ENOENT) return false;
  r->isInPlace = r->exists && isIrreplaceable(r->target, &r->old);
  if (r->isInPlace) return true;
  // The name alone would not keep a file that is not to be written from being replaced.
  if (r->exists && access(r->target, W_OK) != 0) return false;
  if (!openReplacement(r)) return r->isInPlace = r->exists;
  if (takeAfter(r)) return true;
  abandon(r);
  return r->isInPlace = true;
}

static bool fill(Replacement *r, const TileFileOutput *output) {
  if (!r->isInPlace) r->file = fdopen(r->descriptor, "wb");
  return r->isInPlace || (r->file && output->write(r->file, output->data) && !fflush(r->file));
}

/// Behind the new files, which can fail and leave nothing: what is written here is gone.
static bool writeInPlace(Replacement *r, const TileFileOutput *output) {
  if (!r->isInPlace) return true;
  r->descriptor = open(r->target, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
  r->file = r->descriptor >= 0 ? fdopen(r->descriptor, "wb") : NULL;
  return r->file && output->write(r->file, output->data) && !fflush(r->file);
}

/// A folder may have no room for names: with these, renaming wants none.
static bool name(Replacement *r, const TileFileOutput *output) {
  (void)output;
  return r->isInPlace || r->name || takeName(r, linkNamed);
}

/// The new file takes the target's name, where it has none yet as that of one output alone.
static bool publish(Replacement *r, const TileFileOutput *output) {
  if (r->isInPlace || (!r->name && !r->exists && linkTo(r, r->target))) return true;
  if (!name(r, output) || rename(r->name, r->target)) return false;
  tileTemporaryForget(r->slot);
  free(r->name);
  r->name = NULL;
  return true;
}

/// Writing can fail as late as this.
static bool finish(Replacement *r, const TileFileOutput *output) {
  (void)output;
  FILE *file = r->file;
  r->file = NULL;
  r->descriptor = -1;
  return fclose(file) == 0;
}

bool tileFileReplaceAll(const TileFileOutput *outputs, size_t count, TileError *error) {
  static bool (*const steps[])(Replacement *r, const TileFileOutput *output) = {
      prepare, fill, writeInPlace, name, publish, finish};
  Replacement *all = tileRuntimeAlloc(count * sizeof *all);
  size_t failed = count;
  for (size_t i = 0; i < count; ++i) all[i].descriptor = -1;
  for (size_t s = 0; failed == count && s < sizeof steps / sizeof *steps; ++s) {
    // One file alone is linked to its name at once, so that even kill -9 leaves no other.
    if (steps[s] == name && count == 1) continue;
    for (size_t i = 0; failed == count && i < count; ++i)
      if (!steps[s](&all[i], &outputs[i])) failed = i;
  }
  bool ok = failed == count || tileFileFail("write", outputs[failed].path, error);
  for (size_t i = 0; i < count; ++i) {
    abandon(&all[i]);
    free(all[i].target);
  }
  free(all);
  return ok;
}

bool tileFileReplace(const char *path, bool (*write)(FILE *file, const void *data),
                     const void *data, TileError *error) {
  const TileFileOutput output = {path, write, data};
  return tileFileReplaceAll(&output, 1, error);
}
