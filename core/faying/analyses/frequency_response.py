"""Frequency response of a body to harmonic loads, reduced and of the FE model, with joints as linear springs."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyModel, analyses, needed
from faying.analyses.harmonics.frequency_blocks import answers_at
from faying.analyses.harmonics.harmonic import HarmonicAnalysis
from faying.analyses.harmonics.joint_springs import springs_about
from faying.analyses.harmonics.linearized_body import (
    NO_FE_MODEL,
    LinearizedAnalysis,
    elastic,
    fe_problem,
    stiffness_with,
)
from faying.analyses.harmonics.loaded_body import LoadedBodyAnalysis
from faying.analyses.harmonics.response_points import (
    HarmonicLoadSpec,
    PointRows,
    full_points,
    load_columns,
    reduced_points,
    rigid_points,
)
from faying.analyses.statics.supports import no_motion_as_a_whole
from faying.errors import ModelError
from faying.joints.linearized import PairSprings
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.body import ReducedBody
from faying.reduction.quality import transfer_error
from faying.reduction.responses import free_responses, held_responses, response_basis
from faying.results.curve_key import CurveKey, curve_texts
from faying.results.writer import ResultsWriter
from faying.solvers.harmonic import HarmonicModes

ERROR = CurveKey("transfer error")


@analyses.register("frequency_response")
class FrequencyResponse(HarmonicAnalysis, LoadedBodyAnalysis, LinearizedAnalysis):
    """Magnitude and phase of the motion of interface nodes and other points over frequency, under harmonic loads.

    Joints are linearised about a static equilibrium: closed pairs are springs. Frames are operating shapes of the
    reduced body under all loads together, at the instant of a period when they are largest; the shapes a quarter of a
    period later are stored with them. With the FE model, curves named "full" are its responses, by all modes up to
    three times the range and the residual flexibility of the others, and the curve "transfer error" is the difference
    of the reduced body from them, in the norm over all displacements of nodes.
    """

    title: ClassVar[str] = "Frequency response"

    each_load: bool = parameter(
        False, title="Each load by itself",
        meaning="Whether there are curves of the response to each load alone, as of a matrix of transfer functions; "
        "else all loads act together.",
    )  # fmt: skip
    rigid_motion: bool = parameter(
        True, title="Motion as a whole", advanced=True,
        meaning="Whether the curves of a free body contain its motion as a whole, which is infinite at frequency zero; "
        "without it they are of the deformation alone.",
    )  # fmt: skip
    full: bool = parameter(
        True, title="FE model beside it", meaning="Whether to compute the responses of the FE model as well."
    )

    @property
    def uses_matrices(self) -> bool:
        """The parameter `full`."""
        return self.full

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Compute the modes, then all frequencies; each is a frame."""
        free = needed(body.reduced)
        for problem in self.problems(body.interface_nodes, [joint.name for joint in body.joints]):
            raise problem
        held = free.clamped_to(self.support)
        part = PartialProgress(progress, 0.0, 0.1, "equilibrium")
        springs = springs_about(body, held, self.preloads, self.equilibrium_frame, self.sticking, part)
        one = self._reduced(body, held, springs)
        compares = self.full and body.matrices is not None
        full = self._full(body, springs, PartialProgress(progress, 0.1, 0.8)) if compares else None
        rigid = self._as_a_whole(body, free)
        both = [one] if full is None else [one, full]
        resonances = np.concatenate([model.modes.frequencies for model in both])
        ratios = np.concatenate([model.modes.damping.ratios(model.modes.frequencies) for model in both])
        at = self.frequencies_round(resonances, ratios)
        outputs = self._outputs(one.places)
        keys = [*outputs, *(key.phase for key in outputs)]
        keys += [*(replace(key, full=True) for key in keys), ERROR] if full is not None else []
        shape = held.n_coordinates
        with ResultsWriter(
            target, axis="frequency", body=body.name, frame=self.support,
            sizes={"coordinates": shape, "quadrature": shape}, joints={}, curves=keys,
            settings=self.model_dump(mode="json"),
        ) as writer:  # fmt: skip
            worst = 0.0
            answers = answers_at(_Models(one, full), at, PartialProgress(progress, 0.8, 1.0))
            for frequency, (amplitudes, of_full) in zip(at, answers, strict=True):
                motions = [one.rows @ amplitudes]
                if of_full is not None:
                    motions.append(of_full)
                values: list[float] = []
                for motion in motions:
                    values += self._curve_values(
                        motion + rigid.at(frequency, self.mass_damping), frequency, one
                    )
                if full is not None:
                    moved, missed = (motion[None, one.translations] for motion in motions)
                    error = float(transfer_error(moved, missed)[0]) if np.any(missed) else 0.0
                    values.append(error)
                    worst = max(worst, error)
                now, later = operating_shape(one.modes.shapes @ amplitudes.sum(axis=1))
                curves = dict(zip(keys, values, strict=True))
                writer.append(float(frequency), curves=curves, coordinates=now, quadrature=later)
            summary: dict[str, Any] = {"frequencies": len(at), "reduced_modes": held.n_coordinates}
            texts = curve_texts(keys)
            summary["places"] = {texts[k]: at for k, at in self._response_places(body, one.places).items()}
            for joint, found in zip(body.joints, springs, strict=True):
                summary.setdefault("closed_pairs", {})[joint.name] = found.closed
                summary.setdefault("sticking_pairs", {})[joint.name] = found.sticking
            if springs:
                summary["linearised_frequencies"] = [float(f) for f in one.modes.frequencies[:20]]
                summary["sticking"] = self.sticking
            if self.full and full is None:
                summary["no_fe_model"] = NO_FE_MODEL
            if full is not None:
                summary["largest_transfer_error"] = worst
                summary["frequencies_of_fe_model"] = self._in_range(full.modes.frequencies)
                summary["frequencies_reduced"] = self._in_range(one.modes.frequencies)
            writer.close(summary)
        progress.report(1.0, "frequency response")
        return summary

    def _in_range(self, frequencies: np.ndarray) -> list[float]:
        """Return the lowest natural frequencies, as far as the range goes; those of motions without energy left out."""
        found = frequencies[elastic(frequencies)]
        return [float(f) for f in found[found <= self.highest_frequency][:20]]

    def problems(self, interfaces: Collection[str], joints: Collection[str] = ()) -> Iterator[ModelError]:
        """Yield the errors that prevent a run.

        Args:
            interfaces: names of the body's interface nodes.
            joints: names of its joints.
        """
        yield from self.problems_of_state(interfaces)
        yield from self.problems_of_loads(interfaces, joints)
        yield from self._problems_of_curves()
        if not self.support and self.rigid_motion and not self.lowest_frequency:
            yield ModelError(
                f"The range of the frequency response {self.name!r} begins at zero, where loads move the free body "
                "without bounds.",
                "Begin above zero, hold the body at an interface node, or leave out its motion as a whole.",
            )

    def _problems_of_curves(self) -> Iterator[ModelError]:
        labels = self._load_labels
        for label in dict.fromkeys(label for label in labels if self.each_load and labels.count(label) > 1):
            yield ModelError(
                f"Two loads of the frequency response {self.name!r} are {label}, each to act by itself.",
                "Leave one out, or give each load one direction.",
            )
        forces = [(self._load_label(load), any(load.force)) for load in self.moving_loads]
        forces += [(acting.load, True) for acting in self.acting_body_loads]
        yield from self.problems_of_stiffness(forces, self.each_load)
        if self.motion == "dynamic_stiffness" and self.acting_body_loads:
            yield ModelError(
                f"The dynamic stiffness {self.name!r} is a force over a displacement, and "
                f"{self.acting_body_loads[0].load!r} is a load of the body.",
                "Load an interface node, or ask for displacements.",
            )

    @property
    def _load_labels(self) -> list[str]:
        """Name of each load; loads of the body come last."""
        return [
            *map(self._load_label, self.moving_loads),
            *(acting.load for acting in self.acting_body_loads),
        ]

    def _load_label(self, load: HarmonicLoadSpec) -> str:
        pairs = {point.name for point in self.more_points if point.joint}
        return load.label(load.interface in pairs)

    def _outputs(self, places: list[PointRows]) -> list[CurveKey]:
        """Return the key of each output under each load, loads one after the other."""
        outputs = [key for place in places for key in place.keys(self.motion)]
        return [replace(key, load=load) for load in self.load_labels for key in outputs]

    @property
    def load_labels(self) -> list[str]:
        """Names of the loads that responses are under, each by itself; [""] for all together."""
        return self._load_labels if self.each_load else [""]

    def _response_places(self, body: BodyModel, places: list[PointRows]) -> dict[CurveKey, list[float]]:
        """Return for each curve the numbers of a `faying.plot.ResponsePlace`, as exporters write them."""
        assert body.model is not None
        numbers = {name: int(body.model.node_ids[row]) for name, row in body.interface_nodes.items()}
        numbers |= {point.name: point.number for point in self.more_points}
        outputs = [
            (numbers[place.name], 0 if place.is_pair else k + 1)
            for place in places
            for k in range(len(place.keys(self.motion)))
        ]
        pairs = {point.name for point in self.more_points if point.joint}
        references = []
        for load in self.moving_loads:
            direction, size = load.along(load.interface in pairs)
            references.append((numbers[load.interface], direction, size) if size else (0, 0, 1.0))
        references += [(0, 0, 1.0)] * len(self.acting_body_loads)
        if not self.each_load:
            references = references if len(references) == 1 else [(0, 0, 1.0)]
        every = [[*output, *reference] for reference in references for output in outputs]
        return dict(zip(self._outputs(places), every, strict=True))

    def _curve_values(self, motion: np.ndarray, frequency: float, model: "_InModes") -> list[float]:
        """Return magnitudes, then phases, of complex displacements (outputs, loads)."""
        sizes = np.array([float(np.linalg.norm(load.force)) for load in self.moving_loads] or [1.0])
        chosen = motion if self.motion == "displacement" else motion[model.translations]
        told = self.shown(chosen, 2.0j * np.pi * frequency, sizes).T.ravel()
        return [*np.abs(told).tolist(), *np.angle(told).tolist()]

    def _columns(
        self, places: tuple[PointRows, ...], of_body: Callable[[Sequence[str]], np.ndarray]
    ) -> np.ndarray:
        """Return (n, p) complex forces of the loads: one column for all together, or one for each.

        Args:
            places: where loads may act.
            of_body: function from names of loads of the body to their forces (n, k) at full size.
        """
        acting = self.acting_body_loads
        on_body = of_body([each.load for each in acting]) * np.array([each.amplitude for each in acting])
        columns = np.hstack([load_columns(self.moving_loads, places).reshape(len(on_body), -1), on_body])
        return columns if self.each_load else columns.sum(axis=1, keepdims=True)

    def _reduced(self, body: BodyModel, held: ReducedBody, springs: tuple[PairSprings, ...]) -> "_InModes":
        """Return the reduced body in its modes."""
        places = reduced_points(self.more_points, body, held)
        of_body = held.stiffness if springs else None
        modes = HarmonicModes(stiffness_with(held, springs), held.mass, self.damping, of_body, held.damping)
        columns = self._columns(places, held.load_columns)
        return _in_modes(self.moving_places(places), columns, modes, modes.shapes)

    def _full(self, body: BodyModel, springs: tuple[PairSprings, ...], progress: Progress) -> "_InModes":
        """Return the FE model's deformation in its modes up to three times the range and residual shapes."""
        interior, alone = fe_problem(body, springs, self.support), needed(body.matrices)
        matrices = interior.matrices
        interior.prepare(PartialProgress(progress, 0.0, 0.4, "factorisation"))
        places = full_points(self.more_points, body)
        columns = self._columns(places, body.load_columns)
        if self.support:
            columns[interior.interface_dofs] = 0.0
        # Real and imaginary parts of loads of any phase are loads of their own.
        real = columns.real if not columns.imag.any() else np.hstack([columns.real, columns.imag])
        find = held_responses if self.support else free_responses
        responses = find(interior, real, self.highest_frequency, PartialProgress(progress, 0.4, 0.95))
        # Damping by the stiffness E of the body without its joints couples the modes: the basis needs the static
        # responses K⁻¹ E [Φ, R₀] to it too. So it does for the damping C of superelements: K⁻¹ C [Φ, R₀].
        own, forces = np.hstack([responses.modes, responses.residual]), list[np.ndarray]()
        if springs and (self.stiffness_damping or self.structural_damping):
            forces.append(alone.stiffness @ own)
        if matrices.damping is not None:
            forces.append(matrices.damping @ own)
        more = None
        if forces:
            together = np.hstack(forces)
            if self.support:
                together[interior.interface_dofs] = 0.0
            more = interior.solve(together) if self.support else interior.solve_free(together)
        basis = response_basis(responses, matrices.mass, more)
        stiffness = basis.T @ (matrices.stiffness @ basis)
        of_body = basis.T @ (alone.stiffness @ basis) if springs else None
        viscous = None if matrices.damping is None else basis.T @ (matrices.damping @ basis)
        even = 0.5 * (stiffness + stiffness.T)
        modes = HarmonicModes(even, np.eye(len(stiffness)), self.damping, of_body, viscous)
        progress.report(1.0, "modes of the FE model")
        return _in_modes(self.moving_places(places), columns, modes, basis @ modes.shapes)

    def _as_a_whole(self, body: BodyModel, free: ReducedBody) -> "_RigidMotion":
        """Return the rigid body motion of a free body; zero for a body that is held, or without `rigid_motion`.

        Raises:
            ModelError: when the body's file has no motion of it as a whole.
        """
        places = rigid_points(self.more_points, body, free)
        told = self.moving_places(places)
        columns = self._columns(places, free.load_resultants)
        if self.support or not self.rigid_motion:
            return _RigidMotion(np.zeros((sum(p.rows.shape[0] for p in told), columns.shape[1])))
        if not free.rigid_mass.any():
            raise no_motion_as_a_whole()
        accelerations = np.linalg.solve(free.rigid_mass, columns)
        return _RigidMotion(np.vstack([place.rows @ accelerations for place in told]))


