//===- Work.c - how long a launch may take --------------------------------===//
#include "tile/Work.h"
#include "tile/MachineNumbers.h"
#include <math.h>

static double number(const TileMachine *machine, TileNumber which) {
  return tileMachineNumber(machine, which);
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }
static int64_t roundUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

int tileMachineFitClusters(const TileMachine *machine, int multiprocessors, int blocks) {
  if (blocks <= 2) return multiprocessors;
  // Groups of multiprocessors that clusters lie in are not all as large, nor multiples of a
  // cluster.
  int lost = tileMachineNumber(machine, TILE_NUMBER_CLUSTER_LOSS) * multiprocessors / 100;
  return (multiprocessors - lost) / blocks * blocks;
}

bool tileWorkIsFull(const TileMachine *machine, const TileWork *work) {
  int64_t words = tileMachineNumber(machine, TILE_NUMBER_MODEL_DIVIDED_WORDS);
  return work->isSynchronous && work->sums >= words * 32 * work->warps;
}

/// A round of programs.
typedef struct {
  int64_t together; ///< blocks that the busiest multiprocessor has at a time
  int64_t active;   ///< multiprocessors that have some
  bool isHalved;    ///< two blocks have each program, and a warp group of either multiplies
} Round;

/// How blocks lie on multiprocessors.
typedef struct {
  int64_t before;     ///< rounds in front of the last one
  int64_t turns;      ///< of these, and of the last one, those whose turns have parts of programs
  Round each, last;   ///< one of these, and the last one
  int64_t slots;      ///< of a ring
  double stepTensors; ///< cycles of matrix instructions for a step of one block
} Lay;

/// Does a step compute between its products what is no sum of them (attention)? Programs of one
/// warp group then have no roles, and several share a multiprocessor.
static bool isChained(const TileWork *work) { return work->special > 0; }

static bool hasRoles(const TileMachine *machine, const TileWork *work) {
  int least = tileMachineNumber(machine, TILE_NUMBER_ROLE_WARPS_LEAST);
  if (!isChained(work)) return work->warps >= least;
  // Two slots, and what is copied in front of the loop.
  return work->warps > least && 2 * work->slotBytes + work->keptBytes <= machine->sharedBytes;
}

/// Teams of a block that divide a program's loop.
static int64_t countTeams(const TileWork *work) { return work->teams > 1 ? work->teams : 1; }

/// Blocks that divide a program's loop.
static int64_t countParts(const TileWork *work) { return (int64_t)work->parts * work->clusters; }

/// May two blocks have a program each? Where threads split or compute operands each would have to
/// do all, what chains compute is not divided, and threads that wait for products, or have tiles
/// besides, leave none out; each block takes a warp group's products (LastRound.c).
static bool maySharePrograms(const TileMachine *machine, const TileWork *work) {
  int groups = tileMachineNumber(machine, TILE_NUMBER_SHARED_ROUND_GROUPS);
  bool isPlain =
      !isChained(work) && !work->isSynchronous && !work->loadsBeside && work->lastSplits <= 1;
  return work->warps == 4 * groups && work->rows <= TILE_ROWS_AT_CHUNKS && countParts(work) == 1 &&
         countTeams(work) == 1 && work->splits == 0 && !(work->computed > 0) && isPlain;
}

/// Of the last round's programs two blocks have each: half of the copies and instructions.
static bool sharesLastRound(const TileMachine *machine, const TileWork *work, int64_t blocks,
                            int64_t held) {
  return maySharePrograms(machine, work) && blocks > held && held > 0 &&
         2 * ((blocks - 1) % held + 1) <= held;
}

/// Registers that a thread of a chained program wants.
static double wantedRegisters(const TileMachine *machine, const TileWork *work) {
  return (double)work->held / (32.0 * work->warps) + number(machine, TILE_NUMBER_MODEL_HELD);
}

