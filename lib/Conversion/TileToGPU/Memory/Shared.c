//===- Shared.c - shared memory: buffers and asynchronous copies ----------===//
//
// A buffer is its byte offset. The address of what a thread holds is linear over
// F2 in register, lane and warp, so each access is the thread's part, computed
// once, xor a constant of the register. The bits of that constant that no thread
// reaches are added last, and so fold into the instruction:
//
//   swizzled rows of 256 bytes, (0, 8) and (32, 8):   p = t ^ 16 + buffer      [p], [p + 8192]
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include "../MathLowering.h"
#include "tile/Analysis/Scratch.h"
#include <stdio.h>
#include <stdlib.h>

/// Bytes' bits that lanes and warps reach.
static int64_t threadBits(const TileLayout *map, int dim, int bytes) {
  static const TileInDim threads[] = {TILE_LANE, TILE_WARP};
  int64_t bits = 0;
  for (int i = 0; i < 2; ++i)
    for (int b = 0; b < map->inBits[threads[i]]; ++b)
      bits |= tileLayoutCoordinate(*map, map->bases[threads[i]][b], dim) * bytes;
  return bits;
}

LowerAddress lowerBufferAddress(Lowering *l, MlirValue buffer, const TileLayout *map, int bytes) {
  // The offset is the last output of a position map.
  LowerAddress a = {.map = *map, .dim = map->rank - 1, .bytes = bytes, .buffer = buffer};
  a.mixed = threadBits(map, a.dim, bytes);
  MlirValue elements = lowerThreadPart(l, map, a.dim);
  MlirValue scale = lowerI32(l, bytes);
  a.start = tileBuildBinary(&l->b, "arith.muli", elements, scale);
  return a;
}

/// The pointer at start ^ part. It is added up in this order so that the first sum is the same all
/// round a loop, and only a ring's stage is added there.
static MlirValue pointerAt(Lowering *l, const LowerAddress *a, MlirValue start, int64_t part) {
  if (part) {
    MlirValue constant = lowerI32(l, part);
    start = tileBuildBinary(&l->b, "arith.xori", start, constant);
  }
  MlirValue pointer = lowerSharedPointer(l, start);
  return lowerOffset(l, pointer, a->buffer);
}

MlirValue lowerBufferBase(Lowering *l, const LowerAddress *a, int reg, int64_t *added) {
  int64_t part = lowerRegisterPart(&a->map, reg, a->dim) * a->bytes;
  *added = part & ~a->mixed;
  return pointerAt(l, a, a->start, part & a->mixed);
}

MlirValue lowerBufferPointer(Lowering *l, const LowerAddress *a, int reg, MlirValue extra) {
  if (!mlirValueIsNull(extra)) { // which may have any bits: then only xor is right
    MlirValue start = tileBuildBinary(&l->b, "arith.xori", a->start, extra);
    return pointerAt(l, a, start, lowerRegisterPart(&a->map, reg, a->dim) * a->bytes);
  }
  int64_t added;
  MlirValue base = lowerBufferBase(l, a, reg, &added);
  return lowerConstantOffset(l, base, added);
}

//===- ldmatrix and stmatrix ----------------------------------------------===//

/// Has the lane an odd number of the bits of `mask`? Null: none has.
static MlirValue isOddLane(Lowering *l, uint32_t mask) {
  if (!mask) return (MlirValue){NULL};
  MlirValue bits = lowerI32(l, mask), one = lowerI32(l, 1), none = lowerI32(l, 0);
  bits = tileBuildBinary(&l->b, "arith.andi", l->lane, bits);
  if (mask & (mask - 1)) {
    bits = tileBuildUnary(&l->b, "math.ctpop", tileI32(l->b.context), bits);
    bits = tileBuildBinary(&l->b, "arith.andi", bits, one);
  }
  return tileBuildCmpi(&l->b, TILE_NE, bits, none);
}

