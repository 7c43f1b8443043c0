//===- Wgmma.c - matrix products of warp groups ---------------------------===//
//
// wgmma.mma_async m64nN by 32 bytes of K (a step), operands read from shared memory by the
// tensor cores themselves, through 64-bit descriptors; A from registers where it is a tile:
//
//   nvvm.wgmma.fence.aligned
//   for m64:  acc[m] = llvm.inline_asm "for steps: wgmma.mma_async acc[m], descA(m, k), descB(k)"
//   nvvm.wgmma.commit.group ; acc = llvm.inline_asm "wgmma.wait_group 0" acc
//
// All steps are one inline_asm: each of LLVM's passes looks at every accumulator of each call, and
// nvvm.wgmma.mma_async is a call a step, of up to 256 operands. A dot of eight steps is an eighth
// of that. (Nor has that op a form for A in registers.)
//
// A descriptor (PTX ISA, "Matrix descriptor format"): bits 0-13 address / 16, 16-29
// leading byte offset / 16, 32-45 stride byte offset / 16, 62-63 swizzle. Operands are
// boxes of `swizzle` bytes a row (tileLayoutShared), which is K-major or MN-major:
//
//   K-major:   rows along M (or N); 8 rows apart: 8 * swizzle bytes; next step: 32 bytes on,
//              or the next box
//   MN-major:  rows along K; next box of M (or N): leading offset; 8 rows of K apart:
//              8 * swizzle bytes (stride offset); next step: 16 * swizzle bytes on. 16-bit elements
//              alone
//
// Of a tile with padding (tile.extents of tile-pad-extents) n is the multiple of 8 that holds the
// other columns: 240 of 256. Steps of which both operands are 0 (tile.depth of tile-narrow-dots)
// are left out.
//
// A in registers (tileLayoutWgmmaOperandA), of 16 bits, is laid out as an accumulator is, two
// elements a register: four registers are the fragment of one m64 by 32 bytes.
//
// What threads wrote for the tensor cores to read goes through a proxy fence before
// the barrier between them: lowerBarrier.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile/Analysis/DotForm.h"
#include "tile/Text.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { stepBytes = 32 }; // of K that one instruction multiplies

/// One operand as descriptors see it; or A in registers.
typedef struct {
  MlirValue words; // vector of i32, [m64][step][4]; null: in shared memory
  bool kMajor;
  int bytes;             // of an element
  int64_t extent, depth; // of M or N, and of K, in elements
  int64_t swizzle;       // bytes of a row of a box
  MlirValue start;       // i64: the descriptor of the warp group's first element
} WgmmaOperand;

/// Steps of an operand along K.
static int64_t stepsOf(const WgmmaOperand *o) { return o->depth * o->bytes / stepBytes; }

/// Byte offset of row mn, a multiple of 8, at step k in the operand's boxes. What lies within a row
/// of the swizzle is found there: the pattern is of addresses.
static int64_t offsetOf(const WgmmaOperand *o, int64_t mn, int64_t k) {
  int64_t row = o->swizzle / o->bytes;
  if (!o->kMajor)
    return mn / row * o->depth * o->swizzle + mn % row * o->bytes +
           k * (stepBytes / o->bytes) * o->swizzle;
  int64_t inRow = k * stepBytes, box = inRow / o->swizzle;
  return box * o->extent * o->swizzle + mn * o->swizzle + inRow % o->swizzle;
}

/// Everything of a descriptor but its address.
static uint64_t descriptorBits(const WgmmaOperand *o) {
  uint64_t leading = o->kMajor ? 0 : (uint64_t)(o->depth * o->swizzle);
  uint64_t stride = (uint64_t)(8 * o->swizzle);
  uint64_t swizzle = o->swizzle == 128 ? 1 : o->swizzle == 64 ? 2 : 3;
  return (leading >> 4 & 0x3fff) << 16 | (stride >> 4 & 0x3fff) << 32 | swizzle << 62;
}

