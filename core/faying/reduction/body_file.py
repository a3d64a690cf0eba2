"""A reduced body as a file: all data for statics and motion, with its skin, without its FE matrices.

The manual describes the file on the page *Reduced bodies as files*. The inside of the body is left out: the file has
only the nodes of the skin and of the contact pairs, and the interface nodes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from faying.errors import ModelError
from faying.fem.body_arrays import BodyArrays, read_body_arrays, write_body_arrays
from faying.fem.body_skin import FACETS, skin_of
from faying.fem.facet_points import FacetPoints
from faying.fem.facets import facet_kind
from faying.fem.model import FeModel
from faying.fem.skin import surface_from_deck
from faying.fem.surface import FacetBlock, Surface
from faying.joints.pairs import ContactPairs
from faying.reduction.body import JointRows, ReducedBody
from faying.reduction.bolts import BoltRows
from faying.reduction.inertia import ShapeIntegrals
from faying.reduction.load_modes import ReducedLoads
from faying.reduction.second_order import SecondOrder

_PAIR_ARRAYS = (
    "facets", "master_nodes", "shape_values", "local_coordinates", "points", "normals", "tangents_1", "tangents_2",
    "unpaired_reasons", "unpaired_weights",
)  # fmt: skip
_POINT_ARRAYS = ("facets", "local_coordinates", "nodes", "shape_values", "nearness")
_LOAD_ARRAYS = ("forces", "resultants", "torques", "moments", "missed")


@dataclass(frozen=True, eq=False)
class JointInFile:
    """A joint of a body in a file.

    Attributes:
        pairs: contact pairs with nodes as rows of the file's mesh.
        master, slave: facets of the file's skin, in the order in which the pairs count them.
        stiffness, friction_coefficient: of a linear contact law and of Coulomb's law; zero for other laws.
    """

    pairs: ContactPairs
    master: np.ndarray
    slave: np.ndarray
    stiffness: float = 0.0
    friction_coefficient: float = 0.0


@dataclass(frozen=True, eq=False)
class BodyFile:
    """Contents of the file of a reduced body.

    Attributes:
        name: of the body.
        units: unit system of all numbers.
        reduced: the free body in its Buckens frame, over the nodes of the file's mesh.
        node_ids: (n,) the deck's numbers of these nodes.
        skin: their facets, one block for each kind of facet in the order of `FACETS`.
        joints: by name, in the order of the body's.
        surfaces: facets of the skin by the name of a surface that other parts may touch.
        damping: (r, r) damping matrix D; None if not requested.
    """

    name: str
    units: str
    reduced: ReducedBody
    node_ids: np.ndarray
    skin: Surface
    joints: Mapping[str, JointInFile] = field(default_factory=dict)
    surfaces: Mapping[str, np.ndarray] = field(default_factory=dict)
    damping: np.ndarray | None = None


def body_file(
    name: str,
    units: str,
    model: FeModel,
    skin: Surface,
    reduced: ReducedBody,
    pairs: Mapping[str, ContactPairs],
    sides: Mapping[str, tuple[Surface, Surface]],
    laws: Mapping[str, tuple[float, float]],
    damping: np.ndarray | None = None,
) -> BodyFile:
    """Return the file's content of a body: its mesh reduced to the nodes of the skin, contact pairs and interfaces.

    Args:
        name, units: of the body.
        model: the FE model.
        skin: its exterior facets.
        reduced: the free body in its Buckens frame.
        pairs: contact pairs by joint.
        sides: master and slave surface by joint, as the pairs count their facets.
        laws: by joint, stiffness of a linear contact law and friction coefficient; zero for other laws.
        damping: (r, r).
    """
    kept = _kept_nodes(skin, reduced, pairs)
    row_of = np.full(len(model.nodes), -1)
    row_of[kept] = np.arange(len(kept))
    outside = _skin_in_order(skin, row_of)
    number_of = {key: number for number, key in enumerate(_facet_keys(outside))}
    kinds = np.concatenate(
        [np.full(len(b.connectivity), FACETS.index(b.facet)) for b in outside.blocks] or [np.zeros(0)]
    )

    def facets(surface: Surface) -> tuple[np.ndarray, np.ndarray]:
        """Return facets of the skin sorted by kind, and the place of each facet of the surface among them."""
        moved = Surface("", tuple(replace(b, connectivity=row_of[b.connectivity]) for b in surface.blocks))
        numbers = np.array([number_of[key] for key in _facet_keys(moved)], np.int64)
        order = np.argsort(kinds[numbers], kind="stable")
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        return numbers[order], places

    joints = {}
    for joint in reduced.joints:
        (master, masters), (slave, slaves) = (facets(side) for side in sides[joint.name])
        moved = _pairs_over(pairs[joint.name], row_of, masters, slaves)
        joints[joint.name] = JointInFile(moved, master, slave, *laws[joint.name])
    shapes = reduced.displacements.reshape(len(model.nodes), 3, reduced.n_coordinates)[kept]
    return BodyFile(
        name,
        units,
        replace(
            reduced,
            nodes=model.nodes[kept],
            displacements=shapes.reshape(3 * len(kept), reduced.n_coordinates),
            interface_nodes={each: int(row_of[row]) for each, row in reduced.interface_nodes.items()},
            surfaces={},
        ),
        model.node_ids[kept],
        outside,
        joints,
        {each: facets(surface)[0] for each, surface in reduced.surfaces.items()},
        damping,
    )


def write_body_file(path: Path, body: BodyFile) -> None:
    """Write a reduced body; the ending of the path determines the file format.

    Raises:
        OSError: when the file cannot be written.
    """
    write_body_arrays(path, *to_arrays(body))


def to_arrays(body: BodyFile) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return header and arrays of a body's file, with the names and shapes that the manual lists."""
    reduced = body.reduced
    nodal = reduced.displacements.reshape(len(reduced.nodes), 3, reduced.n_coordinates)
    header: dict[str, Any] = {
        "name": body.name,
        "units": body.units,
        "groups": [{"name": name, "stop": stop} for name, stop in reduced.groups],
        "interfaces": [{"name": n, "node": row} for n, row in reduced.interface_nodes.items()],
        "joints": [],
        "preloads": [],
        "surfaces": [{"name": name} for name in body.surfaces],
        "loads": [],
        "bolts": [],
    }
    arrays = {
        "mass": reduced.mass, "stiffness": reduced.stiffness, "basis": nodal, "frequencies": reduced.frequencies,
        "rigid_mass": reduced.rigid_mass, "mesh/nodes": reduced.nodes, "mesh/node_ids": body.node_ids,
        **({} if body.damping is None else {"damping": body.damping}),
        **({} if reduced.damping is None else {"own_damping": reduced.damping}),
        **{f"mesh/{block.facet}": block.connectivity for block in body.skin.blocks},
        **{f"interfaces/{i}/rows": rows for i, rows in enumerate(reduced.interfaces.values())},
        **{f"surfaces/{i}/facets": found for i, found in enumerate(body.surfaces.values())},
    }  # fmt: skip
    if reduced.inertia is not None:
        arrays |= {
            f"integrals/{part}": getattr(reduced.inertia, part) for part in ("first", "coupling", "second")
        }
    if (bent := reduced.second_order) is not None:
        arrays |= {"second_order/inertia": bent.inertia, "second_order/resultants": bent.resultants}
        arrays |= {
            f"interfaces/{i}/second_order": bent.nodes[name] for i, name in enumerate(reduced.interfaces)
        }
    arrays |= {
        f"interfaces/{i}/lost_compliances": reduced.lost_compliances[name]
        for i, name in enumerate(reduced.interfaces)
        if name in reduced.lost_compliances
    }
    for i, rows in enumerate(reduced.joints):
        joint = body.joints[rows.name]
        header["joints"].append(
            {
                "name": rows.name,
                "stiffness": joint.stiffness,
                "friction_coefficient": joint.friction_coefficient,
            }
        )
        arrays |= {f"joints/{i}/{part}": value for part, value in _joint_arrays(rows, joint).items()}
    for i, (name, force) in enumerate(reduced.preload_forces.items()):
        header["preloads"].append({"name": name, "mounted_error": reduced.mounted_errors.get(name)})
        arrays |= {f"preloads/{i}/force": force, f"preloads/{i}/closings": reduced.preload_closings[name]}
    if reduced.loads is not None:
        loads = zip(reduced.loads.names, reduced.loads.not_in_motion, strict=True)
        header["loads"] = [{"name": name, "not_in_motion": reason} for name, reason in loads]
        arrays |= {f"loads/{part}": getattr(reduced.loads, part) for part in _LOAD_ARRAYS}
    for i, bolt in enumerate(reduced.bolts):
        header["bolts"].append(
            {"name": bolt.name, "preloads": bolt.preloads, "temperatures": list(bolt.thermal)}
        )
        parts = {"overlap": bolt.overlap, "sections": bolt.sections, "outward": bolt.outward}
        if bolt.thermal:
            parts["thermal"] = np.stack(list(bolt.thermal.values()))
        arrays |= {f"bolts/{i}/{part}": value for part, value in parts.items() if value is not None}
    return header, arrays


