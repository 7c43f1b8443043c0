//===- KernelMain.c - a host program for one kernel, from the command line -===//
//
// The specs become the text of a @main, which is parsed and added to the module: whatever a host
// program can do, running, timing and emitting, a kernel alone can too.
//
//===----------------------------------------------------------------------===//
#include "TileRun.h"
#include "tile/IR.h"
#include "tile/Session/Kernels.h"
#include "tile/Text.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A spec taken apart: `kind` is what stands before the ':' ("random", "zeros"), a path, or a
/// number. `type` and `element` are what an array has that is made: "memref<512xf16>", "f16".
typedef struct Spec {
  char kind[512], type[1024], element[512], out[512];
} Spec;

static bool endsIn(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length > tail && !strcmp(text + length - tail, end);
}

/// Does the text name an array in a file, or a picture?
static bool isFile(const char *text) { return endsIn(text, ".npy") || tilePnmIsPath(text); }

/// "random:f16[512x512]:out=y.npy" and so on.
static bool splitSpec(const char *text, Spec *spec) {
  *spec = (Spec){0};
  char copy[512];
  if (strlen(text) >= 500) return false;
  snprintf(copy, sizeof copy, "%s", text);
  char *out = strstr(copy, ":out=");
  if (out) {
    snprintf(spec->out, sizeof spec->out, "%s", out + 5);
    if (!isFile(spec->out)) return false;
    *out = 0;
  }
  bool makes = !strncmp(copy, "random:", 7) || !strncmp(copy, "zeros:", 6);
  if (!makes) {
    snprintf(spec->kind, sizeof spec->kind, "%s", copy);
    return *copy && (!out || isFile(copy));
  }
  char *colon = strchr(copy, ':');
  *colon = 0;
  snprintf(spec->kind, sizeof spec->kind, "%s", copy);
  char *bracket = strchr(colon + 1, '[');
  if (!bracket || !endsIn(bracket, "]")) return false;
  bracket[strlen(bracket) - 1] = 0;
  *bracket = 0;
  // f16[512x512] is memref<512x512xf16>
  const char *shape = bracket + 1;
  bool digits = *shape != 0;
  for (const char *c = shape; *c; ++c) {
    bool separates = *c == 'x' && c > shape && c[1] && c[-1] != 'x';
    digits &= separates || (*c >= '0' && *c <= '9');
  }
  snprintf(spec->type, sizeof spec->type, "memref<%sx%s>", shape, colon + 1);
  snprintf(spec->element, sizeof spec->element, "%s", colon + 1);
  return digits;
}

static void typeText(MlirType type, TileText *t) {
  t->size = 0;
  mlirTypePrint(type, tileTextCollect, t);
}

/// The type of a file's array, from its header and the kernel's element type.
static bool readType(const char *path, const char *element, MlirLocation loc, Spec *spec) {
  TileElementType type;
  TileError error = TILE_ERROR_INIT;
  TileArray *array = NULL;
  if (tileElementParse(element, strlen(element), &type))
    array =
        tilePnmIsPath(path) ? tilePnmRead(path, type, &error) : tileNpyRead(path, &type, &error);
  if (!array) {
    tileEmitError(loc, "%s", tileErrorGetMessage(&error));
    tileErrorDestroy(&error);
    return false;
  }
  size_t used = (size_t)snprintf(spec->type, sizeof spec->type, "memref<");
  for (unsigned i = 0; i < array->rank && used < 900; ++i)
    used += (size_t)snprintf(spec->type + used, sizeof spec->type - used, "%lldx",
                             (long long)array->shape[i]);
  snprintf(spec->type + used, sizeof spec->type - used, "%s>", element);
  tileArrayDestroy(array);
  return true;
}

/// Appends a path, or a name, as a string of MLIR.
static void addString(TileText *t, const char *path) {
  tileTextAdd(t, "\"");
  for (const char *c = path; *c; ++c) {
    bool plain = *c != '"' && *c != '\\' && (unsigned char)*c >= ' ';
    tileTextPrint(t, plain ? "%c" : "\\%02X", plain ? *c : (unsigned char)*c);
  }
  tileTextAdd(t, "\"");
}

