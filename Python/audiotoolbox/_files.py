# SPDX-License-Identifier: Apache-2.0
"""Sound files."""

from __future__ import annotations

import contextlib
import ctypes as c
import dataclasses
import errno
import math
import os
import pathlib
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from typing import BinaryIO, Literal, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import MOST_CHANNELS, buffers, output_of, rate_of, samples_of, whole
from ._levels import _PIECE, Levels, Meter
from ._library import (
    AudioToolboxError,
    Handle,
    StreamFormat,
    check,
    code,
    float_format,
    library,
    new_url,
    pointer,
    u32,
)

# The kind of file and the codec for each extension.
_KINDS = {
    ".wav": ("WAVE", "lpcm"), ".aif": ("AIFF", "lpcm"), ".aiff": ("AIFF", "lpcm"), ".aifc": ("AIFC", "lpcm"),
    ".caf": ("caff", "lpcm"), ".rf64": ("RF64", "lpcm"), ".w64": ("W64f", "lpcm"), ".au": ("NeXT", "lpcm"),
    ".m4a": ("m4af", "aac "), ".aac": ("adts", "aac "), ".flac": ("flac", "flac"), ".mp3": ("MPG3", ".mp3"),
    ".opus": ("ogg ", "opus"),
}  # fmt: skip
_CODECS = {"aac": "aac ", "alac": "alac", "flac": "flac", "mp3": ".mp3", "opus": "opus", "ima4": "ima4"}
_BIG_ENDIAN = ("AIFF", "NeXT")
_FLOAT, _BIG, _SIGNED, _PACKED, _PLANAR = 1, 2, 4, 8, 32
_SOURCE_FLAGS = {16: 1, 20: 2, 24: 3, 32: 4}
_ERASE = 1
# The most bytes of a file's name.
_LONGEST_NAME = 255
# Frames before a place that the conversion of rates needs, at the lower rate.
_RUN_UP = 1024

Bits = Literal[16, 24, 32, "float"]
Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


@dataclasses.dataclass(frozen=True)
class FileInfo:
    """What `info` tells about a file."""

    path: str
    rate: float
    channels: int
    frames: int
    codec: str
    """The code of the format, such as "lpcm" or "flac"."""
    bits: int
    """Bits of a sample; 0 for formats that have none."""
    levels: Levels

    @property
    def seconds(self) -> float:
        """The duration."""
        return self.frames / self.rate


def open(
    path: Path,
    mode: Literal["r", "w"] = "r",
    rate: float | None = None,
    channels: int | None = None,
    *,
    bits: Bits = 16,
    codec: str | None = None,
    bit_rate: int | None = None,
    format: str | None = None,
) -> SoundFile:
    """Opens a sound file as a stream.

    To read, `rate` and `channels` request a conversion, with the filter that `resample` has for the quality
    "medium". To write, both are needed. `bits` are those of a sample, 16, 24, 32 or "float", where the format has
    any. `codec` is "aac", "alac", "flac", "mp3", "opus" or "ima4", if the extension allows several. `bit_rate` is
    in bits per second. `format`, such as "wav", stands for an extension that the path does not have. Opus has the rates 8000, 12000, 16000, 24000 and 48000, and is read with 48000; MP3 has rates
    from 8000 to 48000.

    A file that is written appears under its name when it is closed, and not at all after an exception. It keeps
    the permissions of the file that had the name before, and a link keeps leading to it. Only the process that
    opened a file writes it: in a forked one, `close` leaves it alone. Open a file that is read again after a fork;
    its place may be shared.
    """
    if mode == "r":
        return SoundFile._reading(path, rate, channels)
    if mode != "w":
        raise ValueError(f"a mode of {mode!r}; expected 'r' or 'w'")
    if rate is None or channels is None:
        raise ValueError("writing needs a rate and a number of channels")
    return SoundFile._writing(path, rate, channels, bits, codec, bit_rate, format)


