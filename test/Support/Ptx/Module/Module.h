//===- Module.h - PTX as the emulator runs it (private) -------------------===//
//
// A kernel is an array of instructions with bound operands. A warp's registers are one file of
// bytes: a register of 32 bits or fewer is a row of 32 uint32_t (16-bit values in the low half),
// one of 64 bits a row of 32 uint64_t, a predicate one uint32_t with a bit a lane. A row is named
// by its offset in the file; constants are rows of a pool of the kernel, named by the complement of
// theirs.
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_PTX_MODULE_H
#define TILE_TEST_PTX_MODULE_H

#include "../Emulator.h"
#include "../Matrix.h"
#include "../Numbers.h"

enum { PTX_LANES = 32, PTX_ROW = 4 * PTX_LANES, PTX_WIDE_ROW = 8 * PTX_LANES };

/// Lanes of a register, of whatever type they were written as.
typedef uint16_t __attribute__((may_alias)) PtxU16;
typedef uint32_t __attribute__((may_alias)) PtxU32;
typedef int32_t __attribute__((may_alias)) PtxS32;
typedef uint64_t __attribute__((may_alias)) PtxU64;
typedef int64_t __attribute__((may_alias)) PtxS64;
typedef float __attribute__((may_alias)) PtxFloat;
typedef double __attribute__((may_alias)) PtxDouble;

/// State spaces; .const is among the global.
typedef enum PtxSpace {
  PTX_GENERIC,
  PTX_GLOBAL,
  PTX_SHARED,
  PTX_SHARED_CLUSTER,
  PTX_LOCAL,
  PTX_PARAM,
} PtxSpace;

typedef struct PtxWarp PtxWarp;
typedef struct PtxOp PtxOp;

/// A register, or a constant's row.
typedef struct PtxSlot {
  int32_t row;
  uint8_t bytes; ///< of a lane: 4, 8, or 1 for a predicate; 0 for what takes any result ("_")
  bool isNegated;
  bool isNumber; ///< of a vector: no row yet
  uint64_t number;
} PtxSlot;

typedef enum PtxOperandKind {
  PTX_REGISTERS, ///< a register, a vector of them, or a pair a|b
  PTX_NUMBER,
  PTX_ADDRESS, ///< [slots[0] + number] or [number]; of tensors with coordinates in slots behind it
  PTX_LABEL,
  PTX_PARAMETER, ///< the address of a parameter: an offset in the parameters
} PtxOperandKind;

typedef struct PtxOperand {
  PtxOperandKind kind;
  bool hasBase;  ///< of an address
  bool isVector; ///< was written in braces
  bool isFloat;  ///< of a number: 0f.. or 0d..
  int count;     ///< slots
  PtxSlot *slots;
  uint64_t number; ///< a number's bits, an address's offset, a label's instruction
} PtxOperand;

/// What an instruction does to its warp.
typedef enum PtxStatus {
  PTX_NEXT,    ///< go on behind it
  PTX_JUMPED,  ///< the warp's groups were changed
  PTX_BLOCKED, ///< try again later
  PTX_FAULTED, ///< the launch ends
} PtxStatus;

/// Runs an instruction for the lanes of a mask (which may be none).
typedef PtxStatus (*PtxRun)(PtxWarp *warp, const PtxOp *op, uint32_t mask);
/// Computes 32 lanes: rows of result and operands. The result may be an operand.
typedef void (*PtxLanes)(const PtxOp *op, void *d, const void *a, const void *b, const void *c);

enum { PTX_SOURCES = 4 };

