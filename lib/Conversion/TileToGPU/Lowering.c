//===- Lowering.c - what every lowering shares ----------------------------===//
#include "Lowering.h"
#include "tile/Analysis/Scratch.h"
#include <stdio.h>
#include <stdlib.h>

//===- values and types ---------------------------------------------------===//

MlirValue lowerGet(Lowering *l, MlirValue tile) {
  const MlirValue *thread = tilePointerTableFind(l->values, tile.ptr);
  return thread ? *thread : (MlirValue){NULL};
}

void lowerSet(Lowering *l, MlirValue tile, MlirValue thread) {
  MlirValue *entry = tilePointerTableAdd(&l->values, tile.ptr, sizeof *entry);
  *entry = thread;
}

bool lowerIsWhole(Lowering *l, MlirValue tile) {
  TileLayout layout;
  if (!tileTypeGetLayout(mlirValueGetType(tile), &layout)) return true;
  return mlirShapedTypeGetDimSize(mlirValueGetType(lowerGet(l, tile)), 0) ==
         lowerNumRegisters(&layout);
}

void lowerFreeValues(Lowering *l) {
  tilePointerTableClear(&l->values);
  tilePointerTableClear(&l->constants);
}

MlirType lowerElementType(MlirType element) {
  MlirContext context = mlirTypeGetContext(element);
  if (tileTypeIsAPtr(element)) return tileI64(context);
  bool narrow = mlirTypeIsAFloat(element) && tileBitWidth(element) == 8;
  return narrow ? tileI8(context) : element;
}

bool lowerLayoutOf(MlirLocation loc, MlirType tile, TileLayout *layout) {
  if (tileTypeGetLayout(tile, layout)) return true;
  tileEmitError(loc, "expected a tile with a layout (see tile-assign-layouts), found one without");
  return false;
}

MlirType lowerType(Lowering *l, MlirLocation loc, MlirType type) {
  if (tileTypeIsABuffer(type)) return tileI32(l->b.context);
  if (tileTypeIsADesc(type)) return mlirTypeParseGet(l->b.context, tileString("!llvm.ptr"));
  if (!tileTypeIsTile(type)) return lowerElementType(type);
  TileLayout layout;
  if (!lowerLayoutOf(loc, type, &layout)) return (MlirType){NULL};
  int64_t registers = l->strip ? l->strip : lowerNumRegisters(&layout);
  return tileVectorType(registers, lowerElementType(tileElementType(type)));
}

bool lowerResultTypes(Lowering *l, MlirOperation op, MlirType *types) {
  MlirLocation loc = mlirOperationGetLocation(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    types[i] = lowerType(l, loc, mlirValueGetType(mlirOperationGetResult(op, i)));
    if (mlirTypeIsNull(types[i])) return false;
  }
  return true;
}

//===- positions ----------------------------------------------------------===//

/// The xor over the set bits b of `value` of coordinate(bases[b]). Bits whose bases are one another
/// shifted move together: (value >> b & mask) << shift.
static MlirValue emitLinear(Lowering *l, const TileLayout *map, int dim, TileInDim in,
                            MlirValue value, MlirValue sum) {
  int bits = map->inBits[in];
  for (int b = 0; b < bits;) {
    int64_t base = tileLayoutCoordinate(*map, map->bases[in][b], dim);
    int run = 1;
    // A product is a xor only where the shifted bases do not overlap.
    for (int64_t taken = base; base && b + run < bits && !(base << run & taken); ++run) {
      if (tileLayoutCoordinate(*map, map->bases[in][b + run], dim) != base << run) break;
      taken |= base << run;
    }
    if (base) {
      // (value >> b & mask) * base; nothing is above the last warp bit, if the layout names all
      // warps
      MlirValue part = value;
      if (b) {
        MlirValue amount = lowerI32(l, b);
        part = tileBuildBinary(&l->b, "arith.shrui", part, amount);
      }
      if (!(in == TILE_WARP && b + run == bits && 1 << bits >= l->numWarps)) {
        MlirValue mask = lowerI32(l, (1 << run) - 1);
        part = tileBuildBinary(&l->b, "arith.andi", part, mask);
      }
      if (base != 1) {
        MlirValue factor = lowerI32(l, base);
        part = tileBuildBinary(&l->b, "arith.muli", part, factor);
      }
      sum = mlirValueIsNull(sum) ? part : tileBuildBinary(&l->b, "arith.xori", sum, part);
    }
    b += run;
  }
  return sum;
}

