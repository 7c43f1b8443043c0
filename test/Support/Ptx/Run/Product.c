//===- Product.c - mma, ldmatrix and their like, and wgmma ----------------===//
//
// A wgmma reads its operands and writes its registers when it lands: when its group is waited for,
// or now and then when that is committed. Until then its registers are busy: nothing else may use
// them.
//===----------------------------------------------------------------------===//
#include "../Module/Decode.h"
#include "../Sync/Races.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 128 };

/// The rows of an operand's registers.
static void getRows(const PtxWarp *warp, const PtxOperand *operand, void *rows[MAX_ROWS]) {
  for (int i = 0; i < operand->count; ++i) rows[i] = ptxRow(warp, operand->slots[i].row);
}

static PtxStatus runMma(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  (void)mask;
  void *rows[4][MAX_ROWS];
  for (int i = 0; i < 4; ++i) getRows(warp, &op->operands[i], rows[i]);
  ptxMma(op->is.matrix, rows[0], (const void *const *)rows[1], (const void *const *)rows[2],
         (const void *const *)rows[3]);
  return PTX_NEXT;
}

static void getAddresses(const PtxWarp *warp, const PtxOperand *operand,
                         uint32_t addresses[PTX_LANES]) {
  for (int lane = 0; lane < PTX_LANES; ++lane)
    addresses[lane] = (uint32_t)ptxAddress(warp, operand, lane);
}

/// ldmatrix or stmatrix, whose address is the operand that is not the registers.
static PtxStatus moveTiles(PtxWarp *warp, const PtxOp *op, uint32_t mask, bool loads) {
  uint32_t addresses[PTX_LANES];
  void *rows[MAX_ROWS];
  PtxFault fault = {0};
  PtxTileForm form = {.count = op->is.count, .transpose = op->is.isSigned};
  getAddresses(warp, &op->operands[loads ? 1 : 0], addresses);
  getRows(warp, &op->operands[loads ? 0 : 1], rows);
  if (!loads) ptxNoteWrite(ptxGrid(warp));
  const PtxShared *shared = &warp->block->shared;
  bool done = loads ? ptxLdmatrix(&form, (uint32_t *const *)rows, addresses, shared, &fault)
                    : ptxStmatrix(&form, (const uint32_t *const *)rows, addresses, shared, &fault);
  return done ? PTX_NEXT : ptxFaultWith(warp, op, ptxFirst(mask), &fault);
}

static PtxStatus runLoadMatrix(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  return moveTiles(warp, op, mask, true);
}

static PtxStatus runStoreMatrix(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  return moveTiles(warp, op, mask, false);
}

static PtxStatus runMoveMatrix(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  (void)mask;
  ptxMovmatrix(ptxRow(warp, op->operands[0].slots[0].row),
               ptxRow(warp, op->operands[1].slots[0].row));
  return PTX_NEXT;
}

/// One wgmma of a warp.
typedef struct PtxProduct {
  const PtxOp *op;
  PtxWgmma operands;
  uint32_t *snapshot; ///< of what its warp knew, or NULL
} PtxProduct;

/// What a busy register is to the products under way.
enum { FREE, BUSY_SOURCE, BUSY_RESULT };

static void setBusy(PtxWarp *warp, const PtxOperand *operand, uint8_t busy) {
  for (int i = 0; i < operand->count; ++i)
    if (operand->slots[i].row >= 0) warp->busy[operand->slots[i].row / PTX_ROW] = busy;
}

static bool isBusy(const PtxWarp *warp, int32_t row, uint8_t least) {
  return row >= 0 && warp->busy[row / PTX_ROW] >= least;
}

static PtxStatus runProduct(PtxWarp *warp, const PtxOp *op, uint32_t mask);

void ptxNoteRegisters(PtxWarp *warp, const PtxOp *op) {
  if (op->lanes) {
    if (op->dBytes != 1) warp->fresh[op->d / PTX_ROW] = true;
    return;
  }
  const PtxOperand *to = op->operands;
  if (op->run == runProduct || !op->operandCount || to->kind != PTX_REGISTERS) return;
  for (int i = 0; i < to->count; ++i)
    if (to->slots[i].bytes > 1 && to->slots[i].row >= 0)
      warp->fresh[to->slots[i].row / PTX_ROW] = true;
}

