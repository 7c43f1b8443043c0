//===- Apart.c - code made here, or in a child process --------------------===//
//
// A lowering ends with code and with what a launch has to know of it. Where the options say so, all
// of that happens in a child (tile/Support/Child.h), which has this process's module and passes as
// they are, and sends back:
//
//   diagnostics   a severity, line, column, file and text each
//   launch        the attribute as text
//   code          LLVM IR, PTX or assembly; an object of the CPU. Cubins are assembled here: the
//                 driver, which may have to do that, does not live in a child.
//===----------------------------------------------------------------------===//
#include "CompileKernel.h"
#include "tile/Support/Child.h"
#include "tile/Support/Source.h"
#include "tile/Text.h"
#include <stdlib.h>
#include <string.h>

static MlirLogicalResult generate(TileProgram *p, TileLowering *l, bool forCpu, TileEmit stage,
                                  TileCode *code) {
  TILE_TRY(tileLoweringRun(p, l));
  code->launch = tileProgramCollectLaunch(mlirModuleGetOperation(l->module));
  return forCpu ? tileLoweringGenerateCpu(l->module, l->stages, stage, &code->binary)
                : tileLoweringGenerateGpu(p, l->module, l->stages, stage, &code->binary);
}

typedef struct Work {
  TileProgram *program;
  TileLowering *lowering;
  bool forCpu;
  TileEmit stage;
} Work;

//===- the child ----------------------------------------------------------===//

static void writeText(FILE *out, const char *data, size_t size) {
  uint64_t length = size;
  fwrite(&length, sizeof length, 1, out);
  fwrite(data, 1, size, out);
}

static void writeDiagnostic(FILE *out, MlirDiagnostic diagnostic, uint32_t severity) {
  TileText text = {0};
  TileSourcePlace place = {.line = 0};
  bool has = tileSourceFind(mlirDiagnosticGetLocation(diagnostic), &place);
  const uint32_t head[] = {severity, has ? (uint32_t)place.line : 0,
                           has ? (uint32_t)place.column : 0};
  mlirDiagnosticPrint(diagnostic, tileTextCollect, &text);
  fwrite(head, sizeof head, 1, out);
  writeText(out, has ? place.file.data : "", has ? place.file.length : 0);
  writeText(out, text.data ? text.data : "", text.size);
  free(text.data);
}

enum { SEVERITY_NOTE = 8, SEVERITY_END = 9 };

/// Of notes the first: more than one has no diagnostic of tile's.
static MlirLogicalResult onDiagnostic(MlirDiagnostic diagnostic, void *data) {
  writeDiagnostic(data, diagnostic, (uint32_t)mlirDiagnosticGetSeverity(diagnostic));
  if (mlirDiagnosticGetNumNotes(diagnostic) > 0)
    writeDiagnostic(data, mlirDiagnosticGetNote(diagnostic, 0), SEVERITY_NOTE);
  return mlirLogicalResultSuccess();
}

static void workThere(void *data, FILE *out) {
  const Work *w = data;
  TileCode code = {.binary = {0}};
  TileText launch = {0};
  mlirContextAttachDiagnosticHandler(w->program->context, onDiagnostic, out, NULL);
  TileEmit stage = !w->forCpu && w->stage > TILE_EMIT_PTX ? TILE_EMIT_PTX : w->stage;
  bool made =
      mlirLogicalResultIsSuccess(generate(w->program, w->lowering, w->forCpu, stage, &code));
  if (made) mlirAttributePrint(code.launch, tileTextCollect, &launch);
  const uint32_t end[] = {SEVERITY_END, made, 0};
  fwrite(end, sizeof end, 1, out);
  writeText(out, launch.data, launch.size);
  writeText(out, code.binary.data, made ? code.binary.size : 0);
}

//===- the parent ---------------------------------------------------------===//

/// What is left to be read.
typedef struct Answer {
  const char *at, *end;
} Answer;

static bool take(Answer *a, void *to, size_t size) {
  if ((size_t)(a->end - a->at) < size) return false;
  memcpy(to, a->at, size);
  a->at += size;
  return true;
}

static bool takeText(Answer *a, MlirStringRef *text) {
  uint64_t length;
  if (!take(a, &length, sizeof length) || (uint64_t)(a->end - a->at) < length) return false;
  *text = mlirStringRefCreate(a->at, length);
  a->at += length;
  return true;
}

