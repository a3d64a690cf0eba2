"""A main bearing: cap and block segment under two bolts, and a force that turns once round the bore.

Model: after thesis section 4.5.2, whose engine block has 10 691 contact pairs and 80 joint modes; the geometry is our
own (`faying mesh bearing_cap`). The deck is made when it is asked for, in three sizes; the largest has about a million
degrees of freedom and as many pairs as the thesis. Oil pushes on the bore: eighths of it carry the force that turns,
each with max(0, cos) of its angle, whose sum is the force in size and direction.
"""

from contextlib import closing
from functools import cache
from math import cos, sin, tau
from pathlib import Path
from typing import ClassVar

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples.contact_decks import stored_model
from faying.examples.friction_bar_preloaded import tension_of_beams
from faying.examples.joint_stresses import LOADED, joint_errors
from faying.examples.measured import end_of_curve, mounted_unreduced, taken_by_integration
from faying.examples.projects import as_before, equals_unreduced, no_error
from faying.examples.switched_off import with_soft_contact
from faying.examples.tables import Table
from faying.fem.mesh_makers.bearing_cap import BOLT_ELEMENTS, SECTORS, BearingCap
from faying.params import build
from faying.project.deck import with_digests
from faying.project.home import home
from faying.project.specs import Project

BOLT_FORCE = 30_000.0  # N of each bolt on parts that do not give way
FORCE = 20_000.0  # N, that turns
TURN = 0.01  # s: 6000 revolutions per minute
SIZES = {"small": 1.25, "medium": 0.61, "full": 0.345}  # mm, edges of elements at the joint
_RAMP = 0.125  # of a turn, before it: the force grows
_FRAMES, _QUICK_FRAMES = 72, 12
_LOADS = {"down": 0.75, "across": 0.0}  # shares of a turn: onto the cap, and along the joint
_JOINT, _MOVING = "cap joint", "turn"
_PRESSURES = "pressures of the pairs with more than a tenth of the largest one"


