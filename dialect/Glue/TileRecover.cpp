//===- TileRecover.cpp - all errors of a text, with what mends them -------===//
#include "TileRecover.h"
#include "TileNames.h"
#include "TileParse.h"
#include "TileText.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Verifier.h"
#include "tile/Support/Hints.h"
#include "tile/Support/Render.h"
#include "tile/Support/Source.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"
#include <cstdlib>
#include <set>
using namespace mlir;

/// More errors than these nobody reads; each round parses the whole text anew, and each error that
/// is looked at reads it up to there.
static constexpr size_t maxErrors = 20, maxRounds = 24, maxText = 4 << 20, maxLooks = 1000;

tile::CaughtDiagnostics::CaughtDiagnostics(MLIRContext *context)
    : owner(std::this_thread::get_id()), handler(context, [this](Diagnostic &diagnostic) {
        if (std::this_thread::get_id() != owner) return failure();
        all.push_back(std::move(diagnostic));
        return success();
      }) {}

static bool isError(const Diagnostic &diagnostic) {
  return diagnostic.getSeverity() == DiagnosticSeverity::Error;
}

void tile::emitAll(MLIRContext *context, std::vector<Diagnostic> diagnostics) {
  size_t errors = 0, all = llvm::count_if(diagnostics, isError);
  // A text that is read several times warns as often.
  std::set<std::pair<const void *, std::string>> warned;
  for (Diagnostic &each : diagnostics) {
    if (each.getSeverity() == DiagnosticSeverity::Warning &&
        !warned.emplace(each.getLocation().getAsOpaquePointer(), each.str()).second)
      continue;
    errors += isError(each);
    if (errors > maxErrors) return;
    if (errors == maxErrors && all > maxErrors && isError(each))
      each.attachNote(UnknownLoc::get(context)) << all - maxErrors << " more errors are not shown";
    context->getDiagEngine().emit(std::move(each));
  }
}

//===- parsing ------------------------------------------------------------===//

namespace {
/// A text of which places are looked for, by lines and columns.
struct Source {
  StringRef text, name;
  std::vector<size_t> lines = {0};

  Source(StringRef text, StringRef name) : text(text), name(name) {
    for (size_t at = text.find('\n'); at != StringRef::npos; at = text.find('\n', at + 1))
      lines.push_back(at + 1);
  }

  /// The byte of the text that a location names; npos where it names none of it.
  size_t findOffset(Location loc) const {
    TileSourcePlace place;
    if (!tileSourceFind(wrap(loc), &place) || place.line < 1 || place.column < 1 ||
        unwrap(place.file) != name || static_cast<size_t>(place.line) > lines.size())
      return StringRef::npos;
    size_t offset =
        lines[static_cast<size_t>(place.line) - 1] + static_cast<size_t>(place.column) - 1;
    return offset < text.size() ? offset : StringRef::npos;
  }
};
} // namespace

/// "help: ..", where something is known that helps.
static void addHint(MLIRContext *context, StringRef text, size_t offset, Diagnostic &diagnostic) {
  TileText hint = {};
  std::string message = diagnostic.str();
  if (tileHintFind(wrap(context), wrap(text), offset, wrap(StringRef(message)), &hint))
    diagnostic.attachNote(diagnostic.getLocation()) << TILE_HELP << StringRef(hint.data, hint.size);
  free(hint.data);
}

namespace {
/// The text, without the statements that had errors.
struct Remains {
  std::string text;
  /// "12:%x": what statements that were taken out define, and in which function, by its place. An
  /// alias is everybody's.
  llvm::StringSet<> lost;

  static std::string key(size_t outermost, StringRef name) {
    return (Twine(name.starts_with("%") ? outermost : 0) + ":" + name).str();
  }