/// Where a buffer begins, in units of 16 bytes. Of a ring's slot in the simplest form, so that it
/// stays one addition to the descriptor.
static MlirValue bufferSixteenths(Lowering *l, MlirValue buffer) {
  MlirOperation op = tileValueGetOp(buffer);
  if (!mlirOperationIsNull(op) && tileOpIsABufferStage(op)) {
    MlirValue size = lowerI32(l, tileBufferBytes(mlirValueGetType(buffer)) >> 4);
    MlirValue stage = lowerGet(l, tileBufferStageGetStage(op));
    MlirValue ring = bufferSixteenths(l, tileBufferStageGetRing(op));
    return tileBuildBinary(&l->b, "arith.addi", ring,
                           tileBuildBinary(&l->b, "arith.muli", stage, size));
  }
  if (!mlirOperationIsNull(op) && tileOpIsABufferTrans(op))
    return bufferSixteenths(l, tileBufferTransGetBuffer(op));
  if (!mlirOperationIsNull(op) && tileOpIsAAllocShared(op))
    return lowerI32(l, tileIntAttr(op, "offset", 0) >> 4);
  MlirValue four = lowerI32(l, 4);
  return tileBuildBinary(&l->b, "arith.shrui", lowerGet(l, buffer), four);
}

/// Where the elements of `part` begin, `step` each: several parts may share a row of the swizzle.
static MlirValue emitOwn(Lowering *l, const WgmmaOperand *o, MlirValue part, int64_t step) {
  int64_t row = o->swizzle / o->bytes, sharing = o->kMajor || step >= row ? 1 : row / step;
  MlirValue stride = lowerI32(l, offsetOf(o, step * sharing, 0));
  if (sharing == 1) return tileBuildBinary(&l->b, "arith.muli", part, stride);
  MlirValue count = lowerI32(l, sharing), inRow = lowerI32(l, step * o->bytes);
  MlirValue rows = tileBuildBinary(&l->b, "arith.divui", part, count);
  MlirValue rest = tileBuildBinary(&l->b, "arith.remui", part, count);
  rows = tileBuildBinary(&l->b, "arith.muli", rows, stride);
  rest = tileBuildBinary(&l->b, "arith.muli", rest, inRow);
  return tileBuildBinary(&l->b, "arith.addi", rows, rest);
}

/// %start = (bits | ((base + own) & 0x3ffff) >> 4) + buffer / 16, with `part` the warp group's
/// number along M or N and `step` the elements it owns. In two parts, since only the buffer changes
/// in a loop over the slots of a ring: the rest is computed once. The sum cannot carry out of the
/// address's bits, shared memory being smaller than they can tell.
static MlirValue emitStart(Lowering *l, const WgmmaOperand *o, MlirValue buffer, MlirValue part,
                           int64_t step) {
  MlirType i32 = tileI32(l->b.context), i64 = tileI64(l->b.context);
  MlirValue base = tileBuildUnary(&l->b, "llvm.ptrtoint", i32, l->shared);
  MlirValue own = emitOwn(l, o, part, step);
  MlirValue mask = lowerI32(l, 0x3ffff), four = lowerI32(l, 4);
  MlirValue fixed = tileBuildBinary(&l->b, "arith.addi", base, own);
  fixed = tileBuildBinary(&l->b, "arith.andi", fixed, mask);
  fixed = tileBuildBinary(&l->b, "arith.shrui", fixed, four);
  fixed = tileBuildUnary(&l->b, "arith.extui", i64, fixed);
  MlirValue bits = tileBuildInt(&l->b, i64, (int64_t)descriptorBits(o));
  fixed = tileBuildBinary(&l->b, "arith.ori", fixed, bits);
  MlirValue moving = tileBuildUnary(&l->b, "arith.extui", i64, bufferSixteenths(l, buffer));
  return tileBuildBinary(&l->b, "arith.addi", fixed, moving);
}

