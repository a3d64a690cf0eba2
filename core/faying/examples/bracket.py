"""An aluminium bracket on a steel plate under weight and temperature: tied first, as a weld would, then in contact.

The deck is made when it is asked for. Tied, bracket and plate bend each other as they grow. In contact the bracket
slides as it grows and stands on its foot under its own weight and what it carries; friction, which next to such a
growth hardly counts, is left out, and a soft guide at its top keeps it from sliding away. The plate lies on a soft bed.
Both ways are compared with the unreduced model, and what the joint carries with the weight behind it.
"""

from contextlib import closing
from functools import cache
from typing import Any, ClassVar

import numpy as np

from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples.contact_decks import ALUMINIUM, STEEL, Bricks, deck_text, joined, lattice, stored_deck
from faying.examples.projects import equals_unreduced
from faying.params import build
from faying.project.deck import with_digests
from faying.project.home import home
from faying.project.specs import Project
from faying.results.results import Results

WARMER, LOAD, GRAVITY = 60.0, 200.0, 9810.0  # K, N, mm/s²
GROWTH = {"steel": 12e-6, "aluminium": 23e-6}
PLATE, FOOT, WEB = (80.0, 60.0, 8.0), (50.0, 40.0, 6.0), (6.0, 40.0, 44.0)  # mm
MASS = 2.7e-9 * (np.prod(FOOT) + np.prod(WEB))  # t, of the bracket
_FREE_GROWTH = (GROWTH["aluminium"] - GROWTH["steel"]) * WARMER
_WAYS = ("contact", "tied")


