//===- DotLayouts.c - layouts of dots and their operands ------------------===//
//
// Sums are laid out for the instruction of the dot, with warps over their parts; operands in
// registers follow from the sums.
//
//===----------------------------------------------------------------------===//
#include "Converted.h"
#include "Layouts.h"
#include "tile/Analysis/DotForm.h"
#include "tile/MachineNumbers.h"

enum {
  INTERLEAVED = 16, ///< rows or columns that tileLayoutInterleave wants
};

/// Splits the warps over the products of a batch, no two of which read the same, then over M and N
/// so that each warp's part, of `least` or more, is as square as may be, or reads as much of either
/// operand where an element of each takes so many `reads`; where one of these is of `undivided`,
/// over the other first.
static void splitWarps(int numWarps, int rank, const int64_t shape[], const int64_t least[2],
                       unsigned undivided, const int reads[2], int warps[TILE_MAX_RANK]) {
  int m = rank - 2, n = rank - 1, batches = 1;
  bool wholeM = undivided >> m & 1, wholeN = undivided >> n & 1;
  for (int d = 0; d < TILE_MAX_RANK; ++d) warps[d] = 1;
  while (m > 0 && batches < numWarps && batches < shape[0]) batches *= 2;
  while (batches * warps[m] * warps[n] < numWarps) {
    int64_t partM = shape[m] / warps[m], partN = shape[n] / warps[n];
    bool canM = partM >= 2 * least[0], canN = partN >= 2 * least[1];
    if (!canM && !canN) break;
    bool isMFirst = wholeM == wholeN ? reads[0] * partM >= reads[1] * partN : wholeN;
    warps[canM && (isMFirst || !canN) ? m : n] *= 2;
  }
  // Once the tile is used up warps repeat, which the last bits of their numbers say.
  int rest = numWarps / (batches * warps[m] * warps[n]);
  if (m > 0) warps[0] = batches;
  warps[0] *= rest;
}

/// Along M first: the longer N of an instruction is, the less it reads for each product.
static void splitGroups(MlirOperation dot, int warpGroups, int64_t m, int groups[2]) {
  int rows = tileMachineNumber(tileMachineOf(dot), TILE_NUMBER_GROUP_ROWS);
  groups[0] = groups[1] = 1;
  while (groups[0] * groups[1] < warpGroups) groups[m / groups[0] >= rows ? 0 : 1] *= 2;
}

/// FMA: threads have single rows where K runs fastest, so that 8 lanes find 8 neighbouring rows in
/// all banks, else neighbouring ones, as many as a load has.
static TileLayout layoutOfFma(const TileLayoutRules *rules, MlirOperation dot, int rank,
                              const int64_t shape[], unsigned undivided) {
  int64_t m = shape[rank - 2], n = shape[rank - 1];
  int warps[TILE_MAX_RANK], edges[2];
  int edge = tileMachineNumber(tileMachineOf(dot), TILE_NUMBER_FMA_EDGE);
  int64_t elements = m * n / (32 * rules->numWarps);
  while (edge > 1 && elements < edge * edge) edge /= 2;
  for (int i = 0; i < 2; ++i) {
    int64_t extent = shape[rank - 2 + i];
    edges[i] = tileDotRunsAlongK(rules, dot, i) ? 1 : extent < edge ? (int)extent : edge;
  }
  const int64_t least[] = {4 * edges[0], 8 * edges[1]};
  const int reads[] = {1, 1};
  splitWarps(rules->numWarps, rank, shape, least, undivided, reads, warps);
  return tileLayoutFma(rank, shape, edges, warps);
}

/// A tile of 32 bits that threads turn round: each has 16 bytes along K, a warp 32 of N. Lanes read
/// a row of shared memory, and write 8 rows of as many banks.
static TileLayout layoutOfTurnedWords(const int64_t shape[2], int numWarps) {
  enum { LANES = 32, VECTOR = 4 };
  int columns = shape[1] < LANES ? (int)shape[1] : LANES;
  int64_t parts = shape[1] / columns;
  int along = parts < numWarps ? (int)parts : numWarps;
  const int each[] = {VECTOR, 1}, lanes[] = {LANES / columns, columns},
            warps[] = {numWarps / along, along}, order[] = {0, 1};
  return tileLayoutBlocked(2, shape, each, lanes, warps, order);
}

