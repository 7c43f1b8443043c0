//===- Matrix.c - mma.sync, ldmatrix, stmatrix and movmatrix --------------===//
//
// PTX ISA 9.0, "Matrix Fragments for mma.m*n*k*" and the figures of ldmatrix and movmatrix. Where
// g is a lane's group (lane / 4) and t its place in it, all forms here agree: a register has p
// neighbours along k (p elements fit 32 bits, or one of f64).
//
//   a, register r, element i: row g + 8 (r % 2),  k = 4p (r / 2) + p t + i   (of 8 rows: r for r /
//   2) b, register r, element i: column g,           k = 4p r + p t + i c and d, element j: row g +
//   8 (j / 2),  column 2 t + j % 2
//===----------------------------------------------------------------------===//
#include "MatrixImpl.h"
#include "Numbers.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

//===- Names --------------------------------------------------------------===//

int ptxElementGetBits(PtxElement element) {
  static const int bits[PTX_MATRIX_ELEMENTS] = {
      [PTX_MATRIX_F16] = 16, [PTX_MATRIX_BF16] = 16, [PTX_MATRIX_TF32] = 32, [PTX_MATRIX_E4M3] = 8,
      [PTX_MATRIX_E5M2] = 8, [PTX_MATRIX_S8] = 8,    [PTX_MATRIX_U8] = 8,    [PTX_MATRIX_F32] = 32,
      [PTX_MATRIX_S32] = 32, [PTX_MATRIX_F64] = 64,
  };
  return bits[element];
}

static PtxElement findElement(const char *name, size_t length) {
  static const char *const names[PTX_MATRIX_ELEMENTS] = {
      [PTX_MATRIX_F16] = "f16",   [PTX_MATRIX_BF16] = "bf16", [PTX_MATRIX_TF32] = "tf32",
      [PTX_MATRIX_E4M3] = "e4m3", [PTX_MATRIX_E5M2] = "e5m2", [PTX_MATRIX_S8] = "s8",
      [PTX_MATRIX_U8] = "u8",     [PTX_MATRIX_F32] = "f32",   [PTX_MATRIX_S32] = "s32",
      [PTX_MATRIX_F64] = "f64",
  };
  for (int i = 0; i < PTX_MATRIX_ELEMENTS; ++i)
    if (strlen(names[i]) == length && !strncmp(names[i], name, length)) return (PtxElement)i;
  return PTX_MATRIX_ELEMENTS;
}

/// Takes a prefix off a name.
static bool skip(const char **name, const char *prefix) {
  size_t length = strlen(prefix);
  if (strncmp(*name, prefix, length) != 0) return false;
  *name += length;
  return true;
}

/// Takes "m16n8k16." off a name.
static bool readShape(const char **name, PtxMatrixForm *form) {
  int *const extents[] = {&form->m, &form->n, &form->k};
  for (int i = 0; i < 3; ++i) {
    char *end;
    if (*(*name)++ != "mnk"[i] || **name < '1' || **name > '9') return false;
    *extents[i] = (int)strtol(*name, &end, 10);
    *name = end;
  }
  return *(*name)++ == '.';
}

/// Reads the rest of a name as element types with dots between them. The number of them, or 0.
static int readElements(const char *name, PtxElement elements[4]) {
  for (int count = 0; count < 4; ++count) {
    size_t length = strcspn(name, ".");
    elements[count] = findElement(name, length);
    if (elements[count] == PTX_MATRIX_ELEMENTS) return 0;
    if (!name[length]) return count + 1;
    name += length + 1;
  }
  return 0;
}

static bool isF8(PtxElement e) { return e == PTX_MATRIX_E4M3 || e == PTX_MATRIX_E5M2; }
static bool isI8(PtxElement e) { return e == PTX_MATRIX_S8 || e == PTX_MATRIX_U8; }

