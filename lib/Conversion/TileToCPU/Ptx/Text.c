//===- Text.c - PTX statement by statement --------------------------------===//
//
//   { .reg .b32 a<2>; .reg .pred p;      registers a0, a1 of 32 bits, and a predicate
//     setp.lt.u32 p, $1, 128;            instructions; operands are registers, numbers, {halves}
//     @p shl.b32 a0, $1, 4;              where p holds
//     mov.b32 $0, a0; }
//
// Without labels, branches and accesses; "trap" is a failed assert. Grammar: NVIDIA, "Parallel
// Thread Execution ISA", 4.
//===----------------------------------------------------------------------===//
#include "Ptx.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REGISTERS = 96, MAX_DECLARED = 32, MAX_SLOTS = 64, MAX_DIGITS = 72 };

typedef struct {
  char name[PTX_NAME];
  int bits;  // 1: a predicate
  int count; // of a<4>; 0: of that name alone
} Declared;

typedef struct {
  char name[PTX_NAME];
  int bits;
  MlirValue value; // null before it is written
} Register;

typedef struct {
  TileBuilder *b;
  const char *at, *end;
  MlirType like;
  Declared declared[MAX_DECLARED];
  int numDeclared;
  Register registers[MAX_REGISTERS]; // $0, $1 .. first
  int numRegisters;
} Reader;

/// Registers that an operand names, or a number.
typedef struct {
  Register *parts[PTX_PARTS];
  int count; // 0: a number
  int64_t number;
} Operand;

//===- words --------------------------------------------------------------===//

static void skipBlanks(Reader *r) {
  for (;;) {
    while (r->at < r->end && isspace((unsigned char)*r->at)) ++r->at;
    const char *close = NULL;
    if (r->end - r->at > 1 && r->at[0] == '/' && (r->at[1] == '/' || r->at[1] == '*'))
      close = r->at[1] == '/' ? "\n" : "*/";
    if (!close) return;
    size_t length = strlen(close);
    while (r->at < r->end && ((size_t)(r->end - r->at) < length || memcmp(r->at, close, length)))
      ++r->at;
    r->at = (size_t)(r->end - r->at) < length ? r->end : r->at + length;
  }
}

static bool takeSign(Reader *r, char sign) {
  skipBlanks(r);
  if (r->at == r->end || *r->at != sign) return false;
  ++r->at;
  return true;
}

/// A name, an instruction or a number; false where there is none, or one too long.
static bool takeWord(Reader *r, char *word, size_t size, const char *also) {
  size_t length = 0;
  skipBlanks(r);
  for (; r->at < r->end && *r->at && (isalnum((unsigned char)*r->at) || strchr(also, *r->at));
       ++r->at)
    if (length + 1 < size)
      word[length++] = *r->at;
    else
      return false;
  word[length] = 0;
  return length > 0;
}

//===- registers ----------------------------------------------------------===//

/// ".reg .b32 a<2>, b;" behind its first word.
static bool declare(Reader *r) {
  char type[PTX_NAME];
  if (!takeSign(r, '.') || !takeWord(r, type, sizeof type, "")) return false;
  int bits = !strcmp(type, "pred") ? 1 : atoi(type + strcspn(type, "0123456789"));
  if (bits != 1 && bits != 16 && bits != 32 && bits != 64) return false;
  do {
    if (r->numDeclared == MAX_DECLARED) return false;
    Declared *d = &r->declared[r->numDeclared++];
    char count[PTX_NAME] = "0";
    if (!takeWord(r, d->name, sizeof d->name, "_%$")) return false;
    if (takeSign(r, '<') && (!takeWord(r, count, sizeof count, "") || !takeSign(r, '>')))
      return false;
    d->bits = bits;
    d->count = atoi(count);
  } while (takeSign(r, ','));
  return takeSign(r, ';');
}

static int declaredBits(const Reader *r, const char *name) {
  for (int i = r->numDeclared; i-- > 0;) {
    const Declared *d = &r->declared[i];
    size_t length = strlen(d->name);
    if (!d->count && !strcmp(d->name, name)) return d->bits;
    if (!d->count || strncmp(d->name, name, length) || !isdigit((unsigned char)name[length]))
      continue;
    if (atoi(name + length) < d->count) return d->bits;
  }
  return 0;
}

