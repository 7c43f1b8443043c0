//===- Worker.c - what is parsed and compiled for the editor ---------------===//
//
// In processes of their own: a text that somebody is in the middle of typing may end a compiler, or
// keep it busy for ever.
//===----------------------------------------------------------------------===//
#include "Editor.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "tile/IR.h"
#include "tile/Session/Kernels.h"
#include "tile/Session/Program.h"
#include "tile/Support/Names.h"
#include "tile/Support/Source.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(int to, json_t *(*task)(const char *, size_t), const char *text, size_t offset,
                 unsigned seconds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGALRM, SIG_DFL);
  alarm(seconds);
  // What the compiler has to say was said by the server.
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  json_t *result = task(text, offset);
  if (result) editorSend(to, result, false);
  _exit(0);
}

json_t *editorDoApart(json_t *(*task)(const char *, size_t), const char *text, size_t offset,
                      unsigned seconds) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return NULL;
  fflush(NULL);
  pid_t process = fork();
  if (!process) work(ends[1], task, text, offset, seconds);
  close(ends[1]);
  Inbox inbox = {.descriptor = ends[0]};
  tileTextAdd(&inbox.text, "");
  while (process > 0 && !inbox.ended) editorInboxFill(&inbox);
  json_t *message = editorInboxTake(&inbox);
  while (process > 0 && waitpid(process, NULL, 0) < 0 && errno == EINTR) continue;
  close(ends[0]);
  free(inbox.text.data);
  json_t *result = json_incref(json_object_get(message, "result"));
  json_decref(message);
  return result;
}

//===- the module -------------------------------------------------------------===//

static MlirLogicalResult saysNothing(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic;
  (void)data;
  return mlirLogicalResultSuccess();
}

/// Null where the text is not right. In the language server, whose parser takes statements with
/// errors out (dialect/Glue/TileLsp.cpp), it is what is left then, unverified. The process ends
/// with it.
static MlirModule parse(const char *text) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirContextAttachDiagnosticHandler(context, saysNothing, NULL, NULL);
  return tileParse(context, tileString(text), tileString("text"));
}

/// Where a line begins, from 1; NULL.
static const char *findLine(const char *text, int line) {
  while (text && --line > 0) {
    text = strchr(text, '\n');
    if (text) ++text;
  }
  return text;
}

//===- inlay hints ------------------------------------------------------------===//

/// "128x64xf16", "BMxBKxi32", "32x!tile.ptr<f32>".
static void addShape(TileText *t, MlirType type) {
  if (!mlirTypeIsARankedTensor(type)) {
    mlirTypePrint(type, tileTextCollect, t);
    return;
  }
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  TileText dims = {0};
  tileTextAdd(&dims, "");
  if (!mlirAttributeIsNull(encoding)) mlirAttributePrint(encoding, tileTextCollect, &dims);
  const char *name = strchr(dims.data, '[');
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i) {
    if (!mlirShapedTypeIsDynamicDim(type, i)) {
      tileTextPrint(t, "%lldx", (long long)mlirShapedTypeGetDimSize(type, i));
      continue;
    }
    if (name) name += strspn(name, "[, ");
    size_t length = name ? strcspn(name, ",]") : 0;
    tileTextPrint(t, length ? "%.*sx" : "?x%.*s", (int)length, name ? name : "");
    if (name) name += length;
  }
  mlirTypePrint(mlirShapedTypeGetElementType(type), tileTextCollect, t);
  free(dims.data);
}

typedef struct Hints {
  const char *text;
  json_t *list;
} Hints;

/// `%name` as the op's result at the beginning of its line; its end in the text, NULL.
static const char *findResult(const char *line, const char *name) {
  line += strspn(line, " \t");
  size_t length = strlen(name);
  const char *end = strchr(line, '=');
  if (!end) return NULL;
  for (const char *at = line; at + length <= end; ++at) {
    bool begins = at == line || at[-1] == ' ' || at[-1] == ',';
    if (begins && !strncmp(at, name, length) && strchr(" ,:=", at[length])) return at + length;
  }
  return NULL;
}

static void addHint(Hints *h, MlirOperation op, intptr_t i) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
  char name[128];
  TileSourcePlace place;
  bool isValue = mlirTypeIsARankedTensor(type) || tileTypeIsAPtr(type) ||
                 mlirTypeIsAInteger(type) || tileTypeIsFloat(type);
  bool has = isValue && tileNameFind(mlirOperationGetLocation(op), (int)i, name, sizeof name) &&
             !strchr(name, '#') && tileSourceFind(mlirOperationGetLocation(op), &place);
  const char *line = has ? findLine(h->text, place.line) : NULL;
  const char *end = line ? findResult(line, name) : NULL;
  if (!end) return;
  TileText written = {0}, label = {0};
  mlirTypePrint(type, tileTextCollect, &written);
  const char *own = strstr(line, written.data), *next = strchr(line, '\n');
  bool isWritten = own && (!next || own < next);
  free(written.data);
  if (isWritten) return;
  tileTextAdd(&label, ": ");
  addShape(&label, type);
  json_array_append_new(h->list, json_pack("{s:o,s:s,s:i}", "position",
                                           editorMakePosition(h->text, (size_t)(end - h->text)),
                                           "label", label.data, "kind", 1));
  free(label.data);
}

static MlirWalkResult addHints(MlirOperation op, void *data) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) addHint(data, op, i);
  return MlirWalkResultAdvance;
}

