"""Bodies without joints under loads of their own, reduced and not: an end held by a coupling, a ring held softly."""

from dataclasses import replace

import numpy as np

from faying.analyses import BodyModel
from faying.analyses.static import Static
from faying.analyses.unreduced_static import UnreducedStatic
from faying.fem.assembly import assemble
from faying.fem.model import Coupling, DeckSurface, FeModel
from faying.fem.skin import find_skin
from faying.params import build
from faying.progress import Silent
from faying.reduction.body import build_reduced_body
from faying.reduction.body_loads import LoadedBody, body_loads
from faying.reduction.extend import with_load_modes
from faying.reduction.interior import InteriorProblem
from faying.reduction.load_modes import load_modes
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.results.results import Results
from support.boxes import STEEL, box

EVERY = (1, 2, 3, 4, 5, 6)


def held_box(element, counts, size, *, kind="kinematic", at="XMIN", material=STEEL, tip=False) -> FeModel:
    """Return a box whose face `at` is coupled to a node in its middle, the last one; surfaces as its node sets.

    With `tip` the opposite face is coupled to a node too, the last but one.
    """
    plain = box(element, counts, size, material)
    faces = [at.replace("MIN", "MAX"), at] if tip else [at]
    middles = [plain.nodes[plain.node_sets[face]].mean(axis=0) for face in faces]
    n = len(plain.nodes)
    nodes = np.vstack([plain.nodes, *middles])
    couplings = tuple(
        Coupling(f"C_{face}", kind, n + i, plain.node_sets[face], EVERY, np.ones(len(plain.node_sets[face])))
        for i, face in enumerate(faces)
    )
    return replace(
        plain,
        nodes=nodes,
        node_ids=np.arange(1, len(nodes) + 1),
        couplings=couplings,
        surfaces=_surfaces(plain),
    )


def ring(inner, outer, height, counts, element="hex20", material=STEEL) -> FeModel:
    """Return a ring about z from −height/2 to height/2, its bore coupled to a node in the middle, the last one, that
    is but its mean motion; surfaces INNER and OUTER.
    """
    plain = box(element, counts, (outer - inner, 2.0 * np.pi, height), material)
    r, angle, z = (plain.nodes + np.array([inner, 0.0, -0.5 * height])).T
    nodes = np.column_stack([r * np.cos(angle), r * np.sin(angle), z])
    # The seam: nodes that came to the same place.
    _, first, same = np.unique(
        np.round(nodes / outer, 9) + 0.0, axis=0, return_index=True, return_inverse=True
    )
    nodes = np.vstack([nodes[first], np.zeros(3)])
    (block,) = plain.blocks
    radii = np.linalg.norm(nodes[:, :2], axis=1)
    sets = {
        "INNER": np.flatnonzero(np.abs(radii - inner) < 1e-6 * outer),
        "OUTER": np.flatnonzero(np.abs(radii - outer) < 1e-6 * outer),
    }
    hub = Coupling("C_HUB", "distributing", len(nodes) - 1, sets["INNER"], EVERY, np.ones(len(sets["INNER"])))
    model = replace(
        plain,
        nodes=nodes,
        node_ids=np.arange(1, len(nodes) + 1),
        blocks=(replace(block, connectivity=same.ravel()[block.connectivity]),),
        node_sets=sets,
        couplings=(hub,),
    )
    return replace(model, surfaces=_surfaces(model))


def _surfaces(model):
    none = np.zeros(0, np.int64)
    return {name: DeckSurface(name, none, none, rows) for name, rows in model.node_sets.items()}


def loaded_body(model, loads, *, with_modes=True, method=None, interfaces=None) -> BodyModel:
    """Return the body with its loads; its last node is the interface node HOLD."""
    interfaces = interfaces or {"HOLD": len(model.nodes) - 1}
    method = method or CraigBampton(vibration_modes=2)
    matrices = assemble(model)
    interior = InteriorProblem(matrices, model.nodes, np.array(list(interfaces.values())))
    skin = find_skin(model) if any("surface" in words for words in loads) else None
    on = LoadedBody(model, skin, matrices)
    specs = [
        build(body_loads[words["kind"]], {k: v for k, v in words.items() if k != "kind"}) for words in loads
    ]
    found = load_modes(interior, specs, on, not method.has_constraint_modes, Silent())
    basis = method.build(interior, Silent())
    if with_modes:
        basis = with_load_modes(interior, basis, found.modes)
    reduced = build_reduced_body(model.nodes, matrices, basis, interfaces, [], loads=found)
    return BodyModel("it", reduced, (), interfaces, model, matrices, basis=basis, loads=found)


def solved(body, folder, *acting, kind=Static, **more):
    """Return the displacements (n_nodes, 3) of a body held at HOLD under loads by name, and the run report."""
    words = {"name": kind.kind, "body": "it", "support": "HOLD", **more}
    analysis = build(kind, {**words, "body_loads": [{"load": name} for name in acting]})
    target = folder / f"{kind.kind}{len(list(folder.iterdir()))}.h5"
    report = analysis.run(body, target, Silent())
    results = Results(target)
    found = results.displacement(-1)
    if found is None:
        found = body.reduced.clamped_to("HOLD").displacements @ results.coordinates(-1)
    results.close()
    return np.asarray(found).reshape(-1, 3), report


def unreduced(body, folder, *acting, **more):
    """Return the displacements of the FE model (n_nodes, 3)."""
    return solved(body, folder, *acting, kind=UnreducedStatic, **more)[0]


def difference(one, other):
    """Return ‖a − b‖ / ‖b‖."""
    return np.linalg.norm(one - other) / np.linalg.norm(other)
