//===- Memory.c - accesses to memory, one element or one chunk ------------===//
//
// Everything is a !llvm.ptr and an offset in elements; i1 lies in memory as a byte. Alignment is
// that of one element: tiles begin anywhere.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include <stdio.h>

MlirValue cpuOffset(CpuLowering *l, MlirValue pointer, MlirType element, MlirValue offset) {
  // %q = llvm.getelementptr %p[%offset]
  MlirType type = mlirValueGetType(pointer);
  int64_t width = cpuWidth(offset);
  if (width) type = tileVectorType(width, cpuPointerType(l));
  MlirType memory = cpuMemoryType(l, element);
  int32_t dynamic = INT32_MIN;
  MlirAttribute indices = mlirDenseI32ArrayGet(l->context, 1, &dynamic);
  return tileResult(tileBuildOp(
      &l->at, "llvm.getelementptr", TILE_VALUES(pointer, offset), 1, &type,
      TILE_ATTRS({"elem_type", mlirTypeAttrGet(memory)}, {"rawConstantIndices", indices}), 0));
}

MlirValue cpuCastPtr(CpuLowering *l, MlirValue value, MlirType from, MlirType to) {
  bool isNumber = !tileTypeIsAPtr(from), toNumber = !tileTypeIsAPtr(to);
  if (isNumber == toNumber) return value;
  MlirType type = toNumber ? tileI64(l->context) : cpuPointerType(l);
  int64_t width = cpuWidth(value);
  if (width) type = tileVectorType(width, type);
  return tileBuildUnary(&l->at, toNumber ? "llvm.ptrtoint" : "llvm.inttoptr", type, value);
}

static bool isTruth(MlirType element) {
  return mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1;
}

/// The element from its form in memory: i1 from a byte.
static MlirValue fromMemory(CpuLowering *l, MlirValue value, MlirType element) {
  if (!isTruth(element)) return value;
  MlirValue zero = cpuInt(l, mlirValueGetType(value), 0);
  return tileBuildCmpi(&l->at, TILE_NE, value, zero);
}

MlirValue cpuToMemory(CpuLowering *l, MlirValue value, MlirType element) {
  MlirType type = cpuWiden(cpuMemoryType(l, element), cpuWidth(value));
  return isTruth(element) ? tileBuildUnary(&l->at, "arith.extui", type, value) : value;
}

static TileNamedAttr alignment(CpuLowering *l, MlirType element, int bits) {
  MlirType type = bits == 32 ? tileI32(l->context) : tileI64(l->context);
  return (TileNamedAttr){"alignment", mlirIntegerAttrGet(type, tileElementBytes(element))};
}

/// What lanes that are off give: `other` in memory's form, or 0.
static MlirValue passThrough(CpuLowering *l, MlirType element, int64_t width, MlirValue other) {
  if (!mlirValueIsNull(other)) return cpuToMemory(l, other, element);
  MlirType memory = cpuMemoryType(l, element), type = cpuWiden(memory, width);
  if (tileTypeIsFloat(memory)) return cpuFloat(l, type, 0);
  if (mlirTypeIsAInteger(memory)) return cpuInt(l, type, 0);
  return tileBuild(&l->at, "llvm.mlir.zero", type, TILE_NONE);
}

static MlirValue plainLoad(CpuLowering *l, MlirValue pointer, MlirType element, int64_t width) {
  MlirType type = cpuWiden(cpuMemoryType(l, element), width);
  TileNamedAttr align = alignment(l, element, 64);
  return tileResult(tileBuildOp(&l->at, "llvm.load", TILE_VALUES(pointer), 1, &type, 1, &align, 0));
}

typedef struct {
  MlirValue pointer, value;
  MlirType element;
} Access;

static void emitPlainStore(CpuLowering *l, bool yes, void *data) {
  (void)yes;
  Access *a = data;
  TileNamedAttr align = alignment(l, a->element, 64);
  tileBuildOp(&l->at, "llvm.store", TILE_VALUES(a->value, a->pointer), 0, NULL, 1, &align, 0);
}

