//===- PrintAssert.c - prints and asserts, as records in device memory ----===//
//
// Before:  tile.print "x" %x if %first : tensor<64xf32, L>
// After:   scf.if %first {
//            scf.if %thread0 { %at = atomicrmw add @__tile_console, 272; header; scratch = %at }
//            gpu.barrier; %at = load scratch
//            scf.if (%at + 272 <= capacity) { each thread stores its elements at their places }
//          }
//
// Before:  tile.assert %ok, "in range" : tensor<64xi1, L>
// After:   %worst = the greatest of 2^24 - index over this thread's elements that are false, or 0
//          %any = nvvm.barrier or %worst
//          scf.if %any { scf.if (%worst != 0) { atomicrmw umax @__tile_console_failed[site], .. }
//                        exit }
//
// The whole program leaves at an assert that fails, so that nothing that the assert guards runs.
//
// Before:  tile.assert %ok, "in range" fatal : tensor<64xi1, L>
// After:   %holds = and over this thread's elements
//          cf.assert %holds, "in range"                     // __assertfail, for upstream to say
//
// What the records mean is in tile/Console.h.
//
//===----------------------------------------------------------------------===//
#include "../../ConsoleSites.h"
#include "../Exchange/Exchange.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===- sites --------------------------------------------------------------===//

/// The number of the op's site, described for the runtime.
static int addSite(Lowering *l, MlirOperation op) {
  LowerConsole *console = l->console;
  char *text = tileConsoleDescribe(op);
  size_t size = strlen(text) + 1;
  console->sites = realloc(console->sites, console->size + size);
  if (!console->sites) abort();
  memcpy(console->sites + console->size, text, size);
  console->size += size;
  free(text);
  return console->numSites++;
}

/// llvm.mlir.global external @name : !llvm.array<count x element> in global memory, zero.
static void buildZeroes(TileBuilder *b, const char *name, const char *type) {
  MlirContext c = b->context;
  MlirAttribute array = tileParseAttr(c, type);
  MlirOperation global =
      tileBuildOp(b, "llvm.mlir.global", TILE_NONE, TILE_NONE,
                  TILE_ATTRS({"sym_name", tileStringAttr(c, name)}, {"global_type", array},
                             {"linkage", tileParseAttr(c, "#llvm.linkage<external>")},
                             {"addr_space", mlirIntegerAttrGet(tileI32(c), 1)},
                             {"alignment", mlirIntegerAttrGet(tileI64(c), 16)}),
                  1);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(global, 0), block);
  TileBuilder inside = tileBuilderAtEnd(block, b->location);
  MlirValue zero = tileBuild(&inside, "llvm.mlir.zero", mlirTypeAttrGetValue(array), TILE_NONE);
  tileBuildOp(&inside, "llvm.return", TILE_VALUES(zero), TILE_NONE, TILE_NONE, 0);
}

void lowerConsoleEnd(LowerConsole *console, MlirBlock module, MlirLocation loc) {
  if (!console->numSites) return;
  TileBuilder b = tileBuilderAtEnd(module, loc);
  MlirContext c = b.context;
  char type[64];
  snprintf(type, sizeof type, "!llvm.array<%d x i8>", TILE_CONSOLE_HEADER + TILE_CONSOLE_BYTES);
  buildZeroes(&b, TILE_CONSOLE_GLOBAL, type);
  snprintf(type, sizeof type, "!llvm.array<%d x i64>", console->numSites);
  buildZeroes(&b, TILE_CONSOLE_FAILED_GLOBAL, type);
  snprintf(type, sizeof type, "!llvm.array<%zu x i8>", console->size);
  MlirAttribute text = mlirStringAttrGet(c, mlirStringRefCreate(console->sites, console->size));
  tileBuildOp(&b, "llvm.mlir.global", TILE_NONE, TILE_NONE,
              TILE_ATTRS({"sym_name", tileStringAttr(c, TILE_CONSOLE_SITES_GLOBAL)},
                         {"global_type", tileParseAttr(c, type)},
                         {"linkage", tileParseAttr(c, "#llvm.linkage<external>")},
                         {"constant", mlirUnitAttrGet(c)}, {"value", text},
                         {"addr_space", mlirIntegerAttrGet(tileI32(c), 1)}),
              1);
  free(console->sites);
}