def read_body_file(path: Path) -> BodyFile:
    """Return the reduced body in a file.

    Raises:
        ReadError: when the file is missing, damaged, or of another kind.
    """
    return from_arrays(read_body_arrays(path))


def from_arrays(body: BodyArrays) -> BodyFile:
    """Return the body described by a file's header and arrays.

    Raises:
        ReadError: when something is missing or inconsistent.
    """
    try:
        model = skin_of(body)
    except ModelError as error:
        raise body.error(error.message.rstrip(".")) from error
    n, r = len(model.nodes), body.array("mass", None, None).shape[0]
    joints: dict[str, JointInFile] = {}
    rows = []
    for i, entry in enumerate(body.entries("joints")):
        made, joint = _joint_of(body, f"joints/{i}", entry, n, r)
        rows.append(made)
        joints[entry["name"]] = joint
    preloads = body.entries("preloads")
    cases = [entry["name"] for entry in preloads]
    has_integrals = "integrals/first" in body.arrays
    integrals = ShapeIntegrals(
        body.array("integrals/first", 3, 7 + r), body.array("integrals/coupling", 3, 7 + r, 6 + r),
        body.array("integrals/second", 6, 7 + r, 7 + r),
    ) if has_integrals else None  # fmt: skip
    reduced = ReducedBody(
        frame="",
        mass=body.array("mass", r, r),
        stiffness=body.array("stiffness", r, r),
        rigid_mass=body.array("rigid_mass", 6, 6),
        nodes=model.nodes,
        displacements=body.array("basis", n, 3, r).reshape(3 * n, r),
        interfaces={
            entry["name"]: _interface_rows(body, f"interfaces/{i}/rows", r)
            for i, entry in enumerate(body.entries("interfaces"))
        },
        interface_nodes={name: int(rows[0]) for name, rows in model.node_sets.items()},
        joints=tuple(rows),
        groups=_groups(body, r),
        frequencies=body.array("frequencies", None),
        preload_forces={name: body.array(f"preloads/{i}/force", r) for i, name in enumerate(cases)},
        preload_closings={
            name: body.array(f"preloads/{i}/closings", len(rows)) for i, name in enumerate(cases)
        },
        inertia=integrals,
        mounted_errors={
            entry["name"]: float(entry["mounted_error"])
            for entry in preloads
            if isinstance(entry.get("mounted_error"), (int, float))
        },
        lost_compliances={
            entry["name"]: body.array(f"interfaces/{i}/lost_compliances", None)
            for i, entry in enumerate(body.entries("interfaces"))
            if f"interfaces/{i}/lost_compliances" in body.arrays
        },
        surfaces={e["name"]: surface_from_deck(model, e["name"]) for e in body.entries("surfaces")},
        loads=_loads_of(body, r),
        damping=body.array("own_damping", r, r) if "own_damping" in body.arrays else None,
        second_order=_second_order_of(body, r) if "second_order/inertia" in body.arrays else None,
        bolts=tuple(_bolt_of(body, f"bolts/{i}", entry, r) for i, entry in enumerate(body.entries("bolts"))),
    )
    damping = body.array("damping", r, r) if "damping" in body.arrays else None
    blocks = [FacetBlock(b.element.removeprefix("skin_"), b.connectivity, b.ids - 1, np.zeros(len(b.ids), np.int64))
              for b in model.blocks]  # fmt: skip
    surfaces = {
        name: body.rows(f"surfaces/{i}/facets", None, below=1 << 62)
        for i, name in enumerate(reduced.surfaces)
    }
    skin = Surface("skin", tuple(blocks))
    return BodyFile(
        body.text("name"), body.text("units"), reduced, model.node_ids, skin, joints, surfaces, damping
    )