MlirValue lowerThreadPart(Lowering *l, const TileLayout *map, int dim) {
  MlirValue sum = emitLinear(l, map, dim, TILE_LANE, l->lane, (MlirValue){NULL});
  sum = emitLinear(l, map, dim, TILE_WARP, l->warp, sum);
  return mlirValueIsNull(sum) ? lowerI32(l, 0) : sum;
}

int64_t lowerRegisterPart(const TileLayout *map, int reg, int dim) {
  return tileLayoutCoordinate(*map, tileLayoutApplyDim(map, TILE_REGISTER, (uint32_t)reg), dim);
}

bool lowerFindSame(const Lowering *l, MlirValue tile, LowerSame *same) {
  const TileAxisInfo *info = tileAxisAnalysisGet(l->axis, tile);
  bool any = false;
  *same = (LowerSame){{0}};
  for (int d = 0; d < info->rank; ++d) {
    same->bits[d] = (info->constancy[d] & -info->constancy[d]) - 1; // of aligned runs of 2^k
    any |= same->bits[d] != 0;
  }
  return any;
}

int lowerFirstSame(const TileLayout *layout, const LowerSame *same, int reg, int step) {
  for (int first = 0; first < reg; first += step) {
    bool isSame = true;
    for (int d = 0; d < layout->rank && isSame; ++d) {
      int64_t apart = lowerRegisterPart(layout, first, d) ^ lowerRegisterPart(layout, reg, d);
      isSame = !(apart & ~same->bits[d]);
    }
    if (isSame) return first;
  }
  return reg;
}

MlirValue lowerOnce(Lowering *l, MlirValue tile, MlirValue thread) {
  TileLayout layout;
  LowerSame same;
  if (!tileTypeGetLayout(mlirValueGetType(tile), &layout) || !lowerFindSame(l, tile, &same))
    return thread;
  int64_t n = mlirShapedTypeGetDimSize(mlirValueGetType(thread), 0);
  int64_t *first = calloc((size_t)n, sizeof *first);
  if (!first) abort();
  bool repeats = false;
  // A strip's registers are those from 0 on, moved: what is the same in one is in all.
  for (int64_t r = 0; r < n; ++r) {
    first[r] = lowerFirstSame(&layout, &same, (int)r, 1);
    repeats |= first[r] != r;
  }
  if (repeats) thread = lowerPermute(l, thread, n, first);
  free(first);
  return thread;
}

/// The bits of dimension `dim` that input `in` reaches.
static int64_t reach(const TileLayout *map, TileInDim in, int dim) {
  int64_t bits = 0;
  for (int b = 0; b < map->inBits[in]; ++b)
    bits |= tileLayoutCoordinate(*map, map->bases[in][b], dim);
  return bits;
}

bool lowerPartsAreDisjoint(const TileLayout *map, int dim) {
  int64_t threads = reach(map, TILE_LANE, dim) | reach(map, TILE_WARP, dim);
  return (reach(map, TILE_REGISTER, dim) & threads) == 0;
}

MlirValue lowerCombineParts(Lowering *l, const TileLayout *map, int dim, MlirValue thread,
                            int64_t part) {
  if (part == 0) return thread;
  MlirValue constant = lowerI32(l, part);
  const char *op = lowerPartsAreDisjoint(map, dim) ? "arith.addi" : "arith.xori";
  return tileBuildBinary(&l->b, op, thread, constant);
}

MlirValue lowerIsThreadZero(Lowering *l) {
  MlirValue thread = tileBuildBinary(&l->b, "arith.ori", l->lane, l->warp);
  MlirValue zero = lowerI32(l, 0);
  return tileBuildCmpi(&l->b, TILE_EQ, thread, zero);
}

MlirValue lowerIsFirstCopy(Lowering *l, const TileLayout *layout) {
  uint32_t masks[] = {tileLayoutFreeBits(*layout, TILE_LANE),
                      tileLayoutFreeBits(*layout, TILE_WARP)};
  // Warps beyond those the layout names hold copies too.
  masks[1] |= ((uint32_t)l->numWarps - 1) & ~(tileLayoutSize(*layout, TILE_WARP) - 1);
  MlirValue values[] = {l->lane, l->warp};
  MlirValue held = {NULL};
  for (int i = 0; i < 2; ++i) {
    if (!masks[i]) continue;
    MlirValue mask = lowerI32(l, masks[i]);
    MlirValue bits = tileBuildBinary(&l->b, "arith.andi", values[i], mask);
    held = mlirValueIsNull(held) ? bits : tileBuildBinary(&l->b, "arith.ori", held, bits);
  }
  if (mlirValueIsNull(held)) return held;
  MlirValue zero = lowerI32(l, 0);
  return tileBuildCmpi(&l->b, TILE_EQ, held, zero);
}

