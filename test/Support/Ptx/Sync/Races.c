//===- Races.c - races in shared memory -----------------------------------===//
#include "Races.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ARRIVALS = 256, MOST_SUSPECTS = 128, NOBODY = 0xffff, WORD = 4 };

/// The last accesses of a word.
typedef struct Cell {
  uint32_t clock; ///< of the agent that wrote it
  uint16_t agent;
  bool isGeneric, isAtomic, isPart; ///< how it was written; isPart: fewer bytes than the word
  bool isCopy;                      ///< by cp.async
  bool isReadWhole;                 ///< a read was of all of it
  int32_t line, readLine;
} Cell;

/// What those who wait learn: of arrivals so far, and of the last phase that completed. Vectors.
typedef struct Meeting {
  uint32_t *pending, *released;
} Meeting;

typedef struct Arrival {
  const PtxBlock *block;
  uint64_t address;
  uint32_t phases;
  Meeting meeting;
} Arrival;

/// A word that two wrote at once, and what it had: the same again is no race.
typedef struct Suspect {
  const uint8_t *at;
  uint32_t value;
  int32_t line;
} Suspect;

/// Agents: warps, warpgroups' wgmmas, warps' bulk copies (all of which read), warps' cp.asyncs,
/// mbarriers. A vector has two clocks of each: known, and fenced to the async proxy.
struct PtxRaces {
  PtxCluster *cluster;
  int warps, groups, readers, agents;
  uint32_t *vectors;  ///< of warps, and one for the actor
  uint32_t *products; ///< of warpgroups: what the warps knew that issued its wgmmas
  Meeting *barriers;  ///< PTX_BARRIERS a block
  Meeting whole;      ///< the cluster's
  Arrival *arrivals;
  int arrivalCount;
  Cell *cells[PTX_MAX_CLUSTER];
  uint32_t *reads[PTX_MAX_CLUSTER]; ///< a clock for each reader of each word
  // Who accesses.
  const uint32_t *known;
  int agent;
  uint32_t clock;
  bool isAsync, isAtomic, isQuiet, isCopy;
  int32_t line;
  Suspect suspects[MOST_SUSPECTS];
  int suspectCount;
};

static int getWarp(const PtxWarp *warp) {
  return (int)warp->block->rank * warp->block->warpCount + warp->index;
}

static int getGroup(const PtxRaces *races, const PtxWarp *warp) {
  int perBlock = (warp->block->warpCount + PTX_WARPGROUP - 1) / PTX_WARPGROUP;
  return races->warps + (int)warp->block->rank * perBlock + warp->index / PTX_WARPGROUP;
}

static uint32_t *getVector(const PtxRaces *races, int warp) {
  return races->vectors + (size_t)warp * 2 * (size_t)races->agents;
}

static void join(const PtxRaces *races, uint32_t *to, const uint32_t *from) {
  for (int i = 0; i < 2 * races->agents; ++i) to[i] = to[i] > from[i] ? to[i] : from[i];
}

static uint32_t *makeVector(const PtxRaces *races) {
  return calloc(2 * (size_t)races->agents, sizeof(uint32_t));
}

static bool makeMeeting(const PtxRaces *races, Meeting *meeting) {
  meeting->pending = makeVector(races), meeting->released = makeVector(races);
  return meeting->pending && meeting->released;
}

static void freeMeeting(Meeting *meeting) {
  free(meeting->pending);
  free(meeting->released);
}

void ptxRacesDestroy(PtxRaces *races) {
  if (!races) return;
  for (int i = 0; i < races->cluster->blockCount; ++i) {
    free(races->cells[i]);
    free(races->reads[i]);
  }
  for (int i = 0; races->barriers && i < races->cluster->blockCount * PTX_BARRIERS; ++i)
    freeMeeting(&races->barriers[i]);
  for (int i = 0; i < races->arrivalCount; ++i) freeMeeting(&races->arrivals[i].meeting);
  freeMeeting(&races->whole);
  free(races->barriers);
  free(races->arrivals);
  free(races->vectors);
  free(races->products);
  free(races);
}

static bool see(const PtxShared *shared, uint64_t address, uint32_t bytes, bool isWrite,
                PtxFault *fault);

static bool makeBlock(PtxRaces *races, PtxBlock *block) {
  size_t words = block->shared.size / WORD + 1;
  Cell *cells = races->cells[block->rank] = calloc(words, sizeof *cells);
  races->reads[block->rank] = calloc(words * (size_t)races->readers, sizeof(uint32_t));
  if (!cells || !races->reads[block->rank]) return false;
  for (size_t i = 0; i < words; ++i) cells[i].agent = NOBODY;
  block->shared.see = see, block->shared.watcher = block;
  for (int i = 0; i < PTX_BARRIERS; ++i)
    if (!makeMeeting(races, &races->barriers[(int)block->rank * PTX_BARRIERS + i])) return false;
  return true;
}

