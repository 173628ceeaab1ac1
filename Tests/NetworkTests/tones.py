# SPDX-License-Identifier: Apache-2.0
"""What is heard in recordings."""

import numpy as np

RATE = 48_000


def samples(path):
    """The first channel of a recording in WAV, with 16 or 24 bits or floats."""
    data = path.read_bytes()
    form = data.find(b"fmt ") + 8
    channels, bits = (int.from_bytes(data[form + at : form + at + 2], "little") for at in (2, 14))
    place = data.find(b"data", form) + 8
    whole = data[place : len(data) - (len(data) - place) % (channels * bits // 8)]
    if bits == 16:
        values = np.frombuffer(whole, "<i2") / 2.0**15
    elif bits == 24:
        bytes_ = np.frombuffer(whole, np.uint8).reshape(-1, 3).astype(np.int32)
        values = ((bytes_[:, 0] << 8 | bytes_[:, 1] << 16 | bytes_[:, 2] << 24) >> 8) / 2.0**23
    else:
        values = np.frombuffer(whole, "<f4").astype(np.float64)
    return values.reshape(-1, channels)[:, 0]


def frequency(signal):
    """The loudest frequency in Hz, between the lines of the transform."""
    spectrum = np.abs(np.fft.rfft(signal * np.hanning(signal.size)))
    top = int(spectrum[1:-1].argmax()) + 1
    below, at, above = np.log(spectrum[top - 1 : top + 2] + 1e-30)
    return (top + 0.5 * (below - above) / (below - 2 * at + above)) * RATE / signal.size


def presence(signal, hertz):
    """The share of hundredths of a second that contain the tone and little else."""
    length = RATE // 100
    pieces = signal[: signal.size // length * length].reshape(-1, length)
    angles = 2 * np.pi * hertz * np.arange(length) / RATE
    basis = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    fitted = (basis @ (np.linalg.pinv(basis) @ pieces.T)).T
    power, rest = (fitted**2).mean(1), ((pieces - fitted) ** 2).mean(1)
    return float(np.mean((power > 1e-5) & (rest < power / 100)))


def expect(path, hertz, least, within=1):
    """Refuses a recording in which there is not this tone, most of the time."""
    assert path.exists(), f"{path.name} was not recorded"
    signal = samples(path)
    assert signal.size > RATE // 2, f"{path.name} has {signal.size} frames"
    assert np.abs(signal).max() > 1e-3, f"{path.name} is silent"
    found, share = frequency(signal), presence(signal, hertz)
    assert abs(found - hertz) < within, f"{path.name}: {found:.2f} Hz; expected {hertz:g} Hz"
    assert share >= least, f"{path.name}: the tone is there {share:.0%} of the time"
    return f"{found:.2f} Hz, {share:.0%} of the time"