def _kept_nodes(skin: Surface, reduced: ReducedBody, pairs: Mapping[str, ContactPairs]) -> np.ndarray:
    """Return the ascending rows of the nodes to write."""
    seen: list[np.ndarray] = [skin.nodes, np.array(list(reduced.interface_nodes.values()), np.int64)]
    for found in pairs.values():
        seen += [found.master_nodes.ravel(), found.slave_shares[0].ravel(), found.unpaired_shares[0].ravel()]
    return np.unique(np.concatenate(seen))


def _skin_in_order(skin: Surface, row_of: np.ndarray) -> Surface:
    """Return the skin over the nodes of the file: one block for each kind of facet, whose elements are the facets."""
    blocks, first = [], 0
    for facet in FACETS:
        own = [row_of[block.connectivity] for block in skin.blocks if block.facet == facet]
        if own:
            connectivity = np.concatenate(own)
            numbers = np.arange(first, first + len(connectivity))
            blocks.append(FacetBlock(facet, connectivity, numbers, np.zeros_like(numbers)))
            first += len(connectivity)
    return Surface("skin", tuple(blocks))


def _facet_keys(surface: Surface) -> list[tuple[int, ...]]:
    """Return each facet's corners, rotated to begin with the lowest; both sides of a shell have different keys."""
    keys = []
    for block in surface.blocks:
        corners = block.connectivity[:, : facet_kind(block.facet).n_corners]
        turned = (np.arange(corners.shape[1]) + corners.argmin(axis=1)[:, None]) % corners.shape[1]
        keys += [tuple(row) for row in np.take_along_axis(corners, turned, axis=1).tolist()]
    return keys


