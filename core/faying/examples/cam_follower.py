"""An eccentric cam lifts a flat follower against a spring: sliding with friction over many facets.

Where nothing gives way the follower rises by e (1 − cos φ), and touches the cam at x = −e sin φ (textbooks of machine
dynamics, such as Norton, "Design of Machinery", chapter 8). With its mass, spring and Coulomb's friction follow the
force between both, the torque of the camshaft and the heat.
"""

from typing import Any, ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import curves
from faying.examples.contact_decks import STEEL, deck_text, lattice, stored_deck
from faying.examples.switched_off import with_soft_part_contact
from faying.params import build
from faying.project.deck import with_digests
from faying.project.home import home
from faying.project.specs import Project

RADIUS, ECCENTRICITY = 18.0, 5.0  # mm, of the cam
SPEED = 2.0 * np.pi * 10.0  # rad/s: 600 turns a minute
TURN = 2.0 * np.pi / SPEED
FRICTION = 0.1
SPRING, PRELOAD, WEIGHT = (
    5.0,
    60.0,
    3e-5,
)  # N/mm, N at the lowest place, t of the valve that the follower drives
_LENGTH, _WIDTH, _HEIGHT = 16.0, 6.0, 10.0  # mm, of the follower; its face has bricks of 0.25 mm
_COUNTS = (64, 3, 6)
_STIFFNESS = 2e3  # N/mm³: a coating that gives way by 10 µm, so that some rows of nodes touch at a time
_TURNING = "turning"
_RIGID = "kinematics of rigid bodies"


