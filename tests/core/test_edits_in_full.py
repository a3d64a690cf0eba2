"""All that edits do to one project with something of everything, line by line, and what its decisions are called.

A regression: `edits_in_full.txt` holds what came of it when it was last looked through, and
``PYTHONPATH=tests python tests/core/test_edits_in_full.py`` writes it anew.
"""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from faying.errors import FayingError
from faying.params import build
from faying.project import edits
from faying.project.decisions import bounds_of, decision_name, decision_of, decisions_of
from faying.project.paths import path_text
from faying.project.serialization import project_to_dict
from faying.project.specs import Project
from faying.project.study import study_text
from faying.project.study_comments import commented
from support.recorded import assert_as_recorded, record, recorded

RECORD = Path(__file__).with_name("edits_in_full.txt")
TOP, LOW = {"kind": "deck_set", "name": "TOP"}, {"kind": "deck_surface", "name": "LOW"}
UP = {"interface": "tip", "force": (0.0, 0.0, 1.0)}
BODY = {
    "model": {"path": "block.inp"},
    "interfaces": [
        {"name": "hold", "node_set": "floor"},
        {"name": "tip", "node": 7},
        {"name": "foot", "node_set": "foot"},
    ],
    "couplings": [{"name": "foot", "surface": TOP}],
    "supports": [{"name": "floor", "surface": LOW}],
    "bolts": [{"name": "M8", "shank": TOP}],
    "materials": [{"kind": "library", "name": "steel"}],
    "joints": [
        {
            "name": "lap",
            "master": TOP,
            "slave": LOW,
            "contact_law": {"kind": "linear_penalty", "stiffness": "5 GPa/mm"},
            "friction_law": {"kind": "coulomb", "friction_coefficient": 0.2},
            "search": {"distance": "0.5 mm"},
        },
        {"name": "seam", "master": LOW, "slave": TOP, "treatment": "tied"},
    ],
    "contact_surfaces": [{"name": "top", "surface": TOP}, {"name": "low", "surface": LOW}],
    "preloads": [
        {
            "name": "bolts",
            "loads": [
                {"kind": "bolt_force", "bolt": "M8", "force": 9.0},
                {"kind": "interference", "joint": "lap", "amount": 0.01},
            ],
        },
        {"name": "pulled", "loads": [{"kind": "node_force", "interface": "tip", "force": (0, 0, 1)}]},
    ],
    "loads": [{"kind": "gravity", "name": "weight", "acceleration": (0, 0, -9810)}],
    "probes": [{"number": 3, "place": "node", "field": "displacement_z"}],
}
MARKERS = [{"name": "pin", "position": (1.0, 0, 0)}, {"name": "end"}]
RICH = {
    "name": "all",
    "bodies": [{"name": "block", **BODY}, {"name": "other", **BODY}],
    "systems": [
        {
            "name": "press",
            "parts": [
                {
                    "kind": "flexible",
                    "name": "one",
                    "body": "block",
                    "body_loads": [{"load": "weight"}],
                    "markers": [{"name": "seat", "interface": "tip"}],
                },
                {"kind": "flexible", "name": "two", "body": "other"},
                {
                    "kind": "rigid",
                    "name": "crank",
                    "markers": MARKERS,
                    "contact_surfaces": [{"kind": "sphere", "name": "skin", "radius": 4.0}],
                },
            ],
            "ground": [{"name": "wall"}, {"name": "rail"}],
            "ground_surfaces": [{"kind": "plane", "name": "floor"}],
            "constraints": [
                {"kind": "revolute", "name": "hinge", "first": "ground.wall", "second": "crank.pin"},
                {"kind": "spherical", "name": "ball", "first": "one.tip", "second": "crank.end"},
                {"kind": "universal", "name": "cross", "first": "one.tip", "second": "two.hold"},
                {"kind": "fixed", "name": "seated", "first": "one.seat", "second": "ground.wall"},
                {"kind": "cylindrical", "name": "guide", "first": "crank.frame", "second": "ground.rail"},
            ],
            "forces": [
                {"kind": "spring_damper", "name": "spring", "first": "crank.end", "second": "ground.wall"}
            ],
            "contacts": [
                {"name": "hit", "master": "crank.skin", "slave": "one.top"},
                {"name": "slide", "master": "ground.floor", "slave": "two.low"},
            ],
        },
        {
            "name": "bench",
            "parts": [{"kind": "flexible", "name": "one", "body": "block"}],
            "ground": [{"name": "wall"}],
            "constraints": [{"kind": "fixed", "name": "held", "first": "ground.wall", "second": "one.hold"}],
        },
    ],
    "analyses": [
        {
            "kind": "static",
            "name": "press",
            "body": "block",
            "support": "hold",
            "loads": [UP],
            "preloads": ["bolts"],
            "body_loads": [{"load": "weight"}],
            "displacements": [{"interface": "tip", "ux": 0.1}],
        },
        {
            "kind": "static",
            "name": "same",
            "body": "other",
            "support": "hold",
            "loads": [UP],
            "preloads": ["bolts", "pulled"],
        },
        {
            "kind": "steps",
            "name": "row",
            "body": "block",
            "support": "hold",
            "steps": [{"kind": "tighten", "bolt": "M8", "force": 1.0}, {"kind": "load", "loads": [UP]}],
        },
        {"kind": "motion", "name": "run", "system": "press", "duration": 0.1},
        {"kind": "motion", "name": "on", "system": "press", "start_from": "run"},
        {
            "kind": "system_frequency_response",
            "name": "shaken",
            "system": "press",
            "loads": [{"marker": "crank.pin", "force": (0, 0, 1)}, {"marker": "one.tip", "force": (0, 0, 1)}],
        },
        {
            "kind": "system_frequency_response",
            "name": "tapped",
            "system": "bench",
            "loads": [{"marker": "one.tip", "force": (0, 0, 1)}],
        },
        {"kind": "envelope", "name": "worst", "body": "block", "cases": ["press"]},
        {
            "kind": "combination",
            "name": "sum",
            "body": "block",
            "combinations": [{"name": "a", "cases": [{"analysis": "press", "factor": 2.0}]}],
        },
        {
            "kind": "sweep",
            "name": "more",
            "analysis": "press",
            "responses": [{"quantity": "tip uz"}],
            "variations": [
                {"decision": "bodies.block.joints.lap.contact_law.stiffness", "values": [1.0, 2.0]},
                {"decision": "analyses.press.loads.tip.force.z", "values": [3.0, 4.0]},
            ],
        },
    ],
}
LAP, SYSTEM = ("bodies", 0, "joints", 0), ("systems", 0)


