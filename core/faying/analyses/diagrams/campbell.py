"""Natural frequencies of a rotor over its speed, with excitations that follow it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from faying.analyses.campbell import DAMPING, EXCITATION, FREQUENCY, WHIRL
from faying.analyses.diagrams import diagrams
from faying.plot import Axis, Plot, Series
from faying.results.curve_key import CurveKey
from faying.results.results import Results
from faying.results.run_tables import growing_modes
from faying.units import UnitSystemName, plain_number, shown_unit

_SMALLEST, _GROWTH = (
    4.0,
    8.0,
)  # pixels of a marker without damping, and how much larger that of the most damped is
_UNDAMPED = 1e-9  # of critical damping: all markers are equal
_GROWS = 1e-6  # of critical damping: a mode that grows
_ABOVE = 1.08  # of the highest natural frequency: end of the axis
_MOST_TEXTS = 12  # critical speeds with their numbers


@diagrams.register("campbell")
def campbell(results: Results, units: UnitSystemName, chosen: Mapping[str, str]) -> tuple[Plot, ...]:
    """Return lines of the modes, rays of the orders, critical speeds, and where modes grow."""
    keys = [key for key in results.curve_keys if key.quantity == FREQUENCY and key.place.startswith("mode ")]
    if results.axis.kind != "speed" or not keys:
        return ()
    keys.sort(key=lambda key: int(key.place.split()[1]))
    (of_speed, per_speed), (of_frequency, per_hertz) = (
        shown_unit(quantity, units, chosen) for quantity in ("angular_velocity", "frequency")
    )
    speeds, frames = results.values * per_speed, np.arange(results.n_frames)
    lines = [results.curve(key) * per_hertz for key in keys]
    damping, whirl = (
        [results.curve(CurveKey(quantity, place=key.place)) for key in keys] for quantity in (DAMPING, WHIRL)
    )
    most = max(float(np.max(each)) for each in damping)
    series = []
    for k, (key, line, ratio) in enumerate(zip(keys, lines, damping, strict=True)):
        share = np.sqrt(np.clip(ratio / most, 0.0, 1.0)) if most > _UNDAMPED else np.zeros(len(ratio))
        series.append(
            Series(
                f"{key.place}{_sense(float(whirl[k][-1]))}", speeds, line, k, points=True,
                sizes=_SMALLEST + _GROWTH * share, shows=np.column_stack([frames, np.full(len(frames), k)]),
            )
        )  # fmt: skip
    unstable = [
        Series("", speeds, np.where(ratio < -_GROWS, line, np.nan), k, role="error", shows=drawn.shows)
        for k, (drawn, line, ratio) in enumerate(zip(series, lines, damping, strict=True))
        if ratio.min() < -_GROWS
    ]
    if unstable:
        unstable[0] = replace(unstable[0], name="unstable")
    top = _ABOVE * max(float(np.nanmax(line)) for line in lines)
    rays = [
        _ray(key, speeds, results.curve(key) * per_hertz, top)
        for key in results.curve_keys
        if key.quantity == EXCITATION
    ]
    ranges = zip(results.report.get("unstable_speeds", ()), growing_modes(results), strict=True)
    growing = [{"speed": row["from"], "mode": mode + 1} for row, (_, mode) in ranges]
    marks = [
        _marks(
            results, "critical speed", results.report.get("critical_speeds", ()), "text", lines, per_speed
        ),
        _marks(results, "growth begins", growing, "error", lines, per_speed),
    ]
    return (
        Plot(
            "Campbell diagram", Axis("Speed of rotation", of_speed),
            Axis("Natural frequency", of_frequency, (0.0, top)),
            (*series, *unstable, *rays, *(each for each in marks if each is not None)),
            meaning="Points are the larger the more a mode is damped; a mode that grows is red. Dotted rays are "
            "excitations that follow the speed, 1× once a turn. A click on a point shows the mode there.",
            over_frames=True,
        ),
    )  # fmt: skip


def _sense(whirl: float) -> str:
    return ", forward" if whirl > 0.5 else ", backward" if whirl < -0.5 else ""


def _ray(key: CurveKey, speeds: np.ndarray, frequencies: np.ndarray, top: float) -> Series:
    """Return an excitation up to the upper end of the axis, with its order at its end."""
    inside = max(int(np.count_nonzero(frequencies <= top)), 1)
    x, y = speeds[:inside], frequencies[:inside]
    if inside < len(speeds):  # up to the very end of the axis
        share = (top - frequencies[inside - 1]) / (frequencies[inside] - frequencies[inside - 1])
        x = np.append(x, speeds[inside - 1] + share * (speeds[inside] - speeds[inside - 1]))
        y = np.append(y, top)
    order = key.place.removeprefix("order ")
    return Series("", x, y, role="muted", texts=("",) * (len(x) - 1) + (f"{order}×",))


def _marks(
    results: Results,
    name: str,
    found: Sequence[Mapping[str, float]],
    role: str,
    lines: list[np.ndarray],
    per_speed: float,
) -> Series | None:
    """Return points on lines at speeds of modes (from 1); each shows the mode at the nearest frame."""
    rows = [row for row in found if int(row["mode"]) <= len(lines)]
    if not rows:
        return None
    speeds, modes = np.array([row["speed"] for row in rows]), np.array([int(row["mode"]) - 1 for row in rows])
    frequencies = [float(np.interp(s, results.values, lines[m])) for s, m in zip(speeds, modes, strict=True)]
    few = len(rows) <= _MOST_TEXTS
    return Series(
        name, speeds * per_speed, np.array(frequencies), role=role, scatter=True,
        texts=tuple(plain_number(s * per_speed, 4) if few else "" for s in speeds.tolist()),
        shows=np.column_stack([np.abs(results.values[None] - speeds[:, None]).argmin(axis=1), modes]),
    )  # fmt: skip
