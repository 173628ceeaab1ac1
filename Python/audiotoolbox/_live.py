# SPDX-License-Identifier: Apache-2.0
"""Sound from and to devices."""

from __future__ import annotations

import atexit
import ctypes as c
import threading
import time
import weakref
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import MOST_CHANNELS, rate_of, samples_of, whole
from ._devices import Device, find
from ._library import (
    GLOBAL,
    INPUT,
    OUTPUT,
    RENDER_CALLBACK,
    AudioToolboxError,
    Buffer,
    ComponentDescription,
    Handle,
    RenderCallback,
    buffer_list,
    check,
    code,
    float_format,
    library,
    pointer,
    u32,
)

_FORMAT, _RENDER_CALLBACK, _CURRENT_DEVICE, _ENABLE_IO, _INPUT_CALLBACK = 8, 23, 2000, 2003, 2005

Callback = Callable[[np.ndarray, np.ndarray], object]

# Streams that were started. At the end of the interpreter they are closed while their threads can still call it.
_started: weakref.WeakSet[Stream] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for stream in list(_started):
        if stream._unit.is_ours:
            stream._unit.close()


class Stream:
    """A running connection to `device`, which is one of `devices()` or its name; without it, to the default input
    or output device, or to the one that the variable AUDIOTOOLBOX_DEVICE names.

    >>> def invert(input, output):
    ...     output[:] = -input
    >>> with Stream(invert, 48000, inputs=2, outputs=2):
    ...     time.sleep(5)

    `callback(input, output)` gets arrays of shape (channels, frames), for the duration of the call: it reads
    the first, and writes the second, which is silent at first. It is called on the thread of the device, with
    the interpreter's lock: a busy program has gaps. After an exception there is silence; `stop` raises
    it. In a forked process there are no devices. Streams that still run at the end of the program are closed.
    """

    def __init__(
        self,
        callback: Callback,
        rate: float,
        *,
        inputs: int = 0,
        outputs: int = 2,
        device: Device | str | None = None,
    ) -> None:
        if not callable(callback):
            raise TypeError(f"{callback!r} cannot be called; expected a function of input and output")
        rate = rate_of(rate)
        inputs = whole("inputs", inputs, 0, MOST_CHANNELS)
        outputs = whole("outputs", outputs, 0, MOST_CHANNELS)
        if inputs + outputs == 0:
            raise ValueError("neither inputs nor outputs; expected one channel at least")
        self._callback, self._error, self._is_running = callback, None, False
        self._inputs, self._outputs = inputs, outputs
        chosen = None if device is None else find(device)
        lib, made = library(), pointer()
        wanted = ComponentDescription(code("auou"), code("ahal"))
        component = lib.AudioComponentFindNext(None, c.byref(wanted))
        check(lib.AudioComponentInstanceNew(component, c.byref(made)))
        self._unit = Handle(made.value or 0, "AudioComponentInstanceDispose")
        self._set(_ENABLE_IO, INPUT, 1, u32(inputs > 0))
        self._set(_ENABLE_IO, OUTPUT, 0, u32(outputs > 0))
        if chosen is not None:
            self._set(_CURRENT_DEVICE, GLOBAL, 0, u32(chosen.number))
        if inputs:
            self._set(_FORMAT, OUTPUT, 1, float_format(rate, inputs))
        if outputs:
            self._set(_FORMAT, INPUT, 0, float_format(rate, outputs))
        self._function = RENDER_CALLBACK(self._cycle)
        callback_struct = RenderCallback(self._function, None)
        if outputs:
            self._set(_RENDER_CALLBACK, INPUT, 0, callback_struct)
        else:
            self._set(_INPUT_CALLBACK, GLOBAL, 0, callback_struct)
        check(lib.AudioUnitInitialize(self._unit.value))

    def _set(self, property: int, scope: int, element: int, value: c._SimpleCData | c.Structure) -> None:
        check(
            library().AudioUnitSetProperty(
                self._unit.value, property, scope, element, c.byref(value), c.sizeof(value)
            )
        )

    def start(self) -> None:
        """Starts the device."""
        if not self._unit.value:
            raise ValueError("the stream is closed")
        # Before the start, because an interrupt may come after it.
        _started.add(self)
        check(library().AudioOutputUnitStart(self._unit.value))
        self._is_running = True

    def stop(self) -> None:
        """Stops the device, and raises the exception of the callback, if there was one."""
        if self._unit.value and self._is_running:
            self._is_running = False
            check(library().AudioOutputUnitStop(self._unit.value))
        error, self._error = self._error, None
        if error is not None:
            raise error

    def close(self) -> None:
        """Stops the device and releases it."""
        try:
            self.stop()
        finally:
            check(self._unit.close())

    def __reduce__(self):
        raise TypeError("an open stream cannot be copied or pickled")

    def __enter__(self) -> Stream:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # MARK: The device's thread

    def _cycle(self, _context, flags, stamp, bus: int, frames: int, data: int) -> int:
        try:
            input = self._capture(flags, stamp, frames)
            output = np.zeros((self._outputs, frames), np.float32)
            if self._error is None:
                self._callback(input, output)
            if self._outputs:
                list = buffer_list(self._outputs).from_address(data)
                for channel in range(self._outputs):
                    c.memmove(list.buffers[channel].data, output[channel].ctypes.data, 4 * frames)
        except BaseException as error:  # no exception can pass through the library
            self._error = error
            if self._outputs:
                list = buffer_list(self._outputs).from_address(data)
                for channel in range(self._outputs):
                    c.memset(list.buffers[channel].data, 0, 4 * frames)
        return 0

    def _capture(self, flags, stamp, frames: int) -> np.ndarray:
        if not self._inputs:
            return np.zeros((0, frames), np.float32)
        captured = np.zeros((self._inputs, frames), np.float32)
        base = captured.ctypes.data
        size = 4 * frames
        array = (Buffer * self._inputs)(*(Buffer(1, size, base + n * size) for n in range(self._inputs)))
        target = buffer_list(self._inputs)(self._inputs, array)
        status = library().AudioUnitRender(self._unit.value, flags, stamp, 1, frames, c.byref(target))
        if status:
            captured[:] = 0
        return captured


