"""A steel ball that strikes the end of an aluminium rod, as two flexible bodies in motion: what both examples share.

After Tschigg and Seifried, "Efficient impact analysis using reduced flexible multibody systems and contact submodels"
(TUHH 2017): a ball of 15 mm radius at 0.3 m/s, a free rod of 10 mm radius and 1 m length. Moduli and densities are not
printed there, and assumed here. The contact shapes follow their statics, as in that paper's quasi-static submodel.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected
from faying.examples._systems import curves
from faying.examples.contact_decks import ALUMINIUM, STEEL, Bricks, ball, deck_text, rod, stored_deck
from faying.examples.projects import as_before
from faying.examples.switched_off import with_soft_part_contact
from faying.fem.model import Material
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.params import build
from faying.project.deck import with_digests
from faying.project.home import home
from faying.project.specs import Project

BALL, ROD, LENGTH, SPEED = 15.0, 10.0, 1000.0, 300.0  # radii, mm; mm/s
MASS = STEEL.density * 4.0 / 3.0 * np.pi * BALL**3
_HERTZ = "a Hertz spring before a rod without end (Hertz 1882)"
IMPACT, STIFFER, BARE, BARE_STIFFER = "impact", "twice as stiff", "no shapes", "no shapes, twice as stiff"
_ROD_MODES, _BALL_MODES = 100, 10
_CELLS = 5  # bricks along half an edge of the fine cube at the spot


@dataclass(frozen=True)
class Setting:
    """Parameters that differ between the plane and the hollow end of the rod.

    Attributes:
        name: of the decks.
        hollow: radius of the hollow that the end is, in mm; zero for a plane end.
        spot: half edge of the fine cube, in mm.
        stiffness: of the contact law, in N/mm³.
    """

    name: str
    hollow: float
    spot: float
    stiffness: float

    @property
    def radius(self) -> float:
        """The ball's radius on a plane with the same curvature between the bodies."""
        return 1.0 / (1.0 / BALL - (1.0 / self.hollow if self.hollow else 0.0))


@dataclass(frozen=True)
class FullModel:
    """What the unreduced model gives: N, s, mm/s, and where that is from.

    Attributes:
        far_end_speed: None where the run ended before.
        tolerance: share by which the reduced bodies may be off.
    """

    peak_force: float
    time_of_peak: float
    end_of_contact: float
    rebound: float
    far_end_speed: float | None
    source: str
    tolerance: float = 0.03


def project(setting: Setting, title: str, note: str, quick: bool) -> Project:
    """Return the project: the impact, and how its peak depends on the contact law, with contact shapes and without."""
    rod_deck, ball_deck = decks(setting)
    bodies = []
    for shapes in ("every_node", "none"):
        bare = "bare " if shapes == "none" else ""
        bodies += [
            _body(f"{bare}rod", rod_deck, _ROD_MODES, shapes, interfaces=[_FAR_END]),
            _body(f"{bare}ball", ball_deck, _BALL_MODES, shapes),
        ]
    variants = {IMPACT: ("", 1.0), STIFFER: ("", 2.0), BARE: ("bare ", 1.0), BARE_STIFFER: ("bare ", 2.0)}
    systems = [_system(setting, name, bare, factor) for name, (bare, factor) in variants.items()]
    whole = 220e-6 if quick else 300e-6
    analyses = [_motion(name, whole if name == IMPACT else 100e-6) for name in variants]
    words = {
        "name": title, "note": note, "units": "mm-t-s", "bodies": bodies, "systems": systems, "analyses": analyses,
    }  # fmt: skip
    made: Project = build(Project, words)
    return with_digests(made, home())


_FAR_END = {"name": "far end", "node_set": "FAR", "components": (3,)}


def _body(name: str, deck: str, modes: int, shapes: str, **more: Any) -> dict[str, Any]:
    surface = {
        "name": "spot",
        "surface": {"kind": "deck_surface", "name": "SPOT"},
        "shapes": {"kind": shapes},
    }
    return {
        "name": name, "model": {"path": deck}, "reduction": {"kind": "craig_bampton", "vibration_modes": modes},
        "contact_surfaces": [surface], **more,
    }  # fmt: skip


