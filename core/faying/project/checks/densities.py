"""Densities: required wherever mass is used; statics without reduction needs none."""

from collections.abc import Iterator
from pathlib import Path

from faying.analyses import BodyAnalysis
from faying.fem.densities import materials_without_density
from faying.fem.readers import reader_of
from faying.project.checks import CheckedProject, Finding, Severity, checks, spoils
from faying.project.specs import BodySpec, Project
from faying.units import unit_text


@checks.register("densities")
@spoils("components", "full_modes")
def densities(checked: CheckedProject) -> Iterator[Finding]:
    """Report the materials without density; an error if the project uses the mass."""
    project = checked.project
    for path, body, model in checked.bodies():
        if model is None or body.model.has_own_matrices:
            continue
        lacking = materials_without_density(model)
        if not lacking:
            continue
        reader = reader_of(Path(body.model.path))
        card = reader.material_cards.get("density", "") if reader is not None else ""
        named = ", ".join(repr(name) for name in lacking)
        yield Finding(
            _severity(project, body), (*path, "model"),
            f"Body {body.name!r}: no density of {'material' if len(lacking) == 1 else 'the materials'} {named}. "
            "Reduction, weight and motion need one; unreduced statics does not.",
            f"Give it in {unit_text('density', project.units)} under Materials of the body"
            + (f", or by {card} in the deck." if card else "."),
        )  # fmt: skip


def _severity(project: Project, body: BodySpec) -> Severity:
    """Return "error" if an analysis uses the mass, "note" if there are analyses but none does, otherwise "warning"."""
    own = [each for each in project.analyses if isinstance(each, BodyAnalysis) and each.body == body.name]
    if any(part.body_name() == body.name for system in project.systems for part in system.parts):
        return "error"
    if any(each.counts_mass for analysis in own for each in (analysis, *analysis.references())):
        return "error"
    return "note" if own else "warning"
