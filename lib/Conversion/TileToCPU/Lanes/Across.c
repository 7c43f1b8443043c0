//===- Across.c - tiles that do not lie along the lanes -------------------===//
//
// A transpose loads along one dimension and stores along the other. Lanes run along the one that is
// stored along; what a nest would gather, though it lies together along another dimension, is
// copied first, in squares that are transposed in registers:
//
//   load %x[i, j .. j+7]            +--------+
//   load %x[i+1, j .. j+7]     ->   | square |   ->   buffer[j, i .. i+7]
//   ..                              +--------+        buffer[j+1, i .. i+7]
//
// The copy takes the tile's place while the nest is emitted.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"

/// Larger copies are not made: the stack is for what has to be there.
enum { MAX_LANES = 64, MAX_COPY_BYTES = 4 << 20 };

static int64_t roundUp(int64_t x, int64_t unit) { return (x + unit - 1) / unit * unit; }

//===- how a tile lies -----------------------------------------------------===//

/// What is emitted between these is for nothing but to see what that is.
typedef struct {
  MlirBlock block;
  TileBuilder at;
  int numGathers;
} Aside;

static Aside beginAside(CpuLowering *l) {
  Aside aside = {mlirBlockCreate(0, NULL, NULL), l->at, l->numGathers};
  l->at = tileBuilderAtEnd(aside.block, aside.at.location);
  return aside;
}

static void endAside(CpuLowering *l, const Aside *aside) {
  l->numGathers = aside->numGathers;
  l->at = aside->at;
  mlirBlockDestroy(aside->block);
}

/// The first chunk along `lane`; `fast`: as where masks are all on.
static CpuLanes evalFirst(CpuLowering *l, MlirValue tile, int lane, bool fast) {
  CpuNest nest = cpuNestOf(l, mlirValueGetType(tile));
  CpuChunk chunk = {.l = l, .width = nest.width, .fast = fast};
  CpuIndex index = {.rank = nest.rank, .lane = lane};
  for (int i = 0; i < nest.rank; ++i) index.base[i] = cpuI64(l, 0);
  return cpuEval(&chunk, tile, &index);
}

/// How many accesses of a chunk gather its lanes when these run along `lane`, and masks are on.
static int countGathers(CpuLowering *l, MlirValue tile, int lane) {
  Aside aside = beginAside(l);
  int before = l->numGathers;
  cpuFastCondition(l, 1, &tile, (MlirValue){NULL}, false);
  evalFirst(l, tile, lane, true);
  int count = l->numGathers - before;
  endAside(l, &aside);
  return count;
}

bool cpuLiesTogether(CpuLowering *l, MlirValue tile, int lane) {
  return !l->checks && countGathers(l, tile, lane) == 0;
}

bool cpuLiesAcross(CpuLowering *l, MlirValue tile, int lane, int other) {
  if (l->checks) return false;
  return countGathers(l, tile, lane) > 0 && countGathers(l, tile, other) == 0;
}

bool cpuGoesAlong(CpuLowering *l, MlirValue pointers, int lane) {
  Aside aside = beginAside(l);
  CpuLanes lanes = evalFirst(l, pointers, lane, false);
  bool goes = !mlirValueIsNull(lanes.scalar) && lanes.stride == 1;
  endAside(l, &aside);
  return goes;
}

int cpuStoreLane(CpuLowering *l, MlirValue pointers) {
  int64_t shape[CPU_MAX_RANK];
  MlirType type = mlirValueGetType(pointers);
  int last = tileShape(type, shape) - 1;
  int64_t least = cpuLanes(l, tilePtrTypeGetPointee(tileElementType(type))) / 2;
  if (last < 1 || l->checks || (shape[last] > 1 && cpuGoesAlong(l, pointers, last))) return last;
  for (int d = 0; d < last; ++d)
    if (shape[d] >= least && cpuGoesAlong(l, pointers, d)) return d;
  return last;
}

//===- copies --------------------------------------------------------------===//

typedef struct {
  MlirValue tile;
  int from, to; ///< dimensions that it lies along, and that it is to lie along
  int64_t width, extent;
  CpuBuffer buffer;
} Turn;

/// The dimension that a tile lies along, and is long enough; -1: none.
static int findOther(CpuLowering *l, const CpuGathered *g) {
  int64_t shape[CPU_MAX_RANK];
  MlirType type = mlirValueGetType(g->tile), element = tileElementType(type);
  int rank = tileShape(type, shape);
  bool isNumber = tileTypeIsFloat(element) || mlirTypeIsAInteger(element);
  int64_t least = cpuLanes(l, element) / 2;
  if (!isNumber || tileBitWidth(element) < 8 || shape[g->lane] < least) return -1;
  if (tileNumElements(type) * tileElementBytes(element) > MAX_COPY_BYTES) return -1;
  const CpuSlot *slot = cpuFind(l, g->tile);
  for (int d = rank; d-- > 0;) {
    if (d == g->lane || shape[d] < least) continue;
    bool along =
        slot->form == CPU_BUFFER ? slot->buffer.strides[d] == 1 : cpuLiesTogether(l, g->tile, d);
    if (along) return d;
  }
  return -1;
}