@cache
def rich() -> Project:
    return build(Project, edits.PlainDict(RICH))


E, _MOST = edits, 40  # lines of a change
MADE = {"rotation": (0.0, 0.1, 0.0), "position": (1.0, 2.0, 3.0)}
EDITS: dict[str, list] = {
    "set values": [
        E.set_value(("name",), "other"),
        E.set_value((*LAP, "search", "distance"), "2 um"),
        E.set_value((*LAP, "search", "distance"), "2 kg"),
        E.set_value((*LAP, "friction_law"), None),
        E.set_value(("analyses", 0, "loads", 0, "force", 2), 3.0),
        E.set_value(("analyses", 0, "loads", 0, "force"), ("1 kN", 0, 0)),
        E.set_value(("bodies", 0, "gloss"), 1),
        E.set_value(("bodies", 7, "name"), "x"),
        E.set_value((), 1),
        E.set_value((*LAP, "contact_law"), {"kind": "exponential"}),
        E.set_value((*LAP, "search", "distance"), -1.0),
        E.set_values(LAP, {"name": "new", "treatment": "tied"}),
        E.replace_project({"name": "empty"}),
        E.replace_project(Project()),
    ],
    "add to bodies": [
        E.add_body(
            {"name": "third", "model": {"path": "x.inp"}}, [{"kind": "static", "name": "s", "body": "third"}]
        ),
        E.add_body({"name": "third", "expected_mass": "1 kg"}),
        E.add_interface("other", {"name": "new", "node": 1}),
        E.add_interface("none", {"name": "new", "node": 1}),
        E.add_coupling("other", {"name": "c", "surface": TOP}),
        E.add_coupling("block", {"name": "c", "surface": TOP}, "node"),
        E.add_bolt("other", {"name": "M9", "shank": LOW}),
        E.add_bolt("other", {"name": "M9", "shank": LOW}, "bolts"),
        E.add_bolt("block", {"name": "M9", "shank": LOW}, "bolts", 3.0),
        E.add_bolt("block", {"name": "M9", "shank": LOW}, "pulled"),
        E.add_bolt("block", {"name": "M9", "shank": LOW}, "new", 4.0),
        E.add_bolt("block", {"name": "M9", "shank": LOW}, "new"),
        E.add_material("other", {"kind": "library", "name": "aluminium"}),
        E.add_load("other", {"kind": "gravity", "name": "g"}),
        E.add_joint("other", {"name": "j", "master": TOP, "slave": LOW}),
        E.add_joints("block", [{"name": name, "master": TOP, "slave": LOW} for name in "ab"]),
        E.add_contact_surface("other", {"name": "side", "surface": TOP}),
    ],
    "add to systems": [
        E.add_system({"name": "s"}),
        E.add_part("bench", {"kind": "rigid", "name": "p", "mass": "2 kg"}),
        E.add_part("none", {"kind": "rigid", "name": "p"}),
        E.add_marker("press", "ground", {"name": "m", "position": ("1 cm", 0, 0)}),
        E.add_marker("press", "crank", {"name": "m"}),
        E.add_marker("press", "cranc", {"name": "m"}),
        E.add_rigid_surface("bench", "ground", {"kind": "plane", "name": "p"}),
        E.add_rigid_surface("press", "crank", {"kind": "plane", "name": "p"}),
        E.add_rigid_surface("press", "two", {"kind": "plane", "name": "p"}),
        E.add_rigid_surface("press", "twu", {"kind": "plane", "name": "p"}),
        E.add_contact(
            "press",
            {"name": "c", "master": "one.side", "slave": "two.low"},
            [("block", {"name": "side", "surface": TOP})],
        ),
        E.add_constraint(
            "bench", {"kind": "fixed", "name": "f", "first": "ground.wall", "second": "one.tip"}
        ),
        E.add_force("bench", {"kind": "point_force", "name": "f", "marker": "one.tip"}),
        E.add_analysis({"kind": "static", "name": "a", "body": "block"}),
    ],
    "axes": [
        E.set_axes("press", name, dict.fromkeys(("first", "second"), MADE))
        for name in ("hinge", "ball", "cross", "seated", "guide", "none")
    ],
    "remove": [
        E.remove(path)
        for path in (
            (),
            ("bodies", 0),
            ("bodies", 1),
            ("systems", 0),
            ("systems", 1),
            LAP,
            (*LAP, "friction_law"),
            ("analyses", 3),
            (*SYSTEM, "parts", 0),
            ("bodies", 0, "interfaces", 1),
            ("bodies", 9),
        )
    ],
    "rename": [
        E.rename(path, "new")
        for path in (
            (),
            ("bodies", 0),
            ("bodies", 1),
            LAP,
            ("bodies", 0, "interfaces", 1),
            ("bodies", 1, "interfaces", 0),
            ("bodies", 0, "couplings", 0),
            ("bodies", 0, "supports", 0),
            ("bodies", 0, "bolts", 0),
            ("bodies", 0, "preloads", 0),
            ("bodies", 1, "preloads", 1),
            ("bodies", 0, "loads", 0),
            ("bodies", 0, "contact_surfaces", 0),
            ("bodies", 1, "contact_surfaces", 1),
            ("systems", 0),
            ("systems", 1),
            (*SYSTEM, "parts", 0),
            (*SYSTEM, "parts", 2),
            (*SYSTEM, "parts", 2, "markers", 0),
            (*SYSTEM, "parts", 2, "contact_surfaces", 0),
            (*SYSTEM, "parts", 0, "markers", 0),
            (*SYSTEM, "ground", 0),
            (*SYSTEM, "ground_surfaces", 0),
            (*SYSTEM, "constraints", 0),
            (*SYSTEM, "forces", 0),
            ("systems", 1, "ground", 0),
            ("analyses", 0),
            ("analyses", 3),
            LAP[:3],
            ("bodies", 0, "materials", 0),
            (*LAP, "search"),
        )
    ],
    "other kinds": [
        E.replace_member(path, kind)
        for path, kind in (
            ((*LAP, "contact_law"), "exponential"),
            ((*LAP, "contact_law"), "linear_penalty"),
            ((*LAP, "friction_law"), None),
            ((*LAP, "friction_law"), "regularized_coulomb"),
            (("bodies", 1, "joints", 1, "friction_law"), "coulomb"),
            (("bodies", 0, "reduction"), "guyan"),
            (("analyses", 0), "transient"),
            (("analyses", 0), "static"),
            (("analyses", 3), "quasi_static"),
            ((*SYSTEM, "constraints", 0), "spherical"),
            ((*SYSTEM, "forces", 0), "bushing"),
            (("bodies", 0, "joints", 0, "master"), "union"),
            (LAP, "static"),
            ((*LAP, "contact_law"), "stony"),
            (("bodies", 0, "materials", 0), "isotropic"),
        )
    ],
    "move and copy": [
        *(
            E.move(path, to)
            for path, to in (
                (("bodies", 0), 1),
                (("analyses", 0), 9),
                (("analyses", 2), -3),
                (("analyses", 1), 3),
                (LAP, 1),
                (("bodies", 5), 0),
                ((), 0),
                ((*LAP, "name"), 1),
            )
        ),
        *(
            E.duplicate(path, "copy")
            for path in (("bodies", 0), LAP, ("analyses", 2), (*SYSTEM, "parts", 2), ("bodies",), ())
        ),
        E.swap_surfaces(LAP),
    ],
}


