"""Nonlinear mode of a body with contact and friction: frequency and damping of its free vibration over amplitude."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyModel, analyses, needed
from faying.analyses.harmonics.amplitude_range import AmplitudeRange
from faying.analyses.harmonics.damped_body import DampedBodyAnalysis
from faying.analyses.harmonics.periodic_analysis import FRICTION, OPENING, SLIPPING, PeriodicAnalysis
from faying.analyses.harmonics.periodic_body import PeriodicBody, periodic_body
from faying.errors import ModelError, SolveError
from faying.joints.fourier import FourierBasis
from faying.progress import PartialProgress, Progress
from faying.results.curve_key import CurveKey
from faying.results.writer import ResultsWriter
from faying.solvers.harmonic_balance import PeriodicMotion, nonlinear_mode

FREQUENCY = CurveKey("natural frequency", "frequency")
DAMPING, OF_BODY = CurveKey("damping ratio"), CurveKey("damping ratio of the body alone")
SIZE = CurveKey("modal amplitude")
KEYS = (FREQUENCY, DAMPING, OF_BODY, FRICTION, SIZE, SLIPPING, OPENING)


@analyses.register("nonlinear_mode")
class NonlinearMode(AmplitudeRange, PeriodicAnalysis, DampedBodyAnalysis):
    """Frequency and damping of the free vibration in one mode over its amplitude, with contact and friction.

    Free motion with friction decays. It is made periodic by a damping force −2ζωM q̇ that gives back what friction and
    damping take, so that frequency ω and damping ratio ζ follow at each amplitude, with the shape and the harmonics of
    the motion (Krack 2015, Nonlinear modal analysis of nonconservative systems, Comput. Struct. 154, 59-71). A negative
    ζ is self-excitation. Frames are states of the periodic motion, at the instant when its first harmonic is largest.
    """

    title: ClassVar[str] = "Nonlinear mode"

    def problems(self, body: BodyModel) -> Iterator[ModelError]:
        """Yield the errors in support, equilibrium and samples that prevent a run."""
        yield from self.problems_of_state(body.interface_nodes)
        yield from self.problems_of_samples()

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Follow the mode from the smallest amplitude to the largest; each amplitude is a frame."""
        for problem in self.problems(body):
            raise problem
        part = PartialProgress(progress, 0.0, 0.05, "equilibrium")
        found = periodic_body(body, self.support, self.preloads, self.equilibrium_frame, part)
        if self.mode > len(found.frequencies):
            raise ModelError(
                f"There is no mode {self.mode}: the reduced body has {len(found.frequencies)}.",
                "Choose a lower one, or keep more vibration modes in the reduction.",
            )
        shape = found.shapes[:, self.mode - 1]
        point = self.point_of(found.held.displacements, found.held.interfaces, needed(body.model), shape)
        row = found.shapes.T @ point.row
        later = found.frequencies[self.mode :]
        basis = self.first_basis(later[0] / found.frequencies[self.mode - 1] if len(later) else 1.0)
        summary: dict[str, Any] = {
            "mode": self.mode, "stuck_frequency": float(found.frequencies[self.mode - 1]),
            "amplitude_of": point.name,
        }  # fmt: skip
        with ResultsWriter(
            target, axis="amplitude", body=body.name, frame=self.support, curves=KEYS,
            sizes=found.sizes(self.highest_harmonic), joints=found.joint_sizes(), flush_every=1,
            settings=self.model_dump(mode="json"),
        ) as writer:  # fmt: skip
            summary |= self._follow(found, row, basis, writer, PartialProgress(progress, 0.05, 1.0))
            writer.close(summary)
        progress.report(1.0, self.title)
        return summary

    def _follow(
        self,
        found: PeriodicBody,
        row: np.ndarray,
        basis: FourierBasis,
        writer: ResultsWriter,
        progress: Progress,
    ) -> dict[str, Any]:
        """Write a frame for each amplitude; returns entries of the report."""
        problem = found.problem(self.damping, basis)
        unit = np.eye(problem.r)[self.mode - 1]
        omega = 2.0 * np.pi * float(found.frequencies[self.mode - 1])
        rows: list[dict[str, float]] = []
        notable: dict[str, Any] = {}
        amplitudes = self.amplitudes
        growth = self.growth(found, row[None], np.zeros(problem.r))
        worst = 0.0
        try:
            for motion in nonlinear_mode(
                problem,
                amplitudes.tolist(),
                unit,
                omega,
                found.rest,
                measure=np.outer(row, row),
                enough=growth,
            ):
                basis = problem.of_motion(motion).basis
                told = found.responses(motion.coefficients, basis, motion.frequency)
                worst = max([worst, *(each.closure for each in told if each.slipping)])
                amplitude = float(amplitudes[len(rows)])
                for name, each in zip(found.names, told, strict=True):
                    if each.slides:
                        notable.setdefault("slides_as_a_whole", {}).setdefault(name, amplitude)
                if motion.damping < 0.0:
                    notable.setdefault("grows_from", amplitude)
                values = _numbers(motion, problem.damping)
                values[FRICTION] = float(sum(each.work.sum() for each in told))
                values[SLIPPING] = float(sum(each.slipping for each in told))
                values[OPENING] = float(sum(each.opening for each in told))
                # The state at θ = 0, when the first harmonic is largest.
                frame = found.frame_of(motion.coefficients, basis, motion.frequency, told)
                frame = replace(frame, coefficients=growth.padded(motion.coefficients))
                writer.append(amplitude, found.frame(frame), curves=values)
                rows.append({"amplitude": amplitude, **{key.quantity: values[key] for key in KEYS}})
                progress.report(len(rows) / len(amplitudes), f"{len(rows)} of {len(amplitudes)}")
        except SolveError as error:
            hint = found.changing_pairs + error.hint
            if not rows:
                raise SolveError(error.message, hint) from error
            return {
                "backbone": rows, "largest_closure": worst, **notable, **growth.report,
                "trouble": [f"The mode ends after {len(rows)} amplitudes. {error.message} {hint}"],
            }  # fmt: skip
        return {"backbone": rows, "largest_closure": worst, **notable, **growth.report}


def _numbers(motion: PeriodicMotion, damping: np.ndarray) -> dict[CurveKey, float]:
    """Return frequency, damping ratios and modal amplitude of a motion over mass-normalised modes."""
    first = motion.fundamental
    size = float(np.linalg.norm(first))
    of_body = float((first.conj() @ damping @ first).real) / (2.0 * motion.frequency * size**2)
    return {
        FREQUENCY: motion.frequency / (2.0 * np.pi), DAMPING: motion.damping, OF_BODY: of_body, SIZE: size,
    }  # fmt: skip
