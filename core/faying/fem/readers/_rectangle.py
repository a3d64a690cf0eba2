"""The torsion constant of a rectangular cross section."""

from math import pi, tanh


def rectangle_torsion(width: float, height: float) -> float:
    """Return the torsion constant by Saint-Venant's series, whose terms fall with the fifth power."""
    long, short = max(width, height), min(width, height)
    series = sum(tanh(k * pi * long / (2.0 * short)) / k**5 for k in range(1, 40, 2))
    return long * short**3 * (1.0 / 3.0 - 64.0 / pi**5 * short / long * series)
