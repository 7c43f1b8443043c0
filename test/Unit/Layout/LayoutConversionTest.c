// RUN: %unit/LayoutConversionTest
//===- LayoutConversionTest.c - plans, carried out move by move -----------===//
//
// A machine of warps, lanes and registers whose values are the packed
// coordinates of the elements. It does what the header tells a code generator to
// emit, and nothing else; at the end every register must hold the element that
// the destination's layout names. Each round trip through scratch is checked for
// alignment, for single writes, for uninitialised reads, and for bank conflicts
// with a simulation of its own.
//
//===----------------------------------------------------------------------===//
#include "Random.h"
#include "tile/Layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_REGISTERS = 512, MAX_WARPS = 8, NOTHING = -1 };

typedef struct Machine {
  uint32_t warps;
  int value[MAX_WARPS][32][MAX_REGISTERS];
} Machine;

static Machine source, result, temporary;
static int scratch[1 << 16];

#define FOR_THREADS(m)                                                                             \
  for (uint32_t w = 0; w < (m).warps; ++w)                                                         \
    for (uint32_t l = 0; l < 32; ++l)

static char failure[4000];

static void describe(const char *what, TileLayout src, TileLayout dst, int elementBytes) {
  char from[1000], to[1000];
  tileLayoutFormat(src, from, sizeof from);
  tileLayoutFormat(dst, to, sizeof to);
  snprintf(failure, sizeof failure, "%s\n  from %s\n  to   %s\n  of %d bytes", what, from, to,
           elementBytes);
}

static void load(Machine *machine, TileLayout layout) {
  machine->warps = tileLayoutSize(layout, TILE_WARP);
  uint32_t registers = tileLayoutSize(layout, TILE_REGISTER);
  assert_true(registers <= MAX_REGISTERS && machine->warps <= MAX_WARPS);
  static int byRegister[MAX_REGISTERS];
  for (uint32_t r = 0; r < registers; ++r)
    byRegister[r] = (int)tileLayoutApplyDim(&layout, TILE_REGISTER, r);
  FOR_THREADS(*machine) {
    int thread = (int)(tileLayoutApplyDim(&layout, TILE_LANE, l) ^
                       tileLayoutApplyDim(&layout, TILE_WARP, w));
    for (uint32_t r = 0; r < registers; ++r) machine->value[w][l][r] = thread ^ byRegister[r];
  }
}

/// tileLayoutCoordinate of a position map; by pointer, since this is most of what the machine does.
static uint32_t out(const TileLayout *map, TileInDim dim, uint64_t packed) {
  int shift = 0;
  for (int d = TILE_NUM_IN_DIMS - 1; d > (int)dim; --d) shift += map->outBits[d];
  return (uint32_t)(packed >> shift & (((uint64_t)1 << map->outBits[dim]) - 1));
}

static uint64_t at(const TileLayout *map, uint32_t r, uint32_t l, uint32_t w) {
  return tileLayoutApplyDim(map, TILE_REGISTER, r) ^ tileLayoutApplyDim(map, TILE_LANE, l) ^
         tileLayoutApplyDim(map, TILE_WARP, w);
}

/// What each register adds to a map, and each thread: at(r, l, w) = byRegister[r] ^
/// byThread[w][l], each entry one xor on an earlier one.
typedef struct Table {
  uint64_t byRegister[MAX_REGISTERS], byThread[MAX_WARPS][32];
} Table;

static void tabulate(Table *table, const TileLayout *map) {
  table->byRegister[0] = 0;
  for (uint32_t r = 1; r < tileLayoutSize(*map, TILE_REGISTER); ++r)
    table->byRegister[r] =
        table->byRegister[r & (r - 1)] ^ map->bases[TILE_REGISTER][__builtin_ctz(r)];
  FOR_THREADS(source)
  table->byThread[w][l] =
      l ? table->byThread[w][l & (l - 1)] ^ map->bases[TILE_LANE][__builtin_ctz(l)]
        : at(map, 0, 0, w);
}

