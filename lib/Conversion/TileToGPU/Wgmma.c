//===- Wgmma.c - matrix products of warp groups ---------------------------===//
//
// wgmma.mma_async m64nN by 32 bytes of K (a step), operands read from shared memory by the
// tensor cores themselves, through 64-bit descriptors; A from registers where it is a tile:
//
//   nvvm.wgmma.fence.aligned
//   for m64, for steps:  acc[m] = nvvm.wgmma.mma_async acc[m], descA(m, k), descB(k)
//   nvvm.wgmma.commit.group ; nvvm.wgmma.wait.group 0
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
// other columns: 240 of 256.
//
// A in registers (tileLayoutWgmmaOperandA), of 16 bits, is laid out as an accumulator is, two
// elements a register: four registers are the fragment of one m64 by 32 bytes. The nvvm op has no
// such form, so that it is written as PTX.
//
// What threads wrote for the tensor cores to read goes through a proxy fence before
// the barrier between them: lowerBarrier.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile/Analysis/DotForm.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/// Byte offset of row mn, a multiple of 64, or of 8 where K is fastest, at step k in the operand's
/// boxes.
static int64_t offsetOf(const WgmmaOperand *o, int64_t mn, int64_t k) {
  if (!o->kMajor)
    return mn / (o->swizzle / o->bytes) * o->depth * o->swizzle +
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

/// %start = (bits | ((base + own) & 0x3ffff) >> 4) + buffer / 16, with `part` the warp group's
/// number along M or N and `step` the elements it owns. In two parts, since only the buffer changes
/// in a loop over the slots of a ring: the rest is computed once. The sum cannot carry out of the
/// address's bits, shared memory being smaller than they can tell.
static MlirValue emitStart(Lowering *l, const WgmmaOperand *o, MlirValue buffer, MlirValue part,
                           int64_t step) {
  MlirType i32 = tileI32(l->b.context), i64 = tileI64(l->b.context);
  MlirValue base = tileBuildUnary(&l->b, "llvm.ptrtoint", i32, l->shared);
  MlirValue stride = lowerI32(l, offsetOf(o, step, 0));
  MlirValue own = tileBuildBinary(&l->b, "arith.muli", part, stride);
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

/// Each is one addition, made where it is wanted: where a loop reads the same slot in all its
/// steps, LLVM would make all of them in front of it, and keep two registers for each.
static MlirValue descriptor(Lowering *l, const WgmmaOperand *o, int64_t mn, int64_t k) {
  char text[48];
  int64_t offset = offsetOf(o, mn, k) >> 4;
  if (!offset) return o->start;
  snprintf(text, sizeof text, "add.s64 $0, $1, %lld;", (long long)offset);
  return tileResult(lowerInlineAsm(l, text, "=l,l", tileI64(l->b.context), TILE_VALUES(o->start)));
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
static bool prepareA(Lowering *l, MlirOperation op, const int groups[2], WgmmaOperand *o) {
  MlirValue value = tileDotGetA(op);
  MlirType type = mlirValueGetType(value);
  if (!tileTypeIsTile(type)) return prepare(op, value, 1, o);
  int64_t shape[TILE_MAX_RANK];
  TileLayout layout;
  MlirLocation loc = mlirOperationGetLocation(op);
  if (!lowerLayoutOf(loc, type, &layout)) return false;
  tileShape(type, shape);
  TileLayout fragments =
      tileLayoutWgmmaOperandA(shape, groups, tileBitWidth(tileElementType(type)));
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
  MlirType structure; // !llvm.struct<(f32, ..)>: n / 2 accumulators of a thread
  MlirType element;   // of those
  int registers;
  int held; // of a thread for 64 rows: those of padding come behind the others
  bool transposesB;
  MlirAttribute shape, one, plus, zero, sum, typeA, typeB, layoutA, layoutB;
} WgmmaForm;

static MlirAttribute elementType(MlirContext c, TileMatrixType type) {
  char text[48];
  snprintf(text, sizeof text, "#nvvm.wgmma_type<%s>", tileMatrixTypeGetName(type));
  return tileParseAttr(c, text);
}

/// Of `all` columns the first `n` are multiplied.
static WgmmaForm wgmmaForm(Lowering *l, MlirOperation op, int64_t n, int64_t all, bool aKMajor,
                           bool bKMajor) {
  MlirContext c = l->b.context;
  char text[64];
  WgmmaForm f = {.registers = (int)n / 2, .held = (int)all / 2, .transposesB = !bKMajor};
  tileDotGetForm(op, &f.dot);
  f.element = tileElementType(mlirValueGetType(tileResult(op)));
  MlirType *members = malloc((size_t)f.registers * sizeof *members);
  if (!members) abort();
  for (int i = 0; i < f.registers; ++i) members[i] = f.element;
  f.structure = mlirLLVMStructTypeLiteralGet(c, f.registers, members, false);
  free(members);
  snprintf(text, sizeof text, "#nvvm.shape<m = 64, n = %d, k = %d>", (int)n,
           tileDotFormDepth(&f.dot));
  f.shape = tileParseAttr(c, text);
  f.one = tileParseAttr(c, "#nvvm.wgmma_scale_in<one>");
  f.plus = tileParseAttr(c, "#nvvm.wgmma_scale_out<one>");
  f.zero = tileParseAttr(c, "#nvvm.wgmma_scale_out<zero>");
  f.sum = elementType(c, f.dot.sum);
  f.typeA = elementType(c, f.dot.a);
  f.typeB = elementType(c, f.dot.b);
  // "row" is K-major for A, MN-major for B.
  f.layoutA = tileParseAttr(c, aKMajor ? "#nvvm.mma_layout<row>" : "#nvvm.mma_layout<col>");
  f.layoutB = tileParseAttr(c, bKMajor ? "#nvvm.mma_layout<col>" : "#nvvm.mma_layout<row>");
  return f;
}

/// Registers first .. of a vector as a struct.
static MlirValue pack(Lowering *l, const WgmmaForm *f, MlirValue vector, int64_t first) {
  MlirValue structure = tileBuild(&l->b, "llvm.mlir.poison", f->structure, TILE_NONE);
  for (int64_t i = 0; i < f->registers; ++i) {
    MlirValue element = lowerExtract(l, vector, first + i);
    MlirAttribute at = mlirDenseI64ArrayGet(l->b.context, 1, &i);
    structure = tileResult(tileBuildOp(&l->b, "llvm.insertvalue", TILE_VALUES(structure, element),
                                       1, &f->structure, TILE_ATTRS({"position", at}), 0));
  }
  return structure;
}

/// acc * scale + a * b
static MlirValue emitWgmma(Lowering *l, const WgmmaForm *f, MlirAttribute scale, MlirValue acc,
                           MlirValue a, MlirValue b) {
  return tileResult(
      tileBuildOp(&l->b, "nvvm.wgmma.mma_async", TILE_VALUES(acc, a, b), 1, &f->structure,
                  TILE_ATTRS({"shape", f->shape}, {"typeA", f->typeA}, {"typeB", f->typeB},
                             {"typeD", f->sum}, {"scaleD", scale}, {"scaleA", f->one},
                             {"scaleB", f->one}, {"layoutA", f->layoutA}, {"layoutB", f->layoutB}),
                  0));
}

/// Appends to a text of `size` bytes; what has no room is left out.
static void append(char *text, size_t size, const char *format, ...) {
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, size - used, format, arguments);
  va_end(arguments);
}

/// The same with A in registers: words first .. first + 3 of a vector.
static MlirValue emitWgmmaOfRegisters(Lowering *l, const WgmmaForm *f, bool fresh, MlirValue acc,
                                      MlirValue words, int64_t first, MlirValue b) {
  enum { textBytes = 2048 };
  char text[textBytes] = "{\n.reg .pred p;\n", constraints[textBytes] = "";
  int n = f->registers;
  bool isFloat = mlirTypeIsAFloat(f->element);
  append(text, sizeof text, "setp.ne.b32 p, %d, 0;\n", !fresh);
  append(text, sizeof text, "wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s {", 2 * n,
         tileDotFormDepth(&f->dot), tileMatrixTypeGetName(f->dot.sum),
         tileMatrixTypeGetName(f->dot.a), tileMatrixTypeGetName(f->dot.b));
  for (int i = 0; i < n; ++i) {
    append(text, sizeof text, "%s$%d", i ? ", " : "", i);
    append(constraints, sizeof constraints, isFloat ? "=f," : "=r,");
  }
  // Inputs are counted behind the outputs: A, B, and what the outputs were before. Signs are for
  // floats, and transposition for those of 16 bits.
  append(text, sizeof text, "}, {$%d, $%d, $%d, $%d}, $%d, p%s", n, n + 1, n + 2, n + 3, n + 4,
         isFloat ? ", 1, 1" : "");
  if (f->dot.bits == 16) append(text, sizeof text, ", %d", f->transposesB);
  append(text, sizeof text, ";\n}\n");
  append(constraints, sizeof constraints, "r,r,r,r,l");
  for (int i = 0; i < n; ++i) append(constraints, sizeof constraints, ",%d", i);
  MlirValue operands[5 + 128] = {[4] = b};
  for (int i = 0; i < 4; ++i) operands[i] = lowerExtract(l, words, first + i);
  for (int i = 0; i < n; ++i) operands[5 + i] = lowerStructElement(l, acc, f->element, i);
  return tileResult(lowerInlineAsm(l, text, constraints, f->structure, 5 + n, operands));
}

static void emitDotWait(Lowering *l, int64_t pending) {
  MlirAttribute n = mlirIntegerAttrGet(tileI64(l->b.context), pending);
  tileBuildOp(&l->b, "nvvm.wgmma.wait.group.sync.aligned", TILE_NONE, TILE_NONE,
              TILE_ATTRS({"group", n}), 0);
}

/// The wait as an instruction that reads and writes the 32-bit words of `value`, so that nothing
/// that makes or uses them changes sides.
static MlirValue emitTiedWait(Lowering *l, int64_t pending, MlirValue value) {
  MlirContext c = l->b.context;
  MlirType type = mlirValueGetType(value), element = mlirShapedTypeGetElementType(type);
  int64_t bits = mlirShapedTypeGetDimSize(type, 0) * tileBitWidth(element), n = bits / 32;
  bool isFloat = mlirTypeIsAF32(element);
  MlirType word = isFloat ? tileF32(c) : tileI32(c), words = tileVectorType(n, word);
  MlirType *members = malloc((size_t)n * sizeof *members);
  MlirValue *operands = malloc((size_t)n * sizeof *operands);
  size_t size = 16 * (size_t)n;
  char text[48], *constraints = malloc(size);
  if (!members || !operands || !constraints) abort();
  constraints[0] = 0;
  MlirValue all = isFloat ? value : lowerBitcast(l, value, words);
  for (int64_t i = 0; i < n; ++i) {
    members[i] = word;
    operands[i] = lowerExtract(l, all, i);
    append(constraints, size, i ? ",=%s" : "=%s", isFloat ? "f" : "r");
  }
  for (int64_t i = 0; i < n; ++i) append(constraints, size, ",%d", (int)i);
  snprintf(text, sizeof text, "wgmma.wait_group.sync.aligned %d;", (int)pending);
  MlirType structure = n == 1 ? word : mlirLLVMStructTypeLiteralGet(c, n, members, false);
  MlirValue made = tileResult(lowerInlineAsm(l, text, constraints, structure, n, operands));
  for (int64_t i = 0; i < n; ++i)
    operands[i] = n == 1 ? made : lowerStructElement(l, made, word, i);
  all = lowerFromElements(l, word, n, operands);
  free(members);
  free(operands);
  free(constraints);
  return isFloat ? all : lowerBitcast(l, all, type);
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
  bool fresh; ///< nothing to start from
  bool async;
} WgmmaDot;

/// The wgmmas of a warp group, between a fence and a commit; their accumulators as a vector.
static MlirValue emitDot(Lowering *l, const WgmmaDot *dot, int m64) {
  const WgmmaForm *form = &dot->form;
  MlirValue sums[16];
  int steps = (int)stepsOf(&dot->a);
  for (int i = 0; i < m64; ++i)
    sums[i] = dot->fresh ? tileBuild(&l->b, "llvm.mlir.poison", form->structure, TILE_NONE)
                         : pack(l, form, dot->start, (int64_t)i * form->held);
  tileBuildOp(&l->b, "nvvm.wgmma.fence.aligned", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  for (int i = 0; i < m64; ++i)
    for (int k = 0; k < steps; ++k) {
      MlirValue descB = descriptor(l, &dot->b, 0, k);
      bool first = dot->fresh && k == 0;
      if (!mlirValueIsNull(dot->a.words)) {
        int64_t word = 4 * ((int64_t)i * steps + k);
        sums[i] = emitWgmmaOfRegisters(l, form, first, sums[i], dot->a.words, word, descB);
        continue;
      }
      MlirValue descA = descriptor(l, &dot->a, (int64_t)i * 64, k);
      sums[i] = emitWgmma(l, form, first ? form->zero : form->plus, sums[i], descA, descB);
    }
  tileBuildOp(&l->b, "nvvm.wgmma.commit.group.sync.aligned", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  if (!dot->async) emitDotWait(l, 0);

  int total = m64 * form->held;
  MlirValue *values = malloc((size_t)total * sizeof *values);
  if (!values) abort();
  for (int i = 0; i < total; ++i)
    values[i] = i % form->held < form->registers
                    ? lowerStructElement(l, sums[i / form->held], form->element, i % form->held)
                    : lowerExtract(l, dot->start, i);
  MlirValue all = lowerFromElements(l, form->element, total, values);
  free(values);
  return all;
}

/// The same where `when` holds, else anything.
static MlirValue emitDotWhen(Lowering *l, const WgmmaDot *dot, int m64, MlirValue when) {
  MlirType type = tileVectorType(m64 * dot->form.held, dot->form.element);
  MlirOperation branch = tileBuildIf(&l->b, when, 1, &type, true);
  TileBuilder outside = l->b;
  for (int r = 0; r < 2; ++r) {
    l->b = tileBuilderAtEnd(tileBody(branch, r), outside.location);
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

MlirLogicalResult lowerWgmma(Lowering *l, MlirOperation op, const TileLayout *acc) {
  MlirValue aTile = tileDotGetA(op), bTile = tileDotGetB(op), when = tileDotGetWhen(op);
  WgmmaDot dot = {.fresh = tileIsZero(tileDotGetAcc(op)), .async = tileDotGetAsync(op)};
  int groups[2];
  groupsOf(acc, groups);
  if (!prepareA(l, op, groups, &dot.a) || !prepare(op, bTile, 0, &dot.b))
    return mlirLogicalResultFailure();
  int64_t m = dot.a.extent / groups[0], all = tileLayoutExtent(*acc, 1), held = dot.b.extent;
  if (held < all && groups[1] != 1) {
    tileEmitError(
        mlirOperationGetLocation(op),
        "expected warp groups along M alone where B has fewer columns, found some along N");
    return mlirLogicalResultFailure();
  }
  int64_t n = all / groups[1];
  if (groups[1] != 1 && !dot.b.kMajor && n % (dot.b.swizzle / dot.b.bytes)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected whole rows of B's swizzle for each warp group, found parts of them");
    return mlirLogicalResultFailure();
  }
  MlirValue group = lowerGroup(l), columns = lowerI32(l, groups[1]);
  MlirValue groupM = tileBuildBinary(&l->b, "arith.divui", group, columns);
  MlirValue groupN = tileBuildBinary(&l->b, "arith.remui", group, columns);
  if (mlirValueIsNull(dot.a.words)) dot.a.start = emitStart(l, &dot.a, aTile, groupM, m);
  dot.b.start = emitStart(l, &dot.b, bTile, groupN, n);
  dot.form = wgmmaForm(l, op, columnsOf(op, groups, held, n), n, dot.a.kMajor, dot.b.kMajor);
  dot.start = lowerGet(l, tileDotGetAcc(op));
  int m64 = (int)(m / 64);
  lowerSet(l, tileResult(op),
           mlirValueIsNull(when) ? emitDot(l, &dot, m64)
                                 : emitDotWhen(l, &dot, m64, lowerGet(l, when)));
  return mlirLogicalResultSuccess();
}
