//===- SharedLayout.c - layouts of shared memory --------------------------===//
//
// Swizzles are stated on address bits, so they are linear: the 16-byte chunk
// index (address bits 4 to 6) is xored with address bits 7 to 9. The 64-byte and
// the 32-byte swizzle of TMA do the same to fewer of those bits (PTX ISA, "Tensor
// swizzling modes"). Bank conflicts are simulated: 32 banks of 4 bytes.
//
//===----------------------------------------------------------------------===//
#include "tile/Layout.h"
#include "tile/Support/Bits.h"

static bool isElementSize(int bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static bool isSwizzle(int bytes) {
  return bytes == 0 || bytes == 32 || bytes == 64 || bytes == 128 || bytes == TILE_SWIZZLE_FOLDED;
}

/// Has the other bits of rows, and those of boxes, move 16 bytes within 128 as well: address bits 7
/// and up bits 4 to 6 by turns, and boxes' from 4 on.
static void fold(TileLayout *layout, int elementBytes, int rowsEnd, int pitch) {
  enum { CHUNK_BITS = 3, FIRST = 4, LINE = 7 };
  const int size = tileLog2(elementBytes);
  uint64_t chunks[CHUNK_BITS];
  for (int i = 0; i < CHUNK_BITS; ++i) chunks[i] = layout->bases[TILE_OFFSET][FIRST - size + i];
  // Of shorter rows the bits from `pitch` on are rows', which the swizzle leaves alone.
  for (int bit = LINE - size; bit < layout->inBits[TILE_OFFSET]; ++bit) {
    int turn = bit < rowsEnd ? bit - (LINE - size) : bit - rowsEnd;
    bool isSwizzled = turn < pitch - FIRST && bit < rowsEnd && bit < LINE - size + CHUNK_BITS;
    if (!isSwizzled) layout->bases[TILE_OFFSET][bit] ^= chunks[turn % CHUNK_BITS];
  }
}

/// Boxes one after another: `columnBits` bits along the contiguous
/// dimension, then all other dimensions, then the rest of the contiguous one.
static TileLayout boxes(int rank, const int64_t shape[], const int order[], int contiguous,
                        int columnBits) {
  int64_t rows[TILE_MAX_RANK];
  for (int d = 0; d < rank; ++d) rows[d] = d == contiguous ? 1 : shape[d];
  int rest = tileLog2(shape[contiguous]) - columnBits;
  TileLayout layout = tileLayoutIdentity(TILE_OFFSET, columnBits, rank, contiguous);
  layout = tileLayoutProduct(layout, tileLayoutIdentityBox(TILE_OFFSET, rank, rows, order));
  return tileLayoutProduct(layout, tileLayoutIdentity(TILE_OFFSET, rest, rank, contiguous));
}

TileLayout tileLayoutShared(int rank, const int64_t shape[], int elementBytes, const int order[],
                            int swizzle) {
  if (rank == 0) return tileLayoutEmpty(0);
  TileLayout plain = tileLayoutIdentityBox(TILE_OFFSET, rank, shape, order);
  if (!tileLayoutIsValid(plain) || !isElementSize(elementBytes) || !isSwizzle(swizzle))
    return tileLayoutInvalid();
  if (swizzle == 0) return plain;
  int contiguous = order ? order[0] : rank - 1;
  int64_t rowBytes = shape[contiguous] * elementBytes;
  const bool isFolded = swizzle == TILE_SWIZZLE_FOLDED;
  const int swizzleBytes = !isFolded ? swizzle : rowBytes >= 128 ? 128 : rowBytes >= 64 ? 64 : 32;
  if (rowBytes < swizzleBytes) return tileLayoutInvalid();
  int pitch = tileLog2(swizzleBytes);
  TileLayout layout = boxes(rank, shape, order, contiguous, pitch - tileLog2(elementBytes));
  // Row bits from the one that is worth 128 bytes up, into the chunk bits.
  int firstRow = pitch < 7 ? 7 - pitch : 0;
  int rowBits = layout.inBits[TILE_OFFSET] - tileLog2(shape[contiguous]);
  int shift = tileLayoutShift(layout, contiguous) + tileLog2(16) - tileLog2(elementBytes);
  for (int chunk = 0; chunk < tileLog2(swizzleBytes / 16) && firstRow + chunk < rowBits; ++chunk) {
    int bit = pitch - tileLog2(elementBytes) + firstRow + chunk;
    layout.bases[TILE_OFFSET][bit] ^= (uint64_t)1 << (shift + chunk);
  }
  if (isFolded) fold(&layout, elementBytes, pitch - tileLog2(elementBytes) + rowBits, pitch);
  return layout;
}

//===----------------------------------------------------------------------===//
// Distributed layouts meet shared ones
//===----------------------------------------------------------------------===//

bool tileLayoutSharedAddress(TileLayout distributed, TileLayout shared, TileLayout *address) {
  return tileLayoutInvertAndCompose(distributed, shared, address);
}

static uint32_t offsetOf(const TileLayout *address, TileInDim dim, int bit) {
  return (uint32_t)tileLayoutCoordinate(*address, address->bases[dim][bit], TILE_OFFSET);
}

/// Whether register bits below `bits` count offsets 1, 2, 4... and nothing else touches those.
static bool vectorFits(const TileLayout *address, int bits) {
  if (bits > address->inBits[TILE_REGISTER]) return false;
  for (int bit = 0; bit < bits; ++bit)
    if (offsetOf(address, TILE_REGISTER, bit) != (uint32_t)1 << bit) return false;
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim)
    for (int bit = dim == TILE_REGISTER ? bits : 0; bit < address->inBits[dim]; ++bit)
      if (offsetOf(address, (TileInDim)dim, bit) & (((uint32_t)1 << bits) - 1)) return false;
  return true;
}

