# SPDX-License-Identifier: Apache-2.0
"""Reads the declarations of vDSP and vForce, and calls functions with random vectors as they declare.

A pointer that is followed by a stride is a vector, and other pointers are numbers or vectors without a
stride. Vectors lie in memory that is longer than they are, with strides of both signs."""

import ctypes
import inspect
import pathlib
import re

import numpy

HEADERS = pathlib.Path(__file__).resolve().parent.parent.parent / "Sources/CAccelerate/include/vecLib"
random = numpy.random.default_rng(1)
TOLERANCES = {"float32": 1e-6, "float64": 1e-13}
# The C types of elements; those of three bytes are little-endian numbers.
ELEMENTS = {
    "float": "float32", "double": "float64", "char": "int8", "unsigned char": "uint8", "short": "int16",
    "unsigned short": "uint16", "int": "int32", "unsigned int": "uint32", "vDSP_Length": "uint64",
    "vDSP_int24": "int24", "vDSP_uint24": "uint24",
}
SPLIT = {"DSPSplitComplex": "float32", "DSPDoubleSplitComplex": "float64"}


def declared_functions():
    """The arguments of each function, as a list of C texts."""
    functions = {}
    for header in sorted(HEADERS.glob("*.h")):
        text = re.sub(r"//[^\n]*|_Nonnull|_Nullable", "", header.read_text())
        for name, arguments in re.findall(r"\b(vDSP_\w+|vv\w+)\(([^()]*)\);", text):
            functions[name] = [" ".join(part.split()).replace(" *", "*") for part in arguments.split(",")]
    return functions


