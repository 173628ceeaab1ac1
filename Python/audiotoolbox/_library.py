# SPDX-License-Identifier: Apache-2.0
"""The C library: its structures and functions, opened at the first use."""

from __future__ import annotations

import ctypes as c
import functools
import os
import pathlib
from collections.abc import Callable

u32, u64, i32, f32, f64, pointer = c.c_uint32, c.c_uint64, c.c_int32, c.c_float, c.c_double, c.c_void_p

GLOBAL, INPUT, OUTPUT = 0, 1, 2


class AudioToolboxError(RuntimeError):
    """A call of the library failed. The text is its explanation, `status` the code."""

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.status = status

    def __reduce__(self):
        return type(self), (self.args[0], self.status)


class ComponentDescription(c.Structure):
    _fields_ = [(name, u32) for name in ("type", "subtype", "manufacturer", "flags", "mask")]


class StreamFormat(c.Structure):
    _fields_ = [("rate", f64)] + [
        (name, u32)
        for name in ("id", "flags", "packet_bytes", "packet_frames", "frame_bytes", "channels", "bits", "_")
    ]


class Buffer(c.Structure):
    _fields_ = [("channels", u32), ("bytes", u32), ("data", pointer)]


class ParameterInfo(c.Structure):
    _fields_ = [
        ("name", c.c_char * 52), ("unit_name", pointer), ("clump", u32), ("cf_name", pointer), ("unit", u32),
        ("minimum", f32), ("maximum", f32), ("default", f32), ("flags", u32),
    ]  # fmt: skip


class Preset(c.Structure):
    _fields_ = [("number", i32), ("name", pointer)]


class TimeStamp(c.Structure):
    _fields_ = [
        ("sample", f64), ("host", u64), ("scalar", f64), ("word", u64), ("smpte", c.c_ubyte * 24),
        ("flags", u32), ("_", u32),
    ]  # fmt: skip


class ChainParameter(c.Structure):
    _fields_ = [
        ("unit", u32), ("id", u32), ("scope", u32), ("element", u32), ("interval", u32), ("ramps", u32),
        ("count", u64), ("values", pointer),
    ]  # fmt: skip


class ChainMessage(c.Structure):
    _fields_ = [("frame", u64), ("unit", u32), ("bytes", c.c_ubyte * 4)]


class ChainCall(c.Structure):
    _fields_ = [
        ("rate", f64), ("input_channels", u32), ("output_channels", u32), ("input_frames", u64),
        ("output_frames", u64), ("inputs", pointer), ("outputs", pointer), ("flags", u32),
        ("parameter_count", u32), ("parameters", pointer), ("message_count", u64), ("messages", pointer),
    ]  # fmt: skip


RENDER_CALLBACK = c.CFUNCTYPE(i32, pointer, c.POINTER(u32), c.POINTER(TimeStamp), u32, u32, pointer)
PACKET_CALLBACK = c.CFUNCTYPE(i32, pointer, c.POINTER(u32), pointer, pointer, pointer)


class RenderCallback(c.Structure):
    _fields_ = [("function", RENDER_CALLBACK), ("context", pointer)]


@functools.cache
def buffer_list(count: int) -> type[c.Structure]:
    """The type of an AudioBufferList of `count` buffers."""
    return type("BufferList", (c.Structure,), {"_fields_": [("count", u32), ("buffers", Buffer * count)]})


def float_format(rate: float, channels: int) -> StreamFormat:
    """Planar native float32."""
    return StreamFormat(rate, code("lpcm"), 0x29, 4, 1, 4, channels, 32, 0)


def code(text: str) -> int:
    """A four-character code as a number."""
    return int.from_bytes(text.encode("latin-1"), "big")