int tileLayoutSharedVector(TileLayout distributed, TileLayout shared, int elementBytes) {
  TileLayout address;
  if (!isElementSize(elementBytes) || !tileLayoutSharedAddress(distributed, shared, &address))
    return 0;
  int bits = 4 - tileLog2(elementBytes);
  while (bits > 0 && !vectorFits(&address, bits)) --bits;
  return 1 << bits;
}

TileLayout tileLayoutSharedOrder(TileLayout distributed, TileLayout shared, int elementBytes,
                                 int order[TILE_MAX_BITS]) {
  TileLayout address, result = distributed;
  int registers = distributed.inBits[TILE_REGISTER], first = 0;
  if (!isElementSize(elementBytes) || !tileLayoutSharedAddress(distributed, shared, &address))
    return tileLayoutInvalid();
  for (int bit = 0; bit < registers; ++bit) order[bit] = bit;
  for (bool found = true; found && elementBytes << first < 16; first += found) {
    int bit = first;
    while (bit < registers && offsetOf(&address, TILE_REGISTER, order[bit]) != 1u << first) ++bit;
    found = bit < registers;
    for (int moved = found ? order[bit] : 0; found && bit >= first; --bit)
      order[bit] = bit > first ? order[bit - 1] : moved;
  }
  for (int bit = 0; bit < registers; ++bit)
    result.bases[TILE_REGISTER][bit] = distributed.bases[TILE_REGISTER][order[bit]];
  return result;
}

int tileLayoutStoreConflicts(TileLayout distributed, TileLayout shared, int elementBytes) {
  TileLayout address;
  int vector = tileLayoutSharedVector(distributed, shared, elementBytes);
  if (!vector || !tileLayoutSharedAddress(distributed, shared, &address) ||
      address.inBits[TILE_LANE] != TILE_LANE_BITS)
    return 0;
  uint32_t lanes[TILE_LANE_BITS];
  for (int bit = 0; bit < TILE_LANE_BITS; ++bit)
    lanes[bit] = offsetOf(&address, TILE_LANE, bit) * (uint32_t)elementBytes;
  return tileBankConflicts(lanes, vector * elementBytes) * (1 << address.inBits[TILE_REGISTER]) /
         vector;
}

int tileBankConflicts(const uint32_t laneBytes[TILE_LANE_BITS], int accessBytes) {
  int words = accessBytes > 4 ? accessBytes / 4 : 1;
  int lanes = 32 / words, extra = 0;
  for (int first = 0; first < 32; first += lanes) {
    uint32_t seen[32][32];
    int count[32] = {0}, most = 1;
    for (int lane = first; lane < first + lanes; ++lane) {
      uint32_t byte = 0;
      for (int bit = 0; bit < TILE_LANE_BITS; ++bit)
        if (lane >> bit & 1) byte ^= laneBytes[bit];
      for (int i = 0; i < words; ++i) {
        uint32_t word = byte / 4 + (uint32_t)i, bank = word % 32;
        int j = 0;
        while (j < count[bank] && seen[bank][j] != word) ++j;
        if (j < count[bank]) continue;
        seen[bank][count[bank]++] = word;
        if (count[bank] > most) most = count[bank];
      }
    }
    extra += most - 1;
  }
  return extra;
}

//===----------------------------------------------------------------------===//
// ldmatrix: 8 x 8 matrices of 16-byte rows. Lane l receives word l mod 4 of row
// l / 4; transposed, elements 2 (l mod 4) and the next of column l / 4.
//===----------------------------------------------------------------------===//

/// Whether every input bit but those named lies at a multiple of 16 bytes.
static bool rowsAreAligned(const TileLayout *address, uint32_t elements, uint32_t registers,
                           uint32_t lanes) {
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim)
    for (int bit = 0; bit < address->inBits[dim]; ++bit) {
      uint32_t inRow = dim == TILE_REGISTER ? registers : dim == TILE_LANE ? lanes : 0;
      if (!(inRow >> bit & 1) && offsetOf(address, (TileInDim)dim, bit) % elements) return false;
    }
  return true;
}

static bool isPlainMatrix(const TileLayout *address, int wordBits) {
  uint32_t word = (uint32_t)1 << wordBits;
  for (int bit = 0; bit < wordBits; ++bit)
    if (offsetOf(address, TILE_REGISTER, bit) != (uint32_t)1 << bit) return false;
  return offsetOf(address, TILE_LANE, 0) == word && offsetOf(address, TILE_LANE, 1) == 2 * word &&
         rowsAreAligned(address, 4 * word, word - 1, 0x3);
}

