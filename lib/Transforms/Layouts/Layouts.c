//===- Layouts.c - what layout an op gives, and what it asks for ----------===//
#include "Layouts.h"
#include "tile/Analysis/DotForm.h"
#include "tile/Analysis/Scratch.h"
#include "tile/MachineNumbers.h"

bool tileOpIsShapeChange(MlirOperation op) {
  return tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) || tileOpIsATrans(op) ||
         tileOpIsAReshape(op);
}

MlirAttribute tileLayoutOrNull(const TileLayoutRules *rules, TileLayout layout) {
  return tileLayoutIsValid(layout) ? tileLayoutToAttr(rules->context, &layout)
                                   : mlirAttributeGetNull();
}

TileLayout tileLayoutOn(MlirAttribute attr, MlirType type) {
  int64_t shape[TILE_MAX_RANK];
  TileLayout layout;
  int rank = tileShape(type, shape);
  if (mlirAttributeIsNull(attr) || rank < 0 || !tileLayoutFromAttr(attr, rank, shape, &layout))
    return tileLayoutInvalid();
  return layout;
}

//===- anchors ------------------------------------------------------------===//

/// `vector` neighbours along rows a thread.
static MlirAttribute inRows(const TileLayoutRules *rules, MlirType tile, int vector) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(tile, shape);
  return tileLayoutOrNull(rules, tileLayoutCoalesced(rank, shape, NULL, vector, rules->numWarps));
}

MlirAttribute tileLayoutDefault(const TileLayoutRules *rules, MlirType tile) {
  return inRows(rules, tile, 4);
}

MlirAttribute tileLayoutOfBox(const TileLayoutRules *rules, MlirType tile) {
  enum { ACCESS_BITS = 128, MOST = 8 };
  int vector = ACCESS_BITS / tileBitWidth(tileElementType(tile));
  return inRows(rules, tile, vector < MOST ? vector : MOST);
}

MlirAttribute tileLayoutOfWholeRows(const TileLayoutRules *rules, MlirType tile) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(tile, shape);
  return inRows(rules, tile, (int)shape[rank - 1]);
}

/// The coalesced layout of a tile of `shape`, with `least` elements a thread though some are left
/// without work: of so many as one each.
static TileLayout layOutParts(const TileLayoutRules *rules, int rank, int64_t shape[],
                              const int order[], int least, unsigned kept) {
  int64_t box[TILE_MAX_RANK];
  for (int d = 0; d < rank; ++d) box[d] = d == order[0] ? least : 1;
  shape[order[0]] /= least;
  TileLayout part = tileLayoutIdentityBox(TILE_REGISTER, rank, box, NULL);
  return tileLayoutProduct(
      part, tileLayoutCoalescedKeeping(rank, shape, order, 1, rules->numWarps, kept));
}

/// Puts the dimensions of `repeated` last, where rows of the fastest one are whole lines of the L1
/// cache by themselves.
static void putLast(unsigned repeated, int lineBytes, MlirType pointers, const int64_t shape[],
                    int rank, int order[]) {
  MlirType element = tilePtrTypeGetPointee(tileElementType(pointers));
  int64_t row = shape[order[0]] * tileBitWidth(element) / 8;
  int last[TILE_MAX_RANK], numLast = 0, kept = 1;
  if (row < lineBytes) return;
  for (int i = 1; i < rank; ++i) {
    if (repeated >> order[i] & 1)
      last[numLast++] = order[i];
    else
      order[kept++] = order[i];
  }
  for (int i = 0; i < numLast; ++i) order[kept++] = last[i];
}

