//===- Scratch.c - shared memory that an op needs for itself --------------===//
#include "tile/Analysis/Scratch.h"
#include "tile/IR.h"
#include "tile/Machine.h"

static int64_t alignTo16(int64_t bytes) { return (bytes + 15) & ~(int64_t)15; }

//===- buffers ------------------------------------------------------------===//

TileLayout tileBufferLayout(MlirType buffer) {
  if (tileBufferTypeIsRagged(buffer)) return tileLayoutInvalid(); // where rows begin is no constant
  int64_t shape[TILE_MAX_RANK];
  int order[TILE_MAX_RANK], rank = tileBufferTypeGetRank(buffer);
  for (int i = 0; i < rank; ++i) {
    shape[i] = tileBufferTypeGetDim(buffer, i);
    order[i] = (int)tileBufferTypeGetOrder(buffer, i);
  }
  return tileLayoutShared(rank, shape, tileElementBytes(tileBufferTypeGetElement(buffer)), order,
                          (int)tileBufferTypeGetSwizzle(buffer));
}

static bool isGuarded(MlirOperation alloc) {
  return !mlirAttributeIsNull(tileAttr(alloc, "guarded"));
}

static MlirWalkResult addGuarded(MlirOperation op, void *data) {
  if (tileOpIsAAllocShared(op) && isGuarded(op))
    *(int64_t *)data += tileBufferBytes(mlirValueGetType(tileResult(op)));
  return MlirWalkResultAdvance;
}

int64_t tileGuardedBytes(MlirOperation func) {
  int64_t bytes = 0;
  mlirOperationWalk(func, addGuarded, &bytes, MlirWalkPreOrder);
  return bytes;
}

/// Is the buffer, or what is seen of it, used in `block` at `op` or behind it, or on its way to
/// memory from there?
static bool isUsedFrom(MlirBlock block, MlirValue buffer, MlirOperation op) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use), held = tileAncestorIn(block, user);
    bool isHere = !mlirOperationIsNull(held);
    if (isHere && (tileOpIsATmaStore(user) || !mlirOperationIsBeforeInBlock(held, op))) return true;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(user); ++i) {
      MlirValue seen = mlirOperationGetResult(user, i);
      if (tileTypeIsABuffer(mlirValueGetType(seen)) && isUsedFrom(block, seen, op)) return true;
    }
  }
  return false;
}

typedef struct {
  MlirBlock block; ///< of the warps that hold tiles
  MlirOperation op;
  int64_t bytes;
} Alive;

static MlirWalkResult addAlive(MlirOperation op, void *data) {
  Alive *a = data;
  if (!tileOpIsAAllocShared(op) || !isGuarded(op)) return MlirWalkResultAdvance;
  MlirType type = mlirValueGetType(tileResult(op));
  // Barriers have one dimension, and stay.
  if (tileBufferTypeGetRank(type) == 1 || isUsedFrom(a->block, tileResult(op), a->op))
    a->bytes += tileBufferBytes(type);
  return MlirWalkResultAdvance;
}

int64_t tileGuardedBytesAt(MlirOperation op) {
  enum { CONSUMERS = 1 };
  Alive a = {.op = op};
  MlirOperation around = mlirOperationGetParentOperation(op);
  while (!tileOpIsAFunc(around) && !tileOpIsAWarpSpecialize(around)) {
    a.op = around;
    around = mlirOperationGetParentOperation(around);
  }
  MlirOperation func = tileFuncOf(op);
  if (tileOpIsAFunc(around)) return tileGuardedBytes(func);
  a.block = tileBody(around, CONSUMERS);
  if (!mlirBlockEqual(a.block, mlirOperationGetBlock(a.op))) return tileGuardedBytes(func);
  mlirOperationWalk(func, addAlive, &a, MlirWalkPreOrder);
  return a.bytes;
}

static int64_t ringBytes(MlirOperation op) {
  if (!tileOpIsAAllocShared(op) || isGuarded(op)) return 0;
  MlirType type = mlirValueGetType(tileResult(op));
  return tileBufferTypeGetStages(type) > 1 ? tileBufferBytes(type) : 0;
}

