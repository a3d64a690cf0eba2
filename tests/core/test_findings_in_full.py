"""All that checks say of small projects, word for word, on both sides of what they judge by.

A regression: `findings_in_full.txt` holds what was said when it was last looked through, and
``PYTHONPATH=tests python tests/core/test_findings_in_full.py`` writes it anew after a sentence was changed.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from faying.fem.model import FeModel, Tie
from faying.joints.pairs import ContactPairs
from faying.params import build
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project
from faying.project.stage import Target
from faying.testing.plates import plates_session
from support.boxes import STEEL, box
from support.recorded import assert_as_recorded, record, recorded

RECORD = Path(__file__).with_name("findings_in_full.txt")
BLOCK = box("hex8", (4, 3, 2), (20.0, 15.0, 8.0))
FINE = box("hex8", (12, 9, 1), (20.0, 15.0, 2.0))
TIP = {"interface": "tip", "force": (0.0, 0.0, 1.0)}
TOP = {"name": "top", "surface": {"kind": "deck_set", "name": "ZMAX"}, "shapes": {"kind": "none"}}
# Of bodies without interface nodes and joints whose deck is not there; in full of the first scenarios alone.
_SAID_OF_ALL = ("deck_file", "body_complete", "interface_nodes")
_IN_FULL = ("bodies_without_anything", "interface_nodes_of_the_plates", "steps_of_a_model_with_bolts")
_scenarios: dict[str, Callable[[], CheckedProject]] = {}


def scenario(make: Callable[[], CheckedProject]) -> Callable[[], CheckedProject]:
    _scenarios[make.__name__] = make
    return make


def said(checked: CheckedProject, every: bool = False) -> Iterator[str]:
    base = checked.base.absolute()
    for f in run_checks(checked):
        if f.check in _SAID_OF_ALL and f.severity != "error" and not every:
            continue
        yield f"{f.check} {f.severity} {' '.join(map(str, f.entity))}".rstrip()
        yield (
            f"  {f.sentence} {f.hint}".replace(f"{base}{os.sep}", "").replace(str(base.parent), "..").rstrip()
        )
        if f.details:
            yield f"  details: {', '.join(f.details[:7])} of {len(f.details)}"
        if f.remedy is not None:
            yield f"  remedy: {f.remedy.label}: {' '.join(map(str, f.remedy.path))} = {f.remedy.value}"


def plates(
    analyses: list | None = None, *, computed: bool = False, body: dict | None = None, **more
) -> CheckedProject:
    """Return the two plates with other decisions, and with model and pairs if they are to be looked at."""
    session = plates_session()
    words = session.project.model_dump(mode="json")
    words["bodies"][0] |= {"name": "plates", **(body or {})}
    words["bodies"][0]["model"]["path"] = "plates.inp"
    words["analyses"] = words["analyses"] if analyses is None else analyses
    project = build(Project, words | more.pop("project", {}))
    if computed:
        more.setdefault("models", {"plates": session.compute(Target("model", "plates"))})
        more.setdefault("pairs", {("plates", "lap"): session.compute(Target("pairs", "plates", "lap"))})
    return CheckedProject(project, session.base, **more)


def static(name: str, kind: str = "static", **words) -> dict:
    return {"kind": kind, "name": name, "body": "plates", "support": "hold", **words}


@scenario
def analyses_that_name_what_is_not_there():
    body = {
        "preloads": [
            {"name": "bolts", "loads": [{"kind": "node_force", "interface": "tip", "force": [0, 0, 1]}]},
            {"name": "none"},
        ],
        "loads": [{"kind": "gravity", "name": "weight", "acceleration": [0, 0, -9810]}],
    }
    moved = {"interface": "tip", "uz": 0.1}
    kinds = ["static", "unreduced_static", "transient", "frequency_response"]
    return plates(
        [
            *(static(f"free {kind}", kind, support="", loads=[TIP]) for kind in kinds),
            static("lost", support="sky", loads=[TIP]),
            static("idle"),
            static("idle still", loads=[{"interface": "tip"}]),
            static("turned", loads=[{"interface": "tip", "moment": (0.0, 1.0, 0.0)}]),
            static("displaced", displacements=[moved]),
            static("nowhere", displacements=[{"interface": "tip", "uz": 0.0}]),
            static("heavy", body_loads=[{"load": "weight"}]),
            static("light", body_loads=[{"load": "weight", "factor": 0.0}]),
            static("wet", loads=[TIP], body_loads=[{"load": "rain"}]),
            static("tight", preloads=["bolts"]),
            static("loose", loads=[TIP], preloads=["bolt", "bolts"]),
            static(
                "held",
                loads=[
                    TIP,
                    {"interface": "hold", "force": (1, 0, 0)},
                    {"interface": "sky", "force": (1, 0, 0)},
                ],
            ),
            static("elsewhere", body="moon"),
            {"kind": "motion", "name": "flight", "system": "space"},
        ],
        body=body,
    )


@scenario
def bodies_without_anything():
    words = [{"name": name, "model": {"path": f"{name}.inp"}} for name in ("one", "two")]
    words[1]["contact_surfaces"] = [TOP]
    analyses = [
        {"kind": "static", "name": "it", "body": "one", "loads": [TIP]},
        {"kind": "static", "name": "relieved", "body": "two", "loads": [TIP]},
    ]
    words[1]["relief_modes"] = True
    return CheckedProject(build(Project, {"bodies": words, "analyses": analyses}), Path("nowhere"))


@scenario
def steps():
    tighten = {"kind": "tighten", "bolt": "M8"}
    row = [
        {**tighten, "force": 10.0},
        {**tighten, "bolt": "m10", "angle": 1.0, "pitch": 1.5},
        tighten,
        tighten,
        {"kind": "load", "loads": [TIP, {"interface": "top", "force": (0, 0, 1)}]},
        {"kind": "cycle", "loads": [{"interface": "rim", "force": (0, 0, 1)}]},
    ]
    case = {"name": "first", "loads": [{"kind": "bolt_force", "bolt": "m8", "force": 9.0}]}
    reports = {
        "row": {
            "bolt_force_errors": {"1": {"M8": 0.021, "M10": 0.5}, "2": {"M8": 0.02}},
            "steps": [{"step": 6, "steady": False, "cycles": 4}, {"step": 5, "steady": True}, {"step": 4}],
        }
    }
    displaced = {
        "kind": "load",
        "displacements": [{"interface": "tip", "ux": 1.0}, {"interface": "tip", "ux": 2.0}],
        "loads": [{"interface": "tip", "force": (1, 0, 1), "moment": (1, 0, 0)}],
    }
    return plates(
        [
            static("row", "steps", steps=row),
            static("none", "steps"),
            static("exact", "unreduced_steps", steps=row[:2]),
            static("lost", "steps", body="moon", steps=row),
            static("moved", "steps", steps=[displaced]),
            static("wet", "steps", steps=[{"kind": "load", "body_loads": [{"load": "rain"}]}]),
            static("one", "steps", steps=row[:1]),
        ],
        body={"preloads": [case]},
        reports=reports,
    )


@scenario
def steps_of_a_model_with_bolts():
    checked = steps()
    session = plates_session()
    model = session.compute(Target("model", "plates"))
    return replace(checked, models={"plates": model})


def _report_of(**reports) -> CheckedProject:
    return plates(
        [static(name.replace("_", " "), loads=[TIP]) for name in reports],
        reports={name.replace("_", " "): each for name, each in reports.items()},
    )


@scenario
def reports_of_runs():
    joints = {"lap": {"pairs": 42, "of": 2193}, "seam": {"pairs": 1, "of": 2}}
    estimate = {"motion": 0.01, "force": 0.05, "pressure": 0.2}
    return _report_of(
        good={
            "load_error": 0.01,
            "mounted_error": 0.01,
            "separation_ratio": 0.05,
            "tie_shares": {"lap": 0.02},
            "steps": 95,
            "rejected_by_iteration": 5,
            "sampling": {"error": 0.05, "joints": joints},
            "error_estimate": estimate,
            "largest_change_of_slip_with_status": 0.05,
        },
        missed={
            "load_error": 0.0124,
            "mounted_error": 0.0234,
            "separation_ratio": 0.0621,
            "tie_shares": {"lap": 0.021, "seam": 0.4, "rim": 0.0},
            "steps": 95,
            "rejected_by_error": 0,
            "rejected_by_iteration": 45,
            "last_time": 1e-3,
            "shortened_steps": 40,
            "shortened_time": 8e-4,
            "sampling": {"error": 0.0511, "joints": joints},
            "error_estimate": {name: 1.5 * value for name, value in estimate.items()},
        },
        partly={
            "error_estimate": {**estimate, "force": 0.3},
            "no_error_estimate": "the tangent is singular.",
        },
        doubtful={"doubts": [["It may be wrong.", "Look."], ["It is wrong.", "Look again."]]},
        slid={"largest_change_of_slip_with_status": 0.7},
    )


@scenario
def friction_in_statics():
    slid = {"largest_change_of_slip_with_status": 0.7}
    names = [
        static(f"{kind} {friction} {steps}", kind, loads=[TIP], friction=friction, load_steps=steps)
        for kind in ("static", "unreduced_static")
        for friction in (True, False)
        for steps in (0, 3)
    ]
    names.append({"kind": "transient", "name": "swing", "body": "plates", "support": "hold", "loads": [TIP]})
    names.append(
        {"kind": "frequency_response", "name": "shaken", "body": "plates", "support": "hold", "loads": [TIP]}
    )
    second = {
        "name": "seam",
        "master": {"kind": "deck_surface", "name": "LOWER"},
        "slave": {"kind": "deck_surface", "name": "UPPER"},
        "friction_law": {"kind": "coulomb"},
    }
    first = plates_session().project.bodies[0].joints[0].model_dump(mode="json")
    return plates(names, body={"joints": [first, second]}, reports={one["name"]: slid for one in names})


@scenario
def corrections_and_load_cases():
    return plates(
        [
            static("press", loads=[TIP]),
            static("push", "unreduced_static", loads=[TIP]),
            *(
                {"kind": "fe_correction", "name": f"better {name}", "body": "plates", "corrects": name}
                for name in ("press", "push", "no")
            ),
            {"kind": "fe_correction", "name": "other", "body": "moon", "corrects": "press"},
            {"kind": "envelope", "name": "worst", "body": "plates", "cases": ["press", "best"]},
            {"kind": "envelope", "name": "fine", "body": "plates", "cases": ["press", "push"]},
            {
                "kind": "combination",
                "name": "sum",
                "body": "plates",
                "combinations": [{"name": "a", "cases": [{"analysis": "press"}, {"analysis": "no"}]}],
            },
            {
                "kind": "combination",
                "name": "whole",
                "body": "plates",
                "combinations": [{"name": "a", "cases": [{"analysis": "press"}]}],
            },
            {
                "kind": "combination",
                "name": "lost",
                "body": "moon",
                "combinations": [{"name": "a", "cases": [{"analysis": "press"}]}],
            },
        ],
        reports={"better press": {"largest_correction": 0.031}, "better push": {"largest_correction": 0.03}},
    )


@scenario
def displacements():
    def at(node, **given):
        return {"interface": node, **given}

    return plates(
        [
            static(
                "moved",
                loads=[{"interface": "tip", "force": (0, 1, 5), "moment": (0, 0, 2)}],
                displacements=[
                    at("top", ux=1.0),
                    at("hold", ux=1.0),
                    at("tip"),
                    at("tip", uz=0.1, rz=0.0),
                    at("tip", uz=0.2),
                ],
            ),
            static("free", support="", displacements=[at("tip")]),
            static("free too", support="", displacements=[at("tip", uz=0.1)]),
            static(
                "apart", loads=[{"interface": "tip", "force": (0, 1, 0)}], displacements=[at("tip", uz=0.1)]
            ),
            static("unloaded", loads=[{"interface": "tip"}], displacements=[at("tip", uz=0.1)]),
        ]
    )


@scenario
def interface_nodes_of_the_plates():
    nodes = [
        {"name": "hold", "node_set": "HOLD"},
        {"name": "again", "node_set": "hold"},
        {"name": "tip", "node_set": "TIP"},
        {"name": "on it", "node": 2},
        {"name": "set", "node_set": "HOLD_FACE"},
        {"name": "none"},
        {"name": "lost", "node": 9999},
        {"name": "sky", "node_set": "SKY"},
    ]
    return plates([], computed=True, body={"interfaces": nodes})


@scenario
def preload_cases_of_the_plates():
    loads = [
        {"kind": "node_force", "node_set": "tip", "force": [0, 0, 1]},
        {"kind": "node_force", "node_set": "TOP", "force": [0, 0, 1]},
        {"kind": "node_force", "interface": "top", "force": [0, 0, 1]},
        {"kind": "interference", "joint": "lip", "amount": 0.1},
        {"kind": "interference", "joint": "lap", "amount": 0.1},
        {"kind": "bolt_force", "bolt": "M8", "force": 1.0},
        {"kind": "surface_force", "surface": {"kind": "deck_surface", "name": "WASHER"}, "force": 1.0},
    ]
    return plates([], computed=True, body={"preloads": [{"name": "all", "loads": loads}, {"name": "empty"}]})


@scenario
def tied_plates():
    tied = plates_session().project.bodies[0].joints[0].model_dump(mode="json") | {"treatment": "tied"}
    again, open_ = tied | {"name": "again"}, tied | {"name": "open"}
    nodes = [
        {"name": "hold", "node_set": "HOLD"},
        {"name": "on it", "node": 36},
        {"name": "sky", "node_set": "SKY"},
    ]
    model = plates_session().compute(Target("model", "plates"))
    slave = np.sort(model.node_set("HOLD_FACE"))
    ties = (
        Tie("lap", slave[:4], slave[4:], 0.25),
        Tie("again", slave[2:], slave[:1], 0.5),
        Tie("open", slave[:0], slave, 0.1, problem="Nothing is over the master.", hint="Look there."),
    )
    models = {"plates": replace(model, ties=ties)}
    return plates([], body={"joints": [tied, again, open_], "interfaces": nodes}, models=models)


def _pairs(paired: int, penetrating: int, reasons: tuple[int, ...]) -> ContactPairs:
    """Return some of the plates' pairs, as if others had been found for none."""
    found = plates_session().compute(Target("pairs", "plates", "lap"))
    rows = {
        name: getattr(found, name)[:paired]
        for name in (
            "slave_nodes",
            "facets",
            "master_nodes",
            "shape_values",
            "local_coordinates",
            "points",
            "normals",
            "tangents_1",
            "tangents_2",
            "weights",
        )
    }
    gaps = np.linspace(0.0, 0.02, max(paired, 1))[:paired]
    gaps[:penetrating] = -0.0123
    lost = np.arange(len(reasons))
    return replace(
        found,
        **rows,
        initial_gaps=gaps,
        unpaired_nodes=lost,
        unpaired_reasons=np.array(reasons, int),
        unpaired_weights=np.ones(len(reasons)),
        master_heights=None,
        slave_heights=None,
    )


