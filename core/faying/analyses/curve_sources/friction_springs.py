"""By how much friction laws with a spring without limit can exceed their limit of friction."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from faying.analyses.curve_sources import BodyCurveSource, BodyState, RecordedBody, RecordedRun, curve_sources
from faying.results.curve_key import Quantity, owner_text


@curve_sources.register("friction_springs")
class FrictionSprings(BodyCurveSource):
    """Σ w c₂ |s| over Σ w μ p of the closed pairs; zero without pressure."""

    title = "Friction beyond its limit"
    owners_kind = "joint"
    quantities = (
        Quantity("friction beyond limit", "", "Share by which friction can exceed its limit in the closed pairs."),
    )  # fmt: skip

    def owners(self, subject: RecordedBody) -> Sequence[str]:
        """Return the joints whose friction law has such a spring."""
        return [rows.name for rows, _ in self._springs(subject)]

    def values(self, subject: RecordedBody, state: BodyState) -> Iterable[float]:
        """Return the share of each joint."""
        answers = {rows.name: answer for rows, answer in zip(subject.joints, state.responses, strict=True)}
        for rows, law in self._springs(subject):
            answer = answers[rows.name]
            limit = rows.weights @ law.sticking_limit(answer.pressure)[0]
            slip = rows.weights @ np.linalg.norm(answer.slip, axis=1) if limit > 0.0 else 0.0
            yield law.unlimited_stiffness * slip / limit if limit > 0.0 else 0.0

    def report(self, subject: RecordedBody, run: RecordedRun) -> dict[str, Any]:
        """Return the largest share of each joint over the run."""
        most = {owner_text(key): float(run.curve(key).max(initial=0.0)) for key in self.keys(subject)}
        return {"friction_beyond_limit": most}

    def _springs(self, subject: RecordedBody) -> list[tuple[Any, Any]]:
        each = zip(subject.joints, subject.laws, strict=True)
        return [(rows, law) for rows, law in each if law is not None and law.unlimited_stiffness]
