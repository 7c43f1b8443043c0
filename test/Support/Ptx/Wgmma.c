//===- Wgmma.c - wgmma.mma_async ------------------------------------------===//
//
// PTX ISA 9.0, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Operation using
// wgmma.mma_async": matrix descriptors, and the layouts of shared memory that they describe. These
// are made of atoms of 8 rows, each as wide as the swizzle (16 bytes without one):
//
//   K-major:   a row has one m or n and neighbours along k. 8 of m or n are an atom, the next atom
//              is a stride on. k goes on by 16 bytes in a swizzled row, which has all of it, and by
//              the leading offset without a swizzle.
//   MN-major:  a row has one k and neighbours along m or n. 8 of k are an atom. Swizzled, the next
//   8
//              of k are a stride on and the next m or n beyond a row a leading offset; without a
//              swizzle it is the other way about.
//
// A swizzle of 32, 64 or 128 bytes exclusive-ors bits 4 and up of the shared address with bits 7
// and up, 1, 2 or 3 of them.
//===----------------------------------------------------------------------===//
#include "MatrixImpl.h"
#include <string.h>

enum { ROWS = 64, WARP_ROWS = 16, MOST_COLUMNS = 256, CHUNK = 16 };

typedef struct Operand {
  uint32_t start, leading, stride; ///< bytes
  uint32_t width;                  ///< bytes of an atom's row
  uint32_t mask;                   ///< bits 4 .. 6 that a swizzle changes
} Operand;

static bool readDescriptor(uint64_t descriptor, Operand *operand, PtxFault *fault) {
  static const uint32_t widths[] = {16, 128, 64, 32};
  const uint32_t width = widths[descriptor >> 62];
  *operand = (Operand){
      .start = (uint32_t)(descriptor & 0x3fff) << 4,
      .leading = (uint32_t)(descriptor >> 16 & 0x3fff) << 4,
      .stride = (uint32_t)(descriptor >> 32 & 0x3fff) << 4,
      .width = width,
      .mask = width - CHUNK,
  };
  if (!(descriptor >> 49 & 7)) return true;
  return ptxFaultSet(fault, 719, "expected a wgmma descriptor without a base offset, found 0x%llx",
                     (unsigned long long)descriptor);
}

/// Where the 16 bytes of a row of an atom, so many bytes in, are; rows and bytes of the whole
/// matrix.
static uint32_t place(const Operand *o, bool isTransposed, uint32_t row, uint32_t byte) {
  uint32_t offset = row / 8 * o->stride + row % 8 * o->width;
  if (o->width > CHUNK && isTransposed)
    offset += byte / o->width * o->leading + byte % o->width;
  else if (o->width > CHUNK)
    offset += byte;
  else if (isTransposed)
    offset = row / 8 * o->leading + row % 8 * o->width + byte / CHUNK * o->stride;
  else
    offset += byte / CHUNK * o->leading;
  const uint32_t address = o->start + offset;
  return address ^ (address >> 3 & o->mask);
}

/// Reads `count` rows (of a) or columns (of b) of depth k: cell (mn, k) at mn * stepMn + k * stepK.
static bool readShared(const PtxMatrixForm *form, PtxElement element, uint64_t descriptor,
                       bool isTransposed, int count, int stepMn, int stepK, const PtxShared *shared,
                       PtxFault *fault, PtxCell *to) {
  Operand operand;
  if (!readDescriptor(descriptor, &operand, fault)) return false;
  const int bytes = ptxElementGetBits(element) / 8, each = CHUNK / bytes;
  const int rows = isTransposed ? form->k : count, columns = isTransposed ? count : form->k;
  const int stepRow = isTransposed ? stepK : stepMn, step = isTransposed ? stepMn : stepK;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; column += each) {
      PtxCell cells[CHUNK];
      const uint32_t at = place(&operand, isTransposed, (uint32_t)row, (uint32_t)(column * bytes));
      if (!ptxSharedCheckRead(shared, at, CHUNK, fault)) return false;
      ptxCellsDecode(element, shared->bytes + at, CHUNK, cells);
      for (int i = 0; i < each; ++i) to[row * stepRow + (column + i) * step] = cells[i];
    }
  return true;
}

static void negate(PtxCell *cells, int count) {
  for (int i = 0; i < count; ++i) cells[i].real = -cells[i].real;
}

bool ptxWgmma(const PtxMatrixForm *form, const PtxWgmma *operands, int first, int last,
              void *const *const *d, const void *const *const *a, const PtxShared *shared,
              PtxFault *fault) {
  PtxCell factorA[ROWS * PTX_CELL_DEPTH], factorB[PTX_CELL_DEPTH * MOST_COLUMNS];
  PtxCell sums[WARP_ROWS * MOST_COLUMNS];
  // Only types of 16 bits may be transposed, and only reals negated.
  const bool isWide = ptxElementGetBits(form->a) == 16;
  const bool isNegated = operands->negateA != operands->negateB && form->d != PTX_MATRIX_S32;
  if (!isWide && (operands->transposeA || operands->transposeB))
    return ptxFaultSet(fault, 719, "expected a transposed wgmma operand of 16 bits, found others");
  if (!operands->registersA &&
      !readShared(form, form->a, operands->descriptorA, operands->transposeA, ROWS, PTX_CELL_DEPTH,
                  1, shared, fault, factorA))
    return false;
  if (!readShared(form, form->b, operands->descriptorB, operands->transposeB, form->n, 1, form->n,
                  shared, fault, factorB))
    return false;
  for (int warp = first; warp < last; ++warp) {
    PtxCell *mine = &factorA[warp * WARP_ROWS * PTX_CELL_DEPTH];
    if (operands->registersA) ptxCellsReadA(form, WARP_ROWS, a[warp], mine);
    if (isNegated) negate(mine, WARP_ROWS * PTX_CELL_DEPTH);
    if (operands->scaleD)
      ptxCellsReadSums(form->d, WARP_ROWS, form->n, (const void *const *)d[warp], sums);
    else
      memset(sums, 0, sizeof sums);
    ptxCellsMultiply(form, WARP_ROWS, mine, factorB, sums);
    ptxCellsWriteSums(form->d, WARP_ROWS, form->n, sums, d[warp]);
  }
  return true;
}
