//===- CollectParts.c - sums over blocks that meet in memory --------------===//
//
// `splits` clusters of a program, or blocks of none, which follow each other along x:
//
//   1  each block writes its words to memory, chunk j of thread t at (j * threads + t) * 16 of its
//      part
//   2  one thread takes a number of the program's; blocks of a cluster that have a share each of
//      its sum meet those of the same rank in the other clusters alone, and have a number of theirs
//   3  the block that took the last one sets it back to 0, reads all parts in the order of the
//      clusters, its own among them, and adds them up
//
// No block waits for another one, so that they need not run at a time. A part that is read was
// written before its block's number was taken: a barrier and the number's own order see to that.
// Numbers are 0 when a launch begins, and when it has ended. Where the memory is:
// tile/Runtime/Launcher.h. Turns of a loop over programs that have a part each of one
// (tile_gpu.collect_turns) meet in the same way.
//
// One block reads as many bytes as all wrote, no faster than a multiprocessor does. Where blocks
// may have a share each (tile_gpu.share_parts), of blocks of no cluster:
//
//   2  the thread counts its block, and looks for a while whether all others are counted
//   3  if they are, each block reads its share of all parts. If a block gave up before, which it
//      writes to the count in one step with seeing that not all are there, the last one reads all
//      as above, and those that wait end
//
// So none waits for ever, and whoever adds up does so in the same order. Counts go on from 0 to the
// number of blocks at one launch, and from there at the next one, which ends at 0.
//
//===----------------------------------------------------------------------===//
#include "../Exchange/Exchange.h"
#include "tile/MachineNumbers.h"
#include "tile/Runtime/Launcher.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What all sums of a program share.
typedef struct {
  Lowering *l;
  int parts;               ///< that are added up; of a cluster's share each
  int64_t blockBytes;      ///< that a block writes
  MlirValue thread, split; ///< i32; which cluster of the program's it is
  MlirValue place;         ///< i64: a number for those that meet
  MlirValue first;         ///< i64: where the first of them writes
} Meeting;

/// One of them.
typedef struct {
  LowerShares written; ///< what a thread exchanges: its share, or all
  LowerShares added;   ///< what its block adds up of that, where it does not add up all
  int64_t chunks;      ///< of a thread, that it exchanges
  int64_t bytes;       ///< of a chunk
  int64_t stride;      ///< bytes between chunks of a thread
  MlirType chunk;      ///< vector<4xf32>
  MlirValue at;        ///< !llvm.ptr<1>: chunk 0 of this thread in the first part
} Sum;

/// All that one op exchanges.
typedef struct {
  intptr_t count;
  int64_t bytes; ///< of a block
  Sum *sums;
  MlirValue *values;
  MlirType *types;
} Sums;

MlirLogicalResult lowerPart(Lowering *l, MlirOperation op) {
  MlirValue block = lowerSpecialRegister(l, "ctaid", 0);
  MlirValue blocks = lowerI32(l, l->cluster * l->splits);
  MlirValue part = tileBuildBinary(&l->b, "arith.remui", block, blocks);
  if (l->teams > 1) {
    MlirValue teams = lowerI32(l, l->teams);
    part = tileBuildBinary(&l->b, "arith.muli", part, teams);
    part = tileBuildBinary(&l->b, "arith.addi", part, l->team);
  }
  lowerSet(l, tileResult(op), part);
  return mlirLogicalResultSuccess();
}

//===- where parts are ----------------------------------------------------===//

static MlirValue build(Lowering *l, const char *op, MlirValue a, MlirValue b) {
  return tileBuildBinary(&l->b, op, a, b);
}

static MlirValue number64(Lowering *l, int64_t value) {
  return tileBuildInt(&l->b, tileI64(l->b.context), value);
}

static MlirValue widen(Lowering *l, MlirValue value) {
  return tileBuildUnary(&l->b, "arith.extui", tileI64(l->b.context), value);
}

static MlirType globalPointer(Lowering *l) {
  return mlirTypeParseGet(l->b.context, tileString("!llvm.ptr<1>"));
}

