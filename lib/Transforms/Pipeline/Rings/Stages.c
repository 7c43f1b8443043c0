//===- Stages.c - how many slots rings of a loop have ---------------------===//
//
// More slots have more on their way; fewer leave room for other blocks of the multiprocessor, which
// compute while this one waits. What is worth more, depends on what a step waits for:
//
//   loop                               slots
//   streams: it has no dot             the fewest that have STREAM_FLIGHT bytes on their way, or
//                                      leave all blocks their room (chooseStreamStages)
//   somebody says a number             that, as far as there is room (fitOwn)
//   a dot's result, or an operand      two or more, for the blocks that registers are for: these
//   that threads compute, is waited    compute meanwhile (chooseChainedStages)
//   for in the same step
//   each step has a loop of dots       two: a copy lands while that runs
//   any other                          PIPELINE_STAGES, or fewer for the blocks that are worth
//                                      more (productBlocks)
//
// What a block has beside rings is counted from the loop as it stands: buffers that were filled in
// front of it (Outer), those that a step fills, and the largest scratch of an op (Inner).
//
//===----------------------------------------------------------------------===//
#include "Stages.h"
#include "../../Launch.h"
#include "../../Layouts/Staging/Staged.h"
#include "../../Loops.h"
#include "../FeedReaders.h"
#include "OtherWarps.h"
#include "tile/Analysis/Scratch.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/PointerTable.h"
#include "tile/Support/ValueSearch.h"
#include "tile/Trace.h"

typedef struct {
  MlirOperation loop;
  TilePointerTable seen; ///< allocations in front of it
  int64_t bytes;
} Outer;

static MlirWalkResult addOuter(MlirOperation op, void *data) {
  Outer *o = data;
  if (mlirOperationEqual(op, o->loop)) return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation from = tileValueGetOp(tileOperand(op, i));
    if (!mlirOperationIsNull(from) && tileOpIsAAllocShared(from) &&
        mlirAttributeIsNull(tileAttr(from, "guarded")) && !tileOpHolds(o->loop, from) &&
        tilePointerTableInsert(&o->seen, from.ptr))
      o->bytes += tileBufferBytes(mlirValueGetType(tileResult(from)));
  }
  return MlirWalkResultAdvance;
}

/// Of buffers that were filled before the loop, which reads them.
static int64_t outerBytes(MlirOperation loop) {
  Outer o = {.loop = loop};
  mlirOperationWalk(loop, addOuter, &o, MlirWalkPreOrder);
  tilePointerTableClear(&o.seen);
  return o.bytes;
}

/// Does the op fill a buffer that has no ring?
static bool fillsBuffer(const TileRings *r, MlirOperation op) {
  return tileOpIsABufferStore(op) && !tileFeedsReplaceStore(r->feeds, op);
}

/// Does it, and one that is no other one's again? (tile-stage-operands)
static bool fillsOwn(const TileRings *r, MlirOperation op) {
  return fillsBuffer(r, op) && !(tileFillsAlone(op) && !mlirOperationIsNull(tileFindStaged(op)));
}

/// Does the op convert what the ring of a feed has in any layout, or what tile-stage-operands has
/// it read as a dot does? Then it takes nothing of its own.
static bool readsShared(const TileRings *r, MlirOperation op) {
  if (!tileOpIsAConvertLayout(op)) return false;
  MlirOperation load = tileValueGetOp(tileConvertLayoutGetSource(op));
  for (int i = 0; i < r->feeds->numFeeds && !mlirOperationIsNull(load); ++i) {
    if (!mlirOperationEqual(r->feeds->feeds[i].load, load)) continue;
    MlirValue other = tileLoadGetOther(load);
    return mlirValueIsNull(other) || tileIsZero(other);
  }
  return !mlirOperationIsNull(tileFindStoreToRead(op));
}

typedef struct {
  bool isMost;            // whatever tile-stage-operands has no room for
  int64_t bytes, scratch; // the largest of these
} Inner;

/// Adds what the ops of `block` take besides rings, and those of branches in it.
static void addInner(const TileRings *r, MlirBlock block, Inner *inner) {
  TILE_FOR_EACH_OP(op, block) {
    int64_t own = !inner->isMost && readsShared(r, op) ? 0 : tileOpScratchBytes(op);
    if (own > inner->scratch) inner->scratch = own;
    if (inner->isMost ? fillsBuffer(r, op) : fillsOwn(r, op))
      inner->bytes += tileBufferBytes(mlirValueGetType(tileBufferStoreGetBuffer(op)));
    if (!tileOpIs(op, "scf.if")) continue;
    addInner(r, tileBody(op, 0), inner);
    if (!mlirBlockIsNull(tileBody(op, 1))) addInner(r, tileBody(op, 1), inner);
  }
}

