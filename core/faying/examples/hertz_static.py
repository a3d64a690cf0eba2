"""A rigid ball pressed on an elastic half space: on the unreduced model, and by contact between parts with shapes.

Reference: Hertz (1882), in the form of Johnson (1985), section 4.2. Everything is a quarter, held on its planes of
symmetry; the half space ends 130 contact radii away. The unreduced model is driven to three depths. By contact shapes
the ball rests under the three forces that Hertz has for these depths: each is the equilibrium of a system.
"""

from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples.contact_decks import STEEL, Bricks, deck_text, half_space, lattice, stored_deck
from faying.examples.projects import no_error
from faying.examples.switched_off import with_soft_contact, with_soft_part_contact
from faying.examples.tables import Table
from faying.fem.model import Material
from faying.fem.readers import read_model
from faying.fem.supports import GROUND, SupportSpec, with_supports
from faying.params import build
from faying.project.deck import with_digests
from faying.project.home import home
from faying.project.specs import BodySpec, Project

RADIUS, DEPTH = 100.0, 6e-3  # mm: of the ball, and how deep it is pressed at most
OUTSIDE = 100.0  # mm, radius of the half space
SPOT, CELLS = 0.91, 7  # half edge of its fine cube in mm, and bricks along that
STIFFNESS = 2.5e7  # N/mm³: in the middle the law gives way by 0.7 % of the depth
SKIN, HARD = (
    0.005,
    Material("HARD", 1e6, 0.1, 15e-9),
)  # the unreduced ball is rigid but for a skin, thickness in mm
MODULUS = STEEL.youngs_modulus / (1.0 - STEEL.poisson_ratio**2)  # of a rigid ball on steel
DEPTHS = (DEPTH / 3.0, 2.0 * DEPTH / 3.0, DEPTH)
_HERTZ = "Hertz 1882; Johnson 1985, section 4.2"
_UNREDUCED, _SHAPES = "unreduced", "shapes"
_QUARTER = 4.0
_NUMBERS = (
    ("force_over_hertz", 1.0, 0.02, "4/3 E* √R d^1.5 at the largest depth"),
    ("exponent", 1.5, 0.02, "of the force over the depth, from two thirds of the largest one on"),
    ("contact_radius_over_hertz", 1.0, 0.01, "√(R d), from the ellipse that the pressures are"),
    ("pressure_error", 0.0, 0.02, "p₀ √(1 − r²/a²) within 0.8 a, as a share of p₀"),
)  # fmt: skip
_SUPPORTS = (
    {"name": "plane x", "surface": {"kind": "deck_surface", "name": "PLANE_X"}, "behaviour": "symmetry"},
    {"name": "plane y", "surface": {"kind": "deck_surface", "name": "PLANE_Y"}, "behaviour": "symmetry"},
    {"name": "far away", "surface": {"kind": "deck_surface", "name": "FAR"}, "behaviour": "fixed"},
)  # fmt: skip


def hertz_force(depth: float, modulus: float, radius: float) -> float:
    """Return the force 4/3 E* √R d^1.5 of a depth; zero of surfaces apart."""
    return float(4.0 / 3.0 * modulus * np.sqrt(radius) * max(depth, 0.0) ** 1.5)


