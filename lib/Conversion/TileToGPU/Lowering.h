//===- Lowering.h - from a program of tiles to one thread's program -*- C -*-===//
//
// convert-tile-to-gpu is one structured walk. For each kernel it makes an
// llvm.func in a gpu.module and emits into it, op by op, what one thread does:
//
//   tile value                                thread value
//   tensor<128x64xf16, #tile_gpu.layout<..>>      vector<Nxf16>, N = registers of the layout
//   tensor<..x!tile.ptr<f16>, ..>, !tile.ptr  vector<Nxi64>, i64
//   !tile_gpu.buffer<..>                          i32: byte offset in shared memory
//   !tile.desc<..>                            !llvm.ptr: a parameter that is the tensor map
//   i32, f32, index, ..                       itself
//
// Register r of the layout is element r of the vector. One file an op family, one
// function an op: `MlirLogicalResult lowerX(Lowering *, MlirOperation)` looks at its
// own op only, emits at l->b, and maps the op's results with `lowerSet`. Lowerings.def
// says which function lowers which op.
//
// Everything here may be reached from bad input, so refusals are located errors.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_CONVERSION_TILETOGPU_LOWERING_H
#define TILE_CONVERSION_TILETOGPU_LOWERING_H

#include "../Table.h"
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include "tile/Layout.h"
#include "tile/Support/PointerTable.h"

/// Parameters of the kernel's function behind those of the user, in this order; whoever launches
/// the kernel fills them in (see tile/Runtime/Launcher.h).
/// What tile-raise-descriptors makes, and what leaves a result in other boxes than it was: 3 KB of
/// the 4 KB that a kernel's parameters have.
enum { lowerMaxMaps = 24 };
typedef struct {
  bool persistent; ///< tile_gpu.persistent: three i32, the extents of the real grid
  int numMaps;     ///< one pointer each, to 128 bytes
  MlirAttribute maps[lowerMaxMaps]; ///< their descriptions: string attributes, all different
} LowerHidden;

/// Limits of masks that may be renewed in blocks within each other.
enum { lowerMaxRenewed = 32 };

/// The sites of prints and asserts in a module (see tile/Console.h).
typedef struct LowerConsole {
  char *sites; ///< descriptions, each with a NUL after it
  size_t size;
  int numSites;
} LowerConsole;

/// sin x and cos x, made in `block`; x is null where there are none.
typedef struct LowerAngle {
  MlirValue x;
  MlirBlock block;
  MlirValue results[2];
} LowerAngle;

typedef struct Lowering {
  TileBuilder b;              ///< where the thread's program grows
  MlirOperation kernel;       ///< the tile.func
  TileAxisAnalysis *axis;     ///< of the kernel
  const TileMachine *machine; ///< what the kernel is compiled for
  bool usesAsyncProxy;   ///< wgmma or the copy engine reads what threads wrote to shared memory
  bool unfenced;         ///< barriers of the op that is lowered have no proxy fence
  bool hasDots;          ///< in the kernel
  bool consumes;         ///< in the consumers' part of a tile_gpu.warp_specialize
  int numWarps;          ///< that hold tiles
  int blockWarps;        ///< these, and such as copy (tile_gpu.block_warps)
  bool handsRegistersOn; ///< from warps that copy to those that hold tiles (Roles.c)
  int cluster;           ///< blocks of a cluster (tile_gpu.cluster)
  int splits;            ///< blocks of no cluster that split a program (tile_gpu.splits)
  int teams;             ///< of so many warps a block has (tile_gpu.teams)
  LowerHidden hidden;
  TilePointerTable values;    ///< tile value -> MlirValue of the thread
  TilePointerTable pointers;  ///< tile value -> pointers of accesses (see Pointers.c)
  TilePointerTable constants; ///< i32 -> MlirValue, its arith.constant
  MlirOperation first;        ///< of the function: constants stand before it
  TileTables *tables;         ///< of the gpu.module
  MlirValue lane, warp;       ///< i32; warp is uniform where wgmma or roles need it
  MlirValue team;             ///< i32, as uniform; null where there is one
  MlirValue shared;           ///< !llvm.ptr<3>, all dynamic shared memory of the team
  int64_t strip;              ///< registers of a tile at a time (see Strips.c); 0: all
  LowerAngle angle;           ///< of which both were asked for last
  struct {
    MlirValue tile, thread; ///< what the thread had of the tile before
  } renewed[lowerMaxRenewed];
  int numRenewed; ///< limits that stand in for others up to the end of a block (RenewMasks.c)
  struct {
    MlirOperation loop;
    bool hasDots;
  } around;              ///< the loop around the access that was asked about last
  LowerConsole *console; ///< of the module
} Lowering;