typedef struct Said {
  uint32_t severity;
  MlirLocation place;
  MlirStringRef text;
} Said;

/// The next diagnostic; false at their end, whose head is then `head`.
static bool takeDiagnostic(Answer *a, MlirContext context, uint32_t head[3], Said *said) {
  MlirStringRef file;
  if (!take(a, head, 3 * sizeof *head) || head[0] == SEVERITY_END || !takeText(a, &file) ||
      !takeText(a, &said->text))
    return false;
  said->severity = head[0];
  said->place = file.length ? mlirLocationFileLineColGet(context, file, head[1], head[2])
                            : mlirLocationUnknownGet(context);
  return true;
}

static void repeat(const Said *said, const Said *note) {
  int length = (int)said->text.length;
  const char *text = said->text.data;
  switch (said->severity) {
  case MlirDiagnosticWarning:
    tileEmitWarning(said->place, "%.*s", length, text);
    break;
  case MlirDiagnosticRemark:
    tileEmitRemark(said->place, "%.*s", length, text);
    break;
  default: {
    TileText first = {0}, second = {0};
    tileTextAddBytes(&first, text, said->text.length);
    if (note) tileTextAddBytes(&second, note->text.data, note->text.length);
    if (note)
      tileEmitErrorWithNote(said->place, first.data, note->place, second.data);
    else
      tileEmitError(said->place, "%s", first.data ? first.data : "");
    free(first.data);
    free(second.data);
  }
  }
}

/// Says all that the child had to say; whether it made code, whose texts come next.
static bool repeatAll(Answer *a, MlirContext context) {
  uint32_t head[3] = {0};
  Said said, next;
  bool has = takeDiagnostic(a, context, head, &said);
  while (has) {
    bool more = takeDiagnostic(a, context, head, &next);
    bool isNote = more && next.severity == SEVERITY_NOTE;
    repeat(&said, isNote ? &next : NULL);
    if (isNote) more = takeDiagnostic(a, context, head, &next);
    said = next;
    has = more;
  }
  return head[0] == SEVERITY_END && head[1];
}

static MlirLogicalResult readAnswer(const Work *w, const char *data, size_t size, TileCode *code) {
  TileProgram *p = w->program;
  Answer a = {data, data + size};
  MlirStringRef launch, binary;
  if (!repeatAll(&a, p->context)) return mlirLogicalResultFailure();
  if (!takeText(&a, &launch) || !takeText(&a, &binary)) return mlirLogicalResultFailure();
  code->launch = mlirAttributeParseGet(p->context, launch);
  TileBlob made = {.data = tileRuntimeAlloc(binary.length + 1), .size = binary.length};
  memcpy(made.data, binary.data, binary.length);
  ((char *)made.data)[binary.length] = 0;
  code->binary = made;
  if (w->forCpu || w->stage <= TILE_EMIT_PTX) return mlirLogicalResultSuccess();
  code->binary = (TileBlob){0};
  MlirLogicalResult result = tileLoweringAssemble(
      p, &made, (int)tileProgramGetLaunchInt(code, "tile_gpu.shared_bytes", 0), &code->binary);
  tileBlobDestroy(&made);
  return result;
}

static MlirLogicalResult makeApart(const Work *w, TileCode *code) {
  TileProgram *p = w->program;
  char *data;
  size_t size;
  p->childEnd = tileChildRun(p->options.apart, workThere, (void *)(uintptr_t)w, &data, &size);
  if (p->childEnd != TILE_CHILD_DONE) {
    tileEmitError(p->loc, "expected to compile this in a child process, %s",
                  tileChildDescribe(p->childEnd));
    return mlirLogicalResultFailure();
  }
  MlirLogicalResult result = readAnswer(w, data, size, code);
  free(data);
  return result;
}

MlirLogicalResult tileLoweringMake(TileProgram *p, TileLowering *l, bool forCpu, TileEmit stage,
                                   TileCode *code) {
  const Work work = {p, l, forCpu, stage};
  p->childEnd = TILE_CHILD_DONE;
  if (p->options.apart && !l->stages && !p->checker) return makeApart(&work, code);
  tileChildHoldForks();
  MlirLogicalResult result = generate(p, l, forCpu, stage, code);
  tileChildAllowForks();
  return result;
}

TileChildEnd tileProgramGetChildEnd(const TileProgram *program) { return program->childEnd; }
