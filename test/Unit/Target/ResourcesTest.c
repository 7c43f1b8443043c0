// RUN: %unit/ResourcesTest
//
// Occupancy against NVIDIA's own figures, and the counting of instructions in listings.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Target/Registers.h"
#include "tile/Target/Resources.h"
#include <cmocka.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expectOccupancy(const char *arch, int threads, int registers, int shared, int blocks,
                            TileOccupancyLimit limit) {
  const TileMachine *a = tileMachineFind(arch);
  TileOccupancy found = tileOccupancyCompute(a, threads, registers, shared);
  assert_int_equal(found.blocks, blocks);
  assert_int_equal(found.limit, limit);
}

/// Blocks as cuOccupancyMaxActiveBlocksPerMultiprocessor's documentation and the occupancy
/// calculator of Nsight Compute give them.
static void occupancyFollowsTheLimits(void **state) {
  (void)state;
  expectOccupancy("sm_90a", 128, 32, 0, 16, TILE_LIMIT_THREADS);
  expectOccupancy("sm_90a", 32, 16, 0, 32, TILE_LIMIT_BLOCKS);
  // 168 registers in 8s of a thread are 5376 a warp: 3 warps a quarter, 12 in all.
  expectOccupancy("sm_90a", 128, 168, 0, 3, TILE_LIMIT_REGISTERS);
  // 255 are rounded up to 256: 2 warps a quarter.
  expectOccupancy("sm_90a", 256, 255, 0, 1, TILE_LIMIT_REGISTERS);
  // 227 KiB and one of the system's own are all there is.
  expectOccupancy("sm_90a", 128, 64, 227 * 1024, 1, TILE_LIMIT_SHARED);
  expectOccupancy("sm_90a", 128, 32, 32 * 1024, 6, TILE_LIMIT_SHARED);
  expectOccupancy("sm_86", 1024, 32, 0, 1, TILE_LIMIT_THREADS);
  expectOccupancy("sm_86", 64, 32, 0, 16, TILE_LIMIT_BLOCKS);
  // Too much of anything: none fits.
  expectOccupancy("sm_86", 128, 32, 200 * 1024, 0, TILE_LIMIT_SHARED);
}

static void theShareIsThatOfTheWarps(void **state) {
  (void)state;
  const TileMachine *arch = tileMachineFind("sm_90a");
  TileOccupancy half = tileOccupancyCompute(arch, 256, 64, 0);
  assert_int_equal(half.blocks, 4);
  assert_int_equal((int)(100 * half.share), 50);
}

/// An ELF file of two sections, .nv.info with `info` and the names: what a cubin says of its
/// kernel.
static TileBlob makeCubin(char *memory, size_t room, const void *info, size_t size) {
  static const char names[] = "\0.nv.info\0.shstrtab";
  Elf64_Ehdr head = {.e_ident = ELFMAG, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 3};
  Elf64_Shdr sections[3] = {{0}};
  head.e_shoff = sizeof head;
  head.e_shstrndx = 2;
  sections[1] = (Elf64_Shdr){.sh_name = 1, .sh_offset = sizeof head + sizeof sections};
  sections[1].sh_size = size;
  sections[2] = (Elf64_Shdr){.sh_name = 10, .sh_offset = sections[1].sh_offset + size};
  sections[2].sh_size = sizeof names;
  assert_true(sections[2].sh_offset + sizeof names <= room);
  memcpy(memory, &head, sizeof head);
  memcpy(memory + sizeof head, sections, sizeof sections);
  memcpy(memory + sections[1].sh_offset, info, size);
  memcpy(memory + sections[2].sh_offset, names, sizeof names);
  return (TileBlob){.data = memory, .size = sections[2].sh_offset + sizeof names};
}

static void cubinsSayTheirRegisters(void **state) {
  (void)state;
  // A word, the registers of symbol 11, its frame.
  static const uint32_t info[] = {0x00000a03, 0x00082f04, 11, 78, 0x00081104, 11, 24};
  static const uint32_t two[] = {0x00082f04, 11, 78, 0x00082f04, 12, 40};
  char memory[1024];
  TileRegisterUse use;
  TileBlob cubin = makeCubin(memory, sizeof memory, info, sizeof info);
  assert_true(tileCubinGetRegisters(&cubin, &use));
  assert_int_equal(use.registers, 78);
  assert_int_equal(use.frameBytes, 24);
  // Cut off anywhere it is read no further.
  for (size_t size = cubin.size; size-- > 0;) {
    char *part = malloc(size + 1);
    assert_non_null(part);
    memcpy(part, memory, size);
    TileBlob cut = {.data = part, .size = size};
    if (size < cubin.size - 10) assert_false(tileCubinGetRegisters(&cut, &use));
    free(part);
  }
  cubin = makeCubin(memory, sizeof memory, two, sizeof two);
  assert_false(tileCubinGetRegisters(&cubin, &use));
}