static bool isFresh(const PtxWarp *warp, const PtxOperand *operand) {
  for (int i = 0; warp->fresh && i < operand->count; ++i)
    if (operand->slots[i].row >= 0 && warp->fresh[operand->slots[i].row / PTX_ROW]) return true;
  return false;
}

bool ptxTouchesProducts(const PtxWarp *warp, const PtxOp *op) {
  if (op->run == runProduct) return false;
  if (op->lanes) {
    if (op->dBytes != 1 && isBusy(warp, op->d, BUSY_SOURCE)) return true;
    for (int i = 0; i < PTX_SOURCES; ++i)
      if (isBusy(warp, op->s[i], BUSY_RESULT)) return true;
    return false;
  }
  for (int i = 0; i < op->operandCount; ++i)
    for (int s = 0; s < op->operands[i].count; ++s)
      if (op->operands[i].slots[s].bytes > 1 &&
          isBusy(warp, op->operands[i].slots[s].row, BUSY_RESULT))
        return true;
  return false;
}

static PtxStatus runProduct(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  const PtxOperand *a = &op->operands[1];
  int lane = ptxFirst(mask), trans = op->is.isVector2 ? 6 : -1;
  PtxProduct *product = ptxQueueAdd(&warp->products, sizeof *product);
  if (!product) return ptxFaultAt(warp, op, lane, 2, "expected memory for products, found none");
  bool inRegisters = a->isVector;
  if (isFresh(warp, &op->operands[0]) || (inRegisters && isFresh(warp, a)))
    return ptxFaultAt(warp, op, lane, PTX_FAILED,
                      "expected wgmma.fence behind the last write of the registers, found none");
  product->op = op;
  product->operands = (PtxWgmma){
      .descriptorA = inRegisters ? 0 : ptxLane(warp, a->slots, lane),
      .descriptorB = ptxLane(warp, op->operands[2].slots, lane),
      .registersA = inRegisters,
      .scaleD = ptxPredicate(warp, op->operands[3].slots) >> lane & 1,
      .negateA = op->operandCount > 4 && (int32_t)op->operands[4].number == -1,
      .negateB = op->operandCount > 5 && (int32_t)op->operands[5].number == -1,
  };
  if (trans > 0 && !inRegisters) product->operands.transposeA = op->operands[trans++].number & 1;
  if (trans > 0) product->operands.transposeB = op->operands[trans].number & 1;
  product->snapshot = ptxRaceSnapshot(warp);
  setBusy(warp, &op->operands[0], BUSY_RESULT);
  if (inRegisters) setBusy(warp, a, BUSY_SOURCE);
  return PTX_NEXT;
}

/// The first of a warp's warpgroup, or NULL with the launch's error where the block has no whole
/// one.
static PtxWarp *findWarpgroup(PtxWarp *warp, const PtxOp *op) {
  int first = warp->index / PTX_WARPGROUP * PTX_WARPGROUP;
  if (first + PTX_WARPGROUP <= warp->block->warpCount) return &warp->block->warps[first];
  ptxFaultAt(warp, op, 0, PTX_FAILED, "expected a warpgroup of %d warps, found %d", PTX_WARPGROUP,
             warp->block->warpCount - first);
  return NULL;
}

/// The `i`th product of each of a warpgroup's warps, which is one.
static void landProduct(PtxWarp *group, int i, PtxFault *fault) {
  void *d[PTX_WARPGROUP][MAX_ROWS], *a[PTX_WARPGROUP][MAX_ROWS];
  void *const *dRows[PTX_WARPGROUP];
  const void *const *aRows[PTX_WARPGROUP];
  uint32_t *snapshots[PTX_WARPGROUP];
  const PtxProduct *product = &((const PtxProduct *)group[0].products.items)[i];
  for (int w = 0; w < PTX_WARPGROUP; ++w) {
    const PtxProduct *other = &((const PtxProduct *)group[w].products.items)[i];
    const PtxWgmma *x = &product->operands, *y = &other->operands;
    snapshots[w] = other->snapshot;
    dRows[w] = d[w], aRows[w] = (const void *const *)a[w];
    getRows(&group[w], &product->op->operands[0], d[w]);
    if (x->registersA) getRows(&group[w], &product->op->operands[1], a[w]);
    if (other->op != product->op || x->scaleD != y->scaleD || x->descriptorA != y->descriptorA ||
        x->descriptorB != y->descriptorB) {
      ptxFaultSet(fault, PTX_FAILED,
                  "expected one wgmma of all four warps of a warpgroup, found others in warp %d",
                  w);
      return;
    }
  }
  ptxRaceEnterProduct(group, product->op, snapshots, group->productsLanded + (uint32_t)i + 1);
  ptxWgmma(product->op->is.matrix, &product->operands, 0, PTX_WARPGROUP, dRows, aRows,
           &group->block->shared, fault);
}

