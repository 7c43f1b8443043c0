//===- TileGpuOps.td - what the compiler makes ----------------------------===//
//
// Layouts and shared memory (tile-assign-layouts, tile-pipeline). For Hopper: boxes that
// the copy engine (TMA) moves, barriers in shared memory (mbarriers) that say when they
// have arrived, and a kernel split into a producer and consumers: tile-assign-layouts
// makes desc_copy and desc_write, tile-warp-specialize the rest.
//
// A ring of mbarriers is a `!tile_gpu.buffer<1xi64, stages = 4>`. Its phase flips each time
// as many threads as it counts have arrived and all bytes that it expects are there;
// waiting for parity p waits until the phase with that parity is over. So whoever waits
// keeps the parity it waits for, and flips it when the ring wraps.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_GPU_OPS_TD
#define TILE_GPU_OPS_TD

include "TileKinds.td"

//===- layouts, shared memory, persistence --------------------------------===//

def Tile_GridExtentOp : Tile_GridIndexOp<"grid_extent", TileGpu_Dialect> {
  let summary = "The number of programs along x, y or z that a persistent kernel's blocks share.";
  let description = [{
    Only in a kernel with the attribute `tile_gpu.persistent`: it runs as a grid of
    as many blocks as the device holds at a time, or fewer, and each block works
    through several programs. `tile.program_id x` is then the block's number,
    `tile.num_programs x` the number of blocks, and `tile_gpu.grid_extent` what the
    launch asked for.
  }];
}

def Tile_ConvertLayoutOp : Tile_ShapeOp<"convert_layout", [Tile_MovesElements], TileGpu_Dialect> {
  let summary = "The same tile, distributed otherwise over registers, lanes and warps.";
  let arguments = (ins Tile_Tile:$source, OptionalAttr<I32Attr>:$offset);
}

