//===- TileLsp.cpp - the language server's main ---------------------------===//
//
// MLIR's server reads what an editor sends and parses what somebody is in the middle of typing, and
// ends where a parser crashes. The linker puts the two functions below in place of those that read
// (--wrap, in tools/CMakeLists.txt), so that such a text is an error in its file, and the server
// goes on; and what stands in text alone is understood (TileText.h).
//
//===----------------------------------------------------------------------===//
#include "Tile.h"
#include "TileParse.h"
#include "TileRecover.h"
#include "TileText.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/AsmParser/CodeComplete.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "tile/Support/Source.h"
#include "tile/Support/Version.h"
#include "tile/Tile.h"
#include "tile/Tools.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"
#include <cstring>
using namespace mlir;

#define TILE_PARSE_FILE                                                                            \
  "_ZN4mlir18parseAsmSourceFileERKN4llvm9SourceMgrEPNS_5BlockERKNS_12ParserConfigEPNS_"            \
  "14AsmParserStateEPNS_28AsmParserCodeCompleteContextE"
#define TILE_PARSE_JSON "_ZN4llvm4json5parseENS_9StringRefE"

LogicalResult
realParseFile(const llvm::SourceMgr &sources, Block *block, const ParserConfig &config,
              AsmParserState *state,
              AsmParserCodeCompleteContext *completion) asm("__real_" TILE_PARSE_FILE);
LogicalResult parseFile(const llvm::SourceMgr &sources, Block *block, const ParserConfig &config,
                        AsmParserState *state,
                        AsmParserCodeCompleteContext *completion) asm("__wrap_" TILE_PARSE_FILE);
llvm::Expected<llvm::json::Value> realParseJson(StringRef text) asm("__real_" TILE_PARSE_JSON);
llvm::Expected<llvm::json::Value> parseJson(StringRef text) asm("__wrap_" TILE_PARSE_JSON);

/// In packages one library has the server and all else: what others read goes on as it did.
static bool serves;

/// The server's copy of a file, while statements with errors are taken out of it: what the parser
/// notes of places are addresses in it.
class Copy {
public:
  explicit Copy(const llvm::MemoryBuffer &file)
      : text(const_cast<char *>(file.getBufferStart())), original(file.getBuffer().str()) {}
  ~Copy() { set(original); }
  void set(StringRef with) { std::memcpy(text, with.data(), original.size()); }

private:
  char *text;
  std::string original;
};

/// What is right of a text that has errors is parsed too, so that an editor knows it.
static LogicalResult parseAll(const llvm::SourceMgr &sources, Block *block,
                              const ParserConfig &config, AsmParserState *state) {
  MLIRContext *context = config.getContext();
  const llvm::MemoryBuffer *file = sources.getMemoryBuffer(sources.getMainFileID());
  StringRef name = file->getBufferIdentifier();
  ParserConfig own(context, /*verifyAfterParse=*/false);
  bool parsed = false, survived = false;
  std::vector<Diagnostic> said;
  {
    tile::CaughtDiagnostics caught(context);
    Copy copy(*file);
    auto parse = [&](StringRef rest) {
      copy.set(rest);
      if (state) *state = AsmParserState();
      parsed = false;
      survived = tile::parseSafely(context, rest, name, [&] {
        parsed = succeeded(realParseFile(sources, block, own, state, nullptr)) &&
                 tile::isWithinLimits(block);
      });
      return survived && parsed;
    };
    std::string text = file->getBuffer().str();
    if (!parse(text) && survived) {
      tile::recover(text, name, caught, parse);
      tile::addHints(context, text, name, caught);
    } else if (survived) {
      // Expanded and verified is a copy: the editor's notes point at the ops.
      survived = tile::parseSafely(context, text, name, [&] {
        (void)tile::expandCopy(realParseFile, block, context, name, tile::verifyEach);
      });
      tile::addHints(context, text, name, caught);
    }
    said = std::move(caught.all);
  }
  // The server looks for each place in its lines, and crashes where a carriage return made them
  // others.
  bool told = tile::parseSafely(context, file->getBuffer(), name,
                                [&] { tile::emitAll(context, std::move(said)); });
  return success(survived && told && parsed);
}

//===- completion ---------------------------------------------------------===//

/// Does the parser itself complete what was begun, as names of values, or nobody, as numbers?
static bool isCompleted(StringRef text, size_t begin, size_t at) {
  size_t first = text.take_front(begin).find_last_not_of(
      "._$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  bool isName = first != StringRef::npos && StringRef("%^@\"").contains(text[first]);
  return isName || (begin < at && llvm::isDigit(text[begin]));
}

namespace {
/// Completion at another place, which says whether the parser came there.
class Completion : public AsmParserCodeCompleteContext {
public:
  Completion(AsmParserCodeCompleteContext &to, const char *at)
      : AsmParserCodeCompleteContext(SMLoc::getFromPointer(at)), to(to) {}
  bool reached = false;

