//===- AccessGroups.c - accesses that share a layout ----------------------===//
//
// Before:  load and store of f32, 4 elements a thread; load of bf16, 8 elements; their sum
// After:   4 elements a thread of both: no conversion between them
//
// Accesses whose elements meet in element-wise ops, or in what a loop carries, whole or divided
// into rows by a reshape, or of which one computes where a constant is stored, take the same number
// of neighbouring elements a thread, where they run along memory in the same order: as many as make
// one access of 16 bytes of the width that moves the most bytes, in a loop of LOOP_STEPS steps.
// Narrower elements then come in smaller parts, side by side with those of the next thread. Wider
// ones come in two parts of 16 bytes, the second from the sector that the first one has fetched,
// and no more: that is ACCESS_GROUP_BYTES.
//
// Where none of a group runs along memory, but neighbouring elements lie in one place, a thread
// takes all of these: packed weights, of which eight come in a word, are loaded once and not by
// eight lanes, and what is loaded beside them has eight elements a thread.
//
// Where more of a group runs along memory but begins or ends anywhere, as the neighbours that a
// convolution reads do, these are accesses of one element each: 32 lanes of four neighbours would
// touch four lines of the L1 cache for 128 bytes, and a thread takes no more than a word. A store
// counts as several loads there, APART_STORE: no cache gathers its elements. What a warp has lies
// side by side then: two accesses of one warp share the sector in which the first ends and the
// second begins, and the L1 cache still has it. Not so in steps of a loop in which warps meet, for
// a product or to reduce: they are at the same places in time, and neighbours among them are
// better.
//
// Of a store whose elements nobody knows to lie side by side, or that lie a few apart, as colours
// of a pixel do, neighbours sit in neighbouring lanes: a line of the L2 cache takes what it gets of
// one instruction at once, and 32 lanes with several neighbours each touch as many lines more.
// Not where the group is scanned again and again, as digits of a radix sort are, a digit at a time:
// neighbours of a thread are one total for lanes to exchange, and each register of its own is one.
//
// Of a dimension that the group's elements are scanned along, and that does not run along memory, a
// thread has neighbours, where it has several: it adds these by itself, and has one total of all of
// them to exchange with other lanes and warps, in the place of one of each.
//
// Of what is loaded beside products by mma.sync a thread takes a word, though others are left
// without work: a row of 32 scales of f16 is copied ahead by 16 threads, as cp.async has no copies
// of less.
//
// Of rows and columns that are reduced both ways warps divide those of which the fewest results are
// exchanged between them: of 2 x 4096 the columns, for two sums a row, where 4096 would go through
// shared memory. A thread then has the sums of columns, and what they are added to, once.
//
// Of rows that lie in memory and are reduced in steps, as queries in front of a loop over keys that
// sums a product of each, lanes have a line of the L1 cache, which they load as fast, and a thread
// more of each row: 16 x 128 f32 of two warps are 6 shuffles a step in place of 40.
//
// Along what meets one thing all along, as heads meet a row's angles, neither lanes nor warps are
// put, where others have room and rows are whole lines: a thread has several of these, and what
// they meet once.
//
// The idea is that of Triton's coalescing pass, which asks it of the accesses of a slice;
// here a group is what would have to be converted otherwise.
//
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "Assigner.h"
#include "tile/MachineNumbers.h"

/// A lane's part of one line of the L1 cache.
enum { WORD_BYTES = 4 };

/// Of the arithmetic from a loaded number to a pointer that are looked at.
enum { MOST_STEPS = 8 };

/// Neighbouring elements in one place that are looked for, at most.
enum { MOST_SAME = 16 };

TileValueInfo *tileAssignerGroupOf(TileValueInfo *info) {
  while (info->group != info) {
    TileValueInfo *next = info->group;
    info->group = next->group;
    info = next;
  }
  return info;
}

/// What is known of a value that is computed once, or of what a reshape made it of; null for
/// others.
static TileValueInfo *findFixed(const TileAssigner *a, MlirValue value) {
  MlirOperation op = mlirValueIsNull(value) ? (MlirOperation){NULL} : tileValueGetOp(value);
  for (; !mlirOperationIsNull(op) && tileOpIsAReshape(op); op = tileValueGetOp(value))
    value = tileOperand(op, 0);
  TileValueInfo *info =
      !mlirValueIsNull(value) && tileValueIsTile(value) ? tileAssignerFind(a, value) : NULL;
  return info && info->class == TILE_LAYOUT_FIXED ? info : NULL;
}