/// What a step takes longer where registers do not hold what it has, and part of it goes to memory.
static double spillFactor(const TileMachine *machine, const TileWork *work) {
  if (!isChained(work)) return 1;
  double roles = 128 * number(machine, TILE_NUMBER_PRODUCER_REGISTERS_FEW); // of a warp group
  double all = machine->registers - (hasRoles(machine, work) ? roles : 0);
  double left = all / (32.0 * work->warps), wanted = wantedRegisters(machine, work);
  if (left > machine->threadRegisters) left = machine->threadRegisters;
  double over = wanted > left ? wanted - left : 0;
  return 1 + over * number(machine, TILE_NUMBER_MODEL_SPILL) / 100;
}

/// What a step takes between two of its products: the part of its exponentials that runs beside no
/// product, and the turn from one warp group to the next.
static double betweenCycles(const TileMachine *machine, const TileWork *work) {
  if (!isChained(work)) return 0;
  double alone = number(machine, TILE_NUMBER_MODEL_SPECIAL_ALONE) / 100;
  double special = work->special / number(machine, TILE_NUMBER_MODEL_SPECIAL);
  double turn = number(machine, TILE_NUMBER_MODEL_TURN) / (work->warps / 4.0);
  // Without roles another block's products run meanwhile.
  return alone * special + (hasRoles(machine, work) ? turn : 0);
}

enum { KIB = 1024 };

/// Do threads fetch what the dots read?
static bool isByThreads(const TileWork *work) { return work->rows >= TILE_ROWS_COPIED; }

/// Blocks of a multiprocessor, as far as registers go.
static int64_t fitRegisters(const TileMachine *machine, const TileWork *work) {
  bool roles = hasRoles(machine, work) && !isByThreads(work);
  double threads = 32.0 * (work->warps + (roles ? 4 : 0)), each = machine->threadRegisters / 2;
  if (isChained(work) && !roles) each = wantedRegisters(machine, work);
  return (int64_t)(machine->registers / (threads * each));
}

/// Have warp groups more than an instruction's rows each? Each of their instructions then has half
/// as many columns, and reads as much of both operands.
static bool isTall(const TileWork *work) {
  enum { warpRows = 16 };
  return !isChained(work) && !work->isSynchronous && work->rowsOfDot > warpRows * work->warps;
}

/// Warps for each instruction's results of a program in f64: what two have, both compute.
static double doubledWarps(const TileWork *work) {
  enum { sums = 16 * 8 };
  return work->sums > 0 ? (double)(sums * work->warps) / (double)work->sums : 1;
}

/// Matrix instructions of a step of one block, and what threads do for them.
static double tensorCycles(const TileMachine *machine, const TileWork *work) {
  double cycles = work->flops / machine->rates[work->rate];
  if (work->rate == TILE_RATE_F64_MATRIX) cycles *= most(1, doubledWarps(work));
  if (work->splits > 0)
    cycles += number(machine, TILE_NUMBER_MODEL_SPLIT) +
              number(machine, TILE_NUMBER_MODEL_SPLIT_ELEMENT) * work->splits;
  if (isTall(work)) cycles *= 1 + number(machine, TILE_NUMBER_MODEL_TALL) / 100;
  if (!isChained(work) && work->computed > 0) {
    cycles += number(machine, TILE_NUMBER_MODEL_COMPUTED) * work->computed / 128;
    // Of two warp groups one's dot runs meanwhile.
    bool isAlone = work->warps <= tileMachineNumber(machine, TILE_NUMBER_ROLE_WARPS_LEAST);
    cycles += isAlone ? number(machine, TILE_NUMBER_MODEL_COMPUTED_ALONE) : 0;
  }
  TileNumber threads =
      isChained(work) ? TILE_NUMBER_MODEL_CHAINED_THREADS : TILE_NUMBER_MODEL_THREADS;
  return hasRoles(machine, work) ? cycles : cycles * number(machine, threads) / 100;
}

/// Rounds of parts of the programs that `held` blocks leave over, and where they have none.
static void laySplitRounds(const TileWork *work, int64_t held, int64_t together, Lay *lay) {
  int64_t room = held * together, whole = work->programs / room;
  int64_t cluster = work->blocks > 1 ? work->blocks : 1;
  int64_t turns = roundUp(work->programs - whole * room, cluster) * cluster * work->lastSplits;
  lay->turns = roundUp(turns, room);
  lay->before = whole + lay->turns - 1;
  lay->each = (Round){.together = together, .active = held};
  int64_t left = turns ? turns - (lay->turns - 1) * room : room;
  lay->last = (Round){.together = roundUp(left, held), .active = least(left, held)};
}

