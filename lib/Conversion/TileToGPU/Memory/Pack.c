//===- Pack.c - the kernel that packs arrays ------------------------------===//
//
// Where a map of some kernel is packed, the module has one more, __tile_pack, of which
// tile/Runtime/Launcher.h tells the parameters. A thread has four chunks of a row, of 16 bytes, as
// far apart as the block is wide, so that a warp reads and writes lines, and eight loads are on
// their way:
//
//   | a a a a a a a a | b b b b b b b b |   two chunks of the array, aligned; how far behind the
//             \_______________/             first a chunk begins is the same all along a row
//            |     chunk     |              of the copy: words, and bits, that far on in both
//
// Both are read where they lie in the array, which may be other rows' bytes; the few at its ends
// are put together of bytes: none outside of the array is read. Beyond the row the copy has zeros
// up to its pitch.
//
// The loads of a chunk that is none are of the copy itself, which costs less than a branch.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile/Runtime/Launcher.h"
#include <string.h>

enum { ROW_DIMS = 4, WORD_BYTES = 4, WORDS = TILE_PACK_BYTES / WORD_BYTES };

typedef struct {
  TileBuilder b;
  MlirType i8, i32, i64, chunk, global;
  MlirValue begin, finish;    ///< i64: the array's first byte, behind its last
  MlirValue row, end, target; ///< the row's first byte, behind its last; the copy's row
  MlirValue width, pitch;     ///< bytes of a row, in the array and in the copy
  MlirValue one, two;         ///< i1: are chunks an odd number of words further on? And two more?
  MlirValue bits;             ///< i32: besides words
} Packer;

static MlirValue i64Of(Packer *p, int64_t value) { return tileBuildInt(&p->b, p->i64, value); }
static MlirValue i32Of(Packer *p, int64_t value) { return tileBuildInt(&p->b, p->i32, value); }

static MlirValue pointerTo(Packer *p, MlirValue address) {
  return tileBuildUnary(&p->b, "llvm.inttoptr", p->global, address);
}

/// A chunk at a multiple of its bytes.
static MlirValue loadChunk(Packer *p, MlirValue address) {
  MlirAttribute alignment = mlirIntegerAttrGet(p->i64, TILE_PACK_BYTES);
  return tileResult(tileBuildOp(&p->b, "llvm.load", TILE_VALUES(pointerTo(p, address)), 1,
                                &p->chunk, TILE_ATTRS({"alignment", alignment}), 0));
}

static MlirValue add(Packer *p, MlirValue a, MlirValue b) {
  return tileBuildBinary(&p->b, "arith.addi", a, b);
}

static MlirValue both(Packer *p, MlirValue a, MlirValue b) {
  return tileBuildBinary(&p->b, "arith.andi", a, b);
}

static MlirValue special(Packer *p, const char *name) {
  return tileBuild(&p->b, name, p->i32, TILE_NONE);
}

/// A chunk of a row: where it begins, and the two around it.
typedef struct {
  MlirValue offset, at, isInside, first, second;
} Chunk;

/// Of the copy where not both lie in the array.
static Chunk readChunk(Packer *p, MlirValue number) {
  Chunk c;
  MlirValue wide = tileBuildUnary(&p->b, "arith.extui", p->i64, number);
  c.offset = tileBuildBinary(&p->b, "arith.muli", wide, i64Of(p, TILE_PACK_BYTES));
  c.at = add(p, p->row, c.offset);
  MlirValue low = both(p, c.at, i64Of(p, -TILE_PACK_BYTES));
  MlirValue behind = add(p, low, i64Of(p, (int64_t)2 * TILE_PACK_BYTES));
  MlirValue begins = tileBuildCmpi(&p->b, TILE_UGE, low, p->begin);
  MlirValue ends = tileBuildCmpi(&p->b, TILE_ULE, behind, p->finish);
  c.isInside = both(p, begins, ends);
  MlirValue from = tileBuildSelect(&p->b, c.isInside, low, p->target);
  c.first = loadChunk(p, from);
  c.second = loadChunk(p, add(p, from, i64Of(p, TILE_PACK_BYTES)));
  return c;
}

