"""The pendulum of the 2D car pendulum: three layered sheets, held together by contact and two links.

Model: thesis of the ContactDefiner, section 4.4.1 and figure 4.32; what it leaves open is told in the deck's
``make_layered_pendulum.py``. Contact law (A) of table 4.6, friction coefficient 0.15; its stiffnesses are chosen.
"""

import math
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import ClassVar

from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples.measured import taken_by_integration
from faying.examples.projects import as_before
from faying.examples.switched_off import without_contact, without_friction
from faying.params import build
from faying.project.deck import with_digests
from faying.project.specs import Project

MODULUS, DENSITY = 210_000.0, 7.85e-9  # N/mm², t/mm³
LONG, SHORT, WIDTH, THICKNESS = 400.0, 300.0, 20.0, 1.0  # mm
_BENDING = MODULUS * WIDTH * THICKNESS**3 / 12
_LINKS = 2 * math.pi * 0.05**2 * 2.0 * DENSITY
_FORCE = 1.0  # N

# Deflections by a force at the end of the middle sheet, by Euler and Bernoulli. The middle sheet presses on the
# upper one at its end and, as it lags behind before, on the lower one there; so all three bend together without
# friction: three times the stiffness as far as there are three.
_ALONE = _FORCE * LONG**3 / (3 * _BENDING)
LEAF_SPRING = 1.0 / (3 * _BENDING) * ((LONG**3 - (LONG - SHORT) ** 3) / 3 + (LONG - SHORT) ** 3)


@examples.register("layered-pendulum")
class LayeredPendulum(Example):
    """A flexible body with two joints: bending alone, on its neighbours, and with friction between them."""

    title: ClassVar[str] = "Layered pendulum"
    group: ClassVar[str] = "Joints with contact and friction"
    summary: ClassVar[str] = "Three sheets with two joints: a leaf spring of contact and friction."
    picture: ClassVar[tuple[str, str]] = ("closing", "pressure")
    film: ClassVar[tuple[str, str]] = ("swing", "pressure")
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected(
            "mass", "mass", 1.57e-4, "published", 1e-3, "m_p of tables 4.4 and 4.5 of the thesis: three sheets"
        ),
        Expected(
            "tip_deflection_without_contact", "length", _ALONE, "analytical", 0.005,
            "F L³/(3 E I) of the middle sheet alone",
        ),
        Expected(
            "tip_deflection_leaf_spring", "length", LEAF_SPRING * _FORCE, "analytical", 0.01,
            "three frictionless leaves that bend together: 3 E I up to 300 mm, E I beyond",
        ),
        Expected(
            "swing_energy_taken_by_integration", "", 0.0, "analytical", 0.01,
            "friction alone takes energy from the sheets: what the time integration took over the work of friction",
        ),
        as_before("swing_largest_deflection", 39.63, 5e-3, "40.14 mm without friction", "length"),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick simulates 0.1 s instead of 0.5 s."""
        deck = files("faying_resources") / "examples" / "layered_pendulum.inp"
        law = {
            "contact_law": {"kind": "linear_penalty", "stiffness": 400.0},
            "friction_law": {
                "kind": "coulomb",
                "friction_coefficient": 0.15,
                "sticking_stiffness": 100.0,
                "sliding_stiffness": 0.1,
            },
        }

        def surface(name: str) -> dict[str, str]:
            return {"kind": "deck_surface", "name": name}

        common = {"body": "pendulum", "support": "car"}
        closing_load = {"interface": "mass", "force": (0.0, 0.0, _FORCE)}
        step = {**closing_load, "time_history": {"kind": "haversine", "rise_time": 0.025}}
        words = {
            "name": "Layered pendulum",
            "note": "Three layered sheets, two joints (thesis section 4.4.1).",
            "units": "mm-t-s",
            "bodies": [
                {
                    "name": "pendulum",
                    "model": {"path": str(deck)},
                    "interfaces": [
                        {"name": "car", "node_set": "REF_CAR"},
                        {"name": "mass", "node_set": "REF_MASS"},
                    ],
                    "joints": [
                        {"name": "lower", "master": surface("MIDDLE_BOTTOM"), "slave": surface("LOWER_TOP"), **law},
                        {"name": "upper", "master": surface("MIDDLE_TOP"), "slave": surface("UPPER_BOTTOM"), **law},
                    ],
                    "reduction": {"kind": "craig_bampton", "vibration_modes": 10},
                }
            ],
            "analyses": [
                {"kind": "static", "name": "closing", **common, "friction": False, "loads": [closing_load]},
                {
                    "kind": "transient",
                    "name": "swing",
                    **common,
                    "loads": [step],
                    "duration": 0.1 if quick else 0.5,
                    "frames": 25 if quick else 120,
                },
            ],
        }  # fmt: skip
        project: Project = build(Project, words)
        return with_digests(project, Path(str(deck)).parent)

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with sheets that never touch, and with sheets that slide freely."""
        return {"contact": without_contact(project), "friction": without_friction(project)}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return deflections of the end of the middle sheet, with and without contact, and what the swing loses."""
        body = run.project.bodies[0]
        alone = body.with_(joints=())
        with closing(run.results("swing")) as results:
            largest = float(results.curve("mass uz").max())
        return {
            "mass": run.value("body").total_mass - _LINKS,
            "tip_deflection_without_contact": _deflection(run, "closing", run.project.with_(bodies=(alone,))),
            "tip_deflection_leaf_spring": _deflection(run, "closing"),
            "swing_energy_taken_by_integration": taken_by_integration(run, "swing"),
            "swing_largest_deflection": largest,
        }


def _deflection(run: ExampleRun, analysis: str, project: Project | None = None) -> float:
    with closing(run.results(analysis, project)) as results:
        return float(results.curve("mass uz")[-1])