for _paired, _penetrating, _reasons in [
    (0, 0, (0, 1, 1)),
    (0, 0, ()),
    (3, 0, (1, 0, 1)),
    (3, 1, (0, 0, 1, 1)),
    (4, 2, ()),
]:
    _scenarios[f"{_paired} pairs, {_penetrating} penetrate, {_reasons} are lost"] = (
        lambda found=(_paired, _penetrating, _reasons): plates([], pairs={("plates", "lap"): _pairs(*found)})
    )


@scenario
def plates_that_contact_alone_holds():
    """Each has no more than its elements; one has an interface node."""
    model = plates_session().compute(Target("model", "plates"))
    loose = replace(model, couplings=())
    lap = plates_session().project.bodies[0].joints[0].model_dump(mode="json")
    node = [{"name": "hold", "node": 1}]
    bodies = {
        "tied": {},
        "more": {"weak_ties": 1e-3},
        "none": {"weak_ties": 0.0},
        "apart": {"joints": []},
        "soft": {"joints": [lap | {"contact_law": {"kind": "linear_penalty", "stiffness": 100.0}}]},
        "softer": {
            "weak_ties": 1e-3,
            "joints": [lap | {"contact_law": {"kind": "linear_penalty", "stiffness": 20.0}}],
        },
    }
    words = [
        {"name": name, "model": {"path": "plates.inp"}, "interfaces": node, "joints": [lap], **own}
        for name, own in bodies.items()
    ]
    pairs = {(name, "lap"): plates_session().compute(Target("pairs", "plates", "lap")) for name in bodies}
    return CheckedProject(
        build(Project, {"bodies": words}), Path("nowhere"), dict.fromkeys(bodies, loose), pairs
    )


