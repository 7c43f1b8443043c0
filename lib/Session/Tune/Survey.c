//===- Survey.c - what a launch with a configuration has to do ------------===//
//
// Reads a kernel as it stands in its file, helpers inlined, and a launch's arguments, for the model
// of tile/Work.h: its grid; its dots, and which of their operands a step loads; what stands between
// them, element by element; and the loops around them, whose steps may differ among programs
// (causal attention), so that some are counted and the mean is taken.
//
//   attention(64, 4096), BM=128,BN=128: 2048 programs of 32 steps, each of two products, 65536
//   bytes and 16384 exponentials
//
// Loops that follow each other (below a diagonal, and on it) are one of all their steps.
//===----------------------------------------------------------------------===//
#include "TuneImpl.h"
#include "tile/Analysis/DotForm.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/OpTraits.h"
#include "tile/Support/PointerTable.h"
#include <stdlib.h>
#include <string.h>

//===- the kernel with its helpers ----------------------------------------===//

struct TileWhole {
  MlirModule module;        ///< a clone, helpers inlined; null before the first survey
  TileProgramKernel kernel; ///< as there; without a name where inlining failed
};

struct TileWhole *tileWholeCreate(void) { return tileRuntimeAlloc(sizeof(struct TileWhole)); }

void tileWholeDestroy(struct TileWhole *whole) {
  if (whole && !mlirModuleIsNull(whole->module)) mlirModuleDestroy(whole->module);
  free(whole);
}

static void inlineHelpers(const TileProgram *p, const TileProgramKernel *kernel) {
  struct TileWhole *whole = kernel->whole;
  whole->module = mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(p->module)));
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(whole->module)) {
    bool helper = tileOpIsAFunc(op) && !mlirAttributeIsNull(tileAttr(op, "sym_visibility"));
    bool self = tileOpIsAFunc(op) && mlirStringRefEqual(tileFuncGetSymName(op), kernel->name);
    if (!helper && !self) mlirOperationDestroy(op);
  }
  MlirPassManager passes = mlirPassManagerCreate(p->context);
  MlirOpPassManager pm = mlirPassManagerGetAsOpPassManager(passes);
  bool ok = mlirLogicalResultIsSuccess(tileProgramAddPasses(
                p, pm, "tile-instantiate,inline{default-pipeline=},symbol-dce")) &&
            mlirLogicalResultIsSuccess(
                mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(whole->module)));
  mlirPassManagerDestroy(passes);
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(whole->module)) {
    if (!ok || !tileOpIsAKernel(op)) continue;
    whole->kernel = *kernel;
    whole->kernel.func = op;
  }
}

/// The kernel, with all that its helpers have; NULL where they are not to be inlined.
static const TileProgramKernel *findWhole(const TileProgram *p, const TileProgramKernel *kernel) {
  struct TileWhole *whole = kernel->whole;
  if (!whole) return kernel;
  if (mlirModuleIsNull(whole->module)) inlineHelpers(p, kernel);
  return whole->kernel.name.length ? &whole->kernel : NULL;
}

//===- loops --------------------------------------------------------------===//

enum { mostPrograms = 16 }; ///< whose steps are counted

static int64_t countLoop(const TileSurvey *s, MlirOperation loop, const int32_t program[3]) {
  int32_t bounds[3];
  const MlirValue values[] = {tileForGetLower(loop), tileForGetUpper(loop), tileForGetStep(loop)};
  if (!tileProgramEvaluate(s->program, s->view.kernel, s->view.config, s->slots, program, values,
                           bounds) ||
      bounds[2] < 1)
    return -1;
  int64_t way = (int64_t)bounds[1] - bounds[0];
  return way < 1 ? 0 : (way + bounds[2] - 1) / bounds[2];
}

/// Steps of a loop and of those around it, up to the kernel, in one program; -1 where they do not
/// follow from the key and the program's number.
static int64_t countNest(const TileSurvey *s, MlirOperation loop, const int32_t program[3]) {
  int64_t steps = 1;
  for (MlirOperation op = loop; !tileOpIsAFunc(op) && steps >= 0;
       op = mlirOperationGetParentOperation(op)) {
    if (tileOpIs(op, "scf.if")) continue;
    int64_t count = tileOpIs(op, "scf.for") ? countLoop(s, op, program) : -1;
    steps = count < 0 ? -1 : steps * count;
  }
  return steps;
}