static Register *findRegister(Reader *r, const char *name) {
  for (int i = 0; i < r->numRegisters; ++i)
    if (!strcmp(r->registers[i].name, name)) return &r->registers[i];
  bool isClock = !strcmp(name, "%globaltimer");
  int bits = isClock ? 64 : declaredBits(r, name);
  if (!bits || r->numRegisters == MAX_REGISTERS) return NULL;
  Register *made = &r->registers[r->numRegisters++];
  *made = (Register){.bits = bits};
  if (isClock) made->value = cpuBuildClock(r->b, r->like);
  // Who reads the clock again reads it anew.
  snprintf(made->name, sizeof made->name, "%s", isClock ? "" : name);
  return made;
}

static bool takeRegister(Reader *r, Register **found) {
  char name[PTX_NAME];
  *found = takeWord(r, name, sizeof name, "_$%") ? findRegister(r, name) : NULL;
  return *found != NULL;
}

/// 12, -1, 0x7f, 0b101, 0f3f800000; `text` is all of it.
static bool readNumber(const char *text, int64_t *number) {
  char kind = text[0] == '0' ? (char)tolower((unsigned char)text[1]) : 0, *end;
  int base = kind == 'f' || kind == 'd' ? 16 : kind == 'b' ? 2 : 0;
  if (base) text += 2;
  *number = (int64_t)strtoull(text, &end, base);
  return end != text && (!*end || !strcmp(end, "U"));
}

static bool takeOperand(Reader *r, Operand *o) {
  *o = (Operand){.count = 0};
  skipBlanks(r);
  if (takeSign(r, '{')) {
    do {
      if (o->count == PTX_PARTS || !takeRegister(r, &o->parts[o->count++])) return false;
    } while (takeSign(r, ','));
    return takeSign(r, '}');
  }
  bool negative = takeSign(r, '-');
  skipBlanks(r);
  if (r->at < r->end && isdigit((unsigned char)*r->at)) {
    char text[MAX_DIGITS];
    if (!takeWord(r, text, sizeof text, "") || !readNumber(text, &o->number)) return false;
    if (negative) o->number = -o->number;
    return true;
  }
  o->count = 1;
  return !negative && takeRegister(r, &o->parts[0]);
}

//===- statements ---------------------------------------------------------===//

/// Registers side by side as one, the first in the low bits.
static MlirValue joinParts(Reader *r, const Operand *o) {
  int bits = 0;
  for (int i = 0; i < o->count; ++i) {
    if (mlirValueIsNull(o->parts[i]->value)) return (MlirValue){NULL};
    bits += o->parts[i]->bits;
  }
  if (o->count == 1) return o->parts[0]->value;
  MlirType type = cpuPtxType(r->b, r->like, bits);
  MlirValue all = tileBuildInt(r->b, type, 0);
  for (int i = 0, at = 0; i < o->count; at += o->parts[i++]->bits) {
    MlirValue part = tileBuildUnary(r->b, "arith.extui", type, o->parts[i]->value);
    MlirValue distance = tileBuildInt(r->b, type, at);
    part = tileBuildBinary(r->b, "arith.shli", part, distance);
    all = tileBuildBinary(r->b, "arith.ori", all, part);
  }
  return all;
}

static void write(Reader *r, Register *to, MlirValue value, MlirValue predicate) {
  if (!mlirValueIsNull(predicate) && !mlirValueIsNull(to->value))
    value = tileBuildSelect(r->b, predicate, value, to->value);
  to->value = value;
}

/// Gives the bits of `value` to the registers of `o`; false where they are others.
static bool giveParts(Reader *r, const Operand *o, MlirValue value, MlirValue predicate) {
  int found = tileBitWidth(tileElementType(mlirValueGetType(value))), bits = 0;
  for (int i = 0; i < o->count; ++i) bits += o->parts[i]->bits;
  if (bits != found || !o->count) return false;
  for (int i = 0, at = 0; i < o->count; at += o->parts[i++]->bits) {
    MlirValue part = value;
    if (o->count > 1) {
      MlirValue distance = tileBuildInt(r->b, mlirValueGetType(value), at);
      part = tileBuildBinary(r->b, "arith.shrui", value, distance);
      part =
          tileBuildUnary(r->b, "arith.trunci", cpuPtxType(r->b, r->like, o->parts[i]->bits), part);
    }
    write(r, o->parts[i], part, predicate);
  }
  return true;
}

/// "@!p " in front of an instruction; null in `predicate` where there is none.
static bool takePredicate(Reader *r, MlirValue *predicate) {
  *predicate = (MlirValue){NULL};
  if (!takeSign(r, '@')) return true;
  bool inverted = takeSign(r, '!');
  Register *p;
  if (!takeRegister(r, &p) || p->bits != 1 || mlirValueIsNull(p->value)) return false;
  *predicate = p->value;
  if (!inverted) return true;
  MlirValue yes = tileBuildInt(r->b, mlirValueGetType(p->value), 1);
  *predicate = tileBuildBinary(r->b, "arith.xori", p->value, yes);
  return true;
}

