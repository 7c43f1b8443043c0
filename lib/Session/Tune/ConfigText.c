//===- ConfigText.c - configurations and keys as text ---------------------===//
#include "../ProgramImpl.h"
#include "tile/Text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tileConfigGet(const char *config, MlirStringRef name, int64_t *value) {
  for (const char *at = config; *at; at += strcspn(at, ","), at += *at == ',') {
    if (strncmp(at, name.data, name.length) != 0 || at[name.length] != '=') continue;
    *value = strtoll(at + name.length + 1, NULL, 10);
    return true;
  }
  return false;
}

char *tileConfigJoin(const char *config, const char *bound) {
  TileText text = {0};
  tileTextAdd(&text, bound ? bound : "");
  for (const char *at = config; *at; at += strcspn(at, ","), at += *at == ',') {
    int64_t value;
    size_t length = strcspn(at, ",");
    MlirStringRef name = mlirStringRefCreate(at, strcspn(at, "="));
    if (bound && tileConfigGet(bound, name, &value)) continue;
    if (text.size) tileTextAdd(&text, ",");
    tileTextAddBytes(&text, at, length);
  }
  return text.data;
}

static bool isKey(const TileProgramKernel *kernel, unsigned i) {
  return kernel->parameters[i].isInteger && tileKernelHasKey(kernel->func, i);
}

void tileProgramPrintKey(const TileProgramKernel *kernel, const uint64_t *slots, char *text,
                         size_t size) {
  size_t used = 0;
  text[0] = 0;
  for (unsigned i = 0; i < kernel->count && used < size; ++i) {
    if (!isKey(kernel, i)) continue;
    long long value = tileElementToInteger(kernel->parameters[i].type, &slots[i]);
    used += (size_t)snprintf(text + used, size - used, used ? ", %lld" : "%lld", value);
  }
}
