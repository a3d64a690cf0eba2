"""Decks made from nothing: parts of known shape."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faying.fem.mesh_makers import facts_of, maker_of, mesh_makers
from faying.fem.model import FeModel
from faying.fem.writers import write_model, writers
from faying.project.numbers import with_numbers
from faying.project.outputs import writing
from faying.units import OF_DEFAULTS, UnitSystemName


@dataclass(frozen=True, eq=False)
class MadeMesh:
    """A mesh that was made and written.

    Attributes:
        path: of the deck, which a body reads.
        model: what is in it.
        facts: name and value, with its unit, of what follows from the parameters.
        left_out: a sentence for each thing that the file cannot hold.
    """

    path: Path
    model: FeModel
    facts: tuple[tuple[str, str], ...]
    left_out: tuple[str, ...]


def mesh(
    kind: str,
    to: str | Path,
    *,
    units: UnitSystemName = OF_DEFAULTS,
    replace: bool = False,
    **parameters: Any,
) -> MadeMesh:
    """Make the deck of a part of known shape, such as a plate, a beam, a bolted lap or a gear.

    Args:
        kind: of the part (`faying.fem.mesh_makers.mesh_makers`).
        to: file to write, .inp or .vtu.
        units: unit system of the deck, and of numbers without a unit.
        replace: whether a file of that name may be replaced that Faying did not write.
        parameters: of the part; numbers, or texts with units such as "2 cm".

    Raises:
        FayingError: for an unknown kind or parameter, numbers of which there is no such part, or a file that cannot be
            written.
    """
    path = Path(to)
    maker = maker_of(kind, with_numbers(mesh_makers[kind], parameters, units), units)
    endings = tuple(ending for _, writer in writers.items() for ending in writer.extensions)
    with writing(path, endings=endings, replace=replace):
        model = maker.model()
        left_out = write_model(model, path)
    return MadeMesh(path, model, tuple(facts_of(maker, units)), left_out)
