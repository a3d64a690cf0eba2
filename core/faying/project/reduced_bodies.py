"""Bodies read from files of reduced bodies: contents used by a project, and unsupported decisions."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from faying.errors import ModelError, there_are
from faying.fem.body_skin import MASTER, SLAVE
from faying.fem.condensed import condensed_arrays
from faying.fem.model import FeModel
from faying.project.bodies import interface_row
from faying.project.deck import deck_path
from faying.project.specs import BodySpec, InterfaceSpec, ModelSpec
from faying.reduction.body import ReducedBody
from faying.reduction.body_file import BodyFile, JointInFile, from_arrays, read_body_file
from faying.reduction.body_loads.of_file import LoadOfFile
from faying.reduction.preload import PreloadSpec


def joint_in_file(body: BodySpec, joint: str, base: Path) -> JointInFile:
    """Return a joint of a body's file.

    Raises:
        ModelError: when the file has no such joint.
        ReadError: when it cannot be read.
    """
    found = _file_of(body, base).joints
    if joint not in found:
        raise _not_in_file(body, "joint", joint, found)
    return found[joint]


def read_reduced_body(body: BodySpec, model: FeModel, base: Path) -> ReducedBody:
    """Return the reduced body of a file, with the interface nodes and joints named in the project.

    Joints of the file that are not named in the project stay open, without contact forces.

    Args:
        body: the decisions.
        model: the skin from the file.
        base: folder of relative paths.

    Raises:
        ModelError: when something is missing in the file, or a decision requires the FE model.
        ReadError: when the file cannot be read.
    """
    for sentence in lacking(body):
        raise ModelError(f"Body {body.name!r}: {sentence}", FE_MODEL)
    file = _file_of(body, base)
    reduced = file.reduced
    at_row = {row: name for name, row in reduced.interface_nodes.items()}
    nodes = {each.name: interface_row(each, model, body.name) for each in body.interfaces}
    for name, row in nodes.items():
        if row not in at_row:
            raise _not_in_file(body, "interface node", name, reduced.interface_nodes)
    rows = {joint.name: number for number, joint in enumerate(reduced.joints)}
    for what, names, known in _named(body, file):
        for name in names:
            if name not in known:
                raise _not_in_file(body, what, name, known)
    chosen = [rows[joint.name] for joint in body.contact_joints]
    return replace(
        reduced,
        interfaces={name: reduced.interfaces[at_row[row]] for name, row in nodes.items()},
        interface_nodes=nodes,
        joints=tuple(reduced.joints[number] for number in chosen),
        preload_closings={
            name: np.asarray(closings[chosen]) for name, closings in reduced.preload_closings.items()
        },
    )


def _file_of(body: BodySpec, base: Path) -> BodyFile:
    path = deck_path(body.model, base)
    if body.model.is_condensed:
        return from_arrays(condensed_arrays(path, body.model.matrices))
    return read_body_file(path)


def as_body_of_file(body: BodySpec, file: Path) -> BodySpec:
    """Return the decisions of a body for reading it from its exported reduced body instead of its FE model.

    Materials, couplings, supports, bolts and ties are in the file. Contact laws contain the numbers of their tables.
    """
    joints = tuple(
        joint.with_(
            master={"kind": "deck_surface", "name": joint.name + MASTER},
            slave={"kind": "deck_surface", "name": joint.name + SLAVE},
            contact_law=joint.contact_law.loaded(),
        )
        for joint in body.contact_joints
    )
    made: BodySpec = BodySpec(
        name=body.name,
        model=ModelSpec(path=str(file)),
        interfaces=tuple(InterfaceSpec(name=each.name, node_set=each.name) for each in body.interfaces),
        joints=joints,
        preloads=tuple(PreloadSpec(name=case.name) for case in body.preloads),
        contact_surfaces=tuple(
            each.with_(surface={"kind": "deck_surface", "name": each.name}) for each in body.contact_surfaces
        ),
        loads=tuple(LoadOfFile(name=load.name) for load in body.loads),
        strengths=body.strengths,
    )
    return made


FE_MODEL = "Read the FE model itself, or export the reduced body again with it."


def lacking(body: BodySpec) -> Iterator[str]:
    """Yield a sentence for each decision that cannot be applied to a body read in reduced form."""
    what = {
        "a material": body.materials, "a coupling": body.couplings, "a bolt": body.bolts,
        "a support": body.supports or body.deck_supports,
    }  # fmt: skip
    for words, given in what.items():
        if given:
            yield f"it was read reduced, so {words} cannot be added to it."
    for joint in body.tied_joints:
        yield f"it was read reduced, so the joint {joint.name!r} cannot be tied any more."
    for load in body.loads:
        if not isinstance(load, LoadOfFile):
            yield f"it was read reduced, so loads are those of its file (kind of_file), and {load.name!r} is none."
    if body.model.imports_matrices:
        yield "it was read reduced, so it takes no stiffness and mass files."


def _named(body: BodySpec, file: BodyFile) -> Iterator[tuple[str, list[str], Iterable[str]]]:
    """Yield (kind of thing, names in the project, names in the file)."""
    yield "joint", [each.name for each in body.contact_joints], file.joints
    yield "preload case", [each.name for each in body.preloads], file.reduced.preload_forces
    yield "contact surface", [each.name for each in body.contact_surfaces], file.surfaces
    known = file.reduced.loads.names if file.reduced.loads else ()
    yield "load", [each.name for each in body.loads], known


def _not_in_file(body: BodySpec, what: str, name: str, known: Iterable[str]) -> ModelError:
    return ModelError(
        f"Body {body.name!r}: the file {Path(body.model.path).name} has no {what} called {name!r}.",
        there_are(name, list(known)),
    )
