"""The bolted friction bar's first bending mode: frequency and damping over amplitude, by quasi-static modes.

Model: thesis of the ContactDefiner, figure 4.1, with 13 836 nodes; here with two bolts of 2 kN, so that the lap joint
slips from small amplitudes on. With joints that stick, and with joints that slide, the reduced body has the frequencies
of the FE model; the backbone lies between them.
"""

from contextlib import closing
from typing import Any, ClassVar

import numpy as np

from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples.friction_bar_preloaded import bolted_bar
from faying.examples.projects import WIDE_BAR_DECK, equals_unreduced, joint, project_of
from faying.examples.switched_off import without_friction
from faying.project.specs import Project

BOLT_FORCE, FRICTION, STICKING = 2000.0, 0.15, 10_000.0  # N, -, N/mm³
_QUASI = "backbone"
_AT_1_MM = 53.596145, 0.0066673
"""Frequency in Hz and damping by friction of the FE model: `unreduced_quasi_static_modes` with the settings of
*backbone* at 0.1, 0.32 and 1 mm, two minutes of processor time."""
_UNREDUCED = "quasi-static modes of the FE model with the same loads (unreduced_quasi_static_modes)"


@examples.register("bar-backbone")
class BarBackbone(Example):
    """Quasi-static modes of the friction bar between its stuck and its sliding frequency."""

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
                    "kind": "quasi_static_modes", "name": "loops", **over, "points": 2, "load_steps": 16,
                    "loop_steps": 24,
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
        with closing(run.results("loops")) as loops:
            full, masing = (loops.curve(f"damping by friction{of}")[-1] for of in ("", " by Masing"))
        stuck = row["frequency"]
        return {
            "stuck_frequency_over_unreduced": stuck / row["fe_frequency"],
            "frequency_at_first_over_stuck": float(frequency[0]) / stuck,
            "loop_over_masing_damping": float(full / masing),
            "frequency_at_1_mm_over_unreduced": float(frequency[-1]) / _AT_1_MM[0],
            "damping_at_1_mm_over_unreduced": float(damping[-1]) / _AT_1_MM[1],
        }


def _body() -> dict[str, Any]:
    """Return the decisions of the bar: bolts at a third of the thesis' force, Coulomb's law without a second spring."""
    lap = joint("lap joint", "JOINT_MASTER", "JOINT_SLAVE", FRICTION)
    lap["friction_law"] |= {"sticking_stiffness": STICKING, "sliding_stiffness": 0.0}
    body = bolted_bar(joints=[lap], joint_modes={"kind": "error_controlled"})
    for load in body["preloads"][0]["loads"]:
        load["force"] = tuple(float(np.sign(part)) * BOLT_FORCE for part in load["force"])
    return body