/// Whether factors of these types go together, and sum up in these.
static bool agree(const PtxMatrixForm *f) {
  if (f->a != f->b && !(isF8(f->a) && isF8(f->b)) && !(isI8(f->a) && isI8(f->b))) return false;
  if (f->saturates && !isI8(f->a)) return false;
  if (isI8(f->a)) return f->c == PTX_MATRIX_S32 && f->d == PTX_MATRIX_S32;
  if (f->a == PTX_MATRIX_F64) return f->c == PTX_MATRIX_F64 && f->d == PTX_MATRIX_F64;
  if (f->a == PTX_MATRIX_F16 || isF8(f->a))
    return f->c == f->d && (f->c == PTX_MATRIX_F32 || f->c == PTX_MATRIX_F16);
  return (f->a == PTX_MATRIX_BF16 || f->a == PTX_MATRIX_TF32) && f->c == PTX_MATRIX_F32 &&
         f->d == PTX_MATRIX_F32;
}

static bool hasMmaShape(const PtxMatrixForm *f) {
  // In elements of 32 bits, but for f64.
  const int bits = ptxElementGetBits(f->a), words = f->k * bits / 32;
  if (f->n != 8) return false;
  if (f->a == PTX_MATRIX_F64)
    return (f->m == 8 && f->k == 4) || (f->m == 16 && (f->k == 4 || f->k == 8 || f->k == 16));
  if (f->m == 8) return isI8(f->a) && f->k == 16;
  return f->m == 16 && f->k * bits % 32 == 0 && (words == 4 || words == 8);
}

static bool hasWgmmaShape(const PtxMatrixForm *f) {
  const int step = isI8(f->a) && f->n > 32 ? 16 : 8;
  return f->a != PTX_MATRIX_F64 && f->m == 64 && f->k * ptxElementGetBits(f->a) == 256 &&
         f->n >= 8 && f->n <= 256 && f->n % step == 0;
}

/// Registers of so many elements in a warp.
static int countRegisters(int elements, PtxElement element) {
  const int bits = ptxElementGetBits(element);
  return elements * bits / 32 / (bits == 64 ? 64 : 32);
}

bool ptxMatrixParse(const char *name, PtxMatrixForm *form) {
  PtxElement e[4];
  *form = (PtxMatrixForm){0};
  const bool isWgmma = skip(&name, "wgmma.mma_async.sync.aligned.");
  if (!isWgmma && !skip(&name, "mma.sync.aligned.")) return false;
  if (!readShape(&name, form) || (!isWgmma && !skip(&name, "row.col."))) return false;
  form->saturates = skip(&name, "satfinite.");
  if (readElements(name, e) != (isWgmma ? 3 : 4)) return false;
  form->d = e[0], form->a = e[1], form->b = e[2], form->c = isWgmma ? e[0] : e[3];
  if (!agree(form) || !(isWgmma ? hasWgmmaShape(form) : hasMmaShape(form))) return false;
  const int rows = isWgmma ? form->m / 4 : form->m;
  form->registersA = countRegisters(rows * form->k, form->a);
  form->registersB = isWgmma ? 0 : countRegisters(form->k * form->n, form->b);
  form->registersC = countRegisters(rows * form->n, form->c);
  form->registersD = countRegisters(rows * form->n, form->d);
  return true;
}

//===- Numbers ------------------------------------------------------------===//

static float f8Values[2][256];
static pthread_once_t f8Once = PTHREAD_ONCE_INIT;

static void fillF8(void) {
  for (unsigned i = 0; i < 256; ++i) {
    f8Values[0][i] = (float)ptxDecode(PTX_E4M3, i);
    f8Values[1][i] = (float)ptxDecode(PTX_E5M2, i);
  }
}

