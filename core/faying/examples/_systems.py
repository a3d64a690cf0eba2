"""How examples of multibody systems build their projects, and how they read their results."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import scipy.linalg as la

from faying.examples import ExampleRun
from faying.params import build
from faying.project.deck import with_digests
from faying.project.specs import Project
from faying.reduction.body import ReducedBody
from faying.units import UnitSystemName

GRAVITY = 9.81  # m/s²
UNIT_BAR = {
    "kind": "rigid",
    "mass": 1.0,
    # About its own axis nearly nothing, which no plane motion asks for.
    "moments_of_inertia": (1e-3, 1 / 12, 1 / 12),
    "markers": ({"name": "left", "position": (-0.5, 0, 0)}, {"name": "right", "position": (0.5, 0, 0)}),
}
"""A rigid bar of mass and length one, its frame in its middle."""


def bar_body(name: str, deck: str, vibration_modes: int) -> dict[str, Any]:
    """Return the decisions of a bar of bricks with interface nodes "start" and "end"."""
    return {
        "name": name,
        "model": {"path": deck},
        "interfaces": [{"name": "start", "node_set": "REF_START"}, {"name": "end", "node_set": "REF_END"}],
        "reduction": {"kind": "craig_bampton", "vibration_modes": vibration_modes},
        "joint_modes": {"kind": "weighted_pod", "count": 0},
    }


def spun_bar(name: str, speed: float, rise_time: float, **damping: float) -> dict[str, Any]:
    """Return the system of a flexible bar (body "bar") whose start is turned about an axle up to a speed.

    Args:
        name: of the system.
        speed: in the end, in rad/s.
        rise_time: in s.
        damping: of the part.
    """
    between = {"first": "ground.axle", "second": "bar.start"}
    time_history = {"kind": "haversine", "rise_time": rise_time}
    return {
        "name": name,
        "ground": [{"name": "axle"}],
        "parts": [{"kind": "flexible", "name": "bar", "body": "bar", "frame": "start", **damping}],
        "constraints": [
            {"kind": "revolute", "name": "axle", **between},
            {
                "kind": "prescribed_angular_speed",
                "name": "drive",
                **between,
                "speed": speed,
                "time_history": time_history,
            },
        ],
    }


def system_project(
    name: str,
    note: str,
    system: Mapping[str, Any],
    analyses: Sequence[Mapping[str, Any]],
    bodies: Sequence[Mapping[str, Any]] = (),
    units: UnitSystemName = "m-kg-s",
) -> Project:
    """Return a project of one multibody system.

    Args:
        name, note: of the project.
        system: the system's decisions.
        analyses: motions; the system's name goes without saying.
        bodies: with the file names of decks that come with the program.
        units: unit system.
    """
    folder = files("faying_resources") / "examples"
    words = {
        "name": name,
        "note": note,
        "units": units,
        "bodies": [{**body, "model": {"path": str(folder / body["model"]["path"])}} for body in bodies],
        "systems": [system],
        "analyses": [{"kind": "motion", "system": system["name"], **analysis} for analysis in analyses],
    }
    project: Project = build(Project, words)
    return with_digests(project, Path(str(folder)))


def curves(run: ExampleRun, analysis: str, *names: str, project: Project | None = None) -> list[np.ndarray]:
    """Return the time (n_frames,), then the curves of those names, of the project or of a variant of it."""
    with closing(run.results(analysis, project)) as results:
        return [results.values, *(results.curve(name) for name in names)]


def fixed_interface_frequencies(body: ReducedBody) -> np.ndarray:
    """Return (k,) natural frequencies, in cycles per time, of a reduced body whose interface nodes are all held."""
    held = body.clamped_to(next(iter(body.interfaces)))
    free = la.null_space(np.vstack(list(held.interfaces.values())))
    values = la.eigh(free.T @ held.stiffness @ free, free.T @ held.mass @ free, eigvals_only=True)
    return np.asarray(np.sqrt(values) / (2.0 * np.pi))
