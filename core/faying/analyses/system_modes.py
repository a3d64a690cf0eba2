"""Vibration modes of a system about a state: frequency, damping, and where the energy is."""

from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from faying.analyses import SystemModel, analyses
from faying.analyses.harmonics.about_system_state import (
    AboutSystemState,
    placed_parts,
    placed_states,
    scaled_shape,
    shape_sizes,
    swings,
)
from faying.errors import ModelError
from faying.multibody.joint_springs import springs_in_joints
from faying.multibody.linearized import LinearizedSystem, Vibrations, linearized, moved_on
from faying.multibody.mode_energies import mode_shares
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.results.curve_key import CurveKey
from faying.results.writer import ResultsWriter

DAMPING, DAMPED = CurveKey("damping ratio"), CurveKey("damped frequency", "frequency")
_FREE = 1e-7  # of the highest natural frequency: below, it is round-off of zero
_SWINGS = 1e-6  # of |λ|, as the imaginary part of a motion that vibrates
_GROWS = 1e-6  # of |λ|, as the real part of a motion that grows


@analyses.register("system_modes")
class SystemModes(AboutSystemState):
    """Complex vibration modes of a system in small motion about a state, with all of its damping.

    Constraints hold, contact between parts has its tangent, and where parts turn there are gyroscopic terms: about a
    steady rotation modes are those seen from the parts' frames, about any other motion those of coefficients that are
    frozen. The frequency is |λ|/2π and the damping ratio −Re λ/|λ| of the eigenvalue λ. Each mode is a frame, at the
    instant of its period when it is largest, with the shape a quarter of a period later next to it.

    Curves over the modes are shares of the kinetic and of the potential energy, and contributions to the damping ratio,
    of parts, joints, forces and contacts (see `faying.multibody.mode_energies`).
    """

    is_linearised: ClassVar[bool] = True
    title: ClassVar[str] = "Modes of a system"
    order: ClassVar[int] = 0

    count: int = parameter(10, title="Number of modes", ge=1, le=10000, meaning="Of the lowest ones.")
    sticking: Literal["tangent", "stuck", "sliding", "open"] = parameter(
        "tangent", title="Joints inside parts",
        meaning="Closed pairs of the joints of flexible parts: with the tangent of contact and friction in the state; "
        "as springs of which all also hold each other sideways (stuck), or none (sliding); or no pair resists (open).",
    )  # fmt: skip

    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Find the state, linearise, and write a frame for each mode."""
        about = self.state(system, PartialProgress(progress, 0.0, 0.6))
        built, at = about.built, about.state
        springs = (
            None if self.sticking == "tangent" else springs_in_joints(built, at.q, at.history, self.sticking)
        )
        small = linearized(
            built, at.q, at.v, at.all_multipliers, at.history, at.time, at.all_accelerations, springs
        )
        progress.report(0.7, "eigenvalues")
        found, report = _sorted(small, self.count)
        shares = list(mode_shares(built, at.q, at.v, at.all_multipliers, at.history, found, at.time, springs))
        curves = {DAMPED: found.eigenvalues.imag / (2.0 * np.pi), DAMPING: found.damping}
        curves |= {CurveKey(s.quantity, "", s.kind, s.owner, part=s.part): s.values for s in shares}
        report |= {
            "modes": [
                {"frequency": f, "damped frequency": float(d), "damping ratio": float(z)}
                for f, d, z in zip(
                    found.frequencies.tolist(), curves[DAMPED], curves[DAMPING], strict=True
                )
            ],
            "degrees_of_freedom": about.degrees, "joints_inside_parts": self.sticking, "time": float(at.time),
            **about.stability,
        }  # fmt: skip
        labels = tuple(f"mode {k + 1}" for k in range(len(found.eigenvalues)))
        with ResultsWriter(
            target, axis="mode", system=system.spec.name, sizes=shape_sizes(built), joints={}, curves=list(curves),
            settings=self.model_dump(mode="json"), constants=placed_states(built, at.q), labels=labels,
        ) as writer:  # fmt: skip
            for k, frequency in enumerate(found.frequencies):
                now, later = scaled_shape(built, found.shapes[:, k])
                frame = placed_parts(built, moved_on(built, at.q, now)) | swings(built, at.q, now, later)
                values = {key: float(curve[k]) for key, curve in curves.items()}
                writer.append(float(frequency), frame, curves=values)
            writer.close(report)
        progress.report(1.0, "modes")
        return report


def _sorted(small: LinearizedSystem, count: int) -> tuple[Vibrations, dict[str, Any]]:
    """Return the lowest vibrations, and entries of the report about all other motions.

    Raises:
        ModelError: when nothing vibrates.
    """
    found = small.vibrations()
    values, size = found.eigenvalues, np.abs(found.eigenvalues)
    free = size <= _FREE * size.max(initial=0.0)
    vibrates = ~free & (values.imag > _SWINGS * size)
    still = ~free & ~vibrates
    stiffness = np.abs(
        np.diag(small.stiffness) / np.diag(small.mass)
    )  # coordinates are modes without damping
    report: dict[str, Any] = {
        "motions_without_resistance": int(
            np.count_nonzero(stiffness <= _FREE**2 * stiffness.max(initial=0.0))
        ),
        "motions_that_creep_back": int(np.count_nonzero(still & (values.real < 0.0))),
        "motions_that_depart": int(np.count_nonzero(still & (values.real > 0.0))),
    }
    chosen = np.flatnonzero(vibrates)[:count]
    if not len(chosen):
        raise ModelError(
            "Nothing in the system vibrates: no spring, weight or elasticity brings any of its motions back, or all "
            "of them are overdamped.",
            "Add what holds the parts, or choose another state.",
        )
    grows = values[chosen].real > _GROWS * size[chosen]
    if grows.any():
        report["modes_that_grow"] = (np.flatnonzero(grows) + 1).tolist()
    return Vibrations(values[chosen], found.shapes[:, chosen]), report