//===- memory -------------------------------------------------------------===//

static MlirValue addressOf(Lowering *l, const char *name) {
  MlirContext c = l->b.context;
  MlirType type = mlirTypeParseGet(c, tileString("!llvm.ptr<1>"));
  MlirAttribute symbol = mlirFlatSymbolRefAttrGet(c, tileString(name));
  return tileResult(tileBuildOp(&l->b, "llvm.mlir.addressof", TILE_NONE, 1, &type,
                                TILE_ATTRS({"global_name", symbol}), 0));
}

/// %p = llvm.getelementptr %base[%bytes] : !llvm.ptr<1>, i8
static MlirValue advance(Lowering *l, MlirValue base, MlirValue bytes) {
  MlirType type = mlirValueGetType(base);
  int32_t dynamic = INT32_MIN;
  MlirAttribute indices = mlirDenseI32ArrayGet(l->b.context, 1, &dynamic);
  MlirAttribute element = mlirTypeAttrGet(tileI8(l->b.context));
  return tileResult(tileBuildOp(&l->b, "llvm.getelementptr", TILE_VALUES(base, bytes), 1, &type,
                                TILE_ATTRS({"rawConstantIndices", indices}, {"elem_type", element}),
                                0));
}

static void storeAt(Lowering *l, MlirValue base, MlirValue bytes, MlirValue value) {
  MlirValue pointer = advance(l, base, bytes);
  tileBuildOp(&l->b, "llvm.store", TILE_VALUES(value, pointer), TILE_NONE, TILE_NONE, 0);
}

/// %old = llvm.atomicrmw %pointer, %value monotonic, of all the GPU
static MlirValue atomicRmw(Lowering *l, int operation, MlirValue pointer, MlirValue value) {
  MlirType i64 = tileI64(l->b.context), type = mlirValueGetType(value);
  MlirAttribute what = mlirIntegerAttrGet(i64, operation), monotonic = mlirIntegerAttrGet(i64, 2);
  return tileResult(tileBuildOp(&l->b, "llvm.atomicrmw", TILE_VALUES(pointer, value), 1, &type,
                                TILE_ATTRS({"bin_op", what}, {"ordering", monotonic}), 0));
}
enum { ATOMIC_ADD = 1, ATOMIC_UMAX = 9 };

//===- where an element goes ----------------------------------------------===//

/// A tile's elements as the thread holds them.
typedef struct {
  TileLayout layout;
  TileConsoleValue value;
  MlirValue thread[TILE_MAX_RANK]; ///< the thread's part of each coordinate
} Elements;

static bool describe(Lowering *l, MlirLocation loc, MlirType type, TileConsoleValue value,
                     Elements *e) {
  if (!lowerLayoutOf(loc, type, &e->layout)) return false;
  e->value = value;
  for (int d = 0; d < value.rank; ++d) e->thread[d] = lowerThreadPart(l, &e->layout, d);
  return true;
}

static MlirValue coordinateOf(Lowering *l, const Elements *e, int d, int reg) {
  int64_t part = lowerRegisterPart(&e->layout, reg, d);
  return lowerCombineParts(l, &e->layout, d, e->thread[d], part);
}

