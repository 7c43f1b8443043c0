//===- TensorMaps.c - descriptors in terms of a kernel's arguments --------===//
//
// A tensor map is encoded on the host, so all that a tile.make_desc says must follow from the
// kernel's arguments. Walking from its operands to the arguments writes the description:
//
//   %two = arith.constant 2 : i32
//   %n2 = arith.muli %n, %two : i32                        %n: argument 3
//   %s = arith.extsi %n2 : i32 to i64
//   tile.make_desc %x, [%m, %n2], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
//
//   f16 %0 [%2:i32, (mul:i32 %3:i32 2)] [(mul:i32 %3:i32 2)] box [128, 64] swizzle 128
//
// Values are the integers they stand for, so an extension changes nothing, and a truncation only
// promises that the value fits. tile/Runtime/Launcher.h has the grammar.
//
//===----------------------------------------------------------------------===//
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include "tile/TensorMap.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/// The description as it grows. Each level of an expression writes before it goes deeper, so the
/// end of the text bounds the depth.
typedef struct Writer {
  char *text;
  size_t used;
  bool full;
  bool quiet;       ///< whoever asks only wants to know
  MlirOperation op; ///< the make_desc
} Writer;

static void write(Writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void write(Writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t room = TILE_TENSOR_MAP_TEXT - w->used;
  int length = vsnprintf(w->text + w->used, room, format, args);
  va_end(args);
  if (length < 0 || (size_t)length >= room)
    w->full = true;
  else
    w->used += (size_t)length;
}

static bool refuse(const Writer *w, const char *what, MlirValue found) {
  if (w->quiet) return false;
  MlirOperation by = tileValueGetOp(found);
  MlirStringRef name = mlirOperationIsNull(by)
                           ? tileString("a value that changes inside the kernel")
                           : tileOpName(by);
  tileEmitError(mlirOperationGetLocation(w->op),
                "expected a descriptor made of kernel arguments, found %.*s in its %s",
                (int)name.length, name.data, what);
  return false;
}

/// The number of a kernel argument; -1 for any other value.
static intptr_t argumentOf(MlirValue value) {
  if (!mlirValueIsABlockArgument(value)) return -1;
  MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return tileOpIsAFunc(owner) ? mlirBlockArgumentGetArgNumber(value) : -1;
}

/// Bits of an integer or index that the host can compute with; 0 for anything else.
static int widthOf(MlirType type) {
  if (mlirTypeIsAIndex(type)) return 64;
  int bits = mlirTypeIsAInteger(type) ? (int)mlirIntegerTypeGetWidth(type) : 0;
  return bits >= 8 && bits <= 64 ? bits : 0;
}

static const char *binaryName(MlirOperation op) {
  static const char *const names[][2] = {{"arith.addi", "add"},          {"arith.subi", "sub"},
                                         {"arith.muli", "mul"},          {"arith.divsi", "div"},
                                         {"arith.ceildivsi", "ceildiv"}, {"arith.minsi", "min"},
                                         {"arith.maxsi", "max"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tileOpIs(op, names[i][0])) return names[i][1];
  return NULL;
}

static bool writeExpression(Writer *w, const char *what, MlirValue value) {
  if (w->full) return false;
  intptr_t argument = argumentOf(value);
  int bits = widthOf(mlirValueGetType(value));
  int64_t constant;
  MlirOperation op = tileValueGetOp(value);
  if (!bits || (argument < 0 && mlirOperationIsNull(op))) return refuse(w, what, value);
  if (argument >= 0) {
    write(w, "%%%ld:i%d", (long)argument, bits);
    return true;
  }
  if (tileConstantInt(value, &constant)) {
    write(w, "%" PRId64, constant);
    return true;
  }
  bool cast = tileOpIs(op, "arith.extsi") || tileOpIs(op, "arith.trunci") ||
              tileOpIs(op, "arith.index_cast");
  if (cast) {
    int from = widthOf(mlirValueGetType(tileOperand(op, 0)));
    if (from && from <= bits) return writeExpression(w, what, tileOperand(op, 0));
    write(w, "(fit:i%d ", bits);
    if (!writeExpression(w, what, tileOperand(op, 0))) return false;
    write(w, ")");
    return true;
  }
  const char *name = binaryName(op);
  if (!name) return refuse(w, what, value);
  write(w, "(%s:i%d ", name, bits);
  if (!writeExpression(w, what, tileOperand(op, 0))) return false;
  write(w, " ");
  if (!writeExpression(w, what, tileOperand(op, 1))) return false;
  write(w, ")");
  return true;
}

/// The operands from `first` on, as "[a, b]".
static bool writeList(Writer *w, const char *what, intptr_t first, intptr_t count) {
  write(w, " [");
  for (intptr_t i = 0; i < count; ++i) {
    if (i) write(w, ", ");
    if (!writeExpression(w, what, tileOperand(w->op, first + i))) return false;
  }
  write(w, "]");
  return true;
}

/// "%0", or "%0 + OFFSET" with the offset in elements.
static bool writeBase(Writer *w) {
  MlirValue base = tileOperand(w->op, 0);
  MlirOperation op = tileValueGetOp(base);
  bool moved = !mlirOperationIsNull(op) && tileOpIsAAddPtr(op);
  intptr_t argument = argumentOf(moved ? tileAddPtrGetPtr(op) : base);
  if (argument < 0) return refuse(w, "base", base);
  write(w, " %%%ld", (long)argument);
  if (!moved) return true;
  write(w, " + ");
  return writeExpression(w, "base", tileAddPtrGetOffset(op));
}

static void writeElement(MlirStringRef text, void *data) {
  write(data, "%.*s", (int)text.length, text.data);
}

bool tileDescBox(MlirType desc, TileMapBox *box) {
  MlirType tile = tileDescTypeGetBox(desc);
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(tile, shape), bytes = tileElementBytes(tileElementType(tile));
  if (tileTensorMapBox(rank, shape, bytes, box)) return true;
  for (int d = 0; d < rank; ++d) {
    if (shape[d] < 1) return false;
    shape[d] = tilePadExtent(shape[d]);
  }
  return tileTensorMapBox(rank, shape, bytes, box);
}

bool tileDescIsKnown(MlirOperation makeDesc) {
  char text[TILE_TENSOR_MAP_TEXT];
  Writer w = {.text = text, .quiet = true, .op = makeDesc};
  int rank = (int)mlirShapedTypeGetRank(tileDescTypeGetBox(mlirValueGetType(tileResult(makeDesc))));
  return writeBase(&w) && writeList(&w, "extents", 1, rank) &&
         writeList(&w, "strides", 1 + rank, rank - 1) && !w.full;
}

bool tileDescIsPacked(MlirOperation makeDesc) {
  return !mlirAttributeIsNull(tileAttr(makeDesc, "tile_gpu.packed"));
}

void tileDescSetPacked(MlirOperation makeDesc) {
  mlirOperationSetDiscardableAttributeByName(makeDesc, tileString("tile_gpu.packed"),
                                             mlirUnitAttrGet(mlirOperationGetContext(makeDesc)));
}

bool tileDescribeTensorMap(MlirOperation makeDesc, char text[TILE_TENSOR_MAP_TEXT]) {
  Writer w = {.text = text, .op = makeDesc};
  MlirType desc = mlirValueGetType(tileResult(makeDesc));
  MlirLocation loc = mlirOperationGetLocation(makeDesc);
  TileMapBox box;
  if (!tileDescBox(desc, &box)) {
    tileEmitError(loc, "expected a descriptor whose rows are 16 bytes or more, found shorter ones");
    return false;
  }
  mlirTypePrint(tileElementType(tileDescTypeGetBox(desc)), writeElement, &w);
  bool ok = writeBase(&w) && writeList(&w, "extents", 1, box.rank) &&
            writeList(&w, "strides", 1 + box.rank, box.rank - 1);
  write(&w, " box [");
  for (int d = 0; d < box.rank; ++d) write(&w, d ? ", %d" : "%d", (int)box.box[d]);
  write(&w, "]");
  if (box.swizzle) write(&w, " swizzle %d", box.swizzle);
  if (tileMakeDescGetPadding(makeDesc) == TILE_PADDING_NAN) write(&w, " padding nan");
  if (tileDescIsPacked(makeDesc)) write(&w, " packed");
  if (w.full)
    tileEmitError(loc,
                  "expected a descriptor whose extents and strides take at most %d characters to "
                  "describe, found more",
                  TILE_TENSOR_MAP_TEXT - 1);
  return ok && !w.full;
}
