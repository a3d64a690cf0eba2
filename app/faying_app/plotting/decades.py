"""Powers of ten that a logarithmic axis shows."""

import numpy as np

from faying.plot import Series

_MOST_DECADES = 8  # below is round-off


def decades(series: tuple[Series, ...]) -> tuple[float, float] | None:
    """Return the powers of ten that hold all positive values, None when there is no such value."""
    values = np.concatenate([s.y for s in series] or [np.zeros(0)])
    values = values[values > 0.0]  # not a number is not, either
    if not len(values):
        return None
    low, high = np.floor(np.log10(values.min())), np.ceil(np.log10(values.max()))
    low, high = max(low, high - _MOST_DECADES), max(high, low + 1.0)
    return float(10.0**low), float(10.0**high)
