//===- Pick.c - a configuration for a launch that nobody tuned ------------===//
//
// Where tuning knows nothing of a launch's key, each of its kernel's configurations, its defaults
// and what was found for the nearest key that is known are given to a model of the machine
// (tile/Work.h), once as they are and once for each number of blocks that could divide the loop, of
// clusters and of several clusters, or the last programs' alone: what the model expects to be
// fastest is taken. It reads the kernel as it stands in its file: its dots, the loops around them,
// and its grid. A kernel that says too little, whose grid or loops follow from more than its
// tile.key arguments, say, keeps its defaults, or what is nearest.
//
//   matmul(512, 512, 16384): BM=128,BN=128,..,num_parts=2,num_splits=4
//
// A choice is made once for a key, and kept with the kernel.
//===----------------------------------------------------------------------===//
#include "TuneImpl.h"
#include "tile/MachineNumbers.h"
#include "tile/Text.h"
#include "tile/Trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A choice: "512, 512, 64" and what the launch bound itself, and the configuration. Or, without a
/// key, a configuration that some choice has: it stays, as launches keep its address.
typedef struct TilePick {
  char *key;
  const char *config;
  UT_hash_handle hh;
} TilePick;

/// Then they are made anew: the sizes of a server's requests have no end.
enum { MAX_PICKS = 4096 };

/// Does one of the kernel's configurations have a value for the name?
static bool isChosen(const TileProgramKernel *kernel, MlirStringRef name) {
  bool found = false;
  for (intptr_t i = 0; !found && i < tileKernelGetNumConfigs(kernel->func); ++i) {
    char *config = tileKernelPrintConfig(kernel->func, i);
    int64_t value;
    found = tileConfigGet(config, name, &value);
    free(config);
  }
  return found;
}

/// Does the command line bind what there is to choose? A meta-parameter in which configurations do
/// not differ (the depth of heads, say) is none of it.
static bool bindsChoice(const TileProgram *p, const TileProgramKernel *kernel) {
  MlirAttribute meta = tileFuncGetMetaAttr(kernel->func);
  for (size_t i = 0; i < p->options.numBind; ++i) {
    const char *text = p->options.bind[i];
    MlirStringRef name = mlirStringRefCreate(text, strcspn(text, "="));
    if (mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(meta, name)) ||
        isChosen(kernel, name))
      return true;
  }
  return false;
}

bool tileProgramMayPick(const TileProgram *p, const TileProgramKernel *kernel) {
  const TileProgramOptions *o = &p->options;
  bool asked = o->tune || o->check || o->traces || o->target == TILE_PROGRAM_CPU;
  bool has = !mlirAttributeIsNull(tileFuncGetMetaAttr(kernel->func));
  return !asked && has && kernel->multiplies && kernel->isKeyed &&
         tileMachineHasRoles(tileProgramGetArch(p)) && !bindsChoice(p, kernel);
}

//===- choosing -----------------------------------------------------------===//

/// The best so far.
typedef struct Best {
  char *config;
  double cycles, defaults;
} Best;

/// Takes what is the first, or faster than all others.
static void take(Best *best, const TileMachine *machine, const char *config, TileDivided divided) {
  double limit = 1 - tileMachineNumber(machine, TILE_NUMBER_MODEL_GAIN) / 100.0;
  bool first = !best->config;
  if (first) best->defaults = divided.cycles;
  if (!first && (divided.cycles >= best->cycles || divided.cycles >= limit * best->defaults))
    return;
  free(best->config);
  best->config = tileDivisionJoin(config, divided.division);
  best->cycles = divided.cycles;
}

enum { mostParts = 8, mostClusters = 32, mostLast = 8 };

char *tileDivisionJoin(const char *config, TileDivision division) {
  TileText text = {0};
  tileTextAdd(&text, config);
  if (division.atOnce) tileTextPrint(&text, "%snum_at_once=1", text.size ? "," : "");
  if (division.parts > 1)
    tileTextPrint(&text, "%snum_parts=%d", text.size ? "," : "", division.parts);
  if (division.clusters > 1)
    tileTextPrint(&text, "%snum_splits=%d", text.size ? "," : "", division.clusters);
  if (division.last > 1)
    tileTextPrint(&text, "%snum_last_splits=%d", text.size ? "," : "", division.last);
  if (division.teams > 1)
    tileTextPrint(&text, "%snum_teams=%d", text.size ? "," : "", division.teams);
  return text.data;
}

/// May blocks divide the loop so? All at a time, and a few steps for each. Of those whose threads
/// load a multiprocessor has several at a time, by which loads run beside one another.
static bool fits(const TileMachine *machine, const TileSurvey *s, TileDivision division) {
  int blocks = division.parts * division.clusters;
  int held = tileMachineFitClusters(machine, s->work.multiprocessors, division.parts);
  if (!s->hasBoxes)
    held *= division.parts > 1 ? 0 : tileMachineNumber(machine, TILE_NUMBER_MODEL_DIVIDED_BLOCKS);
  // Then there is no room for what they exchange, either.
  if (tileWorkIsFull(machine, &s->work) && division.parts > 1) return false;
  return s->mayDivide && s->work.programs * blocks <= held && s->work.steps >= 2 * blocks;
}