/// prmt's selectors for what two matrices gave: of each word (row: a, b; next row: a, b) the even
/// bytes, and the odd ones. Lanes that found rows 2 and 3 in the first matrix begin with the
/// second.
static void prepareTurns(Lowering *l, LowerMatrices *m) {
  enum { CROSSED = 2 };
  static const int64_t straight[] = {0x6420, 0x7531}, crossed[] = {0x2064, 0x3175};
  MlirValue isCrossed = isOddLane(l, m->plan.crossed ? CROSSED : 0), turns[2];
  for (int i = 0; i < 2; ++i) {
    turns[i] = lowerI32(l, straight[i]);
    if (mlirValueIsNull(isCrossed)) continue;
    MlirValue other = lowerI32(l, crossed[i]);
    turns[i] = tileBuildSelect(&l->b, isCrossed, other, turns[i]);
  }
  MlirValue isSwapped = isOddLane(l, m->plan.swapped);
  for (int i = 0; i < 2; ++i)
    m->turns[i] = mlirValueIsNull(isSwapped)
                      ? turns[i]
                      : tileBuildSelect(&l->b, isSwapped, turns[1 - i], turns[i]);
}

LowerMatrices lowerMatrices(Lowering *l, MlirValue buffer, const TileLdmatrix *plan, int bytes) {
  // Registers and warps place a fragment; what its lanes add names its rows.
  TileLayout map = plan->address, rows = tileLayoutEmpty(1);
  for (int b = 0; b < map.inBits[TILE_LANE]; ++b) map.bases[TILE_LANE][b] = 0;
  rows.outBits[0] = TILE_MAX_BITS;
  rows.inBits[TILE_LANE] = TILE_LANE_BITS;
  for (int b = 0; b < TILE_LANE_BITS; ++b)
    rows.bases[TILE_LANE][b] = (uint64_t)plan->laneOffset[b] * (uint64_t)bytes;
  LowerMatrices m = {.plan = *plan, .address = lowerBufferAddress(l, buffer, &map, bytes)};
  MlirValue lanes = lowerThreadPart(l, &rows, 0);
  m.address.start = tileBuildBinary(&l->b, "arith.xori", m.address.start, lanes);
  m.address.mixed |= threadBits(&rows, 0, 1);
  if (plan->bytes) prepareTurns(l, &m);
  return m;
}

static TileNamedAttr matrixLayout(Lowering *l, const TileLdmatrix *plan) {
  const char *text = plan->transposed ? "#nvvm.mma_layout<col>" : "#nvvm.mma_layout<row>";
  return (TileNamedAttr){"layout", tileParseAttr(l->b.context, text)};
}

static TileNamedAttr matrixShape(Lowering *l) {
  return (TileNamedAttr){"shape",
                         tileParseAttr(l->b.context, "#nvvm.ld_st_matrix_shape<m = 8, n = 8>")};
}

static TileNamedAttr matrixElement(Lowering *l) {
  return (TileNamedAttr){"eltType",
                         tileParseAttr(l->b.context, "#nvvm.ld_st_matrix_elt_type<b16>")};
}

/// Words a and b of two matrices' bytes.
static void turnBytes(Lowering *l, const LowerMatrices *m, const MlirValue from[2],
                      MlirValue to[2]) {
  for (int i = 0; i < 2; ++i) {
    MlirValue operands[] = {from[0], from[1], m->turns[i]};
    to[i] = lowerIntrinsic(l, "llvm.nvvm.prmt", 3, operands, tileI32(l->b.context));
  }
}

