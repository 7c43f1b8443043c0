//===- FakeNvtx.c - NVTX that prints its ranges, for tests ----------------===//
#include <stdio.h>

int nvtxRangePushA(const char *name);
int nvtxRangePop(void);

int nvtxRangePushA(const char *name) { return printf("begin %s\n", name); }
int nvtxRangePop(void) { return printf("end\n"); }
