# SPDX-License-Identifier: Apache-2.0
"""Chains of units and graphs, rendered over arrays."""

from __future__ import annotations

import ctypes as c
import dataclasses
import json
import os
import pathlib
import struct
import sys
import threading
import weakref
from collections.abc import Iterable, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (
    MOST_CHANNELS,
    address_of,
    addresses_of,
    output_of,
    rate_of,
    samples_of,
    shaped_like,
    whole,
)
from ._library import (
    GLOBAL,
    ChainCall,
    ChainMessage,
    ChainParameter,
    Handle,
    check,
    library,
    new_text,
    pointer,
    u64,
    untyped,
)
from . import _library as _fork_counts
from . import _parking as parking
from ._units import Unit

_RESET, _SKIP_LATENCY = 1, 2
_FLOAT = np.dtype(np.float32)
_empty = np.empty
# Frames between two values of a parameter that moves.
_INTERVAL = 32


def _references(units: list[Any]) -> list[int]:
    return [sys.getrefcount(unit) for unit in units]


# References to a unit that only its chain has. How many are Python's own depends on its version.
_REFERENCES = _references([object()])[0]
# Seconds of the longest tail that is rendered without being asked for.
_LONGEST_TAIL = 60.0


# Types of units that sound without input.
_SOURCES = ("augn", "aumu", "aumf")
# Held while a chain takes its units.
_joining = threading.RLock()


def _begin_anew() -> None:
    """A thread that the child does not have may have held the lock."""
    global _joining
    _joining = threading.RLock()


os.register_at_fork(after_in_child=_begin_anew)


@dataclasses.dataclass(frozen=True)
class Note:
    """A note for an instrument: its pitch as a MIDI number (60 is middle C), when it begins and how long it
    lasts in seconds, its velocity from 1 to 127, and its MIDI channel from 0 to 15."""

    pitch: int
    start: float = 0.0
    duration: float = 1.0
    velocity: int = 100
    channel: int = 0

    def __post_init__(self) -> None:
        for name, low, high in (("pitch", 0, 127), ("velocity", 1, 127), ("channel", 0, 15)):
            object.__setattr__(self, name, whole(f"note: {name}", getattr(self, name), low, high))
        for name in ("start", "duration"):
            value = getattr(self, name)
            if isinstance(value, (str, bytes)) or np.ndim(value) or not 0 <= value < 1e9:
                raise ValueError(f"note: {name} = {value!r}; expected seconds, 0 or more")
            object.__setattr__(self, name, float(value))


class _Plan:
    """The structures of calls with some numbers of channels. Most calls are like the one before, with other samples:
    these need only new addresses."""

    __slots__ = (
        "channels", "shape", "rate", "step", "resets", "pointers", "pack", "call", "reference", "render"
    )  # fmt: skip

    def __init__(self, channels: tuple[int, int]) -> None:
        self.channels, count = channels, sum(channels)
        # Those of samples and results, if both have it; otherwise none that samples can have.
        self.shape: tuple[int, ...] = ()
        # Bytes from channel to channel of stereo sound, which is the usual one; 0 for others.
        self.rate, self.step = 0.0, 0
        # Whether the flags are those of a call that begins anew; none if they may be others.
        self.resets: bool | None = None
        self.pointers = (c.c_void_p * count)()
        self.pack = struct.Struct(f"{count}P").pack_into
        self.call = ChainCall(0, *channels)
        if channels[0]:
            self.call.inputs = c.addressof(self.pointers)
        self.call.outputs = c.addressof(self.pointers) + channels[0] * c.sizeof(c.c_void_p)
        self.reference = c.byref(self.call)
        self.render = untyped("AUChainRender")

    def set(self, source: np.ndarray | None, rate: float, result: np.ndarray) -> None:
        """Prepares a call."""
        call = self.call
        call.rate = self.rate = rate
        call.input_frames = 0 if source is None else source.shape[1]
        call.output_frames = result.shape[1]
        places: list[int] = []
        for samples in (result,) if source is None else (source, result):
            address, step = address_of(samples), samples.strides[0]
            places += [address + channel * step for channel in range(samples.shape[0])]
        self.pack(self.pointers, 0, *places)
        is_repeated = source is not None and source.shape == result.shape and result.size
        self.shape = result.shape if is_repeated else ()
        self.step = 4 * result.shape[1] if result.shape[0] == 2 else 0