@examples.register("hertz-static")
class HertzStatic(Example):
    """Force over depth, contact radius and pressure over radius, unreduced and with a contact shape at each node."""

    title: ClassVar[str] = "Ball on half space"
    group: ClassVar[str] = "Joints with contact and friction"
    summary: ClassVar[str] = (
        "A ball pressed on a half space: force, radius and pressure of the unreduced model and of contact shapes."
    )
    takes_long: ClassVar[bool] = True  # the unreduced model
    expected: ClassVar[tuple[Expected, ...]] = (
        *(
            Expected(f"{name}_{way}", "", reference, "analytical", tolerance, f"{_HERTZ}: {source}")
            for way in (_UNREDUCED, _SHAPES)
            for name, reference, tolerance, source in _NUMBERS
        ),
        no_error(
            "force_error_of_shapes",
            0.002,
            "shapes of all nodes span the statics under all pressures; the skin gives way by 0.1 %",
        ),
    )

    def build(self, quick: bool = False) -> Project:
        """Return the project; a quick run is the whole one."""
        law = {"kind": "linear_penalty", "stiffness": STIFFNESS}
        made = _decks()
        bodies = [
            {
                "name": "half space", "model": {"path": made.alone}, "supports": _SUPPORTS,
                "reduction": {"kind": "craig_bampton", "vibration_modes": 1},
                "contact_surfaces": [
                    {"name": "spot", "surface": _surface("SPOT"), "shapes": {"kind": "every_node"}}
                ],
            },
            {
                "name": "half space and ball", "model": {"path": made.both}, "supports": _SUPPORTS,
                "interfaces": [{"name": "ball", "node_set": "BALL"}],
                "reduction": {"kind": "craig_bampton", "vibration_modes": 0},
                "joint_modes": {"kind": "weighted_pod", "count": 0},
                "joints": [{
                    "name": "touch", "master": _surface("CAP"), "slave": _surface("SPOT"), "contact_law": law,
                    "search": {"distance": 0.1},
                }],
            },
        ]  # fmt: skip
        down = {"interface": "ball", "ux": 0.0, "uy": 0.0, "uz": -DEPTH, "rx": 0.0, "ry": 0.0, "rz": 0.0}
        driven = {
            "kind": "unreduced_static", "name": _UNREDUCED, "body": "half space and ball", "support": "supports",
            "displacements": [down], "load_steps": len(DEPTHS),
        }  # fmt: skip
        # At rest, and for a moment more: what is stored of a run begins with its start.
        resting = [
            {
                "kind": "motion", "name": _by_shapes(depth), "system": _by_shapes(depth), "from_equilibrium": True,
                "duration": 1e-6, "frames": 1,
            }
            for depth in DEPTHS
        ]  # fmt: skip
        words = {
            "name": self.title,
            "note": "Hertz' contact by statics of the unreduced model, and of contact shapes.",
            "units": "mm-t-s",
            "bodies": bodies,
            "systems": [_system(depth, made.middle, law) for depth in DEPTHS],
            "analyses": [driven, *resting],
        }
        project: Project = build(Project, words)
        return with_digests(project, home())

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with contact a hundred times softer, and with stuff a thousand times stiffer."""
        return {
            "contact": with_soft_part_contact(with_soft_contact(project, 0.01), 0.01),
            "flexibility": project.with_(bodies=tuple(_stiff(body) for body in project.bodies)),
        }

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return the quantities of both ways, and how far they differ in force."""
        unreduced, shapes = _unreduced(run), _shapes(run)
        ways = {_UNREDUCED: unreduced, _SHAPES: shapes}
        values = {f"{name}_{way}": x for way, press in ways.items() for name, x in press.numbers().items()}
        return values | {"force_error_of_shapes": abs(shapes.over_hertz() / unreduced.over_hertz() - 1.0)}

    def tables(self, run: ExampleRun) -> dict[str, Table]:
        """Return forces over depth, and pressures over radius."""
        ways = {_UNREDUCED: _unreduced(run), _SHAPES: _shapes(run)}
        forces, pressures = [], []
        for way, press in ways.items():
            for depth, force in zip(press.depths.tolist(), press.forces.tolist(), strict=True):
                hertz = hertz_force(depth, MODULUS, RADIUS)
                forces.append((way, round(1e3 * depth, 3), round(force, 1), round(hertz, 1)))
            exact = press.hertz_pressure()
            along = np.flatnonzero(press.places[:, 1] < 1e-9)
            for i in along[np.argsort(press.radii[along])].tolist():
                found = float(press.pressures[i])
                pressures.append((way, round(float(press.radii[i]), 3), round(found), round(float(exact[i]))))
        return {
            "force": Table(("way", "depth, µm", "force, N", "Hertz, N"), tuple(forces)),
            "pressure": Table(("way", "radius, mm", "pressure, N/mm²", "Hertz, N/mm²"), tuple(pressures)),
        }