/// "@p trap;" fails the launch, as an assert does.
static void buildTrap(Reader *r, MlirValue predicate) {
  MlirValue holds = tileBuildInt(r->b, cpuPtxType(r->b, r->like, 1), 0);
  if (!mlirValueIsNull(predicate)) {
    MlirValue yes = tileBuildInt(r->b, mlirValueGetType(predicate), 1);
    holds = tileBuildBinary(r->b, "arith.xori", predicate, yes);
  }
  tileBuildOp(r->b, "tile.assert", TILE_VALUES(holds), TILE_NONE,
              TILE_ATTRS({"text", tileStringAttr(r->b->context, "trap")}), 0);
}

/// "trap;", and "nanosleep.u32 40;", which nobody need wait for. Nothing of `r` is read where it is
/// neither.
static bool runAlone(Reader *r, const char *name, MlirValue predicate, bool *isAlone) {
  bool traps = !strcmp(name, "trap");
  Operand time;
  *isAlone = traps || !strcmp(name, "nanosleep.u32");
  if (!*isAlone || (!traps && !takeOperand(r, &time)) || !takeSign(r, ';')) return false;
  if (traps) buildTrap(r, predicate);
  return true;
}

/// "NAME d, a, b;" or "NAME p|q, a, b;"
static bool runInstruction(Reader *r) {
  PtxInstruction made = {.like = r->like};
  MlirValue predicate, values[2];
  Operand to[2], from;
  if (!takePredicate(r, &predicate)) return false;
  if (!takeWord(r, made.name, sizeof made.name, "._:")) return false;
  bool isAlone, ran = runAlone(r, made.name, predicate, &isAlone);
  if (isAlone) return ran;
  do {
    if (made.numOutputs == 2 || !takeOperand(r, &to[made.numOutputs++])) return false;
  } while (takeSign(r, '|'));
  while (takeSign(r, ',')) {
    if (made.numInputs == PTX_OPERANDS || !takeOperand(r, &from)) return false;
    PtxInput *input = &made.inputs[made.numInputs++];
    input->isImmediate = !from.count;
    input->number = from.number;
    if (!from.count) continue;
    input->value = joinParts(r, &from);
    if (mlirValueIsNull(input->value)) return false;
  }
  if (!takeSign(r, ';')) return false;
  for (int i = 0; i < to[0].count; ++i) made.bits += to[0].parts[i]->bits;
  if (!made.bits || !cpuBuildPtx(r->b, &made, values)) return false;
  for (int i = 0; i < made.numOutputs; ++i)
    if (!giveParts(r, &to[i], values[i], predicate)) return false;
  return true;
}

static bool runStatements(Reader *r) {
  for (skipBlanks(r); r->at < r->end; skipBlanks(r)) {
    if (takeSign(r, '{') || takeSign(r, '}') || takeSign(r, ';')) continue;
    bool declares = r->end - r->at > 4 && !strncmp(r->at, ".reg", 4);
    if (declares) r->at += 4;
    if (declares ? !declare(r) : !runInstruction(r)) return false;
  }
  return true;
}

bool cpuRunPtx(TileBuilder *b, MlirStringRef text, MlirType like, int numInputs,
               const MlirValue *inputs, int numOutputs, const int *outputBits, MlirValue *outputs) {
  if (numInputs + numOutputs > MAX_SLOTS) return false;
  Reader *r = calloc(1, sizeof *r);
  if (!r) abort();
  r->b = b;
  r->at = text.data;
  r->end = text.data + text.length;
  r->like = like;
  for (int i = 0; i < numOutputs + numInputs; ++i) {
    Register *slot = &r->registers[r->numRegisters++];
    snprintf(slot->name, sizeof slot->name, "$%d", i);
    if (i >= numOutputs) slot->value = inputs[i - numOutputs];
    slot->bits = i < numOutputs ? outputBits[i]
                                : tileBitWidth(tileElementType(mlirValueGetType(slot->value)));
  }
  bool ok = runStatements(r);
  for (int i = 0; i < numOutputs; ++i) {
    outputs[i] = r->registers[i].value;
    if (mlirValueIsNull(outputs[i])) // which no instruction wrote: any number
      outputs[i] = tileBuildInt(b, cpuPtxType(b, like, outputBits[i]), 0);
  }
  free(r);
  return ok;
}
