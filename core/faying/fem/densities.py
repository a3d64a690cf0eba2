"""Checks of densities: statics needs none, everything that involves mass does."""

from faying.errors import ModelError
from faying.fem.model import FeModel, Material, ShellSection


def materials_without_density(model: FeModel) -> list[str]:
    """Return the distinct names of materials in use without positive density."""
    found: dict[str, Material] = {}
    for block in model.blocks:
        material = model.materials.get(block.material)
        if not len(block.ids) or material is None:
            continue
        plies = block.section.plies if isinstance(block.section, ShellSection) else ()
        # A single layer may be massless, such as an adhesive; a laminate may not.
        own = [ply.material for ply in plies] if plies and not material.density > 0.0 else [material]
        found |= {each.name: each for each in own}
    return [material.name for material in found.values() if not material.density > 0.0]


def require_densities(model: FeModel, what: str) -> None:
    """Raise an error when elements have no mass.

    Args:
        model: model whose materials are checked.
        what: what needs the mass, for the message: "the reduction".

    Raises:
        ModelError: naming the materials.
    """
    lacking = materials_without_density(model)
    if lacking:
        names = ", ".join(repr(name) for name in lacking)
        raise ModelError(
            f"Material{'s' if len(lacking) > 1 else ''} {names} {'have' if len(lacking) > 1 else 'has'} no density, "
            f"which {what} needs.",
            "Give it in the deck or under Materials of the body; an unreduced static analysis does without.",
        )
