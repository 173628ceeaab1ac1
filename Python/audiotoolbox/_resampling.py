# SPDX-License-Identifier: Apache-2.0
"""Conversion of sample rates."""

from __future__ import annotations

import ctypes as c
import math
import os
import queue
import threading
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import buffers, rate_of, samples_of, shaped_like
from ._library import (
    PACKET_CALLBACK,
    AudioToolboxError,
    Buffer,
    Handle,
    check,
    code,
    float_format,
    library,
    pointer,
    u32,
)

Quality = Literal["low", "medium", "high", "mastering"]
_SILENCE = np.zeros(4096, np.float32)
_QUALITY = {"low": 0, "medium": 0x40, "high": 0x60, "mastering": 0x7F}


def resample(
    samples: ArrayLike, rate: float, new_rate: float, *, quality: Quality = "high"
) -> np.ndarray:
    """Converts samples from one rate to another: float32 with round(frames * new_rate / rate) frames.

    Output frame 0 belongs to input frame 0: the latency of the filter is removed. `quality` chooses the
    filter. Halves of a frame are rounded up. Rates may differ by a factor of 256; others raise AudioToolboxError.
    """
    source = samples_of(samples)
    rate, new_rate = rate_of(rate), rate_of(new_rate)
    if quality not in _QUALITY:
        raise ValueError(f"a quality of {quality!r}; expected one of {', '.join(map(repr, _QUALITY))}")
    if rate == new_rate:
        return shaped_like(samples, source.copy())
    channels, frames = source.shape
    count = math.floor(frames * new_rate / rate + 0.5)
    result = np.empty((channels, count), np.float32)
    if count:
        _convert(source, rate, new_rate, quality, result)
    return shaped_like(samples, result)


# MARK: The thread

# The library gets its input from a function of ours. On the main thread a signal would raise inside of it, so
# conversions of the main thread run on another one, which waits for the next.


class _Job:
    """A conversion for the thread, with a lock that is free when it has ended."""

    __slots__ = ("arguments", "ended", "error", "is_done")

    def __init__(self, *arguments: Any) -> None:
        self.arguments, self.ended, self.error = arguments, threading.Lock(), None
        self.is_done = False
        self.ended.acquire()


_jobs: queue.SimpleQueue[_Job] | None = None


def _forget() -> None:
    """A forked process has neither the thread nor the converters of its parent."""
    global _jobs
    _jobs = None
    _idle.clear()


os.register_at_fork(after_in_child=_forget)


def _work(jobs: queue.SimpleQueue[_Job]) -> None:
    while True:
        job = jobs.get()
        try:
            _convert_here(*job.arguments)
        except BaseException as error:
            job.error = error
        ended, job.is_done = job.ended, True
        # The thread keeps nothing of the caller's while it waits.
        del job
        ended.release()


def _convert(source: np.ndarray, rate: float, new_rate: float, quality: str, result: np.ndarray) -> None:
    global _jobs
    if threading.current_thread() is not threading.main_thread():
        return _convert_here(source, rate, new_rate, quality, result)
    if _jobs is None:
        _jobs = queue.SimpleQueue()
        threading.Thread(target=_work, args=(_jobs,), name="audiotoolbox-resample", daemon=True).start()
    job, interrupt = _Job(source, rate, new_rate, quality, result), None
    _jobs.put(job)
    # An interrupt may also come when the lock has just been taken.
    while not job.is_done:
        try:
            job.ended.acquire()
        except BaseException as error:  # an interrupt, which waits: the library has the memory
            interrupt = error
    if interrupt or job.error:
        raise interrupt or job.error


# MARK: The converter

# Converters that are not used at the moment: to make one takes longer than to convert a short sound.
_idle: dict[tuple[float, float, str, int], list[Handle]] = {}
_MOST_IDLE = 8


def _take(rate: float, new_rate: float, quality: str, channels: int) -> Handle:
    """A converter that has not converted anything, or has forgotten it."""
    try:
        return _idle[rate, new_rate, quality, channels].pop()
    except (KeyError, IndexError):
        pass
    lib, made = library(), pointer()
    check(
        lib.AudioConverterNew(
            c.byref(float_format(rate, channels)), c.byref(float_format(new_rate, channels)), c.byref(made)
        )
    )
    converter = Handle(made.value or 0, "AudioConverterDispose")
    for name, value in (("srcq", _QUALITY[quality]), ("prmm", 1)):  # quality; silence before the first frame
        check(lib.AudioConverterSetProperty(converter.value, code(name), 4, c.byref(u32(value))))
    return converter


def _leave(converter: Handle, *key: Any) -> None:
    """Keeps a converter for the next conversion of this kind."""
    if library().AudioConverterReset(converter.value):
        return
    if sum(map(len, list(_idle.values()))) >= _MOST_IDLE:
        _idle.clear()
    _idle.setdefault(key, []).append(converter)


def _convert_here(source: np.ndarray, rate: float, new_rate: float, quality: str, result: np.ndarray) -> None:
    lib, (channels, frames) = library(), source.shape
    converter = _take(rate, new_rate, quality, channels)
    base, step = source.ctypes.data, source.strides[0]
    given, silence = 0, _SILENCE.ctypes.data

    def supply(_converter: int, packets: c._Pointer[u32], list: int, _descriptions: int, _: int) -> int:
        nonlocal given
        array = (Buffer * channels).from_address(list + 8)
        # After the last frame there is silence.
        count = min(packets[0], frames - given) or min(packets[0], _SILENCE.size)
        for channel in range(channels):
            place = base + channel * step + 4 * given if given < frames else silence
            array[channel] = Buffer(1, 4 * count, place)
        packets[0] = count
        given += count if given < frames else 0
        return 0

    callback, done = PACKET_CALLBACK(supply), 0
    while done < result.shape[1]:
        wanted, target = u32(min(result.shape[1] - done, 1 << 24)), buffers(result, done)
        check(
            lib.AudioConverterFillComplexBuffer(
                converter.value, callback, None, c.byref(wanted), c.byref(target), None
            )
        )
        if not wanted.value:
            break
        done += wanted.value
    if done < result.shape[1]:
        raise AudioToolboxError(f"the converter ended after {done} of {result.shape[1]} frames")
    _leave(converter, rate, new_rate, quality, channels)
