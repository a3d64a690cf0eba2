"""Main effects of a sweep: how the mean of a result changes with each decision, over all values of the others.

See Box, Hunter and Hunter (2005), Statistics for Experimenters, chapter 5. A decision that was drawn at random between
two ends, as in a Latin hypercube, has intervals with equally many points as its levels.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from faying.results.results import Results
from faying.units import plain_number

SWEEP_TABLE = "sweep"
"""Name of the table of a sweep: number of the point, decisions, results, seconds."""

_MOST_INTERVALS = 5
_FEWEST = 4  # points: fewer have no means to speak of


@dataclass(frozen=True, eq=False)
class MainEffect:
    """What one decision does to one result.

    Attributes:
        decision, response: heads of both in the table of the sweep.
        quantity: physical dimension of the result.
        levels: (k,) values of the decision, of an interval the mean of its points.
        texts: (k,) what the levels are called.
        means, counts: (k,) mean of the result at each level, and number of points there.
        linear: change of the result from the lowest to the highest level in the plane through all points (least squares
            in all decisions); NaN with too few points, and for texts.
        share: of the variance of the result that the levels explain. Of a grid without interactions they add up to one.
    """

    decision: str
    response: str
    quantity: str
    levels: np.ndarray
    texts: tuple[str, ...]
    means: np.ndarray
    counts: np.ndarray
    linear: float
    share: float

    @property
    def size(self) -> float:
        """Largest mean less the smallest one."""
        return float(np.ptp(self.means))


def main_effects(results: Results) -> tuple[MainEffect, ...]:
    """Return the effect of each decision of a sweep on each result; () for a search, other runs, and few points."""
    if SWEEP_TABLE not in results.table_names or results.settings.get("plan") == "search":
        return ()
    heads, rows = results.table(SWEEP_TABLE)
    variations = results.settings.get("variations", ())
    count, quantities = len(variations), results.settings.get("quantities", {})
    found = []
    for column in range(1 + count, len(heads) - 1):
        known = rows[~np.isnan(rows[:, column])]
        if len(known) < _FEWEST:
            continue
        x, y = known[:, 1 : 1 + count], known[:, column]
        slopes = _slopes(x, y)
        for k, varied in enumerate(variations):
            of_level = _levels(x[:, k], results.settings["plan"] != "latin_hypercube")
            numbers = np.unique(of_level)
            if len(numbers) < 2:
                continue
            means, levels = (np.array([v[of_level == n].mean() for n in numbers]) for v in (y, x[:, k]))
            counts = np.array([np.count_nonzero(of_level == n) for n in numbers])
            texts, named = _texts(varied.get("values", ()), levels)
            total = float(np.sum((y - y.mean()) ** 2))
            between = float(np.sum(counts * (means - y.mean()) ** 2))
            found.append(
                MainEffect(
                    heads[1 + k], heads[column], quantities.get(heads[column], ""), levels, texts, means, counts,
                    float("nan") if named else float(slopes[k] * np.ptp(x[:, k])),
                    between / total if total > 0.0 else 0.0,
                )
            )  # fmt: skip
    return tuple(found)


def _levels(x: np.ndarray, is_grid: bool) -> np.ndarray:
    """Return (n,) the number of the level of each value: of few values, or intervals with equally many points."""
    values, own = np.unique(x, return_inverse=True)
    if is_grid or 2 * len(values) <= len(x):
        return own
    intervals = int(np.clip(round(sqrt(len(x))), 2, _MOST_INTERVALS))
    return np.asarray(own * intervals // len(values))


def _slopes(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return (k,) slopes of the plane through values (n,) over (n, k); NaN where the points have no such plane."""
    size = np.ptp(x, axis=0)
    plane = np.column_stack([np.ones(len(x)), (x - x.mean(axis=0)) / np.where(size > 0.0, size, 1.0)])
    if len(x) <= plane.shape[1] or np.linalg.matrix_rank(plane) < plane.shape[1]:
        return np.full(x.shape[1], np.nan)
    return np.asarray(np.linalg.lstsq(plane, y, rcond=None)[0][1:] / size)


def _texts(given: list[object], levels: np.ndarray) -> tuple[tuple[str, ...], bool]:
    """Return what levels are called, and whether these are texts; a sweep numbers those among its values, from 1."""
    words = list(dict.fromkeys(str(value) for value in given))
    if (
        given
        and all(isinstance(v, str) for v in given)
        and set(levels.tolist()) <= set(range(1, len(words) + 1))
    ):
        return tuple(words[int(level) - 1] for level in levels), True
    return tuple(plain_number(level, 4) for level in levels.tolist()), False
