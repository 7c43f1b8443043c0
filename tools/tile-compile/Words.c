//===- Words.c - names and texts as C has them ----------------------------===//
#include "TileCompile.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void printComment(FILE *file, const char *text) {
  for (; *text; ++text) fputc(iscntrl((unsigned char)*text) || *text == '\\' ? '?' : *text, file);
}

/// What is no name for a function or parameter: keywords of C23 and C++23 and what stands for
/// operators, macros of compilers, and what the texts below say.
static const char *const taken =
    " alignas alignof and and_eq asm auto bitand bitor bool break "
    "case catch char char16_t char32_t char8_t class compl "
    "concept const const_cast consteval constexpr constinit continue "
    "co_await co_return co_yield decltype default "
    "delete do double dynamic_cast else enum explicit export extern "
    "false float for friend goto if import inline int "
    "linux long main module mutable namespace new noexcept not not_eq "
    "nullptr operator or or_eq private protected public "
    "register reinterpret_cast requires restrict return short signed "
    "sizeof static static_assert static_cast struct "
    "switch template this thread_local throw true try typedef typeid "
    "typename typeof typeof_unqual union unix unsigned "
    "using virtual void volatile wchar_t while xor xor_eq int8_t "
    "int16_t int32_t int64_t uint64_t uintptr_t INT64_C "
    "NULL tile_status tile_type tile_rt_launch tile_rt_pack "
    "tile_rt_kernel tile_rt_variant tile_rt_step "
    "tile_rt_launch_cpu tile_rt_code tile_rt_choice keys choices IS_ABLE stream slots "
    "kernel types variants ";

static bool isTaken(const char *word) {
  char *spaced;
  if (asprintf(&spaced, " %s ", word) < 0) return true;
  bool found = strstr(taken, spaced);
  free(spaced);
  size_t letters = strcspn(word, "0123456789");
  bool ends = word[letters] && !word[letters + strspn(word + letters, "0123456789")];
  static const char *const numbered[] = {"code", "facts", "steps", "maps", "key", "argument"};
  for (size_t i = 0; ends && i < sizeof numbered / sizeof *numbered; ++i)
    found |= letters == strlen(numbered[i]) && !strncmp(word, numbered[i], letters);
  return found;
}

void printWord(FILE *file, const char *name) {
  if (isdigit((unsigned char)*name)) fputc('_', file);
  for (const char *c = name; *c; ++c) fputc(isalnum((unsigned char)*c) ? *c : '_', file);
  if (isTaken(name)) fputc('_', file);
}

void printCpuName(FILE *file, const Bundle *b, int number) {
  printWord(file, b->info.name);
  fprintf(file, "_cpu%d", number);
}

void writeString(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text; ++text) {
    if (isprint((unsigned char)*text) && !strchr("\"\\?", *text))
      fputc(*text, file);
    else
      fprintf(file, "\\%03o", (unsigned char)*text);
  }
  fputc('"', file);
}
