//===- Registers.c - when to assemble again, with a limit -----------------===//
#include "tile/Target/Registers.h"
#include "tile/MachineNumbers.h"
#include "tile/Target/InstructionMix.h"
#include "tile/Target/Occupancy.h"
#include "tile/Text.h"
#include <stdlib.h>
#include <string.h>

static const char reqntid[] = ".reqntid ", minnctapersm[] = ".minnctapersm ";

static bool isLimited(const char *ptx) { return strstr(ptx, "maxnreg") != NULL; }

/// Blocks that a multiprocessor shall have at a time, or 0 where nobody said so.
static int blocksAskedFor(const char *ptx) {
  const char *at = strstr(ptx, minnctapersm);
  return at ? (int)strtol(at + strlen(minnctapersm), NULL, 10) : 0;
}

/// Tensor cores take many registers as operands, and few blocks fill a multiprocessor.
static bool hasDots(const char *ptx) { return strstr(ptx, "mma.") != NULL; }

bool tileRegistersSerialize(const TileBlob *ptx, const TileBlob *said) {
  if (!ptx->size || !strstr(ptx->data, "wgmma.mma_async")) return false;
  // C7510 to C7518: "wgmma.mma_async instructions are serialized due to .."
  return !said || !said->size || strstr(said->data, "are serialized");
}

/// The most registers a thread with which so many blocks of a multiprocessor have room.
static int fitBlocks(const TileMachine *arch, int threads, int blocks) {
  return tileMachineShareRegisters(arch, (threads + 31) / 32, blocks);
}

/// How many labels, of the first few thousand, are jumped to from behind them?
static int countLoops(const char *ptx) {
  static const char label[] = "$L__BB";
  bool seen[4096] = {false};
  int loops = 0;
  for (const char *at = strstr(ptx, label); at; at = strstr(at + 1, label)) {
    const char *number = strchr(at + strlen(label), '_');
    char *end = NULL;
    unsigned long which = number ? strtoul(number + 1, &end, 10) : 0;
    if (!number || end == number + 1 || which >= sizeof seen) continue;
    loops += *end != ':' && seen[which];
    seen[which] = *end == ':'; // one loop, however often it is gone on with
  }
  return loops;
}

static const char globalLoad[] = "ld.global";

static int countLoads(const char *from, const char *to) {
  int loads = 0;
  for (const char *at = from; (at = strstr(at, globalLoad)) && at < to; ++at) ++loads;
  return loads;
}

/// The most plain loads that a loop of the first few hundred labels has.
static int loadsOfLoop(const char *ptx) {
  static const char label[] = "$L__BB";
  const char *begins[512] = {NULL};
  int most = 0;
  for (const char *at = strstr(ptx, label); at; at = strstr(at + 1, label)) {
    const char *number = strchr(at + strlen(label), '_');
    char *end = NULL;
    unsigned long which = number ? strtoul(number + 1, &end, 10) : 0;
    if (!number || end == number + 1 || which >= sizeof begins / sizeof *begins) continue;
    int loads = *end != ':' && begins[which] ? countLoads(begins[which], at) : 0;
    if (loads > most) most = loads;
    if (*end == ':') begins[which] = at;
  }
  return most;
}

/// What ptxas made of a kernel by itself.
typedef struct {
  const TileMachine *arch;
  const char *ptx;
  int threads, sharedBytes, registers, frame;
  bool serialized;
  TileOccupancy occupancy;
} Made;

static int blocksWith(const Made *k, int registers) {
  return tileOccupancyCompute(k->arch, k->threads, registers, k->sharedBytes).blocks;
}

/// What the load at `op` brings a thread: `ld.global.L1::evict_last.v4.b32` four words of 32 bits.
static void readLoad(const char *op, int *count, int *bits) {
  size_t length = strcspn(op, " \t");
  *count = 1, *bits = 0;
  for (const char *at = op; (at = memchr(at, '.', length - (size_t)(at - op))); ++at) {
    int number = at[1] ? atoi(at + 2) : 0;
    if (number > 0 && at[1] == 'v') *count = number;
    if (number > 0 && strchr("busf", at[1])) *bits = number;
  }
}

/// `registers`, kept where the stack takes `frame` bytes at most and so many blocks fit.
static TileRegisterLimit limitOf(const Made *k, int registers, int frame, int blocks) {
  return (TileRegisterLimit){registers, frame, blocks, k->serialized, 0};
}

