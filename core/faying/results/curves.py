"""Curves of a result as plots: over time or another curve, as spectrum, orders, envelope or decay; on two axes.

Responses over frequency as magnitudes, with their phases (Bode), or as imaginary over real parts (Nyquist).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args
from weakref import WeakKeyDictionary

import numpy as np

from faying.errors import ModelError
from faying.plot import Axis, Plot, ResponsePlace, Series
from faying.results.curve_key import ENERGIES, CurveKey
from faying.results.decay import free_decay
from faying.results.results import Results
from faying.results.signals import envelope, order_spectrum, spectrum
from faying.units import UnitSystemName, factor_to_si, shown_unit

CurveView = Literal["values", "envelope", "spectrum", "orders", "decay", "bode", "nyquist"]
CURVE_VIEWS: tuple[CurveView, ...] = get_args(CurveView)
_MASSES = ("mass", "moment_of_inertia")  # effective ones of modes: shares of a whole
_OVER_TIME, _OVER_FREQUENCY = ("spectrum", "envelope", "decay"), ("bode", "nyquist")
PHASE = " phase"
OF_FE_MODEL = " (FE model)"
"""Ending of the names of curves that follow from true fields, while the run itself is of a reduced body."""

_MOVEMENTS = ("displacement", "velocity", "acceleration", "dynamic stiffness")
_TITLES = {
    "length": "Displacement", "angle": "Angle", "velocity": "Velocity", "energy": "Energy", "force": "Force",
    "stiffness": "Dynamic stiffness", "moment": "Moment", "impulse": "Impulse", "time": "Time", "stress": "Stress",
    "": "Value",
}  # fmt: skip
_TITLES_BY_QUANTITY = {
    "closed share": "Share",
    "slipping share": "Share",
    "share": "Share",
    "gap norm": "Norm of the gaps",
    "smallest gap": "Gap",
    "largest penetration": "Penetration",
    "damping ratio": "Damping ratio",
    "damping ratio of the body alone": "Damping ratio",
    "damping by friction": "Damping ratio",
    "damping by friction by Masing": "Damping ratio",
}
_MAX_MARKED_VALUES = 30  # values are marked one by one


@dataclass(frozen=True, eq=False)
class Curve:
    """A scalar history: `values` (n,) of a quantity (`faying.units.QUANTITIES`), "" for none.

    `style` keeps its colour when others are added or removed. A magnitude over frequency has its `phase` (n,) and
    perhaps its `place`. A stored curve has its `key`. Plots over a `logarithmic` one have such an axis. Measured
    points, modes and load cases are `scatter`: no line connects them. `unstable` (n,) are values of motions that are
    not stable; None where that is not known.
    """

    name: str
    values: np.ndarray
    quantity: str = ""
    style: int = 0
    phase: np.ndarray | None = None
    place: ResponsePlace | None = None
    key: CurveKey | None = None
    logarithmic: bool = False
    scatter: bool = False
    unstable: np.ndarray | None = None

    @property
    def is_phase(self) -> bool:
        """Whether it is the phase of a response."""
        return self.key is not None and self.key.is_phase

    @property
    def title(self) -> str:
        """Title of an axis of such curves."""
        if self.is_phase:
            return "Phase"
        of_key = _TITLES_BY_QUANTITY.get(self.key.quantity, "") if self.key is not None else ""
        return of_key or _TITLES.get(self.quantity, self.quantity.replace("_", " ").capitalize())


def axis_curve(results: Results) -> Curve:
    """Return the axis of the frames of a result: times, frequencies, loads, or points of a study."""
    axis = results.axis
    return Curve(axis.title, results.values, axis.quantity, logarithmic=axis.logarithmic)


def stored_curve(results: Results, name: CurveKey | str, style: int = 0) -> Curve:
    """Return a stored curve by its key or text, a magnitude with its phase; raises as `Results.curve`."""
    key = results.curve_key(name) if isinstance(name, str) else name
    text = results.curve_texts[key]
    unstable = results.curve(STABLE) == 0.0 if STABLE in results.curve_texts else None
    if key.is_phase or key.phase not in results.curve_texts:
        scatter = is_measured(results) or results.axis.discrete
        values = results.curve(key)
        return Curve(text, values, key.dimension, style, key=key, scatter=scatter, unstable=unstable)
    reduced = results.curve_texts.get(replace(key, full=False), text)
    place = results.report.get("places", {}).get(reduced)
    at = ResponsePlace(*place) if place else None
    values, phase = results.curve(key), results.curve(key.phase)
    return Curve(text, values, key.dimension, style, phase, at, key, unstable=unstable)


STABLE = CurveKey("stable")
"""Curve of periodic motions: 1 where one is stable, else 0."""


MEASURED = "measured_points"
"""Entry of the report of results that are points of a test: how many."""


def is_measured(results: Results) -> bool:
    """Return whether results are points of a test."""
    return MEASURED in results.report


def run_title(name: str, results: Results) -> str:
    """Return the heading of curves of an analysis: its name, and whether friction was switched off."""
    return f"{name}, without friction" if results.settings.get("friction") is False else name


_NOISE = 1e-12  # of the largest value of its quantity in the run; less is round-off
_sizes: "WeakKeyDictionary[Results, tuple[int, dict[str, float]]]" = WeakKeyDictionary()


def without_noise(results: Results, curve: Curve) -> Curve:
    """Return a curve with round-off set to zero: values negligible next to the largest of the same quantity in the run.

    Shares and numbers, which have no quantity, are unchanged.
    """
    if not curve.quantity:
        return curve
    known = _sizes.get(results)
    if known is None or known[0] != results.n_frames:
        sizes: dict[str, float] = {}
        for key in results.curve_keys:
            if quantity := key.dimension:
                size = float(np.nanmax(np.abs(results.curve(key)), initial=0.0))
                sizes[quantity] = max(size, sizes.get(quantity, 0.0))
        known = _sizes[results] = results.n_frames, sizes
    least = _NOISE * known[1].get(curve.quantity, 0.0)
    return replace(curve, values=np.where(np.abs(curve.values) < least, 0.0, curve.values))


@dataclass(frozen=True)
class CurveScales:
    """Scales of the axes of a plot.

    Attributes:
        log_x, log_y: in powers of ten; values that are not positive are left out.
        decibel: 20 log10 of the magnitude over one unit, instead of the values.
        highest_frequency: end of the axis of spectra and responses, in its unit; 0 for all.
        peaks: number of peaks that are labelled in each curve.
    """

    log_x: bool = False
    log_y: bool = False
    decibel: bool = False
    highest_frequency: float = 0.0
    peaks: int = 0


def scaled_plot(plot: Plot, scales: CurveScales) -> Plot:
    """Return a plot with other scales; an axis of phases keeps its own."""
    x = replace(plot.x, logarithmic=plot.x.logarithmic or scales.log_x)
    if scales.highest_frequency > 0.0 and plot.x.title in ("Frequency", "Order of the rotation"):
        lowest = float(min((s.x[s.x > 0.0].min(initial=np.inf) for s in plot.series), default=0.0))
        x = replace(x, limits=(lowest if x.logarithmic else 0.0, scales.highest_frequency))
    y, series = plot.y, plot.series
    if scales.decibel:
        y = replace(
            y, title=f"Level of {y.title.lower()}", unit=f"dB re 1 {y.unit}".strip(), logarithmic=False
        )
        series = tuple(s if s.right else replace(s, y=_decibel(s.y), counts=None) for s in series)
    elif scales.log_y:
        y = replace(y, logarithmic=True)
    right = plot.right
    if right is not None and scales.log_y and right.title != "Phase":
        right = replace(right, logarithmic=True)
    return replace(plot, x=x, y=y, series=series, peaks=scales.peaks, right=right)


def _decibel(values: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        found = 20.0 * np.log10(np.abs(values))
    return np.where(np.isfinite(found), found, np.nan)


def peaks_of(series: Series, count: int, below: float = np.inf) -> list[int]:
    """Return the indices of the most prominent peaks of a curve, in order; `below` is the end of the shown range."""
    from scipy.signal import find_peaks

    known = np.nan_to_num(series.y, nan=-np.inf)
    found, facts = find_peaks(known, prominence=0.0)
    order = [int(i) for i in found[np.argsort(-facts["prominences"])] if series.x[i] <= below]
    return sorted(order[:count])


@dataclass(frozen=True, eq=False)
class CurveDifference:
    """A curve less that of another run: `curve`, and of its size `mean` over time and `largest`."""

    curve: Curve
    mean: float
    largest: float


def curve_difference(
    over: Curve, curve: Curve, other_over: Curve, other: Curve, name: str
) -> CurveDifference:
    """Return a curve less another one, where both have values; NaN elsewhere.

    The mean is that of |a − b| over time or load (Oloriz 2014, eq. 4.6), by the trapezoidal rule.

    Args:
        over, curve: the times, and the values (n,).
        other_over, other: those of the other run, interpolated between its times.
        name: of the other run.

    Raises:
        ModelError: when the runs have no time in common, or the curves other dimensions.
    """
    if curve.quantity != other.quantity:
        raise ModelError(
            f"{curve.name!r} and {other.name!r} are not of one dimension.", "Compare the same curve."
        )
    t, s = over.values, other_over.values
    common = (t >= s.min(initial=np.inf)) & (t <= s.max(initial=-np.inf))
    if not common.any():
        raise ModelError(
            f"The runs have no {over.name.lower()} in common.", "Compare runs over the same time."
        )
    order = np.argsort(s, kind="stable")
    values = np.where(common, curve.values - np.interp(t, s[order], other.values[order]), np.nan)
    sizes, at = np.abs(values[common]), t[common]
    span = float(at[-1] - at[0])
    mean = float(np.trapezoid(sizes, at)) / span if span > 0.0 else float(sizes.mean())
    shown = replace(curve, name=f"{curve.name} less {name}", values=values, phase=None, place=None)
    return CurveDifference(shown, mean, float(sizes.max()))


def first_curves(results: Results) -> set[str]:
    """Return the texts of the curves to show first: those of the axis, energies of a system, or the largest motion.

    A motion of the reduced body comes with that of the FE model, where there is one.
    """
    texts = results.curve_texts
    if first := {text for key, text in texts.items() if key.quantity in results.axis.first_curves}:
        return first
    if results.part_names and (energies := {t for key, t in texts.items() if key.quantity in ENERGIES}):
        return energies
    movements = [key for key in results.curve_keys if key.quantity in _MOVEMENTS and not key.is_phase]
    others = [key for key in results.curve_keys if not key.is_phase] or list(results.curve_keys)
    keys = [key for key in movements if not key.full] or movements or others
    if not keys:
        return set()
    largest = max(keys, key=lambda key: float(np.nanmax(np.abs(results.curve(key)), initial=0.0)))
    return {texts[key] for key in (largest, replace(largest, full=True)) if key in texts}


def curve_plot(
    title: str,
    over: Curve,
    curves: tuple[Curve, ...],
    units: UnitSystemName,
    view: CurveView = "values",
    right: frozenset[str] = frozenset(),
    chosen_units: Mapping[str, str] | None = None,
) -> Plot:
    """Return curves as a plot.

    Args:
        title: of the plot.
        over: the horizontal axis: the times or loads, or another curve for a hysteresis; for "orders" the
            angle of the turning part.
        curves: of the same length; those of another quantity than the first get an axis at the right.
        units: of the numbers.
        view: the values themselves, with their envelopes, or their amplitudes over frequency or order; damping ratio
            and frequency of free vibrations over their amplitude; responses over frequency with their phases, or as
            imaginary over real parts.
        right: names of more curves that are to have the axis at the right.
        chosen_units: by quantity, in place of the unit system's.

    Raises:
        ModelError: when a spectrum or a decay needs more frames, orders another angle, or curves have no phases.
    """
    if view in _OVER_TIME and over.quantity != "time":
        raise ModelError(
            "Spectra, envelopes and decays are over time.", "Draw the curves over time, of a run in motion."
        )
    if view in _OVER_FREQUENCY:
        if over.quantity != "frequency":
            raise ModelError(
                "Bode and Nyquist plots are of responses over frequency.",
                "Draw the curves of a frequency response, over its frequencies.",
            )
        # Phases that were chosen as well belong to their magnitudes.
        curves = tuple(curve for curve in curves if curve.phase is not None)
        if not curves:
            raise ModelError(
                "None of these curves has a phase.", "Choose displacements, velocities or accelerations."
            )
    if view == "bode":
        chosen_units = {"angle": "degree", **(chosen_units or {})}
        first = max(curve.style for curve in curves) + 1  # phases have colours of their own
        phases = tuple(
            Curve(
                curve.name + PHASE,
                curve.phase,
                "angle",
                first + curve.style,
                key=(curve.key or CurveKey(curve.name)).phase,
            )
            for curve in curves
            if curve.phase is not None
        )
        curves, right = (*curves, *phases), right | {curve.name for curve in phases}
    if view == "decay":
        return _decay(title, over, curves, units, chosen_units or {})
    if view == "nyquist":
        return _nyquist(title, over, curves, units, chosen_units or {})
    main = curves[0].quantity if curves else ""
    aside = right | {curve.name for curve in curves if curve.quantity != main}

    def unit(quantity: str) -> tuple[str, float]:
        return shown_unit(quantity, units, chosen_units or {})

    def axis(of: list[Curve]) -> Axis:
        quantities = {curve.quantity for curve in of}
        if len(quantities) > 1:
            return Axis("Several quantities")
        (quantity,) = quantities or {""}
        titles = {curve.title for curve in of}
        common = titles.pop() if len(titles) == 1 else Curve("", np.zeros(0), quantity).title
        return Axis(common, unit(quantity)[0])

    at_right = [curve for curve in curves if curve.name in aside]
    at_left = [curve for curve in curves if curve.name not in aside]
    mixed = {
        curve.name for side in (at_left, at_right) if len({c.quantity for c in side}) > 1 for curve in side
    }
    series: list[Series] = []
    for curve in curves:
        n = min(len(curve.values), len(over.values))
        x, y, at = over.values[:n], curve.values[:n] * unit(curve.quantity)[1], curve.name in aside
        if view == "spectrum":
            x, y = spectrum(x, y)
            x = x * unit("frequency")[1]
        elif view == "orders":
            x, y = order_spectrum(x, y)
        else:
            x = x * unit(over.quantity)[1]
        few = len(x) < _MAX_MARKED_VALUES and view == "values"
        own = axis([curve]) if curve.name in mixed else None
        drawn = Series(curve.name, x, y, curve.style, points=few, scatter=curve.scatter, right=at, counts=own)
        if curve.unstable is not None and len(y) == n:
            drawn = replace(drawn, dashed=curve.unstable[:n])
        if curve.phase is not None and over.quantity == "frequency":
            drawn = replace(drawn, **_response(curve, over, units))
        series.append(drawn)
        if view == "envelope":
            series += [Series("", x, edge, curve.style, right=at) for edge in envelope(x, y)]

    x_axes = {
        "spectrum": Axis("Frequency", unit("frequency")[0]),
        "orders": Axis("Order of the rotation"),
    }
    return Plot(
        title,
        x_axes.get(view)
        or Axis(over.name, unit(over.quantity)[0], logarithmic=view == "bode" or over.logarithmic),
        replace(axis(at_left), logarithmic=over.quantity == "frequency" and _are_magnitudes(at_left)),
        tuple(series),
        right=axis(at_right) if at_right else None,
    )


def laid_over(
    plot: Plot,
    others: Mapping[str, Results],
    units: UnitSystemName,
    chosen_units: Mapping[str, str] | None = None,
) -> Plot:
    """Return a plot with the curves of other runs that count as its own do, over the same axis.

    A vibration that decays is laid over amplitudes by its frequency and damping ratio.

    Args:
        plot: of curves, with scales that are not in decibel.
        others: results by name of their analysis, which their curves are named after.
        units, chosen_units: as of `curve_plot`.
    """
    found = []
    for name, results in others.items():
        over = axis_curve(results)
        curves = tuple(
            replace(stored_curve(results, text, i), name=f"{name}: {text}", phase=None)
            for i, text in enumerate(results.curve_texts.values())
        )
        view: CurveView = "values"
        if over.quantity == "time" and shown_unit("length", units, chosen_units or {})[0] == plot.x.unit:
            largest = first_curves(results)
            curves = tuple(
                c for c in curves if c.name.removeprefix(f"{name}: ") in largest and c.quantity == "length"
            )
            view = "decay"
        if not curves:
            continue
        try:
            found.append(curve_plot("", over, curves, units, view, chosen_units=chosen_units))
        except ModelError:  # it does not vibrate freely
            continue
    return plot.with_others(found)


def _response(curve: Curve, over: Curve, units: UnitSystemName) -> dict[str, Any]:
    """Return the complex frequency response behind a series, in SI units, by the fields of `Series`."""
    assert curve.phase is not None
    n = min(len(curve.values), len(over.values))
    sizes, place = curve.values[:n] * factor_to_si(curve.quantity, units), curve.place
    load = factor_to_si("force" if place is None or place.reference_direction <= 3 else "moment", units)
    return {
        "frequencies": over.values[:n] * factor_to_si("frequency", units),
        "response": sizes * np.exp(1j * curve.phase[:n]),
        "place": None if place is None else replace(place, size=place.size * load),
        "quantity": curve.quantity,
    }


def _decay(
    title: str, over: Curve, curves: tuple[Curve, ...], units: UnitSystemName, chosen_units: Mapping[str, str]
) -> Plot:
    """Return damping ratio, and frequency at the right, of each period of free vibrations over its amplitude.

    All curves are of the quantity of the first one.

    Raises:
        ModelError: naming the curve that does not vibrate freely.
    """
    if not curves:
        raise ModelError("There is no curve to find the decay of.", "Choose one that vibrates freely.")
    quantity = curves[0].quantity
    (unit, factor), (hertz, per_hertz) = (
        shown_unit(each, units, chosen_units) for each in (quantity, "frequency")
    )
    chosen = [curve for curve in curves if curve.quantity == quantity]
    second = max(curve.style for curve in chosen) + 1  # frequencies have colours of their own
    series: list[Series] = []
    for curve in chosen:
        n = min(len(curve.values), len(over.values))
        try:
            found = free_decay(over.values[:n], curve.values[:n])
        except ModelError as error:
            raise ModelError(f"{curve.name}: {error.message}", error.hint) from None
        amplitudes, few = factor * found.amplitudes, len(found.times) < _MAX_MARKED_VALUES
        series.append(
            Series(f"{curve.name} damping ratio", amplitudes, found.damping, curve.style, points=few)
        )
        at_right = per_hertz * found.frequencies
        series.append(
            Series(
                f"{curve.name} frequency", amplitudes, at_right, second + curve.style, points=few, right=True
            )
        )
    return Plot(
        title, Axis(f"Amplitude of {chosen[0].title.lower()}", unit, logarithmic=True), Axis("Damping ratio"),
        tuple(series), right=Axis("Frequency", hertz),
    )  # fmt: skip


def _nyquist(
    title: str,
    over: Curve,
    curves: tuple[Curve, ...],
    units: UnitSystemName,
    chosen_units: Mapping[str, str],
) -> Plot:
    """Return imaginary over real parts of complex curves; all of the quantity of the first one."""
    quantity = curves[0].quantity
    unit, factor = shown_unit(quantity, units, chosen_units)
    title_of = _TITLES.get(quantity, quantity.replace("_", " ").capitalize())
    series = []
    for curve in curves:
        if curve.phase is None or curve.quantity != quantity:
            continue
        n = min(len(curve.values), len(over.values))
        z = curve.values[:n] * factor * np.exp(1j * curve.phase[:n])
        few = n < _MAX_MARKED_VALUES
        series.append(Series(curve.name, z.real, z.imag, curve.style, few, **_response(curve, over, units)))
    return Plot(
        title, Axis(f"{title_of}, real part", unit), Axis(f"{title_of}, imaginary part", unit), tuple(series)
    )


def _are_magnitudes(curves: list[Curve]) -> bool:
    """Return whether curves over frequency are magnitudes, which span powers of ten; phases and masses are not."""
    return bool(curves) and all(
        not curve.is_phase
        and curve.quantity not in _MASSES
        and not (curve.values < 0.0).any()
        and curve.values.any()
        for curve in curves
    )
