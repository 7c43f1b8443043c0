//===- TileSchedule.cpp - how blocks and warps share a kernel's work ------===//
#include "Tile.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/DialectImplementation.h"
#include "tile/Schedule.h"
using namespace mlir;

namespace tile {

namespace {
/// The fields of a schedule as they are parsed and printed.
struct Fields {
  Programs programs = Programs::Grid;
  int64_t groupRows = 16, cluster = 1, stages = 0, producers = 1;
  Stores stores = Stores::Whole;
  int64_t turns = 0;
  LastRound lastRound = LastRound::Whole;
  int64_t warmSteps = 0, parts = 1, blocks = 1, ahead = 1, splits = 1, waited = 0, columns = 1;
};
} // namespace

/// One of an enumeration's words.
template <typename Enum>
static ParseResult parseWord(AsmParser &p, std::optional<Enum> (*find)(StringRef), StringRef words,
                             Enum &value) {
  StringRef word;
  SMLoc loc = p.getCurrentLocation();
  if (p.parseKeyword(&word)) return failure();
  std::optional<Enum> found = find(word);
  if (!found) return p.emitError(loc) << "expected " << words << ", found '" << word << "'";
  value = *found;
  return success();
}

static ParseResult parseField(AsmParser &p, SMLoc loc, StringRef key, Fields &f) {
  if (key == "programs")
    return parseWord<Programs>(p, symbolizePrograms, "grid, loop, serpentine or one", f.programs);
  if (key == "stores")
    return parseWord<Stores>(p, symbolizeStores, "whole, boxes, at_once or deferred", f.stores);
  if (key == "last_round")
    return parseWord<LastRound>(p, symbolizeLastRound, "whole, shared or split", f.lastRound);
  int64_t *number = llvm::StringSwitch<int64_t *>(key)
                        .Case("group_rows", &f.groupRows)
                        .Case("cluster", &f.cluster)
                        .Case("stages", &f.stages)
                        .Case("producers", &f.producers)
                        .Case("turns", &f.turns)
                        .Case("warm_steps", &f.warmSteps)
                        .Case("parts", &f.parts)
                        .Case("blocks", &f.blocks)
                        .Case("ahead", &f.ahead)
                        .Case("splits", &f.splits)
                        .Case("waited", &f.waited)
                        .Case("columns", &f.columns)
                        .Default(nullptr);
  if (!number)
    return p.emitError(loc) << "expected programs, group_rows, cluster, stages, producers, stores, "
                               "turns, last_round, warm_steps, parts, blocks, ahead, splits, "
                               "waited or columns, found '"
                            << key << "'";
  return p.parseInteger(*number);
}

Attribute ScheduleAttr::parse(AsmParser &p, Type) {
  Fields f;
  SmallVector<StringRef> seen;
  SMLoc start = p.getCurrentLocation();
  auto parseOne = [&]() -> ParseResult {
    StringRef key;
    SMLoc loc = p.getCurrentLocation();
    if (p.parseKeyword(&key)) return failure();
    if (llvm::is_contained(seen, key))
      return p.emitError(loc) << "expected each key once, found '" << key << "' again";
    seen.push_back(key);
    return failure(p.parseEqual() || parseField(p, loc, key, f));
  };
  if (p.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseOne)) return {};
  auto emit = [&] { return p.emitError(start); };
  return ScheduleAttr::getChecked(
      emit, p.getContext(), f.programs, f.groupRows, f.cluster, f.stages, f.producers, f.stores,
      f.turns, f.lastRound, f.warmSteps, f.parts, f.blocks, f.ahead, f.splits, f.waited, f.columns);
}

void ScheduleAttr::print(AsmPrinter &p) const {
  p << "<programs = " << stringifyPrograms(getPrograms()) << ", group_rows = " << getGroupRows()
    << ", cluster = " << getCluster() << ", stages = " << getStages()
    << ", producers = " << getProducers() << ", stores = " << stringifyStores(getStores())
    << ", turns = " << getTurns() << ", last_round = " << stringifyLastRound(getLastRound())
    << ", warm_steps = " << getWarmSteps();
  if (getParts() != 1) p << ", parts = " << getParts();
  if (getBlocks() != 1) p << ", blocks = " << getBlocks();
  if (getAhead() != 1) p << ", ahead = " << getAhead();
  if (getSplits() != 1) p << ", splits = " << getSplits();
  if (getWaited()) p << ", waited = " << getWaited();
  if (getColumns() != 1) p << ", columns = " << getColumns();
  p << ">";
}

