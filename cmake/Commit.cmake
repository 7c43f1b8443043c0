# Writes OUTPUT, a header with TILE_COMMIT: the commit that SOURCE is at, "+" behind it where files
# differ, "" where there is no git. Left alone where it says so already, so that little is built anew.
cmake_minimum_required(VERSION 3.20)
execute_process(COMMAND git -C ${SOURCE} describe --always --abbrev=12 --dirty=+ --exclude=*
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define TILE_COMMIT \"@commit@\"\n" @ONLY)