def _system(setting: Setting, name: str, bare: str, factor: float) -> dict[str, Any]:
    law = {"kind": "linear_penalty", "stiffness": factor * setting.stiffness}
    return {
        "name": name,
        "parts": [
            {"kind": "flexible", "name": "rod", "body": f"{bare}rod"},
            {
                "kind": "flexible", "name": "ball", "body": f"{bare}ball",
                "placement": {"velocity": (0.0, 0.0, -SPEED)},
            },
        ],
        "contacts": [
            {"name": "hit", "master": "rod.spot", "slave": "ball.spot", "contact_law": law, "reach": 0.1}
        ],
    }  # fmt: skip


def _motion(name: str, duration: float) -> dict[str, Any]:
    integrator = {
        "kind": "hht", "tolerance": 1e-3, "first_step": 1e-8, "largest_step": 1e-6, "separate_modes": True,
        "separation_frequency": 200e3,
    }  # fmt: skip
    return {
        "kind": "motion", "name": name, "system": name, "duration": duration, "frames": round(duration / 1e-6),
        "integrator": integrator,
    }  # fmt: skip


@cache
def decks(setting: Setting) -> tuple[str, str]:
    """Return the decks of the rod, from the origin down, and of the ball above it.

    The ball of straight bricks has a little less volume than a round one; its density makes up for that.
    """
    struck = rod(ROD, LENGTH, 12.5, _CELLS, setting.spot, 1.4, setting.hollow)
    striking = ball(BALL, _CELLS, setting.spot, 1.4)
    heavier = replace(STEEL, density=MASS / striking.volume())
    far = struck.nodes[:, 2] < -LENGTH + 1e-6
    far &= np.linalg.norm(struck.nodes[:, :2], axis=1) < 1e-6
    paths = (
        stored_deck(f"{setting.name}-rod", _deck("ROD", struck, ALUMINIUM, setting, {"FAR": ("ROD", far)})),
        stored_deck(f"{setting.name}-ball", _deck("BALL", striking, heavier, setting, {})),
    )
    return str(paths[0]), str(paths[1])


def _deck(
    name: str,
    bricks: Bricks,
    material: Material,
    setting: Setting,
    node_sets: Mapping[str, tuple[str, np.ndarray]],
) -> str:
    # The fine square's corners are farther from its middle than contact ever gets.
    near = np.linalg.norm(bricks.nodes[:, :2], axis=1) < 1.1 * setting.spot
    near &= bricks.nodes[:, 2] > -1e-3 * setting.spot
    near &= bricks.nodes[:, 2] < 0.1 * setting.spot
    return deck_text(
        f"{name.lower()} of {setting.name}",
        [(name, bricks, material)],
        {"SPOT": (name, near)},
        node_sets=node_sets,
    )


@dataclass(frozen=True, eq=False)
class HertzImpact:
    """A ball on a Hertz spring before a rod without end: times (n,), forces (n,), and the speed of rebound."""

    times: np.ndarray
    forces: np.ndarray
    rebound: float

    @property
    def time_of_peak(self) -> float:
        """When the force is largest."""
        return float(self.times[self.forces.argmax()])

    @property
    def end(self) -> float:
        """When contact ends."""
        return float(self.times[-1])


