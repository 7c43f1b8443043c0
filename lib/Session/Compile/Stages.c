//===- Stages.c - writing stages out, and taking edited ones in -----------===//
//
//   DIR/matmul/00-input.mlir          the kernel and its helpers
//   DIR/matmul/01-tile-instantiate.mlir
//                                     after the first pass
//   DIR/matmul/NN-tile-pipeline.mlir  ...
//   DIR/matmul/NN-llvm.ll  NN-ptx.ptx  NN-cubin.cubin  NN-sass.sass
//
// A kernel that is compiled again for other facts or meta-parameters gets DIR/matmul.2. On the CPU
// the last ones are llvm.ll, asm.s and object.o.
//
// To see each pass, the pipeline is taken apart: its text, as MLIR prints it, becomes a list with
// one pass an entry, `builtin.module(tile.func(cse))`, and each is run by itself. An edited stage
// replaces what the pass (or code generation) made, and what follows goes on from there. It is
// named as its file is, with the number or without where the name occurs once.
//
//===----------------------------------------------------------------------===//
#include "../ProgramImpl.h"
#include "tile/Runtime/Output.h"
#include "tile/Support/Names.h"
#include "tile/Support/Suggest.h"
#include "tile/Text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_NAME = 64 };

/// One pass: what to run and what to call it.
typedef struct Step {
  char *pipeline;
  char name[MAX_NAME];
} Step;

struct TileStages {
  TileProgram *program;
  const TileProgramKernel *kernel;
  /// DIR/KERNEL; empty without --dump-dir.
  char directory[4096];
  Step *steps;
  unsigned numSteps, capacity, number;
  /// By override: it has found its stage.
  bool *used;
};

static MlirLocation locOf(const TileStages *s) { return mlirOperationGetLocation(s->kernel->func); }

//===- the list of passes -------------------------------------------------===//

/// Adds the pass "cse{...}" (`length` characters) under anchors "builtin.module(tile.func(".
static void addStep(TileStages *s, const char *anchors, int depth, const char *pass,
                    size_t length) {
  if (s->numSteps == s->capacity) {
    s->capacity = 2 * s->capacity + 32;
    s->steps = realloc(s->steps, s->capacity * sizeof *s->steps);
    if (!s->steps) abort();
  }
  Step *step = &s->steps[s->numSteps++];
  *step = (Step){0};
  size_t size = strlen(anchors) + length + (size_t)depth + 1;
  step->pipeline = tileRuntimeAlloc(size);
  snprintf(step->pipeline, size, "%s%.*s", anchors, (int)length, pass);
  memset(step->pipeline + strlen(step->pipeline), ')', (size_t)depth);
  size_t name = 0;
  while (name < length && name < MAX_NAME - 1 && pass[name] != '{' && pass[name] != ' ') ++name;
  memcpy(step->name, pass, name);
}

/// The length of an anchor or a pass with its options, up to the ',', '(' or ')' after it.
static size_t measure(const char *at) {
  int braces = 0;
  size_t i = 0;
  for (; at[i]; ++i) {
    braces += (at[i] == '{') - (at[i] == '}');
    if (!braces && strchr(",()", at[i])) break;
  }
  return i;
}

static void splitPipeline(TileStages *s, const char *text) {
  char anchors[512] = "";
  size_t lengths[8] = {0};
  int depth = 0;
  for (const char *at = text; *at;) {
    size_t length = measure(at);
    if (at[length] == '(' && depth < 8) {
      lengths[depth] = strlen(anchors);
      snprintf(anchors + lengths[depth], sizeof anchors - lengths[depth], "%.*s(", (int)length, at);
      ++depth;
      at += length + 1;
      continue;
    }
    if (length) addStep(s, anchors, depth, at, length);
    at += length;
    for (; *at == ')' && depth; ++at) anchors[lengths[--depth]] = 0;
    if (*at) ++at;
  }
}

//===- which stage an override means --------------------------------------===//

/// The stage's name in override `text` ("KERNEL/STAGE=FILE") if it is for this kernel, with its
/// length; NULL otherwise.
static const char *findStage(const TileStages *s, const char *text, size_t *length) {
  const char *equals = strchr(text, '=');
  const char *slash = memchr(text, '/', (size_t)(equals - text));
  MlirStringRef kernel = s->kernel->name;
  bool other = slash && ((size_t)(slash - text) != kernel.length ||
                         memcmp(text, kernel.data, kernel.length) != 0);
  const char *stage = slash ? slash + 1 : text;
  *length = (size_t)(equals - stage);
  return other ? NULL : stage;
}

