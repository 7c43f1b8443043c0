//===- ShareCopies.c - blocks that share copies of boxes ------------------===//
//
// Before:  scf.for %t = .. {                       // over programs of clusters
//            scf.for %k = .. {
//              tile_gpu.desc_copy %b[%k, %column] into %s
// After:   scf.for %t = .. {
//            %lane = tile_gpu.cluster_lane         // the block that this thread stands for
//            %theirs = %column in that block's program
//            %blocks = tile_gpu.cluster_vote %column == %theirs
//            %part = how many of %blocks have a lower number
//            %splits = min(log2 of how many there are, how often the box can be halved)
//            scf.for %k = .. {
//              tile_gpu.desc_multicast %b[%k, %column] cuts %b2, .. into %s part %part
//                splits %splits to %blocks
//
// The blocks of a cluster work through neighbouring programs at the same time, and step by step
// through the same loops. Where several of them want the same box of an array, each copies a part
// of it into the shared memory of all (multicast), so that the L2 cache is asked for it once:
//
//   block          0            1            2            3            programs t .. t + 3
//   wants of A     (0, k)       (128, k)     (256, k)     (384, k)     nobody shares
//   wants of B     (k, 0)       (k, 0)       (k, 0)       (k, 256)     0, 1 and 2 share
//
// Which blocks want the same is found when the program begins: the first threads of the producer's
// warp compute the positions of a block's boxes each, which follow from the program's number by
// scalar arithmetic, and vote. Of n blocks that share, 2^floor(log2 n) copy a part.
//
// Requires: a schedule with `cluster`, a loop over a cluster's programs, no roles yet, and
// tile-warp-specialize behind it: a thread votes for each block, which is the producer's to do.
// Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../../ValueMap.h"
#include "../Kernel.h"
#include "Clusters.h"
#include "tile/Analysis/Analysis.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// Values of another block's program, as far as they differ from this one's: what follows from its
/// number in the cluster.
typedef struct {
  MlirBlock body;
  TileValueMap others;
  int blocks;
  MlirValue rank;
} Neighbour;

static MlirValue inNeighbour(Neighbour *n, TileBuilder *b, MlirValue value) {
  if (tileValueMapHas(n->others, value)) return tileValueMapGet(n->others, value);
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), n->body)) return value;
  intptr_t count = mlirOperationGetNumOperands(op);
  bool differs = false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = tileOperand(op, i);
    differs |= !mlirValueEqual(inNeighbour(n, b, operand), operand);
  }
  MlirValue other = value;
  if (differs) {
    MlirOperation copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < count; ++i)
      mlirOperationSetOperand(copy, i, inNeighbour(n, b, tileOperand(op, i)));
    mlirBlockInsertOwnedOperationBefore(b->block, b->before, copy);
    other = mlirOperationGetResult(copy, mlirOpResultGetResultNumber(value));
  }
  tileValueMapSet(&n->others, value, other);
  return other;
}

/// i1: does the neighbour want the box of `copy`, too? Null where it always does.
static MlirValue wantsToo(Neighbour *n, TileBuilder *b, MlirOperation copy) {
  MlirValue both = {NULL};
  for (intptr_t i = 1; i + 1 < mlirOperationGetNumOperands(copy); ++i) {
    MlirValue mine = tileOperand(copy, i), theirs = inNeighbour(n, b, mine);
    if (mlirValueEqual(mine, theirs)) continue;
    MlirValue equal = tileBuildCmpi(b, TILE_EQ, mine, theirs);
    both = mlirValueIsNull(both) ? equal : tileBuildBinary(b, "arith.andi", both, equal);
  }
  return both;
}

static MlirValue countBits(TileBuilder *b, MlirValue mask) {
  return tileBuildUnary(b, "math.ctpop", tileI32(b->context), mask);
}

/// min(most, log2 count), rounded down.
static MlirValue logarithm(TileBuilder *b, MlirValue count, int most) {
  MlirType i32 = tileI32(b->context);
  MlirValue sum = tileBuildInt(b, i32, 0);
  for (int i = 1; i <= most; ++i) {
    MlirValue power = tileBuildInt(b, i32, (int64_t)1 << i);
    MlirValue reached = tileBuildCmpi(b, TILE_UGE, count, power);
    MlirValue one = tileBuildUnary(b, "arith.extui", i32, reached);
    sum = tileBuildBinary(b, "arith.addi", sum, one);
  }
  return sum;
}

/// Descriptors of a half, a quarter, .. of the box's rows.
static void makeCuts(MlirValue whole, int numCuts, MlirValue cuts[tileMaxCuts]) {
  MlirType type = tileDescTypeGetBox(mlirValueGetType(whole));
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(type, shape), slowest = tileTensorMapSlowest(rank, shape);
  MlirOperation desc = tileDescGetMaker(whole);
  for (int i = 0; i < numCuts; ++i) {
    shape[slowest] /= 2;
    MlirType half =
        mlirRankedTensorTypeGet(rank, shape, tileElementType(type), mlirAttributeGetNull());
    MlirOperation made = mlirOperationClone(desc);
    mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(desc), desc, made);
    mlirValueSetType(tileResult(made), tileDescTypeGet(half));
    cuts[i] = tileResult(made);
    desc = made;
  }
}

