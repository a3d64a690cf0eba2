"""A constant load."""

from faying.load_histories import LoadHistory, load_histories


@load_histories.register("constant")
class Constant(LoadHistory):
    """The full load from the beginning."""

    def factor(self, time: float) -> float:
        """Return one, at any time."""
        return 1.0

    def integral(self, time: float) -> float:
        """Return ∫ 1 dt from zero: the time."""
        return time

    def rates(self, time: float) -> tuple[float, float]:
        """Return zeros."""
        return 0.0, 0.0
