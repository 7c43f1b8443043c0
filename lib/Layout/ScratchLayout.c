//===- ScratchLayout.c - conversions through shared memory ----------------===//
//
// The scratch buffer is a linear layout too, so choosing it is choosing a basis
// of the space of elements. From the lowest offset bit up:
//
//   [ vector | wider | banks | segments ]      and beside them: [ passes ]
//
// vector:   elements that are registers on both sides, up to 16 bytes: each side
//           moves them as one access.
// wider:    registers of one side only, which that side moves in the same access
//           while the other side does not. Worth it where `vector` is narrow.
// segments: above the 128 bytes that all banks deliver at once. Two lanes of one
//           wavefront conflict when they differ by a vector of this subspace, so it
//           is chosen to meet neither the lanes of a store nor those of a load: with
//           p_i and q_i completing the common part of the two lane spaces to each of
//           them, p_i + q_i lies in neither. This is the construction of "Linear
//           Layouts" (Zhou et al., 2025), section on swizzling. It always exists
//           without `wider`.
// passes:   registers of both sides that no lane or warp reaches; the tile goes
//           through a smaller buffer in so many parts.
//
// A vector access needs addresses whose vector bits are 0 at every thread, so lanes
// and warps must not reach into `vector` (nor, on the wider side, into `wider`).
// That restricts which registers qualify.
//
//===----------------------------------------------------------------------===//
#include "Conversion.h"
#include "Span.h"

typedef struct Vectors {
  int size;
  uint64_t at[TILE_MAX_BITS];
} Vectors;

enum { STORE, LOAD, NUM_SIDES };

/// What a side holds in registers, and where its lanes and warps reach.
typedef struct Side {
  const TileLayout *layout;
  Span registers;
  Vectors lanes, threads; ///< threads: lanes and warps
} Side;

typedef struct Problem {
  int elementLog2; ///< of its bytes
  Span elements;
  Side sides[NUM_SIDES];
  Vectors common; ///< registers of both sides
  Vectors vector;
  int passes; ///< wanted, as bits
} Problem;

/// One choice of the basis.
typedef struct Basis {
  int widerSide;
  Vectors wider, passes;
  Span span; ///< generators: vector, wider, threads, passes, the rest
  uint32_t passMask;
  Vectors offsets;
} Basis;

static void push(Vectors *vectors, uint64_t vector) { vectors->at[vectors->size++] = vector; }

static void spanAddAll(Span *span, const Vectors *vectors) {
  for (int i = 0; i < vectors->size; ++i) spanAdd(span, vectors->at[i]);
}

/// The sum of the span's generators under `mask`.
static uint64_t sumOf(const Span *span, uint32_t mask) {
  uint64_t sum = 0;
  for (; mask; mask &= mask - 1) sum ^= span->generators[__builtin_ctz(mask)];
  return sum;
}

static uint32_t lowMask(int bits) { return ((uint32_t)1 << bits) - 1; }

/// A basis of the intersection: a member of `b` that depends on `a` and the earlier members has, as
/// its part in `a`, a vector of both.
static Vectors intersect(const Span *a, const Vectors *b) {
  Span both = *a;
  Vectors result = {0};
  for (int i = 0; i < b->size; ++i) {
    uint32_t combination = 0;
    if (spanAdd(&both, b->at[i])) continue;
    spanReduce(&both, b->at[i], &combination);
    uint64_t shared = sumOf(&both, combination & lowMask(a->size));
    if (shared) push(&result, shared);
  }
  return result;
}

static Vectors generatorsOf(const Span *span) {
  Vectors result = {0};
  for (int i = 0; i < span->size; ++i) push(&result, span->generators[i]);
  return result;
}

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

static void setUpSide(Side *side, const TileLayout *layout) {
  side->layout = layout;
  spanAddDim(&side->registers, layout, TILE_REGISTER);
  // Independent vectors only: more than TILE_MAX_BITS lane and warp bits may broadcast.
  Span threads = {0};
  for (int bit = 0; bit < layout->inBits[TILE_LANE]; ++bit) {
    push(&side->lanes, layout->bases[TILE_LANE][bit]);
    spanAdd(&threads, layout->bases[TILE_LANE][bit]);
  }
  spanAddDim(&threads, layout, TILE_WARP);
  side->threads = generatorsOf(&threads);
}

