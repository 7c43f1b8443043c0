// Finds the fastest configuration of a kernel on this processor, from C++, and uses it.
//
//   cmake -B build -DCMAKE_PREFIX_PATH=PREFIX && cmake --build build && build/tune ../c/add.mlir
//
// tile.h is C, and C++ takes it as it is: a handle is a pointer to what is declared only, so that
// std::unique_ptr owns it with the function that destroys it.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <tile.h>
#include <vector>

namespace {

/// What fails becomes an exception with libtile's own message.
void check(tile_status status) {
  if (status != TILE_STATUS_OK) throw std::runtime_error(tile_get_message());
}

template <auto destroy> struct Destroy {
  template <typename T> void operator()(T *handle) const { destroy(handle); }
};
using Context = std::unique_ptr<tile_context, Destroy<tile_context_destroy>>;
using Tuning = std::unique_ptr<tile_tuning, Destroy<tile_tuning_destroy>>;

/// The module and the kernel are the context's, and go with it.
tile_kernel *load(tile_context *context, const char *path, const char *name) {
  tile_module *module = nullptr;
  tile_kernel *kernel = nullptr;
  check(tile_module_create_from_file(context, path, &module));
  check(tile_module_find_kernel(module, name, &kernel));
  return kernel;
}

void print(tile_tuning *tuning) {
  tile_tuning_info info{};
  info.size = sizeof info;
  check(tile_tuning_get_info(tuning, &info));
  for (std::size_t i = 0; i < info.num_trials; ++i) {
    tile_trial trial{};
    trial.size = sizeof trial;
    check(tile_tuning_get_trial(tuning, i, &trial));
    std::printf("%-12s %8.2f us%s %s\n", *trial.config ? trial.config : "(default)",
                trial.seconds * 1e6, i == info.winner ? "  best" : "", trial.message);
  }
}

int run(const char *path) {
  const std::size_t n = 1 << 20;
  std::vector<float> x(n), y(n, .5f), out(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i);

  tile_context *made = nullptr;
  check(tile_context_create(nullptr, &made));
  const Context context(made);
  tile_kernel *add = load(context.get(), path, "add");

  const tile_value values[] = {tile_pointer(x.data()), tile_pointer(y.data()),
                               tile_pointer(out.data()), tile_integer(n)};
  const std::size_t elements[] = {n, n, n, 0};
  const char *const spaces[] = {"BLOCK=256,1024,4096"};
  tile_tune_options how{};
  how.size = sizeof how;
  how.place = TILE_PLACE_CPU;
  how.spaces = spaces;
  how.num_spaces = 1;
  how.num_elements = elements;
  tile_tuning *found = nullptr;
  check(tile_kernel_tune(add, &how, values, 4, &found));
  print(Tuning(found).get());

  tile_launch launch{};
  launch.size = sizeof launch;
  launch.place = TILE_PLACE_CPU; // no configuration: what was found
  check(tile_kernel_launch(add, &launch, values, 4));
  for (std::size_t i = 0; i < n; ++i)
    if (out[i] != x[i] + .5f) throw std::runtime_error("expected a sum, found another number");
  std::printf("%zu sums are right\n", n);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run(argc > 1 ? argv[1] : "add.mlir");
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
