//===- Passes.td - every pass: name, summary, options ---------------------===//
//
// A pass is one entry here and one C function, `tileRunX` for `def TileX`:
// tile/Passes.h (generated) declares it with its options, and the glue that
// makes a registered MLIR pass of it is generated too (dialect/Glue/passes.jq).
//
//===----------------------------------------------------------------------===//
include "mlir/Pass/PassBase.td"

def ConvertTritonToTile : Pass<"convert-triton-to-tile", "::mlir::ModuleOp"> {
  let summary = "Turn kernels that Triton's front end printed into kernels of tile";
  let description = [{
    Every tt.func becomes a tile.func. The number of programs is the launch's to say: the kernel
    has no tile.grid. Other modules stay as they are.
  }];
  let dependentDialects = ["::tile::TileDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
  let options = [Option<"fpFusion", "fp-fusion", "bool", "true",
                        "let products and sums of floats fuse, as Triton's enable_fp_fusion does">];
}

def TileSetTarget : Pass<"tile-set-target", "::mlir::ModuleOp"> {
  let summary = "Say which chip a module is compiled for";
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
  let options = [Option<"arch", "arch", "std::string", "\"\"",
                        "chip, as sm_90a; none: the module's own tile.target, or sm_90a">];
}

def TileInstantiate : Pass<"tile-instantiate", "::mlir::ModuleOp"> {
  let summary = "Make a copy of a helper for each set of extents that it is called with";
  let description = [{
    A name of `#tile.dims` in a helper's signature stands for any extent: the
    types of a call say which. Afterwards callers and callees agree in every type,
    which is what `inline` asks for.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileSpecialize : Pass<"tile-specialize", "::mlir::ModuleOp"> {
  let summary = "Bind meta-parameters and the facts known at launch";
  let description = [{
    `facts` has what is known of the launch, as text (include/tile/Facts.h):
    `BM=64,0/16,3/256+,7=1,wave:2,programs:8,pack`. Names in types and `tile.meta` become numbers:
    from `facts` first, then from the kernel's `meta`. Arguments get
    `tile.divisibility` (0 is a multiple of 16) and `tile.positive` (3), or become
    the constant 1 (7); of one that is from 1 to 4096 (`4/8<4096`) loops from 0 up to it,
    by as much or more, become their one step, and others of 16 steps at most are told how many (`tile.most_steps`); of an argument that is the number of programs along x (`4/1x`), loops from a
    program's number up to it, in steps of that number, become their one step. `wave` becomes `tile_gpu.single_wave`: the device has a
    multiprocessor, or two, for each program of the launch; `programs` `tile_gpu.programs`, those
    that a multiprocessor has; `pack` becomes `tile_gpu.packs`:
    arrays may be copied in front of the kernel to where their rows are aligned. With `kernel`,
    the other kernels are left as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"facts", "facts", "std::string", "\"\"", "what is known of the launch, as BM=64,0/16,7=1">,
    Option<"kernel", "kernel", "std::string", "\"\"", "specialize this kernel alone">];
}

def TileCheckOps : Pass<"tile-check-ops", "::tile::FuncOp"> {
  let summary = "Refuse ops that neither kernels nor their helpers are made of";
  let description = [{
    Those of other dialects than tile, arith, math and scf: before MLIR's inliner makes them part
    of a kernel. Changes nothing.
  }];
}

def TileCheckKernel : Pass<"tile-check-kernel", "::tile::FuncOp"> {
  let summary = "Refuse what no lowering takes, in the same words for all of them";
  let description = [{
    Kernels whose arguments are not numbers and pointers, tiles whose extents are not known and
    positive, constants whose elements are elsewhere. Changes nothing.
  }];
}

def TileExpandOps : Pass<"tile-expand-ops", "::tile::FuncOp"> {
  let summary = "Rewrite swizzle2d, rand, ipowi, sincos and poison into what the lowerings know";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileVersionTails : Pass<"tile-version-tails", "::tile::FuncOp"> {
  let summary = "Two versions of what uses descriptors of loaded extents: rows of whole 16 bytes, and others";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileExpandDescriptors : Pass<"tile-expand-descriptors", "::tile::FuncOp"> {
  let summary = "Rewrite accesses of descriptors into masked accesses through pointers";
  let description = [{
    Where the target has roles (tile/Machine.h) boxes that dots in loops read stay as they are, for
    the copy engine.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"all", "all", "bool", "false", "also those that the copy engine could move">,
    Option<"numWarps", "num-warps", "int64_t", "0",
           "warps a program; 0: the kernel's own tile.num_warps, or 4">];
}

def TileChooseWarps : Pass<"tile-choose-warps", "::tile::FuncOp"> {
  let summary = "Give a program more warps where its loops hold more than registers do";
  let options = [
    Option<"numWarps", "num-warps", "int64_t", "0",
           "warps a program, which stay; 0: the kernel's own tile.num_warps, or 4">];
}

def TileRaiseDescriptors : Pass<"tile-raise-descriptors", "::tile::FuncOp"> {
  let summary = "Turn loads and stores whose addresses are affine into accesses of descriptors";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"numWarps", "num-warps", "int64_t", "0",
           "warps a program; 0: the kernel's own tile.num_warps, or 4">];
}

def ConvertTileHost : Pass<"convert-tile-host", "::mlir::ModuleOp"> {
  let summary = "Turn the tile ops of host programs into calls of the runtime";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
  let options = [
    ListOption<"bind", "bind", "std::string", "NAME=VALUE, over the kernels' own defaults">,
    Option<"configure", "configure", "bool", "false",
           "ask the runtime at each launch for the meta-parameters that `bind` leaves">];
}

def ConvertTileToCPU : Pass<"convert-tile-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Kernels become functions that do one program's work in loops over vectors";
  let description = [{
    Each kernel becomes a `func.func` of the executor's ABI (TileCpuKernel). Host
    functions are dropped: a host program is compiled apart (convert-tile-host).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", "0", "width of the vectors; 0: the host's">,
    Option<"byteDots", "byte-dots", "bool", "false",
           "multiply bytes by vpdpbusd; where vector-bits is 0, the host says that">,
    Option<"check", "check", "bool", "false", "test accesses, index arithmetic and asserts at run time">,
    Option<"trace", "trace", "bool", "false", "print the values of one program, op by op">];
}

def TilePadExtents : Pass<"tile-pad-extents", "::tile::FuncOp"> {
  let summary = "Make all extents powers of two, and what that adds invisible";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileLoadOnce : Pass<"tile-load-once", "::tile::FuncOp"> {
  let summary = "Load once what neighbours of a tile for a dot all read";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileChoosePacking : Pass<"tile-choose-packing", "::tile::FuncOp"> {
  let summary = "Leave arrays that few rows are multiplied with where they lie";
}

def TileTransposeDots : Pass<"tile-transpose-dots", "::tile::FuncOp"> {
  let summary = "Swap rows and columns of products where wgmma then computes less";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"numWarps", "num-warps", "int64_t", "0",
           "warps a program; 0: the kernel's own tile.num_warps, or 4">];
}

def TileLoopOverParts : Pass<"tile-loop-over-parts", "::tile::FuncOp"> {
  let summary = "Read in parts what registers do not hold, once for each reader";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let options = [
    Option<"numWarps", "num-warps", "int64_t", "0",
           "warps a program; 0: the kernel's own tile.num_warps, or 4">];
}

def TileExpandSlices : Pass<"tile-expand-slices", "::tile::FuncOp"> {
  let summary = "Rewrite slices of tiles into halves, and what is no half of a half into gathers";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileSplitOperands : Pass<"tile-split-operands", "::tile::FuncOp"> {
  let summary = "Compute products of tf32 beside what was bf16 as two of bf16";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def TileSplitPrecision : Pass<"tile-split-precision", "::tile::FuncOp"> {
  let summary = "Compute dots of precision tf32x3, bf16x3 and bf16x6 as several of tf32 or bf16";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let options = [Option<"bf16", "bf16", "bool", "false", "split those of bf16 alone">];
}

def TileInvertDivisors : Pass<"tile-invert-divisors", "::tile::FuncOp"> {
  let summary = "Multiply by the reciprocal of what divides many elements, where that is allowed";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def TileNarrowArithmetic : Pass<"tile-narrow-arithmetic", "::tile::FuncOp"> {
  let summary = "Compute in 16 bits what would be rounded to them, where that is the same";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileNarrowOffsets : Pass<"tile-narrow-offsets", "::tile::FuncOp"> {
  let summary = "Compute by rows and by columns what addresses of operands are multiplied by";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileFollowMasks : Pass<"tile-follow-masks", "::tile::FuncOp"> {
  let summary = "Choose no place for elements that a mask leaves out";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileCompareTruths : Pass<"tile-compare-truths", "::tile::FuncOp"> {
  let summary = "Compare truths as truths, not as numbers";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileExchangePairs : Pass<"tile-exchange-pairs", "::tile::FuncOp"> {
  let summary = "Give each of a pair the other by one exchange, where two sums take them apart";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileChoosePointers : Pass<"tile-choose-pointers", "::tile::FuncOp"> {
  let summary = "Load what is selected of several loads once, through a selected pointer";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileScaleMaxima : Pass<"tile-scale-maxima", "::tile::FuncOp"> {
  let summary = "Scale the greatest element in place of all, where what is reduced is scaled";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileExpandGelu : Pass<"tile-expand-gelu", "::tile::FuncOp"> {
  let summary = "Compute GELU by erf from the complement of erf, in fewer instructions";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def TileUpliftLoops : Pass<"tile-uplift-loops", "::tile::FuncOp"> {
  let summary = "Make a loop over a range of one that counts until a bound";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileStepBranches : Pass<"tile-step-branches", "::tile::FuncOp"> {
  let summary = "Make loops of one step at most of branches around loops of dots";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileNestLoops : Pass<"tile-nest-loops", "::tile::FuncOp"> {
  let summary = "Make a loop over tiles and a loop over their steps of one over all steps";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileSelectNumbers : Pass<"tile-select-numbers", "::tile::FuncOp"> {
  let summary = "Compute what both branches say of numbers, and choose";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileLoadInStep : Pass<"tile-load-in-step", "::tile::FuncOp"> {
  let summary = "Load what loops of dots carry from the step before in the step that wants it";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileCountOffsets : Pass<"tile-count-offsets", "::tile::FuncOp"> {
  let summary = "Compute offsets that a loop carries from its counter, or a scalar that it carries";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileOrderAccesses : Pass<"tile-order-accesses", "::tile::FuncOp"> {
  let summary = "Keep the order of accesses by the same pointers";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileSignLoops : Pass<"tile-sign-loops", "::tile::FuncOp"> {
  let summary = "Make loops that count numbers without a sign count numbers with one";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileInlineSteps : Pass<"tile-inline-steps", "::tile::FuncOp"> {
  let summary = "Put the body of a loop of one step in its place";
}

def TileFlattenLoops : Pass<"tile-flatten-loops", "::tile::FuncOp"> {
  let summary = "Make one loop of a loop over a few taps around one of dots";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileUnrollLoops : Pass<"tile-unroll-loops", "::tile::FuncOp"> {
  let summary = "Put the body of a loop of a few short steps in its place, once a step";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"numWarps", "num-warps", "int64_t", "0",
           "warps a program; 0: the kernel's own tile.num_warps, or 4">];
}

def TileCarryTruths : Pass<"tile-carry-truths", "::tile::FuncOp"> {
  let summary = "Carry truths around a loop as numbers where they are more than predicates";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"numWarps", "num-warps", "int64_t", "0",
           "warps a program; 0: the kernel's own tile.num_warps, or 4">];
}

def TileJoinAccesses : Pass<"tile-join-accesses", "::tile::FuncOp"> {
  let summary = "Access together what two tiles have side by side in memory";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileHeavyFirst : Pass<"tile-heavy-first", "::tile::FuncOp"> {
  let summary = "Number programs so that those with the longest loops begin first";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileAccelerateDot : Pass<"tile-accelerate-dot", "::tile::FuncOp"> {
  let summary = "Choose the instruction of each dot: wgmma, mma.sync or FMA";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"numWarps", "num-warps", "int64_t", "0",
           "warps a program; 0: the kernel's own tile.num_warps, or 4">];
}

def TileAddLoaded : Pass<"tile-add-loaded", "::tile::FuncOp"> {
  let summary = "Let dots that add to memory begin at zero, and add what was there behind them";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileAssignLayouts : Pass<"tile-assign-layouts", "::tile::FuncOp"> {
  let summary = "Give every tile a distribution over registers, lanes and warps";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [Option<"numWarps", "num-warps", "int64_t", "0",
                        "warps a program; 0: the kernel's own tile.num_warps, or 4">];
}

def TilePipeline : Pass<"tile-pipeline", "::tile::FuncOp"> {
  let summary = "Run the loads of loops ahead, for dots and for what streams, in rings of shared buffers";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect"];
  let options = [
    Option<"numStages", "num-stages", "int64_t", "0",
           "iterations in flight; 1: none; 0: the kernel's own tile.num_stages, or by shared memory">];
}

def TileSinkTiles : Pass<"tile-sink-tiles", "::tile::FuncOp"> {
  let summary = "Compute large tiles that are wanted behind a loop of dots there, again";
  let description = [{
    Pointers, offsets and masks of a store that threads do take as many registers as the result;
    in front of the loop, where loop-invariant-code-motion puts them, they would be alive over it.
  }];
}

def TileStoreOnce : Pass<"tile-store-once", "::tile::FuncOp"> {
  let summary = "Store what several dots read once, beside boxes";
}

def TileStageOperands : Pass<"tile-stage-operands", "::tile::FuncOp"> {
  let summary = "Store each operand of dots into shared memory once, and as soon as it is loaded";
}

def TilePrefetchOperands : Pass<"tile-prefetch-operands", "::tile::FuncOp"> {
  let summary = "Read parts of a dot's operands from shared memory while others are multiplied";
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect"];
}

def TileFoldMasks : Pass<"tile-fold-masks", "::tile::FuncOp"> {
  let summary = "Replace comparisons of tiles that always hold by true";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileNarrowDepth : Pass<"tile-narrow-depth", "::tile::FuncOp"> {
  let summary = "Load no part of dots' operands that masks leave out for all of K behind it";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def TileNarrowDots : Pass<"tile-narrow-dots", "::tile::FuncOp"> {
  let summary = "Multiply no zeros that operands of dots end in, and no columns that nobody looks at";
}

def TileSplitMasks : Pass<"tile-split-masks", "::tile::FuncOp"> {
  let summary = "Give the steps in which no mask hides anything a loop of their own";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileDeferReductions : Pass<"tile-defer-reductions", "::tile::FuncOp"> {
  let summary = "Carry what a loop reduces a part for each thread, and let threads meet behind it";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileSelectChoices : Pass<"tile-select-choices", "::tile::FuncOp"> {
  let summary = "Compute both of two short branches that yield tiles, and choose";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileNarrowCarried : Pass<"tile-narrow-carried", "::tile::FuncOp"> {
  let summary = "Carry sums of what a thread has, not all elements of tiles that are reduced behind a loop";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let options = [Option<"whole", "whole", "bool", "false", "one thread has each program, as on a processor">];
}

def TileLocalizeRows : Pass<"tile-localize-rows", "::tile::FuncOp"> {
  let summary = "Let each warp load all of a row that it wants, and hand it on among its lanes";
}

def TileStageGathers : Pass<"tile-stage-gathers", "::tile::FuncOp"> {
  let summary = "Store what a loop gathers from into shared memory once, in front of the loop";
}

def TileRelaxSums : Pass<"tile-relax-sums", "::tile::FuncOp"> {
  let summary = "Let atomic sums wait for nothing, where a kernel writes nothing else";
}

def TileLiftLoads : Pass<"tile-lift-loads", "::tile::FuncOp"> {
  let summary = "Load what a branch of a step multiplies in front of it";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileHoistSteadyLoads : Pass<"tile-hoist-steady-loads", "::tile::FuncOp"> {
  let summary = "Load what all steps of a loop load alike in front of it";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileTurnLoops : Pass<"tile-turn-loops", "::tile::FuncOp"> {
  let summary = "Read again from its end what an earlier loop has read";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [Option<"sums", "sums", "bool", "true",
                        "also loops that carry sums of floats, whose order that changes">];
}

def TileHoistLoads : Pass<"tile-hoist-loads", "::tile::FuncOp"> {
  let summary = "Start small loads behind a loop of dots in front of it";
}

def TileNarrowBoxes : Pass<"tile-narrow-boxes", "::tile::FuncOp"> {
  let summary = "Copy no columns of padding for tensor cores";
}

def TilePlanRoles : Pass<"tile-plan-roles", "::tile::FuncOp"> {
  let summary = "Choose how blocks and warps share a kernel's work: its schedule, and nothing else";
  let options = [
    Option<"numStages", "num-stages", "int64_t", "0",
           "slots of a ring; 0: the kernel's own tile.num_stages, or by shared memory">];
}

def TileOrderPrograms : Pass<"tile-order-programs", "::tile::FuncOp"> {
  let summary = "Begin the longest programs of many rows of the grid before the shorter ones of any";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileWarmCache : Pass<"tile-warm-cache", "::tile::FuncOp"> {
  let summary = "Ask the L2 cache for the boxes of the first steps as a block begins";
}

def TileLeaveEarly : Pass<"tile-leave-early", "::tile::FuncOp"> {
  let summary = "Have programs that return early do so before their block makes anything ready";
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def TileMakePersistent : Pass<"tile-make-persistent", "::tile::FuncOp"> {
  let summary = "Let each block work through several programs";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileSplitSums : Pass<"tile-split-sums", "::tile::FuncOp"> {
  let summary = "Give blocks, or teams of a block, a part each of a program's loop, and add what they have";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileShareLastRound : Pass<"tile-share-last-round", "::tile::FuncOp"> {
  let summary = "Let two blocks work on each program of the last round, a warp group of either";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileSplitLastRound : Pass<"tile-split-last-round", "::tile::FuncOp"> {
  let summary = "Give the last programs to all blocks, a part of the loop's steps to each";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileShareCopies : Pass<"tile-share-copies", "::tile::FuncOp"> {
  let summary = "Let blocks of a cluster that want the same box copy a part of it each";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def TileWarpSpecialize : Pass<"tile-warp-specialize", "::tile::FuncOp"> {
  let summary = "Give copies to a warp group of their own, which fills rings of boxes";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::scf::SCFDialect"];
}

def TileDeferStores : Pass<"tile-defer-stores", "::tile::FuncOp"> {
  let summary = "Store a program's results under the next one's dots";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileTakeTurns : Pass<"tile-take-turns", "::tile::FuncOp"> {
  let summary = "Let warp groups take the last steps of a loop of dots in turn";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileStageStores : Pass<"tile-stage-stores", "::tile::FuncOp"> {
  let summary = "Store results box by box, each warp group its own rows, and no padding";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileJoinSums : Pass<"tile-join-sums", "::tile::FuncOp"> {
  let summary = "Let one block, or one team of it, do what follows from a sum of their parts";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileOverlapDots : Pass<"tile-overlap-dots", "::tile::FuncOp"> {
  let summary = "Run what lies between dots of a loop while one of them is on the tensor cores";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect"];
}

def TileLoadAhead : Pass<"tile-load-ahead", "::tile::FuncOp"> {
  let summary = "Start small loads beside dots of a loop, and operands that threads load, a step ahead";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileIssueLoads : Pass<"tile-issue-loads", "::tile::FuncOp"> {
  let summary = "Have many loads on their way before one of them is waited for";
}

def TileHideSteps : Pass<"tile-hide-steps", "::tile::FuncOp"> {
  let summary = "Keep the assembler from counting the many short steps of a loop, which it then unrolls in part";
}

def TileChainDots : Pass<"tile-chain-dots", "::tile::FuncOp"> {
  let summary = "Wait once for dots of which each adds to the one before";
}

def TileAddParts : Pass<"tile-add-parts", "::tile::FuncOp"> {
  let summary = "Multiply a part of the registers at a time where products are added to a sum";
}

def TileWidenLate : Pass<"tile-widen-late", "::tile::FuncOp"> {
  let summary = "Widen tiles behind the reductions that they are not wanted in front of";
}

def TileAllocateShared : Pass<"tile-allocate-shared", "::tile::FuncOp"> {
  let summary = "Place shared memory and insert the fewest barriers";
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def TileLowerFlow : Pass<"tile-lower-flow", "::mlir::ModuleOp"> {
  let summary = "Turn loops and conditions into branches, the last ones of a block first";
  let description = [{
    By the patterns of convert-scf-to-cf, in another order: each op cuts its block in two, and moves
    what is behind it, which is little where that has been cut before.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

def ConvertTileToGPU : Pass<"convert-tile-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to one thread's program in gpu, nvvm, vector and arith";
  let description = [{
    Each kernel becomes an `llvm.func` of `gpu.module @kernels`. Host functions of
    the module are dropped: a host program is compiled apart (convert-tile-host).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def TilePrintAxisInfo : Pass<"tile-print-axis-info", "::tile::FuncOp"> {
  let summary = "Say in remarks what axis analysis knows of each value";
}
