//===- Exchange.c - between registers, lanes and warps --------------------===//
#include "Exchange.h"
#include <stdlib.h>

//===- registers ----------------------------------------------------------===//

int64_t *lowerIndices(int64_t n) {
  int64_t *indices = malloc((size_t)(n > 0 ? n : 1) * sizeof *indices);
  if (!indices) abort();
  return indices;
}

MlirValue lowerShuffleVectors(Lowering *l, MlirValue a, MlirValue b, int64_t n,
                              const int64_t *indices) {
  MlirType type = tileVectorType(n, mlirShapedTypeGetElementType(mlirValueGetType(a)));
  int32_t *mask = malloc((size_t)n * sizeof *mask);
  if (!mask) abort();
  for (int64_t i = 0; i < n; ++i) mask[i] = (int32_t)indices[i];
  MlirAttribute attr = mlirDenseI32ArrayGet(l->b.context, n, mask);
  free(mask);
  return tileResult(tileBuildOp(&l->b, "llvm.shufflevector", TILE_VALUES(a, b), 1, &type,
                                TILE_ATTRS({"mask", attr}), 0));
}

bool lowerRegisterMap(MlirLocation loc, const TileLayout *have, const TileLayout *want,
                      int64_t *indices) {
  TileConversion plan = tileLayoutPlanConversion(*have, *want, 4);
  if (plan.kind != TILE_CONVERSION_NONE && plan.kind != TILE_CONVERSION_REGISTERS) {
    char text[256];
    tileLayoutFormat(*have, text, sizeof text);
    tileEmitError(loc,
                  "expected a result layout that keeps every element in its thread, as {%s} "
                  "does, found another (convert the layout first)",
                  text);
    return false;
  }
  for (int r = 0; r < lowerNumRegisters(want); ++r)
    indices[r] = plan.kind == TILE_CONVERSION_NONE
                     ? r
                     : (int64_t)lowerRegisterPart(&plan.registers, r, TILE_REGISTER);
  return true;
}

static bool isIdentity(int64_t n, int64_t size, const int64_t *indices) {
  for (int64_t i = 0; i < n; ++i)
    if (indices[i] != i) return false;
  return n == size;
}

MlirValue lowerRenumber(Lowering *l, MlirLocation loc, MlirValue vector, const TileLayout *have,
                        const TileLayout *want) {
  int64_t n = lowerNumRegisters(want), *indices = lowerIndices(n);
  if (!lowerRegisterMap(loc, have, want, indices))
    vector = (MlirValue){NULL};
  else if (!isIdentity(n, lowerNumRegisters(have), indices))
    vector = lowerPermute(l, vector, n, indices);
  free(indices);
  return vector;
}

//===- elements -----------------------------------------------------------===//

static int64_t sizeOf(MlirValue vector) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(vector), 0);
}

MlirValue lowerToStored(Lowering *l, MlirValue vector) {
  if (tileBitWidth(mlirShapedTypeGetElementType(mlirValueGetType(vector))) != 1) return vector;
  MlirType type = tileVectorType(sizeOf(vector), tileI8(l->b.context));
  return tileBuildUnary(&l->b, "arith.extui", type, vector);
}

MlirValue lowerFromStored(Lowering *l, MlirValue vector, MlirType element) {
  if (tileBitWidth(element) != 1) return vector;
  return tileBuildUnary(&l->b, "arith.trunci", tileVectorType(sizeOf(vector), element), vector);
}

MlirValue lowerTestBits(Lowering *l, MlirValue position, uint32_t mask) {
  MlirValue bits = lowerI32(l, mask);
  bits = tileBuildBinary(&l->b, "arith.andi", position, bits);
  MlirValue zero = lowerI32(l, 0);
  return tileBuildCmpi(&l->b, TILE_NE, bits, zero);
}

//===- lanes --------------------------------------------------------------===//

/// %w = nvvm.shfl.sync bfly %all, %word, %which, %clamp : i32 -> i32
static MlirValue shuffleWord(Lowering *l, MlirAttribute kind, MlirValue word, MlirValue which) {
  MlirType type = mlirValueGetType(word);
  MlirValue all = lowerI32(l, -1);
  MlirValue clamp = lowerI32(l, 31);
  return tileResult(tileBuildOp(&l->b, "nvvm.shfl.sync", TILE_VALUES(all, word, which, clamp), 1,
                                &type, TILE_ATTRS({"kind", kind}), 0));
}

