//===- PointArguments.c - values of @main's arguments, by name ------------===//
//
// The names are those in the source, which locations keep (tile/Support/Names.h).
//===----------------------------------------------------------------------===//
#include "Run.h"
#include "tile/IR.h"
#include "tile/Support/Names.h"
#include "tile/Support/Suggest.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/// The argument's name without its '%'; empty where it has none.
static void readName(MlirValue argument, char *name, size_t size) {
  name[0] = 0;
  if (tileNameFind(mlirValueGetLocation(argument), 0, name, size))
    memmove(name, name + 1, strlen(name));
}

typedef struct Signature {
  MlirOperation main;
  size_t count;
  char (*names)[128];
} Signature;

static Signature readSignature(const TileProgram *program) {
  Signature s = {.main = tileProgramGetMain(program)};
  MlirBlock body = tileBody(s.main, 0);
  s.count = (size_t)mlirBlockGetNumArguments(body);
  s.names = tileRuntimeAlloc((s.count + 1) * sizeof *s.names);
  for (size_t i = 0; i < s.count; ++i) {
    MlirValue argument = mlirBlockGetArgument(body, (intptr_t)i);
    readName(argument, s.names[i], sizeof s.names[i]);
  }
  return s;
}

static bool checkVariables(const Signature *s, const TileSpace *space) {
  for (size_t v = 0; v < tileSpaceGetNumVariables(space); ++v) {
    const char *name = tileSpaceGetVariable(space, v);
    bool known = false;
    char list[512] = "";
    TileSuggestion suggestion = tileSuggestionFor(name, strlen(name));
    for (size_t i = 0; i < s->count; ++i) {
      size_t used = strlen(list);
      known |= !strcmp(s->names[i], name);
      tileSuggestionOffer(&suggestion, s->names[i], strlen(s->names[i]));
      snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", s->names[i]);
    }
    if (known) continue;
    tileEmitError(mlirOperationGetLocation(s->main),
                  "expected the name of an argument of @main (%s) in --sweep, found '%s'%s",
                  list[0] ? list : "there are none", name, tileSuggestionSay(&suggestion).text);
    return false;
  }
  return true;
}

/// The argument's tile_host.default as text; false when it has none.
static bool readDefault(MlirOperation main, size_t i, char *text, size_t size) {
  MlirAttribute all = tileAttr(main, "arg_attrs");
  if (mlirAttributeIsNull(all)) return false;
  MlirAttribute value = mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(all, (intptr_t)i), tileString("tile_host.default"));
  if (mlirAttributeIsNull(value)) return false;
  if (mlirAttributeIsAFloat(value))
    snprintf(text, size, "%.17g", mlirFloatAttrGetValueDouble(value));
  else
    snprintf(text, size, "%lld", (long long)mlirIntegerAttrGetValueInt(value));
  return true;
}

/// The text of argument `i`: the point's value, --args, or the default.
static bool chooseText(const Signature *s, const TileBenchOptions *o, size_t point, size_t i,
                       char *text, size_t size) {
  for (size_t v = 0; v < tileSpaceGetNumVariables(o->space); ++v) {
    if (strcmp(tileSpaceGetVariable(o->space, v), s->names[i]) != 0) continue;
    snprintf(text, size, "%lld", (long long)tileSpaceGetValue(o->space, point, v));
    return true;
  }
  bool oneForAll = o->numArgs == 1 && s->count > 1;
  if (i < o->numArgs || oneForAll) {
    snprintf(text, size, "%s", o->args[oneForAll ? 0 : i]);
    return true;
  }
  if (readDefault(s->main, i, text, size)) return true;
  tileEmitError(
      mlirOperationGetLocation(s->main),
      "expected a value for argument %zu of @main (%s) from --sweep or --args, found none", i,
      s->names[i][0] ? s->names[i] : "without a name");
  return false;
}

