//===- IR.h - reading and building MLIR from C, tersely ---------*- C -*-===//
//
// What every pass needs of the MLIR C API, in one line a use. A TileBuilder
// holds a context, a location and an insertion point; ops are made by name:
//
//   // %s = arith.addi %a, %b : i32
//   MlirValue s = tileBuildBinary(&b, "arith.addi", x, y);
//
// One builder call a statement: compilers evaluate arguments in different orders.
// Handles are passed by value and borrowed; what is built belongs to its block.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_IR_H
#define TILE_IR_H

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "tile/Machine.h"
#include "tile/OpTraits.h"
#include "tile/Ops.h"
#include "tile/Tile.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns failure from the enclosing function where `expr` is a failure.
#define TILE_TRY(expr)                                                                             \
  do {                                                                                             \
    if (mlirLogicalResultIsFailure(expr)) return mlirLogicalResultFailure();                       \
  } while (0)

//===- reading ------------------------------------------------------------===//

static inline MlirStringRef tileString(const char *text) {
  return mlirStringRefCreateFromCString(text);
}
static inline bool tileStringIs(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, tileString(b));
}
/// The op's name, as "arith.addi"; borrowed.
static inline MlirStringRef tileOpName(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op));
}
static inline bool tileOpIs(MlirOperation op, const char *name) {
  return tileStringIs(tileOpName(op), name);
}
/// Is it one of `names`, which NULL ends?
bool tileOpIsOneOf(MlirOperation op, const char *const *names);
/// Is it a quotient of integers that is rounded towards 0, arith.divsi or divui?
bool tileOpIsQuotient(MlirOperation op);
/// Is it what such a quotient leaves, arith.remsi or remui?
bool tileOpIsRemainder(MlirOperation op);
/// Is it one of these, or a quotient that is rounded down or up? Operand 1 may not be 0.
bool tileOpDividesIntegers(MlirOperation op);
/// Is it arithmetic modulo 2^n, whose result wants no more of its operands: arith.addi, subi, muli,
/// shli or trunci? These may wrap, and say tile.wraps where that is meant.
bool tileOpIsModular(MlirOperation op);
/// Does it make integers of floats, arith.fptosi or fptoui?
bool tileOpIsToInteger(MlirOperation op);
/// Is the op of `dialect`, as "arith"?
bool tileOpIsOfDialect(MlirOperation op, const char *dialect);

/// The op that defines `value`, null for a block argument.
MlirOperation tileValueGetOp(MlirValue value);
/// The op that made what `value` holds, before changes of shape (transpositions, reshapes); null
/// for a block argument.
MlirOperation tileValueGetSource(MlirValue value);
static inline MlirValue tileResult(MlirOperation op) { return mlirOperationGetResult(op, 0); }
static inline MlirValue tileOperand(MlirOperation op, intptr_t i) {
  return mlirOperationGetOperand(op, i);
}
/// Operands of an scf.for; what the loop carries begins as those from TILE_FOR_INITS on.
enum { TILE_FOR_LOWER, TILE_FOR_UPPER, TILE_FOR_STEP, TILE_FOR_INITS };
static inline MlirValue tileForGetLower(MlirOperation loop) {
  return tileOperand(loop, TILE_FOR_LOWER);
}
static inline MlirValue tileForGetUpper(MlirOperation loop) {
  return tileOperand(loop, TILE_FOR_UPPER);
}
static inline MlirValue tileForGetStep(MlirOperation loop) {
  return tileOperand(loop, TILE_FOR_STEP);
}
/// What value `i` that the loop carries begins as.
static inline MlirValue tileForGetInit(MlirOperation loop, intptr_t i) {
  return tileOperand(loop, TILE_FOR_INITS + i);
}
/// The one block of an op's region `i`.
static inline MlirBlock tileBody(MlirOperation op, intptr_t i) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
}
/// The inherent or discardable attribute `name`; null when absent.
static inline MlirAttribute tileAttr(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, tileString(name));
}
/// The integer attribute `name`, or `otherwise`.
int64_t tileIntAttr(MlirOperation op, const char *name, int64_t otherwise);
/// Warps that a program has where its kernel says nothing.
enum { TILE_USUAL_WARPS = 4 };
/// Warps of a program of the kernel that `op` is or stands in (`tile.num_warps`).
int tileNumWarpsOf(MlirOperation op);
/// And its threads.
int tileNumThreadsOf(MlirOperation op);
/// `tile.extents` of an access or dot of a tile of `rank`: what lies beyond is padding, which
/// nobody looks at (tile-pad-extents). False, and `extents` as they were, where it says nothing.
bool tileOpGetExtents(MlirOperation op, int rank, int64_t extents[TILE_MAX_RANK]);

