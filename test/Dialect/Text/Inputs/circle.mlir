tile.include "circle-back.mlir"
