# SPDX-License-Identifier: Apache-2.0
"""How long sound takes from one machine to the other. Both have the same clock here, so what arrives is compared with
what was sent, to about a cycle of the servers."""

import os
import re
import subprocess
import threading
import time
import wave

import numpy as np

import tones

# Bursts are further apart than any latency that is expected.
APART = 1.5


def bursts(seconds):
    """A short burst of 3 kHz at regular intervals, 16 bits, two channels."""
    places = np.arange(round(seconds * tones.RATE)) / tones.RATE
    signal = 0.7 * (places % APART < 0.01) * (places > 0.5) * np.sin(2 * np.pi * 3000 * places)
    return np.repeat((signal * 32767).astype("<i2"), 2)


class Listener:
    """Records what a program writes to its output, and when each part arrived."""

    def __init__(self, program):
        self._program, self._data, self._ends, self._times = program, bytearray(), [0], [time.monotonic()]
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self):
        while data := os.read(self._program.stdout.fileno(), 1 << 16):
            self._data += data
            self._ends.append(len(self._data))
            self._times.append(time.monotonic())

    def onsets(self):
        """When each burst arrived, after the end of the program."""
        self._program.terminate()
        self._thread.join(10)
        self._program.wait(10)
        begin = self._data.find(b"data") + 8 if self._data[:4] in (b"RIFF", b".snd") else 0
        whole = len(self._data) - (len(self._data) - begin) % 8
        signal = np.abs(np.frombuffer(bytes(self._data[begin:whole]), "<f4")[::2])
        ends, times = np.array(self._ends), np.array(self._times)
        found = []
        for frame in onsets(signal):
            place = begin + 8 * frame + 8
            part = min(int(np.searchsorted(ends, place)), ends.size - 1)
            found.append(times[part] - (ends[part] - place) / 8 / tones.RATE)
        return np.array(found)


def onsets(signal):
    """The frames at which bursts begin."""
    loud = np.flatnonzero(signal > 0.3)
    return loud[np.r_[True, np.diff(loud) > tones.RATE // 10]] if loud.size else loud


def summary(sent, got, asked):
    """The latencies of bursts, as text."""
    delays = [1000 * (later[0] - one) for one in sent if (later := got[(got > one) & (got < one + APART)]).size]
    assert len(delays) >= asked / 3, f"of {len(sent)} bursts {len(delays)} arrived"
    return f"{np.median(delays):.0f} ms, {min(delays):.0f} to {max(delays):.0f}; {len(delays)} of {len(sent)} bursts"


def between_servers(network, sink, source, count=4):
    """From a sink of studio's PipeWire to a source of hall's."""
    seconds = APART * (count + 0.5)
    with wave.open(str(network.studio.home / "bursts.wav"), "wb") as file:
        file.setnchannels(2), file.setsampwidth(2), file.setframerate(tones.RATE)
        file.writeframes(bursts(seconds).tobytes())
    options = ["--rate", str(tones.RATE), "--channels", "2", "--format", "f32", "--latency", "256", "-"]
    monitor = ["pw-record", "--target", sink, "-P", "{ stream.capture.sink=true }", *options]
    listeners = [
        Listener(machine.popen(*words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0))
        for machine, words in ((network.studio, monitor), (network.hall, ["pw-record", "--target", source, *options]))
    ]
    time.sleep(1)
    network.studio(f"au play bursts.wav --device pipewire:{sink}", seconds=seconds + 40)
    time.sleep(1)
    sent, got = (listener.onsets() for listener in listeners)
    return summary(sent, got, count)


def through_pipe(pipe, file, count=4):
    """From a pipe of samples to a growing file of samples."""
    data, sent, got, is_done = bursts(APART * (count + 0.5)).tobytes(), [], [], threading.Event()

    def watch():
        place = file.stat().st_size // 4 * 4
        last = -tones.RATE
        while not is_done.wait(0.002):
            with file.open("rb") as stream:
                stream.seek(place)
                part = stream.read()
            part = part[: len(part) // 4 * 4]
            now = time.monotonic()
            for frame in onsets(np.abs(np.frombuffer(part, "<i2")[::2] / 32768)):
                if place // 4 + frame - last > tones.RATE // 10:
                    got.append(now)
                last = place // 4 + frame
            place += len(part)

    watcher = threading.Thread(target=watch)
    watcher.start()
    step = tones.RATE // 50
    firsts = set((onsets(np.abs(np.frombuffer(data, "<i2")[::2] / 32768)) // step).tolist())
    try:
        with pipe.open("wb", buffering=0) as stream:
            begin = time.monotonic()
            for number in range(len(data) // (4 * step)):
                if number in firsts:
                    sent.append(time.monotonic())
                stream.write(data[4 * step * number : 4 * step * (number + 1)])
                time.sleep(max(0, begin + (number + 1) * step / tones.RATE - time.monotonic()))
        time.sleep(APART)
    finally:
        is_done.set()
        watcher.join()
    return summary(np.array(sent), np.array(got), count)


def round_trip(machine, there, back):
    """The frames that jack_iodelay measures most often between two ports; 0 if it hears nothing."""
    machine("{ timeout 4 stdbuf -oL jack_iodelay & } >delay.txt 2>&1; sleep 1")
    machine(f"jack_connect jack_delay:out {there}; jack_connect {back} jack_delay:in")
    machine.status("wait %?jack_iodelay")
    found = re.findall(r"([0-9.]+) frames", (machine.home / "delay.txt").read_text())
    return round(float(max(set(found), key=found.count))) if found else 0
