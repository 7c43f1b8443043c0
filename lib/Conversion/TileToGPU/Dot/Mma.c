//===- Mma.c - matrix products of warps: mma.sync -------------------------===//
//
// mma.sync m16n8 by 32 bytes of K (a step): steps outermost; a step's fragments are loaded by
// ldmatrix right before their first use, so that few are alive, then
//
//   for m, for n:  acc[m][n] = nvvm.mma.sync A[m][k] B[k][n] acc[m][n]
//
// ldmatrix moves words of 4 bytes along a row, so that it serves every type whose rows run along K,
// and, transposed, those of 16 bits whose rows do not, and bytes two at a time; others are loaded
// element by element, f64 along K two at a time. Bytes come so where the accumulator's layout
// has rows, or columns, interleaved (tileLayoutInterleave), and the operand's with it.
//
// A tile of fewer than 16 rows has the first 8 of each fragment alone: the others are zeros, and
// their sums are dropped. Of fewer than 8 rows or columns, lanes have the same ones.
//
// f64 has m8n8k4, two of which are 16 rows; on sm_90 m16n8 by up to 16 of K. The nvvm op knows
// neither that nor 8-bit floats: these are written as PTX. Fragments: PTX ISA, "Matrix fragments
// for mma.m16n8k..".
//
// Where a chip's mma.sync makes f16 of 8-bit floats, ptxas begins each instruction's sum at zero
// and adds it to the others by threads. There words are extended here, and a step of 32 is two of
// f16: of the lower halves of A's and B's words, and of the upper ones, since K has no order. Those
// of all sums, and then the others, for an instruction waits for the one before on the same sum.
//
// Of tf32x3 (those that tile-split-precision left) each word's small part is computed in registers,
// once, and a step is three instructions: of the words as they are, of A's small part, and of B's.
// The first and the other two have sums of their own, from zero on, which f32 adds up behind.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include "../MathLowering.h"
#include "tile/Analysis/DotForm.h"
#include "tile/Analysis/Scratch.h"
#include <stdio.h>
#include <stdlib.h>

//===- operands -----------------------------------------------------------===//

/// An operand as a list of fragments' words, each of 32 bits, or one f64: [batch][m16 or
/// n8][step][word].
typedef struct {
  int words; // of a fragment
  int numWords;
  int perWord;     // registers of the layout in a word
  MlirValue *word; // null until loaded
  // from shared memory, in one of three ways
  bool shared, byMatrices, isRagged;
  LowerMatrices matrices;
  LowerAddress address;
  LowerRagged ragged;
  int pair;         // of f64, the bit of a word's number whose two words lie in 16 bytes; -1: none
  MlirType element; // as it lies there
  MlirValue *half;  // words of 8-bit floats as f16: of all lower halves, then of all upper ones
  MlirValue *small; // words of f32: what tensor cores do not see of them
} Operand;

void lowerDotShape(MlirValue operand, int64_t shape[TILE_MAX_RANK]) {
  MlirType type = mlirValueGetType(operand);
  if (!tileTypeIsABuffer(type)) {
    tileShape(type, shape);
    return;
  }
  for (int d = 0; d < tileBufferTypeGetRank(type); ++d) shape[d] = tileBufferTypeGetDim(type, d);
}

/// Elements as they are carried: 8-bit floats are bytes.
static MlirType carried(MlirType element) {
  return tileBitWidth(element) == 8 ? tileI8(mlirTypeGetContext(element)) : element;
}

/// The register bit that alone moves one element on.
static int findPair(const TileLayout *map) {
  int found = -1;
  for (int in = 0; in <= TILE_WARP; ++in)
    for (int b = 0; b < map->inBits[in]; ++b) {
      int64_t offset = tileLayoutCoordinate(*map, map->bases[in][b], map->rank - 1);
      if (!(offset & 1)) continue;
      if (in != TILE_REGISTER || offset != 1 || found >= 0) return -1;
      found = b;
    }
  return found;
}