/// Rounds of programs of which a multiprocessor holds so many `together`.
static void layRounds(const TileMachine *machine, const TileWork *work, int64_t together,
                      Lay *lay) {
  int64_t cluster = work->parts > 1 ? work->parts : work->blocks;
  int64_t held = tileMachineFitClusters(machine, work->multiprocessors, (int)cluster);
  int64_t blocks = work->programs * countParts(work);
  if (held < 1) held = 1;
  if (work->lastSplits > 1) {
    laySplitRounds(work, held, together, lay);
    return;
  }
  bool isShared = maySharePrograms(machine, work) && cluster == 1 && 2 * blocks <= held;
  if (isShared) blocks *= 2;
  together = least(roundUp(blocks, held), together);
  lay->each = (Round){.together = together, .active = least(blocks, held), .isHalved = isShared};
  lay->before = roundUp(roundUp(blocks, held), together) - 1;
  // Programs of attention end at different times.
  lay->last = lay->each;
  if (isChained(work)) return;
  int64_t left = blocks - lay->before * held * together;
  bool sharesLast = together == 1 && sharesLastRound(machine, work, blocks, held);
  lay->last.together = least(together, roundUp(left, held));
  lay->last.active = sharesLast ? 2 * left : least(left, held);
  lay->last.isHalved |= sharesLast;
}

/// Do warp groups of one program leave a multiprocessor nothing to do? One waits for its products,
/// and two of short steps each for its box (Plan/Blocks.c).
static bool overlapsItself(const TileMachine *machine, const TileWork *work) {
  int group = tileMachineNumber(machine, TILE_NUMBER_ROLE_WARPS_LEAST);
  if (work->warps != 2 * group) return work->warps > group;
  return work->flops / machine->rates[work->rate] > number(machine, TILE_NUMBER_ROLE_PAIR_CYCLES);
}

/// Blocks of a multiprocessor that tile-plan-roles has for programs whose threads wait for their
/// products, as far as there are so many, each with slots enough (Plan/Blocks.c).
static int64_t planBlocks(const TileMachine *machine, const TileWork *work, int64_t staged,
                          int64_t *slots) {
  enum { wordBytes = 4 };
  bool single = work->lastSplits <= 1 && work->programs <= work->multiprocessors;
  if (overlapsItself(machine, work) || countParts(work) > 1 || single) return 1;
  double words = (double)(work->sumBytes / wordBytes) / (32.0 * work->warps);
  double each = words + number(machine, TILE_NUMBER_ROLE_REGISTERS);
  double most = machine->registers / (32.0 * (work->warps + 1) * each);
  int64_t fewest = tileMachineNumber(machine, TILE_NUMBER_ROLE_BLOCK_STAGES);
  for (int64_t blocks = tileMachineNumber(machine, TILE_NUMBER_ROLE_BLOCKS); blocks > 1;
       blocks /= 2) {
    int64_t room = machine->multiprocessorSharedBytes / blocks - staged;
    int64_t fit = work->stepBytes > 0 ? room / work->stepBytes : 0;
    if ((double)blocks > most || fit < fewest) continue;
    *slots = least(fit, *slots);
    return blocks;
  }
  return 1;
}