/// Does a block ask memory for little in front of the barrier at which its threads first meet? Then
/// one block alone leaves memory idle.
static bool asksForLittle(const Made *k) {
  const char *barrier = strstr(k->ptx, "bar.sync");
  int64_t bytes = 0;
  if (!barrier) return false;
  for (const char *at = k->ptx; (at = strstr(at, globalLoad)) && at < barrier; ++at) {
    int count, bits;
    readLoad(at, &count, &bits);
    bytes += count * bits / 8;
  }
  return bytes * k->threads <= tileMachineNumber(k->arch, TILE_NUMBER_SECOND_BLOCK_BYTES);
}

/// With which two blocks fit, where that is worth while.
static TileRegisterLimit fitTwo(const Made *k) {
  TileRegisterLimit none = {0};
  if (k->occupancy.blocks != 1 || k->occupancy.limit != TILE_LIMIT_REGISTERS) return none;
  bool little = asksForLittle(k);
  TileNumber share = little ? TILE_NUMBER_IDLE_BLOCK_REGISTERS : TILE_NUMBER_SECOND_BLOCK_REGISTERS;
  TileNumber most = little ? TILE_NUMBER_IDLE_BLOCK_SPILLS : TILE_NUMBER_SECOND_BLOCK_SPILLS;
  int limit = fitBlocks(k->arch, k->threads, 2);
  int least = tileMachineNumber(k->arch, share) * k->registers / 100;
  if (limit < least || limit >= k->registers || blocksWith(k, limit) < 2) return none;
  int spills = tileMachineNumber(k->arch, most);
  return limitOf(k, limit, k->frame + spills, 2);
}

/// Does a branch keep its loads together, however few the registers are? (tile-issue-loads)
static bool issuesLoads(const char *ptx) { return strstr(ptx, "trap;") != NULL; }

/// Registers of a thread that plain loads fill in front of where threads first meet, and that the
/// assembler may take up one after the other: no branch keeps them together. Of a loop, whose loads
/// come step by step, 0.
static int looseWords(const Made *k) {
  const char *barrier = strstr(k->ptx, "bar.sync");
  int words = 0;
  if (issuesLoads(k->ptx) || countLoops(k->ptx)) return 0;
  for (const char *at = k->ptx; (at = strstr(at, globalLoad)) && (!barrier || at < barrier); ++at) {
    int count, bits;
    readLoad(at, &count, &bits);
    words += bits > 32 ? count * bits / 32 : count;
  }
  return words;
}

/// Instructions of the code for each element, or word of several, that it loads from memory.
static int instructionsOfWord(const char *ptx) {
  int mix[TILE_MIX_KINDS], words = 0;
  tileCountPtx(ptx, mix);
  for (const char *at = ptx; (at = strstr(at, globalLoad)); ++at) {
    int count, bits;
    readLoad(at, &count, &bits);
    words += count;
  }
  return words ? tileMixSum(mix) / words : tileMixSum(mix);
}

/// With which one block more fits, of a kernel that goes over its rows once: then more rows are on
/// their way, also copies that run ahead. What reads them again, in another loop, has fewer of them
/// in the L1 cache then. A third block is worth a few spills.
static TileRegisterLimit fitAnother(const Made *k) {
  TileRegisterLimit none = {0};
  int blocks = k->occupancy.blocks + 1, loops = countLoops(k->ptx);
  if (k->occupancy.limit != TILE_LIMIT_REGISTERS || blocks < 3) return none;
  bool copies = blocks <= tileMachineNumber(k->arch, TILE_NUMBER_COPYING_BLOCKS) &&
                strstr(k->ptx, "cp.async");
  if (loops > 1 || (loops && !issuesLoads(k->ptx) && !copies)) return none;
  if (loops && !copies &&
      instructionsOfWord(k->ptx) > tileMachineNumber(k->arch, TILE_NUMBER_LOOP_WORD_WORK))
    return none;
  int limit = fitBlocks(k->arch, k->threads, blocks);
  int least = tileMachineNumber(k->arch, TILE_NUMBER_SECOND_BLOCK_REGISTERS) * k->registers / 100;
  if (limit < least || limit >= k->registers || blocksWith(k, limit) < blocks) return none;
  if (limit < looseWords(k)) return none;
  bool isThird = blocks == 3 && !loops;
  int spills = isThird ? tileMachineNumber(k->arch, TILE_NUMBER_THIRD_BLOCK_SPILLS) : 0;
  return limitOf(k, limit, k->frame + spills, blocks);
}

