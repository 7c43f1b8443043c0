//===- Lowering.h - what the CPU lowering knows while it works --*- C -*-===//
//
// A kernel becomes one function that does one program's work. Scalars map to
// scalars. A tile is in one of three forms:
//
//   inline     nothing is emitted where its op stands; whoever needs elements
//              asks for a chunk of them, and the op's expression is emitted there
//   buffer     its elements lie in a stack buffer, made at the function's entry
//   induction  a loop's tile that grows by something uniform each time: the
//              tile it started as, plus one scalar that the loop carries
//
// Ops with an effect, and tiles that must or should exist as a whole, are roots:
// each emits one loop nest over rows and chunks of W lanes, which pulls what it
// needs through `cpuEval`. So a masked vector add is one loop without a tile in
// memory:
//
//   scf.for %c = 0 to 1024 step 8 { load; load; arith.addf : vector<8xf32>; store }
//
//      dimension 1 (the lane dimension here) ->
//      +--------+--------+-----+
//      | chunk  | chunk  |tail |   a chunk is W lanes; the last one of a row is
//      +--------+--------+-----+   cut by a constant mask where W does not divide
//      |        |        |     |   the extent
//
// A chunk is described by an Index: a scalar for each dimension, and which
// dimension the lanes run along (none: one element).  What is the same in all
// lanes, or grows by a constant from lane to lane, stays scalar until a vector
// is asked for (Lanes); that is how contiguous pointers are known.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TO_CPU_LOWERING_H
#define TILE_TO_CPU_LOWERING_H

#include "../Table.h"
#include "tile/IR.h"
#include "tile/Support/PointerTable.h"

/// Deepest tile the lowering takes.
#define CPU_MAX_RANK TILE_MAX_RANK
/// Longest row of inline tiles that follow from each other: they are evaluated by recursion.
#define CPU_MAX_DEPTH 512
/// From how many on an inline tile of numbers is computed for one reader alone.
#define CPU_SHARED_DEPTH 12
/// Most buffers of one program for values that are printed.
#define CPU_MAX_SPARE 16
/// Most tiles that one nest writes.
#define CPU_MAX_TOGETHER 8
/// Most tiles that one nest copies because they do not lie along its lanes.
#define CPU_MAX_GATHERED 8

/// A tile in memory, row major, the last dimension padded to whole vectors.
typedef struct {
  MlirValue pointer; ///< !llvm.ptr
  MlirType element;  ///< of the tile, as the kernel has it
  int rank;
  int64_t shape[CPU_MAX_RANK];
  int64_t strides[CPU_MAX_RANK]; ///< in elements
} CpuBuffer;

typedef enum { CPU_SCALAR, CPU_INLINE, CPU_BUFFER, CPU_INDUCTION } CpuForm;

/// What the new function has for a value of the kernel.
typedef struct {
  CpuForm form;
  MlirValue scalar; ///< of a scalar; of an induction, what is added (i64, or the element type)
  MlirValue start;  ///< of an induction: the tile (of the kernel) it started as
  CpuBuffer buffer; ///< of a buffer; of an inline gather or reshape, its source's
  /// The buffer is this value's alone, so that its last user may overwrite it.
  bool owned;
  /// Of an inline tile: how many that are inline its elements follow from, one after the other.
  int depth;
  bool isRead; ///< Do its elements follow from what memory or a buffer holds?
} CpuSlot;

/// Steps of a loop whose dots are multiplied at once (Dot/Steps.c).
typedef struct {
  MlirOperation loop;
  int64_t count;    ///< at most; 0: no such loop
  MlirValue number; ///< i64: of the step, since they were multiplied
  MlirValue ends;   ///< i1: is this the one in which they are?
  MlirValue begins; ///< i1: is this the loop's first step?
  MlirValue goesOn; ///< i1: is there another one?
  MlirValue blocks; ///< i64: how many times as many the next ones may be
} CpuSteps;

