//===- Gains.c - which boxes would gain nothing ---------------------------===//
//
// A box is copied by the copy engine while threads do something else. It costs a descriptor, a ring
// and the waits of who fills and who reads it, which is worth it where dots of a loop read enough
// of what the engine brings. Each rule of `rules` is a question about one candidate, with what the
// remark says of it. They are asked in their order, again from the first one where one refused
// something: what is refused changes what the others find beside the rest.
//
//===----------------------------------------------------------------------===//
#include "Gains.h"
#include "../Launch.h"
#include "../Layouts/Converted.h"
#include "../Loops.h"
#include "Feeds.h"
#include "tile/Analysis/DotForm.h"
#include "tile/MachineNumbers.h"
#include "tile/OpTraits.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tileRefuseBox(TileCandidate *c, const char *why) {
  snprintf(c->why, sizeof c->why, "%s", why);
  return false;
}

static bool isIn(const TileCandidate *c, MlirOperation loop) {
  return mlirOperationEqual(c->loop, loop);
}

/// Is there a load that becomes a box, or, where `raised` is false, one that does not? Of those in
/// loops, `inLoops`, and in `loop` where that is not null.
static bool hasLoad(const TileRaiser *r, bool raised, bool inLoops, MlirOperation loop) {
  bool has = false;
  for (size_t i = 0; i < r->count; ++i) {
    const TileCandidate *c = &r->candidates[i];
    has |= c->raised == raised && c->isLoad && (!inLoops || !mlirOperationIsNull(c->loop)) &&
           (mlirOperationIsNull(loop) || isIn(c, loop));
  }
  return has;
}

/// Sums go by the engine where what the dots read comes by it.
static bool isLoneSum(const TileRaiser *r, const TileCandidate *c) {
  return tileOpIsAAtomicRmw(c->op) && !hasLoad(r, true, false, (MlirOperation){NULL});
}

/// Beside a load that stays one of pointers, the product waits for that: packing gains nothing.
static bool isMixedPacked(const TileRaiser *r, const TileCandidate *c) {
  return c->packed && hasLoad(r, false, false, (MlirOperation){NULL});
}

/// Rows that were unwrapped are boxes where all that dots read are: beside loads of pointers the
/// loop is faster with all by pointers.
static bool isMixedUnwrapped(const TileRaiser *r, const TileCandidate *c) {
  return tileIsUnwrapped(r->unwrapped, c->op) && hasLoad(r, false, false, (MlirOperation){NULL});
}

/// Does a dot read the load's tile? Where a branch would have to go for boxes (with it goes that
/// programs leave early), also one that threads compute with on its way counts.
static bool isRead(const TileRaiser *r, const TileCandidate *c) {
  if (c->isOperand || !r->predicated || !c->isLoad) return c->isOperand;
  return tileFeedsDot(tileResult(c->op), true, r->warps);
}

/// Do boxes bring enough of what dots of `loop` read?
static bool pays(const TileRaiser *r, MlirOperation loop) {
  int64_t all = 0, boxes = 0;
  const TileMachine *machine = tileMachineOf(r->func);
  for (size_t i = 0; i < r->count; ++i) {
    const TileCandidate *c = &r->candidates[i];
    if (!isIn(c, loop) || !isRead(r, c)) continue;
    all += c->bytes;
    boxes += c->raised ? c->bytes : 0;
  }
  int64_t least = tileMachineNumber(machine, r->warpGroups > 1 ? TILE_NUMBER_BOX_SHARE
                                                               : TILE_NUMBER_BOX_SHARE_OF_ONE);
  return 100 * boxes >= least * all;
}

/// Beside what threads copy, and wait for, boxes gain little, and roles cost a warp group what
/// hides its waits: a loop's operands come by pointers where boxes bring too few of them. Others of
/// the loop are refused for it as well, bringing fewer still.
static bool isMixed(const TileRaiser *r, const TileCandidate *c) {
  return c->isOperand && !mlirOperationIsNull(c->loop) && !pays(r, c->loop);
}

