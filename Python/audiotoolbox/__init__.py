# SPDX-License-Identifier: Apache-2.0
"""Audio units, sound files and devices of swift-audiotoolbox, on numpy arrays.

    import audiotoolbox as at

    samples, rate = at.read("voice.wav")
    room = at.Chain([at.Unit("hpas", cutoff_frequency=80), at.Unit("rvb2", preset="cathedral")])
    at.write("hall.flac", room(samples, rate, tail=True), rate)

Samples are arrays of shape (channels, frames), or (frames,) for one channel; results are float32. An object
is used by one thread at a time, and different objects by different threads at the same time: the
interpreter's lock is released while the library works. Everything but `play`, `record` and `Stream` also
works in a process that was forked at any moment.
"""

from ._chains import Chain, Graph, Note
from ._devices import Device, devices
from ._files import FileInfo, SoundFile, info, open, read, write
from ._levels import Levels, levels
from ._library import AudioToolboxError
from ._live import Stream, play, record
from ._resampling import resample
from ._units import Parameter, Unit, units

__version__ = "1.0.0"
__all__ = [
    "AudioToolboxError",
    "Chain",
    "Device",
    "FileInfo",
    "Graph",
    "Levels",
    "Note",
    "Parameter",
    "SoundFile",
    "Stream",
    "Unit",
    "devices",
    "info",
    "levels",
    "open",
    "play",
    "read",
    "record",
    "resample",
    "units",
    "write",
]