static void join(TileAssigner *a, MlirValue one, MlirValue other) {
  TileValueInfo *x = findFixed(a, one), *y = findFixed(a, other);
  if (x && y) tileAssignerGroupOf(x)->group = tileAssignerGroupOf(y);
}

static void joinTies(TileAssigner *a, const TileTied *ties, int n) {
  for (int i = 1; i < n; ++i) join(a, ties[0].value, ties[i].value);
}

static bool passesLayoutsOn(MlirOperation op) {
  return tileOpIsElementwise(op) || tileOpKeepsLayout(op);
}

/// The tile that an access reads or writes.
static MlirValue dataOf(MlirOperation access) {
  if (tileOpIsAStore(access)) return tileStoreGetValue(access);
  return mlirOperationGetNumResults(access) > 0 ? tileResult(access) : (MlirValue){NULL};
}

/// The value that the elements of an access lie with: what it reads or writes. What is stored may
/// be made in any layout, as a constant is: then it is the mask, where that was computed of loads.
static MlirValue subjectOf(const TileAssigner *a, MlirOperation access) {
  MlirValue data = dataOf(access);
  if (!tileOpIsAStore(access) || findFixed(a, data)) return data;
  MlirValue mask = tileStoreGetMask(access);
  return findFixed(a, mask) ? mask : data;
}

static bool isTileAccess(MlirOperation op) {
  return tileOpIsAccess(op) && tileTypeIsTile(mlirValueGetType(tileOperand(op, 0)));
}

static int fastestDim(const TileAssigner *a, MlirOperation access) {
  int order[TILE_MAX_RANK];
  tileAxisAccessOrder(a->rules.axis, tileOperand(access, 0), order);
  return order[0];
}

/// The place of a dimension of `value` in the tables of its group, which count from the last one:
/// so do tiles that a reshape divides into rows meet those that are whole.
static int placeOf(MlirValue value, int dim) {
  return (int)mlirShapedTypeGetRank(mlirValueGetType(value)) - 1 - dim;
}

/// Neighbouring elements that lie in one place, and are accessed together or not at all.
static int sameOf(const TileAssigner *a, MlirOperation access, int dim) {
  const TileAxisInfo *pointers = tileAxisAnalysisGet(a->rules.axis, tileOperand(access, 0));
  int64_t same = pointers->constancy[dim];
  MlirValue mask = tileOpIsALoad(access) ? tileLoadGetMask(access) : (MlirValue){NULL};
  if (!mlirValueIsNull(mask)) {
    int64_t alike = tileAxisAnalysisGet(a->rules.axis, mask)->constancy[dim];
    if (alike < same) same = alike;
  }
  int power = 1;
  while (power < MOST_SAME && same % (2 * power) == 0) power *= 2;
  return power;
}

/// Does the op multiply by more than a few, as the number of a row is?
static bool countsRows(MlirOperation op) {
  enum { FEW = 8 };
  int64_t by;
  return tileOpIs(op, "arith.muli") && !(tileConstantInt(tileOperand(op, 1), &by) && by <= FEW);
}

/// Does a loaded number say where `value` points, as a place in a table? That of a row, which is
/// multiplied, is none.
static bool comesFromLoad(MlirValue value, int depth) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || depth == 0 || countsRows(op)) return false;
  if (tileOpIsALoad(op)) return true;
  if (!tileOpIsElementwise(op) && !tileOpIsShapeChange(op) && !tileOpIsAAddPtr(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tileValueIsTile(tileOperand(op, i)) && comesFromLoad(tileOperand(op, i), depth - 1))
      return true;
  return false;
}

int64_t tileAssignerStepsOf(MlirOperation op) {
  int64_t steps = 1, each = tileMachineNumber(tileMachineOf(op), TILE_NUMBER_LOOP_STEPS);
  MlirOperation around = mlirOperationGetParentOperation(op);
  for (; !tileOpIsAFunc(around); around = mlirOperationGetParentOperation(around))
    if (tileOpIsLoop(around)) steps *= each;
  return steps;
}