/// What a step of the loop takes besides rings: buffers that threads fill, those of loops inside,
/// which have their rings by now, and the largest scratch. Not all of it is alive at a time.
/// `isMost`: as an upper bound.
static Inner innerOf(const TileRings *r, bool isMost) {
  Inner inner = {.isMost = isMost};
  addInner(r, r->feeds->body, &inner);
  return inner;
}

static int64_t innerBytes(const TileRings *r, bool isMost) {
  Inner inner = innerOf(r, isMost);
  return inner.bytes + inner.scratch;
}

/// Is the buffer read behind `at`, in the same step?
static bool isReadBehind(const TileRings *r, MlirValue buffer, MlirOperation at) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = tileAncestorIn(r->feeds->body, mlirOpOperandGetOwner(use));
    if (!mlirOperationIsNull(user) && !mlirOperationEqual(user, at) &&
        mlirOperationIsBeforeInBlock(at, user))
      return true;
  }
  return false;
}

/// Bytes of the buffers that are filled at `at`, or were before, and are read behind it. Dots on
/// their way that read one, of this step or the one before, are over in front of `at`, which writes
/// to shared memory (Flight.h).
static int64_t bytesAlive(const TileRings *r, MlirOperation at) {
  int64_t bytes = 0;
  TILE_FOR_EACH_OP(op, r->feeds->body) {
    if (!fillsOwn(r, op)) continue;
    MlirValue buffer = tileBufferStoreGetBuffer(op);
    if (isReadBehind(r, buffer, at)) bytes += tileBufferBytes(mlirValueGetType(buffer));
    if (mlirOperationEqual(op, at)) break;
  }
  return bytes;
}

/// What innerBytes counts of a buffer that is filled when another one has been read for the last
/// time: they lie in one place.
static int64_t sharedPlaces(const TileRings *r) {
  int64_t all = 0, most = 0;
  TILE_FOR_EACH_OP(op, r->feeds->body) {
    if (!fillsOwn(r, op)) continue;
    int64_t alive = bytesAlive(r, op);
    if (alive > most) most = alive;
    all += tileBufferBytes(mlirValueGetType(tileBufferStoreGetBuffer(op)));
  }
  return all - most;
}

/// What a block has beside rings while the loop runs, of which the upper bound left `sharedBytes`.
static int64_t bytesBesides(const TileRings *r, int64_t sharedBytes) {
  int64_t most = tileTeamSharedBytes(tileFuncOf(r->feeds->loop)) - sharedBytes;
  return most - sharedPlaces(r) - (innerBytes(r, true) - innerBytes(r, false));
}

/// Does each step have a loop of dots? While that runs, a copy lands that is started a step ahead.
static bool holdsLoopOfDots(const TileRings *r) {
  TILE_FOR_EACH_OP(op, r->feeds->body) {
    if (tileIsLoopOfDots(op)) return true;
  }
  return false;
}

void tileRingsMeasure(TileRings *r) {
  Inner inner = innerOf(r, true);
  r->outerBytes = outerBytes(r->feeds->loop);
  r->scratchBytes = inner.scratch;
  r->otherBytes = r->outerBytes + inner.bytes + inner.scratch;
}

int64_t tileRingsStageBytes(const TileRings *r) {
  int64_t bytes = 0;
  for (int i = 0; i < r->feeds->numFeeds; ++i) bytes += tileBufferBytes(r->feeds->feeds[i].block);
  return bytes;
}

/// Is it an op of each step, or of a branch in it?
static bool isInStep(MlirBlock body, MlirOperation op) {
  while (!mlirBlockEqual(mlirOperationGetBlock(op), body)) {
    op = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(op) || !tileOpIs(op, "scf.if")) return false;
  }
  return true;
}