int64_t tileRowEnd(const TileAxisAnalysis *axis, MlirValue mask, int dim, int64_t extent) {
  MlirOperation op = mlirValueIsNull(mask) ? (MlirOperation){NULL} : tileValueGetOp(mask);
  if (mlirOperationIsNull(op)) return extent;
  if (tileOpIsABroadcast(op)) return tileRowEnd(axis, tileOperand(op, 0), dim, extent);
  if (tileOpIs(op, "arith.andi")) {
    int64_t end = tileRowEnd(axis, tileOperand(op, 0), dim, extent);
    return tileRowEnd(axis, tileOperand(op, 1), dim, end);
  }
  if (!tileOpIs(op, "arith.cmpi") || tileIntAttr(op, "predicate", -1) != TILE_SLT) return extent;
  const TileAxisInfo *positions = tileAxisAnalysisGet(axis, tileOperand(op, 0));
  int64_t end, shape[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(tileOperand(op, 0)), shape);
  bool counts = dim < rank && shape[dim] > 1 && positions->contiguity[dim] == shape[dim] &&
                positions->min >= 0;
  return counts && tileConstantInt(tileOperand(op, 1), &end) && end > 0 && end < extent ? end
                                                                                        : extent;
}

static MlirValue maskOf(MlirOperation access) {
  return tileOpIsALoad(access)    ? tileLoadGetMask(access)
         : tileOpIsAStore(access) ? tileStoreGetMask(access)
                                  : (MlirValue){NULL};
}

/// The part of an access's tile from its beginning, powers of two, behind which the mask leaves
/// out all, in `live`, where that has work for all threads: columns of which there is one are
/// one thread's, who computes no others. False where it is all of the tile.
static bool findLive(const TileLayoutRules *rules, MlirOperation access, int rank,
                     const int64_t shape[], int64_t live[TILE_MAX_RANK]) {
  int64_t elements = 1, all = 1;
  for (int d = 0; d < rank; ++d) {
    int64_t end = tileRowEnd(rules->axis, maskOf(access), d, shape[d]);
    live[d] = shape[d];
    while (live[d] / 2 >= end) live[d] /= 2;
    elements *= live[d];
    all *= shape[d];
  }
  return elements < all && elements >= 32 * (int64_t)rules->numWarps;
}

/// `layout` of the first `live` elements, repeated in registers for those behind them.
static TileLayout repeatInRegisters(TileLayout layout, int rank, const int64_t live[],
                                    const int64_t shape[]) {
  int64_t box[TILE_MAX_RANK];
  for (int d = 0; d < rank; ++d) box[d] = shape[d] / live[d];
  return tileLayoutProduct(layout, tileLayoutIdentityBox(TILE_REGISTER, rank, box, NULL));
}

/// Of `most` accesses of a warp side by side as many, a power of two, as leave hardly a thread
/// without work where rows end early.
static int partOf(const TileLayoutRules *rules, MlirOperation access, TileLayout layout, int dim,
                  int most) {
  int64_t shape[TILE_MAX_RANK];
  tileShape(mlirValueGetType(tileOperand(access, 0)), shape);
  int64_t end = tileRowEnd(rules->axis, maskOf(access), dim, shape[dim]), registers = 1;
  for (int b = 0; b < layout.inBits[TILE_REGISTER]; ++b)
    if (tileLayoutCoordinate(layout, layout.bases[TILE_REGISTER][b], dim)) registers *= 2;
  int64_t threads = shape[dim] / registers, least = (end + threads - 1) / threads;
  int64_t idle = tileMachineNumber(tileMachineOf(access), TILE_NUMBER_APART_IDLE);
  least += least * idle / 100;
  while (most > 1 && (end + most * threads - 1) / (most * threads) * most > least) most /= 2;
  return most;
}

