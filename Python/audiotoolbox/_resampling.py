# SPDX-License-Identifier: Apache-2.0
"""Conversion of sample rates."""

from __future__ import annotations

import ctypes as c
import math
import threading
from typing import Literal

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
_QUALITY = {"low": 0x20, "medium": 0x40, "high": 0x60, "mastering": 0x7F}


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
    result = np.zeros((channels, count), np.float32)
    if count:
        _convert(source, rate, new_rate, quality, result)
    return shaped_like(samples, result)


def _convert(source: np.ndarray, rate: float, new_rate: float, quality: str, result: np.ndarray) -> None:
    """Converts on another thread than the main one: there, a signal would raise inside the callback."""
    if threading.current_thread() is not threading.main_thread():
        return _convert_here(source, rate, new_rate, quality, result)
    errors: list[BaseException] = []

    def work() -> None:
        try:
            _convert_here(source, rate, new_rate, quality, result)
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work, name="audiotoolbox-resample")
    thread.start()
    try:
        thread.join()
    finally:
        thread.join()  # after an interrupt, too: the library has the memory
    if errors:
        raise errors[0]


def _convert_here(source: np.ndarray, rate: float, new_rate: float, quality: str, result: np.ndarray) -> None:
    lib, made = library(), pointer()
    channels, frames = source.shape
    check(
        lib.AudioConverterNew(
            c.byref(float_format(rate, channels)), c.byref(float_format(new_rate, channels)), c.byref(made)
        )
    )
    converter = Handle(made.value or 0, "AudioConverterDispose")
    for name, value in (("srcq", _QUALITY[quality]), ("prmm", 1)):  # quality; silence before the first frame
        check(lib.AudioConverterSetProperty(converter.value, code(name), 4, c.byref(u32(value))))
    base, step = source.ctypes.data, source.strides[0]
    given, silence = 0, np.zeros(4096, np.float32)

    def supply(_converter: int, packets: c._Pointer[u32], list: int, _descriptions: int, _: int) -> int:
        nonlocal given
        array = (Buffer * channels).from_address(list + 8)
        # After the last frame there is silence.
        count = min(packets[0], frames - given) or min(packets[0], silence.size)
        for channel in range(channels):
            place = base + channel * step + 4 * given if given < frames else silence.ctypes.data
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