/// Fills in the mean and the most of all programs' steps; false where they are not known.
static bool countSteps(const TileSurvey *s, TileSurveyLoop *loop) {
  int64_t programs = 1, sum = 0;
  for (int d = 0; d < 3; ++d)
    if (s->grid[d] > programs) programs = s->grid[d];
  int count = programs < mostPrograms ? (int)programs : mostPrograms;
  for (int i = 0; i < count; ++i) {
    int32_t program[3];
    for (int d = 0; d < 3; ++d)
      program[d] = (int32_t)((2 * i + 1) * (int64_t)s->grid[d] / (2 * (int64_t)count));
    int64_t steps = countNest(s, loop->op, program);
    if (steps < 0) return false;
    sum += steps;
    if (steps > loop->longest) loop->longest = steps;
  }
  loop->steps = (double)sum / count;
  return true;
}

/// The entry of a loop; NULL where there are too many, or too little is known of it. Outside of
/// loops, for a null one, there is one step.
static TileSurveyLoop *findLoop(TileSurvey *s, MlirOperation loop) {
  for (int i = 0; i < s->numLoops; ++i)
    if (mlirOperationEqual(s->loops[i].op, loop))
      return s->loops[i].steps < 0 ? NULL : &s->loops[i];
  if (s->numLoops == TILE_SURVEY_LOOPS) return NULL;
  TileSurveyLoop *found = &s->loops[s->numLoops++];
  *found = (TileSurveyLoop){.op = loop, .steps = 1, .longest = 1};
  if (mlirOperationIsNull(loop)) return found;
  found->longest = 0;
  if (tileOpIs(loop, "scf.for") && countSteps(s, found)) return found;
  found->steps = -1;
  return NULL;
}

//===- dots ---------------------------------------------------------------===//

/// Is it 0, or a tile of it?
static bool isNothing(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  bool spread = !mlirOperationIsNull(op) && tileOpIsASplat(op);
  return tileIsZero(spread ? tileOperand(op, 0) : value);
}

/// Are the numbers that the loop carries sums from 0 on? What it carries else, pointers among them,
/// follows from the step.
static bool carriesSums(MlirOperation loop) {
  bool any = false;
  if (mlirOperationIsNull(loop)) return false;
  MlirBlock body = tileBody(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    MlirValue carried = mlirBlockGetArgument(body, 1 + i);
    MlirType element = tileElementType(mlirValueGetType(carried));
    bool isFloat = mlirTypeIsAFloat(element);
    bool isSum = (tileBitWidth(element) == 32 || mlirTypeIsAF64(element)) &&
                 isNothing(tileForGetInit(loop, i)) && tileAddsTo(tileOperand(yield, i), carried);
    if (isFloat && !isSum) return false;
    any |= isSum;
  }
  return any;
}

static int64_t bytesOf(MlirType element) { return tileBitWidth(element) / 8; }

/// Where the elements of a dot's operand come from.
typedef enum { FROM_OUTSIDE, FROM_MEMORY, FROM_A_DOT } Origin;

/// What a step reads for an operand.
typedef struct {
  const TileView *view;
  MlirOperation loop;
  TilePointerTable seen; ///< ops
  int64_t bytes;         ///< of what loads have
  bool computes;         ///< something of what they have
} Reading;

/// As far as a step computes them, element by element or moving them.
static Origin findOrigin(Reading *r, MlirValue value, int depth) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return FROM_OUTSIDE;
  if (!mlirOperationIsNull(r->loop) && !tileOpHolds(r->loop, op)) return FROM_OUTSIDE;
  if (tileOpIsADot(op)) return FROM_A_DOT;
  if (!tileOpIsMovable(op) || !depth) {
    int64_t shape[TILE_MAX_RANK];
    MlirType type = mlirValueGetType(value);
    if (tilePointerTableInsert(&r->seen, op.ptr))
      r->bytes += tileViewCountElements(r->view, type, shape) * bytesOf(tileElementType(type));
    return FROM_MEMORY;
  }
  Origin found = FROM_OUTSIDE;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    Origin origin = findOrigin(r, tileOperand(op, i), depth - 1);
    if (origin > found) found = origin;
  }
  r->computes |= found == FROM_MEMORY && tileOpIsElementwise(op);
  return found;
}