static void permuteRegisters(const TileLayout *registers) {
  for (uint32_t r = 0; r < tileLayoutSize(*registers, TILE_REGISTER); ++r) {
    uint32_t from = out(registers, TILE_REGISTER, tileLayoutApplyDim(registers, TILE_REGISTER, r));
    FOR_THREADS(source) result.value[w][l][r] = source.value[w][l][from];
  }
}

/// The selects by position bits, on 2^bits values of one thread.
static int selectAll(int values[], uint32_t size, const TileLayout *map, uint32_t l, uint32_t w) {
  const uint32_t position[] = {0, l, w};
  int selects = 0, before[MAX_REGISTERS];
  for (int dim = TILE_LANE; dim <= TILE_WARP; ++dim)
    for (int bit = 0; bit < map->inBits[dim]; ++bit) {
      uint32_t basis = out(map, TILE_REGISTER, map->bases[dim][bit]);
      if (!basis) continue;
      memcpy(before, values, sizeof(int) * size);
      for (uint32_t i = 0; i < size; ++i, ++selects)
        values[i] = position[dim] >> bit & 1 ? before[i ^ basis] : before[i];
    }
  return selects;
}

static bool shuffle(const TileShufflePlan *plan, uint32_t srcRegisters, uint32_t dstRegisters,
                    int elementBytes) {
  uint32_t rounds = (uint32_t)1 << plan->roundBits;
  int sendSelects = 0, receiveSelects = 0, shuffled = 0;
  static Table lanes, sends, receives;
  tabulate(&lanes, &plan->lane);
  tabulate(&sends, &plan->send);
  tabulate(&receives, &plan->receive);
  FOR_THREADS(source) {
    int *q = source.value[w][l];
    sendSelects = selectAll(q, srcRegisters, &plan->send, l, w);
    for (uint32_t t = 0; t < rounds; ++t) {
      temporary.value[w][l][t] = q[out(&plan->send, TILE_REGISTER, sends.byRegister[t])];
    }
  }
  FOR_THREADS(source) {
    int v[MAX_REGISTERS];
    shuffled = 0;
    for (uint32_t t = 0; t < rounds; ++t) {
      uint32_t lane = out(&plan->lane, TILE_LANE, lanes.byRegister[t] ^ lanes.byThread[w][l]);
      uint32_t constant = out(&plan->lane, TILE_LANE, lanes.byRegister[t]);
      if (plan->butterfly && lane != (l ^ constant)) return false;
      if (!plan->butterfly || constant) ++shuffled;
      v[t] = temporary.value[w][lane][t];
    }
    receiveSelects = selectAll(v, rounds, &plan->receive, l, w);
    for (uint32_t r = 0; r < dstRegisters; ++r)
      result.value[w][l][r] = v[out(&plan->receive, TILE_REGISTER, receives.byRegister[r])];
  }
  if (plan->numSelects != sendSelects + receiveSelects) return false;
  // Rounds that may share a word read the same lane.
  for (uint32_t t = 0; t < rounds; ++t)
    for (int bit = 0; bit < plan->roundBits; ++bit)
      if (plan->packBits >> bit & 1 &&
          at(&plan->lane, t, 0, 0) != at(&plan->lane, t ^ 1u << bit, 0, 0))
        return false;
  int packed = 1;
  while (packed * elementBytes < 4 && packed < 1 << __builtin_popcount(plan->packBits)) packed *= 2;
  return plan->numShuffles == (elementBytes == 8 ? 2 * shuffled : shuffled / packed);
}

/// Wavefronts of one access from the byte addresses of its lanes, beyond one a phase.
static int simulateConflicts(const uint32_t bytes[32], int accessBytes) {
  int lanes = accessBytes <= 4 ? 32 : 128 / accessBytes, extra = 0;
  for (int phase = 0; phase < 32; phase += lanes) {
    uint32_t words[32][32];
    int count[32] = {0}, most = 1;
    for (int l = phase; l < phase + lanes; ++l)
      for (uint32_t word = bytes[l] / 4; word <= (bytes[l] + (uint32_t)accessBytes - 1) / 4;
           ++word) {
        uint32_t bank = word % 32;
        bool known = false;
        for (int i = 0; i < count[bank]; ++i) known = known || words[bank][i] == word;
        if (!known) words[bank][count[bank]++] = word;
        if (count[bank] > most) most = count[bank];
      }
    extra += most - 1;
  }
  return extra;
}

