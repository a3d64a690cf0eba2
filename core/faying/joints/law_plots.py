"""Plots of contact and friction laws in convenient units such as micrometres and megapascals."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faying.joints.contact_laws import ContactLaw
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws import FrictionLaw
from faying.joints.law_curves import GapRange, HysteresisLoop, gaps_of
from faying.joints.sticking import sticking_stiffness
from faying.params import Member
from faying.plot import Axis, Plot, Series
from faying.units import read_quantity, unit_text

WORK_UNIT = "J/m²"
# The pressure axis ends at this multiple of the median of all laws' largest pressures; steeper curves are cut off.
_HEADROOM = 2.5


@dataclass(frozen=True)
class PlotUnits:
    """Units of a plot's numbers, and the unit system of the laws.

    Attributes:
        system: unit system of the laws.
        length, stress: any units of these dimensions, as "µm" and "MPa".
    """

    system: str
    length: str = "µm"
    stress: str = "MPa"

    def of(self, quantity: str) -> str:
        """Return the unit of a quantity for texts next to the plot; "" for none."""
        chosen = {"length": self.length, "stress": self.stress, "energy_per_area": WORK_UNIT}
        return chosen.get(quantity) or unit_text(quantity, self.system)

    def lengths(self, values: np.ndarray | float) -> np.ndarray:
        """Return lengths of the unit system, of any shape, in the plot's unit."""
        return np.asarray(values) / unit_value(self.length, "length", self.system)

    def stresses(self, values: np.ndarray | float) -> np.ndarray:
        """Return stresses of the unit system, of any shape, in the plot's unit."""
        return np.asarray(values) / unit_value(self.stress, "stress", self.system)


def names_of(laws: Sequence[Member]) -> list[str]:
    """Return the laws' titles; a number distinguishes laws of the same kind."""
    names: list[str] = []
    for law in laws:
        before = sum(other.kind == law.kind for other in laws[: len(names)])
        names.append(f"{law.title} {before + 1}" if before else law.title)
    return names


def unit_value(unit: str, quantity: str, system: str) -> float:
    """Return the value of one unit in the unit system: 0.001 for "µm" where lengths are in millimetres.

    Raises:
        ModelError: when it is no unit of that quantity.
    """
    return read_quantity(f"1 {unit}", quantity, system)


def pressure_plot(
    laws: Sequence[tuple[str, ContactLaw]],
    span: GapRange,
    units: PlotUnits,
    mark: tuple[float, float] | None = None,
) -> Plot:
    """Return pressure over gap.

    Args:
        laws: (name, law), overlaid in this order.
        span: gaps to be shown.
        units: of the plot.
        mark: (gap, pressure) of the point at which laws are matched.
    """
    gaps = gaps_of(span, tuple(law for _, law in laws))
    pressures = [law.pressure(gaps)[0] for _, law in laws]
    x, curves = units.lengths(gaps), [units.stresses(p) for p in pressures]
    point = (float(units.lengths(mark[0])), float(units.stresses(mark[1]))) if mark is not None else None
    series = tuple(Series(name, x, y, i) for i, ((name, _), y) in enumerate(zip(laws, curves, strict=True)))
    top = _readable_top([float(y.max()) for y in curves], point)
    limits = (-0.04 * top, 1.04 * top) if top > 0.0 else None
    return Plot(
        "Pressure over gap", Axis("Gap", units.length), Axis("Pressure", units.stress, limits), series, point
    )


def hysteresis_plot(loops: Sequence[tuple[str, HysteresisLoop]], units: PlotUnits) -> Plot:
    """Return friction stress over slip; the names of the curves include the work per cycle.

    Args:
        loops: (name of the law, its loop), overlaid in this order.
        units: of the plot.
    """
    series = tuple(
        Series(
            f"{name}: {work_text(loop, units)} per cycle",
            units.lengths(loop.slip),
            units.stresses(loop.stress),
            i,
        )
        for i, (name, loop) in enumerate(loops)
    )
    x, y = Axis("Slip", units.length), Axis("Friction stress", units.stress)
    return Plot("Friction stress over slip", x, y, series)


def work_text(loop: HysteresisLoop, units: PlotUnits) -> str:
    """Return the work per area and cycle of a loop as text."""
    return f"{loop.work / unit_value(WORK_UNIT, 'energy_per_area', units.system):.4g} {WORK_UNIT}"


def _readable_top(tops: list[float], point: tuple[float, float] | None) -> float:
    """Return the upper end of the pressure axis, limited so that one steep law does not flatten the other curves."""
    if not tops:
        return 0.0
    top = min(max(tops), _HEADROOM * float(np.median(tops)) or max(tops))
    return max(top, 1.2 * point[1]) if point is not None else top


def usually(friction: FrictionLaw) -> FrictionLaw:
    """Return a law without a joint as it would act together with the usual contact law, on steel."""
    return friction.beside(float(f"{sticking_stiffness(LinearPenalty(), ()):.4g}"))