/// The number of register `reg`'s element, row-major over `extents`; `*inside` is null where every
/// thread's register is within the tile.
static MlirValue numberOf(Lowering *l, const Elements *e, int reg, const int64_t strides[],
                          bool shorten, MlirValue *inside) {
  MlirValue number = {NULL};
  for (int d = 0; d < e->value.rank; ++d) {
    int64_t extent = e->value.shape[d];
    if (extent == 1 && tileLayoutExtent(e->layout, d) == 1) continue;
    MlirValue at = coordinateOf(l, e, d, reg), limit = lowerI32(l, extent);
    if (extent < tileLayoutExtent(e->layout, d))
      *inside = lowerBoth(l, *inside, tileBuildCmpi(&l->b, TILE_ULT, at, limit));
    if (shorten && e->value.shown[d] < extent) {
      // at < 3: at; at >= extent - 3: at - (extent - 6); in between: not shown
      MlirValue edge = lowerI32(l, TILE_CONSOLE_EDGE);
      MlirValue last = lowerI32(l, extent - TILE_CONSOLE_EDGE);
      MlirValue isFirst = tileBuildCmpi(&l->b, TILE_ULT, at, edge);
      MlirValue isLast = tileBuildCmpi(&l->b, TILE_UGE, at, last);
      *inside = lowerBoth(l, *inside, tileBuildBinary(&l->b, "arith.ori", isFirst, isLast));
      MlirValue skipped = lowerI32(l, extent - e->value.shown[d]);
      MlirValue moved = tileBuildBinary(&l->b, "arith.subi", at, skipped);
      at = tileBuildSelect(&l->b, isFirst, at, moved);
    }
    if (strides[d] != 1) {
      MlirValue stride = lowerI32(l, strides[d]);
      at = tileBuildBinary(&l->b, "arith.muli", at, stride);
    }
    number = mlirValueIsNull(number) ? at : tileBuildBinary(&l->b, "arith.addi", number, at);
  }
  return mlirValueIsNull(number) ? lowerI32(l, 0) : number;
}

//===- tile.print ---------------------------------------------------------===//

/// Value `i` of the op as it lies in a record.
static TileConsoleValue valueOf(MlirOperation op, intptr_t i) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileConsoleShape(op, i, shape);
  MlirType element = tileElementType(mlirValueGetType(tilePrintGetValues(op, i)));
  return tileConsoleValue(rank, shape, tileElementBytes(element));
}

/// One tile into a record: `place` is where its first element goes, in bytes from `base`.
static bool printTile(Lowering *l, MlirOperation op, intptr_t i, MlirValue base, MlirValue place) {
  Elements e;
  MlirValue tile = tilePrintGetValues(op, i);
  MlirType type = mlirValueGetType(tile), i64 = tileI64(l->b.context);
  if (!describe(l, mlirOperationGetLocation(op), type, valueOf(op, i), &e)) return false;
  MlirValue values = lowerToStored(l, lowerGet(l, tile)), first = lowerIsFirstCopy(l, &e.layout);
  TileBuilder outside = l->b;
  if (!mlirValueIsNull(first)) outside = lowerBeginIf(l, first);
  uint32_t copies = tileLayoutFreeBits(e.layout, TILE_REGISTER);
  MlirValue scale = tileBuildInt(&l->b, i64, tileElementBytes(tileElementType(type)));
  for (int r = 0; r < lowerNumRegisters(&e.layout); ++r) {
    if ((uint32_t)r & copies) continue;
    MlirValue inside = {NULL};
    MlirValue number = numberOf(l, &e, r, e.value.strides, true, &inside);
    TileBuilder before = l->b;
    if (!mlirValueIsNull(inside)) before = lowerBeginIf(l, inside);
    number = tileBuildUnary(&l->b, "arith.extui", i64, number);
    MlirValue bytes = tileBuildBinary(&l->b, "arith.muli", number, scale);
    bytes = tileBuildBinary(&l->b, "arith.addi", bytes, place);
    MlirValue value = lowerExtract(l, values, r);
    storeAt(l, base, bytes, value);
    if (!mlirValueIsNull(inside)) lowerEndIf(l, before);
  }
  if (!mlirValueIsNull(first)) lowerEndIf(l, outside);
  return true;
}

static MlirValue plus(Lowering *l, MlirValue at, int64_t bytes) {
  MlirValue constant = tileBuildInt(&l->b, mlirValueGetType(at), bytes);
  return tileBuildBinary(&l->b, "arith.addi", at, constant);
}

static int64_t recordBytes(MlirOperation op) {
  int64_t bytes = TILE_CONSOLE_RECORD;
  for (intptr_t i = 0; i < tilePrintGetNumValues(op); ++i) bytes += valueOf(op, i).bytes;
  return bytes;
}