/// Each number by itself.
static LogicalResult verifyNumbers(function_ref<InFlightDiagnostic()> emitError, const Fields &f) {
  // 1024 is a buffer's limit.
  if (f.stages < 2 || f.stages > 1024)
    return emitError() << "expected 2 to 1024 stages, found " << f.stages;
  if (f.groupRows < 0 || f.groupRows > INT32_MAX)
    return emitError() << "expected groups of rows, or 0 for none, found " << f.groupRows;
  if (!llvm::is_contained({1, 2, 4, 8}, f.cluster))
    return emitError() << "expected clusters of 1, 2, 4 or 8 blocks, found " << f.cluster;
  if (f.producers != 1 && f.producers != 2)
    return emitError() << "expected one or two producers, found " << f.producers;
  // A group that waits for its turn holds slots, and has to leave one to the copies.
  if (f.turns < 0 || f.turns >= f.stages)
    return emitError() << "expected fewer turns than stages, " << f.stages << ", found " << f.turns;
  if (f.warmSteps < 0 || f.warmSteps > 1024)
    return emitError() << "expected at most 1024 steps to warm the cache with, found "
                       << f.warmSteps;
  if (f.parts < 1 || f.parts > 8)
    return emitError() << "expected 1 to 8 parts of a loop, found " << f.parts;
  if (f.blocks < 1 || f.blocks > 32)
    return emitError() << "expected 1 to 32 blocks of a multiprocessor, found " << f.blocks;
  if (f.splits < 1 || f.splits > 32)
    return emitError() << "expected a loop split among 1 to 32 clusters, found " << f.splits;
  if (f.ahead != 1 && f.ahead != 2)
    return emitError() << "expected one or two slots ahead, found " << f.ahead;
  if (f.waited < 0 || f.waited > f.stages)
    return emitError() << "expected at most as many slots where dots are waited for as elsewhere, "
                       << f.stages << ", found " << f.waited;
  if (f.columns != 1 && f.columns != 2)
    return emitError() << "expected clusters that have one or two columns, found " << f.columns;
  return success();
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError, Programs programs,
                                   int64_t groupRows, int64_t cluster, int64_t stages,
                                   int64_t producers, Stores stores, int64_t turns,
                                   LastRound lastRound, int64_t warmSteps, int64_t parts,
                                   int64_t blocks, int64_t ahead, int64_t splits, int64_t waited,
                                   int64_t columns) {
  Fields f = {programs,  groupRows, cluster, stages, producers, stores, turns,  lastRound,
              warmSteps, parts,     blocks,  ahead,  splits,    waited, columns};
  if (failed(verifyNumbers(emitError, f))) return failure();
  bool splitsLast = lastRound == LastRound::Split;
  if (splitsLast && (programs != Programs::Loop || producers > 1 || splits == 1))
    return emitError() << "expected two splits or more, and one producer, with rounds of programs "
                          "(programs = loop) to split the last of, found others";
  if (splitsLast && (stores == Stores::Deferred || stores == Stores::AtOnce))
    return emitError() << "expected results that leave whole or in boxes where turns have a part "
                          "each of a program, found others";
  if (splits > 1 && !splitsLast && (cluster > 1 || programs != Programs::Grid))
    return emitError() << "expected blocks with a program each (programs = grid), that share no "
                          "copies, where they add up parts of its loop in memory, found others";
  if (parts > 1 && programs != Programs::Grid)
    return emitError() << "expected a cluster for each program (programs = grid) where blocks have "
                          "parts of its loop, found other programs";
  // What is asked for is where a block's only part begins.
  if (splitsLast && warmSteps)
    return emitError() << "expected no steps to warm the cache with where turns have parts of a "
                          "loop, found "
                       << warmSteps;
  if (cluster > 1 && programs == Programs::Grid)
    return emitError() << "expected clusters that number their programs (loop or one), found grid";
  if (columns > 1 && (cluster < 4 || !groupRows))
    return emitError() << "expected clusters of 4 or 8 blocks, and groups of rows, where each has "
                          "two columns, found others";
  if (programs == Programs::Serpentine && (cluster > 1 || lastRound == LastRound::Shared))
    return emitError() << "expected programs = loop for clusters and shared last rounds, found "
                          "serpentine";
  if (cluster == 1 && programs == Programs::One)
    return emitError() << "expected clusters with programs = one, found blocks on their own";
  if (producers == 2 && (cluster == 1 || programs != Programs::Loop))
    return emitError() << "expected two producers to take turns with the programs of clusters, "
                          "found other programs";
  if (blocks > 1 && cluster > 1)
    return emitError() << "expected blocks of clusters to have a multiprocessor each, found "
                       << blocks << " on one";
  if (stores == Stores::Deferred && programs != Programs::Loop && programs != Programs::Serpentine)
    return emitError() << "expected a next program (programs = loop or serpentine) to defer stores "
                          "to, found none";
  if (ahead > 1 && programs != Programs::Loop && programs != Programs::Serpentine)
    return emitError() << "expected a next program (programs = loop or serpentine) to copy ahead "
                          "for, found none";
  if (lastRound == LastRound::Shared && programs != Programs::Loop)
    return emitError() << "expected rounds of programs (programs = loop) to share the last of, "
                          "found none";
  if (lastRound == LastRound::Shared && stores == Stores::Whole)
    return emitError() << "expected results in boxes where two blocks have a program, found them "
                          "whole";
  return success();
}

} // namespace tile

//===- from C -------------------------------------------------------------===//

MlirAttribute tileScheduleToAttr(MlirContext context, const TileSchedule *s) {
  MLIRContext *c = unwrap(context);
  auto emit = [&] { return emitError(UnknownLoc::get(c)); };
  Attribute attr = tile::ScheduleAttr::getChecked(
      emit, c, static_cast<tile::Programs>(s->programs), s->groupRows, s->cluster, s->stages,
      s->producers, static_cast<tile::Stores>(s->stores), s->turns,
      static_cast<tile::LastRound>(s->lastRound), s->warmSteps, s->parts, s->blocks, s->ahead,
      s->splits, s->waited, s->columns);
  return wrap(attr);
}

bool tileScheduleFromAttr(MlirAttribute attr, TileSchedule *s) {
  auto a = dyn_cast_or_null<tile::ScheduleAttr>(unwrap(attr));
  if (!a) return false;
  *s = {static_cast<TilePrograms>(a.getPrograms()),
        a.getGroupRows(),
        a.getCluster(),
        a.getStages(),
        a.getProducers(),
        static_cast<TileStores>(a.getStores()),
        a.getTurns(),
        static_cast<TileLastRound>(a.getLastRound()),
        a.getWarmSteps(),
        a.getParts(),
        a.getBlocks(),
        a.getAhead(),
        a.getSplits(),
        a.getWaited(),
        a.getColumns()};
  return true;
}
