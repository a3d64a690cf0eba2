"""A multibody system as one picture: models and skins of all parts put one behind the other, and what acts on them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from faying.errors import FayingError
from faying.fem.model import Coupling, FeModel
from faying.fem.skin import Skin
from faying.fem.surface import FacetBlock, Surface
from faying.joints.pairs import ContactPairs
from faying.multibody.constraints import Constraint
from faying.multibody.part_kinds.rigid import RigidPartSpec, RigidShapeSpec
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.project.bodies import interface_rows
from faying.project.file_names import with_absolute_files
from faying.project.specs import BodySpec, Project
from faying.results.field import Pose
from faying.results.fields import FieldContext
from faying.results.results import Results
from faying.spatial.rotations import rotation_matrix
from faying_app.entities import system_markers
from faying_app.scene.rigid_meshes import is_shape, looks_of, rigid_surfaces_of
from faying_app.scene.systems import (
    PartFrames,
    ShownMarker,
    ShownMember,
    ShownPart,
    ShownSystem,
    SystemContext,
    inertia_box,
    moved_pairs,
    placed,
)


@dataclass(frozen=True, eq=False)
class PartShape:
    """What is drawn of a part that has an FE model.

    Attributes:
        body: that it is made of.
        model, skin: of the body.
        pairs, slaves: contact pairs and slave surfaces by joint, of joints that act in the part.
    """

    body: BodySpec
    model: FeModel
    skin: Skin
    pairs: dict[str, ContactPairs] = field(default_factory=dict)
    slaves: dict[str, Surface] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class SystemPicture:
    """A system ready to be drawn.

    Attributes:
        model, skin: of all parts with an FE model together, placed where the system starts.
        shown: parts, markers, constraints and forces.
        nodes: (n_nodes, 3) as in the model, but each in the frame of its part.
        pairs, slaves: contact pairs and slave surfaces of the flexible parts by "part: joint".
        owners: part and own name of each joint.
    """

    model: FeModel
    skin: Skin
    shown: ShownSystem
    nodes: np.ndarray
    pairs: dict[str, ContactPairs]
    slaves: dict[str, Surface]
    owners: dict[str, tuple[int, str]]


@dataclass
class _Joined:
    """Models and skins of parts put one behind the other."""

    nodes: list[np.ndarray] = field(default_factory=list)
    blocks: list[FacetBlock] = field(default_factory=list)
    couplings: list[Coupling] = field(default_factory=list)
    skins: list[tuple[Skin, Pose]] = field(default_factory=list)
    rows: int = 0

    def add(self, model: FeModel, skin: Skin, pose: Pose) -> slice:
        """Add a part's; return the rows of its nodes."""
        first = self.rows
        self.nodes.append(model.nodes)
        self.blocks += moved_blocks(skin.surface, first)
        self.couplings += [
            Coupling(c.name, c.kind, c.reference + first, c.nodes + first, c.components, c.weights)
            for c in model.couplings
        ]
        self.skins.append((skin, pose))
        self.rows += len(model.nodes)
        return slice(first, self.rows)

    def skin(self) -> Skin:
        """Return all skins as one, turned to where the parts start."""
        surface = Surface("skin", tuple(self.blocks))
        counts = np.cumsum([0, *(len(skin.areas) for skin, _ in self.skins)])
        return Skin(
            surface,
            np.concatenate([np.zeros(0), *(skin.areas for skin, _ in self.skins)]),
            np.concatenate([np.zeros((0, 3)), *(p + skin.centroids @ t.T for skin, (p, t) in self.skins)]),
            np.concatenate([np.zeros((0, 3)), *(skin.normals @ t.T for skin, (_, t) in self.skins)]),
            np.concatenate(
                [
                    np.zeros((0, 2), np.int64),
                    *(skin.neighbours + n for (skin, _), n in zip(self.skins, counts, strict=False)),
                ]
            ),
        )


def moved_blocks(surface: Surface, first: int) -> list[FacetBlock]:
    """Return the facet blocks of a surface with their node rows shifted by `first`."""
    return [FacetBlock(b.facet, b.connectivity + first, b.elements, b.faces) for b in surface.blocks]