//===- values and types ---------------------------------------------------===//

/// The thread value of a tile value that has been lowered.
MlirValue lowerGet(Lowering *l, MlirValue tile);
void lowerSet(Lowering *l, MlirValue tile, MlirValue thread);
/// Are all registers of `tile`, which has been lowered, at hand? Of what nobody reads behind a run
/// of strips (Strips.c), only the last strip is.
bool lowerIsWhole(Lowering *l, MlirValue tile);
/// Forgets all of them.
void lowerFreeValues(Lowering *l);
/// What a thread holds of a value of `type`; null after an error at `loc`.
MlirType lowerType(Lowering *l, MlirLocation loc, MlirType type);
/// The same of all results of `op`, in `types` with room for them; false after an error. Before an
/// operation state is made: a state that is not used up is lost.
bool lowerResultTypes(Lowering *l, MlirOperation op, MlirType *types);
/// i64 for a pointer, i8 for an 8-bit float, itself for any other number.
MlirType lowerElementType(MlirType element);
/// Both truths, of which either may be null: nothing is asked then.
MlirValue lowerBoth(Lowering *l, MlirValue p, MlirValue q);
/// `name` of `words` and a constant.
MlirValue lowerWith(Lowering *l, const char *name, MlirValue words, int64_t constant);
/// An op without operands, results and attributes.
void lowerBare(Lowering *l, const char *name);
/// The layout of a tile type. False, with an error at `loc`, where it has none.
bool lowerLayoutOf(MlirLocation loc, MlirType tile, TileLayout *layout);
static inline int lowerNumRegisters(const TileLayout *layout) {
  return 1 << layout->inBits[TILE_REGISTER];
}

//===- positions ----------------------------------------------------------===//

/// The part of output dimension `dim` of a position map (a layout whose inputs are register, lane,
/// warp) that depends on lane and warp, as i32; 0 when none does.
MlirValue lowerThreadPart(Lowering *l, const TileLayout *map, int dim);
/// The rest of it: what register `reg` adds by xor. A number known now.
int64_t lowerRegisterPart(const TileLayout *map, int reg, int dim);
/// Are the bits that registers reach disjoint from those that lanes and warps reach? Then xor is +.
bool lowerPartsAreDisjoint(const TileLayout *map, int dim);
/// `thread` xor `part`, as an addition where they are disjoint.
MlirValue lowerCombineParts(Lowering *l, const TileLayout *map, int dim, MlirValue thread,
                            int64_t part);
/// The bits of a position along each dimension that may change without changing the element, as
/// axis analysis knows; false where there are none.
typedef struct {
  int64_t bits[TILE_MAX_RANK];
} LowerSame;
bool lowerFindSame(const Lowering *l, MlirValue tile, LowerSame *same);
/// The first register, in steps of `step`, of the same element as register `reg`.
int lowerFirstSame(const TileLayout *layout, const LowerSame *same, int reg, int step);
/// `thread`, what a thread holds of `tile`, with each element that is known to repeat taken from
/// its first register: of the others nothing need be computed.
MlirValue lowerOnce(Lowering *l, MlirValue tile, MlirValue thread);
/// i1: does this thread hold the first copy of what lanes and warps hold more than once? Null when
/// nothing is held twice. Free register bits are the caller's: see tileLayoutFreeBits.
MlirValue lowerIsFirstCopy(Lowering *l, const TileLayout *layout);
/// i1: is this the one thread that does what a block does once, as to store a number?
MlirValue lowerIsThreadZero(Lowering *l);

