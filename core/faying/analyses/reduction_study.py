"""Comparison of reduction methods: errors against the FE model over a frequency range, and computing times."""

from collections import Counter
from collections.abc import Collection, Generator, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from pydantic import field_validator, model_validator

from faying.analyses import BodyAnalysis, BodyModel, analyses
from faying.analyses.basis_studies.in_processes import InProcesses
from faying.analyses.basis_studies.reduction_advice import ComparedBases, advice
from faying.analyses.basis_studies.studied_bases import (
    MEASURES,
    BasisPoint,
    MeasuredBasis,
    Reference,
    ShownShapes,
    StudiedBody,
    StudyOfBases,
    entries_of,
    measure_point,
)
from faying.errors import ModelError
from faying.fem.densities import require_densities
from faying.fem.skin import find_skin
from faying.linalg.threads import physical_cores
from faying.parallel import run_parallel
from faying.params import member_of, parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.body import no_interface_node
from faying.reduction.methods import reduction_methods
from faying.reduction.responses import usual_stiffness_damping
from faying.results.curve_key import CurveKey
from faying.results.interrupted import earlier_frames
from faying.results.names import path_of
from faying.results.results import Results, earlier_begin, earlier_results
from faying.results.writer import ResultsWriter

TABLE, ERRORS, DIFFERENCES, ASSURANCE = "reduction", "transfer error", "NRED", "MAC"
COLUMNS = ("method", "size", *MEASURES)
FULL = "FE model"
RESPONSES = "responses"
_CURVES = (
    CurveKey("order"),
    CurveKey("largest transfer error"),
    CurveKey("highest frequency", "frequency"),
    CurveKey("admissible step", "time"),
)