@examples.register("bearing-cap")
class BearingCapExample(Example):
    """Statics against the unreduced model, and one turn of the force with friction."""

    title: ClassVar[str] = "Main bearing cap"
    group: ClassVar[str] = "Joints with contact and friction"
    summary: ClassVar[str] = (
        "A bolted bearing cap under a force that turns, of up to a million degrees of freedom."
    )
    takes_long: ClassVar[bool] = True
    sizes: ClassVar[tuple[str, ...]] = tuple(SIZES)
    picture: ClassVar[tuple[str, str]] = ("down", "pressure")
    film: ClassVar[tuple[str, str]] = (_MOVING, "slip")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("force", _MOVING, "Force in the joint", "force", (f"{_JOINT} normal force",)),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected(
            "joint_over_bolts_mounted", "", 1.0, "analytical", 1e-6,
            "equilibrium of the cap: the joint carries what the bolts pull, of the unreduced model",
        ),
        as_before(
            "normal_force_mounted", 50_827.0, 0.02, "of 60 000 N on parts that do not give way", "force"
        ),
        equals_unreduced("gap_norm_mounted_reduced_to_unreduced", 1e-6, "the preload mode is this state"),
        *(no_error(f"gap_error_{load}", 0.01) for load in _LOADS),
        *(no_error(f"pressure_error_{load}", 0.03, _PRESSURES) for load in _LOADS),
        Expected(
            "energy_taken_by_integration", "", 0.0, "analytical", 0.05,
            "friction alone takes energy: what the time integration took over the work of friction",
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the smallest project; quick stores fewer frames."""
        return self.of_size("small", quick)

    def of_size(self, size: str, quick: bool = False) -> Project:
        """Return the project; the unreduced analyses are left out of the largest."""
        return bearing_project(SIZES[size], _QUICK_FRAMES if quick else _FRAMES, unreduced=size != "full")

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with contact a thousand times softer."""
        return {"contact": with_soft_contact(project, 1e-3)}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return the force in the joint, and what reduction changes in gaps and pressures."""
        mounted = mounted_unreduced(run)
        slack = tension_of_beams(run.value("model"), mounted.displacement) / BOLT_ELEMENTS
        bolts = 2.0 * BOLT_FORCE + slack  # of each beam one element
        with closing(run.results("down")) as results:
            gap_norm = float(results.curve(f"{_JOINT} gap norm")[0])
        found = {
            "joint_over_bolts_mounted": mounted.normal_force / bolts,
            "normal_force_mounted": mounted.normal_force,
            "gap_norm_mounted_reduced_to_unreduced": gap_norm / mounted.gap_norm,
        }
        compared = {load: f"{load}, unreduced" for load in _LOADS}
        if any(analysis.name in compared.values() for analysis in run.project.analyses):
            for load, full in compared.items():
                gaps = [end_of_curve(run, name, f"{_JOINT} gap norm") for name in (load, full)]
                found[f"gap_error_{load}"] = abs(gaps[0] / gaps[1] - 1.0)
            for load, full in compared.items():
                found[f"pressure_error_{load}"] = joint_errors(run, load, full, loaded=LOADED).pressure
        return found | {"energy_taken_by_integration": taken_by_integration(run, _MOVING)}

    def tables(self, run: ExampleRun) -> dict[str, Table]:
        """Return how large the model is, and what the turn took."""
        with closing(run.results(_MOVING)) as results:
            report = results.report
            smallest = float(results.curve(f"{_JOINT} normal force").min())
        rows: list[tuple[str | float, ...]] = [("smallest force in the joint [N]", round(smallest))]
        rows += [(name, report[name]) for name in ("steps", "iterations") if name in report]
        return {"turn": Table(("quantity", "value"), tuple(rows))}


def bearing_project(
    size: float,
    frames: int = _FRAMES,
    *,
    unreduced: bool = True,
    estimates: bool | None = None,
) -> Project:
    """Return the project of a bearing.

    Args:
        size: edge length of the elements at the joint, in mm.
        frames: that are stored of the turn.
        unreduced: whether statics are also those of the FE model.
        estimates: whether statics estimate their errors, three factorisations; by default as `unreduced`.
    """
    bolts = [(number, part) for number in (1, 2) for part in ("head", "thread")]
    common = {"body": "bearing", "support": "block", "preloads": ["bolts"]}
    body = {
        "name": "bearing",
        "model": {"path": str(_deck(size))},
        "interfaces": [
            {"name": "block", "node_set": "BLOCK"},
            *(
                {"name": f"{part} {number}", "node_set": f"{part.upper()}_{number}", "components": (2,)}
                for number, part in bolts
            ),
        ],
        "joints": [{
            "name": _JOINT, "master": _surface("BLOCK_FACE"), "slave": _surface("CAP_FACE"),
            "contact_law": {"kind": "linear_penalty", "stiffness": 100_000.0},
            "friction_law": {
                "kind": "coulomb", "friction_coefficient": 0.15, "sticking_stiffness": 50_000.0,
                "sliding_stiffness": 10.0,
            },
        }],
        # What a bolt of this tension pulls on parts that do not give way; its beam takes up what they do.
        "preloads": [{
            "name": "bolts",
            "loads": [
                {
                    "kind": "node_force", "interface": f"{part} {number}",
                    "force": (0.0, BOLT_FORCE if part == "head" else -BOLT_FORCE, 0.0),
                }
                for number, part in bolts
            ],
        }],
        "loads": [
            {
                "kind": "surface_force", "name": f"sector {i}", "surface": _surface(f"SECTOR_{i}"),
                "force": (0.5 * FORCE * cos(_angle(i)), 0.5 * FORCE * sin(_angle(i)), 0.0),
            }
            for i in _sectors()
        ],
        "reduction": {"kind": "craig_bampton", "vibration_modes": 10},
    }  # fmt: skip
    statics = []
    for name, share in _LOADS.items():
        acting = [
            {"load": f"sector {i}", "factor": _factor(i, share)} for i in _sectors() if _factor(i, share)
        ]
        words = {**common, "friction": False, "body_loads": acting}
        estimate = {"error_estimate": unreduced if estimates is None else estimates}
        statics.append({"kind": "static", "name": name, **words, **estimate})
        if unreduced:
            statics.append({"kind": "unreduced_static", "name": f"{name}, unreduced", **words})
    turn = {
        "kind": "transient", "name": _MOVING, **common, "duration": (1.0 + _RAMP) * TURN, "frames": frames,
        "body_loads": [
            {"load": f"sector {i}", "time_history": {"kind": "table", "points": _load_points(i)}} for i in _sectors()
        ],
    }  # fmt: skip
    words = {
        "name": "Main bearing cap",
        "note": "Two bolts, then a force that turns once round the bore (thesis section 4.5.2).",
        "units": "mm-t-s",
        "bodies": [body],
        "analyses": [*statics, turn],
    }
    project: Project = build(Project, words)
    return with_digests(project, home())


@cache
def _deck(size: float) -> Path:
    return stored_model("bearing-cap", BearingCap(size=size).model())


def _surface(name: str) -> dict[str, str]:
    return {"kind": "deck_surface", "name": name}


def _sectors() -> range:
    return range(1, SECTORS + 1)


def _angle(sector: int) -> float:
    """Return where the middle of a sector is, about z from x."""
    return tau * (sector - 0.5) / SECTORS


def _factor(sector: int, share: float) -> float:
    """Return the factor of a sector's load when the force points to a share of a turn; squares of all sum up to 2."""
    factor = cos(_angle(sector) - tau * share)
    return factor if factor > 1e-12 else 0.0


def _load_points(sector: int) -> list[tuple[float, float]]:
    """Return (time, factor) of a sector's load: the force grows onto the cap, then turns once."""
    steps = 96
    begin = _LOADS["down"]
    points = [((_RAMP + i / steps) * TURN, _factor(sector, begin + i / steps)) for i in range(steps + 1)]
    return [(0.0, 0.0), *points]