/// A number for each program, from 0 on along x, then y, then z.
static MlirValue findProgram(Lowering *l) {
  MlirValue program = widen(l, lowerSpecialRegister(l, "ctaid", 2));
  MlirValue blocks = lowerI32(l, l->cluster * l->splits);
  for (int axis = 1; axis >= 0; --axis) {
    MlirValue at = lowerSpecialRegister(l, "ctaid", axis);
    MlirValue count = lowerSpecialRegister(l, "nctaid", axis);
    if (!axis) {
      at = build(l, "arith.divui", at, blocks);
      count = build(l, "arith.divui", count, blocks);
    }
    program = build(l, "arith.muli", program, widen(l, count));
    program = build(l, "arith.addi", program, widen(l, at));
  }
  return program;
}

/// The name of the global that says where parts are; false, and an error, where the kernel has one.
static bool nameGlobal(Lowering *l, MlirOperation op, char name[TILE_PARTS_NAME]) {
  MlirStringRef kernel = mlirStringAttrGetValue(tileAttr(l->kernel, "sym_name"));
  snprintf(name, TILE_PARTS_NAME, TILE_PARTS_GLOBAL "%.*s", (int)kernel.length, kernel.data);
  TILE_FOR_EACH_OP(other, l->tables->module) {
    if (!tileOpIs(other, "llvm.mlir.global") ||
        !tileStringIs(mlirStringAttrGetValue(tileAttr(other, "sym_name")), name))
      continue;
    tileEmitError(
        mlirOperationGetLocation(op),
        "expected one tile_gpu.collect_parts of a kernel, of all its sums, found another");
    return false;
  }
  return true;
}

/// The global, made; !llvm.ptr<1> to it.
static MlirValue addressGlobal(const Meeting *m, const char *name) {
  Lowering *l = m->l;
  MlirContext c = l->b.context;
  char path[TILE_PARTS_NAME + 4], value[96];
  snprintf(path, sizeof path, "@\"%s\"", name);
  snprintf(value, sizeof value, "dense<[0, 0, %lld, %d]> : tensor<4xi64>",
           (long long)m->blockBytes * l->cluster * m->parts, l->cluster * m->parts);
  TileBuilder b = {.context = c, .location = l->b.location, .block = l->tables->module};
  b.before = mlirBlockGetFirstOperation(l->tables->module);
  tileBuildOp(&b, "llvm.mlir.global", TILE_NONE, TILE_NONE,
              TILE_ATTRS({"sym_name", tileStringAttr(c, name)},
                         {"global_type", tileParseAttr(c, "!llvm.array<4 x i64>")},
                         {"linkage", tileParseAttr(c, "#llvm.linkage<external>")},
                         {"value", tileParseAttr(c, value)},
                         {"addr_space", mlirIntegerAttrGet(tileI32(c), 1)},
                         {"alignment", mlirIntegerAttrGet(tileI64(c), 32)}),
              1);
  MlirType pointer = globalPointer(l);
  return tileResult(tileBuildOp(&l->b, "llvm.mlir.addressof", TILE_NONE, 1, &pointer,
                                TILE_ATTRS({"global_name", tileParseAttr(c, path)}), 0));
}

static MlirValue loadWord(const Meeting *m, MlirValue global, int64_t offset) {
  MlirType i64 = tileI64(m->l->b.context);
  MlirValue at = lowerConstantOffset(m->l, global, offset);
  return tileResult(tileBuildOp(&m->l->b, "llvm.load", TILE_VALUES(at), 1, &i64, TILE_NONE, 0));
}

/// Bytes of a register's element of a thread's value.
static int wordBytes(MlirValue value) {
  return tileBitWidth(tileElementType(mlirValueGetType(value))) / 8;
}