/// A mask that is all true, or a remainder that is the identity: where lanes run along `lane`, or
/// wherever, if that is CPU_ANY_LANE.
typedef struct {
  MlirValue value;
  int lane;
} CpuAssumed;
#define CPU_ANY_LANE (-2)
/// Most of them in one nest.
#define CPU_MAX_ASSUMED 64

/// A tile, of memory or a buffer, that was read along a dimension along which it does not lie.
typedef struct {
  MlirValue tile;
  int lane;
} CpuGathered;

typedef struct CpuArenaChunk CpuArenaChunk;
typedef struct CpuChecks CpuChecks;

typedef struct {
  MlirContext context;
  MlirOperation kernel;
  /// Where ops go now.
  TileBuilder at;
  /// Before the first op of the body: stack buffers and constants.
  TileBuilder entry;
  MlirBlock body;
  int64_t vectorBits;
  TilePointerTable map;       ///< tile value -> CpuSlot
  TilePointerTable constants; ///< attribute -> MlirValue, its arith.constant
  CpuArenaChunk *arena;
  /// The runtime's functions that are known to be declared, by their names' addresses.
  TilePointerTable declared;
  TileTables *tables; ///< of the module
  /// 1 + the number of the next description of a print or an assert; 0: none has had one.
  int nextSite;
  int64_t stackBytes;
  bool isPlain;     ///< Is code to be short: no versions of nests?
  bool hasByteDots; ///< Has the processor vpdpbusd?
  CpuSteps steps;   ///< of the innermost loop that is being lowered
  int numGathers;   ///< gathers that were emitted
  /// Where not null, what is gathered is noted there, up to CPU_MAX_GATHERED.
  CpuGathered *gathered;
  int numGathered;
  MlirValue programId[3], numPrograms[3];
  /// Masks that the fast version of the nest being emitted takes to be all true, and remainders it
  /// takes to be the identity.
  CpuAssumed assumed[CPU_MAX_ASSUMED];
  int numAssumed;
  TilePointerTable tested; ///< what was found for that, of a tile: TileTests.c
  MlirValue fits;          ///< whether sums that it looked at do not wrap; null: none may
  /// What checking and tracing add; null where the code is plain.
  CpuChecks *checks;
  bool failed;
} CpuLowering;

//===- Support.c: memory, map, constants, buffers, types ------------------===//

/// Zeroed memory that lives as long as the lowering.
void *cpuAllocate(CpuLowering *l, size_t size);
void cpuDestroy(CpuLowering *l);

/// The slot of a value; null when it has none yet.
CpuSlot *cpuFind(CpuLowering *l, MlirValue value);
/// Gives `value` a slot in place of the one it had.
CpuSlot *cpuSet(CpuLowering *l, MlirValue value, CpuForm form);
void cpuSetScalar(CpuLowering *l, MlirValue value, MlirValue scalar);
void cpuSetBuffer(CpuLowering *l, MlirValue value, CpuBuffer buffer, bool owned);
/// The new scalar of a kernel's scalar.
MlirValue cpuScalar(CpuLowering *l, MlirValue value);

/// Emits an error at `op` and remembers that there was one.
void cpuFail(CpuLowering *l, MlirOperation op, const char *what);

/// The type a value of this element has in registers (f8 is i8, a pointer !llvm.ptr), and in memory
/// (i1 is a byte, bf16 an i16).
MlirType cpuRegisterType(CpuLowering *l, MlirType element);
MlirType cpuMemoryType(CpuLowering *l, MlirType element);
/// `element`, or vector<width x element> where width > 0.
MlirType cpuWiden(MlirType element, int64_t width);
/// Lanes of a value: 0 for a scalar.
int64_t cpuWidth(MlirValue value);
MlirType cpuPointerType(CpuLowering *l);