void lowerLoadMatrices(Lowering *l, const LowerMatrices *m, int first, int word,
                       MlirValue words[]) {
  static const char *types[] = {"i32", "!llvm.struct<(i32, i32)>", "",
                                "!llvm.struct<(i32, i32, i32, i32)>"};
  MlirContext c = l->b.context;
  int count = m->plan.count, at[4] = {word};
  int registers = 4 / m->address.bytes; // of a word
  for (int i = 0; 1 << i < count; ++i) at[0] &= ~(1 << m->plan.words[i]);
  for (int i = 1; i < count; ++i)
    at[i] = at[0] | (i & 1) << m->plan.words[0] | (i >> 1) << m->plan.words[1];
  MlirValue pointer =
      lowerBufferPointer(l, &m->address, first + at[0] * registers, (MlirValue){NULL});
  MlirType type = mlirTypeParseGet(c, tileString(types[count - 1]));
  MlirAttribute num = mlirIntegerAttrGet(tileI32(c), count);
  TileNamedAttr attrs[] = {
      {"num", num}, matrixLayout(l, &m->plan), matrixShape(l), matrixElement(l)};
  MlirValue loaded =
      tileResult(tileBuildOp(&l->b, "nvvm.ldmatrix", TILE_VALUES(pointer), 1, &type, 4, attrs, 0));
  MlirValue got[4];
  for (int i = 0; i < count; ++i)
    got[i] = count == 1 ? loaded : lowerStructElement(l, loaded, tileI32(c), i);
  for (int i = 0; i < count && m->plan.bytes; i += 2) {
    MlirValue pair[] = {got[i], got[i + 1]};
    turnBytes(l, m, pair, got + i);
  }
  for (int i = 0; i < count; ++i) words[at[i]] = got[i];
}

/// nvvm.stmatrix %p, %words: fragments of matrix instructions, 16 bytes a row of 8.
static void storeMatrices(Lowering *l, const LowerMatrices *m, int registers, MlirValue value) {
  int perWord = 4 / m->address.bytes, count = registers / perWord;
  MlirValue words = lowerBitcast(l, value, tileVectorType(count, tileI32(l->b.context)));
  TileNamedAttr attrs[] = {matrixLayout(l, &m->plan), matrixShape(l), matrixElement(l)};
  for (int w = 0; w < count; w += m->plan.count) {
    MlirValue operands[5];
    operands[0] = lowerBufferPointer(l, &m->address, perWord * w, (MlirValue){NULL});
    for (int i = 0; i < m->plan.count; ++i) operands[1 + i] = lowerExtract(l, words, w + i);
    tileBuildOp(&l->b, "nvvm.stmatrix", 1 + m->plan.count, operands, TILE_NONE, 3, attrs, 0);
  }
}

//===- buffers ------------------------------------------------------------===//

MlirLogicalResult lowerAllocShared(Lowering *l, MlirOperation op) {
  if (mlirAttributeIsNull(tileAllocSharedGetOffsetAttr(op))) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a buffer with an offset (see tile-allocate-shared), found none");
    return mlirLogicalResultFailure();
  }
  lowerSet(l, tileResult(op), lowerI32(l, lowerSharedOffset(op)));
  return mlirLogicalResultSuccess();
}

/// %block = %ring + %stage * bytes
MlirLogicalResult lowerBufferStage(Lowering *l, MlirOperation op) {
  MlirValue bytes = lowerI32(l, tileBufferBytes(mlirValueGetType(tileResult(op))));
  MlirValue stage = lowerGet(l, tileBufferStageGetStage(op));
  MlirValue offset = tileBuildBinary(&l->b, "arith.muli", stage, bytes);
  MlirValue ring = lowerGet(l, tileBufferStageGetRing(op));
  lowerSet(l, tileResult(op), tileBuildBinary(&l->b, "arith.addi", ring, offset));
  return mlirLogicalResultSuccess();
}

/// Where the registers of a tile lie in a buffer.
typedef struct {
  TileLayout layout, shared;
  LowerAddress address;
  int registers;
  int first; // of the registers of `layout`, those that are the tile's: a tile that is a part of
             // the buffer is found among registers that run through all parts
  bool isRagged; // then there is no address: see Ragged.c
} BufferAccess;

static bool refuseBuffer(MlirLocation loc) {
  tileEmitError(loc, "expected a buffer whose rows are as long as its swizzle, found shorter ones");
  return false;
}

