# SPDX-License-Identifier: Apache-2.0
"""Signals of the tests."""

import numpy as np

RATE = 48_000


def sine(frequency: float, seconds: float = 1, rate: int = RATE, channels: int = 2, level: float = 0.5) -> np.ndarray:
    """A sine in each channel."""
    wave = level * np.sin(2 * np.pi * frequency * np.arange(round(seconds * rate)) / rate)
    return np.tile(wave.astype(np.float32), (channels, 1))


def noise(seconds: float = 0.5, channels: int = 2, seed: int = 1) -> np.ndarray:
    """White noise."""
    generator = np.random.default_rng(seed)
    return generator.uniform(-0.5, 0.5, (channels, round(seconds * RATE))).astype(np.float32)


def level(samples: np.ndarray) -> float:
    """The level in dB of full scale (RMS)."""
    return 10 * np.log10(np.mean(np.square(samples, dtype=np.float64)) + 1e-30)


def frequency(samples: np.ndarray, rate: float) -> float:
    """The loudest frequency."""
    windowed = samples * np.hanning(samples.size)
    return np.abs(np.fft.rfft(windowed)).argmax() * rate / samples.size
