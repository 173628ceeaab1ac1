# SPDX-License-Identifier: Apache-2.0
"""Loudness and peaks, as EBU R 128 and ITU-R BS.1770-4 define them."""

from __future__ import annotations

import ctypes as c
import dataclasses
import math

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import rate_of, samples_of
from ._library import library
from ._resampling import resample


@dataclasses.dataclass(frozen=True)
class Levels:
    """What `levels` measures. None: there is too little sound to say."""

    loudness: float | None
    """Integrated loudness in LUFS."""
    true_peak: float | None
    """In dBTP: the highest level between the samples, too."""
    sample_peak: float | None
    """In dBFS."""


def levels(samples: ArrayLike, rate: float) -> Levels:
    """Measures loudness and peaks. Of 5 or 6 channels, the surround channels count 1.5 dB more, and the one
    for low frequencies does not count."""
    source, rate = samples_of(samples), rate_of(rate)
    if not np.isfinite(source).all():
        raise ValueError("samples that are not numbers have no level")
    meter = Meter(source.shape[0], rate)
    for start in range(0, source.shape[1], _PIECE):
        meter.measure(source[:, start : start + _PIECE])
    return meter.levels()


# Frames that are measured at once.
_PIECE = 1 << 18
# The absolute gate in LUFS, and the relative one in LU.
_GATE, _RELATIVE_GATE = -70.0, -10.0
# Frames of a piece that the true peak of the next one needs.
_OVERLAP = 512


class Meter:
    """Measures pieces of sound one after the other."""

    def __init__(self, channels: int, rate: float) -> None:
        self._rate = rate
        self._weights = np.ones(channels)
        if channels in (5, 6):
            self._weights[-2:] = 10**0.15
        if channels == 6:
            self._weights[3] = 0
        self._filters = [(_Filter(*_shelf(rate)), _Filter(*_high_pass(rate))) for _ in range(channels)]
        # Blocks of 0.4 seconds begin every 0.1 seconds, so energies are summed over 0.1 seconds.
        self._step = max(1, round(rate / 10))
        self._energies: list[np.ndarray] = []
        self._rest = np.zeros(0)
        self._before = np.zeros((channels, 0), np.float32)
        self._measured = 0
        self._peak = self._true_peak = 0.0

    def measure(self, samples: np.ndarray) -> None:
        """Measures the next frames."""
        energy = np.zeros(samples.shape[1])
        for channel, (shelf, high_pass) in enumerate(self._filters):
            if self._weights[channel]:
                weighted = high_pass(shelf(samples[channel].astype(np.float64)))
                energy += self._weights[channel] * weighted**2
        energy = np.concatenate([self._rest, energy])
        whole = energy.size // self._step * self._step
        self._energies.append(energy[:whole].reshape(-1, self._step).sum(axis=1))
        self._rest = energy[whole:]
        if samples.size:
            self._peak = max(self._peak, float(np.abs(samples).max()))
            self._measure_true_peak(samples)

    def _measure_true_peak(self, samples: np.ndarray, is_end: bool = False) -> None:
        # Frames near an edge wait for their neighbours: at an edge inside the sound, the filter would overshoot.
        joined = np.concatenate([self._before, samples], axis=1)
        end = joined.shape[1] - (0 if is_end else _OVERLAP)
        if end <= self._measured:
            self._before = joined
            return
        padded = np.pad(joined, ((0, 0), (0, _OVERLAP)))
        # Four samples for each of a usual rate.
        factor = 4 if self._rate < 96_000 else 2 if self._rate < 192_000 else 1
        if factor > 1:
            padded = resample(padded, 48_000, 48_000 * factor)
        part = padded[:, self._measured * factor : end * factor]
        self._true_peak = max(self._true_peak, float(np.abs(part).max()))
        self._before, self._measured = joined[:, max(0, end - _OVERLAP) :].copy(), min(end, _OVERLAP)

    def levels(self) -> Levels:
        """What was measured, at the end."""
        self._measure_true_peak(self._before[:, :0], is_end=True)
        return Levels(self._loudness(), _decibels(max(self._true_peak, self._peak)), _decibels(self._peak))

    def _loudness(self) -> float | None:
        steps = np.concatenate(self._energies) if self._energies else np.zeros(0)
        if steps.size < 4:
            return None
        blocks = np.convolve(steps, np.ones(4), "valid") / (4 * self._step)
        blocks = blocks[blocks > 10 ** ((_GATE + 0.691) / 10)]
        if not blocks.size:
            return None
        blocks = blocks[blocks > blocks.mean() * 10 ** (_RELATIVE_GATE / 10)]
        return -0.691 + 10 * math.log10(blocks.mean())


def _decibels(value: float) -> float | None:
    return 20 * math.log10(value) if value > 0 else None


class _Filter:
    """A filter of second order in double precision, by the library's vDSP_biquadD."""

    def __init__(self, b0: float, b1: float, b2: float, a1: float, a2: float) -> None:
        self._coefficients = (c.c_double * 5)(b0, b1, b2, a1, a2)
        self._state = np.zeros(4)

    def __call__(self, samples: np.ndarray) -> np.ndarray:
        lib = library()
        result = np.empty_like(samples)
        setup = lib.vDSP_biquad_CreateSetupD(self._coefficients, 1)
        lib.vDSP_biquadD(
            setup, self._state.ctypes.data, samples.ctypes.data, 1, result.ctypes.data, 1, samples.size
        )
        lib.vDSP_biquad_DestroySetupD(setup)
        return result


def _shelf(rate: float) -> tuple[float, ...]:
    """The first filter of BS.1770 for any rate: the coefficients for 48 kHz belong to these values."""
    gain, quality, frequency = 3.999843853973347, 0.7071752369554196, 1681.974450955533
    k = math.tan(math.pi * min(frequency / rate, 0.49))
    high, band = 10 ** (gain / 20), 10 ** (gain / 20 * 0.4996667741545416)
    scale = 1 + k / quality + k * k
    return (
        (high + band * k / quality + k * k) / scale,
        2 * (k * k - high) / scale,
        (high - band * k / quality + k * k) / scale,
        2 * (k * k - 1) / scale,
        (1 - k / quality + k * k) / scale,
    )


def _high_pass(rate: float) -> tuple[float, ...]:
    """The second filter of BS.1770."""
    quality, frequency = 0.5003270373238773, 38.13547087602444
    k = math.tan(math.pi * min(frequency / rate, 0.49))
    scale = 1 + k / quality + k * k
    return 1.0, -2.0, 1.0, 2 * (k * k - 1) / scale, (1 - k / quality + k * k) / scale