@dataclass(frozen=True, eq=False)
class _InModes:
    """A model in modal coordinates, with its loads and outputs.

    Attributes:
        places: where motion is output.
        rows: (outputs, r) displacements and rotations of the places in each mode.
        loads: (r, p) modal forces.
        modes: of the model.
    """

    places: list[PointRows]
    rows: np.ndarray
    loads: np.ndarray
    modes: HarmonicModes

    def response(self, frequency: float) -> np.ndarray:
        """Return (outputs, p) complex displacements."""
        return np.asarray(self.rows @ self.modes.amplitudes(frequency, self.loads))

    @property
    def translations(self) -> np.ndarray:
        """(outputs,) True for displacements, False for rotations."""
        return np.concatenate(
            [np.arange(place.rows.shape[0]) < 3 for place in self.places] or [np.zeros(0, bool)]
        )


@dataclass(frozen=True, eq=False)
class _Models:
    """The reduced body and, if wanted, the FE model; returns (r, p) amplitudes and (outputs, p) motions."""

    one: _InModes
    full: _InModes | None

    @property
    def effort(self) -> float:
        """Number of floating-point operations per response."""
        return sum(each.modes.effort for each in (self.one, self.full) if each is not None)

    def answer(self, frequency: float) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the responses of both models at a frequency."""
        amplitudes = self.one.modes.amplitudes(frequency, self.one.loads)
        return amplitudes, None if self.full is None else self.full.response(frequency)


def _in_modes(
    places: list[PointRows], loads: np.ndarray, modes: HarmonicModes, shapes: np.ndarray
) -> _InModes:
    rows = np.vstack([*(np.asarray(place.rows @ shapes) for place in places), np.zeros((0, shapes.shape[1]))])
    return _InModes(places, rows, shapes.T @ loads, modes)


@dataclass(frozen=True, eq=False)
class _RigidMotion:
    """Rigid body motion of a free body: accelerations (outputs, p) at the outputs under each load."""

    accelerations: np.ndarray

    def at(self, frequency: float, mass_damping: float) -> np.ndarray:
        """Return (outputs, p) complex displacements."""
        s = 2.0j * np.pi * frequency
        if not self.accelerations.any():
            return self.accelerations
        return np.asarray(self.accelerations / (s * (s + mass_damping)))


def operating_shape(amplitudes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Re(q e^{iφ}) of complex amplitudes (r,) at the instant φ when its norm is largest, and a quarter later."""
    phase = 0.5 * np.angle(np.sum(amplitudes**2))
    turned = amplitudes * np.exp(-1j * phase)
    return np.asarray(turned.real), np.asarray(-turned.imag)