//===- emission -----------------------------------------------------------===//

MlirValue lowerI32(Lowering *l, int64_t value);
/// Element i of a vector; the vector of given elements.
MlirValue lowerExtract(Lowering *l, MlirValue vector, int64_t i);
MlirValue lowerFromElements(Lowering *l, MlirType element, int64_t n, const MlirValue *elements);
/// Elements `indices` of a vector, as vector<n>: one vector.shuffle.
MlirValue lowerPermute(Lowering *l, MlirValue vector, int64_t n, const int64_t *indices);
/// Elements offset .. offset + n - 1; and a vector with those replaced by `slice`.
MlirValue lowerExtractSlice(Lowering *l, MlirValue vector, int64_t offset, int64_t n);
MlirValue lowerInsertSlice(Lowering *l, MlirValue slice, MlirValue vector, int64_t offset);
/// Room for slices of a vector. It is the caller's until lowerJoinSlices.
MlirValue *lowerNewSlices(int64_t count);
/// The slices, a power of two of them and each as long as the others, behind one another; frees
/// them. They are joined two by two: of a chain of inserts LLVM asks again at each what all before
/// it may be, of 32 bytes a fifth of all its work.
MlirValue lowerJoinSlices(Lowering *l, int64_t count, MlirValue *slices);
/// A reinterpretation of the same bits.
MlirValue lowerBitcast(Lowering *l, MlirValue value, MlirType type);
/// Member i, of type `type`, of an llvm struct.
MlirValue lowerStructElement(Lowering *l, MlirValue structure, MlirType type, int64_t i);
/// !llvm.ptr<3> at `bytes` (i32) into shared memory.
MlirValue lowerSharedPointer(Lowering *l, MlirValue bytes);
/// `pointer` plus `bytes` (i32), or plus a number, which folds into the instruction that uses it.
MlirValue lowerOffset(Lowering *l, MlirValue pointer, MlirValue bytes);
MlirValue lowerConstantOffset(Lowering *l, MlirValue pointer, int64_t bytes);
/// llvm.inline_asm with side effects. `type` null: no result.
MlirOperation lowerInlineAsm(Lowering *l, const char *text, const char *constraints, MlirType type,
                             intptr_t numOperands, const MlirValue *operands);
/// A branch that no program takes: ptxas moves no computation across it, from loads that are to
/// begin together (tile-issue-loads), and none of one strip in front of another (Strips.c). A grid
/// has a program along x at least.
void lowerStandApart(Lowering *l);
/// Behind the branch of a load, of accesses of `vector` elements: computes masks of stores again
/// that do not fit predicates (RenewMasks.c).
void lowerRenewMasks(Lowering *l, MlirOperation load, int vector);
/// At a block's end: limits from outside that were renewed in it, all but the first `count`, are
/// what they were.
void lowerForgetRenewed(Lowering *l, int count);
/// i32: a special register of PTX ("ctaid", "nctaid", "tid") along x, y or z (0, 1, 2).
MlirValue lowerSpecialRegister(Lowering *l, const char *which, int axis);
/// Opens scf.if: ops go into its body until lowerEndIf, which is given what this returns.
TileBuilder lowerBeginIf(Lowering *l, MlirValue condition);
void lowerEndIf(Lowering *l, TileBuilder outside);
/// The byte offset that tile-allocate-shared gave the op (its buffer or scratch).
int64_t lowerSharedOffset(MlirOperation op);

//===- ops ----------------------------------------------------------------===//

typedef MlirLogicalResult (*LowerFn)(Lowering *, MlirOperation);
#define TILE_LOWERING(name, function) MlirLogicalResult lower##function(Lowering *, MlirOperation);
#include "Lowerings.def"