/// What a thread exchanges of a value, all of it where there are `shares`, of which its block then
/// adds up one. False, and an error, where its shares are none.
static bool planSum(Lowering *l, MlirOperation op, MlirValue value, int shares, Sum *s) {
  MlirType type = mlirValueGetType(value);
  int registers = (int)mlirShapedTypeGetDimSize(type, 0), each = wordBytes(value);
  int words = registers < LOWER_CHUNK_BYTES / each ? registers : LOWER_CHUNK_BYTES / each;
  int chunks = registers / words;
  *s = (Sum){.bytes = (int64_t)words * each, .chunk = tileVectorType(words, tileElementType(type))};
  s->stride = (int64_t)32 * l->numWarps * s->bytes;
  s->written = (LowerShares){.blocks = 1, .words = words, .chunks = chunks};
  if (!lowerReadShares(op, shares ? shares : l->cluster, chunks, words,
                       shares ? &s->added : &s->written))
    return false;
  s->chunks = lowerSharesCount(&s->written);
  return true;
}

/// What `op` exchanges of its first `operands` operands, to be given to freeSums; false, and an
/// error, as planSum. Of values and types there is room for one more.
static bool planSums(Lowering *l, MlirOperation op, intptr_t operands, int shares, Sums *all) {
  size_t count = (size_t)operands;
  *all = (Sums){.count = operands,
                .sums = malloc(count * sizeof *all->sums),
                .values = malloc((count + 1) * sizeof *all->values),
                .types = malloc((count + 1) * sizeof *all->types)};
  if (!all->sums || !all->values || !all->types) abort();
  for (intptr_t i = 0; i < all->count; ++i) {
    all->values[i] = lowerGet(l, tileOperand(op, i));
    all->types[i] = mlirValueGetType(all->values[i]);
    if (!planSum(l, op, all->values[i], shares, &all->sums[i])) return false;
    all->bytes += all->sums[i].chunks * all->sums[i].stride;
  }
  return true;
}

static void freeSums(Sums *all) {
  free(all->sums);
  free(all->values);
  free(all->types);
}

/// Where this thread's chunks of a sum are that lies `offset` bytes behind the beginning of a part.
static void findSum(const Meeting *m, Sum *s, int64_t offset) {
  Lowering *l = m->l;
  MlirValue own = build(l, "arith.muli", m->thread, lowerI32(l, s->bytes));
  MlirValue at = build(l, "arith.addi", m->first, widen(l, own));
  at = build(l, "arith.addi", at, number64(l, offset));
  s->at = tileBuildUnary(&l->b, "llvm.inttoptr", globalPointer(l), at);
}

//===- writing, and taking a number ---------------------------------------===//

static MlirAttribute alignmentOf(const Meeting *m, const Sum *s) {
  return mlirIntegerAttrGet(tileI64(m->l->b.context), s->bytes);
}

static void storePart(const Meeting *m, const Sum *s, MlirValue value) {
  Lowering *l = m->l;
  MlirValue before = build(l, "arith.muli", widen(l, m->split), number64(l, m->blockBytes));
  MlirValue own = lowerOffset(l, s->at, before);
  for (int64_t j = 0; j < s->chunks; ++j) {
    MlirValue chunk = lowerSharesExtract(l, &s->written, value, j);
    MlirValue at = lowerConstantOffset(l, own, j * s->stride);
    tileBuildOp(&l->b, "llvm.store", TILE_VALUES(chunk, at), TILE_NONE,
                TILE_ATTRS({"alignment", alignmentOf(m, s)}), 0);
  }
}

/// i1: did this block take the last number?
static MlirValue takeNumber(const Meeting *m, MlirOperation op, MlirValue numbers) {
  Lowering *l = m->l;
  MlirType i32 = tileI32(l->b.context);
  MlirValue zero = lowerI32(l, 0), most = lowerI32(l, m->parts - 1), four = number64(l, 4);
  MlirValue shared = lowerConstantOffset(l, l->shared, lowerSharedOffset(op));
  // Threads' words are written before the barrier, and one thread's order is that of all whom it
  // waited for.
  lowerUnfencedBarrier(l);
  TileBuilder outside = lowerBeginIf(l, tileBuildCmpi(&l->b, TILE_EQ, m->thread, zero));
  MlirValue own = build(l, "arith.addi", numbers, build(l, "arith.muli", m->place, four));
  MlirOperation taken = lowerInlineAsm(l, "atom.acq_rel.gpu.global.inc.u32 $0, [$1], $2;",
                                       "=r,l,r,~{memory}", i32, 2, (MlirValue[]){own, most});
  tileBuildOp(&l->b, "llvm.store", TILE_VALUES(tileResult(taken), shared), TILE_NONE, TILE_NONE, 0);
  lowerEndIf(l, outside);
  lowerUnfencedBarrier(l);
  MlirValue number =
      tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(shared), 1, &i32, TILE_NONE, 0));
  return tileBuildCmpi(&l->b, TILE_EQ, number, most);
}

