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
  add_dependencies(Tile${name} TileIncGen TilePassesGen TileNumberNames)
  set_target_properties(Tile${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# The archives, lowest first: each uses only those before it (scripts/check-layers reads this line).
set(TILE_LAYERS Machine Layout Dialect Support Analysis Transforms Conversion Glue Target Runtime Session Library Bench Editor)

# Everything a tool or an embedder links, in the order that a linker wants: users first.
set(TILE_LIBS)
foreach(layer ${TILE_LAYERS})
  list(PREPEND TILE_LIBS Tile${layer})
endforeach()

# tile_write_views(defs.td program.jq MODE file ...): writes to each `file` what program.jq makes in MODE of what
# llvm-tblgen says of defs.td. A file that stays the same keeps its time, so that nothing is built again for it.
function(tile_write_views definitions program)
  get_filename_component(definitions ${definitions} ABSOLUTE)
  get_filename_component(program ${program} ABSOLUTE)
  get_filename_component(name ${definitions} NAME_WE)
  set(json ${CMAKE_CURRENT_BINARY_DIR}/${name}.json)
  add_custom_command(OUTPUT ${json}
    COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-tblgen --dump-json -I ${MLIR_INCLUDE_DIRS} -I ${CMAKE_CURRENT_SOURCE_DIR}
      ${definitions} -o ${json} -d ${json}.d
    DEPENDS ${definitions} DEPFILE ${json}.d VERBATIM)
  while(ARGN)
    list(POP_FRONT ARGN mode file)
    get_filename_component(folder ${file} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${file}
      COMMAND jq -r --arg mode ${mode} -f ${program} ${json} > ${file}.new
      COMMAND ${CMAKE_COMMAND} -E copy_if_different ${file}.new ${file}
      DEPENDS ${json} ${program} VERBATIM)
  endwhile()
endfunction()

# A package has the libraries beside its programs (bin/, bin/unit/, lib/), a build tree has them
# under LLVM's prefix, which CMake adds. DT_RPATH, since it also serves what the libraries need.
set(CMAKE_BUILD_RPATH "$ORIGIN/../lib;$ORIGIN/../../lib")
add_link_options(LINKER:--disable-new-dtags)
# tile_keep_rpath(target ...): these are installed as they are built, with a path that serves both.
function(tile_keep_rpath)
  set_target_properties(${ARGN} PROPERTIES BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH "${CMAKE_BUILD_RPATH};${LLVM_LIBRARY_DIR}")
endfunction()
# The cache tells builds of the compiler apart by it.
add_link_options(LINKER:--build-id)
