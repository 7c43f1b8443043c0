//===- Atomic.c - atomic read-modify-write through pointers ---------------===//
//
// Before:  %old = tile.atomic_rmw fadd relaxed gpu %p, %v, %mask : tensor<8x!tile.ptr<f32>, L>
// After:   @%on atom.global.gpu.relaxed.add.f32 %old, [%p], %v;   for each register
//
// An element is updated once, by the thread that holds its first copy; a masked-out
// lane keeps 0. Where the result is used, the other copies get it by a shuffle, or
// through scratch when they are in other warps. Release orders after what the whole
// program did before, acquire before what it does next: a barrier of the block on
// that side, but where no thread touched memory since the one before.
//
// Where the result is not used, nothing can tell what an acquire saw, and acquire and release is
// release then, as nobody need have written it: Triton's atomics are that where their author says
// nothing. Acquire alone is what the author wants, and stays. A thread of several elements releases
// for all of them by one fence. Sums of floats, minima and maxima of f16 and bf16, that lie side by
// side in memory and acquire nothing go in one instruction of up to 16 bytes then, from sm_90 on:
//
//   @%on red.relaxed.gpu.global.add.v4.f32 [%p], {%a, %b, %c, %d};
//
// Who adds nothing, as programs do that poll what another one has published, reads: a load of that
// order, of which many may wait for the line that the other one writes.
//
//===----------------------------------------------------------------------===//
#include "../Exchange/Exchange.h"
#include "tile/Analysis/Scratch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// One atomic op as the thread sees it; a scalar is a vector of one register.
typedef struct {
  MlirOperation op;
  MlirLocation loc;
  MlirValue result;
  MlirType element; ///< of the thread
  MlirType word;    ///< the integer of its size, as which it travels
  int bits;
  bool scalar;
  TileLayout layout;
  int registers;
  MlirValue pointers, mask; ///< thread values; mask may be null
  MlirValue operands[2];    ///< value; or expected and value
  int numOperands;
  const char *order, *scope;
  bool acquires, releases;
  bool isUsed;          ///< the result
  bool fences;          ///< in front, instead of releasing with each element
  char instruction[16]; ///< "add.f32"
  int vector;           ///< elements of an instruction; 1 where the result is used
  bool reads;           ///< it changes nothing: a load
  bool loops;           ///< without an instruction of its own: compare-and-swap until it holds
} Atomic;

static void setOrder(Atomic *a, int64_t order, int64_t scope) {
  static const char *const orders[] = {"relaxed", "acquire", "release", "acq_rel"};
  static const char *const scopes[] = {"cta", "gpu", "sys"};
  a->scope = scopes[scope];
  a->acquires = order == TILE_ORDER_ACQUIRE || (a->isUsed && order == TILE_ORDER_ACQ_REL);
  a->releases = order == TILE_ORDER_RELEASE || order == TILE_ORDER_ACQ_REL;
  a->fences = a->releases && !a->isUsed && a->registers > 1;
  a->order = orders[order];
  if (!a->isUsed && !a->acquires) a->order = a->releases && !a->fences ? "release" : "relaxed";
}

/// Has no thread but the one of a scalar atomic touched global memory since the block's last
/// barrier in front of `atomic`?
static bool isQuiet(MlirOperation atomic) {
  bool quiet = false;
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(atomic)) {
    if (mlirOperationEqual(op, atomic)) break;
    bool meets = tileOpIs(op, "gpu.barrier") || tileOpIs(op, "tile.barrier") ||
                 (tileOpIsAReduce(op) && tileOpScratchBytes(op) > 0);
    bool isAlone = tileOpIsAAtomicRmw(op) && !tileTypeIsTile(mlirValueGetType(tileResult(op)));
    bool touches = mlirOperationGetNumRegions(op) ? !tileOpIsAReduce(op) && !tileOpIsAScan(op)
                                                  : tileOpGetEffects(op) != 0;
    if (meets)
      quiet = true;
    else if (touches && !isAlone)
      quiet = false;
  }
  return quiet;
}

/// A vector of the words of `value`; one word for a scalar.
static MlirValue toWords(Lowering *l, const Atomic *a, MlirValue value) {
  if (a->scalar) value = lowerFromElements(l, mlirValueGetType(value), 1, &value);
  return lowerBitcast(l, value, tileVectorType(a->registers, a->word));
}

