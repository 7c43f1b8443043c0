# TILE_ALONE: programs and libraries that need nothing of the distribution's but glibc, of 2.28 or newer, and libgcc_s:
# those of packages and wheels. They hold MLIR, LLVM, libstdc++, SQLite and what else they use, from the archives of the
# packages that the usual build links as shared libraries. z3, libxml2 and ICU, which libLLVM.so asks for, are not among
# them: no call of tile's leads there.
set(TILE_GLIBC 2.28)
set(stubs ${CMAKE_BINARY_DIR}/glibc)
add_custom_command(OUTPUT ${stubs}/libc.so.6 ${stubs}/libm.so.6 DEPENDS cmake/alone/glibc-stubs VERBATIM
  COMMAND ${CMAKE_SOURCE_DIR}/cmake/alone/glibc-stubs ${TILE_GLIBC} ${stubs})


add_library(tile-alone OBJECT cmake/alone/Glibc.c ${stubs}/libc.so.6)
set_target_properties(tile-alone PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_compile_options(tile-alone PRIVATE -fno-builtin)

execute_process(COMMAND gcc -print-file-name=libstdc++.a OUTPUT_VARIABLE stdcxx OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND gcc -print-libgcc-file-name OUTPUT_VARIABLE libgcc OUTPUT_STRIP_TRAILING_WHITESPACE)
# As flags: of a path to a library that is not made yet CMake makes -lc, which is the system's.
set(TILE_GLIBC_LIBS -Wl,${stubs}/libc.so.6 -Wl,${stubs}/libm.so.6 -l:libpthread.so.0 -l:libdl.so.2 -l:librt.so.1 -l:libgcc_s.so.1
  ${libgcc})
add_link_options(${TILE_ARCHIVES_ALONE})
set(TILE_MLIR_LIBS -nodefaultlibs $<TARGET_OBJECTS:tile-alone> ${TILE_MLIR_ARCHIVES} -l:libsqlite3.a
  -l:libz.a -l:libzstd.a ${stdcxx} -Wl,--push-state,--no-as-needed ${TILE_GLIBC_LIBS} -Wl,--pop-state)
