// RUN: %unit/PtxEmulatorTest 2>&1
//===- PtxEmulatorTest.c - small kernels, and the errors of wrong ones ----===//
//
// Each case is the body of a kernel of some threads, whose %r1 is stored by every thread and
// compared with what a function says of the thread. Wrong kernels end with CUDA's error and a text.
//===----------------------------------------------------------------------===//
#include "../../../Support/Ptx/Emulator.h"
#include "../../../Support/Ptx/Memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_THREADS = 2048 };

typedef struct Case {
  const char *name, *body;
  uint32_t threads;
  uint32_t (*expected)(uint32_t thread);
} Case;

static const char head[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n"
    ".extern .shared .align 1024 .b8 dynamic[];\n"
    ".global .align 8 .b32 table[4] = {10, 20, 30, 40};\n"
    ".visible .entry k(.param .u64 .ptr .global .align 4 out, .param .u64 in)\n{\n"
    ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<40>;\n.reg .b64 %d<20>;\n"
    "ld.param.b64 %d0, [out];\nld.param.b64 %d2, [in];\nmov.u32 %r0, %tid.x;\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.s32 %r4, %r2, %r3, %r0;\n"
    "mad.wide.u32 %d1, %r4, 4, %d0;\nmov.b32 %r1, 0;\n";
static const char tail[] = "\nst.global.b32 [%d1], %r1;\nret;\n}\n";

/// CUDA's error of a kernel with this body; what it stored in `out`.
static int run(const char *body, const PtxLaunch *shape, uint32_t *out, size_t words) {
  char text[8192], log[600];
  snprintf(text, sizeof text, "%s%s%s", head, body, tail);
  int code;
  PtxModule *module = ptxModuleCreate(text, 90, log, sizeof log, &code);
  if (!module) {
    fprintf(stderr, "%s\n", log);
    return code;
  }
  uint64_t memory = ptxMemoryAllocate(words * 4), parameters[2] = {memory, memory};
  PtxLaunch launch = *shape;
  launch.parameters = parameters;
  code = ptxLaunch(ptxModuleFindEntry(module, "k"), &launch);
  memcpy(out, (const void *)(uintptr_t)memory, words * 4);
  ptxMemoryFree(memory);
  ptxModuleDestroy(module);
  return code;
}

static uint32_t out[MOST_THREADS * 8];

static PtxLaunch threads(uint32_t count) {
  return (PtxLaunch){.grid = {1, 1, 1}, .block = {count, 1, 1}, .sharedBytes = 4096};
}

static uint32_t same(uint32_t t) { return t; }
static uint32_t wrapped(uint32_t t) { return t * 0x10001u - 5; }
static uint32_t quotient(uint32_t t) {
  return (uint32_t)(((int32_t)t - 16) / 3 + 100 * (((int32_t)t - 16) % 3));
}
static uint32_t high(uint32_t t) {
  return (uint32_t)((uint64_t)(t + 0xfffffff0u) * 0x12345678u >> 32);
}
static uint32_t shifted(uint32_t t) { return t > 31 ? 0 : 1u << t; }
static uint32_t arithmetic(uint32_t t) {
  return (uint32_t)((int32_t)0x80000000 >> (t > 31 ? 31 : t));
}
static uint32_t field(uint32_t t) { return (uint32_t)((int32_t)(0xabcdef12u >> t << 27) >> 27); }
static uint32_t bytes(uint32_t t) { return 0xff000000u | t << 16 | 0x500u | 0u; }
static uint32_t odd(uint32_t t) { return t % 2 ? 3 * t : t / 2; }
static uint32_t triangle(uint32_t t) { return t * (t + 1) / 2; }
static uint32_t neighbour(uint32_t t) { return t ^ 1; }
static uint32_t prefix(uint32_t t) { return t % 32 >= 3 ? t - 3 : t; }
static uint32_t evens(uint32_t t) { return 0x55555555u + 0 * t; }
static uint32_t warpMost(uint32_t t) { return t / 32 * 32 + 31; }
static uint32_t reversed(uint32_t t) { return 127 - t; }
static uint32_t allThreads(uint32_t t) { return 128 + 0 * t; }
static uint32_t tables(uint32_t t) { return 10 * (t % 4 + 1); }
static uint32_t lane(uint32_t t) { return t % 32; }
static uint32_t one(uint32_t t) { return t % 32 == 0; }

static const Case cases[] = {
    {"special registers", "mov.u32 %r1, %r0;", 96, same},
    {"integers wrap", "mul.lo.s32 %r1, %r0, 65537; sub.s32 %r1, %r1, 5;", 64, wrapped},
    {"quotients are cut towards zero",
     "sub.s32 %r5, %r0, 16; div.s32 %r6, %r5, 3; rem.s32 %r7, %r5, 3; mad.lo.s32 %r1, %r7, 100, "
     "%r6;",
     32, quotient},
    {"high halves", "add.s32 %r5, %r0, -16; mul.hi.u32 %r1, %r5, 0x12345678;", 32, high},
    {"64 bits",
     "cvt.u64.u32 %d5, %r0; shl.b64 %d5, %d5, 40; shr.u64 %d5, %d5, 40; cvt.u32.u64 %r1, %d5;", 64,
     same},
    {"cvt takes the low bits of a wide register",
     "mov.b64 %d5, 0x100000000; cvt.u64.u32 %d6, %r0; or.b64 %d5, %d5, %d6; cvt.s64.s32 %d7, %d5; "
     "cvt.u32.u64 %r1, %d7; shr.u64 %d7, %d7, 32; cvt.u32.u64 %r5, %d7; add.s32 %r1, %r1, %r5;",
     64, same},
    {"shifts beyond the width are clamped", "shl.b32 %r1, 1, %r0;", 64, shifted},
    {"and keep the sign", "mov.b32 %r5, 0x80000000; shr.s32 %r1, %r5, %r0;", 64, arithmetic},
    {"bfe extends the sign", "mov.b32 %r5, 0xabcdef12; bfe.s32 %r1, %r5, %r0, 5;", 27, field},
    {"prmt takes bytes and signs", "mov.b32 %r5, 0x80070605; prmt.b32 %r1, %r5, %r0, 0xb40f;", 64,
     bytes},
    {"lanes diverge and come together",
     "and.b32 %r5, %r0, 1; setp.ne.b32 %p1, %r5, 0; @%p1 bra ODD; shr.u32 %r1, %r0, 1; bra JOIN; "
     "ODD: mul.lo.s32 %r1, %r0, 3; JOIN: bar.warp.sync -1;",
     64, odd},
    {"each lane loops as often as it wants",
     "mov.b32 %r5, 0; LOOP: add.s32 %r1, %r1, %r5; add.s32 %r5, %r5, 1; setp.le.u32 %p1, %r5, %r0; "
     "@%p1 bra "
     "LOOP;",
     64, triangle},
    {"shfl.bfly", "shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;", 64, neighbour},
    {"shfl.up keeps the lowest", "shfl.sync.up.b32 %r1, %r0, 3, 0, -1;", 64, prefix},
    {"vote", "and.b32 %r5, %r0, 1; setp.eq.b32 %p1, %r5, 0; vote.sync.ballot.b32 %r1, %p1, -1;", 64,
     evens},
    {"redux", "redux.sync.max.u32 %r1, %r0, -1;", 64, warpMost},
    {"elect has one lane", "elect.sync %r5|%p1, -1; selp.b32 %r1, 1, 0, %p1;", 64, one},
    {"shared memory and a barrier",
     "mov.b64 %d5, dynamic; mad.wide.u32 %d6, %r0, 4, %d5; st.shared.b32 [%d6], %r0; bar.sync 0; "
     "sub.s32 %r5, 127, %r0; mad.wide.u32 %d6, %r5, 4, %d5; ld.shared.b32 %r1, [%d6];",
     128, reversed},
    {"generic addresses of shared memory",
     "mov.b64 %d5, dynamic; cvta.shared.u64 %d5, %d5; mad.wide.u32 %d6, %r0, 4, %d5; st.b32 [%d6], "
     "%r0; bar.sync 0; "
     "sub.s32 %r5, 127, %r0; mad.wide.u32 %d6, %r5, 4, %d5; ld.b32 %r1, [%d6];",
     128, reversed},
    {"atomics count everyone",
     "setp.ne.b32 %p1, %r0, 0; mov.b32 %r5, 0; @!%p1 st.shared.b32 [dynamic], %r5; bar.sync 0; "
     "atom.shared.add.u32 %r6, [dynamic], 1; bar.sync 0; ld.shared.b32 %r1, [dynamic];",
     128, allThreads},
    {"bar.red", "setp.eq.b32 %p1, %r0, 77; bar.red.or.pred %p2, 0, %p1; selp.b32 %r1, 128, 0, %p2;",
     128, allThreads},
    {"variables have their values",
     "mov.b64 %d5, table; and.b32 %r5, %r0, 3; mad.wide.u32 %d6, %r5, 4, %d5; ld.global.b32 %r1, "
     "[%d6];",
     64, tables},
    {"scopes have registers and labels of their own",
     "{ .reg .b32 %r5; mov.b32 %r5, %r0; bra X; mov.b32 %r5, 7; X: mov.b32 %r1, %r5; } { .reg .b32 "
     "%r5; bra X; X: mov.b32 %r5, 9; }",
     32, same},
    {"cp.async has landed when it was waited for",
     "st.global.b32 [%d1], %r0; mov.b64 %d5, dynamic; mad.wide.u32 %d6, %r0, 4, %d5; "
     "cp.async.ca.shared.global [%d6], [%d1], 4; cp.async.commit_group; cp.async.wait_group 0; "
     "bar.sync 0; "
     "sub.s32 %r5, 127, %r0; mad.wide.u32 %d6, %r5, 4, %d5; ld.shared.b32 %r1, [%d6];",
     128, reversed},
    {"cp.async of the same bytes by several warps",
     "and.b32 %r5, %r0, 31; mad.wide.u32 %d7, %r5, 4, %d0; st.global.b32 [%d1], %r0; bar.sync 0; "
     "mov.b64 %d5, dynamic; mad.wide.u32 %d6, %r5, 4, %d5; cp.async.ca.shared.global [%d6], [%d7], "
     "4; "
     "cp.async.commit_group; cp.async.wait_group 0; bar.sync 0; ld.shared.b32 %r1, [%d6];",
     128, lane},
    {"an mbarrier's phase",
     "setp.ne.b32 %p1, %r0, 0; @!%p1 mbarrier.init.shared.b64 [dynamic], %r3; bar.sync 0; "
     "mbarrier.arrive.shared.b64 _, [dynamic]; "
     "WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [dynamic], 0; @!%p2 bra WAIT; mov.b32 %r1, "
     "%r0;",
     128, same},
    {"a bulk copy completes its bytes",
     "st.global.b32 [%d1], %r0; bar.sync 0; setp.ne.b32 %p1, %r0, 0; mov.b32 %r7, 1; @%p1 bra "
     "WAIT; "
     "mbarrier.init.shared.b64 [dynamic], %r7; mbarrier.arrive.expect_tx.shared.b64 _, [dynamic], "
     "512; "
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [dynamic+1024], [%d0], "
     "512, [dynamic]; "
     "WAIT: bar.sync 0; L: mbarrier.try_wait.parity.shared.b64 %p2, [dynamic], 0; @!%p2 bra L; "
     "sub.s32 %r5, 127, %r0; mov.b64 %d5, dynamic; mad.wide.u32 %d6, %r5, 4, %d5; ld.shared.b32 "
     "%r1, [%d6+1024];",
     128, reversed},
};

static void runsEachCase(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    const Case *c = &cases[i];
    PtxLaunch launch = threads(c->threads);
    int code = run(c->body, &launch, out, c->threads);
    if (code) fail_msg("%s: expected success, found error %d", c->name, code);
    for (uint32_t t = 0; t < c->threads && c->expected; ++t)
      if (out[t] != c->expected(t))
        fail_msg("%s: expected %x of thread %u, found %x", c->name, c->expected(t), t, out[t]);
  }
}