/// Word `number` with zeros for the bytes that the row does not have.
static MlirValue cutWord(Packer *p, const Chunk *c, int number, MlirValue word) {
  MlirValue behind = add(p, c->offset, i64Of(p, (int64_t)number * WORD_BYTES));
  MlirValue left = tileBuildBinary(&p->b, "arith.subi", p->width, behind);
  left = tileBuildBinary(&p->b, "arith.maxsi", left, i64Of(p, 0));
  MlirValue all = tileBuildCmpi(&p->b, TILE_SGE, left, i64Of(p, WORD_BYTES));
  MlirValue narrow = tileBuildUnary(&p->b, "arith.trunci", p->i32, left);
  narrow = both(p, narrow, i32Of(p, WORD_BYTES - 1));
  MlirValue bits = tileBuildBinary(&p->b, "arith.muli", narrow, i32Of(p, 8));
  MlirValue over = tileBuildBinary(&p->b, "arith.shli", i32Of(p, 1), bits);
  MlirValue some = tileBuildBinary(&p->b, "arith.subi", over, i32Of(p, 1));
  return both(p, word, tileBuildSelect(&p->b, all, i32Of(p, -1), some));
}

/// Zeros where the row has ended, in its last chunk and behind it.
static void cut(Packer *p, const Chunk *c, MlirValue words[WORDS]) {
  MlirType types[WORDS];
  for (int i = 0; i < WORDS; ++i) types[i] = p->i32;
  MlirValue behind = add(p, c->offset, i64Of(p, TILE_PACK_BYTES));
  MlirValue isWhole = tileBuildCmpi(&p->b, TILE_ULE, behind, p->width);
  MlirOperation branch = tileBuildIf(&p->b, isWhole, WORDS, types, true);
  TileBuilder yes = tileBuilderAtEnd(tileBody(branch, 0), p->b.location);
  tileBuildOp(&yes, "scf.yield", WORDS, words, TILE_NONE, TILE_NONE, 0);
  Packer no = *p;
  no.b = tileBuilderAtEnd(tileBody(branch, 1), p->b.location);
  for (int i = 0; i < WORDS; ++i) words[i] = cutWord(&no, c, i, words[i]);
  tileBuildOp(&no.b, "scf.yield", WORDS, words, TILE_NONE, TILE_NONE, 0);
  for (int i = 0; i < WORDS; ++i) words[i] = mlirOperationGetResult(branch, i);
}

/// The chunk, out of the two around it.
static MlirValue shift(Packer *p, const Chunk *c) {
  MlirValue words[2 * WORDS], chunk = tileBuild(&p->b, "llvm.mlir.undef", p->chunk, TILE_NONE);
  for (int i = 0; i < 2 * WORDS; ++i) {
    MlirValue operands[] = {i < WORDS ? c->first : c->second, i32Of(p, i % WORDS)};
    words[i] = tileResult(
        tileBuildOp(&p->b, "llvm.extractelement", 2, operands, 1, &p->i32, TILE_NONE, 0));
  }
  for (int i = 0; i < 2 * WORDS - 2; ++i)
    words[i] = tileBuildSelect(&p->b, p->two, words[i + 2], words[i]);
  for (int i = 0; i <= WORDS; ++i)
    words[i] = tileBuildSelect(&p->b, p->one, words[i + 1], words[i]);
  for (int i = 0; i < WORDS; ++i)
    words[i] =
        tileBuild(&p->b, "llvm.intr.fshr", p->i32, TILE_VALUES(words[i + 1], words[i], p->bits));
  cut(p, c, words);
  for (int i = 0; i < WORDS; ++i)
    chunk =
        tileBuild(&p->b, "llvm.insertelement", p->chunk, TILE_VALUES(chunk, words[i], i32Of(p, i)));
  return chunk;
}

