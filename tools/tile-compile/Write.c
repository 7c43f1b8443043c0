//===- Write.c - variants as C --------------------------------------------===//
#include "TileCompile.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_A_LINE = 20 };

/// A word of C for a name of the kernel's: what C does not take becomes '_'.
static void printWord(FILE *file, const char *name) {
  if (isdigit((unsigned char)*name)) fputc('_', file);
  for (; *name; ++name) fputc(isalnum((unsigned char)*name) ? *name : '_', file);
}

static tile_argument_info getArgument(const Bundle *b, size_t i) {
  tile_argument_info info = {.size = sizeof info};
  tile_kernel_get_argument(b->kernel, i, &info);
  return info;
}

/// The type that a C programmer gives; of pointers, what they point at.
static const char *getTypeName(tile_type type, bool isPointer) {
  switch (type) {
  case TILE_TYPE_I1:
    return "bool";
  case TILE_TYPE_I8:
    return "int8_t";
  case TILE_TYPE_I16:
    return "int16_t";
  case TILE_TYPE_I32:
    return "int32_t";
  case TILE_TYPE_I64:
    return "int64_t";
  case TILE_TYPE_F64:
    return "double";
  case TILE_TYPE_F32:
    return "float";
  default:
    return isPointer ? "void" : "float"; // which is rounded to the kernel's type
  }
}

/// "a", "b" and so on where the text has no names.
static void printName(FILE *file, const tile_argument_info *info, size_t i) {
  // Other words of C get a tail, too: nobody knows them all.
  if (!info->name || !strcmp(info->name, "stream") || !strcmp(info->name, "slots"))
    fprintf(file, "argument%zu", i);
  else
    printWord(file, info->name);
}

static void printSignature(FILE *file, const Bundle *b) {
  fputs("tile_status ", file);
  printWord(file, b->info.name);
  fputs("(void *stream", file);
  for (size_t i = 0; i < b->info.num_arguments; ++i) {
    tile_argument_info info = getArgument(b, i);
    fprintf(file, ", %s%s %s", info.is_pointer && !info.is_written ? "const " : "",
            getTypeName(info.type, info.is_pointer), info.is_pointer ? "*" : "");
    printName(file, &info, i);
  }
  fputc(')', file);
}

//===- the header ---------------------------------------------------------===//

static void writeHeader(FILE *file, const Bundle *b) {
  fprintf(file,
          "// Made of %s:%u by tile-compile %s.\n//\n"
          "// Launches '%s' on `stream` (a CUstream; NULL: the legacy default stream) of the CUDA\n"
          "// context that is current; pointers are of the device. Fails with a message of\n"
          "// tile_rt_get_message().\n#pragma once\n#include <tile-rt.h>\n\n"
          "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
          b->info.file ? b->info.file : "a text", b->info.line, tile_get_version(), b->info.name);
  printSignature(file, b);
  fputs(";\n\n#ifdef __cplusplus\n}\n#endif\n", file);
}

//===- the code -----------------------------------------------------------===//

static void writeBytes(FILE *file, const char *name, int number, const void *data, size_t size) {
  const unsigned char *bytes = data;
  fprintf(file, "static const unsigned char %s%d[] = {", name, number);
  for (size_t i = 0; i < size; ++i)
    fprintf(file, "%s%u,", i % BYTES_A_LINE ? "" : "\n", (unsigned)bytes[i]);
  // The driver reads PTX up to a NUL; and no array of C is empty.
  fputs("0};\n", file);
}

static void writeString(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\') fputc('\\', file);
    fputc(*text, file);
  }
  fputc('"', file);
}

static void writeGrid(FILE *file, int number, const tile_rt_variant *v) {
  if (!v->num_steps) return;
  fprintf(file, "static const tile_rt_step steps%d[] = {", number);
  for (int i = 0; i < v->num_steps; ++i) {
    const tile_rt_step *s = &v->steps[i];
    fprintf(file, "\n{%u, %u, %u, %u, %u, %u, INT64_C(%" PRId64 ")},", s->op, s->width, s->from,
            s->a, s->b, s->c, s->value);
  }
  fputs("};\n", file);
}

static void writeMaps(FILE *file, int number, const tile_rt_variant *v) {
  if (!v->num_maps) return;
  fprintf(file, "static const char *const maps%d[] = {", number);
  for (unsigned i = 0; i < v->num_maps; ++i) {
    fputs("\n", file);
    writeString(file, v->maps[i]);
    fputs(",", file);
  }
  fputs("};\n", file);
}