/// Cycles with the loop divided so; 0 where it can't be.
static double estimate(const TileMachine *machine, const TileSurvey *s, TileDivision division) {
  TileWork work = s->work;
  work.parts = division.parts;
  work.clusters = division.clusters;
  bool divided = division.parts > 1 || division.clusters > 1;
  return divided && !fits(machine, s, division) ? 0 : tileWorkEstimate(machine, &work);
}

/// The number of turns, two or more, that is best for programs of the last round. Results have to
/// leave as boxes, and programs to be equally long. Where all turns are of one round, blocks divide
/// the loop, unless they share copies: those of turns do.
static TileDivided findLast(const TileMachine *machine, const TileSurvey *s) {
  TileDivided best = {0};
  const TileWork *w = &s->work;
  bool even = (double)w->longest <= w->steps && w->special <= 0;
  bool sharesCopies = w->blocks > 1 || w->askedBytes < w->stepBytes;
  bool may = s->maySplitLast && s->hasBoxes && even && !w->storesSingles &&
             !tileWorkIsFull(machine, &s->work);
  for (int last = 2; may && last <= mostLast && w->steps >= 2 * last; ++last) {
    TileWork work = s->work;
    work.lastSplits = last;
    bool isRound = w->programs * last <= w->multiprocessors && !sharesCopies;
    double cycles = isRound ? 0 : tileWorkEstimate(machine, &work);
    if (cycles > 0 && (!(best.cycles > 0) || cycles < best.cycles))
      best = (TileDivided){{1, 1, last, 1, false}, cycles};
  }
  return best;
}

/// The number of clusters, two or more, that is best of those of so many blocks.
static TileDivided findClusters(const TileMachine *machine, const TileSurvey *s, int parts) {
  TileDivided best = {0};
  for (int clusters = 2; clusters <= mostClusters; ++clusters) {
    TileDivision division = {parts, clusters, 1, 1, false};
    double cycles = estimate(machine, s, division);
    if (cycles > 0 && (!(best.cycles > 0) || cycles < best.cycles))
      best = (TileDivided){division, cycles};
  }
  return best;
}

/// Cycles with the loop divided among teams of each block, of so many of a cluster; 0 where it
/// can't be or would not pay, and where a multiprocessor has several blocks. Rings are to have
/// slots enough; beside blocks of a cluster short loops are not worth more.
static TileDivided findTeams(const TileMachine *machine, const TileSurvey *s, int parts) {
  enum { groupWarps = 4 };
  TileDivided best = {0};
  const TileWork *w = &s->work;
  int64_t words = w->warps ? (w->sums + 32 * w->warps - 1) / (32 * w->warps) : 0;
  int64_t slots = tileMachineNumber(machine, TILE_NUMBER_TEAM_STAGES);
  bool isLate = w->isSynchronous || w->computed > 0;
  bool may = s->mayDivide && s->hasBoxes && isLate && w->warps % groupWarps == 0 &&
             tileMachineHasTeams(machine, w->rate, words);
  for (int teams = 2; may && teams * w->warps <= groupWarps * TILE_MOST_TEAMS; teams *= 2) {
    if (parts * teams > TILE_MOST_TEAMS) break;
    TileDivision division = {parts, 1, 1, teams, false};
    TileWork work = *w;
    work.parts = parts;
    work.teams = teams;
    bool fit = w->programs * parts <= w->multiprocessors && w->steps >= 2 * parts * teams &&
               (parts == 1 || fits(machine, s, division)) &&
               slots * teams * w->stepBytes <= machine->sharedBytes;
    double cycles = fit ? tileWorkEstimate(machine, &work) : 0;
    if (cycles > 0 && (!(best.cycles > 0) || cycles < best.cycles))
      best = (TileDivided){division, cycles};
  }
  return best;
}

/// The launch as it is, and divided.
static int divide(const TileMachine *machine, const TileSurvey *s,
                  TileDivided found[TILE_DIVISIONS]) {
  int count = 0;
  // Of programs that are too short for it results do not wait for the next one's dots.
  bool atOnce = !s->isTold && tileWorkIsShort(machine, &s->work);
  found[count++] = (TileDivided){{1, 1, 1, 1, atOnce}, tileWorkEstimate(machine, &s->work)};
  TileDivided last = findLast(machine, s);
  if (last.cycles > 0) found[count++] = last;
  for (int parts = 1; s->mayDivide && parts <= mostParts; parts *= 2) {
    TileDivision one = {parts, 1, 1, 1, false};
    TileDivided of[] = {{one, parts > 1 ? estimate(machine, s, one) : 0},
                        findClusters(machine, s, parts)};
    for (int i = 0; i < 2; ++i)
      if (of[i].cycles > 0) found[count++] = of[i];
  }
  for (int parts = 1; parts <= mostParts; parts *= 2) {
    TileDivided one = findTeams(machine, s, parts);
    if (one.cycles > 0) found[count++] = one;
  }
  return found->cycles > 0 ? count : 0;
}