static bool prepare(MlirOperation op, MlirValue value, int kDim, WgmmaOperand *o) {
  MlirType type = mlirValueGetType(value);
  bool buffer = tileTypeIsABuffer(type);
  if (buffer)
    *o = (WgmmaOperand){.kMajor = tileBufferTypeGetOrder(type, 0) == kDim,
                        .bytes = tileBitWidth(tileBufferTypeGetElement(type)) / 8,
                        .extent = tileBufferTypeGetDim(type, 1 - kDim),
                        .depth = tileBufferTypeGetDim(type, kDim),
                        .swizzle = tileBufferTypeGetSwizzle(type)};
  // Whole boxes, and whole steps along K.
  bool whole = buffer && o->swizzle && o->depth * o->bytes % stepBytes == 0 &&
               (o->kMajor ? o->depth : o->extent) % (o->swizzle / o->bytes) == 0;
  if (whole && (o->kMajor || o->bytes == 2)) return true;
  tileEmitError(mlirOperationGetLocation(op),
                whole ? "expected operands of other than 16 bits with K fastest for wgmma, found "
                        "another order"
                      : "expected swizzled shared buffers of whole boxes for wgmma, found another "
                        "operand");
  return false;
}

/// A, from shared memory or from registers.
/// Its rows are the accumulator's, interleaved or not.
static bool prepareA(Lowering *l, MlirOperation op, const TileLayout *acc, const int groups[2],
                     WgmmaOperand *o) {
  MlirValue value = tileDotGetA(op);
  MlirType type = mlirValueGetType(value);
  MlirLocation loc = mlirOperationGetLocation(op);
  if (!tileTypeIsTile(type) && tileLayoutIsInterleaved(*acc, 0)) {
    tileEmitError(loc, "expected A of wgmma in registers beside sums whose rows are interleaved, "
                       "found a shared buffer");
    return false;
  }
  if (!tileTypeIsTile(type)) return prepare(op, value, 1, o);
  int64_t shape[TILE_MAX_RANK];
  TileLayout layout;
  if (!lowerLayoutOf(loc, type, &layout)) return false;
  tileShape(type, shape);
  TileLayout fragments =
      tileLayoutWgmmaOperandA(shape, groups, tileBitWidth(tileElementType(type)));
  if (tileLayoutIsInterleaved(*acc, 0)) fragments = tileLayoutInterleave(fragments, 0);
  if (!tileLayoutIsValid(fragments) || !tileLayoutEqual(layout, fragments)) {
    tileEmitError(loc, "expected A of wgmma in a shared buffer, or in the registers that it takes "
                       "it from, found another layout");
    return false;
  }
  int bits = tileBitWidth(tileElementType(type));
  *o = (WgmmaOperand){.kMajor = true, .bytes = bits / 8, .extent = shape[0], .depth = shape[1]};
  int words = lowerNumRegisters(&layout) * bits / 32;
  o->words = lowerBitcast(l, lowerGet(l, value), tileVectorType(words, tileI32(l->b.context)));
  return true;
}

/// Warp groups of the block along M and N, as the accumulator's layout has them.
static void groupsOf(const TileLayout *acc, int groups[2]) {
  for (int d = 0; d < 2; ++d) {
    groups[d] = 1;
    for (int b = 2; b < acc->inBits[TILE_WARP]; ++b)
      if (tileLayoutCoordinate(*acc, acc->bases[TILE_WARP][b], d)) groups[d] *= 2;
  }
}

/// What every wgmma of one dot has in common.
typedef struct {
  TileDotForm dot;
  MlirType element; // of the accumulators
  int registers;    // n / 2 accumulators of a thread
  int held;         // of a thread for 64 rows: those of padding come behind the others
} WgmmaForm;

/// Of `all` columns the first `n` are multiplied.
static WgmmaForm wgmmaForm(MlirOperation op, int64_t n, int64_t all) {
  WgmmaForm f = {.registers = (int)n / 2, .held = (int)all / 2};
  tileDotGetForm(op, &f.dot);
  f.element = tileElementType(mlirValueGetType(tileResult(op)));
  return f;
}