/// %x = scf.if %mask -> (T) { load } else { other }
static MlirValue guardedLoad(CpuLowering *l, MlirValue pointer, MlirType element, MlirValue mask,
                             MlirValue other) {
  MlirType type = mlirValueGetType(other);
  MlirOperation op = tileBuildIf(&l->at, mask, 1, &type, true);
  TileBuilder outside = l->at;
  for (int i = 0; i < 2; ++i) {
    l->at = tileBuilderAtEnd(tileBody(op, i), outside.location);
    MlirValue result = i ? other : plainLoad(l, pointer, element, 0);
    tileBuildOp(&l->at, "scf.yield", TILE_VALUES(result), TILE_NONE, TILE_NONE, 0);
  }
  l->at = outside;
  return tileResult(op);
}

MlirValue cpuLoad(CpuLowering *l, MlirValue pointer, MlirType element, int64_t width,
                  MlirValue mask, MlirValue other) {
  if (mlirValueIsNull(mask)) return fromMemory(l, plainLoad(l, pointer, element, width), element);
  MlirValue otherwise = passThrough(l, element, width, other);
  if (!width) return fromMemory(l, guardedLoad(l, pointer, element, mask, otherwise), element);
  MlirType type = cpuWiden(cpuMemoryType(l, element), width);
  TileNamedAttr align = alignment(l, element, 32);
  MlirOperation op = tileBuildOp(&l->at, "llvm.intr.masked.load",
                                 TILE_VALUES(pointer, mask, otherwise), 1, &type, 1, &align, 0);
  return fromMemory(l, tileResult(op), element);
}

MlirValue cpuReduceMask(CpuLowering *l, MlirValue mask, const char *how) {
  char text[32];
  snprintf(text, sizeof text, "#vector.kind<%s>", how);
  MlirType i1 = tileI1(l->context);
  MlirAttribute kind = mlirAttributeParseGet(l->context, tileString(text));
  return tileResult(tileBuildOp(&l->at, "vector.reduction", TILE_VALUES(mask), 1, &i1,
                                TILE_ATTRS({"kind", kind}), 0));
}

MlirValue cpuLoadOne(CpuLowering *l, MlirValue pointer, MlirType element, int64_t width,
                     MlirValue mask, MlirValue other) {
  MlirValue null = {NULL}, any = null;
  if (!mlirValueIsNull(mask)) any = cpuReduceMask(l, mask, "or");
  MlirValue one = cpuLoad(l, pointer, element, 0, any, null);
  MlirType type = tileVectorType(width, mlirValueGetType(one));
  MlirValue all = tileBuildUnary(&l->at, "vector.broadcast", type, one);
  if (mlirValueIsNull(mask)) return all;
  if (mlirValueIsNull(other)) other = fromMemory(l, passThrough(l, element, width, null), element);
  return tileBuildSelect(&l->at, mask, all, other);
}

void cpuStore(CpuLowering *l, MlirValue pointer, MlirType element, MlirValue value,
              MlirValue mask) {
  Access access = {pointer, cpuToMemory(l, value, element), element};
  if (mlirValueIsNull(mask)) {
    emitPlainStore(l, true, &access);
  } else if (!cpuWidth(value)) {
    cpuIf(l, mask, false, emitPlainStore, &access);
  } else {
    TileNamedAttr align = alignment(l, element, 32);
    tileBuildOp(&l->at, "llvm.intr.masked.store", TILE_VALUES(access.value, pointer, mask), 0, NULL,
                1, &align, 0);
  }
}

void cpuNoteGather(CpuLowering *l, MlirValue tile, int lane) {
  if (!l->gathered || l->numGathered == CPU_MAX_GATHERED) return;
  for (int i = 0; i < l->numGathered; ++i)
    if (mlirValueEqual(l->gathered[i].tile, tile) && l->gathered[i].lane == lane) return;
  l->gathered[l->numGathered++] = (CpuGathered){tile, lane};
}