/// A number of the kernel as a constant of its register type.
MlirValue cpuScalarConstant(CpuLowering *l, MlirType element, MlirAttribute value);
/// Constants, emitted once a function; of a vector type: a splat.
MlirValue cpuInt(CpuLowering *l, MlirType type, int64_t value);
MlirValue cpuFloat(CpuLowering *l, MlirType type, double value);
MlirValue cpuI64(CpuLowering *l, int64_t value);
/// <0, s, 2s, ..> of `width` integers of type `element`.
MlirValue cpuSteps(CpuLowering *l, MlirType element, int64_t width, int64_t stride);
/// A mask of `width` lanes, the first `count` of them on.
MlirValue cpuFirstLanes(CpuLowering *l, int64_t width, int64_t count);
/// The multiple of `unit` below a number (i64) that is not below 0.
MlirValue cpuRoundDown(CpuLowering *l, MlirValue number, MlirValue unit);
/// i1: do both masks let it be? Null lets all be.
MlirValue cpuBoth(CpuLowering *l, MlirValue a, MlirValue b);

/// Lanes of a vector whose elements are of this type.
int64_t cpuLanes(CpuLowering *l, MlirType element);

/// A stack buffer for a tile of `type`, with another element unless that is null.
CpuBuffer cpuAllocateBuffer(CpuLowering *l, MlirType type, MlirType element);
/// The same without its memory, of `*count` elements.
CpuBuffer cpuDescribeBuffer(CpuLowering *l, MlirType type, MlirType element, int64_t *count);
/// A plain stack buffer of `count` elements.
MlirValue cpuAllocateStack(CpuLowering *l, MlirType element, int64_t count);

//===- Memory.c: accesses -------------------------------------------------===//

/// A value as it lies in memory: i1 as a byte, bf16 as its bits.
MlirValue cpuToMemory(CpuLowering *l, MlirValue value, MlirType element);
/// What tile.ptr_cast makes of one element, or a vector of them, of type `from`.
MlirValue cpuCastPtr(CpuLowering *l, MlirValue value, MlirType from, MlirType to);
/// pointer + offset elements of `element` (memory type); offset i64 or a vector of it.
MlirValue cpuOffset(CpuLowering *l, MlirValue pointer, MlirType element, MlirValue offset);
/// Loads `width` elements (0: one) that lie together; `element` as the kernel has it. With a mask,
/// lanes that are off read nothing and give `other`, or 0 where `other` is null.
MlirValue cpuLoad(CpuLowering *l, MlirValue pointer, MlirType element, int64_t width,
                  MlirValue mask, MlirValue other);
void cpuStore(CpuLowering *l, MlirValue pointer, MlirType element, MlirValue value, MlirValue mask);
/// i1: lanes of a mask together, `how`: "and" or "or".
MlirValue cpuReduceMask(CpuLowering *l, MlirValue mask, const char *how);
/// The same of one element for all lanes of a mask, or of `width` lanes where that is null.
MlirValue cpuLoadOne(CpuLowering *l, MlirValue pointer, MlirType element, int64_t width,
                     MlirValue mask, MlirValue other);
/// The same through a vector of pointers; a mask is required.
void cpuNoteGather(CpuLowering *l, MlirValue tile, int lane);
MlirValue cpuGather(CpuLowering *l, MlirValue pointers, MlirType element, MlirValue mask,
                    MlirValue other);
void cpuScatter(CpuLowering *l, MlirValue pointers, MlirType element, MlirValue value,
                MlirValue mask);

/// LLVM's ordering for the dialect's: relaxed, acquire, release, acq_rel.
int64_t cpuOrdering(int64_t order);
/// What llvm.cmpxchg gives.
typedef struct {
  MlirValue old, done;
} CpuExchanged;
/// Exchanges an integer that is as expected, in one of the dialect's orders.
CpuExchanged cpuExchange(CpuLowering *l, MlirValue pointer, MlirValue expected, MlirValue value,
                         int64_t order);