/// Kernels that end with an error, and its text on stderr.
typedef struct Error {
  const char *name, *body;
  uint32_t threads;
  int code;
  const char *text;
} Error;

static const Error errors[] = {
    {"unknown instruction", "frob.b32 %r1, %r0;", 32, PTX_INVALID_TEXT, "found 'frob.b32'"},
    {"unknown modifier", "add.sat.s32 %r1, %r0, %r0;", 32, PTX_INVALID_TEXT, "found 'add.sat.s32'"},
    {"too few operands", "add.s32 %r1, %r0;", 32, PTX_INVALID_TEXT,
     "expected 3 to 3 operands, found 2"},
    {"register of another width", "add.s32 %r1, %r0, %d0;", 32, PTX_INVALID_TEXT,
     "expected a register of 4 bytes as operand 2, found one of 8"},
    {"unknown symbol", "mov.b32 %r1, %q;", 32, PTX_INVALID_TEXT, "found '%q'"},
    {"unknown label", "bra NOWHERE;", 32, PTX_INVALID_TEXT, "found 'NOWHERE'"},
    {"a number as a load's result", "ld.global.b32 5, [%d1];", 32, PTX_INVALID_TEXT,
     "expected a register as the result, found a number"},
    {"a number as a shuffle's result", "shfl.sync.bfly.b32 5, %r0, 1, 31, -1;", 32,
     PTX_INVALID_TEXT, "expected a register as the result, found a number"},
    {"no source", "add.s32 %r1, _, %r0;", 32, PTX_INVALID_TEXT,
     "expected a source as operand 1, found '_'"},
    {"a label as a source", "mov.b64 %d5, {%r0, END}; END:", 32, PTX_INVALID_TEXT,
     "expected a register or number, found a label"},
    {"a predicate as an address", "ld.global.b32 %r1, [%p1];", 32, PTX_INVALID_TEXT,
     "expected an address, found a predicate"},
    {"a register as a number of groups", "wgmma.wait_group.sync.aligned %r0;", 128,
     PTX_INVALID_TEXT, "expected a number of groups"},
    {"no alignment", ".shared .align 0 .b8 x[4];", 32, PTX_INVALID_TEXT,
     "expected an alignment that is a power of two up to 1048576, found 0"},
    {"an array whose bytes would wrap", ".shared .b64 x[2305843009213693953];", 32,
     PTX_INVALID_TEXT, "expected 268435456 elements at most, found more"},
    {"values of 128 bits", ".global .b128 x[2] = {1, 2};", 32, PTX_INVALID_TEXT,
     "expected values of 64 bits at most, found of 128"},
    {"too many registers", ".reg .b64 %x<1000000>;", 32, PTX_INVALID_TEXT,
     "expected registers of 67108864 bytes a warp at most, found more"},
    {"a copy whose end wraps",
     "mov.b64 %d5, -16; cp.async.cg.shared.global [%d5], [%d0], 16; cp.async.wait_all;", 1,
     PTX_BAD_ADDRESS, "expected an address in shared memory of"},
    {"global memory that nobody has", "mov.b64 %d5, 4096; ld.global.b32 %r1, [%d5];", 32,
     PTX_BAD_ADDRESS, "expected an address in global memory that is allocated, found 1000"},
    {"behind an allocation", "ld.global.b32 %r1, [%d1+4];", 32, PTX_BAD_ADDRESS,
     "block 0,0,0 thread 31"},
    {"an address that wraps", "mov.b64 %d5, -4; ld.global.v2.b32 {%r1, %r5}, [%d5+-4];", 1,
     PTX_BAD_ADDRESS, "found"},
    {"misaligned", "ld.global.b32 %r1, [%d1+2];", 32, PTX_MISALIGNED,
     "expected an address that is a multiple of 4"},
    {"behind shared memory", "mov.b32 %r5, 4096; st.shared.b32 [%r5], %r0;", 32, PTX_BAD_ADDRESS,
     "found address 0x1000"},
    {"a barrier that not all come to",
     "setp.lt.u32 %p1, %r0, 32; @%p1 bra END; bar.sync 1, 64; END: bar.sync 0;", 64, PTX_FAILED,
     "expected a warp that can go on, found every one waiting"},
    {"a shuffle that not all lanes come to",
     "setp.lt.u32 %p1, %r0, 16; @%p1 bra A; shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1; A: "
     "bar.warp.sync -1;",
     32, PTX_FAILED, "expected lanes ffffffff at an instruction that they run together"},
    {"an mbarrier that was not made", "mbarrier.arrive.shared.b64 _, [dynamic];", 1, PTX_FAILED,
     "expected an mbarrier that mbarrier.init made"},
    {"more arrivals than the count",
     "mov.b32 %r5, 3; mbarrier.init.shared.b64 [dynamic], %r5; mov.b32 %r5, 4; "
     "mbarrier.arrive.shared.b64 _, "
     "[dynamic], %r5;",
     1, PTX_FAILED, "expected 3 arrivals at an mbarrier at most, found 4"},
    {"a phase that never completes",
     "mov.b32 %r5, 2; mbarrier.init.shared.b64 [dynamic], %r5; mbarrier.arrive.shared.b64 _, "
     "[dynamic]; "
     "L: mbarrier.try_wait.parity.shared.b64 %p2, [dynamic], 0; @!%p2 bra L;",
     1, PTX_FAILED, "expected a warp that can go on, found every one waiting"},
    {"an accumulator that is read too early",
     "mov.b64 %d5, 0; mov.b32 %r8, 0; mov.b32 %r9, 0; mov.b32 %r10, 0; mov.b32 %r11, 0; "
     "wgmma.fence.sync.aligned; "
     "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r8, %r9, %r10, %r11}, %d5, %d5, 0, 1, 1, "
     "0, 0; "
     "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1; add.s32 %r1, %r8, 1; "
     "wgmma.wait_group.sync.aligned 0;",
     128, PTX_FAILED,
     "expected wgmma.wait_group before a register that wgmma.mma_async has is used"},
    {"a wgmma of some of a warpgroup's warps",
     "mov.b64 %d5, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r8, %r9, %r10, %r11}, "
     "%d5, %d5, 0, 1, 1, "
     "0, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;",
     64, PTX_FAILED, "expected a warpgroup of 4 warps, found 2"},
    {"a reached trap", "trap;", 32, PTX_FAILED, "expected no trap"},
    {"threads that the kernel does not want", "ret;", 2048, PTX_INVALID_VALUE,
     "expected blocks of 1024 threads"},
};