static MlirLogicalResult refuseRagged(MlirOperation op) {
  tileEmitError(mlirOperationGetLocation(op),
                "expected asynchronous copies into a ragged buffer, found a store");
  return mlirLogicalResultFailure();
}

/// `tile` is a type. `at`: where it begins in the buffer; null where it is all of it.
static bool planAccess(Lowering *l, MlirOperation op, MlirType tile, MlirValue buffer,
                       MlirAttribute at, BufferAccess *a) {
  MlirLocation loc = mlirOperationGetLocation(op);
  *a = (BufferAccess){.shared = tileBufferLayout(mlirValueGetType(buffer))};
  a->isRagged = tileBufferTypeIsRagged(mlirValueGetType(buffer));
  if (!lowerLayoutOf(loc, tile, &a->layout)) return false;
  if (!tileLayoutIsValid(a->shared) && !a->isRagged) return refuseBuffer(loc);
  a->registers = lowerNumRegisters(&a->layout);
  if (!mlirAttributeIsNull(at)) {
    int64_t counts[TILE_MAX_RANK], part = 0;
    for (int d = 0; d < a->layout.rank; ++d) {
      int64_t extent = tileLayoutExtent(a->layout, d);
      counts[d] = tileBufferTypeGetDim(mlirValueGetType(buffer), d) / extent;
      part = part * counts[d] + mlirDenseI32ArrayGetElement(at, d) / extent;
    }
    TileLayout parts = tileLayoutIdentityBox(TILE_REGISTER, a->layout.rank, counts, NULL);
    a->layout = tileLayoutProduct(a->layout, parts);
    a->first = (int)part * a->registers;
  }
  TileLayout map;
  if (a->isRagged) return true;
  if (!tileLayoutSharedAddress(a->layout, a->shared, &map)) return refuseBuffer(loc);
  a->address =
      lowerBufferAddress(l, lowerGet(l, buffer), &map, tileElementBytes(tileElementType(tile)));
  return true;
}

/// i1 tiles are bytes in shared memory.
static MlirType storedElement(MlirType element) {
  return tileBitWidth(element) == 1 ? tileI8(mlirTypeGetContext(element)) : element;
}

/// Are the registers fragments that ldmatrix or stmatrix moves, and no wider access as good?
static bool isMatrices(const BufferAccess *a, int vector, TileLdmatrix *plan) {
  int bytes = a->address.bytes;
  if (bytes > 4 || vector * bytes >= 16 || tileLayoutFreeBits(a->layout, TILE_REGISTER))
    return false;
  // Of one matrix a plain load takes the same words.
  return tileLayoutSupportsLdmatrix(a->layout, a->shared, bytes, plan) &&
         (bytes == 2 || plan->count > 1);
}

/// Has the part of the buffer all words that an instruction gives? Of fewer an instruction gives as
/// many, where plain loads would be more than one.
static bool givesAll(const BufferAccess *a, TileLdmatrix *plan) {
  int words = a->registers * a->address.bytes / 4;
  if (words < plan->count && !plan->bytes && words >= (plan->transposed ? 1 : 2))
    plan->count = words;
  return words >= plan->count;
}

/// Puts neighbours of the buffer into neighbouring registers of `value`, where more of them are in
/// a thread than the first registers say. Returns how many one access takes.
static int joinNeighbours(Lowering *l, BufferAccess *a, int vector, MlirValue *value) {
  int order[TILE_MAX_BITS];
  TileLayout joined = tileLayoutSharedOrder(a->layout, a->shared, a->address.bytes, order);
  int wider =
      tileLayoutIsValid(joined) ? tileLayoutSharedVector(joined, a->shared, a->address.bytes) : 0;
  TileLayout map;
  if (wider <= vector || !tileLayoutSharedAddress(joined, a->shared, &map)) return vector;
  MlirValue *moved = malloc((size_t)a->registers * sizeof *moved);
  if (!moved) abort();
  for (int r = 0; r < a->registers; ++r) {
    int from = 0;
    for (int b = 0; b < joined.inBits[TILE_REGISTER]; ++b) from |= (r >> b & 1) << order[b];
    moved[r] = lowerExtract(l, *value, from);
  }
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(*value));
  *value = lowerFromElements(l, element, a->registers, moved);
  free(moved);
  a->layout = joined;
  a->address.map = map;
  return wider;
}