def _with(model: FeModel, **changes) -> FeModel:
    steel = replace(STEEL, **changes)
    return replace(model, materials={steel.name: steel})


def block(
    model: FeModel | None = None, analyses: list | None = None, units: str = "mm-t-s", **words
) -> CheckedProject:
    """Return a block of bricks with the given decisions."""
    body = {"name": "block", "model": {"path": "block.inp"}, **words}
    project = build(Project, {"units": units, "bodies": [body], "analyses": analyses or []})
    return CheckedProject(project, Path("nowhere"), {"block": model or BLOCK}, with_meshes=True)


for number, changes in enumerate(
    [
        {},
        {"density": 0.0},
        {"density": -1.0, "youngs_modulus": 0.0},
        {"poisson_ratio": 0.5},
        {"poisson_ratio": -1.0},
        {"poisson_ratio": 0.499},
        {"youngs_modulus": 2.1e11},
        {"youngs_modulus": 210.0},
        {"youngs_modulus": 2.1},
        {"density": 7850.0},
        {"density": 7.85e-6},
        {"density": 7.85e-8},
        {"density": 7.85e-12},
        {"youngs_modulus": 1.4e6, "density": 2.4e-8},
        {"youngs_modulus": 1.6e6},
        {"youngs_modulus": 0.11, "density": 1.1e-12},
        {"youngs_modulus": 0.09, "density": 1.1e-12},
        {"youngs_modulus": 0.11, "density": 0.9e-12},
        {"youngs_modulus": 1e6, "density": 3e-9},
        {"youngs_modulus": 1e6, "density": 5e-9},
        {"youngs_modulus": 100.0, "density": 1e-9},
    ]
):
    _scenarios[f"material {number} {changes}"] = lambda changes=changes: block(_with(BLOCK, **changes))