static const char *storePass(const TileConversion *plan, int pass, int elementBytes) {
  const TileScratchAccess *store = &plan->scratch.store;
  uint32_t vector = (uint32_t)store->vector;
  static Table addresses, registers;
  tabulate(&addresses, &store->address);
  tabulate(&registers, &store->registers);
  FOR_THREADS(source) {
    if (l & store->freeLane || w & store->freeWarp) continue;
    for (uint32_t a = 0; a < (uint32_t)store->accesses; ++a) {
      uint32_t k = ((uint32_t)pass * (uint32_t)store->accesses + a) * vector;
      uint64_t address = addresses.byRegister[k] ^ addresses.byThread[w][l];
      uint32_t offset = out(&store->address, TILE_OFFSET, address);
      if (out(&store->address, TILE_REGISTER, address) != (uint32_t)pass) return "pass of a store";
      if (offset % vector) return "unaligned store";
      if ((offset + vector) * (uint32_t)elementBytes > (uint32_t)plan->scratch.bytes)
        return "store beyond the scratch";
      for (uint32_t i = 0; i < vector; ++i) {
        if (scratch[offset + i] != NOTHING) return "element stored twice";
        uint64_t from = registers.byRegister[k + i];
        scratch[offset + i] = source.value[w][l][out(&store->registers, TILE_REGISTER, from)];
      }
    }
  }
  return NULL;
}

static const char *loadPass(const TileConversion *plan, int pass) {
  const TileScratchAccess *loads = &plan->scratch.load;
  uint32_t vector = (uint32_t)loads->vector;
  static Table addresses;
  if (loads->freeLane || loads->freeWarp) return "predicated load";
  tabulate(&addresses, &loads->address);
  FOR_THREADS(source) for (uint32_t a = 0; a < (uint32_t)loads->accesses; ++a) {
    uint32_t k = ((uint32_t)pass * (uint32_t)loads->accesses + a) * vector;
    uint64_t address = addresses.byRegister[k] ^ addresses.byThread[w][l];
    uint32_t offset = out(&loads->address, TILE_OFFSET, address);
    if (out(&loads->address, TILE_REGISTER, address) != (uint32_t)pass) return "pass of a load";
    if (offset % vector) return "unaligned load";
    for (uint32_t i = 0; i < vector; ++i) {
      if (scratch[offset + i] == NOTHING) return "uninitialised load";
      temporary.value[w][l][k + i] = scratch[offset + i];
    }
  }
  return NULL;
}

static const char *checkConflicts(const TileScratchAccess *access, int elementBytes) {
  uint32_t bytes[32];
  uint32_t lastWarp = tileLayoutSize(access->address, TILE_WARP) - 1;
  for (int a = 0; a < access->accesses; ++a) {
    for (uint32_t l = 0; l < 32; ++l)
      bytes[l] = (uint32_t)elementBytes *
                 out(&access->address, TILE_OFFSET,
                     at(&access->address, (uint32_t)(a * access->vector), l, a ? lastWarp : 0));
    if (simulateConflicts(bytes, access->vector * elementBytes) != access->conflicts)
      return "bank conflicts miscounted";
  }
  return NULL;
}

static const char *throughScratch(const TileConversion *plan, uint32_t dstRegisters,
                                  int elementBytes) {
  for (int pass = 0; pass < plan->scratch.passes; ++pass) {
    for (int64_t i = 0; i < plan->scratch.bytes / elementBytes; ++i) scratch[i] = NOTHING;
    const char *error = storePass(plan, pass, elementBytes);
    if (!error) error = loadPass(plan, pass);
    if (error) return error;
  }
  for (uint32_t r = 0; r < dstRegisters; ++r) {
    uint32_t k = out(&plan->scratch.load.registers, TILE_REGISTER,
                     tileLayoutApplyDim(&plan->scratch.load.registers, TILE_REGISTER, r));
    FOR_THREADS(source) result.value[w][l][r] = temporary.value[w][l][k];
  }
  const char *error = checkConflicts(&plan->scratch.store, elementBytes);
  if (!error) error = checkConflicts(&plan->scratch.load, elementBytes);
  // Theory: with the same vector on both sides, neither side has conflicts.
  if (!error && plan->scratch.store.vector == plan->scratch.load.vector &&
      plan->kind == TILE_CONVERSION_SHARED &&
      plan->scratch.store.conflicts + plan->scratch.load.conflicts)
    error = "bank conflicts";
  return error;
}

