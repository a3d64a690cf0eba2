"""The cap joint of the slider-crank over time: fewer and more joint modes, with and without preload mode.

Thesis sections 4.2.1 to 4.2.3, figures 4.20 and 4.26 to 4.29. Its error e(‖g_N‖) is a share of the value of the moment.
Here differences are shares of the largest value: our cap opens at each outer dead centre above 6500 rpm, and has hardly
any gaps left between.
"""

from contextlib import closing
from dataclasses import dataclass

import numpy as np

from faying.examples import ExampleRun
from faying.examples._systems import curves
from faying.examples.measured import largest_difference, with_body, with_joint_modes
from faying.examples.tables import Table

COUNTS = (10, 20, 40, 60)  # joint modes beside the preload mode
COUNTS_WITHOUT = (10, 40)  # joint modes alone
PART, FRAME, GAP_NORM, _FORCE = "rod", "big end", "rod: cap joint gap norm", "rod: cap joint normal force"
_TIMES = (0.0, 0.1, 0.15, 0.2, 0.25, 0.3)
_RISE = 0.25


@dataclass(frozen=True, eq=False)
class JointMotion:
    """One run: ‖g_N‖₂ (n,), normal force (n,) and pressures (n, n_pairs) of each frame."""

    gap_norm: np.ndarray
    force: np.ndarray
    pressure: np.ndarray

    def gap_norm_error(self, reference: "JointMotion") -> float:
        """Return the largest difference of ‖g_N‖₂, as a share of its largest value in the reference."""
        return largest_difference(self.gap_norm, reference.gap_norm)

    def force_error(self, reference: "JointMotion") -> float:
        """Return the largest difference of the normal force, likewise."""
        return largest_difference(self.force, reference.force)

    def pressure_error(self, reference: "JointMotion") -> float:
        """Return the root mean square difference of all pressures, as a share of that of the reference itself."""
        return float(np.linalg.norm(self.pressure - reference.pressure) / np.linalg.norm(reference.pressure))


def cap_joint_motion(run: ExampleRun, analysis: str, count: int, preload_modes: bool = True) -> JointMotion:
    """Return the cap joint in a run with so many joint modes, beside the preload mode or alone."""
    project = with_body(with_joint_modes(run.project, count=count), preload_modes=preload_modes)
    rows = run.value("body", project=project).clamped_to(FRAME).joints[0]
    with closing(run.results(analysis, project)) as results:
        rod, force = results.part(PART), results.curve(_FORCE)
        coordinates = [rod.coordinates(frame) for frame in range(results.n_frames)]
    gaps = rows.initial_gaps + np.stack([q for q in coordinates if q is not None]) @ rows.normal.T
    law = project.bodies[0].joints[0].contact_law
    return JointMotion(np.linalg.norm(gaps, axis=1), force, law.pressure(gaps)[0])


def gap_norm_table(run: ExampleRun, analysis: str) -> Table:
    """Return a row for each number of joint modes: ‖g_N‖₂ at some times, and its mean over the last revolutions."""
    rows = []
    for count in COUNTS:
        time, norm = curves(run, analysis, GAP_NORM, project=with_joint_modes(run.project, count=count))
        at = [_rounded(np.interp(t, time, norm)) for t in _TIMES]
        rows.append((count, *at, _rounded(norm[time >= _RISE].mean())))
    heads = ("joint modes", *(f"t = {1e3 * t:g} ms" for t in _TIMES), "mean from 250 ms on")
    return Table(heads, tuple(rows))


def preload_mode_table(run: ExampleRun, speeds: dict[str, str]) -> Table:
    """Return a row for each run and basis: differences from the most joint modes beside the preload mode.

    Args:
        run: of the example.
        speeds: what to call each analysis.
    """
    rows: list[tuple[str | int | float, ...]] = []
    for analysis, speed in speeds.items():
        reference = cap_joint_motion(run, analysis, COUNTS[-1])
        bases = [("with", g) for g in COUNTS] + [("without", g) for g in COUNTS_WITHOUT]
        for mode, count in bases:
            motion = cap_joint_motion(run, analysis, count, mode == "with")
            errors = (
                motion.gap_norm_error(reference),
                motion.force_error(reference),
                motion.pressure_error(reference),
            )
            largest = _rounded(motion.pressure.max())
            rows.append((speed, mode, count, *(_rounded(100.0 * error, 3) for error in errors), largest))
    of = (f"{what}, % off {COUNTS[-1]} with it" for what in ("‖g_N‖", "joint force", "pressures"))
    return Table(("run", "preload mode", "joint modes", *of, "largest pressure"), tuple(rows))


def _rounded(value: float, digits: int = 4) -> float:
    return float(f"{value:.{digits}g}")