static void chooseVector(Problem *problem, int mostBits) {
  Span taken = {0};
  problem->vector.size = 0;
  spanAddAll(&taken, &problem->sides[STORE].threads);
  spanAddAll(&taken, &problem->sides[LOAD].threads);
  for (int i = 0; i < problem->common.size; ++i)
    if (problem->vector.size < mostBits && spanAdd(&taken, problem->common.at[i]))
      push(&problem->vector, problem->common.at[i]);
}

static void setUp(Problem *problem, const TileLayout *src, const TileLayout *dst, int elementBytes,
                  int64_t maxBytes) {
  problem->elementLog2 = __builtin_ctz((unsigned)elementBytes);
  for (int dim = TILE_REGISTER; dim <= TILE_WARP; ++dim)
    spanAddDim(&problem->elements, src, (TileInDim)dim);
  setUpSide(&problem->sides[STORE], src);
  setUpSide(&problem->sides[LOAD], dst);
  Vectors registers = generatorsOf(&problem->sides[STORE].registers);
  problem->common = intersect(&problem->sides[LOAD].registers, &registers);
  while (((int64_t)elementBytes << (problem->elements.size - problem->passes)) > maxBytes &&
         problem->passes < problem->elements.size)
    ++problem->passes;
}

//===----------------------------------------------------------------------===//
// A basis
//===----------------------------------------------------------------------===//

/// Whether `side` can move `vector` in the same access, while the addresses of both sides keep
/// their vector bits 0.
static bool canWiden(const Problem *problem, const Basis *basis, uint64_t vector) {
  Span own = {0};
  spanAddAll(&own, &problem->vector);
  spanAddAll(&own, &basis->wider);
  spanAddAll(&own, &problem->sides[basis->widerSide].threads);
  if (spanContains(&own, vector)) return false;
  Span others = {0};
  spanAddAll(&others, &problem->sides[STORE].threads);
  spanAddAll(&others, &problem->sides[LOAD].threads);
  spanAddAll(&others, &basis->wider);
  spanAdd(&others, vector);
  for (int i = 0; i < problem->vector.size; ++i)
    if (!spanAdd(&others, problem->vector.at[i])) return false;
  return true;
}

static bool chooseWider(const Problem *problem, Basis *basis, int bits) {
  const Span *registers = &problem->sides[basis->widerSide].registers;
  for (int i = 0; i < registers->size && basis->wider.size < bits; ++i)
    if (canWiden(problem, basis, registers->generators[i]))
      push(&basis->wider, registers->generators[i]);
  return basis->wider.size == bits;
}

static void chooseSpan(const Problem *problem, Basis *basis) {
  Span *span = &basis->span;
  spanAddAll(span, &problem->vector);
  spanAddAll(span, &basis->wider);
  spanAddAll(span, &problem->sides[basis->widerSide].threads);
  spanAddAll(span, &problem->sides[!basis->widerSide].threads);
  int first = span->size;
  for (int i = problem->common.size - 1; i >= 0 && basis->passes.size < problem->passes; --i)
    if (spanAdd(span, problem->common.at[i])) push(&basis->passes, problem->common.at[i]);
  basis->passMask = lowMask(span->size) & ~lowMask(first);
  for (int i = 0; i < problem->elements.size; ++i) spanAdd(span, problem->elements.generators[i]);
}

static int vectorBits(const Problem *problem, const Basis *basis, int side) {
  return problem->vector.size + (side == basis->widerSide ? basis->wider.size : 0);
}

/// What the lanes of one wavefront of `side` reach in `space`, with the elements of its vector and
/// the others of the same 4-byte word, which no lane conflicts with.
static Vectors wavefront(const Problem *problem, const Basis *basis, int side, const Span *space) {
  int bits = vectorBits(problem, basis, side), bytes = 1 << (bits + problem->elementLog2);
  int lanes = bytes <= 4 ? 5 : bytes == 8 ? 4 : 3;
  int wordBits = 2 - problem->elementLog2, low = bits > wordBits ? bits : wordBits;
  Vectors reach = problem->vector;
  for (int i = 0; reach.size < low && i < basis->wider.size; ++i) push(&reach, basis->wider.at[i]);
  for (int i = 0; reach.size < low && i < space->size; ++i) push(&reach, space->generators[i]);
  const Vectors *all = &problem->sides[side].lanes;
  for (int lane = 0; lane < lanes && lane < all->size; ++lane) push(&reach, all->at[lane]);
  return intersect(space, &reach);
}

