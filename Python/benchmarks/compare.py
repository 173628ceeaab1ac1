#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the Python module beside pedalboard, soxr and soundfile, those of them that are installed, and prints a
table. Each figure is the least of several runs, alternately of ours and of the others, in processor time of the
calling thread, for conversions of the process: other programs on the machine change it little. The last row is in
real time. Where others use the machine, a real-time priority measures it nevertheless: `chrt -f 20 … compare.py 1`.

  python -m venv bench && bench/bin/pip install numpy pedalboard soxr soundfile
  PYTHONPATH=Python bench/bin/python Python/benchmarks/compare.py [SECONDS OF SOUND]
"""

import importlib
import pathlib
import sys
import tempfile
import threading
import time

import numpy as np

import audiotoolbox as at

RATE = 48_000


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


pedalboard, soxr, soundfile = map(module, ("pedalboard", "soxr", "soundfile"))


def least(calls, runs, clock=time.thread_time):
    """The least time of each call, run alternately."""
    best = [float("inf")] * len(calls)
    for _ in range(runs):
        for place, call in enumerate(calls):
            if call is not None:
                begin = clock()
                call()
                best[place] = min(best[place], clock() - begin)
    return [None if call is None else value for call, value in zip(calls, best)]


def row(name, scale, unit, ours, other, runs, clock=time.thread_time):
    mine, theirs = least([ours, other], runs, clock)
    ratio = "" if theirs is None else f"{theirs / mine:.1f}"
    shown = "not installed" if theirs is None else f"{theirs * scale:.3g}"
    print(f"| {name} | {unit} | {mine * scale:.3g} | {shown} | {ratio} |", flush=True)


def chains():
    """The same five effects, and each of them alone, in ours and in pedalboard."""
    ours = {
        "high pass": lambda: at.Unit("hpas", cutoff_frequency=80),
        "compressor": lambda: at.Unit("dcmp"),
        "reverb": lambda: at.Unit("rvb2"),
        "limiter": lambda: at.Unit("lmtr"),
        "delay": lambda: at.Unit("dely"),
    }
    if pedalboard is None:
        return {name: (make, None) for name, make in ours.items()}
    others = {
        "high pass": lambda: pedalboard.HighpassFilter(80),
        "compressor": lambda: pedalboard.Compressor(-20, 4),
        "reverb": lambda: pedalboard.Reverb(0.6),
        "limiter": lambda: pedalboard.Limiter(-1),
        "delay": lambda: pedalboard.Delay(0.25),
    }
    return {name: (ours[name], others[name]) for name in ours}


def two_threads(call, slices):
    """How many times faster two threads with a chain each work than one thread with both."""

    def work(chain):
        for part in slices:
            chain(part, RATE, reset=False)

    pair = [call(), call()]
    for chain in pair:
        work(chain)

    def one():
        for chain in pair:
            work(chain)

    def two():
        threads = [threading.Thread(target=work, args=(chain,)) for chain in pair]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    single, double = least([one, two], 5, time.perf_counter)
    return single / double


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30
    sound = np.random.default_rng(1).uniform(-0.4, 0.4, (2, round(seconds * RATE))).astype(np.float32)
    each = 1e9 / sound.size
    tiny = np.ascontiguousarray(sound[:, :64])
    makers = chains()
    parts = ("high pass", "compressor", "reverb", "limiter")

    def our_chain():
        return at.Chain([makers[name][0]() for name in parts])

    def other_chain():
        return pedalboard.Pedalboard([makers[name][1]() for name in parts])

    print("| job | in | audiotoolbox | others | times |\n|---|---|---|---|---|")
    chain = our_chain()
    board = other_chain() if pedalboard else None
    row(
        "high pass, compressor, reverb, limiter (pedalboard)", each, "ns per sample",
        lambda: chain(sound, RATE), board and (lambda: board(sound, RATE)), 4,
    )  # fmt: skip
    for name, (mine, theirs) in makers.items():
        unit, effect = mine(), theirs and theirs()
        row(
            f"{name} (pedalboard)", each, "ns per sample",
            lambda: unit(sound, RATE), effect and (lambda: effect(sound, RATE)), 4,
        )  # fmt: skip
    chain(tiny, RATE)
    row(
        "64 frames through the chain (pedalboard)", 1e6 / 50, "µs",
        lambda: [chain(tiny, RATE, reset=False) for _ in range(50)],
        board and (lambda: [board(tiny, RATE, reset=False) for _ in range(50)]), 300,
    )  # fmt: skip
    row(
        "make the chain, and 64 frames (pedalboard)", 1e6 / 10, "µs",
        lambda: [our_chain()(tiny, RATE) for _ in range(10)],
        board and (lambda: [other_chain()(tiny, RATE) for _ in range(10)]), 200,
    )  # fmt: skip
    row(
        "48 → 16 kHz in memory (soxr HQ)", each, "ns per sample",
        lambda: at.resample(sound, RATE, 16_000),
        soxr and (lambda: soxr.resample(sound.T, RATE, 16_000)), 12, time.process_time,
    )  # fmt: skip
    row(
        "44.1 → 48 kHz, a tenth of a second (soxr HQ)", 1e6, "µs",
        lambda: at.resample(sound[:, :4410], 44_100, 48_000),
        soxr and (lambda: soxr.resample(sound[:, :4410].T, 44_100, 48_000)), 200, time.process_time,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        at.write(folder / "in.wav", sound, RATE)

        def our_job():
            samples, _ = at.read(folder / "in.wav", rate=16_000, channels=1)
            at.write(folder / "ours.wav", samples, 16_000)

        def other_job():
            samples, rate = soundfile.read(folder / "in.wav", dtype="float32")
            soundfile.write(folder / "theirs.wav", soxr.resample(samples.mean(axis=1), rate, 16_000), 16_000)

        def pedalboard_job():
            with pedalboard.io.AudioFile(str(folder / "in.wav")).resampled_to(16_000) as file:
                samples = file.read(file.frames).mean(axis=0, keepdims=True)
            with pedalboard.io.AudioFile(str(folder / "board.wav"), "w", 16_000, 1) as file:
                file.write(samples)

        row(
            "WAV → 16 kHz mono WAV (soxr and soundfile)", 1e3, "ms", our_job,
            soxr and soundfile and other_job, 4,
        )  # fmt: skip
        row("WAV → 16 kHz mono WAV (pedalboard)", 1e3, "ms", our_job, pedalboard and pedalboard_job, 2)
        row(
            "read a WAV file of 16 bits (soundfile)", each, "ns per sample",
            lambda: at.read(folder / "in.wav"),
            soundfile and (lambda: soundfile.read(folder / "in.wav", dtype="float32")), 6,
        )  # fmt: skip
        row(
            "write a WAV file of 16 bits (soundfile)", each, "ns per sample",
            lambda: at.write(folder / "a.wav", sound, RATE),
            soundfile and (lambda: soundfile.write(folder / "b.wav", sound.T, RATE)), 6,
        )  # fmt: skip
    slices = [np.ascontiguousarray(sound[:, :1024])] * 2000
    mine = two_threads(our_chain, slices)
    theirs = f"{two_threads(other_chain, slices):.2f}" if pedalboard else "not installed"
    print(f"| two threads, slices of 1,024 frames (pedalboard) | times one thread | {mine:.2f} | {theirs} | |")


main()