/// The integer that memory is to hold in place of `seen`.
typedef MlirValue (*CpuUpdate)(CpuLowering *l, MlirValue seen, void *data);
/// Exchanges the integer at `pointer`, of which `first` was read, for its update, again until
/// nobody came between. Gives what memory held last:
///
///   %old = scf.while (%seen = %first) {
///     %there, %done = llvm.cmpxchg %p, %seen, update(%seen)
///     scf.condition(not %done) %there
///   } do { ^(%now): scf.yield %now }
MlirValue cpuExchangeUntilDone(CpuLowering *l, MlirValue pointer, MlirValue first, int64_t order,
                               CpuUpdate update, void *data);

//===- Eval.c: elements of tiles, on demand -------------------------------===//

/// A chunk of a tile: where its first element is, and the dimension its lanes run along.
typedef struct {
  MlirValue base[CPU_MAX_RANK]; ///< i64
  int rank;
  int lane;    ///< -1: one element
  bool isPart; ///< lanes begin anywhere in a row, as those of a tile.slice
} CpuIndex;

/// Elements of a chunk: a vector, or `scalar + lane * stride`.
typedef struct {
  MlirValue vector;
  MlirValue scalar;
  int64_t stride; ///< for pointers in elements of what they point at
} CpuLanes;

typedef struct CpuMemo CpuMemo;

/// One body of a loop nest.
typedef struct {
  CpuLowering *l;
  int64_t width;
  /// Lanes inside the tile; null when all are.
  MlirValue tail;
  /// Masks are known to be all true and remainders to change nothing (TileTests.c).
  bool fast;
  /// In a nest that `walks`: up to where along its axis they are (i64), or null.
  MlirValue known;
  /// Of several that are emitted one behind the other: where the first begins along the lanes, and
  /// how far behind it this one.
  MlirValue first;
  int64_t behind;
  /// Lanes that grow are taken to have one quotient, and remainders that grow, where `unwrapped`
  /// (i1) holds; `wraps`: where that was tested and did not.
  bool unwraps, wraps;
  MlirValue unwrapped;
  CpuMemo *memo;
  int numMemo, roomMemo;
} CpuChunk;

/// May the chunk take this mask to be all true, or this remainder to be the identity, where lanes
/// run along `lane` (Support.c)?
bool cpuIsAssumed(const CpuChunk *chunk, MlirValue value, int lane);

/// The elements of `tile` (a value of the kernel, scalar or tile) at `index`.
CpuLanes cpuEval(CpuChunk *chunk, MlirValue tile, const CpuIndex *index);
/// The same as one vector, or as a scalar where the index has no lanes.
MlirValue cpuEvalVector(CpuChunk *chunk, MlirValue tile, const CpuIndex *index);
MlirValue cpuToVector(CpuChunk *chunk, CpuLanes lanes, MlirType element);

//===- Lanes/Straight.c: chunks in which no quotient changes --------------===//

/// What a division or remainder is in a chunk that `unwraps`; false where that cannot be said.
bool cpuUnwrap(CpuChunk *chunk, MlirOperation op, const CpuLanes operands[2], CpuLanes *result);
/// Do elements of the tile follow from divisions that are emitted with them?
bool cpuDivides(CpuLowering *l, MlirValue tile);
/// The body on a chunk, in two versions where that is worth a test.
void cpuEmitSplit(CpuChunk *chunk, const CpuIndex *index,
                  void (*body)(CpuChunk *, const CpuIndex *, void *), void *data);

//===- Lanes/AtomicBlocks.c: atomic updates of lanes that lie together -----===//

/// The op that computes what a tile.atomic_rmw leaves of what was there and its value; NULL: the
/// value itself (xchg).
const char *cpuUpdateOf(MlirOperation op);
/// Is the op one on tiles that may be done in blocks of lanes?
bool cpuHasBlocks(MlirOperation op);
/// The same for a chunk, from the pointer of its first lane on; `mask` null: all lanes.
void cpuEmitBlocks(CpuLowering *l, MlirOperation op, MlirValue pointer, MlirValue value,
                   MlirValue mask);