/// What every order of the warps may do right, and one may not.
#define CELL                                                                                       \
  "mov.b64 %d5, dynamic; mad.wide.u32 %d6, %r0, 4, %d5; xor.b32 %r5, %r0, 32; mad.wide.u32 %d7, "  \
  "%r5, 4, %d5; "
static const Error races[] = {
    {"a read without a barrier", CELL "st.shared.b32 [%d6], %r0; ld.shared.b32 %r1, [%d7];", 64,
     PTX_FAILED, "expected the "},
    {"a write over what others still read",
     CELL
     "st.shared.b32 [%d6], %r0; bar.sync 0; ld.shared.b32 %r1, [%d7]; st.shared.b32 [%d6], %r1;",
     64, PTX_FAILED, "to be waited for before this "},
    {"a barrier of others",
     CELL "st.shared.b32 [%d6], %r0; shr.u32 %r6, %r0, 5; add.s32 %r6, %r6, 1; bar.sync %r6, 32; "
          "ld.shared.b32 %r1, [%d7];",
     64, PTX_FAILED, "expected the "},
    {"cp.async that was not waited for",
     CELL "st.global.b32 [%d1], %r0; cp.async.ca.shared.global [%d6], [%d1], 4; "
          "cp.async.commit_group; bar.sync 0; "
          "ld.shared.b32 %r1, [%d7]; cp.async.wait_group 0;",
     64, PTX_FAILED, "expected the write of line"},
    {"cp.async waited for behind the barrier",
     CELL "st.global.b32 [%d1], %r0; cp.async.ca.shared.global [%d6], [%d1], 4; "
          "cp.async.commit_group; bar.sync 0; "
          "cp.async.wait_group 0; ld.shared.b32 %r1, [%d7];",
     64, PTX_FAILED, "expected the write of line"},
    {"a bulk copy read after another's mbarrier",
     "setp.ne.b32 %p1, %r0, 0; mov.b32 %r7, 1; @%p1 bra W; mbarrier.init.shared.b64 [dynamic], "
     "%r7; "
     "mbarrier.init.shared.b64 [dynamic+8], %r7; mbarrier.arrive.expect_tx.shared.b64 _, "
     "[dynamic], 64; "
     "mbarrier.arrive.expect_tx.shared.b64 _, [dynamic+8], 64; "
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [dynamic+1024], [%d0], 64, "
     "[dynamic]; "
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [dynamic+2048], [%d0], 64, "
     "[dynamic+8]; "
     "W: bar.sync 0; L: mbarrier.try_wait.parity.shared.b64 %p2, [dynamic], 0; @!%p2 bra L; "
     "M: mbarrier.try_wait.parity.shared.b64 %p2, [dynamic], 0; @!%p2 bra M; ld.shared.b32 %r1, "
     "[dynamic+2048];",
     64, PTX_FAILED, "expected the "},
    {"a bulk store without a proxy fence",
     CELL "st.shared.b32 [%d6], %r0; bar.sync 0; setp.ne.b32 %p1, %r0, 0; @%p1 bra E; "
          "cp.async.bulk.global.shared::cta.bulk_group [%d0], [dynamic], 128; "
          "cp.async.bulk.commit_group; "
          "cp.async.bulk.wait_group.read 0; E: mov.b32 %r1, 0;",
     64, PTX_FAILED, "expected fence.proxy.async"},
    {"shared memory that a bulk store still reads",
     CELL "st.shared.b32 [%d6], %r0; fence.proxy.async.shared::cta; bar.sync 0; setp.ne.b32 %p1, "
          "%r0, 0; @%p1 bra E; "
          "cp.async.bulk.global.shared::cta.bulk_group [%d0], [dynamic], 128; "
          "cp.async.bulk.commit_group; "
          "E: bar.sync 0; st.shared.b32 [%d6], %r5; cp.async.bulk.wait_group.read 0;",
     64, PTX_FAILED, "expected the read of line"},
    {"a wgmma of registers that no wgmma.fence followed",
     "mov.b64 %d5, 0; mov.b32 %r8, 0; mov.b32 %r9, 0; mov.b32 %r10, 0; wgmma.fence.sync.aligned; "
     "mov.b32 %r11, 0; "
     "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r8, %r9, %r10, %r11}, %d5, %d5, 1, 1, 1, "
     "0, 0; "
     "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;",
     128, PTX_FAILED, "expected wgmma.fence behind the last write"},
    {"a relaxed barrier of the cluster",
     CELL "st.shared.b32 [%d6], %r0; barrier.cluster.arrive.relaxed.aligned; "
          "barrier.cluster.wait.aligned; "
          "ld.shared.b32 %r1, [%d7];",
     64, PTX_FAILED, "expected the write of line"},
};