MlirValue lowerShuffle(Lowering *l, LowerShuffleKind kind, MlirValue vector, MlirValue which) {
  MlirContext c = l->b.context;
  MlirType type = mlirValueGetType(vector), i32 = tileI32(c);
  int64_t n = sizeOf(vector);
  int bits = tileBitWidth(mlirShapedTypeGetElementType(type));
  // As few pieces of at most 32 bits as the vector has.
  int64_t total = n * bits, piece = total % 32 == 0 ? 32 : total % 16 == 0 ? 16 : 8;
  MlirType pieceType = mlirIntegerTypeGet(c, (unsigned)piece);
  MlirAttribute mode = tileParseAttr(c, kind == LOWER_SHUFFLE_XOR ? "#nvvm<shfl_kind bfly>"
                                                                  : "#nvvm<shfl_kind idx>");
  MlirValue pieces = lowerBitcast(l, vector, tileVectorType(total / piece, pieceType));
  MlirValue *moved = malloc((size_t)(total / piece) * sizeof *moved);
  if (!moved) abort();
  for (int64_t i = 0; i < total / piece; ++i) {
    MlirValue word = lowerExtract(l, pieces, i);
    if (piece < 32) word = tileBuildUnary(&l->b, "arith.extui", i32, word);
    word = shuffleWord(l, mode, word, which);
    moved[i] = piece < 32 ? tileBuildUnary(&l->b, "arith.trunci", pieceType, word) : word;
  }
  MlirValue result = lowerFromElements(l, pieceType, total / piece, moved);
  free(moved);
  return lowerBitcast(l, result, type);
}

//===- warps --------------------------------------------------------------===//

TileLayout lowerRowMajor(const TileLayout *layout) {
  TileLayout map = tileLayoutEmpty(1);
  map.outBits[0] = TILE_MAX_BITS;
  for (int in = 0; in <= TILE_WARP; ++in) {
    map.inBits[in] = layout->inBits[in];
    for (int b = 0; b < layout->inBits[in]; ++b) map.bases[in][b] = layout->bases[in][b];
  }
  return map;
}

LowerScratch lowerScratch(Lowering *l, const TileLayout *map, int bytes, int64_t offset) {
  LowerScratch s = {
      .map = *map, .bytes = bytes, .offset = offset, .disjoint = lowerPartsAreDisjoint(map, 0)};
  MlirValue elements = lowerThreadPart(l, map, 0);
  MlirValue scale = lowerI32(l, bytes);
  s.start = tileBuildBinary(&l->b, "arith.muli", elements, scale);
  if (s.disjoint && offset) {
    MlirValue constant = lowerI32(l, offset);
    s.start = tileBuildBinary(&l->b, "arith.addi", s.start, constant);
  }
  return s;
}

static MlirValue scratchPointer(Lowering *l, const LowerScratch *s, int reg) {
  int64_t part = lowerRegisterPart(&s->map, reg, 0) * s->bytes;
  MlirValue at = s->start;
  if (part) {
    MlirValue constant = lowerI32(l, part);
    at = tileBuildBinary(&l->b, s->disjoint ? "arith.addi" : "arith.xori", at, constant);
  }
  if (!s->disjoint && s->offset) {
    MlirValue constant = lowerI32(l, s->offset);
    at = tileBuildBinary(&l->b, "arith.addi", at, constant);
  }
  return lowerSharedPointer(l, at);
}

static MlirAttribute alignmentOf(Lowering *l, const LowerScratch *s, int64_t n) {
  return mlirIntegerAttrGet(tileI64(l->b.context), n * s->bytes);
}

void lowerScratchStore(Lowering *l, const LowerScratch *s, int reg, MlirValue vector, int64_t first,
                       int64_t n) {
  MlirValue part = lowerExtractSlice(l, vector, first, n);
  MlirValue pointer = scratchPointer(l, s, reg);
  tileBuildOp(&l->b, "llvm.store", TILE_VALUES(part, pointer), TILE_NONE,
              TILE_ATTRS({"alignment", alignmentOf(l, s, n)}), 0);
}

MlirValue lowerScratchLoad(Lowering *l, const LowerScratch *s, int reg, MlirType element,
                           int64_t n) {
  MlirType type = tileVectorType(n, element);
  MlirValue pointer = scratchPointer(l, s, reg);
  return tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &type,
                                TILE_ATTRS({"alignment", alignmentOf(l, s, n)}), 0));
}
