"""Densities: statics does without, whatever counts in mass does not."""

from faying.errors import ModelError
from faying.fem.model import FeModel


def materials_without_density(model: FeModel) -> list[str]:
    """Return the names of the materials of elements that have no positive density, each once."""
    used = dict.fromkeys(block.material for block in model.blocks if len(block.ids))
    found = [model.materials[name] for name in used if name in model.materials]
    return [material.name for material in found if not material.density > 0.0]


def require_densities(model: FeModel, what: str) -> None:
    """Raise an error when elements have no mass.

    Args:
        model: whose materials are looked at.
        what: needs the mass, for the sentence: "the reduction".

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