static bool prepareShared(Lowering *l, MlirOperation op, MlirValue value, const TileLayout *layout,
                          int bits, Operand *o) {
  TileLayout shared = tileBufferLayout(mlirValueGetType(value)), map;
  TileLdmatrix plan;
  o->element = carried(tileDotOperandElement(value));
  o->isRagged = tileBufferTypeIsRagged(mlirValueGetType(value));
  if (o->isRagged) return lowerRagged(l, op, value, layout, &o->ragged);
  o->byMatrices = bits <= 32 && tileLayoutIsValid(shared) &&
                  tileLayoutSupportsLdmatrix(*layout, shared, bits / 8, &plan);
  if (o->byMatrices) {
    o->matrices = lowerMatrices(l, lowerGet(l, value), &plan, bits / 8);
    return true;
  }
  if (!tileLayoutIsValid(shared) || !tileLayoutSharedAddress(*layout, shared, &map)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a shared buffer of the operand's shape for mma.sync, found another");
    return false;
  }
  o->address = lowerBufferAddress(l, lowerGet(l, value), &map, bits / 8);
  o->pair = bits == 64 ? findPair(&map) : -1;
  return true;
}

static bool prepareOperand(Lowering *l, MlirOperation op, MlirValue value, const TileLayout *layout,
                           int words, int bits, Operand *o) {
  *o = (Operand){.words = words,
                 .pair = -1,
                 .perWord = bits < 32 ? 32 / bits : 1,
                 .shared = tileTypeIsABuffer(mlirValueGetType(value))};
  o->numWords = lowerNumRegisters(layout) / o->perWord;
  o->word = calloc((size_t)o->numWords, sizeof *o->word);
  if (!o->word) abort();
  if (o->shared) return prepareShared(l, op, value, layout, bits, o);
  MlirValue all = lowerGet(l, value);
  if (bits <= 32) all = lowerBitcast(l, all, tileVectorType(o->numWords, tileI32(l->b.context)));
  for (int i = 0; i < o->numWords; ++i) o->word[i] = lowerExtract(l, all, i);
  return true;
}

/// Word `w` from shared memory, element by element.
static MlirValue loadWord(Lowering *l, const Operand *o, int w) {
  MlirValue parts[4];
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), o->address.bytes);
  for (int i = 0; i < o->perWord; ++i) {
    MlirValue pointer = lowerBufferPointer(l, &o->address, w * o->perWord + i, (MlirValue){NULL});
    parts[i] = tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &o->element,
                                      TILE_ATTRS({"alignment", alignment}), 0));
  }
  if (o->address.bytes == 8) return parts[0];
  MlirValue all = lowerFromElements(l, o->element, o->perWord, parts);
  return lowerExtract(l, lowerBitcast(l, all, tileVectorType(1, tileI32(l->b.context))), 0);
}

/// Word `w` and the one beside it in memory.
static void loadPair(Lowering *l, Operand *o, int w) {
  int bit = 1 << o->pair, first = w & ~bit;
  MlirType type = tileVectorType(2, o->element);
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), 16);
  MlirValue pointer = lowerBufferPointer(l, &o->address, first, (MlirValue){NULL});
  MlirValue both = tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &type,
                                          TILE_ATTRS({"alignment", alignment}), 0));
  o->word[first] = lowerExtract(l, both, 0);
  o->word[first | bit] = lowerExtract(l, both, 1);
}

static const MlirValue *fragment(Lowering *l, Operand *o, int index) {
  for (int w = index * o->words; w < (index + 1) * o->words; ++w) {
    if (!mlirValueIsNull(o->word[w])) continue;
    if (o->isRagged)
      o->word[w] = lowerRaggedWord(l, &o->ragged, w * o->perWord, o->perWord);
    else if (o->byMatrices)
      lowerLoadMatrices(l, &o->matrices, 0, w, o->word);
    else if (o->pair >= 0)
      loadPair(l, o, w);
    else
      o->word[w] = loadWord(l, o, w);
  }
  return o->word + index * o->words;
}