/// i1: does a record that begins at `at` (i64) fit?
static MlirValue fits(Lowering *l, MlirValue at, int64_t bytes) {
  MlirValue last = tileBuildInt(&l->b, mlirValueGetType(at), TILE_CONSOLE_BYTES - bytes);
  return tileBuildCmpi(&l->b, TILE_ULE, at, last);
}

/// What the first thread writes: the header, and values that are no tiles.
static void printScalars(Lowering *l, MlirOperation op, int site, MlirValue base, MlirValue at) {
  storeAt(l, base, at, lowerI32(l, site));
  for (int axis = 0; axis < 3; ++axis) {
    MlirValue id = lowerSpecialRegister(l, "ctaid", axis), to = plus(l, at, 4 + 4 * axis);
    storeAt(l, base, to, id);
  }
  int64_t offset = TILE_CONSOLE_RECORD;
  for (intptr_t i = 0; i < tilePrintGetNumValues(op); ++i) {
    MlirValue value = tilePrintGetValues(op, i);
    MlirType type = mlirValueGetType(value);
    if (!tileTypeIsTile(type)) {
      MlirValue scalar = lowerGet(l, value), to = plus(l, at, offset);
      if (tileBitWidth(type) == 1)
        scalar = tileBuildUnary(&l->b, "arith.extui", tileI8(l->b.context), scalar);
      storeAt(l, base, to, scalar);
    }
    offset += valueOf(op, i).bytes;
  }
}

static bool hasTiles(MlirOperation op) {
  for (intptr_t i = 0; i < tilePrintGetNumValues(op); ++i)
    if (tileTypeIsTile(mlirValueGetType(tilePrintGetValues(op, i)))) return true;
  return false;
}

/// The first thread reserves room and writes its part; `scratch` null: nobody else has any.
static void reserve(Lowering *l, MlirOperation op, int site, MlirValue scratch) {
  MlirType i64 = tileI64(l->b.context);
  int64_t bytes = recordBytes(op);
  TileBuilder outside = lowerBeginIf(l, lowerIsThreadZero(l));
  MlirValue console = addressOf(l, TILE_CONSOLE_GLOBAL);
  MlirValue size = tileBuildInt(&l->b, i64, bytes);
  MlirValue at = atomicRmw(l, ATOMIC_ADD, console, size);
  if (!mlirValueIsNull(scratch))
    tileBuildOp(&l->b, "llvm.store", TILE_VALUES(at, scratch), TILE_NONE, TILE_NONE, 0);
  TileBuilder before = lowerBeginIf(l, fits(l, at, bytes));
  MlirValue header = tileBuildInt(&l->b, i64, TILE_CONSOLE_HEADER);
  MlirValue base = advance(l, console, header);
  printScalars(l, op, site, base, at);
  lowerEndIf(l, before);
  lowerEndIf(l, outside);
}

static bool printTiles(Lowering *l, MlirOperation op, MlirValue scratch) {
  MlirType i64 = tileI64(l->b.context);
  lowerBarrier(l);
  MlirValue at =
      tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(scratch), 1, &i64, TILE_NONE, 0));
  TileBuilder before = lowerBeginIf(l, fits(l, at, recordBytes(op)));
  MlirValue console = addressOf(l, TILE_CONSOLE_GLOBAL);
  int64_t offset = TILE_CONSOLE_HEADER + TILE_CONSOLE_RECORD;
  bool ok = true;
  for (intptr_t i = 0; i < tilePrintGetNumValues(op) && ok; ++i) {
    if (tileTypeIsTile(mlirValueGetType(tilePrintGetValues(op, i)))) {
      MlirValue place = plus(l, at, offset);
      ok = printTile(l, op, i, console, place);
    }
    offset += valueOf(op, i).bytes;
  }
  lowerEndIf(l, before);
  return ok;
}

