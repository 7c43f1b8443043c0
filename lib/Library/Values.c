//===- Values.c - arguments of launches, checked and packed ---------------===//
#include "Library.h"
#include <string.h>

static tile_status refuse(const TileLibKernel *kernel, size_t i, const tile_value *value) {
  static const char *const kinds[] = {"no value", "a pointer", "an integer", "a float"};
  const TileLibArgument *argument = &kernel->arguments[i];
  const char *wanted = argument->isPointer ? "a pointer" : tileElementGetName(argument->type);
  const char *name = argument->name ? argument->name : "";
  const char *mark = argument->name ? " %" : "";
  bool isWide = value->kind == TILE_VALUE_INTEGER && !argument->isPointer && argument->hasType &&
                tileElementIsInteger(argument->type);
  if (isWide)
    return tileLibFail(TILE_STATUS_ARGUMENT,
                       "expected a value of %s for argument %zu%s%s of '%s', found %lld", wanted, i,
                       mark, name, kernel->name, (long long)value->as.integer);
  return tileLibFail(TILE_STATUS_ARGUMENT, "expected %s for argument %zu%s%s of '%s', found %s",
                     wanted, i, mark, name, kernel->name,
                     kinds[value->kind <= TILE_VALUE_FLOAT ? value->kind : 0]);
}

/// An integer in the low bits of a slot; false where it does not fit, signed or unsigned.
static bool packInteger(TileElementType type, int64_t value, uint64_t *slot) {
  unsigned bits = type == TILE_ELEMENT_I1 ? 1 : 8 * (unsigned)tileElementGetSize(type);
  uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  *slot = (uint64_t)value & mask;
  return bits == 64 || (value >= -(INT64_C(1) << (bits - 1)) && value <= (int64_t)mask);
}

static bool packValue(const TileLibArgument *argument, const tile_value *value, uint64_t *slot) {
  switch (value->kind) {
  case TILE_VALUE_POINTER:
    *slot = value->as.pointer;
    return argument->isPointer;
  case TILE_VALUE_INTEGER:
    return !argument->isPointer && argument->hasType && tileElementIsInteger(argument->type) &&
           packInteger(argument->type, value->as.integer, slot);
  case TILE_VALUE_FLOAT:
    *slot = 0;
    if (argument->isPointer || !argument->hasType || tileElementIsInteger(argument->type))
      return false;
    tileElementFromDouble(argument->type, value->as.number, slot);
    return true;
  default:
    return false;
  }
}

tile_status tileLibReadValues(const TileLibKernel *kernel, const tile_value *values, size_t count,
                              uint64_t *slots) {
  if (count != kernel->numArguments || (count && !values))
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected %zu arguments for '%s', found %zu%s",
                       kernel->numArguments, kernel->name, count, values ? "" : " and NULL");
  for (size_t i = 0; i < count; ++i)
    if (!packValue(&kernel->arguments[i], &values[i], &slots[i]))
      return refuse(kernel, i, &values[i]);
  return TILE_STATUS_OK;
}

tile_status tileLibCheckHost(const TileLibKernel *kernel, const uint64_t *slots) {
  const TileDriver *driver = tileDriverGet();
  for (size_t i = 0; driver && i < kernel->numArguments; ++i) {
    const TileLibArgument *argument = &kernel->arguments[i];
    if (!argument->isPointer || !tileDriverIsDeviceMemory(driver, slots[i])) continue;
    return tileLibFail(
        TILE_STATUS_ARGUMENT,
        "expected memory of the host for argument %zu%s%s of '%s', found memory of a device", i,
        argument->name ? " %" : "", argument->name ? argument->name : "", kernel->name);
  }
  return TILE_STATUS_OK;
}
