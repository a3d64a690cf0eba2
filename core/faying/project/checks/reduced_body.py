"""Bodies that were read reduced: what is decided about them beyond their files, and analyses that need FE matrices."""

from collections.abc import Iterator

from faying.analyses import BodyAnalysis
from faying.project.checks import CheckedProject, Finding, checks
from faying.project.reduced_bodies import FE_MODEL, lacking


@checks.register("reduced_body")
def reduced_body(checked: CheckedProject) -> Iterator[Finding]:
    """Check that nothing is asked of a reduced body that only its FE model could give."""
    reduced = set()
    for path, body, _ in checked.bodies():
        if body.model.is_reduced:
            reduced.add(body.name)
            for sentence in lacking(body):
                yield Finding("error", path, f"Body {body.name!r}: {sentence}", FE_MODEL)
    for i, analysis in enumerate(checked.project.analyses):
        if not isinstance(analysis, BodyAnalysis) or analysis.body not in reduced:
            continue
        if (
            analysis.needs_matrices
            or analysis.needs_basis
            or analysis.needs_interior
            or analysis.needs_joint_problem
        ):
            yield Finding(
                "error", ("analyses", i),
                f"Analysis {analysis.name!r} needs the FE matrices of body {analysis.body!r}, which was read reduced.",
                "Read the FE model itself for it.",
            )  # fmt: skip