/// A box whose elements threads read, compute with and store again for a dot's B saves nothing of
/// what copies by threads take, and is waited for: where a loop has no others, pointers are left.
static bool isStoredAgain(const TileRaiser *r, const TileCandidate *c) {
  bool others = false;
  for (size_t i = 0; i < r->count && c->isStoredForB; ++i) {
    const TileCandidate *other = &r->candidates[i];
    others |= other->raised && other->isLoad && !other->isStoredForB && isIn(other, c->loop);
  }
  return c->isStoredForB && !others;
}

/// What a step of a loop multiplies.
typedef struct {
  MlirOperation loop;
  double cycles;   ///< that its products take
  int count;       ///< of them
  bool any, inner; ///< are there some, and in a loop inside?
  bool looked;     ///< does a step look at a sum?
  bool chained;    ///< does a product wait for another one?
  bool few;        ///< has one fewer rows than a warp group multiplies?
} Products;

static MlirWalkResult addProduct(MlirOperation op, void *data) {
  enum { groupRows = 64 };
  Products *p = data;
  int64_t shape[TILE_MAX_RANK];
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  int rank = tileShape(mlirValueGetType(tileResult(op)), shape);
  p->few |= rank < 2 || shape[rank - 2] < groupRows;
  p->any = true;
  ++p->count;
  p->inner |= !mlirOperationEqual(tileLoopAround(op), p->loop);
  p->looked |= tileDotCarried(op) < 0;
  p->chained |= tileReachesDot(tileResult(op), tileOpComputesTile);
  p->cycles += tileDotGetCycles(op);
  return MlirWalkResultAdvance;
}

static Products productsOf(MlirOperation loop) {
  Products p = {.loop = loop};
  mlirOperationWalk(loop, addProduct, &p, MlirWalkPreOrder);
  return p;
}

/// Do threads load an operand of the loop's dots?
static bool loadsOperand(const TileRaiser *r, MlirOperation loop) {
  for (size_t i = 0; i < r->count; ++i)
    if (!r->candidates[i].raised && r->candidates[i].isOperand && isIn(&r->candidates[i], loop))
      return true;
  return false;
}

/// Do boxes of a loop bring less in a step than its barriers, and a warp that copies, cost? Where a
/// step multiplies what the one before computed, or what its threads load, products of wgmma wait
/// for that as well.
static bool isTiny(const TileRaiser *r, const TileCandidate *c) {
  const TileMachine *machine = tileMachineOf(r->func);
  int64_t bytes = 0, least = tileMachineNumber(machine, TILE_NUMBER_STEP_BOX_BYTES);
  if (!c->isLoad || mlirOperationIsNull(c->loop)) return false;
  bool chained = tileIsRecurrence(c->loop), mixed = !chained && loadsOperand(r, c->loop);
  if (chained) least = tileMachineNumber(machine, TILE_NUMBER_CHAIN_BOX_BYTES);
  if (mixed) least = tileMachineNumber(machine, TILE_NUMBER_MIXED_BOX_BYTES);
  for (size_t i = 0; i < r->count; ++i) {
    const TileCandidate *other = &r->candidates[i];
    if (!other->raised || !other->isLoad || !isIn(other, c->loop)) continue;
    if (!chained && !mixed && tileFeedsDot(tileResult(other->op), true, 0)) return false;
    bytes += other->bytes;
  }
  return bytes < 32 * r->warps * least;
}

static const char crowded[] =
    "expected room for two steps' boxes beside what threads copy, found less";

/// Bytes of a loop that are or would be boxes, and of what its dots read that threads copy.
typedef struct {
  int64_t boxes, copied;
} LoopBytes;