@cache
def hertz_impact(radius: float) -> HertzImpact:
    """Return δ' = v − F/Z, m v' = −F with F = 4/3 E* √R δ^1.5 and the rod's impedance Z = A √(E ρ).

    Hertz 1882 with the waves of a thin rod (Hunter 1957 has the same of a half space).

    Args:
        radius: R, of both surfaces together.
    """
    compliance = sum((1.0 - m.poisson_ratio**2) / m.youngs_modulus for m in (STEEL, ALUMINIUM))
    stiffness = 4.0 / 3.0 * np.sqrt(radius) / compliance
    impedance = rod_impedance()

    def rates(depth: float, speed: float) -> tuple[float, float]:
        force = stiffness * max(depth, 0.0) ** 1.5
        return speed - force / impedance, -force / MASS

    # Runge and Kutta, by hand: SciPy's integrators take half a second to import.
    h, depth, speed = 1e-7, 0.0, SPEED
    depths = [depth]
    while depth > 0.0 or len(depths) == 1:
        first = rates(depth, speed)
        second = rates(depth + 0.5 * h * first[0], speed + 0.5 * h * first[1])
        third = rates(depth + 0.5 * h * second[0], speed + 0.5 * h * second[1])
        last = rates(depth + h * third[0], speed + h * third[1])
        depth += h / 6.0 * (first[0] + 2.0 * second[0] + 2.0 * third[0] + last[0])
        speed += h / 6.0 * (first[1] + 2.0 * second[1] + 2.0 * third[1] + last[1])
        depths.append(depth)
    forces = stiffness * np.maximum(depths, 0.0) ** 1.5
    return HertzImpact(h * np.arange(len(depths)), forces, float(-speed))


def rod_impedance() -> float:
    """Return A √(E ρ) of the rod."""
    return float(np.pi * ROD**2 * np.sqrt(ALUMINIUM.youngs_modulus * ALUMINIUM.density))


def travel_time() -> float:
    """Return L/c with the speed of waves in a thin rod, c = √(E/ρ)."""
    return float(LENGTH / np.sqrt(ALUMINIUM.youngs_modulus / ALUMINIUM.density))


def expected(
    setting: Setting, full: FullModel, without_shapes: float, off_hertz: float = 0.03
) -> tuple[Expected, ...]:
    """Return the numbers to be met.

    Args:
        setting: which end of the rod.
        full: what the unreduced model gives.
        off_hertz: share by which bodies of this form may be off Hertz' formulas.
        without_shapes: change of the peak by twice the contact law's stiffness, as this program had it before.
    """
    hertz = hertz_impact(setting.radius)
    far_end = 2.0 * float(hertz.forces.max()) / rod_impedance()
    numbers = (
        ("peak_force", "force", float(hertz.forces.max())), ("time_of_peak", "time", hertz.time_of_peak),
        ("end_of_contact", "time", hertz.end), ("rebound", "velocity", hertz.rebound),
    )  # fmt: skip
    found = []
    for name, quantity, by_hertz in numbers:
        by_model = getattr(full, name)
        found.append(Expected(name, quantity, by_model, "unreduced model", full.tolerance, full.source))
        found.append(Expected(f"{name}_by_hertz", quantity, by_hertz, "analytical", off_hertz, _HERTZ))
    arrived = (
        Expected("far_end_speed", "velocity", far_end, "analytical", off_hertz, f"2 F/Z of {_HERTZ}")
        if full.far_end_speed is None
        else Expected(
            "far_end_speed", "velocity", full.far_end_speed, "unreduced model", full.tolerance, full.source
        )
    )
    return (
        *found,
        Expected("impulse_over_momentum_change", "", 1.0, "analytical", 1e-6, "Newton's second law, of the ball"),
        arrived,
        Expected("wave_arrival", "time", travel_time(), "analytical", 0.01, "L/c, c = √(E/ρ) of thin rods"),
        Expected(
            "peak_change_by_stiffness", "", 0.0, "analytical", 0.005,
            "with local shapes the bodies give way and not the contact law: twice its stiffness changes nothing",
        ),
        as_before("peak_change_by_stiffness_without_shapes", without_shapes, 0.1, "the contact law alone gives way"),
    )  # fmt: skip


def without_flexibility(project: Project) -> Project:
    """Return the project with rigid parts in place of the flexible ones."""

    def rigid(part: FlexiblePartSpec) -> dict[str, Any]:
        return {"kind": "rigid_body", "name": part.name, "body": part.body, "placement": part.placement}

    return project.with_(
        systems=tuple(s.with_(parts=tuple(rigid(part) for part in s.parts)) for s in project.systems)
    )