/// Does `access` run in steps of a loop that have an op which `is` holds for?
static bool runsBeside(MlirOperation access, bool (*is)(MlirOperation op)) {
  MlirOperation around = mlirOperationGetParentOperation(access);
  for (; !tileOpIsAFunc(around); around = mlirOperationGetParentOperation(around)) {
    if (!tileOpIsLoop(around)) continue;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(around); ++r)
      TILE_FOR_EACH_OP(op, tileBody(around, r)) if (is(op)) return true;
  }
  return false;
}

/// Do warps meet for it? Those of a loop are at the same places in time then.
static bool isMeeting(MlirOperation op) { return tileOpIsADot(op) || tileOpIsAReduce(op); }

/// Notes at the end of the group how the elements of a load lie.
static void noteRuns(TileAssigner *a, TileValueInfo *group, MlirOperation access, int dim) {
  const TileAxisInfo *pointers = tileAxisAnalysisGet(a->rules.axis, tileOperand(access, 0));
  int same = sameOf(a, access, dim), place = placeOf(tileOperand(access, 0), dim);
  group->runs[place] |= !tileOpIsALoad(access) || pointers->contiguity[dim] > 1;
  group->looksUp |= same == 1 && comesFromLoad(tileOperand(access, 0), MOST_STEPS);
  if (same > 1 && (group->same[place] == 0 || same < group->same[place])) group->same[place] = same;
}

/// Notes at the end of the group whether elements side by side are accessed together.
static void noteWidth(TileAssigner *a, TileValueInfo *group, MlirOperation access, int dim) {
  int64_t steps = tileAssignerStepsOf(access);
  int place = placeOf(tileOperand(access, 0), dim);
  int store = tileMachineNumber(tileMachineOf(access), TILE_NUMBER_APART_STORE);
  if (tileAxisAccessVector(a->rules.axis, access, dim) > 1)
    group->whole[place] += steps;
  else if (tileAxisLikelyRun(a->rules.axis, tileOperand(access, 0), dim) > 1)
    group->apart[place] += steps * (tileOpIsAStore(access) ? store : 1);
  else if (tileOpIsAStore(access) && sameOf(a, access, dim) == 1 &&
           !runsBeside(access, tileOpIsADot))
    group->strewn[place] += steps * store;
}

/// Notes at the end of the group what one of its accesses could do alone.
static void note(TileAssigner *a, MlirOperation access) {
  TileValueInfo *subject = findFixed(a, subjectOf(a, access));
  if (!subject || !mlirShapedTypeGetRank(mlirValueGetType(subject->value))) return;
  TileValueInfo *group = tileAssignerGroupOf(subject);
  int dim = fastestDim(a, access), vector = tileAxisAccessVector(a->rules.axis, access, dim);
  int bytes = tileBitWidth(tileElementType(mlirValueGetType(dataOf(access)))) / 8;
  int place = placeOf(tileOperand(access, 0), dim);
  group->accessed = true;
  group->meets |= runsBeside(access, isMeeting);
  if (!tileAxisIsSpaced(a->rules.axis, tileOperand(access, 0), dim))
    group->near |= 1u << (unsigned)place;
  int64_t steps = tileAssignerStepsOf(access);
  if (steps > group->accessedOften) group->accessedOften = steps;
  if (vector > group->vector[place]) group->vector[place] = vector;
  noteRuns(a, group, access, dim);
  noteWidth(a, group, access, dim);
  bool runs = vector > 1 || tileAxisLikelyRun(a->rules.axis, tileOperand(access, 0), dim) > 1;
  if (runs && bytes > group->bytes) group->bytes = bytes;
  if (bytes > group->widest) group->widest = bytes;
  if (vector * bytes < tileMachineOf(access)->accessBytes) return; // no whole access of its own
  int width = 0;
  while (width < TILE_MAX_WIDTH && 1 << width < bytes) ++width;
  group->moved[width] += bytes * tileAssignerStepsOf(access);
}

