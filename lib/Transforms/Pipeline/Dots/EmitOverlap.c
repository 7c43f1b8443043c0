//===- EmitOverlap.c - the loop whose steps are halves of two -------------===//
//
// OverlapDots.c says what becomes of a loop, and has found out which op belongs to which part.
//
//===----------------------------------------------------------------------===//
#include "../../ValueMap.h"
#include "Overlap.h"

/// Clones the ops of one part to the end of the builder's block.
static void emitPart(const Overlap *o, TileBuilder *b, TileValueMap *values, Part part,
                     bool async) {
  for (int i = 0; i < o->numOps; ++i) {
    if (o->parts[i] != part) continue;
    bool leads = i == (o->first < 0 ? o->second : o->first);
    if (async && o->turns && leads)
      tileBuildOp(b, "tile_gpu.turn_wait", TILE_NONE, TILE_NONE, TILE_NONE, 0);
    MlirOperation copy = tileCloneMapped(b, values, o->ops[i]);
    if (async && tileOpIsWgmma(copy))
      mlirOperationSetAttributeByName(copy, tileString("async"), mlirUnitAttrGet(b->context));
  }
}

/// %w = tile_gpu.dot_wait %x pending n, for what stands for `value`; all later readers see %w.
static void emitWait(TileBuilder *b, TileValueMap *values, MlirValue value, int pending,
                     bool tied) {
  MlirValue made = tileValueMapGet(*values, value);
  tileValueMapSet(values, value, tileBuildDotWait(b, made, pending, tied));
}

/// What the body yields of the kind (delayed or not), and where `early`, what crosses.
static int yielded(const Overlap *o, TileValueMap values, bool late, MlirValue out[]) {
  MlirOperation yield = mlirBlockGetTerminator(o->body);
  int n = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(o->loop); ++i)
    if (o->delayed[i] == late) out[n++] = tileValueMapGet(values, tileOperand(yield, i));
  for (int c = 0; c < o->numCrossing && !late; ++c)
    out[n++] = tileValueMapGet(values, o->crossing[c]);
  return n;
}

/// Maps the body's arguments of the kind (and, of the early ones, what crosses) to `in`.
static int mapArguments(const Overlap *o, TileValueMap *values, bool late, const MlirValue in[]) {
  int n = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(o->loop); ++i)
    if (o->delayed[i] == late)
      tileValueMapSet(values, mlirBlockGetArgument(o->body, 1 + i), in[n++]);
  return n;
}

/// Between two steps: what the first half of the last has made, with what crosses at the end, and
/// what the second half of the one before it has.
typedef struct {
  MlirValue early[2 * maxCarried], late[maxCarried];
  int numEarly, numLate;
  MlirValue next;              // counter of the step whose first half comes next
  MlirValue held[maxReleases]; // stages that the dot in front of the last has not freed
} Between;

/// The stage that release `k` frees of the step that `values` is of.
static MlirValue heldBy(const Overlap *o, TileValueMap values, int k) {
  return tileValueMapGet(values, mlirBlockGetArgument(o->body, 1 + o->releases[k].stage));
}

static void emitRelease(const Overlap *o, TileBuilder *b, int k, MlirValue stage) {
  const Release *r = &o->releases[k];
  TileValueMap values = {{0}};
  tileValueMapSet(&values, tileBufferStageGetStage(r->view), stage);
  tileCloneMapped(b, &values, r->view);
  tileCloneMapped(b, &values, r->arrive);
  tileValueMapClear(&values);
}

static MlirValue stepAfter(const Overlap *o, TileBuilder *b, MlirValue iv) {
  return tileBuildBinary(b, "arith.addi", iv, tileForGetStep(o->loop));
}