static const char *carryOut(const TileConversion *plan, TileLayout src, TileLayout dst,
                            int elementBytes) {
  uint32_t srcRegisters = tileLayoutSize(src, TILE_REGISTER);
  uint32_t dstRegisters = tileLayoutSize(dst, TILE_REGISTER);
  switch (plan->kind) {
  case TILE_CONVERSION_IMPOSSIBLE:
    return "refused";
  case TILE_CONVERSION_NONE:
    if (srcRegisters != dstRegisters) return "register counts differ";
    memcpy(&result, &source, sizeof source);
    return NULL;
  case TILE_CONVERSION_REGISTERS:
    permuteRegisters(&plan->registers);
    return NULL;
  case TILE_CONVERSION_SHUFFLES:
    return shuffle(&plan->shuffles, srcRegisters, dstRegisters, elementBytes) ? NULL
                                                                              : "bad shuffle plan";
  case TILE_CONVERSION_SHARED:
    return throughScratch(plan, dstRegisters, elementBytes);
  }
  return "unknown kind";
}

static TileConversion convertWithin(TileLayout src, TileLayout dst, int elementBytes,
                                    int64_t maxBytes) {
  TileConversion plan = tileLayoutPlanConversionWithin(src, dst, elementBytes, maxBytes);
  static Machine wanted;
  load(&source, src);
  load(&wanted, dst);
  result.warps = wanted.warps;
  const char *error = carryOut(&plan, src, dst, elementBytes);
  uint32_t registers = tileLayoutSize(dst, TILE_REGISTER);
  FOR_THREADS(wanted)
  if (!error && memcmp(wanted.value[w][l], result.value[w][l], sizeof(int) * registers) != 0)
    error = "wrong element";
  if (error) {
    describe(error, src, dst, elementBytes);
    fail_msg("%s (kind %d)", failure, plan.kind);
  }
  return plan;
}

static TileConversion convert(TileLayout src, TileLayout dst, int elementBytes) {
  return convertWithin(src, dst, elementBytes, 49152);
}

//===----------------------------------------------------------------------===//
// Every ordered pair of families
//===----------------------------------------------------------------------===//

typedef struct Families {
  int size;
  TileLayout at[64];
} Families;

static void add(Families *families, TileLayout layout) {
  if (!tileLayoutIsValid(layout) || tileLayoutSize(layout, TILE_REGISTER) > MAX_REGISTERS) return;
  for (int i = 0; i < families->size; ++i)
    if (tileLayoutEqual(families->at[i], layout)) return;
  families->at[families->size++] = layout;
}

static Families familiesOf(const int64_t shape[2], int numWarps) {
  Families all = {0};
  const int columns[] = {0, 1};
  for (int vector = 1; vector <= 16; vector *= 4) {
    add(&all, tileLayoutCoalesced(2, shape, NULL, vector, numWarps));
    add(&all, tileLayoutCoalesced(2, shape, columns, vector, numWarps));
  }
  add(&all, tileLayoutBlocked(2, shape, (const int[]){2, 2}, (const int[]){4, 8},
                              (const int[]){numWarps, 1}, columns));
  for (int m = 1; m <= numWarps; m *= 2) {
    const int warps[] = {m, numWarps / m};
    add(&all, tileLayoutMma(2, shape, warps));
    for (int bits = 8; bits <= 32; bits *= 2)
      for (int operand = TILE_DOT_A; operand <= TILE_DOT_B; ++operand)
        add(&all, tileLayoutMmaOperand(2, shape, warps, (TileDotOperand)operand, bits));
  }
  if (numWarps % 4 == 0) {
    const int groups[] = {numWarps / 4, 1}, across[] = {1, numWarps / 4};
    add(&all, tileLayoutWgmma(shape, groups));
    add(&all, tileLayoutWgmmaOperandA(shape, across, 16));
  }
  // A row spread over the tile, as after a reduction and a broadcast.
  const int64_t row[] = {1, shape[1]};
  TileLayout sliced = tileLayoutSlice(tileLayoutMma(2, shape, (const int[]){numWarps, 1}), 0);
  add(&all, tileLayoutBroadcast(tileLayoutReshape(sliced, 2, row), shape));
  return all;
}