@scenario
def materials_that_are_missing_or_unused():
    choices = [
        {"kind": "library", "name": "steel"},
        {"kind": "library", "name": "aluminium", "element_set": "PART"},
    ]
    bare = replace(BLOCK, blocks=tuple(replace(each, material="") for each in BLOCK.blocks))
    other = replace(BLOCK, materials={})
    bodies = [
        {"name": name, "model": {"path": f"{name}.inp"}, "materials": choices}
        for name in ("bare", "other", "fine")
    ]
    project = build(Project, {"units": "m-kg-s", "bodies": bodies})
    return CheckedProject(project, Path("nowhere"), {"bare": bare, "other": other, "fine": BLOCK})


@scenario
def masses_that_were_expected():
    grams = 20.0 * 15.0 * 8.0 * STEEL.density
    shares = (1.0, 1.019, 1.021, 0.981, 0.975)
    bodies = [
        {"name": f"body {share}", "model": {"path": "block.inp"}, "expected_mass": grams / share}
        for share in shares
    ]
    project = build(Project, {"bodies": bodies})
    return CheckedProject(project, Path("nowhere"), {f"body {share}": BLOCK for share in shares})


@scenario
def lines_that_were_not_read():
    ties = [(3 * i, f"*TIE,  NAME=T{i}") for i in range(5)]
    rest = [(100 + i, f"{kind}  {i}") for i, kind in enumerate(["*STEP", "*STATIC,", "no card 7", "*STEP"])]
    kinds = [(200 + i, f"*CARD {chr(65 + i)}") for i in range(12)]
    names = {
        "few": ties[:1] + rest[:1],
        "three": ties[:3] + rest[:3],
        "many": ties + rest,
        "kinds": [*rest, *kinds],
        "none": [],
    }
    bodies = [{"name": name, "model": {"path": "block.inp"}} for name in names]
    models = {name: replace(BLOCK, unread=tuple(lines)) for name, lines in names.items()}
    return CheckedProject(build(Project, {"bodies": bodies}), Path("nowhere"), models)