/// Notes at the end of the group along what an op of arithmetic meets what is repeated.
static void noteRepeated(TileAssigner *a, MlirOperation op) {
  bool isOne = tileOpIsElementwise(op) && mlirOperationGetNumResults(op) == 1;
  TileValueInfo *result = isOne ? findFixed(a, tileResult(op)) : NULL;
  for (intptr_t i = 0; result && i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation from = tileValueGetOp(tileOperand(op, i));
    int64_t shape[TILE_MAX_RANK], source[TILE_MAX_RANK];
    if (mlirOperationIsNull(from) || !tileOpIsABroadcast(from) ||
        tileAssignerFind(a, tileResult(from))->class == TILE_LAYOUT_FLEXIBLE)
      continue;
    int rank = tileShape(mlirValueGetType(tileResult(from)), shape);
    tileShape(mlirValueGetType(tileOperand(from, 0)), source);
    for (int d = 0; d < rank; ++d)
      if (source[d] < shape[d])
        tileAssignerGroupOf(result)->repeated |= 1u << (unsigned)(rank - 1 - d);
  }
}

/// Notes at the end of the group along what its values are reduced and scanned.
static void noteCombination(TileAssigner *a, MlirOperation op) {
  TileValueInfo *source = NULL;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !source; ++i)
    source = findFixed(a, tileOperand(op, i));
  if (!source) return;
  TileValueInfo *group = tileAssignerGroupOf(source);
  if (tileOpIsAReduce(op)) {
    int64_t shape[TILE_MAX_RANK], axis = tileReduceGetAxis(op);
    MlirType type = mlirValueGetType(tileOperand(op, 0));
    tileShape(type, shape);
    int place = placeOf(tileOperand(op, 0), (int)axis);
    group->reduced |= 1u << (unsigned)place;
    int64_t steps = tileAssignerStepsOf(op);
    group->results[place] += tileNumElements(type) / shape[axis] * steps;
    if (steps > group->often[place]) group->often[place] = steps;
  }
  if (!tileOpIsAScan(op)) return;
  int place = placeOf(tileOperand(op, 0), (int)tileScanGetAxis(op));
  group->scanned |= 1u << (unsigned)place;
  group->scans[place] += tileAssignerStepsOf(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    int bytes = tileElementBytes(tileElementType(mlirValueGetType(tileOperand(op, i))));
    if (!group->scannedBytes || bytes < group->scannedBytes) group->scannedBytes = bytes;
  }
}

/// Does the access have neighbours side by side, or in one place?
static bool hasNeighbours(const TileAssigner *a, MlirOperation access) {
  MlirValue pointers = tileOperand(access, 0);
  const TileAxisInfo *info = tileAxisAnalysisGet(a->rules.axis, pointers);
  for (int d = 0; d < (int)mlirShapedTypeGetRank(mlirValueGetType(pointers)); ++d)
    if (info->contiguity[d] > 1 || sameOf(a, access, d) > 1) return true;
  return false;
}

bool tileAssignerLooksUp(const TileAssigner *a, MlirOperation access) {
  TileValueInfo *data = isTileAccess(access) ? findFixed(a, dataOf(access)) : NULL;
  if (!data || !tileOpIsALoad(access) || !findFixed(a, tileLoadGetPtr(access))) return false;
  const TileValueInfo *group = tileAssignerGroupOf(data);
  bool runs = false;
  for (int d = 0; d < TILE_MAX_RANK; ++d) runs |= group->runs[d] || group->same[d];
  return runs ? !hasNeighbours(a, access) : !group->looksUp;
}

/// The width, in bytes, of the elements that move the most in whole accesses; of equals the wider.
static int heaviest(const TileValueInfo *group) {
  int best = 0;
  for (int w = 1; w <= TILE_MAX_WIDTH; ++w)
    if (group->moved[w] >= group->moved[best] && group->moved[w] > 0) best = w;
  return 1 << best;
}

/// Of what is scanned along `place`: that of the narrowest elements of a scan where it is less,
/// since each run of neighbours is one more total for lanes to exchange.
static int widthAlong(const TileValueInfo *group, int place) {
  int width = heaviest(group), scanned = group->scannedBytes;
  bool isScanned = group->scanned >> (unsigned)place & 1;
  return isScanned && scanned < width ? scanned : width;
}