  void completeDialectName(StringRef prefix) override { reach().completeDialectName(prefix); }
  void completeOperationName(StringRef dialect) override { reach().completeOperationName(dialect); }
  void appendSSAValueCompletion(StringRef name, std::string type) override {
    reach().appendSSAValueCompletion(name, std::move(type));
  }
  void appendBlockCompletion(StringRef name) override { reach().appendBlockCompletion(name); }
  void completeExpectedTokens(ArrayRef<StringRef> tokens, bool optional) override {
    reach().completeExpectedTokens(tokens, optional);
  }
  void completeAttribute(const llvm::StringMap<Attribute> &aliases) override {
    reach().completeAttribute(aliases);
  }
  void completeDialectAttributeOrAlias(const llvm::StringMap<Attribute> &aliases) override {
    reach().completeDialectAttributeOrAlias(aliases);
  }
  void completeType(const llvm::StringMap<Type> &aliases) override {
    reach().completeType(aliases);
  }
  void completeDialectTypeOrAlias(const llvm::StringMap<Type> &aliases) override {
    reach().completeDialectTypeOrAlias(aliases);
  }

private:
  AsmParserCodeCompleteContext &reach() {
    reached = true;
    return to;
  }
  AsmParserCodeCompleteContext &to;
};
} // namespace

/// MLIR's lexer offers nothing within a word, and its parser stops at the first error: so the word
/// that was begun is taken out, and so are statements with errors in front of it.
static LogicalResult complete(const llvm::SourceMgr &sources, Block *block,
                              const ParserConfig &config, AsmParserCodeCompleteContext &asked) {
  MLIRContext *context = config.getContext();
  const llvm::MemoryBuffer *file = sources.getMemoryBuffer(sources.getMainFileID());
  StringRef name = file->getBufferIdentifier(), whole = file->getBuffer();
  ParserConfig own(context, /*verifyAfterParse=*/false);
  size_t at = static_cast<size_t>(asked.getCodeCompleteLoc().getPointer() - whole.data());
  size_t begin = tileWordFind(whole.data(), at);
  if (isCompleted(whole, begin, at)) begin = at;
  size_t end = begin < at ? tileWordFindEnd(whole.data(), whole.size(), at) : at;
  Completion completion(asked, whole.data() + begin);
  std::string text = whole.str();
  std::fill(text.begin() + static_cast<ptrdiff_t>(begin),
            text.begin() + static_cast<ptrdiff_t>(end), ' ');
  tile::CaughtDiagnostics caught(context);
  Copy copy(*file);
  size_t line = StringRef(text).take_front(begin).rfind('\n') + 1; // npos + 1 is 0
  auto parse = [&](StringRef rest) {
    // Without the statement that is being typed there is nothing to be completed.
    if (rest.slice(line, begin) != StringRef(text).slice(line, begin)) return true;
    copy.set(rest);
    bool parsed = false;
    bool survived = tile::parseSafely(context, rest, name, [&] {
      parsed = succeeded(realParseFile(sources, block, own, nullptr, &completion));
    });
    return !survived || parsed || completion.reached;
  };
  if (!parse(text)) tile::recover(text, name, caught, parse);
  return failure();
}

LogicalResult parseFile(const llvm::SourceMgr &sources, Block *block, const ParserConfig &config,
                        AsmParserState *state, AsmParserCodeCompleteContext *completion) {
  if (!serves) return realParseFile(sources, block, config, state, completion);
  const llvm::MemoryBuffer *file = sources.getMemoryBuffer(sources.getMainFileID());
  if (!isBytecode(*file))
    return completion ? complete(sources, block, config, *completion)
                      : parseAll(sources, block, config, state);
  LogicalResult result = failure();
  bool survived =
      tile::parseSafely(config.getContext(), file->getBuffer(), file->getBufferIdentifier(), [&] {
        result = tile::parseText(realParseFile, sources, block, config, state, completion);
      });
  // What a crash left of a module is in no state to be looked at, nor to be destroyed: `block` is
  // filled at the very end of a parse, so it has nothing.
  return success(survived && succeeded(result));
}

llvm::Expected<llvm::json::Value> parseJson(StringRef text) {
  if (!serves) return realParseJson(text);
  int line = 1, column = 1;
  const char *excess = tileSourceFindExcess(text.data(), text.size(), &line, &column);
  return excess ? llvm::createStringError(excess) : realParseJson(text);
}

void tileLspBegin(void) { serves = true; }

int tileLspMain(int argc, char **argv) {
  tileLspBegin();
  DialectRegistry registry;
  tileRegisterDialects(wrap(&registry));
  llvm::cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << "tile-lsp-server " << tileVersionGet() << '\n'; });
  // MLIR's main leaves the options that stood on its stack with LLVM's parser: a second call would
  // find them.
  llvm::StringSet<> before;
  for (auto &option : llvm::cl::getRegisteredOptions()) before.insert(option.first);
  bool ended = succeeded(MlirLspServerMain(argc, argv, registry));
  llvm::SmallVector<StringRef> added;
  for (auto &option : llvm::cl::getRegisteredOptions())
    if (!before.contains(option.first)) added.push_back(option.first);
  for (StringRef name : added) llvm::cl::getRegisteredOptions().erase(name);
  return !ended;
}
