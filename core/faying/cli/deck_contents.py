"""What a deck has that decisions can refer to by name: parts, sets, surfaces, materials, couplings, contacts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from faying.fem.connectivity import connected_parts, part_names
from faying.fem.elasticity import described_stiffness
from faying.fem.left_out import Line, harmless, left_out
from faying.fem.model import FeModel
from faying.fem.unit_guess import as_written_in, likely_units


def deck_contents(path: Path, model: FeModel) -> dict[str, Any]:
    """Return the contents of a deck as a dictionary ready for JSON: counts, names, and numbers in the deck's units."""
    labels, _ = connected_parts(model)
    return {
        "deck": str(path),
        "title": model.title,
        "nodes": len(model.nodes),
        "elements": {_type_name(model, i): len(b.ids) for i, b in enumerate(model.blocks)},
        "box": [model.nodes.min(axis=0).tolist(), model.nodes.max(axis=0).tolist()],
        "likely_units": {units: as_written_in(model, units) for units in likely_units(model)},
        "parts": part_names(model, labels),
        "node_sets": {name: len(rows) for name, rows in model.node_sets.items()},
        "element_sets": {name: len(rows) for name, rows in model.element_sets.items()},
        "surfaces": {
            name: {"facets": len(each.elements), "nodes": len(each.nodes)}
            for name, each in model.surfaces.items()
        },
        "materials": {
            name: {
                "kind": each.kind,
                "youngs_modulus": each.youngs_modulus,
                "poisson_ratio": each.poisson_ratio,
                "density": each.density,
                "stiffness": described_stiffness(each),
            }
            for name, each in model.materials.items()
        },
        "couplings": {
            each.name: {
                "kind": each.kind,
                "node": int(model.node_ids[each.reference]),
                "nodes": len(each.nodes),
            }
            for each in model.couplings
        },
        "ties_and_equations": {each.name: len(each.starts) - 1 for each in model.equations},
        "contacts": {
            each.name: {
                "master": each.master,
                "slave": each.slave,
                "friction_coefficient": each.friction_coefficient,
                "sticking_stiffness": each.sticking_stiffness,
                "tied": each.tied,
            }
            for each in model.contacts
        },
        "bolts": {each.name: each.force for each in model.bolts},
        "held_nodes": 0 if model.deck_support is None else len(np.unique(model.deck_support.nodes)),
        "loads": list(model.deck_loads),
        "load_cases": [each.name for each in model.deck_cases],
        "point_masses": {each.name: each.mass for each in model.point_masses},
        "left_out": _told(left_out(model)),
        "unread": _told(harmless(model)),
    }


def _type_name(model: FeModel, block: int) -> str:
    """Return a block's element type as the deck calls it; with number and material where blocks share a type."""
    labels = [b.label for b in model.blocks]
    label = labels[block]
    if labels.count(label) == 1:
        return label
    material = model.blocks[block].material or "no material"
    return f"{label} {labels[: block + 1].count(label)} ({material})"


def content_lines(found: dict[str, Any]) -> Iterator[str]:
    """Yield the lines for a terminal; names are spelled as in a study file."""
    types = ", ".join(f"{count} {name}" for name, count in found["elements"].items())
    yield f"{found['title'] or 'a deck without a heading'}: {found['nodes']} nodes; {types or 'no elements'}"
    low, high = found["box"]
    yield f"box: {_point(low)} to {_point(high)}"
    likely = found["likely_units"]
    for units, sizes in likely.items():
        yield f"{'units' if len(likely) == 1 else 'perhaps'}: {units}: {sizes}"
    for part in found["parts"]:
        yield f"part: {part.removeprefix('the part of ')}"
    for name, count in found["node_sets"].items():
        yield f"node set {name}: {_of(count, 'node')}"
    for name, count in found["element_sets"].items():
        yield f"element set {name}: {_of(count, 'element')}"
    for name, each in found["surfaces"].items():
        yield f"surface {name}: {_of(each['facets'], 'facet') if each['facets'] else _of(each['nodes'], 'node')}"
    for name, each in found["materials"].items():
        yield f"material {name}: {each['stiffness']}, density {each['density']:g}"
    for name, each in found["couplings"].items():
        yield f"coupling {name}: {each['kind']}, node {each['node']} with {_of(each['nodes'], 'node')}"
    for name, count in found["ties_and_equations"].items():
        yield f"{name}: {_of(count, 'equation')}"
    for name, each in found["contacts"].items():
        rough = f", friction {each['friction_coefficient']:g}" if each["friction_coefficient"] else ""
        rough += f", sticking stiffness {each['sticking_stiffness']:g}" if each["sticking_stiffness"] else ""
        what = "tied contact" if each["tied"] else "contact"
        yield f"{what} {name}: master {each['master']}, slave {each['slave']}{rough}"
    for name, force in found["bolts"].items():
        yield f"bolt {name}" + (f": force {force:g}" if force else "")
    if found["held_nodes"]:
        yield f"held or displaced: {_of(found['held_nodes'], 'node')}"
    for name in found["loads"]:
        yield f"load {name}"
    for name in found["load_cases"]:
        yield f"load case {name}"
    for name, mass in found["point_masses"].items():
        yield f"point mass {name}: {mass:g}"
    for text in found["left_out"]:
        yield f"warning: left out: {text}"
    for text in found["unread"]:
        yield f"not read: {text}"


def _told(lines: list[Line]) -> list[str]:
    return [f"line {line}: {text}" if line else text for line, text in lines]


def _point(place: list[float]) -> str:
    return f"({', '.join(f'{x:.6g}' for x in place)})"


def _of(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
