//===- Pick.c - a configuration for a launch that nobody tuned ------------===//
//
// Where tuning knows nothing of a launch's key, each of its kernel's configurations, its defaults
// and what was found for the nearest key that is known are given to a model of the machine
// (tile/Work.h), once as they are and once for each number of blocks that could divide the loop:
// what the model expects to be fastest is taken. It reads the kernel as it stands in its file: its
// dots, the loops around them, and its grid. A kernel that says too little, whose grid or loops
// follow from more than its tile.key arguments, say, keeps its defaults, or what is nearest.
//
//   matmul(512, 512, 16384): BM=128,BN=128,..,num_parts=4
//
// A choice is made once for a key, and kept with the kernel.
//===----------------------------------------------------------------------===//
#include "TuneImpl.h"
#include "tile/Analysis/DotForm.h"
#include "tile/Text.h"
#include "tile/Trace.h"
#include "tile/Work.h"
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

bool tileProgramMayPick(const TileProgram *p, const TileProgramKernel *kernel) {
  const TileProgramOptions *o = &p->options;
  bool asked = o->numBind || o->tune || o->check || o->traces || o->target == TILE_PROGRAM_CPU;
  bool has = !mlirAttributeIsNull(tileFuncGetMetaAttr(kernel->func));
  return !asked && has && kernel->multiplies && kernel->isKeyed &&
         tileMachineHasRoles(tileProgramGetArch(p));
}

//===- what a launch has to do --------------------------------------------===//

/// A kernel's dots, as they are found.
typedef struct Survey {
  const TileProgram *program;
  TileView view;
  const uint64_t *slots;
  TileWork work;
  MlirValue lastA; ///< of the last dot: another one may have the same
  MlirOperation loop;
  bool isKnown, mayDivide;
  bool mayBeDivided; ///< as far as the loop goes: the configuration may say so itself
  bool isNarrow;     ///< a dot has fewer rows, and fewer columns, than a matrix instruction's rows
  int64_t elementBytes; ///< of the last dot's A
  int64_t pitch;        ///< bytes that pitches of boxes that are read are multiples of; 0: none are
  int64_t storedPitch;  ///< the same of boxes that are stored
  int64_t warps;        ///< that hold tiles
  int dots;
} Survey;

static bool findRate(MlirOperation dot, TileRate *rate) {
  MlirType type = tileElementType(mlirValueGetType(tileDotGetA(dot)));
  MlirType other = tileElementType(mlirValueGetType(tileDotGetB(dot)));
  int bits = tileBitWidth(type), otherBits = tileBitWidth(other);
  bool isFloat = mlirTypeIsAFloat(type), same = mlirTypeEqual(type, other);
  if (bits == 16 || otherBits == 16)
    *rate = TILE_RATE_F16_MATRIX;
  else if (bits == 8 && otherBits == 8)
    *rate = isFloat ? TILE_RATE_F8_MATRIX : TILE_RATE_I8_MATRIX;
  else if (bits == 64)
    *rate = TILE_RATE_F64_MATRIX;
  else
    *rate = tileDotGetPrecision(dot) == TILE_PRECISION_IEEE ? TILE_RATE_F32 : TILE_RATE_TF32_MATRIX;
  return same || bits == 16 || otherBits == 16;
}

/// The loop's number of steps; 0 where it does not follow from the key.
static int64_t countSteps(const Survey *s, MlirOperation loop) {
  int32_t bounds[3];
  const MlirValue values[] = {tileOperand(loop, 0), tileOperand(loop, 1), tileOperand(loop, 2)};
  if (!tileProgramEvaluate(s->program, s->view.kernel, s->view.config, s->slots, values, bounds) ||
      bounds[2] < 1)
    return 0;
  int64_t way = (int64_t)bounds[1] - bounds[0];
  return way < 1 ? 1 : (way + bounds[2] - 1) / bounds[2];
}