/// The matrix instructions that the dot takes. wgmma has 64 rows: products of fewer, or of such
/// that are no multiple of it, or padded to a power of two, change rows and columns, and so do
/// those whose B threads compute. Of tf32x3 and its like there are several.
static void addInstructions(TileSurvey *s, TileSurveyLoop *loop, MlirOperation op,
                            const TileProduct *dot, bool computesB) {
  TileDotForm form;
  const TileMachine *machine = tileProgramGetArch(s->program);
  int products = tileDotCountProducts(op);
  bool isSplit = products > 1;
  bool isWgmma = isSplit || (tileDotGetForm(op, &form) &&
                             tileDotFormMatrix(&form, machine, TILE_MATRIX_WGMMA));
  int64_t rows = dot->m, columns = dot->n;
  bool isChanged = isWgmma && (dot->m % 64 || tilePadExtent(dot->m) > dot->m || computesB);
  if (isChanged) {
    rows = dot->n;
    columns = dot->m;
  }
  // Of threads' products tiles are padded to powers of two, and no faster for it.
  rows = isWgmma ? (rows + 63) / 64 * 64 : tilePadExtent(rows);
  if (!isWgmma) columns = tilePadExtent(columns);
  bool isPadded = !isWgmma && (rows > dot->m || columns > dot->n);
  double times = isPadded ? tileMachineNumber(machine, TILE_NUMBER_MODEL_PADDED) / 100.0 : 1;
  s->work.rowsOfDot = rows > s->work.rowsOfDot ? rows : s->work.rowsOfDot;
  loop->isChanged |= isChanged;
  times *= products;
  loop->flops += 2.0 * (double)(dot->batch * rows * columns) * (double)dot->k * times;
  s->work.isSynchronous |= !isWgmma;
  int64_t elements = dot->batch * (dot->m + dot->n) * dot->k;
  if (isSplit) s->work.splits += (double)elements / (32.0 * s->work.warps);
}

/// Bytes of a matrix in shared memory, whose boxes are 64 elements wide, of 16 bits; which of its
/// dimensions that is, is not known yet.
static int64_t countInBoxes(int64_t rows, int64_t columns) {
  enum { wide = 64, elementBytes = 2 };
  return (rows + wide - 1) / wide * wide * ((columns + wide - 1) / wide * wide) * elementBytes;
}

/// What the operands of a chain's dot take of shared memory and of registers.
static void addRoom(TileSurveyLoop *loop, const TileProduct *dot, Origin fromA, Origin fromB) {
  enum { halves = 2 }; // of a word
  int64_t a = countInBoxes(dot->m, dot->k), b = countInBoxes(dot->k, dot->n);
  loop->slotBytes += (fromA == FROM_MEMORY ? a : 0) + (fromB == FROM_MEMORY ? b : 0);
  loop->keptBytes += (fromA == FROM_OUTSIDE ? a : 0) + (fromB == FROM_OUTSIDE ? b : 0);
  if (fromA == FROM_A_DOT) loop->loose += dot->batch * dot->m * dot->k / halves;
}

/// An operand of a dot.
typedef struct {
  Origin origin;
  int64_t bytes; ///< that a step loads for it
  bool computed; ///< by threads, of what they load
} Operand;

static Operand readOperand(const TileSurvey *s, MlirValue operand, MlirOperation loop) {
  enum { depth = 16 };
  Reading r = {.view = &s->view, .loop = loop};
  Origin origin = findOrigin(&r, operand, depth);
  tilePointerTableClear(&r.seen);
  return (Operand){origin, r.bytes, r.computes && origin == FROM_MEMORY};
}

/// Of strides that the signature marks as those of `array`, is the one of the last dimension but
/// `back` 1?
static bool hasUnitStride(const TileSurvey *s, uint32_t array, uint32_t back) {
  const TileProgramKernel *kernel = s->view.kernel;
  uint32_t last = 0;
  int64_t strides[TILE_MAX_RANK] = {0};
  for (unsigned i = 0; i < kernel->count; ++i) {
    bool isStride;
    uint32_t of, dimension;
    if (!kernel->parameters[i].isInteger ||
        !tileKernelFindMeasure(kernel->func, i, &isStride, &of, &dimension) || !isStride ||
        of != array || dimension >= TILE_MAX_RANK)
      continue;
    strides[dimension] = tileElementToInteger(kernel->parameters[i].type, &s->slots[i]);
    if (dimension > last) last = dimension;
  }
  return back <= last && strides[last - back] == 1;
}