static int countSpilled(const char *ptx, int frame) {
  char text[512];
  snprintf(text, sizeof text, "%s", ptx);
  const TileBlob code = {.data = text, .size = strlen(text)};
  const TileRegisterUse use = {.registers = 255, .frameBytes = frame};
  return tileRegistersCountSpilled(tileMachineFind("sm_90a"), &code, &use);
}

/// A stack is spills, less the arrays that the PTX has there; a few bytes are none.
static void aStackIsSpillsAndArrays(void **state) {
  (void)state;
  static const char plain[] = ".entry f()\n{\n}\n";
  static const char arrays[] = ".entry f()\n{\n\t.local .align 16 .b8 \t__local_depot0[1024];\n"
                               "\t.local .align 4 .b32 one;\n\t.local .align 4 .b8 two[8];\n}\n";
  assert_int_equal(countSpilled(plain, 0), 0);
  assert_int_equal(countSpilled(plain, 64), 0);
  assert_int_equal(countSpilled(plain, 72), 72);
  assert_int_equal(countSpilled(arrays, 1032), 0);
  assert_int_equal(countSpilled(arrays, 1232), 200);
  assert_int_equal(countSpilled("", 1000), 0);
}

/// What is tried with a kernel of so many shared bytes that ptxas gave `registers` and a frame; how
/// often.
static int findLimits(const char *ptx, int shared, int registers, int frame,
                      TileRegisterLimit limits[TILE_REGISTER_LIMITS]) {
  char text[4096];
  snprintf(text, sizeof text, "%s", ptx);
  TileBlob code = {.data = text, .size = strlen(text)};
  const TileRegisterUse use = {registers, frame, false};
  return tileRegistersFindLimits(tileMachineFind("sm_90a"), shared, &code, &use, limits);
}

/// The first of them, and that the PTX asks for it; 0 for none.
static int findLimit(const char *ptx, int shared, int registers, int frame) {
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  if (!findLimits(ptx, shared, registers, frame, limits)) return 0;
  char text[256], line[32];
  snprintf(text, sizeof text, "%s", ptx);
  snprintf(line, sizeof line, "\n.maxnreg %d\n{", limits[0].registers);
  TileBlob code = {.data = text, .size = strlen(text)};
  TileBlob limited = tileRegistersLimit(&code, limits[0].registers);
  assert_non_null(strstr(limited.data, line));
  tileBlobDestroy(&limited);
  return limits[0].registers;
}

/// Would code with `then` registers and that frame stand in its place?
static bool keepsWith(const char *ptx, int registers, int frame, int then, int thenFrame) {
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  assert_int_not_equal(findLimits(ptx, 0, registers, frame, limits), 0);
  char text[512];
  snprintf(text, sizeof text, "%s", ptx);
  TileBlob code = {.data = text, .size = strlen(text)};
  const TileRegisterUse use = {then, thenFrame, false};
  return tileRegistersKeepLimited(tileMachineFind("sm_90a"), 0, &code, &use, &limits[0]);
}

static bool keepLimited(const char *ptx, int registers, int frame, int thenFrame) {
  return keepsWith(ptx, registers, frame, 64, thenFrame);
}

static void oneBlockMayBecomeTwo(void **state) {
  (void)state;
  const char *ptx = ".entry k()\n.reqntid 512\n{ add.f32 a, b, c; }";
  assert_int_equal(findLimit(ptx, 0, 78, 0), 64);
  assert_int_equal(findLimit(ptx, 100 << 10, 78, 0), 64);
  assert_int_equal(findLimit(".entry k()\n.reqntid 256\n{}", 0, 162, 0), 128);
  // Two blocks already, too many registers to be without, no shared memory for two (these two take
  // what one may have), dots, a limit.
  assert_int_equal(findLimit(ptx, 0, 64, 0), 0);
  assert_int_equal(findLimit(ptx, 0, 90, 0), 128);
  assert_int_equal(findLimit(ptx, 120 << 10, 78, 0), 128);
  assert_int_equal(findLimit(".reqntid 512\n.maxnreg 80\n{}", 0, 78, 0), 0);
  assert_int_equal(findLimit(".entry k()\n{}", 0, 78, 0), 0);
  assert_true(keepLimited(ptx, 78, 0, 24));
  assert_true(keepLimited(ptx, 78, 8, 40));
  assert_false(keepLimited(ptx, 78, 0, 40));
}