@dataclass(frozen=True)
class _Decks:
    """Paths of the decks of half space and ball and of the half space alone, and the place of the supports' node."""

    both: str
    alone: str
    middle: tuple[float, float, float]


@cache
def _decks() -> _Decks:
    bed = half_space(OUTSIDE, CELLS, SPOT, 1.4)
    x, y, z = bed.nodes.T
    away = np.linalg.norm(bed.nodes, axis=1)
    surfaces = {
        "PLANE_X": ("BED", x < 1e-9), "PLANE_Y": ("BED", y < 1e-9), "FAR": ("BED", away > OUTSIDE - 1e-6),
        "SPOT": ("BED", (z > -1e-9) & (np.maximum(x, y) < SPOT + 1e-9)),
    }  # fmt: skip
    # The ball's end: a skin under a rigid body, whose lower nodes lie on the sphere, over those of the half space.
    brick = lattice((CELLS, CELLS, 1))
    at = brick.nodes * (SPOT / CELLS, SPOT / CELLS, SKIN)
    raised = RADIUS - np.sqrt(RADIUS**2 - (at[:, :2] ** 2).sum(axis=1))
    below = at[:, 2] == 0.0
    cap = Bricks(np.column_stack([at[:, :2], at[:, 2] + raised]), brick.cells)
    both = deck_text(
        "a rigid ball's end over a quarter of a half space", [("BED", bed, STEEL), ("CAP", cap, HARD)],
        {**surfaces, "CAP": ("CAP", below)}, {"BALL": ("CAP", ~below, (0.0, 0.0, SKIN))},
    )  # fmt: skip
    alone = deck_text("a quarter of a half space", [("BED", bed, STEEL)], surfaces)
    paths = stored_deck("ball-on-half-space", both), stored_deck("half-space", alone)
    held = with_supports(read_model(paths[1]), [build(SupportSpec, words) for words in _SUPPORTS])
    x, y, z = held.nodes[held.node_sets[GROUND][0]].tolist()
    return _Decks(str(paths[0]), str(paths[1]), (x, y, z))


@dataclass(frozen=True, eq=False)
class _Press:
    """A ball pressed down: depths and total forces (n,); places (k, 2) and pressures (k,) at the largest depth."""

    depths: np.ndarray
    forces: np.ndarray
    places: np.ndarray
    pressures: np.ndarray

    @property
    def radii(self) -> np.ndarray:
        """(k,) of the places."""
        return np.asarray(np.linalg.norm(self.places, axis=1))

    @property
    def radius(self) -> float:
        """Contact radius by Hertz at the largest depth."""
        return float(np.sqrt(RADIUS * self.depths[-1]))

    def over_hertz(self) -> float:
        """Return the force over that of Hertz for the same depth."""
        return float(self.forces[-1] / hertz_force(self.depths[-1], MODULUS, RADIUS))

    def hertz_pressure(self) -> np.ndarray:
        """Return (k,) pressures of Hertz for force and depth."""
        largest = 1.5 * self.forces[-1] / (np.pi * self.radius**2)
        return np.asarray(largest * np.sqrt(np.maximum(1.0 - (self.radii / self.radius) ** 2, 0.0)))

    def numbers(self) -> dict[str, float]:
        """Return the expected quantities of one of the two ways, by name."""
        inner = (self.radii > 0.0) & (self.radii < 0.8 * self.radius)
        exact = self.hertz_pressure()
        if inner.sum() < 3:  # something is switched off
            return {name: np.nan for name, *_ in _NUMBERS}
        # p² = p₀² (1 − r²/a²) is a straight line over r².
        slope, height = np.polyfit(self.radii[inner] ** 2, self.pressures[inner] ** 2, 1)
        found = (
            self.over_hertz(),
            np.diff(np.log(self.forces[-2:]))[0] / np.diff(np.log(self.depths[-2:]))[0],
            np.sqrt(max(-height / slope, 0.0)) / self.radius,
            np.abs(self.pressures - exact)[inner].max() / exact.max(),
        )
        return {name: float(value) for (name, *_), value in zip(_NUMBERS, found, strict=True)}


