//===- Warp.c - a warp's lanes and their groups ---------------------------===//
#include "../../SplitMix64.h"
#include "../Sync/Races.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

uint32_t ptxRandom(PtxGrid *grid, uint32_t bound) {
  return (uint32_t)((splitMix64(&grid->random) >> 32) * bound >> 32);
}

PtxStatus ptxFaultAt(PtxWarp *warp, const PtxOp *op, int lane, int code, const char *format, ...) {
  PtxGrid *grid = ptxGrid(warp);
  if (grid->fault.code) return PTX_FAULTED;
  va_list list;
  va_start(list, format);
  vsnprintf(grid->fault.text, sizeof grid->fault.text, format, list);
  va_end(list);
  grid->fault.code = code, grid->faultWarp = warp, grid->faultOp = op;
  grid->faultLane = (uint32_t)(lane < 0 ? 0 : lane);
  return PTX_FAULTED;
}

PtxStatus ptxFaultWith(PtxWarp *warp, const PtxOp *op, int lane, const PtxFault *fault) {
  return ptxFaultAt(warp, op, lane, fault->code, "%s", fault->text);
}

/// Joins the groups that stand at one instruction; makes `current` one of those that can run: the
/// one furthest behind, or any by chance. False for none.
static bool selectGroup(PtxWarp *warp, bool byChance) {
  for (int i = 0; i < warp->groupCount; ++i)
    for (int j = warp->groupCount - 1; j > i; --j) {
      PtxGroup *group = &warp->groups[i], *other = &warp->groups[j];
      if (group->pc != other->pc || group->hasArrived || other->hasArrived) continue;
      group->mask |= other->mask;
      group->waiting = PTX_RUNS;
      *other = warp->groups[--warp->groupCount];
    }
  int best = -1, seen = 0;
  for (int i = 0; i < warp->groupCount; ++i) {
    if (warp->groups[i].waiting != PTX_RUNS) continue;
    bool isBetter = best < 0 || (byChance ? ptxRandom(ptxGrid(warp), (uint32_t)++seen + 1) == 0
                                          : warp->groups[i].pc < warp->groups[best].pc);
    if (isBetter) best = i;
  }
  warp->current = best < 0 ? 0 : best;
  return best >= 0;
}

void ptxJump(PtxWarp *warp, uint32_t taken, int target) {
  PtxGroup *group = ptxGroup(warp);
  uint32_t others = group->mask & ~taken;
  if (!others) {
    group->pc = target;
  } else if (!taken) {
    ++group->pc;
  } else {
    PtxGroup *added = &warp->groups[warp->groupCount++];
    *added = (PtxGroup){.mask = taken, .pc = target};
    group->mask = others, ++group->pc;
  }
  if (warp->groupCount > 1) selectGroup(warp, false);
}

void ptxReturn(PtxWarp *warp, uint32_t mask) {
  PtxGroup *group = ptxGroup(warp);
  warp->living &= ~mask;
  group->mask &= ~mask;
  ++group->pc;
  if (!group->mask) *group = warp->groups[--warp->groupCount];
  // Those that wait for lanes may have all that there are.
  for (int i = 0; i < warp->groupCount; ++i)
    if (warp->groups[i].waiting == PTX_WAITS_LANES) warp->groups[i].waiting = PTX_RUNS;
  // What was given to bulk copies is read, though nobody waited.
  if (!warp->living) ptxLandBulks(warp, 0, true);
  ptxLeaveBarriers(warp, mask);
  selectGroup(warp, false);
}

