//===- Layout.h - who holds which element of a tile -----------------------===//
//
// A layout maps the bits of a hardware position (register, lane, warp) to
// the coordinates of a tile, linearly over F2: L(x ^ y) = L(x) ^ L(y). It is
// therefore known by the coordinates that each single bit selects, its bases;
// any other position is the xor of the bases of its set bits.
//
//   an accumulator of mma.sync, 16 x 16 over 32 lanes of 8 registers:
//     register: (0,1) (8,0) (0,8)
//     lane:     (0,2) (0,4) (1,0) (2,0) (4,0)
//   register 3 = bits 0 and 1 of lane 5 = bits 0 and 2:
//     (0,1) ^ (8,0) ^ (0,2) ^ (1,0) = (9,3)
//   a zero basis broadcasts: both values of that bit hold the same element
//
// The coordinates of all dimensions are packed into one uint64_t, the last
// dimension lowest, so a packed coordinate is the row-major index of the
// element, and row-major reshapes do not change it:
//
//     (row, column) of a 16 x 32 tile:    ...0 rrrr ccccc
//
// The same object, with the one input `offset`, is a layout of shared memory;
// swizzling is a choice of bases (row bits xored into column bits).
//
// The same object again, of rank TILE_NUM_IN_DIMS, is a *position map*: output
// dimension d is input dimension d of another layout. invertAndCompose gives
// one: which source position holds what each destination position needs.
//
// Everything here is a function from values to values: no heap, no state, no
// MLIR. Extents are powers of two. A family asked for something that it cannot
// express (an extent that is no power of two, more bits than fit) returns an
// invalid layout, which every function passes on; tileLayoutIsValid tells, and
// tileLayoutVerify says why. Nothing here aborts.
//
// The idea is that of "Linear Layouts: Robust Code Generation of Efficient
// Tensor Computation Using F2" (Zhou et al., 2025) and of Triton's LinearLayout;
// the fragments are drawn in the PTX ISA, chapters on mma, ldmatrix and wgmma.
// docs/analysis/layouts.md works through examples.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_LAYOUT_H
#define TILE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TILE_MAX_RANK 16
/// Bits of one input dimension, and of all outputs together (so at most 2^24 elements a tile).
#define TILE_MAX_BITS 24
#define TILE_LANE_BITS 5

typedef enum TileInDim {
  TILE_REGISTER, ///< index of the element within what the thread holds
  TILE_LANE,     ///< thread within the warp, 5 bits
  TILE_WARP,     ///< warp within the block
  TILE_OFFSET,   ///< element within a buffer of shared memory; in shared layouts only
  TILE_NUM_IN_DIMS
} TileInDim;

typedef struct TileLayout {
  int rank; ///< of the tile; negative: invalid
  int outBits[TILE_MAX_RANK];
  int inBits[TILE_NUM_IN_DIMS];
  uint64_t bases[TILE_NUM_IN_DIMS][TILE_MAX_BITS]; ///< packed coordinates; 0 beyond inBits
} TileLayout;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static inline bool tileLayoutIsValid(TileLayout layout) { return layout.rank >= 0; }

/// How far left the bits of dimension `dim` stand in a packed coordinate.
static inline int tileLayoutShift(TileLayout layout, int dim) {
  int shift = 0;
  for (int d = layout.rank - 1; d > dim; --d) shift += layout.outBits[d];
  return shift;
}

/// The extent of the tile in dimension `dim`.
static inline int64_t tileLayoutExtent(TileLayout layout, int dim) {
  return (int64_t)1 << (unsigned)layout.outBits[dim];
}

/// How many positions the input dimension has: registers of a thread, warps of a block...
static inline uint32_t tileLayoutSize(TileLayout layout, TileInDim dim) {
  return (uint32_t)1 << layout.inBits[dim];
}

/// The contribution of position `index` along input dimension `dim` to the packed coordinate.
static inline uint64_t tileLayoutApplyDim(const TileLayout *layout, TileInDim dim, uint32_t index) {
  uint64_t packed = 0;
  for (int bit = 0; bit < layout->inBits[dim]; ++bit)
    if (index >> bit & 1) packed ^= layout->bases[dim][bit];
  return packed;
}