//===- Lanes/Across.c: tiles that do not lie along the lanes --------------===//

/// Do the elements of a tile lie together along `lane`; along `other` and not along `lane`?
bool cpuLiesTogether(CpuLowering *l, MlirValue tile, int lane);
bool cpuLiesAcross(CpuLowering *l, MlirValue tile, int lane, int other);
/// The dimension along which lanes should be stored.
int cpuStoreLane(CpuLowering *l, MlirValue pointers);
/// Do pointers go from element to element along `lane`?
bool cpuGoesAlong(CpuLowering *l, MlirValue pointers, int lane);

/// Transposes `count` vectors of as many lanes, a power of two, in registers.
void cpuTranspose(CpuLowering *l, MlirValue *rows, int count);

//===- Elementwise.c ------------------------------------------------------===//

/// Emits the arith or math op on scalars or vectors of `width` lanes (0: scalars).
MlirValue cpuElementwise(CpuLowering *l, MlirOperation op, const MlirValue *operands,
                         int64_t width);
/// Is it an op of the kernel that cpuElementwise can emit?
bool cpuIsElementwise(MlirOperation op);
/// Converts between number types, as arith's casts do. `from`, `to`: elements of the kernel.
MlirValue cpuConvertFloat(CpuLowering *l, MlirValue value, MlirType from, MlirType to);

//===- Nest.c: loops ------------------------------------------------------===//

/// Emits the work on one chunk.
typedef void (*CpuChunkBody)(CpuChunk *chunk, const CpuIndex *index, void *data);

typedef struct {
  int rank;
  int64_t shape[CPU_MAX_RANK];
  int lane; ///< the dimension of the lanes; -1: element by element
  int64_t width;
  /// For tiles of one or two dimensions: where to end (i64, at most the shape), null at the shape.
  /// Lanes are cut to whole chunks above it.
  MlirValue ends[2];
  /// Where chunks along the lanes begin to be all one (i64), or null; they are emitted by `fill`.
  MlirValue beyond;
  CpuChunkBody fill;
  /// How many chunks along the lanes are emitted one behind the other, if that divides a row's;
  /// 0: 1.
  int unroll;
  /// May the body be emitted twice for a chunk, under a test; it gives nothing that another needs.
  bool splits;
  /// Are roots combined along their last dimension, lanes being of another?
  bool reducesLast;
  /// Does the body itself go along a dimension of the roots, `axis`, that the nest has not, in so
  /// many steps? Lanes run along the roots' dimension `rootLane`.
  bool walks;
  int axis, rootLane;
  int64_t steps;
} CpuNest;

/// Opens scf.for from 0 to `extent`; ops go into its body until cpuEndLoop. `carried` (count of
/// them) start the loop's values, which it replaces by the block's.
typedef struct {
  MlirOperation op;
  TileBuilder outer;
} CpuLoop;
MlirValue cpuBeginLoop(CpuLowering *l, CpuLoop *loop, MlirValue from, MlirValue to, MlirValue step,
                       intptr_t numCarried, MlirValue *carried);
/// Yields `carried` and replaces them by the loop's results.
void cpuEndLoop(CpuLowering *l, CpuLoop *loop, intptr_t numCarried, MlirValue *carried);

/// scf.if without results around what `emit` emits.
typedef void (*CpuEmit)(CpuLowering *l, bool yes, void *data);
void cpuIf(CpuLowering *l, MlirValue condition, bool hasElse, CpuEmit emit, void *data);

/// The whole nest; `fast` as in CpuChunk.
void cpuNest(CpuLowering *l, const CpuNest *nest, bool fast, CpuChunkBody body, void *data);
/// The same with chunks that are `fast` up to `known` along the lanes; a nest that `walks` hands it
/// on.
void cpuNestUpTo(CpuLowering *l, const CpuNest *nest, bool fast, MlirValue known, CpuChunkBody body,
                 void *data);