void ptxCellsDecode(PtxElement element, const void *from, int bytes, PtxCell *to) {
  uint16_t half;
  const uint8_t *at = from;
  switch (element) {
  case PTX_MATRIX_F16:
    for (int i = 0; i < bytes / 2; ++i) {
      memcpy(&half, at + 2 * i, 2);
      to[i].real = ptxF16ToF32(half);
    }
    return;
  case PTX_MATRIX_BF16:
    for (int i = 0; i < bytes / 2; ++i) {
      memcpy(&half, at + 2 * i, 2);
      to[i].real = ptxBf16ToF32(half);
    }
    return;
  case PTX_MATRIX_TF32:
    memcpy(to, at, (size_t)bytes);
    for (int i = 0; i < bytes / 4; ++i) to[i].bits &= 0xffffe000u;
    return;
  case PTX_MATRIX_E4M3:
  case PTX_MATRIX_E5M2:
    pthread_once(&f8Once, fillF8);
    for (int i = 0; i < bytes; ++i) to[i].real = f8Values[element == PTX_MATRIX_E5M2][at[i]];
    return;
  case PTX_MATRIX_S8:
    for (int i = 0; i < bytes; ++i) to[i].integer = (int8_t)at[i];
    return;
  case PTX_MATRIX_U8:
    for (int i = 0; i < bytes; ++i) to[i].integer = at[i];
    return;
  default:
    memcpy(to, at, (size_t)bytes);
  }
}

/// A loop that most of the time of products goes to, by what the processor has. A product of these
/// formats is exact in f32, so that fusing it with a sum changes nothing.
#if defined(__x86_64__) && defined(__ELF__)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif

/// sum += a * b of a row, for 4 of k: fewer reads and writes of the sums.
WIDEST static void addProducts(int n, const PtxCell *a, const PtxCell *b, PtxCell *restrict sum) {
#ifdef __clang__
#pragma STDC FP_CONTRACT ON
#endif
  const float f0 = a[0].real, f1 = a[1].real, f2 = a[2].real, f3 = a[3].real;
  for (int i = 0; i < n; ++i)
    sum[i].real = sum[i].real + f0 * b[i].real + f1 * b[n + i].real + f2 * b[2 * n + i].real +
                  f3 * b[3 * n + i].real;
}

static void multiplyReals(int m, int n, int k, const PtxCell *a, const PtxCell *b, PtxCell *sum) {
  for (int row = 0; row < m; ++row, a += PTX_CELL_DEPTH, sum += n)
    for (int d = 0; d < k; d += 4) addProducts(n, a + d, b + (size_t)d * n, sum);
}

/// Wraps as the hardware's adders do: sums of unsigned numbers.
static void multiplyIntegers(int m, int n, int k, const PtxCell *a, const PtxCell *b,
                             PtxCell *sum) {
  for (int row = 0; row < m; ++row, a += PTX_CELL_DEPTH, sum += n)
    for (int d = 0; d < k; ++d)
      for (int i = 0; i < n; ++i) sum[i].bits += (uint32_t)(a[d].integer * b[d * n + i].integer);
}

static void multiplySaturating(int m, int n, int k, const PtxCell *a, const PtxCell *b,
                               PtxCell *sum) {
  for (int row = 0; row < m; ++row, a += PTX_CELL_DEPTH, sum += n)
    for (int i = 0; i < n; ++i) {
      int64_t total = sum[i].integer;
      for (int d = 0; d < k; ++d) total += a[d].integer * b[d * n + i].integer;
      total = total < INT32_MIN ? INT32_MIN : total > INT32_MAX ? INT32_MAX : total;
      sum[i].integer = (int32_t)total;
    }
}

void ptxCellsMultiply(const PtxMatrixForm *form, int rows, const PtxCell *a, const PtxCell *b,
                      PtxCell *sum) {
  if (form->d != PTX_MATRIX_S32)
    multiplyReals(rows, form->n, form->k, a, b, sum);
  else if (form->saturates)
    multiplySaturating(rows, form->n, form->k, a, b, sum);
  else
    multiplyIntegers(rows, form->n, form->k, a, b, sum);
}

//===- Fragments ----------------------------------------------------------===//

void ptxCellsReadA(const PtxMatrixForm *form, int rows, const void *const *a, PtxCell *to) {
  const int each = 32 / ptxElementGetBits(form->a), halves = rows / 8;
  PtxCell cells[32 * 4];
  for (int r = 0; r < form->registersA; ++r) {
    const int row = r % halves * 8, k = r / halves * 4 * each;
    ptxCellsDecode(form->a, a[r], 32 * 4, cells);
    // The four lanes of a group are neighbours along k.
    for (int g = 0; g < 8; ++g)
      memcpy(&to[(row + g) * PTX_CELL_DEPTH + k], &cells[g * 4 * each],
             4 * (size_t)each * sizeof *to);
  }
}

