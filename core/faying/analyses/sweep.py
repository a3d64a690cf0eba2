"""Parameter sweeps: an analysis computed again and again, each time with other values of some decisions."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import field_validator, model_validator

from faying.analyses import Analysis, analyses
from faying.analyses.basis_studies.in_processes import InProcesses
from faying.params import Spec, parameter

MOST_POINTS = 100_000
TAKEN = {
    "last": "last value", "first": "first value", "maximum": "maximum", "minimum": "minimum",
    "largest": "largest magnitude", "mean": "mean", "range": "maximum minus minimum",
}  # fmt: skip
Value = bool | int | float | str


def as_number(value: Any) -> Any:
    """Return a text as the number or truth value that it spells; other texts and values unchanged."""
    if not isinstance(value, str):
        return value
    if value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            pass
    return value


class VariedDecision(Spec):
    """A decision and the values that it takes."""

    decision: str = parameter(
        title="Decision", choices="decision", min_length=1,
        meaning="Which decision of the project: its place by names, such as "
        "bodies.bar.joints.lap joint.friction_law.friction_coefficient.",
    )  # fmt: skip
    values: tuple[Value, ...] = parameter(
        (),
        title="Values",
        meaning="What it takes, with units where it has some; without any, numbers between two ends.",
    )
    lowest: float | str | None = parameter(
        None, title="From", meaning="Lower end, where there are no values; may have a unit."
    )
    highest: float | str | None = parameter(None, title="To", meaning="Upper end; may have a unit.")
    count: int = parameter(
        5,
        title="Number of values",
        ge=2,
        le=10_000,
        meaning="How many of a grid or list there are from end to end.",
    )
    spacing: Literal["linear", "logarithmic"] = parameter(
        "linear", title="Spacing", meaning="Whether steps between the ends are equal, or ratios."
    )

    @field_validator("lowest", "highest", mode="before")
    @classmethod
    def _plain(cls, given: Any) -> Any:
        """Convert texts typed into a form to numbers; values stay as typed, the decision may be a text ("001")."""
        return as_number(given)

    @model_validator(mode="after")
    def _has_values(self) -> "VariedDecision":
        if not self.values and (self.lowest is None or self.highest is None):
            raise ValueError(f"the decision {self.decision!r} has neither values nor two ends")
        return self


class ResponseSpec(Spec):
    """A number that is taken of the results of each point."""

    quantity: str = parameter(
        title="Result", choices="response", min_length=1,
        meaning="A curve of the analysis, a number of its run report (steps, …), or a field, also a formula or an "
        "extreme over the run: maximum(von_mises).",
    )  # fmt: skip
    measured: str = parameter(
        "", title="Measured curve", choices="file",
        meaning="CSV file with headings and units, such as time [s]; torque [Nm]: the number is then how far the curve "
        "is from it, the root mean square of the differences at its points.",
    )  # fmt: skip
    take: Literal["last", "first", "maximum", "minimum", "largest", "mean", "range"] = parameter(
        "last", title="Taken",
        meaning="What of a curve is taken over its frames; of a field over the places in its last frame.",
    )  # fmt: skip
    joint: str = parameter(
        "", title="Joint", choices="joint", advanced=True,
        meaning="Of a field in a joint: which one; the only one needs no name.",
    )  # fmt: skip
    name: str = parameter("", title="Name", meaning="What its column is called; by default what it is.")

    @property
    def label(self) -> str:
        """What its column is called."""
        what = "off the measured curve" if self.measured else TAKEN[self.take]
        return self.name or f"{self.quantity}, {what}"


@analyses.register("sweep")
class Sweep(InProcesses, Analysis):
    """An analysis for many values of any decisions: on a grid, for a list, a Latin hypercube, or in search of the best.

    Whatever a point has in common with others, such as the factor or the basis, is computed once. A point that fails
    costs itself: the table says why.
    """

    stage: ClassVar[str] = "sweep"
    title: ClassVar[str] = "Parameter sweep"

    analysis: str = parameter(
        title="Analysis", choices="analysis", min_length=1, meaning="What is computed at each point."
    )
    variations: tuple[VariedDecision, ...] = parameter(
        title="Decisions", min_length=1, meaning="What changes from point to point."
    )
    plan: Literal["grid", "list", "latin_hypercube", "search"] = parameter(
        "grid", title="Points",
        meaning="Grid: every value of each decision with every value of the others. List: the first values together, "
        "then the second, and so on. Latin hypercube: random points between the ends, of which each decision has one "
        "in each of so many equal intervals. Search: from the present values on, each point is chosen by the ones "
        "before, until the first result is best (Nelder and Mead 1965).",
    )  # fmt: skip
    points: int = parameter(
        20, title="Number of points", ge=2, le=MOST_POINTS,
        meaning="Of a Latin hypercube; the largest number of a search.",
    )  # fmt: skip
    precision: float = parameter(
        1e-3, title="Precision", gt=0.0, lt=1.0, advanced=True,
        meaning="A search ends when all decisions are known to this share of the distance between their ends, and the "
        "result to this share of its size.",
    )  # fmt: skip
    seed: int = parameter(
        0, title="Seed", ge=0, advanced=True, meaning="Another one gives other points of a Latin hypercube."
    )
    responses: tuple[ResponseSpec, ...] = parameter(
        title="Results",
        min_length=1,
        meaning="What is taken of each point; the first one decides which point is best.",
    )
    best: Literal["smallest", "largest"] = parameter(
        "smallest", title="Best", meaning="Which value of the first result is best."
    )

    @property
    def owner(self) -> str:
        """Empty: a sweep has no body or system of its own, only the analysis that it names."""
        return ""

    @property
    def sees_friction(self) -> bool:
        """True: its analysis may have friction."""
        return True

    @field_validator("responses")
    @classmethod
    def _different(cls, responses: tuple[ResponseSpec, ...]) -> tuple[ResponseSpec, ...]:
        labels = [each.label for each in responses]
        if len(set(labels)) < len(labels):
            raise ValueError("two results have the same name")
        return responses

    @classmethod
    def first_parameters(cls, followed: Sequence[str]) -> dict[str, Any] | None:
        """Return None: the user chooses the decision that is varied."""
        return None

    def best_and_worst(self, values: np.ndarray) -> tuple[int, int]:
        """Return the numbers of the best and of the worst point; −1 if no point has a value.

        Args:
            values: (n,) of the first result; NaN where there is none.
        """
        if np.isnan(values).all():
            return -1, -1
        least, most = int(np.nanargmin(values)), int(np.nanargmax(values))
        return (least, most) if self.best == "smallest" else (most, least)


def taken(values: np.ndarray, how: str) -> float:
    """Return the statistic `how` (a key of `TAKEN`) of values (n,), ignoring NaN; NaN without values."""
    known = np.asarray(values, float)
    known = known[~np.isnan(known)]
    if not len(known):
        return float("nan")
    match how:
        case "first":
            return float(known[0])
        case "maximum":
            return float(known.max())
        case "minimum":
            return float(known.min())
        case "largest":
            return float(np.abs(known).max())
        case "mean":
            return float(known.mean())
        case "range":
            return float(known.max() - known.min())
    return float(known[-1])