static void reportsAll(const Error *all, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *kept = stderr, *memory = open_memstream(&text, &bytes);
    assert_non_null(memory);
    PtxLaunch launch = threads(all[i].threads);
    // glibc's stderr is a variable.
    stderr = memory;
    int code = run(all[i].body, &launch, out, all[i].threads);
    stderr = kept;
    fclose(memory);
    if (code != all[i].code || !strstr(text, all[i].text))
      fail_msg("%s: expected error %d with '%s', found %d with '%s'", all[i].name, all[i].code,
               all[i].text, code, text);
    free(text);
  }
}

static void reportsEachError(void **state) {
  (void)state;
  reportsAll(errors, sizeof errors / sizeof errors[0]);
}

static void findsRaces(void **state) {
  setenv("PTX_EMULATOR_RACES", "1", 1);
  reportsAll(races, sizeof races / sizeof races[0]);
  // And none where there are none.
  runsEachCase(state);
  unsetenv("PTX_EMULATOR_RACES");
}

/// Blocks of a cluster find each other's shared memory and wait for each other.
static void runsClusters(void **state) {
  (void)state;
  const char *body =
      "mov.u32 %r5, %cluster_ctarank; mad.lo.s32 %r6, %r5, 1000, %r0; mov.b64 %d5, dynamic; "
      "mad.wide.u32 %d6, %r0, 4, %d5; st.shared.b32 [%d6], %r6; "
      "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned; "
      "xor.b32 %r7, %r5, 1; mapa.shared::cluster.u64 %d7, %d6, %r7; "
      "ld.shared::cluster.b32 %r1, [%d7]; "
      "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;";
  PtxLaunch launch = threads(64);
  launch.grid[0] = 4, launch.cluster[0] = 2;
  assert_int_equal(run(body, &launch, out, 256), 0);
  for (uint32_t t = 0; t < 256; ++t) assert_int_equal(out[t], (t / 64 % 2 ^ 1) * 1000 + t % 64);
}

