"""Identification: friction coefficient, sticking stiffness and preload from measured frequency and damping."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import field_validator

from faying.analyses import BodyAnalysis, BodyModel, JointModel, analyses, needed
from faying.analyses.harmonics.mode_point import BodyModePoint
from faying.analyses.measured import MEASURED_DAMPING, MEASURED_FREQUENCY
from faying.errors import ModelError, SolveError
from faying.joints.friction_laws import FrictionLaw
from faying.params import Spec, build, parameter
from faying.progress import PartialProgress, Progress
from faying.results.curve_key import CurveKey
from faying.results.curves import is_measured
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from faying.solvers.parameter_fit import ParameterFit, UndeterminedCombination, fit_parameters
from faying.units import unit_text

FREQUENCY, DAMPING = CurveKey("natural frequency", "frequency"), CurveKey("damping ratio")
_DAMPINGS = (
    "damping ratio",
    "damping by friction",
)  # of the rows of a backbone: with that of the body, or without
_LEAST_POINTS = 3


class FittedParameterSpec(Spec):
    """A parameter that is fitted, and the range in which it is sought."""

    quantity: Literal[
        "friction coefficient", "sticking stiffness", "preload", "frequency factor", "added damping"
    ] = parameter(
        title="Parameter",
        meaning="Friction coefficient and sticking stiffness of the friction law; a factor on all preload cases; a "
        "factor on all frequencies, for a body whose mass or stiffness is not exact; a damping ratio that is added at "
        "all amplitudes, for material and air.",
    )  # fmt: skip
    joint: str = parameter(
        "", title="Joint", choices="joint",
        meaning="Joint whose law has it; empty for all joints with friction, which get the same factor.",
    )  # fmt: skip
    smallest: float = parameter(
        0.1, title="Smallest, times the start", gt=0.0, lt=1.0,
        meaning="Lower bound over the value in the project.",
    )  # fmt: skip
    largest: float = parameter(
        10.0, title="Largest, times the start", gt=1.0, meaning="Upper bound over the value in the project."
    )

    @property
    def label(self) -> str:
        """Name of it, with that of its joint."""
        return f"{self.quantity} of {self.joint!r}" if self.joint else self.quantity


@analyses.register("identification")
class Identification(BodyAnalysis):
    """Parameters of joints, fitted to measured frequency and damping over amplitude by least squares.

    The model is a backbone of the same body, quasi-static or a nonlinear mode, at the measured amplitudes. Residuals
    are the relative differences in frequency and damping over the measuring errors. Confidence intervals follow from
    their derivatives, within the bounds, and so do the combinations of parameters that the points do not determine.
    Frames are those of the fitted backbone.
    """

    title: ClassVar[str] = "Identification"
    order: ClassVar[int] = 70
    follows: ClassVar[tuple[str, ...]] = ("quasi_static_modes", "nonlinear_mode", "measured")
    needs_model: ClassVar[bool] = True
    knows_units: ClassVar[bool] = True

    model: str = parameter(
        title="Model", choices="analysis", min_length=1,
        meaning="Quasi-static modes or nonlinear mode of the body. Its point is where the amplitudes were measured; "
        "its range of amplitudes does not matter.",
    )  # fmt: skip
    measured: str = parameter(
        title="Measured points", choices="analysis", min_length=1,
        meaning="Analysis of the kind measured points, with frequency or damping ratio over amplitude.",
    )  # fmt: skip
    parameters: tuple[FittedParameterSpec, ...] = parameter(
        ({"quantity": "friction coefficient"}, {"quantity": "sticking stiffness"}),
        title="Parameters", min_length=1, meaning="What is fitted; the project's own values are the first guess.",
    )  # fmt: skip
    frequency_error: float = parameter(
        0.002, title="Error of frequencies", gt=0.0, le=1.0,
        meaning="Standard deviation of a measured frequency over the frequency; points count the more the smaller.",
    )  # fmt: skip
    damping_error: float = parameter(
        0.1, title="Error of damping ratios", gt=0.0, le=10.0,
        meaning="Standard deviation of a measured damping ratio over the damping ratio.",
    )  # fmt: skip
    confidence: float = parameter(
        0.95, title="Confidence", gt=0.0, lt=1.0,
        meaning="Probability that the interval of a parameter contains its true value.",
    )  # fmt: skip
    most_runs: int = parameter(
        100, title="Most runs", ge=2, le=100_000, meaning="Largest number of backbones that the fit computes."
    )

    @field_validator("parameters")
    @classmethod
    def _different(cls, parameters: tuple[FittedParameterSpec, ...]) -> tuple[FittedParameterSpec, ...]:
        titles = [each.label for each in parameters]
        if len(set(titles)) < len(titles):
            raise ValueError("a parameter is fitted twice")
        return parameters

    def predecessors(self) -> tuple[str, ...]:
        """Return model and measured points."""
        return self.model, self.measured

    @classmethod
    def first_parameters(cls, followed: Sequence[str]) -> dict[str, Any] | None:
        """Return the first of these analyses as the model and the last as the points; None for fewer than two."""
        return {"model": followed[0], "measured": followed[-1]} if len(followed) > 1 else None

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Fit the parameters, then write the fitted backbone.

        Raises:
            ModelError: when model, points or parameters are not what they have to be.
            SolveError: when there is no backbone, or no fit within the runs.
        """
        points = self._points(body.starts[1])
        fitted = _FittedBackbone(self, body, points, progress)
        found = fit_parameters(
            fitted.residuals, np.ones(len(self.parameters)), self._bounds(), self.most_runs
        )
        report = fitted.write(found.values, target, self._report(body, found, points))
        progress.report(1.0, self.title)
        return report

    def _bounds(self) -> np.ndarray:
        return np.array(
            [[each.smallest for each in self.parameters], [each.largest for each in self.parameters]]
        )

    def _points(self, results: Results) -> "MeasuredBackbone":
        """Return the measured points.

        Raises:
            ModelError: when they are not over amplitude, or too few.
        """
        if not is_measured(results) or results.axis.kind != "amplitude":
            raise ModelError(
                f"{self.measured!r} has no measured points over amplitude.",
                "Choose an analysis of the kind measured points, whose first column is an amplitude.",
            )
        nothing = np.full(results.n_frames, np.nan)
        frequencies, damping = (
            results.curve(key) if key in results.curve_texts else nothing
            for key in (MEASURED_FREQUENCY, MEASURED_DAMPING)
        )
        found = MeasuredBackbone(results.values, frequencies, damping)
        known = int(np.isfinite(frequencies).sum() + np.isfinite(damping).sum())
        if results.n_frames < _LEAST_POINTS or known <= len(self.parameters):
            raise ModelError(
                f"{known} measured frequencies and damping ratios at {results.n_frames} amplitudes are too few for "
                f"{len(self.parameters)} parameters.",
                "Fit fewer parameters, or measure at more amplitudes.",
            )
        return found

    def _report(self, body: BodyModel, fit: ParameterFit, points: "MeasuredBackbone") -> dict[str, Any]:
        lower, upper = fit.intervals(self.confidence)
        rows = []
        for i, spec in enumerate(self.parameters):
            start, unit = _start_of(spec, body)
            low, high = max(lower[i], spec.smallest), min(upper[i], spec.largest)
            ends = {"lower": float(start * low), "upper": float(start * high)}
            rows.append(
                {
                    "parameter": spec.label, "unit": unit, "start": start, "value": float(start * fit.values[i]),
                    **ends,
                    "at_bound": int(fit.at_bounds[i]),
                }
            )  # fmt: skip
        titles = [spec.label for spec in self.parameters]
        return {
            "identified": rows, "confidence": self.confidence, "scatter": fit.scatter, "runs": fit.evaluations,
            "undetermined": [_sentence(titles, each) for each in fit.undetermined(self.confidence)],
            "points": len(points.amplitudes),
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class MeasuredBackbone:
    """Measured frequencies and damping ratios (n,) over amplitudes (n,), ascending; NaN where none was measured."""

    amplitudes: np.ndarray
    frequencies: np.ndarray
    damping: np.ndarray


@dataclass(eq=False)
class _FittedBackbone:
    """A backbone as a function of parameters.

    Attributes:
        settings: what is fitted.
        body: as in the project; its starts are the model and the points.
        points: the measured ones.
        progress: reports and cancels.
        analysis: the backbone over the measured amplitudes.
    """

    settings: Identification
    body: BodyModel
    points: MeasuredBackbone
    progress: Progress
    analysis: BodyModePoint = field(init=False)
    _runs: int = 0
    _curves: dict[bytes, dict[str, np.ndarray]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the model.

        Raises:
            ModelError: when it is no backbone, or is about a static analysis.
        """
        words = dict(self.body.starts[0].settings)
        kind = analyses[words.pop("kind")]
        if not issubclass(kind, BodyModePoint):
            raise ModelError(
                f"{self.settings.model!r} is no backbone that can be fitted.",
                "Choose quasi-static modes or a nonlinear mode.",
            )
        if words.get("equilibrium"):
            raise ModelError(
                f"{self.settings.model!r} vibrates about the static analysis {words['equilibrium']!r}, which does not "
                "follow the parameters.",
                "Let the model be about preload cases.",
            )
        if not words.get("point"):  # the node that moves most may change with the parameters
            _, node, axis = str(self.body.starts[0].report["amplitude_of"]).split()
            words |= {"node": int(node), "direction": axis}
        words["chosen_amplitudes"] = tuple(self.points.amplitudes.tolist())
        self.analysis = build(kind, words)  # type: ignore[arg-type]

    def residuals(self, factors: np.ndarray) -> np.ndarray:
        """Return (m,) relative differences from the points over the measuring errors."""
        rows = self.curves(factors)
        at = np.log(self.points.amplitudes)
        errors = self.settings.frequency_error, self.settings.damping_error
        found = []
        for name, measured, error in zip(
            ("frequency", "damping"), (self.points.frequencies, self.points.damping), errors, strict=True
        ):
            known = np.isfinite(measured) & (measured > 0.0)
            model = _interpolated(np.log(rows["amplitude"]), rows[name], at[known])
            found.append((model / measured[known] - 1.0) / error)
        return np.concatenate(found)

    def curves(self, factors: np.ndarray) -> dict[str, np.ndarray]:
        """Return amplitude, frequency and damping ratio of the backbone at each measured amplitude, (n,) each.

        Parameters that act on these numbers alone do not compute it again.
        """
        specs = self.settings.parameters
        of_model = [
            (spec, f) for spec, f in zip(specs, factors.tolist(), strict=True) if spec.quantity in _CHANGES
        ]
        key = np.array([f for _, f in of_model]).tobytes()
        if key not in self._curves:
            with TemporaryDirectory(prefix="faying-") as folder:
                self._curves[key] = self._run(of_model, Path(folder) / "backbone.h5")
        rows = dict(self._curves[key])
        for spec, factor in zip(specs, factors.tolist(), strict=True):
            if spec.quantity == "frequency factor":
                rows["frequency"] = rows["frequency"] * factor
            elif spec.quantity == "added damping":
                rows["damping"] = rows["damping"] + factor * _FIRST_DAMPING
        return rows

    def _run(self, of_model: list[tuple[FittedParameterSpec, float]], path: Path) -> dict[str, np.ndarray]:
        body = replace(self.body, starts=())
        for spec, factor in of_model:
            body = _CHANGES[spec.quantity](body, spec, factor)
        most = self.settings.most_runs
        part = PartialProgress(
            self.progress,
            min(self._runs / most, 0.95),
            min((self._runs + 1) / most, 0.96),
            f"run {self._runs + 1}",
        )
        self._runs += 1
        try:
            report = self.analysis.run(body, path, part)
        except SolveError as error:
            raise SolveError(f"{self._tried(of_model)}: {error.message}", error.hint) from error
        rows = report["backbone"]
        if len(rows) < len(set(self.points.amplitudes.tolist())):
            why = " ".join(report.get("trouble", ()))
            raise SolveError(
                f"{self._tried(of_model)}: the backbone ends before the largest measured amplitude. {why}",
                "Narrow the bounds of the parameters, or leave out the largest amplitudes.",
            )
        damping = next(name for name in _DAMPINGS if name in rows[0])
        names = {"amplitude": "amplitude", "frequency": "natural frequency", "damping": damping}
        return {name: np.array([row[own] for row in rows]) for name, own in names.items()}

    def _tried(self, of_model: list[tuple[FittedParameterSpec, float]]) -> str:
        tried = ", ".join(f"{spec.label} times {factor:.4g}" for spec, factor in of_model)
        return f"With {tried}" if tried else "With the values of the project"

    def write(self, factors: np.ndarray, target: Path, report: dict[str, Any]) -> dict[str, Any]:
        """Write the frames of the fitted backbone; returns the report with what is known of it."""
        rows = self.curves(factors)
        specs = self.settings.parameters
        of_model = [
            (spec, f) for spec, f in zip(specs, factors.tolist(), strict=True) if spec.quantity in _CHANGES
        ]
        with TemporaryDirectory(prefix="faying-") as folder:
            path = Path(folder) / "backbone.h5"
            self._run(of_model, path)
            with closing(Results(path)) as fitted:
                shapes = [needed(fitted.coordinates(i)) for i in range(fitted.n_frames)]
                report |= {name: fitted.report[name] for name in ("mode", "stuck_frequency", "amplitude_of")}
                frame = fitted.frame_of_reference
        table = [
            {"amplitude": a, "natural frequency": f, "damping ratio": d}
            for a, f, d in zip(
                *(rows[name].tolist() for name in ("amplitude", "frequency", "damping")), strict=True
            )
        ]
        with ResultsWriter(
            target, axis="amplitude", body=self.body.name, frame=frame, sizes={"coordinates": len(shapes[0])},
            joints={}, curves=(FREQUENCY, DAMPING), settings=self.settings.model_dump(mode="json"),
        ) as writer:  # fmt: skip
            for row, shape in zip(table, shapes, strict=True):
                values = {FREQUENCY: row["natural frequency"], DAMPING: row["damping ratio"]}
                writer.append(row["amplitude"], {}, curves=values, coordinates=shape)
            report |= {"backbone": table}
            writer.close(report)
        return report


def _interpolated(x: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
    # The amplitudes of quasi-static modes change a little with the shape, so that they are not quite the measured ones.
    from scipy.interpolate import PchipInterpolator  # late: half a second that few runs need

    return np.asarray(PchipInterpolator(x, y, extrapolate=True)(at))


def _sentence(titles: Sequence[str], found: UndeterminedCombination) -> str:
    """Return what the points do not determine, for people."""
    parts = [
        f"{title} × {2.0**exponent:.3g}"
        for title, exponent in zip(titles, found.exponents.tolist(), strict=True)
        if exponent
    ]
    names = [title for title, exponent in zip(titles, found.exponents, strict=True) if exponent]
    which = (
        f"The points do not determine the {names[0]}"
        if len(names) == 1
        else f"The points do not tell {', '.join(names[:-1])} and {names[-1]} apart"
    )
    return f"{which}: {' with '.join(parts)} changes the curves by less than their scatter."


_FIRST_DAMPING = 1e-3


def _start_of(spec: FittedParameterSpec, body: BodyModel) -> tuple[float, str]:
    """Return the value of a parameter in the project, and its unit; of all joints that of the first one."""
    if spec.quantity not in ("friction coefficient", "sticking stiffness"):
        return (_FIRST_DAMPING if spec.quantity == "added damping" else 1.0), ""
    joint = body.joints[next(_rubbing(body, spec))]
    law = needed(joint.friction_law)
    if spec.quantity == "sticking stiffness":
        return law.known_stiffness, unit_text("contact_stiffness", body.units)
    return float(getattr(law, _name_in(law, spec.quantity))), ""


def _rubbing(body: BodyModel, spec: FittedParameterSpec) -> Iterator[int]:
    """Yield the numbers of the joints whose laws a parameter is of.

    Raises:
        ModelError: when there is none, or its law has no such parameter.
    """
    chosen = [
        (i, joint)
        for i, joint in enumerate(body.joints)
        if joint.friction_law is not None and spec.joint in ("", joint.name)
    ]
    if not chosen:
        what = f"Joint {spec.joint!r}" if spec.joint else "The body"
        raise ModelError(
            f"{what} has no friction law whose {spec.quantity} could be fitted.", "Choose another one."
        )
    for i, joint in chosen:
        law = needed(joint.friction_law)
        if not _name_in(law, spec.quantity):
            raise ModelError(
                f"The friction law of joint {joint.name!r}, {law.title}, has no {spec.quantity}.",
                "Fit another parameter, or choose Coulomb's law.",
            )
        yield i


def _name_in(law: FrictionLaw, title: str) -> str:
    """Return the name of a parameter of a law; "" if it has none."""
    if title == "sticking stiffness":
        return law.stiffness_name
    return "friction_coefficient" if "friction_coefficient" in type(law).model_fields else ""


def _of_laws(body: BodyModel, spec: FittedParameterSpec, factor: float) -> BodyModel:
    """Return the body with the parameter of its friction laws multiplied."""
    joints: list[JointModel] = list(body.joints)
    for i in _rubbing(body, spec):
        law = needed(joints[i].friction_law)
        name = _name_in(law, spec.quantity)
        joints[i] = replace(joints[i], friction_law=law.with_(**{name: factor * getattr(law, name)}))
    return replace(body, joints=tuple(joints))


def _of_preloads(body: BodyModel, spec: FittedParameterSpec, factor: float) -> BodyModel:
    """Return the body with forces and interferences of all preload cases multiplied."""
    reduced = needed(body.reduced)

    def scaled(cases: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {case: factor * values for case, values in cases.items()}

    forces, closings = scaled(reduced.preload_forces), scaled(reduced.preload_closings)
    return replace(body, reduced=replace(reduced, preload_forces=forces, preload_closings=closings))


_CHANGES: dict[str, Callable[[BodyModel, FittedParameterSpec, float], BodyModel]] = {
    "friction coefficient": _of_laws, "sticking stiffness": _of_laws, "preload": _of_preloads,
}  # fmt: skip