static void writeVariant(FILE *file, int number, const tile_rt_variant *v) {
  char steps[32] = "NULL", maps[32] = "NULL";
  if (v->num_steps) snprintf(steps, sizeof steps, "steps%d", number);
  if (v->num_maps) snprintf(maps, sizeof maps, "maps%d", number);
  fprintf(file,
          "{.code = code%d, .code_size = %zu, .arch = \"%s\", .major = %u, .minor = %u,\n"
          ".is_exact = %u, .is_ptx = %u, .facts = facts%d, .wave = %u, .is_persistent = %u,\n"
          ".shares_last = %u, .one_program = %u, .warps = %u, .shared_bytes = %u, .cluster = %u,\n"
          ".maps = %s, .num_maps = %u, .num_steps = %u, .num_extents = %u,\n"
          ".extents = {%u, %u, %u}, .steps = %s},\n",
          number, v->code_size, v->arch, v->major, v->minor, v->is_exact, v->is_ptx, number,
          v->wave, v->is_persistent, v->shares_last, v->one_program, v->warps, v->shared_bytes,
          v->cluster, maps, v->num_maps, v->num_steps, v->num_extents, v->extents[0], v->extents[1],
          v->extents[2], steps);
}

static void writeKernel(FILE *file, const Bundle *b) {
  fputs("static const uint8_t types[] = {", file);
  for (size_t i = 0; i < b->info.num_arguments; ++i) {
    tile_argument_info info = getArgument(b, i);
    fprintf(file, "%d, ", info.is_pointer ? 0 : (int)info.type);
  }
  fputs("0};\nstatic const tile_rt_variant variants[] = {\n", file);
  for (int i = 0; i < b->numVariants; ++i) writeVariant(file, i, &b->variants[i]);
  fputs("};\nstatic tile_rt_kernel kernel = {.size = sizeof kernel, .name = ", file);
  writeString(file, b->info.name);
  fprintf(file,
          ", .num_arguments = %zu, .types = types,\n.variants = variants, .num_variants = %d, "
          ".variant_size = sizeof *variants};\n\n",
          b->info.num_arguments, b->numVariants);
}

static void writeFunction(FILE *file, const Bundle *b) {
  printSignature(file, b);
  fputs(" {\nconst uint64_t slots[] = {", file);
  for (size_t i = 0; i < b->info.num_arguments; ++i) {
    tile_argument_info info = getArgument(b, i);
    bool isFloat = !info.is_pointer && info.type >= TILE_TYPE_F16;
    if (isFloat)
      fprintf(file, "tile_rt_pack((tile_type)%d, (double)", (int)info.type);
    else
      fputs(info.is_pointer ? "(uint64_t)(uintptr_t)" : "(uint64_t)", file);
    printName(file, &info, i);
    fputs(isFloat ? "), " : ", ", file);
  }
  fputs("0};\nreturn tile_rt_launch(&kernel, stream, slots);\n}\n", file);
}

static void writeCode(FILE *file, const Bundle *b, const char *header) {
  fprintf(file, "// Made by tile-compile %s.\n#include \"%s\"\n#include <stddef.h>\n\n",
          tile_get_version(), header);
  for (int i = 0; i < b->numVariants; ++i) {
    const tile_rt_variant *v = &b->variants[i];
    writeBytes(file, "code", i, v->code, v->code_size);
    writeBytes(file, "facts", i, v->facts, b->info.num_arguments);
    writeGrid(file, i, v);
    writeMaps(file, i, v);
  }
  writeKernel(file, b);
  writeFunction(file, b);
}

//===- files --------------------------------------------------------------===//

static FILE *openFile(const char *prefix, const char *end, char path[4096]) {
  snprintf(path, 4096, "%s%s", prefix, end);
  FILE *file = fopen(path, "w");
  if (!file) fprintf(stderr, "error: expected to write '%s', found: %s\n", path, strerror(errno));
  return file;
}

static bool closeFile(FILE *file, const char *path) {
  bool ok = !ferror(file);
  ok &= fclose(file) == 0;
  if (!ok) {
    fprintf(stderr, "error: expected to write '%s', found: %s\n", path, strerror(errno));
    remove(path);
  }
  return ok;
}

bool writeBundle(const Bundle *b, const char *prefix) {
  char path[4096];
  FILE *file = openFile(prefix, ".h", path);
  if (!file) return false;
  writeHeader(file, b);
  if (!closeFile(file, path)) return false;
  const char *slash = strrchr(path, '/');
  char header[4096];
  snprintf(header, sizeof header, "%s", slash ? slash + 1 : path);
  file = openFile(prefix, ".c", path);
  if (!file) return false;
  writeCode(file, b, header);
  return closeFile(file, path);
}
