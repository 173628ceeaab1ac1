# SPDX-License-Identifier: Apache-2.0
"""Samples: arrays of the caller as memory of the library."""

from __future__ import annotations

import ctypes as c
import sys

import numpy as np
from numpy.typing import ArrayLike

from ._library import Buffer, buffer_list

MOST_CHANNELS = 1024


def samples_of(array: ArrayLike) -> np.ndarray:
    """An array as float32 of shape (channels, frames), whose frames lie side by side. Nothing is copied if it
    is so already, whether it can be written or not. Integers become fractions of full scale."""
    samples = np.asarray(array)
    if samples.dtype == np.float32 and samples.ndim == 2 and samples.flags.carray:
        if 1 <= samples.shape[0] <= MOST_CHANNELS:
            return samples
    if samples.ndim not in (1, 2):
        raise ValueError(f"samples have the shape (channels, frames) or (frames,), not {samples.shape}")
    if samples.ndim == 1:
        samples = samples[np.newaxis]
    if not 1 <= samples.shape[0] <= MOST_CHANNELS:
        raise ValueError(
            f"{samples.shape[0]} channels; expected 1 to {MOST_CHANNELS}, in the shape (channels, frames): "
            "perhaps transpose it"
        )
    if samples.dtype.kind == "i" and samples.dtype.itemsize <= 4:
        samples = samples.astype(np.float32) * np.float32(2.0 ** (1 - 8 * samples.dtype.itemsize))
    elif samples.dtype.kind == "f":
        samples = samples.astype(np.float32, copy=False)
    else:
        raise TypeError(f"samples of {samples.dtype}; expected floats, or signed integers of 8 to 32 bits")
    if samples.shape[1] > 1 and samples.strides[1] != 4 or not samples.flags.aligned:
        samples = np.ascontiguousarray(samples)
    return samples


def whole(name: str, value: object, low: int, high: int) -> int:
    """Checks a whole number."""
    try:
        number = int(value)  # type: ignore[call-overload]
        if number == value and low <= number <= high:
            return number
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(f"{name} = {value!r}; expected a whole number from {low} to {high}")


def output_of(out: np.ndarray, channels: int, frames: int) -> np.ndarray:
    """Checks an array for results."""
    view = out[np.newaxis] if isinstance(out, np.ndarray) and out.ndim == 1 else out
    if (
        not isinstance(view, np.ndarray)
        or view.dtype != np.float32
        or view.shape != (channels, frames)
        or not view.flags.writeable
        or not view.flags.aligned
        or (frames > 1 and view.strides[1] != 4)
        or (channels > 1 and abs(view.strides[0]) < 4 * frames)
    ):
        raise ValueError(
            f"out must be a writable, aligned float32 array of shape ({channels}, {frames}), with the frames of a "
            "channel side by side and no memory that belongs to two channels"
        )
    return view


# The memory of this process as numbers: to read one makes no object of ctypes.
_words = (c.c_size_t * (1 << 59)).from_address(0) if sys.maxsize >> 32 else None
_HEADER = object.__basicsize__


def _has_address() -> bool:
    """Whether an array's object has the address of its samples after what every object begins with."""
    if sys.implementation.name != "cpython" or _words is None:
        return False
    array = np.zeros(2, np.float32)[1:]
    return _words[id(array) + _HEADER >> 3] == array.ctypes.data


def address_of(samples: np.ndarray) -> int:
    """The address of the first sample."""
    return samples.ctypes.data


def addresses_of(samples: np.ndarray, result: np.ndarray) -> tuple[int, int]:
    """The addresses of the first samples of two arrays."""
    return address_of(samples), address_of(result)


if _has_address():

    def address_of(samples: np.ndarray) -> int:
        """The address of the first sample, without the object that `ctypes` makes: calls with few frames take
        hardly longer than that."""
        return _words[id(samples) + _HEADER >> 3]

    def addresses_of(samples: np.ndarray, result: np.ndarray) -> tuple[int, int]:
        """The addresses of the first samples of two arrays."""
        return _words[id(samples) + _HEADER >> 3], _words[id(result) + _HEADER >> 3]


def buffers(samples: np.ndarray, start: int = 0, frames: int | None = None) -> c.Structure:
    """An AudioBufferList of planar samples, from a frame on."""
    count = samples.shape[1] - start if frames is None else frames
    base, step = address_of(samples) + 4 * start, samples.strides[0]
    channels = samples.shape[0]
    array = (Buffer * channels)(*(Buffer(1, 4 * count, base + channel * step) for channel in range(channels)))
    return buffer_list(channels)(channels, array)


def rate_of(rate: float) -> float:
    """Checks a sample rate."""
    rate = float(rate)
    if not 0 < rate < 3_000_000:
        raise ValueError(f"a sample rate of {rate}; expected more than 0 and less than 3,000,000 Hz")
    return rate


def shaped_like(array: object, samples: np.ndarray) -> np.ndarray:
    """Samples with as many dimensions as an argument had."""
    if isinstance(array, np.ndarray) and array.ndim == 2:
        return samples
    return samples[0] if np.ndim(array) == 1 and samples.shape[0] == 1 else samples
