# SPDX-License-Identifier: Apache-2.0
"""Runs a program and checks its results: judge.py SOURCE PROGRAM [ARGUMENT…]

The first comment of the source declares the expectations, in lines of these forms:
  // Plays 440 Hz at 0.25.      the file that is the device then has that sine, with that peak
  // Plays 440 Hz at 0.25 on channel 2.
  // Ends with a note of 440 Hz.  the last half second of sound has that partial, within a hertz
  // Captures 440 Hz at 0.5.    the device has that sine as its input, repeated endlessly
  // Has 4 channels.            the channels of the device; two by default
  // Prints EXPRESSION          a line of its output matches
The frequency is measured in the middle of the sound, in its longest part without a gap."""

import array
import cmath
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

from measure import steady_crossings

RATE = 48000


def write_sine(path, frequency, peak, channels):
    samples = array.array("f")
    for frame in range(RATE):  # whole periods of whole frequencies, so that it can be looped
        samples.extend([peak * math.sin(2 * math.pi * frequency * frame / RATE)] * channels)
    data = samples.tobytes()
    form = struct.pack("<HHIIHH", 3, channels, RATE, RATE * 4 * channels, 4 * channels, 32)
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVE")
        file.write(b"fmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", len(data)))
        file.write(data)


def read_channel(path, channel):
    """The sample rate and the samples of one channel of a 32-bit float WAV file."""
    data = open(path, "rb").read()
    position, rate, channels = 12, 0, 0
    while position + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, position)
        position += 8
        if name == b"fmt ":
            _, channels, rate = struct.unpack_from("<HHI", data, position)
        if name == b"data":
            samples = array.array("f", data[position : position + size // 4 * 4])
            return rate, samples[channel - 1 :: channels]
        position += size + size % 2
    raise AssertionError("no samples")


def check_sine(path, frequency, peak, channel):
    rate, samples = read_channel(path, channel)
    # From the first sound to the last, without what a filter or a ramp does at its ends.
    loud = [index for index, sample in enumerate(samples) if abs(sample) > peak / 2]
    assert loud, "silence"
    margin = (loud[-1] - loud[0]) // 4
    samples = samples[loud[0] + margin : loud[-1] - margin]
    crossings = steady_crossings(samples, rate / frequency, rate)
    measured = rate * (len(crossings) - 1) / (crossings[-1] - crossings[0])
    samples = samples[math.ceil(crossings[0]) : int(crossings[-1])]
    level = math.sqrt(2 * sum(sample * sample for sample in samples) / len(samples))
    text = f"{measured:.2f} Hz at {level:.3f}"
    assert abs(measured - frequency) < 0.2, f"{text}; {frequency} Hz expected"
    assert abs(level - peak) < 0.03 * peak, f"{text}; {peak} expected"
    assert max(map(abs, samples)) < 1.05 * peak, f"{text}, and louder peaks: no sine"
    return text


def check_note(path, frequency):
    """Measures the frequency of a partial from its phase in two windows, half a window apart."""
    rate, samples = read_channel(path, 1)
    loud = [index for index, sample in enumerate(samples) if abs(sample) > 0.002]
    assert loud, "silence"
    size = rate // 4
    start = loud[-1] - 2 * size - rate // 5
    assert start > loud[0], "a single short sound"

    def partial(begin):
        total = 0
        for index in range(size):
            window = 0.5 - 0.5 * math.cos(2 * math.pi * index / size)
            angle = -2 * math.pi * frequency * (begin + index) / rate
            total += samples[begin + index] * window * complex(math.cos(angle), math.sin(angle))
        return total

    first, second = partial(start), partial(start + size // 2)
    measured = frequency + cmath.phase(second / first) / math.pi * rate / size
    level = 4 * abs(first) / size
    text = f"a note of {measured:.2f} Hz at {level:.3f}"
    assert level > 0.005 and abs(measured - frequency) < 1, f"{text}; {frequency} Hz expected"
    return text


source, *command = sys.argv[1:]
comment = re.match(r"(?://[^\n]*\n)+", open(source, encoding="utf-8").read()).group()
number = r"([\d.]*\d)"
plays = re.findall(rf"Plays {number} Hz at {number}(?: on channel (\d+))?\.", comment)
captures = re.search(rf"Captures {number} Hz at {number}\.", comment)
channels = re.search(r"Has (\d+) channels\.", comment)
prints = re.findall(r"Prints (.*)", comment)
note = re.search(rf"Ends with a note of {number} Hz\.", comment)
assert plays or prints or note, f"{source} does not say what to expect"

with tempfile.TemporaryDirectory() as folder:
    output, input_file = f"{folder}/out.wav", f"{folder}/in.wav"
    count = channels.group(1) if channels else "2"
    environment = dict(
        os.environ, AUDIOTOOLBOX_DEVICE=f"file:{output}", AUDIOTOOLBOX_CHANNELS=count,
        AUDIOTOOLBOX_RATE=str(RATE), AUDIOTOOLBOX_INPUT="loop")
    if captures:
        write_sine(input_file, float(captures.group(1)), float(captures.group(2)), int(count))
        environment["AUDIOTOOLBOX_DEVICE"] += f",{input_file}"
    run = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
        errors="replace")
    assert run.returncode == 0, f"exit code {run.returncode}: {run.stdout}"
    for expression in prints:
        assert re.search(expression, run.stdout), f"{expression!r} is not in: {run.stdout}"
    measured = [
        check_sine(output, float(frequency), float(peak), int(channel or 1))
        for frequency, peak, channel in plays
    ]
    if note:
        measured.append(check_note(output, float(note.group(1))))
print(", ".join(measured) or "printed")