def _unreduced(run: ExampleRun) -> _Press:
    whole = run.project.bodies[1].name
    with closing(run.results(_UNREDUCED)) as results:
        pairs, known = (
            run.value("pairs", "touch", body=whole),
            results.gap_and_slip("touch", results.n_frames - 1),
        )
        assert known is not None
        pressures = run.project.bodies[1].joints[0].contact_law.pressure(known[0])[0]
        places = run.value("model", body=whole).nodes[pairs.slave_nodes, :2]
        forces = _QUARTER * results.curve("touch normal force")[-len(DEPTHS) :]
    return _Press(np.array(DEPTHS), forces, places, pressures)


def _shapes(run: ExampleRun) -> _Press:
    reduced, depths, forces = run.value("body", body=run.project.bodies[0].name), [], []
    places = reduced.nodes[reduced.surfaces["spot"].nodes, :2]
    for depth in DEPTHS:
        with closing(run.results(_by_shapes(depth))) as results:
            depths.append(RADIUS - float(results.curve("ball.frame z")[0]))
            forces.append(_QUARTER * float(results.curve("touch normal force")[0]))
            ((_, pressures),) = results.on_surfaces("half space", "pressure", 0)
    return _Press(np.array(depths), np.array(forces), places, pressures)


def _by_shapes(depth: float) -> str:
    return f"{_SHAPES}, {1e3 * depth:.1f} µm"


def _system(depth: float, middle: tuple[float, float, float], law: dict[str, Any]) -> dict[str, Any]:
    """Return the system of a ball under a force on a half space whose supports' node is at `middle`."""
    force = hertz_force(depth, MODULUS, RADIUS) / _QUARTER
    return {
        "name": _by_shapes(depth),
        "ground": [{"name": "axis", "position": (0.0, 0.0, RADIUS)}, {"name": "bed", "position": middle}],
        "parts": [
            {"kind": "flexible", "name": "half space", "body": "half space", "frame": "supports"},
            {
                "kind": "rigid", "name": "ball", "mass": 1e-3, "moments_of_inertia": (1.0, 1.0, 1.0),
                "placement": {"position": (0.0, 0.0, RADIUS - depth)},
                "contact_surfaces": [{"kind": "sphere", "name": "skin", "radius": RADIUS}],
            },
        ],
        "constraints": [
            {"kind": "fixed", "name": "bed", "first": "ground.bed", "second": "half space.supports"},
            {"kind": "translational", "name": "guide", "first": "ground.axis", "second": "ball.frame"},
        ],
        "forces": [{"kind": "point_force", "name": "press", "marker": "ball.frame", "force": (0.0, 0.0, -force)}],
        "contacts": [
            {"name": "touch", "master": "ball.skin", "slave": "half space.spot", "contact_law": law, "reach": 0.1}
        ],
    }  # fmt: skip


def _surface(name: str) -> dict[str, str]:
    return {"kind": "deck_surface", "name": name}


def _stiff(body: BodySpec) -> BodySpec:
    rigid = {
        "kind": "isotropic", "name": "rigid", "element_set": "BED", "youngs_modulus": 1e3 * STEEL.youngs_modulus,
        "density": STEEL.density,
    }  # fmt: skip
    return body.with_(materials=(rigid,))
