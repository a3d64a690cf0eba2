"""Analyses: body or system, support and loads."""

from collections.abc import Iterator

from faying.analyses import BodyAnalysis, SystemAnalysis
from faying.analyses.statics.settings import HeldAnalysis, SupportedAnalysis
from faying.errors import FayingError, there_are
from faying.project.checks import CheckedProject, Finding, checks
from faying.project.file_names import with_absolute_files
from faying.project.specs import BodySpec, JointSpec


@checks.register("analyses_complete")
def analyses_complete(checked: CheckedProject) -> Iterator[Finding]:
    """Check that every analysis has its body, a support and loads."""
    project = checked.project
    bodies = {body.name: body for body in project.bodies}
    for i, analysis in enumerate(project.analyses):
        path = ("analyses", i)
        name = f"Analysis {analysis.name!r}"
        if isinstance(analysis, SystemAnalysis):
            known = [system.name for system in project.systems]
            if analysis.system not in known:
                yield Finding(
                    "error", (*path, "system"), f"{name}: there is no system called {analysis.system!r}.",
                    there_are(analysis.system, known),
                )  # fmt: skip
            continue
        if not isinstance(analysis, BodyAnalysis):
            continue
        body = bodies.get(analysis.body)
        if body is None:
            yield Finding(
                "error", (*path, "body"), f"{name}: there is no body called {analysis.body!r}.",
                there_are(analysis.body, bodies),
            )  # fmt: skip
            continue
        if not isinstance(analysis, SupportedAnalysis):
            continue
        known = [interface.name for interface in body.interfaces]
        hint = (
            there_are(analysis.support, known, "Choose one of")
            if known
            else "Add interface nodes to the body first."
        )
        if not analysis.support and analysis.may_be_free:
            # Vibrations alone, without loads, are in balance with respect to rigid motions.
            has_loads = {"loads", "body_loads"} & set(type(analysis).model_fields)
            if has_loads and analysis.needs_reduced and not body.relief_modes:
                yield Finding(
                    "warning", (*path, "support"),
                    f"{name} holds body {body.name!r} nowhere, so inertia balances the loads, and the trial vectors "
                    "hold that but roughly.",
                    "Give the body inertia relief modes (relief_modes), or choose a node that holds it.",
                )  # fmt: skip
        elif analysis.support not in known:
            sentence = (
                f"is held at {analysis.support!r}, which is no interface node of body {body.name!r}"
                if analysis.support
                else f"holds body {body.name!r} nowhere"
            )
            yield Finding("error", (*path, "support"), f"{name} {sentence}.", hint)
        if not isinstance(analysis, HeldAnalysis):
            continue
        loaded = any(any(load.force) or any(load.moment) for load in analysis.loads)
        moved = any(any(each.given.values()) for each in getattr(analysis, "displacements", ()))
        acting = any(acts.factor for acts in analysis.body_loads)
        pressed = any(_is_pressed(checked, body, joint) for joint in body.contact_joints)
        if not loaded and not moved and not analysis.preloads and not acting and not pressed:
            yield Finding(
                "warning", (*path, "loads"), f"{name} has no load: nothing will happen.",
                "Add a force or a moment at an interface node, or a load of the body.",
            )  # fmt: skip
        for j, load in enumerate(analysis.loads):
            place = (*path, "loads", j)
            if load.interface not in known:
                yield Finding(
                    "error",
                    place,
                    f"{name}: a load acts on {load.interface!r}, which is no interface node.",
                    hint,
                )
            elif load.interface == analysis.support:
                yield Finding(
                    "warning", place, f"{name}: a load acts on {load.interface!r}, where the body is held.",
                    "It has no effect there; load another interface node.",
                )  # fmt: skip
            elif loaded and not (any(load.force) or any(load.moment)):
                yield Finding(
                    "warning", place, f"{name}: the load on {load.interface!r} is zero.",
                    "Give it a force or a moment, or remove it.",
                )  # fmt: skip


def _is_pressed(checked: CheckedProject, body: BodySpec, joint: JointSpec) -> bool:
    """Return whether a joint is an interference fit: its parts press on each other without loads."""
    pairs = checked.pairs.get((body.name, joint.name))
    if pairs is None or not len(pairs):
        return False
    try:
        closing_gap = with_absolute_files(joint.contact_law, checked.base).closing_gap()
    except FayingError:  # the check of contact laws reports an unreadable table
        return False
    return bool(pairs.initial_gaps.min() < closing_gap)
