"""The friction bar: two steel sheets that lie on each other, bolted twice, bent at the free end.

Model: thesis of the ContactDefiner, section 4.1.1 and figure 4.1; here with 18 844 nodes.
"""

import math
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import ClassVar

from faying.examples import Example, ExampleRun, Expected, examples
from faying.params import build
from faying.project.deck import with_digests
from faying.project.specs import Project

PAIRS = 2821
_SAME_MODEL = "unreduced Newton solution of the same deck, pairs and law by a separate program"
_THESIS = "static convergence study, thesis section 4.1.1"


@examples.register("friction-bar")
class FrictionBar(Example):
    """Reduction with joint modes against the unreduced model; statics and dynamics."""

    title: ClassVar[str] = "Friction bar"
    summary: ClassVar[str] = "Two bolted sheets under an end force: joint modes make the reduced joint right."
    picture: ClassVar[tuple[str, str]] = ("static", "pressure")
    film: ClassVar[tuple[str, str]] = ("dynamic", "pressure")
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected("mass", "mass", 1.844e-4, "independent code", 1e-3, "mass of the deck, by a separate program"),
        Expected("contact_pairs", "", PAIRS, "independent code", 0.0, "pairs of the deck, by a separate program"),
        Expected(
            "first_free_frequency", "frequency", 367.3, "independent code", 0.01,
            "free-free frequency of a finer deck (38 000 nodes), by a separate program",
        ),
        Expected("pod_ratio_10", "", 0.985, "published", 0.0152, f"w(10) of 98 to 99 %, {_THESIS}"),
        Expected("tip_deflection_static", "length", 28.4834, "independent code", 0.01, _SAME_MODEL),
        Expected(
            "gap_norm_static", "length", 0.406 * math.sqrt(PAIRS), "independent code", 0.02,
            f"root mean square gap 0.406 mm over {PAIRS} pairs; {_SAME_MODEL}",
        ),
        Expected("tip_deflection_full_fe", "length", 28.4834, "independent code", 1e-3, _SAME_MODEL),
        Expected(
            "tip_deflection_reduced_to_full", "", 1.0, "analytical", 0.01,
            "a basis that is rich enough gives the unreduced solution of the same equations",
        ),
        Expected(
            "error_without_joint_modes", "", 0.115, "independent code", 0.5,
            "without joint modes the tip is 11.5 % off, on a finer deck, by a separate program",
        ),
        Expected(
            "tip_deflection_dynamic_max", "length", 24.768, "regression", 0.005,
            "what this program gave with a ten times smaller error per step; not a verification",
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick simulates 0.03 s instead of 0.1 s, past the first and largest swing."""
        deck = files("faying_resources") / "examples" / "friction_bar_19k.inp"
        upward = {"interface": "load", "force": (0.0, 0.0, 100.0)}
        step = {
            "interface": "load",
            "force": (0.0, 0.0, 50.0),
            "course": {"kind": "haversine", "rise_time": 0.01},
        }
        common = {"body": "bar", "support": "mounting"}
        words = {
            "name": "Friction bar",
            "note": "Two steel sheets, bolted twice, bent at the free end (thesis section 4.1.1).",
            "units": "mm-t-s",
            "bodies": [
                {
                    "name": "bar",
                    "model": {"path": str(deck)},
                    "interfaces": [
                        {"name": "mounting", "node_set": "REF_MOUNT"},
                        {"name": "load", "node_set": "REF_LOAD"},
                    ],
                    "joints": [
                        {
                            "name": "lap joint",
                            "master": {"kind": "deck_surface", "name": "JOINT_MASTER"},
                            "slave": {"kind": "deck_surface", "name": "JOINT_SLAVE"},
                            "contact_law": {"kind": "linear_penalty", "stiffness": 50_000.0},
                            "friction_law": {
                                "kind": "coulomb",
                                "friction_coefficient": 0.15,
                                "sticking_stiffness": 10_000.0,
                                "sliding_stiffness": 500.0,
                            },
                        }
                    ],
                    "reduction": {"kind": "craig_bampton", "vibration_modes": 10},
                    "joint_modes": {"kind": "weighted_pod", "count": 40},
                }
            ],
            "analyses": [
                {"kind": "static", "name": "static", **common, "loads": [upward]},
                {"kind": "unreduced_static", "name": "unreduced", **common, "loads": [upward]},
                {
                    "kind": "transient",
                    "name": "dynamic",
                    **common,
                    "loads": [step],
                    "duration": 0.03 if quick else 0.1,
                    "frames": 60 if quick else 200,
                },
            ],
        }
        project: Project = build(Project, words)
        return with_digests(project, Path(str(deck)).parent)

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return tip deflections, gap norm, proper orthogonal ratio and the checks of the model."""
        project = run.project
        body = project.bodies[0]
        without = project.with_(bodies=(body.with_(joint_modes=body.joint_modes.with_(count=0)),))
        reduced = run.value("body")
        tip = _last_tip(run, "static")
        full = _last_tip(run, "unreduced")
        with closing(run.results("static")) as static, closing(run.results("dynamic")) as dynamic:
            gap_norm = float(static.curve("lap joint gap norm")[-1])
            largest = float(abs(dynamic.curve("load uz")).max())
        return {
            "mass": reduced.total_mass,
            "contact_pairs": float(len(run.value("pairs", "lap joint"))),
            "first_free_frequency": float(reduced.frequencies[0]),
            "pod_ratio_10": run.value("basis").pod_ratio(10),
            "tip_deflection_static": tip,
            "gap_norm_static": gap_norm,
            "tip_deflection_full_fe": full,
            "tip_deflection_reduced_to_full": tip / full,
            "error_without_joint_modes": abs(_last_tip(run, "static", without) / full - 1.0),
            "tip_deflection_dynamic_max": largest,
        }


def _last_tip(run: ExampleRun, analysis: str, project: Project | None = None) -> float:
    with closing(run.results(analysis, project)) as results:
        return float(results.curve("load uz")[-1])