class _Renderer:
    """What chains and graphs share: the rendering of arrays."""

    _handle: Handle | None
    # The structures of calls, to be used again. A call takes them out of the list, because another thread may call
    # at the same time; the library refuses that call.
    _plans: list[_Plan]
    # Messages after the end of the call before, with frames from the end.
    _pending: Sequence[tuple[int, int, tuple[int, ...]]] = ()

    def _open(self) -> int:
        raise NotImplementedError

    def _moves(self) -> bool:
        """Whether a parameter has an array as its value."""
        return False

    def _curves(self) -> Iterable[tuple[int, Any, np.ndarray]]:
        return ()

    def _changes_speed(self) -> bool:
        """Whether a unit may read its input after the output has passed it."""
        return True

    def _expect(self, sound: bool) -> None:
        """Refuses samples where nothing takes them, and a render without where nothing makes sound."""

    def _instrument(self) -> int:
        raise ValueError(f"{self!r} has no instrument that could play notes")

    # MARK: Calls

    def __call__(
        self,
        samples: ArrayLike,
        rate: float,
        *,
        tail: bool | float = False,
        reset: bool = True,
        out: np.ndarray | None = None,
        channels: int | None = None,
    ) -> np.ndarray:
        """Processes samples and returns float32 of the same shape; the argument is not changed.

        - `rate`: frames per second.
        - `tail`: what sounds after the end of the samples is appended: True for as long as the units say (60
          seconds at most), or a number of seconds.
        - `reset`: True begins anew, and removes the latency of the units, so that output frame 0 belongs to
          input frame 0. False continues where the call before has ended: filters, reverberation, notes and
          oscillators go on, and the latency then stays. Another rate, another number of channels, or another chain
          that used a unit meanwhile begin anew. Arrays of parameters are spread over each call. A unit that changes
          the speed needs the whole sound in one call: what it has not read at the end of a call is lost.
        - `out`: a float32 array for the result, which may be the argument itself. Nothing is copied then, unless a
          unit changes the speed, or the two overlap in another way.
        - `channels`: the channels of the result, if the samples have one.
        """
        if (
            tail is False and out is None and channels is None and type(samples) is np.ndarray
            and not self._moves()
        ):  # fmt: skip
            repeated = self._repeat(samples, rate, reset)
            if repeated is not None:
                return repeated
        self._expect(sound=True)
        source = samples_of(samples)
        rate = rate_of(rate)
        count = source.shape[0] if channels is None else whole("channels", channels, 1, MOST_CHANNELS)
        if count != source.shape[0] and source.shape[0] != 1:
            raise ValueError(f"{source.shape[0]} channels cannot become {count}; only one channel can")
        frames = source.shape[1]
        if tail is not False:
            frames += self._tail_frames(tail, rate, source.shape[0], count)
        result = np.empty((count, frames), np.float32) if out is None else output_of(out, count, frames)
        if out is not None and np.may_share_memory(source, result):
            same = source.strides[0] == result.strides[0] and address_of(source) == address_of(result)
            if not same or self._changes_speed():
                source = source.copy()
        self._render(source, rate, result, reset)
        return shaped_like(samples, result) if out is None else out

    def render(
        self,
        seconds: float,
        rate: float,
        *,
        channels: int = 2,
        notes: Iterable[Note] = (),
        reset: bool = True,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Renders a generator or an instrument for some seconds: float32 of shape (channels, frames).

        - `notes`: what the instrument plays; times are seconds from the beginning of this call. Notes that begin
          or end after it sound in the next call with `reset=False`.
        """
        self._expect(sound=False)
        rate = rate_of(rate)
        if not 0 <= seconds < 1e9:
            raise ValueError(f"{seconds!r} seconds; expected 0 or more")
        channels = whole("channels", channels, 1, MOST_CHANNELS)
        frames = round(seconds * rate)
        result = np.empty((channels, frames), np.float32) if out is None else output_of(out, channels, frames)
        self._render(None, rate, result, reset, self._messages(notes, rate))
        return result

    def latency(self, rate: float, channels: int = 2) -> int:
        """The latency in frames, which `__call__` removes."""
        return self._prepare(rate_of(rate), channels, channels)[0]

    def tail(self, rate: float, channels: int = 2) -> int:
        """How many frames the units say that they sound after their input."""
        return self._prepare(rate_of(rate), channels, channels)[1]

    # MARK: Inside

    def _repeat(self, samples: np.ndarray, rate: float, reset: bool) -> np.ndarray | None:
        """A call like the one before, while no parameter has an array as its value; None if it is another."""
        handle, plans = self._handle, self._plans
        if handle is None or self._is_new or self._pending or handle.forks != _fork_counts._forks:
            return None
        try:
            plan = plans.pop()
        except IndexError:
            return None
        shape = plan.shape
        if samples.shape != shape or samples.dtype is not _FLOAT or rate != plan.rate or not samples.flags.carray:
            plans.append(plan)
            return None
        result = _empty(shape, _FLOAT)
        source, target = addresses_of(samples, result)
        step = plan.step
        if step:
            plan.pack(plan.pointers, 0, source, source + step, target, target + step)
        else:
            step = 4 * shape[1]
            size = step * shape[0]
            plan.pack(
                plan.pointers, 0, *range(source, source + size, step), *range(target, target + size, step)
            )
        if reset is not plan.resets:
            plan.resets = reset
            plan.call.flags = _RESET | _SKIP_LATENCY if reset else 0
        status = plan.render(handle.argument, plan.reference)
        plans.append(plan)
        if status:
            check(status)
        return result

    def _prepare(self, rate: float, inputs: int, outputs: int) -> tuple[int, int]:
        latency, tail = u64(), u64()
        inputs = whole("channels", inputs, 0, MOST_CHANNELS)
        outputs = whole("channels", outputs, 1, MOST_CHANNELS)
        handle = self._open()
        check(library().AUChainPrepare(handle, rate, inputs, outputs, c.byref(latency), c.byref(tail)))
        return latency.value, tail.value

    def _tail_frames(self, tail: bool | float, rate: float, inputs: int, outputs: int) -> int:
        if isinstance(tail, (bool, np.bool_)):
            return tail and min(self._prepare(rate, inputs, outputs)[1], round(_LONGEST_TAIL * rate))
        if not 0 <= tail < 1e6:
            raise ValueError(f"a tail of {tail!r} seconds; expected 0 or more")
        return round(tail * rate)

    def _messages(self, notes: Iterable[Note], rate: float) -> list[tuple[int, int, tuple[int, ...]]]:
        events = []
        for note in notes:
            if not isinstance(note, Note):
                raise TypeError(f"{note!r} is not a Note")
            unit = self._instrument()
            begin, end = round(note.start * rate), round((note.start + note.duration) * rate)
            # The end of a note comes before the beginning of the next one.
            events.append((begin, 1, unit, (0x90 | note.channel, note.pitch, note.velocity)))
            events.append((max(end, begin + 1), 0, unit, (0x80 | note.channel, note.pitch, 64)))
        return [(frame, unit, (*data, 0)) for frame, _, unit, data in sorted(events)]

    def _keep(
        self, messages: list[tuple[int, int, tuple[int, ...]]], rate: float, plan: _Plan, frames: int, flags: int
    ) -> list[tuple[int, int, tuple[int, ...]]]:
        """The messages after the end of a call."""
        if messages[-1][0] >= frames and flags & _SKIP_LATENCY:
            frames += self._prepare(rate, *plan.channels)[0]
        return [(frame - frames, unit, data) for frame, unit, data in messages if frame >= frames]

    def _render(
        self,
        source: np.ndarray | None,
        rate: float,
        result: np.ndarray,
        reset: bool,
        messages: list[tuple[int, int, tuple[int, ...]]] | None = None,
    ) -> None:
        handle = self._open()
        channels = (0 if source is None else source.shape[0], result.shape[0])
        try:
            plan = self._plans.pop()
            if plan.channels != channels:
                plan = _Plan(channels)
        except IndexError:
            plan = _Plan(channels)
        call = plan.call
        plan.set(source, rate, result)
        flags = _RESET | _SKIP_LATENCY if reset else _RESET if self._is_new else 0
        call.flags, plan.resets = flags, None
        if self._pending:
            if not flags:
                messages = sorted([*self._pending, *(messages or ())], key=lambda message: message[0])
            self._pending = ()
        tracks = (
            self._tracks(result.shape[1] if source is None else source.shape[1]) if self._moves() else ()
        )
        if tracks or messages:
            # Kept until the call has ended.
            parameters = (ChainParameter * len(tracks))(*(track for track, _ in tracks))
            listed = [ChainMessage(*message) for message in messages or ()]
            events = (ChainMessage * len(listed))(*listed)
            call.parameter_count, call.parameters = len(parameters), c.addressof(parameters)
            call.message_count, call.messages = len(events), c.addressof(events)
        status = library().AUChainRender(handle, plan.reference)
        if tracks or messages:
            call.parameter_count = call.message_count = 0
        self._plans.append(plan)
        if status:
            check(status)
        self._is_new = False
        if messages:
            self._pending = self._keep(messages, rate, plan, result.shape[1], flags)

    def _tracks(self, frames: int) -> list[tuple[ChainParameter, np.ndarray]]:
        """The parameters that move, with the memory of their values."""
        tracks = []
        for unit, parameter, curve in self._curves():
            if not frames:
                break
            # The values are spread evenly over the frames, and read at intervals.
            count = -(-frames // _INTERVAL) + 1
            places = np.minimum(np.arange(count) * _INTERVAL, frames - 1)
            places = places * ((curve.size - 1) / max(1, frames - 1))
            if parameter.ramps:
                values = np.interp(places, np.arange(curve.size), curve).astype(np.float32)
            else:
                values = curve[np.rint(places).astype(np.intp)]
            track = ChainParameter(
                unit, parameter.identifier, GLOBAL, 0, _INTERVAL, int(parameter.ramps), count,
                values.ctypes.data,
            )  # fmt: skip
            tracks.append((track, values))
        return tracks

    def _release(self) -> None:
        """Ends the chain of the library; the next call makes another one."""
        if self._handle is not None:
            self._handle.close()
            self._handle = None


class Chain(_Renderer, Sequence[Unit]):
    """Units in series: effects, and at the first place perhaps a generator or an instrument.

    >>> room = Chain([Unit("hpas", cutoff_frequency=80), Unit("rvb2", preset="cathedral")])
    >>> wet = room(samples, 48000, tail=True)
    >>> piano = Chain([Unit("dls"), Unit("rvb2")]).render(3, 48000, notes=[Note(60), Note(64, start=0.5)])

    It is a sequence of its units, whose parameters may change between two calls. Equality, copies and pickles
    are those of the units.
    """

    def __init__(self, units: Iterable[Unit]) -> None:
        self._units = list(units)
        self._handle, self._is_new, self._plans = None, True, []
        if not self._units:
            raise ValueError("a chain needs a unit")
        for place, unit in enumerate(self._units):
            if not isinstance(unit, Unit):
                raise TypeError(f"{unit!r} is not a Unit")
            if place and not unit.takes_sound:
                raise ValueError(f"{unit!r} has no input for sound; it can only be the first of a chain")
        if len(set(map(id, self._units))) < len(self._units):
            raise ValueError("a unit is in the chain twice; copy it")

    @overload
    def __getitem__(self, index: int) -> Unit: ...
    @overload
    def __getitem__(self, index: slice) -> Chain: ...
    def __getitem__(self, index: int | slice) -> Unit | Chain:
        return Chain(self._units[index]) if isinstance(index, slice) else self._units[index]

    def __len__(self) -> int:
        return len(self._units)

    def _open(self) -> int:
        handle = self._handle
        if handle is not None and handle.is_ours and self._owns():
            return handle.value
        with _joining:
            # A unit that joins another chain releases this one, whose units then join again.
            for unit in self._units:
                unit._join(self)
            self._release()
            self._is_new = True
            parked = parking.take(self._units)
            if parked is not None:
                handle, self._plans = parked
            else:
                units = (c.c_void_p * len(self._units))(*[unit._open() for unit in self._units])
                made = pointer()
                check(library().AUChainNew(units, len(units), c.byref(made)))
                handle = Handle(made.value or 0, "AUChainDispose")
            self._handle = handle
            return handle.value

    def _owns(self) -> bool:
        """Whether no other chain has taken one of the units."""
        mine = weakref.ref(self)
        for unit in self._units:
            if unit._owner is not mine:
                return False
        return True

    def _expect(self, sound: bool) -> None:
        first = self._units[0]
        if sound and not first.takes_sound:
            raise ValueError(f"{first!r} has no input for sound; use render")
        if not sound and first.type not in _SOURCES:
            raise ValueError(f"{first!r} makes no sound of its own; call it with samples")

    def _changes_speed(self) -> bool:
        return any([unit.type == "aufc" for unit in self._units])

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None and max(_references(self._units), default=0) <= _REFERENCES:
            parking.leave(self._units, handle, self._plans)

    def _moves(self) -> bool:
        for unit in self._units:
            if unit._moves:
                return True
        return False

    def _curves(self) -> Iterable[tuple[int, Any, np.ndarray]]:
        return [
            (place, parameter, curve)
            for place, unit in enumerate(self._units)
            for parameter, curve in unit._curves()
        ]

    def _instrument(self) -> int:
        for place, unit in enumerate(self._units):
            if unit.type in ("aumu", "aumf"):
                return place
        return super()._instrument()

    def __reduce__(self):
        return _new_chain, (type(self), self._units)

    def __copy__(self) -> Chain:
        return _new_chain(type(self), [unit.__copy__() for unit in self._units])

    def __deepcopy__(self, memo: dict[int, Any]) -> Chain:
        return self.__copy__()

    def __eq__(self, other: object) -> bool:
        return self._units == other._units if isinstance(other, Chain) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Chain({self._units!r})"


def _new_chain(kind: type[Chain], units: list[Unit]) -> Chain:
    chain = object.__new__(kind)
    Chain.__init__(chain, units)
    return chain


class UnitAlone(Chain):
    """The chain that renders a unit which is called itself. The unit has this chain, which ends with it."""

    def __init__(self, unit: Unit) -> None:
        self._unit = weakref.ref(unit)
        self._handle, self._is_new, self._plans = None, True, []

    @property
    def _units(self) -> list[Unit]:
        unit = self._unit()
        return [] if unit is None else [unit]

    def _moves(self) -> bool:
        unit = self._unit()
        return unit is not None and unit._moves

    def leave(self, unit: Unit) -> None:
        """Ends with its unit."""
        if self._handle is not None:
            parking.leave([unit], self._handle, self._plans)

    def __del__(self) -> None:
        pass


class Graph(_Renderer):
    """A graph of units, described in JSON as the program `au` reads and writes it.

    >>> graph = Graph.load("chain.json")
    >>> wet = graph(samples, 48000)

    The samples go to each effect, mixer or converter whose first input is not connected. The result is what
    the output node would play, or else the output of the only node that feeds no other. Devices are not used.
    """

    def __init__(self, description: str | dict[str, Any]) -> None:
        self._text = description if isinstance(description, str) else json.dumps(description)
        self._handle, self._is_new, self._plans = None, True, []
        self._graph: Handle | None = None
        self._open()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Graph:
        """Reads a description from a file."""
        return cls(pathlib.Path(path).read_text(encoding="utf-8"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the description to a file."""
        pathlib.Path(path).write_text(self._text, encoding="utf-8")

    @property
    def description(self) -> dict[str, Any]:
        """The description as Python values."""
        return json.loads(self._text)

    def _open(self) -> int:
        if self._handle is None or not self._handle.is_ours:
            lib, graph, made = library(), pointer(), pointer()
            text = new_text(self._text)
            status = lib.AUGraphNewFromDescription(text, c.byref(graph))
            lib.CFRelease(text)
            check(status)
            # The chain is released before its graph.
            self._graph = Handle(graph.value or 0, "DisposeAUGraph")
            check(lib.AUChainNewFromGraph(graph, c.byref(made)))
            self._handle = Handle(made.value or 0, "AUChainDispose")
        return self._handle.value

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self._release()

    def __reduce__(self):
        return _new_graph, (type(self), self._text)

    def __copy__(self) -> Graph:
        return _new_graph(type(self), self._text)

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        return self.__copy__()

    def __eq__(self, other: object) -> bool:
        return self.description == other.description if isinstance(other, Graph) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Graph({self._text!r})"


def _new_graph(kind: type[Graph], text: str) -> Graph:
    graph = object.__new__(kind)
    Graph.__init__(graph, text)
    return graph