//===- emission -----------------------------------------------------------===//

MlirValue lowerI32(Lowering *l, int64_t value) {
  // Each number once, at the top of the function: addresses use the same few over and over.
  int32_t number = (int32_t)value;
  MlirValue *made =
      tilePointerTableAdd(&l->constants, (const void *)(intptr_t)number, sizeof *made);
  if (!mlirValueIsNull(*made)) return *made;
  TileBuilder top = tileBuilderBefore(l->first);
  *made = tileBuildInt(&top, tileI32(l->b.context), number);
  return *made;
}

MlirValue lowerExtract(Lowering *l, MlirValue vector, int64_t i) {
  // %e = vector.extract %v[i]
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(vector));
  MlirAttribute at = mlirDenseI64ArrayGet(l->b.context, 1, &i);
  return tileResult(tileBuildOp(&l->b, "vector.extract", TILE_VALUES(vector), TILE_TYPES(element),
                                TILE_ATTRS({"static_position", at}), 0));
}

MlirValue lowerFromElements(Lowering *l, MlirType element, int64_t n, const MlirValue *elements) {
  return tileBuild(&l->b, "vector.from_elements", tileVectorType(n, element), n, elements);
}

/// %s = llvm.shufflevector %a, %b [indices]: -1 leaves an element open. (vector.shuffle and the
/// strided slices canonicalize into each other and into ops that convert-gpu-to-nvvm leaves.)
static MlirValue shuffle(Lowering *l, MlirValue a, MlirValue b, int64_t n, const int32_t *indices) {
  MlirType type = tileVectorType(n, mlirShapedTypeGetElementType(mlirValueGetType(a)));
  MlirAttribute mask = mlirDenseI32ArrayGet(l->b.context, n, indices);
  return tileResult(tileBuildOp(&l->b, "llvm.shufflevector", TILE_VALUES(a, b), 1, &type,
                                TILE_ATTRS({"mask", mask}), 0));
}

static int32_t *newIndices(int64_t n) {
  int32_t *indices = malloc((size_t)n * sizeof *indices);
  if (!indices) abort();
  return indices;
}

MlirValue lowerPermute(Lowering *l, MlirValue vector, int64_t n, const int64_t *indices) {
  int32_t *mask = newIndices(n);
  for (int64_t i = 0; i < n; ++i) mask[i] = (int32_t)indices[i];
  MlirValue result = shuffle(l, vector, vector, n, mask);
  free(mask);
  return result;
}

MlirValue lowerExtractSlice(Lowering *l, MlirValue vector, int64_t offset, int64_t n) {
  if (mlirShapedTypeGetDimSize(mlirValueGetType(vector), 0) == n) return vector;
  int32_t *mask = newIndices(n);
  for (int64_t i = 0; i < n; ++i) mask[i] = (int32_t)(offset + i);
  MlirValue result = shuffle(l, vector, vector, n, mask);
  free(mask);
  return result;
}

MlirValue lowerInsertSlice(Lowering *l, MlirValue slice, MlirValue vector, int64_t offset) {
  int64_t n = mlirShapedTypeGetDimSize(mlirValueGetType(vector), 0);
  int64_t width = mlirShapedTypeGetDimSize(mlirValueGetType(slice), 0);
  if (n == width) return slice;
  int32_t *mask = newIndices(n);
  for (int64_t i = 0; i < n; ++i) mask[i] = i < width ? (int32_t)i : -1;
  MlirValue wide = shuffle(l, slice, slice, n, mask);
  for (int64_t i = 0; i < n; ++i)
    mask[i] = (int32_t)(i >= offset && i < offset + width ? n + i - offset : i);
  MlirValue result = shuffle(l, vector, wide, n, mask);
  free(mask);
  return result;
}

MlirValue *lowerNewSlices(int64_t count) {
  MlirValue *slices = calloc((size_t)count, sizeof *slices);
  if (!slices) abort();
  return slices;
}

MlirValue lowerJoinSlices(Lowering *l, int64_t count, MlirValue *slices) {
  int64_t width = mlirShapedTypeGetDimSize(mlirValueGetType(slices[0]), 0);
  int32_t *mask = newIndices(count * width);
  for (int64_t i = 0; i < count * width; ++i) mask[i] = (int32_t)i;
  for (; count > 1; count /= 2, width *= 2)
    for (int64_t i = 0; i < count / 2; ++i)
      slices[i] = shuffle(l, slices[2 * i], slices[2 * i + 1], 2 * width, mask);
  free(mask);
  MlirValue whole = slices[0];
  free(slices);
  return whole;
}

