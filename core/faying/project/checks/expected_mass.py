"""The expected mass of a body compared with that of its model."""

from collections.abc import Iterator

from faying.errors import ModelError
from faying.fem.mass_properties import mass_properties
from faying.project.checks import CheckedProject, Finding, checks
from faying.units import unit_text

CLOSE = 0.02  # allowance for meshed fillets and omitted details


@checks.register("expected_mass")
def expected_mass(checked: CheckedProject) -> Iterator[Finding]:
    """Report by how many percent a body's mass differs from the expected mass."""
    for path, body, model in checked.bodies():
        if model is None or body.expected_mass is None or body.model.has_own_matrices:
            continue
        try:
            mass = mass_properties(model).mass
        except ModelError:  # reported by the checks of mesh and materials
            continue
        off = mass / body.expected_mass - 1.0
        if abs(off) > CLOSE:
            unit = unit_text("mass", checked.project.units)
            yield Finding(
                "warning", (*path, "expected_mass"),
                f"Body {body.name!r} weighs {mass:.6g} {unit}, {abs(off):.1%} {'more' if off > 0 else 'less'} than the "
                f"{body.expected_mass:.6g} {unit} expected.",
                "Check densities, units and whether parts are missing or doubled in the mesh.",
            )  # fmt: skip