/// !llvm.struct<(f32, ..)>; of one member, that.
static MlirType structOf(MlirType member, int64_t count) {
  if (count == 1) return member;
  MlirType *members = malloc((size_t)count * sizeof *members);
  if (!members) abort();
  for (int64_t i = 0; i < count; ++i) members[i] = member;
  MlirContext c = mlirTypeGetContext(member);
  MlirType type = mlirLLVMStructTypeLiteralGet(c, count, members, false);
  free(members);
  return type;
}

static void emitDotWait(Lowering *l, int64_t pending) {
  MlirAttribute n = mlirIntegerAttrGet(tileI64(l->b.context), pending);
  tileBuildOp(&l->b, "nvvm.wgmma.wait.group.sync.aligned", TILE_NONE, TILE_NONE,
              TILE_ATTRS({"group", n}), 0);
}

/// `text` as an instruction that reads and writes the 32-bit words of `value`, so that nothing
/// that makes or uses them changes sides.
static MlirValue emitTied(Lowering *l, const char *text, MlirValue value) {
  MlirContext c = l->b.context;
  MlirType type = mlirValueGetType(value), element = mlirShapedTypeGetElementType(type);
  int64_t bits = mlirShapedTypeGetDimSize(type, 0) * tileBitWidth(element), n = bits / 32;
  bool isFloat = mlirTypeIsAF32(element);
  MlirType word = isFloat ? tileF32(c) : tileI32(c), words = tileVectorType(n, word);
  MlirValue *operands = malloc((size_t)n * sizeof *operands);
  if (!operands) abort();
  TileText constraints = {0};
  MlirValue all = isFloat ? value : lowerBitcast(l, value, words);
  for (int64_t i = 0; i < n; ++i) {
    operands[i] = lowerExtract(l, all, i);
    tileTextPrint(&constraints, i ? ",=%s" : "=%s", isFloat ? "f" : "r");
  }
  for (int64_t i = 0; i < n; ++i) tileTextPrint(&constraints, ",%d", (int)i);
  MlirValue made =
      tileResult(lowerInlineAsm(l, text, constraints.data, structOf(word, n), n, operands));
  free(constraints.data);
  for (int64_t i = 0; i < n; ++i)
    operands[i] = n == 1 ? made : lowerStructElement(l, made, word, i);
  all = lowerFromElements(l, word, n, operands);
  free(operands);
  return isFloat ? all : lowerBitcast(l, all, type);
}

static MlirValue emitTiedWait(Lowering *l, int64_t pending, MlirValue value) {
  char text[48];
  snprintf(text, sizeof text, "wgmma.wait_group.sync.aligned %d;", (int)pending);
  return emitTied(l, text, value);
}

MlirLogicalResult lowerDotWait(Lowering *l, MlirOperation op) {
  MlirValue value = lowerGet(l, tileDotWaitGetSource(op));
  MlirType type = mlirValueGetType(value);
  int64_t bits =
      mlirShapedTypeGetDimSize(type, 0) * tileBitWidth(mlirShapedTypeGetElementType(type));
  if (tileDotWaitGetTied(op) && bits % 32 == 0)
    value = emitTiedWait(l, tileDotWaitGetPending(op), value);
  else
    emitDotWait(l, tileDotWaitGetPending(op));
  lowerSet(l, tileResult(op), value);
  return mlirLogicalResultSuccess();
}

/// Both operands of a dot, and the accumulators to start from.
typedef struct {
  WgmmaOperand a, b;
  WgmmaForm form;
  MlirValue start;
  MlirValue over; ///< of a fresh one: what it computes goes to the registers of this; or null
  int column;     ///< the first of B that is multiplied
  int steps;      ///< along K, of which those of zeros are left out
  bool fresh;     ///< nothing to start from
  bool copies;    ///< what it starts from is wanted elsewhere, too
  bool async;
} WgmmaDot;

/// The operand of a step: the descriptor $number, or what `name` is then, it plus what the step is
/// further on. An addition stands where it is wanted: where a loop reads the same slot in all its
/// steps, LLVM would make all of them in front of it, and keep two registers for each.
static const char *descriptor(TileText *text, const WgmmaOperand *o, int64_t mn, int64_t k,
                              int number, char name[16]) {
  int64_t offset = offsetOf(o, mn, k) >> 4;
  if (offset)
    tileTextPrint(text, "add.s64 %s, $%d, %lld;\n", name, number, (long long)offset);
  else
    snprintf(name, 16, "$%d", number);
  return name;
}