/// Do positions that differ in copying bits alone hold the same element?
static bool copiesAreWhole(const TileLayout *layout) {
  for (int dim = TILE_REGISTER; dim <= TILE_WARP; ++dim)
    for (int bit = 0; bit < layout->inBits[dim]; ++bit)
      if (tileLayoutFreeBits(*layout, (TileInDim)dim) >> bit & 1 && layout->bases[dim][bit])
        return false;
  return true;
}

static bool describe(Lowering *l, MlirOperation op, MlirValue ptr, Atomic *a) {
  MlirType type = mlirValueGetType(ptr);
  *a = (Atomic){.op = op,
                .loc = mlirOperationGetLocation(op),
                .result = tileResult(op),
                .isUsed = !mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(op))),
                .registers = 1,
                .vector = 1,
                .scalar = !tileTypeIsTile(type)};
  a->element = lowerElementType(tilePtrTypeGetPointee(tileElementType(type)));
  a->bits = tileBitWidth(a->element);
  a->word = mlirIntegerTypeGet(l->b.context, (unsigned)a->bits);
  if (!a->scalar) {
    if (!lowerLayoutOf(a->loc, type, &a->layout)) return false;
    a->registers = lowerNumRegisters(&a->layout);
    if (!copiesAreWhole(&a->layout)) {
      tileEmitError(a->loc, "expected copies of a tile to be whole, found a permuted copy");
      return false;
    }
  }
  a->pointers = lowerGet(l, ptr);
  if (a->scalar) a->pointers = lowerFromElements(l, tileI64(l->b.context), 1, &a->pointers);
  return true;
}

//===- which instruction --------------------------------------------------===//

typedef enum { TYPE_B, TYPE_S, TYPE_U, TYPE_F } TypeClass;

static const struct {
  TileRmwKind kind;
  const char *name;
  TypeClass type;
} kinds[] = {
    {TILE_RMW_KIND_ADD, "add", TYPE_U},  {TILE_RMW_KIND_FADD, "add", TYPE_F},
    {TILE_RMW_KIND_AND, "and", TYPE_B},  {TILE_RMW_KIND_OR, "or", TYPE_B},
    {TILE_RMW_KIND_XOR, "xor", TYPE_B},  {TILE_RMW_KIND_MAX, "max", TYPE_S},
    {TILE_RMW_KIND_MIN, "min", TYPE_S},  {TILE_RMW_KIND_UMAX, "max", TYPE_U},
    {TILE_RMW_KIND_UMIN, "min", TYPE_U}, {TILE_RMW_KIND_XCHG, "exch", TYPE_B},
    {TILE_RMW_KIND_FMIN, "min", TYPE_F}, {TILE_RMW_KIND_FMAX, "max", TYPE_F},
};

static void chooseRmw(const Lowering *l, Atomic *a, int64_t kind) {
  bool half = a->bits == 16, isBF16 = mlirTypeIsABF16(a->element);
  bool adds = kind == TILE_RMW_KIND_FADD;
  a->loops = half && (!adds || (isBF16 && !tileMachineHas(l->machine, TILE_FEATURE_BF16_ATOMICS)));
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if ((int64_t)kinds[i].kind != kind) continue;
    if (half)
      snprintf(a->instruction, sizeof a->instruction, "%s.noftz.%s", kinds[i].name,
               isBF16 ? "bf16" : "f16");
    else
      snprintf(a->instruction, sizeof a->instruction, "%s.%c%d", kinds[i].name,
               "bsuf"[kinds[i].type], a->bits);
  }
}

/// Is what it finds left as it is, by an op that releases nothing?
static bool changesNothing(const Atomic *a, int64_t kind) {
  bool adds = kind == TILE_RMW_KIND_ADD || kind == TILE_RMW_KIND_OR || kind == TILE_RMW_KIND_XOR ||
              kind == TILE_RMW_KIND_UMAX;
  return adds && a->isUsed && !a->releases && tileIsZero(tileAtomicRmwGetValue(a->op));
}

/// How many elements one instruction adds: those of 16 bytes that axis analysis proves to lie side
/// by side, aligned, and in or out of the mask together.
static void chooseVector(const Lowering *l, Atomic *a) {
  if (a->scalar || a->isUsed || a->acquires) return;
  if (!tileOpIsAAtomicRmw(a->op)) return;
  int most = tileMostUpdatedAtOnce(l->machine, a->op);
  int vector = tileAxisAccessVectorIn(l->axis, a->op, a->layout);
  a->vector = vector < most ? vector : most;
}

