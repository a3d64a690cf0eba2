"""An excavator digs: boom, arm and bucket, each moved by a cylinder, and the force that each cylinder needs.

Strokes of the cylinders are given over time; kinematics follows them, and inverse dynamics gives the forces. In a plane
chain the force of a cylinder is the moment of its joint times the derivative of the joint's angle over the stroke.
"""

from typing import Any, ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import GRAVITY, curves, system_project
from faying.project.specs import Project

# Of boom, arm and bucket: length in m, mass in kg, moment of inertia about the centre in kg m², angle from the link
# before, from +x for the boom, at the start.
LENGTHS, MASSES = (5.0, 2.8, 1.4), (1800.0, 900.0, 700.0)
INERTIAS = (3800.0, 600.0, 120.0)
START = np.radians((50.0, -110.0, -40.0))
# Where each cylinder acts: on the link before (x, y along it from its joint at the end, of the boom from the ground's
# joint), and on its own link from its first joint.
BEFORE = ((0.9, -0.7), (-2.4, 0.9), (-1.9, 0.6))
OWN = ((2.2, 0.5), (-0.6, 0.5), (0.35, 0.45))
STROKES = (-0.35, -0.40, -0.25)  # m, of each cylinder over the dig, by a smooth step
DIGS = 4.0  # s
FORCE = (25e3, 15e3)  # N on the tip of the bucket, against the dig, by the same smooth step
CYLINDER = 0.5  # kg of barrel and rod; light against all else

_NAMES = ("boom", "arm", "bucket")
_DIG = "dig"
_SOURCE = "Newton and Euler's equations of the plane chain: tests/references/excavator.py"
_FORCES = {
    "boom": (66175.7, 31753.4),
    "arm": (60579.4, 108405.1),
    "bucket": (48340.0, 69816.2),
}  # N after 2 s and after 3 s


def places(angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return absolute angles (3,) of the links and the places (4, 2) of joints and tip, for relative angles (3,)."""
    absolute = np.cumsum(angles)
    steps = np.array(LENGTHS)[:, None] * np.column_stack([np.cos(absolute), np.sin(absolute)])
    return absolute, np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])


def ends(angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where the cylinders end, (3, 2) on the links before and (3, 2) on their own, for relative angles (3,)."""
    absolute, joints = places(angles)
    before = np.concatenate([[0.0], absolute[:-1]])
    return (
        np.array([joints[k] + _turned(before[k], BEFORE[k]) for k in range(3)]),
        np.array([joints[k] + _turned(absolute[k], OWN[k]) for k in range(3)]),
    )


def _turned(angle: float, vector: tuple[float, float]) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])