/// The packed coordinate at an offset (in elements) of a shared layout.
static inline uint64_t tileLayoutApplyOffset(TileLayout layout, uint32_t offset) {
  return tileLayoutApplyDim(&layout, TILE_OFFSET, offset);
}

/// Dimension `dim` of a packed coordinate.
static inline int64_t tileLayoutCoordinate(TileLayout layout, uint64_t packed, int dim) {
  uint64_t mask = ((uint64_t)1 << layout.outBits[dim]) - 1;
  return (int64_t)(packed >> tileLayoutShift(layout, dim) & mask);
}

/// The inverse of tileLayoutCoordinate, for `rank` coordinates.
uint64_t tileLayoutPack(TileLayout layout, const int64_t coordinates[]);

int tileLayoutTotalInBits(TileLayout layout);
int tileLayoutTotalOutBits(TileLayout layout);
bool tileLayoutEqual(TileLayout a, TileLayout b);

/// Every element of the tile is held somewhere.
bool tileLayoutIsSurjective(TileLayout layout);
/// No element is held twice.
bool tileLayoutIsInjective(TileLayout layout);

/// The bits of `dim` that broadcast: their basis depends on those of lower bits and of the input
/// dimensions before `dim`. The positions with all free bits 0 hold every element that the layout
/// holds, once. So a store by the threads with `(lane & freeBits) == 0` writes each element once.
uint32_t tileLayoutFreeBits(TileLayout layout, TileInDim dim);

/// How many consecutive registers, from any multiple of that number, hold consecutive elements
/// along `dim` beginning at a multiple of that number, at every lane and warp: the vector
/// width in elements, at least 1.
int tileLayoutContiguous(TileLayout layout, int dim);

/// How many elements along `dim` one access of a warp has side by side, from element 0: those of a
/// lane's registers, then those of lanes next to it. At least 1; at most the extent.
int64_t tileLayoutRun(TileLayout layout, int dim);
/// How many consecutive elements along `dim`, beginning at a multiple of that number, each thread
/// has in whatever registers, at least 1.
int tileLayoutHeld(TileLayout layout, int dim);
/// Has each thread `vector` consecutive elements along `dim` at a time, and the lane behind it the
/// next ones, from a row's first lane to its last one?
bool tileLayoutRunsOverLanes(TileLayout layout, int dim, int vector);
/// The dimension along which they are most; of several the last.
int tileLayoutFastest(TileLayout layout);

/// Checks what an untrusted layout (from a parser, from another tool) must satisfy for the other
/// functions: ranges of rank and bits, bases inside the tile. False writes a sentence of the form
/// "expected ..., found ..." into `error`.
bool tileLayoutVerify(TileLayout layout, char *error, size_t size);

/// tileLayoutVerify, and that it distributes the elements of exactly `shape` over 32 lanes and
/// `numWarps` warps: surjective, no offsets. `numWarps` 0 accepts any number.
bool tileLayoutVerifyDistributed(TileLayout layout, int rank, const int64_t shape[], int numWarps,
                                 char *error, size_t size);

/// Prints the non-empty input dimensions as "register: (0,1) (8,0); lane: (0,2)"; like snprintf,
/// returns the length the whole text needs.
int tileLayoutFormat(TileLayout layout, char *text, size_t size);

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

/// rank -1.
TileLayout tileLayoutInvalid(void);
/// No input bits; all extents 1.
TileLayout tileLayoutEmpty(int rank);
/// 2^bits positions of `inDim` at coordinates 0, 1, 2... of dimension `outDim`; other extents 1.
TileLayout tileLayoutIdentity(TileInDim inDim, int bits, int rank, int outDim);
/// 2^bits positions of `inDim` that all hold the same one element.
TileLayout tileLayoutZeros(TileInDim inDim, int bits, int rank);
/// Positions of `inDim` walk a box of `extents`, dimension order[0] fastest. `order` NULL means
/// row-major: the last dimension fastest (here and wherever an order is taken).
TileLayout tileLayoutIdentityBox(TileInDim inDim, int rank, const int64_t extents[],
                                 const int order[]);