/// Step k of the products of rows 64 m ..: outputs are $0 .., then A, one descriptor or four words
/// a step, then B's descriptor.
static void printStep(TileText *text, const WgmmaDot *dot, int m, int k) {
  const WgmmaForm *f = &dot->form;
  int n = f->registers;
  bool isFloat = mlirTypeIsAFloat(f->element), inRegisters = !mlirValueIsNull(dot->a.words);
  char a[16] = "a", b[16] = "b";
  descriptor(text, &dot->b, dot->column, k, n + (inRegisters ? 4 * dot->steps : 1), b);
  if (!inRegisters) descriptor(text, &dot->a, (int64_t)m * 64, k, n, a);
  tileTextPrint(text, "wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s {$0", 2 * n,
                tileDotFormDepth(&f->dot), tileMatrixTypeGetName(f->dot.sum),
                tileMatrixTypeGetName(f->dot.a), tileMatrixTypeGetName(f->dot.b));
  for (int i = 1; i < n; ++i) tileTextPrint(text, ", $%d", i);
  int word = n + 4 * k;
  if (inRegisters)
    tileTextPrint(text, "}, {$%d, $%d, $%d, $%d}", word, word + 1, word + 2, word + 3);
  else
    tileTextPrint(text, "}, %s", a);
  // Signs are for floats, and transposition for those of 16 bits.
  tileTextPrint(text, ", %s, %s%s", b, dot->fresh && k == 0 ? "none" : "sum",
                isFloat ? ", 1, 1" : "");
  if (f->dot.bits == 16 && !inRegisters) tileTextPrint(text, ", %d", !dot->a.kMajor);
  if (f->dot.bits == 16) tileTextPrint(text, ", %d", !dot->b.kMajor);
  tileTextAdd(text, ";\n");
}

/// sum + a * b of rows 64 m .., all steps: their accumulators, to sums[0 ..].
static void emitProducts(Lowering *l, const WgmmaDot *dot, int m, MlirValue sums[]) {
  const WgmmaForm *f = &dot->form;
  int n = f->registers, count = 0;
  bool inRegisters = !mlirValueIsNull(dot->a.words);
  int words = inRegisters ? 4 * dot->steps : 0;
  int64_t held = 4 * stepsOf(&dot->a); // words of A for 64 rows: those of zeros come last
  MlirValue *operands = malloc((size_t)(n + words + 2) * sizeof *operands);
  if (!operands) abort();
  TileText text = {0}, constraints = {0};
  tileTextAdd(&text, "{\n.reg .pred sum, none;\n.reg .b64 a, b;\nsetp.ne.b32 sum, 1, 0;\n");
  if (dot->fresh) tileTextAdd(&text, "setp.ne.b32 none, 0, 0;\n");
  for (int k = 0; k < dot->steps; ++k) printStep(&text, dot, m, k);
  tileTextAdd(&text, "}\n");
  // The first step writes while later ones have not read: outputs are no input's register.
  for (int i = 0; i < n; ++i)
    tileTextAdd(&constraints, mlirTypeIsAFloat(f->element) ? "=&f," : "=&r,");
  for (int i = 0; i < words; ++i) {
    operands[count++] = lowerExtract(l, dot->a.words, m * held + i);
    tileTextAdd(&constraints, "r,");
  }
  if (!inRegisters) {
    operands[count++] = dot->a.start;
    tileTextAdd(&constraints, "l,");
  }
  operands[count++] = dot->b.start;
  tileTextAdd(&constraints, "l");
  bool over = dot->fresh && !mlirValueIsNull(dot->over);
  for (int i = 0; i < n && (over || !dot->fresh); ++i) {
    operands[count++] = over ? lowerExtract(l, dot->over, i)
                             : lowerExtract(l, dot->start, (int64_t)m * f->held + i);
    tileTextPrint(&constraints, ",%d", i);
  }
  MlirValue made = tileResult(
      lowerInlineAsm(l, text.data, constraints.data, structOf(f->element, n), count, operands));
  for (int i = 0; i < n; ++i) sums[i] = lowerStructElement(l, made, f->element, i);
  free(text.data);
  free(constraints.data);
  free(operands);
}