/// Warps are spread over four quarters, each of which has a fourth of the registers: a 25th block
/// of one warp makes a quarter hold seven.
static void blocksOfFewWarpsLieInQuarters(void **state) {
  (void)state;
  const char *one = ".entry k()\n.reqntid 32\n{ add.f32 a, b, c; }";
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  assert_int_not_equal(findLimits(one, 0, 77, 0, limits), 0);
  assert_int_equal(limits[0].registers, 72);
  assert_int_equal(limits[0].leastBlocks, 25);
  assert_true(keepsWith(one, 77, 0, 72, 0));
  assert_int_equal(findLimit(".entry k()\n.reqntid 64\n{}", 0, 96, 0), 80);
}

/// What a block asks for in front of its first barrier decides how much it may spill.
static void idleMemoryIsWorthSpills(void **state) {
  (void)state;
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  // 512 threads, 4 words and 16 bits each; behind the barrier nothing counts.
  const char *little =
      ".entry k()\n.reqntid 512\n{ @%p1 ld.global.L1::evict_last.v4.b32 {%r1}, [%rd1];\n"
      "ld.volatile.b16; ld.global.b16 %rs1, [%rd1];\nbar.sync 0;\n"
      "ld.global.v4.b64 a; ld.global.v4.b64 b; ld.global.v4.b64 c; }";
  const char *much = ".entry k()\n.reqntid 512\n{ ld.global.v4.b64 a; ld.global.v4.b64 b;\n"
                     "ld.global.v4.b64 c; ld.global.u8 d; bar.sync 0; }";
  assert_int_equal(findLimits(little, 0, 98, 0, limits), 2);
  assert_int_equal(limits[0].registers, 64);
  assert_int_equal(limits[0].mostFrame, 96);
  assert_int_equal(findLimit(much, 0, 98, 0), 128);
  assert_int_equal(findLimits(much, 0, 78, 0, limits), 2);
  assert_int_equal(limits[0].mostFrame, 32);
  // Without a barrier threads are on their own.
  assert_int_equal(findLimit(".entry k()\n.reqntid 512\n{ ld.global.b16 a; }", 0, 98, 0), 128);
  assert_int_equal(findLimit(little, 0, 100, 0), 128);
}

static void dotsMayHaveOneBlockMore(void **state) {
  (void)state;
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  const char *one = ".reqntid 256\n{ wgmma.mma_async.sync; }", *two = ".reqntid 128\n{ mma.sync; }";
  assert_int_equal(findLimit(one, 96 << 10, 154, 0), 128);
  assert_int_equal(findLimit(two, 64 << 10, 171, 0), 168);
  // A fourth where there is a loop, or one that shared memory or three quarters of the registers do
  // not let in.
  const char *loop = ".reqntid 128\n{\n$L__BB0_1:\nmma.sync;\nbra $L__BB0_1;\n}";
  assert_int_equal(findLimit(loop, 16 << 10, 136, 0), 0);
  assert_int_equal(findLimit(one, 120 << 10, 154, 0), 0);
  assert_int_equal(findLimit(one, 96 << 10, 180, 0), 0);
  // Roles divide registers for themselves.
  assert_int_equal(findLimit(".reqntid 256\n{ setmaxnreg.dec; wgmma.x; }", 0, 154, 0), 0);
  assert_int_equal(findLimits(one, 96 << 10, 154, 0, limits), 1);
  assert_int_equal(limits[0].mostFrame, 24);
  assert_int_equal(limits[0].leastBlocks, 2);
}