/// The file to take instead of stage `name`, or NULL.
static const char *findOverride(TileStages *s, const char *name) {
  char numbered[MAX_NAME + 16];
  snprintf(numbered, sizeof numbered, "%02u-%s", s->number, name);
  const TileProgramOptions *o = &s->program->options;
  for (size_t i = 0; i < o->numOverrides; ++i) {
    size_t length;
    const char *stage = findStage(s, o->overrides[i], &length);
    if (!stage) continue;
    bool same = strlen(name) == length && !memcmp(stage, name, length);
    same |= strlen(numbered) == length && !memcmp(stage, numbered, length);
    if (!same) continue;
    s->used[i] = true;
    return stage + length + 1;
  }
  return NULL;
}

/// A name without a number that several passes have says nothing.
static MlirLogicalResult checkOverrides(const TileStages *s) {
  const TileProgramOptions *o = &s->program->options;
  for (size_t i = 0; i < o->numOverrides; ++i) {
    size_t length, count = 0;
    const char *stage = findStage(s, o->overrides[i], &length);
    char numbers[256] = "";
    for (unsigned k = 0; stage && k < s->numSteps; ++k) {
      const char *name = s->steps[k].name;
      if (strlen(name) != length || memcmp(name, stage, length) != 0) continue;
      size_t used = strlen(numbers);
      snprintf(numbers + used, sizeof numbers - used, "%s%02u-%s", count++ ? ", " : "", k + 1,
               name);
    }
    if (count < 2) continue;
    tileEmitError(locOf(s), "expected one of %s to override, found '%.*s'", numbers, (int)length,
                  stage);
    return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult checkUsed(const TileStages *s) {
  const TileProgramOptions *o = &s->program->options;
  for (size_t i = 0; i < o->numOverrides; ++i) {
    size_t length;
    const char *stage = findStage(s, o->overrides[i], &length);
    if (!stage || s->used[i]) continue;
    TileSuggestion suggestion = tileSuggestionFor(stage, length);
    for (unsigned k = 0; k < s->numSteps; ++k)
      tileSuggestionOffer(&suggestion, s->steps[k].name, strlen(s->steps[k].name));
    tileEmitError(locOf(s),
                  "expected a stage of kernel '%.*s' to override (--dump-dir shows them), found "
                  "'%.*s'%s",
                  (int)s->kernel->name.length, s->kernel->name.data, (int)length, stage,
                  tileSuggestionSay(&suggestion).text);
    return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}

//===- files --------------------------------------------------------------===//

static MlirLogicalResult complain(const TileStages *s, const char *what, const char *path) {
  tileEmitError(locOf(s), "expected to %s '%s', found: %s", what, path, strerror(errno));
  return mlirLogicalResultFailure();
}

/// DIR/KERNEL, or DIR/KERNEL.2 and so on for the next compilations of it.
static MlirLogicalResult makeDirectory(TileStages *s) {
  const char *base = s->program->options.dumpDir;
  if (!base) return mlirLogicalResultSuccess();
  if (mkdir(base, 0777) && errno != EEXIST) return complain(s, "make the folder", base);
  char suffix[16] = "";
  unsigned *times = &((TileProgramKernel *)(uintptr_t)s->kernel)->dumps;
  if (++*times > 1) snprintf(suffix, sizeof suffix, ".%u", *times);
  snprintf(s->directory, sizeof s->directory, "%s/%.*s%s", base, (int)s->kernel->name.length,
           s->kernel->name.data, suffix);
  if (mkdir(s->directory, 0777) && errno != EEXIST)
    return complain(s, "make the folder", s->directory);
  return mlirLogicalResultSuccess();
}

static void pathOf(const TileStages *s, const char *name, const char *extension, char *path,
                   size_t size) {
  snprintf(path, size, "%s/%02u-%s.%s", s->directory, s->number, name, extension);
}

static MlirLogicalResult writeStage(const TileStages *s, const char *name, const char *extension,
                                    const TileBlob *blob) {
  if (!s->directory[0]) return mlirLogicalResultSuccess();
  char path[4300];
  pathOf(s, name, extension, path, sizeof path);
  TileError error = TILE_ERROR_INIT;
  if (tileOutputWrite(path, blob->data, blob->size, &error)) return mlirLogicalResultSuccess();
  return tileProgramReport(locOf(s), &error);
}

static MlirLogicalResult readStage(const TileStages *s, const char *path, TileBlob *blob) {
  // A pipe would wait for its writer.
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
  struct stat status;
  if (!file && descriptor >= 0) close(descriptor);
  if (!file) return complain(s, "read", path);
  bool ok = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
  if (ok) {
    blob->size = (size_t)status.st_size;
    blob->data = tileRuntimeAlloc(blob->size + 1);
    ok = fread(blob->data, 1, blob->size, file) == blob->size;
  }
  fclose(file);
  if (ok) return mlirLogicalResultSuccess();
  errno = errno ? errno : EINVAL;
  return complain(s, "read", path);
}

//===- the stages ---------------------------------------------------------===//

bool tileStagesAreWanted(const TileProgram *p) {
  return p->options.dumpDir || p->options.numOverrides;
}

MlirLogicalResult tileStagesCreate(TileProgram *p, const TileProgramKernel *kernel,
                                   TileStages **stages) {
  *stages = NULL;
  if (!tileStagesAreWanted(p)) return mlirLogicalResultSuccess();
  TileStages *s = tileRuntimeAlloc(sizeof *s);
  s->program = p;
  s->kernel = kernel;
  s->used = tileRuntimeAlloc(p->options.numOverrides + 1);
  *stages = s;
  return makeDirectory(s);
}

MlirLogicalResult tileStagesFinish(TileStages *s, MlirLogicalResult result) {
  if (!s) return result;
  if (mlirLogicalResultIsSuccess(result)) result = checkUsed(s);
  for (unsigned i = 0; i < s->numSteps; ++i) free(s->steps[i].pipeline);
  free(s->steps);
  free(s->used);
  free(s);
  return result;
}

static MlirLogicalResult visitModule(TileStages *s, const char *name, MlirModule *module) {
  const char *path = findOverride(s, name);
  if (path) {
    MlirModule edited = tileParseFile(s->program->context, tileString(path));
    if (mlirModuleIsNull(edited)) return mlirLogicalResultFailure();
    mlirModuleDestroy(*module);
    *module = edited;
  }
  TileText text = {0};
  tileTextAdd(&text, "");
  tileNamePrint(mlirModuleGetOperation(*module), tileTextCollect, &text);
  TileBlob blob = {.data = text.data, .size = text.size};
  MlirLogicalResult result = writeStage(s, name, "mlir", &blob);
  free(text.data);
  return result;
}

static MlirLogicalResult runStep(TileStages *s, const Step *step, MlirModule module) {
  MlirPassManager passes = mlirPassManagerCreate(s->program->context);
  tileProgramVerifyOnce(passes);
  TileText message = {0};
  MlirLogicalResult result =
      mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(passes), tileString(step->pipeline),
                            tileTextCollect, &message);
  if (mlirLogicalResultIsFailure(result))
    tileEmitError(locOf(s), "expected a pass that can be run alone, found '%s': %s", step->pipeline,
                  message.data ? message.data : "");
  else
    result = mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module));
  free(message.data);
  mlirPassManagerDestroy(passes);
  return result;
}