/// Do elements of an operand's rows lie side by side, or else (`back` 1) those of its columns?
/// False where neither a descriptor says so nor strides of the array do.
static bool liesSideBySide(TileSurvey *s, MlirValue operand, uint32_t back) {
  MlirOperation op = tileValueGetOp(operand);
  for (; !mlirOperationIsNull(op) && tileOpIsATrans(op); op = tileValueGetOp(tileOperand(op, 0)))
    back = !back;
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIsADescLoad(op)) return !back;
  uint64_t arrays = tileOpIsALoad(op) ? tileSurveyFindArrays(s, tileResult(op), NULL) : 0;
  bool isOne = arrays && !(arrays & (arrays - 1));
  return isOne && hasUnitStride(s, (uint32_t)__builtin_ctzll(arrays), back);
}

/// Of the bytes of what wgmma has as B, of so many columns, those that are copied: columns that lie
/// side by side come in whole boxes, as wide as copies swizzle (NarrowBoxes.c). Of 16 bits, as
/// other types lie along K.
static double bytesInBoxes(TileSurvey *s, MlirValue operand, bool isChanged, int64_t columns,
                           double bytes) {
  enum { halfBytes = 2 };
  int64_t box = tileProgramGetArch(s->program)->swizzleBytes;
  int64_t element = bytesOf(tileElementType(mlirValueGetType(operand)));
  int64_t row = columns * element;
  bool mayBe = box && element == halfBytes && !s->work.isSynchronous && bytes > 0;
  if (!mayBe || !liesSideBySide(s, operand, isChanged)) return bytes;
  return bytes * (double)((row + box - 1) / box * box) / (double)row;
}

/// Words that warps read for a dot, each the rows and columns of its own part, 32 at a time.
static double wordsOf(const TileProduct *dot, int warps) {
  enum { least = 16, wordBytes = 4, lanes = 32 };
  int64_t along[2] = {1, 1};
  while (along[0] * along[1] < warps) {
    bool byRows = dot->m / along[0] >= 2 * least && dot->m / along[0] >= dot->n / along[1];
    along[byRows ? 0 : 1] *= 2;
  }
  int64_t bytes = dot->aBytes * along[1] + dot->bBytes * along[0];
  return (double)bytes / (wordBytes * lanes);
}

/// What each block of a cluster asks the L2 cache for, of an operand's bytes.
static double askedOf(TileSurvey *s, MlirValue operand, double bytes) {
  return bytes > 0 ? bytes * tileSurveyCountBoxes(s, operand, s->sharers) / s->sharers : 0;
}

static void addDot(TileSurvey *s, MlirOperation dot, TileSurveyLoop *loop) {
  TileProduct product;
  TileRate rate = s->work.rate;
  s->isKnown &= tileViewFindProduct(&s->view, dot, &product) && tileDotGetRate(dot, &rate);
  if (!s->isKnown) return;
  MlirValue a = tileDotGetA(dot), b = tileDotGetB(dot);
  Operand ofA = readOperand(s, a, loop->op), ofB = readOperand(s, b, loop->op);
  Origin fromA = ofA.origin, fromB = ofB.origin;
  addInstructions(s, loop, dot, &product, ofB.computed);
  if (ofA.computed) loop->computed += (double)(product.batch * product.m * product.k);
  if (ofB.computed) loop->computed += (double)(product.batch * product.n * product.k);
  addRoom(loop, &product, fromA, fromB);
  s->isChained |= fromA == FROM_A_DOT || fromB == FROM_A_DOT;
  bool again = s->numDots && mlirValueEqual(s->lastA, a);
  double bytesOfA = !again && fromA == FROM_MEMORY ? (double)ofA.bytes : 0;
  double bytesOfB = fromB == FROM_MEMORY ? (double)ofB.bytes : 0;
  if (loop->isChanged)
    bytesOfA = bytesInBoxes(s, a, true, product.m, bytesOfA);
  else
    bytesOfB = bytesInBoxes(s, b, false, product.n, bytesOfB);
  loop->bytes += bytesOfA + bytesOfB;
  s->sharesAcross |= s->sharers > 2 && tileSurveySharesAcross(s, a, b);
  double askedOfA = askedOf(s, a, bytesOfA), askedOfB = askedOf(s, b, bytesOfB);
  loop->asked += askedOfA + askedOfB;
  tileSurveyAddOperand(s, a, loop->steps * bytesOfA, loop->steps * askedOfA);
  tileSurveyAddOperand(s, b, loop->steps * bytesOfB, loop->steps * askedOfB);
  loop->rowBytes += loop->isChanged ? bytesOfB : bytesOfA;
  // What a step begins from 0 leaves it as something else, where other dots carry sums.
  bool carried = mlirOperationIsNull(loop->op) || !isNothing(tileDotGetAcc(dot));
  int64_t sums = product.batch * product.m * product.n;
  *(carried ? &loop->carried : &loop->loose) += sums;
  s->work.sumBytes += sums * bytesOf(tileElementType(mlirValueGetType(tileResult(dot))));
  s->mayDivide &= carriesSums(loop->op);
  s->work.rate = rate;
  double flops = 2.0 * (double)(product.batch * product.m * product.n * product.k);
  const TileMachine *machine = tileProgramGetArch(s->program);
  s->isNarrow |= product.m < 64 && product.n < 64 &&
                 !tileMachineHasMmaBoxes(machine, s->work.warps, rate, flops);
  int64_t thin = product.m < product.n ? product.m : product.n;
  s->thinnest = thin > s->thinnest ? thin : s->thinnest;
  s->words += wordsOf(&product, s->work.warps);
  s->elementBytes = product.aBytes / (product.batch * product.m * product.k);
  s->lastA = a;
  ++s->numDots;
}