/// With which blocks fill the multiprocessor, where that spills nothing: all warps that there can
/// be wait for memory together.
static TileRegisterLimit fillWarps(const Made *k) {
  TileRegisterLimit none = {0};
  int warps = (k->threads + 31) / 32, blocks = k->arch->warps / warps;
  if (k->occupancy.limit != TILE_LIMIT_REGISTERS || blocks * warps != k->arch->warps) return none;
  int limit = fitBlocks(k->arch, k->threads, blocks);
  int least = tileMachineNumber(k->arch, TILE_NUMBER_SECOND_BLOCK_REGISTERS) * k->registers / 100;
  if (limit < least || limit >= k->registers || blocksWith(k, limit) < blocks) return none;
  if (limit < looseWords(k)) return none;
  return limitOf(k, limit, k->frame, blocks);
}

/// With dots, with which one block more fits that a multiprocessor has shared memory for: while one
/// converts, or waits for a barrier of its threads, tensor cores work for another.
static TileRegisterLimit fitMore(const Made *k) {
  TileRegisterLimit none = {0};
  int blocks = k->occupancy.blocks + 1, most = tileMachineNumber(k->arch, TILE_NUMBER_DOT_BLOCKS);
  if (blocks < 2 || blocks > most || k->occupancy.limit != TILE_LIMIT_REGISTERS) return none;
  int limit = fitBlocks(k->arch, k->threads, blocks);
  int least = tileMachineNumber(k->arch, TILE_NUMBER_DOT_BLOCK_REGISTERS) * k->registers / 100;
  if (limit < least || limit >= k->registers || blocksWith(k, limit) < blocks) return none;
  int spills = tileMachineNumber(k->arch, TILE_NUMBER_DOT_BLOCK_SPILLS);
  return limitOf(k, limit, k->frame + spills, blocks);
}

/// With dots and no loop, with which one block more fits, or as many as CHAIN_WARPS warps are: such
/// a block asks memory for all that it multiplies once, and others are on their way meanwhile.
static TileRegisterLimit fitOnce(const Made *k) {
  int warps = (k->threads + 31) / 32, blocks = k->occupancy.blocks + 1;
  int most = tileMachineNumber(k->arch, TILE_NUMBER_CHAIN_WARPS) / warps;
  int least = tileMachineNumber(k->arch, TILE_NUMBER_DOT_BLOCK_REGISTERS) * k->registers / 100;
  if (k->occupancy.limit != TILE_LIMIT_REGISTERS || countLoops(k->ptx))
    return (TileRegisterLimit){0};
  for (int n = most > blocks ? most : blocks; n >= blocks; --n) {
    int limit = fitBlocks(k->arch, k->threads, n);
    if (limit < least || limit >= k->registers || blocksWith(k, limit) < n) continue;
    int spills = tileMachineNumber(k->arch, TILE_NUMBER_DOT_BLOCK_SPILLS);
    return limitOf(k, limit, k->frame + spills, n);
  }
  return (TileRegisterLimit){0};
}

/// So many percent of what is spilled.
static int shareOf(const Made *k, TileNumber percent) {
  return tileMachineNumber(k->arch, percent) * k->frame / 100;
}

/// All there are, where they are not taken, and something is spilled to speak of. Where ptxas fell
/// back to few registers less is spilled then in as large a frame, if somewhat larger; elsewhere a
/// frame may hold what is no spill, and half of it has to go.
static TileRegisterLimit takeAll(const Made *k) {
  int limit = fitBlocks(k->arch, k->threads, 1);
  bool spills = k->frame > tileMachineNumber(k->arch, TILE_NUMBER_SECOND_BLOCK_SPILLS);
  if (!spills || k->registers >= limit) return (TileRegisterLimit){0};
  int few = tileMachineNumber(k->arch, TILE_NUMBER_FALLEN_REGISTERS) * limit / 100;
  return limitOf(
      k, limit,
      shareOf(k, k->registers <= few ? TILE_NUMBER_FALLEN_SPILLS : TILE_NUMBER_SPILLS_LEFT), 1);
}

/// All that half as many blocks leave to each, where a schedule asked for more than registers are
/// for. What each step writes to local memory and reads again costs more than a block.
static TileRegisterLimit leaveBlocks(const Made *k) {
  int blocks = blocksAskedFor(k->ptx) / 2, warps = (k->threads + 31) / 32;
  if (!blocks || k->frame <= tileMachineNumber(k->arch, TILE_NUMBER_ROLE_BLOCK_SPILLS))
    return (TileRegisterLimit){0};
  int limit = tileMachineShareRegisters(k->arch, warps, blocks);
  return limitOf(k, limit, shareOf(k, TILE_NUMBER_SPILLS_LEFT), blocks);
}