/// Is `value`, or what a step computes of it, multiplied by a dot of the same step, or reduced, as
/// the largest of scores are? Threads wait for it then. A branch may have masked it on the way.
static bool isAwaited(TileValueSearch *s, MlirValue value, const void *data) {
  const MlirBlock *body = data;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!isInStep(*body, user)) continue;
    if (tileUseFeedsDot(use)) return true;
    if (tileOpIsAReduce(user)) return true;
    if (tileOpIsABufferStore(user)) tileValueSearchAdd(s, tileBufferStoreGetBuffer(user));
    for (intptr_t i = 0; i < mlirOperationGetNumResults(user); ++i)
      tileValueSearchAdd(s, mlirOperationGetResult(user, i));
    MlirOperation branch = mlirOperationGetParentOperation(user);
    if (tileOpIs(user, "scf.yield") && tileOpIs(branch, "scf.if"))
      tileValueSearchAdd(s, mlirOperationGetResult(branch, mlirOpOperandGetOperandNumber(use)));
  }
  return false;
}

/// Calls back for each dot of a step, those of branches in it included.
static void visitDots(MlirBlock block, void (*visit)(MlirOperation dot, void *data), void *data) {
  TILE_FOR_EACH_OP(op, block) {
    if (tileOpIsADot(op)) visit(op, data);
    for (intptr_t i = 0; tileOpIs(op, "scf.if") && i < mlirOperationGetNumRegions(op); ++i)
      if (!mlirBlockIsNull(tileBody(op, i))) visitDots(tileBody(op, i), visit, data);
  }
}

typedef struct {
  const TileRings *rings;
  int64_t chained; ///< words of a thread that dots compute and the same step waits for
  bool computes;   ///< do threads compute an operand of one by mma.sync?
  bool any, wide;  ///< is there one, and one that is not thin?
} StepDots;

/// Do threads compute in each step what the dot, by mma.sync and in no branch, multiplies, with
/// gates or a mask, say? It waits for that, and tensor cores for other blocks.
static bool computesOperand(const TileRings *r, MlirOperation dot) {
  if (tileDotGetInstruction(dot) != TILE_INSTRUCTION_MMA_SYNC ||
      !mlirBlockEqual(mlirOperationGetBlock(dot), r->feeds->body))
    return false;
  for (int i = 0; i < 2; ++i) {
    MlirValue operand = tileOperand(dot, i);
    if (!tileTypeIsABuffer(mlirValueGetType(operand))) return true;
    for (MlirOpOperand use = mlirValueGetFirstUse(operand); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation store = mlirOpOperandGetOwner(use);
      if (tileOpIsABufferStore(store) &&
          mlirBlockEqual(mlirOperationGetBlock(store), r->feeds->body) &&
          !tileFeedsReplaceStore(r->feeds, store))
        return true;
    }
  }
  return false;
}

static void addDot(MlirOperation dot, void *data) {
  StepDots *dots = data;
  const TileRings *r = dots->rings;
  if (tileValueSearchFinds(tileResult(dot), isAwaited, &r->feeds->body))
    dots->chained += tileTypeGetWords(mlirValueGetType(tileResult(dot)));
  dots->computes |= computesOperand(r, dot);
  dots->any = true;
  dots->wide |= !tileIsThinDot(dot);
}

/// What a step multiplies: by `chained` the registers of a thread for what dots compute that others
/// of the same step, or reductions, wait for, as in attention; 0: nothing waits for a dot.
static StepDots dotsOf(const TileRings *r) {
  StepDots dots = {.rings = r};
  visitDots(r->feeds->body, addDot, &dots);
  return dots;
}

/// How many blocks, `blocks` at most, the registers of a multiprocessor are for, of which a thread
/// takes one for each 32 bits of numbers that the loop carries, `words` for what dots compute
/// besides, and some for what it computes with: fewer where wgmma (`groups`) reads operands itself.
static int residentBlocks(const TileRings *r, bool groups, int64_t words, int blocks) {
  const TileMachine *m = tileMachineOf(r->feeds->loop);
  TileNumber working = groups ? TILE_NUMBER_GROUP_REGISTERS : TILE_NUMBER_WORKING_REGISTERS;
  int64_t bits = 0, threads = 32 * r->numWarps, most = m->threadRegisters + 1;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(r->feeds->loop); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(r->feeds->loop, i));
    MlirType element = tileElementType(type);
    if (tileTypeIsTile(type) && !tileTypeIsAPtr(element))
      bits += tileNumElements(type) * tileBitWidth(element);
  }
  // A thread that wants more than there are has no more.
  int64_t all = bits / 32 / threads + words + tileMachineNumber(m, working);
  int64_t fit = m->registers / (threads * (all < most ? all : most));
  return fit < 1 ? 1 : fit < blocks ? (int)fit : blocks;
}