/// `copy` in parts, which the neighbours that want it, too, find at `b`.
static void shareCopy(TileBuilder *b, Neighbour *n, MlirOperation copy) {
  MlirType i32 = tileI32(b->context);
  MlirValue cuts[tileMaxCuts], operands[TILE_MAX_RANK + 5 + tileMaxCuts],
      desc = tileOperand(copy, 0);
  int most, numCuts, rank = tileBoxCopyGetRank(copy);
  tileSplitBox(mlirValueGetType(desc), n->blocks, &most, &numCuts);
  makeCuts(desc, numCuts, cuts);
  MlirValue wants = wantsToo(n, b, copy);
  MlirValue blocks = mlirValueIsNull(wants)
                         ? tileBuildInt(b, i32, (1 << n->blocks) - 1)
                         : tileBuild(b, "tile_gpu.cluster_vote", i32, TILE_VALUES(wants));
  MlirValue one = tileBuildInt(b, i32, 1);
  MlirValue bit = tileBuildBinary(b, "arith.shli", one, n->rank);
  MlirValue below = tileBuildBinary(b, "arith.subi", bit, one);
  MlirValue before = tileBuildBinary(b, "arith.andi", blocks, below);
  MlirValue part = countBits(b, before);
  MlirValue splits = logarithm(b, countBits(b, blocks), most);
  intptr_t count = mlirOperationGetNumOperands(copy);
  for (intptr_t i = 0; i < count; ++i) operands[i] = tileOperand(copy, i);
  operands[count++] = part;
  operands[count++] = splits;
  operands[count++] = blocks;
  for (int i = 0; i < numCuts; ++i) operands[count++] = cuts[i];
  const int32_t segments[] = {1, rank, 1, 1, 1, 1, numCuts};
  MlirAttribute sizes = mlirDenseI32ArrayGet(b->context, 7, segments);
  TileBuilder at = tileBuilderBefore(copy);
  tileBuildOp(&at, "tile_gpu.desc_multicast", count, operands, TILE_NONE,
              TILE_ATTRS({"operandSegmentSizes", sizes}), 0);
  mlirOperationDestroy(copy);
}

static bool isOf(const TileSharedCopies *shared, MlirOperation copy) {
  for (int i = 0; i < shared->count; ++i)
    if (mlirOperationEqual(shared->list[i], copy)) return true;
  return false;
}

/// What blocks share of a channel, in front of the program's loops that copy it.
static void shareChannel(const TileChannel *c, const TileSharedCopies *shared, Neighbour *n,
                         MlirOperation first) {
  TileBuilder b = tileBuilderBefore(first);
  MlirValue lane = tileBuild(&b, "tile_gpu.cluster_lane", tileI32(b.context), TILE_NONE);
  tileValueMapSet(&n->others, n->rank, lane);
  for (int k = 0; k < c->numCopies; ++k)
    if (isOf(shared, c->copies[k])) shareCopy(&b, n, c->copies[k]);
  tileValueMapClear(&n->others);
}

static void shareCopies(TileChannels *channels, const TileSharedCopies *shared, MlirValue rank,
                        int blocks) {
  for (int i = 0; i < channels->count; ++i) {
    const TileChannel *c = &channels->list[i];
    Neighbour n = {.body = channels->program, .blocks = blocks, .rank = rank};
    for (int k = 0; k < c->numCopies; ++k) {
      if (!isOf(shared, c->copies[k])) continue;
      shareChannel(c, shared, &n, tileAncestorIn(channels->program, c->copies[0]));
      break;
    }
  }
}

MlirLogicalResult tileRunShareCopies(MlirOperation func) {
  static const char clusterName[] = "tile_gpu.cluster";
  TileSchedule schedule;
  if (!tileKernelGetSchedule(func, &schedule) || schedule.cluster == 1 ||
      !mlirAttributeIsNull(tileAttr(func, clusterName)))
    return mlirLogicalResultSuccess();
  if (!mlirOperationIsNull(tileKernelGetRoles(func)))
    return tileScheduleFails(func, "expected a kernel whose warps have no roles yet, found roles");
  MlirValue rank = tileKernelGetClusterRank(func);
  if (mlirValueIsNull(rank))
    return tileScheduleFails(func, "expected a loop over a cluster's programs, found none");
  TileChannels channels;
  TileSharedCopies shared;
  const char *reason = tileFindChannels(func, &channels);
  if (!reason) reason = tileFindSharedCopies(func, &channels, (int)schedule.cluster, &shared);
  if (reason) return tileScheduleFails(func, reason);
  shareCopies(&channels, &shared, rank, (int)schedule.cluster);
  MlirAttribute blocks =
      mlirIntegerAttrGet(tileI32(mlirOperationGetContext(func)), schedule.cluster);
  mlirOperationSetAttributeByName(func, tileString(clusterName), blocks);
  tileTrace(mlirOperationGetLocation(func), "blocks of a cluster of %d share copies of %d boxes",
            (int)schedule.cluster, shared.count);
  return mlirLogicalResultSuccess();
}