MlirLogicalResult lowerBufferStore(Lowering *l, MlirOperation op) {
  BufferAccess a;
  MlirValue buffer = tileBufferStoreGetBuffer(op);
  MlirType type = mlirValueGetType(tileBufferStoreGetValue(op)),
           element = lowerElementType(tileElementType(type));
  if (!planAccess(l, op, type, buffer, mlirAttributeGetNull(), &a))
    return mlirLogicalResultFailure();
  if (a.isRagged) return refuseRagged(op);
  int vector = tileLayoutSharedVector(a.layout, a.shared, a.address.bytes);
  MlirValue value = lowerGet(l, tileBufferStoreGetValue(op));
  if (!mlirTypeEqual(element, storedElement(element)))
    value = tileBuildUnary(&l->b, "arith.extui",
                           tileVectorType(a.registers, storedElement(element)), value);
  TileLdmatrix plan;
  if (tileMachineHas(l->machine, TILE_FEATURE_STMATRIX) && a.address.bytes <= 2 &&
      isMatrices(&a, vector, &plan) && !plan.bytes) {
    LowerMatrices matrices = lowerMatrices(l, lowerGet(l, buffer), &plan, a.address.bytes);
    storeMatrices(l, &matrices, a.registers, value);
    return mlirLogicalResultSuccess();
  }
  vector = joinNeighbours(l, &a, vector, &value);
  uint32_t copies = tileLayoutFreeBits(a.layout, TILE_REGISTER);
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), vector * a.address.bytes);
  for (int r = 0; r < a.registers; r += vector) {
    if ((uint32_t)r & copies) continue;
    // Threads that hold one element write the same value to the same place.
    MlirValue part = lowerExtractSlice(l, value, r, vector);
    MlirValue pointer = lowerBufferPointer(l, &a.address, r, (MlirValue){NULL});
    tileBuildOp(&l->b, "llvm.store", TILE_VALUES(part, pointer), TILE_NONE,
                TILE_ATTRS({"alignment", alignment}), 0);
  }
  return mlirLogicalResultSuccess();
}

static MlirWalkResult findWait(MlirOperation op, void *found) {
  *(bool *)found |= tileOpIsAAsyncWait(op);
  return MlirWalkResultAdvance;
}

/// Does `op` read what the warp's threads copied each for itself, behind a wait for their own
/// copies alone? A matrix is read by rows, which are several threads': each has to see the others'
/// copies.
static bool followsOwnWait(MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  bool waits = false;
  TILE_FOR_EACH_OP(each, block) {
    if (mlirOperationEqual(each, op)) break;
    if (tileOpIs(each, "gpu.barrier"))
      waits = false;
    else
      mlirOperationWalk(each, findWait, &waits, MlirWalkPreOrder);
  }
  return waits;
}

/// nvvm.ldmatrix of all words, as a vector of `element`.
static MlirValue loadMatrices(Lowering *l, const BufferAccess *a, const LowerMatrices *m,
                              MlirType element) {
  int perWord = 4 / a->address.bytes, count = a->registers / perWord;
  MlirValue *words = calloc((size_t)count, sizeof *words);
  if (!words) abort();
  for (int w = 0; w < count; ++w)
    if (mlirValueIsNull(words[w])) lowerLoadMatrices(l, m, a->first, w, words);
  MlirValue all = lowerFromElements(l, tileI32(l->b.context), count, words);
  free(words);
  return lowerBitcast(l, all, tileVectorType(a->registers, element));
}