/// `rings` are those of loops around `block`.
static int64_t nestedBytes(MlirBlock block, int64_t rings, int64_t scratch) {
  int64_t most = rings, own = rings;
  if (mlirBlockIsNull(block)) return most;
  TILE_FOR_EACH_OP(op, block) {
    own += ringBytes(op);
    int64_t more = rings ? tileOpScratchBytes(op) - scratch : 0;
    int64_t bytes = own + (more > 0 ? more : 0);
    if (more > 0 && bytes > most) most = bytes;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      bytes = nestedBytes(tileBody(op, r), own, scratch);
      if (bytes > most) most = bytes;
    }
    if (tileOpIs(op, "scf.for")) own = rings;
  }
  return most;
}

int64_t tileNestedBytes(MlirBlock block, int64_t scratch) { return nestedBytes(block, 0, scratch); }

//===- combinations along an axis -----------------------------------------===//

const char *tilePlanCombine(TileLayout source, int axis, TileCombinePlan *plan) {
  *plan = (TileCombinePlan){.source = source, .axis = axis, .results = 1};
  if (axis < 0 || axis >= source.rank) return "expected an axis of the tile, found one beyond it";
  for (int dim = TILE_REGISTER; dim <= TILE_WARP; ++dim) {
    plan->free[dim] = tileLayoutFreeBits(source, (TileInDim)dim);
    for (int bit = 0; bit < source.inBits[dim]; ++bit) {
      uint32_t mask = (uint32_t)1 << bit;
      uint64_t basis = source.bases[dim][bit];
      if (plan->free[dim] & mask) {
        if (basis) return "expected copies of a tile to be whole, found a permuted copy";
        continue;
      }
      int64_t coordinates[TILE_MAX_RANK] = {0};
      coordinates[axis] = tileLayoutCoordinate(source, basis, axis);
      bool moves = coordinates[axis] != 0;
      if (moves && tileLayoutPack(source, coordinates) != basis)
        return "expected a layout whose bits move along the axis or beside it, found one that does "
               "both";
      if (moves) {
        plan->along[dim] |= mask;
      } else {
        plan->kept[dim] |= mask;
        plan->results *= 2;
      }
    }
  }
  return NULL;
}

int64_t tileCombineScratchBytes(const TileCombinePlan *plan, int elementBytes) {
  if (!plan->along[TILE_WARP]) return 0;
  return alignTo16((plan->results << __builtin_popcount(plan->along[TILE_WARP])) * elementBytes);
}

const char *tilePlanExchange(const TileCombinePlan *plan, TileScanBit bits[TILE_MAX_BITS],
                             int *numBits) {
  *numBits = plan->source.outBits[plan->axis];
  for (int k = 0; k < *numBits; ++k) {
    bits[k].bit = -1;
    for (int dim = TILE_REGISTER; dim <= TILE_WARP; ++dim)
      for (int bit = 0; bit < plan->source.inBits[dim]; ++bit) {
        if (!(plan->along[dim] >> bit & 1)) continue;
        uint64_t basis = plan->source.bases[dim][bit];
        if (tileLayoutCoordinate(plan->source, basis, plan->axis) == (int64_t)1 << k)
          bits[k] = (TileScanBit){(TileInDim)dim, bit};
      }
    if (bits[k].bit < 0)
      return "expected a layout that moves by powers of two along the axis, found one that does "
             "not";
  }
  return NULL;
}

const char *tilePlanScan(const TileCombinePlan *plan, TileScanBit bits[TILE_MAX_BITS],
                         int *numBits) {
  const char *refusal = tilePlanExchange(plan, bits, numBits);
  if (refusal) return refusal;
  // Totals go through scratch once.
  int runs = 0;
  for (int k = 0; k < *numBits; ++k)
    runs += bits[k].dim == TILE_WARP && (k == 0 || bits[k - 1].dim != TILE_WARP);
  if (runs <= 1) return NULL;
  return "expected warps that lie side by side along the axis of a scan, found others between them";
}