// Dispatch.c
/// The lowering of an op; null where there is none.
LowerFn lowerFind(MlirOperation op);
/// Lowers the ops of `from` in order, at l->b.
MlirLogicalResult lowerBlock(Lowering *l, MlirBlock from);

//===- what op families share ---------------------------------------------===//

// Parameters.c
/// Finds what hidden parameters the kernel needs, before its function is made.
MlirLogicalResult lowerPlanHidden(Lowering *l);
/// Adds the hidden parameters to the function's entry block.
void lowerAddHidden(Lowering *l, MlirBlock entry);
/// Puts attributes of the hidden parameters, and what a launch must know of them, on the function.
void lowerMarkHidden(Lowering *l, MlirOperation func);
/// Prefetches every tensor map, each once, when lane and warp are known.
void lowerPrefetchHidden(Lowering *l);

// Constant.c
/// A number of type `element` as an attribute of the type a thread has for it.
MlirAttribute lowerScalarAttr(MlirAttribute value, MlirType element);

// InlinePtx.c
/// tile.inline_ptx on what its operands are lowered to; `type` is what its result has, a thread's
/// or that of elements which a region combines. False after an error.
bool lowerInlinePtxAs(Lowering *l, MlirOperation op, MlirType type);

// Elementwise.c
/// The op once more, with its attributes, on other operands and with a result of `type`.
MlirValue lowerRepeat(Lowering *l, MlirOperation op, const MlirValue *operands, MlirType type);
/// Arithmetic of arith, on thread values.
MlirLogicalResult lowerElementwise(Lowering *l, MlirOperation op);

// Float8.c
/// Arithmetic with 8-bit floats among its operands or results.
MlirLogicalResult lowerFloat8(Lowering *l, MlirOperation op);
bool lowerInvolvesFloat8(MlirOperation op);
/// The four 8-bit floats `f8` of `word` (i32) as two vectors of f16: of the lower two, and the
/// upper.
void lowerExtendWord(Lowering *l, MlirType f8, MlirValue word, MlirValue halves[2]);
/// The same op, neither arith.select nor arith.bitcast, on given thread values (scalars or
/// vectors). Null after an error.
MlirValue lowerFloat8Of(Lowering *l, MlirOperation op, const MlirValue *operands);
/// The 8 bits of a number that the type can represent.
int64_t lowerFloat8Code(MlirType f8, double value);

// MathLowering.c
/// Functions that have no instruction of their own.
MlirLogicalResult lowerMath(Lowering *l, MlirOperation op);

// Strips.c
/// Lowers the element-wise ops from `op` on, up to `*last`, a strip of registers at a time; `*last`
/// is null, and nothing done, where there is nothing to gain.
MlirLogicalResult lowerStrips(Lowering *l, MlirOperation op, MlirOperation *last);

// Barriers.c
/// Named barriers: 0 is the whole block's, 1 the consumers', 2 to 5 those of warp groups, 6 and up
/// those by which a group gets its turn, 10 and 11 those of two producers. Of several teams each
/// has one of its own for all its threads, one for its consumers, and two for each warp group,
/// behind one another from 1 on (Barriers.c).
enum {
  lowerConsumersBarrier = 1,
  lowerGroupsBarriers = 2,
  lowerTurnsBarriers = 6,
  lowerProducersBarriers = 10
};
/// Waits at a barrier for so many threads.
void lowerNamedBarrier(Lowering *l, MlirValue number, int64_t threads);
/// The barrier of all threads that hold tiles, with a proxy fence where the kernel needs one.
void lowerBarrier(Lowering *l);
/// The same, where the async proxy has nothing to see.
void lowerUnfencedBarrier(Lowering *l);
/// Warps of a group meet; nothing is ordered for the copy engine.
void lowerUnfencedGroupBarrier(Lowering *l);
/// Makes what this thread wrote to shared memory visible to wgmma and the copy engine.
void lowerProxyFence(Lowering *l);
/// The number of a barrier: of warp group `group`, or of its turn, null for one of all consumers,
/// in this team.
MlirValue lowerBarrierNumber(Lowering *l, int first, MlirValue group);
/// tile_gpu.add_parts of the teams of a block (AddTeams.c).
MlirLogicalResult lowerAddTeams(Lowering *l, MlirOperation op);
/// Bytes of shared memory of a team.
int64_t lowerTeamBytes(const Lowering *l);
/// All threads that hold tiles meet, of all teams.
void lowerTeamsBarrier(Lowering *l);
/// The number of this warp's group: warp >> 2.
MlirValue lowerGroup(Lowering *l);
/// Are there warps that copy, and may they hand registers on? Asked once, for l->handsRegistersOn.
bool lowerMayHandRegistersOn(const Lowering *l);