def picture_of(
    project: Project,
    system: SystemSpec,
    shapes: Mapping[str, PartShape],
    starts: Sequence[Pose],
    base: Path = Path(),
) -> SystemPicture:
    """Return a system ready to be drawn.

    Args:
        project: the decisions.
        system: what is drawn.
        shapes: of the parts that have an FE model, by name; a part made of a model without one is left out.
        starts: poses of the parts' frames where the system starts.
        base: folder from which relative names of files count.
    """
    joined, parts = _Joined(), []
    pairs: dict[str, ContactPairs] = {}
    slaves: dict[str, Surface] = {}
    owners: dict[str, tuple[int, str]] = {}
    rows_by_part: dict[str, dict[str, int]] = {}
    for number, (part, pose) in enumerate(zip(system.parts, starts, strict=True)):
        shape = shapes.get(part.name)
        if shape is None:
            rows, box = slice(joined.rows, joined.rows), _box(part, base)
            parts.append(ShownPart(part.name, rows, box, pose, centre=_centre(part, base)))
            continue
        rows = joined.add(shape.model, shape.skin, pose)
        parts.append(ShownPart(part.name, rows, None, pose, shape.model.node_ids))
        rows_by_part[part.name] = {
            name: row + rows.start for name, row in interface_rows(shape.body, shape.model).items()
        }
        for joint, found in shape.pairs.items():
            name = f"{part.name}: {joint}"
            pairs[name] = moved_pairs(found, rows.start)
            slaves[name] = Surface(name, tuple(moved_blocks(shape.slaves[joint], rows.start)))
            owners[name] = (number, joint)
    nodes = np.concatenate([np.zeros((0, 3)), *joined.nodes])
    markers = dict(_markers(project, system, rows_by_part, base))
    numbers = {name: i for i, name in enumerate(markers)}
    shown = ShownSystem(
        tuple(parts),
        tuple(markers.values()),
        _members(system.constraints, numbers, base),
        _members(system.forces, numbers, base),
        gravity=system.gravity,
    )
    there = placed(shown, nodes, shown.starts)
    others = np.concatenate([there, shown.points(shown.starts, there)])
    shown = replace(shown, surfaces=tuple(rigid_surfaces_of(system, shown.starts, others, base)))
    model = FeModel(
        system.name, np.arange(1, joined.rows + 1), there, (),
        couplings=tuple(joined.couplings),
    )  # fmt: skip
    return SystemPicture(model, joined.skin(), shown, nodes, pairs, slaves, owners)


def context_of(
    system: SystemSpec, picture: SystemPicture, results: Results, contexts: Mapping[str, FieldContext | None],
    shape: int = 0,
) -> SystemContext:  # fmt: skip
    """Return the frames of a motion, with the fields of its flexible parts by their names; of several shapes one."""
    parts = [PartFrames(results.part(part.name, shape), contexts.get(part.name)) for part in system.parts]
    return SystemContext(results, picture.shown, tuple(parts), picture.nodes, picture.owners, shape)


def _box(part: Any, base: Path) -> np.ndarray | None:
    if not isinstance(part, RigidPartSpec) or any(is_shape(each) for each in part.contact_surfaces):
        return None  # a surface of its own says better what it looks like
    if looks_of(part, base) is not None:
        return None
    xy, xz, yz = part.products_of_inertia
    tensor = np.diag(part.moments_of_inertia) + np.array([[0, xy, xz], [xy, 0, yz], [xz, yz, 0]])
    return inertia_box(part.mass, tensor, np.array(part.centre_of_mass))


def _centre(part: Any, base: Path) -> np.ndarray | None:
    """Return (3,) the centre of mass of a rigid part in its frame, whatever it is drawn as."""
    if isinstance(part, RigidPartSpec):
        return np.array(part.centre_of_mass)
    with suppress(FayingError):  # a finding says what is wrong with its shape
        if isinstance(part, RigidShapeSpec):
            return np.asarray(with_absolute_files(part, base).inertia()[1])
    return None


def _markers(
    project: Project, system: SystemSpec, rows: dict[str, dict[str, int]], base: Path
) -> Iterator[tuple[str, ShownMarker]]:
    """Yield name and marker of those that were decided, or that a constraint or force names."""
    named = {n for member in (*system.constraints, *system.forces) for n in member.marker_names()}
    owners = {part.name: (i, part) for i, part in enumerate(system.parts)}
    for name in system_markers(project, system):
        owner, _, own = name.partition(".")
        number, part = owners.get(owner, (-1, None))
        decided = {m.name: m for m in (system.ground if part is None else part.markers)}
        if name not in named and own not in decided:
            continue
        spec, place, axes = decided.get(own), np.zeros(3), np.eye(3)
        node = rows.get(owner, {}).get(spec.interface if spec is not None and spec.interface else own, -1)
        if spec is not None:
            place, axes = np.array(spec.position), rotation_matrix(spec.euler_parameters)
        elif isinstance(part, RigidPartSpec) and own != "frame":
            place = np.array(part.centre_of_mass)
        elif isinstance(part, RigidShapeSpec) and own != "frame":
            with suppress(FayingError):  # a finding says what is wrong with the shape
                place = with_absolute_files(part, base).inertia()[1]
        yield name, ShownMarker(number, node if owner != GROUND else -1, place, axes, name)


def _members(members: tuple[Any, ...], numbers: dict[str, int], base: Path) -> tuple[ShownMember, ...]:
    """Return those whose markers are all there."""
    return tuple(
        ShownMember(
            member.name, member.kind, tuple(numbers[name] for name in member.marker_names()),
            getattr(member, "force", (0.0, 0.0, 0.0)), getattr(member, "moment", (0.0, 0.0, 0.0)),
            getattr(member, "following", False), _outlines(member, numbers, base),
        )
        for member in members
        if member.marker_names() and all(name in numbers for name in member.marker_names())
    )  # fmt: skip


def _outlines(member: Any, numbers: dict[str, int], base: Path) -> tuple[tuple[int, np.ndarray], ...]:
    if isinstance(member, Constraint):
        with suppress(FayingError):  # a run says what is wrong with the curve
            names = member.marker_names()
            return tuple(
                (numbers[names[k]], line) for k, line in with_absolute_files(member, base).outlines()
            )
    return ()