/// Of each candidate's loop, where its first one is; what is read in front of loops, or stored
/// behind them, goes to `front`.
static void addBytes(const TileRaiser *r, LoopBytes *loops, LoopBytes *front) {
  for (size_t i = 0; i < r->count; ++i) {
    const TileCandidate *c = &r->candidates[i];
    LoopBytes *sum = mlirOperationIsNull(c->loop) ? front : &loops[c->first];
    if (c->raised || !strcmp(c->why, crowded))
      sum->boxes += c->bytes;
    else if (c->isOperand)
      sum->copied += c->bytes;
  }
}

/// Is there no room for two steps' boxes beside the rings that threads fill, in this loop or
/// another one? Then no warp copies boxes ahead (tile-plan-roles), and each would be waited for.
static bool isCrowded(const TileRaiser *r, const TileCandidate *c) {
  const TileMachine *machine = tileMachineOf(r->func);
  int64_t rings = 0, boxes = 0;
  if (!c->isLoad || mlirOperationIsNull(c->loop)) return false;
  LoopBytes front = {0}, *loops = calloc(r->count, sizeof *loops);
  if (!loops) abort();
  addBytes(r, loops, &front);
  for (size_t i = 0; i < r->count; ++i) {
    rings = loops[i].copied > rings ? loops[i].copied : rings;
    boxes = loops[i].boxes > boxes ? loops[i].boxes : boxes;
  }
  free(loops);
  int64_t bytes = rings * tileMachineNumber(machine, TILE_NUMBER_THREAD_RING_STAGES) +
                  boxes * tileMachineNumber(machine, TILE_NUMBER_RING_STAGES_LEAST) + front.boxes;
  return rings > 0 && bytes > machine->sharedBytes;
}

/// Are a step's products done long before its boxes have been waited for? Then it is blocks that
/// hide the wait, of which a multiprocessor has more without roles: with them it has one of several
/// warp groups. That one is busy all the same where no step waits for another's products.
static bool isBrief(const TileRaiser *r, const TileCandidate *c) {
  const TileMachine *machine = tileMachineOf(r->func);
  if (!c->isLoad || mlirOperationIsNull(c->loop)) return false;
  Products p = productsOf(c->loop);
  if (c->isOwn && p.chained) return false; // attention by the kernel's own boxes: not measured
  int64_t most = tileMachineNumber(machine, TILE_NUMBER_PAIR_DOTS);
  bool isShort = p.chained && (p.count == 2 || (p.count <= most && !p.few));
  TileNumber least = tileIsRecurrence(c->loop) ? TILE_NUMBER_STEP_DOT_CYCLES
                     : isShort                 ? TILE_NUMBER_PAIR_DOT_CYCLES
                     : p.chained && p.few      ? TILE_NUMBER_FEW_DOT_CYCLES
                                               : TILE_NUMBER_LOOKED_DOT_CYCLES;
  return p.any && !p.inner && r->warpGroups > 1 && p.looked &&
         p.cycles < tileMachineNumber(machine, least);
}

/// Do threads compute B with boxes and store it again, for products that are done before that? Then
/// a step is the wait for its box, and for all threads, and blocks hide these, of which there are
/// more without roles.
static bool isRestored(const TileRaiser *r, const TileCandidate *c) {
  const TileMachine *machine = tileMachineOf(r->func);
  bool restores = false;
  if (!c->isLoad || mlirOperationIsNull(c->loop)) return false;
  for (size_t i = 0; i < r->count && !restores; ++i) {
    const TileCandidate *other = &r->candidates[i];
    restores = other->raised && other->isStoredForB && isIn(other, c->loop);
  }
  if (!restores) return false;
  Products p = productsOf(c->loop);
  int64_t each = tileMachineNumber(machine, TILE_NUMBER_RESTORED_DOT_CYCLES);
  return p.any && !p.inner && p.cycles < (double)(each * r->warpGroups);
}

