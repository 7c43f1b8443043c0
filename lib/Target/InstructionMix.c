//===- InstructionMix.c - what the instructions of a listing are for ------===//
#include "tile/Target/InstructionMix.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

const char *tileMixGetName(TileMixKind instruction) {
  static const char *const names[] = {
      "tensor core", "copy engine", "async copy", "global", "shared",  "local",
      "atomic",      "barrier",     "shuffle",    "float",  "special", "other",
  };
  return names[instruction];
}

typedef struct Rule {
  const char *prefix;
  TileMixKind instruction;
} Rule;

/// The rule with the first prefix that fits.
static TileMixKind classify(const Rule *rules, size_t count, const char *name) {
  for (size_t i = 0; i < count; ++i)
    if (!strncmp(name, rules[i].prefix, strlen(rules[i].prefix))) return rules[i].instruction;
  return TILE_MIX_OTHER;
}

/// SASS mnemonics: the instruction set reference of NVIDIA's CUDA Binary Utilities.
static const Rule sassRules[] = {
    {"HGMMA", TILE_MIX_TENSOR_CORE},   {"QGMMA", TILE_MIX_TENSOR_CORE},
    {"IGMMA", TILE_MIX_TENSOR_CORE},   {"BGMMA", TILE_MIX_TENSOR_CORE},
    {"HMMA", TILE_MIX_TENSOR_CORE},    {"QMMA", TILE_MIX_TENSOR_CORE},
    {"IMMA", TILE_MIX_TENSOR_CORE},    {"DMMA", TILE_MIX_TENSOR_CORE},
    {"UTCHMMA", TILE_MIX_TENSOR_CORE}, {"UTMA", TILE_MIX_COPY_ENGINE},
    {"UBLKCP", TILE_MIX_COPY_ENGINE},  {"LDGSTS", TILE_MIX_ASYNC_COPY},
    {"LDGDEPBAR", TILE_MIX_BARRIER},   {"LDG", TILE_MIX_GLOBAL},
    {"STG", TILE_MIX_GLOBAL},          {"LDSM", TILE_MIX_SHARED},
    {"STSM", TILE_MIX_SHARED},         {"LDS", TILE_MIX_SHARED},
    {"STS", TILE_MIX_SHARED},          {"LDL", TILE_MIX_LOCAL},
    {"STL", TILE_MIX_LOCAL},           {"ATOM", TILE_MIX_ATOMIC},
    {"RED.", TILE_MIX_ATOMIC},         {"BAR", TILE_MIX_BARRIER},
    {"SYNCS", TILE_MIX_BARRIER},       {"MEMBAR", TILE_MIX_BARRIER},
    {"WARPSYNC", TILE_MIX_BARRIER},    {"DEPBAR", TILE_MIX_BARRIER},
    {"WARPGROUP", TILE_MIX_BARRIER},   {"SHFL", TILE_MIX_SHUFFLE},
    {"FFMA", TILE_MIX_FLOAT},          {"FADD", TILE_MIX_FLOAT},
    {"FMUL", TILE_MIX_FLOAT},          {"FMNMX", TILE_MIX_FLOAT},
    {"HFMA2", TILE_MIX_FLOAT},         {"HADD2", TILE_MIX_FLOAT},
    {"HMUL2", TILE_MIX_FLOAT},         {"DFMA", TILE_MIX_FLOAT},
    {"DADD", TILE_MIX_FLOAT},          {"DMUL", TILE_MIX_FLOAT},
    {"MUFU", TILE_MIX_SPECIAL},
};

