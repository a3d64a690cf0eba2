"""Direction-dependent materials, and the elements that support them."""

from collections.abc import Iterator

import numpy as np

from faying.errors import FayingError
from faying.fem.assembly import material_misfit
from faying.fem.elasticity import described_stiffness
from faying.fem.model import FeModel, ShellSection
from faying.project.checks import CheckedProject, Finding, checks, spoils


@checks.register("directional_materials")
@spoils("matrices")
def directional_materials(checked: CheckedProject) -> Iterator[Finding]:
    """Report orthotropic and anisotropic materials and laminates; impossible ones and wrong elements are errors."""
    for path, body, model in checked.bodies():
        for i, choice in enumerate(body.materials):
            try:
                choice.material(checked.project.units)
            except FayingError as error:
                yield Finding(
                    "error", (*path, "materials", i), f"Body {body.name!r}: {error.message}", error.hint
                )
        if model is None or body.model.has_own_matrices:
            continue
        place = (*path, "model")
        for block in model.blocks:
            material = model.materials.get(block.material)
            problem = material_misfit(material, block) if material is not None and len(block.ids) else ""
            if problem:
                yield Finding(
                    "error", place, f"Body {body.name!r}: {problem}.",
                    "Choose another material for them under Materials of the body, or in the deck.",
                )  # fmt: skip
        for material in model.materials.values():
            if material.kind != "isotropic" and (words := _where(model, material.name)):
                text = f"Body {body.name!r}, material {material.name!r}: {described_stiffness(material)}; {words}."
                yield Finding("note", place, text)


def _where(model: FeModel, name: str) -> str:
    """Return the number of elements with a material and their directions, as text; "" for none."""
    own = [block for block in model.blocks if block.material == name and len(block.ids)]
    if not own:
        return ""
    count = sum(len(block.ids) for block in own)
    axes = [block.directions for block in own if block.directions is not None]
    turned = sum(len(each) for each in axes)
    layers = {len(block.section.plies) for block in own if isinstance(block.section, ShellSection)} - {0}
    plies = f" of {' and '.join(map(str, sorted(layers)))} plies" if layers else ""
    whose = (
        "the deck's"
        if turned == count
        else "global"
        if not turned
        else f"the deck's of {turned}, else global"
    )
    varied = any(np.ptp(each, axis=0).max() > 1e-6 for each in axes)
    return (
        f"{count} elements{plies}, axes {whose}{', which differ from element to element' if varied else ''}"
    )
