"""Two plates and two M8 bolts: tightened one after the other, pulled to and fro until the joint slips.

The deck comes from ``make_bolted_lap.py``. Bolts are locked at their length once they are tightened; a cyclic load
beyond the sticking limit makes a loop of load against displacement, in which friction between the plates slides and the
bolts bend. All is compared with the same steps on the unreduced model.
"""

from contextlib import closing
from typing import Any, ClassVar

import numpy as np

from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples.projects import equals_unreduced, no_error, project_of
from faying.examples.switched_off import without_friction
from faying.examples.tables import Table
from faying.exporters import ExportContent
from faying.project.specs import Project
from faying.results.bolt_table import BoltRow, texts_of
from faying.results.fields import fields
from faying.results.results import Results

FORCE, FRICTION = 16_500.0, 0.15
WORKING, SLIDING = 2_000.0, 7_000.0
STIFFNESS = 100_000.0
_CONTACT = {"kind": "linear_penalty", "stiffness": STIFFNESS}
_LAW = {
    "kind": "coulomb", "friction_coefficient": FRICTION, "sticking_stiffness": 50_000.0, "sliding_stiffness": 0.0,
}  # fmt: skip
_CLOSE = "head, cut and nut are in balance but for the weak ties"
_REDUCED, _FULL = "mounted and pulled", "unreduced"


