# SPDX-License-Identifier: Apache-2.0
"""Times numpy: vectors.py COUNT prints nanoseconds per element of each operation, or ends if numpy is
missing."""

import sys
import timeit

import numpy

count = int(sys.argv[1])
a = numpy.linspace(-1, 1, count, dtype=numpy.float32)
b, c = a + 2, numpy.empty_like(a)
wide = numpy.empty(count, numpy.int16)
kernel = a[:64].copy()
operations = {
    "multiply": lambda: numpy.multiply(a, b, out=c),
    "dot product": lambda: numpy.dot(a, b),
    "root mean square": lambda: numpy.sqrt(numpy.mean(a * a)),
    "maximum": lambda: numpy.max(a),
    "limits": lambda: numpy.clip(a, -0.5, 0.5, out=c),
    "to 16 bits": lambda: numpy.copyto(wide, a, casting="unsafe"),
    "sine": lambda: numpy.sin(a, out=c),
    "exponential": lambda: numpy.exp(a, out=c),
    "correlation, 64 taps": lambda: numpy.correlate(a, kernel),
}
for name, operation in operations.items():
    calls, spent = timeit.Timer(operation).autorange()
    times = timeit.Timer(operation).repeat(5, max(1, calls // 10))
    print(f"{name}\t{sorted(times)[2] / max(1, calls // 10) / count * 1e9}")