@scenario
def contacts_in_runs():
    parts = [
        {"kind": "rigid", "name": name, "placement": {"position": (1.0, 2.0, 3.0)}}
        for name in ("ball", "cup")
    ]
    systems = [{"name": "other", "parts": parts}, {"name": "drop", "parts": parts}]
    names = ["drop", "from rest", "quiet", "on", "idle", "itself", "ground", "edge"]
    analyses = [{"kind": "motion", "name": name, "system": "drop"} for name in names]
    analyses[1]["from_equilibrium"] = True
    analyses[3]["start_from"] = "drop"
    hit = {
        "parts": ["ball", "cup"],
        "overlap": 0.0234,
        "overlapping_nodes": 3,
        "stored_at_start": 0.5,
        "way_out": [0.1, -0.5, 0.2],
        "most_closed": 3,
    }

    def report(stored, turned=2.0, **more):
        return {
            "contacts": {"hit": {**hit, "stored_at_start": stored, **more}},
            "energy_balance": {"turned over": turned},
        }

    reports = {
        "drop": report(0.5),
        "from rest": report(0.5),
        "quiet": report(0.02),
        "on": report(0.5, most_closed=0),
        "idle": report(0.5, 0.0),
        "itself": report(0.5, parts=["cup", "cup"], most_closed=0),
        "ground": report(0.5, parts=["ball", "ground"]),
        "edge": report(0.021, parts=["ground", "space"]),
    }
    project = build(Project, {"systems": systems, "analyses": analyses})
    return CheckedProject(project, Path("nowhere"), reports=reports)


