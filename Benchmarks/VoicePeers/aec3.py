#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Processes a call with the echo canceller of WebRTC (AEC3), from aec-audio-processing on PyPI.

aec3.py RATE DELAY FAR MICROPHONE OUT    raw Float32 files; the delay is in seconds
"""
import array
import sys

from aec_audio_processing import AudioProcessor


def read(path):
    """The samples of a file as 16 bits."""
    samples = array.array("f")
    with open(path, "rb") as file:
        samples.frombytes(file.read())
    return array.array("h", (round(max(-1, min(sample, 0.9999)) * 32768) for sample in samples))


def main():
    rate, delay = int(sys.argv[1]), float(sys.argv[2])
    canceller = AudioProcessor(enable_aec=True, enable_ns=True, enable_agc=False)
    canceller.set_stream_format(rate, 1)
    canceller.set_reverse_stream_format(rate, 1)
    canceller.set_stream_delay(round(1000 * delay))
    frames = canceller.get_frame_size()
    far, microphone = read(sys.argv[3]), read(sys.argv[4])
    output = array.array("h")
    for start in range(0, len(far) - frames + 1, frames):
        canceller.process_reverse_stream(far[start:start + frames].tobytes())
        output.frombytes(canceller.process_stream(microphone[start:start + frames].tobytes()))
    with open(sys.argv[5], "wb") as file:
        array.array("f", (sample / 32768 for sample in output)).tofile(file)


main()
