"""Decks that are made: of parts of known shape, from nothing, and of CAD files."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faying.fem.cad.meshing import CadMesh, mesh_cad
from faying.fem.cad_files import is_geometry
from faying.fem.mass_properties import mass_properties
from faying.fem.mesh_makers import MeshMaker, facts_of, mesh_makers
from faying.fem.model import FeModel
from faying.fem.one_material import OneMaterial
from faying.fem.writers import write_model, writers
from faying.progress import Progress, Silent
from faying.project.numbers import with_numbers
from faying.project.outputs import writing
from faying.units import OF_DEFAULTS, UnitSystemName, amount, with_units


@dataclass(frozen=True, eq=False)
class MadeMesh:
    """A mesh that was made and written.

    Attributes:
        path: of the deck, which a body reads.
        model: what is in it.
        facts: name and value, with its unit, of derived quantities.
        left_out: a sentence for each thing that the file cannot hold.
    """

    path: Path
    model: FeModel
    facts: tuple[tuple[str, str], ...]
    left_out: tuple[str, ...]


def mesh(
    what: str | Path,
    to: str | Path,
    *,
    units: UnitSystemName = OF_DEFAULTS,
    replace: bool = False,
    progress: Progress | None = None,
    **parameters: Any,
) -> MadeMesh:
    """Make a deck of a part of known shape, such as a plate, a bolted lap or a gear, or of the bodies in a CAD file.

    Args:
        what: kind of the part (`faying.fem.mesh_makers.mesh_makers`), or a STEP, IGES, BREP or STL file.
        to: file to write, .inp or .vtu.
        units: unit system of the deck, and of numbers without a unit.
        replace: whether a file of that name may be replaced that Faying did not write.
        progress: reports and cancels.
        parameters: of the part, or of `faying.fem.cad.meshing.CadMesh`; numbers, or texts with units such as "2 cm".

    Raises:
        FayingError: for an unknown kind or parameter, numbers of which there is no such part, a CAD file that cannot be
            meshed or no Gmsh to do it, or a file that cannot be written.
        Cancelled: on request.
    """
    path, decided = Path(to), kind_of_mesh(what)
    spec = decided.decided(with_numbers(decided, parameters, units), units)
    endings = tuple(ending for _, writer in writers.items() for ending in writer.extensions)
    reads = (Path(what),) if isinstance(spec, CadMesh) else ()
    with writing(path, endings=endings, reads=reads, replace=replace):
        if isinstance(spec, CadMesh):
            model = mesh_cad(what, spec, units, progress or Silent())
            facts = _facts(model, units)
        else:
            assert isinstance(spec, MeshMaker)
            model, facts = spec.model(), facts_of(spec, units)
        left_out = write_model(model, path)
    return MadeMesh(path, model, tuple(facts), left_out)


def kind_of_mesh(what: str | Path) -> type[OneMaterial]:
    """Return the class of the parameters of a kind of part, or of CAD files.

    Raises:
        ModelError: for an unknown kind.
    """
    return CadMesh if is_geometry(Path(what)) else mesh_makers[str(what)]


def _facts(model: FeModel, units: str) -> list[tuple[str, str]]:
    """Return facts about a meshed CAD file."""
    found = mass_properties(model)
    touching = [name for name in model.surfaces if "_ON_" in name]
    facts = [("Bodies", ", ".join(model.element_sets))]
    if touching:
        facts.append(("Touching", ", ".join(touching)))
    for name, value, quantity in (("Volume", found.volume, "volume"), ("Mass", found.mass, "mass")):
        facts.append((name, with_units(amount(value, quantity, 6), units)))
    return facts
