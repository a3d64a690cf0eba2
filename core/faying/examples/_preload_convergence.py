"""What the thesis says about joint modes of the preloaded friction bar, put to the test (sections 4.1.2 and 4.1.3).

The thesis speaks of figures; the limits of what counts as "converged" or "alike" are ours and stand in each row.
"""

from collections.abc import Iterator

from faying.examples.error_curves import ErrorCurve, ErrorCurves, percent
from faying.examples.tables import Table

RELATED, ALL, WITHOUT = "related derivatives", "all derivatives", "all, no preload mode"
SNAPSHOTS = "equilibrium snapshots"  # beyond the thesis
LOADS = ("up", "down")
_CONVERGED = 0.01  # error of the deflection


def statement_table(two: ErrorCurves, one: ErrorCurves, with_mode: float, without: float) -> Table:
    """Return each statement of sections 4.1.2 and 4.1.3, what was found here, and whether that agrees.

    Args:
        two, one: curves of the three bases under both loads, with two and with one preload area.
        with_mode, without: errors of ‖g_N‖₂ under the two preloads alone, with and without preload mode.
    """
    rows = [
        (said, found, "yes" if holds else "NO")
        for said, found, holds in _statements(two, one, with_mode, without)
    ]
    return Table(("statement of the thesis", "on this bar", "reproduces"), tuple(rows))


def _statements(
    two: ErrorCurves, one: ErrorCurves, with_mode: float, without: float
) -> Iterator[tuple[str, str, bool]]:
    yield (
        "two areas: only the preload mode gives the contact of the mounted bar (here: ‖g_N‖ within 1 %)",
        f"{percent(with_mode)} off with it, {percent(without)} with 40 joint modes instead",
        with_mode < 0.01 < without,
    )
    yield (
        "two areas: related derivatives converge faster, up and down",
        _averages(two, RELATED, ALL),
        all(_mean(two[RELATED, load]) < _mean(two[ALL, load]) for load in LOADS),
    )
    needed = {basis: max(_needed(two[basis, load]) for load in LOADS) for basis in (RELATED, ALL)}
    yield (
        "two areas: related derivatives have converged with g = 25 (here: to 1 %, up and down)",
        f"with g = {needed[RELATED]:g}",
        needed[RELATED] <= 25,
    )
    yield "two areas: all derivatives need g = 50 at least", f"g = {needed[ALL]:g}", needed[ALL] >= 50
    yield (
        "two areas: all derivatives converge alike with and without the preload mode (here: within a factor of two)",
        _averages(two, ALL, WITHOUT),
        _alike(two),
    )
    yield (
        "one area: related derivatives converge slower, up and down",
        _averages(one, RELATED, ALL),
        all(_mean(one[RELATED, load]) > _mean(one[ALL, load]) for load in LOADS),
    )
    left = [float(one[RELATED, load].motion[-1]) for load in LOADS]
    yield (
        "one area: related derivatives never converge (here: to 1 %)",
        f"{percent(left[0])} up and {percent(left[1])} down are left with the most modes",
        min(left) > _CONVERGED,
    )
    yield (
        "one area: all derivatives converge alike with and without the preload mode (here: within a factor of two)",
        _averages(one, ALL, WITHOUT),
        _alike(one),
    )


def _mean(curve: ErrorCurve) -> float:
    return float(curve.motion[curve.counts > 0].mean())


def _needed(curve: ErrorCurve) -> float:
    """Return from how many modes on the deflection has converged; infinity where it never has."""
    off = curve.motion > _CONVERGED
    return float("inf") if off[-1] else float(curve.counts[off.nonzero()[0][-1] + 1 if off.any() else 0])


def _alike(curves: ErrorCurves) -> bool:
    pairs = [sorted((_mean(curves[ALL, load]), _mean(curves[WITHOUT, load]))) for load in LOADS]
    return all(more < 2.0 * less for less, more in pairs)


def _averages(curves: ErrorCurves, *bases: str) -> str:
    found = ", ".join(
        f"{basis} {percent(_mean(curves[basis, 'up']))} up and {percent(_mean(curves[basis, 'down']))} down"
        for basis in bases
    )
    return f"{found}, on average"
