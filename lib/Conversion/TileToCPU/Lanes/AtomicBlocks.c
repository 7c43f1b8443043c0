//===- AtomicBlocks.c - atomic updates of lanes that lie together ---------===//
//
// Processors add atomically to one number at a time. But compare-and-exchange takes 16 bytes, that
// are four sums of f32 or eight of f16, each of which it exchanges atomically: where nobody asks
// what was there, lanes that lie together are updated in aligned blocks of 16 bytes.
//
//   memory    .. | a  a  a  a | a  a  a  a | a  a  a  a |
//   lanes              0  1  2   3  4  5  6   7             one exchange for each block
//
// What of a block is no lane, or is masked off, is exchanged for what was there. A block with a
// lane that is on lies in one page with it, and is written as a whole while nobody else writes to
// it.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"

typedef struct {
  CpuLowering *l;
  MlirOperation op;
  MlirType element, memory;
  int64_t bytes, lanes; ///< of a block
  MlirValue values, masks;
  MlirValue address; ///< of the first block (i64)
} Blocks;

const char *cpuUpdateOf(MlirOperation op) {
  static const char *const names[] = {/*add*/ "arith.addi",     /*fadd*/ "arith.addf",
                                      /*and*/ "arith.andi",     /*or*/ "arith.ori",
                                      /*xor*/ "arith.xori",     /*min*/ "arith.minsi",
                                      /*max*/ "arith.maxsi",    /*umin*/ "arith.minui",
                                      /*umax*/ "arith.maxui",   /*xchg*/ NULL,
                                      /*fmin*/ "arith.minnumf", /*fmax*/ "arith.maxnumf"};
  return names[tileAtomicRmwGetKind(op)];
}

bool cpuHasBlocks(MlirOperation op) {
  if (!tileOpIsAAtomicRmw(op) || !cpuUpdateOf(op)) return false;
  MlirValue old = tileResult(op);
  if (!tileTypeIsTile(mlirValueGetType(old))) return false;
  if (!mlirOpOperandIsNull(mlirValueGetFirstUse(old))) return false;
  MlirType element = tileElementType(mlirValueGetType(old));
  int bits = tileBitWidth(element);
  return !tileTypeIsAPtr(element) && (bits == 16 || bits == 32 || bits == 64);
}

/// What a block that holds `old` is to hold.
static MlirValue update(Blocks *b, MlirValue old, MlirValue values, MlirValue mask) {
  CpuLowering *l = b->l;
  MlirType f32 = tileF32(l->context);
  bool isNarrow = tileTypeIsFloat(b->element) && tileBitWidth(b->element) == 16;
  MlirValue x = old, y = values;
  if (isNarrow) {
    x = cpuConvertFloat(l, x, b->element, f32);
    y = cpuConvertFloat(l, y, b->element, f32);
  }
  MlirValue next = tileBuildBinary(&l->at, cpuUpdateOf(b->op), x, y);
  if (isNarrow) next = cpuConvertFloat(l, next, f32, b->element);
  return tileBuildSelect(&l->at, mask, next, old);
}

/// A block's new numbers, and whether each of them is one.
typedef struct {
  Blocks *b;
  MlirValue values, mask;
} Update;

static MlirValue updateWord(CpuLowering *l, MlirValue seen, void *data) {
  Update *u = data;
  MlirType block = tileVectorType(u->b->lanes, u->b->memory);
  MlirValue old = tileBuildUnary(&l->at, "llvm.bitcast", block, seen);
  MlirValue next = update(u->b, old, u->values, u->mask);
  return tileBuildUnary(&l->at, "llvm.bitcast", mlirValueGetType(seen), next);
}