static void convertAllPairs(const int64_t shape[2], int numWarps, int elementBytes, int kinds[5]) {
  Families all = familiesOf(shape, numWarps);
  for (int i = 0; i < all.size; ++i)
    for (int j = 0; j < all.size; ++j) {
      TileConversion plan = convert(all.at[i], all.at[j], elementBytes);
      ++kinds[plan.kind];
      if (i == j) assert_int_equal(plan.kind, TILE_CONVERSION_NONE);
    }
}

static void everyPairOfFamilies(void **state) {
  (void)state;
  int kinds[5] = {0};
  for (int64_t m = 1; m <= 64; m *= 2)
    for (int64_t n = 1; n <= 64; n *= 2)
      for (int bytes = 1; bytes <= 8; bytes *= 2) {
        // The largest with the sizes that occur there; the others with all.
        if (m * n > 1024 && bytes != (m == n ? 2 : 4)) continue;
        convertAllPairs((const int64_t[]){m, n}, 4, bytes, kinds);
      }
  assert_int_equal(kinds[TILE_CONVERSION_IMPOSSIBLE], 0);
  assert_true(kinds[TILE_CONVERSION_NONE] && kinds[TILE_CONVERSION_SHUFFLES] &&
              kinds[TILE_CONVERSION_SHARED]);
}

static void everyPairOfFamiliesOfOneWarp(void **state) {
  (void)state;
  int kinds[5] = {0};
  for (int64_t m = 8; m <= 32; m *= 2)
    for (int64_t n = 8; n <= 32; n *= 2)
      for (int bytes = 1; bytes <= 8; bytes *= 2)
        convertAllPairs((const int64_t[]){m, n}, 1, bytes, kinds);
  assert_true(kinds[TILE_CONVERSION_SHUFFLES] > 500);
}

static void everyPairOfFamiliesOfEightWarps(void **state) {
  (void)state;
  int kinds[5] = {0};
  convertAllPairs((const int64_t[]){128, 64}, 8, 4, kinds);
  convertAllPairs((const int64_t[]){32, 64}, 8, 2, kinds);
  assert_true(kinds[TILE_CONVERSION_SHARED] > 100);
}

//===----------------------------------------------------------------------===//
// Layouts that no family has
//===----------------------------------------------------------------------===//

/// A surjective layout of 2^outBits elements: random bases, redrawn until they span.
static TileLayout randomLayout(int outBits, int registerBits, int warpBits) {
  TileLayout layout = tileLayoutEmpty(1);
  layout.outBits[0] = outBits;
  layout.inBits[TILE_REGISTER] = registerBits;
  layout.inBits[TILE_LANE] = TILE_LANE_BITS;
  layout.inBits[TILE_WARP] = warpBits;
  do
    for (int dim = TILE_REGISTER; dim <= TILE_WARP; ++dim)
      for (int bit = 0; bit < layout.inBits[dim]; ++bit)
        layout.bases[dim][bit] =
            nextRandom() % 8 ? nextRandom() & (((uint64_t)1 << outBits) - 1) : 0;
  while (!tileLayoutIsSurjective(layout));
  return layout;
}