MlirAttribute tileLayoutOfAccess(const TileLayoutRules *rules, MlirOperation access, int vector,
                                 int least, const TileAccessUses *uses) {
  unsigned reduced = uses->reduced, scanned = uses->scanned;
  MlirValue pointers = tileOperand(access, 0);
  MlirType type = mlirValueGetType(pointers);
  if (!tileTypeIsTile(type)) return mlirAttributeGetNull();
  int64_t all[TILE_MAX_RANK], shape[TILE_MAX_RANK];
  int order[TILE_MAX_RANK], rank = tileShape(type, all);
  bool isPart = rank > 1 && findLive(rules, access, rank, all, shape);
  if (!isPart) tileShape(type, shape);
  tileAxisAccessOrder(rules->axis, pointers, order);
  if (uses->repeated)
    putLast(uses->repeated, tileMachineOf(access)->lineBytes, type, shape, rank, order);
  if (vector == 1) tileAxisPutWindowsFirst(rules->axis, pointers, uses->reduced, order);
  unsigned kept = reduced | scanned ? reduced | scanned : uses->repeated | 1u << (unsigned)order[0];
  if (rank <= 1) kept = 0;
  bool fewer = tileNumElements(type) < least * rules->numWarps * 32;
  TileLayout layout =
      fewer && vector >= least && shape[order[0]] >= least
          ? layOutParts(rules, rank, shape, order, least, kept)
          : tileLayoutCoalescedKeeping(rank, shape, order, vector, rules->numWarps, kept);
  if (isPart && tileLayoutIsValid(layout)) layout = repeatInRegisters(layout, rank, shape, all);
  unsigned apart = 1u << (unsigned)order[0] & uses->near;
  for (int d = 0; d < rank && tileLayoutIsValid(layout); ++d)
    if ((scanned & ~apart) >> d & 1) layout = tileLayoutLowerRegisters(layout, d);
  // What lanes gather by a list threads store for a dot: a word of neighbours of the other
  // dimension.
  if (vector == 1 && rank == 2 && tileAxisIsListed(rules->axis, pointers, order[0]))
    layout = tileLayoutLowerRegisters(layout, order[1]);
  int part = tileMachineNumber(tileMachineOf(access), TILE_NUMBER_APART_PART);
  if (uses->apart >> order[0] & 1 && !(scanned >> order[0] & 1) && tileLayoutIsValid(layout))
    layout = tileLayoutRaiseWarps(layout, order[0], partOf(rules, access, layout, order[0], part));
  if (uses->often >> order[0] & 1 && uses->widest)
    layout =
        tileLayoutNarrowLanes(layout, order[0], tileMachineOf(access)->lineBytes / uses->widest);
  return tileLayoutOrNull(rules, layout);
}

/// `own` with a thread's neighbours along `dim` in registers behind each other, as one store takes
/// them.
static TileLayout gatherRun(TileLayout own, int dim) {
  if (!tileLayoutIsValid(own)) return own;
  int shift = tileLayoutShift(own, dim), next = 0;
  for (int bit = 0; bit < own.outBits[dim]; ++bit) {
    int at = next;
    while (at < own.inBits[TILE_REGISTER] && own.bases[TILE_REGISTER][at] != (uint64_t)1
                                                                                 << (shift + bit))
      ++at;
    if (at == own.inBits[TILE_REGISTER]) break;
    for (; at > next; --at) own.bases[TILE_REGISTER][at] = own.bases[TILE_REGISTER][at - 1];
    own.bases[TILE_REGISTER][next++] = (uint64_t)1 << (shift + bit);
  }
  return own;
}

/// The dimension along which a thread has most neighbours in registers, wherever those are, as
/// where a step took numbers out of words.
static int heldMost(TileLayout own) {
  int held = own.rank - 1;
  for (int d = own.rank; d-- > 0;)
    if (tileLayoutHeld(own, d) > tileLayoutHeld(own, held)) held = d;
  return tileLayoutHeld(own, held) > 1 ? held : tileLayoutFastest(own);
}

