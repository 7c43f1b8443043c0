//===- Pack.c - the kernel that packs arrays ------------------------------===//
//
// Where a map of some kernel is packed, the module has one more, __tile_pack, of which
// tile/Runtime/Launcher.h tells the parameters. A thread has four words of a row, as far apart as
// the block is wide, so that a warp reads and writes lines, and four loads are on their way:
//
//   | a a a a | b b b b |      two words of the array, aligned; a row begins within the first
//        \_______/
//       | word |               of the copy: both, shifted as one number
//
// Words that lie within the row's bytes are read so. At its ends words are put together of bytes:
// no byte outside of a row is read. Beyond the row the copy has zeros up to its pitch.
//
// The loads of a word that is none are of the copy itself, which costs less than a branch.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile/Runtime/Launcher.h"
#include <string.h>

enum { ROW_DIMS = 4, WORD_BYTES = 4, WORD_BITS = 32 };

typedef struct {
  TileBuilder b;
  MlirType i8, i32, i64, global;
  MlirValue row, end, target; ///< i64: the row's first byte, behind its last; the copy's row
  MlirValue width, pitch;     ///< bytes of a row, in the array and in the copy
} Packer;

static MlirValue i64Of(Packer *p, int64_t value) { return tileBuildInt(&p->b, p->i64, value); }

static MlirValue load(Packer *p, MlirType type, MlirValue address) {
  MlirValue pointer = tileBuildUnary(&p->b, "llvm.inttoptr", p->global, address);
  return tileBuildUnary(&p->b, "llvm.load", type, pointer);
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

/// A word of a row: where it begins, and what was read of it.
typedef struct {
  MlirValue offset, at, isInside, value;
} Word;

/// Two aligned words around `at`, shifted; of the copy where not both lie in the row.
static Word readWord(Packer *p, MlirValue number) {
  Word w;
  MlirValue wide = tileBuildUnary(&p->b, "arith.extui", p->i64, number);
  w.offset = tileBuildBinary(&p->b, "arith.muli", wide, i64Of(p, WORD_BYTES));
  w.at = add(p, p->row, w.offset);
  MlirValue low = both(p, w.at, i64Of(p, -WORD_BYTES));
  MlirValue behind = add(p, low, i64Of(p, 2 * (int64_t)WORD_BYTES));
  MlirValue begins = tileBuildCmpi(&p->b, TILE_UGE, low, p->row);
  MlirValue ends = tileBuildCmpi(&p->b, TILE_ULE, behind, p->end);
  w.isInside = both(p, begins, ends);
  MlirValue from = tileBuildSelect(&p->b, w.isInside, low, p->target);
  MlirValue first = load(p, p->i32, from);
  MlirValue second = load(p, p->i32, add(p, from, i64Of(p, WORD_BYTES)));
  MlirValue bytes = both(p, w.at, i64Of(p, WORD_BYTES - 1));
  MlirValue narrow = tileBuildUnary(&p->b, "arith.trunci", p->i32, bytes);
  MlirValue eight = tileBuildInt(&p->b, p->i32, 8);
  MlirValue bits = tileBuildBinary(&p->b, "arith.muli", narrow, eight);
  w.value = tileBuild(&p->b, "llvm.intr.fshr", p->i32, TILE_VALUES(second, first, bits));
  return w;
}

/// The word of those of its bytes that the row has.
static MlirValue readBytes(Packer *p, const Word *w) {
  MlirValue word = tileBuildInt(&p->b, p->i32, 0), zero = word;
  for (int i = 0; i < WORD_BYTES; ++i) {
    MlirValue at = add(p, w->at, i64Of(p, i));
    MlirValue exists = tileBuildCmpi(&p->b, TILE_ULT, at, p->end);
    MlirOperation branch = tileBuildIf(&p->b, exists, 1, &p->i32, true);
    Packer then = *p;
    then.b = tileBuilderAtEnd(tileBody(branch, 0), p->b.location);
    MlirValue byte = tileBuildUnary(&then.b, "arith.extui", p->i32, load(&then, p->i8, at));
    MlirValue place = tileBuildInt(&then.b, p->i32, (int64_t)8 * i);
    byte = tileBuildBinary(&then.b, "arith.shli", byte, place);
    tileBuildOp(&then.b, "scf.yield", TILE_VALUES(byte), TILE_NONE, TILE_NONE, 0);
    TileBuilder no = tileBuilderAtEnd(tileBody(branch, 1), p->b.location);
    tileBuildOp(&no, "scf.yield", TILE_VALUES(zero), TILE_NONE, TILE_NONE, 0);
    word = tileBuildBinary(&p->b, "arith.ori", word, tileResult(branch));
  }
  return word;
}

static void writeWord(Packer *p, const Word *w) {
  MlirValue exists = tileBuildCmpi(&p->b, TILE_ULT, w->offset, p->pitch);
  Packer inside = *p;
  MlirOperation guard = tileBuildIf(&p->b, exists, TILE_NONE, false);
  inside.b = tileBuilderAtEnd(tileBody(guard, 0), p->b.location);
  MlirOperation branch = tileBuildIf(&inside.b, w->isInside, 1, &p->i32, true);
  TileBuilder yes = tileBuilderAtEnd(tileBody(branch, 0), p->b.location);
  tileBuildOp(&yes, "scf.yield", TILE_VALUES(w->value), TILE_NONE, TILE_NONE, 0);
  Packer other = *p;
  other.b = tileBuilderAtEnd(tileBody(branch, 1), p->b.location);
  MlirValue bytes = readBytes(&other, w);
  tileBuildOp(&other.b, "scf.yield", TILE_VALUES(bytes), TILE_NONE, TILE_NONE, 0);
  MlirValue address = add(&inside, p->target, w->offset);
  MlirValue pointer = tileBuildUnary(&inside.b, "llvm.inttoptr", p->global, address);
  tileBuildOp(&inside.b, "llvm.store", TILE_VALUES(tileResult(branch), pointer), TILE_NONE,
              TILE_NONE, 0);
  tileBuildOp(&inside.b, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
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
  MlirValue wide = tileBuildUnary(&in.b, "arith.extui", p->i64, number);
  MlirValue above = tileBuildBinary(&in.b, "arith.muli", wide, in.pitch);
  in.target = add(&in, mlirBlockGetArgument(entry, 1), above);
  MlirValue threadsX = special(&in, "nvvm.read.ptx.sreg.ntid.x");
  MlirValue each = tileBuildInt(&in.b, p->i32, TILE_PACK_WORDS);
  MlirValue word = tileBuildBinary(&in.b, "arith.muli", threadsX, each);
  word = tileBuildBinary(&in.b, "arith.muli", word, special(&in, "nvvm.read.ptx.sreg.ctaid.y"));
  word = add(&in, word, special(&in, "nvvm.read.ptx.sreg.tid.x"));
  Word words[TILE_PACK_WORDS];
  for (int i = 0; i < TILE_PACK_WORDS; ++i) {
    words[i] = readWord(&in, word);
    word = add(&in, word, threadsX);
  }
  for (int i = 0; i < TILE_PACK_WORDS; ++i) writeWord(&in, &words[i]);
  tileBuildOp(&in.b, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

void lowerPackKernel(MlirBlock module, MlirLocation loc) {
  TileBuilder at = tileBuilderAtEnd(module, loc);
  MlirContext c = at.context;
  Packer p = {.i8 = tileI8(c),
              .i32 = tileI32(c),
              .i64 = tileI64(c),
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