/// llvm.load of as many elements at a time as lie together. Two bytes are a number of 16 bits: as a
/// vector, LLVM would take them apart.
static MlirValue loadVectors(Lowering *l, const BufferAccess *a, int vector, MlirType element) {
  bool isPair = vector == 2 && tileBitWidth(element) == 8;
  MlirType piece = isPair ? mlirIntegerTypeGet(l->b.context, 16) : element;
  MlirType part = tileVectorType(isPair ? 1 : vector, piece);
  MlirValue *slices = lowerNewSlices(a->registers / vector);
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), vector * a->address.bytes);
  for (int r = 0; r < a->registers; r += vector) {
    MlirValue pointer = lowerBufferPointer(l, &a->address, a->first + r, (MlirValue){NULL});
    slices[r / vector] = tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &part,
                                                TILE_ATTRS({"alignment", alignment}), 0));
  }
  MlirValue whole = lowerJoinSlices(l, a->registers / vector, slices);
  return isPair ? lowerBitcast(l, whole, tileVectorType(a->registers, element)) : whole;
}

//===- bytes that are each fourth one a lane's (LaneBytes.c) --------------===//

enum { wordBytes = 4 };

/// The bytes that bit `b` of an input adds to an address.
static int64_t addedBy(const LowerAddress *a, TileInDim in, int b) {
  return tileLayoutCoordinate(a->map, a->map.bases[in][b], a->dim) * a->bytes;
}

/// Of all bits of registers, lanes and warps, which alone adds `bytes`, as no other does even in
/// part? Whether there is one, and it is `in`'s.
static bool findBit(const LowerAddress *a, int64_t bytes, TileInDim in, int *bit) {
  static const TileInDim all[] = {TILE_REGISTER, TILE_LANE, TILE_WARP};
  int found = 0;
  bool isOwn = false;
  for (int i = 0; i < 3; ++i)
    for (int b = 0; b < a->map.inBits[all[i]]; ++b) {
      int64_t added = addedBy(a, all[i], b);
      if (!(added & bytes)) continue;
      ++found;
      isOwn = added == bytes && all[i] == in;
      *bit = b;
    }
  return found == 1 && isOwn;
}

/// Are the bytes at `a` each fourth ones of a row, those between them of other lanes?
static bool isLaneBytes(const LowerAddress *a) {
  int bit = 0;
  bool areLanes = a->bytes == 1 && findBit(a, 1, TILE_LANE, &bit) && bit == 0 &&
                  findBit(a, 2, TILE_LANE, &bit) && bit == 1;
  return areLanes && findBit(a, wordBytes, TILE_REGISTER, &bit);
}

/// Those of `registers` registers, `first` on, as a vector: words are loaded, one for four lanes.
static MlirValue loadLaneBytes(Lowering *l, const LowerAddress *a, int first, int registers) {
  int bits[2] = {0}, numBits = 1;
  if (!findBit(a, wordBytes, TILE_REGISTER, &bits[0])) return (MlirValue){NULL};
  if (findBit(a, 2 * wordBytes, TILE_REGISTER, &bits[1])) numBits = 2;
  const int count = 1 << numBits;
  LowerAddress words = *a;
  words.start = tileBuildBinary(&l->b, "arith.andi", a->start, lowerI32(l, -wordBytes));
  MlirType part = tileVectorType(count, tileI32(l->b.context));
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), wordBytes * count);
  MlirValue *elements = malloc((size_t)registers * sizeof *elements);
  if (!elements) abort();
  for (int r = 0; r < registers; ++r) {
    if (r >> bits[0] & 1 || (numBits > 1 && r >> bits[1] & 1)) continue;
    MlirValue pointer = lowerBufferPointer(l, &words, first + r, (MlirValue){NULL});
    MlirValue loaded = tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &part,
                                              TILE_ATTRS({"alignment", alignment}), 0));
    for (int i = 0; i < count; ++i) {
      int at = r | (i & 1) << bits[0] | (numBits > 1 ? (i >> 1) << bits[1] : 0);
      elements[at] = lowerLaneByte(l, lowerExtract(l, loaded, i));
    }
  }
  MlirValue whole = lowerFromElements(l, tileI8(l->b.context), registers, elements);
  free(elements);
  return whole;
}