/// The dimension in which an operand that comes in `own` has neighbours: in a thread's registers,
/// or, where threads have single elements of 16 bits, in neighbouring lanes. Those are read either
/// way round, and lanes that store rows apart from each other meet in the same banks. Elements of
/// 16 bits go where a thread has more of them side by side, up to what it stores at once: two of K
/// and 16 of N, as nibbles of bytes are, along N.
static int fastestOf(TileLayout own, MlirType tile) {
  enum { MOST = 8 };
  int fastest = tileLayoutFastest(own), run = tileLayoutContiguous(own, fastest);
  if (tileBitWidth(tileElementType(tile)) != 16) return run > 1 ? fastest : heldMost(own);
  for (int d = own.rank - 2; d >= 0 && d < own.rank && run < MOST; ++d) {
    int other = tileLayoutContiguous(gatherRun(own, d), d);
    if (other > run) fastest = d, run = other;
  }
  for (int d = 0; d < own.rank && run == 1; ++d)
    if (tileLayoutCoordinate(own, own.bases[TILE_LANE][0], d) == 1) return d;
  return fastest;
}

MlirAttribute tileLayoutOfStored(const TileLayoutRules *rules, MlirType tile, MlirAttribute layout,
                                 MlirType buffer) {
  TileLayout own = tileLayoutOn(layout, tile);
  return tileLayoutIsValid(own)
             ? tileLayoutOrNull(rules, gatherRun(own, (int)tileBufferTypeGetOrder(buffer, 0)))
             : layout;
}

MlirType tileBufferOfDot(const TileLayoutRules *rules, MlirOperation dot, int operand,
                         MlirAttribute layout) {
  MlirType type = mlirValueGetType(tileOperand(dot, operand));
  int64_t shape[TILE_MAX_RANK], order[TILE_MAX_RANK];
  int rank = tileShape(type, shape);
  bool mma = tileDotGetInstruction(dot) != TILE_INSTRUCTION_FMA;
  // As the tile comes, so that stores are wide; FMA has its loads from M (or N) fastest, too.
  bool alongK = !mma && tileDotRunsAlongK(rules, dot, operand);
  int fastest = operand == 0 && !alongK ? rank - 2 : operand == 1 && alongK ? rank - 2 : rank - 1;
  TileLayout own = tileLayoutOn(layout, type);
  if (mma) fastest = tileLayoutIsValid(own) ? fastestOf(own, type) : rank - 1;
  if (fastest < rank - 2) fastest = rank - 1;
  if (tileDotWantsKFastest(dot)) fastest = operand == 0 ? rank - 1 : rank - 2;
  order[0] = fastest;
  order[1] = fastest == rank - 1 ? rank - 2 : rank - 1;
  if (rank == 3) order[2] = 0;
  return tileBufferInOrder(rules, type, order, mma || alongK);
}

MlirType tileBufferOfStored(const TileLayoutRules *rules, MlirOperation dot, MlirType tile,
                            MlirAttribute layout, MlirType buffer) {
  // ldmatrix reads it, eight rows in a row; what wgmma reads lies as that has it.
  bool isFree = tileDotGetInstruction(dot) == TILE_INSTRUCTION_MMA_SYNC &&
                tileBitWidth(tileElementType(tile)) == 16 && tileBufferTypeGetSwizzle(buffer) != 0;
  TileLayout own = tileLayoutOn(layout, tile);
  if (!isFree || !tileLayoutIsValid(own)) return buffer;
  int64_t shape[TILE_MAX_RANK], order[TILE_MAX_RANK];
  int rank = tileShape(tile, shape);
  for (int d = 0; d < rank; ++d) order[d] = tileBufferTypeGetOrder(buffer, d);
  MlirType folded = tileBufferTypeGet(rules->context, rank, shape, tileElementType(tile),
                                      TILE_SWIZZLE_FOLDED, order, 1);
  int bytes = tileElementBytes(tileElementType(tile));
  int conflicts = tileLayoutStoreConflicts(own, tileBufferLayout(buffer), bytes);
  return tileLayoutStoreConflicts(own, tileBufferLayout(folded), bytes) < conflicts ? folded
                                                                                    : buffer;
}

