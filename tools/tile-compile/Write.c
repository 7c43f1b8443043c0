//===- Write.c - variants as C --------------------------------------------===//
#include "TileCompile.h"
#include "tile/Runtime/Output.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_A_LINE = 20 };

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

/// Do two names become one word?
static bool isAlike(const char *a, const char *b) {
  for (; *a && *b; ++a, ++b)
    if (*a != *b && (isalnum((unsigned char)*a) || isalnum((unsigned char)*b))) return false;
  return *a == *b;
}

/// Parameters behind the arguments of a kernel that does not say what grid it has.
static const char *const gridNames[3] = {"grid_x", "grid_y", "grid_z"};

/// The parameter's name in the header, which is for readers; in the code they have numbers.
static void printName(FILE *file, const Bundle *b, const tile_argument_info *info, size_t i) {
  bool named = info->name != NULL;
  for (int k = 0; named && k < 3; ++k)
    named = b->info.has_grid || !isAlike(info->name, gridNames[k]);
  for (size_t k = 0; named && k < i; ++k) {
    tile_argument_info other = getArgument(b, k);
    named = !other.name || !isAlike(info->name, other.name);
  }
  if (named)
    printWord(file, info->name);
  else
    fprintf(file, "argument%zu", i);
}

static void printParameters(FILE *file, const Bundle *b, bool named, const char *first) {
  const char *separator = "";
  if (*first) fputs(first, file), separator = ", ";
  for (size_t i = 0; i < b->info.num_arguments; ++i, separator = ", ") {
    tile_argument_info info = getArgument(b, i);
    fprintf(file, "%s%s%s %s", separator, info.is_pointer && !info.is_written ? "const " : "",
            getTypeName(info.type, info.is_pointer), info.is_pointer ? "*" : "");
    if (named)
      printName(file, b, &info, i);
    else
      fprintf(file, "argument%zu", i);
  }
  for (int i = 0; i < 3 && !b->info.has_grid; ++i, separator = ", ")
    fprintf(file, "%suint32_t %s", separator, gridNames[i]);
  if (!*separator) fputs("void", file);
  fputc(')', file);
}

static void printSignature(FILE *file, const Bundle *b, bool named, bool ofProcessor) {
  fputs("tile_status ", file);
  printWord(file, b->info.name);
  fputs(ofProcessor ? "_cpu(" : "(", file);
  printParameters(file, b, named, ofProcessor ? "" : "void *stream");
}

static bool hasProcessor(const Bundle *b) {
  bool has = false;
  for (int i = 0; i < b->numVariants; ++i) has |= isForProcessor(&b->variants[i]);
  return has;
}

static bool hasDevice(const Bundle *b) {
  bool has = false;
  for (int i = 0; i < b->numVariants; ++i) has |= !isForProcessor(&b->variants[i]);
  return has;
}

//===- the header ---------------------------------------------------------===//

static void writeHeader(FILE *file, const Bundle *b, const char *header) {
  (void)header;
  fputs("// Made of ", file);
  printComment(file, b->info.file ? b->info.file : "a text");
  fprintf(file,
          ":%u by tile-compile %s. What fails has a message in tile_rt_get_message().\n"
          "#pragma once\n#include <tile-rt.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
          b->info.line, tile_get_version());
  if (hasDevice(b)) {
    fprintf(
        file,
        "// Launches '%s' on `stream` (a CUstream; NULL: the legacy default stream) of the CUDA\n"
        "// context that is current; pointers are of the device.%s\n",
        b->info.name, b->info.has_grid ? "" : " The grid is in programs.");
    printSignature(file, b, true, false);
    fputs(";\n\n", file);
  }
  if (hasProcessor(b)) {
    fprintf(file,
            "// Runs '%s' on the processor's cores until it is done; pointers are of the host.\n",
            b->info.name);
    printSignature(file, b, true, true);
    fputs(";\n\n", file);
  }
  fputs("#ifdef __cplusplus\n}\n#endif\n", file);
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

static void writeCpuVariant(FILE *file, const Bundle *b, int number) {
  const tile_rt_variant *v = &b->variants[number];
  char steps[32] = "NULL";
  if (v->num_steps) snprintf(steps, sizeof steps, "steps%d", number);
  fprintf(file,
          "{.arch = \"cpu\", .facts = facts%d, .num_steps = %u, .num_extents = %u,\n"
          ".extents = {%u, %u, %u}, .steps = %s, .config = %u, .cpu = ",
          number, v->num_steps, v->num_extents, v->extents[0], v->extents[1], v->extents[2], steps,
          v->config);
  printCpuName(file, b, number);
  fputs("},\n", file);
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
          ".extents = {%u, %u, %u}, .steps = %s, .config = %u, .packs = %u},\n",
          number, v->code_size, v->arch, v->major, v->minor, v->is_exact, v->is_ptx, number,
          v->wave, v->is_persistent, v->shares_last, v->one_program, v->warps, v->shared_bytes,
          v->cluster, maps, v->num_maps, v->num_steps, v->num_extents, v->extents[0], v->extents[1],
          v->extents[2], steps, v->config, v->packs);
}