class SoundFile:
    """A sound file that is read or written piece by piece; made by `open`. Use it in a `with` statement."""

    def __init__(self) -> None:
        raise TypeError("use audiotoolbox.open")

    path: str
    """The path of the file."""
    rate: float
    """Frames per second of what is read or written."""
    channels: int
    """Channels of what is read or written."""

    # MARK: Opening

    @classmethod
    def _reading(cls, path: Path, rate: float | None, channels: int | None) -> SoundFile:
        lib, made, path = library(), pointer(), os.fsdecode(path)
        with _url(path) as url:
            status = lib.ExtAudioFileOpenURL(url, c.byref(made))
        if status:
            os.stat(path)  # raises what is wrong with the path itself
            if os.path.isdir(path):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        check(status)
        self = cls._new(path, Handle(made.value or 0, "ExtAudioFileDispose"), False)
        self._format = StreamFormat()
        self._get("ffmt", self._format)
        frames = c.c_int64()
        self._get("#frm", frames)
        self._set_client(
            self._format.rate if rate is None else rate, self._format.channels if channels is None else channels
        )
        # Frames at the rate that is read.
        self._frames = round(frames.value * self.rate / self._format.rate)
        return self

    @classmethod
    def _writing(
        cls,
        path: Path,
        rate: float,
        channels: int,
        bits: Bits,
        codec: str | None,
        bit_rate: int | None,
        format_name: str | None,
    ) -> SoundFile:
        path = os.fsdecode(path)
        target = pathlib.Path(path)
        kind, usual = _KINDS[_extension(target, format_name)]
        if codec is not None and codec not in _CODECS:
            raise ValueError(f"a codec of {codec!r}; expected one of {', '.join(_CODECS)}")
        rate, channels = rate_of(rate), whole("channels", channels, 1, MOST_CHANNELS)
        format = _file_format(kind, _CODECS[codec] if codec else usual, rate, channels, bits)
        # A link stays; what it names is written.
        target = pathlib.Path(os.path.realpath(target))
        os.stat(target.parent)  # raises if there is no such folder
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        # No other program takes the unfinished file for sound: its name ends in ".partial".
        ending = f".{secrets.token_hex(4)}.partial"
        name = os.fsencode(target.name)[: _LONGEST_NAME - len(ending) - 1].decode(errors="ignore")
        partial = target.with_name(f".{name}{ending}")
        lib, made = library(), pointer()
        with _url(str(partial)) as url:
            status = lib.ExtAudioFileCreateWithURL(url, code(kind), c.byref(format), None, _ERASE, c.byref(made))
        try:
            check(status)
        except AudioToolboxError as error:
            raise AudioToolboxError(str(error).replace(str(partial), path), error.status) from None
        self = cls._new(path, Handle(made.value or 0, "ExtAudioFileDispose"), True)
        self._partial, self._target, self._format, self._frames = partial, target, format, 0
        try:
            self._set_client(rate, channels)
            if bit_rate is not None:
                self._set_bit_rate(bit_rate)
        except BaseException:
            self._discard()
            raise
        return self

    @classmethod
    def _new(cls, path: str, handle: Handle, is_writing: bool) -> SoundFile:
        self = object.__new__(cls)
        self.path, self._handle, self._is_writing = path, handle, is_writing
        # The next frame that is read.
        self._position = 0
        self._partial: pathlib.Path | None = None
        return self

    def _set_client(self, rate: float, channels: int) -> None:
        rate, channels = rate_of(rate), whole("channels", channels, 1, MOST_CHANNELS)
        format = float_format(rate, channels)
        check(
            library().ExtAudioFileSetProperty(
                self._handle.value, code("cfmt"), c.sizeof(format), c.byref(format)
            )
        )
        self.rate, self.channels = rate, channels

    def _set_bit_rate(self, bit_rate: int) -> None:
        converter = pointer()
        self._get("acnv", converter)
        if not converter.value:
            raise ValueError(f"{self.path}: this format has no bit rate that could be chosen")
        check(library().AudioConverterSetProperty(converter, code("brat"), 4, c.byref(u32(bit_rate))))
        check(library().ExtAudioFileSetProperty(self._handle.value, code("accf"), 8, c.byref(pointer())))

    def _get(self, name: str, value: c._SimpleCData | c.Structure) -> None:
        check(
            library().ExtAudioFileGetProperty(
                self._open(), code(name), c.byref(u32(c.sizeof(value))), c.byref(value)
            )
        )

    def _open(self) -> int:
        if not self._handle.value:
            raise ValueError(f"{self.path} is closed")
        return self._handle.value

    # MARK: Reading

    @property
    def frames(self) -> int:
        """The frames of the file at the rate that is read, or those that were written."""
        return self._frames

    def read(self, frames: int = -1, *, out: np.ndarray | None = None) -> np.ndarray:
        """Reads the next frames: float32 of shape (channels, frames). Fewer at the end; -1 reads the rest, or
        as many frames as `out` has."""
        self._expect(writing=False)
        frames = whole("frames", frames, -1, 1 << 62)
        if out is not None:
            if frames < 0 and isinstance(out, np.ndarray) and out.ndim:
                frames = out.shape[-1]
            result = output_of(out, self.channels, frames)
            return result[:, : self._read_into(result)]
        left = max(0, self._frames - self._position)
        known = left if frames < 0 else min(frames, left)
        result = np.empty((self.channels, known), np.float32)
        done = self._read_into(result)
        if known == frames or done < known:
            return result[:, :done]
        # The length of some files is an estimate.
        pieces = [result]
        while frames < 0 or done < frames:
            more = np.empty((self.channels, 4096 if frames < 0 else min(4096, frames - done)), np.float32)
            count = self._read_into(more)
            if not count:
                break
            pieces.append(more[:, :count])
            done += count
        return result if len(pieces) == 1 else np.concatenate(pieces, axis=1)

    def _read_into(self, result: np.ndarray) -> int:
        lib, done = library(), 0
        while done < result.shape[1]:
            count, target = u32(min(result.shape[1] - done, 1 << 24)), buffers(result, done)
            check(lib.ExtAudioFileRead(self._open(), c.byref(count), c.byref(target)))
            if not count.value:
                break
            done += count.value
        self._position += done
        return done

    def blocks(self, frames: int) -> Iterator[np.ndarray]:
        """Reads the rest in blocks; the last one may be shorter."""
        frames = whole("frames", frames, 1, 1 << 62)
        while (block := self.read(frames)).shape[1]:
            yield block

    def seek(self, frame: int) -> None:
        """Continues to read at a frame."""
        self._expect(writing=False)
        frame = whole("frame", frame, 0, 1 << 62)
        if frame > self._frames:
            raise ValueError(f"{self.path} has no frame {frame}; it has {self._frames}")
        begin, file_rate = frame, self._format.rate
        if self.rate != file_rate and self.rate.is_integer() and file_rate.is_integer():
            # The conversion needs frames before the first one, and a first one that is one of the file, too.
            step = int(self.rate) // math.gcd(int(self.rate), int(file_rate))
            begin = max(0, frame - math.ceil(_RUN_UP * max(1, self.rate / file_rate))) // step * step
        check(library().ExtAudioFileSeek(self._open(), round(begin * file_rate / self.rate)))
        if begin < frame:
            self._read_into(np.empty((self.channels, frame - begin), np.float32))
        self._position = frame

    def tell(self) -> int:
        """The next frame that is read or written."""
        return self._frames if self._is_writing else self._position

    # MARK: Writing

    def write(self, samples: ArrayLike) -> None:
        """Writes frames after those that were written before."""
        self._expect(writing=True)
        source = samples_of(samples)
        if source.shape[0] != self.channels:
            raise ValueError(f"{source.shape[0]} channels for a file with {self.channels}")
        for start in range(0, source.shape[1], 1 << 24):
            count = min(source.shape[1] - start, 1 << 24)
            piece = buffers(source, start, count)
            check(library().ExtAudioFileWrite(self._open(), count, c.byref(piece)))
            self._frames += count

    def _expect(self, writing: bool) -> None:
        self._open()
        if self._is_writing != writing:
            raise ValueError(f"{self.path} was opened to {'write' if self._is_writing else 'read'}")
        if writing and not self._handle.is_ours:
            raise ValueError(f"{self.path} is written by the process that opened it, and not by one forked from it")

    # MARK: The end

    def __reduce__(self):
        raise TypeError("an open file cannot be copied or pickled; open it again from its path")

    def close(self) -> None:
        """Closes the file; one that was written gets its name. After a fork, that is up to the process that
        opened it."""
        if not self._handle.is_ours:
            self._handle.value, self._partial = 0, None
        if not self._handle.value:
            return
        status = self._handle.close()
        if self._partial is None:
            return
        partial, self._partial = self._partial, None
        try:
            check(status)
            with contextlib.suppress(OSError):  # there is no older file, or it belongs to someone else
                shutil.copymode(self._target, partial)
            os.replace(partial, self._target)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise

    def _discard(self) -> None:
        if not self._handle.is_ours:
            self._partial = None
        self._handle.close()
        if self._partial is not None:
            self._partial.unlink(missing_ok=True)
            self._partial = None

    def __enter__(self) -> SoundFile:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            self.close()
        else:
            self._discard()

    def __del__(self) -> None:
        if getattr(self, "_partial", None) is not None and self._handle.is_ours:
            self._discard()

    def __repr__(self) -> str:
        state = "closed" if not self._handle.value else "writing" if self._is_writing else "reading"
        return f"<SoundFile {self.path!r}: {state}, {self.rate:g} Hz, {self.channels} channels>"