MlirAttribute tileLayoutOfPaddedBox(const TileLayoutRules *rules, MlirOperation store,
                                    MlirAttribute own) {
  MlirAttribute extents = tileDescStoreGetExtentsAttr(store);
  if (mlirAttributeIsNull(extents)) return mlirAttributeGetNull();
  int64_t shape[TILE_MAX_RANK];
  MlirType type = mlirValueGetType(tileDescStoreGetValue(store));
  const int groups[] = {rules->numWarps / 4, 1};
  if (tileShape(type, shape) != 2 || groups[0] < 1) return mlirAttributeGetNull();
  // Where rows are padding: of a product that was transposed.
  bool isTurned = mlirDenseI64ArrayGetElement(extents, 0) != shape[0];
  const int64_t turned[] = {shape[1], shape[0]};
  const int order[] = {1, 0};
  TileLayout layout = tileLayoutWgmma(isTurned ? turned : shape, groups);
  TileLayout pairs = tileLayoutInterleave(layout, 0);
  if (isTurned && tileLayoutIsValid(layout)) {
    layout = tileLayoutTranspose(layout, order);
    pairs = tileLayoutTranspose(pairs, order);
  }
  TileLayout lies = tileLayoutOn(own, type);
  return tileLayoutIsValid(lies) && tileLayoutEqual(lies, pairs) ? own
                                                                 : tileLayoutOrNull(rules, layout);
}

MlirType tileBufferOfBox(const TileLayoutRules *rules, MlirType type) {
  int64_t shape[TILE_MAX_RANK], order[TILE_MAX_RANK];
  int rank = tileShape(type, shape);
  int64_t rows = 1;
  for (int d = 0; d < rank; ++d) {
    order[d] = rank - 1 - d;
    if (d + 1 < rank) rows *= shape[d];
  }
  // As the box's map has it (tile/TensorMap.h): the pattern takes 8 rows.
  return tileBufferInOrder(rules, type, order, rows >= 8);
}

//===- one op's rule ------------------------------------------------------===//

MlirAttribute tileLayoutForward(const TileLayoutRules *rules, MlirOperation op,
                                MlirAttribute operand) {
  if (mlirAttributeIsNull(operand)) return operand;
  if (tileOpIsElementwise(op) || tileOpKeepsLayout(op)) return operand;
  int64_t shape[TILE_MAX_RANK];
  int order[TILE_MAX_RANK], rank, bit;
  MlirType resultType = mlirValueGetType(tileResult(op));
  TileLayout from = tileLayoutOn(operand, mlirValueGetType(tileOperand(op, 0)));
  if (!tileLayoutIsValid(from) || !tileTypeIsTile(resultType)) return mlirAttributeGetNull();
  rank = tileShape(resultType, shape);
  if (tileOpIsAExpandDims(op))
    return tileLayoutOrNull(rules, tileLayoutExpandDims(from, (int)tileExpandDimsGetAxis(op)));
  if (tileOpIsABroadcast(op)) return tileLayoutOrNull(rules, tileLayoutBroadcast(from, shape));
  if (tileOpIsAReshape(op)) return tileLayoutOrNull(rules, tileLayoutReshape(from, rank, shape));
  if (tileOpIsATrans(op)) {
    tileTransOrder(op, rank, order);
    return tileLayoutOrNull(rules, tileLayoutTranspose(from, order));
  }
  if (tileOpIsAReduce(op))
    return tileLayoutOrNull(rules, tileLayoutSliceCompact(from, (int)tileReduceGetAxis(op)));
  if (tileOpIsAJoin(op)) return tileLayoutOrNull(rules, tileLayoutJoin(from));
  if (tileOpIsASplit(op)) return tileLayoutOrNull(rules, tileLayoutSplit(from, &bit));
  if (tileOpIsACat(op))
    return tileLayoutOrNull(rules, tileLayoutCat(from, (int)tileCatGetAxis(op)));
  return mlirAttributeGetNull();
}