/// Is it a sum from 0 on that the loop carries?
static bool isSum(MlirOperation dot, MlirOperation loop) {
  MlirValue acc = tileDotGetAcc(dot);
  MlirType type = tileElementType(mlirValueGetType(acc));
  if (!mlirValueIsABlockArgument(acc) || tileBitWidth(type) != 32 ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(acc), tileBody(loop, 0)))
    return false;
  MlirValue first = tileOperand(loop, 2 + mlirBlockArgumentGetArgNumber(acc));
  MlirOperation op = tileValueGetOp(first);
  if (!mlirOperationIsNull(op) && tileOpIsASplat(op)) first = tileOperand(op, 0);
  return tileIsZero(first);
}

/// All loops around the dot; the innermost is the one that a step is of.
static void addLoops(Survey *s, MlirOperation dot, int64_t *steps) {
  *steps = 1;
  bool inner = true;
  for (MlirOperation op = mlirOperationGetParentOperation(dot);
       !mlirOperationIsNull(op) && !tileOpIsAFunc(op); op = mlirOperationGetParentOperation(op)) {
    if (tileOpIs(op, "scf.if")) continue;
    int64_t count = tileOpIs(op, "scf.for") ? countSteps(s, op) : 0;
    s->isKnown &= count > 0;
    s->mayDivide &= inner && isSum(dot, op);
    s->mayDivide &= !s->dots || mlirOperationEqual(op, s->loop);
    if (inner) s->loop = op;
    *steps *= count;
    inner = false;
  }
  s->mayDivide &= !inner;
}

static int64_t bytesOf(MlirType element) { return tileBitWidth(element) / 8; }

/// The matrix instructions that the dot takes. wgmma has 64 rows: products of fewer, or of such
/// that are no multiple of it, change rows and columns. Of tf32x3 there are three.
static void addInstructions(Survey *s, MlirOperation op, const TileProduct *dot) {
  TileDotForm form;
  TileWork *w = &s->work;
  const TileMachine *machine = tileProgramGetArch(s->program);
  bool isSplit = tileDotGetPrecision(op) == TILE_PRECISION_TF32X3;
  bool isWgmma = isSplit || (tileDotGetForm(op, &form) &&
                             tileDotFormMatrix(&form, machine, TILE_MATRIX_WGMMA));
  int64_t rows = dot->m, columns = dot->n;
  if (isWgmma && dot->m % 64) {
    rows = dot->n;
    columns = dot->m;
  }
  if (isWgmma) rows = (rows + 63) / 64 * 64;
  w->flops += 2.0 * (double)(dot->batch * rows * columns) * (double)dot->k * (isSplit ? 3 : 1);
  w->isSynchronous |= !isWgmma;
  int64_t elements = dot->batch * (dot->m + dot->n) * dot->k;
  if (isSplit) w->splits += (double)elements / (32.0 * (double)s->warps);
}

static void addDot(Survey *s, MlirOperation op) {
  TileProduct dot;
  TileRate rate;
  int64_t steps;
  addLoops(s, op, &steps);
  s->isKnown &= tileViewFindProduct(&s->view, op, &dot) && findRate(op, &rate);
  if (!s->isKnown) return;
  TileWork *w = &s->work;
  addInstructions(s, op, &dot);
  w->stepBytes += dot.bBytes;
  if (!s->dots || !mlirValueEqual(s->lastA, tileDotGetA(op))) w->stepBytes += dot.aBytes;
  w->sums += dot.batch * dot.m * dot.n;
  w->rate = rate;
  s->isNarrow |= dot.m < 64 && dot.n < 64;
  s->elementBytes = dot.aBytes / (dot.batch * dot.m * dot.k);
  if (steps > w->steps) w->steps = steps;
  s->lastA = tileDotGetA(op);
  ++s->dots;
}

/// Of a box that is read or stored: what its array's pitches are multiples of. Where a pitch does
/// not follow from the key, nothing is known.
static void addPitches(Survey *s, MlirValue desc, int64_t *multiple) {
  MlirOperation op = tileValueGetOp(desc);
  if (mlirOperationIsNull(op) || !tileOpIsAMakeDesc(op)) return;
  int64_t element = bytesOf(tilePtrTypeGetPointee(mlirValueGetType(tileMakeDescGetBase(op))));
  for (intptr_t i = 0; i < tileMakeDescGetNumStrides(op); ++i) {
    MlirValue stride = tileMakeDescGetStrides(op, i);
    const MlirValue values[] = {stride, stride, stride};
    int32_t found[3];
    if (!tileProgramEvaluate(s->program, s->view.kernel, s->view.config, s->slots, values, found))
      continue;
    for (int64_t a = found[0] * element, rest; a; a = rest) {
      rest = *multiple % a;
      *multiple = a;
    }
  }
}