static const Rule ptxRules[] = {
    {"wgmma.mma_async", TILE_MIX_TENSOR_CORE},
    {"mma.sync", TILE_MIX_TENSOR_CORE},
    {"wmma.mma", TILE_MIX_TENSOR_CORE},
    {"tcgen05.mma", TILE_MIX_TENSOR_CORE},
    {"cp.async.bulk.commit", TILE_MIX_BARRIER},
    {"cp.async.bulk.wait", TILE_MIX_BARRIER},
    {"cp.async.bulk", TILE_MIX_COPY_ENGINE},
    {"cp.async.commit", TILE_MIX_BARRIER},
    {"cp.async.wait", TILE_MIX_BARRIER},
    {"cp.async.mbarrier", TILE_MIX_BARRIER},
    {"cp.async", TILE_MIX_ASYNC_COPY},
    {"ld.global", TILE_MIX_GLOBAL},
    {"ld.volatile.global", TILE_MIX_GLOBAL},
    {"st.global", TILE_MIX_GLOBAL},
    {"st.volatile.global", TILE_MIX_GLOBAL},
    {"ld.shared", TILE_MIX_SHARED},
    {"st.shared", TILE_MIX_SHARED},
    {"ldmatrix", TILE_MIX_SHARED},
    {"stmatrix", TILE_MIX_SHARED},
    {"ld.local", TILE_MIX_LOCAL},
    {"st.local", TILE_MIX_LOCAL},
    {"atom", TILE_MIX_ATOMIC},
    {"red.", TILE_MIX_ATOMIC},
    {"bar.", TILE_MIX_BARRIER},
    {"barrier", TILE_MIX_BARRIER},
    {"mbarrier", TILE_MIX_BARRIER},
    {"membar", TILE_MIX_BARRIER},
    {"fence", TILE_MIX_BARRIER},
    {"wgmma", TILE_MIX_BARRIER},
    {"shfl", TILE_MIX_SHUFFLE},
    {"ex2", TILE_MIX_SPECIAL},
    {"lg2", TILE_MIX_SPECIAL},
    {"rcp", TILE_MIX_SPECIAL},
    {"rsqrt", TILE_MIX_SPECIAL},
    {"sqrt", TILE_MIX_SPECIAL},
    {"sin", TILE_MIX_SPECIAL},
    {"cos", TILE_MIX_SPECIAL},
    {"tanh", TILE_MIX_SPECIAL},
};

/// fma.rn.f32, add.f16x2 and so on: arithmetic whose type is a float's.
static bool isPtxFloat(const char *name, size_t length) {
  static const char *const stems[] = {"add.", "sub.", "mul.", "fma.", "min.",
                                      "max.", "neg.", "abs.", "div."};
  for (size_t i = 0; i < sizeof stems / sizeof *stems; ++i)
    if (!strncmp(name, stems[i], 4))
      for (size_t k = 4; k + 1 < length; ++k)
        if (name[k - 1] == '.' && (name[k] == 'f' || (name[k] == 'b' && name[k + 1] == 'f')))
          return true;
  return false;
}

/// Skips "@P0 ", "@!UPT " and the like.
static const char *skipPredicate(const char *at) {
  if (*at != '@') return at;
  while (*at && !isspace((unsigned char)*at)) ++at;
  while (*at == ' ' || *at == '\t') ++at;
  return at;
}

void tileCountSass(const char *sass, int *mix) {
  memset(mix, 0, TILE_MIX_KINDS * sizeof *mix);
  for (const char *line = sass; line && *line;) {
    const char *next = strchr(line, '\n');
    // An instruction follows its address: /*0010*/
    const char *at = strstr(line, "*/");
    while (*line == ' ' || *line == '\t') ++line;
    if (!strncmp(line, "/*", 2) && at && (!next || at < next)) {
      at += 2;
      while (*at == ' ' || *at == '\t') ++at;
      at = skipPredicate(at);
      if (isupper((unsigned char)*at) && strncmp(at, "NOP", 3) != 0)
        ++mix[classify(sassRules, sizeof sassRules / sizeof *sassRules, at)];
    }
    line = next ? next + 1 : NULL;
  }
}

void tileCountPtx(const char *ptx, int *mix) {
  memset(mix, 0, TILE_MIX_KINDS * sizeof *mix);
  int depth = 0;
  for (const char *line = ptx; line && *line;) {
    const char *next = strchr(line, '\n');
    size_t rest = next ? (size_t)(next - line) : strlen(line);
    const char *at = line + strspn(line, " \t");
    // An entry's body stands between braces that have lines of their own; inline assembly has
    // further ones.
    if (*at == '{') ++depth, at += 1 + strspn(at + 1, " \t");
    bool closes = *at == '}';
    if (closes) --depth;
    at = skipPredicate(at);
    size_t length = strcspn(at, " \t;\n");
    bool isCode = depth > 0 && !closes && islower((unsigned char)*at) &&
                  at + length <= line + rest && (!length || at[length - 1] != ':');
    if (isCode)
      ++mix[isPtxFloat(at, length) ? TILE_MIX_FLOAT
                                   : classify(ptxRules, sizeof ptxRules / sizeof *ptxRules, at)];
    line = next ? next + 1 : NULL;
  }
}

int tileMixSum(const int *mix) {
  int sum = 0;
  for (int i = 0; i < TILE_MIX_KINDS; ++i) sum += mix[i];
  return sum;
}
