"""A steel ball strikes the plane end of an aluminium rod."""

from typing import ClassVar

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples import _impact as impact
from faying.examples.switched_off import with_soft_part_contact
from faying.project.specs import Project

PLANE = impact.Setting("sphere-on-rod", 0.0, 0.525, 8e6)
FULL = impact.FullModel(
    481.6, 75.5e-6, 189.3e-6, 133.1, 226.7,
    "axisymmetric model of both bodies, elements of 70 µm at the spot; with 140 µm 488.0 N, 189.8 µs, 132.5 mm/s",
)  # fmt: skip


@examples.register("sphere-on-rod")
class SphereOnRod(Example):
    """An impact with local deformation: force, rebound, the wave that runs to the rod's far end."""

    title: ClassVar[str] = "Ball on rod"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = (
        "A steel ball strikes a rod: two flexible bodies whose contact shapes follow their statics."
    )
    takes_long: ClassVar[bool] = True  # two bodies of 66 000 equations together, and four runs
    picture: ClassVar[tuple[str, str]] = (impact.IMPACT, "velocity")
    film: ClassVar[tuple[str, str]] = (impact.IMPACT, "velocity")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("force", impact.IMPACT, "Contact force", "force", ("hit normal force",)),
        CurvePlot("speed", impact.IMPACT, "Speed", "velocity", ("ball.frame vz", "rod.far end vz")),
    )
    expected: ClassVar[tuple[Expected, ...]] = impact.expected(PLANE, FULL, 0.0814)

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick ends when both are apart again, and the wave has not reached the far end."""
        note = "Impact of two flexible bodies with local deformation."
        return impact.project(PLANE, self.title, note, quick)

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with rigid parts, and with surfaces that do not feel each other."""
        return {
            "contact": with_soft_part_contact(project),
            "flexibility": impact.without_flexibility(project),
        }

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return force, times, rebound, what reaches the far end, and what the contact law's stiffness changes."""
        return impact.measured(run)
