"""Arrays of NumPy and JAX, in their memory."""
import os
import unittest

import numpy

import tile

examples = os.environ["TILE_EXAMPLES"]


class Numpy(unittest.TestCase):
    def test_strides_and_types(self):
        matmul = tile.load(os.path.join(examples, "Matmul", "matmul.mlir"))["matmul"]
        random = numpy.random.default_rng(1)
        a = random.standard_normal((70, 30)).astype(numpy.float16)
        b = random.standard_normal((50, 30)).astype(numpy.float16).T
        c = numpy.zeros((70, 64), numpy.float16)[:, :50]
        strides = [s // 2 for array in (a, b, c) for s in array.strides]
        matmul(a, b, c, 70, 50, 30, *strides, config="BM=32,BN=32,BK=32")
        numpy.testing.assert_allclose(c, a.astype("f8") @ b.astype("f8"), rtol=2e-3, atol=2e-3)
        self.assertFalse(c.base[:, 50:].any())
        with self.assertRaisesRegex(TypeError, "expected an array of f16 for %a of 'matmul', found one of f32"):
            matmul(a.astype("f4"), b, c, 70, 50, 30, *strides)

    def test_measures(self):
        add = tile.load(os.path.join(examples, "Basics", "vector_add.mlir"))["add"]
        x, out = numpy.arange(33, dtype=numpy.float32), numpy.zeros(33, numpy.float32)
        add(x, x, out)
        numpy.testing.assert_array_equal(out, 2 * x)
        add(x, x, out[:3], None)
        with self.assertRaisesRegex(ValueError, "more than 0 dimensions for %out of 'add', found one of 0"):
            add(x, x, numpy.array(0, numpy.float32))
        self.assertEqual(add.arguments[3].measure, ("extent", 2, 0))

    def test_measures_of_a_product(self):
        matmul = tile.load(os.path.join(examples, "Matmul", "matmul.mlir"))["matmul"]
        random = numpy.random.default_rng(1)
        a = random.standard_normal((70, 30)).astype(numpy.float16)
        b = random.standard_normal((50, 30)).astype(numpy.float16).T
        c = numpy.zeros((70, 64), numpy.float16)[:, :50]
        matmul(a, b, c, config="BM=32,BN=32,BK=32")
        numpy.testing.assert_allclose(c, a.astype("f8") @ b.astype("f8"), rtol=2e-3, atol=2e-3)
        self.assertFalse(c.base[:, 50:].any())

    def test_strides_of_one_row(self):
        """By which no element is found: a multiple of 16, whatever the library says."""
        measures = tile.parse("""
            tile.func @measures(%a: !tile.ptr<f32>, %out: !tile.ptr<i32>, %s: i32 {tile.stride = [0, 0]}, %t: i32 {tile.stride = [0, 1]}) {
              %first = tile.expr %out + 0
              %second = tile.expr %out + 1
              tile.store %first, %s : !tile.ptr<i32>
              tile.store %second, %t : !tile.ptr<i32>
              tile.return
            }
        """)["measures"]
        out = numpy.zeros(2, numpy.int32)
        column = numpy.zeros((37, 1), numpy.float32)
        for array, strides in ((column.T, (48, 1)), (column, (1, 1)), (numpy.zeros((1, 32), numpy.float32), (32, 1)),
                               (numpy.zeros((2, 37), numpy.float32), (37, 1))):
            measures(array, out, grid=1)
            self.assertEqual(tuple(out), strides)

    def test_scalars_and_read_only(self):
        add = tile.load(os.path.join(examples, "Basics", "vector_add.mlir"))["add"]
        x = numpy.arange(33, dtype=numpy.float32)
        x.flags.writeable = False
        out = numpy.zeros_like(x)
        add(x, x, out, numpy.int64(33))
        numpy.testing.assert_array_equal(out, 2 * x)
        with self.assertRaisesRegex(ValueError, "read-only"):
            add(x, x, x, 33)
        with self.assertRaisesRegex(TypeError, "found one of another type|expected an array"):
            add(x, x, out.view(">f4"), 33)

    def test_check_of_strided_arrays(self):
        add = tile.load(os.path.join(examples, "Basics", "vector_add.mlir"))["add"]
        x = numpy.arange(20, dtype=numpy.float32)
        self.assertEqual(add.check(x[::2], x[::2], numpy.zeros(19, numpy.float32), 19), [])
        self.assertEqual(len(add.check(x[::2], x[::2], numpy.zeros(20, numpy.float32), 20)), 2)

    def test_without_buffers(self):
        """What NumPy's arrays of bfloat16 are: an array interface and no buffer."""
        class Bits:
            def __init__(self, array, typestr):
                self.array, self.typestr = array, typestr

            @property
            def __array_interface__(self):
                return dict(self.array.__array_interface__, typestr=self.typestr)

        double = tile.parse("""
            tile.func @double(%p: !tile.ptr<bf16>) {
              %lane = tile.arange : tensor<8xi32>
              %ps = tile.splat %p : !tile.ptr<bf16> -> tensor<8x!tile.ptr<bf16>>
              %at = tile.addptr %ps, %lane : tensor<8x!tile.ptr<bf16>>, tensor<8xi32>
              %v = tile.load %at : tensor<8x!tile.ptr<bf16>>
              %w = arith.addf %v, %v : tensor<8xbf16>
              tile.store %at, %w : tensor<8x!tile.ptr<bf16>>
              tile.return
            }""")["double"]
        bits = numpy.full(8, 0x3FC0, numpy.uint16)  # 1.5
        double(Bits(bits, "<V2"))
        self.assertEqual(set(bits), {0x4040})  # 3
        double(bits)
        self.assertEqual(set(bits), {0x40C0})  # 6
        with self.assertRaisesRegex(TypeError, "found one of f16"):
            double(bits.view(numpy.float16))


try:
    import jax

    class Jax(unittest.TestCase):
        def test_reads_and_does_not_write(self):
            add = tile.load(os.path.join(examples, "Basics", "vector_add.mlir"))["add"]
            # Beside an array of NumPy's, and so on the CPU, also where JAX has a GPU.
            x, out = jax.device_put(numpy.arange(9.0, dtype="float32"), jax.devices("cpu")[0]), numpy.zeros(9, numpy.float32)
            add(x, x, out, 9)
            numpy.testing.assert_array_equal(out, 2 * numpy.asarray(x))
            with self.assertRaisesRegex(ValueError, "read-only"):
                add(x, x, x, 9)
except ImportError:
    pass

if __name__ == "__main__":
    unittest.main()