/// How many blocks a multiprocessor has of a kernel whose loop streams, by its warps and registers,
/// of which a thread takes two for each word that a step reads, as it is and computed with, one for
/// each that the loop carries, and some for addresses.
static int64_t streamBlocks(const TileRings *r) {
  const TileMachine *m = tileMachineOf(r->feeds->loop);
  int64_t words = tileMachineNumber(m, TILE_NUMBER_STREAM_REGISTERS);
  for (int i = 0; i < r->feeds->numFeeds; ++i)
    words += 2 * tileTypeGetWords(mlirValueGetType(tileResult(r->feeds->feeds[i].load)));
  words += tileCarriedWords(r->feeds->loop);
  if (words > m->threadRegisters) words = m->threadRegisters;
  int64_t blocks = m->registers / (32 * r->numWarps * words);
  if (blocks > m->warps / r->numWarps) blocks = m->warps / r->numWarps;
  return blocks ? blocks : 1;
}

/// Has a thread loads enough on their way in a step, while other blocks compute? Then a ring costs
/// more than it hides, most of all where a loop has one step. Where the launch says how many
/// programs there are, all that they have on their way counts instead (OtherWarps.c).
static bool hasEnoughInFlight(const TileRings *r, int64_t blocks) {
  if (r->feeds->programs) return false;
  const TileMachine *m = tileMachineOf(r->feeds->loop);
  int64_t most = 0, wide = tileMachineNumber(m, TILE_NUMBER_WIDE_STREAM_WORDS);
  for (int i = 0; i < r->feeds->numFeeds; ++i) {
    int64_t words = tileTypeGetWords(mlirValueGetType(tileResult(r->feeds->feeds[i].load)));
    if (words > most) most = words;
  }
  return blocks > 1 && most > wide;
}

/// Does a step read rows apart from each other of fewer bytes than `least`, a burst of the memory
/// or a line of the L2 cache? Programs beside this one read the rest, and want it at the same time,
/// while the cache has it.
static bool readsRowsBelow(const TileRings *r, int64_t least) {
  for (int i = 0; i < r->feeds->numFeeds; ++i) {
    MlirValue pointers = tileLoadGetPtr(r->feeds->feeds[i].load);
    MlirType type = mlirValueGetType(tileResult(r->feeds->feeds[i].load));
    int64_t shape[TILE_MAX_RANK];
    int order[TILE_MAX_RANK];
    TileAxisDistance apart;
    if (tileShape(type, shape) != 2) continue;
    tileAxisAccessOrder(r->feeds->axis, pointers, order);
    int64_t row = shape[order[0]];
    if (row * tileBitWidth(tileElementType(type)) / 8 < least && shape[order[1]] > 1 &&
        tileAxisDistance(r->feeds->axis, pointers, order[1], &apart) &&
        (!mlirValueIsNull(apart.times) || apart.count > row))
      return true;
  }
  return false;
}

/// Does a step copy words enough of rows that begin anywhere, by less than 16 bytes at a time? What
/// parts of sectors other programs read comes again where each is far ahead.
static bool copiesOffSectors(const TileRings *r) {
  int64_t least = tileMachineNumber(tileMachineOf(r->feeds->loop), TILE_NUMBER_STREAM_WORDS);
  for (int i = 0; i < r->feeds->numFeeds; ++i) {
    MlirOperation load = r->feeds->feeds[i].load;
    MlirType type = mlirValueGetType(tileResult(load));
    TileLayout layout;
    if (tileTypeGetWords(type) < least || !tileTypeGetLayout(type, &layout)) continue;
    int vector = tileAxisAccessVectorIn(r->feeds->axis, load, layout);
    if (vector * tileBitWidth(tileElementType(type)) < 128) return true;
  }
  return false;
}

/// Stages of a stream where a multiprocessor has few warps: more of very small steps.
static int stagesOfFewWarps(const TileRings *r) {
  const TileMachine *m = tileMachineOf(r->feeds->loop);
  int stages = tileMachineNumber(m, TILE_NUMBER_NARROW_STREAM_STAGES);
  int most = tileMachineNumber(m, TILE_NUMBER_NARROW_STREAM_MOST);
  int64_t fit = tileMachineNumber(m, TILE_NUMBER_NARROW_STREAM_BYTES) / tileRingsStageBytes(r);
  return fit > most ? most : fit > stages ? (int)fit : stages;
}