MlirLogicalResult lowerBufferLoad(Lowering *l, MlirOperation op) {
  BufferAccess a;
  MlirValue buffer = tileBufferLoadGetBuffer(op);
  MlirType type = mlirValueGetType(tileResult(op)),
           element = lowerElementType(tileElementType(type)), stored = storedElement(element);
  if (!planAccess(l, op, type, buffer, tileBufferLoadGetAtAttr(op), &a))
    return mlirLogicalResultFailure();
  if (a.isRagged) return lowerRaggedLoad(l, op, &a.layout, a.first, a.registers);
  int vector = tileLayoutSharedVector(a.layout, a.shared, a.address.bytes);
  TileLdmatrix plan;
  MlirValue whole;
  if (isMatrices(&a, vector, &plan) && givesAll(&a, &plan)) {
    LowerMatrices matrices = lowerMatrices(l, lowerGet(l, buffer), &plan, a.address.bytes);
    if (followsOwnWait(op)) {
      MlirValue all = tileBuildInt(&l->b, tileI32(l->b.context), -1);
      tileBuildOp(&l->b, "nvvm.bar.warp.sync", TILE_VALUES(all), TILE_NONE, TILE_NONE, 0);
    }
    whole = loadMatrices(l, &a, &matrices, stored);
  } else if (isLaneBytes(&a.address) && tileBitWidth(stored) == 8) {
    whole = loadLaneBytes(l, &a.address, a.first, a.registers);
  } else {
    whole = loadVectors(l, &a, vector < a.registers ? vector : a.registers, stored);
  }
  if (!mlirTypeEqual(element, stored)) {
    MlirValue zero = tileBuildInt(&l->b, mlirValueGetType(whole), 0);
    whole = tileBuildCmpi(&l->b, TILE_NE, whole, zero);
  }
  lowerSet(l, tileResult(op), whole);
  return mlirLogicalResultSuccess();
}

//===- asynchronous copies ------------------------------------------------===//

/// Do all threads meet behind each wait for the copies of `op`'s loop? Then one of those that hold
/// the same element copies it: 32 lanes that write one place wait for each other. Where threads
/// read their own copies alone, each needs one.
static bool isCopiedForAll(MlirOperation op) {
  bool waits = false, meets = true;
  TILE_FOR_EACH_OP(each, mlirOperationGetBlock(op)) {
    if (!tileOpIsAAsyncWait(each)) continue;
    MlirOperation next = mlirOperationGetNextInBlock(each);
    meets &= !mlirOperationIsNull(next) && tileOpIs(next, "gpu.barrier");
    waits = true;
  }
  return waits && meets;
}

/// A copy that is emitted.
typedef struct {
  MlirOperation op;
  BufferAccess access;
  int bytes;       ///< of an instruction
  MlirValue first; ///< is it this thread that copies for others? Null: each does for itself
  MlirValue yes;   ///< true
  bool shares;     ///< pointers (lowerSharesPointers)
  MlirValue *made; ///< those of registers before, by register; null: none are kept
} AsyncCopy;

/// Neighbours that an instruction of the copy takes.
static int copyVector(Lowering *l, MlirOperation op, const BufferAccess *a) {
  int vector = tileLayoutSharedVector(a->layout, a->shared, a->address.bytes);
  int run = tileAxisAccessVectorIn(l->axis, op, a->layout);
  int told = (int)tileIntAttr(op, "tile_gpu.run", 1);
  if (told > run) run = told;
  return run < vector ? run : vector;
}