/// Appends the bits of `high` above those of `low`, in every input and output dimension: a tile
/// of `low` tiles, arranged as `high` says.
TileLayout tileLayoutProduct(TileLayout low, TileLayout high);

/// Solves src . x = dst for the position map `x` by elimination over F2, free variables 0, register
/// bits preferred over lane, warp and offset bits. False, leaving *x alone, when dst needs
/// an element that src lacks, or the shapes differ.
bool tileLayoutInvertAndCompose(TileLayout dst, TileLayout src, TileLayout *x);

/// Keeps the input dimensions whose bit is set in `inDims` (1u << TILE_LANE...) and the coordinates
/// of the output dimensions whose bit is set in `outDims`; the others get 0 bits.
TileLayout tileLayoutSublayout(TileLayout layout, unsigned inDims, unsigned outDims);

//===----------------------------------------------------------------------===//
// Families: distributed layouts. Shapes in elements; `order` as above.
//===----------------------------------------------------------------------===//

/// Threads own `sizePerThread` boxes, warps arrange `threadsPerWarp` (product 32) of them, the
/// block `warpsPerBlock` warps. Where that is smaller than the shape it repeats in registers,
/// dimension order[0] first; where it is larger, warps and lanes beyond the extent broadcast, and
/// registers beyond it do not exist.
TileLayout tileLayoutBlocked(int rank, const int64_t shape[], const int sizePerThread[],
                             const int threadsPerWarp[], const int warpsPerBlock[],
                             const int order[]);

/// The blocked layout for loads and stores: up to `vector` elements a thread along order[0] (less
/// when the tile is too small to feed every thread), then lanes, then warps in that order.
TileLayout tileLayoutCoalesced(int rank, const int64_t shape[], const int order[], int vector,
                               int numWarps);

/// The same, but for warps: they take parts of other dimensions first than those of `kept`, a bit
/// each, the slowest first. A warp then has whole rows: what is reduced or scanned along them stays
/// within it, and a thread's elements are of few rows, which have an address each.
TileLayout tileLayoutCoalescedKeeping(int rank, const int64_t shape[], const int order[],
                                      int vector, int numWarps, unsigned kept);

/// The accumulator of a product by FMA: rank 2 (M, N) or 3 (batch, M, N). A thread has `edges`
/// neighbouring rows and columns, again and again; a warp 4 x 8 of those, or more along one
/// dimension where the other one is narrower. The two lowest bits of a
/// lane move along M and along N: a 16-byte load of an operand, the same in lanes l and l ^ 1 or in
/// l and l ^ 2, takes two wavefronts and not four.
TileLayout tileLayoutFma(int rank, const int64_t shape[], const int edges[2],
                         const int warpsPerBlock[]);
/// An operand of a product by FMA whose sums are `acc`: of dimension `dim`, M of A and N of B, what
/// a thread has sums of, each once, and 2^depthBits of K, which is dimension `k`. K is the first
/// register bits with `depthFirst`, else the last.
TileLayout tileLayoutFmaOperand(TileLayout acc, int dim, int k, int depthBits, bool depthFirst);

// Fragments of matrix instructions. Those of mma.sync may have fewer rows and columns than an
// instruction: registers of such a fragment's other 8 rows are absent, and lanes repeat. Otherwise
// invalid when the shape is smaller than one instruction.

/// The accumulator of mma.sync m16n8: rank 2 (M, N) or 3 (batch, M, N). Each warp owns a
/// contiguous part of the tile, warps counted row-major. A thread's registers are
/// [batch][m16][n8][4] elements.
TileLayout tileLayoutMma(int rank, const int64_t shape[], const int warpsPerBlock[]);