/// What a program loads by threads in front of its loops or behind them, or in the steps of `loop`.
typedef struct {
  const TileRaiser *r;
  MlirOperation loop;
  bool found;
} Besides;

static MlirWalkResult findBesides(MlirOperation op, void *data) {
  Besides *b = data;
  int64_t shape[TILE_MAX_RANK], longer = 0;
  bool isBox = false;
  if (!tileOpIsALoad(op)) return MlirWalkResultAdvance;
  MlirOperation around = tileLoopAround(op);
  if (!mlirOperationIsNull(around) && !mlirOperationEqual(around, b->loop))
    return MlirWalkResultAdvance;
  for (int d = tileShape(mlirValueGetType(tileResult(op)), shape); d-- > 0;) longer += shape[d] > 1;
  for (size_t i = 0; i < b->r->count && longer > 1 && !isBox; ++i)
    isBox = mlirOperationEqual(b->r->candidates[i].op, op) && b->r->candidates[i].raised;
  b->found = longer > 1 && !isBox;
  return b->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Is it one of several warp groups, in a loop of a few steps that is in no other one?
static bool hasFewSteps(const TileRaiser *r, const TileCandidate *c) {
  if (!c->isLoad || mlirOperationIsNull(c->loop) || r->warpGroups == 1) return false;
  int64_t steps = tileCountSteps(c->loop);
  int most = tileMachineNumber(tileMachineOf(r->func), TILE_NUMBER_FEW_STEPS);
  return steps >= 1 && steps <= most && mlirOperationIsNull(tileLoopAround(c->loop));
}

/// Is it a loop of a few steps whose author limits a thread's registers, so that a multiprocessor
/// has several blocks? These fill each other's waits; with roles, which take all registers, it has
/// one.
static bool isOfSeveral(const TileRaiser *r, const TileCandidate *c) {
  int64_t most = tileIntAttr(r->func, "tile.maxnreg", 0);
  return hasFewSteps(r, c) && most > 0 &&
         2 * 32 * r->warps * most <= tileMachineOf(r->func)->registers;
}

/// Is it a loop of a few steps, in a program that loads tiles by threads besides, and waits for
/// these as well? Then it is other blocks that fill the waits, of which a multiprocessor has more
/// without roles.
static bool isFew(const TileRaiser *r, const TileCandidate *c) {
  if (!hasFewSteps(r, c)) return false;
  Besides besides = {.r = r, .loop = c->loop};
  mlirOperationWalk(r->func, findBesides, &besides, MlirWalkPreOrder);
  return besides.found;
}

static MlirWalkResult findShortNest(MlirOperation op, void *data) {
  MlirOperation loop = tileOpIsADot(op) ? tileLoopAround(op) : (MlirOperation){NULL};
  if (mlirOperationIsNull(loop) || mlirOperationIsNull(tileLoopAround(loop)))
    return MlirWalkResultAdvance;
  int most = tileMachineNumber(tileMachineOf(op), TILE_NUMBER_NESTED_STEPS);
  int64_t steps = tileMostSteps(loop);
  bool *found = data;
  *found = steps >= 1 && steps <= most;
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Is it one of a program of one warp group that has dots in a loop of few steps within another
/// one, as scores of parts of a head's depth, block by block? What is done between its turns is
/// long beside it, and it is other blocks that run meanwhile.
static bool isOfShortNest(const TileRaiser *r, const TileCandidate *c) {
  bool found = false;
  if (!c->isLoad || r->warpGroups > 1) return false;
  mlirOperationWalk(r->func, findShortNest, &found, MlirWalkPreOrder);
  return found;
}

/// What loops beside that of a candidate read for dots.
typedef struct {
  const TileRaiser *r;
  const TileCandidate *c;
  double cycles; ///< that products of a step take there, at least
  bool found;
} Apart;

static bool isRaised(const TileRaiser *r, MlirOperation op) {
  for (size_t i = 0; i < r->count; ++i)
    if (mlirOperationEqual(r->candidates[i].op, op)) return r->candidates[i].raised;
  return false;
}

static MlirWalkResult findApart(MlirOperation op, void *data) {
  Apart *a = data;
  if (!tileOpIsALoad(op) || !tileTypeIsTile(mlirValueGetType(tileResult(op))))
    return MlirWalkResultAdvance;
  MlirOperation loop = tileLoopAround(op), here = a->c->loop;
  if (mlirOperationIsNull(loop) || mlirOperationEqual(loop, here) || tileOpHolds(loop, here))
    return MlirWalkResultAdvance;
  if (isRaised(a->r, op) || !tileFeedsDot(tileResult(op), true, INT64_MAX))
    return MlirWalkResultAdvance;
  int64_t steps = tileCountSteps(loop);
  int64_t few = tileMachineNumber(tileMachineOf(op), TILE_NUMBER_FEW_STEPS);
  bool isFew = a->cycles > 0 && steps && steps <= few;
  a->found = !isFew && productsOf(loop).cycles >= a->cycles;
  return a->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Do threads load what dots read in a loop that is neither this one nor around it, and whose
/// products take `cycles` a step or more? One of a few steps waits little.
static bool loadsApart(const TileRaiser *r, const TileCandidate *c, double cycles) {
  Apart apart = {.r = r, .c = c, .cycles = cycles};
  mlirOperationWalk(r->func, findApart, &apart, MlirWalkPreOrder);
  return apart.found;
}

/// Is it a loop in a program with another one whose dots read what threads load? Of short steps the
/// program waits for those as well, and it is other blocks that fill the waits of both. So they do
/// for a program of one warp group whose other loop takes as long in a step.
static bool isDivided(const TileRaiser *r, const TileCandidate *c) {
  if (!c->isLoad || mlirOperationIsNull(c->loop)) return false;
  Products p = productsOf(c->loop);
  int least = tileMachineNumber(tileMachineOf(r->func), TILE_NUMBER_DIVIDED_DOT_CYCLES);
  bool isOne = r->warpGroups == 1;
  if (!p.any || p.inner || (!isOne && p.cycles >= least)) return false;
  return loadsApart(r, c, isOne ? p.cycles : 0);
}

/// A loop, and whether threads load what they compute an operand of its dots with.
typedef struct {
  const TileRaiser *r;
  bool found;
} Scales;

/// Is the op on the way from a row of scales to an operand?
static bool isOnTheWay(MlirOperation op) {
  return tileOpConverts(op) || tileOpMovesElements(op) || tileOpIsABroadcast(op);
}

static MlirWalkResult findScales(MlirOperation op, void *data) {
  Scales *s = data;
  bool isTile = tileOpIsALoad(op) && tileTypeIsTile(mlirValueGetType(tileResult(op)));
  bool isBox = false;
  for (size_t i = 0; i < s->r->count && isTile && !isBox; ++i)
    isBox = mlirOperationEqual(s->r->candidates[i].op, op) && s->r->candidates[i].raised;
  s->found =
      isTile && !isBox && !tileIsDotOperand(op) && tileReachesDot(tileResult(op), isOnTheWay);
  return s->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Do threads compute an operand, in each step, with what they load themselves, as the scales and
/// zeros of groups of weights, or the gates of a chunk? Then no box brings all that a product waits
/// for, and other blocks hide the wait better than a warp that copies: where its products are done
/// soon. Sums that a step scales before it adds to them, as states do, are no products that wait.
static bool isScaled(const TileRaiser *r, const TileCandidate *c) {
  const TileMachine *machine = tileMachineOf(r->func);
  if (!c->isLoad || mlirOperationIsNull(c->loop)) return false;
  Products p = productsOf(c->loop);
  bool waits = p.looked && (r->warpGroups == 1 || p.chained);
  if (!p.any || p.inner || waits ||
      p.cycles >= tileMachineNumber(machine, TILE_NUMBER_SCALED_DOT_CYCLES))
    return false;
  Scales scales = {.r = r};
  mlirOperationWalk(c->loop, findScales, &scales, MlirWalkPreOrder);
  return scales.found;
}

/// Where threads copy what a loop's dots read, their copies run ahead of stores through pointers
/// alone (tile-pipeline); and nothing is on its way while boxes in front of the loop are waited
/// for.
static bool isLone(const TileRaiser *r, const TileCandidate *c) {
  bool isFront = c->isLoad && mlirOperationIsNull(c->loop);
  bool isStore = tileOpIsAStore(c->op) && !mlirOperationIsNull(c->loop);
  return (isStore || isFront) && !hasLoad(r, true, true, c->loop) &&
         (isFront || hasLoad(r, false, true, c->loop));
}

/// Bytes that a step of a loop stores.
static MlirWalkResult addStored(MlirOperation op, void *data) {
  int64_t *bytes = data;
  MlirValue value = {NULL};
  if (tileOpIsAStore(op)) value = tileStoreGetValue(op);
  if (tileOpIsADescStore(op)) value = tileDescStoreGetValue(op);
  if (mlirValueIsNull(value)) return MlirWalkResultAdvance;
  MlirType type = mlirValueGetType(value);
  *bytes += tileNumElements(type) * tileBitWidth(tileElementType(type)) / 8;
  return MlirWalkResultAdvance;
}

static bool carriesTile(MlirOperation loop) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    if (tileTypeIsTile(mlirValueGetType(mlirOperationGetResult(loop, i)))) return true;
  return false;
}

/// Does each step store what it multiplies, which takes longer than its products, and hands nothing
/// on? Then memory is what it waits for, and the more blocks there are the less.
static bool isStored(const TileRaiser *r, const TileCandidate *c) {
  int64_t bytes = 0;
  if (!c->isLoad || mlirOperationIsNull(c->loop) || carriesTile(c->loop)) return false;
  Products p = productsOf(c->loop);
  if (!p.any || p.inner || !p.looked) return false;
  mlirOperationWalk(c->loop, addStored, &bytes, MlirWalkPreOrder);
  int each = tileMachineNumber(tileMachineOf(r->func), TILE_NUMBER_STORED_STEP_BYTES);
  return (double)bytes > (double)each * p.cycles;
}

static const struct {
  bool (*gainsNothing)(const TileRaiser *, const TileCandidate *);
  const char *why;
  bool ofOwn; ///< the kernel's own boxes, too
} rules[] = {
    {isMixedPacked, "expected boxes of all arrays that dots read, to pack one, found another",
     false},
    {isMixedUnwrapped,
     "expected boxes of all that dots read, for rows that wrap around, found another load", false},
    {isMixed,
     "expected boxes of more of what the loop's dots read, found loads by threads beside "
     "it",
     false},
    {isStoredAgain,
     "expected boxes that dots read as they come, or as A, found tiles that threads "
     "store again for B",
     true},
    {isTiny, "expected boxes of more bytes a thread in a step, found fewer", true},
    {isBrief, "expected products that take longer in a step that waits for them, found others",
     true},
    {isRestored,
     "expected products that take longer in a step whose B threads compute and store, "
     "found others",
     true},
    {isStored, "expected products that take longer than a step's stores, found others", false},
    {isFew, "expected a loop of more steps beside tiles that threads load, found few", false},
    {isOfSeveral,
     "expected a loop of more steps, or registers for one block, found few and a limit of several",
     true},
    {isOfShortNest,
     "expected a loop of more steps within another one, or several warp groups, found few and one",
     false},
    {isDivided,
     "expected longer steps than those of a loop whose operands threads load, found others", false},
    {isScaled,
     "expected operands of boxes alone, or products that take longer, found operands that "
     "threads compute with what they load",
     false},
    {isCrowded, crowded, false},
    {isLone, "expected boxes that dots of a loop read beside it, found loads by threads", false},
    {isLoneSum, "expected boxes of what dots read, beside sums, found none", false},
};

bool tileRefuseGainless(TileRaiser *r) {
  bool any = false;
  for (size_t n = 0; n < sizeof rules / sizeof *rules && !any; ++n)
    for (size_t i = 0; i < r->count; ++i) {
      TileCandidate *c = &r->candidates[i];
      if (!c->raised || (c->isOwn && !rules[n].ofOwn) || !rules[n].gainsNothing(r, c)) continue;
      c->raised = tileRefuseBox(c, rules[n].why);
      any = true;
    }
  return any;
}

typedef struct {
  bool adds, waits;
} Work;

static MlirWalkResult addWork(MlirOperation op, void *data) {
  Work *w = data;
  w->adds |= tileOpIsAAtomicRmw(op) || (tileOpIsADescStore(op) && tileDescStoreGetAdd(op));
  if (tileOpIsADot(op))
    w->waits |= mlirOperationIsNull(tileLoopAround(op)) ||
                tileReachesDot(tileResult(op), tileOpComputesTile);
  return MlirWalkResultAdvance;
}

void tileMarkCosts(MlirOperation func) {
  Work w = {0};
  mlirOperationWalk(func, addWork, &w, MlirWalkPreOrder);
  MlirAttribute mark = mlirUnitAttrGet(mlirOperationGetContext(func));
  if (w.waits) mlirOperationSetAttributeByName(func, tileString("tile_gpu.rounds_may_cost"), mark);
  if (w.waits && !w.adds)
    mlirOperationSetAttributeByName(func, tileString("tile_gpu.boxes_may_cost"), mark);
}

typedef struct {
  bool boxes, threads; ///< is a tile loaded as a box; is one by threads?
} Loading;

static MlirWalkResult findLoading(MlirOperation op, void *data) {
  Loading *loading = data;
  loading->boxes |= tileOpIsADescLoad(op);
  loading->threads |= tileOpIsALoad(op) && tileTypeIsTile(mlirValueGetType(tileResult(op)));
  return MlirWalkResultAdvance;
}

void tileRefuseSmallStores(TileRaiser *r) {
  static const char wide[] = "expected boxes of what dots read, or a store of 16 bits an element";
  static const char once[] =
      "expected a loop of dots, or a program for every other multiprocessor, found fewer";
  const TileMachine *m = tileMachineOf(r->func);
  int64_t least = tileMachineNumber(m, TILE_NUMBER_STORED_BOX_BYTES);
  bool isOnce = !r->multiplies && tileLaunchGetMultiprocessors(r->func) >=
                                      tileMachineNumber(m, TILE_NUMBER_SINGLE_STORE_ROOM);
  for (size_t i = 0; i < r->count; ++i)
    if (r->candidates[i].raised && tileOpIsALoad(r->candidates[i].op)) return;
  Loading loading = {0};
  mlirOperationWalk(r->func, findLoading, &loading, MlirWalkPreOrder);
  bool byThreads = loading.threads && !loading.boxes;
  for (size_t i = 0; i < r->count; ++i) {
    TileCandidate *c = &r->candidates[i];
    if (!c->raised || !tileOpIsAStore(c->op)) continue;
    int64_t bytes = c->bytes;
    MlirType stored = mlirValueGetType(tileStoreGetValue(c->op));
    if (isOnce) {
      c->raised = tileRefuseBox(c, once);
      continue;
    }
    if (bytes >= 32 * r->warps * least) {
      if (byThreads && tileBitWidth(tileElementType(stored)) >= 32)
        c->raised = tileRefuseBox(c, wide);
      continue;
    }
    c->raised = false;
    snprintf(c->why, sizeof c->why, "expected a store of %d bytes a thread, found %d", (int)least,
             (int)(bytes / (32 * r->warps)));
  }
}
