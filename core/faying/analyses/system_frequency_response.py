"""Frequency response of a system: its steady small motion about a state under harmonic loads at markers."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import SystemModel, analyses
from faying.analyses.frequency_response import operating_shape
from faying.analyses.harmonics.about_system_state import (
    AboutSystemState,
    placed_parts,
    placed_states,
    shape_sizes,
    swings,
)
from faying.analyses.harmonics.frequency_blocks import answers_at
from faying.analyses.harmonics.harmonic import HarmonicAnalysis
from faying.analyses.harmonics.loaded_system import LoadedSystemAnalysis, marker_rows, markers_of
from faying.analyses.harmonics.response_points import load_along, output_keys
from faying.errors import ModelError, SolveError
from faying.multibody.linearized import LinearizedSystem, linearized
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.results.curve_key import CurveKey, curve_texts
from faying.results.writer import ResultsWriter
from faying.units import amount

Vector = tuple[float, float, float]
_INFINITE = 1e-9  # of |λ|: nearer to an eigenvalue a response has no bounds
_FREE = 1e-6  # of the largest |λ|: a motion that nothing holds


@analyses.register("system_frequency_response")
class SystemFrequencyResponse(HarmonicAnalysis, LoadedSystemAnalysis, AboutSystemState):
    """Magnitude and phase of the motion of all markers over frequency, of the system linearised about a state.

    Constraints hold, contact and friction have their tangents, and where parts turn there are gyroscopic terms. The
    displacements of a part that turns are counted in the axes of its frame, which turn with it: about a steady rotation
    the response is exact, about any other motion that of coefficients that are frozen. Damping is that of the system.
    Frames are operating shapes under all loads together, at the instant of a period when they are largest; beside them
    is stored how they are a quarter of a period later.
    """

    is_linearised: ClassVar[bool] = True
    title: ClassVar[str] = "Frequency response of a system"

    each_load: bool = parameter(
        False, title="Each load by itself",
        meaning="Whether there are curves of the response to each load alone, as of a matrix of transfer functions; "
        "else all loads act together.",
    )  # fmt: skip

    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Find the state, linearise, and compute all frequencies; each is a frame."""
        about = self.state(system, PartialProgress(progress, 0.0, 0.3))
        built, at = about.built, about.state
        moving, still = markers_of(built)
        for problem in self.problems([*moving, *still]):
            raise problem
        small = linearized(built, at.q, at.v, at.all_multipliers, at.history, at.time, at.all_accelerations)
        eigenvalues = small.eigenvalues()[0]
        self._require_held(eigenvalues)
        columns = self.load_columns(built, at)
        columns = columns if self.each_load else columns.sum(axis=1, keepdims=True)
        loads = np.asarray(small.shapes.T @ columns)
        sizes = np.array([float(np.linalg.norm(load.force)) for load in self.acting])
        rows = marker_rows(built, at, moving)
        translations = np.arange(len(rows)) % 6 < 3
        outputs = np.asarray(rows @ small.shapes)
        told = np.ones(len(rows), bool) if self.motion == "displacement" else translations
        outputs_of = self._outputs(moving)
        keys = [*outputs_of, *(key.phase for key in outputs_of)]
        swinging = eigenvalues[eigenvalues.imag > _FREE * np.abs(eigenvalues).max(initial=0.0)]
        resonances = np.abs(swinging) / (2.0 * np.pi)
        frequencies = self.frequencies_round(resonances, np.maximum(-swinging.real / np.abs(swinging), 0.0))
        with ResultsWriter(
            target, axis="frequency", system=system.spec.name, sizes=shape_sizes(built), joints={},
            curves=keys, settings=self.model_dump(mode="json"), constants=placed_states(built, at.q),
        ) as writer:  # fmt: skip
            for frequency in frequencies:
                self._require_bounded(2.0j * np.pi * float(frequency), eigenvalues)
            found = answers_at(_Small(small, loads), frequencies, PartialProgress(progress, 0.3, 1.0))
            for frequency, x in zip(frequencies, found, strict=True):
                s = 2.0j * np.pi * float(frequency)
                moved = self.shown((outputs @ x)[told], s, sizes).T.ravel()
                values = [*np.abs(moved).tolist(), *np.angle(moved).tolist()]
                shape, later = operating_shape(small.shapes @ x.sum(axis=1))
                frames = placed_parts(built, at.q + shape) | swings(built, at.q, shape, later)
                writer.append(float(frequency), frames, curves=dict(zip(keys, values, strict=True)))
            unstable = eigenvalues[eigenvalues.real > 1e-6 * np.abs(eigenvalues).max(initial=0.0)]
            texts = curve_texts(keys)
            summary = {
                "frequencies": len(frequencies),
                "degrees_of_freedom": about.degrees,
                "linearised_frequencies": sorted(float(f) for f in resonances)[:20],
                "unstable_motions": len(unstable),
                **about.stability,
                "time": float(at.time),
                "places": {texts[key]: place for key, place in self._response_places(moving).items()},
            }
            writer.close(summary)
        progress.report(1.0, "frequency response")
        return summary

    def problems(self, markers: Collection[str]) -> Iterator[ModelError]:
        """Yield the errors that prevent a run.

        Args:
            markers: names of the system's markers, as part.marker.
        """
        yield from self.problems_of_loads(markers)
        acting, labels = self.acting, self.acting_labels
        for label in dict.fromkeys(label for label in labels if self.each_load and labels.count(label) > 1):
            yield ModelError(
                f"Two loads of the frequency response {self.name!r} are {label}, each to act by itself.",
                "Leave one out, or give each load one direction.",
            )
        yield from self.problems_of_stiffness(
            [(load.label, any(load.force)) for load in acting], self.each_load
        )
        if self.is_shaken and self.motion == "dynamic_stiffness":
            yield ModelError(
                f"The dynamic stiffness {self.name!r} is the force of a load over a displacement, and the acceleration "
                "of the ground is no force.",
                "Leave it out, or ask for displacements.",
            )

    def _outputs(self, markers: list[str]) -> list[CurveKey]:
        """Return the key of each output under each load, loads one after the other."""
        outputs = [key for name in markers for key in output_keys(self.motion, "marker", name)]
        return [replace(key, load=load) for load in self.load_labels for key in outputs]

    @property
    def load_labels(self) -> list[str]:
        """Names of the loads that responses are under, each by itself; [""] for all together."""
        return self.acting_labels if self.each_load else [""]

    def _response_places(self, markers: list[str]) -> dict[CurveKey, list[float]]:
        """Return for each curve the numbers of a `faying.plot.ResponsePlace`; markers are counted from 1."""
        each = range(len(output_keys(self.motion, "marker", "")))
        outputs = [(i + 1, k + 1) for i in range(len(markers)) for k in each]
        references = []
        for load in self.acting:
            direction, size = load_along((*load.force, *load.moment), load.phase)
            references.append((markers.index(load.marker) + 1, direction, size) if size else (0, 0, 1.0))
        if self.is_shaken:
            references.append((0, 0, 1.0))
        if not self.each_load:
            references = references if len(references) == 1 else [(0, 0, 1.0)]
        every = [[*output, *reference] for reference in references for output in outputs]
        return dict(zip(self._outputs(markers), every, strict=True))

    def _require_held(self, eigenvalues: np.ndarray) -> None:
        size = np.abs(eigenvalues)
        if not self.lowest_frequency and (size <= _FREE * size.max(initial=0.0)).any():
            raise ModelError(
                f"The range of the frequency response {self.name!r} begins at zero, and nothing holds some motion of "
                "the system, which loads make without bounds.",
                "Begin above zero, or hold the system.",
            )

    def _require_bounded(self, s: complex, eigenvalues: np.ndarray) -> None:
        if (np.abs(eigenvalues - s) <= _INFINITE * np.abs(s)).any() and s:
            raise SolveError(
                f"Without damping the response at the frequency {amount(s.imag / (2.0 * np.pi), 'frequency', 6)} "
                "has no bounds: the system vibrates with it.",
                "Give some damping, or another number of points.",
            )


@dataclass(frozen=True, eq=False)
class _Small:
    """The linearised system under modal loads (k, p); returns (k, p) complex amplitudes."""

    small: LinearizedSystem
    loads: np.ndarray

    @property
    def effort(self) -> float:
        """Number of floating-point operations per response."""
        return 8.0 / 3.0 * float(len(self.small.mass)) ** 3

    def answer(self, frequency: float) -> np.ndarray:
        """Return the amplitudes at a frequency."""
        return self.small.response(2.0j * np.pi * frequency, self.loads)
