//===- HostArguments.c - text of the command line as arguments of @main ---===//
#include "../ProgramImpl.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// `*value` to the power that is written, as in 2^20; false where it has over 63 bits.
static bool raiseToPower(long long *value, const char *text, char **end) {
  if (*text < '0' || *text > '9') return false;
  long long base = *value, result = 1;
  long power = strtol(text, end, 10);
  for (long i = 0; i < power && i < 64; ++i)
    if (__builtin_mul_overflow(result, base, &result)) return false;
  *value = result;
  return power < 64 || base == 0 || base == 1;
}

bool tileProgramParseValue(MlirType type, const char *text, uint64_t *slot) {
  TileElementType element;
  if (!tileProgramGetElementType(type, &element)) return false;
  char *end;
  errno = 0;
  *slot = 0;
  if (!tileElementIsInteger(element)) {
    double value = strtod(text, &end);
    long long whole = (long long)(value >= -0x1p53 && value <= 0x1p53 ? value : 0);
    if (*end == '^' && (double)whole == value && raiseToPower(&whole, end + 1, &end))
      value = (double)whole;
    tileElementFromDouble(element, value, slot);
    return end != text && !*end;
  }
  long long value = strtoll(text, &end, 0);
  if (end == text || errno) return false;
  if (*end == '^' && !raiseToPower(&value, end + 1, &end)) return false;
  if (*end) return false;
  unsigned bits = element == TILE_ELEMENT_I1 ? 1 : 8 * (unsigned)tileElementGetSize(element);
  if (bits < 64 && (value >= (INT64_C(1) << bits) || value < -(INT64_C(1) << (bits - 1))))
    return false;
  if (bits == 1) value &= 1;
  memcpy(slot, &value, bits == 1 ? 1 : bits / 8);
  return true;
}

/// What @main's parameter `i` is when the command line does not say.
static MlirAttribute getDefault(MlirOperation main, intptr_t i) {
  MlirAttribute all = tileAttr(main, "arg_attrs");
  if (mlirAttributeIsNull(all)) return all;
  MlirAttribute own = mlirArrayAttrGetElement(all, i);
  return mlirDictionaryAttrGetElementByName(own, tileString("tile_host.default"));
}

static void describeType(MlirStringRef text, void *data) {
  char *out = data;
  size_t used = strlen(out);
  snprintf(out + used, 64 - used, "%.*s", (int)text.length, text.data);
}

static MlirLogicalResult parseArgument(MlirOperation main, intptr_t i, const char *text,
                                       uint64_t *slot) {
  MlirLocation loc = mlirOperationGetLocation(main);
  MlirType type = mlirValueGetType(mlirBlockGetArgument(tileBody(main, 0), i));
  MlirAttribute value = getDefault(main, i);
  if (text) {
    if (tileProgramParseValue(type, text, slot)) return mlirLogicalResultSuccess();
    char wanted[64] = "";
    mlirTypePrint(type, describeType, wanted);
    tileEmitError(loc, "expected a value of type %s for argument %ld of @main, found '%s'", wanted,
                  (long)i, text);
    return mlirLogicalResultFailure();
  }
  TileElementType element;
  *slot = 0;
  if (mlirAttributeIsAInteger(value))
    *slot = (uint64_t)mlirIntegerAttrGetValueInt(value);
  else if (mlirAttributeIsAFloat(value) && tileProgramGetElementType(type, &element))
    tileElementFromDouble(element, mlirFloatAttrGetValueDouble(value), slot);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult tileProgramParseArguments(TileProgram *p, const char *const *arguments,
                                            size_t count, uint64_t **slots) {
  MlirOperation main = tileProgramFindFunction(p, "main");
  if (mlirOperationIsNull(main)) {
    tileEmitError(p->loc,
                  "expected a host program func.func @main, or an --arg for each argument of "
                  "a kernel, found neither");
    return mlirLogicalResultFailure();
  }
  size_t parameters = (size_t)mlirBlockGetNumArguments(tileBody(main, 0));
  // One empty text is how a command line says that there are none.
  if (!parameters && count == 1 && !*arguments[0]) count = 0;
  size_t needed = parameters;
  while (needed && !mlirAttributeIsNull(getDefault(main, (intptr_t)needed - 1))) --needed;
  bool oneForAll = count == 1 && parameters > 1;
  if (!oneForAll && (count < needed || count > parameters)) {
    tileEmitError(mlirOperationGetLocation(main), "expected %zu argument%s for @main%s, found %zu",
                  parameters, parameters == 1 ? "" : "s", parameters > 1 ? ", or one for all" : "",
                  count);
    return mlirLogicalResultFailure();
  }
  *slots = tileRuntimeAlloc((parameters + 1) * sizeof **slots);
  for (size_t i = 0; i < parameters; ++i) {
    const char *text = oneForAll ? arguments[0] : i < count ? arguments[i] : NULL;
    if (mlirLogicalResultIsSuccess(parseArgument(main, (intptr_t)i, text, &(*slots)[i]))) continue;
    free(*slots);
    *slots = NULL;
    return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}