@examples.register("cam-follower")
class CamFollower(Example):
    """A contact that travels to and fro over the follower's face, and never sticks."""

    title: ClassVar[str] = "Cam and follower"
    summary: ClassVar[str] = (
        "An eccentric cam slides under a flat, elastic follower: lift, contact force, friction and torque."
    )
    takes_long: ClassVar[bool] = True  # a thousand steps
    picture: ClassVar[tuple[str, str]] = (_TURNING, "part_pressure")
    film: ClassVar[tuple[str, str]] = (_TURNING, "part_pressure")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot(
            "force", _TURNING, "Contact force", "force", ("slide normal force", "slide friction force")
        ),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected("lift_error", "", 0.0, "analytical", 1e-3, f"e (1 − cos φ), {_RIGID}; as a share of 2 e"),
        Expected("contact_line_error", "", 0.0, "analytical", 0.005, f"−e sin φ, {_RIGID}; root mean square over e"),
        Expected(
            "normal_force_error", "", 0.0, "analytical", 0.04,
            "spring and inertia on that path; root mean square over the largest force",
        ),
        Expected("friction_over_limit", "", 1.0, "analytical", 3e-3, "all slides: μ times the normal force (Coulomb)"),
        Expected(
            "torque_error", "", 0.0, "analytical", 0.02,
            "N (e sin φ + μ (R − e cos φ)) of the camshaft; root mean square over the largest torque",
        ),
        Expected(
            "friction_work_over_expected", "", 1.0, "analytical", 0.02, "∫ μ N ω (R − e cos φ) dt with N of that path"
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick is an eighth of a turn."""
        face = {"kind": "deck_surface", "name": "FACE"}
        follower = {
            "name": "follower", "model": {"path": _deck()},
            "interfaces": [{"name": "guide", "node_set": "GUIDE"}],
            "reduction": {"kind": "craig_bampton", "vibration_modes": 2},
            "contact_surfaces": [
                {"name": "face", "surface": face, "shapes": {"kind": "patches", "radius": 0.8, "count": 40}}
            ],
        }  # fmt: skip
        along_y = {"rotation": (-0.5 * np.pi, 0.0, 0.0)}
        top = RADIUS - ECCENTRICITY + _HEIGHT
        slide = {"first": "ground.guide", "second": "follower.guide"}
        axle = {"first": "ground.axle", "second": "cam.axle"}
        system: dict[str, Any] = {
            "name": "valve train",
            "ground": [
                {"name": "axle", **along_y},
                {"name": "guide", "position": (0.0, 0.0, top)},
                {"name": "seat", "position": (0.0, 0.0, top + 40.0)},
            ],
            "parts": [
                {
                    "kind": "rigid", "name": "cam", "mass": 5e-5, "moments_of_inertia": (1e-2, 1e-2, 1e-2),
                    "markers": [{"name": "axle", **along_y}],
                    "contact_surfaces": [{
                        "kind": "cylinder", "name": "flank", "point": (0.0, 0.0, -ECCENTRICITY),
                        "axis": (0.0, 1.0, 0.0), "radius": RADIUS,
                    }],
                },
                {
                    "kind": "flexible", "name": "follower", "body": "follower", "frame": "guide",
                    "placement": {"position": (0.0, 0.0, RADIUS - ECCENTRICITY)},
                    "lumped_masses": [{"interface": "guide", "mass": WEIGHT}], "stiffness_damping": 2e-6,
                },
            ],
            "constraints": [
                {"kind": "revolute", "name": "axle", **axle},
                {
                    "kind": "prescribed_angular_speed", "name": "drive", **axle, "speed": SPEED,
                    "time_history": {"kind": "constant"},
                },
                {"kind": "translational", "name": "guide", **slide},
            ],
            "forces": [{
                "kind": "spring_damper", "name": "spring", "first": "ground.seat", "second": "follower.guide",
                "stiffness": SPRING, "free_length": 40.0 + PRELOAD / SPRING,
            }],
            "contacts": [{
                "name": "slide", "master": "cam.flank", "slave": "follower.face", "reach": 1.0,
                "contact_law": {"kind": "linear_penalty", "stiffness": _STIFFNESS},
                "friction_law": {
                    "kind": "coulomb", "friction_coefficient": FRICTION, "sticking_stiffness": 1e5,
                    "sliding_stiffness": 0.0,
                },
            }],
        }  # fmt: skip
        integrator = {
            "kind": "hht", "tolerance": 1e-3, "first_step": 1e-6, "largest_step": 1.5e-4, "separate_modes": True,
            "separation_frequency": 150e3,
        }  # fmt: skip
        turning = {
            "kind": "motion", "name": _TURNING, "system": "valve train", "duration": TURN / 8.0 if quick else TURN,
            "frames": 60 if quick else 300, "from_equilibrium": True, "integrator": integrator,
        }  # fmt: skip
        words = {
            "name": self.title, "note": "An eccentric cam under a flat follower, with friction.", "units": "mm-t-s",
            "bodies": [follower], "systems": [system], "analyses": [turning],
        }  # fmt: skip
        project: Project = build(Project, words)
        return with_digests(project, home())

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with surfaces that hardly feel each other, and without friction."""
        (system,) = project.systems
        smooth = tuple(contact.with_(friction_law=None) for contact in system.contacts)
        return {
            "contact": with_soft_part_contact(project, 1e-3),
            "friction": project.with_(systems=(system.with_(contacts=smooth),)),
        }

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return how far the follower is from rigid bodies, and friction from Coulomb's."""
        time, height, normal, friction, line, torque, work = curves(
            run, _TURNING, "follower.guide z", "slide normal force", "slide friction force", "slide centre x",
            "drive moment z", "friction work",
        )  # fmt: skip
        angle = SPEED * time
        rise = ECCENTRICITY * (1.0 - np.cos(angle))
        mass = run.value("body").total_mass + WEIGHT
        force = PRELOAD + SPRING * rise + mass * ECCENTRICITY * SPEED**2 * np.cos(angle)
        arm = RADIUS - ECCENTRICITY * np.cos(angle)
        turning = force * (ECCENTRICITY * np.sin(angle) + FRICTION * arm)
        heat = FRICTION * SPEED * np.trapezoid(force * arm, time)
        late = time > TURN / 40.0  # it starts with a jerk, from rest
        return {
            "lift_error": float(np.abs(height - height[0] - rise).max() / (2.0 * ECCENTRICITY)),
            "contact_line_error": _off(line, -ECCENTRICITY * np.sin(angle), ECCENTRICITY),
            "normal_force_error": _off(normal[late], force[late], float(force.max())),
            "friction_over_limit": float(np.mean(friction[late] / (FRICTION * normal[late]))),
            "torque_error": _off(np.abs(torque[late]), np.abs(turning[late]), float(np.abs(turning).max())),
            "friction_work_over_expected": float(abs(work[-1]) / heat),
        }


def _off(values: np.ndarray, wanted: np.ndarray, size: float) -> float:
    """Return the root mean square of a difference, as a share of a size."""
    return float(np.sqrt(np.mean((values - wanted) ** 2)) / size)


def _deck() -> str:
    counts = np.array(_COUNTS)
    bricks = lattice(_COUNTS)
    at = bricks.nodes / counts * (_LENGTH, _WIDTH, _HEIGHT) - (0.5 * _LENGTH, 0.5 * _WIDTH, 0.0)
    block = bricks.moved(at)
    below, above = at[:, 2] < 1e-9, at[:, 2] > _HEIGHT - 1e-9
    text = deck_text(
        "a flat follower", [("FOLLOWER", block, STEEL)], {"FACE": ("FOLLOWER", below)},
        {"GUIDE": ("FOLLOWER", above, (0.0, 0.0, _HEIGHT))},
    )  # fmt: skip
    return str(stored_deck("cam-follower", text))