/// Frees the registers of a warp's oldest products, and takes them off.
static void dropProducts(PtxWarp *warp, int count) {
  const PtxProduct *products = warp->products.items;
  for (int i = 0; i < count; ++i) {
    setBusy(warp, &products[i].op->operands[0], FREE);
    setBusy(warp, &products[i].op->operands[1], FREE);
    free(products[i].snapshot);
  }
  warp->productsLanded += (uint32_t)count;
  ptxQueueDrop(&warp->products, count, sizeof *products);
  products = warp->products.items;
  for (int i = 0; i < warp->products.count; ++i) {
    setBusy(warp, &products[i].op->operands[0], BUSY_RESULT);
    if (products[i].operands.registersA) setBusy(warp, &products[i].op->operands[1], BUSY_SOURCE);
  }
}

void ptxFreeProducts(PtxWarp *warp) {
  const PtxProduct *products = warp->products.items;
  for (int i = 0; i < warp->products.count; ++i) free(products[i].snapshot);
  ptxQueueFree(&warp->products);
}

/// A wgmma is its warpgroup's: it lands for all four warps at once, when all of them have issued
/// it.
static PtxStatus landProducts(PtxWarp *warp, const PtxOp *op, int groupsLeft) {
  int due = ptxQueueDue(&warp->products, groupsLeft, false);
  if (!due) return PTX_NEXT;
  PtxWarp *group = findWarpgroup(warp, op);
  if (!group) return PTX_FAULTED;
  for (int w = 0; w < PTX_WARPGROUP; ++w)
    if (group[w].products.count < due) return PTX_BLOCKED;
  PtxFault fault = {0};
  for (int i = 0; i < due; ++i) {
    landProduct(group, i, &fault);
    if (fault.code)
      return ptxFaultWith(warp, ((const PtxProduct *)warp->products.items)[i].op, 0, &fault);
  }
  for (int w = 0; w < PTX_WARPGROUP; ++w) dropProducts(&group[w], due);
  ptxNoteWrite(ptxGrid(warp));
  return PTX_NEXT;
}

static PtxStatus runCommit(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  PtxGrid *grid = ptxGrid(warp);
  if (!ptxQueueCommit(&warp->products))
    return ptxFaultAt(warp, op, ptxFirst(mask), 2, "expected memory for products, found none");
  if (!warp->block->cluster->races && ptxRandom(grid, 4) == 0)
    landProducts(warp, op, (int)ptxRandom(grid, (uint32_t)warp->products.groupCount + 1));
  return grid->fault.code ? PTX_FAULTED : PTX_NEXT;
}

static PtxStatus runWait(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  (void)mask;
  PtxStatus status = landProducts(warp, op, (int)op->operands[0].number);
  if (status == PTX_NEXT) ptxRaceWaitProducts(warp, warp->productsLanded);
  return status;
}

static PtxStatus runFence(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  (void)op, (void)mask;
  if (warp->fresh) memset(warp->fresh, 0, (size_t)warp->entry->fileBytes / PTX_ROW + 1);
  return PTX_NEXT;
}

static bool keepForm(PtxDecoder *decoder) {
  PtxMatrixForm *form = ptxAllocate(decoder->entry->module, sizeof *form);
  decoder->op->is.matrix = form;
  return form && ptxMatrixParse(decoder->name.whole, form);
}

static bool bindRegisters(PtxDecoder *decoder, int index, int count, int bytes, bool isResult) {
  if (isResult ? !ptxBindResult(decoder, index, bytes) : !ptxBindOperand(decoder, index, bytes))
    return false;
  int found = decoder->op->operands[index].count;
  return found == count ||
         ptxRefuse(decoder, "expected %d registers as operand %d, found %d", count, index, found);
}

