# TILE_MLIR_ARCHIVES: MLIR and LLVM as archives, with the back ends that are used. What is linked with them, and with
# TILE_ARCHIVES_ALONE, starts in 6 ms where the shared libraries take 25: eighty thousand names are not looked up.

# MLIR registers all targets that LLVM was built with, a third of the whole, of which two are used.
execute_process(COMMAND llvm-config-22 --targets-built OUTPUT_VARIABLE targets OUTPUT_STRIP_TRAILING_WHITESPACE)
separate_arguments(targets)
list(REMOVE_ITEM targets X86 NVPTX)
set(source "// Targets that are left out: nothing is registered for them. Made by cmake/Archives.cmake.\n")
foreach(target ${targets})
  foreach(part Target TargetInfo TargetMC AsmPrinter AsmParser Disassembler)
    string(APPEND source "void LLVMInitialize${target}${part}(void);\nvoid LLVMInitialize${target}${part}(void) {}\n")
  endforeach()
endforeach()
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/Targets.c CONTENT "${source}")
add_library(tile-targets OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/Targets.c)
set_target_properties(tile-targets PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)

file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
list(FILTER archives EXCLUDE REGEX "Test|Python|libLLVM(Exegesis|gold)")
set(TILE_MLIR_ARCHIVES $<TARGET_OBJECTS:tile-targets> -Wl,--start-group ${archives} -Wl,--end-group)
# What archives define is theirs alone: the linker drops what is not used, and LLVM does not show.
set(TILE_ARCHIVES_ALONE LINKER:--allow-shlib-undefined LINKER:--exclude-libs,ALL LINKER:--gc-sections)