PtxRaces *ptxRacesCreate(PtxCluster *cluster) {
  PtxRaces *races = calloc(1, sizeof *races);
  if (!races) return NULL;
  int perBlock = cluster->blocks[0].warpCount;
  races->cluster = cluster;
  races->warps = cluster->blockCount * perBlock;
  races->groups = cluster->blockCount * ((perBlock + PTX_WARPGROUP - 1) / PTX_WARPGROUP);
  races->readers = 2 * races->warps + races->groups;
  races->agents = races->readers + races->warps + MOST_ARRIVALS;
  races->vectors = calloc((size_t)(races->warps + 1) * 2 * (size_t)races->agents, sizeof(uint32_t));
  races->products = calloc((size_t)races->groups * 2 * (size_t)races->agents, sizeof(uint32_t));
  races->barriers = calloc((size_t)cluster->blockCount * PTX_BARRIERS, sizeof *races->barriers);
  races->arrivals = calloc(MOST_ARRIVALS, sizeof *races->arrivals);
  bool isMade = races->vectors && races->products && races->barriers && races->arrivals &&
                makeMeeting(races, &races->whole);
  for (int i = 0; isMade && i < cluster->blockCount; ++i)
    isMade = makeBlock(races, &cluster->blocks[i]);
  for (int i = 0; isMade && i < races->warps; ++i) getVector(races, i)[i] = 1;
  if (isMade) return races;
  ptxRacesDestroy(races);
  return NULL;
}

/// Whether two accesses may be at once for they are of different bytes of the word, both atomic, or
/// copies by one instruction, of which threads beyond a tile's elements repeat others'.
static bool areApart(const PtxRaces *races, const Cell *cell, bool isPart) {
  return (isPart && cell->isPart) || (races->isAtomic && cell->isAtomic) ||
         (races->isCopy && cell->isCopy && races->line == cell->line);
}

/// Keeps a write by threads of what other threads wrote at once: it is looked at behind the
/// instruction.
static bool suspect(PtxRaces *races, const Cell *cell, const uint8_t *at) {
  if (races->isAsync || races->isCopy || cell->agent >= races->warps ||
      races->suspectCount == MOST_SUSPECTS)
    return false;
  Suspect *kept = &races->suspects[races->suspectCount++];
  *kept = (Suspect){.at = at, .line = cell->line};
  memcpy(&kept->value, at, sizeof kept->value);
  return true;
}

bool ptxRaceCheckSame(PtxCluster *cluster, PtxFault *fault) {
  PtxRaces *races = cluster->races;
  int count = races ? races->suspectCount : 0;
  if (races) races->suspectCount = 0;
  for (int i = 0; i < count; ++i)
    if (memcmp(races->suspects[i].at, &races->suspects[i].value, WORD) != 0)
      return ptxFaultSet(fault, PTX_FAILED,
                         "expected the write of line %d to be waited for before this write of "
                         "another value, found a race",
                         races->suspects[i].line);
  return true;
}

static bool checkWord(PtxRaces *races, const Cell *cell, const uint32_t *reads, bool isWrite,
                      bool isPart, const uint8_t *at, PtxFault *fault) {
  const char *what = isWrite ? "write" : "read";
  if (cell->agent != NOBODY && !areApart(races, cell, isPart)) {
    if (cell->agent != races->agent && cell->clock > races->known[cell->agent] &&
        !(isWrite && suspect(races, cell, at)))
      return ptxFaultSet(
          fault, PTX_FAILED,
          "expected the write of line %d to be waited for before this %s, found a race", cell->line,
          what);
    const uint32_t *fenced = races->known + races->agents;
    if (races->isAsync && !isWrite && cell->isGeneric && cell->clock > fenced[cell->agent])
      return ptxFaultSet(
          fault, PTX_FAILED,
          "expected fence.proxy.async between the write of line %d and this %s of the "
          "async proxy, found none",
          cell->line, what);
  }
  if (!isWrite || (isPart && !cell->isReadWhole)) return true;
  uint32_t isRace = 0;
  for (int r = 0; r < races->readers; ++r)
    isRace |= reads[r] > races->known[r] && r != races->agent;
  if (!isRace) return true;
  return ptxFaultSet(
      fault, PTX_FAILED,
      "expected the read of line %d to be waited for before this write, found a race",
      cell->readLine);
}

