"""What the 3D view shows of a multibody system: parts put together from the project and what was computed."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from faying.fem.model import Coupling, FeModel
from faying.fem.skin import Skin
from faying.fem.surface import FacetBlock, Surface
from faying.joints.pairs import ContactPairs
from faying.multibody.assembly import Assembled
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.multibody.part_kinds.rigid import RigidPartSpec
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.project.bodies import interface_rows
from faying.results.results import Results
from faying.spatial.rotations import rotation_about, rotation_matrix
from faying_app.context import Context
from faying_app.entities import system_markers
from faying_app.scene.systems import (
    PartFrames,
    Pose,
    ShownMarker,
    ShownMember,
    ShownPart,
    ShownSystem,
    SystemContext,
    inertia_box,
    moved_pairs,
    placed,
)
from faying_app.system_rows import parts_with_models


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
    facets: int = 0

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
    """Return the blocks of a surface whose nodes are counted from a first row on."""
    return [FacetBlock(b.facet, b.connectivity + first, b.elements, b.faces) for b in surface.blocks]


def found_for(context: Context, system: SystemSpec) -> tuple[object, ...]:
    """Return what tells whether a picture still fits: what was computed of the bodies and the start by now."""
    computed, found = context.computed, list[object]()
    for body in context.project.bodies:
        if body.name in system.body_names():
            pairs = [id(computed.pairs(body.name, joint.name)) for joint in body.joints]
            found += [id(computed.model(body.name)), *pairs]
    return (*found, id(computed.assembled(system)))


def picture_of(context: Context, system: SystemSpec) -> SystemPicture:
    """Return a system as it can be drawn now: parts whose models are not read yet are left out."""
    computed, joined = context.computed, _Joined()
    parts, pairs, slaves, owners = [], {}, {}, {}
    rows_by_part: dict[str, dict[str, int]] = {}
    starts = start_poses(context, system)
    known = {
        p.name: (body, model) for p, body, model, _ in parts_with_models(context.project, computed, system)
    }
    for number, (part, pose) in enumerate(zip(system.parts, starts, strict=True)):
        body, model = known.get(part.name, (None, None))
        skin = computed.skin(body.name) if body is not None else None
        if body is None or model is None or skin is None:
            parts.append(ShownPart(part.name, slice(joined.rows, joined.rows), _box(part), pose))
            continue
        rows = joined.add(model, skin, pose)
        parts.append(ShownPart(part.name, rows, None, pose, model.node_ids))
        rows_by_part[part.name] = {
            name: row + rows.start for name, row in interface_rows(body, model).items()
        }
        for joint in body.joints if isinstance(part, FlexiblePartSpec) else ():
            found, surface = (
                computed.pairs(body.name, joint.name),
                computed.surface(body.name, joint, "slave"),
            )
            if found is not None and surface is not None:
                name = f"{part.name}: {joint.name}"
                pairs[name] = moved_pairs(found, rows.start)
                slaves[name] = Surface(name, tuple(moved_blocks(surface, rows.start)))
                owners[name] = (number, joint.name)
    nodes = np.concatenate([np.zeros((0, 3)), *joined.nodes])
    markers = dict(_markers(context, system, rows_by_part))
    numbers = {name: i for i, name in enumerate(markers)}
    shown = ShownSystem(
        tuple(parts),
        tuple(markers.values()),
        _members(system.constraints, numbers),
        _members(system.forces, numbers),
    )
    model = FeModel(
        system.name, np.arange(1, joined.rows + 1), placed(shown, nodes, shown.starts), (),
        couplings=tuple(joined.couplings),
    )  # fmt: skip
    return SystemPicture(model, joined.skin(), shown, nodes, pairs, slaves, owners)


def frames_of(
    context: Context, system: SystemSpec, picture: SystemPicture, results: Results
) -> SystemContext:
    """Return the frames of a motion, with the fields of its flexible parts."""
    parts = []
    for part in system.parts:
        found = results.part(part.name)
        evaluated = context.computed.part_context(part, found) if isinstance(part, FlexiblePartSpec) else None
        parts.append(PartFrames(found, evaluated))
    return SystemContext(results, picture.shown, tuple(parts), picture.nodes, picture.owners)


def start_poses(context: Context, system: SystemSpec) -> tuple[Pose, ...]:
    """Return where the parts start: put together if that is known, else as they are placed."""
    at = context.computed.assembled(system)
    if isinstance(at, Assembled):
        found = [at.system.of_part(part.name, at.position) for part in system.parts]
        return tuple((q[:3], rotation_matrix(q[3:7])) for q in found)
    return tuple(
        (np.array(p.placement.position), rotation_matrix(rotation_about(np.array(p.placement.rotation))))
        for p in system.parts
    )


def _box(part: Any) -> np.ndarray | None:
    if not isinstance(part, RigidPartSpec):
        return None
    xy, xz, yz = part.products_of_inertia
    tensor = np.diag(part.moments_of_inertia) + np.array([[0, xy, xz], [xy, 0, yz], [xz, yz, 0]])
    return inertia_box(part.mass, tensor, np.array(part.centre_of_mass))


def _markers(
    context: Context, system: SystemSpec, rows: dict[str, dict[str, int]]
) -> Iterator[tuple[str, ShownMarker]]:
    """Yield name and marker of those that were decided, or that a constraint or force names."""
    named = {n for member in (*system.constraints, *system.forces) for n in member.marker_names()}
    owners = {part.name: (i, part) for i, part in enumerate(system.parts)}
    for name in system_markers(context.project, system):
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
        yield name, ShownMarker(number, node if owner != GROUND else -1, place, axes, name)


def _members(members: tuple[Any, ...], numbers: dict[str, int]) -> tuple[ShownMember, ...]:
    """Return those whose markers are all there."""
    return tuple(
        ShownMember(
            member.name, member.kind, tuple(numbers[name] for name in member.marker_names()),
            getattr(member, "force", (0.0, 0.0, 0.0)), getattr(member, "moment", (0.0, 0.0, 0.0)),
            getattr(member, "following", False),
        )
        for member in members
        if all(name in numbers for name in member.marker_names())
    )  # fmt: skip