//===- emission -----------------------------------------------------------===//

/// What a loop computes of `seen` and $2, in PTX. Before sm_90 bf16 has fma, but no sum.
static void describeUpdate(const Atomic *a, char *text, size_t size) {
  bool adds = tileAtomicRmwGetKind(a->op) == TILE_RMW_KIND_FADD;
  if (adds)
    snprintf(text, size, "mov.b16 sum, 0x3f80;\nfma.rn.bf16 sum, seen, sum, $2;\n");
  else
    snprintf(text, size, "%.3s%s sum, seen, $2;\n", a->instruction, strrchr(a->instruction, '.'));
}

/// The sum, minimum or maximum as an exchange of words, tried until nobody came between. Labels are
/// the block's own, so that the text may stand in a function many times.
static MlirValue emitLoop(Lowering *l, const Atomic *a, bool predicated, const MlirValue *operands,
                          intptr_t count) {
  char text[512], update[64];
  describeUpdate(a, update, sizeof update);
  snprintf(text, sizeof text,
           "{\n.reg .pred again;\n.reg .b16 seen, sum;\n"
           "%s"
           "ld.relaxed.%s.global.b16 $0, [$1];\n"
           "retry:\n"
           "mov.b16 seen, $0;\n"
           "%s"
           "atom.%s.%s.global.cas.b16 $0, [$1], seen, sum;\n"
           "setp.ne.b16 again, $0, seen;\n"
           "@again bra retry;\n"
           "done:\n}",
           predicated ? "@!$3 bra done;\n" : "", a->scope, update, a->order, a->scope);
  const char *constraints = predicated ? "=&h,l,h,b,0" : "=&h,l,h";
  return tileResult(lowerInlineAsm(l, text, constraints, a->word, count, operands));
}

/// @$p atom.global.gpu.relaxed.add.f32 $0, [$1], $2;  with $0 = 0 where %p is false. ptxas takes
/// the words in any order; this is the one that Triton writes, which people search its PTX for.
static MlirValue emitAtom(Lowering *l, const Atomic *a, MlirValue pointer, const MlirValue *values,
                          MlirValue predicate) {
  char text[128], constraints[32], letter = a->bits == 16 ? 'h' : a->bits == 32 ? 'r' : 'l';
  bool cas = a->numOperands == 2, predicated = !mlirValueIsNull(predicate);
  char guard[8] = "";
  MlirValue operands[5] = {pointer, values[0]};
  intptr_t count = 2;
  if (cas) operands[count++] = values[1];
  snprintf(constraints, sizeof constraints, "=%c,l,%c%c%c", letter, letter, cas ? ',' : 0, letter);
  if (predicated) {
    snprintf(guard, sizeof guard, "@$%d ", (int)count + 1);
    snprintf(constraints, sizeof constraints, cas ? "=%c,l,%c,%c,b,0" : "=%c,l,%c,b,0", letter,
             letter, letter);
    operands[count++] = predicate;
    operands[count++] = tileBuildInt(&l->b, a->word, 0);
  }
  if (a->loops) return emitLoop(l, a, predicated, operands, count);
  if (a->reads) {
    snprintf(text, sizeof text, "%sld.%s.%s.global.b%d $0, [$1];", guard, a->order, a->scope,
             a->bits);
    return tileResult(lowerInlineAsm(l, text, constraints, a->word, count, operands));
  }
  snprintf(text, sizeof text, "%satom.global.%s.%s.%s $0, [$1], $2%s;", guard,
           cas ? a->order : a->scope, cas ? a->scope : a->order, a->instruction, cas ? ", $3" : "");
  return tileResult(lowerInlineAsm(l, text, constraints, a->word, count, operands));
}