/// The words of a fragment of 8-bit floats as f16: of their lower halves, or their upper ones.
static const MlirValue *extended(Lowering *l, Operand *o, MlirType f8, const MlirValue *words,
                                 int upper) {
  intptr_t first = words - o->word;
  if (!o->half) o->half = calloc(2 * (size_t)o->numWords, sizeof *o->half);
  if (!o->half) abort();
  for (intptr_t w = first; w < first + o->words; ++w) {
    MlirValue halves[2];
    if (!mlirValueIsNull(o->half[w])) continue;
    lowerExtendWord(l, f8, o->word[w], halves);
    o->half[w] = halves[0];
    o->half[o->numWords + w] = halves[1];
  }
  return o->half + (upper ? o->numWords : 0) + first;
}

/// What tensor cores do not see of a fragment's words, as words.
static const MlirValue *smallParts(Lowering *l, Operand *o, const MlirValue *words) {
  intptr_t first = words - o->word;
  MlirContext c = l->b.context;
  if (!o->small) o->small = calloc((size_t)o->numWords, sizeof *o->small);
  if (!o->small) abort();
  for (intptr_t w = first; w < first + o->words; ++w) {
    if (!mlirValueIsNull(o->small[w])) continue;
    MlirValue part = lowerSmallPart(l, lowerBitcast(l, o->word[w], tileF32(c)));
    o->small[w] = lowerBitcast(l, part, tileI32(c));
  }
  return o->small + first;
}

//===- the instruction ----------------------------------------------------===//

typedef struct {
  TileDotForm dot;
  int rows, depth;      // of an instruction: 16 (8: two of them), and elements of K
  int wordsA, wordsB;   // of the fragments of 16 rows and 8 columns
  int halves, columns;  // what the tile has of the 2 eights of rows, and of a lane's 2 columns
  bool isText;          // written as PTX
  bool byHalves;        // 8-bit floats, two instructions of f16 for one
  MlirType operand;     // vector<2xf16>, f64, or i32
  MlirType sum, result; // f32, and !llvm.struct<(f32, f32, ..)>
  MlirAttribute shape, row, col, typeA, typeB, segments, overflow;
} MmaForm;

static MlirAttribute elementType(MlirContext c, TileMatrixType type) {
  char text[48];
  snprintf(text, sizeof text, "#nvvm.mma_type<%s>", tileMatrixTypeGetName(type));
  return tileParseAttr(c, text);
}

/// The instruction for a dot of `m` x `n` by `k`.
static MmaForm mmaForm(Lowering *l, MlirOperation op, int64_t m, int64_t n, int64_t k) {
  MlirContext c = l->b.context;
  MmaForm f = {
      .rows = 16, .wordsA = 4, .wordsB = 2, .halves = m < 16 ? 1 : 2, .columns = n < 2 ? 1 : 2};
  tileDotGetForm(op, &f.dot);
  f.depth = tileDotFormDepth(&f.dot);
  f.operand = tileI32(c);
  f.sum = tileElementType(mlirValueGetType(tileResult(op)));
  bool isDouble = f.dot.bits == 64;
  if (f.dot.a == TILE_MATRIX_F16)
    f.operand = tileVectorType(2, tileDotOperandElement(tileDotGetA(op)));
  if (isDouble) {
    f.operand = f.sum;
    f.isText = tileMachineHas(l->machine, TILE_FEATURE_MMA_F64_WIDE);
    f.rows = f.isText ? 16 : 8;
    f.depth = f.isText ? k < 16 ? (int)k : 16 : 4;
    f.wordsA = f.depth / 2;
    f.wordsB = f.depth / 4;
  }
  bool isBytes = f.dot.a == TILE_MATRIX_E4M3 || f.dot.a == TILE_MATRIX_E5M2;
  f.byHalves = isBytes && tileMachineHas(l->machine, TILE_FEATURE_MMA_F8_BY_F16);
  f.isText |= isBytes && !f.byHalves;
  if (f.byHalves) f.operand = tileVectorType(2, mlirF16TypeGet(c));
  char text[96];
  snprintf(text, sizeof text, "#nvvm.shape<m = %d, n = 8, k = %d>", f.rows,
           f.byHalves ? f.depth / 2 : f.depth);
  f.shape = tileParseAttr(c, text);
  const char *sum = isDouble ? "f64" : mlirTypeIsAInteger(f.sum) ? "i32" : "f32";
  snprintf(text, sizeof text,
           f.rows == 8 ? "!llvm.struct<(%s, %s)>" : "!llvm.struct<(%s, %s, %s, %s)>", sum, sum, sum,
           sum);
  f.result = mlirTypeParseGet(c, tileString(text));
  f.row = tileParseAttr(c, "#nvvm.mma_layout<row>");
  f.col = tileParseAttr(c, "#nvvm.mma_layout<col>");
  f.typeA = elementType(c, f.byHalves ? TILE_MATRIX_F16 : f.dot.a);
  f.typeB = elementType(c, f.byHalves ? TILE_MATRIX_F16 : f.dot.b);
  if (mlirTypeIsAInteger(f.sum)) f.overflow = tileParseAttr(c, "#nvvm.mma_int_overflow<wrapped>");
  int32_t segments[] = {f.wordsA * f.rows / 16, f.wordsB, f.rows / 4};
  f.segments = mlirDenseI32ArrayGet(c, 3, segments);
  return f;
}

