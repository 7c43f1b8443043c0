//===- Trust.c - whose cache it is, and where -----------------------------===//
//
// What is in the cache is run. So nobody but its user (and root) may have been able to put
// something there: the folder and the files in it belong to them, others cannot write them, and no
// link leads elsewhere. The digest of an entry is no proof, as anybody can compute it.
//
//===----------------------------------------------------------------------===//
#include "CacheImpl.h"
#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static bool isOwn(const struct stat *status) {
  bool owned = status->st_uid == geteuid() || status->st_uid == 0;
  return owned && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

static bool refuse(TileCache *cache, const char *path, const struct stat *status) {
  tileCacheWarn(cache,
                "expected the cache in '%s' to be this user's, found '%s', which %s; running "
                "without",
                cache->directory, path,
                S_ISLNK(status->st_mode)                                 ? "is a symbolic link"
                : status->st_uid != geteuid() && status->st_uid != 0     ? "belongs to another"
                : !S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode) ? "is no regular file"
                                                                         : "others may write");
  return false;
}

/// One of the cache's files, which need not be there.
static bool checkFile(TileCache *cache, const char *end) {
  struct stat status;
  size_t size = strlen(cache->path) + 8;
  char *path = tileRuntimeAlloc(size);
  snprintf(path, size, "%s%s", cache->path, end);
  bool there = lstat(path, &status) == 0;
  bool ok = !there || (S_ISREG(status.st_mode) && isOwn(&status)) || refuse(cache, path, &status);
  // Versions before this one let others read it.
  if (there && ok && status.st_uid == geteuid() && (status.st_mode & 077)) chmod(path, 0600);
  free(path);
  return ok;
}

bool tileCacheIsTrusted(TileCache *cache) {
  struct stat status;
  if (stat(cache->directory, &status) == 0 && !isOwn(&status))
    return refuse(cache, cache->directory, &status);
  return checkFile(cache, "") && checkFile(cache, "-wal") && checkFile(cache, "-shm") &&
         checkFile(cache, "-journal");
}

bool tileCacheIsRemote(const TileCache *cache) {
  // Of those that <linux/magic.h> lacks: Lustre, GPFS, BeeGFS, OrangeFS, Panasas, vboxsf, and FUSE,
  // behind which sshfs and the like are. From the file systems' own sources, as coreutils' stat.c
  // lists them.
  static const unsigned long remote[] = {
      NFS_SUPER_MAGIC, SMB_SUPER_MAGIC,  CIFS_SUPER_MAGIC, SMB2_SUPER_MAGIC, AFS_SUPER_MAGIC,
      AFS_FS_MAGIC,    CODA_SUPER_MAGIC, V9FS_MAGIC,       CEPH_SUPER_MAGIC, OCFS2_SUPER_MAGIC,
      0x0BD00BD0,      0x47504653,       0x19830326,       0x20030528,       0xAAD7AAEA,
      0x786F4256,      FUSE_SUPER_MAGIC,
  };
  struct statfs status;
  if (cache->options.remote) return true;
  if (statfs(cache->directory, &status) != 0) return false;
  for (size_t i = 0; i < sizeof remote / sizeof *remote; ++i)
    if (((unsigned long)status.f_type & 0xFFFFFFFFUL) == remote[i]) return true;
  return false;
}
