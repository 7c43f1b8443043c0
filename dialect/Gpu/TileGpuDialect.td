//===- TileGpuDialect.td - tile_gpu, its types and attributes -------------===//
#ifndef TILE_GPU_DIALECT_TD
#define TILE_GPU_DIALECT_TD

include "TileDialect.td"

def TileGpu_Dialect : Dialect {
  let name = "tile_gpu";
  let cppNamespace = "::tile";
  let summary = "What the compiler makes of a kernel on its way to a GPU; never written by users.";
  let description = [{
    For whoever reads a stage of the pipeline or writes a pass. Between the tiles of `tile` and
    the threads of `nvvm` a program is a block of warps: `#tile_gpu.layout` says which of their
    registers hold a tile, `!tile_gpu.buffer` is a block of shared memory or a ring of them, and the
    ops convert layouts, copy (`cp.async`, and boxes by the copy engine, TMA), wait at barriers,
    and give warps roles. `tile` ops stand beside them: `tile.dot` takes buffers for operands.

    On kernels, as attributes: `tile_gpu.schedule` (below), `tile_gpu.block_warps` (warps of a block, roles and all),
    `tile_gpu.shared_bytes`, `tile_gpu.cluster` (blocks of a cluster; without `tile_gpu.persistent` each
    program is one cluster's), `tile_gpu.in_block` (teams of a block that are to divide a program's loop) and
    `tile_gpu.teams` (those that do: each has so many warps as `tile_gpu.block_warps` says, rings and barriers of
    its own), `tile_gpu.persistent`,
    `tile_gpu.one_program`, `tile_gpu.shares_last`, `tile_gpu.splits_last` (how blocks share programs, see
    docs/compiler/architecture.md), `tile_gpu.tensor_maps`, and from the launch `tile_gpu.single_wave`,
    `tile_gpu.programs` (of a multiprocessor, that many or more) and `tile_gpu.packs`
    (arrays may be packed: `tile_gpu.packed` on a `tile.make_desc` says that one is).
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

//===- types --------------------------------------------------------------===//

def Tile_BufferType : TypeDef<TileGpu_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "A block of shared memory, or a ring of them.";
  let description = [{
    `!tile_gpu.buffer<128x64xf16, swizzle = 128>`: rows of `swizzle` bytes, the
    16-byte chunk index xored with row bits as TMA and wgmma do it (see
    docs/analysis/layouts.md). `order` lists the dimensions, fastest first, when the last
    dimension is not the fastest: `!tile_gpu.buffer<64x128xf16, order = [0, 1]>`.
    `stages` > 1 makes a ring of so many blocks.

    `!tile_gpu.buffer<128x64xf16, ragged>`: each row is where it begins in memory, modulo 16
    bytes, which is what it has room for besides its elements: whole chunks of 16 bytes are
    copied, wherever rows begin. The places of all rows stand behind the last one, 32 bits each.
    `tile_gpu.async_copy` fills such a buffer, and dots by mma.sync read it.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "int64_t":$swizzle, ArrayRefParameter<"int64_t">:$order,
                        "int64_t":$stages, DefaultValuedParameter<"bool", "false">:$ragged);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===- attributes ---------------------------------------------------------===//

def Tile_LayoutAttr : AttrDef<TileGpu_Dialect, "Layout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "layout";
  let summary = "Who holds which element of a tile: a linear layout over F2.";
  let description = [{
    For each bit of register, lane and warp index, the coordinate that
    this bit alone selects (docs/analysis/layouts.md). The accumulator of an mma.sync:

        #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]],
                         lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>

    Stored flat: basis i of an input is the `rank` numbers from `i * rank` on.
  }];
  let parameters = (ins "int64_t":$rank, ArrayRefParameter<"int64_t">:$registers,
                        ArrayRefParameter<"int64_t">:$lanes,
                        ArrayRefParameter<"int64_t">:$warps);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===- enumerations -------------------------------------------------------===//

def Tile_Instruction : Tile_Enum<"Instruction", "how a dot is computed", [
  I32EnumAttrCase<"Fma", 0, "fma">, I32EnumAttrCase<"MmaSync", 1, "mma_sync">,
  I32EnumAttrCase<"Wgmma", 2, "wgmma">]>;
def Tile_InstructionAttr : EnumAttr<TileGpu_Dialect, Tile_Instruction, "instruction">;

//===- schedules ----------------------------------------------------------===//

def Tile_Programs : Tile_Enum<"Programs", "which programs a block has", [
  I32EnumAttrCase<"Grid", 0, "grid">, I32EnumAttrCase<"Loop", 1, "loop">,
  I32EnumAttrCase<"One", 2, "one">, I32EnumAttrCase<"Serpentine", 3, "serpentine">]>;

def Tile_Stores : Tile_Enum<"Stores", "how results leave", [
  I32EnumAttrCase<"Whole", 0, "whole">, I32EnumAttrCase<"Boxes", 1, "boxes">,
  I32EnumAttrCase<"AtOnce", 2, "at_once">, I32EnumAttrCase<"Deferred", 3, "deferred">]>;

def Tile_LastRound : Tile_Enum<"LastRound", "who has each of the last programs", [
  I32EnumAttrCase<"Whole", 0, "whole">, I32EnumAttrCase<"Shared", 1, "shared">,
  I32EnumAttrCase<"Split", 2, "split">]>;

def Tile_ScheduleAttr : AttrDef<TileGpu_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "How the blocks and warps of a kernel share its work.";
  let description = [{
    On a `tile.func`, as `tile_gpu.schedule`: chosen by tile-plan-roles, a user or a search, and
    carried out by the passes behind it.

        #tile_gpu.schedule<programs = loop, group_rows = 16, cluster = 2, stages = 4, producers = 2,
                           stores = deferred, turns = 3, last_round = shared, warm_steps = 0>

    | key | says | without it |
    | --- | --- | --- |
    | `programs` | `grid`: a block for each program; `loop`: as many blocks as the device holds, each with several; `serpentine`: the same, every other round backwards; `one`: one each, numbered by clusters | `grid` |
    | `group_rows` | rows of a two-dimensional grid that are worked through together; 0: one row of it after the other | 16 |
    | `cluster` | blocks that share copies of boxes: 1, 2, 4 or 8 | 1 |
    | `columns` | columns of a group of rows that the programs of a cluster of 4 or 8 blocks have, half of the blocks each: 1 or 2 | 1, and is not printed |
    | `blocks` | blocks that a multiprocessor has room for at a time | 1, and is not printed |
    | `stages` | slots of a ring | must be there |
    | `waited` | slots of a ring whose dots are waited for in each step; 0: as many as of others | 0, and is not printed |
    | `producers` | warps that copy boxes; two take turns with programs | 1 |
    | `stores` | results leave `whole`, in `boxes`, in boxes `at_once`, or `deferred` under the next program's dots | `whole` |
    | `turns` | steps at the end of a loop that warp groups take in turn | 0 |
    | `last_round` | one block, two (`shared`), or so many (`split`) have each of the last programs: with `split` as many as `splits` says, a part each of its loop's steps | `whole` |
    | `warm_steps` | steps whose boxes the L2 cache is asked for as a block begins | 0 |
    | `parts` | blocks of a cluster that have a part each of the steps of a program's loop: 1 to 8 | 1 |
    | `splits` | clusters of `parts` blocks that have a part each of the steps of a program's loop, and add them up in memory: 1 to 32; with `last_round = split` of the last programs alone | 1, and is not printed |
    | `ahead` | slots for boxes that a program reads outside of its loops: with 2 the next program's are copied under this one's loops | 1, and is not printed |
  }];
  let parameters = (ins "::tile::Programs":$programs, "int64_t":$groupRows, "int64_t":$cluster,
                        "int64_t":$stages, "int64_t":$producers, "::tile::Stores":$stores,
                        "int64_t":$turns, "::tile::LastRound":$lastRound, "int64_t":$warmSteps,
                        "int64_t":$parts, "int64_t":$blocks, "int64_t":$ahead,
                        "int64_t":$splits, "int64_t":$waited, "int64_t":$columns);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif
