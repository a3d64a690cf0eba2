"""Couplings and point masses in Abaqus and CalculiX decks."""

from collections.abc import Iterator

import numpy as np

from faying.fem.abaqus_text import name_of, real
from faying.fem.elements import element_kinds
from faying.fem.model import Coupling, FeModel

_ALL = (1, 2, 3, 4, 5, 6)


def write_couplings(model: FeModel, left_out: list[str]) -> Iterator[str]:
    """Yield the lines of all couplings; distributing couplings with explicit weights use the older card."""
    element = int(model.element_ids.max(initial=0))
    for springs in model.foundations:
        left_out.append(f"The springs of the elastic support {springs.name!r} are left out.")
    for number, coupling in enumerate(model.couplings, 1):
        if coupling.directions is not None:
            left_out.append(
                f"The coupling {coupling.name!r} holds directions of their own at its nodes; it is left out."
            )
            continue
        if coupling.kind == "distributing" and not {1, 2, 3} <= set(coupling.components):
            left_out.append(
                f"The coupling {coupling.name!r} leaves translations free; a deck couples them, so it is left out."
            )
            continue
        if _is_uneven(coupling):
            element += 1
            if coupling.components == _ALL:
                yield from _weighted(model, coupling, number, element)
                continue
            left_out.append(
                f"The weights of the coupling {coupling.name!r} differ and it leaves rotations free: "
                "a deck can hold one of the two; it is written with equal weights."
            )
        yield from _coupled(model, coupling.name, coupling.reference, coupling.nodes, number)
        yield f"*{coupling.kind.upper()}"
        yield from (f"{component}, {component}" for component in coupling.components)


def write_masses(model: FeModel, left_out: list[str]) -> Iterator[str]:
    """Yield the lines of all point masses; a mass with an offset gets a new node, rigidly coupled to the original one.

    The inertia about the centre of mass is written at the original node, which has the same rotation.
    """
    element = int(model.element_ids.max(initial=0)) + sum(map(_is_uneven, model.couplings))
    extra = int(model.node_ids.max(initial=0))
    turned = _turning_nodes(model)
    for at, point in enumerate(model.point_masses, 1):
        node = holder = int(model.node_ids[point.node])
        if point.offset.any() and point.node not in turned:
            left_out.append(
                f"{point.name} has an offset from its node, which has no rotations; it is written without."
            )
        elif point.mass and point.offset.any():
            extra += 1
            holder = extra
            x, y, z = (model.nodes[point.node] + point.offset).tolist()
            yield from ("*NODE", f"{holder}, {real(x)}, {real(y)}, {real(z)}")
            yield from (f"*SURFACE, NAME=MASS_{at}_NODE, TYPE=NODE", f"{holder},")
            yield f"*COUPLING, CONSTRAINT NAME=MASS_{at}_ARM, REF NODE={node}, SURFACE=MASS_{at}_NODE"
            yield from ("*KINEMATIC", "1, 6")
        if point.mass:
            element += 1
            yield from (f"*ELEMENT, TYPE=MASS, ELSET=MASS_{at}", f"{element}, {holder}")
            yield from (f"*MASS, ELSET=MASS_{at}", real(point.mass))
        if point.inertia.any():
            element += 1
            inertia = point.inertia
            values = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
            yield from (f"*ELEMENT, TYPE=ROTARYI, ELSET=INERTIA_{at}", f"{element}, {node}")
            yield from (f"*ROTARY INERTIA, ELSET=INERTIA_{at}", ", ".join(map(real, values)))


def _coupled(model: FeModel, name: str, reference: int, nodes: np.ndarray, number: int) -> Iterator[str]:
    surface = f"COUPLING_{number}_NODES"
    yield f"*SURFACE, NAME={surface}, TYPE=NODE"
    yield from (f"{n}," for n in model.node_ids[nodes].tolist())
    yield (
        f"*COUPLING, CONSTRAINT NAME={name_of(name)}, REF NODE={model.node_ids[reference]}, SURFACE={surface}"
    )


def _is_uneven(coupling: Coupling) -> bool:
    weights = coupling.weights
    return coupling.kind == "distributing" and bool(np.ptp(weights) > 1e-9 * weights.max())


def _weighted(model: FeModel, coupling: Coupling, number: int, element: int) -> Iterator[str]:
    yield f"*ELEMENT, TYPE=DCOUP3D, ELSET=COUPLING_{number}"
    yield f"{element}, {model.node_ids[coupling.reference]}"
    yield f"*DISTRIBUTING COUPLING, ELSET=COUPLING_{number}"
    ids = model.node_ids[coupling.nodes].tolist()
    yield from (
        f"{node}, {real(weight)}" for node, weight in zip(ids, coupling.weights.tolist(), strict=True)
    )


def _turning_nodes(model: FeModel) -> set[int]:
    turning = [b.connectivity.ravel() for b in model.blocks if element_kinds[b.element].rotations]
    return {c.reference for c in model.couplings} | {int(row) for rows in turning for row in np.unique(rows)}