//===- adding -------------------------------------------------------------===//

/// Chunks `first` to `last` - 1, as `shares` number them, of all blocks: all are read before any is
/// added.
static MlirValue addChunks(const Meeting *m, const Sum *s, const LowerShares *shares,
                           MlirValue begin, MlirValue value, int64_t first, int64_t last) {
  Lowering *l = m->l;
  const char *add = mlirTypeIsAFloat(tileElementType(s->chunk)) ? "arith.addf" : "arith.addi";
  int splits = m->parts;
  MlirValue *read = malloc((size_t)(last - first) * (size_t)splits * sizeof *read), *next = read;
  if (!read) abort();
  for (int64_t j = first; j < last; ++j)
    for (int q = 0; q < splits; ++q) {
      int64_t place = shares == &s->added ? lowerSharesPlace(shares, j, 0) : j;
      MlirValue at = lowerConstantOffset(l, begin, q * m->blockBytes + place * s->stride);
      *next++ = tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(at), 1, &s->chunk,
                                       TILE_ATTRS({"alignment", alignmentOf(m, s)}), 0));
    }
  next = read;
  for (int64_t j = first; j < last; ++j) {
    MlirValue sum = *next++;
    for (int q = 1; q < splits; ++q) sum = build(l, add, sum, *next++);
    value = lowerSharesInsert(l, shares, sum, value, j);
  }
  free(read);
  return value;
}

/// What this block adds up of a sum, from `begin` on: as many chunks at a time as registers hold.
static MlirValue addParts(const Meeting *m, const Sum *s, const LowerShares *shares,
                          MlirValue begin, MlirValue value) {
  int64_t together = LOWER_MOST_CHUNKS / m->parts ? LOWER_MOST_CHUNKS / m->parts : 1;
  int64_t all = lowerSharesCount(shares);
  for (int64_t first = 0; first < all; first += together) {
    int64_t last = first + together < all ? first + together : all;
    value = addChunks(m, s, shares, begin, value, first, last);
  }
  return value;
}

/// All that blocks exchanged of a sum.
static MlirValue addAll(const Meeting *m, const Sum *s, MlirValue value) {
  return addParts(m, s, &s->written, s->at, value);
}

/// This block's share of it.
static MlirValue addShare(const Meeting *m, const Sum *s, MlirValue value) {
  MlirValue begin = lowerSharesBegin(m->l, &s->added, m->split, s->stride);
  return addParts(m, s, &s->added, lowerOffset(m->l, s->at, begin), value);
}

/// Of those that hold tiles.
static MlirValue numberThread(Lowering *l) {
  MlirValue warps = build(l, "arith.shli", l->warp, lowerI32(l, 5));
  return build(l, "arith.ori", warps, l->lane);
}

/// Where those that meet write, and, what it gives, where their numbers are.
static MlirValue findMemory(Meeting *m, MlirValue global) {
  Lowering *l = m->l;
  MlirValue bytes = number64(l, m->blockBytes * m->parts);
  MlirValue numbers = loadWord(m, global, 0), before = build(l, "arith.muli", m->place, bytes);
  m->first = build(l, "arith.addi", loadWord(m, global, 8), before);
  return numbers;
}

