"""The bolted friction bar's first bending mode: frequency and damping over amplitude.

Quasi-static modes give them without inertia, a nonlinear mode with inertia and harmonics.

Model: thesis of the ContactDefiner, figure 4.1, with 13 836 nodes; here with two bolts of 2 kN, so that the lap joint
slips from small amplitudes on. With joints that stick, and with joints that slide, the reduced body has the frequencies
of the FE model; the backbone lies between them.
"""

from contextlib import closing
from typing import Any, ClassVar

import numpy as np

from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples.friction_bar_preloaded import bolted_bar
from faying.examples.projects import WIDE_BAR_DECK, equals_unreduced, farthest_from_one, joint, project_of
from faying.examples.switched_off import without_friction
from faying.project.specs import Project

BOLT_FORCE, FRICTION, STICKING = 2000.0, 0.15, 10_000.0  # N, -, N/mm³
_QUASI, _LOOPS, _NONLINEAR = "backbone", "loops", "nonlinear mode"
_AT_1_MM = 53.596145, 0.0066673
"""Frequency in Hz and damping by friction of the FE model: `unreduced_quasi_static_modes` with the settings of
*backbone* at 0.1, 0.32 and 1 mm, two minutes of processor time."""
_UNREDUCED = "quasi-static modes of the FE model with the same loads (unreduced_quasi_static_modes)"

_ONE_MOTION = (
    "a static loop and a periodic motion are one motion while its shape lasts (Lacayo and Allen 2019)"
)


@examples.register("bar-backbone")
class BarBackbone(Example):
    """Quasi-static and nonlinear modes of the friction bar between its stuck and its sliding frequency."""

    title: ClassVar[str] = "Backbone of a bolted bar"
    group: ClassVar[str] = "Joints with contact and friction"
    summary: ClassVar[str] = "How frequency and damping of two bolted sheets depend on the amplitude."
    takes_long: ClassVar[bool] = True
    picture: ClassVar[tuple[str, str]] = (_QUASI, "slip")
    expected: ClassVar[tuple[Expected, ...]] = (
        equals_unreduced("stuck_frequency_over_unreduced", 1e-3),
        Expected(
            "frequency_at_first_over_stuck", "", 1.0, "analytical", 0.01, "few pairs slip at small amplitudes"
        ),
        equals_unreduced("frequency_at_1_mm_over_unreduced", 1e-3, _UNREDUCED),
        equals_unreduced("damping_at_1_mm_over_unreduced", 0.02, _UNREDUCED),
        Expected(
            "loop_over_masing_damping", "", 1.0, "analytical", 0.25,
            "a loop is the first loading at twice the size (Masing 1926) where pressures do not change in the cycle",
        ),
        Expected("nonlinear_over_loop_frequency", "", 1.0, "analytical", 1e-3, _ONE_MOTION),
        Expected("nonlinear_over_loop_damping", "", 1.0, "analytical", 0.06, _ONE_MOTION),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick takes fewer amplitudes."""
        common = {"body": "bar", "support": "mounting", "preloads": ["bolts"]}
        over = {
            **common, "mode": 1, "point": "load", "direction": "z", "smallest_amplitude": 0.01,
            "largest_amplitude": 1.0,
        }  # fmt: skip
        return project_of(
            self.title,
            "Two steel sheets with two bolts of 2 kN: damping by friction over the amplitude of the free end.",
            WIDE_BAR_DECK,
            _body(),
            [
                {"kind": "modes", "name": "modes", **common, "count": 6, "full": True, "against": "sliding"},
                {
                    "kind": "quasi_static_modes", "name": _QUASI, **over, "loop": "masing",
                    "points": 5 if quick else 12, "load_steps": 8,
                },
                {
                    "kind": "quasi_static_modes", "name": _LOOPS, **over, "points": 3, "load_steps": 16,
                    "loop_steps": 24,
                },
                {
                    "kind": "nonlinear_mode", "name": _NONLINEAR, **over, "largest_amplitude": 0.1, "points": 2,
                    "harmonics": 3,
                },
            ],
        )  # fmt: skip

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with sheets that slide freely."""
        return {"friction": without_friction(project)}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return frequencies over those of stuck and sliding joints, and damping ratios."""
        with closing(run.results("modes")) as modes:
            row = modes.report["modes"][0]
        with closing(run.results(_QUASI)) as quasi:
            frequency, damping = quasi.curve("natural frequency"), quasi.curve("damping by friction")
        with closing(run.results(_LOOPS)) as loops:
            full, masing = (loops.curve(f"damping by friction{of}") for of in ("", " by Masing"))
            slow = loops.curve("natural frequency")
        with closing(run.results(_NONLINEAR)) as nonlinear:
            moving, damped = nonlinear.curve("natural frequency"), nonlinear.curve("damping ratio")
        both = len(moving)  # the amplitudes up to which the shape lasts
        stuck = row["frequency"]
        return {
            "stuck_frequency_over_unreduced": stuck / row["fe_frequency"],
            "frequency_at_first_over_stuck": float(frequency[0]) / stuck,
            "loop_over_masing_damping": float(full[-1] / masing[-1]),
            "nonlinear_over_loop_frequency": farthest_from_one(moving / slow[:both]),
            "nonlinear_over_loop_damping": farthest_from_one(damped / full[:both]),
            "frequency_at_1_mm_over_unreduced": float(frequency[-1]) / _AT_1_MM[0],
            "damping_at_1_mm_over_unreduced": float(damping[-1]) / _AT_1_MM[1],
        }


def _body() -> dict[str, Any]:
    """Return the decisions of the bar: bolts at a third of the thesis' force, Coulomb's law without a second spring."""
    lap = joint("lap joint", "JOINT_MASTER", "JOINT_SLAVE", FRICTION)
    lap["friction_law"] |= {"sticking_stiffness": STICKING, "sliding_stiffness": 0.0}
    body = bolted_bar(joints=[lap], joint_modes={"kind": "error_controlled", "accuracy": 0.005})
    for load in body["preloads"][0]["loads"]:
        load["force"] = tuple(float(np.sign(part)) * BOLT_FORCE for part in load["force"])
    return body
