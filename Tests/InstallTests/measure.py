# SPDX-License-Identifier: Apache-2.0
"""Succeeds if a float WAV file has a steady sine: measure.py FILE FREQUENCY.

The frequency, within 0.01 Hz, comes from the first and the last upward zero crossing; the start and
the end are left out, where a rate converter rings."""

import struct
import sys


def read_first_channel(path):
    """The sample rate and the samples of a 32-bit float WAV file."""
    data = open(path, "rb").read()
    assert data[:4] in (b"RIFF", b"RF64") and data[8:12] == b"WAVE", "not a WAV file"
    position, rate, channels = 12, 0, 0
    while position + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, position)
        position += 8
        if name == b"fmt ":
            kind, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", data, position)
            assert kind in (3, 0xFFFE) and bits == 32, "not 32-bit float"
        if name == b"data":
            count = min(size, len(data) - position) // 4
            return rate, struct.unpack_from(f"<{count}f", data, position)[::channels]
        position += size + size % 2
    raise AssertionError("no samples")


rate, samples = read_first_channel(sys.argv[1])
expected = float(sys.argv[2])
samples = samples[len(samples) // 10 : -len(samples) // 10]
crossings = [
    index - samples[index] / (samples[index] - samples[index - 1])
    for index in range(1, len(samples))
    if samples[index - 1] < 0 <= samples[index]
]
assert len(crossings) > 20, f"{len(samples)} frames, hardly a tone in them"
frequency = rate * (len(crossings) - 1) / (crossings[-1] - crossings[0])
print(f"{frequency:.4f} Hz, peak {max(samples):.4f}, {len(samples) / rate:.2f} s")
assert abs(frequency - expected) < 0.01, f"{expected} Hz expected"