/// Is B of bytes from memory of which changes of shape have made something that no buffer is, as K
/// in another order?
static bool isReshaped(const TileLayoutRules *rules, MlirOperation dot) {
  MlirOperation load, op = tileValueGetOp(tileDotGetB(dot));
  bool reshapes = false;
  if (!tileDotWantsKFastest(dot) ||
      tileBitWidth(tileElementType(mlirValueGetType(tileDotGetB(dot)))) != 8 ||
      !mlirTypeIsNull(tileBufferOfDescOperand(rules, tileDotGetB(dot), &load)))
    return false;
  while (!mlirOperationIsNull(op) && (tileOpIsATrans(op) || tileOpIsAReshape(op))) {
    reshapes |= tileOpIsAReshape(op);
    op = tileValueGetOp(tileOperand(op, 0));
  }
  return reshapes && !mlirOperationIsNull(op) && (tileOpIsADescLoad(op) || tileOpIsALoad(op));
}

MlirAttribute tileLayoutOfTurnedB(const TileLayoutRules *rules, MlirOperation dot) {
  int64_t shape[TILE_MAX_RANK];
  MlirType type = mlirValueGetType(tileDotGetB(dot));
  bool isTurned = tileDotReadsAcross(rules, dot, 1) || isReshaped(rules, dot) ||
                  tileDotLoadsAcross(rules, dot, 1);
  if (!isTurned || tileShape(type, shape) != 2) return mlirAttributeGetNull();
  bool isBytes = tileBitWidth(tileElementType(type)) == 8;
  return tileLayoutOrNull(rules, isBytes ? tileLayoutTurning(shape, 0, rules->numWarps)
                                         : layoutOfTurnedWords(shape, rules->numWarps));
}

/// Is operand `i` of a dot by mma.sync bytes that lie in memory with M or N fastest, or are
/// computed of what does? Then ldmatrix brings them by twos (tileLayoutInterleave), where there
/// are 16.
static bool comesByPairs(const TileLayoutRules *rules, MlirOperation dot, int i) {
  int64_t shape[TILE_MAX_RANK];
  MlirValue value = tileOperand(dot, i);
  int rank = tileShape(mlirValueGetType(value), shape);
  return tileBitWidth(tileElementType(mlirValueGetType(value))) == 8 &&
         shape[i == 0 ? rank - 2 : rank - 1] >= INTERLEAVED &&
         (tileDotRunsAcrossK(rules, dot, i) || tileDotComesAcrossK(rules, dot, i, 0));
}

/// Is operand `i` of a dot by mma.sync words that lie in memory with M or N fastest, or are
/// computed of such? Each lane reads them one by one, from rows that share banks
/// (tileLayoutSpreadBanks). So the dots of large and small parts have sums of one layout.
static bool comesByWords(const TileLayoutRules *rules, MlirOperation dot, int i) {
  int64_t shape[TILE_MAX_RANK];
  MlirValue value = tileOperand(dot, i);
  int rank = tileShape(mlirValueGetType(value), shape);
  return tileBitWidth(tileElementType(mlirValueGetType(value))) == 32 &&
         shape[i == 0 ? rank - 2 : rank - 1] > 8 &&
         (tileDotRunsAcrossK(rules, dot, i) || tileDotComesAcrossK(rules, dot, i, 32));
}

/// The accumulator of a dot by mma.sync.
static TileLayout layoutOfMma(const TileLayoutRules *rules, MlirOperation dot, int rank,
                              const int64_t shape[], unsigned undivided) {
  int warps[TILE_MAX_RANK];
  bool pairs[] = {comesByPairs(rules, dot, 0), comesByPairs(rules, dot, 1)};
  bool words[] = {comesByWords(rules, dot, 0), comesByWords(rules, dot, 1)};
  const int64_t least[] = {16, pairs[1] ? INTERLEAVED : 8};
  const int reads[] = {words[0] ? 2 : 1, words[1] ? 2 : 1};
  splitWarps(rules->numWarps, rank, shape, least, undivided, reads, warps);
  TileLayout layout = tileLayoutMma(rank, shape, warps);
  for (int i = 0; i < 2; ++i) {
    if (pairs[i]) layout = tileLayoutInterleave(layout, rank - 2 + i);
    if (words[i]) layout = tileLayoutSpreadBanks(layout, rank - 2 + i);
  }
  return layout;
}