_FUNCTIONS = {
    "AudioComponentFindNext": (pointer, (pointer, pointer)),
    "AudioComponentGetDescription": (i32, (pointer, pointer)),
    "AudioComponentCopyName": (i32, (pointer, pointer)),
    "AudioComponentInstanceNew": (i32, (pointer, pointer)),
    "AudioComponentInstanceDispose": (i32, (pointer,)),
    "AudioUnitInitialize": (i32, (pointer,)),
    "AudioUnitSetProperty": (i32, (pointer, u32, u32, u32, pointer, u32)),
    "AudioUnitGetProperty": (i32, (pointer, u32, u32, u32, pointer, pointer)),
    "AudioUnitGetPropertyInfo": (i32, (pointer, u32, u32, u32, pointer, pointer)),
    "AudioUnitSetParameter": (i32, (pointer, u32, u32, u32, f32, u32)),
    "AudioUnitGetParameter": (i32, (pointer, u32, u32, u32, pointer)),
    "AudioUnitRender": (i32, (pointer, pointer, pointer, u32, u32, pointer)),
    "AudioOutputUnitStart": (i32, (pointer,)),
    "AudioOutputUnitStop": (i32, (pointer,)),
    "AudioObjectGetPropertyDataSize": (i32, (u32, pointer, u32, pointer, pointer)),
    "AudioObjectGetPropertyData": (i32, (u32, pointer, u32, pointer, pointer, pointer)),
    "AUChainNew": (i32, (pointer, u32, pointer)),
    "AUChainNewFromGraph": (i32, (pointer, pointer)),
    "AUChainDispose": (i32, (pointer,)),
    "AUChainPrepare": (i32, (pointer, f64, u32, u32, pointer, pointer)),
    "AUChainRender": (i32, (pointer, pointer)),
    "AUGraphNewFromDescription": (i32, (pointer, pointer)),
    "DisposeAUGraph": (i32, (pointer,)),
    "AudioConverterNew": (i32, (pointer, pointer, pointer)),
    "AudioConverterDispose": (i32, (pointer,)),
    "AudioConverterReset": (i32, (pointer,)),
    "AudioConverterSetProperty": (i32, (pointer, u32, u32, pointer)),
    "AudioConverterGetProperty": (i32, (pointer, u32, pointer, pointer)),
    "AudioConverterFillComplexBuffer": (i32, (pointer, PACKET_CALLBACK, pointer, pointer, pointer, pointer)),
    "ExtAudioFileOpenURL": (i32, (pointer, pointer)),
    "ExtAudioFileCreateWithURL": (i32, (pointer, u32, pointer, pointer, u32, pointer)),
    "ExtAudioFileDispose": (i32, (pointer,)),
    "ExtAudioFileRead": (i32, (pointer, pointer, pointer)),
    "ExtAudioFileWrite": (i32, (pointer, u32, pointer)),
    "ExtAudioFileSeek": (i32, (pointer, c.c_int64)),
    "ExtAudioFileTell": (i32, (pointer, pointer)),
    "ExtAudioFileGetProperty": (i32, (pointer, u32, pointer, pointer)),
    "ExtAudioFileSetProperty": (i32, (pointer, u32, u32, pointer)),
    "AUDiagnosticsCopyLastExplanation": (pointer, ()),
    "CFStringCreateWithBytes": (pointer, (pointer, c.c_char_p, c.c_long, u32, c.c_ubyte)),
    "CFStringGetCString": (c.c_ubyte, (pointer, c.c_char_p, c.c_long, u32)),
    "CFStringGetLength": (c.c_long, (pointer,)),
    "CFURLCreateFromFileSystemRepresentation": (pointer, (pointer, c.c_char_p, c.c_long, c.c_ubyte)),
    "CFArrayGetCount": (c.c_long, (pointer,)),
    "CFArrayGetValueAtIndex": (pointer, (pointer, c.c_long)),
    "CFRelease": (None, (pointer,)),
    "vDSP_biquad_CreateSetupD": (pointer, (pointer, c.c_ulong)),
    "vDSP_biquad_DestroySetupD": (None, (pointer,)),
    "vDSP_biquadD": (None, (pointer, pointer, pointer, c.c_long, pointer, c.c_long, c.c_ulong)),
}

_UTF8 = 0x08000100


@functools.cache
def library() -> c.CDLL:
    """The library: the one that AUDIOTOOLBOX_LIBRARY names, that of the wheel, or the installed one."""
    inside = pathlib.Path(__file__).with_name("libAudioToolbox.so.1")
    path = os.environ.get("AUDIOTOOLBOX_LIBRARY") or (str(inside) if inside.exists() else inside.name)
    try:
        lib = c.CDLL(path)
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(lib, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise ImportError(f"the library of audiotoolbox cannot be used: {error}") from error
    return lib


@functools.cache
def untyped(name: str) -> Callable[..., int]:
    """A function that returns a status, called with values of ctypes only, which are not checked again."""
    function = library()[name]
    function.restype = i32
    return function


def check(status: int) -> None:
    """Raises the library's explanation of a failure."""
    if status == 0:
        return
    lib = library()
    text = take_text(lib.AUDiagnosticsCopyLastExplanation())
    function, _, rest = text.partition(": ")
    # Programs in Python do not know the function.
    text = rest if function in _FUNCTIONS else text
    raise AudioToolboxError(text or f"the library returned {status}", status)


def read_text(string: int | None) -> str:
    """The text of a CFString."""
    if not string:
        return ""
    lib = library()
    room = 4 * lib.CFStringGetLength(string) + 1
    memory = c.create_string_buffer(room)
    lib.CFStringGetCString(string, memory, room, _UTF8)
    return memory.value.decode()


def take_text(string: int | None) -> str:
    """The text of a CFString, which is released."""
    text = read_text(string)
    if string:
        library().CFRelease(string)
    return text


def new_text(text: str) -> int:
    """A CFString, which the caller releases."""
    data = text.encode()
    return library().CFStringCreateWithBytes(None, data, len(data), _UTF8, 0)


def new_url(path: str | os.PathLike[str]) -> int:
    """The CFURL of a file, which the caller releases."""
    data = os.fsencode(path)
    if not data or b"\0" in data:
        raise ValueError(f"{path!r} is not the path of a file")
    return library().CFURLCreateFromFileSystemRepresentation(None, data, len(data), 0)


# How often the process was forked, with its ancestors.
_forks = 0


def _count_fork() -> None:
    global _forks
    _forks += 1


os.register_at_fork(after_in_child=_count_fork)


def forks() -> int:
    """How often this process was forked, with its ancestors."""
    return _forks


class Handle:
    """A handle of the library. It is released with this object, but only in the process that made it: after a
    fork, the parent's objects belong to the parent."""

    __slots__ = ("value", "argument", "forks", "_dispose")

    def __init__(self, value: int, dispose: str) -> None:
        self.value, self._dispose = value, dispose
        # For functions without types of their arguments, which are called faster; and how often the process that
        # made it had been forked.
        self.argument, self.forks = pointer(value), forks()

    @property
    def is_ours(self) -> bool:
        """Whether this process made it."""
        return self.forks == _forks

    def close(self) -> int:
        """Releases it; the status of the library, 0 if it was released before."""
        value, self.value, self.argument = self.value, 0, None
        if not value or not self.is_ours:
            return 0
        return getattr(library(), self._dispose)(value)

    def __reduce__(self):
        raise TypeError("an open object of the library cannot be copied or pickled")

    def __del__(self) -> None:
        try:
            self.close()
        except (ImportError, TypeError):  # at the end of the interpreter
            pass