@examples.register("bracket")
class Bracket(Example):
    """A joint of a bracket by both treatments, reduced and not."""

    title: ClassVar[str] = "Bracket on a plate"
    group: ClassVar[str] = "Joints with contact and friction"
    summary: ClassVar[str] = (
        "A bracket under weight and temperature: tied for a first answer, then in contact."
    )
    takes_long: ClassVar[bool] = True  # for a test: seven seconds
    picture: ClassVar[tuple[str, str]] = ("contact", "von_mises")
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected(
            "tie_force_over_weight", "", 1.0, "analytical", 1e-4, "the tie carries the weight and the load (statics)"
        ),
        Expected(
            "contact_force_over_weight", "", 1.0, "analytical", 1e-3, "so does the contact, but for the weak ties"
        ),
        Expected(
            "slip_over_free_growth", "", 1.0, "analytical", 0.03,
            "the foot slides along the plate by (α₁ − α₂) ΔT x, but for its own bending",
        ),
        equals_unreduced("tied_tip_over_unreduced", 1e-3),
        equals_unreduced("tied_moment_over_unreduced", 1e-3),
        equals_unreduced("contact_tip_over_unreduced", 1e-3),
        equals_unreduced("gaps_over_unreduced", 0.03),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; a quick run is the whole one."""
        bodies = [_body(way) for way in _WAYS]
        acting = {
            "support": "supports", "loads": [{"interface": "top", "force": [0.0, 0.0, -LOAD]}],
            "body_loads": [{"load": "weight"}, {"load": "warm"}],
        }  # fmt: skip
        analyses = [
            {"kind": kind, "name": name, "body": f"{way} bracket", **acting}
            for way in _WAYS
            for kind, name in (("static", way), ("unreduced_static", f"{way} unreduced"))
        ]
        words = {
            "name": self.title,
            "note": "Tied for a first, linear answer; then contact under the same weight and temperature.",
            "units": "mm-t-s",
            "bodies": bodies,
            "analyses": analyses,
        }
        project: Project = build(Project, words)
        return with_digests(project, home())

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with the joint in contact tied, without what it grows by, and without the weight."""
        first, second = project.bodies
        return {
            "contact": project.with_(bodies=(first.with_(joints_tied=True), second)),
            "temperature": _with_load(project, "warm", change=1e-6 * WARMER),
            "weight": _with_load(project, "weight", acceleration=(0.0, 0.0, -1e-6 * GRAVITY)),
        }

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return what the joint carries, how it slides, and both models beside each other."""
        weight, found = float(LOAD + MASS * GRAVITY), dict[str, float]()
        for way in _WAYS:
            with closing(run.results(way)) as one, closing(run.results(f"{way} unreduced")) as full:
                found[f"{way}_tip_over_unreduced"] = _last(one, "top uz") / _last(full, "top uz")
                if "foot force z" in one.curve_names:
                    if way == "tied":
                        found["tie_force_over_weight"] = _last(one, "foot force z") / weight
                        both = [_last(results, "foot moment y") for results in (one, full)]
                        found["tied_moment_over_unreduced"] = float(both[0] / both[1])
                    continue
                found["contact_force_over_weight"] = _last(one, "foot normal force") / weight
                both = [_last(results, "foot gap norm") for results in (one, full)]
                found["gaps_over_unreduced"] = both[0] / both[1]
                known = full.gap_and_slip("foot", full.n_frames - 1)
                assert known is not None
                pairs = run.value("pairs", "foot", body="contact bracket")
                tangents = np.stack([pairs.tangents_1, pairs.tangents_2], axis=1)
                along = np.einsum("nt,nt->n", known[1], tangents[:, :, 0])
                nodes, shares = pairs.slave_shares
                x = (shares * run.value("model", body="contact bracket").nodes[nodes, 0]).sum(axis=1)
                growing = np.polyfit(x, along, 1)[0]
                found["slip_over_free_growth"] = float(growing / _FREE_GROWTH)
        return {each.name: found.get(each.name, np.nan) for each in self.expected}


def _last(results: Results, curve: str) -> float:
    return float(results.curve(curve)[-1])


def _body(way: str) -> dict[str, Any]:
    surface = {"kind": "deck_surface"}
    joint = {
        "name": "foot", "master": {**surface, "name": "SEAT"}, "slave": {**surface, "name": "FOOT"},
        "treatment": way, "search": {"pairs_at": "integration_points"},
        "contact_law": {"kind": "linear_penalty", "stiffness": 20_000.0},
    }  # fmt: skip
    materials = [
        {"kind": "isotropic", "element_set": name, "name": metal, "youngs_modulus": stuff.youngs_modulus,
         "poisson_ratio": stuff.poisson_ratio, "density": stuff.density, "expansion": GROWTH[metal]}
        for name, metal, stuff in (("PLATE", "steel", STEEL), ("BRACKET", "aluminium", ALUMINIUM))
    ]  # fmt: skip
    return {
        "name": f"{way} bracket",
        "model": {"path": _deck()},
        "materials": materials,
        "couplings": [{"name": "top", "behaviour": "distributing", "surface": {**surface, "name": "TOP"}}],
        "interfaces": [{"name": "top", "node_set": "top"}],
        "supports": [
            {
                "name": "bed",
                "behaviour": "elastic",
                "surface": {**surface, "name": "MOUNTING"},
                "normal_stiffness": 20.0,
                "tangential_stiffness": 1.0,
            },
            {
                "name": "guide",
                "behaviour": "elastic",
                "surface": {**surface, "name": "TOP"},
                "tangential_stiffness": 0.1,
            },
        ],
        "joints": [joint],
        "loads": [
            {"kind": "gravity", "name": "weight", "acceleration": [0.0, 0.0, -GRAVITY]},
            {"kind": "temperature", "name": "warm", "change": WARMER},
        ],
        "reduction": {"kind": "craig_bampton", "vibration_modes": 4},
    }


def _with_load(project: Project, name: str, **changes: Any) -> Project:
    def changed(load: Any) -> Any:
        return load.with_(**changes) if load.name == name else load

    bodies = tuple(body.with_(loads=tuple(changed(load) for load in body.loads)) for body in project.bodies)
    return project.with_(bodies=bodies)


@cache
def _deck() -> str:
    """Return the path of the deck: the bracket in the middle of the plate, its web over the inner part of the foot."""
    plate = _block((12, 9, 2), PLATE, (-0.5 * PLATE[0], -0.5 * PLATE[1], -PLATE[2]))
    x, y = -0.5 * FOOT[0], -0.5 * FOOT[1]
    # One lattice for foot and web: a column of the foot is as wide as the web is thick.
    at = np.array([0.0, 8.0, 16.0, 22.0, 29.0, 36.0, 43.0, 50.0]) + x
    foot = lattice((len(at) - 1, 7, 1))
    foot = Bricks(_placed(foot.nodes, at, np.linspace(y, -y, 8), np.array([0.0, FOOT[2]])), foot.cells)
    web = lattice((1, 7, 7))
    web = Bricks(
        _placed(web.nodes, at[2:4], np.linspace(y, -y, 8), np.linspace(FOOT[2], FOOT[2] + WEB[2], 8)),
        web.cells,
    )
    bracket = joined([foot, web])
    z, w = plate.nodes[:, 2], bracket.nodes[:, 2]
    surfaces = {
        "SEAT": ("PLATE", z == 0.0), "MOUNTING": ("PLATE", z == -PLATE[2]), "FOOT": ("BRACKET", w == 0.0),
        "TOP": ("BRACKET", w == FOOT[2] + WEB[2]),
    }  # fmt: skip
    parts = [("PLATE", plate, STEEL), ("BRACKET", bracket, ALUMINIUM)]
    return str(stored_deck("bracket", deck_text("a bracket on a plate", parts, surfaces)))


def _block(
    counts: tuple[int, int, int], size: tuple[float, float, float], corner: tuple[float, float, float]
) -> Bricks:
    bricks = lattice(counts)
    return Bricks(bricks.nodes / np.array(counts) * np.array(size) + np.array(corner), bricks.cells)


def _placed(nodes: np.ndarray, *lines: np.ndarray) -> np.ndarray:
    """Return whole numbers (n, 3) as places on lines along each axis."""
    return np.column_stack([line[nodes[:, k].astype(int)] for k, line in enumerate(lines)])
