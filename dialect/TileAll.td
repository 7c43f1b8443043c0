//===- TileAll.td - the three dialects, for what is generated of all ------===//
#ifndef TILE_ALL_TD
#define TILE_ALL_TD

include "TileOps.td"
include "Gpu/TileGpuOps.td"
include "Host/TileHostOps.td"

#endif