def _laws(stiffnesses) -> CheckedProject:
    bodies = [
        {"name": name, "model": {"path": "b.inp"}, "contact_surfaces": [TOP]} for name in ("low", "high")
    ]
    parts = [{"kind": "flexible", "name": name, "body": name} for name in ("low", "high")]
    contacts = [
        {
            "name": f"k {k:.0e}",
            "master": "low.top",
            "slave": "high.top",
            "reach": 1.0,
            "contact_law": {"kind": "linear_penalty", "stiffness": k},
        }
        for k in stiffnesses
    ]
    project = build(
        Project, {"bodies": bodies, "systems": [{"name": "press", "parts": parts, "contacts": contacts}]}
    )
    return CheckedProject(project, Path("nowhere"), {"low": BLOCK, "high": FINE})


@scenario
def laws_beside_the_mesh():
    return _laws([1e1, 5e1, 1e2, 3e2, 1e3, 2e3, 3e3, 1e5, 1e6, 2e6, 3e6, 1e8])


@scenario
def too_many_contact_shapes():
    """Thrice the 130 nodes of a face are 390 shapes; those of a body count together."""
    names = {"few": 5, "many": 6}
    bodies = [
        {
            "name": name,
            "model": {"path": "b.inp"},
            "contact_surfaces": [
                {**TOP, "name": f"top {k}", "shapes": {"kind": "every_node", "directions": "all"}}
                for k in range(count)
            ],
        }
        for name, count in names.items()
    ]
    return CheckedProject(build(Project, {"bodies": bodies}), Path("nowhere"), dict.fromkeys(names, FINE))