/// The machine that `op` is compiled for: `tile.target` of the nearest op around it that has one
/// (its module's, set by tile-set-target), sm_90a where none has.
const TileMachine *tileMachineOf(MlirOperation op);
/// The machine of this name, or NULL.
const TileMachine *tileMachineFindChip(MlirStringRef name);
/// #nvvm.target<chip = ..>, for `tile.target`. Needs the NVVM dialect.
MlirAttribute tileTargetAttr(MlirContext context, const TileMachine *machine);

/// Is it a dot that wgmma computes?
bool tileOpIsWgmma(MlirOperation op);
/// Does it give another view of a buffer, a slot of a ring or the same turned, and touch nothing?
bool tileOpIsBufferView(MlirOperation op);
/// The op that a buffer comes from, through views of it; null for a block's argument.
MlirOperation tileBufferGetSource(MlirValue buffer);
/// The tile_gpu.alloc_shared whose result `buffer` is; null where it is anything else's.
MlirOperation tileBufferGetAlloc(MlirValue buffer);
/// Does an operand of the dot lie in the buffer, some slot or view of it, that `store` writes?
bool tileDotReadsStored(MlirOperation dot, MlirOperation store);

/// Does the use feed a dot, as its A or B?
static inline bool tileUseFeedsDot(MlirOpOperand use) {
  return tileOpIsADot(mlirOpOperandGetOwner(use)) && mlirOpOperandGetOperandNumber(use) < 2;
}

/// The one use of `value`; null when there are none or several.
MlirOpOperand tileOnlyUse(MlirValue value);

/// The least power of two that is not below `extent`: what tile-pad-extents makes of it.
int64_t tilePadExtent(int64_t extent);

/// Where a tile.slice begins along dimension `d`; -1 where that is arithmetic on names still.
int64_t tileSliceOffset(MlirOperation slice, int d);

/// Is there a tile.barrier below the op?
bool tileHoldsBarrier(MlirOperation op);
/// Is it a dot, or is there one below it?
bool tileHoldsDot(MlirOperation op);

/// The block that a value is made in, as an op's result or an argument.
MlirBlock tileValueGetBlock(MlirValue value);
/// The op of `block` that holds `op`, at any depth, or `op` itself; null where there is none.
MlirOperation tileAncestorIn(MlirBlock block, MlirOperation op);
/// Is `inner` the same op as `outer`, or in it, at any depth?
bool tileOpHolds(MlirOperation outer, MlirOperation inner);
/// Is it a loop, scf.for or scf.while?
bool tileOpIsLoop(MlirOperation op);
/// The innermost loop of its kernel around `op`; null where there is none.
MlirOperation tileLoopAround(MlirOperation op);
/// The innermost scf.for of these.
MlirOperation tileForAround(MlirOperation op);
/// The function that `op` is in, or `op` itself; there has to be one.
MlirOperation tileFuncOf(MlirOperation op);
/// Is `inner` the same block as `outer`, or in an op of it, at any depth?
bool tileBlockHolds(MlirBlock outer, MlirBlock inner);

/// Is `value` made outside of the body of `loop`, and the same in all of its steps?
static inline bool tileIsOutside(MlirValue value, MlirOperation loop) {
  return !tileBlockHolds(tileBody(loop, 0), tileValueGetBlock(value));
}

