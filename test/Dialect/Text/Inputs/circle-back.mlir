tile.include "circle.mlir"