/// Undoes tileLayoutCat: the highest register bit told the halves apart.
static TileLayout uncat(TileLayout layout, int dim) {
  int bits = layout.inBits[TILE_REGISTER];
  if (bits == 0 || layout.outBits[dim] == 0) return tileLayoutInvalid();
  int64_t shape[TILE_MAX_RANK];
  TileLayout half = tileLayoutEmpty(layout.rank);
  for (int d = 0; d < layout.rank; ++d) half.outBits[d] = layout.outBits[d] - (d == dim);
  for (int in = 0; in < TILE_OFFSET; ++in) {
    half.inBits[in] = layout.inBits[in] - (in == TILE_REGISTER);
    for (int b = 0; b < half.inBits[in]; ++b) {
      for (int d = 0; d < layout.rank; ++d)
        shape[d] = tileLayoutCoordinate(layout, layout.bases[in][b], d);
      half.bases[in][b] = tileLayoutPack(half, shape);
    }
  }
  return half;
}

MlirAttribute tileLayoutBackward(const TileLayoutRules *rules, MlirOperation op, intptr_t i,
                                 MlirAttribute result) {
  if (mlirAttributeIsNull(result)) return result;
  // A gather reads its indices where it leaves its results; the source may come as it is.
  if (tileOpIsAGather(op)) return i == 1 ? result : mlirAttributeGetNull();
  if (tileOpIsElementwise(op) || tileOpKeepsLayout(op)) return result;
  int64_t shape[TILE_MAX_RANK];
  int order[TILE_MAX_RANK], bit;
  MlirType operandType = mlirValueGetType(tileOperand(op, i));
  TileLayout to = tileLayoutOn(result, mlirValueGetType(tileResult(op)));
  if (!tileLayoutIsValid(to) || !tileTypeIsTile(operandType)) return mlirAttributeGetNull();
  int rank = tileShape(operandType, shape);
  if (tileOpIsAExpandDims(op))
    return tileLayoutOrNull(rules, tileLayoutSlice(to, (int)tileExpandDimsGetAxis(op)));
  // Along what is repeated one register is enough; a reduction gives just that layout.
  if (tileOpIsABroadcast(op)) {
    TileLayout source = tileLayoutBroadcastBackward(to, shape);
    if (!tileLayoutIsValid(source)) return mlirAttributeGetNull();
    return tileLayoutOrNull(rules, tileLayoutRemoveFreeRegisters(source, NULL));
  }
  if (tileOpIsAReshape(op)) return tileLayoutOrNull(rules, tileLayoutReshape(to, rank, shape));
  if (tileOpIsATrans(op)) {
    tileTransOrder(op, rank, order);
    return tileLayoutOrNull(rules, tileLayoutTransposeBackward(to, order));
  }
  if (tileOpIsASplit(op)) return tileLayoutOrNull(rules, tileLayoutJoin(to));
  if (tileOpIsAJoin(op)) return tileLayoutOrNull(rules, tileLayoutSplit(to, &bit));
  if (tileOpIsACat(op)) return tileLayoutOrNull(rules, uncat(to, (int)tileCatGetAxis(op)));
  return mlirAttributeGetNull();
}

//===- an op in another layout --------------------------------------------===//

MlirOperation tileCloneInLayout(MlirOperation op, MlirAttribute layout) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(copy); ++i) {
    MlirValue result = mlirOperationGetResult(copy, i);
    mlirValueSetType(result, tileWithEncoding(mlirValueGetType(result), layout));
  }
  MlirAttribute value =
      tileOpIs(op, "arith.constant") ? tileAttr(op, "value") : mlirAttributeGetNull();
  if (!mlirAttributeIsNull(value) && mlirAttributeIsADenseElements(value)) {
    MlirType type = mlirValueGetType(tileResult(copy));
    mlirOperationSetAttributeByName(
        copy, tileString("value"),
        mlirDenseElementsAttrIsSplat(value)
            ? mlirDenseElementsAttrSplatGet(type, mlirDenseElementsAttrGetSplatValue(value))
            : mlirDenseElementsAttrReshapeGet(value, type));
  }
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(op), op, copy);
  return copy;
}
