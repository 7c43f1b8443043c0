//===- Cubin.c - what a kernel's machine code takes of a thread -----------===//
//
// A cubin is an ELF file. Its section .nv.info has a list of attributes, of which `cuobjdump -elf`
// shows the names: a byte for the form (4: bytes of that number follow), one for the attribute, two
// for the value, or how many bytes it has; a register count and a frame are two words each, the
// symbol of the function and the number.
//===----------------------------------------------------------------------===//
#include "tile/Target/Registers.h"
#include <elf.h>
#include <string.h>

enum { FORM_BYTES = 4, ATTRIBUTE_FRAME_SIZE = 0x11, ATTRIBUTE_REGISTERS = 0x2f };

/// Copies `size` bytes at `at`; false where the blob has no such.
static bool read(const TileBlob *blob, uint64_t at, void *to, size_t size) {
  if (at > blob->size || size > blob->size - at) return false;
  memcpy(to, blob->data + at, size);
  return true;
}

static bool isNamed(const TileBlob *cubin, const Elf64_Shdr *names, uint64_t at, const char *name) {
  char text[16];
  size_t size = strlen(name) + 1;
  return size <= sizeof text && read(cubin, names->sh_offset + at, text, size) &&
         memcmp(text, name, size) == 0;
}

static bool findSection(const TileBlob *cubin, const char *name, Elf64_Shdr *section) {
  Elf64_Ehdr head;
  Elf64_Shdr names;
  if (!read(cubin, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_shentsize != sizeof *section ||
      !read(cubin, head.e_shoff + (uint64_t)head.e_shstrndx * sizeof names, &names, sizeof names))
    return false;
  for (unsigned i = 0; i < head.e_shnum; ++i)
    if (read(cubin, head.e_shoff + (uint64_t)i * sizeof *section, section, sizeof *section) &&
        isNamed(cubin, &names, section->sh_name, name))
      return true;
  return false;
}

bool tileCubinGetRegisters(const TileBlob *cubin, TileRegisterUse *use) {
  Elf64_Shdr section;
  *use = (TileRegisterUse){0};
  if (!findSection(cubin, ".nv.info", &section)) return false;
  uint64_t at = section.sh_offset, end = at + section.sh_size;
  int kernels = 0;
  while (at + 4 <= end) {
    unsigned char head[4];
    uint32_t words[2];
    if (!read(cubin, at, head, sizeof head)) return false;
    unsigned bytes = head[0] == FORM_BYTES ? head[2] | (unsigned)head[3] << 8 : 0;
    bool isPair = bytes == sizeof words && read(cubin, at + 4, words, sizeof words);
    if (isPair && head[1] == ATTRIBUTE_REGISTERS) use->registers = (int)words[1], ++kernels;
    if (isPair && head[1] == ATTRIBUTE_FRAME_SIZE) use->frameBytes = (int)words[1];
    at += 4 + bytes;
  }
  return kernels == 1;
}