@scenario
def files_of_others():
    def at(count):
        return [{"name": f"b{k}", "model": {"path": f"../x{k}.inp"}} for k in range(count)]

    return CheckedProject(build(Project, {"bodies": at(6)}), Path("nowhere"))


@scenario
def meshes_with_parts_that_are_loose():
    model = plates_session().compute(Target("model", "plates"))
    nodes = np.vstack([model.nodes, [[0.0, 0.0, 99.0]]])
    ids = np.append(model.node_ids, 9999)
    free = replace(model, nodes=nodes, node_ids=ids, couplings=())
    return plates([], models={"plates": free}, with_meshes=True)


@scenario
def systems_that_do_not_move():
    bar = {
        "kind": "rigid",
        "name": "bar",
        "mass": 1.0,
        "moments_of_inertia": (1e-3, 1 / 12, 1 / 12),
        "markers": [{"name": "left", "position": (-0.5, 0, 0)}, {"name": "right", "position": (0.5, 0, 0)}],
        "placement": {"position": (0.5, 0, 0)},
    }
    hinge = {"kind": "revolute", "name": "hinge", "first": "ground.pivot", "second": "bar.left"}
    ground = [{"name": "pivot"}, {"name": "far", "position": (1.0, 0, 0)}]
    late = {"kind": "expression", "formula": "sqrt(0.5 - t)"}
    common = {"ground": ground, "parts": [bar]}
    systems = [
        {"name": "still", **common, "constraints": [hinge]},
        {"name": "held", **common, "constraints": [{**hinge, "kind": "fixed"}], "gravity": (0, -9.81, 0)},
        {
            "name": "twice",
            **common,
            "gravity": (0, -9.81, 0),
            "constraints": [hinge, {**hinge, "name": "again", "second": "bar.left"}],
        },
        {
            "name": "four",
            **common,
            "gravity": (0, -9.81, 0),
            "constraints": [{**hinge, "name": f"hinge {k}"} for k in range(7)],
        },
        {"name": "hanging", **common, "gravity": (-9.81, 0, 0), "constraints": [hinge]},
        {"name": "swinging", **common, "gravity": (0, -9.81, 0), "constraints": [hinge]},
        {
            "name": "off",
            **common,
            "constraints": [hinge],
            "gravity": (0, -9.81, 0),
            "parts": [
                {
                    **bar,
                    "placement": {
                        "position": (0.9, 0.1, 0),
                        "rotation": (0, 0, 0.2),
                        "spin": (0, 0, 5.0),
                        "velocity": (1, 0, 0),
                    },
                }
            ],
        },
        {
            "name": "apart",
            **common,
            "constraints": [
                hinge,
                {**hinge, "name": "far", "kind": "spherical", "first": "ground.far", "second": "bar.left"},
            ],
        },
        {
            "name": "late",
            **common,
            "constraints": [hinge],
            "forces": [
                {
                    "kind": "point_force",
                    "name": "push",
                    "marker": "bar.right",
                    "force": (0, 1, 0),
                    "time_history": late,
                }
            ],
        },
        {"name": "empty"},
    ]
    from faying.errors import FayingError
    from faying.multibody.assembly import assemble

    project = build(Project, {"systems": systems, "units": "m-kg-s"})
    put = {}
    for system in project.systems:
        try:
            put[system.name] = assemble(system, {})
        except FayingError as error:
            put[system.name] = error
    return CheckedProject(project, Path("nowhere"), assembled=put)


@scenario
def an_empty_project():
    return CheckedProject(Project(), Path("nowhere"))


def _text_of(name: str) -> Callable[[], Iterator[str]]:
    return lambda: said(_scenarios[name](), name in _IN_FULL)


@pytest.mark.parametrize("name", _scenarios)
def test_checks_say_what_they_said(name):
    assert_as_recorded(_text_of(name)(), recorded(RECORD)[name])


def test_nothing_else_is_recorded():
    assert list(recorded(RECORD)) == list(_scenarios)


if __name__ == "__main__":
    record(RECORD, {name: _text_of(name) for name in _scenarios})
