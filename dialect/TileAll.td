//===- TileAll.td - the three dialects, for what is generated of all ------===//
#ifndef TILE_ALL_TD
#define TILE_ALL_TD

include "TileOps.td"
include "TileGpuOps.td"
include "TileHostOps.td"

#endif