class Library:
    """The functions of a shared library, and which of them were called."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.called = set()

    def __getattr__(self, name):
        self.called.add(name)
        return getattr(self.library, name)

    def setup(self, name, *arguments):
        """What a function returns that creates a setup."""
        create = getattr(self, name)
        create.restype = ctypes.c_void_p
        return ctypes.c_void_p(create(*arguments))


def pointer(numbers):
    return ctypes.c_void_p(numbers.ctypes.data)


class Vector:
    """Random numbers with a stride."""

    def __init__(self, count, stride, kind, low=-1.0, high=1.0):
        self.count, self.stride, self.kind = count, stride, kind
        self.first = (count - 1) * -stride if stride < 0 else 0
        size = max(0, count - 1) * abs(stride) + 1
        self.memory = numpy.zeros((size, 3) if kind.endswith("24") else size, kind.replace("int24", "uint8")
                                  if kind == "int24" else "uint8" if kind == "uint24" else kind)
        if kind.startswith("float"):
            self.memory[:] = random.uniform(low, high, size)
        elif kind.endswith("24"):
            self.memory[:] = random.integers(0, 256, (size, 3))
        elif (low, high) == (-1.0, 1.0):
            limits = numpy.iinfo(kind)
            self.memory[:] = random.integers(limits.min, limits.max, size, kind, True)
        else:
            self.memory[:] = random.integers(low, high, size)

    def elements(self):
        if self.stride == 0:
            return numpy.repeat(self.memory[:1], self.count, 0)
        return self.memory[self.first::self.stride][:self.count]

    def numbers(self):
        """The elements in double, or as integers."""
        elements = self.elements()
        if self.kind.endswith("24"):
            number = elements.astype(numpy.int64) @ [1, 1 << 8, 1 << 16]
            return number - (number >= 1 << 23) * (1 << 24) if self.kind == "int24" else number
        return elements.astype(numpy.float64 if self.kind.startswith("float") else numpy.int64)

    def assign(self, numbers):
        self.elements()[:] = numbers

    def address(self):
        return ctypes.c_void_p(self.memory.ctypes.data + self.first * self.memory.strides[0])

    def arguments(self):
        return [self.address(), ctypes.c_long(self.stride)]


class Split:
    """Random complex numbers in two arrays with one stride."""

    def __init__(self, count, stride, kind, low=-1.0, high=1.0):
        self.re, self.im = (Vector(count, stride, kind, low, high) for _ in range(2))
        self.stride = stride
        self.pointer = (ctypes.c_void_p * 2)(self.re.address().value, self.im.address().value)

    def numbers(self):
        return self.re.numbers() + 1j * self.im.numbers()

    def address(self):
        return self.pointer

    def arguments(self):
        return [self.pointer, ctypes.c_long(self.stride)]


class Results:
    """What was compared, and what was not equal."""

    def __init__(self):
        self.count = 0
        self.wrong = []

    def expect(self, name, result, expected, kind, detail, growth=1.0):
        """Compares to the tolerance of the type, times the greatest number or 1, times `growth`."""
        self.count += 1
        expected = numpy.atleast_1d(numpy.asarray(expected))
        result = numpy.atleast_1d(result)[:len(expected)]
        if not kind.startswith("float"):
            if not numpy.array_equal(result, expected):
                place = int(numpy.argmax(result != expected))
                self.wrong.append(f"{name} {detail}: {result[place]} at {place} instead of {expected[place]}")
            return
        scale = max(1.0, float(numpy.max(numpy.abs(expected), initial=0))) * growth
        if not numpy.allclose(result, expected, rtol=0, atol=TOLERANCES[kind] * scale):
            off = numpy.max(numpy.abs(result - expected)) / scale
            self.wrong.append(f"{name} {detail}: off by {off:.2e}")


class Formula:
    """What a function computes, with the names of its declaration: a number or vector, or a dictionary of
    several. Lengths, sizes and growth are texts with the lengths N, M, P … in them."""

    def __init__(self, function, sizes=None, ranges=None, lengths=None, choices=None, growth="1",
                 prepare=None, values=None):
        self.function = function
        self.parameters = inspect.signature(function).parameters
        self.sizes, self.ranges = sizes or {}, ranges or {}
        self.lengths, self.choices = lengths or {}, choices or {}
        self.growth, self.prepare, self.values = growth, prepare or {}, values or {}


class Call:
    """One call of a function with random arguments."""

    def __init__(self, name, declaration, formula, count, some_stride):
        self.name, self.formula, self.some_stride = name, formula, some_stride
        self.lengths = {"N": count}
        for length, most in formula.lengths.items():
            self.lengths[length] = most(self.lengths) if callable(most) else int(random.integers(1, most + 1))
        self.named, self.arguments, self.outputs, self.kept = {}, [], [], []
        self.is_force = name.startswith("vv")
        parts = [re.sub(r"\b__", "", part) for part in declaration]
        index = 0
        while index < len(parts):
            index += self.add(parts, index)

    def size(self, name, default):
        return int(eval(str(self.formula.sizes.get(name, default)), {}, self.lengths))

    def range(self, name):
        low, high = self.formula.ranges.get(name, (-1.0, 1.0))
        return [eval(end, {}, self.lengths) if isinstance(end, str) else end for end in (low, high)]

    def add(self, parts, index):
        """Adds the argument at an index, and returns how many it takes: a stride belongs to its vector."""
        found = re.fullmatch(r"(const )?([\w ]+?)(\*?) ?(\w+)", parts[index])
        is_const, kind, is_pointer, name = bool(found[1]), found[2].strip(), found[3], found[4]
        if not is_pointer:
            value = self.lengths.get(name)
            if value is None:
                value = random.choice(self.formula.choices[name])
            self.named[name] = int(value)
            wide = kind in ("vDSP_Length", "vDSP_Stride")
            self.arguments.append(ctypes.c_long(int(value)) if wide else ctypes.c_int(int(value)))
            return 1
        if self.is_force and name == "n":
            self.kept.append(ctypes.c_int(self.lengths["N"]))
            self.arguments.append(ctypes.byref(self.kept[-1]))
            return 1
        if name == "Reserved":
            self.arguments.append(None)
            return 1
        following = parts[index + 1:index + 3]
        if following[:1] == [f"vDSP_Stride I{name}"]:
            self.vector(name, kind, is_const, self.some_stride(), f"I{name}")
            return 2
        # Two vectors with one stride.
        shared = [part for part in following if part in ("vDSP_Stride IS", "vDSP_Stride OS")]
        if name.endswith("0") and len(following) == 2 and shared == following[1:]:
            stride = self.some_stride()
            self.vector(name, kind, is_const, stride)
            self.arguments.pop()
            other = following[0].rsplit("*", 1)[1].strip()
            self.vector(other, kind, is_const, stride)
            return 3
        self.vector(name, kind, is_const, None)
        return 1

    def vector(self, name, kind, is_const, stride, stride_name=None):
        one = stride is None and is_const and not self.is_force
        count = self.size(name, 1 if one else "N")
        fixed = name in self.formula.values or name in self.formula.prepare
        if stride_name and stride != 1 and is_const and kind not in SPLIT and not fixed:
            # One number for all elements, now and then.
            stride = stride if random.integers(0, 8) else 0
        maker = Split if kind in SPLIT else Vector
        made = maker(count, stride or (0 if stride == 0 else 1), SPLIT.get(kind) or ELEMENTS[kind],
                     *self.range(name))
        if name in self.formula.values:
            made.assign(self.formula.values[name])
        if name in self.formula.prepare:
            made.assign(self.formula.prepare[name](made.numbers()))
        self.named[name] = made
        self.arguments += made.arguments() if stride is not None else [made.address()]
        if stride_name:
            self.named[stride_name] = stride
        if not is_const or kind in SPLIT:
            self.outputs.append(name)

    def compare(self, library, results):
        numbers = {
            name: value.numbers().copy() if hasattr(value, "numbers") else value
            for name, value in self.named.items()
        }
        used = {name: numbers[name] if name in numbers else self.lengths[name]
                for name in self.formula.parameters}
        expected = self.formula.function(**used)
        getattr(library, self.name)(*self.arguments)
        if not isinstance(expected, dict):
            expected = {self.outputs[0] if self.is_force else self.outputs[-1]: expected}
        growth = eval(self.formula.growth, {}, self.lengths)
        strides = [value for name, value in self.named.items() if isinstance(value, int)]
        for name, value in expected.items():
            made = self.named[name]
            kind = made.re.kind if isinstance(made, Split) else made.kind
            detail = f"{name}, {self.lengths} {strides}"
            results.expect(self.name, made.numbers(), value, kind, detail, growth)