def _pairs_over(
    pairs: ContactPairs, row_of: np.ndarray, masters: np.ndarray, slaves: np.ndarray
) -> ContactPairs:
    """Return the pairs renumbered: `row_of`, `masters` and `slaves` map old node rows and facet numbers to new ones."""

    def points(found: FacetPoints | None) -> FacetPoints | None:
        return found and replace(found, nodes=row_of[found.nodes], facets=slaves[found.facets])

    return replace(
        pairs,
        master_nodes=row_of[pairs.master_nodes],
        facets=masters[pairs.facets],
        slave_nodes=None if pairs.slave_nodes is None else row_of[pairs.slave_nodes],
        unpaired_nodes=None if pairs.unpaired_nodes is None else row_of[pairs.unpaired_nodes],
        slave_points=points(pairs.slave_points),
        unpaired_points=points(pairs.unpaired_points),
    )


def _joint_arrays(rows: JointRows, joint: JointInFile) -> dict[str, np.ndarray]:
    pairs = joint.pairs
    found = {
        "normal": rows.normal, "tangential": rows.tangential, "weights": rows.weights,
        "initial_gaps": rows.initial_gaps, "normal_rigid": rows.normal_rigid,
        "tangential_rigid": rows.tangential_rigid, "tie_force": rows.tie_force,
        "master_facets": joint.master, "slave_facets": joint.slave, "slave_nodes": pairs.slave_nodes,
        "unpaired_nodes": pairs.unpaired_nodes, "master_heights": pairs.master_heights,
        "slave_heights": pairs.slave_heights, "found_gaps": pairs.initial_gaps,
        **{part: getattr(pairs, part) for part in _PAIR_ARRAYS},
    }  # fmt: skip
    for name, points in (("slave_points", pairs.slave_points), ("unpaired_points", pairs.unpaired_points)):
        if points is not None:
            found |= {f"{name}/{part}": getattr(points, part) for part in _POINT_ARRAYS}
    return {name: np.asarray(value) for name, value in found.items() if value is not None}