//===- what is computed element by element --------------------------------===//

static bool isSpecialFunction(MlirOperation op) {
  static const char *const names[] = {"math.exp2", "math.exp",   "math.log2", "math.log",
                                      "math.tanh", "math.rsqrt", "math.sqrt", "math.sin",
                                      "math.cos",  "math.erf",   NULL};
  return tileOpIsOneOf(op, names);
}

static void addSpecial(TileSurvey *s, MlirOperation op) {
  int64_t shape[TILE_MAX_RANK];
  MlirOperation around = tileLoopAround(op);
  TileSurveyLoop *loop = mlirOperationIsNull(around) ? NULL : findLoop(s, around);
  MlirType type = mlirValueGetType(tileResult(op));
  if (loop) loop->special += (double)tileViewCountElements(&s->view, type, shape);
}

//===- arrays -------------------------------------------------------------===//

/// Bytes in which the tile that the op stores is staged.
static void addStored(TileSurvey *s, MlirValue stored) {
  int64_t shape[TILE_MAX_RANK];
  int64_t count = tileViewCountElements(&s->view, mlirValueGetType(stored), shape);
  int bits = tileBitWidth(tileElementType(mlirValueGetType(stored)));
  intptr_t rank = count ? mlirShapedTypeGetRank(mlirValueGetType(stored)) : 0;
  int64_t row = rank > 0 ? shape[rank - 1] * bits / 8 : 0;
  s->work.staged += count * bits / 8;
  if (row > s->work.storedRow) s->work.storedRow = row;
  if (bits > s->work.storedBits) s->work.storedBits = bits;
}

/// Does it load a tile outside of loops: what results become by it?
static bool loadsBeside(MlirOperation op) {
  return (tileOpIsALoad(op) || tileOpIsADescLoad(op)) &&
         tileTypeIsTile(mlirValueGetType(tileResult(op))) &&
         mlirOperationIsNull(tileLoopAround(op));
}