/// Appends the op that makes argument `i`; leaves its type in `spec->type`.
static bool addArgument(TileText *body, MlirType wanted, size_t i, const char *text,
                        MlirLocation loc, Spec *spec, TileText *scratch) {
  bool pointer = tileTypeIsAPtr(wanted);
  typeText(pointer ? tilePtrTypeGetPointee(wanted) : wanted, scratch);
  // Nothing that a kernel could read.
  char none[600];
  if (pointer && !strcmp(text, "null")) {
    snprintf(none, sizeof none, "zeros:%s[0]", scratch->data);
    text = none;
  }
  bool ok = splitSpec(text, spec);
  bool array = spec->type[0] || isFile(spec->kind);
  if (ok && array != pointer) ok = false;
  if (ok && spec->type[0]) ok = !strcmp(spec->element, scratch->data);
  const char *element = scratch->data;
  if (!ok && pointer)
    tileEmitError(
        loc,
        "expected an array of %s for argument %zu, as random:%s[64x128], zeros:%s[4096] or "
        "FILE.npy (or .ppm, .pgm), with :out=FILE.npy or not, found '%s'",
        element, i, element, element, text);
  else if (!ok)
    tileEmitError(loc, "expected a value of type %s for argument %zu, found '%s'", element, i,
                  text);
  if (!ok) return false;
  if (!pointer) {
    uint64_t bits;
    if (!tileProgramParseValue(wanted, spec->kind, &bits)) {
      tileEmitError(loc, "expected a value of type %s for argument %zu, found '%s'", scratch->data,
                    i, text);
      return false;
    }
    // Bits, so that infinities and NaN have a text.
    tileTextPrint(body,
                  mlirTypeIsAFloat(wanted) ? "  %%a%zu = arith.constant 0x%" PRIX64 " : %s\n"
                                           : "  %%a%zu = arith.constant %" PRIu64 " : %s\n",
                  i, bits, scratch->data);
    snprintf(spec->type, sizeof spec->type, "%.200s", scratch->data);
    return true;
  }
  if (!spec->type[0]) {
    if (!readType(spec->kind, scratch->data, loc, spec)) return false;
    tileTextPrint(body, "  %%a%zu = tile_host.read ", i);
    addString(body, spec->kind);
    tileTextPrint(body, " : %s\n", spec->type);
  } else if (spec->kind[0] == 'r') {
    tileTextPrint(body, "  %%a%zu = tile_host.random() seed %zu : () -> %s\n", i, i, spec->type);
  } else {
    tileTextPrint(body, "  %%a%zu = tile_host.alloc() : () -> %s\n", i, spec->type);
  }
  return true;
}

static MlirOperation findSymbol(MlirModule module, const char *name) {
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(module)) {
    MlirAttribute symbol = tileAttr(op, "sym_name");
    if (!mlirAttributeIsNull(symbol) && tileStringIs(mlirStringAttrGetValue(symbol), name))
      return op;
  }
  return (MlirOperation){NULL};
}

/// The whole text of @main; false after an error.
static bool buildText(TileText *text, MlirOperation kernel, const char *name,
                      const char *const *specs, size_t count) {
  MlirBlock body = tileBody(kernel, 0);
  MlirLocation loc = mlirOperationGetLocation(kernel);
  TileText scratch = {0}, writes = {0}, types = {0};
  tileTextAdd(&writes, "");
  tileTextAdd(&types, "");
  bool ok = true;
  // The launch's verifier wants to see the kernel: its signature stands in for it.
  tileTextAdd(text, "module {\ntile.func @");
  addString(text, name);
  tileTextAdd(text, "(");
  for (size_t i = 0; i < count; ++i) {
    typeText(mlirValueGetType(mlirBlockGetArgument(body, (intptr_t)i)), &scratch);
    tileTextPrint(text, i ? ", %%a%zu: %s" : "%%a%zu: %s", i, scratch.data);
  }
  tileTextPrint(text, ") {\n  tile.return\n}\nfunc.func @main() {\n");
  for (size_t i = 0; ok && i < count; ++i) {
    Spec spec;
    MlirType wanted = mlirValueGetType(mlirBlockGetArgument(body, (intptr_t)i));
    ok = addArgument(text, wanted, i, specs[i], loc, &spec, &scratch);
    if (!ok) break;
    tileTextPrint(&types, i ? ", %s" : "%s", spec.type);
    if (!spec.out[0]) continue;
    tileTextPrint(&writes, "  tile_host.write %%a%zu, ", i);
    addString(&writes, spec.out);
    tileTextPrint(&writes, " : %s\n", spec.type);
  }
  tileTextAdd(text, "  tile_host.launch @");
  addString(text, name);
  tileTextAdd(text, "(");
  for (size_t i = 0; i < count; ++i) tileTextPrint(text, i ? ", %%a%zu" : "%%a%zu", i);
  tileTextPrint(text, ")%s%s\n%s  return\n}\n}\n", count ? " : " : "", types.data, writes.data);
  free(scratch.data);
  free(writes.data);
  free(types.data);
  return ok;
}

MlirLogicalResult addKernelMain(MlirModule module, MlirOperation kernel, const char *const *specs,
                                size_t count) {
  MlirOperation op = mlirModuleGetOperation(module);
  // A string of MLIR's ends in a NUL that it does not count.
  const char *name = mlirStringAttrGetValue(tileAttr(kernel, "sym_name")).data;
  size_t wanted = (size_t)mlirBlockGetNumArguments(tileBody(kernel, 0));
  if (wanted != count) {
    tileEmitError(mlirOperationGetLocation(kernel), "expected %zu --arg for kernel '%s', found %zu",
                  wanted, name, count);
    return mlirLogicalResultFailure();
  }
  if (!strcmp(name, "main")) {
    tileEmitError(mlirOperationGetLocation(kernel),
                  "expected a kernel of another name, found 'main', which the host program has");
    return mlirLogicalResultFailure();
  }
  TileText text = {0};
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (buildText(&text, kernel, name, specs, count)) {
    MlirOperation parsed = mlirOperationCreateParse(
        mlirModuleGetContext(module), tileString(text.data), tileString("<command line>"));
    if (!mlirOperationIsNull(parsed)) {
      MlirOperation old = findSymbol(module, "main");
      if (!mlirOperationIsNull(old)) mlirOperationDestroy(old);
      MlirOperation main = findSymbol(mlirModuleFromOperation(parsed), "main");
      mlirOperationRemoveFromParent(main);
      mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), main);
      mlirOperationDestroy(parsed);
      if (mlirOperationVerify(op)) result = mlirLogicalResultSuccess();
    }
  }
  free(text.data);
  return result;
}