/// How many warps of the block lie along each dimension of a layout whose warps each move along
/// one. The product is less than the block's warps where some of them repeat.
void tileLayoutWarps(TileLayout layout, int warps[TILE_MAX_RANK]);

typedef enum TileDotOperand { TILE_DOT_A, TILE_DOT_B } TileDotOperand;

/// An operand of mma.sync: A is (M, K), B is (K, N), each with a batch before it for rank 3;
/// `warpsPerBlock` is the accumulator's, whose warps along the other dimension broadcast.
/// elementBits 16: m16n8k16, 8: m16n8k32, 32 (tf32): m16n8k8, 64: m16n8k4, fragments of which make
/// those of k8 and k16; of each 16 of K (fewer have no such order) a lane has four that follow each
/// other, which two loads of 16 bytes bring, without bank conflicts. Registers are
/// [batch][m16][k][fragment] for A and [batch][n8][k][fragment] for B.
TileLayout tileLayoutMmaOperand(int rank, const int64_t shape[], const int warpsPerBlock[],
                                TileDotOperand operand, int elementBits);

/// The accumulator of wgmma m64nNk16: rank 2. Warp groups of 4 warps, arranged row-major as
/// warpGroups[0] x warpGroups[1], own contiguous parts. Registers are [m64][N / 2] elements.
TileLayout tileLayoutWgmma(const int64_t shape[2], const int warpGroups[2]);

/// The A operand (M, K) of wgmma when it comes from registers; elementBits as for mma.
TileLayout tileLayoutWgmmaOperandA(const int64_t shape[2], const int warpGroups[2],
                                   int elementBits);

/// A fragment whose halves of 8 are interleaved along `dim`: of each 16 coordinates, 8 h + i
/// becomes 2 i + h. Sums do not ask which rows an instruction's rows are, as long as an operand's
/// and the accumulator's are the same; and bytes that lie with `dim` fastest come by ldmatrix as
/// two neighbours of one thread. Invalid where the tile has fewer than 16.
TileLayout tileLayoutInterleave(TileLayout layout, int dim);
/// Is it such a layout, of an accumulator or an operand of mma.sync or wgmma?
bool tileLayoutIsInterleaved(TileLayout layout, int dim);
/// A fragment of mma.sync whose eight rows, or columns, along `dim` are twice four that lie 16
/// words apart, or 8 of a row of 16. Four lanes along K read words that lie with `dim` fastest in
/// four rows, whose chunks of 16 bytes are swizzled by their numbers: two neighbouring chunks would
/// meet those of another row in the same banks. Invalid where the tile has 8 or fewer.
TileLayout tileLayoutSpreadBanks(TileLayout layout, int dim);
/// Is it such a layout, of an accumulator or of what it shares `dim` with?
bool tileLayoutIsSpreadOverBanks(TileLayout layout, int dim);
/// tileLayoutMmaOperand beside an accumulator, with its warps, interleaved and spread as it is.
TileLayout tileLayoutMmaOperandOf(TileLayout acc, const int64_t shape[], TileDotOperand operand,
                                  int elementBits);

/// A tile of bytes that `numWarps` turn round: read with the other dimension than `k` fastest, as
/// interleaved fragments, and written with `k` fastest, both by matrices, without bank conflicts
/// where swizzled: half of the lanes have neighbouring rows the other way round. Invalid where it
/// is smaller than the 16 x 32 bytes of a warp.
TileLayout tileLayoutTurning(const int64_t shape[2], int k, int numWarps);

//===----------------------------------------------------------------------===//
// Layouts of shape operations. "Backward" derives an operand's layout from the result's, so that
// the operation moves nothing; the others derive the result's from the operand's. Unless said
// otherwise registers keep their numbers.
//===----------------------------------------------------------------------===//