def Tile_AllocSharedOp : TileGpu_Op<"alloc_shared"> {
  let summary = "A block of shared memory; tile-allocate-shared gives it its byte offset.";
  let description = [{
    What is `guarded` is ordered by barriers of its own, as is a ring of several stages.
  }];
  let arguments = (ins OptionalAttr<I32Attr>:$offset, UnitAttr:$guarded);
  let results = (outs Res<Tile_BufferType, "", [MemAlloc<Tile_Shared>]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Tile_BufferStageOp : TileGpu_Op<"buffer_stage", [Pure, Tile_IsView]> {
  let summary = "One block of a ring of shared buffers.";
  let arguments = (ins Tile_BufferType:$ring, I32:$stage);
  let results = (outs Tile_BufferType:$result);
  let assemblyFormat = [{
    $ring `[` $stage `]` attr-dict `:` qualified(type($ring)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_BufferTransOp : TileGpu_Op<"buffer_trans", [Pure]> {
  let summary = "The same bytes with the dimensions in another order, as tile.trans has it.";
  let description = [{
    `%t = tile_gpu.buffer_trans %b order [1, 0] : !tile_gpu.buffer<64x32xf16, order = [0, 1]> ->
    !tile_gpu.buffer<32x64xf16>`: dimension i of the result is dimension order[i] of the source, and
    what was fastest in memory still is.
  }];
  let arguments = (ins Tile_BufferType:$buffer, DenseI32ArrayAttr:$order);
  let results = (outs Tile_BufferType:$result);
  let assemblyFormat = [{
    $buffer `order` $order attr-dict `:` qualified(type($buffer)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_BufferStoreOp : TileGpu_Op<"buffer_store", [MemoryEffects<[MemWrite<Tile_Shared>]>]> {
  let summary = "Writes a tile into a shared buffer.";
  let arguments = (ins Tile_Numbers:$value, Tile_BufferType:$buffer);
  let assemblyFormat =
      "$value `,` $buffer attr-dict `:` type($value) `->` qualified(type($buffer))";
  let hasVerifier = 1;
}

def Tile_BufferLoadOp : TileGpu_Op<"buffer_load", [MemoryEffects<[MemRead<Tile_Shared>]>]> {
  let summary = "Reads a tile from a shared buffer, or `at` a position the part that begins there.";
  let description = [{
    `%s = tile_gpu.buffer_load %b at [0, 16] : !tile_gpu.buffer<64x32xf16> -> tensor<64x16xf16>`. A part's
    extents divide the buffer's, and its position is a multiple of them.
  }];
  let arguments = (ins Tile_BufferType:$buffer, OptionalAttr<DenseI32ArrayAttr>:$at);
  let results = (outs Tile_Numbers:$result);
  let assemblyFormat =
      "$buffer (`at` $at^)? attr-dict `:` qualified(type($buffer)) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_BufferGatherOp : TileGpu_Op<"buffer_gather", [MemoryEffects<[MemRead<Tile_Shared>]>]> {
  let summary = "Picks along an axis of a shared buffer, as tile.gather does of a tile.";
  let description = [{
    `%r = tile_gpu.buffer_gather %b, %i axis 0 : !tile_gpu.buffer<16x64xf32>, tensor<1x64xi32> ->
    tensor<1x64xf32>`: of a buffer without a swizzle.
  }];
  let arguments = (ins Tile_BufferType:$buffer, Tile_TileOf<[I32, I64]>:$indices, I32Attr:$axis);
  let results = (outs Tile_Numbers:$result);
  let assemblyFormat = [{
    $buffer `,` $indices `axis` $axis attr-dict `:` qualified(type($buffer)) `,` type($indices)
    `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_AsyncCopyOp : TileGpu_Op<"async_copy", [Tile_IsAccess,
    MemoryEffects<[MemRead<Tile_Global>, MemWrite<Tile_Shared>]>,
                                              MaskOf<"ptr", "mask">]> {
  let summary = "Starts copying what pointers point at into a shared buffer; masked-out lanes give 0.";
  let arguments = (ins Tile_Pointers:$ptr, Optional<Tile_Mask>:$mask, Tile_BufferType:$buffer);
  let assemblyFormat = [{
    $ptr (`,` $mask^)? `into` $buffer attr-dict `:` type($ptr) `->` qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

def Tile_AsyncCommitOp : TileGpu_Op<"async_commit", [Tile_Ordering]> {
  let summary = "Closes a group of asynchronous copies.";
  let assemblyFormat = "attr-dict";
}

def Tile_AsyncWaitOp : TileGpu_Op<"async_wait", [Tile_Ordering]> {
  let summary = "Waits until at most `pending` groups of asynchronous copies are unfinished.";
  let arguments = (ins ConfinedAttr<I32Attr, [IntNonNegative]>:$pending);
  let assemblyFormat = "$pending attr-dict";
}

//===- boxes --------------------------------------------------------------===//

class Tile_BoxOp<string mnemonic, list<Trait> effects> : TileGpu_Op<mnemonic, effects> {
  let hasVerifier = 1;
}

def Tile_DescCopyOp : Tile_BoxOp<"desc_copy",
    [MemoryEffects<[MemRead<Tile_Global>, MemWrite<Tile_Shared>]>]> {
  let summary = "Copies the box at a position into a shared buffer, and waits for it.";
  let description = [{
    The buffer has the box's extents, its fastest dimension being the box's last:
    a 64x128 box may fill a `!tile_gpu.buffer<128x64xf16, order = [0, 1]>`. Extents of 1 do not count.
  }];
  let arguments = (ins Tile_DescType:$desc, Variadic<I32>:$indices, Tile_BufferType:$buffer);
  let assemblyFormat = [{
    $desc `[` $indices `]` `into` $buffer attr-dict `:` qualified(type($desc)) `->`
    qualified(type($buffer))
  }];
}

def Tile_DescMulticastOp : Tile_BoxOp<"desc_multicast",
    [AttrSizedOperandSegments, MemoryEffects<[MemRead<Tile_Global>, MemWrite<Tile_Shared>]>]> {
  let summary = "Copies the box at a position into a buffer of several blocks of a cluster, and waits for it.";
  let description = [{
    What several blocks want at once is copied in parts, as `tile_gpu.tma_multicast` says, which
    tile-warp-specialize makes of it. Blocks without roles have no way to do it.
  }];
  let arguments = (ins Tile_DescType:$desc, Variadic<I32>:$indices, Tile_BufferType:$buffer,
                       I32:$part, I32:$splits, I32:$blocks, Variadic<Tile_DescType>:$cuts);
  let assemblyFormat = [{
    $desc `[` $indices `]` (`cuts` $cuts^)? `into` $buffer `part` $part `splits` $splits `to` $blocks
    attr-dict `:` qualified(type($desc)) (`,` qualified(type($cuts))^)? `->`
    qualified(type($buffer))
  }];
}

def Tile_DescWriteOp : Tile_BoxOp<"desc_write",
    [MemoryEffects<[MemRead<Tile_Shared>, MemWrite<Tile_Global>]>]> {
  let summary = "Copies a shared buffer out to the box at a position; bounds cut it.";
  let description = [{
    The buffer may be used again when it is done. What lies beyond `extents` stays inside;
    tile-stage-stores cuts such a box into some that end there. With `add`, of f32, it is added to
    what is there, each element as by a relaxed tile.atomic_rmw.
  }];
  let arguments = (ins Tile_DescType:$desc, Variadic<I32>:$indices, Tile_BufferType:$buffer,
                       OptionalAttr<DenseI64ArrayAttr>:$extents, UnitAttr:$add);
  let assemblyFormat = [{
    $desc `[` $indices `]` `from` $buffer attr-dict `:` qualified(type($desc)) `,`
    qualified(type($buffer))
  }];
}

def Tile_TmaLoadOp : Tile_BoxOp<"tma_load",
    [MemoryEffects<[MemRead<Tile_Global>, MemWrite<Tile_Shared>]>]> {
  let summary = "Starts copying a box into a shared buffer; its bytes arrive at a barrier.";
  let arguments = (ins Tile_DescType:$desc, Variadic<I32>:$indices, Tile_BufferType:$buffer,
                       Tile_BufferType:$barrier);
  let assemblyFormat = [{
    $desc `[` $indices `]` `into` $buffer `signal` $barrier attr-dict `:` qualified(type($desc))
    `->` qualified(type($buffer)) `,` qualified(type($barrier))
  }];
}

def Tile_TmaMulticastOp : Tile_BoxOp<"tma_multicast",
    [AttrSizedOperandSegments, MemoryEffects<[MemRead<Tile_Global>, MemWrite<Tile_Shared>]>]> {
  let summary = "Starts copying a part of a box into a buffer of several blocks of a cluster.";
  let description = [{
    ```mlir
    tile_gpu.tma_multicast %a[%i, %k] cuts %a2, %a4 into %slot signal %full part %p splits %s
      to %blocks : !tile.desc<128x64xf16>, !tile.desc<64x64xf16>, !tile.desc<32x64xf16> -> ...
    ```
    The box is halved `splits` times, and this block starts part number `part`; none where there
    are not so many. It arrives in this buffer, and at this barrier, of each block whose bit of
    `blocks` is set. A box that is several copies is first halved between copies; for each further
    time there is a descriptor in `cuts`, of boxes with half of the rows of the one before.
  }];
  let arguments = (ins Tile_DescType:$desc, Variadic<I32>:$indices, Tile_BufferType:$buffer,
                       Tile_BufferType:$barrier, I32:$part, I32:$splits, I32:$blocks,
                       Variadic<Tile_DescType>:$cuts);
  let assemblyFormat = [{
    $desc `[` $indices `]` (`cuts` $cuts^)? `into` $buffer `signal` $barrier `part` $part `splits`
    $splits `to` $blocks attr-dict `:` qualified(type($desc)) (`,` qualified(type($cuts))^)? `->`
    qualified(type($buffer)) `,` qualified(type($barrier))
  }];
}

def Tile_TmaStoreOp : Tile_BoxOp<"tma_store",
    [MemoryEffects<[MemRead<Tile_Shared>, MemWrite<Tile_Global>]>]> {
  let summary = "Starts copying a shared buffer out, as a group of boxes; bounds cut them.";
  let description = [{
    The buffer is a column of whole boxes, which the warp groups share out evenly from the
    first on. One thread of each starts its own. In the array they are such a column, too; or, where
    `across` is given, they lie beside each other, each as many elements after the one before along
    the last dimension. With `add`, of f32, they are added to what is there.
  }];
  let arguments = (ins Tile_DescType:$desc, Variadic<I32>:$indices, Tile_BufferType:$buffer,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$across, UnitAttr:$add);
  let assemblyFormat = [{
    $desc `[` $indices `]` `from` $buffer (`across` $across^)? attr-dict `:`
    qualified(type($desc)) `,` qualified(type($buffer))
  }];
}

def Tile_PinOp : TileGpu_Op<"pin", [SameOperandsAndResultType,
                                     MemoryEffects<[MemWrite<Tile_Control>]>]> {
  let summary = "The same number, which is computed here and not where it is wanted.";
  let description = [{
    What only one thread wants behind a loop, as the position of a store, LLVM would compute there:
    divisions of 400 cycles while nothing else is left to do. In front of the loop they take place
    while the first boxes are on their way. And what follows from it is not computed in front of it.
  }];
  let arguments = (ins AnyTypeOf<[I32, I64]>:$value);
  let results = (outs AnyTypeOf<[I32, I64]>:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Tile_TmaStoreWaitOp : TileGpu_Op<"tma_store_wait", [Tile_Ordering]> {
  let summary = "Waits until at most `pending` of this thread's stores still read their buffers.";
  let arguments = (ins ConfinedAttr<I32Attr, [IntNonNegative]>:$pending);
  let assemblyFormat = "$pending attr-dict";
}

def Tile_PrefetchArrayOp : Tile_BoxOp<"prefetch_array",
    [MemoryEffects<[MemRead<Tile_Global>, MemWrite<Tile_Control>]>]> {
  let summary = "Asks the L2 cache for where an array begins, each thread of the grid for a line.";
  let description = [{
    `tile_gpu.prefetch_array %a first 256 of 1 : !tile.desc<128x64xf16>`: the first 256 elements along
    dimension 1 of all that %a, a tile.make_desc of rank 2, describes: 256 columns. A thread asks for
    128 bytes of them; what the grid has no threads for nobody asks for.

    Where `parts` blocks, which follow each other along x, divide the dimension's steps of `step`
    elements, the first elements of each one's part are asked for by those that have it.
  }];
  let arguments = (ins Tile_DescType:$desc, ConfinedAttr<I64Attr, [IntPositive]>:$count,
                       ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<1>]>:$dim,
                       DefaultValuedAttr<ConfinedAttr<I32Attr, [IntPositive]>, "1">:$parts,
                       DefaultValuedAttr<ConfinedAttr<I32Attr, [IntPositive]>, "1">:$step);
  let assemblyFormat = "$desc `first` $count `of` $dim attr-dict `:` qualified(type($desc))";
}

//===- barriers -----------------------------------------------------------===//

class Tile_BarrierOp<string mnemonic> : TileGpu_Op<mnemonic, [Tile_Ordering]> {
  let arguments = (ins Tile_BufferType:$barrier);
  let assemblyFormat = "$barrier attr-dict `:` qualified(type($barrier))";
  let hasVerifier = 1;
}

def Tile_BarrierInitOp : Tile_BarrierOp<"barrier_init"> {
  let summary = "Makes a ring of barriers; each counts `count` arrivals a phase.";
  let arguments = (ins Tile_BufferType:$barrier, ConfinedAttr<I32Attr, [IntPositive]>:$count);
  let assemblyFormat = "$barrier `count` $count attr-dict `:` qualified(type($barrier))";
}

def Tile_BarrierExpectOp : Tile_BarrierOp<"barrier_expect"> {
  let summary = "Arrives, and says how many bytes of copies this phase waits for.";
  let arguments = (ins Tile_BufferType:$barrier, ConfinedAttr<I32Attr, [IntPositive]>:$bytes);
  let assemblyFormat = "$barrier `bytes` $bytes attr-dict `:` qualified(type($barrier))";
}

def Tile_BarrierArriveOp : Tile_BarrierOp<"barrier_arrive"> {
  let summary = "One thread of each warp group arrives; with `cluster`, in every block of the cluster.";
  let arguments = (ins Tile_BufferType:$barrier, UnitAttr:$cluster);
}

def Tile_BarrierWaitOp : Tile_BarrierOp<"barrier_wait"> {
  let summary = "Waits until the phase of a parity (0 or 1) is over.";
  let arguments = (ins Tile_BufferType:$barrier, I32:$parity);
  let assemblyFormat = "$barrier `parity` $parity attr-dict `:` qualified(type($barrier))";
}

def Tile_GroupBarrierOp : TileGpu_Op<"group_barrier", [Tile_Ordering]> {
  let summary = "Waits for the threads of this warp group; the copy engine sees what they wrote.";
  let assemblyFormat = "attr-dict";
}

//===- clusters -----------------------------------------------------------===//

def Tile_ClusterRankOp : TileGpu_Op<"cluster_rank", [Pure, Tile_ReadsPlace]> {
  let summary = "This block's number in its cluster: 0 to tile_gpu.cluster - 1.";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_ClusterLaneOp : TileGpu_Op<"cluster_lane", [Pure, Tile_ReadsPlace]> {
  let summary = "The block of the cluster that this thread of the producer's warp stands for.";
  let description = [{ Its number in the warp, modulo tile_gpu.cluster. }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_ClusterVoteOp : TileGpu_Op<"cluster_vote", [Pure, Tile_ReadsPlace]> {
  let summary = "A bit for each block of the cluster: what holds in the thread that stands for it.";
  let arguments = (ins I1:$condition);
  let results = (outs I32:$result);
  let assemblyFormat = "$condition attr-dict";
}

def Tile_ClusterArriveOp : TileGpu_Op<"cluster_arrive", [Tile_Ordering]> {
  let summary = "Arrives at the barrier of all threads of the cluster.";
  let description = [{
    Behind the barrier_inits. Each thread that arrives waits (cluster_wait).
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_ClusterWaitOp : TileGpu_Op<"cluster_wait", [Tile_Ordering]> {
  let summary = "Waits until all threads of the cluster have arrived.";
  let description = [{
    Before this block may arrive at another's barriers, or copy into its buffers.
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_AddPartsOp : TileGpu_Op<"add_parts", [SameOperandsAndResultType, Tile_Ordering]> {
  let summary = "Adds the tiles that the blocks of a cluster hold, in the order of the blocks.";
  let description = [{
    Block 0 has the sum, for which it is the same number at every launch; what the others have is no
    value. What stands behind it is for block 0 alone (tile-join-sums). Every block and every
    thread that holds tiles takes part. Blocks read each other's scratch in shared memory, which
    lies where the rings of boxes were: these are read to their end by now.

    With `shares = array<i64: 0, 16, 32>, period = 32` block 0 has the sum in its threads' registers
    0 to 15, 32 to 47 and so on, block 1 in the others: what else their registers hold is no value,
    and what stands behind it is for all blocks, each for its share. Registers of a period behind
    the last share are padding.

    With `{tile_gpu.teams}`, an attribute of its own, it adds what the teams of this block hold, in
    the order of the teams, and team 0 has the sum. The others write theirs to the scratch of their
    own shared memory, where their rings were. A sum of the blocks may follow.
  }];
  let arguments = (ins Tile_TileOf<[F32, F64, I32]>:$source, OptionalAttr<DenseI64ArrayAttr>:$shares,
                       OptionalAttr<I64Attr>:$period, OptionalAttr<I32Attr>:$offset);
  let results = (outs Tile_TileOf<[F32, F64, I32]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def Tile_PartOp : TileGpu_Op<"part", [Pure, Tile_ReadsPlace]> {
  let summary = "This block's number among those that divide its program's loop.";
  let description = [{
    A program's blocks follow each other along x: tile_gpu.splits clusters of tile_gpu.cluster.
    Where each has several teams (`tile_gpu.teams`), it is the team's number among all of them.
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_CollectPartsOp : TileGpu_Op<"collect_parts", [Tile_Ordering]> {
  let summary = "Adds the tiles that the clusters of a split program hold, in their order.";
  let description = [{
    Each block writes its tiles to memory that the launch keeps for it, and takes a number; the last
    one reads what all wrote. So none waits for another one, whichever run at a time. `last` says
    whether this block has the sums, which are the same numbers at every launch; what the others
    have is no value. What stands behind it is for the last block alone (tile-join-sums). Every
    thread that holds tiles takes part.

    The blocks of the same rank in all clusters meet, each rank by itself. With `shares` and
    `period` each rank has a share, as in tile_gpu.add_parts, whose result the source is.
  }];
  let arguments = (ins Variadic<Tile_TileOf<[F32, F64, I32]>>:$sources,
                       OptionalAttr<DenseI64ArrayAttr>:$shares, OptionalAttr<I64Attr>:$period,
                       OptionalAttr<I32Attr>:$offset);
  let results = (outs Variadic<Tile_TileOf<[F32, F64, I32]>>:$results, I1:$last);
  let assemblyFormat = "$sources attr-dict `:` type($sources) `->` type($results)";
  let hasVerifier = 1;
}

def Tile_CollectTurnsOp : TileGpu_Op<"collect_turns", [Tile_Ordering]> {
  let summary = "Adds the tiles of the turns that have a part each of a program's loop.";
  let description = [{
    Of a loop over programs whose last ones are split (tile-split-last-round). Where `when` is false
    the turn has a whole program, and its tiles are the sums. Else it has part number `part` of the
    `parts` of the split program number `program`, counted from the first of them: it writes its
    tiles to memory that the launch keeps for it, and takes a number; the last turn reads what all
    wrote, in the order of the parts. So none waits for another one. `last` says whether this turn
    has the sums, which are the same numbers at every launch; what the others have is no value.
    Every thread that holds tiles takes part. `together` says whether all such turns are of one
    round, in which blocks may wait for one another (tile_gpu.share_turns).
  }];
  let arguments = (ins Variadic<Tile_TileOf<[F32, F64, I32]>>:$sources, I32:$part, I32:$program,
                       I1:$when, I1:$together, I64Attr:$parts, OptionalAttr<I32Attr>:$offset);
  let results = (outs Variadic<Tile_TileOf<[F32, F64, I32]>>:$results, I1:$last);
  let assemblyFormat =
      "$sources `part` $part `of` $program `when` $when `together` $together attr-dict `:` "
      "type($sources) `->` type($results)";
  let hasVerifier = 1;
}

def Tile_ShareTurnsOp : TileGpu_Op<"share_turns", [Tile_Ordering]> {
  let summary = "Adds the tiles of turns that have a part each of a program, a share in each turn.";
  let description = [{
    As tile_gpu.collect_turns; but each turn that has a part waits a while for the others, where all
    run `together`, and then has the share of the sums whose number is its part's, as in
    tile_gpu.share_parts. `goes` says whether this turn has anything, `all` whether it has all, as
    one of a whole program has.
  }];
  let arguments = (ins Variadic<Tile_TileOf<[F32, F64, I32]>>:$sources, I32:$part, I32:$program,
                       I1:$when, I1:$together, DenseI64ArrayAttr:$shares, I64Attr:$period,
                       OptionalAttr<I32Attr>:$offset);
  let results = (outs Variadic<Tile_TileOf<[F32, F64, I32]>>:$results, I1:$goes, I1:$all);
  let assemblyFormat =
      "$sources `part` $part `of` $program `when` $when `together` $together attr-dict `:` "
      "type($sources) `->` type($results)";
  let hasVerifier = 1;
}

def Tile_SharePartsOp : TileGpu_Op<"share_parts", [Tile_Ordering]> {
  let summary = "Adds the tiles that the blocks of a split program hold, a share in each of them.";
  let description = [{
    As tile_gpu.collect_parts, of programs that are split among blocks of no cluster; but each block
    waits a while for the others, and then has a share of the sums, as in tile_gpu.add_parts. Where
    one gave up waiting, as blocks that do not run at a time have to, the last one has all. `goes`
    says whether this block has anything, `all` whether it has all. What stands behind it is for
    those that go on (tile-join-sums), and the numbers are the same at every launch, whoever has
    them.
  }];
  let arguments = (ins Variadic<Tile_TileOf<[F32, F64, I32]>>:$sources, DenseI64ArrayAttr:$shares,
                       I64Attr:$period, OptionalAttr<I32Attr>:$offset);
  let results = (outs Variadic<Tile_TileOf<[F32, F64, I32]>>:$results, I1:$goes, I1:$all);
  let assemblyFormat = "$sources attr-dict `:` type($sources) `->` type($results)";
  let hasVerifier = 1;
}

def Tile_WarpGroupOp : TileGpu_Op<"warp_group", [Pure, Tile_ReadsPlace]> {
  let summary = "This warp group's number among the consumers.";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_TurnWaitOp : TileGpu_Op<"turn_wait", [Tile_Ordering]> {
  let summary = "Waits for this warp group's turn: the groups of consumers have it one by one.";
  let description = [{
    The first group has the first turn. All groups take the same number of them: the same loops run
    as often in each. Among producers it is the warps that take turns.
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_TurnPassOp : TileGpu_Op<"turn_pass", [Tile_Ordering]> {
  let summary = "Passes the turn on to the next warp group, or producer.";
  let assemblyFormat = "attr-dict";
}

//===- roles --------------------------------------------------------------===//

def Tile_ProducerOp : TileGpu_Op<"producer", [Pure, Tile_ReadsPlace]> {
  let summary = "This warp's number among the producers.";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_ElectOp : TileGpu_Op<"elect", [Pure, Tile_ReadsPlace]> {
  let summary = "True in one thread of the warp, always the same one.";
  let results = (outs I1:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_WarpSpecializeOp : TileGpu_Op<"warp_specialize",
    [SingleBlock, NoTerminator, NoRegionArguments, RecursiveMemoryEffects]> {
  let summary = "The first warps of one more warp group produce, while the others consume.";
  let description = [{
    ```mlir
    tile_gpu.warp_specialize producer {
      %one = tile_gpu.elect
      scf.if %one {
        tile_gpu.tma_load %a[%i, %k] into %slot signal %full : ...
      }
    } consumer {
      tile_gpu.barrier_wait %full parity %phase : ...
    }
    ```
    The producer's region has scalars only; with `pair` two warps run it. Registers move from its
    warp group to the consumers'.
  }];
  let arguments = (ins UnitAttr:$pair);
  let regions = (region SizedRegion<1>:$producer, SizedRegion<1>:$consumer);
  let assemblyFormat = "`producer` $producer `consumer` $consumer attr-dict";
}

//===- tiles --------------------------------------------------------------===//

def Tile_DotWaitOp : TileGpu_Op<"dot_wait", [Tile_Ordering,
                                          AllTypesMatch<["source", "result"]>]> {
  let summary = "Waits until at most `pending` asynchronous dots are unfinished.";
  let description = [{
    The result is the source, which no unfinished dot may still write where it is `tied`: then it
    is in registers, what was computed of it before is computed before, and what reads it reads it
    after the wait. Untied it may be what a dot on its way adds to.
  }];
  let arguments = (ins Tile_Numbers:$source, ConfinedAttr<I32Attr, [IntNonNegative]>:$pending,
    UnitAttr:$tied);
  let results = (outs Tile_Numbers:$result);
  let assemblyFormat = "$source `pending` $pending (`tied` $tied^)? attr-dict `:` type($source)";
}

def Tile_ExtractTileOp : TileGpu_Op<"extract_tile", [Pure, Tile_IsView]> {
  let summary = "The part of a tile from `offsets` on; every thread has its elements already.";
  let arguments = (ins Tile_Numbers:$source, DenseI32ArrayAttr:$offsets);
  let results = (outs Tile_Numbers:$result);
  let assemblyFormat = "$source $offsets attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

#endif
