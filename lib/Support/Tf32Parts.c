//===- Tf32Parts.c - what tensor cores see of an f32 ----------------------===//
#include "tile/Support/Tf32Parts.h"

MlirValue tileBuildLargePart(TileBuilder *b, MlirValue x, int32_t upper) {
  MlirType type = mlirValueGetType(x), bits = tileWithElement(type, tileI32(b->context));
  MlirValue all = tileBuildUnary(b, "arith.bitcast", bits, x);
  MlirValue seen = tileBuildInt(b, bits, upper);
  MlirValue top = tileBuildBinary(b, "arith.andi", all, seen);
  return tileBuildUnary(b, "arith.bitcast", type, top);
}

// Infinity less itself is the NaN 0x7fffffff (PTX ISA, "Floating Point Comparisons" and "add"), and
// as integers of 32 bits each infinity is below that; a part of a finite number, of its sign, is
// below the number.
MlirValue tileBuildSmallPart(TileBuilder *b, MlirValue x) {
  MlirType type = mlirValueGetType(x), bits = tileWithElement(type, tileI32(b->context));
  MlirValue rest =
      tileBuildBinary(b, "arith.subf", x, tileBuildLargePart(b, x, TILE_UPPER_OF_TF32));
  MlirValue little = tileBuildFloat(b, type, 0x1p-56);
  MlirValue part = tileBuild(b, "math.fma", type, TILE_VALUES(x, little, rest));
  MlirValue partBits = tileBuildUnary(b, "arith.bitcast", bits, part);
  MlirValue allBits = tileBuildUnary(b, "arith.bitcast", bits, x);
  MlirValue least = tileBuildBinary(b, "arith.minsi", partBits, allBits);
  return tileBuildUnary(b, "arith.bitcast", type, least);
}