@examples.register("bolted-lap")
class BoltedLap(Example):
    """Steps in a row on a lap joint, reduced and unreduced, and its table of bolts."""

    title: ClassVar[str] = "Bolted lap joint"
    group: ClassVar[str] = "Joints with contact and friction"
    summary: ClassVar[str] = (
        "Two plates and two M8 bolts, tightened and pulled to and fro: slip, loop, bolt table."
    )
    takes_long: ClassVar[bool] = True
    picture: ClassVar[tuple[str, str]] = (_REDUCED, "pressure")
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected("head_over_cut", "", 1.0, "analytical", 5e-3, _CLOSE),
        Expected("nut_over_cut", "", 1.0, "analytical", 1e-3, _CLOSE),
        Expected(
            "friction_over_limit", "", 1.0, "analytical", 1e-3,
            "the plates slide: friction is μ times the clamp load (Coulomb)",
        ),
        no_error("first_bolt_after_the_second_error", 2e-3),
        no_error("largest_bolt_force_error", 5e-3),
        equals_unreduced("deflection_over_unreduced", 0.01),
        equals_unreduced("loop_area_over_unreduced", 0.02),
        equals_unreduced("bolt_shear_over_unreduced", 0.02),
        equals_unreduced("largest_pressure_over_unreduced", 0.05),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick walks half a cycle's load steps."""
        pull = [{"interface": "load", "force": [WORKING, 0.0, 0.0]}]
        swing = [{"interface": "load", "force": [SLIDING, 0.0, 0.0]}]
        steps = [
            {"kind": "tighten", "bolt": "left", "force": FORCE},
            {"kind": "tighten", "bolt": "right", "force": FORCE},
            {"kind": "load", "loads": pull},
            {"kind": "load"},
            {"kind": "cycle", "loads": swing, "cycles": 1 if quick else 3, "points": 5 if quick else 10},
        ]
        common = {"body": "lap", "support": "mounting", "steps": steps}
        names = ("left", "right")
        body: dict[str, Any] = {
            "name": "lap",
            "interfaces": [{"name": "mounting", "node_set": "REF_MOUNT"}, {"name": "load", "node_set": "REF_LOAD"}],
            "bolts": [
                {
                    "name": name, "size": "M8", "strength_class": "8.8",
                    "shank": {"kind": "cylinder", "start": [x, 0.0, -10.0], "end": [x, 0.0, 10.0], "radius": 4.2},
                }
                for name, x in zip(names, (-15.0, 15.0), strict=True)
            ],
            "joints": [
                _joint("lap", "LOWER_LAP", "UPPER_LAP"),
                *(_joint(f"head {name}", f"UPPER_SEAT{i}", f"HEAD{i}") for i, name in enumerate(names, 1)),
                *(_joint(f"nut {name}", f"LOWER_SEAT{i}", f"NUT{i}") for i, name in enumerate(names, 1)),
            ],
            "reduction": {"kind": "craig_bampton", "vibration_modes": 6},
        }  # fmt: skip
        analyses = [
            {"kind": "steps", "name": _REDUCED, **common},
            {"kind": "unreduced_steps", "name": _FULL, **common},
        ]
        note = (
            "Two plates and two M8 bolts: slip load, hysteresis, bolt table. Forces, deflections and loop are those "
            "of the unreduced model within a few per cent, the largest pressure while the plates slide within 6 %."
        )
        return project_of("Bolted lap joint", note, "bolted_lap.inp", body, analyses)

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project without friction."""
        return {"friction": without_friction(project)}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return balance of the bolts, friction at the turning point, and both models beside each other."""
        found = {}
        with closing(run.results(_REDUCED)) as reduced, closing(run.results(_FULL)) as full:
            for seat in ("head", "nut"):
                shares = reduced.curve(f"{seat} left normal force") / reduced.curve("left axial force")
                found[f"{seat}_over_cut"] = float(shares[np.argmax(abs(shares - 1.0))])
            first = np.searchsorted(reduced.values, 2.0), np.searchsorted(full.values, 2.0)
            after = [
                float(r.curve("left axial force")[i]) for r, i in zip((reduced, full), first, strict=True)
            ]
            found["first_bolt_after_the_second_error"] = abs(after[0] / after[1] - 1.0)
            largest = [float(r.curve("left axial force").max()) for r in (reduced, full)]
            found["largest_bolt_force_error"] = abs(largest[0] / largest[1] - 1.0)
            for name, curve in (("deflection", "load ux"), ("bolt_shear", "left shear force")):
                found[f"{name}_over_unreduced"] = float(reduced.curve(curve).max() / full.curve(curve).max())
            areas = [_area(results) for results in (reduced, full)]
            found["loop_area_over_unreduced"] = areas[0] / areas[1]
        pressures = [_largest_pressure(run, name) for name in (_REDUCED, _FULL)]
        found["largest_pressure_over_unreduced"] = pressures[0] / pressures[1]
        rows = _bolts(run, _REDUCED)
        found["friction_over_limit"] = 1.0 / min(row.slip_reserve for row in rows)
        return found

    def tables(self, run: ExampleRun) -> dict[str, Table]:
        """Return the table of bolts, reduced and unreduced."""
        rows: list[tuple[str | float, ...]] = []
        heads: list[str] = []
        for name in (_REDUCED, _FULL):
            heads, cells = texts_of(_bolts(run, name), run.project.units)
            rows += [(name, *row) for row in cells]
        return {"bolts": Table(("analysis", *heads), tuple(rows))}


def _bolts(run: ExampleRun, name: str) -> tuple[BoltRow, ...]:
    content = run.session.shown(name)
    assert isinstance(content, ExportContent)  # of a body
    return content.bolt_table()


def _largest_pressure(run: ExampleRun, name: str) -> float:
    """Return the largest pressure between the plates over all frames."""
    context = run.session.shown_body(name).body_context
    field = fields["pressure"]()
    return float(max(field.evaluate(context, "lap", frame).max() for frame in range(context.frames.n_frames)))


def _area(results: Results) -> float:
    """Return what the loads did in the last cycle."""
    work, cycle = results.curve("external work"), results.curve("cycle")
    swings = np.flatnonzero(results.curve("step") == results.curve("step").max())
    before = np.flatnonzero(cycle[swings] < cycle.max())
    begin = swings[before[-1]] if len(before) else swings[0] - 1
    return float(work[-1] - work[begin])


def _joint(name: str, master: str, slave: str) -> dict[str, Any]:
    return {
        "name": name,
        "master": {"kind": "deck_surface", "name": master}, "slave": {"kind": "deck_surface", "name": slave},
        "search": {"pairs_at": "integration_points"}, "contact_law": _CONTACT, "friction_law": _LAW,
    }  # fmt: skip
