//===- AddParts.c - sums over the blocks of a cluster ---------------------===//
//
// Each thread holds as many elements of the tile in every block. With 16 bytes of them a chunk:
//
//   1  all chunks go to this block's scratch, chunk j of thread t at (j * threads + t) * 16
//   2  a barrier of the cluster
//   3  block r adds the chunks j = r, r + blocks, .. of all blocks, in the order of the blocks, and
//      puts the sums where block 0 had them, which nobody else reads
//   4  a barrier of the cluster; nobody's scratch is read any more, so that blocks may end
//   5  block 0 reads its chunks
//
// Where each block goes on with a share of its own, step 3 ends in its registers, and there is no
// 5; the share is of registers that follow each other, first chunk to last.
//
// So each block reads as many bytes of others as it holds, whatever the number of blocks: if block
// 0 added all, it would read so many times as much. The barriers are those of the threads that hold
// tiles: of warps with other roles, which never arrive, a cluster's barrier waits for the end.
//
//===----------------------------------------------------------------------===//
#include "../Exchange/Exchange.h"

typedef struct {
  Lowering *l;
  int blocks, chunks;
  int words, bytes; ///< registers of a chunk, and its bytes
  MlirType chunk;   ///< vector<4xf32>
  MlirValue own;    ///< !llvm.ptr<3>: chunk 0 of this thread
  MlirValue rank;
  int64_t stride; ///< bytes between chunks of a thread
  LowerShares shares;
} Sum;

static MlirValue load(const Sum *s, MlirValue pointer) {
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(s->l->b.context), s->bytes);
  return tileResult(tileBuildOp(&s->l->b, "llvm.load", TILE_VALUES(pointer), 1, &s->chunk,
                                TILE_ATTRS({"alignment", alignment}), 0));
}

static void store(const Sum *s, MlirValue value, MlirValue pointer) {
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(s->l->b.context), s->bytes);
  tileBuildOp(&s->l->b, "llvm.store", TILE_VALUES(value, pointer), TILE_NONE,
              TILE_ATTRS({"alignment", alignment}), 0);
}

