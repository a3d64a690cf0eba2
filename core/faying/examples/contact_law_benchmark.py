"""The 2D car pendulum: a car on a spring carries three layered sheets with a point mass at their end.

Model: thesis of the ContactDefiner, section 4.4.1, tables 4.4 to 4.6 and figure 4.33; the sheets are those of the
example layered-pendulum, which move in space. Chosen, since the drawing leaves it open: the sheets lie along x; the
car slides along z, across them; force and weight act along z. Law (D) has a clearance of 0.383 µm: with the
printed 0.4 µm it does not meet the others at 2.5 µm.
"""

import math
from contextlib import closing
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._contact_law_effort import (
    RUBBED,
    LawEffort,
    compared_effort,
    expected_effort,
    statement_table,
)
from faying.examples._sprung_leaf_spring import fitted_frequencies, natural_frequencies
from faying.examples.layered_pendulum import LEAF_SPRING, LayeredPendulum
from faying.examples.switched_off import without_contact
from faying.examples.tables import Table
from faying.params import build
from faying.plot import Series
from faying.project.specs import Project

_CAR, _POINT, _SPRING, _GRAVITY, _FORCE = 9.5e-4, 2e-4, 1.0, 9810.0, 5.0  # t, t, N/mm, mm/s², N
_DURATION, _QUICK_DURATION = 2.5, 0.03  # s
_HALF = "0.5*(1 - cos(2*pi*t/0.05)) if t <= 0.025"
CASES: dict[str, dict[str, Any]] = {
    "gravity": {"gravity": (0.0, 0.0, -_GRAVITY)},
    "force0": {"force": f"{_HALF} else 1"},
    "force1": {"force": f"{_HALF} else (2 - cos(2*pi*t/0.05))/3 if t <= 0.05 else 1/3"},
}
"""Load cases: weight, or the history of the force on the point mass."""

LAWS: dict[str, dict[str, Any]] = {
    "A": {"kind": "linear_penalty", "stiffness": 400.0},
    "B": {"kind": "multi_stage_linear", "stiffnesses": (133.0, 667.0), "gaps": (0.0, -1.25e-3)},
    "C1": {"kind": "power_function", "reference_pressure": 0.16, "reference_penetration": 1e-3, "exponent": 2.0},
    "C2": {"kind": "power_function", "reference_pressure": 0.0486, "reference_penetration": 1e-3, "exponent": 3.3},
    "D": {"kind": "exponential", "touching_pressure": 1.23e-4, "clearance": 3.83e-4},
    "E": {"kind": "quadratic_linear", "stiffness": 570.0, "lower_gap": -1.5e-3},
    "F": {"kind": "joint_adapted_exponential", "stiffness": 617.0, "roughness": 5e-3},
}  # fmt: skip
"""Contact laws of table 4.6, which all give 1 N/mm² at 2.5 µm."""

_QUICK_LAWS = ("A", "F")
_RUBBED = "F"  # the law beside friction, as in the source's figure 19
FRICTION = {
    "kind": "coulomb", "friction_coefficient": 0.15, "sticking_stiffness": 100.0, "sliding_stiffness": 0.1,
}  # fmt: skip


@dataclass(frozen=True)
class _FrictionPlot(CurvePlot):
    """A curve, counted from a second one if there is one, without and with friction, as in figure 19 of the source."""

    def series(self, run: ExampleRun) -> tuple[Series, ...]:
        """Return the two curves."""
        shown = []
        for style, name in enumerate(("without friction", "with friction")):
            project = _variant(run.project, _RUBBED, friction=style == 1)
            time, values = _history(run, project, self.analysis, self.curves[0])
            for base in self.curves[1:]:
                values = values - _history(run, project, self.analysis, base)[1]
            shown.append(Series(name, time, values, style))
        return tuple(shown)