int tileProgramDivide(const TileProgram *p, const TileProgramKernel *kernel, const char *config,
                      const uint64_t *slots, TileDivided found[TILE_DIVISIONS]) {
  const TileMachine *machine = tileProgramGetArch(p);
  TileSurvey s;
  bool known = kernel->multiplies && tileProgramGetMultiprocessors(p) &&
               tileSurvey(p, kernel, config, slots, &s);
  if (!known) return 0;
  int count = divide(machine, &s, found);
  s.mayDivide = s.mayBeDivided;
  bool own = s.work.parts > 1 || s.work.clusters > 1;
  return own && !fits(machine, &s, (TileDivision){s.work.parts, s.work.clusters, 1, 1, false})
             ? 0
             : count;
}

/// One configuration, as it is and divided. The first is the kernel's defaults.
static bool consider(const TileProgram *p, const TileProgramKernel *kernel, const char *config,
                     const uint64_t *slots, const char *bound, Best *best) {
  const TileMachine *machine = tileProgramGetArch(p);
  char *all = tileConfigJoin(config, bound);
  TileSurvey s;
  bool ok = tileSurvey(p, kernel, all, slots, &s);
  free(all);
  TileDivided found[TILE_DIVISIONS];
  int count = ok ? divide(machine, &s, found) : 0;
  for (int i = 0; i < count; ++i) take(best, machine, config, found[i]);
  return ok && best->config;
}

/// Says what was taken, and in place of what.
static void tell(const TileProgram *p, const Best *best, const char *key, const TileTuned *known) {
  const char *outer = tileTraceSetPass("tile-specialize");
  const char *taken = best->config && *best->config ? best->config : "the default";
  if (!best->config)
    tileTrace(p->place,
              "for (%s) taken is %s: expected a grid and loops of dots that follow from "
              "arguments with tile.key, found others",
              key, known ? "the nearest" : "the default");
  else
    tileTrace(p->place,
              "for (%s) taken is %s, by a model of the machine: %.0f cycles, for %.0f of %s", key,
              taken, best->cycles, best->defaults,
              known ? "what is nearest of all tuned" : "the default");
  tileTraceSetPass(outer);
}

/// In memory of its own. What was tuned for another key comes first: all others have to be faster
/// than it by as much as they have to be faster than the defaults elsewhere.
static char *choose(const TileProgram *p, const TileProgramKernel *kernel, const uint64_t *slots,
                    const char *bound, const char *key, const TileTuned *known) {
  Best best = {0};
  bool ok = tileProgramGetMultiprocessors(p) &&
            consider(p, kernel, known ? known->config : "", slots, bound, &best);
  if (ok && known) consider(p, kernel, "", slots, bound, &best);
  for (intptr_t i = 0; ok && i < tileKernelGetNumConfigs(kernel->func); ++i) {
    char *config = tileKernelPrintConfig(kernel->func, i);
    consider(p, kernel, config, slots, bound, &best);
    free(config);
  }
  tell(p, &best, key, known);
  return ok ? best.config : strdup(known ? known->config : "");
}

static TilePick *find(TilePick *list, const char *text) {
  TilePick *found;
  HASH_FIND_STR(list, text, found);
  return found;
}

/// Takes the key over.
static TilePick *add(TilePick **list, char *key, const char *config) {
  TilePick *pick = tileRuntimeAlloc(sizeof *pick);
  *pick = (TilePick){.key = key, .config = config};
  HASH_ADD_KEYPTR(hh, *list, pick->key, strlen(pick->key), pick);
  return pick;
}

static void forget(TilePick **list) {
  TilePick *pick, *next;
  HASH_ITER(hh, *list, pick, next) {
    // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): it leaves the table before it is freed
    HASH_DEL(*list, pick);
    free(pick->key);
    free(pick);
  }
}

const char *tileProgramPick(TileProgram *p, TileProgramKernel *kernel, const uint64_t *slots,
                            const char *bound, const TileTuned *known) {
  char key[TILE_TUNE_TEXT];
  tileProgramPrintKey(kernel, slots, key, sizeof key);
  TileText all = {0}, text = {0};
  tileTextAdd(&all, bound ? bound : "");
  for (size_t i = 0; i < p->options.numBind; ++i)
    tileTextPrint(&all, all.size ? ",%s" : "%s", p->options.bind[i]);
  tileTextPrint(&text, "%s;%s", key, all.data);
  if (known) tileTextPrint(&text, ";%s", known->config);
  TilePick *pick = find(kernel->picks, text.data);
  if (pick) {
    free(text.data);
    free(all.data);
    return pick->config;
  }
  char *config = choose(p, kernel, slots, all.data, key, known);
  free(all.data);
  TilePick *same = find(kernel->picked, config);
  if (same)
    free(config);
  else
    same = add(&kernel->picked, config, NULL);
  if (HASH_COUNT(kernel->picks) >= MAX_PICKS) forget(&kernel->picks);
  return add(&kernel->picks, text.data, same->key)->config;
}

void tileProgramForgetPicks(TileProgramKernel *kernel) {
  forget(&kernel->picks);
  forget(&kernel->picked);
}