/// Two nests under a test (Lanes/Versions.c), or chunks up to a place, if such can be found for
/// `roots`, else one: see cpuFastCondition, cpuFastReach.
void cpuVersionedNest(CpuLowering *l, const CpuNest *nest, intptr_t numRoots,
                      const MlirValue *roots, MlirValue mask, CpuChunkBody body, void *data);
/// The same; what `roots` read that does not lie along the lanes, but along another dimension, is
/// copied and transposed before.
void cpuStraightNest(CpuLowering *l, const CpuNest *nest, intptr_t numRoots, const MlirValue *roots,
                     MlirValue mask, CpuChunkBody body, void *data);
CpuNest cpuNestOf(CpuLowering *l, MlirType tile);

/// The buffer's elements at an index.
MlirValue cpuReadBuffer(CpuLowering *l, const CpuBuffer *buffer, const CpuIndex *index,
                        int64_t width, MlirValue tail);
void cpuWriteBuffer(CpuLowering *l, const CpuBuffer *buffer, const CpuIndex *index, MlirValue value,
                    MlirValue tail);

//===- Buffers.c: tiles written into buffers ------------------------------===//

/// Writes a tile into a buffer of its shape, converted to the buffer's element type.
void cpuWrite(CpuLowering *l, MlirValue tile, const CpuBuffer *buffer);
/// The same for a part of it, up to `ends` as in CpuNest.
void cpuWriteUpTo(CpuLowering *l, MlirValue tile, const CpuBuffer *buffer, const MlirValue ends[2]);
/// Writes several tiles that go together, of one shape and as many lanes a vector, chunk by chunk:
/// what they have in common is computed once. They may read the buffers at the same element.
bool cpuGoTogether(CpuLowering *l, MlirValue a, MlirValue b);
void cpuWriteTogether(CpuLowering *l, int count, const MlirValue *tiles, const CpuBuffer *buffers);
/// Makes a buffer of the tile unless it is one.
CpuBuffer cpuMaterialize(CpuLowering *l, MlirValue tile);
//===- TileTests.c: what is known of a whole tile ----------------------------===//

/// An i1 under which the fast version of a nest may run: the masks of the loads in the expressions
/// of `roots`, and `mask` if it is not null, are all true, and `remainders` in pointers the
/// identity. Sets `l->assumed` to those of them that can be tested. Null when there is none.
MlirValue cpuFastCondition(CpuLowering *l, intptr_t numRoots, const MlirValue *roots,
                           MlirValue mask, bool remainders);
/// The same for a row: up to where along `axis` of the roots (i64) all that holds. Null where that
/// is no question of where in the row, so that the condition says as much. `lane`: the dimension of
/// the roots that lanes run along.
MlirValue cpuFastReach(CpuLowering *l, intptr_t numRoots, const MlirValue *roots, MlirValue mask,
                       bool remainders, int axis, int lane);

//===- Uses.c: who needs a tile -------------------------------------------===//

/// Is the op one that cpuEval emits where its elements are needed?
bool cpuIsInline(MlirOperation op);
/// Should the op's result be made a buffer where the op stands?
bool cpuShouldMaterialize(CpuLowering *l, MlirOperation op);
/// Does the expression of `tile` read the buffer at `pointer`? `*elsewhere`: at another place than
/// the element being computed.
bool cpuReads(CpuLowering *l, MlirValue tile, MlirValue pointer, bool *elsewhere);
/// The kernel's argument that pointers start from; null where that is not known.
MlirValue cpuArgumentOf(CpuLowering *l, MlirValue pointers);
/// Do lane i of both reach the same element, or elements of different arguments?
bool cpuIsSamePlaces(MlirValue a, MlirValue b);
/// Is `value` defined in the block of `user`, its only user, which may then overwrite it?
bool cpuDiesAt(MlirValue value, MlirOperation user);