// Memory/Pointers.c
/// Where register r of `tile`, pointers of `access`, points, as i64 or !llvm.ptr<1>; of a scalar r
/// is 0.
MlirValue lowerPointerAt(Lowering *l, MlirOperation access, MlirValue tile, int r);
/// May registers of the access share pointers, as beside dots? One answer for all of them.
bool lowerSharesPointers(Lowering *l, MlirOperation access);

/// Register r of a mask, computed here: a vector of 64 truths in front of as many accesses is
/// packed into words and taken apart again, for there are seven predicates. What takes many ops is
/// made once.
MlirValue lowerTruthAt(Lowering *l, MlirValue tile, int r);
/// The same of a tile of `layout` whose registers may share them: a pointer, and the bytes that the
/// access adds to it.
MlirValue lowerPointerFrom(Lowering *l, MlirOperation access, MlirValue tile,
                           const TileLayout *layout, int r, int64_t *bytes);
/// Does a thread copy rows enough of which the launch alone knows how far they lie apart? One
/// answer for all registers of a copy that may share pointers.
bool lowerAddsPointersUp(const Lowering *l, MlirOperation copy, const TileLayout *layout);
/// The same of a copy: where pointers are added up of others, `made` has those of this copy, a
/// register each, all null at first; else `made` is null.
MlirValue lowerCopyPointer(Lowering *l, MlirOperation copy, const TileLayout *layout, int r,
                           MlirValue made[], int64_t *bytes);
void lowerFreePointers(Lowering *l);

// Memory/Pack.c
/// The kernel that packs, at the end of `module`.
void lowerPackKernel(MlirBlock module, MlirLocation loc);

// Memory/PrintAssert.c
/// The globals of the module's prints and asserts, if it has any. Frees what `console` holds.
void lowerConsoleEnd(LowerConsole *console, MlirBlock module, MlirLocation loc);

// Memory/Boxes.c
/// One thread brings tensor maps near, so that the first copies need not wait for them.
void lowerPrefetchMaps(Lowering *l, int numMaps, const MlirValue *maps);

// Memory/Shared.c
/// Byte addresses that a thread uses in a buffer: address(register) = start ^ part, on top of the
/// buffer's own offset.
typedef struct {
  TileLayout map; ///< position -> offset in elements, its output `dim`
  int dim;
  int bytes;        ///< of an element
  int64_t mixed;    ///< the bits of the bytes that `start` may have
  MlirValue start;  ///< i32: the thread's part in bytes
  MlirValue buffer; ///< i32: the buffer's offset
} LowerAddress;
LowerAddress lowerBufferAddress(Lowering *l, MlirValue buffer, const TileLayout *map, int bytes);
/// The pointer at which register `reg` is found, `extra` (bytes, xored into the start) aside.
MlirValue lowerBufferPointer(Lowering *l, const LowerAddress *a, int reg, MlirValue extra);
/// The same in two parts: a pointer that many registers share, and the bytes to be added to it.
MlirValue lowerBufferBase(Lowering *l, const LowerAddress *a, int reg, int64_t *added);
/// Fragments of 16-bit elements in a buffer, as ldmatrix and stmatrix move them.
typedef struct {
  TileLdmatrix plan;
  LowerAddress address;
  MlirValue turns[2]; // of bytes: which go to the words a, and to b (TileLdmatrix)
} LowerMatrices;
LowerMatrices lowerMatrices(Lowering *l, MlirValue buffer, const TileLdmatrix *plan, int bytes);
/// nvvm.ldmatrix of the thread's 32-bit word `word`, and the others of its group, into `words`,
/// which has all of them. The layout's registers before the first word are `first`.
void lowerLoadMatrices(Lowering *l, const LowerMatrices *m, int first, int word, MlirValue words[]);