void tileAssignerGroupAccesses(TileAssigner *a) {
  for (size_t i = 0; i < a->numOps; ++i) {
    MlirOperation op = a->ops[i];
    tileAssignerVisitTies(a, op, joinTies);
    if (!passesLayoutsOn(op) && !isTileAccess(op)) continue;
    // Pointers that were loaded meet what is found there; two results of one op meet each other.
    MlirValue first = isTileAccess(op) ? subjectOf(a, op) : tileResult(op);
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
      join(a, first, tileOperand(op, k));
    for (intptr_t k = 1; k < mlirOperationGetNumResults(op); ++k)
      join(a, first, mlirOperationGetResult(op, k));
  }
  for (size_t i = 0; i < a->numOps; ++i) {
    if (isTileAccess(a->ops[i])) note(a, a->ops[i]);
    noteRepeated(a, a->ops[i]);
    if (tileOpIsAReduce(a->ops[i]) || tileOpIsAScan(a->ops[i])) noteCombination(a, a->ops[i]);
  }
}

/// Do stores that run nowhere decide of `access` how many neighbours a thread has along `place`,
/// and not the scans of the group?
static bool isStrewn(const TileValueInfo *group, int place, MlirOperation access) {
  int64_t stores = group->strewn[place];
  int64_t scan = tileMachineNumber(tileMachineOf(access), TILE_NUMBER_STREWN_SCAN);
  return stores > group->whole[place] && stores >= scan * group->scans[place];
}

/// The neighbouring elements that a thread takes in an access of tiles.
static int vectorOf(const TileAssigner *a, MlirOperation access) {
  if (!isTileAccess(access)) return 1;
  int dim = fastestDim(a, access), own = tileAxisAccessVector(a->rules.axis, access, dim);
  TileValueInfo *subject = findFixed(a, subjectOf(a, access));
  if (!subject) return own;
  TileValueInfo *group = tileAssignerGroupOf(subject);
  int place = placeOf(tileOperand(access, 0), dim);
  const TileMachine *machine = tileMachineOf(access);
  int bytes = tileMachineNumber(machine, TILE_NUMBER_ACCESS_GROUP_BYTES);
  int widest = group->bytes > 0 ? group->bytes : group->widest > 0 ? group->widest : 1;
  int most = bytes / widest, whole = machine->accessBytes / widthAlong(group, place);
  if (whole < most) most = whole;
  if (isStrewn(group, place, access))
    most = 1;
  else if (group->apart[place] > group->whole[place])
    most = widest < WORD_BYTES ? WORD_BYTES / widest : 1;
  int vector = group->vector[place];
  if (!group->runs[place] && group->same[place] > vector) vector = group->same[place];
  if (!group->runs[place] && group->looksUp && !group->same[place]) vector = most;
  return vector < most ? vector : most;
}

/// Are there products by mma.sync in the loop around, and in no other way? Copies of all that its
/// steps load run ahead of them.
static bool isBesideMma(MlirOperation access) {
  MlirOperation loop = mlirOperationGetParentOperation(access);
  bool has = false;
  if (!tileOpIs(loop, "scf.for")) return false;
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (tileOpIsWgmma(op)) return false;
    has |= tileOpIsADot(op);
  }
  return has;
}

/// The neighbouring elements that a thread has even where others are left without work: a word of
/// what is copied ahead of products, which no copy has less of.
static int leastOf(const TileAssigner *a, MlirOperation access) {
  if (!tileOpIsALoad(access) || !isTileAccess(access) || !isBesideMma(access)) return 1;
  int bytes = tileBitWidth(tileElementType(mlirValueGetType(tileResult(access)))) / 8;
  int own = tileAxisAccessVector(a->rules.axis, access, fastestDim(a, access));
  return bytes > 0 && own * bytes >= WORD_BYTES && bytes < WORD_BYTES ? WORD_BYTES / bytes : 1;
}

/// The elements that one access moves at most, where rows that begin anywhere are copied for
/// products; else 0.
static int chunkOf(const TileAssigner *a, MlirOperation access) {
  if (!tileOpIsALoad(access) || !tileIsRaggedLoad(a->rules.axis, access)) return 0;
  int bits = tileBitWidth(tileElementType(mlirValueGetType(tileResult(access))));
  return 8 * tileMachineOf(access)->accessBytes / bits;
}

