"""Comparing candidates on a bench: their curves, and matching them. No widgets."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from faying.errors import Cancelled, FayingError, ModelError
from faying.joints.law_curves import matched
from faying.joints.law_plots import PlotUnits
from faying.plot import Plot
from faying.progress import Progress
from faying.project.file_names import with_absolute_files
from faying_app.law_editor.benches import Bench, benches
from faying_app.law_editor.candidates import Candidate


class LawComparison:
    """The laws of one family under the conditions of their bench.

    Args:
        kind: of the bench: "contact_law" or "friction_law".
        first: the law from which conditions are chosen; may be None.
        units: of the laws and plots at first.
        base: folder from which relative files of laws count.
        acting: returns a law as it acts in the joint.
    """

    def __init__(
        self,
        kind: str,
        first: Any,
        units: PlotUnits,
        base: Path,
        acting: Callable[[Any], Any] = lambda law: law,
    ) -> None:
        self._base, self._acting = base, acting
        try:
            self.bench: Bench = benches[kind](self._readable(first), units)
        except FayingError:  # the law has no answer; that is said when it is drawn
            first, self.bench = None, benches[kind](None, units)
        self._awaits_law, self._untouched = first is None, self._values()

    def choose_for(self, law: Any, units: PlotUnits) -> bool:
        """Choose the conditions again for the first law there is; return whether that was done.

        They stay when they were chosen for a law before, or changed by the user.
        """
        if not self._awaits_law:
            return False
        self._awaits_law = False
        if self._values() != self._untouched:
            return False
        try:
            self.bench.choose(self._readable(law), units)
        except FayingError:
            self._awaits_law = True
        return not self._awaits_law

    def curves(
        self, shown: Sequence[tuple[str, Candidate]], units: PlotUnits, progress: Progress
    ) -> tuple[Plot, str]:
        """Return the plot of (name, candidate), and sentences about those that have no answer and are left out."""
        good: list[tuple[str, Any, int]] = []
        problems = []
        for name, candidate in shown:
            try:
                law = self._readable(candidate.law)
                self.bench.plot([(name, law)], units, progress)
            except Cancelled:
                raise
            except FayingError as error:
                problems.append(str(error))
            else:
                good.append((name, law, candidate.style))
        plot = self.bench.plot([(name, law) for name, law, _ in good], units, progress)
        styled = zip(plot.series, good, strict=True)
        series = tuple(replace(curve, style=style) for curve, (_, _, style) in styled)
        return replace(plot, series=series), " ".join(problems)

    def match(self, candidates: Sequence[tuple[Candidate, str]], progress: Progress) -> str:
        """Match each candidate by the parameter beside it, "" for its first; return sentences of those that fail."""
        target = self.bench.aims[-1].value
        problems = []
        for candidate, name in candidates:
            try:
                candidate.law = matched(candidate.law, lambda law: self.measure(law, progress), target, name)
            except ModelError as error:
                problems.append(str(error))
        return " ".join(problems)

    def measure(self, law: Any, progress: Progress) -> float:
        """Return the value of a law that matching has to bring to the last aim of the bench."""
        return self.bench.measure(self._readable(law), progress)

    def _values(self) -> list[float]:
        return [c.value for c in (*self.bench.conditions, *self.bench.aims)]

    def _readable(self, law: Any) -> Any:
        """Return the law as it acts, with the files that it names found from the project's folder."""
        return self._acting(with_absolute_files(law, self._base))