/// Erases dimension `dim`: what a reduction along it leaves, and the operand of expandDims
/// backward. Registers that differed in `dim` alone become duplicates (zero bases).
TileLayout tileLayoutSlice(TileLayout layout, int dim);
/// The same without duplicate registers: slice, then removeFreeRegisters.
TileLayout tileLayoutSliceCompact(TileLayout layout, int dim);
/// Drops the free register bits (mask in *freeBits unless NULL); register r of the result is
/// register tileDepositBits(r, ~freeBits) of the argument.
TileLayout tileLayoutRemoveFreeRegisters(TileLayout layout, uint32_t *freeBits);
/// Inserts a dimension of extent 1 before `dim` (0 .. rank).
TileLayout tileLayoutExpandDims(TileLayout layout, int dim);
/// Operand of a broadcast from `shape` (extent 1 where it broadcasts) to the layout's extents.
TileLayout tileLayoutBroadcastBackward(TileLayout result, const int64_t shape[]);
/// Result of broadcasting to `shape`: the new coordinates take the register bits, then lanes, then
/// warps, whose basis is zero, then new register bits; the last dimension first. Register r of the
/// result is register r mod size of the operand.
TileLayout tileLayoutBroadcast(TileLayout operand, const int64_t shape[]);
/// The same with neighbours along `dim` in one thread: the coordinate bits that registers tell
/// apart below those of lanes, warps and blocks, each in their order.
TileLayout tileLayoutLowerRegisters(TileLayout layout, int dim);
/// The same with parts of each warp side by side along `dim`, `times` of what its lanes have at a
/// time: the coordinate bits that warps tell apart above as many of registers.
TileLayout tileLayoutRaiseWarps(TileLayout layout, int dim, int times);
/// The same with lanes that step along `dim` by `extent` elements and more exchanged for registers
/// that step along another dimension, the farthest first, as far as there are any.
TileLayout tileLayoutNarrowLanes(TileLayout layout, int dim, int64_t extent);
/// Dimension i of the result is dimension order[i] of the operand.
TileLayout tileLayoutTranspose(TileLayout operand, const int order[]);
/// Operand of a transposition by `order`.
TileLayout tileLayoutTransposeBackward(TileLayout result, const int order[]);
/// Row-major relabelling: bases stay as they are. Invalid when the sizes differ.
TileLayout tileLayoutReshape(TileLayout layout, int rank, const int64_t shape[]);
/// Two tiles joined along a new last dimension of extent 2: registers 2r and 2r+1 of the result
/// are register r of the first and of the second.
TileLayout tileLayoutJoin(TileLayout operand);
/// The operands' layout of a join, and the result of a split: some register bit must be what tells
/// the two halves apart. *bit is that bit; invalid when there is none.
TileLayout tileLayoutSplit(TileLayout layout, int *bit);
/// Two tiles end to end along `dim`: the registers of the first, then those of the second.
TileLayout tileLayoutCat(TileLayout operand, int dim);

/// Spreads the low bits of `value` over the set bits of `mask`, lowest first (PDEP).
uint32_t tileDepositBits(uint32_t value, uint32_t mask);
/// Gathers the bits of `value` under `mask` (PEXT).
uint32_t tileExtractBits(uint32_t value, uint32_t mask);

//===----------------------------------------------------------------------===//
// Shared memory. Offsets in elements of elementBytes (1, 2, 4, 8).
//===----------------------------------------------------------------------===//

/// Row-major by `order`, with the xor swizzle of TMA and wgmma: swizzleBytes 0, 32, 64 or 128.
/// Rows of swizzleBytes bytes, in which the 16-byte chunk index is xored with bits of the row:
///
///     128: chunk ^= row & 7      64: chunk ^= row >> 1 & 3      32: chunk ^= row >> 2 & 1
///
/// A row is what lies along order[0]. Longer rows are cut into boxes of swizzleBytes columns that
/// lie one after another, each holding all rows, as TMA writes them and wgmma reads them:
///
///     64 rows of 256 bytes, 128:   [box 0: 64 x 128 bytes][box 1: 64 x 128 bytes]
///
/// Shorter rows (a row of fewer bytes than the swizzle) are no such box: invalid.
///
/// Folded it is the swizzle of 128 bytes in which every bit of a row, and of a box, moves chunks:
/// chunk ^= row & 7 ^ row >> 3 & 7 ^ .. ^ box & 7. Eight rows that lie 1, 2, 4 or 8 apart are in
/// all banks, whereas threads alone write and read it.
TileLayout tileLayoutShared(int rank, const int64_t shape[], int elementBytes, const int order[],
                            int swizzle);