static MlirWalkResult addOp(MlirOperation op, void *data) {
  TileSurvey *s = data;
  if (tileOpIsAGrid(op) || tileOpIsACost(op)) return MlirWalkResultSkip;
  s->work.loadsBeside |= loadsBeside(op);
  if (tileOpIsADescLoad(op)) tileSurveyAddPitches(s, tileDescLoadGetDesc(op), &s->pitch);
  if (tileOpIsADescStore(op)) tileSurveyAddPitches(s, tileDescStoreGetDesc(op), &s->storedPitch);
  if (tileOpIsAStore(op)) addStored(s, tileStoreGetValue(op));
  if (tileOpIsADescStore(op)) addStored(s, tileDescStoreGetValue(op));
  if (isSpecialFunction(op)) addSpecial(s, op);
  if (tileOpIsADot(op)) {
    TileSurveyLoop *loop = findLoop(s, tileLoopAround(op));
    s->isKnown &= loop != NULL;
    if (loop) addDot(s, op, loop);
  }
  return s->isKnown ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

//===- the whole ----------------------------------------------------------===//

/// Loops of dots become one loop of all their steps.
static void joinLoops(TileSurvey *s) {
  TileWork *w = &s->work;
  double steps = 0, bytes = 0, rowBytes = 0, asked = 0;
  int loops = 0;
  for (int i = 0; i < s->numLoops; ++i) {
    const TileSurveyLoop *loop = &s->loops[i];
    if (!(loop->flops > 0)) continue;
    ++loops;
    steps += loop->steps;
    w->longest += loop->longest;
    w->flops += loop->steps * loop->flops;
    bytes += loop->steps * loop->bytes;
    rowBytes += loop->steps * loop->rowBytes;
    asked += loop->steps * loop->asked;
    w->special += loop->steps * loop->special;
    w->computed += loop->steps * loop->computed;
    int64_t held = loop->carried + loop->loose;
    if (held > w->held) w->held = held;
    if (loop->slotBytes > w->slotBytes) w->slotBytes = loop->slotBytes;
    if (loop->keptBytes > w->keptBytes) w->keptBytes = loop->keptBytes;
    held = loop->carried ? loop->carried : loop->loose;
    if (held > w->sums) w->sums = held;
  }
  // Of more sums than a thread has registers for beside what it adds to them, parts go to memory.
  int most = tileMachineNumber(tileProgramGetArch(s->program), TILE_NUMBER_MODEL_DIVIDED_WORDS);
  s->mayDivide &= loops == 1 && w->sums <= (int64_t)most * 32 * w->warps;
  if (steps <= 0) steps = 1;
  s->steps = steps;
  w->steps = steps < 1 ? 1 : steps;
  w->flops /= steps;
  w->computed /= steps;
  w->special = s->isChained ? w->special / steps : 0;
  w->stepBytes = (int64_t)(bytes / steps);
  w->rowBytes = (int64_t)(rowBytes / steps);
  w->askedBytes = (int64_t)(asked / steps);
}

bool tileSurvey(const TileProgram *p, const TileProgramKernel *kernel, const char *config,
                const uint64_t *slots, TileSurvey *s) {
  MlirOperation at;
  *s = (TileSurvey){.program = p, .slots = slots, .isKnown = true, .mayDivide = true};
  s->view = (TileView){findWhole(p, kernel), config};
  if (!s->view.kernel || !tileProgramEvaluateGrid(p, kernel, config, slots, s->grid, &at))
    return false;
  TileWork *w = &s->work;
  w->programs = (int64_t)s->grid[0] * s->grid[1] * s->grid[2];
  w->warps = (int)tileViewGetValue(&s->view, tileString("num_warps"), 4);
  if (w->programs < 1 || w->warps < 1) return false;
  int pair = tileMachineNumber(tileProgramGetArch(p), TILE_NUMBER_STRADDLE_BLOCKS);
  int64_t wish = tileViewGetValue(&s->view, tileString("num_ctas"), 0);
  w->blocks = wish ? (int)wish : 1;
  s->sharers = wish ? (int)wish : pair;
  mlirOperationWalk(s->view.kernel->func, addOp, s, MlirWalkPreOrder);
  joinLoops(s);
  w->stages = (int)tileViewGetValue(&s->view, tileString("num_stages"), 0);
  w->parts = (int)tileViewGetValue(&s->view, tileString("num_parts"), 1);
  w->clusters = (int)tileViewGetValue(&s->view, tileString("num_splits"), 1);
  w->teams = (int)tileViewGetValue(&s->view, tileString("num_teams"), 1);
  s->isTold = tileViewGetValue(&s->view, tileString("num_at_once"), 0) > 0;
  w->lastSplits = (int)tileViewGetValue(&s->view, tileString("num_last_splits"), 1);
  w->multiprocessors = tileProgramGetMultiprocessors(p);
  w->memoryBytes = tileProgramFindBytes(p, kernel, config, slots);
  if (s->isKnown && s->numDots) tileSurveyFindRows(s, kernel);
  // Blocks of clusters divide loops of boxes, and others those by threads, too.
  s->hasBoxes = w->rows < TILE_ROWS_COPIED;
  if (!wish && !tileSurveySharesUnasked(s, kernel)) w->askedBytes = w->stepBytes;
  if (w->teams > 1) s->mayDivide = false;
  s->maySplitLast = s->mayDivide && w->parts == 1 && w->clusters == 1 && w->lastSplits == 1;
  s->mayBeDivided = s->mayDivide && w->blocks == 1 && (s->hasBoxes || w->parts == 1);
  s->mayDivide = s->mayBeDivided && w->parts == 1 && w->clusters == 1 && w->lastSplits == 1;
  return s->isKnown && s->numDots;
}
