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
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "tile/Support/Source.h"
#include "tile/Support/Version.h"
#include "tile/Tile.h"
#include "tile/Tools.h"
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

LogicalResult parseFile(const llvm::SourceMgr &sources, Block *block, const ParserConfig &config,
                        AsmParserState *state, AsmParserCodeCompleteContext *completion) {
  if (!serves) return realParseFile(sources, block, config, state, completion);
  const llvm::MemoryBuffer *file = sources.getMemoryBuffer(sources.getMainFileID());
  if (!completion && !isBytecode(*file)) return parseAll(sources, block, config, state);
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