MlirLogicalResult lowerPrint(Lowering *l, MlirOperation op) {
  MlirValue condition = tilePrintGetCondition(op), scratch = {NULL};
  bool tiles = hasTiles(op), ok = true;
  if (tiles && mlirValueIsNull(l->shared)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a kernel with shared memory to print a tile (see "
                  "tile-allocate-shared), found none");
    return mlirLogicalResultFailure();
  }
  int site = addSite(l, op);
  TileBuilder outside = l->b;
  if (!mlirValueIsNull(condition)) outside = lowerBeginIf(l, lowerGet(l, condition));
  if (tiles) scratch = lowerSharedPointer(l, lowerI32(l, lowerSharedOffset(op)));
  reserve(l, op, site, scratch);
  if (tiles) ok = printTiles(l, op, scratch);
  if (!mlirValueIsNull(condition)) lowerEndIf(l, outside);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

//===- tile.assert --------------------------------------------------------===//

/// i64: 2^39 - 1 - program, counted along x, y, z
static MlirValue programKey(Lowering *l) {
  MlirType i64 = tileI64(l->b.context);
  MlirValue number = {NULL};
  for (int axis = 2; axis >= 0; --axis) {
    MlirValue id = lowerSpecialRegister(l, "ctaid", axis);
    id = tileBuildUnary(&l->b, "arith.extui", i64, id);
    if (!mlirValueIsNull(number)) {
      MlirValue extent = lowerSpecialRegister(l, "nctaid", axis);
      extent = tileBuildUnary(&l->b, "arith.extui", i64, extent);
      number = tileBuildBinary(&l->b, "arith.muli", number, extent);
      number = tileBuildBinary(&l->b, "arith.addi", number, id);
    } else {
      number = id;
    }
  }
  MlirValue most = tileBuildInt(&l->b, i64, ((int64_t)1 << TILE_CONSOLE_PROGRAM_BITS) - 1);
  return tileBuildBinary(&l->b, "arith.subi", most, number);
}

/// atomicrmw umax @__tile_console_failed[site], program << 25 | worst
static void recordFailure(Lowering *l, int site, MlirValue worst) {
  MlirType i64 = tileI64(l->b.context);
  MlirValue key = programKey(l), bits = tileBuildInt(&l->b, i64, TILE_CONSOLE_INDEX_BITS);
  key = tileBuildBinary(&l->b, "arith.shli", key, bits);
  MlirValue index = tileBuildUnary(&l->b, "arith.extui", i64, worst);
  key = tileBuildBinary(&l->b, "arith.ori", key, index);
  MlirValue base = addressOf(l, TILE_CONSOLE_FAILED_GLOBAL);
  MlirValue offset = tileBuildInt(&l->b, i64, (int64_t)site * 8);
  atomicRmw(l, ATOMIC_UMAX, advance(l, base, offset), key);
}

static void leaveProgram(Lowering *l) { lowerInlineAsm(l, "exit;", "", (MlirType){NULL}, 0, NULL); }

enum { FIRST_INDEX = 1 << (TILE_CONSOLE_INDEX_BITS - 1) };

static void stridesOf(const Elements *e, int64_t strides[TILE_MAX_RANK]) {
  int64_t stride = 1;
  for (int d = e->value.rank; d-- > 0; stride *= e->value.shape[d]) strides[d] = stride;
}

/// i1: is the element in register `r` within the tile, and false? `*number` is its own.
static MlirValue failsAt(Lowering *l, const Elements *e, MlirValue values, int r,
                         const int64_t strides[], MlirValue *number) {
  MlirValue inside = {NULL}, yes = tileBuildInt(&l->b, tileI1(l->b.context), 1);
  *number = numberOf(l, e, r, strides, false, &inside);
  return lowerBoth(l, inside,
                   tileBuildBinary(&l->b, "arith.xori", lowerExtract(l, values, r), yes));
}

/// i32: the greatest of 2^24 - index over this thread's elements that are false; 0 when none is.
static MlirValue worstOf(Lowering *l, const Elements *e, MlirValue values) {
  int64_t strides[TILE_MAX_RANK];
  stridesOf(e, strides);
  uint32_t copies = tileLayoutFreeBits(e->layout, TILE_REGISTER);
  MlirValue worst = lowerI32(l, 0), none = worst, first = lowerI32(l, FIRST_INDEX);
  for (int r = 0; r < lowerNumRegisters(&e->layout); ++r) {
    if ((uint32_t)r & copies) continue;
    MlirValue number, fails = failsAt(l, e, values, r, strides, &number);
    MlirValue rank = tileBuildBinary(&l->b, "arith.subi", first, number);
    rank = tileBuildSelect(&l->b, fails, rank, none);
    worst = tileBuildBinary(&l->b, "arith.maxui", worst, rank);
  }
  return worst;
}

/// i1: has any thread of the block found one?
static MlirValue anyOf(Lowering *l, MlirValue worst) {
  MlirContext c = l->b.context;
  MlirType i32 = tileI32(c);
  const int32_t segments[] = {0, 0, 1};
  MlirValue zero = lowerI32(l, 0);
  MlirValue any = tileResult(
      tileBuildOp(&l->b, "nvvm.barrier", TILE_VALUES(worst), 1, &i32,
                  TILE_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(c, 3, segments)},
                             {"reductionOp", tileParseAttr(c, "#nvvm.reduction<or>")}),
                  0));
  return tileBuildCmpi(&l->b, TILE_NE, any, zero);
}

