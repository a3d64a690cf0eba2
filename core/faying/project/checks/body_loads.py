"""Loads of bodies: their targets, the analyses that apply them, and the error of the basis under them."""

from collections.abc import Iterator

from faying.analyses import Analysis
from faying.analyses.statics.step_sequence import StepSequence
from faying.errors import FayingError
from faying.fem.densities import require_densities
from faying.fem.model import FeModel
from faying.fem.thermal import require_expansion
from faying.project.checks import CheckedProject, EntityPath, Finding, checks, spoils
from faying.project.file_names import with_absolute_files
from faying.reduction.acting_loads import ActingLoadSpec
from faying.reduction.body_loads import BodyLoad
from faying.results.verdicts import percent

_NOT_SMALL = 0.01  # relative to the state, in the energy norm


@checks.register("body_loads")
@spoils("load_modes", "basis", "body", "analysis", "motion")
def body_loads(checked: CheckedProject) -> Iterator[Finding]:
    """Check the loads of every body and their use in analyses."""
    for path, body, model in checked.bodies():
        for i, load in enumerate(body.loads):
            place: EntityPath = (*path, "loads", i)
            if model is None:
                continue
            try:
                _try(with_absolute_files(load, checked.base), model, checked, body.model.has_own_matrices)
            except FayingError as error:
                owner = _owner_of_surface(load, body.name, checked)
                hint = f"{owner} A load acts on surfaces of its own body." if owner else error.hint
                yield Finding("error", place, f"Load {load.name!r}: {error.message}", hint)
    yield from _on_parts(checked)
    known = {body.name: [load.name for load in body.loads] for body in checked.project.bodies}
    for i, analysis in enumerate(checked.project.analyses):
        own = known.get(analysis.owner, [])
        for place, acting in _applied(analysis, ("analyses", i)):
            if acting.load in own:
                continue
            others = [name for name, loads in known.items() if acting.load in loads]
            yield Finding(
                "error", place,
                f"Analysis {analysis.name!r} applies a load {acting.load!r}, which body {analysis.owner!r} has not"
                + (f"; it is one of body {others[0]!r}." if others else "."),
                f"Loads of {analysis.owner!r} are: {', '.join(own) or 'none'}.",
            )  # fmt: skip
        missed = checked.reports.get(analysis.name, {}).get("load_error", 0.0)
        if missed > _NOT_SMALL:
            yield Finding(
                "warning", ("analyses", i),
                f"The trial vectors of {analysis.name!r} miss {percent(missed)} of the deformation under the loads "
                "of the body, in the energy norm.",
                "Let load modes be trial vectors (load_modes of the body), or take more component modes.",
            )  # fmt: skip


def _owner_of_surface(load: BodyLoad, of: str, checked: CheckedProject) -> str:
    """Return a sentence naming another body that has the surface or set of a load; "" for none."""
    wanted = str(getattr(getattr(load, "surface", None), "name", "")).strip().upper()
    for _, body, model in checked.bodies():
        if model is None or body.name == of:
            continue
        known = {name.upper() for name in (*model.surfaces, *model.node_sets, *model.element_sets)}
        if wanted and wanted in known:
            return f"Body {body.name!r} has one of that name."
    return ""


def _applied(analysis: Analysis, path: EntityPath) -> Iterator[tuple[EntityPath, ActingLoadSpec]]:
    """Yield the body loads applied by an analysis, including those in steps, each with its path."""
    if isinstance(analysis, StepSequence):
        for k, step in enumerate(analysis.steps):
            for j, acting in enumerate(step.own_body_loads):
                yield (*path, "steps", k, "body_loads", j), acting
        return
    for j, acting in enumerate(getattr(analysis, "body_loads", ())):
        yield (*path, "body_loads", j), acting


def _on_parts(checked: CheckedProject) -> Iterator[Finding]:
    """Check the body loads that act on flexible parts of systems."""
    known = {body.name: {load.name: load for load in body.loads} for body in checked.project.bodies}
    for i, system in enumerate(checked.project.systems):
        for j, part in enumerate(system.parts):
            own = known.get(part.body_name(), {})
            for k, acting in enumerate(getattr(part, "body_loads", ())):
                place: EntityPath = ("systems", i, "parts", j, "body_loads", k)
                load = own.get(acting.load)
                if load is None:
                    yield Finding(
                        "error", place,
                        f"Part {part.name!r} takes a load {acting.load!r}, which body {part.body_name()!r} has not.",
                        f"Loads of the body are: {', '.join(own) or 'none'}.",
                    )  # fmt: skip
                elif load.not_in_motion:
                    yield Finding(
                        "error", place,
                        f"Part {part.name!r} cannot move under the load {acting.load!r} of its body: "
                        f"{load.not_in_motion}.",
                        "Take the load off the part; analyses of the body alone may apply it.",
                    )  # fmt: skip


def _try(load: BodyLoad, model: FeModel, checked: CheckedProject, own_matrices: bool) -> None:
    """Raise the error of a load with a missing target, or without the density or expansion that it needs."""
    load.arrows(model, checked.skin(model) if hasattr(load, "surface") else None)
    if not own_matrices and load.acts_on_mass(model):
        require_densities(model, "it")
    temperatures = load.temperatures(model)
    if temperatures is not None:
        require_expansion(model, temperatures)