char **tileBenchMakeArguments(const TileProgram *program, const TileBenchOptions *options,
                              size_t point, size_t *count) {
  enum { TEXT = 64 };
  Signature s = readSignature(program);
  *count = s.count;
  bool ok = checkVariables(&s, options->space);
  if (ok && options->numArgs > s.count) {
    ok = false;
    tileEmitError(mlirOperationGetLocation(s.main), "expected %zu arguments for @main, found %zu",
                  s.count, options->numArgs);
  }
  // The pointers, then what they point at.
  char **texts = tileRuntimeAlloc((s.count + 1) * (sizeof *texts + TEXT));
  char *storage = (char *)(texts + s.count + 1);
  for (size_t i = 0; ok && i < s.count; ++i) {
    texts[i] = storage + i * TEXT;
    ok = chooseText(&s, options, point, i, texts[i], TEXT);
  }
  free(s.names);
  if (ok) return texts;
  free(texts);
  return NULL;
}

//===- bindings -----------------------------------------------------------===//

typedef struct Expression {
  const char *at;
  const TileSpace *space;
  size_t point;
} Expression;

static bool skip(Expression *e, const char *token) {
  size_t length = strlen(token);
  if (strncmp(e->at, token, length) != 0) return false;
  e->at += length;
  return true;
}

/// A number or the name of a variable.
static bool readLeaf(Expression *e, int64_t *value) {
  size_t length = strcspn(e->at, "(),/");
  if (isdigit((unsigned char)*e->at)) {
    char *end;
    *value = strtoll(e->at, &end, 10);
    bool whole = end == e->at + length;
    e->at = end;
    return whole;
  }
  for (size_t v = 0; v < tileSpaceGetNumVariables(e->space); ++v) {
    const char *variable = tileSpaceGetVariable(e->space, v);
    if (strlen(variable) != length || memcmp(variable, e->at, length) != 0) continue;
    *value = tileSpaceGetValue(e->space, e->point, v);
    e->at += length;
    return true;
  }
  return false;
}

/// value = (leaf | "pow2(" value ")" | ("min(" | "max(") value "," value ")") ["/" number], the
/// quotient rounded up; pow2 is the power of two at or above. False for anything else.
static bool evaluate(Expression *e, unsigned depth, int64_t *value) {
  int64_t other;
  if (!depth) return false;
  if (skip(e, "pow2(")) {
    if (!evaluate(e, depth - 1, &other) || !skip(e, ")")) return false;
    for (*value = 1; *value < other && *value < INT32_MAX;) *value *= 2;
  } else {
    bool least = skip(e, "min("), most = !least && skip(e, "max(");
    if (!least && !most) {
      if (!readLeaf(e, value)) return false;
    } else {
      if (!evaluate(e, depth - 1, value) || !skip(e, ",") || !evaluate(e, depth - 1, &other) ||
          !skip(e, ")"))
        return false;
      if (least == (other < *value)) *value = other;
    }
  }
  if (!skip(e, "/")) return true;
  if (!isdigit((unsigned char)*e->at) || !readLeaf(e, &other) || other < 1) return false;
  *value = *value / other + (*value % other > 0);
  return true;
}

char **benchMakeBindings(const TileBenchLine *line, const TileSpace *space, size_t point) {
  enum { TEXT = 128 };
  char **texts = tileRuntimeAlloc((line->numBind + 1) * (sizeof *texts + TEXT));
  char *storage = (char *)(texts + line->numBind + 1);
  for (size_t i = 0; i < line->numBind; ++i) {
    enum { DEPTH = 16 };
    const char *equals = strchr(line->bind[i], '=');
    Expression e = {equals ? equals + 1 : "", space, point};
    int64_t value;
    texts[i] = storage + i * TEXT;
    if (equals && evaluate(&e, DEPTH, &value) && !*e.at)
      snprintf(texts[i], TEXT, "%.*s=%lld", (int)(equals - line->bind[i]), line->bind[i],
               (long long)value);
    else
      snprintf(texts[i], TEXT, "%s", line->bind[i]);
  }
  return texts;
}