def measured(run: ExampleRun) -> dict[str, float]:
    """Return the measured quantities of the impact, as far as the run goes."""
    time, force, speed, impulse, far = curves(
        run, IMPACT, "hit normal force", "ball.frame vz", "hit impulse z", "rod.far end vz"
    )
    peak = float(force.max())
    found = _both_ways(peak_force=peak, time_of_peak=_peak_time(time, force))
    pressing = np.flatnonzero(force > 1e-3 * peak) if peak > 0.0 else np.zeros(0, int)
    if not len(pressing) or pressing[-1] < len(time) - 1:
        last = pressing[-1] if len(pressing) else 0
        # Surfaces part between two frames: the force falls in a straight line.
        fall = (force[last - 2] - force[last]) / (time[last] - time[last - 2]) if last > 2 else np.inf
        end = float(time[last] + min(force[last] / fall, time[1] - time[0]))
        found |= _both_ways(end_of_contact=end, rebound=float(speed[-1]))
        gained = MASS * (speed[-1] + SPEED)
        found["impulse_over_momentum_change"] = float(impulse[-1] / gained) if gained else np.nan
    if time[-1] > 1.4 * travel_time():
        found["far_end_speed"] = float(-far.min())
        found["wave_arrival"] = _delay(time, force, -far)
    shapes, bare = (
        _peak(run, stiff) / _peak(run, soft) - 1.0
        for soft, stiff in ((IMPACT, STIFFER), (BARE, BARE_STIFFER))
    )
    return found | {"peak_change_by_stiffness": abs(shapes), "peak_change_by_stiffness_without_shapes": bare}


def _both_ways(**values: float) -> dict[str, float]:
    """Return numbers under both names of quantities that have two references."""
    return {f"{name}{by}": value for name, value in values.items() for by in ("", "_by_hertz")}


def _peak(run: ExampleRun, analysis: str) -> float:
    return float(curves(run, analysis, "hit normal force")[1].max()) or np.nan


def _peak_time(time: np.ndarray, force: np.ndarray) -> float:
    """Return where the parabola through the largest value and those beside it has its top."""
    i = int(np.clip(force.argmax(), 1, len(force) - 2))
    before, top, after = force[i - 1 : i + 2]
    bend = before - 2.0 * top + after
    return float(time[i] + (0.5 * (before - after) / bend if bend else 0.0) * (time[1] - time[0]))


def _delay(time: np.ndarray, force: np.ndarray, far: np.ndarray) -> float:
    """Return by how much 2 F/Z is to be shifted until it is nearest to the far end's speed."""
    wanted = 2.0 * force / rod_impedance()
    delays = np.arange(0.9, 1.1, 1e-4) * travel_time()
    shares = [np.interp(time - delay, time, wanted, left=0.0) for delay in delays]
    return float(delays[np.argmin([np.square(far - share).sum() for share in shares])])


class ImpactExample(Example):
    """Base of both impacts; a member adds its texts, its `expected` and the shape of the rod's end.

    Attributes:
        setting: the ends of both bodies.
        note: of the project.
    """

    setting: ClassVar[Setting]
    note: ClassVar[str]
    group: ClassVar[str] = "Systems in motion"
    takes_long: ClassVar[bool] = True  # two bodies of 66 000 equations together, and four runs
    picture: ClassVar[tuple[str, str]] = (IMPACT, "velocity")
    film: ClassVar[tuple[str, str]] = (IMPACT, "velocity")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("force", IMPACT, "Contact force", "force", ("hit normal force",)),
        CurvePlot("speed", IMPACT, "Speed", "velocity", ("ball.frame vz", "rod.far end vz")),
    )

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick ends when both are apart again, and the wave has not reached the far end."""
        return project(self.setting, self.title, self.note, quick)

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with rigid parts, and with surfaces that do not feel each other."""
        return {"contact": with_soft_part_contact(project), "flexibility": without_flexibility(project)}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return force, times, rebound, what reaches the far end, and what the contact law's stiffness changes."""
        return measured(run)