@analyses.register("reduction_study")
class ReductionStudy(InProcesses, BodyAnalysis):
    """Methods of component modes and their sizes, each measured against the FE model over a range of frequencies.

    Unit forces act at the displacements of some interface nodes, and the motions there are compared: deformations of
    the free body, with damping (Makhavikou 2015, eq. 2.158). Frequencies and shapes of vibration in the range are
    compared too. A size is a number of trial vectors beside those of the interface dofs; for a method that has one
    trial vector for each interface dof it is a number of further such dofs: first those of the body's other interface
    nodes, then others that the study spreads over the body. Bases are computed beside each other in processes, and
    those that were done before an interruption are not computed again. Contact does not act.
    """

    needs_reduced: ClassVar[bool] = False
    needs_matrices: ClassVar[bool] = True
    needs_interior: ClassVar[bool] = True

    methods: tuple[member_of(reduction_methods), ...] = parameter(  # type: ignore[valid-type]
        ({"kind": "craig_bampton"}, {"kind": "cms_gram"}, {"kind": "line_fitting"}),
        title="Methods",
        meaning="The methods to be compared. Those that serve a range of frequencies and have none take that of the "
        "study.",
    )
    sizes: tuple[int, ...] = parameter(
        (5, 10, 20), title="Sizes",
        meaning="Numbers of trial vectors beside those of the interface dofs, of each method; where these alone decide "
        "numbers of further interface dofs. Without any, methods have the numbers of their own, and all interface "
        "nodes of the body where these decide.",
    )  # fmt: skip
    interfaces: tuple[str, ...] = parameter(
        (), title="Nodes of interest", choices="interface",
        meaning="Interface nodes that are loaded and looked at, and that all methods have; all of them without any.",
    )  # fmt: skip
    lowest_frequency: float = parameter(
        0.0, title="From frequency", quantity="frequency", ge=0.0, meaning="Where the range begins."
    )
    highest_frequency: float = parameter(
        1000.0, title="To frequency", quantity="frequency", gt=0.0, meaning="Where the range ends."
    )
    points: int = parameter(
        400, title="Points", ge=2, le=100000,
        meaning="Number of evenly spread frequencies at which transfer functions are compared; to these are added the "
        "resonances of the FE model.",
    )  # fmt: skip
    stiffness_damping: float | None = parameter(
        None, title="Stiffness damping", quantity="time", ge=0.0,
        meaning="β of the damping matrix α M + β K of the transfer functions. Without a number the damping ratio is "
        "0.3 % at the end of the range.",
    )  # fmt: skip
    mass_damping: float = parameter(
        0.0, title="Mass damping", quantity="frequency", ge=0.0, meaning="α of that damping matrix."
    )
    allowed_error: float = parameter(
        0.05, title="Allowed error", gt=0.0, le=1.0,
        meaning="Largest transfer error of a basis that is good enough, for the advice.",
    )  # fmt: skip

    @field_validator("sizes")
    @classmethod
    def _sorted(cls, sizes: tuple[int, ...]) -> tuple[int, ...]:
        if any(size < 0 or size > 2000 for size in sizes):
            raise ValueError("sizes are 0 to 2000")
        return tuple(sorted(set(sizes)))

    @model_validator(mode="after")
    def _in_order(self) -> "ReductionStudy":
        if self.highest_frequency <= self.lowest_frequency:
            raise ValueError("the range of frequencies does not end above its beginning")
        return self

    @property
    def sees_friction(self) -> bool:
        """False: contact does not act."""
        return False

    def method_names(self) -> list[str]:
        """Return a name for each method, numbered where two are of one kind."""
        titles = [method.title for method in self.methods]
        count = Counter(titles)
        return [
            f"{title} ({titles[: i + 1].count(title)})" if count[title] > 1 else title
            for i, title in enumerate(titles)
        ]

    def bases(self) -> tuple[BasisPoint, ...]:
        """Return the bases to be measured, in the order of computation; point 0 is the FE model."""
        found: list[BasisPoint] = []
        for name, given in zip(self.method_names(), self.methods, strict=True):
            method = given.for_range(self.lowest_frequency, self.highest_frequency)
            if not self.sizes:
                found.append(BasisPoint(len(found) + 1, name, method, 0 if method.size else -1))
            for size in self.sizes:
                number, label = len(found) + 1, f"{name}, {size}"
                if method.size:
                    found.append(BasisPoint(number, label, method.with_size(size)))
                else:
                    found.append(BasisPoint(number, label, method, size))
        return tuple(found)

    def problems(self, interfaces: Collection[str]) -> Iterator[ModelError]:
        """Yield the errors that prevent a run.

        Args:
            interfaces: names of the body's interface nodes.
        """
        if not self.methods:
            yield ModelError(f"The reduction study {self.name!r} has no method.", "Add at least one.")
        for name in self.interfaces:
            if name not in interfaces:
                yield no_interface_node(name, interfaces)
        if not interfaces:
            yield ModelError(
                f"The reduction study {self.name!r} compares motions of interface nodes, and body {self.body!r} has "
                "none.",
                "Add interface nodes to it.",
            )
        try:
            self.bases()
        except ModelError as error:  # a size that a method cannot have
            yield ModelError(f"The reduction study {self.name!r}: {error.message}", error.hint)

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Measure basis after basis; each is a frame of the results, and a row of their table."""
        interior, model = body.interior, body.model
        assert interior is not None and model is not None
        for problem in self.problems(body.interface_nodes):
            raise problem
        if body.has_elements:
            require_densities(model, "a study of reductions")
        held = interior.interface_nodes.tolist()
        names = [name for name, row in body.interface_nodes.items() if row in held]
        of_interest = [i for i, name in enumerate(names) if not self.interfaces or name in self.interfaces]
        studied = StudiedBody(interior, of_interest, names, self._damping())
        if not len(studied.dofs):
            raise ModelError(
                f"The reduction study {self.name!r} compares displacements, and its nodes of interest have none among "
                "their components.",
                "Take nodes with at least one of the components 1, 2 and 3.",
            )
        ends = self.lowest_frequency, self.highest_frequency
        reference, responses = studied.reference(*ends, self.points, PartialProgress(progress, 0.0, 0.2))
        points = self.bases()
        most = max((point.further for point in points), default=0)
        if most > studied.given:
            part = PartialProgress(progress, 0.2, 0.25)
            studied.with_further(most, responses, find_skin(model).surface.nodes, part)
        pairs = [(joint.name, joint.pairs) for joint in body.joints]
        shown = ShownShapes.of(model.nodes, interior.matrices, pairs)
        with ExitStack() as stack:
            writer = stack.enter_context(self._writer(target, body, studied, reference, points))
            part = PartialProgress(progress, 0.25, 1.0)
            found = stack.enter_context(
                closing(self._measured(StudyOfBases(studied, reference), points, target, part))
            )
            tables = _Tables(self, points, reference)
            refused: dict[str, tuple[str, str]] = {}
            kept = 0
            labels = [FULL, *(point.name for point in points)]
            for number, basis in found:
                if isinstance(basis, tuple):
                    refused[labels[number]] = basis
                    basis = _nothing(studied, reference)
                kept += basis.kept
                tables.put(number, basis)
                tables.write(writer)
                displacement, joints = shown.frame(basis.shape)
                curves = {key: basis.measures[MEASURES.index(key.quantity)] for key in _CURVES}
                named: dict[str, Any] = {}
                for name, (gap, slip) in joints.items():
                    named |= {path_of("joints", name, "gap"): gap, path_of("joints", name, "slip"): slip}
                named |= {RESPONSES: basis.responses, "shape": basis.shape}
                writer.put(number, number + 1, named, curves, displacement=displacement)
            earlier_results(target).unlink(missing_ok=True)
            outcome = ComparedBases(
                self.allowed_error, points, tables.rows[1:], reference.frequencies, ends, studied, refused
            )
            summary: dict[str, Any] = {
                "points": len(points),
                "points_kept": kept,
                "vibration_modes_in_range": len(reference.frequencies),
                "further_interface_dofs": [studied.name_of(dof) for dof in studied.further],
                "further_dofs": [[int(model.node_ids[n]), c] for n, c in studied.further],
                "not_computed": {name: " ".join(words).strip() for name, words in refused.items()},
                "advice": [list(words) for words in advice(outcome)],
            }
            writer.close(summary)
        progress.report(1.0, "reduction study")
        return summary

    def _damping(self) -> dict[str, float]:
        chosen = self.stiffness_damping
        usual = usual_stiffness_damping(self.highest_frequency)
        return {
            "mass_damping": self.mass_damping,
            "stiffness_damping": usual if chosen is None else chosen,
        }

    def _writer(
        self,
        target: Path,
        body: BodyModel,
        studied: StudiedBody,
        reference: Reference,
        points: tuple[BasisPoint, ...],
    ) -> ResultsWriter:
        labels = (FULL, *(point.name for point in points))
        over_frequency = ("frequency", *labels[1:])
        k, m = len(reference.at), len(reference.frequencies)
        return ResultsWriter(
            target, axis="shape", body=body.name,
            sizes={
                "displacement": 3 * studied.matrices.dofs.n_nodes,
                RESPONSES: (k, len(studied.entries), 2),
                "shape": studied.matrices.dofs.n_dofs,
            },
            joints={j.name: {"gap": (len(j.pairs),), "slip": (len(j.pairs), 2)} for j in body.joints},
            curves=_CURVES, settings={**self.model_dump(mode="json"), "dofs": list(studied.dof_names)},
            labels=labels,
            tables={
                TABLE: (len(labels), COLUMNS), ERRORS: (k, over_frequency), DIFFERENCES: (m, over_frequency),
                ASSURANCE: (m, over_frequency),
            },
            any_order=True, begun=earlier_begin(target),
        )  # fmt: skip

    def _measured(
        self, study: StudyOfBases, points: tuple[BasisPoint, ...], target: Path, progress: Progress
    ) -> Generator[tuple[int, MeasuredBasis | tuple[str, str]]]:
        """Yield number and measures of each point, the FE model first, then those of an interrupted run."""
        yield 0, study.body.of_full(study.reference)
        missing = {point.number: point for point in points}
        for number, basis in _earlier(target, len(points)):
            del missing[number]
            yield number, basis
        todo = list(missing.values())
        found = run_parallel(
            measure_point, study, todo, self.n_processes, progress, physical_cores(),
            lost=lambda point, error: (point.number, (error.message, error.hint)),
        )  # fmt: skip
        with closing(found):
            yield from (numbered for _, numbered in found)


def entry_names(results: Results) -> list[str]:
    """Return the names of the transfer functions that a study keeps: "B uy by force at A uy"."""
    dofs = results.settings["dofs"]
    return [f"{dofs[out]} by force at {dofs[force]}" for out, force in entries_of(len(dofs))]


def responses_of(results: Results, point: int) -> np.ndarray:
    """Return (k, entries) complex transfer functions of a basis at the frequencies of the study; point 0: FE model."""
    parts = results.named(RESPONSES, point)
    return np.asarray(parts[..., 0] + 1j * parts[..., 1])


class _Tables:
    """The tables of a study, filled as points are computed."""

    def __init__(self, study: ReductionStudy, points: tuple[BasisPoint, ...], reference: Reference) -> None:
        numbers = [(m, s) for m in range(len(study.methods)) for s in study.sizes or (np.nan,)]
        self._numbers = [(-1.0, np.nan), *numbers]
        self.rows = np.full((len(points) + 1, len(COLUMNS)), np.nan)
        self.errors, self.differences, self.assurance = (
            np.column_stack([over, np.full((len(over), len(points)), np.nan)])
            for over in (reference.at, reference.frequencies, reference.frequencies)
        )

    def put(self, number: int, basis: MeasuredBasis) -> None:
        """Take a point."""
        self.rows[number] = [*self._numbers[number], *basis.measures]
        if number:
            self.errors[:, number] = basis.error
            self.differences[:, number] = basis.differences
            self.assurance[:, number] = basis.assurance

    def write(self, writer: ResultsWriter) -> None:
        """Write all that is known."""
        writer.write_table(TABLE, self.rows)
        writer.write_table(ERRORS, self.errors)
        writer.write_table(DIFFERENCES, self.differences)
        writer.write_table(ASSURANCE, self.assurance)


def _nothing(studied: StudiedBody, reference: Reference) -> MeasuredBasis:
    """Return the results of a basis that could not be computed: NaN everywhere."""
    k, m = len(reference.at), len(reference.frequencies)
    return MeasuredBasis(
        np.full(len(MEASURES), np.nan),
        np.full(k, np.nan),
        np.full((k, len(studied.entries), 2), np.nan),
        np.full(m, np.nan),
        np.full(m, np.nan),
        np.zeros(studied.matrices.dofs.n_dofs),
    )


def _earlier(target: Path, most: int) -> Iterator[tuple[int, MeasuredBasis]]:
    """Yield number and measures of the bases that an interrupted run has written."""
    with earlier_frames(target) as results:
        if results is None:
            return
        rows, *over = (results.table(name)[1] for name in (TABLE, ERRORS, DIFFERENCES, ASSURANCE))
        for frame in results.frames_there.tolist():
            if not 0 < frame <= most or np.isnan(rows[frame, COLUMNS.index("order")]):
                continue
            error, differences, assurance = (table[:, frame] for table in over)
            yield frame, MeasuredBasis(
                rows[frame, 2:], error, results.named(RESPONSES, frame), differences, assurance,
                results.named("shape", frame), kept=True,
            )  # fmt: skip