static Lay layOut(const TileMachine *machine, const TileWork *work) {
  Lay lay = {.slots = work->stages};
  int64_t staged =
      least(work->staged, KIB * (int64_t)tileMachineNumber(machine, TILE_NUMBER_MODEL_STAGED));
  int64_t room = machine->sharedBytes / countTeams(work) - staged;
  int64_t fit = room > 0 && work->stepBytes > 0 ? room / work->stepBytes : 2;
  fit = least(fit, tileMachineNumber(machine, isByThreads(work) ? TILE_NUMBER_PIPELINE_STAGES
                                                                : TILE_NUMBER_RING_STAGES));
  bool roles = hasRoles(machine, work);
  if (isChained(work) && !roles) lay.slots = 2;
  if (!lay.slots || lay.slots > fit) lay.slots = fit < 2 ? 2 : fit;
  int64_t shared = lay.slots * work->stepBytes + staged;
  int64_t together =
      least(shared ? machine->multiprocessorSharedBytes / shared : 1, fitRegisters(machine, work));
  if (countTeams(work) > 1) together /= countTeams(work);
  if (together < 1) together = 1;
  // Of one warp group half as much lies there.
  bool isOne = work->warps == tileMachineNumber(machine, TILE_NUMBER_ROLE_WARPS_LEAST);
  if (work->isSynchronous && roles && !isChained(work) && !isByThreads(work) &&
      countTeams(work) == 1)
    together = planBlocks(machine, work, isOne ? staged / 2 : staged, &lay.slots);
  lay.stepTensors = tensorCycles(machine, work);
  layRounds(machine, work, together, &lay);
  return lay;
}

/// Cycles of a step in which a block's threads load or copy single elements.
static double singleCycles(const TileMachine *machine, const TileWork *work) {
  double warp = number(machine, TILE_NUMBER_MODEL_COPIED);
  if (work->rows == TILE_ROWS_COPIED) return work->singles * work->warps * warp;
  if (work->rows == TILE_ROWS_RAGGED)
    return work->singles * number(machine, TILE_NUMBER_MODEL_RAGGED);
  bool isAhead = work->rows == TILE_ROWS_AHEAD;
  return work->singles *
         number(machine, isAhead ? TILE_NUMBER_MODEL_SINGLE : TILE_NUMBER_MODEL_ALONE);
}

static bool isOffLines(const TileWork *work) {
  return work->rows == TILE_ROWS_AT_SECTORS || work->rows == TILE_ROWS_AT_CHUNKS;
}

/// What copies take where rows begin so, of what they take where they begin at lines.
static double straddleFactor(const TileMachine *machine, const TileWork *work, TileRows rows) {
  bool isAlone = work->isSynchronous && isOffLines(work) && work->blocks == 1;
  TileNumber more = isAlone                        ? TILE_NUMBER_MODEL_STRADDLE_ALONE
                    : rows == TILE_ROWS_AT_SECTORS ? TILE_NUMBER_MODEL_STRADDLE_SECTORS
                                                   : TILE_NUMBER_MODEL_STRADDLE;
  return 1 + number(machine, more) / 100;
}

/// Does a cluster ask the L2 cache once for what several of its blocks copy?
static bool sharesCopies(const TileWork *work) {
  return work->askedBytes > 0 && work->askedBytes < work->stepBytes && countParts(work) == 1;
}

/// What is left of bytes of which a cluster asks the L2 cache for so many alone.
static double sharedOf(const TileMachine *machine, const TileWork *work, double bytes,
                       double asked) {
  bool fewer = sharesCopies(work) && work->rows == TILE_ROWS_AT_CHUNKS;
  return fewer ? bytes - (bytes - asked) * number(machine, TILE_NUMBER_MODEL_SHARED) / 100 : bytes;
}

/// What the L2 cache is asked for by a block, of the bytes that it copies in a step, as bytes of
/// whole lines. Where all rows begin at these or at sectors, what several blocks ask for at a time
/// is no more to it than what one does.
static double askedOf(const TileMachine *machine, const TileWork *work, double bytes) {
  if (work->rows == TILE_ROWS_COPIED) return bytes * straddleFactor(machine, work, work->rows);
  if (!isOffLines(work) || !work->stepBytes) return bytes;
  double lines = (double)work->lineBytes, sectors = (double)work->sectorBytes;
  double rest = (double)work->stepBytes - lines - sectors, beside = (double)work->besideAsked;
  double all = sharedOf(machine, work, rest, (double)work->askedBytes - beside) *
               straddleFactor(machine, work, work->rows);
  double more = 1 + number(machine, TILE_NUMBER_MODEL_STRADDLE_BESIDE) / 100;
  if (work->rows == TILE_ROWS_AT_CHUNKS && !work->isSynchronous)
    all += sharedOf(machine, work, lines + sectors, beside) * more;
  else
    all += lines + sectors * straddleFactor(machine, work, TILE_ROWS_AT_SECTORS);
  return all * bytes / (double)work->stepBytes;
}

