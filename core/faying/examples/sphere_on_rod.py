"""A steel ball strikes the plane end of an aluminium rod."""

from typing import ClassVar

from faying.examples import Expected, examples
from faying.examples import _impact as impact

PLANE = impact.Setting("sphere-on-rod", 0.0, 0.525, 8e6)
FULL = impact.FullModel(
    481.6, 75.5e-6, 189.3e-6, 133.1, 226.7,
    "axisymmetric model of both bodies, elements of 70 µm at the spot; with 140 µm 488.0 N, 189.8 µs, 132.5 mm/s",
)  # fmt: skip


@examples.register("sphere-on-rod")
class SphereOnRod(impact.ImpactExample):
    """An impact with local deformation: force, rebound, the wave that runs to the rod's far end."""

    title: ClassVar[str] = "Ball on rod"
    summary: ClassVar[str] = (
        "A steel ball strikes a rod: two flexible bodies whose contact shapes follow their statics."
    )
    setting: ClassVar[impact.Setting] = PLANE
    note: ClassVar[str] = "Impact of two flexible bodies with local deformation."
    expected: ClassVar[tuple[Expected, ...]] = impact.expected(PLANE, FULL, 0.0814)
