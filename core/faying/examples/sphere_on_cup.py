"""A steel ball strikes the concave end of an aluminium rod: a wider contact, shorter and harder than on a plane end."""

from typing import ClassVar

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples import _impact as impact
from faying.examples.switched_off import with_soft_part_contact
from faying.project.specs import Project

CONCAVE = impact.Setting("sphere-on-cup", 20.0, 0.9, 4e6)
FULL = impact.FullModel(
    582.9, 54.0e-6, 150.5e-6, 99.71, None,
    "explicit run of the same meshes until 175 µs, nothing reduced: tests/benchmarks/impact.py --end concave",
)  # fmt: skip


@examples.register("sphere-on-cup")
class SphereOnCup(Example):
    """The impact of ``sphere-on-rod`` on a hollow of 20 mm radius; Hertz' formulas are rough for so wide a contact."""

    title: ClassVar[str] = "Ball on cup"
    summary: ClassVar[str] = (
        "A steel ball strikes the hollow end of a rod: shorter and harder than on a plane end."
    )
    takes_long: ClassVar[bool] = True  # as sphere-on-rod
    picture: ClassVar[tuple[str, str]] = (impact.IMPACT, "velocity")
    film: ClassVar[tuple[str, str]] = (impact.IMPACT, "velocity")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("force", impact.IMPACT, "Contact force", "force", ("hit normal force",)),
        CurvePlot("speed", impact.IMPACT, "Speed", "velocity", ("ball.frame vz", "rod.far end vz")),
    )
    expected: ClassVar[tuple[Expected, ...]] = impact.expected(CONCAVE, FULL, 0.102, off_hertz=0.06)

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick ends when both are apart again, and the wave has not reached the far end."""
        note = "Impact of two flexible bodies whose surfaces nearly fit."
        return impact.project(CONCAVE, self.title, note, quick)

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with rigid parts, and with surfaces that do not feel each other."""
        return {
            "contact": with_soft_part_contact(project),
            "flexibility": impact.without_flexibility(project),
        }

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return force, times, rebound, what reaches the far end, and what the contact law's stiffness changes."""
        return impact.measured(run)