def _done(edit) -> Iterator[str]:
    """Yield the edit as a script has it, and what it changes of a study's text."""
    yield f"{edit.name} {' '.join(map(str, edit.arguments.values()))}"
    try:
        after = edit(rich())
    except FayingError as error:
        yield f"  refused: {error.message} {error.hint}"
        return
    old, new = (dict(_leaves(project_to_dict(project), "")) for project in (rich(), after))
    told = [
        f"  {name}: {old.get(name)} → {new.get(name)}"
        for name in {**old, **new}
        if old.get(name) != new.get(name)
    ]
    yield from told[:_MOST]
    if len(told) > _MOST:
        yield f"  and {len(told) - _MOST} more"


def _leaves(words, place: str) -> Iterator[tuple[str, str]]:
    """Yield the place and the value of all that a study says."""
    inner = (
        words.items() if isinstance(words, dict) else enumerate(words) if isinstance(words, list) else None
    )
    if inner is None:
        yield place, repr(words)
    else:
        for name, value in inner:
            yield from _leaves(value, f"{place}.{name}".lstrip("."))


def _study() -> Iterator[str]:
    here = Path.cwd()
    text = commented(study_text(rich(), here, here), rich())
    yield from (line for line in text.splitlines() if not line.startswith("schema_version"))