@contextlib.contextmanager
def _url(path: str) -> Iterator[int]:
    """The CFURL of a file. One whose name is not UTF-8, as all text of the library, gets another name."""
    descriptor = -1
    try:
        path.encode()
    except UnicodeEncodeError:
        is_new = not os.path.exists(path)
        descriptor = os.open(os.path.dirname(path) or "." if is_new else path, os.O_RDONLY)
        path = f"/proc/self/fd/{descriptor}" + (f"/{os.path.basename(path)}" if is_new else "")
    url = None
    try:
        url = new_url(path)
        yield url
    finally:
        if url:
            library().CFRelease(url)
        if descriptor >= 0:
            os.close(descriptor)


def _extension(path: pathlib.Path, format: str | None) -> str:
    extension = path.suffix.lower() if format is None else f".{format.lower().lstrip('.')}"
    if extension not in _KINDS:
        wrong = path.name if format is None else f"a format of {format!r}"
        raise ValueError(f"{wrong}: expected one of the extensions {', '.join(_KINDS)}")
    return extension


@contextlib.contextmanager
def _stored(file: Path | BinaryIO) -> Iterator[Path]:
    """The path of a file; what an open file has is copied to one."""
    if not hasattr(file, "read"):
        yield file
        return
    with tempfile.NamedTemporaryFile(prefix="audiotoolbox") as copy:
        shutil.copyfileobj(file, copy)
        copy.flush()
        yield copy.name