/// The segment bits: `wanted` vectors of `space` outside both wavefronts as far as possible.
static Span chooseSegments(const Problem *problem, const Basis *basis, const Span *space,
                           int wanted) {
  Vectors store = wavefront(problem, basis, STORE, space);
  Vectors load = wavefront(problem, basis, LOAD, space);
  Span loadSpan = {0};
  spanAddAll(&loadSpan, &load);
  Vectors both = intersect(&loadSpan, &store);
  // p_i and q_i complete the common part.
  Span span = {0}, united;
  Vectors p = {0}, q = {0};
  spanAddAll(&span, &both);
  united = span;
  for (int i = 0; i < store.size; ++i)
    if (spanAdd(&united, store.at[i])) push(&p, store.at[i]);
  for (int i = 0; i < load.size; ++i) {
    if (!spanAdd(&span, load.at[i])) continue;
    spanAdd(&united, load.at[i]);
    push(&q, load.at[i]);
  }
  Span segments = {0};
  for (int i = space->size - 1; i >= 0 && segments.size < wanted; --i)
    if (spanAdd(&united, space->generators[i])) spanAdd(&segments, space->generators[i]);
  for (int i = 0; i < p.size && i < q.size && segments.size < wanted; ++i)
    spanAdd(&segments, p.at[i] ^ q.at[i]);
  for (int i = space->size - 1; i >= 0 && segments.size < wanted; --i)
    spanAdd(&segments, space->generators[i]);
  return segments;
}

static void chooseOffsets(const Problem *problem, Basis *basis) {
  Span space = {0};
  int vector = problem->vector.size + basis->wider.size;
  for (int i = vector; i < basis->span.size; ++i)
    if (!(basis->passMask >> i & 1)) spanAdd(&space, basis->span.generators[i]);
  int wanted = vector + space.size - (7 - problem->elementLog2);
  Span segments = chooseSegments(problem, basis, &space, wanted);
  Span taken = segments;
  for (int i = 0; i < vector; ++i) push(&basis->offsets, basis->span.generators[i]);
  for (int i = 0; i < space.size; ++i)
    if (spanAdd(&taken, space.generators[i])) push(&basis->offsets, space.generators[i]);
  for (int i = 0; i < segments.size; ++i) push(&basis->offsets, segments.generators[i]);
}

//===----------------------------------------------------------------------===//
// The plan of one basis
//===----------------------------------------------------------------------===//

static TileLayout scratchLayout(const Problem *problem, const Basis *basis) {
  const TileLayout *src = problem->sides[STORE].layout;
  TileLayout layout = tileLayoutEmpty(src->rank);
  for (int d = 0; d < src->rank; ++d) layout.outBits[d] = src->outBits[d];
  layout.inBits[TILE_OFFSET] = basis->offsets.size;
  layout.inBits[TILE_REGISTER] = basis->passes.size;
  for (int i = 0; i < basis->offsets.size; ++i) layout.bases[TILE_OFFSET][i] = basis->offsets.at[i];
  for (int i = 0; i < basis->passes.size; ++i) layout.bases[TILE_REGISTER][i] = basis->passes.at[i];
  return layout;
}

/// The elements of a thread, counted as [pass][access][vector]: coordinates of each bit.
static Vectors countElements(const Problem *problem, const Basis *basis, int side) {
  int bits = vectorBits(problem, basis, side);
  const Span *registers = &problem->sides[side].registers;
  Vectors result = {0};
  Span taken = {0};
  for (int i = 0; i < bits; ++i) push(&result, basis->span.generators[i]);
  spanAddAll(&taken, &result);
  spanAddAll(&taken, &basis->passes);
  for (int i = 0; i < registers->size; ++i) {
    // Each access begins a vector of pass 0.
    uint32_t combination = 0;
    spanReduce(&basis->span, registers->generators[i], &combination);
    uint64_t first = sumOf(&basis->span, combination & (lowMask(bits) | basis->passMask));
    if (spanAdd(&taken, registers->generators[i] ^ first))
      push(&result, registers->generators[i] ^ first);
  }
  for (int i = 0; i < basis->passes.size; ++i) push(&result, basis->passes.at[i]);
  return result;
}

/// The position map between the thread's registers and its element count: from elements to
/// registers for a store, from registers to elements for a load.
static TileLayout registerMap(const TileLayout *layout, const Vectors *elements, int side) {
  TileLayout registers = tileLayoutSublayout(*layout, 1u << TILE_REGISTER, ~0u);
  TileLayout counted = registers, map = tileLayoutInvalid();
  counted.inBits[TILE_REGISTER] = elements->size;
  for (int bit = 0; bit < TILE_MAX_BITS; ++bit)
    counted.bases[TILE_REGISTER][bit] = bit < elements->size ? elements->at[bit] : 0;
  if (side == STORE)
    tileLayoutInvertAndCompose(counted, registers, &map);
  else
    tileLayoutInvertAndCompose(registers, counted, &map);
  return map;
}