static void randomLayouts(void **state) {
  (void)state;
  int manyPasses = 0;
  for (int round = 0; round < 4000; ++round) {
    int warpBits = (int)(nextRandom() % 3);
    int outBits = 6 + (int)(nextRandom() % 5);
    int least = outBits - TILE_LANE_BITS - warpBits;
    if (least < 0) least = 0;
    TileLayout src = randomLayout(outBits, least + (int)(nextRandom() % 3), warpBits);
    TileLayout dst = randomLayout(outBits, least + (int)(nextRandom() % 3), warpBits);
    int bytes = 1 << nextRandom() % 4;
    TileConversion plan = convert(src, dst, bytes);
    TileConversion small = convertWithin(src, dst, bytes, 64);
    assert_true(small.kind != plan.kind || small.scratch.bytes <= plan.scratch.bytes);
    if (small.kind >= TILE_CONVERSION_SHARED) manyPasses += small.scratch.passes > 1;
    convert(src, src, 4);
  }
  assert_true(manyPasses > 100);
}

/// The same warps, so that only lanes and registers move.
static void randomLayoutsWithinWarps(void **state) {
  (void)state;
  int kinds[5] = {0};
  for (int round = 0; round < 4000; ++round) {
    int outBits = 4 + (int)(nextRandom() % 5), least = outBits > 5 ? outBits - 5 : 0;
    TileLayout src = randomLayout(outBits, least + (int)(nextRandom() % 2), 0);
    TileLayout dst = randomLayout(outBits, least + (int)(nextRandom() % 2), 0);
    TileLayout warps = tileLayoutIdentity(TILE_WARP, 1, 1, 0);
    src = tileLayoutProduct(src, warps);
    dst = tileLayoutProduct(dst, warps);
    ++kinds[convert(src, dst, 1 << nextRandom() % 4).kind];
  }
  assert_true(kinds[TILE_CONVERSION_SHUFFLES] > 1000);
}

//===----------------------------------------------------------------------===//
// What theory promises
//===----------------------------------------------------------------------===//

static void registersAreFree(void **state) {
  (void)state;
  const int64_t shape[] = {64, 64};
  TileLayout src = tileLayoutMma(2, shape, (const int[]){2, 2}), dst = src;
  dst.bases[TILE_REGISTER][0] = src.bases[TILE_REGISTER][2];
  dst.bases[TILE_REGISTER][2] = src.bases[TILE_REGISTER][0];
  TileConversion plan = convert(src, dst, 4);
  assert_int_equal(plan.kind, TILE_CONVERSION_REGISTERS);
  assert_int_equal(plan.cost, 0);
  // Two m16n8 accumulators side by side are an A operand of m16n8k16: attention's second dot.
  const int64_t tall[] = {64, 32};
  plan = convert(tileLayoutMma(2, tall, (const int[]){4, 1}),
                 tileLayoutMmaOperand(2, tall, (const int[]){4, 1}, TILE_DOT_A, 16), 2);
  assert_int_equal(plan.kind, TILE_CONVERSION_NONE);
  plan = convert(tileLayoutWgmma(shape, (const int[]){1, 1}),
                 tileLayoutWgmmaOperandA(shape, (const int[]){1, 1}, 16), 2);
  assert_int_equal(plan.kind, TILE_CONVERSION_NONE);
}

static void duplicatesAreFree(void **state) {
  (void)state;
  const int64_t shape[] = {64, 64};
  TileLayout slice = tileLayoutSlice(tileLayoutMma(2, shape, (const int[]){4, 1}), 1);
  TileLayout compact = tileLayoutRemoveFreeRegisters(slice, NULL);
  assert_int_equal(convert(slice, compact, 4).kind, TILE_CONVERSION_REGISTERS);
  assert_int_equal(convert(compact, slice, 4).kind, TILE_CONVERSION_REGISTERS);
}

