"""A steel ball strikes the concave end of an aluminium rod: a wider contact, shorter and harder than on a plane end."""

from typing import ClassVar

from faying.examples import Expected, examples
from faying.examples import _impact as impact

CONCAVE = impact.Setting("sphere-on-cup", 20.0, 0.9, 4e6)
FULL = impact.FullModel(
    582.9, 54.0e-6, 150.5e-6, 99.71, None,
    "explicit run of the same meshes until 175 µs, nothing reduced: tests/benchmarks/impact.py --end concave",
)  # fmt: skip


@examples.register("sphere-on-cup")
class SphereOnCup(impact.ImpactExample):
    """The impact of ``sphere-on-rod`` on a hollow of 20 mm radius; Hertz' formulas are rough for so wide a contact."""

    title: ClassVar[str] = "Ball on cup"
    summary: ClassVar[str] = (
        "A steel ball strikes the hollow end of a rod: shorter and harder than on a plane end."
    )
    setting: ClassVar[impact.Setting] = CONCAVE
    note: ClassVar[str] = "Impact of two flexible bodies whose surfaces nearly fit."
    expected: ClassVar[tuple[Expected, ...]] = impact.expected(CONCAVE, FULL, 0.112, off_hertz=0.06)