/// `layout`, of a wgmma's sums or its A in registers, with rows as the dot reads them.
static TileLayout withRowsOfA(const TileLayoutRules *rules, MlirOperation dot, TileLayout layout) {
  bool isBytes = tileBitWidth(tileElementType(mlirValueGetType(tileDotGetA(dot)))) == 8;
  bool pairs = isBytes && (tileDotReadsAcross(rules, dot, 0) || tileDotLoadsAcross(rules, dot, 0));
  return pairs ? tileLayoutInterleave(layout, 0) : layout;
}

MlirAttribute tileLayoutOfDot(const TileLayoutRules *rules, MlirOperation dot, unsigned undivided) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(tileResult(dot)), shape);
  if (tileDotGetInstruction(dot) == TILE_INSTRUCTION_MMA_SYNC)
    return tileLayoutOrNull(rules, layoutOfMma(rules, dot, rank, shape, undivided));
  if (tileDotGetInstruction(dot) == TILE_INSTRUCTION_WGMMA) {
    int groups[2];
    splitGroups(dot, rules->numWarps / 4, shape[0], groups);
    return tileLayoutOrNull(rules, withRowsOfA(rules, dot, tileLayoutWgmma(shape, groups)));
  }
  return tileLayoutOrNull(rules, layoutOfFma(rules, dot, rank, shape, undivided));
}

/// A of a dot by wgmma in registers; invalid where it cannot be.
static TileLayout fragmentsInOrder(const TileLayoutRules *rules, MlirOperation dot) {
  MlirType type = mlirValueGetType(tileDotGetA(dot));
  int64_t shape[TILE_MAX_RANK];
  int groups[2];
  if (tileDotGetInstruction(dot) != TILE_INSTRUCTION_WGMMA || tileShape(type, shape) != 2)
    return tileLayoutInvalid();
  splitGroups(dot, rules->numWarps / 4, shape[0], groups);
  int bits = tileBitWidth(tileElementType(type));
  return tileLayoutWgmmaOperandA(shape, groups, bits);
}

/// The same, its rows as the dot reads them.
static TileLayout fragmentsOfA(const TileLayoutRules *rules, MlirOperation dot) {
  return withRowsOfA(rules, dot, fragmentsInOrder(rules, dot));
}

MlirAttribute tileLayoutOfConvertedA(const TileLayoutRules *rules, MlirOperation dot) {
  return tileIsConverted(tileDotGetA(dot)) || tileDotReadsAcross(rules, dot, 0) ||
                 tileDotLoadsAcross(rules, dot, 0)
             ? tileLayoutOrNull(rules, fragmentsOfA(rules, dot))
             : mlirAttributeGetNull();
}

MlirAttribute tileLayoutOfPairedA(const TileLayoutRules *rules, MlirOperation dot,
                                  MlirAttribute sums) {
  TileLayout layout = tileLayoutOn(sums, mlirValueGetType(tileResult(dot)));
  TileLayout fragments = fragmentsInOrder(rules, dot);
  if (tileLayoutIsValid(fragments) && !mlirAttributeIsNull(tileAttr(dot, "across")))
    return tileLayoutOrNull(rules, fragments);
  if (!tileLayoutIsValid(fragments) || !tileLayoutIsValid(layout) ||
      !tileLayoutIsInterleaved(layout, 0))
    return mlirAttributeGetNull();
  return tileLayoutOrNull(rules, tileLayoutInterleave(fragments, 0));
}

MlirAttribute tileLayoutOfLoadedB(const TileLayoutRules *rules, MlirOperation dot) {
  return tileDotLoadsAcross(rules, dot, 1) || isReshaped(rules, dot)
             ? tileLayoutOfTurnedB(rules, dot)
             : mlirAttributeGetNull();
}

/// Operand `i` of a dot by mma.sync in registers, beside sums of layout `sums`.
static TileLayout fragmentsBeside(MlirOperation dot, int i, MlirAttribute sums) {
  MlirType type = mlirValueGetType(tileOperand(dot, i));
  int64_t shape[TILE_MAX_RANK];
  tileShape(type, shape);
  return tileLayoutMmaOperandOf(tileLayoutOn(sums, mlirValueGetType(tileResult(dot))), shape,
                                i ? TILE_DOT_B : TILE_DOT_A, tileBitWidth(tileElementType(type)));
}

