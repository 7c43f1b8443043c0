//===- Key.c - hashes and the identity of this build ----------------------===//
#include "CacheImpl.h"
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

TileCacheKey tileCacheHash(const TileCacheField *fields, size_t count) {
  TileCacheKey key;
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (size_t i = 0; i < count; ++i) {
    uint64_t size = fields[i].size;
    XXH3_128bits_update(&state, &size, sizeof size);
    if (size) XXH3_128bits_update(&state, fields[i].data, fields[i].size);
  }
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(&state));
  memcpy(key.bytes, bytes.digest, sizeof key.bytes);
  return key;
}

//===- build ids ----------------------------------------------------------===//

/// Three ids of 20 bytes in hexadecimal, and what stands between.
typedef struct Build {
  char text[256];
  size_t used;
} Build;

static void addId(Build *build, const unsigned char *id, size_t size) {
  if (build->used + 2 * size + 2 > sizeof build->text) return;
  if (build->used) build->text[build->used++] = '-';
  for (size_t i = 0; i < size; ++i, build->used += 2)
    snprintf(build->text + build->used, 3, "%02x", id[i]);
}

/// Adds the build id among the notes of one segment.
static void addFromNotes(Build *build, const char *notes, size_t size) {
  size_t at = 0;
  while (at + sizeof(ElfW(Nhdr)) <= size) {
    ElfW(Nhdr) note;
    memcpy(&note, notes + at, sizeof note);
    size_t name = at + sizeof note;
    size_t data = name + ((note.n_namesz + 3) & ~(size_t)3);
    if (data + note.n_descsz > size) return;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(notes + name, "GNU", 4))
      addId(build, (const unsigned char *)notes + data, note.n_descsz);
    at = data + ((note.n_descsz + 3) & ~(size_t)3);
  }
}

/// The object that holds this function, and the libraries of LLVM and MLIR.
static int visitObject(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  bool wanted = strstr(object->dlpi_name, "libLLVM") || strstr(object->dlpi_name, "libMLIR");
  ElfW(Addr) self = (ElfW(Addr))(uintptr_t)&tileCacheGetBuild;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    ElfW(Addr) start = object->dlpi_addr + segment->p_vaddr;
    wanted |= segment->p_type == PT_LOAD && self >= start && self - start < segment->p_memsz;
  }
  for (int i = 0; wanted && i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_NOTE) continue;
    const char *notes = (const char *)(uintptr_t)(object->dlpi_addr + segment->p_vaddr);
    addFromNotes(context, notes, segment->p_memsz);
  }
  return 0;
}

static Build processBuild;

static void findBuild(void) {
  dl_iterate_phdr(visitObject, &processBuild);
  // Without ids (a linker told to leave them out) at least the time of this file's compilation.
  if (!processBuild.used)
    snprintf(processBuild.text, sizeof processBuild.text, "%s %s", __DATE__, __TIME__);
}

const char *tileCacheGetBuild(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, findBuild);
  return processBuild.text;
}
