//===- Prefetch.c - lines that the L2 cache is asked for ahead ------------===//
//
// tile_gpu.prefetch_array %d first 256 of 1, of elements of 2 bytes: each row's first 4 lines. The
// grid's threads count from the last of each block on, since the last warps have nothing else to
// do, and from block to block, so that all multiprocessors have as many:
//
//   %number = (threads - 1 - tid) * blocks + block
//   %row, %line = %number / 4, %number % 4
//   if row < extent[0] and 128 * line < bytes of a row: prefetch base + row * pitch + 128 * line
//
// Where blocks divide the dimension, those of a part count threads and blocks among themselves, and
// from where it begins.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"

/// The block's number in the grid, x fastest, and the number of blocks.
static MlirValue buildBlock(Lowering *l, MlirValue *blocks) {
  MlirValue block = {NULL};
  // The grid of a kernel that stays lies along x.
  for (int axis = l->hidden.persistent ? 0 : 2; axis >= 0; --axis) {
    MlirValue at = lowerSpecialRegister(l, "ctaid", axis);
    MlirValue count = lowerSpecialRegister(l, "nctaid", axis);
    bool first = mlirValueIsNull(block);
    MlirValue before = first ? block : tileBuildBinary(&l->b, "arith.muli", block, count);
    block = first ? at : tileBuildBinary(&l->b, "arith.addi", before, at);
    *blocks = first ? count : tileBuildBinary(&l->b, "arith.muli", *blocks, count);
  }
  return block;
}

/// This thread's number among those of the grid, or of the blocks that have the same of so many
/// `parts`, which is given as well.
static MlirValue buildNumber(Lowering *l, int64_t parts, MlirValue *part) {
  int64_t threads = 32 * l->blockWarps * l->teams;
  MlirValue blocks, block = buildBlock(l, &blocks), last = lowerI32(l, threads - 1);
  if (parts > 1) {
    MlirValue count = lowerI32(l, parts);
    *part = tileBuildBinary(&l->b, "arith.remui", block, count);
    block = tileBuildBinary(&l->b, "arith.divui", block, count);
    blocks = tileBuildBinary(&l->b, "arith.divui", blocks, count);
  }
  MlirValue thread = lowerSpecialRegister(l, "tid", 0);
  MlirValue behind = tileBuildBinary(&l->b, "arith.subi", last, thread);
  MlirValue before = tileBuildBinary(&l->b, "arith.muli", behind, blocks);
  return tileBuildBinary(&l->b, "arith.addi", before, block);
}

static MlirValue widen(Lowering *l, const char *name, MlirValue number) {
  return tileBuildUnary(&l->b, name, tileI64(l->b.context), number);
}

static MlirValue scale(Lowering *l, MlirValue number, int64_t factor) {
  return tileBuildBinary(&l->b, "arith.muli", number,
                         tileBuildInt(&l->b, tileI64(l->b.context), factor));
}

/// The first element of a part of `extent` elements, whose steps are divided as tile-split-sums
/// does: as many for each part, and one more for the first ones.
static MlirValue beginPart(Lowering *l, MlirValue extent, int64_t step, int64_t parts,
                           MlirValue part) {
  MlirValue steps = tileBuildBinary(&l->b, "arith.ceildivsi", extent, lowerI32(l, step));
  MlirValue count = lowerI32(l, parts);
  MlirValue each = tileBuildBinary(&l->b, "arith.divui", steps, count);
  MlirValue rest = tileBuildBinary(&l->b, "arith.remui", steps, count);
  MlirValue before = tileBuildBinary(&l->b, "arith.muli", part, each);
  MlirValue more = tileBuildBinary(&l->b, "arith.minui", part, rest);
  before = tileBuildBinary(&l->b, "arith.addi", before, more);
  return tileBuildBinary(&l->b, "arith.muli", before, lowerI32(l, step));
}

MlirLogicalResult lowerPrefetchArray(Lowering *l, MlirOperation op) {
  MlirContext c = l->b.context;
  MlirOperation desc = tileValueGetOp(tilePrefetchArrayGetDesc(op));
  if (mlirOperationIsNull(desc) || !tileOpIsAMakeDesc(desc)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a descriptor of tile.make_desc, found another");
    return mlirLogicalResultFailure();
  }
  MlirType box = tileDescTypeGetBox(mlirValueGetType(tileResult(desc)));
  int64_t bytes = tileElementBytes(tileElementType(box)), count = tilePrefetchArrayGetCount(op);
  bool ofRow = tilePrefetchArrayGetDim(op) == 1;
  int lineBytes = l->machine->lineBytes;
  int64_t lines = ofRow ? (count * bytes + lineBytes - 1) / lineBytes : count;
  int64_t parts = tileIntAttr(op, "parts", 1), step = tileIntAttr(op, "step", 1);
  MlirValue part = {NULL}, number = buildNumber(l, parts, &part), most = lowerI32(l, lines);
  MlirValue inside = tileBuildBinary(&l->b, "arith.remui", number, most);
  MlirValue other = tileBuildBinary(&l->b, "arith.divui", number, most);
  MlirValue row = ofRow ? other : inside, line = widen(l, "arith.extui", ofRow ? inside : other);
  MlirValue column = scale(l, line, lineBytes);
  if (parts > 1) {
    MlirValue extent = lowerGet(l, tileMakeDescGetShape(desc, ofRow));
    MlirValue begin = beginPart(l, extent, step, parts, part);
    if (ofRow)
      column = tileBuildBinary(&l->b, "arith.addi", column,
                               scale(l, widen(l, "arith.extui", begin), bytes));
    else
      row = tileBuildBinary(&l->b, "arith.addi", row, begin);
  }
  MlirValue width = widen(l, "arith.extsi", lowerGet(l, tileMakeDescGetShape(desc, 1)));
  MlirValue end = scale(l, width, bytes);
  MlirValue height = lowerGet(l, tileMakeDescGetShape(desc, 0));
  MlirValue isRow = tileBuildCmpi(&l->b, TILE_ULT, row, height);
  MlirValue isLine = tileBuildCmpi(&l->b, TILE_SLT, column, end);
  TileBuilder outside = lowerBeginIf(l, tileBuildBinary(&l->b, "arith.andi", isRow, isLine));
  MlirValue base = lowerGet(l, tileMakeDescGetBase(desc));
  MlirValue pitch = scale(l, lowerGet(l, tileMakeDescGetStrides(desc, 0)), bytes);
  MlirValue wide = widen(l, "arith.extui", row);
  MlirValue above = tileBuildBinary(&l->b, "arith.muli", wide, pitch);
  MlirValue offset = tileBuildBinary(&l->b, "arith.addi", above, column);
  MlirValue address = tileBuildBinary(&l->b, "arith.addi", base, offset);
  MlirType global = mlirTypeParseGet(c, tileString("!llvm.ptr<1>"));
  MlirValue pointer = tileBuildUnary(&l->b, "llvm.inttoptr", global, address);
  tileBuildOp(&l->b, "nvvm.prefetch", TILE_VALUES(pointer), TILE_NONE,
              TILE_ATTRS({"cacheLevel", tileParseAttr(c, "#nvvm<prefetch_cache_level L2>")}), 0);
  lowerEndIf(l, outside);
  return mlirLogicalResultSuccess();
}
