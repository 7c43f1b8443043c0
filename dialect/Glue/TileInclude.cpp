//===- TileInclude.cpp - files that include others ------------------------===//
#include "TileInclude.h"
#include "Tile.h"
#include "TileParse.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>
using namespace mlir;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// More than that are no helpers that somebody wrote.
static constexpr uint64_t mostBytes = 16 << 20;
static constexpr size_t mostWithin = 64;

namespace {
class Includer {
public:
  explicit Includer(tile::TextParser parser) : parser(parser) {}
  /// `file` is the path of what `body` was read from.
  LogicalResult resolve(Block *body, StringRef file);
  /// Counts `file` as one that is there, so that nothing includes it.
  void begin(StringRef file) { within.push_back(realPath(file)); }

private:
  static std::string realPath(StringRef file) {
    SmallString<128> real;
    return fs::real_path(file, real) ? file.str() : std::string(real);
  }
  LogicalResult include(tile::IncludeOp op, StringRef file);
  LogicalResult read(tile::IncludeOp op, StringRef found);

  tile::TextParser parser;
  llvm::StringSet<> known;
  SmallVector<std::string> within; // each includes the next
};
} // namespace

/// The folders beside the program or library that this is part of: of an installation, and of the
/// sources, in whose build folder it is.
static SmallVector<std::string> sharedFolders() {
  Dl_info self;
  SmallVector<std::string> folders;
  if (!dladdr(reinterpret_cast<void *>(&sharedFolders), &self) || !self.dli_fname) return folders;
  // A program that was found in PATH is called as it was called.
  std::string own = self.dli_fname;
  if (!StringRef(own).contains('/')) own = fs::getMainExecutable(self.dli_fname, nullptr);
  SmallString<128> real;
  if (fs::real_path(own, real)) return folders;
  StringRef folder = path::parent_path(real);
  for (int up = 0; up < 3; ++up) {
    folder = path::parent_path(folder);
    SmallString<128> shared(folder);
    path::append(shared, "share");
    folders.push_back(std::string(shared));
  }
  return folders;
}

/// The folder of a file that MLIR calls so: the name of a part of a file (-split-input-file) is
/// "within split at FILE:LINE offset ".
static StringRef folderOf(StringRef file) {
  if (file.consume_front("within split at ")) file = file.rsplit(':').first;
  return path::parent_path(file);
}

LogicalResult Includer::read(tile::IncludeOp op, StringRef found) {
  auto buffer = llvm::MemoryBuffer::getFile(found, /*IsText=*/false);
  if (!buffer)
    return op.emitOpError("expected to read '")
           << found << "', found: " << buffer.getError().message();
  StringRef text = (*buffer)->getBuffer();
  if (text.size() > mostBytes)
    return op.emitOpError("expected at most ")
           << mostBytes << " bytes in '" << found << "', found " << text.size();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  Block body;
  LogicalResult parsed = failure();
  bool survived = tile::parseSafely(op.getContext(), text, found, [&] {
    parsed = parser(sources, &body, ParserConfig(op.getContext(), false), nullptr, nullptr);
  });
  if (!survived || failed(parsed)) {
    emitRemark(op.getLoc(), "included here");
    return failure();
  }
  auto written = llvm::hasSingleElement(body) ? dyn_cast<ModuleOp>(body.front()) : ModuleOp();
  Block *all = written ? written.getBody() : &body;
  if (failed(resolve(all, found))) {
    emitRemark(op.getLoc(), "included here");
    return failure();
  }
  for (Operation &each : llvm::make_early_inc_range(*all)) {
    auto host = dyn_cast<func::FuncOp>(each);
    if (isa<tile::FuncOp>(each) || (host && host.isPrivate())) each.moveBefore(op);
  }
  return success();
}

LogicalResult Includer::include(tile::IncludeOp op, StringRef file) {
  auto name = op->getAttrOfType<StringAttr>("path");
  StringRef wanted = name ? name.getValue() : StringRef();
  if (wanted.empty() || path::is_absolute(wanted) || wanted.contains('\0'))
    return op.emitOpError("expected a path from the file's own folder, found '") << wanted << "'";
  SmallVector<std::string> folders = sharedFolders();
  folders.insert(folders.begin(), folderOf(file).str());
  for (StringRef folder : folders) {
    SmallString<128> candidate(folder);
    path::append(candidate, wanted);
    if (!fs::is_regular_file(candidate)) continue;
    std::string real = realPath(candidate);
    if (llvm::is_contained(within, real))
      return op.emitOpError("expected a file that does not include itself, found '")
             << wanted << "', which does";
    if (within.size() > mostWithin)
      return op.emitOpError("expected at most ")
             << mostWithin << " files that include each other, found more";
    if (!known.insert(real).second) return success();
    within.push_back(real);
    LogicalResult result = read(op, candidate);
    within.pop_back();
    return result;
  }
  return op.emitOpError("expected a file '")
         << wanted << "' beside this one or installed with tile, found none";
}

LogicalResult Includer::resolve(Block *body, StringRef file) {
  for (auto op : llvm::make_early_inc_range(body->getOps<tile::IncludeOp>())) {
    if (failed(include(op, file))) return failure();
    op.erase();
  }
  return success();
}

LogicalResult tile::resolveIncludes(ModuleOp module, StringRef file, TextParser parser) {
  if (module.getBody()->getOps<IncludeOp>().empty()) return success();
  Includer includer(parser);
  includer.begin(file);
  return includer.resolve(module.getBody(), file);
}