/// A block that waits for one behind it: more of the grid runs where nothing else goes on.
static void runsBlocksThatWaitForLaterOnes(void **state) {
  (void)state;
  const char *body =
      "setp.eq.b32 %p1, %r2, 19; @%p1 bra LAST; "
      "SPIN: ld.acquire.gpu.global.b32 %r5, [%d0+76]; setp.ne.b32 %p2, %r5, 7; @%p2 bra SPIN; "
      "bra END; LAST: mov.b32 %r5, 7; st.release.gpu.global.b32 [%d0+76], %r5; END: mov.b32 %r1, "
      "7;";
  PtxLaunch launch = threads(1);
  launch.grid[0] = 20;
  assert_int_equal(run(body, &launch, out, 20), 0);
  for (uint32_t t = 0; t < 20; ++t) assert_int_equal(out[t], 7);
}

/// Two warps meet 64 times while a third, which has met them before, reads how often: by some seeds
/// it comes late, as on a chip after a miss of a cache, and by others at once.
static void letsWarpsFallBehind(void **state) {
  (void)state;
  const char *body =
      "mov.b32 %r5, 0; MEET: bar.sync 1, 96; add.s32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 8; "
      "@%p1 bra MEET; setp.ge.u32 %p2, %r0, 64; @%p2 bra READ; mov.b32 %r5, 0; "
      "LOOP: bar.sync 2, 64; add.s32 %r5, %r5, 1; st.volatile.shared.b32 [dynamic], %r5; "
      "setp.lt.u32 %p1, %r5, 64; @%p1 bra LOOP; bra END; "
      "READ: ld.volatile.shared.b32 %r1, [dynamic]; END: ";
  uint32_t most = 0, least = UINT32_MAX;
  PtxLaunch launch = threads(96);
  for (int seed = 1; seed <= 60; ++seed) {
    char text[8];
    snprintf(text, sizeof text, "%d", seed);
    setenv("PTX_EMULATOR_SEED", text, 1);
    assert_int_equal(run(body, &launch, out, 96), 0);
    if (out[64] > most) most = out[64];
    if (out[64] < least) least = out[64];
  }
  unsetenv("PTX_EMULATOR_SEED");
  assert_true(most >= 16);
  assert_true(least <= 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(runsEachCase),
                                     cmocka_unit_test(reportsEachError),
                                     cmocka_unit_test(findsRaces),
                                     cmocka_unit_test(runsClusters),
                                     cmocka_unit_test(runsBlocksThatWaitForLaterOnes),
                                     cmocka_unit_test(letsWarpsFallBehind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
