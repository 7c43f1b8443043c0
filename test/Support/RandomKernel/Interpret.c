//===- Interpret.c - what an op of arith does to two numbers --------------===//
#include "RandomKernel.h"
#include <string.h>

int64_t narrow(int64_t value, int width) {
  switch (width) {
  case 1:
    return value & 1;
  case 8:
    return (int8_t)value;
  case 16:
    return (int16_t)value;
  case 32:
    return (int32_t)value;
  default:
    return value;
  }
}
uint64_t asUnsigned(int64_t value, int width) {
  switch (width) {
  case 1:
    return (uint64_t)value & 1;
  case 8:
    return (uint8_t)value;
  case 16:
    return (uint16_t)value;
  case 32:
    return (uint32_t)value;
  default:
    return (uint64_t)value;
  }
}
int64_t asSigned(int64_t value, int width) { return width == 1 ? -value : value; }

const char *const binaries[] = {
    "addi",       "subi",  "muli",  "divsi", "divui", "ceildivsi", "ceildivui",
    "floordivsi", "remsi", "remui", "shli",  "shrsi", "shrui",     "andi",
    "ori",        "xori",  "minsi", "maxsi", "minui", "maxui",
};
const char *const predicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                  "sge", "ult", "ule", "ugt", "uge"};

bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

bool interpret(const char *op, int width, int64_t a, int64_t b, int64_t *result) {
  uint64_t ua = asUnsigned(a, width), ub = asUnsigned(b, width), r = 0;
  int64_t sa = asSigned(a, width), sb = asSigned(b, width);
  bool divides = strstr(op, "div") || strstr(op, "rem");
  if (divides && ub == 0) return false;
  bool isMin = sa == (width == 64 ? INT64_MIN : -(INT64_C(1) << (width - 1)));
  if (divides && !strchr(op, 'u') && sb == -1 && isMin) return false;
  if (op[0] == 's' && op[1] == 'h' && ub >= (uint64_t)width) return false;
  if (is(op, "addi")) r = ua + ub;
  if (is(op, "subi")) r = ua - ub;
  if (is(op, "muli")) r = ua * ub;
  if (is(op, "divsi")) r = (uint64_t)(sa / sb);
  if (is(op, "remsi")) r = (uint64_t)(sa % sb);
  if (is(op, "divui")) r = ua / ub;
  if (is(op, "remui")) r = ua % ub;
  if (is(op, "ceildivui")) r = ua / ub + (ua % ub ? 1 : 0);
  if (is(op, "ceildivsi")) r = (uint64_t)(sa / sb + (sa % sb && (sa < 0) == (sb < 0)));
  if (is(op, "floordivsi")) r = (uint64_t)(sa / sb - (sa % sb && (sa < 0) != (sb < 0)));
  if (is(op, "shli")) r = ua << ub;
  if (is(op, "shrui")) r = ua >> ub;
  if (is(op, "shrsi")) r = sa < 0 ? ~(~(uint64_t)sa >> ub) : (uint64_t)sa >> ub;
  if (is(op, "andi")) r = ua & ub;
  if (is(op, "ori")) r = ua | ub;
  if (is(op, "xori")) r = ua ^ ub;
  if (is(op, "minsi")) r = sa < sb ? ua : ub;
  if (is(op, "maxsi")) r = sa > sb ? ua : ub;
  if (is(op, "minui")) r = ua < ub ? ua : ub;
  if (is(op, "maxui")) r = ua > ub ? ua : ub;
  *result = narrow((int64_t)r, width);
  return true;
}

int64_t compare(int predicate, int width, int64_t a, int64_t b) {
  uint64_t ua = asUnsigned(a, width), ub = asUnsigned(b, width);
  int64_t sa = asSigned(a, width), sb = asSigned(b, width);
  const bool results[] = {
      ua == ub, ua != ub, sa<sb, sa <= sb, sa> sb, sa >= sb, ua<ub, ua <= ub, ua> ub, ua >= ub};
  return results[predicate];
}
