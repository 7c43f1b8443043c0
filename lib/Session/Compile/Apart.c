//===- Apart.c - code made here, or in a child process --------------------===//
//
// A lowering ends with code and with what a launch has to know of it. Where the options say so, all
// of that happens in a child (tile/Support/Child.h), which has this process's module and passes as
// they are, and sends back:
//
//   diagnostics   as tile/Session/Said.h has them; and whether there is code
//   launch        the attribute as text
//   code          LLVM IR, PTX or assembly; an object of the CPU. Cubins are assembled here: the
//                 driver, which may have to do that, does not live in a child.
//===----------------------------------------------------------------------===//
#include "CompileKernel.h"
#include "tile/Session/Said.h"
#include "tile/Support/Child.h"
#include "tile/Text.h"
#include <stdlib.h>
#include <string.h>

static MlirLogicalResult generate(TileProgram *p, TileLowering *l, bool forCpu, TileEmit stage,
                                  TileCode *code) {
  TILE_TRY(tileLoweringRun(p, l));
  code->launch = tileProgramCollectLaunch(mlirModuleGetOperation(l->module));
  return forCpu ? tileLoweringGenerateCpu(l->module, l->stages, stage, &code->binary)
                : tileLoweringGenerateGpu(p, p->device, l->module, l->stages, stage, &code->binary);
}

typedef struct Work {
  TileProgram *program;
  TileLowering *lowering;
  bool forCpu;
  TileEmit stage;
} Work;

//===- the child ----------------------------------------------------------===//

static void workThere(void *data, FILE *out) {
  const Work *w = data;
  TileCode code = {.binary = {0}};
  TileText launch = {0};
  mlirContextAttachDiagnosticHandler(w->program->context, tileSaidWrite, out, NULL);
  TileEmit stage = !w->forCpu && w->stage > TILE_EMIT_PTX ? TILE_EMIT_PTX : w->stage;
  bool made =
      mlirLogicalResultIsSuccess(generate(w->program, w->lowering, w->forCpu, stage, &code));
  if (made) mlirAttributePrint(code.launch, tileTextCollect, &launch);
  tileSaidEnd(out);
  fputc(made, out);
  tileSaidWriteText(out, launch.data, launch.size);
  tileSaidWriteText(out, code.binary.data, made ? code.binary.size : 0);
}

//===- the parent ---------------------------------------------------------===//

static MlirLogicalResult readAnswer(const Work *w, const char *data, size_t size, TileCode *code) {
  TileProgram *p = w->program;
  const char *at = data, *end = data + size;
  MlirStringRef launch, binary;
  if (!tileSaidRepeat(&at, end, p->context) || at == end || !*at++ ||
      !tileSaidTakeText(&at, end, &launch) || !tileSaidTakeText(&at, end, &binary))
    return mlirLogicalResultFailure();
  code->launch = mlirAttributeParseGet(p->context, launch);
  TileBlob made = {.data = tileRuntimeAlloc(binary.length + 1), .size = binary.length};
  memcpy(made.data, binary.data, binary.length);
  ((char *)made.data)[binary.length] = 0;
  code->binary = made;
  if (w->forCpu || w->stage <= TILE_EMIT_PTX) return mlirLogicalResultSuccess();
  code->binary = (TileBlob){0};
  MlirLogicalResult result = tileLoweringAssemble(
      p, p->device, w->lowering->module, &made,
      (int)tileProgramGetLaunchInt(code, "tile_gpu.shared_bytes", 0), &code->binary);
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

static MlirLogicalResult makeHereOrApart(TileProgram *p, TileLowering *l, bool forCpu,
                                         TileEmit stage, TileCode *code) {
  const Work work = {p, l, forCpu, stage};
  p->childEnd = TILE_CHILD_DONE;
  if (p->options.apart && !l->stages && !p->checker) return makeApart(&work, code);
  tileChildHoldForks();
  MlirLogicalResult result = generate(p, l, forCpu, stage, code);
  tileChildAllowForks();
  return result;
}

static MlirLogicalResult makeGpu(TileProgram *p, TileLowering *l, TileEmit stage, TileCode *code) {
  return makeHereOrApart(p, l, false, stage, code);
}

MlirLogicalResult tileLoweringMake(TileProgram *p, TileLowering *l, bool forCpu, TileEmit stage,
                                   TileCode *code) {
  return forCpu ? makeHereOrApart(p, l, true, stage, code)
                : tileLoweringMakeBest(p, l, stage, makeGpu, code);
}

TileChildEnd tileProgramGetChildEnd(const TileProgram *program) { return program->childEnd; }