/// Without a loop a fourth block and further ones, too, or as many as sixteen warps are.
static void dotsOfNoLoopMayHaveMore(void **state) {
  (void)state;
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  const char *two = ".reqntid 64\n{ mma.sync; }", *four = ".reqntid 128\n{ wgmma.mma_async; }";
  assert_int_equal(findLimit(four, 16 << 10, 136, 0), 128);
  assert_int_equal(findLimit(four, 16 << 10, 66, 0), 64);
  assert_int_equal(findLimits(two, 8 << 10, 170, 0, limits), 1);
  assert_int_equal(limits[0].registers, 128);
  assert_int_equal(limits[0].leastBlocks, 8);
  assert_int_equal(limits[0].mostFrame, 24);
  // Three quarters have to be left: six of the blocks.
  assert_int_equal(findLimit(two, 8 << 10, 220, 0), 168);
  assert_int_equal(
      findLimit(".reqntid 64\n{\n$L__BB0_1:\nmma.sync;\nbra $L__BB0_1;\n}", 8 << 10, 170, 0), 0);
}

/// Of mma.sync with few warps, which shared memory leaves room for.
static void fewWarpsHaveAllRegisters(void **state) {
  (void)state;
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  const char *one = ".reqntid 32\n{ mma.sync; }", *two = ".reqntid 64\n{ mma.sync; }";
  assert_int_equal(findLimit(one, 80 << 10, 176, 0), 255);
  assert_int_equal(findLimits(two, 40 << 10, 106, 0, limits), 1);
  assert_int_equal(limits[0].registers,
                   168); // of five blocks: a quarter has three of their ten warps
  assert_int_equal(limits[0].leastBlocks, 5);
  assert_int_equal(limits[0].mostFrame, 0);
  // There are none left, other warps hide what each waits for, registers are the limit, or wgmma
  // reads operands itself.
  assert_int_equal(findLimit(one, 80 << 10, 255, 0), 0);
  assert_int_equal(findLimit(two, 20 << 10, 72, 0), 0);
  assert_int_equal(findLimit(".reqntid 64\n{\n$L__BB0_1:\nmma.sync;\nbra $L__BB0_1;\n}", 0, 136, 0),
                   0);
  assert_int_equal(findLimit(".reqntid 128\n{ wgmma.mma_async; }", 100 << 10, 90, 0), 0);
}

/// Where ptxas says that wgmma wait for one another under the limit, code without one stands.
static void serializedDotsDoNotStand(void **state) {
  (void)state;
  char text[] = ".reqntid 128\n{ wgmma.mma_async.sync; }", other[] = ".reqntid 128\n{ mma.sync; }";
  char waits[] =
      "ptxas info    : (C7512) Potential Performance Loss: wgmma.mma_async instructions are "
      "serialized due to insufficient register resources for the function 'k'";
  char plain[] = "ptxas info    : Used 168 registers, used 1 barriers";
  const TileBlob ptx = {.data = text, .size = strlen(text)}, none = {0};
  const TileBlob withoutAny = {.data = other, .size = strlen(other)};
  const TileBlob serial = {.data = waits, .size = strlen(waits)};
  const TileBlob said = {.data = plain, .size = strlen(plain)};
  assert_true(tileRegistersSerialize(&ptx, &serial));
  assert_true(tileRegistersSerialize(&ptx, NULL));
  assert_true(tileRegistersSerialize(&ptx, &none));
  assert_false(tileRegistersSerialize(&ptx, &said));
  assert_false(tileRegistersSerialize(&withoutAny, NULL));
  const TileMachine *arch = tileMachineFind("sm_90a");
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  TileRegisterUse use = {190, 0, false}, fewer = {168, 0, true};
  assert_int_equal(tileRegistersFindLimits(arch, 64 << 10, &ptx, &use, limits), 1);
  assert_int_equal(limits[0].registers, 168);
  assert_false(tileRegistersKeepLimited(arch, 64 << 10, &ptx, &fewer, &limits[0]));
  fewer.serialized = false;
  assert_true(tileRegistersKeepLimited(arch, 64 << 10, &ptx, &fewer, &limits[0]));
  // What waits anyway may go on waiting.
  use.serialized = fewer.serialized = true;
  assert_int_equal(tileRegistersFindLimits(arch, 64 << 10, &ptx, &use, limits), 1);
  assert_true(tileRegistersKeepLimited(arch, 64 << 10, &ptx, &fewer, &limits[0]));
}

