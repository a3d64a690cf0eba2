"""Stresses of examples in their joints, reduced against unreduced."""

from contextlib import closing
from dataclasses import dataclass

import numpy as np

from faying.analyses.held import HeldAnalysis
from faying.examples import ExampleRun
from faying.fem.stress import StressRecovery
from faying.project.specs import Project


@dataclass(frozen=True)
class JointErrors:
    """Errors over the slave nodes of the loaded part of a joint: ‖x_reduced − x_unreduced‖ / ‖x_unreduced‖.

    Attributes:
        stress: of the stress tensors, averaged at the nodes.
        pressure: of the contact pressures.
    """

    stress: float
    pressure: float


def joint_errors(
    run: ExampleRun, reduced: str, unreduced: str, project: Project | None = None, loaded: float = 0.5
) -> JointErrors:
    """Return what reduction changes in the first joint.

    Args:
        run: of the example.
        reduced, unreduced: names of the analyses, of the same loads; their last frames count.
        project: a variant for the reduced one.
        loaded: share of the largest unreduced pressure above which a contact pair counts as loaded.
    """
    joint, recovery = run.project.bodies[0].joints[0], StressRecovery(run.value("model"))
    analysis = run.project.analysis(reduced)
    assert isinstance(analysis, HeldAnalysis)
    pairs = run.value("pairs", joint.name)
    with closing(run.results(unreduced)) as results:
        displacement = results.displacement(results.n_frames - 1)
        found = results.gap_and_slip(joint.name, results.n_frames - 1)
        assert displacement is not None and found is not None
        full, gap = recovery.at_nodes(displacement), found[0]
    held = analysis.held_body(run.value("body", project=project))
    with closing(run.results(reduced, project)) as results:
        coordinates = results.coordinates(results.n_frames - 1)
        assert coordinates is not None
        small = recovery.at_nodes(held.displacements @ coordinates)
        rows = held.joints[0]
        small_gap = rows.initial_gaps + rows.normal @ coordinates
    law = joint.contact_law.loaded()
    pressure, small_pressure = (law.pressure(g)[0] for g in (gap, small_gap))
    chosen = pressure > loaded * pressure.max()
    nodes = pairs.slave_nodes[chosen]
    return JointErrors(_error(small[nodes], full[nodes]), _error(small_pressure[chosen], pressure[chosen]))


def _error(found: np.ndarray, exact: np.ndarray) -> float:
    return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))
