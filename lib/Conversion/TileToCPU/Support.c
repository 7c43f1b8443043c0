//===- Support.c - map, constants, types and stack buffers ----------------===//
#include "Lowering.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CpuArenaChunk {
  CpuArenaChunk *next;
  size_t used, size;
  _Alignas(16) char bytes[];
};

//===- memory and map -----------------------------------------------------===//

void *cpuAllocate(CpuLowering *l, size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (!l->arena || l->arena->used + size > l->arena->size) {
    size_t room = size > 16384 ? size : 16384;
    CpuArenaChunk *chunk = calloc(1, sizeof *chunk + room);
    if (!chunk) {
      fputs("tile: out of memory\n", stderr);
      abort();
    }
    chunk->size = room;
    chunk->next = l->arena;
    l->arena = chunk;
  }
  void *memory = l->arena->bytes + l->arena->used;
  l->arena->used += size;
  return memory;
}

void cpuDestroy(CpuLowering *l) {
  tilePointerTableClear(&l->map);
  tilePointerTableClear(&l->constants);
  tilePointerTableClear(&l->declared);
  while (l->arena) {
    CpuArenaChunk *next = l->arena->next;
    free(l->arena);
    l->arena = next;
  }
}

CpuSlot *cpuFind(CpuLowering *l, MlirValue value) {
  return tilePointerTableFind(l->map, value.ptr);
}

CpuSlot *cpuSet(CpuLowering *l, MlirValue value, CpuForm form) {
  CpuSlot *slot = tilePointerTableAdd(&l->map, value.ptr, sizeof *slot);
  *slot = (CpuSlot){.form = form};
  return slot;
}

void cpuSetScalar(CpuLowering *l, MlirValue value, MlirValue scalar) {
  cpuSet(l, value, CPU_SCALAR)->scalar = scalar;
}

void cpuSetBuffer(CpuLowering *l, MlirValue value, CpuBuffer buffer, bool owned) {
  CpuSlot *slot = cpuSet(l, value, CPU_BUFFER);
  slot->buffer = buffer;
  slot->owned = owned;
}

MlirValue cpuScalar(CpuLowering *l, MlirValue value) {
  CpuSlot *slot = cpuFind(l, value);
  return slot ? slot->scalar : (MlirValue){NULL};
}

void cpuFail(CpuLowering *l, MlirOperation op, const char *what) {
  MlirStringRef name = tileOpName(op);
  if (!l->failed)
    tileEmitError(mlirOperationGetLocation(op), "expected %s, found '%.*s'", what, (int)name.length,
                  name.data);
  l->failed = true;
}

//===- types --------------------------------------------------------------===//

MlirType cpuPointerType(CpuLowering *l) {
  return mlirTypeParseGet(l->context, tileString("!llvm.ptr"));
}

MlirType cpuRegisterType(CpuLowering *l, MlirType element) {
  if (tileTypeIsAPtr(element)) return cpuPointerType(l);
  if (tileTypeIsFloat(element) && tileBitWidth(element) == 8) return tileI8(l->context);
  // LLVM takes vectors of bf16 apart where it selects or masks them, and rounds their elements by a
  // library call.
  if (mlirTypeIsABF16(element)) return tileI16(l->context);
  return element;
}

MlirType cpuMemoryType(CpuLowering *l, MlirType element) {
  MlirType type = cpuRegisterType(l, element);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1 ? tileI8(l->context) : type;
}

MlirType cpuWiden(MlirType element, int64_t width) {
  return width ? tileVectorType(width, element) : element;
}

int64_t cpuWidth(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAVector(type) ? mlirShapedTypeGetDimSize(type, 0) : 0;
}

int64_t cpuLanes(CpuLowering *l, MlirType element) {
  int bits = tileBitWidth(element);
  // Narrow numbers are computed in f32 or next to i32 indices: as many lanes as those have.
  return l->vectorBits / (bits == 64 && !tileTypeIsAPtr(element) ? 64 : 32);
}

//===- constants ----------------------------------------------------------===//

/// Emitted once a function.
static MlirValue constantOf(CpuLowering *l, MlirAttribute value) {
  MlirValue *constant = tilePointerTableAdd(&l->constants, value.ptr, sizeof *constant);
  if (mlirValueIsNull(*constant)) *constant = tileBuildConstant(&l->entry, value);
  return *constant;
}

MlirValue cpuInt(CpuLowering *l, MlirType type, int64_t value) {
  MlirAttribute number = mlirIntegerAttrGet(tileElementType(type), value);
  return constantOf(l, tileSplatAttr(type, number));
}

MlirValue cpuFloat(CpuLowering *l, MlirType type, double value) {
  MlirAttribute number = mlirFloatAttrDoubleGet(l->context, tileElementType(type), value);
  return constantOf(l, tileSplatAttr(type, number));
}

MlirValue cpuI64(CpuLowering *l, int64_t value) { return cpuInt(l, tileI64(l->context), value); }