/// Blocks that a schedule asked for, and that spill, become half as many.
static void blocksThatSpillAreLeft(void **state) {
  (void)state;
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  char two[] = ".reqntid 160\n.minnctapersm 2\n{ wgmma.mma_async.sync; }";
  assert_int_equal(findLimits(two, 112 << 10, 168, 272, limits), 1);
  assert_int_equal(limits[0].registers, 255);
  assert_int_equal(limits[0].mostFrame, 136);
  assert_int_equal(limits[0].leastBlocks, 1);
  const TileBlob ptx = {.data = two, .size = strlen(two)};
  TileBlob limited = tileRegistersLimit(&ptx, 255);
  assert_string_equal(limited.data, ".reqntid 160\n.maxnreg 255\n{ wgmma.mma_async.sync; }");
  tileBlobDestroy(&limited);
  // A few bytes cost less than a block, and one block has all that there are.
  assert_int_equal(findLimits(two, 112 << 10, 168, 32, limits), 0);
  const char *one = ".reqntid 160\n.minnctapersm 1\n{ wgmma.mma_async.sync; }";
  assert_int_equal(findLimits(one, 224 << 10, 255, 272, limits), 0);
  const char *four = ".reqntid 160\n.minnctapersm 4\n{ wgmma.mma_async.sync; }";
  assert_int_equal(findLimits(four, 48 << 10, 96, 272, limits), 1);
  assert_int_equal(limits[0].registers, 168);
  assert_int_equal(limits[0].leastBlocks, 2);
}

static void oneBlockMoreMayFit(void **state) {
  (void)state;
  const char *ptx = ".entry k()\n.reqntid 256\n{ add.f32 a, b, c; }";
  assert_int_equal(findLimit(ptx, 0, 48, 0), 40);
  assert_true(keepsWith(ptx, 48, 0, 40, 0));
  assert_false(keepsWith(ptx, 48, 0, 40, 8));
  // A third one may cost a few spills.
  const char *large = ".entry k()\n.reqntid 512\n{ add.f32 a, b, c; }";
  assert_int_equal(findLimit(large, 0, 52, 0), 40);
  assert_true(keepsWith(large, 52, 0, 40, 16));
  assert_false(keepsWith(large, 52, 0, 40, 24));
  // Too many registers would have to go; something else is the limit.
  assert_int_equal(findLimit(large, 0, 57, 0), 64);
  assert_int_equal(findLimit(ptx, 100 << 10, 46, 0), 0);
  // Loops have it where a branch keeps their loads together, and rows are read once.
  const char *loop = ".entry k()\n.reqntid 256\n{\n$L__BB0_2:\n@%p1 bra $L__BB0_2;\n}";
  const char *issues =
      ".entry k()\n.reqntid 256\n{\n$L__BB0_2:\n@%p2 trap;\n@%p1 bra $L__BB0_2;\n}";
  const char *twice = ".entry k()\n.reqntid 256\n{\n@%p2 trap;\n$L__BB0_2:\n@%p1 bra $L__BB0_2;\n"
                      "$L__BB0_3:\n@%p1 bra $L__BB0_3;\n}";
  assert_int_equal(findLimit(issues, 0, 48, 0), 40);
  assert_int_equal(findLimit(loop, 0, 48, 0), 255);
  assert_int_equal(findLimit(twice, 0, 48, 0), 255);
  // One that computes much of what it loads does not wait for memory: 91 instructions for two
  // words, and for four.
  const char begin[] = ".entry k()\n.reqntid 256\n{\n$L__BB0_2:\n@%p2 trap;\n";
  const char *loads[] = {"@%p1 ld.global.v2.b32 {a, d}, [x];\n",
                         "\tld.global.v4.b32 {a, d, e, f}, [x];\n"};
  const char add[] = "\tadd.f32 a, b, c;\n", end[] = "@%p1 bra $L__BB0_2;\n}";
  for (int i = 0; i < 2; ++i) {
    char text[4096];
    int at = snprintf(text, sizeof text, "%s%s", begin, loads[i]);
    for (int k = 0; k < 88; ++k) at += snprintf(text + at, sizeof text - (size_t)at, "%s", add);
    snprintf(text + at, sizeof text - (size_t)at, "%s", end);
    assert_int_equal(findLimit(text, 0, 48, 0), i ? 40 : 255);
  }
}

static void blocksMayFillTheWarps(void **state) {
  (void)state;
  const char *ptx = ".entry k()\n.reqntid 512\n{ add.f32 a, b, c; }";
  const char *loops = ".entry k()\n.reqntid 256\n{\n$L__BB0_2:\n@%p1 bra $L__BB0_2;\n"
                      "$L__BB0_3:\n@%p1 bra $L__BB0_3;\n}";
  assert_int_equal(findLimit(ptx, 0, 40, 0), 32);
  assert_true(keepsWith(ptx, 40, 0, 32, 0));
  assert_false(keepsWith(ptx, 40, 0, 32, 8));
  // By two blocks more.
  assert_int_equal(findLimit(loops, 0, 39, 0), 32);
  // They fit; too many registers would have to go; something else is the limit.
  assert_int_equal(findLimit(ptx, 0, 32, 0), 0);
  assert_int_equal(findLimit(".reqntid 1024\n{ add.f32 a, b, c; }", 0, 48, 0), 0);
  assert_int_equal(findLimit(ptx, 60 << 10, 40, 0), 0);
}

