//===- GridForm.h - how many programs a launch has, as data ---------------===//
//
// What a kernel's tile.grid computes of its arguments, as steps in their order. A step's operands
// are earlier steps, by number:
//
//   0  argument 3 (i32)          %n
//   1  number 1023 (i32)
//   2  ceildivsi 0 1 (i32)       the grid is {2}
//
// Values are computed in the widths that they have in the text, and wrap around there. Meta-
// parameters are numbers by now. The form is plain data without addresses, so that it can be
// written down as C.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_GRID_FORM_H
#define TILE_RUNTIME_GRID_FORM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileGridOp {
  TILE_GRID_NUMBER,
  TILE_GRID_ARGUMENT,
  TILE_GRID_SIGNED,   ///< `a` to another width, sign-extended or cut
  TILE_GRID_UNSIGNED, ///< `a` zero-extended
  TILE_GRID_SELECT,
  TILE_GRID_COMPARE, ///< `value` is the predicate, as of arith.cmpi
  TILE_GRID_ADD,
  TILE_GRID_SUB,
  TILE_GRID_MUL,
  TILE_GRID_DIV,
  TILE_GRID_REM,
  TILE_GRID_CEIL_DIV,
  TILE_GRID_FLOOR_DIV,
  TILE_GRID_DIV_UNSIGNED,
  TILE_GRID_REM_UNSIGNED,
  TILE_GRID_CEIL_DIV_UNSIGNED,
  TILE_GRID_MIN,
  TILE_GRID_MAX,
  TILE_GRID_MIN_UNSIGNED,
  TILE_GRID_MAX_UNSIGNED,
  TILE_GRID_AND,
  TILE_GRID_OR,
  TILE_GRID_XOR,
  TILE_GRID_SHIFT_LEFT,
  TILE_GRID_SHIFT_RIGHT,
  TILE_GRID_SHIFT_RIGHT_UNSIGNED,
} TileGridOp;

typedef struct TileGridStep {
  uint8_t op;    ///< a TileGridOp
  uint8_t width; ///< bits of the result, 1 to 64
  uint8_t from;  ///< bits of the operands
  uint16_t a, b, c;
  /// Of a number, of a predicate, and of an argument its position.
  int64_t value;
} TileGridStep;

enum { TILE_GRID_MAX_STEPS = 256 };

typedef struct TileGridForm {
  const TileGridStep *steps;
  uint16_t numSteps;
  /// The steps that are the extents; those from `numExtents` on are 1.
  uint16_t numExtents;
  uint16_t extents[3];
} TileGridForm;

/// Computes the grid for arguments in slots of 8 bytes. False where a step has no value (a division
/// by 0, say), or an extent is below 0 or above 2^31 - 1; `*at` is then that step (`numSteps` for
/// an extent).
bool tileGridFormEvaluate(const TileGridForm *form, const uint64_t *slots, int32_t grid[3],
                          unsigned *at);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_GRID_FORM_H
