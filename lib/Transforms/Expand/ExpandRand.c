//===- ExpandRand.c - tile.rand as arithmetic -----------------------------===//
//
// Before:  %r = tile.rand %seed, %offset : i64, tensor<64xi32>
// After:   ten rounds on a counter of four words, which begins as (offset, 0, 0, 0), and a key of
//          two, the low and the high word of the seed (i32: zero-extended), of
//
//            counter = (high(B * c2) ^ c1 ^ k0, low(B * c2), high(A * c0) ^ c3 ^ k1, low(A * c0))
//            key     = (k0 + 0x9e3779b9, k1 + 0xbb67ae85)
//
//          %bits = arith.shrui %c0, 8          the first word's upper 24 bits, which an f32
//          %n = arith.uitofp %bits             holds exactly,
//          %r = arith.mulf %n, 2^-24           so [0, 1) in even steps
//
// Philox 4x32-10: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
// SC 2011. Element i depends on seed and offset alone, not on tile, layout or target.
//
//===----------------------------------------------------------------------===//
#include "Expand.h"

enum { ROUNDS = 10 };

/// The words that one round's multiplication of `word` by `factor` gives.
typedef struct {
  MlirValue high, low;
} Product;

static MlirType withElement(MlirValue like, MlirType element) {
  return tileWithElement(mlirValueGetType(like), element);
}

/// %w = arith.extui %word; %p = %w * factor; low = trunc %p; high = trunc (%p >> 32)
static Product multiply(TileBuilder *b, MlirValue word, uint32_t factor) {
  MlirType narrow = mlirValueGetType(word), wide = withElement(word, tileI64(b->context));
  MlirValue extended = tileBuildUnary(b, "arith.extui", wide, word);
  MlirValue constant = tileBuildInt(b, wide, factor);
  MlirValue product = tileBuildBinary(b, "arith.muli", extended, constant);
  MlirValue amount = tileBuildInt(b, wide, 32);
  MlirValue upper = tileBuildBinary(b, "arith.shrui", product, amount);
  Product result = {{NULL}, {NULL}};
  result.high = tileBuildUnary(b, "arith.trunci", narrow, upper);
  result.low = tileBuildUnary(b, "arith.trunci", narrow, product);
  return result;
}

/// A word of the key, a scalar, for every element.
static MlirValue spread(TileBuilder *b, MlirValue word, MlirType type) {
  return tileTypeIsTile(type) ? tileBuildUnary(b, "tile.splat", type, word) : word;
}

static MlirValue mix(TileBuilder *b, MlirValue high, MlirValue counter, MlirValue key) {
  MlirValue mixed = tileBuildBinary(b, "arith.xori", high, counter);
  MlirValue keys = spread(b, key, mlirValueGetType(high));
  return tileBuildBinary(b, "arith.xori", mixed, keys);
}

static void splitSeed(TileBuilder *b, MlirValue seed, MlirValue key[2]) {
  MlirType i32 = tileI32(b->context), type = mlirValueGetType(seed);
  if (mlirTypeEqual(type, i32)) {
    key[0] = seed;
    key[1] = tileBuildInt(b, i32, 0);
    return;
  }
  MlirValue amount = tileBuildInt(b, type, 32);
  MlirValue upper = tileBuildBinary(b, "arith.shrui", seed, amount);
  key[0] = tileBuildUnary(b, "arith.trunci", i32, seed);
  key[1] = tileBuildUnary(b, "arith.trunci", i32, upper);
}

/// The first of the four words.
static MlirValue philox(TileBuilder *b, MlirValue offset, MlirValue key[2]) {
  MlirType i32 = tileI32(b->context);
  MlirValue zero = tileBuildInt(b, mlirValueGetType(offset), 0);
  MlirValue counter[4] = {offset, zero, zero, zero};
  MlirValue weyl0 = tileBuildInt(b, i32, (int32_t)UINT32_C(0x9e3779b9));
  MlirValue weyl1 = tileBuildInt(b, i32, (int32_t)UINT32_C(0xbb67ae85));
  for (int round = 0; round < ROUNDS; ++round) {
    if (round) {
      key[0] = tileBuildBinary(b, "arith.addi", key[0], weyl0);
      key[1] = tileBuildBinary(b, "arith.addi", key[1], weyl1);
    }
    Product first = multiply(b, counter[0], UINT32_C(0xd2511f53));
    Product second = multiply(b, counter[2], UINT32_C(0xcd9e8d57));
    counter[0] = mix(b, second.high, counter[1], key[0]);
    counter[2] = mix(b, first.high, counter[3], key[1]);
    counter[1] = second.low;
    counter[3] = first.low;
  }
  return counter[0];
}

bool tileExpandRand(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  MlirValue offset = tileRandGetOffset(op), key[2];
  splitSeed(b, tileRandGetSeed(op), key);
  MlirValue word = philox(b, offset, key);
  MlirValue amount = tileBuildInt(b, mlirValueGetType(word), 8);
  MlirValue bits = tileBuildBinary(b, "arith.shrui", word, amount);
  MlirType type = mlirValueGetType(tileResult(op));
  MlirValue number = tileBuildUnary(b, "arith.uitofp", type, bits);
  MlirValue step = tileBuildFloat(b, type, 0x1p-24);
  results[0] = tileBuildBinary(b, "arith.mulf", number, step);
  return true;
}
