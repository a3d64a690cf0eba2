"""Nonlinear mode of a body with contact and friction: frequency and damping of its free vibration over amplitude."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from pydantic import field_validator

from faying.analyses import BodyModel, analyses, needed
from faying.analyses.harmonic_balance import WORK
from faying.analyses.harmonics.amplitude_range import AmplitudeRange
from faying.analyses.harmonics.periodic_body import PeriodicBody, periodic_body
from faying.analyses.statics.load_case import LoadCase
from faying.errors import ModelError, SolveError
from faying.joints.fourier import FourierBasis, samples_for
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.body import no_interface_node
from faying.results.curve_key import CurveKey
from faying.results.names import path_of
from faying.results.writer import ResultsWriter
from faying.solvers.harmonic import Damping
from faying.solvers.harmonic_balance import PeriodicMotion, nonlinear_mode

FREQUENCY = CurveKey("natural frequency", "frequency")
DAMPING, OF_BODY = CurveKey("damping ratio"), CurveKey("damping ratio of the body alone")
FRICTION = CurveKey("work of friction per cycle", "energy")
SIZE = CurveKey("modal amplitude")
SLIPPING, OPENING = CurveKey("slipping pairs"), CurveKey("opening pairs")
KEYS = (FREQUENCY, DAMPING, OF_BODY, FRICTION, SIZE, SLIPPING, OPENING)


@analyses.register("nonlinear_mode")
class NonlinearMode(AmplitudeRange):
    """Frequency and damping of the free vibration in one mode over its amplitude, with contact and friction.

    Free motion with friction decays. It is made periodic by a damping force −2ζωM q̇ that gives back what friction and
    damping take, so that frequency ω and damping ratio ζ follow at each amplitude, with the shape and the harmonics of
    the motion (Krack 2015, Nonlinear modal analysis of nonconservative systems, Comput. Struct. 154, 59-71). A negative
    ζ is self-excitation. Frames are states of the periodic motion, at the instant when its first harmonic is largest.
    """

    title: ClassVar[str] = "Nonlinear mode"
    follows: ClassVar[tuple[str, ...]] = ("static",)
    needs_model: ClassVar[bool] = True

    support: str = parameter(
        "", title="Held at", choices="interface",
        meaning="Interface node whose six dofs are held; none for the free body.",
    )  # fmt: skip
    mass_damping: float = parameter(
        0.0, title="Mass damping", quantity="frequency", ge=0.0, meaning="α of a damping matrix α M + β K."
    )
    stiffness_damping: float = parameter(
        0.0, title="Stiffness damping", quantity="time", ge=0.0,
        meaning="β of a damping matrix α M + β K, with K of the body without its joints, as in transient analyses.",
    )  # fmt: skip
    modal_damping: tuple[float, ...] = parameter(
        (), title="Modal damping",
        meaning="Damping ratios of the vibration modes with stuck joints, lowest first; the last one counts for all "
        "that follow.",
    )  # fmt: skip
    equilibrium: str = parameter(
        "", title="About", choices="analysis",
        meaning="Static analysis of the same body about which it vibrates, with the history of its friction. Empty for "
        "the body under its preload cases alone.",
    )  # fmt: skip
    equilibrium_frame: int = parameter(
        -1, title="Frame of it", ge=-1,
        meaning="Number of its frame, a load step, from 0; −1 for the last one.",
    )  # fmt: skip
    preloads: tuple[str, ...] = parameter(
        (), title="Preload cases", choices="preload",
        meaning="Preload cases under which the body rests, where there is no static analysis.",
    )  # fmt: skip
    harmonics: int = parameter(
        5, title="Harmonics", ge=1, le=101, meaning="The highest harmonic of the motion."
    )
    samples: int = parameter(
        0, title="Samples", ge=0, le=100000,
        meaning="Samples of a period at which contact and friction are evaluated; 0 for 64, or 16 for each harmonic "
        "if that is more.",
    )  # fmt: skip

    @field_validator("modal_damping")
    @classmethod
    def _not_negative(cls, ratios: tuple[float, ...]) -> tuple[float, ...]:
        if min(ratios, default=0.0) < 0.0:
            raise ValueError("damping ratios are not negative")
        return ratios

    @property
    def damping(self) -> Damping:
        """What damps the body in addition to its joints."""
        return Damping(self.mass_damping, self.stiffness_damping, 0.0, self.modal_damping)

    def predecessors(self) -> tuple[str, ...]:
        """Return the static analysis about which the body vibrates, if there is one."""
        return (self.equilibrium,) if self.equilibrium else ()

    def load_cases(self) -> tuple[LoadCase, ...]:
        """Return the support and preload at which the body vibrates."""
        return () if self.equilibrium else (LoadCase(self.support, self.preloads, inertia=True),)

    def problems(self, body: BodyModel) -> Iterator[ModelError]:
        """Yield the errors in support, equilibrium and samples that prevent a run."""
        if self.support and self.support not in body.interface_nodes:
            yield no_interface_node(self.support, body.interface_nodes)
        if self.equilibrium and self.preloads:
            yield ModelError(
                f"{self.name!r} is about the equilibrium of {self.equilibrium!r}, which has preload cases of its own.",
                "Leave its preload cases out, or choose no static analysis.",
            )
        if 0 < self.samples <= 2 * self.harmonics:
            yield ModelError(
                f"{self.samples} samples of a period are too few for {self.harmonics} harmonics.",
                f"Take {samples_for(self.harmonics)}, or 0 for that number.",
            )

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
        basis = FourierBasis(self.harmonics, self.samples or samples_for(self.harmonics))
        r = found.held.n_coordinates
        joints = {
            name: {WORK: (len(h),), **({"history": h.shape} if h.shape[1] else {})}
            for name, h in zip(found.names, found.histories, strict=True)
        }
        summary: dict[str, Any] = {
            "mode": self.mode, "stuck_frequency": float(found.frequencies[self.mode - 1]),
            "amplitude_of": point.name, "harmonics": basis.harmonics, "samples": basis.samples,
        }  # fmt: skip
        with ResultsWriter(
            target, axis="amplitude", body=body.name, frame=self.support, curves=KEYS,
            sizes={"coordinates": r, "coefficients": (basis.size, r)}, joints=joints, flush_every=1,
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
        worst = 0.0
        try:
            for motion in nonlinear_mode(
                problem, self.amplitudes.tolist(), unit, omega, found.rest, measure=np.outer(row, row)
            ):
                told = found.responses(motion.coefficients, basis, motion.frequency)
                worst = max([worst, *(each.closure for each in told if each.slipping)])
                amplitude = float(self.amplitudes[len(rows)])
                values = _numbers(motion, problem.damping)
                values[FRICTION] = float(sum(each.work.sum() for each in told))
                values[SLIPPING] = float(sum(each.slipping for each in told))
                values[OPENING] = float(sum(each.opening for each in told))
                # The state at θ = 0, when the first harmonic is largest, after the last sample of the period.
                q = motion.coefficients.T @ basis.values[0]
                of_joints = {}
                for name, each, joint in zip(found.names, told, found.joints, strict=True):
                    of_joints[path_of("joints", name, WORK)] = each.work / joint.rows.weights
                    step = 2.0 * np.pi / (motion.frequency * basis.samples)
                    history = joint.evaluate(q, each.pairs.history, step, jacobian=False).history
                    if history.shape[1]:
                        of_joints[path_of("joints", name, "history")] = history
                writer.append(
                    amplitude, of_joints, curves=values, coordinates=found.coordinates(q),
                    coefficients=found.coordinates(motion.coefficients),
                )  # fmt: skip
                rows.append({"amplitude": amplitude, **{key.quantity: values[key] for key in KEYS}})
                progress.report(len(rows) / self.points, f"{len(rows)} of {self.points}")
        except SolveError as error:
            if not rows:
                raise
            return {
                "backbone": rows, "largest_closure": worst,
                "trouble": [f"The mode ends after {len(rows)} amplitudes. {error.message} {error.hint}"],
            }  # fmt: skip
        return {"backbone": rows, "largest_closure": worst}


def _numbers(motion: PeriodicMotion, damping: np.ndarray) -> dict[CurveKey, float]:
    """Return frequency, damping ratios and modal amplitude of a motion over mass-normalised modes."""
    first = motion.fundamental
    size = float(np.linalg.norm(first))
    of_body = float((first.conj() @ damping @ first).real) / (2.0 * motion.frequency * size**2)
    return {
        FREQUENCY: motion.frequency / (2.0 * np.pi), DAMPING: motion.damping, OF_BODY: of_body, SIZE: size,
    }  # fmt: skip
