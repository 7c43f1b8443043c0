//===- PrintAssert.c - prints and asserts, as calls of the runtime --------===//
//
// Before:  tile.print "x" %x if %first : tensor<64xf32>
// After:   scf.if %first {
//            %values = the addresses of buffers, with their rows' lengths
//            llvm.call @tileConsolePrint(%site, %x, %y, %z, %values)
//          }
//
// Before:  tile.assert %ok, "in range" : tensor<64xi1>
// After:   for each chunk, in reading order {
//            scf.if (not all lanes) {
//              the lanes as bytes; llvm.call @tileConsoleFail(%site, %x, %y, %z, %lanes, W, %first)
//            }
//          }
//
// tileConsoleFail ends the program. %site is the op's description (tile/Console.h).
//===----------------------------------------------------------------------===//
#include "../ConsoleSites.h"
#include "Lowering.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===- the module ---------------------------------------------------------===//

static MlirBlock moduleOf(CpuLowering *l) { return mlirOperationGetBlock(l->kernel); }

static bool isDefined(CpuLowering *l, const char *name) {
  TILE_FOR_EACH_OP(op, moduleOf(l)) {
    MlirAttribute symbol = tileAttr(op, "sym_name");
    if (!mlirAttributeIsNull(symbol) && tileStringIs(mlirStringAttrGetValue(symbol), name))
      return true;
  }
  return false;
}

/// Before everything, so that whoever walks the module's kernels does not meet it.
static TileBuilder moduleBuilder(CpuLowering *l) { return tileBuilderAtStart(moduleOf(l)); }

/// A function of the runtime, whose name is a literal. `tile.speaks` tells whoever launches the
/// kernel that it needs one.
static void declare(CpuLowering *l, const char *name, const char *type) {
  if (!tilePointerTableInsert(&l->declared, name) || isDefined(l, name)) return;
  TileBuilder b = moduleBuilder(l);
  tileBuildOp(&b, "llvm.func", TILE_NONE, TILE_NONE,
              TILE_ATTRS({"sym_name", tileStringAttr(l->context, name)},
                         {"function_type", tileParseAttr(l->context, type)},
                         {"tile.speaks", mlirUnitAttrGet(l->context)}),
              1);
}

#define SITE "__tile_console_site_"

/// The first number that no description of another kernel has.
static int firstSite(CpuLowering *l) {
  int next = 0;
  TILE_FOR_EACH_OP(op, moduleOf(l)) {
    MlirAttribute symbol = tileAttr(op, "sym_name");
    MlirStringRef name =
        mlirAttributeIsNull(symbol) ? (MlirStringRef){"", 0} : mlirStringAttrGetValue(symbol);
    int number, end = 0;
    if (sscanf(name.data, SITE "%d%n", &number, &end) == 1 && number >= next &&
        number < INT_MAX / 2)
      next = number + 1;
  }
  return next;
}

/// The address of the op's description.
static MlirValue siteOf(CpuLowering *l, MlirOperation op) {
  char *text = tileConsoleDescribe(op), name[64], type[64];
  if (!l->nextSite) l->nextSite = firstSite(l) + 1;
  snprintf(name, sizeof name, SITE "%d", l->nextSite++ - 1);
  size_t size = strlen(text) + 1; // with its NUL
  snprintf(type, sizeof type, "!llvm.array<%zu x i8>", size);
  TileBuilder b = moduleBuilder(l);
  MlirAttribute value = mlirStringAttrGet(l->context, mlirStringRefCreate(text, size));
  tileBuildOp(&b, "llvm.mlir.global", TILE_NONE, TILE_NONE,
              TILE_ATTRS({"sym_name", tileStringAttr(l->context, name)},
                         {"global_type", tileParseAttr(l->context, type)},
                         {"linkage", tileParseAttr(l->context, "#llvm.linkage<internal>")},
                         {"constant", mlirUnitAttrGet(l->context)}, {"value", value}),
              1);
  free(text);
  MlirType pointer = cpuPointerType(l);
  MlirAttribute symbol = mlirFlatSymbolRefAttrGet(l->context, tileString(name));
  return tileResult(tileBuildOp(&l->at, "llvm.mlir.addressof", TILE_NONE, 1, &pointer,
                                TILE_ATTRS({"global_name", symbol}), 0));
}

/// llvm.call @name(%site, %x, %y, %z, rest..)
static void call(CpuLowering *l, const char *name, MlirValue site, intptr_t count,
                 const MlirValue *rest) {
  MlirValue operands[8] = {site, l->programId[0], l->programId[1], l->programId[2]};
  for (intptr_t i = 0; i < count; ++i) operands[4 + i] = rest[i];
  const int32_t segments[] = {(int32_t)count + 4, 0};
  MlirAttribute symbol = mlirFlatSymbolRefAttrGet(l->context, tileString(name));
  tileBuildOp(&l->at, "llvm.call", count + 4, operands, TILE_NONE,
              TILE_ATTRS({"callee", symbol},
                         {"operandSegmentSizes", mlirDenseI32ArrayGet(l->context, 2, segments)},
                         {"op_bundle_sizes", mlirDenseI32ArrayGet(l->context, 0, NULL)}),
              0);
}

//===- tile.print ---------------------------------------------------------===//

