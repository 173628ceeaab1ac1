# SPDX-License-Identifier: Apache-2.0
"""Units: effects, generators and instruments."""

from __future__ import annotations

import ctypes as c
import dataclasses
import functools
import os
import re
import types
import weakref
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._library import (
    GLOBAL,
    INPUT,
    OUTPUT,
    AudioToolboxError,
    ComponentDescription,
    Handle,
    ParameterInfo,
    Preset,
    check,
    code,
    f32,
    float_format,
    library,
    new_url,
    pointer,
    read_text,
    take_text,
    u32,
)

_PARAMETER_LIST, _PARAMETER_INFO, _FORMAT, _FACTORY_PRESETS, _PRESENT_PRESET, _SOUND_BANK = 3, 4, 8, 24, 36, 1100
# Ranges that depend on the sample rate are those of a high one; the library limits values to what a rate allows.
_HIGH_RATE = 192_000
# Types of units that can be part of a chain.
_TYPES = ("aufx", "aumf", "aufc", "augn", "aumu", "aumx", "aupn")
_UNITS_OF_MEASURE = {
    2: "on or off", 3: "%", 4: "s", 5: "frames", 6: "°", 8: "Hz", 9: "cents", 10: "semitones", 13: "dB",
    22: "bpm", 24: "ms",
}  # fmt: skip
_WRITABLE, _CAN_RAMP, _NAME_RELEASE = 1 << 31, 1 << 25, 1 << 4
_Array = np.ndarray
# Names of members of `Unit`, which no parameter can have.
_RESERVED = frozenset(
    ("subtype", "type", "preset", "bank", "presets", "parameters", "takes_sound", "render", "latency", "tail")
)


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter of a kind of unit: its name in Python, its range, and its unit of measure."""

    name: str
    title: str
    minimum: float
    maximum: float
    default: float
    measure: str
    identifier: int
    ramps: bool
    is_meter: bool


@dataclasses.dataclass(frozen=True)
class _Kind:
    """What all units of a component have in common; read once for each component."""

    component: int
    type: str
    subtype: str
    parameters: Mapping[str, Parameter]
    presets: Mapping[str, tuple[int, str]]


def units(type: str | None = None) -> Iterator[tuple[str, str, str]]:
    """The installed units as (type, subtype, name), such as ("aufx", "lpas", "Apple: AULowpass").

    `type` limits them to one type: "aufx" effects, "aumu" instruments, "augn" generators, and so on."""
    lib = library()
    wanted = ComponentDescription(code(type) if type else 0)
    component = lib.AudioComponentFindNext(None, c.byref(wanted))
    while component:
        found, name = ComponentDescription(), pointer()
        check(lib.AudioComponentGetDescription(component, c.byref(found)))
        check(lib.AudioComponentCopyName(component, c.byref(name)))
        yield _letters(found.type), _letters(found.subtype), take_text(name.value)
        component = lib.AudioComponentFindNext(component, c.byref(wanted))


def _letters(number: int) -> str:
    return number.to_bytes(4, "big").decode("latin-1").rstrip()


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


@functools.cache
def _kind(subtype: str) -> _Kind:
    if not isinstance(subtype, str) or not 1 <= len(subtype) <= 4 or not subtype.isascii():
        raise ValueError(f"{subtype!r} is not the code of a unit; `units()` lists them")
    lib = library()
    for type in _TYPES:
        wanted = ComponentDescription(code(type), code(subtype.ljust(4)))
        component = lib.AudioComponentFindNext(None, c.byref(wanted))
        if component:
            break
    else:
        raise ValueError(f"there is no unit {subtype!r}; `units()` lists them")
    made = pointer()
    check(lib.AudioComponentInstanceNew(component, c.byref(made)))
    unit = Handle(made.value or 0, "AudioComponentInstanceDispose")
    parameters, presets = _widened(unit.value, _read_parameters(unit.value)), _read_presets(unit.value)
    unit.close()
    return _Kind(component, type, subtype, types.MappingProxyType(parameters), types.MappingProxyType(presets))


def _widened(unit: int, parameters: dict[str, Parameter]) -> dict[str, Parameter]:
    """Parameters with the ranges that they have at a high rate, too."""
    lib = library()
    format, size = float_format(_HIGH_RATE, 2), u32()
    for scope in (INPUT, OUTPUT):  # not every unit has both
        if not lib.AudioUnitGetPropertyInfo(unit, _FORMAT, scope, 0, c.byref(size), None):
            lib.AudioUnitSetProperty(unit, _FORMAT, scope, 0, c.byref(format), c.sizeof(format))
    for name, other in _read_parameters(unit).items():
        if name in parameters:
            low = min(parameters[name].minimum, other.minimum)
            high = max(parameters[name].maximum, other.maximum)
            parameters[name] = dataclasses.replace(parameters[name], minimum=low, maximum=high)
    return parameters


def _read_parameters(unit: int) -> dict[str, Parameter]:
    lib, size = library(), u32()
    if lib.AudioUnitGetPropertyInfo(unit, _PARAMETER_LIST, GLOBAL, 0, c.byref(size), None) or not size.value:
        return {}
    identifiers = (u32 * (size.value // 4))()
    check(lib.AudioUnitGetProperty(unit, _PARAMETER_LIST, GLOBAL, 0, identifiers, c.byref(size)))
    parameters: dict[str, Parameter] = {}
    for identifier in identifiers:
        about, size = ParameterInfo(), u32(c.sizeof(ParameterInfo))
        check(
            lib.AudioUnitGetProperty(unit, _PARAMETER_INFO, GLOBAL, identifier, c.byref(about), c.byref(size))
        )
        title = read_text(about.cf_name) or about.name.decode()
        if about.cf_name and about.flags & _NAME_RELEASE:
            lib.CFRelease(about.cf_name)
        name = _plain(title)
        if name in _RESERVED or name[:1].isdigit():
            name = f"{name}_" if name in _RESERVED else f"n{name}"
        parameters.setdefault(
            name,
            Parameter(
                name, title, about.minimum, about.maximum, about.default,
                read_text(about.unit_name) if about.unit == 26 else _UNITS_OF_MEASURE.get(about.unit, ""),
                identifier, bool(about.flags & _CAN_RAMP), not about.flags & _WRITABLE,
            ),
        )  # fmt: skip
    return parameters


def _read_presets(unit: int) -> dict[str, tuple[int, str]]:
    lib, array, size = library(), pointer(), u32(8)
    status = lib.AudioUnitGetProperty(unit, _FACTORY_PRESETS, GLOBAL, 0, c.byref(array), c.byref(size))
    if status or not array.value:
        return {}
    presets = {}
    for index in range(lib.CFArrayGetCount(array)):
        preset = c.cast(lib.CFArrayGetValueAtIndex(array, index), c.POINTER(Preset)).contents
        name = read_text(preset.name)
        presets[_plain(name)] = (preset.number, name)
    lib.CFRelease(array)
    return presets


class Unit:
    """An effect, a generator or an instrument.

    >>> Unit("rvb2", preset="cathedral", dry_wet_mix=30)
    >>> Unit("lpas", cutoff_frequency=np.geomspace(200, 8000, 50))   # a sweep over each call

    `parameters` lists the names and ranges of its parameters, `presets` its presets. A parameter is an
    attribute. Its value is a number, or an array of values that are spread evenly from the first to the last
    frame of a call. Numbers outside the range are refused. Some ranges depend on the sample rate: the listed one is
    that of 192 kHz, and at a lower rate the unit uses the nearest value that it has there.

    A unit is what describes it: equal units have equal descriptions, and a copy or a pickle contains the
    description and not the sound of earlier calls. A unit whose sound is random has a parameter for it
    (`noise_seed` of "tone"); equal seeds give equal sound, and there is no other source of randomness.
    """

    _kind: _Kind
    _values: dict[str, Any]

    def __init__(
        self,
        subtype: str,
        *,
        preset: str | None = None,
        bank: str | os.PathLike[str] | None = None,
        **parameters: Any,
    ) -> None:
        # Their names begin with "_"; others are those of parameters.
        self.__dict__.update(
            _kind=_kind(subtype), _values={}, _handle=None, _preset=None,
            _bank=None if bank is None else os.fspath(bank),
            # Whether a value is an array, and whether a value changed after the first use; the chain that renders
            # it alone, and the chain that has it now.
            _moves=False, _is_changed=False, _chain=None, _owner=None,
        )  # fmt: skip
        if preset is not None:
            self.__dict__["_preset"] = self._find_preset(preset)
        for name, value in parameters.items():
            setattr(self, name, value)

    # MARK: What it is

    @property
    def subtype(self) -> str:
        """The code of the unit, such as "rvb2"."""
        return self._kind.subtype

    @property
    def type(self) -> str:
        """The code of its type: "aufx" for an effect, "aumu" for an instrument."""
        return self._kind.type

    @property
    def preset(self) -> str | None:
        """The name of its preset. Another one, or None, also sets all parameters."""
        return self._preset and self._kind.presets[self._preset][1]

    @property
    def bank(self) -> str | None:
        """The sound bank of an instrument."""
        return self._bank

    @property
    def presets(self) -> list[str]:
        """The names of its factory presets."""
        return [name for _, name in self._kind.presets.values()]

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """Its parameters by name."""
        return self._kind.parameters

    @property
    def takes_sound(self) -> bool:
        """Whether it has an input for sound."""
        return self.type not in ("augn", "aumu")

    def _find_preset(self, name: str) -> str:
        if _plain(name) not in self._kind.presets:
            known = ", ".join(repr(name) for _, name in self._kind.presets.values()) or "none"
            raise ValueError(f"{self.subtype} has no preset {name!r}; it has {known}")
        return _plain(name)

    # MARK: Parameters

    def _parameter(self, name: str) -> Parameter:
        found = self._kind.parameters.get(name)
        if found is None:
            known = ", ".join(self._kind.parameters) or "none"
            raise AttributeError(f"{self.subtype} has no parameter {name!r}; it has {known}")
        return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        parameter = self._parameter(name)
        if name in self._values:
            return self._values[name]
        value = f32()
        check(
            library().AudioUnitGetParameter(self._open(), parameter.identifier, GLOBAL, 0, c.byref(value))
        )
        return value.value

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            return object.__setattr__(self, name, value)
        if name == "preset":
            return self._choose(value)
        if name in _RESERVED:
            raise AttributeError(f"{name} of a unit cannot be set; make another Unit")
        parameter = self._parameter(name)
        if parameter.is_meter:
            raise AttributeError(f"{self.subtype}: {name} is a meter; it can only be read")
        if isinstance(value, (float, int)) or np.ndim(value) == 0:
            number = float(value)
            if not parameter.minimum <= number <= parameter.maximum:
                raise ValueError(self._range_text(parameter, number))
            self._values[name] = number
            if self._moves:
                self.__dict__["_moves"] = any(isinstance(other, np.ndarray) for other in self._values.values())
            if self._handle is not None and self._handle.is_ours:
                self.__dict__["_is_changed"] = True
                self._send(parameter, number)
        else:
            curve = np.array(value, dtype=np.float32)
            if curve.ndim != 1 or not curve.size:
                raise ValueError(f"{self.subtype}: {name} is a number, or an array of one dimension")
            low, high = curve.min(), curve.max()
            if not (parameter.minimum <= low and high <= parameter.maximum):
                wrong = high if low >= parameter.minimum else low
                raise ValueError(self._range_text(parameter, float(wrong)))
            curve.flags.writeable = False
            self._values[name] = curve
            self.__dict__["_moves"] = self.__dict__["_is_changed"] = True

    def _choose(self, preset: str | None) -> None:
        """Begins anew with a preset, or with none: the parameters have its values."""
        found = None if preset is None else self._find_preset(preset)
        self.__dict__.update(_preset=found, _values={}, _moves=False)
        if self._handle is not None and self._handle.is_ours:
            self.__dict__["_is_changed"] = True
            for parameter in self._kind.parameters.values():
                if not parameter.is_meter:
                    self._send(parameter, parameter.default)
            self._apply()

    def _range_text(self, parameter: Parameter, value: float) -> str:
        measure = f" {parameter.measure}" if parameter.measure else ""
        return (
            f"{self.subtype}: {parameter.name} = {value:g}; expected "
            f"{parameter.minimum:g} to {parameter.maximum:g}{measure}"
        )

    def _send(self, parameter: Parameter, value: float) -> None:
        check(library().AudioUnitSetParameter(self._handle.value, parameter.identifier, GLOBAL, 0, value, 0))

    def _curves(self) -> Iterator[tuple[Parameter, np.ndarray]]:
        """The parameters whose values are arrays."""
        for name, value in self._values.items():
            if isinstance(value, np.ndarray):
                yield self._kind.parameters[name], value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._kind.parameters]

    # MARK: The unit of the library

    def _open(self) -> int:
        """The handle of the library's unit, which is made when it is first needed in a process."""
        if self._handle is None or not self._handle.is_ours:
            lib, made = library(), pointer()
            check(lib.AudioComponentInstanceNew(self._kind.component, c.byref(made)))
            self.__dict__["_handle"] = Handle(made.value or 0, "AudioComponentInstanceDispose")
            try:
                self._apply()
            except AudioToolboxError:
                self.__dict__["_handle"] = None
                raise
        return self._handle.value

    def _apply(self) -> None:
        lib = library()
        if self._bank is not None:
            url = new_url(self._bank)
            bank = pointer(url)
            status = lib.AudioUnitSetProperty(self._handle.value, _SOUND_BANK, GLOBAL, 0, c.byref(bank), 8)
            lib.CFRelease(url)
            check(status)
        if self._preset is not None:
            preset = Preset(self._kind.presets[self._preset][0], None)
            check(
                lib.AudioUnitSetProperty(
                    self._handle.value, _PRESENT_PRESET, GLOBAL, 0, c.byref(preset), c.sizeof(preset)
                )
            )
        for name, value in self._values.items():
            if not isinstance(value, np.ndarray):
                self._send(self._kind.parameters[name], value)

    # MARK: Rendering

    def __call__(
        self,
        samples: ArrayLike,
        rate: float,
        *,
        reset: bool = True,
        tail: bool | float = False,
        out: np.ndarray | None = None,
        channels: int | None = None,
    ) -> np.ndarray:
        """Processes samples, as a chain of this unit alone does: see `Chain.__call__`."""
        chain = self._chain
        if chain is None:
            chain = self._alone()
        # Directly, because calls with few frames take hardly longer than a call in Python.
        if (
            tail is False and out is None and channels is None and type(samples) is _Array
            and not self._moves
        ):  # fmt: skip
            repeated = chain._repeat(samples, rate, reset)
            if repeated is not None:
                return repeated
        return chain(samples, rate, reset=reset, tail=tail, out=out, channels=channels)

    def render(self, seconds: float, rate: float, **options: Any) -> np.ndarray:
        """Renders a generator or an instrument: see `Chain.render`."""
        return self._alone().render(seconds, rate, **options)

    def latency(self, rate: float, channels: int = 2) -> int:
        """Its latency in frames, which `__call__` removes."""
        return self._alone().latency(rate, channels)

    def tail(self, rate: float, channels: int = 2) -> int:
        """How many frames it says that it sounds after its input."""
        return self._alone().tail(rate, channels)

    def _alone(self) -> Any:
        if self._chain is None:
            from ._chains import UnitAlone

            self.__dict__["_chain"] = UnitAlone(self)
        return self._chain

    def __del__(self) -> None:
        chain = self.__dict__.get("_chain")
        if chain is not None:
            chain.leave(self)

    def _join(self, chain: Any) -> None:
        """Gives the unit to a chain. The chain that had it before makes itself anew at its next call."""
        owner = self._owner and self._owner()
        if owner is not None and owner is not chain:
            owner._release()
        self.__dict__["_owner"] = weakref.ref(chain)

    # MARK: Its description

    def _description(self) -> tuple[str, str | None, str | None, dict[str, Any]]:
        return self.subtype, self.preset, self.bank, self._values

    def __reduce__(self):
        return _new_unit, (type(self), self.subtype, self.preset, self.bank, dict(self._values))

    def __copy__(self) -> Unit:
        return _new_unit(*self.__reduce__()[1])

    def __deepcopy__(self, memo: dict[int, Any]) -> Unit:
        return self.__copy__()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Unit):
            return NotImplemented
        return (
            self._description()[:3] == other._description()[:3]
            and self._values.keys() == other._values.keys()
            and all(np.array_equal(value, other._values[name]) for name, value in self._values.items())
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        words = [repr(self.subtype)]
        named = (("preset", self.preset), ("bank", self.bank))
        words += [f"{name}={value!r}" for name, value in named if value]
        with np.printoptions(floatmode="unique"):
            words += [
                f"{name}={int(value) if isinstance(value, float) and value.is_integer() else value!r}"
                for name, value in self._values.items()
            ]
        return f"Unit({', '.join(words)})"


def _new_unit(
    kind: type[Unit], subtype: str, preset: str | None, bank: str | None, values: dict[str, Any]
) -> Unit:
    unit = object.__new__(kind)
    Unit.__init__(unit, subtype, preset=preset, bank=bank, **values)
    return unit