struct PtxOp {
  PtxLanes lanes; ///< or NULL
  PtxRun run;     ///< where lanes is NULL
  /// Rows of an instruction of lanes, -1 complemented where there is none. `d` is a row of dBytes a
  /// lane.
  int32_t d, s[PTX_SOURCES];
  uint8_t dBytes;
  bool isConvergent; ///< all of the warp's living lanes run it together
  bool isAtomic;
  int8_t guard; ///< 0: none, 1: @p, -1: @!p
  int32_t guardRow;
  int operandCount;
  PtxOperand *operands;
  /// What the name says beyond the function, for the function to read.
  struct {
    PtxFormat format, to;
    PtxRounding rounding;
    bool flushes, saturates, relu, isSigned, isSignedTo, isVector2;
    bool xorsSigns; ///< min, max: of magnitudes, with both signs exclusive or
    uint8_t bytes, toBytes, count, kind;
    PtxApproximation approximation;
    PtxMatrixForm *matrix;
    PtxLanes inner; ///< of cvt: between registers as wide as the types
  } is;
  int line;   ///< in the text
  int source; ///< the last .loc's index, or -1
  char *text; ///< as it was written
};

/// Special registers that are rows of the register file, written when a warp begins.
typedef enum PtxSpecial {
  PTX_TID_X,
  PTX_TID_Y,
  PTX_TID_Z,
  PTX_NTID_X,
  PTX_NTID_Y,
  PTX_NTID_Z,
  PTX_CTAID_X,
  PTX_CTAID_Y,
  PTX_CTAID_Z,
  PTX_NCTAID_X,
  PTX_NCTAID_Y,
  PTX_NCTAID_Z,
  PTX_LANEID,
  PTX_WARPID,
  PTX_SMID,
  PTX_CLUSTER_CTARANK,
  PTX_CLUSTER_NCTARANK,
  PTX_CLUSTER_CTAID_X,
  PTX_CLUSTER_CTAID_Y,
  PTX_CLUSTER_CTAID_Z,
  PTX_CLUSTER_NCTAID_X,
  PTX_CLUSTER_NCTAID_Y,
  PTX_CLUSTER_NCTAID_Z,
  PTX_LANEMASK_LT,
  PTX_LANEMASK_LE,
  PTX_LANEMASK_EQ,
  PTX_LANEMASK_GT,
  PTX_LANEMASK_GE,
  PTX_DYNAMIC_SHARED,
  PTX_CLOCK,
  PTX_CLOCK64,
  PTX_GLOBALTIMER,
  PTX_SPECIALS,
} PtxSpecial;

typedef struct PtxSource {
  int file, line;
} PtxSource;

struct PtxEntry {
  PtxModule *module;
  char *name;
  PtxEntryInfo info;
  PtxParameter *parameters;
  char **parameterNames;
  PtxOp *ops;
  int opCount, opCapacity;
  PtxSource *sources;
  int sourceCount, sourceCapacity;
  int32_t fileBytes;              ///< of a warp's registers
  int32_t specials[PTX_SPECIALS]; ///< rows, or -1
  uint8_t *constants;
  int32_t constantBytes, constantCapacity;
  bool lacksMemory;     ///< there was none for a constant
  uint32_t required[3]; ///< .reqntid, or 0
  uint32_t cluster[3];  ///< .reqnctapercluster, or 0
  uint32_t sharedBytes; ///< static; dynamic memory begins behind it, at dynamicShared
  uint32_t dynamicShared;
  uint32_t localBytes;
  struct PtxEntry *next;
};

typedef struct PtxVariable {
  char *name;
  uint64_t address;
  size_t bytes;
  struct PtxVariable *next;
} PtxVariable;

/// Memory that lives as long as a module.
typedef struct PtxArena PtxArena;
struct PtxArena {
  PtxArena *next;
  _Alignas(16) char bytes[];
};

struct PtxModule {
  int arch;
  PtxArena *arena;
  PtxEntry *entries;
  PtxVariable *variables;
  char **files;
  int fileCount;
};

/// Zeroed memory of the module's arena; NULL where there is none.
void *ptxAllocate(PtxModule *module, size_t bytes);
char *ptxCopyText(PtxModule *module, const char *text, size_t length);

#endif // TILE_TEST_PTX_MODULE_H
