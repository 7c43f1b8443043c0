"""Kernels on arrays of Python's own library: what is right, what is refused, and how."""
import array
import ctypes
import os
import threading
import unittest
import warnings

import tile

examples = os.environ["TILE_EXAMPLES"]
COUNT = 10007  # no multiple of a block


class Arrays(unittest.TestCase):
    def setUp(self):
        self.add = tile.load(os.path.join(examples, "Basics", "vector_add.mlir"))["add"]
        self.x = array.array("f", (i % 251 for i in range(COUNT)))
        self.y = array.array("f", (i % 127 for i in range(COUNT)))
        self.out = array.array("f", bytes(4 * COUNT))
        self.sum = array.array("f", (i % 251 + i % 127 for i in range(COUNT)))

    def test_by_place_and_by_name(self):
        self.assertIsNone(self.add(self.x, self.y, self.out, COUNT))
        self.assertEqual(self.out, self.sum)
        self.add(self.y, n=7, out=self.out, y=self.y)
        self.assertEqual(self.out[:8], array.array("f", [0, 2, 4, 6, 8, 10, 12, self.sum[7]]))

    def test_names_of_dictionaries(self):
        """Which are equal to the kernel's own, and not the same objects."""
        fresh = lambda name: "".join(list(name))
        self.add(**{fresh(name): value for name, value in (("n", 5), ("out", self.out), ("x", self.x), ("y", self.y))})
        self.assertEqual(list(self.out[:6]), [0, 2, 4, 6, 8, 0])
        self.add(self.x, self.y, **{fresh("config"): "BLOCK=16", "n": 9, fresh("grid"): 1, "out": self.out})
        self.assertEqual(list(self.out[:10]), [0, 2, 4, 6, 8, 10, 12, 14, 16, 0])

    def test_called_by_a_tuple(self):
        self.add.__call__(self.x, self.y, self.out, n=4, grid=1)
        self.assertEqual(list(self.out[:5]), [0, 2, 4, 6, 0])
        with self.assertRaisesRegex(TypeError, "expected names of arguments that 'add' has"):
            self.add.__call__(self.x, self.y, self.out, 4, m=4)
        artifact = self.add.compile("cpu")
        artifact.__call__(self.x, self.y, self.out, 6, grid=1)
        self.assertEqual(list(self.out[:7]), [0, 2, 4, 6, 8, 10, 0])

    def test_other_buffers(self):
        out = (ctypes.c_float * COUNT)()
        self.add(memoryview(self.x), self.y, out, COUNT, config={"BLOCK": 64})
        self.assertEqual(array.array("f", out), self.sum)
        self.add(self.x.buffer_info()[0], self.x, self.out, 5, device="cpu", config="BLOCK=16")
        self.assertEqual(list(self.out[:6]), [0, 2, 4, 6, 8, 0])

    def test_grid(self):
        self.add(self.x, self.y, self.out, COUNT, grid=1)
        self.assertEqual(self.out[:1024], self.sum[:1024])
        self.assertEqual(set(self.out[1024:]), {0.0})
        self.add(self.x, self.y, self.out, COUNT, grid=(10, 1, 1))
        self.assertEqual(self.out, self.sum)

    def test_threads(self):
        outs = [array.array("f", bytes(4 * COUNT)) for _ in range(8)]
        threads = [threading.Thread(target=self.add, args=(self.x, self.y, out, COUNT)) for out in outs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all(out == self.sum for out in outs))

    def test_refused(self):
        x, out = self.x, self.out
        doubles = array.array("d", bytes(8 * COUNT))
        for given, named, kind, message in [
            ((x, x, out.buffer_info()[0]), {"device": "cpu"}, TypeError, "expected %n of 'add', found no value for it"),
            ((x, x, out, 1, 2), {}, TypeError, "expected 4 arguments for 'add', found 5"),
            ((x, x, out, 1), {"n": 2}, TypeError, "expected names of arguments"),
            ((x, x, out), {"m": 2}, TypeError, "expected names of arguments"),
            ((x, x, doubles, 1), {}, TypeError, "expected an array of f32 for %out of 'add', found one of f64"),
            ((x, x, memoryview(bytes(8)).cast("f"), 1), {}, ValueError, "found one that is read-only"),
            ((x, x, "text", 1), {}, TypeError, "expected an array, found <class 'str'>"),
            ((x, x, out, 1.5), {}, TypeError, "expected an integer for %n of 'add', found <class 'float'>"),
            ((x, x, out, x), {}, TypeError, "expected an integer for %n of 'add', found <class 'array.array'>"),
            ((x, x, out, 1 << 40), {}, tile.Error, "expected a value of i32 for argument 3 %n"),
            ((x, x, out, 1), {"grid": (1, 2, 3, 4)}, TypeError, "expected a grid of one to three integers"),
            ((x, x, out, 1), {"grid": -1}, ValueError, "expected a grid from 0"),
            ((x, x, out, 1), {"config": 3}, TypeError, "expected a configuration, found 3"),
            ((x, x, out, 1), {"config": "BLOK=3"}, tile.Error, "expected the name of a meta-parameter (BLOCK)"),
            ((x, x, out, 1), {"device": "cuda"}, ValueError, "expected arrays on the device 'cuda'"),
            ((x, x, out, 1), {"device": "tpu"}, ValueError, "expected the device 'cpu' or 'cuda'"),
            ((x, x, out, 1), {"stream": "no"}, TypeError, "expected a CUDA stream"),
        ]:
            with self.subTest(given=given[3:], named=named):
                with self.assertRaises(kind) as caught:
                    self.add(*given, **named)
                self.assertIn(message, str(caught.exception))
        self.assertEqual(set(out), {0.0})

    def test_no_reference_is_lost(self):
        import sys
        before = [sys.getrefcount(o) for o in (self.x, self.add, None)]
        for _ in range(1000):
            self.add(self.x, self.y, self.out, 0)
            with self.assertRaises(TypeError):
                self.add(self.x, self.y)
        after = [sys.getrefcount(o) for o in (self.x, self.add, None)]
        for b, a in zip(before, after):
            self.assertLess(abs(a - b), 100)


