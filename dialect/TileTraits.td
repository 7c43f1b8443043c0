//===- TileTraits.td - what passes may know of an op ----------------------===//
//
// A pass asks what an op is, not which op it is: whoever adds an op says it here, once. What
// upstream has a trait or an interface for is said with that: Pure and MemoryEffects (of which
// memory: below), Elementwise, IsolatedFromAbove, Terminator. This file has the rest. traits.jq
// makes tile/Traits.h of it: for each trait a C test, for each memory two bits of tileOpGetEffects.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRAITS_TD
#define TILE_TRAITS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===- what effects are on ------------------------------------------------===//

/// A resource of MemoryEffects. An effect that names none is on all of them, as tile.barrier's.
class Tile_Resource<string resource, string text> : Resource<"::tile::" # resource> {
  string word = resource;
  string summary = text;
}
def Tile_Global : Tile_Resource<"Global", "what pointers and descriptors lead to">;
def Tile_Shared : Tile_Resource<"Shared", "buffers of shared memory">;
def Tile_Console : Tile_Resource<"Console", "what a program prints">;
def Tile_Launch : Tile_Resource<"Launch", "what the host is told of a launch">;
def Tile_Control : Tile_Resource<"Control", "where a program is: what stands behind may rely on it">;

/// What the compiler orders accesses of buffers with: commits, arrivals, waits, turns. What pointers
/// lead to they do not order for a program; that a user does, by tile.barrier.
def Tile_Ordering : MemoryEffects<[MemRead<Tile_Shared>, MemWrite<Tile_Shared>, MemWrite<Tile_Control>]>;

//===- how results come from operands -------------------------------------===//

class Tile_Trait<string trait, string text> : NativeOpTrait<trait> {
  let cppNamespace = "::tile";
  string word = trait;
  string summary = text;
}
def Tile_Elementwise : Tile_Trait<"IsElementwiseByVerifier",
    "Is it what upstream calls Elementwise, but that its own verifier compares shapes, and says more?">;
def Tile_MovesElements : Tile_Trait<"MovesElements",
    "Are the result's elements those of the tile operand, each once, at other places?">;
def Tile_KeepsLayout : Tile_Trait<"KeepsLayout",
    "Do results have the operands' shape and layout, though elements meet along an axis?">;
def Tile_IsView : Tile_Trait<"IsView",
    "Does it give what threads hold another shape or name, by no instruction or a few scalar ones?">;
def Tile_IsAccess : Tile_Trait<"IsAccess",
    "Does it touch what its operand 0, pointers, points at, where a mask lets it?">;
def Tile_ReadsPlace : Tile_Trait<"ReadsPlace",
    "Is the result about the launch grid, or about who asks: which program, block, warp or thread?">;

#endif