/// The dimensions of `tile` that a group's `places` are, a bit each.
static unsigned dimsOf(MlirType tile, unsigned places) {
  unsigned dims = 0;
  int rank = (int)mlirShapedTypeGetRank(tile);
  for (int d = 0; d < rank; ++d) dims |= (places >> (rank - 1 - d) & 1) << d;
  return dims;
}

/// The dimensions of `tile` that warps are to divide last: those along which elements are reduced.
/// Where these are all that there are, not those along which the fewest results are exchanged; and
/// where the others are too few for the warps, so that these exchange results all the same, those
/// others, along which what is the same would be held by several.
static unsigned undividedOf(const TileValueInfo *group, MlirType tile, int numWarps) {
  int64_t shape[TILE_MAX_RANK], fewest = INT64_MAX, parts = 1;
  int rank = tileShape(tile, shape);
  unsigned reduced = dimsOf(tile, group->reduced), dearer = 0, others = 0;
  for (int d = 0; d < rank; ++d) {
    int64_t results = group->results[rank - 1 - d];
    if (shape[d] > 1 && results < fewest) fewest = results;
    if (shape[d] == 1 || reduced >> d & 1) continue;
    others |= 1u << d;
    parts *= shape[d];
  }
  if (others)
    return reduced && parts < numWarps && !(others & ~dimsOf(tile, group->repeated)) ? others
                                                                                     : reduced;
  for (int d = 0; d < rank; ++d)
    if (shape[d] > 1 && group->results[rank - 1 - d] > fewest) dearer |= 1u << d;
  return dearer ? dearer : reduced;
}

/// The places along which a group is reduced in steps, as often as it is accessed or more often.
static unsigned oftenOf(const TileValueInfo *group) {
  unsigned places = 0;
  for (int d = 0; d < TILE_MAX_RANK; ++d)
    places |= (unsigned)(group->often[d] > 1 && group->often[d] >= group->accessedOften) << d;
  return places;
}

/// The places along which more of a group begins anywhere than not.
static unsigned apartOf(const TileValueInfo *group) {
  unsigned places = 0;
  for (int d = 0; d < TILE_MAX_RANK; ++d)
    places |= (unsigned)(group->apart[d] > group->whole[d]) << d;
  return places;
}

MlirAttribute tileAssignerOfAccess(const TileAssigner *a, MlirOperation access) {
  TileValueInfo *subject = isTileAccess(access) ? findFixed(a, subjectOf(a, access)) : NULL;
  if (subject && tileOpIsALoad(access)) {
    MlirAttribute turned = tileAssignerOfTurned(a, access, fastestDim(a, access));
    if (!mlirAttributeIsNull(turned)) return turned;
  }
  int chunk = chunkOf(a, access);
  TileAccessUses uses = {0};
  if (chunk) return tileLayoutOfAccess(&a->rules, access, chunk, chunk, &uses);
  int vector = vectorOf(a, access), least = leastOf(a, access);
  if (subject) {
    const TileValueInfo *group = tileAssignerGroupOf(subject);
    MlirType tile = mlirValueGetType(tileOperand(access, 0));
    uses.reduced = undividedOf(group, tile, a->rules.numWarps);
    uses.scanned = dimsOf(tile, group->scanned);
    uses.near = dimsOf(tile, group->near);
    if (!group->meets) uses.apart = dimsOf(tile, apartOf(group));
    uses.often = dimsOf(tile, oftenOf(group));
    uses.widest = group->widest;
    if (!group->reduced && !group->scanned) uses.repeated = dimsOf(tile, group->repeated);
  }
  return tileLayoutOfAccess(&a->rules, access, vector, least, &uses);
}

unsigned tileAssignerUndivided(const TileAssigner *a, MlirOperation dot) {
  TileValueInfo *sums = findFixed(a, tileResult(dot));
  if (!sums) return 0;
  const TileValueInfo *group = tileAssignerGroupOf(sums);
  // FMA loads its operands for each warp's part: where that is no square, more of them.
  bool isFma = tileDotGetInstruction(dot) == TILE_INSTRUCTION_FMA;
  int64_t least = tileAssignerStepsOf(dot) + isFma;
  unsigned places = 0;
  for (int d = 0; d < TILE_MAX_RANK; ++d) places |= (unsigned)(group->often[d] >= least) << d;
  return dimsOf(mlirValueGetType(tileResult(dot)), places);
}