/// Asks caches for where parts are, and for the count of those that meet, as the block begins: else
/// either comes from memory when the loop has ended and all wait for it. One thread does.
static void warmMemory(const Meeting *m, MlirValue global) {
  static const char text[] = "{ .reg .pred p; .reg .b32 thread; .reg .b64 at;\n"
                             "mov.u32 thread, %tid.x;\n"
                             "setp.eq.u32 p, thread, 0;\n"
                             "@p ld.global.b64 at, [$0];\n"
                             "@p add.s64 at, at, $1;\n"
                             "@p prefetch.global.L2 [at];\n}";
  MlirValue before = build(m->l, "arith.muli", m->place, number64(m->l, 4));
  lowerInlineAsm(m->l, text, "l,l", (MlirType){NULL}, 2, (MlirValue[]){global, before});
}

/// Those of a program that meet: the blocks of each rank of its clusters.
static Meeting meet(Lowering *l, const char *name, int64_t blockBytes, MlirValue *numbers) {
  Meeting m = {.l = l, .parts = l->splits, .blockBytes = blockBytes};
  TileBuilder here = l->b;
  bool isTop = mlirBlockEqual(l->b.block, mlirOperationGetBlock(l->first));
  l->b.before = isTop ? l->first : mlirBlockGetFirstOperation(l->b.block);
  MlirValue block = lowerSpecialRegister(l, "ctaid", 0), cluster = lowerI32(l, l->cluster);
  MlirValue part = build(l, "arith.remui", block, lowerI32(l, l->cluster * l->splits));
  m.split = build(l, "arith.divui", part, cluster);
  MlirValue rank = build(l, "arith.remui", part, cluster);
  m.place = build(l, "arith.muli", findProgram(l), number64(l, l->cluster));
  m.place = build(l, "arith.addi", m.place, widen(l, rank));
  MlirValue global = addressGlobal(&m, name);
  warmMemory(&m, global);
  l->b = here;
  m.thread = numberThread(l);
  *numbers = findMemory(&m, global);
  return m;
}

/// Ends a branch that gives `values`.
static void yield(Lowering *l, intptr_t count, const MlirValue *values) {
  tileBuildOp(&l->b, "scf.yield", count, values, TILE_NONE, TILE_NONE, 0);
}

/// Writes what this block exchanges of each sum.
static void storeParts(const Meeting *m, const Sums *all) {
  int64_t offset = 0;
  for (intptr_t i = 0; i < all->count; ++i) {
    findSum(m, &all->sums[i], offset);
    offset += all->sums[i].chunks * all->sums[i].stride;
    storePart(m, &all->sums[i], all->values[i]);
  }
}

/// All sums, of those that meet: in the place of their parts, the last one's. Gives what says
/// whether this one is it.
static MlirValue collect(const Meeting *m, MlirOperation op, MlirValue numbers, Sums *all) {
  Lowering *l = m->l;
  storeParts(m, all);
  MlirValue last = takeNumber(m, op, numbers);
  MlirOperation branch = tileBuildIf(&l->b, last, all->count, all->types, true);
  TileBuilder outside = l->b;
  l->b = tileBuilderAtEnd(tileBody(branch, 1), outside.location);
  yield(l, all->count, all->values);
  l->b = tileBuilderAtEnd(tileBody(branch, 0), outside.location);
  for (intptr_t i = 0; i < all->count; ++i)
    all->values[i] = addAll(m, &all->sums[i], all->values[i]);
  yield(l, all->count, all->values);
  l->b = outside;
  for (intptr_t i = 0; i < all->count; ++i) all->values[i] = mlirOperationGetResult(branch, i);
  return last;
}

