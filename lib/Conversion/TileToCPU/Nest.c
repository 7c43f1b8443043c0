//===- Nest.c - loops over the chunks of a tile ---------------------------===//
//
// One nest is scf.for over each dimension but the lanes', and inside over whole chunks; what is
// left of a row is a chunk of its own under a constant mask:
//
//   scf.for %i = 0 to 5 {
//     scf.for %j = 0 to 16 step 8 { body }     // tensor<5x20>, 8 lanes
//     body at 16, lanes 0 .. 3
//   }
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"

//===- scf ----------------------------------------------------------------===//

MlirValue cpuBeginLoop(CpuLowering *l, CpuLoop *loop, MlirValue from, MlirValue to, MlirValue step,
                       intptr_t numCarried, MlirValue *carried) {
  MlirValue *operands = cpuAllocate(l, (size_t)(3 + numCarried) * sizeof *operands);
  MlirType *types = cpuAllocate(l, (size_t)(1 + numCarried) * sizeof *types);
  MlirLocation *locations = cpuAllocate(l, (size_t)(1 + numCarried) * sizeof *locations);
  operands[0] = from;
  operands[1] = to;
  operands[2] = step;
  types[0] = mlirValueGetType(from);
  locations[0] = l->at.location;
  for (intptr_t i = 0; i < numCarried; ++i) {
    operands[3 + i] = carried[i];
    types[1 + i] = mlirValueGetType(carried[i]);
    locations[1 + i] = l->at.location;
  }
  loop->op =
      tileBuildOp(&l->at, "scf.for", 3 + numCarried, operands, numCarried, types + 1, TILE_NONE, 1);
  MlirBlock block = mlirBlockCreate(1 + numCarried, types, locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop->op, 0), block);
  loop->outer = l->at;
  l->at = tileBuilderAtEnd(block, l->at.location);
  for (intptr_t i = 0; i < numCarried; ++i) carried[i] = mlirBlockGetArgument(block, 1 + i);
  return mlirBlockGetArgument(block, 0);
}

void cpuEndLoop(CpuLowering *l, CpuLoop *loop, intptr_t numCarried, MlirValue *carried) {
  tileBuildOp(&l->at, "scf.yield", numCarried, carried, TILE_NONE, TILE_NONE, 0);
  l->at = loop->outer;
  for (intptr_t i = 0; i < numCarried; ++i) carried[i] = mlirOperationGetResult(loop->op, i);
}

