# What the CMakeLists of this project share.

# The flags every C file of the project is compiled with. LLVM's headers are SYSTEM.
set(TILE_C_FLAGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wstrict-prototypes -Wmissing-prototypes -Werror)

# The MLIR C API lives in static archives, all else in libMLIR.so and libLLVM.so. Linking any other
# static MLIR library beside libMLIR.so would split TypeIDs.
file(GLOB TILE_MLIR_C_API ${LLVM_LIBRARY_DIR}/libMLIRCAPI*.a)
set(TILE_MLIR_LIBS -Wl,--start-group ${TILE_MLIR_C_API} -Wl,--end-group MLIR LLVM)

# tile_add_library(Name): lib/Name/**/*.c as the static library TileName.
function(tile_add_library name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/lib/${name}/*.c)
  if(NOT sources)
    add_library(Tile${name} INTERFACE)
    return()
  endif()
  add_library(Tile${name} STATIC ${sources})
  target_compile_options(Tile${name} PRIVATE ${TILE_C_FLAGS})
  add_dependencies(Tile${name} TileIncGen)
  set_target_properties(Tile${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# Everything a tool or an embedder links, as one group: the dialect's glue calls the passes' bodies
# and the passes call the glue.
set(TILE_LIBS -Wl,--start-group)
foreach(lib Dialect Machine Layout Support Analysis Transforms Conversion Target Runtime Session Bench)
  list(APPEND TILE_LIBS Tile${lib})
endforeach()
list(APPEND TILE_LIBS -Wl,--end-group)

# A package has the libraries beside its programs (bin/, bin/unit/, lib/), a build tree has them
# under LLVM's prefix, which CMake adds. DT_RPATH, since it also serves what the libraries need.
set(CMAKE_BUILD_RPATH "$ORIGIN/../lib;$ORIGIN/../../lib")
add_link_options(LINKER:--disable-new-dtags)
# The cache tells builds of the compiler apart by it.
add_link_options(LINKER:--build-id)