  /// Takes the statement out of the text, which keeps its lines; and out of `whole` too the brace
  /// that was to close a region of it whose opening one is missing. False where it was taken out.
  bool takeOut(const TileStatement &s, std::string &whole) {
    size_t at = s.begin;
    const char *name;
    while (size_t length = tileStatementNextName(text.data(), &s, &at, &name))
      lost.insert(key(s.outermost, StringRef(name, length)));
    // A statement that the text breaks off ends one behind it.
    bool was = s.begin < text.size() && text[s.begin] != ' ';
    for (size_t i = s.begin; i < std::min(s.end, text.size()); ++i)
      if (text[i] != '\n') text[i] = ' ';
    size_t brace = closesMore(whole) ? findStrayBrace(whole, s) : StringRef::npos;
    if (brace != StringRef::npos) text[brace] = whole[brace] = ' ';
    return was;
  }

  /// Has the text more braces that close than that open?
  static bool closesMore(StringRef text) {
    ptrdiff_t open = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '"')
        for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\';
      else if (text.substr(i).starts_with("//"))
        i = std::min(text.find('\n', i), text.size());
      else
        open += (text[i] == '{') - (text[i] == '}');
    }
    return open < 0;
  }

  /// Behind a statement, a closing brace that stands where the statement does, alone on its line:
  /// that of the block around it stands less deep.
  static size_t findStrayBrace(StringRef text, const TileStatement &s) {
    size_t at = text.find_first_not_of(" \n", s.end);
    if (at == StringRef::npos || text[at] != '}') return StringRef::npos;
    size_t column = s.begin - (text.rfind('\n', s.begin) + 1);
    size_t line = text.rfind('\n', at);
    bool isAlone = text.substr(at + 1).take_until([](char c) { return c == '\n'; }).trim().empty();
    bool isOwn = line != StringRef::npos && line >= s.end && at - line - 1 == column;
    return isAlone && isOwn ? at : StringRef::npos;
  }

  /// A name that one function uses and has lost is taken for one of the next function that defines
  /// it: MLIR's parser then complains of that definition, with a note at the use. True where it is
  /// so, and the statement of the use.
  bool isUseOfLost(const Source &source, Diagnostic &error, TileStatement &use) const {
    std::string message = error.str();
    if (!StringRef(message).starts_with("definition of SSA value")) return false;
    StringRef name = StringRef(message).split('\'').second.split('\'').first.split('#').first;
    for (Diagnostic &note : error.getNotes()) {
      size_t at = source.findOffset(note.getLocation());
      bool is = at != StringRef::npos &&
                tileStatementFind(source.text.data(), source.text.size(), at, &use) &&
                lost.contains(key(use.outermost, name));
      if (is) return true;
    }
    return false;
  }

  /// Is the error, which names what is `at` the original, that a name is not there, or has another
  /// type, of a statement taken out?
  bool follows(StringRef message, const char *at, const TileStatement &s) const {
    bool value = message.contains("use of undeclared SSA value name") ||
                 message.contains("expects different type than prior uses");
    if (message.contains("undefined symbol alias id")) {
      std::string alias = message.split('\'').second.split('\'').first.str();
      return lost.contains(key(0, "!" + alias)) || lost.contains(key(0, "#" + alias));
    }
    if (!value) return false;
    StringRef name(at, tileRenderMeasureWord(at));
    return lost.contains(key(s.outermost, name.take_until([](char c) { return c == '#'; }))) ||
           lost.contains(key(s.outermost, name));
  }
};
} // namespace

/// An error that stands in front of the op's name, or says there what it, or another op, expected,
/// is one of the statement before, which has no end.
static bool isOfTheOneBefore(StringRef text, StringRef message, size_t offset,
                             const TileStatement &s) {
  if (message.contains("cannot name an operation with no results")) return false;
  if (offset < s.op) return true;
  if (offset > s.op) return false;
  StringRef op = text.drop_front(s.op).take_until([](char c) { return c == ' ' || c == '\n'; });
  return message.starts_with("expected") ||
         (message.consume_front("custom op '") && message.contains("' expected") &&
          message.split('\'').first != op);
}