static void readB(const PtxMatrixForm *form, const void *const *b, PtxCell *to) {
  const int each = 32 / ptxElementGetBits(form->b);
  PtxCell cells[32 * 4];
  for (int r = 0; r < form->registersB; ++r) {
    ptxCellsDecode(form->b, b[r], 32 * 4, cells);
    for (int k = 0; k < 4 * each; ++k)
      for (int g = 0; g < 8; ++g) to[(r * 4 * each + k) * 8 + g] = cells[g * 4 * each + k];
  }
}

/// Eight rows and columns of sums, a register of the even columns and one of the odd: lane by lane.
static void readSumBlock(const uint32_t *restrict even, const uint32_t *restrict odd, int n,
                         PtxCell *restrict to) {
  for (int g = 0; g < 8; ++g)
    for (int t = 0; t < 4; ++t) {
      to[g * n + 2 * t].bits = even[g * 4 + t];
      to[g * n + 2 * t + 1].bits = odd[g * 4 + t];
    }
}

static void writeSumBlock(const PtxCell *restrict from, int n, uint32_t *restrict even,
                          uint32_t *restrict odd) {
  for (int g = 0; g < 8; ++g)
    for (int t = 0; t < 4; ++t) {
      even[g * 4 + t] = from[g * n + 2 * t].bits;
      odd[g * 4 + t] = from[g * n + 2 * t + 1].bits;
    }
}

/// The same in f16, both in one register.
static void readHalfBlock(const uint32_t *pairs, int n, PtxCell *to) {
  for (int lane = 0; lane < 32; ++lane) {
    PtxCell *cell = &to[lane / 4 * n + lane % 4 * 2];
    cell[0].real = ptxF16ToF32((uint16_t)pairs[lane]);
    cell[1].real = ptxF16ToF32((uint16_t)(pairs[lane] >> 16));
  }
}

static void writeHalfBlock(const PtxCell *from, int n, uint32_t *pairs) {
  for (int lane = 0; lane < 32; ++lane) {
    const PtxCell *cell = &from[lane / 4 * n + lane % 4 * 2];
    pairs[lane] = ptxF32ToF16(cell[0].real) | (uint32_t)ptxF32ToF16(cell[1].real) << 16;
  }
}

// Columns come in eights, whose registers follow on each other: of the upper rows, then of the
// lower.

void ptxCellsReadSums(PtxElement element, int rows, int n, const void *const *c, PtxCell *to) {
  const int halves = rows / 8;
  for (int i = 0; i < rows * n / 64; ++i) {
    PtxCell *block = to + i % halves * 8 * n + i / halves * 8;
    if (element == PTX_MATRIX_F16)
      readHalfBlock(c[i], n, block);
    else
      readSumBlock(c[2 * i], c[2 * i + 1], n, block);
  }
}

void ptxCellsWriteSums(PtxElement element, int rows, int n, const PtxCell *from, void *const *d) {
  const int halves = rows / 8;
  for (int i = 0; i < rows * n / 64; ++i) {
    const PtxCell *block = from + i % halves * 8 * n + i / halves * 8;
    if (element == PTX_MATRIX_F16)
      writeHalfBlock(block, n, d[i]);
    else
      writeSumBlock(block, n, d[2 * i], d[2 * i + 1]);
  }
}

//===- mma.sync -----------------------------------------------------------===//

/// Of f64: the rounding of each product and sum is that of fma.
static void multiplyDoubles(const PtxMatrixForm *form, void *const *d, const void *const *a,
                            const void *const *b, const void *const *c) {
  const int halves = form->m / 8;
  double sums[4][32];
  for (int j = 0; j < form->registersD; ++j)
    for (int lane = 0; lane < 32; ++lane) {
      const int row = lane / 4, column = lane % 4 * 2 + j % 2;
      double sum = ((const double *)c[j])[lane];
      for (int k = 0; k < form->k; ++k) {
        const double *rows = a[k / 4 * halves + j / 2], *columns = b[k / 4];
        sum = fma(rows[row * 4 + k % 4], columns[column * 4 + k % 4], sum);
      }
      sums[j][lane] = sum;
    }
  for (int j = 0; j < form->registersD; ++j) memcpy(d[j], sums[j], sizeof sums[j]);
}

