//===- Control.c - branches, returns and what has no effect here ----------===//
#include "../Module/Decode.h"
#include "../Sync/Races.h"
#include <string.h>

static PtxStatus runBranch(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  ptxJump(warp, mask, (int)op->operands[0].number);
  return PTX_JUMPED;
}

static PtxStatus runNothing(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  (void)warp, (void)op, (void)mask;
  return PTX_NEXT;
}

/// brx.idx: the lanes that go where the first one does. The others come to the instruction again.
static PtxStatus runIndexed(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  const PtxOp *table = &warp->entry->ops[op->operands[1].number];
  const PtxU32 *index = ptxRow(warp, op->s[0]);
  const int first = ptxFirst(mask);
  uint32_t taken = 0;
  for (int i = 0; i < PTX_LANES; ++i) taken |= (uint32_t)(index[i] == index[first]) << i;
  taken &= mask;
  if (table->run != runNothing || index[first] >= (uint32_t)table->operandCount)
    return ptxFaultAt(warp, op, first, PTX_FAILED,
                      "expected an index below a table's %d labels, found %u", table->operandCount,
                      index[first]);
  if (mask & ~taken) --ptxGroup(warp)->pc;
  ptxJump(warp, taken, (int)table->operands[index[first]].number);
  return PTX_JUMPED;
}

static PtxStatus runReturn(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  (void)op;
  ptxReturn(warp, mask);
  return PTX_JUMPED;
}

static PtxStatus runTrap(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  return ptxFaultAt(warp, op, ptxFirst(mask), PTX_FAILED, "expected no trap to be reached");
}

static PtxStatus runProxyFence(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  (void)op, (void)mask;
  ptxRaceFence(warp);
  return PTX_NEXT;
}

static const struct {
  const char *name;
  PtxRun run;
  int operands;
  bool isConvergent;
} all[] = {
    {"bra", runBranch, 1, false},
    {"bra.uni", runBranch, 1, false},
    {"ret", runReturn, 0, false},
    {"ret.uni", runReturn, 0, false},
    {"exit", runReturn, 0, false},
    {"trap", runTrap, 0, false},
    {"brkpt", runTrap, 0, false},
    {"nanosleep.u32", runNothing, 1, false},
    {"prefetch.global.L2", runNothing, 1, false},
    {"prefetch.global.L1", runNothing, 1, false},
    {"prefetch.tensormap", runNothing, 1, false},
    {"setmaxnreg.inc.sync.aligned.u32", runNothing, 1, true},
    {"setmaxnreg.dec.sync.aligned.u32", runNothing, 1, true},
    // Policies of caches are for nobody here to look at.
    {"createpolicy.fractional.L2::evict_first.b64", runNothing, 2, false},
    {"createpolicy.fractional.L2::evict_last.b64", runNothing, 2, false},
    {"createpolicy.fractional.L2::evict_normal.b64", runNothing, 2, false},
    {"createpolicy.fractional.L2::evict_unchanged.b64", runNothing, 2, false},
    {"griddepcontrol.wait", runNothing, 0, false},
    {"griddepcontrol.launch_dependents", runNothing, 0, false},
    // Memory is one here, and every access in its order; what is asynchronous is ordered by what
    // waits for it.
    {"membar.gl", runNothing, 0, false},
    {"membar.cta", runNothing, 0, false},
    {"membar.sys", runNothing, 0, false},
    {"fence.acq_rel.cta", runNothing, 0, false},
    {"fence.acq_rel.gpu", runNothing, 0, false},
    {"fence.acq_rel.sys", runNothing, 0, false},
    {"fence.acq_rel.cluster", runNothing, 0, false},
    {"fence.sc.cta", runNothing, 0, false},
    {"fence.sc.gpu", runNothing, 0, false},
    {"fence.sc.sys", runNothing, 0, false},
    {"fence.mbarrier_init.release.cluster", runNothing, 0, false},
    {"fence.proxy.async", runProxyFence, 0, false},
    {"fence.proxy.async.global", runNothing, 0, false},
    {"fence.proxy.async.shared::cta", runProxyFence, 0, false},
    {"fence.proxy.async.shared::cluster", runProxyFence, 0, false},
};

/// brx.idx and the table that it has its labels from.
static int decodeIndexed(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  const bool isTable = ptxIs(&decoder->name, 0, "branchtargets");
  if (!isTable && (!ptxTake(&decoder->name, "idx") || !ptxExpectOperands(decoder, 2, 2))) return -1;
  ptxTake(&decoder->name, "uni");
  for (int i = isTable ? 0 : 1; i < op->operandCount; ++i)
    if (op->operands[i].kind != PTX_LABEL)
      return ptxRefuse(decoder, "expected a label as operand %d", i), -1;
  op->run = isTable ? runNothing : runIndexed;
  return ptxAllTaken(&decoder->name) && (isTable || ptxBind(decoder, 0, 0, 4)) ? 1 : -1;
}

int ptxDecodeControl(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  if (ptxIs(&decoder->name, 0, "brx") || ptxIs(&decoder->name, 0, "branchtargets"))
    return decodeIndexed(decoder);
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
    if (strcmp(all[i].name, decoder->name.whole) != 0) continue;
    if (!ptxExpectOperands(decoder, all[i].operands, all[i].operands)) return -1;
    op->run = all[i].run, op->isConvergent = all[i].isConvergent;
    if (op->run == runBranch && op->operands[0].kind != PTX_LABEL)
      return ptxRefuse(decoder, "expected a label to branch to"), -1;
    return 1;
  }
  return 0;
}