/// Frees what the dot two steps in front of the one with counter `iv` has read, if there is one.
static void emitReleases(const Overlap *o, TileBuilder *b, const MlirValue held[], MlirValue iv) {
  MlirValue second = stepAfter(o, b, tileForGetLower(o->loop));
  MlirOperation any = tileBuildIf(b, tileBuildCmpi(b, TILE_NE, iv, second), TILE_NONE, false);
  TileBuilder in = tileBuilderAtEnd(tileBody(any, 0), b->location);
  for (int k = 0; k < o->numReleases; ++k) emitRelease(o, &in, k, held[k]);
  tileBuildOp(&in, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// The first half of the step with counter `iv`, and the second of the step before.
static void emitStep(const Overlap *o, TileBuilder *b, MlirValue iv, Between *s) {
  // What crosses may be an argument of the body, which is another value to the first half.
  TileValueMap now = {{0}}, before = {{0}};
  tileValueMapSet(&now, mlirBlockGetArgument(o->body, 0), iv);
  int carried = mapArguments(o, &now, false, s->early);
  mapArguments(o, &before, true, s->late);
  for (int c = 0; c < o->numCrossing; ++c)
    tileValueMapSet(&before, o->crossing[c], s->early[carried + c]);
  // What makes a dot's operands in registers (A, and what it adds to) may not stand between a dot
  // on its way and the wait for it: ptxas would serialize all of them (C7513).
  emitPart(o, b, &before, PART_ADDEND, true);
  emitPart(o, b, &now, PART_BEGIN, true);
  emitPart(o, b, &before, PART_SECOND, true);
  if (o->turns) tileBuildOp(b, "tile_gpu.turn_pass", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  emitPart(o, b, &now, PART_TURN, false);
  MlirValue second = tileResult(o->ops[o->second]);
  if (o->first >= 0) emitWait(b, &now, tileResult(o->ops[o->first]), 1, true);
  if (o->numReleases) {
    emitWait(b, &before, second, 1, false);
    emitReleases(o, b, s->held, iv);
    for (int k = 0; k < o->numReleases; ++k) s->held[k] = heldBy(o, before, k);
  }
  emitPart(o, b, &now, PART_REST, false);
  if (!o->numReleases) emitWait(b, &before, second, 0, true);
  emitPart(o, b, &now, PART_OPERAND, false);
  emitPart(o, b, &before, PART_END, false);
  yielded(o, now, false, s->early);
  yielded(o, before, true, s->late);
  tileValueMapClear(&now);
  tileValueMapClear(&before);
}

/// All that a loop carries between two steps; returns how many.
static int placesOf(const Overlap *o, Between *s, bool twice, MlirValue *places[]) {
  int n = 0;
  for (int i = 0; i < s->numEarly; ++i) places[n++] = &s->early[i];
  for (int i = 0; i < s->numLate; ++i) places[n++] = &s->late[i];
  for (int k = 0; k < o->numReleases; ++k) places[n++] = &s->held[k];
  if (twice) places[n++] = &s->next;
  return n;
}

/// The loop over all steps but the first, one at a time; or two, which leaves one where their
/// number is odd.
static void emitLoop(const Overlap *o, TileBuilder *b, Between *s, bool twice) {
  enum { most = 1 + maxReleases + 3 * maxCarried };
  MlirValue operands[3 + most], out[most], *places[most];
  int count = placesOf(o, s, twice, places);
  operands[0] = s->next;
  operands[1] = tileForGetUpper(o->loop);
  operands[2] = tileForGetStep(o->loop);
  if (twice) {
    operands[1] = tileBuildBinary(b, "arith.subi", operands[1], operands[2]);
    operands[2] = stepAfter(o, b, operands[2]);
  }
  for (int i = 0; i < count; ++i) operands[3 + i] = *places[i];
  MlirOperation loop = tileBuildFor(b, TILE_FOR_INITS + count, operands);
  MlirBlock body = tileBody(loop, 0);
  for (int i = 0; i < count; ++i) *places[i] = mlirBlockGetArgument(body, 1 + i);
  TileBuilder in = tileBuilderAtEnd(body, b->location);
  MlirValue iv = mlirBlockGetArgument(body, 0);
  emitStep(o, &in, iv, s);
  if (twice) {
    iv = stepAfter(o, &in, iv);
    emitStep(o, &in, iv, s);
    s->next = stepAfter(o, &in, iv);
  }
  for (int i = 0; i < count; ++i) out[i] = *places[i];
  tileBuildOp(&in, "scf.yield", count, out, TILE_NONE, TILE_NONE, 0);
  for (int i = 0; i < count; ++i) *places[i] = mlirOperationGetResult(loop, i);
}

/// The second half of the last step, and what the loop gives.
static void emitEnd(const Overlap *o, TileBuilder *b, const Between *s) {
  MlirValue late[maxCarried], results[maxCarried];
  TileValueMap values = {{0}};
  mapArguments(o, &values, true, s->late);
  for (int c = 0; c < o->numCrossing; ++c)
    tileValueMapSet(&values, o->crossing[c], s->early[s->numEarly - o->numCrossing + c]);
  emitPart(o, b, &values, PART_ADDEND, false);
  emitPart(o, b, &values, PART_SECOND, false);
  if (o->numReleases) emitReleases(o, b, s->held, s->next);
  for (int k = 0; k < o->numReleases; ++k) emitRelease(o, b, k, heldBy(o, values, k));
  emitPart(o, b, &values, PART_END, false);
  yielded(o, values, true, late);
  tileValueMapClear(&values);
  int e = 0, l = 0;
  intptr_t count = mlirOperationGetNumResults(o->loop);
  for (intptr_t i = 0; i < count; ++i) results[i] = o->delayed[i] ? late[l++] : s->early[e++];
  tileBuildOp(b, "scf.yield", count, results, TILE_NONE, TILE_NONE, 0);
}

/// The step that is left, if it is, and the end, twice: what a dot takes is never of two places.
static void emitOdd(const Overlap *o, TileBuilder *b, const Between *s) {
  MlirType types[maxCarried];
  MlirValue results[maxCarried];
  intptr_t count = mlirOperationGetNumResults(o->loop);
  for (intptr_t i = 0; i < count; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(o->loop, i));
  MlirValue any = tileBuildCmpi(b, TILE_SLT, s->next, tileForGetUpper(o->loop));
  MlirOperation branch = tileBuildIf(b, any, count, types, true);
  Between left = *s;
  TileBuilder in = tileBuilderAtEnd(tileBody(branch, 0), b->location);
  emitStep(o, &in, s->next, &left);
  left.next = stepAfter(o, &in, s->next);
  emitEnd(o, &in, &left);
  in = tileBuilderAtEnd(tileBody(branch, 1), b->location);
  emitEnd(o, &in, s);
  for (intptr_t i = 0; i < count; ++i) results[i] = mlirOperationGetResult(branch, i);
  tileBuildOp(b, "scf.yield", count, results, TILE_NONE, TILE_NONE, 0);
}

/// All steps, of which there is at least one.
static void emitSteps(const Overlap *o, TileBuilder *b) {
  Between s = {.numEarly = 0};
  intptr_t count = mlirOperationGetNumResults(o->loop);
  TileValueMap values = {{0}};
  tileValueMapSet(&values, mlirBlockGetArgument(o->body, 0), tileForGetLower(o->loop));
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue init = tileForGetInit(o->loop, i);
    if (o->delayed[i])
      s.late[s.numLate++] = init;
    else
      tileValueMapSet(&values, mlirBlockGetArgument(o->body, 1 + i), init);
  }
  static const Part early[] = {PART_BEGIN, PART_TURN, PART_REST, PART_OPERAND};
  for (int i = 0; i < 4; ++i) emitPart(o, b, &values, early[i], false);
  s.numEarly = yielded(o, values, false, s.early);
  tileValueMapClear(&values);
  s.next = stepAfter(o, b, tileForGetLower(o->loop));
  for (int k = 0; k < o->numReleases; ++k) // of no dot yet
    s.held[k] = tileForGetInit(o->loop, o->releases[k].stage);
  // A that is made under a dot has other registers than that dot's, and the one behind it again.
  bool twice = o->first < 0;
  emitLoop(o, b, &s, twice);
  (twice ? emitOdd : emitEnd)(o, b, &s);
}

void overlapEmit(const Overlap *o) {
  TileBuilder b = tileBuilderBefore(o->loop);
  intptr_t count = mlirOperationGetNumResults(o->loop);
  MlirType types[maxCarried];
  MlirValue inits[maxCarried], results[maxCarried];
  for (intptr_t i = 0; i < count; ++i) {
    inits[i] = tileForGetInit(o->loop, i);
    types[i] = mlirValueGetType(inits[i]);
  }
  MlirValue any = tileBuildCmpi(&b, TILE_SLT, tileForGetLower(o->loop), tileForGetUpper(o->loop));
  MlirOperation branch = tileBuildIf(&b, any, count, types, true);
  TileBuilder in = tileBuilderAtEnd(tileBody(branch, 0), b.location);
  emitSteps(o, &in);
  TileBuilder otherwise = tileBuilderAtEnd(tileBody(branch, 1), b.location);
  tileBuildOp(&otherwise, "scf.yield", count, inits, TILE_NONE, TILE_NONE, 0);
  for (intptr_t i = 0; i < count; ++i) results[i] = mlirOperationGetResult(branch, i);
  tileReplaceOp(o->loop, count, results);
}