/// The longest of what runs at the same time, and a little of the others: each step is another's
/// turn to be late.
static double addBeside(const TileMachine *machine, double products, double copies, double wait) {
  double power = number(machine, TILE_NUMBER_MODEL_BESIDE);
  double longest = most(most(products, copies), wait);
  if (!(longest > 0)) return 0;
  double sum =
      pow(products / longest, power) + pow(copies / longest, power) + pow(wait / longest, power);
  return longest * pow(sum, 1 / power);
}

/// Is a step's code so long that a scheduler's only warp waits for its instructions?
static bool isLongByThreads(const TileMachine *machine, const TileWork *work) {
  double products = work->flops / 2 / (32.0 * work->warps);
  return products >= number(machine, TILE_NUMBER_PREFETCH_PRODUCTS);
}

/// Cycles for which shared memory is written and read in a step of f64: each warp reads its rows of
/// A and its columns of B, as square a part as may be (Layouts.c).
static double sharedCycles(const TileMachine *machine, const TileWork *work) {
  enum { rows = 16, columns = 8 };
  double m = (double)work->rowsOfDot, n = (double)work->sums / m;
  double depthBytes = (double)work->stepBytes / (m + n);
  for (int warps = work->warps; warps > 1; warps /= 2) {
    bool canM = m >= 2 * rows, canN = n >= 2 * columns;
    if (canM && (m >= n || !canN))
      m /= 2;
    else if (canN)
      n /= 2;
  }
  double read = work->warps * (m + n) * depthBytes;
  return ((double)work->stepBytes + read) / number(machine, TILE_NUMBER_MODEL_SHARED_BYTES);
}

/// Cycles of a step of `together` blocks whose threads wait for their products, or multiply
/// themselves.
static double waitedCycles(const TileMachine *machine, const TileWork *work, double tensors,
                           double together) {
  enum { schedulers = 4 };
  bool isDouble = work->rate == TILE_RATE_F64_MATRIX, isFma = work->rate == TILE_RATE_F32;
  double idle = number(machine, isDouble ? TILE_NUMBER_MODEL_DOUBLE_WAIT
                                : isFma  ? TILE_NUMBER_MODEL_FMA_WAIT
                                         : TILE_NUMBER_MODEL_SYNC_WAIT);
  double sync = number(machine, isDouble ? TILE_NUMBER_MODEL_DOUBLE
                                : isFma  ? TILE_NUMBER_MODEL_FMA
                                         : TILE_NUMBER_MODEL_SYNC) /
                100;
  double alone = isDouble ? number(machine, TILE_NUMBER_MODEL_DOUBLE_ALONE) : isFma ? 0 : idle;
  // Of two warp groups one multiplies while the other waits.
  if (isDouble && work->warps > schedulers) alone = 0;
  if (isFma && work->warps <= schedulers && isLongByThreads(machine, work))
    alone = tensors * number(machine, TILE_NUMBER_MODEL_FMA_ALONE) / 100;
  // Threads that copy, too, wait once more.
  if (isByThreads(work))
    sync *= isDouble ? number(machine, TILE_NUMBER_MODEL_DOUBLE_COPIED) / 100 : sync;
  if (isFma && tileWorkIsFull(machine, work))
    sync *= 1 + number(machine, TILE_NUMBER_MODEL_FMA_WIDE) / 100;
  double block = tensors * sync + idle;
  if (isDouble && work->rowsOfDot > 0 && !isByThreads(work))
    block = most(block, sharedCycles(machine, work));
  return most(together * block, block + alone);
}