@examples.register("contact-law-benchmark")
class ContactLawBenchmark(Example):
    """Three load cases of one system; its variants take other contact laws, and friction."""

    title: ClassVar[str] = "Contact laws on the car pendulum"
    group: ClassVar[str] = "Joints with contact and friction"
    summary: ClassVar[str] = (
        "Seven contact laws by computing time, steps and Jacobians; friction damps the swing."
    )
    takes_long: ClassVar[bool] = True
    picture: ClassVar[tuple[str, str]] = ("force1", "pressure")
    film: ClassVar[tuple[str, str]] = ("force1", "pressure")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        _FrictionPlot("car", "force1", "Displacement of the car", "length", ("car.frame z",)),
        _FrictionPlot(
            "mass", "force1", "Displacement of the point mass from the car", "length",
            ("sheets.mass z", "car.frame z"),
        ),
    )  # fmt: skip
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected(
            "tip_under_point_mass_against_unreduced", "", 1.0, "unreduced model", 0.002,
            "the sheets held still under the weight of the point mass, over the same without reduction",
        ),
        Expected(
            "tip_under_point_mass", "length", -_POINT * _GRAVITY * LEAF_SPRING, "analytical", 0.01,
            "three frictionless leaves that bend together: 3 E I up to 300 mm, E I beyond",
        ),
        Expected(
            "largest_gain_of_energy", "", 0.0, "analytical", 1e-4,
            "under weight alone nothing feeds energy: largest gain over the largest kinetic energy",
        ),
        Expected(
            "first_frequency", "frequency", float(natural_frequencies(_CAR, _SPRING, _POINT)[0]), "analytical", 0.005,
            "leaf spring of beams between a car on its spring and the point mass; frictionless sheets bend together",
        ),
        Expected(
            "spread_of_the_mass_between_laws", "", 0.0, "regression", 0.001,
            "not a verification: laws that meet at one penetration should hold the sheets apart alike; largest "
            "difference of the point mass over its way, under weight",
        ),
        Expected(
            "energy_taken_by_friction", "", 1.0, "analytical", 0.06,
            "by how much less energy is left under weight with friction than without, over its work: the same, but for "
            "what the time integration takes more or less of a damped swing",
        ),
        *expected_effort(),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick simulates 0.03 s instead of 2.5 s."""
        body = LayeredPendulum().build().bodies[0]
        hanging = {
            "body": "pendulum",
            "support": "car",
            "loads": [{"interface": "mass", "force": (0.0, 0.0, -_POINT * _GRAVITY)}],
        }
        motion = {
            "kind": "motion",
            "duration": _QUICK_DURATION if quick else _DURATION,
            "frames": 30 if quick else 500,
            "integrator": {"kind": "hht", "tolerance": 1e-3, "first_step": 1e-5, "largest_step": 2e-3},
        }
        words = {
            "name": "Contact laws on the car pendulum",
            "note": "A car on a spring, three layered sheets, a point mass (thesis section 4.4.1).",
            "units": "mm-t-s",
            "bodies": [body.with_(reduction=body.reduction.with_(vibration_modes=5))],
            "systems": [_system(name) for name in CASES],
            "analyses": [
                {"kind": "static", "name": "hanging", **hanging},
                {"kind": "unreduced_static", "name": "hanging unreduced", **hanging},
                *({**motion, "name": name, "system": name} for name in CASES),
            ],
        }
        project: Project = build(Project, words)
        return with_laws(project, LAWS["A"])

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with sheets that never touch."""
        return {"contact": without_contact(project)}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return statics, energies, the first frequency, and how far the laws differ."""
        tips = [
            _history(run, run.project, analysis, "mass uz")[1][-1]
            for analysis in ("hanging", "hanging unreduced")
        ]
        time, way = _history(run, run.project, "gravity", "sheets.mass z")
        ways = [
            _history(run, _variant(run.project, law), "gravity", "sheets.mass z")[1]
            for law in _laws(run.project)
        ]
        kinetic, total = (
            _history(run, run.project, "gravity", f"{kind} energy")[1] for kind in ("kinetic", "total")
        )
        values = {
            "tip_under_point_mass_against_unreduced": float(tips[0] / tips[1]),
            "tip_under_point_mass": float(tips[1]),
            "largest_gain_of_energy": float((total - total[0]).max() / kinetic.max()),
            "spread_of_the_mass_between_laws": float(
                max(np.abs(other - way).max() for other in ways) / np.ptp(way)
            ),
        }
        if not _is_quick(run.project):
            guess = natural_frequencies(_CAR, _SPRING, _POINT)[:2]
            # In a short run what the integration takes outweighs friction, and hangs on single steps.
            free, rubbed = (_variant(run.project, _RUBBED, friction) for friction in (False, True))
            lost = [_history(run, project, "gravity", "total energy")[1][-1] for project in (free, rubbed)]
            taken = _history(run, rubbed, "gravity", "friction work")[1][-1]
            values["energy_taken_by_friction"] = float((lost[0] - lost[1]) / taken) if taken else math.nan
            values["first_frequency"] = float(fitted_frequencies(time, way, guess)[0])
            values |= compared_effort(_efforts(run))
        return {e.name: values[e.name] for e in self.expected if e.name in values}

    def tables(self, run: ExampleRun) -> dict[str, Table]:
        """Return processor time, steps, Jacobian updates and largest penetration of each law in each load case.

        Time, steps and Jacobians are told relative to law (A) too, as figure 4.34 does; of a full run also which
        statements of the thesis on them reproduce.
        """
        rows: list[tuple[str | int | float, ...]] = []
        for case in CASES:
            costs: list[tuple[float, int, int]] = []
            for law, project in _compared(run.project):
                with closing(run.results(case, project)) as results:
                    report = results.report
                    depth = max(
                        float(results.curve(f"sheets: {joint.name} largest penetration").max())
                        for joint in run.project.bodies[0].joints
                    )
                cost = (report["processor_seconds"], report["steps"], report["jacobians"])
                costs.append(cost)
                shares = (round(100.0 * own / first) for own, first in zip(cost, costs[0], strict=True))
                rejected = report["rejected_by_error"] + report["rejected_by_iteration"]
                rows.append(
                    (case, law, round(cost[0], 1), cost[1], rejected,
                     report["iterations"], cost[2], *shares, round(1e3 * depth, 2))
                )  # fmt: skip
        heads = (
            "load", "law", "processor time [s]", "steps", "rejected", "iterations", "Jacobian updates",
            "processor time [%]", "steps [%]", "Jacobian updates [%]", "penetration [µm]",
        )  # fmt: skip
        tables = {"laws": Table(heads, tuple(rows))}
        return tables if _is_quick(run.project) else tables | {"statements": statement_table(_efforts(run))}


def _system(case: str) -> dict[str, Any]:
    """Return car, sheets and point mass under a load case."""
    load = CASES[case]
    forces: list[dict[str, Any]] = [
        {"kind": "spring_damper", "name": "spring", "first": "ground.spring", "second": "car.frame",
         "stiffness": _SPRING, "free_length": 100.0}
    ]  # fmt: skip
    if "force" in load:
        forces.append(
            {"kind": "point_force", "name": "push", "marker": "sheets.mass", "force": (0.0, 0.0, _FORCE),
             "time_history": {"kind": "expression", "formula": load["force"]}}
        )  # fmt: skip
    return {
        "name": case,
        "ground": [{"name": "rail"}, {"name": "spring", "position": (0.0, 0.0, -100.0)}],
        "parts": [
            {"kind": "rigid", "name": "car", "mass": _CAR, "moments_of_inertia": (1.0, 1.0, 1.0)},
            {
                "kind": "flexible",
                "name": "sheets",
                "body": "pendulum",
                "frame": "car",
                "lumped_masses": [{"interface": "mass", "mass": _POINT}],
            },
        ],
        "constraints": [
            {"kind": "translational", "name": "rail", "first": "ground.rail", "second": "car.frame"},
            {"kind": "fixed", "name": "clamp", "first": "car.frame", "second": "sheets.car"},
        ],
        "forces": forces,
        "gravity": load.get("gravity", (0.0, 0.0, 0.0)),
    }


def _is_quick(project: Project) -> bool:
    return bool(project.analysis("gravity").duration < _DURATION)


def _laws(project: Project) -> tuple[str, ...]:
    return _QUICK_LAWS if _is_quick(project) else tuple(LAWS)


def with_laws(project: Project, contact: dict[str, Any], friction: dict[str, Any] | None = None) -> Project:
    """Return the project with a contact law, and perhaps a friction law, in both joints."""
    body = project.bodies[0]
    joints = tuple(joint.with_(contact_law=contact, friction_law=friction) for joint in body.joints)
    return project.with_(bodies=(body.with_(joints=joints),))


def _variant(project: Project, law: str, friction: bool = False) -> Project:
    """Return the project with another law of table 4.6."""
    if law == "A" and not friction:
        return project
    return with_laws(project, LAWS[law], FRICTION if friction else None)


def _compared(project: Project) -> list[tuple[str, Project]]:
    """Return what is compared: the laws, and the last one with friction."""
    laws = [(law, _variant(project, law)) for law in _laws(project)]
    return [*laws, (RUBBED, _variant(project, _RUBBED, friction=True))]


def _efforts(run: ExampleRun) -> dict[str, dict[str, LawEffort]]:
    """Return what every motion cost, by load case and law."""
    found: dict[str, dict[str, LawEffort]] = {case: {} for case in CASES}
    for case in CASES:
        for law, project in _compared(run.project):
            with closing(run.results(case, project)) as results:
                report = results.report
            found[case][law] = LawEffort(report["processor_seconds"], report["steps"], report["jacobians"])
    return found


def _history(run: ExampleRun, project: Project, analysis: str, curve: str) -> tuple[np.ndarray, np.ndarray]:
    with closing(run.results(analysis, project)) as results:
        return np.asarray(results.values), np.asarray(results.curve(curve))