/// An instruction of lanes, for some of them.
static void runLanes(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  void *d = ptxRow(warp, op->d);
  const void *a = ptxRow(warp, op->s[0]), *b = ptxRow(warp, op->s[1]), *c = ptxRow(warp, op->s[2]);
  if (mask == UINT32_MAX) {
    op->lanes(op, d, a, b, c);
    return;
  }
  _Alignas(64) uint64_t all[PTX_LANES];
  op->lanes(op, all, a, b, c);
  if (op->dBytes == 1) {
    PtxU32 *to = d;
    *to = (*to & ~mask) | ((uint32_t)*(const PtxU32 *)all & mask);
  } else if (op->dBytes == 4) {
    const PtxU32 *from = (const PtxU32 *)all;
    PtxU32 *to = d;
    for (int i = 0; i < PTX_LANES; ++i) to[i] = mask >> i & 1 ? from[i] : to[i];
  } else {
    PtxU64 *to = d;
    for (int i = 0; i < PTX_LANES; ++i) to[i] = mask >> i & 1 ? all[i] : to[i];
  }
}

static PtxStatus runWatched(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  PtxFault fault = {0};
  ptxRaceEnter(warp, op);
  PtxStatus status = op->run(warp, op, mask);
  if (ptxRaceCheckSame(warp->block->cluster, &fault)) return status;
  return ptxFaultWith(warp, op, ptxFirst(mask), &fault);
}

static PtxStatus step(PtxWarp *warp, PtxGroup *group) {
  const PtxOp *op = &warp->entry->ops[group->pc];
  uint32_t mask = group->mask;
  if (op->isConvergent && mask != warp->living)
    return group->waiting = PTX_WAITS_LANES, PTX_BLOCKED;
  if (op->guard) {
    uint32_t bits = *(const PtxU32 *)ptxRow(warp, op->guardRow);
    mask &= op->guard < 0 ? ~bits : bits;
    if (!mask) return PTX_NEXT;
  }
  if (warp->products.count && ptxTouchesProducts(warp, op))
    return ptxFaultAt(
        warp, op, ptxFirst(mask), PTX_FAILED,
        "expected wgmma.wait_group before a register that wgmma.mma_async has is used");
  if (warp->fresh) ptxNoteRegisters(warp, op);
  if (op->lanes) {
    runLanes(warp, op, mask);
    return PTX_NEXT;
  }
  return warp->block->cluster->races ? runWatched(warp, op, mask) : op->run(warp, op, mask);
}

/// All groups wait: whether for lanes alone, which then never come.
static bool checkGroups(PtxWarp *warp) {
  for (int i = 0; i < warp->groupCount; ++i)
    if (warp->groups[i].waiting != PTX_WAITS_LANES) return true;
  const PtxGroup *group = &warp->groups[0];
  ptxFaultAt(warp, &warp->entry->ops[group->pc], ptxFirst(group->mask), PTX_FAILED,
             "expected lanes %08x at an instruction that they run together, found %08x",
             warp->living, group->mask);
  return false;
}

bool ptxRunWarp(PtxWarp *warp, int budget) {
  PtxGrid *grid = ptxGrid(warp);
  int done = 0;
  for (int i = 0; i < warp->groupCount; ++i)
    if (warp->groups[i].waiting == PTX_WAITS) warp->groups[i].waiting = PTX_RUNS;
  // Lanes that wait for others of their warp see them go on, in some turns.
  bool byChance = warp->groupCount > 1 && ptxRandom(grid, 8) == 0;
  if (!selectGroup(warp, byChance)) return warp->groupCount && !checkGroups(warp);
  while (done < budget && warp->groupCount) {
    PtxGroup *group = ptxGroup(warp);
    PtxStatus status = step(warp, group);
    if (status == PTX_NEXT) {
      ++group->pc;
      if (warp->groupCount > 1) selectGroup(warp, byChance);
    } else if (status == PTX_BLOCKED) {
      if (group->waiting == PTX_RUNS) group->waiting = PTX_WAITS;
      if (!selectGroup(warp, false)) {
        checkGroups(warp);
        break;
      }
      continue;
    } else if (status == PTX_FAULTED) {
      break;
    }
    ++done, ++grid->steps;
  }
  return done > 0 || grid->fault.code;
}
