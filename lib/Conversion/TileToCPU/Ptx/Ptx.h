//===- Ptx.h - PTX of the kernel's own, on the CPU --------------*- C -*-===//
//
// A text is read statement by statement (Text.c), and each instruction is what arith and math
// compute (Instructions.c, Bits.c). A register is a value of integers of its width: a tile, an
// element of which is one text's register, or a scalar.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_CONVERSION_TILETOCPU_PTX_H
#define TILE_CONVERSION_TILETOCPU_PTX_H

#include "../Lowering.h"

enum { PTX_OPERANDS = 5, PTX_PARTS = 4, PTX_NAME = 24 };

/// What an instruction reads.
typedef struct {
  MlirValue value; ///< null: an immediate
  int64_t number;  ///< of an immediate
  bool isImmediate;
} PtxInput;

/// An instruction without what it writes: "selp.b16" of three inputs.
typedef struct {
  char name[48];
  PtxInput inputs[PTX_OPERANDS];
  int numInputs, numOutputs;
  MlirType like; ///< a register's: the shape of all
  int bits;      ///< of the register that is written first
} PtxInstruction;

/// The name in its words, but for those that say how to round.
typedef struct {
  char text[48];
  const char *words[6];
  int count;
} PtxName;

/// One on the bits of integers, the last word of whose name says so many `bits`; false where it is
/// another one.
bool cpuBuildPtxBits(TileBuilder *b, const PtxInstruction *instruction, const PtxName *name,
                     int bits, bool isSigned, MlirValue *out);

/// Builds the instruction; one value for each output, integers of the outputs' width (i1 of a
/// predicate). False where it is unknown.
bool cpuBuildPtx(TileBuilder *b, const PtxInstruction *instruction, MlirValue outputs[2]);

/// `like` with integers of so many bits.
MlirType cpuPtxType(TileBuilder *b, MlirType like, int bits);

/// What %globaltimer has, nanoseconds as 64 bits: an op that cpuExpandPtx leaves alone, and a tile
/// of it where `like` is one.
MlirValue cpuBuildClock(TileBuilder *b, MlirType like);

/// The text on registers: `inputs` are those of $numOutputs and so on, `outputs` gets $0 and so on.
/// False where the text has something else than known instructions one behind the other.
bool cpuRunPtx(TileBuilder *b, MlirStringRef text, MlirType like, int numInputs,
               const MlirValue *inputs, int numOutputs, const int *outputBits, MlirValue *outputs);

#endif
