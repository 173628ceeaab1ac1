# SPDX-License-Identifier: Apache-2.0
"""Input and output devices."""

from __future__ import annotations

import ctypes as c
import dataclasses

from ._library import check, code, library, pointer, take_text, u32

_SYSTEM = 1
_STREAM_CONFIGURATION = "slay"


@dataclasses.dataclass(frozen=True)
class Device:
    """A device, with the most channels that it records and plays."""

    name: str
    identifier: str
    """Its name for programs, which stays the same."""
    inputs: int
    outputs: int
    number: int = dataclasses.field(repr=False)


class _Address(c.Structure):
    _fields_ = [("selector", u32), ("scope", u32), ("element", u32)]


def devices() -> list[Device]:
    """The devices that `play`, `record` and `Stream` can use."""
    data = _data(_SYSTEM, "dev#")
    return [
        Device(_text(number, "lnam"), _text(number, "uid "), _channels(number, "inpt"), _channels(number, "outp"), number)
        for number in memoryview(data).cast("I")
    ]  # fmt: skip


def find(device: Device | str) -> Device:
    """The present device that a program means."""
    found = devices()
    names = [device.identifier] if isinstance(device, Device) else [device]
    for other in found:
        if other.identifier in names or (isinstance(device, str) and other.name == device):
            return other
    known = ", ".join(repr(other.name) for other in found) or "none"
    raise ValueError(f"there is no device {names[0]!r}; there are {known}")


def _data(number: int, selector: str, scope: str = "glob") -> bytes:
    lib, size = library(), u32()
    address = _Address(code(selector), code(scope), 0)
    check(lib.AudioObjectGetPropertyDataSize(number, c.byref(address), 0, None, c.byref(size)))
    memory = c.create_string_buffer(max(1, size.value))
    check(lib.AudioObjectGetPropertyData(number, c.byref(address), 0, None, c.byref(size), memory))
    return memory.raw[: size.value]


def _text(number: int, selector: str) -> str:
    return take_text(pointer.from_buffer_copy(_data(number, selector)).value)


def _channels(number: int, scope: str) -> int:
    """The sum over the buffers of an AudioBufferList."""
    data = _data(number, _STREAM_CONFIGURATION, scope)
    count = u32.from_buffer_copy(data).value
    return sum(u32.from_buffer_copy(data, 8 + 16 * index).value for index in range(count))
