# SPDX-License-Identifier: Apache-2.0
"""Succeeds if a float WAV file has a steady sine: measure.py FILE FREQUENCY.

The frequency, within 0.01 Hz, comes from the first and the last upward zero crossing of the longest
part without a gap; the start and the end are left out, where a rate converter rings."""

import struct
import sys

# Seconds that have to be without a gap. A device does not wait for a program that a busy machine holds
# up, so there may be gaps elsewhere.
STEADY = 0.2


def steady_crossings(samples, period, rate):
    """The upward zero crossings of the longest part in which each is a period after the one before."""
    crossings = [
        index - samples[index] / (samples[index] - samples[index - 1])
        for index in range(1, len(samples))
        if samples[index - 1] < 0 <= samples[index]
    ]
    assert crossings, f"{len(samples)} frames without a tone in them"
    parts = [[crossings[0]]]
    for crossing in crossings[1:]:
        if abs(crossing - parts[-1][-1] - period) > 0.05 * period:
            parts.append([])
        parts[-1].append(crossing)
    longest = max(parts, key=len)
    length = (longest[-1] - longest[0]) / rate
    expected = min(STEADY, 0.8 * len(samples) / rate)
    assert length >= expected, f"{length:.3f} s of a tone, at least {expected:.3f} expected"
    return longest


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


if __name__ == "__main__":
    rate, samples = read_first_channel(sys.argv[1])
    expected = float(sys.argv[2])
    samples = samples[len(samples) // 10 : -len(samples) // 10]
    crossings = steady_crossings(samples, rate / expected, rate)
    frequency = rate * (len(crossings) - 1) / (crossings[-1] - crossings[0])
    print(f"{frequency:.4f} Hz, peak {max(samples):.4f}, {len(samples) / rate:.2f} s")
    assert abs(frequency - expected) < 0.01, f"{expected} Hz expected"