def _bits(format: StreamFormat) -> int:
    if format.id in (code("flac"), code("alac")):
        return {flag: bits for bits, flag in _SOURCE_FLAGS.items()}.get(format.flags, 0)
    return format.bits


def _file_format(kind: str, codec: str, rate: float, channels: int, bits: Bits) -> StreamFormat:
    if bits not in (16, 24, 32, "float"):
        raise ValueError(f"bits of {bits!r}; expected 16, 24, 32 or 'float'")
    if codec == "lpcm":
        size = 4 if bits == "float" else bits // 8
        flags = _PACKED | (_FLOAT if bits == "float" else _SIGNED) | (_BIG if kind in _BIG_ENDIAN else 0)
        frame = size * channels
        return StreamFormat(rate, code(codec), flags, frame, 1, frame, channels, 8 * size, 0)
    flags = 0
    if codec in ("flac", "alac"):
        if bits == "float":
            raise ValueError(f"{codec} has no floats; expected 16, 24 or 32 bits")
        flags = _SOURCE_FLAGS[bits]
    return StreamFormat(rate, code(codec), flags, 0, 0, 0, channels, 0, 0)


def read(
    path: Path | BinaryIO,
    rate: float | None = None,
    channels: int | None = None,
    *,
    start: int = 0,
    frames: int = -1,
) -> tuple[np.ndarray, float]:
    """Reads a sound file: (samples, rate), float32 of shape (channels, frames).

    `rate` and `channels` request a conversion, as `open` does it; `start` and `frames` a part, in frames at that
    rate. `path` may also be an open binary file, such as a BytesIO, that contains a sound file.
    """
    with _stored(path) as stored, open(stored, "r", rate, channels) as file:
        if start:
            file.seek(start)
        return file.read(frames), file.rate


def write(
    path: Path | BinaryIO,
    samples: ArrayLike,
    rate: float,
    *,
    bits: Bits = 16,
    codec: str | None = None,
    bit_rate: int | None = None,
    format: str | None = None,
) -> None:
    """Writes a sound file, whose format follows from the extension and the options of `open`. `path` may also be
    an open binary file, such as a BytesIO; then `format` is needed."""
    if hasattr(path, "write"):
        if format is None:
            raise ValueError("an open file needs a format, such as 'wav'")
        with tempfile.TemporaryDirectory(prefix="audiotoolbox") as folder:
            place = pathlib.Path(folder, "sound")
            write(place, samples, rate, bits=bits, codec=codec, bit_rate=bit_rate, format=format)
            with place.open("rb") as written:
                shutil.copyfileobj(written, path)
        return
    source = samples_of(samples)
    with open(path, "w", rate, source.shape[0], bits=bits, codec=codec, bit_rate=bit_rate, format=format) as file:
        file.write(source)


def info(path: Path | BinaryIO) -> FileInfo:
    """Reads a whole file and tells its format, its loudness and its peaks."""
    with _stored(path) as stored, open(stored) as file:
        meter, frames = Meter(file.channels, file.rate), 0
        for block in file.blocks(_PIECE):
            meter.measure(np.nan_to_num(block, copy=False, nan=0, posinf=0, neginf=0))
            frames += block.shape[1]
        format = file._format
        return FileInfo(
            file.path, file.rate, file.channels, frames,
            format.id.to_bytes(4, "big").decode("latin-1").strip(), _bits(format), meter.levels(),
        )  # fmt: skip