json_t *editorFindHints(const char *text, size_t offset) {
  (void)offset;
  MlirModule module = parse(text);
  if (mlirModuleIsNull(module)) return NULL;
  Hints h = {text, json_array()};
  mlirOperationWalk(mlirModuleGetOperation(module), addHints, &h, MlirWalkPreOrder);
  return json_pack("{s:o}", "result", h.list);
}

//===- layouts ----------------------------------------------------------------===//

/// The name of the first result of the line at `offset`, or of the value that is there.
static bool findName(const char *text, size_t offset, char *name, size_t size) {
  size_t begin = offset;
  if (text[begin] != '%') {
    while (begin && text[begin - 1] != '\n') --begin;
    begin += strspn(text + begin, " \t");
  }
  size_t length = 1;
  while (isalnum((unsigned char)text[begin + length]) || text[begin + length] == '_') ++length;
  if (text[begin] != '%' || length >= size) return false;
  snprintf(name, size, "%.*s", (int)length, text + begin);
  return true;
}

/// The kernel around an offset; null for none, and in a module that is written out.
static MlirOperation findKernel(MlirModule module, const char *text, size_t offset) {
  TileStatement around;
  int line = 1;
  if (!tileStatementFind(text, strlen(text), offset, &around)) return (MlirOperation){NULL};
  for (size_t i = 0; i < around.outermost; ++i) line += text[i] == '\n';
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(module)) {
    TileSourcePlace place;
    bool isHere = tileSourceFind(mlirOperationGetLocation(op), &place) && place.line == line;
    if (isHere && tileOpIsAKernel(op)) return op;
  }
  return (MlirOperation){NULL};
}

/// What follows "%next" where it is defined: " = ", or ":3 = " of several results, and where
/// `derived` of "%next_14", as passes call what they make of a value.
static bool isDefinition(const char *behind, bool derived) {
  if (derived && (*behind++ != '_' || !isdigit((unsigned char)*behind))) return false;
  while (derived && isdigit((unsigned char)*behind)) ++behind;
  if (*behind == ':') behind += 1 + strspn(behind + 1, "0123456789");
  return !strncmp(behind, " = ", 3);
}

/// The layout of the first result's type, in a line of a stage, which ends in types: of several the
/// last is the result's, but for lists of results. Its length, 0 where there is none.
static size_t findResultLayout(const char *line, const char *end, const char **layout) {
  static const char word[] = "#tile_gpu.layout<";
  const char *list = strstr(line, "-> (");
  bool isList = list && list < end;
  const char *found = NULL;
  for (const char *at = isList ? list : line; (at = strstr(at, word)) && at < end; ++at) {
    found = at;
    if (isList) break;
  }
  const char *close = found ? strchr(found, '>') : NULL;
  if (!close) return 0;
  *layout = found;
  return (size_t)(close - found) + 1;
}

/// The layout that the value called `name` has in a stage's text, else what was made of it: of a
/// dot's result the operands' buffers bear its name, too. Its length, 0.
static size_t findLayoutOf(const char *stage, const char *name, const char **layout) {
  for (int derived = 0; derived < 2; ++derived)
    for (const char *at = stage; (at = strstr(at, name)); ++at) {
      const char *line = at;
      while (line > stage && line[-1] != '\n') --line;
      const char *end = at + strcspn(at, "\n");
      bool defines = line + strspn(line, " ") == at && isDefinition(at + strlen(name), derived);
      size_t length = defines ? findResultLayout(at, end, layout) : 0;
      if (length) return length;
    }
  return 0;
}

/// 2 to the number of vectors in "register = [[1], [2]]".
static int countOf(const char *layout, const char *word) {
  const char *at = strstr(layout, word);
  int count = 1, depth = 0;
  for (at = at ? strchr(at, '[') : NULL; at && *at; ++at) {
    depth += (*at == '[') - (*at == ']');
    if (*at == '[' && depth == 2) count *= 2;
    if (!depth) break;
  }
  return count;
}

static json_t *describeLayout(const char *stage, const char *name, const char *arch) {
  const char *layout = NULL;
  size_t length = findLayoutOf(stage, name, &layout);
  if (!length) return NULL;
  TileText said = {0};
  tileTextPrint(&said,
                "Compiled for %s with the kernel's defaults, a thread holds %d element%s of it, in "
                "%d warp%s: `%.*s`",
                arch, countOf(layout, "register"), countOf(layout, "register") == 1 ? "" : "s",
                countOf(layout, "warp"), countOf(layout, "warp") == 1 ? "" : "s", (int)length,
                layout);
  json_t *result = json_pack("{s:s}", "result", said.data);
  free(said.data);
  return result;
}

json_t *editorFindLayout(const char *text, size_t offset) {
  char name[128];
  MlirModule module = parse(text);
  if (mlirModuleIsNull(module) || !findName(text, offset, name, sizeof name)) return NULL;
  MlirOperation kernel = findKernel(module, text, offset);
  if (mlirOperationIsNull(kernel)) return NULL;
  MlirStringRef symbol = mlirStringAttrGetValue(tileAttr(kernel, "sym_name"));
  const TileProgramOptions options = {.arch = tileMachineGetDefault()};
  TileProgram *program = tileProgramCreate(module, &options);
  TileBlob blob;
  bool ok = program && mlirLogicalResultIsSuccess(
                           tileProgramEmit(program, symbol, TILE_EMIT_LAYOUTS, NULL, 0, &blob));
  if (!ok) return NULL;
  char *stage = strndup(blob.data, blob.size);
  json_t *result = describeLayout(stage, name, options.arch->name);
  free(stage);
  return result;
}