/// How many stages a stream may have that says no number: two where its rows are parts of a burst,
/// but more where warps are few, which wait for each step that is not there, and nobody computes
/// meanwhile; FEW_STREAM_STAGES where the launch says that there are few blocks and rows are whole
/// lines.
static int mostStreamStages(const TileRings *r) {
  const TileMachine *m = tileMachineOf(r->feeds->loop);
  bool isFar = r->feeds->programs && !readsRowsBelow(r, m->lineBytes);
  if (isFar) return tileMachineNumber(m, TILE_NUMBER_FEW_STREAM_STAGES);
  bool isPart = readsRowsBelow(r, tileMachineNumber(m, TILE_NUMBER_STREAM_ROW));
  if (tileHasFewWarps(r->feeds->loop) && (isPart || !copiesOffSectors(r)))
    return stagesOfFewWarps(r);
  if (isPart) return 2;
  return tileMachineNumber(m, TILE_NUMBER_STREAM_STAGES);
}

/// The fewest stages of which all blocks together have STREAM_FLIGHT bytes on their way, of those
/// that it may have; `own` is what the loop says, of which as many as there is room for. Fewer
/// blocks may do, if these have as many bytes. 1 where there is no room for two stages.
static int chooseStreamStages(const TileRings *r, int64_t own, int64_t sharedBytes) {
  const TileMachine *m = tileMachineOf(r->feeds->loop);
  int64_t bytes = tileRingsStageBytes(r), blocks = streamBlocks(r);
  int64_t programs = r->feeds->programs;
  int64_t flight = tileMachineNumber(m, TILE_NUMBER_STREAM_FLIGHT);
  if (!own && hasEnoughInFlight(r, blocks)) {
    tileEmitRemark(
        mlirOperationGetLocation(r->feeds->loop),
        "loop does not load ahead: expected fewer words a thread in a step, or one block "
        "a multiprocessor, found %lld blocks",
        (long long)blocks);
    return 1;
  }
  if (!own && tileFeedsComeAgain(r->feeds)) {
    tileEmitRemark(mlirOperationGetLocation(r->feeds->loop),
                   "loop does not load ahead: expected a loop around that reads something else in "
                   "each step, found one whose words the caches have");
    return 1;
  }
  int64_t warps = own ? 0 : tileFeedsOtherWarps(r->feeds, r->numWarps);
  if (warps) {
    tileEmitRemark(mlirOperationGetLocation(r->feeds->loop),
                   "loop does not load ahead: expected fewer warps on a multiprocessor than have "
                   "enough on their way, found %lld",
                   (long long)warps);
    return 1;
  }
  int most = own ? (int)own : mostStreamStages(r), best = 1;
  // Programs are told as powers of two: there are fewer than twice as many.
  if (programs && blocks > 2 * programs) blocks = 2 * programs;
  for (int stages = 2; stages <= most; ++stages) {
    int64_t fit = sharedBytes / (stages * bytes);
    bool enough = (fit < blocks ? fit : blocks) * (stages - 1) * bytes >= flight;
    if (fit >= (own ? 1 : blocks) || enough) best = stages;
    if (enough && !own) break;
  }
  if (best == 1)
    tileEmitRemark(
        mlirOperationGetLocation(r->feeds->loop),
        "loop does not load ahead: expected two stages for %lld block%s in %lld bytes of "
        "shared memory, found stages of %lld",
        (long long)blocks, blocks == 1 ? "" : "s", (long long)sharedBytes, (long long)bytes);
  return best;
}

/// Of `own` stages one fewer, where that makes room for a second block, and both have more bytes on
/// their way than one: a number that is tuned for mma.sync counts a slot that wgmma leaves full.
static int makeRoom(const TileRings *r, int own, int64_t sharedBytes) {
  int64_t bytes = tileRingsStageBytes(r);
  bool fits = residentBlocks(r, r->guards, 0, 2) > 1 &&
              2 * ((own - 1) * bytes + r->otherBytes) <= sharedBytes + r->otherBytes;
  bool fitted = 2 * (own * bytes + r->otherBytes) <= sharedBytes + r->otherBytes;
  int few = tileMachineNumber(tileMachineOf(r->feeds->loop), TILE_NUMBER_GUARDED_STAGES);
  if (!r->guards || own != few + 1 || fitted || !fits) return own;
  tileTrace(mlirOperationGetLocation(r->feeds->loop),
            "loop has %d stages for %d, for a second block of a multiprocessor", own - 1, own);
  return own - 1;
}

