"""Arrays that say on which GPU they are: launches go there. With a driver that has two, which a test brings."""
import array
import ctypes
import os
import unittest

import tile

examples = os.environ["TILE_EXAMPLES"]
driver = ctypes.CDLL(os.environ["TILE_CUDA_DRIVER"])
COUNT = 1000
CUDA, FLOAT = 2, 2
api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Managed(ctypes.Structure):
    """DLPack's DLManagedTensor."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64),
                ("owner", ctypes.c_void_p), ("release", ctypes.c_void_p)]


class OnGpu:
    """An array of floats on a GPU of this number, as DLPack tells it."""

    def __init__(self, device):
        self.memory = array.array("f", range(COUNT))
        self.shape = (ctypes.c_int64 * 1)(COUNT)
        self.managed = Managed(self.memory.buffer_info()[0], CUDA, device, 1, FLOAT, 32, 1, self.shape, None, 0)

    def __dlpack__(self, max_version=None):
        return api.PyCapsule_New(ctypes.addressof(self.managed), b"dltensor", None)


class Interface:
    """The same as older libraries tell it, which say no number."""

    def __init__(self):
        self.memory = array.array("f", range(COUNT))
        self.__cuda_array_interface__ = {"shape": (COUNT,), "typestr": "<f4", "version": 3,
                                         "data": (self.memory.buffer_info()[0], False)}


def current():
    context = ctypes.c_void_p()
    driver.cuCtxGetCurrent(ctypes.byref(context))
    return context.value


class Devices(unittest.TestCase):
    def setUp(self):
        self.seen = []
        self.watch = ctypes.CFUNCTYPE(None)(lambda: self.seen.append(current()))
        self.hook = ctypes.c_void_p.in_dll(driver, "fakeOnLaunch")
        self.hook.value = ctypes.cast(self.watch, ctypes.c_void_p).value
        self.second = ctypes.addressof(ctypes.c_int.in_dll(driver, "fakeOtherContext"))
        self.add = tile.load(os.path.join(examples, "Basics", "vector_add.mlir"))["add"]

    def tearDown(self):
        self.hook.value = None

    def test_launches_go_where_arrays_are(self):
        arrays = [[OnGpu(device) for _ in range(3)] for device in (0, 1)]
        for device in (0, 1, 1, 0):
            x, y, out = arrays[device]
            before = current()
            self.add(x, y, out, COUNT)
            self.assertEqual(list(out.memory), [2.0 * i for i in range(COUNT)])
            self.assertEqual(self.seen[-1] == self.second, device == 1)
            self.assertIn(current(), (before, self.seen[0]))
        artifact = self.add.compile("sm_90a", format="ptx")
        artifact(*arrays[1], COUNT)
        self.assertEqual(self.seen[-1], self.second)
        self.assertNotEqual(current(), self.second)

    def test_arrays_of_two_devices(self):
        with self.assertRaisesRegex(ValueError, r"expected all arrays on one device, found %y of 'add' on GPU 1, others on 0"):
            self.add(OnGpu(0), OnGpu(1), OnGpu(0), COUNT)
        self.assertEqual(self.seen, [])

    def test_who_says_nothing_is_taken_along(self):
        x, y, out = Interface(), OnGpu(1), Interface()
        self.add(x, y, out, COUNT)
        self.assertEqual(self.seen, [self.second])
        self.add(x, x, out, COUNT)
        self.assertNotEqual(self.seen[-1], self.second)

    def test_a_device_that_is_not_there(self):
        with self.assertRaisesRegex(tile.Error, "expected a device number in 0 .. 1, found 5"):
            self.add(OnGpu(5), OnGpu(5), OnGpu(5), COUNT)


if __name__ == "__main__":
    unittest.main()
