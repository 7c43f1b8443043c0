# Every check and build of the project behind one word each; `make help` lists them. All of them do
# their own set-up (scripts/setup), so each works from a clean clone.
.POSIX:
.SUFFIXES:
MAKEFLAGS += --no-print-directory

ARGS = test/Examples/Matmul/matmul.mlir --args 512
SEED = 1 # the first input of make fuzz
TIME = 60 # and their seconds
LIT = # options for lit, such as --filter=layout

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1	\2/p' Makefile | expand -t 16

run: build ## build, then run an example (another: make run ARGS='FILE --args ...')
	@build/bin/tile-run $(ARGS)

check: build ## build, then run every test (one: make check LIT=--filter=NAME)
	@scripts/check build/test $(LIT)

build: setup ## build everything, the C by clang, into build/
	@scripts/build release

fuzz: build fuzz-targets ## all fuzzers, five minutes in all (longer: make fuzz TIME=600), and each call that may fail
	@mkdir -p build/fuzz
	@build/bin/unit/differential --seed $(SEED) --time $(TIME) --jobs $$(nproc) --save build/fuzz
	@build/bin/unit/mutate --seed $(SEED) --time $(TIME) --save build/fuzz $$(grep -rl '^tile.func' test/Examples)
	@scripts/fuzz $$((3 * $(TIME))) $(SEED)
	@rm -rf build/fuzz/faults && mkdir build/fuzz/faults && cd build/fuzz/faults && \
	  for test in FaultRuntimeTest FaultFilesTest FaultCacheTest; do ../../bin/unit/$$test || exit 1; done

fuzz-libs: fuzz-targets ## libFuzzer's targets alone, for TIME seconds in all
	@scripts/fuzz $(TIME) $(SEED)

fuzz-targets: setup
	@scripts/build fuzz fuzz-targets

check-tsan: setup ## the tests in C, of libraries and of tile.h, under ThreadSanitizer, in build-tsan/
	@scripts/build tsan unit-tests
	@scripts/check build-tsan/test '--filter=(Unit|Library)/.*Test[.]c' $(LIT)

check-gcc: setup ## build with the C by gcc into build-gcc/, then run every test
	@scripts/build gcc
	@scripts/check build-gcc/test $(LIT)

check-asan: setup ## build with sanitizers into build-asan/, then run every test
	@scripts/build asan
	@scripts/check build-asan/test $(LIT)

warnings: setup ## compile the C by gcc too, warnings being errors
	@scripts/build gcc tile-c-libraries

format: setup ## put the sources in shape with clang-format
	@scripts/sources | xargs clang-format-22 -i

format-check: setup ## fail when clang-format would change a source
	@scripts/sources | xargs clang-format-22 --dry-run -Werror

tidy: build ## clang-tidy over the C sources
	@scripts/tidy build

check-guide: setup ## build and test what docs/compiler/adding-a-pass.md tells a reader to type
	@scripts/check-guide

check-triton: setup ## Triton's kernels through tile: Liger, FlagGems, Unsloth, torch.compile, tutorials, Triton's own tests (PYTHON=: see scripts/check-triton)
	@scripts/build release tile-triton
	@scripts/check-triton build

op-coverage: ## docs/compiler/op-coverage.md: which stage of which op, and which pass, has a test
	@scripts/op-coverage --table > docs/compiler/op-coverage.md
	@scripts/pass-coverage --table >> docs/compiler/op-coverage.md

reference: build ## docs/reference.md: every op in a line, from the definitions
	@scripts/reference build > docs/reference.md

site: build ## build/site/site/index.html: all pages and the reference of every op; needs mkdocs
	@scripts/site build build/site

machine-docs: build ## docs/compiler/machine.md: chips, their matrix instructions, the numbers that decide profit
	@build/bin/tile-opt --tile-describe-machine=page > docs/compiler/machine.md

package: build ## dist/tile-VERSION-x86_64.tar.xz: runs, and tests itself, where there is no LLVM
	@scripts/package build

alone: setup # a build for packages, in build-alone/
	@scripts/build alone

wheel: alone ## dist/libtile-*.whl: the Python package, with MLIR and LLVM inside; dist/tile_triton-*.whl
	@scripts/packages/wheel build-alone
	@cmake --build build-alone --target tile-triton
	@scripts/packages/wheel build-alone tile-triton

deb: alone ## dist/*.deb: libtile1, libtile-dev and tile-tools, with MLIR and LLVM inside
	@scripts/packages/check-promise '(tile\.so\.1|jansson\.so\.4)' build-alone/lib/libtile*.so.1 build-alone/bin/tile-*
	@mkdir -p dist && cpack --config build-alone/CPackConfig.cmake -B dist/cpack && mv dist/cpack/*.deb dist/ && rm -rf dist/cpack

bench: build ## the measurements of bench/, on this machine
	@ninja -C build bench && bench/run build/bin

bench-tutorials: build ## the tutorials' tables on the GPU, into build/tutorials/
	@PATH=$$PWD/build/bin:$$PATH bench/tutorials build/tutorials

setup: ## install the Debian packages that are missing
	@scripts/setup

clean: ## remove what was built
	rm -rf build build-alone build-gcc build-asan build-fuzz build-tsan dist

.PHONY: help run check build fuzz fuzz-libs fuzz-targets check-tsan check-gcc check-asan warnings format \
  format-check tidy check-guide check-triton op-coverage machine-docs package alone wheel deb bench bench-tutorials setup clean