/// @$p red.relaxed.gpu.global.add.v4.f32 [$0], {$1, $2, $3, $4};
static void emitRed(Lowering *l, const Atomic *a, MlirValue pointer, MlirValue words, int r,
                    MlirValue predicate) {
  enum { MOST = 8 };
  char text[128], list[64] = "", constraints[64] = "l", letter = a->bits == 16 ? 'h' : 'r';
  const char *type = strrchr(a->instruction, '.');
  MlirValue operands[MOST + 2] = {pointer};
  intptr_t count = 1;
  for (int i = 0; i < a->vector; ++i) {
    size_t used = strlen(list), at = strlen(constraints);
    snprintf(list + used, sizeof list - used, "%s$%d", i ? ", " : "", (int)count);
    snprintf(constraints + at, sizeof constraints - at, ",%c", letter);
    operands[count++] = lowerExtract(l, words, r + i);
  }
  char guard[8] = "";
  if (!mlirValueIsNull(predicate)) {
    snprintf(guard, sizeof guard, "@$%d ", (int)count);
    strcat(constraints, ",b");
    operands[count++] = predicate;
  }
  snprintf(text, sizeof text, "%sred.%s.%s.global.%.*s.v%d%s [$0], {%s};", guard, a->order,
           a->scope, (int)(type - a->instruction), a->instruction, a->vector, type, list);
  lowerInlineAsm(l, text, constraints, (MlirType){NULL}, count, operands);
}

/// i1: does this thread update? Null: all do.
static MlirValue isUpdater(Lowering *l, const Atomic *a) {
  return a->scalar ? lowerIsThreadZero(l) : lowerIsFirstCopy(l, &a->layout);
}

/// Updates every register that is no copy; words of the old values.
static MlirValue update(Lowering *l, const Atomic *a, MlirValue updater) {
  uint32_t copies = a->scalar ? 0 : tileLayoutFreeBits(a->layout, TILE_REGISTER);
  MlirValue words[2], *old = malloc((size_t)a->registers * sizeof *old);
  if (!old) abort();
  for (int i = 0; i < a->numOperands; ++i) words[i] = toWords(l, a, a->operands[i]);
  for (int r = 0; r < a->registers; ++r) {
    if ((uint32_t)r & copies) {
      old[r] = old[(uint32_t)r & ~copies];
      continue;
    }
    MlirValue pointer = lowerExtract(l, a->pointers, r), values[2], predicate = updater;
    for (int i = 0; i < a->numOperands; ++i) values[i] = lowerExtract(l, words[i], r);
    if (!mlirValueIsNull(a->mask)) {
      MlirValue on = a->scalar ? a->mask : lowerExtract(l, a->mask, r);
      predicate = mlirValueIsNull(updater) ? on : tileBuildBinary(&l->b, "arith.andi", on, updater);
    }
    if (a->vector == 1) {
      old[r] = emitAtom(l, a, pointer, values, predicate);
      continue;
    }
    if (r % a->vector == 0) emitRed(l, a, pointer, words[0], r, predicate);
    old[r] = tileBuildInt(&l->b, a->word, 0); // nobody reads it
  }
  MlirValue result = lowerFromElements(l, a->word, a->registers, old);
  free(old);
  return result;
}

//===- copies -------------------------------------------------------------===//

/// Position to offset: [register][warp][lane], without the bits that hold copies.
static TileLayout scratchMap(const Atomic *a) {
  TileLayout map = tileLayoutEmpty(1);
  int at = 0;
  static const TileInDim dims[] = {TILE_LANE, TILE_WARP, TILE_REGISTER};
  for (int i = 0; i < 3 && !a->scalar; ++i) {
    uint32_t copies = tileLayoutFreeBits(a->layout, dims[i]);
    map.inBits[dims[i]] = a->layout.inBits[dims[i]];
    for (int bit = 0; bit < map.inBits[dims[i]]; ++bit)
      if (!(copies >> bit & 1)) map.bases[dims[i]][bit] = (uint64_t)1 << at++;
  }
  map.outBits[0] = at;
  return map;
}

/// scf.if %updater { stores }; barrier; loads
static MlirValue shareThroughScratch(Lowering *l, const Atomic *a, MlirValue updater,
                                     MlirValue words) {
  TileLayout map = scratchMap(a);
  LowerScratch scratch = lowerScratch(l, &map, a->bits / 8, lowerSharedOffset(a->op));
  TileBuilder outside = lowerBeginIf(l, updater);
  for (int r = 0; r < a->registers; ++r) lowerScratchStore(l, &scratch, r, words, r, 1);
  lowerEndIf(l, outside);
  lowerBarrier(l);
  MlirValue *slices = lowerNewSlices(a->registers);
  for (int r = 0; r < a->registers; ++r) slices[r] = lowerScratchLoad(l, &scratch, r, a->word, 1);
  return lowerJoinSlices(l, a->registers, slices);
}