//===- Seen.c: what of a dot is looked at ---------------------------------===//

/// Moves masks and places that are computed behind a loop of dots in front of it, where they can
/// be.
void cpuHoistMasks(CpuLowering *l);

/// How far along K (i64) either operand of a dot is loaded at all, where the rest counts as 0; null
/// where that is not known of both.
MlirValue cpuFindDepth(CpuLowering *l, MlirOperation dot);

/// How many positions along each dimension of a tile of one or two a mask may be on at (i64); null
/// where that is not known, as for every other tile.
void cpuFindReach(CpuLowering *l, MlirValue mask, MlirValue ends[2]);
/// The same along one dimension of a tile of any rank.
MlirValue cpuFindReachAlong(CpuLowering *l, MlirValue mask, int axis);

//===- Beyond.c: where the elements of a row are all one ------------------===//

/// From where on (i64) the elements of a tile of one or two dimensions are all one along `axis`;
/// null where that is not known, or rows are short, which are vectors `alongLanes`, else elements.
MlirValue cpuFindBeyond(CpuLowering *l, MlirValue tile, int axis, bool alongLanes);

/// How many rows and columns (i64) of a dot's result may be seen by anybody, as far as a mask says
/// before the dot; null where all may. False where that is both.
bool cpuFindSeen(CpuLowering *l, MlirOperation dot, MlirValue seen[2]);

//===- Dot/Steps.c: several steps of a loop, multiplied at once -----------===//

/// How many steps of `loop` its dots should be multiplied at once for; 1: each by itself.
int64_t cpuCountSteps(CpuLowering *l, MlirOperation loop);
/// Emits, at the loop's begin, what tells in which step that is. `range`: the loop's counter,
/// start, end and step; `number` is carried by the loop, from 0.
CpuSteps cpuBeginSteps(CpuLowering *l, MlirOperation loop, int64_t count, MlirValue number,
                       const MlirValue range[4]);
/// Is value number `i` of the loop a sum that starts as 0, and that nobody looks at before the dot
/// has written it, in the first step?
bool cpuStartsByDot(CpuLowering *l, MlirOperation loop, intptr_t i);
/// The number of the loop's next step.
MlirValue cpuNextStep(CpuLowering *l);

//===- Lanes/Distinct.c: loads that wait for a store of another array -----===//

/// Emits a store through `to`, from `roots`: `emit` in two versions, where loads that it reads are
/// of other arguments, and so wait for it.
void cpuEmitWaiting(CpuLowering *l, MlirValue to, intptr_t numRoots, const MlirValue *roots,
                    CpuEmit emit, void *data);

//===- roots --------------------------------------------------------------===//

/// Lowers the ops of a block but its terminator.
void cpuLowerBlock(CpuLowering *l, MlirBlock block);
void cpuLowerStore(CpuLowering *l, MlirOperation op);
void cpuLowerAtomic(CpuLowering *l, MlirOperation op);
void cpuLowerReduce(CpuLowering *l, MlirOperation op);
void cpuLowerScan(CpuLowering *l, MlirOperation op);
void cpuLowerDot(CpuLowering *l, MlirOperation op);
void cpuLowerSort(CpuLowering *l, MlirOperation op);
void cpuLowerHistogram(CpuLowering *l, MlirOperation op);
void cpuLowerPrint(CpuLowering *l, MlirOperation op);
void cpuLowerAssert(CpuLowering *l, MlirOperation op);
void cpuLowerCat(CpuLowering *l, MlirOperation op);
void cpuLowerFor(CpuLowering *l, MlirOperation op);
void cpuLowerIf(CpuLowering *l, MlirOperation op);
void cpuLowerWhile(CpuLowering *l, MlirOperation op);

//===- Checked/, IndexArithmetic.c: code that reports to a checker --------===//