/// Of `own` stages, which somebody asked for, no more than there is room for at all: steps that
/// were several loops' copy more than one of those did.
static int fitOwn(const TileRings *r, int own) {
  int64_t room = tileTeamSharedBytes(tileFuncOf(r->feeds->loop)) - r->outerBytes;
  int64_t fit = room / tileRingsStageBytes(r);
  if (own <= fit || own < 2) return own;
  tileEmitRemark(mlirOperationGetLocation(r->feeds->loop),
                 "loop has fewer than %d stages: expected stages of %lld bytes at most, found %lld",
                 own, (long long)(room / own), (long long)tileRingsStageBytes(r));
  return fit < 2 ? 1 : (int)fit;
}

/// Are all dots of a step of so few rows, or columns, that memory is what they wait for?
static bool areThin(const TileRings *r) {
  StepDots dots = dotsOf(r);
  return dots.any && !dots.wide;
}

/// So many blocks, or more where they have fewer than FEW_WARPS together.
static int atLeastWarps(const TileRings *r, TileNumber blocks) {
  const TileMachine *m = tileMachineOf(r->feeds->loop);
  int least = tileMachineNumber(m, blocks);
  int more = (int)(tileMachineNumber(m, TILE_NUMBER_FEW_WARPS) / r->numWarps);
  return more > least ? more : least;
}

/// Blocks that rings of GROUP_STAGES slots leave room for at most: of one warp group whose products
/// by wgmma stay in flight; or of fewer warps, as many as SMALL_WARPS together, which wait for each
/// step's copies and have little beside them. Of four warps a launch of fewer `programs`, or of
/// nobody knows how many, wants slots ahead.
static int mostBlocks(const TileRings *r, int64_t programs) {
  const TileMachine *m = tileMachineOf(r->feeds->loop);
  int64_t warps = r->numWarps, most = tileMachineNumber(m, TILE_NUMBER_SMALL_WARPS);
  if (r->guards) return warps > 4 ? 1 : tileMachineNumber(m, TILE_NUMBER_GROUP_BLOCKS);
  bool isSmall =
      warps <= tileMachineNumber(m, TILE_NUMBER_SMALL_BLOCK_WARPS) && programs * warps >= most;
  return warps > 2 && !isSmall ? 1 : (int)(most / warps);
}

/// Blocks that rings leave room for where nothing of a step waits for a dot. Of thin products,
/// which as a rule are of few programs, it is memory that is waited for, and slots ahead are worth
/// more than blocks, unless the launch says that it fills these.
static int productBlocks(const TileRings *r, int64_t sharedBytes) {
  const TileMachine *m = tileMachineOf(r->feeds->loop);
  int64_t bytes = tileRingsStageBytes(r), each = r->otherBytes;
  int64_t programs = tileLaunchGetPrograms(tileFuncOf(r->feeds->loop));
  int few = tileMachineNumber(m, TILE_NUMBER_GROUP_STAGES);
  int two = tileMachineNumber(m, TILE_NUMBER_RESIDENT_BLOCKS);
  if (tileLaunchGetMultiprocessors(tileFuncOf(r->feeds->loop))) return 1;
  bool wantsBlocks = programs || !areThin(r);
  if (wantsBlocks) two = atLeastWarps(r, TILE_NUMBER_RESIDENT_BLOCKS);
  // Rounded down to a power of two: there are fewer than twice as many.
  if (programs && 2 * programs < two) two = (int)(2 * programs);
  int blocks = residentBlocks(r, r->guards, 0, two);
  int most =
      wantsBlocks || r->guards ? residentBlocks(r, r->guards, 0, mostBlocks(r, programs)) : 0;
  if (programs && 2 * programs < most) most = (int)(2 * programs);
  while (most > blocks && most * (few * bytes + each) > sharedBytes) --most;
  return most > blocks ? most : blocks;
}