/// The fewest blocks that a loop of plain loads may be left with, whose registers let ptxas move
/// loads ahead. Loads that are asynchronous run ahead as they are.
static int leastBlocks(const Made *k) {
  int blocks = k->occupancy.blocks, warps = (k->threads + 31) / 32;
  int percent = tileMachineNumber(k->arch, TILE_NUMBER_LOOP_BLOCKS);
  int mostWarps = tileMachineNumber(k->arch, TILE_NUMBER_LOOP_WARPS);
  if (k->registers < tileMachineNumber(k->arch, TILE_NUMBER_LOOP_REGISTERS)) return blocks;
  if (strstr(k->ptx, "cp.async")) return blocks;
  int least = (blocks * percent + 99) / 100, others = (mostWarps + warps - 1) / warps;
  int fewest = tileMachineNumber(k->arch, TILE_NUMBER_LOOP_LEAST_BLOCKS);
  if (others < fewest) others = fewest;
  if (least < others) least = others;
  return least < blocks ? least : blocks;
}

/// Any, in a loop, whose loads ptxas then moves to its start: by itself it aims at as many blocks
/// as there could be, and waits for some loads before it begins others.
static TileRegisterLimit takeForLoop(const Made *k) {
  if (!countLoops(k->ptx)) return (TileRegisterLimit){0};
  return limitOf(k, fitBlocks(k->arch, k->threads, 1), k->frame, leastBlocks(k));
}

/// In a loop whose steps have several loads, as many as the fewest blocks leave that have a part of
/// all warps, where ptxas takes many more of them: by itself it aims at all warps that there can
/// be, and waits for one load of a step before it begins the next.
static TileRegisterLimit takeForSteps(const Made *k) {
  int warps = (k->threads + 31) / 32, blocks = k->occupancy.blocks;
  int least = (blocks * tileMachineNumber(k->arch, TILE_NUMBER_LOOP_BLOCKS) + 99) / 100;
  int part = k->arch->warps * tileMachineNumber(k->arch, TILE_NUMBER_STEP_WARPS) / 100;
  int others = (part + warps - 1) / warps;
  if (least < others) least = others;
  bool few = k->registers < tileMachineNumber(k->arch, TILE_NUMBER_LOOP_REGISTERS);
  if (!few || least >= blocks || strstr(k->ptx, "cp.async") || loadsOfLoop(k->ptx) < 2)
    return (TileRegisterLimit){0};
  int more = tileMachineNumber(k->arch, TILE_NUMBER_STEP_REGISTERS) * k->registers / 100;
  int limit = fitBlocks(k->arch, k->threads, least);
  if (limit < more) return (TileRegisterLimit){0};
  TileRegisterLimit taken = limitOf(k, limit, k->frame, least);
  taken.leastRegisters = more;
  return taken;
}

/// With which all loads that no branch keeps together are on their way, where that leaves enough
/// blocks: by itself the assembler aims at as many as there could be, and waits for some loads
/// before it begins others.
static TileRegisterLimit takeForLoads(const Made *k) {
  int words = looseWords(k), blocks = k->occupancy.blocks;
  int wanted = words + tileMachineNumber(k->arch, TILE_NUMBER_LOOSE_BESIDE);
  int share = tileMachineNumber(k->arch, TILE_NUMBER_LOOSE_BLOCKS);
  bool are = words >= tileMachineNumber(k->arch, TILE_NUMBER_ISSUE_LOADS);
  if (!are || wanted <= k->registers || k->occupancy.limit != TILE_LIMIT_REGISTERS)
    return (TileRegisterLimit){0};
  int left = blocksWith(k, wanted), least = (blocks * share + 99) / 100;
  if (!left || left < least) return (TileRegisterLimit){0};
  return limitOf(k, fitBlocks(k->arch, k->threads, left), k->frame, least);
}

/// All that as many blocks leave to each.
static TileRegisterLimit takeShare(const Made *k) {
  int blocks = k->occupancy.blocks;
  bool many = k->registers >= tileMachineNumber(k->arch, TILE_NUMBER_SHARE_REGISTERS);
  int limit = many && blocks > 0 ? fitBlocks(k->arch, k->threads, blocks) : 0;
  return limit > k->registers ? limitOf(k, limit, k->frame, blocks) : (TileRegisterLimit){0};
}