static TileScratchAccess planAccess(const Problem *problem, const Basis *basis,
                                    const TileLayout *scratch, int side) {
  const TileLayout *layout = problem->sides[side].layout;
  int bits = vectorBits(problem, basis, side);
  TileScratchAccess access = {.vector = 1 << bits};
  Vectors elements = countElements(problem, basis, side);
  access.accesses = 1 << (elements.size - bits - basis->passes.size);
  access.registers = registerMap(layout, &elements, side);
  TileLayout counted = *layout;
  counted.inBits[TILE_REGISTER] = elements.size;
  for (int bit = 0; bit < TILE_MAX_BITS; ++bit)
    counted.bases[TILE_REGISTER][bit] = bit < elements.size ? elements.at[bit] : 0;
  if (!layoutSolve(&counted, scratch, 0, &access.address)) access.address = tileLayoutInvalid();
  if (side == STORE) {
    access.freeLane = tileLayoutFreeBits(*layout, TILE_LANE);
    access.freeWarp = tileLayoutFreeBits(*layout, TILE_WARP);
  }
  uint32_t laneBytes[TILE_LANE_BITS] = {0};
  for (int bit = 0; bit < TILE_LANE_BITS && bit < layout->inBits[TILE_LANE]; ++bit)
    laneBytes[bit] = (uint32_t)tileLayoutCoordinate(
                         access.address, access.address.bases[TILE_LANE][bit], TILE_OFFSET)
                     << problem->elementLog2;
  access.conflicts = tileBankConflicts(laneBytes, access.vector << problem->elementLog2);
  return access;
}

static int accessCost(const TileScratchAccess *access, int elementLog2) {
  int bytes = access->vector << elementLog2;
  int wavefronts = (bytes <= 4 ? 1 : bytes / 4) + access->conflicts;
  // One issue slot for the instruction itself.
  return access->accesses * (1 + COST_WAVEFRONT * wavefronts);
}

static bool planBasis(const Problem *problem, int widerSide, int widerBits, TileScratchPlan *plan,
                      int *cost) {
  Basis basis = {.widerSide = widerSide};
  if (!chooseWider(problem, &basis, widerBits)) return false;
  chooseSpan(problem, &basis);
  chooseOffsets(problem, &basis);
  *plan = (TileScratchPlan){.layout = scratchLayout(problem, &basis)};
  plan->passes = 1 << basis.passes.size;
  plan->bytes = (int64_t)1 << (basis.offsets.size + problem->elementLog2);
  plan->store = planAccess(problem, &basis, &plan->layout, STORE);
  plan->load = planAccess(problem, &basis, &plan->layout, LOAD);
  *cost = plan->passes * (COST_BARRIER + accessCost(&plan->store, problem->elementLog2) +
                          accessCost(&plan->load, problem->elementLog2));
  return true;
}

/// The cheapest basis for the chosen vector; its cost.
static int planVector(const Problem *problem, TileScratchPlan *plan) {
  int best = -1, room = 4 - problem->elementLog2 - problem->vector.size;
  for (int bits = 0; bits <= room; ++bits)
    for (int side = LOAD; side >= (bits ? STORE : LOAD); --side) {
      TileScratchPlan candidate;
      int cost = 0;
      if (!planBasis(problem, side, bits, &candidate, &cost)) continue;
      if (best >= 0 && (candidate.bytes > plan->bytes || cost >= best)) continue;
      best = cost;
      *plan = candidate;
    }
  return best;
}

int layoutPlanScratch(const TileLayout *src, const TileLayout *dst, int elementBytes,
                      int64_t maxBytes, TileScratchPlan *plan) {
  Problem problem = {0};
  setUp(&problem, src, dst, elementBytes, maxBytes);
  // Registers of both sides serve as vector or as passes: narrow the vector where the scratch
  // would not fit otherwise.
  int best = -1;
  for (int bits = 4 - problem.elementLog2; bits >= 0; --bits) {
    TileScratchPlan candidate;
    chooseVector(&problem, bits);
    int cost = planVector(&problem, &candidate);
    if (best >= 0 && candidate.bytes >= plan->bytes) continue;
    best = cost;
    *plan = candidate;
    if (plan->bytes <= maxBytes) break;
  }
  return best;
}