MlirValue lowerBitcast(Lowering *l, MlirValue value, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type)) return value;
  return tileBuildUnary(&l->b, "llvm.bitcast", type, value);
}

MlirValue lowerStructElement(Lowering *l, MlirValue structure, MlirType type, int64_t i) {
  MlirAttribute at = mlirDenseI64ArrayGet(l->b.context, 1, &i);
  return tileResult(tileBuildOp(&l->b, "llvm.extractvalue", TILE_VALUES(structure), 1, &type,
                                TILE_ATTRS({"position", at}), 0));
}

/// %p = llvm.getelementptr %pointer[index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
static MlirValue buildOffset(Lowering *l, intptr_t numOperands, const MlirValue *operands,
                             int32_t index) {
  MlirType type = mlirValueGetType(operands[0]);
  MlirAttribute indices = mlirDenseI32ArrayGet(l->b.context, 1, &index);
  MlirAttribute element = mlirTypeAttrGet(tileI8(l->b.context));
  return tileResult(tileBuildOp(&l->b, "llvm.getelementptr", numOperands, operands, 1, &type,
                                TILE_ATTRS({"rawConstantIndices", indices}, {"elem_type", element}),
                                0));
}

MlirValue lowerOffset(Lowering *l, MlirValue pointer, MlirValue bytes) {
  return buildOffset(l, TILE_VALUES(pointer, bytes), INT32_MIN); // the index is an operand
}

MlirValue lowerConstantOffset(Lowering *l, MlirValue pointer, int64_t bytes) {
  return bytes ? buildOffset(l, 1, &pointer, (int32_t)bytes) : pointer;
}

MlirValue lowerSharedPointer(Lowering *l, MlirValue bytes) {
  return lowerOffset(l, l->shared, bytes);
}

MlirOperation lowerInlineAsm(Lowering *l, const char *text, const char *constraints, MlirType type,
                             intptr_t numOperands, const MlirValue *operands) {
  MlirContext c = l->b.context;
  return tileBuildOp(&l->b, "llvm.inline_asm", numOperands, operands, mlirTypeIsNull(type) ? 0 : 1,
                     &type,
                     TILE_ATTRS({"asm_string", tileStringAttr(c, text)},
                                {"constraints", tileStringAttr(c, constraints)},
                                {"has_side_effects", mlirUnitAttrGet(c)}),
                     0);
}

MlirValue lowerBoth(Lowering *l, MlirValue p, MlirValue q) {
  if (mlirValueIsNull(p)) return q;
  return mlirValueIsNull(q) ? p : tileBuildBinary(&l->b, "arith.andi", p, q);
}

MlirValue lowerWith(Lowering *l, const char *name, MlirValue words, int64_t constant) {
  MlirValue all = tileBuildInt(&l->b, mlirValueGetType(words), constant);
  return tileBuildBinary(&l->b, name, words, all);
}

void lowerBare(Lowering *l, const char *name) {
  tileBuildOp(&l->b, name, TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

MlirValue lowerSpecialRegister(Lowering *l, const char *which, int axis) {
  char name[64];
  snprintf(name, sizeof name, "nvvm.read.ptx.sreg.%s.%c", which, "xyz"[axis]);
  return tileBuild(&l->b, name, tileI32(l->b.context), TILE_NONE);
}

TileBuilder lowerBeginIf(Lowering *l, MlirValue condition) {
  MlirOperation branch = tileBuildIf(&l->b, condition, TILE_NONE, false);
  TileBuilder outside = l->b;
  l->b = tileBuilderAtEnd(tileBody(branch, 0), outside.location);
  return outside;
}

void lowerEndIf(Lowering *l, TileBuilder outside) {
  tileBuildOp(&l->b, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  l->b = outside;
}

int64_t lowerTeamBytes(const Lowering *l) {
  int64_t bytes = tileIntAttr(l->kernel, "tile_gpu.shared_bytes", 0);
  return l->teams > 1 ? (bytes + TILE_TEAM_ALIGNMENT - 1) & -TILE_TEAM_ALIGNMENT : bytes;
}

int64_t lowerSharedOffset(MlirOperation op) { return tileIntAttr(op, "offset", 0); }

void lowerStandApart(Lowering *l) {
  static const char text[] = "{\n.reg .pred never;\n.reg .b32 programs;\n"
                             "mov.u32 programs, %nctaid.x;\n"
                             "setp.eq.u32 never, programs, 0;\n@never trap;\n}";
  lowerInlineAsm(l, text, "", (MlirType){NULL}, 0, NULL);
}
