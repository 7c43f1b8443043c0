//===- Buffers.c - tiles written into buffers -----------------------------===//
#include "Lowering.h"

typedef struct {
  MlirValue tile;
  const CpuBuffer *buffer;
} Copy;

static void copyChunk(CpuChunk *chunk, const CpuIndex *index, void *data) {
  Copy *copy = data;
  MlirValue value = cpuEvalVector(chunk, copy->tile, index);
  MlirType from = tileElementType(mlirValueGetType(copy->tile));
  if (!mlirTypeEqual(from, copy->buffer->element))
    value = cpuConvertFloat(chunk->l, value, from, copy->buffer->element);
  cpuWriteBuffer(chunk->l, copy->buffer, index, value, chunk->tail);
}

/// A chunk whose elements are that of the row's last.
static void fillChunk(CpuChunk *chunk, const CpuIndex *index, void *data) {
  Copy *copy = data;
  CpuLowering *l = chunk->l;
  MlirType from = tileElementType(mlirValueGetType(copy->tile));
  CpuIndex last = *index;
  last.lane = -1;
  last.base[index->lane] = cpuI64(l, copy->buffer->shape[index->lane] - 1);
  CpuChunk one = {.l = l};
  CpuLanes value = {.scalar = cpuEvalVector(&one, copy->tile, &last)};
  if (!mlirTypeEqual(from, copy->buffer->element))
    value.scalar = cpuConvertFloat(l, value.scalar, from, copy->buffer->element);
  MlirValue all = cpuToVector(chunk, value, copy->buffer->element);
  cpuWriteBuffer(l, copy->buffer, index, all, chunk->tail);
}

void cpuWrite(CpuLowering *l, MlirValue tile, const CpuBuffer *buffer) {
  MlirValue all[2] = {{NULL}, {NULL}};
  cpuWriteUpTo(l, tile, buffer, all);
}

void cpuWriteUpTo(CpuLowering *l, MlirValue tile, const CpuBuffer *buffer,
                  const MlirValue ends[2]) {
  Copy copy = {tile, buffer};
  CpuNest nest = cpuNestOf(l, mlirValueGetType(tile));
  nest.splits = true;
  nest.ends[0] = ends[0];
  nest.ends[1] = ends[1];
  if (nest.lane >= 0 && nest.rank <= 2) {
    nest.beyond = cpuFindBeyond(l, tile, nest.lane, true);
    nest.fill = fillChunk;
  }
  cpuStraightNest(l, &nest, 1, &tile, (MlirValue){NULL}, copyChunk, &copy);
}

//===- several at once ----------------------------------------------------===//

typedef struct {
  int count;
  const MlirValue *tiles;
  const CpuBuffer *buffers;
} Together;

static void copyTogether(CpuChunk *chunk, const CpuIndex *index, void *data) {
  const Together *t = data;
  MlirValue values[CPU_MAX_TOGETHER];
  // All is read before any of it is overwritten.
  for (int i = 0; i < t->count; ++i) values[i] = cpuEvalVector(chunk, t->tiles[i], index);
  for (int i = 0; i < t->count; ++i)
    cpuWriteBuffer(chunk->l, &t->buffers[i], index, values[i], chunk->tail);
}

bool cpuGoTogether(CpuLowering *l, MlirValue a, MlirValue b) {
  int64_t shapes[2][CPU_MAX_RANK];
  MlirType types[] = {mlirValueGetType(a), mlirValueGetType(b)};
  int rank = tileShape(types[0], shapes[0]);
  if (l->checks || tileShape(types[1], shapes[1]) != rank) return false;
  for (int d = 0; d < rank; ++d)
    if (shapes[0][d] != shapes[1][d]) return false;
  return cpuLanes(l, tileElementType(types[0])) == cpuLanes(l, tileElementType(types[1]));
}

void cpuWriteTogether(CpuLowering *l, int count, const MlirValue *tiles, const CpuBuffer *buffers) {
  Together together = {count, tiles, buffers};
  CpuNest nest = cpuNestOf(l, mlirValueGetType(tiles[0]));
  nest.splits = true;
  cpuStraightNest(l, &nest, count, tiles, (MlirValue){NULL}, copyTogether, &together);
}

CpuBuffer cpuMaterialize(CpuLowering *l, MlirValue tile) {
  CpuSlot *slot = cpuFind(l, tile);
  if (slot->form == CPU_BUFFER) return slot->buffer;
  CpuBuffer buffer = cpuAllocateBuffer(l, mlirValueGetType(tile), (MlirType){NULL});
  cpuWrite(l, tile, &buffer);
  cpuSetBuffer(l, tile, buffer, true);
  return buffer;
}
