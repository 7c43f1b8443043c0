//===- Assemble.c - PTX to a cubin through ptxas --------------------------===//
#include "Emit.h"
#include "tile/Support/Process.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// The scratch files of one assembly, in a directory of their own.
typedef struct Scratch {
  char directory[256];
  char ptx[280], cubin[280], log[280];
  /// Of the folder, and of what is in it.
  int slots[4];
} Scratch;

static bool scratchCreate(Scratch *s) {
  if (!tileTemporaryMakeFolder(s->directory, sizeof s->directory)) return false;
  snprintf(s->ptx, sizeof s->ptx, "%s/kernel.ptx", s->directory);
  snprintf(s->cubin, sizeof s->cubin, "%s/kernel.cubin", s->directory);
  snprintf(s->log, sizeof s->log, "%s/log", s->directory);
  const char *const paths[] = {s->directory, s->ptx, s->cubin, s->log};
  for (int i = 0; i < 4; ++i) s->slots[i] = tileTemporaryNote(paths[i]);
  return true;
}

static void scratchDestroy(const Scratch *s) {
  unlink(s->ptx);
  unlink(s->cubin);
  unlink(s->log);
  rmdir(s->directory);
  for (int i = 0; i < 4; ++i) tileTemporaryForget(s->slots[i]);
}

static bool writeFile(const char *path, const TileBlob *blob) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  bool written = fwrite(blob->data, 1, blob->size, file) == blob->size;
  return fclose(file) == 0 && written;
}

static bool readFile(const char *path, TileBlob *blob) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  struct stat status;
  bool read = fstat(fileno(file), &status) == 0;
  if (read) {
    size_t size = (size_t)status.st_size;
    char *data = malloc(size + 1);
    read = data && fread(data, 1, size, file) == size;
    if (read) *blob = tileBlobCreate(data, size);
    free(data);
  }
  fclose(file);
  return read;
}

/// Is it a program? Then `file` keeps its name.
static bool isProgram(const char *file) {
  struct stat status;
  return *file && !stat(file, &status) && S_ISREG(status.st_mode) && !access(file, X_OK);
}

/// The assembler's file: what $TILE_PTXAS names, which is none where it is empty; else the first of
/// PATH; else that of a toolkit.
static bool findPtxas(char *file, size_t size) {
  const char *named = getenv("TILE_PTXAS"), *path = getenv("PATH");
  if (named) {
    snprintf(file, size, "%s", named);
    return isProgram(file);
  }
  for (const char *at = path ? path : ""; *at; at += strcspn(at, ":"), at += *at == ':') {
    snprintf(file, size, "%.*s/ptxas", (int)strcspn(at, ":"), at);
    if (isProgram(file)) return true;
  }
  const char *const toolkits[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
  for (int i = 0; i < 3; ++i) {
    snprintf(file, size, "%s/bin/ptxas", toolkits[i] ? toolkits[i] : "");
    if (toolkits[i] && isProgram(file)) return true;
  }
  return false;
}

static int runPtxas(const Scratch *s, const TileMachine *arch) {
  char archOption[32], file[4096];
  if (!findPtxas(file, sizeof file)) return -1;
  snprintf(archOption, sizeof archOption, "-arch=%s", arch->name);
  char *const arguments[] = {file, archOption,       "-v", "-lineinfo", (char *)s->ptx,
                             "-o", (char *)s->cubin, NULL};
  return tileProcessRun(arguments, s->log, true);
}

bool tileTargetDescribeAssembler(char *text, size_t size) {
  char file[4096];
  struct stat status;
  if (!findPtxas(file, sizeof file) || stat(file, &status)) return false;
  snprintf(text, size, "ptxas %llu %llu of %lld.%09ld", (unsigned long long)status.st_ino,
           (unsigned long long)status.st_size, (long long)status.st_mtim.tv_sec,
           status.st_mtim.tv_nsec);
  return true;
}

bool tileTargetTryToAssemble(const TileBlob *ptx, const TileMachine *arch, TileBlob *cubin,
                             TileBlob *said) {
  *cubin = (TileBlob){0};
  *said = (TileBlob){0};
  Scratch scratch;
  if (!scratchCreate(&scratch)) return false;
  bool made = writeFile(scratch.ptx, ptx) && runPtxas(&scratch, arch) == 0 &&
              readFile(scratch.cubin, cubin);
  if (made) readFile(scratch.log, said);
  scratchDestroy(&scratch);
  return made;
}

MlirLogicalResult tileTargetAssemble(MlirLocation loc, const TileBlob *ptx, const TileMachine *arch,
                                     TileBlob *cubin, TileBlob *said, bool *found) {
  *cubin = (TileBlob){0};
  *said = (TileBlob){0};
  *found = true;
  Scratch scratch;
  if (!scratchCreate(&scratch))
    return tileTargetFail(loc, "a writable directory for temporary files", scratch.directory);
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (!writeFile(scratch.ptx, ptx)) {
    tileTargetFail(loc, "room for a temporary file", scratch.ptx);
  } else {
    int status = runPtxas(&scratch, arch);
    if (status < 0) {
      *found = false;
    } else {
      bool read = readFile(scratch.log, said) && said->size;
      if (status == 0 && readFile(scratch.cubin, cubin))
        result = mlirLogicalResultSuccess();
      else
        tileTargetFail(loc, "PTX that ptxas assembles", read ? said->data : "no word from ptxas");
    }
  }
  scratchDestroy(&scratch);
  return result;
}

MlirLogicalResult tileTargetDisassemble(MlirLocation loc, const TileBlob *cubin, TileBlob *sass,
                                        bool *found) {
  *sass = (TileBlob){0};
  *found = false;
  Scratch scratch;
  if (!scratchCreate(&scratch))
    return tileTargetFail(loc, "a writable directory for temporary files", scratch.directory);
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (!writeFile(scratch.cubin, cubin)) {
    tileTargetFail(loc, "room for a temporary file", scratch.cubin);
  } else {
    char *const nvdisasm[] = {"nvdisasm", "-c", "-g", scratch.cubin, NULL};
    char *const cuobjdump[] = {"cuobjdump", "-sass", scratch.cubin, NULL};
    int status = tileProcessRun(nvdisasm, scratch.log, false);
    if (status < 0) status = tileProcessRun(cuobjdump, scratch.log, false);
    *found = status >= 0;
    if (status == 0 && readFile(scratch.log, sass))
      result = mlirLogicalResultSuccess();
    else if (status > 0)
      tileTargetFail(loc, "a cubin that the disassembler reads", "that it failed");
  }
  scratchDestroy(&scratch);
  return result;
}
