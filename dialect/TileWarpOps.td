//===- TileWarpOps.td - the copy engine, and warps with roles -------------===//
//
// The compiler's own ops for Hopper: boxes that the copy engine (TMA) moves,
// barriers in shared memory (mbarriers) that say when they have arrived, and a
// kernel split into a producer and consumers. tile-assign-layouts makes desc_copy
// and desc_write, tile-warp-specialize the rest.
//
// A ring of mbarriers is a `!tile.buffer<1xi64, stages = 4>`. Its phase flips each time
// as many threads as it counts have arrived and all bytes that it expects are there;
// waiting for parity p waits until the phase with that parity is over. So whoever waits
// keeps the parity it waits for, and flips it when the ring wraps.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_WARP_OPS_TD
#define TILE_WARP_OPS_TD

include "TileOps.td"

//===- boxes --------------------------------------------------------------===//

class Tile_BoxOp<string mnemonic, list<Trait> effects> : Tile_Op<mnemonic, effects> {
  let hasVerifier = 1;
}

def Tile_DescCopyOp : Tile_BoxOp<"desc_copy", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Copies the box at a position into a shared buffer, and waits for it.";
  let description = [{
    The buffer has the box's extents, its fastest dimension being the box's last:
    a 64x128 box may fill a `!tile.buffer<128x64xf16, order = [0, 1]>`. Extents of 1 do not count.
  }];
  let arguments = (ins Tile_DescType:$desc, Variadic<I32>:$indices, Tile_BufferType:$buffer);
  let assemblyFormat = [{
    $desc `[` $indices `]` `into` $buffer attr-dict `:` qualified(type($desc)) `->`
    qualified(type($buffer))
  }];
}

def Tile_DescWriteOp : Tile_BoxOp<"desc_write", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Copies a shared buffer out to the box at a position; bounds cut it.";
  let description = [{
    The buffer may be used again when it is done. What lies beyond `extents` stays inside;
    tile-warp-specialize cuts such a box into some that end there.
  }];
  let arguments = (ins Tile_DescType:$desc, Variadic<I32>:$indices, Tile_BufferType:$buffer,
                       OptionalAttr<DenseI64ArrayAttr>:$extents);
  let assemblyFormat = [{
    $desc `[` $indices `]` `from` $buffer attr-dict `:` qualified(type($desc)) `,`
    qualified(type($buffer))
  }];
}

def Tile_TmaLoadOp : Tile_BoxOp<"tma_load", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Starts copying a box into a shared buffer; its bytes arrive at a barrier.";
  let arguments = (ins Tile_DescType:$desc, Variadic<I32>:$indices, Tile_BufferType:$buffer,
                       Tile_BufferType:$barrier);
  let assemblyFormat = [{
    $desc `[` $indices `]` `into` $buffer `signal` $barrier attr-dict `:` qualified(type($desc))
    `->` qualified(type($buffer)) `,` qualified(type($barrier))
  }];
}

def Tile_TmaMulticastOp : Tile_BoxOp<"tma_multicast", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Starts copying parts of a box into a buffer of several blocks of a cluster.";
  let description = [{
    ```mlir
    tile.tma_multicast %a[%i, %k] into %slot signal %full parts %mine to %blocks : ...
    ```
    The box's copies are in as many equal parts as the cluster has blocks. This block starts part p
    where bit p of `parts` is set, and it arrives in this buffer, and at this barrier, of each block
    whose bit of `blocks` is set. The buffer is a column of whole boxes, as of tma_store: a box that
    is one copy is cut up for this.
  }];
  let arguments = (ins Tile_DescType:$desc, Variadic<I32>:$indices, Tile_BufferType:$buffer,
                       Tile_BufferType:$barrier, I32:$parts, I32:$blocks);
  let assemblyFormat = [{
    $desc `[` $indices `]` `into` $buffer `signal` $barrier `parts` $parts `to` $blocks attr-dict
    `:` qualified(type($desc)) `->` qualified(type($buffer)) `,` qualified(type($barrier))
  }];
}

def Tile_TmaStoreOp : Tile_BoxOp<"tma_store", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Starts copying a shared buffer out, as a group of boxes; bounds cut them.";
  let description = [{
    The buffer is a column of whole boxes, which the warp groups share out evenly from the
    first on. One thread of each starts its own.
  }];
  let arguments = (ins Tile_DescType:$desc, Variadic<I32>:$indices, Tile_BufferType:$buffer);
  let assemblyFormat = [{
    $desc `[` $indices `]` `from` $buffer attr-dict `:` qualified(type($desc)) `,`
    qualified(type($buffer))
  }];
}

def Tile_TmaStoreWaitOp : Tile_Op<"tma_store_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until at most `pending` of this thread's stores still read their buffers.";
  let arguments = (ins ConfinedAttr<I32Attr, [IntNonNegative]>:$pending);
  let assemblyFormat = "$pending attr-dict";
}

//===- barriers -----------------------------------------------------------===//

class Tile_BarrierOp<string mnemonic> : Tile_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
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

def Tile_GroupBarrierOp : Tile_Op<"group_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits for the threads of this warp group; the copy engine sees what they wrote.";
  let assemblyFormat = "attr-dict";
}

//===- clusters -----------------------------------------------------------===//

def Tile_ClusterRankOp : Tile_Op<"cluster_rank", [Pure]> {
  let summary = "This block's number in its cluster: 0 to tile.cluster - 1.";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_ClusterBarrierOp : Tile_Op<"cluster_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits for all threads of all blocks of the cluster.";
  let description = [{
    Behind the barrier_inits, before another block may arrive at them; and before the kernel ends,
    as long as another block may still.
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_WarpGroupOp : Tile_Op<"warp_group", [Pure]> {
  let summary = "This warp group's number among the consumers.";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_TurnWaitOp : Tile_Op<"turn_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits for this warp group's turn: the groups of consumers have it one by one.";
  let description = [{
    The first group has the first turn. All groups take the same number of them: the same loops run
    as often in each.
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_TurnPassOp : Tile_Op<"turn_pass", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Passes the turn on to the next warp group.";
  let assemblyFormat = "attr-dict";
}

//===- roles --------------------------------------------------------------===//

def Tile_WarpSpecializeOp : Tile_Op<"warp_specialize",
    [SingleBlock, NoTerminator, NoRegionArguments, RecursiveMemoryEffects]> {
  let summary = "One more warp group produces, by one thread, while the others consume.";
  let description = [{
    ```mlir
    tile.warp_specialize producer {
      tile.tma_load %a[%i, %k] into %slot signal %full : ...
    } consumer {
      tile.barrier_wait %full parity %phase : ...
    }
    ```
    The producer's region has scalars only. Registers move from its warps to the consumers'.
  }];
  let regions = (region SizedRegion<1>:$producer, SizedRegion<1>:$consumer);
  let assemblyFormat = "`producer` $producer `consumer` $consumer attr-dict";
}

//===- tiles --------------------------------------------------------------===//

def Tile_DotWaitOp : Tile_Op<"dot_wait", [MemoryEffects<[MemRead, MemWrite]>,
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

def Tile_ExtractTileOp : Tile_Op<"extract_tile", [Pure]> {
  let summary = "The part of a tile from `offsets` on; every thread has its elements already.";
  let arguments = (ins Tile_Numbers:$source, DenseI32ArrayAttr:$offsets);
  let results = (outs Tile_Numbers:$result);
  let assemblyFormat = "$source $offsets attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

#endif