/// The same of a kernel whose dots are mma.sync, where shared memory leaves room for few warps: by
/// itself ptxas aims at more blocks than there can be, and has each warp wait for a part of what it
/// reads before it reads more.
static TileRegisterLimit takeForFew(const Made *k) {
  int warps = (k->threads + 31) / 32, blocks = k->occupancy.blocks;
  bool few = k->occupancy.limit == TILE_LIMIT_SHARED && strstr(k->ptx, "mma.sync") &&
             blocks * warps <= tileMachineNumber(k->arch, TILE_NUMBER_CHAIN_WARPS);
  int limit = few && blocks > 0 ? fitBlocks(k->arch, k->threads, blocks) : 0;
  return limit > k->registers ? limitOf(k, limit, k->frame, blocks) : (TileRegisterLimit){0};
}

static bool readMade(const TileMachine *arch, int sharedBytes, const TileBlob *ptx,
                     const TileRegisterUse *use, Made *k) {
  const char *at = ptx->size ? strstr(ptx->data, reqntid) : NULL;
  *k = (Made){.arch = arch, .ptx = ptx->data, .sharedBytes = sharedBytes};
  k->registers = use->registers;
  k->frame = use->frameBytes;
  k->serialized = use->serialized;
  if (!at) return false;
  k->threads = (int)strtol(at + strlen(reqntid), NULL, 10);
  if (k->threads <= 0) return false;
  k->occupancy = tileOccupancyCompute(arch, k->threads, k->registers, sharedBytes);
  return true;
}

int tileRegistersFindLimits(const TileMachine *arch, int sharedBytes, const TileBlob *ptx,
                            const TileRegisterUse *use,
                            TileRegisterLimit limits[TILE_REGISTER_LIMITS]) {
  Made made;
  if (!readMade(arch, sharedBytes, ptx, use, &made) || isLimited(made.ptx)) return 0;
  bool dots = hasDots(made.ptx);
  if (blocksAskedFor(made.ptx)) {
    limits[0] = leaveBlocks(&made);
    return limits[0].registers > 0;
  }
  limits[0] = takeAll(&made);
  if (!limits[0].registers && dots) limits[0] = fitOnce(&made);
  if (!limits[0].registers && dots) limits[0] = fitMore(&made);
  if (!limits[0].registers && dots) limits[0] = takeForFew(&made);
  if (limits[0].registers || dots) return limits[0].registers > 0;
  const TileRegisterLimit found[] = {fitTwo(&made),       fitAnother(&made),   fillWarps(&made),
                                     takeForLoads(&made), takeForSteps(&made), takeForLoop(&made),
                                     takeShare(&made)};
  int n = 0;
  for (int i = 0; i < TILE_REGISTER_LIMITS; ++i)
    if (found[i].registers && (!n || limits[n - 1].registers != found[i].registers))
      limits[n++] = found[i];
  return n;
}

TileBlob tileRegistersLimit(const TileBlob *ptx, int registers) {
  const char *at = strstr(ptx->data, reqntid), *line = at ? strchr(at, '\n') : NULL;
  size_t before = line ? (size_t)(line + 1 - ptx->data) : 0;
  TileText text = {0};
  const char *rest = ptx->data + before;
  tileTextAddBytes(&text, ptx->data, before);
  if (line) tileTextPrint(&text, ".maxnreg %d\n", registers);
  // ptxas takes no limit beside a number of blocks.
  if (strncmp(rest, minnctapersm, strlen(minnctapersm)) == 0) rest += strcspn(rest, "\n") + 1;
  tileTextAdd(&text, rest);
  return (TileBlob){.data = text.data, .size = text.size};
}

bool tileRegistersKeepLimited(const TileMachine *arch, int sharedBytes, const TileBlob *ptx,
                              const TileRegisterUse *second, const TileRegisterLimit *limit) {
  Made made;
  return readMade(arch, sharedBytes, ptx, second, &made) && made.frame <= limit->mostFrame &&
         made.occupancy.blocks >= limit->leastBlocks &&
         second->registers >= limit->leastRegisters && (limit->maySerialize || !made.serialized);
}

/// Of all variables that the PTX declares in local memory: `.local .align 8 .b8 name[24];`.
static int localBytes(const char *ptx) {
  static const char word[] = ".local .align ";
  int bytes = 0;
  for (const char *at = strstr(ptx, word); at; at = strstr(at + 1, word)) {
    const char *extent = strpbrk(at, "[;");
    if (extent && *extent == '[') bytes += (int)strtol(extent + 1, NULL, 10);
  }
  return bytes;
}

int tileRegistersCountSpilled(const TileMachine *arch, const TileBlob *ptx,
                              const TileRegisterUse *use) {
  int spilled = ptx->size ? use->frameBytes - localBytes(ptx->data) : 0;
  return spilled > tileMachineNumber(arch, TILE_NUMBER_SPEAK_SPILLS) ? spilled : 0;
}