/// Waits for all blocks, and sees what they wrote.
static void meet(Lowering *l) {
  tileBuildOp(&l->b, "nvvm.cluster.arrive", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  tileBuildOp(&l->b, "nvvm.cluster.wait", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

static void storeOwn(const Sum *s, MlirValue value) {
  for (int64_t j = 0; j < s->chunks; ++j) {
    if (lowerSharesPad(&s->shares, j)) continue;
    MlirValue chunk = lowerExtractSlice(s->l, value, j * s->words, s->words);
    store(s, chunk, lowerConstantOffset(s->l, s->own, j * s->stride));
  }
}

/// `own` in block `number` of the cluster, `first` bytes further on.
static MlirValue findThere(const Sum *s, int number, MlirValue first) {
  Lowering *l = s->l;
  MlirType remote = mlirTypeParseGet(l->b.context, tileString("!llvm.ptr<7>"));
  MlirValue block = lowerI32(l, number);
  MlirValue there = tileBuild(&l->b, "nvvm.mapa", remote, TILE_VALUES(s->own, block));
  return lowerOffset(l, there, first);
}

/// The chunk `offset` bytes further on, as all blocks have it. Of several chunks all are read
/// before any is added: a read of another block takes as long as hundreds of additions.
static void loadBlocks(const Sum *s, const MlirValue *there, int64_t offset, MlirValue *each) {
  for (int q = 0; q < s->blocks; ++q)
    each[q] = load(s, lowerConstantOffset(s->l, there[q], offset));
}

/// The sum of one chunk of all blocks.
static MlirValue addBlocks(const Sum *s, const MlirValue *each) {
  const char *add = mlirTypeIsAFloat(tileElementType(s->chunk)) ? "arith.addf" : "arith.addi";
  MlirValue sum = each[0];
  for (int q = 1; q < s->blocks; ++q) sum = tileBuildBinary(&s->l->b, add, sum, each[q]);
  return sum;
}

/// Turns `first` to `last` - 1, in each of which this block adds its chunk of all blocks.
static void addTurns(const Sum *s, const MlirValue *there, int first, int last) {
  MlirValue chunks[LOWER_MOST_CHUNKS];
  int64_t bytes = s->blocks * s->stride;
  for (int turn = first; turn < last; ++turn)
    loadBlocks(s, there, turn * bytes, &chunks[(turn - first) * s->blocks]);
  for (int turn = first; turn < last; ++turn) {
    MlirValue sum = addBlocks(s, &chunks[(turn - first) * s->blocks]);
    store(s, sum, lowerConstantOffset(s->l, there[0], turn * bytes));
  }
}

/// All chunks that are this block's. Of the last turn's there may be fewer than blocks.
static void addOwn(const Sum *s) {
  Lowering *l = s->l;
  MlirValue there[LOWER_SHARE_BLOCKS], stride = lowerI32(l, s->stride);
  MlirValue first = tileBuildBinary(&l->b, "arith.muli", s->rank, stride);
  for (int q = 0; q < s->blocks; ++q) there[q] = findThere(s, q, first);
  int whole = s->chunks / s->blocks, together = LOWER_MOST_CHUNKS / s->blocks;
  for (int turn = 0; turn < whole; turn += together)
    addTurns(s, there, turn, turn + together < whole ? turn + together : whole);
  if (s->chunks % s->blocks == 0) return;
  MlirValue left = lowerI32(l, s->chunks % s->blocks);
  TileBuilder outside = lowerBeginIf(l, tileBuildCmpi(&l->b, TILE_ULT, s->rank, left));
  addTurns(s, there, whole, whole + 1);
  lowerEndIf(l, outside);
}

/// Where each block of the cluster has the first of this block's chunks.
static void findShare(const Sum *s, MlirValue *there) {
  MlirValue first = lowerSharesBegin(s->l, &s->shares, s->rank, s->stride);
  for (int q = 0; q < s->blocks; ++q) there[q] = findThere(s, q, first);
}

/// This block's share of the sum.
static MlirValue addShare(const Sum *s, MlirValue value) {
  MlirValue there[LOWER_SHARE_BLOCKS], chunks[LOWER_MOST_CHUNKS];
  int64_t together = LOWER_MOST_CHUNKS / s->blocks, all = lowerSharesCount(&s->shares);
  findShare(s, there);
  for (int64_t first = 0; first < all; first += together) {
    int64_t last = first + together < all ? first + together : all;
    for (int64_t i = first; i < last; ++i)
      loadBlocks(s, there, lowerSharesPlace(&s->shares, i, 0) * s->stride,
                 &chunks[(i - first) * s->blocks]);
    for (int64_t i = first; i < last; ++i) {
      MlirValue sum = addBlocks(s, &chunks[(i - first) * s->blocks]);
      value = lowerSharesInsert(s->l, &s->shares, sum, value, i);
    }
  }
  return value;
}

static MlirValue loadOwn(const Sum *s, MlirValue value) {
  for (int j = 0; j < s->chunks; ++j) {
    MlirValue chunk = load(s, lowerConstantOffset(s->l, s->own, j * s->stride));
    value = lowerInsertSlice(s->l, chunk, value, (int64_t)j * s->words);
  }
  return value;
}

MlirLogicalResult lowerAddParts(Lowering *l, MlirOperation op) {
  if (!mlirAttributeIsNull(tileAttr(op, "tile_gpu.teams"))) return lowerAddTeams(l, op);
  MlirValue value = lowerGet(l, tileOperand(op, 0));
  TileLayout layout;
  if (!lowerLayoutOf(mlirOperationGetLocation(op), mlirValueGetType(tileResult(op)), &layout))
    return mlirLogicalResultFailure();
  if (l->cluster <= 1 || l->cluster > LOWER_SHARE_BLOCKS) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected clusters of 2 to 8 blocks around a sum of their parts, found %d",
                  l->cluster);
    return mlirLogicalResultFailure();
  }
  MlirType i32 = tileI32(l->b.context), element = tileElementType(mlirValueGetType(value));
  int each = tileBitWidth(element) / 8, registers = lowerNumRegisters(&layout);
  int words = registers < LOWER_CHUNK_BYTES / each ? registers : LOWER_CHUNK_BYTES / each;
  MlirValue five = lowerI32(l, 5), size = lowerI32(l, each * words);
  MlirValue warps = tileBuildBinary(&l->b, "arith.shli", l->warp, five);
  MlirValue thread = tileBuildBinary(&l->b, "arith.ori", warps, l->lane);
  MlirValue at = tileBuildBinary(&l->b, "arith.muli", thread, size);
  MlirValue mine = lowerConstantOffset(l, lowerSharedPointer(l, at), lowerSharedOffset(op));
  Sum s = {.l = l,
           .blocks = l->cluster,
           .chunks = registers / words,
           .words = words,
           .bytes = each * words,
           .chunk = tileVectorType(words, element),
           .own = mine,
           .rank = tileBuild(&l->b, "nvvm.read.ptx.sreg.cluster.ctarank", i32, TILE_NONE),
           .stride = (int64_t)32 * l->numWarps * each * words};
  if (!lowerReadShares(op, s.blocks, s.chunks, s.words, &s.shares))
    return mlirLogicalResultFailure();
  storeOwn(&s, value);
  meet(l);
  MlirValue share = lowerAreShares(&s.shares) ? addShare(&s, value) : value;
  if (!lowerAreShares(&s.shares)) addOwn(&s);
  meet(l);
  lowerSet(l, tileResult(op), lowerAreShares(&s.shares) ? share : loadOwn(&s, value));
  return mlirLogicalResultSuccess();
}