/// Plans what `op` exchanges of its first `count` operands, and has `emit` write the code that does
/// so by way of the memory `name`.
static MlirLogicalResult lowerSums(Lowering *l, MlirOperation op, intptr_t count, int shares,
                                   void (*emit)(Lowering *l, MlirOperation op, const char *name,
                                                Sums *all)) {
  char name[TILE_PARTS_NAME];
  Sums all = {0};
  bool ok = nameGlobal(l, op, name) && planSums(l, op, count, shares, &all);
  if (ok) emit(l, op, name, &all);
  freeSums(&all);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

//===- shares of blocks of no cluster -------------------------------------===//

/// Cycles that a block waits for others.
static MlirValue patience(Lowering *l) {
  return lowerI32(l, tileMachineNumber(l->machine, TILE_NUMBER_PARTS_PATIENCE));
}

/// How a block goes on.
enum { HAS_NOTHING, HAS_SHARE, HAS_ALL };

/// i32: how this block goes on, after it is counted and has waited, `most` cycles at most.
static MlirValue waitForAll(const Meeting *m, MlirOperation op, MlirValue counts, MlirValue most) {
  // $0: how; $1: the count; $2: cycles. A count of `parts` and more is that of every other launch.
  static const char text[] =
      "{ .reg .pred p, odd; .reg .b32 old, seen, base, x, start, all, last, most;\n"
      "mov.b32 all, %d; mov.b32 last, %d; mov.b32 most, $2;\n"
      "atom.acq_rel.gpu.global.add.u32 old, [$1], 1;\n"
      "and.b32 x, old, 0xffff;\n"
      "setp.ge.u32 odd, x, all;\n"
      "selp.b32 base, all, 0, odd;\n"
      "sub.u32 x, x, base;\n"
      "setp.eq.u32 p, x, last;\n"
      "@p bra TILE_LAST;\n"
      "mov.u32 start, %%clock;\n"
      "TILE_LOOK: ld.acquire.gpu.global.u32 seen, [$1];\n"
      "mov.b32 $0, 0;\n"
      "and.b32 x, seen, 0x10000;\n"
      "setp.ne.u32 p, x, 0;\n"
      "@p bra TILE_DONE;\n"
      "mov.b32 $0, 1;\n"
      "sub.u32 x, seen, base;\n"
      "setp.ge.u32 p, x, all;\n"
      "@p bra TILE_DONE;\n"
      "mov.u32 x, %%clock;\n"
      "sub.u32 x, x, start;\n"
      "setp.lt.u32 p, x, most;\n"
      "@p bra TILE_LOOK;\n"
      "or.b32 x, seen, 0x10000;\n"
      "atom.acq_rel.gpu.global.cas.b32 old, [$1], seen, x;\n"
      "setp.ne.u32 p, old, seen;\n"
      "@p bra TILE_LOOK;\n"
      "mov.b32 $0, 0;\n"
      "bra TILE_DONE;\n"
      "TILE_LAST: and.b32 x, old, 0x10000;\n"
      "setp.ne.u32 p, x, 0;\n"
      "selp.b32 $0, 2, 1, p;\n"
      "or.pred p, p, odd;\n"
      "selp.b32 x, 0, all, odd;\n"
      "@p st.relaxed.gpu.global.u32 [$1], x;\n"
      "TILE_DONE: }";
  Lowering *l = m->l;
  char filled[sizeof text + 64];
  snprintf(filled, sizeof filled, text, m->parts, m->parts - 1);
  MlirType i32 = tileI32(l->b.context);
  MlirValue shared = lowerConstantOffset(l, l->shared, lowerSharedOffset(op));
  lowerUnfencedBarrier(l); // as in takeNumber
  TileBuilder outside = lowerBeginIf(l, tileBuildCmpi(&l->b, TILE_EQ, m->thread, lowerI32(l, 0)));
  MlirValue own = build(l, "arith.addi", counts, build(l, "arith.muli", m->place, number64(l, 4)));
  MlirOperation how =
      lowerInlineAsm(l, filled, "=r,l,r,~{memory}", i32, 2, (MlirValue[]){own, most});
  tileBuildOp(&l->b, "llvm.store", TILE_VALUES(tileResult(how), shared), TILE_NONE, TILE_NONE, 0);
  lowerEndIf(l, outside);
  lowerUnfencedBarrier(l);
  return tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(shared), 1, &i32, TILE_NONE, 0));
}