void ptxMma(const PtxMatrixForm *form, void *const *d, const void *const *a, const void *const *b,
            const void *const *c) {
  PtxCell factorA[16 * PTX_CELL_DEPTH], factorB[PTX_CELL_DEPTH * 8], sums[16 * 8];
  if (form->a == PTX_MATRIX_F64) {
    multiplyDoubles(form, d, a, b, c);
    return;
  }
  ptxCellsReadA(form, form->m, a, factorA);
  readB(form, b, factorB);
  ptxCellsReadSums(form->c, form->m, form->n, c, sums);
  ptxCellsMultiply(form, form->m, factorA, factorB, sums);
  ptxCellsWriteSums(form->d, form->m, form->n, sums, d);
}

//===- ldmatrix, stmatrix and movmatrix -----------------------------------===//

bool ptxTileParse(const char *name, PtxTileForm *form) {
  *form = (PtxTileForm){.count = 1, .transpose = true};
  if (!strcmp(name, "movmatrix.sync.aligned.m8n8.trans.b16")) return true;
  if (!skip(&name, "ldmatrix.sync.aligned.m8n8.x") && !skip(&name, "stmatrix.sync.aligned.m8n8.x"))
    return false;
  form->count = *name - '0';
  if (form->count != 1 && form->count != 2 && form->count != 4) return false;
  ++name;
  form->transpose = skip(&name, ".trans");
  return (skip(&name, ".shared::cta") || skip(&name, ".shared")) && !strcmp(name, ".b16");
}

static bool checkRow(uint32_t address, PtxFault *fault) {
  if (address % 16 == 0) return true;
  return ptxFaultSet(fault, 716, "expected a matrix row on 16 bytes, found address 0x%x", address);
}

bool ptxLdmatrix(const PtxTileForm *form, uint32_t *const *d, const uint32_t addresses[32],
                 const PtxShared *shared, PtxFault *fault) {
  uint16_t rows[4][8][8];
  for (int i = 0; i < form->count * 8; ++i) {
    if (!checkRow(addresses[i], fault) || !ptxSharedCheckRead(shared, addresses[i], 16, fault))
      return false;
    memcpy(rows[i / 8][i % 8], shared->bytes + addresses[i], 16);
  }
  for (int i = 0; i < form->count; ++i)
    for (int lane = 0; lane < 32; ++lane) {
      const int g = lane / 4, t = lane % 4 * 2;
      d[i][lane] = form->transpose ? rows[i][t][g] | (uint32_t)rows[i][t + 1][g] << 16
                                   : rows[i][g][t] | (uint32_t)rows[i][g][t + 1] << 16;
    }
  return true;
}

bool ptxStmatrix(const PtxTileForm *form, const uint32_t *const *s, const uint32_t addresses[32],
                 const PtxShared *shared, PtxFault *fault) {
  for (int i = 0; i < form->count * 8; ++i) {
    uint16_t row[8];
    for (int j = 0; j < 8; ++j) {
      const int g = form->transpose ? j : i % 8, t = form->transpose ? i % 8 : j;
      row[j] = (uint16_t)(s[i / 8][g * 4 + t / 2] >> (t % 2 * 16));
    }
    if (!checkRow(addresses[i], fault) || !ptxSharedCheckWrite(shared, addresses[i], 16, fault))
      return false;
    memcpy(shared->bytes + addresses[i], row, 16);
  }
  return true;
}

void ptxMovmatrix(uint32_t d[32], const uint32_t s[32]) {
  uint32_t result[32];
  for (int lane = 0; lane < 32; ++lane) {
    const int g = lane / 4, t = lane % 4 * 2;
    uint32_t low = s[t * 4 + g / 2] >> (g % 2 * 16) & 0xffffu;
    uint32_t high = s[(t + 1) * 4 + g / 2] >> (g % 2 * 16) & 0xffffu;
    result[lane] = low | high << 16;
  }
  memcpy(d, result, sizeof result);
}