/// Where the last thing of the statement before `s` stands, which is on the same level; npos where
/// there is none.
static size_t findEndBefore(StringRef text, TileStatement &s) {
  size_t at = text.rfind('\n', s.begin);
  while (at != StringRef::npos) {
    size_t begin = at ? text.rfind('\n', at - 1) : StringRef::npos;
    begin = begin == StringRef::npos ? 0 : begin + 1;
    StringRef line = text.slice(begin, at);
    line = line.take_front(line.find("//")).rtrim();
    TileStatement before;
    if (!line.empty()) {
      size_t last = begin + line.size() - 1;
      if (!tileStatementFind(text.data(), text.size(), last, &before) || before.begin >= s.begin ||
          before.end > s.begin)
        return StringRef::npos;
      s = before;
      return last;
    }
    at = begin ? begin - 1 : StringRef::npos;
  }
  return at;
}

/// The same words, behind the byte of the text.
static void moveBehind(Diagnostic &diagnostic, StringRef text, StringRef name, size_t last) {
  size_t line = text.take_front(last).count('\n'), begin = text.rfind('\n', last);
  begin = begin == StringRef::npos ? 0 : begin + 1;
  MLIRContext *context = diagnostic.getLocation().getContext();
  Diagnostic moved(FileLineColLoc::get(context, name, static_cast<unsigned>(line) + 1,
                                       static_cast<unsigned>(last - begin) + 2),
                   diagnostic.getSeverity());
  moved << diagnostic.str();
  diagnostic = std::move(moved);
}

/// Looks at the errors of one parse, from `first` on. False where the text cannot be mended.
/// `whole` is the text of the source.
static bool takeOutErrors(const Source &source, std::string &whole, Remains &remains,
                          std::vector<Diagnostic> &all, size_t first) {
  StringRef text = source.text;
  bool mended = false, ended = false;
  // Of those that nobody reads, some may follow from others.
  for (size_t i = first, looks = 0; i < all.size() && i <= maxErrors && looks < maxLooks; ++looks) {
    if (!isError(all[i])) {
      ++i;
      continue;
    }
    TileStatement s;
    if (remains.isUseOfLost(source, all[i], s)) {
      mended |= remains.takeOut(s, whole);
      all.erase(all.begin() + static_cast<ptrdiff_t>(i));
      continue;
    }
    std::string message = all[i].str();
    size_t offset = source.findOffset(all[i].getLocation());
    bool inside =
        offset != StringRef::npos && tileStatementFind(text.data(), text.size(), offset, &s);
    // The parser of an attribute said already what it expected.
    bool again = i > first && StringRef(message).contains("failed to parse");
    // All functions behind one without an end are inside of it: the first of them tells.
    auto isNested = [](Diagnostic &d) { return d.str().find("region entry argument") == 0; };
    again |= isNested(all[i]) && std::any_of(all.begin(), all.begin() + i, isNested);
    bool follows = again || (inside && remains.follows(message, text.data() + offset, s));
    // Nothing is to be opened any more where a brace is closed: what opened it was taken out.
    bool closes = first && offset != StringRef::npos && text[offset] == '}' &&
                  StringRef(message).contains("expected operation name");
    bool isBefore = inside && !follows && !closes && isOfTheOneBefore(text, message, offset, s);
    if (isBefore && (offset == s.begin || offset == s.op)) {
      size_t last = findEndBefore(text, s);
      if (last != StringRef::npos) {
        offset = last + 1;
        moveBehind(all[i], text, source.name, last);
        isBefore = false;
      }
    }
    bool unclear = closes || (!again && first && (!inside || isBefore));
    if (follows || unclear)
      all.erase(all.begin() + static_cast<ptrdiff_t>(i));
    else
      ++i;
    ended |= !again && (unclear || !inside || (!first && isBefore));
    if (again || !inside || ended) continue;
    mended |= remains.takeOut(s, whole);
  }
  return mended && !ended;
}

bool tile::recover(StringRef text, StringRef name, CaughtDiagnostics &caught,
                   llvm::function_ref<bool(StringRef)> again) {
  std::string whole = text.str();
  const Source source(whole, name);
  Remains remains;
  remains.text = whole;
  size_t first = 0;
  for (size_t round = 0; round < maxRounds; ++round) {
    if (!takeOutErrors(source, whole, remains, caught.all, first)) return false;
    if (text.size() > maxText || caught.all.size() > maxErrors) return false;
    first = caught.all.size();
    if (again(remains.text)) return true;
    if (first == caught.all.size()) return false;
  }
  return false;
}