def _decisions() -> Iterator[str]:
    found = decisions_of(rich())
    for name, each in found.items():
        bounds = bounds_of(rich(), each)
        kind = f"{'number' if each.is_number else ''}{' whole' if each.is_whole else ''}"
        yield f"{name} = {each.value!r} [{each.quantity}] {each.title}: {bounds} {kind}"
    for name, each in list(found.items())[::40]:
        assert decision_of(rich(), name) == decision_of(rich(), path_text(each.path)) == each
        assert decision_name(rich(), each.path) == name
    yield f"another path: {decision_name(rich(), ('bodies', 9))}."


def _unused() -> Iterator[str]:
    for path, wish in ((("bodies",), "block"), (("bodies",), "new"), ((*SYSTEM, "ground"), "wall")):
        yield edits.unused_name(rich(), path, wish)
    twice = edits.add_system({"name": "bench 2"})(rich())
    yield edits.unused_name(twice, ("systems",), "bench")


TEXTS: dict[str, Callable[[], Iterator[str]]] = {
    "the study": _study,
    "decisions": _decisions,
    "names": _unused,
    **{
        name: (lambda many=many: (line for one in many for line in _done(one)))
        for name, many in EDITS.items()
    },
}


@pytest.mark.parametrize("name", TEXTS)
def test_edits_do_what_they_did(name):
    assert_as_recorded(TEXTS[name](), recorded(RECORD)[name], 1e-9)


def test_nothing_else_is_recorded():
    assert list(recorded(RECORD)) == list(TEXTS)


if __name__ == "__main__":
    record(RECORD, TEXTS)
