# SPDX-License-Identifier: Apache-2.0
"""Chains that are not used any more, with their units, for the next chain of such units.

Making and preparing units takes the library longer than rendering a short sound. Units serve only units with the same preset and the same values, which did not change meanwhile: some parameters
act when a unit is prepared. The first render resets them.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from ._library import Handle

if TYPE_CHECKING:
    from ._units import Unit

_MOST = 8


@dataclasses.dataclass(eq=False)
class _Parked:
    description: list[tuple[str, str | None, dict[str, Any]]]
    chain: Handle
    units: list[Handle]
    plans: list[Any]


_parked: list[_Parked] = []


def _description(units: list[Unit]) -> list[tuple[str, str | None, dict[str, Any]]] | None:
    """What distinguishes the library's units; None for those with other state."""
    for unit in units:
        if unit._is_changed or unit._bank is not None:
            return None
    return [(unit._kind.subtype, unit._preset, unit._values) for unit in units]


def leave(units: list[Unit], chain: Handle, plans: list[Any]) -> None:
    """Keeps the objects of a chain that ends together with its units, and the structures of its calls."""
    description = _description(units)
    handles = [unit._handle for unit in units]
    if description is None or not chain.is_ours or not chain.value:
        return
    for handle in handles:
        if handle is None or not handle.is_ours:
            return
    _parked.append(_Parked(description, chain, handles, plans))
    while len(_parked) > _MOST:
        _end(_parked.pop(0))


def take(units: list[Unit]) -> tuple[Handle, list[Any]] | None:
    """A chain for units, which get the library's units of it, and structures of its calls; None if there is none."""
    if not _parked:
        return None
    for unit in units:
        if unit._handle is not None:
            return None
    description = _description(units)
    if description is None:
        return None
    for parked in reversed(_parked):
        if parked.description != description or not parked.chain.is_ours:
            continue
        try:
            _parked.remove(parked)
        except ValueError:  # another thread has taken it
            continue
        for unit, handle in zip(units, parked.units):
            unit.__dict__["_handle"] = handle
        return parked.chain, parked.plans
    return None


def _end(parked: _Parked) -> None:
    """Ends a chain before its units."""
    parked.chain.close()