//===- stores -------------------------------------------------------------===//

/// A bit of lane or warp whose both values hold the same; null: there is none.
static uint64_t *findCopies(TileLayout *layout) {
  for (int dim = TILE_LANE; dim <= TILE_WARP; ++dim)
    for (int bit = 0; bit < layout->inBits[dim]; ++bit)
      if (!layout->bases[dim][bit]) return &layout->bases[dim][bit];
  return NULL;
}

/// `own`, in which lanes and warps hold elements several times over, so that a thread stores more
/// than a lane of a small store without copies, with these divided among the copies: each thread
/// stores a part of what it has, and nobody asks another for anything. Those that a store takes at
/// once stay together.
static MlirAttribute divideAmongCopies(const TileAssigner *a, MlirOperation store,
                                       MlirAttribute own) {
  MlirType type = mlirValueGetType(tileStoreGetValue(store));
  int bytes = tileElementBytes(tileElementType(type));
  TileLayout from = tileLayoutOn(own, type);
  TileLayout best = tileLayoutOn(tileAssignerOfAccess(a, store), type);
  if (!tileLayoutIsValid(from) || !tileLayoutIsValid(best)) return own;
  int width = tileLayoutContiguous(from, 0), widest = tileLayoutContiguous(best, 0);
  if (width > widest) width = widest;
  int lane = tileMachineNumber(tileMachineOf(store), TILE_NUMBER_SMALL_STORE) / 32;
  if ((int)tileLayoutSize(from, TILE_REGISTER) <= lane * width) return own;
  TileLayout to = from;
  to.inBits[TILE_REGISTER] = 0;
  for (int bit = 0; bit < from.inBits[TILE_REGISTER]; ++bit) {
    uint64_t basis = from.bases[TILE_REGISTER][bit];
    uint64_t *copies = basis >= (uint64_t)width ? findCopies(&to) : NULL;
    to.bases[TILE_REGISTER][bit] = 0;
    *(copies ? copies : &to.bases[TILE_REGISTER][to.inBits[TILE_REGISTER]++]) = basis;
  }
  TileConversion plan = tileLayoutPlanConversion(from, to, bytes);
  bool isFree = plan.kind == TILE_CONVERSION_SHUFFLES && plan.shuffles.numShuffles == 0;
  return isFree ? tileLayoutToAttr(a->rules.context, &to) : own;
}

/// Would a store of loaded elements as they lie have a warp write less than half of each sector, of
/// rows that fill some? As of a tile that is turned round.
static bool scatters(const TileAssigner *a, MlirOperation store, MlirAttribute own) {
  MlirType type = mlirValueGetType(tileStoreGetValue(store));
  int bits = tileBitWidth(tileElementType(type));
  TileLayout layout = tileLayoutOn(own, type);
  if (!tileLayoutIsValid(layout) || !comesFromLoad(tileStoreGetValue(store), MOST_STEPS))
    return false;
  int64_t sector = 8 * tileMachineNumber(tileMachineOf(store), TILE_NUMBER_SECTOR_BYTES);
  return 2 * tileLayoutRun(layout, 0) * bits < sector &&
         tileAxisLikelyRun(a->rules.axis, tileStoreGetPtr(store), 0) * bits >= sector;
}

MlirAttribute tileAssignerOfStore(const TileAssigner *a, MlirOperation op) {
  MlirValue value = tileStoreGetValue(op), mask = tileStoreGetMask(op);
  MlirAttribute own = tileAssignerLayoutOf(a, value);
  if (mlirAttributeIsNull(own) && !mlirValueIsNull(mask)) own = tileAssignerLayoutOf(a, mask);
  if (tileValueIsTile(value) && !mlirAttributeIsNull(own) &&
      tileNumElements(mlirValueGetType(value)) <=
          tileMachineNumber(tileMachineOf(op), TILE_NUMBER_SMALL_STORE) * a->rules.numWarps) {
    MlirType type = mlirValueGetType(value);
    int64_t shape[TILE_MAX_RANK];
    if (tileShape(type, shape) == 1 && !scatters(a, op, own)) return divideAmongCopies(a, op, own);
  }
  return tileAssignerOfAccess(a, op);
}