/// A thread whose elements do not all hold ends the context; nobody votes, and nothing is kept.
static void assertFatally(Lowering *l, MlirOperation op, const Elements *e, MlirValue values) {
  MlirValue yes = tileBuildInt(&l->b, tileI1(l->b.context), 1), fails = {NULL}, number;
  if (e) {
    int64_t strides[TILE_MAX_RANK];
    stridesOf(e, strides);
    uint32_t copies = tileLayoutFreeBits(e->layout, TILE_REGISTER);
    for (int r = 0; r < lowerNumRegisters(&e->layout); ++r) {
      if ((uint32_t)r & copies) continue;
      MlirValue one = failsAt(l, e, values, r, strides, &number);
      fails = mlirValueIsNull(fails) ? one : tileBuildBinary(&l->b, "arith.ori", fails, one);
    }
  } else {
    fails = tileBuildBinary(&l->b, "arith.xori", values, yes);
    fails = tileBuildBinary(&l->b, "arith.andi", fails, lowerIsThreadZero(l));
  }
  MlirValue holds = tileBuildBinary(&l->b, "arith.xori", fails, yes);
  tileBuildOp(&l->b, "cf.assert", TILE_VALUES(holds), TILE_NONE,
              TILE_ATTRS({"msg", tileAttr(op, "text")}), 0);
}

MlirLogicalResult lowerAssert(Lowering *l, MlirOperation op) {
  MlirValue condition = tileAssertGetCondition(op), values = lowerGet(l, condition);
  MlirType type = mlirValueGetType(condition);
  Elements e;
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(type, shape);
  TileConsoleValue value = tileConsoleValue(rank, shape, 1);
  if (rank && !describe(l, mlirOperationGetLocation(op), type, value, &e))
    return mlirLogicalResultFailure();
  if (tileAssertGetFatal(op)) {
    assertFatally(l, op, rank ? &e : NULL, values);
    return mlirLogicalResultSuccess();
  }
  int site = addSite(l, op);
  MlirValue zero = lowerI32(l, 0), worst, failed, recorder;
  if (rank) {
    worst = worstOf(l, &e, values);
    failed = anyOf(l, worst);
    recorder = tileBuildCmpi(&l->b, TILE_NE, worst, zero);
  } else {
    worst = lowerI32(l, FIRST_INDEX);
    MlirValue yes = tileBuildInt(&l->b, tileI1(l->b.context), 1);
    failed = tileBuildBinary(&l->b, "arith.xori", values, yes);
    recorder = lowerIsThreadZero(l);
  }
  TileBuilder outside = lowerBeginIf(l, failed);
  TileBuilder before = lowerBeginIf(l, recorder);
  recordFailure(l, site, worst);
  lowerEndIf(l, before);
  leaveProgram(l);
  lowerEndIf(l, outside);
  return mlirLogicalResultSuccess();
}