static int decodeMma(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  if (!keepForm(decoder)) return -1;
  const PtxMatrixForm *form = op->is.matrix;
  op->run = runMma;
  int bytes = form->d == PTX_MATRIX_F64 ? 8 : 4;
  return ptxExpectOperands(decoder, 4, 4) &&
                 bindRegisters(decoder, 0, form->registersD, bytes, true) &&
                 bindRegisters(decoder, 1, form->registersA, bytes, false) &&
                 bindRegisters(decoder, 2, form->registersB, bytes, false) &&
                 bindRegisters(decoder, 3, form->registersC, bytes, false)
             ? 1
             : -1;
}

static int decodeProduct(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  if (!keepForm(decoder)) return -1;
  const PtxMatrixForm *form = op->is.matrix;
  op->run = runProduct;
  if (!ptxExpectOperands(decoder, 4, 8)) return -1;
  bool inRegisters = op->operands[1].isVector,
       isHalf = form->a == PTX_MATRIX_F16 || form->a == PTX_MATRIX_BF16;
  int numbers = form->d == PTX_MATRIX_S32 ? 0 : !isHalf ? 2 : inRegisters ? 3 : 4;
  op->is.isVector2 = isHalf;
  if (!ptxExpectOperands(decoder, 4 + numbers, 4 + numbers)) return -1;
  for (int i = 4; i < 4 + numbers; ++i)
    if (op->operands[i].kind != PTX_NUMBER)
      return ptxRefuse(decoder, "expected a number as operand %d", i), -1;
  return bindRegisters(decoder, 0, form->registersD, 4, true) &&
                 (inRegisters ? bindRegisters(decoder, 1, form->registersA, 4, false)
                              : ptxBindOperand(decoder, 1, 8)) &&
                 ptxBindOperand(decoder, 2, 8) && ptxBindOperand(decoder, 3, 1)
             ? 1
             : -1;
}

static int decodeTile(PtxDecoder *decoder, bool isLoad) {
  PtxOp *op = decoder->op;
  PtxTileForm form;
  if (!ptxTileParse(decoder->name.whole, &form)) return -1;
  op->run = isLoad ? runLoadMatrix : runStoreMatrix;
  op->is.count = (uint8_t)form.count, op->is.isSigned = form.transpose;
  if (!ptxExpectOperands(decoder, 2, 2) || op->operands[isLoad].kind != PTX_ADDRESS) return -1;
  return bindRegisters(decoder, !isLoad, form.count, 4, isLoad) ? 1 : -1;
}

static int decodeMoveMatrix(PtxDecoder *decoder) {
  PtxTileForm form;
  decoder->op->run = runMoveMatrix;
  return ptxTileParse(decoder->name.whole, &form) && ptxExpectOperands(decoder, 2, 2) &&
                 bindRegisters(decoder, 0, 1, 4, true) && bindRegisters(decoder, 1, 1, 4, false)
             ? 1
             : -1;
}

int ptxDecodeMatrix(PtxDecoder *decoder) {
  const PtxName *name = &decoder->name;
  PtxOp *op = decoder->op;
  op->isConvergent = true;
  if (ptxIs(name, 0, "mma")) return decodeMma(decoder);
  if (ptxIs(name, 0, "ldmatrix")) return decodeTile(decoder, true);
  if (ptxIs(name, 0, "stmatrix")) return decodeTile(decoder, false);
  if (ptxIs(name, 0, "movmatrix")) return decodeMoveMatrix(decoder);
  if (ptxIs(name, 0, "wgmma") && ptxIs(name, 1, "mma_async")) return decodeProduct(decoder);
  static const struct {
    const char *name;
    PtxRun run;
    int operands;
  } all[] = {{"wgmma.fence.sync.aligned", runFence, 0},
             {"wgmma.commit_group.sync.aligned", runCommit, 0},
             {"wgmma.wait_group.sync.aligned", runWait, 1}};
  for (int i = 0; i < 3; ++i)
    if (strcmp(all[i].name, name->whole) == 0) {
      op->run = all[i].run;
      if (!ptxExpectOperands(decoder, all[i].operands, all[i].operands)) return -1;
      if (!all[i].operands || op->operands[0].kind == PTX_NUMBER) return 1;
      return ptxRefuse(decoder, "expected a number of groups"), -1;
    }
  return 0;
}
