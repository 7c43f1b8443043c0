//===- TileParse.cpp - calling MLIR's parsers on text of strangers --------===//
#include "TileParse.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Visitors.h"
#include "tile/Support/Source.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <csignal>
#include <mutex>
#include <vector>
using namespace mlir;

/// LLVM's handlers of crashes, which the process has while at least one thread parses, and not a
/// moment longer: they are the host's signals. A crash in a thread that does not parse goes on to
/// the handlers that were there before.
class CrashHandlers {
public:
  CrashHandlers() {
    std::lock_guard<std::mutex> lock(mutex());
    if (users()++ == 0) install();
  }
  ~CrashHandlers() {
    std::lock_guard<std::mutex> lock(mutex());
    if (--users() == 0) llvm::CrashRecoveryContext::Disable();
  }

private:
  static std::mutex &mutex() {
    static std::mutex one;
    return one;
  }
  static int &users() {
    static int count = 0;
    return count;
  }
  /// They run on the stack of what crashed, which may be what is used up: so they ask for another.
  static void install() {
    llvm::CrashRecoveryContext::Enable();
    for (int number : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE}) {
      struct sigaction action;
      if (sigaction(number, nullptr, &action)) continue;
      action.sa_flags |= SA_ONSTACK;
      sigaction(number, &action, nullptr);
    }
  }
};

/// A stack of this thread's for handlers.
class HandlerStack {
public:
  HandlerStack() {
    stack_t own = {};
    own.ss_sp = memory.data();
    own.ss_size = memory.size();
    sigaltstack(&own, &former);
  }
  ~HandlerStack() { sigaltstack(&former, nullptr); }

private:
  std::vector<char> memory = std::vector<char>(256 << 10);
  stack_t former;
};

/// Some parsers of MLIR's own dialects go on after their errors, with what is not there (22.1:
/// linalg.transpose whose permutation is no list of integers). False where `work` ended that way.
static bool survive(llvm::function_ref<void()> work) {
  HandlerStack stack;
  CrashHandlers handlers;
  llvm::CrashRecoveryContext recovery;
  return recovery.RunSafely(work);
}

bool tile::parseSafely(MLIRContext *context, StringRef text, StringRef name,
                       llvm::function_ref<void()> parser) {
  // Bytecode has neither brackets nor digits.
  int line = 1, column = 1;
  const char *excess = isBytecode(llvm::MemoryBufferRef(text, name))
                           ? nullptr
                           : tileSourceFindExcess(text.data(), text.size(), &line, &column);
  if (excess) {
    emitError(FileLineColLoc::get(context, name, line, column), excess);
    return false;
  }
  if (survive(parser)) return true;
  emitError(FileLineColLoc::get(context, name, 1, 1), TILE_SOURCE_CRASHES);
  return false;
}

//===- what aliases stand for -----------------------------------------------===//

namespace {
using Part = llvm::PointerUnion<Attribute, Type>;

/// Of an attribute or type as it is written out.
struct Extent {
  uint64_t parts = 1;
  unsigned depth = 1;
};

/// Each is looked at once, however often it is used.
class Measure {
public:
  Extent of(Part part);
  /// An integer that is too wide, if there was one.
  IntegerType wide;

private:
  struct Frame {
    Part whole;
    SmallVector<Part> parts;
    size_t next = 0;
    Extent extent;
  };
  void begin(std::vector<Frame> &frames, Part part);
  llvm::DenseMap<const void *, Extent> known;
};
} // namespace

void Measure::begin(std::vector<Frame> &frames, Part part) {
  // What refers to itself by a name ends there.
  known[part.getOpaqueValue()] = Extent();
  Frame frame;
  frame.whole = part;
  auto add = [&](auto each) {
    if (each) frame.parts.push_back(each);
  };
  if (auto attribute = dyn_cast<Attribute>(part))
    attribute.walkImmediateSubElements(add, add);
  else
    cast<Type>(part).walkImmediateSubElements(add, add);
  auto integer = dyn_cast_or_null<IntegerType>(dyn_cast<Type>(part));
  if (integer && integer.getWidth() > TILE_MAX_INTEGER_BITS) wide = integer;
  frames.push_back(std::move(frame));
}

Extent Measure::of(Part part) {
  std::vector<Frame> frames;
  if (!known.contains(part.getOpaqueValue())) begin(frames, part);
  while (!frames.empty()) {
    Frame &frame = frames.back();
    if (frame.next == frame.parts.size()) {
      known[frame.whole.getOpaqueValue()] = frame.extent;
      frames.pop_back();
      continue;
    }
    auto found = known.find(frame.parts[frame.next].getOpaqueValue());
    if (found == known.end()) {
      begin(frames, frame.parts[frame.next]);
      continue;
    }
    // A sum of such numbers must not wrap around.
    frame.extent.parts = std::min(frame.extent.parts + found->second.parts, uint64_t(1) << 40);
    frame.extent.depth = std::max(frame.extent.depth, found->second.depth + 1);
    ++frame.next;
  }
  return known[part.getOpaqueValue()];
}

/// Where the op is, in a location that is not nested itself.
static Location placeOf(Operation *op) {
  Location place = op->getLoc();
  for (unsigned steps = 0; steps < 64; ++steps) {
    if (auto name = dyn_cast<NameLoc>(place))
      place = name.getChildLoc();
    else if (auto call = dyn_cast<CallSiteLoc>(place))
      place = call.getCallee();
    else if (auto fused = dyn_cast<FusedLoc>(place); fused && !fused.getLocations().empty())
      place = fused.getLocations().front();
    else
      return place;
  }
  return UnknownLoc::get(op->getContext());
}

static WalkResult measureOp(Operation *op, Measure &measure, uint64_t &sum) {
  Extent all = measure.of(op->getAttrDictionary());
  auto add = [&](Part part) {
    Extent extent = measure.of(part);
    all.parts += extent.parts;
    all.depth = std::max(all.depth, extent.depth);
  };
  add(Attribute(op->getLoc()));
  for (Type type : op->getResultTypes()) add(type);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes()) add(type);
  sum += all.parts;
  static_assert(TILE_MAX_INTEGER_BITS == 4096 && TILE_MAX_NESTING == 512 &&
                    TILE_MAX_PARTS == 1 << 26,
                "as in the texts below");
  if (measure.wide) {
    emitError(placeOf(op)) << "expected integers of at most 4096 bits, found " << measure.wide;
    return WalkResult::interrupt();
  }
  // Its location may itself be what is too deep.
  if (all.depth > TILE_MAX_NESTING)
    emitError(placeOf(op)) << "expected attributes and types that are nested at most 512 "
                              "deep, found '"
                           << op->getName() << "' with more";
  else if (sum > TILE_MAX_PARTS)
    emitError(placeOf(op)) << "expected attributes and types of at most 67108864 parts where "
                              "they are written out, found more up to '"
                           << op->getName() << "'";
  else
    return WalkResult::advance();
  return WalkResult::interrupt();
}

bool tile::isWithinLimits(Operation *op) {
  Measure measure;
  uint64_t sum = 0;
  return !op->walk<WalkOrder::PreOrder>([&](Operation *each) {
              return measureOp(each, measure, sum);
            }).wasInterrupted();
}

bool tile::isWithinLimits(Block *block) {
  Measure measure;
  uint64_t sum = 0;
  return !block
              ->walk<WalkOrder::PreOrder>(
                  [&](Operation *each) { return measureOp(each, measure, sum); })
              .wasInterrupted();
}
