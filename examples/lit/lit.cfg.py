# Tests of kernels: `lit-22 .` here, with tile-run on PATH.
import os
import shutil

tool = shutil.which("tile-run")
if not tool:
    lit_config.fatal("expected tile-run on PATH, found none")
prefix = os.path.dirname(os.path.dirname(os.path.realpath(tool)))
config.name = "my kernels"
lit_config.load_config(config, os.path.join(prefix, "share/tile/lit/tile.py"))
