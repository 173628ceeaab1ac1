# SPDX-License-Identifier: Apache-2.0
"""Reads and writes compressed files with an installed wheel: what its own codecs do, they do without an installed
libavcodec; what they lack, an installed one adds."""

import ctypes
import pathlib
import subprocess
import sys

import numpy as np

import audiotoolbox as at

RATE = 48_000
TONE = 0.5 * np.sin(2 * np.pi * 997 * np.arange(RATE) / RATE).astype(np.float32)


def opened(name):
    """Whether a library of this name is in the process."""
    return name in pathlib.Path("/proc/self/maps").read_text()


def distortion(path):
    """Everything but the tone, in dB below it."""
    samples, rate = at.read(path)
    assert rate == RATE, f"{path}: {rate} Hz"
    middle = samples[0, RATE // 4 : RATE * 3 // 4].astype(np.float64)
    places = np.arange(middle.size)
    basis = np.stack([np.cos(2 * np.pi * 997 * places / RATE), np.sin(2 * np.pi * 997 * places / RATE)], axis=1)
    factors = np.linalg.lstsq(basis, middle, rcond=None)[0]
    level = np.hypot(*factors)
    # LAME encodes with 0.95 of the level.
    assert abs(level - 0.5) < 0.03, f"{path}: the tone has a level of {level:.3f}"
    rest = np.sqrt(np.mean((middle - basis @ factors) ** 2)) + 1e-12
    return 20 * np.log10(level / np.sqrt(2) / rest)


def expect(path, most):
    """Refuses a file that is worse than its codec should be."""
    found = distortion(path)
    assert found > most, f"{path}: the rest is only {found:.0f} dB below the tone"
    print(f"{path}: {found:.0f} dB", flush=True)


# MARK: Both ways

for name, options, most in (
    ("a.flac", {"bits": 24}, 120),
    ("alac.m4a", {"codec": "alac", "bits": 24}, 120),
    ("alac.caf", {"codec": "alac"}, 80),
    ("aac.m4a", {"bit_rate": 128_000}, 50),
    ("a.aac", {"bit_rate": 128_000}, 50),
):
    at.write(name, TONE, RATE, **options)
    expect(name, most)

# MARK: Only read

at.write("a.wav", TONE, RATE, bits=24)
for name, codec in (("a.mp3", "libmp3lame"), ("a.ogg", "libvorbis"), ("a.opus", "libopus"), ("a.ac3.mp4", "ac3")):
    command = ["ffmpeg", "-v", "error", "-y", "-i", "a.wav", "-c:a", codec, "-b:a", "128k", name]
    # The second run has the files of the first.
    if not pathlib.Path(name).exists():
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    expect(name, 40)
assert opened("libaudiotoolbox-codecs-"), "the codecs of the wheel were not used"
assert not opened("libavcodec.so"), "another libavcodec was used"

# MARK: What only an installed libavcodec has

try:
    ctypes.CDLL(sys.argv[1])
    is_installed = True
except OSError:
    is_installed = False
try:
    at.write("own.mp3", TONE, RATE, bit_rate=128_000)
    at.write("own.opus", TONE, RATE)
    assert is_installed, "there is no encoder that could have done that"
    expect("own.mp3", 40)
    expect("own.opus", 30)
    print("encoders of", sys.argv[1])
except at.AudioToolboxError as error:
    assert not is_installed, error
    assert "libmp3lame" in str(error), error
    print(error)