@examples.register("excavator")
class Excavator(Example):
    """A chain with three closed loops, driven by strokes: kinematics and inverse dynamics."""

    title: ClassVar[str] = "Excavator"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = "Boom, arm and bucket dig; the forces that their cylinders need for it."
    picture: ClassVar[tuple[str, str]] = (_DIG, "")
    film: ClassVar[tuple[str, str]] = (_DIG, "")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot(
            "force", _DIG, "Force of the cylinders", "force", tuple(f"{n} stroke force z" for n in _NAMES)
        ),
    )
    expected: ClassVar[tuple[Expected, ...]] = tuple(
        Expected(f"{name}_force_after_{after}_s", "force", force, "independent code", 3e-3, _SOURCE)
        for name, forces in _FORCES.items()
        for after, force in zip((2, 3), forces, strict=True)
    )

    def build(self, quick: bool = False) -> Project:
        """Return the project; a quick one is the same."""
        absolute, joints = places(START)
        first, second = ends(START)
        parts: list[dict[str, Any]] = []
        constraints: list[dict[str, Any]] = []
        ground: list[dict[str, Any]] = [{"name": "foot"}, {"name": "cylinder", "position": (*BEFORE[0], 0.0)}]
        for k, name in enumerate(_NAMES):
            half = 0.5 * LENGTHS[k]
            markers = [
                {"name": "first", "position": (-half, 0, 0)}, {"name": "second", "position": (half, 0, 0)},
                {"name": "pushed", "position": (OWN[k][0] - half, OWN[k][1], 0)},
            ]  # fmt: skip
            if k < 2:
                x, y = BEFORE[k + 1]
                markers.append({"name": "cylinder", "position": (half + x, y, 0)})
            middle = 0.5 * (joints[k] + joints[k + 1])
            parts.append({
                "kind": "rigid", "name": name, "mass": MASSES[k], "moments_of_inertia": (INERTIAS[k],) * 3,
                "markers": markers,
                "looks": {
                    "kind": "link", "first": f"{name}.first", "second": f"{name}.second", "width": 0.5, "depth": 0.4,
                },
                "placement": {"position": (*middle, 0.0), "rotation": (0, 0, absolute[k])},
            })  # fmt: skip
            before = "ground.foot" if k == 0 else f"{_NAMES[k - 1]}.second"
            base = "ground.cylinder" if k == 0 else f"{_NAMES[k - 1]}.cylinder"
            constraints.append(
                {"kind": "revolute", "name": f"{name} joint", "first": before, "second": f"{name}.first"}
            )
            parts += self._cylinder(name, first[k], second[k])
            constraints += [
                {"kind": "revolute", "name": f"{name} barrel", "first": base, "second": f"{name} barrel.foot"},
                {
                    "kind": "translational", "name": f"{name} piston", "first": f"{name} barrel.axis",
                    "second": f"{name} rod.axis",
                },
                {
                    "kind": "point_on_line", "name": f"{name} eye", "first": f"{name}.pushed",
                    "second": f"{name} rod.eye",
                },
                {
                    "kind": "prescribed_displacement", "name": f"{name} stroke", "first": f"{name} barrel.axis",
                    "second": f"{name} rod.axis", "start": float(np.linalg.norm(second[k] - first[k])),
                    "amplitude": STROKES[k], "time_history": {"kind": "haversine", "rise_time": DIGS},
                },
            ]  # fmt: skip
        soil = {
            "kind": "point_force", "name": "soil", "marker": "bucket.second", "force": (*FORCE, 0.0),
            "time_history": {"kind": "haversine", "rise_time": DIGS},
        }  # fmt: skip
        system = {
            "name": "excavator", "ground": ground, "parts": parts, "constraints": constraints, "forces": [soil],
            "gravity": (0.0, -GRAVITY, 0.0),
        }  # fmt: skip
        dig = {"kind": "kinematics", "name": _DIG, "duration": DIGS, "frames": 40 if quick else 160}
        return system_project(self.title, "Three links and their cylinders, in a plane.", system, [dig])

    def _cylinder(self, name: str, start: np.ndarray, end: np.ndarray) -> list[dict[str, Any]]:
        """Return barrel and rod, whose frames are at its ends, with z of their markers along it."""
        way = end - start
        angle, length = float(np.arctan2(way[1], way[0])), float(np.linalg.norm(way))
        along = {"name": "axis", "rotation": (0, 0.5 * np.pi, 0)}
        words = {"kind": "rigid", "mass": CYLINDER, "moments_of_inertia": (0.01, 0.01, 0.01)}
        shape = {"kind": "cylinder", "start": (0, 0, 0)}
        return [
            {
                **words, "name": f"{name} barrel", "markers": [{"name": "foot"}, along],
                "looks": {**shape, "end": (0.7 * length, 0, 0), "radius": 0.12},
                "placement": {"position": (*start, 0.0), "rotation": (0, 0, angle)},
            },
            {
                **words, "name": f"{name} rod", "markers": [{"name": "eye"}, along],
                "looks": {**shape, "end": (-0.7 * length, 0, 0), "radius": 0.06},
                "placement": {"position": (*end, 0.0), "rotation": (0, 0, angle)},
            },
        ]  # fmt: skip

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project without the force of the soil."""
        (system,) = project.systems
        return {"soil": project.with_(systems=(system.with_(forces=()),))}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return the force of each cylinder after two and three seconds, positive where it pushes."""
        time, *found = curves(run, _DIG, *(f"{name} stroke force z" for name in _NAMES))
        return {
            f"{name}_force_after_{after}_s": float(np.interp(after, time, force))
            for name, force in zip(_NAMES, found, strict=True)
            for after in (2, 3)
        }