static bool isTransposedMatrix(const TileLayout *address) {
  for (int bit = 0; bit < 3; ++bit)
    if (offsetOf(address, TILE_LANE, 2 + bit) != (uint32_t)1 << bit) return false;
  return rowsAreAligned(address, 8, 0, 0x1c);
}

/// The bit of a word's number that moves one byte on, as lanes may besides; -1: none, or registers'
/// bytes are not four rows, or lanes not pairs of neighbours.
static int findBytePair(const TileLayout *address) {
  int found = -1;
  for (int bit = 0; bit < 3; ++bit)
    if ((offsetOf(address, TILE_LANE, 2 + bit) & ~1u) != (uint32_t)2 << bit) return -1;
  for (int bit = 2; bit < address->inBits[TILE_REGISTER]; ++bit)
    if (offsetOf(address, TILE_REGISTER, bit) == 1) found = bit;
  if (found < 0 || !rowsAreAligned(address, 16, (uint32_t)1 << found, 0x1c)) return -1;
  return found - 2;
}

/// The second bit of a group's words: the lowest other one; -1: there is none.
static int otherWordBit(int registers, int first) {
  int other = first == 0 ? 1 : 0;
  return other + 2 < registers ? other : -1;
}

/// Rows of matrices are those of a word's four bytes: bit 0 of a byte's number and the lanes' two
/// in a matrix, bit 1 by two matrices.
static void planBytes(TileLdmatrix *plan, int pair) {
  const TileLayout *address = &plan->address;
  plan->transposed = plan->bytes = true;
  plan->laneOffset[0] = offsetOf(address, TILE_REGISTER, 0);
  plan->laneOffset[1] = offsetOf(address, TILE_LANE, 0);
  plan->laneOffset[2] = offsetOf(address, TILE_LANE, 1);
  plan->laneOffset[3] = offsetOf(address, TILE_REGISTER, 1);
  for (int bit = 2; bit < TILE_LANE_BITS; ++bit)
    plan->swapped |= (offsetOf(address, TILE_LANE, bit) & 1) << bit;
  plan->words[0] = pair;
  plan->words[1] = otherWordBit(address->inBits[TILE_REGISTER], pair);
  plan->count = plan->words[1] < 0 ? 2 : 4;
  if (plan->count == 4) plan->laneOffset[4] = offsetOf(address, TILE_REGISTER, 2 + plan->words[1]);
  uint32_t straight[TILE_LANE_BITS] = {plan->laneOffset[0], plan->laneOffset[1],
                                       plan->laneOffset[2]};
  uint32_t crossed[TILE_LANE_BITS] = {plan->laneOffset[0], plan->laneOffset[1],
                                      plan->laneOffset[2] ^ plan->laneOffset[3]};
  plan->crossed = tileBankConflicts(crossed, 16) < tileBankConflicts(straight, 16);
  if (plan->crossed) plan->laneOffset[2] = crossed[2];
}

bool tileLayoutSupportsLdmatrix(TileLayout distributed, TileLayout shared, int elementBytes,
                                TileLdmatrix *plan) {
  TileLdmatrix result = {0};
  if (elementBytes != 1 && elementBytes != 2 && elementBytes != 4) return false;
  if (!tileLayoutSharedAddress(distributed, shared, &result.address)) return false;
  const TileLayout *address = &result.address;
  int wordBits = 2 - tileLog2(elementBytes), registers = address->inBits[TILE_REGISTER];
  if (address->inBits[TILE_LANE] != TILE_LANE_BITS || registers < wordBits) return false;
  if (isPlainMatrix(address, wordBits)) {
    for (int bit = 0; bit < 3; ++bit)
      result.laneOffset[bit] = offsetOf(address, TILE_LANE, 2 + bit);
  } else if (elementBytes == 2 && isTransposedMatrix(address)) {
    result.transposed = true;
    result.laneOffset[0] = offsetOf(address, TILE_REGISTER, 0);
    result.laneOffset[1] = offsetOf(address, TILE_LANE, 0);
    result.laneOffset[2] = offsetOf(address, TILE_LANE, 1);
  } else if (elementBytes == 1 && findBytePair(address) >= 0) {
    planBytes(&result, findBytePair(address));
  } else {
    return false;
  }
  // Lanes 0-7 point at the rows of the first matrix.
  uint32_t rowBytes[TILE_LANE_BITS] = {0};
  for (int bit = 0; bit < 3; ++bit) rowBytes[bit] = result.laneOffset[bit] * (uint32_t)elementBytes;
  int matrixBits = registers - wordBits < 2 ? registers - wordBits : 2;
  if (!result.bytes) result.count = 1 << matrixBits;
  for (int bit = 0; bit < matrixBits && !result.bytes; ++bit) {
    result.words[bit] = bit;
    result.laneOffset[3 + bit] = offsetOf(address, TILE_REGISTER, wordBits + bit);
  }
  result.conflicts = tileBankConflicts(rowBytes, 16) / 4 * result.count;
  *plan = result;
  return true;
}