void tilePlanScanWarps(const TileCombinePlan *plan, TileCombinePlan *warps) {
  TileScanBit bits[TILE_MAX_BITS];
  int numBits;
  *warps = *plan;
  if (tilePlanScan(plan, bits, &numBits)) return;
  bool above = false;
  for (int k = 0; k < numBits; ++k) {
    uint32_t mask = (uint32_t)1 << bits[k].bit;
    above |= bits[k].dim == TILE_WARP;
    if (!above || bits[k].dim == TILE_WARP) continue;
    warps->along[bits[k].dim] &= ~mask;
    warps->kept[bits[k].dim] |= mask;
    warps->results *= 2;
  }
}

static int64_t combineBytes(MlirOperation op, int axis) {
  int64_t bytes = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(tileOperand(op, i));
    TileLayout layout;
    TileCombinePlan plan;
    if (!tileTypeGetLayout(type, &layout) || tilePlanCombine(layout, axis, &plan)) return 0;
    if (tileOpIsAScan(op)) {
      TileCombinePlan whole = plan;
      tilePlanScanWarps(&whole, &plan);
    }
    bytes += tileCombineScratchBytes(&plan, tileElementBytes(tileElementType(type)));
  }
  return bytes;
}

//===- sorts --------------------------------------------------------------===//

TileSortPlan tilePlanSort(MlirOperation op) {
  MlirType type = mlirValueGetType(tileOperand(op, 0));
  int64_t shape[TILE_MAX_RANK] = {0}, axis = tileIntAttr(op, "axis", 0);
  TileSortPlan plan = {.keyBits = tileBitWidth(tileElementType(type))};
  tileShape(type, shape);
  plan.positions = mlirOperationGetNumOperands(op) > 1;
  plan.apart = plan.positions && plan.keyBits > 32;
  plan.wordBits = plan.keyBits > 32 ? 64 : 32;
  if (!plan.positions || plan.apart) return plan;
  bool fits = plan.keyBits < 32 && shape[axis] <= (int64_t)1 << (32 - plan.keyBits);
  plan.wordBits = fits ? 32 : 64;
  plan.shift = fits ? 32 - plan.keyBits : 32;
  return plan;
}

//===- copies -------------------------------------------------------------===//

TileSharing tileSharingOf(const TileLayout *layout, int numWarps) {
  if (!layout) return numWarps > 1 ? TILE_SHARING_SCRATCH : TILE_SHARING_SHUFFLES;
  if (tileLayoutFreeBits(*layout, TILE_WARP) || (int)tileLayoutSize(*layout, TILE_WARP) < numWarps)
    return TILE_SHARING_SCRATCH;
  return tileLayoutFreeBits(*layout, TILE_LANE) ? TILE_SHARING_SHUFFLES : TILE_SHARING_NONE;
}

static int64_t sharingBytes(MlirOperation op, MlirValue result) {
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(result))) return 0;
  MlirType type = mlirValueGetType(result);
  int elementBytes = tileElementBytes(tileElementType(type));
  if (!tileTypeIsTile(type))
    return tileSharingOf(NULL, tileNumWarpsOf(op)) == TILE_SHARING_SCRATCH ? alignTo16(elementBytes)
                                                                           : 0;
  TileLayout layout;
  if (!tileTypeGetLayout(type, &layout)) return 0;
  if (tileSharingOf(&layout, tileNumWarpsOf(op)) != TILE_SHARING_SCRATCH) return 0;
  return alignTo16(((int64_t)1 << tileLayoutTotalOutBits(layout)) * elementBytes);
}

//===- ops ----------------------------------------------------------------===//

static int64_t conversionBytes(MlirOperation op) {
  MlirType from = mlirValueGetType(tileConvertLayoutGetSource(op));
  TileLayout source, result;
  if (!tileTypeGetLayout(from, &source) ||
      !tileTypeGetLayout(mlirValueGetType(tileConvertLayoutGetResult(op)), &result))
    return 0;
  int elementBytes = tileElementBytes(tileElementType(from));
  TileConversion plan = tileLayoutPlanConversion(source, result, elementBytes);
  return plan.kind == TILE_CONVERSION_SHARED ? alignTo16(plan.scratch.bytes) : 0;
}

