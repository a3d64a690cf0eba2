"""Stresses of examples in their joints, reduced against unreduced."""

from contextlib import closing

import numpy as np

from faying.analyses.held import HeldAnalysis
from faying.examples import ExampleRun
from faying.fem.stress import StressRecovery
from faying.project.specs import Project

# Contact pairs with more than this share of the largest pressure count as loaded.
_LOADED = 0.5


def joint_stress_error(
    run: ExampleRun, reduced: str, unreduced: str, project: Project | None = None
) -> float:
    """Return ‖σ_reduced − σ_unreduced‖ / ‖σ_unreduced‖ over the slave nodes of the loaded part of the first joint.

    Stress tensors are averaged at the nodes. Loaded is where the unreduced pressure is more than half of the
    largest.

    Args:
        run: of the example.
        reduced, unreduced: names of the analyses, of the same loads; their last frames count.
        project: a variant for the reduced one.
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
    pressure, _ = joint.contact_law.loaded().pressure(gap)
    nodes = pairs.slave_nodes[pressure > _LOADED * pressure.max()]
    return float(np.linalg.norm(small[nodes] - full[nodes]) / np.linalg.norm(full[nodes]))