/// Where the value's elements lie, and the length of a row.
static MlirValue addressOf(CpuLowering *l, MlirValue value, int64_t *row) {
  MlirType type = mlirValueGetType(value);
  *row = 1;
  if (tileTypeIsTile(type)) {
    CpuSlot *slot = cpuFind(l, value);
    CpuBuffer buffer = slot->buffer;
    // A buffer made on this path of the program is nobody else's.
    if (slot->form != CPU_BUFFER) {
      buffer = cpuAllocateBuffer(l, type, (MlirType){NULL});
      cpuWrite(l, value, &buffer);
    }
    if (buffer.rank > 1) *row = buffer.strides[buffer.rank - 2];
    return buffer.pointer;
  }
  MlirValue memory = cpuAllocateStack(l, type, 1), null = {NULL};
  cpuStore(l, memory, type, cpuScalar(l, value), null);
  return memory;
}

static void emitPrint(CpuLowering *l, bool yes, void *data) {
  (void)yes;
  MlirOperation op = *(MlirOperation *)data;
  MlirType i64 = tileI64(l->context);
  intptr_t count = tilePrintGetNumValues(op);
  MlirValue values = cpuAllocateStack(l, i64, 2 * count + 1), null = {NULL};
  for (intptr_t i = 0; i < count; ++i) {
    int64_t row;
    MlirValue address = addressOf(l, tilePrintGetValues(op, i), &row);
    address = tileBuildUnary(&l->at, "llvm.ptrtoint", i64, address);
    MlirValue slot = cpuOffset(l, values, i64, cpuI64(l, 2 * i));
    cpuStore(l, slot, i64, address, null);
    slot = cpuOffset(l, values, i64, cpuI64(l, 2 * i + 1));
    cpuStore(l, slot, i64, cpuI64(l, row), null);
  }
  call(l, TILE_CONSOLE_PRINT, siteOf(l, op), TILE_VALUES(values));
}

void cpuLowerPrint(CpuLowering *l, MlirOperation op) {
  declare(l, TILE_CONSOLE_PRINT, "!llvm.func<void (ptr, i32, i32, i32, ptr)>");
  MlirValue condition = tilePrintGetCondition(op);
  if (mlirValueIsNull(condition))
    emitPrint(l, true, &op);
  else
    cpuIf(l, cpuScalar(l, condition), false, emitPrint, &op);
}

//===- tile.assert --------------------------------------------------------===//

typedef struct {
  MlirOperation op;
  MlirValue site;
  MlirValue lanes;  ///< room for a chunk's lanes, a byte each
  MlirValue values; ///< of the chunk
  int64_t count;    ///< of its lanes that are in the tile
  MlirValue first;  ///< the number of its first element
} Assertion;

static void emitFailure(CpuLowering *l, bool yes, void *data) {
  (void)yes;
  Assertion *a = data;
  MlirType truth = tileI1(l->context);
  MlirValue null = {NULL}, count = cpuI64(l, a->count);
  cpuStore(l, a->lanes, truth, a->values, null);
  call(l, TILE_CONSOLE_FAIL, a->site, TILE_VALUES(a->lanes, count, a->first));
}

static MlirValue not(CpuLowering *l, MlirValue condition) {
  MlirValue yes = cpuInt(l, mlirValueGetType(condition), 1);
  return tileBuildBinary(&l->at, "arith.xori", condition, yes);
}

/// i1: are all lanes in the tile true?
static MlirValue allOf(CpuLowering *l, MlirValue values, MlirValue tail) {
  MlirType truth = tileI1(l->context);
  if (!cpuWidth(values)) return values;
  if (!mlirValueIsNull(tail)) {
    MlirValue yes = cpuInt(l, mlirValueGetType(values), 1);
    values = tileBuildSelect(&l->at, tail, values, yes);
  }
  return tileResult(
      tileBuildOp(&l->at, "vector.reduction", TILE_VALUES(values), 1, &truth,
                  TILE_ATTRS({"kind", tileParseAttr(l->context, "#vector.kind<and>")}), 0));
}

static void assertChunk(CpuChunk *chunk, const CpuIndex *index, void *data) {
  CpuLowering *l = chunk->l;
  Assertion *a = data;
  MlirValue condition = tileAssertGetCondition(a->op);
  int64_t shape[CPU_MAX_RANK], stride = 1;
  int rank = tileShape(mlirValueGetType(condition), shape);
  a->values = cpuEvalVector(chunk, condition, index);
  a->first = cpuI64(l, 0);
  for (int d = rank; d-- > 0; stride *= shape[d]) {
    MlirValue part = tileBuildBinary(&l->at, "arith.muli", index->base[d], cpuI64(l, stride));
    a->first = tileBuildBinary(&l->at, "arith.addi", a->first, part);
  }
  a->count = rank && index->lane >= 0 ? chunk->width : 1;
  if (!mlirValueIsNull(chunk->tail)) a->count = shape[rank - 1] % chunk->width;
  MlirValue holds = allOf(l, a->values, chunk->tail);
  cpuIf(l, not(l, holds), false, emitFailure, a);
}

void cpuLowerAssert(CpuLowering *l, MlirOperation op) {
  declare(l, TILE_CONSOLE_FAIL, "!llvm.func<void (ptr, i32, i32, i32, ptr, i64, i64)>");
  MlirValue condition = tileAssertGetCondition(op), null = {NULL};
  CpuNest nest = {.lane = -1};
  MlirType type = mlirValueGetType(condition);
  if (tileTypeIsTile(type)) nest = cpuNestOf(l, type);
  nest.splits = true;
  Assertion a = {.op = op, .site = siteOf(l, op)};
  a.lanes = cpuAllocateStack(l, tileI1(l->context), nest.lane < 0 ? 1 : nest.width);
  cpuVersionedNest(l, &nest, 1, &condition, null, assertChunk, &a);
}