/// The bits of an f8 number, by trying all: there are few.
static int f8Bits(MlirType type, double value) {
  int mantissa = mlirTypeIsAFloat8E5M2(type) ? 2 : 3, bias = mantissa == 2 ? 15 : 7;
  for (int code = 0; code < 256; ++code) {
    int exponent = code >> mantissa & (0x7f >> mantissa), fraction = code & ((1 << mantissa) - 1);
    double significand = ldexp(fraction, -mantissa) + (exponent ? 1 : 0);
    double magnitude = ldexp(significand, (exponent ? exponent : 1) - bias);
    bool last = mantissa == 2 ? exponent == 31 : (code & 0x7f) == 0x7f;
    if (last) magnitude = mantissa == 2 && !fraction ? INFINITY : NAN;
    double number = code & 0x80 ? -magnitude : magnitude;
    if (number == value && signbit(number) == signbit(value)) return code;
  }
  return value < 0 ? 0xff : 0x7f;
}

/// The bits of a bf16 number: the upper half of an f32's.
static int16_t bf16Bits(double value) {
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  return (int16_t)(bits >> 16);
}

MlirValue cpuScalarConstant(CpuLowering *l, MlirType element, MlirAttribute value) {
  if (tileTypeIsFloat(element) && tileBitWidth(element) == 8)
    return cpuInt(l, tileI8(l->context),
                  (int8_t)f8Bits(element, mlirFloatAttrGetValueDouble(value)));
  if (mlirTypeIsABF16(element))
    return cpuInt(l, tileI16(l->context), bf16Bits(mlirFloatAttrGetValueDouble(value)));
  return constantOf(l, value);
}

MlirValue cpuSteps(CpuLowering *l, MlirType element, int64_t width, int64_t stride) {
  MlirAttribute *numbers = cpuAllocate(l, (size_t)width * sizeof *numbers);
  for (int64_t i = 0; i < width; ++i) numbers[i] = mlirIntegerAttrGet(element, i * stride);
  MlirType type = tileVectorType(width, element);
  MlirAttribute all = mlirDenseElementsAttrGet(type, width, numbers);
  return constantOf(l, all);
}

MlirValue cpuFirstLanes(CpuLowering *l, int64_t width, int64_t count) {
  int *bits = cpuAllocate(l, (size_t)width * sizeof *bits);
  for (int64_t i = 0; i < width; ++i) bits[i] = i < count;
  MlirType type = tileVectorType(width, tileI1(l->context));
  MlirAttribute all = mlirDenseElementsAttrBoolGet(type, width, bits);
  return constantOf(l, all);
}

bool cpuIsAssumed(const CpuChunk *chunk, MlirValue value, int lane) {
  if (!chunk->fast) return false;
  for (int i = 0; i < chunk->l->numAssumed; ++i) {
    const CpuAssumed *assumed = &chunk->l->assumed[i];
    bool isThere = assumed->lane == CPU_ANY_LANE || assumed->lane == lane;
    if (isThere && mlirValueEqual(assumed->value, value)) return true;
  }
  return false;
}

MlirValue cpuRoundDown(CpuLowering *l, MlirValue number, MlirValue unit) {
  MlirValue rest = tileBuildBinary(&l->at, "arith.remsi", number, unit);
  return tileBuildBinary(&l->at, "arith.subi", number, rest);
}

MlirValue cpuBoth(CpuLowering *l, MlirValue a, MlirValue b) {
  if (mlirValueIsNull(a)) return b;
  if (mlirValueIsNull(b)) return a;
  return tileBuildBinary(&l->at, "arith.andi", a, b);
}

//===- stack buffers ------------------------------------------------------===//

MlirValue cpuAllocateStack(CpuLowering *l, MlirType element, int64_t count) {
  // %p = llvm.alloca %count x element {alignment = 64}
  MlirType memory = cpuMemoryType(l, element), pointer = cpuPointerType(l);
  int64_t bytes = tileElementBytes(element);
  l->stackBytes += (count * bytes + 63) / 64 * 64;
  MlirValue size = cpuI64(l, count);
  MlirAttribute align = mlirIntegerAttrGet(tileI64(l->context), 64);
  MlirOperation op =
      tileBuildOp(&l->entry, "llvm.alloca", TILE_VALUES(size), 1, &pointer,
                  TILE_ATTRS({"alignment", align}, {"elem_type", mlirTypeAttrGet(memory)}), 0);
  return tileResult(op);
}

CpuBuffer cpuDescribeBuffer(CpuLowering *l, MlirType type, MlirType element, int64_t *count) {
  CpuBuffer buffer = {.element = mlirTypeIsNull(element) ? tileElementType(type) : element};
  buffer.rank = tileShape(type, buffer.shape);
  int64_t width = l->vectorBits / 32;
  *count = 1;
  for (int d = buffer.rank; d-- > 0;) {
    buffer.strides[d] = *count;
    int64_t extent = buffer.shape[d];
    if (d == buffer.rank - 1) extent = (extent + width - 1) / width * width;
    *count *= extent;
  }
  return buffer;
}

CpuBuffer cpuAllocateBuffer(CpuLowering *l, MlirType type, MlirType element) {
  int64_t count;
  CpuBuffer buffer = cpuDescribeBuffer(l, type, element, &count);
  buffer.pointer = cpuAllocateStack(l, buffer.element, count);
  return buffer;
}