/// Row major, but that rows are those of dimension `to`; with room for whole squares.
static CpuBuffer allocate(CpuLowering *l, const Turn *t) {
  CpuBuffer buffer = {.element = tileElementType(mlirValueGetType(t->tile))};
  buffer.rank = tileShape(mlirValueGetType(t->tile), buffer.shape);
  int64_t count = roundUp(t->extent, t->width);
  // Rows that lie a multiple of a page's part from each other would meet in few sets of a cache.
  if (count * tileElementBytes(buffer.element) % 1024 == 0) count += t->width;
  buffer.strides[t->to] = 1;
  for (int d = buffer.rank; d-- > 0;) {
    if (d == t->to) continue;
    buffer.strides[d] = count;
    count *= d == t->from ? roundUp(buffer.shape[d], t->width) : buffer.shape[d];
  }
  buffer.pointer = cpuAllocateStack(l, buffer.element, count);
  return buffer;
}

/// One square: a chunk along `from` of as many lines as it has lanes, those that are there. `index`
/// counts squares along `to`.
static void turnSquare(CpuChunk *chunk, const CpuIndex *index, void *data) {
  Turn *t = data;
  CpuLowering *l = chunk->l;
  CpuIndex at = *index;
  MlirValue lines[MAX_LANES], null = {NULL};
  MlirValue first = tileBuildBinary(&l->at, "arith.muli", index->base[t->to], cpuI64(l, t->width));
  int64_t most = t->extent < t->width ? t->extent : t->width;
  for (int64_t i = 0; i < t->width; ++i) {
    at.base[t->to] = tileBuildBinary(&l->at, "arith.addi", first, cpuI64(l, i));
    if (t->extent % t->width && most == t->width)
      at.base[t->to] =
          tileBuildBinary(&l->at, "arith.minsi", at.base[t->to], cpuI64(l, t->extent - 1));
    lines[i] = i < most ? cpuEvalVector(chunk, t->tile, &at) : lines[0];
  }
  cpuTranspose(l, lines, (int)t->width);
  MlirValue offset = first;
  for (int d = 0; d < index->rank; ++d) {
    if (d == t->to) continue;
    MlirValue stride = cpuI64(l, t->buffer.strides[d]);
    MlirValue part = tileBuildBinary(&l->at, "arith.muli", index->base[d], stride);
    offset = tileBuildBinary(&l->at, "arith.addi", offset, part);
  }
  for (int64_t i = 0; i < t->width; ++i) {
    MlirValue line = cpuI64(l, i * t->buffer.strides[t->from]);
    line = tileBuildBinary(&l->at, "arith.addi", offset, line);
    cpuStore(l, cpuOffset(l, t->buffer.pointer, t->buffer.element, line), t->buffer.element,
             lines[i], null);
  }
}

static CpuBuffer turn(CpuLowering *l, MlirValue tile, int from, int to) {
  CpuNest nest = cpuNestOf(l, mlirValueGetType(tile));
  Turn t = {.tile = tile, .from = from, .to = to, .width = nest.width, .extent = nest.shape[to]};
  t.buffer = allocate(l, &t);
  nest.lane = from;
  nest.shape[to] = roundUp(t.extent, t.width) / t.width;
  cpuVersionedNest(l, &nest, 1, &tile, (MlirValue){NULL}, turnSquare, &t);
  return t.buffer;
}

//===- nests ---------------------------------------------------------------===//

/// The dimension of a root that lanes run along. One of more dimensions than the nest has is
/// reduced along one, and along the last where the nest has no lanes.
static int laneOf(const CpuNest *nest, int rank) {
  if (nest->lane < 0) return rank - 1;
  return rank == nest->rank || nest->reducesLast ? nest->lane : rank - 1;
}

void cpuStraightNest(CpuLowering *l, const CpuNest *nest, intptr_t numRoots, const MlirValue *roots,
                     MlirValue mask, CpuChunkBody body, void *data) {
  CpuGathered gathered[CPU_MAX_GATHERED];
  CpuSlot before[CPU_MAX_GATHERED];
  int count = 0;
  Aside aside = beginAside(l);
  if (!l->checks) cpuFastCondition(l, numRoots, roots, mask, false);
  l->gathered = gathered;
  l->numGathered = 0;
  for (intptr_t i = 0; i < numRoots && !l->checks; ++i) {
    int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(roots[i]));
    bool isPointer = tileTypeIsAPtr(tileElementType(mlirValueGetType(roots[i])));
    if (rank > 1 && !isPointer) evalFirst(l, roots[i], laneOf(nest, rank), true);
  }
  l->gathered = NULL;
  endAside(l, &aside);
  for (int i = 0; i < l->numGathered; ++i) {
    int other = findOther(l, &gathered[i]);
    if (other < 0) continue;
    CpuBuffer buffer = turn(l, gathered[i].tile, other, gathered[i].lane);
    gathered[count] = gathered[i];
    before[count++] = *cpuFind(l, gathered[i].tile);
    cpuSetBuffer(l, gathered[i].tile, buffer, false);
  }
  cpuVersionedNest(l, nest, numRoots, roots, mask, body, data);
  while (count-- > 0) *cpuSet(l, gathered[count].tile, CPU_BUFFER) = before[count];
}
