//===- Floats.h - numbers as bits, in ten formats ---------------*- C -*-===//
//
// An element travels as the 64 low bits of what memory holds. Floats are computed as doubles, which
// hold every number of the other formats, and rounded where the dialect says so.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_FUZZ_FLOATS_H
#define TILE_FUZZ_FLOATS_H

#include "Kernel.h"

/// The number that the bits mean.
double floatOf(Element e, uint64_t bits);
/// To the nearest, ties to even. Beyond the largest: infinity, or NaN where there is none
/// (f8E4M3FN).
uint64_t roundTo(Element e, double x);
/// The distance of floats around a number; that of the smallest ones below the normal range.
double ulpOf(Element e, double x);
double largestOf(Element e);
/// The smallest normal number.
double leastOf(Element e);

bool isNanBits(Element e, uint64_t bits);

/// As a signed and as an unsigned number, and back: the low bits. An i1 of 1 is -1 when signed.
int64_t signedOf(Element e, uint64_t bits);
uint64_t cutTo(Element e, uint64_t bits);

#endif
