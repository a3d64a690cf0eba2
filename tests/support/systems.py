"""Multibody systems for tests, built from decisions as a project has them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from faying.analyses import BodyModel, JointModel, SystemModel, analyses
from faying.analyses.motion import with_angles
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.multibody.bodies import FlexibleBody
from faying.multibody.history import History
from faying.multibody.initial import assembled_position, assembled_velocity
from faying.multibody.redundancy import Freedom, find_freedom
from faying.multibody.system import MultibodySystem
from faying.multibody.system_spec import SystemSpec
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from support.flexible_bodies import with_joint_modes
from support.plates import jointed_plates

# A bar of mass one and length one along x, its frame in the middle, with markers at both ends.
BAR = {
    "kind": "rigid", "mass": 1.0, "moments_of_inertia": (1e-3, 1 / 12, 1 / 12),
    "markers": [{"name": "left", "position": (-0.5, 0, 0)}, {"name": "right", "position": (0.5, 0, 0)}],
}  # fmt: skip
DOWN_Y = (0.0, -9.81, 0.0)


def system_of(**words) -> SystemSpec:
    """Return a system from plain words."""
    return build(SystemSpec, {"name": "system", **words})


def slider_crank(angle: float, *drives: dict) -> SystemSpec:
    """Return a crank of length 1 and a rod of length 2 with a piston along x, the crank at an angle."""
    turned = np.array([np.cos(angle), np.sin(angle)])
    reach = turned[0] + np.sqrt(4.0 - turned[1] ** 2)
    rod = {
        **BAR, "name": "rod", "moments_of_inertia": (1e-3, 1 / 3, 1 / 3),
        "markers": [{"name": "left", "position": (-1, 0, 0)}, {"name": "right", "position": (1, 0, 0)}],
        "placement": {"position": ((turned[0] + reach) / 2, turned[1] / 2, 0),
                      "rotation": (0, 0, np.arctan2(-turned[1], reach - turned[0]))},
    }  # fmt: skip
    along_x = (0, np.pi / 2, 0)
    piston = {
        **BAR, "name": "piston", "markers": [{"name": "pin"}, {"name": "slide", "rotation": along_x}],
        "placement": {"position": (reach, 0, 0)},
    }  # fmt: skip
    crank = {**BAR, "name": "crank", "placement": {"position": (*turned / 2, 0), "rotation": (0, 0, angle)}}
    constraints = [
        {"kind": "revolute", "name": "main", "first": "ground.pivot", "second": "crank.left"},
        {"kind": "revolute", "name": "crank pin", "first": "crank.right", "second": "rod.left"},
        {"kind": "spherical", "name": "piston pin", "first": "rod.right", "second": "piston.pin"},
        {"kind": "translational", "name": "rail", "first": "ground.rail", "second": "piston.slide"},
    ]
    driven = [{"first": "ground.rail", "second": "piston.slide", "start": reach, **drive} for drive in drives]
    return system_of(
        ground=[{"name": "pivot"}, {"name": "rail", "rotation": along_x}],
        parts=[crank, rod, piston], constraints=[*constraints, *driven],
    )  # fmt: skip


@dataclass(frozen=True)
class Ready:
    """An assembled system: without its redundant equations, where it is, and how free."""

    system: MultibodySystem
    q: np.ndarray
    v: np.ndarray
    history: History
    freedom: Freedom


def ready(spec: SystemSpec, **bodies: FlexibleBody) -> Ready:
    """Return a system assembled from its placements, as an analysis does."""
    full = spec.build(bodies)
    q, v = spec.start(full)
    history = with_angles(full, q, full.initial_history())
    q = assembled_position(full, q, history)
    freedom = find_freedom(full, q, history)
    system = full.without(freedom.redundant) if freedom.redundant else full
    history = with_angles(system, q, history)
    return Ready(system, q, assembled_velocity(system, q, v, history), history, freedom)


def moved(spec: SystemSpec, path: Path, duration: float, bodies: dict[str, BodyModel] | None = None, **words):
    """Return the opened results of a motion.

    Args:
        spec: the system.
        path: folder for the results.
        duration: of the run.
        bodies: of its flexible parts.
        words: settings of the integrator; "frames" and "from_equilibrium" of the analysis.
    """
    settings = {key: words.pop(key) for key in ("frames", "from_equilibrium") if key in words}
    usual = {"alpha": -0.05} if words.get("kind", "hht") == "hht" else {}
    integrator = {"kind": "hht", **usual, "first_step": 1e-4, **words}
    analysis = build(
        analyses["motion"],
        {"name": "run", "system": spec.name, "duration": duration, "integrator": integrator, **settings},
    )
    file = path / "motion.h5"
    analysis.run(SystemModel(spec, bodies or {}), file, Silent())
    return Results(file)


def jointed_plates_model(stiffness=5e4, friction=0.3) -> BodyModel:
    """Return the stacked plates with joint modes, contact and friction, as analyses see them."""
    plates = jointed_plates()
    law = (
        Coulomb(friction_coefficient=friction, sticking_stiffness=1e4, sliding_stiffness=500.0)
        if friction
        else None
    )
    joint = JointModel("joint", plates.pairs, LinearPenalty(stiffness=stiffness), law)
    return BodyModel("plates", with_joint_modes(plates, 12), (joint,), plates.interfaces)


def flexible(model: BodyModel) -> FlexibleBody:
    """Return the body as parts are built from it."""
    laws = tuple((joint.contact_law, joint.friction_law) for joint in model.joints)
    return FlexibleBody(model.name, model.reduced, laws)


def chain(count=1, mass=2.0, stiffness=800.0, damping=5.0, force=3.0, **more):
    """Return masses on rails along x, each on a spring to the one before; the input pushes the last one."""
    along_x = (0.0, np.pi / 2, 0.0)
    parts, rails, springs = [], [], []
    for k in range(count):
        name, before = f"m{k}", f"m{k - 1}.frame" if k else "ground.origin"
        parts.append({**BAR, "name": name, "mass": mass, "placement": {"position": (k + 1.0, 0.0, 0.0)},
                      "markers": [{"name": "slide", "rotation": along_x}]})  # fmt: skip
        rails.append(
            {"kind": "translational", "name": f"r{k}", "first": "ground.rail", "second": f"{name}.slide"}
        )
        springs.append({"kind": "spring_damper", "name": f"s{k}", "first": before, "second": f"{name}.frame",
                        "stiffness": stiffness, "damping": damping, "free_length": 1.0})  # fmt: skip
    last = f"m{count - 1}.frame"
    push = {
        "kind": "point_force",
        "name": "push",
        "marker": last,
        "force": (force, 0.0, 0.0),
        "time_history": {"kind": "input", "input": "push"},
    }
    measures = [
        {"kind": "displacement", "name": "x", "second": last, "component": "x"},
        {"kind": "velocity", "name": "v", "second": last, "component": "x"},
        {"kind": "acceleration", "name": "a", "second": last, "component": "x"},
    ]
    words = {"ground": [{"name": "rail", "rotation": along_x}], "parts": parts, "constraints": rails,
             "forces": [*springs, push], "measures": measures}  # fmt: skip
    return system_of(**(words | more))