static bool look(PtxRaces *races, const PtxBlock *block, uint64_t address, uint32_t bytes,
                 bool isWrite, PtxFault *fault) {
  bool isPart = bytes < WORD;
  if (!bytes || address + bytes > block->shared.size) return true; // an error of its own
  for (uint64_t word = address / WORD; word <= (address + bytes - 1) / WORD; ++word) {
    Cell *cell = &races->cells[block->rank][word];
    uint32_t *reads = &races->reads[block->rank][word * (uint64_t)races->readers];
    if (!checkWord(races, cell, reads, isWrite, isPart, block->shared.bytes + word * WORD, fault))
      return false;
    if (isWrite) {
      *cell = (Cell){.clock = races->clock,
                     .agent = (uint16_t)races->agent,
                     .isGeneric = !races->isAsync && !races->isCopy,
                     .isAtomic = races->isAtomic,
                     .isCopy = races->isCopy,
                     .isPart = isPart,
                     .line = races->line};
      memset(reads, 0, (size_t)races->readers * sizeof *reads);
    } else {
      reads[races->agent] = races->clock;
      cell->isReadWhole |= !isPart;
      cell->readLine = races->line;
    }
  }
  return true;
}

static bool see(const PtxShared *shared, uint64_t address, uint32_t bytes, bool isWrite,
                PtxFault *fault) {
  const PtxBlock *block = shared->watcher;
  PtxRaces *races = block->cluster->races;
  return races->isQuiet || look(races, block, address, bytes, isWrite, fault);
}

static void act(PtxRaces *races, const uint32_t *known, int agent, uint32_t clock, bool isAsync,
                int line) {
  races->known = known, races->agent = agent, races->clock = clock;
  races->isAsync = isAsync, races->isAtomic = races->isCopy = false, races->line = line;
}

void ptxRaceEnter(PtxWarp *warp, const PtxOp *op) {
  PtxRaces *races = warp->block->cluster->races;
  if (!races) return;
  int which = getWarp(warp);
  uint32_t *vector = getVector(races, which);
  act(races, vector, which, vector[which], false, op->line);
  races->isAtomic = op->isAtomic;
}

/// Gives what a warp knows away; what it does from now on is later.
static void release(PtxRaces *races, const PtxWarp *warp, uint32_t *to) {
  int which = getWarp(warp);
  uint32_t *vector = getVector(races, which);
  join(races, to, vector);
  races->clock = ++vector[which];
}

static Meeting *getBarrier(PtxRaces *races, const PtxBlock *block, int barrier) {
  return &races->barriers[(int)block->rank * PTX_BARRIERS + barrier];
}

void ptxRaceArrive(PtxWarp *warp, int barrier) {
  PtxRaces *races = warp->block->cluster->races;
  if (races) release(races, warp, getBarrier(races, warp->block, barrier)->pending);
}

void ptxRaceComplete(PtxBlock *block, int barrier) {
  PtxRaces *races = block->cluster->races;
  if (!races) return;
  Meeting *meeting = getBarrier(races, block, barrier);
  join(races, meeting->released, meeting->pending);
}

void ptxRaceLeave(PtxWarp *warp, int barrier) {
  PtxRaces *races = warp->block->cluster->races;
  if (!races) return;
  join(races, getVector(races, getWarp(warp)), getBarrier(races, warp->block, barrier)->released);
}

/// The mbarrier at an address; NULL where there are too many.
static Arrival *findArrival(PtxRaces *races, const PtxBlock *block, uint64_t address) {
  for (int i = 0; i < races->arrivalCount; ++i)
    if (races->arrivals[i].block == block && races->arrivals[i].address == address)
      return &races->arrivals[i];
  if (races->arrivalCount == MOST_ARRIVALS) return NULL;
  Arrival *arrival = &races->arrivals[races->arrivalCount];
  *arrival = (Arrival){.block = block, .address = address};
  if (!makeMeeting(races, &arrival->meeting)) return freeMeeting(&arrival->meeting), NULL;
  ++races->arrivalCount;
  return arrival;
}

static int getAgent(const PtxRaces *races, const Arrival *arrival) {
  return races->readers + races->warps + (int)(arrival - races->arrivals);
}

void ptxRaceArriveAt(PtxWarp *warp, PtxBlock *block, uint64_t address) {
  PtxRaces *races = warp->block->cluster->races;
  Arrival *arrival = races ? findArrival(races, block, address) : NULL;
  if (arrival) release(races, warp, arrival->meeting.pending);
}

void ptxRaceCompleteAt(PtxBlock *block, uint64_t address) {
  PtxRaces *races = block->cluster->races;
  Arrival *arrival = races ? findArrival(races, block, address) : NULL;
  if (!arrival) return;
  join(races, arrival->meeting.released, arrival->meeting.pending);
  arrival->meeting.released[getAgent(races, arrival)] = ++arrival->phases;
}

void ptxRaceLeaveAt(PtxWarp *warp, PtxBlock *block, uint64_t address) {
  PtxRaces *races = warp->block->cluster->races;
  Arrival *arrival = races ? findArrival(races, block, address) : NULL;
  if (arrival) join(races, getVector(races, getWarp(warp)), arrival->meeting.released);
}

