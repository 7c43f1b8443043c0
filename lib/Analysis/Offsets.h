//===- Offsets.h - which integers are offsets (private) -------------------===//
#ifndef TILE_LIB_ANALYSIS_OFFSETS_H
#define TILE_LIB_ANALYSIS_OFFSETS_H

/// From so many bits on, integers that lead to an address are taken not to wrap around: an offset
/// that does is none of the element meant. Narrower ones do on purpose, as bytes in tables of 256.
enum { TILE_OFFSET_BITS = 32 };

#endif // TILE_LIB_ANALYSIS_OFFSETS_H
