//===- Hazards.c - may copies run ahead of a loop's writes? ---------------===//
#include "Hazards.h"
#include "tile/OpTraits.h"

typedef struct {
  TileHazards *h;
  const char *why;
  bool orders, waits; // is there a barrier; is there what other programs may be waited for by?
} Finder;

/// The address in the loop; false where it is not known. An update in place is one at every step's
/// places, which the end of something need not be.
static bool findAddress(const TileHazards *h, MlirValue pointers, TileAffineAddress *address) {
  return tileAffineAddressOf(h->affine, pointers, h->loop, address) &&
         (h->apartAlone || address->numEnds == 0);
}

static MlirWalkResult addWrite(MlirOperation op, void *data) {
  Finder *f = data;
  TileHazards *h = f->h;
  bool orders = h->apartAlone && tileOpIsABarrier(op);
  bool writes = !orders && (tileOpGetEffects(op) & TILE_WRITES_GLOBAL);
  f->orders |= orders;
  f->waits |= tileOpIs(op, "scf.while") || tileOpIsAAtomicCas(op) || tileOpIsAAtomicRmw(op) ||
              (tileOpIsALoad(op) && tileLoadGetCache(op) == TILE_CACHE_USE_CV);
  if (mlirOperationEqual(op, h->loop) || !writes) return MlirWalkResultAdvance;
  if (!tileOpIsAccess(op))
    f->why = "expected a loop without barriers, and writes through pointers alone";
  else if (h->numWrites == tileMaxHazards)
    f->why = "expected at most 16 writes in a loop";
  else if (!findAddress(h, tileOperand(op, 0), &h->writes[h->numWrites++]))
    f->why = "expected writes to addresses that are sums of strides times positions";
  if (mlirOperationIsNull(h->first)) h->first = tileAncestorIn(tileBody(h->loop, 0), op);
  return f->why ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

const char *tileHazardsFind(TileHazards *h) {
  Finder f = {.h = h};
  h->numWrites = h->numReads = 0;
  h->first = (MlirOperation){NULL};
  mlirOperationWalk(h->loop, addWrite, &f, MlirWalkPreOrder);
  if (f.orders && (f.waits || !h->numWrites) && !f.why)
    f.why = "expected no barrier beside what waits for other programs";
  return f.why;
}

const char *tileHazardsAdd(TileHazards *h, MlirOperation load) {
  if (!h->numWrites) return NULL;
  if (!h->apartAlone && mlirOperationIsBeforeInBlock(h->first, load))
    return "expected it in front of the loop's writes";
  if (h->numReads == tileMaxHazards) return "expected at most 16 loads in a loop with writes";
  TileAffineAddress read;
  if (!findAddress(h, tileLoadGetPtr(load), &read))
    return "expected addresses that are sums of strides times positions, in a loop with writes";
  h->reads[h->numReads++] = read;
  return NULL;
}

/// Does the access move on with each step, by a number that is known?
static bool movesOn(const TileAffineAddress *access) {
  return access->each.count == 1 && access->each.terms[0].degree == 0;
}

/// one[1] <= other[0] or other[1] <= one[0]
static MlirValue buildApart(TileBuilder *b, const MlirValue one[2], const MlirValue other[2]) {
  MlirValue before = tileBuildCmpi(b, TILE_SLE, one[1], other[0]);
  MlirValue behind = tileBuildCmpi(b, TILE_SLE, other[1], one[0]);
  return tileBuildBinary(b, "arith.ori", before, behind);
}

/// Is what the induction variable is multiplied by not 0?
static MlirValue buildMoves(const TileHazards *h, TileBuilder *b, const TileAffineAddress *access) {
  MlirType i64 = tileI64(b->context);
  MlirValue each = tileAffineBuild(h->affine, b, &access->each, i64);
  return tileBuildCmpi(b, TILE_NE, each, tileBuildInt(b, i64, 0));
}

MlirValue tileHazardsBuild(const TileHazards *h) {
  TileBuilder b = tileBuilderBefore(h->loop);
  MlirValue all = {NULL}, reads[tileMaxHazards][2] = {{{NULL}}};
  for (int w = 0; w < h->numWrites; ++w) {
    MlirValue write[2] = {{NULL}};
    for (int r = 0; r < h->numReads; ++r) {
      const TileAffineAddress *x = &h->reads[r], *y = &h->writes[w];
      bool inPlace = !h->apartAlone && tileAffineSamePlaces(x, y) && x->each.count > 0;
      if (inPlace && movesOn(x) && mlirValueEqual(x->base, y->base)) continue;
      if (mlirValueIsNull(reads[r][0])) tileAffineBuildSpan(h->affine, &b, x, h->loop, reads[r]);
      if (mlirValueIsNull(write[0])) tileAffineBuildSpan(h->affine, &b, y, h->loop, write);
      MlirValue fine = buildApart(&b, reads[r], write);
      if (inPlace) {
        MlirValue same = tileBuildCmpi(&b, TILE_EQ, reads[r][0], write[0]);
        if (!movesOn(x)) same = tileBuildBinary(&b, "arith.andi", same, buildMoves(h, &b, x));
        fine = tileBuildBinary(&b, "arith.ori", fine, same);
      }
      all = mlirValueIsNull(all) ? fine : tileBuildBinary(&b, "arith.andi", all, fine);
    }
  }
  return all;
}

static const char apart[] = "tile_gpu.apart";

bool tilePassesWrites(MlirOperation op) { return !mlirAttributeIsNull(tileAttr(op, apart)); }
void tileSetPassesWrites(MlirOperation op) {
  mlirOperationSetAttributeByName(op, tileString(apart),
                                  mlirUnitAttrGet(mlirOperationGetContext(op)));
}
