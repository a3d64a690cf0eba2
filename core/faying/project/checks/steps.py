"""Step sequences: their bolts and interface nodes, and unsteady loops in runs."""

from collections.abc import Iterator, Sequence

from faying.analyses.statics.bolts import lockable
from faying.analyses.statics.step_sequence import StepSequence
from faying.analyses.step_kinds.tighten import Tighten
from faying.analyses.steps import Steps
from faying.errors import FayingError
from faying.fem.bolt_sections import find_bolts
from faying.project.checks import CheckedProject, Finding, checks, spoils
from faying.project.mounting import preload_cases
from faying.project.specs import BodySpec
from faying.reduction.preload import PreloadSpec
from faying.reduction.preload_loads.bolt_force import BoltForce
from faying.results.verdicts import percent

_OFF = 0.02  # relative to the force of a bolt


@checks.register("steps")
@spoils("analysis")
def steps(checked: CheckedProject) -> Iterator[Finding]:
    """Check that steps tighten bolts that can be locked, load existing nodes, and reach a steady loop."""
    models = {body.name: model for _, body, model in checked.bodies()}
    bodies = {body.name: body for body in checked.project.bodies}
    for i, analysis in enumerate(checked.project.analyses):
        if not isinstance(analysis, StepSequence):
            continue
        if not analysis.steps:
            yield Finding(
                "error", ("analyses", i, "steps"), f"Analysis {analysis.name!r} has no steps.",
                "Add one: tighten a bolt, load, unload or a cyclic load.",
            )  # fmt: skip
        model, body = models.get(analysis.body), bodies.get(analysis.body)
        places = find_bolts(model) if model is not None else None
        known = [interface.name for interface in body.interfaces] if body is not None else []
        tight, lockable_all = set[str](), True
        for j, step in enumerate(analysis.steps):
            where = ("analyses", i, "steps", j)
            what = f"Step {j + 1} of {analysis.name!r}"
            if places is not None:
                try:
                    lockable([step], [p.name for p in places], [p.cut is not None for p in places])
                except FayingError as error:
                    lockable_all = False
                    yield Finding("error", (*where, "bolt"), f"{what}: {error.message}", error.hint)
            if isinstance(step, Tighten):
                if not step.angle and not step.force and step.bolt not in tight:
                    yield Finding(
                        "warning", where, f"{what} loosens {step.bolt!r}, which nothing has tightened.",
                        "Give the step a force or an angle, or remove it.",
                    )  # fmt: skip
                tight.add(step.bolt)
            for k, load in enumerate(step.own_loads):
                if body is not None and load.interface not in known:
                    yield Finding(
                        "error", (*where, "loads", k),
                        f"{what}: a load acts on {load.interface!r}, which is no interface node.",
                        f"There are: {', '.join(known) or 'none'}.",
                    )  # fmt: skip
        mounted = preload_cases(checked.project, body.name) if body is not None else ()
        if body is not None and lockable_all and (lacking := _unknown(analysis, body, mounted)):
            yield Finding(
                "warning", ("analyses", i, "steps"),
                f"{analysis.name!r} comes through states that the basis of {body.name!r} was not made for: with "
                f"{'; with '.join(lacking)} tightened.",
                "Add a preload case of the body for each, with the bolt forces that act then; joint modes follow them. "
                "Without it forces of locked bolts may be far off: compare with unreduced steps.",
            )  # fmt: skip
        report = checked.reports.get(analysis.name, {})
        for number, errors in report.get("bolt_force_errors", {}).items():
            bolt, worst = max(errors.items(), key=lambda one: one[1])
            if worst > _OFF:
                yield Finding(
                    "warning", ("analyses", i, "steps", int(number) - 1),
                    f"After step {number} of {analysis.name!r} the force of bolt {bolt!r} is {percent(worst)} off "
                    "what the FE model has in that state.",
                    "Add a preload case of the body with the bolt forces that act then, so that joint modes learn that "
                    "state, or take more of them.",
                )  # fmt: skip
        for told in report.get("steps", ()):
            if told.get("steady") is False:
                yield Finding(
                    "warning", ("analyses", i, "steps", int(told["step"]) - 1),
                    f"The cyclic load in step {told['step']} of {analysis.name!r} is not steady after "
                    f"{told['cycles']} cycles: its loop still changes.",
                    "Let it run more cycles, or allow a larger change from one to the next.",
                )  # fmt: skip


def _unknown(analysis: StepSequence, body: BodySpec, mounted: Sequence[PreloadSpec]) -> list[str]:
    """Return bolts tightened together in a step of a reduced body without a preload case for exactly these."""
    if not isinstance(analysis, Steps) or not body.contact_joints:
        return []
    cases = [{load.bolt.upper() for load in case.loads if isinstance(load, BoltForce)} for case in mounted]
    tight, found = dict[str, str](), list[str]()
    for step in analysis.steps:
        if not isinstance(step, Tighten):
            continue
        tight.pop(step.bolt.upper(), None)
        if step.force or step.angle:
            tight[step.bolt.upper()] = step.bolt
        words = " and ".join(sorted(tight.values()))
        if tight and set(tight) not in cases and words not in found:
            found.append(words)
    return found
