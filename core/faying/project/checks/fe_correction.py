"""Corrections on the FE model: the corrected analysis, and the implied quality of the reduction basis."""

from collections.abc import Iterator

from faying.analyses.fe_correction import FeCorrection
from faying.errors import there_are
from faying.project.checks import CheckedProject, Finding, checks
from faying.results.verdicts import percent

_BALANCED = 1e-3  # of the forces on a part
_NOT_SMALL = 0.03  # in the energy norm; above, gap errors are usually some per cent


@checks.register("fe_correction")
def fe_correction(checked: CheckedProject) -> Iterator[Finding]:
    """Check the corrected analysis of each correction, and its run."""
    for number, analysis in enumerate(checked.project.analyses):
        if not isinstance(analysis, FeCorrection):
            continue
        project = checked.project
        known = [other.name for other in project.analyses if project.can_follow(analysis, other)]
        if analysis.corrects not in known:
            titles = " or ".join(kind.replace("_", " ") for kind in analysis.follows)
            yield Finding(
                "error",
                ("analyses", number, "corrects"),
                f"Analysis {analysis.name!r} corrects {analysis.corrects!r}, which is no {titles} analysis "
                f"of body {analysis.body!r}.",
                there_are(analysis.corrects, known, "Choose one of")
                if known
                else "Add such an analysis first.",
            )
        report = checked.reports.get(analysis.name, {})
        if (unbalanced := report.get("unbalanced_loads", 0.0)) > _BALANCED:
            yield Finding(
                "note",
                ("analyses", number),
                f"Of the forces on the part that {analysis.name!r} corrects, {percent(unbalanced)} are out of balance "
                "on its undeformed FE model.",
                "It deflects so far that forces have other arms, or something acts on it elsewhere than at its "
                "interface nodes.",
            )
        if "largest_correction" not in report:
            continue
        first = report["largest_correction"]
        if first > _NOT_SMALL:
            yield Finding(
                "note",
                ("analyses", number),
                f"The frames that {analysis.name!r} corrects were {percent(first)} off the FE model in the energy "
                "norm: what was found in them before is in doubt too.",
                "Give the body more joint modes.",
            )