def _joint_of(
    body: BodyArrays, at: str, entry: dict[str, Any], n: int, r: int
) -> tuple[JointRows, JointInFile]:
    def array(name: str, *shape: int | None) -> np.ndarray:
        return body.array(f"{at}/{name}", *shape)

    def optional(name: str, *shape: int | None) -> np.ndarray | None:
        return array(name, *shape) if f"{at}/{name}" in body.arrays else None

    def nodes(name: str, *shape: int | None, below: int = n) -> np.ndarray:
        return body.rows(f"{at}/{name}", *shape, below=below)

    p = len(array("weights", None))
    rows = JointRows(
        entry["name"], array("normal", p, r), array("tangential", p, 2, r), array("weights", p),
        array("initial_gaps", p), array("normal_rigid", p, 6), array("tangential_rigid", p, 2, 6),
        optional("tie_force", 3, r),
    )  # fmt: skip
    master, slave = (nodes(f"{role}_facets", None, below=1 << 62) for role in ("master", "slave"))

    def points(name: str, count: int) -> FacetPoints | None:
        if f"{at}/{name}/nodes" not in body.arrays:
            return None
        corners = nodes(f"{name}/nodes", count, None)
        k = corners.shape[1]
        return FacetPoints(
            nodes(f"{name}/facets", count, below=len(slave)), array(f"{name}/local_coordinates", count, 2), corners,
            array(f"{name}/shape_values", count, k), array(f"{name}/nearness", count, k),
        )  # fmt: skip

    m, k = len(array("unpaired_weights", None)), array("shape_values", p, None).shape[1]
    at_points = points("slave_points", p)
    pairs = ContactPairs(
        slave_nodes=nodes("slave_nodes", p) if at_points is None else None,
        facets=nodes("facets", p, below=len(master)),
        master_nodes=nodes("master_nodes", p, k),
        shape_values=array("shape_values", p, k),
        local_coordinates=array("local_coordinates", p, 2),
        points=array("points", p, 3),
        normals=array("normals", p, 3),
        tangents_1=array("tangents_1", p, 3),
        tangents_2=array("tangents_2", p, 3),
        weights=rows.weights,
        initial_gaps=array("found_gaps", p),
        unpaired_nodes=nodes("unpaired_nodes", m) if at_points is None else None,
        unpaired_reasons=nodes("unpaired_reasons", m, below=16),
        unpaired_weights=array("unpaired_weights", m),
        master_heights=optional("master_heights", p),
        slave_heights=optional("slave_heights", p),
        slave_points=at_points,
        unpaired_points=points("unpaired_points", m) if at_points is not None else None,
    )
    stiffness, friction = (float(entry.get(word, 0.0)) for word in ("stiffness", "friction_coefficient"))
    return rows, JointInFile(pairs, master, slave, stiffness, friction)


def _interface_rows(body: BodyArrays, name: str, r: int) -> np.ndarray:
    found = body.array(name, None, r)
    if len(found) not in (3, 6):
        raise body.error(f"{name} has {len(found)} rows, expected 3 displacements, or 6 with rotations")
    return found


def _second_order_of(body: BodyArrays, r: int) -> SecondOrder:
    return SecondOrder(
        body.array("second_order/inertia", 3, 4, 6 + r, 6 + r),
        body.array("second_order/resultants", 3, 4, 6),
        {
            entry["name"]: body.array(f"interfaces/{i}/second_order", None, 6 + r, 6 + r)
            for i, entry in enumerate(body.entries("interfaces"))
        },
    )


def _groups(body: BodyArrays, r: int) -> tuple[tuple[str, int], ...]:
    groups, last = [], 0
    for entry in body.entries("groups", unique=False):
        stop = entry.get("stop")
        if not isinstance(stop, int) or not last <= stop <= r:
            raise body.error(f"the group {entry['name']!r} of trial vectors ends at {stop!r}")
        groups.append((entry["name"], stop))
        last = stop
    return tuple(groups)


def _loads_of(body: BodyArrays, r: int) -> ReducedLoads | None:
    entries = body.entries("loads")
    if not entries:
        return None
    p = len(entries)
    return ReducedLoads(
        names=tuple(entry["name"] for entry in entries),
        forces=body.array("loads/forces", r, p),
        resultants=body.array("loads/resultants", 6, p),
        torques=body.array("loads/torques", p, 3, r),
        moments=body.array("loads/moments", p, 3, 3),
        missed=body.array("loads/missed", p, p),
        not_in_motion=tuple(str(entry.get("not_in_motion", "")) for entry in entries),
        temperatures=(None,) * p,
    )


def _bolt_of(body: BodyArrays, at: str, entry: dict[str, Any], r: int) -> BoltRows:
    sections = body.array(f"{at}/sections", None, 6, r)
    overlap = body.array(f"{at}/overlap", r) if f"{at}/overlap" in body.arrays else None
    tensions = entry.get("preloads")
    if not isinstance(tensions, dict) or not all(isinstance(v, (int, float)) for v in tensions.values()):
        raise body.error(f"the bolt {entry['name']!r} says no tension of its preload cases")
    names = entry.get("temperatures", [])
    if not isinstance(names, list):
        raise body.error(f"the bolt {entry['name']!r} says not which loads are temperatures")
    thermal = body.array(f"{at}/thermal", len(names), len(sections), 6) if names else np.zeros((0, 0, 6))
    return BoltRows(entry["name"], overlap, sections, body.array(f"{at}/outward", len(sections), 3),
                    {str(case): float(value) for case, value in tensions.items()},
                    {str(name): own for name, own in zip(names, thermal, strict=True)})  # fmt: skip
