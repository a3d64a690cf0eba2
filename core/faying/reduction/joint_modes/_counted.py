"""Number of modes that a decomposition keeps."""

import numpy as np

from faying.params import parameter
from faying.reduction.joint_modes import JointModeMethod


class CountedModes(JointModeMethod):
    """A method whose modes come in order of importance: the first g are kept, by number or by ratio."""

    count: int = parameter(
        40, title="Joint modes", ge=0, le=2000,
        meaning="Number g of joint modes. The ratio w(g) is the share of the decomposed vectors that they contain.",
    )  # fmt: skip
    ratio: float = parameter(
        0.0, title="Ratio w", ge=0.0, lt=1.0,
        meaning="When not zero: as few joint modes as give w(g) this value, instead of their number.",
    )  # fmt: skip

    @property
    def wants_none(self) -> bool:
        """Whether no mode is requested."""
        return not self.count and not self.ratio

    def kept(self, values: np.ndarray) -> int:
        """Return g for singular values (k,), not more than there are."""
        return min(count_for_ratio(values, self.ratio) if self.ratio else self.count, len(values))


def count_for_ratio(values: np.ndarray, ratio: float) -> int:
    """Return the smallest g whose share of the squared singular values (k,) is at least `ratio` (thesis eq. 3.61)."""
    shares = np.cumsum(values**2) / np.sum(values**2)
    return min(int(np.searchsorted(shares, ratio * (1.0 - 1e-14))) + 1, len(values))