/// Waits for the dot that made the first `form->registers` of each `form->held` of `sums`. Tied:
/// what only computes with them, LLVM would move in front of the wait, and ptxas then lets no two
/// wgmmas of the kernel overlap.
static void emitEnd(Lowering *l, const WgmmaForm *form, int m64, MlirValue sums[]) {
  int total = m64 * form->held, count = 0;
  MlirValue *made = malloc((size_t)total * sizeof *made);
  if (!made) abort();
  for (int i = 0; i < total; ++i)
    if (i % form->held < form->registers) made[count++] = sums[i];
  MlirValue all = emitTiedWait(l, 0, lowerFromElements(l, form->element, count, made));
  free(made);
  count = 0;
  for (int i = 0; i < total; ++i)
    if (i % form->held < form->registers) sums[i] = lowerExtract(l, all, count++);
}

/// The wgmmas of a warp group, between a fence and a commit; their accumulators as a vector.
static MlirValue emitDot(Lowering *l, const WgmmaDot *dot, int m64) {
  const WgmmaForm *form = &dot->form;
  int total = m64 * form->held;
  MlirValue *sums = malloc((size_t)total * sizeof *sums);
  if (!sums) abort();
  // Registers are not written behind the fence, nor copied: LLVM would.
  WgmmaDot own = *dot;
  if (dot->copies) own.start = emitTied(l, "", dot->start);
  tileBuildOp(&l->b, "nvvm.wgmma.fence.aligned", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  for (int m = 0; m < m64; ++m) emitProducts(l, &own, m, sums + (ptrdiff_t)m * form->held);
  tileBuildOp(&l->b, "nvvm.wgmma.commit.group.sync.aligned", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  if (!dot->async) emitEnd(l, form, m64, sums);
  for (int i = 0; i < total; ++i)
    if (i % form->held >= form->registers) sums[i] = lowerExtract(l, own.start, i);
  MlirValue all = lowerFromElements(l, form->element, total, sums);
  free(sums);
  return all;
}

/// `part` accumulators of 64 rows, from the products of their columns alone, which begin at zero
/// and have ended; `sums` is room for them.
static MlirValue emitMade(Lowering *l, const WgmmaDot *whole, int m, int part, MlirValue sums[]) {
  WgmmaDot dot = *whole;
  dot.fresh = true;
  dot.form.registers = part;
  tileBuildOp(&l->b, "nvvm.wgmma.fence.aligned", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  emitProducts(l, &dot, m, sums);
  tileBuildOp(&l->b, "nvvm.wgmma.commit.group.sync.aligned", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  return emitTiedWait(l, 0, lowerFromElements(l, dot.form.element, part, sums));
}

/// The same, added to what was there. Returns what was added: the next part takes its registers, so
/// that ptxas cannot add one part while the next is multiplied, and hold both.
static MlirValue emitPart(Lowering *l, const WgmmaDot *dot, int m, int part, MlirValue sums[]) {
  int at = m * dot->form.held + dot->column / 2;
  MlirValue made = emitMade(l, dot, m, part, sums);
  for (int i = 0; i < part; ++i)
    sums[i] = tileBuildBinary(&l->b, "arith.addf", lowerExtract(l, dot->start, at + i),
                              lowerExtract(l, made, i));
  return made;
}

/// All accumulators of a dot that multiplies `part` of them at a time.
static MlirValue emitParts(Lowering *l, const WgmmaDot *dot, int m64, int part) {
  const WgmmaForm *form = &dot->form;
  int total = m64 * form->held;
  MlirValue *sums = malloc((size_t)total * sizeof *sums);
  if (!sums) abort();
  for (int i = 0; i < total; ++i) sums[i] = lowerExtract(l, dot->start, i);
  WgmmaDot one = *dot;
  for (int m = 0; m < m64; ++m)
    for (int first = 0; first < form->registers; first += part) {
      int left = form->registers - first, count = left < part ? left : part;
      if (count < part) one.over = (MlirValue){NULL};
      one.column = 2 * first;
      MlirValue made = emitPart(l, &one, m, count, sums + m * form->held + first);
      one.over = count < part ? (MlirValue){NULL} : made;
    }
  MlirValue all = lowerFromElements(l, form->element, total, sums);
  free(sums);
  return all;
}

/// The same where `when` holds, else anything. Warps of a group go on together from a product, and
/// one of them gives the slot back for all: without one they meet.
static MlirValue emitDotWhen(Lowering *l, const WgmmaDot *dot, int m64, MlirValue when) {
  MlirType type = tileVectorType(m64 * dot->form.held, dot->form.element);
  MlirOperation branch = tileBuildIf(&l->b, when, 1, &type, true);
  TileBuilder outside = l->b;
  for (int r = 0; r < 2; ++r) {
    l->b = tileBuilderAtEnd(tileBody(branch, r), outside.location);
    if (r) lowerUnfencedGroupBarrier(l);
    MlirValue result =
        r ? tileBuild(&l->b, "llvm.mlir.poison", type, TILE_NONE) : emitDot(l, dot, m64);
    tileBuildOp(&l->b, "scf.yield", TILE_VALUES(result), TILE_NONE, TILE_NONE, 0);
    l->b = outside;
  }
  return tileResult(branch);
}

/// Columns that the dot has to multiply, of `all` of a warp group and `held` in B's buffer: those
/// beyond are padding, and keep what they were.
static int64_t columnsOf(MlirOperation dot, const int groups[2], int64_t held, int64_t all) {
  enum { least = 16 };
  int64_t extents[TILE_MAX_RANK];
  TileDotForm form;
  if (groups[1] != 1 || !tileOpGetExtents(dot, 2, extents) || extents[1] > held)
    return held < all ? held : all;
  tileDotGetForm(dot, &form);
  return tileDotFormColumns(&form, extents[1] < least ? least : extents[1]);
}

/// Steps along K that the dot has to multiply: from tile.depth on both operands are 0, and either
/// need not be in its buffer.
static int countSteps(MlirOperation op, const WgmmaDot *dot) {
  int64_t all = stepsOf(&dot->a), other = stepsOf(&dot->b);
  if (other < all) all = other;
  int64_t bytes = tileIntAttr(op, "tile.depth", dot->a.depth) * dot->a.bytes;
  int64_t needed = (bytes + stepBytes - 1) / stepBytes;
  return (int)(needed > 0 && needed < all ? needed : all);
}

/// May several registers of `tile` be one value: of a row, a column, or a number, and what is
/// computed of such alone?
static bool mayRepeat(MlirValue tile, int depth) {
  MlirOperation op = tileValueGetOp(tile);
  if (!tileTypeIsTile(mlirValueGetType(tile))) return true;
  if (mlirOperationIsNull(op) || !depth) return false;
  if (tileOpIs(op, "arith.constant") || tileOpIsASplat(op) || tileOpIsABroadcast(op)) return true;
  bool all = tileOpIsElementwise(op) || tileOpIsAConvertLayout(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && all; ++i)
    all = mayRepeat(tileOperand(op, i), depth - 1);
  return all;
}

/// Does anybody but the dot read what it adds to, or it itself in another step, or several of its
/// sums?
static bool startsFromOthers(MlirOperation dot) {
  enum { DEPTH = 8 };
  MlirValue acc = tileDotGetAcc(dot);
  MlirOpOperand use = mlirValueGetFirstUse(acc);
  MlirBlock here = mlirOperationGetBlock(dot);
  if (!mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) return true;
  if (mlirValueIsABlockArgument(acc)) return !mlirBlockEqual(mlirBlockArgumentGetOwner(acc), here);
  return mayRepeat(acc, DEPTH) || !mlirBlockEqual(mlirOperationGetBlock(tileValueGetOp(acc)), here);
}

/// Operands of a dot with sums of layout `acc`, and how many times 64 rows a warp group has; false
/// after an error.
static bool prepareDot(Lowering *l, MlirOperation op, const TileLayout *acc, WgmmaDot *dot,
                       int *m64) {
  MlirValue aTile = tileDotGetA(op), bTile = tileDotGetB(op);
  *dot = (WgmmaDot){.fresh = tileIsZero(tileDotGetAcc(op)), .async = tileDotGetAsync(op)};
  int groups[2];
  groupsOf(acc, groups);
  if (!prepareA(l, op, acc, groups, &dot->a) || !prepare(op, bTile, 0, &dot->b)) return false;
  int64_t m = dot->a.extent / groups[0], all = tileLayoutExtent(*acc, 1), held = dot->b.extent;
  if (held < all && groups[1] != 1) {
    tileEmitError(
        mlirOperationGetLocation(op),
        "expected warp groups along M alone where B has fewer columns, found some along N");
    return false;
  }
  int64_t n = all / groups[1];
  MlirValue group = lowerGroup(l), columns = lowerI32(l, groups[1]);
  MlirValue groupM = tileBuildBinary(&l->b, "arith.divui", group, columns);
  MlirValue groupN = tileBuildBinary(&l->b, "arith.remui", group, columns);
  if (mlirValueIsNull(dot->a.words)) dot->a.start = emitStart(l, &dot->a, aTile, groupM, m);
  dot->b.start = emitStart(l, &dot->b, bTile, groupN, n);
  dot->steps = countSteps(op, dot);
  dot->copies = !dot->fresh && startsFromOthers(op);
  dot->form = wgmmaForm(op, columnsOf(op, groups, held, n), n);
  dot->start = lowerGet(l, tileDotGetAcc(op));
  *m64 = (int)(m / 64);
  return true;
}

MlirLogicalResult lowerWgmma(Lowering *l, MlirOperation op, const TileLayout *acc) {
  MlirValue when = tileDotGetWhen(op);
  WgmmaDot dot;
  int m64, part = (int)tileIntAttr(op, "tile.part", 0);
  if (!prepareDot(l, op, acc, &dot, &m64)) return mlirLogicalResultFailure();
  if (part) {
    lowerSet(l, tileResult(op), emitParts(l, &dot, m64, part));
    return mlirLogicalResultSuccess();
  }
  lowerSet(l, tileResult(op),
           mlirValueIsNull(when) ? emitDot(l, &dot, m64)
                                 : emitDotWhen(l, &dot, m64, lowerGet(l, when)));
  return mlirLogicalResultSuccess();
}

//===- a part where it is read --------------------------------------------===//

struct LowerParts {
  WgmmaDot dot;
  int part, next; ///< registers of a part, and the first one of the next
};

int64_t lowerPartOf(MlirOperation op) {
  if (!tileOpIsWgmma(op) || !tileIsZero(tileDotGetAcc(op))) return 0;
  return tileIntAttr(op, "tile.part", 0);
}

LowerParts *lowerBeginParts(Lowering *l, MlirOperation op) {
  TileLayout acc;
  WgmmaDot dot;
  int m64;
  if (!lowerLayoutOf(mlirOperationGetLocation(op), mlirValueGetType(tileResult(op)), &acc) ||
      !prepareDot(l, op, &acc, &dot, &m64))
    return NULL;
  LowerParts *parts = malloc(sizeof *parts);
  if (!parts) abort();
  *parts = (LowerParts){.dot = dot, .part = (int)lowerPartOf(op)};
  return parts;
}

MlirValue lowerNextPart(Lowering *l, LowerParts *parts) {
  int held = parts->dot.form.held, row = parts->next / held;
  parts->dot.column = 2 * (parts->next % held);
  MlirValue *sums = malloc((size_t)parts->part * sizeof *sums);
  if (!sums) abort();
  MlirValue made = emitMade(l, &parts->dot, row, parts->part, sums);
  free(sums);
  parts->dot.over = made;
  parts->next += parts->part;
  return made;
}