/// [@%first] cp.async.cg.shared.global [%dst+n], [%src+m], 16, %ignore;  where the mask is off:
/// zeros. Of the elements from register `r` on.
static void emitAsyncCopy(Lowering *l, const AsyncCopy *c, int r) {
  static const char *const constraints[] = {"l,l", "l,l,b", "l,l,b,b"};
  MlirValue mask = tileAsyncCopyGetMask(c->op), operands[4];
  bool isMasked = !mlirValueIsNull(mask), isFirst = !mlirValueIsNull(c->first);
  int64_t added, apart = 0;
  char behind[16] = "", text[96];
  operands[0] = lowerBufferBase(l, &c->access.address, r, &added);
  operands[1] = c->shares ? lowerCopyPointer(l, c->op, &c->access.layout, r, c->made, &apart)
                          : lowerPointerAt(l, c->op, tileAsyncCopyGetPtr(c->op), r);
  if (apart) snprintf(behind, sizeof behind, "+%d", (int)apart);
  snprintf(text, sizeof text, "%scp.async.%s.shared.global [$0+%d], [$1%s], %d%s;",
           !isFirst   ? ""
           : isMasked ? "@$3 "
                      : "@$2 ",
           c->bytes == 16 ? "cg" : "ca", (int)added, behind, c->bytes, isMasked ? ", $2" : "");
  if (isMasked) {
    MlirValue on = lowerTruthAt(l, mask, r);
    operands[2] = tileBuildBinary(&l->b, "arith.xori", on, c->yes);
  }
  operands[2 + isMasked] = c->first;
  lowerInlineAsm(l, text, constraints[isMasked + isFirst], (MlirType){NULL}, 2 + isMasked + isFirst,
                 operands);
}

MlirLogicalResult lowerAsyncCopy(Lowering *l, MlirOperation op) {
  AsyncCopy c = {.op = op};
  BufferAccess *a = &c.access;
  MlirType type = mlirValueGetType(tileAsyncCopyGetPtr(op));
  MlirType pointee = tilePtrTypeGetPointee(tileElementType(type));
  MlirType tile = tileWithElement(type, pointee);
  if (!planAccess(l, op, tile, tileAsyncCopyGetBuffer(op), mlirAttributeGetNull(), a))
    return mlirLogicalResultFailure();
  if (a->isRagged) return lowerRaggedCopy(l, op, &a->layout, lowerIsFirstCopy(l, &a->layout));
  int vector = copyVector(l, op, a);
  c.bytes = vector * a->address.bytes;
  if (c.bytes != 4 && c.bytes != 8 && c.bytes != 16) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected runs of 4, 8 or 16 bytes for an asynchronous copy, found %d", c.bytes);
    return mlirLogicalResultFailure();
  }
  if (isCopiedForAll(op)) c.first = lowerIsFirstCopy(l, &a->layout);
  uint32_t copies = tileLayoutFreeBits(a->layout, TILE_REGISTER);
  c.yes = tileBuildInt(&l->b, tileI1(l->b.context), 1);
  c.shares = lowerSharesPointers(l, op);
  if (c.shares && lowerAddsPointersUp(l, op, &a->layout) &&
      !(c.made = calloc((size_t)a->registers, sizeof *c.made)))
    abort();
  for (int r = 0; r < a->registers; r += vector)
    if (!((uint32_t)r & copies)) emitAsyncCopy(l, &c, r);
  free(c.made);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerAsyncCommit(Lowering *l, MlirOperation op) {
  (void)op;
  tileBuildOp(&l->b, "nvvm.cp.async.commit.group", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerAsyncWait(Lowering *l, MlirOperation op) {
  MlirAttribute pending = mlirIntegerAttrGet(tileI32(l->b.context), tileAsyncWaitGetPending(op));
  tileBuildOp(&l->b, "nvvm.cp.async.wait.group", TILE_NONE, TILE_NONE, TILE_ATTRS({"n", pending}),
              0);
  return mlirLogicalResultSuccess();
}
