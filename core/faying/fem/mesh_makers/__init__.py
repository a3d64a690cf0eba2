"""Mesh makers: FE models of parts of standard shape, from a few parameters. A member is one file."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from faying.fem.model import FeModel
from faying.fem.one_material import OneMaterial
from faying.params import Member
from faying.registry import Registry
from faying.units import OF_DEFAULTS, with_units

mesh_makers: Registry[type["MeshMaker"]] = Registry("mesh maker", __name__)


class MeshMaker(OneMaterial, Member):
    """A parametric part: parameters with units, and the resulting model."""

    @abstractmethod
    def model(self) -> FeModel:
        """Return the part, in the unit system of the parameters.

        Raises:
            ModelError: when the parameters are inconsistent; names the one to change.
        """

    @abstractmethod
    def facts(self) -> list[tuple[str, str]]:
        """Return derived quantities: name and value, the latter as from `faying.units.amount`.

        Raises:
            ModelError: see `model`.
        """


def maker_of(kind: str, given: Mapping[str, Any], system: str = OF_DEFAULTS) -> MeshMaker:
    """Return a mesh maker in a unit system.

    Args:
        kind: kind of the maker.
        given: parameters by name, in the unit system; all others take their defaults.
        system: the unit system.

    Raises:
        ModelError: for an unknown kind or parameter, or inconsistent parameters.
    """
    return mesh_makers[kind].decided(given, system)


def facts_of(maker: MeshMaker, system: str) -> list[tuple[str, str]]:
    """Return derived quantities of a maker, in the units of a system (see `MeshMaker.facts`)."""
    return [(name, with_units(value, system)) for name, value in maker.facts()]


def graded(length: float, count: int, finest: float, at: float = 0.0) -> np.ndarray:
    """Return count + 1 coordinates from 0 to a length, with steps that grow linearly away from one place.

    The steps are those of ∫ ds/h(s) = count with h(s) = h₀ + g |s − at|, which has a closed form.

    Args:
        length: length to divide.
        count: number of steps.
        finest: h₀; steps are equal if it is zero, or so large that steps would have to shrink.
        at: place of the smallest steps.
    """
    if finest <= 0.0 or finest * count >= length:
        return np.linspace(0.0, length, count + 1)
    at = min(max(at, 0.0), length)

    def steps(growth: float, reach: np.ndarray | float) -> np.ndarray:
        return np.asarray(np.log1p(growth * np.asarray(reach) / finest) / growth)

    low, high = 1e-9, 1.0
    while steps(high, at) + steps(high, length - at) > count:
        high *= 2.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        more = steps(middle, at) + steps(middle, length - at) > count
        low, high = (middle, high) if more else (low, middle)
    growth = 0.5 * (low + high)
    numbers = np.linspace(-float(steps(growth, at)), float(steps(growth, length - at)), count + 1)
    places = at + np.sign(numbers) * finest * np.expm1(growth * np.abs(numbers)) / growth
    places[0], places[-1] = 0.0, length
    return places