/// Where sum `i` of 16 rows (of a row's two columns, then of the other eight rows) stands among
/// those that the tile has; -1 where it has it not.
static int heldSum(const MmaForm *f, int i) {
  return i / 2 < f->halves && i % 2 < f->columns ? i / 2 * f->columns + i % 2 : -1;
}

static MlirValue zero(Lowering *l, MlirType type) {
  return tileResult(tileBuildOp(&l->b, "llvm.mlir.zero", 0, NULL, 1, &type, 0, NULL, 0));
}

/// The operands of one instruction, from those of 16 rows: A, B and sums.
static int gather(Lowering *l, const MmaForm *f, const MlirValue *a, const MlirValue *b,
                  const MlirValue *acc, int half, MlirValue operands[16]) {
  int n = 0, step = 16 / f->rows;
  for (int i = half; i < f->wordsA; i += step)
    operands[n++] =
        i % 2 < f->halves ? lowerBitcast(l, a[i * f->halves / 2], f->operand) : zero(l, f->operand);
  for (int i = 0; i < f->wordsB; ++i) operands[n++] = lowerBitcast(l, b[i], f->operand);
  for (int i = half * 2; i < half * 2 + f->rows / 4; ++i) {
    int held = heldSum(f, i);
    operands[n++] = held >= 0 ? acc[held] : zero(l, f->sum);
  }
  return n;
}

static MlirOperation emitText(Lowering *l, const MmaForm *f, int count, const MlirValue *operands) {
  char text[256], constraints[128] = "";
  size_t used = 0, at = 0;
  bool isDouble = f->dot.bits == 64;
  int numbers[] = {0, 4, 4 + f->wordsA, 4 + f->wordsA + f->wordsB, 4 + count};
  const char *sum = tileMatrixTypeGetName(f->dot.sum);
  used += (size_t)snprintf(text, sizeof text, "mma.sync.aligned.m16n8k%d.row.col.%s.%s.%s.%s ",
                           f->depth, sum, tileMatrixTypeGetName(f->dot.a),
                           tileMatrixTypeGetName(f->dot.b), sum);
  for (int part = 0; part < 4; ++part)
    for (int i = numbers[part]; i < numbers[part + 1]; ++i)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s$%d%s",
                               i == numbers[part] ? part ? ", {" : "{" : ", ", i,
                               i + 1 == numbers[part + 1] ? "}" : "");
  snprintf(text + used, sizeof text - used, ";");
  for (int i = 0; i < 4 + count; ++i)
    at += (size_t)snprintf(constraints + at, sizeof constraints - at, "%s%s%s", i ? "," : "",
                           i < 4 ? "=" : "",
                           isDouble                   ? "d"
                           : i < 4 || i >= numbers[3] ? "f"
                                                      : "r");
  return lowerInlineAsm(l, text, constraints, f->result, count, operands);
}