/// Loads that no branch keeps together keep their registers, and get those of all of them.
static void looseLoadsHaveTheirRegisters(void **state) {
  (void)state;
  char loads[2048] = "", kept[2304], loop[2304], met[2304];
  for (int i = 0; i < 45; ++i) strcat(loads, "ld.global.b16 %rs1, [%rd1];\n");
  char alone[2304];
  snprintf(alone, sizeof alone, ".reqntid 128\n{ %s }", loads);
  snprintf(kept, sizeof kept, ".reqntid 128\n{ %s @%%p trap; }", loads);
  snprintf(loop, sizeof loop, ".reqntid 128\n{ $L__BB0_1:\n%s bra $L__BB0_1; }", loads);
  snprintf(met, sizeof met, ".reqntid 128\n{ ld.global.v2.b64 {%%rd2}, [%%rd1]; bar.sync 0;\n%s }",
           loads);
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  // 45 of them, and ten registers: nine blocks of four warps for twelve, not sixteen.
  assert_int_equal(findLimits(alone, 0, 40, 0, limits), 1);
  assert_int_equal(limits[0].registers, 56);
  assert_int_equal(limits[0].leastBlocks, 8);
  assert_true(keepsWith(alone, 40, 0, 54, 0));
  assert_false(keepsWith(alone, 40, 0, 54, 8));
  assert_int_equal(findLimit(kept, 0, 40, 0), 32);
  assert_int_equal(findLimit(met, 0, 40, 0), 32);
  assert_int_equal(findLimit(loop, 0, 40, 0), 32);
  // As many as there are, or fewer than six in ten of the blocks would be left.
  assert_int_equal(findLimit(alone, 0, 56, 0), 48);
  assert_int_equal(findLimits(alone, 0, 33, 0, limits), 1);
  snprintf(alone, sizeof alone, ".reqntid 512\n{ %s%s }", "", loads);
  assert_int_equal(findLimits(alone, 0, 40, 0, limits), 1);
  assert_int_equal(limits[0].registers, 64);
}

/// Several loads of a step may be on their way together, with as many registers as half of the
/// warps leave, where the assembler takes many more of them.
static void loadsOfAStepHaveTheirRegisters(void **state) {
  (void)state;
  const char *two = ".reqntid 512\n{\n$L__BB0_2:\nld.global.v4.b32 {a}, [b];\n"
                    "ld.global.v4.b32 {c}, [d];\n@%p1 bra $L__BB0_2;\n}";
  const char *one = ".reqntid 512\n{\nld.global.b32 a, [b];\n$L__BB0_2:\n"
                    "ld.global.v4.b32 {c}, [d];\n@%p1 bra $L__BB0_2;\n}";
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  TileRegisterLimit *last = limits;
  int n = findLimits(two, 0, 40, 0, limits);
  for (int i = 0; i < n; ++i)
    if (limits[i].leastRegisters) last = &limits[i];
  assert_int_equal(last->registers, 64);
  assert_int_equal(last->leastBlocks, 2);
  assert_int_equal(last->leastRegisters, 51);
  n = findLimits(one, 0, 40, 0, limits);
  for (int i = 0; i < n; ++i) assert_int_equal(limits[i].leastRegisters, 0);
}

static void spillsTakeTheRegistersThatAreLeft(void **state) {
  (void)state;
  const char *ptx = ".entry k()\n.reqntid 128\n{ add.f32 a, b, c; }";
  assert_int_equal(findLimit(ptx, 0, 32, 2384), 255);
  assert_int_equal(findLimit(".reqntid 512\n{ mma.sync; }", 0, 64, 100), 128);
  assert_int_equal(findLimit(ptx, 0, 255, 2384), 0);
  assert_int_equal(findLimit(".reqntid 512\n{}", 0, 64, 4), 0);
  assert_true(keepLimited(ptx, 32, 2384, 592));
  assert_true(keepLimited(ptx, 32, 2384, 2500));
  assert_false(keepLimited(ptx, 32, 2384, 3000));
  // With more registers half of what may be no spill has to go.
  assert_true(keepLimited(ptx, 96, 2384, 1100));
  assert_false(keepLimited(ptx, 96, 2384, 1300));
}