/// Cycles of a step of a round, of all blocks that a multiprocessor has at a time.
static double stepCycles(const TileMachine *machine, const TileWork *work, const Lay *lay,
                         const Round *round) {
  double full = (double)round->active / work->multiprocessors, together = (double)round->together;
  // One team waits while others compute.
  double busy = number(machine, TILE_NUMBER_MODEL_TEAM_BUSY) / 100,
         teams = (double)countTeams(work);
  double beside = 1 + busy * (teams - 1);
  double tensors = lay->stepTensors / (round->isHalved ? 2 : 1);
  double heat = 1 + number(machine, TILE_NUMBER_MODEL_HEAT) / 100 * full;
  if (work->rate == TILE_RATE_F64_MATRIX) heat = 1; // its clock is no less than the highest
  double share = number(machine, TILE_NUMBER_MODEL_L2_BYTES) / (double)round->active;
  double own = number(machine, TILE_NUMBER_MODEL_COPY_BYTES);
  // Of a program that two blocks share each multiplies half of one operand by all of the other.
  double bytes = (double)(work->stepBytes - (round->isHalved ? work->rowBytes / 2 : 0));
  double asked = askedOf(machine, work, bytes);
  double copies = together * teams * most(bytes / own, asked / (share < own ? share : own));
  double wait = number(machine, TILE_NUMBER_MODEL_LATENCY) / (double)lay->slots;
  double step = addBeside(machine, together * beside * tensors * heat, copies, wait);
  if (work->isSynchronous)
    step = most(step, waitedCycles(machine, work, tensors, together * beside));
  step = most(step, together * teams * singleCycles(machine, work));
  if (work->rows == TILE_ROWS_RAGGED)
    step = most(step, work->singles * number(machine, TILE_NUMBER_MODEL_RAGGED_ALONE));
  step += together * betweenCycles(machine, work);
  step *= spillFactor(machine, work);
  return sharesCopies(work) ? step * (1 + number(machine, TILE_NUMBER_MODEL_CLUSTER) / 100) : step;
}

/// Cycles of all rounds, of so many steps each, and of `more` that some programs have.
static double loopCycles(const TileMachine *machine, const TileWork *work, const Lay *lay,
                         double steps, double more) {
  double each = stepCycles(machine, work, lay, &lay->each);
  double last = stepCycles(machine, work, lay, &lay->last);
  if (work->lastSplits > 1 && lay->turns) {
    double part = (double)roundUp((int64_t)steps, work->lastSplits);
    double parts = (double)(lay->turns - 1) * part, whole = (double)(lay->before + 1 - lay->turns);
    return (whole * steps + parts) * each + part * last;
  }
  return ((double)lay->before * steps + more) * each + steps * last;
}

/// Boxes of results that leave under the next program's dots, one behind each (Profit.c); 0: they
/// leave in front of them.
static double countDeferred(const TileMachine *machine, const TileWork *work) {
  int64_t words = work->staged / 4 / (32 * (int64_t)work->warps), row = machine->swizzleBytes;
  if (!row) return 0; // boxes are what leaves so
  bool waits = work->isSynchronous || work->computed > 0 || isChained(work);
  bool isDeferred = work->lastSplits <= 1 && !waits && !work->storesSingles &&
                    work->rows <= TILE_ROWS_AT_CHUNKS &&
                    work->storedBits <= tileMachineNumber(machine, TILE_NUMBER_DEFERRED_BITS) &&
                    words <= tileMachineNumber(machine, TILE_NUMBER_DEFERRED_WORDS);
  if (!isDeferred) return 0;
  // Where rows and columns changed roles they are turned round on their way: the longer side
  // counts.
  int64_t turned = work->rowsOfDot > 0 ? work->staged / work->rowsOfDot : 0;
  int64_t side = work->storedRow > turned ? work->storedRow : turned;
  return side > 0 ? (double)roundUp(side, row) : 1;
}

bool tileWorkIsShort(const TileMachine *machine, const TileWork *work) {
  return work->programs > work->multiprocessors && countParts(work) == 1 &&
         work->steps < countDeferred(machine, work);
}

/// The part of the time behind a loop that is in front of the next program's dots: all of it where
/// results are not deferred, a little where they are not for being more boxes than steps.
static double partInFront(const TileMachine *machine, const TileWork *work) {
  double boxes = countDeferred(machine, work);
  if (!(boxes > 0)) return 1;
  return tileWorkIsShort(machine, work) ? number(machine, TILE_NUMBER_MODEL_AT_ONCE) / 100 : 0;
}

