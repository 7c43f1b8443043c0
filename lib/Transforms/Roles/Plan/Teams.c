//===- Teams.c - teams of a block that divide a loop ----------------------===//
//
// A step whose products wait for what threads do, as weights that become f16 on their way, is short
// for a multiprocessor and long for a warp: of 543 cycles 191 are instructions. Other blocks would
// run meanwhile, but a launch of few programs has none. So a block is made of several teams, each
// with warps, rings and barriers of its own, which have a part each of the program's loop, and add
// what they have in shared memory. Nothing of it is seen outside: no cluster, and no memory.
//
//===----------------------------------------------------------------------===//
#include "../../Launch.h"
#include "Plan.h"
#include "tile/MachineNumbers.h"

/// Null where so many teams can divide the loop; or why not.
static const char *check(const TilePlan *p, int64_t teams, bool prints, bool waits) {
  if (prints) return "expected no print, which names the program of a block, found one";
  if (waits)
    return "expected no loop that may wait for another program, found scf.while around an access";
  if (p->warpGroups * teams > TILE_MOST_TEAMS)
    return "expected at most four warp groups in all teams, found more";
  if (tileIntAttr(p->func, "tile.num_splits", 1) > 1)
    return "expected blocks that add up in a cluster, if at all, found num_splits";
  return tileMaySplitSums(&p->channels);
}

/// Has each team room for its rings, two slots or `least`, and for its sums? Then `stages` and
/// `room` are theirs. Two blocks are for a launch that has more programs than multiprocessors.
static bool findRoom(TilePlan *p, int64_t wish, int64_t teams, int64_t blocks, int64_t least) {
  bool fits = blocks * teams * p->warpGroups <= TILE_MOST_TEAMS &&
              tileChooseStages(p, wish, blocks * teams) && p->schedule.stages >= least &&
              tileSumsGetBytes(p->func, &p->channels) <= p->room;
  if (fits) p->schedule.blocks = blocks;
  return fits;
}

/// Does a step wait for what it multiplies, or for its threads? Products in flight need no team.
static bool isLate(const TilePlan *p) {
  bool flies = false;
  for (int i = 0; i < p->channels.count; ++i) flies |= p->channels.list[i].async;
  return !flies;
}

/// Does somebody say how blocks divide the loop, or share copies?
static bool isDivided(MlirOperation func) {
  static const char *const names[] = {"tile.num_parts", "tile.num_splits", "tile.num_last_splits",
                                      "tile.num_ctas"};
  bool divided = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    divided |= tileIntAttr(func, names[i], 1) > 1;
  return divided;
}

/// As many as pay where nobody says how many, and a launch has a multiprocessor for each program;
/// 1: none.
static int64_t chooseTeams(TilePlan *p, int64_t wish) {
  MlirOperation loop = tileFindSummingLoop(&p->channels);
  bool alone = tileLaunchGetMultiprocessors(p->func);
  if (!alone || isDivided(p->func) || !isLate(p) || mlirOperationIsNull(loop)) return 1;
  int64_t words = tileSumsGetBytes(p->func, &p->channels) / (4 * tileNumThreadsOf(p->func));
  if (!tileLoopHasTeams(loop, words)) return 1;
  int64_t least = tileKernelGetNumber(p->func, TILE_NUMBER_TEAM_STAGES);
  for (int64_t teams = TILE_MOST_TEAMS; teams > 1; teams /= 2)
    if (tileBlocksHaveRegisters(p, teams) && findRoom(p, wish, teams, 1, least)) return teams;
  return 1;
}

/// So many as somebody says, if they can be; else why not.
static const char *takeAsked(TilePlan *p, int64_t wish, int64_t teams) {
  enum { leastOfAll = 2, leastOfTwo = 3 };
  bool alone =
      tileLaunchGetMultiprocessors(p->func) || tileIntAttr(p->func, "tile.num_parts", 1) > 1;
  if (!alone && findRoom(p, wish, teams, 2, leastOfTwo)) return NULL;
  return findRoom(p, wish, teams, 1, leastOfAll)
             ? NULL
             : "expected room for rings and sums of each team in shared memory, found less";
}

bool tilePlanTeams(TilePlan *p, int64_t wish, bool prints, bool waits) {
  int64_t asked = tileIntAttr(p->func, "tile.num_teams", 0), room = p->room;
  TileSchedule before = p->schedule;
  bool isAsked = asked == 2 || asked == 4;
  if (asked && !isAsked) return false;
  p->schedule.programs = TILE_PROGRAMS_GRID;
  const char *reason = check(p, isAsked ? asked : 1, prints, waits);
  int64_t teams = asked;
  if (isAsked && !reason) reason = takeAsked(p, wish, teams);
  if (!isAsked && !reason) teams = chooseTeams(p, wish);
  if (reason || teams == 1) {
    if (isAsked)
      tileEmitRemark(mlirOperationGetLocation(p->func), "teams do not divide the loop: %s", reason);
    p->schedule = before;
    p->room = room;
    return false;
  }
  tileKernelSetTeams(p->func, teams);
  if (p->stores.count) p->schedule.stores = TILE_STORES_AT_ONCE;
  return true;
}