MlirLogicalResult tileStagesRunPasses(TileStages *s, MlirModule *module, MlirPassManager passes) {
  TileText text = {0};
  mlirPrintPassPipeline(mlirPassManagerGetAsOpPassManager(passes), tileTextCollect, &text);
  splitPipeline(s, text.data);
  free(text.data);
  TILE_TRY(checkOverrides(s));
  TILE_TRY(visitModule(s, "input", module));
  for (unsigned i = 0; i < s->numSteps; ++i) {
    s->number = i + 1;
    TILE_TRY(runStep(s, &s->steps[i], *module));
    TILE_TRY(visitModule(s, s->steps[i].name, module));
  }
  return mlirLogicalResultSuccess();
}

MlirLogicalResult tileStagesShow(TileStages *s, const char *name, const char *extension,
                                 const TileBlob *blob) {
  if (!s) return mlirLogicalResultSuccess();
  ++s->number;
  return writeStage(s, name, extension, blob);
}

MlirLogicalResult tileStagesVisit(TileStages *s, const char *name, const char *extension,
                                  TileBlob *blob) {
  if (!s) return mlirLogicalResultSuccess();
  ++s->number;
  const char *path = findOverride(s, name);
  if (path) {
    TileBlob edited = {0};
    TILE_TRY(readStage(s, path, &edited));
    tileBlobDestroy(blob);
    *blob = edited;
  }
  TILE_TRY(writeStage(s, name, extension, blob));
  if (strcmp(name, "cubin") != 0 || !s->directory[0]) return mlirLogicalResultSuccess();
  // Machine code as text, where a disassembler is installed.
  TileBlob sass;
  bool found;
  ++s->number;
  MlirLogicalResult result = tileTargetDisassemble(locOf(s), blob, &sass, &found);
  if (mlirLogicalResultIsSuccess(result)) result = writeStage(s, "sass", "sass", &sass);
  tileBlobDestroy(&sass);
  return found ? result : mlirLogicalResultSuccess();
}

void tileProgramVerifyOnce(MlirPassManager passes) { mlirPassManagerEnableVerifier(passes, false); }