/// A gather keeps its whole source, where every thread can reach it.
static int64_t gatherBytes(MlirOperation op) {
  MlirType type = mlirValueGetType(tileGatherGetSource(op));
  return (tileNumElements(type) * tileElementBytes(tileElementType(type)) + 15) / 16 * 16;
}

/// One thread tells the others where in the console the record lies.
static int64_t printBytes(MlirOperation op) {
  for (intptr_t i = 0; i < tilePrintGetNumValues(op); ++i)
    if (tileTypeIsTile(mlirValueGetType(tilePrintGetValues(op, i)))) return 16;
  return 0;
}

/// Counters.
static int64_t histogramBytes(MlirOperation op) {
  return alignTo16(4 * tileNumElements(mlirValueGetType(tileResult(op))));
}

/// Words of all threads, and positions behind them; sorted keys, and positions behind them; and
/// what lies there of another operand: one after the other.
static int64_t sortBytes(MlirOperation op) {
  TileSortPlan plan = tilePlanSort(op);
  MlirType type = mlirValueGetType(tileOperand(op, 0));
  TileLayout layout;
  if (!tileTypeGetLayout(type, &layout)) return 0;
  int64_t places = (int64_t)tileNumThreadsOf(op) << layout.inBits[TILE_REGISTER];
  int64_t bytes = alignTo16(places * (plan.wordBits / 8 + (plan.apart ? 4 : 0)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    type = mlirValueGetType(tileOperand(op, i));
    int64_t all = alignTo16(tileNumElements(type) * tileElementBytes(tileElementType(type)));
    if (all > bytes) bytes = all;
  }
  return bytes;
}

/// What each thread has, of all threads that hold tiles.
static int64_t partsBytes(MlirOperation op) {
  TileLayout layout;
  MlirType type = mlirValueGetType(tileResult(op));
  if (!tileTypeGetLayout(type, &layout)) return 0;
  int64_t element = tileBitWidth(tileElementType(type)) / 8;
  return alignTo16((element << layout.inBits[TILE_REGISTER]) * tileNumThreadsOf(op));
}

int64_t tileOpScratchBytes(MlirOperation op) {
  if (tileOpIsAAddParts(op)) return partsBytes(op);
  // The number that a block took.
  if (tileOpIsACollectParts(op) || tileOpIsACollectTurns(op)) return 16;
  if (tileOpIsAShareParts(op) || tileOpIsAShareTurns(op)) return 16;
  if (tileOpIsAHistogram(op)) return histogramBytes(op);
  if (tileOpIsASort(op) || tileOpIsAPartialSort(op)) return sortBytes(op);
  if (tileOpIsAPrint(op)) return printBytes(op);
  if (tileOpIsADescCopy(op)) return 16; // an mbarrier
  if (tileOpIsAGather(op)) return gatherBytes(op);
  if (tileOpIsAConvertLayout(op)) return conversionBytes(op);
  if (tileOpIsAReduce(op)) return combineBytes(op, (int)tileReduceGetAxis(op));
  if (tileOpIsAScan(op)) return combineBytes(op, (int)tileScanGetAxis(op));
  if (tileOpIsAAtomicRmw(op)) return sharingBytes(op, tileAtomicRmwGetResult(op));
  if (tileOpIsAAtomicCas(op)) return sharingBytes(op, tileAtomicCasGetResult(op));
  return 0;
}

int64_t tileSharedLimit(MlirOperation func) {
  const TileMachine *m = tileMachineOf(func);
  int64_t threads = tileNumThreadsOf(func);
  int64_t blocks = m->registers / (threads * (m->threadRegisters + 1));
  return m->sharedBytes / (blocks > 1 ? blocks : 1);
}

int64_t tileSharedBytesOfTeams(const TileMachine *machine, int64_t teams) {
  int64_t all = machine->sharedBytes;
  return teams > 1 ? all / teams & -TILE_TEAM_ALIGNMENT : all;
}

int64_t tileTeamSharedBytes(MlirOperation func) {
  return tileSharedBytesOfTeams(tileMachineOf(func), tileIntAttr(func, "tile_gpu.teams", 1));
}