/// Bytes in which the tile that the op stores is staged.
static void addStored(Survey *s, MlirValue stored) {
  int64_t shape[TILE_MAX_RANK];
  int64_t count = tileViewCountElements(&s->view, mlirValueGetType(stored), shape);
  s->work.staged += count * bytesOf(tileElementType(mlirValueGetType(stored)));
}

static MlirWalkResult addOp(MlirOperation op, void *data) {
  Survey *s = data;
  if (tileOpIsADot(op)) addDot(s, op);
  if (tileOpIsADescLoad(op)) addPitches(s, tileDescLoadGetDesc(op), &s->pitch);
  if (tileOpIsADescStore(op)) addPitches(s, tileDescStoreGetDesc(op), &s->storedPitch);
  if (tileOpIsAStore(op)) addStored(s, tileStoreGetValue(op));
  if (tileOpIsADescStore(op)) addStored(s, tileDescStoreGetValue(op));
  return s->isKnown ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

/// Do all arrays, and the rows of those that are read, begin at multiples of `bytes`?
static bool beginAt(const Survey *s, const TileProgramKernel *kernel, int64_t bytes) {
  enum { POINTER_BYTES = 16 };
  const uint64_t *slots = s->slots;
  if (s->pitch % bytes) return false;
  for (unsigned i = 0; i < kernel->count; ++i) {
    const TileParameter *parameter = &kernel->parameters[i];
    bool isStride;
    uint32_t array, dimension;
    if (parameter->isPointer && slots[i] % POINTER_BYTES) return false;
    if (!parameter->isInteger ||
        !tileKernelFindMeasure(kernel->func, i, &isStride, &array, &dimension) || !isStride)
      continue;
    int64_t stride = tileElementToInteger(parameter->type, &slots[i]);
    if (stride != 1 && stride * s->elementBytes % bytes) return false;
  }
  return true;
}

/// Where rows begin, and what follows from it.
static void findRows(Survey *s, const TileProgramKernel *kernel, const int32_t grid[3]) {
  enum { CHUNK_BYTES = 16 };
  TileWork *w = &s->work;
  int64_t element = s->elementBytes, line = tileProgramGetArch(s->program)->lineBytes;
  TileFacts facts = {0};
  w->storesSingles = s->storedPitch % CHUNK_BYTES != 0;
  if (element < 1 || beginAt(s, kernel, line)) return;
  w->rows = TILE_ROWS_AT_CHUNKS;
  if (beginAt(s, kernel, CHUNK_BYTES)) return;
  tileProgramFindFacts(s->program, kernel, s->slots, grid, &facts);
  // Of fewer rows, and fewer columns, than a matrix instruction has rows nothing is a box.
  w->rows = s->isNarrow ? TILE_ROWS_AHEAD : facts.packs ? TILE_ROWS_PACKED : TILE_ROWS_ALONE;
  tileFactsDestroy(&facts);
  if (w->rows == TILE_ROWS_PACKED) return;
  // Threads load as many bytes at once as all rows begin at multiples of.
  int64_t access = CHUNK_BYTES / 2;
  while (access > element && !beginAt(s, kernel, access)) access /= 2;
  w->singles = (double)w->stepBytes / (double)access / (32.0 * w->warps);
}

/// The launch with one configuration; false where too little is known of it.
static bool survey(const TileProgram *p, const TileProgramKernel *kernel, const char *config,
                   const uint64_t *slots, Survey *s) {
  MlirOperation at;
  int32_t grid[3];
  *s = (Survey){
      .program = p, .view = {kernel, config}, .slots = slots, .isKnown = true, .mayDivide = true};
  if (!tileProgramEvaluateGrid(p, kernel, config, slots, grid, &at)) return false;
  s->warps = tileViewGetValue(&s->view, tileString("num_warps"), 4);
  if (s->warps < 1) return false;
  mlirOperationWalk(kernel->func, addOp, s, MlirWalkPreOrder);
  TileWork *w = &s->work;
  w->programs = (int64_t)grid[0] * grid[1] * grid[2];
  w->warps = (int)s->warps;
  w->stages = (int)tileViewGetValue(&s->view, tileString("num_stages"), 0);
  w->blocks = (int)tileViewGetValue(&s->view, tileString("num_ctas"), 1);
  w->parts = (int)tileViewGetValue(&s->view, tileString("num_parts"), 1);
  w->multiprocessors = tileProgramGetMultiprocessors(p);
  w->memoryBytes = tileProgramFindBytes(p, kernel, config, slots);
  if (s->isKnown) findRows(s, kernel, grid);
  s->mayBeDivided = s->mayDivide && w->blocks == 1;
  s->mayDivide = s->mayBeDivided && w->parts == 1;
  return s->isKnown && s->dots && w->programs > 0;
}

//===- choosing -----------------------------------------------------------===//

/// The best so far.
typedef struct Best {
  char *config;
  double cycles, defaults;
} Best;

static void take(Best *best, const char *config, int parts, double cycles) {
  TileText text = {0};
  tileTextAdd(&text, config);
  if (parts > 1) tileTextPrint(&text, "%snum_parts=%d", text.size ? "," : "", parts);
  free(best->config);
  best->config = text.data;
  best->cycles = cycles;
}

enum { mostParts = 8 };

/// May so many blocks divide the loop? All at a time, and a few steps for each.
static bool fits(const TileMachine *machine, const Survey *s, int parts) {
  int held = tileMachineFitClusters(machine, s->work.multiprocessors, parts);
  return s->mayDivide && s->work.programs * parts <= held && s->work.steps >= 2 * parts;
}

/// Cycles with so many blocks a program.
static double estimate(const TileMachine *machine, const Survey *s, int parts) {
  TileWork work = s->work;
  work.parts = parts;
  return tileWorkEstimate(machine, &work);
}

double tileProgramEstimate(const TileProgram *p, const TileProgramKernel *kernel,
                           const char *config, const uint64_t *slots) {
  Survey s;
  bool known = kernel->multiplies && tileProgramGetMultiprocessors(p) &&
               survey(p, kernel, config, slots, &s);
  if (!known) return 0;
  int parts = s.work.parts;
  s.mayDivide = s.mayBeDivided;
  if (parts > 1 && !fits(tileProgramGetArch(p), &s, parts)) return 0;
  return estimate(tileProgramGetArch(p), &s, parts);
}

/// One configuration, as it is and divided. The first is the kernel's defaults.
static bool consider(const TileProgram *p, const TileProgramKernel *kernel, const char *config,
                     const uint64_t *slots, const char *bound, Best *best) {
  const TileMachine *machine = tileProgramGetArch(p);
  char *all = tileConfigJoin(config, bound);
  Survey s;
  bool ok = survey(p, kernel, all, slots, &s);
  free(all);
  int last = s.mayDivide ? mostParts : s.work.parts;
  for (int parts = s.work.parts; ok && parts <= last; parts *= 2) {
    if (parts > s.work.parts && !fits(machine, &s, parts)) break;
    double cycles = estimate(machine, &s, parts);
    if (!best->config) best->defaults = cycles;
    double limit = 1 - tileMachineNumber(machine, TILE_NUMBER_MODEL_GAIN) / 100.0;
    bool first = !best->config, better = cycles < best->cycles && cycles < limit * best->defaults;
    if (cycles > 0 && (first || better))
      take(best, config, parts > s.work.parts ? parts : 1, cycles);
  }
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
  TileText text = {0};
  tileTextPrint(&text, "%s;%s", key, bound ? bound : "");
  if (known) tileTextPrint(&text, ";%s", known->config);
  TilePick *pick = find(kernel->picks, text.data);
  if (pick) {
    free(text.data);
    return pick->config;
  }
  char *config = choose(p, kernel, slots, bound, key, known);
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
