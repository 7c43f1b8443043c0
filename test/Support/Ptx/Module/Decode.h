//===- Decode.h - from an instruction's name to what runs it (private) ----===//
#ifndef TILE_TEST_PTX_DECODE_H
#define TILE_TEST_PTX_DECODE_H

#include "Module.h"

enum { PTX_PARTS = 24, PTX_PART = 32 };

/// An instruction's name, taken apart at its dots. What is asked for is taken; an instruction whose
/// name has a part that nobody took is refused.
typedef struct PtxName {
  const char *whole;
  int count;
  char parts[PTX_PARTS][PTX_PART];
  bool isTaken[PTX_PARTS];
} PtxName;

typedef struct PtxDecoder {
  PtxEntry *entry;
  PtxOp *op;
  PtxName name;
  char error[200]; ///< of operands that do not fit
} PtxDecoder;

bool ptxNameSplit(PtxName *name, const char *text);
/// Whether the name has this part (not taken yet), which is then taken.
bool ptxTake(PtxName *name, const char *part);
bool ptxIs(const PtxName *name, int index, const char *part);
bool ptxAllTaken(const PtxName *name);

/// A type's letter ('u', 's', 'b', 'f', 'p'), bits, and, of floats, format.
typedef struct PtxType {
  char letter;
  int bits;
  PtxFormat format;
  bool isPair; ///< two in a register: f16x2, bf16x2, f32x2, e4m3x2 ..
} PtxType;
bool ptxTypeParse(const char *text, PtxType *type);
/// Takes the last part that is a type and not taken yet.
bool ptxTakeType(PtxName *name, PtxType *type);
/// Takes .rn and its like (or .rni); `fallback` where there is none.
PtxRounding ptxTakeRounding(PtxName *name, PtxRounding fallback);

/// Takes a state space; false and PTX_GENERIC for none.
bool ptxTakeSpace(PtxName *name, PtxSpace *space);
/// Takes what says how an access is ordered, and for whom: one order is all that there is here.
void ptxTakeOrder(PtxName *name);

/// Binds operand `index` to source `source` (or, for source -1, to the result) as a row of lanes of
/// 4 or 8 bytes, or a predicate's word (1). Numbers become rows. False with decoder->error.
bool ptxBind(PtxDecoder *decoder, int source, int index, int bytes);
/// The same, into a slot; of vectors, the element.
bool ptxBindSlot(PtxDecoder *decoder, int index, int element, int bytes, PtxSlot *slot);
/// Makes all of an operand's numbers and registers slots of so many bytes a lane.
bool ptxBindOperand(PtxDecoder *decoder, int index, int bytes);
/// The same of an operand that is written: no number. "_" takes any result, and is no source.
bool ptxBindResult(PtxDecoder *decoder, int index, int bytes);
bool ptxExpectOperands(PtxDecoder *decoder, int least, int most);
/// False, with a text of what was expected.
bool ptxRefuse(PtxDecoder *decoder, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// The row of a constant of 4 or 8 bytes a lane. Where there is no memory, entry->lacksMemory is
/// set.
int32_t ptxConstant(PtxEntry *entry, uint64_t value, int bytes);

/// An instruction by a part of its name: those of a family. 1: it is of the family and bound; 0: it
/// is not; -1: refused, with decoder->error (or that of an unknown name where that is empty).
typedef int (*PtxDecode)(PtxDecoder *decoder);
int ptxDecodeInteger(PtxDecoder *decoder);
int ptxDecodeFloat(PtxDecoder *decoder);
int ptxDecodeHalf(PtxDecoder *decoder);
int ptxDecodeConvert(PtxDecoder *decoder);
int ptxDecodeCompare(PtxDecoder *decoder);
int ptxDecodeMove(PtxDecoder *decoder);
int ptxDecodeControl(PtxDecoder *decoder);
int ptxDecodeMemory(PtxDecoder *decoder);
int ptxDecodeAtomic(PtxDecoder *decoder);
int ptxDecodeWarp(PtxDecoder *decoder);
int ptxDecodeMatrix(PtxDecoder *decoder);
int ptxDecodeBarrier(PtxDecoder *decoder);
int ptxDecodeArrival(PtxDecoder *decoder);
int ptxDecodeCopy(PtxDecoder *decoder);
int ptxDecodeBulk(PtxDecoder *decoder);

/// Tries every family. False with the error's text.
bool ptxDecodeOp(PtxEntry *entry, PtxOp *op, const char *name, char *error, size_t errorBytes);

#endif // TILE_TEST_PTX_DECODE_H