/// Byte by byte, those of the row, then zeros.
static void copyBytes(Packer *p, const Chunk *c) {
  MlirValue bounds[] = {i64Of(p, 0), i64Of(p, TILE_PACK_BYTES), i64Of(p, 1)};
  MlirBlock body = tileBody(tileBuildFor(&p->b, 3, bounds), 0);
  Packer in = *p;
  in.b = tileBuilderAtEnd(body, p->b.location);
  MlirValue i = mlirBlockGetArgument(body, 0), at = add(&in, c->at, i);
  MlirValue exists = tileBuildCmpi(&in.b, TILE_ULT, at, p->end);
  MlirOperation branch = tileBuildIf(&in.b, exists, 1, &p->i8, true);
  Packer yes = in, no = in;
  yes.b = tileBuilderAtEnd(tileBody(branch, 0), p->b.location);
  MlirValue byte = tileBuildUnary(&yes.b, "llvm.load", p->i8, pointerTo(&yes, at));
  tileBuildOp(&yes.b, "scf.yield", TILE_VALUES(byte), TILE_NONE, TILE_NONE, 0);
  no.b = tileBuilderAtEnd(tileBody(branch, 1), p->b.location);
  tileBuildOp(&no.b, "scf.yield", TILE_VALUES(tileBuildInt(&no.b, p->i8, 0)), TILE_NONE, TILE_NONE,
              0);
  MlirValue to = pointerTo(&in, add(&in, add(&in, p->target, c->offset), i));
  tileBuildOp(&in.b, "llvm.store", TILE_VALUES(tileResult(branch), to), TILE_NONE, TILE_NONE, 0);
  tileBuildOp(&in.b, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

static void writeChunk(Packer *p, const Chunk *c) {
  MlirValue exists = tileBuildCmpi(&p->b, TILE_ULT, c->offset, p->pitch);
  Packer inside = *p;
  MlirOperation guard = tileBuildIf(&p->b, exists, TILE_NONE, false);
  inside.b = tileBuilderAtEnd(tileBody(guard, 0), p->b.location);
  MlirOperation branch = tileBuildIf(&inside.b, c->isInside, TILE_NONE, true);
  Packer yes = *p, no = *p;
  yes.b = tileBuilderAtEnd(tileBody(branch, 0), p->b.location);
  MlirValue chunk = shift(&yes, c);
  MlirValue to = pointerTo(&yes, add(&yes, p->target, c->offset));
  MlirAttribute alignment = mlirIntegerAttrGet(p->i64, TILE_PACK_BYTES);
  tileBuildOp(&yes.b, "llvm.store", TILE_VALUES(chunk, to), TILE_NONE,
              TILE_ATTRS({"alignment", alignment}), 0);
  tileBuildOp(&yes.b, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  no.b = tileBuilderAtEnd(tileBody(branch, 1), p->b.location);
  copyBytes(&no, c);
  tileBuildOp(&no.b, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  tileBuildOp(&inside.b, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// How far behind a chunk of the array those of the row begin.
static void findShift(Packer *p) {
  MlirValue low = tileBuildUnary(&p->b, "arith.trunci", p->i32, p->row), zero = i32Of(p, 0);
  MlirValue one = both(p, low, i32Of(p, WORD_BYTES)), two = both(p, low, i32Of(p, 2 * WORD_BYTES));
  p->one = tileBuildCmpi(&p->b, TILE_NE, one, zero);
  p->two = tileBuildCmpi(&p->b, TILE_NE, two, zero);
  MlirValue bytes = both(p, low, i32Of(p, WORD_BYTES - 1));
  p->bits = tileBuildBinary(&p->b, "arith.muli", bytes, i32Of(p, 8));
}

/// from + the sum of its position along each dimension times that one's stride.
static MlirValue findRow(Packer *p, MlirValue number, MlirBlock entry) {
  MlirValue at = mlirBlockGetArgument(entry, 0), rest = number;
  for (int d = ROW_DIMS - 1; d >= 0; --d) {
    MlirValue position = rest;
    if (d) {
      MlirValue extent = mlirBlockGetArgument(entry, 4 + d);
      position = tileBuildBinary(&p->b, "arith.remui", rest, extent);
      rest = tileBuildBinary(&p->b, "arith.divui", rest, extent);
    }
    MlirValue wide = tileBuildUnary(&p->b, "arith.extui", p->i64, position);
    MlirValue stride = mlirBlockGetArgument(entry, 8 + d);
    at = add(p, at, tileBuildBinary(&p->b, "arith.muli", wide, stride));
  }
  return at;
}

/// One row of the block's, or none.
static void buildRow(Packer *p, MlirBlock entry) {
  MlirValue blockX = special(p, "nvvm.read.ptx.sreg.ctaid.x");
  MlirValue threadsY = special(p, "nvvm.read.ptx.sreg.ntid.y");
  MlirValue number = tileBuildBinary(&p->b, "arith.muli", blockX, threadsY);
  number = add(p, number, special(p, "nvvm.read.ptx.sreg.tid.y"));
  MlirValue rows = mlirBlockGetArgument(entry, 4);
  MlirValue exists = tileBuildCmpi(&p->b, TILE_ULT, number, rows);
  MlirOperation guard = tileBuildIf(&p->b, exists, TILE_NONE, false);
  Packer in = *p;
  in.b = tileBuilderAtEnd(tileBody(guard, 0), p->b.location);
  in.width = mlirBlockGetArgument(entry, 2);
  in.pitch = mlirBlockGetArgument(entry, 3);
  in.row = findRow(&in, number, entry);
  in.end = add(&in, in.row, in.width);
  in.begin = mlirBlockGetArgument(entry, 0);
  in.finish = mlirBlockGetArgument(entry, TILE_PACK_PARAMETERS - 1);
  findShift(&in);
  MlirValue wide = tileBuildUnary(&in.b, "arith.extui", p->i64, number);
  MlirValue above = tileBuildBinary(&in.b, "arith.muli", wide, in.pitch);
  in.target = add(&in, mlirBlockGetArgument(entry, 1), above);
  MlirValue threadsX = special(&in, "nvvm.read.ptx.sreg.ntid.x");
  MlirValue each = i32Of(&in, TILE_PACK_CHUNKS);
  MlirValue place = tileBuildBinary(&in.b, "arith.muli", threadsX, each);
  place = tileBuildBinary(&in.b, "arith.muli", place, special(&in, "nvvm.read.ptx.sreg.ctaid.y"));
  place = add(&in, place, special(&in, "nvvm.read.ptx.sreg.tid.x"));
  Chunk chunks[TILE_PACK_CHUNKS];
  for (int i = 0; i < TILE_PACK_CHUNKS; ++i) {
    chunks[i] = readChunk(&in, place);
    place = add(&in, place, threadsX);
  }
  for (int i = 0; i < TILE_PACK_CHUNKS; ++i) writeChunk(&in, &chunks[i]);
  tileBuildOp(&in.b, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

void lowerPackKernel(MlirBlock module, MlirLocation loc) {
  TileBuilder at = tileBuilderAtEnd(module, loc);
  MlirContext c = at.context;
  Packer p = {.i8 = tileI8(c),
              .i32 = tileI32(c),
              .i64 = tileI64(c),
              .chunk = tileVectorType(WORDS, tileI32(c)),
              .global = mlirLLVMPointerTypeGet(c, 1)};
  MlirBlock entry = mlirBlockCreate(0, NULL, NULL);
  MlirType types[TILE_PACK_PARAMETERS];
  for (int i = 0; i < TILE_PACK_PARAMETERS; ++i) {
    types[i] = i >= 4 && i < 8 ? p.i32 : p.i64;
    mlirBlockAddArgument(entry, types[i], loc);
  }
  MlirType type =
      mlirLLVMFunctionTypeGet(mlirLLVMVoidTypeGet(c), TILE_PACK_PARAMETERS, types, false);
  const int32_t threads = TILE_PACK_THREADS;
  MlirOperation func = tileBuildOp(
      &at, "llvm.func", TILE_NONE, TILE_NONE,
      TILE_ATTRS({"sym_name", tileStringAttr(c, TILE_PACK)},
                 {"function_type", mlirTypeAttrGet(type)}, {"gpu.kernel", mlirUnitAttrGet(c)},
                 {"nvvm.kernel", mlirUnitAttrGet(c)},
                 {"nvvm.maxntid", mlirDenseI32ArrayGet(c, 1, &threads)}),
      1);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(func, 0), entry);
  p.b = tileBuilderAtEnd(entry, loc);
  buildRow(&p, entry);
  tileBuildOp(&p.b, "llvm.return", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}
