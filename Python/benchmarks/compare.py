#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the Python module beside pedalboard, soxr, soundfile, librosa, sox and ffmpeg, those of them that are
installed, and prints a table. Each figure is the least of several runs, alternately of ours and of the others, in processor time of the
calling thread, for conversions of the process, and of the programs that a row starts: other programs on the machine
change it little. The last two rows are in real time. Where others use the machine, a real-time priority measures it nevertheless: `chrt -f 20 … compare.py 1`.

  python -m venv bench && bench/bin/pip install numpy pedalboard soxr soundfile librosa
  PYTHONPATH=Python bench/bin/python Python/benchmarks/compare.py [SECONDS OF SOUND]
"""

import importlib
import pathlib
import resource
import shutil
import subprocess
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


pedalboard, soxr, soundfile, librosa = map(module, ("pedalboard", "soxr", "soundfile", "librosa"))


def with_children():
    """The processor time of this process and of those that it has started and waited for."""
    uses = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(use.ru_utime + use.ru_stime for use in uses)


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
        "peak filter": lambda: at.Unit("pmeq", center_frequency=1_000, gain=6),
        "pitch shift": lambda: at.Unit("nutp", pitch=300),
    }
    if pedalboard is None:
        return {name: (make, None) for name, make in ours.items()}
    others = {
        "high pass": lambda: pedalboard.HighpassFilter(80),
        "compressor": lambda: pedalboard.Compressor(-20, 4),
        "reverb": lambda: pedalboard.Reverb(0.6),
        "limiter": lambda: pedalboard.Limiter(-1),
        "delay": lambda: pedalboard.Delay(0.25),
        "peak filter": lambda: pedalboard.PeakFilter(1_000, 6),
        "pitch shift": lambda: pedalboard.PitchShift(3),
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
    # Kept, so that none can take the memory of another.
    lives = [], []

    def keeping(place, make):
        lives[place].append(make())
        lives[place][-1](tiny, RATE)

    row(
        "make the chain while others live, and 64 frames (pedalboard)", 1e6 / 10, "µs",
        lambda: [keeping(0, our_chain) for _ in range(10)],
        board and (lambda: [keeping(1, other_chain) for _ in range(10)]), 30,
    )  # fmt: skip
    for chains_that_live in lives:
        chains_that_live.clear()
    single, effect = makers["high pass"][0](), board and makers["high pass"][1]()
    row(
        "64 frames through the high pass (pedalboard)", 1e6 / 50, "µs",
        lambda: [single(tiny, RATE, reset=False) for _ in range(50)],
        board and (lambda: [effect(tiny, RATE, reset=False) for _ in range(50)]), 300,
    )  # fmt: skip
    slow = at.Unit("nutp", rate=0.8)
    row(
        "stretch to 1.25 times (pedalboard)", each, "ns per sample",
        lambda: slow(sound, RATE, tail=seconds / 4),
        board and (lambda: pedalboard.time_stretch(sound, RATE, 0.8)), 2,
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
        def librosa_job():
            samples, rate = librosa.load(folder / "in.wav", sr=16_000, mono=True)
            soundfile.write(folder / "librosa.wav", samples, rate)

        def program(*words):
            return shutil.which(words[0]) and (lambda: subprocess.run(words, check=True, capture_output=True))

        # sox and ffmpeg include the start of the program.
        into = str(folder / "in.wav"), str(folder / "program.wav")
        for name, job in (
            ("librosa", librosa and soundfile and librosa_job),
            ("sox", program("sox", into[0], "-r", "16000", "-c", "1", into[1])),
            ("ffmpeg", program("ffmpeg", "-y", "-i", into[0], "-ar", "16000", "-ac", "1", into[1])),
        ):
            row(f"WAV → 16 kHz mono WAV ({name})", 1e3, "ms", our_job, job, 4, with_children)
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
        for kind, name, options in (("float WAV", "wav", {"bits": "float"}), ("FLAC", "flac", {})):
            subtype = {"subtype": "FLOAT"} if name == "wav" else {}
            ours, theirs = folder / f"ours.{name}", folder / f"theirs.{name}"
            row(
                f"write a {kind} file (soundfile)", each, "ns per sample",
                lambda: at.write(ours, sound, RATE, **options),
                soundfile and (lambda: soundfile.write(theirs, sound.T, RATE, **subtype)), 4,
            )  # fmt: skip
            row(
                f"read a {kind} file (soundfile)", each, "ns per sample",
                lambda: at.read(ours), soundfile and (lambda: soundfile.read(ours, dtype="float32")), 4,
            )  # fmt: skip
        if soundfile:
            soundfile.write(folder / "in.mp3", sound.T, RATE)
            row(
                "read an MP3 file (soundfile)", each, "ns per sample",
                lambda: at.read(folder / "in.mp3"),
                lambda: soundfile.read(folder / "in.mp3", dtype="float32"), 4,
            )  # fmt: skip
    for size in (1_024, 8_192):
        slices = [np.ascontiguousarray(sound[:, :size])] * (2_048_000 // size)
        mine = two_threads(our_chain, slices)
        theirs = f"{two_threads(other_chain, slices):.2f}" if pedalboard else "not installed"
        print(f"| two threads, slices of {size:,} frames (pedalboard) | times one thread | {mine:.2f} | {theirs} | |")


main()