/// In the order of the text; what has no place there stays behind what was said before it.
static void sortByPlace(const Source &source, std::vector<Diagnostic> &all) {
  std::vector<std::pair<size_t, size_t>> places;
  size_t last = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    size_t offset = source.findOffset(all[i].getLocation());
    last = offset == StringRef::npos ? last : offset;
    places.emplace_back(last, i);
  }
  llvm::sort(places);
  std::vector<Diagnostic> sorted;
  for (auto [offset, i] : places) sorted.push_back(std::move(all[i]));
  all = std::move(sorted);
}

//===- verifying ----------------------------------------------------------===//

static bool verifyInner(Operation *op) {
  bool ok = true;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps()) ok &= verifyInner(&nested);
  return ok && succeeded(verify(op, /*verifyRecursively=*/false));
}

bool tile::verifyEach(Operation *op) {
  // To print an op for its error, which nobody is shown, numbers the whole function.
  MLIRContext *context = op->getContext();
  bool prints = context->shouldPrintOpOnDiagnostic();
  context->printOpOnDiagnostic(false);
  bool ok = verifyInner(op);
  context->printOpOnDiagnostic(prints);
  return ok;
}

/// As verify(), but of each op.
static bool verifyModule(ModuleOp module, tile::CaughtDiagnostics &caught) {
  size_t before = caught.all.size();
  if (succeeded(verify(module))) return true;
  std::vector<Diagnostic> first(std::make_move_iterator(caught.all.begin() + before),
                                std::make_move_iterator(caught.all.end()));
  caught.all.erase(caught.all.begin() + before, caught.all.end());
  tile::verifyEach(module);
  if (!llvm::any_of(llvm::drop_begin(caught.all, before), isError))
    std::move(first.begin(), first.end(), std::back_inserter(caught.all));
  return false;
}

void tile::addHints(MLIRContext *context, StringRef text, StringRef name,
                    CaughtDiagnostics &caught) {
  const Source source(text, name);
  sortByPlace(source, caught.all);
  size_t errors = 0;
  for (Diagnostic &each : caught.all) {
    if (!isError(each)) continue;
    if (errors++ == maxErrors) return;
    size_t offset = source.findOffset(each.getLocation());
    if (offset != StringRef::npos) addHint(context, text, offset, each);
  }
}

//===- both ---------------------------------------------------------------===//

OwningOpRef<ModuleOp> tile::parseAll(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                     MLIRContext *context) {
  std::string name = buffer->getBufferIdentifier().str();
  StringRef text = buffer->getBuffer();
  bool isText = !isBytecode(*buffer);
  std::vector<Diagnostic> said;
  ModuleOp module;
  {
    CaughtDiagnostics caught(context);
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    bool right = false;
    bool lives = parseSafely(context, text, name, [&] {
      module = parseNamed(sources, context).release();
      right = module && isWithinLimits(module) &&
              (!isText || succeeded(expandModule(module, name, parseNamedText))) &&
              verifyModule(module, caught);
    });
    if (!lives) module = {};
    auto again = [&](StringRef rest) {
      llvm::SourceMgr others;
      others.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(rest, name), llvm::SMLoc());
      bool parsed = false;
      size_t before = caught.all.size();
      bool ended =
          parseSafely(context, rest, name, [&] { parsed = bool(parseNamed(others, context)); });
      // That the rest makes a parser crash follows from what was taken out, or comes again.
      if (!ended) caught.all.erase(caught.all.begin() + before, caught.all.end());
      return parsed;
    };
    if (lives && isText && !module) recover(text, name, caught, again);
    if (lives && isText) addHints(context, text, name, caught);
    if (lives && !right && module) {
      module.erase();
      module = {};
    }
    said = std::move(caught.all);
  }
  emitAll(context, std::move(said));
  return module;
}