enum { TILE_SWIZZLE_FOLDED = 256 };

/// By how many wavefronts more than it would take without any bank conflict a warp of `distributed`
/// writes its elements to `shared`.
int tileLayoutStoreConflicts(TileLayout distributed, TileLayout shared, int elementBytes);

/// The position map (register, lane, warp) -> offset with which threads of `distributed`
/// find their elements in `shared`. False when shapes differ or an element has no place.
bool tileLayoutSharedAddress(TileLayout distributed, TileLayout shared, TileLayout *address);

/// How many consecutive registers (from a multiple of that number) lie at consecutive offsets
/// (from a multiple of that number) and fit in 16 bytes: the vector width in elements.
int tileLayoutSharedVector(TileLayout distributed, TileLayout shared, int elementBytes);
/// The same registers in another order, in which more of them lie at consecutive offsets where that
/// can be: register bit b of the result is bit order[b] of `distributed`.
TileLayout tileLayoutSharedOrder(TileLayout distributed, TileLayout shared, int elementBytes,
                                 int order[TILE_MAX_BITS]);

/// Wavefronts beyond the least possible of one warp-wide access of `accessBytes` a lane to shared
/// memory (32 banks of 4 bytes; 8-byte accesses go by half warps, 16-byte accesses by quarter
/// warps): bytes[b] is what lane bit b adds (by xor) to the address. Linear layouts have the same
/// number for every register and warp.
int tileBankConflicts(const uint32_t laneBytes[TILE_LANE_BITS], int accessBytes);

/// How ldmatrix (and stmatrix) moves a distributed layout. One instruction serves `count` 32-bit
/// words of each thread, those whose numbers differ in the bits `words` alone: usually registers
/// [g * count * p, (g + 1) * count * p) with p = 4 / elementBytes, for group g. Lane l gives the
/// row address (in elements)
///     address(first register of the group, lane 0, warp) ^ rows(l),
/// rows(l) the xor of laneOffset[b] over the set bits b of l.
///
/// Bytes that lie across their words are turned by .trans two at a time: an element of a matrix is
/// two neighbours of one row of memory. Two matrices give a thread four rows of both:
///
///     first: a0 b0 a1 b1, second: a2 b2 a3 b3  ->  words a0 a1 a2 a3 and b0 b1 b2 b3
///
/// by prmt. Eight rows of a matrix that lie in steps of 4 would meet in the same banks by twos: so
/// half of the lanes may find rows 2 and 3 in the first matrix (`crossed`: those with lane bit 1).
/// Words a and b are the other way round in lanes with an odd number of the bits `swapped`.
typedef struct TileLdmatrix {
  bool transposed; ///< .trans: 2-byte elements whose columns lie along a thread's pair
  bool bytes;      ///< the same of bytes, whose words b are those with word bit words[0]
  bool crossed;
  uint32_t swapped;
  int count;    ///< .x1, .x2 or .x4
  int words[2]; ///< bits of a word's number, of which a group has 2^2 (.x4) or 2^1
  uint32_t laneOffset[TILE_LANE_BITS];
  TileLayout address; ///< as tileLayoutSharedAddress
  int conflicts;      ///< extra wavefronts of one instruction
} TileLdmatrix;

bool tileLayoutSupportsLdmatrix(TileLayout distributed, TileLayout shared, int elementBytes,
                                TileLdmatrix *plan);

//===----------------------------------------------------------------------===//
// Conversions between distributed layouts
//===----------------------------------------------------------------------===//