MlirValue cpuGather(CpuLowering *l, MlirValue pointers, MlirType element, MlirValue mask,
                    MlirValue other) {
  int64_t width = cpuWidth(pointers);
  ++l->numGathers;
  MlirValue otherwise = passThrough(l, element, width, other);
  MlirType type = mlirValueGetType(otherwise);
  TileNamedAttr align = alignment(l, element, 32);
  MlirOperation op = tileBuildOp(&l->at, "llvm.intr.masked.gather",
                                 TILE_VALUES(pointers, mask, otherwise), 1, &type, 1, &align, 0);
  return fromMemory(l, tileResult(op), element);
}

void cpuScatter(CpuLowering *l, MlirValue pointers, MlirType element, MlirValue value,
                MlirValue mask) {
  MlirValue stored = cpuToMemory(l, value, element);
  TileNamedAttr align = alignment(l, element, 32);
  tileBuildOp(&l->at, "llvm.intr.masked.scatter", TILE_VALUES(stored, pointers, mask), 0, NULL, 1,
              &align, 0);
}

//===- atomic accesses ----------------------------------------------------===//

int64_t cpuOrdering(int64_t order) {
  static const int64_t llvm[] = {2, 4, 5, 6};
  return llvm[order];
}

CpuExchanged cpuExchange(CpuLowering *l, MlirValue pointer, MlirValue expected, MlirValue value,
                         int64_t order) {
  order = cpuOrdering(order);
  MlirType i64 = tileI64(l->context), number = mlirValueGetType(value);
  MlirType parts[] = {number, tileI1(l->context)};
  char text[64];
  snprintf(text, sizeof text, "!llvm.struct<(i%d, i1)>", tileBitWidth(number));
  MlirType pair = mlirTypeParseGet(l->context, tileString(text));
  MlirAttribute success = mlirIntegerAttrGet(i64, order);
  // A failed exchange stores nothing, so it cannot release.
  MlirAttribute failure = mlirIntegerAttrGet(i64, order == 6 ? 4 : order == 5 ? 2 : order);
  MlirValue both = tileResult(
      tileBuildOp(&l->at, "llvm.cmpxchg", TILE_VALUES(pointer, expected, value), 1, &pair,
                  TILE_ATTRS({"success_ordering", success}, {"failure_ordering", failure}), 0));
  MlirValue results[2];
  for (int64_t i = 0; i < 2; ++i) {
    MlirAttribute position = mlirDenseI64ArrayGet(l->context, 1, &i);
    results[i] = tileResult(tileBuildOp(&l->at, "llvm.extractvalue", TILE_VALUES(both), 1,
                                        &parts[i], TILE_ATTRS({"position", position}), 0));
  }
  return (CpuExchanged){results[0], results[1]};
}

MlirValue cpuExchangeUntilDone(CpuLowering *l, MlirValue pointer, MlirValue first, int64_t order,
                               CpuUpdate update, void *data) {
  MlirType word = mlirValueGetType(first);
  MlirLocation loc = l->at.location;
  MlirOperation loop = tileBuildOp(&l->at, "scf.while", TILE_VALUES(first), 1, &word, TILE_NONE, 2);
  MlirBlock before = mlirBlockCreate(1, &word, &loc), after = mlirBlockCreate(1, &word, &loc);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0), before);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 1), after);
  TileBuilder outside = l->at;
  l->at = tileBuilderAtEnd(before, loc);
  MlirValue seen = mlirBlockGetArgument(before, 0);
  CpuExchanged there = cpuExchange(l, pointer, seen, update(l, seen, data), order);
  MlirValue yes = tileBuildInt(&l->at, tileI1(l->context), 1);
  MlirValue again = tileBuildBinary(&l->at, "arith.xori", there.done, yes);
  tileBuildOp(&l->at, "scf.condition", TILE_VALUES(again, there.old), TILE_NONE, TILE_NONE, 0);
  l->at = tileBuilderAtEnd(after, loc);
  tileBuildOp(&l->at, "scf.yield", TILE_VALUES(mlirBlockGetArgument(after, 0)), TILE_NONE,
              TILE_NONE, 0);
  l->at = outside;
  return tileResult(loop);
}