static void registersThatNoBlockCouldHaveAreTaken(void **state) {
  (void)state;
  const char *ptx = ".entry k()\n.reqntid 256\n{ add.f32 a, b, c; }";
  assert_int_equal(findLimit(ptx, 0, 110, 0), 128);
  assert_int_equal(findLimit(".reqntid 512\n{}", 0, 55, 0), 64);
  assert_int_equal(findLimit(".reqntid 512\n{}", 0, 90, 0), 128);
  // Shared memory has room for two blocks.
  assert_int_equal(findLimit(ptx, 100 << 10, 78, 0), 128);
  // None are left, they are few, there are dots.
  assert_int_equal(findLimit(".reqntid 512\n{}", 0, 64, 0), 0);
  assert_int_equal(findLimit(".reqntid 1024\n{}", 0, 46, 0), 0);
  assert_int_equal(findLimit(".reqntid 256\n{ mma.sync; }", 60 << 10, 78, 0), 0);
  assert_true(keepLimited(ptx, 78, 0, 0));
  assert_true(keepLimited(ptx, 78, 8, 8));
  assert_false(keepLimited(ptx, 78, 0, 4));
}

static void loopsMayHaveAllRegisters(void **state) {
  (void)state;
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  const char *loop = ".entry k()\n.reqntid 256\n{\n$L__BB0_2:\n@%p1 bra $L__BB0_2;\n}";
  assert_int_equal(findLimit(loop, 0, 32, 0), 255);
  // What leaves room for as many blocks stands, in smaller kernels that alone.
  assert_true(keepsWith(loop, 32, 0, 32, 0));
  assert_false(keepsWith(loop, 32, 0, 40, 0));
  assert_false(keepsWith(loop, 32, 0, 32, 8));
  // 64 registers are four blocks, of which three may be left; 40 are few.
  assert_true(keepsWith(loop, 64, 0, 80, 0));
  assert_false(keepsWith(loop, 64, 0, 88, 0));
  assert_false(keepsWith(loop, 40, 0, 48, 0));
  // Of nine blocks of four warps six, of five four, which are 16 warps.
  const char *small = ".entry k()\n.reqntid 128\n{\n$L__BB0_2:\n@%p1 bra $L__BB0_2;\n}";
  assert_true(keepsWith(small, 56, 0, 80, 0));
  assert_false(keepsWith(small, 56, 0, 88, 0));
  assert_true(keepsWith(small, 96, 0, 128, 0));
  assert_false(keepsWith(small, 96, 0, 136, 0));
  const char *async = ".entry k()\n.reqntid 256\n{\n$L__BB0_2:\ncp.async.ca;\nbra $L__BB0_2;\n}";
  assert_false(keepsWith(async, 64, 0, 72, 0));
  // The share of as many blocks is tried next; a jump ahead is no loop.
  assert_int_equal(findLimits(loop, 0, 78, 0, limits), 2);
  assert_int_equal(limits[1].registers, 80);
  assert_int_equal(findLimit(".reqntid 256\n{\nbra $L__BB0_2;\n$L__BB0_2:\n}", 0, 32, 0), 0);
}

