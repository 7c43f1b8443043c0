//===- Assembly.c - code for the processor, as one file of assembly -------===//
//
// Each variant is a text of LLVM's with one function, the kernel's name, and labels that are its
// own. One behind the other they need other names: the function becomes NAME_cpu0, NAME_cpu1 and so
// on, and labels begin with the variant's number.
//
//===----------------------------------------------------------------------===//
#include "TileCompile.h"
#include <ctype.h>
#include <string.h>

bool isForProcessor(const tile_rt_variant *variant) { return !strcmp(variant->arch, "cpu"); }

static bool isPartOfName(char c) { return isalnum((unsigned char)c) || (c && strchr("_.$@", c)); }

/// What code calls of libtile, and what it is called in libtile-rt.
static const char *const called[][2] = {{"tileCpuSortOrder", "tile_rt_sort_order"},
                                        {"tileCpuSortMove", "tile_rt_sort_move"}};

/// A word that is no label: one of those, with "@PLT" behind it or without, or as it is.
static void copyWord(FILE *file, const char *word, size_t length) {
  for (size_t i = 0; i < sizeof called / sizeof *called; ++i) {
    size_t own = strlen(called[i][0]);
    if (length < own || strncmp(word, called[i][0], own) != 0) continue;
    if (length > own && word[own] != '@') continue;
    fprintf(file, "%s%.*s", called[i][1], (int)(length - own), word + own);
    return;
  }
  fwrite(word, 1, length, file);
}

/// Copies what stands in a line, up to its end: labels renamed, and where `names` the kernel's
/// name.
static void copyLine(FILE *file, const Bundle *b, int number, const char *at, const char *end,
                     bool names) {
  const char *kernel = b->info.name;
  while (at < end) {
    if (*at == '"') { // a text
      const char *close = at + 1;
      while (close < end && *close != '"') close += 1 + (*close == '\\');
      close = close < end ? close + 1 : end;
      fwrite(at, 1, (size_t)(close - at), file);
      at = close;
      continue;
    }
    const char *word = at;
    while (at < end && isPartOfName(*at)) ++at;
    size_t length = (size_t)(at - word);
    if (length > 2 && !strncmp(word, ".L", 2))
      fprintf(file, ".L%d_%.*s", number, (int)length - 2, word + 2);
    else if (names && length == strlen(kernel) && !strncmp(word, kernel, length))
      printCpuName(file, b, number);
    else
      copyWord(file, word, length);
    if (at < end && !isPartOfName(*at) && *at != '"') fputc(*at++, file);
  }
}

/// Instructions are called as kernels may be, too: names are looked for in labels and directives.
static void copyText(FILE *file, const Bundle *b, int number, const char *text) {
  while (*text) {
    const char *end = strchr(text, '\n');
    if (!end) end = text + strlen(text);
    const char *first = text + strspn(text, " \t");
    copyLine(file, b, number, text, end, first == text || *first == '.');
    fputc('\n', file);
    text = *end ? end + 1 : end;
  }
}

void writeAssembly(FILE *file, const Bundle *b, const char *header) {
  fprintf(file, "# Code of %s for the processor, made by tile-compile %s.\n", header,
          tile_get_version());
  for (int i = 0; i < b->numVariants; ++i)
    if (isForProcessor(&b->variants[i])) copyText(file, b, i, b->variants[i].code);
}

//===- processors ---------------------------------------------------------===//

/// What code for this processor may have instructions of. Every compiler of the systems that tile
/// runs on has __builtin_cpu_supports for these.
#if defined(__x86_64__)
#define FEATURES(X) X(avx2) X(fma) X(bmi2) X(avx512f) X(avx512bw) X(avx512dq) X(avx512vl)
#else
#define FEATURES(X)
#endif

void writeProcessorCheck(FILE *file) {
#if defined(__x86_64__)
  __builtin_cpu_init(); // where the C library runs no constructors of programs (cmake/Alone.cmake)
#endif
  fputs("#if defined(__x86_64__)\n#define IS_ABLE (1", file);
#define ADD_FEATURE(name)                                                                          \
  if (__builtin_cpu_supports(#name)) fputs(" && __builtin_cpu_supports(\"" #name "\")", file);
  FEATURES(ADD_FEATURE)
  fputs(")\n#else\n#define IS_ABLE 1\n#endif\n", file);
}