static MlirOperation emitOp(Lowering *l, const MmaForm *f, int count, const MlirValue *operands) {
  TileNamedAttr attrs[] = {{"shape", f->shape},
                           {"layoutA", f->row},
                           {"layoutB", f->col},
                           {"multiplicandAPtxType", f->typeA},
                           {"multiplicandBPtxType", f->typeB},
                           {"operandSegmentSizes", f->segments},
                           {"intOverflowBehavior", f->overflow}};
  return tileBuildOp(&l->b, "nvvm.mma.sync", count, operands, 1, &f->result,
                     mlirAttributeIsNull(f->overflow) ? 6 : 7, attrs, 0);
}

/// acc[0..3] += A fragment x B fragment
static void emitMma(Lowering *l, const MmaForm *f, const MlirValue *a, const MlirValue *b,
                    MlirValue acc[]) {
  for (int half = 0; half < 16 / f->rows && half < f->halves; ++half) {
    MlirValue operands[16];
    int count = gather(l, f, a, b, acc, half, operands);
    MlirOperation mma = f->isText ? emitText(l, f, count, operands) : emitOp(l, f, count, operands);
    for (int i = 0; i < f->rows / 4; ++i) {
      int held = heldSum(f, half * 2 + i);
      if (held >= 0) acc[held] = lowerStructElement(l, tileResult(mma), f->sum, i);
    }
  }
}

/// The same of all bits of an f32: the product of what tensor cores see is added to acc[0..3], what
/// they do not see to rest[0..3].
static void emitParts(Lowering *l, const MmaForm *f, Operand *a, Operand *b, const MlirValue *fa,
                      const MlirValue *fb, MlirValue acc[], MlirValue rest[]) {
  emitMma(l, f, fa, fb, acc);
  emitMma(l, f, smallParts(l, a, fa), fb, rest);
  emitMma(l, f, fa, smallParts(l, b, fb), rest);
}

/// What a dot has of fragments: of K `steps`, of which so many are needed, of M and N m16 and n8.
typedef struct {
  int batches, steps, needed, m16, n8;
  int sums; // of a fragment
  bool holdsA;
} MmaExtents;

/// Adds all products to `values`. Of f64, whose words are read on their way, those of the operand
/// with fewer are held for all of the other's, and A's, which ptxas moves into place, where both
/// have as many. Where there is a `rest`, that is of what tensor cores do not see.
static void multiplyFragments(Lowering *l, MlirOperation op, const MmaForm *form,
                              const MmaExtents *e, Operand *a, Operand *b, MlirValue *values,
                              MlirValue *rest) {
  int parts = form->byHalves ? 2 : 1; // of a step, of which none waits for the one before
  MlirType typeA = tileDotOperandElement(tileDotGetA(op));
  MlirType typeB = tileDotOperandElement(tileDotGetB(op));
  for (int batch = 0; batch < e->batches; ++batch)
    for (int part = 0; part < e->needed * parts; ++part)
      for (int i = 0; i < e->m16 * e->n8; ++i) {
        int m = e->holdsA ? i % e->m16 : i / e->n8, n = e->holdsA ? i / e->m16 : i % e->n8;
        int k = part / parts, upper = part % parts;
        const MlirValue *fa = fragment(l, a, (batch * e->m16 + m) * e->steps + k);
        const MlirValue *fb = fragment(l, b, (batch * e->n8 + n) * e->steps + k);
        if (form->byHalves) {
          fa = extended(l, a, typeA, fa, upper);
          fb = extended(l, b, typeB, fb, upper);
        }
        int sum = ((batch * e->m16 + m) * e->n8 + n) * e->sums;
        if (rest)
          emitParts(l, form, a, b, fa, fb, values + sum, rest + sum);
        else
          emitMma(l, form, fa, fb, values + sum);
      }
}

