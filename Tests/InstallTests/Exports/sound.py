#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of 32-bit float samples for the tests of the exported plug-ins.

sound.py make FILE.wav        a second of stereo noise in bursts, at 48000 Hz
sound.py raw IN.wav OUT.raw   only the samples
sound.py same A B             whether both have the same samples, to the bit, and are not silent; the longer one
                              may continue
sound.py sounds A             whether it is not silent and has only finite samples
sound.py preset FILE.ttl NAME the values of a preset of an LV2 plug-in, as options of lv2apply
sound.py state FILE.ttl NAME OUT  the state of such a preset"""

import array
import base64
import math
import random
import re
import struct
import sys


def samples(path):
    data = open(path, "rb").read()
    if path.endswith(".wav"):
        place = data.index(b"data")
        size = struct.unpack("<I", data[place + 4 : place + 8])[0]
        data = data[place + 8 : place + 8 + size]
    return array.array("f", data[: len(data) // 4 * 4])


def make(path):
    noise = random.Random(1)
    values = array.array("f", (noise.uniform(-0.3, 0.3) * (i // 16000 % 2 == 0) for i in range(96000)))
    data = values.tobytes()
    form = struct.pack("<HHIIHH", 3, 2, 48000, 384000, 8, 32)
    chunks = b"fmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", len(data)) + data
    open(path, "wb").write(b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WAVE" + chunks)


def sounds(path):
    values = samples(path)
    if not all(map(math.isfinite, values)):
        sys.exit(f"{path} has samples that are not finite")
    peak = max(map(abs, values), default=0)
    print(f"{len(values)} samples, peak {peak:.3f}")
    if peak < 0.001:
        sys.exit(f"{path} is silent")


def same(first, second):
    a, b = samples(first), samples(second)
    count = min(len(a), len(b))
    differences = [i for i in range(count) if a[i] != b[i]]
    if differences:
        sys.exit(f"{len(differences)} of {count} samples differ, first {differences[0]}")
    sounds(first)


def preset(path, name):
    for block in open(path).read().split("\n\n"):
        if f'rdfs:label "{name}"' in block:
            ports = re.findall(r'lv2:symbol "(\w+)" ; pset:value (\S+)', block)
            print(" ".join(f"-c {symbol} {value}" for symbol, value in ports))
            return
    sys.exit(f"{path} has no preset {name}")


def state(path, name, output):
    for block in open(path).read().split("\n\n"):
        found = re.search(r'"([^"]*)"\^\^xsd:base64Binary', block)
        if f'rdfs:label "{name}"' in block and found:
            open(output, "wb").write(base64.b64decode(found.group(1), validate=True))
            return
    sys.exit(f"{path} has no preset {name} with a state")


commands = {"state": state, "make": make, "same": same, "sounds": sounds, "preset": preset}
if sys.argv[1] == "raw":
    open(sys.argv[3], "wb").write(samples(sys.argv[2]).tobytes())
else:
    commands[sys.argv[1]](*sys.argv[2:])