/// Iterates over the ops of a block; `next` is taken first, so the body may erase `op`.
// NOLINTBEGIN(bugprone-macro-parentheses): `op` is a name to declare
#define TILE_FOR_EACH_OP(op, block)                                                                \
  for (MlirOperation op = mlirBlockGetFirstOperation(block), op##Next = tileNextOrNull(op);        \
       !mlirOperationIsNull(op); op = op##Next, op##Next = tileNextOrNull(op))
// NOLINTEND(bugprone-macro-parentheses)
MlirOperation tileNextOrNull(MlirOperation op);

//===- types --------------------------------------------------------------===//

/// Is it a ranked tensor (a tile)?
static inline bool tileTypeIsTile(MlirType type) { return mlirTypeIsARankedTensor(type); }
/// A tile's element type, or the type itself.
MlirType tileElementType(MlirType type);
/// Rank and extents of a tile; rank 0 for any other type. `shape` has room for TILE_MAX_RANK; a `?`
/// extent is -1. Returns -1 where the rank is above TILE_MAX_RANK.
int tileShape(MlirType type, int64_t shape[TILE_MAX_RANK]);
int64_t tileNumElements(MlirType type);
/// The tile `type` with another element type or encoding; a plain type gives `element`.
MlirType tileWithElement(MlirType type, MlirType element);
MlirType tileWithEncoding(MlirType type, MlirAttribute encoding);
/// The layout of a tile type; false for another type, and where it has none that fits.
bool tileTypeGetLayout(MlirType type, TileLayout *layout);
/// 32-bit registers of a thread that hold a value: of a tile by its layout (INT64_MAX where it has
/// none), of a buffer its address, of anything else its bits.
int64_t tileTypeGetWords(MlirType type);
/// Bits of a number; 64 for a pointer or index.
int tileBitWidth(MlirType element);
/// Bytes of an element in memory: 1 for i1, 8 for a pointer.
static inline int tileElementBytes(MlirType element) { return (tileBitWidth(element) + 7) / 8; }
/// The !tile_gpu.buffer type with so many stages.
MlirType tileBufferWithStages(MlirType buffer, int stages);
/// The type of the same bytes with both dimensions the other way round; null for other ranks
/// than 2.
MlirType tileBufferTurned(MlirType buffer);
/// Bytes from one row of a ragged buffer to the next. An odd number of chunks for rows of 32 bytes
/// and more: neighbours lie in other banks.
int64_t tileBufferPitch(MlirType buffer);
/// Bytes of a !tile_gpu.buffer, all its stages together; i1 takes one byte.
int64_t tileBufferBytes(MlirType buffer);
bool tileTypeIsFloat(MlirType type);
/// The bits of the largest number of a float type that is no NaN: infinity where there is one.
int64_t tileFloatGetLargest(MlirType element);

MlirType tileI1(MlirContext context);
MlirType tileI8(MlirContext context);
MlirType tileI16(MlirContext context);
MlirType tileI32(MlirContext context);
MlirType tileI64(MlirContext context);
MlirType tileF32(MlirContext context);
/// vector<n x element>.
MlirType tileVectorType(int64_t n, MlirType element);

//===- building -----------------------------------------------------------===//

typedef struct {
  MlirContext context;
  MlirLocation location;
  MlirBlock block;
  MlirOperation before; ///< insert before this op; null: at the end of `block`
} TileBuilder;

/// At `op`'s place and location, before it.
TileBuilder tileBuilderBefore(MlirOperation op);
/// At its location, behind it.
TileBuilder tileBuilderAfter(MlirOperation op);
/// In front of the first op of `block`, which has one, at its location.
TileBuilder tileBuilderAtStart(MlirBlock block);
/// Where what follows from `value` alone is there for all who use it: behind its op, or at the
/// start of its block.
TileBuilder tileBuilderBehind(MlirValue value);
/// At the end of `block`.
TileBuilder tileBuilderAtEnd(MlirBlock block, MlirLocation location);

/// An attribute to be given by name.
typedef struct {
  const char *name;
  MlirAttribute attr;
} TileNamedAttr;

#define TILE_COUNT(type, ...) ((intptr_t)(sizeof((type[]){__VA_ARGS__}) / sizeof(type)))
/// `TILE_VALUES(a, b)` stands for a count and an array.
#define TILE_VALUES(...)                                                                           \
  TILE_COUNT(MlirValue, __VA_ARGS__), (MlirValue[]) { __VA_ARGS__ }
#define TILE_TYPES(...)                                                                            \
  TILE_COUNT(MlirType, __VA_ARGS__), (MlirType[]) { __VA_ARGS__ }
#define TILE_ATTRS(...)                                                                            \
  TILE_COUNT(TileNamedAttr, __VA_ARGS__), (TileNamedAttr[]) { __VA_ARGS__ }
#define TILE_NONE 0, NULL

/// The general form. `regions` empty regions are appended. The op is inserted and returned.
MlirOperation tileBuildOp(TileBuilder *b, const char *name, intptr_t numOperands,
                          const MlirValue *operands, intptr_t numTypes, const MlirType *types,
                          intptr_t numAttrs, const TileNamedAttr *attrs, intptr_t numRegions);
/// An op of `op`'s name, location and attributes over other operands and with other types; no
/// regions.
MlirOperation tileBuildLike(TileBuilder *b, MlirOperation op, intptr_t numOperands,
                            const MlirValue *operands, const MlirType *types);
/// An op called `name` with the regions of `op`, which loses them; all else is given.
MlirOperation tileBuildTaking(TileBuilder *b, const char *name, MlirOperation op,
                              intptr_t numOperands, const MlirValue *operands, intptr_t numTypes,
                              const MlirType *types, intptr_t numAttrs, const TileNamedAttr *attrs);
/// One result, no attributes.
MlirValue tileBuild(TileBuilder *b, const char *name, MlirType type, intptr_t numOperands,
                    const MlirValue *operands);
/// Operands and result of one type.
MlirValue tileBuildBinary(TileBuilder *b, const char *name, MlirValue lhs, MlirValue rhs);
/// The same of `x` and a constant.
MlirValue tileBuildWithInt(TileBuilder *b, const char *name, MlirValue x, int64_t constant);
MlirValue tileBuildUnary(TileBuilder *b, const char *name, MlirType type, MlirValue operand);
/// arith.constant of an integer or float type, a splat for a tensor or vector of them.
MlirValue tileBuildInt(TileBuilder *b, MlirType type, int64_t value);
MlirValue tileBuildFloat(TileBuilder *b, MlirType type, double value);
/// Zero of any number type, or a pointer to nothing; scalar or splat.
MlirValue tileBuildZero(TileBuilder *b, MlirType type);
/// arith.constant of a given attribute.
MlirValue tileBuildConstant(TileBuilder *b, MlirAttribute value);

/// arith.cmpi predicates, as MLIR numbers them.
enum {
  TILE_EQ,
  TILE_NE,
  TILE_SLT,
  TILE_SLE,
  TILE_SGT,
  TILE_SGE,
  TILE_ULT,
  TILE_ULE,
  TILE_UGT,
  TILE_UGE
};
MlirValue tileBuildCmpi(TileBuilder *b, int predicate, MlirValue lhs, MlirValue rhs);
/// arith.cmpf predicates, as MLIR numbers them: ordered ones are false of NaN.
enum {
  TILE_CMPF_FALSE,
  TILE_CMPF_OEQ,
  TILE_CMPF_OGT,
  TILE_CMPF_OGE,
  TILE_CMPF_OLT,
  TILE_CMPF_OLE,
  TILE_CMPF_ONE,
  TILE_CMPF_ORD,
  TILE_CMPF_UEQ,
  TILE_CMPF_UGT,
  TILE_CMPF_UGE,
  TILE_CMPF_ULT,
  TILE_CMPF_ULE,
  TILE_CMPF_UNE,
  TILE_CMPF_UNO,
  TILE_CMPF_TRUE
};
MlirValue tileBuildCmpf(TileBuilder *b, int predicate, MlirValue lhs, MlirValue rhs);
MlirValue tileBuildSelect(TileBuilder *b, MlirValue condition, MlirValue yes, MlirValue no);

/// One block of a ring of shared buffers: tile_gpu.buffer_stage %ring[%stage].
MlirValue tileBuildSlot(TileBuilder *b, MlirValue ring, MlirValue stage);
/// The number of the block behind `stage` (i32) in a ring of `stages`: 0 behind the last. `wraps`
/// (i1): is it that? May be NULL.
MlirValue tileBuildNextStage(TileBuilder *b, MlirValue stage, int stages, MlirValue *wraps);

/// tile_gpu.dot_wait %sum pending n (`tied`): `sum` when at most `pending` groups of dots in flight
/// are unfinished. Its readers are the caller's to replace.
MlirValue tileBuildDotWait(TileBuilder *b, MlirValue sum, int pending, bool tied);

/// scf.for over operands lower, upper, step and what the loop carries; its body has its arguments
/// (the counter first) and no ops yet.
MlirOperation tileBuildFor(TileBuilder *b, intptr_t numOperands, const MlirValue *operands);
/// scf.if whose first branch, or both with `hasElse`, has an empty block: tileBody(op, 0 or 1).
MlirOperation tileBuildIf(TileBuilder *b, MlirValue condition, intptr_t numTypes,
                          const MlirType *types, bool hasElse);

/// Moves ops of one block, from `first` to the one in front of `end` (null: to the block's last),
/// to where `b` builds, in their order; but for those that `stays` holds of. NULL: none stays.
void tileMoveOps(const TileBuilder *b, MlirOperation first, MlirOperation end,
                 bool (*stays)(MlirOperation));

/// Makes an scf.for carry `more` values, at the end, which begin as `inits`: a new op over the same
/// body; the old one is destroyed. The yield is the caller's to extend.
MlirOperation tileExtendFor(MlirOperation loop, intptr_t more, const MlirValue *inits);
/// Yields more values from a loop's body.
void tileExtendYield(MlirBlock body, intptr_t more, const MlirValue *values);

/// `value` itself, or a splat of it where `type` is shaped.
MlirAttribute tileSplatAttr(MlirType type, MlirAttribute value);
MlirAttribute tileStringAttr(MlirContext context, const char *text);
/// `text` parsed as an attribute; null on error, which MLIR reports.
static inline MlirAttribute tileParseAttr(MlirContext context, const char *text) {
  return mlirAttributeParseGet(context, tileString(text));
}

/// Gives `to` all attributes of `from`, an op of the same name.
void tileCopyAttributes(MlirOperation from, MlirOperation to);
/// Replaces the results of `op` by `values` and erases it.
void tileReplaceOp(MlirOperation op, intptr_t numValues, const MlirValue *values);

//===- values that are known ----------------------------------------------===//

/// The integer a constant holds (or a splat of it); false for anything else.
bool tileConstantInt(MlirValue value, int64_t *result);
/// The same of a float.
bool tileConstantFloat(MlirValue value, double *result);
/// Is it a constant 0 or -0, or a tile of it?
bool tileIsZero(MlirValue value);

//===- ops that pass a test -----------------------------------------------===//

/// A question about an op; `data` is what else it wants to know.
typedef bool (*TileOpTest)(MlirOperation op, void *data);

/// The first of `root` and the ops inside that passes `test`, in the order they are printed in;
/// null where none does.
MlirOperation tileFindOp(MlirOperation root, TileOpTest test, void *data);
/// Is there one?
bool tileHoldsOp(MlirOperation root, TileOpTest test, void *data);

/// Ops that a walk found, for what changes or destroys ops: a walk would meet what it has made.
/// `{0}` has none.
typedef struct TileOpList {
  MlirOperation *ops;
  size_t count, capacity;
} TileOpList;

void tileOpListAdd(TileOpList *list, MlirOperation op);
bool tileOpListHolds(const TileOpList *list, MlirOperation op);
/// Adds `root` and those inside that pass `test`, called with `data`; all where it is NULL.
void tileOpListCollect(TileOpList *list, MlirOperation root, MlirWalkOrder order, TileOpTest test,
                       void *data);
/// Frees the list, which has none then.
void tileOpListDestroy(TileOpList *list);

#ifdef __cplusplus
}
#endif
#endif