class Kernels(unittest.TestCase):
    def setUp(self):
        self.module = tile.load(os.path.join(examples, "Matmul", "matmul.mlir"))
        self.matmul = self.module["matmul"]

    def test_module(self):
        self.assertEqual(self.module.kernels, ("matmul",))
        self.assertEqual(list(self.module), ["matmul"])
        self.assertEqual(len(self.module), 1)
        self.assertIn("matmul", self.module)
        self.assertNotIn("add", self.module)
        self.assertEqual(self.module[0].name, self.module[-1].name)
        self.assertIs(self.matmul.module, self.module)
        for key in ("nope", 7):
            with self.assertRaises(tile.Error) as caught:
                self.module[key]
            self.assertIn(caught.exception.status, ("TILE_STATUS_NOT_FOUND", "TILE_STATUS_ARGUMENT"))

    def test_what_it_is(self):
        self.assertEqual(self.matmul.metas["BM"], 128)
        self.assertIn("BN=256", self.matmul.configs[0])
        a, c, m = (self.matmul.arguments[i] for i in (0, 2, 3))
        self.assertEqual((a.name, a.type, a.is_pointer, a.is_written), ("a", "f16", True, False))
        self.assertTrue(c.is_written)
        self.assertEqual((m.type, m.is_pointer, m.is_key), ("i32", False, True))
        self.assertTrue(self.matmul.place[0].endswith("matmul.mlir"))
        self.assertIn("matmul.mlir", repr(self.matmul))

    def test_code(self):
        code = self.matmul.compile("sm_90a", config={"BM": 64, "num_warps": 4}, format="ptx")
        self.assertIn(".target sm_90a", code.text)
        self.assertEqual((code.arch, code.num_warps, code.code), ("sm_90a", 4, code.text.encode()))
        self.assertIn("BM=64", code.config)
        self.assertEqual(self.matmul.compile("cpu").code[:4], b"\x7fELF")
        with self.assertRaises(ValueError):
            self.matmul.compile("cpu").text
        with self.assertRaises(tile.Error) as caught:
            self.matmul.compile("sm_17")
        self.assertIn("found 'sm_17'", str(caught.exception))
        with self.assertRaises(ValueError):
            self.matmul.compile("cpu", format="gif")

    def test_artifact_launches(self):
        add = tile.load(os.path.join(examples, "Basics", "vector_add.mlir"))["add"]
        x, out = array.array("i", [1, 2, 3]), array.array("f", [0, 0, 0])
        code = add.compile("cpu")
        code(array.array("f", x), array.array("f", x), out, 3)
        self.assertEqual(list(out), [2, 4, 6])
        with self.assertRaises(TypeError):
            code(x, x, out, 3)