static void sassIsCountedByMnemonic(void **state) {
  (void)state;
  static const char sass[] =
      "\t.headerflags\t@\"EF_CUDA_SM90\"\n"
      ".text.matmul:\n"
      "        /*0000*/                   LDC R1, c[0x0][0x28] ;    /* 0x00000a00ff017b82 */\n"
      "                                                         /* 0x000fe20000000a00 */\n"
      "        /*0010*/              @P0  LDG.E.128 R4, desc[UR4][R2.64] ;\n"
      "        /*0020*/             @!UPT UTMALDG.2D [UR8], [UR4] ;\n"
      "        /*0030*/                   HGMMA.64x128x16.F32 R24, gdesc[UR4], R24 ;\n"
      "        /*0040*/                   LDGSTS.E.BYPASS.128 [R39], desc[UR22][R10.64], P6 ;\n"
      "        /*0050*/                   LDGDEPBAR ;\n"
      "        /*0060*/                   STL [R1+0x4], R5 ;\n"
      "        /*0070*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;\n"
      "        /*0080*/                   FFMA R0, R1, R2, R3 ;\n"
      "        /*0090*/                   MUFU.EX2 R0, R0 ;\n"
      "        /*00a0*/                   RED.E.ADD.F32 [R2], R0 ;\n"
      "        /*00b0*/                   NOP ;\n"
      "        //## File \"matmul.mlir\", line 12\n";
  int mix[TILE_MIX_KINDS];
  tileCountSass(sass, mix);
  const int want[TILE_MIX_KINDS] = {
      [TILE_MIX_TENSOR_CORE] = 1, [TILE_MIX_COPY_ENGINE] = 1, [TILE_MIX_ASYNC_COPY] = 1,
      [TILE_MIX_GLOBAL] = 1,      [TILE_MIX_LOCAL] = 1,       [TILE_MIX_ATOMIC] = 1,
      [TILE_MIX_BARRIER] = 2,     [TILE_MIX_FLOAT] = 1,       [TILE_MIX_SPECIAL] = 1,
      [TILE_MIX_OTHER] = 1,
  };
  for (int i = 0; i < TILE_MIX_KINDS; ++i) assert_int_equal(mix[i], want[i]);
}

static void ptxIsCountedInsideBodies(void **state) {
  (void)state;
  static const char ptx[] = ".version 8.6\n"
                            ".visible .entry add(\n"
                            "\t.param .u64 x\n"
                            ")\n"
                            "{\n"
                            "\t.reg .pred %p<2>;\n"
                            "\tld.param.u64 %rd1, [x];\n"
                            "$L__BB0_1:\n"
                            "\t@%p1 ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];\n"
                            "\tfma.rn.f32 %f5, %f1, %f2, %f3;\n"
                            "\tadd.s32 %r1, %r1, 1;\n"
                            "\tadd.rn.bf16x2 %r2, %r2, %r2;\n"
                            "\t// begin inline asm\n"
                            "\twgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%f1};\n"
                            "\t// end inline asm\n"
                            "\t{\n"
                            "\tcp.async.bulk.tensor.2d.shared::cluster.global.tile [%r1];\n"
                            "\t}\n"
                            "\tcp.async.cg.shared.global [%r1], [%rd1], 16;\n"
                            "\tcp.async.commit_group;\n"
                            "\tret;\n"
                            "}\n";
  int mix[TILE_MIX_KINDS];
  tileCountPtx(ptx, mix);
  const int want[TILE_MIX_KINDS] = {
      [TILE_MIX_TENSOR_CORE] = 1, [TILE_MIX_COPY_ENGINE] = 1, [TILE_MIX_ASYNC_COPY] = 1,
      [TILE_MIX_GLOBAL] = 1,      [TILE_MIX_BARRIER] = 1,     [TILE_MIX_FLOAT] = 2,
      [TILE_MIX_OTHER] = 3,
  };
  for (int i = 0; i < TILE_MIX_KINDS; ++i) assert_int_equal(mix[i], want[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(occupancyFollowsTheLimits),
      cmocka_unit_test(theShareIsThatOfTheWarps),
      cmocka_unit_test(cubinsSayTheirRegisters),
      cmocka_unit_test(aStackIsSpillsAndArrays),
      cmocka_unit_test(oneBlockMayBecomeTwo),
      cmocka_unit_test(blocksOfFewWarpsLieInQuarters),
      cmocka_unit_test(idleMemoryIsWorthSpills),
      cmocka_unit_test(dotsMayHaveOneBlockMore),
      cmocka_unit_test(dotsOfNoLoopMayHaveMore),
      cmocka_unit_test(fewWarpsHaveAllRegisters),
      cmocka_unit_test(blocksThatSpillAreLeft),
      cmocka_unit_test(serializedDotsDoNotStand),
      cmocka_unit_test(oneBlockMoreMayFit),
      cmocka_unit_test(blocksMayFillTheWarps),
      cmocka_unit_test(looseLoadsHaveTheirRegisters),
      cmocka_unit_test(loadsOfAStepHaveTheirRegisters),
      cmocka_unit_test(spillsTakeTheRegistersThatAreLeft),
      cmocka_unit_test(registersThatNoBlockCouldHaveAreTaken),
      cmocka_unit_test(loopsMayHaveAllRegisters),
      cmocka_unit_test(sassIsCountedByMnemonic),
      cmocka_unit_test(ptxIsCountedInsideBodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