typedef enum TileConversionKind {
  TILE_CONVERSION_IMPOSSIBLE, ///< shapes differ, or src lacks an element
  TILE_CONVERSION_NONE,       ///< every thread keeps its registers as they are
  TILE_CONVERSION_REGISTERS,  ///< dst register r = src register plan.registers(r)
  TILE_CONVERSION_SHUFFLES,   ///< within warps, by plan.shuffles
  TILE_CONVERSION_SHARED,     ///< through scratch memory, by plan.scratch
} TileConversionKind;

/// Exchange within warps, in 2^roundBits rounds. `send` and `receive` may depend on the position,
/// which takes selects: for an array a[2^n] and each bit j of lane or warp whose basis h
/// (of the named output) is not 0, a'[i] = bit j of the position ? a[i ^ h] : a[i] for all i.
///
///   1. q = the source's registers; select by `send`:     (register = round, position) -> register
///      p[t] = q[send(t, 0)]
///   2. v[t] = p[t] of the lane that `lane` names:        (register = round, position) -> lane
///      If `butterfly`, that is lane(t, 0) ^ own lane: shfl.sync.bfly by this constant, or nothing
///      when it is 0; else shfl.sync.idx.
///   3. select v by `receive`:            (register = destination register, position) -> register,
///      the round that brought it; d[r] = v[receive(r, 0)]
///
/// Rounds t and t ^ (1 << i) use the same source lane when bit i of packBits is set: elements of
/// 1 and 2 bytes of such rounds may travel in one 32-bit word.
typedef struct TileShufflePlan {
  int roundBits;
  bool butterfly;
  uint32_t packBits;
  TileLayout send, lane, receive;
  int numShuffles; ///< 32-bit shuffles, after packing
  int numSelects;  ///< element selects of steps 1 and 3
} TileShufflePlan;

/// One side of a round trip through scratch memory. Index k counts a thread's elements as
/// [pass][access][element of the vector].
///   store: element k is register registers(k) of the source
///   load:  register r of the destination is element registers(r)
///   address: position map (register = k, lane, warp) to the offset in elements of the scratch
///            buffer; its `register` output is the pass
typedef struct TileScratchAccess {
  int vector;   ///< elements per access
  int accesses; ///< of one thread in one pass
  TileLayout registers;
  TileLayout address;
  uint32_t freeLane, freeWarp; ///< the store happens where (lane & freeLane) and (warp & freeWarp)
                               ///< are 0: one copy of each element; loads have 0
  int conflicts;               ///< extra wavefronts of one access
} TileScratchAccess;

/// for each pass: stores of its k; barrier; loads of its k; barrier unless it was the last pass.
/// (The caller has a barrier before the first store if the buffer was in use.)
typedef struct TileScratchPlan {
  TileLayout layout; ///< offset and register (the pass) -> coordinate
  int passes;
  int64_t bytes; ///< of scratch
  TileScratchAccess store, load;
} TileScratchPlan;

typedef struct TileConversion {
  TileConversionKind kind;
  TileLayout map;       ///< destination position -> source position; local where possible
  TileLayout registers; ///< REGISTERS: destination register -> source register
  TileShufflePlan shuffles;
  TileScratchPlan scratch;
  int cost;  ///< estimated issue slots of a warp, 0 for NONE and REGISTERS
  int waits; ///< those of them in which it waits for others at barriers
} TileConversion;

/// Plans dst = convert_layout(src), taking the cheapest kind that can do it. Scratch is at most
/// 48 KiB where the layouts allow several passes.
TileConversion tileLayoutPlanConversion(TileLayout src, TileLayout dst, int elementBytes);

/// The same with a limit on the scratch in bytes. When even the most passes need more, the plan is
/// returned with the bytes that it needs: the caller reports it.
TileConversion tileLayoutPlanConversionWithin(TileLayout src, TileLayout dst, int elementBytes,
                                              int64_t maxScratchBytes);

/// The estimated issue slots, as above, of a reduction along `dim` whose result all lanes and warps
/// of a row have: in registers, then by shuffles between lanes, then between warps through scratch.
int tileLayoutReductionCost(TileLayout layout, int dim, int elementBytes);

#ifdef __cplusplus
}
#endif

#endif // TILE_LAYOUT_H