static void exchangingABitTakesHalfTheRegisters(void **state) {
  (void)state;
  // Registers and lanes of an 8 x 32 tile, one register bit exchanged with one lane bit.
  TileLayout src = tileLayoutProduct(tileLayoutIdentity(TILE_REGISTER, 3, 1, 0),
                                     tileLayoutIdentity(TILE_LANE, 5, 1, 0));
  for (int reg = 0; reg < 3; ++reg)
    for (int lane = 0; lane < 5; ++lane) {
      TileLayout dst = src;
      dst.bases[TILE_REGISTER][reg] = src.bases[TILE_LANE][lane];
      dst.bases[TILE_LANE][lane] = src.bases[TILE_REGISTER][reg];
      TileConversion plan = convert(src, dst, 4);
      assert_int_equal(plan.kind, TILE_CONVERSION_SHUFFLES);
      assert_true(plan.shuffles.butterfly);
      assert_int_equal(plan.shuffles.numShuffles, 4);
      assert_int_equal(convert(src, dst, 2).shuffles.numShuffles, 2);
      assert_int_equal(convert(src, dst, 8).shuffles.numShuffles, 8);
    }
}

/// A row of 256, two elements a lane and word, to where each thread wants two of every eight: all
/// lanes read words in the same order, so that no lane has to choose among registers.
static void repeatingARowTakesNoChoice(void **state) {
  (void)state;
  TileLayout src = tileLayoutEmpty(1), dst = tileLayoutEmpty(1);
  src.outBits[0] = dst.outBits[0] = 8;
  const uint64_t words[] = {1, 64, 128}, columns[] = {1, 8, 16, 32, 64, 128};
  for (int bit = 0; bit < 3; ++bit)
    src.bases[TILE_REGISTER][src.inBits[TILE_REGISTER]++] = words[bit];
  for (int bit = 0; bit < 6; ++bit)
    dst.bases[TILE_REGISTER][dst.inBits[TILE_REGISTER]++] = columns[bit];
  src.inBits[TILE_LANE] = dst.inBits[TILE_LANE] = 5;
  for (int bit = 0; bit < 5; ++bit) src.bases[TILE_LANE][bit] = (uint64_t)2 << bit;
  dst.bases[TILE_LANE][0] = 2;
  dst.bases[TILE_LANE][1] = 4;
  TileConversion plan = convert(src, dst, 2);
  assert_int_equal(plan.kind, TILE_CONVERSION_SHUFFLES);
  assert_int_equal(plan.shuffles.numShuffles, 32);
  assert_int_equal(plan.shuffles.numSelects, 0);
}

static void permutingLanesTakesEveryRegister(void **state) {
  (void)state;
  TileLayout src = tileLayoutProduct(tileLayoutIdentity(TILE_REGISTER, 2, 1, 0),
                                     tileLayoutIdentity(TILE_LANE, 5, 1, 0));
  TileLayout dst = src;
  dst.bases[TILE_LANE][0] = src.bases[TILE_LANE][3];
  dst.bases[TILE_LANE][3] = src.bases[TILE_LANE][0];
  TileConversion plan = convert(src, dst, 4);
  assert_int_equal(plan.kind, TILE_CONVERSION_SHUFFLES);
  assert_false(plan.shuffles.butterfly);
  assert_int_equal(plan.shuffles.numShuffles, 4);
  assert_int_equal(plan.shuffles.numSelects, 0);
}

static void transposesWithoutConflicts(void **state) {
  (void)state;
  for (int64_t n = 32; n <= 128; n *= 2)
    for (int bytes = 1; bytes <= 8; bytes *= 2) {
      const int64_t shape[] = {64, n};
      TileLayout rows = tileLayoutCoalesced(2, shape, NULL, 16 / bytes, 4);
      TileLayout columns = tileLayoutCoalesced(2, shape, (const int[]){0, 1}, 16 / bytes, 4);
      TileConversion plan = convert(rows, columns, bytes);
      assert_int_equal(plan.kind, TILE_CONVERSION_SHARED);
      assert_int_equal(plan.scratch.bytes * plan.scratch.passes, 64 * n * bytes);
    }
}

static void coalescesAnAccumulatorInWideAccesses(void **state) {
  (void)state;
  // The epilogue of a matmul: f32 accumulators to rows for 16-byte stores.
  const int64_t shape[] = {128, 128};
  TileConversion plan = convert(tileLayoutMma(2, shape, (const int[]){2, 4}),
                                tileLayoutCoalesced(2, shape, NULL, 4, 8), 4);
  assert_int_equal(plan.kind, TILE_CONVERSION_SHARED);
  assert_true(plan.scratch.store.vector * 4 >= 8);
  assert_int_equal(plan.scratch.store.conflicts, 0);
  assert_int_equal(plan.scratch.load.conflicts, 0);
}

