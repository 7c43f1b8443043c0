//===- FastMath.c - what arithmetic may be --------------------------------===//
#include "tile/Support/FastMath.h"
#include <string.h>

typedef struct {
  const char *name;
  bool found;
} Flag;

static void findFlag(MlirStringRef text, void *data) {
  // The flags come as one or several pieces: `#arith.fastmath<`, `contract,afn`, `>`.
  Flag *flag = data;
  size_t length = strlen(flag->name);
  for (size_t i = 0; i < text.length && !flag->found; ++i) {
    size_t left = text.length - i;
    bool isAll =
        left >= 4 && !strncmp(text.data + i, "fast", 4) && (left == 4 || text.data[i + 4] != 'm');
    flag->found = isAll || (left >= length && !strncmp(text.data + i, flag->name, length));
  }
}

bool tileOpHasFastMath(MlirOperation op, const char *name) {
  Flag flag = {name, false};
  MlirAttribute flags = tileAttr(op, "fastmath");
  if (!mlirAttributeIsNull(flags)) mlirAttributePrint(flags, findFlag, &flag);
  return flag.found;
}
