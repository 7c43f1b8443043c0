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

/// This thread's number among those of the grid.
static MlirValue buildNumber(Lowering *l) {
  int64_t threads = 32 * l->blockWarps;
  MlirValue blocks, block = buildBlock(l, &blocks), last = lowerI32(l, threads - 1);
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

MlirLogicalResult lowerPrefetchArray(Lowering *l, MlirOperation op) {
  MlirContext c = l->b.context;
  MlirOperation desc = tileValueGetOp(tilePrefetchArrayGetDesc(op));
  if (mlirOperationIsNull(desc) || !tileOpIsAMakeDesc(desc)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a descriptor of tile.make_desc, found another");
    return mlirLogicalResultFailure();
  }
  MlirType box = tileDescTypeGetBox(mlirValueGetType(tileResult(desc)));
  int64_t bytes = lowerElementBytes(tileElementType(box)), count = tilePrefetchArrayGetCount(op);
  bool ofRow = tilePrefetchArrayGetDim(op) == 1;
  int lineBytes = l->machine->lineBytes;
  int64_t lines = ofRow ? (count * bytes + lineBytes - 1) / lineBytes : count;
  MlirValue number = buildNumber(l), most = lowerI32(l, lines);
  MlirValue inside = tileBuildBinary(&l->b, "arith.remui", number, most);
  MlirValue other = tileBuildBinary(&l->b, "arith.divui", number, most);
  MlirValue row = ofRow ? other : inside, line = widen(l, "arith.extui", ofRow ? inside : other);
  MlirValue column = scale(l, line, lineBytes);
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