/// What `clusters` take to add up in memory: each block writes its share of the sum, and the last
/// one reads all clusters'.
static double collectCycles(const TileMachine *machine, const TileWork *work, int clusters) {
  double share = (double)work->sumBytes / work->parts;
  return number(machine, TILE_NUMBER_MODEL_COLLECT) +
         clusters * share / number(machine, TILE_NUMBER_MODEL_COLLECT_BYTES);
}

/// What turns that have parts of programs take to add up: each writes its part, and the last one of
/// a program reads all; where all are of one round, each has a share, as blocks that divide a loop.
static double turnCycles(const TileMachine *machine, const TileWork *work, const Lay *lay) {
  if (lay->turns && !lay->before && lay->each.together == 1)
    return collectCycles(machine, work, work->lastSplits);
  double bytes = (double)work->sumBytes / number(machine, TILE_NUMBER_MODEL_PART_BYTES);
  double each = number(machine, TILE_NUMBER_MODEL_PART) + (double)lay->each.together * bytes;
  double last = number(machine, TILE_NUMBER_MODEL_COLLECT) +
                (double)(lay->last.together + work->lastSplits) * bytes;
  return lay->turns ? (double)lay->turns * each + last : 0;
}

/// What stands behind the loops of programs.
static double endCycles(const TileMachine *machine, const TileWork *work, const Lay *lay) {
  double tiles = (double)(work->sums * lay->each.together) / (128 * 128);
  double end = number(machine, TILE_NUMBER_MODEL_END) * tiles, rounds = (double)lay->before + 1;
  if (work->lastSplits > 1) return rounds * end + turnCycles(machine, work, lay);
  end += (double)(countTeams(work) - 1) * number(machine, TILE_NUMBER_MODEL_TEAM);
  if (countParts(work) == 1) return end + (rounds - 1) * partInFront(machine, work) * end;
  double sum = 0;
  if (work->parts > 1)
    sum += number(machine, TILE_NUMBER_MODEL_MEET) + number(machine, TILE_NUMBER_MODEL_ADD) * tiles;
  if (work->clusters > 1) sum += collectCycles(machine, work, work->clusters);
  return rounds * (end + sum);
}

/// What stands in front of all programs: copies of arrays whose rows begin anywhere.
static double packCycles(const TileMachine *machine, const TileWork *work) {
  if (work->rows != TILE_ROWS_PACKED) return 0;
  double bytes = 2 * work->memoryBytes / number(machine, TILE_NUMBER_MODEL_PACK_BYTES);
  return number(machine, TILE_NUMBER_MODEL_PACK) + bytes;
}

double tileWorkEstimate(const TileMachine *machine, const TileWork *work) {
  bool known = tileMachineHasRoles(machine) && machine->rates[work->rate] > 0 &&
               work->multiprocessors > 0 && work->programs > 0 && work->parts > 0 &&
               work->clusters > 0;
  if (!known) return 0;
  Lay lay = layOut(machine, work);
  double each = work->steps;
  int64_t divided = countParts(work) * countTeams(work);
  if (divided > 1) each = (double)roundUp((int64_t)each, divided);
  double steps = ((double)lay.before + 1) * each;
  // Where some programs take longer, a block has one of these in one round too many.
  double longest = (double)work->longest / (double)divided;
  double more = longest - work->steps;
  more = more > 0 ? most(steps + more / 2, longest) - steps : 0;
  // Without roles, and where threads fetch, nothing of a program is copied while another one ends.
  bool waits = isByThreads(work) || (isChained(work) && !hasRoles(machine, work));
  double wait = (double)lay.before *
                number(machine, waits ? TILE_NUMBER_MODEL_LATENCY : TILE_NUMBER_MODEL_ROUND);
  double loop = loopCycles(machine, work, &lay, each, more);
  double cycles = loop + endCycles(machine, work, &lay) + wait;
  double memory = work->memoryBytes / number(machine, TILE_NUMBER_MODEL_MEMORY_BYTES);
  double apart = number(machine, TILE_NUMBER_MODEL_APART) / 100;
  double longer = most(cycles, memory), shorter = cycles + memory - longer;
  double start = number(machine, TILE_NUMBER_MODEL_START) + packCycles(machine, work);
  return start + longer + apart * shorter;
}
