//===- Kernels.c - a kernel of each function ------------------------------===//
#include "Ulp.h"
#include "tile/Conversion/Triton.h"
#include "tile/Tile.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "!n = tensor<1024xi64>\n!b = tensor<1024xINT>\n!f = tensor<1024xFLOAT>\n"
    "!p = tensor<1024x!tile.ptr<FLOAT>>\n"
    "tile.func @f(%out: !tile.ptr<FLOAT>, %first: i64, %factor: i64, %low: i64, %mask: i64) {\n"
    "  tile.grid() {\n    %g = arith.constant PROGRAMS : i32\n    tile.yield %g : i32\n  }\n"
    "  %pid = tile.program_id x\n  %size = arith.constant 1024 : i32\n"
    "  %start = arith.muli %pid, %size : i32\n  %lane = tile.arange : tensor<1024xi32>\n"
    "  %starts = tile.splat %start : i32 -> tensor<1024xi32>\n"
    "  %at = arith.addi %starts, %lane : tensor<1024xi32>\n"
    "  %wide = arith.extui %at : tensor<1024xi32> to !n\n"
    "  %firsts = tile.splat %first : i64 -> !n\n  %i = arith.addi %firsts, %wide : !n\n"
    "  %factors = tile.splat %factor : i64 -> !n\n  %lows = tile.splat %low : i64 -> !n\n"
    "  %masks = tile.splat %mask : i64 -> !n\n  %h = arith.muli %i, %factors : !n\n"
    "  %c29 = arith.constant dense<29> : !n\n  %odd = arith.constant dense<-7046029254386353131> : "
    "!n\n"
    "  %sign = arith.constant dense<SIGN> : !n\n"
    "  %xm = arith.andi %h, %masks : !n\n  %xl = arith.addi %xm, %lows : !n\n"
    "  %xs = arith.andi %h, %sign : !n\n  %xb = arith.ori %xl, %xs : !n\n"
    "  %h1 = arith.shrui %h, %c29 : !n\n  %h2 = arith.xori %h, %h1 : !n\n"
    "  %k = arith.muli %h2, %odd : !n\n"
    "  %ym = arith.andi %k, %masks : !n\n  %yl = arith.addi %ym, %lows : !n\n"
    "  %ys = arith.andi %k, %sign : !n\n  %yb = arith.ori %yl, %ys : !n\n"
    "CONVERT  %y = FUNCTION\n"
    "  %os = tile.splat %out : !tile.ptr<FLOAT> -> !p\n"
    "  %op = tile.addptr %os, %at : !p, tensor<1024xi32>\n  tile.store %op, %y : !p\n"
    "  tile.return\n}\n"
    "func.func @main(%first: i64, %factor: i64, %low: i64, %mask: i64) {\n"
    "  %out = tile_host.alloc() : () -> memref<COUNTxFLOAT>\n"
    "  tile_host.launch @f(%out, %first, %factor, %low, %mask) : memref<COUNTxFLOAT>, i64, i64, "
    "i64, "
    "i64\n  return\n}\n";

/// 1 / (1 + e) or e / (1 + e) with e = exp(-|x|), which is small: neither overflows, nor loses bits
/// where the result is small.
static const char sigmoid[] =
    "  %away = math.absf %x0 : !f\n  %minus = arith.negf %away : !f\n  %e = math.exp %minus : !f\n"
    "  %one = arith.constant dense<1.0> : !f\n  %none = arith.constant dense<0.0> : !f\n"
    "  %sum = arith.addf %one, %e : !f\n  %below = arith.cmpf olt, %x0, %none : !f\n"
    "  %top = arith.select %below, %e, %one : tensor<1024xi1>, !f\n";

/// The third number of math.fma, see fmaWide.
static const char fused[] =
    "  %none = arith.constant dense<0.0> : !f\n  %below = arith.cmpf olt, %x0, %none : !f\n"
    "  %product = arith.mulf %x0, %x1 : !f\n  %minus = arith.negf %product : !f\n"
    "  %third = arith.select %below, %x1, %minus : tensor<1024xi1>, !f\n";

/// What stands for libdevice's function until it is there, and that function as Triton calls it.
static const char stub[] = "tile.func private @nv(PARAMETERS) -> tensor<1024xFLOAT> {\n"
                           "  tile.return %x0 : tensor<1024xFLOAT>\n}\n",
                  external[] = "tt.func private @nv(PARAMETERS) -> tensor<1024xFLOAT> {\n"
                               "  %y = tt.extern_elementwise ARGUMENTS {libname = \"\", libpath = "
                               "\"\", pure = true, symbol = \"__nv_NAME\"} : (TYPES) -> "
                               "tensor<1024xFLOAT>\n  tt.return %y : tensor<1024xFLOAT>\n}\n";

bool ulpIsLibdevice(size_t function) { return !strncmp(ulpFunctions[function].name, "nv.", 3); }

static bool hasTwo(const Sweep *s) {
  return ulpFunctions[s->function].wide2 || !ulpFunctions[s->function].wide;
}

typedef const char *Words[2];

