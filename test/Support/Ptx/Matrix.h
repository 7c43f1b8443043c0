//===- Matrix.h - PTX's matrix instructions -------------------------------===//
//
// Of the PTX emulator: what mma.sync, ldmatrix, stmatrix, movmatrix and wgmma.mma_async compute, on
// the registers of one warp. When it happens (a wgmma is asynchronous) is the caller's.
//
// Registers are rows of 32 lanes, passed as pointers to rows in the order of the operand list: row
// r is uint32_t[32], or uint64_t[32] for .f64 registers. Source: PTX ISA 9.0, "Warp-level Matrix
// Instructions" and "Asynchronous Warpgroup-level Matrix Instructions".
//
// Products are exact and their sums are f32 sums in order of k (f64 sums, s32 sums): the hardware's
// order is not specified. Hopper's wgmma of E4M3 and E5M2 keeps fewer bits of a sum than f32; here
// f32's are kept. Accumulators in f16 are rounded once an instruction.
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_PTX_MATRIX_H
#define TILE_TEST_PTX_MATRIX_H

#include "Memory.h"

typedef enum PtxElement {
  PTX_MATRIX_F16,
  PTX_MATRIX_BF16,
  PTX_MATRIX_TF32,
  PTX_MATRIX_E4M3,
  PTX_MATRIX_E5M2,
  PTX_MATRIX_S8,
  PTX_MATRIX_U8,
  PTX_MATRIX_F32,
  PTX_MATRIX_S32,
  PTX_MATRIX_F64,
  PTX_MATRIX_ELEMENTS,
} PtxElement;

/// A form of mma.sync or wgmma.mma_async, as its name says.
typedef struct PtxMatrixForm {
  int m, n, k;
  PtxElement a, b, c, d; ///< c is d of wgmma
  bool saturates;        ///< .satfinite of integers
  /// Registers of each operand: rows of 32 lanes, 64-bit ones for F64 and otherwise 32-bit ones.
  /// `a` of wgmma is its number where it comes from registers.
  int registersA, registersB, registersC, registersD;
} PtxMatrixForm;

/// Reads an instruction's whole name, as in "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" or
/// "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16". False for a form that tile does not emit.
bool ptxMatrixParse(const char *name, PtxMatrixForm *form);

/// d = a * b + c of one warp. d may be c.
void ptxMma(const PtxMatrixForm *form, void *const *d, const void *const *a, const void *const *b,
            const void *const *c);

/// The operands of one wgmma beside its form.
typedef struct PtxWgmma {
  uint64_t descriptorA, descriptorB; ///< A's is not looked at where it comes from registers
  bool registersA;                   ///< A comes from registers
  bool scaleD;                       ///< false: the sum starts from zero
  bool negateA, negateB;             ///< imm-scale of -1
  bool transposeA, transposeB;       ///< imm-trans of 1: MN-major in shared memory
} PtxWgmma;

/// d = a * b + d for warps `first` .. `last` - 1 of a warpgroup (0, 4 for all of it, which decodes
/// B once; a warp has 16 of the 64 rows). d[w] and a[w] are the register rows of warp w; a is NULL
/// where A is in shared memory. False with a fault for a descriptor that reaches beyond the window.
bool ptxWgmma(const PtxMatrixForm *form, const PtxWgmma *operands, int first, int last,
              void *const *const *d, const void *const *const *a, const PtxShared *shared,
              PtxFault *fault);

/// ldmatrix, stmatrix or movmatrix by its whole name.
typedef struct PtxTileForm {
  int count; ///< matrices of 8 x 8 elements of 16 bits: 1, 2 or 4
  bool transpose;
} PtxTileForm;
bool ptxTileParse(const char *name, PtxTileForm *form);

/// `addresses` are the lanes' shared addresses; d and s have form->count rows of uint32_t[32].
bool ptxLdmatrix(const PtxTileForm *form, uint32_t *const *d, const uint32_t addresses[32],
                 const PtxShared *shared, PtxFault *fault);
bool ptxStmatrix(const PtxTileForm *form, const uint32_t *const *s, const uint32_t addresses[32],
                 const PtxShared *shared, PtxFault *fault);
/// d may be s.
void ptxMovmatrix(uint32_t d[32], const uint32_t s[32]);

#endif // TILE_TEST_PTX_MATRIX_H