/// Adds all products of f32 to `values`, of which there are `count`.
static void multiplyParts(Lowering *l, MlirOperation op, const MmaForm *form, const MmaExtents *e,
                          Operand *a, Operand *b, int count, MlirValue *values) {
  MlirValue *seen = malloc(2 * (size_t)count * sizeof *seen), *rest = seen + count;
  if (!seen) abort();
  for (int i = 0; i < 2 * count; ++i) seen[i] = i ? seen[0] : zero(l, form->sum);
  multiplyFragments(l, op, form, e, a, b, seen, rest);
  for (int i = 0; i < count; ++i) {
    MlirValue product = tileBuildBinary(&l->b, "arith.addf", seen[i], rest[i]);
    values[i] = tileBuildBinary(&l->b, "arith.addf", values[i], product);
  }
  free(seen);
}

MlirLogicalResult lowerMma(Lowering *l, MlirOperation op, const TileLayout *acc) {
  MlirValue aTile = tileDotGetA(op), bTile = tileDotGetB(op);
  int64_t shapeA[TILE_MAX_RANK], shapeB[TILE_MAX_RANK];
  int warps[TILE_MAX_RANK], rank = acc->rank;
  lowerDotShape(aTile, shapeA);
  lowerDotShape(bTile, shapeB);
  tileLayoutWarps(*acc, warps);
  MmaForm form = mmaForm(l, op, shapeA[rank - 2], shapeB[rank - 1], shapeA[rank - 1]);
  int bits = form.dot.bits, wordsA = form.wordsA * form.halves / 2;
  int sums = form.halves * form.columns; // of a fragment
  TileLayout layoutA = tileLayoutMmaOperandOf(*acc, shapeA, TILE_DOT_A, bits);
  TileLayout layoutB = tileLayoutMmaOperandOf(*acc, shapeB, TILE_DOT_B, bits);
  Operand a = {0}, b = {0};
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (!prepareOperand(l, op, aTile, &layoutA, wordsA, bits, &a) ||
      !prepareOperand(l, op, bTile, &layoutB, form.wordsB, bits, &b))
    goto cleanup;

  int steps = (int)(shapeA[rank - 1] / form.depth), numAcc = lowerNumRegisters(acc);
  int batches = 1, m16 = a.numWords / wordsA / steps, n8 = b.numWords / form.wordsB / steps;
  // From tile.depth on both operands are 0.
  int64_t depth = tileIntAttr(op, "tile.depth", shapeA[rank - 1]);
  int64_t needed = depth < shapeA[rank - 1] ? (depth + form.depth - 1) / form.depth : steps;
  if (rank == 3) {
    batches = (int)(shapeA[0] / warps[0]);
    m16 /= batches;
    n8 /= batches;
  }
  bool holdsA = bits == 64 && m16 * wordsA <= n8 * form.wordsB;
  const MmaExtents extents = {batches, steps, (int)needed, m16, n8, sums, holdsA};
  MlirValue *values = malloc((size_t)numAcc * sizeof *values);
  if (!values) abort();
  MlirValue start = lowerGet(l, tileDotGetAcc(op));
  for (int i = 0; i < numAcc; ++i) values[i] = lowerExtract(l, start, i);
  if (tileDotGetPrecision(op) == TILE_PRECISION_TF32X3)
    multiplyParts(l, op, &form, &extents, &a, &b, numAcc, values);
  else
    multiplyFragments(l, op, &form, &extents, &a, &b, values, NULL);
  lowerSet(l, tileResult(op), lowerFromElements(l, form.sum, numAcc, values));
  free(values);
  result = mlirLogicalResultSuccess();
cleanup:
  lowerRaggedFree(&a.ragged);
  lowerRaggedFree(&b.ragged);
  free(a.word);
  free(a.half);
  free(a.small);
  free(b.word);
  free(b.half);
  free(b.small);
  return result;
}