/// Exchanges until nobody came between.
static void exchangeBlock(Blocks *b, MlirValue pointer, MlirValue values, MlirValue mask) {
  CpuLowering *l = b->l;
  MlirType word = mlirIntegerTypeGet(l->context, (unsigned)(8 * b->bytes));
  MlirAttribute align = mlirIntegerAttrGet(tileI64(l->context), b->bytes);
  MlirAttribute unit = mlirUnitAttrGet(l->context);
  // Read once; what comes of it is compared.
  MlirValue first =
      tileResult(tileBuildOp(&l->at, "llvm.load", TILE_VALUES(pointer), 1, &word,
                             TILE_ATTRS({"alignment", align}, {"volatile_", unit}), 0));
  Update u = {.b = b, .values = values, .mask = mask};
  cpuExchangeUntilDone(l, pointer, first, tileAtomicRmwGetOrder(b->op), updateWord, &u);
}

typedef struct {
  Blocks *b;
  MlirValue first; ///< number of the block's first element
  MlirValue mask;
} Block;

static void emitBlock(CpuLowering *l, bool yes, void *data) {
  (void)yes;
  Block *one = data;
  Blocks *b = one->b;
  MlirValue null = {NULL}, from = cpuOffset(l, b->values, b->element, one->first);
  MlirValue values = cpuLoad(l, from, b->element, b->lanes, null, null);
  MlirValue offset =
      tileBuildBinary(&l->at, "arith.muli", one->first, cpuI64(l, tileElementBytes(b->element)));
  MlirValue address = tileBuildBinary(&l->at, "arith.addi", b->address, offset);
  MlirValue pointer = tileBuildUnary(&l->at, "llvm.inttoptr", cpuPointerType(l), address);
  exchangeBlock(b, pointer, values, one->mask);
}

void cpuEmitBlocks(CpuLowering *l, MlirOperation op, MlirValue pointer, MlirValue value,
                   MlirValue mask) {
  MlirType i64 = tileI64(l->context), truth = tileI1(l->context);
  Blocks b = {.l = l, .op = op, .element = tileElementType(mlirValueGetType(tileResult(op)))};
  b.memory = cpuMemoryType(l, b.element);
  // Processors with vectors of 256 bits exchange 16 bytes.
  b.bytes = l->vectorBits >= 256 ? 16 : 8;
  b.lanes = b.bytes / tileElementBytes(b.element);
  int64_t width = cpuWidth(value);
  MlirValue null = {NULL};
  b.values = cpuAllocateStack(l, b.element, width + 2 * b.lanes);
  b.masks = cpuAllocateStack(l, truth, width + 2 * b.lanes);
  // How many elements of the first block lie in front of the first lane.
  MlirValue address = tileBuildUnary(&l->at, "llvm.ptrtoint", i64, pointer);
  MlirValue skew = tileBuildBinary(&l->at, "arith.andi", address, cpuI64(l, b.bytes - 1));
  b.address = tileBuildBinary(&l->at, "arith.subi", address, skew);
  skew = tileBuildBinary(&l->at, "arith.divui", skew, cpuI64(l, tileElementBytes(b.element)));
  MlirValue behind = tileBuildBinary(&l->at, "arith.addi", skew, cpuI64(l, width));
  MlirValue off = cpuInt(l, tileVectorType(b.lanes, truth), 0);
  if (mlirValueIsNull(mask)) mask = cpuFirstLanes(l, width, width);
  cpuStore(l, b.masks, truth, off, null);
  cpuStore(l, cpuOffset(l, b.masks, truth, behind), truth, off, null);
  cpuStore(l, cpuOffset(l, b.masks, truth, skew), truth, mask, null);
  cpuStore(l, cpuOffset(l, b.values, b.element, skew), b.element, value, null);
  CpuLoop loop;
  Block one = {.b = &b};
  one.first = cpuBeginLoop(l, &loop, cpuI64(l, 0), behind, cpuI64(l, b.lanes), 0, NULL);
  one.mask = cpuLoad(l, cpuOffset(l, b.masks, truth, one.first), truth, b.lanes, null, null);
  MlirValue any = tileResult(
      tileBuildOp(&l->at, "vector.reduction", TILE_VALUES(one.mask), 1, &truth,
                  TILE_ATTRS({"kind", tileParseAttr(l->context, "#vector.kind<or>")}), 0));
  cpuIf(l, any, false, emitBlock, &one);
  cpuEndLoop(l, &loop, 0, NULL);
}