/// Values of this block, in the branch it takes: of its share, of all, or as they are.
static MlirOperation addShared(const Meeting *m, MlirValue how, const Sums *all) {
  Lowering *l = m->l;
  MlirValue added[LOWER_MOST_SUMS];
  TileBuilder outside = l->b;
  MlirOperation branches[2];
  for (int which = 0; which < 2; ++which) {
    MlirValue wanted = lowerI32(l, which ? HAS_ALL : HAS_SHARE);
    branches[which] = tileBuildIf(&l->b, tileBuildCmpi(&l->b, TILE_EQ, how, wanted), all->count,
                                  all->types, true);
    TileBuilder other = tileBuilderAtEnd(tileBody(branches[which], 1), outside.location);
    l->b = tileBuilderAtEnd(tileBody(branches[which], 0), outside.location);
    for (intptr_t i = 0; i < all->count; ++i)
      added[i] = (which ? addAll : addShare)(m, &all->sums[i], all->values[i]);
    yield(l, all->count, added);
    l->b = other;
  }
  yield(l, all->count, all->values);
  l->b = tileBuilderAtEnd(tileBody(branches[0], 1), outside.location);
  for (intptr_t i = 0; i < all->count; ++i) added[i] = mlirOperationGetResult(branches[1], i);
  yield(l, all->count, added);
  l->b = outside;
  return branches[0];
}

static void shareParts(Lowering *l, MlirOperation op, const char *name, Sums *all) {
  MlirValue counts;
  Meeting m = meet(l, name, all->bytes, &counts);
  storeParts(&m, all);
  MlirValue how = waitForAll(&m, op, counts, patience(l));
  MlirOperation added = addShared(&m, how, all);
  for (intptr_t i = 0; i < all->count; ++i)
    lowerSet(l, mlirOperationGetResult(op, i), mlirOperationGetResult(added, i));
  lowerSet(l, tileSharePartsGetGoes(op),
           tileBuildCmpi(&l->b, TILE_NE, how, lowerI32(l, HAS_NOTHING)));
  lowerSet(l, tileSharePartsGetAll(op), tileBuildCmpi(&l->b, TILE_EQ, how, lowerI32(l, HAS_ALL)));
}

MlirLogicalResult lowerShareParts(Lowering *l, MlirOperation op) {
  bool fits = l->splits > 1 && l->splits <= LOWER_SHARE_BLOCKS && l->cluster <= 1 &&
              mlirOperationGetNumOperands(op) <= LOWER_MOST_SUMS;
  if (!fits) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a kernel whose programs are split among 2 to 8 blocks of no cluster "
                  "(tile_gpu.splits) around a share of up to 8 sums, found another");
    return mlirLogicalResultFailure();
  }
  return lowerSums(l, op, mlirOperationGetNumOperands(op), l->splits, shareParts);
}

//===- all, in the last block ---------------------------------------------===//

static void collectParts(Lowering *l, MlirOperation op, const char *name, Sums *all) {
  MlirValue numbers;
  Meeting m = meet(l, name, all->bytes, &numbers);
  MlirValue last = collect(&m, op, numbers, all);
  for (intptr_t i = 0; i < all->count; ++i)
    lowerSet(l, mlirOperationGetResult(op, i), all->values[i]);
  lowerSet(l, tileCollectPartsGetLast(op), last);
}

MlirLogicalResult lowerCollectParts(Lowering *l, MlirOperation op) {
  if (l->splits <= 1 || l->cluster > LOWER_SHARE_BLOCKS) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a kernel whose programs are split (tile_gpu.splits) around a sum of "
                  "their parts, found one of whole programs");
    return mlirLogicalResultFailure();
  }
  return lowerSums(l, op, mlirOperationGetNumOperands(op), 0, collectParts);
}

//===- turns of a loop over programs --------------------------------------===//

/// A branch for a turn that has a part, where `m` finds its place, which is left open; the other
/// arm gives what `all` has, with what stands behind it.
static MlirOperation beginPart(Meeting *m, MlirValue when, MlirValue program, Sums *all) {
  Lowering *l = m->l;
  MlirLocation location = l->b.location;
  MlirOperation branch = tileBuildIf(&l->b, when, all->count + 1, all->types, true);
  l->b = tileBuilderAtEnd(tileBody(branch, 1), location);
  yield(l, all->count + 1, all->values);
  l->b = tileBuilderAtEnd(tileBody(branch, 0), location);
  m->thread = numberThread(l);
  m->place = widen(l, program);
  return branch;
}