/// `text` with words put in for others. The caller frees it.
static char *replaceWords(const char *source, const Words *words, size_t count) {
  char *result = calloc(strlen(source) + 4096, 1);
  if (!result) abort();
  size_t used = 0;
  for (const char *at = source; *at;) {
    size_t w = 0;
    while (w < count && strncmp(at, words[w][0], strlen(words[w][0])) != 0) ++w;
    if (w == count) {
      result[used++] = *at++;
      continue;
    }
    at += strlen(words[w][0]);
    strcpy(result + used, words[w][1]);
    used += strlen(words[w][1]);
  }
  return result;
}

/// A text about libdevice's function.
static char *libdeviceText(const Sweep *s, const char *source) {
  bool two = hasTwo(s);
  char type[32], types[80], parameters[80], name[40];
  snprintf(type, sizeof type, "tensor<1024x%s>", s->wide ? "f64" : "f32");
  snprintf(types, sizeof types, "%s%s%s", type, two ? ", " : "", two ? type : "");
  snprintf(parameters, sizeof parameters, "%%x0: %s%s%s", type, two ? ", %x1: " : "",
           two ? type : "");
  snprintf(name, sizeof name, "%s%s", ulpFunctions[s->function].name + 3, s->wide ? "" : "f");
  const Words words[] = {{"PARAMETERS", parameters},
                         {"ARGUMENTS", two ? "%x0, %x1" : "%x0"},
                         {"TYPES", types},
                         {"NAME", name},
                         {"FLOAT", s->wide ? "f64" : "f32"}};
  return replaceWords(source, words, sizeof words / sizeof *words);
}

uint64_t ulpBatch(uint64_t count) {
  enum { PROGRAM = 1024, MOST = 1 << 22 };
  uint64_t whole = (count + PROGRAM - 1) / PROGRAM * PROGRAM;
  return whole == 0 ? PROGRAM : whole < MOST ? whole : MOST;
}

char *ulpModuleText(const Sweep *s) {
  bool two = hasTwo(s);
  bool isSigmoid = !strcmp(ulpFunctions[s->function].name, "math.sigmoid");
  bool isFused = !strcmp(ulpFunctions[s->function].name, "math.fma");
  char call[128], convert[1024];
  snprintf(call, sizeof call, "%s %%x0%s%s : !f", ulpFunctions[s->function].name,
           two ? ", %x1" : "", isFused ? ", %third" : "");
  if (isSigmoid) snprintf(call, sizeof call, "arith.divf %%top, %%sum : !f");
  bool isLibdevice = ulpIsLibdevice(s->function);
  if (isLibdevice)
    snprintf(call, sizeof call, "tile.call @nv(%%x0%s) : (!f%s) -> !f", two ? ", %x1" : "",
             two ? ", !f" : "");
  const char *inputs =
      s->wide ? "  %x0 = arith.bitcast %xb : !n to !f\n  %x1 = arith.bitcast %yb : !n to !f\n"
              : "  %x2 = arith.trunci %xb : !n to !b\n  %x0 = arith.bitcast %x2 : !b to !f\n"
                "  %x3 = arith.trunci %yb : !n to !b\n  %x1 = arith.bitcast %x3 : !b to !f\n";
  snprintf(convert, sizeof convert, "%s%s", inputs, isSigmoid ? sigmoid : isFused ? fused : "");
  char count[24], programs[24];
  snprintf(count, sizeof count, "%llu", (unsigned long long)s->batch);
  snprintf(programs, sizeof programs, "%llu", (unsigned long long)s->batch / 1024);
  const Words words[] = {{"FUNCTION", call},
                         {"COUNT", count},
                         {"PROGRAMS", programs},
                         {"CONVERT", convert},
                         {"FLOAT", s->wide ? "f64" : "f32"},
                         {"INT", s->wide ? "i64" : "i32"},
                         {"SIGN", s->wide ? "-9223372036854775808" : "2147483648"}};
  char *kernel = replaceWords(text, words, sizeof words / sizeof *words);
  if (!isLibdevice) return kernel;
  char *helper = libdeviceText(s, stub), *all = malloc(strlen(helper) + strlen(kernel) + 1);
  if (!all) abort();
  strcpy(all, helper);
  strcat(all, kernel);
  free(helper);
  free(kernel);
  return all;
}

static MlirModule parse(MlirContext context, char *source) {
  MlirModule module = tileParse(context, mlirStringRefCreateFromCString(source),
                                mlirStringRefCreateFromCString("<text>"));
  free(source);
  return module;
}

MlirModule ulpModule(MlirContext context, const Sweep *s) {
  MlirModule module = parse(context, ulpModuleText(s));
  if (mlirModuleIsNull(module) || !ulpIsLibdevice(s->function)) return module;
  MlirModule other = parse(context, libdeviceText(s, external));
  if (!mlirModuleIsNull(other) && mlirLogicalResultIsSuccess(tileImportTriton(other))) {
    MlirBlock body = mlirModuleGetBody(module);
    mlirOperationDestroy(mlirBlockGetFirstOperation(body)); // the stub
    MlirOperation func = mlirBlockGetFirstOperation(mlirModuleGetBody(other));
    mlirOperationRemoveFromParent(func);
    mlirBlockInsertOwnedOperation(body, 0, func);
    mlirModuleDestroy(other);
    return module;
  }
  if (!mlirModuleIsNull(other)) mlirModuleDestroy(other);
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}
