"""The skin stored in the file of a reduced body: exterior facets of its mesh, surfaces and named nodes."""

import numpy as np

from faying.fem.body_arrays import BodyArrays
from faying.fem.elements import element_kinds
from faying.fem.model import ContactProposal, DeckSurface, ElementBlock, FeModel

FACETS = ("tri3", "tri6", "quad4", "quad8")
MASTER, SLAVE = " master", " slave"


def skin_of(body: BodyArrays) -> FeModel:
    """Return the skin stored in the file of a reduced body.

    Raises:
        ReadError: when its nodes, facets or names are wrong.
    """
    nodes = body.array("mesh/nodes", None, 3)
    ids = body.rows("mesh/node_ids", len(nodes), below=1 << 62)
    blocks, first = [], 1
    for facet in FACETS:
        if (name := f"mesh/{facet}") not in body.arrays:
            continue
        width = element_kinds[f"skin_{facet}"].n_nodes
        connectivity = body.rows(name, None, width, below=len(nodes))
        blocks.append(
            ElementBlock(
                f"skin_{facet}", "SKIN", np.arange(first, first + len(connectivity)), connectivity, ""
            )
        )
        first += len(connectivity)
    if len(np.unique(ids)) != len(ids):
        raise body.error("mesh/node_ids are not unique")
    surfaces, contacts = {}, []
    for i, joint in enumerate(body.entries("joints")):
        for role in (MASTER, SLAVE):
            name = joint["name"] + role
            surfaces[name] = _surface(body, name, f"joints/{i}/{role.strip()}_facets", first - 1)
        contacts.append(
            ContactProposal(
                joint["name"], joint["name"] + SLAVE, joint["name"] + MASTER,
                _number(body, joint, "friction_coefficient"), _number(body, joint, "stiffness"),
            )
        )  # fmt: skip
    for i, each in enumerate(body.entries("surfaces")):
        if each["name"] in surfaces:
            raise body.error(f"the surface {each['name']!r} has the name of a joint's")
        surfaces[each["name"]] = _surface(body, each["name"], f"surfaces/{i}/facets", first - 1)
    sets = {}
    for interface in body.entries("interfaces"):
        node = interface.get("node")
        if not isinstance(node, int) or not 0 <= node < len(nodes):
            raise body.error(f"the interface node {interface['name']!r} is at no node")
        sets[interface["name"]] = np.array([node])
    return FeModel(
        body.text("name"), ids, nodes, tuple(blocks), node_sets=sets, surfaces=surfaces, contacts=tuple(contacts),
        preload_cases=tuple(entry["name"] for entry in body.entries("preloads")),
        body_loads=tuple(entry["name"] for entry in body.entries("loads")),
        units=body.text("units"),
    )  # fmt: skip


def _surface(body: BodyArrays, name: str, array: str, n_facets: int) -> DeckSurface:
    facets = body.rows(array, None, below=n_facets)
    return DeckSurface(name, facets, np.zeros(len(facets), np.int64), np.zeros(0, np.int64))


def _number(body: BodyArrays, entry: dict[str, object], name: str) -> float:
    found = entry.get(name, 0.0)
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not 0.0 <= found < 1e30:
        raise body.error(f"{name} of joint {entry['name']!r} is no number")
    return float(found)