/// Registers of 32 bits that a thread has of `value`, were it of `layout`.
static int64_t wordsIn(MlirValue value, TileLayout layout) {
  int64_t bits = tileBitWidth(tileElementType(mlirValueGetType(value)));
  return (bits << layout.inBits[TILE_REGISTER]) / 32;
}

/// What the instruction of `dot` takes operand `i` from in registers; invalid where it does not.
static TileLayout fragmentsOf(const TileLayoutRules *rules, MlirOperation dot, int i,
                              MlirAttribute sums) {
  if (tileDotGetInstruction(dot) == TILE_INSTRUCTION_MMA_SYNC) return fragmentsBeside(dot, i, sums);
  return i ? tileLayoutInvalid() : fragmentsOfA(rules, dot);
}

/// Would threads compute more than `copied-length` instructions a step only since warps that divide
/// columns compute all of A each (rows, all of B), or have no part of the sums of their own?
static bool isDearTwice(const TileLayoutRules *rules, MlirOperation dot, int i,
                        MlirAttribute sums) {
  MlirValue value = tileOperand(dot, i);
  TileLayout layout = tileLayoutOn(sums, mlirValueGetType(tileResult(dot)));
  int warps[TILE_MAX_RANK];
  if (tileDotGetInstruction(dot) != TILE_INSTRUCTION_MMA_SYNC || !tileLayoutIsValid(layout) ||
      layout.rank != 2)
    return false;
  tileLayoutWarps(layout, warps);
  int64_t length = tileLengthOfComputed(rules, value, dot);
  int64_t own = tileNumElements(mlirValueGetType(value)) / (32 * (int64_t)rules->numWarps);
  return own * length * (rules->numWarps / warps[i] - 1) >
         tileMachineNumber(tileMachineOf(dot), TILE_NUMBER_COPIED_LENGTH);
}

/// Would warps that divide rows compute all of B each, or threads hold it beside A and sums that
/// leave no room for it? Then it is computed once, and read part by part from shared memory.
static bool isBetterShared(const TileLayoutRules *rules, MlirOperation dot, MlirAttribute sums) {
  const TileMachine *machine = tileMachineOf(dot);
  int warps[TILE_MAX_RANK];
  TileLayout own = tileLayoutOn(sums, mlirValueGetType(tileResult(dot)));
  if (!tileLayoutIsValid(own) || own.rank != 2) return true;
  tileLayoutWarps(own, warps);
  int64_t words = wordsIn(tileResult(dot), own);
  for (int i = 0; i < 2; ++i)
    if (tileIsComputedOfCopies(rules, tileOperand(dot, i), dot))
      words += wordsIn(tileOperand(dot, i), fragmentsBeside(dot, i, sums));
  return warps[0] > tileMachineNumber(machine, TILE_NUMBER_COPIED_WARPS) ||
         words > tileMachineNumber(machine, TILE_NUMBER_EARLY_REGISTERS);
}

MlirAttribute tileLayoutOfFragments(const TileLayoutRules *rules, MlirOperation dot, int i,
                                    MlirAttribute sums) {
  bool isShared = isDearTwice(rules, dot, i, sums) || (i && isBetterShared(rules, dot, sums));
  return isShared ? mlirAttributeGetNull()
                  : tileLayoutOrNull(rules, fragmentsOf(rules, dot, i, sums));
}

MlirAttribute tileLayoutOfDotOperand(const TileLayoutRules *rules, MlirOperation dot, int i,
                                     MlirAttribute layout, MlirAttribute sums) {
  MlirType type = mlirValueGetType(tileOperand(dot, i));
  TileLayout own = tileLayoutOn(layout, type), fragments = fragmentsOf(rules, dot, i, sums);
  int bits = tileBitWidth(tileElementType(type));
  if (!tileLayoutIsValid(own) || !tileLayoutIsValid(fragments)) return mlirAttributeGetNull();
  TileConversion conversion = tileLayoutPlanConversion(own, fragments, bits / 8);
  bool isFree =
      conversion.kind == TILE_CONVERSION_NONE || conversion.kind == TILE_CONVERSION_REGISTERS;
  return isFree ? tileLayoutOrNull(rules, fragments) : mlirAttributeGetNull();
}
