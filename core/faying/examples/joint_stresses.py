"""Stresses and pressures of examples in their joints, reduced and corrected, against unreduced."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from faying.analyses.fe_correction import FeCorrection
from faying.analyses.static import Static
from faying.analyses.unreduced_static import UnreducedStatic
from faying.examples import ExampleRun, Expected
from faying.examples.measured import with_method
from faying.examples.projects import CORRECTED, RICH, no_error
from faying.examples.tables import Table
from faying.fem.stress import StressRecovery
from faying.project.specs import Project
from faying.results.results import Results

RICH_BASIS = {"kind": "equilibrium_snapshots", "count": 60}
LOADED = 0.1  # share of the largest unreduced pressure above which a contact pair counts as loaded


@dataclass(frozen=True)
class JointErrors:
    """Errors over the slave nodes of the loaded part of a joint: ‖x_reduced − x_unreduced‖ / ‖x_unreduced‖.

    Attributes:
        stress: of the stress tensors, averaged at the nodes.
        pressure: of the contact pressures.
    """

    stress: float
    pressure: float


@dataclass(frozen=True)
class Correction:
    """What a correction on the FE model does to the errors of a load.

    Attributes:
        before, after: errors of the reduced and of the corrected frame.
        count: number of corrections.
        first: share of the first one in the energy norm.
    """

    before: JointErrors
    after: JointErrors
    count: int
    first: float


def joint_errors(
    run: ExampleRun, reduced: str, unreduced: str, project: Project | None = None, loaded: float = 0.5
) -> JointErrors:
    """Return what reduction changes in the first joint.

    Args:
        run: of the example.
        reduced, unreduced: names of the analyses, of the same loads; their last frames count. The first one may be a
            correction on the FE model.
        project: a variant that has them; the unreduced one is the run's own where its project has it.
        loaded: share of the largest unreduced pressure above which a contact pair counts as loaded.
    """
    joint, recovery = run.project.bodies[0].joints[0], StressRecovery(run.value("model"))
    own = any(analysis.name == unreduced for analysis in run.project.analyses)
    with closing(run.results(unreduced, None if own else project)) as results:
        displacement, gap = _last_frame(run, unreduced, results, project)
    full = recovery.at_nodes(displacement)
    with closing(run.results(reduced, project)) as results:
        displacement, small_gap = _last_frame(run, reduced, results, project)
    small = recovery.at_nodes(displacement)
    law = joint.contact_law.loaded()
    pressure, small_pressure = (law.pressure(g)[0] for g in (gap, small_gap))
    chosen = pressure > loaded * pressure.max()
    nodes = np.unique(run.value("pairs", joint.name).slave_shares[0][chosen])
    return JointErrors(_error(small[nodes], full[nodes]), _error(small_pressure[chosen], pressure[chosen]))


def corrections(
    run: ExampleRun,
    method: Mapping[str, Any],
    loads: Mapping[str, Mapping[str, Any]],
    common: Mapping[str, Any],
) -> dict[str, Correction]:
    """Return what corrections do to static analyses in one load step, without friction, by the load's name.

    Args:
        run: of the example.
        method: of the joint modes.
        loads: by name.
        common: what the analyses have in common: body, support, preload cases.
    """
    body, smooth = common["body"], {"friction": False}
    reduced = {**common, **smooth, "error_estimate": False}  # the correction tells it
    analyses: list[Any] = []
    for name, load in loads.items():
        analyses += [
            Static.model_validate({**reduced, "name": f"{name} reduced", "loads": [load]}),
            UnreducedStatic.model_validate(
                {**common, **smooth, "name": f"{name} unreduced", "loads": [load]}
            ),
            FeCorrection(name=f"{name} corrected", body=body, corrects=f"{name} reduced"),
        ]
    variant = with_method(run.project, **method).with_(analyses=tuple(analyses))
    found = {}
    for name in loads:
        before, after = (
            joint_errors(run, f"{name} {which}", f"{name} unreduced", variant, LOADED)
            for which in ("reduced", "corrected")
        )
        with closing(run.results(f"{name} corrected", variant)) as results:
            report = results.report
        found[name] = Correction(before, after, report["corrections"][0], report["largest_correction"])
    return found


def joint_expectations(
    stress: float, pressure: float, loads: str = "", why: str = ""
) -> tuple[Expected, ...]:
    """Return what `worst_errors` is expected to be at most.

    Args:
        stress, pressure: largest errors of the reduced frames.
        loads: which ones, after a comma.
        why: what is to be said of the pressures, after a comma.
    """
    return (
        no_error(
            "joint_stress_error_60_snapshots", stress,
            f"stress tensors at the slave nodes with more than a tenth of the largest pressure{loads}; {RICH}",
        ),
        no_error("joint_pressure_error_60_snapshots", pressure, f"pressures likewise{why}; {RICH}"),
        no_error("joint_stress_error_corrected", 0.001, f"the same stresses after {CORRECTED}"),
        no_error("joint_pressure_error_corrected", 0.001, f"the same pressures after {CORRECTED}"),
    )  # fmt: skip


def worst_errors(found: Mapping[str, Correction]) -> dict[str, float]:
    """Return the largest errors under all loads by their names in examples with 60 equilibrium snapshots."""
    before, after = [c.before for c in found.values()], [c.after for c in found.values()]
    return {
        "joint_stress_error_60_snapshots": max(errors.stress for errors in before),
        "joint_pressure_error_60_snapshots": max(errors.pressure for errors in before),
        "joint_stress_error_corrected": max(errors.stress for errors in after),
        "joint_pressure_error_corrected": max(errors.pressure for errors in after),
    }


def correction_table(found: Mapping[str, Mapping[str, Correction]]) -> Table:
    """Return the errors before and after for each basis and load."""
    rows: list[tuple[str | int | float, ...]] = []
    for basis, of_loads in found.items():
        for load, c in of_loads.items():
            before = (c.before.stress, c.before.pressure, c.first)
            shares = [round(100 * e, 3) for e in (*before, c.after.stress, c.after.pressure)]
            rows.append((basis, load, *shares[:3], c.count, *shares[3:]))
    heads = (
        "joint modes", "load", "stress, reduced, %", "pressure, reduced, %", "first correction, energy norm, %",
        "corrections", "stress, corrected, %", "pressure, corrected, %",
    )  # fmt: skip
    return Table(heads, tuple(rows))


def _last_frame(
    run: ExampleRun, name: str, results: Results, project: Project | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return (3 n_nodes,) displacements and (n_pairs,) gaps of the first joint at the last frame."""
    last, joint = results.n_frames - 1, run.project.bodies[0].joints[0].name
    displacement, stored = results.displacement(last), results.gap_and_slip(joint, last)
    if displacement is not None and stored is not None:
        return displacement, stored[0]
    analysis = (project or run.project).analysis(name)
    assert isinstance(analysis, Static)
    held = analysis.clamped_body(run.value("body", project=project))
    coordinates = results.coordinates(last)
    assert coordinates is not None
    rows = held.joints[0]
    return held.displacements @ coordinates, rows.initial_gaps + rows.normal @ coordinates


def _error(found: np.ndarray, exact: np.ndarray) -> float:
    return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))
