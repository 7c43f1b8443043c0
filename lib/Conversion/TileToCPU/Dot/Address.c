//===- Address.c - places in operands -------------------------------------===//
#include "Dot.h"

MlirValue dotTimes(Dot *d, MlirValue x, int64_t factor) {
  if (factor == 1) return x;
  MlirValue constant = cpuI64(d->l, factor);
  return tileBuildBinary(&d->l->at, "arith.muli", x, constant);
}

MlirValue dotPlus(Dot *d, MlirValue x, MlirValue y) {
  return tileBuildBinary(&d->l->at, "arith.addi", x, y);
}

MlirValue dotAdvance(Dot *d, MlirValue pointer, MlirType element, MlirValue steps, int64_t stride) {
  return cpuOffset(d->l, pointer, element, dotTimes(d, steps, stride));
}

MlirValue dotAdvanceBy(Dot *d, MlirValue pointer, MlirType element, int64_t elements) {
  if (!elements) return pointer;
  return cpuOffset(d->l, pointer, element, cpuI64(d->l, elements));
}
