"""The friction bar: two steel sheets that lie on each other, bolted twice, bent at the free end.

Model: thesis of the ContactDefiner, section 4.1.1 and figure 4.1; here with 13 836 nodes. The thesis does not print
where the holes are; with the beams 100 mm apart its 20 joint modes are enough (`faying.examples.friction_bar_deck`).
"""

import math
from contextlib import closing
from typing import ClassVar

from faying.analyses.transient import Transient
from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples.joint_stresses import RICH_BASIS, corrections, joint_expectations, worst_errors
from faying.examples.measured import end_of_curve, with_method, without_estimates
from faying.examples.projects import (
    OWN,
    WIDE_BAR_DECK,
    as_before,
    friction_bar,
    project_of,
)
from faying.examples.switched_off import with_soft_contact, without_friction
from faying.project.specs import Project

PAIRS = 2193
QUICK_DURATION = 0.03
_CURVE = "load uz"
_COMMON = {"body": "bar", "support": "mounting"}
_SMOOTH = {"friction": False}  # as in the references; friction acts in motion
_UPWARD = {"interface": "load", "force": (0.0, 0.0, 100.0)}
_SAME_MODEL = "unreduced solution of the same deck, pairs and law: tests/references/friction_bar.py"
_THESIS = "static convergence study, thesis section 4.1.1"


@examples.register("friction-bar")
class FrictionBar(Example):
    """Reduction with joint modes against the unreduced model; statics and dynamics."""

    title: ClassVar[str] = "Friction bar"
    group: ClassVar[str] = "Joints with contact and friction"
    summary: ClassVar[str] = "Two bolted sheets under an end force: joint modes make the reduced joint right."
    picture: ClassVar[tuple[str, str]] = ("static", "pressure")
    film: ClassVar[tuple[str, str]] = ("dynamic", "pressure")
    takes_long: ClassVar[bool] = True  # half a minute of the processor; the core's tests have small plates
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected(
            "mass", "mass", 7.85e-9 * (2 * 3 * (4000 - 36 * math.pi) + 54 * math.pi), "analytical", 1e-5,
            "two sheets of 200 by 20 by 3 mm with four holes of 6 mm each, and two beams of 6 by 3 mm",
        ),
        Expected(
            "contact_pairs", "", PAIRS, "independent code", 0.0,
            "slave nodes that lie on a master facet: tests/references/friction_bar.py",
        ),
        Expected(
            "first_free_frequency", "frequency", 546.96, "independent code", 0.002,
            "of the unreduced model, without the mass of the beams: tests/references/friction_bar.py",
        ),
        Expected("pod_ratio_10", "", 0.98, "published", 0.01, f"w(10) of about 98 %, {_THESIS}"),
        Expected(
            "tip_error_20_joint_modes", "", 0.0, "published", 0.01,
            "below 1 % with 20 modes of weighted POD, thesis figure 4.7; here in statics against the unreduced model",
        ),
        Expected("tip_deflection_static", "length", 23.69621, "independent code", 0.0015, _SAME_MODEL),
        Expected(
            "gap_norm_static", "length", 4.497475, "independent code", 0.012, _SAME_MODEL
        ),
        Expected("tip_deflection_full_fe", "length", 23.69621, "independent code", 1e-4, _SAME_MODEL),
        Expected(
            "tip_deflection_reduced_to_full", "", 1.0, "unreduced model", 0.0015,
            "a basis that is rich enough gives the unreduced solution of the same equations",
        ),
        Expected(
            "error_without_joint_modes", "", 0.0513, "regression", 0.01, f"against the unreduced tip; {OWN}"
        ),
        *joint_expectations(0.03, 0.06, why=", whose steps from pair to pair take more modes than stresses"),
        as_before(
            "tip_deflection_dynamic_max", 20.7017, 0.002, "with a ten times smaller error per step", "length"
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick simulates 0.03 s instead of 0.1 s, past the first and largest swing."""
        step = {
            "interface": "load",
            "force": (0.0, 0.0, 50.0),
            "time_history": {"kind": "haversine", "rise_time": 0.01},
        }
        return project_of(
            "Friction bar",
            "Two steel sheets, bolted twice, bent at the free end (thesis section 4.1.1).",
            WIDE_BAR_DECK,
            friction_bar(friction_coefficient=0.15, joint_modes={"kind": "error_controlled"}),
            [
                {"kind": "static", "name": "static", **_COMMON, **_SMOOTH, "loads": [_UPWARD]},
                {"kind": "unreduced_static", "name": "unreduced", **_COMMON, **_SMOOTH, "loads": [_UPWARD]},
                {
                    "kind": "transient",
                    "name": "dynamic",
                    **_COMMON,
                    "loads": [step],
                    "duration": QUICK_DURATION if quick else 0.1,
                    "frames": 60 if quick else 200,
                    "true_fields": not quick,
                },
            ],
        )

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with sheets that hardly feel each other, and with sheets that slide freely."""
        return {"contact": with_soft_contact(project), "friction": without_friction(project)}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return tip deflections, gap norm, proper orthogonal ratio and the checks of the model."""
        project = run.project
        # The joint modes of the thesis.
        without, half = (
            without_estimates(with_method(project, "weighted_pod", count=count)) for count in (0, 20)
        )
        reduced = run.value("body")
        tip = end_of_curve(run, "static", _CURVE)
        full = end_of_curve(run, "unreduced", _CURVE)
        with closing(run.results("static")) as static, closing(run.results("dynamic")) as dynamic:
            gap_norm = float(static.curve("lap joint gap norm")[-1])
            largest = float(abs(dynamic.curve("load uz")).max())
        found = {
            "mass": reduced.total_mass,
            "contact_pairs": float(len(run.value("pairs", "lap joint"))),
            "first_free_frequency": float(reduced.frequencies[0]),
            "pod_ratio_10": run.value("basis", project=half).pod_ratio(10),
            "tip_error_20_joint_modes": abs(end_of_curve(run, "static", _CURVE, half) / full - 1.0),
            "tip_deflection_static": tip,
            "gap_norm_static": gap_norm,
            "tip_deflection_full_fe": full,
            "tip_deflection_reduced_to_full": tip / full,
            "error_without_joint_modes": abs(end_of_curve(run, "static", _CURVE, without) / full - 1.0),
            "tip_deflection_dynamic_max": largest,
        }
        return found | _joint_errors(run) if _is_full(project) else found


def _is_full(project: Project) -> bool:
    dynamic = project.analysis("dynamic")
    assert isinstance(dynamic, Transient)
    return dynamic.duration > QUICK_DURATION


def _joint_errors(run: ExampleRun) -> dict[str, float]:
    """Return errors in the loaded part of the joint, before and after corrections on the FE model."""
    return worst_errors(corrections(run, RICH_BASIS, {"up": _UPWARD}, _COMMON))