class Diagnostics(unittest.TestCase):
    def test_error_has_its_place(self):
        with self.assertRaises(tile.Error) as caught:
            tile.parse("tile.func @f() {\n  %0 = tile.laod\n}", "kernels.mlir")
        self.assertTrue(str(caught.exception).startswith("kernels.mlir:2:8: error: "))
        first = caught.exception.diagnostics[0]
        self.assertEqual((first.severity, first.file, first.line, first.column), ("error", "kernels.mlir", 2, 8))
        self.assertTrue(str(caught.exception).startswith(str(first)))
        self.assertEqual(caught.exception.status, "TILE_STATUS_SOURCE")

    def test_missing_file(self):
        with self.assertRaises(tile.Error) as caught:
            tile.load("/nowhere/kernels.mlir")
        self.assertEqual(caught.exception.status, "TILE_STATUS_NOT_FOUND")

    def test_check(self):
        add = tile.load(os.path.join(examples, "Basics", "vector_add.mlir"))["add"]
        x, out = array.array("f", range(100)), array.array("f", bytes(380))
        self.assertEqual(add.check(x, x, array.array("f", bytes(400)), 100), [])
        found = add.check(x, x, out, 100)
        self.assertEqual([f.severity for f in found], ["error"])
        self.assertIn("expected an element of %out (95xf32), 0 to 94, found element 95", found[0].message)
        self.assertEqual(found[0].line, 32)
        self.assertEqual(list(out[:3]), [0, 2, 4])
        # An array of its own: what shares memory with %x is written where that is.
        y = array.array("f", range(100))
        found = add.check(x, y, array.array("f", bytes(400)), 100, empty=["y"])
        self.assertIn("expected an element that was written, found [0] of %y", found[0].message)
        with self.assertRaises(TypeError):
            add.check(x, x, out.buffer_info()[0], 100)
        for kind, empty in (TypeError, "out"), (TypeError, 2), (ValueError, ["nothing"]):
            with self.assertRaisesRegex(kind, f"found .*{empty[0] if isinstance(empty, list) else empty}"):
                add.check(x, x, out, 100, empty=empty)

    def test_tune(self):
        add = tile.load(os.path.join(examples, "Basics", "vector_add.mlir"))["add"]
        x, out = array.array("f", range(5000)), array.array("f", bytes(20000))
        found = add.tune(x, x, out, candidates=["BLOCK=512", {"BLOCK": 2048}], spaces={"BLOCK": [64, 256]})
        self.assertEqual(len(found.trials), 5)
        self.assertEqual([t.config for t in found.trials if t.outcome == "best"], [found.config])
        self.assertGreater(found.seconds, 0)
        self.assertEqual((found.key, set(out)), ("5000", {0.0}))
        add(x, x, out)
        self.assertEqual(out[4999], 9998)
        for wrong in {"spaces": {"BLOCK": "64"}}, {"spaces": {"BLOCK": 64}}, {"candidates": "BLOCK=64"}, {"space": {}}:
            with self.assertRaisesRegex(TypeError, "found .*(64|space)"):
                add.tune(x, x, out, **wrong)
        with self.assertRaises(tile.Error):
            add.tune(x, x, out, candidates=["BLOK=1"])
        with self.assertRaises(TypeError):
            add.tune(x, x, out, spaces=["BLOCK=1"])

    def test_prints_go_to_stdout(self):
        import contextlib
        import io
        text = """tile.func @hello(%n: i32) {
          %pid = tile.program_id x
          tile.print "program" %pid : i32
          tile.return
        }"""
        hello, stream = tile.parse(text)["hello"], io.StringIO()
        with contextlib.redirect_stdout(stream):
            hello(1, grid=2, device="cpu")
        self.assertEqual(stream.getvalue().count("program"), 2)


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main()
