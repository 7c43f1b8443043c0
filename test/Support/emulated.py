"""A format of lit tests that run where there is no GPU, on the emulator of one."""
import copy
import re

import lit.formats

# What a test says that needs a GPU, or does more where there is one.
asks = re.compile(r"(REQUIRES:.*|%if )\b(gpu\b|sm_\d)")


class EmulatedTest(lit.formats.ShTest):
    """Gives the driver that emulates a GPU to the tests that ask for one; to the others there is none."""

    def __init__(self, driver):
        super().__init__(execute_external=False)
        self.driver = driver

    def execute(self, test, lit_config):
        with open(test.getSourcePath(), encoding="utf-8") as file:
            needs = asks.search(file.read())
        if needs:
            # A copy: all tests of a folder have one configuration.
            test.config = copy.copy(test.config)
            test.config.environment = dict(test.config.environment, TILE_CUDA_DRIVER=self.driver)
        return super().execute(test, lit_config)