void cpuIf(CpuLowering *l, MlirValue condition, bool hasElse, CpuEmit emit, void *data) {
  MlirOperation op = tileBuildIf(&l->at, condition, TILE_NONE, hasElse);
  TileBuilder outside = l->at;
  for (int i = 0; i <= hasElse; ++i) {
    l->at = tileBuilderAtEnd(tileBody(op, i), outside.location);
    emit(l, i == 0, data);
    tileBuildOp(&l->at, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  }
  l->at = outside;
}

//===- nests --------------------------------------------------------------===//

CpuNest cpuNestOf(CpuLowering *l, MlirType tile) {
  CpuNest nest = {.width = cpuLanes(l, tileElementType(tile))};
  nest.rank = tileShape(tile, nest.shape);
  nest.lane = nest.rank - 1;
  return nest;
}

typedef struct {
  CpuLowering *l;
  const CpuNest *nest;
  bool fast;
  CpuChunkBody body;
  void *data;
  CpuIndex index;
  bool splits;     ///< see cpuEmitSplit
  MlirValue known; ///< up to where in a row chunks are `fast`, or null (i64)
} Walk;

static void emitChunkBy(Walk *w, CpuChunkBody body, MlirValue tail) {
  CpuChunk chunk = {.l = w->l, .width = w->nest->width, .fast = w->fast, .tail = tail};
  if (w->nest->walks) chunk.known = w->known;
  if (w->nest->lane < 0) chunk.width = 0;
  if (w->splits)
    cpuEmitSplit(&chunk, &w->index, body, w->data);
  else
    body(&chunk, &w->index, w->data);
}

static void emitChunk(Walk *w, MlirValue tail) { emitChunkBy(w, w->body, tail); }

/// Chunks one behind the other, from where the index is.
static void emitChunks(Walk *w, int count) {
  CpuLowering *l = w->l;
  int lane = w->nest->lane;
  MlirValue first = w->index.base[lane];
  for (int i = 0; i < count; ++i) {
    CpuChunk chunk = {.l = l, .width = w->nest->width, .fast = w->fast, .first = first};
    chunk.behind = i * w->nest->width;
    if (i)
      w->index.base[lane] = tileBuildBinary(&l->at, "arith.addi", first, cpuI64(l, chunk.behind));
    w->body(&chunk, &w->index, w->data);
  }
}

static int chunksAtOnce(const CpuNest *nest, int64_t chunks) {
  int count = nest->unroll;
  while (count > 1 && chunks % count) count /= 2;
  return count > 1 ? count : 1;
}

/// Where the loop over dimension `d` ends, if not before at `most`.
static MlirValue endOf(Walk *w, int d, int64_t most) {
  MlirValue to = cpuI64(w->l, most);
  if (w->nest->rank > 2 || mlirValueIsNull(w->nest->ends[d])) return to;
  return tileBuildBinary(&w->l->at, "arith.minsi", to, w->nest->ends[d]);
}

/// Chunks of a row in which all is as `fast` has it, before `end`; gives where others begin.
static MlirValue emitKnown(Walk *w, MlirValue end) {
  CpuLowering *l = w->l;
  MlirValue zero = cpuI64(l, 0), step = cpuI64(l, w->nest->width), null = {NULL};
  if (mlirValueIsNull(w->known) || w->nest->walks) return zero;
  MlirValue to = cpuRoundDown(l, tileBuildBinary(&l->at, "arith.minsi", w->known, end), step);
  CpuLoop loop;
  Walk known = *w;
  known.fast = true;
  known.index.base[w->nest->lane] = cpuBeginLoop(l, &loop, zero, to, step, 0, NULL);
  emitChunk(&known, null);
  cpuEndLoop(l, &loop, 0, NULL);
  return to;
}

/// The dimension of the lanes: whole chunks, then the rest.
static void emitLanes(Walk *w) {
  CpuLowering *l = w->l;
  int lane = w->nest->lane;
  MlirValue null = {NULL};
  if (lane < 0) {
    emitChunk(w, null);
    return;
  }
  int64_t extent = w->nest->shape[lane], width = w->nest->width, whole = extent / width * width;
  int count = chunksAtOnce(w->nest, whole / width);
  if (count > 1 && whole == count * width && mlirValueIsNull(w->nest->ends[lane < 2 ? lane : 0])) {
    w->index.base[lane] = cpuI64(l, 0);
    emitChunks(w, count);
  } else if (count > 1) {
    CpuLoop loop;
    MlirValue zero = cpuI64(l, 0), to = endOf(w, lane, whole);
    w->index.base[lane] = cpuBeginLoop(l, &loop, zero, to, cpuI64(l, count * width), 0, NULL);
    emitChunks(w, count);
    cpuEndLoop(l, &loop, 0, NULL);
  } else if (whole > width) {
    CpuLoop loop;
    MlirValue to = endOf(w, lane, whole), step = cpuI64(l, width);
    bool isOne = !w->fast && !mlirValueIsNull(w->nest->beyond);
    MlirValue end = isOne ? tileBuildBinary(&l->at, "arith.minsi", to, w->nest->beyond) : to;
    MlirValue first = emitKnown(w, to);
    w->index.base[lane] = cpuBeginLoop(l, &loop, first, end, step, 0, NULL);
    emitChunk(w, null);
    cpuEndLoop(l, &loop, 0, NULL);
    if (isOne) {
      MlirValue chunks = tileBuildBinary(&l->at, "arith.ceildivsi", end, step);
      MlirValue from = tileBuildBinary(&l->at, "arith.muli", chunks, step);
      w->index.base[lane] = cpuBeginLoop(l, &loop, from, to, step, 0, NULL);
      emitChunkBy(w, w->nest->fill, null);
      cpuEndLoop(l, &loop, 0, NULL);
    }
  } else if (whole) {
    w->index.base[lane] = cpuI64(l, 0);
    emitChunk(w, null);
  }
  if (whole == extent) return;
  w->index.base[lane] = cpuI64(l, whole);
  emitChunk(w, cpuFirstLanes(l, width, extent - whole));
}

static void emitDimension(Walk *w, int d) {
  CpuLowering *l = w->l;
  if (d == w->nest->rank) {
    emitLanes(w);
    return;
  }
  if (d == w->nest->lane || w->nest->shape[d] == 1) {
    w->index.base[d] = cpuI64(l, 0);
    emitDimension(w, d + 1);
    return;
  }
  CpuLoop loop;
  MlirValue zero = cpuI64(l, 0), to = endOf(w, d, w->nest->shape[d]), one = cpuI64(l, 1);
  w->index.base[d] = cpuBeginLoop(l, &loop, zero, to, one, 0, NULL);
  emitDimension(w, d + 1);
  cpuEndLoop(l, &loop, 0, NULL);
}

void cpuNestUpTo(CpuLowering *l, const CpuNest *nest, bool fast, MlirValue known, CpuChunkBody body,
                 void *data) {
  Walk w = {.l = l, .nest = nest, .fast = fast, .known = known, .body = body, .data = data};
  w.splits = nest->splits && nest->lane >= 0;
  w.index.rank = nest->rank;
  w.index.lane = nest->lane;
  emitDimension(&w, 0);
}

void cpuNest(CpuLowering *l, const CpuNest *nest, bool fast, CpuChunkBody body, void *data) {
  cpuNestUpTo(l, nest, fast, (MlirValue){NULL}, body, data);
}

//===- buffers ------------------------------------------------------------===//

static MlirValue address(CpuLowering *l, const CpuBuffer *buffer, const CpuIndex *index) {
  MlirValue sum = {NULL};
  for (int d = 0; d < buffer->rank; ++d) {
    if (buffer->shape[d] == 1) continue;
    MlirValue part = index->base[d];
    if (buffer->strides[d] != 1) {
      MlirValue stride = cpuI64(l, buffer->strides[d]);
      part = tileBuildBinary(&l->at, "arith.muli", part, stride);
    }
    sum = mlirValueIsNull(sum) ? part : tileBuildBinary(&l->at, "arith.addi", sum, part);
  }
  return mlirValueIsNull(sum) ? buffer->pointer
                              : cpuOffset(l, buffer->pointer, buffer->element, sum);
}

/// Pointers to the lanes of a chunk that do not lie together.
static MlirValue spread(CpuLowering *l, const CpuBuffer *buffer, MlirValue first, int lane,
                        int64_t width) {
  int64_t stride = buffer->shape[lane] == 1 ? 0 : buffer->strides[lane];
  MlirValue steps = cpuSteps(l, tileI64(l->context), width, stride);
  return cpuOffset(l, first, buffer->element, steps);
}

static bool liesTogether(const CpuBuffer *buffer, int lane) { return buffer->strides[lane] == 1; }

static MlirValue tailOrAll(CpuLowering *l, MlirValue tail, int64_t width) {
  return mlirValueIsNull(tail) ? cpuFirstLanes(l, width, width) : tail;
}

MlirValue cpuReadBuffer(CpuLowering *l, const CpuBuffer *buffer, const CpuIndex *index,
                        int64_t width, MlirValue tail) {
  MlirValue first = address(l, buffer, index), null = {NULL};
  if (index->lane < 0) return cpuLoad(l, first, buffer->element, 0, null, null);
  // A row has room for whole vectors from its start, so its tail needs no mask.
  bool hasRoom = index->lane == buffer->rank - 1 && !index->isPart;
  if (liesTogether(buffer, index->lane))
    return cpuLoad(l, first, buffer->element, width, hasRoom ? null : tail, null);
  MlirValue pointers = spread(l, buffer, first, index->lane, width);
  return cpuGather(l, pointers, buffer->element, tailOrAll(l, tail, width), null);
}

void cpuWriteBuffer(CpuLowering *l, const CpuBuffer *buffer, const CpuIndex *index, MlirValue value,
                    MlirValue tail) {
  MlirValue first = address(l, buffer, index), null = {NULL};
  if (index->lane < 0) {
    cpuStore(l, first, buffer->element, value, null);
  } else if (liesTogether(buffer, index->lane)) {
    cpuStore(l, first, buffer->element, value, index->lane == buffer->rank - 1 ? null : tail);
  } else {
    MlirValue pointers = spread(l, buffer, first, index->lane, cpuWidth(value));
    cpuScatter(l, pointers, buffer->element, value, tailOrAll(l, tail, cpuWidth(value)));
  }
}
