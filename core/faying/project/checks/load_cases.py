"""Combinations and envelopes: their load cases, and whether these can be superposed."""

from collections.abc import Iterator

from faying.analyses import BodyAnalysis, analyses
from faying.analyses.combination import Combination
from faying.analyses.envelope import Envelope
from faying.project.checks import CheckedProject, Finding, checks


@checks.register("load_cases")
def load_cases(checked: CheckedProject) -> Iterator[Finding]:
    """Check that combinations and envelopes name analyses of their body, and that superposed ones are linear."""
    project = checked.project
    for number, analysis in enumerate(project.analyses):
        if not isinstance(analysis, (Combination, Envelope)):
            continue
        path = ("analyses", number, "combinations" if isinstance(analysis, Combination) else "cases")
        known = {
            other.name: other
            for other in project.analyses
            if isinstance(other, BodyAnalysis)
            and other.kind in analysis.follows
            and other.owner == analysis.body
        }
        missing = [name for name in analysis.predecessors() if name not in known]
        for name in missing:
            kinds = ", ".join(analyses[kind].title.lower() for kind in analysis.follows)
            yield Finding(
                "error", path,
                f"Analysis {analysis.name!r} takes the load case {name!r}, and body {analysis.body!r} has no such "
                f"analysis of a fitting kind ({kinds}).",
                f"Choose among: {', '.join(known)}." if known else "Add such an analysis first.",
            )  # fmt: skip
        bodies = [body for body in project.bodies if body.name == analysis.body]
        if missing or not bodies or not isinstance(analysis, Combination):
            continue
        joints = [joint.name for joint in bodies[0].contact_joints]
        supports = [getattr(known[name], "support", "") for name in analysis.predecessors()]
        if (error := analysis.refusal(joints, supports)) is not None:
            yield Finding("error", path, error.message, error.hint)