/// Gives the old values to all copies.
static bool share(Lowering *l, const Atomic *a, MlirValue updater, MlirValue *words) {
  switch (tileSharingOf(a->scalar ? NULL : &a->layout, l->numWarps)) {
  case TILE_SHARING_NONE:
    break;
  case TILE_SHARING_SHUFFLES: {
    uint32_t copies = a->scalar ? 31 : tileLayoutFreeBits(a->layout, TILE_LANE);
    MlirValue kept = lowerI32(l, 31 & ~copies);
    MlirValue first = tileBuildBinary(&l->b, "arith.andi", l->lane, kept);
    *words = lowerShuffle(l, LOWER_SHUFFLE_LANE, *words, first);
    break;
  }
  case TILE_SHARING_SCRATCH:
    if (mlirValueIsNull(l->shared)) {
      tileEmitError(a->loc,
                    "expected a kernel with shared memory for an atomic result that several warps "
                    "use (see tile-allocate-shared), found none");
      return false;
    }
    *words = shareThroughScratch(l, a, updater, *words);
    break;
  }
  return true;
}

/// What this thread saw and did, others' part of it included, comes before its relaxed sums.
static void emitFence(Lowering *l, const Atomic *a) {
  char text[32];
  snprintf(text, sizeof text, "fence.acq_rel.%s;", a->scope);
  lowerInlineAsm(l, text, "", (MlirType){NULL}, 0, NULL);
}

static MlirLogicalResult lowerAtomic(Lowering *l, Atomic *a) {
  if (a->releases && !isQuiet(a->op)) lowerBarrier(l);
  MlirValue updater = isUpdater(l, a);
  if (a->fences) emitFence(l, a);
  MlirValue words = update(l, a, updater);
  if (a->acquires) lowerBarrier(l);
  if (a->isUsed && !share(l, a, updater, &words)) return mlirLogicalResultFailure();
  MlirValue old = lowerBitcast(l, words, tileVectorType(a->registers, a->element));
  lowerSet(l, a->result, a->scalar ? lowerExtract(l, old, 0) : old);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerAtomicRmw(Lowering *l, MlirOperation op) {
  Atomic a;
  if (!describe(l, op, tileAtomicRmwGetPtr(op), &a)) return mlirLogicalResultFailure();
  setOrder(&a, tileAtomicRmwGetOrder(op), tileAtomicRmwGetScope(op));
  a.numOperands = 1;
  a.operands[0] = lowerGet(l, tileAtomicRmwGetValue(op));
  // What hands a lock on also sees to it that the next block here reads no old lines of the L1
  // cache, which those that take locks by relaxed accesses count on.
  if (tileAtomicRmwGetKind(op) == TILE_RMW_KIND_XCHG && !a.isUsed && !a.fences &&
      tileAtomicRmwGetOrder(op) == TILE_ORDER_ACQ_REL)
    a.order = "acq_rel";
  MlirValue mask = tileAtomicRmwGetMask(op);
  if (!mlirValueIsNull(mask)) a.mask = lowerGet(l, mask);
  chooseRmw(l, &a, tileAtomicRmwGetKind(op));
  chooseVector(l, &a);
  a.reads = changesNothing(&a, tileAtomicRmwGetKind(op));
  return lowerAtomic(l, &a);
}

MlirLogicalResult lowerAtomicCas(Lowering *l, MlirOperation op) {
  Atomic a;
  if (!describe(l, op, tileAtomicCasGetPtr(op), &a)) return mlirLogicalResultFailure();
  setOrder(&a, tileAtomicCasGetOrder(op), tileAtomicCasGetScope(op));
  a.numOperands = 2;
  a.operands[0] = lowerGet(l, tileAtomicCasGetExpected(op));
  a.operands[1] = lowerGet(l, tileAtomicCasGetValue(op));
  MlirValue mask = tileAtomicCasGetMask(op);
  if (!mlirValueIsNull(mask)) a.mask = lowerGet(l, mask);
  snprintf(a.instruction, sizeof a.instruction, "cas.b%d", a.bits);
  return lowerAtomic(l, &a);
}