/// How many stages, `stages` at most and two at least, leave room for the blocks that registers are
/// for, of which a thread takes `words` for what dots compute that others wait for: while one block
/// waits, others multiply, for which two slots each are better than more slots of fewer. A launch
/// that has a multiprocessor for each program has no others; of thin products, which as a rule are
/// of few programs, fewer blocks count unless the launch says that there are as many.
static int chooseChainedStages(const TileRings *r, int64_t words, int stages, int64_t sharedBytes) {
  const TileMachine *m = tileMachineOf(r->feeds->loop);
  bool alone = tileLaunchGetMultiprocessors(tileFuncOf(r->feeds->loop));
  int64_t warps = tileMachineNumber(m, TILE_NUMBER_CHAIN_WARPS);
  int blocks = alone || warps <= r->numWarps
                   ? 1
                   : residentBlocks(r, r->starts, words, (int)(warps / r->numWarps));
  int64_t programs = tileLaunchGetPrograms(tileFuncOf(r->feeds->loop));
  int few = atLeastWarps(r, TILE_NUMBER_THIN_BLOCKS);
  // Rounded down to a power of two: there are fewer than twice as many.
  if (2 * programs > few) few = (int)(2 * programs);
  if (blocks > few && areThin(r)) blocks = few;
  int64_t bytes = tileRingsStageBytes(r), besides = bytesBesides(r, sharedBytes);
  while (blocks > 1 && besides + 2 * bytes > tileMachineShareShared(m, blocks)) --blocks;
  // What the step does without is left to the L1 cache.
  besides = tileTeamSharedBytes(tileFuncOf(r->feeds->loop)) - sharedBytes -
            (r->starts ? 0 : sharedPlaces(r));
  while (stages > 2 && (besides + stages * bytes > tileMachineShareShared(m, blocks) ||
                        stages * bytes > sharedBytes))
    --stages;
  return stages;
}

bool tileRingsWantTurns(const TileRings *r, int64_t sharedBytes) {
  const TileMachine *m = tileMachineOf(r->feeds->loop);
  TileRings still = *r;
  still.starts = false; // each dot is waited for then
  bool alone = tileLaunchGetMultiprocessors(tileFuncOf(r->feeds->loop));
  int64_t words = dotsOf(r).chained, bytes = tileRingsStageBytes(r);
  int64_t besides = bytesBesides(&still, sharedBytes);
  bool isFew = 2 * r->numWarps <= tileMachineNumber(m, TILE_NUMBER_CHAIN_WARPS);
  if (r->feeds->streams || alone || !words || !isFew) return false;
  int64_t two = tileMachineShareShared(m, 2);
  return besides + 2 * bytes > two && besides + bytes <= two &&
         residentBlocks(&still, false, words, 2) > 1;
}

int tileRingsChooseStages(const TileRings *r, int64_t wish, int64_t sharedBytes) {
  int64_t said = tileIntAttr(r->feeds->loop, "tile.num_stages", 0), own = said ? said : wish;
  StepDots dots = dotsOf(r);
  int64_t bytes = tileRingsStageBytes(r), words = dots.chained;
  bool waits = words || dots.computes;
  // Who compiles Triton's kernels says a number for dots: of others their loop has the word.
  if (r->feeds->streams) return chooseStreamStages(r, said, sharedBytes);
  bool isOuter = holdsLoopOfDots(r);
  if (isOuter && !said && own > 2) own = 2;
  if (own && (said || !waits)) return makeRoom(r, fitOwn(r, (int)own), sharedBytes);
  if (2 * bytes > sharedBytes) {
    tileEmitRemark(mlirOperationGetLocation(r->feeds->loop),
                   "loop is not pipelined: expected two stages in %lld bytes of shared memory, "
                   "found stages of %lld",
                   (long long)sharedBytes, (long long)bytes);
    return 1;
  }
  const TileMachine *m = tileMachineOf(r->feeds->loop);
  int64_t each = r->otherBytes, all = sharedBytes + each;
  int stages = isOuter ? 2 : own ? (int)own : tileMachineNumber(m, TILE_NUMBER_PIPELINE_STAGES);
  // A dot that is not waited for in its step holds its slot in the next one.
  stages += !isOuter && !own && !waits && r->starts;
  if (waits) return chooseChainedStages(r, words, stages, sharedBytes);
  int blocks = productBlocks(r, all);
  // Blocks that have no room for two stages are none.
  while (blocks > 1 && blocks * (2 * bytes + each) > all) --blocks;
  while (stages > 2 && blocks * (stages * bytes + each) > all) --stages;
  return stages;
}
