"""CAD files as FE models: STEP, IGES, BREP and STL, meshed by Gmsh in a separate process if it is installed."""

import re
import tempfile
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.child_process import how_it_ended, start_child
from faying.errors import MissingDependencyError, ReadError
from faying.fem.cad_files import GEOMETRY_HINT
from faying.fem.element_quality import smallest_jacobians
from faying.fem.element_topology import TETRAHEDRON_EDGES
from faying.fem.facet_sets import connected_regions
from faying.fem.model import DeckSurface, FeModel
from faying.fem.one_material import OneMaterial
from faying.fem.readers import read_model
from faying.fem.skin import exterior_faces, find_skin
from faying.params import parameter
from faying.progress import PartialProgress, Progress, Silent
from faying.units import factor_to_si

_MISSING = re.compile(r"(lib[\w.+-]+): cannot open shared object file")
_WAIT = 0.1  # s between checks for cancellation
_SHARP = 30.0  # degrees: sharp edge between faces
_TRIES = 5  # attempts to remove inverted elements


class CadMesh(OneMaterial):
    """Settings for meshing a CAD file; lengths are in the units of the resulting model."""

    title: ClassVar[str] = "Mesh of a CAD file"

    size: float = parameter(
        0.0, title="Element size", quantity="length", ge=0.0,
        meaning="Edge length of the elements, about; 0 takes a twenty-fifth of the diagonal of all bodies.",
    )  # fmt: skip
    order: int = parameter(
        2, title="Order of the elements", ge=1, le=2,
        meaning="2: tetrahedra of 10 nodes; 1: tetrahedra of 4 nodes, which are much too stiff in bending.",
    )  # fmt: skip
    refinement: float = parameter(
        2.0, title="Finer at contact and holes", ge=1.0, le=20.0,
        meaning="By what factor elements are smaller where bodies touch, and round holes; 1 for none.",
    )  # fmt: skip


def is_installed() -> bool:
    """Return whether Gmsh is installed, without loading it."""
    return find_spec("gmsh") is not None


def mesh_cad(
    path: str | Path, spec: CadMesh, units: str = "mm-t-s", progress: Progress | None = None
) -> FeModel:
    """Return the mesh of the bodies in a CAD file, without shared nodes, so that touching faces can slide.

    Bodies become element sets and faces become surfaces, with names from the file or else numbers; faces that touch
    another body are named BODY_ON_OTHER, round holes BODY_HOLE_1 …

    Args:
        path: of the file: STEP, IGES, BREP or STL. The last two have no units: their numbers are used unchanged.
        spec: settings of the mesh.
        units: unit system of the model.
        progress: reports and cancels.

    Raises:
        MissingDependencyError: without Gmsh.
        ReadError: when the file has no closed body or cannot be meshed.
        Cancelled: when asked to stop.
    """
    path, progress = Path(path), progress or Silent()
    if not is_installed():
        raise MissingDependencyError(f"{path.name} is geometry, not a mesh, and Gmsh, which meshes it, is not here.",
                                     GEOMETRY_HINT)  # fmt: skip
    try:
        path.open("rb").close()
    except OSError as error:
        raise ReadError(path, None, f"it cannot be read ({error.strerror}).", "Choose a CAD file.") from None
    with tempfile.TemporaryDirectory(prefix="faying-cad-") as folder:
        mesh = Path(folder) / f"{path.stem or 'mesh'}.msh"
        _run_gmsh(path, mesh, spec, units, PartialProgress(progress, 0.0, 0.8))
        model = read_model(mesh, PartialProgress(progress, 0.8, 1.0, "reading the mesh"))
    blocks = tuple(replace(block, material="MATERIAL") for block in model.blocks)
    # Keep faces only as surfaces; their node sets would be mistaken for supports and interfaces.
    model = replace(
        model, title=path.stem, blocks=blocks, node_sets={}, unread=(), materials={"MATERIAL": spec.material}
    )
    model = _right_way_round(model)
    return model if model.surfaces else replace(model, surfaces=_faces(model))


def _faces(model: FeModel) -> dict[str, DeckSurface]:
    """Return the faces of bodies read as triangles: parts of the skin between sharp edges."""
    skin = find_skin(model)
    elements, faces = exterior_faces(model.blocks)
    found = {}
    for body, own in model.element_sets.items():
        facets = np.flatnonzero(np.isin(elements, own))
        regions = connected_regions(skin, facets, _SHARP)
        for number in range(int(regions.max(initial=-1)) + 1):
            at = facets[regions == number]
            name = f"{body}_FACE_{number + 1}"
            found[name] = DeckSurface(name, elements[at], faces[at], np.zeros(0, np.int64))
    return found


def _run_gmsh(path: Path, mesh: Path, spec: CadMesh, units: str, progress: Progress) -> None:
    """Mesh a file into another file by Gmsh."""
    options = {
        "General.Terminal": 0, "General.NumThreads": 1, "Geometry.OCCImportLabels": 1, "Mesh.Binary": 1,
        "Mesh.MshFileVersion": 4.1,
    }  # fmt: skip
    words = {
        "path": str(path.absolute()), "to": str(mesh), "size": spec.size, "order": spec.order,
        "refinement": spec.refinement, "per_millimetre": 1e-3 / factor_to_si("length", units), "options": options,
    }  # fmt: skip
    with tempfile.TemporaryFile() as errors:
        child, connection = start_child("faying.fem.cad.gmsh_child", variables={}, errors=errors)
        try:
            connection.send(words)
            fraction, text = 0.0, "starting Gmsh"
            while True:
                progress.report(fraction, text)
                if not connection.poll(_WAIT):
                    continue
                kind, *answer = connection.recv()
                if kind == "done":
                    return
                if kind == "failed":
                    raise ReadError(path, None, f"{answer[0]}.", answer[1])
                fraction, text = answer
        except (EOFError, OSError):
            error, details = how_it_ended(child, errors)
            if library := _MISSING.search(details):
                raise MissingDependencyError(
                    f"Gmsh lacks the library {library[1]}.",
                    "Install it; on Debian or Ubuntu: apt-get install libglu1-mesa libxcursor1 libxft2 libxinerama1.",
                ) from None
            raise ReadError(
                path, None, f"Gmsh stopped: {_last_line(details) or error.message}", error.hint
            ) from None
        finally:
            child.kill()
            child.wait()
            connection.close()


def _last_line(details: str) -> str:
    lines = [line.strip() for line in details.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _right_way_round(model: FeModel) -> FeModel:
    """Return the model with curved edges straightened where they invert an element."""
    nodes = np.array(model.nodes)
    for _ in range(_TRIES):
        wrong = np.flatnonzero(smallest_jacobians(model) <= 0.0)
        if not len(wrong):
            break
        for block, start in zip(model.blocks, model.block_starts, strict=False):
            own = wrong[(wrong >= start) & (wrong < start + len(block.ids))] - start
            rows = block.connectivity[own]
            if rows.shape[1] > 4:
                nodes[rows[:, 4:]] = nodes[rows[:, np.array(TETRAHEDRON_EDGES)]].mean(axis=2)
        model = replace(model, nodes=nodes.copy())
    return model