void ptxRaceArriveCluster(PtxWarp *warp) {
  PtxRaces *races = warp->block->cluster->races;
  if (races) release(races, warp, races->whole.pending);
}

void ptxRaceCompleteCluster(PtxCluster *cluster) {
  PtxRaces *races = cluster->races;
  if (races) join(races, races->whole.released, races->whole.pending);
}

void ptxRaceLeaveCluster(PtxWarp *warp) {
  PtxRaces *races = warp->block->cluster->races;
  if (races) join(races, getVector(races, getWarp(warp)), races->whole.released);
}

void ptxRaceFence(PtxWarp *warp) {
  PtxRaces *races = warp->block->cluster->races;
  if (!races) return;
  int which = getWarp(warp);
  uint32_t *vector = getVector(races, which);
  memcpy(vector + races->agents, vector, (size_t)races->agents * sizeof *vector);
  races->clock = ++vector[which];
}

bool ptxRaceCopy(PtxWarp *warp, uint64_t address, uint32_t bytes, uint32_t i, PtxFault *fault) {
  PtxRaces *races = warp->block->cluster->races;
  if (!races) return true;
  int which = getWarp(warp);
  act(races, getVector(races, which), races->readers + which, i, false, races->line);
  races->isCopy = true;
  return look(races, warp->block, address, bytes, true, fault);
}

bool ptxRaceBulk(PtxWarp *warp, uint64_t address, uint32_t bytes, uint32_t i, PtxFault *fault) {
  PtxRaces *races = warp->block->cluster->races;
  if (!races) return true;
  int which = getWarp(warp);
  act(races, getVector(races, which), races->warps + races->groups + which, i, true, races->line);
  return look(races, warp->block, address, bytes, false, fault);
}

bool ptxRaceLoad(PtxWarp *warp, PtxBlock *block, uint64_t address, uint32_t bytes, uint64_t barrier,
                 PtxFault *fault) {
  PtxRaces *races = warp->block->cluster->races;
  Arrival *arrival = races ? findArrival(races, block, barrier) : NULL;
  if (!arrival) return true;
  act(races, getVector(races, getWarp(warp)), getAgent(races, arrival), arrival->phases + 1, true,
      races->line);
  return look(races, block, address, bytes, true, fault);
}

static void learn(PtxWarp *warp, int agent, uint32_t count) {
  PtxRaces *races = warp->block->cluster->races;
  uint32_t *vector = getVector(races, getWarp(warp));
  if (vector[agent] < count) vector[agent] = count;
}

void ptxRaceWaitCopies(PtxWarp *warp, uint32_t count) {
  PtxRaces *races = warp->block->cluster->races;
  if (races) learn(warp, races->readers + getWarp(warp), count);
}

void ptxRaceWaitBulks(PtxWarp *warp, uint32_t count) {
  PtxRaces *races = warp->block->cluster->races;
  if (races) learn(warp, races->warps + races->groups + getWarp(warp), count);
}

static uint32_t *getProducts(const PtxRaces *races, const PtxWarp *warp) {
  return races->products +
         (size_t)(getGroup(races, warp) - races->warps) * 2 * (size_t)races->agents;
}

void ptxRaceWaitProducts(PtxWarp *warp, uint32_t count) {
  PtxRaces *races = warp->block->cluster->races;
  if (!races) return;
  learn(warp, getGroup(races, warp), count);
  join(races, getVector(races, getWarp(warp)), getProducts(races, warp));
}

uint32_t *ptxRaceSnapshot(PtxWarp *warp) {
  PtxRaces *races = warp->block->cluster->races;
  uint32_t *copy = races ? makeVector(races) : NULL;
  if (copy) release(races, warp, copy);
  return copy;
}

void ptxRaceEnterProduct(PtxWarp *group, const PtxOp *op, uint32_t *const snapshots[PTX_WARPGROUP],
                         uint32_t i) {
  PtxRaces *races = group->block->cluster->races;
  if (!races) return;
  // Of the vectors the one behind the warps'.
  uint32_t *vector = getVector(races, races->warps);
  memset(vector, 0, 2 * (size_t)races->agents * sizeof *vector);
  for (int w = 0; w < PTX_WARPGROUP; ++w)
    if (snapshots[w]) join(races, vector, snapshots[w]);
  // Who waits for it knows that all four warps came that far: it is theirs together, and what they
  // loaded for it was there.
  join(races, getProducts(races, group), vector);
  act(races, vector, getGroup(races, group), i, true, op->line);
}

void ptxRaceQuiet(PtxCluster *cluster, bool isQuiet) {
  if (cluster->races) cluster->races->isQuiet = isQuiet;
}