static void writeKernel(FILE *file, const Bundle *b) {
  fputs("static const uint8_t types[] = {", file);
  for (size_t i = 0; i < b->info.num_arguments; ++i) {
    tile_argument_info info = getArgument(b, i);
    fprintf(file, "%d, ", info.is_pointer ? 0 : (int)info.type);
  }
  fputs("0};\nstatic const tile_rt_variant variants[] = {\n", file);
  for (int i = 0; i < b->numVariants; ++i)
    if (isForProcessor(&b->variants[i]))
      writeCpuVariant(file, b, i);
    else
      writeVariant(file, i, &b->variants[i]);
  fputs("};\n", file);
  writeChoices(file, b);
  fputs("static tile_rt_kernel kernel = {.size = sizeof kernel, .name = ", file);
  writeString(file, b->info.name);
  fprintf(file,
          ", .num_arguments = %zu, .types = types,\n.variants = variants, .num_variants = %d, "
          ".variant_size = sizeof *variants",
          b->info.num_arguments, b->numVariants);
  if (b->numChoices)
    fprintf(file,
            ",\n.keys = keys, .num_keys = %d, .choices = choices, .num_choices = %d, "
            ".choice_size = sizeof *choices",
            b->numKeys, b->numChoices);
  fputs("};\n\n", file);
}

static void writeFunction(FILE *file, const Bundle *b, bool ofProcessor) {
  printSignature(file, b, false, ofProcessor);
  fputs(" {\nconst uint64_t slots[] = {", file);
  for (size_t i = 0; i < b->info.num_arguments; ++i) {
    tile_argument_info info = getArgument(b, i);
    bool isFloat = !info.is_pointer && info.type >= TILE_TYPE_F16;
    if (isFloat)
      fprintf(file, "tile_rt_pack((tile_type)%d, (double)", (int)info.type);
    else
      fputs(info.is_pointer ? "(uint64_t)(uintptr_t)" : "(uint64_t)", file);
    fprintf(file, isFloat ? "argument%zu), " : "argument%zu, ", i);
  }
  // Where the steps of the grid look for them (tile-compile.c).
  for (int i = 0; i < 3 && !b->info.has_grid; ++i) fprintf(file, "(uint64_t)%s, ", gridNames[i]);
  fputs(ofProcessor ? "0};\nreturn tile_rt_launch_cpu(&kernel, slots, IS_ABLE);\n}\n"
                    : "0};\nreturn tile_rt_launch(&kernel, stream, slots);\n}\n",
        file);
}

static void writeCode(FILE *file, const Bundle *b, const char *header) {
  fprintf(file, "// Made by tile-compile %s.\n#include \"%s\"\n#include <stddef.h>\n\n",
          tile_get_version(), header);
  for (int i = 0; i < b->numVariants; ++i) {
    const tile_rt_variant *v = &b->variants[i];
    if (isForProcessor(v)) {
      fputs("extern tile_rt_code ", file);
      printCpuName(file, b, i);
      fputs(";\n", file);
    } else {
      writeBytes(file, "code", i, v->code, v->code_size);
    }
    writeBytes(file, "facts", i, v->facts, b->info.num_arguments);
    writeGrid(file, i, v);
    writeMaps(file, i, v);
  }
  writeKernel(file, b);
  if (hasDevice(b)) writeFunction(file, b, false);
  if (hasProcessor(b)) {
    writeProcessorCheck(file);
    writeFunction(file, b, true);
  }
}

//===- files --------------------------------------------------------------===//

/// The text that `write` writes, the caller's to free; NULL after an error.
static char *printText(void (*write)(FILE *file, const Bundle *b, const char *header),
                       const Bundle *b, const char *header, size_t *size) {
  char *text = NULL;
  FILE *file = open_memstream(&text, size);
  if (file) write(file, b, header);
  bool ok = file && !ferror(file);
  if (file) ok &= fclose(file) == 0;
  if (ok) return text;
  fputs("error: expected memory for the code, found none\n", stderr);
  free(text);
  return NULL;
}

bool writeBundle(const Bundle *b, const char *prefix) {
  static void (*const writers[])(FILE *file, const Bundle *b,
                                 const char *header) = {writeHeader, writeCode, writeAssembly};
  const int count = hasProcessor(b) ? 3 : 2;
  TileError error = TILE_ERROR_INIT;
  TileOutput outputs[3] = {0};
  char *path[3] = {NULL, NULL, NULL}, *text[3] = {NULL, NULL, NULL};
  bool ok = true;
  // Not PREFIX.s, whose object would have the name of PREFIX.c's.
  static const char *const endings[] = {".h", ".c", "_cpu.s"};
  for (int i = 0; ok && i < count; ++i) ok = asprintf(&path[i], "%s%s", prefix, endings[i]) > 0;
  for (int i = 0; ok && i < count; ++i) {
    const char *slash = strrchr(path[0], '/');
    text[i] = printText(writers[i], b, slash ? slash + 1 : path[0], &outputs[i].size);
    ok = text[i] != NULL;
    outputs[i].path = path[i];
    outputs[i].data = text[i];
  }
  ok = ok && tileOutputWriteAll(outputs, (size_t)count, &error);
  if (!ok && tileErrorGetMessage(&error)[0])
    fprintf(stderr, "error: %s\n", tileErrorGetMessage(&error));
  tileErrorDestroy(&error);
  for (int i = 0; i < count; ++i) {
    free(path[i]);
    free(text[i]);
  }
  return ok;
}