/// The sums where the turn has a part, in a branch, else what it has.
static void collectTurns(Lowering *l, MlirOperation op, const char *name, Sums *all) {
  MlirType i1 = tileI1(l->b.context);
  MlirValue truth = tileBuildInt(&l->b, i1, 1), when = lowerGet(l, tileCollectTurnsGetWhen(op));
  Meeting m = {.l = l, .parts = (int)tileCollectTurnsGetParts(op), .blockBytes = all->bytes};
  m.split = lowerGet(l, tileCollectTurnsGetPart(op));
  MlirValue program = lowerGet(l, tileCollectTurnsGetProgram(op));
  all->types[all->count] = i1;
  all->values[all->count] = truth;
  TileBuilder outside = l->b;
  MlirOperation branch = beginPart(&m, when, program, all);
  MlirValue numbers = findMemory(&m, addressGlobal(&m, name));
  all->values[all->count] = collect(&m, op, numbers, all);
  yield(l, all->count + 1, all->values);
  l->b = outside;
  for (intptr_t i = 0; i <= all->count; ++i)
    lowerSet(l, mlirOperationGetResult(op, i), mlirOperationGetResult(branch, i));
}

MlirLogicalResult lowerCollectTurns(Lowering *l, MlirOperation op) {
  return lowerSums(l, op, mlirOperationGetNumResults(op) - 1, 0, collectTurns);
}

/// A share of the sums where the turn has a part, in a branch, else what it has.
static void shareTurns(Lowering *l, MlirOperation op, const char *name, Sums *all) {
  MlirValue when = lowerGet(l, tileShareTurnsGetWhen(op)), zero = lowerI32(l, 0);
  Meeting m = {.l = l, .parts = all->sums->added.blocks, .blockBytes = all->bytes};
  m.split = lowerGet(l, tileShareTurnsGetPart(op));
  MlirValue program = lowerGet(l, tileShareTurnsGetProgram(op));
  MlirValue together = lowerGet(l, tileShareTurnsGetTogether(op));
  all->types[all->count] = tileI32(l->b.context);
  all->values[all->count] = lowerI32(l, HAS_ALL);
  TileBuilder outside = l->b;
  MlirOperation branch = beginPart(&m, when, program, all);
  MlirValue counts = findMemory(&m, addressGlobal(&m, name));
  storeParts(&m, all);
  MlirValue most = tileBuildSelect(&l->b, together, patience(l), zero);
  MlirValue how = waitForAll(&m, op, counts, most);
  MlirOperation added = addShared(&m, how, all);
  for (intptr_t i = 0; i < all->count; ++i) all->values[i] = mlirOperationGetResult(added, i);
  all->values[all->count] = how;
  yield(l, all->count + 1, all->values);
  l->b = outside;
  for (intptr_t i = 0; i < all->count; ++i)
    lowerSet(l, mlirOperationGetResult(op, i), mlirOperationGetResult(branch, i));
  how = mlirOperationGetResult(branch, all->count);
  lowerSet(l, tileShareTurnsGetGoes(op),
           tileBuildCmpi(&l->b, TILE_NE, how, lowerI32(l, HAS_NOTHING)));
  lowerSet(l, tileShareTurnsGetAll(op), tileBuildCmpi(&l->b, TILE_EQ, how, lowerI32(l, HAS_ALL)));
}

MlirLogicalResult lowerShareTurns(Lowering *l, MlirOperation op) {
  intptr_t sums = mlirOperationGetNumResults(op) - 2;
  int64_t parts = mlirDenseArrayGetNumElements(tileAttr(op, "shares")) - 1;
  if (parts > LOWER_SHARE_BLOCKS || sums > LOWER_MOST_SUMS) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a share of up to 8 sums for each of 8 turns at most, found more");
    return mlirLogicalResultFailure();
  }
  return lowerSums(l, op, sums, (int)parts, shareTurns);
}
