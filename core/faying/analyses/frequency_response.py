"""Frequency response: the steady answer of a body without joints to harmonic loads, of the FE model and reduced."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from faying.analyses import BodyAnalysis, BodyModel, analyses
from faying.analyses.loads import LoadSpec, load_vectors
from faying.analyses.unreduced_frames import interface_rows
from faying.errors import ModelError, SolveError
from faying.fem.assembly import rigid_body_modes
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.body import no_interface_node
from faying.reduction.interior import InteriorProblem
from faying.reduction.quality import ritz_modes, transfer_error
from faying.reduction.responses import free_responses, held_responses
from faying.results.names import curves_by_path
from faying.results.writer import ResultsWriter

ERROR = "transfer error"
_COMPONENTS = {
    "displacement": ("ux", "uy", "uz", "rx", "ry", "rz"),
    "velocity": ("vx", "vy", "vz"),
    "acceleration": ("ax", "ay", "az"),
}
_ROUND_PEAKS = (-16.0, -8.0, -4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)  # half widths
_NARROWEST = 1e-3  # half width of a peak without damping, of its frequency
_INFINITE = 1e-10  # of ω²: a mode with less left of its stiffness and inertia answers without bounds

Answer = Callable[[float], np.ndarray]


@analyses.register("frequency_response")
class FrequencyResponse(BodyAnalysis):
    """Magnitude and phase of the motion of all interface nodes over frequency, under loads that act in phase.

    The body is linear: it has no joints. Frames are operating shapes of the reduced body, at the instant of a period
    when they are largest. With the FE model beside it, curves named "full" are its responses, by all modes up to three
    times the range and the residual flexibility of the others, and the curve "transfer error" is what the reduced body
    misses of them, in the norm over all displacements of interface nodes.
    """

    needs_matrices: ClassVar[bool] = True

    support: str = parameter(
        "", title="Held at", choices="interface",
        meaning="Interface node whose six dofs are held; none for the free body.",
    )  # fmt: skip
    loads: tuple[LoadSpec, ...] = parameter(
        (), title="Loads",
        meaning="Amplitudes of forces and moments at interface nodes, which act in phase; their load histories do not "
        "count.",
    )  # fmt: skip
    lowest_frequency: float = parameter(
        1.0, title="From frequency", quantity="frequency", ge=0.0, meaning="Where the range begins."
    )
    highest_frequency: float = parameter(
        1000.0, title="To frequency", quantity="frequency", gt=0.0, meaning="Where the range ends."
    )
    points: int = parameter(
        200, title="Points", ge=2, le=100000,
        meaning="Number of evenly spread frequencies. To these are added some at each resonance, within its width.",
    )  # fmt: skip
    motion: Literal["displacement", "velocity", "acceleration"] = parameter(
        "displacement", title="Motion", meaning="What the curves are of."
    )
    mass_damping: float = parameter(
        0.0, title="Mass damping", quantity="frequency", ge=0.0, meaning="α of a damping matrix α M + β K."
    )
    stiffness_damping: float = parameter(
        0.0, title="Stiffness damping", quantity="time", ge=0.0, meaning="β of a damping matrix α M + β K."
    )
    rigid_motion: bool = parameter(
        True, title="Motion as a whole", advanced=True,
        meaning="Whether the curves of a free body contain its motion as a whole, which is infinite at frequency zero; "
        "without it they are of the deformation alone.",
    )  # fmt: skip
    full: bool = parameter(
        True, title="FE model beside it", meaning="Whether to compute the responses of the FE model as well."
    )

    @model_validator(mode="after")
    def _in_order(self) -> "FrequencyResponse":
        if self.highest_frequency <= self.lowest_frequency:
            raise ValueError(
                f"the range of frequencies ends at {self.highest_frequency:g}, which is not above its beginning at "
                f"{self.lowest_frequency:g}"
            )
        return self

    @property
    def sees_friction(self) -> bool:
        """Not here: there are no joints."""
        return False

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Compute the modes, then all frequencies; each is a frame."""
        assert body.reduced is not None and body.matrices is not None and body.model is not None
        for problem in self.problems(bool(body.joints), body.interface_nodes):
            raise problem
        reduced = body.reduced.clamped_to(self.support) if self.support else body.reduced
        frequencies, shapes = ritz_modes(reduced.stiffness, reduced.mass)
        squares = (2.0 * np.pi * frequencies) ** 2
        forces = shapes.T @ load_vectors(self.loads, reduced.interfaces).sum(axis=1)
        labels = [
            f"{name} {component}"
            for name, rows in reduced.interfaces.items()
            if name != self.support
            for component in _COMPONENTS[self.motion][: len(rows)]
        ]
        kept = [
            np.asarray(rows[: len(_COMPONENTS[self.motion])])
            for name, rows in reduced.interfaces.items()
            if name != self.support
        ]
        rows = np.vstack([*kept, np.zeros((0, reduced.n_coordinates))]) @ shapes
        resonances = frequencies
        full: Answer | None = None
        if self.full:
            full, of_model = self._full(body, PartialProgress(progress, 0.0, 0.8))
            resonances = np.concatenate([resonances, of_model])
        whole = self._as_a_whole(body)
        at = self.frequencies(resonances)
        names = [*labels, *(f"{name} phase" for name in labels)]
        if full is not None:
            names += [*(f"full {name}" for name in names), ERROR]
        translations = np.array([name[-2] != "r" for name in labels])
        with ResultsWriter(
            target, axis="frequency", body=body.name, frame=self.support,
            sizes={"coordinates": reduced.n_coordinates}, joints={}, curves=tuple(names),
            settings=self.model_dump(mode="json"),
        ) as writer:  # fmt: skip
            worst = 0.0
            for i, frequency in enumerate(at):
                progress.report(0.8 + 0.2 * i / len(at), f"frequency {frequency:.6g}")
                s = 2.0j * np.pi * frequency
                q = forces / self._dynamic(squares, s)
                motions = [rows @ q]
                if full is not None:
                    motions.append(full(float(frequency)))
                values: list[float] = []
                for motion in motions:
                    moved = (motion + whole(float(frequency))) * self._rate(s)
                    values += [*np.abs(moved), *np.angle(moved)]
                if full is not None:
                    one, other = (motion[None, translations, None] for motion in motions)
                    error = float(transfer_error(one, other)[0]) if np.any(other) else 0.0
                    values.append(error)
                    worst = max(worst, error)
                curves = curves_by_path(dict(zip(names, values, strict=True)))
                writer.append(float(frequency), curves, coordinates=shapes @ _largest(q))
            summary: dict[str, Any] = {"frequencies": len(at), "reduced_modes": len(squares)}
            if full is not None:
                summary["largest_transfer_error"] = worst
            writer.close(summary)
        progress.report(1.0, "frequency response")
        return summary

    def frequencies(self, resonances: np.ndarray) -> np.ndarray:
        """Return the frequencies of the range, ascending: evenly spread ones, and some within the width of each peak.

        Args:
            resonances: frequencies of vibration, in any order.
        """
        found = [np.linspace(self.lowest_frequency, self.highest_frequency, self.points)]
        for resonance in resonances[resonances > 0.0]:
            omega = 2.0 * np.pi * resonance
            ratio = 0.5 * (self.mass_damping / omega + self.stiffness_damping * omega)
            offsets = np.array([k for k in _ROUND_PEAKS if k or ratio])
            found.append(resonance * (1.0 + max(min(ratio, 0.05), 0.0 if ratio else _NARROWEST) * offsets))
        every = np.unique(np.concatenate(found))
        inside = (every >= self.lowest_frequency) & (every <= self.highest_frequency)
        return np.asarray(every[inside])

    def problems(self, has_joints: bool, interfaces: Collection[str]) -> Iterator[ModelError]:
        """Yield what makes it impossible.

        Args:
            has_joints: whether the body has joints.
            interfaces: names of its interface nodes.
        """
        if has_joints:
            yield ModelError(
                f"Body {self.body!r} has joints, and contact is not linear: the frequency response {self.name!r} is of "
                "bodies without joints.",
                "Take a transient analysis, or a copy of the body without joints.",
            )
        named = {self.support, *(load.interface for load in self.loads)} - {""}
        for name in sorted(named - set(interfaces)):
            yield no_interface_node(name, interfaces)
        moving = [load for load in self.loads if load.interface != self.support]
        if not any(any(load.force) or any(load.moment) for load in moving):
            yield ModelError(
                f"The frequency response {self.name!r} has no load away from its support.",
                "Add a force or a moment at another interface node.",
            )
        if not self.support and self.rigid_motion and not self.lowest_frequency:
            yield ModelError(
                f"The range of the frequency response {self.name!r} begins at zero, where loads move the free body "
                "without bounds.",
                "Begin above zero, hold the body at an interface node, or leave out its motion as a whole.",
            )

    def _rate(self, s: complex) -> complex:
        return {"displacement": 1.0, "velocity": s, "acceleration": s * s}[self.motion]

    def _dynamic(self, squares: np.ndarray, s: complex) -> np.ndarray:
        """Return ω² (1 + β s) + s² + α s of the reduced modes."""
        found = squares * (1.0 + self.stiffness_damping * s) + s * (s + self.mass_damping)
        if (np.abs(found) < _INFINITE * squares).any():
            raise SolveError(
                f"Without damping the response at the frequency {s.imag / (2.0 * np.pi):.6g} has no bounds: the "
                "reduced body vibrates with it.",
                "Give some damping, or another number of points.",
            )
        return np.asarray(found)

    def _loads_and_rows(self, body: BodyModel) -> tuple[np.ndarray, Any]:
        """Return loads (n_dofs, 1) and the rows (outputs, n_dofs) of the curves on the FE model."""
        assert body.matrices is not None
        rows = interface_rows(body, body.matrices.dofs)
        loads = load_vectors(self.loads, rows).sum(axis=1, keepdims=True)
        count = len(_COMPONENTS[self.motion])
        moved = [part[:count].toarray() for name, part in rows.items() if name != self.support]
        return loads, np.vstack([*moved, np.zeros((0, body.matrices.dofs.n_dofs))])

    def _full(self, body: BodyModel, progress: Progress) -> tuple[Answer, np.ndarray]:
        """Return the deformation (outputs,) of the FE model by frequency, and its resonances."""
        assert body.matrices is not None and body.model is not None
        held = [self.support] if self.support else list(body.interface_nodes)
        nodes = np.array([body.interface_nodes[name] for name in held], np.int64)
        interior = InteriorProblem(body.matrices, body.model.nodes, nodes, node_ids=body.model.node_ids)
        interior.prepare(PartialProgress(progress, 0.0, 0.4, "factorisation"))
        loads, rows = self._loads_and_rows(body)
        if self.support:
            loads[interior.interface_dofs] = 0.0
        find = held_responses if self.support else free_responses
        responses = find(
            interior, loads, self.highest_frequency, PartialProgress(progress, 0.4, 1.0),
            mass_damping=self.mass_damping, stiffness_damping=self.stiffness_damping,
        )  # fmt: skip
        shapes = rows @ responses.shapes
        return lambda frequency: shapes @ responses.amplitudes(frequency)[:, 0], responses.frequencies

    def _as_a_whole(self, body: BodyModel) -> Answer:
        """Return the motion (outputs,) of the body as a whole by frequency; zero for one that is held."""
        assert body.matrices is not None and body.model is not None
        loads, rows = self._loads_and_rows(body)
        if self.support or not self.rigid_motion:
            return lambda frequency: np.zeros(len(rows))
        rigid = rigid_body_modes(body.model.nodes, body.matrices.dofs, body.model.nodes.mean(axis=0))
        accelerations = np.linalg.solve(rigid.T @ (body.matrices.mass @ rigid), rigid.T @ loads[:, 0])
        moved = rows @ (rigid @ accelerations)

        def answer(frequency: float) -> np.ndarray:
            s = 2.0j * np.pi * frequency
            return np.asarray(moved / (s * (s + self.mass_damping)))

        return answer


def _largest(amplitudes: np.ndarray) -> np.ndarray:
    """Return Re(q e^{iφ}) of complex modal amplitudes at the instant φ when its norm is largest."""
    phase = 0.5 * np.angle(np.sum(amplitudes**2))
    return np.asarray((amplitudes * np.exp(-1j * phase)).real)