static void onlyOneCopyIsStored(void **state) {
  (void)state;
  // All warps hold the B operand; storePass fails on a second store of an element.
  const int64_t shape[] = {32, 32};
  TileLayout src = tileLayoutMmaOperand(2, shape, (const int[]){4, 1}, TILE_DOT_B, 16);
  TileConversion plan = convert(src, tileLayoutCoalesced(2, shape, NULL, 8, 4), 2);
  assert_int_equal(plan.kind, TILE_CONVERSION_SHARED);
  assert_int_equal(plan.scratch.store.freeWarp, 3);
}

static void largeTilesGoInPasses(void **state) {
  (void)state;
  const int64_t shape[] = {128, 256};
  TileLayout src = tileLayoutMma(2, shape, (const int[]){2, 4});
  TileLayout dst = tileLayoutCoalesced(2, shape, NULL, 4, 8);
  for (int64_t limit = 8192; limit <= 131072; limit *= 2) {
    TileConversion plan = convertWithin(src, dst, 4, limit);
    assert_int_equal(plan.scratch.bytes * plan.scratch.passes, 128 * 256 * 4);
    assert_true(plan.scratch.bytes <= limit);
  }
}

static void refusesElementsThatNobodyHolds(void **state) {
  (void)state;
  TileLayout dst = tileLayoutIdentity(TILE_LANE, 5, 1, 0), src = dst;
  src.bases[TILE_LANE][4] = 0;
  assert_int_equal(tileLayoutPlanConversion(src, dst, 4).kind, TILE_CONVERSION_IMPOSSIBLE);
  TileLayout smaller = tileLayoutIdentity(TILE_LANE, 4, 1, 0);
  assert_int_equal(tileLayoutPlanConversion(smaller, dst, 4).kind, TILE_CONVERSION_IMPOSSIBLE);
}

/// 64 x 16 over a warp, rows over lanes as a column is loaded, or columns, and a lane for half.
static void sumsOfColumnsCostShuffles(void **state) {
  (void)state;
  const int64_t shape[] = {64, 16};
  const int one[] = {1, 1}, pairs[] = {2, 1}, rows[] = {32, 1}, columns[] = {2, 16};
  TileLayout tall = tileLayoutBlocked(2, shape, pairs, rows, one, NULL);
  TileLayout wide = tileLayoutBlocked(2, shape, one, columns, one, NULL);
  // 16 sums of two, five shuffles and additions each; and one sum of 32, one shuffle.
  assert_int_equal(tileLayoutReductionCost(tall, 0, 4), 16 * (1 + 5 * 3));
  assert_int_equal(tileLayoutReductionCost(wide, 0, 4), 31 + 3);
  assert_int_equal(tileLayoutReductionCost(wide, 0, 8), 31 + 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registersAreFree),
      cmocka_unit_test(duplicatesAreFree),
      cmocka_unit_test(exchangingABitTakesHalfTheRegisters),
      cmocka_unit_test(repeatingARowTakesNoChoice),
      cmocka_unit_test(permutingLanesTakesEveryRegister),
      cmocka_unit_test(transposesWithoutConflicts),
      cmocka_unit_test(coalescesAnAccumulatorInWideAccesses),
      cmocka_unit_test(onlyOneCopyIsStored),
      cmocka_unit_test(largeTilesGoInPasses),
      cmocka_unit_test(refusesElementsThatNobodyHolds),
      cmocka_unit_test(sumsOfColumnsCostShuffles),
      cmocka_unit_test(everyPairOfFamilies),
      cmocka_unit_test(everyPairOfFamiliesOfOneWarp),
      cmocka_unit_test(everyPairOfFamiliesOfEightWarps),
      cmocka_unit_test(randomLayouts),
      cmocka_unit_test(randomLayoutsWithinWarps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