/// What the runtime is told (tile/Runtime/Check.h has the functions that are called). Sites are
/// the module's; the values are of the kernel being lowered.
struct CpuChecks {
  bool check, trace;
  MlirOperation module;
  MlirAttribute *sites;
  int numSites, roomSites;
  /// The op and kind of the last sites asked for, so that the versions of a nest share them.
  MlirOperation siteOp;
  const char *siteKind;
  int site;
  MlirValue checker; ///< !llvm.ptr
  MlirValue traced;  ///< i1: this program's values are printed
  /// Stack memory through which the lanes of a chunk are shown to the runtime.
  MlirValue pointers, mask, values, indices;
  /// Stack memory for values that are printed, and its bytes.
  MlirValue spare[CPU_MAX_SPARE];
  int64_t spareBytes[CPU_MAX_SPARE];
  int numSpare;
  TilePointerTable arithmetic; ///< a set of ops; see cpuFindIndexArithmetic
};

/// Declares the runtime's functions in the module.
void cpuDeclareChecks(CpuChecks *checks);
/// Leaves the sites in the module's `tile.sites` and frees them.
void cpuFinishChecks(CpuChecks *checks);
/// Emits what a program begins with, after its arguments are loaded.
void cpuEnterProgram(CpuLowering *l);
/// Is the code instrumented at all, and are accesses tested?
bool cpuIsChecked(const CpuLowering *l);
/// Tests the lanes of one chunk of an access through `pointers` (a vector or one) under `mask`
/// (null: all), and gives the lanes that may run. `value` is what is stored, or null.
MlirValue cpuCheckAccess(CpuLowering *l, MlirOperation op, const CpuIndex *index,
                         MlirValue pointers, MlirValue mask, MlirValue value);
/// Ends an execution of an op whose chunks were tested: the runtime reports what it found.
void cpuEndAccess(CpuLowering *l, MlirOperation op);
/// Tests that integer arithmetic does not wrap: with a sign, or with the flag nuw without.
void cpuCheckOverflow(CpuLowering *l, MlirOperation op);
void cpuCheckAssert(CpuLowering *l, MlirOperation op);
/// The same of what tile.assume says, and of the indices of a gather.
void cpuCheckAssume(CpuLowering *l, MlirOperation op);
void cpuCheckGather(CpuLowering *l, MlirOperation op);
/// The number of a site; `type`, `rank`, `text` (or null) and which of the op's results it is about
/// are what the runtime is told of it.
int cpuSite(CpuLowering *l, MlirOperation op, const char *kind, MlirType type, int rank,
            const char *text, int result);
/// call @name(%checker, %site, ..)
void cpuCallRuntime(CpuLowering *l, const char *name, int site, intptr_t count,
                    const MlirValue *arguments);

/// Collects the integer arithmetic that offsets and masks are computed by, but for what has
/// tile.wraps, and what has an overflow flag, until it is forgotten, before the lowering is
/// destroyed.
void cpuFindIndexArithmetic(CpuLowering *l);
void cpuForgetIndexArithmetic(CpuLowering *l);
bool cpuIsIndexArithmetic(const CpuLowering *l, MlirOperation op);
/// Has an op of arith the flag, "nsw" or "nuw"?
bool cpuHasOverflowFlag(MlirOperation op, const char *flag);

/// Prints the results of an op that has been lowered, if this program is traced.
void cpuTraceOp(CpuLowering *l, MlirOperation op);
/// The same for the induction variable of a loop whose body is being entered.
void cpuTraceIteration(CpuLowering *l, MlirOperation loop);

/// Makes arith and math ops of what tile.inline_ptx says (Ptx/InlinePtx.c).
void cpuExpandPtx(MlirOperation kernel);

/// Is `op` a read of the clock, as cpuExpandPtx leaves it?
bool cpuIsClock(MlirOperation op);
void cpuLowerClock(CpuLowering *l, MlirOperation op);

#endif