def play(samples: ArrayLike, rate: float, *, device: Device | str | None = None) -> None:
    """Plays samples to a device, the default one if there is no other, and returns when they have been played."""
    source, position, done = samples_of(samples), 0, threading.Event()

    def supply(_input: np.ndarray, output: np.ndarray) -> None:
        nonlocal position
        count = min(output.shape[1], source.shape[1] - position)
        output[:, :count] = source[:, position : position + count]
        position += count
        if count < output.shape[1]:
            done.set()

    with Stream(supply, rate, outputs=source.shape[0], device=device) as stream:
        _wait(done, stream, source.shape[1] / rate)


def record(
    seconds: float, rate: float, channels: int = 1, *, device: Device | str | None = None
) -> np.ndarray:
    """Records from a device, the default one if there is no other: float32 of shape (channels, frames)."""
    if not 0 <= seconds < 1e6:
        raise ValueError(f"{seconds!r} seconds; expected 0 or more")
    rate, channels = rate_of(rate), whole("channels", channels, 1, MOST_CHANNELS)
    result, position, done = np.zeros((channels, round(seconds * rate)), np.float32), 0, threading.Event()

    def collect(input: np.ndarray, _output: np.ndarray) -> None:
        nonlocal position
        count = min(input.shape[1], result.shape[1] - position)
        result[:, position : position + count] = input[:, :count]
        position += count
        if position == result.shape[1]:
            done.set()

    with Stream(collect, rate, inputs=channels, outputs=0, device=device) as stream:
        _wait(done, stream, seconds)
    return result


def _wait(done: threading.Event, stream: Stream, seconds: float) -> None:
    """Waits for the end of a stream; a device that stands still for 30 seconds longer is an error."""
    deadline = time.monotonic() + seconds + 30
    while not done.wait(0.1) and stream._error is None:
        if time.monotonic() > deadline:
            raise AudioToolboxError("the device does not play or record")