// Memory/LaneBytes.c
/// i8: this lane's byte of a word that four lanes have.
MlirValue lowerLaneByte(Lowering *l, MlirValue word);
/// Of a byte that lowerLaneByte made: the word, and the i32 by which prmt puts it into the lowest
/// bits and 16 above them, and other bytes, of its second operand, beside it. False of any other.
bool lowerFindLaneByte(MlirValue byte, MlirValue *word, MlirValue *selector);

// Memory/Ragged.c
/// A row of a ragged buffer, as a thread reads it.
typedef struct {
  int64_t part;    ///< of its number, what registers add to the thread's
  MlirValue place; ///< i32: where it begins in its first chunk
  MlirValue start; ///< i32: the thread's part of the address, and the place
  MlirValue words; ///< i32: that down to whole words, once it is wanted
  MlirValue shift; ///< i32: bits, modulo 32, by which the row lies behind words
} LowerRaggedRow;
/// Where a thread finds in a ragged buffer what registers of `layout` hold.
typedef struct {
  TileLayout layout;
  MlirValue buffer;
  MlirType element;
  int row, column, bytes; ///< dimensions, and of an element
  int64_t pitch, places;  ///< bytes from row to row, and to where the rows' places stand
  MlirValue start, place; ///< i32: the thread's parts of addresses of elements, and of places
  LowerRaggedRow *rows;   ///< those that have been asked for
  int numRows;
} LowerRagged;
/// False after an error at `op`; else the caller frees it.
bool lowerRagged(Lowering *l, MlirOperation op, MlirValue buffer, const TileLayout *layout,
                 LowerRagged *ragged);
void lowerRaggedFree(LowerRagged *ragged);
/// Registers `reg` on, `count` of them, as i32.
MlirValue lowerRaggedWord(Lowering *l, LowerRagged *ragged, int reg, int count);
/// tile_gpu.buffer_load of a part, registers `first` on of `layout`, which runs through all parts.
MlirLogicalResult lowerRaggedLoad(Lowering *l, MlirOperation op, const TileLayout *layout,
                                  int first, int registers);
/// tile_gpu.async_copy by the threads that `copies` (i1; null: all) says.
MlirLogicalResult lowerRaggedCopy(Lowering *l, MlirOperation op, const TileLayout *layout,
                                  MlirValue copies);

// Dot.c, and Mma.c and Wgmma.c for the instructions of those names
MlirLogicalResult lowerMma(Lowering *l, MlirOperation op, const TileLayout *acc);
/// The extents of a dot's operand, a tile or a buffer.
void lowerDotShape(MlirValue operand, int64_t shape[TILE_MAX_RANK]);
MlirLogicalResult lowerWgmma(Lowering *l, MlirOperation op, const TileLayout *acc);
/// A dot that multiplies a part of its registers where they are read (tile-add-parts, Strips.c).
typedef struct LowerParts LowerParts;
/// Registers of a part; 0: the dot is no such one.
int64_t lowerPartOf(MlirOperation op);
/// Makes operands ready; NULL after an error. The caller frees it.
LowerParts *lowerBeginParts(Lowering *l, MlirOperation op);
/// Multiplies the next part, from the first one on, and waits for it.
MlirValue lowerNextPart(Lowering *l, LowerParts *parts);

#endif
